"""A prediction before a figure: veiled until the reader commits or asks to see; without scripts nothing is veiled."""

import json

import matplotlib.pyplot as plt
import pytest

from livefig import live, log_slider, palette, predict, slider
from livefig.tests.browser.axe import serious_in_both_themes

pytestmark = [pytest.mark.browser]


def draw(epsilon):
    fig, ax = plt.subplots()
    ax.plot([0, 0.9], [0, epsilon], color=palette.truth)
    ax.set(title=f"ε={epsilon:g}", xlabel="number of people", ylabel="x", xlim=(0, 1_000))
    return fig


@pytest.fixture(scope="module")
def address(write_page):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIVEFIG_STATIC", "1")
        point = live(
            draw,
            epsilon=log_slider(0.1, 10, n=5, value=1.0),
            label="Point",
            predict=predict("At which ε?", on="epsilon", answer=5),
        )
        chosen = live(
            draw,
            epsilon=log_slider(0.1, 10, n=5),
            label="Chosen",
            predict=predict("Which is larger?", "the <b>first</b>", "the second", answer="the second"),
        )
        counted = live(
            draw,
            epsilon=log_slider(0.1, 10, n=3),
            label="Counted",
            predict=predict("How many?", unit="people", answer=800),
        )
        placed = live(
            draw,
            epsilon=log_slider(0.1, 10, n=3),
            label="Placed",
            predict=predict("How many at ε = 1?", unit="people", answer=800),
        )
        about = live(
            draw, epsilon=log_slider(0.1, 10, n=5), label="About", predict=predict("At ε = 3, which?", "one", "another")
        )
        whole = live(
            draw, epsilon=slider(0, 3), label="Whole", predict=predict("From how many on?", on="epsilon", answer=2)
        )
    figures = (point, chosen, counted, about, placed, whole)
    return write_page("Predict", "".join(figure.html for figure in figures))


def figure(page, name="Point"):
    return page.locator(f'figure[aria-label="{name}"]')


def picture(page, name="Point"):
    """What is drawn on the axes."""
    return figure(page, name).locator(".lf-stage .mark").first


def test_a_guess_on_the_slider_by_keyboard(open_page, address):
    page = open_page(address)
    assert not picture(page).is_visible()
    assert not figure(page).locator(".lf-finding span").is_visible(), "nor what it finds"
    assert figure(page).locator("g.tick text").first.is_visible(), "axes can be read"
    empty = page.get_by_role("img", name="Empty axes: the picture waits for your guess")
    assert empty.count() == page.locator(".lf-stage[role=img]").count() == 6, "nor is it read aloud"
    page.keyboard.press("Tab")
    assert figure(page).get_by_role("textbox", name="At which ε?").evaluate("e => e === document.activeElement")
    page.keyboard.type("ln 3")
    page.keyboard.press("Enter")
    assert picture(page).is_visible()
    assert empty.count() == 5
    status = figure(page).locator(".lf-answered")
    assert status.get_attribute("role") == "status"
    assert "You guessed ε = ln 3 ≈ 1.1; computed: 5." in status.inner_text()
    rail = figure(page).locator("input[type=range]").bounding_box()
    for name, (low, high) in {"you": (0.5, 0.55), "computed": (0.8, 0.9)}.items():  # 1 is in the middle
        flag = figure(page).locator(f".lf-ticks .lf-{name}")
        assert flag.inner_text() == name
        box = flag.bounding_box()
        at = box["x"] + (box["width"] if name == "computed" else 0)  # near the right end the word is at the left
        assert low < (at - rail["x"] - 8) / (rail["width"] - 16) < high
    assert page.evaluate("document.activeElement.type") == "range", "on to what moves the figure"
    figure(page).locator(".lf-finding", has_text="ε=3").wait_for()  # the position next to the answer, 5
    assert not picture(page, "Chosen").is_visible(), "each figure waits for its own"


def test_one_title_is_seen(open_page, address):
    page = open_page(address)
    title = figure(page, "Point").locator(".lf-title")
    page.mouse.move(0, 0)
    assert not title.is_visible() or title.evaluate("e => getComputedStyle(e).opacity") == "0"
    figure(page, "Point").hover()
    assert title.text_content() == "Point"
    page.emulate_media(media="print")
    assert title.is_visible()
    assert title.evaluate("e => getComputedStyle(e).opacity") == "1"


