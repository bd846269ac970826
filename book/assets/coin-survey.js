// The estimate of a two-coin survey: 2·yeses − n/2, with a 95% interval from its exact variance 3n/4.
(() => {
  const form = document.getElementById("survey-form");
  if (!form) return;
  const output = form.querySelector("output");
  const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

  function update() {
    const { people: peopleField, yeses: yesesField } = form.elements;
    const people = peopleField.valueAsNumber;
    const yeses = yesesField.valueAsNumber;
    const whole = Number.isInteger(people) && Number.isInteger(yeses);
    if (peopleField.value === "" || yesesField.value === "") {
      output.textContent = "Type in both numbers.";
    } else if (!whole || people < 1 || yeses < 0) {
      output.textContent = "Both have to be whole numbers: at least one person, and no fewer than 0 hands.";
    } else if (yeses > people) {
      output.textContent = `More hands (${number.format(yeses)}) than people (${number.format(people)}): please count again.`;
    } else {
      const estimate = 2 * yeses - people / 2;
      const half = 1.96 * Math.sqrt((3 * people) / 4);
      const outside = estimate < 0 || estimate > people;
      output.textContent =
        `About ${number.format(estimate)} of ${number.format(people)} would truly say yes; 95% interval ` +
        `${number.format(estimate - half)} to ${number.format(estimate + half)}.` +
        (outside
          ? " An estimate outside the possible range is no mistake: it says how little so few coins can tell."
          : "");
    }
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", update);
  form.querySelectorAll("input").forEach((input) => {
    input.disabled = false;
  });
  update();
})();
