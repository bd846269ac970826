// Draws anew what is random in a picture, by the law that stands with its frame, and moves what follows it.
(() => {
  "use strict";
  // Uniform numbers of 53 bits. Chris Doty-Humphrey's sfc32: the same words give the same numbers on every device.
  livefig.uniform = (a, b, c) => {
    let d = 1;
    const next = () => {
      const word = (((a + b) | 0) + d) | 0;
      d = (d + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + word) | 0;
      return word >>> 0;
    };
    for (let i = 0; i < 20; i++) next();
    return () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
  };

  // One draw of Bin(n, p) by inversion: no approximation, for any p and for millions. Probabilities are in units of the
  // largest; what is left out is below 1e-17 of the whole.
  livefig.binomial = (n, p, uniform) => {
    const mode = Math.min(n, Math.floor((n + 1) * p)),
      odds = p / (1 - p);
    let below = 0,
      above = 0;
    for (let k = mode, w = 1; w > 1e-22; k--) {
      below += w;
      w *= k / (n - k + 1) / odds;
    }
    for (let k = mode, w = 1; (w *= ((n - k) / (k + 1)) * odds) > 1e-22; k++) above += w;
    let aim = uniform() * (below + above) - below,
      k = mode;
    if (aim < 0) {
      for (let w = 1; (aim += w) < 0; k--) w *= k / (n - k + 1) / odds;
    } else {
      for (let w = 1; aim >= 0 && w > 0; k++) aim -= w *= ((n - k) / (k + 1)) * odds;
    }
    return k;
  };

  // Offset + scale · (sum of a stretch of what was drawn): all that follows it is of this form.
  function follow([start, stop, scale, offset], drawn) {
    let sum = 0;
    for (let k = start; k < stop; k++) sum += drawn[k];
    return offset + scale * sum;
  }

  const read = (code) => code.split(" ").slice(0, 4).map(Number);

  // As Python writes it: ",.1f" or ".1%", what lies exactly half-way to the even digit, with a true minus sign, and no
  // minus before zero. Sixty digits tell all that is not half-way.
  livefig.written = (x, form) => {
    const [, comma, digits, kind] = /^(,?)\.(\d)([f%])$/.exec(form);
    const value = kind === "%" ? 100 * x : x,
      all = value.toFixed(60),
      end = all.length - 60 + Number(digits);
    const down = /^50*$/.test(all.slice(end)) && /[02468]\.?$/.test(all.slice(0, end));
    let [whole, part] = (down ? all.slice(0, end) : value.toFixed(digits)).split(".");
    if (comma) whole = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return `${whole}${part ? `.${part}` : ""}${kind === "%" ? "%" : ""}`
      .replace(/^-(?=[0.,]*%?$)/, "")
      .replace("-", "−");
  };
  const write = (code, drawn) => livefig.written(follow(read(code), drawn), code.split(" ")[4]);

  // Steps in turn: counts of yeses, each Bin(yes, p) + Bin(no, q), and whether what follows them lies in a range.
  livefig.anew = (law, uniform) => {
    const drawn = [];
    law.steps.forEach(([kind, ...step]) => {
      if (kind === "counts") {
        const [times, yes, p, no, q] = step;
        for (let k = 0; k < times; k++) {
          drawn.push((yes && livefig.binomial(yes, p, uniform)) + (no && livefig.binomial(no, q, uniform)));
        }
      } else {
        const x = follow(step, drawn);
        drawn.push(step[4] <= x && x <= step[5] ? 1 : 0);
      }
    });
    return drawn;
  };

  // What one draw of a frame came to. The first is the one that the build drew; of the others, the figure, the frame and
  // the number of the draw are the seed, so that an address shows the same picture again. With another start than 7, six
  // draws of the book's twenty surveys in a row may tell the same, as if they stood still.
  livefig.drawn = (figure, law, index, draw) => {
    const name = [...figure.element.id].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) | 0, 7);
    return draw === 0 ? law.first : livefig.anew(law, livefig.uniform(draw, index, name));
  };

  livefig.piled = (law, drawn) => follow(read(law.pile), drawn);

  // Moves and writes what follows a draw; returns what fills in the texts that stand outside of the picture.
  livefig.redraw = (figure, law, index, draw) => {
    const { stage } = figure,
      drawn = livefig.drawn(figure, law, index, draw);
    stage.querySelectorAll("[data-x], [data-y]").forEach((mark) => {
      const [x, y] = [mark.dataset.x, mark.dataset.y].map((code) => (code ? follow(read(code), drawn).toFixed(2) : 0));
      mark.setAttribute("transform", `translate(${x} ${y})`);
    });
    stage.querySelectorAll("[data-seen]").forEach((mark) => {
      const hidden = follow(read(mark.dataset.seen), drawn) === 0;
      if (hidden === mark.hasAttribute("display")) return; // most stay as they are
      if (hidden) mark.setAttribute("display", "none");
      else mark.removeAttribute("display");
    });
    stage.querySelectorAll("[data-some]").forEach((marks) => {
      const { at, outline } = marks.dataset;
      const [first, , scale, offset] = read(marks.dataset.some);
      const d = at.split(";").map((place, i) => (offset + scale * drawn[first + i] === 0 ? "" : `M${place}${outline}`));
      marks.setAttribute("d", d.join(""));
    });
    stage.querySelectorAll("[data-text]").forEach((text) => {
      text.textContent = write(text.dataset.text, drawn);
    });
    return (text) => text.replace(/\{(\d+ \d+ \S+ \S+ ,?\.\d[f%])\}/g, (_, code) => write(code, drawn));
  };
})();
