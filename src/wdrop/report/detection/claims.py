"""What the paper says in words about its detectors, sentence by sentence, each put to the test on our records."""

from collections.abc import Callable, Sequence

import pandas as pd

from wdrop.report.claims import Claim, Finding, Judged, NotRunError, counted, judge, undecided_rule, words_table
from wdrop.report.detection.evidence import MC, W, along, foreign, own, pairs, paper_records
from wdrop.report.detection.in_data import in_data_table
from wdrop.report.detection.rows import HEADINGS, PUBLISHED_PROTOCOL, UNCERTAINTY, datasets
from wdrop.report.tables import Table, number

Test = Callable[[pd.DataFrame], Finding]
_PARTS = ("train", "test")
_UNBOUNDED = ("nll", "ws", "etl")
_SAME_OBJECTS = 0.1
"""Two detectors whose recalls differ by more did not match the same objects."""
_CALLED = "the seeds"


def judge_detection_claims(records: pd.DataFrame) -> list[Judged]:
    """All sentences, on the means over seeds and on each seed by itself, beside the paper's own numbers."""
    done = records[records["status"] == "done"]
    seeds, paper = _each_seed(done), paper_records()
    return [judge(claim, done, paper=paper, others=seeds, called=_CALLED) for claim in CLAIMS]


def _each_seed(done: pd.DataFrame) -> list[pd.DataFrame]:
    """The records of each seed, of the data sets that were trained with all of them: others would not compare."""
    n_seeds = done.groupby("dataset")["seed"].nunique()
    with_all = done[done["dataset"].map(n_seeds) == done["seed"].nunique()]
    return [some for _, some in with_all.groupby("seed")]


def detection_sentences_table(judged: Sequence[Judged], records: pd.DataFrame) -> Table:
    """Every sentence with its verdict."""
    done = records[records["status"] == "done"]
    named = ", ".join(datasets(pd.concat(_each_seed(done) or [done])))
    note = (
        f'"Holds in seeds": the share of seeds in which a sentence holds by itself, on {named} alone, which was '
        'trained with all of them; it says nothing of the other data sets. "Paper": whether the paper\'s own tables '
        "show it."
    )
    return words_table(judged, "seeds", note)


RULES = (
    "W is W-SqueezeDet with five draws, by 50 draws and k-means unless a line says otherwise; means over coordinates "
    f"and seeds. ECE is rounded as the paper's is. {undecided_rule(_CALLED)} Undecided by the same hindsight: where "
    "detectors found different objects, recalls more than 0.1 apart, and where a mean over data sets and most of these "
    "data sets tell opposite things."
)


def detection_claims_text(judged: Sequence[Judged], records: pd.DataFrame) -> str:
    """The sentences first, then ours beside the paper's numbers; Markdown."""
    tables = [in_data_table(records, name, PUBLISHED_PROTOCOL) for name in datasets(records)]
    return "\n".join(
        [
            f"**In words**: {counted([j.verdict for j in judged])}.",
            "",
            RULES,
            "",
            detection_sentences_table(judged, records).markdown(),
            "**In numbers**: none of the paper's is judged. They are of six whole data sets at full size, 300,000 "
            "steps each; ours, of a sixth of KITTI at half size and a two-hundredth of the steps, only stand beside:",
            "",
            *(table.markdown() for table in tables if table is not None),
        ]
    )


def _comparable(records: pd.DataFrame) -> Finding:
    texts, holds = [], []
    for part in _PARTS:
        iou, rmse = (own(pairs(records, name, part=part)).mean() for name in ("miou", "rmse"))
        holds.append(abs(iou[W] - iou[MC]) <= 0.02 and abs(rmse[W] / rmse[MC] - 1) <= 0.15)
        texts.append(f"{part}: mIoU {iou[W] - iou[MC]:+.3f}, RMSE × {rmse[W] / rmse[MC]:.2f}")
    return Finding(all(holds), "; ".join(texts))


def _slightly_better_boxes_of_mc(records: pd.DataFrame) -> Finding:
    differences = {}
    for part in _PARTS:
        means = own(pairs(records, "miou", part=part)).mean()
        differences[part] = float(means[W] - means[MC])
    told = ", ".join(f"{part} {value:+.3f}" for part, value in differences.items())
    return Finding(all(value < 0 for value in differences.values()), f"mIoU of W minus MC: {told}")


