"""Predictors in a graph: each kind in the formulas of its own `predict`."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from wdrop._random import generator_for, seed_from
from wdrop.calibration import AddedNoise, RobustAddedNoise
from wdrop.export.deterministic import FixedDraws, OnePass, copy_of
from wdrop.export.graphs import Value
from wdrop.export.layers import answers, forward
from wdrop.export.networks import HeadPredictor
from wdrop.export.one_pass import Told, moments
from wdrop.export.sub_networks import mask_factors
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
from wdrop.moments.chain import chain_of
from wdrop.nets.heads import VARIANCE_FLOOR
from wdrop.nets.stacked import Stack
from wdrop.nets.wasserstein_head import WassersteinHead
from wdrop.prediction import Prediction, Predictor


def told(predictor: Predictor, x: Value, n_targets: int) -> Told:
    """Mean and std of a predictor that draws nothing, at every row of x."""
    if isinstance(predictor, CVPlusPredictor):
        raise ValueError(
            'calibration "cv_plus" asks all training points at each new one, which is no graph; '
            'fit with "scale", "robust_scale", "quantile_scale", "isotonic" or "conformal"'
        )
    if type(predictor) not in _KINDS:
        names = ", ".join(kind.__name__ for kind in _KINDS)
        raise TypeError(f"{type(predictor).__name__} cannot be written as a graph; known: {names}")
    return _KINDS[type(predictor)](predictor, x, n_targets)


def _scaled(predictor: ScaledPredictor, x: Value, n_targets: int) -> Told:
    scaler = predictor.scaler
    inner = told(predictor.predictor, _minus(x, scaler.x_mean) / scaler.x_std, n_targets)
    mean, std = (value.to(x.kind) for value in inner)
    return Told(mean * scaler.y_std + scaler.y_mean, std * scaler.y_std)


def _minus(x: Value, mean: Tensor) -> Value:
    """The difference, to the last digit of x: what a constant in single precision lacks is taken off after it."""
    exact = mean.detach().cpu().double().numpy()
    rounded = exact.astype(x.kind)
    lacking = exact - rounded
    return x - rounded - lacking if lacking.any() else x - rounded


def _calibrated(predictor: CalibratedPredictor, x: Value, n_targets: int) -> Told:
    mean, std = told(predictor.predictor, x, n_targets)
    calibration = predictor.calibration
    if isinstance(calibration, AddedNoise | RobustAddedNoise):
        return Told(mean, ((std * calibration.scale).square() + calibration.noise.square()).sqrt())
    # the others stretch std and move mean by a multiple of it: what they make of N(0, 1) says by how much
    unit = Prediction(torch.zeros(1, n_targets, dtype=torch.float64), torch.ones(1, n_targets, dtype=torch.float64))
    made = calibration.apply(unit)
    return Told(mean + std * made.mean[0], std * made.std[0])


def _precision(predictor: PrecisionPredictor, x: Value, n_targets: int) -> Told:
    return told(predictor.predictor, x.to(str(predictor.like.dtype).removeprefix("torch.")), n_targets)


def _pooled(predictor: PooledPredictor, x: Value, n_targets: int) -> Told:
    each = [told(member, x, n_targets) for member in predictor.members]
    means, stds = _stacked([mean for mean, _ in each]), _stacked([std for _, std in each])
    variance = stds.square().mean(0)
    if predictor.disagreement:
        variance = variance + _variance(means, 1, len(each))
    return Told(means.mean(0), variance.sqrt())


def _closed(predictor: ClosedFormPredictor | LastLayerPredictor, x: Value, n_targets: int) -> Told:
    return moments(chain_of(predictor.net), x)


def _one_pass(predictor: OnePass, x: Value, n_targets: int) -> Told:
    mean, std = moments(chain_of(predictor.net), x)
    return Told(mean, std if predictor.added_variance == 0 else (std.square() + predictor.added_variance).sqrt())


def _head(predictor: HeadPredictor, x: Value, n_targets: int) -> Told:
    *body, head = predictor.net.children()
    assert isinstance(head, WassersteinHead)
    h = forward(nn.Sequential(*body), x)
    weight, bias = head.linear.weight.T, head.linear.bias
    return Told(h @ weight + bias, (h.square() @ (weight.square() * (head.p / (1 - head.p)))).sqrt())


def _ensemble(predictor: EnsemblePredictor, x: Value, n_targets: int) -> Told:
    samples = _stacked([forward(member, x) for member in predictor.members])
    return Told(samples.mean(0), _variance(samples, 1, len(predictor.members)).sqrt())


def _parametric(predictor: ParametricPredictor, x: Value, n_targets: int) -> Told:
    mean, variance = _gaussian(forward(predictor.net, x), predictor.as_published)
    return Told(mean, variance.sqrt())


def _mixture(predictor: MixturePredictor, x: Value, n_targets: int) -> Told:
    raw = _stacked([forward(member, x) for member in predictor.members])
    means, variances = _gaussian(raw, predictor.as_published)
    return Told(means.mean(0), (variances.mean(0) + _variance(means, 0)).sqrt())


def _evidential(predictor: EvidentialPredictor, x: Value, n_targets: int) -> Told:
    gamma, nu, alpha, beta = forward(predictor.net, x).chunks(4)
    # added up in the order of `evidential_head`: alpha lies so near 1 that rounding tells
    nu, alpha, beta = (part.apply("Softplus") for part in (nu, alpha, beta))
    nu, alpha, beta = nu + 1e-6, alpha + 1.0 + 1e-6, beta + 1e-6
    noise = beta / (alpha - 1.0)
    return Told(gamma, (noise + beta / (nu * (alpha - 1.0))).sqrt())


def _fixed_draws(predictor: FixedDraws, x: Value, n_targets: int) -> Told:
    inner, stream = predictor.predictor, copy_of(predictor.stream)
    n = inner.n_samples
    if isinstance(inner, SWAGPredictor):
        networks = inner.shape.with_weights(inner.weights.draw(n, generator_for(seed_from(stream))))
        samples = answers(networks, x)
        return Told(samples.mean(0), _variance(samples, 0).sqrt())
    if isinstance(inner, SampledPredictor):
        samples = _sub_networks(inner.net, n, stream, x)
        return Told(samples.mean(0), (_variance(samples, 1, n) + inner.added_variance).sqrt())
    assert isinstance(inner, SampledMixturePredictor)
    # its masks are named by a number of its own, out of which `sample` draws another
    raw = _sub_networks(inner.net, n, generator_for(seed_from(stream)), x)
    means, variances = _gaussian(raw, inner.as_published)
    return Told(means.mean(0), (variances.mean(0) + _variance(means, 1, n)).sqrt())


def _sub_networks(net: nn.Module, n: int, stream: torch.Generator, x: Value) -> Value:
    return forward(net, x, mask_factors(net, n, stream, n_features=n_features_of(net)))


def _gaussian(raw: Value, as_published: bool) -> tuple[Value, Value]:
    """What `mean_and_variance` says."""
    mean, z = raw.chunks(2)
    spread = z.apply("Softplus")
    return mean, spread.square().square() + 5e-11 if as_published else spread + VARIANCE_FLOOR


def _stacked(values: Sequence[Value]) -> Value:
    first, *others = [value.unsqueezed(0) for value in values]
    return first.joined(others, 0)


def _variance(samples: Value, correction: int, n: int = 0) -> Value:
    """Over the first axis; `correction` 1 divides by n - 1."""
    squares = (samples - samples.mean(0)).square()
    return squares.sum(0) / (n - 1.0) if correction else squares.mean(0)


_KINDS: dict[type[Predictor], Callable[[Any, Value, int], Told]] = {
    ScaledPredictor: _scaled,
    PrecisionPredictor: _precision,
    CalibratedPredictor: _calibrated,
    PooledPredictor: _pooled,
    ClosedFormPredictor: _closed,
    LastLayerPredictor: _closed,
    OnePass: _one_pass,
    HeadPredictor: _head,
    EnsemblePredictor: _ensemble,
    ParametricPredictor: _parametric,
    MixturePredictor: _mixture,
    EvidentialPredictor: _evidential,
    FixedDraws: _fixed_draws,
}


def n_features_of(part: object) -> int:
    """How many numbers a row has, by the first layer within."""
    if isinstance(part, Stack):
        return part.weights[0].shape[1]
    if isinstance(part, nn.Module):
        for module in part.modules():
            if isinstance(module, nn.Linear):
                return module.in_features
        raise ValueError(f"{type(part).__name__} has no linear layer that would tell how many features a row has")
    if isinstance(part, Sequence) and not isinstance(part, str | Tensor):
        return max((n_features_of(entry) for entry in part), default=0)
    fields = getattr(part, "__dataclass_fields__", {}) if isinstance(part, Predictor) else {}
    return max((n_features_of(getattr(part, name)) for name in fields), default=0)
