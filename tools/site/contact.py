"""Where a reader sends a mistake that she has found: ``{errata-contact}`` on the errata page."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

import ldp_core
from tools import settings

NOBODY = (
    "This copy of the book names nobody. Give your note to whoever gave you the book: your teacher, or the people who "
    "put it on line."
)


class ErrataContact(SphinxDirective):
    """Say whom to write to, and which version this is."""

    def run(self) -> list[nodes.Node]:
        """Make the paragraph."""
        shown, target = self.config.errata_contact
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
    config.errata_contact = settings.contact()


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_config_value("errata_contact", ("", ""), "env")
    app.add_directive("errata-contact", ErrataContact)
    app.connect("config-inited", _read_contact)
