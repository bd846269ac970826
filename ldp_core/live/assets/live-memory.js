// What a reader did, remembered on this device only: nothing is sent anywhere, and one click forgets it.
// ldp is what the scripts of the figures share; each adds to it, the last one (live.js) puts it to use.
window.ldp = { parts: [] };
ldp.memory = (() => {
  "use strict";
  const KEY = "ldp-book";
  const page = location.pathname.replace(/^.*?(?=\/book\/)/, "").replace(/\.html$/, "");

  // Other sites on the same host may write there, too: what has not the shape of what is written here is left out.
  const object = (x) => (x !== null && typeof x === "object" && !Array.isArray(x) ? x : {});
  const only = (x, is) => Object.fromEntries(Object.entries(object(x)).filter(([, value]) => is(value)));
  const text = (x) => typeof x === "string";

  function read() {
    let all;
    try {
      all = object(JSON.parse(localStorage.getItem(KEY)));
    } catch {
      all = {}; // a browser may forbid it: then nothing is remembered
    }
    const pages = only(all.pages, (page) => object(page) === page);
    for (const page of Object.values(pages)) {
      Object.assign(page, { guesses: only(page.guesses, text), answers: only(page.answers, (x) => text(x?.typed)), code: only(page.code, (x) => text(x?.text)), state: object(page.state) });
    }
    all.pages = pages;
    if (!text(all.last?.title) || !/^\/book\/[\w-]+(\/[\w-]+)*$/.test(all.last?.page)) delete all.last;
    return all;
  }

  function write(all) {
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
    } catch { /* the same */ }
    dispatchEvent(new Event("ldp-memory"));
  }

  return {
    page,
    read,
    // Facts about this page: remember("answers", id, {...}); undefined forgets.
    remember(kind, id, fact) {
      const all = read();
      const pages = (all.pages ??= {});
      const mine = ((pages[page] ??= {})[kind] ??= {});
      if (fact === undefined) delete mine[id];
      else mine[id] = fact;
      write(all);
    },
    recall(kind, id) {
      return read().pages?.[page]?.[kind]?.[id];
    },
    set(name, value) {
      write({ ...read(), [name]: value });
    },
    erase() {
      try {
        localStorage.removeItem(KEY);
      } catch { /* the same */ }
      dispatchEvent(new Event("ldp-erased"));
      dispatchEvent(new Event("ldp-memory"));
    },
  };
})();
addEventListener("storage", () => dispatchEvent(new Event("ldp-memory"))); // changed in another tab
