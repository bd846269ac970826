"""The book on paper: the built pages as one PDF.

:mod:`tools.paper.pages` turns a page of the site into one for paper, :mod:`tools.paper.book` binds pages into one
document with cover, contents and answers, :mod:`tools.paper.press` prints it by headless Chromium, and
:mod:`tools.paper.proof` reads the result as a reader would, and says what is wrong with it.
"""
