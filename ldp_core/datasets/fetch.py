"""Files from the UCI repository: kept in a cache folder, checked before every use, downloaded when they are not there.

A file that lies in the cache under its own name is always whole: a download is checked in memory, written to a
temporary file beside its place, and renamed. So nothing needs a lock: of two processes at once, the second rename wins,
and both files are right. A pre-filled folder is only read. A process killed while it writes leaves a hidden ``.part``
file, which nobody reads.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import queue
import secrets
import sys
import threading
import time
import warnings
from pathlib import Path

from .schema import RemoteFile
from .unpack import unpack

#: Where the files are; the environment variable LDP_BOOK_UCI names a mirror with the same paths.
UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/"

CONNECT_SECONDS = 5.0  # until a server answers the telephone
READ_SECONDS = 10.0  # between two pieces of an answer
TOTAL_SECONDS = 60.0  # for everything, name look-up included: a class is waiting
CHUNK = 16_384


class DataUnavailable(OSError):  # noqa: N818 - it reads as what it says
    """A data file can be had neither from the cache folder nor from UCI; the message says why and what to do.

    Attributes
    ----------
    answered : bool
        Whether the server was reached and had something else than the file: another file may still be had.
    """

    answered: bool = False


class DataNotice(UserWarning):
    """Something about where the data come from that a reader should know; the data are usable."""


def cache_folder() -> Path:
    """Return the folder that holds the files: LDP_BOOK_DATA if set, else the user's cache folder of this system."""
    try:
        chosen = os.environ.get("LDP_BOOK_DATA")
        return Path(chosen).expanduser() if chosen else _user_cache() / "ldp-book"
    except RuntimeError as error:  # pathlib's word for a user without a home folder, as in some containers
        raise DataUnavailable(f"no cache folder: {error}. Set LDP_BOOK_DATA to a folder.") from None


def _user_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def offline() -> str:
    """Return why no download is to be tried, or an empty string."""
    if sys.platform == "emscripten":
        return "Python in the browser cannot download from UCI"
    if os.environ.get("LDP_BOOK_OFFLINE", "") not in ("", "0"):
        return "LDP_BOOK_OFFLINE is set"
    return ""


def read(file: RemoteFile, *, network: bool = True) -> bytes:
    """Return the content of a file, from the cache or else from UCI.

    Parameters
    ----------
    file : RemoteFile
        What to read.
    network : bool
        False: look in the cache only.

    Returns
    -------
    bytes
        The content; its size and SHA-256 are those of `file`.

    Raises
    ------
    DataUnavailable
        If the file cannot be had. The cache is left as it was.

    Warns
    -----
    DataNotice
        If a damaged cache file was downloaded anew, or if the download could not be kept.
    """
    path = cache_folder() / file.path
    content, in_cache = _read_cache(path, file)
    if content is not None:
        return content
    url = os.environ.get("LDP_BOOK_UCI", UCI).rstrip("/") + "/" + file.remote
    reason = "" if network else "not tried again after a failure in this session"
    reason = ("withdrawn from the repository" if not file.remote else offline()) or reason
    answered = False
    if not reason:
        try:
            content = _download(url, file)
        except DataUnavailable as error:
            reason, answered = str(error), error.answered
    if content is None:
        failure = DataUnavailable(
            f"{file.path} cannot be had.\n"
            f"  {path}: {in_cache or 'no such file'}\n"
            f"  {url}: {reason}\n"
            f"What to do: put the file at the first of these places ({file.size:,} bytes, SHA-256 {file.sha256}), "
            f"or set LDP_BOOK_DATA to a folder that holds it as {file.path}; "
            'or use the packaged stand-in, source="standin".'
        )
        failure.answered = answered
        raise failure
    try:
        _keep(path, content)
    except OSError as error:
        # Another process may have put it there meanwhile (Windows does not replace a file that is being read).
        if _read_cache(path, file)[0] is None:
            notice = f"{file.path} was downloaded but cannot be kept in {path.parent}: {error}"
            warnings.warn(notice, DataNotice, stacklevel=2)
    else:
        if in_cache:
            warnings.warn(f"{path}: {in_cache}; it was downloaded anew", DataNotice, stacklevel=2)
    return content


