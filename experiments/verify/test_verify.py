"""Quick tests of the recount: `python3 -m pytest experiments/verify`."""

import copy
import hashlib
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("tomllib", reason="needs Python 3.11")

import counts
import hands
import verify
from ways import Refused, Way

BEST_TO_WORST = """As Ah Ad Ac Jk|As Ks Qs Js Ts|As 2s 3s 4s Jk|Ks Qs Js Jk 9s|6s 5s 4s 3s 2s|As Ah Ad Jk Ks
2s 2h 2d 2c As|3s 3h 3d 2s 2h|Ks Qs Js 8s Jk|As Ks Jk 9s 5s|As Ks Js 9s 5s|As Kh Qs Js Jk|As Jk 4s 3h 2d|Ks Qh Js Ts 9s
6s 5h 4s 3s Jk|As Ah Jk Ks Qs|2s 2h 2d As Ks|As Jk Ks Kh 2s|3s 3h 2s 2h As|As Jk 7s 3h 2d|2s 2h As Ks Qs|As Ks Qs Js 9h
7s 5s 4s 3s 2h"""
FRONTS = {  # by trump-plaza, from the rules of the specification
    "Jk As Ah Ad Ac Kh Kd": "Kh Kd", "Jk As Ah Ad Ac Kh Qd": "Jk As", "Jk Ad As Ah Kd Qd Jd": "As Ah",
    "9s 9h 9d 9c Ks 3h 2d": "Ks 3h", "9s 9h 9d 9c Qs 3h 2d": "9s 9h", "As Kh 9s 9h 9d 2s 2h": "As Kh",
    "As Ah Kd Ks Qh Qd 2c": "As Ah", "Ad Ks Kh 6s 6h 3s 2s": "Ad 3s", "Qd Ks Kh 6s 6h 3s 2s": "6s 6h",
    "As Ah Ad Kd Qh Jc 9s": "As Kd", "As Ks 9s 8h 7d 6c 5s": "As Ks", "As Kd Jh 9c 7h 5d 2s": "Kd Jh",
}  # fmt: skip
TEXTS = {
    "rule": '[[rule]]\nname="a"\nplay={}\nthen=1', "play": '[[rule]]\nname="a"\nplay={middle="A"}',
    "when": '[[rule]]\nname="a"\nwhen={quad="A"}\nplay={}', "shape": '[[rule]]\nname="a"\nwhen={shape="six"}\nplay={}',
    "prefer": '[[rule]]\nname="a"\nplay={}\nprefer="middle"',
    "gap": '[[rule]]\nname="a"\nwhen={single="2"}\nplay={}',
}  # fmt: skip
TRUMP_PLAZA = {"wins": 2360723961772804, "losses": 2467480314035240, "copies_front": 210386817170984,
               "copies_back": 3125887353888, "deals": 8250459031214400, "pushes": 3422254755406356}  # fmt: skip


def cards(*texts):
    return hands.cards_of(np.array([hands.parse(text) for text in texts]))


def test_ranks_of_hands():
    def rank(text):
        return hands.BACKS[hands.number(np.array(hands.parse(text)))]

    order = [text for line in BEST_TO_WORST.splitlines() for text in line.split("|")]
    for better, worse in zip(order, order[1:]):
        assert rank(better) > rank(worse), worse
    assert rank("As Jk Ks 9s 5s") == rank("As Ks Qs 9s 5s")  # the joker is the highest rank missing from a flush
    assert rank("As Jk 7s 3h 2d") == rank("As Ah 7s 3h 2d")
    assert len(hands.VALUES) == 7462 + 1  # five aces
    assert hands.front_rank(12, 11) < hands.front_rank(0, 0) < hands.front_rank(12, 12) == 90


def test_numbers_and_classes():
    for size, count in enumerate([1, 14, 182, 1924, 18187, 150891]):
        sets = hands.subsets(size)
        assert (hands.number(sets) == np.arange(len(sets))).all()
        if size:
            classes, sizes = hands.classes(size)
            assert len(classes) == count and sizes.sum() == len(sets)


def test_fouls():
    _, _, legal = hands.settings(cards("As Ah Ks Qd Jh 9c 7s", "As Jk Ah Ad 4s 3s 2d"))
    assert not legal[0][0] and legal[0][-1]  # a pair of aces before king high
    assert legal[1][0]  # aces before equal aces


def test_house_way():
    way = Way(verify.WAYS / "trump-plaza.toml")
    for text, expected in FRONTS.items():
        hand = cards(text)
        front = hands.settings(hand)[0][0]
        held = hands.RANK[cards(expected)[0]]
        assert front[way.set(hand)[0][0]] == hands.front_rank(*held), text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_unknown_words_are_refused(tmp_path, text):
    (tmp_path / "way.toml").write_text(text)
    with pytest.raises(Refused):
        Way(tmp_path / "way.toml").set(cards("As Ah Ks Qd Jh 9c 7s"))


def test_counts_of_pairs():
    values = np.random.default_rng(1)
    for _ in range(20):
        player, banker = (values.integers(5, size=30) << 13 | values.integers(9, size=30) for _ in range(2))
        pairs = [(p >> 13, p & 8191, b >> 13, b & 8191) for p in player for b in banker]
        expected = [sum(f > g and b > c for f, b, g, c in pairs), sum(f <= g and b <= c for f, b, g, c in pairs)]
        expected += [sum(f == g for f, _, g, _ in pairs), sum(b == c for _, b, _, c in pairs), 900]
        assert [int(each) for each in counts.grid_counts(player, banker)] == expected
        assert counts.pair_counts(player[None], banker[None]).tolist() == [expected]
    many = np.repeat(player, 25_000)  # enough for the full grid
    assert [int(each) for each in counts.grid_counts(many, banker)] == [25_000 * each for each in expected]


