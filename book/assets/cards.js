// A card over a link says what it leads to; tools/site/cards.py wrote the cards into the page. A mouse that rests on
// the link opens it, and so does the focus of a keyboard; it stays while the pointer is on it, Escape takes it away
// (WCAG 1.4.13). A finger follows the link as ever. A card of words describes its link to a screen reader; one with
// formulas does not, as they would be read as a flat string: the link leads to where they can be gone through.
{
  const cards = document.getElementById("cards")?.content;
  const links = new Map(); // link -> its card in the template
  for (const card of cards?.children ?? []) {
    for (const link of document.querySelectorAll(`.bd-article a.internal[href="${CSS.escape(card.dataset.to)}"]`)) {
      links.set(link, card);
      link.dataset.card = "";
      if (link.title && link.querySelector(".math")) link.setAttribute("aria-label", link.title); // a formula names no link
      link.removeAttribute("title"); // else the browser's own words lie on the card
    }
  }

  const box = document.createElement("div");
  box.className = "link-card";
  box.id = "link-card";
  box.setAttribute("role", "tooltip");
  box.hidden = true;
  if (links.size) document.body.append(box);
  let shown = null,
    timer = 0;

  const later = (act, wait) => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };

  function hide() {
    clearTimeout(timer);
    shown?.removeAttribute("aria-describedby");
    shown = null;
    box.hidden = true;
  }

  // Below the link, or above it where there is more room; never beyond the window's edge.
  function place() {
    const at = shown.getClientRects()[0],
      { offsetWidth: wide, offsetHeight: high } = box;
    const below = at.bottom + high + 8 <= innerHeight || at.top < innerHeight - at.bottom;
    const edge = document.documentElement.clientWidth;
    box.style.left = `${scrollX + Math.max(8, Math.min(at.left, edge - wide - 8))}px`;
    box.style.top = `${scrollY + (below ? at.bottom + 6 : at.top - high - 6)}px`;
  }

  async function show(link) {
    clearTimeout(timer);
    if (shown === link) return;
    hide();
    shown = link;
    box.replaceChildren(...links.get(link).cloneNode(true).childNodes);
    box.hidden = false;
    place();
    if (!box.querySelector(".math")) link.setAttribute("aria-describedby", box.id);
    else if (window.MathJax?.typesetPromise) {
      await MathJax.typesetPromise([box]);
      if (shown === link) place(); // formulas have their height when they are set
    }
  }

  const linkOf = (event) => event.target.closest?.("a[data-card]");
  addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const link = linkOf(event);
    if (link) later(() => show(link), 250);
    else if (box.contains(event.target)) clearTimeout(timer);
    else if (shown && shown !== document.activeElement)
      later(hide, 300); // time to reach the card
    else if (!shown) clearTimeout(timer);
  });
  addEventListener("focusin", (event) => {
    const link = linkOf(event);
    if (link?.matches(":focus-visible")) show(link);
    else if (shown) hide();
  });
  addEventListener("focusout", (event) => {
    if (event.target === shown && !shown.matches(":hover")) hide();
  });
  addEventListener("pointerdown", (event) => {
    if (shown && !box.contains(event.target)) hide();
  });
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !shown) return;
      event.stopPropagation(); // an open card first, then whatever else Escape ends
      hide();
    },
    true,
  );
}
