"""What makes the book out of its sources; run from the book's folder: ``python -m tools.build`` and the like."""
