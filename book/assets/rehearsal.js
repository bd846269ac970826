// A survey of people whose answers are known, by each mechanism's exact law: planRehearse draws it, with seeds.
globalThis.planRehearse = (() => {
  const Z = 1.959963984540054,
    DIRECT = 0; // its place among the plan's rows

  // Counts as the server would see them. Those of local hashing are drawn one by one: each has its exact law.
  function simulate(place, [p, q, , k], { counts, n }, uniform) {
    const draw = (people, chance) => globalThis.livefig.binomial(people, Math.min(1, chance), uniform);
    const d = counts.length;
    if (place === DIRECT) {
      let moved = 0; // those who name any answer, each alike
      const kept = counts.map((count) => {
        const away = draw(count, d * q);
        moved += away;
        return count - away;
      });
      return kept.map((count, i) => {
        const here = draw(moved, 1 / (d - i));
        moved -= here;
        return count + here;
      });
    }
    if (k === 0) return counts.map((count) => draw(count, p) + draw(n - count, q));
    const support = Array(d).fill(0);
    counts.forEach((count, own) => {
      const left = Array(k + 1).fill(0); // people by how many other answers they have still to name
      support[own] += left[k - 1] = draw(count, p);
      left[k] = count - left[k - 1];
      let others = d - 1;
      for (let other = 0; other < d; other++) {
        if (other === own) continue;
        for (let r = 1; r <= k; r++) {
          const took = left[r] && draw(left[r], r / others);
          support[other] += took;
          left[r] -= took;
          left[r - 1] += took;
        }
        others--;
      }
    });
    return support;
  }

  // Estimates and intervals as shares, and their root mean square error beside the one that the plan expects.
  function trial(place, law, row, asked, uniform) {
    const { counts, n } = asked,
      [p, q, gap] = law;
    const answers = simulate(place, law, asked, uniform).map((support, i) => {
      const share = (support - n * q) / gap / n,
        within = Math.min(1, Math.max(0, share));
      const half = Z * Math.sqrt(((q * (1 - q)) / gap ** 2 + (within * (1 - p - q)) / gap) / n);
      return { name: asked.names[i], truth: counts[i] / n, share, low: share - half, high: share + half };
    });
    const error = Math.sqrt(answers.reduce((sum, { truth, share }) => sum + (share - truth) ** 2, 0) / answers.length);
    const held = answers.filter(({ truth, low, high }) => low <= truth && truth <= high).length;
    const promised = globalThis.planMeanError(row.sd, row.common_half_width, answers.length);
    return { name: row.mechanism, answers, error, promised, held };
  }

  // Every mechanism's survey. The same seeds again, so that a picture moves with ε and does not jump.
  function rehearse(asked, e, seeds) {
    const d = asked.names.length;
    const plan = globalThis.planParts.survey({ question: "one", n: asked.n, epsilon: e, d });
    const [a, b, c] = seeds;
    const trials = globalThis
      .planLaws(e, d)
      .map((law, i) => trial(i, law, plan.rows[i], asked, globalThis.livefig.uniform(a, b, c + i)));
    return { trials, best: plan.best };
  }

  return rehearse;
})();
