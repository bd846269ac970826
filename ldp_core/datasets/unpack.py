"""UCI's packed files: ``.zip`` archives, and ``.Z``, the format of Unix ``compress``, which Python does not read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

MAGIC = b"\x1f\x9d"
CLEAR = 256  # in block mode this code is no text: it empties the dictionary


def unpack(content: bytes, name: str, members: Sequence[str], *, size: int, limit: int) -> bytes:
    """Unpack a file, layer by layer, as the layers' names say.

    Nothing is written anywhere, so the names in an archive are harmless, whatever folders they lead to.

    Parameters
    ----------
    content : bytes
        The packed file.
    name : str
        Its name. One that ends in ``.zip`` is an archive, of which the first of `members` is taken; one that ends in
        ``.Z`` is decompressed. Content of any other name is returned as it is.
    members : sequence of str
        One name for each archive, the outermost first. Folders in the archive do not matter.
    size : int
        Stop soon after so many bytes of the file: nothing unpacks to more than the reader expects.
    limit : int
        The same for an archive in the archive.

    Returns
    -------
    bytes
        The file; if it is longer than `size`, only so much that this shows.

    Raises
    ------
    ValueError
        If the content is damaged, or holds no such member.
    """
    if name.endswith(".zip"):
        member, *deeper = members
        inner = member.endswith((".zip", ".Z"))
        taken = _take(content, member, limit if inner else size)
        if inner and len(taken) > limit:
            raise ValueError(f"{member} has more than {limit:,} bytes")
        return unpack(taken, member, deeper, size=size, limit=limit)
    return decompress(content, size) if name.endswith(".Z") else content


def _take(content: bytes, member: str, limit: int) -> bytes:
    """Return a member of a ``.zip``, at most one byte beyond `limit`; of several of that name the least deep."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            named = [info for info in archive.infolist() if info.filename.split("/")[-1] == member]
            if named:
                with archive.open(min(named, key=lambda info: info.filename.count("/"))) as stream:
                    return stream.read(limit + 1)
    except Exception as error:  # of a damaged archive zipfile and its decoders raise a dozen kinds
        raise ValueError(f"not a zip archive with {member}: {error}") from None
    raise ValueError(f"a zip archive without {member}")


def decompress(content: bytes, limit: int) -> bytes:
    r"""Read what Unix ``compress`` wrote (LZW with codes that grow from 9 to at most 16 bits).

    Parameters
    ----------
    content : bytes
        A ``.Z`` file: two bytes of magic; one with the longest code's bits (10 to 16) and, as its highest bit,
        block mode; then the codes, lowest bit first.
    limit : int
        Stop after so many bytes of text, or a few more.

    Returns
    -------
    bytes
        The text.

    Raises
    ------
    ValueError
        If it is not in that format. The format has no checksum: a damaged file may also give a wrong text.

    Notes
    -----
    Code c < 256 is the byte c. Every code after the first adds an entry to the dictionary: the text of the code before
    it and the first byte of its own. Codes grow by a bit when the dictionary has outgrown them. ``compress`` writes
    codes in groups of eight, and fills the group up when their length changes; that padding has to be skipped.

    References
    ----------
    T. A. Welch. A technique for high-performance data compression. Computer 17(6), 1984.

    Examples
    --------
    >>> decompress(bytes.fromhex("1f9d9061c4045400"), limit=100)
    b'abab\n'
    """
    if len(content) < 3 or content[:2] != MAGIC or not 10 <= content[2] & 0x1F <= 16 or content[2] & 0x60:
        raise ValueError("not a file of Unix compress")
    most_bits, block_mode = content[2] & 0x1F, bool(content[2] & 0x80)
    texts = [bytes([byte]) for byte in range(256)] + [b""] * block_mode
    first_free = len(texts)
    out: list[bytes] = []
    length, bits, previous = 0, 9, b""
    start = position = 24  # in bits: where the codes of this length began, and where the next one begins
    end = 8 * len(content)
    while position + bits <= end and length <= limit:
        at = position >> 3
        code = int.from_bytes(content[at : at + 3], "little") >> (position & 7) & ((1 << bits) - 1)
        position += bits
        if code == CLEAR and block_mode:
            del texts[first_free:]
            previous = b""
            start = position = _next_group(start, position, bits)
            bits = 9
            continue
        if code > len(texts) or (code == len(texts) and not previous):
            raise ValueError(f"not a file of Unix compress: code {code} before it has a meaning")
        # The one code that can come before its entry is made of that entry's own beginning.
        text = texts[code] if code < len(texts) else previous + previous[:1]
        out.append(text)
        length += len(text)
        if previous and len(texts) < 1 << most_bits:
            texts.append(previous + text[:1])
            # The writer is one entry ahead of the reader.
            if len(texts) == 1 << bits and bits < most_bits:
                start = position = _next_group(start, position, bits)
                bits += 1
        previous = text
    return b"".join(out)


def _next_group(start: int, position: int, bits: int) -> int:
    """Return where the next group of eight codes begins."""
    group = 8 * bits
    return start + -(-(position - start) // group) * group
