"""Chapters are executed here, and what came out is kept: one file a chapter, with the key of what it depends on.

nbclient runs them and this file keeps them, not jupyter-cache: that one knows a result by the notebook's text alone,
and its executors can neither hand a kernel its environment nor refuse a cell that wrote a warning.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import nullcontext, suppress
from pathlib import Path

import nbclient
import nbformat
import psutil
from nbformat import NotebookNode

from tools import depends, forks
from tools.toc import ROOT

#: What the text of a chapter claims of its numbers, as assertions for its namespace; and the last cell, for a moment.
CLAIMS_OF = ROOT / "tests" / "claims"
CLAIMS = "claims"


class Results:
    """A folder of executed chapters of the book in ``root``."""

    def __init__(self, folder: Path = ROOT / "_build" / "results", root: Path = ROOT) -> None:
        self.folder, self.root = folder, root

    def file(self, chapter: Path) -> Path:
        """Where the results of a chapter are kept."""
        return self.folder / chapter.relative_to(self.root)

    def record(self, chapter: Path) -> NotebookNode:
        """What is on record about a chapter: ``key``, ``own``, ``seconds``; empty if there is nothing."""
        file = self.file(chapter)
        found: NotebookNode = (
            nbformat.read(file, as_version=4).metadata.record if file.is_file() else nbformat.from_dict({})
        )
        return found

    def put(self, chapter: Path, executed: NotebookNode, key: str, seconds: float) -> None:
        """Keep the results of a chapter, in place of older ones."""
        executed.metadata["record"] = {"key": key, "own": depends.own(executed), "seconds": round(seconds, 1)}
        file = self.file(chapter)
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        nbformat.write(executed, new)
        new.replace(file)  # at once: a build that was stopped leaves no half of a file, which no other could read

    def get(self, chapter: Path) -> NotebookNode:
        """Return a chapter as it is now, with the outputs on record; without those of its code a LookupError."""
        notebook: NotebookNode = nbformat.read(chapter, as_version=4)
        if not depends.code_cells(notebook):
            return notebook
        if self.record(chapter).get("own") != depends.own(notebook):
            name = chapter.relative_to(self.root).as_posix()
            raise LookupError(f"{name} has not been executed as it is now: run make book")
        executed = nbformat.read(self.file(chapter), as_version=4)
        notebook.metadata["language_info"] = executed.metadata["language_info"]  # names the colouring of code
        ran = (cell for cell in executed.cells if cell.cell_type == "code")
        for cell in notebook.cells:
            if cell.cell_type == "code":
                done = next(ran)
                cell.outputs, cell.execution_count = done.outputs, done.execution_count
        return notebook

    def prune(self, chapters: Iterable[Path]) -> None:
        """Delete what is on record about any other chapter."""
        known = {self.file(chapter) for chapter in chapters}
        for file in self.folder.rglob("*.ipynb"):
            if file not in known:
                file.unlink()


def update(
    chapters: Iterable[Path],
    results: Results,
    key: Callable[[NotebookNode], str],
    environment: Mapping[str, str],
    jobs: int,
    guess: Callable[[Path], float] = lambda _: 0.0,
) -> bool:
    """Execute the chapters whose results depend on something that has changed; say how each went.

    Kernels find the environment besides this process's own, and so many jobs run at once. ``guess`` gives the time of a
    chapter that is not on record: the longest start first, so that no core waits at the end. Who stops it ends the
    kernels at once, and what is done is kept.
    """
    everything = [(path, with_claims(path, nbformat.read(path, as_version=4))) for path in chapters]
    stale = []
    for path, notebook in everything:
        record = results.record(path)
        wanted = key(notebook)
        if record.get("key") != wanted:
            stale.append((record.get("seconds", guess(path)), path, notebook, wanted))
    stale.sort(key=lambda item: -item[0])
    up_to_date = len(everything) - len(stale)
    say(f"Chapters: {up_to_date} of {len(everything)} up to date" + f", executing {len(stale)}" * bool(stale))
    good = True
    with forks.forking(environment) if len(stale) > 1 else nullcontext() as kernel, ThreadPoolExecutor(jobs) as pool:
        running = {
            pool.submit(_execute, path, notebook, environment, kernel): (path, notebook, wanted)
            for _, path, notebook, wanted in stale
        }
        try:
            for future in as_completed(running):
                path, notebook, wanted = running[future]
                name = path.relative_to(results.root)
                try:
                    seconds = future.result()
                except Exception as error:  # whatever stopped the kernel is the message; the other chapters go on
                    print(f"    {name} failed:\n{error}", file=sys.stderr, flush=True)
                    good = False
                    continue
                results.put(path, notebook, wanted, seconds)
                print(f"    {name}  {seconds:.1f} s", flush=True)
                up_to_date += 1
        except KeyboardInterrupt:
            say(f"Stopped: {up_to_date} of {len(everything)} chapters are kept, and need not be executed again")
            _end(pool, running)
            raise
    return good


def with_claims(path: Path, notebook: NotebookNode) -> NotebookNode:
    """Add what holds of a chapter's results as a last cell: it is executed with them, and kept with none of them."""
    claims = CLAIMS_OF / f"{path.stem}.py"
    if claims.is_file():
        notebook.cells.append(nbformat.v4.new_code_cell(claims.read_text(encoding="utf-8"), id=CLAIMS))
    return notebook


