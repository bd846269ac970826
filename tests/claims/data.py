"""What the text of "The data, and how close the stand-in is" claims; run in its namespace."""

# What the stand-in is
assert cells["age", ">50K", "", "84"] == 1
