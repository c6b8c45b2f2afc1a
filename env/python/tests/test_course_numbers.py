"""Checks that every number in the course's text is in a cell, or that of its source in notebooks/numbers.toml."""

import json
import re
from fractions import Fraction
from typing import Any

import pytest
from test_numbers import NUMBER, ROOT, agrees, is_right, numbers, tomllib  # skips this module outside the repository

Cells = list[dict[str, Any]]

FOLDER = ROOT / "notebooks"
NOTEBOOKS: dict[str, Cells] = {
    path.stem: json.loads(path.read_text("utf-8"))["cells"] for path in sorted(FOLDER.glob("*.ipynb"))
}
SOURCES = tomllib.loads((FOLDER / "numbers.toml").read_text("utf-8"))
# The number of an exercise in the lesson, in a heading of the solutions, and in other text.
LABEL = re.compile(r"\*\*(\d\.\d)\*\*|(?m:^## )(\d\.\d)(?: to (\d\.\d))?|exercise\s(\d\.\d)")


def text_of(cells: Cells) -> str:
    """Returns the text between the code cells."""
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def exact(number: str) -> Fraction:
    """Returns the value of a number."""
    return Fraction(number.replace(",", "").rstrip("%")) / (100 if number.endswith("%") else 1)


def is_shown(text: str, cells: Cells) -> bool:
    """Returns whether a number is in the code or in the output of a cell, or is a rounded number of the output.

    Percentages are only compared with percentages. A number with one significant digit must not be rounded. Otherwise,
    too many numbers would agree with it by chance.
    """
    code, printed = set[str](), set[str]()
    for cell in cells:
        if cell["cell_type"] == "code":
            # Without the underscores in numbers, and without the formats in f-strings.
            code.update(NUMBER.findall(re.sub(r"(?<=\d)_(?=\d)|:[^{}\s]*\}", "", "".join(cell["source"]))))
            for output in cell["outputs"]:
                shown = output.get("text") or output.get("data", {}).get("text/plain", "")
                printed.update(NUMBER.findall("".join(shown)))
    may_round = len(re.sub(r"\D", "", text).lstrip("0")) >= 2
    return any(
        exact(it) == exact(text) or (may_round and it in printed and agrees(text, exact(it), {}))
        for it in code | printed
        if it.endswith("%") == text.endswith("%")
    )


def others(name: str) -> set[str]:
    """Returns the numbers in a notebook's text that no cell shows. Exercises may refer to cells of their solutions."""
    cells = NOTEBOOKS[name]
    lesson, _, exercises = LABEL.sub(" ", text_of(cells)).partition("## Exercises")
    parts = [(lesson, cells), (exercises, cells + NOTEBOOKS.get(f"{name}-solutions", []))]
    return {number for text, near in parts for number in numbers(text) if not is_shown(number, near)}


def test_numbers_of_cells_are_found() -> None:
    """A number may be that of the code, or a rounded one of the output."""
    outputs = [{"text": ["0.0234, ", "12.57%"]}]
    cells = [{"cell_type": "code", "source": ["x = 4_000 * 0.0719\n", "f'{x:4.0%}'"], "outputs": outputs}]
    assert all(is_shown(text, cells) for text in ["4,000", "0.0719", "0.0234", "0.023", "12.57%", "12.6%", "13%"])
    assert not any(is_shown(text, cells) for text in ["4,001", "0.072", "0.0233", "0.02", "12.6", "12.5%", "4.0%"])


def test_notebooks_are_known() -> None:
    """All notebooks are checked, numbers are only listed for them, and the overview has none."""
    assert set(NOTEBOOKS) == {path.stem for path in FOLDER.glob("[0-9]*.py")}
    assert set(SOURCES) <= set(NOTEBOOKS)
    assert numbers((FOLDER / "README.md").read_text("utf-8")) == set()


def test_exercises_exist() -> None:
    """The text only refers to exercises of the lessons."""
    text = "\n\n".join(map(text_of, NOTEBOOKS.values()))
    exercises = set(re.findall(r"(?m)^\*\*(\d\.\d)\*\*", text))
    assert exercises == {label for found in LABEL.findall(text) for label in found if label}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_numbers_are_those_of_cells_or_sources(name: str) -> None:
    """Every number that no cell shows has a source with the same value, and every source is needed."""
    sources = SOURCES.get(name, {})
    assert others(name) == set(sources)
    text = text_of(NOTEBOOKS[name])
    assert [number for number, entry in sources.items() if not is_right(number, entry, text)] == []
