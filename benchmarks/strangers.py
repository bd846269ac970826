"""Do public packages keep the ε that they promise? Each client is run and put to the test, as anybody could.

For each client that is installed, at each ε: the lower confidence bound of ``ldp_core.audit.lower_bound`` from ``--n``
reports on each input, with real numbers rounded to six decimals and as they are, beside the exact ε where the client's
code lets one read it off; and what the client does with an ε of 0, −1 or NaN and with a value that is not in its
domain. Bounds hold together with 99 %: each with a confidence of 1 − 0.01 divided by their number.

Reports are audited as a client returns them. multi-freq-ldpy's subset selection returns an array with the true value,
if it is there, in the first place; a second row takes the same array as a set, in which places are gone.

Some clients only: none that hashes, samples an attribute, asks every day or adds Gaussian noise. What is not installed
is left out. With an older version of pure-LDP in a folder of its own (``pip download --no-deps
pure-ldp==1.1.2`` and ``unzip``) ``--older FOLDER`` adds its unary encoding. OpenDP's are asked for a probability or a
scale, not for an ε, so there is no bad ε to try.

    pip install pure-ldp multi-freq-ldpy diffprivlib opendp   # in an environment of its own: they pin old libraries
    python -m benchmarks.strangers [--n 100000] [--older FOLDER] [--save]
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import _harness
from ldp_core.audit import exact_epsilon, lower_bound
from ldp_core.frequency import DirectEncoding, OptimizedUnary, SymmetricUnary

D, EPSILONS = 4, (0.5, 1.0, 3.0)


class Stranger(NamedTuple):
    """A client of a public package."""

    package: str
    version: str
    name: str
    #: From an ε to a callable that takes a value and returns a report.
    make: Callable[[float], Callable[[Any], Any]]
    #: Values to try, and one outside the domain.
    inputs: tuple[Any, ...]
    outside: Any
    #: Exact ε of what its code says, where that can be read off.
    exact: Callable[[float], float] | None = None


def never_cleared(epsilon: float) -> float:
    """Exact ε of optimized unary encoding whose own bit is never cleared."""
    p, q = 0.5, 1 / (math.exp(epsilon) + 1)
    kept = p + (1 - p) * q
    return math.log(kept * (1 - q) / ((1 - kept) * q))


def true_value_first(epsilon: float) -> float:
    """Exact ε of sets as large as multi-freq-ldpy's, the true value first: (1, 3) never comes from 3."""
    return math.inf if round(D / (math.exp(epsilon) + 1)) > 1 else epsilon


def of_oracle(oracle: type) -> Callable[[float], float]:
    """Exact ε of a client whose code agrees with ours."""
    return lambda epsilon: exact_epsilon(oracle(epsilon, D).channel())


def strangers(older: str) -> Iterator[Stranger]:
    """Give all clients that are installed."""
    values = (0, 1, 3)
    if version := _installed("pure-ldp"):
        from pure_ldp.frequency_oracles.direct_encoding.de_client import DEClient
        from pure_ldp.frequency_oracles.histogram_encoding.he_client import HEClient
        from pure_ldp.frequency_oracles.unary_encoding.ue_client import UEClient

        same = {"index_mapper": lambda value: value}
        clients: list[tuple[str, str, Any, Any]] = [
            (version, "DEClient", lambda e: DEClient(e, D, **same), of_oracle(DirectEncoding)),
            (version, "UEClient", lambda e: UEClient(e, D, **same), of_oracle(SymmetricUnary)),
            (version, "UEClient(use_oue)", lambda e: UEClient(e, D, use_oue=True, **same), of_oracle(OptimizedUnary)),
            (version, "HEClient", lambda e: HEClient(e, D, **same), float),
        ]
        if older:
            old = _module(Path(older) / "pure_ldp/frequency_oracles/unary_encoding/ue_client.py").UEClient
            label = (
                next(Path(older).glob("pure_ldp-*.dist-info")).name.removesuffix(".dist-info").removeprefix("pure_ldp-")
            )
            clients.append((label, "UEClient(use_oue)", lambda e: old(e, D, use_oue=True, **same), never_cleared))
        for of, name, make, exact in clients:
            yield Stranger("pure-LDP", of, name, lambda e, m=make: m(e).privatise, values, D, exact)
    if version := _installed("multi-freq-ldpy"):
        from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
        from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Client
        from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Client

        several: list[tuple[str, Any, Any]] = [
            ("GRR_Client", lambda e: lambda v: GRR_Client(v, D, e), of_oracle(DirectEncoding)),
            ("UE_Client(optimal)", lambda e: lambda v: UE_Client(v, D, e, True), of_oracle(OptimizedUnary)),
            ("UE_Client", lambda e: lambda v: UE_Client(v, D, e, False), of_oracle(SymmetricUnary)),
            ("SS_Client", lambda e: lambda v: SS_Client(v, D, e), true_value_first),
            ("SS_Client, as a set", lambda e: lambda v: set(map(int, SS_Client(v, D, e))), float),
        ]
        for name, make, exact in several:
            yield Stranger("multi-freq-ldpy", version, name, make, values, D, exact)
    if version := _installed("diffprivlib"):
        from diffprivlib import mechanisms as m

        laplace = {"sensitivity": 1, "lower": 0, "upper": 1}
        singles: list[tuple[str, Any, tuple[Any, ...], Any, Any]] = [
            ("Binary", lambda e: m.Binary(epsilon=e, value0="0", value1="1").randomise, ("0", "1"), "2", float),
            ("Laplace", lambda e: m.Laplace(epsilon=e, sensitivity=1).randomise, (0, 1), "2", float),
            ("LaplaceTruncated", lambda e: m.LaplaceTruncated(epsilon=e, **laplace).randomise, (0, 1), "2", float),
            ("Snapping", lambda e: m.Snapping(epsilon=e, **laplace).randomise, (0, 1), "2", None),
            ("Geometric", lambda e: m.Geometric(epsilon=e, sensitivity=1).randomise, (0, 1), "2", float),
            ("Staircase", lambda e: m.Staircase(epsilon=e, sensitivity=1).randomise, (0, 1), "2", float),
        ]
        for name, make, inputs, outside, exact in singles:
            yield Stranger("diffprivlib", version, name, make, inputs, outside, exact)
    if version := _installed("opendp"):
        import opendp.prelude as dp

        dp.enable_features("contrib")

        def response(e: float) -> Callable[[Any], Any]:
            return dp.m.make_randomized_response_bool(1 / (1 + math.exp(-e)))

        yield Stranger("OpenDP", version, "make_randomized_response_bool", response, (False, True), 2, float)
        for kind, domain in ((int, dp.atom_domain(T=int)), (float, dp.atom_domain(T=float, nan=False))):
            space = (domain, dp.absolute_distance(T=kind))
            yield Stranger(
                "OpenDP",
                version,
                f"make_laplace({kind.__name__})",
                lambda e, space=space: dp.m.make_laplace(*space, 1 / e),
                (kind(0), kind(1)),
                "2",
                float,
            )


