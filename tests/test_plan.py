"""Plans say what the classes' own variances, bits and attacks are, and the range of ε ends where a wish does."""

import contextlib
import io
import itertools
import math
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from scipy import stats

from ldp_core import frequency, numeric, plan
from ldp_core.audit import exact_epsilon
from ldp_core.central import rdp_to_dp
from ldp_core.numeric.hybrid import EPSILON_STAR
from ldp_core.plan import _survey
from ldp_core.shuffle import shuffled_epsilon

EPSILONS = (0.01, 0.3, 1.0, 2.5, 8.0)
N = 1000


def rows(question, **arguments):
    return {row.mechanism.partition(" ")[0]: row for row in plan.survey(question, N, **arguments).rows}


def oracle_of(name, epsilon, d, held):
    if name == "RandomizedResponse":
        return frequency.RandomizedResponse(epsilon)
    more = {"set_size": held} if name == "SetSubsetSelection" else {}
    return getattr(frequency, name)(epsilon, d, **more)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(
    ("question", "d", "held"),
    [("yes-no", 2, 1), *[("one", d, 1) for d in (2, 3, 8, 130, 1000)], ("several", 12, 3), ("several", 300, 20)],
)
def test_rows_are_what_the_classes_give(question, d, held, epsilon):
    given = {} if question == "yes-no" else {"d": d, "held": held}
    for name, row in rows(question, epsilon=epsilon, share=0.3, **given).items():
        if question == "several" and name == "SubsetSelection":
            continue  # of one answer, drawn: below
        oracle = oracle_of(name, epsilon, d, held)
        assert row.sd == pytest.approx(math.sqrt(oracle.variance(N)) / N, rel=1e-9), name
        half_way = _survey._Z * math.sqrt(oracle.variance(N, N / 2)) / N
        assert row.common_half_width == pytest.approx(half_way, rel=1e-9), name
        assert row.bits == oracle.bits, name
        if name == "LocalHashing":
            if oracle.g**oracle.n_digits * d <= 2**20:
                assert oracle.attack_success() <= row.attack * (1 + 1e-12) <= oracle.attack_success() * 1.6
        elif name != "SetSubsetSelection" or d == 12:
            assert row.attack == pytest.approx(oracle.attack_success(), rel=1e-9), name
        assert 1 < row.odds <= math.exp(epsilon) * (1 + 1e-9)
        # At the people needed, and at the smallest share, a test with the class's own variances has its 80%.
        for n, share in [(row.people, 0.3), (N, row.smallest_share)]:
            if share is not None:
                at_zero, there = (math.sqrt(oracle.variance(N, c) / N / n) for c in (0, share * N))
                assert share == pytest.approx(_survey._Z * at_zero + _survey._POWER * there, rel=1e-6), name


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(
    ("question", "d", "held"), [("yes-no", 2, 1), *[("one", d, 1) for d in (2, 5, 9)], ("several", 8, 3)]
)
def test_odds_are_those_of_the_worst_report_of_the_channel(question, d, held, epsilon):
    given = {} if question == "yes-no" else {"d": d, "held": held}
    sets = np.array(list(itertools.combinations(range(d), held)))
    holds = (sets == 0).any(axis=1)
    for name, row in rows(question, epsilon=epsilon, **given).items():
        if name == "LocalHashing":
            assert row.odds == math.exp(epsilon)
            continue
        if question == "several" and name == "SubsetSelection":  # of one answer, drawn
            channel = frequency.SubsetSelection(epsilon, d).channel()[sets].mean(axis=1)
        else:
            channel = oracle_of(name, epsilon, d, held).channel()
        found = (channel[holds].mean(axis=0) / channel[~holds].mean(axis=0)).max()
        assert row.odds == pytest.approx(found, rel=1e-9), name
        assert found <= math.exp(epsilon) * (1 + 1e-9)
        for before in (0.001, 0.3):
            exact = before * found / (before * found + 1 - before)
            assert _survey._after(before, row.odds) == pytest.approx(exact, rel=1e-9)


