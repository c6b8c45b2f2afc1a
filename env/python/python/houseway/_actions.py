"""Action spaces that only sample legal actions, so random play works without passing a mask."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces


# Gymnasium's spaces can only be subscripted from version 1.2.2 on.
if TYPE_CHECKING:
    Discrete = spaces.Discrete[np.int64]
else:
    Discrete = spaces.Discrete


class LegalActions(Discrete):
    """A ``Discrete(n)`` space whose :meth:`sample` draws from the currently legal actions.

    Before the first reset and after the end of an episode, :meth:`sample` draws from all actions.
    """

    def __init__(self, n: int, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(n)
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Samples an action. A mask or probabilities, if given, take precedence over the legal actions."""
        if mask is None and probability is None:
            legal = self._legal()
            mask = legal.astype(np.int8) if legal.any() else None
        return super().sample(mask=mask, probability=probability)

    def __reduce__(self) -> Any:  # copies don't refer to the environment, and continue from the same random stream
        return (spaces.Discrete, (int(self.n), self._np_random))


class LegalBatch(spaces.MultiDiscrete):
    """A ``MultiDiscrete([n, n, …])`` space for vector environments that samples legal actions."""

    def __init__(self, n: int, lanes: int, legal: Callable[[], np.ndarray]) -> None:
        super().__init__(np.full(lanes, n, np.int64))
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """Samples one action per lane."""
        if mask is not None or probability is not None:
            return super().sample(mask=mask, probability=probability)
        # Drawing a uniform number per action and taking the argmax over the legal ones picks a legal action uniformly.
        keys = self.np_random.random((len(self.nvec), int(self.nvec[0])))
        return np.asarray(np.where(self._legal(), keys, -1.0).argmax(axis=1))

    def __reduce__(self) -> Any:
        return (spaces.MultiDiscrete, (self.nvec, self.dtype, self._np_random))
