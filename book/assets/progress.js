// How far a reader is: a mark beside each chapter in the sidebar, and a box at the end of a chapter that says what is
// remembered and erases it. It is remembered on this device only (livefig.memory, in live-memory.js).
addEventListener("DOMContentLoaded", () => {
  const article = document.querySelector("article.bd-article");
  if (!window.livefig || !article) return;
  const key = (link) =>
    new URL(link.href, location.href).pathname.replace(/^.*?(?=\/book\/)/, "").replace(/\.html$/, "");
  const questions = [...article.querySelectorAll("form.lf-question")];
  const isChapter = Boolean(article.querySelector(".admonition.goals"));

  // What is known of a page: questions answered rightly, and whether the reader called it finished.
  function known(page) {
    const { answers = {}, state = {} } = livefig.memory.read().pages[page] ?? {};
    return {
      right: Object.values(answers).filter((a) => a.right).length,
      done: Boolean(state.done),
      begun: Object.keys(answers).length > 0,
    };
  }

  function mark() {
    for (const link of document.querySelectorAll(".bd-sidebar-primary :is(a.internal, a.reference), .course-map a")) {
      link.querySelector(".progress-mark")?.remove();
      const { done, begun } = known(key(link));
      if (!done && !begun) continue;
      const sign = document.createElement("span");
      sign.className = "progress-mark";
      sign.innerHTML = done ? '<span aria-hidden="true">✓</span>' : '<span aria-hidden="true">◐</span>';
      sign.title = done ? "finished" : "begun";
      const words = document.createElement("span");
      words.className = "visually-hidden";
      words.textContent = ` (${sign.title})`;
      sign.append(words);
      link.append(sign);
    }
  }

  let tell = () => {};
  if (isChapter) {
    const box = document.createElement("section");
    box.className = "progress-box";
    box.setAttribute("aria-label", "How far you are");
    box.innerHTML =
      '<p><label><input type="checkbox"> I have finished this chapter</label> <span role="status"></span></p>' +
      '<p><label><input type="checkbox"> Ask me for a guess before some figures</label></p>' +
      "<p>Your answers, code, guesses, finished chapters and where you were are remembered in this browser, on this device only; nobody else sees " +
      'them. <button type="button">Erase all of it</button></p>';
    const [done, guesses] = box.querySelectorAll("input");
    tell = () => {
      const ids = new Set(questions.map((q) => q.id));
      const answers = Object.entries(livefig.memory.read().pages[livefig.memory.page]?.answers ?? {});
      const right = answers.filter(([id, a]) => ids.has(id) && a.right).length;
      done.checked = known(livefig.memory.page).done;
      guesses.checked = livefig.memory.read().predict !== "off";
      box.querySelector("[role=status]").textContent = questions.length
        ? `${right} of ${ids.size} questions answered rightly`
        : "";
    };
    done.addEventListener("change", () => livefig.memory.remember("state", "done", done.checked || undefined));
    guesses.addEventListener("change", () => livefig.memory.set("predict", guesses.checked ? undefined : "off"));
    box.querySelector("button").addEventListener("click", () => {
      if (confirm("Forget all answers, code, guesses and finished chapters of this book, on this device?"))
        livefig.memory.erase();
    });
    article.append(box);
    // Where the reader was: a chapter counts from the second screen on.
    const here = () => {
      if (scrollY < innerHeight) return;
      removeEventListener("scroll", here);
      livefig.memory.set("last", {
        page: livefig.memory.page,
        title: article.querySelector("h1").firstChild.textContent,
      });
    };
    addEventListener("scroll", here, { passive: true });
  }

  // The first page leads back there.
  const cards = article.querySelector(".sd-cards, .sd-container-fluid");
  const { last } = livefig.memory.read();
  if (!isChapter && last && livefig.memory.page.endsWith("/intro") && cards) {
    const line = document.createElement("p");
    line.className = "continue";
    const link = document.createElement("a");
    link.href = `${last.page.slice(livefig.memory.page.length - "intro".length)}.html`; // relative, wherever the site is
    link.textContent = last.title;
    line.append("Continue where you were: ", link);
    cards.before(line);
  }

  const show = () => {
    mark();
    tell();
  };
  addEventListener("lf-memory", show);
  addEventListener("pageshow", show); // Back may bring an old page
  show();
});
