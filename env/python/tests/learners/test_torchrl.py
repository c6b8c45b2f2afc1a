"""Tests TorchRL's specs, that its rollouts respect the mask, and a short PPO on vectors, wrapped vectors and the table."""

import warnings

import gymnasium
import houseway
import pytest

pytest.importorskip("torchrl")

import torch  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from houseway import pettingzoo  # noqa: E402
from tensordict.nn import TensorDictModule  # noqa: E402
from torchrl.envs import ActionMask, DTypeCastTransform, EnvBase, TransformedEnv  # noqa: E402
from torchrl.envs.libs.gym import GymEnv, GymWrapper  # noqa: E402
from torchrl.envs.libs.pettingzoo import PettingZooWrapper  # noqa: E402
from torchrl.envs.utils import check_env_specs  # noqa: E402
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator  # noqa: E402
from torchrl.objectives import ClipPPOLoss  # noqa: E402
from torchrl.objectives.value import GAE  # noqa: E402

with warnings.catch_warnings():  # TorchRL warns of its own classes
    warnings.simplefilter("ignore")
    from torchrl.collectors import Collector

pytestmark = pytest.mark.filterwarnings("ignore")  # from TorchRL
PAI_GOW = "houseway/PaiGowPoker-v0"
SETTINGS = {"observation": "ranks-and-suits"}


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


def wrapped(mode: str) -> EnvBase:
    many = gymnasium.make_vec(PAI_GOW, num_envs=8, autoreset_mode=mode, **SETTINGS)
    return GymWrapper(many, categorical_action_encoding=True)


ENVS = {
    "one": lambda: GymEnv(PAI_GOW, categorical_action_encoding=True, **SETTINGS),
    "disabled": lambda: wrapped("Disabled"),
}


@pytest.mark.parametrize("kind", list(ENVS))
def test_a_collector_feeds_ppo(kind: str) -> None:
    # Masks are int8 as Gymnasium's `MultiBinary` requires, and TorchRL's masked distributions require bool.
    env = TransformedEnv(ENVS[kind](), DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
    network = torch.nn.Sequential(torch.nn.LazyLinear(32), torch.nn.ReLU(), torch.nn.Linear(32, 21))
    logits = TensorDictModule(network, in_keys=["observation"], out_keys=["logits"])
    actor = ProbabilisticActor(
        logits, in_keys={"logits": "logits", "mask": "action_mask"}, out_keys=["action"], distribution_class=MaskedCategorical,
        return_log_prob=True, spec=env.full_action_spec_unbatched["action"],
    )
    critic = ValueOperator(torch.nn.LazyLinear(1), in_keys=["observation"])
    critic(actor(env.reset()))
    collector = Collector(env, actor, frames_per_batch=64, total_frames=192)
    loss, advantage = ClipPPOLoss(actor, critic), GAE(gamma=1.0, lmbda=1.0, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    before = network[-1].weight.detach().clone()
    rewards = 0
    for batch in collector:
        legal = batch["action_mask"].gather(-1, batch["action"].unsqueeze(-1))
        assert legal.all() and batch["next", "done"].all()
        rewards += int((batch["next", "reward"] != 0).sum())
        advantage(batch)
        losses = loss(batch.reshape(-1))
        total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
        assert torch.isfinite(total)
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
    collector.shutdown()
    assert rewards > 20 and (network[-1].weight != before).any()


@pytest.mark.parametrize("sync", [False, True])
def test_same_step_vectors_are_flat(sync: bool) -> None:
    # TorchRL 0.14 can't read the final observations of any vector with dict observations, nor any info that a vector only
    # has at the end and that isn't a number, which is why GymEnv(num_envs=…) isn't tested.
    settings = {**SETTINGS, "flatten": True, "illegal": "lowest_legal"}
    mode = {"autoreset_mode": AutoresetMode.SAME_STEP}
    vector = {"vectorization_mode": "sync", "vector_kwargs": mode} if sync else mode
    env = GymWrapper(gymnasium.make_vec(PAI_GOW, num_envs=4, **vector, **settings), categorical_action_encoding=True)
    rollout = env.rollout(6, break_when_any_done=False)
    assert rollout["next", "done"].all() and torch.isfinite(rollout["next", "reward"]).all()
    assert (rollout["next", "observation"] == rollout["observation"]).all()  # the final one, not that of the reset
    env.close()


def test_modes_are_passed_to_gymnasium() -> None:
    same = {"autoreset_mode": AutoresetMode.SAME_STEP}
    sync = gymnasium.make_vec(PAI_GOW, num_envs=2, vectorization_mode="sync", vector_kwargs=same)
    own = gymnasium.make_vec(PAI_GOW, num_envs=2, **same)
    assert sync.metadata["autoreset_mode"] is own.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


@pytest.mark.parametrize("make", [pettingzoo.parallel_env, pettingzoo.env])
def test_the_table_is_a_multi_agent_environment(make: object) -> None:
    env = PettingZooWrapper(make(rounds=2), use_mask=True, categorical_actions=True, group_map=None)
    rollout = env.rollout(120)
    group = next(iter(env.group_map))
    masks, actions = rollout[group, "action_mask"].bool(), rollout[group, "action"]
    acting = rollout[group, "mask"]
    assert acting.any() and masks.gather(-1, actions.unsqueeze(-1)).squeeze(-1)[acting].all()
    if make is pettingzoo.parallel_env:
        logits = torch.zeros(masks.shape)
        # Agents that wait have a legal action, so the distribution is defined for every agent.
        assert torch.isfinite(MaskedCategorical(logits=logits, mask=masks).log_prob(actions)[acting]).all()
