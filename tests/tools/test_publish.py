"""The published copy: the same bytes from the same site, for any host, any sub-path, any disk."""

import re
import time
import zipfile

import pytest

import ldp_core
from tools import publish
from tools.toc import ROOT

PAGE = '<!DOCTYPE html><title>One</title><a href="book/two.html">two</a><img src="_static/a.svg" alt="">'


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "html"
    for name, text in {
        "index.html": PAGE,
        "book/two.html": '<a href="../index.html">ε</a><a href="//example.org/x">x</a><p>href="/no/tag"</p>',
        "_static/a.svg": "<svg/>",
        ".buildinfo": "the builder's",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_folder_and_zip_hold_the_site_and_nothing_of_the_builder(site, tmp_path):
    folder, packed = publish.publish(site, tmp_path / "out")
    found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert set(found) == {".nojekyll", "index.html", "book/two.html", "_static/a.svg"}
    assert found["index.html"].decode() == PAGE
    with zipfile.ZipFile(packed) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == {
            f"{packed.stem}/{name}": content for name, content in found.items()
        }
    assert packed.stem == f"ldp-live-{ldp_core.__version__}"


def test_the_same_site_gives_the_same_bytes_at_any_time(site, tmp_path):
    _, first = publish.publish(site, tmp_path / "a")
    time.sleep(0.01)
    for path in site.rglob("*.html"):
        path.touch()
    _, second = publish.publish(site, tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()


def test_what_was_published_before_is_replaced(site, tmp_path):
    publish.publish(site, tmp_path / "out")
    (site / "book" / "two.html").unlink()
    folder, packed = publish.publish(site, tmp_path / "out")
    assert not (folder / "book").exists()
    assert "two.html" not in "".join(zipfile.ZipFile(packed).namelist())
    assert set((tmp_path / "out").iterdir()) == {folder, packed}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (
            "book/three.html",
            '<a class="x" href="/book/two.html">',
            "book/three.html: /book/two.html is found at the top",
        ),
        ("book/three.html", "<script src='/a.js'></script>", "/a.js is found at the top"),
    ],
)
def test_what_would_not_work_everywhere_is_refused_before_anything_is_written(site, tmp_path, name, text, words):
    (site / name).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(words)):
        publish.publish(site, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_without_a_site_it_says_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["publish", "--site", str(tmp_path), "--to", str(tmp_path / "out")])
    assert publish.main() == 1
    assert "run make book (or python -m tools.build) first" in capsys.readouterr().err


@pytest.mark.site
def test_the_built_site_can_be_published(tmp_path):
    html = ROOT / "_build" / "html"
    names = publish.files(html)
    assert list(publish.faults(html, names)) == []
    folder, packed = publish.publish(html, tmp_path)
    assert (folder / ".nojekyll").is_file()
    assert len(zipfile.ZipFile(packed).namelist()) == len(names) + 1
    assert packed.stat().st_size < 60e6
    assert f"Version {ldp_core.__version__}" in (folder / "book" / "intro.html").read_text(encoding="utf-8")
