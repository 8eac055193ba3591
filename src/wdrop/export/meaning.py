"""What made a graph and what its std means, in words for its card."""

from wdrop.export.deterministic import FixedDraws, OnePass, has_learned_rates
from wdrop.export.networks import HeadPredictor
from wdrop.methods.calibrated import CalibratedPredictor, CVPlusPredictor, PooledPredictor
from wdrop.methods.deep_ensemble import EnsemblePredictor
from wdrop.methods.precision import PrecisionPredictor
from wdrop.methods.pu import ParametricPredictor
from wdrop.methods.pu_ensemble import MixturePredictor
from wdrop.methods.pu_evidential import EvidentialPredictor
from wdrop.methods.pu_mc import SampledMixturePredictor
from wdrop.methods.sampled import SampledPredictor
from wdrop.methods.scaled import ScaledPredictor
from wdrop.methods.swag import SWAGPredictor
from wdrop.methods.w_dropout_closed import ClosedFormPredictor
from wdrop.methods.w_dropout_last_layer import LastLayerPredictor
from wdrop.prediction import Predictor

_MEANING: dict[type[Predictor], str] = {
    ClosedFormPredictor: "what training in closed form made it: near the noise in the data, not the spread of draws",
    LastLayerPredictor: "exact std of all sub-networks under dropout before the last layer",
    OnePass: "std of all sub-networks under dropout, in closed form (Gaussian pre-activations, an approximation)",
    HeadPredictor: "the std that the network itself puts out",
    EnsemblePredictor: "disagreement of the members, without noise in the data",
    ParametricPredictor: "noise in the data, as the network puts it out",
    MixturePredictor: "noise in the data and disagreement of the members",
    EvidentialPredictor: "noise in the data and doubt about the mean, std of a Student-t",
}


_METHOD: dict[type[Predictor], str] = {
    ClosedFormPredictor: "w_dropout_closed",
    LastLayerPredictor: "w_dropout_last_layer",
    EnsemblePredictor: "deep_ensemble",
    ParametricPredictor: "pu",
    MixturePredictor: "pu_ensemble",
    EvidentialPredictor: "pu_evidential",
    SampledMixturePredictor: "pu_mc",
    SWAGPredictor: "swag",
}


def method_of(predictor: Predictor) -> str:
    """The method that makes such predictors, as far as the predictor tells; several draw sub-networks."""
    if isinstance(predictor, ScaledPredictor | PrecisionPredictor | CalibratedPredictor):
        return method_of(predictor.predictor)
    if isinstance(predictor, PooledPredictor | CVPlusPredictor):
        return method_of(predictor.members[0])
    if isinstance(predictor, SampledPredictor):
        return "concrete_dropout" if has_learned_rates(predictor.net) else "dropout"
    return _METHOD.get(type(predictor), type(predictor).__name__)


def meaning_of_std(predictor: Predictor) -> str:
    """In words, of a predictor that draws nothing."""
    if isinstance(predictor, ScaledPredictor | PrecisionPredictor):
        return meaning_of_std(predictor.predictor)
    if isinstance(predictor, CalibratedPredictor):
        kind = type(predictor.calibration).__name__
        return f"{meaning_of_std(predictor.predictor)}; calibrated ({kind}) by residuals at points not trained on"
    if isinstance(predictor, PooledPredictor):
        spread = " and their disagreement" if predictor.disagreement else ""
        return f"mean of {len(predictor.members)} predictors{spread}, each: {meaning_of_std(predictor.members[0])}"
    if isinstance(predictor, FixedDraws):
        return _meaning_of_draws(predictor)
    return _MEANING.get(type(predictor), type(predictor).__name__)


def _meaning_of_draws(predictor: FixedDraws) -> str:
    inner = predictor.predictor
    n = f"{inner.n_samples} fixed"
    if isinstance(inner, SWAGPredictor):
        return f"spread of {n} networks drawn from a Gaussian over weights"
    if isinstance(inner, SampledMixturePredictor):
        return f"noise in the data and spread of {n} sub-networks"
    added = "" if inner.added_variance == 0 else f", and a constant variance of {inner.added_variance:g} (scaled units)"
    return f"spread of {n} sub-networks{added}"
