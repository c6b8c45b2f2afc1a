"""Pai Gow Poker: a hand, a pair of strategies, any policy, tables of all classes."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Union

import numpy as np

from .. import _core, cards
from .._config import integers
from ..cards import Hands, as_hands
from ..ways import HouseWay, as_way

#: Hands that the banker can hold once the player's seven cards are known: C(46, 7).
BANKER_HANDS = 53_524_680
#: All deals: C(53, 7) hands of the player times C(46, 7) of the banker.
DEALS = 8_250_459_031_214_400
#: Classes of hands that differ in more than the names of suits.
CLASSES = 6_972_147
#: The best response to the other side, as an argument of :func:`solve`.
OPTIMAL = "optimal"

Way = Union[HouseWay, str, Mapping[str, Any]]


def commission_of(way: HouseWay) -> Fraction:
    """Return the commission under the rules of a house way."""
    return Fraction(str(way.game_rules.get("commission", "0.05")))


@dataclass(frozen=True)
class HandEv:
    """All 21 settings of ``n`` hands against every banker hand.

    Arrays have shape ``(n, 21)``; a foul has count -1 and EV NaN.
    """

    hands: np.ndarray
    wins: np.ndarray
    losses: np.ndarray
    copies_front: np.ndarray
    copies_back: np.ndarray
    best: np.ndarray  # uint8 (n,): the best setting, the lowest of equal ones
    commission: Fraction

    def columns(self) -> dict[str, np.ndarray]:
        """Returns one row per hand: ``cards``, ``wins``, ``losses``, ``copies_front``, ``copies_back``, ``ev`` and ``best``, for
        :func:`houseway.exact.to_pandas` and its like."""
        names = ("wins", "losses", "copies_front", "copies_back", "ev", "best")
        return {"cards": self.hands, **{name: getattr(self, name) for name in names}}

    @property
    def legal(self) -> np.ndarray:
        """Legality of the settings, bool ``(n, 21)``."""
        return self.wins >= 0

    @property
    def pushes(self) -> np.ndarray:
        """Banker hands that one of the two hands beats, int64; -1 for fouls."""
        return np.where(self.legal, BANKER_HANDS - self.wins - self.losses, -1)

    @cached_property
    def ev(self) -> np.ndarray:
        """EV per unit staked, float64; NaN for fouls."""
        gain = self.wins * float(1 - self.commission) - self.losses
        return np.where(self.legal, gain / BANKER_HANDS, np.nan)

    def exact(self, hand: int, setting: int) -> Fraction:
        """The EV of one setting of one hand as a ratio of integers."""
        if not self.legal[hand, setting]:
            raise ValueError(f"setting {setting} of hand {hand} is a foul")
        wins, losses = int(self.wins[hand, setting]), int(self.losses[hand, setting])
        return (wins * (1 - self.commission) - losses) / BANKER_HANDS

    def regret(self, settings: np.ndarray) -> np.ndarray:
        """Return the regret of these settings, float64 ``(n,)``; NaN for fouls."""
        rows = np.arange(len(self.hands))
        return np.asarray(self.ev[rows, self.best] - self.ev[rows, np.asarray(settings, np.intp)])


def hand_ev(hands: Hands, banker: Way = "trump-plaza") -> HandEv:
    """Counts every setting of each hand against all 53,524,680 banker hands (under a millisecond a hand and core).

    >>> ev = hand_ev("As Ad Kh Kc Qs Qd 3c")
    >>> cards.front_and_back(ev.hands[0], ev.best[0])
    ('As Ad', 'Kh Kc Qs Qd 3c')
    """
    way, hands = as_way(banker), cards.in_order(as_hands(hands))
    return HandEv(hands=hands, commission=commission_of(way), **_core.count_hands(hands, way._core))


@dataclass(frozen=True)
class Counts:
    """Outcome counts of the player, as integers; those of all shards add up."""

    wins: int
    pushes: int
    losses: int
    copies_front: int
    copies_back: int
    commission: Fraction
    house_banks: bool = True

    @property
    def deals(self) -> int:
        """Number of deals: :data:`DEALS` for the whole game."""
        return self.wins + self.pushes + self.losses

    @property
    def exact_ev(self) -> Fraction:
        """The player's EV."""
        return (self.wins * (1 - self.commission) - self.losses) / Fraction(self.deals)

    @property
    def ev(self) -> float:
        """The player's EV as a float."""
        return float(self.exact_ev)

    @property
    def exact_banker_ev(self) -> Fraction:
        """The banker's EV per unit that the player stakes: a player's bank pays the commission on the bets that it wins."""
        if self.house_banks:
            return -self.exact_ev
        return (self.losses * (1 - self.commission) - self.wins) / Fraction(self.deals)

    @property
    def banker_ev(self) -> float:
        """The banker's EV as a float."""
        return float(self.exact_banker_ev)

    @property
    def standard_deviation(self) -> float:
        """Of the player's result per unit staked."""
        square = (self.wins * (1 - self.commission) ** 2 + self.losses) / Fraction(self.deals)
        return math.sqrt(square - self.exact_ev**2)

    def __add__(self, more: Counts) -> Counts:
        if (self.commission, self.house_banks) != (more.commission, more.house_banks):
            raise ValueError("counts under different rules do not add up")
        names = ("wins", "pushes", "losses", "copies_front", "copies_back")
        sums = {name: getattr(self, name) + getattr(more, name) for name in names}
        return counts_of(sums, self.commission, self.house_banks)


