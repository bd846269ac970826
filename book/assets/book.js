// What scrolls sideways must be reachable by keyboard: tables, code and formulas that are wider than the column.
addEventListener("load", () => {
  const wide = document.querySelectorAll(".bd-article table, .bd-article pre, .bd-article mjx-container[display], .bd-article .output");
  for (const element of wide) {
    if (element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== "visible") element.tabIndex = 0;
  }
});

// Tables marked as sortable: a button in every column heading; numbers by size, everything else by name.
addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("table.sortable, .sortable table")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      if (!button.textContent.trim()) button.textContent = "name";
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((h) => h.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const key = (row) => row.cells[column].textContent.trim();
        const size = (text) => parseFloat(text.replace(/[,\u2009]/g, "").replace("−", "-"));
        const rows = [...table.tBodies[0].rows].sort((a, b) => {
          const [x, y] = [size(key(a)), size(key(b))];
          const bothNumbers = !Number.isNaN(x) && !Number.isNaN(y);
          // What is not a number stands below the numbers, in either direction.
          if (!bothNumbers && Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
          const order = bothNumbers ? x - y : key(a).localeCompare(key(b));
          return down ? -order : order;
        });
        table.tBodies[0].append(...rows);
      });
    });
  }
});

// Buttons that cannot work here say so: no WebAssembly, no Python in the browser; no network, no other host.
addEventListener("DOMContentLoaded", () => {
  const explain = (link, message) => {
    link.removeAttribute("href");
    link.setAttribute("aria-disabled", "true");
    const note = document.createElement("small");
    note.textContent = ` – ${message}`;
    link.append(note);
  };
  const buttons = [...document.querySelectorAll(".article-header-buttons a[href]")];
  for (const link of buttons) {
    const inBrowser = link.getAttribute("href").includes("lite/lab/index.html");
    const elsewhere = /^https?:/.test(link.getAttribute("href")) || (inBrowser && link.textContent.includes("jsDelivr"));
    if (inBrowser && typeof WebAssembly !== "object") explain(link, "this browser has no WebAssembly; the figures on this page work without");
    else if (elsewhere && navigator.onLine === false) explain(link, "no network; the figures on this page work without");
  }
});
