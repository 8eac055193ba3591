"""Methods by name. A method is fitted to points and gives a predictor."""

from wdrop.methods.concrete_dropout import ConcreteDropoutMethod
from wdrop.methods.cross_fitted import CrossFitted
from wdrop.methods.deep_ensemble import DeepEnsemble
from wdrop.methods.mc_dropout import MCDropout
from wdrop.methods.mc_dropout_last_layer import MCDropoutLastLayer
from wdrop.methods.method import Method
from wdrop.methods.pu import PU
from wdrop.methods.pu_ensemble import PUEnsemble
from wdrop.methods.pu_evidential import PUEvidential
from wdrop.methods.pu_mc import PUMC
from wdrop.methods.scaled import Scaled
from wdrop.methods.split_calibrated import SplitCalibrated
from wdrop.methods.swag import SWAG
from wdrop.methods.w_dropout import WDropout
from wdrop.methods.w_dropout_closed import WDropoutClosed
from wdrop.methods.w_dropout_last_layer import WDropoutLastLayer

__all__ = [
    "METHODS",
    "PU",
    "PUMC",
    "SWAG",
    "ConcreteDropoutMethod",
    "CrossFitted",
    "DeepEnsemble",
    "MCDropout",
    "MCDropoutLastLayer",
    "Method",
    "PUEnsemble",
    "PUEvidential",
    "Scaled",
    "SplitCalibrated",
    "WDropout",
    "WDropoutClosed",
    "WDropoutLastLayer",
]

METHODS: dict[str, type[Method]] = {
    "w_dropout": WDropout,
    "w_dropout_closed": WDropoutClosed,
    "w_dropout_last_layer": WDropoutLastLayer,
    "mc_dropout": MCDropout,
    "mc_dropout_last_layer": MCDropoutLastLayer,
    "concrete_dropout": ConcreteDropoutMethod,
    "swag": SWAG,
    "deep_ensemble": DeepEnsemble,
    "pu": PU,
    "pu_evidential": PUEvidential,
    "pu_ensemble": PUEnsemble,
    "pu_mc": PUMC,
}
