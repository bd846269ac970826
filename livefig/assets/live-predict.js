// Predict first: the picture is veiled until the reader commits to a guess or asks to see. The text after it answers.
(() => {
  "use strict";
  const off = () =>
    new URLSearchParams(location.search).get("predict") === "off" || ldp.memory.read().predict === "off";

  ldp.parts.push((figure) => {
    const form = figure.element.querySelector(".ldp-predict");
    if (!form) return;
    const { options, on, unit } = JSON.parse(form.dataset.said);
    const [asks, status] = form.querySelectorAll(".ldp-asks, .ldp-answered");
    const slider = on ? figure.controls.findIndex((c) => c.dataset.key === on.replaceAll("_", "-")) : -1;

    function veil(drawn) {
      figure.element.classList.toggle("ldp-veiled", drawn);
      asks.hidden = !drawn; // the question above it stays
    }

    function mark(place) {
      figure.controls[slider]?.querySelector(".ldp-guess")?.remove();
      if (slider < 0 || place === null) return;
      const flag = document.createElement("span");
      flag.className = "ldp-guess";
      flag.style.left = `${100 * place}%`;
      flag.textContent = "your guess";
      if (place > 0.8) flag.classList.add("ldp-right");
      figure.controls[slider].querySelector(".ldp-ticks").append(flag);
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
      const value = /[a-z^/√π½¼¾(*]/i.test(guess) ? ` ≈ ${Number(ldp.number(guess).toPrecision(3))}` : "";
      return `${label}${guess}${value}${unit ? ` ${unit}` : ""}`;
    }

    function say(guess) {
      veil(false);
      const again = document.createElement("button");
      again.type = "button";
      again.textContent = guess === null ? "Guess after all" : "Guess again";
      again.addEventListener("click", () => {
        ldp.memory.remember("guesses", figure.element.id, undefined);
        status.replaceChildren();
        mark(null);
        veil(true);
        form.querySelector("input").focus();
      });
      const words = options.length || guess === null ? options[guess] : number(guess);
      status.replaceChildren(guess === null ? "" : `Your guess: ${words}. Now look, and read on. `, again);
      if (slider >= 0 && guess !== null) mark(between(ldp.number(guess)));
    }

    // The field is gone: on to what moves the figure.
    const go = () =>
      figure.element
        .querySelector(".ldp-controls :is([type=range], [type=radio]:checked, button)")
        .focus({ preventScroll: true });

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = options.length ? form.querySelector("input:checked") : form.querySelector("input");
      if (options.length ? !field : ldp.number(field.value) === null) {
        status.textContent = options.length ? "Choose an answer first." : "Type a number, such as 0.5, 1,200 or ln 4.";
        return;
      }
      ldp.memory.remember("guesses", figure.element.id, field.value);
      say(field.value);
      go();
    });
    form.querySelector("[data-do=see]").addEventListener("click", () => {
      say(null);
      go();
    });
    form.querySelector("[data-do=never]").addEventListener("click", () => ldp.memory.set("predict", "off"));

    // Who moves something while the picture is veiled is told why nothing is to be seen.
    figure.element.addEventListener("ldp-moved", () => {
      if (figure.element.classList.contains("ldp-veiled")) status.textContent = "The picture waits for your guess.";
    });

    let quiet = false;
    const begin = () => {
      quiet = off();
      status.replaceChildren();
      mark(null);
      const guess = ldp.memory.recall("guesses", figure.element.id);
      if (!quiet && guess !== undefined && (options.length ? options[Number(guess)] : ldp.number(guess) !== null))
        say(guess);
      else veil(!quiet);
    };
    let known = null;
    addEventListener("ldp-memory", () => {
      const now = JSON.stringify([off(), ldp.memory.recall("guesses", figure.element.id)]);
      const changed = known !== now;
      known = now;
      // Switched off, or everything erased: begin again; a guess that was made just now is on the page already.
      if (changed && (off() || quiet)) begin();
    });
    begin();
  });
})();
