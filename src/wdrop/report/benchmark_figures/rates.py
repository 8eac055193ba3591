"""How W-dropout depends on its two settings: drop rate p and number of draws L."""

import re
from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from wdrop.report.benchmark_figures.circumstances import with_circumstance
from wdrop.report.benchmark_figures.summary import six_panels_figure

_NUMBER = r"[0-9.]+(?:e[-+]?[0-9]+)?"


def drop_rates_figure(records: pd.DataFrame, measures: Sequence[str] = ("rmse", "ece")) -> Figure:
    """W-dropout with drop rates of 0.05 to 0.5; 0.1 is the default.

    The rate is read from the variant of a record ("p=0.05", "0.05"); a record without variant has the default.
    """
    return _settings_figure(records, "p", 0.1, measures, "drop rate p")


def draws_figure(records: pd.DataFrame, measures: Sequence[str] = ("rmse", "ece")) -> Figure:
    """W-dropout with 4 to 20 draws per training step; 5 is the default.

    L is read from the variant of a record ("L=8", "8"); a record without variant has the default.
    """
    return _settings_figure(records, "L", 5, measures, "draws L")


def setting(variant: str, symbols: Sequence[str]) -> float:
    """The number in a variant such as "p=0.05" or "0.05"; NaN where it speaks of something else."""
    symbol = "|".join(re.escape(symbol) for symbol in symbols)
    found = re.fullmatch(rf"(?:(?:{symbol})\s*=?\s*)?({_NUMBER})", variant.strip())
    return float(found[1]) if found else float("nan")


def with_setting(rows: pd.DataFrame, symbols: Sequence[str], default: float) -> pd.DataFrame:
    """The rows that vary that setting, its value in the column `setting`, on the data sets where it was varied.

    A row without variant has the default, unless that is NaN. It counts once: where the study ran the default itself,
    that run does. A bare number is taken for this setting, so records of two studies go into two figures.
    """
    varied = rows.assign(setting=[setting(variant, symbols) for variant in rows["variant"]])
    plain = varied[varied["variant"] == ""].assign(setting=default)
    varied = varied.dropna(subset="setting")
    again = set(varied.loc[varied["setting"] == default, "dataset"])
    plain = plain[plain["dataset"].isin(set(varied["dataset"]) - again)].dropna(subset="setting")
    return pd.concat([varied, plain]) if len(plain) else varied


def _settings_figure(
    records: pd.DataFrame, symbol: str, default: float, measures: Sequence[str], x_label: str
) -> Figure:
    rows = with_circumstance(records)
    rows = with_setting(rows[rows["method"] == "w_dropout"], (symbol,), default)
    # a leading nought costs room that six panels do not have
    labels = {value: f"{value:g}".removeprefix("0") for value in sorted(set(rows["setting"]))}
    means = f"the usual {symbol} = {default:g}"
    return six_panels_figure(rows, "setting", labels, measures, lit=default, lit_means=means, x_label=x_label)
