"""What an import of a part of learn loads, and that the face of the package is complete."""

import importlib
import pkgutil
from pathlib import Path

import pytest

import ldp_core.learn


def test_every_name_of_the_face_is_found_where_type_checkers_look_for_it():
    stated = {name for names in ldp_core.learn._HOMES.values() for name in names.split()}
    assert sorted(stated) == sorted(ldp_core.learn.__all__)
    source = Path(ldp_core.learn.__file__).read_text(encoding="utf-8")
    typed = source[source.index("if TYPE_CHECKING") : source.index("__all__")]
    for home, names in ldp_core.learn._HOMES.items():
        assert f"    from ldp_core.learn.{home} import {', '.join(names.split())}\n" in typed
        for name in names.split():
            assert getattr(ldp_core.learn, name) is getattr(importlib.import_module(f"ldp_core.learn.{home}"), name)
    assert set(ldp_core.learn.__all__) <= set(dir(ldp_core.learn))
    with pytest.raises(AttributeError, match="no attribute 'DCB'"):
        ldp_core.learn.DCB  # noqa: B018


def test_every_public_module_says_what_is_public_and_the_face_shows_it():
    for module in pkgutil.iter_modules(ldp_core.learn.__path__):
        if not module.name.startswith("_"):
            public = importlib.import_module(f"ldp_core.learn.{module.name}").__all__
            assert set(public) <= set(ldp_core.learn.__all__)
            assert module.name not in public  # a function would hide its module
