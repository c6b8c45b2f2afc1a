"""Tests that Tianshou's vector environments collect episodes with masks."""

import houseway
import numpy as np
import pytest

tianshou = pytest.importorskip("tianshou")

from tianshou.data import Batch  # noqa: E402
from tianshou.env import DummyVectorEnv, SubprocVectorEnv  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # from Tianshou


@pytest.mark.parametrize("make", [DummyVectorEnv, SubprocVectorEnv])
@pytest.mark.parametrize("name", list(houseway.GAMES))
def test_vector_environments_step(make: type, name: str) -> None:
    env = make([lambda: houseway.HousewayEnv(name) for _ in range(3)])  # raises an error for illegal actions
    try:
        env.seed([1, 2, 3])
        seen, _ = env.reset()
        for _ in range(30):
            masks = np.stack([one["action_mask"] for one in seen])
            seen, rewards, terminated, truncated, _ = env.step(masks.argmax(axis=1))
            assert np.isfinite(rewards).all() and Batch(obs=seen).obs is not None
            over = np.flatnonzero(terminated | truncated)
            if len(over):
                seen = np.array(seen)
                seen[over], _ = env.reset(over)
    finally:
        env.close()
