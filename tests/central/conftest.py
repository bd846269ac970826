"""What tests of the central model share."""

import numpy as np
import pytest

from ldp_core.central import privacy_loss


class Recorder(np.random.Generator):
    """A generator whose Laplace noise is zero, which notes the scales that it was asked for.

    An audit with these scales is one of the package.
    """

    def __init__(self):
        super().__init__(np.random.PCG64(1))
        self.scales = []

    def laplace(self, loc=0.0, scale=1.0, size=None):
        self.scales.append(scale)
        return 0.0 if size is None else np.zeros(size)


@pytest.fixture
def coarse(monkeypatch):
    """A grid of losses sixteen times as coarse, and as many times as quick: what is certain has to hold on any."""
    monkeypatch.setattr(privacy_loss, "_POINTS", 2**16)
