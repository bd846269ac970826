"""A mechanism costs its user NumPy and nothing else."""

import subprocess
import sys


def test_frequency_needs_numpy_only():
    heavy = ["pandas", "matplotlib", "sklearn", "scipy", "requests", "IPython", "ipywidgets"]
    code = (
        "import sys, ldp_core.frequency, ldp_core.postprocess, ldp_core.exhibits\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
