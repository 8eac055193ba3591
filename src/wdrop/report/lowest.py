"""Of which columns the lowest number is the best; apart from tables, as a terminal's should not wait for scipy."""

from collections.abc import Sequence

from wdrop.measures import MEASURES


def lowest_of(measures: Sequence[str]) -> list[str]:
    """The headings of those measures of which less is better, for `Table.lowest`."""
    return [MEASURES[name].heading for name in measures if MEASURES[name].lower_is_better]