def test_one_of_several_answers_drawn_at_random_is_enumerated():
    d, held = 6, 3
    for epsilon in EPSILONS:
        one = frequency.SubsetSelection(epsilon, d)
        held_sets = np.array(list(itertools.combinations(range(d), held)))
        channel = one.channel()[held_sets].mean(axis=1)
        row = rows("several", d=d, held=held, epsilon=epsilon)["SubsetSelection"]
        assert row.attack == pytest.approx(channel.max(axis=0).mean() * channel.shape[1] / len(held_sets), rel=1e-9)
        named = channel @ one.outputs()[:, 0]
        p, q = (named[(held_sets == 0).any(axis=1) == has].mean() for has in (True, False))
        assert row.sd == pytest.approx(math.sqrt(q * (1 - q) / N) / (p - q), rel=1e-9)
        both = math.sqrt((p * (1 - p) + q * (1 - q)) / 2 / N) / (p - q)
        assert row.common_half_width == pytest.approx(_survey._Z * both, rel=1e-9)


@pytest.mark.parametrize("epsilon", [*EPSILONS, EPSILON_STAR])
def test_means_are_what_the_classes_give(epsilon):
    for name, row in rows("mean", epsilon=epsilon).items():
        mechanism = getattr(numeric, name)(epsilon)
        assert 2 * row.sd == pytest.approx(math.sqrt(mechanism.worst_variance / N), rel=1e-9), name
        assert row.bits == mechanism.bits, name
        assert row.common_half_width is None, "an error that is the largest over all values"
        assert row.odds is None
    for name in ("Duchi", "Piecewise"):
        channel = getattr(numeric, name)(epsilon).channel([-1.0, 1.0])
        assert rows("mean", epsilon=epsilon)[name].attack == pytest.approx(channel.max(axis=0).sum() / 2, rel=1e-9)
    grid = np.arange(-(2**16), 2**16 + 1) / 1024
    if epsilon >= 1:
        laws = [numeric.DiscreteLaplace(epsilon).density(grid, np.full(grid.size, t)) for t in (-1.0, 1.0)]
        attack = rows("mean", epsilon=epsilon)["DiscreteLaplace"].attack
        assert attack == pytest.approx(np.max(laws, axis=0).sum() / 2, rel=1e-6)


@pytest.mark.parametrize(
    ("epsilon", "d", "best"),
    [
        (1.0, 2, "DirectEncoding"), (1.0, 6, "DirectEncoding"), (3.0, 41, "DirectEncoding"),
        (12.0, 2**18, "DirectEncoding"), (1.0, 7, "SubsetSelection"), (1.0, 40, "SubsetSelection"),
        (2.0, 16, "SubsetSelection"), (1.0, 1000, "OptimizedUnary"), (1.0, 2000, "LocalHashing"),
        (1.0, 2**24, "LocalHashing"),
    ],
)  # fmt: skip
def test_the_choice_is_that_of_the_decision_table(epsilon, d, best):
    made = plan.survey("one", N, d=d, epsilon=epsilon)
    assert made.rows[made.best].mechanism == best
    assert made.rows[made.best].sd <= 1.02 * min(row.sd for row in made.rows)


@pytest.mark.parametrize("bounds", [(0, 120), (-40.5, 60), (1e9, 1e9 + 1), (-1e290, 1e290)])
def test_a_mean_s_errors_are_in_the_unit_of_its_range(bounds):
    width = bounds[1] - bounds[0]
    plain = plan.survey("mean", N, half_width=0.03, belief=0.6)
    made = plan.survey("mean", N, half_width=0.03 * width, belief=0.6, bounds=bounds, unit="minutes")
    assert (made.low, made.epsilon, made.best, made.reason) == (plain.low, plain.epsilon, plain.best, plain.reason)
    assert made.central_half_width == pytest.approx(plain.central_half_width * width)
    assert f"a half-width of {made.central_half_width:.3g} minutes at" in made.verdict
    assert "in minutes " in str(made)
    for mine, other in zip(made.rows, plain.rows, strict=True):
        assert mine.half_width == pytest.approx(other.half_width * width)
        assert mine.people == pytest.approx(other.people)
    if width < 1e150:  # else a variance is too large for a double
        scaled = numeric.IntervalScaler(*bounds).inverse_variance(numeric.Duchi(made.epsilon).worst_variance / N)
        assert made.rows[0].sd == pytest.approx(math.sqrt(scaled), rel=1e-9)


