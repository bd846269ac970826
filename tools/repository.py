"""Where the book's repository is, if anybody said so: whatever names a host to a reader asks here.

No address is written in the sources. A name on a public host that nobody holds is anybody's to register, and what a
button opens or a cell installs from it runs for the book's readers.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

#: A host that others can reach by name: no bare `localhost`, no number, no drive letter.
HOST = r"(?P<host>(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+)"
PATH = r"(?P<path>[\w~+-][\w.~+-]*?(?:/[\w~+-][\w.~+-]*?)*?)(?:\.git)?/?"
FORMS = [
    re.compile(form, re.ASCII | re.IGNORECASE)
    for form in (
        rf"https://(?:[^/@\s]*@)?{HOST}(?P<port>:\d+)?/{PATH}",
        rf"ssh://(?:[^/@\s]*@)?{HOST}(?::\d+)?/{PATH}",
        rf"(?:[^/@:\s]+@)?{HOST}:{PATH}",
    )
]


def address(root: Path) -> str:
    """Address of the repository, as a reader may open it; empty if there is none.

    Parameters
    ----------
    root : Path
        The book's folder.

    Returns
    -------
    str
        ``https://host/path`` without credentials, from the environment variable ``LDP_BOOK_REPOSITORY`` if that is
        set (empty: no address), else from the clone's remote ``origin``. A remote that only this machine can reach, as
        a folder is, counts as none.

    Raises
    ------
    ValueError
        If ``LDP_BOOK_REPOSITORY`` is neither empty nor an https or ssh address of a repository.
    """
    chosen = os.environ.get("LDP_BOOK_REPOSITORY")
    if chosen is None:
        return public(_origin(root))
    if chosen.strip() and not public(chosen):
        shown = re.sub(r"[^/\s]*@", "…@", chosen)  # a password has no place in a log
        allowed = "a repository's address, https://host/path or git@host:path, or empty for none"
        raise ValueError(f"LDP_BOOK_REPOSITORY must be {allowed}; got {shown!r}")
    return public(chosen)


def public(remote: str) -> str:
    """Turn a git remote into the https address of the same repository; empty if it is not on a host."""
    for form in FORMS:
        if match := form.fullmatch(remote.strip()):
            found = match.groupdict()
            return f"https://{found['host'].lower()}{found.get('port') or ''}/{found['path']}"
    return ""


def _origin(root: Path) -> str:
    if not (root / ".git").exists():  # unpacked inside another repository: that one's remote is not ours
        return ""
    command = ["git", "-C", str(root), "remote", "get-url", "origin"]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def theme_options(where: str) -> dict[str, Any]:
    """Return the theme's options for its buttons: repository, issues, edit, as far as the host has them.

    Parameters
    ----------
    where : str
        What :func:`address` returned.

    Returns
    -------
    dict
        Empty without an address, and for a host whose kind of pages the theme does not know.
    """
    host, _, path = where.removeprefix("https://").partition("/")
    provider = next((name for name in ("github", "gitlab", "bitbucket") if name in host.split(".")), "")
    if not provider or "/" not in path:
        return {}
    return {
        "repository_url": where,
        "repository_provider": provider,
        "use_repository_button": True,
        "use_edit_page_button": True,
        "use_issues_button": provider != "bitbucket",
    }


def notebooks() -> str:
    """Branch of the repository with readers' copies of the chapters: LDP_BOOK_NOTEBOOKS; empty if there is none."""
    chosen = os.environ.get("LDP_BOOK_NOTEBOOKS", "").strip()
    if chosen and not re.fullmatch(r"\w[\w-]*", chosen, re.ASCII):
        raise ValueError(f"LDP_BOOK_NOTEBOOKS must be the name of a branch, or empty for none; got {chosen!r}")
    return chosen


def launches(where: str, branch: str, page: str) -> dict[str, str]:
    """Return links that open a reader's copy of a page in Binder and in Colab, as far as they work with the host.

    Parameters
    ----------
    where : str
        What :func:`address` returned.
    branch : str
        What :func:`notebooks` returned: without copies there is nothing to open.
    page : str
        The page's name.
    """
    host, _, path = where.removeprefix("https://").partition("/")
    if not branch or path.count("/") != 1:
        return {}
    found = {}
    if host in {"github.com", "gitlab.com"}:
        source = f"gh/{path}" if host == "github.com" else f"gl/{path.replace('/', '%2F')}"
        found["Binder"] = f"https://mybinder.org/v2/{source}/{branch}?urlpath=lab/tree/{page}.ipynb"
    if host == "github.com":
        found["Colab"] = f"https://colab.research.google.com/github/{path}/blob/{branch}/{page}.ipynb"
    return found
