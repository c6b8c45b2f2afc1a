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
# # 9. What may three seeds claim?
#
# **In this session, you will** predict from nothing but variances how fast a learner can learn, and check the
# prediction. Then you will let a policy saturate on purpose, so that it stops learning, and repair it. Finally, you
# will find out how much a few training runs prove.
#
# All three parts are about noise: in the rewards, in the policy's own choices, and in the results of whole trainings.

# %%
import json
from math import comb
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import Adam, check, settings_of
from houseway import cards, exact

plt.rcParams.update({"figure.figsize": (7, 3.5), "axes.spines.top": False, "axes.spines.right": False})
BLUE, RED, GREEN, OCHRE, GREY = "#3b6ea5", "#b23a48", "#4a7c59", "#c58b2b", "grey"

# %% [markdown]
# ## The parts of a reward's noise
#
# The reward $r$ of a setting differs from its EV $q$ because of the banker's hand. Some of this luck is common to all
# settings: a strong banker's hand is bad for all of them. The rest is specific to the setting. The split matters,
# because a learner only has to know *differences* between settings, and common luck cancels in a difference if both
# settings are played against the same banker hand. (The use of the same luck on both sides of a comparison is called
# *common random numbers*.)
#
# The rewards of all settings against the same banker hand come from comparing strengths, which are two of the 70
# features from session 3.

# %%
HANDS, DEALS = 400, 1_024
way = houseway.HouseWay("trump-plaza")


def strengths(hands):
    """Return the strengths of the fronts and of the backs of all settings, each with shape (n, 21)."""
    features = settings_of(exact.Batch(hands, {}).observations())
    return features[..., 67].copy(), features[..., 68].copy()


def draw_bankers(hand, rng):
    """Return random hands for the banker, without the player's cards."""
    others = np.setdiff1d(np.arange(53), hand)
    return cards.in_order(others[rng.random((DEALS, 46)).argpartition(7, axis=1)[:, :7]].astype(np.uint8))


def settle(hand, rng):
    """Return the rewards of all settings of a hand against random hands of the banker, with shape (deals, 21)."""
    bankers = draw_bankers(hand, rng)
    rows, set_by = np.arange(DEALS), way.set(bankers)
    front, back = (strength[rows, set_by, None] for strength in strengths(bankers))
    own_front, own_back = strengths(hand[None])
    fronts, backs = own_front > front, own_back > back  # copies go to the banker
    return np.where(fronts & backs, 0.95, np.where(fronts | backs, 0.0, -1.0)).astype(np.float32)


deal = cards.deal(HANDS, seed=9)
counted, rng = exact.hand_ev(deal), np.random.default_rng(1)
q, legal = counted.ev, counted.legal
rewards = np.stack([settle(hand, rng) for hand in deal])
noise = np.where(legal[:, None], rewards - np.nan_to_num(q)[:, None], 0)
variance = np.where(legal, (0.9025 * counted.wins + counted.losses) / exact.BANKER_HANDS - np.nan_to_num(q) ** 2, 0)
off = noise.mean(axis=1)[legal] / np.sqrt(variance[legal] / DEALS)
print(f"the {legal.sum():,} means differ from the exact EVs by {np.sqrt((off**2).mean()):.2f} standard errors (root mean square)")

# %% [markdown]
# The simulator agrees with the exact EVs: one standard error is what noise produces. Since $q$ is exact, the noise $r -
# q$ of every single reward is known, and it can be split. With $k$ legal settings, the deviations from the deal's mean
# over the settings are specific (their squares are divided by $k - 1$), and what remains is shared.

# %%
count = legal.sum(axis=1)
total = (noise**2).sum(axis=2).mean(axis=1) / count
around = np.where(legal[:, None], noise - noise.sum(axis=2, keepdims=True) / count[:, None, None], 0)
specific = (around**2).sum(axis=2).mean(axis=1) / (count - 1)
print(f"variance of a reward {total.mean():.3f}, exactly {(variance.sum(axis=1) / count).mean():.3f} for these hands")
print(f"shared by all settings of a deal {(total - specific).mean():.3f}, specific to a setting {specific.mean():.3f}")

