// Present a chapter: its title, section leads, definitions, theorems, figures, questions and boxes, one at a time.
// Nothing is copied: everything else on the page is hidden, so figures and questions work as they do on the page.
addEventListener("DOMContentLoaded", () => {
  const article = document.querySelector("article.bd-article");
  const buttons = document.querySelector(".article-header-buttons");
  if (!article || !buttons || !article.querySelector(".admonition.goals")) return;

  const WANTED = [
    "h1", "h2", ".admonition.goals", ".admonition.predict", ".admonition.remember", ".admonition.warning",
    "div.proof.definition", "div.proof.theorem", "div.proof.lemma", "figure.ldp-figure", "form.ldp-question", "div.exercise",
  ].join(",");

  // A slide is a list of elements: a heading takes along what directly follows it and says what it is about.
  function slides() {
    return [...article.querySelectorAll(WANTED)]
      .filter((e) => !e.parentElement.closest(WANTED) && !e.closest("details, .dropdown"))
      .map((e) => {
        const lead = [];
        if (e.matches("h1, h2")) {
          for (let next = e.nextElementSibling; next?.matches("p") && lead.length < 2; next = next.nextElementSibling) lead.push(next);
        }
        return [e, ...lead];
      });
  }

  let list = [], at = -1, bar = null;
  const number = (n) => Math.max(0, Math.min(list.length - 1, n));

  function show(n) {
    at = number(n);
    article.querySelectorAll(".slide-off").forEach((e) => e.classList.remove("slide-off"));
    for (const keep of [list[at]]) {
      for (let parent = keep[0].parentElement; ; parent = parent.parentElement) {
        for (const child of parent.children) {
          if (!keep.some((e) => child.contains(e))) child.classList.add("slide-off");
        }
        if (parent === article) break;
      }
    }
    const section = list[at][0].closest("section")?.querySelector("h2, h1");
    bar.querySelector("output").textContent = `${at + 1} of ${list.length}`;
    bar.querySelector("strong").textContent = section && section !== list[at][0] ? section.firstChild.textContent : "";
    bar.querySelector("[data-step='-1']").disabled = at === 0;
    bar.querySelector("[data-step='1']").disabled = at === list.length - 1;
    scrollTo(0, 0);
    dispatchEvent(new Event("resize"));
  }

  function start() {
    list = slides();
    bar = document.createElement("div");
    bar.className = "slide-bar";
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Slides");
    bar.innerHTML = "<strong></strong><button type=button data-step='-1' aria-label='Previous slide'>←</button>" +
      "<output aria-live=polite></output><button type=button data-step='1' aria-label='Next slide'>→</button>" +
      "<button type=button data-end aria-label='End of presentation'>✕</button>";
    bar.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if ("end" in button.dataset) end(); else show(at + Number(button.dataset.step));
    });
    document.body.append(bar);
    document.body.classList.add("presenting");
    // Begin with what the reader was looking at.
    const seen = list.findIndex(([e]) => e.getBoundingClientRect().bottom > 80);
    show(scrollY < 200 || seen < 0 ? 0 : seen);
  }

  function end() {
    const [current] = list[at];
    article.querySelectorAll(".slide-off").forEach((e) => e.classList.remove("slide-off"));
    document.body.classList.remove("presenting");
    bar.remove();
    current.scrollIntoView({ block: "center" });
    button.focus();
  }

  addEventListener("keydown", (event) => {
    if (!document.body.classList.contains("presenting") || event.altKey || event.ctrlKey || event.metaKey) return;
    // Arrows belong to a slider that has the focus; Page Up and Page Down always turn the slide.
    const busy = event.target.matches?.("input, textarea, select, [contenteditable]");
    const step = { PageDown: 1, PageUp: -1, ...(busy ? {} : { ArrowRight: 1, ArrowLeft: -1 }) }[event.key];
    if (step) show(at + step);
    else if (event.key === "Home" && !busy) show(0);
    else if (event.key === "End" && !busy) show(list.length - 1);
    else if (event.key === "Escape") end();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-sm slide-start";
  button.textContent = "Slides";
  button.title = "Show this chapter as slides (arrow keys; Escape ends)";
  button.addEventListener("click", start);
  buttons.prepend(button);
});
