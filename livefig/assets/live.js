// Moves baked figures. No dependencies, no network beyond the page's own files.
(() => {
  "use strict";
  const waiting = new Map(); // name of a payload -> functions that want it
  const loaded = new Map(); // name -> promise of its content

  async function unpack(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const content = JSON.parse(await new Response(stream).text());
    if (content.parts) content.svg = content.svg.map((picture) => picture.map((i) => content.parts[i]).join(""));
    return content;
  }

  // Payload files call this: a script can be loaded from a disk, where fetch is forbidden.
  window.livefigFrames = (name, base64) => {
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
            script.onerror = () => {
              loaded.delete(name);
              fail(new Error("the frames could not be loaded"));
            };
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
      this.view = element.querySelector(".lf-view");
      this.stage = element.querySelector(".lf-stage");
      this.finding = element.querySelector(".lf-finding > span");
      this.alt = this.stage.getAttribute("aria-label");
      this.note = element.querySelector(".lf-note");
      this.source = element.querySelector("[data-frames]");
      this.controls = [...element.querySelectorAll(".lf-control")];
      this.sizes = this.controls.map((c) => Number(c.dataset.size));
      this.begin = this.controls.map((c) => Number(c.dataset.start));
      this.keys = this.controls.map((c) => JSON.parse(c.dataset.keys));
      this.texts = this.controls.map((c) => JSON.parse(c.dataset.texts));
      this.at = [...this.begin];
      this.law = this.controls.findIndex((c) => "law" in c.dataset); // draws that the page makes, without end
      this.follow = []; // what shows the position of a control
      this.shown = this.index();
      this.drawing = this.draws();
      this.prefix = element.dataset.prefix;
      this.phone = matchMedia("(max-width: 40rem)"); // where panels stand below one another
      const [wide, low] = this.stage.querySelectorAll(":scope > svg");
      if (low) (this.phone.matches ? wide : low).remove();
      this.phone.addEventListener("change", () => {
        this.glides = false;
        if (low) this.shown = -1;
        this.draw();
      });
      this.pending = false;
      this.controls.forEach((control, i) => this.connect(control, i));
      element.querySelectorAll("input, button").forEach((part) => {
        part.disabled = false;
      });
      element.classList.add("lf-ready");
      this.note.textContent = "";
      livefig.parts.forEach((part) => part(this));
    }

    // What the picture shows, for who does not see it; what is under a veil is not told either.
    tell(alt = this.alt) {
      this.alt = alt;
      const veiled = this.element.classList.contains("lf-veiled");
      this.stage.setAttribute("aria-label", veiled ? "Empty axes: the picture waits for your guess" : alt);
    }

    // Mixed radix: the last control moves fastest, as in the build.
    index() {
      return this.sizes.reduce((sum, size, i) => sum * size + (i === this.law ? 0 : this.at[i]), 0);
    }

    // Which draw it is, from 0.
    draws() {
      return this.law < 0 ? 0 : this.at[this.law];
    }

    // The position of a control, as one reads it, as an address names it, and the position that an address asks for.
    text(i) {
      return i === this.law ? `draw ${(this.at[i] + 1).toLocaleString("en")}` : this.texts[i][this.at[i]];
    }

    key(i) {
      return i === this.law ? String(this.at[i] + 1) : this.keys[i][this.at[i]];
    }

    find(i, text) {
      if (i !== this.law) return livefig.nearest(this.keys[i], text);
      return /^[1-9]\d{0,8}$/.test(text.trim()) ? Number(text) - 1 : null;
    }

    set(i, place) {
      const last = i === this.law ? 999999998 : this.sizes[i] - 1;
      this.at[i] = Math.max(0, Math.min(last, Math.round(Number(place)) || 0));
      this.glides = this.controls[i].matches(".lf-range"); // what is drawn or chosen anew has nothing between
      this.follow[i]();
      this.element.dispatchEvent(new CustomEvent("lf-moved"));
      this.draw();
    }

    reset() {
      this.begin.forEach((place, i) => this.set(i, place));
    }

    // Where it stands, in words.
    where() {
      return this.controls
        .map((c, i) => (c.matches(".lf-draws") ? this.text(i) : `${c.dataset.label} = ${this.text(i)}`))
        .join(", ");
    }

    // A button in the row under the figure; what its function returns is said beside it.
    tool(name, act) {
      if (!this.tools) {
        this.tools = document.createElement("div");
        this.tools.className = "lf-tools";
        this.tools.append(document.createElement("span"));
        this.tools.lastChild.setAttribute("role", "status");
        this.note.before(this.tools);
      }
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", async () => {
        this.tools.lastChild.textContent = await act();
      });
      this.element.addEventListener("lf-moved", () => {
        this.tools.lastChild.textContent = "";
      });
      this.tools.lastChild.before(button);
      return button;
    }

    connect(control, i) {
      if (control.classList.contains("lf-range")) this.range(control, i);
      else if (control.classList.contains("lf-choice")) {
        const radios = [...control.querySelectorAll("input")];
        this.follow[i] = () =>
          radios.forEach((radio, k) => {
            radio.checked = k === this.at[i];
          });
        radios.forEach((radio) => radio.addEventListener("change", () => this.set(i, radio.value)));
      } else {
        const output = control.querySelector("output");
        this.follow[i] = () => {
          output.textContent = this.text(i);
        };
        control
          .querySelector("button")
          .addEventListener("click", () =>
            this.set(i, i === this.law ? this.at[i] + 1 : (this.at[i] + 1) % this.sizes[i]),
          );
      }
      this.follow[i](); // browsers restore old positions on reload
    }

    range(control, i) {
      const range = control.querySelector("input");
      const { label } = control.dataset;
      const meanings = JSON.parse(control.dataset.meanings || "[]");
      const meaning = control.querySelector(".lf-meaning");
      const typed = this.typed(control, i);
      this.follow[i] = () => {
        const at = this.at[i],
          text = this.texts[i][at];
        range.value = at;
        typed.value = text;
        meaning.textContent = meanings[at] || "";
        range.setAttribute("aria-valuetext", `${label} = ${text}${meanings[at] ? `: ${meanings[at]}` : ""}`);
      };
      range.addEventListener("input", () => this.set(i, range.value));
      range.addEventListener("dblclick", () => this.set(i, this.begin[i]));
      range.title = "Double click: back to the start";
      const play = control.querySelector(".lf-play");
      if (play) this.player(play, i);
    }

    // The value as a field: type another, and the slider goes to its nearest position and says so.
    typed(control, i) {
      const output = control.querySelector("output");
      const field = document.createElement("input");
      field.type = "text";
      field.inputMode = "decimal";
      field.autocomplete = "off";
      field.className = "lf-value";
      field.size = Math.max(3, ...this.texts[i].map((text) => text.length));
      field.setAttribute(
        "aria-label",
        `${control.dataset.label} as a number, ${this.element.getAttribute("aria-label")}`,
      );
      output.replaceWith(field);
      field.addEventListener("focus", () => field.select());
      field.addEventListener("change", () => {
        const text = field.value;
        const place = this.texts[i].includes(text) ? this.texts[i].indexOf(text) : livefig.nearest(this.keys[i], text);
        if (place === null) {
          this.follow[i]();
          this.note.textContent = "Type a number, such as 0.5, 1,200 or ln 4.";
          return;
        }
        this.set(i, place);
        const value = livefig.number(text),
          exact = Number(this.keys[i][place]);
        const near = value === null || Math.abs(value - exact) <= 1e-9 * Math.abs(exact);
        this.said = near ? "" : `The nearest position is ${this.texts[i][place]}.`;
        this.note.textContent = this.said;
      });
      return field;
    }

    player(button, i) {
      const still = matchMedia("(prefers-reduced-motion: reduce)");
      let timer = 0;
      const stop = () => {
        clearInterval(timer);
        timer = 0;
        button.setAttribute("aria-pressed", "false");
        name();
      };
      const next = () => this.set(i, (this.at[i] + 1) % this.sizes[i]);
      // It stops at the end: a jump back to the start is no part of the sweep.
      const tick = () => {
        if (document.hidden || this.at[i] === this.sizes[i] - 1) stop();
        else next();
      };
      const name = () => {
        button.textContent = still.matches ? "Step" : timer ? "Pause" : "Play";
      };
      button.addEventListener("click", () => {
        if (still.matches) {
          next();
          return;
        } // one step a click: nothing moves by itself
        if (timer) {
          stop();
          return;
        }
        if (this.at[i] === this.sizes[i] - 1) this.set(i, 0);
        timer = setInterval(tick, 600);
        button.setAttribute("aria-pressed", "true");
        name();
      });
      still.addEventListener("change", stop);
      this.controls[i].querySelector("input[type=range]").addEventListener("pointerdown", stop);
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
          const { svg, alt, title, frames, laws } = await this.load();
          const index = this.index(),
            draw = this.draws();
          if (index === this.shown && draw === this.drawing) return;
          const [picture, text, finding, low = picture] = frames[index];
          const prefix = this.prefix;
          const baked = index !== this.shown;
          if (baked) {
            const before = this.glides && !laws ? livefig.shapes(this.stage) : null;
            this.stage.innerHTML = svg[this.phone.matches ? low : picture].replace(
              /( id="|xlink:href="#|url\(#)(i\d+)\b/g,
              `$1${prefix}$2`,
            );
            livefig.glide(this.stage, before);
          }
          [this.shown, this.drawing] = [index, draw];
          const written = laws && !(baked && draw === 0) && livefig.redraw(this, laws[index], index, draw);
          this.tell(written ? written(laws[index].alt) : alt[text]);
          if (this.finding) this.finding.textContent = written ? written(laws[index].title) : title[finding];
          this.stage.dispatchEvent(new CustomEvent("lf-drawn", { bubbles: true }));
          this.note.textContent = this.said || "";
          this.said = "";
        } catch (error) {
          this.note.textContent = `This figure cannot move: ${error.message}. It still shows its first frame.`;
        }
      });
    }
  }

  function start() {
    if (typeof DecompressionStream === "undefined") {
      document.querySelectorAll(".lf-live:not(.lf-ready) > .lf-note").forEach((note) => {
        note.textContent = "This browser is too old to move the figure; it shows the first frame.";
      });
    } else {
      const near = new IntersectionObserver(
        (entries) =>
          entries.forEach((entry) => {
            if (!entry.isIntersecting) return;
            near.unobserve(entry.target);
            entry.target.livefig.load().catch(() => {}); // said when the reader moves something
          }),
        { rootMargin: "300px" },
      );
      document.querySelectorAll(".lf-live:not(.lf-ready)").forEach((element) => {
        element.livefig = new Figure(element);
        near.observe(element);
      });
    }
    document.querySelectorAll(".lf-figure[data-names]").forEach(livefig.words);
    document.querySelectorAll(".lf-question:not(.lf-ready)").forEach((form) => {
      form.classList.add("lf-ready");
      livefig.question(form);
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
