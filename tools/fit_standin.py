"""Fit the packaged stand-in of a data set to the real file, and measure how far it is off.

    python -m tools.fit_standin adult           # write the table of counts and the report
    python -m tools.fit_standin adult --check   # are the packaged ones what the real file gives?
    python -m tools.fit_standin                 # all data sets

The columns other than the target are joined in the tree with the largest total mutual information given the target:
the tree of Chow and Liu (1968) within classes, as in the tree-augmented naive Bayes classifier of Friedman, Geiger and
Goldszmidt (1997). Why within classes: a plain Chow-Liu tree, with the target as one more column, joins Adult's income
to 4 of 14 columns only; naive Bayes trained on rows drawn from it is right on 75.4 % of UCI's test rows, where the
commonest class alone gives 76 % and naive Bayes trained on the real rows 82 %. Within classes every column keeps its
exact counts with the target.

Plain empirical mutual information will not do: it grows with the number of values, whatever the dependence. On Adult it
would hang every other column on fnlwgt, whose 21,648 values nearly name the row. So

* numbers are cut into intervals where a value has fewer than ROWS_A_VALUE rows on average, in the table too;
* each edge pays the penalty of the Bayesian information criterion for its parameters,
  weight = I(X; Y | T) - t (r - 1)(c - 1) ln(n) / 2n, where t, r and c are the numbers of values of T, X and Y: an edge
  between two columns of many values must earn its table.

A pair of negative weight may still be joined, since the tree spans all columns: its counts are as exact as any.

Two kinds of data sets have no such table. Where the file holds every combination of its attributes, with a class that a
hierarchy of decision tables gave (Car, Nursery), the tables are found again (Zupan, Bohanec, Bratko and Demsar, 1997,
call this function decomposition), and the stand-in is the real file. And where the rows come from a function of the
package's own (a generator for Diabetes and Arcene, scikit-learn's copy for WDBC), the script only measures.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from ldp_book import datasets
from ldp_book.datasets import compare, fetch, rules, standin
from ldp_book.datasets.registry import find
from ldp_book.datasets.source import MISSING, Source

FOLDER = Path(standin.__file__).parent / "standins"
ROWS_A_VALUE = 30
# A wide column is cut into parts of equal size, at most 40 and of no fewer rows than this, and in the long tails once
# more, where values lie far apart.
ROWS_A_PART = 20
TAILS = (0.001, 0.005, 0.01, 0.99, 0.995, 0.999)
# Of a data set with more columns than this, the report names so many, evenly spaced, and compares no pairs.
COLUMNS_NAMED = 100


def as_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame's cells as the table of counts writes them: as at UCI, wide columns as intervals."""
    texts = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) and column.nunique() > len(frame) / ROWS_A_VALUE:
            texts[name] = intervals(column)
        else:
            texts[name] = [MISSING if pd.isna(cell) else str(cell) for cell in column]
    return pd.DataFrame(texts, dtype=object)


