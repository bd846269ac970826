// Pin: what is seen now stays as a ghost behind what comes, so that two settings can be compared.
(() => {
  "use strict";
  // A ghost on other axes would lie. Axes are the same if the numbers at them are, and where they stand.
  function axes(svg) {
    const texts = [...svg.querySelectorAll("text")].filter((t) => /^[−+]?[\d.,\s%]+$/.test(t.textContent.trim()));
    return texts
      .map((t) => `${t.textContent}@${t.getAttribute("transform")}${t.getAttribute("x")},${t.getAttribute("y")}`)
      .sort()
      .join("|");
  }

  livefig.parts.push((figure) => {
    const ghost = document.createElement("div");
    ghost.className = "lf-ghost";
    ghost.hidden = true;
    const word = document.createElement("p");
    word.className = "lf-pinned";
    word.hidden = true;
    figure.view.after(word);
    let marks = "";

    function place() {
      if (ghost.hidden) return;
      const now = figure.stage.querySelector("svg");
      const over = Boolean(now && marks && axes(now) === marks);
      ghost.classList.toggle("lf-over", over);
      if (over) figure.view.append(ghost);
      else word.after(ghost);
      word.textContent = `${over ? "Faint: pinned at" : "Below, as its axes or numbers differ: pinned at"} ${ghost.dataset.at}.`;
    }

    const button = figure.tool("Pin", () => {
      const pin = ghost.hidden;
      button.setAttribute("aria-pressed", pin);
      button.textContent = pin ? "Unpin" : "Pin";
      ghost.hidden = word.hidden = !pin;
      ghost.replaceChildren();
      if (!pin) return "No longer pinned.";
      // Ids are unique on a page.
      ghost.innerHTML = figure.stage.innerHTML.replaceAll(figure.prefix, `${figure.prefix}pin-`);
      ghost.dataset.at = figure.where();
      const svg = ghost.querySelector("svg");
      marks = svg ? axes(svg) : "";
      ghost.setAttribute("role", "img");
      ghost.setAttribute("aria-label", `Pinned at ${figure.where()}. ${figure.stage.getAttribute("aria-label")}`);
      place();
      return "Pinned: move something and compare.";
    });
    button.setAttribute("aria-pressed", false);
    figure.element.addEventListener("lf-drawn", place);
  });
})();