@pytest.mark.parametrize("banker", [False, True])
def test_counts_of_a_setting(banker):
    grid = np.random.default_rng(1).integers(100, size=(6, 9))
    for front, back in [(0, 0), (2, 3), (5, 8)]:
        copy = 1 if banker else -1
        ranks = np.ndenumerate(grid)
        cells = [(np.sign(front - f) or copy, np.sign(back - b) or copy, number) for (f, b), number in ranks]
        count = counts.outcomes(grid, front, back, banker)
        assert count["wins"] == sum(n for f, b, n in cells if f > 0 and b > 0)
        assert count["losses"] == sum(n for f, b, n in cells if f < 0 and b < 0)
        assert count["pushes"] == sum(n for f, b, n in cells if f != b)
        assert count["copies_front"] == grid[front].sum() and count["copies_back"] == grid[:, back].sum()


def corrupted(document, change):
    """Returns a document with one value changed: a digit, a flag or a name."""
    document = copy.deepcopy(document)
    *path, key = change.choice(list(verify.leaves(document, "result"))).split(".")[1:]
    parent = document
    for step in path:
        parent = parent[int(step) if isinstance(parent, list) else step]
    value = parent[key]
    if isinstance(value, str) and value.lstrip("-").isdigit():
        digit = change.randrange(value.startswith("-"), len(value))
        parent[key] = value[:digit] + str((int(value[digit]) + change.randrange(1, 10)) % 10) + value[digit + 1 :]
    elif isinstance(value, bool) or value is None:
        parent[key] = not value
    else:
        parent[key] = value + "x" if isinstance(value, str) else value * (1 + change.choice([-1, 1]) * 1e-9) + 1e-9
    return document


def test_a_thousand_corrupted_results_are_refused():
    document = json.loads((Path(__file__).parent / "solve-trump-plaza.json").read_text())
    expected = verify.expected_solve(TRUMP_PLAZA)
    assert verify.differences(document, expected) == []
    change = random.Random(1)
    for _ in range(1000):
        assert verify.differences(corrupted(document, change), expected)


def test_a_thousand_corrupted_tables_are_refused(tmp_path):
    table = tmp_path / "table.safetensors"
    settings = np.random.default_rng(1).integers(21, size=500).astype(np.uint8).tobytes()
    header = json.dumps({"__metadata__": {"hash": hashlib.sha256(settings).hexdigest()[:16]}}).encode()
    whole = len(header).to_bytes(8, "little") + header + settings
    table.write_bytes(whole)
    assert verify.read_table(table, 500).tobytes() == settings
    change = random.Random(1)
    for _ in range(1000):
        data = bytearray(whole)
        data[change.randrange(len(data) - 500, len(data))] ^= change.randrange(1, 256)
        table.write_bytes(data)
        with pytest.raises(Refused):
            verify.read_table(table, 500)


def test_committed_tables_are_whole():
    for side in verify.SIDES:
        table = verify.WAYS.parents[1] / "results" / "equilibrium" / "strategies" / f"{side}.safetensors"
        assert verify.read_table(table, 6_972_147).max() <= 20


def test_corrupted_hands_are_refused():
    way = Way(verify.WAYS / "trump-plaza.toml")
    random_counts = np.random.default_rng(1)
    counted = [{key: int(random_counts.integers(10**7)) for key in ("wins", "pushes", "losses")} for _ in hands.PAIRS]
    document = verify.expected_hand({"hand": "Ad Ks Kh 6s 6h 3s 2s"}, counted, way)
    assert document["rule"] == "two pairs kept, ace" and document["settings"][-1]["front"] == "3s 2s"
    change = random.Random(1)
    for _ in range(1000):
        assert verify.differences(corrupted(document, change), document)


def documented(section, row):
    """Returns the keys in a row of the chapter that is generated from the program."""
    text = (verify.WAYS.parents[1] / "experiments" / "book" / "src" / "reference" / "json-keys.md").read_text()
    return set(re.findall("`([^`]+)`", text.split(f"\n## {section}\n")[1].split(f"\n| {row} | ")[1].splitlines()[0]))


def test_all_keys_of_the_engine_are_compared():
    for section, expected in [("houseway solve", verify.expected_solve), ("houseway par", verify.expected_par)]:
        assert documented(section, "the document") - verify.UNCHECKED == expected(TRUMP_PLAZA).keys()
    count = counts.outcomes(np.ones((91, 7463), int), 5, 5, False)
    document, way = {"hand": "Ad Ks Kh 6s 6h 3s 2s"}, Way(verify.WAYS / "trump-plaza.toml")
    expected = verify.expected_hand(document, [count] * 21, way)
    with_options = {"banker_hands", "dead", "front"}
    assert documented("houseway ev HAND", "the document") - verify.UNCHECKED - with_options == expected.keys()
    assert documented("houseway ev HAND", "`settings[]`") == expected["settings"][0].keys()


def test_bands():
    assert verify.band([0.5, 0.25, 0.25], 1) == {"rounds": 1, "low": -1.0, "high": pytest.approx(0.95)}
    assert verify.band([0.01, 0.98, 0.01], 1) == {"rounds": 1, "low": 0.0, "high": 0.0}
    # Of two rounds, the worst pair of results has a probability of 0.04, and the best one of 0.01.
    assert verify.band([0.1, 0.7, 0.2], 2) == {"rounds": 2, "low": -1.0, "high": pytest.approx(0.475)}
