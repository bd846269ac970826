"""The array types of the package, each defined once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

#: Real numbers: estimates, probabilities, reports of a numeric mechanism.
Floats = npt.NDArray[np.float64]

#: Positions in a domain, 0 … d − 1, in any integer type.
Codes = npt.NDArray[np.integer[Any]]

#: How often something was seen.
Counts = npt.NDArray[np.int64]

#: Whole numbers of either sign.
Integers = npt.NDArray[np.int64]
