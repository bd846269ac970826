"""What whoever builds a copy of the book says of it, by variables of the environment; by default nothing.

No address is written in the sources: a name on a public host that nobody holds is anybody's to register, and what a
button opens or a cell installs from it runs for the book's readers. A slip stops the build before anything is executed.
"""

from __future__ import annotations

import os
import re

#: A host that others can reach by name: no bare `localhost`, no number, no credentials before it.
HOST = r"https://(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?::\d+)?"
FOLDER = r"/(?!\.+(?:/|$))[\w.~+-]+"


def _setting(name: str, form: str, allowed: str) -> str:
    chosen = os.environ.get(name, "").strip()
    if chosen and not re.fullmatch(form, chosen, re.ASCII | re.IGNORECASE):
        shown = re.sub(r"[^/\s]*@", "…@", chosen)  # a password has no place in a log
        raise ValueError(f"{name} must be {allowed}, or empty for none; got {shown!r}")
    return chosen.rstrip("/")


def repository() -> str:
    """Address of the repository, ``https://host/path``: LDP_BOOK_REPOSITORY."""
    return _setting("LDP_BOOK_REPOSITORY", rf"{HOST}(?:{FOLDER})+/?", "a repository's address, https://host/path")


def address() -> str:
    """Address at which the site will be read, with a slash at its end: LDP_BOOK_ADDRESS."""
    chosen = _setting("LDP_BOOK_ADDRESS", rf"{HOST}(?:{FOLDER})*/?", "the address of the site, https://host/path")
    return f"{chosen}/" if chosen else ""


def contact() -> tuple[str, str]:
    """Whom a reader tells of a mistake, as it is shown and as a link: LDP_BOOK_CONTACT."""
    form = rf"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|{HOST}(?:/\S*)?"
    chosen = _setting("LDP_BOOK_CONTACT", form, "a mail address or an https page")
    return chosen, f"mailto:{chosen}?subject=Erratum" if "@" in chosen.partition("/")[0] else chosen
