"""The reference: one page for each part of the packages, written from the ``__all__`` of its modules.

Before Sphinx looks for pages, every part gets one in the folder ``api`` (not under version control): a table of what is
public, and each entry with its words, its source, and the chapters that use it. Nothing is listed by hand, so nothing
can go stale: what a module exports is what its page shows.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer

from tools.markdown import headings
from tools.packages import PROJECTS
from tools.toc import chapters, markdown

#: Their parts have a page each; figures are one part.
PACKAGES, ALONE = tuple(PROJECTS), {"livefig"}
FOLDER = "api"
OVERVIEW = "overview.txt"

#: Longest value of a constant that its entry shows, in characters.
LONG = 40

#: Packages whose types are named, but not described here.
FOREIGN = {"matplotlib", "numpy", "pandas", "scipy", "sklearn"} | sys.stdlib_module_names


# --- what is public --------------------------------------------------------------------------------------------------


def exported(module: ModuleType) -> list[str]:
    """Return the public names of a module: its ``__all__``, or what it defines itself if it has none."""
    if hasattr(module, "__all__"):
        return [name for name in module.__all__ if not name.startswith("__")]
    own = (name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__)
    return [name for name in own if not name.startswith("_")]


def submodules(module: ModuleType) -> list[ModuleType]:
    """Return the public modules directly inside a package; none if it is a plain module."""
    names = [info.name for info in pkgutil.iter_modules(getattr(module, "__path__", []))]
    return [importlib.import_module(f"{module.__name__}.{name}") for name in names if not name.startswith("_")]


@cache
def parts() -> dict[str, dict[str, list[str]]]:
    """Return the packages and their parts: for each, the modules on its page and the names that each adds to it.

    A part's own ``__all__`` comes first. A module in it adds what its own ``__all__`` has besides.
    """
    found: dict[str, dict[str, list[str]]] = {}
    order: list[ModuleType] = []
    for package in map(importlib.import_module, PACKAGES):
        order.append(package)
        if package.__name__ not in ALONE:
            found[package.__name__] = {package.__name__: exported(package)}
            order += submodules(package)
    for part in order:
        if part.__name__ in found:
            continue
        shown: set[int] = set()
        found[part.__name__] = {}
        for module in [part, *submodules(part)]:
            if module is not part and not hasattr(module, "__all__") and exported(part):
                continue
            names = [name for name in exported(module) if id(getattr(module, name)) not in shown]
            shown |= {id(getattr(module, name)) for name in names}
            if module is part or names:
                found[part.__name__][module.__name__] = names
    return found


@cache
def entries() -> dict[str, str]:
    """Return the full public names of everything that has an entry, each with the part whose page it is on."""
    return {
        f"{module}.{name}": part
        for part, modules in parts().items()
        for module, names in modules.items()
        for name in names
    }


def identity(value: Any) -> str:
    """Return where a class or function is defined, in full; empty for other objects, which do not know it."""
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return ""
    return f"{value.__module__}.{value.__qualname__}"


@cache
def homes() -> dict[str, str]:
    """Return the public name of each entry by the name under which it is defined."""
    return {identity(value): name for name in entries() if identity(value := resolve(name)[0])}


@cache
def resolve(name: str) -> tuple[Any, str]:
    """Return what a dotted name leads to (or LookupError), and the rest of the name if a class is left on the way."""
    words = name.split(".")
    for count in range(len(words), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(words[:count]))
            break
        except ModuleNotFoundError:
            continue
    else:
        raise LookupError(name)
    for done, word in enumerate(words[count:], start=count):
        if inspect.isclass(value):
            return value, ".".join(words[done:])
        if not hasattr(value, word):
            raise LookupError(name)
        value = getattr(value, word)
    return value, ""


def is_class(name: str) -> bool:
    """Whether a dotted name leads to a class."""
    try:
        value, rest = resolve(name)
    except LookupError:
        return False
    return inspect.isclass(value) and not rest


@cache
def entry(name: str) -> str:
    """Return the entry that a dotted name leads to, whatever module it goes through; empty if there is none.

    A method's entry is that of the class that describes it: ``ldp_core.frequency.OptimizedUnary.estimate`` is
    ``ldp_core.frequency.PureOracle.estimate``.
    """
    try:
        value, rest = resolve(name)
    except LookupError:
        return ""
    home = homes().get(identity(value)) or (name if name in entries() else "")
    if rest and inspect.isclass(value):
        method = rest.split(".")[0]
        owners = [c for c in value.__mro__ if identity(c) in homes() and method in members(c)]
        return f"{homes()[identity(owners[0])]}.{method}" if owners else ""
    return home


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the lines of the ``#:`` comment on a constant, wherever in its part it is defined; none if it has none."""
    value, _ = resolve(name)
    home, _, short = name.rpartition(".")
    for module in (home, *(name for name in sorted(sys.modules) if name.startswith(f"{home}."))):
        mine = getattr(sys.modules[module], short, None) is value
        if mine and (found := ModuleAnalyzer.for_module(module).find_attr_docs().get(("", short))):
            return tuple(found)
    return ()


