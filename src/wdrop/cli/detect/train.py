from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wdrop._json import json_text
from wdrop.cli.detect.bars import bar, told_in_one_line
from wdrop.cli.detect.options import AsJson, Bad, Data, Device, Folder, NPictures, Seed, Verify

if TYPE_CHECKING:
    from wdrop.detect.data.source import Samples
    from wdrop.detect.training.trajectory import Trajectory

_RATES = {"sgd": 0.01, "adam": 3e-4}


def train(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", help="The detector's file; checkpoints go beside it.")],
    loss: Annotated[str, typer.Option(help="mc, wasserstein or closed_form.")] = "wasserstein",
    draws: Annotated[int, typer.Option(min=2, help="Draws a step (L), with --loss wasserstein.")] = 5,
    steps: Annotated[int, typer.Option(min=1, help="Steps in all; the paper makes 300,000.")] = 120_000,
    batch: Annotated[int, typer.Option(min=1, help="Pictures a step.")] = 20,
    size: Annotated[str, typer.Option(help="Input, WIDTHxHEIGHT, both divisible by 16.")] = "672x384",
    anchors: Annotated[str, typer.Option(help="kitti (scaled to the height) or fitted (k-means).")] = "kitti",
    optimiser: Annotated[str, typer.Option(help="sgd (as published) or adam, for few steps.")] = "sgd",
    rate: Annotated[
        float | None, typer.Option(help="Learning rate; 0.01 for sgd and 0.0003 for adam if not told.")
    ] = None,
    seed: Seed = 0,
    folder: Folder = None,
    n_pictures: NPictures = None,
    bad: Bad = "refuse",
    verify: Verify = False,
    weights: Annotated[Path | None, typer.Option(help="The backbone's .npz; $WDROP_DATA/weights if not told.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint beside the file.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over what is there, and begin anew.")] = False,
    every: Annotated[
        int | None,
        typer.Option(min=1, help="Steps from checkpoint to checkpoint; 500, or a tenth of few --steps, if not told."),
    ] = None,
    watched: Annotated[int, typer.Option(min=0, help="Test pictures scored at each checkpoint; 0 for none.")] = 50,
    workers: Annotated[int, typer.Option(min=0, help="Processes that load pictures, beside this one.")] = 0,
    device: Device = "auto",
    bfloat16: Annotated[bool, typer.Option("--bfloat16", help="Backbone in bfloat16, for GPUs.")] = False,
    as_published: Annotated[
        bool, typer.Option("--as-published", help="As in the published code; evaluate and predict follow.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train a detector; a kill costs the steps since the last checkpoint. Under torchrun, processes share batches."""
    from wdrop._random import generator_for
    from wdrop.cli.detect.opening import checked_device, opened
    from wdrop.detect.data.thinned import Thinned
    from wdrop.detect.finding.inference import Inference
    from wdrop.detect.network.architectures import architecture_for, size_of
    from wdrop.detect.training.objective import DetectionLoss
    from wdrop.detect.training.optimiser import Optimisation
    from wdrop.detect.training.to_file import is_first_process, train_to_file
    from wdrop.detect.training.train import DetectorTraining

    settings = DetectorTraining(
        loss=DetectionLoss(kind=loss, n_draws=draws, as_published=as_published),
        optimisation=Optimisation(
            algorithm=optimiser, learning_rate=_RATES.get(optimiser, 0.01) if rate is None else rate
        ),
        n_steps=steps,
        batch_size=batch,
        seed=seed,
        bfloat16=bfloat16,
        n_workers=workers,
        checkpoint_every=every or max(1, min(500, steps // 10)),
        device=checked_device(device),
    )
    shape = size_of(size)
    opening = partial(opened, size=shape, folder=folder, n_pictures=n_pictures, bad=bad, verify=verify)
    whole = opening(data, "train")
    architecture = architecture_for(
        whole.class_names,
        shape,
        anchors=anchors,
        boxes=whole.boxes() if anchors == "fitted" else None,
        generator=generator_for(seed, "anchors"),
    )
    try:
        looked_at = Thinned(_at_most(n_pictures, opening(data, "test")), watched) if watched else None
    except FileNotFoundError as error:
        raise FileNotFoundError(f"no test pictures to score along the way, --watched 0 does without; {error}") from None
    samples, first = _at_most(n_pictures, whole), is_first_process()
    with told_in_one_line(shown=first), bar("training", shown=first) as progress:
        trained, trajectory = train_to_file(
            out,
            samples,
            architecture,
            settings,
            resume=resume,
            force=force,
            weights=weights,
            watched=looked_at,
            inference=Inference(how="closed_form"),  # cheap enough for a look in between
            progress=progress,
        )
    if first:
        _tell(out, f"{len(samples)} pictures of {samples.name}", loss, trained.losses[-1].tolist(), trajectory, as_json)


def _at_most(n: int | None, samples: "Samples") -> "Samples":
    from wdrop.detect.data.thinned import Thinned

    return Thinned(samples, n) if n else samples


def _tell(
    out: Path, pictures: str, loss: str, losses: Sequence[float], trajectory: "Trajectory", as_json: bool
) -> None:
    from wdrop.cli.tables import print_table
    from wdrop.detect.training.to_file import training_folder
    from wdrop.report.detection.scores import scores_table
    from wdrop.report.detection.trajectories import write_trajectory

    steps = trajectory.steps
    if steps:
        write_trajectory(training_folder(out) / "trajectory.png", loss, steps)
    last = steps[max(steps)] if steps else {}
    if as_json:
        parts = dict(zip(("box", "confidence", "classes"), losses, strict=True))
        typer.echo(json_text({"detector": str(out), "losses": parts, "scores": last}))
        return
    typer.echo(f"{out}: trained on {pictures}; loss {sum(losses):.3f} in the last step")
    if last:
        print_table(scores_table("Some test pictures, in one pass", {"clean": last}))
        typer.echo(f"scores along the way: {training_folder(out) / 'trajectory.png'}")
