"""Honest error bars for regression networks.

A method is fitted to points and gives a predictor. A predictor turns inputs into a prediction. A measure reads a
prediction and the truth and gives a number.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from wdrop._version import __version__

if TYPE_CHECKING:
    from wdrop import measures
    from wdrop.estimators import Regressor, load_model
    from wdrop.export import export_onnx
    from wdrop.losses.closed_form import closed_form_loss
    from wdrop.losses.wasserstein import wasserstein_dropout_loss
    from wdrop.measures import evaluate
    from wdrop.methods import METHODS
    from wdrop.moments import predict, sample
    from wdrop.nets.draws import draw
    from wdrop.nets.wasserstein_head import WassersteinHead
    from wdrop.prediction import Points, Prediction, Predictor

__all__ = [
    "METHODS",
    "Points",
    "Prediction",
    "Predictor",
    "Regressor",
    "WassersteinHead",
    "__version__",
    "closed_form_loss",
    "draw",
    "evaluate",
    "export_onnx",
    "load_model",
    "measures",
    "predict",
    "sample",
    "wasserstein_dropout_loss",
]

# Nothing heavy is imported until a name is used: `import wdrop` costs nothing, `wdrop.evaluate` needs no torch.
_HOME = {
    "METHODS": "wdrop.methods",
    "Points": "wdrop.prediction",
    "Prediction": "wdrop.prediction",
    "Predictor": "wdrop.prediction",
    "Regressor": "wdrop.estimators.regressor",
    "WassersteinHead": "wdrop.nets.wasserstein_head",
    "closed_form_loss": "wdrop.losses.closed_form",
    "draw": "wdrop.nets.draws",
    "evaluate": "wdrop.measures",
    "export_onnx": "wdrop.export",
    "load_model": "wdrop.estimators.model_file",
    "predict": "wdrop.moments",
    "sample": "wdrop.moments",
    "wasserstein_dropout_loss": "wdrop.losses.wasserstein",
}


def __getattr__(name: str) -> object:
    if name == "measures":
        return import_module("wdrop.measures")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'wdrop' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
