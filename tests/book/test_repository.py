"""The repository's address: from the one place that knows it to every button; without one, no host is named."""

import re
import shutil
import subprocess
import sys
from html import unescape

import nbformat
import pytest
import yaml

from tools import address as tool
from tools import repository
from tools.toc import ROOT

HUB, LAB = "https://github.com", "https://gitlab.com"  # put together here, so that no file names a repository
ELSEWHERE = "https://git.example.org/ada/book"
NONE = [
    "",
    "/srv/git/book.git",
    "../book",
    "book",
    "file:///srv/git/book.git",
    "C:/git/book",
    r"C:\git\book",
    "git://git.example.org/ada/book",
    "http://git.example.org/ada/book",  # what comes over it may be anybody's
    "https://localhost/ada/book",
    "https://127.0.0.1/ada/book",
    "ssh://git@10.0.0.7/ada/book",
    "git@localhost:ada/book",
    "alias:ada/book",
    "https://git.example.org/",
    "https://git.example.org/ada/book?x=1",
    'https://git.example.org/ada/book"; import os',
    "https://git.example.org/ada/book; rm -rf .",
    "https://git.example.org/../../etc",
    "https://git.example.org/ada book",
]


@pytest.mark.parametrize(
    "remote",
    [
        "https://git.example.org/ada/book",
        "https://git.example.org/ada/book.git",
        "https://git.example.org/ada/book/",
        "https://git.example.org/ada/book.git\n",
        "https://ada@git.example.org/ada/book.git",
        "https://ada:secret@git.example.org/ada/book.git",
        "https://x-access-token:gh_123@GIT.example.org/ada/book",
        "ssh://git@git.example.org/ada/book.git",
        "ssh://git@git.example.org:2222/ada/book.git",
        "git@git.example.org:ada/book.git",
        "git.example.org:ada/book",
    ],
)
def test_a_remote_on_a_host_becomes_its_https_address_without_credentials(remote):
    assert repository.public(remote) == ELSEWHERE


def test_a_port_and_deeper_paths_stay():
    assert repository.public("https://git.example.org:8443/a/b.c/d.git") == "https://git.example.org:8443/a/b.c/d"


@pytest.mark.parametrize("remote", NONE)
def test_what_only_this_machine_can_reach_or_nobody_should_is_no_address(remote):
    assert repository.public(remote) == ""


@pytest.mark.parametrize("value", [value for value in NONE if value])
def test_a_bad_choice_is_refused_by_name(monkeypatch, value):
    monkeypatch.setenv("LDP_BOOK_REPOSITORY", value)
    with pytest.raises(ValueError, match="LDP_BOOK_REPOSITORY must be a repository's address"):
        repository.address(ROOT)


def test_a_refused_choice_does_not_print_its_password(monkeypatch):
    monkeypatch.setenv("LDP_BOOK_REPOSITORY", "http://ada:secret@git.example.org/ada/book")
    with pytest.raises(ValueError, match="got 'http://…@git") as caught:
        repository.address(ROOT)
    assert "secret" not in str(caught.value)


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A folder under git, with a remote of one's choice; nothing in the environment."""
    monkeypatch.delenv("LDP_BOOK_REPOSITORY", raising=False)

    def make(remote=None):
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
        if remote:
            subprocess.run(["git", "-C", str(tmp_path), "remote", "add", "origin", remote], check=True)
        return tmp_path

    return make


def test_the_environment_decides_then_the_remote_then_nobody(clone, tmp_path, monkeypatch):
    assert repository.address(tmp_path) == "", "no repository at all"
    assert repository.address(clone()) == "", "no remote"
    assert repository.address(clone("git@git.example.org:ada/book.git")) == ELSEWHERE
    monkeypatch.setenv("LDP_BOOK_REPOSITORY", "https://other.example.org/book")
    assert repository.address(tmp_path) == "https://other.example.org/book"
    monkeypatch.setenv("LDP_BOOK_REPOSITORY", "")
    assert repository.address(tmp_path) == "", "chosen: none"


def test_a_remote_in_a_folder_is_none(clone, tmp_path):
    assert repository.address(clone(str(tmp_path / "elsewhere.git"))) == ""


def test_the_remote_of_a_repository_around_the_book_is_not_the_book_s(clone):
    inside = clone(ELSEWHERE) / "book"
    inside.mkdir()
    assert repository.address(inside) == ""


