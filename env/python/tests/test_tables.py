"""Tests for the file formats that are shared with the command line. If ``HOUSEWAY`` is set to the path of the binary,
it is tested too."""

import json
from collections.abc import Callable
from pathlib import Path

import houseway
import numpy as np
import pytest
from houseway import exact, tables


@pytest.fixture(scope="module")
def settings() -> np.ndarray:
    """The house way's setting for every class."""
    return exact.settings_of(houseway.HouseWay())


def test_a_strategy_comes_back(tmp_path: Path, settings: np.ndarray) -> None:
    file = tmp_path / "way.safetensors"
    tables.save_strategy(file, settings, "mine")
    again, about = tables.load_strategy(file)
    np.testing.assert_array_equal(again, settings)
    assert about["name"] == "mine" and json.loads(about["rules"])["commission"] == 0.05
    bytes_of = file.read_bytes()
    tables.save_strategy(file, settings, "mine")
    assert file.read_bytes() == bytes_of
    assert [path.name for path in tmp_path.iterdir()] == ["way.safetensors"]


def test_strategies_that_are_none_are_refused(tmp_path: Path, settings: np.ndarray) -> None:
    file = tmp_path / "way.safetensors"
    with pytest.raises(ValueError, match="6972147 settings"):
        tables.save_strategy(file, settings[:10], "short")
    file.write_text("nothing")
    with pytest.raises(ValueError, match="not a strategy table"):
        tables.load_strategy(file)
    tables.save_strategy(file, settings, "mine")
    with pytest.raises(ValueError, match="other rules"):
        tables.load_strategy(file, houseway.HouseWay(rules={"commission": 0}))
    torn = bytearray(file.read_bytes())
    torn[-1] ^= 1
    file.write_bytes(torn)
    with pytest.raises(ValueError, match="was modified"):
        tables.load_strategy(file)
    tables.save_strategy(file, settings, "mine")
    file.write_bytes(file.read_bytes().replace(b'"name":"mine"', b'"name":"best"'))
    with pytest.raises(ValueError, match="changed or damaged"):
        tables.load_strategy(file)


def test_columns_come_back(tmp_path: Path) -> None:
    columns = {"class": np.arange(4, dtype=np.int32), "wins": np.arange(84, dtype=np.int32).reshape(4, 21)}
    tables.save_columns(tmp_path / "columns.parquet", columns, way="mine")
    again, about = tables.load_classes(tmp_path / "columns.parquet")
    assert about == {"way": "mine"} and list(again) == ["class", "wins"]
    for name in columns:
        np.testing.assert_array_equal(again[name], columns[name])


