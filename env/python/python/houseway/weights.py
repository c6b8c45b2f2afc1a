"""Learned networks in NumPy: the weights that ``houseway train`` and ``houseway bench`` write, and the policy that they make.

``RUN/train/AGENT/weights.safetensors`` holds a network for Pai Gow Poker that scores every setting of a hand with the same
weights. Its input is the encoding ``candidates``: 21 rows of 70 features, one a setting, and 18 features of the hand.

    network = houseway.weights.load("results/quick/train/all-action-seed-1/weights.safetensors")
    houseway.exact.score(network).ev

Needs the extra ``learned`` (safetensors).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from .exact import Batch

Path = Union[str, "os.PathLike[str]"]

#: Settings, features of one, features of the hand: the encoding ``candidates`` is 21 * 70 + 18 numbers.
SETTINGS, ROW, CONTEXT = 21, 70, 18
#: Places in a row of the flags of legal settings, and of those that no other legal setting dominates.
LEGAL, CONTENDER = 0, 1


@dataclass(frozen=True)
class Network:
    """A trained network, and as a function of a :class:`~houseway.exact.Batch` the policy that it makes.

    Matrices are float32 ``(inputs, outputs)``, biases ``(outputs,)``; the first layer adds what a setting's row and the hand's
    context give, the other layers follow with ReLU between them, and the first output is the score.
    """

    row: np.ndarray  # (70, width)
    row_bias: np.ndarray
    context: np.ndarray  # (18, width)
    hidden: tuple[tuple[np.ndarray, np.ndarray], ...]  # (width, width) and (width,), one for each further layer
    head: np.ndarray  # (width, outputs)
    head_bias: np.ndarray
    metadata: dict[str, str]
    among: str = "contenders"

    @property
    def parameters(self) -> dict[str, np.ndarray]:
        """All weights by the names that they have in the file."""
        found = {"row.weight": self.row, "row.bias": self.row_bias, "context.weight": self.context}
        for i, (weight, bias) in enumerate(self.hidden):
            found |= {f"hidden.{i}.weight": weight, f"hidden.{i}.bias": bias}
        return found | {"head.weight": self.head, "head.bias": self.head_bias}

    def scores(self, observations: np.ndarray) -> np.ndarray:
        """The scores of the settings of hands, from the encoding ``candidates``.

        Float32 ``(n, 1488)`` to ``(n, 21)``; minus infinity for settings that the network does not choose among.
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
        """The setting with the highest score for each hand, int64 ``(n,)``; of equal scores the first."""
        return self.scores(batch.observations("candidates")).argmax(axis=1)


def load(path: Path, *, among: str = "contenders") -> Network:
    """A network from a file that training wrote.

    Args:
        path: ``weights.safetensors`` of a run's agent.
        among: what the agent chose among in training: ``"contenders"``, or ``"legal"`` if its configuration says so.

    Raises:
        ValueError: if the file is no such network.
    """
    from safetensors import SafetensorError, safe_open

    if among not in ("contenders", "legal"):
        raise ValueError(f"among {among!r}: choose 'contenders' or 'legal'")
    name = os.fspath(path)
    try:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            found = {key: file.get_tensor(key) for key in file.keys()}
    except SafetensorError as error:
        raise ValueError(f"{name} holds no weights: {error}") from None
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
            among=among,
        )
    except KeyError as missing:
        raise ValueError(f"{name} is no network that scores settings: it lacks {missing}") from None
    if found:
        raise ValueError(f"{name} is no network that scores settings: {', '.join(sorted(found))} should not be there")
    _check(name, network)
    return network


def _check(name: str, network: Network) -> None:
    """Refuses a network of another game, or one whose layers do not fit."""
    width = len(network.row_bias)
    shapes: list[tuple[Any, tuple[int, ...]]] = [
        (network.row, (ROW, width)),
        (network.context, (CONTEXT, width)),
        (network.head, (width, len(network.head_bias))),
    ]
    shapes += [(weight, (width, width)) for weight, _ in network.hidden] + [(bias, (width,)) for _, bias in network.hidden]
    wrong = [(array.shape, shape) for array, shape in shapes if array.shape != shape]
    if wrong:
        raise ValueError(f"{name} is no network for Pai Gow Poker: a layer has shape {wrong[0][0]}, not {wrong[0][1]}")