def solve(
    player: Way = "trump-plaza",
    banker: Way = "trump-plaza",
    *,
    bank: str = "house",
    shard: tuple[int, int] = (0, 1),
) -> Counts:
    """Counts all deals for a pair of strategies (some seconds).

    Args:
        player, banker: house ways; one of them may be :data:`OPTIMAL`, the best response to the other.
        bank: ``"house"``, or ``"player"``: then the bank pays the commission on every bet that it wins.
        shard: ``(i, n)``: part ``i`` (from 0) of ``n``; the sum of all parts is the whole.

    Where the environment variable ``HOUSEWAY_COUNTS`` names a folder, counts of the whole game are kept there as JSON, each
    named by what decides it, and not made again.
    """
    if bank not in ("house", "player"):
        raise ValueError(f"bank {bank!r}: choose 'house' or 'player'")
    sides = [None if isinstance(side, str) and side == OPTIMAL else as_way(side) for side in (player, banker)]
    named = [side for side in sides if side is not None]
    if len({way.rules_hash for way in named}) > 1:
        raise ValueError("the two house ways are made for different rules of the game")
    if not named:
        raise ValueError("both sides are optimal, but an optimum answers a strategy: name one")

    def count() -> dict[str, int]:
        cores = [None if side is None else side._core for side in sides]
        return _core.solve(cores[0], cores[1], bank == "house", shard)

    # Who banks decides nothing but what the best banker does.
    seats = [side.hash if side else f"{OPTIMAL}-{bank}" for side in sides]
    found = _kept("-".join([named[0].rules_hash, *seats]), count) if shard == (0, 1) else count()
    return counts_of(found, commission_of(named[0]), bank == "house")


def counts_of(found: Mapping[str, int], commission: Fraction, house_banks: bool = True) -> Counts:
    """Returns counts from a dict by name."""
    return Counts(
        wins=found["wins"],
        pushes=found["pushes"],
        losses=found["losses"],
        copies_front=found["copies_front"],
        copies_back=found["copies_back"],
        commission=commission,
        house_banks=house_banks,
    )


def _kept(name: str, count: Callable[[], dict[str, int]]) -> dict[str, int]:
    """Counts from the folder that ``HOUSEWAY_COUNTS`` names, or new ones, which are put there."""
    folder = os.environ.get("HOUSEWAY_COUNTS")
    if not folder:
        return count()
    file = Path(folder) / f"{_core.__version__}-{name}.json"
    try:
        found: dict[str, int] = json.loads(file.read_text())
        if found["wins"] + found["pushes"] + found["losses"] == DEALS:
            return found
    except (OSError, ValueError, KeyError, TypeError):
        pass
    found = count()
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(f".{os.getpid()}")
    unfinished.write_text(json.dumps(found))
    unfinished.replace(file)
    return found


@dataclass(frozen=True)
class Batch:
    """Hands that a policy is asked about."""

    cards: np.ndarray  # uint8 (n, 7), in the fixed order
    rules: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def legal(self) -> np.ndarray:
        """Legality of the settings, bool ``(n, 21)``."""
        return _core.legal_masks(self.cards, cards_rules(self.rules))

    def observations(self, encoding: str = "candidates") -> np.ndarray:
        """Return the observations of these hands, float32 ``(n, length)``; candidates: ``(n, 21 * 70 + 18)``."""
        return _core.observations(self.cards, encoding, cards_rules(self.rules))


def cards_rules(rules: Mapping[str, Any]) -> str:
    """Rules of the game as the Rust side reads them."""
    from .._config import to_json

    return to_json(**rules)


