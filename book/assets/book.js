// A formula and the comma after it, or the bracket before it, stay on one line.
for (const math of document.querySelectorAll(".bd-article span.math")) {
  const formula = math.parentElement.matches("a.meant") ? math.parentElement : math;
  const [before, after] = [formula.previousSibling, formula.nextSibling];
  const opens = before?.nodeType === Node.TEXT_NODE ? /[([“‘]+$/.exec(before.data)?.[0] : "";
  const closes = after?.nodeType === Node.TEXT_NODE ? /^[-–.,;:!?)\]’”…]+/.exec(after.data)?.[0] : "";
  if (!opens && !closes) continue;
  const kept = document.createElement("span");
  kept.className = "kept";
  formula.replaceWith(kept);
  if (opens) before.data = before.data.slice(0, -opens.length);
  if (closes) after.data = after.data.slice(closes.length);
  kept.append(opens ?? "", formula, closes ?? "");
}

// What was printed in columns is not broken: it scrolls.
for (const text of document.querySelectorAll(".bd-article .output pre")) {
  if (/\S {2,}\S.*\n.*\S {2,}\S/.test(text.textContent)) text.classList.add("columns");
}

// What is wider than the column. A table has the free margin too, if the window has one; the contents there give way as
// long as it is in view. What still scrolls sideways can be reached by keyboard, and fades where there is more.
addEventListener("load", () => {
  const wide = ".bd-article :is(table, pre, mjx-container[display], span.math, .output, .lf-view, .lf-stage)";
  const contents = document.querySelector(".bd-sidebar-secondary");
  const seen = new Set();
  const give = () => contents?.classList.toggle("hide", seen.size > 0);
  const aside = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) seen[isIntersecting ? "add" : "delete"](target);
      give();
    },
    { rootMargin: "0px 0px -33% 0px" },
  );

  const over = (element) => element.scrollWidth - element.clientWidth;
  function widen(table) {
    const box = table.closest(".lf-live") ?? table; // a live table takes its frame along
    if (box.closest(".admonition, .ldp-exercise, td")) return;
    box.classList.remove("has-margin");
    aside.unobserve(box);
    seen.delete(box);
    const free = document.documentElement.clientWidth - box.getBoundingClientRect().right - 16;
    const wanted = over(table);
    if (innerWidth < 1280 || wanted < 2 || free < 32) return;
    box.style.setProperty("--ldp-margin", `${Math.min(wanted + 2, free)}px`);
    box.classList.add("has-margin");
    aside.observe(box);
  }

  // On a phone a table of words that is too wide is read row by row: each cell names its column.
  let formulas = !window.MathJax?.startup?.promise; // they have their width
  function stack(table) {
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    if (!formulas || innerWidth >= 640 || heads.length < 3) return table.classList.remove("stacked");
    if (table.matches(".stacked, .plan-table") || over(table) < 2) return;
    table.classList.add("stacked");
    if (table.querySelector(".stack-label")) return;
    for (const cell of table.querySelectorAll(":is(tbody, tfoot) > tr > :not(:first-child)")) {
      if (!cell.textContent.trim()) continue;
      const label = document.createElement("span");
      label.className = "stack-label";
      label.append(...[...heads[cell.cellIndex].childNodes].map((node) => node.cloneNode(true)), ":");
      (cell.querySelector("p") ?? cell).prepend(label);
    }
  }

  function fade({ target }) {
    target.classList.toggle("more-before", target.scrollLeft > 1);
    target.classList.toggle("more-after", target.scrollLeft < over(target) - 1);
  }

  // A formula that is a little too wide is set smaller rather than cut off.
  function shrink(formula) {
    formula.style.fontSize = "";
    const share = formula.clientWidth / formula.scrollWidth;
    if (share < 1 && share > 0.8) formula.style.fontSize = `${Math.floor(99 * share)}%`;
  }

  const reach = () => {
    if (formulas) document.querySelectorAll(".bd-article mjx-container[display]").forEach(shrink);
    document.querySelectorAll(".bd-article table:not(.dataframe, .sortable)").forEach(stack);
    document.querySelectorAll(".bd-article table").forEach(widen);
    give();
    for (const element of document.querySelectorAll(wide)) {
      const scrolled = element.classList.contains("scrolls");
      element.classList.remove("scrolls"); // a table that scrolls has narrower names of rows
      if (over(element) > 1 && !["visible", "clip", "hidden"].includes(getComputedStyle(element).overflowX)) {
        element.tabIndex = 0;
        element.classList.add("scrolls");
        element.addEventListener("scroll", fade, { passive: true });
        fade({ target: element });
      } else if (scrolled) element.removeAttribute("tabindex");
    }
  };
  let width = 0; // of the column, which follows a window's width with a delay
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width !== width) reach();
    width = contentRect.width;
  }).observe(document.querySelector(".bd-article") ?? document.body);
  window.MathJax?.startup?.promise?.then(() => {
    formulas = true;
    reach();
  });
  addEventListener("resize", () => requestAnimationFrame(reach));
  addEventListener("lf-drawn", (event) => {
    if (event.target.querySelector("table")) reach();
  });
});

