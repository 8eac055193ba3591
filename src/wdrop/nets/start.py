"""Training that goes on from networks that are there."""

from collections.abc import Sequence

import torch
from torch import nn

from wdrop.nets.concrete import ConcreteDropout, StackedConcreteDropout
from wdrop.nets.stacked import Stack


@torch.no_grad()
def start_from(stack: Stack, networks: Sequence[nn.Sequential]) -> None:
    """Overwrite the initial weights, and learned drop rates, by those of as many networks of the same shape."""
    if len(networks) != len(stack):
        raise ValueError(f"expected {len(stack)} networks to start from, got {len(networks)}")
    for k, network in enumerate(networks):
        layers = [module for module in network if isinstance(module, nn.Linear)]
        shapes = [(layer.in_features, layer.out_features) for layer in layers]
        expected = [(weight.shape[1], weight.shape[2]) for weight in stack.weights]
        if shapes != expected:
            raise ValueError(f"expected layers {expected} to start from, got {shapes}; fit without a warm start")
        for layer, weight, bias in zip(layers, stack.weights, stack.biases, strict=True):
            weight[k] = layer.weight.T
            bias[k, 0] = layer.bias
        learned = [module for module in network if isinstance(module, ConcreteDropout)]
        rates = [dropout for dropout in stack.dropouts if isinstance(dropout, StackedConcreteDropout)]
        for module, dropout in zip(learned, rates, strict=True):
            dropout.logits[k] = module.logit
