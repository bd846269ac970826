"""The data sets, a file each, and what some of them need in code: readers and generators of stand-ins."""
