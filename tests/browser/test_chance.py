"""Draws that the page makes by itself: their law is the package's, and marks, numbers and words follow them."""

import itertools
import re

import numpy as np
import pytest
from scipy import stats

from ldp_core.frequency import RandomizedResponse
from livefig import choice, dots, draws, follow, live, log_slider, palette, panels

pytestmark = [pytest.mark.browser]

#: How often a test of a law would fail though the law is right, if its seeds were drawn afresh; they are fixed.
FALSE_ALARM = 1e-5


def surveys(epsilon, people, chance):
    survey = RandomizedResponse(epsilon)
    yes = round(0.3 * people)
    counts = chance.yeses(survey.p, survey.q, [yes] * 12, [people - yes] * 12)
    share = 100 * (counts - people * survey.q) / (survey.p - survey.q) / people
    reach = 100 * np.sqrt(survey.variance(people)) / people
    return share, reach, share.within(30 - reach, 30 + reach)


def draw(epsilon, people, chance):
    share, reach, covers = surveys(epsilon, people, chance)
    (ax,) = panels(1, 1)
    ring = ax.scatter(share, range(12), s=100, facecolor="none", edgecolor=palette.risk)
    follow(ring, x=share, seen=1 - covers)
    return dots(
        [""] * 12, {"estimate": (share, share - reach, share + reach)}, xlim=(30 - 4 * reach, 30 + 4 * reach),
        title=f"{covers.sum()} of 12 cover, the first is {share[0]:.2f} %", yticks={}, ax=ax,
    )  # fmt: skip


def alt(epsilon, people, chance):
    share, _, covers = surveys(epsilon, people, chance)
    return f"At ε = {epsilon:g} {covers.sum()} of 12 cover, first {share[0]:.2f}. Answers are {{0, 1}}."


def covering(epsilon, people, chance):
    return surveys(epsilon, people, chance)[2].sum()


@pytest.fixture(scope="module")
def address(write_page):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIVEFIG_STATIC", "1")
        figure = live(
            draw, epsilon=log_slider(0.1, 3, n=3, value=1.0), people=choice(400, 4_000_000),
            chance=draws(law=True, pile=covering, piled="How many cover"), alt=alt, label="Twelve",
        )  # fmt: skip
    return write_page("Chance", figure.html)


def pvalue(seen, probabilities):
    """Chi-square over values with at least five expected; the others are taken together."""
    expected = np.asarray(probabilities) * np.sum(seen)
    often = expected >= 5
    groups = [np.append(part[often], part[~often].sum()) for part in (np.asarray(seen, dtype=float), expected)]
    return stats.chisquare(*(group[groups[1] > 0] for group in groups), sum_check=False).pvalue


