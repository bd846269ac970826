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
import re
import secrets
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

from ldp_book.datasets import transfer
from ldp_book.datasets.source import Address, RemoteFile
from ldp_book.datasets.transfer import Fault
from ldp_book.datasets.unpack import unpack
from ldp_core._validate import shown

__all__ = [
    "DataNotice", "DataUnavailable", "cache_folder", "folder_missing", "offline", "read", "say", "server", "url_of",
]  # fmt: skip

#: The host. The environment variable LDP_BOOK_UCI names a mirror, the address of a folder that stands for one of the
#: repository's two layouts (see ``source``): there ``2/adult.zip`` is asked for, and then ``adult/adult.data``.
UCI = "https://archive.ics.uci.edu/"


class DataUnavailable(OSError):  # noqa: N818 - it reads as what it says
    """A data file can be had neither from the cache folder nor from UCI; the message says why and what to do.

    If the server was reached and had something else than the file, it has been ``answered``: another may still be had.
    """

    answered: bool = False


class DataNotice(UserWarning):
    """Something about where the data come from that a reader should know; the data are usable."""


def say(notice: str, stacklevel: int) -> None:
    """Give a notice that is shown once a process, unless the reader's own filters say otherwise.

    What remembers it is one more filter behind theirs, not a variable: so where warnings are errors, as in tests, every
    call raises, and none hangs on which calls came before. (Python's own "once" forgets with every change of filters.)
    The ``notice`` concerns the caller so far up, as in :func:`warnings.warn` with ``stacklevel``.
    """
    warnings.warn(notice, DataNotice, stacklevel=stacklevel)
    warnings.filterwarnings("ignore", message=re.escape(notice) + r"\Z", category=DataNotice, append=True)


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


def server() -> str:
    """Return the address that files are downloaded from: UCI's, or the mirror that LDP_BOOK_UCI names."""
    return _mirror() or UCI


def url_of(address: Address) -> str:
    """Return what is asked for: an address at UCI, or at the mirror that LDP_BOOK_UCI names."""
    mirror = _mirror()
    return f"{mirror.rstrip('/') if mirror else UCI + address.layout}/{address.path}"


def read(files: Sequence[RemoteFile], *, network: bool = True) -> list[bytes]:
    """Return the contents of the files of a data set, each from the cache or else, where there is a network, from UCI.

    A file's addresses are tried in their order: whatever is wrong with the answer of one, the next is tried, unless
    there was no answer at all, since all are at one host. An archive that holds several files is downloaded once;
    ``transfer.TOTAL_SECONDS`` is for the whole call. A DataNotice tells of a damaged file in the cache, and of a file
    that could not be kept. Where one file cannot be had, a DataUnavailable leaves the others in the cache.
    """
    deadline = time.monotonic() + transfer.TOTAL_SECONDS
    arrived: dict[str, bytes | Fault] = {}  # by URL
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
    file: RemoteFile, in_cache: str, arrived: dict[str, bytes | Fault], deadline: float, *, network: bool
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
                arrived[url] = _arrival(url, file, address, deadline)
            packed = arrived[url]
            if isinstance(packed, Fault):
                raise packed
            return _whole(packed, address, file)
        except Fault as fault:
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
    """Return the file out of what an address sent; a Fault if it is not the file."""
    try:
        content = unpack(packed, address.path, address.members, size=file.size, limit=address.limit)
        wrong = _fault(content, file)
    except ValueError as error:
        wrong = _fault(packed, file) if _is_html(packed) else str(error)
    if wrong:
        raise Fault(wrong, answered=True)
    return content


def _arrival(url: str, file: RemoteFile, address: Address, deadline: float) -> bytes | Fault:
    """Return what an address sends; only of a file that is not packed is the size known beforehand."""
    if not address.packed:
        return transfer.arrival(url, file.path, file.size, file.size, deadline)
    packed = transfer.arrival(url, file.path, address.limit, 0, deadline)
    if isinstance(packed, bytes) and len(packed) > address.limit:
        return Fault(f"more than {address.limit:,} bytes, too many for this archive", answered=True)
    return packed


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
