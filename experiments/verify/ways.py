"""House ways: the language of `env/house-ways/LANGUAGE.md`, for many hands at once."""

import tomllib

import numpy as np

import hands

SHAPES = {"no pair": 0, "one pair": 1, "two pairs": 2, "three pairs": 3, "three of a kind": 10, "full house": 11}
SHAPES |= {"full house and a pair": 12, "two threes of a kind": 20, "four of a kind": 100, "five aces": 1000}
SHAPES |= {"four of a kind and a pair": 101, "four and three of a kind": 110, "five aces and a pair": 1001}
SINGLES = [f"{place}-single" for place in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")]
COMPLETE = ["straight", "flush", "straight flush", "royal flush"]
FIRSTS, SECONDS = np.array(hands.PAIRS).T


class Refused(Exception):
    """An input that this program doesn't understand."""


def as_list(value):
    return value if isinstance(value, list) else [value]


def place_in(names, name):
    if name not in names:
        raise Refused(f"unknown word '{name}'")
    return names.index(name)


def rank(text):
    return place_in("2 3 4 5 6 7 8 9 10 J Q K A".split(), text)


def numbers(text, read):
    """Reads a list of ranges such as `2-6, A`."""
    ranges = [[read(end.strip()) for end in part.split("-")] for part in text.split(",")]
    return [number for ends in ranges for number in range(ends[0], ends[-1] + 1)]


class Hands:
    """The settings and the parts of many hands."""

    def __init__(self, cards):
        self.ranks, self.joker = hands.ranks_of(cards), cards[:, 0] == hands.JOKER
        self.front, self.back, self.legal = hands.settings(cards)
        counts = (self.ranks[:, :, None] == np.arange(13)).sum(axis=1)
        pairs = (counts == 2).sum(axis=1)

        def part(size, nth, wanted=True):
            """The rank of the nth group of `size` cards with equal ranks, from the highest, or -1."""
            groups = counts[:, ::-1] == size
            hit = groups & (np.cumsum(groups, axis=1) == np.reshape(nth, (-1, 1)))
            return np.where(hit.any(axis=1) & wanted, 12 - hit.argmax(axis=1), -1)

        self.shape = sum((counts == size).sum(axis=1) * 10 ** (size - 2) for size in range(2, 6))
        self.parts = {"aces": part(5, 1), "quads": part(4, 1), "trips": part(3, 1), "second-trips": part(3, 2)}
        self.parts |= {"pair": part(2, 1, pairs == 1), "high-pair": part(2, 1, pairs > 1)}
        self.parts |= {"middle-pair": part(2, 2, pairs == 3), "low-pair": part(2, pairs, pairs > 1)}
        self.parts |= {name: part(1, nth) for nth, name in enumerate(SINGLES, 1)}
        self.single = np.take_along_axis(counts, self.ranks, axis=1) == 1

    def are(self, rows, part):
        """Returns which cards of the hands in `rows` belong to a part."""
        if part == "single":
            return self.single[rows]
        return self.ranks[rows] == self.parts[list(self.parts)[place_in(list(self.parts), part)]][rows, None]


class Way:
    """A house way. `readings` chooses options of its readings; the first option is the default."""

    def __init__(self, path, readings=None):
        with open(path, "rb") as file:
            data = tomllib.load(file)
        options = {name: reading["options"] for name, reading in data.get("readings", {}).items()}
        self.readings = {name: named[0] for name, named in options.items()} | (readings or {})
        self.path, self.rules, self.groups = path, data["rule"], data.get("groups", {})
        words = set(data) - {"name", "title", "source", "readings", "groups", "rule"}
        for rule in self.rules:
            words |= set(rule) - {"name", "text", "reading", "when", "play", "prefer"}
        words |= {option for name, option in self.readings.items() if option not in options.get(name, [])}
        if words:
            raise Refused(f"{path}: unknown word '{min(words)}'")

    def set(self, cards):
        """Returns the number of the setting of each hand, and of the rule that made it."""
        known = Hands(cards)
        setting, made_by = np.full(len(cards), -1), np.full(len(cards), -1)
        for number, rule in enumerate(self.rules):
            if any(self.readings[name] != option for name, option in rule.get("reading", {}).items()):
                continue
            rows = np.flatnonzero(setting < 0)
            rows = rows[self.holds(known, rows, rule.get("when", {}))]
            for play in as_list(rule["play"]):
                allowed, front, back = self.allowed(known, rows, play), known.front[rows], known.back[rows]
                value = back << 7 | front if rule.get("prefer") == "back" else front << 13 | back
                fits = allowed.any(axis=1)
                setting[rows[fits]] = np.where(allowed, value, -1).argmax(axis=1)[fits]
                made_by[rows[fits]] = number
                rows = rows[~fits]
        if (setting < 0).any():
            raise Refused(f"{self.path}: no rule sets {(setting < 0).sum()} hands")
        return setting, made_by

    def holds(self, known, rows, when):
        """Returns for which hands in `rows` a condition holds."""
        if isinstance(when, list):
            return np.any([self.holds(known, rows, each) for each in when], axis=0)
        result = np.ones(len(rows), bool)
        for word, value in when.items():
            left = np.flatnonzero(result)
            result[left] = self.word_holds(known, rows[left], word, value)
        return result

    def word_holds(self, known, rows, word, value):
        if word == "shape":
            names = [name for each in as_list(value) for name in as_list(self.groups.get(each, each))]
            return np.isin(known.shape[rows], [list(SHAPES.values())[place_in(list(SHAPES), name)] for name in names])
        if word == "pair-sum":
            ranks = known.parts["high-pair"][rows] + known.parts["low-pair"][rows]
            return np.isin(ranks + 4, numbers(value, int))  # 2 without two pairs
        if word == "joker":
            return known.joker[rows] == value
        if word == "possible":
            return self.allowed(known, rows, value).any(axis=1)
        if word == "except":
            return ~self.holds(known, rows, value)
        parts = ["single" if part == "first-single" else part for part in known.parts][:-2]
        return np.isin(list(known.parts.values())[place_in(parts, word)][rows], numbers(value, rank))

    def allowed(self, known, rows, play):
        """Returns which settings of the hands in `rows` a play allows, `(n, 21)`."""
        front, back, result = known.front[rows], known.back[rows], known.legal[rows].copy()
        for word, value in play.items():
            if word == "front":
                result &= np.any([self.in_front(known, rows, cards) for cards in as_list(value)], axis=0)
            elif word == "front-at-least":
                ranks = [rank(text) for text in value.split()] + [0]
                result &= front >= hands.front_rank(ranks[0], ranks[1])
            elif word == "front-at-most":
                ranks = [rank(text) for text in value.split()]
                result &= front <= hands.front_rank(ranks[0], ranks[1] if len(ranks) > 1 else ranks[0] - 1)
            elif word == "front-above":
                others = np.where(self.allowed(known, rows, value), front, -1)
                result &= front > others.max(axis=1, keepdims=True)
            elif word == "back":
                names = [name for each in as_list(value) for name in (COMPLETE if each == "complete" else [each])]
                result &= np.isin(hands.CATEGORY[back], [place_in(hands.CATEGORIES, name) for name in names])
            elif word == "back-high":
                result &= np.isin(hands.BACK_HIGH[back], numbers(value, rank))
            elif word == "joker":
                halves = FIRSTS == 0 if place_in(["back", "front"], value) else FIRSTS > 0
                result &= known.joker[rows, None] & halves  # the joker is the first card
            elif word == "except":
                result &= ~np.any([self.allowed(known, rows, each) for each in as_list(value)], axis=0)
            else:
                raise Refused(f"{self.path}: unknown word '{word}'")
        return result

    def in_front(self, known, rows, cards):
        first, second = (known.are(rows, part) for part in cards.split())
        return first[:, FIRSTS] & second[:, SECONDS] | second[:, FIRSTS] & first[:, SECONDS]