def test_of_two_mechanisms_for_a_mean_the_better_one_is_taken():
    picked = [plan.survey("mean", N, epsilon=epsilon) for epsilon in (0.5, 2.0, 2.6, 8.0)]
    assert [made.rows[made.best].mechanism for made in picked] == ["Duchi"] * 2 + ["DiscreteLaplace"] * 2


WISHES = [
    {"half_width": 0.02}, {"half_width": 0.001, "belief": 0.6}, {"belief": 0.7}, {"share": 0.05},
    {"share": 0.1, "half_width": 0.03, "belief": 0.9}, {"share": 0.01, "belief": 0.55}, {"share": 1e-6},
]  # fmt: skip
ASKED = [(q, w) for q in get_args(_survey.Question) for w in WISHES if (q, "share") != ("mean", next(iter(w)))]


@pytest.mark.parametrize(("question", "wishes"), ASKED, ids=str)
def test_a_range_of_epsilon_ends_where_a_wish_does(question, wishes):
    given = {} if question in ("yes-no", "mean") else {"d": 20, "held": 3 if question == "several" else 1}
    made = plan.survey(question, 100_000, **wishes, **given)

    def enough(epsilon):
        one = plan.survey(question, 100_000, epsilon=epsilon, **wishes, **given)
        return one.rows[one.best].people is None or one.times <= 1

    if made.low is None:
        assert not enough(_survey._LARGEST)
    elif made.low > _survey._SMALLEST:
        assert enough(made.low)
        assert not enough(made.low * 0.985)
    if "belief" in wishes:
        prior = given["held"] / given["d"] if given and question != "any" else 0.5

        def after(epsilon):
            return prior * math.exp(epsilon) / (prior * math.exp(epsilon) + 1 - prior)

        assert after(made.high) <= wishes["belief"] < after(made.high * 1.015)
    assert made.possible == (made.low is not None and made.low <= made.high)
    if not made.possible:
        assert made.epsilon == made.high
        assert "No ε meets all wishes" in made.verdict
        assert f"{math.ceil(made.times * 100_000):,} people" in made.verdict
        assert made.times > 1
        more = plan.survey(question, math.ceil(100_000 * made.times), **wishes, **given)
        assert more.possible, "as many people as the plan asks for are enough"
    else:
        assert made.times <= 1
        assert f"ε = {made.epsilon:.3g}" in made.verdict
    assert ("equally likely beforehand" in made.verdict) == ("belief" in wishes)


@pytest.mark.parametrize("of", ["common", "population"])
@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("yes-no", {}), *[("one", {"d": d}) for d in (3, 12, 60, 300, 3000)], ("several", {"d": 20, "held": 3}),
        ("mean", {"bounds": (0, 120)}),
    ],
    ids=str,
)  # fmt: skip
def test_a_wish_about_a_common_answer_or_the_population_is_met_from_its_epsilon_on(question, given, of):
    wish, n = 0.02 * (120 if question == "mean" else 1), 40_000
    made = plan.survey(question, n, half_width=wish, half_width_of=of, **given)

    def error(epsilon):
        """By the class that the program makes, at the share or value where it is largest or asked for."""
        one = plan.survey(question, n, epsilon=epsilon, half_width=wish, half_width_of=of, **given)
        line = next(line for line in one.code.splitlines() if line.startswith(("oracle =", "mechanism =")))
        asker = eval(line.partition("= ")[2], {**vars(frequency), **vars(numeric)})
        if question == "mean":  # a person's number is at the ends of the range, or in its middle
            variance = 60**2 * asker.worst_variance / n
            most = 60**2 * max(asker.variance(t) + t * t for t in (0, 1)) / n - variance
        else:
            variance, most = asker.variance(n, n / 2) / n**2, 1 / (4 * n)
            least = min(row.common_half_width for row in one.rows if row.bits <= 1024)
            assert one.rows[one.best].common_half_width == pytest.approx(least)
            assert one.rows[one.best].common_half_width == pytest.approx(_survey._Z * math.sqrt(variance), rel=1e-7)
        half = _survey._Z * math.sqrt(variance + (most if of == "population" else 0))
        assert one.times == pytest.approx((half / wish) ** 2, rel=1e-7)  # ε in the program has ten digits
        return half

    assert error(made.low) <= wish < error(made.low * 0.985)
    errors = [error(epsilon) for epsilon in np.geomspace(made.low, 20, 60)]
    assert max(errors) <= wish
    assert np.all(np.diff(errors) <= 1e-12)
    assert made.low >= plan.survey(question, n, half_width=wish, **given).low


