from wdrop.detect.data.synscapes import _random_split


def test_without_lists_the_split_is_random_complete_and_fixed() -> None:
    split = _random_split()
    assert (len(split["train"]), len(split["test"])) == (20_000, 5_000)
    assert not split["train"] & split["test"]
    assert split["train"] | split["test"] == {str(number) for number in range(1, 25_001)}
    assert sorted(split["test"], key=int)[:5] == ["9", "11", "13", "15", "29"]
