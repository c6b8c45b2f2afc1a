"""Runs the Python examples of the book and of the first page as they are written. On the page about other libraries,
each section is for a library that may not be installed."""

from __future__ import annotations

import re
from pathlib import Path

import houseway
import pytest

ROOT = Path(__file__).parents[3]
BOOK = ROOT / "experiments" / "book" / "src"
LIBRARIES = BOOK / "how-to" / "other-libraries.md"

pytestmark = [
    pytest.mark.skipif(not BOOK.exists(), reason="the book is only in the repository"),
    pytest.mark.filterwarnings("ignore"),  # from other packages
]


def examples(text: str) -> str:
    """Returns the code of a page or a section."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


def sections() -> dict[str, str]:
    """Returns the sections of the page about other libraries by title."""
    if not LIBRARIES.exists():
        return {}
    parts = re.split(r"^## ", LIBRARIES.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: part for part in parts if examples(part)}


@pytest.mark.parametrize("title", sections())
def test_examples_for_libraries_run(title: str) -> None:
    code = examples(sections()[title])
    for library in re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE):
        pytest.importorskip(library)
    exec(compile(code, title, "exec"), {"__name__": "example"})


@pytest.mark.parametrize("page", sorted((BOOK / "games").glob("*.md")), ids=lambda page: page.stem)
def test_examples_of_games_run(page: Path) -> None:
    code = examples(page.read_text(encoding="utf-8"))
    assert "gymnasium.make(" in code
    exec(compile(code, page.name, "exec"), {"__name__": "example"})


def test_the_example_of_the_first_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Evaluates a policy over all deals, which takes half a minute of processor time."""
    exec(compile(examples((ROOT / "README.md").read_text(encoding="utf-8")), "README.md", "exec"), {"__name__": "example"})
    ev, regret = map(float, capsys.readouterr().out.split())
    assert ev < 0 < regret


def test_the_first_pages_count_and_list_all_games() -> None:
    number = {8: "eight", 9: "nine", 10: "ten"}[len(houseway.GAMES)]
    assert f"There are {number} environments" in (ROOT / "README.md").read_text(encoding="utf-8")
    listed = (ROOT / "env" / "python" / "README.md").read_text(encoding="utf-8")
    assert [name for name in houseway.GAMES.values() if f"| `{name}` |" not in listed] == []


@pytest.mark.slow
def test_the_tutorial_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Trains the agent of the tutorial and evaluates it over all deals, which takes a minute."""
    code = examples((BOOK / "tutorials" / "first-agent.md").read_text(encoding="utf-8"))
    assert "exact.score(greedy)" in code
    exec(compile(code, "first-agent.md", "exec"), {"__name__": "example"})
    assert f"{float(capsys.readouterr().out.split()[-1]):.2%}" == "0.11%"
