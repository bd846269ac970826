// What a reader looks for comes first: a numbered theorem by its number, which Sphinx's search leaves out (its index has
// these titles from tools/site/numbering.py); titles that are what was typed; chapters, then other pages of the book, and
// last the reference. A term of the glossary is explained above all results.
{
  const GLOSSARY = "book/appendix/glossary";
  const search = Search._performSearch;
  const plain = (text) => text.trim().replace(/\s+/g, " ").toLowerCase();
  const place = ([page, , , about]) => {
    if (about && page !== GLOSSARY) return 0; // a name of the package
    if (/^book\/(?!appendix|record|teach)[^/]+\//.test(page)) return 2;
    return page.startsWith("book/") ? 1 : 0;
  };
  const rank = (query, result) => {
    const [, title] = result;
    const names = title.split(" > ");
    const exact = names.some((name) => plain(name.replace(/<[^>]*>/g, "")).replace(/^(the|an?) /, "") === query);
    const named = names.length === 1 && plain(title).includes(query);
    return 1000 * place(result) + 700 * exact + 400 * named + Math.min(result[4], 200);
  };

  async function explain(term) {
    document.querySelector(".search-term")?.remove();
    const address = `${document.documentElement.dataset.content_root}${GLOSSARY}.html`;
    const text = await (await fetch(address)).text().catch(() => "");
    const page = new DOMParser().parseFromString(text, "text/html");
    const names = (entry) => {
      const english = entry.textContent.split(" · ")[0];
      return [...english.split(/[,;()]/), english].map(plain);
    };
    const entry = [...page.querySelectorAll("dl.glossary > dt")].find((entry) => names(entry).includes(term));
    if (!entry) return;
    const box = document.createElement("p");
    box.className = "search-term";
    const link = document.createElement("a");
    link.href = `${address}#${entry.id}`;
    link.textContent = entry.textContent.replace(/#$/, "");
    box.append(link, ` ${entry.nextElementSibling.querySelector("p").textContent}`);
    document.querySelector("#search-results").before(box);
  }

  Search._performSearch = (query, ...terms) => {
    localStorage.removeItem("sphinx_highlight_terms"); // the page that is opened next is to be read
    const { alltitles, docnames, filenames, titles } = Search._index;
    const asked = plain(query);
    if (location.protocol !== "file:") explain(asked);
    const label = `${asked} (`;
    const found = Object.entries(alltitles).filter(
      ([title]) => /\d/.test(label) && title.toLowerCase().startsWith(label),
    );
    const first = found.flatMap(([title, places]) =>
      places.map(([page, id]) => [
        docnames[page],
        `${titles[page]} > ${title}`,
        `#${id}`,
        null,
        Infinity,
        filenames[page],
      ]),
    );
    const others = search(query, ...terms).map((result) => [rank(asked, result), result]);
    others.sort(([a], [b]) => a - b);
    return [...others.map(([, result]) => result), ...first]; // the last is shown first
  };
}
