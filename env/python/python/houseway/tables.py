"""Strategy and class tables in the command line's file formats.

- A :class:`StrategyTable` is a strategy read from a file or made of numbers or a policy. It can be used as a policy, on either
  side of an evaluation, and as an environment's banker.
- A *strategy table* file contains a setting for each of the 6,972,147 hand classes (7 MB) in the safetensors format.
  ``houseway solve --strategy FILE`` writes it and ``houseway solve --player FILE`` plays it.
- A *mixed strategy* file contains the weights of settings for each of the 292,253 profiles as Parquet. ``houseway
  equilibrium`` writes it.
- A *class table* file contains the outcome counts for all settings of all classes as Parquet. ``houseway solve --table
  FILE`` writes it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, Union

import numpy as np

from . import _core, weights
from ._config import integer, integers
from ._core import __version__
from .cards import Hands, as_hands, as_settings
from .exact import CLASSES, MIXED_WEIGHT, PROFILES, Way, settings_of, to_arrow
from .ways import HouseWay, agreed_rules, as_way, built_in_ways, cards_of, check_way, core_rules, way_settings

__all__ = [
    "StrategyTable",
    "is_held_out",
    "load_classes",
    "load_mixed",
    "load_strategy",
    "save_columns",
    "save_strategy",
]

Path = Union[str, "os.PathLike[str]"]

_FORMAT, _GAME = "houseway-strategy-2", "pai-gow-poker"
_SEALED = {"houseway-strategy": 2, "houseway-mixed": 1, "houseway-classes": 2, "houseway-columns": 1}
#: The metadata that a file of columns has of its own.
_OWN = {"seal", "sha256"}
_HANDS, _BANKER_HANDS = 154_143_080, 53_524_680


def _hash(settings: np.ndarray) -> str:
    return hashlib.sha256(settings.tobytes()).hexdigest()[:16]


def _digest(kind: str, version: str, content: Mapping[str, str]) -> str:
    def text(value: Any) -> str:
        return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)

    return hashlib.sha256(f"{text([kind, _SEALED[kind], version])}\n{text(content)}".encode()).hexdigest()


def _seal(kind: str, content: Mapping[str, str]) -> str:
    """Returns the seal that the command line adds to files: the kind, format, version and checksum of the metadata."""
    digest = _digest(kind, __version__, content)
    return json.dumps({"kind": kind, "format": _SEALED[kind], "version": __version__, "sha256": digest})


def _check_seal(path: Path, metadata: Mapping[str, str], kinds: tuple[str, ...]) -> None:
    name = os.fspath(path)
    try:
        seal = json.loads(metadata["seal"])
        kind, form, version, digest = (seal[key] for key in ("kind", "format", "version", "sha256"))
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{name} has no seal and may come from another program or an older version; create it again") from None
    if kind not in kinds or form != _SEALED[kind]:
        raise ValueError(f"{name} has kind {kind} and format {form}: expected {' or '.join(kinds)}")
    if digest != _digest(kind, str(version), {key: value for key, value in metadata.items() if key != "seal"}):
        raise ValueError(f"{name} was changed or damaged after it was written: its checksum does not match; create it again")


def _column_hashes(columns: Mapping[str, np.ndarray]) -> str:
    def digest(column: np.ndarray) -> str:
        little = np.ascontiguousarray(column, column.dtype.newbyteorder("<"))
        return hashlib.sha256(little.data).hexdigest()

    return json.dumps({name: digest(column) for name, column in columns.items()}, sort_keys=True, separators=(",", ":"))


def save_strategy(path: Path, settings: np.ndarray, name: str, banker: Way = "trump-plaza") -> None:
    """Writes a strategy, such as one returned by :func:`houseway.exact.settings_of` or
    :func:`~houseway.exact.best_settings`.

    Args:
        path: The output file, usually with the extension ``.safetensors``.
        settings: The settings, uint8 ``(6972147,)``.
        name: The name to show in results.
        banker: A house way for the same game rules as the strategy.

    Raises:
        ValueError: If the strategy fouls.
    """
    settings = as_settings(settings, CLASSES)
    rules = as_way(banker)._core.game_rules
    _core.Strategy(name, settings).check_legal(rules)
    metadata = {
        "format": _FORMAT,
        "game": _GAME,
        "hash": _hash(settings),
        "name": name,
        "rules": rules.json,
        "rules_hash": rules.hash,
        "version": __version__,
    }
    metadata["seal"] = _seal("houseway-strategy", metadata)
    tensor = {"dtype": "U8", "shape": [CLASSES], "data_offsets": [0, CLASSES]}
    # The library orders metadata randomly, but equal strategies must produce equal files.
    header = json.dumps({"__metadata__": metadata, "settings": tensor}, separators=(",", ":"), sort_keys=True).encode()
    header += b" " * (-len(header) % 8)
    unfinished = f"{os.fspath(path)}.unfinished"
    with open(unfinished, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.write(settings.data)
    os.replace(unfinished, path)


def load_strategy(path: Path, banker: Way = "trump-plaza") -> tuple[np.ndarray, dict[str, str]]:
    """Reads a strategy and returns its settings, uint8 ``(6972147,)``, and the file's metadata.

    Requires the extra ``learned`` (safetensors).

    Raises:
        ValueError: If the file has another format, was modified, or was computed under other game rules than
            ``banker``'s.
    """
    metadata, tensors = weights.read(path, "strategy table")
    if (metadata.get("format"), metadata.get("game")) != (_FORMAT, _GAME):
        raise ValueError(f"{os.fspath(path)} is not a strategy table for {_GAME}; create one with houseway solve --strategy")
    settings = tensors["settings"]
    _check_seal(path, metadata, ("houseway-strategy",))
    _check_strategy(path, metadata, _hash(settings), as_way(banker)._core.game_rules)
    return settings, metadata


def load_mixed(path: Path, banker: Way = "trump-plaza") -> tuple[np.ndarray, dict[str, str]]:
    """Reads a mixed strategy and returns its weights, uint16 ``(292253, 21)``, and the file's metadata.

    The weights are those of the settings of the hands that :func:`houseway.exact.profiles` returns, in units of 1/4096. Requires
    the extra ``arrow``.

    Raises:
        ValueError: If the file has another format, was modified, or was computed under other game rules than
            ``banker``'s.
    """
    columns, metadata = _columns(path, ("houseway-mixed",))
    found = np.zeros((PROFILES, 21), np.uint16)
    try:
        found[columns["profile"], columns["setting"]] = columns["weight"]
    except (IndexError, KeyError) as error:
        raise ValueError(f"{os.fspath(path)} was changed or damaged after it was written: {error}") from None
    rules = as_way(banker)._core.game_rules
    _check_strategy(path, metadata, _core.Strategy.mixed("mixed", found, rules).hash, rules)
    return found, metadata


def _check_strategy(path: Path, metadata: Mapping[str, str], found: str, rules: _core.GameRules) -> None:
    """Rejects a strategy with another hash, or for other game rules."""
    name = os.fspath(path)
    if metadata.get("rules_hash") != rules.hash:
        theirs = metadata.get("rules", metadata.get("rules_hash"))
        raise ValueError(f"{name} was computed under other rules: {theirs}")
    if metadata.get("hash") != found:
        raise ValueError(f"{name} was modified: its settings do not match its hash")


class StrategyTable:
    """A strategy with one setting for each of the 6,972,147 hand classes, or with weights of settings for each of the 292,253
    profiles, which is a mixed strategy.

    It can be used on either side of the functions in :mod:`houseway.exact`. With one setting for each hand, it is also a policy,
    and the banker in ``gymnasium.make("houseway/PaiGowPoker-v0", banker=table)``.

    Args:
        strategy: The settings of all classes, uint8 ``(6972147,)``, as returned by
            :func:`houseway.exact.best_settings`, the weights of a mixed strategy, uint16 ``(292253, 21)``, as returned by
            :func:`load_mixed`, the path of a strategy table, a mixed strategy (``.parquet``) or a trained agent
            (``weights.safetensors``, or its folder), or a policy, such as a function or a network from
            :mod:`houseway.weights`. A policy is only called with one hand per class, so it must be invariant under suit
            permutations.
        name: The name to show in results. Defaults to the name in the file, or to the policy's.
        rules: The game rules that the strategy is for, such as ``{"commission": 0.04}``. Defaults to the default rules
            for a file, a policy or a mixed strategy, and to any rules for settings. Environments against the table play by
            these rules.
        size: The number of hands per call of a policy.

    Raises:
        ValueError: If there isn't exactly one valid setting per class, if the weights of a profile don't add up to 4,096, or
            if :func:`load_strategy`, :func:`load_mixed` or :func:`houseway.weights.load` raises an error.
    """

    def __init__(
        self, strategy: Any, *, name: str | None = None, rules: Mapping[str, Any] | None = None, size: int = 4_096
    ) -> None:
        if isinstance(check_way(strategy, "a table, a policy or settings"), (str, os.PathLike)):
            rules = rules or {}
            strategy, saved = _read(strategy, as_way("trump-plaza", rules))
            name = name or saved
        if callable(strategy):
            policy: Any = strategy
            rules = agreed_rules(rules, policy) or {}
            name = name or getattr(policy, "__name__", type(policy).__name__)
            strategy = settings_of(policy, rules, size)
        is_mixed = np.ndim(strategy) == 2
        table = _as_weights(strategy) if is_mixed else as_settings(strategy, CLASSES)
        rules = rules or {} if is_mixed else rules
        self.__setstate__({"name": name or "table", "table": table.copy(), "game_rules": None if rules is None else dict(rules)})

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "table": self._table, "game_rules": self.game_rules}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._table: np.ndarray = state["table"]
        #: The game rules that the table was made for, or ``None`` if it can be used with any.
        self.game_rules: dict[str, Any] | None = state["game_rules"]
        made_of = (state["name"], self._table)
        is_mixed = self._table.ndim == 2
        self._core = _core.Strategy.mixed(*made_of, core_rules(self.game_rules)) if is_mixed else _core.Strategy(*made_of)

    def __deepcopy__(self, memo: Any) -> StrategyTable:
        return self  # tables don't change

    name = property(lambda self: self._core.name, doc="The name to show in results.")

    @property
    def weight(self) -> int:
        """The weight of each hand's settings, which is 4,096 for a mixed strategy and 1 for any other."""
        return MIXED_WEIGHT if self._table.ndim == 2 else 1

    @property
    def settings(self) -> np.ndarray:
        """A copy of all settings, in the order of :func:`houseway.exact.classes`, uint8 ``(6972147,)``. A mixed strategy
        has none."""
        if self.weight > 1:
            raise ValueError(f"{self.name} is a mixed strategy, which has no single setting for a hand; use its weights")
        return np.array(self._table)

    @property
    def weights(self) -> np.ndarray:
        """A copy of a mixed strategy's weights, in the order of :func:`houseway.exact.profiles`, uint16 ``(292253, 21)``."""
        if self.weight == 1:
            raise ValueError(f"{self.name} is not a mixed strategy; use its settings")
        return np.array(self._table)

    def set(self, hands: Hands) -> np.ndarray:
        """Returns the settings of hands, uint8 ``(n,)``, from 0 to 20."""
        return self._core.set(as_hands(hands))

    def __call__(self, hands: Any) -> np.ndarray:
        """Acts as a policy for :func:`houseway.exact.score`."""
        return self.set(cards_of(hands, self))

    def __repr__(self) -> str:
        return f"StrategyTable(name={self.name!r})"