# %% [markdown]
# ## Predict a learning curve
#
# To keep it simple, the learner has one question per hand: *which of these two settings is better?* They are the best
# one and the best of those with a lower EV. The learner sees $n$ deals and takes the setting with the higher mean
# reward. Let $g$ be the exact gap between the two EVs and $s$ the standard error of the estimated difference. A normal
# error is larger than the gap with probability $\Phi(-g/s)$, so the expected regret is
#
# $$\text{regret} = \mathbb{E}_h\big[\,g\;\Phi(-g/s)\,\big].$$
#
# | feedback | of each deal, the learner sees | $s^2$ |
# |---|---|---|
# | bandit | one reward, for the two settings in turn | $2\,(\sigma_1^2 + \sigma_2^2) / n$ |
# | paired | the rewards of both for the same banker hand | $\operatorname{Var}(r_1 - r_2) / n$ |
# | re-dealing | both, each averaged over 16 banker hands | $\operatorname{Var}(r_1 - r_2) / 16\,n$ |

# %%
rows = np.arange(HANDS)
best = np.nanargmax(q, axis=1)
lower = np.where(q < q[rows, best][:, None] - 1e-12, q, -np.inf)
second = lower.argmax(axis=1)
gap = q[rows, best] - q[rows, second]
independent = variance[rows, best] + variance[rows, second]
difference = (rewards[rows, :, best] - rewards[rows, :, second]).astype(np.float64)
paired = difference.var(axis=1)
print(f"gap: median {np.median(gap):.3f}; below 0.001 in {(gap < 0.001).mean():.1%} of hands, below 0.01 in {(gap < 0.01).mean():.0%}")
print(f"variance of one of their rewards {independent.mean() / 2:.3f}")
print(f"variance of their difference: independent deals {independent.mean():.3f}, the same deal {paired.mean():.3f}")
for low, high in ((0, 0.01), (0.01, 0.05), (0.05, 0.2), (0.2, 2)):
    here = (gap >= low) & (gap < high)
    print(f"  gap from {low:4} to {high:4}: {here.mean():4.0%} of hands, variance on the same deal {paired[here].mean():.3f}")

# %% [markdown]
# The last lines are important. Settings with a small gap are often *similar*: few banker hands tell them apart, so the
# difference of their rewards is nearly always zero and has a small variance. A prediction from the mean variance would
# ignore that. We predict both ways, measure the regret on the simulated deals, and compare.

# %%
MANY = 16
N = 2 ** np.arange(1, 11)


def normal_below(z):
    """Return the distribution function of the normal distribution (Abramowitz and Stegun 26.2.17)."""
    t = 1 / (1 + 0.2316419 * np.abs(z))
    tail = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * t * np.polyval([1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530], t)
    return np.where(z < 0, tail, 1 - tail)


def predicted(variance, n):
    """Return the expected regret if the estimated difference has this variance, divided by n."""
    return (gap * normal_below(-gap / np.sqrt(np.maximum(variance / n, 1e-12)))).mean()


