"""A user's own loop in plain PyTorch, the yardstick: no library, no data loader, the fused Adam."""

from pathlib import Path

from benchmarks.peers.harness import Array, Job, Way, main

# user code
import torch
from torch import Tensor, nn

# end


def network(n_features: int, job: Job, *, n_outputs: int = 1, dropout: float) -> nn.Sequential:
    # user code
    return nn.Sequential(
        nn.Linear(n_features, job.width), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(job.width, job.width), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(job.width, n_outputs),
    )  # fmt: skip
    # end


class MCDropout:
    """A network, and how often it is asked."""

    def __init__(self, net: nn.Module, n_draws: int) -> None:
        self.net = net
        self.n_draws = n_draws


def mc_dropout(x: Array, y: Array, job: Job) -> MCDropout:
    # user code
    torch.manual_seed(job.seed)
    net = network(x.shape[1], job, dropout=job.dropout)
    train_x, train_y = torch.from_numpy(x), torch.from_numpy(y).unsqueeze(1)
    optimizer = torch.optim.Adam(net.parameters(), lr=job.learning_rate, fused=True)
    for _ in range(job.epochs):
        for rows in torch.randperm(len(train_x)).split(job.batch_size):
            optimizer.zero_grad()
            (net(train_x[rows]) - train_y[rows]).square().mean().backward()
            optimizer.step()
    # end
    return MCDropout(net, job.n_draws)


@torch.no_grad()
def predict_mc_dropout(model: MCDropout, x: Array) -> tuple[Array, Array]:
    # user code
    net, test_x = model.net.train(), torch.from_numpy(x)
    draws = torch.stack([net(test_x) for _ in range(model.n_draws)])
    return draws.mean(0).numpy(), draws.std(0).numpy()
    # end


def deep_ensemble(x: Array, y: Array, job: Job) -> list[nn.Sequential]:
    torch.manual_seed(job.seed)
    train_x, train_y = torch.from_numpy(x), torch.from_numpy(y).unsqueeze(1)
    return [member(train_x, train_y, job) for _ in range(job.n_members)]


def member(x: Tensor, y: Tensor, job: Job) -> nn.Sequential:
    net = network(x.shape[1], job, n_outputs=2, dropout=0.0)
    optimizer = torch.optim.Adam(net.parameters(), lr=job.learning_rate, fused=True)
    for _ in range(job.epochs):
        for rows in torch.randperm(len(x)).split(job.batch_size):
            optimizer.zero_grad()
            mean, raw = net(x[rows]).chunk(2, 1)
            nn.functional.gaussian_nll_loss(mean, y[rows], nn.functional.softplus(raw) + 1e-6).backward()
            optimizer.step()
    return net


@torch.no_grad()
def predict_deep_ensemble(nets: list[nn.Sequential], x: Array) -> tuple[Array, Array]:
    parts = [net.eval()(torch.from_numpy(x)).chunk(2, 1) for net in nets]
    means = torch.stack([mean for mean, _ in parts])
    noise = torch.stack([nn.functional.softplus(raw) + 1e-6 for _, raw in parts])
    return means.mean(0).numpy(), (noise.mean(0) + means.var(0, correction=0)).sqrt().numpy()


def save_mc_dropout(model: MCDropout, folder: Path) -> None:
    torch.save(model.net.state_dict(), folder / "model.pt")


def save_deep_ensemble(nets: list[nn.Sequential], folder: Path) -> None:
    torch.save([net.state_dict() for net in nets], folder / "model.pt")


WAYS = {
    "mc_dropout": Way(mc_dropout, predict_mc_dropout, save_mc_dropout),
    "deep_ensemble": Way(deep_ensemble, predict_deep_ensemble, save_deep_ensemble),
}

if __name__ == "__main__":
    main(WAYS)
