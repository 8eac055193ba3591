"""Named random streams: a seed is a name, so nobody's numbers depend on who drew before."""

import hashlib
import json

import torch
from torch import Generator

_SEEDS = 2**62


def generator_for(*names: str | int, device: torch.device | str = "cpu") -> Generator:
    """Open the stream that depends on these names alone, not on who drew before."""
    digest = hashlib.sha256(json.dumps(names).encode()).digest()
    return Generator(device).manual_seed(int.from_bytes(digest[:7], "big"))


def seed_from(generator: Generator | None) -> int:
    """Draw one number that names further streams; None draws it from torch's global stream."""
    device = "cpu" if generator is None else generator.device
    return int(torch.randint(_SEEDS, (), generator=generator, device=device))
