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
# # 3. Train an agent from scratch: solutions

# %%
import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import FEATURES, Scorer, check, settings_of
from houseway import cards, exact

hands = cards.deal(4_000, seed=2)
unseen, values = exact.Batch(hands, {}), exact.hand_ev(hands)
way = houseway.HouseWay()
house = values.regret(way.set(hands))


def regret(policy):
    """Return the mean regret on the unseen hands and its standard error."""
    lost = values.regret(policy(unseen))
    return lost.mean(), lost.std(ddof=1) / np.sqrt(len(lost))


print(f"house way: {house.mean():.5f} with standard error {house.std(ddof=1) / np.sqrt(len(house)):.5f}")

# %% [markdown]
# ## 3.1 How often the house way is right
#
# A hand can have several settings with the same EV, for example if they only differ in suits. Floats that are computed
# in different ways may differ although the EVs are equal. That's why we compare integers.

# %%
gain = np.where(values.legal, 95 * values.wins - 100 * values.losses, np.iinfo(np.int64).min)
right = gain[np.arange(len(hands)), way.set(hands)] == gain.max(axis=1)
check("3.1", int(right.sum()))
print(f"{right.mean():.1%} of hands")

# %% [markdown]
# ## 3.2 How few hands are enough
#
# We use the same number of steps each time, so only the number of different hands changes. With this seed, 125 hands
# are too few to beat the house way, and 500 are enough.

# %%
train = cards.deal(8_000, seed=1)
ev = exact.hand_ev(train)
targets, batch = np.nan_to_num(ev.ev).astype(np.float32), exact.Batch(train, {})
features, legal = settings_of(batch.observations()), batch.legal
sizes, found = [125, 500, 2_000, 8_000], []
for size in sizes:
    scorer, rng = Scorer(seed=0), np.random.default_rng(0)
    for step in range(600):
        rows = rng.integers(size, size=256)
        scorer.learn(features[rows], targets[rows], legal[rows], rate=3e-3 * (1 - step / 600) + 1e-5)
    found.append(regret(scorer))
fig, ax = plt.subplots(figsize=(7, 3.5))
ax.errorbar(sizes, *zip(*found), marker="o", color="#3b6ea5", label="our agent, with standard error")
ax.axhline(house.mean(), color="#b23a48", linestyle="--", label="house way")
ax.set(xlabel="hands to learn from", ylabel="regret on unseen hands", xscale="log", yscale="log")
ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
ax.set_xticks([], minor=True)
ax.set_yticks([0.001, 0.002, 0.004], ["0.001", "0.002", "0.004"])
ax.set_yticks([], minor=True)
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# ## 3.3 From rewards only
#
# Each of 4,096 lanes plays a random legal setting, which gives one deal and one reward. We move the network's score for
# that setting toward the reward. The rewards are -1, 0 or 0.95, whereas the targets of the lesson were the exact EVs of
# all settings. The same information is now hidden in the luck of single deals. Even after eighty times as many hands as
# in the lesson, the network doesn't beat the house way.
#
# That is due to how the network learns, and not to a lack of information. A linear score that is fitted to the same
# rewards by least squares has less than half of the house way's regret. Least squares weighs all rewards alike, so their
# luck averages out, whereas each gradient step follows the luck of the last 4,096.

# %%
env = houseway.HousewayVectorEnv(num_envs=4096, copy=False, final_observations=False)
env.action_space.seed(0)
seen, _ = env.reset(seed=0)
scorer, curve = Scorer(seed=0), []
level, xx, xy = np.float32(0), np.eye(FEATURES), np.zeros(FEATURES)
for step in range(240):
    actions = env.action_space.sample()
    played = settings_of(seen["observation"])[np.arange(4096), actions].copy()
    seen, rewards, *_ = env.step(actions)
    level += 0.05 * (rewards.mean() - level)
    x = played.astype(np.float64)
    xx, xy = xx + x.T @ x, xy + x.T @ rewards
    # There is only one setting per hand, so this is the error of a single score, not of differences within a hand.
    hidden, scores = scorer.forward(played)
    out = ((scores - (rewards - level)) / len(played)).astype(np.float32)
    scorer.backward(played, hidden, out, rate=3e-3 * (1 - step / 240) + 1e-5)
    if step % 20 == 19:
        curve.append((4096 * (step + 1), regret(scorer)[0]))
weights = np.linalg.solve(xx, xy)


def least_squares(batch):
    """Return the legal setting with the highest score that least squares fitted to the rewards."""
    return np.where(batch.legal, settings_of(batch.observations()) @ weights, -np.inf).argmax(axis=1)


print(f"after {curve[-1][0]:,} hands: regret {curve[-1][1]:.5f}, house way {house.mean():.5f}")
print("least squares with the same rewards: regret {:.5f} with standard error {:.5f}".format(*regret(least_squares)))
fig, ax = plt.subplots(figsize=(7, 3.5))
ax.plot(*zip(*curve), color="#3b6ea5", label="from rewards alone")
ax.plot(sizes, [mean for mean, _ in found], color="#4a7c59", marker="o", label="from exact values")
ax.axhline(house.mean(), color="#b23a48", linestyle="--", label="house way")
ax.set(xlabel="hands", ylabel="regret on unseen hands", xscale="log", yscale="log")
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# ## 3.4 Without the hidden layer
#
# The score is now linear in the features, so we can find the weights directly, by solving one least-squares problem for
# the differences within each hand. Even a linear score has a lower regret than the house way. About half of it comes
# from hands without a pair. Of the kinds of hands printed below, three pairs have the highest regret per hand, although
# the house way loses nothing with them.

# %%
count = legal.sum(axis=1, keepdims=True)
mean_features = (features * legal[..., None]).sum(axis=1, keepdims=True) / count[..., None]
mean_targets = (targets * legal).sum(axis=1, keepdims=True) / count
x = (features - mean_features)[legal].astype(np.float64)
y = (targets - mean_targets)[legal].astype(np.float64)
linear = np.linalg.solve(x.T @ x + 1e-3 * np.eye(FEATURES), x.T @ y)


def linear_policy(batch):
    """Return the legal setting with the highest linear score."""
    return np.where(batch.legal, settings_of(batch.observations()) @ linear, -np.inf).argmax(axis=1)


print("linear: regret {:.5f} with standard error {:.5f}".format(*regret(linear_policy)))
names, lost = np.array(way.rule_of(hands)), values.regret(linear_policy(unseen))
for name in sorted(set(names), key=lambda name: -lost[names == name].sum())[:6]:
    mine, its = names == name, house[names == name]
    print(f"{name:40} {mine.mean():6.1%} of hands, linear {lost[mine].mean():.4f}, house way {its.mean():.4f}")
