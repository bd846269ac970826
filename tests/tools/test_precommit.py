"""What looks at a commit: pinned, and the same as what `make lint` runs."""

import re
import shutil
import subprocess

import pytest
import yaml

from tools.toc import ROOT

HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
PINS = {hook["id"]: hook["additional_dependencies"] for hook in HOOKS}


@pytest.mark.parametrize("hook", ["ruff", "ruff-format", "codespell"])
def test_versions_are_those_of_make_lint(hook):
    lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").split("\n")
    assert set(PINS[hook]) <= {line.partition("#")[0].strip() for line in lines}


def test_everything_is_pinned():
    assert all(re.fullmatch(r"@?[\w./\[\]-]+(?:==|@)[\d.]+", pin) for pins in PINS.values() for pin in pins)


def test_scripts_are_formatted_and_have_no_lint():
    if not shutil.which("npx"):
        pytest.skip("no npm to fetch biome with: install Debian's package npm")
    (pin,) = PINS["biome"]
    done = subprocess.run(["npx", "--yes", pin, "ci"], cwd=ROOT, capture_output=True, text=True)
    if "npm error" in done.stderr:
        pytest.skip("npm could not fetch biome")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
