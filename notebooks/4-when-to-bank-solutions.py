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
# # 4. When to bank: solutions

# %%
from fractions import Fraction
from math import erf, exp, sqrt

import matplotlib.pyplot as plt
import numpy as np

from course import check
from houseway import exact

BLUE, RED = "#3b6ea5", "#b23a48"
banks = [exact.bank([("trump-plaza", 100)] * opponents, own=20) for opponents in range(1, 7)]

# %% [markdown]
# ## 4.1 What the commission is based on

# %%
every_bet = exact.bank([("trump-plaza", 100)] * 6, rules={"commission-on-banker": "per_bet"})
check("4.1", every_bet.exact_bounds[0])
for reading in ("none", "per_bet", "net_win"):
    bank = exact.bank([("trump-plaza", 100)] * 6, rules={"commission-on-banker": reading})
    ev, error = bank.sampled_ev(deals=50_000, seed=1)
    print(f"{reading:8} EV {ev:+.3f} chips" + (" (exact)" if bank.is_exact else f" ± {1.96 * error:.3f}"))

# %% [markdown]
# The difference between *per bet* and *net win* is larger than the bank's EV under either of them. A single word in the
# rules decides whether banking is profitable.

# %% [markdown]
# ## 4.2 Where growth ends
#
# Without commission, every bet that isn't a push pays even money, and the bank wins it with some probability $p$. The
# Kelly fraction is $2p-1$, which is (player's losses - wins) / (losses + wins) here. We find the point where growth
# ends by bisection. For small edges, log growth is nearly a parabola through 0, so growth ends close to twice the Kelly
# fraction.

# %%
free = exact.bank([("trump-plaza", 1_000_000)], rules={"commission-on-banker": "none"})
wins, losses = free.counts[0].losses, free.counts[0].wins  # the counts are from the player's point of view
check("4.2", Fraction(wins - losses, wins + losses))
kelly = float(free.exact_kelly[0])
low, high = kelly, 0.5
for _ in range(40):
    middle = (low + high) / 2
    low, high = (middle, high) if free.single.log_growth(round(1_000_000 / middle)) > 0 else (low, middle)
print(f"Kelly fraction {kelly:.4%}, growth ends at {low:.4%}: {low / kelly:.4f} times as much")

# %% [markdown]
# ## 4.3 How large the own bet has to be
#
# Taking the bank yields the bank's EV, and your own bet loses 2.72% of its size. The two are equal if your bet is what
# the bank loses divided by that percentage. With three opponents or more, the bank's EV is positive, so you should take
# it no matter how large your own bet would be. With two, this sample doesn't tell.

# %%
per_chip = float(banks[0].exact_pass) / 20
for opponents, bank in enumerate(banks, start=1):
    ev, error = bank.sampled_ev(deals=50_000, seed=1)
    low, high = (max(0.0, (ev + side * 1.96 * error) / per_chip) for side in (1, -1))
    even = max(0.0, ev / per_chip)
    print(f"{opponents} x 100: EV {ev:+.3f}, take the bank from an own bet of {even:.2f} chips (95%: {low:.2f} to {high:.2f})")

# %% [markdown]
# ## 4.4 A bankroll of 3,000 chips
#
# The bankroll is gone as soon as it doesn't cover the next round's bets of 600 chips, so $B$ is 2,400. With 3,000, the
# formula gives less than the simulation. With 2,400, it gives slightly more, because a walk in continuous time also
# falls below the limit between two rounds. (The simulation has a standard error of about one percentage point.)

# %%
six = banks[5].sample(deals=200_000, seed=1)
mu, sigma = banks[5].sampled_ev()[0], six.variance**0.5


def phi(x):
    return (1 + erf(x / sqrt(2))) / 2


def ruin(bankroll, rounds):
    """Return the probability that a random walk starting at `bankroll` falls to 0."""
    spread = sigma * sqrt(rounds)
    return phi((-bankroll - mu * rounds) / spread) + exp(-2 * mu * bankroll / sigma**2) * phi((mu * rounds - bankroll) / spread)


rng = np.random.default_rng(1)
# Shift the results so that their mean matches the EV, which is known more accurately than the sample mean.
results = six.results - (six.mean - mu)
paths = 3_000 + results[rng.choice(six.results.size, p=six.chances, size=(2_000, 1_000))].cumsum(axis=1)
gone = np.maximum.accumulate(paths < 600, axis=1).mean(axis=0)
print(f"gone within 1,000 rounds: {gone[-1]:.1%} by simulation, {ruin(3_000, 1_000):.1%} by the formula")
print(f"with the 2,400 that may be lost before a round is not covered: {ruin(2_400, 1_000):.1%} by the formula")
fig, ax = plt.subplots(figsize=(7, 3.5))
rounds = np.arange(1, 1_001)
ax.plot(rounds, 100 * gone, color=BLUE, label="simulated")
ax.plot(rounds, [100 * ruin(2_400, t) for t in rounds], color=RED, linestyle="--", label="random walk with drift")
ax.set(xlabel="rounds", ylabel="% of bankrolls gone", title="An edge doesn't help a player with too little money")
ax.legend(frameon=False)
plt.tight_layout()
print(f"for a probability of 1% of ever losing the bankroll, it takes {-np.log(0.01) * sigma**2 / (2 * mu):,.0f} chips")
