// Words in the colour of their mark: in the first paragraph after a figure, the names that the figure draws.
(() => {
  "use strict";
  // What a chapter calls the marks of a role, whatever the legend adds to it.
  const PLAIN = { truth: ["truth", "true"], report: ["report", "sent"], estimate: ["estimate"] };
  const QUIET = "a, code, sup, .math, mjx-container, .lf-word";

  // A name as a text has it: at the start of a sentence, or more than one of it; abbreviations as they are.
  function pattern(name) {
    const plain = name.replace(/s$/, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const first = /^\p{Ll}/u.test(name) ? `[${plain[0]}${plain[0].toUpperCase()}]` : plain[0];
    return new RegExp(`(?<![\\p{L}\\d-])${first}${plain.slice(1)}s?(?![\\p{L}\\d-]|[.,]\\d)`, "u");
  }

  function paragraph(figure) {
    let next = figure.closest(".cell") ?? figure;
    do next = next.nextElementSibling;
    while (next && !next.matches("p, section, h1, h2, h3, .cell:has(figure)"));
    return next?.matches("p") ? next : null;
  }

  function colour(text, name, role) {
    const wanted = pattern(name);
    const nodes = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const node = nodes.currentNode;
      const found = node.parentElement.closest(QUIET) ? null : wanted.exec(node.data);
      if (!found) continue;
      const word = document.createElement("span");
      word.className = "lf-word";
      word.dataset.role = role;
      const rest = node.splitText(found.index);
      rest.splitText(found[0].length);
      rest.replaceWith(word);
      word.append(rest);
      return;
    }
  }

  livefig.words = (figure) => {
    const text = paragraph(figure);
    if (!text) return;
    const names = new Map();
    // A name that marks of two roles have says of neither which it is.
    const add = (name, role) => names.set(name, names.has(name) && names.get(name) !== role ? null : role);
    for (const [label, role] of Object.entries(JSON.parse(figure.dataset.names))) {
      const name = label
        .split(/,\s|[(:]/)[0]
        .replace(/^the /i, "")
        .trim();
      // A short small word, such as "no", is more often something else in a sentence.
      if (name.length > 4 || /\p{Lu}/u.test(name)) add(name, role);
      const words = PLAIN[role] ?? [];
      if (words.some((word) => pattern(word).test(label))) words.forEach((word) => add(word, role));
    }
    const certain = [...names].filter(([, role]) => role);
    certain.sort(([a], [b]) => b.length - a.length).forEach(([name, role]) => colour(text, name, role));
  };
})();
