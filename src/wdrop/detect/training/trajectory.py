"""Scores along a training: a look at some test pictures before every checkpoint."""

import json
import time
from pathlib import Path
from typing import Any, final

from wdrop._files import write_whole
from wdrop._json import json_text
from wdrop.detect.data.source import Samples
from wdrop.detect.finding.inference import Inference
from wdrop.detect.network.squeezedet import SqueezeDet
from wdrop.detect.scores.evaluated import evaluated
from wdrop.detect.scores.evaluation import scores

TRAJECTORY_FILE = "trajectory.json"


@final
class Trajectory:
    """What `train_detector` may take as `look`: the scores by step, and the seconds that training took so far.

    With a path they outlive a kill; a step that comes twice is told once. Seconds are those of this process alone,
    the looks themselves left out. `as_published` is that of `scores`.
    """

    def __init__(
        self,
        samples: Samples | None,
        inference: Inference,
        path: Path | None = None,
        *,
        seed: int = 0,
        as_published: bool = False,
    ) -> None:
        self.samples, self.inference, self.path, self.seed = samples, inference, path, seed
        self.as_published = as_published
        before: dict[str, Any] = json.loads(path.read_text()) if path is not None and path.exists() else {}
        self.seconds = float(before.get("seconds", 0))
        self.steps: dict[int, dict[str, float]] = {
            int(step): {name: float("nan") if value is None else value for name, value in row.items()}
            for step, row in before.get("steps", {}).items()
        }
        self._since = time.process_time()

    def __call__(self, net: SqueezeDet, done: int) -> None:
        """Look at the pictures and note the scores."""
        self.seconds += time.process_time() - self._since
        if self.samples is not None:
            matches = evaluated(net, self.samples, self.inference, seed=self.seed)
            self.steps[done] = scores(matches, as_published=self.as_published)
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, json_text({"seconds": self.seconds, "steps": self.steps}).encode())
        self._since = time.process_time()
