"""What a fixed piece of work takes here: a limit that is a multiple of it holds on a slow machine as well."""

import math
import time

import numpy as np


def yardstick():
    """Seconds of the processor, the least of three: arrays of a few entries, as in most calls, and one large one."""
    best = math.inf
    for _ in range(3):
        start = time.process_time()
        for k in range(10_000):
            np.asarray([k, 1.0]).max()
        np.sort(np.cos(np.arange(300_000.0)))
        best = min(best, time.process_time() - start)
    return best
