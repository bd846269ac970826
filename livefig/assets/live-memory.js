// What a reader did, remembered on this device only: nothing is sent anywhere, and one click forgets it.
// livefig is what the scripts of the figures share; each adds to it, the last one (live.js) puts it to use.
window.livefig = { parts: [] };
livefig.memory = (() => {
  "use strict";
  // Sites of one host share what it stores, so each copy of the book has a key of its own: the folder that it is in.
  const root = document.currentScript?.src ? new URL("..", document.currentScript.src).pathname : "/";
  const KEY = `livefig${root.slice(0, -1)}`;
  const page = location.pathname.replace(/^.*?(?=\/book\/)/, "").replace(/\.html$/, "");

  // Anybody at this host can have written there, or an older book: what has another shape than ours is left out here,
  // so that no page has to expect it.
  const isText = (value) => typeof value === "string";
  const FACTS = {
    answers: (fact) => isText(fact?.typed) && typeof fact.right === "boolean",
    code: (fact) => isText(fact?.text),
    guesses: isText,
    state: (fact) => fact === true,
  };
  const table = (value, inside) =>
    Object.fromEntries(
      Object.entries(value?.constructor === Object ? value : {})
        .map(([name, part]) => [name, inside(part, name)])
        .filter(([, part]) => part !== undefined),
    );
  const facts = (kinds) =>
    table(kinds, (found, kind) => table(found, (fact) => (FACTS[kind]?.(fact) ? fact : undefined)));

  function read() {
    let all = null;
    try {
      all = JSON.parse(localStorage.getItem(KEY));
    } catch {
      /* a browser may forbid it: then nothing is remembered */
    }
    const { last, pages, predict } = all ?? {};
    return {
      // An address is made of it (progress.js), so it can only be a page of the book.
      last: isText(last?.title) && isText(last.page) && /^\/book(\/[\w-]+)+$/.test(last.page) ? last : undefined,
      pages: table(pages, facts),
      predict: predict === "off" ? predict : undefined,
    };
  }

  function write(all) {
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
    } catch {
      /* the same */
    }
    dispatchEvent(new Event("lf-memory"));
  }

  return {
    page,
    read,
    // Facts about this page: remember("answers", id, {...}); undefined forgets.
    remember(kind, id, fact) {
      const all = read();
      const mine = ((all.pages[page] ??= {})[kind] ??= {});
      if (fact === undefined) delete mine[id];
      else mine[id] = fact;
      write(all);
    },
    recall(kind, id) {
      return read().pages[page]?.[kind]?.[id];
    },
    set(name, value) {
      write({ ...read(), [name]: value });
    },
    erase() {
      try {
        localStorage.removeItem(KEY);
      } catch {
        /* the same */
      }
      dispatchEvent(new Event("lf-erased"));
      dispatchEvent(new Event("lf-memory"));
    },
  };
})();
addEventListener("storage", () => dispatchEvent(new Event("lf-memory"))); // changed in another tab
