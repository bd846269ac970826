"""What executes a chapter again: its code, a module it reaches, a data source, a version; never words."""

import ast
import json
import subprocess
import sys

import nbformat
import pytest

from ldp_book import datasets
from tools import depends
from tools.packages import MODULES
from tools.results import Results, update
from tools.toc import ROOT, chapters

FILES = {
    "__init__.py": '"""A package."""\n',
    "arrays.py": "def total(x):\n    return sum(x)\n",
    "deep/__init__.py": "from .. import arrays\n",
    "deep/lazy.py": "def late():\n    from small.other import f\n    return f\n",
    "deep/table.csv": "1,2\n",
    "deep/style.css": "a {}\n",
    "other.py": '"""Words."""\n\n\ndef f():\n    """More words."""\n    return 1  # why\n',
    "typed.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from small import other\n",
    "named.py": "import importlib\nx = importlib.import_module('small.other')\n",
}
CODE = {
    "plain": "from small.arrays import total\ntotal([1])",
    "late": "%matplotlib inline\nfrom small.deep import lazy",
    "typed": "import small.typed",
    "named": "from small import named",
    "data": "from ldp_book import datasets\nfor name in ('adult', \"car\"):\n    datasets.load(name)",
}
SOURCES = {"adult": "uci", "car": "standin", "wdbc": "standin"}


def chapter(code, text="Words.", **metadata):
    cells = [nbformat.v4.new_markdown_cell(text), nbformat.v4.new_code_cell(code, metadata=metadata)]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture
def small(tmp_path):
    """A small package on disk."""
    for name, text in FILES.items():
        file = tmp_path / "small" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "small"


def keys(folder, sources=SOURCES, pinned=("numpy==2",), **changed):
    package = depends.Packages(folder)
    return {
        name: depends.key(chapter(changed.get(name, code)), package, sources, pinned) for name, code in CODE.items()
    }


def differ(one, two):
    return {name for name in one if one[name] != two[name]}


@pytest.mark.parametrize(
    ("file", "text", "again"),
    [
        ("other.py", "def f():\n    return 1\n", set()),
        ("other.py", '"""Other words."""\n\n# a comment\ndef f():\n\n    return (1)\n', set()),
        ("other.py", "def f():\n    return 2\n", {"late", "named"}),
        ("arrays.py", "def total(x):\n    return 0\n", {"plain", "late"}),
        ("__init__.py", "x = 1\n", {"plain", "late", "typed", "named"}),
        ("deep/table.csv", "1,3\n", {"late"}),
        ("deep/style.css", "b {}\n", set()),
        ("deep/lazy.py", "def late():\n    return 1\n", {"late"}),
        ("unused.py", "import small.arrays\n", set()),
    ],
)
def test_a_module_executes_again_what_reaches_it_and_words_nothing(small, file, text, again):
    before = keys(small)
    (small / file).write_text(text, encoding="utf-8")
    assert differ(before, keys(small)) == again


def test_a_chapter_executes_itself_alone_and_its_text_nothing(small):
    assert differ(keys(small), keys(small, plain="from small.arrays import total\ntotal([2])")) == {"plain"}
    assert differ(keys(small), keys(small, plain="from small.arrays import total\n\n# so\ntotal( [1] )")) == set()
    package = depends.Packages(small)
    one, two = chapter("1 + 1"), chapter("1 + 1", text="Other words.")
    assert depends.key(one, package, {}, []) == depends.key(two, package, {}, [])
    for other in ("1 + 1;", "'1 + 1'", "1 + 2"):
        assert depends.own(one) != depends.own(chapter(other)), "what a cell shows is another thing"
    assert depends.own(one) != depends.own(chapter("1 + 1", tags=["raises-exception"]))
    assert depends.own(one) == depends.own(chapter("1 + 1", tags=["hide-input"]))


def test_a_chapter_that_shows_code_depends_on_its_words(small):
    code = "import inspect\nfrom small import other\nprint(inspect.getsource(other.f))"
    before = depends.key(chapter(code), depends.Packages(small), {}, [])
    (small / "other.py").write_text(FILES["other.py"].replace("why", "why not"), encoding="utf-8")
    assert depends.key(chapter(code), depends.Packages(small), {}, []) != before


