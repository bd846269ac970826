"""Docstrings keep their promises: there are words, and parameters are those of the signature.

A parameter is told of once: in a section of its own, in a sentence that names it, or, set in ``double quotes of code``,
in the words of the class, module or package that it belongs to.

What falls short is listed in ``reviewed_docstrings.txt``, so that nothing new does; the list may only shrink. After a
mend, ``python tests/test_docstrings.py`` writes it anew (and says if it grew).
"""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
import warnings
from functools import cache
from pathlib import Path

import nbformat
import numpydoc.docscrape
import pytest
from sphinx.pycode import ModuleAnalyzer

PACKAGES = ("ldp_core", "livefig", "ldp_book")
ROOT = Path(__file__).parents[1]
REVIEWED = Path(__file__).with_name("reviewed_docstrings.txt")
#: What a chapter imports from: a part of the package, or a module of these parts.
OPEN = {"ldp_book.faults", "ldp_book.studies"}


@cache
def modules():
    """Public modules by name."""
    names = [*PACKAGES]
    for package in map(importlib.import_module, PACKAGES):
        names += [info.name for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    public = [name for name in names if "._" not in name and not name.startswith(("livefig.tests", "livefig.demo"))]
    return {name: importlib.import_module(name) for name in public}


@cache
def described():
    """Public functions, classes and their members, by name, with what a reader can ask for help on."""
    found = {}
    for module in modules().values():
        for name, value in vars(module).items():
            home = getattr(value, "__module__", None) == module.__name__
            public = name in getattr(module, "__all__", [name]) and not name.startswith("_")
            if not public or not home or not (inspect.isclass(value) or inspect.isroutine(value)):
                continue
            found[f"{module.__name__}.{name}"] = value
            for key in vars(value) if inspect.isclass(value) else ():
                if not key.startswith("_") and _is_member(vars(value)[key]):
                    found[f"{module.__name__}.{name}.{key}"] = getattr(value, key)
    return found


def _is_member(value):
    return inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod)


def function(value):
    """The function that a reader calls: a class's ``__init__``, if it has one of its own."""
    if isinstance(value, property):
        return value.fget
    if inspect.isclass(value):
        return value.__init__ if inspect.isfunction(vars(value).get("__init__")) else None
    return inspect.unwrap(getattr(value, "__func__", value))


def sections(value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a section that numpydoc does not know, or twice
        return numpydoc.docscrape.NumpyDocString(textwrap.dedent(inspect.getdoc(value) or ""))


def parameters(value):
    """Names in the signature, and names in the words."""
    fields = dataclasses.is_dataclass(value) or (inspect.isclass(value) and issubclass(value, tuple))
    words = sections(value)
    listed = [p.name for kind in ("Parameters", "Other Parameters", *["Attributes"] * fields) for p in words[kind]]
    names = [name.strip().lstrip("*") for entry in listed for name in entry.split(",")]
    if fields:  # their words may stand beside them
        beside = ModuleAnalyzer.for_module(value.__module__).find_attr_docs()
        names += [name for owner, name in beside if owner == value.__qualname__ and name not in names]
    if not inspect.isclass(value):
        signature = inspect.signature(function(value)).parameters
    elif fields or function(value) or names:
        signature = inspect.signature(value).parameters
    else:
        return [], []  # made as its base is, and described there
    return [name for name in signature if name not in {"self", "cls"}], names


def imports():
    """What chapters import from the package: (page, module, name)."""
    for path in sorted((ROOT / "book").rglob("*.ipynb")):
        if ".ipynb_checkpoints" in path.parts:
            continue
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "code" or not any(name in cell.source for name in PACKAGES):
                continue
            source = "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in cell.source.split("\n"))
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES:
                    yield from ((path.stem, node.module, alias.name) for alias in node.names)
                elif isinstance(node, ast.Import):
                    yield from ((path.stem, a.name, "") for a in node.names if a.name.split(".")[0] in PACKAGES)


def without_words():
    return [name for name, value in described().items() if not inspect.getdoc(value)]


def without_parameters():
    found = []
    for name, value in described().items():
        if isinstance(value, property) or not getattr(value, "__doc__", None):
            continue  # inherited words are judged where they stand
        owners = [".".join(name.split(".")[:end]) for end in range(1, name.count(".") + 1)]
        if untold(value, [modules().get(owner) or described()[owner] for owner in owners]):
            found.append(name)
    return found


def untold(value, owners=()):
    """Parameters that no words tell of, and those of the words that are none."""
    signature, listed = parameters(value)
    told = {*listed, *re.findall(r"\w+", inspect.getdoc(value))}
    for owner in owners:
        told.update(re.findall(r"``(\w+)", inspect.getdoc(owner) or ""))
    return {*signature} - told | {*listed} - {*signature}


def without_all():
    return [name for name, module in modules().items() if not hasattr(module, "__all__")]


def shadowed():
    """Modules that their package gives a reader something else for."""
    pairs = [(name, *name.rpartition(".")[::2]) for name in modules() if "." in name]
    return [name for name, parent, last in pairs if getattr(modules()[parent], last) is not modules()[name]]


def not_public():
    """What chapters import that is not on a part's own list."""
    found = set()
    for page, source, name in imports():
        module = modules().get(source)
        face = source.count(".") <= 1 or source.rpartition(".")[0] in OPEN
        listed = not name or name in getattr(module, "__all__", ()) or f"{source}.{name}" in modules()
        if module is None or not face or not listed:
            found.add(f"{page}: {source}.{name}")
    return sorted(found)


ASKED = {
    "words": without_words,
    "parameters": without_parameters,
    "__all__": without_all,
    "shadowed": shadowed,
    "imports": not_public,
}


def reviewed():
    lines = REVIEWED.read_text(encoding="utf-8").splitlines()
    return {tuple(line.split(" ", 1)) for line in lines if line and not line.startswith("#")}


@pytest.mark.parametrize("question", ASKED)
def test_nothing_new_falls_short(question):
    known = {name for kind, name in reviewed() if kind == question}
    found = set(ASKED[question]())
    assert found - known == set(), "new"
    assert known - found == set(), f"mended: run {Path(__file__).name}"


def test_the_list_asks_nothing_else():
    assert {kind for kind, _ in reviewed()} <= set(ASKED)


def test_what_is_exported_exists():
    for module in modules().values():
        names = getattr(module, "__all__", [])
        assert len(set(names)) == len(names), module.__name__
        assert all(hasattr(module, name) for name in names), module.__name__


if __name__ == "__main__":
    before = reviewed()
    now = {(kind, name) for kind, ask in ASKED.items() for name in ask()}
    head = (
        "# What falls short of test_docstrings.py; it may only shrink. That file, run as a program, writes this anew.\n"
    )
    REVIEWED.write_text(head + "".join(f"{kind} {name}\n" for kind, name in sorted(now)), encoding="utf-8")
    print(f"{len(before)} before, {len(now)} now")
    sys.exit("\n".join(["new:", *map(" ".join, sorted(now - before))]) if now - before else 0)
