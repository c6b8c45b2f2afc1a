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
# # 2. Stress-testing a house way: break a rule and see the price
#
# **You will:** read a casino's rules for setting hands as data, find out what they cost the player who follows them, change
# one, and get the exact price of the change.

# %%
import matplotlib.pyplot as plt
import numpy as np

import houseway
from houseway import cards, exact

plt.rcParams.update({"figure.figsize": (7, 4.5), "axes.spines.top": False, "axes.spines.right": False})

# %%
way = houseway.HouseWay("trump-plaza")
print(way.title)
for rule in way.rules:
    print(f"{rule.hands / 154_143_080:8.4%}  {rule.text}")

# %% [markdown]
# Every rule has a name, and the hands that it sets are counted: together all 154,143,080. A way that left a hand out, or held a
# rule that is never reached, would be refused.
#
# ## What does following it cost?

# %%
score = exact.score(way)
print(f"EV {score.ev:+.6f}, best possible {score.optimum.ev:+.6f}, given away {score.regret:.6f} of the stake a hand")
print(f"the way plays as well as can be on {score.agreement:.1%} of hands")

# %% [markdown]
# Where? Regret by rule, on a sample of hands with exact values.

# %%
hands = cards.deal(40_000, seed=5)
values = exact.hand_ev(hands)
regret = values.regret(way.set(hands))
names = np.array(way.rule_of(hands))
lost = {name: regret[names == name].sum() / len(hands) for name in np.unique(names)}
worst = sorted(lost, key=lost.get)[-10:]
fig, ax = plt.subplots()
ax.barh(worst, [1000 * lost[name] for name in worst], color="#3b6ea5")
ax.set(xlabel="given away, units per 1,000 games", title="Where Trump Plaza's house way loses")
plt.tight_layout()

# %% [markdown]
# The single hand that loses most:

# %%
i = int(regret.argmax())
for what, setting in (("the way", way.set(hands[i : i + 1])[0]), ("the optimum", values.best[i])):
    front, back = cards.front_and_back(hands[i], setting)
    print(f"{what:12} front {front:6} back {back:15} EV {values.ev[i, setting]:+.4f}")

# %% [markdown]
# ## A published text leaves choices open
#
# Each open choice is a *reading* with options; the price of another option is the difference of two counts.

# %%
base = exact.solve(way, way)
for name, reading in way.readings.items():
    for option in reading.options:
        if option != reading.chosen:
            other = houseway.HouseWay("trump-plaza", readings={name: option})
            change = exact.solve(other, way).exact_ev - base.exact_ev
            print(f"{name} = {option}: the player's EV changes by {float(change):+.7f}")

# %% [markdown]
# ## Break a rule
#
# A house way is a text. Change a line, count again.

# %%
text = houseway.built_in_ways()["trump-plaza"]
start = text.index('name = "three pairs"')
print(text[start - 9 : text.index("[[rule]]", start)])

# %%
broken = text.replace('play = { front = "high-pair high-pair" }', 'play = { front = "low-pair low-pair" }')
broken = houseway.HouseWay(broken.replace('name = "trump-plaza"', 'name = "three pairs, lowest in front"', 1))
change = exact.solve(broken, way).ev - base.ev
print(f"{change:+.6f} of the stake a hand, {-1000 * change:.2f} units per 1,000 games")

# %% [markdown]
# ## Exercises
#
# 1. Which single rule could be improved most? Use `regret` and `names` to find the ten costliest hands of that rule and say in
#    words what the rule should say.
# 2. Write your improvement into the text, and count the gain exactly.
# 3. A regulator asks: "is there a hand on which the way is beaten by another setting in *both* halves?" What in `HandEv` would
#    show that (think of wins and losses)? Look for one.
# 4. The smallest house way that you can write: three rules. What does it give away?
