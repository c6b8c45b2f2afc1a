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
# # 8. Design a house way: solutions

# %%
import houseway
from course import check
from houseway import exact


def sheet(name, *rules):
    """Return a house way with these rules, each given as (sentence, when, play)."""
    rules = [{"name": str(i), "text": text, "when": when, "play": play} for i, (text, when, play) in enumerate(rules, 1)]
    return houseway.HouseWay({"name": name, "title": name, "source": "session 8", "rule": rules})


def two_pairs(most):
    return (f"Two pairs adding up to {most} or less, with a single ace: both pairs in back.",
            {"shape": "two pairs", "pair-sum": f"5-{most}", "single": "A"}, {"front": "single single"})


complete = ("One pair or three of a kind: a complete hand in back if possible, otherwise the two highest singles in front.",
            {"shape": ["one pair", "three of a kind"]}, [{"back": "complete"}, {"front": "single single"}])
last = ("Any other hand: a complete hand in back if possible, otherwise the highest front.", {}, [{"back": "complete"}, {}])
lists = [sheet(f"to-{most}", two_pairs(most), complete, last) for most in (16, 18)]

# %% [markdown]
# ## 8.1 How many hands a rule sets

# %%
hands = [way.rules[0].hands for way in lists]
check("8.1", hands[1] - hands[0])
print(f"{hands[0]:,} and {hands[1]:,} hands")

# %% [markdown]
# ## 8.2 to 8.4 in a single pass
#
# In addition to the list of three rules without its first one, we evaluate a list of four rules written by hand. It
# keeps low pairs together if an ace or a king can go in front, gives up a complete hand if a high pair comes with good
# singles, and has a last rule that first tries to put the two highest singles in front.

# %%
found = houseway.search(range(1, 4), width=1)
best = found.ways[-1]
rules = best.toml.split("[[rule]]")
rest = houseway.HouseWay("[[rule]]".join([rules[0].replace(best.way.name, "rest", 1), *rules[2:]]))
careful = ("One pair of nines or higher, with a single king or ace: a complete hand in back if the front is then queen-high or better, "
           "otherwise the two highest singles in front.",
           {"shape": "one pair", "pair": "9-A", "single": "K-A"},
           [{"back": "complete", "front-at-least": "Q"}, {"front": "single single"}])
low_pairs = ("Two pairs adding up to 17 or less, the higher one queens or lower, with a single ace: both pairs in back.",
             {"shape": "two pairs", "high-pair": "2-Q", "pair-sum": "5-17", "single": "A"}, {"front": "single single"})
kept = ("One pair or three of a kind, or two pairs adding up to 10 or less with a single king or ace: a complete hand in back if possible, "
        "otherwise the two highest singles in front.",
        [complete[1], {"shape": "two pairs", "pair-sum": "5-10", "single": "K-A"}], complete[2])
last_singles = ("Any other hand: the two highest singles in front of a complete hand if possible, otherwise the highest front.", {},
                [{"front": "single single", "back": "complete"}, {}])
four = sheet("four", low_pairs, careful, kept, last_singles)
scores = exact.scores([*lists, rest, four])
change = scores[1].policy.exact_ev - scores[0].policy.exact_ev
check("8.2", change)
check("8.3", found.exact_best_ev - scores[2].policy.exact_ev)
print(f"the cut-off: {100 * float(change):+.4f}% of the stake")
print(f"without the first rule: {100 * scores[2].regret:.4f}% lost, the price of the rule was {100 * (best.ev - best.per_rule[0].ev_without):.4f}%")
print(f"four rules by hand: {100 * scores[3].regret:.4f}% lost")

# %% [markdown]
# ## 8.5 A single sentence in Foxwoods' sheet

# %%
(changed,) = houseway.search(fix="foxwoods", width=1)
for step in changed.changes:
    print(f"{step.kind}: {step.rule or ''}\n    {step.text or ''}")
before, after = exact.scores([houseway.HouseWay("foxwoods"), changed.way])
assert after.policy.exact_ev - before.policy.exact_ev == changed.exact_ev_change
print(f"gain {100 * changed.ev_change:.4f}% of the stake: regret {100 * before.regret:.4f}% before, {100 * after.regret:.4f}% after")
