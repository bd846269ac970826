"""Every file of every data set, from a server that holds archives and files as UCI does, in both of its layouts.

Where LDP_BOOK_DATA names a folder with the real files, the archives are made of those; else of small made-up files,
whose sizes and checksums stand in for the real ones.
"""

from __future__ import annotations

import dataclasses
import os
from functools import cache as remember
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from ncompress import compress

from ldp_book.datasets.fetch import read
from ldp_book.datasets.registry import SOURCES
from ldp_book.datasets.source import DATABASES, PUBLIC, RemoteFile

from . import conftest as web
from .conftest import Server

NAMES = [name for name, source in SOURCES.items() if not source.withdrawn]
REAL = Path(os.environ.get("LDP_BOOK_DATA") or "no folder").expanduser()
pytestmark = pytest.mark.data


def test_each_file_is_sought_in_the_new_layout_and_then_in_the_old() -> None:
    for name, source in SOURCES.items():
        number = source.url.split("/")[-2]
        for file in (*source.files, *source.test_files):
            if name == "diabetes":
                assert file.addresses == ()
                continue
            new, old = file.addresses
            assert (new.layout, old.layout) == (PUBLIC, DATABASES)
            assert new.path == f"{number}/{source.url.split('/')[-1]}.zip"  # as the data set's page is called
            assert len(new.members) == sum(part.endswith(".zip") for part in (new.path, *new.members))
            assert len(old.members) == old.path.endswith(".zip")


@remember
def files_of(name: str) -> dict[RemoteFile, bytes]:
    """Give the files of a data set and their contents."""
    source = SOURCES[name]
    files = (*source.files, *source.test_files)
    if all((REAL / file.path).is_file() for file in files):
        return {file: (REAL / file.path).read_bytes() for file in files}
    contents = {file: np.random.default_rng(i).bytes(5000) for i, file in enumerate(files)}
    return {
        dataclasses.replace(file, size=len(content), sha256=sha256(content).hexdigest()): content
        for file, content in contents.items()
    }


@remember
def compressed(content: bytes) -> bytes:
    return compress(content)


def served(files: dict[RemoteFile, bytes], layout: str) -> dict[str, bytes]:
    """Give what the server has under each path: files, or archives with a few other things in them."""
    paths: dict[str, dict[tuple[str, ...], bytes]] = {}
    for file, content in files.items():
        for address in (address for address in file.addresses if address.layout == layout):
            paths.setdefault(address.path, {})[address.members] = content
    return {path: _packed(path, members) for path, members in paths.items()}


def _packed(path: str, members: dict[tuple[str, ...], bytes]) -> bytes:
    if not path.endswith(".zip"):
        return compressed(members[()]) if path.endswith(".Z") else members[()]
    contents = {"Index": b"What is here", "__MACOSX/": b""}
    for names, content in members.items():
        first, *deeper = names
        inner = _packed(first, {tuple(deeper): content})
        folder = "ARCENE/" if first.startswith("arcene_") and first.endswith(".data") else ""
        contents |= {folder + first: inner, f"__MACOSX/{folder}._{first}": b"\0" * 20, f"{first}.orig": b"an older one"}
    return web.zipped(contents)


@pytest.mark.parametrize("name", NAMES)
def test_every_file_comes_out_of_what_its_address_gives(name: str, server: Server, cache: Path) -> None:
    files = files_of(name)
    server.more = served(files, server.layout)
    sent = {address.path: address for file in files for address in file.addresses if address.layout == server.layout}
    assert server.more.keys() == sent.keys()
    for path, address in sent.items():
        assert not address.packed or len(server.more[path]) < address.limit / 2  # room for what UCI adds
    assert read(list(files)) == list(files.values())
    assert sorted(path for path in set(server.asked) if path in server.more) == sorted(server.more)
    assert len(server.asked) == len(set(server.asked))  # nothing is asked for twice
    for file, content in files.items():
        assert (cache / file.path).read_bytes() == content
    assert len([path for path in cache.rglob("*") if path.is_file()]) == len(files)
