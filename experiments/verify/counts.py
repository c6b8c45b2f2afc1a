"""Counts over all deals, and over all banker hands, by inclusion and exclusion of the cards that two hands share.

A strategy is an array with a value for each of the 154,143,080 hands: rank of the front << 13 | rank of the back. Two
hands can't hold the same card, so for any property of a player's and a banker's hand

    pairs without common cards = sum over sets S of cards of (-1)^|S| * (pairs that both contain S).

All sets that permutations of the suits make of S have equally many pairs, so one set of each class is enough.
"""

from math import comb

import numpy as np

import hands

KEYS = ["wins", "losses", "copies_front", "copies_back", "deals"]


def value_of_hands(classes, values):
    """Returns the value of every hand from the values of the classes."""
    result = np.zeros(comb(53, 7), np.uint32)
    for part in np.array_split(np.arange(len(classes)), 100):
        for same_class in hands.permuted(classes[part]):
            result[hands.number(same_class)] = values[part]
    return result


def grid_counts(player, banker):
    """Counts `KEYS` over all pairs of two lists of values."""
    both = np.concatenate([player, banker])
    (rows, row), (columns, column) = places(both >> 13), places(both & 8191)
    cells = row * columns + column
    held = np.bincount(cells[: len(player)], minlength=rows * columns).reshape(rows, columns)
    against = np.bincount(cells[len(player) :], minlength=rows * columns).reshape(rows, columns)
    lower = against.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]  # the banker's hands with a lower row and a lower column
    wins = (held[1:, 1:] * lower).sum()
    losses = (against * held.cumsum(axis=0).cumsum(axis=1)).sum()
    fronts, backs = ((held.sum(axis=axis) * against.sum(axis=axis)).sum() for axis in (1, 0))
    return [wins, losses, fronts, backs, len(player) * len(banker)]


def places(ranks):
    """Numbers the ranks that occur, in order. Returns how many there are and the number of each."""
    occurs = np.zeros(1 << 13, bool)
    occurs[ranks] = True
    return occurs.sum(), (np.cumsum(occurs) - 1)[ranks]


def pair_counts(player, banker):
    """Counts the same for each row of two arrays, pair by pair: faster for few values."""
    front, back = (player >> 13).astype(np.uint8)[:, :, None], (player & 8191).astype(np.int16)[:, :, None]
    others = (banker >> 13).astype(np.uint8)[:, None, :], (banker & 8191).astype(np.int16)[:, None, :]
    same = front == others[0], back == others[1]
    higher = front > others[0], back > others[1]
    found = [higher[0] & higher[1], ~(higher[0] | higher[1]), *same, np.ones_like(same[0])]
    return np.stack([np.count_nonzero(each, axis=(1, 2)) for each in found], axis=1)


def count_deals(player, banker, report):
    """Returns the outcome counts of all deals."""
    total = np.array(grid_counts(player, banker)).astype(object)  # Python's integers, which can't overflow
    for size in range(1, 8):
        sets, weights = hands.classes(size)
        others = hands.subsets(7 - size)
        parts = min(len(sets), 1 + len(sets) * len(others) // 200_000)
        for part in np.array_split(np.arange(len(sets)), parts):
            apart = sets[part, None] & others == 0
            containing = hands.number((sets[part, None] | others)[apart]).reshape(len(part), -1)
            pairs = player[containing], banker[containing]
            counts = pair_counts(*pairs) if size >= 6 else np.array([grid_counts(*each) for each in zip(*pairs)])
            total += (-1) ** size * weights[part].astype(object) @ counts.astype(object)
        report(f"{len(sets):,} classes of {size} shared cards counted")
    counted = dict(zip(KEYS, map(int, total)))
    return counted | {"pushes": counted["deals"] - counted["wins"] - counted["losses"]}


def count_hand(hand, fronts, backs, others, copies_win=False):
    """Counts settings of a hand against all hands of the other side that share no card with it."""
    smaller, found = hands.subsets(6), np.zeros(91 << 13, np.int64)
    for top in range(53):
        if not hand >> top & 1:
            apart = np.flatnonzero(smaller[: comb(top, 6)] & hand == 0) + comb(top, 7)
            found += np.bincount(others[apart], minlength=91 << 13)
    return [outcomes(found.reshape(91, -1), *ranks, copies_win) for ranks in zip(fronts, backs)]


def outcomes(grid, front, back, copies_win):
    """Counts a setting against tallies by the ranks of front and back. Copies win for a banker."""
    wins, losses = grid[: front + copies_win, : back + copies_win], grid[front + copies_win :, back + copies_win :]
    count = {"wins": int(wins.sum()), "losses": int(losses.sum())}
    count |= {"pushes": int(grid.sum()) - count["wins"] - count["losses"]}
    return count | {"copies_front": int(grid[front].sum()), "copies_back": int(grid[:, back].sum())}
