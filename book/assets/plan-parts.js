// What the pages that plan and rehearse a survey share: how they write numbers, and their tables.
globalThis.planParts = (() => {
  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
  const percent = (share) => (share === null ? "none" : `${short.format(100 * share)}%`.replace("-", "−"));

  function element(tag, text, attributes = {}) {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  // Columns are names and what they say of a row, the first of them which row it is; a phone shows each row as a card.
  function table(filled, columns, rows, best) {
    const head = columns.map(([name]) => element("th", name, { scope: "col", role: "columnheader" }));
    filled.querySelector("thead tr").replaceChildren(...head);
    const lines = rows.map((row, i) => {
      const line = element("tr", "", { role: "row" });
      if (i === best) line.className = "plan-best";
      columns.forEach(([name, value], j) => {
        const role = j ? { role: "cell", "data-label": name } : { role: "rowheader", scope: "row" };
        line.append(element(j ? "td" : "th", (j === 0 && i === best ? "✓ " : "") + value(row), role));
      });
      return line;
    });
    filled.querySelector("tbody").replaceChildren(...lines);
  }

  // A plan, by the names of what is asked.
  function survey({ question, n, ...rest }) {
    const asked = {
      ...{
        epsilon: null,
        d: 2,
        held: 1,
        per_year: 1,
        share: null,
        half_width: null,
        half_width_of: "rare",
        spread: null,
      },
      ...{ belief: null, prior: null, lowest: 0, highest: 1, unit: "", delta: 1e-6 },
    };
    return globalThis.planSurvey(question, n, ...Object.keys(asked).map((name) => rest[name] ?? asked[name]));
  }

  return { survey, whole, short, percent, element, table };
})();
