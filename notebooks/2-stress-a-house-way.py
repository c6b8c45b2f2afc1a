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
# **In this session, you will** read a casino's rules for setting hands as data, find out how much they cost the player
# who follows them, change one of the rules, and compute the exact price of that change.

# %%
import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import check
from houseway import exact

plt.rcParams.update({"figure.figsize": (7, 4.5), "axes.spines.top": False, "axes.spines.right": False})

# %%
way = houseway.HouseWay("trump-plaza")
print(way.title)
for rule in way.rules:
    print(f"{rule.hands / 154_143_080:8.4%}  {rule.text}")

# %% [markdown]
# Every rule has a name, and the package counts the hands that each rule sets. Together, the rules cover all 154,143,080
# hands. A house way that doesn't cover every hand, or that has a rule which is never reached, is rejected. (A *complete
# hand* is a straight, a flush, a straight flush or a royal flush.)
#
# ## What does it cost to follow the house way?
#
# The *regret* of a setting is the EV of the hand's best setting minus the setting's own EV, so it's the amount that the
# player loses by choosing it. The best setting has a regret of 0. The regret of a house way is the mean over all
# hands, which equals the EV of optimal play minus the EV of the house way.
#
# An audit evaluates every setting of every hand against every banker hand, and attributes each hand's loss to the rule
# that set the hand. Nothing is sampled.

# %%
audit = houseway.audit(way)
print(f"EV {audit.ev:+.6f}, best possible {audit.optimal_ev:+.6f}, regret {audit.regret:.6f} of the stake a hand")
print("the regret as a ratio of integers:", audit.exact_regret)

# %%
rules = audit.by_rule()
order = np.argsort(rules["ev_lost"])[-10:]
fig, ax = plt.subplots()
ax.barh(rules["rule"][order], 1000 * rules["ev_lost"][order], color="#3b6ea5")
ax.set(xlabel="EV lost, units per 1,000 games", title="Where Trump Plaza's house way loses")
plt.tight_layout()

# %% [markdown]
# These are the kinds of hands that lose the most, each with the hand for which the mistake costs the most:

# %%
classes = audit.by_class()
for row in range(8):
    print(
        f"{1000 * classes['ev_lost'][row]:.4f} per 1,000 games  {classes['class'][row]:34} e.g. {classes['example'][row]}: "
        f"{classes['plays'][row]} in front, better {classes['best'][row]}"
    )

# %% [markdown]
# ## Published rules leave choices open
#
# Each open choice is a *reading* with several options. The audit computes the price of every option in the same pass.

# %%
for reading in audit.by_reading():
    print(f"{reading['name']} = {reading['option']}: the player's EV changes by {reading['ev_change']:+.7f}")

# %% [markdown]
# How much does each rule contribute? If a rule is removed, its hands fall through to the rules below it.

# %%
for i in np.argsort(rules["ev_change"])[:5]:
    print(f"without '{rules['rule'][i]}': {1000 * rules['ev_change'][i]:+.3f} units per 1,000 games")

# %% [markdown]
# ## Break a rule
#
# A house way is just text, written in a small [rule language](../env/house-ways/LANGUAGE.md). Let's change a line and
# evaluate the game again.

# %%
text = houseway.built_in_ways()["trump-plaza"]
start = text.index('name = "three pairs"')
print(text[start - 9 : text.index("[[rule]]", start)])

# %%
broken = text.replace('play = { front = "high-pair high-pair" }', 'play = { front = "low-pair low-pair" }')
broken = houseway.HouseWay(broken.replace('name = "trump-plaza"', 'name = "three-pairs-lowest-in-front"', 1))
change = exact.solve(broken, way).ev - audit.ev
print(f"{change:+.6f} of the stake a hand, {-1000 * change:.2f} units per 1,000 games")

# %% [markdown]
# ## Exercises
#
# **2.1** Which rule loses the most? How many of the hands that it sets could be set better? List its ten costliest
# kinds of hands (`audit.by_class()`), and describe in words what the rule should say.

# %%
answer = None
check("2.1", answer)

# %% [markdown]
# **2.2** If a hand has a pair of jacks, queens or kings and a pair of twos to sixes, Trump Plaza keeps both pairs
# together if an ace can go in front. Delete the line
# `    { shape = "two pairs", high-pair = "J-K", low-pair = "2-6", single = "A" },` from the text, and give
# the house way another name. How does the EV change, as a ratio of integers? (Call `exact.solve` with the changed house
# way against `way`, and use `exact_ev`.)
# Then write the rule that you described in exercise 2.1, and insert it above the rule that loses the most. Is it an
# improvement?

# %%
answer = None
check("2.2", answer)

# %% [markdown]
# **2.3** A regulator asks, "Is there a hand for which another setting is at least as high in both halves and higher in
# one of them?" Which column answers this question, and how many such hands are there?

# %%
answer = None
check("2.3", answer)

# %% [markdown]
# **2.4** Write a house way with only two rules. (A rule with `play = {}` chooses the highest legal front.) What is its
# regret?
#
# Solutions: `2-stress-a-house-way-solutions`.
