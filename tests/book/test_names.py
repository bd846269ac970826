"""Code that a reader sees uses names that a reader has seen: a copied cell must not end in a NameError."""

import ast
import builtins

import nbformat
import pytest

from tools.toc import chapters


def names(source):
    """Names that code defines, in whatever scope, and names that it reads."""
    defined, used = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                defined.add(name)
            case ast.ExceptHandler(name=str(name)):
                defined.add(name)
            case ast.alias():
                defined.add((node.asname or node.name).partition(".")[0])
    return defined, used


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_visible_code_uses_names_defined_in_sight(path):
    seen, missing = set(dir(builtins)), set()
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code" and not {"remove-cell", "remove-input"} & set(cell.metadata.get("tags", [])):
            defined, used = names(cell.source)
            seen |= defined
            missing |= used - seen
    assert missing == set(), "defined in a cell that no reader sees"


def test_a_name_out_of_sight_is_found():
    defined, used = names("import a.b\nfrom c import d as e\nf = [g for h in e]")
    assert (defined, used) == ({"a", "e", "f", "h"}, {"g", "e"})