def test_without_git_there_is_no_address(clone, monkeypatch):
    folder = clone(ELSEWHERE)
    monkeypatch.setenv("PATH", "")
    assert repository.address(folder) == ""


# --- what a page shows -----------------------------------------------------------------------------------------------


LITE = "../../lite/lab/index.html?path=book/teach/x.ipynb"


#: Builds a book for each address, the last with a branch of copies.
BUILDS = """
import os, shutil, sys
from jupyter_book.cli.main import main
for number, address in enumerate(addresses := sys.argv[1:]):
    os.environ |= {"LDP_BOOK_REPOSITORY": address, "LDP_BOOK_NOTEBOOKS": "copies" * (number == len(addresses) - 1)}
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
    addresses = "", ELSEWHERE, f"git@{HUB.removeprefix('https://')}:ada/book.git"
    nowhere, elsewhere, (chapter, text) = built(tmp_path, *addresses)
    assert nowhere == [[LITE], []], "without an address a chapter has the button for the browser and no other"
    assert elsewhere == [[LITE, ELSEWHERE], [ELSEWHERE]], "another host gets a link"
    question = "?title=Issue%20on%20page%20%2Fbook/{}.html&body=Your%20issue%20content%20here."
    assert chapter == [
        LITE,
        "https://mybinder.org/v2/gh/ada/book/copies?urlpath=lab/tree/book/teach/x.ipynb",
        "https://colab.research.google.com/github/ada/book/blob/copies/book/teach/x.ipynb",
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
    assert list(repository.launches(where, "copies", "book/x")) == launches
    assert repository.launches(where, "", "book/x") == {}, "no copies: nothing to open"


def test_a_branch_of_copies_is_named_or_refused(monkeypatch):
    monkeypatch.setenv("LDP_BOOK_NOTEBOOKS", " copies ")
    assert repository.notebooks() == "copies"
    assert repository.launches(f"{LAB}/ada/book", "copies", "book/x") == {
        "Binder": "https://mybinder.org/v2/gl/ada%2Fbook/copies?urlpath=lab/tree/book/x.ipynb"
    }
    monkeypatch.setenv("LDP_BOOK_NOTEBOOKS", "a b?x=1")
    with pytest.raises(ValueError, match="LDP_BOOK_NOTEBOOKS must be the name of a branch"):
        repository.notebooks()


# --- what the sources say --------------------------------------------------------------------------------------------


def test_both_files_name_the_address_when_told_and_none_again(tmp_path):
    import tomllib

    for name in tool.PLACES:
        shutil.copy(ROOT / name, tmp_path)
    tool.write(tmp_path, "")
    without = {name: (tmp_path / name).read_bytes() for name in tool.PLACES}
    assert not any(b"://" in content for content in without.values())
    for where in (ELSEWHERE, "https://other.example.org/book"):  # the second in place of the first
        tool.write(tmp_path, where)
        project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        citation = yaml.safe_load((tmp_path / "CITATION.cff").read_text(encoding="utf-8"))
        assert project["urls"] == {"Source": where}
        assert project["dependencies"], "the tables around it are whole"
        assert citation["repository-code"] == where
    tool.write(tmp_path, "")
    assert {name: (tmp_path / name).read_bytes() for name in tool.PLACES} == without


#: A repository, or a page of its owner, on a public host.
HOSTED = re.compile(r"\b(?:github|gitlab|bitbucket|codeberg)\.(?:com|org|io)[:/]([\w.-]+)", re.IGNORECASE)
#: Owners that a source may name: they exist, and what they hold is no part of the book.
OTHERS = {"apple", "google", "nogrady", "Samuel-Maddock"}  # public code that this book discusses, cited by its address
#: A name that sources once took for granted, and that nobody held.
NOBODY = "ldp-book"


def test_no_file_names_a_repository_that_nobody_holds():
    """What `make address` wrote is the one exception; both files then say the same."""
    files = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in (".binder", ".ci", ".github", "benchmarks", "book", "ldp_core", "tests", "tools"):
        files += [path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix != ".pyc"]
    named = {}
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        owners = set(HOSTED.findall(path.read_text(encoding="utf-8", errors="ignore"))) - OTHERS
        if owners and not re.search(r"/(vendor|\.ipynb_checkpoints)/", name):
            named[name] = owners
    assert set(named) <= set(tool.PLACES), named
    assert len({tuple(owners) for owners in named.values()}) <= 1, named
    assert not any(NOBODY in owners for owners in named.values()), named
