"""What the text of "Local Differential Privacy, Live" claims; run in its namespace."""

# Local Differential Privacy, Live
assert half_width[40_000] < 0.01 < 0.04 < half_width[400]
assert half_width[4_000_000] < 0.001
assert 0.7 < one_truth < 0.75
