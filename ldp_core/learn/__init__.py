"""Learning from private reports: classifiers and transformers that follow scikit-learn's conventions."""

from ldp_core.learn._notices import OutOfBoundsWarning, PrivacyLeakWarning, RepeatedNoiseWarning
from ldp_core.learn._schema import records
from ldp_core.learn.components import DCA, projection_bounds
from ldp_core.learn.discretize import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from ldp_core.learn.dp_naive_bayes import DPNaiveBayes
from ldp_core.learn.feature_selection import FELP, FWELL
from ldp_core.learn.gaussian_nb import LDPGaussianNB
from ldp_core.learn.ldpbayes import LDPBayes, RecordCounts, make_consistent, rivals
from ldp_core.learn.logistic import DPLogisticRegression
from ldp_core.learn.naive_bayes import ORACLES, ContingencyTables, LDPNaiveBayes

__all__ = [
    "DCA",
    "FELP",
    "FWELL",
    "ORACLES",
    "ContingencyTables",
    "DPLogisticRegression",
    "DPNaiveBayes",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "LDPBayes",
    "LDPGaussianNB",
    "LDPNaiveBayes",
    "OutOfBoundsWarning",
    "PrivacyLeakWarning",
    "RecordCounts",
    "RepeatedNoiseWarning",
    "make_consistent",
    "projection_bounds",
    "records",
    "rivals",
]
