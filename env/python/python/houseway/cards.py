"""Conversion of hands between text and arrays.

Cards are numbers. 0 to 51 are 2c, 2d, 2h, 2s, 3c, … As (four times the rank plus the suit), 52 is the joker, and 53 the
second joker, which only Joker Seven has. A hand of Pai Gow Poker has seven cards in a fixed order, which starts with
the joker and goes from ace to two. Within a rank, the order is spades, hearts, diamonds, clubs. Setting ``i`` puts the
``i``-th pair of positions in front, so (0, 1) is setting 0, (0, 2) is 1, and (5, 6) is 20.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Union

import numpy as np

from . import _core
from ._config import integers, text as checked_text

__all__ = ["SETTINGS", "Hands", "deal", "front_and_back", "parse", "text"]

Hands = Union[np.ndarray, str, Sequence[str]]

#: The positions of the two front cards in each setting, int64 ``(21, 2)``.
SETTINGS = np.array([(a, b) for a in range(7) for b in range(a + 1, 7)])

_RANKS, _SUITS = "23456789TJQKA", "cdhs"


def parse(text: str) -> np.ndarray:
    """Parses a hand and returns its card numbers, uint8 ``(7,)``.

    >>> parse("As Kd Jk 7c 7d 2h 3s").tolist()
    [52, 51, 45, 21, 20, 7, 2]
    """
    return _core.parse_hand(checked_text("hand", text))


def as_rows(cards: Hands) -> np.ndarray:
    """Converts rows of ``k`` cards to an array, uint8 ``(n, k)``. Accepts an array, a string or a list of strings.

    >>> as_rows(["Kh 8c", "As Ad"]).tolist()
    [[46, 24], [51, 49]]
    """
    if isinstance(cards, str):
        return _core.parse_cards(cards)[None]
    cards = _listed(cards)
    if len(cards) and isinstance(cards[0], str):
        rows = [_core.parse_cards(row) for row in cards]
        if len({len(row) for row in rows}) > 1:
            raise ValueError("hands must have the same number of cards")
        return np.stack(rows)
    return _numbers(cards)


def _numbers(cards: Any) -> np.ndarray:
    """Converts rows of card numbers, rejecting any that a conversion to uint8 would change."""
    numbers = np.atleast_2d(integers(cards, "card numbers"))
    if numbers.size and not ((numbers >= 0) & (numbers <= 53)).all():
        wrong = numbers[(numbers < 0) | (numbers > 53)][0]
        raise ValueError(f"{wrong} is not a card number: cards are 0 to 52, and 53 is the second joker of Joker Seven")
    return np.ascontiguousarray(numbers, np.uint8)


def text(cards: np.ndarray | Sequence[int]) -> str:
    """Formats the cards of a complete or partial hand.

    >>> text([52, 51, 45])
    'Jk As Kd'
    """
    names = {52: "Jk", 53: "Jk2"}
    numbers = _numbers(cards)[0].tolist()
    return " ".join(names.get(card) or _RANKS[card // 4] + _SUITS[card % 4] for card in numbers)


def front_and_back(cards: np.ndarray | Sequence[int], setting: int) -> tuple[str, str]:
    """Returns a setting's front and back as text.

    Raises:
        ValueError: If the cards aren't a hand in the fixed order, which settings refer to.
    """
    rows = _numbers(cards)
    if len(rows) != 1:
        raise ValueError(f"expected one hand, found {len(rows)}")
    hand = rows[0]
    if (parse(text(hand)) != hand).any():
        raise ValueError("the hand is not in the fixed order, which settings refer to: sort it with cards.in_order")
    front = SETTINGS[int(as_settings([setting], 1)[0])]
    return text(hand[front]), text(np.delete(hand, front))


def as_hands(hands: Hands) -> np.ndarray:
    """Converts hands to an array, uint8 ``(n, 7)``. Accepts an array, a string or a list of strings."""
    if isinstance(hands, str):
        return parse(hands)[None]
    hands = _listed(hands)
    if not len(hands):
        return np.zeros((0, 7), np.uint8)
    if isinstance(hands[0], str):
        return np.stack([parse(hand) for hand in hands])
    return _numbers(hands)


def _listed(cards: Any) -> Any:
    """Returns an array, or a list with the elements of a sequence."""
    if isinstance(cards, np.ndarray) and cards.ndim > 0:
        return cards
    if isinstance(cards, np.ndarray) or not isinstance(cards, Iterable):
        raise TypeError(f"invalid cards {cards!r}: expected an array, a string or a list of strings")
    return list(cards)


def as_settings(settings: Any, n: int, name: str = "settings", most: int = 20) -> np.ndarray:
    """Converts one setting (or another choice) for each of ``n`` hands to an array, uint8 ``(n,)``.

    Raises:
        TypeError: If the settings aren't integers.
        ValueError: If there aren't ``n`` of them, or if one isn't between 0 and ``most``.
    """
    array = integers(settings, name)
    if array.shape != (n,):
        raise ValueError(f"expected {n} {name} from 0 to {most}, found shape {array.shape}")
    if not ((array >= 0) & (array <= most)).all():
        raise ValueError(f"invalid {name}: expected 0 to {most}")
    return np.ascontiguousarray(array, np.uint8)


def deal(n: int, seed: int) -> np.ndarray:
    """Deals ``n`` random hands from the 53-card deck, uint8 ``(n, 7)``, in the fixed order."""
    decks = np.random.default_rng(seed).random((n, 53)).argpartition(7, axis=1)[:, :7]
    return in_order(decks.astype(np.uint8))


def in_order(hands: np.ndarray) -> np.ndarray:
    """Sorts each hand's cards into the fixed order."""
    return np.ascontiguousarray(np.sort(_numbers(hands), axis=1)[:, ::-1])
