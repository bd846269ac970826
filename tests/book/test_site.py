"""The built site, read as files: it loads nothing from elsewhere, and everything in it is where it says."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

import livefig as live
from livefig.page import SCRIPTS
from tools import repository, settings
from tools.packages import wheel_names
from tools.site import policy
from tools.site.cards import CARDS
from tools.site.page import numbers
from tools.toc import ROOT, chapters, contents

from .conftest import HTML

PAGES = contents()
NOTEBOOKS = [path.relative_to(ROOT).with_suffix("").as_posix() for path in chapters()]

#: Scripts of the pages that plan and rehearse.
PRACTICE = ("plan-parts.js", "plan.js", "table.js", "rehearsal.js", "your-table.js")

pytestmark = pytest.mark.site


def test_the_site_s_address_leads_to_the_first_page():
    """While it does it is a page too: with a language, a title, a link, and an icon (or a browser asks for one)."""
    door = (HTML / "index.html").read_text(encoding="utf-8")
    for wanted in ('<html lang="en">', "<title>", 'rel="icon"', "url=book/intro.html", '<a href="book/intro.html">'):
        assert wanted in door


def test_only_the_table_of_contents_is_built(built):
    assert {name for name in built if name.startswith("book/")} == {f"{page}.html" for page in PAGES}
    assert not list(HTML.glob("prf-*.html")), "nothing leads there"


def test_no_page_loads_anything_from_another_host(built):
    foreign = {(name, url) for name, page in built.items() for url in page.loads if urlsplit(url).netloc}
    assert not foreign


def test_no_style_sheet_or_script_of_ours_points_elsewhere():
    for file in (HTML / "_static").rglob("*.css"):
        for url in re.findall(r"(?:url\(|@import\s+)[\"']?((?:https?:)?//[^)\"']+)", file.read_text("utf-8", "ignore")):
            pytest.fail(f"{file.relative_to(HTML)} loads {url}")
    for name in (*SCRIPTS, "progress.js", "coin-survey.js", "plan-arithmetic.js", *PRACTICE):
        for file in HTML.rglob(name):
            assert not re.search(r"https?://(?!www\.w3\.org)", file.read_text(encoding="utf-8")), name


def test_every_page_has_a_policy_before_anything_that_it_binds(built):
    """Hashes are those of the scripts that the theme and its extensions write: no text of the book brings one along."""
    for name, page in built.items():
        head, _, _ = page.text.partition("<title")
        (tag,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', page.text)
        assert tag in head, name
        assert not re.search(r"<(?:script|link|style)", page.text[: page.text.index(tag)]), name
        assert "unsafe-inline" not in re.search(r"script-src[^;]*", tag)[0], name
        assert "unsafe-eval" not in tag
        assert not re.search(r"https?:", tag), name
        assert page.text == policy.protect(page.text), f"{name} was changed after its policy was made"
        article = page.text.partition("<article")[2].partition("</article>")[0]
        assert not policy.INLINE.search(article), name
        assert not re.search(r"<[a-z][^>]*\son[a-z]+=", page.text), f"{name} has a handler in an attribute"


def test_a_policy_holds_what_was_in_the_page_and_nothing_else():
    page = '<html><head><meta charset="utf-8"><script>a()</script><script src="b.js"></script></head><p>x</p>'
    made = policy.protect(page)
    assert policy.protect(made) == made
    assert made.count("sha256-") == 1
    assert policy.TAG.sub("", made) == page
    assert '<p data-calls="window.print">' in policy.protect(page.replace("<p>", '<p onclick="window.print()">'))
    assert policy.meta("<p>no script</p>").count("sha256-") == 0


def test_no_question_takes_an_answer_that_is_off_by_one_per_cent(built):
    found, loose = 0, []
    for name, page in built.items():
        for said in re.findall(r'data-kind="number" data-said="([^"]*)"', page.text):
            asked = json.loads(unescape(said))
            question = live.number("", asked["answer"], tolerance=asked["tolerance"])
            found += 1
            if asked["answer"] and any(question.respond(asked["answer"] * off)[0] for off in (0.99, 1.01)):
                loose.append((name, asked["answer"], asked["tolerance"]))
    assert found > 40
    assert not loose


def test_no_thebe_no_requirejs_no_cdn(built):
    for name, page in built.items():
        for word in ("thebe", "requirejs", "cdnjs", "jsdelivr.net/npm", "unpkg"):
            assert word not in " ".join(page.loads).lower(), f"{name}: {word}"
        assert "thebe-config" not in page.text, f"{name} carries settings that name another's repository"


def test_what_a_page_loads_and_links_to_exists(built):
    missing = []
    for name, page in built.items():
        for url in {*page.loads, *(link for link, *_ in page.links)}:
            parts = urlsplit(url)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            target = (HTML / name).parent / unquote(parts.path)
            if not target.exists():
                missing.append((name, url))
            elif parts.fragment and target.suffix == ".html":
                other = built.get(target.resolve().relative_to(HTML.resolve()).as_posix())
                if other and unquote(parts.fragment) not in other.ids:
                    missing.append((name, url))
    assert not missing


def test_ids_are_unique_on_each_page(built):
    for name, page in built.items():
        if name.startswith("book/"):
            twice = {i for i in page.ids if page.ids.count(i) > 1}
            # the theme itself repeats a few of its own
            assert not {i for i in twice if not i.startswith(("pst-", "__", "search"))}, (name, twice)


def test_chinese_says_that_it_is_chinese():
    """For a screen reader's voice; nothing but words of the text is marked."""
    page = (HTML / "book" / "appendix" / "glossary.html").read_text(encoding="utf-8")
    article = page[page.index("<article") : page.index("</article>")]
    words = re.findall(r">[^<]*[\u4e00-\u9fff][^<]*<", article)
    assert len(words) > 50
    marked = re.findall(r'<span lang="zh-Hans">([^<]*)</span>', article)
    assert len(marked) == len(words)
    assert not re.search(r"<[^>]*<span", article)


