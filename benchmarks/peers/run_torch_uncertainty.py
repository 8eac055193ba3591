"""Torch-Uncertainty: its `RegressionRoutine` and `TUTrainer`, with logging, checkpoints and progress bar switched off.

MC dropout and SWAG are asked for draws by the wrapped model itself, as its tutorials do. `on_batch=False` draws in a
loop: its default repeats the rows instead, and was slower here. SWAG is updated by the library when it validates,
hence a validation set of one batch, where the draws are evaluated too. Evidential regression has no std of its own in
the library beyond the parameters of the distribution: it is the std of the Student-t that they make.
"""

import logging
import warnings
from pathlib import Path
from typing import Any

import benchmarks.peers.vision  # noqa: F401
from benchmarks.peers.harness import Array, Job, Way, main

# user code
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset
from torch_uncertainty import TUTrainer
from torch_uncertainty.methods import mc_dropout as mc_dropout_model
from torch_uncertainty.routines import RegressionRoutine

# end
from torch_uncertainty.layers.distributions import NormalInverseGammaLinear, NormalLinear
from torch_uncertainty.losses import DERLoss, DistributionNLLLoss
from torch_uncertainty.methods import SWAG, deep_ensembles

warnings.filterwarnings("ignore")  # about few workers and no validation
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


def network(n_features: int, job: Job, *, dropout: float = 0.0, last: nn.Module | None = None) -> nn.Sequential:
    # user code
    return nn.Sequential(
        nn.Linear(n_features, job.width), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(job.width, job.width), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(job.width, 1) if last is None else last,
    )  # fmt: skip
    # end


def trained(
    model: nn.Module, x: Array, y: Array, job: Job, *, loss: nn.Module, family: str | None = None, watch: bool = False
) -> nn.Module:
    """The model after training; `watch` validates on one batch after each epoch."""
    # user code
    routine = RegressionRoutine(
        model, output_dim=1, loss=loss, dist_family=family,
        optim_recipe=torch.optim.Adam(model.parameters(), lr=job.learning_rate, fused=True),
    )  # fmt: skip
    data = TensorDataset(torch.from_numpy(x), torch.from_numpy(y))
    trainer = TUTrainer(
        accelerator="cpu", max_epochs=job.epochs, logger=False, enable_checkpointing=False,
        enable_progress_bar=False, enable_model_summary=False,
        limit_val_batches=int(watch), num_sanity_val_steps=0,
    )  # fmt: skip
    trainer.fit(routine, DataLoader(data, job.batch_size, shuffle=True), DataLoader(data, job.batch_size))
    return model
    # end


def mc_dropout(x: Array, y: Array, job: Job) -> nn.Module:
    # user code
    torch.manual_seed(job.seed)
    net = network(x.shape[1], job, dropout=job.dropout)
    model = mc_dropout_model(net, num_estimators=job.n_draws, on_batch=False, task="regression", probabilistic=False)
    return trained(model, x, y, job, loss=nn.MSELoss())
    # end


@torch.no_grad()
def predict_draws(model: nn.Module, x: Array) -> tuple[Array, Array]:
    # user code
    draws = model.eval()(torch.from_numpy(x)).view(-1, len(x))
    return draws.mean(0).numpy(), draws.std(0).numpy()
    # end


def swag(x: Array, y: Array, job: Job) -> nn.Module:
    torch.manual_seed(job.seed)
    start = max(job.epochs // 2 - 1, 0)
    model = SWAG(network(x.shape[1], job), cycle_start=start, cycle_length=1, num_estimators=job.n_draws)
    return trained(model, x, y, job, loss=nn.MSELoss(), watch=True)


def deep_ensemble(x: Array, y: Array, job: Job) -> nn.Module:
    torch.manual_seed(job.seed)
    members = [gaussian_member(x, y, job) for _ in range(job.n_members)]
    return deep_ensembles(members, task="regression", probabilistic=True)


def gaussian_member(x: Array, y: Array, job: Job) -> nn.Module:
    last = NormalLinear(base_layer=nn.Linear, event_dim=1, in_features=job.width)
    return trained(network(x.shape[1], job, last=last), x, y, job, loss=DistributionNLLLoss(), family="normal")


@torch.no_grad()
def predict_mixture(model: nn.Module, x: Array) -> tuple[Array, Array]:
    parts: dict[str, Tensor] = model.eval()(torch.from_numpy(x))
    mean, std = parts["loc"].view(-1, len(x)), parts["scale"].view(-1, len(x))
    return mean.mean(0).numpy(), (std.square().mean(0) + mean.var(0, correction=0)).sqrt().numpy()


def evidential(x: Array, y: Array, job: Job) -> nn.Module:
    torch.manual_seed(job.seed)
    last = NormalInverseGammaLinear(base_layer=nn.Linear, event_dim=1, in_features=job.width)
    return trained(network(x.shape[1], job, last=last), x, y, job, loss=DERLoss(reg_weight=1e-2), family="nig")


@torch.no_grad()
def predict_evidential(model: nn.Module, x: Array) -> tuple[Array, Array]:
    parts: dict[str, Tensor] = model.eval()(torch.from_numpy(x))
    variance = parts["beta"] * (1 + 1 / parts["lmbda"]) / (parts["alpha"] - 1)
    return parts["loc"].numpy(), variance.sqrt().numpy()


def save(model: Any, folder: Path) -> None:
    torch.save(model.state_dict(), folder / "model.pt")


WAYS = {
    "mc_dropout": Way(mc_dropout, predict_draws, save),
    "deep_ensemble": Way(deep_ensemble, predict_mixture, save),
    "swag": Way(swag, predict_draws, save),
    "evidential": Way(evidential, predict_evidential, save),
}

if __name__ == "__main__":
    main(WAYS)