def _read_cache(path: Path, file: RemoteFile) -> tuple[bytes | None, str]:
    """Return the content if it is there and right, and otherwise what is wrong (empty: there is none)."""
    try:
        with path.open("rb") as stream:
            content = stream.read(file.size + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None, ""
    except OSError as error:
        return None, f"cannot be read ({error.strerror or error})"
    wrong = _fault(content, file)
    return (None, wrong) if wrong else (content, "")


def _fault(content: bytes, file: RemoteFile) -> str:
    if _is_html(content):
        return "an HTML page in place of the data (does this network ask for a login?)"
    if len(content) != file.size:
        length = f"more than {file.size:,}" if len(content) > file.size else f"{len(content):,}"
        return f"{length} bytes instead of {file.size:,}"
    digest = hashlib.sha256(content).hexdigest()
    return "" if digest == file.sha256 else f"wrong checksum: SHA-256 {digest} instead of {file.sha256}"


def _is_html(content: bytes | bytearray) -> bool:
    return bool(content.lstrip()[:100].lower().startswith((b"<!doctype html", b"<html")))


def _download(url: str, file: RemoteFile) -> bytes:
    """Return the file from `url`, checked; DataUnavailable after TOTAL_SECONDS at the latest."""
    # Neither a name look-up nor a server that drips a byte a second obeys the time-outs of a socket, so the connection
    # runs in a thread of its own, which can be left behind; all that touches files stays here.
    chunks: queue.SimpleQueue[bytes | Exception | None] = queue.SimpleQueue()
    stop = threading.Event()
    pump = threading.Thread(target=_pump, args=(url, file.size, chunks, stop), name="ldp-book download", daemon=True)
    pump.start()
    deadline = time.monotonic() + TOTAL_SECONDS
    content = bytearray()
    try:
        while True:
            chunk = chunks.get(timeout=max(0.0, deadline - time.monotonic()))
            if chunk is None:
                break
            if isinstance(chunk, Exception):
                failure = DataUnavailable(_plain(chunk))
                failure.answered = type(chunk).__name__ == "HTTPError"  # of requests, which may not be installed
                raise failure from chunk
            content += chunk
            _progress(file, len(content))
    except queue.Empty:
        raise DataUnavailable(
            f"gave up after {TOTAL_SECONDS:g} seconds with {len(content):,} of {file.size:,} bytes"
        ) from None
    finally:
        stop.set()
        _progress(file, None)
    whole = b""
    try:
        whole = unpack(bytes(content), file.remote, file.member, file.size)
        wrong = _fault(whole, file)
    except ValueError as error:
        wrong = _fault(bytes(content), file) if _is_html(content) else str(error)
    if wrong:
        failure = DataUnavailable(wrong)
        failure.answered = True
        raise failure
    return whole


def _pump(url: str, limit: int, chunks: queue.SimpleQueue[bytes | Exception | None], stop: threading.Event) -> None:
    """Put what `url` sends into the queue: chunks, at most one beyond `limit`, then None; or what went wrong."""
    try:
        import requests

        headers = {"User-Agent": "ldp-book", "Accept-Encoding": "identity"}
        with requests.get(url, stream=True, timeout=(CONNECT_SECONDS, READ_SECONDS), headers=headers) as response:
            response.raise_for_status()
            received = 0
            for chunk in response.iter_content(CHUNK):
                received += len(chunk)
                chunks.put(chunk)
                if received > limit or stop.is_set():
                    break
    except Exception as error:  # whatever it is, the reader's thread reports it
        chunks.put(error)
    else:
        chunks.put(None)


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


def _progress(file: RemoteFile, received: int | None) -> None:
    """Draw the bar on a terminal, or wipe it away (None); anywhere else, be silent."""
    if sys.stderr is None or not sys.stderr.isatty():
        return
    if received is None:
        text = " " * 79 + "\r"
    else:
        if file.remote.endswith((".Z", ".zip")):  # the size of what travels is not known beforehand
            text = f"{file.path:<30.30} {received / 1e6:.1f} MB"
        else:
            part = min(1.0, received / file.size)
            text = f"{file.path:<30.30} [{'=' * round(24 * part):<24}] {part:4.0%} of {file.size / 1e6:.1f} MB"
    sys.stderr.write("\r" + text)
    sys.stderr.flush()


def _keep(path: Path, content: bytes) -> None:
    """Write `content` to `path` so that at no moment the name stands for half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:  # Ctrl-C too
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
