"""A real HTTP server on localhost, and a cache folder of the test's own."""

from __future__ import annotations

import gzip
import os
import threading
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ldp_core import datasets
from ldp_core.datasets import fetch
from ldp_core.datasets.schema import RemoteFile

# Three rows in Adult's form, padded to some length so that a transfer has a middle.
CONTENT = (
    b"39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, 40, "
    b"United-States, <=50K\n"
    b"54, ?, 180211, Some-college, 10, Married-civ-spouse, ?, Husband, Asian-Pac-Islander, Male, 0, 0, 60, South, "
    b">50K\n"
    b"31, Private, 45781, Masters, 14, Never-married, Prof-specialty, Not-in-family, White, Female, 14084, 0, 50, ?, "
    b">50K\n"
) + b"\n" * 40_000
FILE = RemoteFile(
    path="adult/three.data", remote="adult/three.data", size=len(CONTENT), sha256=sha256(CONTENT).hexdigest()
)


class Server:
    """Answers every request by `behaviour`, one of the functions below; counts the requests."""

    def __init__(self) -> None:
        self.behaviour: Callable[[BaseHTTPRequestHandler, Server], None] = good
        self.requests = 0
        self.sent = 0
        self.closing = threading.Event()
        self.together = threading.Barrier(2)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.requests += 1
                try:
                    if self.path != "/" + FILE.remote:
                        self.send_error(404)
                    else:
                        outer.behaviour(self, outer)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the client has had enough
                self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.closing.set()
        self.together.abort()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _head(handler: BaseHTTPRequestHandler, length: int | None = len(CONTENT), kind: str = "text/plain") -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    if length is not None:
        handler.send_header("Content-Length", str(length))
    handler.end_headers()


def good(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler)
    handler.wfile.write(CONTENT)


def good_together(handler: BaseHTTPRequestHandler, server: Server) -> None:
    """Wait until two clients are here, then serve both."""
    server.together.wait(timeout=8)
    good(handler, server)


def good_but_compressed(handler: BaseHTTPRequestHandler, server: Server) -> None:
    body = gzip.compress(CONTENT)
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def good_elsewhere(handler: BaseHTTPRequestHandler, server: Server) -> None:
    if server.requests == 1:
        handler.send_response(302)
        handler.send_header("Location", server.url + FILE.remote)
        handler.end_headers()
    else:
        good(handler, server)


def not_found(handler: BaseHTTPRequestHandler, server: Server) -> None:
    handler.send_error(404)


def broken(handler: BaseHTTPRequestHandler, server: Server) -> None:
    handler.send_error(500)


def empty(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler, 0)


def truncated(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler)
    handler.wfile.write(CONTENT[: len(CONTENT) // 2])


def truncated_without_length(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler, None)
    handler.wfile.write(CONTENT[: len(CONTENT) // 2])


def wrong_content(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler)
    handler.wfile.write(b"4" + CONTENT[1:])


def html(handler: BaseHTTPRequestHandler, server: Server) -> None:
    page = b"\n<!DOCTYPE html><html><title>Log in to this network</title></html>"
    _head(handler, len(page), "text/html")
    handler.wfile.write(page)


def endless(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler, None)
    while not server.closing.is_set():
        server.sent += handler.wfile.write(b"x" * 65_536)


def compressed_endless(handler: BaseHTTPRequestHandler, server: Server) -> None:
    """A small body that unpacks to 50 MB."""
    body = gzip.compress(b"x" * 50_000_000, compresslevel=1)
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def round_in_circles(handler: BaseHTTPRequestHandler, server: Server) -> None:
    handler.send_response(302)
    handler.send_header("Location", server.url + FILE.remote)
    handler.end_headers()


def mute(handler: BaseHTTPRequestHandler, server: Server) -> None:
    server.closing.wait()


def stalled(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler)
    handler.wfile.write(CONTENT[: len(CONTENT) // 2])
    server.closing.wait()


def dripping(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler)
    for i in range(len(CONTENT)):
        if server.closing.wait(0.05):
            return
        handler.wfile.write(CONTENT[i : i + 1])


def too_slow(handler: BaseHTTPRequestHandler, server: Server) -> None:
    """Whole chunks arrive all the time, and yet the whole takes 2 seconds."""
    _head(handler)
    for start in range(0, len(CONTENT), 2000):
        if server.closing.wait(0.1):
            return
        handler.wfile.write(CONTENT[start : start + 2000])


def dripping_head(handler: BaseHTTPRequestHandler, server: Server) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Padding: ")
    while not server.closing.wait(0.05):
        handler.wfile.write(b"x")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The server that stands for UCI, with time-outs short enough for a test."""
    it = Server()
    monkeypatch.setenv("LDP_BOOK_UCI", it.url)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("LDP_BOOK_OFFLINE", raising=False)
    monkeypatch.setattr(fetch, "READ_SECONDS", 0.5)
    monkeypatch.setattr(fetch, "TOTAL_SECONDS", 1.2)
    before = set(threading.enumerate())
    yield it
    it.close()
    # A connection that was left behind must end once its server does, not haunt the next test.
    limit = time.monotonic() + 5
    for thread in set(threading.enumerate()) - before:
        thread.join(max(0.0, limit - time.monotonic()))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and a process that remembers no failure and has shown no notice."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LDP_BOOK_DATA", str(folder))
    monkeypatch.setattr(datasets, "_unreachable", False)
    monkeypatch.setattr(datasets, "_refused", set())
    monkeypatch.setattr(datasets, "_noticed", set())
    return folder


@pytest.fixture(scope="session")
def real_folder() -> Path:
    """The folder with the real UCI files; they are not part of the repository."""
    folder = Path(os.environ.get("LDP_BOOK_DATA", "")).expanduser()
    if not os.environ.get("LDP_BOOK_DATA") or not (folder / "adult" / "adult.data").is_file():
        pytest.skip("LDP_BOOK_DATA names no folder with the real adult/adult.data")
    return folder


@pytest.fixture
def real(real_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As `real_folder`, with the package looking there and the network out of bounds."""
    monkeypatch.setenv("LDP_BOOK_DATA", str(real_folder))
    monkeypatch.setenv("LDP_BOOK_OFFLINE", "1")
    return real_folder
