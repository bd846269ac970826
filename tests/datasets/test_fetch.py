"""Downloads from a real HTTP server: each ends in the right bytes or a clear error, never in a corrupt cache."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ldp_core.datasets import fetch
from ldp_core.datasets.fetch import DataNotice, DataUnavailable, cache_folder, read

from . import conftest as web
from .conftest import CONTENT, FILE, Server


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("behaviour", [web.good, web.good_but_compressed, web.good_elsewhere])
def test_good_file_is_kept_and_then_read_without_the_network(server: Server, cache: Path, behaviour) -> None:
    server.behaviour = behaviour
    assert read(FILE) == CONTENT
    assert files_in(cache) == [FILE.path]
    asked = server.requests
    assert read(FILE) == CONTENT
    assert server.requests == asked


FAULTS = [
    (web.not_found, "the server answered 404 Not Found"),
    (web.broken, "the server answered 500 Internal Server Error"),
    (web.empty, "0 bytes instead of"),
    (web.truncated, "the connection broke off before the end of the file"),
    (web.truncated_without_length, f"{len(CONTENT) // 2:,} bytes instead of {len(CONTENT):,}"),
    (web.wrong_content, "wrong checksum: SHA-256"),
    (web.html, "an HTML page in place of the data"),
    (web.endless, f"more than {len(CONTENT):,} bytes"),
    (web.compressed_endless, f"more than {len(CONTENT):,} bytes"),
    (web.round_in_circles, "TooManyRedirects"),
    (web.mute, "the server fell silent"),
    (web.stalled, "the server fell silent"),
    (web.dripping, "gave up after 1.2 seconds"),
    (web.too_slow, "gave up after 1.2 seconds"),
    (web.dripping_head, "gave up after 1.2 seconds"),
]


@pytest.mark.parametrize(("behaviour", "reason"), FAULTS, ids=[fault[0].__name__ for fault in FAULTS])
def test_fault_is_a_clear_error_and_leaves_no_file(server: Server, cache: Path, behaviour, reason: str) -> None:
    server.behaviour = behaviour
    with pytest.raises(DataUnavailable) as caught:
        read(FILE)
    assert reason in str(caught.value)
    assert not cache.exists()


def test_endless_body_is_cut_off_near_the_known_size(server: Server, cache: Path) -> None:
    server.behaviour = web.endless
    with pytest.raises(DataUnavailable):
        read(FILE)
    # What lies in the sockets' buffers is sent, too; without the cap the server would go on until it is closed.
    time.sleep(0.3)
    sent = server.sent
    time.sleep(0.3)
    assert server.sent == sent


def test_error_says_what_was_tried_and_what_to_do(server: Server, cache: Path) -> None:
    server.behaviour = web.not_found
    with pytest.raises(DataUnavailable) as caught:
        read(FILE)
    message = str(caught.value)
    for part in (
        str(cache / FILE.path),
        server.url + FILE.remote,
        FILE.sha256,
        f"{FILE.size:,} bytes",
        "LDP_BOOK_DATA",
    ):
        assert part in message
    assert 'source="standin"' in message
    assert isinstance(caught.value, OSError)


def test_connection_left_behind_ends_with_the_next_chunk(
    server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def two_thirds(handler, server: Server) -> None:
        web._head(handler)
        handler.wfile.write(CONTENT[:20_000])
        server.closing.wait(0.3)
        handler.wfile.write(CONTENT[20_000:35_000])
        server.closing.wait()

    def interrupt(_: object, received: int | None) -> None:
        if received:
            raise KeyboardInterrupt

    monkeypatch.setattr(fetch, "READ_SECONDS", 30.0)
    monkeypatch.setattr(fetch, "_progress", interrupt)
    server.behaviour = two_thirds
    with pytest.raises(KeyboardInterrupt):
        read(FILE)
    for thread in threading.enumerate():
        if thread.name == "ldp-book download":
            thread.join(5)
            assert not thread.is_alive()


def test_no_server(server: Server, cache: Path) -> None:
    server.close()
    with pytest.raises(DataUnavailable, match="no connection"):
        read(FILE)


def test_name_lookup_that_hangs_obeys_the_deadline(
    server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: server.closing.wait() and [])
    with pytest.raises(DataUnavailable, match=r"gave up after 1\.2 seconds"):
        read(FILE)


def test_requests_is_not_installed(server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "requests", None)
    with pytest.raises(DataUnavailable, match="package requests is not installed"):
        read(FILE)


def test_a_slow_server_that_keeps_going_is_fine(server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(handler, server: Server) -> None:
        web._head(handler)
        for start in range(0, len(CONTENT), 10_000):
            time.sleep(0.15)
            handler.wfile.write(CONTENT[start : start + 10_000])

    monkeypatch.setattr(fetch, "TOTAL_SECONDS", 20.0)
    server.behaviour = slow  # 0.75 s in all: longer than READ_SECONDS, which is for one silence
    assert read(FILE) == CONTENT


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
    assert read(FILE) == CONTENT
    assert before == [(p, p.stat().st_mtime_ns) for p in (cache, path.parent, path)]
    assert server.requests == 0


@pytest.mark.parametrize("content", [b"", CONTENT[:-1], CONTENT + b"x", b"4" + CONTENT[1:], b"<html></html>"])
def test_damaged_file_in_the_cache_is_downloaded_anew(server: Server, cache: Path, content: bytes) -> None:
    path = fill(cache, content)
    with pytest.warns(DataNotice, match="it was downloaded anew"):
        assert read(FILE) == CONTENT
    assert path.read_bytes() == CONTENT
    assert files_in(cache) == [FILE.path]


def test_damaged_file_and_no_network_is_a_clear_error(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDP_BOOK_OFFLINE", "1")
    path = fill(cache, b"4" + CONTENT[1:])
    with pytest.raises(DataUnavailable) as caught:
        read(FILE)
    assert f"{path}: wrong checksum" in str(caught.value)
    assert path.read_bytes() == b"4" + CONTENT[1:]


def test_damaged_file_stays_when_the_download_fails(server: Server, cache: Path) -> None:
    server.behaviour = web.truncated
    path = fill(cache, b"damaged")
    with pytest.raises(DataUnavailable):
        read(FILE)
    assert path.read_bytes() == b"damaged"
    assert files_in(cache) == [FILE.path]


def test_folder_that_cannot_be_written(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A folder below a regular file cannot be made by anyone, root included.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LDP_BOOK_DATA", str(tmp_path / "file" / "cache"))
    with pytest.warns(DataNotice, match="was downloaded but cannot be kept"):
        assert read(FILE) == CONTENT


def test_full_disk(server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real_open = Path.open

    def full(self: Path, mode: str = "r") -> object:
        stream = real_open(self, mode, buffering=0)
        if "x" not in mode:
            return stream

        class Full(io.RawIOBase):
            def write(self, content: object) -> int:
                stream.write(CONTENT[:1000])
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            def close(self) -> None:
                stream.close()
                super().close()

        return Full()

    monkeypatch.setattr(Path, "open", full)
    with pytest.warns(DataNotice, match="No space left on device"):
        assert read(FILE) == CONTENT
    assert files_in(cache) == []


def test_interrupt_while_writing_leaves_no_file(server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        read(FILE)
    assert files_in(cache) == []


def test_interrupt_while_downloading_leaves_no_file(
    server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: object, received: int | None) -> None:
        if received:
            raise KeyboardInterrupt

    server.behaviour = web.stalled
    monkeypatch.setattr(fetch, "_progress", interrupt)
    with pytest.raises(KeyboardInterrupt):
        read(FILE)
    assert not cache.exists()


def test_another_process_was_first_and_holds_the_file(
    server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where a file that is being read cannot be replaced: no notice, since the file is there."""

    def held(self: Path, target: Path) -> None:
        target.write_bytes(CONTENT)
        raise PermissionError(errno.EACCES, "held by another process")

    monkeypatch.setattr(Path, "replace", held)
    assert read(FILE) == CONTENT
    assert files_in(cache) == [FILE.path]


