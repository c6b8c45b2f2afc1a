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
# # 7. Off-policy evaluation, compared with the exact truth
#
# **In this session, you will** use four estimators to estimate the EV of a strategy from games that somebody else has
# played. You will also see how wrong each of them is, which is impossible when the truth is unknown.
#
# A casino has a log of hands, settings and results. It wants to know how much players would lose if they set their
# hands differently, but without dealing another hand. This is called *off-policy evaluation*: the data comes from a
# *behavior policy* $\pi_b$, but the question is about a *target policy* $\pi$.

# %%
import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import check, settings_of
from houseway import exact

plt.rcParams.update({"figure.figsize": (7, 3.5), "axes.spines.top": False, "axes.spines.right": False})
BLUE, RED, GREEN, OCHRE = "#3b6ea5", "#b23a48", "#4a7c59", "#c58b2b"

# %% [markdown]
# ## The log and the truth
#
# The target is a simple player who always chooses the *highest legal front*. The behavior policy is Trump Plaza's house
# way, except that it plays a legal setting chosen uniformly at random with probability ε = 0.2. The log also contains
# the probability of each logged action. The direct method below doesn't need it, but all others do.

# %%
EPSILON, LANES, STEPS = 0.2, 1_024, 20
way = houseway.HouseWay("trump-plaza")


def target(batch):
    """Return the legal setting with the highest front. The strength of the front is feature 67 of each setting."""
    front = settings_of(batch.observations())[..., 67]
    return np.where(batch.legal, front, -1).argmax(axis=1)


env = houseway.HousewayVectorEnv(num_envs=LANES, observation="raw-cards", final_observations=False)
seen, _ = env.reset(seed=5)
rng, log = np.random.default_rng(2), []
for _ in range(STEPS):
    hands, legal = seen["observation"].astype(np.uint8), seen["action_mask"].astype(bool)
    usual, count = way.set(hands), legal.sum(axis=1)
    any_legal = np.where(legal, rng.random(legal.shape), -1).argmax(axis=1)
    action = np.where(rng.random(LANES) < EPSILON, any_legal, usual)
    chance = EPSILON / count + (1 - EPSILON) * (action == usual)
    seen, reward, *_ = env.step(action)
    log.append((hands, action, chance, reward))
hands, action, chance, reward = (np.concatenate(column) for column in zip(*log))
batch = exact.Batch(hands, {})
wanted = target(batch)
print(f"{len(hands):,} hands; the target would have played the logged setting in {(wanted == action).mean():.1%} of them")

# %% [markdown]
# Now for the truth, which no casino knows. Here are both strategies over all deals:

# %%
score, house = exact.scores([target, way])
truth = score.ev
print(f"target: EV {truth:+.6f}; house way: EV {house.ev:+.6f}; mean reward in the log {reward.mean():+.4f}")
print("the EV of the target as a ratio of integers:", score.policy.exact_ev)

# %% [markdown]
# ## Four estimators
#
# Let $w = 1[a = \pi(h)] / \pi_b(a \mid h)$ be the weights and $\hat q(h, a)$ a model of the rewards.
#
# - **IPS** (inverse propensity scoring) is the mean of $w r$. It's unbiased but noisy, because a few weights are large.
# - **SNIPS** (self-normalized IPS) is $\sum w r / \sum w$. It has a small bias and is less noisy.
# - **DM** (the direct method) is the mean of $\hat q(h, \pi(h))$. It has little noise, but it's as biased as the model.
# - **DR** (doubly robust) is the mean of $\hat q(h, \pi(h)) + w\,(r - \hat q(h, a))$. It's unbiased no matter how bad
#   the model is, and a better model makes it less noisy.
#
# We use a crude model, a linear regression on four of the 70 features of the setting that was played (whether there is
# a pair in front, the strengths of front and back, and legality as a constant). The model for each half of the data is
# fitted on the other half (*cross-fitting*), so that it hasn't seen the rewards that it corrects.

# %%
FEW = [0, 2, 67, 68]


def estimates(features, goal, weight, reward):
    """Return IPS, SNIPS, DM and DR, and the standard errors of IPS and DR."""
    half = np.arange(len(reward)) % 2 == 0
    own, other = np.zeros(len(reward)), np.zeros(len(reward))
    for train in (half, ~half):
        model, *_ = np.linalg.lstsq(features[train], reward[train])
        own[~train], other[~train] = features[~train] @ model, goal[~train] @ model
    ips, dr = weight * reward, other + weight * (reward - own)
    size = np.sqrt(len(reward))
    found = ips.mean(), ips.sum() / weight.sum(), other.mean(), dr.mean()
    return found, (ips.std(ddof=1) / size, dr.std(ddof=1) / size)


described, every = settings_of(batch.observations())[..., FEW].astype(np.float64), np.arange(len(hands))
weight = (wanted == action) / chance
found, errors = estimates(described[every, action], described[every, wanted], weight, reward)
print(f"mean weight {weight.mean():.4f} (1 in expectation), largest weight {weight.max():.0f}")
for name, value in zip(("IPS", "SNIPS", "DM", "DR"), found):
    print(f"{name:6} {value:+.4f}   off by {value - truth:+.4f}")
print(f"standard errors: IPS {errors[0]:.4f}, DR {errors[1]:.4f}")

# %% [markdown]
# ## How wrong, and how often?
#
# A single estimate can be lucky. To see the actual errors, we draw 300 logs of each size from a small casino that only
# deals 1,500 different hands. The truth for these hands is exact as well, and rewards can be drawn using the exact
# probabilities of winning and losing.