@dataclass(frozen=True)
class Score:
    """A policy over the whole game."""

    policy: Counts
    optimum: Counts
    agreeing_hands: int

    @property
    def ev(self) -> float:
        """The policy's EV."""
        return self.policy.ev

    @property
    def exact_regret(self) -> Fraction:
        """EV of the optimal player less the policy's."""
        return self.optimum.exact_ev - self.policy.exact_ev

    @property
    def regret(self) -> float:
        """The same as a float."""
        return float(self.exact_regret)

    @property
    def agreement(self) -> float:
        """Share of the 154,143,080 hands on which the policy gives nothing away."""
        return self.agreeing_hands / 154_143_080


Policy = Callable[[Batch], np.ndarray]


def classes() -> tuple[np.ndarray, np.ndarray]:
    """One hand of each class, uint8 ``(6972147, 7)``, and how many hands are in the class, uint8 ``(6972147,)``."""
    return _core.canonical_classes()


def batches(rules: Mapping[str, Any] | None = None, size: int = 4_096) -> Iterator[Batch]:
    """One hand of each class, in batches."""
    hands, _ = classes()
    for start in range(0, len(hands), size):
        yield Batch(hands[start : start + size], rules or {})


def settings_of(policy: Policy, rules: Mapping[str, Any] | None = None, size: int = 4_096) -> np.ndarray:
    """Return the setting that a policy chooses for every class, uint8 ``(6972147,)``."""
    chosen = []
    for batch in batches(rules, size):
        settings = integers(policy(batch), "settings of a policy")
        if settings.shape != (len(batch),):
            raise ValueError(f"the policy returned shape {settings.shape} for {len(batch)} hands")
        if not ((settings >= 0) & (settings <= 20)).all():
            raise ValueError("the policy returned a setting that is not one of 0 to 20")
        chosen.append(settings.astype(np.uint8))
    return np.concatenate(chosen)


def score(policy: Policy | np.ndarray, banker: Way = "trump-plaza", *, size: int = 4_096) -> Score:
    """The exact EV and regret of any policy over all deals, in one pass.

    Args:
        policy: a function from a :class:`Batch` of ``n`` hands to ``n`` settings, or settings for all classes (as
            :func:`settings_of` returns them). It is asked about one hand of each class, so it must not depend on
            which suits are which.
        banker: the banker's house way; its rules of the game are used.
        size: hands in a batch.

    Raises:
        ValueError: if the policy sets a hand foul, naming it.
    """
    return scores([policy], banker, size=size)[0]


def scores(
    policies: Iterable[Policy | np.ndarray], banker: Way = "trump-plaza", *, size: int = 4_096
) -> list[Score]:
    """:func:`score` for several policies in one pass, which costs little more than one: house ways are policies too.

    Args:
        policies: as for :func:`score`; house ways made for the banker's rules of the game.
        banker: the banker's house way.
        size: hands in a batch.
    """
    way = as_way(banker)
    settings = [it if isinstance(it, np.ndarray) else settings_of(it, way.game_rules, size) for it in policies]
    found, optimum = _core.score_settings([_settings(it) for it in settings], way._core)
    rate = commission_of(way)
    best = counts_of(optimum, rate)
    return [Score(counts_of(own, rate), best, agreeing) for own, agreeing in found]


def _settings(settings: np.ndarray) -> np.ndarray:
    settings = integers(settings, "settings")
    if settings.size and not ((settings >= 0) & (settings <= 20)).all():
        raise ValueError("settings are 0 to 20")
    return np.ascontiguousarray(settings, np.uint8)


def best_settings(banker: Way = "trump-plaza") -> np.ndarray:
    """The best setting of every class, uint8 ``(6972147,)``."""
    return _core.best_settings(as_way(banker)._core)


def whole_table(banker: Way = "trump-plaza") -> dict[str, np.ndarray]:
    """Every setting of every class, with the columns of ``houseway solve --table``.

    ``class`` int32, ``cards`` uint8 ``(6972147, 7)``, ``orbit`` uint8, ``wins`` and ``losses`` int32 ``(6972147, 21)`` (-1 for
    fouls), ``best`` uint8, ``best_ev`` float64. Takes 1.3 GB; :func:`~houseway.exact.to_arrow` makes a table of it without copying.
    """
    hands, orbit = classes()
    found = _core.whole_table(as_way(banker)._core)
    return {"class": np.arange(CLASSES, dtype=np.int32), "cards": hands, "orbit": orbit, **found}
