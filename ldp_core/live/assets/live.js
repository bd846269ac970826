// Moves baked figures and checks self-test questions. No dependencies, no network beyond the page's own files.
(() => {
  "use strict";
  const waiting = new Map(); // name of a payload -> functions that want it
  const loaded = new Map(); // name -> promise of its content

  async function unpack(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  // Payload files call this: a script can be loaded from a disk, where fetch is forbidden.
  window.ldpFrames = (name, base64) => {
    (waiting.get(name) || []).forEach((give) => give(base64));
    waiting.delete(name);
  };

  function content(source) {
    const name = source.dataset.frames;
    if (!loaded.has(name)) {
      const base64 = source.dataset.src
        ? new Promise((give, fail) => {
            waiting.set(name, [...(waiting.get(name) || []), give]);
            const script = document.createElement("script");
            script.src = source.dataset.src;
            script.onerror = () => { loaded.delete(name); fail(new Error("the frames could not be loaded")); };
            document.head.append(script);
          })
        : Promise.resolve(source.textContent);
      loaded.set(name, base64.then(unpack));
    }
    return loaded.get(name);
  }

  class Figure {
    constructor(element) {
      this.element = element;
      this.stage = element.querySelector(".ldp-stage");
      this.note = element.querySelector(".ldp-note");
      this.source = element.querySelector("[data-frames]");
      this.controls = [...element.querySelectorAll(".ldp-control")];
      this.sizes = this.controls.map((c) => Number(c.dataset.size));
      this.at = this.controls.map((c) => Number(c.dataset.start));
      this.shown = this.index();
      this.prefix = `${element.id}-`;
      this.pending = false;
      this.controls.forEach((control, i) => this.connect(control, i));
      element.querySelectorAll("input, button").forEach((part) => { part.disabled = false; });
      element.classList.add("ldp-ready");
      this.note.textContent = "";
    }

    // Mixed radix: the last control moves fastest, as in the build.
    index() {
      return this.sizes.reduce((sum, size, i) => sum * size + this.at[i], 0);
    }

    connect(control, i) {
      const texts = JSON.parse(control.querySelector("[data-texts]")?.dataset.texts || "[]");
      const output = control.querySelector("output");
      if (control.classList.contains("ldp-range")) {
        const range = control.querySelector("input");
        const label = control.querySelector("label").textContent;
        this.set = this.set || [];
        this.set[i] = (value) => {
          range.value = value;
          this.at[i] = Number(range.value);
          output.textContent = texts[this.at[i]];
          range.setAttribute("aria-valuetext", `${label} = ${texts[this.at[i]]}`);
          this.draw();
        };
        range.value = this.at[i]; // browsers restore old positions on reload
        range.addEventListener("input", () => this.set[i](range.value));
        const play = control.querySelector(".ldp-play");
        if (play) this.player(play, i);
      } else if (control.classList.contains("ldp-choice")) {
        control.querySelectorAll("input").forEach((radio) => {
          radio.checked = Number(radio.value) === this.at[i];
          radio.addEventListener("change", () => { this.at[i] = Number(radio.value); this.draw(); });
        });
      } else {
        control.querySelector("button").addEventListener("click", () => {
          this.at[i] = (this.at[i] + 1) % this.sizes[i];
          output.textContent = texts[this.at[i]];
          this.draw();
        });
      }
    }

    player(button, i) {
      const still = matchMedia("(prefers-reduced-motion: reduce)");
      let timer = 0;
      const stop = () => { clearInterval(timer); timer = 0; button.setAttribute("aria-pressed", "false"); name(); };
      const next = () => this.set[i]((this.at[i] + 1) % this.sizes[i]);
      const name = () => { button.textContent = still.matches ? "Step" : timer ? "Pause" : "Play"; };
      button.addEventListener("click", () => {
        if (still.matches) { next(); return; } // one step a click: nothing moves by itself
        if (timer) { stop(); return; }
        timer = setInterval(() => (document.hidden ? stop() : next()), 600);
        button.setAttribute("aria-pressed", "true");
        name();
      });
      still.addEventListener("change", stop);
      this.controls[i].querySelector("input").addEventListener("pointerdown", stop);
      name();
    }

    load() {
      return content(this.source);
    }

    draw() {
      if (this.pending) return;
      this.pending = true;
      requestAnimationFrame(async () => {
        this.pending = false;
        try {
          const { svg, alt, frames } = await this.load();
          const index = this.index();
          if (index === this.shown) return;
          this.shown = index;
          const [picture, text] = frames[index];
          const prefix = this.prefix;
          this.stage.innerHTML = svg[picture].replace(/( id="|xlink:href="#|url\(#)(i\d+)\b/g, `$1${prefix}$2`);
          this.stage.setAttribute("aria-label", alt[text]);
          this.stage.dispatchEvent(new CustomEvent("ldp-drawn", { bubbles: true }));
          this.note.textContent = "";
        } catch (error) {
          this.note.textContent = `This figure cannot move: ${error.message}. It still shows its first frame.`;
        }
      });
    }
  }

  function question(form) {
    const said = JSON.parse(form.dataset.said);
    const status = form.querySelector(".ldp-said");
    form.querySelector(".ldp-answer")?.remove();
    form.querySelectorAll("input, button").forEach((part) => { part.disabled = false; });
    const tell = (right, html) => {
      status.innerHTML = `<strong>${right ? "Right." : "Not quite."}</strong> ${html}`;
      status.dataset.right = right;
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (form.dataset.kind === "quiz") {
        const chosen = form.querySelector("input:checked");
        if (chosen) tell(...said[Number(chosen.value)]);
        else status.textContent = "Choose an answer first.";
        return;
      }
      const value = parse(form.querySelector("input").value);
      if (value === null) { status.textContent = "Type a number, such as 0.5 or 1,200."; return; }
      const off = Math.abs(value - said.answer);
      const right = off <= Math.max(said.slack, said.tolerance * Math.max(Math.abs(value), Math.abs(said.answer)));
      tell(right, right ? said.explain : `${value < said.answer ? "Too low." : "Too high."} ${said.hint}`);
    });
  }

  // As people type numbers: 1,234.5 or 0,5 or 1e-3 or 12 % or −3.
  function parse(text) {
    let clean = text.replace(/−/g, "-").replace(/[\s_]/g, "").replace(/,(?=\d{3}(\D|$))/g, "");
    const percent = clean.endsWith("%");
    clean = clean.replace(/%+$/, "").replace(",", ".");
    const value = clean === "" ? NaN : Number(clean);
    return Number.isFinite(value) ? (percent ? value / 100 : value) : null;
  }

  function start() {
    if (typeof DecompressionStream === "undefined") {
      document.querySelectorAll(".ldp-live:not(.ldp-ready) > .ldp-note").forEach((note) => {
        note.textContent = "This browser is too old to move the figure; it shows the first frame.";
      });
    } else {
      const near = new IntersectionObserver((entries) => entries.forEach((entry) => {
        if (!entry.isIntersecting) return;
        near.unobserve(entry.target);
        entry.target.ldp.load().catch(() => {}); // said when the reader moves something
      }), { rootMargin: "300px" });
      document.querySelectorAll(".ldp-live:not(.ldp-ready)").forEach((element) => {
        element.ldp = new Figure(element);
        near.observe(element);
      });
    }
    document.querySelectorAll(".ldp-question:not(.ldp-ready)").forEach((form) => {
      form.classList.add("ldp-ready");
      question(form);
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
