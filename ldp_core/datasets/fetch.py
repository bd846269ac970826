"""Files from the UCI repository: kept in a cache folder, checked before every use, downloaded when they are not there.

A file that lies in the cache under its own name is always whole: a download is checked in memory, written to a
temporary file beside its place, and renamed. So nothing needs a lock: of two processes at once, the second rename wins,
and both files are right. A pre-filled folder is only read. A process killed while it writes leaves a hidden ``.part``
file, which nobody reads.

Why not pooch: its downloader has neither a deadline nor a limit. From the tests' server that drips, and from the one
that never ends, it was still reading when it was stopped, and a class is waiting; and an archive of which only a member
has a known checksum, or in which another lies, it would have to be taught.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import sys
import threading
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

from ldp_core._validate import shown
from ldp_core.datasets.source import Address, RemoteFile
from ldp_core.datasets.unpack import unpack

__all__ = ["DataNotice", "DataUnavailable", "cache_folder", "folder_missing", "offline", "read", "say", "url_of"]

#: The host. The environment variable LDP_BOOK_UCI names a mirror, the address of a folder that stands for one of the
#: repository's two layouts (see ``schema``): there ``2/adult.zip`` is asked for, and then ``adult/adult.data``.
UCI = "https://archive.ics.uci.edu/"

CONNECT_SECONDS = 5.0  # until there is a connection
READ_SECONDS = 10.0  # between two pieces of an answer
TOTAL_SECONDS = 60.0  # for everything, name look-up and all of a data set's files included: a class is waiting
CHUNK = 16_384


class DataUnavailable(OSError):  # noqa: N818 - it reads as what it says
    """A data file can be had neither from the cache folder nor from UCI; the message says why and what to do.

    Attributes
    ----------
    answered : bool
        Whether the server was reached and had something else than the file: another file may still be had.
    """

    answered: bool = False


class _Fault(Exception):  # noqa: N818 - an answer, which `read` passes on as DataUnavailable
    """Why one address did not give what was asked of it.

    Parameters
    ----------
    reason : str
        In a reader's words.
    answered : bool
        Whether the server had something else, without delay.
    again : bool
        Whether to ask the same server for another address.
    """

    def __init__(self, reason: str, *, answered: bool = False, again: bool = False) -> None:
        super().__init__(reason)
        self.answered, self.again = answered, again or answered


class DataNotice(UserWarning):
    """Something about where the data come from that a reader should know; the data are usable."""


def say(notice: str, stacklevel: int) -> None:
    """Give a notice that is shown once a process, unless the reader's own filters say otherwise.

    What remembers it is one more filter behind theirs, not a variable: so where warnings are errors, as in tests, every
    call raises, and none hangs on which calls came before. (Python's own "once" forgets with every change of filters.)

    Parameters
    ----------
    notice : str
        What to tell.
    stacklevel : int
        How far up the caller is whom it concerns, as in :func:`warnings.warn`.

    Warns
    -----
    DataNotice
        Always, if the filters let it through.
    """
    warnings.warn(notice, DataNotice, stacklevel=stacklevel)
    warnings.filterwarnings("ignore", message=re.escape(notice) + r"\Z", category=DataNotice, append=True)


def cache_folder() -> Path:
    """Return the folder that holds the files: LDP_BOOK_DATA if set, else the user's cache folder of this system.

    Raises
    ------
    DataUnavailable
        If LDP_BOOK_DATA is not set and the user has no home folder.
    """
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


def folder_missing() -> str:
    """Say so if LDP_BOOK_DATA names what is not a folder, or not yet: a first download makes it."""
    chosen = os.environ.get("LDP_BOOK_DATA", "")
    return f"LDP_BOOK_DATA is {chosen!r}, which is no folder" if chosen and not cache_folder().is_dir() else ""


def offline() -> str:
    """Return why no download is to be tried, or an empty string."""
    if sys.platform == "emscripten":
        return "Python in the browser cannot download from UCI"
    if os.environ.get("LDP_BOOK_OFFLINE", "") not in ("", "0"):
        return "LDP_BOOK_OFFLINE is set"
    mirror = _mirror()
    if mirror and not mirror.startswith(("http://", "https://")):
        return f"LDP_BOOK_UCI must be an address that begins with http:// or https://, got {mirror!r}"
    return ""


def _mirror() -> str:
    return os.environ.get("LDP_BOOK_UCI", "").strip()


def url_of(address: Address) -> str:
    """Return what is asked for: an address at UCI, or at the mirror that LDP_BOOK_UCI names."""
    mirror = _mirror()
    return f"{mirror.rstrip('/') if mirror else UCI + address.layout}/{address.path}"


def read(files: Sequence[RemoteFile], *, network: bool = True) -> list[bytes]:
    """Return the contents of the files of a data set, each from the cache or else from UCI.

    Parameters
    ----------
    files : sequence of RemoteFile
        What to read. An archive that holds several of them is downloaded once.
    network : bool
        False: look in the cache only.

    Returns
    -------
    list of bytes
        The contents; sizes and SHA-256 are those of `files`.

    Raises
    ------
    DataUnavailable
        If one of them cannot be had. The cache holds whole files only, those of the same call that were had included.
    TypeError
        If `files` holds something else.

    Warns
    -----
    DataNotice
        If a damaged cache file was downloaded anew, or if a download could not be kept.

    Notes
    -----
    A file's addresses are tried in their order: whatever is wrong with the answer of one, the next is tried, unless
    there was no answer at all, since all are at one host. ``TOTAL_SECONDS`` is for the whole call.
    """
    deadline = time.monotonic() + TOTAL_SECONDS
    arrived: dict[str, bytes | _Fault] = {}  # by URL
    contents = []
    if not isinstance(files, Sequence) or not all(isinstance(file, RemoteFile) for file in files):
        raise TypeError(f"files must be a list of RemoteFile, got {shown(files)}")
    for file in files:
        path = cache_folder() / file.path
        content, in_cache = _read_cache(path, file)
        if content is None:
            content = _download(file, in_cache, arrived, deadline, network=network)
            _keep_or_say(path, file, content, in_cache)
        contents.append(content)
    return contents


def _download(
    file: RemoteFile, in_cache: str, arrived: dict[str, bytes | _Fault], deadline: float, *, network: bool
) -> bytes:
    """Return the file from the first address that has it, or raise DataUnavailable with the whole story."""
    refused = "withdrawn from the repository" if not file.addresses else offline()
    if not refused and not network:
        refused = "not tried again after a failure in this session"
    tried = [f"{url_of(address)}: {refused}" for address in file.addresses] if refused else []
    answered = not refused
    for address in () if refused else file.addresses:
        url = url_of(address)
        try:
            if url not in arrived:
                arrived[url] = _arrival(url, address.limit if address.packed else file.size, file, address, deadline)
            packed = arrived[url]
            if isinstance(packed, _Fault):
                raise packed
            return _whole(packed, address, file)
        except _Fault as fault:
            tried.append(f"{' in '.join([*reversed(address.members), url])}: {fault}")
            answered = answered and fault.answered
            if not fault.again:
                break
    here = in_cache or " ".join(filter(None, ["no such file", folder_missing() and f"({folder_missing()})"]))
    lines = "\n  ".join([f"{cache_folder() / file.path}: {here}", *(tried or [f"{UCI}: {refused}"])])
    failure = DataUnavailable(
        f"{file.path} cannot be had.\n  {lines}\n"
        f"What to do: put the file at the first of these places ({file.size:,} bytes, SHA-256 {file.sha256}), "
        f"or set LDP_BOOK_DATA to a folder that holds it as {file.path}; "
        'or use the packaged stand-in, source="standin".'
    )
    failure.answered = answered
    raise failure


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


def _whole(packed: bytes, address: Address, file: RemoteFile) -> bytes:
    """Return the file out of what an address sent; a _Fault if it is not the file."""
    try:
        content = unpack(packed, address.path, address.members, size=file.size, limit=address.limit)
        wrong = _fault(content, file)
    except ValueError as error:
        wrong = _fault(packed, file) if _is_html(packed) else str(error)
    if wrong:
        raise _Fault(wrong, answered=True)
    return content


def _arrival(url: str, limit: int, file: RemoteFile, address: Address, deadline: float) -> bytes | _Fault:
    """Return what `url` sends, at most `limit` bytes, or why it does not; not later than `deadline`."""
    # Neither a name look-up nor a server that drips a byte a second obeys the time-outs of a socket, so the connection
    # runs in a thread of its own, which can be left behind; all that touches files stays here.
    transfer = _Transfer(url, limit, size=0 if address.packed else file.size)
    transfer.start()
    try:
        alive = True
        while alive and (left := deadline - time.monotonic()) > 0:
            transfer.join(min(0.1, left))
            alive = transfer.is_alive()
            _progress(file.path, len(transfer.content), transfer.size)
    finally:
        late, transfer.stopped = transfer.is_alive(), True
        _progress(file.path, None, transfer.size)
    if late:
        of = f" of {transfer.size:,}" if transfer.size else ""
        return _Fault(f"gave up after {TOTAL_SECONDS:g} seconds with {len(transfer.content):,}{of} bytes")
    if transfer.fault:
        return transfer.fault
    if address.packed and len(transfer.content) > limit:
        return _Fault(f"more than {limit:,} bytes, too many for this archive", answered=True)
    return bytes(transfer.content)


class _Transfer(threading.Thread):
    """Collects what a URL sends, up to the first piece beyond `limit`: others may read on what has come so far.

    Parameters
    ----------
    url : str
        What to ask for.
    limit : int
        How many bytes are wanted at most.
    size : int
        How many there are in all; 0 if that is not known before the server says so.
    """

    def __init__(self, url: str, limit: int, size: int) -> None:
        super().__init__(name="ldp-book download", daemon=True)
        self.url, self.limit, self.size = url, limit, size
        self.content = bytearray()
        self.fault: _Fault | None = None
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
            self.fault = _Fault(_plain(error), answered=refusal, again=answered)


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


def _keep_or_say(path: Path, file: RemoteFile, content: bytes, damage: str) -> None:
    """Put a downloaded file into the cache; say so if that fails, or if it takes the place of a damaged one."""
    try:
        _keep(path, content)
    except OSError as error:
        # Another process may have put it there meanwhile (Windows does not replace a file that is being read).
        if _read_cache(path, file)[0] is None:
            notice = f"{file.path} was downloaded but cannot be kept in {path.parent}: {error}"
            say(notice, stacklevel=5)
    else:
        if damage:
            say(f"{path}: {damage}; it was downloaded anew", stacklevel=5)


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