def _as_weights(values: Any) -> np.ndarray:
    array = integers(values, "weights")
    if array.shape != (PROFILES, 21):
        raise ValueError(f"invalid weights: expected shape ({PROFILES}, 21), found shape {array.shape}")
    if not ((array >= 0) & (array <= MIXED_WEIGHT)).all():
        raise ValueError(f"invalid weights: expected 0 to {MIXED_WEIGHT}, found {array.min()} to {array.max()}")
    return np.ascontiguousarray(array, np.uint16)


def _read(path: Path, way: HouseWay) -> tuple[Any, str | None]:
    """Returns the settings, the weights or the network in a file, for the game rules of a way, and its name."""
    if os.fspath(path).endswith(".parquet"):
        found, metadata = load_mixed(path, way)
        return found, metadata.get("name")
    if os.path.isdir(path) or "head.weight" in weights.read(path)[1]:
        file = weights.file_of(path)
        return weights.load(file), file.parent.name if file.stem == "weights" else file.stem
    found, metadata = load_strategy(path, way)
    return found, metadata.get("name")


def as_strategy(strategy: Any, rules: Mapping[str, Any] | None = None, size: int = 4_096) -> HouseWay | StrategyTable:
    """Converts any strategy to a house way or a table for these game rules.

    A table is returned unchanged. Whatever else a :class:`StrategyTable` is made of becomes one, with ``size`` hands per call of a
    policy, and everything else is passed to :func:`~houseway.ways.as_way`.

    Raises:
        ValueError: If the strategy was made for other game rules.
        TypeError: If the object is no strategy.
    """
    check_way(strategy, "a house way, a table or a policy")
    if isinstance(strategy, (HouseWay, Mapping)):
        return as_way(strategy, rules)
    if isinstance(strategy, (str, os.PathLike)):
        return StrategyTable(strategy, rules=rules, size=size) if _is_file(os.fspath(strategy)) else as_way(strategy, rules)
    if not (isinstance(strategy, np.ndarray) or callable(strategy)):
        raise TypeError(f"invalid strategy {strategy!r}: expected a function, an array, a file, a table or a house way")
    table = strategy if isinstance(strategy, StrategyTable) else StrategyTable(strategy, rules=rules, size=size)
    agreed_rules(rules, table)
    return table


