// What a reader did, remembered on this device only: nothing is sent anywhere, and one click forgets it.
// ldp is what the scripts of the figures share; each adds to it, the last one (live.js) puts it to use.
window.ldp = { parts: [] };
ldp.memory = (() => {
  "use strict";
  const KEY = "ldp-book";
  const page = location.pathname.replace(/^.*?(?=\/book\/)/, "").replace(/\.html$/, "");

  function read() {
    try {
      return JSON.parse(localStorage.getItem(KEY)) || {};
    } catch {
      return {}; // a browser may forbid it: then nothing is remembered
    }
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
