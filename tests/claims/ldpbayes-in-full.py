"""What the text of "In full: LDPBayes" claims; run in its namespace."""

# What does each repair buy?
assert all(abs(d) <= 3 * e for d, e in change.values()), "none of them makes a clear difference"

# What "consistent" buys
assert whole["clearly against"] == 0
assert whole["verdict"] == "holds in part"

# Time and bits (the paper's figure 4 and table 1)
assert bits["DE, split"] > bits["LDPBayes"] > bits["JESS"]

# The claims, one by one
said = {  # in the text; on Adult, Nursery and Bank
    "beats both": ["holds"] * 3,
    "JESS": ["fails", "open", "open"],
    "rises": ["holds", "holds", "holds in part"],
    "within 3": ["holds", "fails", "holds"],
    "curator": ["holds"],
}
for claim, expected in said.items():
    (found,) = (by_set for text, by_set in verdicts.items() if claim in text)
    assert [verdict["verdict"] for verdict in found.values()] == expected, claim
