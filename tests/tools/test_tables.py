"""Tables of pandas on a page: what is read stays, what only pandas needs goes."""

import pandas as pd
from bs4 import BeautifulSoup

from tools.site.tables import tidy


def shown(frame):
    page = BeautifulSoup(tidy(f"<p>before</p>{frame.to_html()}<p>after</p>"), "html.parser")
    assert page.get_text().strip().startswith("before")
    return page.table


def texts(table, part):
    return [[c.get_text(strip=True) for c in row.find_all(["th", "td"])] for row in table.select(f"{part} > tr")]


def test_a_row_that_only_names_the_index_goes():
    frame = pd.DataFrame({"users": [10, 20]}, index=pd.Index([0.1, 1.0], name="ε"))
    table = shown(frame)
    assert texts(table, "thead") == [["ε", "users"]]
    assert texts(table, "tbody") == [["0.1", "10"], ["1.0", "20"]]


def test_a_row_count_goes_and_an_index_that_says_something_stays():
    assert texts(shown(pd.DataFrame({"a": ["x", "y"]})), "tbody") == [["x"], ["y"]]
    assert texts(shown(pd.DataFrame({"a": ["x", "y"]}, index=[1, 2])), "tbody") == [["1", "x"], ["2", "y"]]
    named = pd.DataFrame({"a": ["x", "y"]}, index=pd.Index([0, 1], name="draw"))
    assert texts(shown(named), "tbody") == [["0", "x"], ["1", "y"]]


def test_numbers_stand_to_the_right_with_a_true_minus_and_words_do_not():
    table = shown(pd.DataFrame({"change": ["-27.7", "3"], "zip": ["02138", "x-1"]}, index=["a", "b"]))
    cells = table.select("tbody td")
    assert [c.get_text() for c in cells] == ["−27.7", "02138", "3", "x-1"]
    assert [c.get("class") for c in cells] == [["number"], None, ["number"], None]
    powers = shown(pd.DataFrame({"δ": ["10⁻⁵", "4.3·10⁻⁷"]}))
    assert [c.get("class") for c in powers.select("tbody td")] == [["number"]] * 2
    assert table.select("thead th")[1]["class"] == ["number"]
    powers = shown(pd.DataFrame({"δ": ["1.6·10⁻⁸", "10⁻⁵", "0.002"]}, index=["a", "b", "c"]))
    assert [c.get("class") for c in powers.select("tbody td")] == [["number"]] * 3


def test_rows_with_two_names_have_one_heading_and_numbers_to_the_right():
    names = pd.MultiIndex.from_product([["all", "some"], ["x", "y"]], names=["who", "what"])
    table = shown(pd.DataFrame({"change": [-1.5, 2.0, 3.0, -4.0]}, index=names))
    assert texts(table, "thead") == [["who", "what", "change"]]
    assert texts(table, "tbody") == [["all", "x", "−1.5"], ["y", "2.0"], ["some", "x", "3.0"], ["y", "−4.0"]]
    assert table.select("thead th")[2]["class"] == ["number"]
    assert all(cell["class"] == ["number"] for cell in table.select("td"))


def test_headings_of_two_rows_and_single_rows_are_left_alone():
    columns = pd.MultiIndex.from_product([["100", "4000"], ["with", "without"]])
    table = shown(pd.DataFrame([[1, 2, 3, 4]], columns=columns, index=["share"]))
    assert len(table.select("thead > tr")) == 2
    assert texts(shown(pd.DataFrame({"a": ["x"]})), "tbody") == [["0", "x"]]


def test_what_is_no_table_of_pandas_is_left_alone():
    page = '<table class="course"><tr><td>-1</td></tr></table>'
    assert tidy(page) == page
