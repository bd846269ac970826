"""What a copy says of itself: from the variables that name it to every button; without them, no host is named."""

import re
import shutil
import subprocess
import sys
from html import unescape

import nbformat
import pytest
import yaml

from tools import repository, settings
from tools.toc import ROOT

HUB, LAB = "https://github.com", "https://gitlab.com"  # put together here, so that no file names a repository
ELSEWHERE = "https://git.example.org/ada/book"
#: Neither a repository, nor a site, nor whom to write to.
NONE = [
    "book",
    "/srv/git/book.git",
    "file:///srv/git/book.git",
    "http://git.example.org/ada/book",  # what comes over it may be anybody's
    "https://localhost/ada/book",
    "https://127.0.0.1/ada/book",
    'https://git.example.org/ada/book"; import os',
    "https://git.example.org/ada book",
    "javascript:alert(1)",
    "a@b",
    "x@y.z <script>",
]
ASKED = {"REPOSITORY": settings.repository, "ADDRESS": settings.address, "CONTACT": settings.contact}


@pytest.mark.parametrize(
    ("name", "chosen", "said"),
    [
        ("REPOSITORY", "", ""),
        ("REPOSITORY", f" {ELSEWHERE}/\n", ELSEWHERE),
        ("REPOSITORY", "https://git.example.org:8443/a/b.c/d.git", "https://git.example.org:8443/a/b.c/d.git"),
        ("ADDRESS", "", ""),
        ("ADDRESS", "https://ada.example.org", "https://ada.example.org/"),
        ("ADDRESS", "https://www.example.org:8443/courses/ldp-2026/", "https://www.example.org:8443/courses/ldp-2026/"),
        ("CONTACT", "  ", ("", "")),
        ("CONTACT", "a.b+c@example.org", ("a.b+c@example.org", "mailto:a.b+c@example.org?subject=Erratum")),
        ("CONTACT", "https://example.org/report", ("https://example.org/report",) * 2),
    ],
)
def test_what_a_variable_says(monkeypatch, name, chosen, said):
    monkeypatch.setenv(f"LDP_BOOK_{name}", chosen)
    assert ASKED[name]() == said


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("chosen", NONE)
def test_a_bad_choice_is_refused_by_name(monkeypatch, name, chosen):
    monkeypatch.setenv(f"LDP_BOOK_{name}", chosen)
    with pytest.raises(ValueError, match=rf"^LDP_BOOK_{name} must be .*got"):
        ASKED[name]()


@pytest.mark.parametrize("chosen", ["https://git.example.org/", f"{ELSEWHERE}?x=1", "https://git.example.org/../etc"])
def test_no_repository_is_at_the_top_of_a_host_or_above_it(monkeypatch, chosen):
    monkeypatch.setenv("LDP_BOOK_REPOSITORY", chosen)
    with pytest.raises(ValueError, match="must be a repository's address"):
        settings.repository()


def test_a_refused_choice_does_not_print_its_password(monkeypatch):
    monkeypatch.setenv("LDP_BOOK_REPOSITORY", "https://ada:secret@git.example.org/ada/book")
    with pytest.raises(ValueError, match="got 'https://…@git") as caught:
        settings.repository()
    assert "secret" not in str(caught.value)


LITE = "../../lite/lab/index.html?path=book/teach/x.ipynb"


#: Builds a book for each address.
BUILDS = """
import os, shutil, sys
from jupyter_book.cli.main import main
for number, address in enumerate(addresses := sys.argv[1:]):
    os.environ["LDP_BOOK_REPOSITORY"] = address
    main(["build", ".", "-W", "-n", "--keep-going", "-q", "--all"], standalone_mode=False)
    shutil.move("_build/html", f"html{number}")
"""


