import os
from pathlib import Path

import numpy as np
import pytest
import torch

from wdrop.detect.network.pretrained import WEIGHTS_FILES, load_backbone, weights_file
from wdrop.detect.network.squeezedet import SqueezeDet


@pytest.fixture
def folder() -> Path:
    found = Path(os.environ.get("WDROP_DATA", "")) / "weights"
    if "WDROP_DATA" not in os.environ or not found.is_dir():
        pytest.skip("no weights: set WDROP_DATA to a folder that holds weights/")
    return found


@pytest.mark.parametrize(
    ("name", "vector", "mean"),
    [
        ("squeezenet_v1.1_caffe_imagenet.npz", "v1.1caffe", (123.0, 117.0, 104.0)),
        ("squeezenet_v1.1_imagenet.npz", "v1.1", None),
    ],
)
@pytest.mark.parametrize("photo", ["chelsea", "coffee"])
def test_activations_of_real_photographs(
    net: SqueezeDet, folder: Path, name: str, vector: str, mean: tuple[float, ...] | None, photo: str
) -> None:
    """All of conv1 to fire9, channel order and means included.

    ImageNet's conv1 is unpadded and never reads the last pixel of 224, and pools in ceil mode: without that pixel our
    padding makes no difference.
    """
    load_backbone(net, folder / name)
    if mean is not None:
        net.mean.copy_(torch.tensor(mean))  # Caffe's own; SqueezeDet's differ by half a grey level
    check = np.load(folder / "squeezenet_check_vectors.npz")
    image = torch.from_numpy(check[f"{photo}_rgb_uint8"]).permute(2, 0, 1)[None, :, :223, :223]
    up_to_fire9 = list(dict(net.backbone.named_children())).index("fire9") + 1
    with torch.no_grad():
        fire9 = net.backbone[:up_to_fire9](net.centred(image))[0, :, ::4, ::4]
    expected = torch.from_numpy(check[f"{photo}_{vector}_fire9"])
    torch.testing.assert_close(fire9, expected, rtol=1e-3, atol=2e-3 * float(expected.abs().max()) / 10)


def some_weights(net: SqueezeDet) -> dict[str, np.ndarray]:
    """Arrays as in a weights file, ones throughout."""
    fires = {2: 3, 3: 4, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12}
    names = {f"fire{ours}": f"features.{theirs}" for ours, theirs in fires.items()} | {"conv1": "features.0"}
    arrays = {}
    for name, parameter in net.backbone.named_parameters():
        layer, rest = name.split(".", 1)
        if layer in names:
            arrays[f"{names[layer]}.{rest}"] = np.ones(parameter.shape, dtype=np.float32)
    return arrays


def test_a_known_file_is_found_and_freezes_the_first_layer(
    net: SqueezeDet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "weights" / next(iter(WEIGHTS_FILES))
    path.parent.mkdir()
    arrays = some_weights(net)
    arrays["features.0.weight"][:, 2] = 5  # red, in Caffe's order
    np.savez(path, **arrays)  # type: ignore[arg-type]
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    assert weights_file() == path
    assert load_backbone(net) == path
    parameters = dict(net.backbone.named_parameters())
    assert parameters["conv1.weight"][:, 0].eq(5).all()
    assert parameters["fire9.expand3x3.weight"].eq(1).all()
    assert not parameters["fire10.squeeze.weight"].eq(1).any()
    assert [name for name, p in parameters.items() if not p.requires_grad] == ["conv1.weight", "conv1.bias"]


def test_without_a_file_the_weights_stay_random_with_a_warning(
    net: SqueezeDet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WDROP_DATA", str(tmp_path))
    monkeypatch.setattr("wdrop.detect.network.pretrained.cache_folder", lambda: tmp_path)
    with pytest.warns(UserWarning, match="starts from random weights"):
        assert load_backbone(net) is None
    assert all(parameter.requires_grad for parameter in net.parameters())


def test_wrong_files_are_refused_by_name(net: SqueezeDet, tmp_path: Path) -> None:
    missing, junk, other, lame = (tmp_path / f"{name}.npz" for name in ("missing", "junk", "other", "lame"))
    with pytest.raises(FileNotFoundError, match=r"missing\.npz: expected a weights file"):
        load_backbone(net, missing, inputs="caffe")
    for content in ("not weights", ""):
        junk.write_text(content)
        with pytest.raises(ValueError, match=r"junk\.npz: expected an \.npz file"):
            load_backbone(net, junk, inputs="caffe")
    arrays = some_weights(net)
    np.savez(other, **(arrays | {"features.0.weight": np.ones((96, 3, 7, 7))}))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"other\.npz: expected 'features.0.weight' of shape \(64, 3, 3, 3\)"):
        load_backbone(net, other, inputs="caffe")
    np.savez(other, **(arrays | {"features.0.weight": np.full((64, 3, 3, 3), "1.5")}))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"other\.npz: expected numbers in 'features.0.weight', got <U3"):
        load_backbone(net, other, inputs="caffe")
    arrays["features.4.squeeze.bias"][3] = np.nan
    np.savez(lame, **arrays)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"lame\.npz: expected finite numbers, got NaN .* 'features.4.squeeze.bias'"):
        load_backbone(net, lame, inputs="caffe")
    with pytest.raises(ValueError, match="rename a file that was trained alike"):
        load_backbone(net, lame)
    with pytest.raises(ValueError, match="did you mean 'caffe'"):
        load_backbone(net, lame, inputs="cafe")


def test_a_refused_file_leaves_the_network_alone(net: SqueezeDet, tmp_path: Path) -> None:
    before = {name: value.clone() for name, value in net.state_dict().items()}
    arrays = some_weights(net)
    del arrays["features.12.expand3x3.bias"]
    np.savez(tmp_path / "part.npz", **arrays)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"expected an array 'features.12.expand3x3.bias', got none"):
        load_backbone(net, tmp_path / "part.npz", inputs="torchvision")
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())
