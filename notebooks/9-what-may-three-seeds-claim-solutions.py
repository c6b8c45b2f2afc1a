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
# # 9. What may three seeds claim? Solutions

# %%
from fractions import Fraction
from math import ceil, comb

import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import Adam, check
from houseway import cards, exact

# %% [markdown]
# ## 9.1 Deals to tell two settings apart
#
# Each setting has $n/2$ independent rewards, so the variance of the difference of their means is
# $2(\sigma_1^2 + \sigma_2^2)/n$. Solve $g \ge 2s$ for $n$.

# %%
one = exact.hand_ev("As Kd 9h 9c 7s 5d 3h")
arms = np.flatnonzero(one.legal[0])


def variance(arm):
    wins, losses = int(one.wins[0, arm]), int(one.losses[0, arm])
    return (wins * Fraction(19, 20) ** 2 + losses) / exact.BANKER_HANDS - one.exact(0, arm) ** 2


first, second = sorted(arms, key=lambda arm: -one.exact(0, arm))[:2]
gap = one.exact(0, first) - one.exact(0, second)
deals = 2 * ceil(4 * (variance(first) + variance(second)) / gap**2)
check("9.1", deals)
print(f"{cards.front_and_back(one.hands[0], first)[0]} against {cards.front_and_back(one.hands[0], second)[0]} in front: gap {float(gap):.4f}")

# %% [markdown]
# ## 9.2 The pull toward raising
#
# The derivative is positive: the first thing that the policy learns is to raise more often with *every* hand.

# %%
asian = exact.asian_stud.solve()
gain = sum(int(hands) * int(gain) for hands, gain in zip(asian.hands, asian.gains))
everything = int(asian.hands.sum())
advantage = Fraction(gain, everything * int(asian.denominator)) + 1
check("9.2", advantage / 4)
print(f"{float(advantage / 4):.5f} at the start, {0.9997 * 0.0003 * float(advantage):.7f} at a probability of 0.9997")

# %% [markdown]
# ## 9.3 The interval of three seeds
#
# The interval misses the median if all three runs are above it or all three below it, with probability 1/8 each. So
# even if nothing is wrong with the method, an interval that promises 95% holds the median in 75% of cases.

# %%
check("9.3", 1 - 2 * Fraction(1, 2) ** 3)

# %% [markdown]
# ## 9.4 Three runs that look fine

# %%
check("9.4", Fraction(comb(9, 3), comb(10, 3)))
print(f"{comb(9, 3) / comb(10, 3):.0%} of all studies with three seeds would not notice, and {comb(7, 3) / comb(10, 3):.0%} if three of ten are bad")

# %% [markdown]
# ## 9.5 The law of small gaps
#
# For small $s$, only small gaps matter, where the density of the gaps is about constant. Substitute $z = g/s$:
#
# $$\int_0^\infty g\,\Phi(-g/s)\, f\, dg = f s^2 \int_0^\infty z\,\Phi(-z)\, dz = \frac{f s^2}{4}.$$

# %%
deal = cards.deal(4_000, seed=10)
counted = exact.hand_ev(deal)
rows, best = np.arange(len(deal)), counted.best
top = counted.ev[rows, best]
gaps = top - np.where(counted.ev < top[:, None] - 1e-12, counted.ev, -np.inf).max(axis=1)
for width in (0.001, 0.002, 0.005, 0.01, 0.05):
    print(f"density of gaps below {width:5}: {(gaps < width).mean() / width:3.0f}")
target = 0.01 * 0.0028320
density = (gaps < 0.002).mean() / 0.002  # s turns out to be about this large
error = np.sqrt(4 * target / density)
second_moment = (0.9025 * counted.wins + counted.losses) / exact.BANKER_HANDS - np.nan_to_num(counted.ev) ** 2
mean_variance = second_moment[rows, best].mean()
print(f"1% of the house way's regret takes s = {error:.5f}, which is {4 * mean_variance / error**2:,.0f} deals per hand in bandit feedback")

# %% [markdown]
# The density isn't constant, because very small gaps are common, so it depends on $s$ which value is right. Nobody
# deals a hand that often. An agent for all hands has to share what it learns: a network has a few thousand weights, so
# there are far more deals for each weight than for each hand.
#
# ## 9.6 Which remedy repairs the policy?
#
# The training is that of the session, with exploration and an entropy bonus that may change after some steps.
#
# The entropy bonus is what helps. Exploration provides the rewards of folding, but the gradient is still multiplied by
# $\pi(1 - \pi)$, so a saturated policy hardly reacts to them. A policy that has saturated can be repaired afterwards,
# since the bonus pulls every score back toward zero, but all steps until then are lost. Each line below is a single
# run. `results/asian-stud` has five seeds of a network with a small entropy bonus and either remedy: with exploration,
# all of them end with raising every hand, and with a bonus that is twenty times as large, none does.

# %%
share, advantage = asian.hands / asian.hands.sum(), asian.raise_ev + 1
classes = np.hstack([asian.counts / np.array([5] * 10 + [1]), np.eye(11)[asian.value], np.ones((len(share), 1))])


def learn(remedy, steps=400, lanes=8_192, seed=3):
    """Train as in the session, where `remedy(step)` returns the exploration and the entropy bonus. Return all regrets."""
    env = houseway.HousewayVectorEnv("asian-stud", num_envs=lanes, final_observations=False)
    seen, _ = env.reset(seed=seed)
    theta, rng, baseline, curve = np.zeros(classes.shape[1]), np.random.default_rng(seed), 0.0, []
    adam = Adam([theta])
    for step in range(steps):
        exploration, entropy = remedy(step)
        shown = np.hstack([seen["observation"], np.ones((lanes, 1))])
        probability = 1 / (1 + np.exp(-shown @ theta))
        played = (1 - exploration) * probability + exploration / 2
        raised = rng.random(lanes) < played
        seen, reward, *_ = env.step(raised.astype(np.int64))
        slope = (1 - exploration) * probability * (1 - probability) * np.where(raised, 1 / played, -1 / (1 - played))
        surprise = -entropy * probability * (1 - probability) * (shown @ theta)
        adam.step([-shown.T @ (slope * (reward - baseline) + surprise) / lanes], 0.3 * (1 - step / steps) + 1e-3)
        baseline += 0.1 * (reward.mean() - baseline)
        scores = classes @ theta
        curve.append((share * np.where(scores > 0, np.maximum(-advantage, 0), np.maximum(advantage, 0))).sum())
    return np.array(curve)


remedies = {
    "neither": lambda step: (0.0, 0.0),
    "exploration": lambda step: (0.2, 0.0),
    "entropy": lambda step: (0.0, 0.1),
    "both": lambda step: (0.2, 0.1),
    "both after 50 steps": lambda step: (0.2, 0.1) if step >= 50 else (0.0, 0.0),
    "both after 200 steps": lambda step: (0.2, 0.1) if step >= 200 else (0.0, 0.0),
}
fig, ax = plt.subplots(figsize=(7, 3.5))
for name, remedy in remedies.items():
    curve = learn(remedy)
    ax.plot(np.arange(1, 401), curve, label=name)
    print(f"{name:21} regret after 50 steps {curve[49]:.5f}, 200 steps {curve[199]:.5f}, 400 steps {curve[399]:.5f}")
ax.set(xlabel="steps", ylabel="regret in antes", ylim=(0, None))
ax.legend(frameon=False, fontsize=8)
plt.tight_layout()
