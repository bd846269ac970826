import matplotlib.pyplot as plt
import pytest

from livefig import controls, looks
from livefig.looks import Look

#: What a book would register: two methods, whom one trusts, and what is true.
KNOWN = {
    "truth": Look("truth"),
    "DE": Look("report", "-", "o"),
    "THE": Look("risk", "-.", "^"),
    "local": Look("estimate", "-", "o"),
    "shuffled": Look("report", "-.", "s"),
    "curator": Look("neutral", "--", "^"),
}


@pytest.fixture(autouse=True)
def known(monkeypatch):
    """What is registered in every test, whatever else this process has imported."""
    monkeypatch.setattr(looks, "_KNOWN", {})
    monkeypatch.setattr(looks, "_ALIASES", {})
    monkeypatch.setattr(controls, "_MEANINGS", {})
    looks.register_looks(KNOWN, {"GRR": "DE", "direct encoding": "DE"})
    controls.register_meaning("ε", lambda epsilon: f"{epsilon:.3g} in words", ("less", "more"), unless="delta")
    return KNOWN


@pytest.fixture
def line():
    """A drawing function that counts its calls."""

    def draw(epsilon, d=4):
        draw.calls.append((epsilon, d))
        fig, ax = plt.subplots()
        ax.plot([0, 1, 2], [0, epsilon, d], label="truth")
        ax.set(xlabel="users", ylabel="error", title=f"ε = {epsilon:.3g}")
        return fig

    draw.calls = []
    return draw


@pytest.fixture
def static(monkeypatch):
    monkeypatch.setenv("LIVEFIG_STATIC", "1")


@pytest.fixture
def kernel(monkeypatch):
    monkeypatch.delenv("LIVEFIG_STATIC", raising=False)
