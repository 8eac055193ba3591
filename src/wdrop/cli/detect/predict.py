from pathlib import Path
from typing import Annotated

import typer

from wdrop.cli.detect.bars import bar
from wdrop.cli.detect.options import Clustering, Device, Draws, How, Model, Seed, TopN
from wdrop.cli.files import Force


def predict(
    model: Model,
    pictures: Annotated[list[Path], typer.Argument(help="Picture files, or folders of them.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for PNGs and detections.json.")] = Path("detections"),
    how: How = "samples",
    draws: Draws = None,
    clustering: Clustering = None,
    top_n: TopN = 64,
    min_score: Annotated[float, typer.Option(help="Boxes of a lower score are left out.")] = 0.3,
    crop: Annotated[
        bool | None, typer.Option("--crop/--whole", help="Look at the middle only; as in training if not told.")
    ] = None,
    seed: Seed = 0,
    device: Device = "auto",
    force: Force = False,
) -> None:
    """Find objects in pictures: PNGs with bands of one and two stds, and COCO JSON with the stds."""
    from wdrop.cli.detect.opening import checked_device, inference_for
    from wdrop.files.predict_pictures import Drawn, predict_pictures

    inference = inference_for(how, draws=draws, clustering=clustering, top_n=top_n)
    empty = []
    with bar("pictures") as progress:

        def tell(done: int, total: int, drawn: Drawn) -> None:
            typer.echo(f"{drawn.picture}: {drawn.n_boxes} boxes of score {min_score:g} or more, drawn in {drawn.place}")
            progress(done, total)
            if not drawn.n_boxes:
                empty.append(drawn)

        table = predict_pictures(
            model,
            pictures,
            out,
            inference,
            crop=crop,
            min_score=min_score,
            seed=seed,
            device=checked_device(device),
            force=force,
            progress=tell,
        )
    if empty:
        typer.echo("boxes of a lower score than --min-score stay away")
        if how == "samples":
            typer.echo(f"so do boxes on which fewer than {inference.smallest} of {inference.n_draws} draws agree")
    typer.echo(f"all boxes with their stds: {table}")
