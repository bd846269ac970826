"""The central model, for contrast: a trusted curator sees the data and adds noise to what is published.

One rule for arguments: at most two by position, first the data, then what is asked of them (a threshold, a statistic,
the bounds of :func:`clip`); everything else by keyword, the guarantee and the noise above all. Where one guarantee is
turned into another, as by :func:`advanced`, :func:`zcdp_pure` or :func:`dp_to_zcdp`, the guarantee that is known is the
data. ``neighbours="add-remove"`` (one person more or less, the default) or ``"replace"`` (one record for another) says
for whom a guarantee is meant, where a function knows both. Where it has no such argument, either a sensitivity is
given, and the relation with it, or one relation only is meant, as its documentation says: :func:`smooth_median` and
:func:`smooth_sensitivity_median` (like :class:`ldp_core.learn.FELP`) are for one record replaced,
:func:`median_distance` counts replaced records, :func:`mean_distance` people who leave or join. ``monotone=True`` is a
property of scores or answers besides: that all of them move in the same direction between neighbours, as counts do
under "add-remove".

Throughout, ``epsilon`` is the privacy budget ε of the whole answer, finite and > 0, ``delta`` lies strictly between 0
and 1, ``sensitivity`` is the largest change Δ > 0 of the answer between neighbouring data sets, ``bounds`` are public,
a pair (lower, upper), and ``values`` are numbers, one per person, of which those outside are clipped. Randomness comes
from ``rng``: a generator, a seed or None, in earnest :func:`ldp_core.secure_rng`. A seed repeats its noise: it is for
teaching, not for two answers about one person. A scale of noise is at most 1e300, an answer at most 1e307 in size.
"""

from ldp_core.central.accounting import Accountant
from ldp_core.central.composition import advanced, advanced_pays_from, parallel, sequential
from ldp_core.central.discrete import discrete_gaussian, discrete_laplace
from ldp_core.central.intervals import laplace_interval, quantile_interval, share_interval
from ldp_core.central.noise import gaussian, gaussian_delta, gaussian_epsilon, gaussian_sigma, laplace
from ldp_core.central.privacy_loss import Interval, PrivacyLoss
from ldp_core.central.renyi import (
    dp_to_zcdp,
    rdp_gaussian,
    rdp_laplace,
    rdp_pure,
    rdp_sampled_gaussian,
    rdp_to_dp,
    zcdp_gaussian,
    zcdp_pure,
    zcdp_to_dp,
)
from ldp_core.central.sampling import sampled_gaussian_sigma
from ldp_core.central.selection import (
    exponential,
    exponential_probabilities,
    noisy_max_probabilities,
    permute_and_flip,
    report_noisy_max,
)
from ldp_core.central.sensitivity import (
    clip,
    clipping_error,
    mean_distance,
    median_distance,
    noisy_mean,
    noisy_sum,
    propose_test_release,
    sample_and_aggregate,
    sum_sensitivity,
)
from ldp_core.central.smooth import (
    smooth_beta,
    smooth_median,
    smooth_noise_density,
    smooth_scale,
    smooth_sensitivity_median,
)
from ldp_core.central.sparse_vector import above_threshold, above_threshold_probabilities, sparse, sparse_numeric
from ldp_core.central.vectors import laplace_l2

__all__ = [
    "Accountant", "Interval", "PrivacyLoss", "above_threshold", "above_threshold_probabilities", "advanced",
    "advanced_pays_from", "clip", "clipping_error", "discrete_gaussian", "discrete_laplace", "dp_to_zcdp",
    "exponential", "exponential_probabilities", "gaussian", "gaussian_delta", "gaussian_epsilon", "gaussian_sigma",
    "laplace", "laplace_interval", "laplace_l2", "mean_distance", "median_distance", "noisy_max_probabilities",
    "noisy_mean", "noisy_sum", "parallel", "permute_and_flip", "propose_test_release", "quantile_interval",
    "rdp_gaussian",
    "rdp_laplace", "rdp_pure", "rdp_sampled_gaussian", "rdp_to_dp", "report_noisy_max", "sample_and_aggregate",
    "sampled_gaussian_sigma", "sequential", "share_interval", "smooth_beta", "smooth_median",
    "smooth_noise_density", "smooth_scale", "smooth_sensitivity_median", "sparse", "sparse_numeric",
    "sum_sensitivity", "zcdp_gaussian", "zcdp_pure", "zcdp_to_dp",
]  # fmt: skip
