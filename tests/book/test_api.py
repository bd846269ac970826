"""The reference: everything public is in it, every name in a chapter's code leads there, and nothing is out of date."""

import ast
import doctest
import html
import inspect
import os
import re
from pathlib import Path

import nbformat
import pytest

from tools.site import api, code_links
from tools.toc import chapters

from .conftest import HTML

ROOT = Path(__file__).parents[2]
CLASSES = [name for name in api.entries() if api.is_class(name)]


def test_every_part_of_the_package_has_a_page():
    wanted = set(api.PACKAGES)
    for package in ("ldp_core", "ldp_book"):
        folder = ROOT / package
        public = {p.stem for p in folder.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()}
        wanted |= {f"{package}.{name}" for name in public if not name.startswith("_")}
    assert wanted == set(api.parts())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", api.parts())
def test_examples_run_as_their_page_says(part):
    """A reader types what the page assumes, then an example; modules test what it shows."""
    for module, names in api.parts()[part].items():
        typed: dict[str, object] = {}
        exec("\n".join(api.preamble(module, names)), typed)
        for name in names:
            value, _ = api.resolve(f"{module}.{name}")
            inside = [getattr(value, m, None) for m in api.members(value)] if inspect.isclass(value) else []
            for text in [inspect.getdoc(each) for each in (value, *inside)]:
                told: list[str] = []
                example = doctest.DocTestParser().get_doctest(text or "", dict(typed), f"{module}.{name}", None, 0)
                doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=told.append)
                assert "Traceback" not in "".join(told), "".join(told)


def test_a_name_is_found_by_whatever_module_it_is_reached():
    assert api.entry("ldp_core.frequency.direct.DirectEncoding") == "ldp_core.frequency.DirectEncoding"
    assert api.entry("ldp_core.frequency.DirectEncoding") == "ldp_core.frequency.DirectEncoding"
    assert api.entry("ldp_core.frequency.DirectEncoding.privatize") == "ldp_core.frequency.FrequencyOracle.privatize"
    assert api.entry("ldp_core.frequency.DirectEncoding.nothing") == ""
    assert api.entry("ldp_core.nothing") == api.entry("nothing") == ""


@pytest.mark.parametrize("name", CLASSES)
def test_every_member_of_a_class_is_described_once(name):
    cls, _ = api.resolve(name)
    own, shared = api.members(cls), [member for names in api.inherited(cls).values() for member in names]
    ours = [base for base in cls.__mro__ if base.__module__.split(".")[0] in api.PACKAGES]
    public = {key for base in ours for key, value in vars(base).items() if not key.startswith("_") and callable(value)}
    assert public <= {*own, *shared}
    assert len({*own, *shared}) == len(own) + len(shared)


CONSTANTS = [name for name in api.entries() if not (inspect.isclass(v := api.resolve(name)[0]) or inspect.isroutine(v))]


@pytest.mark.parametrize("name", CONSTANTS)
def test_every_constant_says_what_it_is(name):
    assert "".join(api.words(name)).strip(), "a comment `#: ...` above it is missing"


def test_a_constant_says_what_its_comment_says_wherever_it_is_defined():
    assert api.words("ldp_core.numeric.EPSILON_STAR")[0].startswith("ε* ≈ 0.609")
    lines = ["Convert a string or number to a floating point number, if possible."]
    api._no_words_of_python(None, "data", "ldp_core.numeric.EPSILON_STAR", 0.6, None, lines)
    assert tuple(lines) == api.words("ldp_core.numeric.EPSILON_STAR")
    kept = ["Words of its own."]
    api._no_words_of_python(None, "function", "ldp_core.audit.exact_epsilon", None, None, kept)
    assert kept == ["Words of its own."]


class Base:
    def same(self):
        """Say it."""

    def other(self):
        """Say it."""


class Derived(Base):
    def same(self):
        return 1

    def other(self):
        """Say more."""


