"""Run studies on the real files: ``python -m ldp_book.studies [NAME ...] [--part PART] [--save]``."""

from __future__ import annotations

import argparse
import os
import sys


def main() -> int:
    """Read the options, run, print a summary of each table, and store it where asked to."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one processor for each process, and the same sums on any machine
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ldp_book.studies import running

    parser = argparse.ArgumentParser(description="Run studies on the real files.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(running.defined())}; none: all")
    parser.add_argument("--part", action="append", help="run only this part; may be repeated")
    parser.add_argument("--jobs", type=int, help="processes; default: one for each processor")
    parser.add_argument("--save", action="store_true", help="store the results with the package")
    options = parser.parse_args()
    for study in options.names or running.defined():
        for part in running.parts(study):
            if options.part and part not in options.part:
                continue
            table = running.run(study, part, jobs=options.jobs, say=_say)
            print(
                f"\n{study}/{part}: {table!r}, {table.rows}, {table.seconds:.0f} s of processor time", file=sys.stderr
            )
            for column, values in table.items():
                means = ", ".join(f"{mean:.3f}" for mean in values.mean(axis=-1).ravel())
                print(f"    {column}: {means}", file=sys.stderr)
            if options.save:
                running.save(study, {part: table})
    return 0


def _say(text: str) -> None:
    print(f"\r{text}", end="", flush=True, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
