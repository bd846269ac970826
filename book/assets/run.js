// An exercise's code can be edited and run where it stands. Nothing is loaded before a click on a button that says what
// it loads: Python (Pyodide), into a thread of its own (run-worker.js), with the book's package and, of the chapter's code
// above, what the exercise needs. What a reader types is remembered on this device only (livefig.memory, in live-memory.js).
{
  const script = document.currentScript;
  const site = new URL("..", script.src);
  const at = (path) => new URL(path, site).href;
  const python = at(script.dataset.python);
  const host = new URL(python).host;
  const elsewhere = host !== location.host;
  const PATIENCE = 12_000; // ms, until a reader hears what to do if Python does not come
  let worker = null;
  let ready = false; // Python is there: nothing more to announce
  let chapter = null; // its code, once asked for
  let listen = null; // the cell that runs

  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // What can be done without Python in this page, with the links that the page's header has.
  function instead() {
    const header = (part) => document.querySelector(`.article-header-buttons a[href*="${part}"]`)?.href;
    const link = (href, text) => make("a", { href }, text);
    const [notebook, binder] = [header("_sources/"), header("mybinder.org") || header("/v2/")];
    const ways = [];
    if (notebook)
      ways.push([
        link(notebook, "download this chapter's notebook"),
        " and open it in a copy of the book on your machine (",
        make("code", {}, "make lab"),
        ")",
      ]);
    if (binder) ways.push([link(binder, "run it on Binder")]);
    if (!ways.length)
      ways.push(["open the chapter in a copy of the book on your machine (", make("code", {}, "make lab"), ")"]);
    return ["Instead: ", ...ways.flatMap((way, i) => (i ? [", or ", ...way] : way)), "."];
  }

  // Why Python cannot be loaded here, as far as that is known beforehand.
  function why() {
    if (location.protocol === "file:") return "A page opened as a file cannot load Python.";
    if (typeof WebAssembly !== "object" || typeof Worker !== "function")
      return "This browser cannot run Python: it has no WebAssembly.";
    if (elsewhere && navigator.onLine === false) return `There is no network to load Python over (from ${host}).`;
    return "";
  }

  function forget() {
    worker?.terminate();
    [worker, ready] = [null, false];
  }

  function send(message, hear) {
    listen = hear;
    worker ??= new Worker(at("_static/run-worker.js"), { type: "module" });
    worker.onmessage = ({ data }) => listen?.(data);
    worker.onerror = (event) => {
      event.preventDefault();
      listen?.({ failed: event.message || "the script for it did not load" });
    };
    worker.postMessage(message);
  }

  const cells = [...document.querySelectorAll(".cell.tag_run-here")];
  const bars = [];
  const each = (change) => bars.forEach(change);

  cells.forEach((cell, index) => {
    const input = cell.querySelector(".cell_input");
    const given = input.querySelector("pre").textContent.replace(/\n+$/, "");
    const name = /def (\w+)/.exec(given)?.[1] ?? `cell-${index}`;
    const button = (text, action) => {
      const made = make("button", { type: "button", textContent: text });
      made.addEventListener("click", action);
      return made;
    };
    const edit = button("Edit", () => open(true));
    const run = button("Run here", start);
    const stop = button("Stop", () => {
      forget();
      finish("Stopped.", "stopped");
    });
    const reset = button("Reset", () => {
      editor.value = given;
      keep();
      close();
      edit.focus();
    });
    const note = make("span", { className: "run-note" });
    const bar = make("div", { className: "run-bar" }, edit, run, stop, reset, note);
    const said = make("div", { className: "run-said" });
    said.setAttribute("role", "status");
    said.setAttribute("aria-live", "polite");
    const hint = make("span", {
      id: `run-hint-${index}`,
      className: "run-hint",
      textContent: "Ctrl+Enter runs; Tab indents, after Esc it moves on.",
    });
    const editor = make("textarea", {
      className: "run-editor",
      value: given,
      spellcheck: false,
      autocapitalize: "off",
      autocomplete: "off",
      hidden: true,
    });
    editor.setAttribute("aria-label", `Your code: ${name}`);
    editor.setAttribute("aria-describedby", hint.id);
    input.append(editor);
    input.addEventListener("click", (event) => {
      if (editor.hidden && !event.target.closest("a, button") && getSelection().isCollapsed) open(true);
    });
    input.after(bar, said);
    const draw = () => {
      const changed = editor.value !== given;
      [edit.hidden, reset.hidden, hint.hidden] = [!editor.hidden, !changed && !said.textContent, editor.hidden];
      stop.hidden = bar.dataset.busy === undefined;
      run.setAttribute("aria-disabled", listen !== null); // one cell at a time
      editor.rows = editor.value.split("\n").length + 1;
      const reason = why();
      const size = script.dataset.sizes.split(" ")[index];
      if (reason && !ready) {
        run.hidden = true;
        note.replaceChildren(...(index ? [] : [reason, " ", ...instead()]));
      } else {
        run.hidden = false;
        const from = elsewhere ? `${host}, another site,` : "this site";
        const says = ready ? "" : `loads Python (Pyodide, about ${size} MB) from ${from} the first time`;
        run.title = says;
        note.replaceChildren(index ? "" : says); // said once on a page, beside the first of these buttons
      }
    };

    function open(focus) {
      editor.hidden = false;
      input.classList.add("run-open");
      bar.append(hint);
      draw();
      if (!focus) return;
      editor.focus();
      editor.setSelectionRange(0, 0); // the end of a long line would be scrolled to
      editor.scrollLeft = 0;
    }
    function close() {
      editor.hidden = true;
      input.classList.remove("run-open");
      said.replaceChildren();
      delete said.dataset.verdict;
      draw();
    }
    const keep = () => {
      clearTimeout(keep.later);
      const text = editor.value === given ? undefined : editor.value;
      if (window.livefig?.memory && text !== livefig.memory.recall("code", name)?.text)
        livefig.memory.remember("code", name, text && { text });
    };

    function say(verdict, ...content) {
      said.dataset.verdict = verdict;
      said.replaceChildren(...content);
    }
    function finish(text, verdict) {
      clearTimeout(start.late);
      listen = null;
      delete bar.dataset.busy;
      say(verdict, make("pre", {}, text));
      each((one) => one());
    }
    function fail(text, step) {
      forget();
      finish(`Python stopped: ${text}`, "stopped");
      if (step === "run") return;
      say(
        "stopped",
        make("p", {}, `Python could not be loaded from ${host}: `, make("span", { className: "run-why" }, text)),
        make("p", {}, ...instead()),
      );
    }

    async function start() {
      if (listen !== null) return;
      keep();
      let step = "python";
      let late = false;
      const tell = () => {
        if (step === "run") say("waiting", make("p", {}, late ? "Still running. Stop ends it." : "Running …"));
        else if (!late) say("waiting", make("p", {}, `Loading Python from ${host} …`));
        else {
          say(
            "waiting",
            make(
              "p",
              {},
              `Python has not arrived from ${host} yet. On a slow line it may still come, and then your code runs; where a network blocks that address, it never does.`,
            ),
            make("p", {}, ...instead()),
          );
        }
      };
      const hear = (data) => {
        if (data.step) {
          step = data.step;
          tell();
        } else if (data.failed) fail(data.failed, step);
        else {
          ready = true;
          const { text, right, stopped } = data.result;
          finish(
            text || "Your code ran, and showed nothing.",
            stopped ? "stopped" : right === true ? "right" : right === false ? "wrong" : "plain",
          );
        }
      };
      listen = hear; // whoever else clicks waits
      bar.dataset.busy = "";
      tell();
      each((one) => one());
      start.late = setTimeout(() => {
        late = true;
        tell();
      }, PATIENCE);
      try {
        chapter ??= await (await fetch(at(script.dataset.cells))).json();
        if (listen !== hear) return; // stopped meanwhile
        const statements = chapter.statements.slice(0, chapter.above[index]);
        send({ python, wheels: script.dataset.wheels.split(" ").map(at), statements, source: editor.value }, hear);
      } catch (error) {
        if (listen === hear) fail(error.message, step);
      }
    }

    editor.addEventListener("input", () => {
      draw();
      clearTimeout(keep.later);
      keep.later = setTimeout(keep, 500);
    });
    editor.addEventListener("change", keep);
    let leave = false; // Esc, then Tab: on to the next control
    editor.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey)) {
        event.preventDefault();
        if (!run.hidden) start();
      } else if (event.key === "Enter") {
        const line = editor.value.slice(0, editor.selectionStart).split("\n").pop();
        const indent = /^\s*/.exec(line)[0] + (/:\s*(#.*)?$/.test(line) ? "    " : "");
        event.preventDefault();
        insert(`\n${indent}`);
      } else if (event.key === "Tab" && !leave && !event.shiftKey) {
        event.preventDefault();
        insert("    ");
      }
      leave = event.key === "Escape" || (leave && event.key === "Shift");
    });
    function insert(text) {
      if (!document.execCommand("insertText", false, text))
        editor.setRangeText(text, editor.selectionStart, editor.selectionEnd, "end"); // the first can be undone
      editor.dispatchEvent(new Event("input"));
    }

    const recall = () => {
      const before = window.livefig?.memory.recall("code", name)?.text;
      editor.value = before ?? given;
      if (before !== undefined) open(false);
    };
    addEventListener("lf-erased", () => {
      editor.value = given;
      close();
    });
    bars.push(draw);
    recall();
    draw();
  });
  addEventListener("online", () => each((one) => one()));
  addEventListener("offline", () => each((one) => one()));
}
