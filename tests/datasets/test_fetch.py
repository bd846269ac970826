"""Downloads from a real HTTP server: each ends in the right bytes or a clear error, never in a corrupt cache."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ldp_book.datasets import fetch, transfer
from ldp_book.datasets.fetch import DataNotice, DataUnavailable, cache_folder, read
from ldp_book.datasets.source import DATABASES, PUBLIC, Address, RemoteFile

from . import conftest as web
from .conftest import CONTENT, FILE, Server


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("behaviour", [web.good, web.good_but_compressed])
def test_good_file_is_kept_and_then_read_without_the_network(server: Server, cache: Path, behaviour) -> None:
    server.behaviour = behaviour
    assert read([FILE]) == [CONTENT]
    assert files_in(cache) == [FILE.path]
    asked = server.requests
    assert read([FILE]) == [CONTENT]
    assert server.requests == asked


# What is wrong, what the error says in the layout of archives and of files, and whether the server is asked further.
TOO_MUCH = f"more than {len(CONTENT):,} bytes instead of {len(CONTENT):,}"
TOO_MUCH_PACKED = "more than 200,000 bytes, too many for this archive"
FAULTS = [
    (web.not_found, "the server answered 404 Not Found", "", True),
    (web.broken, "the server answered 500 Internal Server Error", "", True),
    (web.truncated, "the connection broke off before the end of the file", "", True),
    (
        web.truncated_without_length,
        "not a zip archive with three.data",
        f"{len(CONTENT) // 2:,} bytes instead of {len(CONTENT):,}",
        True,
    ),
    (web.wrong_content, "wrong checksum: SHA-256", "", True),
    (web.html, "an HTML page in place of the data", "", True),
    (web.endless, TOO_MUCH_PACKED, TOO_MUCH, True),
    (web.compressed_endless, TOO_MUCH_PACKED, TOO_MUCH, True),
    (web.round_in_circles, "TooManyRedirects", "", True),
    (web.stalled, "the server fell silent", "", True),
    (web.mute, "the server fell silent", "", False),
    (web.dripping, "gave up after 1.2 seconds", "", False),
    (web.dripping_head, "gave up after 1.2 seconds", "", False),
]
names = [fault[0].__name__ for fault in FAULTS]


@pytest.mark.parametrize(("behaviour", "of_archive", "of_file", "further"), FAULTS, ids=names)
def test_fault_is_a_clear_error_and_leaves_no_file(
    server: Server, cache: Path, behaviour, of_archive: str, of_file: str, further: bool, monkeypatch
) -> None:
    server.behaviour = behaviour
    web.hurry(monkeypatch, server, behaviour)
    with pytest.raises(DataUnavailable) as caught:
        read([FILE])
    reason = of_archive if server.layout == PUBLIC or not of_file else of_file
    assert re.search(rf"{re.escape(server.url + server.path)}: {re.escape(reason)}", str(caught.value))
    assert not cache.exists()


@pytest.mark.parametrize(("behaviour", "of_archive", "of_file", "further"), [FAULTS[0], FAULTS[3], FAULTS[-1]])
@pytest.mark.parametrize("server", [PUBLIC], indirect=True)
def test_after_a_fault_of_the_first_address_the_second_is_asked(
    server: Server, cache: Path, behaviour, of_archive: str, of_file: str, further: bool, monkeypatch
) -> None:
    """Unless there was no answer, since both are at one host, or no time is left."""
    server.behaviour = behaviour
    web.hurry(monkeypatch, server, behaviour)
    first, second = (address.path for address in FILE.addresses)
    server.more[second] = CONTENT
    if further:
        assert read([FILE]) == [CONTENT]
        assert files_in(cache) == [FILE.path]
        assert list(dict.fromkeys(server.asked)) == [first, second]
    else:
        with pytest.raises(DataUnavailable) as caught:
            read([FILE])
        assert of_archive in str(caught.value)
        assert server.asked == [first]
        assert not cache.exists()


def test_name_lookup_that_hangs_obeys_the_deadline(
    server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "TOTAL_SECONDS", 1.2)
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: server.closing.wait() and [])
    with pytest.raises(DataUnavailable, match=r"gave up after 1\.2 seconds"):
        read([FILE])


def test_requests_is_not_installed(server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "requests", None)
    with pytest.raises(DataUnavailable, match="package requests is not installed"):
        read([FILE])


# --- the cache ---------------------------------------------------------------------------------------------------


def fill(cache: Path, content: bytes) -> Path:
    path = cache / FILE.path
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


def test_prefilled_folder_is_only_read(server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fill(cache, CONTENT)
    before = [(p, p.stat().st_mtime_ns) for p in (cache, path.parent, path)]
    real_open = Path.open

    def reading_only(self: Path, mode: str = "r", *args: object, **kwargs: object) -> object:
        assert mode == "rb"
        return real_open(self, mode, *args, **kwargs)

    monkeypatch.setattr(Path, "open", reading_only)
    assert read([FILE]) == [CONTENT]
    assert before == [(p, p.stat().st_mtime_ns) for p in (cache, path.parent, path)]
    assert server.requests == 0


@pytest.mark.parametrize("content", [CONTENT[:-1], b"4" + CONTENT[1:]])
def test_damaged_file_in_the_cache_is_downloaded_anew(server: Server, cache: Path, content: bytes) -> None:
    path = fill(cache, content)
    with pytest.warns(DataNotice, match="it was downloaded anew"):
        assert read([FILE]) == [CONTENT]
    assert path.read_bytes() == CONTENT
    assert files_in(cache) == [FILE.path]


def test_folder_that_cannot_be_written(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A folder below a regular file cannot be made by anyone, root included.
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("LDP_BOOK_DATA", str(tmp_path / "file" / "cache"))
    with pytest.warns(DataNotice, match="was downloaded but cannot be kept"):
        assert read([FILE]) == [CONTENT]


def test_interrupt_while_writing_leaves_no_file(server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        read([FILE])
    assert files_in(cache) == []


# What a second process does: read the test's file with the environment's cache folder and server.
READ_IN_A_PROCESS = f"""
import hashlib
from ldp_book.datasets import fetch, transfer
from ldp_book.datasets.source import Address, RemoteFile
transfer.READ_SECONDS = transfer.TOTAL_SECONDS = 3600.0
[content] = fetch.read([{FILE!r}])
print(hashlib.sha256(content).hexdigest())
"""


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", READ_IN_A_PROCESS, *arguments]
    root = str(Path(fetch.__file__).parents[2])
    environment = os.environ | {"PYTHONPATH": root}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def test_two_processes_fill_the_cache_at_once(server: Server, cache: Path) -> None:
    server.behaviour = web.good_together
    processes = [start(), start()]
    for process in processes:
        out, err = process.communicate()
        assert (out.strip(), err) == (FILE.sha256, "")
    assert server.requests == 2
    assert files_in(cache) == [FILE.path]
    assert (cache / FILE.path).read_bytes() == CONTENT


# --- where, whether, and what is shown ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "variable", "value", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "/x", "/x/ldp-book"),
        ("linux", "XDG_CACHE_HOME", "", "/home/ada/.cache/ldp-book"),
        ("darwin", "XDG_CACHE_HOME", "", "/home/ada/Library/Caches/ldp-book"),
        ("win32", "LOCALAPPDATA", "/local", "/local/ldp-book"),
        ("win32", "LOCALAPPDATA", "", "/home/ada/AppData/Local/ldp-book"),
        ("linux", "LDP_BOOK_DATA", "/class/data", "/class/data"),
        ("linux", "LDP_BOOK_DATA", "~/data", "/home/ada/data"),
    ],
)
def test_cache_folder(platform: str, variable: str, value: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LDP_BOOK_DATA", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("USERPROFILE", "/home/ada")
    monkeypatch.setenv(variable, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == Path(expected)


@pytest.mark.parametrize(("value", "requests"), [("1", 0), ("0", 1)])
def test_offline_variable(
    server: Server, cache: Path, value: str, requests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LDP_BOOK_OFFLINE", value)
    if requests:
        assert read([FILE]) == [CONTENT]
    else:
        with pytest.raises(DataUnavailable, match="LDP_BOOK_OFFLINE is set"):
            read([FILE])
    assert server.requests == requests


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_bar_on_a_terminal_only(
    server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read([FILE])
    assert capsys.readouterr() == ("", "")
    (cache / FILE.path).unlink()
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    read([FILE])
    shown = terminal.getvalue().split("\r")
    assert any("100% of 0.0 MB" in line for line in shown)  # of an archive the server has told the size
    assert max(map(len, shown)) <= 79
    assert shown[-2].strip() == ""  # wiped away at the end


def test_progress_of_an_unknown_size(server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_length(handler, server: Server) -> None:
        web._head(handler, None)
        handler.wfile.write(server.body)

    server.behaviour = without_length
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    read([FILE])
    bar = "100%" in terminal.getvalue()
    assert bar == (server.layout == DATABASES)  # what travels is the file, whose size is known
    assert f"{FILE.path:<30} 0.0 MB" in terminal.getvalue() or bar


# --- which addresses ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["", "//"])
def test_a_mirror_in_a_folder(server: Server, cache: Path, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDP_BOOK_UCI", f"{server.url}school/uci{end}")
    server.path = f"school/uci/{server.path}"
    assert read([FILE]) == [CONTENT]
    assert server.requests == 1


@pytest.mark.parametrize("mirror", ["archive.ics.uci.edu", "file:///srv/uci"])
def test_a_mirror_that_is_no_address(cache: Path, mirror: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LDP_BOOK_OFFLINE", raising=False)
    monkeypatch.setenv("LDP_BOOK_UCI", mirror)
    with pytest.raises(DataUnavailable) as caught:
        read([FILE])
    assert f"LDP_BOOK_UCI must be an address that begins with http:// or https://, got {mirror!r}" in str(caught.value)


def test_withdrawn_file_is_never_asked_for(server: Server, cache: Path) -> None:
    withdrawn = dataclasses.replace(FILE, addresses=())
    with pytest.raises(DataUnavailable, match="withdrawn from the repository"):
        read([withdrawn])
    assert server.asked == []
    fill(cache, CONTENT)
    assert read([withdrawn]) == [CONTENT]


# --- several files, and archives --------------------------------------------------------------------------------

OTHER = b"More rows\n" * 50


def with_other(server: Server) -> list[RemoteFile]:
    """Give the file and a second one of the same archive, and let the server have both."""
    other = RemoteFile(
        path="adult/other.data",
        addresses=(
            Address(PUBLIC, "2/three+rows.zip", ("other.data",), limit=200_000),
            Address(DATABASES, "adult/other.data"),
        ),
        size=len(OTHER),
        sha256=hashlib.sha256(OTHER).hexdigest(),
    )
    if server.layout == PUBLIC:
        server.body = web.zipped({"three.data": CONTENT, "other.data": OTHER})
    else:
        server.more["adult/other.data"] = OTHER
    return [FILE, other]


def test_an_archive_of_several_files_is_downloaded_once(server: Server, cache: Path) -> None:
    files = with_other(server)
    assert read(files) == [CONTENT, OTHER]
    assert server.requests == 1
    assert files_in(cache) == ["adult/other.data", "adult/three.data"]
    asked = len(server.asked)
    assert read(files[::-1]) == [OTHER, CONTENT]
    assert len(server.asked) == asked


def test_an_archive_that_failed_is_not_asked_for_again(server: Server, cache: Path) -> None:
    files = with_other(server)
    server.behaviour = web.broken
    server.more |= {"adult/three.data": CONTENT, "adult/other.data": OTHER}
    assert read(files) == [CONTENT, OTHER]
    assert server.asked.count("2/three+rows.zip") == 1


def nested(content: bytes, **others: bytes) -> bytes:
    return web.zipped({"rows.zip": web.zipped({"three.data": content, **others}), "other.zip": web.zipped(others)})


BAD_ARCHIVES = {
    "no archive": (b"PK but no archive", "not a zip archive with rows.zip"),
    "inner archive is none": (web.zipped({"rows.zip": CONTENT}), "not a zip archive with three.data"),
    "without the file": (web.zipped({"rows.zip": web.zipped({"four.data": CONTENT})}), "without three.data"),
    "too short": (nested(CONTENT[:-1]), f"{len(CONTENT) - 1:,} bytes instead of {len(CONTENT):,}"),
    "bomb": (nested(b"\0" * 50_000_000), f"more than {len(CONTENT):,} bytes instead of {len(CONTENT):,}"),
    "bomb of an inner archive": (web.zipped({"rows.zip": b"\0" * 50_000_000}), "rows.zip has more than 200,000 bytes"),
    "a folder of that name": (web.zipped({"rows.zip/": b"", "three.data": CONTENT}), "without rows.zip"),
}


@pytest.mark.parametrize(("archive", "reason"), BAD_ARCHIVES.values(), ids=BAD_ARCHIVES)
@pytest.mark.parametrize("server", [PUBLIC], indirect=True)
def test_bad_archive_in_an_archive(server: Server, cache: Path, archive: bytes, reason: str) -> None:
    """As UCI keeps the bank's."""
    server.body = archive
    address = dataclasses.replace(FILE.addresses[0], members=("rows.zip", "three.data"))
    with pytest.raises(DataUnavailable, match=re.escape(reason)) as caught:
        read([dataclasses.replace(FILE, addresses=(address,))])
    assert f"three.data in rows.zip in {server.url}2/three+rows.zip" in str(caught.value)
    assert not cache.exists()


@pytest.mark.parametrize("server", [PUBLIC], indirect=True)
@pytest.mark.parametrize("name", ["../../three.data", "/etc/three.data"])
def test_names_that_lead_out_of_the_archive_lead_nowhere(
    server: Server, tmp_path: Path, cache: Path, name: str
) -> None:
    server.body = web.zipped({name: CONTENT, "../../evil.py": b"print()", "/tmp/ldp-book-evil": b""})
    assert read([FILE]) == [CONTENT]
    assert files_in(tmp_path) == [f"cache/{FILE.path}"]
    assert not Path("/tmp/ldp-book-evil").exists()
