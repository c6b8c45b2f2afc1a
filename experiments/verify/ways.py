"""House ways: the language of `env/house-ways/LANGUAGE.md`, for many hands at once."""

import tomllib

import numpy as np

import hands
from hands import FIRSTS, SECONDS


class Refused(Exception):
    """An input that this program doesn't understand."""


class Words(dict):
    """The words that are known in a place of a house way, and what they stand for."""

    def __missing__(self, word):
        raise Refused(f"unknown word '{word}'")


# Shapes are numbers: a digit each for five, four, three and two cards with equal ranks.
SHAPES = Words({"no pair": 0, "one pair": 1, "two pairs": 2, "three pairs": 3})
SHAPES |= {"three of a kind": 10, "full house": 11, "full house and a pair": 12}
SHAPES |= {"two threes of a kind": 20, "four of a kind": 100, "four of a kind and a pair": 101}
SHAPES |= {"four and three of a kind": 110, "five aces": 1000, "five aces and a pair": 1001}
GROUPS = ["aces", "quads", "trips", "second-trips", "pair", "high-pair", "middle-pair", "low-pair"]
SINGLES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"]
PARTS = GROUPS + [f"{place}-single" for place in SINGLES]
CONDITIONS = Words(zip([*GROUPS, "single", *PARTS[9:13]], PARTS))
RANKS = Words(zip("2 3 4 5 6 7 8 9 10 J Q K A".split(), range(13)))
SUMS = Words((str(ranks + 4), ranks) for ranks in range(1, 24))  # of two pairs, twos being 0
CATEGORIES = Words((name, [number]) for number, name in enumerate(hands.CATEGORIES))
CATEGORIES["complete"] = [4, 5, 8, 9]
HALVES = Words(front=FIRSTS == 0, back=FIRSTS > 0)  # the joker is the first card


def as_list(value):
    return value if isinstance(value, list) else [value]


def numbers(text, words):
    """Reads a list of ranges such as `2-6, A`."""
    ranges = [[words[end.strip()] for end in part.split("-")] for part in text.split(",")]
    return [number for ends in ranges for number in range(ends[0], ends[-1] + 1)]


class Hands:
    """The settings of hands, the rank of each part (-1 without it) and which cards belong to it."""

    def __init__(self, cards):
        ranks, self.joker = hands.RANK[cards], cards[:, 0] == hands.JOKER
        self.front, self.back, self.legal = hands.settings(cards)
        counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
        alike = [np.where(counts == size, np.arange(13), -1) for size in range(1, 6)]
        ones, twos, threes, fours, fives = (np.sort(each)[:, ::-1].T for each in alike)
        pairs = (counts == 2).sum(axis=1)
        parts = [fives[0], fours[0], *threes[:2]]
        parts += [np.where(pairs == 1, twos[0], -1), np.where(pairs > 1, twos[0], -1)]
        parts += [np.where(pairs == 3, twos[1], -1), np.where(pairs == 3, twos[2], twos[1])]
        self.parts = dict(zip(PARTS, parts + list(ones)))
        self.shape = sum((counts == size).sum(axis=1) * 10 ** (size - 2) for size in range(2, 6))
        self.members = Words((name, part[:, None] == ranks) for name, part in self.parts.items())
        self.members["single"] = np.take_along_axis(counts, ranks, axis=1) == 1


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
            words |= {rule.get("prefer", "front")} - {"front", "back"}
        words |= {word for name, word in self.readings.items() if word not in options.get(name, [])}
        if words:
            raise Refused(f"{path}: unknown word '{min(words)}'")

    def set(self, cards):
        """Returns the number of the setting of each hand, and of the rule that made it."""
        known = Hands(cards)
        setting, made_by = np.full(len(cards), -1), np.full(len(cards), -1)
        for number, rule in enumerate(self.rules):
            asked = rule.get("reading", {}).items()
            if any(self.readings[name] != option for name, option in asked):
                continue
            rows = self.matching(known, np.flatnonzero(setting < 0), rule.get("when", {}))
            for play in as_list(rule["play"]):
                allowed, front, back = self.allowed(known, rows, play)
                value = back << 7 | front if rule.get("prefer") == "back" else front << 13 | back
                fits = allowed.any(axis=1)
                setting[rows[fits]] = np.where(allowed, value, -1).argmax(axis=1)[fits]
                made_by[rows[fits]] = number
                rows = rows[~fits]
        if (setting < 0).any():
            raise Refused(f"{self.path}: no rule sets {(setting < 0).sum()} hands")
        return setting, made_by

    def matching(self, known, rows, when):
        """Returns those of the hands in `rows` for which a condition, or one of a list, holds."""
        if isinstance(when, list):
            return np.unique(np.concatenate([self.matching(known, rows, each) for each in when]))
        for word, value in when.items():
            if word == "shape":
                names = [as_list(self.groups.get(name, name)) for name in as_list(value)]
                fits = np.isin(known.shape[rows], [SHAPES[name] for name in sum(names, [])])
            elif word == "joker":
                fits = known.joker[rows] == value
            elif word == "pair-sum":
                ranks = known.parts["high-pair"][rows] + known.parts["low-pair"][rows]
                fits = np.isin(ranks, numbers(value, SUMS))
            elif word == "possible":
                fits = self.allowed(known, rows, value)[0].any(axis=1)
            elif word == "except":
                fits = ~np.isin(rows, self.matching(known, rows, value))
            else:
                fits = np.isin(known.parts[CONDITIONS[word]][rows], numbers(value, RANKS))
            rows = rows[fits]
        return rows

    def allowed(self, known, rows, play):
        """Returns which settings of the hands in `rows` a play allows, and their ranks."""
        front, back, result = known.front[rows], known.back[rows], known.legal[rows]
        for word, value in play.items():
            if word == "front":
                result &= np.any([in_front(known, rows, parts) for parts in as_list(value)], axis=0)
            elif word == "front-at-least":
                high, low = ([RANKS[text] for text in value.split()] + [0])[:2]
                result &= front >= hands.front_rank(high, low)
            elif word == "front-at-most":
                high, *low = [RANKS[text] for text in value.split()]
                result &= front <= hands.front_rank(high, low[0] if low else high - 1)
            elif word == "front-above":
                other = self.allowed(known, rows, value)[0]
                result &= front > np.where(other, front, -1).max(axis=1, keepdims=True)
            elif word == "back":
                categories = [CATEGORIES[name] for name in as_list(value)]
                result &= np.isin(hands.CATEGORY[back], sum(categories, []))
            elif word == "back-high":
                result &= np.isin(hands.BACK_HIGH[back], numbers(value, RANKS))
            elif word == "joker":
                result &= known.joker[rows, None] & HALVES[value]
            elif word == "except":
                others = [self.allowed(known, rows, each)[0] for each in as_list(value)]
                result &= ~np.any(others, axis=0)
            else:
                raise Refused(f"{self.path}: unknown word '{word}'")
        return result, front, back


def in_front(known, rows, parts):
    """Returns which settings have two parts in front, of which `parts` is the text."""
    first, second = (known.members[part][rows] for part in parts.split())
    return first[:, FIRSTS] & second[:, SECONDS] | second[:, FIRSTS] & first[:, SECONDS]
