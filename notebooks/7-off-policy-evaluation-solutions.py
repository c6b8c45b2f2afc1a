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
# # 7. Off-policy evaluation: solutions

# %%
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import check, settings_of
from houseway import cards, exact

way = houseway.HouseWay("trump-plaza")


def target(batch):
    """Return the legal setting with the highest front."""
    return np.where(batch.legal, settings_of(batch.observations())[..., 67], -1).argmax(axis=1)


# %% [markdown]
# ## 7.1 The difference between the two strategies

# %%
score, house = exact.scores([target, way])
check("7.1", house.policy.exact_ev - score.policy.exact_ev)
print(f"{house.ev - score.ev:.6f} of the stake a hand")

# %% [markdown]
# ## 7.2 The EV of a mixture
#
# The EV of a mixture of policies is the mixture of their EVs.

# %%
epsilon, hand = Fraction(1, 5), "As Kd 9h 9c 7s 5d 3h"
one = exact.hand_ev(hand)
legal = np.flatnonzero(one.legal[0])
usual = int(way.set(hand)[0])
check("7.2", epsilon * sum(one.exact(0, setting) for setting in legal) / len(legal) + (1 - epsilon) * one.exact(0, usual))

# %% [markdown]
# ## 7.3 The variance of one weighted reward
#
# The estimate is $r/\pi_b$ with probability $\pi_b$ and 0 otherwise. Its second moment is $\mathbb{E}[r^2]/\pi_b$, and
# its mean is the EV.

# %%
setting = next(it for it in legal if cards.front_and_back(one.hands[0], it)[0] == "As Kd")
chance = epsilon / len(legal) + (1 - epsilon) * (setting == usual)
square = (int(one.wins[0, setting]) * Fraction(19, 20) ** 2 + int(one.losses[0, setting])) / exact.BANKER_HANDS
variance = square / chance - one.exact(0, setting) ** 2
check("7.3", variance)
print(f"house way: front {cards.front_and_back(one.hands[0], usual)[0]}; probability of the target's setting {float(chance):.4f}")
print(f"standard deviation {float(variance) ** 0.5:.3f}, of the reward itself {float(square - one.exact(0, setting) ** 2) ** 0.5:.3f}")

# %% [markdown]
# ## 7.4 How much to explore
#
# We use 1,500 hands and logs with 4,000 hands, and compute the error instead of sampling it. The variance of IPS is the
# mean of $q_2/\pi_b$ minus the square of the value, where $q_2$ is the second moment of the reward. The cost is how
# much EV the behavior policy loses compared with the house way.
#
# For a given error, the number of hands is proportional to the square of this error at 4,000 hands, so the total cost
# is proportional to the square of the error times the cost of a hand. This product is nearly constant up to ε = 0.2. If
# hands are plentiful, a small ε doesn't cost more in total, and it costs each player less. If hands are scarce, ε = 0.5
# gives the smallest error. A log of random settings (ε = 1) has a larger error and costs twice as much, because the
# target often plays like the house way.

# %%
hands = cards.deal(1_500, seed=4)
counted, wanted, usual = exact.hand_ev(hands), target(exact.Batch(hands, {})), way.set(hands)
here, legal = np.arange(len(hands)), counted.legal
second = (0.9025 * counted.wins[here, wanted] + counted.losses[here, wanted]) / exact.BANKER_HANDS
value, uniform = counted.ev[here, wanted], np.nanmean(counted.ev, axis=1)
grid, error, cost = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0), [], []
for epsilon in grid:
    chance = epsilon / legal.sum(axis=1) + (1 - epsilon) * (wanted == usual)
    error.append(np.sqrt(((second / chance).mean() - value.mean() ** 2) / 4_000))
    cost.append(epsilon * (counted.ev[here, usual] - uniform).mean())
    print(f"epsilon {epsilon:4}: error of IPS {error[-1]:.4f}, cost {cost[-1]:.4f} of the stake a hand")
fig, ax = plt.subplots(figsize=(7, 3.5))
ax.plot(cost, error, marker="o", color="#3b6ea5")
for it, x, y in zip(grid, cost, error):
    ax.annotate(f"ε = {it}", (x, y), textcoords="offset points", xytext=(6, 6))
ax.set(xlabel="cost of exploring, of the stake a hand", ylabel="error of IPS, 4,000 hands", title="Knowledge is paid for by those who explore")
ax.margins(x=0.12, y=0.15)
plt.tight_layout()
