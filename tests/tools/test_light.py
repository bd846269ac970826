"""What is taken out of the theme: only what no page has."""

from tools.site import light

SHEET = """
:root { --a: 1px } /* said */
.here, .gone > p { color: red }
.gone .here { color: blue }
a:not(.gone, .too):hover::after { content: "\\f0a1"; }
.here::before { font: var(--fa-font-solid) }
.here::after { content: "+"; font-family: Font Awesome\\ 6 Free }
@media print { .gone { x: y } .here:is(.gone, b) { margin: 0 } }
@media screen { .gone { x: y } }
@font-face { font-family: "Icons"; src: url(icons.woff2) }
"""


def test_rules_stay_for_classes_that_some_page_has():
    kept = light.needed(SHEET, {"here"})
    assert ":root{ --a: 1px }" in kept
    assert ".here{ color: red }" in kept
    assert "a:not(.gone, .too):hover::after" in kept
    assert "@media print {.here:is(.gone, b)" in kept
    for gone in ("blue", "--fa-", "Awesome", "screen", "font-face", "x: y"):
        assert gone not in kept


def test_an_icon_is_drawn_with_what_it_says_and_its_classes():
    made = light.icons('<i class="theme-switch fa-solid fa-moon fa-lg" data-mode="dark" title="Dark"></i>')
    assert made.startswith('<svg class="icon theme-switch" data-mode="dark" title="Dark" ')
    assert light.ICONS["moon"] in made
    assert light.icons('<i class="fas fa-file"></i><i class="x"></i>').endswith('<i class="x"></i>')
