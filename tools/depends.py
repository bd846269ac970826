"""What the results of a chapter depend on, found by reading: its code, what it imports, the data it loads, versions.

:func:`key` makes one text of all that. Words about code are no part of it: a docstring or a comment that changes
executes nothing again.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from tools.toc import ROOT

#: What a style sheet or a script changes is the page around a result; what the others are, Python makes anew.
NO_DATA = {".py", ".pyc", ".css", ".js", ".md"}
#: In a package's folder, but no part of what is installed.
NOT_INSTALLED = {"tests", "demo", "pyproject.toml", "LICENSE"}
#: With one of these a chapter shows words that are left out of account otherwise.
SHOWS_WORDS = re.compile(r"\b(?:getsource(?:lines)?|getdoc|getcomments|__doc__|help\()")


class Packages:
    """Packages as they are on disk, in folders of their names: what their modules import, and what is in them."""

    def __init__(self, *folders: Path) -> None:
        self.files: dict[str, Path] = {}
        self._data: dict[str, list[Path]] = {}
        for folder in folders:
            for path in _installed(folder, "*.py"):
                parts = path.relative_to(folder.parent).with_suffix("").parts
                self.files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
            for path in _installed(folder, "*"):
                if path.is_file() and path.suffix not in NO_DATA:
                    home = path.parent
                    while ".".join(home.relative_to(folder.parent).parts) not in self.files:
                        home = home.parent
                    self._data.setdefault(".".join(home.relative_to(folder.parent).parts), []).append(path)
        self._trees = {name: ast.parse(path.read_bytes(), str(path)) for name, path in self.files.items()}
        self._lazy = {name: found for name, tree in self._trees.items() if (found := _lazy(tree))}

    def imports(self, tree: ast.AST, inside: str = "") -> set[str]:
        """Modules that code inside a package imports from these, in functions too, but not for types only."""
        found: set[str] = set()
        for node in _run(tree):
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
                found |= names.union(*(self._lazy.get(name, {}).values() for name in names))
            elif isinstance(node, ast.ImportFrom):
                base = ".".join(inside.split(".")[: len(inside.split(".")) + 1 - node.level]) if node.level else ""
                base = ".".join(filter(None, (base, node.module)))
                names = {alias.name for alias in node.names}
                parts = {f"{base}.{name}" for name in names}
                late = self._lazy.get(base, {})
                found |= {base, *parts, *(module for name, module in late.items() if name in names or "*" in names)}
                found = found.union(*(self._lazy.get(part, {}).values() for part in parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
                found.add(node.value)  # the argument of import_module or resources.files, if it is a module's name
        return found & self.files.keys()

    @cache  # noqa: B019 - lives as long as one build
    def needs(self, module: str) -> frozenset[str]:
        """Modules that one module imports itself; with each come the packages that it is in."""
        path = self.files[module]
        inside = module if path.name == "__init__.py" else module.rpartition(".")[0]
        found = self.imports(self._trees[module], inside) | {module.rpartition(".")[0]}
        return frozenset(found & self.files.keys())

    def reach(self, modules: Iterable[str]) -> set[str]:
        """These modules and all that they import, directly or not."""
        found: set[str] = set()
        waiting = list(modules)
        while waiting:
            if (module := waiting.pop()) not in found:
                found.add(module)
                waiting += self.needs(module)
        return found

    @cache  # noqa: B019 - lives as long as one build
    def digest(self, module: str, words: bool = False) -> str:
        """Hash of a module's code, with its words or without, and of a package's data files."""
        content = self.files[module].read_bytes()
        digest = hashlib.sha256(content if words else code_of(ast.parse(content)).encode())
        for path in self._data.get(module, []):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        return digest.hexdigest()


def _installed(folder: Path, pattern: str) -> list[Path]:
    return sorted(p for p in folder.rglob(pattern) if not NOT_INSTALLED & set(p.relative_to(folder).parts))


def _run(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only a type checker sees."""
    yield tree
    if isinstance(tree, ast.If) and ast.unparse(tree.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}:
        children: Iterable[ast.AST] = tree.orelse
    else:
        children = ast.iter_child_nodes(tree)
    for child in children:
        yield from _run(child)


def _lazy(tree: ast.Module) -> dict[str, str]:
    """Where a package finds the names that it loads when they are asked for: it tells type checkers so."""
    if not any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body):
        return {}
    told = [node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    imports = [node for block in told for node in block.body if isinstance(node, ast.ImportFrom) and node.module]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


def code_of(tree: ast.Module) -> str:
    """Code as text, without docstrings, comments and the places where things stand; takes them out of the tree."""
    return ast.dump(_Wordless().visit(tree))


class _Wordless(ast.NodeTransformer):
    """Takes out strings that stand for themselves."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        """Drop one."""
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node


def code_cells(notebook: NotebookNode) -> list[str]:
    """Sources of the code cells."""
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def own(notebook: NotebookNode) -> str:
    """Hash of a chapter's own code: its cells, and which of them may fail or are left out."""
    words = any(SHOWS_WORDS.search(source) for source in code_cells(notebook))
    digest = hashlib.sha256()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            special = {"raises-exception", "skip-execution"} & set(cell.metadata.get("tags", []))
            text = cell.source if words else _cell(cell.source)
            digest.update(f"{sorted(special)}{text}\0".encode())
    return digest.hexdigest()


def _cell(source: str) -> str:
    """A cell as :func:`code_of` gives it; as it is if it is not plain Python. A last semicolon hides a result."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    # A string at the end is no docstring but what the cell shows.
    return ast.dump(tree) + ";" * source.rstrip().endswith(";")


def modules(notebook: NotebookNode, package: Packages) -> set[str]:
    """Modules of the package that a chapter imports, directly or not."""
    # IPython's commands are no Python; they import nothing of ours.
    code = re.sub(r"^(\s*)[%!].*$", r"\1pass", "\n".join(code_cells(notebook)), flags=re.MULTILINE)
    return package.reach(package.imports(ast.parse(code)))


def data_sets(notebook: NotebookNode, names: Iterable[str]) -> list[str]:
    """Data sets that a chapter may load: those that its code names in a string, all if it asks for their names."""
    code = "\n".join(code_cells(notebook))
    if "datasets" not in code:
        return []
    every = re.search(r"\bdatasets\.names\b|\bimport\b.*\bnames\b", code)
    return [name for name in names if every or re.search(rf"""["']{re.escape(name)}["']""", code)]


def versions(root: Path = ROOT) -> list[str]:
    """Python's version and the pinned ones of the packages."""
    lines = (root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pinned = (line.partition("#")[0].strip() for line in lines)
    return [".".join(map(str, sys.version_info[:2])), *filter(None, pinned)]


def key(notebook: NotebookNode, package: Packages, sources: Mapping[str, str], pinned: Iterable[str]) -> str:
    """Make one text of what the results of a chapter depend on: code, packages, sources of data, versions."""
    words = any(SHOWS_WORDS.search(source) for source in code_cells(notebook))
    digest = hashlib.sha256(own(notebook).encode())
    for module in sorted(modules(notebook, package)):
        digest.update(f"{module} {package.digest(module, words)}\n".encode())
    for name in data_sets(notebook, sources):
        digest.update(f"{name} {sources[name]}\n".encode())
    for version in pinned:
        digest.update(f"{version}\n".encode())
    return digest.hexdigest()
