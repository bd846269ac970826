"""Checks of what a figure or a question says."""

from __future__ import annotations

from ldp_core._validate import shown


def check_text(text: object, name: str) -> str:
    """Return a text, possibly empty."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be text, got {shown(text)}")
    return text


def check_optional_text(text: object, name: str) -> str | None:
    """Return a text, or None."""
    return None if text is None else check_text(text, name)
