"""A Pyodide distribution of one's own: one without what chapters need is refused before anything is built."""

import json

import pytest

from tools.lite import NEEDED, own_pyodide


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A whole distribution, as far as it is looked at."""
    depends = {"matplotlib": ["pillow"], "pillow": ["libpng"]}
    packages = {
        name: {"file_name": f"{name}-1.0.whl", "depends": depends.get(name, [])}
        for name in (*NEEDED, "pillow", "libpng")
    }
    (tmp_path / "pyodide-lock.json").write_text(json.dumps({"packages": packages}), encoding="utf-8")
    for name in ("pyodide.mjs", *(package["file_name"] for package in packages.values())):
        (tmp_path / name).touch()
    monkeypatch.setenv("LDP_BOOK_PYODIDE", str(tmp_path))
    return tmp_path


def test_a_whole_distribution_is_taken(folder, monkeypatch):
    assert own_pyodide() == str(folder)
    monkeypatch.setenv("LDP_BOOK_PYODIDE", "")
    assert own_pyodide() == ""


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        (["pyodide.mjs"], r"pyodide\.mjs"),
        (["pyodide-lock.json"], r"pyodide-lock\.json"),
        (["numpy-1.0.whl", "scipy-1.0.whl"], "numpy, scipy"),
        (["libpng-1.0.whl"], "libpng"),
    ],
)
def test_what_is_missing_is_named(folder, gone, said):
    for name in gone:
        (folder / name).unlink()
    with pytest.raises(ValueError, match=f"without {said}$"):
        own_pyodide()


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"packages": {"numpy": {}}}', '{"packages": []}'])
def test_a_list_that_is_none(folder, text):
    (folder / "pyodide-lock.json").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"without .*pyodide-lock\.json$"):
        own_pyodide()


def test_a_list_without_a_package(folder):
    (folder / "pyodide-lock.json").write_text('{"packages": {}}', encoding="utf-8")
    with pytest.raises(ValueError, match=f"without {', '.join(NEEDED)}$"):
        own_pyodide()


def test_no_such_folder(monkeypatch):
    monkeypatch.setenv("LDP_BOOK_PYODIDE", "/nope")
    with pytest.raises(ValueError, match=r"got '/nope', without pyodide\.mjs, pyodide-lock\.json"):
        own_pyodide()
