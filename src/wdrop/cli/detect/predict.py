from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from wdrop.cli.detect.bars import bar
from wdrop.cli.detect.options import Clustering, Device, Draws, How, Model, Seed, TopN
from wdrop.cli.files import Force


def predict(
    model: Model,
    pictures: Annotated[list[Path], typer.Argument(help="Picture files.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for PNGs and detections.json.")] = Path("detections"),
    how: How = "samples",
    draws: Draws = 50,
    clustering: Clustering = "kmeans",
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
    from wdrop._outputs import check_folder, check_results
    from wdrop.cli.detect.opening import loaded
    from wdrop.detect.data.reading.pictures import open_picture
    from wdrop.detect.files.coco_export import FoundIn, coco_text
    from wdrop.detect.files.outputs import drawing_places
    from wdrop.detect.finding.in_files import detect_in_file
    from wdrop.detect.finding.inference import Inference
    from wdrop.report.detection.boxes import drawn_png
    from wdrop.report.page import write_whole

    inference = Inference(how=how, n_draws=draws, clustering=clustering, top_n=top_n)
    net, facts = loaded(model, device)
    inference = replace(inference, as_published=bool(facts.get("as_published")))
    cropped = bool(facts.get("crop")) if crop is None else crop
    classes = net.architecture.classes
    places, table = drawing_places(pictures, out), out / "detections.json"
    check_results([*places, table], [model, *pictures], force=force)
    for path in pictures:
        open_picture(path)  # a bad one is told before the first result is written
    check_folder(out)
    found = []
    with bar("pictures") as progress:
        for number, (path, place) in enumerate(zip(pictures, places, strict=True), 1):
            detections, sample = detect_in_file(net, path, inference, crop=cropped, min_score=min_score, seed=seed)
            found.append(FoundIn(path.name, sample.size, detections))
            write_whole(place, drawn_png(sample.image, detections, classes))
            typer.echo(f"{path}: {len(detections)} boxes of score {min_score:g} or more, drawn in {place}")
            progress(number, len(pictures))
    if not all(len(one.detections) for one in found):
        typer.echo("boxes of a lower score than --min-score stay away")
        if how == "samples":
            typer.echo(f"so do boxes on which fewer than {inference.smallest} of {draws} draws agree")
    write_whole(table, coco_text(found, classes))
    typer.echo(f"all boxes with their stds: {table}")