// What has the focus is not under the picture that stays in view above it.
addEventListener("focusin", ({ target }) =>
  requestAnimationFrame(() => {
    const view = target.closest?.(".lf-live")?.querySelector(".lf-view");
    if (!view || !(view.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) || view.contains(target))
      return;
    const covered = view.getBoundingClientRect().bottom + 4 - target.getBoundingClientRect().top;
    if (covered > 0) scrollBy({ top: -covered, behavior: "instant" });
  }),
);

// A slash leads to the search, unless it is typed into a field. (Sphinx has it lead to a field that is not seen.)
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest?.("input, textarea, select, [contenteditable], .presenting")) return;
  event.preventDefault();
  const field = document.querySelector(".bd-search-container input");
  if (field) field.focus();
  else document.querySelector(".search-button__button")?.click();
});

// The theme's buttons that print and fill the screen: tools/site/policy.py keeps handlers out of the pages.
for (const button of document.querySelectorAll("[data-calls]")) {
  button.addEventListener("click", () => (button.dataset.calls === "window.print" ? print() : toggleFullScreen()));
}

// Tables marked as sortable: a button in every column heading; numbers by size, everything else by name.
// A live table is drawn anew when its slider moves, and stays in the order the reader chose.
{
  const chosen = new WeakMap(); // stage of a live table -> [column, direction]
  const prepare = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const stage = table.closest(".lf-stage");
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
  addEventListener("DOMContentLoaded", () =>
    document.querySelectorAll("table.sortable, .sortable table").forEach(prepare),
  );
  addEventListener("lf-drawn", (event) => event.target.querySelectorAll("table.sortable").forEach(prepare));
}

// Paper is white: a dark page prints as a light one. Solutions stay closed, unless the address asks for them.
{
  const root = document.documentElement;
  let theme = null;
  const aims = document.querySelectorAll("details.goals:not([open])");
  addEventListener("beforeprint", () => {
    aims.forEach((e) => e.setAttribute("open", ""));
    if (new URLSearchParams(location.search).get("print") === "solutions") {
      for (const button of document.querySelectorAll(".solution.toggle-hidden .toggle-button")) button.click();
    }
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
    const elsewhere =
      /^https?:/.test(link.getAttribute("href")) || (inBrowser && link.textContent.includes("jsDelivr"));
    if (inBrowser && location.protocol === "file:")
      explain(link, "needs a web server (make serve); the figures on this page work without");
    else if (inBrowser && typeof WebAssembly !== "object")
      explain(link, "this browser has no WebAssembly; the figures on this page work without");
    else if (elsewhere && navigator.onLine === false)
      explain(link, "no network; the figures on this page work without");
  }
});

// A fold says what it holds, to those who hear the page as well; a button at every block of code is a mouse's short cut,
// and no stop for those who go through the page by keyboard.
addEventListener("load", () => {
  for (const button of document.querySelectorAll("button.copybtn")) button.tabIndex = -1;
  for (const summary of document.querySelectorAll("nav li.has-children > details > summary")) {
    summary.setAttribute("aria-label", `Pages of ${summary.closest("li").querySelector("a").textContent.trim()}`);
  }
  for (const button of document.querySelectorAll(".admonition.toggle button.toggle-button")) {
    const title = button.closest(".admonition").querySelector(".admonition-title");
    const words = [...title.childNodes]
      .filter((node) => node !== button)
      .map((node) => node.textContent)
      .join(" ");
    const exercise = button.closest(".ldp-exercise")?.querySelector(".caption-number")?.textContent.trim();
    button.setAttribute("aria-label", `Show or hide: ${words.trim()}${exercise ? `, ${exercise}` : ""}`);
  }
});

