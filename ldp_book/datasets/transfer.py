"""One download: what a URL sends, no more than is wanted, and no longer than a class can wait.

Why not pooch: its downloader has neither a deadline nor a limit. From the tests' server that drips, and from the one
that never ends, it was still reading when it was stopped, and a class is waiting; and an archive of which only a member
has a known checksum, or in which another lies, it would have to be taught.
"""

from __future__ import annotations

import sys
import threading
import time

__all__ = ["TOTAL_SECONDS", "Fault", "arrival"]

CONNECT_SECONDS = 5.0  # until there is a connection
READ_SECONDS = 10.0  # between two pieces of an answer
#: Seconds for everything, name look-up and all of a data set's files included: a class is waiting.
TOTAL_SECONDS = 60.0
CHUNK = 16_384


class Fault(Exception):  # noqa: N818 - an answer, which `fetch.read` passes on as DataUnavailable
    """Why one address did not give what was asked of it, the reason in a reader's words.

    It ``answered`` if the server had something else, without delay; ``again`` says whether to ask it for another
    address.
    """

    def __init__(self, reason: str, *, answered: bool = False, again: bool = False) -> None:
        super().__init__(reason)
        self.answered, self.again = answered, again or answered


def arrival(url: str, path: str, limit: int, size: int, deadline: float) -> bytes | Fault:
    """Return what a ``url`` sends, or why it sends nothing.

    At most ``limit`` bytes are wanted; more come only to show that there are more. There are ``size`` in all, or 0 if
    that is not known before the server says so. At the deadline, on the clock of :func:`time.monotonic`, it gives up. A
    terminal shows a bar with the path meanwhile.
    """
    # Neither a name look-up nor a server that drips a byte a second obeys the time-outs of a socket, so the connection
    # runs in a thread of its own, which can be left behind; all that touches files stays here.
    transfer = _Transfer(url, limit, size)
    transfer.start()
    try:
        alive = True
        while alive and (left := deadline - time.monotonic()) > 0:
            transfer.join(min(0.1, left))
            alive = transfer.is_alive()
            _progress(path, len(transfer.content), transfer.size)
    finally:
        late, transfer.stopped = transfer.is_alive(), True
        _progress(path, None, transfer.size)
    if late:
        of = f" of {transfer.size:,}" if transfer.size else ""
        return Fault(f"gave up after {TOTAL_SECONDS:g} seconds with {len(transfer.content):,}{of} bytes")
    if transfer.fault:
        return transfer.fault
    return bytes(transfer.content)


class _Transfer(threading.Thread):
    """Collects what a URL sends, up to the first piece beyond `limit`: others may read on what has come so far.

    See :func:`arrival`.
    """

    def __init__(self, url: str, limit: int, size: int) -> None:
        super().__init__(name="ldp-book download", daemon=True)
        self.url, self.limit, self.size = url, limit, size
        self.content = bytearray()
        self.fault: Fault | None = None
        self.stopped = False

    def run(self) -> None:
        """Ask, and collect the answer or what went wrong."""
        answered = False
        try:
            import requests

            headers = {"User-Agent": "ldp-book", "Accept-Encoding": "identity"}
            limits = (CONNECT_SECONDS, READ_SECONDS)
            with requests.get(self.url, stream=True, timeout=limits, headers=headers) as response:
                answered = True
                response.raise_for_status()
                announced = response.headers.get("Content-Length", "")
                if announced.isascii() and announced.isdigit() and "Content-Encoding" not in response.headers:
                    self.size = self.size or int(announced)
                for chunk in response.iter_content(CHUNK):
                    self.content += chunk
                    if len(self.content) > self.limit or self.stopped:
                        break
        except Exception as error:  # whatever it is, the reader's thread reports it
            # A class of requests, which may not be installed.
            refusal = type(error).__name__ in ("HTTPError", "TooManyRedirects")
            self.fault = Fault(_plain(error), answered=refusal, again=answered)


def _plain(error: Exception) -> str:
    """Say in a reader's words what a network library said in its own."""
    if isinstance(error, ImportError):
        return "the package requests is not installed"
    import requests

    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"the server answered {error.response.status_code} {error.response.reason}"
    if isinstance(error, requests.ConnectTimeout):
        return f"no connection within {CONNECT_SECONDS:g} seconds"
    if isinstance(error, requests.ReadTimeout) or "timed out" in str(error).lower():
        return f"the server fell silent for {READ_SECONDS:g} seconds"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection broke off before the end of the file"
    if isinstance(error, requests.ConnectionError):
        return f"no connection ({type(error).__name__})"
    return f"{type(error).__name__}: {error}"


def _progress(path: str, received: int | None, size: int) -> None:
    """Draw the bar on a terminal, or wipe it away (None); anywhere else, be silent. A size of 0 is not known."""
    if sys.stderr is None or not sys.stderr.isatty():
        return
    if received is None:
        text = " " * 79 + "\r"
    else:
        if size:
            part = min(1.0, received / size)
            text = f"{path:<30.30} [{'=' * round(24 * part):<24}] {part:4.0%} of {size / 1e6:.1f} MB"
        else:
            text = f"{path:<30.30} {received / 1e6:.1f} MB"
    sys.stderr.write("\r" + text)
    sys.stderr.flush()
