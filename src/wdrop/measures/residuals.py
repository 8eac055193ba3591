"""How far the normalised residuals r = (mean - y) / std are from the standard normal law.

If y ~ N(mean, std²), as the forecast says, then r ~ N(0, 1). These measures see calibration alone: a forecast may
be calibrated and useless.
"""

import numpy as np
from scipy.special import ndtr, ndtri

from wdrop.measures._columns import Column, measure
from wdrop.measures._normal import density


@measure
def ece(mean: Column, std: Column, y: Column, *, n_bins: int = 20, rounded: bool = False) -> float:
    """Expected calibration error: Σ_j |p_j - 1/B|, p_j the share of Φ(r) in the j-th of B equal bins of [0, 1].

    From 0 to 2 (1 - 1/B). It saturates: std ten times too small scores 1.54, a hundred times 1.77.
    `rounded=True` rounds Φ(r) to two decimals first, as the paper's code does; a perfect forecast then scores 0.02.
    """
    if n_bins < 1:
        raise ValueError(f"expected n_bins of at least 1, got {n_bins}")
    u = ndtr((mean - y) / std)
    if rounded:
        u, edges = np.round(u, 2), np.linspace(-0.0001, 1.0001, n_bins + 1)
    else:
        edges = np.linspace(0, 1, n_bins + 1)
    counts, _ = np.histogram(u, edges)
    return float(np.abs(counts / len(u) - 1 / n_bins).sum())


@measure
def ws(mean: Column, std: Column, y: Column, *, clip: float | None = None) -> float:
    """1-Wasserstein distance of the normalised residuals from N(0, 1), exact.

    ∫ |F⁻¹(u) - Φ⁻¹(u)| du, with F⁻¹ the i-th smallest residual on ((i - 1)/n, i/n), piece by piece:

    Σ_i 2 G_i(c_i) - G_i(z_(i-1)) - G_i(z_i),   G_i(z) = r_i Φ(z) + φ(z),   z_i = Φ⁻¹(i/n),
    c_i = r_i clipped to [z_(i-1), z_i]

    Residuals N(m, 1) score |m|, N(0, s) scores 0.798 |s - 1|: it does not saturate. `clip` limits |r| first, for
    data with a few wild outliers.
    """
    if clip is not None and clip <= 0:
        raise ValueError(f"expected clip above 0, got {clip}")
    r = np.sort((mean - y) / std)
    if clip is not None:
        r = r.clip(-clip, clip)
    level = np.linspace(0, 1, len(r) + 1)
    z = ndtri(level)
    edge = density(z)
    kink = r.clip(z[:-1], z[1:])
    at_kink = r * ndtr(kink) + density(kink)
    at_edges = r * (level[:-1] + level[1:]) + edge[:-1] + edge[1:]
    return float((2 * at_kink - at_edges).sum())


@measure
def ks(mean: Column, std: Column, y: Column) -> float:
    """Kolmogorov-Smirnov distance of the normalised residuals from N(0, 1): sup |F - Φ|, from 0 to 1."""
    u = np.sort(ndtr((mean - y) / std))
    level = np.linspace(0, 1, len(u) + 1)
    return float(max((level[1:] - u).max(), (u - level[:-1]).max()))


@measure
def etl(mean: Column, std: Column, y: Column, *, level: float = 0.99) -> float:
    """Expected tail loss: mean of the |r| that exceed their own `level` quantile (linear interpolation).

    How wrong the worst are: 2.89 for N(0, 1) at 0.99. Up to 101 points it is the largest |r| alone. NaN if no |r|
    lies above the quantile, as with a single point or with ties.
    """
    if not 0 <= level < 1:
        raise ValueError(f"expected level in [0, 1), got {level}")
    size = np.abs((mean - y) / std)
    tail = size[size > np.quantile(size, level)]
    return float(tail.mean()) if len(tail) else float("nan")