// The course's map: a chapter under the pointer, or with the focus, shows which ones it builds on, all the way back.
for (const map of document.querySelectorAll(".course-map")) {
  const boxes = new Map([...map.querySelectorAll("li")].map((box) => [box.getAttribute("value"), box]));
  const mark = (box) => {
    for (const need of (box?.dataset.needs ?? "").split(" ").filter(Boolean)) {
      boxes.get(need).classList.add("needed");
      mark(boxes.get(need));
    }
  };
  const show = (event) => {
    map.querySelectorAll(".needed").forEach((box) => box.classList.remove("needed"));
    if (!event.type.endsWith("out")) mark(event.target.closest("li"));
  };
  for (const type of ["mouseover", "mouseout", "focusin", "focusout"]) map.addEventListener(type, show);
}

// The code of a figure is folded below it, behind a word in the figure's own row if it has one.
for (const fold of document.querySelectorAll(".cell > details.above-input")) {
  const figure = fold.parentElement.querySelector(":scope > .cell_output figure.lf-figure");
  if (!figure) continue;
  fold.parentElement.append(fold);
  addEventListener("DOMContentLoaded", () => {
    const button = figure.livefig?.tool("Code", () => {
      fold.open = !fold.open;
      return "";
    });
    if (!button) return;
    fold.classList.add("in-tools");
    const tell = () => button.setAttribute("aria-expanded", fold.open);
    fold.addEventListener("toggle", tell);
    tell();
  });
}

// The header's menus open and close: by a click, by Escape, and when something else is looked at.
for (const menu of document.querySelectorAll(".bd-header-article .dropdown")) {
  const [button, list] = menu.children;
  const show = (open) => {
    list.classList.toggle("show", open);
    button.setAttribute("aria-expanded", open);
  };
  button.addEventListener("click", () => show(!list.matches(".show")));
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !list.matches(".show")) return;
    show(false);
    button.focus();
  });
  menu.addEventListener(
    "focusout",
    ({ relatedTarget }) => relatedTarget && !menu.contains(relatedTarget) && show(false),
  );
  addEventListener("pointerdown", ({ target }) => menu.contains(target) || show(false));
}

// The sidebar shows the chapter that is read, wherever the link to it was.
addEventListener("load", () => {
  const [link, bar] = [
    document.querySelector(".bd-links .current.active > a"),
    document.querySelector(".bd-sidebar-primary"),
  ];
  if (!link || !bar?.clientHeight) return;
  const [{ top, bottom }, box] = [link.getBoundingClientRect(), bar.getBoundingClientRect()];
  if (top < box.top || bottom > Math.min(box.bottom, innerHeight)) bar.scrollTop += top - box.top - box.height / 3;
});

// The contents mark the section that is read. The theme's own observer marks headings that come into view, so it misses
// those that a jump passes over, and the way back: this comes after it in each frame.
{
  const links = [...document.querySelectorAll("#pst-page-toc-nav a[href^='#']")];
  const places = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const visible = (place) => place && place.getBoundingClientRect().top < innerHeight;
  let due = false;
  const mark = () => {
    due = false;
    let read = places.findLastIndex((place) => place?.getBoundingClientRect().top < 0.3 * innerHeight);
    if (scrollY && scrollY + innerHeight > document.documentElement.scrollHeight - 2) {
      const asked = links.findIndex((link) => link.hash === location.hash); // it may be too short to come to the top
      read = asked > read && visible(places[asked]) ? asked : places.findLastIndex(visible);
    }
    for (const [i, link] of links.entries()) {
      link.classList.toggle("active", i === read);
      if (i === read) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const entry of document.querySelectorAll("#pst-page-toc-nav .toc-entry")) {
      entry.classList.toggle("active", entry.contains(links[read] ?? null));
    }
  };
  const soon = () => {
    if (due || document.documentElement.classList.contains("presenting")) return;
    due = true;
    requestAnimationFrame(() => setTimeout(mark));
  };
  if (links.length) for (const type of ["scroll", "resize", "load"]) addEventListener(type, soon, { passive: true });
}

// Slides are fetched when somebody presents: with the button, or with an address that ends in #slide=3.
if (document.querySelector(".article-header-buttons") && document.querySelector(".bd-article .admonition.goals")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-sm slide-start";
  button.textContent = "Slides";
  button.title =
    "Show this chapter as slides (arrow keys turn, M shows the whole text, O all slides, F fills the screen, B blanks it, Escape ends)";
  const address = new URL("slides.js", document.currentScript.src);
  const fetchSlides = () => {
    const script = document.createElement("script");
    script.src = address;
    document.head.append(script);
  };
  button.addEventListener("click", fetchSlides, { once: true });
  document.querySelector(".article-header-buttons").prepend(button);
  if (/^#slide=\d+$/.test(location.hash)) addEventListener("DOMContentLoaded", () => button.click());
}
