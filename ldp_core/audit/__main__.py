"""Audit a client from the command line: ``python -m ldp_core.audit module:function --inputs 0 1 --epsilon 1``.

The exit code is 0 if the runs do not contradict the claim, 1 if they do, 2 if nothing can be said: something could not
be run or read, the runs are too few to contradict the claim, or no input made a difference.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import math
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ldp_core._validate import check_non_negative
from ldp_core.audit.sampled import INSTEAD, REMEMBERS, SELDOM, LowerBound, lower_bound, samples_needed


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m ldp_core.audit",
        description="Put a client's promised epsilon to the test, by running it.",
        epilog="Runs must be independent: a client that remembers is made anew in each, by a"
        " function that ends in return Client()(value). Exit code: 0 no contradiction, 1 the"
        " promise is broken, 2 nothing can be said (also: no input made a difference).",
    )
    parser.add_argument(
        "client", help="module:function, in a file module.py, of two arguments: a value and a generator to draw from"
    )
    parser.add_argument(
        "--inputs",
        nargs="+",
        required=True,
        help="inputs to try: numbers, other literals, or plain text (the text 1 is \"'1'\")",
    )
    parser.add_argument("--epsilon", type=float, required=True, help="the epsilon that the client promises")
    parser.add_argument("--delta", type=float, default=0.0, help="the delta that it promises (0)")
    parser.add_argument("--runs", type=int, default=100_000, help="runs of each input (100000)")
    parser.add_argument("--confidence", type=float, default=0.99, help="of the bound (0.99)")
    parser.add_argument(
        "--vectorized", action="store_true", help="the client takes an array of inputs (a seed fixed in it goes unseen)"
    )
    parser.add_argument("--seed", type=int, help="of the runs; the client's own coins may come from elsewhere")
    parser.add_argument("--may-ignore", action="store_true", help="pass if no input makes a difference")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    said = sys.argv[1:] if arguments is None else arguments
    # argparse takes -1e-3 for an option, unless a blank comes first
    options = parser.parse_args([f" {text}" if re.match(r"-\.?\d", text) else text for text in said])
    try:
        _check_claim(options)
        client = _load(options.client)
        if not options.vectorized:
            client = _counted(client, options.runs * len(options.inputs))
        bound = lower_bound(
            client,
            [_literal(text) for text in options.inputs],
            options.runs,
            delta=options.delta,
            confidence=options.confidence,
            vectorized=options.vectorized,
            rng=options.seed,
        )
    except (Exception, SystemExit) as error:  # whatever a stranger's client raises
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        told = f"{type(error).__name__}: {error}{notes}"
        print(f"{_where(error)}{told}", file=sys.stderr)
        if options.json:
            print(json.dumps({"promised": options.epsilon, "code": 2, "error": told}))
        return 2
    code, verdict = _verdict(bound, options)
    if options.json:
        print(json.dumps({**bound._asdict(), "promised": options.epsilon, "code": code}, default=repr))
        return code
    print(f"epsilon >= {bound.epsilon:.4g} with confidence {options.confidence:g}; promised: {options.epsilon:g}")
    print(f"inputs {bound.value!r} and {bound.other!r}; event: {bound.event}")
    print(f"it occurred {bound.hits:,} and {bound.other_hits:,} times in {bound.runs:,} runs each")
    print(verdict)
    return code


def _verdict(bound: LowerBound, options: argparse.Namespace) -> tuple[int, str]:
    """Give the exit code, and say what it means."""
    if bound.epsilon > options.epsilon:
        varies = "BROKEN, if runs are independent: a client that remembers must be made anew in each"
        return 1, f"the promise is {REMEMBERS if bound.constant else varies}"
    if bound.unread:
        return 2, f"not read: {', '.join(bound.unread)}: {INSTEAD if bound.once else SELDOM}"
    if not bound.epsilon and not options.may_ignore:
        beyond = f" beyond delta = {options.delta:g}" if options.delta else ""
        if bound.covered:
            return 2, f"nothing can be said: delta covers the difference, there is none that so many runs show{beyond}"
        ask = "are they inputs of this client, and runs enough? If it may ignore them, say --may-ignore"
        return 2, f"nothing can be said: no input made a difference that so many runs show{beyond}; {ask}"
    return 0, f"no contradiction found, which is no proof: {_missed(options)}"


def _missed(options: argparse.Namespace) -> str:
    """Say what such runs miss more often than once in ten, found by halving: an ε above the promise, a rare bare value.

    A bare value is one that no other input sends: as good as none of its reports come from others at ε = 40. Among many
    numbers the first half of the runs needs to see it twice as often (measured).
    """

    def enough(more: float, probability: float | None = None) -> bool:
        how = {"delta": options.delta, "confidence": options.confidence}
        try:
            needed = samples_needed(options.epsilon + more, options.epsilon, probability=probability, **how)
        except ValueError:  # more runs than there may be
            return False
        return needed <= int(options.runs)

    few, enough_more = 0.0, 2.0
    rare, often = math.log(max(options.delta, 1e-9)), 0.0
    for _ in range(9):
        more, seldom = (few + enough_more) / 2, (rare + often) / 2
        few, enough_more = (few, more) if enough(more) else (more, enough_more)
        rare, often = (rare, seldom) if enough(40.0, math.exp(seldom)) else (seldom, often)
    least = options.epsilon + enough_more
    once = f"once in {math.exp(-often) / 2:,.0f} reports"
    return f"so many runs may miss {least:.3g} of randomized response, and a value sent bare {once}"


def _check_claim(options: argparse.Namespace) -> None:
    claim = check_non_negative(options.epsilon, "epsilon")
    try:
        needed = samples_needed(claim + 2, claim, delta=options.delta, confidence=options.confidence)
    except ValueError as error:
        if "further" in str(error):
            raise ValueError(
                f"epsilon must be one that runs can contradict, got {claim:g}: no number of runs can"
            ) from None
        raise
    if options.runs < needed:
        raise ValueError(
            f"runs must be at least {needed:,} to tell an epsilon of {claim + 2:g} from the {claim:g} promised,"
            f" got {options.runs:,}"
        )


def _where(error: BaseException) -> str:
    """Give the last lines of the traceback that are the client's own, if any."""
    frames = traceback.extract_tb(error.__traceback__)
    return "".join(traceback.format_list([frame for frame in frames if not frame.filename.startswith(_OURS)][-2:]))


#: What tracebacks call this package, and what imports a client.
_OURS = (str(Path(__file__).parents[1]), str(Path(importlib.__file__).parent), "<frozen importlib")


def _load(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    if not module or not function or module.endswith(".py") or "/" in module:
        raise ValueError(f"client must be module:function, for a file module.py in this folder, got {name!r}")
    client = importlib.import_module(module)
    for part in function.split("."):
        client = getattr(client, part)
    return client  # type: ignore[return-value]


def _literal(text: str) -> Any:
    if text in ("true", "false"):  # as text both would be true
        return text == "true"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text.removeprefix(" ") if text.startswith(" -") else text


def _counted(client: Callable[..., Any], total: int) -> Callable[..., Any]:
    """Say on a terminal how far the runs are."""
    if not sys.stderr.isatty():
        return client
    done = 0

    def counted(value: Any, rng: Any) -> Any:
        nonlocal done
        done += 1
        if done % max(1, total // 100) == 0:
            print(f"\r{done / total:4.0%} of {total:,} runs", end="\n" if done == total else "", file=sys.stderr)
        return client(value, rng)

    return counted


if __name__ == "__main__":
    sys.exit(main())