@pytest.mark.parametrize(
    ("n", "d", "share", "half_width"), [(30_000, 12, 0.01, 0.02), (10_000, 8, 0.02, 0.05), (50_000, 16, 0.01, 0.02)]
)
def test_a_wish_that_is_met_anyway_moves_nothing(n, d, share, half_width):
    one = {"share": share}, {"half_width": half_width, "half_width_of": "population"}
    alone = [plan.survey("one", n, d=d, **wish).low for wish in one]
    both = plan.survey("one", n, d=d, **one[0], **one[1])
    assert both.low == max(alone)
    assert all(plan.survey("one", n, d=d, epsilon=e, **one[0], **one[1]).times <= 1 for e in np.geomspace(both.low, 20))


def test_a_program_for_a_population_knows_that_people_were_drawn():
    for question, given in (("yes-no", {}), ("one", {"d": 12}), ("any", {"d": 4}), ("mean", {"bounds": (0, 240)})):
        wish = {"half_width": 0.05 if question != "mean" else 12, "half_width_of": "population"}
        made = plan.survey(question, N, **given, **wish)
        with contextlib.redirect_stdout(said := io.StringIO()):
            exec(made.code, {})
        assert "of the population" in said.getvalue()
        low, _, high = map(float, said.getvalue().splitlines()[1].split()[-3:])
        most = made.rows[made.best].population_half_width * (1 if question == "mean" else 100)
        least = made.rows[made.best].half_width * (0.6 if question == "mean" else 100)
        assert least < (high - low) / 2 < most * 1.05, "a share is not one half, a number not an end of the range"
    code = plan.survey("number", N, d=12, bounds=(0, 240), epsilon=1.0).code
    exec(code.partition("# A trial")[0], typed := {})
    assert isinstance(typed["device"]("30"), str)
    with pytest.raises(ValueError, match="no number"):
        typed["device"](math.nan)


def test_a_known_spread_and_a_wish_that_nobody_can_meet():
    hours = {"bounds": (0, 80), "half_width": 1, "half_width_of": "population"}
    worst = plan.survey("mean", 2_000, **hours)
    assert worst.low is None
    assert "a known spread makes it better" in worst.verdict
    least = math.ceil((_survey._Z * 40) ** 2)
    assert worst.verdict.endswith(f"Even without any noise it takes {least:,} people.")
    known = plan.survey("mean", 2_000, **hours, spread=12)
    row = known.rows[known.best]
    variance = 40**2 * numeric.DiscreteLaplace(known.epsilon).worst_variance + 12**2
    assert row.mechanism == "DiscreteLaplace"
    assert row.population_half_width == pytest.approx(_survey._Z * math.sqrt(variance / 2_000), rel=1e-6)
    assert row.population_half_width <= 1 < row.population_half_width * 1.01
    assert plan.survey("mean", 2_000, **hours, spread=40).low is None
    curator = plan.survey("one", 20_000, d=9, half_width=0.01, half_width_of="population", belief=0.12)
    both = math.hypot(math.log(20) * 2 / (curator.high * 20_000), _survey._Z * 0.5 / math.sqrt(20_000))
    assert f"A trusted curator has a half-width of {100 * both:.3g}% at" in curator.verdict


def test_a_plan_at_an_epsilon_that_misses_a_wish_says_so():
    assert "does not meet" in plan.survey("yes-no", 1000, epsilon=0.1, half_width=0.05).verdict
    assert "does not meet" in plan.survey("yes-no", 1000, epsilon=3.0, belief=0.6).verdict
    assert plan.survey("yes-no", 1000, epsilon=0.5, per_year=12).epsilon_year == 6
    assert "equally likely" not in plan.survey("one", 1000, d=10, belief=0.5, prior=0.22).verdict
    assert "(15%)" in plan.survey("several", 1000, d=20, held=3, belief=0.5).verdict
    assert (
        "the 365 reports of a year add up to ε = 398" in plan.survey("yes-no", 1000, belief=0.75, per_year=365).verdict
    )
    assert "of a year" not in plan.survey("yes-no", 1000, epsilon=0.5, belief=0.75, per_year=2).verdict
    wishes = {"half_width": 0.001, "belief": 0.6}
    assert plan.survey("yes-no", 1000, epsilon=3.0, **wishes).verdict == plan.survey("yes-no", 1000, **wishes).verdict