def test_the_page_draws_the_laws_of_the_package(open_page, address):
    page = open_page(address)

    def drawn(n, p, size, seed):
        return np.array(page.evaluate(
            "([n, p, size, seed]) => { const u = livefig.uniform(seed, n, 1); "
            "return Array.from({ length: size }, () => livefig.binomial(n, p, u)); }", [n, p, size, seed],
        ))  # fmt: skip

    uniform = page.evaluate("() => { const u = livefig.uniform(1, 2, 3); return Array.from({ length: 20000 }, u); }")
    assert stats.kstest(uniform, stats.uniform.cdf).pvalue > FALSE_ALARM
    for n, p, certain in ((0, 0.3, 0), (9, 0.0, 0), (9, 1.0, 9), (4_000_000, 1.0, 4_000_000)):
        assert set(drawn(n, p, 50, 1)) == {certain}
    for seed, (n, p) in enumerate(itertools.product((1, 2, 9, 40), (1e-3, 0.1, 0.5, 0.731, 0.999))):
        law = stats.binom.pmf(range(n + 1), n, p)
        assert pvalue(np.bincount(drawn(n, p, 5_000, seed), minlength=n + 1), law) > FALSE_ALARM, (n, p)
    # Of four million: in twenty parts of nearly equal probability, and mean and variance.
    for seed, p in enumerate((1e-7, 1e-3, RandomizedResponse(1.0).q, 0.5, RandomizedResponse(6.0).p)):
        n, size = 4_000_000, 5_000
        seen, law = drawn(n, p, size, 100 + seed), stats.binom(n, p)
        edges = np.unique(law.ppf(np.arange(1, 20) / 20))
        probabilities = np.diff([0, *law.cdf(edges), 1])
        assert pvalue(np.bincount(np.searchsorted(edges, seen), minlength=len(edges) + 1), probabilities) > FALSE_ALARM
        mean, variance, kurtosis = law.stats("mvk")
        z = stats.norm.isf(FALSE_ALARM / 2)
        assert abs(seen.mean() - mean) < z * np.sqrt(variance / size)
        assert abs(seen.var() - variance) < z * variance * np.sqrt((2 + kurtosis) / size)
    # The count of yeses of a survey, from the mechanism's channel: one person after the other.
    for seed, epsilon in enumerate((0.1, 1.0, 5.0)):
        survey = RandomizedResponse(epsilon)
        at_no, at_yes = survey.channel()
        law = np.ones(1)
        for row in [at_yes] * 3 + [at_no] * 5:
            law = np.convolve(law, row)
        seen = page.evaluate(
            "([law, seed]) => livefig.anew(law, livefig.uniform(seed, 0, 0))",
            [{"steps": [["counts", 20_000, 3, survey.p, 5, survey.q]]}, seed],
        )
        assert pvalue(np.bincount(seen, minlength=9), law) > FALSE_ALARM

    # Numbers are written as Python writes them.
    numbers = [*np.random.default_rng(1).normal(0, [[1], [1e-3], [1e4], [1e7]], (4, 25)).ravel().tolist(), -0.004, 0.0]
    numbers += [k / 8 for k in range(-40, 41)] + [k / 800 for k in range(21)] + [0.15, 1.005, 2.675, 12345678.5]
    for form in (".0f", ".1f", ",.0f", ",.2f", ".0%", ".1%", ",.1%"):
        said = page.evaluate("([all, form]) => all.map((x) => livefig.written(x, form))", [numbers, form])
        assert said == [re.sub(r"^-(?=[0.,]*%?$)", "", f"{x:{form}}").replace("-", "−") for x in numbers]


#: What is seen of the figure: dots in units of the axis, rings, title, alternative text, and which draw it is.
SEEN = """() => {
  const figure = document.querySelector("#twelve"), svg = figure.querySelector(".lf-stage svg");
  const moved = (mark) => /translate\\(([-\\d.]+)/.exec(mark.getAttribute("transform"))?.[1] || 0;
  const x = (mark) => Number(mark.getAttribute("x")) + Number(moved(mark));
  const ticks = [...svg.querySelectorAll(".tick")].map((tick) =>
    [Number(tick.querySelector("use").getAttribute("x")), Number(tick.textContent.replace("−", "-"))]);
  const [first, last] = [ticks[0], ticks.at(-1)];
  const value = (at) => first[1] + (at - first[0]) / (last[0] - first[0]) * (last[1] - first[1]);
  const dots = [...svg.querySelectorAll("use[data-x]:not([data-seen])")];
  const rings = [...svg.querySelectorAll("[data-seen]")];
  return {
    dots: dots.map((mark) => value(x(mark))),
    apart: Math.max(...dots.map((mark, k) => Math.abs(x(mark) - x(rings[k])))),
    rings: rings.map((mark) => getComputedStyle(mark).display !== "none"),
    title: figure.querySelector(".lf-finding").textContent,
    alt: figure.querySelector(".lf-stage").getAttribute("aria-label"),
    draw: figure.querySelector(".lf-draws output").textContent,
  };
}"""


def wait_for_draw(page, epsilon, draw):
    page.wait_for_function(
        "([epsilon, draw]) => { const f = document.querySelector('#twelve').livefig; "
        "return f.drawing === draw - 1 && f.stage.ariaLabel.startsWith(`At ε = ${epsilon} `); }", arg=[epsilon, draw],
    )  # fmt: skip
    return page.evaluate(SEEN)


def assert_agrees(seen, epsilon, people):
    """Marks, rings, title and alternative text tell one story."""
    survey = RandomizedResponse(epsilon)
    reach = 100 * np.sqrt(survey.variance(people)) / people
    off = np.abs(np.array(seen["dots"]) - 30) / reach
    clear = np.abs(off - 1) > 0.01  # a hundredth of a point in the drawing is less than that
    assert len(off) == 12
    assert ((off > 1) == seen["rings"])[clear].all()
    assert seen["apart"] < 0.02
    covers = 12 - sum(seen["rings"])
    assert seen["title"].startswith(f"{covers} of 12 cover, the first is ")
    first = float(re.search(r"first is ([−\d.]+)", seen["title"])[1].replace("−", "-"))
    assert abs(first - seen["dots"][0]) < 0.006 + 0.01 * reach
    assert seen["alt"] == f"At ε = {epsilon:g} {covers} of 12 cover, first {first:.2f}. Answers are {{0, 1}}.".replace(
        "-", "−"
    )


