// Predict first: axes are empty until the reader commits to a guess or asks to see. Then what was computed stands beside
// the guess.
(() => {
  "use strict";
  // The axis of a figure that is labelled with some words: from a value to a line in the picture, and from a click to a
  // value. Null where the figure has more than one pair of axes, or both or none of them are labelled so.
  livefig.axis = (figure, words) => {
    const parts = [...new Set([...figure.stage.querySelectorAll("g.tick")].map((tick) => tick.parentNode))];
    if (parts.length !== 2 || !words) return null;
    const named = parts.map((part) =>
      ` ${part.lastElementChild.textContent} `.replace(/[,.:;()]/g, " ").includes(` ${words} `),
    );
    if (named[0] === named[1]) return null;
    const upright = named[0]; // the x-axis: a guess is an upright line
    const of = (part, name) =>
      [...part.querySelectorAll("g.tick")].map((tick) => [
        number(tick.textContent.trim()),
        Number(tick.querySelector("use")?.getAttribute(name)),
      ]);
    const ticks = of(parts[named.indexOf(true)], upright ? "x" : "y").filter(([value]) => Number.isFinite(value));
    if (ticks.length < 3) return null;
    const [[low, start], [high, end]] = [ticks[0], ticks.at(-1)];
    const [middle, place] = ticks[Math.floor(ticks.length / 2)];
    // Whichever of the two scales puts the middle tick where it stands.
    const share = (scale, value) => (scale(value) - scale(low)) / (scale(high) - scale(low));
    const off = (scale) => Math.abs(share(scale, middle) - (place - start) / (end - start));
    const [scale, back] = low > 0 && off(Math.log) < off(Number) ? [Math.log, Math.exp] : [Number, Number];
    const box = figure.stage.querySelector("svg").viewBox.baseVal;
    // From edge to edge, as the lines of the grid; without a grid, between the other axis's first tick and its last.
    const grid = parts[named.indexOf(true)]
      .querySelector("g.tick path[clip-path]")
      ?.getAttribute("d")
      .match(/[\d.]+/g);
    const edge = grid
      ? grid.filter((_, i) => i % 2 === Number(upright)).map(Number)
      : of(parts[named.indexOf(false)], upright ? "y" : "x").map(([, where]) => where);
    const ends = [Math.min(...edge), Math.max(...edge)];
    return {
      // The line, and where its name stands: beside it or above it, the second name where the first one does not.
      line(value, second) {
        const wanted = start + share(scale, value) * (end - start);
        if (Number.isNaN(wanted)) return null;
        // What lies beyond the picture stands at its edge, with an arrow.
        const at = Math.min(Math.max(wanted, 2), (upright ? box.width : box.height) - 2);
        const arrows = upright ? "←→" : "↑↓";
        const beyond = at === wanted ? "" : ` ${arrows[Number(wanted > at)]}`;
        const d = upright ? `M${at.toFixed(1)} ${ends[0]}V${ends[1]}` : `M${ends[0]} ${at.toFixed(1)}H${ends[1]}`;
        if (!upright) return { d, x: ends[second ? 1 : 0], y: at < 14 ? at + 12 : at - 4, end: second, beyond };
        const far = at > box.width - 64;
        return { d, x: far ? at - 4 : at + 4, y: ends[0] + (second ? 26 : 12), end: far, beyond };
      },
      value(event) {
        const seen = figure.stage.querySelector("svg").getBoundingClientRect();
        const at = upright
          ? ((event.clientX - seen.left) / seen.width) * box.width
          : ((event.clientY - seen.top) / seen.height) * box.height;
        return back(scale(low) + ((at - start) / (end - start)) * (scale(high) - scale(low)));
      },
    };
  };

  // 1,000 and 10⁻³ and −5, as they stand at an axis.
  const number = (text) => {
    const raised = text.replace(
      /[⁻⁰¹²³⁴-⁹]+/g,
      (digits) => `^${[...digits].map((d) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(d)]).join("")}`,
    );
    return text ? (livefig.number(raised) ?? Number.NaN) : Number.NaN;
  };

  const off = () =>
    new URLSearchParams(location.search).get("predict") === "off" || livefig.memory.read().predict === "off";

  livefig.parts.push((figure) => {
    const form = figure.element.querySelector(".lf-predict");
    if (!form) return;
    const { options, on, unit, at, answer, computed, within, allowed } = JSON.parse(form.dataset.said);
    const [asks, status] = form.querySelectorAll(".lf-asks, .lf-answered");
    const slider = on ? figure.controls.findIndex((c) => c.dataset.key === on.replaceAll("_", "-")) : -1;

    figure.controls[slider]?.querySelector(".lf-ticks").classList.add("lf-kept"); // room for the flags of guess and answer

    // The paragraph below often reads the picture, so it waits, too.
    const below = (figure.element.closest(".cell") ?? figure.element).nextElementSibling;
    function veil(drawn) {
      figure.element.classList.toggle("lf-veiled", drawn);
      if (below?.matches("p")) below.classList.toggle("lf-waits", drawn);
      if (drawn) middle();
      figure.tell();
      asks.hidden = !drawn; // the question above it stays
      asks.inert = false;
      form.classList.remove("lf-done");
    }

    // What was asked stays in sight, with the answer below it, and the form keeps its height.
    function done(guess) {
      veil(true);
      form.style.setProperty("--lf-room", `${form.offsetHeight}px`);
      veil(false);
      asks.hidden = false;
      asks.inert = true;
      form.classList.add("lf-done");
      form.classList.toggle("lf-shown", guess === null);
      asks.querySelectorAll("input").forEach((input, i) => {
        if (options.length) input.checked = String(i) === guess;
        input.parentNode.classList.toggle("lf-right-one", options.length > 0 && options[i] === computed);
      });
    }

    // The sign of the veil stands in the middle of the first axes, between two of their lines.
    function middle() {
      const ticks = [...figure.stage.querySelectorAll("g.tick")].filter((tick) => tick.textContent.trim());
      const parts = [...new Set(ticks.map((tick) => tick.parentNode))];
      ["x", "y"].forEach((name, i) => {
        const places = parts.map((part) =>
          ticks.filter((tick) => tick.parentNode === part).map((tick) => tick.querySelector("use")?.getAttribute(name)),
        );
        const lines = (places.find(([first, ...others]) => others.some((at) => at !== first)) ?? []).map(Number);
        const k = Math.floor(lines.length / 2);
        const size = figure.stage.querySelector("svg")?.viewBox.baseVal[i ? "height" : "width"];
        figure.stage.style.setProperty(`--lf-${name}`, k ? `${(50 * (lines[k - 1] + lines[k])) / size}%` : "50%");
      });
    }

    // A number that an axis has is guessed by a click there, too, and drawn there; so is the answer.
    const field = options.length ? null : form.querySelector("input");
    const axis = field && livefig.axis(figure, on ? figure.controls[slider].dataset.label : unit);
    const drawn = []; // guess and answer in the picture
    function draw() {
      drawn.splice(0).forEach((line) => line.remove());
      if (!axis) return;
      const seen = status.textContent && !figure.element.classList.contains("lf-veiled");
      if (seen && figure.at.some((stood, i) => i !== slider && at[i] !== null && at[i] !== stood)) return; // asked elsewhere
      rule(field.value ? livefig.number(field.value) : null, "you");
      if (seen) rule(answer, "computed");
    }
    function rule(value, name) {
      const place = value === null ? null : axis.line(value, name === "computed");
      if (!place) return;
      const { d, x, y, end, beyond } = place;
      const part = (tag, given, text = "") => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
        Object.entries(given).forEach(([key, said]) => made.setAttribute(key, said));
        made.textContent = text;
        figure.stage.querySelector("svg").append(made);
        drawn.push(made);
      };
      part("path", { class: `lf-line lf-${name}`, d });
      part("text", { class: "lf-line-name", x, y, "text-anchor": end ? "end" : "start" }, name + beyond);
    }
    // A click says as much as the slider can, or two digits.
    function clicked(event) {
      const value = axis.value(event);
      if (on) return figure.texts[slider][figure.find(slider, String(value))];
      return Number(value.toPrecision(2)).toLocaleString("en", { maximumSignificantDigits: 2 });
    }
    if (axis) {
      field.parentNode.insertAdjacentHTML("beforeend", ' <span class="lf-hint">(or click in the picture)</span>');
      figure.stage.classList.add("lf-axis");
      const click = (event) => {
        if (!figure.element.classList.contains("lf-veiled")) return;
        if (event.type === "pointermove" && !event.buttons) return;
        field.value = clicked(event);
        draw();
      };
      figure.stage.addEventListener("pointerdown", click);
      figure.stage.addEventListener("pointermove", click);
      field.addEventListener("input", draw);
      figure.stage.addEventListener("lf-drawn", draw);
    }

    // Flags on the rail. Where two are close the second hangs lower.
    function mark(values) {
      const rail = figure.controls[slider]?.querySelector(".lf-ticks");
      rail?.querySelectorAll(".lf-guess").forEach((flag) => flag.remove());
      let before = Number.NEGATIVE_INFINITY;
      Object.entries(rail ? values : {}).forEach(([name, value]) => {
        if (value === null) return;
        const place = between(value);
        const flag = document.createElement("span");
        flag.className = `lf-flag lf-guess lf-${name}`;
        flag.style.left = `${100 * place}%`;
        flag.textContent = name;
        flag.classList.toggle("lf-right", place > 0.8);
        flag.classList.toggle("lf-low", Math.abs(place - before) < 0.35);
        before = place;
        rail.append(flag);
      });
    }

    // A guess between two positions of the slider stands between them.
    function between(value) {
      const numbers = figure.keys[slider].map(Number);
      const last = numbers.length - 1;
      const k = numbers.findIndex((n) => n >= value);
      if (k === 0 || value <= numbers[0]) return 0;
      if (k < 0) return 1;
      const log = numbers[0] > 0 ? Math.log : (x) => x;
      return (k - 1 + (log(value) - log(numbers[k - 1])) / (log(numbers[k]) - log(numbers[k - 1]))) / last;
    }

    // A formula is said with its value: ln 3 ≈ 1.1.
    function number(guess) {
      const label = on ? `${figure.controls[slider].dataset.label} = ` : "";
      const value = /[a-z^/√π½¼¾(*]/i.test(guess) ? ` ≈ ${Number(livefig.number(guess).toPrecision(3))}` : "";
      const long = /^[+-]?\d{4,}$/.test(guess) ? Number(guess).toLocaleString("en") : guess;
      return `${label}${long}${value}${unit ? ` ${unit}` : ""}`;
    }

    // Why a guess is none, in a sentence; empty if it is one.
    function refused(guess) {
      if (options.length) return options[Number(guess ?? "none")] ? "" : "Choose an answer first.";
      const value = livefig.number(guess);
      if (value === null) return "Type a number, such as 0.5, 1,200 or ln 4.";
      const fits =
        value >= within[0] && value <= (within[1] ?? Infinity) && (!/whole/.test(allowed) || value % 1 === 0);
      return fits ? "" : `Type ${allowed}.`;
    }

    function said(guess) {
      const words = options.length ? options[guess] : number(guess ?? computed);
      if (guess === null) return computed && `${options.length ? `The answer: ${computed}` : `Computed: ${words}`}. `;
      if (!computed) return `You guessed: ${words}. `;
      if (!options.length && livefig.number(guess) === answer) return `You guessed ${words}. That is right. `;
      if (!options.length) return `You guessed ${words}; computed: ${computed}. `;
      return `You guessed: ${words}. ${words === computed ? "That is right" : `The answer: ${computed}`}. `;
    }

    function say(guess) {
      status.replaceChildren();
      done(guess);
      const again = document.createElement("button");
      again.type = "button";
      again.textContent = guess === null ? "Guess after all" : "Guess again";
      again.addEventListener("click", () => {
        livefig.memory.remember("guesses", figure.element.id, undefined);
        status.replaceChildren();
        mark({});
        if (field) field.value = "";
        veil(true);
        draw();
        form.querySelector("input").focus();
      });
      status.replaceChildren(said(guess), again);
      if (field && guess !== null) field.value = guess;
      if (field) mark({ you: guess === null ? null : livefig.number(guess), computed: answer });
      draw();
    }

    // The field is gone: on to what the question is about or, on a slider, to the answer; and to what moves the figure.
    const go = () => {
      figure.at.forEach((stood, i) => {
        const place = i === slider && computed ? figure.find(i, String(answer)) : at[i];
        if (place !== null && place !== stood) figure.set(i, place);
      });
      figure.element
        .querySelector(".lf-controls :is([type=range], [type=radio]:checked, button)")
        .focus({ preventScroll: true });
    };

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const given = field ?? form.querySelector("input:checked");
      status.textContent = refused(given?.value);
      if (status.textContent) return field?.focus();
      livefig.memory.remember("guesses", figure.element.id, given.value.trim());
      say(given.value.trim());
      go();
    });
    form.querySelector("[data-do=see]").addEventListener("click", () => {
      say(null);
      go();
    });
    const never = form.querySelector("[data-do=never]");
    never.addEventListener("click", () => livefig.memory.set("predict", "off"));
    never.hidden = form !== document.querySelector(".lf-predict"); // once a page; its foot has it, too

    let stood = figure.at[slider];
    // The slider that the guess is a value of makes it; who moves another is told why nothing is to be seen.
    figure.element.addEventListener("lf-moved", () => {
      if (!figure.element.classList.contains("lf-veiled")) return;
      if (slider >= 0 && figure.at[slider] !== stood) {
        field.value = figure.text(slider);
        draw();
      } else status.textContent = "The picture waits for your guess.";
      stood = figure.at[slider];
    });

    let quiet = false;
    const begin = () => {
      quiet = off();
      status.replaceChildren();
      mark({});
      const guess = livefig.memory.recall("guesses", figure.element.id);
      if (!quiet && guess !== undefined && !refused(guess)) say(guess);
      else veil(!quiet);
    };
    let known = null;
    addEventListener("lf-memory", () => {
      const now = JSON.stringify([off(), livefig.memory.recall("guesses", figure.element.id)]);
      const changed = known !== now;
      known = now;
      // Switched off, or everything erased: begin again; a guess that was made just now is on the page already.
      if (changed && (off() || quiet)) begin();
    });
    begin();
  });
})();
