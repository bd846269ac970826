"""UCI Bank Marketing: phone calls of a Portuguese bank from 2008 to 2010, and whether the client opened a deposit."""

from __future__ import annotations

import pandas as pd

from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, read_rows

# fmt: off
COLUMNS: Columns = {
    "age": int,
    "job": (
        "admin.", "blue-collar", "entrepreneur", "housemaid", "management", "retired", "self-employed", "services",
        "student", "technician", "unemployed", "unknown",
    ),
    "marital": ("divorced", "married", "single"),
    "education": ("primary", "secondary", "tertiary", "unknown"),
    "default": ("no", "yes"),
    "balance": int,
    "housing": ("no", "yes"),
    "loan": ("no", "yes"),
    "contact": ("cellular", "telephone", "unknown"),
    "day": int,
    "month": ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    "duration": int,
    "campaign": int,
    "pdays": int,
    "previous": int,
    "poutcome": ("failure", "other", "success", "unknown"),
    "y": ("no", "yes"),
}
# fmt: on


def parse(content: bytes) -> pd.DataFrame:
    """Read ``bank-full.csv``.

    Parameters
    ----------
    content : bytes
        The member of UCI's ``bank.zip``: a header line, fields separated by semicolons, texts in double quotes.

    Returns
    -------
    pandas.DataFrame
        Columns and types of ``COLUMNS``. "unknown" is a value like any other, since the bank's own form has it; and
        pdays is -1 for a client who was never called before.

    Raises
    ------
    ValueError
        If the header is not the schema's, a line has not 17 fields, or a field holds what the schema does not allow.
    """
    header, *lines = content.decode("ascii").replace('"', "").splitlines() or [""]
    if header.split(";") != list(COLUMNS):
        raise ValueError(f"line 1 must name the columns {';'.join(COLUMNS)}; got {header!r}")
    return read_rows(["", *lines], COLUMNS, separator=";")  # "": so that lines are counted as in the file


BANK = Source(
    name="bank",
    title="UCI Bank Marketing",
    url="https://archive.ics.uci.edu/dataset/222/bank+marketing",
    doi="10.24432/C5K306",
    licence="CC BY 4.0",
    citation=(
        "S. Moro, P. Rita and P. Cortez. Bank Marketing. UCI Machine Learning Repository, 2014. doi:10.24432/C5K306; "
        "the file's own text asks for: S. Moro, R. Laureano and P. Cortez. Using data mining for bank direct "
        "marketing: an application of the CRISP-DM methodology. Proc. European Simulation and Modelling Conference, "
        "117-121, 2011"
    ),
    files=(
        RemoteFile(
            path="bank/bank-full.csv",
            addresses=(
                Address(PUBLIC, "222/bank+marketing.zip", ("bank.zip", "bank-full.csv")),
                Address(DATABASES, "00222/bank.zip", ("bank-full.csv",)),
            ),
            size=4_610_348,
            sha256="d1513ec63b385506f7cfce9f2c5caa9fe99e7ba4e8c3fa264b3aaf0f849ed32d",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="y",
)
