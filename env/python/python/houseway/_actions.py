"""Action spaces that sample what is legal now, so that random play needs no mask to be passed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces


class LegalActions(spaces.Discrete):
    """``Discrete(n)`` whose :meth:`sample` draws among the actions that are legal at the moment.

    Before the first reset and after the end of an episode nothing is legal; then any action is drawn.
    """

    def __init__(self, n: int, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(n)
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """An action; a mask or probabilities that are given count instead of what is legal."""
        if mask is None and probability is None:
            legal = self._legal()
            mask = legal.astype(np.int8) if legal.any() else None
        return super().sample(mask=mask, probability=probability)

    def __reduce__(self) -> Any:  # a copy elsewhere has no table to look at
        return (spaces.Discrete, (int(self.n),))

    def __deepcopy__(self, memo: Any) -> spaces.Discrete:
        copy = spaces.Discrete(int(self.n))
        copy._np_random = self._np_random
        return copy


class LegalBatch(spaces.MultiDiscrete):
    """The same for many lanes: ``MultiDiscrete([n, n, …])``."""

    def __init__(self, n: int, lanes: int, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(np.full(lanes, n, np.int64))
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """One action a lane."""
        if mask is not None or probability is not None:
            return super().sample(mask=mask, probability=probability)
        # The largest of independent uniform numbers, among the legal ones: uniform too.
        keys = self.np_random.random((len(self.nvec), int(self.nvec[0])))
        return np.where(self._legal(), keys, -1.0).argmax(axis=1)

    def __reduce__(self) -> Any:
        return (spaces.MultiDiscrete, (self.nvec,))
