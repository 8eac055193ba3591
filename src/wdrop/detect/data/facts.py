"""What one should know of a detection set before using it, and how much of it is here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, final


@final
@dataclass(frozen=True)
class Facts:
    """A data set in general.

    image_size  width and height, as documented; for SynScapes, NightOwls and nuImages no original was at hand
    published   the paper's numbers of pictures and objects, by split
    top_n       boxes kept per pass in the published evaluation, more or less in proportion to the objects a picture
    """

    title: str
    place: str
    image_size: str
    kind: Literal["real", "synthetic", "yours"]
    split: str
    licence: str
    home: str
    published: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    top_n: int = 64
    note: str = ""


FACTS: Mapping[str, Facts] = MappingProxyType(
    {
        "kitti": Facts(
            "KITTI",
            "metropolitan area of Karlsruhe",
            "1242 x 375, a little less in some drives",
            "real",
            "by drives (the paper: semi-custom, sequence-based, not published)",
            "CC BY-NC-SA 3.0",
            "https://www.cvlibs.net/datasets/kitti",
            {"train": (3622, 15254), "test": (3387, 12673)},
            top_n=64,
            note="weights trained on it are for non-commercial use",
        ),
        "synscapes": Facts(
            "SynScapes",
            "simulation, urban scenes only",
            "1440 x 720",
            "synthetic",
            "random (the paper's lists if train.txt and test.txt hold them, else our own)",
            "own terms, see its home",
            "https://synscapes.on.liu.se",
            {"train": (19998, 906827), "test": (4998, 226390)},
            top_n=128,
        ),
        "a2d2": Facts(
            "A2D2",
            "highways and cities in Germany",
            "1920 x 1208",
            "real",
            "custom, by sequences",
            "CC BY-ND 4.0",
            "https://www.a2d2.audi",
            {"train": (22731, 121320), "test": (4186, 36544)},
            top_n=25,
            note="boxes are derived from the segmentation",
        ),
        "nightowls": Facts(
            "NightOwls",
            "several cities across Europe, at night",
            "1024 x 640",
            "real",
            "pre-defined",
            "own terms, no redistribution",
            "https://www.nightowls-dataset.org",
            {"train": (30064, 50225), "test": (6595, 10766)},
            top_n=4,
            note="no cars: its only vehicles are motorbikes",
        ),
        "nuimages": Facts(
            "nuImages",
            "Boston and three areas of Singapore",
            "1600 x 900",
            "real",
            "pre-defined",
            "CC BY-NC-SA 4.0, nuScenes terms",
            "https://www.nuscenes.org/nuimages",
            {"train": (58803, 410462), "test": (14377, 97014)},
            top_n=18,
            note="boxes also hold what is hidden; bicycles and motorcycles include their riders",
        ),
        "bdd100k": Facts(
            "BDD100k",
            "New York, San Francisco Bay, Berkeley",
            "1280 x 720",
            "real",
            "pre-defined",
            "BDD100K licence: research, not for profit",
            "https://bdd-data.berkeley.edu",
            {"train": (69281, 843963), "test": (9919, 123752)},
            top_n=32,
        ),
        "virtual_kitti": Facts(
            "Virtual KITTI",
            "simulation of KITTI's drives",
            "1242 x 375",
            "synthetic",
            "first seven tenths of the frames, rest",
            "CC BY-NC-SA 3.0",
            "https://europe.naverlabs.com/research/computer-vision/proxy-virtual-worlds",
            note="a stand-in, not in the paper; cars only",
        ),
        "carla": Facts(
            "CARLA object detection",
            "simulation, Town01 to Town05",
            "640 x 380",
            "synthetic",
            "pre-defined",
            "MIT",
            "https://github.com/DanielHfnr/Carla-Object-Detection-Dataset",
            note="a stand-in, not in the paper; no pedestrians",
        ),
        "rendered": Facts(
            "Rendered scenes",
            "drawn by wdrop itself",
            "as asked for",
            "synthetic",
            "as many as asked for",
            "MIT, as wdrop",
            "none needed",
            note="for trying things out: a score on it says nothing about streets",
        ),
        "coco": Facts("COCO JSON", "your own", "yours", "yours", "train.json, test.json", "yours", "your disk"),
        "yolo": Facts("YOLO folders", "your own", "yours", "yours", "train, test", "yours", "your disk"),
    }
)


def top_n_for(name: str) -> int:
    """The boxes that the published evaluation keeps per pass on the set of that name; on any other as on KITTI."""
    return FACTS.get(name, FACTS["kitti"]).top_n
