"""The masks of fixed draws, taken down as factors on units."""

import torch
from torch import Generator, Tensor, nn

from wdrop._random import seed_from
from wdrop.moments.forward import in_eval_mode
from wdrop.nets.concrete import ConcreteDropout, relaxed_mask
from wdrop.nets.draws import DrawMasks
from wdrop.nets.dropout import dropout_modules, replaced_dropout


class _TakenDown:
    """Masks that remember what they gave, call by call, as the factors that units were multiplied with."""

    def __init__(self, masks: DrawMasks, net: nn.Module) -> None:
        self.masks = masks
        self.modules = dropout_modules(net)
        self.factors: dict[str, list[Tensor]] = {}

    def keep(self, call: str, h: Tensor, shape: tuple[int, ...], p: float) -> Tensor:
        keep = self.masks.keep(call, h, shape, p)
        self.factors.setdefault(call, []).append(keep / (1 - p))
        return keep

    def uniform(self, call: str, h: Tensor, shape: tuple[int, ...]) -> Tensor:
        u = self.masks.uniform(call, h, shape)
        module = self.modules[call.partition("#")[0]]
        assert isinstance(module, ConcreteDropout)
        self.factors.setdefault(call, []).append(relaxed_mask(module.p, u) / (1 - module.p))
        return u


@torch.no_grad()
def mask_factors(net: nn.Module, n_draws: int, stream: Generator, *, n_features: int) -> list[Tensor]:
    """For each call of a dropout module, in order: what `sample` would multiply units with, (s, 1, w)."""
    masks = DrawMasks(seed_from(stream), 1)
    masks.expected_rows = 1
    taken = _TakenDown(masks, net)
    parameter = next(net.parameters())
    row = torch.zeros(1, n_features, dtype=parameter.dtype, device=parameter.device)
    with in_eval_mode(net), replaced_dropout(net, taken):
        for _ in range(n_draws):
            net(row)
    return [torch.stack(factors) for factors in taken.factors.values()]