def test_an_override_without_words_is_described_at_its_base(monkeypatch):
    monkeypatch.setattr(api, "PACKAGES", (Base.__module__.split(".")[0],))
    monkeypatch.setattr(api, "homes", lambda: {api.identity(cls): cls.__name__ for cls in (Base, Derived)})
    assert (api.members(Base), api.members(Derived)) == (["same", "other"], ["other"])
    assert api.inherited(Derived) == {"Base": ["same"]}
    monkeypatch.setattr(api, "homes", lambda: {api.identity(Derived): "Derived"})
    assert sorted(api.members(Derived)) == ["other", "same"], "a base without an entry describes nothing"


def test_what_a_piece_of_code_uses():
    source = "%matplotlib inline\nfrom ldp_book import datasets\n"
    source += "from ldp_core import audit as a\nimport ldp_core.frequency as f\n"
    source += "a.exact_epsilon(f.DirectEncoding(1, 4).channel())\ndatasets.load('adult')\nlaplace(1)"
    tree = api.code(source)
    assert api.imported(tree) == {"a": "ldp_core.audit", "datasets": "ldp_book.datasets", "f": "ldp_core.frequency"}
    wanted = {"ldp_core.audit.exact_epsilon", "ldp_core.frequency.DirectEncoding", "ldp_book.datasets.load"}
    assert api.used(tree, api.imported(tree)) == wanted


def test_pages_are_written_when_they_change_and_deleted_when_they_are_gone(tmp_path):
    (tmp_path / "_toc.yml").write_text("{root: one, parts: []}", encoding="utf-8")
    cells = [
        nbformat.v4.new_markdown_cell("(one)=\n# Chapter One\n\nText."),
        nbformat.v4.new_code_cell("from ldp_core.audit import exact_epsilon\nexact_epsilon([[1]])"),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "one.ipynb")
    api.write(tmp_path)
    page, gone = tmp_path / "api" / "audit.rst", tmp_path / "api" / "gone.rst"
    assert (
        ".. autofunction:: exact_epsilon\n\n   .. container:: api-used\n\n      Used in :doc:`Chapter One </one>`.\n"
        in (page.read_text(encoding="utf-8"))
    )
    os.utime(page, (1, 1))
    gone.touch()
    api.write(tmp_path)
    assert page.stat().st_mtime == 1
    assert not gone.exists()


# --- names in code ---------------------------------------------------------------------------------------------------


def highlighted(source):
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name

    return highlight(source, get_lexer_by_name("ipython3"), HtmlFormatter(nowrap=True))


def linked(*sources, imports=""):
    """Texts and targets of the links in blocks that follow each other."""
    reader = code_links.Reader(api.imported(ast.parse(imports)))
    known = {"ldp_core.audit", "ldp_core.frequency"}
    found = []
    for source in sources:
        block = highlighted(source)
        made = code_links.link(block, reader, lambda name: api.entry(name) or (name if name in known else ""))
        assert re.sub(r"</?a\b[^>]*>", "", made) == block, "nothing else changes"
        found += re.findall(r'<a class="api-link" href="([^"]*)">([^<]*)</a>', made)
    return [(text, target.removeprefix("ldp_core.")) for target, text in found]


ORACLE = "from ldp_core.frequency import DirectEncoding, OptimizedUnary as Unary\n"
DE, PRIVATIZE = "frequency.DirectEncoding", "frequency.FrequencyOracle.privatize"


def test_imports_lead_to_entries():
    assert linked("# ε, π\n" + ORACLE + "x = Unary(1, 4)") == [
        ("ldp_core.frequency", "frequency"),
        ("DirectEncoding", DE),
        ("OptimizedUnary", "frequency.OptimizedUnary"),
        ("Unary", "frequency.OptimizedUnary"),
    ]


def test_imports_in_cells_that_are_not_shown_count():
    assert linked("DirectEncoding(1, 4)", imports=ORACLE) == [("DirectEncoding", DE)]
    assert linked("audit.exact_epsilon", imports="from ldp_core import audit") == [
        ("audit", "audit"),
        ("exact_epsilon", "audit.exact_epsilon"),
    ]


