"""Learning from private reports: classifiers and transformers that follow scikit-learn's conventions.

What is listed here is loaded when it is first asked for, so that whoever wants a projection loads no oracle.

Constructors take ε by position (without ε, the first parameter) and the rest by keyword. ``epsilon`` > 0 is the
privacy budget of all that one user sends, or of a curator's whole model. ``X`` are features, shape (n, h), and ``y``
classes, shape (n,), none missing.

``classes``, at least two, and ``categories``, per categorical feature its values or their number n_i for
0, …, n_i − 1, are public. None reads them off the data, assuming that they are public anyway: the guarantee covers what
users report, not the list, and :class:`PrivacyLeakWarning` says so. Where the data then hold one class only, nobody is
asked, and the model always predicts it. ``bounds`` are public too, lower and upper ones, for all features or one for
each. Values outside are moved to the nearer bound, on the user's device; where most lie outside the default,
:class:`OutOfBoundsWarning` says so.

``random_state`` is a :class:`numpy.random.Generator`, in earnest :func:`ldp_core.secure_rng`, an int or None. None
gives fresh noise in every fit, and so does a generator, of which each clone, copy or fold gets a stream of its own;
only the same generator from the same start repeats. An int is for teaching: **the same noise in every fit, which is not
private**, see :class:`RepeatedNoiseWarning`. scikit-learn's older ``RandomState`` is refused, since its copies would
repeat the noise. Where a method has an ``rng``, None takes ``random_state``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ldp_core.learn._notices import OutOfBoundsWarning, PrivacyLeakWarning, RepeatedNoiseWarning
    from ldp_core.learn._schema import Schema, records
    from ldp_core.learn._tables import ContingencyTables
    from ldp_core.learn.compare import judge, paired, repeated_cv, rivals
    from ldp_core.learn.components import DCA, projection_bounds
    from ldp_core.learn.consistency import make_consistent
    from ldp_core.learn.discretize import EqualFrequencyDiscretizer, EqualWidthDiscretizer
    from ldp_core.learn.dp_naive_bayes import DPNaiveBayes
    from ldp_core.learn.feature_selection import FELP, FWELL, fwell_weights, local_margins, longest_weights
    from ldp_core.learn.gaussian_nb import LDPGaussianNB
    from ldp_core.learn.gradients import gradient_sum, shorten
    from ldp_core.learn.ldpbayes import LDPBayes, RecordCounts
    from ldp_core.learn.logistic import DPLogisticRegression
    from ldp_core.learn.naive_bayes import LDPNaiveBayes

__all__ = [
    "DCA", "FELP", "FWELL", "ContingencyTables", "DPLogisticRegression", "DPNaiveBayes", "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer", "LDPBayes", "LDPGaussianNB", "LDPNaiveBayes", "OutOfBoundsWarning", "PrivacyLeakWarning",
    "RecordCounts", "RepeatedNoiseWarning", "Schema", "fwell_weights", "gradient_sum", "judge", "local_margins",
    "longest_weights", "make_consistent", "paired", "projection_bounds", "records", "repeated_cv", "rivals", "shorten",
]  # fmt: skip

#: Where each of them stands.
_HOMES = {
    "_notices": "OutOfBoundsWarning PrivacyLeakWarning RepeatedNoiseWarning",
    "_schema": "Schema records",
    "_tables": "ContingencyTables",
    "compare": "judge paired repeated_cv rivals",
    "components": "DCA projection_bounds",
    "consistency": "make_consistent",
    "discretize": "EqualFrequencyDiscretizer EqualWidthDiscretizer",
    "dp_naive_bayes": "DPNaiveBayes",
    "feature_selection": "FELP FWELL fwell_weights local_margins longest_weights",
    "gaussian_nb": "LDPGaussianNB",
    "gradients": "gradient_sum shorten",
    "ldpbayes": "LDPBayes RecordCounts",
    "logistic": "DPLogisticRegression",
    "naive_bayes": "LDPNaiveBayes",
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names.split():
            try:
                module = import_module(f"ldp_core.learn.{home}")
            except ModuleNotFoundError as error:
                missing = str(error.name).partition(".")[0]
                advice = f'{__name__} needs {missing}, which the extra "learn" installs: pip install ".[learn]"'
                raise ModuleNotFoundError(advice, name=missing) from None
            return globals().setdefault(name, getattr(module, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
