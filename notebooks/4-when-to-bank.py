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
# # 4. When to bank: EV, variance, Kelly, ruin
#
# **In this session, you will** find out the exact EV of banking at a table, see why playing six opponents isn't the
# same as playing six games, choose the size of a bankroll, and watch what happens if it's too small.
#
# In Pai Gow Poker, the bank is offered to the players in turn. A player who accepts it covers the bets of all others,
# wins every copy, and pays the house 5% of what the bank has won over the round (its *net win*). If a player passes,
# they bet against whoever takes the bank instead.

# %%
import matplotlib.pyplot as plt
import numpy as np

from course import check
from houseway import exact

plt.rcParams.update({"figure.figsize": (7, 3.5), "axes.spines.top": False, "axes.spines.right": False})
BLUE, RED, GREEN = "#3b6ea5", "#b23a48", "#4a7c59"

# %% [markdown]
# ## Take the bank or pass it?
#
# There is one opponent, who bets 100 chips. If you passed, you would bet 20. All hands are set by Trump Plaza's house
# way. All results are in chips and from the bank's point of view.

# %%
bank = exact.bank([("trump-plaza", 100)], own=20)
print(f"bank: EV {bank.ev:+.4f} chips; own bet of 20: EV {float(bank.exact_pass):+.4f} chips")
print(f"price of passing {float(bank.exact_price[0]):+.4f} chips; take the bank: {bank.take}")
print("the EV of the bank as a ratio of integers:", bank.exact_bounds[0])

# %% [markdown]
# The bank *loses*, because 5% of its winnings is more than it gains from copies. It's still right to take it, because
# your own bet would lose even more. How small does your bet have to be for passing to become better?

# %%
own = np.arange(0, 41)
per_chip = float(bank.exact_pass) / 20
even = bank.ev / per_chip
fig, ax = plt.subplots()
ax.plot(own, per_chip * own, color=BLUE, label="pass, own bet")
ax.axhline(bank.ev, color=RED, label="bank against a bet of 100")
ax.axvline(even, color="grey", linestyle=":")
ax.text(even + 0.5, ax.get_ylim()[0] * 0.9, f"{even:.1f} chips")
ax.set(xlabel="own bet, chips", ylabel="EV, chips", title="Banking costs less than an own bet of 8 chips or more")
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# ## More opponents
#
# The EVs of bets add up, no matter how the hands are correlated. This isn't true for a commission on the *net* win,
# because losses to one opponent are offset by wins against another one before the house takes its cut. The EV before
# commission is exact. The mean commission is sampled, with a small error. (The wide bounds are exact as well. They only
# use how large the commission can be at least and at most.)

# %%
found = []
for opponents in range(1, 7):
    several = exact.bank([("trump-plaza", 100)] * opponents, own=20)
    ev, error = several.sampled_ev(deals=50_000, seed=1)
    found.append((opponents, ev, error))
    low, high = (float(bound) for bound in several.exact_bounds)
    print(f"{opponents} x 100: EV {ev:+.3f} ± {1.96 * error:.3f} chips, surely within {low:+.3f} to {high:+.3f}")

# %%
number, evs, errors = np.array(found).T
fig, ax = plt.subplots()
ax.errorbar(number, evs, yerr=1.96 * errors, marker="o", color=BLUE, label="commission on the net win (95% interval)")
ax.plot(number, bank.ev * number, color=RED, linestyle="--", label="commission on every bet won (exact)")
ax.axhline(0, color="grey", linewidth=0.8)
ax.set(xlabel="opponents with 100 chips each", ylabel="EV of the bank, chips", title="Opponents pay for each other's commission")
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# With three opponents or more, the bank *wins*. (With two, the sample doesn't tell.) No other seat at this table has a
# positive EV.
#
# ## How much the results vary
#
# All opponents play against the same banker's hand. A good one is likely to beat most of them, and a bad one is likely
# to lose to most of them.

# %%
one, six = bank.single, exact.bank([("trump-plaza", 100)] * 6).sample(deals=200_000, seed=1)
print(f"one opponent: standard deviation {one.variance ** 0.5:.1f} chips")
print(f"six opponents: {six.variance ** 0.5:.1f} chips; six separate games would have {(6 * one.variance) ** 0.5:.1f}")
print(f"mean of the 200,000 rounds {six.mean:+.2f} ± {1.96 * six.standard_error:.2f}: the rounds alone hardly tell that it is above 0")
fig, ax = plt.subplots()
ax.bar(six.results, 100 * six.chances, width=12, color=BLUE)
ax.set(xlabel="what the bank wins in a round, chips", ylabel="% of rounds", title="Six opponents of 100 chips")
plt.tight_layout()