def rounded(report: Any) -> Any:
    """Round real numbers: their last digits tell more than their noise was meant to."""
    return np.round(report, 6) if np.asarray(report).dtype.kind == "f" else report


def outcome(call: Callable[[], Any]) -> str:
    """Say what becomes of a bad argument: the name of the error, or "accepted"."""
    try:
        call()
    except Exception as error:  # whatever a stranger raises is the finding
        return type(error).__name__
    return "accepted"


def measure(n: int = 100_000, older: str = "") -> dict[str, Any]:
    """Audit all, and try what they refuse."""
    rows, clients = [], list(strangers(older))
    confidence = 1 - 0.01 / max(1, 2 * len(clients) * len(EPSILONS))
    for stranger in clients:
        for epsilon in EPSILONS:
            report = stranger.make(epsilon)
            bounds = {}
            for key, client in (
                ("bound", lambda value, _, r=report: rounded(r(value))),
                ("all_digits", lambda value, _, r=report: r(value)),
            ):
                np.random.seed(1)  # noqa: NPY002 - the source of coins of most of them
                bounds[key] = lower_bound(client, stranger.inputs, n, confidence=confidence, rng=1).epsilon
            exact = stranger.exact(epsilon) if stranger.exact else None
            rows.append({**_name(stranger), "epsilon": epsilon, **bounds, "exact": exact})
    refusals = [
        {
            **_name(stranger),
            **{
                label: outcome(lambda e=e, s=stranger: s.make(e)(s.inputs[0]))
                for label, e in (("zero", 0.0), ("minus one", -1.0), ("NaN", math.nan))
            },
            "outside": outcome(lambda s=stranger: s.make(1.0)(s.outside)),
        }
        for stranger in clients
        if stranger.package != "OpenDP"
    ]
    return {"n": n, "d": D, "confidence": 0.99, **_harness.machine("numpy"), "rows": rows, "refusals": refusals}


def show(result: dict[str, Any]) -> None:
    """Print bounds, and what is refused."""
    print(f"{result['n']:,} reports on each input, d = {result['d']}; all bounds together hold with 99 %")
    for row in result["rows"]:
        exact = "?" if row["exact"] is None else f"{row['exact']:.3f}"
        broken = "  BROKEN" if row["bound"] > row["epsilon"] else ""
        if row["all_digits"] > row["epsilon"]:
            broken += f"  by all digits at least {row['all_digits']:.3f}"
        name = f"{row['package']} {row['version']} {row['client']}"
        print(f"{name:55} ε = {row['epsilon']:<4g} at least {row['bound']:.3f}, exact {exact}{broken}")
    for row in result["refusals"]:
        told = ", ".join(f"{label}: {row[label]}" for label in ("zero", "minus one", "NaN", "outside"))
        print(f"{row['package']} {row['version']} {row['client']}: {told}")


def _name(stranger: Stranger) -> dict[str, str]:
    return {"package": stranger.package, "version": stranger.version, "client": stranger.name}


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"older_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    _harness.main(__doc__, "strangers", measure, show)