@pytest.mark.parametrize(("typed", "side"), [("0.1", 0), ("10", 1)])
def test_a_guess_at_the_end_of_the_slider_stands_there(open_page, address, typed, side):
    page = open_page(address, viewport={"width": 320, "height": 640})
    figure(page).get_by_role("textbox", name="At which ε?").fill(typed)
    figure(page).get_by_role("button", name="That is my guess").click()
    flag = figure(page).locator(".lf-you")
    assert flag.evaluate("e => parseFloat(e.style.left)") == 100 * side
    box = flag.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_number_that_cannot_be_is_refused_with_what_can(open_page, address):
    page = open_page(address)
    for name, asked, wrong, said in (
        ("Point", "At which ε?", ("99", "-4", "0"), "Type a number from 0.1 to 10."),
        ("Counted", "How many?", ("-4",), "Type a number of 0 or more."),
        ("Whole", "From how many on?", ("99", "-4", "0.3"), "Type a whole number from 0 to 3."),
    ):
        for typed in wrong:
            field = figure(page, name).get_by_role("textbox", name=asked)
            field.fill(typed)
            figure(page, name).get_by_role("button", name="That is my guess").click()
            assert figure(page, name).locator(".lf-answered").inner_text() == said, typed
            assert field.evaluate("e => e === document.activeElement")
            assert not picture(page, name).is_visible()
            assert figure(page, name).locator(".lf-guess").count() == 0
    assert page.evaluate("livefig.memory.recall('guesses', 'point')") is None, "nothing is on record"


def test_a_choice(open_page, address):
    page = open_page(address)
    chosen = figure(page, "Chosen")
    chosen.get_by_role("button", name="That is my guess").click()
    assert chosen.locator(".lf-answered").inner_text() == "Choose an answer first."
    assert not picture(page, "Chosen").is_visible()
    chosen.get_by_role("radio", name="the <b>first</b>").check()
    chosen.get_by_role("button", name="That is my guess").click()
    assert picture(page, "Chosen").is_visible()
    status = chosen.locator(".lf-answered")
    assert status.inner_text().startswith("You guessed: the <b>first</b>. The answer: the second. ")
    chosen.get_by_role("button", name="Guess again").click()
    chosen.get_by_role("radio", name="the second").check()
    chosen.get_by_role("button", name="That is my guess").click()
    assert status.inner_text().startswith("You guessed: the second. That is right. ")


def test_short_answers_stand_in_a_row(open_page, address):
    for width, rows in ((1280, 1), (240, 2)):
        page = open_page(address, viewport={"width": width, "height": 900})
        labels = figure(page, "Chosen").locator(".lf-predict label").all()
        assert len({label.bounding_box()["y"] for label in labels}) == rows


#: How far down the page something stands.
PLACE = "e => e.getBoundingClientRect().y + scrollY"


def test_nothing_jumps_when_the_answer_comes(open_page, address):
    for width in (1280, 390):
        page = open_page(address, viewport={"width": width, "height": 900})
        for name in ("Chosen", "Counted", "Point"):
            view = figure(page, name).locator(".lf-view")
            before = view.evaluate(PLACE)
            if name == "Chosen":
                figure(page, name).get_by_role("radio", name="the <b>first</b>").check()
            else:
                figure(page, name).get_by_role("textbox").first.fill("3")
            figure(page, name).get_by_role("button", name="That is my guess").click()
            assert view.evaluate(PLACE) == pytest.approx(before, abs=1), (width, name)
        chosen = figure(page, "Chosen")
        assert chosen.locator(".lf-right-one").inner_text() == "the second"
        chosen.get_by_role("button", name="Guess again").click()
        assert chosen.get_by_role("radio").first.is_enabled()


def test_where_no_answer_is_known_the_text_has_it(open_page, address):
    about = figure(open_page(address), "About")
    about.get_by_role("radio", name="another").check()
    about.get_by_role("button", name="That is my guess").click()
    assert about.locator(".lf-answered").inner_text() == "You guessed: another. Guess again"


