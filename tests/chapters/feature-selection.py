"""What the text of "Private feature selection" claims; run in its namespace."""

# Stability and sensitivity: the published proof
assert camp_weights[0] < camp_weights[1]
assert camp_weights[2] < camp_weights[0]
assert abs(D - gone) < 0.001
assert abs(D - D_other) <= abs(D - gone) + abs(D_other - gone) + 1e-6

# The audit
assert steady.min() > 0.8 * steady.max()
assert math.isclose(
    change(1000, 0.01), camp_weight(1000.0, 0, 1000, 0.01) - camp_weight(499.0, 1, 1000, 0.01), rel_tol=1e-4
)
one_fit = audit["one fit: ε at nominal 1"]
assert felp_epsilon.is_monotonic_increasing
assert (felp_epsilon < one_fit).all()
assert felp_epsilon[1000] > 1

# Figure 1: accuracy against ε
assert abs(worth) < 0.05

# And locally?
assert enough[0] >= 10 * enough[1]