# %% [markdown]
# ## Kelly: how much of your bankroll to risk
#
# A round multiplies the bankroll by some factor. Over many rounds, the logarithm of the bankroll grows at the rate of
# the mean logarithm of this factor, the *log growth*. It depends on the fraction of the bankroll that is at stake, and
# it's largest at the *Kelly fraction*. The following chart is for a bank against one opponent, without and with
# commission, and uses the exact distribution of results.

# %%
free = exact.bank([("trump-plaza", 10_000)], rules={"commission-on-banker": "none"})
share = float(free.exact_kelly[0])
counts = free.counts[0]  # from the player's point of view; the bank wins when the player loses
print(f"of the deals that are decided the bank wins {counts.losses / (counts.wins + counts.losses):.3%}: Kelly fraction {share:.3%}")
shares = np.linspace(0.002, 0.06, 60)
growth = [1e4 * free.single.log_growth(round(10_000 / x)) for x in shares]
taxed = exact.bank([("trump-plaza", 10_000)]).single
fig, ax = plt.subplots()
ax.plot(100 * shares, growth, color=BLUE, label="no commission")
ax.plot(100 * shares, [1e4 * taxed.log_growth(round(10_000 / x)) for x in shares], color=RED, label="5% commission")
ax.axvline(100 * share, color="grey", linestyle=":")
ax.axhline(0, color="grey", linewidth=0.8)
ax.set(xlabel="stake, % of the bankroll", ylabel="log growth a round, 1/10,000", title="Twice the Kelly fraction earns nothing")
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# ## Ruin
#
# We simulate 400 bankrolls over 5,000 rounds each. The bank pays no commission. In every round, it stakes the same
# fraction of its current bankroll: half the Kelly fraction, the Kelly fraction itself, or two or four times that
# fraction. Such a bankroll never reaches zero, so *ruin* means here that nine tenths of it are lost at some time.

# %%
rng, rounds = np.random.default_rng(1), 5_000
draws = rng.choice(one.results.size, p=free.single.chances, size=(400, rounds))
sign = np.sign(free.single.results)[draws]
fig, axes = plt.subplots(1, 4, figsize=(9, 3.2), sharey=True)
for ax, times, color in zip(axes, (0.5, 1, 2, 4), (GREEN, BLUE, "#c58b2b", RED)):
    paths = np.log1p(times * share * sign).cumsum(axis=1)
    low, middle, high = np.exp(np.quantile(paths[:, ::50], [0.1, 0.5, 0.9], axis=0))
    ax.plot(np.arange(0, rounds, 50), middle, color=color)
    ax.fill_between(np.arange(0, rounds, 50), low, high, color=color, alpha=0.2)
    ax.axhline(1, color="grey", linewidth=0.8)
    ax.set(xlabel="rounds", yscale="log", title=f"{times:g} x Kelly", xticks=[0, 2_500, 5_000])
    lost = (paths.min(axis=1) < np.log(0.1)).mean()
    print(f"{times:3g} x Kelly: median of the end {middle[-1]:8.3f}, nine tenths lost at some time by {lost:.0%}")
axes[0].set_ylabel("bankroll, times the first one")
fig.suptitle("Median, and the middle 80%")
plt.tight_layout()

# %% [markdown]
# ## Exercises
#
# **4.1** The casino's rules don't say what the commission is based on when a player banks. What is the EV of the bank
# against six bets of 100 chips if commission is paid on every bet won (`rules={"commission-on-banker": "per_bet"}`), as
# a ratio of integers? Compare it with `net_win` and `none`.

# %%
answer = None
check("4.1", answer)

# %% [markdown]
# **4.2** What is the bank's Kelly fraction without commission, as a ratio of integers? How does it follow from the
# numbers of wins and losses? At which fraction does the log growth return to zero? Compare it with twice the Kelly
# fraction.

# %%
answer = None
check("4.2", answer)

# %% [markdown]
# **4.3** Consider one to six opponents with 100 chips each. How large does your own bet have to be for the bank to be
# the better choice?
#
# **4.4** A player with a bankroll of 3,000 chips always banks against six bets of 100. How likely is it that the
# bankroll can't cover the bets of some round within 1,000 rounds? Simulate it, and compare the result with a formula
# for random walks. If a walk has the drift $\mu$ and the standard deviation $\sigma$ per round, then the probability
# that it falls below $-B$ within $T$ rounds is about
#
# $$\Phi\left(\frac{-B-\mu T}{\sigma\sqrt T}\right) + e^{-2\mu B/\sigma^2}\,\Phi\left(\frac{-B+\mu T}{\sigma\sqrt T}\right),$$
#
# where $\Phi$ is the distribution function of the normal distribution. Which $B$ is right here?
#
# Solutions: `4-when-to-bank-solutions`.
