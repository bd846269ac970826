"""Sparse vector: exact laws by integration, exact ε over neighbours."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from scipy import stats

from ldp_core import _validate
from ldp_core.audit import worst_pair
from ldp_core.central import above_threshold, above_threshold_probabilities, sparse, sparse_numeric

from .conftest import Recorder

#: Noise of the threshold, in units of its scale, over which laws are summed up.
GRID = np.linspace(-30, 30, 60_001)


def neighbours(values, moves, length):
    """Vectors of answers around the threshold, with all their neighbours."""
    for base in itertools.product(values, repeat=length):
        for move in itertools.product(moves, repeat=length):
            yield base, np.add(base, move)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("length", [1, 3])
def test_epsilon_is_kept_whatever_the_number_of_answers(epsilon, length):
    """With the scales that the package draws with."""
    rng = Recorder()
    above_threshold([-1.0] * 3, 0.0, epsilon=epsilon, rng=rng)
    threshold_scale, answer_scale, *others = rng.scales
    assert others == [answer_scale] * 2

    def law(answers):
        return above_threshold_probabilities(answers, 0.0, threshold_scale=threshold_scale, answer_scale=answer_scale)

    assert worst_pair(law, neighbours((-3.0, -0.5, 0.5), (-1, 1), length)).epsilon <= epsilon


def test_samples_follow_the_exact_law(chi_square_p):
    answers, epsilon = [1.0, 3.0, -2.0, 2.0], 1.5
    exact = above_threshold_probabilities(answers, 2.0, threshold_scale=2 / epsilon, answer_scale=4 / epsilon)
    assert exact.sum() == pytest.approx(1, abs=1e-9)
    rng = np.random.default_rng(1)
    found = [above_threshold(answers, 2.0, epsilon=epsilon, rng=rng) for _ in range(5_000)]
    assert chi_square_p([4 if f is None else f for f in found], dict(enumerate(exact.tolist()))) > 1e-6


@pytest.mark.parametrize("answer_scale", [1e-9, 1e-5, 1e-3, 0.02, 0.7, 30.0])
def test_the_law_at_any_ratio_of_the_noises(answer_scale):
    """Against panels that are far finer around every corner, where all is decided if answers have hardly any noise."""
    answers, threshold = np.random.default_rng(7).normal(0, 1, size=6), 0.3
    around = np.concatenate([[0.0], np.logspace(-3, 2, 60) * answer_scale])
    ends = np.concatenate([(answers - threshold)[:, None] + around, (answers - threshold)[:, None] - around])
    ends = np.unique(np.concatenate([ends.ravel(), np.linspace(-40, 40, 401)]))
    ends = ends[np.abs(ends) <= 40]
    nodes, weights = np.polynomial.legendre.leggauss(30)
    half = np.diff(ends) / 2
    z = ((ends[:-1] + half)[:, None] + half[:, None] * nodes).ravel()
    mass = (half[:, None] * weights).ravel() * stats.laplace.pdf(z)
    expected, still = [], np.ones_like(z)
    for answer in answers:
        hit = stats.laplace.sf(threshold + z - answer, scale=answer_scale)
        expected.append((still * hit) @ mass)
        still = still * (1 - hit)
    found = above_threshold_probabilities(answers, threshold, threshold_scale=1.0, answer_scale=answer_scale)
    np.testing.assert_allclose(found, [*expected, still @ mass], rtol=0, atol=1e-12)
    scaled = above_threshold_probabilities(
        answers * 1e250, threshold * 1e250, threshold_scale=1e250, answer_scale=answer_scale * 1e250
    )
    np.testing.assert_allclose(scaled, found, rtol=0, atol=1e-12)


def test_a_generator_is_not_asked_beyond_the_finding():
    asked = []

    def answers():
        for value in (0.0, 1e6, 2e6):
            asked.append(value)
            yield value

    assert above_threshold(answers(), 1000.0, epsilon=1.0, rng=2) == 1
    assert asked == [0.0, 1e6]


@cache
def chance_of_reaching(distance, scale_t, scale_a):
    """How likely an answer so far from the threshold is a finding, given each noise of the threshold on a grid."""
    return stats.laplace.sf(scale_t * GRID - distance, scale=scale_a)


@cache
def sparse_law(answers, threshold, c, scale_t, scale_a):
    """Law of all patterns of findings, by integration over the threshold's noise."""
    mass = np.exp(-np.abs(GRID)) / 2
    mass /= mass.sum()
    reach = [chance_of_reaching(a - threshold, scale_t, scale_a) for a in answers]
    law = {}
    for pattern in itertools.product((0, 1), repeat=len(answers)):
        cut, weight = [], np.ones_like(GRID)
        for hit, r in zip(pattern, reach, strict=True):
            if sum(cut) == c:
                break
            cut.append(hit)
            weight = weight * (r if hit else 1 - r)
        law[tuple(np.flatnonzero(cut))] = float(weight @ mass)
    return law


def scales_of_sparse(rng, **settings):
    """The scales with which :func:`sparse` draws: of the threshold, and of every answer."""
    sparse([-1.0] * 3, 0.0, rng=rng, **settings)
    scale_t, scale_a, *others = rng.scales
    assert others == [scale_a] * 2
    return scale_t, scale_a


@pytest.mark.parametrize(("c", "monotone"), [(1, False), (2, False), (2, True)])
def test_epsilon_of_several_findings_is_kept(c, monotone):
    scales = scales_of_sparse(Recorder(), c=c, epsilon=1.0, monotone=monotone)
    worst = 0.0
    for pair in neighbours((-1.5, 0.5), (0, 1) if monotone else (-1, 1), 3):
        one, other = (sparse_law(tuple(answers), 0.0, c, *scales) for answers in pair)
        worst = max(worst, *(abs(math.log(one[k] / other[k])) for k in one))
    assert worst <= 1.0 + 1e-6
    assert worst > 0.4  # not grossly wasteful


def test_several_findings_follow_their_law(chi_square_p):
    answers = (2.0, -1.0, 3.0)
    exact = sparse_law(answers, 1.0, 2, *scales_of_sparse(Recorder(), c=2, epsilon=2.0))
    rng = np.random.default_rng(3)
    draws = [tuple(sparse(answers, 1.0, c=2, epsilon=2.0, rng=rng)) for _ in range(5_000)]
    assert chi_square_p(draws, exact) > 1e-6


def test_values_come_with_fresh_noise():
    rng = np.random.default_rng(4)
    runs = [sparse_numeric([1e6, 0.0], 100.0, c=1, epsilon=2.0, rng=rng) for _ in range(2_000)]
    assert all(len(run) == 1 and run[0][0] == 0 for run in runs)
    assert stats.kstest([run[0][1] - 1e6 for run in runs], stats.laplace(scale=1.0).cdf).pvalue > 1e-6


def test_a_seed_has_another_stream_at_another_threshold_and_for_monotone_answers(monkeypatch):
    """Of one stream, two searches would show more of each answer than either."""
    real, keys = _validate.seeded, []

    def spied(seed, use, *key):
        keys.append(key)
        return real(seed, use, *key)

    monkeypatch.setattr(_validate, "seeded", spied)
    for threshold, monotone in ((1.0, False), (2.0, False), (1.0, True)):
        for search in (sparse, sparse_numeric):
            search([1.0, 3.0], threshold, c=1, epsilon=1.0, monotone=monotone, rng=7)
    assert len(set(keys)) == len(keys) == 6
