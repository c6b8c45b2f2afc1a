"""Tests TorchRL's specs and that its rollouts respect the mask."""

import houseway
import pytest

pytest.importorskip("torchrl")

import torch  # noqa: E402
from torchrl.envs import ActionMask, TransformedEnv  # noqa: E402
from torchrl.envs.libs.gym import GymEnv  # noqa: E402
from torchrl.envs.utils import check_env_specs  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # from TorchRL


@pytest.mark.parametrize("name", list(houseway.GAMES))
def test_specs_and_masked_rollouts(name: str) -> None:
    env = GymEnv(f"houseway/{houseway.GAMES[name]}", categorical_action_encoding=True, illegal="lowest_legal")
    check_env_specs(env)
    strict = GymEnv(f"houseway/{houseway.GAMES[name]}", categorical_action_encoding=True)  # raises errors
    masked = TransformedEnv(strict, ActionMask())
    masked.set_seed(1)
    rollout = masked.rollout(60, break_when_any_done=False)
    legal = rollout["action_mask"].bool().gather(-1, rollout["action"].unsqueeze(-1))
    assert legal.all() and torch.isfinite(rollout["next", "reward"]).all()
    assert rollout["next", "done"].any()