def _ratios(at_most: float, protocol: str = PUBLISHED_PROTOCOL, parts: Sequence[str] = _PARTS) -> Test:
    """W's mean scores on its own data, over those of MC; undecided where the two found different objects."""

    def test(records: pd.DataFrame) -> Finding:
        texts, holds, found = [], [], []
        for part in parts:
            tables = {name: own(pairs(records, name, part=part, protocol=protocol)) for name in UNCERTAINTY}
            ratios = {name: float(table[W].mean() / table[MC].mean()) for name, table in tables.items()}
            holds.append(max(ratios.values()) < at_most)
            texts.append(f"{part}: " + ", ".join(f"{HEADINGS[name]} {value:.2f}" for name, value in ratios.items()))
            found += _recall_differences(records, protocol, part)
        recall = f"; recall W minus MC at most {max(found, key=abs):+.2f}" if found else ""
        unlike = "the two found different objects, so their scores do not compare"
        too_far = any(abs(one) > _SAME_OBJECTS for one in found)
        return Finding(all(holds), f"W over MC, {'; '.join(texts)}{recall}", unlike if too_far else "")

    return test


def _recall_differences(records: pd.DataFrame, protocol: str, part: str) -> list[float]:
    """W minus MC on each data set; nothing where there is no recall, as in the paper."""
    try:
        table = own(pairs(records, "recall", part=part, protocol=protocol))
    except NotRunError:
        return []
    return [float(one) for one in table[W] - table[MC]]


def _every_coordinate(records: pd.DataFrame) -> Finding:
    lost, n = [], 0
    for part in _PARTS:
        for name in UNCERTAINTY:
            for coordinate in "xywh":
                means = own(pairs(records, name, part=part, coordinate=coordinate)).mean()
                n += 1
                lost += [f"{HEADINGS[name]} {coordinate}, {part}"] if means[W] >= means[MC] else []
    text = f"W is better in {n - len(lost)} of {n}"
    return Finding(not lost, f"{text}; not: {', '.join(lost)}" if lost else text)


def _own_ece(records: pd.DataFrame) -> Finding:
    return _won(own(pairs(records, "ece")), "data sets", all_of_them=True)


def _foreign_ece(records: pd.DataFrame) -> Finding:
    return _won(foreign(pairs(records, "ece")), "transfers")


def _corrupted_ece(records: pd.DataFrame) -> Finding:
    table = own(pairs(records, "ece", corruption=None))
    table = table[table.index.get_level_values("corruption") != "clean"]
    if table.empty:
        raise NotRunError
    return _won(table, "corrupted test sets")


def _won(table: pd.DataFrame, what: str, *, all_of_them: bool = False) -> Finding:
    n = int((table[W] < table[MC]).sum())
    means = f"mean ECE {number(float(table[W].mean()))} against {number(float(table[MC].mean()))}"
    enough = n == len(table) if all_of_them else n > len(table) / 2
    return Finding(enough and bool(table[W].mean() < table[MC].mean()), f"{n} of {len(table)} {what}; {means}")


def _nll_and_ws(records: pd.DataFrame) -> Finding:
    texts, holds = [], []
    for name in ("nll", "ws"):
        for where, choose in (("own", own), ("other", foreign)):
            means = choose(pairs(records, name)).mean()
            holds.append(means[W] < means[MC])
            texts.append(f"{HEADINGS[name]} {where} data {number(float(means[W]))} against {number(float(means[MC]))}")
    return Finding(all(holds), "; ".join(texts))


def _pronounced_diagonal(records: pd.DataFrame) -> Finding:
    table = pairs(records, "ece")
    growth = foreign(table).mean() / own(table).mean()
    text = f"other over own data: W × {number(float(growth[W]))}, MC × {number(float(growth[MC]))}"
    return Finding(bool(growth[W] > growth[MC]), text)


def _blur_harms_less(records: pd.DataFrame) -> Finding:
    blurred, noisy = (
        own(pairs(records, "ece", corruption=f"{name} 1"))[W].droplevel("corruption")
        for name in ("defocus-blur", "gaussian-noise")
    )
    both = pd.concat({"defocus-blur": blurred, "gaussian-noise": noisy}, axis=1).dropna()
    means, n = both.mean(), int((both["defocus-blur"] < both["gaussian-noise"]).sum())
    less, in_most = bool(means["defocus-blur"] < means["gaussian-noise"]), n > len(both) / 2
    text = ", ".join(f"{name} {number(float(value))}" for name, value in means.items())
    torn = "" if less == in_most else "the mean over data sets and most of the data sets tell opposite things"
    return Finding(less and in_most, f"ECE of W: {text}; less in {n} of {len(both)} data sets", torn)


def _second_half(table: pd.DataFrame) -> pd.DataFrame:
    """The looks in the second half of each data set's training."""
    steps = table.index.get_level_values("step").to_series(index=table.index)
    return table[steps >= steps.groupby("dataset").transform("max") / 2]