# --- members of classes ----------------------------------------------------------------------------------------------


def members(cls: type) -> list[str]:
    """Return the public members that a class describes itself.

    These are its own, unless they override one and say nothing new, and those of bases that have no entry.
    """
    found: dict[str, None] = {}
    for base in cls.__mro__:
        ours = base.__module__.split(".")[0] in PACKAGES
        if base is not cls and (not ours or identity(base) in homes()):
            continue
        for name, value in vars(base).items():
            if not name.startswith("_") and _is_member(value) and (_words(value) or not _has_words(cls, base, name)):
                found[name] = None
        found |= dict.fromkeys(documented_fields(base))
    return list(found)


@cache
def documented_fields(cls: type) -> tuple[str, ...]:
    """Return the public attributes of a class that have words of their own, in a string or a ``#:`` comment."""
    words = ModuleAnalyzer.for_module(cls.__module__).find_attr_docs()
    return tuple(name for owner, name in words if owner == cls.__qualname__ and not name.startswith("_"))


def inherited(cls: type) -> dict[str, list[str]]:
    """Return the members that a class shares with others, by the base with an entry that describes them."""
    own, found = set(members(cls)), defaultdict(list)
    for base in cls.__mro__[1:]:
        if identity(base) in homes():
            new = [name for name in members(base) if name not in own]
            found[homes()[identity(base)]] = new
            own |= set(new)
    return {base: names for base, names in found.items() if names}


def _is_member(value: Any) -> bool:
    return inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod)


def _words(value: Any) -> str:
    return getattr(value, "__doc__", None) or ""


def _has_words(cls: type, after: type, name: str) -> bool:
    """Whether a base with an entry describes the member that a class further down leaves without words."""
    later = cls.__mro__[cls.__mro__.index(after) + 1 :]
    return any(identity(base) in homes() and _words(vars(base).get(name)) for base in later)


# --- who uses it -----------------------------------------------------------------------------------------------------


