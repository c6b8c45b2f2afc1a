"""Counts over all deals, and over all banker hands of a hand.

A strategy is an array with a value for each of the 154,143,080 hands: rank of the front << 13 |
rank of the back. Two hands can't hold the same card, so for any property of two hands

    pairs without common cards = sum over sets S of (-1)^|S| * (pairs in which both contain S).

All sets that permutations of the suits make of S have equally many pairs, so one set of each class
is enough.
"""

import numpy as np

import hands

KEYS = ["wins", "losses", "copies_front", "copies_back", "deals"]


def places(ranks):
    """Numbers the ranks that occur, in order. Returns how many there are and that of each."""
    occurs = np.zeros(1 << 13, bool)
    occurs[ranks] = True
    return occurs.sum(), (np.cumsum(occurs) - 1)[ranks]


def grid_counts(player, banker):
    """Counts `KEYS` over all pairs of two lists of values."""
    rows, columns, cells = 91, 1 << 13, [player, banker]
    if len(player) < rows * columns:  # otherwise, leaving out ranks costs more than it saves
        both = np.concatenate([player, banker])
        (rows, row), (columns, column) = places(both >> 13), places(both & 8191)
        cells = np.split(row * columns + column, [len(player)])
    grids = [np.bincount(side, minlength=rows * columns).reshape(rows, columns) for side in cells]
    # For each cell, the hands in rows and columns that aren't higher.
    (held, held_below), (against, below) = ((g, g.cumsum(axis=0).cumsum(axis=1)) for g in grids)
    wins, losses = (held[1:, 1:] * below[:-1, :-1]).sum(), (against * held_below).sum()
    fronts, backs = ((held.sum(axis=each) * against.sum(axis=each)).sum() for each in (1, 0))
    return [wins, losses, fronts, backs, len(player) * len(banker)]


def pair_counts(player, banker):
    """Counts the same for each row of two arrays, pair by pair: faster for few values."""
    front = (player >> 13).astype(np.int8)[:, :, None] - (banker >> 13).astype(np.int8)[:, None]
    back = (player & 8191).astype(np.int16)[:, :, None] - (banker & 8191).astype(np.int16)[:, None]
    found = [(front > 0) & (back > 0), (front <= 0) & (back <= 0), front == 0, back == 0]
    found = [np.count_nonzero(pairs, axis=(1, 2)) for pairs in found]
    return np.stack([*found, np.full(len(player), front[0].size)], axis=1)


def count_deals(player, banker, report):
    """Returns the outcome counts of all deals."""
    total = np.array(grid_counts(player, banker)).astype(object)  # Python's integers, unlimited
    for size in range(1, 8):
        sets, weights = hands.classes(size)
        others = hands.subsets(7 - size)
        parts = min(len(sets), 1 + len(sets) * len(others) // 200_000)
        for part in np.array_split(np.arange(len(sets)), parts):
            apart = sets[part, None] & others == 0
            containing = hands.number((sets[part, None] | others)[apart]).reshape(len(part), -1)
            held, against = player[containing], banker[containing]
            if size >= 6:
                counts = pair_counts(held, against)
            else:
                counts = np.array([grid_counts(*each) for each in zip(held, against)])
            total += (-1) ** size * weights[part].astype(object) @ counts.astype(object)
        report(f"{len(sets):,} classes of {size} shared cards counted")
    counted = dict(zip(KEYS, map(int, total)))
    return counted | {"pushes": counted["deals"] - counted["wins"] - counted["losses"]}


def count_hand(hand, fronts, backs, others, copies_win=False):
    """Counts settings of a hand against all other hands that share no card with it."""
    free = hands.subsets(7, [card for card in hands.CARDS if not card & hand])
    grid = np.bincount(others[hands.number(free)], minlength=91 << 13).reshape(91, -1)
    return [outcomes(grid, *ranks, copies_win) for ranks in zip(fronts, backs)]


def outcomes(grid, front, back, copies_win):
    """Counts a setting against tallies by the ranks of front and back. Copies win for a banker."""
    wins = grid[: front + copies_win, : back + copies_win].sum()
    losses = grid[front + copies_win :, back + copies_win :].sum()
    count = {"wins": wins, "losses": losses, "pushes": grid.sum() - wins - losses}
    count |= {"copies_front": grid[front].sum(), "copies_back": grid[:, back].sum()}
    count |= {"lower_fronts": grid[:front].sum(), "lower_backs": grid[:, :back].sum()}
    return {key: int(number) for key, number in count.items()}
