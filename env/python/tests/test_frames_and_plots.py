"""Tests for converting results to other packages' data frames, and for figures."""

from pathlib import Path

import houseway
import numpy as np
import pytest
from houseway import exact, plot

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

RESULTS = Path(__file__).parents[3] / "results"


def test_tables_become_data_frames_without_copies() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {"wins": np.arange(6, dtype=np.int64).reshape(3, 2), "ev": np.array([0.5, np.nan, -1.0])}
    table, frame, other = exact.to_arrow(columns), exact.to_pandas(columns), exact.to_polars(columns)
    assert isinstance(frame, pandas.DataFrame) and isinstance(other, polars.DataFrame)
    assert frame.columns.tolist() == ["wins_0", "wins_1", "ev"] and other.columns == table.column_names == ["wins", "ev"]
    assert frame["wins_1"].tolist() == [1, 3, 5] and other["wins"].to_list() == [[0, 1], [2, 3], [4, 5]]
    for shared in (frame["ev"].to_numpy(), frame["wins_1"].to_numpy(), table["ev"].chunk(0).to_numpy(), other["ev"].to_numpy()):
        assert any(np.shares_memory(shared, column) for column in columns.values())


def test_results_have_columns() -> None:
    pytest.importorskip("pandas")
    hands = exact.hand_ev(["As Ad Kh Kc Qs Qd 3c", "As Kd Jk 7c 7d 2h 3s"])
    frame = exact.to_pandas(hands)
    assert len(frame) == 2 and frame["best"].tolist() == hands.best.tolist()
    assert frame["wins_20"].tolist() == hands.wins[:, 20].tolist() and frame["cards_0"].tolist() == hands.hands[:, 0].tolist()
    decision = exact.ultimate_holdem.hand_ev(["Kh 8c", "2h 7c"], "8d 5s 3h")
    assert exact.to_pandas(decision)["best"].tolist() == ["play2", "check"]
    answer = exact.Solver("joker-seven").solve()
    assert exact.to_arrow(answer.tables[0]).num_rows == len(answer.tables[0].rows)
    solver = exact.Solver("asian-stud")
    name = next(name for name, frame in solver.frames.items() if all(it["optional"] for it in frame["inputs"]))
    assert len(exact.to_polars(solver.frame(name))) > 0
    audit = houseway.audit("trump-plaza", shard=(0, 2_000))
    assert exact.to_polars(audit.by_rule())["rule"].to_list() == [rule.rule for rule in audit.rules]
    rows = audit.by_reading()
    readings = exact.to_pandas(rows)
    assert readings["option"].tolist() == [row["option"] for row in rows] and len(readings.columns) == len(rows[0])
    assert exact.to_arrow([]).num_columns == 0
    with pytest.raises(TypeError, match="invalid columns None: expected a mapping"):
        exact.to_pandas(None)  # type: ignore[arg-type]


def test_saved_figures_are_read_and_drawn() -> None:
    import matplotlib.pyplot as plt

    files = sorted(RESULTS.glob("**/plots/*.toml"))
    if not files:
        pytest.skip("the results are not next to the package")
    drawn = set()
    for file in files:
        figure = plot.read(file)
        columns = figure.columns()
        assert len({len(column) for column in columns.values()}) == 1 and len(next(iter(columns.values()))) > 0
        # Drawing takes most of the time, so one figure of each kind is drawn.
        if figure.kind not in drawn:
            drawn.add(figure.kind)
            axes = figure.draw()
            assert axes.get_title(loc="left") == figure.title
            axes.figure.canvas.draw()
            plt.close("all")
    assert drawn == {"lines", "bars", "heat"}
    bars = plot.read(RESULTS / "quick/plots/ev-by-agent.toml")
    optimum = bars.columns()["value"][bars.columns()["category"] == "optimum"]
    assert optimum == pytest.approx(-0.0244137, abs=1e-6)
    widths = [patch.get_width() for patch in bars.draw().patches]
    np.testing.assert_array_equal(widths, bars.columns()["value"])
    plt.close("all")


