"""The page on one's own table: it reads what a reader drops, sends nothing, and draws by the laws of the package."""

import csv
import io
import re
import urllib.parse
from collections import Counter

import numpy as np
import pytest

from ldp_core import frequency, plan

pytestmark = [pytest.mark.browser, pytest.mark.site]

PAGE = ("book", "practice", "your-table.html")


@pytest.fixture
def page(open_page, site):
    return opened(open_page, site)


def opened(open_page, site, **settings):
    page = open_page(site.joinpath(*PAGE), **settings)
    page.locator("#rehearsal svg").wait_for()
    return page


def said(page):
    return page.locator("#rehearsal-form output").text_content()


def drop(page, content, name="table.csv"):
    """Take a file, and return what the page then says."""
    page.evaluate("document.querySelector('#rehearsal-form output').textContent = 'Reading'")
    data = content.encode() if isinstance(content, str) else content
    page.locator("input[name=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
    page.locator("#rehearsal-form output:not(:text('Reading'))").wait_for()
    return said(page)


def two_frames(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def shares(page):
    """Answers with what the page's table says of each: true share, estimate and both ends, as fractions."""
    rows = page.locator(".rehearsal-numbers tbody tr").evaluate_all(
        "all => all.map((row) => [...row.children].map((cell) => cell.textContent))"
    )
    return {
        name: [float(cell.rstrip(" %").replace(",", "").replace("−", "-")) / 100 for cell in cells]
        for name, *cells in rows
    }


DRAWS, COUNTS = 1500, (120, 80, 50, 30, 15, 5, 0)


@pytest.mark.parametrize("epsilon", [0.4, 2.0])
def test_the_page_s_draws_have_the_laws_of_the_package(page, epsilon):
    """Means, variances, and variances of differences, which the joint law decides: 5 · 20 z-values.

    All below 4.5 in size: of independent seeds fewer than one in a thousand would fail.
    """
    n, d = sum(COUNTS), len(COUNTS)
    drawn = page.evaluate(
        """([counts, e, draws]) => {
          const asked = { names: counts.map(String), counts, n: counts.reduce((a, b) => a + b) };
          return Array.from({ length: draws }, (_, i) => planRehearse(asked, e, [i, 2 * i + 1, 7]).trials.map(
            ({ answers, promised }) => [promised, ...answers.flatMap(({ share, low, high }) => [share, low, high])]));
        }""",
        [COUNTS, epsilon, DRAWS],
    )
    table = np.array(drawn)  # draws, mechanisms, the promised error and three numbers for each answer
    expected = plan.rehearse({"x": np.repeat(np.arange(d), np.array(COUNTS) + 1)}, "x", epsilon=epsilon, rng=0)
    for i, name in enumerate(trial.mechanism for trial in expected.trials):
        oracle = getattr(frequency, name)(epsilon, d)
        variance = oracle.variance(n, COUNTS)
        assert table[0, i, 0] * n == pytest.approx(np.sqrt(variance.mean()), rel=1e-9)
        estimates, low, high = (n * table[:, i, 1 + k :: 3] for k in range(3))
        support = np.rint(estimates * (oracle.p - oracle.q) + n * oracle.q)
        np.testing.assert_allclose([low, high], oracle.interval(support, n), rtol=1e-9, atol=1e-7)
        covariance = np.diag(variance)
        if name != "LocalHashing":
            covariance = exact_covariance(oracle)
            np.testing.assert_allclose(np.diag(covariance), variance, rtol=1e-9)
        if name in ("DirectEncoding", "SubsetSelection"):
            np.testing.assert_allclose(estimates.sum(axis=1), n, rtol=1e-9)
        z = (estimates.mean(axis=0) - COUNTS) / np.sqrt(variance / DRAWS)
        steps = np.eye(d) - np.eye(d, k=1)
        spread = np.concatenate([variance, np.diag(steps @ covariance @ steps.T)[:-1]])
        found = np.concatenate([estimates, -np.diff(estimates, axis=1)], axis=1)
        squares = (found - found.mean(axis=0)) ** 2
        off = (squares.sum(axis=0) / (DRAWS - 1) - spread) / (squares.std(axis=0) / np.sqrt(DRAWS))
        assert np.abs([*z, *off]).max() < 4.5, (name, z, off)


def exact_covariance(oracle):
    """Covariance of the estimated counts, from the channel."""
    channel, support = (
        oracle.channel(),
        np.array([oracle.aggregate(oracle.outputs()[[y]]) for y in range(oracle.n_outputs)]),
    )
    total = np.zeros((oracle.d, oracle.d))
    for law, count in zip(channel, COUNTS, strict=True):
        mean = law @ support
        total += count * ((support.T * law) @ support - np.outer(mean, mean))
    return total / (oracle.p - oracle.q) ** 2


def written(rows, **style):
    text = io.StringIO()
    csv.writer(text, **style).writerows(rows)
    return text.getvalue()


SIZES = [["city", "size", 'of "all", text'], *[["Köln", 12.5, "a, b"], ["Rom", 3, 'c "d"'], ["", 3, "e\nf"]] * 4]
FILES = {
    "commas.csv": written(SIZES),
    "windows.csv": written(SIZES).encode("windows-1252"),
    "twice.csv": "a,a,b,a.1\n" + "x,u,p,1\ny,v,q,2\n" * 3,
    "semicolons.csv": "\ufeff" + written(SIZES, delimiter=";", lineterminator="\r\n"),
    "pipes.csv": written(SIZES, delimiter="|"),
    "tabs.tsv": written(SIZES, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_ALL),
    "no-names.data": "39, State-gov, ?\n50, Private, x\n39, Private, y\n50, Private, x\n61, Private, ?\n\n",
    "decimals.csv": "size;share\n" + "1,5;0,25\n-2,5;,75\n" * 3,
    "row-numbers.csv": ",size\n" + "".join(f"{i % 2},{'SML'[i % 3]}\n" for i in range(6)),
    "letters.data": "p,x\ne,x\ne,b\np,b\np,x\n",
    "numbers.csv": "age\n" + "\n".join(map(str, [*range(18, 90), "NA", "1e2"] * 2)),
    "rare.csv": "word\n" + "\n".join([f"w{i % 40:02}" for i in range(1600)] + ["other"] * 50 + ["once", "n/a"]),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")  # pandas reads once more what it takes for numbers
def test_a_file_is_read_as_the_line_of_python_reads_it(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seen = []
    monkeypatch.setattr("builtins.print", seen.append)
    for name, text in FILES.items():
        data = text if isinstance(text, bytes) else text.encode()
        tmp_path.joinpath(name).write_bytes(data)
        assert "people" in drop(page, data, name), name
        columns = page.locator("select[name=column] option").evaluate_all("all => all.map((one) => one.value)")
        head = data.splitlines()[0].replace(b'""all"", ', b"")
        assert len(columns) == len(re.split(b"[,;\t|]", head)), name
        assert "left out" not in page.locator(".rehearsal-note").text_content(), name
        for column in columns:
            page.locator("select[name=column]").select_option(column)
            exec(page.locator("#rehearsal pre").text_content(), {})
            answers, counts = seen[-1].answers, seen[-1].true_counts
            found = shares(page)
            assert [*found] == [*answers], (name, column)
            np.testing.assert_allclose([one[0] for one in found.values()], counts / counts.sum(), rtol=5e-3)
            assert f"{counts.sum():,} people" in said(page)


def test_rows_that_lie_across_two_pieces_of_a_file_are_whole(page):
    rng = np.random.default_rng(5)
    cells = ["a", 'b "c", d', "é" * 7, "x\r\ny", ""]
    drawn = [cells[i] for i in rng.choice(5, p=[0.4, 0.3, 0.15, 0.1, 0.05], size=300_000)]
    text = written([["id", "cell"], *zip(range(300_000), drawn, strict=True)])
    assert len(text.encode()) > 3 * 2**20
    drop(page, text)
    page.locator("select[name=column]").select_option("1")
    found = {name: one[0] for name, one in shares(page).items()}
    expected = {cell or "missing": times / 300_000 for cell, times in Counter(drawn).items()}
    assert found == {name: pytest.approx(share, rel=5e-3) for name, share in expected.items()}
    assert len(found) == 5


DATES = "day\n" + "\n".join([f"{year}-02-{day:02}" for year in range(60) for day in range(1, 29)] + ["29-02"] * 9)


def test_a_bad_file_gets_a_clear_word_which_stays_and_the_table_before_it_goes(page):
    for content, word in (
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "This is no text"), ("", "There are no rows"), ("\n\n", "There are no rows"),
        ("a,b\n1\n2\n3,4,5\n", "row 2 has 1, row 1 has 2"), ('a\n"b\n', "Row 2 has a quotation mark that is never"),
        ("a\n" + "x" * 10_001, "Row 2 has a cell of more than 10000 characters"),
        (",".join("x" * 1001), "more than 1000 columns"),
    ):  # fmt: skip
        found = drop(page, content)
        assert word in found
        page.get_by_role("slider").press("ArrowRight")
        page.get_by_label("The first row has names").click()
        page.set_viewport_size({"width": 1280, "height": page.viewport_size["height"] - 10})
        two_frames(page)
        assert said(page) == found
        assert page.locator("#rehearsal").is_hidden()
        assert page.locator("select[name=column] option").count() == 0
    assert page.locator("input[name=file]").input_value().endswith("table.csv")
    page.get_by_role("button", name="Take the sample").click()
    page.get_by_text("32,561 people").wait_for()
    assert page.locator("input[name=file]").input_value() == "", "the file that was refused is named no more"
    assert "There are no rows below the names" in drop(page, "a,b\n")
    assert "is no question. Most people give an answer of their own" in drop(page, DATES)
    assert page.locator("#rehearsal").is_hidden()
    page.get_by_role("slider").press("ArrowRight")
    two_frames(page)
    assert "is no question" in said(page)
    many = "name\n" + "\n".join(f"person {i}" for i in range(100_001))
    assert "more than 100000 different texts" in drop(page, many)
    assert "4 people" in drop(page, "a,b\nx,1\ny,2\nx,1,9\ny,2\nx,1\n")
    left_out = "1 row has another number of cells, and is left out (row 4 has 3, row 1 has 2)."
    assert left_out in page.locator(".rehearsal-note").text_content()
    page.evaluate(
        """() => { const form = document.getElementById("rehearsal-form"), big = new DataTransfer();
          big.items.add(new File([new Uint8Array(100 * 2 ** 20 + 1)], "big.csv")); form.elements.file.files = big.files;
          form.elements.file.dispatchEvent(new Event("change", { bubbles: true })); }"""
    )
    page.get_by_text("more than 100 MB").wait_for()


def test_more_numbers_than_texts_are_kept_become_ranges(page):
    drop(page, "pay\n" + "\n".join([f"{i / 4}" for i in range(120_000)] + ["", "?"] * 5), "pay.csv")
    made = plan.rehearse({"x": np.append(np.arange(120_000) / 4, [np.nan] * 5)}, "x", epsilon=1.0, rng=0)
    assert [*shares(page)] == [*made.answers]  # an empty line is no row
    np.testing.assert_allclose([one[0] for one in shares(page).values()], made.true_counts / 120_005, rtol=5e-3)


def test_names_in_the_first_row_are_found_and_can_be_denied(page):
    box = page.get_by_label("The first row has names")
    for text, names in (
        ("a\nb\nb\n", True), ("b\na\na\nb\n", False), ("a,1\nb,2\nb,2\n", False), ("a,a\nb,c\n", True),
        ("a;0,5\nb;1,5\nb;1,5\n", False), ("yes,pay\nyes,1\nno,NA\nyes,3\n", True),
        (",a\n0,x\n1,x\n", True), ("a,\n0,x\n1,x\n", False),
    ):  # fmt: skip
        drop(page, text)
        assert box.is_checked() == names, text
    drop(page, "b\na\na\nb\n")
    assert shares(page)["b"][0] == 0.5
    drop(page, "colour\nred\nred\nblue\nblue\n")
    assert page.locator("select[name=column]").locator("option").text_content() == "colour (2 answers)"
    box.uncheck()
    assert [*shares(page)] == ["blue", "red", "other"]
    assert "header=None" in page.locator("#rehearsal pre").text_content()


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_nothing_is_sent_and_the_policy_refuses_nothing(open_page, site, server, scheme):
    page = open_page(f"{server}/{'/'.join(PAGE)}" if scheme == "http" else site.joinpath(*PAGE))
    page.locator("#rehearsal svg").wait_for()
    page.wait_for_load_state("networkidle")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    assert "6 people" in drop(page, "a\nx\ny\nx\ny\nx\ny\n")
    page.get_by_label("paste a column").fill("a\nx\ny\nx\ny\n")
    page.get_by_text("4 people").wait_for()
    page.get_by_label("Mechanism").select_option("LocalHashing")
    page.get_by_role("slider").press("End")
    page.get_by_text("LocalHashing at ε = 8").wait_for()
    page.get_by_role("button", name="Ask again").click()
    page.evaluate(
        """() => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(["b\\nu\\nu\\nv\\nv\\nv\\n"], "dropped.csv"));
          document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
        }"""
    )
    page.get_by_text("5 people").wait_for()
    page.get_by_role("button", name="Take the sample").click()
    page.get_by_text("32,561 people").wait_for()
    assert asked == []
    stored = page.evaluate(
        "[Object.values(localStorage).join(), Object.values(sessionStorage).join(), document.cookie]"
    )
    assert not any("Private" in text for text in stored)


def test_the_sample_is_a_column_of_the_stand_in(page, monkeypatch):
    seen = []
    monkeypatch.setattr("builtins.print", seen.append)
    exec(page.locator("#rehearsal pre").text_content(), {})
    assert seen[0].true_counts.sum() == 32_561
    found = shares(page)
    assert [*found] == [*seen[0].answers]
    np.testing.assert_allclose([one[0] for one in found.values()], seen[0].true_counts / 32_561, rtol=5e-3)


def test_the_slider_moves_the_noise_and_not_the_coins(page):
    slider, picture = page.get_by_role("slider"), page.locator(".rehearsal-stage")
    start = picture.inner_html()
    slider.press("ArrowRight")
    page.get_by_text("at ε = 1.2 asks").wait_for()
    assert slider.get_attribute("aria-valuetext") == "ε = 1.2"
    assert picture.inner_html() != start
    slider.press("ArrowLeft")
    page.get_by_text("at ε = 1 asks").wait_for()
    assert picture.inner_html() == start
    page.get_by_role("button", name="Ask again").click()
    page.wait_for_function("([e, before]) => e.innerHTML !== before", arg=[picture.element_handle(), start])
    slider.press("Home")
    page.get_by_text("at ε = 0.1 asks").wait_for()
    assert page.locator(".rehearsal-interval").count() == 8


def test_what_is_seen_is_told_and_leads_to_the_plan(page, open_page, site):
    page.get_by_label("Mechanism").select_option("OptimizedUnary")
    page.get_by_text("OptimizedUnary at ε = 1 asks 32,561 people").wait_for()
    told, found = page.locator(".rehearsal-stage").get_attribute("aria-label"), shares(page)
    assert "8 answers, the commonest first" in told
    for name in ("Private", "Self-emp-not-inc", "Local-gov"):
        truth, estimate, *_ = found[name]
        assert f"{name}: true {100 * truth:.3g}%, estimated {100 * estimate:.3g}%" in told
    held = sum(low <= truth <= high for truth, _, low, high in found.values())
    # Three digits are told, so that an end which the truth lies on may look as if it were on the other side.
    assert abs(held - int(re.search(r"(\d) of 8 intervals hold the truth", said(page))[1])) <= 1
    made = plan.survey("one", 32_561, d=8, epsilon=1.0)
    errors = page.locator(".rehearsal-errors tbody tr")
    assert errors.count() == len(made.rows)
    assert made.rows[made.best].mechanism in page.locator(".rehearsal-errors .plan-best").text_content()
    query = urllib.parse.urlsplit(page.locator("#rehearsal .plan-link").get_attribute("href")).query
    there = open_page((site / "book" / "practice" / "plan.html").as_uri() + f"?{query}")
    assert there.locator("#plan-form output").text_content() == made.verdict
    assert made.rows[made.best].mechanism in there.locator(".plan-best").text_content()


def test_numbers_are_planned_in_the_range_that_they_have(page, open_page, site):
    assert "people" in drop(page, FILES["numbers.csv"])
    query = urllib.parse.urlsplit(page.locator("#rehearsal .plan-link").get_attribute("href")).query
    there = open_page((site / "book" / "practice" / "plan.html").as_uri() + f"?{query}")
    call = there.locator("pre.plan-code").text_content().splitlines()[0].partition(": ldp_core.")[2]
    assert "bounds=(15, 105)" in call
    made = eval(call, {"plan": plan})
    assert there.locator("#plan-form output").text_content() == made.verdict
    names = [name for name in shares(page) if name != "missing"]
    assert f"d={len(names)}," in call


@pytest.mark.parametrize("width", [390, 1280])
def test_letters_are_large_enough_and_nothing_scrolls_sideways(open_page, site, width):
    page = opened(open_page, site, viewport={"width": width, "height": 800})
    drop(page, "a\n" + "\n".join(f"a rather long answer that has the number {i % 20}" for i in range(400)))
    page.locator("summary", has_text="The picture in numbers").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = page.locator("#rehearsal svg text").evaluate_all(
        "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"
    )
    assert min(sizes) >= 11.99
    boxes = page.locator("#rehearsal svg text").evaluate_all(
        "all => all.map((one) => one.getBBox().x + one.getBBox().width)"
    )
    assert max(boxes) <= page.locator(".rehearsal-stage").bounding_box()["width"] + 1


def test_without_scripts_the_page_says_what_to_do_instead(open_page, site):
    page = open_page(site.joinpath(*PAGE), java_script_enabled=False)
    call = re.search(r"ldp_core\.(plan\.rehearse\(.*?\)) does", said(page))[1]
    assert eval(call, {"plan": plan}).answers == ("no", "yes")
    assert page.locator("#rehearsal").is_hidden()
