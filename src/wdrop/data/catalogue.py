"""What is known of the paper's 14 tables: facts, no data.

Licences and homes were noted down without asking the homes again: look there before relying on them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import final


@final
@dataclass(frozen=True, kw_only=True)
class TableFacts:
    """One table.

    target       what is predicted, in words; in our files it is the last column, headed `target`
    fingerprint  of the numbers, see fingerprint.py; empty where nobody has computed it from the whole table
    note         what one should know before using it
    """

    name: str
    rows: int
    features: int
    target: str
    licence: str
    home: str
    fingerprint: str
    note: str = ""

    @property
    def file_names(self) -> Sequence[str]:
        """Under which the table is looked for."""
        return tuple(f"{self.name}{suffix}" for suffix in (".csv.gz", ".csv", ".parquet"))


_UCI = "https://archive.ics.uci.edu/dataset"
_CC = "CC BY 4.0"

_TABLES = (
    TableFacts(
        name="yacht",
        rows=308,
        features=6,
        target="residuary resistance",
        licence=_CC,
        home=f"{_UCI}/243/yacht+hydrodynamics",
        fingerprint="d5892df7afc4d80ac2cd07c28d65da2bba7f29ebe64cf83e907102b20f6c5fbe",
    ),
    TableFacts(
        name="boston",
        rows=506,
        features=13,
        target="median value of homes (1000 USD)",
        licence="none stated",
        home="http://lib.stat.cmu.edu/datasets/boston",
        fingerprint="83dc89d9754c6c47bde466ae7d70ad4261f58c75b2441c4c6f4d79e161f08359",
        note="Ethical note: column B encodes the share of Black inhabitants on the assumption that segregation raises "
        "prices; scikit-learn removed the set for that. Use it to compare with the paper. 16 targets are capped at 50.",
    ),
    TableFacts(
        name="diabetes",
        rows=442,
        features=10,
        target="disease progression after one year",
        licence="none stated; in scikit-learn under BSD-3-Clause",
        home="https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html",
        fingerprint="8ecc55c84248e583660d2c361491ec546f83a632994703a0d3edabfd629a4baf",
        note="Comes with scikit-learn, needs no file. The paper prints 7 features; its code uses all 10, as here.",
    ),
    TableFacts(
        name="energy",
        rows=768,
        features=8,
        target="cooling load (Y2)",
        licence=_CC,
        home=f"{_UCI}/242/energy+efficiency",
        fingerprint="eb94fcf72a15fdd9c2e57304a25e6541a3f4b65a77ad4a0b5be055ab76d24b15",
        note="The target is the cooling load, as in the paper's code; many benchmarks take the heating load (Y1).",
    ),
    TableFacts(
        name="concrete",
        rows=1030,
        features=8,
        target="compressive strength (MPa)",
        licence=_CC,
        home=f"{_UCI}/165/concrete+compressive+strength",
        fingerprint="b2a3d132fd2f6a596be834bff668c783e693c33099bfdc38b1f1b9ca7bfcf8ac",
        note="25 rows are exact duplicates. The text version that circulates is rounded and counts as another table.",
    ),
    TableFacts(
        name="wine-red",
        rows=1599,
        features=11,
        target="quality (whole numbers from 3 to 8)",
        licence=_CC,
        home=f"{_UCI}/186/wine+quality",
        fingerprint="86fc3849eee14de91b602db95c717ff2f0da9d866b942277bb979ea2ac8e48a1",
        note="240 rows are exact duplicates.",
    ),
    TableFacts(
        name="abalone",
        rows=4177,
        features=7,
        target="rings",
        licence=_CC,
        home=f"{_UCI}/1/abalone",
        fingerprint="0ebc43971cb77e3b3d90c7ce81aa5b1dbdb55e2d4c502322834dec3315af6f02",
        note="Without the column `sex`. The paper's code takes the first row for a heading and so has 4176 rows.",
    ),
    TableFacts(
        name="kin8nm",
        rows=8192,
        features=8,
        target="y",
        licence="public, says OpenML",
        home="https://www.openml.org/d/189",
        fingerprint="40bd4c1980740e6ec6b4eaafc422a83d3d92831b2ac6bf24bbeadef9d762a597",
    ),
    TableFacts(
        name="power",
        rows=9568,
        features=4,
        target="net electrical output (MW)",
        licence=_CC,
        home=f"{_UCI}/294/combined+cycle+power+plant",
        fingerprint="138a45c34168cf2aea88d7b3ac1887dc3a4c9c9b15ba70c5ebc96c3cb2492b14",
        note="41 rows are exact duplicates. The five sheets of the original are one table in five orders of rows.",
    ),
    TableFacts(
        name="naval",
        rows=11934,
        features=16,
        target="turbine decay coefficient",
        licence=_CC,
        home=f"{_UCI}/316/condition+based+maintenance+of+naval+propulsion+plants",
        fingerprint="3fad3adda65375c05b99b2bf50957fc1b1e0ce1242869b2bac63fec0d178c3fb",
        note="The target is the turbine's decay, as in the paper's code; many benchmarks take the compressor's. Two "
        "columns are constant, two are equal.",
    ),
    TableFacts(
        name="california",
        rows=20640,
        features=8,
        target="median house value (100,000 USD)",
        licence="none stated",
        home="http://lib.stat.cmu.edu/datasets/houses.zip",
        fingerprint="523492c24246a1d80433bd826eea21c3a1608ec87a989a97f4a02f512867050e",
        note="As scikit-learn's fetch_california_housing derives it. 965 targets are capped at 5.00001.",
    ),
    TableFacts(
        name="superconduct",
        rows=21263,
        features=81,
        target="critical temperature (K)",
        licence=_CC,
        home=f"{_UCI}/464/superconductivty+data",
        fingerprint="9a238f38db43df9ca2ba95569590cc8aa70f274a45b5f100b92534142c0a8e8d",
        note="The fingerprint is of an exact reconstruction from the composition table, which agrees with all 4752 "
        "published rows it was compared with, to their digits; results here are from it, not from the original file.",
    ),
    TableFacts(
        name="protein",
        rows=45730,
        features=9,
        target="RMSD",
        licence=_CC,
        home=f"{_UCI}/265/physicochemical+properties+of+protein+tertiary+structure",
        fingerprint="f1a9a0accc206618db660a04a42b156efd955fbedecc84aa39338695af36e64d",
        note="1711 rows are exact duplicates.",
    ),
    TableFacts(
        name="year",
        rows=515345,
        features=90,
        target="year of release",
        licence=_CC,
        home=f"{_UCI}/203/yearpredictionmsd",
        fingerprint="",
        note="No fingerprint is known: only the counts of rows and columns are checked. Subsets are refused.",
    ),
)

CATALOGUE: MappingProxyType[str, TableFacts] = MappingProxyType({facts.name: facts for facts in _TABLES})
