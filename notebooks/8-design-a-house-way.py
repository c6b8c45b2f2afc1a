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
# # 8. Design a house way: how good can a short sheet be?
#
# **You will:** write short lists of rules by hand and get their exact regret; let the program search for the best lists of the same
# length; and price every rule and every cut-off of what it finds.
#
# The sheets of casinos have 22 to 27 rules, and a player who follows one gives away 0.20 to 0.61% of a stake a hand. A dealer would
# like four rules. What do they cost?

# %%
import json
from pathlib import Path

import matplotlib.pyplot as plt

import houseway
from course import check
from houseway import exact

plt.rcParams.update({"figure.figsize": (7, 4.5), "axes.spines.top": False, "axes.spines.right": False})
BLUE, RED, GREY = "#3b6ea5", "#b23a48", "grey"

# %% [markdown]
# ## By hand
#
# A rule is a sentence, a condition on the hand (`when`), and a way to set it (`play`). Rules are tested in order; a hand that a rule
# cannot set as it asks goes to the next one, and of what is left the highest front is taken. `play` may be a list: the second entry is
# for hands that the first cannot set. All words are in the
# [rule language](../env/house-ways/LANGUAGE.md).


# %%
def sheet(name, *rules):
    """A house way of rules given as (sentence, when, play)."""
    rules = [{"name": str(i), "text": text, "when": when, "play": play} for i, (text, when, play) in enumerate(rules, 1)]
    return houseway.HouseWay({"name": name, "title": name, "source": "session 8", "rule": rules})


singles = ("One pair or three of a kind: the two highest singles in front.",
           {"shape": ["one pair", "three of a kind"]}, {"front": "single single"})
complete = ("One pair or three of a kind: a complete hand in back if possible, otherwise the two highest singles in front.",
            {"shape": ["one pair", "three of a kind"]}, [{"back": "complete"}, {"front": "single single"}])
two_pairs = ("Two pairs adding up to 16 or less, with a single ace: both pairs in back.",
             {"shape": "two pairs", "pair-sum": "5-16", "single": "A"}, {"front": "single single"})
last = ("Any other hand: the highest front.", {}, {})
last_complete = ("Any other hand: a complete hand in back if possible, otherwise the highest front.", {}, [{"back": "complete"}, {}])

by_hand = [
    sheet("hand-1", last),
    sheet("hand-2", singles, last),
    sheet("hand-2-complete", complete, last_complete),
    sheet("hand-3", two_pairs, complete, last_complete),
]
for rule in by_hand[-1].rules:
    print(f"{rule.hands:11,} hands  {rule.text}")

# %% [markdown]
# The regret of each, exactly: one pass over all 8,250,459,031,214,400 deals evaluates them all against a banker who plays Trump Plaza's
# way.

# %%
scores = exact.scores(by_hand)
for way, score in zip(by_hand, scores):
    print(f"{way.name:16} {len(way.rules)} rules  regret {100 * score.regret:.4f}%")

# %% [markdown]
# What it competes with was evaluated in the same way for `results/search/player`:

# %%
results = json.loads(Path("../results/search/player/results.json").read_text(encoding="utf-8"))
published = [way for way in results["reference"] if way["rules"]]
for way in sorted(published, key=lambda way: way["regret"]):
    print(f"{way['name']:21} {way['rules']:2} rules  regret {100 * way['regret']:.4f}%")

# %% [markdown]
# One addition, to keep a complete hand together, is worth more than three points. Three sentences by hand then lose little more than the
# worst of the published sheets. What should the fourth sentence be, and where should the cut-offs of the others lie?
#
# ## By search
#
# How would a program find a better list? For a given place in a list and a given way to set, each hand gains or loses a known amount
# against what the list does with it now. The best ranges of ranks for the rule are the box with the greatest sum of these gains, and
# sums over boxes are quick. So lists grow by the best rule at each step, every rule is fitted again, and only the best few lists are
# kept: a *beam search*. What it finds is a house way like any other, and is evaluated like any other.

# %%
found = houseway.search(range(1, 4), width=1)
for way in found.ways:
    print(f"{way.rules} rules: regret {100 * way.regret:.4f}%, and no list of that length is below {100 * way.bound:.4f}%")
for rule in found.ways[-1].per_rule:
    print(f"- {rule.text} ({rule.hands:,} hands)")

# %% [markdown]
# It was told to keep one list for each length (`width=1`), which takes seconds; the search for the lists in `results`, among them
# `houseway-4` to `houseway-20` of the package, kept four. The bound holds for every list of the vocabulary, whatever its conditions
# are. It is far below: the search proves what its lists cost, and not that they are the best.

# %%
fig, ax = plt.subplots()
for points, style, color, label in (
    ([(len(way.rules), score.regret) for way, score in zip(by_hand, scores)], "o", GREY, "by hand"),
    ([(way["rules"], way["regret"]) for way in published], "o", RED, "published"),
    ([(way["rules"], way["regret"]) for way in results["ways"]], "o-", BLUE, "found, in results/search/player"),
):
    ax.plot([rules for rules, _ in points], [100 * regret for _, regret in points], style, color=color, label=label)
ax.plot([way.rules for way in found.ways], [100 * way.regret for way in found.ways], "s", mfc="none", color=BLUE, label="found here")
ax.set(xlabel="rules", ylabel="regret, % of the stake", yscale="log", title="A short sheet can be a good one")
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# ## What a dealer must remember
#
# The price of a rule is what leaving it out loses; the price of a *cut-off* is what moving it by one rank loses. A cut-off that costs
# nothing may as well be a round number.

# %%
best = found.ways[-1]
for rule in best.per_rule:
    without = "the last rule" if rule.ev_without is None else f"without it {100 * (best.ev - rule.ev_without):.4f}% more is lost"
    print(f"{rule.name[:60]}: {without}")
    for limit in rule.limits:
        moved = ["-" if change is None else f"{100 * change:+.4f}%" for change in (limit.lower, limit.higher)]
        print(f"    {limit.name:32} one rank lower {moved[0]:>9}, higher {moved[1]:>9}")

# %% [markdown]
# ## Exercises
#
# **8.1** How many hands does the first rule of `hand-3` set? And with a sum of 18 or less instead of 16? Answer with the difference.

# %%
answer = None
check("8.1", answer)

# %% [markdown]
# **8.2** What does that change of the cut-off gain or lose? Give the change of the EV as a ratio of integers (`policy.exact_ev` of the
# scores).

# %%
answer = None
check("8.2", answer)

# %% [markdown]
# **8.3** Leave the first rule of the list of three rules that the search found out, as a file: `best.toml` is its text. What is the
# regret of the rest, as a ratio of integers? Compare it with the price above.

# %%
answer = None
check("8.3", answer)

# %% [markdown]
# **8.4** Write a list of at most four rules by hand with a regret of at most 0.33%. (`houseway-4` has 0.1406%.)
#
# **8.5** "Which one sentence of our sheet should change, and what is it worth?" Answer for Foxwoods with
# `houseway.search(fix="foxwoods")`, and confirm the gain by two evaluations of your own.
#
# Solutions: `8-design-a-house-way-solutions`.
