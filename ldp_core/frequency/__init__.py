r"""Frequency oracles: how many users hold each value, asked of users who trust nobody.

For counts of d categories take :class:`DirectEncoding` while :math:`d < 3e^{\varepsilon} + 2`, else
:class:`OptimizedUnary`; :class:`SubsetSelection` errs less than both, :class:`LocalHashing` and
:class:`HadamardResponse` need few bits, :class:`HierarchicalHistogram` and :class:`HaarHistogram` are for ranges of
ordered values, and :class:`SetSubsetSelection` for users who hold sets. :class:`PrefixTree` finds words that nobody
listed. The mean of numbers is :mod:`ldp_core.numeric`'s.

Throughout, ``epsilon`` is the privacy budget ε of one report, finite and > 0, and ``domain`` the d ≥ 2 possible
values: an integer d for 0, 1, …, d − 1, or the categories, each once, in the order of every vector of counts. ``n`` ≥ 1
is the number of users who report, and ``rng`` where randomness comes from: a generator, a seed or None, in earnest
:func:`ldp_core.secure_rng`. A seed repeats its noise: it is for teaching, not for two reports about one person.
"""

from ldp_core.frequency.base import FiniteOracle, FrequencyOracle
from ldp_core.frequency.count_mean import CountMeanSketch
from ldp_core.frequency.direct import DirectEncoding
from ldp_core.frequency.findable import findable_share
from ldp_core.frequency.haar import HaarHistogram
from ldp_core.frequency.hadamard import HadamardCountMeanSketch
from ldp_core.frequency.hadamard_response import HadamardResponse
from ldp_core.frequency.hashing import LocalHashing, optimal_g
from ldp_core.frequency.hierarchical import HierarchicalHistogram
from ldp_core.frequency.histogram import DiscreteSummationHistogram, NoisyHistogram, SummationHistogram
from ldp_core.frequency.prefix_tree import Level, PrefixTree
from ldp_core.frequency.pure import PureOracle
from ldp_core.frequency.randomized_response import RandomizedResponse
from ldp_core.frequency.ranges import RangeHistogram
from ldp_core.frequency.rappor import Rappor, RapporClient
from ldp_core.frequency.set_subset import SetSubsetSelection
from ldp_core.frequency.several import SeveralAttributes
from ldp_core.frequency.sketch import Sketch
from ldp_core.frequency.sketch_tree import SketchTree
from ldp_core.frequency.subset import SubsetSelection, optimal_k
from ldp_core.frequency.unary import OptimizedUnary, SymmetricUnary, ThresholdHistogram, UnaryEncoding, optimal_theta

__all__ = [
    "CountMeanSketch", "DirectEncoding", "DiscreteSummationHistogram", "FiniteOracle", "FrequencyOracle",
    "HaarHistogram", "HadamardCountMeanSketch", "HadamardResponse", "HierarchicalHistogram", "Level",
    "LocalHashing", "NoisyHistogram", "OptimizedUnary", "PrefixTree", "PureOracle", "RandomizedResponse",
    "RangeHistogram", "Rappor", "RapporClient", "SetSubsetSelection", "SeveralAttributes", "Sketch", "SketchTree",
    "SubsetSelection", "SummationHistogram", "SymmetricUnary", "ThresholdHistogram", "UnaryEncoding",
    "findable_share", "optimal_g", "optimal_k", "optimal_theta",
]  # fmt: skip
