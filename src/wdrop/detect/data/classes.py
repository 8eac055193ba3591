"""What the data sets' own words mean: three classes, shared by all, so that a net moves between sets.

The groups are the paper's (its appendix on object detection). None: known and left out.
"""

from collections.abc import Mapping
from types import MappingProxyType

CLASSES = ("pedestrian", "cyclist", "vehicle")

Words = Mapping[str, str | None]


def _words(
    pedestrian: tuple[str, ...], cyclist: tuple[str, ...], vehicle: tuple[str, ...], left_out: tuple[str, ...]
) -> Words:
    groups = {"pedestrian": pedestrian, "cyclist": cyclist, "vehicle": vehicle, None: left_out}
    return MappingProxyType({word: group for group, words in groups.items() for word in words})


KITTI = _words(
    pedestrian=("Pedestrian",),
    cyclist=("Cyclist",),
    vehicle=("Car",),
    left_out=("Van", "Truck", "Tram", "Person_sitting", "Misc", "DontCare"),  # as SqueezeDet leaves them out
)
SYNSCAPES = _words(  # Cityscapes numbers
    pedestrian=("24",),
    cyclist=("33",),
    vehicle=("26", "27", "28", "32"),  # car, truck, bus, motorcycle
    left_out=("25", "31"),  # rider (unused there), train
)
A2D2 = _words(  # the words of its segmentation, for which the paper names car and truck only, and of its 3D boxes
    pedestrian=("Pedestrian",),
    cyclist=("Cyclist", "Bicycle"),
    vehicle=(
        "Car", "Truck", "VanSUV", "Bus", "MotorBiker", "Motorcycle", "UtilityVehicle", "CaravanTransporter", "Trailer",
        "EmergencyVehicle",
    ),
    left_out=("Small vehicles", "Utility vehicle", "Tractor", "Animal"),
)  # fmt: skip
NIGHTOWLS = _words(
    pedestrian=("pedestrian",), cyclist=("bicycledriver",), vehicle=("motorbikedriver",), left_out=("ignore",)
)
NUIMAGES = _words(
    pedestrian=tuple(
        f"human.pedestrian.{kind}"
        for kind in (
            "adult", "child", "construction_worker", "personal_mobility", "police_officer", "stroller", "wheelchair"
        )
    ),
    cyclist=("vehicle.bicycle",),
    vehicle=tuple(
        f"vehicle.{kind}"
        for kind in (
            "bus.bendy", "bus.rigid", "car", "construction", "emergency.ambulance", "emergency.police", "motorcycle",
            "trailer", "truck", "ego",
        )
    ),
    left_out=(
        "animal", "movable_object.barrier", "movable_object.debris", "movable_object.pushable_pullable",
        "movable_object.trafficcone", "static_object.bicycle_rack", "flat.driveable_surface",
    ),
)  # fmt: skip
BDD100K = _words(  # the words of the 2018 and the 2020 release
    pedestrian=("pedestrian", "person", "other person"),
    cyclist=("bicycle", "bike"),
    vehicle=("car", "truck", "bus", "motorcycle", "motor", "trailer", "other vehicle"),
    left_out=("train", "rider", "traffic light", "traffic sign"),
)
CARLA = _words(
    pedestrian=(), cyclist=("bike",), vehicle=("vehicle", "motobike"), left_out=("traffic_light", "traffic_sign")
)
WORDS: Mapping[str, Words] = MappingProxyType(
    {
        "kitti": KITTI, "synscapes": SYNSCAPES, "a2d2": A2D2, "nightowls": NIGHTOWLS, "nuimages": NUIMAGES,
        "bdd100k": BDD100K, "virtual_kitti": KITTI, "carla": CARLA,
    }
)  # fmt: skip


def harmonisation_rows() -> list[dict[str, str]]:
    """The table of what each set's words mean: a row a set, a column a class and one for what is left out."""
    return [
        {"data set": name, **{group: _of(words, group) for group in CLASSES}, "left out": _of(words, None)}
        for name, words in WORDS.items()
    ]


def _of(words: Words, group: str | None) -> str:
    return ", ".join(word for word, meaning in words.items() if meaning == group) or "–"
