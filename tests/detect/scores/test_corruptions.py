import numpy as np
import pytest
import torch
from scipy import ndimage

from wdrop._random import generator_for
from wdrop.detect.data import render
from wdrop.detect.data.rendered import RenderedSet
from wdrop.detect.data.sample import Sample
from wdrop.detect.scores.corruptions import CORRUPTIONS, PUBLISHED, SEVERITIES, Corrupted, corrupted, disc, variants


def of(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], name: str = "picture") -> Sample:
    return Sample(name, image, torch.empty(0, 4), torch.empty(0).long())


def flat(level: int) -> Sample:
    return of(np.full((64, 96, 3), level, dtype=np.uint8))


def test_the_disc_of_severity_1_has_29_equal_pixels() -> None:
    kernel = disc(3, 0.1)
    assert kernel.shape == (17, 17)
    assert (kernel > 1e-6).sum() == 29
    np.testing.assert_allclose(kernel[kernel > 1e-6], 1 / 29)
    assert disc(10, 0.5).shape == (21, 21)
    assert disc(6, 0.5).sum() == pytest.approx(1)


def test_defocus_blur_is_the_recipe_pixel_by_pixel() -> None:
    image = np.random.default_rng(1).integers(0, 256, (40, 50, 3), dtype=np.uint8)
    grid = np.arange(-8, 9)
    kernel = (grid[:, None] ** 2 + grid**2 <= 9) / 29.0
    channels = [ndimage.correlate(image[..., i] / 255.0, kernel, mode="mirror") for i in range(3)]
    expected = np.floor(np.stack(channels, axis=-1) * 255 + 1e-9).astype(np.uint8)
    np.testing.assert_array_equal(corrupted(of(image), "defocus-blur").image, expected)


@pytest.mark.parametrize("level", [0, 77, 200, 255])
def test_blur_keeps_a_plain_surface(level: int) -> None:
    assert (corrupted(flat(level), "defocus-blur", 3).image == level).all()


def test_gaussian_noise_is_grey_with_std_20() -> None:
    noise = corrupted(flat(128), "gaussian-noise").image.astype(float) - 128
    np.testing.assert_array_equal(noise[..., 0], noise[..., 2])
    assert noise.std() == pytest.approx(20, rel=0.05)
    assert abs(noise.mean()) < 1
    coloured = corrupted(flat(128), "coloured-noise").image.astype(float) - 128
    assert abs(np.corrcoef(coloured[..., 0].ravel(), coloured[..., 1].ravel())[0, 1]) < 0.05


def test_noise_is_fixed_by_the_sample_and_differs_between_samples() -> None:
    one, again = corrupted(flat(128), "gaussian-noise"), corrupted(flat(128), "gaussian-noise")
    np.testing.assert_array_equal(one.image, again.image)
    other = corrupted(of(flat(128).image, "another"), "gaussian-noise")
    assert not np.array_equal(one.image, other.image)


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_severity_makes_it_worse_and_boxes_stay(name: str) -> None:
    sample = render(generator=generator_for("corrupt"))
    worse = [corrupted(sample, name, severity) for severity in SEVERITIES]
    errors = [float(np.abs(one.image.astype(float) - sample.image).mean()) for one in worse]
    assert errors == sorted(errors)
    assert errors[0] > 0.5
    assert all(torch.equal(one.boxes, sample.boxes) for one in worse)
    assert all(one.image.dtype == np.uint8 for one in worse)


def test_brightness_keeps_the_hue_and_lightens_black() -> None:
    image = np.zeros((2, 2, 3), dtype=np.uint8)
    image[0, 0] = (100, 50, 0)
    found = corrupted(of(image), "brightness", 2).image
    assert found[0, 0].tolist() == [151, 76, 0]
    assert found[1, 1].tolist() == [51, 51, 51]


def test_a_set_is_corrupted_as_it_is_read() -> None:
    scenes = RenderedSet("test", 3)
    noisy = Corrupted(scenes, "gaussian-noise")
    assert (len(noisy), noisy.name, noisy.class_names) == (3, "rendered, gaussian-noise 1", scenes.class_names)
    np.testing.assert_array_equal(noisy[1].image, corrupted(scenes[1], "gaussian-noise").image)


def test_wrong_names_are_refused() -> None:
    assert set(PUBLISHED) <= set(CORRUPTIONS)
    with pytest.raises(ValueError, match="unknown corruption 'defocus', did you mean 'defocus-blur'"):
        corrupted(flat(1), "defocus")
    with pytest.raises(ValueError, match="expected severity from 1 to 5, got 6"):
        corrupted(flat(1), "jpeg", 6)


def test_variants_are_named_as_they_are_asked_for() -> None:
    scenes = RenderedSet("test", 1)
    found = variants(scenes, ["defocus-blur", "gaussian-noise:3"])
    assert list(found) == ["clean", "defocus-blur 1", "gaussian-noise 3"]
    assert found["clean"] is scenes
    assert found["gaussian-noise 3"].name == "rendered, gaussian-noise 3"
    with pytest.raises(ValueError, match="expected a corruption like gaussian-noise:3, got 'jpeg:much'"):
        variants(scenes, ["jpeg:much"])