def test_every_image_has_an_alternative_text(built):
    bare = [(name, image) for name, page in built.items() for image in page.images if image.get("alt") is None]
    assert not bare


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_buttons_of_a_notebook_page(built, page):
    links = [link for link, *_ in built[f"{page}.html"].links]
    launches = repository.launches(settings.repository(), page).values()
    assert [link for link in links if "mybinder.org" in link or "colab.research" in link] == list(launches)
    assert any(link.endswith(f"_sources/{page}.ipynb") for link in links)
    (lite,) = (link for link in links if "/lite/" in link)
    assert lite.endswith(f"lab/index.html?path={page}.ipynb")
    assert not urlsplit(lite).netloc
    assert not lite.startswith("/"), "relative, so that the site works under any path"
    assert (HTML / "lite" / "files" / f"{page}.ipynb").is_file()


def test_without_an_address_no_page_or_copy_of_a_chapter_names_a_host_for_code(built):
    if settings.repository():
        pytest.skip("the book was built with an address")
    hosts = re.compile(r"mybinder|colab\.research|github\.com|gitlab\.com|git\+https")
    ours = {name: page for name, page in built.items() if name != "book/appendix/bibliography.html"}  # works of others
    assert not [(name, link) for name, page in ours.items() for link, *_ in page.links if hosts.search(link)]
    copies = [HTML / folder / f"{page}.ipynb" for folder in ("_sources", "lite/files") for page in NOTEBOOKS]
    assert not [copy.as_posix() for copy in copies if hosts.search(copy.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", NOTEBOOKS)
@pytest.mark.parametrize("folder", ["_sources", "lite/files"])
def test_copies_for_readers_are_plain_notebooks(page, folder):
    notebook = nbformat.read(HTML / folder / f"{page}.ipynb", as_version=4)
    nbformat.validate(notebook)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert not re.search(r"\{[\w:]+\}`", text), "a MyST role was left"
    assert not re.search(r"^\s*(?::::|```)\{", text, re.M), "a MyST directive was left"


def test_in_browser_notebooks_have_a_kernel():
    """Also after a second build: the builder's memory of the first once left the list of extensions empty."""
    config = json.loads((HTML / "lite" / "jupyter-lite.json").read_text(encoding="utf-8"))["jupyter-config-data"]
    names = {extension["name"] for extension in config["federated_extensions"]}
    assert {"@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager"} <= names


def test_in_browser_notebooks_carry_our_wheel_and_no_source_maps():
    lite = HTML / "lite"
    assert all(list(lite.rglob(name)) for name in wheel_names())
    assert list(lite.rglob("comm-*-py3-none-any.whl"))
    assert not list(lite.rglob("*.map"))
    for page in NOTEBOOKS:
        notebook = nbformat.read(lite / "files" / f"{page}.ipynb", as_version=4)
        assert notebook.metadata.kernelspec.name == "python"
        first = next(cell for cell in notebook.cells if cell.cell_type == "code")
        assert "%pip install -q ldp_core livefig ldp_book" in first.source


def test_first_view_of_a_page_stays_light(built):
    """What a page loads before anybody touches it: markup, styles, scripts and fonts, without the frames."""
    for name in built:
        if name.startswith("book/"):
            size = (HTML / name).stat().st_size
            size += sum(
                f.stat().st_size
                for url in set(built[name].loads)
                if not urlsplit(url).netloc and (f := (HTML / name).parent / unquote(urlsplit(url).path)).is_file()
            )
            assert size < 1_300_000, (name, size)


def test_icons_are_drawn_and_the_theme_s_font_and_scripts_for_them_are_gone(built):
    for name, page in built.items():
        assert not re.search(r'class="[^"]*\bfa[bs]?[ -]', page.text), name
        assert 'class="icon' in page.text or name == "index.html", name
    files = {path.name for path in (HTML / "_static").rglob("*")}
    assert not files & {"fontawesome", "fontawesome.js", "bootstrap.js"}


def test_no_error_output_was_published(built):
    for name, page in built.items():
        assert 'class="output traceback' not in page.text, name
        assert "Traceback (most recent call last)" not in page.text, name


def test_wheel_holds_what_a_reader_needs():
    """Types, the slider's script and style, and the stand-in data travel with the package."""
    import zipfile

    for package, seen in (
        ("ldp_core", "audit/exact.py"),
        ("livefig", "assets/live.js"),
        ("ldp_book", "datasets/standins/adult.csv"),
    ):
        (wheel,) = (HTML / "lite").rglob(f"{package}-*.whl")
        names = set(zipfile.ZipFile(wheel).namelist())
        files = [path.relative_to(ROOT / package) for path in (ROOT / package).rglob("*") if path.is_file()]
        left = {"__pycache__", "tests", "demo", "pyproject.toml", "README.md", "LICENSE"}
        assert {f"{package}/{path.as_posix()}" for path in files if not left & set(path.parts)} <= names
        assert {f"{package}/{seen}", f"{package}/py.typed"} <= names
        assert any(name.endswith("licenses/LICENSE") for name in names)


NUMBERED = re.compile(r'<p class="admonition-title"><span class="caption-number">(\w+) ([\dA.]+) ?</span>')


def test_theorems_and_exercises_are_numbered_by_their_chapter(built):
    chapter_of = numbers(ROOT)
    seen = set()
    for name in PAGES:
        counts = {}
        for kind, number in NUMBERED.findall(CARDS.sub("", built[f"{name}.html"].text)):
            chapter, _, place = number.partition(".")
            counts[kind] = counts.get(kind, 0) + 1
            if name in chapter_of:
                assert (chapter, place) == (str(chapter_of[name]), str(counts[kind])), (name, kind, number)
            else:
                assert re.fullmatch(r"A\d+", number), (name, kind, number)
            assert (kind, number) not in seen
            seen.add((kind, number))
    assert {kind for kind, _ in seen} >= {"Theorem", "Definition", "Lemma", "Exercise"}
    assert len({number.partition(".")[0] for kind, number in seen if kind == "Exercise"}) >= len(chapter_of)


def test_a_reference_says_the_number_that_stands_where_it_leads(built):
    found = 0
    for name in PAGES:
        for href, words in re.findall(
            r'<a class="reference internal" href="([^"]*)"[^>]*>(?:<[^>]*>)*((?:Theorem|Exercise) [\dA.]+)<',
            built[f"{name}.html"].text,
        ):
            file, _, anchor = href.partition("#")
            target = (Path(f"{name}.html").parent / file) if file else Path(f"{name}.html")
            text = (HTML / target).resolve().read_text(encoding="utf-8")
            number = NUMBERED.search(text, text.index(f'id="{anchor}"'))
            assert f"{number[1]} {number[2]}" == words, (name, href)
            found += 1
    assert found > 20