def test_only_the_sources_of_the_data_that_a_chapter_loads_count(small):
    assert differ(keys(small), keys(small, sources=SOURCES | {"adult": "standin"})) == {"data"}
    assert differ(keys(small), keys(small, sources=SOURCES | {"wdbc": "uci"})) == set()


def test_versions_count_for_all(small, tmp_path):
    assert differ(keys(small), keys(small, pinned=("numpy==3",))) == set(CODE)
    (tmp_path / "requirements.txt").write_text("# why\nnumpy==2  # arrays\n", encoding="utf-8")
    assert depends.versions(tmp_path)[1:] == ["numpy==2"]


def test_results_belong_to_the_code_that_made_them(tmp_path):
    path, results = tmp_path / "x.ipynb", Results(tmp_path / "kept", tmp_path)
    stored = chapter("1 + 1")
    nbformat.write(stored, path)
    with pytest.raises(LookupError, match=r"x\.ipynb has not been executed as it is now: run make book"):
        results.get(path)
    executed = nbformat.from_dict(stored)
    executed.metadata["language_info"] = {"name": "python"}
    executed.cells[1].outputs = [nbformat.v4.new_output("stream", text="2")]
    results.put(path, executed, "a key", 1.0)
    nbformat.write(chapter("1 + 1", text="Edited."), path)
    found = results.get(path)
    assert (found.cells[0].source, found.cells[1].outputs[0].text) == ("Edited.", "2")
    assert update([path], results, lambda _: "a key", {}, jobs=1), "nothing to execute"
    nbformat.write(chapter("1 + 2"), path)
    with pytest.raises(LookupError, match="make book"):
        results.get(path)
    results.prune([])
    assert not list((tmp_path / "kept").rglob("*.ipynb"))


#: Each chapter's imports in a process of its own, forked from one that has loaded other people's packages already.
LOADED = """
import json, multiprocessing, sys, warnings
import ipywidgets, matplotlib.pyplot, numpy, pandas, scipy.stats, sklearn.ensemble, sklearn.model_selection
warnings.simplefilter("ignore")

def loaded(code):
    exec(code, {})
    return [name for name in sys.modules if name.split(".")[0] in ("ldp_core", "livefig", "ldp_book")]

with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
    json.dump(pool.map(loaded, json.load(sys.stdin), chunksize=1), sys.stdout)
"""


def test_imports_of_chapters_load_no_module_that_was_not_found():
    package, notebooks = depends.Packages(*MODULES.values()), [nbformat.read(path, as_version=4) for path in chapters()]
    codes = []
    for notebook in notebooks:
        trees = [ast.parse(code) for code in depends.code_cells(notebook)]
        nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        codes.append("\n".join(map(ast.unparse, nodes)))
    command = [sys.executable, "-c", LOADED]
    done = subprocess.run(command, input=json.dumps(codes), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    for path, notebook, loaded in zip(chapters(), notebooks, json.loads(done.stdout), strict=True):
        assert loaded
        assert not set(loaded) - depends.modules(notebook, package), path.stem


def test_no_module_of_the_package_shows_words():
    """One that does would have to be known to :data:`tools.depends.SHOWS_WORDS`."""
    package = depends.Packages(*MODULES.values())
    assert not [name for name, path in package.files.items() if depends.SHOWS_WORDS.search(path.read_text("utf-8"))]


def test_data_sets_of_the_chapters():
    found = {path.stem: depends.data_sets(nbformat.read(path, as_version=4), datasets.names()) for path in chapters()}
    assert found["randomized-response"] == ["adult"]
    assert found["data"] == list(datasets.names())
    assert found["before-you-start"] == []


def test_a_name_that_a_package_loads_when_it_is_asked_for_is_followed_and_no_other(tmp_path):
    files = {
        "face/__init__.py": (
            "from typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from face.one import A\n    from face.two import B\n"
            "def __getattr__(name):\n    ...\n"
        ),
        "face/one.py": "A = 1\n",
        "face/two.py": "B = 2\n",
    }
    (tmp_path / "face").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    package = depends.Packages(tmp_path / "face")
    assert package.imports(ast.parse("from face import A")) == {"face", "face.one"}
    assert package.imports(ast.parse("from face import *")) == {"face", "face.one", "face.two"}
    assert package.imports(ast.parse("import face")) == {"face", "face.one", "face.two"}