# What a second process does: read the test's file with the environment's cache folder and server.
READ_IN_A_PROCESS = f"""
import hashlib, os, signal, sys
from ldp_core.datasets import fetch
from ldp_core.datasets.schema import RemoteFile
if "die" in sys.argv:
    os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
content = fetch.read(RemoteFile({FILE.path!r}, {FILE.remote!r}, {FILE.size}, {FILE.sha256!r}))
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
        out, err = process.communicate(timeout=30)
        assert (out.strip(), err) == (FILE.sha256, "")
    assert server.requests == 2
    assert files_in(cache) == [FILE.path]
    assert (cache / FILE.path).read_bytes() == CONTENT


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
def test_process_killed_while_writing_leaves_no_corrupt_cache(server: Server, cache: Path) -> None:
    process = start("die")
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL
    assert not (cache / FILE.path).exists()
    assert len(files_in(cache)) == 1  # the temporary file; nobody takes it for data
    assert read(FILE) == CONTENT
    assert server.requests == 2


def test_process_killed_while_downloading_leaves_no_corrupt_cache(server: Server, cache: Path) -> None:
    arrived = threading.Event()

    def half(handler, server: Server) -> None:
        arrived.set()
        web.stalled(handler, server)

    server.behaviour = half
    process = start()
    assert arrived.wait(30)
    process.kill()
    process.communicate(timeout=30)
    assert not cache.exists()
    server.behaviour = web.good
    assert read(FILE) == CONTENT


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


def test_no_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("LDP_BOOK_DATA", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(DataUnavailable, match="Set LDP_BOOK_DATA to a folder"):
        read(FILE)


@pytest.mark.parametrize(("value", "requests"), [("1", 0), ("", 1), ("0", 1)])
def test_offline_variable(
    server: Server, cache: Path, value: str, requests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LDP_BOOK_OFFLINE", value)
    if requests:
        assert read(FILE) == CONTENT
    else:
        with pytest.raises(DataUnavailable, match="LDP_BOOK_OFFLINE is set"):
            read(FILE)
    assert server.requests == requests


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_bar_on_a_terminal_only(
    server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read(FILE)
    assert capsys.readouterr() == ("", "")
    (cache / FILE.path).unlink()
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    read(FILE)
    shown = terminal.getvalue().split("\r")
    assert any("100% of 0.0 MB" in line for line in shown)
    assert max(map(len, shown)) <= 79
    assert shown[-2].strip() == ""  # wiped away at the end
