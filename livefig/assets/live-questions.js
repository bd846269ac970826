// Self-test questions: a choice among statements, or a number. After two wrong tries the answer is offered.
(() => {
  "use strict";
  const NAMES = { ln: Math.log, sqrt: Math.sqrt, exp: Math.exp, "√": Math.sqrt, e: Math.E, pi: Math.PI, π: Math.PI };
  const SAME = { "−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", "½": "(1/2)", "¼": "(1/4)", "¾": "(3/4)" };

  // As people type numbers: 1,234.5 or 0,5 or 1e-3 or 12 % or −3; and ln 4, 1/3, sqrt(2), 4^0.5, e^1. As questions.py.
  livefig.number = (text) => {
    const clean = text
      .toLowerCase()
      .replace(/[−–·×÷½¼¾]/g, (c) => SAME[c])
      .replaceAll("**", "^")
      .replace(/[\s_]/g, "")
      .replace(/,(?=\d{3}(\D|$))/g, "")
      .replaceAll(",", ".");
    if (clean.length > 60) return null;
    const tokens = clean.match(/(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[a-z]+|./g) || [];
    const fail = () => {
      throw new RangeError("no number");
    };
    const finite = (value) => (Number.isFinite(value) ? value : fail());

    function sum() {
      const sign = tokens[0] === "-" ? -1 : 1;
      if (tokens[0] === "-" || tokens[0] === "+") tokens.shift();
      let value = sign * product();
      while (tokens[0] === "+" || tokens[0] === "-") value += (tokens.shift() === "+" ? 1 : -1) * product();
      return value;
    }
    function product() {
      let value = power();
      while (tokens.length && !"+-)".includes(tokens[0])) {
        if (tokens[0] === "/") {
          tokens.shift();
          value = finite(value / power());
        } else if (tokens[0] === "*") {
          tokens.shift();
          value *= power();
        } else if (/^[\d.]/.test(tokens[0]))
          fail(); // a product without a sign has its number in front
        else value *= power();
      }
      return value;
    }
    function power() {
      let value = atom();
      while (tokens[0] === "%") {
        tokens.shift();
        value /= 100;
      }
      if (tokens[0] !== "^") return value;
      tokens.shift();
      const sign = tokens[0] === "-" ? -1 : 1;
      if (sign < 0) tokens.shift();
      return finite(value ** (sign * power()));
    }
    function atom() {
      const token = tokens.shift() ?? fail();
      if (token === "(") {
        const value = sum();
        return tokens.shift() === ")" ? value : fail();
      }
      if (/^[\d.]/.test(token)) return finite(Number(token));
      if (!Object.hasOwn(NAMES, token)) fail();
      return typeof NAMES[token] === "function" ? finite(NAMES[token](atom())) : NAMES[token];
    }

    try {
      const value = finite(sum());
      return tokens.length ? null : value;
    } catch {
      return null;
    }
  };

  livefig.question = (form) => {
    const said = JSON.parse(form.dataset.said);
    const quiz = form.dataset.kind === "quiz";
    const status = form.querySelector(".lf-said");
    const answer = form.querySelector(".lf-answer");
    let wrong = 0;
    answer.hidden = true;
    form.querySelectorAll("input, button").forEach((part) => {
      part.disabled = false;
    });

    const clear = () => {
      status.textContent = "";
      delete status.dataset.right;
    };
    const tell = (right, html) => {
      status.innerHTML = `<strong>${right ? "✓ Right." : "✗ Not quite."}</strong> ${html}`;
      status.dataset.right = right;
      wrong += !right;
      answer.hidden = right || wrong < 2;
    };
    function respond() {
      if (quiz) {
        const chosen = form.querySelector("input:checked");
        if (!chosen) {
          status.textContent = "Choose an answer first.";
          return null;
        }
        tell(...said[Number(chosen.value)]);
        return { typed: chosen.value, right: said[Number(chosen.value)][0] };
      }
      const typed = form.querySelector("input").value;
      const value = livefig.number(typed);
      if (value === null) {
        status.textContent = "Type a number, such as 0.5, 1,200, 1/3 or ln 4.";
        return null;
      }
      const off = Math.abs(value - said.answer);
      const right = off <= Math.max(said.slack, said.tolerance * Math.max(Math.abs(value), Math.abs(said.answer)));
      tell(right, right ? said.explain : `${value < said.answer ? "Too low." : "Too high."} ${said.hint}`);
      return { typed, right };
    }

    form.addEventListener("input", clear); // a verdict belongs to the answer it was given for
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const given = respond();
      if (given) livefig.memory.remember("answers", form.id, given);
    });

    const before = livefig.memory.recall("answers", form.id);
    if (before) {
      const field = quiz
        ? form.querySelector(`input[value="${CSS.escape(before.typed)}"]`)
        : form.querySelector("input");
      if (field && quiz) field.checked = true;
      else if (field) field.value = before.typed;
      if (field && before.right) respond();
    }
    addEventListener("lf-erased", () => {
      form.reset();
      clear();
    });
  };
})();