def _converge_alike(records: pd.DataFrame) -> Finding:
    means = _second_half(along(records, "rmse")).mean()
    ratio = float(means[W] / means[MC])
    return Finding(abs(ratio - 1) <= 0.1, f"RMSE over the second half of training: W × {ratio:.2f}")


def _larger_stds(records: pd.DataFrame) -> Finding:
    table = along(records, "std")
    share = float((table[W] > table[MC]).mean())
    return Finding(share > 0.9, f"at {share:.0%} of the looks; mean × {table[W].mean() / table[MC].mean():.2f}")


def _smaller_scores(records: pd.DataFrame) -> Finding:
    shares = {name: along(records, name) for name in UNCERTAINTY}
    told = {name: float((table[W] < table[MC]).mean()) for name, table in shares.items()}
    text = ", ".join(f"{HEADINGS[name]} {share:.0%}" for name, share in told.items())
    return Finding(min(told.values()) > 0.9, f"of the looks: {text}")


def _steadier(records: pd.DataFrame) -> Finding:
    texts, holds = [], []
    for name in _UNBOUNDED:
        spread = _second_half(along(records, name)).groupby("dataset").std(ddof=1).mean()
        holds.append(bool(spread[W] < spread[MC]))
        texts.append(f"{HEADINGS[name]} {number(float(spread[W]))} against {number(float(spread[MC]))}")
    return Finding(all(holds), f"spread over the second half of training: {', '.join(texts)}")


_SHORT = "our training is two hundred times shorter and ends before MC's boxes are at their best"

CLAIMS: tuple[Claim[pd.DataFrame], ...] = (
    Claim(
        "MC- and W-SqueezeDet are comparable in mIoU and RMSE.", "4.4, In-data", _comparable,
        "train and test: mIoU within 0.02, RMSE within 15 %",
    ),
    Claim(
        "MC-SqueezeDet has slight advantages there.", "4.4, In-data", _slightly_better_boxes_of_mc,
        "larger mIoU on train and on test pictures", guess=_SHORT,
    ),
    Claim(
        "W-SqueezeDet has substantial advantages in all measures of uncertainty.", "4.4, In-data; table 5",
        _ratios(2 / 3), "NLL, ECE, WS and ETL each below two thirds of MC's, train and test",
    ),
    Claim(
        "The order of the two is the same for each coordinate.", "appendix, table of coordinates", _every_coordinate,
        "W's NLL, ECE, WS and ETL below MC's, x, y, w and h, train and test",
    ),
    Claim(
        "HDBSCAN gives the same order of methods.", "4.4, footnote", _ratios(1.0, "samples-hdbscan", ["test"]),
        "W's NLL, ECE, WS and ETL below MC's, test; undecided if recalls are more than 0.1 apart",
    ),
    Claim("In-data, W-SqueezeDet's ECE is smaller on every data set.", "4.4, In-data", _own_ece),
    Claim(
        "On other data sets W-SqueezeDet's ECE is smaller.", "4.4, Out-of-data", _foreign_ece,
        "smaller mean, and smaller in more than half of the transfers",
    ),
    Claim(
        "W-SqueezeDet's NLL and WS are smaller in-data and on other data sets.", "appendix", _nll_and_ws,
        "smaller means in both",
    ),
    Claim(
        "The diagonal of own data stands out more for W-SqueezeDet's ECE.", "4.4, Out-of-data", _pronounced_diagonal,
        "ECE on other data over ECE on own data is larger for W",
    ),
    Claim(
        "On most blurred and noisy test sets W-SqueezeDet's ECE is smaller.", "4.4, Corrupted; table 6",
        _corrupted_ece, "smaller mean, and smaller on more than half",
    ),
    Claim(
        "Blur harms the uncertainty less than noise does.", "4.4, Corrupted", _blur_harms_less,
        "W's mean ECE under blur below that under noise, and so in more than half of the data sets",
        guess="at half size the blur of severity 1 covers twice as much of an object",
    ),
    Claim(
        "Both converge at comparable speed, to similar regression quality.", "appendix, figure of the training",
        _converge_alike, "RMSE within 10 % over the second half of training",
    ),
    Claim(
        "W-SqueezeDet's stds are larger along the training.", "appendix, figure of the training", _larger_stds,
        "at more than 90 % of the looks",
    ),
    Claim(
        "Its NLL, ECE, WS and ETL are smaller along the training.", "appendix, figure of the training",
        _smaller_scores, "each at more than 90 % of the looks",
    ),
    Claim(
        "Its unbounded scores are steadier along the training.", "appendix, figure of the training", _steadier,
        "spread of NLL, WS and ETL over the looks of the second half below MC's",
    ),
)  # fmt: skip
