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
# **In this session, you will** write a small neural network without a library, teach it to set hands, and compute its
# exact EV over all 8,250,459,031,214,400 deals instead of an estimate.
#
# Setting a hand is a *contextual bandit*: there is a context (the hand), a single decision, and a reward right after
# it. The network never sees "a hand". Instead, it sees the 21 ways to set the hand side by side, each described by the
# same 70 numbers, its *features*, and assigns a score to each of them. The legal setting with the highest score is
# played. (The agents of this project, which are written in Rust with the library `burn`, work in the same way.)

# %%
import inspect

import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import FEATURES, SETTINGS, Scorer, check, settings_of
from houseway import cards, exact

plt.rcParams.update({"figure.figsize": (7, 3.5), "axes.spines.top": False, "axes.spines.right": False})

# %% [markdown]
# This is the agent's code from `course.py`. `Adam`, a common variant of gradient descent, and `settings_of`, which
# returns the features, are in the same file.

# %%
print(f"{SETTINGS} settings with {FEATURES} features each\n")
print(inspect.getsource(Scorer))

# %% [markdown]
# ## Data
#
# The training data is 12,000 hands, with the exact EV of every setting as the target. The loss only compares settings
# of the same hand: `learn` subtracts the hand's mean error, because the choice depends on differences only. (An agent
# that can only use rewards would see one deal at a time. See exercise 3.3.)

# %%
train, test = cards.deal(12_000, seed=1), cards.deal(4_000, seed=2)
data = {}
for name, hands in (("train", train), ("test", test)):
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
        unseen, _, ev = data["test"]
        curve.append((256 * (step + 1), ev.regret(scorer(unseen)).mean()))

# %%
way = houseway.HouseWay()
_, _, ev = data["test"]
line = ev.regret(way.set(test)).mean()
fig, ax = plt.subplots()
ax.plot(*zip(*curve), color="#3b6ea5", label="our agent")
ax.axhline(line, color="#b23a48", linestyle="--", label="house way")
ax.set(xlabel="hands looked at", ylabel="regret on unseen hands", yscale="log", title="Regret falls below the house way's")
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# ## The exact score
#
# `exact.score` asks a policy about one hand from each of the 6,972,147 *classes*, and computes its EV over all deals.
# Hands are in the same class if they are equal up to a permutation of suits. The features don't depend on which suit is
# which, so the policy sets all hands of a class alike. `exact.scores` does the same for several policies in a single
# pass. House ways can be used as policies too.

# %%
score, house = exact.scores([scorer, way])
print(f"EV {score.ev:+.6f}   regret {score.regret:.6f}   as good as can be on {score.agreement:.1%} of hands")
print(f"the house way's regret is {house.regret:.6f}, and the agent's is {score.regret / house.regret:.0%} of that")

# %% [markdown]
# ## Exercises
#
# **3.1** For how many of the 4,000 unseen hands does the house way choose a best setting? (`ev.wins` and `ev.losses`
# are integers, so compare `95 * wins - 100 * losses` instead of floats.)

# %%
answer = None
check("3.1", answer)

# %% [markdown]
# **3.2** How few training hands are enough to beat the house way? Plot the regret on unseen hands against the size of
# the training set.
#
# **3.3** Learn from rewards only. Play random legal settings in a `HousewayVectorEnv`, which deals a hand in each of
# its *lanes* at every step, and fit the score of each setting that was played to the reward from that one deal. Does
# the agent still beat the house way, and why does it learn more slowly? What does least squares make of the same
# rewards? (Session 6 learns from such rewards by policy gradients.)
#
# **3.4** Remove the hidden layer. How large is the regret of a linear score, and with which hands?
#
# Solutions: `3-train-an-agent-solutions`.