def _is_file(name: str) -> bool:
    """True for the name of a file or folder that a table is made of, rather than a house way."""
    if name.startswith("agent:"):
        raise ValueError(f"{name} is only built into the program: use the path of an agent's weights.safetensors")
    return name.endswith((".safetensors", ".parquet")) or (name not in built_in_ways() and os.path.isdir(name))


def banker_of(settings: Mapping[str, Any]) -> tuple[dict[str, Any], StrategyTable | None]:
    """Returns an environment's settings in the form that Rust parses, and its banker unless it is a house way."""
    banker = settings.get("banker")
    check_way(banker, "a house way, a table or a policy", name="banker")
    table = None if banker is None else as_strategy(banker, settings.get("rules"))
    if not isinstance(table, StrategyTable):
        return way_settings(settings), None
    rules = agreed_rules(settings.get("rules"), table)
    return {**{key: value for key, value in settings.items() if key != "banker"}, "rules": rules}, table


def load_classes(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Reads a class table and returns its columns, as arrays that share the file's buffers, and its metadata.

    The columns are ``class``, ``cards`` ``(n, 7)``, ``orbit``, ``wins`` and ``losses`` ``(n, 21)`` (-1 for fouls),
    ``best``, ``best_ev``, and, for the evaluated strategy, ``way`` and ``way_ev``. Requires the extra ``arrow``.

    Raises:
        ValueError: If the file wasn't written by this package or the command line, was modified, or has inconsistent
            counts.
    """
    columns, about = _columns(path, ("houseway-classes", "houseway-columns"))
    if json.loads(about["sha256"]) != json.loads(_column_hashes(columns)):
        raise ValueError(f"{os.fspath(path)} was changed or damaged after it was written; create it again")
    _check_totals(path, columns, about)
    return columns, {key: text for key, text in about.items() if key not in _OWN}


def _columns(path: Path, kinds: tuple[str, ...]) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Reads the columns and the metadata of a sealed Parquet file of one of these kinds."""
    import pyarrow.parquet as pq

    table = pq.read_table(path).combine_chunks()
    prefix = "houseway."
    metadata = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    about = {key.removeprefix(prefix): text for key, text in metadata.items() if key.startswith(prefix)}
    _check_seal(path, about, kinds)
    return _arrays_of(table), about


def _arrays_of(table: Any) -> dict[str, np.ndarray]:
    """Returns the columns of an Arrow table, which are in one chunk each."""
    import pyarrow as pa

    columns = {}
    for name in table.column_names:
        column = table[name].chunk(0)
        is_fixed = pa.types.is_fixed_size_list(column.type)
        is_wide = is_fixed or pa.types.is_list(column.type)
        # Arrow stores text and booleans differently, so only these are copied.
        values = (column.flatten() if is_wide else column).to_numpy(zero_copy_only=False)
        values = values.astype(np.str_) if values.dtype == object else values
        width = column.type.list_size if is_fixed else len(values) // max(len(column), 1)
        columns[name] = values.reshape(len(column), width) if is_wide else values
    return columns


def _check_totals(path: Path, columns: Mapping[str, np.ndarray], about: Mapping[str, str]) -> None:
    if about.get("format") != "houseway-classes-2":
        return
    wins, losses = columns["wins"], columns["losses"]
    hands = int(columns["orbit"].sum(dtype=np.int64))
    whole = not about.get("shard")
    if (wins < -1).any() or (losses < -1).any() or (wins + losses > _BANKER_HANDS).any() or (whole and hands != _HANDS):
        raise ValueError(f"the counts in {os.fspath(path)} do not add up; create it again")


def is_held_out(hands: Hands, fraction: float = 0.1, seed: int = 0) -> np.ndarray:
    """Returns ``True`` for the hands that belong to the validation part of a split, bool ``(n,)``.

    Hands with the same ranks always belong to the same part. They often have nearly the same EVs, so a split that
    ignored the ranks would let a model look up the answer in its training data. The split doesn't depend on the other
    hands, and it is the same for a class table's ``cards``. ``RankSplit`` in the Rust crate computes the same split.

    Args:
        hands: The hands.
        fraction: The fraction of all rank combinations in the validation part.
        seed: Selects one of many splits.
    """
    if not 0 <= fraction <= 1:
        raise ValueError(f"fraction must be between 0 and 1, found {fraction}")
    seed = integer("seed", seed, bounded=False)
    ranks = np.sort(as_hands(hands).astype(np.uint64) // np.uint64(4), axis=1)
    key = ranks @ np.uint64(14) ** np.arange(7, dtype=np.uint64) + np.uint64(14**7 * seed % 2**64)
    # The finalizer of SplitMix64 (Steele, Lea and Flood 2014), which makes all bits depend on the key.
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        key = (key ^ key >> np.uint64(shift)) * np.uint64(factor)
    key ^= key >> np.uint64(31)
    return np.asarray((key >> np.uint64(11)).astype(np.float64) < fraction * 2.0**53)


def save_columns(path: Path, columns: Mapping[str, np.ndarray], **about: Any) -> None:
    """Writes columns, such as those returned by :func:`houseway.exact.whole_table`, as Parquet with the given
    metadata. Columns contain numbers, booleans or text and have one or two dimensions."""
    import pyarrow.parquet as pq

    if reserved := sorted(about.keys() & _OWN):
        raise ValueError(f"invalid metadata {', '.join(reserved)}: the file has its own; choose another name")
    arrays = {name: np.asarray(column) for name, column in columns.items()}
    for name, array in arrays.items():
        if array.dtype.kind not in "biufU":
            raise TypeError(f"invalid column {name!r} of {array.dtype}: convert it to numbers, booleans or text")
    table = to_arrow(arrays)
    metadata = {key: str(value) for key, value in about.items()}
    # Text may be wider here than when it is read.
    metadata["sha256"] = _column_hashes(_arrays_of(table))
    metadata["seal"] = _seal("houseway-columns", metadata)
    pq.write_table(table.replace_schema_metadata({f"houseway.{key}": value for key, value in metadata.items()}), path)
