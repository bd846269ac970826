"""The kit for a room without network: whole, and of use without one."""

import contextlib
import os
import subprocess
import sys
from importlib import metadata

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import ldp_core
from ldp_book import datasets
from tools import copies, kit
from tools.packages import wheel_names
from tools.toc import ROOT


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A site of one page, one notebook, two data sets."""
    site = tmp_path / "html"
    site.mkdir()
    (site / "index.html").write_text("<!DOCTYPE html><title>One</title>", encoding="utf-8")
    name = ROOT / "book/part/x.ipynb"
    monkeypatch.setattr(copies, "copies", lambda _: iter([(name.relative_to(ROOT), nbformat.v4.new_notebook())]))
    monkeypatch.setattr(datasets, "names", lambda: ["car", "diabetes"])
    return site


def test_a_kit_has_site_notebooks_package_data_and_a_text_and_is_of_use_without_network(small, tmp_path):
    folder = kit.make(small, tmp_path / "out", None, packages=False)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    wheels = [f"wheels/{name}" for name in wheel_names()]
    pages = {"site/index.html", "site/.nojekyll", "notebooks/part/x.ipynb"}
    assert found == {*pages, *wheels, "data/car.csv", "data/diabetes.csv", "START-HERE.txt"}
    text = (folder / "START-HERE.txt").read_text(encoding="utf-8")
    assert "--no-index" not in text, "what it needs comes from an index"
    assert f"Version {ldp_core.__version__}" in text
    assert "make kit PACKAGES=yes" in text
    assert "{" not in text
    assert " ".join(f"./{wheel}" for wheel in wheels) in text, "files, not names that somebody may have on an index"

    offline = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"LDP_BOOK_OFFLINE": "1"}
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", "env", *wheels]
    subprocess.run([*install, "--disable-pip-version-check"], cwd=folder, env=offline, check=True)
    code = (
        "import warnings; warnings.simplefilter('ignore'); from ldp_book import datasets; import ldp_core; "
        "d = datasets.load('car', source='standin'); print(ldp_core.__file__); print(len(d.frame))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=offline | {"PYTHONPATH": "env"}, capture_output=True, text=True
    )
    where, rows = done.stdout.splitlines()
    assert "env" in where
    assert len((folder / "data" / "car.csv").read_text(encoding="utf-8").splitlines()) == int(rows) + 1


def test_a_kit_that_cannot_be_made_leaves_the_last_one_alone(small, tmp_path):
    last = tmp_path / "out" / kit.NAME / "START-HERE.txt"
    last.parent.mkdir(parents=True)
    last.write_text("last", encoding="utf-8")
    with pytest.raises(FileNotFoundError, match="make book"):
        kit.make(tmp_path / "no site", tmp_path / "out", None, packages=False)
    assert last.read_text(encoding="utf-8") == "last"


def test_packages_are_what_binder_installs_for_the_machine_asked_for(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: seen.append(command))
    kit.download(tmp_path, "win_amd64", "3.12")
    kit.download(tmp_path, "", "")
    assert seen[0][-4:] == ["--platform", "win_amd64", "--python-version", "3.12"]
    assert seen[1][-1] == str(tmp_path)
    assert all(str(ROOT / ".binder" / "requirements.txt") in command for command in seen)


@pytest.mark.parametrize(
    ("platform", "system"),
    [
        ("win_amd64", {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"}),
        ("macosx_11_0_arm64", {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"}),
    ],
)
def test_a_kit_for_another_system_has_what_only_that_system_needs(tmp_path, monkeypatch, platform, system):
    """pip chooses files for the platform asked for, but what depends on the system by the machine that it runs on."""
    seen = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: seen.extend(command))
    kit.download(tmp_path, platform, "3.12")
    named = (ROOT / ".binder" / "requirements.txt").read_text(encoding="utf-8")
    names = [line.split("#")[0].strip() for line in named.splitlines() if line[:1].isalpha()]
    linux = {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"}
    assert needed(names, system) - needed(names, linux) <= set(seen)


def needed(names, system):
    """Packages that some need, as far as they are installed here."""
    found, rest = set(), [*names]
    while rest:
        name = canonicalize_name(rest.pop())
        if name not in found:
            found.add(name)
            with contextlib.suppress(metadata.PackageNotFoundError):
                for wanted in map(Requirement, metadata.requires(name) or []):
                    if wanted.marker is None or wanted.marker.evaluate({**system, "extra": ""}):
                        rest.append(wanted.name)
    return found
