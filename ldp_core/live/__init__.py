"""One slider, three lives: on a page without a kernel, in a kernel, and in the browser's own kernel.

A chapter hands :func:`live` a plain function that returns a Matplotlib figure. In the build of the book every
combination of the controls is drawn once and baked into the page; in a kernel the same function draws afresh, at any
value.
"""

from ldp_core.live.axes import say
from ldp_core.live.chance import Chance, follow
from ldp_core.live.controls import Control, choice, draws, log_slider, slider
from ldp_core.live.diagram import pipeline
from ldp_core.live.display import Live, is_static, live, show
from ldp_core.live.figure import palette, style
from ldp_core.live.plots import band, bars, dots, law, lines, matrix, panels, spread
from ldp_core.live.prediction import Prediction, predict
from ldp_core.live.questions import number, quiz
from ldp_core.live.tables import Link, Picture, table

__all__ = [
    "Chance", "Control", "Link", "Live", "Picture", "Prediction", "band", "bars", "choice", "dots", "draws",
    "follow", "is_static", "law", "lines", "live", "log_slider", "matrix", "number", "palette", "panels",
    "pipeline", "predict", "quiz", "say", "show", "slider", "spread", "style", "table",
]  # fmt: skip