@pytest.mark.parametrize("n", [10, 1000, 30_000, 10**6])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 6.0])
def test_the_bound_for_shuffled_reports_is_one(n, epsilon):
    bound = plan.survey("yes-no", n, epsilon=epsilon).shuffled_epsilon
    assert shuffled_epsilon(epsilon, n, delta=1e-6).lower <= bound <= epsilon
    if n == 10**6:
        assert bound < epsilon


def test_a_curator_adds_laplace_noise_for_the_worst_pair():
    for question, given, changed in [
        ("yes-no", {}, 1), ("one", {"d": 9}, 2), ("several", {"d": 9, "held": 3}, 6), ("any", {"d": 9}, 9),
        ("mean", {}, 1),
    ]:  # fmt: skip
        made = plan.survey(question, N, epsilon=0.5, **given)
        assert made.central_half_width == pytest.approx(stats.laplace.isf(0.025, scale=changed / 0.5 / N))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_random_sample_adds_its_own_variance(epsilon):
    [row] = plan.survey("yes-no", N, epsilon=epsilon).rows  # at a share of one half a report is yes with probability ½
    by_hand = _survey._Z / (2 * math.sqrt(N) * math.tanh(epsilon / 2))
    assert row.population_half_width == pytest.approx(by_hand, rel=1e-9)
    for row in plan.survey("mean", N, epsilon=epsilon, bounds=(0, 120)).rows:
        mechanism = getattr(numeric, row.mechanism)(epsilon)
        most = max(mechanism.variance(t) + t * t for t in np.linspace(-1, 1, 201))  # of reports from numbers ±t
        assert row.population_half_width == pytest.approx(60 * _survey._Z * math.sqrt(most / N), rel=1e-6), row


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_any_number_of_answers_is_asked_about_one_by_one(epsilon):
    d = 3
    drawn, each = plan.survey("any", N, d=d, epsilon=epsilon, share=0.2).rows
    held = np.array(list(itertools.product([0, 1], repeat=d)))  # which answers apply: one row a person
    for row, part in ((drawn, epsilon), (each, epsilon / d)):
        oracle = frequency.RandomizedResponse(part)
        one = oracle.channel()
        if row is drawn:  # which answer was drawn, and what was said of it
            channel = np.hstack([one[held[:, j]] / d for j in range(d)])
            n = N // d  # N is no multiple of d: to the nearest person
            variances = [oracle.variance(n) / n**2 + s * (1 - s) / n * (1 - n / N) for s in (0, 0.5)]
        else:
            channel = np.array(
                [[math.prod(one[h, r] for h, r in zip(has, said, strict=True)) for said in held] for has in held]
            )
            variances = [oracle.variance(N) / N**2] * 2
        assert exact_epsilon(channel) == pytest.approx(epsilon, rel=1e-9)
        assert row.attack == pytest.approx(channel.max(axis=0).mean() * channel.shape[1] / len(held), rel=1e-9)
        has = held[:, 0] == 1
        assert row.odds == pytest.approx((channel[has].mean(0) / channel[~has].mean(0)).max(), rel=1e-9)
        assert [row.sd, row.common_half_width / _survey._Z] == pytest.approx(np.sqrt(variances), rel=2e-3)
        for people, s in ((row.people, 0.2), (N, row.smallest_share)):
            if s is not None:
                at, there = (
                    math.sqrt(row.sd**2 * N + (d - 1) * t * (1 - t) * (row is drawn)) for t in (0, s)
                )  # the variance that was checked above, at s
                assert s * math.sqrt(people) == pytest.approx(_survey._Z * at + _survey._POWER * there, rel=1e-6)


