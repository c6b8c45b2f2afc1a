"""Exact values for Pai Gow Poker. Evaluates hands, pairs of strategies and arbitrary policies, and builds tables of all
classes."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, Union

import numpy as np

from .. import _core, cards, ways
from .._config import integer, mapping, shard_of, text
from ..cards import Hands, as_hands, as_settings
from ..ways import HouseWay, agreed_rules, core_rules
from .solver import Printed, TextTable

__all__ = [
    "BANKER_HANDS",
    "CLASSES",
    "DEALS",
    "MIXED_WEIGHT",
    "OPTIMAL",
    "PROFILES",
    "Batch",
    "Counts",
    "HandEv",
    "Policy",
    "Score",
    "Way",
    "batches",
    "best_settings",
    "classes",
    "exploitability",
    "hand_ev",
    "profiles",
    "score",
    "scores",
    "settings_of",
    "solve",
    "whole_table",
]

#: The number of hands that the banker can hold given the player's seven cards: C(46, 7).
BANKER_HANDS = 53_524_680
#: The number of deals, which is C(53, 7) player hands times C(46, 7) banker hands.
DEALS = 8_250_459_031_214_400
#: The number of classes. Hands in the same class are equal up to a permutation of suits.
CLASSES = 6_972_147
#: The number of profiles. Hands with the same profile make fronts and backs of the same strengths.
PROFILES = 292_253
#: The weight of a mixed strategy's settings, which is the total for each profile.
MIXED_WEIGHT = 4_096
#: The best response to the other side, as an argument to :func:`solve` and the banker of :func:`houseway.exact.bank`.
OPTIMAL = ways.OPTIMAL

#: The maximum number of hands in the text of a :class:`HandEv`.
_SHOWN = 10

#: A house way: an object, a name, a TOML file, TOML text or a dict.
Way = Union[HouseWay, str, "os.PathLike[str]", Mapping[str, Any]]
#: A strategy for either side. This is a house way, or anything that a :class:`~houseway.tables.StrategyTable` is made of: the
#: path of a strategy table, a mixed strategy or a trained agent, the settings of all classes, the weights of a mixed strategy,
#: or a policy.
Strategy = Any


@dataclass(frozen=True)
class HandEv(Printed):
    """The outcome counts for all 21 settings of ``n`` hands against every banker hand.

    Arrays have shape ``(n, 21)``. Fouls have a count of -1 and an EV of NaN. Copies don't include those of
    banker hands that push against every hand by the rule ``bank-pushes``.
    """

    hands: np.ndarray
    wins: np.ndarray
    losses: np.ndarray
    copies_front: np.ndarray
    copies_back: np.ndarray
    best: np.ndarray  # uint8 (n,): the best setting. Ties go to the lowest.
    commission: Fraction
    # The number of banker hands, which is lower if there are dead cards. Against a mixed strategy, a hand counts 4,096.
    banker_hands: int = BANKER_HANDS
    collection: Fraction = Fraction(0)  # the fee for each hand
    weight: int = 1  # the weight of a banker hand, which is 4,096 against a mixed strategy

    def __repr__(self) -> str:
        """Shows the best setting of the first hands, and its EV."""
        rows = [f"HandEv of {len(self.hands)} hands against {self.banker_hands // self.weight:,} banker hands"]
        for hand, best, ev in zip(self.hands[:_SHOWN], self.best, self.ev):
            front, back = cards.front_and_back(hand, best)
            rows.append(f"{front} | {back}  {ev[best]:+.6f}")
        return "\n".join(rows + ["..."] * (len(self.hands) > _SHOWN))

    def columns(self) -> dict[str, np.ndarray]:
        """Returns the columns ``cards``, ``wins``, ``losses``, ``copies_front``, ``copies_back``, ``ev`` and ``best``,
        with one row per hand. They can be passed to :func:`houseway.exact.to_pandas`, for example."""
        names = ("wins", "losses", "copies_front", "copies_back", "ev", "best")
        return {"cards": self.hands, **{name: getattr(self, name) for name in names}}

    @property
    def legal(self) -> np.ndarray:
        """A mask of the legal settings, bool ``(n, 21)``."""
        return self.wins >= 0

    @property
    def pushes(self) -> np.ndarray:
        """The number of banker hands against which each setting neither wins nor loses, int64 ``(n, 21)``.
        Fouls have -1."""
        return np.where(self.legal, self.banker_hands - self.wins - self.losses, -1)

    @cached_property
    def ev(self) -> np.ndarray:
        """The EV per unit staked, float64, or NaN for fouls."""
        gain = self.wins * float(1 - self.commission) - self.losses
        return np.where(self.legal, gain / self.banker_hands - float(self.collection), np.nan)

    def exact(self, hand: int, setting: int) -> Fraction:
        """Returns the EV of one of a hand's settings as a fraction."""
        if not 0 <= integer("hand", hand) < len(self.hands):
            raise ValueError(f"invalid hand {hand}: expected 0 to {len(self.hands) - 1}")
        as_settings([setting], 1)
        if not self.legal[hand, setting]:
            raise ValueError(f"setting {setting} of hand {hand} is a foul")
        wins, losses = int(self.wins[hand, setting]), int(self.losses[hand, setting])
        return (wins * (1 - self.commission) - losses) / self.banker_hands - self.collection

    def regret(self, settings: np.ndarray) -> np.ndarray:
        """Returns the regret of one setting per hand, float64 ``(n,)``. Fouls have NaN."""
        rows = np.arange(len(self.hands))
        return np.asarray(self.ev[rows, self.best] - self.ev[rows, as_settings(settings, len(rows))])


