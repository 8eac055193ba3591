"""A std for a CNN in one pass: its last layer becomes a `WassersteinHead`, and nothing is ever drawn.

The task is made up so that the right answer is known. A picture shows a bright spot; its column is to be read off.
The dimmer the picture, the noisier the label: std 0.5 where it is bright, 2 where it is dim. The network is never told.
"""

import torch
from torch import Tensor, nn

import wdrop


def pictures(n: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Pictures (n, 1, 12, 12), noisy columns from the middle (n, 1), and the true std of their noise (n, 1)."""
    row, column = 2 + 8 * torch.rand(2, n, 1, 1, generator=generator)
    bright = torch.rand(n, 1, generator=generator) < 0.5
    grid = torch.arange(12.0)
    spot = torch.exp(-((grid.view(1, 12, 1) - row) ** 2) - (grid.view(1, 1, 12) - column) ** 2)
    std = torch.where(bright, 0.5, 2.0)
    y = column.view(n, 1) - 6 + std * torch.randn(n, 1, generator=generator)
    return (spot * torch.where(bright, 1.0, 0.4).unsqueeze(2)).unsqueeze(1), y, std


class Net(nn.Module):
    """Convolutions, a hidden layer more than the mean alone would need, and the head."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(16 * 3 * 3, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(),
        )  # fmt: skip
        self.head = wdrop.WassersteinHead(64, 1, p=0.1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        mean, std = self.head(self.body(x))
        return mean, std


def train(n_steps: int) -> Net:
    with torch.random.fork_rng():
        torch.manual_seed(0)  # PyTorch's modules draw their initial weights from the global stream
        net = Net()
    generator = torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for _ in range(n_steps):
        x, y, _ = pictures(64, generator)
        mean, std = net(x)
        loss = wdrop.closed_form_loss(mean, std, y).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.eval()


def main(n_steps: int = 1000) -> dict[float, float]:
    """Train, then compare the predicted std with the true one: {true std: mean predicted std}."""
    net = train(n_steps)
    x, y, true = pictures(2000, torch.Generator().manual_seed(2))
    with torch.no_grad():
        mean, std = net(x)
    found = {float(value): float(std[true == value].mean()) for value in true.unique()}
    print("true std → mean predicted std:", {value: round(said, 2) for value, said in found.items()})  # noqa: T201
    print("scores:", {name: round(value, 3) for name, value in wdrop.evaluate(mean, std, y).items()})  # noqa: T201
    return found


if __name__ == "__main__":
    main()