def test_who_is_shown_sees_the_answer_and_its_mark(open_page, address):
    page = open_page(address)
    for name, said in {"Point": "Computed: ε = 5. ", "Chosen": "The answer: the second. "}.items():
        figure(page, name).get_by_role("button", name="Just show me").click()
        assert figure(page, name).locator(".lf-answered").inner_text().startswith(said)
    assert figure(page).locator(".lf-ticks .lf-guess").all_inner_texts() == ["computed"]


def test_two_flags_that_are_close_do_not_overlap(open_page, address):
    page = open_page(address, viewport={"width": 320, "height": 640})
    for guess in ("0.1", "4.9", "5", "5.1", "10"):
        figure(page).get_by_role("textbox", name="At which ε?").fill(guess)
        figure(page).get_by_role("button", name="That is my guess").click()
        you, computed = (
            figure(page)
            .locator(f".lf-ticks .lf-{name}")
            .evaluate(
                """flag => { const range = document.createRange(); range.selectNodeContents(flag);
                         const b = range.getBoundingClientRect(); return [b.left, b.right, b.top, b.bottom]; }"""
            )
            for name in ("you", "computed")
        )
        apart = you[1] <= computed[0] or computed[1] <= you[0] or you[3] <= computed[2] or computed[3] <= you[2]
        assert apart, guess
        figure(page).get_by_role("button", name="Guess again").click()


def question(page, name):
    return figure(page, name).locator(".lf-question-text").inner_text()


def test_the_question_stays(open_page, address):
    """Above the guess, after "Just show me" and a reload; with what there was to choose from until it is answered."""
    page = open_page(address)
    assert (question(page, "Point"), question(page, "Chosen")) == ("At which ε?", "Which is larger?")
    figure(page).get_by_role("textbox", name="At which ε?").fill("2")
    for name, button in (("Point", "That is my guess"), ("Chosen", "Just show me")):
        figure(page, name).get_by_role("button", name=button).click()
    chosen = "Which is larger? (the <b>first</b> · the second)"
    assert (question(page, "Point"), question(page, "Chosen")) == ("At which ε?", "Which is larger?")
    page.emulate_media(media="print")
    assert question(page, "Chosen") == chosen, "there on paper"
    page.emulate_media(media="screen")
    assert all(figure(page, name).locator(".lf-asks").evaluate("e => e.inert") for name in ("Point", "Chosen"))
    asked = figure(page).locator(".lf-question-text")
    below = figure(page).locator(".lf-answered").bounding_box()["y"]
    assert asked.bounding_box()["y"] < below < picture(page).bounding_box()["y"]
    page.reload()
    assert question(page, "Point") == "At which ε?"
    assert "You guessed ε = 2; computed: 5." in figure(page).locator(".lf-answered").inner_text()
    page.evaluate("livefig.memory.set('predict', 'off')")
    page.reload()
    figure(page, "Chosen").locator(".lf-options").wait_for()
    assert [question(page, name) for name in ("Point", "Chosen", "Counted")] == ["At which ε?", chosen, "How many?"]
    assert all(figure(page, name).locator(".lf-asks").is_hidden() for name in ("Point", "Chosen", "Counted"))


#: What may stand where this page remembers: by another page of the same host, or an older book.
BROKEN = [
    "5", '"x"', "[1]", "{", '{"last": 5}', '{"pages": 5}', '{"pages": {"PAGE": 5}}',
    '{"pages": {"PAGE": {"guesses": []}}}',
    '{"pages": {"PAGE": {"guesses": {"point": 5, "chosen": "7", "counted": "many"}}}}',
    '{"pages": {"PAGE": {"guesses": {"point": "", "chosen": "length", "counted": "1/0"}, "answers": {"a": null}}}}',
]  # fmt: skip


def test_what_is_remembered_wrongly_stops_nothing(open_page, address):
    def opened(stored):
        # Stored before the page's own scripts run: a reload may come before the browser has handed on what was stored.
        return open_page(address, script=f"localStorage.setItem('livefig', {json.dumps(stored)})")

    for kept in BROKEN:
        page = opened(kept.replace("PAGE", address.with_suffix("").as_posix()))
        assert not any(picture(page, name).is_visible() for name in ("Point", "Chosen", "Counted")), kept
        counted = figure(page, "Counted")
        counted.get_by_role("textbox", name="How many?").fill("3")
        counted.get_by_role("button", name="That is my guess").click()
        page = opened(page.evaluate("localStorage.getItem('livefig')"))
        assert "You guessed 3 people; computed: 800." in figure(page, "Counted").locator(".lf-answered").inner_text(), (
            kept
        )


