"""Action spaces that sample legal actions, so that random play needs no explicit mask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces


class LegalActions(spaces.Discrete[np.int64]):
    """``Discrete(n)`` whose :meth:`sample` draws from the currently legal actions.

    Before the first reset and after the end of an episode no action is legal; then any action is drawn.
    """

    def __init__(self, n: int, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(n)
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Samples an action. A given mask or probabilities replace the legal actions."""
        if mask is None and probability is None:
            legal = self._legal()
            mask = legal.astype(np.int8) if legal.any() else None
        return super().sample(mask=mask, probability=probability)

    def __reduce__(self) -> Any:  # copies are detached from the environment
        return (spaces.Discrete, (int(self.n),))

    def __deepcopy__(self, memo: Any) -> Any:
        copy: Any = spaces.Discrete(int(self.n))
        copy._np_random = self._np_random
        return copy


class LegalBatch(spaces.MultiDiscrete):
    """``MultiDiscrete([n, n, …])`` for a vector environment that samples legal actions."""

    def __init__(self, n: int, lanes: int, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(np.full(lanes, n, np.int64))
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """Samples one action per lane."""
        if mask is not None or probability is not None:
            return super().sample(mask=mask, probability=probability)
        # The argmax of independent uniform numbers over the legal actions is uniform.
        keys = self.np_random.random((len(self.nvec), int(self.nvec[0])))
        return np.asarray(np.where(self._legal(), keys, -1.0).argmax(axis=1))

    def __reduce__(self) -> Any:
        return (spaces.MultiDiscrete, (self.nvec,))
