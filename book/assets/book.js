// What scrolls sideways must be reachable by keyboard: tables, code and formulas that are wider than the column.
addEventListener("load", () => {
  const wide = document.querySelectorAll(".bd-article table, .bd-article pre, .bd-article mjx-container[display], .bd-article .output");
  for (const element of wide) {
    if (element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== "visible") element.tabIndex = 0;
  }
});
