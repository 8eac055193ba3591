"""Any dropout network, asked in three ways: by draws, in closed form, linearised. And trained without a draw.

Noise of std 0.2 on the left and 1 on the right is to be found by a network with dropout behind both hidden layers.
"""

import torch
from torch import Tensor, nn

import wdrop
from wdrop.moments import closed_form_moments


def points(n: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    x = 2 * torch.rand(n, 1, generator=generator) - 1
    return x, torch.sin(3 * x) + torch.where(x < 0, 0.2, 1.0) * torch.randn(n, 1, generator=generator)


def train(n_steps: int) -> nn.Module:
    with torch.random.fork_rng():
        torch.manual_seed(0)  # PyTorch's modules draw their initial weights from the global stream
        net = nn.Sequential(
            nn.Linear(1, 50),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(50, 50),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(50, 1),
        )
    generator = torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for _ in range(n_steps):
        x, y = points(128, generator)
        mean, std = closed_form_moments(net, x)  # with gradients, and no draw
        loss = wdrop.closed_form_loss(mean, std, y).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.eval()


def main(n_steps: int = 1000) -> dict[str, tuple[float, float]]:
    """Train, then the std on the left and on the right, in each way."""
    net = train(n_steps)
    x = torch.tensor([[-0.5], [0.5]])
    found = {}
    for how in ("samples", "closed_form", "linearised"):
        std = wdrop.predict(net, x, how, n_samples=2000, generator=torch.Generator().manual_seed(2)).std
        found[how] = (float(std[0]), float(std[1]))
        print(f"{how:12} left {found[how][0]:.2f}, right {found[how][1]:.2f}; true 0.20 and 1.00")  # noqa: T201
    return found


if __name__ == "__main__":
    main()
