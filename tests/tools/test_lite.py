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
    ("gone", "listed", "said"),
    [
        (["pyodide.mjs"], None, r"pyodide\.mjs"),
        (["pyodide-lock.json"], None, r"pyodide-lock\.json"),
        (["numpy-1.0.whl", "scipy-1.0.whl"], None, "numpy, scipy"),
        (["libpng-1.0.whl"], None, "libpng"),
        ([], '{"packages": {}}', ", ".join(NEEDED)),
        *(([], text, r".*pyodide-lock\.json") for text in ("{", "[]", "{}", '{"packages": {"numpy": {}}}')),
    ],
)
def test_what_is_missing_is_named(folder, gone, listed, said):
    for name in gone:
        (folder / name).unlink()
    if listed:
        (folder / "pyodide-lock.json").write_text(listed, encoding="utf-8")
    with pytest.raises(ValueError, match=f"without {said}$"):
        own_pyodide()
