// A hundred random draws in one histogram: the numbers come with the frames, the picture is drawn here.
(() => {
  "use strict";
  const number = (x) => x.toLocaleString("en", { maximumSignificantDigits: 4 }).replace("-", "−");

  // Bins of a round width that hold the numbers; whole numbers get a bin each where they fit.
  ldp.bins = (numbers, most = 21) => {
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    let width = 1;
    if (!(numbers.every(Number.isInteger) && high - low < most)) {
      const rough = (high - low) / most || 1;
      const power = 10 ** Math.floor(Math.log10(rough));
      width = power * ([1, 2, 5].find((k) => k * power >= rough) || 10);
    }
    const first = Math.floor(low / width);
    const counts = Array(Math.floor(high / width) - first + 1).fill(0);
    numbers.forEach((x) => { counts[Math.floor(x / width) - first] += 1; });
    return { first, width, counts, whole: width === 1 && numbers.every(Number.isInteger) };
  };

  function picture(numbers, all, current) {
    const { first, width, whole } = ldp.bins(all); // the axes are those of all draws: they do not move while it grows
    const bin = (x) => Math.floor(x / width) - first;
    const most = Math.max(...ldp.bins(all).counts), bars = ldp.bins(all).counts.length;
    const [wide, high, foot] = [600, 150, 40];
    const step = wide / bars, unit = high / most;
    const heights = Array(bars).fill(0);
    const blocks = numbers.map((x, draw) => {
      const k = bin(x);
      heights[k] += 1;
      const colour = draw === current ? "var(--ldp-estimate,#c75300)" : "var(--ldp-truth,#0072b2)";
      return `<rect x="${(k * step + 1).toFixed(1)}" y="${(high - heights[k] * unit + 5).toFixed(1)}" ` +
        `width="${(step - 2).toFixed(1)}" height="${Math.max(unit - 0.6, 0.6).toFixed(2)}" style="fill:${colour}"/>`;
    });
    const every = Math.ceil(bars / 7);
    const ticks = Array.from({ length: bars }, (_, k) => k).filter((k) => k % every === 0).map((k) =>
      `<text x="${((k + (whole ? 0.5 : 0)) * step).toFixed(1)}" y="${high + 24}" ` +
      `text-anchor="${k === 0 && !whole ? "start" : "middle"}" style="fill:var(--ldp-ink,#1c1c1c)">${number((k + first) * width)}</text>`);
    return `<svg viewBox="0 0 ${wide} ${high + foot}" font-size="15">${blocks.join("")}` +
      `<path d="M0 ${high + 5.5}H${wide}" style="stroke:var(--ldp-ink,#1c1c1c)"/>${ticks.join("")}</svg>`;
  }

  ldp.parts.push((figure) => {
    const i = figure.controls.findIndex((c) => c.querySelector(".ldp-more"));
    if (i < 0) return;
    const button = figure.controls[i].querySelector(".ldp-more");
    const pile = document.createElement("div");
    pile.className = "ldp-pile";
    pile.hidden = true;
    figure.view.after(pile);
    let shown = 0, timer = 0;

    async function draw() {
      if (pile.hidden) return;
      const { piles } = await figure.load();
      const place = figure.sizes.reduce((sum, size, k) => (k === i ? sum : sum * size + figure.at[k]), 0);
      const all = piles[place], seen = all.slice(0, shown);
      pile.setAttribute("role", "img");
      const sorted = [...seen].sort((a, b) => a - b);
      const words = `${shown} draws: middle ${number(sorted[Math.floor((shown - 1) / 2)])}, ` +
        `from ${number(sorted[0])} to ${number(sorted.at(-1))}`;
      pile.setAttribute("aria-label", `Histogram of ${words}`);
      const name = figure.controls[i].dataset.pile;
      pile.innerHTML = `<p class="ldp-pile-title"></p>${picture(seen, all, figure.at[i])}`;
      pile.firstChild.textContent = `${name ? `${name}. ` : ""}${words}; the draw above is orange.`;
    }

    button.addEventListener("click", async () => {
      clearInterval(timer);
      timer = 0;
      if (!pile.hidden) {
        pile.hidden = true;
      } else {
        pile.hidden = false;
        shown = 100;
        if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
          shown = 1;
          timer = setInterval(() => {
            shown = Math.min(100, shown + 3);
            if (shown === 100 || document.hidden) { clearInterval(timer); shown = 100; }
            draw();
          }, 40);
        }
        await draw();
      }
      button.setAttribute("aria-pressed", !pile.hidden);
      button.textContent = pile.hidden ? "Pile up a hundred" : "Take the pile away";
    });
    figure.element.addEventListener("ldp-moved", draw);
  });
})();