def test_marks_numbers_and_words_follow_a_draw_that_comes_again(open_page, address):
    page = open_page(address, reduced_motion="reduce")
    figure = page.locator("#twelve")
    baked = page.evaluate(SEEN)
    assert_agrees(baked, 1, 400)
    found = [baked]
    for number in range(2, 6):
        figure.get_by_role("button", name="New random draw").click()
        found.append(wait_for_draw(page, 1, number))
        assert_agrees(found[-1], 1, 400)
        assert found[-1]["draw"] == f"draw {number}"
    assert len({tuple(seen["dots"]) for seen in found}) == 5
    # Back at the first draw all is as it was baked.
    figure.get_by_role("button", name="Reset").click()
    again = wait_for_draw(page, 1, 1)
    assert again["dots"] == pytest.approx(baked["dots"])
    assert {**again, "dots": 0} == {**baked, "dots": 0}
    # Draws belong to where the other controls stand, and an address names them.
    page.evaluate("location.hash = '#twelve?epsilon=3&people=4000000&draw=7'")
    seventh = wait_for_draw(page, 3, 7)
    assert_agrees(seventh, 3, 4_000_000)
    page.evaluate("location.hash = '#twelve?epsilon=3&people=4000000&draw=1234567'")
    late = wait_for_draw(page, 3, 1_234_567)
    assert late["draw"] == "draw 1,234,567"
    assert late["dots"] != seventh["dots"]
    assert_agrees(late, 3, 4_000_000)
    page.go_back()
    assert wait_for_draw(page, 3, 7) == seventh
    page.reload()
    assert wait_for_draw(page, 3, 7) == seventh
    page.evaluate("location.hash = '#twelve?draw=0'")
    assert wait_for_draw(page, 1, 1)["alt"] == baked["alt"], "there is no draw 0"
    # A pinned draw stays behind the next.
    figure.get_by_role("button", name="Pin").click()
    figure.get_by_role("button", name="New random draw").click()
    assert wait_for_draw(page, 1, 2) == found[1]
    assert figure.locator(".lf-pinned").inner_text().endswith("people = 400, draw 1.")
    assert "lf-over" in figure.locator(".lf-ghost").get_attribute("class")
    assert figure.locator(".lf-ghost").get_attribute("aria-label").endswith(baked["alt"])
    # A hundred pile up, and a hundred more; the pile holds the draws that are seen.
    figure.get_by_role("button", name="Pile up a hundred").click()
    pile = figure.locator(".lf-pile")
    pile.locator("rect").nth(99).wait_for()
    figure.get_by_role("button", name="A hundred more").click()
    pile.locator("rect").nth(199).wait_for()
    assert pile.inner_text().startswith("How many cover. 200 draws: middle ")
    assert pile.locator("rect[style*=estimate]").count() == 1
    numbers = page.evaluate(
        "async () => { const f = document.querySelector('#twelve').livefig, law = (await f.load()).laws[f.index()];"
        " return Array.from({ length: 400 }, (_, k) => livefig.piled(law, livefig.drawn(f, law, f.index(), k))); }"
    )
    assert numbers[:5] == [12 - sum(seen["rings"]) for seen in found]
    middle = np.sort(numbers[:200])
    assert f"middle {middle[99]}, from {middle[0]} to {middle[-1]};" in pile.inner_text()
    # Intervals of ± one standard deviation: the exact law of how many of twelve cover.
    survey = RandomizedResponse(1.0)
    law = np.convolve(stats.binom.pmf(range(121), 120, survey.p), stats.binom.pmf(range(281), 280, survey.q))
    off = (np.arange(401) - 400 * survey.q) / (survey.p - survey.q) - 120
    one = law[np.abs(off) <= np.sqrt(survey.variance(400))].sum()
    assert pvalue(np.bincount(numbers, minlength=13), stats.binom.pmf(range(13), 12, one)) > FALSE_ALARM
    figure.get_by_role("button", name="Take the pile away").click()
    assert not pile.is_visible()
    assert not figure.get_by_role("button", name="A hundred more").is_visible()