def _end(pool: ThreadPoolExecutor, running: Iterable[Future[float]]) -> None:
    """Start no more chapters, and end the kernels of those that run, or begin to: they have a session of their own."""
    pool.shutdown(wait=False, cancel_futures=True)
    while not all(future.done() for future in running):
        for kernel in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                kernel.kill()
        time.sleep(0.1)


def _execute(path: Path, notebook: NotebookNode, environment: Mapping[str, str], kernel: list[str] | None) -> float:
    """Run all cells in a kernel of their own, by its command if it is no usual one; the notebook gets the outputs."""
    start = time.perf_counter()
    client = nbclient.NotebookClient(
        notebook,
        timeout=None,  # a machine may be slow, or do much else; who does not want to wait interrupts it
        startup_timeout=3600,
        iopub_timeout=3600,
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=[
            "--IPKernelApp.log_level=40",  # errors, not the notice that a local kernel uses local ports
            # A tenth of the time of drawing would go into looking for garbage among all that was imported.
            "--IPKernelApp.exec_lines=__import__('gc').set_threshold(100_000, 50, 100)",
        ],
        coalesce_streams=True,  # else what a cell prints falls into pieces, other ones in every run
        record_timing=False,  # timings would be other ones in every run
    )
    if kernel:
        spec = client.create_kernel_manager().kernel_spec
        assert spec is not None
        spec.argv = kernel
    client.execute(env={**os.environ, **environment})
    _check_stderr(notebook)
    notebook.cells = [cell for cell in notebook.cells if cell.id != CLAIMS]
    return time.perf_counter() - start


#: A notice of the package about where data come from, and the line of code that Python may show below it.
NOTICE = re.compile(r"^\S.*: DataNotice: .*\n?(?:  .*\n?)?", re.MULTILINE)


def _check_stderr(notebook: NotebookNode) -> None:
    """Let no warning slip into a page; the notice about a stand-in is dropped, since the page itself says so."""
    for cell in notebook.cells:
        written = [o for o in cell.get("outputs", []) if o.get("name") == "stderr"]
        for output in written:
            if NOTICE.sub("", output.text).strip():  # one output holds all that a cell wrote
                raise RuntimeError(f"a cell wrote to stderr:\n{cell.source}\n{output.text}")
            cell.outputs.remove(output)


def glued(executed: NotebookNode) -> dict[str, str]:
    """Text of everything that an executed notebook glued."""
    values = {}
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if name:
                data = output["data"]
                text = next((v for k, v in sorted(data.items()) if k.endswith("text/plain")), "")
                values[name] = text.strip("'\"")
    return values


def say(text: str) -> None:
    """Report progress, at once."""
    print(f"==> {text}", flush=True)