def test_each_of_any_answers_is_asked_about_where_that_is_surer():
    picked = [plan.survey("any", N, d=2, epsilon=epsilon) for epsilon in (1.0, 8.0)]
    assert [made.best for made in picked] == [0, 0], "of a rare answer"
    picked = [
        plan.survey("any", N, d=2, epsilon=epsilon, half_width=0.1, half_width_of="common") for epsilon in (1.0, 8.0)
    ]
    assert [made.best for made in picked] == [0, 1]


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("yes-no", {}), ("one", {"d": 5}), ("one", {"d": 12}), ("one", {"d": 1000}), ("one", {"d": 5000}),
        ("several", {"d": 9, "held": 2}), ("number", {"d": 10, "bounds": (-5, 20)}),
        ("mean", {"epsilon": 1.0}), ("mean", {"epsilon": 4.0}),
        ("any", {"d": 5}), ("any", {"d": 2, "epsilon": 8.0, "half_width": 0.1, "half_width_of": "common"}),
        ("mean", {"bounds": (-0.002, 0.0125)}), ("mean", {"bounds": (0, 250_000)}),
        *[
            (q, {"half_width": 0.05, "half_width_of": "common"} | given)
            for q, given in [("one", {"d": 30}), ("one", {"d": 5000}), ("several", {"d": 20, "held": 3})]
        ],
    ],
)  # fmt: skip
def test_the_program_runs_as_shown(question, given):
    made = plan.survey(question, N, **{"epsilon": 1.0} | given)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(made.code, typed := {})
    best, each = made.rows[made.best], question == "any" and made.best == 1
    assert best.mechanism.partition(" ")[0] in made.code
    assert made.code.startswith("# In a copy of the book: pip install .\nimport ")
    assert typed.get("oracle", typed.get("mechanism")).epsilon == pytest.approx(made.epsilon / (2 if each else 1))
    head, *lines = said.getvalue().splitlines()
    assert "95%" in head
    if question == "mean":
        low, estimate, high = map(float, lines[0].split())
        assert low < estimate < high
        assert estimate == pytest.approx(typed["values"].mean(), abs=5 * (high - low) / 3.92)
        return
    if question == "number":
        assert typed["names"][:2] == ["below -2.5", "-2.5 to 0"]
        assert typed["names"][-1] == "17.5 or more"
    d, oracle = given.get("d", 2), typed["oracle"]
    assert isinstance(typed["device"](2.5 if question == "number" else typed["answers"][0]), str)
    if question == "any":
        assert lines.pop().startswith(f"A report is true with p = {oracle.p:.6g};")
        truth, typed["names"] = typed["answers"].mean(axis=0) * 100, range(d)
    else:
        assert lines[-2] == f"A report supports what is true with p = {oracle.p:.6g}, all else with q = {oracle.q:.6g}."
        del lines[-2:]
        if question == "number":
            typed["answers"] = np.digitize(typed["values"], typed["edges"][1:-1])
        truth = np.bincount(np.ravel(typed["answers"]), minlength=d) / N * 100
    sd = 100 * made.rows[made.best].common_half_width / _survey._Z
    assert len(lines) == min(d, _survey._PRINTED)
    for line, name, share in zip(lines, typed["names"], truth, strict=False):
        said_name, low, estimate, high = line.split("  ")
        assert said_name == str(name)
        assert float(low) < float(estimate) < float(high)
        assert float(estimate) == pytest.approx(share, abs=6 * sd)


@pytest.mark.parametrize("question", ["several", "mean"])
def test_a_plan_prints_its_verdict_and_a_line_for_each_mechanism(question):
    made = plan.survey(question, N, belief=0.75, **({"d": 9, "held": 2} if question == "several" else {}))
    verdict, head, *lines = str(made).splitlines()
    assert verdict == made.verdict
    assert {len(line) for line in lines} == {len(head)}
    for i, (line, row) in enumerate(zip(lines, made.rows, strict=True)):
        assert (line[0] == "*") == (i == made.best)
        common = [] if row.common_half_width is None else [row.common_half_width]
        assert line[2:].startswith(row.mechanism)
        scale = 1 if question == "mean" else 100
        assert line[40:].split()[:-1] == [f"{scale * error:.3g}" for error in (row.sd, row.half_width, *common)]


@pytest.mark.parametrize(("n", "d", "people"), [(10**4, 5, 10**4), (10**6, 5, 10**4), (10**6, 2**24, 596)])
def test_a_program_of_fewer_people_than_planned_says_so(n, d, people):
    code = plan.survey("one", n, d=d, epsilon=1.0).code
    assert f"size={people})" in code
    assert (f"They are {people} of {n:,}," in code) == (people < n)


