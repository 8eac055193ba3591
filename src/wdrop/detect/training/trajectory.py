"""Scores along a training: a look at some test pictures at every checkpoint."""

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
from wdrop.detect.training.checkpoint import Checkpoint
from wdrop.detect.training.train import CHECKPOINT_FILE, TRAJECTORY_FILE


@final
class Trajectory:
    """What `train_detector` may take as `look`: the scores by step, and the seconds that training took so far.

    folder        that of the training; here they outlive a kill, up to the step of the checkpoint beside them: what
                  comes later is made anew, and so is all where there is none
    anew          as in `train_detector`: what is there is of another training
    as_published  that of `scores`

    A step that comes twice is looked at once. Seconds are those of this process alone, the looks themselves left out.
    """

    def __init__(
        self,
        samples: Samples | None,
        inference: Inference,
        folder: Path | None = None,
        *,
        anew: bool = False,
        seed: int = 0,
        as_published: bool = False,
    ) -> None:
        self.samples, self.inference, self.seed = samples, inference, seed
        self.as_published = as_published
        self.path = None if folder is None else folder / TRAJECTORY_FILE
        begun = 0 if folder is None or anew else Checkpoint.steps_in(folder / CHECKPOINT_FILE)
        before = self._kept() if begun else {}
        self.seconds = float(before.get("seconds", 0))
        self.steps: dict[int, dict[str, float]] = {
            int(step): {name: float("nan") if value is None else value for name, value in row.items()}
            for step, row in before.get("steps", {}).items()
            if int(step) <= begun
        }
        self._since = time.process_time()

    def __call__(self, net: SqueezeDet, done: int) -> None:
        """Look at the pictures and note the scores."""
        if done in self.steps:
            return
        self.seconds += time.process_time() - self._since
        self._keep()  # seconds that were spent, whatever becomes of the look
        if self.samples is not None:
            matches = evaluated(net, self.samples, self.inference, seed=self.seed)
            self.steps[done] = scores(matches, as_published=self.as_published)
            self._keep()
        self._since = time.process_time()

    def _kept(self) -> dict[str, Any]:
        return json.loads(self.path.read_text()) if self.path is not None and self.path.exists() else {}

    def _keep(self) -> None:
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, json_text({"seconds": self.seconds, "steps": self.steps}).encode())
