"""Error bars for your own network: a small CNN, trained with `draw` and the Wasserstein dropout loss.

The task is made up so that the right answer is known. A picture shows a bright spot; its column is to be read off.
The dimmer the picture, the noisier the label: std 0.5 where it is bright, 2 where it is dim. The network is never told.
"""

import torch
from torch import Tensor, nn

import wdrop


def pictures(n: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Pictures (n, 1, 12, 12), noisy columns (n, 1), and the true std of their noise (n, 1)."""
    column = 2 + 8 * torch.rand(n, 1, generator=generator)
    row = 2 + 8 * torch.rand(n, 1, generator=generator)
    bright = torch.rand(n, 1, generator=generator) < 0.5
    grid = torch.arange(12.0)
    spot = torch.exp(
        -((grid.view(1, 12, 1) - row.unsqueeze(2)) ** 2 + (grid.view(1, 1, 12) - column.unsqueeze(2)) ** 2)
    )
    std = torch.where(bright, 0.5, 2.0)
    y = column + std * torch.randn(n, 1, generator=generator)
    return (spot * torch.where(bright, 1.0, 0.4).unsqueeze(2)).unsqueeze(1), y, std


def train(n_steps: int = 2000, n_draws: int = 9) -> nn.Module:
    """A CNN whose sub-networks spread like the noise of the labels."""
    with torch.random.fork_rng():
        torch.manual_seed(0)  # PyTorch's modules draw their initial weights from the global stream
        net = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(16 * 3 * 3, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.1),
            nn.Linear(64, 1),
        )  # fmt: skip
    generator = torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for _ in range(n_steps):
        x, y, _ = pictures(64, generator)
        samples = wdrop.draw(net, x, n_draws, generator=generator)  # (9, 64, 1), the convolutions run once
        loss = wdrop.wasserstein_dropout_loss(samples, y - 6).mean()  # 6: the middle of the picture
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.eval()


def main(n_steps: int = 2000) -> dict[float, float]:
    """Train, then compare the predicted std with the true one: {true std: mean predicted std}."""
    net = train(n_steps)
    x, y, std = pictures(2000, torch.Generator().manual_seed(2))
    prediction = wdrop.predict(net, x, n_samples=200, generator=torch.Generator().manual_seed(3))
    found = {float(true): float(prediction.std[std == true].mean()) for true in std.unique()}
    scores = wdrop.evaluate(prediction.mean, prediction.std, y - 6)
    print("true std → mean predicted std:", {true: round(said, 2) for true, said in found.items()})  # noqa: T201
    print("scores:", {name: round(value, 3) for name, value in scores.items()})  # noqa: T201
    return found


if __name__ == "__main__":
    main()
