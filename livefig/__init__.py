"""One slider, three lives: on a page without a kernel, in a kernel, and in the browser's own kernel.

A notebook hands :func:`live` a plain function that returns a Matplotlib figure. In the build of a site (see
:mod:`livefig.sphinx_ext`) every combination of the controls is drawn once and baked into the page; in a kernel the same
function draws afresh, at any value.
"""

from livefig.axes import say
from livefig.chance import Chance, follow
from livefig.controls import Control, choice, draws, log_slider, register_meaning, slider
from livefig.display import Live, is_static, live, show
from livefig.figure import palette, style
from livefig.looks import Look, register_looks
from livefig.plots import band, bars, dots, law, lines, matrix, panels, spread
from livefig.prediction import Prediction, predict
from livefig.questions import number, quiz
from livefig.tables import Link, Picture, table

__all__ = [
    "Chance", "Control", "Link", "Live", "Look", "Picture", "Prediction", "band", "bars", "choice", "dots", "draws",
    "follow", "is_static", "law", "lines", "live", "log_slider", "matrix", "number", "palette", "panels", "predict",
    "quiz", "register_looks", "register_meaning", "say", "show", "slider", "spread", "style", "table",
]  # fmt: skip

__version__ = "0.1.0.dev0"
