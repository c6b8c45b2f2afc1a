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
# # 5. Ultimate Texas Hold'em: solutions

# %%
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np

from course import check as check_answer
from houseway import cards
from houseway.exact import ultimate_holdem as holdem

BLUE, RED = "#3b6ea5", "#b23a48"
best = holdem.solve()
weight = best.combinations / 1326
check, play = best.start_ev.T

# %% [markdown]
# ## 5.1 Only pairs and aces

# %%
pair_or_ace = np.array([name[0] == "A" or name[0] == name[1] for name in best.names])
wanted = np.where(pair_or_ace, play, check)
check_answer("5.1", int(best.combinations[pair_or_ace].sum()))
cost = weight @ (np.maximum(check, play) - wanted)
print(f"{weight[pair_or_ace].sum():.1%} of hands instead of {weight[play > check].sum():.1%}: costs {cost:.4f} antes a hand,")
print(f"so the edge is {-best.ev + cost:.3%} of the ante instead of {-best.ev:.3%}")

# %% [markdown]
# ## 5.2 Trips
#
# The results for the whole game include the player's 133,784,560 seven-card hands by category. Folding doesn't lose the
# Trips bet (under the default reading), so only the cards matter.

# %%
categories = best.categories
names = ["royal flush", "straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind"]
hands = np.array([categories[name] for name in names])
total = sum(int(count) for count in categories.values())
paid = sum(int(count) * odds for count, odds in zip(hands, (50, 40, 30, 8, 7, 4, 3)))
check_answer("5.2", Fraction(paid - (total - int(hands.sum())), total))
for table in ((50, 40, 30, 8, 7, 4, 3), (50, 40, 30, 9, 7, 4, 3), (50, 40, 30, 8, 6, 5, 3), (50, 40, 20, 7, 6, 5, 3)):
    ev = (hands @ np.array(table) - (total - hands.sum())) / total
    print(f"{'-'.join(map(str, table[2:])):10} edge {-ev:.4%}")
print(f"a hand is paid in {hands.sum() / total:.2%} of all cases; counted by the library: {-float(best.exact_trips_ev):.4%}")

# %% [markdown]
# ## 5.3 The costliest mistake

# %%
cost = weight * np.abs(play - check)
order = np.argsort(-cost)[:8]
for i in order[:4]:
    print(f"{best.names[i]:4} {'must play' if play[i] > check[i] else 'must check'}: {1000 * cost[i]:.2f} antes in 1,000 hands")
fig, ax = plt.subplots(figsize=(7, 3))
ax.bar(best.names[order], 1000 * cost[order], color=[BLUE if play[i] > check[i] else RED for i in order])
ax.set(ylabel="antes in 1,000 hands", title="What playing a kind of hand wrongly costs (red: must check)")
plt.tight_layout()

# %% [markdown]
# Offsuit hands are three times as frequent as suited ones, and the worst hands lose the most if you bet four antes on
# them.

# %% [markdown]
# ## 5.4 The river

# %%
rng = np.random.default_rng(6)
dealt = np.array([rng.permutation(52)[:7] for _ in range(40_000)], np.uint8)
holes, flops, boards = dealt[:, :2], dealt[:, 2:5], dealt[:, 2:]
here = (holdem.simple_strategy(holes) == 0) & (holdem.simple_strategy(holes, flops) == 0)
holes, boards = holes[here], boards[here]
plays = holdem.simple_strategy(holes, boards) > 0
decision = holdem.hand_ev(holes, boards)
loss = decision.regret(plays)
print(f"{here.mean():.1%} of hands come to the river unplayed; the simple strategy plays {plays.mean():.1%} of them")
for name, some in (("folds that should play", ~plays), ("plays that should fold", plays)):
    error = loss[some].sum() / len(dealt)
    print(f"{name}: {(loss[some] > 0).mean():.2%} of them wrong, {1000 * error:.3f} antes lost in 1,000 hands dealt")
ranks = [np.sort(some // 4) for some in (holes, boards)]
hidden = (ranks[0][:, :1] == ranks[0][:, 1:]).any(axis=1) | (ranks[0][:, :, None] == ranks[1][:, None]).any(axis=(1, 2))
for name, some in (("with a hidden pair", hidden), ("without one", ~hidden)):
    wrong = loss[some] > 0
    print(f"{name}: {wrong.sum()} mistakes, {loss[some].sum() / loss.sum():.1%} of the loss, on average {loss[some][wrong].mean():.3f}")
worst = np.argsort(-loss)[:5]
for i in worst:
    hole, board = (cards.text(-np.sort(-row.astype(int))) for row in (holes[i], boards[i]))
    print(f"{hole} on {board}: {'plays' if plays[i] else 'folds'}, a regret of {loss[i]:.3f}")
margin = (decision.ev[:, 1] + 2).clip(-1.5, 3)
fig, ax = plt.subplots(figsize=(7, 3))
bins = np.linspace(-1.5, 3, 60)
ax.hist([margin[plays], margin[~plays]], bins=bins, stacked=True, color=[BLUE, RED], label=["it plays", "it folds"])
ax.axvline(0, color="black", linewidth=0.8)
ax.set(xlabel="EV of playing less that of folding, antes", ylabel="hands", title="The simple strategy's river: most mistakes are close calls")
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# In this sample, all folds of the strategy are right: it plays too often. Three quarters of the loss are small mistakes
# without a hidden pair, with hands that fewer than 21 cards would beat. The costliest hands have a hidden pair that the
# board has made worthless: the board itself contains two higher pairs, so the hidden pair doesn't count, and nearly every
# hand of the dealer is at least as high.
