// Present a chapter: section leads, definitions, theorems, figures, exercises and questions, one at a time.
// Nothing is copied: everything else on the page is hidden, so figures and questions work as they do on the page.
// It comes with the first press of the button, which book.js puts there.
(() => {
  const article = document.querySelector("article.bd-article");

  const KINDS = [
    ["heading", "h1, h2, h3"],
    [
      "skipped",
      ".admonition.goals, .course-here, .proof.admonition:not(.definition, .theorem, .lemma), .dropdown:not(.solution)",
    ],
    ["predict", ".admonition.predict"],
    ["exercise", "div.exercise"],
    ["solution", "div.solution"],
    ["box", ".admonition, div.proof"],
    ["figure", ".cell:has(.cell_output figure.lf-figure)"],
    ["question", ".cell:has(form.lf-question)"],
    ["run", ".cell.tag_run-here"],
    ["code", ".cell"],
    ["text", "p"],
    ["shown", "div.math, ul, ol, dl, .pst-scrollable-table-container, table"],
  ];
  // Where a page's numbers come from stands on the page, and who its neighbours are; nobody talks about it.
  for (const said of article.querySelectorAll("p > .pasted-text:first-child")) {
    if (said.textContent.startsWith("Numbers on this page come from ")) said.classList.add("slide-data");
  }
  const bareData = (block) =>
    block.firstElementChild?.matches(".slide-data:last-child") && block.childNodes.length === 1;
  const NEIGHBOURS = /^Neighbours( in this chapter)?$/;
  const aside = (block) =>
    bareData(block) || NEIGHBOURS.test(block.querySelector(":scope > .admonition-title")?.textContent.trim());
  const SOURCE = /Numbers on this page come from |^All accuracies in this chapter come from /;
  const kind = (block) => (aside(block) ? "skipped" : KINDS.find(([, selector]) => block.matches(selector))?.[0]);
  // A paragraph that leads to what comes next: "the probability is", "namely:".
  const leads = (block) => !!block && kind(block) === "text" && !/[.!?…)”"’]\s*$/.test(block.textContent);

  const ROOM = 1100; // letters that fit on a slide
  const WORDY = 60; // words of running text that nobody reads while somebody talks
  const words = (node) => node.textContent.trim().split(/\s+/).length;

  // A slide has the first sentence of each paragraph; the rest of it is shown on demand. What leads to a formula stays.
  const SENTENCE = /(?<!\b(?:vs|cf|\p{Lu}))[.?!…][)”’]*\s+(?=[^\p{Ll}\s]|$)/u;
  function shorten(paragraph) {
    if (paragraph.querySelector(".slide-rest")) return;
    const starts = [];
    for (let node = paragraph.firstChild; node; node = node.nextSibling) {
      const end = node.nodeType === Node.TEXT_NODE ? SENTENCE.exec(node.data) : null;
      if (end) starts.push(node.splitText(end.index + end[0].length));
    }
    const last = leads(paragraph) ? starts.pop() : null;
    if (!starts.length) return;
    const rest = document.createElement("span");
    rest.className = "slide-rest";
    starts[0].before(rest);
    while (rest.nextSibling && rest.nextSibling !== last) rest.append(rest.nextSibling);
    if (words(rest) < 8) rest.replaceWith(...rest.childNodes); // it is as short as the button
  }

  // A slide is a list of blocks. Text stands below its heading, up to two paragraphs; a figure beside its prediction or
  // the one paragraph before it, a box below that paragraph, a field below its exercise; what a sentence leads to, and the rest of the sentence,
  // come along, and a few lines of code with the paragraph before them.
  function slides() {
    const list = [];
    let open = null; // { blocks, later, takes }: takes counts the paragraphs that still fit
    const last = () => open?.blocks.at(-1);
    const has = (wanted, name = "*") => open?.blocks.some((block) => kind(block) === wanted && block.matches(name));
    const fits = (block) =>
      open.takes > 0 && [...open.blocks, block].reduce((sum, e) => sum + e.textContent.length, 0) < ROOM;
    const bare = () => open?.blocks.every((block) => kind(block) === "heading");
    const lone = (next) =>
      last() === next.previousElementSibling &&
      !has("heading", "h1") &&
      open?.blocks
        .map(kind)
        .filter((is) => is !== "heading")
        .join() === "text";
    const short = (cell) => {
      const [code, output] = [":scope > .cell_input pre", ":scope > .cell_output"].map((part) =>
        cell.querySelector(part),
      );
      const lines = code ? code.textContent.split("\n").filter((line) => line.trim()).length : 0;
      return !cell.matches(".tag_hide-cell") && lines <= 7 && (output?.textContent.length ?? 0) < 600;
    };
    const start = (block, takes = 0) => list.push((open = { blocks: [block], later: [], takes }));
    const join = (block) => open.blocks.push(block);
    const joinOr = (block, condition) => (condition ? join(block) : start(block));
    const blocks = [...article.querySelectorAll(":is(section, .ldp-exercise) > :not(.ldp-exercise)")].filter(
      (e) => !e.parentElement.closest(".admonition, .progress-box"),
    );
    for (const block of blocks) {
      const is = kind(block);
      if (is === "heading") bare() ? (join(block), (open.takes = 2)) : start(block, 2);
      else if (is === "predict" || is === "exercise") joinOr(block, bare());
      else if (is === "box") joinOr(block, bare() || leads(last()) || (lone(block) && fits(block)));
      else if (is === "figure")
        joinOr(block, bare() || leads(last()) || lone(block) || (has("predict") && !has("figure")));
      else if (is === "question") joinOr(block, bare() || (has("exercise") && !has("question")));
      else if (is === "run") joinOr(block, !!open && (bare() || has("exercise") || fits(block)));
      else if (is === "solution" && has("exercise")) join(block), open.later.push(block);
      else if (is === "code" && (leads(last()) || (lone(block) && short(block)))) join(block);
      else if (is === "code" && lone(block))
        open.blocks.pop(); // it tells of code that is not shown
      else if (is === "shown" && (leads(last()) || (open && fits(block)))) join(block);
      else if (is === "text" && open) {
        const rest = kind(last()) === "shown" && /^[a-z,;]/.test(block.textContent.trim());
        if (leads(last()) || rest || bare() || fits(block)) join(block), (open.takes -= 1);
        else if (kind(last()) === "figure" && has("predict") && !leads(block)) join(block), open.later.push(block);
      }
      if (open && !["heading", "text", "shown", "skipped"].includes(is)) open.takes = 0;
    }
    for (const { blocks, later } of list) {
      const texts = blocks.filter((block) => kind(block) === "text" && !later.includes(block));
      const room = blocks.some((block) => kind(block) === "figure") ? WORDY / 2 : WORDY;
      if (texts.reduce((sum, text) => sum + words(text), 0) > room) texts.forEach(shorten);
    }
    return list.filter((slide) =>
      slide.blocks.some((block) => kind(block) !== "heading" && !SOURCE.test(block.textContent.trim())),
    );
  }

  let list = [],
    at = -1,
    bar = null;

  function clear() {
    for (const name of [
      "slide-off",
      "slide-later",
      "slide-beside",
      "slide-columns",
      "slide-two",
      "slide-thin",
      "slide-lead",
    ]) {
      article.querySelectorAll(`.${name}`).forEach((e) => e.classList.remove(name));
    }
    ["--slide-type", "--slide-small", "--slide-drop"].forEach((name) =>
      document.documentElement.style.removeProperty(name),
    );
    article.style.removeProperty("--slide-high");
    article.classList.remove("slide-terse", "slide-alone", "slide-whole", "slide-titled");
  }

  function show(n) {
    at = Math.max(0, Math.min(list.length - 1, n));
    clear();
    const { blocks, later } = list[at];
    const root = article.querySelector(":scope > section") ?? article;
    const hide = (parent) => {
      for (const child of parent.children) {
        if (blocks.includes(child)) continue;
        if (blocks.some((block) => child.contains(block))) hide(child);
        else child.classList.add("slide-off");
      }
    };
    hide(root);
    later.forEach((block) => block.classList.add("slide-later"));
    article.classList.toggle("slide-titled", blocks[0].matches("h2, h3"));
    const title = blocks.findIndex((block) => kind(block) !== "heading") - 1;
    if (blocks[0].matches("h2, h3")) blocks[title].classList.add("slide-lead");
    const section = blocks[0].closest("section")?.querySelector("h2, h1");
    bar.querySelector("output").textContent = `${at + 1} of ${list.length}`;
    bar.querySelector("strong").textContent =
      section && !blocks.includes(section) ? section.firstChild.textContent : "";
    history.replaceState(null, "", `#slide=${at + 1}`);
    scrollTo(0, 0);
    dispatchEvent(new Event("resize")); // fits it, and what else depends on a width
  }

  // All of a slide is seen at once: what moves a figure stands below the picture or beside it, a prediction beside the
  // figure or above it, wherever the picture is larger; it gives them room if it must. A solution that is still too high
  // takes the place of its exercise, in two columns if one is too high; a step back shows the exercise. Code that is too
  // high is cut. Letters are made smaller on a wide screen only, and never less than 20 pixels: a room reads them.
  const TYPE = [1, 0.9, 0.8];
  const WORDS = [1.4, 1.2]; // words without a picture, which would leave much of a screen empty; code and tables stay small
  function fit({ alone = false, terse = false } = {}) {
    article.classList.toggle("slide-alone", alone);
    article.classList.toggle("slide-terse", terse);
    article.querySelectorAll("pre > [class^=slide]").forEach((part) => part.replaceWith(...part.childNodes));
    article.querySelectorAll("tr[class^=slide]").forEach((row) => row.removeAttribute("class"));
    const root = document.documentElement;
    const { blocks, later } = list[at];
    const solution = blocks.find((block) => kind(block) === "solution" && !block.classList.contains("slide-later"));
    const within = (selector) => blocks.flatMap((block) => [...block.querySelectorAll(selector)]);
    const [figures, pictures] = [within(".lf-live:not(:has(.lf-scroll))"), within(".lf-stage > svg")];
    const [figure] = blocks.filter((block) => kind(block) === "figure");
    const asides = blocks.filter(
      (block) => kind(block) === "predict" || (kind(block) === "text" && !later.includes(block)),
    );
    const beside = pictures.length && asides.length === 1 && asides[0].parentElement === figure?.parentElement;
    const grid = beside ? figure.parentElement : undefined;
    const told = beside && kind(asides[0]) === "text"; // it is read with the picture, so that stands beside it if it can
    ["--slide-small", "--slide-drop"].forEach((name) => root.style.removeProperty(name));
    const types = pictures.length ? TYPE : [...WORDS, ...TYPE];
    const over = () => root.scrollHeight - innerHeight;
    const heights = () => pictures.map((svg) => svg.getBoundingClientRect().height);
    const lay = ([type, columns, beside]) => {
      root.style.setProperty("--slide-type", type);
      article.style.removeProperty("--slide-high");
      figures.forEach((figure) => figure.classList.toggle("slide-columns", columns));
      solution?.classList.toggle("slide-two", alone && columns);
      grid?.classList.toggle("slide-beside", beside);
      if (pictures.length && over() > 0) {
        const high = Math.max(...heights()) - over() / pictures.length;
        article.style.setProperty("--slide-high", `${Math.max(high, 0.3 * innerHeight)}px`);
      }
      return { way: [type, columns, beside], over: Math.max(0, over()), size: Math.min(...heights()) };
    };
    const ways = [];
    root.style.removeProperty("--slide-type");
    const letters = parseFloat(getComputedStyle(root).fontSize);
    for (const type of types.filter((type) => type >= 1 || type * letters >= 20)) {
      for (const columns of figures.length || alone ? [false, true] : [false]) {
        for (const beside of grid && !(told && columns) ? [true, false] : [false])
          ways.push(lay([type, columns, beside]));
      }
      if (ways.some((way) => !way.over && way.size > 0.45 * innerHeight)) break; // without a picture it is infinite
    }
    const worth = ({ way: [, , beside], size }) => (told && beside ? 1.4 : 1) * size;
    const better = (a, b) => b.over < a.over || (b.over === a.over && worth(b) > 1.05 * worth(a));
    const best = ways.reduce((a, b) => (better(a, b) ? b : a));
    if (solution && !alone && best.over) return fit({ alone: true });
    if (best.over && !terse) return fit({ alone, terse: true }); // without the code of what is shown
    if (lay(best.way).over)
      cut(
        within("pre, tbody").filter((listing) => listing.checkVisibility()),
        over(),
      );
    else roomy(blocks, best.way);
    within(".lf-ticks").forEach(thin);
    state();
  }

  // What is small is larger where there is room; below a title what is short stands a little above the middle.
  function roomy(blocks, [type, , beside]) {
    const root = document.documentElement;
    const small = blocks.flatMap((block) => [...block.querySelectorAll("pre, table")]);
    if (type > 1 && small.length) {
      root.style.setProperty("--slide-small", 1.15);
      if (root.scrollHeight > innerHeight || small.some((part) => part.scrollWidth > part.clientWidth))
        root.style.removeProperty("--slide-small");
    }
    const ends = blocks.filter((block) => block.checkVisibility()).map((block) => block.getBoundingClientRect().bottom);
    const free = innerHeight - bar.offsetHeight - Math.max(...ends);
    if (!beside && free > innerHeight / 4) root.style.setProperty("--slide-drop", `${0.4 * free}px`);
  }

  // The longest listing keeps the lines that there is room for, up to where a statement ends, a table its first rows; the
  // rest takes their place on demand.
  function cut(listings, over) {
    const lines = (text) => text.split("\n").length - 1;
    const [listing] = listings.sort((a, b) => b.offsetHeight - a.offsetHeight);
    if (!listing) return;
    if (listing.rows) return cutRows([...listing.rows], over);
    const high = parseFloat(getComputedStyle(listing).lineHeight);
    const room = Math.max(3, lines(listing.textContent) - Math.ceil(over / high) - 1);
    let [seen, line, statement] = [0, null, null];
    for (const node of listing.childNodes) {
      seen += lines(node.textContent);
      if (seen > room) break;
      if (!node.textContent.includes("\n") || !node.nextSibling) continue;
      line = node.nextSibling;
      const begins = node.textContent.split("\n").at(-1) + line.textContent;
      if (seen > room / 2 && /^[^\s)\]}]/.test(begins)) statement = line;
    }
    const at = statement ?? line;
    if (!at) return;
    const nodes = [...listing.childNodes];
    const parts = [nodes.slice(0, nodes.indexOf(at)), nodes.slice(nodes.indexOf(at))];
    for (const [i, part] of parts.entries()) {
      const span = document.createElement("span");
      span.className = i ? "slide-rest" : "slide-first";
      span.append(...part);
      listing.append(span);
    }
  }

  function cutRows(rows, over) {
    const room = rows[0].getBoundingClientRect().top + rows[0].parentElement.offsetHeight - over;
    const at = rows.findIndex((row) => row.getBoundingClientRect().bottom > room);
    rows.forEach((row, i) => row.classList.add(i < at ? "slide-first" : "slide-rest"));
  }

  // In a narrow column numbers under a slider would run into each other: those without room are left out, never the ends.
  function thin(ticks) {
    const spans = [...ticks.querySelectorAll("span:not(.lf-flag)")];
    const boxes = spans.map((span) => span.getBoundingClientRect());
    let end = -Infinity;
    spans.forEach((span, i) => {
      const room = boxes[i].left > end + 4 && boxes[i].right < boxes.at(-1).left - 4;
      const kept = room || i === 0 || i === spans.length - 1;
      span.classList.toggle("slide-thin", !kept);
      if (kept) end = boxes[i].right;
    });
  }

  const hidden = () => list[at].later.filter((block) => block.classList.contains("slide-later"));
  // A picture that waits for a guess is shown before the sentence that reads it.
  const veiled = () => list[at].blocks.map((block) => block.querySelector(".lf-veiled [data-do=see]")).find(Boolean);
  const rest = () => list[at].blocks.some((block) => block.querySelector(".slide-rest"));
  function state() {
    const answer = hidden().length > 0 || Boolean(veiled());
    bar.querySelector("[data-reveal]").hidden = !answer;
    const more = bar.querySelector("[data-more]");
    more.hidden = !rest();
    more.setAttribute("aria-pressed", article.classList.contains("slide-whole"));
    bar.querySelector("[data-step='-1']").disabled = at === 0 && !article.classList.contains("slide-alone");
    bar.querySelector("[data-step='1']").disabled = at === list.length - 1 && !answer;
  }
  function reveal() {
    const see = veiled();
    if (see) {
      see.click();
      document.activeElement.blur(); // arrows go on turning slides
      return fit();
    }
    for (const block of hidden()) {
      block.classList.remove("slide-later");
      if (block.matches(".toggle-hidden")) block.querySelector(".toggle-button")?.click();
    }
    fit();
    list[at].later[0].scrollIntoView({ block: "nearest" });
  }
  function more() {
    if (!rest()) return;
    article.classList.toggle("slide-whole");
    fit();
  }
  function turn(step) {
    if (step > 0 && (hidden().length || veiled())) reveal();
    else show(step < 0 && article.classList.contains("slide-alone") ? at : at + step);
  }

  function blank() {
    const old = document.querySelector(".slide-blank");
    if (old) return old.remove();
    const curtain = document.createElement("div");
    curtain.className = "slide-blank";
    curtain.addEventListener("click", () => curtain.remove());
    document.body.append(curtain);
  }
  // What a slide is called in the overview: its title, or that of its box, question or figure, or how it begins.
  function name(blocks) {
    const title = blocks.find((block) => block.matches("h1, h2, h3"));
    if (title) return title.firstChild.textContent;
    const [block] = blocks;
    const drawn = block.querySelector(".lf-stage")?.ariaLabel?.split(/[.;] /)[0];
    const text = block.querySelector(".lf-title, .admonition-title, .lf-question-text")?.cloneNode(true);
    text?.querySelector(".exercise-level")?.remove();
    const named = text?.textContent.trim();
    if (named?.includes(" ")) return named; // not "Warning" or "Code"
    return drawn ?? (block.querySelector(".cell_output, .cell_input") ?? block).textContent;
  }
  // All slides by their names; a click leads there, arrows go from one to the next.
  function overview() {
    const old = document.querySelector(".slide-overview");
    if (old) return old.remove();
    const sheet = document.createElement("ol");
    sheet.className = "slide-overview";
    for (const [i, { blocks }] of list.entries()) {
      const entry = document.createElement("button");
      entry.type = "button";
      const number = document.createElement("small");
      number.textContent = i + 1;
      const words = document.createElement("span");
      words.textContent = name(blocks).trim().replace(/\s+/g, " ");
      entry.append(number, words);
      if (blocks[0].matches("h1, h2, h3")) entry.className = "slide-section";
      entry.setAttribute("aria-current", i === at);
      entry.addEventListener("click", () => {
        overview();
        show(i);
      });
      sheet.append(document.createElement("li"));
      sheet.lastChild.append(entry);
    }
    document.body.append(sheet);
    sheet.querySelector("[aria-current=true]").focus();
  }
  const fill = () =>
    document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();

  function begin(n) {
    list = slides();
    for (const tool of article.querySelectorAll(".lf-tools button")) {
      tool.classList.toggle("slide-unused", ["Copy link", "Code"].includes(tool.textContent)); // Reset and Pin serve a class
    }
    bar = document.createElement("div");
    bar.className = "slide-bar";
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Slides");
    bar.innerHTML =
      "<strong></strong><button type=button data-more hidden title='The whole text (M)'>More</button>" +
      "<button type=button data-reveal hidden title='or go on'>Answer</button>" +
      "<button type=button data-step='-1' aria-label='Previous slide'>←</button>" +
      "<output aria-live=polite title='All slides (O)'></output><button type=button data-step='1' aria-label='Next slide'>→</button>" +
      "<button type=button data-fill aria-label='Full screen' title='Full screen (F); a blank screen (B); all slides (O)'>" +
      "<svg viewBox='0 0 16 16' width='16' height='16' fill='none' stroke='currentcolor' stroke-width='2' aria-hidden='true'>" +
      "<path d='M1 5V1h4M11 1h4v4M15 11v4h-4M5 15H1v-4'/></svg></button>" +
      "<button type=button data-end aria-label='End of presentation'>✕</button>";
    bar.addEventListener("click", (event) => {
      if (event.target.closest("output")) overview();
      const on = event.target.closest("button")?.dataset;
      if (!on) return;
      if ("end" in on) end();
      else if ("reveal" in on) reveal();
      else if ("more" in on) more();
      else if ("fill" in on) fill();
      else turn(Number(on.step));
    });
    document.body.append(bar);
    document.documentElement.classList.add("presenting");
    // Begin with what the reader was looking at.
    const seen = list.findIndex(({ blocks }) => blocks.at(-1).getBoundingClientRect().bottom > 80);
    show(n ?? (scrollY < 200 || seen < 0 ? 0 : seen));
  }

  function end() {
    const [current] = list[at].blocks;
    clear();
    document.documentElement.classList.remove("presenting");
    document.querySelectorAll(".slide-blank, .slide-overview").forEach((e) => e.remove());
    if (document.fullscreenElement) document.exitFullscreen();
    bar.remove();
    bar = null;
    history.replaceState(null, "", location.pathname + location.search);
    current.scrollIntoView({ block: "center" });
    button.focus();
  }

  addEventListener("resize", () => bar && fit());
  window.MathJax?.startup?.promise?.then(() => bar && fit()); // formulas have their height
  // A guess is given, draws are piled up: what is left of the screen is the picture's.
  article.addEventListener("click", (event) => {
    if (bar && event.target.closest("button")) requestAnimationFrame(() => bar && fit());
  });

  addEventListener(
    "keydown",
    (event) => {
      if (!bar || event.altKey || event.ctrlKey || event.metaKey) return;
      // Arrows belong to a slider that has the focus, letters to a field; Page Up and Page Down always turn the slide.
      const busy = event.target.matches?.("input, textarea, select, [contenteditable]");
      const step = { PageDown: 1, PageUp: -1, ...(busy ? {} : { ArrowRight: 1, ArrowLeft: -1 }) }[event.key];
      const letters = { f: fill, b: blank, o: overview, m: more };
      const act = { Home: () => show(0), End: () => show(list.length - 1), ...letters }[
        event.key.replace(/^[A-Z]$/, (key) => key.toLowerCase())
      ];
      if (document.querySelector(".slide-overview")) {
        const next = { ArrowRight: "next", ArrowDown: "next", ArrowLeft: "previous", ArrowUp: "previous" }[event.key];
        if (event.key === "Escape" || act === overview) overview();
        else if (next) event.target.closest("li")?.[`${next}ElementSibling`]?.firstChild.focus();
        else return;
      } else if (step) turn(step);
      else if (event.key === "Escape" && event.target.matches?.("textarea"))
        event.target.blur(); // out of the code first
      else if (event.key === "Escape") end();
      else if (!busy && act) act();
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

  // A finger that wipes across turns the slide, unless it began on something that moves by itself.
  let touched = null;
  addEventListener(
    "touchstart",
    (event) => {
      const busy = event.target.closest?.("input, textarea, button, pre, table, mjx-container, .course-map");
      touched = bar && !busy && event.touches.length === 1 ? event.touches[0] : null;
    },
    { passive: true },
  );
  addEventListener("touchend", (event) => {
    const [now] = event.changedTouches;
    const [across, down] = touched ? [now.clientX - touched.clientX, now.clientY - touched.clientY] : [0, 0];
    touched = null;
    if (bar && Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(down)) turn(across < 0 ? 1 : -1);
  });

  const button = document.querySelector(".slide-start");
  button.addEventListener("click", () => begin());
  const asked = /^#slide=(\d+)$/.exec(location.hash);
  begin(asked ? Number(asked[1]) - 1 : undefined);
})();
