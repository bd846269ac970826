"""Buttons that lead to the book's repository, if :mod:`tools.settings` names one, and to what opens its notebooks."""

from __future__ import annotations

from typing import Any

#: The branch of the repository that ``make notebooks`` writes and the workflow *Pages* pushes: readers' copies.
BRANCH = "notebooks"


def theme_options(where: str) -> dict[str, Any]:
    """Return the theme's options for its buttons: repository, issues, edit, as far as the host has them."""
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


def launches(where: str, page: str) -> dict[str, str]:
    """Return links that open a reader's copy of a page in Binder and in Colab, as far as they work with the host."""
    host, _, path = where.removeprefix("https://").partition("/")
    if path.count("/") != 1:
        return {}
    links = {}
    if host in {"github.com", "gitlab.com"}:
        source = f"gh/{path}" if host == "github.com" else f"gl/{path.replace('/', '%2F')}"
        links["Binder"] = f"https://mybinder.org/v2/{source}/{BRANCH}?urlpath=lab/tree/{page}.ipynb"
    if host == "github.com":
        links["Colab"] = f"https://colab.research.google.com/github/{path}/blob/{BRANCH}/{page}.ipynb"
    return links
