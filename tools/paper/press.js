// What the press asks of the document that it prints. Sizes are those of the paper: the window is as wide as its text.
// biome-ignore lint/correctness/noUnusedVariables: the press calls it by name
const press = {
  // Formulas and type are there.
  async ready() {
    await MathJax.startup.promise;
    await document.fonts.ready;
  },

  // A language that this machine has no type for would come out as empty boxes: take it out, and say how often.
  without(sample, language) {
    const drawn = (text) => {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 40;
      const pen = canvas.getContext("2d");
      pen.font = `30px ${getComputedStyle(document.documentElement).fontFamily}`;
      pen.fillText(text, 2, 32);
      return canvas.toDataURL();
    };
    if (drawn(sample) !== drawn("\u{10FFFD}")) return 0;
    const found = [...document.querySelectorAll(`[lang|="${language}"]`)].filter(
      (element) => element !== document.documentElement,
    );
    for (const element of found) {
      // A term and its translation, "k-anonymity · k-匿名", are parted by a dot: what follows it goes, in any script.
      if (!element.isConnected) continue;
      const nodes = [...element.parentNode.childNodes];
      const dot = nodes.findIndex((node) => node.nodeType === Node.TEXT_NODE && /·\s*\S*$/.test(node.data.trimEnd()));
      if (dot >= 0 && dot < nodes.indexOf(element)) {
        nodes[dot].data = nodes[dot].data.replace(/\s*·[^·]*$/, "");
        for (const node of nodes.slice(dot + 1)) node.remove();
      } else element.remove();
    }
    return found.length;
  },

  // A picture is as wide as it was drawn, so that all labels have one size; a wide table, formula or listing is set smaller.
  fit() {
    for (const svg of document.querySelectorAll(".lf-stage > svg")) svg.style.width = `${svg.viewBox.baseVal.width}px`;
    const room = (element) => {
      const box = element.parentElement.getBoundingClientRect();
      const style = getComputedStyle(element.parentElement);
      return box.width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    };
    for (const element of document.querySelectorAll("table, mjx-container")) {
      if (element.tagName !== "TABLE" && element.parentElement.closest("table")) continue;
      const block =
        element.tagName === "TABLE" || element.getAttribute("display")
          ? element
          : element.closest("p, li, dd, h2, h3, h4, section");
      const width = () =>
        (element.tagName === "TABLE" ? element : element.querySelector("mjx-math")).getBoundingClientRect().width;
      const space = element === block ? room(element) : block.getBoundingClientRect().width;
      for (let i = 0; i < 4 && width() > space + 0.5; i++) {
        const size = parseFloat(getComputedStyle(element).fontSize);
        element.style.fontSize = `${Math.max(size * Math.min(space / width(), 0.98), 5)}px`;
      }
    }
  },

  // Write in on which page each target stands; true if that changed something.
  number(pages) {
    let changed = false;
    for (const slot of document.querySelectorAll(".page-of")) {
      const page = String(pages[slot.dataset.of] ?? "?");
      changed ||= slot.textContent !== page;
      slot.textContent = page;
    }
    return changed;
  },

  // What does not fit: wider than the text of a page, or higher and not to be broken.
  overfull(height) {
    const width = document.body.getBoundingClientRect().width;
    const found = [];
    for (const element of document.body.querySelectorAll("*")) {
      if (element.closest("svg") && !["svg", "text"].includes(element.tagName)) continue; // a figure cuts its curves itself
      const box = element.getBoundingClientRect();
      const name = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} in ${element.closest("[id]")?.id}`;
      if (box.width && (box.right > width + 1 || box.left < -1))
        found.push(`${name}: from ${box.left.toFixed()} to ${box.right.toFixed()} of ${width.toFixed()}`);
      if (box.height > height && getComputedStyle(element).breakInside.startsWith("avoid"))
        found.push(`${name}: ${box.height.toFixed()} high, a page has ${height.toFixed()}`);
    }
    return found;
  },

  // What only a screen can use.
  leftovers() {
    return [
      ...document.querySelectorAll("button, input, select, textarea, form, details, script:not([src], head *)"),
    ].map((element) => `${element.tagName.toLowerCase()} in ${element.closest("[id]")?.id}`);
  },

  // Formulas that nobody set, and pointers to no page.
  unset() {
    const formulas = [...document.querySelectorAll(".math")].filter(
      (element) => !element.querySelector("mjx-container"),
    );
    const wrong = document.querySelectorAll("mjx-merror, [data-mjx-error]");
    const nowhere = [...document.querySelectorAll(".page-of")].filter((slot) => slot.textContent === "?");
    return [...formulas, ...wrong, ...nowhere].map(
      (element) => `${element.textContent.trim().slice(0, 60)} in ${element.closest("[id]")?.id}`,
    );
  },
};
