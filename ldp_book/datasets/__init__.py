"""The book's data: the real UCI file where it can be had, a packaged stand-in where it cannot.

Throughout, ``columns`` is a schema (each column's kind by name, in the file's order), ``content`` what a file holds,
and another ``seed`` gives other rows of a stand-in.

>>> from ldp_book import datasets
>>> adult = datasets.load("adult", source="standin")
>>> adult.frame["occupation"].value_counts()["Sales"].item()
3650
>>> print(adult.describe_source())  # doctest: +ELLIPSIS
Numbers on this page come from the packaged stand-in for UCI Adult: 32,561 rows ...
>>> coded = adult.xy(["workclass", "sex"])
>>> coded.X.shape, coded.sizes
((30725, 2), [8, 2])
"""

from ldp_book.datasets.dataset import Coded, Dataset, Scaled, describe_sources
from ldp_book.datasets.fetch import DataNotice, DataUnavailable
from ldp_book.datasets.loading import load, names

__all__ = ["Coded", "DataNotice", "DataUnavailable", "Dataset", "Scaled", "describe_sources", "load", "names"]
