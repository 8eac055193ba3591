import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from detect.native_trees import build
from PIL import Image

from wdrop.cli.app import run
from wdrop.detect.data import DETECTION_DATASETS, Frame, RenderedSet, Sample

SMALL = ["--size", "96x64", "--batch", "2", "--optimiser", "adam", "--device", "cpu"]
ONE_PASS = ["--how", "closed_form"]
TRAIN = ["detect", "train", "--data", "rendered", "--n-pictures", "4", "--loss", "closed_form", *SMALL]


@pytest.fixture(autouse=True)
def _nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def wdrop(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["wdrop", *arguments])
        with pytest.raises(SystemExit) as ended:
            run()
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, shown.err


def test_twenty_steps_then_evaluate_and_predict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = wdrop(*TRAIN, "--steps", "20", "--every", "10", "--watched", "2", "-o", "model", capsys=capsys)
    assert code == 0
    assert err.startswith("wdrop: no pretrained backbone")
    parts = ", ".join(f"{name} [0-9]+[.][0-9]{{3}}" for name in ("box", "confidence", "classes"))
    lines = [
        f"wdrop: step 10 of 20: {parts}; 0:[0-9]{{2}}:[0-9]{{2}} to go",
        f"wdrop: step 20 of 20: {parts}; 0:00:00 to go",
    ]
    assert re.fullmatch("\n".join(lines), "\n".join(err.splitlines()[1:]))  # in a batch job the only sign of life
    assert "model: trained on 4 pictures of rendered; loss" in out
    beside = tmp_path / "model.training"
    assert sorted(path.name for path in beside.iterdir()) == [
        "checkpoint.safetensors", "trajectory.json", "trajectory.png",
    ]  # fmt: skip
    assert list(json.loads((beside / "trajectory.json").read_text())["steps"]) == ["10", "20"]

    code, _, err = wdrop(*TRAIN, "--steps", "20", "-o", "model", capsys=capsys)
    assert (code, err.count("\n")) == (2, 1)
    assert "a training has begun here; go on from it with --resume" in err
    code, out, _ = wdrop(*TRAIN, "--steps", "20", "-o", "model", "--resume", "--json", capsys=capsys)
    assert (code, json.loads(out)["detector"]) == (0, "model")

    judge = ["detect", "evaluate", "model", "--data", "rendered", "--n-pictures", "2", "--how", "closed_form"]
    noisy = ["--corruption", "gaussian-noise:3"]
    code, out, err = wdrop(*judge, *noisy, "--repeats", "3", "--json", capsys=capsys)
    assert (code, err) == (0, "")
    told = json.loads(out)["scores"]
    assert list(told) == ["clean", "gaussian-noise 3"]
    assert told["clean"]["n_pictures"] == 2
    assert len(told["clean"]["intervals"]["recall"]) == 2
    code, out, _ = wdrop(*judge, capsys=capsys)
    assert "read matched and recall beside them" in out

    scene = RenderedSet("test", 1)[0]
    Image.fromarray(scene.image).save("street.png")
    for how, draws in {"samples": ["--draws", "5"], "closed_form": []}.items():
        options = ["--how", how, *draws, "--min-score", "0", "-o", how]
        code, out, err = wdrop("detect", "predict", "model", "street.png", *options, capsys=capsys)
        assert (code, err) == (0, "")
        with Image.open(tmp_path / how / "street.png") as picture:
            assert picture.size == (4 * 336, 4 * 192)
        found = json.loads((tmp_path / how / "detections.json").read_text())
        assert found["annotations"]
        assert all(len(entry["centre_std"]) == 4 for entry in found["annotations"])


def test_a_short_training_is_looked_at_ten_times_unless_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert wdrop(*TRAIN, "--steps", "21", "--watched", "1", "-o", "model", capsys=capsys)[0] == 0
    looks = json.loads((tmp_path / "model.training/trajectory.json").read_text())["steps"]
    assert list(looks) == [*map(str, range(2, 21, 2)), "21"]


