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
# # 5. Ultimate Texas Hold'em: a simple strategy against the optimum
#
# **You will:** follow one hand through its three decisions, see the whole game counted, and find out where a strategy of a few
# sentences loses against the best play.
#
# You and the dealer get two cards each, and share a board of five. You stake an *Ante* and an equal *Blind*, and may *play* once:
# four antes before the flop, two on the flop (three board cards), one on the whole board; or fold. The earlier, the more.

# %%
import matplotlib.pyplot as plt
import numpy as np

from course import check
from houseway import cards
from houseway.exact import ultimate_holdem as holdem

plt.rcParams.update({"figure.figsize": (7, 3.5), "axes.spines.top": False, "axes.spines.right": False})
BLUE, RED = "#3b6ea5", "#b23a48"

# %% [markdown]
# ## One hand
#
# Each decision has an exact EV in antes, if all later ones are the best. The flop: 1,081 boards times 990 hands of the dealer.

# %%
for board in ("8d 5s 2h", "8d 5s 2h Kd 3c"):
    decision = holdem.hand_ev("Kh 8c", board)
    print(f"{board:15}", "  ".join(f"{action} {ev:+.4f}" for action, ev in zip(decision.actions, decision.ev[0])))
print("Play on the flop, exactly:", holdem.hand_ev("Kh 8c", "8d 5s 2h").exact(0, "play2"))

# %% [markdown]
# ## The whole game
#
# All 27,813,810,024,000 deals. `simple_regret` counts them, and what the *simple strategy* of Wizard of Odds gives away at each
# of the three decisions, on 3,000 boards for the last one.

# %%
regret = holdem.simple_regret(3_000, seed=1)
best = regret.optimum
print(f"the optimum loses {-best.ev:.5%} of the ante, {best.element_of_risk:.3%} of all that is staked")
print(f"standard deviation {best.standard_deviation:.2f} antes")
for name, share in zip(("play 4", "play 3", "play 2", "play 1", "fold"), best.frequencies):
    print(f"{name:7} {share:7.2%}")

# %% [markdown]
# ## Before the flop
#
# The square of the 169 kinds of starting hands, aces first. Blue should play four antes, red should check.

# %%
difference = (best.start_ev[:, 1] - best.start_ev[:, 0]).reshape(13, 13)[::-1, ::-1]
names = best.names.reshape(13, 13)[::-1, ::-1]
fig, ax = plt.subplots(figsize=(7, 6.2))
image = ax.imshow(difference, cmap="RdBu", vmin=-1, vmax=1)
for row in range(13):
    for column in range(13):
        dark = abs(difference[row, column]) > 0.65
        ax.text(column, row, names[row, column], ha="center", va="center", fontsize=7, color="white" if dark else "black")
ax.set(xticks=[], yticks=[], title="EV of playing four antes less that of checking, in antes")
fig.colorbar(image, ax=ax, shrink=0.8)
plt.tight_layout()

# %% [markdown]
# The hands that play are what the simple strategy says in a sentence: *a pair of threes or better, any ace, a king with a suited
# card or a five, a queen with a six suited or an eight, a jack with an eight suited or a ten*. It gives away nothing here:

# %%
print("lost before the flop:", regret.exact_start)
hands = best.names[(best.chosen == 0) & (best.start_ev[:, 1] > best.start_ev[:, 0])]
print("hands that should play and do not:", list(hands), "- combinations that play:", best.combinations[best.chosen == 4].sum(), "of 1326")
close = np.argsort(np.abs(best.start_ev[:, 1] - best.start_ev[:, 0]))[:5]
for i in close:
    print(f"close: {best.names[i]:4} {best.start_ev[i, 1] - best.start_ev[i, 0]:+.4f}")

# %% [markdown]
# ## Where the simple strategy loses

# %%
stages = ["before the flop", "flop", "river"]
lost = [float(part) for part in (regret.exact_start, regret.exact_flop, regret.exact_river)]
print(f"given away {regret.total:.5f} ± {regret.half_width:.5f} antes a hand; all decisions right in {regret.agreement:.1%} of deals")
fig, ax = plt.subplots(figsize=(7, 2.5))
ax.barh(stages[::-1], [1000 * it for it in lost[::-1]], xerr=[1000 * regret.half_width, 0, 0], color=BLUE)
ax.set(xlabel="given away, antes in 1,000 hands", title="A strategy of three sentences against the optimum")
plt.tight_layout()

# %% [markdown]
# Flops that show what its second sentence misses: 500 dealt at random, every decision counted.

# %%
rng = np.random.default_rng(5)
dealt = np.array([rng.permutation(52)[:5] for _ in range(500)], np.uint8)
checked = holdem.simple_strategy(dealt[:, :2]) == 0
holes, flops = dealt[checked, :2], dealt[checked, 2:]
decision, plays = holdem.hand_ev(holes, flops), holdem.simple_strategy(holes, flops) > 0
loss = decision.regret(plays)
print(f"{checked.sum()} hands come to the flop, {(loss > 0).sum()} of them are decided badly; mean loss {loss.mean():.4f} antes")
for i in np.argsort(-loss)[: (loss > 0).sum()]:
    what = "plays" if plays[i] else "checks"
    hole, flop = (cards.text(-np.sort(-row.astype(int))) for row in (holes[i], flops[i]))
    print(f"{hole} on {flop}: {what}, which gives away {loss[i]:.3f}")

# %% [markdown]
# ## Exercises
#
# **5.1** A cautious player plays four antes with pairs and aces alone, and everything later the best way. How many of the 1,326
# combinations are that? What does the caution cost? (The table of the optimum has all that is needed.)

# %%
answer = None
check("5.1", answer)

# %% [markdown]
# **5.2** Trips pays for the player's own seven cards, whoever wins: 50, 40, 30, 8, 7, 4, 3 to 1 from royal flush down to three of a
# kind. Find its EV from `regret.optimum.categories`, as a ratio of integers, and that of three other tables that casinos use: 30-9-7-4-3,
# 30-8-6-5-3 and 20-7-6-5-3 from four of a kind on. Why does it not matter how the hand is played?

# %%
answer = None
check("5.2", answer)

# %% [markdown]
# **5.3** Which single kind of starting hand loses most if it is played wrongly, weighted by its frequency?
#
# **5.4** On the river the simple strategy counts cards that beat it. Deal 20,000 whole boards to hands that checked, and find out
# how much of its loss comes from folding too much, and how much from playing too much.
#
# Solutions: `5-ultimate-texas-holdem-solutions`.
