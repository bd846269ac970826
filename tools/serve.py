"""Serve the built book on this machine: python -m tools.serve _build/html --port 8000.

The standard library's server, but no page comes from a browser's stale copy, and a port that is taken is no error.
"""

from __future__ import annotations

import argparse
import functools
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Handler(SimpleHTTPRequestHandler):
    """Files as they are; only failures are logged."""

    def end_headers(self) -> None:
        """Ask browsers to check for a newer build each time."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Keep quiet about what went well."""


def open_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Listen on the first free port from ``port`` on, on this machine only."""
    handler = functools.partial(Handler, directory=str(folder))
    for candidate in (*range(port, port + 20), 0):
        try:
            return ThreadingHTTPServer(("127.0.0.1", candidate), handler)
        except OSError:
            continue
    raise OSError(f"no free port from {port} on")


def main() -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    if not (arguments.folder / "index.html").is_file():
        print(f"{arguments.folder} holds no built book; run make book first", file=sys.stderr)
        return 1
    server = open_server(arguments.folder, arguments.port)
    print(f"==> The book is at http://localhost:{server.server_address[1]}/  (stop with Ctrl-C)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
