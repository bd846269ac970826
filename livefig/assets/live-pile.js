// Random draws in one histogram: a hundred numbers come with the frames, or hundreds are drawn here by the frames' laws.
(() => {
  "use strict";
  const number = (x) => x.toLocaleString("en", { maximumSignificantDigits: 4 }).replace("-", "−");

  // Bins of a round width that hold the numbers; whole numbers get a bin each where they fit.
  livefig.bins = (numbers, most = 21) => {
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    let width = 1;
    if (!(numbers.every(Number.isInteger) && high - low < most)) {
      const rough = (high - low) / most || 1;
      const power = 10 ** Math.floor(Math.log10(rough));
      width = power * ([1, 2, 5].find((k) => k * power >= rough) || 10);
    }
    // 0.3 belongs to the bin that begins there, though 0.3 / 0.1 is a little less than 3.
    const place = (x) => Math.floor(x / width + 1e-9);
    const first = place(low),
      counts = Array(place(high) - first + 1).fill(0);
    const bin = (x) => place(x) - first;
    numbers.forEach((x) => {
      counts[bin(x)] += 1;
    });
    return { first, width, counts, bin, whole: width === 1 && numbers.every(Number.isInteger) };
  };

  function picture(numbers, all, current) {
    const { first, width, whole, counts, bin } = livefig.bins(all); // of all draws: axes do not move while it grows
    const most = Math.max(...counts),
      bars = counts.length;
    const [wide, high, foot] = [600, 150, 40];
    const step = wide / bars,
      unit = high / most;
    const heights = Array(bars).fill(0);
    const blocks = numbers.map((x, draw) => {
      const k = bin(x);
      heights[k] += 1;
      const colour = draw === current ? "var(--lf-estimate,#c75300)" : "var(--lf-truth,#0072b2)";
      return (
        `<rect x="${(k * step + 1).toFixed(1)}" y="${(high - heights[k] * unit + 5).toFixed(1)}" ` +
        `width="${(step - 2).toFixed(1)}" height="${Math.max(unit - 0.6, 0.6).toFixed(2)}" style="fill:${colour}"/>`
      );
    });
    const every = Math.ceil(bars / 7);
    const ticks = Array.from({ length: bars }, (_, k) => k)
      .filter((k) => k % every === 0)
      .map(
        (k) =>
          `<text x="${((k + (whole ? 0.5 : 0)) * step).toFixed(1)}" y="${high + 24}" ` +
          `text-anchor="${k === 0 && !whole ? "start" : "middle"}" style="fill:var(--lf-ink,#1c1c1c)">${number((k + first) * width)}</text>`,
      );
    return (
      `<svg viewBox="0 0 ${wide} ${high + foot}" font-size="13">${blocks.join("")}` +
      `<path d="M0 ${high + 5.5}H${wide}" style="stroke:var(--lf-ink,#1c1c1c)"/>${ticks.join("")}</svg>`
    );
  }

  livefig.parts.push((figure) => {
    const i = figure.controls.findIndex((c) => c.querySelector(".lf-more"));
    if (i < 0) return;
    const button = figure.controls[i].querySelector(".lf-more");
    const pile = document.createElement("div");
    pile.className = "lf-pile";
    pile.hidden = true;
    figure.view.after(pile);
    let shown = 0,
      timer = 0,
      size = 100;
    let drawn = { all: [] }; // the numbers by law, and the frame that they belong to

    async function numbers() {
      const { piles, laws } = await figure.load();
      if (i !== figure.law) {
        return piles[figure.sizes.reduce((sum, places, k) => (k === i ? sum : sum * places + figure.at[k]), 0)];
      }
      const index = figure.index();
      if (drawn.index !== index) drawn = { index, all: [] };
      for (let draw = drawn.all.length; draw < size; draw++) {
        drawn.all.push(livefig.piled(laws[index], livefig.drawn(figure, laws[index], index, draw)));
      }
      return drawn.all.slice(0, size);
    }

    async function draw() {
      if (pile.hidden) return;
      const all = await numbers(),
        seen = all.slice(0, shown);
      pile.setAttribute("role", "img");
      const sorted = [...seen].sort((a, b) => a - b);
      const words =
        `${shown.toLocaleString("en")} draws: middle ${number(sorted[Math.floor((shown - 1) / 2)])}, ` +
        `from ${number(sorted[0])} to ${number(sorted.at(-1))}`;
      pile.setAttribute("aria-label", `Histogram of ${words}`);
      const name = figure.controls[i].dataset.pile;
      pile.innerHTML = `<p class="lf-pile-title"></p>${picture(seen, all, figure.at[i])}`;
      const orange = figure.at[i] < shown ? "; the draw in the picture is orange" : "";
      pile.firstChild.textContent = `${name ? `${name}. ` : ""}${words}${orange}.`;
    }

    async function grow(from) {
      clearInterval(timer);
      timer = 0;
      shown = size;
      if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
        shown = from;
        timer = setInterval(() => {
          shown = Math.min(size, shown + 3);
          if (shown === size || document.hidden) {
            clearInterval(timer);
            shown = size;
          }
          draw();
        }, 40);
      }
      await draw();
    }

    const more = document.createElement("button");
    if (i === figure.law) {
      more.type = "button";
      more.className = "lf-hundred";
      more.textContent = "A hundred more";
      more.hidden = true;
      more.addEventListener("click", () => {
        size += 100;
        grow(size - 99);
      });
      button.after(more);
    }

    button.addEventListener("click", async () => {
      clearInterval(timer);
      pile.hidden = !pile.hidden;
      more.hidden = pile.hidden;
      size = 100;
      if (!pile.hidden) await grow(1);
      button.setAttribute("aria-pressed", !pile.hidden);
      button.textContent = pile.hidden ? "Pile up a hundred" : "Take the pile away";
    });
    figure.element.addEventListener("lf-moved", draw);
  });
})();
