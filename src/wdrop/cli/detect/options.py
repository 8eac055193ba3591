"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Model = Annotated[Path, typer.Argument(help="A detector's file, as `wdrop detect train` writes it.")]
Data = Annotated[
    str,
    typer.Option(
        help="kitti, rendered, ... (`wdrop data list --kind detection`), or a folder in COCO's or YOLO's layout."
    ),
]
Folder = Annotated[Path | None, typer.Option(help="Where the data set lies, if not in $WDROP_DATA or the cache.")]
NPictures = Annotated[int | None, typer.Option(min=1, help="At most so many pictures, spread over the set.")]
Bad = Annotated[str, typer.Option(help="Wrong entries: refuse (stop at the first) or skip (leave out, and say so).")]
Verify = Annotated[
    bool,
    typer.Option("--verify", help="Read every picture whole at the start: damage beyond its header is a wrong entry."),
]
How = Annotated[str, typer.Option(help="samples (draws, clustered) or closed_form (one pass).")]
Clustering = Annotated[
    str | None, typer.Option(help="kmeans (as published, if not told) or hdbscan, with --how samples.")
]
Draws = Annotated[
    int | None, typer.Option(min=2, help="Draws of the last dropout, with --how samples; 50 if not told.")
]
TopN = Annotated[int, typer.Option(min=1, help="Anchors looked at in each draw, best first.")]
Seed = Annotated[int, typer.Option(help="Name of the random streams; another seed, another run.")]
Device = Annotated[str, typer.Option(help="auto (a GPU if there is one), cpu, cuda, ...")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
