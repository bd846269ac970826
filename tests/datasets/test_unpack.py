"""Unpacking what UCI keeps packed: Unix compress (LZW) and zip."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from ncompress import compress

from ldp_book.datasets.unpack import decompress, unpack

from .conftest import zipped

TEXTS = {
    "short": b"abab\n",
    "run": b"a" * 5000,
    "random": np.random.default_rng(1).integers(4, size=60_000, dtype=np.uint8).tobytes(),
    "all bytes": np.random.default_rng(2).integers(256, size=30_000, dtype=np.uint8).tobytes(),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_round_trip(text: bytes) -> None:
    packed = compress(text)
    if gzip := shutil.which("gzip"):  # another reader of the format
        done = subprocess.run([gzip, "-dc"], input=packed, capture_output=True, check=True)
        assert done.stdout == text
    assert decompress(packed, limit=10**6) == text


def test_it_stops_at_the_limit() -> None:
    packed = compress(b"a" * 50_000_000)
    assert len(packed) < 20_000
    assert 1000 < len(decompress(packed, limit=1000)) < 100_000


@pytest.mark.parametrize("content", [b"", b"\x1f\x8b\x08", b"\x1f\x9d\x88", b"\x1f\x9d\x90" + b"\xff" * 6, b"<html>"])
def test_what_is_not_in_the_format_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="not a file of Unix compress"):
        decompress(content, limit=100)


def test_the_reader_of_the_format_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ncompress", None)
    with pytest.raises(ValueError, match=r"the package ncompress, which reads \.Z files, is not installed"):
        decompress(compress(b"abab"), limit=100)


def test_layers() -> None:
    text = TEXTS["random"][:5000]
    in_zip = zipped({"folder/a.csv": text})
    cases = {
        ("x.zip", "a.csv"): in_zip,
        ("x.zip", "y.zip", "a.csv"): zipped({"y.zip": in_zip}),
        ("x.zip", "y.zip", "z.zip", "a.csv"): zipped({"y.zip": zipped({"z.zip": in_zip})}),
        ("a.data.Z",): compress(text),
        ("x.zip", "a.data.Z"): zipped({"a.data.Z": compress(text)}),
    }
    for (name, *members), content in cases.items():
        assert unpack(content, name, members, size=len(text), limit=100_000) == text


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_damaged_archive_is_a_clear_error_or_gives_the_text(method: int) -> None:
    """One byte in 400 random places is another one: whatever zipfile and its decoders raise, it is a ValueError."""
    text = TEXTS["random"][:500]
    whole = zipped({"a.csv": text, "b.csv": b"1"}, method)
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


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_method_whose_output_has_no_limit_is_refused(method: int) -> None:
    """Of bz2 and lzma zipfile unpacks as much as there is: a kilobyte may hold gigabytes."""
    packed = zipped({"a.data": bytes(10**6)}, method)
    with pytest.raises(ValueError, match=r"not a zip archive with a\.data stored or deflated"):
        unpack(packed, "a.zip", ["a.data"], size=100, limit=100)
