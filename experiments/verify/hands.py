"""Cards, hands and their ranks, from the rules of Pai Gow Poker.

A set of cards is an integer: bit 13 * suit + rank (spades, hearts, diamonds, clubs; 0 is a two), and bit 52 for the
joker. The sets of a size are numbered in ascending order, so that a table over them is an array (see `number`).
"""

from itertools import combinations, permutations, product
from math import comb

import numpy as np

RANKS, JOKER = "23456789TJQKA", 1 << 52
PAIRS = list(combinations(range(7), 2))  # the 21 settings: the positions of the two cards in front
CATEGORIES = ["high card", "one pair", "two pairs", "three of a kind", "straight", "flush", "full house"]
CATEGORIES += ["four of a kind", "straight flush", "royal flush", "five aces"]
SHOWN = [52] + [13 * suit + rank for rank in range(12, -1, -1) for suit in range(4)]  # the order of cards in a hand
NAMES = {card: "Jk" if card == 52 else RANKS[card % 13] + "shdc"[card // 13] for card in SHOWN}
COUNT = np.array([mask.bit_count() for mask in range(1 << 13)])


def parse(text):
    """Returns the set of the cards that a text such as `As Jk` names."""
    return sum(1 << card for card, name in NAMES.items() if name in text.split())


def suits_of(sets):
    return [sets >> (13 * suit) & 8191 for suit in range(4)]


def subsets(size):
    """Returns all sets of `size` cards, in ascending order."""
    if size == 0:
        return np.zeros(1, np.int64)
    smaller = subsets(size - 1)
    return np.concatenate([smaller[: comb(top, size - 1)] | (1 << top) for top in range(53)])


def suit_tables():
    """Returns what a suit adds to a number, by the number of cards in the suits before it and its own ranks."""
    tables = np.zeros((4, 8, 1 << 13), np.int32)
    for suit, before, rank in product(range(4), range(8), range(13)):
        places = [before + held + 1 for held in range(14)]
        added = np.array([comb(13 * suit + rank, place) if place <= 7 else 0 for place in places])
        low = np.arange(1 << rank)
        tables[suit, before, low | (1 << rank)] = tables[suit, before, low] + added[COUNT[low]]
    return tables.reshape(4, -1)


TABLES = suit_tables()


def number(sets):
    """Returns the position of each set among all sets of its size: the sum of C(card, 1 + lower cards in the set)."""
    if sets.ndim == 1 and len(sets) > 1 << 17:  # parts that fit into the processor's cache take half the time
        return np.concatenate([number(part) for part in np.array_split(sets, len(sets) >> 16)])
    result, before = np.zeros(sets.shape, np.int32), np.zeros(sets.shape, np.int64)
    for table, ranks in zip(TABLES, suits_of(sets)):
        result += table[before << 13 | ranks]
        before += COUNT[ranks]
    return result + np.where(sets & JOKER, np.array([comb(52, held + 1) for held in range(8)])[before], 0)


def permuted(sets):
    """Yields the sets under each of the 24 permutations of the suits."""
    for order in permutations(range(4)):
        yield sum((ranks << (13 * place) for ranks, place in zip(suits_of(sets), order)), sets & JOKER)


def classes(size):
    """Returns one set of `size` cards of each suit class, in the order of strategy tables, and how many each class has.

    In these sets, suits with more cards come first, then those with higher ones. Tables are in the order of the joker
    (none first), the sizes of the suits (descending) and the ranks in the suits.
    """
    smaller, found = subsets(size - 1), []
    for top in range(53):
        sets = smaller[: comb(top, size - 1)] | (1 << top)
        suits = [COUNT[ranks] << 13 | ranks for ranks in suits_of(sets)]
        found.append(sets[(suits[0] >= suits[1]) & (suits[1] >= suits[2]) & (suits[2] >= suits[3])])
    found = np.concatenate(found)
    suits = suits_of(found)
    keys = [found >> 52] + [-COUNT[ranks] for ranks in suits] + suits
    found = found[np.lexsort(keys[::-1])]
    return found, 24 // sum((moved == found).astype(np.int64) for moved in permuted(found))


def cards_of(sets, size):
    """Returns the cards of each set as bits, `(n, size)`, in the order in which hands are written."""
    cards, held = np.zeros((len(sets), size), np.int64), np.zeros(len(sets), np.int64)
    for card in SHOWN:
        rows = np.flatnonzero(sets >> card & 1)
        cards[rows, held[rows]] = 1 << card
        held[rows] += 1
    return cards


def ranks_of(cards):
    """Returns the ranks of cards given as bits, the joker an ace."""
    card = np.log2(cards.astype(float)).astype(np.int64)
    return np.where(card == 52, 12, card % 13)


def front_rank(first, second):
    """Returns the rank of two cards: 0 to 77 for single cards, 78 (twos) to 90 (aces) for pairs."""
    high, low = np.maximum(first, second), np.minimum(first, second)
    return np.where(high == low, 78 + high, high * (high - 1) // 2 + low)


def straight_strength(ranks):
    """Returns 0, or 1 (6-5-4-3-2) to 8 (king high), 9 (A-2-3-4-5) or 10 (ace high), for sets of ranks."""
    order = [0b11111 << low for low in range(8)] + [0b1000000001111, 0b1111100000000]
    return sum((ranks == straight) * strength for strength, straight in enumerate(order, 1))


def back_values():
    """Returns a number for every set of five cards that orders them: its category, then up to five ranks."""
    sets = subsets(5)
    joker, suits, ranks = sets & JOKER != 0, np.stack(suits_of(sets), axis=1), ranks_of(cards_of(sets, 5))
    held = np.bitwise_or.reduce(suits, axis=1)
    flush = (suits != 0).sum(axis=1) == 1
    # Equal ranks, with the joker as an ace: the ranks in order, more frequent ones first.
    counts = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    frequencies, category = np.sort(counts, axis=1), np.zeros(len(sets), np.int64)
    for most, next_most, name in [(2, 1, 1), (2, 2, 2), (3, 1, 3), (3, 2, 6), (4, 1, 7), (5, 0, 10)]:
        category[(frequencies[:, -1] == most) & (frequencies[:, -2] == next_most)] = name
    by_frequency = np.sort(np.take_along_axis(counts, ranks, axis=1) * 13 + ranks, axis=1)[:, ::-1] % 13
    # Straights, with the joker as any rank. Flushes, with the joker as the highest rank that is missing.
    straight = straight_strength(held)
    for rank in range(13):
        straight = np.maximum(straight, straight_strength(np.where(joker, held | (1 << rank), 0)))
    missing = np.where(held[:, None] >> np.arange(13) & 1, -1, np.arange(13)).max(axis=1)
    in_flush = ranks.copy()
    in_flush[joker, 0] = missing[joker]
    in_flush = np.sort(in_flush, axis=1)[:, ::-1]

    def value(category, ranks):
        for place in range(5):
            category = category * 13 + ranks[:, place]
        return category

    only_straight = np.pad(straight[:, None], ((0, 0), (0, 4)))
    best = value(category, by_frequency)
    best = np.maximum(best, np.where(straight > 0, value(4, only_straight), 0))
    best = np.maximum(best, np.where(flush, value(5, in_flush), 0))
    return np.maximum(best, np.where(flush & (straight > 0), value(np.where(straight == 10, 9, 8), only_straight), 0))


VALUES, BACKS = np.unique(back_values(), return_inverse=True)  # the ranks, 0 to 7462, by number of the set
CATEGORY, FIRST, SECOND = VALUES // 13**5, VALUES // 13**4 % 13, VALUES // 13**3 % 13
TOP_OF_STRAIGHT = np.array([-1, 4, 5, 6, 7, 8, 9, 10, 11, 3, 12, -1, -1])
BACK_HIGH = np.where(np.isin(CATEGORY, [4, 8, 9]), TOP_OF_STRAIGHT[FIRST], FIRST)
# The highest front that is legal before each back: like parts are compared, and equal ones are legal.
MAX_FRONT = np.select([CATEGORY == 0, CATEGORY == 1], [front_rank(FIRST, SECOND), 78 + FIRST], 90)


def settings(cards):
    """Returns the ranks of front and back of all 21 settings of hands `(n, 7)`, and which are legal."""
    ranks, sets = ranks_of(cards), cards.sum(axis=1)
    front = np.stack([front_rank(ranks[:, i], ranks[:, j]) for i, j in PAIRS], axis=1)
    back = np.stack([BACKS[number(sets - cards[:, i] - cards[:, j])] for i, j in PAIRS], axis=1)
    return front, back, front <= MAX_FRONT[back]