def hand_ev(
    hands: Hands, banker: Strategy = "trump-plaza", *, dead: str = "", rules: Mapping[str, Any] | None = None
) -> HandEv:
    """Evaluates every setting of each hand against all 53,524,680 banker hands. Takes less than a millisecond per hand
    on one core against a house way, and up to ten seconds against another strategy.

    The cards of a hand may be in any order. Settings refer to ``hands`` in the result, whose cards are in the fixed order.

    ``dead`` lists cards that are known to be out of play, such as cards shown at other seats. The banker can't hold any
    of them. ``rules`` are game rules that differ from the defaults, such as ``{"copies": "pushed"}``.

    >>> ev = hand_ev("As Ad Kh Kc Qs Qd 3c")
    >>> cards.front_and_back(ev.hands[0], ev.best[0])
    ('As Ad', 'Kh Kc Qs Qd 3c')
    >>> hand_ev("As Ad Kh Kc Qs Qd 3c", dead="Ks Kd").banker_hands
    38320568
    """
    game, [other] = sides_of({"banker": banker}, rules)
    hands = cards.in_order(as_hands(hands))
    counts: dict[str, Any] = _core.count_hands(core_rules(game), hands, other._core, text("dead", dead))
    banker_hands = other.weight * (math.comb(46 - cards.as_rows(dead).shape[1], 7) if dead else BANKER_HANDS)
    return HandEv(hands=hands, banker_hands=banker_hands, weight=other.weight, **fees_of(game), **counts)


@dataclass(frozen=True)
class Counts:
    """The player's outcome counts over all deals, or over the deals in a shard. Use ``+`` or ``sum`` to combine shards.

    Counts are weights if a strategy is mixed, so a deal counts 4,096 for each side that mixes its settings. Copies don't
    include those of banker hands that push against every hand by the rule ``bank-pushes``.
    """

    wins: int
    pushes: int
    losses: int
    copies_front: int
    copies_back: int
    commission: Fraction
    house_banks: bool = True
    collection: Fraction = Fraction(0)  # the fee that a player pays for each hand
    # The number of shards, and the indices of those included.
    shards: tuple[int, frozenset[int]] = field(default=(1, frozenset([0])), compare=False)
    _sides: tuple[str, ...] = field(default=(), compare=False, repr=False)  # hashes of what was counted

    @property
    def deals(self) -> int:
        """The number of deals, which is :data:`DEALS` for the full game between pure strategies."""
        return self.wins + self.pushes + self.losses

    @property
    def exact_ev(self) -> Fraction:
        """The player's EV."""
        return self._ev_without_fee - self.collection

    @property
    def _ev_without_fee(self) -> Fraction:
        return (self.wins * (1 - self.commission) - self.losses) / Fraction(self.deals)

    @property
    def ev(self) -> float:
        """The player's EV as a float."""
        return float(self.exact_ev)

    @property
    def exact_banker_ev(self) -> Fraction:
        """The banker's EV per unit staked by the player. If a player banks, the banker pays the commission on winning
        bets, and the same fee for each hand."""
        if self.house_banks:
            return -self.exact_ev
        return (self.losses * (1 - self.commission) - self.wins) / Fraction(self.deals) - self.collection

    @property
    def banker_ev(self) -> float:
        """The banker's EV as a float."""
        return float(self.exact_banker_ev)

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the player's result per unit staked."""
        square = (self.wins * (1 - self.commission) ** 2 + self.losses) / Fraction(self.deals)
        return math.sqrt(square - self._ev_without_fee**2)

    def __add__(self, more: Counts) -> Counts:
        if not isinstance(more, Counts):
            return NotImplemented
        if any(getattr(self, name) != getattr(more, name) for name in ("commission", "collection", "house_banks")):
            raise ValueError("cannot add counts for different rules")
        if self._sides != more._sides:
            raise ValueError("cannot add counts for different strategies or rules")
        names = ("wins", "pushes", "losses", "copies_front", "copies_back")
        sums = {name: getattr(self, name) + getattr(more, name) for name in names}
        return replace(self, **sums, shards=joined_shards(self.shards, more.shards))

    def __radd__(self, start: int) -> Counts:
        return self if start == 0 else NotImplemented  # sum() starts with 0


