"""A real HTTP server on localhost, and a cache folder of the test's own."""

from __future__ import annotations

import gzip
import io
import os
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ldp_book.datasets import fetch, loading, transfer
from ldp_book.datasets.source import DATABASES, PUBLIC, Address, RemoteFile

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
    path="adult/three.data",
    addresses=(
        Address(PUBLIC, "2/three+rows.zip", ("three.data",), limit=200_000),
        Address(DATABASES, "adult/three.data"),
    ),
    size=len(CONTENT),
    sha256=sha256(CONTENT).hexdigest(),
)


#: Seconds after which something hangs; a machine may be slow, and do much else.
PATIENCE = 3600.0
MUCH_IN_LITTLE = gzip.compress(b"x" * 50_000_000, compresslevel=1)  # made here, since a test's time is short


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Make a zip archive as UCI's are: some have a folder, and some what a Mac leaves in them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def packed(content: bytes, layout: str) -> bytes:
    """Return what the server sends when it has `content`; not compressed, so that a transfer has a middle."""
    if layout == DATABASES:
        return content
    others = {"three.names": b"About the rows", "__MACOSX/rows/._three.data": b"\0"}
    return zipped({"rows/three.data": content, **others}, zipfile.ZIP_STORED)


class Server:
    """Stands for UCI in one of its layouts: the other one's addresses are not found.

    Answers requests for the file by `behaviour`, one of the functions below, and counts them; `everywhere` lets it
    answer all others so. `more` are further paths and what they give, and `asked` are all paths that were asked for.
    """

    def __init__(self, layout: str) -> None:
        self.layout = layout
        self.path = next(address.path for address in FILE.addresses if address.layout == layout)
        self.body = packed(CONTENT, layout)
        self.behaviour: Callable[[BaseHTTPRequestHandler, Server], None] = good
        self.more: dict[str, bytes] = {}
        self.everywhere = False
        self.asked: list[str] = []
        self.sent = 0
        self.began = 0.0  # when it first behaved so
        self.ended = threading.Semaphore(0)  # once for each answer
        self.closing = threading.Event()
        self.together = threading.Barrier(2)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path[1:]
                outer.asked.append(path)
                try:
                    if path in outer.more:
                        _head(self, len(outer.more[path]))
                        self.wfile.write(outer.more[path])
                    elif path == outer.path or outer.everywhere:
                        outer.began = outer.began or time.monotonic()
                        outer.behaviour(self, outer)
                    else:
                        self.send_error(404)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the client has had enough
                self.close_connection = True
                outer.ended.release()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def requests(self) -> int:
        return self.asked.count(self.path)

    def close(self) -> None:
        self.closing.set()
        self.together.abort()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _head(handler: BaseHTTPRequestHandler, length: int | None, kind: str = "text/plain") -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    if length is not None:
        handler.send_header("Content-Length", str(length))
    handler.end_headers()


def good(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler, len(server.body))
    handler.wfile.write(server.body)


def good_together(handler: BaseHTTPRequestHandler, server: Server) -> None:
    """Wait until two clients are here, then serve both."""
    server.together.wait(timeout=PATIENCE)
    good(handler, server)


def good_but_compressed(handler: BaseHTTPRequestHandler, server: Server) -> None:
    body = gzip.compress(server.body)
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def not_found(handler: BaseHTTPRequestHandler, server: Server) -> None:
    handler.send_error(404)


def broken(handler: BaseHTTPRequestHandler, server: Server) -> None:
    handler.send_error(500)


def truncated(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler, len(server.body))
    handler.wfile.write(server.body[: len(server.body) // 2])


def truncated_without_length(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler, None)
    handler.wfile.write(server.body[: len(server.body) // 2])


def wrong_content(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler, len(server.body))
    handler.wfile.write(packed(b"4" + CONTENT[1:], server.layout))


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
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip")
    handler.send_header("Content-Length", str(len(MUCH_IN_LITTLE)))
    handler.end_headers()
    handler.wfile.write(MUCH_IN_LITTLE)


def round_in_circles(handler: BaseHTTPRequestHandler, server: Server) -> None:
    handler.send_response(302)
    handler.send_header("Location", server.url + server.path)
    handler.end_headers()


def mute(handler: BaseHTTPRequestHandler, server: Server) -> None:
    server.closing.wait()


def stalled(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler, len(server.body))
    handler.wfile.write(server.body[: len(server.body) // 2])
    server.closing.wait()


def dripping(handler: BaseHTTPRequestHandler, server: Server) -> None:
    _head(handler, len(server.body))
    for i in range(len(server.body)):
        if server.closing.wait(0.05):
            return
        handler.wfile.write(server.body[i : i + 1])


def dripping_head(handler: BaseHTTPRequestHandler, server: Server) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Padding: ")
    while not server.closing.wait(0.05):
        handler.wfile.write(b"x")


class Watch:
    """Shows how long the server has behaved so: what goes before and after may take any time."""

    def __init__(self, server: Server) -> None:
        self.server, self.behaviour = server, server.behaviour

    def monotonic(self) -> float:
        so = self.server.began and self.server.behaviour is self.behaviour
        return time.monotonic() - self.server.began if so else 0.0


def hurry(
    monkeypatch: pytest.MonkeyPatch, server: Server, behaviour: Callable[[BaseHTTPRequestHandler, Server], None]
) -> None:
    """Make the time-out that `behaviour` runs into short enough for a test, and leave the other as it is."""
    if behaviour in (mute, stalled):
        run = transfer._Transfer.run

        def hurried(self: transfer._Transfer) -> None:
            so = self.url == server.url + server.path and server.behaviour is behaviour
            transfer.READ_SECONDS = 0.5 if so else PATIENCE
            run(self)

        monkeypatch.setattr(transfer._Transfer, "run", hurried)
    if behaviour in (dripping, dripping_head):
        monkeypatch.setattr(transfer, "TOTAL_SECONDS", 1.2)
        for module in (fetch, transfer):
            monkeypatch.setattr(module, "time", Watch(server))


@pytest.fixture(params=[PUBLIC, DATABASES], ids=["archives", "files"])
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The server that stands for UCI, in either of its layouts. Nothing that works is timed: see `hurry`."""
    it = Server(request.param)
    monkeypatch.setenv("LDP_BOOK_UCI", it.url)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("LDP_BOOK_OFFLINE", raising=False)
    monkeypatch.setattr(transfer, "READ_SECONDS", PATIENCE)
    monkeypatch.setattr(transfer, "TOTAL_SECONDS", PATIENCE)
    before = set(threading.enumerate())
    yield it
    it.close()
    # A connection that was left behind must end once its server does, not haunt the next test.
    limit = time.monotonic() + PATIENCE
    for thread in set(threading.enumerate()) - before:
        thread.join(max(0.0, limit - time.monotonic()))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and a process that remembers no failure."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LDP_BOOK_DATA", str(folder))
    monkeypatch.setattr(loading, "_MEMORY", loading.Memory())
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
