"""Lightning-UQ-Box: its modules under Lightning's `Trainer`, with logging, checkpoints and progress bar switched off.

Its batches are dictionaries, so the data set is a small class or, as here, the loader's `collate_fn` names the parts.
SWAG goes on from a trained network, with SGD: half of the epochs for each. The members of its ensemble are read back
from checkpoints at each prediction; that is how the class works.
"""

import logging
import warnings
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import benchmarks.peers.vision  # noqa: F401
from benchmarks.peers.harness import Array, Job, Way, main

# user code
import torch
from lightning import Trainer
from lightning_uq_box.models import MLP
from lightning_uq_box.uq_methods import MCDropoutRegression
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

# end
from lightning_uq_box.uq_methods import DER, DeepEnsembleRegression, DeterministicRegression, MVERegression
from lightning_uq_box.uq_methods import SWAGRegression

warnings.filterwarnings("ignore")  # about few workers and no validation
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


# user code
class Named(TensorDataset):
    def __getitem__(self, rows: Any) -> dict[str, Tensor]:  # type: ignore[override]
        return {"input": self.tensors[0][rows], "target": self.tensors[1][rows]}


# end


def network(n_features: int, job: Job, *, n_outputs: int = 1, dropout: float = 0.0) -> Any:
    return MLP(dropout_p=dropout, n_inputs=n_features, n_hidden=[job.width] * job.depth, n_outputs=n_outputs)


def trained(module: Any, x: Array, y: Array, job: Job, *, epochs: int | None = None) -> Trainer:
    """The trainer, after training."""
    # user code
    loader = DataLoader(Named(torch.from_numpy(x), torch.from_numpy(y)[:, None]), job.batch_size, shuffle=True)
    trainer = Trainer(
        accelerator="cpu", max_epochs=epochs or job.epochs, logger=False, enable_checkpointing=False,
        enable_progress_bar=False, enable_model_summary=False,
    )  # fmt: skip
    trainer.fit(module, loader)
    return trainer
    # end


def adam(job: Job) -> Any:
    return partial(torch.optim.Adam, lr=job.learning_rate, fused=True)


def mc_dropout(x: Array, y: Array, job: Job) -> Any:
    # user code
    torch.manual_seed(job.seed)
    net = MLP(job.dropout, n_inputs=x.shape[1], n_hidden=[job.width] * job.depth, n_outputs=1)
    optimizer = partial(torch.optim.Adam, lr=job.learning_rate, fused=True)
    module = MCDropoutRegression(net, num_mc_samples=job.n_draws, loss_fn=nn.MSELoss(), optimizer=optimizer)
    trained(module, x, y, job)
    return module
    # end


def predict(module: Any, x: Array) -> tuple[Array, Array]:
    # user code
    prediction = module.predict_step(torch.from_numpy(x))
    return prediction["pred"].numpy(), prediction["pred_uct"].numpy()
    # end


def swag(x: Array, y: Array, job: Job) -> Any:
    torch.manual_seed(job.seed)
    net, half = network(x.shape[1], job), max(job.epochs // 2, 1)
    trained(DeterministicRegression(net, nn.MSELoss(), optimizer=adam(job)), x, y, job, epochs=half)
    module = SWAGRegression(
        net, max_swag_snapshots=20, snapshot_freq=max(len(x) // job.batch_size, 1), num_mc_samples=job.n_draws,
        swag_lr=job.learning_rate, loss_fn=nn.MSELoss(),
    )  # fmt: skip
    trained(module, x, y, job, epochs=max(job.epochs - half, 1))
    return module


def evidential(x: Array, y: Array, job: Job) -> Any:
    torch.manual_seed(job.seed)
    module = DER(network(x.shape[1], job, n_outputs=4), coeff=1e-2, optimizer=adam(job))
    trained(module, x, y, job)
    return module.eval()


def deep_ensemble(x: Array, y: Array, job: Job) -> Any:
    torch.manual_seed(job.seed)
    folder = Path(mkdtemp(dir="."))
    return DeepEnsembleRegression([member(x, y, job, folder / f"{k}.ckpt") for k in range(job.n_members)])


def member(x: Array, y: Array, job: Job, path: Path) -> dict[str, Any]:
    module = MVERegression(network(x.shape[1], job, n_outputs=2), burnin_epochs=0, optimizer=adam(job))
    trained(module, x, y, job).save_checkpoint(path, weights_only=True)
    return {"base_model": module, "ckpt_path": str(path)}


def save(module: Any, folder: Path) -> None:
    torch.save(module.state_dict(), folder / "model.pt")


def save_ensemble(ensemble: Any, folder: Path) -> None:
    """Its checkpoints are what it loads."""
    for k, part in enumerate(ensemble.ensemble_members):
        (folder / f"{k}.ckpt").write_bytes(Path(part["ckpt_path"]).read_bytes())


WAYS = {
    "mc_dropout": Way(mc_dropout, predict, save),
    "deep_ensemble": Way(deep_ensemble, predict, save_ensemble),
    "swag": Way(swag, predict, save),
    "evidential": Way(evidential, predict, save),
}

if __name__ == "__main__":
    main(WAYS)
