"""Tables of pandas as readers expect them: numbers to the right, a true minus, one row of headings, no row count."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag

TABLE = re.compile(r'<table border="1" class="dataframe[^>]*>.*?</table>', re.DOTALL)
NUMBER = re.compile(r"[-−+±]?([\d.,]+(e[-+]?\d+)?|([\d.,]+·)?10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s?(%|±.*)?")

#: Letters of a row's name that need no more than a line beside numbers, on a phone.
SHORT = 12


def tidy(body: str) -> str:
    """Tidy every table of pandas in a page's body; anything else is left as it is."""
    return TABLE.sub(lambda match: _tidy(match[0]), body)


def _tidy(text: str) -> str:
    page = BeautifulSoup(text, "html.parser")
    table = page.table
    assert table is not None
    _one_heading(table)
    _no_row_count(table)
    _numbers(table)
    _long_names(page, table)
    return str(page)


def _one_heading(table: Tag) -> None:
    """A second row of headings that only names the index gives its name to the first row."""
    rows = table.select("thead > tr")
    if len(rows) != 2:
        return
    first, second = (row.find_all("th", recursive=False) for row in rows)
    pairs = [[cell.get_text(strip=True) for cell in pair] for pair in zip(first, second, strict=False)]
    if len(first) == len(second) and pairs[0][1] and not any(above and below for above, below in pairs):
        for cell, (above, below) in zip(first, pairs, strict=True):
            cell.string = above or below
        rows[1].decompose()


def _no_row_count(table: Tag) -> None:
    """An index that has no name and counts 0, 1, 2, … says nothing."""
    head = table.select("thead > tr")
    rows = table.select("tbody > tr")
    index = [row.find("th", recursive=False) for row in rows]
    if len(head) != 1 or not all(index) or len(rows) < 2:
        return
    corner = head[0].find("th", recursive=False)
    counted = [cell.get_text(strip=True) for cell in index if cell] == [str(i) for i in range(len(rows))]
    if corner and counted and not corner.get_text(strip=True):
        for cell in (corner, *filter(None, index)):
            cell.decompose()


def _numbers(table: Tag) -> None:
    """A column whose every entry is a number, or empty, stands to the right, below a heading that does as well."""
    rows = [row.find_all("td", recursive=False) for row in table.select("tbody > tr")]
    names = max((len(row.find_all("th", recursive=False)) for row in table.select("tbody > tr")), default=0)
    head = [row.find_all("th", recursive=False) for row in table.select("thead > tr")]
    if len({len(row) for row in rows}) != 1:
        return
    for place, column in enumerate(zip(*rows, strict=True), names):
        texts = [cell.get_text(strip=True) for cell in column]
        if not any(texts):
            continue
        if all(not text or text in ("–", "NaN", "∞") or NUMBER.fullmatch(text) for text in texts):
            for cell, said in zip(column, texts, strict=True):
                cell["class"] = "number"
                cell.string = re.sub(r"^-|(?<=e)-", "−", said)
            for line in head:
                if len(line) == names + len(rows[0]):
                    line[place]["class"] = "number"


def _long_names(page: BeautifulSoup, table: Tag) -> None:
    """A row's name, often one of a program's, may be broken where its words meet: on a phone it stays in view."""
    for cell in table.select("tbody > tr > th:first-child"):
        if cell.string:
            if len(cell.string) > SHORT:
                cell["class"] = "long-name"
            cell.string, *rest = re.split(r"(?<=[_/])(?=\w)|(?<=[a-z])(?=[A-Z])", cell.string)
            for part in rest:
                cell.extend([page.new_tag("wbr"), part])
