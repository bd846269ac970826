"""UCI Adult, from the US Census Bureau's Current Population Survey of 1994: the book's running example."""

from __future__ import annotations

import pandas as pd

from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, read_rows

# fmt: off
COLUMNS: Columns = {
    "age": int,
    "workclass": (
        "Federal-gov", "Local-gov", "Never-worked", "Private", "Self-emp-inc", "Self-emp-not-inc", "State-gov",
        "Without-pay",
    ),
    "fnlwgt": int,
    "education": (
        "Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad", "Some-college",
        "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate",
    ),
    "education-num": int,
    "marital-status": (
        "Divorced", "Married-AF-spouse", "Married-civ-spouse", "Married-spouse-absent", "Never-married", "Separated",
        "Widowed",
    ),
    "occupation": (
        "Adm-clerical", "Armed-Forces", "Craft-repair", "Exec-managerial", "Farming-fishing", "Handlers-cleaners",
        "Machine-op-inspct", "Other-service", "Priv-house-serv", "Prof-specialty", "Protective-serv", "Sales",
        "Tech-support", "Transport-moving",
    ),
    "relationship": ("Husband", "Not-in-family", "Other-relative", "Own-child", "Unmarried", "Wife"),
    "race": ("Amer-Indian-Eskimo", "Asian-Pac-Islander", "Black", "Other", "White"),
    "sex": ("Female", "Male"),
    "capital-gain": int,
    "capital-loss": int,
    "hours-per-week": int,
    "native-country": (
        "Cambodia", "Canada", "China", "Columbia", "Cuba", "Dominican-Republic", "Ecuador", "El-Salvador", "England",
        "France", "Germany", "Greece", "Guatemala", "Haiti", "Holand-Netherlands", "Honduras", "Hong", "Hungary",
        "India", "Iran", "Ireland", "Italy", "Jamaica", "Japan", "Laos", "Mexico", "Nicaragua",
        "Outlying-US(Guam-USVI-etc)", "Peru", "Philippines", "Poland", "Portugal", "Puerto-Rico", "Scotland", "South",
        "Taiwan", "Thailand", "Trinadad&Tobago", "United-States", "Vietnam", "Yugoslavia",
    ),
    "income": ("<=50K", ">50K"),
}
# fmt: on


def parse(content: bytes) -> pd.DataFrame:
    """Read ``adult.data`` or ``adult.test``.

    Parameters
    ----------
    content : bytes
        The file as UCI distributes it: fields separated by a comma and a blank, no header, ``?`` for a missing value.
        ``adult.test`` begins with a comment line (``|``) and ends each label in a full stop.

    Returns
    -------
    pandas.DataFrame
        One row a person, columns and types of ``COLUMNS``.

    Raises
    ------
    ValueError
        If a line has not 15 fields, or a field holds what the schema does not allow.
    """
    lines = content.decode("ascii").splitlines()
    return read_rows(("" if line.startswith("|") else line.rstrip(".") for line in lines), COLUMNS, separator=", ")


ADULT = Source(
    name="adult",
    title="UCI Adult",
    url="https://archive.ics.uci.edu/dataset/2/adult",
    doi="10.24432/C5XW20",
    licence="CC BY 4.0",
    citation="B. Becker and R. Kohavi. Adult. UCI Machine Learning Repository, 1996. doi:10.24432/C5XW20",
    files=(
        RemoteFile(
            path="adult/adult.data",
            addresses=(
                Address(PUBLIC, "2/adult.zip", ("adult.data",)),
                Address(DATABASES, "adult/adult.data"),
            ),
            size=3_974_305,
            sha256="5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="income",
    test_files=(
        RemoteFile(
            path="adult/adult.test",
            addresses=(
                Address(PUBLIC, "2/adult.zip", ("adult.test",)),
                Address(DATABASES, "adult/adult.test"),
            ),
            size=2_003_153,
            sha256="a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
        ),
    ),
)
