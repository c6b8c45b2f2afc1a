"""Recounts results of the engine from the rules. README.md says what this checks and how to run it."""

import argparse
import hashlib
import json
import sys
import time
from fractions import Fraction
from math import isclose
from pathlib import Path

import numpy as np

import counts
import hands
from ways import Refused, Way

WAYS = Path(__file__).parents[2] / "env" / "house-ways"
RULES = {"bank-pushes": "none", "copies": "banker", "equal-setting": "legal", "joker": "half_wild"}
RULES |= {"joker-in-flush": "highest_missing", "wheel-straight": "second", "wheel-straight-flush": "second"}
RULES |= {"side-bet-best": "best_paid", "commission": 0.05}
NEWER = {"collection", "commission-bet"}  # rules that older results lack; their default is "none"
UNCHECKED = {"player", "banker", "way", "player_readings", "banker_readings"}  # the question, not the answer
UNCHECKED |= {"machine", "seal", "rules_hash", "player_hash", "banker_hash", "exploitability", "optimal_ev", "readings"}
SIDES = ["player", "banker"]
START = time.monotonic()


def say(text):
    print(f"{time.monotonic() - START:6.0f} s  {text}", flush=True)


def load(path, readings=None):
    """Returns the value of every hand, set by a house way (TOML) or a strategy table (safetensors)."""
    classes, values = hands.classes(7)[0], []
    is_table = Path(path).suffix == ".safetensors"
    strategy = read_table(path, len(classes)) if is_table else Way(path, readings)
    for part in np.array_split(np.arange(len(classes)), 100):
        cards = hands.cards_of(classes[part], 7)
        chosen = (np.arange(len(part)), strategy[part] if is_table else strategy.set(cards)[0])
        front, back, legal = hands.settings(cards)
        if not legal[chosen].all():
            raise Refused(f"{path}: a foul")
        values.append(front[chosen] << 13 | back[chosen])
    values = counts.value_of_hands(classes, np.concatenate(values))
    say(f"{path}: all hands set")
    return values


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


def read(path):
    """Reads a result without the newer rules that have their default value."""
    document = json.loads(path.read_text())
    rules = document["rules"].items()
    document["rules"] = {rule: option for rule, option in rules if rule not in NEWER or option != "none"}
    return document


def ev_of(count):
    return Fraction(95 * count["wins"] - 100 * count["losses"], 100 * count["deals"])


def exact(value):
    return {"numerator": str(value.numerator), "denominator": str(value.denominator), "value": float(value)}


def expected_solve(count):
    """Returns what `houseway solve --json` must say if the recount has these outcome counts."""
    ev = ev_of(count)
    variance = Fraction(95**2 * count["wins"] + 100**2 * count["losses"], 100**2 * count["deals"]) - ev**2
    expected = {"bank": "house", "shard": None, "rules": RULES} | {key: str(number) for key, number in count.items()}
    for side, value in {"": ev, "banker_": -ev}.items():
        expected |= {f"{side}ev": float(value), f"{side}ev_exact": exact(value)}
        expected |= {f"{side}variance": float(variance), f"{side}standard_deviation": float(variance) ** 0.5}
    return expected


def expected_par(document, count):
    """Returns what `houseway par --json` must say if the recount has these outcome counts."""
    nets = {"win": Fraction(19, 20), "push": Fraction(0), "loss": Fraction(-1)}
    held = dict(zip(nets, [count["wins"], count["pushes"], count["losses"]]))
    parts = {outcome: Fraction(number, count["deals"]) for outcome, number in held.items()}
    ev = ev_of(count)
    variance, third = (sum(parts[key] * (net - ev) ** power for key, net in nets.items()) for power in [2, 3])
    outcomes = [
        {"outcome": key, "net": float(net), "deals": str(held[key]), "probability": exact(parts[key])}
        for key, net in nets.items()
    ]
    deviation = float(variance) ** 0.5
    expected = {"game": "pai-gow-poker", "rules": RULES, "outcomes": outcomes, "ev": float(ev), "ev_exact": exact(ev)}
    expected |= {"standard_deviation": deviation, "volatility_index": 1.96 * deviation}
    expected |= {"hit_frequency": float(parts["win"]), "skew": float(third) / deviation**3}
    copies = {key: count[key] / count["deals"] for key in ["copies_front", "copies_back"]}
    money = {"before_commission": float(parts["win"] - parts["loss"]), "commission": -float(parts["win"]) / 20}
    expected["parts"] = copies | money | {"collection": 0.0}
    expected["bands"] = [band([float(parts[key]) for key in nets], each["rounds"]) for each in document["bands"]]
    return expected


def band(parts, rounds):
    """Returns the band of 95% of an average. Results are 0, 20 or 39 steps of 1/20 above -1."""
    single, size = np.zeros(40), 39 * rounds + 1
    single[[39, 20, 0]] = parts
    below = np.cumsum(np.fft.irfft(np.fft.rfft(single, 2 * size) ** rounds, 2 * size)[:size])
    low, high = np.searchsorted(below, 0.025, "right"), np.searchsorted(below, 0.975 - 1e-12)
    return {"rounds": rounds, "low": float(low / rounds / 20 - 1), "high": float(high / rounds / 20 - 1)}


