"""Cards, hands and their ranks, from the rules of Pai Gow Poker.

A set of cards is an integer: bit 13 * suit + rank (spades, hearts, diamonds, clubs; 0 is a two),
and bit 52 for the joker. The sets of a size are numbered in ascending order, so that a table over
them is an array (see `number`).
"""

from functools import cache
from itertools import combinations, permutations
from math import comb

import numpy as np

JOKER, CARDS = 52, 1 << np.arange(53)
RANK = np.append(np.arange(52) % 13, 12)  # of each card; the joker is an ace
NAMES = [rank + suit for suit in "shdc" for rank in "23456789TJQKA"] + ["Jk"]
SHOWN = np.append(JOKER, np.arange(52).reshape(4, 13)[:, ::-1].T)  # the order of cards in a hand
PAIRS = list(combinations(range(7), 2))  # the 21 settings: the positions of the two cards in front
FIRSTS, SECONDS = np.array(PAIRS).T
CATEGORIES = ["high card", "one pair", "two pairs", "three of a kind", "straight", "flush"]
CATEGORIES += ["full house", "four of a kind", "straight flush", "royal flush", "five aces"]
BITS = (np.arange(1 << 13)[:, None] >> np.arange(13) & 1).astype(np.int8)
COUNT = BITS.sum(axis=1)
CHOOSE = np.array([[comb(card, place) for place in range(21)] for card in range(53)])
# What a suit adds to a number, by the number of cards in the suits before it and its own ranks.
# A card's place is one higher than the number of lower cards, so at most 7 + 13 here.
PLACES = np.arange(8)[:, None, None] + BITS.cumsum(axis=1)
TABLES = (CHOOSE[np.arange(52).reshape(4, 1, 1, 13), PLACES] * BITS).sum(axis=3, dtype=np.int32)
TABLES = np.ascontiguousarray(TABLES).reshape(4, -1)


def parse(text):
    """Returns the set of the cards that a text such as `As Jk` names."""
    return sum({1 << NAMES.index(name) for name in text.split()})


def suits_of(sets):
    return [sets >> (13 * suit) & 8191 for suit in range(4)]


def number(sets):
    """Returns the position of each set among all of its size: sums of C(card, 1 + lower cards)."""
    if sets.size > 1 << 17:  # parts that fit into the processor's cache take half the time
        parts = np.array_split(sets.ravel(), sets.size >> 16)
        return np.concatenate([number(part) for part in parts]).reshape(sets.shape)
    result, before = np.zeros(sets.shape, np.int32), np.zeros(sets.shape, np.int64)
    for table, ranks in zip(TABLES, suits_of(sets)):
        result += table[before << 13 | ranks]
        before += COUNT[ranks]
    return result + np.where(sets >> JOKER, CHOOSE[JOKER, 1:9][before], 0)


def with_another(sets, cards=CARDS):
    """Adds to each set, in ascending order, each card that is higher than its own ones."""
    return np.concatenate([sets[: np.searchsorted(sets, card)] | card for card in cards])


def subsets(size, cards=CARDS):
    """Returns all sets of `size` of the cards, in ascending order."""
    sets = np.zeros(1, np.int64)
    for _ in range(size):
        sets = with_another(sets, cards)
    return sets


def permuted(sets):
    """Yields the sets under each of the 24 permutations of the suits."""
    for order in permutations(range(4)):
        moved = [ranks << (13 * place) for ranks, place in zip(suits_of(sets), order)]
        yield sum(moved, sets & CARDS[JOKER])


@cache
def classes(size):
    """Returns one set of `size` cards of each suit class, and how many sets each class has.

    In these sets, suits with more cards come first, then those with higher ones. Their order is
    that of strategy tables: by the joker (none first), the sizes of the suits (descending) and
    the ranks in the suits.
    """
    sets = np.zeros(1, np.int64)
    for _ in range(size):  # without its highest card, such a set is still one
        sets = with_another(sets)
        suits = np.array([COUNT[ranks] << 13 | ranks for ranks in suits_of(sets)])
        sets = sets[(suits[:-1] >= suits[1:]).all(axis=0)]
    suits = suits_of(sets)
    keys = [sets >> JOKER] + [-COUNT[ranks] for ranks in suits] + suits
    sets = sets[np.lexsort(keys[::-1])]
    return sets, 24 // sum(moved == sets for moved in permuted(sets))


def cards_of(sets):
    """Returns the cards of sets of equal size, `(n, size)`, in the order of `SHOWN`."""
    return SHOWN[np.nonzero(sets[:, None] >> SHOWN & 1)[1]].reshape(len(sets), -1)


def front_rank(first, second):
    """Returns the rank of two cards: 0 to 77 for single cards, 78 (twos) to 90 (aces) for pairs."""
    high, low = np.maximum(first, second), np.minimum(first, second)
    return np.where(high == low, 78 + high, high * (high - 1) // 2 + low)


def back_values():
    """Returns a number for every set of five cards that orders them: its category, then ranks."""
    suits = suits_of(subsets(5)[: comb(52, 5)])  # without the joker
    counts = sum(BITS[ranks] for ranks in suits)
    order = np.sort(counts * 13 + np.arange(13, dtype=np.int8), axis=1)[:, :-6:-1]
    ranks = np.where(order < 13, 0, order % 13)  # more frequent ones first, each once
    most, next_most = order[:, 0] // 13, order[:, 1] // 13
    category = np.array([0, 0, 1, 2, 3, 6, 7])[2 * most + next_most - 3]
    flush = sum(ranks > 0 for ranks in suits) == 1
    wheel = (ranks == [12, 3, 2, 1, 0]).all(axis=1)  # its ace makes it the second straight
    straight = (category == 0) & (wheel | (ranks[:, 0] - ranks[:, 4] == 4))
    categories = [8 + (ranks[:, 1] == 11), 5, 4]
    category = np.select([straight & flush, flush, straight], categories, category)
    values = np.column_stack([category, ranks]) @ 13 ** np.arange(5, -1, -1)
    # The joker is an ace, or any card with which the others are a straight or a flush.
    others = subsets(4)[: comb(52, 4)]
    best = np.where(others == CARDS[12:52:13].sum(), (10 * 13 + 12) * 13**4, 0)  # five aces
    for card in range(52):
        rows = np.flatnonzero(others >> card & 1 == 0)
        value = values[number(others[rows] | CARDS[card])]
        fits = (RANK[card] == 12) | np.isin(value // 13**5, [4, 5, 8, 9])
        best[rows] = np.maximum(best[rows], np.where(fits, value, 0))
    return np.append(values, best)


VALUES, BACKS = np.unique(back_values(), return_inverse=True)  # the ranks, 0 to 7462, by number
CATEGORY, FIRST, SECOND = VALUES // 13**5, VALUES // 13**4 % 13, VALUES // 13**3 % 13
BACK_HIGH = np.where(np.isin(CATEGORY, [4, 8]) & (FIRST - SECOND > 1), SECOND, FIRST)  # five high
# The highest front that is legal before each back: like parts are compared, equal ones are legal.
MAX_FRONT = np.select([CATEGORY == 0, CATEGORY == 1], [front_rank(FIRST, SECOND), 78 + FIRST], 90)


def settings(cards):
    """Returns the ranks of front and back of all settings, `(n, 21)`, and which are legal."""
    ranks, bits = RANK[cards], CARDS[cards]
    front = front_rank(ranks[:, FIRSTS], ranks[:, SECONDS])
    back = BACKS[number(bits.sum(axis=1)[:, None] - bits[:, FIRSTS] - bits[:, SECONDS])]
    return front, back, front <= MAX_FRONT[back]
