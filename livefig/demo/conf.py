"""Plain Sphinx with MyST-NB: sphinx-build livefig/demo _build/demo."""

project = "livefig: a demonstration"
extensions = ["myst_nb", "livefig.sphinx_ext"]
myst_enable_extensions = ["dollarmath"]
exclude_patterns = ["_build"]