def test_a_number_with_its_unit(open_page, address):
    page = open_page(address)
    counted = figure(page, "Counted")
    field = counted.get_by_role("textbox", name="How many?")
    field.fill("many")
    field.press("Enter")
    assert "Type a number" in counted.locator(".lf-answered").inner_text()
    field.fill("1,200")
    field.press("Enter")
    assert "You guessed 1,200 people; computed: 800." in counted.locator(".lf-answered").inner_text()


def test_a_number_on_an_axis_by_a_click(open_page, address):
    page = open_page(address)
    counted = figure(page, "Counted")
    stage, field = counted.locator(".lf-stage"), counted.locator(".lf-asks input")
    ticks = {t.text_content(): t.bounding_box() for t in stage.locator("g.tick text").all()}
    box = stage.bounding_box()
    at = ticks["600"]["x"] + ticks["600"]["width"] / 2 - box["x"]
    stage.click(position={"x": at, "y": box["height"] / 3})
    assert field.input_value() == "600"
    line = stage.locator(".lf-line:not(.lf-computed)")
    assert line.bounding_box()["x"] + line.bounding_box()["width"] / 2 == pytest.approx(box["x"] + at, abs=3)
    for beyond, sign, side in (("1e9", "→", 1), ("-1e9", "←", 0)):
        field.fill(beyond)
        assert stage.locator(".lf-line-name").text_content() == f"you {sign}"
        assert line.bounding_box()["x"] == pytest.approx(box["x"] + side * box["width"], abs=8), "at the edge"
    field.fill("200")
    assert line.bounding_box()["x"] == pytest.approx(ticks["200"]["x"] + ticks["200"]["width"] / 2, abs=3)
    field.press("Enter")
    counted.locator("input[type=range]").press("End")
    counted.locator(".lf-finding", has_text="ε=10").wait_for()
    assert line.bounding_box()["x"] == pytest.approx(ticks["200"]["x"] + ticks["200"]["width"] / 2, abs=3), "it stays"
    stage.click(position={"x": at, "y": box["height"] / 3})
    assert field.input_value() == "200", "the guess was made"
    answer = stage.locator(".lf-computed").bounding_box()
    assert answer["x"] == pytest.approx(ticks["800"]["x"] + ticks["800"]["width"] / 2, abs=3), "the answer beside it"
    names = stage.locator(".lf-line-name")
    assert names.all_text_contents() == ["you", "computed"]
    you, computed = (name.bounding_box() for name in names.all())
    assert you["y"] + 10 < computed["y"], "one below the other, wherever the lines are"
    counted.get_by_role("button", name="Guess again").click()
    assert stage.locator(".lf-line, .lf-line-name").count() == 0, "neither guess nor answer"


def test_lines_go_from_edge_to_edge_where_it_was_asked(open_page, address):
    page = open_page(address)
    placed, stage = figure(page, "Placed"), figure(page, "Placed").locator(".lf-stage")
    placed.locator(".lf-asks input").fill("500")
    placed.locator(".lf-asks input").press("Enter")
    line, grid = (stage.locator(css).first.bounding_box() for css in (".lf-line", "g.tick path[clip-path]"))
    assert line["y"] == pytest.approx(grid["y"], abs=3)
    assert line["height"] == pytest.approx(grid["height"], abs=3)
    placed.locator("[type=range]").press("End")
    stage.locator(".lf-line").first.wait_for(state="detached")
    placed.locator("[type=range]").press("ArrowLeft")
    stage.locator(".lf-line.lf-computed").wait_for(state="attached")  # a straight line has no width


def test_the_slider_that_is_asked_about_makes_the_guess(open_page, address):
    page = open_page(address)
    figure(page).locator("input[type=range]").press("End")
    assert figure(page).get_by_role("textbox", name="At which ε?").input_value() == "10"
    assert not picture(page).is_visible()


