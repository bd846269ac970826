"""What the text of "Before you start" claims; run in its namespace."""

# NumPy
assert verdict
