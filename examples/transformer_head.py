"""A std for a transformer block in one pass: a `WassersteinHead` on the mean of its tokens.

The task is made up so that the right answer is known. A sequence of eight numbers is to be summed up by its mean, and
the label is noisy: std 0.3, or 1.2 where the first number is positive. The network is never told.
"""

import torch
from torch import Tensor, nn

import wdrop


def sequences(n: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Sequences (n, 8, 1), noisy means (n, 1), and the true std of their noise (n, 1)."""
    x = torch.randn(n, 8, 1, generator=generator)
    std = torch.where(x[:, 0] > 0, 1.2, 0.3)
    return x, x.mean(1) + std * torch.randn(n, 1, generator=generator), std


class Net(nn.Module):
    """Tokens with their places, one block without dropout of its own, and the head, whose dropout is a formula."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.embed = nn.Linear(1, width)
        self.place = nn.Parameter(0.5 * torch.randn(8, width))
        self.block = nn.TransformerEncoderLayer(width, 4, 2 * width, dropout=0.0, batch_first=True, norm_first=True)
        self.mix = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.head = wdrop.WassersteinHead(width, 1, p=0.1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        tokens = self.block(self.embed(x) + self.place)
        mean, std = self.head(self.mix(tokens.mean(1)))
        return mean, std


def train(n_steps: int) -> Net:
    with torch.random.fork_rng():
        torch.manual_seed(0)  # PyTorch's modules draw their initial weights from the global stream
        net = Net()
    generator = torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for _ in range(n_steps):
        x, y, _ = sequences(128, generator)
        mean, std = net(x)
        loss = wdrop.closed_form_loss(mean, std, y).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.eval()


def main(n_steps: int = 800) -> dict[float, float]:
    """Train, then compare the predicted std with the true one: {true std: median predicted std}."""
    net = train(n_steps)
    x, y, true = sequences(2000, torch.Generator().manual_seed(2))
    with torch.no_grad():
        mean, std = net(x)
    found = {round(float(value), 1): float(std[true == value].median()) for value in true.unique()}
    print("true std → median predicted std:", {value: round(said, 2) for value, said in found.items()})  # noqa: T201
    print("scores:", {name: round(value, 3) for name, value in wdrop.evaluate(mean, std, y).items()})  # noqa: T201
    return found


if __name__ == "__main__":
    main()