def test_the_page_says_how_much_wider_the_interval_of_a_common_answer_is():
    text = (Path(__file__).parents[1] / "book" / "practice" / "plan.md").read_text(encoding="utf-8")
    made = [plan.survey("one", N, d=10, epsilon=epsilon) for epsilon in (2.0, 4.0)]
    two, four = (one.rows[one.best] for one in made)
    wider = [row.common_half_width / row.half_width for row in (two, four)]
    assert f"is {wider[0]:.1f} times that of a rare answer at ε = 2, and {wider[1]:.1f} times at ε = 4" in text
    assert four.half_width < two.half_width
    assert four.common_half_width < two.common_half_width


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"question": "two"}, "question"), ({"question": "yes-no", "d": 3}, "d must be None"),
        ({"question": "one"}, "d must be given"), ({"question": "one", "d": 1, "epsilon": 1.0}, "d"),
        ({"question": "one", "d": 5, "held": 2, "epsilon": 1.0}, "held"),
        ({"question": "several", "d": 5, "held": 5, "epsilon": 1.0}, "held"),
        ({"question": "mean", "share": 0.1}, "share must be None"), ({"question": "yes-no"}, "epsilon must be given"),
        ({"question": "yes-no", "epsilon": 1.0, "half_width_of": "all"}, "half_width_of"),
        ({"question": "yes-no", "epsilon": 1.0, "spread": 0.1}, "spread must be None"),
        ({"question": "mean", "epsilon": 1.0, "spread": 0.6}, "spread"),
        ({"question": "yes-no", "epsilon": 21.0}, "epsilon"), ({"question": "yes-no", "belief": 0.5}, "belief"),
        ({"question": "yes-no", "belief": 0.9, "prior": 0.95}, "belief must be above prior"),
        ({"question": "yes-no", "epsilon": 1.0, "prior": 0.4}, "prior must be None"),
        ({"question": "yes-no", "epsilon": 1.0, "bounds": (0, 100)}, "bounds must be left out"),
        ({"question": "number", "d": 8, "epsilon": 1.0, "unit": "euro"}, "unit must be left out"),
        ({"question": "mean", "epsilon": 1.0, "bounds": (5, 5)}, "bounds must be"),
        ({"question": "mean", "epsilon": 1.0, "bounds": (1e15, 1e15 + 1)}, "bounds must lie further apart"),
        ({"question": "mean", "epsilon": 1.0, "unit": "m" * 21}, "unit must have at most 20"),
        ({"question": "mean", "half_width": 2.0}, "half_width"),
    ],
)  # fmt: skip
def test_what_makes_no_survey_is_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        plan.survey(n=100, **arguments)


@pytest.mark.parametrize("d", [2, 3, 100, 511, 513, 700, 5000])
def test_bits_of_a_set_are_exact(d):
    for k in {1, min(3, d - 1), d // 5 + 1, d // 3 + 1, d // 2, d - 1} - {d}:
        assert _survey._set_bits(d, k) == (math.comb(d, k) - 1).bit_length()


def test_the_table_of_deployments_has_the_epsilon_of_chrome_s_parameters():
    """With two hash functions two values differ in four bits of a Bloom filter, not in two."""
    text = (Path(__file__).parents[1] / "book" / "practice" / "deployments.md").read_text(encoding="utf-8")
    bits, rare = (frequency.Rappor(2, f=f, on=0.75, off=0.25) for f in (0.5, 0.25))
    assert f"{2 * bits.epsilon_forever:.2f}; {2 * bits.epsilon:.2f} for one report" in text
    assert f"(rare events: {2 * rare.epsilon_forever:.2f}; {2 * rare.epsilon:.2f})" in text


def test_the_table_of_deployments_has_the_epsilon_of_flipped_bits_and_of_the_census_s_scale():
    text = (Path(__file__).parents[1] / "book" / "practice" / "deployments.md").read_text(encoding="utf-8")
    flipped = frequency.SymmetricUnary(16.0, 3)
    assert flipped.q == pytest.approx(1 / (math.exp(8) + 1), rel=1e-9)
    assert exact_epsilon(flipped.channel()) == pytest.approx(16)
    assert "8 for one bit, 16 between two answers" in text
    rho = (542 / 339) ** 2
    orders = np.linspace(1.01, 20, 2000)
    found = min(rdp_to_dp(order, order * rho, delta=1e-10, conversion="improved") for order in orders)
    assert f"{found:.2f}, δ = 10⁻¹⁰ (ρ = {rho:.2f})" in text
