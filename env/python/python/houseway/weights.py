"""NumPy inference for trained networks, using the weights that ``houseway train`` and ``houseway bench`` write.

``RUN/train/AGENT/weights.safetensors`` contains a network for Pai Gow Poker that scores every setting of a hand with
shared weights. Its input is the ``candidates`` encoding, with 21 rows of 70 features, one per setting, and 18 features
for the hand.

    network = houseway.weights.load("results/quick/train/all-action-seed-3")
    houseway.exact.score(network).ev

Requires the extra ``learned`` (safetensors).
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args

import numpy as np

from .exact import Batch

__all__ = ["Network", "load"]

Path = Union[str, "os.PathLike[str]"]
Among = Literal["contenders", "legal"]

#: The number of settings, features per setting, and features per hand. ``candidates`` has 21 * 70 + 18 values.
SETTINGS, ROW, CONTEXT = 21, 70, 18
#: The columns with the flags for legal settings, and for those that no other legal setting dominates.
LEGAL, CONTENDER = 0, 1


@dataclass(frozen=True)
class Network:
    """A trained network, which can be called as a policy with a :class:`~houseway.exact.Batch`.

    Matrices are float32 ``(inputs, outputs)``, and biases are ``(outputs,)``. The first layer adds the contributions
    from a setting's row and from the hand's context. It is followed by more layers, with ReLU in between. The first
    output is the score.
    """

    row: np.ndarray  # (70, width)
    row_bias: np.ndarray
    context: np.ndarray  # (18, width)
    hidden: tuple[tuple[np.ndarray, np.ndarray], ...]  # (width, width) and (width,) for each further layer
    head: np.ndarray  # (width, outputs)
    head_bias: np.ndarray
    metadata: dict[str, str]
    among: Among = "contenders"

    def __repr__(self) -> str:
        """Shows the size of the network, and not its arrays."""
        layers, width, count = 1 + len(self.hidden), len(self.row_bias), sum(it.size for it in self.parameters.values())
        return f"Network(layers={layers}, width={width}, among={self.among!r}: {count:,} parameters)"

    @property
    def parameters(self) -> dict[str, np.ndarray]:
        """The weights by their names in the file."""
        found = {"row.weight": self.row, "row.bias": self.row_bias, "context.weight": self.context}
        for i, (weight, bias) in enumerate(self.hidden):
            found |= {f"hidden.{i}.weight": weight, f"hidden.{i}.bias": bias}
        return found | {"head.weight": self.head, "head.bias": self.head_bias}

    def scores(self, observations: np.ndarray) -> np.ndarray:
        """Scores all settings of hands, given their ``candidates`` encoding.

        Maps float32 ``(n, 1488)`` to ``(n, 21)``. Settings that the network doesn't consider have a score of negative
        infinity.
        """
        observations = np.asarray(observations, np.float32)
        rows = observations[:, : SETTINGS * ROW].reshape(-1, SETTINGS, ROW)
        flag = CONTENDER if self.among == "contenders" else LEGAL
        hand, setting = np.nonzero(rows[:, :, flag] == 1)
        context = observations[:, SETTINGS * ROW :] @ self.context
        value = np.maximum(rows[hand, setting] @ self.row + self.row_bias + context[hand], 0)
        for weight, bias in self.hidden:
            value = np.maximum(value @ weight + bias, 0)
        scores = np.full(rows.shape[:2], -np.inf, np.float32)
        scores[hand, setting] = value @ self.head[:, 0] + self.head_bias[0]
        return scores

    def __call__(self, batch: Batch) -> np.ndarray:
        """Returns the setting with the highest score for each hand, int64 ``(n,)``. Ties go to the first."""
        return np.asarray(self.scores(batch.observations("candidates")).argmax(axis=1))


def load(path: Path, *, among: Among | None = None) -> Network:
    """Reads a network from a file written by training.

    Args:
        path: An agent's ``weights.safetensors`` file in a run, its folder, or the folder of a run with a single agent.
        among: The settings that the agent considered in training, ``"contenders"`` or ``"legal"``. Defaults to what the file
            says, or to ``"contenders"`` if it was written by an earlier version.

    Raises:
        ValueError: If the file doesn't contain such a network.
    """
    name = os.fspath(file_of(path))
    metadata, found = read(name)
    chosen: Any = among or metadata.get("among", "contenders")
    if chosen not in get_args(Among):
        raise ValueError(f"invalid among {chosen!r}: expected 'contenders' or 'legal'")
    layers = sum(key.startswith("hidden.") and key.endswith(".weight") for key in found)
    try:
        network = Network(
            row=found.pop("row.weight"),
            row_bias=found.pop("row.bias"),
            context=found.pop("context.weight"),
            hidden=tuple((found.pop(f"hidden.{i}.weight"), found.pop(f"hidden.{i}.bias")) for i in range(layers)),
            head=found.pop("head.weight"),
            head_bias=found.pop("head.bias"),
            metadata=metadata,
            among=chosen,
        )
    except KeyError as missing:
        raise ValueError(f"{name} is not a network that scores settings: {missing} is missing") from None
    if found:
        raise ValueError(f"{name} is not a network that scores settings: unexpected {', '.join(sorted(found))}")
    _check(name, network)
    return network


def file_of(path: Path) -> pathlib.Path:
    """Returns the file with an agent's weights, given this file, its folder, or the folder of a run with a single agent."""
    folder = pathlib.Path(path)
    if not folder.is_dir():
        return folder
    found = [*folder.glob("weights.safetensors")] or sorted(folder.glob("train/*/weights.safetensors"))
    if len(found) != 1:
        raise ValueError(f"{folder} has {len(found)} trained agents: use the folder of one of them, RUN/train/AGENT")
    return found[0]


def read(path: Path, kind: str = "safetensors file") -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """Returns the metadata and the arrays in a safetensors file.

    Raises:
        ValueError: If the file is none, in which case the message says what kind of file was expected, or if it is damaged.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as file:
            metadata, found = file.metadata() or {}, {key: file.get_tensor(key) for key in file.keys()}
    except SafetensorError as error:
        raise ValueError(f"{os.fspath(path)} is not a {kind}: {error}") from None
    if "sha256" in metadata and metadata["sha256"] != _checksum(pathlib.Path(path).read_bytes()):
        raise ValueError(f"{os.fspath(path)} is damaged: its checksum does not match its content")
    return metadata, found


def _checksum(file: bytes) -> str:
    """Returns the SHA-256 of a safetensors file whose header has no checksum and is sorted, as Rust computes it."""
    end = 8 + int.from_bytes(file[:8], "little")
    header = json.loads(file[8:end])
    del header["__metadata__"]["sha256"]
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode() + file[end:]).hexdigest()


def _check(name: str, network: Network) -> None:
    """Rejects networks for other games, and networks with inconsistent layers."""
    width = len(network.row_bias)
    shapes: list[tuple[Any, tuple[int, ...]]] = [
        (network.row, (ROW, width)),
        (network.context, (CONTEXT, width)),
        (network.head, (width, len(network.head_bias))),
    ]
    shapes += [(weight, (width, width)) for weight, _ in network.hidden] + [(bias, (width,)) for _, bias in network.hidden]
    wrong = [(array.shape, shape) for array, shape in shapes if array.shape != shape]
    if wrong:
        raise ValueError(f"{name} is not a network for Pai Gow Poker: a layer has shape {wrong[0][0]}, not {wrong[0][1]}")
