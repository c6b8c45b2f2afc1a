"""Recounts results of the engine from the rules. README.md says what this checks and how."""

import argparse
import hashlib
import json
import sys
import time
from fractions import Fraction
from math import comb, isclose
from pathlib import Path

import numpy as np

import counts
import hands
from ways import Refused, Way

WAYS = Path(__file__).parents[2] / "env" / "house-ways"
RULES = {"bank-pushes": "none", "collection": "none", "commission": 0.05, "commission-bet": "none"}
RULES |= {"copies": "banker", "equal-setting": "legal", "joker": "half_wild"}
RULES |= {"joker-in-flush": "highest_missing", "side-bet-best": "best_paid"}
RULES |= {"wheel-straight": "second", "wheel-straight-flush": "second"}
NETS = {"wins": Fraction(19, 20), "pushes": Fraction(0), "losses": Fraction(-1)}
UNCHECKED = {"player", "banker", "way", "player_readings", "banker_readings"}  # the question
UNCHECKED |= {"machine", "seal", "rules_hash", "player_hash", "banker_hash", "exploitability"}
UNCHECKED |= {"optimal_ev", "readings"}
SIDES = ["player", "banker"]
START = time.monotonic()


def say(text):
    print(f"{time.monotonic() - START:6.0f} s  {text}", flush=True)


def read_table(path, classes):
    """Returns the settings in a strategy table: a header of JSON, then a byte for each class."""
    data = Path(path).read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    settings, header = np.frombuffer(data[start:], np.uint8), json.loads(data[8:start])
    if header["__metadata__"]["hash"] != hashlib.sha256(settings).hexdigest()[:16]:
        raise Refused(f"{path}: the settings don't have the hash that the header names")
    if len(settings) != classes or settings.max() > 20:
        raise Refused(f"{path}: not {classes:,} settings")
    return settings


def load(path, readings=None):
    """Returns the value of every hand, set by a house way (TOML) or a table (safetensors)."""
    classes, values = hands.classes(7)[0], np.zeros(comb(53, 7), np.uint32)
    is_table = Path(path).suffix == ".safetensors"
    strategy = read_table(path, len(classes)) if is_table else Way(path, readings)
    for part in np.array_split(np.arange(len(classes)), 100):
        cards = hands.cards_of(classes[part])
        setting = strategy[part] if is_table else strategy.set(cards)[0]
        front, back, legal = (each[np.arange(len(part)), setting] for each in hands.settings(cards))
        if not legal.all():
            raise Refused(f"{path}: a foul")
        for same_class in hands.permuted(classes[part]):
            values[hands.number(same_class)] = front << 13 | back
    say(f"{path}: all hands set")
    return values


def moment(count, power, center=0):
    """Returns the mean of a power of the distance between the net result and a center."""
    total = sum(count[outcome] * (net - center) ** power for outcome, net in NETS.items())
    return total / sum(count[outcome] for outcome in NETS)


def exact(value):
    numerator, denominator = map(str, value.as_integer_ratio())
    return {"numerator": numerator, "denominator": denominator, "value": float(value)}


def expected_solve(count):
    """Returns what `houseway solve --json` must say if the recount has these outcome counts."""
    ev = moment(count, 1)
    variance = float(moment(count, 2, ev))
    expected = {"bank": "house", "shard": None, "rules": RULES}
    expected |= {key: str(number) for key, number in count.items()}
    for side, value in {"": ev, "banker_": -ev}.items():
        expected |= {f"{side}ev": float(value), f"{side}ev_exact": exact(value)}
        expected |= {f"{side}variance": variance, f"{side}standard_deviation": variance**0.5}
    return expected


