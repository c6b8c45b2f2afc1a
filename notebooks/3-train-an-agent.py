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
# # 3. Train an agent from scratch in 60 lines of NumPy, and score it exactly
#
# **You will:** write a small neural network without a library, teach it to set hands, and learn its exact EV over all
# 8,250,459,031,214,400 deals, not an estimate.
#
# The network never sees "a hand"; it sees the 21 ways to set it, side by side, each described by the same 70 numbers, and gives
# each a score. The highest score is played. (The agents written with `burn` do the same.)

# %%
import matplotlib.pyplot as plt
import numpy as np

import houseway
from houseway import cards, exact

plt.rcParams.update({"figure.figsize": (7, 3.5), "axes.spines.top": False, "axes.spines.right": False})

SETTINGS, FEATURES, HIDDEN = 21, 70, 24


# %%
class Scorer:
    """One hidden layer, the same weights for every setting: scores (n, 21) from features (n, 21, 70)."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.w1 = (rng.normal(size=(FEATURES, HIDDEN)) / np.sqrt(FEATURES)).astype(np.float32)
        self.b1 = np.zeros(HIDDEN, np.float32)
        self.w2 = (rng.normal(size=HIDDEN) / np.sqrt(HIDDEN)).astype(np.float32)
        self.moments = [[np.zeros_like(w), np.zeros_like(w)] for w in self.weights()]
        self.steps = 0

    def weights(self):
        return [self.w1, self.b1, self.w2]

    def forward(self, features):
        # As rows of one matrix, which is several times as fast as a stack of small ones.
        hidden = np.maximum(features.reshape(-1, FEATURES) @ self.w1 + self.b1, 0)
        return hidden, (hidden @ self.w2).reshape(features.shape[:-1])

    def learn(self, features, targets, legal, rate):
        """One Adam step on the squared error of differences within each hand."""
        hidden, scores = self.forward(features)
        count = legal.sum(axis=1, keepdims=True)
        error = np.where(legal, scores - targets, 0)
        error = np.where(legal, error - error.sum(axis=1, keepdims=True) / count, 0)
        out = (error / (count * len(features))).astype(np.float32)
        out = out.reshape(-1)
        back = out[:, None] * self.w2 * (hidden > 0)
        gradients = [features.reshape(-1, FEATURES).T @ back, back.sum(axis=0), hidden.T @ out]
        self.steps += 1
        for weight, gradient, (mean, square) in zip(self.weights(), gradients, self.moments):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            weight -= rate * (mean / (1 - 0.9**self.steps)) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
        return float((error**2).sum() / legal.sum())

    def __call__(self, batch):
        """As a policy: the legal setting with the highest score. Fouls, a third of all settings, are not looked at."""
        scores = np.full(batch.legal.shape, -np.inf, np.float32)
        _, scores[batch.legal] = self.forward(settings_of(batch.observations())[batch.legal])
        return scores.argmax(axis=1)


def settings_of(observations):
    """The part of an observation that describes the settings, (n, 21, 70)."""
    return observations[:, : SETTINGS * FEATURES].reshape(-1, SETTINGS, FEATURES)


# %% [markdown]
# ## Data
#
# 12,000 hands with the exact EV of every setting as targets. (An agent that may only use rewards would see one deal at a time;
# exercise 2.)

# %%
train, check = cards.deal(12_000, seed=1), cards.deal(4_000, seed=2)
data = {}
for name, hands in (("train", train), ("check", check)):
    ev = exact.hand_ev(hands)
    data[name] = (exact.Batch(hands, {}), np.nan_to_num(ev.ev).astype(np.float32), ev)

# %%
scorer, rng, curve = Scorer(seed=0), np.random.default_rng(0), []
batch, targets, _ = data["train"]
features, legal = settings_of(batch.observations()), batch.legal
for step in range(1200):
    rows = rng.integers(len(train), size=256)
    scorer.learn(features[rows], targets[rows], legal[rows], rate=3e-3 * (1 - step / 1200) + 1e-5)
    if step % 50 == 49:
        unseen, _, ev = data["check"]
        curve.append((256 * (step + 1), ev.regret(scorer(unseen)).mean()))

# %%
way = houseway.HouseWay()
_, _, ev = data["check"]
line = ev.regret(way.set(check)).mean()
fig, ax = plt.subplots()
ax.plot(*zip(*curve), color="#3b6ea5", label="our agent")
ax.axhline(line, color="#b23a48", linestyle="--", label="house way")
ax.set(xlabel="hands looked at", ylabel="regret on unseen hands", yscale="log", title="Regret falls below the house way's")
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# ## The exact score
#
# `exact.score` asks a policy about one hand of each of the 6,972,147 classes, and counts all deals; `exact.scores` does so for
# several policies in one pass. A house way is a policy too.

# %%
score, house = exact.scores([scorer, way])
print(f"EV {score.ev:+.6f}   regret {score.regret:.6f}   as good as can be on {score.agreement:.1%} of hands")
print(f"the house way's regret is {house.regret:.6f}: the agent gives away {score.regret / house.regret:.0%} of that")

# %% [markdown]
# ## Exercises
#
# 1. How few hands of training data suffice to beat the house way? Plot the regret on unseen hands over the size of the training
#    set.
# 2. Learn from rewards alone: play random legal settings in a `HousewayVectorEnv`, and fit the score of the setting played to the
#    reward of that one deal. How many hands does the agent need now, and why?
# 3. Remove the hidden layer. What does a linear score give away, and on which hands?
#
# Solutions: `3-train-an-agent-solutions`.