def imported(tree: ast.AST) -> dict[str, str]:
    """Return what the names that a piece of code imports from the packages stand for, in full."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES:
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if (package := alias.name.split(".")[0]) in PACKAGES:
                    found[alias.asname or package] = alias.name if alias.asname else package
    return found


def dotted(node: ast.AST) -> str:
    """Return ``a.b.c`` for the expression of that form, and nothing for any other."""
    words = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(words)]) if isinstance(node, ast.Name) else ""


def code(source: str) -> ast.Module:
    """Parse a cell; magics become empty lines."""
    lines = ["" if re.match(r"\s*[%!?]", line) else line for line in source.split("\n")]
    return ast.parse("\n".join(lines))


def chapter_code(path: Path) -> ast.Module:
    """Parse all code of a chapter."""
    cells = nbformat.read(path, as_version=4).cells
    return ast.Module([node for cell in cells if cell.cell_type == "code" for node in code(cell.source).body], [])


def used(tree: ast.AST, names: dict[str, str]) -> set[str]:
    """Return the entries of functions, classes and values that a piece of code uses, given what it has imported."""
    found: set[str] = set()
    for node in ast.walk(tree):
        head, _, rest = dotted(node).partition(".")
        if head in names:
            found.add(entry(f"{names[head]}.{rest}".rstrip(".")))
    return {name if name in entries() else name.rpartition(".")[0] for name in found if name}


def users(root: Path) -> dict[str, dict[str, str]]:
    """Return, for each entry, the pages that use it: title by name, in reading order."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for path in chapters(root):
        _, _, title = next(headings(markdown(path)))
        tree = chapter_code(path)
        for name in used(tree, imported(tree)):
            found[name][path.relative_to(root).with_suffix("").as_posix()] = title
    return found


# --- the pages -------------------------------------------------------------------------------------------------------


def page(part: str, modules: dict[str, list[str]], uses: dict[str, dict[str, str]]) -> str:
    """Return the text of a part's page."""
    lines = [part, "=" * len(part)]
    face = importlib.import_module(part)
    homes = {getattr(getattr(face, name), "__module__", part) for name in modules.get(part, [])}
    for module, names in modules.items():
        if module != part:
            lines += ["", module, "-" * len(module)]
        lines += ["", f".. automodule:: {module}", ""]
        if assumed := "; ".join(f"``{line}``" for line in preamble(module, names)):
            lines += [f"Examples assume {assumed}.", ""]
        if names:
            lines += [".. autosummary::", "   :nosignatures:", "", *(f"   {name}" for name in names), ""]
        if module != part and module in homes:
            # A page of source leads back to the module's first entry here, which is the face's, and so under its name.
            found = {name: getattr(importlib.import_module(module), name) for name in names}
            members = [f"{name}.{m}" for name, value in found.items() if inspect.isclass(value) for m in vars(value)]
            lines += [".. raw:: html", "", *(f'   <span id="{part}.{name}"></span>' for name in [*names, *members]), ""]
        for name in names:
            lines += _entry(f"{module}.{name}", uses.get(f"{module}.{name}", {}))
    return "\n".join(lines) + "\n"


def preamble(module: str, names: list[str]) -> list[str]:
    """Return what the examples of a module's entries assume that their reader has typed; nothing if there are none."""
    values = [resolve(f"{module}.{name}")[0] for name in names]
    texts = [inspect.getdoc(value) or "" for value in values]
    texts += [inspect.getdoc(getattr(c, m, None)) or "" for c in values if inspect.isclass(c) for m in members(c)]
    code = "\n".join(re.findall(r"(?m)^ *(?:>>>|\.\.\.) (.*)$", "\n".join(texts)))
    known = {"math": "import math", "np": "import numpy as np", "pd": "import pandas as pd"}
    lines = [line for name, line in known.items() if re.search(rf"\b{name}\.", code)]
    return [*lines, f"from {module} import *"] if code else []


def _entry(name: str, pages: dict[str, str]) -> list[str]:
    value, _ = resolve(name)
    short = name.rpartition(".")[2]
    if inspect.isclass(value):
        own = members(value)
        lines = [f".. autoclass:: {short}", *([f"   :members: {', '.join(own)}"] if own else []), ""]
        for base, names in inherited(value).items():
            links = ", ".join(f":py:obj:`{word} <{base}.{word}>`" for word in names)
            lines += [f"   Inherited from :py:class:`~{base}`: {links}.", ""]
    elif inspect.isroutine(value):
        lines = [f".. autofunction:: {short}", ""]
    else:
        lines = [f".. autodata:: {short}", *(["   :no-value:"] if len(repr(value)) > LONG else []), ""]
    if pages:
        links = ", ".join(f":doc:`{title.replace('`', '')} </{path}>`" for path, title in pages.items())
        lines += ["   .. container:: api-used", "", f"      Used in {links}.", ""]
    return lines


