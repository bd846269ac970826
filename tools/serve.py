"""Serve the built book: ``python -m tools.serve _build/html``, to this machine only unless ``--host`` says otherwise.

The standard library's server, but no page comes from a browser's stale copy, and a port that is taken is no error.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import functools
import socket
import sys
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

HERE = "127.0.0.1"
ONLY_HERE = {HERE, "localhost", "::1"}
EVERYWHERE = {"0.0.0.0", "::", ""}


class Server6(ThreadingHTTPServer):
    """The same at an IPv6 address."""

    address_family = socket.AF_INET6


class Handler(SimpleHTTPRequestHandler):
    """Files as they are; only failures are logged."""

    def handle(self) -> None:
        """Answer; a reader who leaves before a file has come is no failure."""
        with contextlib.suppress(ConnectionError):
            super().handle()

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Find the file; a NUL or half a character is in no file's name, and no system call takes it."""
        try:
            return super().send_head()
        except ValueError:
            self.send_error(HTTPStatus.BAD_REQUEST)
            return None

    def end_headers(self) -> None:
        """Ask browsers to check for a newer build each time."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Keep quiet about what went well."""


def open_server(folder: Path, port: int, host: str = HERE) -> ThreadingHTTPServer:
    """Listen on the first free port from ``port`` on, at an address of this machine.

    Raises
    ------
    OSError
        If the address is none of this machine, or no port is free.
    """
    handler = functools.partial(Handler, directory=str(folder))
    for candidate in (*range(port, min(port + 20, 2**16)), 0):
        try:
            return (Server6 if ":" in host else ThreadingHTTPServer)((host, candidate), handler)
        except OSError as error:
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                raise OSError(f"{host} is no address of this machine") from None
    raise OSError(f"no free port from {port} on")


def reached_at(host: str) -> str:
    """Name or number by which others in the room reach an address that the server listens on."""
    if host not in EVERYWHERE:
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it asks which of our addresses would be used
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def notice(host: str, port: int) -> str:
    """Say where the book is, and who can read it."""
    if host in ONLY_HERE:
        return f"==> The book is at http://localhost:{port}/  (stop with Ctrl-C)"
    return (
        f"==> The book is at http://{reached_at(host)}:{port}/  (stop with Ctrl-C)\n"
        "==> Everybody who can reach this machine over its network can read it there, without a password.\n"
        "    Nothing but the book is served. Notebooks in the browser may need https, or a server on each machine."
    )


def main() -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tools.serve", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("_build") / "html", help="the built site")
    parser.add_argument("--port", type=int, default=8000, help="the first port that is tried")
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default=HERE,
        help="an address of this machine that others can reach, or 0.0.0.0: all of them; default: this machine only",
    )
    arguments = parser.parse_args()
    if not 0 < arguments.port < 2**16:
        parser.error(f"--port must be from 1 to 65535, got {arguments.port}")
    if not (arguments.folder / "index.html").is_file():
        print(f"{arguments.folder} holds no built book; run make book first", file=sys.stderr)
        return 1
    try:
        server = open_server(arguments.folder, arguments.port, arguments.host)
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    print(notice(arguments.host, server.server_address[1]), flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
