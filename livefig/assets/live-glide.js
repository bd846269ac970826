// Glide: a slider's next picture grows out of the one before, in a moment, so that the eye can follow a curve.
(() => {
  "use strict";
  const LASTS = 120; // milliseconds
  const NUMBER = /-?\d+(?:\.\d+)?/g;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const shape = (path) => path.getAttribute("d") ?? "";
  const paths = (stage) => [...stage.querySelectorAll("svg path:not(.lf-line)")];

  // What is drawn now; null where nothing is to move.
  livefig.shapes = (stage) => (still.matches ? null : paths(stage).map(shape));

  // Only where each path has the points that it had; else the new picture stands there at once.
  livefig.glide = (stage, before) => {
    const after = paths(stage);
    if (after.length !== before?.length) return;
    const moving = [];
    for (const [i, path] of after.entries()) {
      const d = shape(path);
      if (d === before[i]) continue;
      const bones = d.split(NUMBER);
      if (before[i].split(NUMBER).join() !== bones.join()) return;
      const [from, to] = [before[i], d].map((text) => text.match(NUMBER).map(Number));
      moving.push({ path, d, bones, from, to });
    }
    if (!moving.length) return;
    const start = performance.now() - 1000 / 60; // the first picture has moved already
    function step(now) {
      const share = Math.max(0, Math.min(1, (now - start) / LASTS));
      if (!moving[0].path.isConnected) return; // the next picture is there
      for (const { path, d, bones, from, to } of moving) {
        // What does not move is left as it is: the flag of an arc is 0 or 1, and not 1.0.
        const place = (k) => (from[k] === to[k] ? to[k] : (from[k] + share * (to[k] - from[k])).toFixed(1));
        path.setAttribute("d", share < 1 ? bones.map((bone, k) => (k ? place(k - 1) : "") + bone).join("") : d);
      }
      if (share < 1) requestAnimationFrame(step);
    }
    step(performance.now());
  };
})();
