"""Data sets made up in their native layouts: tiny pictures, known objects, and one fault of each kind if asked for."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

Box = tuple[float, float, float, float]
WIDTH, HEIGHT = 70, 40  # the network input's shape, so that a crop would keep all
FAULTS = (
    "corrupt picture", "missing picture", "no objects", "partly outside", "outside", "zero area", "unknown class",
    "not a number", "inverted",
)  # fmt: skip
REFUSED = ("corrupt picture", "missing picture", "unknown class", "not a number", "inverted")


@dataclass
class Made:
    """One picture to write: its number, the group of each object and its corners; None stands for a fault there."""

    number: int
    split: str
    objects: list[tuple[str, Any]]
    fault: str | None = None


@dataclass(frozen=True)
class Layout:
    """How one data set is written: its words for three groups and for what it leaves out, and its writer."""

    words: dict[str, str]
    write: Callable[[Path, Sequence[Made], dict[str, str]], None]
    width: int = WIDTH
    options: dict[str, Any] = field(default_factory=dict)


def plan(n_train: int, n_test: int, faults: Sequence[str] = (), *, width: int = WIDTH) -> list[Made]:
    """So many pictures with two objects and one that is left out each; the first training ones are faulty."""
    groups = ("pedestrian", "cyclist", "vehicle")
    pictures = []
    for number in range(n_train + n_test):
        objects: list[tuple[str, Any]] = [
            (groups[number % 3], (4.0, 5.0, 14.0, 25.0)),
            (groups[(number + 1) % 3], (20.0, 8.0, 50.0, 30.0)),
            ("left out", (30.0, 2.0, 36.0, 9.0)),
        ]
        fault = faults[number] if number < len(faults) else None
        extra = {
            "partly outside": ("vehicle", (-9.0, 20.0, 8.0, 33.0)),
            "outside": ("vehicle", (width + 5.0, 3.0, width + 20.0, 12.0)),
            "zero area": ("vehicle", (20.0, 9.0, 20.0, 19.0)),
            "unknown class": ("unknown", (3.0, 3.0, 9.0, 9.0)),
            "not a number": ("vehicle", None),
            "inverted": ("vehicle", (30.0, 9.0, 20.0, 19.0)),
        }
        if fault in extra:
            objects.append(extra[fault])
        if fault == "no objects":
            objects = []
        pictures.append(Made(number, "train" if number < n_train else "test", objects, fault))
    return pictures


def expected_objects(pictures: Sequence[Made], split: str) -> int:
    """How many objects should come through."""
    lost = ("corrupt picture", "missing picture", "no objects")
    chosen = [made for made in pictures if made.split == split and made.fault not in lost]
    return 2 * len(chosen) + sum(made.fault == "partly outside" for made in chosen)


def picture(path: Path, made: Made, width: int = WIDTH, height: int = HEIGHT) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if made.fault == "missing picture":
        return
    if made.fault == "corrupt picture":
        path.write_bytes(b"\x89PNG\r\n\x1a\n and then nothing that makes sense")
        return
    pixels = np.full((height, width, 3), made.number % 256, dtype=np.uint8)
    Image.fromarray(pixels).save(path)


def text(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def _corners(box: Any, scale: float = 1.0) -> list[Any]:
    return ["a", 1, 2, 3] if box is None else [scale * side for side in box]


def _sized(box: Any) -> list[Any]:
    return ["a", 1, 2, 3] if box is None else [box[0], box[1], box[2] - box[0], box[3] - box[1]]


def kitti_line(word: str, corners: Sequence[Any]) -> str:
    return f"{word} 0.00 0 -1.5 {' '.join(map(str, corners))} 1.5 1.6 3.7 1.0 1.5 20.0 1.57\n"


def write_kitti(root: Path, pictures: Sequence[Made], words: dict[str, str]) -> None:
    for made in pictures:
        picture(root / f"training/image_2/{made.number:06}.png", made)
        lines = "".join(kitti_line(words[group], _corners(box)) for group, box in made.objects)
        text(root / f"training/label_2/{made.number:06}.txt", lines)
    for split, name in (("train", "train.txt"), ("test", "val.txt")):
        text(root / "ImageSets" / name, "".join(f"{made.number:06}\n" for made in pictures if made.split == split))


def write_virtual_kitti(root: Path, pictures: Sequence[Made], words: dict[str, str]) -> None:
    for made in pictures:
        picture(root / f"training/image_2/{made.number:06}.jpg", made, 138, 42)  # a ninth of 1242 x 375
        lines = "".join(kitti_line(words[group], _corners(box, 9)) for group, box in made.objects)
        text(root / f"training/label_2/{made.number:06}.txt", lines)


def write_synscapes(root: Path, pictures: Sequence[Made], words: dict[str, str]) -> None:
    for made in pictures:
        picture(root / f"img/rgb/{made.number + 1}.png", made)
        boxes, classes = {}, {}
        for i, (group, box) in enumerate(made.objects):
            left, top, right, bottom = _corners(box)
            relative = [left if box is None else left / WIDTH, top / HEIGHT, right / WIDTH, bottom / HEIGHT]
            boxes[str(i)] = dict(zip(("xmin", "ymin", "xmax", "ymax"), relative, strict=True))
            classes[str(i)] = int(words[group])
        meta = {
            "camera": {"intrinsic": {"resx": WIDTH, "resy": HEIGHT}},
            "instance": {"bbox2d": boxes, "class": classes, "occluded": dict.fromkeys(boxes, 0.0)},
        }
        text(root / f"meta/{made.number + 1}.json", json.dumps(meta))
    for split in ("train", "test"):
        text(root / f"{split}.txt", "".join(f"{made.number + 1}\n" for made in pictures if made.split == split))


LENS = {
    "CamMatrix": [[60.0, 0, 35.0], [0, 60.0, 20.0], [0, 0, 1]],
    "CamMatrixOriginal": [[60.0, 0, 35.0], [0, 60.0, 20.0], [0, 0, 1]],
    "Distortion": [[0.0, 0, 0, 0, 0]],
    "Resolution": [WIDTH, HEIGHT],
}
A2D2_SCENES = {"train": "20180807_145028", "test": "20181008_095521"}


def write_a2d2(root: Path, pictures: Sequence[Made], words: dict[str, str]) -> None:
    text(root / "cams_lidars.json", json.dumps({"cameras": {"front_center": LENS}}))
    for made in pictures:
        scene = root / "camera_lidar_semantic_bboxes" / A2D2_SCENES[made.split]
        picture(scene / f"camera/cam_front_center/1_camera_frontcenter_{made.number:09}.png", made)
        boxes = {
            f"box_{i}": {"2d_bbox": _corners(box), "class": words[group]} for i, (group, box) in enumerate(made.objects)
        }
        text(scene / f"label3D/cam_front_center/1_label3D_frontcenter_{made.number:09}.json", json.dumps(boxes))


def coco_content(pictures: Sequence[Made], words: dict[str, str], ending: str = "png") -> dict[str, Any]:
    numbers = {group: i for i, group in enumerate(words)} | {"unknown": 77}
    return {
        "images": [
            {"id": made.number, "file_name": f"{made.number:024x}.{ending}", "width": WIDTH, "height": HEIGHT}
            for made in pictures
        ],
        "annotations": [
            {"id": 10 * made.number + i, "image_id": made.number, "category_id": numbers[group], "bbox": _sized(box)}
            for made in pictures
            for i, (group, box) in enumerate(made.objects)
        ],
        "categories": [{"id": numbers[group], "name": word} for group, word in words.items() if group != "unknown"],
    }


def write_nightowls(root: Path, pictures: Sequence[Made], words: dict[str, str]) -> None:
    for split, name in (("train", "nightowls_training"), ("test", "nightowls_validation")):
        chosen = [made for made in pictures if made.split == split]
        for made in chosen:
            picture(root / name / f"{made.number:024x}.png", made)
        text(root / f"{name}.json", json.dumps(coco_content(chosen, words)))


def write_coco(root: Path, pictures: Sequence[Made], words: dict[str, str]) -> None:
    for split in ("train", "test"):
        chosen = [made for made in pictures if made.split == split]
        for made in chosen:
            picture(root / "images" / split / f"{made.number:024x}.png", made)
            made.objects = [(group, box) for group, box in made.objects if group != "left out"]
        own = {group: word for group, word in words.items() if group != "left out"}
        text(root / "annotations" / f"{split}.json", json.dumps(coco_content(chosen, own)))


def write_nuimages(root: Path, pictures: Sequence[Made], words: dict[str, str]) -> None:
    for split, version in (("train", "v1.0-train"), ("test", "v1.0-val")):
        chosen = [made for made in pictures if made.split == split]
        tables: dict[str, list[dict[str, Any]]] = {"category": [], "sample_data": [], "object_ann": []}
        for group, word in words.items():
            if group != "unknown":
                tables["category"].append({"token": f"c-{group}", "name": word})
        for made in chosen:
            frame = {"token": f"s-{made.number}", "width": WIDTH, "height": HEIGHT, "is_key_frame": True}
            name = f"samples/CAM_FRONT/{made.number}.png"
            sweep = {"token": f"w-{made.number}", "filename": "sweeps/none.jpg", "is_key_frame": False}
            tables["sample_data"] += [frame | {"filename": name}, sweep]
            picture(root / name, made)
            tables["object_ann"] += [
                {"sample_data_token": frame["token"], "category_token": f"c-{group}", "bbox": _corners(box)}
                for group, box in made.objects
            ]
        for name, rows in tables.items():
            text(root / version / f"{name}.json", json.dumps(rows))


def write_bdd100k(root: Path, pictures: Sequence[Made], words: dict[str, str]) -> None:
    for split, own in (("train", "train"), ("test", "val")):
        frames = []
        for made in [made for made in pictures if made.split == split]:
            picture(root / f"images/100k/{own}/{made.number}.png", made)
            labels: list[dict[str, Any]] = [
                {"category": words[group], "box2d": dict(zip(("x1", "y1", "x2", "y2"), _corners(box), strict=True))}
                for group, box in made.objects
            ]
            lane = {"category": "lane", "poly2d": []}
            frames.append({"name": f"{made.number}.png"} | ({"labels": [*labels, lane]} if labels else {}))
        text(root / f"labels/det_20/det_{own}.json", json.dumps(frames))


def write_carla(root: Path, pictures: Sequence[Made], words: dict[str, str]) -> None:
    for made in pictures:
        picture(root / f"images/{made.split}/Town_{made.number}.png", made)
        objects = ""
        for group, box in made.objects:
            sides = zip(("xmin", "ymin", "xmax", "ymax"), _corners(box), strict=True)
            corners = "".join(f"<{side}>{value}</{side}>" for side, value in sides)
            objects += f"<object><name>{words[group]}</name><bndbox>{corners}</bndbox></object>\n"
        size = f"<size><width>{WIDTH}</width><height>{HEIGHT}</height></size>"
        text(root / f"labels/{made.split}/Town_{made.number}.xml", f"<annotation>{size}\n{objects}</annotation>")


def write_yolo(root: Path, pictures: Sequence[Made], words: dict[str, str]) -> None:
    names = [group for group in words if group not in ("left out", "unknown")]
    text(root / "classes.txt", "\n".join(words[group] for group in names) + "\n")
    for made in pictures:
        made.objects = [(group, box) for group, box in made.objects if group != "left out"]
        picture(root / f"images/{made.split}/{made.number}.png", made)
        lines = []
        for group, box in made.objects:
            number = names.index(group) if group in names else 77
            left, top, width, height = _sized(box)
            relative = ["a"] if box is None else [(left + width / 2) / WIDTH]
            relative += [(top + height / 2) / HEIGHT, width / WIDTH, height / HEIGHT]
            lines.append(f"{number} {' '.join(map(str, relative))}\n")
        if made.number % 2 or lines:  # without objects: an empty file or none
            text(root / f"labels/{made.split}/{made.number}.txt", "".join(lines))


def _words(pedestrian: str, cyclist: str, vehicle: str, left_out: str, unknown: str = "Unicorn") -> dict[str, str]:
    return {
        "pedestrian": pedestrian, "cyclist": cyclist, "vehicle": vehicle, "left out": left_out, "unknown": unknown,
    }  # fmt: skip


LAYOUTS = {
    "kitti": Layout(_words("Pedestrian", "Cyclist", "Car", "DontCare"), write_kitti, options={"crop": None}),
    "virtual_kitti": Layout(
        _words("Pedestrian", "Cyclist", "Car", "DontCare"), write_virtual_kitti, 138, options={"crop": None}
    ),
    "synscapes": Layout(_words("24", "33", "26", "31", "99"), write_synscapes),
    "a2d2": Layout(_words("Pedestrian", "Cyclist", "VanSUV", "Animal"), write_a2d2, options={"boxes": "label3D"}),
    "nightowls": Layout(_words("pedestrian", "bicycledriver", "motorbikedriver", "ignore"), write_nightowls),
    "nuimages": Layout(
        _words("human.pedestrian.adult", "vehicle.bicycle", "vehicle.car", "movable_object.trafficcone"), write_nuimages
    ),
    "bdd100k": Layout(_words("pedestrian", "bicycle", "car", "traffic light"), write_bdd100k),
    "carla": Layout(_words("vehicle", "bike", "motobike", "traffic_light"), write_carla),
    "coco": Layout(_words("person", "bicycle", "car", "-"), write_coco),
    "yolo": Layout(_words("person", "bicycle", "car", "-"), write_yolo),
}


def build(name: str, root: Path, n_train: int, n_test: int, faults: Sequence[str] = ()) -> list[Made]:
    """Write the tree and return what is in it."""
    layout = LAYOUTS[name]
    pictures = plan(n_train, n_test, faults, width=layout.width)
    layout.write(root, pictures, layout.words)
    return pictures
