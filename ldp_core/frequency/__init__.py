"""Frequency oracles: how many users hold each value, asked of users who trust nobody."""

from ldp_core.frequency.base import FrequencyOracle, PureOracle
from ldp_core.frequency.direct import DirectEncoding
from ldp_core.frequency.hashing import LocalHashing, optimal_g
from ldp_core.frequency.histogram import (
    DiscreteSummationHistogram,
    SummationHistogram,
    ThresholdHistogram,
    optimal_theta,
)
from ldp_core.frequency.randomized_response import RandomizedResponse
from ldp_core.frequency.rappor import Rappor, RapporClient
from ldp_core.frequency.sketch import CountMeanSketch, HadamardCountMeanSketch
from ldp_core.frequency.subset import SetSubsetSelection, SubsetSelection, optimal_k
from ldp_core.frequency.unary import OptimizedUnary, SymmetricUnary, UnaryEncoding

__all__ = [
    "CountMeanSketch",
    "DirectEncoding",
    "DiscreteSummationHistogram",
    "FrequencyOracle",
    "HadamardCountMeanSketch",
    "LocalHashing",
    "OptimizedUnary",
    "PureOracle",
    "RandomizedResponse",
    "Rappor",
    "RapporClient",
    "SetSubsetSelection",
    "SubsetSelection",
    "SummationHistogram",
    "SymmetricUnary",
    "ThresholdHistogram",
    "UnaryEncoding",
    "optimal_g",
    "optimal_k",
    "optimal_theta",
]
