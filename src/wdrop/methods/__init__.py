"""Methods by name. A method is fitted to points and gives a predictor."""

from wdrop.methods.mc_dropout import MCDropout
from wdrop.methods.mc_dropout_last_layer import MCDropoutLastLayer
from wdrop.methods.method import Method
from wdrop.methods.scaled import Scaled
from wdrop.methods.w_dropout import WDropout

__all__ = ["METHODS", "MCDropout", "MCDropoutLastLayer", "Method", "Scaled", "WDropout"]

METHODS: dict[str, type[Method]] = {
    "w_dropout": WDropout,
    "mc_dropout": MCDropout,
    "mc_dropout_last_layer": MCDropoutLastLayer,
}
