"""Frequency oracles: how many users hold each value, asked of users who trust nobody."""

from ldp_core.frequency.base import FrequencyOracle
from ldp_core.frequency.direct import DirectEncoding
from ldp_core.frequency.randomized_response import RandomizedResponse

__all__ = ["DirectEncoding", "FrequencyOracle", "RandomizedResponse"]
