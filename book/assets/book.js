// What scrolls sideways must be reachable by keyboard: tables, code and formulas that are wider than the column.
addEventListener("load", () => {
  const wide = ".bd-article :is(table, pre, mjx-container[display], span.math, .output)";
  const reach = () => {
    for (const element of document.querySelectorAll(wide)) {
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible") element.tabIndex = 0;
    }
  };
  reach();
  window.MathJax?.startup?.promise?.then(reach); // formulas have their width when they are set
});

// Tables marked as sortable: a button in every column heading; numbers by size, everything else by name.
// A live table is drawn anew when its slider moves, and stays in the order the reader chose.
{
  const chosen = new WeakMap(); // stage of a live table -> [column, direction]
  const prepare = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const stage = table.closest(".ldp-stage");
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      if (!button.textContent.trim()) button.textContent = "name";
      head.append(button);
      button.addEventListener("click", () => sort(column, head.getAttribute("aria-sort") === "ascending"));
    });
    function sort(column, down) {
      heads.forEach((h) => h.removeAttribute("aria-sort"));
      heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
      if (stage) chosen.set(stage, [column, down]);
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
    }
    if (chosen.has(stage)) sort(...chosen.get(stage));
  };
  addEventListener("DOMContentLoaded", () => document.querySelectorAll("table.sortable, .sortable table").forEach(prepare));
  addEventListener("ldp-drawn", (event) => event.target.querySelectorAll("table.sortable").forEach(prepare));
}

// Paper is white: a dark page prints as a light one.
{
  const root = document.documentElement;
  let theme = null;
  addEventListener("beforeprint", () => {
    if (root.dataset.theme !== "dark") return;
    theme = root.dataset.theme;
    root.dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    if (theme) root.dataset.theme = theme;
    theme = null;
  });
}

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
