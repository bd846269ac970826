"""A type of array has one name, and is defined in one place."""

import re
from pathlib import Path

import ldp_core
from ldp_core import _arrays

HOME = Path(_arrays.__file__)


def test_each_type_of_array_is_defined_once():
    names = [name for name in vars(_arrays) if name[0].isupper() and name != "Any"]
    assert {"Floats", "Codes"} <= set(names)
    for path in set(Path(ldp_core.__file__).parent.rglob("*.py")) - {HOME}:
        text = path.read_text(encoding="utf-8")
        assert not re.search(rf"^({'|'.join(names)}) = ", text, re.MULTILINE), path
        assert "NDArray[np.float64]" not in text, path
