"""What all figures share: their look, and how they are written."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from types import MappingProxyType
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

INK, MUTED, DATA, TRUTH = "#1f2933", "#8a94a0", "#3b7dd8", "#2b8a3e"

METHOD_COLOURS = MappingProxyType(
    {
        "w_dropout": "#d9480f",
        "w_dropout_closed": "#a61e4d",
        "w_dropout_last_layer": "#f08c00",
        "mc_dropout": "#7048a8",
        "mc_dropout_last_layer": "#a98bd0",
        "concrete_dropout": "#c2255c",
        "swag": "#0b7285",
        "deep_ensemble": "#1c7ed6",
        "pu": "#5c940d",
        "pu_evidential": "#94a80d",
        "pu_ensemble": "#2b8a3e",
        "pu_mc": "#74a57f",
    }
)
METHOD_TITLES = MappingProxyType(
    {
        "w_dropout": "Wasserstein dropout",
        "w_dropout_closed": "Wasserstein dropout, closed form",
        "w_dropout_last_layer": "Wasserstein dropout, last layer",
        "mc_dropout": "MC dropout",
        "mc_dropout_last_layer": "MC dropout, last layer",
        "concrete_dropout": "concrete dropout",
        "swag": "SWAG",
        "deep_ensemble": "deep ensemble",
        "pu": "parametric (PU)",
        "pu_evidential": "evidential (PU-EV)",
        "pu_ensemble": "PU ensemble (PU-DE)",
        "pu_mc": "PU with MC dropout",
    }
)
METHOD_LABELS = MappingProxyType(
    {
        "w_dropout": "W-dropout",
        "w_dropout_closed": "W-CF (ours)",
        "w_dropout_last_layer": "W-LL (ours)",
        "mc_dropout": "MC",
        "mc_dropout_last_layer": "MC-LL",
        "concrete_dropout": "CON-MC",
        "swag": "SWAG",
        "deep_ensemble": "DE",
        "pu": "PU",
        "pu_evidential": "PU-EV",
        "pu_ensemble": "PU-DE",
        "pu_mc": "PU-MC",
    }
)
"""As the paper writes them, for narrow columns."""

_LOOK: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: figures look alike everywhere
    "font.size": 9,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.edgecolor": "#b6bec7",
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "legend.frameon": False,
    "svg.hashsalt": "wdrop",  # equal figures are equal files
}


@contextmanager
def look() -> Iterator[None]:
    """The style in which our figures are drawn."""
    with mpl.rc_context(_LOOK):
        yield


def png(figure: Figure, dpi: int = 160) -> bytes:
    """The figure as a PNG file."""
    return _saved(figure, format="png", dpi=dpi, metadata={"Software": None})


def jpeg(figure: Figure, dpi: int = 160) -> bytes:
    """The figure as a JPEG file, for what is made of photographs."""
    return _saved(figure, format="jpeg", dpi=dpi, pil_kwargs={"quality": 88})


def svg(figure: Figure) -> bytes:
    """The figure as an SVG file; what is dense in it is a picture within."""
    return _saved(figure, format="svg", dpi=160, metadata={"Date": None})


def _saved(figure: Figure, **options: Any) -> bytes:
    buffer = BytesIO()
    with look():
        figure.savefig(buffer, bbox_inches="tight", **options)
    return buffer.getvalue()


def data_uri(picture: bytes) -> str:
    """A PNG or JPEG as a link that holds the picture itself."""
    kind = "jpeg" if picture.startswith(b"\xff\xd8") else "png"
    return f"data:image/{kind};base64," + base64.b64encode(picture).decode()


def spans_magnitudes(low: float, high: float) -> bool:
    """Whether scores from `low` to `high` are told apart on a logarithmic scale only."""
    return 0 < 20 * low < high