def measured(kind, n):
    """Return the mean regret after n deals, over all blocks of n deals."""
    one, other = (rewards[rows, :, setting].astype(np.float64) for setting in (best, second))
    if kind == "bandit":  # the first half of a block's deals is used for one setting, the rest for the other
        blocks = [it.reshape(HANDS, -1, 2, n // 2) for it in (one, other)]
        estimate = blocks[0][:, :, 0].mean(axis=2) - blocks[1][:, :, 1].mean(axis=2)
    else:
        size = n if kind == "paired" else n * MANY
        estimate = (one - other).reshape(HANDS, -1, size).mean(axis=2)
    wrong = (estimate < -1e-9) + 0.5 * (np.abs(estimate) <= 1e-9)  # a tie is broken at random
    return (gap[:, None] * wrong).mean()


kinds = {"bandit": (2 * independent, RED, N), "paired": (paired, BLUE, N), "re-dealing": (paired / MANY, GREEN, N[N <= DEALS // MANY])}
curves = {}
for kind, (variance, color, sizes) in kinds.items():
    curves[kind] = np.array([[predicted(variance, n), predicted(variance.mean(), n), measured(kind, n)] for n in sizes])
    for n, (own, mean, found) in zip(sizes, curves[kind]):
        if n in (4, 64, 1_024):
            print(f"{kind:10} {n:5,} deals: predicted {own:.4f}, with the mean variance {mean:.4f}, measured {found:.4f}")

# %%
fig, ax = plt.subplots()
for kind, (_, color, sizes) in kinds.items():
    ax.plot(sizes, curves[kind][:, 0], color=color, label=f"{kind}, predicted")
    ax.plot(sizes, curves[kind][:, 2], color=color, linestyle="none", marker="o", markersize=4, label=f"{kind}, measured")
ax.set(xlabel="deals of a hand", ylabel="regret", xscale="log", yscale="log", title="Learning curves from variances alone")
ax.legend(frameon=False, fontsize=8)
plt.tight_layout()

# %% [markdown]
# The prediction with each hand's own variance holds for all three kinds of feedback, and no learning was needed for it.
# (It's too low for a handful of deals, because the mean of a few rewards isn't normal.) The mean variance is misleading:
# for pairs, it predicts several times the regret that remains after many deals.
#
# From 16 deals on, deals with both settings are worth at least ten times as many deals with one of them, because the
# shared luck cancels and each deal counts for both. Averaging over banker hands divides the variance once more. A
# network shares what it learns between hands, so it needs far fewer deals per hand, but the order is the same: in
# `results/methods`, ten policy gradients learn from each kind of feedback, all with about the same number of hands.
# There, re-dealing averages over 24 banker hands. *Full information* is the rewards of all settings for the same banker
# hand, and *exact labels* are the EVs.

# %%
def read_results(name):
    """Return the regrets of the trained agents in a folder of `results/`, by method."""
    agents, found = json.loads(Path(f"../results/{name}/results.json").read_text())["agents"], {}
    for agent in agents:
        method, _, seed = agent["name"].partition(", seed ")
        if seed:
            found.setdefault(method, []).append(agent["regret"])
    return {method: np.array(regrets) for method, regrets in found.items()}


methods = read_results("methods")
agents = {"bandit": "one", "paired": "two", "full information": "all", "re-dealing": "re-dealing", "exact labels": "exact"}
feedback = {kind: methods[f"{agent}-policy-gradient"] for kind, agent in agents.items()}
for kind, regrets in feedback.items():
    print(f"{kind:16} regret of {len(regrets)} seeds: median {np.median(regrets):.4%}, from {regrets.min():.4%} to {regrets.max():.4%}")

# %% [markdown]
# ## A policy that stops asking
#
# The noise of a policy gradient also depends on the policy, because it only learns about the actions that it takes. In
# Asian Stud, the player and the dealer have five cards each, and a hand's value comes from the points of its cards. The
# player sees only their own cards and then folds (and loses the ante) or raises by another ante. Raising is better for
# most hands, but not for all. `exact.asian_stud` knows the EV of raising for each of the 2,708 classes of hands, so the
# regret of a policy is exact.

# %%
asian = exact.asian_stud.solve()
share = asian.hands / asian.hands.sum()
advantage = asian.raise_ev + 1  # over folding, which has an EV of -1
value = np.eye(11)[asian.value]
classes = np.hstack([asian.counts / np.array([5] * 10 + [1]), value, np.ones((len(share), 1))])  # as in the environment
print(f"raising is better with {share[advantage > 0].sum():.1%} of hands, which gains {(share * advantage)[advantage > 0].sum():.3f} antes per hand dealt")
print(f"folding is better with {share[advantage < 0].sum():.1%} of hands; always raising has a regret of {-(share * advantage)[advantage < 0].sum():.5f} antes")


def learn(exploration, entropy, steps=400, lanes=8_192, rate=0.3, seed=3):
    """Train a linear policy by policy gradient.

    Return the mean probability of raising and the regret of the more probable actions after every step.
    """
    env = houseway.HousewayVectorEnv("asian-stud", num_envs=lanes, final_observations=False)
    seen, _ = env.reset(seed=seed)
    theta, rng, baseline, curve = np.zeros(classes.shape[1]), np.random.default_rng(seed), 0.0, []
    adam = Adam([theta])
    for step in range(steps):
        shown = np.hstack([seen["observation"], np.ones((lanes, 1))])
        probability = 1 / (1 + np.exp(-shown @ theta))
        played = (1 - exploration) * probability + exploration / 2  # the probability of raising, with exploration
        raised = rng.random(lanes) < played
        seen, reward, *_ = env.step(raised.astype(np.int64))
        # The gradient of log(probability of the action) with respect to the score of raising.
        slope = (1 - exploration) * probability * (1 - probability) * np.where(raised, 1 / played, -1 / (1 - played))
        surprise = -entropy * probability * (1 - probability) * (shown @ theta)  # the gradient of the entropy
        adam.step([-shown.T @ (slope * (reward - baseline) + surprise) / lanes], rate * (1 - step / steps) + 1e-3)
        baseline += 0.1 * (reward.mean() - baseline)
        scores = classes @ theta
        lost = np.where(scores > 0, np.maximum(-advantage, 0), np.maximum(advantage, 0))
        curve.append([(share / (1 + np.exp(-scores))).sum(), (share * lost).sum()])
    return np.array(curve)


runs = {"saturated": learn(exploration=0.0, entropy=0.0), "repaired": learn(exploration=0.2, entropy=0.1)}
for name, curve in runs.items():
    print(name)
    for step in (10, 50, 400):
        print(f"  step {step:3}: probability of raising {curve[step - 1, 0]:.4f}, regret {curve[step - 1, 1]:.5f} antes")

# %%
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
for (name, curve), color in zip(runs.items(), (RED, BLUE)):
    left.plot(np.arange(1, 401), 1 - curve[:, 0], color=color, label=name)
    right.plot(np.arange(1, 401), curve[:, 1], color=color, label=name)
left.axhline(share[advantage < 0].sum(), color=GREY, linestyle="--", label="optimum")
left.set(xlabel="steps", ylabel="probability of folding", yscale="log", xscale="log")
right.set(xlabel="steps", ylabel="regret in antes", xscale="log", ylim=(0, 0.0025))
left.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# At first, the policy knows nothing about hands, and raising is better on average, so it learns to raise with all of
# them (exercise 9.2). After ten steps, it hardly folds at all. From then on, it sees almost no folds, and the gradient
# of a softmax with two actions is proportional to $\pi(1 - \pi)$. So it stays there, although 18% of the hands should
# be folded: it has *saturated*. Its mean reward is flat, as after a successful training. Only its probabilities give it
# away, which are close to 0 and 1 for nearly all hands.
#
# The repaired run is the same one with two additions. It plays a random action in a fifth of its decisions (an
# *exploration floor*; the gradient divides by the probability with which an action was really played), and an *entropy
# bonus* pulls probabilities back toward 1/2. It never pulls them past 1/2, so it hardly changes which action is more
# probable in the end, and the regret above is that of the more probable actions. Only a policy that draws its actions
# pays for the bonus.
#
# ## What three seeds may claim
#
# A training run is a random experiment too. Its result depends on the seed, and a table with the results of three seeds
# is a sample of size three. The usual summary is the *interquartile mean* (IQM, the mean without the lowest and the
# highest quarter, each rounded down, so that of three runs is the plain mean) with a *bootstrap interval*: draw as many
# runs as there are, with replacement, and take the 2.5th and the 97.5th percentile of the IQM. `houseway stats` does
# the same.

# %%
def iqm(runs):
    """Return the mean over the last axis without the lowest and the highest quarter, which is rounded down."""
    cut = runs.shape[-1] // 4
    return np.sort(runs, axis=-1)[..., cut : runs.shape[-1] - cut].mean(axis=-1)


def bootstrap(runs, rng, resamples=400):
    """Return the ends of the 95% bootstrap interval of the IQM, for each row of runs."""
    count = runs.shape[-1]
    drawn = runs[..., rng.integers(count, size=(resamples, count))]
    return np.percentile(iqm(drawn), [2.5, 97.5], axis=-1)


rng = np.random.default_rng(5)
for kind in ("bandit", "paired", "full information"):
    for size in (3, 5, 10):
        low, high = bootstrap(feedback[kind][:size], rng, 20_000)
        print(f"{kind:16} {size:2} seeds: IQM {iqm(feedback[kind][:size]):.4%}, 95% interval {low:.4%} to {high:.4%}")

# %% [markdown]
# More seeds should give narrower intervals, but two of those of five seeds are wider than those of three, because three
# runs are unlikely to include an unusual one. Does such an interval hold what it promises? Its *coverage* is the
# probability that it contains the true value. To measure it, we need a population of runs whose true value is known. We
# use two:
#
# - *lognormal*: runs that differ by noise only, with the spread of the ten bandit runs;
# - *collapse*: runs like those of a policy gradient in Asian Stud that has no remedy but four times as many steps. Some
#   learn to fold, and the others always raise. We draw from its five runs in `results/asian-stud`.

# %%
spread = np.log(feedback["bandit"]).std(ddof=1)
stud = read_results("asian-stud")["only-more-steps"]
print("Asian Stud, five seeds: regret in antes " + "  ".join(f"{regret:.5f}" for regret in np.sort(stud)))
populations = {
    "lognormal": lambda size, rng: np.exp(spread * rng.normal(size=size)),
    "collapse": lambda size, rng: rng.choice(stud, size=size),
}
SAMPLES = 2_000
held = {}
for name, draw in populations.items():
    truth = iqm(draw((1, 400_000), rng))[0]
    for size in (3, 5, 10, 30):
        ends = bootstrap(draw((SAMPLES, size), rng), rng)
        held[name, size] = ((ends[0] <= truth) & (truth <= ends[1])).mean()
        print(f"{name:10} {size:2} seeds: the 95% interval holds the true IQM in {held[name, size]:.0%} of cases")

# %%
fig, ax = plt.subplots()
for (name, _), color in zip(populations.items(), (BLUE, RED)):
    ax.plot((3, 5, 10, 30), [held[name, size] for size in (3, 5, 10, 30)], marker="o", color=color, label=name)
ax.axhline(0.95, color=GREY, linestyle="--", label="promised")
ax.set(xlabel="seeds", ylabel="intervals that hold the truth", xscale="log", ylim=(0.5, 1), title="95% in name only")
ax.set_xticks([3, 5, 10, 30], ["3", "5", "10", "30"])
ax.set_xticks([], minor=True)
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# Intervals of three seeds promise 95%, but hold the truth in about three quarters of the cases. If most runs of a
# method collapse, three seeds often show nothing else: all three end alike, the interval has no width at all, and it's
# wrong. If few do, three seeds often show none of it (exercise 9.4). Therefore:
#
# - With three seeds, show all three results and their range, and claim no more than "about this large". Whether a method
#   *always* works, or is better by less than the spread of its runs, can't be said.
# - Intervals of ten seeds come close to what they promise.
# - If all $n$ runs were fine, the probability of a collapse may still be as large as about $3/n$ (the *rule of three*, a
#   95% limit for ten runs or more).
#
# The regret of each run in these results is exact, so all of this noise comes from training. In most of reinforcement
# learning, the noise of the evaluation is added to it.
#
# ## Exercises
#
# **9.1** In bandit feedback, how many deals does it take to tell the two best settings of `As Kd 9h 9c 7s 5d 3h` apart, so
# that the gap is at least two standard errors of the difference? Each of the two settings is played in every other deal.
# Answer with the smallest even number of deals. (Compute with `one.exact` and fractions. A win pays 19/20.)

# %%
answer = None
check("9.1", answer)

# %% [markdown]
# **9.2** Before the training in Asian Stud, every hand is raised with probability $\pi = 1/2$. The derivative of the
# policy's value with respect to the bias, which is the last weight, is $\mathbb{E}_h[\pi (1 - \pi)\, A(h)]$, where $A$ is
# the advantage of raising. What is it, as a ratio of integers? (Use `asian.hands`, `asian.gains` and
# `asian.denominator`, and Python integers.) How large is it if $\pi = 0.9997$ for every hand?

# %%
answer = None
check("9.2", answer)

# %% [markdown]
# **9.3** With three seeds, the 95% bootstrap interval of the mean reaches from the lowest regret to the highest one,
# because the probability of drawing the run with the lowest regret three times is 1/27 and therefore more than 2.5%.
# What is the probability that this interval holds the *median* of the population, as a ratio of integers? (The runs are
# independent and have no ties.)

# %%
answer = None
check("9.3", answer)

# %% [markdown]
# **9.4** One of the ten policy gradients in `results/joker-seven`, a game of wagers, ends with the second-best wager,
# and the others with the best one. What is the probability that three of the ten, chosen at random without replacement,
# all look fine, as a ratio of integers? (`comb` helps.) How large is it if three of ten are bad?

# %%
answer = None
check("9.4", answer)

# %% [markdown]
# **9.5** Suppose that $s$ is the same for all hands and that gaps near zero have the density $f$. Show that the regret
# is about $f s^2 / 4$ for small $s$. Estimate $f$ from 4,000 hands. Is it constant near zero? How many deals per hand
# does it take in bandit feedback until the regret is 1% of the house way's (0.0028% of the stake)?
#
# **9.6** Which of the two remedies repairs the policy, the exploration or the entropy bonus? Try each of them alone, and
# explain the result with the gradient. Can a policy be repaired that has already saturated?
#
# Solutions: `9-what-may-three-seeds-claim-solutions`.