def intervals(column: pd.Series[Any]) -> list[str]:
    """Name for each number the quantile interval it falls into, by the smallest and largest numbers there."""
    numbers = column.to_numpy()
    parts = min(40, len(numbers) // ROWS_A_PART)
    cuts = np.unique(np.quantile(numbers, sorted([*(i / parts for i in range(1, parts)), *TAILS])))
    codes = np.searchsorted(cuts, numbers, side="right")
    labels = {}
    for code in np.unique(codes):
        inside = numbers[codes == code]
        labels[code] = f"{inside.min()}{standin.BETWEEN}{inside.max()}"
    return [labels[code] for code in codes]


def penalized_information(x: pd.Series[str], y: pd.Series[str], given: pd.Series[str]) -> float:
    """Return the empirical mutual information given a third column, in nats, less the BIC penalty of its parameters."""
    (x_codes, xs), (y_codes, ys), (t_codes, ts) = (pd.factorize(column) for column in (x, y, given))
    r, c, t, n = len(xs), len(ys), len(ts), len(x)
    joint = np.bincount((t_codes * r + x_codes) * c + y_codes, minlength=t * r * c).reshape(t, r, c) / n
    independent = joint.sum(axis=2, keepdims=True) * joint.sum(axis=1, keepdims=True)
    independent = independent / joint.sum(axis=(1, 2), keepdims=True)
    seen = joint > 0
    information = np.sum(joint[seen] * np.log(joint[seen] / independent[seen]))
    return float(information - t * (r - 1) * (c - 1) * np.log(n) / (2 * n))


def maximum_tree(texts: pd.DataFrame, target: str) -> list[tuple[str, str]]:
    """Return (parent, child) for every column but the target, parents before children; the root's parent is ""."""
    names = [name for name in texts.columns if name != target]
    codes = texts.apply(lambda column: pd.factorize(column)[0])  # numbers are counted faster than texts
    weight = {}
    for a, b in combinations(names, 2):
        # Rounded, so that equal weights are equal: of education and education-num, which say the same, the later wins.
        weight[a, b] = weight[b, a] = round(penalized_information(codes[a], codes[b], codes[target]), 9)
    edges, inside = [("", names[0])], [names[0]]
    while len(inside) < len(names):  # Prim's algorithm
        outside = [name for name in reversed(names) if name not in inside]
        edge = max(product(inside, outside), key=lambda pair: weight[pair])
        edges.append(edge)
        inside.append(edge[1])
    return edges


def table_of_counts(source: Source, frame: pd.DataFrame) -> str:
    """Return the stand-in's table as the text of a CSV file."""
    texts = as_texts(frame)
    out, writer = _csv("Counts of values of", source, "standin")
    writer.writerow(standin.FIELDS)
    for parent, child in maximum_tree(texts, source.target):
        parents = texts[parent] if parent else [""] * len(texts)
        counts = Counter(zip(texts[source.target], parents, texts[child], strict=True))
        writer.writerows([parent, child, *values, count] for values, count in sorted(counts.items()))
    return out.getvalue()


def decision_tables(source: Source, frame: pd.DataFrame) -> str:
    """Return the tables that give the class, concept by concept, as the text of a CSV file.

    Two combinations of a concept's inputs are on the same level if the class is the same for both, whatever the other
    columns are. Levels are numbered in the order of the file.
    """
    assert source.hierarchy is not None
    out, writer = _csv("Decision tables of", source, "rules")
    writer.writerow(rules.FIELDS)
    rest = as_texts(frame)
    for concept, inputs in source.hierarchy.items():
        names = list(inputs)
        others = [name for name in rest.columns if name not in names and name != source.target]
        if concept == source.target:
            level = dict(zip(rest[names].itertuples(index=False, name=None), rest[source.target], strict=True))
        else:
            behaviours: dict[tuple[str, ...], int] = {}
            level = {}
            for combination, group in rest.groupby(names, sort=False):
                behaviour = tuple(group.sort_values(others)[source.target])
                level[combination] = str(behaviours.setdefault(behaviour, len(behaviours) + 1))
            rest[concept] = [level[row] for row in rest[names].itertuples(index=False, name=None)]
            rest = rest.drop(columns=names).drop_duplicates()
        writer.writerows([concept, " ".join(inputs), " ".join(values), level[values]] for values in level)
    return out.getvalue()


def _csv(what: str, source: Source, module: str) -> tuple[io.StringIO, Any]:
    out = io.StringIO()
    out.write(
        f"# {what} {source.title} ({source.licence}): {source.citation}\n"
        f"# Made by tools/fit_standin.py; read by ldp_book/datasets/{module}.py.\n"
    )
    return out, csv.writer(out, lineterminator="\n")


def measure(source: Source, table: list[standin.Edge], real: pd.DataFrame, drawn: pd.DataFrame) -> dict[str, Any]:
    """Return the report that :func:`ldp_book.datasets.compare.report` describes."""
    resample = real.iloc[np.random.default_rng(0).integers(len(real), size=len(real))]
    edges = [(edge.parent, edge.child) for edge in table[1:]]
    features = [name for name in real.columns if name != source.target]
    wide = len(features) > COLUMNS_NAMED
    named = [*features[:: len(features) // COLUMNS_NAMED], source.target] if wide else list(real.columns)
    real_bins, drawn_bins, resample_bins = (
        compare.binned(frame[named], real[named]) for frame in (real, drawn, resample)
    )
    values, bins = compare.marginals(real[named], drawn[named]), compare.marginals(real_bins, drawn_bins)
    distances = {} if wide else compare.pairs(real_bins, drawn_bins)
    scale = {} if wide else compare.pairs(real_bins, resample_bins)

    same = drawn.equals(real)

    def exact(pair: tuple[str, str]) -> bool:
        counted = pair in edges or pair[::-1] in edges or source.target in pair
        return same or (bool(table) and counted)

    return {
        "name": source.name,
        "rows": len(real),
        "bins": compare.BINS,
        "tree": [list(edge) for edge in edges],
        "marginals": {name: {"values": _round(values[name]), "binned": _round(bins[name])} for name in named},
        "pairs": [
            {"columns": list(pair), "distance": _round(distance), "resample": _round(scale[pair]), "exact": exact(pair)}
            for pair, distance in distances.items()
        ],
        **accuracies(source, table, real, drawn),
        "majority": _round(real[source.target].value_counts(normalize=True).max()),
    }


def accuracies(
    source: Source, table: list[standin.Edge], real: pd.DataFrame, drawn: pd.DataFrame
) -> dict[str, list[dict[str, Any]]]:
    """Return how often two classifiers are right on rows they have not seen, for both kinds of rows in both roles.

    Naive Bayes sees a column and the target at a time, and these pairs are exact where the stand-in is made of counts:
    trained on it, it is the same classifier. The decision tree looks at several columns together and shows what is
    lost.

    The real test rows are UCI's own test part, and the stand-in's then are a second draw, which shares no randomness
    with the first. Where there is no test part, both kinds of rows are split at random into halves.
    """
    if source.test_files:
        held_out = source.parse(*fetch.read(source.test_files))
        parts = (real, drawn, held_out, standin.sample(table, source, standin.SEED + 1))
    else:
        one, other = np.array_split(np.random.default_rng(0).permutation(len(real)), 2)
        parts = (real.iloc[one], drawn.iloc[one], real.iloc[other], drawn.iloc[other])
    binned = [compare.binned(part, real) for part in parts]
    trains, tests = {"uci": binned[0], "standin": binned[1]}, {"uci": binned[2], "standin": binned[3]}
    leaf = min(50, max(5, len(parts[0]) // 40))
    models = {"naive_bayes": None, "decision_tree": DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0)}
    return {
        name: [
            {
                "train": train_name,
                "test": test_name,
                "accuracy": _round(compare.accuracy(trains[train_name], tests[test_name], source.target, model)),
            }
            for train_name, test_name in product(trains, tests)
        ]
        for name, model in models.items()
    }


def _round(number: Any) -> float:
    return round(float(number), 6)


def as_json(report: dict[str, Any]) -> str:
    """Return the report as JSON with one item a line: small, and a change is one line of a diff."""
    lines = []
    for key, value in report.items():
        if isinstance(value, list):
            text = "[" + ",".join(f"\n  {json.dumps(item)}" for item in value) + "]"
        elif isinstance(value, dict):
            text = "{" + ",".join(f"\n  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "}"
        else:
            text = json.dumps(value)
        lines.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def summary(report: dict[str, Any]) -> str:
    """Return the report in words."""
    lines = [f"{report['rows']:,} rows; total variation distances, numbers in at most {report['bins']} bins", ""]
    lines += [f"  {'column':<20} {'every value':>12} {'in bins':>9}"]
    lines += [f"  {name:<20} {d['values']:>12.4f} {d['binned']:>9.4f}" for name, d in report["marginals"].items()]
    distances = [pair["distance"] for pair in report["pairs"]]
    if distances:
        lines += ["", f"  {'the ten worst pairs':<40} {'stand-in':>9} {'resample of the real rows':>26}"]
        for pair in report["pairs"][:10]:
            lines += [f"  {' x '.join(pair['columns']):<40} {pair['distance']:>9.4f} {pair['resample']:>26.4f}"]
        lines += ["", f"  all {len(distances)} pairs: median {np.median(distances):.4f}, mean {np.mean(distances):.4f}"]
    lines += [""]
    for model in ("naive_bayes", "decision_tree"):
        for result in report[model]:
            words = f"{model.replace('_', ' ')}, trained on {result['train']}, tested on {result['test']}"
            lines += [f"  {words:<52} {result['accuracy']:.4f}"]
    return "\n".join([*lines, f"  {'always the commonest class':<52} {report['majority']:.4f}"])


def fit(source: Source) -> dict[Path, str]:
    """Return the packaged files of a data set as texts: its table (unless rows are generated) and the report."""
    real = datasets.load(source.name, source="uci").frame
    files, table = {}, []
    if source.hierarchy:
        text = files[FOLDER / f"{source.name}.csv"] = decision_tables(source, real)
        drawn = rules.evaluate(rules.parse_tables(text.splitlines()), source.columns)
    elif source.generate:
        drawn = source.generate(standin.SEED)
    else:
        text = files[FOLDER / f"{source.name}.csv"] = table_of_counts(source, real)
        table = standin.parse_table(text.splitlines())
        drawn = standin.sample(table, source, standin.SEED)
    files[FOLDER / f"{source.name}.json"] = as_json(measure(source, table, real, drawn))
    return files


def main(arguments: list[str] | None = None) -> int:
    """Run the script; 0 is success."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(datasets.names())}; none: all")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the packaged files differ")
    options = parser.parse_args(arguments)
    worst = 0
    for name in options.names or datasets.names():
        try:
            files = fit(find(name))
        except (ValueError, datasets.DataUnavailable) as error:
            print(error, file=sys.stderr)
            worst = 2
            continue
        if options.check:
            stale = [path.name for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
            print(f"{name}: " + (f"not what the real file gives: {', '.join(stale)}" if stale else "up to date"))
            worst = max(worst, 1 if stale else 0)
            continue
        for path, text in files.items():
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"{path.name}: {len(text):,} bytes")
        print(summary(json.loads(files[FOLDER / f"{name}.json"])))
    return worst


if __name__ == "__main__":
    raise SystemExit(main())