def test_changed_columns_are_refused(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "columns.parquet"
    columns = {"class": np.arange(4, dtype=np.int32), "wins": np.arange(84, dtype=np.int32).reshape(4, 21)}
    tables.save_columns(file, columns, way="mine")
    metadata = pq.read_table(file).schema.metadata
    columns["wins"][2, 3] += 1
    pq.write_table(exact.to_arrow(columns).replace_schema_metadata(metadata), file)
    with pytest.raises(ValueError, match="changed or damaged"):
        tables.load_classes(file)
    pq.write_table(exact.to_arrow(columns).replace_schema_metadata({**metadata, b"houseway.way": b"other"}), file)
    with pytest.raises(ValueError, match="changed or damaged"):
        tables.load_classes(file)
    pq.write_table(exact.to_arrow(columns), file)
    with pytest.raises(ValueError, match="no seal"):
        tables.load_classes(file)


def test_the_command_line_plays_a_strategy_from_here(command: Callable, tmp_path: Path, settings: np.ndarray) -> None:
    file = tmp_path / "way.safetensors"
    tables.save_strategy(file, settings, "mine")
    found = json.loads(command("solve", "--player", file, "--shard", "2/40", "--json"))
    counts = exact.solve(shard=(1, 40))
    assert [int(found[key]) for key in ("wins", "pushes", "losses")] == [counts.wins, counts.pushes, counts.losses]


def test_tables_of_the_command_line_are_arrays_here(command: Callable, tmp_path: Path, settings: np.ndarray) -> None:
    file = tmp_path / "classes.parquet"
    command("solve", "--shard", "2/40", "--table", file)
    columns, about = tables.load_classes(file)
    assert about["way"] == "trump-plaza" and about["shard"] == "2/40"
    rows = slice(None, None, 997)
    ev = exact.hand_ev(columns["cards"][rows])
    for name in ("wins", "losses", "best"):
        np.testing.assert_array_equal(columns[name][rows], getattr(ev, name))
    np.testing.assert_allclose(columns["best_ev"][rows], ev.ev[np.arange(len(ev.best)), ev.best], atol=1e-12)
    np.testing.assert_array_equal(columns["way"], settings[columns["class"]])
    tables.save_columns(tmp_path / "again.parquet", columns, way="trump-plaza")
    again, about = tables.load_classes(tmp_path / "again.parquet")
    assert about == {"way": "trump-plaza"} and again.keys() == columns.keys()
    np.testing.assert_array_equal(again["losses"], columns["losses"])


def test_a_split_keeps_hands_with_the_same_ranks_together() -> None:
    hands = houseway.cards.deal(20_000, 3)
    held_out = tables.is_held_out(hands, 0.2)
    assert held_out.dtype == bool and held_out.shape == (20_000,)
    ranks = np.sort(hands // 4, axis=1)
    parts: dict[bytes, set[bool]] = {}
    for row, part in zip(ranks, held_out):
        parts.setdefault(row.tobytes(), set()).add(bool(part))
    assert all(len(found) == 1 for found in parts.values())
    # Some combinations of ranks are far more common than others, so the hands vary more than the combinations.
    share = sum(found == {True} for found in parts.values()) / len(parts)
    assert abs(share - 0.2) < 4.5 * (0.2 * 0.8 / len(parts)) ** 0.5
    shuffled = hands[:, ::-1]
    np.testing.assert_array_equal(tables.is_held_out(shuffled, 0.2), held_out)
    np.testing.assert_array_equal(tables.is_held_out(hands[:5], 0.2), held_out[:5])
    assert (tables.is_held_out(hands, 0.2, seed=1) != held_out).any()
    assert not tables.is_held_out(hands, 0).any() and tables.is_held_out(hands, 1).all()
    with pytest.raises(ValueError, match="between 0 and 1"):
        tables.is_held_out(hands, 1.5)
    np.testing.assert_array_equal(tables.is_held_out(hands, 0.5, np.int64(7)), tables.is_held_out(hands, 0.5, 7))
    with pytest.raises(TypeError, match="invalid seed 7.9: expected an integer"):
        tables.is_held_out(hands, 0.5, 7.9)  # type: ignore[arg-type]


def test_the_split_is_that_of_the_rust_crate() -> None:
    # The test of `RankSplit` in the crate has the same examples.
    examples = {
        "As Kd Jk 7c 7d 2h 3s": [False, True, True],
        "Ad Kc Jk 7s 7h 2d 3c": [False, True, True],
        "Ks Kd Jh Jc 7d 7h 3s": [False, True, False],
        "As Ad Kh Kc Qs Qd 3c": [False, False, True],
        "Th 9h 8h 7h 6h 5h 4h": [False, True, False],
        "2d Jk As Qd Th 2c 8c": [True, True, True],
        "Tc Qh 5c 6s 6h Jd 9s": [True, True, True],
    }
    hands = list(examples)
    found = [tables.is_held_out(hands, fraction, seed) for fraction, seed in [(0.1, 0), (0.5, 0), (0.5, 1)]]
    np.testing.assert_array_equal(np.stack(found, axis=1), list(examples.values()))


def test_columns_of_every_type_are_read_again(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    audit = houseway.audit(shard=(0, 500))
    solution = houseway.exact.asian_stud.solve()
    own = {"text": np.array(["a", "bc"]), "flags": np.array([[True, False], [False, True]]), "n": np.array([1, 2])}
    empty = {"cards": np.zeros((0, 3), np.uint8), "n": np.zeros(0)}
    classes = {"counts": solution.counts, "raises": solution.raises}
    for columns in (audit.by_rule(), audit.by_class(), classes, own, empty):
        tables.save_columns(tmp_path / "columns.parquet", columns)
        found, _ = tables.load_classes(tmp_path / "columns.parquet")
        assert list(found) == list(columns)
        for name, column in columns.items():
            np.testing.assert_array_equal(found[name], column)
            assert found[name].dtype == column.dtype and found[name].shape == column.shape
    for column in (np.array(["a", "bc"], "<U9"), np.arange(3, dtype=">i4")):
        tables.save_columns(tmp_path / "columns.parquet", {"column": column})
        np.testing.assert_array_equal(tables.load_classes(tmp_path / "columns.parquet")[0]["column"], column)


@pytest.mark.parametrize(
    ("column", "about", "message"),
    [
        (np.array(["a", None], object), {}, "invalid column 'x' of object: convert it to numbers, booleans or text"),
        (np.array(["2026-11-30"], "M8[D]"), {}, "invalid column 'x' of datetime64"),
        (np.zeros((2, 3, 4)), {}, r"invalid column 'x' of shape \(2, 3, 4\): expected one or two dimensions"),
        (np.zeros(2), {"seal": 1}, "invalid metadata seal: the file has its own"),
        (np.zeros(2), {"sha256": 1}, "invalid metadata sha256"),
    ],
)
def test_columns_that_would_not_come_back_are_refused(column, about, message, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("pyarrow")
    with pytest.raises((TypeError, ValueError), match=message):
        tables.save_columns(tmp_path / "columns.parquet", {"x": column}, **about)
    assert not list(tmp_path.iterdir())
