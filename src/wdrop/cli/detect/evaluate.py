from typing import Annotated, Any

import typer

from wdrop._json import json_text
from wdrop.cli.detect.bars import bar, tell
from wdrop.cli.detect.options import (
    AsJson,
    Bad,
    Clustering,
    Data,
    Device,
    Draws,
    Folder,
    How,
    Model,
    NPictures,
    Seed,
    Verify,
)


def evaluate(
    model: Model,
    data: Data,
    split: Annotated[str, typer.Option(help="train or test.")] = "test",
    corruption: Annotated[
        list[str] | None,
        typer.Option(help="Judge corrupted pictures too, e.g. defocus-blur or gaussian-noise:3; may be repeated."),
    ] = None,
    how: How = "samples",
    draws: Draws = None,
    clustering: Clustering = None,
    top_n: Annotated[
        int | None,
        typer.Option(min=1, help="Anchors looked at in each draw, best first; as published for this data if not told."),
    ] = None,
    repeats: Annotated[int, typer.Option(min=0, help="Of the bootstrap behind intervals, in the JSON; 0: none.")] = 0,
    folder: Folder = None,
    n_pictures: NPictures = None,
    bad: Bad = "refuse",
    verify: Verify = False,
    seed: Seed = 0,
    device: Device = "auto",
    as_json: AsJson = False,
) -> None:
    """Match boxes with objects and score them, on clean pictures and on corrupted ones."""
    from wdrop.cli.detect.opening import inference_for, loaded, opened
    from wdrop.cli.tables import print_table
    from wdrop.detect.data.facts import top_n_for
    from wdrop.detect.data.thinned import Thinned
    from wdrop.detect.scores.corruptions import variants
    from wdrop.detect.scores.judged import judged
    from wdrop.report.detection.scores import scores_table

    if repeats == 1:
        raise ValueError("expected --repeats of at least 2, or 0 for no intervals, got 1")
    inference = inference_for(how, draws=draws, clustering=clustering, top_n=top_n or top_n_for(data))
    net, facts = loaded(model, device)
    inference = inference.following(facts)
    size = net.architecture.size
    whole = opened(data, split, size, folder=folder, n_pictures=n_pictures, bad=bad, verify=verify)
    samples = Thinned(whole, n_pictures) if n_pictures else whole
    if not set(samples.class_names) & set(net.architecture.classes):
        tell(
            f"no class in common: the detector knows {', '.join(net.architecture.classes)}, {samples.name} has "
            f"{', '.join(samples.class_names)}; boxes are matched all the same, recall is 0"
        )
    told: dict[str, dict[str, Any]] = {}
    for name, pictures in variants(samples, corruption or []).items():
        with bar(name) as progress:
            told[name] = judged(net, pictures, inference, name=name, n_repeats=repeats, seed=seed, progress=progress)
    title = f"{samples.name}, {split}, top {inference.top_n}, {how}" + (
        f", {inference.clustering}" if how == "samples" else ""
    )
    if as_json:
        typer.echo(json_text({"detector": str(model), "pictures": title, "scores": told}))
    else:
        print_table(scores_table(title, told, "Scores are of the matched boxes: read matched and recall beside them."))
