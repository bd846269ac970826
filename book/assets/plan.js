// The page on planning: reads the form, asks planSurvey (made from ldp_core.plan), shows what it says. Nothing is sent.
(() => {
  const form = document.getElementById("plan-form");
  if (!form) return;
  const parts = globalThis.planParts;
  const { whole, short, percent, element } = parts;
  const result = document.getElementById("plan-result");
  const [answer, output] = form.querySelectorAll(".plan-answer, output");
  const fields = [...form.elements].filter((field) => field.name);
  const PERCENT = new Set(["share", "half_width", "belief", "prior"]);
  const THOUSANDS = new Set(["n", "d", "held", "per_year", "lowest", "highest", "half_width", "spread"]);
  const OPTIONAL = new Set([...PERCENT, "epsilon", "unit", "spread"]);
  const limit = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });
  const size = (bits) =>
    bits < 64 ? `${bits} ${bits === 1 ? "bit" : "bits"}` : `${whole.format(Math.ceil(bits / 8))} bytes`;

  const used = (field) => {
    const asked = field.closest("label").dataset.for;
    return !asked || asked.split(" ").includes(form.elements.question.value);
  };
  const named = (field) =>
    field.closest("label").firstChild.textContent.trim() || field.previousElementSibling.textContent;

  // As a number: 2.5 may be typed as 2,5 or as 2.5 %.
  const typed = (field) =>
    field.type === "text" ? Number(field.value.trim().replace(/\s*%$/, "").replace(",", ".")) : field.valueAsNumber;

  // A share in per cent; for a mean, in its unit.
  const amount = (value, { question, unit }) =>
    question === "mean" ? `${short.format(value)} ${unit}`.trim() : percent(value);

  // What the form says, or a sentence about the first field that says nothing sensible.
  function read() {
    const asked = { question: form.elements.question.value };
    const mean = asked.question === "mean";
    for (const field of fields) {
      field.removeAttribute("aria-invalid");
      if (field.name === "question") continue;
      if (field.name === "half_width_of") {
        asked.half_width_of = field.value;
        continue;
      }
      if (!used(field) || (field.value.trim() === "" && OPTIONAL.has(field.name))) {
        asked[field.name] = null;
        continue;
      }
      if (field.name === "unit") {
        asked.unit = field.value.trim();
        continue;
      }
      const text = field.value.trim();
      // 100,000: a hundred thousand, or a hundred with three decimals? And 250.000, where many write thousands so?
      if (
        /^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(text) ||
        (THOUSANDS.has(field.name) &&
          (mean || field.name !== "half_width") &&
          /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/.test(text))
      )
        return wrong(field, `${named(field)}: ${text.replaceAll(/[,.]/g, "")}, without commas and dots, please.`);
      const value = typed(field);
      let width = mean && field.name === "half_width" ? asked.highest - asked.lowest : 0;
      if (field.name === "spread") width = (asked.highest - asked.lowest) / 2;
      const least = width && field.name !== "spread" ? 1e-9 * width : field.min;
      const most = field.name === "held" ? Math.min(100, asked.d - 1) : width || Number(field.max);
      if (!(value >= Number(least) && value <= most) || (field.step === "1" && !Number.isInteger(value))) {
        const kind = field.step === "1" ? "a whole number" : "a number";
        return wrong(field, `${named(field)}: ${kind} from ${least} to ${limit.format(most)}, please.`);
      }
      asked[field.name] = PERCENT.has(field.name) && !width ? value / 100 : value;
      if (field.name === "highest" && value - asked.lowest <= 1e-12 * Math.max(Math.abs(value), Math.abs(asked.lowest)))
        return wrong(field, "The highest number has to be above the lowest.");
    }
    asked.lowest ??= 0;
    asked.highest ??= 1;
    asked.unit ??= "";
    asked.d ??= 2;
    asked.held ??= 1;
    const alike = globalThis.planBefore(asked.question, asked.d, asked.held),
      before = asked.prior ?? alike;
    form.elements.prior.placeholder = short.format(100 * alike);
    const odds = (chance) => Math.log(chance / (1 - chance));
    if (asked.belief !== null && odds(asked.belief) - odds(before) < 1e-4) {
      return wrong(form.elements.belief, `The belief after a report has to be above that before, ${percent(before)}.`);
    }
    if (asked.belief === null && asked.prior !== null) {
      return wrong(form.elements.prior, "The belief before counts only with a worst belief after one report.");
    }
    if (["epsilon", "share", "half_width", "belief"].every((name) => asked[name] === null)) {
      return wrong(form.elements.epsilon, "Type in ε or a wish.");
    }
    return { asked };
  }

  function wrong(field, sentence) {
    field.setAttribute("aria-invalid", "true");
    return { sentence };
  }

  function update() {
    for (const field of fields) field.closest("label").hidden = !used(field);
    const question = form.elements.question.value;
    form.elements.d.previousElementSibling.textContent =
      question === "number" ? "Bins of the range" : "Possible answers";
    const unit = form.elements.unit.value.trim();
    const what = question === "mean" ? unit && `, ${unit}` : ", %";
    form.elements.half_width.previousElementSibling.textContent = `Half-width of the 95% interval${what}`;
    // Where an error does not depend on the answers, or is the largest over all, a rare and a common one have the same.
    const alike = question === "yes-no" || question === "mean";
    const whose = form.elements.half_width_of;
    const [rare, common, population] = whose.options;
    rare.text = alike ? "the people who answer" : "a rare answer";
    population.text = alike ? "the population" : "50%, population";
    common.hidden = alike;
    if (!whose.value || (alike && common.selected)) rare.selected = true;
    const { sentence, asked } = read();
    // What was last asked sensibly stays, faded, while one types.
    result.classList.toggle("plan-stale", Boolean(sentence));
    result.inert = Boolean(sentence);
    if (!sentence) result.hidden = false;
    if (sentence) answer.textContent = "";
    output.textContent = sentence ?? show(asked);
  }

  function show(asked) {
    const { question, n, per_year, lowest, highest, unit, share, half_width, half_width_of, spread, belief } = asked;
    const plan = parts.survey(asked);
    table(plan, asked);
    strip(plan, share !== null || half_width !== null, belief !== null);
    const { mechanism } = plan.rows[plan.best];
    const [first, ...others] = plan.verdict.split(". ");
    answer.textContent = plan.possible ? `Ask with ${mechanism} at ε = ${short.format(plan.epsilon)}.` : `${first}.`;
    result.querySelector(".plan-reason").textContent = `${mechanism} is recommended. ${plan.reason}`;
    const mixed = plan.possible || plan.low === null ? plan.epsilon : plan.low;
    const facts = [];
    if (belief !== null) {
      const most = globalThis.planAfter(belief, Math.exp(-plan.epsilon));
      facts.push([
        `a belief stays at ${percent(belief)} or below for those who were believed, before their report, at most`,
        percent(most),
      ]);
    }
    facts.push(
      [
        `ε of a year, ${whole.format(per_year)} ${per_year === 1 ? "report" : "reports"}`,
        short.format(plan.epsilon_year),
      ],
      [`ε of reports at ${short.format(mixed)} from a trusted shuffler, δ = 10⁻⁶`, short.format(plan.shuffled_epsilon)],
      [
        `half-width${question === "mean" ? "" : " at 50%"} in the population, if those who answer are a random sample of it`,
        amount(plan.rows[plan.best].population_half_width, asked),
      ],
      ["half-width under a trusted curator, same ε, people who answer", amount(plan.central_half_width, asked)],
    );
    result
      .querySelector(".plan-facts")
      .replaceChildren(...facts.flatMap(([what, value]) => [element("dt", what), element("dd", value)]));
    const call = [JSON.stringify(question), n];
    const number = (value) => Number(value.toPrecision(12));
    for (const name of ["d", "held", "per_year", "share", "half_width", "belief", "prior", "epsilon"]) {
      const value = asked[name],
        standard = { d: 2, held: 1, per_year: 1 }[name] ?? null;
      const needed = name === "d" ? question !== "yes-no" && question !== "mean" : value !== standard;
      if (needed) call.push(`${name}=${number(value)}`);
    }
    if (spread !== null) call.push(`spread=${number(spread)}`);
    if (half_width !== null && half_width_of !== "rare") call.push(`half_width_of="${half_width_of}"`);
    if (question === "mean" || question === "number") call.push(`bounds=(${number(lowest)}, ${number(highest)})`);
    if (unit) call.push(`unit=${JSON.stringify(unit)}`);
    result
      .querySelector("pre")
      .replaceChildren(
        `# The plan: ldp_core.plan.survey(${call.join(", ")})\n`,
        element("span", `${plan.code}\n`, { class: "plan-program" }),
      );
    const query = new URLSearchParams();
    for (const field of fields) if (used(field)) query.set(field.name, field.value);
    result.querySelector(".plan-link").href = `?${query}`;
    return plan.possible ? plan.verdict : others.join(". ");
  }

  function table(plan, asked) {
    const { question, d, held, prior, share, belief } = asked;
    // As in the wish about a belief, where there is one: the two are compared.
    const [before, whose] =
      prior !== null
        ? [prior, "belief before"]
        : belief === null && share !== null
          ? [share, "smallest share"]
          : [globalThis.planBefore(question, d, held), "all alike"];
    const bound = (row) => (row.mechanism === "LocalHashing" && d > 2 ? "≤ " : "");
    const columns = [
      ["mechanism", (row) => row.mechanism],
      ["half-width", (row) => amount(row.half_width, asked)],
      ["± at 50%", (row) => percent(row.common_half_width)],
      ["± in the population", (row) => amount(row.population_half_width, asked)],
      ["smallest share", (row) => percent(row.smallest_share)],
      ["people needed", (row) => whole.format(Math.ceil(row.people))],
      ["best guess", (row) => `${bound(row)}${percent(row.attack)}`],
      ["worst belief", (row) => `${bound(row)}${percent(globalThis.planAfter(before, row.odds))}`],
      ["a report", (row) => size(row.bits)],
    ].filter(
      ([name]) =>
        !(/^(smallest share|± at|worst belief)/.test(name) && question === "mean") &&
        !(/^± at/.test(name) && question === "yes-no") &&
        !(/^± in/.test(name) && (asked.half_width === null || asked.half_width_of !== "population")) &&
        !(/^best guess/.test(name) && (question === "several" || question === "any")) &&
        !(name === "people needed" && plan.rows[0].people === null),
    );
    const from = columns.some(([name]) => name === "worst belief")
      ? `; worst belief: from ${percent(before)} (${whose})`
      : "";
    result.querySelector("caption").textContent = `What each mechanism gives${from}`;
    parts.table(result.querySelector("table"), columns, plan.rows, plan.best);
    const given = columns.slice(1).map(([name, value]) => {
      const pair = element("div", "");
      pair.append(element("dt", name), element("dd", value(plan.rows[plan.best])));
      return pair;
    });
    result.querySelector(".plan-gives").replaceChildren(...given);
  }

  // Two bars over ε from 0.01 to 20, on a scale of logarithms.
  function strip(plan, seen, believed) {
    const place = (epsilon) => (100 * Math.log(Math.min(Math.max(epsilon, 0.01), 20) / 0.01)) / Math.log(2000);
    const bar = (name, from, to) => {
      const line = element("div", "", { class: "plan-bar" });
      const range = element("span", "");
      range.style.left = `${from}%`;
      range.style.width = `${to - from}%`;
      const track = element("div", "");
      track.append(range);
      line.append(element("small", name), track);
      return line;
    };
    const bars = [];
    if (believed) bars.push(bar("private enough", 0, place(plan.high)));
    if (seen) bars.push(bar("accurate enough", plan.low === null ? 100 : place(plan.low), 100));
    const axis = element("div", "", { class: "plan-bar" });
    const ticks = element("div", "", { class: "plan-ticks" });
    for (const epsilon of [0.01, 0.1, 1, 10]) {
      const tick = element("small", String(epsilon));
      tick.style.left = `${place(epsilon)}%`;
      ticks.append(tick);
    }
    ticks.append(element("small", "ε", { class: "plan-axis" }));
    const mark = element("b", `ε = ${short.format(plan.epsilon)}`);
    mark.style.left = `${place(plan.epsilon)}%`;
    mark.classList.toggle("late", place(plan.epsilon) > 90); // or a phone would scroll
    ticks.append(mark);
    axis.append(element("small", ""), ticks);
    result.querySelector(".plan-strip").replaceChildren(...bars, axis);
  }

  async function copy(button) {
    const program = result.querySelector("pre");
    try {
      await navigator.clipboard.writeText(program.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(program);
      button.textContent = "Selected: copy it with Ctrl+C";
    }
    setTimeout(() => {
      button.textContent = "Copy the program";
    }, 3000);
  }

  function printPlan() {
    const root = document.documentElement;
    root.classList.add("plan-sheet");
    result.querySelector("details").open = true;
    addEventListener("afterprint", () => root.classList.remove("plan-sheet"), { once: true });
    print();
  }

  const given = new URLSearchParams(location.search);
  for (const field of fields) {
    field.disabled = false;
    if (field.step === "any") field.type = "text"; // a field of numbers makes 25 of 2,5
    if (given.has("question"))
      field.value = given.get(field.name) ?? (OPTIONAL.has(field.name) ? "" : (field.defaultValue ?? field.value));
  }
  if (form.elements.question.value === "") form.elements.question.value = "one";
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", update);
  result.addEventListener("click", ({ target }) => {
    if (target.dataset.act === "copy") copy(target);
    if (target.dataset.act === "print") printPlan();
  });
  update();
})();
