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
# **You will:** deal hands, set them, and compare what you did with the exact value of every way to set them; then see what
# the whole game pays, to the last deal.
#
# Pai Gow Poker in four lines. One deck of 53 cards, the joker counts as an ace or completes a straight or flush. You and the
# banker get seven cards each and *set* them: five in *back*, two in *front*, the front not above the back. Back is compared
# with back and front with front; an exact tie (a *copy*) goes to the banker. Win both: even money less 5% commission. Lose
# both: you lose the stake. One each: a *push*.

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
# The environment has one step an episode: you see seven cards, you choose one of 21 settings. `action_mask` says which are
# legal.

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
# ## What a setting is worth
#
# Against a banker who plays a published *house way* there are 53,524,680 banker hands that go with your seven cards. Counting
# them all takes less than a millisecond, so there is no need to simulate.
#
# The *expected value* (EV) of a setting is the mean of its net result per unit staked over all these hands, which are equally
# likely: (0.95 · wins − losses) / 53,524,680. A push counts 0. An EV of −0.027 means that a player who stakes 100 loses 2.70 a
# hand in the long run.

# %%
ev = exact.hand_ev("As Ad Kh Kc Qs Qd 3c")
order = np.argsort(-np.nan_to_num(ev.ev[0], nan=-9))[: int(ev.legal[0].sum())]
for setting in order[:8]:
    front, back = cards.front_and_back(ev.hands[0], setting)
    win, loss = ev.wins[0, setting] / exact.BANKER_HANDS, ev.losses[0, setting] / exact.BANKER_HANDS
    print(f"{front:6} | {back:15}  win {win:.3f}  lose {loss:.3f}  EV {ev.ev[0, setting]:+.5f}")
print("exactly:", ev.exact(0, ev.best[0]))

# %% [markdown]
# Three pairs: the *highest* pair goes in front, by a hair against the other pairs; without any pair in front half of the EV is gone.
#
# ## The whole game
#
# The same for all 8,250,459,031,214,400 deals: the house way against itself.

# %%
whole = exact.solve()
print(f"win {whole.wins / whole.deals:.4%}  push {whole.pushes / whole.deals:.4%}  lose {whole.losses / whole.deals:.4%}")
print(f"EV {whole.ev:+.6f} per unit, standard deviation {whole.standard_deviation:.3f}")
print("the EV as a ratio of integers:", whole.exact_ev)

# %% [markdown]
# Copies are where much of the banker's edge comes from: how often does a copy decide?

# %%
print(f"fronts tie in {whole.copies_front / whole.deals:.3%} of deals, backs in {whole.copies_back / whole.deals:.4%}")

# %% [markdown]
# ## How good are hands?
#
# The EV of the best setting over 4,000 dealt hands.

# %%
hands = cards.deal(4_000, seed=1)
values = exact.hand_ev(hands)
best = values.ev[np.arange(len(hands)), values.best]
fig, ax = plt.subplots()
ax.hist(best, bins=60, color="#3b6ea5")
ax.axvline(best.mean(), color="#b23a48")
ax.set(xlabel="EV of the best setting, per unit staked", ylabel="hands", title="Most hands are slightly bad, a few very good")
ax.text(best.mean() + 0.02, ax.get_ylim()[1] * 0.9, f"mean {best.mean():+.3f}", color="#b23a48")
plt.tight_layout()

# %% [markdown]
# ## Exercises
#
# Write the code that computes the answer, exactly, in place of `None`: `check` compares integers and ratios of integers
# (`fractions.Fraction`), and refuses floats.
#
# **1.1** How many of the 4,000 hands have an EV above zero in their best setting? Which share is that, with which standard error?

# %%
answer = None
check("1.1", answer)

# %% [markdown]
# **1.2** A player sets `As Ad Kh Kc Qs Qd 3c` at random, each legal setting with equal probability. The EV, as a ratio of integers?
# (`ev.exact`; then take the mean of `values.ev` over the legal settings of all 4,000 hands: what does setting at random cost?)

# %%
answer = None
check("1.2", answer)

# %% [markdown]
# **1.3** What is the EV of the whole game without commission, as a ratio of integers? Why does nothing need to be counted again?

# %%
answer = None
check("1.3", answer)

# %% [markdown]
# **1.4** The sample mean above has an error. State it, and compare the exact optimum: `exact.solve(exact.OPTIMAL).ev`. How many hands
# would it take for an error of 0.0001?
#
# Solutions: `1-the-game-solutions`.