def expected_hand(document, counted, way):
    """Returns what `houseway ev --json` must say of a hand whose 21 settings have these counts."""
    cards = hands.cards_of(np.array([hands.parse(document["hand"])]), 7)
    legal = hands.settings(cards)[2][0]
    names = [hands.NAMES[int(card).bit_length() - 1] for card in cards[0]]
    settings, evs = [], []
    for pair, count, fits in zip(hands.PAIRS, counted, legal):
        evs.append(ev_of(count | {"deals": 53_524_680}) if fits else -2)
        numbers = {key: str(number) for key, number in count.items()} | {"ev": float(evs[-1])}
        setting = numbers if fits else dict.fromkeys(numbers)
        setting |= {"foul": not fits, "front": " ".join(names[card] for card in pair)}
        settings.append(setting | {"back": " ".join(names[card] for card in range(7) if card not in pair)})
    (chosen,), (rule,) = way.set(cards)
    expected = {"hand": document["hand"], "rules": RULES, "rule": way.rules[rule]["name"], "settings": settings}
    return expected | {"house_way": int(chosen), "best": evs.index(max(evs))}


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
    pairs = {place: (found.get(place, "nothing"), expected.get(place, "nothing")) for place in found | expected}
    return [f"{place}: {pair[0]!r}, should be {pair[1]!r}" for place, pair in pairs.items() if not same(*pair)]


def solve(options):
    """Recounts a result of `houseway solve --json`."""
    document, asked = read(options.results[0]), {}
    for side in SIDES:
        asked[side] = getattr(options, side) or WAYS / f"{document[side]}.toml", document[f"{side}_readings"]
    player = load(*asked["player"])
    banker = player if asked["banker"] == asked["player"] else load(*asked["banker"])
    count = counts.count_deals(player, banker, say)
    say(json.dumps(count))
    return differences(document, expected_solve(count))


def par(options):
    """Recounts a result of `houseway par --json`."""
    document = read(options.results[0])
    ways = {side: getattr(options, side) or WAYS / f"{document[side]['name']}.toml" for side in SIDES}
    asked = {side: (path, document[side]["readings"]) for side, path in ways.items()}
    player = load(*asked["player"])
    banker = player if asked["banker"] == asked["player"] else load(*asked["banker"])
    count = counts.count_deals(player, banker, say)
    say(json.dumps(count))
    return differences(document, expected_par(document, count))


def hand(options):
    """Recounts results of `houseway ev --json`, all against the same banker."""
    documents = [read(path) for path in options.results]
    banker, wrong = load(options.banker or WAYS / f"{documents[0]['banker']}.toml"), []
    for document in documents:
        cards = hands.cards_of(np.array([hands.parse(document["hand"])]), 7)
        front, back, _ = hands.settings(cards)
        counted = counts.count_hand(int(cards.sum()), front[0], back[0], banker)
        expected = expected_hand(document, counted, Way(WAYS / f"{document['way']}.toml"))
        wrong += differences(document, expected, document["hand"])
        say(f"{document['hand']}: {counted[document['house_way']]} by the house way")
    return wrong


def bounds(options):
    """Recounts the bounds in `results.json` of an equilibrium, given tables of the best responses to its tables."""
    claimed = json.loads(options.results[0].read_text())["tables"]
    wrong, evs, random = [], {}, np.random.default_rng(options.seed)
    for side, bound in {"player": "upper", "banker": "lower"}.items():
        best, other = getattr(options, side), SIDES[side == "player"]
        best, table = load(best), load(options.results[0].parent / "strategies" / f"{other}.safetensors")
        count = counts.count_deals(*((best, table) if side == "player" else (table, best)), say)
        evs[bound] = ev_of(count)
        say(f"{bound} bound: {evs[bound]} from {json.dumps(count)}")
        for _ in range(options.hands):
            sets = np.array([sum(1 << int(card) for card in random.choice(53, 7, replace=False))])
            front, back, legal = hands.settings(hands.cards_of(sets, 7))
            [value] = best[hands.number(sets)].astype(int)
            fronts, backs = np.append(front[legal], value >> 13), np.append(back[legal], value & 8191)
            counted = counts.count_hand(int(sets[0]), fronts, backs, table, side == "banker")
            paid = (95, 100) if side == "player" else (100, 95)
            gains = [paid[0] * each["wins"] - paid[1] * each["losses"] for each in counted]
            if max(gains) > gains[-1]:
                wrong.append(f"{side}, set {sets[0]}: not the best setting")
        say(f"settings of {options.hands} random hands compared (seed {options.seed})")
    width = evs["upper"] - evs["lower"]
    expected = {"value": {bound: exact(ev) for bound, ev in evs.items()}, "nash_conv_exact": exact(width)}
    return wrong + differences(claimed, expected | {"nash_conv": float(width)}, "tables")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["solve", "par", "hand", "bounds"])
    parser.add_argument("results", type=Path, nargs="+", help="results of the engine (JSON)")
    for side in SIDES:
        parser.add_argument(f"--{side}", type=Path, help="a house way or strategy table that isn't built in")
    parser.add_argument("--hands", type=int, default=20, help="sampled hands for each bound")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        wrong = {"solve": solve, "par": par, "hand": hand, "bounds": bounds}[options.command](options)
    except (Refused, OSError, ValueError, KeyError, TypeError) as error:
        wrong = [f"{type(error).__name__}: {error}"]
    say("\n".join(wrong) or "verified: all numbers agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
