r"""Tables for a paper: LaTeX with booktabs, and longtable where a page is not enough."""

import re
from collections.abc import Collection, Sequence

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$", "|": r"$|$", "–": "--",
    "±": r"$\pm$", "σ": r"$\sigma$", "λ": r"$\lambda$", "μ": r"$\mu$", "Φ": r"$\Phi$", "χ": r"$\chi$", "²": "$^2$",
    "½": r"$\frac{1}{2}$", "×": r"$\times$", "·": r"$\cdot$", "≤": r"$\le$", "≥": r"$\ge$", "→": r"$\to$",
    "…": r"\dots{}", "√": r"$\surd$",
}  # fmt: skip
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")
_ROWS_ON_A_PAGE = 45


def escaped(text: str) -> str:
    """The text as LaTeX prints it: no character of it is a command, none needs more than pdflatex."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def latex_table(
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    note: str = "",
    bold: Collection[tuple[int, int]] = (),
) -> str:
    """A table with its caption; numbers stand right, with a true minus and powers of ten.

    bold  row and column of the cells whose first number is bold
    """
    columns = "".join("r" if _numeric([row[i] for row in rows]) else "l" for i in range(len(headings)))
    caption = rf"\caption{{{escaped(' '.join(filter(None, (_sentence(title), note))))}}}"
    head = rf"{_line([escaped(heading) for heading in headings])}"
    body = [_line([_cell(cell, (i, j) in bold) for j, cell in enumerate(row)]) for i, row in enumerate(rows)]
    if len(rows) > _ROWS_ON_A_PAGE:
        return "\n".join(
            [
                rf"\begin{{longtable}}{{{columns}}}",
                rf"{caption}\\",
                *(rf"\toprule {head} \midrule \end{end}" for end in ("firsthead", "head")),
                r"\bottomrule \endfoot",
                *body,
                r"\end{longtable}",
                "",
            ]
        )
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            caption,
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            head,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _sentence(title: str) -> str:
    return title if title.endswith((".", "?", "!")) else f"{title}."


def _numeric(cells: Sequence[str]) -> bool:
    told = [cell for cell in cells if cell not in ("", "–")]
    return bool(told) and all(_NUMBER.match(cell.lstrip(" [")) for cell in told)


def _line(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _cell(text: str, bold: bool = False) -> str:
    """Numbers become formulas wherever a cell is nothing but numbers and brackets; text is escaped."""
    if not text or _NUMBER.sub("", text).strip(" ()[],"):
        return escaped(text)
    formulas = _NUMBER.sub(lambda found: f"${_formula(found.group())}$", text)
    return re.sub(r"\$([^$]+)\$", r"$\\mathbf{\1}$", formulas, count=1) if bold else formulas


def _formula(number: str) -> str:
    mantissa, _, exponent = number.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa
