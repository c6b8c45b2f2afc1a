# ---
# jupyter:
#   jupytext:
#     formats: py:percent,ipynb
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---
# %% [markdown]
# # 6. From bandits to policy gradients: solutions

# %%
import math
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import FEATURES, Scorer, check, settings_of
from houseway import cards, exact

one = exact.hand_ev("Qs Qd 5h 5c As 9d 2c")
arms = np.flatnonzero(one.legal[0])
values = [one.exact(0, arm) for arm in arms]

# %% [markdown]
# ## 6.1 The uniform policy

# %%
uniform = sum(values) / len(arms)
check("6.1", uniform)
print(f"EV {float(uniform):+.5f}, the best arm {float(max(values)):+.5f}")

# %% [markdown]
# ## 6.2 The variance of an arm
#
# The second moment is (wins · (19/20)² + losses) / all. The difference between two means over $n$ pulls has a variance
# of $(\sigma_1^2 + \sigma_2^2)/n$.


# %%
def variance(arm):
    wins, losses = int(one.wins[0, arm]), int(one.losses[0, arm])
    return (wins * Fraction(19, 20) ** 2 + losses) / exact.BANKER_HANDS - one.exact(0, arm) ** 2


first, second = sorted(arms, key=lambda arm: -one.exact(0, arm))[:2]
check("6.2", variance(first))
gap = one.exact(0, first) - one.exact(0, second)
print(f"{math.ceil(4 * (variance(first) + variance(second)) / gap**2):,} pulls of each arm")

# %% [markdown]
# ## 6.3 The gradient of a preference

# %%
check("6.3", (max(values) - uniform) / len(arms))
print(f"{float((max(values) - uniform) / len(arms)):.6f}")

# %% [markdown]
# ## 6.4 The baseline with the least noise
#
# With $g = \nabla \log \pi$, the noise in $(r - b)\,g$ is $\mathbb{E}[(r-b)^2 |g|^2] - |\nabla J|^2$. Its derivative
# with respect to $b$ is zero at $b^* = \mathbb{E}[r\,|g|^2] / \mathbb{E}[|g|^2]$. In other words, it's a mean of the
# rewards in which those with a long gradient count more.

# %%
deal = cards.deal(1_000, seed=3)
counted, batch = exact.hand_ev(deal), exact.Batch(deal, {})
features, legal, q = settings_of(batch.observations()), batch.legal, np.nan_to_num(counted.ev)
theta = np.random.default_rng(0).normal(size=FEATURES) * 0.3
scores = np.where(legal, features @ theta, -np.inf)
chances = np.exp(scores - scores.max(axis=1, keepdims=True))
chances /= chances.sum(axis=1, keepdims=True)
centered = features - np.einsum("na,naf->nf", chances, features)[:, None]
length = (centered**2).sum(axis=2)
best = (chances * q * length).sum() / (chances * length).sum()
value = (chances * q).sum() / len(deal)
square = np.where(legal, (0.9025 * counted.wins + counted.losses) / exact.BANKER_HANDS, 0)
for name, b in (("0", 0.0), ("value of the policy", value), ("least noise", best)):
    noise = (chances * (square - 2 * b * q + b * b) * length).sum() / len(deal)
    print(f"b = {b:+.4f} ({name}): mean square of one sample of the gradient {noise:.4f}")

# %% [markdown]
# The improvement over the value of the policy is small here, and the value is easier to estimate.
#
# ## 6.5 The policy gradient with a network
#
# The network's scores are multiplied by 10, so that small weights are enough for a policy that is nearly deterministic.
# The gradient passed to `backward` leaves out this factor, because Adam's steps don't depend on the gradient's scale.

# %%
LANES, STEPS = 2_048, 300
env = houseway.HousewayVectorEnv(num_envs=LANES, copy=False, final_observations=False)
seen, _ = env.reset(seed=7)
scorer, critic, rng, curve = Scorer(seed=0), np.zeros(FEATURES), np.random.default_rng(0), []
for step in range(STEPS):
    shown, mask = settings_of(seen["observation"]).copy(), seen["action_mask"].astype(bool)
    hidden, scores = scorer.forward(shown)
    scores = np.where(mask, 10 * scores.astype(np.float64), -np.inf)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    arm = (np.log(np.maximum(chances, 1e-300)) + rng.gumbel(size=chances.shape)).argmax(axis=1)
    seen, reward, *_ = env.step(arm)
    about = (shown * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    advantage = reward - about @ critic
    critic += 0.05 * about.T @ advantage / LANES
    out = chances * advantage[:, None]
    out[np.arange(LANES), arm] -= advantage
    scorer.backward(shown, hidden, (out / LANES).astype(np.float32).reshape(-1), rate=6e-3 * (1 - step / STEPS) + 1e-4)
    if step % 20 == 19:
        curve.append((LANES * (step + 1), counted.regret(scorer(batch)).mean()))
house = counted.regret(houseway.HouseWay().set(deal)).mean()
fig, ax = plt.subplots(figsize=(7, 3.5))
ax.plot([hands / 1000 for hands, _ in curve], [regret for _, regret in curve], color="#3b6ea5", label="network, from rewards alone")
ax.axhline(house, color="#b23a48", linestyle="--", label="house way")
ax.set(xlabel="thousands of hands", ylabel="regret on unseen hands", yscale="log")
ax.legend(frameon=False)
plt.tight_layout()
print(f"regret {curve[-1][1]:.3f} after {curve[-1][0]:,} hands, house way {house:.4f}")

# %% [markdown]
# The rewards are the same as in exercise 3.3, but this network makes better use of them than the one there. The policy
# pulls good arms more often, and the baseline removes the part of the reward that depends on how good the hand is. After
# 614,400 hands, the agent still has more than one and a half times the regret of the house way on these 1,000 hands. The
# rewards contain more: in exercise 3.3, least squares beats the house way with rewards of random settings.
