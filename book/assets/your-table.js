// The page that rehearses a survey: asks a table's people by each mechanism's exact law. What is read stays in the page.
(() => {
  const form = document.getElementById("rehearsal-form");
  if (!form) return;
  const { survey, whole, percent, element, table } = globalThis.planParts;
  const { read, answers, Refusal } = globalThis.planTable;
  const result = document.getElementById("rehearsal");
  const output = form.querySelector("output");
  const stage = result.querySelector(".rehearsal-stage");
  const { file, pasted, names, column, epsilon, mechanism } = form.elements;
  const EPSILONS = [0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
  let known = null, // the rows that were read; none while others are, and where they were refused
    title = "", // of the file; none for the sample
    made = null, // answers of the column
    seeds = anySeeds(),
    reading = 0;

  function anySeeds() {
    return crypto.getRandomValues(new Int32Array(3));
  }

  // ---- what is asked ----

  async function load(blob, name) {
    const turn = ++reading;
    known = made = null; // nothing is said of the table before while the form names this one
    if (blob !== file.files[0]) file.value = "";
    try {
      const rows = await read(blob, (part) => {
        if (turn !== reading) return false;
        if (part > 0) {
          output.textContent = `Reading: ${Math.round(100 * part)}%.`;
          result.classList.add("plan-stale");
        }
        return true;
      });
      if (!rows) return; // another table was taken meanwhile
      [known, title] = [rows, name];
    } catch (error) {
      if (turn !== reading) return;
      output.textContent = error instanceof Refusal ? error.message : "This file could not be read.";
      column.replaceChildren();
      result.hidden = true;
      return;
    }
    names.checked = known.hasNames;
    offer();
  }

  const answersOf = (i) => answers(known.columns[i], names.checked ? null : known.first[i]);
  const nameOf = (i) => (names.checked ? known.names[i] : `Column ${i + 1}`);

  // Each column with its type; the first that can be asked is chosen.
  function offer() {
    let first = -1;
    const options = known.columns.map((_, i) => {
      let type = "no question";
      try {
        const found = answersOf(i);
        type = found.isNumber ? "numbers" : `${found.names.length} answers`;
        if (first < 0) first = i;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
      return element("option", `${nameOf(i)} (${type})`, { value: i });
    });
    column.replaceChildren(...options);
    column.value = String(Math.max(first, 0));
    choose();
  }

  function choose() {
    made = null;
    result.classList.remove("plan-stale");
    try {
      made = answersOf(Number(column.value));
      made.n = made.counts.reduce((sum, count) => sum + count, 0);
      result.hidden = false;
      update();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      result.hidden = true;
      output.textContent = `${nameOf(Number(column.value))} is no question. ${error.message}`;
    }
  }

  // ---- what comes out ----

  function update() {
    const e = EPSILONS[epsilon.value],
      { n } = made,
      d = made.names.length;
    const { trials, best } = globalThis.planRehearse(made, e, seeds);
    const shown = trials[mechanism.value === "" ? best : Number(mechanism.value)];
    epsilon.nextElementSibling.textContent = String(e);
    epsilon.setAttribute("aria-valuetext", `ε = ${e}`);
    output.textContent =
      `${shown.name} at ε = ${e} asks ${whole.format(n)} people. Its estimates are off by ${percent(shown.error)}, ` +
      `where the plan expects ${percent(shown.promised)}; ${shown.held} of ${d} intervals hold the truth.`;
    draw(shown);
    const errors = [
      ["mechanism", (one) => one.name],
      ["error in this draw", (one) => percent(one.error)],
      ["error in the plan", (one) => percent(one.promised)],
      ["intervals that hold the truth", (one) => `${one.held} of ${d}`],
    ];
    table(result.querySelector(".rehearsal-errors"), errors, trials, best);
    const all = [
      ["answer", (one) => one.name],
      ["true", (one) => percent(one.truth)],
      ["estimated", (one) => percent(one.share)],
      ["from", (one) => percent(one.low)],
      ["to", (one) => percent(one.high)],
    ];
    table(result.querySelector(".rehearsal-numbers"), all, shown.answers, -1);
    const { ragged, oddOne } = known;
    const words = ragged === 1 ? ["row has", "is"] : ["rows have", "are"];
    const left = `${whole.format(ragged)} ${words[0]} another number of cells, and ${words[1]} left out (${oddOne}).`;
    result.querySelector(".rehearsal-note").textContent =
      `The answers were read off the column${made.said}. A real survey must take them from public knowledge. ${ragged ? left : ""}`;
    const [lowest, highest, bins] = made.range ?? [];
    const asked = made.range ? { question: "number", d: bins, lowest, highest } : { question: "one", d };
    const query = new URLSearchParams({ ...asked, n, per_year: 1, epsilon: e });
    result.querySelector(".plan-link").href = `plan.html?${query}`;
    result.querySelector("pre").textContent = program(e);
  }

  function program(e) {
    const options = [JSON.stringify(title)];
    if (known.separator !== ",") options.push(`sep=${JSON.stringify(known.separator)}`);
    if (known.code !== "utf-8") options.push(`encoding=${JSON.stringify(known.code)}`);
    if (made.comma) options.push('decimal=","');
    if (!names.checked) options.push("header=None");
    const [needed, frame] = title
      ? ["import pandas as pd", `pd.read_csv(${options.join(", ")}, na_values="?", skipinitialspace=True)`]
      : ["from ldp_book import datasets", 'datasets.load("adult", source="standin").frame'];
    const chosen = names.checked ? JSON.stringify(known.names[column.value]) : column.value;
    const call = `print(plan.rehearse(frame, ${chosen}, epsilon=${e}))`;
    return `${needed}\nfrom ldp_core import plan\n\nframe = ${frame}\n${call}\n`;
  }

  // ---- the picture ----

  function shape(tag, attributes, text = "") {
    const drawn = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, value);
    drawn.textContent = text;
    return drawn;
  }

  // Two bars for each answer, on a scale that does not move with ε; what lies outside ends in an arrow.
  function draw({ name, answers, held }) {
    const wide = stage.clientWidth || 600,
      narrow = wide < 480;
    const left = narrow ? 0 : Math.min(190, 0.3 * wide),
      right = wide - 68,
      high = narrow ? 54 : 34,
      top = 32;
    const most = Math.max(...answers.map(({ truth }) => truth)),
      from = -0.3 * most,
      to = 1.3 * most;
    const x = (share) => left + ((Math.min(to, Math.max(from, share)) - from) / (to - from)) * (right - left);
    const bottom = top + high * answers.length;
    const word = (text, y, kind) => shape("text", { x: right + 6, y, class: `rehearsal-${kind}` }, text);
    const parts = [word("true", 12, "truth"), word("estimated", 26, "estimate")];
    answers.forEach((one, i) => {
      const y = top + i * high + (narrow ? 21 : 4);
      const letters = Math.floor((narrow ? wide : left) / 7.5);
      const label = one.name.length > letters ? `${one.name.slice(0, letters - 1)}…` : one.name;
      parts.push(shape("text", { x: 0, y: narrow ? y - 5 : y + 17 }, label));
      for (const [value, place, kind] of [
        [one.truth, y, "truth"],
        [one.share, y + 13, "estimate"],
      ]) {
        const bar = { x: Math.min(x(0), x(value)), y: place, width: Math.abs(x(value) - x(0)), height: 11 };
        parts.push(shape("rect", { ...bar, class: `rehearsal-${kind}` }));
        parts.push(word(percent(value), place + 10, kind));
      }
      const arrow = (way) => `m${-4 * way} -4l${4 * way} 4l${-4 * way} 4`;
      const tip = (share) => (share < from ? arrow(-1) : share > to ? arrow(1) : "m0 -4v8");
      const end = (share) => `M${x(share)} ${y + 18.5}${tip(share)}`;
      const line = `M${x(0)} ${y - 2}v28M${x(one.low)} ${y + 18.5}H${x(one.high)}`;
      parts.push(shape("path", { d: line + end(one.low) + end(one.high), class: "rehearsal-interval" }));
    });
    const svg = shape("svg", {
      viewBox: `0 0 ${wide} ${bottom + 4}`,
      width: wide,
      height: bottom + 4,
      "aria-hidden": true,
    });
    svg.append(...parts);
    stage.replaceChildren(svg);
    const common = [...answers].sort((one, other) => other.truth - one.truth).slice(0, 3);
    const told = common.map((one) => `${one.name}: true ${percent(one.truth)}, estimated ${percent(one.share)}`);
    stage.setAttribute(
      "aria-label",
      `Bars of true and estimated shares by ${name}, ${answers.length} answers, the commonest first. ` +
        `${told.join("; ")}. ${held} of ${answers.length} intervals hold the truth.`,
    );
  }

  // ---- what the reader does ----

  function take(files) {
    if (files.length) load(files[0], files[0].name);
  }

  function sample() {
    const { name, counts } = JSON.parse(form.dataset.sample);
    const rows = Object.entries(counts).map(([cell, times]) => `${cell}\n`.repeat(times));
    return load(new Blob([`${name}\n`, ...rows]), "");
  }

  let waiting = false;
  function soon() {
    if (waiting || !made) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (made) update();
    });
  }

  for (const field of form.elements) field.disabled = false;
  epsilon.max = EPSILONS.length - 1;
  survey({ question: "one", n: 1, epsilon: 1 }).rows.forEach((row, i) => {
    mechanism.append(element("option", row.mechanism, { value: i }));
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    if (target === pasted && pasted.value.trim()) load(new Blob([pasted.value]), "pasted.csv");
    if (target === names && known) offer();
    if (target === column && known) choose();
    if (target === epsilon || target === mechanism) soon();
  });
  file.addEventListener("change", () => take(file.files));
  file.addEventListener("click", () => {
    file.value = ""; // so that the same file, changed, can be taken again
  });
  form.addEventListener("click", ({ target }) => {
    if (target.dataset.act === "sample") sample();
    if (target.dataset.act !== "anew") return;
    seeds = anySeeds();
    soon();
  });
  // Wherever on the page it is dropped: a browser would open the file in place of the page.
  for (const kind of ["dragover", "drop"]) {
    document.addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      if (kind === "drop") take(event.dataTransfer.files);
    });
  }
  addEventListener("resize", soon);
  sample();
})();
