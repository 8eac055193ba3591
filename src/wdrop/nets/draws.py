"""Sub-networks of any `nn.Module`, many at once."""

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from weakref import WeakSet

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import at_least
from wdrop._random import generator_for, seed_from
from wdrop.nets.dropout import FunctionalDropoutGuard, replaced_dropout
from wdrop.nets.masks import keep_mask

_logger = logging.getLogger(__name__)


def draw(
    net: nn.Module,
    x: Tensor,
    n_draws: int,
    *,
    generator: Generator | None = None,
    layers: Collection[str] | str | None = None,
) -> Tensor:
    """Outputs of `n_draws` sub-networks, for training: (s, n, d).

    Gradients flow, every row of every draw has a mask of its own, and no mode is touched: dropout is always on
    here, while batch norm and all else do what their mode says. What lies before the first dropout is
    computed once for all draws. Where a module cannot be vectorised over draws (batch norm in training mode
    behind a dropout, say), the draws are ordinary passes one after another.

    generator  the stream of the masks; None draws from torch's global one
    layers     names of the dropout modules to use, e.g. only the last; None uses all
    """
    at_least(1, n_draws=n_draws)
    check_rows(x)
    masks = DrawMasks(seed_from(generator), n_draws, n_rows=len(x))
    with replaced_dropout(net, masks, layers), watched(net):
        return run_draws(net, x, masks)


def check_rows(x: object) -> None:
    """Refuse anything but a tensor with at least one row."""
    if not isinstance(x, Tensor):
        raise TypeError(f"expected x as one tensor (n, ...), got {type(x).__name__}; a network may have one input")
    if len(x) == 0:
        raise ValueError(f"expected at least one row, got x {tuple(x.shape)}")


_watched: WeakSet[nn.Module] = WeakSet()
_not_vectorised: WeakSet[nn.Module] = WeakSet()


@contextmanager
def watched(net: nn.Module) -> Iterator[None]:
    """Look out for functional dropout the first time that a network is drawn from; watching costs time."""
    if net in _watched:
        yield
    else:
        with FunctionalDropoutGuard(net):
            yield
        _watched.add(net)


class DrawMasks:
    """The masks of a run of draws, each dropout call from a stream of its own.

    With `n_rows` every row has its own mask; without, one mask serves all rows of a draw. The masks of draw i
    are the same however the draws are cut into chunks, and whatever rows they are applied to.
    """

    def __init__(self, seed: int, n_draws: int, n_rows: int | None = None) -> None:
        self.seed = seed
        self.n_draws = n_draws
        self.n_rows = n_rows
        self.expected_rows = 0
        self._streams: dict[str, Generator] = {}
        self._starts: dict[str, Tensor] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}

    def go_on(self, n_draws: int) -> None:
        """Turn to the next `n_draws` draws."""
        self.n_draws = n_draws
        self._starts = {call: stream.get_state() for call, stream in self._streams.items()}

    def rewind(self) -> None:
        """Give the same masks once more, from the first of these draws on."""
        for call, stream in self._streams.items():
            if call in self._starts:
                stream.set_state(self._starts[call])
            else:
                stream.manual_seed(stream.initial_seed())

    def keep(self, call: str, h: Tensor, shape: tuple[int, ...], p: float) -> Tensor:
        stream = self._stream(call, h, shape)
        return keep_mask((self.n_rows or 1, *shape), p, stream, h.dtype).to(h.device)

    def uniform(self, call: str, h: Tensor, shape: tuple[int, ...]) -> Tensor:
        stream = self._stream(call, h, shape)
        shape = (self.n_rows or 1, *shape)
        return torch.rand(shape, generator=stream, dtype=h.dtype, device=stream.device).to(h.device)

    def _stream(self, call: str, h: Tensor, shape: tuple[int, ...]) -> Generator:
        title = f"dropout {call.partition('#')[0]!r}"
        if h.shape[0] != self.expected_rows:
            raise ValueError(
                f"{title} expected one entry per row first, ({self.expected_rows}, ...), got {tuple(h.shape)}; "
                "keep the batch in the first dimension"
            )
        if self._shapes.setdefault(call, shape) != shape:
            raise ValueError(f"{title} sees {shape} in a row and saw {self._shapes[call]} before; rows must agree")
        if call not in self._streams:
            # Per row there is much to draw, and it is drawn where it is needed. One mask for all rows is little:
            # drawn on the CPU, it makes a network predict the same on every device.
            self._streams[call] = generator_for(self.seed, call, device=h.device if self.n_rows else "cpu")
        return self._streams[call]


def run_draws(net: nn.Module, x: Tensor, masks: DrawMasks) -> Tensor:
    """All draws at these rows: (s, n, ...); in one pass where the network can be vectorised, else one by one."""
    masks.expected_rows = len(x)

    def one(_: Tensor) -> Tensor:
        return checked_output(net(x), len(x))

    index = torch.arange(masks.n_draws, device=x.device)
    if net in _not_vectorised:
        return torch.stack([one(i) for i in index])
    buffers = [(buffer, buffer.clone()) for buffer in net.buffers()]
    try:
        out = torch.vmap(one, randomness="different")(index)
        # A buffer that the network binds to a new tensor holds all draws at once, and is dead after the pass.
        if all(now is before for now, (before, _) in zip(net.buffers(), buffers, strict=True)):
            return out
    except RuntimeError as error:
        # Whatever vmap cannot do, plain passes can; an error of the network itself comes again below.
        _logger.debug("not vectorised over draws: %s", error)
    masks.rewind()
    _put_back(net, buffers)
    out = torch.stack([one(i) for i in index])
    if not net.training:  # in training mode it may have been but a batch norm
        _not_vectorised.add(net)
    return out


def _put_back(net: nn.Module, buffers: Sequence[tuple[Tensor, Tensor]]) -> None:
    """Give the network its buffers back, with the values they had."""
    for (name, _), (buffer, before) in zip(list(net.named_buffers()), buffers, strict=True):
        buffer.data.copy_(before)  # running statistics that the failed pass may have moved
        owner, _, attribute = name.rpartition(".")
        setattr(net.get_submodule(owner), attribute, buffer)


def checked_output(out: object, n_rows: int) -> Tensor:
    """What a network returned, if that is one tensor with an entry per row and at least two dimensions."""
    if not isinstance(out, Tensor):
        raise TypeError(f"expected the network to return one tensor (n, d), got {type(out).__name__}")
    if out.ndim < 2 or len(out) != n_rows:
        raise ValueError(
            f"expected the network to return ({n_rows}, d), got {tuple(out.shape)}; keep d also when d = 1"
        )
    return out
