// In JupyterLite's pages: where Python cannot come, cells would show [*] for ever; here the reader is told what to do instead.
{
  const { python } = document.currentScript.dataset; // the small file that Python begins with, an address or a path
  const site = new URL("../../", location.href);
  const source = new URL(python, site);
  const host = source.host === location.host ? "this site" : source.host;
  const PATIENCE = 12_000; // ms

  // Links are made of it, so it has to be a chapter: an address says what it likes.
  const chapter = /^(book(?:\/[\w-]+)+)\.ipynb$/.exec(new URLSearchParams(location.search).get("path"))?.[1];
  const link = (path, text) =>
    Object.assign(document.createElement("a"), {
      href: new URL(path, site).href,
      textContent: text,
      style: "color:inherit;text-decoration:underline",
    });
  let box = null;

  function tell(text) {
    if (!document.body) {
      addEventListener("DOMContentLoaded", () => tell(text));
      return;
    }
    box?.remove();
    box = document.createElement("div");
    box.setAttribute("role", "alert");
    box.className = "ldp-lite-says";
    box.style.cssText =
      "position:fixed;inset:auto 0 0 0;z-index:10000;padding:.75rem 1rem;font:16px/1.5 sans-serif;color:#111;background:#fff4ce;border-top:3px solid #9a6700";
    const instead = chapter
      ? [
          "Instead: ",
          link(`_sources/${chapter}.ipynb`, "download the notebook"),
          " and open it in a copy of the book on your machine (make lab), or ",
          link(`${chapter}.html`, "go back to the chapter's page"),
          ", whose figures and questions need no Python. ",
        ]
      : ["Instead: open the chapters in a copy of the book on your machine (make lab). "];
    const close = Object.assign(document.createElement("button"), {
      type: "button",
      textContent: "Close",
      onclick: () => box.remove(),
    });
    box.append(`${text} `, ...instead, close);
    document.body.append(box);
  }

  if (location.protocol === "file:")
    tell("A notebook opened as a file cannot run: it needs a web server (make serve).");
  else if (typeof WebAssembly !== "object") tell("This browser cannot run Python: it has no WebAssembly.");
  else {
    fetch(source, { mode: "cors" })
      .then((answer) => {
        if (!answer.ok) throw new Error(`it answers ${answer.status}`);
      })
      .catch(() => tell(`Python cannot be loaded from ${host}: there is no network, or it blocks that address.`));
    // It answers, or says nothing at all: what counts is whether a cell gets done.
    let since = null;
    let told = false;
    const watch = setInterval(() => {
      const prompts = [...document.querySelectorAll(".jp-InputPrompt")].map((prompt) => prompt.textContent);
      if (prompts.some((text) => /\[\d+\]/.test(text))) {
        clearInterval(watch);
        if (told) box.remove();
      } else if (prompts.some((text) => text.includes("[*]"))) {
        since ??= Date.now();
        if (!told && Date.now() - since >= PATIENCE) {
          told = true;
          tell(
            `Python has not arrived from ${host} yet. On a slow line it may still come (about 30 MB the first time); where a network blocks that address, it never does.`,
          );
        }
      }
    }, 1000);
  }
}
