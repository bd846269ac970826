// What a reader looks for comes first: a term of the glossary, explained above all results (glossary.js, written by
// tools/site/back.py, which a page that was opened as a file can load, too); a numbered theorem by its number, which
// Sphinx's search leaves out (its index has these titles from tools/site/numbering.py); titles that are what was typed, or
// the term that it means; what the index of a page says that it answers ("how many people"); chapters, then other pages of
// the book, and last the reference. Each page is listed once.
{
  const GLOSSARY = "book/appendix/glossary";
  const root = document.documentElement.dataset.content_root;
  const address = (page) => `${root}${page}.html`;
  const plain = (text) => text.trim().replace(/\s+/g, " ").toLowerCase();
  const node = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  // The terms that are meant: those of that name, in English or Chinese or as a symbol; else those that it is a part of,
  // whole words first, in the order in which the book comes to them.
  const LETTER = "[\\p{Script=Latin}\\p{Script=Greek}\\p{N}]"; // Chinese words have nothing between them
  function names(heading) {
    const halves = heading.split(" · ").map(plain);
    const parts = halves.flatMap((half) => half.split(/[,;()，；（）]/)).map((part) => part.trim());
    return [
      ...halves,
      ...parts.filter((part) => part.length > 1),
      ...halves.map((half) => / (\p{Script=Greek})$/u.exec(half)?.[1]),
    ];
  }
  function meant(asked) {
    const said = asked
      .replace(/\bepsilon\b/, "ε")
      .replace(/\bdelta\b/, "δ")
      .replace(/^l-d/, "ℓ-d");
    const start = `(?<!${LETTER})${said.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`;
    const [word, part] = [new RegExp(`${start}(?!${LETTER})`, "u"), new RegExp(start, "u")];
    const near = ([heading]) => {
      if (names(heading).includes(said)) return 0;
      return word.test(plain(heading)) ? 1 : said.length > 2 && part.test(plain(heading)) ? 2 : Infinity;
    };
    const found = GLOSSARY_TERMS.map((term) => [near(term), term]).filter(([how]) => how < Infinity);
    found.sort(([a], [b]) => a - b);
    return found.filter(([how]) => how === 0 || found[0][0] > 0).map(([, term]) => term);
  }
  const entry = ([heading, id]) => node("a", { href: `${address(GLOSSARY)}#${id}`, textContent: heading });
  function explained(terms) {
    const cards = terms.slice(0, 3).map((term) => {
      const meaning = node("span", { innerHTML: term[2] });
      return node("p", { className: "search-term" }, entry(term), " ", meaning);
    });
    const more = terms.slice(3, 9).flatMap((term) => [" · ", entry(term)]);
    return more.length ? [...cards, node("p", { className: "search-more" }, "Also", ...more)] : cards;
  }

  const order = new Map(
    [...document.querySelectorAll(".bd-links a")].map((link, i) => [link.getAttribute("href").replace(".html", ""), i]),
  );
  const place = ([page, , , about]) => {
    if (about && page !== GLOSSARY) return 0; // a name of the package
    if (/^book\/(?!appendix|in-full|teach)[^/]+\//.test(page)) return 2;
    return page.startsWith("book/") ? 1 : 0;
  };
  // Pages with an entry of the index all of whose words were asked, as "choosing ε" in "what epsilon should I choose".
  function indexed(asked) {
    const { indexentries, docnames, filenames, titles } = Search._index;
    const stemmer = new Stemmer();
    const stems = (text) => splitQuery(text.replace(/\bepsilon\b/, "ε")).map((word) => stemmer.stemWord(word));
    const [said, found] = [new Set(stems(asked)), new Map()];
    for (const [entry, places] of Object.entries(indexentries)) {
      const wanted = stems(entry).filter((word) => !stopwords.includes(word));
      if (!wanted.length || !wanted.every((word) => said.has(word))) continue;
      for (const [page, id] of places.filter(([, id]) => id.startsWith("index-"))) {
        const score = Math.max(wanted.length, found.get(page)?.[4] ?? 0);
        found.set(page, [docnames[page], titles[page], `#${id}`, null, score, filenames[page]]);
      }
    }
    return [...found.values()];
  }
  const bare = (title) => plain(title.replace(/<[^>]*>/g, "")).replace(/^(the|an?) /, "");
  function rank(called, answers, result) {
    const [page, title, anchor] = result;
    const headings = title.split(" > ");
    const said = headings.map(bare);
    const exercise = anchor.startsWith("#ex-");
    const exact = said.some((name) => called.includes(name)) && !exercise;
    const named = said.at(-1).includes(called[0]) && !exercise;
    const answer = answers.find((other) => other[0] === page)?.[4] ?? 0;
    const score =
      1000 * place(result) +
      700 * exact +
      named * (headings.length === 1 ? 400 : 300) +
      (answer && 500 + answer) +
      Math.min(result[4], 200);
    return score - (order.get(page) ?? 999) / 1000; // of equals, the one that the book has first
  }
  // Pages, the best first, each with what was found there.
  function pages(query, sets, [term]) {
    const asked = plain(query);
    const answers = indexed(asked);
    const { alltitles, docnames, filenames, titles } = Search._index;
    const label = `${asked} (`;
    const numbered = Object.entries(alltitles).filter(
      ([title]) => /\d/.test(label) && title.toLowerCase().startsWith(label),
    );
    const sections = ([title, places]) =>
      places
        .filter(([, id]) => id)
        .map(([page, id]) => [docnames[page], `${titles[page]} > ${title}`, `#${id}`, null, 0, filenames[page]]);
    const first = numbered.flatMap(sections);
    const means = term && (names(term[0]).includes(asked) || plain(term[0]).startsWith(asked));
    const called = [asked, means ? plain(term[0].split(/ · |,| \(/)[0]) : asked];
    const titled = Object.entries(alltitles).filter(
      ([title]) => bare(title) === called[1] || bare(title).includes(asked),
    );
    const results = [...Search._performSearch(query, ...sets), ...titled.flatMap(sections), ...answers];
    const others = results.map((result) => [rank(called, answers, result), result]);
    others.sort(([a], [b]) => b - a);
    const found = new Map();
    for (const result of [...first, ...others.map(([, result]) => result)]) {
      found.set(result[0], [...(found.get(result[0]) ?? []), result]);
    }
    // Where no title is what was asked for, the section that has it leads there.
    for (const results of found.values()) {
      const section = results.findIndex(([, , anchor]) => anchor);
      const [[, title, anchor]] = results;
      if (section > 0 && !anchor && !plain(title).includes(asked)) results.unshift(...results.splice(section, 1));
    }
    return [...found.values()];
  }

  // One letter too many, one missing, another one, or two in the wrong order.
  function near(a, b) {
    let i = 0;
    while (i < a.length && a[i] === b[i]) i += 1;
    const same = (skipped, others) => a.slice(i + skipped) === b.slice(i + others);
    return same(1, 1) || same(1, 0) || same(0, 1) || (a[i] === b[i + 1] && a[i + 1] === b[i] && same(2, 2));
  }
  // What was meant, where nothing has what was typed: words of titles and of the glossary, else stems of the index.
  function mended(query) {
    const { alltitles, terms, titleterms } = Search._index;
    const stemmer = new Stemmer();
    const written = [...Object.keys(alltitles), ...GLOSSARY_TERMS.map(([heading]) => heading)];
    const words = splitQuery(written.join(" ").toLowerCase());
    const pages = (word) => [terms[stemmer.stemWord(word)] ?? terms[word] ?? []].flat().length;
    const meant = (word) => {
      const stem = stemmer.stemWord(word);
      if (word.length < 4 || terms[stem] || titleterms[stem]) return word;
      const close = words.filter((known) => near(word, known));
      const found = close.length ? close : Object.keys(terms).filter((known) => near(stem, known));
      return found.reduce((best, known) => (best === "" || pages(known) > pages(best) ? known : best), "") || word;
    };
    return splitQuery(plain(query)).map(meant).join(" ");
  }

  const link = ([page, , anchor], title) => node("a", { href: address(page) + anchor, innerHTML: title });
  function item([best, ...others]) {
    const line = node("li", {}, link(best, best[1]));
    if (best[3]) line.append(node("span", { innerHTML: ` (${best[3]})` }));
    const more = new Map(others.filter(([, , anchor]) => anchor).map((other) => [other[1].split(" > ").at(-1), other]));
    best[1].split(" > ").forEach((title) => more.delete(title));
    const rest = [...more].slice(0, 3).flatMap(([title, other]) => [" · ", link(other, title)]);
    if (rest.length) line.append(node("span", { className: "search-more" }, ...rest));
    return line;
  }

  // A formula in a line of text; a hole where that would say nothing.
  const HOLE = "\uFFFC";
  const SIGNS = new Map(
    `alpha α,beta β,delta δ,Delta Δ,varepsilon ε,eta η,theta θ,lambda λ,mu μ,nu ν,pi π,Phi Φ,varphi φ,rho ρ,sigma σ,tau τ,Omega Ω
    ell ℓ,le ≤,ge ≥,ne ≠,approx ≈,sim ~,pm ±,cdot ·,times ×,dots …,in ∈,to →,infty ∞,mid |,lvert |,rvert |,propto ∝,sum Σ,sqrt √
    lceil ⌈,rceil ⌉,lfloor ⌊,rfloor ⌋,cup ∪,setminus ∖,Pr Pr,ln ln,exp exp,max max,min min,sinh sinh,cosh cosh,tanh tanh`
      .split(/[,\n]\s*/)
      .map((sign) => sign.split(" ")),
  );
  function formula(tex) {
    const whole = (text) => (/^(\p{L}+(_[\p{L}\p{N}])?|[\p{N}.]+)$/u.test(text) ? text : `(${text})`);
    const fraction = (_, of, a, b, c, d, next) => {
      const ratio = `${whole(a ?? b)}/${whole(c ?? d)}`;
      return of ? `${of}(${ratio})` : next ? `(${ratio})` : ratio;
    };
    let said = tex
      .replace(/\\(left|right|[bB]igg?[lr]?|operatorname|math[a-z]+|text)(?![a-z])\s*|\\[()]/g, "")
      .replace(/\\[,; ]/g, " ")
      .replace(/\\\|/g, "‖")
      .replace(/\\([{}])/g, (_, brace) => (brace === "{" ? "⦃" : "⦄"))
      .replace(/\\([A-Za-z]+)/g, (name, sign) => SIGNS.get(sign) ?? name)
      .replace(
        /\\(hat|bar)\s*(?:\{(\p{L})\}|(\p{L}))/gu,
        (_, over, a, b) => (a ?? b) + (over === "hat" ? "\u0302" : "\u0304"),
      );
    for (let before = null; before !== said; ) {
      before = said;
      said = said
        .replace(
          /(ln|√)?\\[dt]?frac\s*(?:\{([^{}]*)\}|([^\s\\{}]))\s*(?:\{([^{}]*)\}|([^\s\\{}]))(?=\s*(\p{L})?)/u,
          fraction,
        )
        .replace(/([_^√])\s*\{([^{}]*)\}(?=(\p{L}?))/u, (_, sign, inner, next) => sign + whole(inner) + (next && " "))
        .replace(/(?<![\\A-Za-z}_^√]\s*)\{([^{}]*)\}/, "$1");
    }
    said = said
      .replace(/\^([23])/g, (_, digit) => "²³"[digit - 2])
      .replace(/_(\d)/g, (_, digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
    said = said.replace(/⦃/g, "{").replace(/⦄/g, "}").replaceAll("-", "−");
    return /\\(?!#)/.test(said) || said.length > 60 ? HOLE : said.replaceAll("\\", "").trim();
  }

  // A page's sections with their paragraphs, as text: no code, no answer, no raw formula.
  const SECRET =
    ".solution, details, form.lf-question, figure, .cell_input, pre, .headerlink, .leads-back, .course-here, .admonition-title";
  async function read(page) {
    const text = await (await fetch(address(page))).text();
    const article = new DOMParser().parseFromString(text, "text/html").querySelector("article");
    article.querySelectorAll(SECRET).forEach((element) => element.remove());
    for (const math of article.querySelectorAll(".math")) {
      math.replaceWith(math.matches("span") ? formula(math.textContent) : HOLE);
    }
    const said = (element) => element.textContent.trim().replace(/\s+/g, " ");
    return [...article.querySelectorAll("section[id]")].map((section) => {
      const own = [...section.querySelectorAll("p, li, dd, td")].filter((e) => e.closest("section[id]") === section);
      const inside = [...section.querySelectorAll("[id]")].filter((e) => e.closest("section[id]") === section);
      const heading = section.querySelector("h1, h2, h3, h4");
      return {
        anchor: heading?.matches("h1") ? "" : `#${section.id}`,
        ids: [section, ...inside].map(({ id }) => `#${id}`),
        heading: heading ? said(heading) : "",
        lines: own.map(said).filter(Boolean),
      };
    });
  }
  const known = new Map(); // a page is read once, however long somebody types

  // A result leads to the section that has most of the words, of several the one with a title that was meant, or with most
  // in one paragraph; that is shown around the first of them, one without a hole if there is one.
  async function excerpt(line, [page, title, anchor], asked, marked) {
    if (!known.has(page)) known.set(page, read(page));
    const stemmer = new Stemmer();
    const words = [...marked].map((word) => [word, stemmer.stemWord(word)]);
    const low = (text) => text.toLowerCase();
    const many = (text) =>
      words.filter((forms) => forms.some((form) => low(text).includes(form))).length + low(text).includes(asked) / 2;
    const most = (texts) => Math.max(0, ...texts.map(many));
    const worth = ({ heading, lines, ids }) =>
      100 * many([heading, ...lines].join(" ")) +
      (plain(title.split(" > ").at(-1)).includes(asked) ? 1e4 : 50) * (anchor !== "" && ids.includes(anchor)) +
      most([heading]) +
      most(lines);
    const sections = await known.get(page);
    const best = sections.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    if (!best.ids.includes(anchor) && (anchor || best.anchor)) {
      const to = address(page) + best.anchor;
      const same = line.querySelector(`.search-more a[href="${to}"]`);
      same?.previousSibling.remove();
      same?.remove();
      line.firstChild.href = to;
      line.firstChild.innerHTML = title.split(" > ")[0];
      if (best.anchor) line.firstChild.append(` > ${best.heading}`);
    }
    const at = (text) => Math.min(...[asked, ...words.flat()].map((word) => low(text).indexOf(word) >>> 0));
    const part = (found) => {
      const from = at(found) < 160 || at(found) > found.length ? 0 : found.lastIndexOf(" ", at(found) - 80) + 1;
      const to = found.length < from + 260 ? found.length : found.lastIndexOf(" ", from + 240);
      return `${from ? "… " : ""}${found.slice(from, to)}${to < found.length ? " …" : ""}`;
    };
    const found = best.lines.filter((text) => many(text) === most(best.lines)).map(part);
    const shown = found.find((text) => !text.includes(HOLE)) ?? found[0] ?? "";
    line.lastChild.textContent = shown.replaceAll(HOLE, "…");
    const seen = [...marked].filter((word) => !/^[a-z]{1,2}$/.test(word)); // "do" is in many a word
    seen.forEach((word) => _highlightText(line.lastChild, word, "highlighted"));
  }

  // What a page says of its results stands in one place, so that it is heard while somebody types.
  const status = node("p", { className: "search-summary" });
  status.setAttribute("role", "status");
  Search.performSearch = (query) => {
    const out = document.getElementById("search-results");
    for (const old of [...out.children]) if (old !== status) old.remove();
    if (!status.isConnected) out.append(status);
    Search.output = out.appendChild(node("ul", { className: "search" }));
    if (Search.hasIndex()) Search.query(query);
    else Search.deferQuery(query);
  };

  Search.query = (query) => {
    const asked = plain(query);
    let terms = meant(asked);
    // The book is in English: for a Chinese term, pages with the English one.
    let instead = /\p{Script=Han}/u.test(asked) && terms[0]?.[0].split(/ · | \p{Script=Greek} |[,;(]/u)[0].trim();
    const look = (query) => {
      const [text, stems, ...sets] = Search._parseQuery(query);
      localStorage.removeItem("sphinx_highlight_terms"); // the page that is opened next is to be read
      const found = pages(text, [stems, ...sets], terms).filter(([[page]]) => page !== GLOSSARY || !terms.length);
      return { found, words: plain(text), marked: sets[1] };
    };
    let { found, words, marked } = look(instead || query);
    if (!found.length && !terms.length) {
      instead = mended(query);
      terms = meant(instead);
      ({ found, words, marked } = look(instead));
    }
    const isFile = location.protocol === "file:";
    const count = found.length ? `${found.length} page${found.length > 1 ? "s" : ""}` : `No page with “${query}”`;
    const opened = isFile && found.length ? ". Read as a file: titles and sections, without lines of their text." : "";
    status.before(...explained(terms));
    status.textContent = `${count}${instead && found.length ? ` with “${instead}”` : ""}${opened}`;
    const lines = new Map();
    const seen = new IntersectionObserver(
      (entries) => {
        for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
          seen.unobserve(target);
          excerpt(target, lines.get(target), words, marked);
        }
      },
      { rootMargin: "200px" },
    );
    for (const results of found) {
      const line = item(results);
      lines.set(line, results[0]);
      Search.output.append(line);
      if (isFile || results[0][3]) continue;
      line.append(node("p", { className: "context" })); // its place is kept
      seen.observe(line);
    }
  };

  // Results follow what is typed; the address does too, for the way back. Arrows go from the field through the results.
  const field = document.querySelector(".bd-search-container input");
  field.focus({ preventScroll: true }); // who comes here types, or goes down to the first result
  let timer = 0;
  field.addEventListener("input", ({ isComposing }) => {
    clearTimeout(timer);
    if (isComposing) return; // a Chinese word is not there yet
    timer = setTimeout(() => {
      if (location.protocol !== "file:") history.replaceState(null, "", `?q=${encodeURIComponent(field.value)}`);
      if (field.value.trim()) Search.performSearch(field.value);
      else document.getElementById("search-results").replaceChildren();
    }, 150);
  });
  field.addEventListener("compositionend", () => field.dispatchEvent(new Event("input")));
  field.closest(".bd-search-container").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [field, ...document.querySelectorAll("#search-results :is(.search-term, li) > a:first-child")];
    const next = stops[stops.indexOf(event.target) + step];
    if (!stops.includes(event.target) || !next) return;
    event.preventDefault();
    next.focus();
  });
}
