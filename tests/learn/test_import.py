"""What an import of a part of learn loads, and that the face of the package is complete."""

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import ldp_core.learn


def test_projections_and_selections_load_no_oracle_and_no_naive_bayes():
    modules = ["components", "feature_selection"]
    code = (
        "import importlib, sys\n"
        "for module in sys.argv[1:]:\n"
        "    for name in [n for n in sys.modules if n.startswith('ldp_core')]:\n        del sys.modules[name]\n"
        "    importlib.import_module(f'ldp_core.learn.{module}')\n"
        "    print([n for n in sys.modules if n.startswith('ldp_core.')])"
    )
    done = subprocess.run([sys.executable, "-c", code, *modules], capture_output=True, text=True, check=True)
    for module, loaded in zip(modules, done.stdout.splitlines(), strict=True):
        assert f"ldp_core.learn.{module}" in loaded
        assert "ldp_core.frequency" not in loaded
        assert "bayes" not in loaded


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