def test_figures_of_answers_audits_and_own_numbers() -> None:
    import matplotlib.pyplot as plt

    figures = exact.Solver("joker-seven").solve().plots
    assert {figure.kind for figure in figures} == {"bars", "lines"}
    audit = houseway.audit("trump-plaza", shard=(0, 500))
    found = plot.audit(audit)
    assert sorted(found) == ["backs", "costliest-hands", "lost-by-rule", "without-each-rule"]
    by_rule = audit.by_rule()
    longest = found["lost-by-rule"].columns()
    assert longest["category"][0] == by_rule["rule"][by_rule["ev_lost"].argmax()]
    assert longest["value"][0] == pytest.approx(1_000 * by_rule["ev_lost"].max())
    assert found["backs"].columns()["value"][: len(found["backs"].chart["bars"]["categories"])].sum() == pytest.approx(1)
    own = [
        plot.bars("bars", "EV", ["a", "b"], {"one": [0.1, -0.2]}, intervals={"one": [[0, 0.2], [-0.3, -0.1]]}, percent=True, places=1),
        plot.lines("lines", ("x", "y"), {"one": ([1, 10], [0.5, 0.1])}, bands={"one": [[0.4, 0.6], [0, 0.2]]}, references={"way": 0.2}, log=(True, False)),
        plot.heat("heat", ("rows", ["a"]), ("columns", ["x", "y"]), [[0.1, np.nan]], percent=True),
    ]
    for figure in [*figures, *found.values(), *own]:
        figure.draw().figure.canvas.draw()
        plt.close("all")
    assert own[1].columns()["low"].tolist() == [0.4, 0.0]


BARS, LINES = ("t", "l", ["a", "b"]), ("t", ("x", "y"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plot.bars(*BARS, {"s": [1, 2, 3]}), r"invalid values of 's': expected shape \(2,\), found shape \(3,\)"),
        (lambda: plot.bars(*BARS, {"s": [1]}), "invalid values of 's'"),
        (lambda: plot.bars(*BARS, {"s": [1, 2]}, intervals={"s": [[0, 1]]}), "invalid intervals of 's'"),
        (lambda: plot.bars(*BARS, {"s": [1, 2]}, intervals={"x": [[0, 1]] * 2}), r"intervals for \['x'\]: .* \['s'\]"),
        (lambda: plot.lines(*LINES, {"s": ([1, 2], [3])}), "invalid y values of 's'"),
        (lambda: plot.lines(*LINES, {"s": ([1, 2], [3, 4])}, bands={"s": [[0, 1]]}), "invalid bands of 's'"),
        (lambda: plot.lines(*LINES, {"s": ([1], [3])}, bands={"x": [[0, 1]]}), r"invalid bands for \['x'\]"),
        (lambda: plot.heat("t", ("r", ["a", "b"]), ("c", ["x"]), np.zeros((2, 3))), r"invalid values: .* \(2, 1\), found"),
    ],
)
def test_data_that_does_not_fit_is_refused(call, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        call()


def test_a_chart_without_bars_is_drawn() -> None:
    figure = plot.bars("t", "l", [], {"s": []})
    assert figure._repr_png_().startswith(b"\x89PNG") and not len(figure.columns()["value"])


def test_a_file_with_too_many_values_is_no_figure(tmp_path: Path) -> None:
    text = (RESULTS / "quick/plots/ev-by-agent.toml").read_text()
    (tmp_path / "no.toml").write_text(text.replace("categories = [", 'categories = ["one more", ', 1))
    with pytest.raises(ValueError, match="is not a figure"):
        plot.read(tmp_path / "no.toml")


def test_other_files_are_no_figures(tmp_path: Path) -> None:
    for text in ("title = 3", "x =", '[chart.pie]\n[other]\ntitle = "no"', 'title = "t"\n[chart.pie]\nx = 1'):
        (tmp_path / "no.toml").write_text(text)
        with pytest.raises(ValueError, match="is not a figure"):
            plot.read(tmp_path / "no.toml")
