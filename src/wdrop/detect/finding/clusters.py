"""Which boxes of many draws show the same object."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]
Clustering = Callable[[NDArray[np.float64], int], Labels]
"""Boxes of all draws in centre form (m, 4), number of draws → a cluster's number for each, -1 for none."""


def kmeans(boxes: NDArray[np.float64], n_draws: int) -> Labels:
    """As many clusters as a draw has boxes on average, rounded down, the best of ten starts: as published."""
    from sklearn.cluster import KMeans  # half a second, and only here

    n_clusters = min(max(1, len(boxes) // n_draws), len(np.unique(boxes, axis=0)))
    return KMeans(n_clusters, n_init=10, random_state=42).fit_predict(boxes).astype(np.int64)


def hdbscan(boxes: NDArray[np.float64], n_draws: int) -> Labels:
    """Dense groups of 20 boxes or more, as many as there are; boxes between them belong to none."""
    from sklearn.cluster import HDBSCAN

    if len(boxes) < 20:
        return np.full(len(boxes), -1)
    return HDBSCAN(min_cluster_size=20, copy=True).fit_predict(boxes).astype(np.int64)


CLUSTERINGS: dict[str, Clustering] = {"kmeans": kmeans, "hdbscan": hdbscan}
