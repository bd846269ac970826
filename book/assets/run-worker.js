// Python (Pyodide) for the exercises of a page, in a thread of its own: a loop that never ends stops nothing else.
// The page (run.js) sends where Python and the book's packages are, then cells to run; it hears at each step where we are.
let runner;

async function start({ python, wheels }) {
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const [pyodide, ...archives] = await Promise.all([
    // No data from other hosts; no figure opens a window.
    loadPyodide({ indexURL: python, env: { HOME: "/home/pyodide", LDP_BOOK_OFFLINE: "1", MPLBACKEND: "agg" } }),
    ...wheels.map((wheel) =>
      fetch(wheel, { cache: "no-cache" }).then((answer) => {
        if (!answer.ok) throw new Error(`${wheel}: ${answer.status}`);
        return answer.arrayBuffer();
      }),
    ),
  ]);
  archives.forEach((archive) => pyodide.unpackArchive(archive, "wheel"));
  return { pyodide, run: pyodide.pyimport("ldp_book._cell").run };
}

self.onmessage = async ({ data }) => {
  const step = (name) => postMessage({ step: name });
  try {
    step("python");
    const { pyodide, run } = await (runner ??= start(data));
    const statements = pyodide.toPy(data.statements);
    for (const tried = new Set(); ; ) {
      step("run");
      const result = run(statements, data.source).toJs({ dict_converter: Object.fromEntries });
      // NumPy, pandas and the like come when a statement asks for them, and only then.
      const name = result.missing.split(".")[0];
      const known =
        name && !tried.has(name) && Object.values(pyodide.lockfile.packages).some((p) => p.imports.includes(name));
      if (!known) {
        postMessage({ result });
        return;
      }
      tried.add(name);
      step("python");
      await pyodide.loadPackagesFromImports(`import ${name}`, {
        errorCallback: () => {
          throw new Error(`${name} did not come`);
        },
      });
    }
  } catch (error) {
    postMessage({ failed: String(error.message || error) });
  }
};
