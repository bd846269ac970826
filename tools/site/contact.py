"""Where a reader sends a mistake that she has found: ``{errata-contact}`` on the errata page.

Nothing is named by default. Whoever publishes a copy sets ``LDP_BOOK_CONTACT`` to a mail address or an https page that
takes reports without an account.
"""

from __future__ import annotations

import os
import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

import ldp_core

MAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")
PAGE = re.compile(r"https://[\w.-]+(/\S*)?")

NOBODY = (
    "This copy of the book names nobody. Give your note to whoever gave you the book: your teacher, or the people who "
    "put it on line."
)


def contact_of(text: str) -> tuple[str, str]:
    """Return what to show and where it leads; both empty if nobody is named."""
    text = text.strip()
    if not text:
        return "", ""
    if MAIL.fullmatch(text):
        return text, f"mailto:{text}?subject=Erratum"
    if PAGE.fullmatch(text):
        return text, text
    raise ValueError(f"LDP_BOOK_CONTACT must be a mail address or an https page, or empty for none; got {text!r}")


class ErrataContact(SphinxDirective):
    """Say whom to write to, and which version this is."""

    def run(self) -> list[nodes.Node]:
        """Make the paragraph."""
        shown, target = contact_of(self.config.errata_contact)
        paragraph = nodes.paragraph()
        if shown:
            paragraph += nodes.Text("Write to ")
            paragraph += nodes.reference("", shown, refuri=target, internal=False)
            paragraph += nodes.Text("; no account is needed.")
        else:
            paragraph += nodes.Text(NOBODY)
        paragraph += nodes.Text(f" This is version {ldp_core.__version__}.")
        return [paragraph]


def _read_contact(app: Sphinx, config: Config) -> None:
    config.errata_contact = os.environ.get("LDP_BOOK_CONTACT", "")
    contact_of(config.errata_contact)  # a wrong address stops the build at once


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_config_value("errata_contact", "", "env")
    app.add_directive("errata-contact", ErrataContact)
    app.connect("config-inited", _read_contact)