def test_a_detector_that_learns_as_published_is_judged_as_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from wdrop.detect.data.thinned import Thinned
    from wdrop.detect.files.detector_file import load_detector
    from wdrop.detect.finding.inference import Inference
    from wdrop.detect.scores.evaluated import evaluated
    from wdrop.detect.scores.evaluation import scores

    train = [*TRAIN, "--steps", "4", "--every", "4", "--watched", "2", "--as-published", "--json", "-o", "model"]
    code, out, _ = wdrop(*train, capsys=capsys)
    along = json.loads(out)["scores"]
    judge = ["detect", "evaluate", "model", "--data", "rendered", "--n-pictures", "4", "--how", "closed_form", "--json"]
    told = json.loads(wdrop(*judge, capsys=capsys)[1])["scores"]["clean"]
    net, facts = load_detector(tmp_path / "model")
    assert (code, facts["as_published"], facts["training"]["loss"]["as_published"]) == (0, True, True)

    scenes, plain = RenderedSet("test", 4), Inference(how="closed_form")
    published = replace(plain, as_published=True)
    matches = evaluated(net, scenes, published)
    assert told == pytest.approx(scores(matches, as_published=True), nan_ok=True)
    usual = evaluated(net, scenes, plain)
    assert told["miou"] != pytest.approx(scores(usual)["miou"])
    looked_at = scores(evaluated(net, Thinned(scenes, 2), published), as_published=True)
    assert along == pytest.approx(looked_at, nan_ok=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "--data", "kiti", "-o", "m"], "unknown detection data set 'kiti', did you mean 'kitti'?"),
        (["train", "--data", "rendered", "-o", "m", "--loss", "w"], "unknown loss 'w'"),
        (["train", "--data", "rendered", "-o", "m", "--rate", "0"], "expected a learning rate above 0, got 0.0"),
        (["train", "--data", "rendered", "-o", "m", "--size", "100x100"], "expected an input size divisible by 16"),
        (["train", "--data", "rendered", "-o", "m", "--device", "tpu9"], "expected a device that is here, got 'tpu9'"),
        (["evaluate", "nothing", "--data", "rendered", "--repeats", "1"], "expected --repeats of at least 2, or 0"),
        (
            ["train", "--data", "rendered", "-o", "m", "--weights", "w.npz"],
            "w.npz: expected a weights file, got none there",
        ),
        (["predict", "broken.jpg", "broken.jpg"], "broken.jpg: expected a detector file, got one cut off"),
        (["predict", "broken.jpg", "b.jpg", "--min-score", "nan"], "expected a lowest score from 0 to 1, got nan"),
        (["predict", "broken.jpg", "b.jpg", "--min-score", "7"], "expected a lowest score from 0 to 1, got 7.0"),
        (["predict", "broken.jpg", "b.jpg", "--draws", "4"], "expected at least 5 draws, as clusters with fewer boxes"),
        (
            ["predict", "broken.jpg", "b.jpg", *ONE_PASS, "--draws", "50"],
            "expected --draws and --clustering with --how",
        ),
        (
            ["evaluate", "broken.jpg", "--data", "kitti", *ONE_PASS, "--clustering", "kmeans"],
            "expected --draws and --cl",
        ),
        (["predict", "nothing", "broken.jpg"], "nothing: expected a detector file, got none there"),
        (["evaluate", "nothing", "--data", "rendered"], "nothing: expected a detector file, got none there"),
        (["evaluate", "nothing", "--data", "rendered", "--how", "magic"], "unknown way 'magic'"),
        (["study", "toy"], "expected a study of detectors, got 'toy', which trains none; use `wdrop study run toy`"),
        (["study", "no_such_study"], "unknown study 'no_such_study'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    code, out, err = wdrop("detect", *arguments, capsys=capsys)
    assert (code, out) == (2, "")
    assert err.startswith(f"wdrop: {message}")
    assert err.count("\n") == 1


def test_losses_that_run_away_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = wdrop(*TRAIN, "--steps", "9", "--rate", "1e30", "--watched", "0", "-o", "model", capsys=capsys)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith("wdrop: expected finite losses, got [")


@pytest.fixture
def untrained(tmp_path: Path) -> Path:
    """A detector's file with random weights, which knows cars only."""
    from wdrop._random import generator_for
    from wdrop.detect.files.detector_file import save_detector
    from wdrop.detect.geometry.boxes import Size
    from wdrop.detect.network.architectures import architecture_for
    from wdrop.detect.network.squeezedet import SqueezeDet

    architecture = architecture_for(("car",), Size(64, 48))
    save_detector(SqueezeDet(architecture, generator=generator_for("net")), tmp_path / "untrained")
    return tmp_path / "untrained"


def picture(path: str) -> bytes:
    """A small picture written there, as the file holds it."""
    Path(path).parent.mkdir(exist_ok=True)
    Image.new("RGB", (64, 48), "grey").save(path)
    return Path(path).read_bytes()


@pytest.mark.usefixtures("untrained")
def test_a_picture_that_cannot_be_read_is_named_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture("good.png")
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    code, out, err = wdrop("detect", "predict", "untrained", "good.png", "broken.jpg", "-o", "found", capsys=capsys)
    assert (code, out) == (2, "")
    assert err.startswith("wdrop: broken.jpg: expected a picture, got a file that cannot be read as one")
    assert err.count("\n") == 1
    assert not (tmp_path / "found").exists()


@pytest.mark.usefixtures("untrained")
def test_drawings_never_take_the_place_of_pictures_and_of_others_by_force_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = picture("in/a.png")
    picture("in2/a.png")
    predict = ["detect", "predict", "untrained", "in/a.png", "--how", "closed_form"]
    code, _, err = wdrop(*predict, "-o", "in", "--force", capsys=capsys)
    assert (code, err) == (2, "wdrop: in/a.png is an input and would be written over; write to another place\n")
    assert Path("in/a.png").read_bytes() == before
    code, _, err = wdrop(*predict, "in2/a.png", "-o", "found", capsys=capsys)
    assert (code, err.split(";")[0]) == (2, "wdrop: in/a.png and in2/a.png would both be drawn in found/a.png")
    assert wdrop(*predict, "-o", "found", capsys=capsys)[0] == 0
    code, _, err = wdrop(*predict, "-o", "found", capsys=capsys)
    assert (code, err.split(";")[0]) == (2, "wdrop: found/a.png is already there")
    assert wdrop(*predict, "-o", "found", "--force", capsys=capsys)[0] == 0


def test_kitti_is_trained_and_judged_in_the_shape_of_the_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build("kitti", tmp_path / "detection" / "kitti", 4, 2)  # of 70 x 40
    seen = set()

    def noted(frame: Frame) -> Sample:
        seen.add(frame.size)
        return read(frame)

    read = Frame.sample
    monkeypatch.setattr(Frame, "sample", noted)
    train = ["detect", "train", "--data", "kitti", "--steps", "1", "--watched", "1", *SMALL, "--size", "64x64"]
    assert wdrop(*train, "-o", "model", capsys=capsys)[0] == 0
    assert wdrop("detect", "evaluate", "model", "--data", "kitti", "--how", "closed_form", capsys=capsys)[0] == 0
    assert seen == {(40, 40)}


@pytest.mark.parametrize(("options", "top_n"), [([], 32), (["--top-n", "7"], 7)])
def test_a_set_is_judged_with_its_published_number_of_boxes_unless_told(
    options: list[str],
    top_n: int,
    untrained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    build("bdd100k", tmp_path / "detection" / "bdd100k", 2, 2)
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    judge = ["detect", "evaluate", str(untrained), "--data", "bdd100k", "--how", "closed_form", "--json"]
    code, out, _ = wdrop(*judge, *options, capsys=capsys)
    assert code == 0
    assert json.loads(out)["pictures"] == f"bdd100k, test, top {top_n}, closed_form"


def test_what_is_left_out_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build("carla", tmp_path / "carla", 6, 2, ["no objects", "outside", "zero area"])
    code, _, err = wdrop("detect", "train", "--data", "carla", "--steps", "1", *SMALL, "-o", "model", capsys=capsys)
    why = "5 of classes that are not used, 1 outside their picture, 1 without area"
    assert code == 0
    assert err.splitlines()[:2] == [
        f"wdrop: carla, train: 7 boxes ({why}), 1 pictures without objects left out",
        "wdrop: carla, test: 2 boxes (2 of classes that are not used) left out",
    ]


def test_a_picture_damaged_beyond_its_header_is_refused_or_skipped_before_the_first_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build("yolo", tmp_path / "own", 4, 2)
    damaged = tmp_path / "own/images/train/2.png"
    damaged.write_bytes(damaged.read_bytes()[:-200])
    train = ["detect", "train", "--data", "own", "--steps", "4", "--watched", "0", *SMALL, "-o", "model"]
    code, _, err = wdrop(*train, "--verify", capsys=capsys)
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("wdrop: own/images/train/2.png: expected a picture, got a file that cannot be read as one")
    code, out, err = wdrop(*train, "--verify", "--bad", "skip", capsys=capsys)
    assert (code, out.split(";")[0]) == (0, "model: trained on 3 pictures of yolo")
    assert err.startswith("wdrop: skipped: own/images/train/2.png: expected a picture")
    assert "wdrop: yolo, train: 1 wrong entries left out" in err
    code, _, err = wdrop(*train, "--bad", "ask", "--force", capsys=capsys)
    assert (code, err.split(";")[0]) == (2, "wdrop: unknown way with bad entries 'ask'")


def test_a_set_without_test_pictures_can_be_trained_on_and_not_judged_on(
    untrained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build("coco", tmp_path / "own", 3, 1)
    labels = tmp_path / "own/annotations/test.json"
    labels.write_text(json.dumps(json.loads(labels.read_text()) | {"annotations": []}))
    nothing = "coco: own: found no picture with an object in split 'test'; left out: 1 pictures without objects\n"
    train = ["detect", "train", "--data", "own", "--steps", "1", *SMALL, "-o", "model"]
    code, _, err = wdrop(*train, capsys=capsys)
    assert (code, err) == (2, f"wdrop: no test pictures to score along the way, --watched 0 does without; {nothing}")
    assert wdrop(*train, "--watched", "0", capsys=capsys)[0] == 0
    code, _, err = wdrop("detect", "evaluate", str(untrained), "--data", "own", capsys=capsys)
    assert (code, err) == (2, f"wdrop: {nothing}")


@pytest.mark.usefixtures("untrained")
def test_a_detector_that_knows_no_class_of_the_pictures_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("wdrop.detect.scores.judged.scores", lambda matches, **_: {"recall": 0.0, "nll": float("nan")})
    judge = ["detect", "evaluate", "untrained", "--data", "rendered", "--n-pictures", "1", "--how", "closed_form"]
    code, out, err = wdrop(*judge, "--json", capsys=capsys)
    assert (code, err) == (0, (
        "wdrop: no class in common: the detector knows car, rendered has pedestrian, cyclist, vehicle; "
        "boxes are matched all the same, recall is 0\n"
    ))  # fmt: skip
    assert json.loads(out, parse_constant=pytest.fail)["scores"]["clean"] == {"recall": 0.0, "nll": None}


@pytest.mark.usefixtures("untrained")
def test_no_boxes_are_told_with_what_would_show_some(capsys: pytest.CaptureFixture[str]) -> None:
    picture("in/a.png")
    find = ["detect", "predict", "untrained", "in/a.png", "--min-score", "1", "--draws", "5", "-o", "found"]
    code, out, _ = wdrop(*find, capsys=capsys)
    assert code == 0
    assert "in/a.png: 0 boxes of score 1 or more" in out
    assert "lower score than --min-score stay away\nso do boxes on which fewer than 5 of 5 draws agree" in out


def test_all_sets_of_pictures_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = wdrop("data", "list", "--kind", "detection", "--json", capsys=capsys)
    assert (code, err) == (0, "")
    assert [row["data set"] for row in json.loads(out)] == list(DETECTION_DATASETS)
    _, out, _ = wdrop("data", "list", "--kind", "detection", capsys=capsys)
    assert "kitti\n    kind: real\n    place: metropolitan area of Karlsruhe\n    image size: 1242 x 375" in out
    assert "    in the paper: train 3,622 pictures, 15,254 objects; test 3,387 pictures, 12,673 objects\n" in out
    code, _, err = wdrop("data", "list", "--kind", "pictures", capsys=capsys)
    assert (code, err.split(";")[0]) == (2, "wdrop: unknown kind of data 'pictures'")


def test_what_words_mean_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    shown = ["data", "list", "--kind", "detection", "--show"]
    code, out, err = wdrop(*shown, "classes", "--json", capsys=capsys)
    assert (code, err) == (0, "")
    assert json.loads(out)[0] == {
        "data set": "kitti", "pedestrian": "Pedestrian", "cyclist": "Cyclist", "vehicle": "Car",
        "left out": "Van, Truck, Tram, Person_sitting, Misc, DontCare",
    }  # fmt: skip
    _, out, _ = wdrop(*shown, "classes", capsys=capsys)
    assert "nightowls\n    pedestrian: pedestrian\n    cyclist: bicycledriver\n" in out
    assert max(map(len, out.splitlines())) <= 100
    code, _, err = wdrop(*shown, "words", capsys=capsys)
    assert (code, err.split(";")[0]) == (2, "wdrop: unknown view 'words'")
    code, _, err = wdrop("data", "list", "--show", "classes", capsys=capsys)
    assert (code, err) == (2, "wdrop: expected --show with --kind detection only, got --show classes of tables\n")


def test_what_is_on_the_disk_is_counted_beside_the_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build("bdd100k", tmp_path / "detection" / "bdd100k", 4, 2)
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shown = ["data", "list", "--kind", "detection", "--show", "counts"]
    code, out, err = wdrop(*shown, "--json", capsys=capsys)
    assert (code, err) == (0, "")
    rows = {(row["data set"], row["split"]): row for row in json.loads(out)}
    assert (rows["bdd100k", "train"]["objects"], rows["bdd100k", "train"]["objects in the paper"]) == (8, 843963)
    assert rows["nightowls", "test"]["pictures"] is None
    _, out, _ = wdrop(*shown, capsys=capsys)
    row = next(line for line in out.splitlines() if "bdd100k" in line)
    assert row.split() == ["bdd100k", "train", "4", "8", "0", "69,281", "843,963"]
    assert max(map(len, out.splitlines())) <= 100


def test_under_torchrun_one_process_writes_and_tells(tmp_path: Path) -> None:
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "-m", "wdrop"]
    command = [*torchrun, *TRAIN, "--steps", "2", "--watched", "0", "-o", "model"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("trained on 4 pictures") == 1
    assert done.stderr.count("no pretrained backbone") == 1
    assert (tmp_path / "model").exists()


@pytest.mark.slow
def test_two_hundred_steps_on_drawn_scenes_teach_something(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In under five minutes, evaluation included."""
    import time

    start = time.perf_counter()
    options = ["--n-pictures", "60", "--size", "336x192", "--batch", "8", "--optimiser", "adam", "--rate", "0.001"]
    train = ["detect", "train", "--data", "rendered", "--loss", "wasserstein", "--steps", "200", "--every", "100"]
    assert wdrop(*train, *options, "--watched", "10", "-o", "model", capsys=capsys)[0] == 0
    judge = ["detect", "evaluate", "model", "--data", "rendered", "--n-pictures", "30", "--json"]
    code, out, _ = wdrop(*judge, capsys=capsys)
    seconds = time.perf_counter() - start
    scores = json.loads(out)["scores"]["clean"]
    print(f"{seconds:.0f} s, {scores}")
    assert code == 0
    assert scores["found"] > 0.5
    along = json.loads((tmp_path / "model.training" / "trajectory.json").read_text())["steps"]
    assert along["200"]["nll"] < along["100"]["nll"]  # the std is still growing towards the errors
    assert seconds < 300
