"""Unpacking what UCI keeps packed: Unix compress (LZW) and zip."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile

import numpy as np
import pytest

from ldp_core.datasets.unpack import decompress, unpack


def compress(data: bytes, most_bits: int = 16) -> bytes:
    """Write Unix compress, without its clear code: codes grow by a bit when the dictionary has outgrown them."""
    table = {bytes([i]): i for i in range(256)}
    free, bits, buffer, filled, group = 257, 9, 0, 0, 0
    out = bytearray(b"\x1f\x9d" + bytes([0x80 | most_bits]))

    def put(code: int) -> None:
        nonlocal buffer, filled, group
        buffer |= code << filled
        filled += bits
        group += 1
        while filled >= 8:
            out.append(buffer & 255)
            buffer >>= 8
            filled -= 8

    word = b""
    for byte in data:
        longer = word + bytes([byte])
        if longer in table:
            word = longer
            continue
        put(table[word])
        if free < 1 << most_bits:
            table[longer] = free
            free += 1
            if free > 1 << bits and bits < most_bits:
                while group % 8:
                    put(0)
                bits, group = bits + 1, 0
        word = bytes([byte])
    if word:
        put(table[word])
    if filled:
        out.append(buffer & 255)
    return bytes(out)


TEXTS = {
    "short": b"abab\n",
    "run": b"a" * 5000,
    "random": np.random.default_rng(1).integers(4, size=60_000, dtype=np.uint8).tobytes(),
    "all bytes": np.random.default_rng(2).integers(256, size=30_000, dtype=np.uint8).tobytes(),
}


@pytest.mark.parametrize("most_bits", [10, 12, 16])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_round_trip(text: bytes, most_bits: int) -> None:
    packed = compress(text, most_bits)
    if gzip := shutil.which("gzip"):  # another reader of the format: the writer above is right
        done = subprocess.run([gzip, "-dc"], input=packed, capture_output=True, check=True)
        assert done.stdout == text
    assert decompress(packed, limit=10**6) == text


def test_it_stops_at_the_limit() -> None:
    assert len(decompress(compress(b"a" * 500_000), limit=1000)) < 5000


@pytest.mark.parametrize("content", [b"", b"\x1f\x8b\x08", b"\x1f\x9d\x88", b"\x1f\x9d\x90\xff\xff\xff\xff", b"<html>"])
def test_what_is_not_in_the_format_is_refused(content: bytes) -> None:
    if content == b"\x1f\x9d\x88":
        with pytest.raises(ValueError, match="compress"):
            decompress(content, limit=100)
    else:
        with pytest.raises(ValueError, match="compress"):
            decompress(content + b"\xff\xff", limit=100)


def archive_of(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_zip_member() -> None:
    content = archive_of({"a.csv": b"1;2\n"})
    assert unpack(content, "x.zip", ["a.csv"], size=100, limit=100) == b"1;2\n"
    assert unpack(content, "x.zip", ["a.csv"], size=2, limit=100) == b"1;2"  # one byte too many shows
    with pytest.raises(ValueError, match=r"a zip archive without b\.csv"):
        unpack(content, "x.zip", ["b.csv"], size=100, limit=100)
    with pytest.raises(ValueError, match=r"not a zip archive with a\.csv"):
        unpack(b"not a zip", "x.zip", ["a.csv"], size=100, limit=100)
    assert unpack(b"1,2", "plain.data", [], size=100, limit=100) == b"1,2"


def test_layers() -> None:
    text = TEXTS["random"][:5000]
    in_zip = archive_of({"folder/a.csv": text})
    cases = {
        ("x.zip", "a.csv"): in_zip,
        ("x.zip", "y.zip", "a.csv"): archive_of({"y.zip": in_zip}),
        ("x.zip", "y.zip", "z.zip", "a.csv"): archive_of({"y.zip": archive_of({"z.zip": in_zip})}),
        ("a.data.Z",): compress(text),
        ("x.zip", "a.data.Z"): archive_of({"a.data.Z": compress(text)}),
    }
    for (name, *members), content in cases.items():
        assert unpack(content, name, members, size=len(text), limit=100_000) == text


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_archive_is_a_clear_error_or_gives_the_text(method: int) -> None:
    """One byte in 400 random places is another one: whatever zipfile and its decoders raise, it is a ValueError."""
    text = TEXTS["random"][:500]
    whole = archive_of({"a.csv": text, "b.csv": b"1"}, method)
    rng = np.random.default_rng(3)
    refused = 0
    for _ in range(400):
        content = bytearray(whole)
        content[rng.integers(len(whole))] = rng.integers(256)
        try:
            assert unpack(bytes(content), "x.zip", ["a.csv"], size=1000, limit=1000) == text
        except ValueError as error:
            assert re.match(r"(not a zip archive with|a zip archive without) a\.csv", str(error))  # noqa: PT017
            refused += 1
    assert refused > 100


def test_a_locked_archive_is_a_clear_error() -> None:
    content = bytearray(archive_of({"a.csv": b"1;2\n"}))
    content[6] |= 1  # the flag of encryption, in the member's own head
    content[content.index(b"PK\1\2") + 8] |= 1  # and in the directory
    with pytest.raises(ValueError, match=r"not a zip archive with a\.csv: .*encrypted"):
        unpack(bytes(content), "x.zip", ["a.csv"], size=100, limit=100)