def expected_par(count):
    """Returns what `houseway par --json` must say if the recount has these outcome counts."""
    ev, share = moment(count, 1), {key: Fraction(count[key], count["deals"]) for key in count}
    deviation = float(moment(count, 2, ev)) ** 0.5
    win, push, loss = (float(share[outcome]) for outcome in NETS)
    expected = {"game": "pai-gow-poker", "rules": RULES, "ev": float(ev), "ev_exact": exact(ev)}
    expected |= {"standard_deviation": deviation, "volatility_index": 1.96 * deviation}
    expected |= {"hit_frequency": win, "skew": float(moment(count, 3, ev)) / deviation**3}
    expected |= {"outcomes": [], "seats": None, "side_bet": None}
    for name, (key, net) in zip(["win", "push", "loss"], NETS.items()):
        outcome = {"outcome": name, "net": float(net), "deals": str(count[key])}
        expected["outcomes"].append(outcome | {"probability": exact(share[key])})
    parts = {key: share[key] for key in ["copies_front", "copies_back"]}
    parts["before_commission"] = share["wins"] - share["losses"]
    parts |= {"commission": -share["wins"] / 20, "collection": Fraction(0)}
    expected["parts"] = {key: float(part) for key, part in parts.items()}
    expected["parts_exact"] = {key: exact(part) for key, part in parts.items()}
    bands = [band([win, push, loss], rounds) for rounds in [100, 1000, 10_000]]
    return expected | {"bands": bands}


def band(parts, rounds):
    """Returns the band of 95% of an average. Results are 0, 20 or 39 steps of 1/20 above -1."""
    single, size = np.zeros(40), 39 * rounds + 1
    single[[39, 20, 0]] = parts
    below = np.cumsum(np.fft.irfft(np.fft.rfft(single, 2 * size) ** rounds, 2 * size)[:size])
    low = np.searchsorted(below, 0.025, "right") / rounds / 20 - 1
    high = np.searchsorted(below, 0.975 - 1e-12) / rounds / 20 - 1
    return {"rounds": rounds, "low": float(low), "high": float(high)}


def expected_hand(document, counted, way):
    """Returns what `houseway ev --json` must say of a hand if its 21 settings have these counts."""
    cards = hands.cards_of(np.array([hands.parse(document["hand"])]))
    names = [hands.NAMES[card] for card in cards[0]]
    settings, evs = [], []
    for pair, count, fits in zip(hands.PAIRS, counted, hands.settings(cards)[2][0]):
        evs.append(moment(count, 1) if fits else -2)
        numbers = {key: str(number) for key, number in count.items()} | {"ev": float(evs[-1])}
        setting = numbers if fits else dict.fromkeys(numbers)
        setting |= {"foul": not fits, "front": " ".join(names[card] for card in pair)}
        back = [names[card] for card in range(7) if card not in pair]
        settings.append(setting | {"back": " ".join(back)})
    (chosen,), (rule,) = way.set(cards)
    expected = {"hand": document["hand"], "rules": RULES, "rule": way.rules[rule]["name"]}
    expected |= {"house_way": int(chosen), "best": evs.index(max(evs)), "settings": settings}
    return expected


def leaves(document, place):
    """Returns all checked numbers and texts in a document by their places."""
    if not isinstance(document, (dict, list)):
        return {place: document}
    items, found = document.items() if isinstance(document, dict) else enumerate(document), {}
    for key, value in items:
        found |= {} if key in UNCHECKED else leaves(value, f"{place}.{key}")
    return found


def same(found, expected):
    if isinstance(found, float) and isinstance(expected, float):
        return isclose(found, expected, rel_tol=1e-12)
    return type(found) is type(expected) and found == expected


def differences(found, expected, place="result"):
    """Lists where a document differs from what is expected."""
    found, expected = leaves(found, place), leaves(expected, place)
    missing = dict.fromkeys(found | expected, "nothing")
    found, expected = missing | found, missing | expected
    wrong = [key for key in missing if not same(found[key], expected[key])]
    return [f"{key}: {found[key]!r}, should be {expected[key]!r}" for key in wrong]


