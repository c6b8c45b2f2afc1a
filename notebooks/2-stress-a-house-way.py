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
from course import check
from houseway import exact

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
#
# The *regret* of a setting is the EV of the best setting of the hand less its own EV: what the player gives away by choosing it.
# The best setting has regret 0. The regret of a house way is the mean over all hands, so it is the EV of optimal play less the EV of
# the way.
#
# An audit counts every setting of every hand against every banker hand, and puts the loss of each hand down to the rule that set
# it. Nothing is sampled.

# %%
audit = houseway.audit(way)
print(f"EV {audit.ev:+.6f}, best possible {audit.optimal_ev:+.6f}, given away {audit.regret:.6f} of the stake a hand")
print("given away, as a ratio of integers:", audit.exact_regret)

# %%
rules = audit.by_rule()
order = np.argsort(rules["ev_lost"])[-10:]
fig, ax = plt.subplots()
ax.barh(rules["rule"][order], 1000 * rules["ev_lost"][order], color="#3b6ea5")
ax.set(xlabel="given away, units per 1,000 games", title="Where Trump Plaza's house way loses")
plt.tight_layout()

# %% [markdown]
# The kinds of hands that lose most, each with the hand that shows it best:

# %%
classes = audit.by_class()
for row in range(8):
    print(
        f"{1000 * classes['ev_lost'][row]:.4f} per 1,000 games  {classes['class'][row]:34} e.g. {classes['example'][row]}: "
        f"{classes['plays'][row]} in front, better {classes['best'][row]}"
    )

# %% [markdown]
# ## A published text leaves choices open
#
# Each open choice is a *reading* with options; the audit prices all of them in the same pass.

# %%
for reading in audit.by_reading():
    print(f"{reading['name']} = {reading['option']}: the player's EV changes by {reading['ev_change']:+.7f}")

# %% [markdown]
# And what is each rule worth? Without it, its hands fall to the rules below it.

# %%
for i in np.argsort(rules["ev_change"])[:5]:
    print(f"without '{rules['rule'][i]}': {1000 * rules['ev_change'][i]:+.3f} units per 1,000 games")

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
broken = houseway.HouseWay(broken.replace('name = "trump-plaza"', 'name = "three-pairs-lowest-in-front"', 1))
change = exact.solve(broken, way).ev - audit.ev
print(f"{change:+.6f} of the stake a hand, {-1000 * change:.2f} units per 1,000 games")

# %% [markdown]
# ## Exercises
#
# **2.1** Which single rule loses most? How many of the hands that it sets does it set worse than possible? List its ten costliest
# kinds of hands (`audit.by_class()`) and say in words what the rule should say.

# %%
answer = None
check("2.1", answer)

# %% [markdown]
# **2.2** Trump Plaza keeps two pairs of jacks to kings and twos to sixes together if an ace goes in front. Delete that line,
# `    { shape = "two pairs", high-pair = "J-K", low-pair = "2-6", single = "A" },` of the text. What is the change of the EV, as a ratio of
# integers? (`exact.solve` of the changed way against `way`; `exact_ev`.) Then write an improvement of your own.

# %%
answer = None
check("2.2", answer)

# %% [markdown]
# **2.3** A regulator asks: "is there a hand on which another setting is no lower in either half and higher in one?" Which column
# says so, and how many hands are there?

# %%
answer = None
check("2.3", answer)

# %% [markdown]
# **2.4** The smallest house way that you can write: two rules. What does it give away?
#
# Solutions: `2-stress-a-house-way-solutions`.
