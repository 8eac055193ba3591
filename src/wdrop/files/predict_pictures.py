"""Objects in a user's own pictures: each drawn with its error bars, all told in one file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from wdrop._outputs import check_folder, check_results
from wdrop.detect.data.reading.pictures import in_folders, open_picture
from wdrop.detect.files.coco_export import FoundIn, coco_text
from wdrop.detect.files.detector_file import load_detector
from wdrop.detect.files.outputs import drawing_places
from wdrop.detect.finding.in_files import check_score, detect_in_file
from wdrop.detect.finding.inference import Inference
from wdrop.nets.training import device_for
from wdrop.report.detection.boxes import drawn_png
from wdrop.report.page import write_whole


class Drawn(NamedTuple):
    """A picture, where it was drawn, and with how many boxes."""

    picture: Path
    place: Path
    n_boxes: int


def predict_pictures(
    model: Path,
    pictures: Sequence[Path],
    out: Path,
    inference: Inference,
    *,
    crop: bool | None = None,
    min_score: float = 0.3,
    seed: int = 0,
    device: str = "auto",
    force: bool = False,
    progress: Callable[[int, int, Drawn], None] = lambda done, total, drawn: None,
) -> Path:
    """Draw each picture into the folder, with bands of one and two stds, and give the file that tells all boxes.

    pictures  files, and folders in place of all pictures in them
    crop      looks at the middle only, see `detect_in_file`; None does as in training
    min_score boxes of a lower one are left out

    A picture that cannot be read, and a result that would be written over, are refused before the first is written.
    """
    check_score(min_score)
    pictures = in_folders(pictures)
    net, facts = load_detector(model)
    net.to(device_for(device))
    inference = inference.following(facts)
    cropped = bool(facts.get("crop")) if crop is None else crop
    places, table = drawing_places(pictures, out), out / "detections.json"
    check_results([*places, table], [model, *pictures], force=force)
    for path in pictures:
        open_picture(path)
    check_folder(out)
    found = []
    for number, (path, place) in enumerate(zip(pictures, places, strict=True), 1):
        detections, sample = detect_in_file(net, path, inference, crop=cropped, min_score=min_score, seed=seed)
        found.append(FoundIn(path.name, sample.size, detections))
        write_whole(place, drawn_png(sample.image, detections, net.architecture.classes))
        progress(number, len(pictures), Drawn(path, place, len(detections)))
    write_whole(table, coco_text(found, net.architecture.classes))
    return table
