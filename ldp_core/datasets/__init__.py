"""The book's data: the real UCI file where it can be had, a packaged stand-in where it cannot.

>>> from ldp_core import datasets
>>> adult = datasets.load("adult", source="standin")
>>> adult.frame["occupation"].value_counts()["Sales"].item()
3650
>>> print(adult.describe_source())  # doctest: +ELLIPSIS
Numbers on this page come from the packaged stand-in for UCI Adult: 32,561 rows ...
>>> coded = adult.xy(["workclass", "sex"])
>>> coded.X.shape, coded.sizes
((30725, 2), [8, 2])
"""

from ldp_core import _extras

with _extras.wanted(__name__):
    from ldp_core.datasets.dataset import Coded, Dataset, Scaled, describe_sources
    from ldp_core.datasets.fetch import DataNotice, DataUnavailable
    from ldp_core.datasets.loading import load, names

__all__ = [
    "Coded",
    "DataNotice",
    "DataUnavailable",
    "Dataset",
    "Scaled",
    "describe_sources",
    "load",
    "names",
]
