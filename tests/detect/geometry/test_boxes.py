import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from wdrop.detect.geometry.boxes import Size, area, clip, iou, iou_matrix, scale, to_centres, to_corners

coordinates = st.integers(0, 20)


def test_both_forms_of_a_box() -> None:
    corners = torch.tensor([[10.0, 20.0, 30.0, 60.0]])
    assert to_centres(corners).tolist() == [[20, 40, 20, 40]]
    assert to_corners(to_centres(corners)).tolist() == corners.tolist()


def test_the_published_way_to_centres_counts_the_last_pixel_in() -> None:
    corners = torch.tensor([[10.0, 20.0, 29.0, 59.0]])
    assert to_centres(corners, inclusive=True).tolist() == [[20, 40, 20, 40]]


def cells(box: Tensor) -> set[tuple[int, int]]:
    x0, y0, x1, y1 = (int(edge) for edge in box)
    return {(x, y) for x in range(x0, x1) for y in range(y0, y1)}


@given(st.lists(coordinates, min_size=8, max_size=8))
def test_iou_counts_cells(numbers: list[int]) -> None:
    a, b = torch.tensor(numbers, dtype=torch.float64).view(2, 2, 2).sort(dim=1).values.reshape(2, 4)
    both, either = cells(a) & cells(b), cells(a) | cells(b)
    assert area(a) == len(cells(a))
    assert iou(a, b) == (len(both) / len(either) if either else 0)


def test_all_pairs() -> None:
    a = torch.tensor([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 4.0, 4.0]])
    b = torch.tensor([[0.0, 0.0, 2.0, 4.0], [9.0, 9.0, 9.0, 9.0], [1.0, 1.0, 3.0, 3.0]])
    expected = [[0.5, 0, 1 / 7], [0.5, 0, 0.25]]
    torch.testing.assert_close(iou_matrix(a, b), torch.tensor(expected))


def test_clipping_keeps_the_last_pixel() -> None:
    box = torch.tensor([-5.0, 3.0, 700.0, 400.0])
    assert clip(box, Size(672, 384)).tolist() == [0, 3, 671, 383]


def test_resizing_acts_alike_on_both_forms() -> None:
    corners, before, after = torch.tensor([10.0, 20.0, 30.0, 60.0]), Size(100, 200), Size(50, 300)
    assert scale(corners, before, after).tolist() == [5, 30, 15, 90]
    assert to_centres(scale(corners, before, after)).tolist() == scale(to_centres(corners), before, after).tolist()
