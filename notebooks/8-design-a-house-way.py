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
# **In this session, you will** write short lists of rules by hand and compute their exact regret. Then you will let the
# program search for the best lists with the same length, and find out the price of every rule and every cut-off.
#
# The casinos' sheets below have 22 to 27 rules, and a player who follows one of them has a regret of 0.20 to 0.61% of
# the stake. A dealer would prefer to have four rules. How much would that cost?

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
# A rule consists of a sentence, a condition on the hand (`when`), and a way to set the hand (`play`). The rules are
# tested in order. If a rule can't set a hand in the way it asks for, the next rule is tested. If several settings are
# left, the one with the highest front is chosen. `play` can also be a list, in which the second entry is for hands that
# the first one can't set. All words are documented in the [rule language](../env/house-ways/LANGUAGE.md).


# %%
def sheet(name, *rules):
    """Return a house way with these rules, each given as (sentence, when, play)."""
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
# Let's compute their exact regret. A single pass over all 8,250,459,031,214,400 deals evaluates all of them against a
# banker who uses Trump Plaza's house way.

# %%
scores = exact.scores(by_hand)
for way, score in zip(by_hand, scores):
    print(f"{way.name:16} {len(way.rules)} rules  regret {100 * score.regret:.4f}%")

# %% [markdown]
# The house ways that casinos and authors have published have been evaluated in the same way for
# `results/search/player`:

# %%
results = json.loads(Path("../results/search/player/results.json").read_text(encoding="utf-8"))
published = [way for way in results["reference"] if way["rules"]]
for way in sorted(published, key=lambda way: way["regret"]):
    print(f"{way['name']:21} {way['rules']:2} rules  regret {100 * way['regret']:.4f}%")

# %% [markdown]
# A single addition, keeping complete hands (straights, flushes, straight flushes and royal flushes) together, gains
# more than three percentage points. With three sentences written by hand, we lose only a little more than the worst
# published sheet. What should the fourth sentence be, and where should the cut-offs in the other sentences be? (A
# *cut-off* is a limit in a condition, such as the sum of 16.)
#
# ## By search
#
# How would a program find a better list? For a given position in the list and a given way to set hands, each hand gains
# or loses a known amount compared with what the list currently does with it. The best ranges of ranks for the rule are
# the box with the largest sum of these gains, and sums over boxes are fast to compute. This is used in a *beam search*:
# in each step, the lists grow by the best rule, all other rules are fitted again, and only the best few lists are kept.
# The result is a normal house way and is evaluated like any other.

# %%
found = houseway.search(range(1, 4), width=1)
for way in found.ways:
    print(f"{way.rules} rules: regret {100 * way.regret:.4f}%, and no list of that length is below {100 * way.bound:.4f}%")
for rule in found.ways[-1].per_rule:
    print(f"- {rule.text} ({rule.hands:,} hands)")

# %% [markdown]
# With `width=1`, the search keeps only one list for each length, which takes seconds. The search for the lists in
# `results`, which include the package's `houseway-4` to `houseway-20`, kept four. The bound holds for every list of
# this length that can be written with the same words, whatever its conditions are. It's much lower than the regret of
# the lists. So the regrets of the lists are exact, but the bound doesn't prove that they are the best ones, and better
# lists may exist. (Those in `results` are an example.)

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
# ## What a dealer has to remember
#
# The price of a rule is how much is lost if you leave it out. The price of a *cut-off* is how much is lost if you move
# it by one rank. If a cut-off costs nothing to move, you may as well choose a round number.

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
# **8.1** How many hands does the first rule of `hand-3` set? How many hands would it set with a sum of 18 or less
# instead of 16? Answer with the difference.

# %%
answer = None
check("8.1", answer)

# %% [markdown]
# **8.2** How much is gained or lost by moving the cut-off like this? Give the change in EV as a ratio of integers
# (`policy.exact_ev` of the scores).

# %%
answer = None
check("8.2", answer)

# %% [markdown]
# **8.3** Take the list of three rules that the search found, and remove its first rule from the file (`best.toml`
# contains the text). What is the regret of the remaining rules, as a ratio of integers? Compare it with the price shown
# above.

# %%
answer = None
check("8.3", answer)

# %% [markdown]
# **8.4** Write a list with at most four rules by hand that has a regret of at most 0.33%. (For comparison, `houseway-4`
# has 0.1406%.)
#
# **8.5** "Which sentence of our sheet should we change, and how much would that gain?" Answer this question for
# Foxwoods with `houseway.search(fix="foxwoods")`, and confirm the gain with two evaluations of your own.
#
# Solutions: `8-design-a-house-way-solutions`.