def test_methods_of_what_a_name_was_made_of():
    blocks = "o = DirectEncoding(1, 4)\n", "'ε'; o.privatize([1])", "o = 3\no.privatize([1])"
    assert linked(*blocks, imports=ORACLE) == [("DirectEncoding", DE), ("privatize", PRIVATIZE)]
    assert linked("DirectEncoding(1, 4).privatize([1])", imports=ORACLE) == [("DirectEncoding", DE)]


def test_a_name_that_is_bound_anew_is_left_alone():
    for bound in (
        "DirectEncoding = 1",
        "for DirectEncoding in x: pass",
        "def DirectEncoding(): pass",
        "import DirectEncoding",
    ):
        assert linked(f"{bound}\nDirectEncoding", imports=ORACLE) == [], bound
    assert linked("def f(DirectEncoding):\n    DirectEncoding()\n\nDirectEncoding()", imports=ORACLE) == [
        ("DirectEncoding", DE)
    ]
    assert linked("x = 'DirectEncoding'  # DirectEncoding\ny.DirectEncoding", imports=ORACLE) == []


@pytest.mark.parametrize("source", ["def broken(:", "%time DirectEncoding(1, 4)", "!ls", "", "x = 1 &lt; 2"])
def test_what_is_not_python_stays_as_it_is(source):
    assert linked(source, imports=ORACLE) == []


# --- the built site --------------------------------------------------------------------------------------------------


@pytest.mark.site
@pytest.mark.parametrize("part", api.parts())
def test_every_entry_of_a_part_is_on_its_page_with_its_source(built, part):
    name = f"api/{part.rpartition('.')[2]}.html"
    page = built[name]
    sources = {link for link, _, text in page.links if text == "[source]"}
    for full in (full for full, home in api.entries().items() if home == part):
        assert full in page.ids
        value, _ = api.resolve(full)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert any(link.endswith(f"#{value.__qualname__}") for link in sources), full
        for member in api.members(value) if inspect.isclass(value) else ():
            assert f"{full}.{member}" in page.ids
    assert len(page.text) < 700_000


@pytest.mark.site
def test_no_entry_shows_what_python_says_of_its_own(built):
    for name in CONSTANTS:
        kind = type(api.resolve(name)[0])
        if kind.__module__.split(".")[0] not in api.PACKAGES:
            first = (inspect.getdoc(kind) or "").split("\n")[0]
            page = built[f"api/{api.entries()[name].rpartition('.')[2]}.html"].text
            assert not first or html.escape(first, quote=False) not in page, name


@pytest.mark.site
def test_nothing_else_is_in_the_reference(built):
    pages = {name for name in built if name.startswith("api/")}
    assert pages == {f"api/{part.rpartition('.')[2]}.html" for part in api.parts()}


@pytest.mark.site
@pytest.mark.parametrize("path", chapters(ROOT), ids=lambda path: path.stem)
def test_names_in_the_code_of_a_chapter_lead_to_entries(built, path):
    name = path.relative_to(ROOT).with_suffix(".html").as_posix()
    linked = {text for _, kind, text in built[name].links if kind == "api-link"}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code" and not {"remove-cell", "remove-input"} & set(cell.metadata.get("tags", [])):
            for node in ast.walk(api.code(cell.source)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ldp_core"):
                    exported = [a.name for a in node.names if api.entry(f"{node.module}.{a.name}")]
                    assert {*exported} <= linked


@pytest.mark.site
def test_entries_name_the_chapters_that_use_them(built):
    for full, pages in api.users(ROOT).items():
        home = f"api/{api.entries()[full].rpartition('.')[2]}.html"
        links = [link for link, _, _ in built[home].links]
        for page in pages:
            assert f"../{page}.html" in links, full


@pytest.mark.site
def test_the_search_knows_the_names():
    index = (HTML / "searchindex.js").read_text(encoding="utf-8")
    assert '"api/frequency"' in index
    assert all(f'"{name}"' in index for name in ("OptimizedUnary", "exact_epsilon"))


@pytest.mark.site
def test_code_of_the_package_stays_light():
    assert sum(page.stat().st_size for page in (HTML / "_modules").rglob("*.html")) < 9_700_000
