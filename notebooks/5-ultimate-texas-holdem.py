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
# **In this session, you will** follow a hand through its three decisions, see exact results for the whole game, and
# find out where a strategy that fits in a few sentences loses against optimal play.
#
# You and the dealer get two cards each and share a board of five cards. The higher hand wins, where a hand is the best
# five of these seven cards. You stake an *Ante* and an equal *Blind*, and you may *play* once: four antes before the
# flop, two antes on the flop (after three board cards), or one ante on the full board, which is called the *river*.
# Otherwise, you fold and lose both stakes. The earlier you play, the more you bet.
#
# If your hand is higher, the Play bet pays even money. So does the Ante if the dealer has a pair or better; otherwise,
# it's returned. The Blind pays for a straight or better, from even money up to 500 to 1 for a royal flush, and is
# returned with any other hand. If your hand is lower, you lose all bets, except that the Ante is returned if the dealer
# has less than a pair. If the hands are equal, all bets are returned.

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
# Each decision has an exact EV in antes, assuming that all later decisions are optimal. On the flop, there are 1,081
# possible boards with 990 dealer hands each.

# %%
for board in ("8d 5s 2h", "8d 5s 2h Kd 3c"):
    decision = holdem.hand_ev("Kh 8c", board)
    print(f"{board:15}", "  ".join(f"{action} {ev:+.4f}" for action, ev in zip(decision.actions, decision.ev[0])))
print("Play on the flop, exactly:", holdem.hand_ev("Kh 8c", "8d 5s 2h").exact(0, "play2"))

# %% [markdown]
# ## The whole game
#
# `simple_regret` evaluates all 27,813,810,024,000 deals. It also computes how much EV the *simple strategy* from Wizard
# of Odds loses in each of the three decisions, or *stages*. The last decision is evaluated on 3,000 random boards.

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
# The chart below shows the 169 kinds of starting hands, starting with aces (`s` stands for two cards of the same suit,
# `o` for different suits). You should play four antes with the blue hands and check with the red ones.

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
# The simple strategy has one sentence for each decision. The first one describes the hands that should play before the
# flop: *a pair of threes or better, any ace, a king with a suited card or a five, a queen with a six suited or an
# eight, a jack with an eight suited or a ten*, where a higher second card is fine as well. It doesn't lose anything at
# this stage:

# %%
print("lost before the flop:", regret.exact_start)
hands = best.names[(best.chosen == 0) & (best.start_ev[:, 1] > best.start_ev[:, 0])]
print("hands that should play and do not:", list(hands), "- combinations that play:", best.combinations[best.chosen == 4].sum(), "of 1326")
close = np.argsort(np.abs(best.start_ev[:, 1] - best.start_ev[:, 0]))[:5]
for i in close:
    print(f"close: {best.names[i]:4} {best.start_ev[i, 1] - best.start_ev[i, 0]:+.4f}")

# %% [markdown]
# ## Where the simple strategy loses
#
# The second sentence is for the flop: *play with two pairs or better, with a hidden pair other than pocket twos, or
# with four cards to a flush that include a hidden ten or better*. Here, *hidden* means that your own two cards
# contribute to it. The third sentence is for the river: *play with a hidden pair or better, or if fewer than 21 of
# the cards that you don't see would beat you, each as a card of the dealer's*.

# %%
stages = ["before the flop", "flop", "river"]
lost = [float(part) for part in (regret.exact_start, regret.exact_flop, regret.exact_river)]
print(f"EV lost {regret.total:.5f} ± {regret.half_width:.5f} antes a hand; all decisions right in {regret.agreement:.1%} of deals")
fig, ax = plt.subplots(figsize=(7, 2.5))
ax.barh(stages[::-1], [1000 * it for it in lost[::-1]], xerr=[1000 * regret.half_width, 0, 0], color=BLUE)
ax.set(xlabel="EV lost, antes in 1,000 hands", title="A strategy of three sentences against the optimum")
plt.tight_layout()

# %% [markdown]
# To see where the second sentence is wrong, we deal 500 random hands and flops, and evaluate the decisions of all hands
# that check before the flop.

# %%
rng = np.random.default_rng(5)
dealt = np.array([rng.permutation(52)[:5] for _ in range(500)], np.uint8)
checked = holdem.simple_strategy(dealt[:, :2]) == 0
holes, flops = dealt[checked, :2], dealt[checked, 2:]
decision, plays = holdem.hand_ev(holes, flops), holdem.simple_strategy(holes, flops) > 0
loss = decision.regret(plays)
print(f"{checked.sum()} hands come to the flop, {(loss > 0).sum()} of them are decided wrongly; mean regret {loss.mean():.4f} antes")
for i in np.argsort(-loss)[: (loss > 0).sum()]:
    what = "plays" if plays[i] else "checks"
    hole, flop = (cards.text(-np.sort(-row.astype(int))) for row in (holes[i], flops[i]))
    print(f"{hole} on {flop}: {what}, a regret of {loss[i]:.3f}")

# %% [markdown]
# ## Exercises
#
# **5.1** A cautious player only plays four antes with pairs and aces, but makes all later decisions optimally. How many
# of the 1,326 combinations does this player play? How much does the caution cost? (The optimum's table contains
# everything you need.)

# %%
answer = None
check("5.1", answer)

# %% [markdown]
# **5.2** The Trips bet pays for the player's own seven cards, no matter who wins. It pays 50, 40, 30, 8, 7, 4 or 3 to
# 1, from a royal flush down to three of a kind. Compute its EV from `regret.optimum.categories` as a ratio of integers.
# Do the same for three other paytables that casinos use, which pay 30-9-7-4-3, 30-8-6-5-3 and 20-7-6-5-3 from four of a
# kind down. Why doesn't it matter how the hand is played?

# %%
answer = None
check("5.2", answer)

# %% [markdown]
# **5.3** For which kind of starting hand does a wrong decision cost the most, weighted by the hand's frequency?
#
# **5.4** On the river, the simple strategy may fold too often or play too often. Deal 40,000 hands with full boards,
# keep those that the strategy checks twice, and find out how much of its loss comes from each of the two.
#
# Solutions: `5-ultimate-texas-holdem-solutions`.
