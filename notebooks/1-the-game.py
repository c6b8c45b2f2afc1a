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
# # 1. The game and its exact odds
#
# **In this session, you will** deal hands, set them, and compare your choices with the exact value of every possible
# setting. Then you will see what the whole game pays, computed over all deals.
#
# Here is Pai Gow Poker in a nutshell. It uses a deck of 53 cards, and the joker counts as an ace or completes a
# straight or flush. You and the banker each get seven cards and *set* them: five cards go in the *back* and two in the
# *front*. Backs are ranked as in poker, from high to low: five aces, straight flush, four of a kind, full house (three
# of a kind and a pair), flush (five cards of a suit), straight (five consecutive ranks), three of a kind, two pairs,
# one pair, no pair. Within a kind, ranks decide, and suits never do. There is one exception: ace to five is the
# second-highest straight. A front is a pair or two single cards. It must not be higher than the back: a setting that
# breaks this rule is a *foul* and not allowed.
#
# Then backs are compared with backs and fronts with fronts. An exact tie is called a *copy* and goes to the banker. If
# you win both halves, you get even money minus a 5% commission. If you lose both, you lose your stake. If each side
# wins one, it's a *push*, and no money moves.

# %%
import gymnasium
import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import check
from houseway import cards, exact

plt.rcParams.update({"figure.figsize": (7, 3.5), "axes.spines.top": False, "axes.spines.right": False})

# %% [markdown]
# ## One round
#
# The game is a Gymnasium environment, and each episode has a single step. You see seven cards and choose one of 21
# settings. `action_mask` tells you which of them are legal, i.e. not fouls. We look at a few of them and play the first
# one.

# %%
env = gymnasium.make("houseway/PaiGowPoker-v0", observation="raw-cards", render_mode="ansi")
observation, info = env.reset(seed=2026)
hand = observation["observation"].astype(np.uint8)
print(env.render())
picture = gymnasium.make("houseway/PaiGowPoker-v0", render_mode="rgb_array")
picture.reset(seed=2026)
fig, ax = plt.subplots(figsize=(7, 1.5))
ax.imshow(picture.render())
ax.axis("off")
for setting in np.flatnonzero(observation["action_mask"])[:6]:
    front, back = cards.front_and_back(hand, setting)
    print(f"setting {setting:2}: front {front}   back {back}")
observation, reward, terminated, truncated, info = env.step(int(np.flatnonzero(observation["action_mask"])[0]))
print(env.render())

# %% [markdown]
# ## The EV of a setting
#
# The banker plays a *house way*, which is a list of rules for setting every hand. It's the one that Trump Plaza, a
# casino in Atlantic City, has published. Given your seven cards, there are 53,524,680 possible banker hands. Evaluating
# all of them takes less than a millisecond, so there's no need for simulation.
#
# The *expected value* (EV) of a setting is its mean net result per unit staked over all of these equally likely banker
# hands: (0.95 · wins − losses) / 53,524,680. A push counts as 0. An EV of −0.027 means that a player who stakes 100
# loses 2.70 per hand in the long run.

# %%
ev = exact.hand_ev("As Ad Kh Kc Qs Qd 3c")
order = np.argsort(-np.nan_to_num(ev.ev[0], nan=-9))[: int(ev.legal[0].sum())]
for setting in order[:8]:
    front, back = cards.front_and_back(ev.hands[0], setting)
    win, loss = ev.wins[0, setting] / exact.BANKER_HANDS, ev.losses[0, setting] / exact.BANKER_HANDS
    print(f"{front:6} | {back:15}  win {win:.3f}  lose {loss:.3f}  EV {ev.ev[0, setting]:+.5f}")
print("exactly:", ev.exact(0, ev.best[0]))

# %% [markdown]
# With these three pairs, it's best to put the *highest* pair in front, but the difference from the other pairs is tiny.
# Without a pair in front, about half of the EV is gone.
#
# ## The whole game
#
# The same can be done for all 8,250,459,031,214,400 deals. Here, both sides play the house way.

# %%
whole = exact.solve()
print(f"win {whole.wins / whole.deals:.4%}  push {whole.pushes / whole.deals:.4%}  lose {whole.losses / whole.deals:.4%}")
print(f"EV {whole.ev:+.6f} per unit, standard deviation {whole.standard_deviation:.3f}")
print("the EV as a ratio of integers:", whole.exact_ev)

# %% [markdown]
# The banker's *edge* is minus the player's EV. Both sides use the same house way, so the game would be fair without
# copies and commission. Nearly half of the edge comes from copies (see exercise 1.3). How often do they happen?

# %%
print(f"fronts tie in {whole.copies_front / whole.deals:.3%} of deals, backs in {whole.copies_back / whole.deals:.4%}")

# %% [markdown]
# ## How good are the hands?
#
# The following chart shows the EV of the best setting for 4,000 random hands.

# %%
hands = cards.deal(4_000, seed=1)
values = exact.hand_ev(hands)
best = values.ev[np.arange(len(hands)), values.best]
fig, ax = plt.subplots()
ax.hist(best, bins=60, color="#3b6ea5")
ax.axvline(best.mean(), color="#b23a48")
ax.set(xlabel="EV of the best setting, per unit staked", ylabel="hands", title="The EV of the best setting depends on the hand")
ax.text(best.mean() + 0.02, ax.get_ylim()[1] * 0.9, f"mean {best.mean():+.3f}", color="#b23a48")
plt.tight_layout()

# %% [markdown]
# ## Exercises
#
# Replace `None` with code that computes the exact answer. `check` compares integers and ratios of integers
# (`fractions.Fraction`), and doesn't accept floats.
#
# **1.1** How many of the 4,000 hands have an EV above zero in their best setting? What fraction of the hands is this,
# and what is the standard error of that fraction?

# %%
answer = None
check("1.1", answer)

# %% [markdown]
# **1.2** A player sets `As Ad Kh Kc Qs Qd 3c` at random and chooses each legal setting with equal probability. What is
# the player's EV, as a ratio of integers? (Use `ev.exact`.) Then compute the EV of such a player for each of the 4,000
# hands. (`values.ev` is NaN for fouls.) How much does it cost, on average, to set hands at random?

# %%
answer = None
check("1.2", answer)

# %% [markdown]
# **1.3** What is the EV of the whole game without commission, as a ratio of integers? Why can you compute it without
# evaluating the game again?

# %%
answer = None
check("1.3", answer)

# %% [markdown]
# **1.4** The sample mean above has an error. Estimate its standard error, and compare the mean with the exact optimum,
# `exact.solve(exact.OPTIMAL).ev`. How many hands would you need for a standard error of 0.0001?
#
# Solutions: `1-the-game-solutions`.
