"""One slider, three lives: on a page without a kernel, in a kernel, and in the browser's own kernel.

A notebook hands :func:`live` a plain function that returns a Matplotlib figure. In the build of a site (see
:mod:`livefig.sphinx_ext`) every combination of the controls is drawn once and baked into the page; in a kernel the same
function draws afresh, at any value. What several of the package's functions take is told of here once.

**Plots** return the Matplotlib figure, with alternative text of its own. They take values as mappings from what the
legend says, and the keywords of :class:`~livefig.axes.Frame` as ``frame``: labels, limits, ticks, guides, colours,
legend, axes. ``mark`` is where the reader stands: an upright line, and a dot on each curve. With ``markers`` the values
themselves are shown, and ``points`` are single places, or measured values, without a line: pairs (x, y) by name.

**Controls** are for :func:`live`, by the name of a parameter of the drawing function. ``value`` is where one starts, by
default near the middle, and becomes one of the positions. ``label`` stands in front of it, ``format`` turns a value
into its text, ``meaning`` says what a value means (a text or a function of the value; ``""`` says nothing where
:func:`register_meaning` would), and ``ends`` are two texts: what the lower and the upper end are.

**Figures** show what ``draw`` returns; ``alt`` says it to readers who do not see it.
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
