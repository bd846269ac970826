// Where a figure stands: kept over reload and Back, and written as an address that opens it so.
(() => {
  "use strict";
  // history.state belongs to this visit of the page: reload and Back restore it, a new visit starts afresh.
  const kept = () => history.state?.livefig || {};

  // "#twenty-surveys?epsilon=0.3&n=1000" -> ["twenty-surveys", URLSearchParams]
  function asked(hash = location.hash) {
    const [name, query = ""] = hash.slice(1).split("?");
    return [name, new URLSearchParams(query)];
  }

  // Position of a value: itself, or for a number the nearest; null if it is none.
  livefig.nearest = (keys, text) => {
    const exact = keys.indexOf(text.trim());
    const numbers = keys.map(Number);
    if (exact >= 0) return exact;
    const value = livefig.number(text);
    if (value === null || numbers.some(Number.isNaN)) return null;
    const log = numbers[0] > 0 && value > 0 && numbers.at(-1) / numbers[0] > 20 ? Math.log : (x) => x;
    const off = numbers.map((n) => Math.abs(log(n) - log(value)));
    return off.indexOf(Math.min(...off));
  };

  livefig.address = (figure) => {
    const query = figure.controls.flatMap((c, i) =>
      figure.at[i] === figure.begin[i] ? [] : [`${c.dataset.key}=${encodeURIComponent(figure.key(i))}`],
    );
    return `#${figure.element.id}${query.length ? `?${query.join("&")}` : ""}`;
  };

  function open(figure, query) {
    figure.controls.forEach((control, i) => {
      const text = query.get(control.dataset.key);
      const place = text === null ? null : figure.find(i, text);
      if (place !== null) figure.set(i, place);
    });
  }

  function save(figure) {
    const moved = figure.at.some((place, i) => place !== figure.begin[i]);
    const state = { ...kept(), [figure.element.id]: moved ? figure.at : undefined };
    // The address follows only if it already speaks of this figure: it may be that of a section, or of a slide.
    const address = asked()[0] === figure.element.id ? livefig.address(figure) : location.hash;
    history.replaceState({ ...history.state, livefig: state }, "", address || location.href);
  }

  livefig.parts.push((figure) => {
    const [name, query] = asked();
    const before = kept()[figure.element.id];
    if (Array.isArray(before) && before.length === figure.at.length) {
      before.forEach((place, i) => figure.set(i, place));
    } else if (name === figure.element.id) {
      open(figure, query);
      const show = () => figure.element.scrollIntoView({ block: "center" });
      show();
      // What loads above moves it; formulas have their height when they are set.
      addEventListener(
        "load",
        () => {
          show();
          window.MathJax?.startup?.promise?.then(show);
        },
        { once: true },
      );
    }
    addEventListener("hashchange", ({ newURL }) => {
      const [to, wanted] = asked(new URL(newURL).hash); // the page's own may be that of the last move again
      if (to !== figure.element.id) return;
      figure.reset();
      open(figure, wanted);
      figure.element.scrollIntoView({ block: "center" });
    });
    let timer = 0;
    const now = () => {
      clearTimeout(timer);
      timer = 0;
      save(figure);
    };
    figure.element.addEventListener("lf-moved", () => {
      clearTimeout(timer);
      timer = setTimeout(now, 150);
    });
    addEventListener("pagehide", () => {
      if (timer) now();
    });

    figure.tool("Reset", () => {
      figure.reset();
      return "Back at the start.";
    });
    figure.tool("Copy link", async () => {
      const link = new URL(livefig.address(figure), location.href).href;
      try {
        await navigator.clipboard.writeText(link);
        return "Link copied: it opens the figure as it stands.";
      } catch {
        return link; // a browser may forbid copying: then it is there to be copied by hand
      }
    });
  });
})();