def built(folder, *addresses):
    """What two pages (a notebook, a text) of a small book with this book's configuration link to elsewhere."""
    shutil.copytree(ROOT / "book/assets", folder / "book/assets", ignore=shutil.ignore_patterns("vendor"))
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config["sphinx"]["local_extensions"] = dict.fromkeys(config["sphinx"]["local_extensions"], str(ROOT))
    (folder / "_config.yml").write_text(yaml.safe_dump(config), "utf-8")
    (folder / "_toc.yml").write_text(
        "{format: jb-book, root: book/intro, parts: [{caption: One, chapters: [{file: book/teach/x}]}]}", "utf-8"
    )
    (folder / "book" / "references.bib").touch()
    (folder / "book" / "intro.md").write_text("# Title\n\nText.\n", "utf-8")
    (folder / "book" / "teach").mkdir()
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# X\n\nText.")], metadata=metadata)
    nbformat.write(notebook, folder / "book" / "teach" / "x.ipynb")
    done = subprocess.run([sys.executable, "-c", BUILDS, *addresses], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    for number in range(len(addresses)):
        html = folder / f"html{number}" / "book"
        pages = [(html / f"{name}.html").read_text(encoding="utf-8") for name in ("teach/x", "intro")]
        links = [[unescape(url) for url in re.findall(r'<a[^>]* href="([^"]+)"', page)] for page in pages]
        yield [[url for url in found if "://" in url or "/lite/" in url] for found in links]


def test_buttons_of_a_chapter_and_of_a_text_lead_where_the_address_says(tmp_path):
    addresses = "", ELSEWHERE, f"{HUB}/ada/book/"
    nowhere, elsewhere, (chapter, text) = built(tmp_path, *addresses)
    assert nowhere == [[LITE], []], "without an address a chapter has the button for the browser and no other"
    assert elsewhere == [[LITE, ELSEWHERE], [ELSEWHERE]], "another host gets a link"
    question = "?title=Issue%20on%20page%20%2Fbook/{}.html&body=Your%20issue%20content%20here."
    assert chapter == [
        LITE,
        "https://mybinder.org/v2/gh/ada/book/notebooks?urlpath=lab/tree/book/teach/x.ipynb",
        "https://colab.research.google.com/github/ada/book/blob/notebooks/book/teach/x.ipynb",
        f"{HUB}/ada/book",
        f"{HUB}/ada/book/edit/main/book/teach/x.ipynb",
        f"{HUB}/ada/book/issues/new{question.format('teach/x')}",
    ]
    assert text == [
        f"{HUB}/ada/book",
        f"{HUB}/ada/book/edit/main/book/intro.md",
        f"{HUB}/ada/book/issues/new{question.format('intro')}",
    ]


@pytest.mark.parametrize(
    ("where", "provider", "launches"),
    [
        (f"{HUB}/ada/book", "github", ["Binder", "Colab"]),
        (f"{LAB}/ada/book", "gitlab", ["Binder"]),
        (f"{LAB}/ada/group/book", "gitlab", []),
        ("https://gitlab.example.org/ada/book", "gitlab", []),
        ("https://github.example.org/ada/book", "github", []),
        ("https://bitbucket.example.org/ada/book", "bitbucket", []),
        ("https://git.example.org/github/book", None, []),
        ("https://notgithub.example.org/ada/book", None, []),
        (f"{HUB}/ada", None, []),
        ("", None, []),
    ],
)
def test_which_buttons_a_host_has(where, provider, launches):
    options = repository.theme_options(where)
    assert options.get("repository_provider") == provider
    assert bool(options.get("use_issues_button")) == (provider in {"github", "gitlab"})
    assert list(repository.launches(where, "book/x")) == launches


#: A repository, or a page of its owner, on a public host.
HOSTED = re.compile(r"\b(?:github|gitlab|bitbucket|codeberg)\.(?:com|org|io)[:/]([\w.-]+)", re.IGNORECASE)
#: Owners that a source may name: they exist, and what they hold is no part of the book.
OTHERS = {"apple", "bloomberg", "google", "nogrady", "opendp", "Samuel-Maddock", "SensitiveQuestions", "uscensusbureau"}


def test_no_file_names_a_repository_that_nobody_holds():
    """Where the book is published, pyproject.toml and CITATION.cff may name it, and then the same one."""
    files = [path for path in ROOT.iterdir() if path.is_file()]
    folders = (".binder", ".ci", ".github", "benchmarks", "book", "ldp_core", "livefig", "ldp_book", "tests", "tools")
    for folder in folders:
        files += [path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix != ".pyc"]
    named = {}
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        owners = set(HOSTED.findall(path.read_text(encoding="utf-8", errors="ignore"))) - OTHERS
        if owners and not re.search(r"/(vendor|\.ipynb_checkpoints)/", name):
            named[name] = owners
    assert set(named) <= {"pyproject.toml", "CITATION.cff"}, named
    assert len({tuple(owners) for owners in named.values()}) <= 1, named


def test_the_errata_page_says_whom_to_write_to():
    page = (ROOT / "book" / "appendix" / "errata.md").read_text(encoding="utf-8")
    assert "```{errata-contact}" in page
    assert page.count("\n| ") > 20
