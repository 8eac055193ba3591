"""Mean and std of any network with dropout by the delta method: one pass, and one backward pass per target.

A mask enters the network as numbers k with mean 1 - p and variance p (1 - p), one for each unit (or channel). To first
order

    mean = f(E[k])          Var = Σ over all masks of p (1 - p) (∂f/∂k)²

and since k/(1 - p) multiplies a unit h, this is Σ p/(1 - p) (∂f/∂h · h)². What is nonlinear behind a dropout, such as a
ReLU that some masks switch off, is not seen.
"""

from collections.abc import Collection

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import all_finite, at_least
from wdrop.moments.chain import title
from wdrop.moments.forward import in_eval_mode
from wdrop.nets.draws import check_rows, checked_output, watched
from wdrop.nets.dropout import dropout_modules, replaced_dropout
from wdrop.prediction import Prediction

_NUMBERS_IN_FLIGHT = 2**18  # of the input: pictures go in smaller chunks than rows of a table
_MAX_ROWS = 4096


def linearised_moments(
    net: nn.Module,
    x: Tensor,
    n_samples: int = 0,
    *,
    generator: Generator | None = None,
    layers: Collection[str] | str | None = None,
    chunk_size: int | None = None,
) -> Prediction:
    """Mean and std to first order, for any differentiable network whose dropout is made of modules: (n, d).

    Nothing is drawn, so n_samples and generator are not used. Everything but dropout is in eval mode; modes, and
    gradients that the network holds, stay as they are. `chunk_size` is the number of rows in flight.
    """
    check_rows(x)
    all_finite(x=x)
    _check(net, layers)
    if chunk_size is None:
        chunk_size = max(1, min(_MAX_ROWS, _NUMBERS_IN_FLIGHT // max(1, x[0].numel())))
    at_least(1, chunk_size=chunk_size)
    parts = [_linearised(net, rows, layers) for rows in x.split(chunk_size)]
    mean, std = (torch.cat(part) for part in zip(*parts, strict=True))
    return Prediction(mean, std)


def _check(net: nn.Module, layers: Collection[str] | str | None) -> None:
    """Refuse drop rates outside [0, 1) and weights that are not finite, by name."""
    for name, module in dropout_modules(net, layers).items():
        p = module.p
        if isinstance(p, float | int) and not 0 <= p < 1:
            raise ValueError(f"{title(name, module)} has a drop rate of {p}; expected one in [0, 1)")
    for name, parameter in net.named_parameters():
        all_finite(**{name: parameter})


class _MeanMasks:
    """Every mask at its mean, as a number that the network can be differentiated by."""

    def __init__(self) -> None:
        self.masks: list[Tensor] = []
        self.rates: list[float] = []

    def keep(self, call: str, h: Tensor, shape: tuple[int, ...], p: float) -> Tensor:
        mask = torch.full((len(h), *shape), 1 - p, dtype=h.dtype, device=h.device, requires_grad=True)
        self.masks.append(mask)
        self.rates.append(p)
        return mask

    def uniform(self, call: str, h: Tensor, shape: tuple[int, ...]) -> Tensor:
        name = call.partition("#")[0]
        raise ValueError(
            f'ConcreteDropout {name!r} cannot be linearised: its masks are too far from linear; use how="samples"'
        )


def _linearised(net: nn.Module, x: Tensor, layers: Collection[str] | str | None) -> tuple[Tensor, Tensor]:
    masks = _MeanMasks()
    # copies, lest a tensor made in inference mode be asked for gradients
    with torch.inference_mode(False), torch.enable_grad():
        with in_eval_mode(net), replaced_dropout(net, masks, layers), watched(net):
            out = checked_output(net(x.detach().clone()), len(x))
        flat = out.flatten(1)
        variance = torch.stack([_variance(flat[:, j], masks) for j in range(flat.shape[1])], 1)
    return out.detach(), variance.sqrt().view_as(out)


def _variance(output: Tensor, masks: _MeanMasks) -> Tensor:
    """The variance of one target at each row, (n,); rows do not touch each other, so their sum serves them all."""
    if not output.requires_grad:  # no mask reaches it
        return torch.zeros_like(output)
    slopes = torch.autograd.grad(output.sum(), masks.masks, retain_graph=True, allow_unused=True)
    total = torch.zeros_like(output.detach())
    for slope, p in zip(slopes, masks.rates, strict=True):
        if slope is not None:
            total += p * (1 - p) * slope.square().flatten(1).sum(1)
    return total