def fees_of(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the commission on a win and the collection, a fee for each hand, per unit staked."""
    commission, collection = core_rules(rules).fees
    return {"commission": Fraction(*commission), "collection": Fraction(*collection)}


def sides_of(
    strategies: Mapping[str, Any], rules: Mapping[str, Any] | None = None, size: int = 4_096
) -> tuple[Mapping[str, Any], list[Any]]:
    """Returns the game rules that the strategies agree on, and the strategies for these rules.

    The strategies are given by argument, which errors name. A policy that is given twice is tabulated once, with ``size`` hands
    per call.
    """
    from ..tables import as_strategy

    _check_size(size)
    with _named("game rules"):
        core_rules(rules)
    for name, strategy in strategies.items():
        with _named(name):
            rules = agreed_rules(rules, strategy)
    rules = mapping("rules", rules)
    made: dict[int, Any] = {}
    for name, strategy in strategies.items():
        if id(strategy) in made:
            continue
        with _named(name):
            made[id(strategy)] = side = as_strategy(strategy, rules, size)
            if not isinstance(side, HouseWay):
                side._core.check_legal(core_rules(rules))
    return rules, [made[id(strategy)] for strategy in strategies.values()]


def _check_size(size: int) -> None:
    if integer("size", size) < 1:
        raise ValueError(f"invalid size {size}: expected 1 or more")


@contextmanager
def _named(argument: str) -> Iterator[None]:
    """Adds the argument's name to errors."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{argument}: {error}") from error


def joined_shards(one: tuple[int, frozenset[int]], other: tuple[int, frozenset[int]]) -> tuple[int, frozenset[int]]:
    """Returns the shards of a sum, or raises ``ValueError`` if the two don't belong together."""
    if one[0] != other[0]:
        raise ValueError(f"cannot add shards of {one[0]} and of {other[0]}")
    if twice := one[1] & other[1]:
        raise ValueError(f"shard {min(twice)} of {one[0]} is in both")
    return one[0], one[1] | other[1]


def solve(
    player: Strategy = "trump-plaza",
    banker: Strategy = "trump-plaza",
    *,
    bank: Literal["house", "player"] = "house",
    shard: tuple[int, int] = (0, 1),
    rules: Mapping[str, Any] | None = None,
) -> Counts:
    """Enumerates all deals between two strategies. Takes a few seconds, and about a minute against a table.

    Args:
        player, banker: The two strategies, which are house ways, tables, mixed strategies, trained agents or policies,
            in the forms that a :class:`~houseway.tables.StrategyTable` is made of. One of them may be :data:`OPTIMAL`,
            meaning the best response to the other, so ``solve(policy, OPTIMAL)`` shows how far a policy can be exploited.
        bank: The side that banks, ``"house"`` or ``"player"``. A player who banks pays the commission on winning bets,
            so :attr:`Counts.banker_ev` changes. :attr:`Counts.ev` stays that of the side that doesn't bank.
        shard: ``(i, n)`` enumerates part ``i`` of ``n``, counting from zero. The parts add up to the full game.
        rules: Game rules that differ from the defaults, such as ``{"copies": "pushed"}``. A house way that was made for
            other rules is refused.

    If the environment variable ``HOUSEWAY_COUNTS`` is set to a folder, the counts are kept there, as by the program.
    """
    if bank not in ("house", "player"):
        raise ValueError(f"invalid bank {bank!r}: expected 'house' or 'player'")
    sides = {"player": player, "banker": banker}
    given = {name: side for name, side in sides.items() if not (isinstance(side, str) and side == OPTIMAL)}
    if not given:
        raise ValueError("both sides are optimal, but a best response needs a strategy to respond to")
    game, named = sides_of(given, rules)
    shard = shard_of(shard)
    cores = {name: side._core for name, side in zip(given, named)}
    kept = os.environ.get("HOUSEWAY_COUNTS") or None
    found = _core.solve(core_rules(game), [cores.get(name) for name in sides], bank == "house", shard, kept)
    # The bank only affects the counts if the banker plays optimally.
    seats = [cores[name].hash if name in cores else f"{OPTIMAL}-{bank}" for name in sides]
    counts = counts_of(found, game, bank == "house", shard)
    return replace(counts, _sides=(core_rules(game).hash, *seats))


def exploitability(strategy: Strategy, *, rules: Mapping[str, Any] | None = None) -> Fraction:
    """Returns how much best responses gain against a strategy in both seats together, per unit staked.

    This is the best response's EV against the strategy as the banker's, minus the strategy's EV against the banker's best
    response to it. The house banks. It is zero only if the strategy is in equilibrium with itself. Takes as long as two
    calls of :func:`solve`.

    Args:
        strategy: Any strategy, as in :func:`solve`.
        rules: Game rules that differ from the defaults, as in :func:`solve`.
    """
    return solve(OPTIMAL, strategy, rules=rules).exact_ev - solve(strategy, OPTIMAL, rules=rules).exact_ev


def counts_of(
    found: Mapping[str, Any], rules: Mapping[str, Any], house_banks: bool = True, shard: tuple[int, int] = (0, 1)
) -> Counts:
    """Creates counts from a dict and the game rules."""
    return Counts(**found, **fees_of(rules), house_banks=house_banks, shards=(shard[1], frozenset([shard[0]])))


@dataclass(frozen=True)
class Batch:
    """A batch of hands for a policy to set."""

    cards: np.ndarray  # uint8 (n, 7): the cards in their fixed order
    rules: Mapping[str, Any]  # the game rules that differ from the defaults

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def legal(self) -> np.ndarray:
        """A mask of the legal settings, bool ``(n, 21)``."""
        return core_rules(self.rules).legal_masks(as_hands(self.cards))

    def observations(self, encoding: str = "candidates") -> np.ndarray:
        """Returns the observations of these hands, float32 ``(n, length)``. For ``"candidates"``, the length is 21 * 70
        + 18."""
        return core_rules(self.rules).observations(as_hands(self.cards), encoding)


@dataclass(frozen=True)
class Score(Printed):
    """The exact evaluation of a policy over the full game."""

    policy: Counts
    optimum: Counts
    agreeing_hands: int | Fraction  # the number of hands that are set optimally, or its mean for a mixed strategy

    def __str__(self) -> str:
        rows = []
        for name, it in (("policy", self.policy), ("optimum", self.optimum)):
            # The weight of a deal if a strategy is mixed.
            weight = max(1, it.deals // DEALS)
            deals = (round(Fraction(count, weight)) for count in (it.wins, it.pushes, it.losses))
            rows.append([name, f"{it.ev:+.6%}", *(f"{count:,}" for count in deals)])
        table = TextTable(["", "EV", "deals won", "pushed", "lost"], rows)
        return f"{table}\nregret {self.regret:.6%}; {self.agreement:.1%} of the hands are set optimally"

    @property
    def ev(self) -> float:
        """The policy's EV."""
        return self.policy.ev

    @property
    def exact_regret(self) -> Fraction:
        """The EV of optimal play minus the policy's EV."""
        return self.optimum.exact_ev - self.policy.exact_ev

    @property
    def regret(self) -> float:
        """The regret as a float."""
        return float(self.exact_regret)

    @property
    def agreement(self) -> float:
        """The fraction of the 154,143,080 hands that the policy sets optimally."""
        return float(self.agreeing_hands / 154_143_080)


#: A function from a :class:`Batch` to the settings of its hands, int ``(n,)``.
Policy = Callable[[Batch], np.ndarray]


def classes() -> tuple[np.ndarray, np.ndarray]:
    """Returns one hand per class, uint8 ``(6972147, 7)``, and the number of hands in each class, uint8
    ``(6972147,)``."""
    return _core.canonical_classes()


def profiles() -> tuple[np.ndarray, np.ndarray]:
    """Returns one hand per profile, uint8 ``(292253, 7)``, and the number of hands with each profile, uint32 ``(292253,)``.

    The settings of a mixed strategy are those of these hands. See :class:`houseway.tables.StrategyTable`.
    """
    return _core.profile_hands()


def batches(rules: Mapping[str, Any] | None = None, size: int = 4_096) -> Iterator[Batch]:
    """Yields one hand per class, in batches."""
    hands, _ = classes()
    rules = mapping("rules", rules)
    _check_size(size)
    for start in range(0, len(hands), size):
        yield Batch(hands[start : start + size], rules)


def settings_of(policy: Policy, rules: Mapping[str, Any] | None = None, size: int = 4_096) -> np.ndarray:
    """Returns the setting that a policy chooses for each class, uint8 ``(6972147,)``."""
    chosen = []
    for batch in batches(rules, size):
        chosen.append(as_settings(policy(batch), len(batch), "settings of a policy"))
    return np.concatenate(chosen)


def score(
    policy: Strategy,
    banker: Strategy = "trump-plaza",
    *,
    size: int = 4_096,
    rules: Mapping[str, Any] | None = None,
) -> Score:
    """Computes the exact EV and regret of any policy over all deals in one pass.

    Args:
        policy: A function from a :class:`Batch` of ``n`` hands to ``n`` settings, or any other strategy, as in :func:`solve`.
            A function is only called with one hand per class, so it must be invariant under suit permutations.
        banker: The banker's strategy, as in :func:`solve`. Its game rules apply.
        size: The number of hands per batch.
        rules: Game rules that differ from the defaults, such as ``{"copies": "pushed"}``. A house way that was made for
            other rules is refused.

    Raises:
        ValueError: If the policy fouls, in which case the message contains the hand, or if it is a house way or a
            table that was made for other game rules than the banker.
    """
    return scores([policy], banker, size=size, rules=rules)[0]


def scores(
    policies: Iterable[Strategy],
    banker: Strategy = "trump-plaza",
    *,
    size: int = 4_096,
    rules: Mapping[str, Any] | None = None,
) -> list[Score]:
    """Evaluates several policies like :func:`score`, but in a single pass that takes hardly longer than for one policy.

    The arguments are those of :func:`score`.
    """
    if isinstance(policies, (str, Mapping, np.ndarray)) or not isinstance(policies, Iterable):
        raise TypeError(f"invalid policies {policies!r}: expected a list of strategies")
    game, [other] = sides_of({"banker": banker}, rules, size)
    _, players = sides_of({f"policies[{i}]": it for i, it in enumerate(policies)}, game, size)
    *found, (optimum, _) = _core.score(core_rules(game), [player._core for player in players], other._core)
    best = counts_of(optimum, game)
    return [
        Score(counts_of(own, game), best, Fraction(agreed, player.weight) if player.weight > 1 else agreed)
        for player, (own, agreed) in zip(players, found)
    ]


def best_settings(banker: Strategy = "trump-plaza", *, rules: Mapping[str, Any] | None = None) -> np.ndarray:
    """Returns the best setting of each class against a banker, who must not mix settings, uint8 ``(6972147,)``.
    ``rules`` are game rules that differ from the defaults."""
    game, [other] = sides_of({"banker": banker}, rules)
    return _core.best_settings(core_rules(game), other._core)


def whole_table(banker: Strategy = "trump-plaza", *, rules: Mapping[str, Any] | None = None) -> dict[str, np.ndarray]:
    """Evaluates every setting for every class. The columns are those of ``houseway solve --table`` without
    ``way`` and ``way_ev``.

    They are ``class`` int32, ``cards`` uint8 ``(6972147, 7)``, ``orbit`` uint8, ``wins`` and ``losses`` int32
    ``(6972147, 21)`` (-1 for fouls), ``best`` uint8 and ``best_ev`` float64. This takes 1.3 GB of memory. The banker must not
    mix settings. ``rules`` are game rules that differ from the defaults. :func:`~houseway.exact.to_arrow` converts the
    columns to a table without copying.
    """
    hands, orbit = classes()
    game, [other] = sides_of({"banker": banker}, rules)
    return {
        "class": np.arange(CLASSES, dtype=np.int32),
        "cards": hands,
        "orbit": orbit,
        **_core.whole_table(core_rules(game), other._core),
    }
