"""Tests that apply to every registered game. They don't name any games, so a new game is covered as soon as it is
registered."""

import re
from pathlib import Path

import houseway
import numpy as np
import pytest
from houseway import exact

GAMES = exact.games()
SOLVED = [name for name, game in GAMES.items() if game["solver"]]
CARDS = [f"{rank}{suit}" for rank in "AKQJT98765432" for suit in "shdc"]


def hand_of(game: dict) -> str | None:
    """Returns a hand with the number of cards or tiles that the solver takes."""
    words = {"two": 2, "three": 3, "five": 5, "seven": 7}
    hands = game["solver"]["hands"]
    if hands is not None and "tiles" in hands:
        return "6-6 5-3 5-2 4-2"
    return None if hands is None else " ".join(CARDS[:: 52 // 7][: words[hands.split()[0]]])


def slow(*names: str) -> list:
    """Returns all games with a solver, where those named are marked as slow."""
    return [pytest.param(name, marks=pytest.mark.slow if name in names else ()) for name in SOLVED]


# Solving these games takes 15 to 25 s of processor time. The last two are solved in test_exact and test_ultimate_holdem
# too.
WHOLE = slow("face-up-pai-gow", "pai-gow-poker", "ultimate-holdem")
# Evaluating policies for Ultimate Texas Hold'em takes half a minute.
EVALUATED = slow("ultimate-holdem")


@pytest.fixture(scope="module", params=SOLVED)
def solver(request: pytest.FixtureRequest) -> exact.Solver:
    """A solver for each game."""
    return exact.Solver(request.param)


def test_games_are_described() -> None:
    assert {name: game["id"] for name, game in GAMES.items()} == houseway.GAMES
    for game in GAMES.values():
        assert game["title"] and game["source"] and game["rules"]
        for option in (game["solver"] or {"options": []})["options"]:
            assert option["help"] and (option["in_solve"] or option["in_value"])


def test_every_hand_has_an_exact_value(solver: exact.Solver) -> None:
    hand = hand_of(GAMES[solver.game])
    if hand is None:
        with pytest.raises(ValueError, match="solve the full game instead"):
            solver.value("As Kd")
        return
    answer = solver.value(hand)
    # The best setting in Face Up Pai Gow depends on the dealer's hand, which is not given here.
    value = answer["ev" if solver.game == "face-up-pai-gow" else "best"]
    assert answer["rules_hash"] and value is not None and answer.tables
    assert all(len(row) == len(table.header) for table in answer.tables for row in table.rows)
    assert hand[:2] in str(answer)
    with pytest.raises(ValueError, match="Xx"):
        solver.value("Xx Kd")


@pytest.mark.parametrize("solver", WHOLE, indirect=True)
def test_every_game_is_solved(solver: exact.Solver) -> None:
    answer = solver.solve()
    assert answer["rules_hash"] and answer.sections and str(answer)
    assert set(answer) == set(dict(answer)) and len(answer) > 3


@pytest.mark.parametrize("solver", slow("ultimate-holdem"), indirect=True)
def test_every_frame_without_inputs_is_computed(solver: exact.Solver) -> None:
    for name, frame in solver.frames.items():
        needed = [it["name"] for it in frame["inputs"] if not it["optional"]]
        if needed:
            with pytest.raises(ValueError, match=f"needs the input '{needed[0]}'"):
                solver.frame(name)
        if frame["inputs"]:
            continue
        found = solver.frame(name)
        plain = found.plain()
        assert len({len(column) for column in plain.values()}) == 1 and all(it.ndim == 1 for it in plain.values())
        with pytest.raises(ValueError, match="unknown input 'nonsense'"):
            solver.frame(name, nonsense=1)
    with pytest.raises(ValueError, match="there is no frame 'nonsense'"):
        solver.frame("nonsense")


@pytest.mark.parametrize("name", SOLVED)
def test_bad_rules_and_options_are_named(name: str) -> None:
    with pytest.raises(ValueError, match="nobody"):
        exact.Solver(name, {"nobody": 1})
    with pytest.raises(ValueError, match="no option 'nobody'"):
        exact.Solver(name, nobody=1)


@pytest.mark.parametrize("solver", EVALUATED, indirect=True)
def test_any_policy_is_evaluated(solver: exact.Solver) -> None:
    def lowest(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert len(observations) == len(masks)
        return masks.argmax(axis=1)

    sample = 200 if GAMES[solver.game]["solver"]["samples"] else None
    def uniform(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return masks / masks.sum(axis=1, keepdims=True)

    answer = solver.evaluate({"lowest": lowest, "uniform": uniform}, sample=sample)
    scores = {agent["name"]: agent for agent in answer["agents"]}
    assert list(scores)[-1] == "optimum" and len(scores) > 2
    assert scores["lowest"]["ev"] <= scores["optimum"]["ev"] and scores["lowest"]["regret"] >= 0
    assert scores["optimum"]["regret"] == pytest.approx(0, abs=1e-12)
    assert scores["uniform"]["ev"] == scores["lowest"]["ev"] and "stochastic" not in scores["lowest"]
    stochastic = scores["uniform"]["stochastic"]
    assert stochastic["regret"] == pytest.approx(scores["optimum"]["ev"] - stochastic["ev"])
    if random := next((score for name, score in scores.items() if name.startswith("random")), None):
        # On a sample, the baseline sets each hand at random once.
        assert stochastic["regret"] == pytest.approx(random["regret"], rel=0.2 if sample else 1e-4)

    if sample:
        return  # the sample would be enumerated two more times

    def failing(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        raise LookupError("on purpose")

    with pytest.raises(LookupError, match="on purpose"):
        solver.evaluate({"failing": failing}, sample=sample)
    with pytest.raises(ValueError, match="chose an illegal action"):
        solver.evaluate({"outside": lambda observations, masks: np.full(len(masks), 999)}, sample=sample)


def test_the_generic_modules_name_no_game() -> None:
    package = Path(houseway.__file__).parent
    names = [name.replace("-", "[-_ ]?") for name in GAMES]
    for module in ("exact/solver.py",):
        text = re.sub(r'"""(?s:.)*?"""', "", (package / module).read_text())
        assert not re.search("|".join(names), text, re.IGNORECASE), module
