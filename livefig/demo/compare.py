"""Bytes of the demonstration's first figure by other means: needs plotly, holoviews and bokeh; python compare.py."""

import gzip
import os
import tempfile
from pathlib import Path

import numpy as np

DICE, FACES = range(1, 9), (2, 4, 6)


def law(dice, faces):
    """Probabilities of the sum."""
    one = total = np.full(faces, 1 / faces)
    for _ in range(dice - 1):
        total = np.convolve(total, one)
    return total


def say(name, content):
    """Print sizes."""
    print(f"{name:<32} {len(content) / 1000:8,.0f} kB {len(gzip.compress(content)) / 1000:8,.0f} kB gzipped")


def by_livefig():
    """Figure, script and style, as any page can hold them."""
    os.environ["LIVEFIG_STATIC"] = "1"
    from livefig import bars, choice, live, slider
    from livefig.page import script
    from livefig.widget import styles

    def draw(dice, faces):
        sums = np.arange(dice, dice * faces + 1)
        return bars(sums, 100 * law(dice, faces), x="sum", y="probability, %", title=f"{dice} dice", size=(6, 3))

    figure = live(draw, label="The sum of some dice", dice=slider(1, 8), faces=choice(*FACES)).html
    say("livefig, figure", figure.encode())
    say("livefig, script and style", (script() + styles()).encode())


def by_plotly():
    """One slider over eight frames of six faces."""
    import plotly.graph_objects as go

    frames = [go.Frame(data=[go.Bar(x=np.arange(d, 6 * d + 1), y=100 * law(d, 6))], name=str(d)) for d in DICE]
    steps = [{"method": "animate", "args": [[f.name], {"mode": "immediate"}], "label": f.name} for f in frames]
    figure = go.Figure(data=frames[0].data, frames=frames, layout={"sliders": [{"steps": steps}]})
    say("Plotly, eight frames", figure.to_html(include_plotlyjs=False).encode())
    say("Plotly, with its library", figure.to_html(include_plotlyjs=True).encode())


def by_holoviews():
    """All 24 pictures by Bokeh."""
    import holoviews as hv

    hv.extension("bokeh")
    pictures = {(d, f): hv.Bars(list(zip(range(d, d * f + 1), law(d, f), strict=True))) for d in DICE for f in FACES}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "map.html"
        hv.save(hv.HoloMap(pictures, kdims=["dice", "faces"]), file, backend="bokeh", fmt="widgets", resources="inline")
        say("HoloViews, Bokeh inline", file.read_bytes())


if __name__ == "__main__":
    by_livefig()
    by_plotly()
    by_holoviews()
