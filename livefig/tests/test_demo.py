"""The demonstration builds by plain Sphinx and by Jupyter Book, with warnings as errors, and its figures are baked."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[1] / "demo"
BUILDERS = {
    "Sphinx": (["sphinx.cmd.build", "-q", "-W", "-b", "html", str(DEMO)], ""),
    "Jupyter Book": (["jupyter_book.cli.main", "build", str(DEMO), "-q", "-W", "--path-output"], "_build/html"),
}


@pytest.mark.parametrize("builder", BUILDERS)
def test_the_demonstration_builds(builder, tmp_path):
    (module, *arguments), inside = BUILDERS[builder]
    command = [sys.executable, "-c", f"from {module} import main; main()", *arguments, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    pages = {name: (tmp_path / inside / f"{name}.html").read_text(encoding="utf-8") for name in ("index", "ask")}
    used = {name for page in pages.values() for name in re.findall(r'data-frames="(\w+)"', page)}
    assert {file.stem for file in (tmp_path / inside / "_frames").glob("*.js")} == used
    assert len(used) == 2
    assert (tmp_path / inside / "_static" / "live.js").is_file()
    assert "Just show me" in pages["ask"]
    assert "lf-question" in pages["ask"]
