"""What .ci/run says at the end is what came of its parts."""

import os
import shutil
import subprocess

import pytest

from tools.toc import ROOT

#: Stands for make. The part with the real files ends at once; the tests then wait until its process has been seen to.
MAKE = """\
#!/bin/sh
case $1 in
  data) echo $$ > data.pid; echo checked "$LDP_BOOK_DATA"; exit $DATA ;;
  test) until [ -s data.pid ] && ! kill -0 "$(cat data.pid)" 2>/dev/null; do sleep 0.02; done; exit $TEST ;;
esac
"""


@pytest.mark.skipif(os.name == "nt" or shutil.which("bash") is None, reason="needs a Unix shell")
@pytest.mark.parametrize(("data", "test"), [(0, 0), (3, 0), (0, 3)])
def test_it_fails_if_a_part_fails(tmp_path, data, test):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    programs = {"bin/make": MAKE, ".venv/bin/python": "#!/bin/sh\n"}
    programs |= dict.fromkeys(("bin/python3", "bin/chromium-headless-shell", "bin/npm"), "#!/bin/sh\n")
    for name, text in programs.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "book").mkdir()
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    done = subprocess.run(
        [tmp_path / ".ci" / "run"],
        env={**os.environ, "PATH": path, "LDP_BOOK_DATA": str(tmp_path), "DATA": str(data), "TEST": str(test)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert f"[real data] checked {tmp_path}" in done.stdout
    assert (done.returncode != 0) == bool(data or test), done.stdout + done.stderr
