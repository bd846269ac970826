import matplotlib.pyplot as plt
import pytest


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
