"""UCI's packed files: ``.zip`` archives, and ``.Z``, the format of Unix ``compress``, which Python does not read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["decompress", "unpack"]


def unpack(content: bytes, name: str, members: Sequence[str], *, size: int, limit: int) -> bytes:
    """Unpack a file, layer by layer, as the layers' names say.

    Nothing is written anywhere, so the names in an archive are harmless, whatever folders they lead to. A name that
    ends in ``.zip`` is an archive, of which the first of the members is taken, in whatever folder; one that ends in
    ``.Z`` is decompressed; content of any other name is returned as it is. Unpacking stops soon after ``size`` bytes of
    the file, since nothing unpacks to more than the reader expects, and after ``limit`` of an archive in the archive.
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
                least_deep = min(named, key=lambda info: info.filename.count("/"))
                if least_deep.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    with archive.open(least_deep) as stream:
                        return stream.read(limit + 1)
    except Exception as error:  # of a damaged archive zipfile and its decoders raise a dozen kinds
        raise ValueError(f"not a zip archive with {member}: {error}") from None
    if named:  # other methods unpack as much as there is, whatever is asked for
        raise ValueError(f"not a zip archive with {member} stored or deflated")
    raise ValueError(f"a zip archive without {member}")


def decompress(content: bytes, limit: int) -> bytes:
    r"""Read what Unix ``compress`` wrote, up to a limit of bytes or a few more.

    The format has no checksum: a damaged file may also give a wrong text.

    Examples
    --------
    >>> decompress(bytes.fromhex("1f9d9061c4045400"), limit=100)
    b'abab\n'
    """
    try:
        import ncompress
    except ImportError:
        raise ValueError("the package ncompress, which reads .Z files, is not installed") from None
    text = _AtMost(limit)
    try:
        ncompress.decompress(io.BytesIO(content), text)
    except ValueError as error:
        if text.tell() <= limit:
            raise ValueError(f"not a file of Unix compress: {error}") from None
    if not text.tell():
        raise ValueError("not a file of Unix compress: no text in it")
    return text.getvalue()


class _AtMost(io.BytesIO):
    """Refuses what comes after `limit` bytes: 34 kB of ``.Z`` may hold 200 MB."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def write(self, data: Buffer, /) -> int:
        if self.tell() > self.limit:
            raise ValueError("more than the limit")
        return super().write(data)
