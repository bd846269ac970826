"""Learning from private reports: classifiers and transformers that follow scikit-learn's conventions."""

from ldp_core.learn._schema import records
from ldp_core.learn.ldpbayes import LDPBayes, RecordCounts, make_consistent, rivals
from ldp_core.learn.naive_bayes import ORACLES, ContingencyTables, LDPNaiveBayes

__all__ = [
    "ORACLES",
    "ContingencyTables",
    "LDPBayes",
    "LDPNaiveBayes",
    "RecordCounts",
    "make_consistent",
    "records",
    "rivals",
]