def deals(options):
    """Recounts a result of `houseway solve --json` or `houseway par --json`."""
    document, asked = json.loads(options.results[0].read_text()), []
    is_par = options.command == "par"
    if is_par:
        document = {"seats": None, "side_bet": None} | document  # older ones lack these
    for side in SIDES:
        way = document[side]
        if not is_par:
            way = {"name": way, "readings": document[f"{side}_readings"]}
        asked.append((getattr(options, side) or WAYS / f"{way['name']}.toml", way["readings"]))
    player = load(*asked[0])
    count = counts.count_deals(player, player if asked[0] == asked[1] else load(*asked[1]), say)
    say(json.dumps(count))
    return differences(document, (expected_par if is_par else expected_solve)(count))


def hand(options):
    """Recounts results of `houseway ev --json`, all against the same banker."""
    documents, wrong = [json.loads(path.read_text()) for path in options.results], []
    path = options.banker or WAYS / f"{documents[0]['banker']}.toml"
    banker = load(path)
    for document in documents:
        [cards] = sets = np.array([hands.parse(document["hand"])])
        [front], [back], _ = hands.settings(hands.cards_of(sets))
        counted = counts.count_hand(cards, front, back, banker)
        expected = expected_hand(document, counted, Way(WAYS / f"{document['way']}.toml"))
        if path.suffix == ".safetensors":  # halves are only compared with those of house ways
            for setting in expected["settings"]:
                setting |= {"lower_fronts": None, "lower_backs": None}
        wrong += differences(document, expected, document["hand"])
        say(f"{document['hand']}: {counted[document['house_way']]} by the house way")
    return wrong


def bounds(options):
    """Recounts an equilibrium's bounds, given tables of the best responses to its two tables."""
    claimed = json.loads(options.results[0].read_text())["tables"]
    wrong, evs, random = [], {}, np.random.default_rng(options.seed)
    for side, other, bound in [("player", "banker", "upper"), ("banker", "player", "lower")]:
        best = load(getattr(options, side))
        table = load(options.results[0].parent / "strategies" / f"{other}.safetensors")
        both = (best, table) if side == "player" else (table, best)
        count = counts.count_deals(*both, say)
        evs[bound] = moment(count, 1)
        say(f"{bound} bound: {evs[bound]} from {json.dumps(count)}")
        win, loss = (95, 100) if side == "player" else (100, 95)
        for _ in range(options.hands):
            [cards] = sets = hands.CARDS[random.choice(53, 7, replace=False)].sum(keepdims=True)
            front, back, legal = hands.settings(hands.cards_of(sets))
            [value] = best[hands.number(sets)].astype(int)
            ranks = np.append(front[legal], value >> 13), np.append(back[legal], value & 8191)
            counted = counts.count_hand(cards, *ranks, table, copies_win=side == "banker")
            gains = [win * each["wins"] - loss * each["losses"] for each in counted]
            if max(gains) > gains[-1]:
                wrong.append(f"{side}, set {cards}: not the best setting")
        say(f"settings of {options.hands} random hands compared (seed {options.seed})")
    width = evs["upper"] - evs["lower"]
    expected = {"value": {bound: exact(ev) for bound, ev in evs.items()}}
    expected |= {"nash_conv": float(width), "nash_conv_exact": exact(width)}
    return wrong + differences(claimed, expected, "tables")


COMMANDS = {"solve": deals, "par": deals, "hand": hand, "bounds": bounds}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("results", type=Path, nargs="+", help="results of the engine (JSON)")
    for side in SIDES:
        parser.add_argument(f"--{side}", type=Path, help="a house way or table that isn't built in")
    parser.add_argument("--hands", type=int, default=20, help="sampled hands for each bound")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        wrong = COMMANDS[options.command](options)
    except (Refused, OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        wrong = [f"{type(error).__name__}: {error}"]
    say("\n".join(wrong) or "verified: all numbers agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