# %%
NAMES, COLORS, SIZES, LOGS = ("IPS", "SNIPS", "DM", "DR"), (RED, OCHRE, GREEN, BLUE), (250, 1_000, 4_000, 16_000), 300
few = hands[:1_500]
counted, wanted_few, usual_few = exact.hand_ev(few), wanted[:1_500], way.set(few)
here = np.arange(len(few))
truth_few = counted.ev[here, wanted_few].mean()


def draw(size, rng, epsilon=EPSILON):
    """Draw a log. Return the features of the logged settings and of the target's settings, the weights and the rewards."""
    row = rng.integers(len(few), size=size)
    legal = counted.legal[row]
    any_legal = np.where(legal, rng.random(legal.shape), -1).argmax(axis=1)
    action = np.where(rng.random(size) < epsilon, any_legal, usual_few[row])
    chance = epsilon / legal.sum(axis=1) + (1 - epsilon) * (action == usual_few[row])
    luck = rng.random(size) * exact.BANKER_HANDS
    wins, losses = counted.wins[row, action], counted.losses[row, action]
    reward = np.where(luck < wins, 0.95, np.where(luck < wins + losses, -1.0, 0.0))
    return described[row, action], described[row, wanted_few[row]], (wanted_few[row] == action) / chance, reward


rng, spread = np.random.default_rng(3), {}
print(f"truth of the small casino {truth_few:+.5f}")
for size in SIZES:
    drawn, covered = [], []
    for _ in range(LOGS):
        found, errors = estimates(*draw(size, rng))
        drawn.append(found)
        covered.append([abs(found[i] - truth_few) < 1.96 * error for i, error in zip((0, 3), errors)])
    off = np.array(drawn) - truth_few
    spread[size] = np.sqrt((off**2).mean(axis=0))
    print(f"{size:6,} hands: bias " + "  ".join(f"{name} {it:+.3f}" for name, it in zip(NAMES, off.mean(axis=0))), end="")
    print("; 95% intervals hold the truth: IPS {:.0%}, DR {:.0%}".format(*np.mean(covered, axis=0)))

# %%
fig, ax = plt.subplots()
for i, (name, color) in enumerate(zip(NAMES, COLORS)):
    ax.plot(SIZES, [spread[size][i] for size in SIZES], marker="o", color=color, label=name)
ax.set(xlabel="hands in the log", ylabel="root mean square error", xscale="log", yscale="log", title="The error of four estimators")
ax.set_xticks(SIZES, [f"{size:,}" for size in SIZES])
ax.set_xticks([], minor=True)
ax.set_yticks([0.01, 0.03, 0.1, 0.3], ["0.01", "0.03", "0.1", "0.3"])
ax.set_yticks([], minor=True)
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# The errors of IPS, SNIPS and DR decrease with one over the square root of the log's size. The error of DM is the
# smallest at these sizes, but it can't fall below the bias of its model, which more data of the same kind doesn't
# remove. Its curve is already flattening, so the others will overtake it in larger logs. In practice, you only see the
# estimates, and DM's estimates agree with each other best of all, even where they agree on a wrong value.
#
# ## Without overlap
#
# Weights require *overlap*, which means that the behavior policy must sometimes play what the target plays. Let's take
# the same log, but keep only the hands that were set as by the house way, as if ε were 0, and use a propensity (the
# probability of the logged action) of 1. There is no data for hands that the target sets differently.

# %%
pure = action == way.set(hands)
weight_pure = (wanted == action)[pure].astype(float)
print(f"weights now have the mean {weight_pure.mean():.3f}: for {1 - weight_pure.mean():.0%} of hands there is no evidence at all")
print(f"IPS {(weight_pure * reward[pure]).mean():+.4f}, SNIPS {(weight_pure * reward[pure]).sum() / weight_pure.sum():+.4f}; the truth {truth:+.4f}")

# %% [markdown]
# SNIPS looks like a valid answer. But it's the EV for the hands where both policies agree, and these aren't the hands
# that matter. The mean weight is the warning sign, because it should be 1.
#
# ## Exercises
#
# **7.1** How far is the target's EV below the house way's, over all deals and as a ratio of integers? (Use
# `score.policy.exact_ev`.)

# %%
answer = None
check("7.1", answer)

# %% [markdown]
# **7.2** Consider the hand `As Kd 9h 9c 7s 5d 3h`. The behavior policy plays each legal setting with probability ε/n,
# and adds 1 − ε to the probability of the house way's setting (ε = 1/5). What is the behavior policy's EV for this
# hand, as a ratio of integers?

# %%
answer = None
check("7.2", answer)

# %% [markdown]
# **7.3** The target plays a single setting, with `As Kd` in front. What is the variance of the IPS estimate from one
# deal of that hand, as a ratio of integers? (The weight is $1/\pi_b$ with probability $\pi_b$, and the second moment of
# the reward follows from the wins and losses.)

# %%
answer = None
check("7.3", answer)

# %% [markdown]
# **7.4** Plot the standard error of IPS against ε = 0.02, 0.05, 0.1, 0.2, 0.5 and 1 for logs with 4,000 hands. (You can
# compute it from the EVs and the second moments of the rewards, without drawing logs.) Which ε would you ask the casino
# for, and what does it cost the players who are asked to explore?
#
# Solutions: `7-off-policy-evaluation-solutions`.
