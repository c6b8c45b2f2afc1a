"""Tests for the checks in the course's exercises."""

import importlib.util
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"


@pytest.fixture
def course() -> ModuleType:
    spec = importlib.util.spec_from_file_location("course", NOTEBOOKS / "course.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (None, "exercise 5.1: no answer yet"),
        (270, "exercise 5.1: right"),
        (np.int64(270), "exercise 5.1: right"),
        (Fraction(540, 2), "exercise 5.1: right"),
        (271, "exercise 5.1: 271 is not the exact value"),
        (-270, "exercise 5.1: -270 is not the exact value"),
        ((270, 270), "exercise 5.1: (270, 270) is not the exact value"),
    ],
)
def test_answers_are_compared_exactly(course: ModuleType, capsys: pytest.CaptureFixture[str], answer: object, shown: str) -> None:
    # There are 13 pairs with 6 combinations each, and 12 other hands with an ace with 16 combinations each.
    course.check("5.1", answer)
    assert capsys.readouterr().out == f"{shown}\n"


@pytest.mark.parametrize("answer", [270.0, "270", True, (270, 0.5), [270]])
def test_other_answers_are_refused(course: ModuleType, answer: object) -> None:
    with pytest.raises(TypeError, match="answer with an integer or a fractions.Fraction"):
        course.check("5.1", answer)


def test_every_exercise_with_an_answer_has_a_cell_and_a_solution(course: ModuleType) -> None:
    for exercise in course.ANSWERS:
        lesson, solution = (
            "".join(path.read_text(encoding="utf-8") for path in NOTEBOOKS.glob(f"{exercise[0]}-*.py") if path.stem.endswith("solutions") == is_one)
            for is_one in (False, True)
        )
        assert f'answer = None\ncheck("{exercise}", answer)' in lesson and f'"{exercise}", ' in solution, exercise
