"""The chapter to start from has all that a chapter must have, and executes."""

import inspect

import nbclient
import nbformat
import pytest

from tests.book import test_sources as sources
from tools import format, frame, toc

FRAME = [name for name in vars(sources.TestFrame) if name.startswith("test_")]


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "frame.ipynb"
    nbformat.write(frame.frame("numeric/medians", "Medians"), path)
    return path


@pytest.mark.parametrize("name", FRAME)
def test_it_has_what_a_chapter_must_have(name, chapter):
    test = getattr(sources.TestFrame(), name)
    if list(inspect.signature(test).parameters) == ["path"]:
        test(chapter)


def test_it_is_formatted(chapter):
    assert format.formatted([chapter]) == [nbformat.read(chapter, as_version=4)]


def test_it_executes(chapter):
    notebook = nbformat.read(chapter, as_version=4)
    nbclient.NotebookClient(notebook, startup_timeout=3600, iopub_timeout=3600).execute()
    assert "(medians)=" in toc.markdown(chapter)
