"""What stays on one line, where code may be broken, and what is left as it is."""

import re

import pytest
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from tools.site.breaks import NO_BREAK, bind, joint


@pytest.mark.parametrize(
    "text",
    [
        "<p>At ε_=_1 it is 2.</p>",
        "n_=_1,000 and δ_=_10⁻⁵, ε₀_=_2, Δu_=_1, x_≈_−3",
        "ε_&lt;_1, k_≥_3, ε_=_ln_4",
        '<p>at ε_=_<span class="pasted-text">0.2</span> of all</p>',
        "<p>d_=_<em>k</em> + 1</p>",
        '<p>at <a href="#eps"><span>ε</span></a>_=_1, <em>n</em>_≥_3</p>',
    ],
)
def test_a_symbol_and_its_value_stay_together(text):
    assert bind(text.replace("_", " ")) == text.replace("_", NO_BREAK)


@pytest.mark.parametrize(
    "text",
    [
        "<pre>n = 1\nm = 2</pre>",
        '<pre><span class="n">n</span> = 1; m = 2</pre>',
        "<p>Write <code>d = 4</code>.</p>",
        '<p title="ε = 1" aria-label="n = 3">text</p>',
        r'<span class="math notranslate">\(n = 3\)</span>, <div class="math"><span>n = 3</span></div>',
        "<svg><text>ε = 1</text></svg><script>a = 1</script><textarea>b = 2</textarea>",
        "the yes = 3, a sum = 4, 2 = 2, p, = 3, and R&amp; = 1",
    ],
)
def test_code_formulas_pictures_attributes_and_words_are_left_as_they_are(text):
    assert bind(text) == text


@pytest.mark.parametrize(
    "code",
    [
        "print(|f(|a.|b, 0.5)[0](), f'{x.|y:.3f}, {z}')  # e.g. (a,b).c",
        "from ldp_core.|frequency import DirectEncoding",
        "data[['a', 'b']].|sum(|axis=0) + g((|1, 2), (), ...)",
    ],
)
def test_code_is_broken_between_names_and_before_arguments(code):
    block = highlight(code.replace("|", ""), get_lexer_by_name("ipython3"), HtmlFormatter())
    opened = joint(block)
    assert opened.replace("<wbr>", "") == block
    text = re.sub(r"<[^>]*>", "", opened.replace("<wbr>", "|"))
    assert text.replace("&#39;", "'").rstrip() == code
    printed = f'<div class="output highlight-myst-ansi notranslate">{block}</div>'
    assert joint(printed) == printed
