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
# # 1. The game and its exact odds: solutions

# %%
import dataclasses
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import check
from houseway import cards, exact

hands = cards.deal(4_000, seed=1)
values = exact.hand_ev(hands)
best = values.ev[np.arange(len(hands)), values.best]

# %% [markdown]
# ## 1.1 How many hands are good
#
# A fraction estimated from a sample has its own standard error.

# %%
check("1.1", int((best > 0).sum()))
share = (best > 0).mean()
print(f"{share:.1%} of hands have an EV above zero (standard error {np.sqrt(share * (1 - share) / len(best)):.1%})")
worst = int(best.argmin())
print(cards.text(hands[worst]), f"is the worst: EV {best[worst]:+.3f} in its best setting,", end=" ")
print("front", cards.front_and_back(hands[worst], values.best[worst])[0])

# %% [markdown]
# ## 1.2 Setting at random
#
# The mean over a hand's legal settings is the EV of a random player who holds that hand. Playing at random costs nearly
# half of the stake, so the choice of the setting matters far more than the house's commission.

# %%
one = exact.hand_ev("As Ad Kh Kc Qs Qd 3c")
legal = np.flatnonzero(one.legal[0])
check("1.2", sum(one.exact(0, setting) for setting in legal) / Fraction(len(legal)))
random = np.nanmean(values.ev, axis=1)
print(f"random among the legal settings: EV {random.mean():+.4f}, the best setting: {best.mean():+.4f}")
fig, ax = plt.subplots(figsize=(7, 3))
ax.hist(best - random, bins=60, color="#3b6ea5")
ax.set(xlabel="EV of the best setting less that of a random one", ylabel="hands", title="What choosing is worth, hand by hand")
plt.tight_layout()

# %% [markdown]
# ## 1.3 Without commission
#
# The commission changes how much a win pays, but it doesn't change who wins. Both sides use the same house way with and
# without it, so the numbers of wins, pushes and losses stay the same, and the edge follows from them. Without
# commission, copies are the only difference between the two sides, so the edge that remains is what copies cost.

# %%
count = exact.solve()
free = dataclasses.replace(count, commission=0)
check("1.3", Fraction(count.wins - count.losses, count.deals))
print(f"EV without commission {free.ev:+.6f} = (wins - losses) / deals, with it {count.ev:+.6f}")
print(f"so copies cost {-free.ev:.4%} and commission {free.ev - count.ev:.4%} of the stake")

# %% [markdown]
# To confirm this, we evaluate a fiftieth of the game under both rules:

# %%
without = houseway.HouseWay(rules={"commission": 0})
one, other = exact.solve(shard=(0, 50)), exact.solve(without, without, shard=(0, 50))
print("the same integers:", (one.wins, one.pushes, one.losses) == (other.wins, other.pushes, other.losses))

# %% [markdown]
# ## 1.4 The error of a sample
#
# The standard error tells us how far off the mean may be, and the exact optimum tells us how far off it really is. We
# can expect it to be within two standard errors 19 times out of 20.

# %%
error = best.std(ddof=1) / np.sqrt(len(best))
optimum = exact.solve(exact.OPTIMAL).ev
print(f"sample {best.mean():+.5f} with standard error {error:.5f}; exact {optimum:+.6f}")
print(f"off by {(best.mean() - optimum) / error:+.1f} standard errors")
print(f"hands needed for an error of 0.0001: {(best.std(ddof=1) / 1e-4) ** 2:,.0f}")