def write(root: Path) -> None:
    """Write the pages that changed, and delete those of parts that are gone."""
    uses, folder = users(root), root / FOLDER
    folder.mkdir(exist_ok=True)
    texts = {f"{part.rpartition('.')[2]}.rst": page(part, modules, uses) for part, modules in parts().items()}
    texts[OVERVIEW] = overview()
    for name, text in texts.items():
        if not (file := folder / name).is_file() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    for file in folder.iterdir():
        if file.name not in texts:
            file.unlink()


def overview() -> str:
    """Return a list of all parts: what each is for, in its own words."""
    lines = []
    for part in parts():
        words = inspect.getdoc(importlib.import_module(part)) or ""
        first = re.sub(r"\s+", " ", words.split("\n\n")[0]).replace("``", "`")
        lines.append(f"[`{part}`](/{FOLDER}/{part.rpartition('.')[2]}.rst)\n: {first}\n")
    return "\n".join(lines)


# --- the extension ---------------------------------------------------------------------------------------------------


def _write(app: Sphinx, config: Config) -> None:
    if (Path(app.srcdir) / "book" / "appendix" / "api.md").is_file():
        write(Path(app.srcdir))
    config.nitpick_ignore_regex = [("py:.*", rf"({'|'.join(sorted(FOREIGN))})\..*")]
    # In the configuration, so that all pages, whose code leads to entries, are written anew when there are others.
    config.api_entries = " ".join(
        f"{name}({members(v) if inspect.isclass(v := resolve(name)[0]) else ''})" for name in entries()
    )


def _find(app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: nodes.Element) -> nodes.Element | None:
    """Lead a reference to the entry of what it names, even by the module in which that is defined."""
    if node.get("refdomain") != "py":
        return None
    module, cls, target = node.get("py:module"), node.get("py:class"), node["reftarget"]
    domain = env.domains["py"]
    for context in (f"{module}.{cls}", module, ""):
        place: Any = domain.objects.get(entry(f"{context}.{target}".strip(".")))
        if place is None and node["reftype"] == "mod":  # a module of a part
            place = domain.modules.get(target.rpartition(".")[0])
        if place is None and cls and node["reftype"] == "attr" and _has_attribute(f"{module}.{cls}", target):
            place = domain.objects.get(f"{module}.{cls}")
        if place:
            address = f"{app.builder.get_relative_uri(node.get('refdoc', ''), place.docname)}#{place.node_id}"
            return nodes.reference("", "", contnode, internal=True, refuri=address)
    return None


def _has_attribute(cls: str, name: str) -> bool:
    """Whether a class's words list an attribute or a parameter."""
    words = inspect.getdoc(resolve(cls)[0]) or ""
    return any(name in line.partition(" : ")[0].split(", ") for line in words.split("\n"))


def _no_list(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Let a reference that begins with an initial, ``C. Dwork``, be no item of a list."""
    lines[:] = [re.sub(r"^(\s*)([A-Z]\. )", r"\1\\\2", line) for line in lines]


def _no_words_of_python(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Let a constant say what its comment says, and never what Python says of ``str`` or ``tuple``."""
    if what == "data":
        lines[:] = words(name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("autodoc-process-docstring", _no_words_of_python, priority=100)  # before numpydoc
    app.connect("config-inited", _write, priority=100)  # before the table of contents is read
    app.add_config_value("api_entries", "", "html")
    app.connect("missing-reference", _find)
    app.connect("autodoc-process-docstring", _no_list, priority=900)  # after numpydoc
    return {"parallel_read_safe": True, "parallel_write_safe": True}
