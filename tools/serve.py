"""Serve the built book: ``python -m tools.serve _build/html``, to this machine only unless ``--host`` says otherwise.

The standard library's server, but no page comes from a browser's stale copy, and a port that is taken is no error.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import functools
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = "127.0.0.1"
TAKEN = {errno.EADDRINUSE, errno.EACCES}


class Handler(SimpleHTTPRequestHandler):
    """Files as they are; only failures are logged."""

    def handle(self) -> None:
        """Answer; a reader who leaves before a file has come is no failure, and half a character is in no name."""
        with contextlib.suppress(ConnectionError, ValueError):
            super().handle()

    def end_headers(self) -> None:
        """Ask browsers to check for a newer build each time."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Keep quiet about what went well."""


def open_server(folder: Path, port: int, host: str = HERE) -> ThreadingHTTPServer:
    """Listen on the first free port from ``port`` on, at an address of this machine."""
    handler = functools.partial(Handler, directory=str(folder))
    for candidate in range(port, min(port + 20, 2**16)):
        try:
            return ThreadingHTTPServer((host, candidate), handler)
        except OSError as error:
            if error.errno not in TAKEN:
                raise
    return ThreadingHTTPServer((host, 0), handler)


def notice(host: str, port: int) -> str:
    """Say where the book is, and who can read it."""
    where = f"==> The book is at http://{'localhost' if host == HERE else host}:{port}/  (stop with Ctrl-C)"
    if host == HERE:
        return where
    return (
        f"{where}\n==> Everybody who can reach this machine over its network can read it there, without a password.\n"
        "    Nothing but the book is served. Notebooks in the browser may need https, or a server on each machine."
    )


def main() -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tools.serve", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("_build") / "html", help="the built site")
    parser.add_argument("--port", type=int, default=8000, help="the first port that is tried")
    parser.add_argument("--host", metavar="ADDRESS", default=HERE, help="an address of this machine (0.0.0.0: all)")
    arguments = parser.parse_args()
    if not 0 < arguments.port < 2**16:
        parser.error(f"--port must be from 1 to 65535, got {arguments.port}")
    if not (arguments.folder / "index.html").is_file():
        print(f"{arguments.folder} holds no built book; run make book first", file=sys.stderr)
        return 1
    try:
        server = open_server(arguments.folder, arguments.port, arguments.host)
    except OSError as error:
        print(f"cannot listen at {arguments.host}, port {arguments.port}: {error}", file=sys.stderr)
        return 1
    print(notice(arguments.host, server.server_address[1]), flush=True)
    with server, contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
