from abc import ABC, abstractmethod
from collections.abc import Sequence

from torch import Generator

from wdrop.nets.training import Progress, silent
from wdrop.prediction import Points, Predictor


class Method(ABC):
    """A frozen dataclass: its fields are the hyperparameters, fitting leaves it unchanged."""

    @abstractmethod
    def fit_many(
        self, trains: Sequence[Points], *, generators: Sequence[Generator], progress: Progress = silent
    ) -> list[Predictor]:
        """One predictor for each set of points, all trained as one stack.

        The sets need equally many features and targets, not rows. Each takes one number from its own generator
        and then depends on nothing else, so it does not matter which sets are fitted together.
        """

    def fit(self, train: Points, *, generator: Generator, progress: Progress = silent) -> Predictor:
        """The predictor for one set of points."""
        return self.fit_many([train], generators=[generator], progress=progress)[0]
