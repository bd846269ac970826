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
    """Return the theme's options for its buttons: repository, issues, edit, Binder, Colab, as far as the host has them.

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
    launch = {"notebook_interface": "jupyterlab"}
    if host in {"github.com", "gitlab.com"} and path.count("/") == 1:
        launch["binderhub_url"] = "https://mybinder.org"
    if host == "github.com":
        launch["colab_url"] = "https://colab.research.google.com"
    return {
        "repository_url": where,
        "repository_provider": provider,
        "use_repository_button": True,
        "use_edit_page_button": True,
        "use_issues_button": provider != "bitbucket",
        "launch_buttons": launch,
    }