def test_the_place_that_is_asked_about(open_page, address):
    page = open_page(address)
    about = figure(page, "About")
    range_, flag = about.locator("input[type=range]"), about.locator(".lf-flag")
    assert flag.inner_text() == "asked here"
    assert (range_.input_value(), flag.evaluate("e => e.style.left")) == ("2", "75%")
    about.get_by_role("button", name="Just show me").click()
    assert range_.input_value() == "3"
    about.locator(".lf-finding", has_text="ε=3").wait_for()
    assert flag.is_visible()
    assert figure(page, "Chosen").locator(".lf-flag").count() == 0


def test_just_show_me_is_not_remembered_and_a_guess_is(open_page, address):
    page = open_page(address)
    figure(page).get_by_role("button", name="Just show me").click()
    assert picture(page).is_visible()
    figure(page, "Chosen").get_by_role("radio").last.check()
    figure(page, "Chosen").get_by_role("button", name="That is my guess").click()
    for _ in range(20):  # a reload may come before the browser has handed on what was stored
        page.reload()
        if picture(page, "Chosen").is_visible():
            break
        page.wait_for_timeout(200)
    assert not picture(page).is_visible()
    assert "the second" in figure(page, "Chosen").locator(".lf-answered").inner_text()
    figure(page, "Chosen").get_by_role("button", name="Guess again").click()
    assert not picture(page, "Chosen").is_visible()
    page.reload()
    assert not picture(page, "Chosen").is_visible()


def test_never_again_on_this_device(open_page, address):
    page = open_page(address)
    never = page.get_by_role("button", name="Never ask me on this device")
    assert never.count() == 1, "asked once on a page"
    figure(page).get_by_role("button", name="Never ask me on this device").click()
    for name in ("Point", "Chosen", "Counted"):
        assert picture(page, name).is_visible()
        assert not figure(page, name).locator(".lf-asks").is_visible()
    for _ in range(20):  # a reload may come before the browser has handed on what was stored
        page.reload()
        if picture(page).is_visible():
            break
    assert picture(page).is_visible()
    page.evaluate("livefig.memory.set('predict', undefined)")
    assert not picture(page).is_visible(), "switched on again"


def test_a_teacher_turns_it_off_in_the_address(open_page, address):
    page = open_page(address.as_uri() + "?predict=off#point?epsilon=3")
    figure(page).locator(".lf-finding", has_text="ε=3").wait_for()
    assert picture(page).is_visible()
    assert not figure(page).locator(".lf-asks").is_visible()
    page.goto(address.as_uri())
    assert not picture(page).is_visible()


def test_what_is_moved_under_the_veil_moves(open_page, address):
    page = open_page(address)
    chosen = figure(page, "Chosen")
    chosen.locator("input[type=range]").press("End")
    assert "waits for your guess" in chosen.locator(".lf-answered").inner_text()
    assert not picture(page, "Chosen").is_visible()
    chosen.get_by_role("button", name="Just show me").click()
    assert chosen.locator(".lf-finding", has_text="ε=10").is_visible()


def test_without_scripts_and_on_paper_nothing_is_veiled(open_page, address):
    chosen = "Which is larger? (the <b>first</b> · the second)"
    page = open_page(address, java_script_enabled=False)
    assert picture(page).is_visible()
    assert not figure(page).locator(".lf-asks").is_visible()
    assert (question(page, "Point"), question(page, "Chosen")) == ("At which ε?", chosen)
    page = open_page(address)
    page.emulate_media(media="print")
    assert picture(page).is_visible()
    assert not figure(page).locator(".lf-asks").is_visible()
    assert (question(page, "Point"), question(page, "Chosen")) == ("At which ε?", chosen)


def test_accessibility(open_page, address):
    for answered in (False, True):
        page = open_page(address)
        if answered:
            figure(page).get_by_role("textbox", name="At which ε?").fill("2")
            figure(page).get_by_role("button", name="That is my guess").click()
        assert serious_in_both_themes(page) == []


def test_targets_on_a_phone(open_page, address):
    page = open_page(address, viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for target in page.locator(".lf-predict :is(button:visible, label:has(input), input[type=text])").all():
        assert target.bounding_box()["height"] >= 44, target.evaluate("e => e.outerHTML")
