"""Tables in, honest error bars out: the scikit-learn estimator, and model files that need no scikit-learn."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wdrop.estimators.model import TableModel
    from wdrop.estimators.model_file import ModelFileError, load_model, save_model
    from wdrop.estimators.regressor import Regressor

__all__ = ["ModelFileError", "Regressor", "TableModel", "load_model", "save_model"]

# scikit-learn takes a second to load, which predicting from a file can do without.
_HOME = {
    "ModelFileError": "wdrop.estimators.model_file",
    "Regressor": "wdrop.estimators.regressor",
    "TableModel": "wdrop.estimators.model",
    "load_model": "wdrop.estimators.model_file",
    "save_model": "wdrop.estimators.model_file",
}


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'wdrop.estimators' has no attribute {name!r}")
