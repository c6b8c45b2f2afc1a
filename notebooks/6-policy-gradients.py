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
# # 6. From bandits to policy gradients
#
# **You will:** play one hand as a multi-armed bandit and measure three learners by their exact regret; derive the policy gradient,
# and check the sampled gradient against the exact one; train a policy for all hands from rewards alone; and extend it to a game of
# several decisions.
#
# The usual trouble with reinforcement learning is that nobody knows the right answer. Here it is known to the last deal, so a learner
# cannot look better than it is.

# %%
import matplotlib.pyplot as plt
import numpy as np

import houseway
from course import FEATURES, Adam, check, settings_of
from houseway import cards, exact

plt.rcParams.update({"figure.figsize": (7, 3.5), "axes.spines.top": False, "axes.spines.right": False})
BLUE, RED, GREEN, GREY = "#3b6ea5", "#b23a48", "#4a7c59", "grey"

# %% [markdown]
# ## A hand is a bandit
#
# Hold `Qs Qd 5h 5c As 9d 2c` fixed, and deal the banker's hand again and again. Each legal setting is an *arm*: pulling it pays 0.95, 0
# or −1 with probabilities that are ratios of integers. The learner sees only the reward of the arm that it pulls.

# %%
one = exact.hand_ev("Qs Qd 5h 5c As 9d 2c")
arms = np.flatnonzero(one.legal[0])
win, lose = one.wins[0, arms] / exact.BANKER_HANDS, one.losses[0, arms] / exact.BANKER_HANDS
value = 0.95 * win - lose
for arm in np.argsort(-value)[:4]:
    front, back = cards.front_and_back(one.hands[0], arms[arm])
    print(f"front {front:6} EV {value[arm]:+.4f}, standard deviation {np.sqrt(0.9025 * win[arm] + lose[arm] - value[arm] ** 2):.3f}")
print(f"{len(arms)} arms; the best two are {np.sort(value)[-1] - np.sort(value)[-2]:.4f} apart, less than a tenth of a standard deviation")

# %% [markdown]
# Three learners, 200 runs of each side by side:
#
# - **ε-greedy** pulls the arm with the best mean so far, and with probability ε = 0.1 any arm;
# - **UCB** pulls the arm with the highest upper confidence bound, mean + √(2 ln t / n);
# - **the gradient bandit** keeps a preference $H_a$ for each arm, pulls $a$ with probability $\pi_a \propto e^{H_a}$, and moves the
#   preferences by $\alpha\,(r - \bar r)\,(1_{a} - \pi)$, where $\bar r$ is the mean reward so far.
#
# The *regret* of a pull is the EV of the best arm less the EV of the arm pulled: it is computed, not sampled.

# %%
RUNS, PULLS = 200, 4_000
rows = np.arange(RUNS)


def epsilon_greedy(counts, means, t, rng):
    explore = rng.random(RUNS) < 0.1
    return np.where(explore, rng.integers(len(arms), size=RUNS), means.argmax(axis=1))


def ucb(counts, means, t, rng):
    with np.errstate(divide="ignore"):
        return (means + np.sqrt(2 * np.log(t + 2) / counts)).argmax(axis=1)


def gradient(counts, means, t, rng):
    return (preferences + rng.gumbel(size=preferences.shape)).argmax(axis=1)  # a draw from the softmax


curves = {}
for learner in (epsilon_greedy, ucb, gradient):
    rng = np.random.default_rng(1)
    counts, means, preferences = (np.zeros((RUNS, len(arms))) for _ in range(3))
    baseline, regret = np.zeros(RUNS), np.zeros(PULLS)
    for t in range(PULLS):
        arm = learner(counts, means, t, rng)
        luck = rng.random(RUNS)
        reward = np.where(luck < win[arm], 0.95, np.where(luck < win[arm] + lose[arm], -1.0, 0.0))
        regret[t] = (value.max() - value[arm]).mean()
        counts[rows, arm] += 1
        means[rows, arm] += (reward - means[rows, arm]) / counts[rows, arm]
        chances = np.exp(preferences - preferences.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        step = -chances
        step[rows, arm] += 1
        preferences += 0.1 * (reward - baseline)[:, None] * step
        baseline += (reward - baseline) / (t + 1)
    curves[learner.__name__] = regret
    print(f"{learner.__name__:15} regret of a pull: first 100 {regret[:100].mean():.3f}, last 500 {regret[-500:].mean():.3f}")

# %%
fig, ax = plt.subplots()
for (name, regret), color in zip(curves.items(), (GREEN, RED, BLUE)):
    ax.plot(np.arange(25, PULLS, 50), regret.reshape(-1, 50).mean(axis=1), color=color, label=name.replace("_", "-"))
ax.set(xlabel="pulls", ylabel="regret of a pull", ylim=(0, None), title="One hand as a bandit, mean of 200 runs")
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# Two arms that lie less than a tenth of a standard deviation apart take thousands of pulls to tell apart. A game has 154,143,080 hands: a
# bandit for each is hopeless. What is learned about one hand must carry over to others.
#
# ## The policy gradient
#
# Let a policy with parameters $\theta$ play setting $a$ of hand $h$ with probability
# $\pi_\theta(a \mid h) \propto e^{\theta \cdot \phi(h, a)}$, where $\phi$ are the 70 features of session 3. Its value is
# $J(\theta) = \mathbb{E}_h \sum_a \pi_\theta(a \mid h)\, q(h, a)$ with the EVs $q$. As $\nabla \pi = \pi\, \nabla \log \pi$ and
# $\nabla \log \pi_\theta(a \mid h) = \phi(h, a) - \bar\phi(h)$ with $\bar\phi = \sum_a \pi(a)\, \phi(a)$,
#
# $$\nabla J = \mathbb{E}_{h,\; a \sim \pi,\; r}\big[(r - b)\,(\phi(h, a) - \bar\phi(h))\big]$$
#
# for any baseline $b$ that does not depend on the action: one deal and one reward give an unbiased sample of the gradient. That is
# the gradient bandit, with features for arms. Here the expectation on the right can be checked, since $q$ is known exactly.


# %%
def softmax(features, legal, theta):
    """Probabilities of the settings, 0 for fouls."""
    scores = np.where(legal, features @ theta, -np.inf)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    return chances / chances.sum(axis=1, keepdims=True)


def along(features, chances, weights):
    """The mean over hands of the sum of weight times (features less their mean under the policy), over settings."""
    centered = weights - chances * weights.sum(axis=1, keepdims=True)
    return np.tensordot(centered, features, 2) / len(features)


deal = cards.deal(1_000, seed=3)
counted, batch = exact.hand_ev(deal), exact.Batch(deal, {})
features, legal, q = settings_of(batch.observations()).astype(np.float64), batch.legal, np.nan_to_num(counted.ev)
theta = np.random.default_rng(0).normal(size=FEATURES) * 0.3
chances = softmax(features, legal, theta)
true = along(features, chances, chances * q)


def sampled(baseline, rng):
    """The policy gradient from one setting and one reward for each hand, and `all`: from the rewards of all settings."""
    arm = (np.log(np.maximum(chances, 1e-300)) + rng.gumbel(size=chances.shape)).argmax(axis=1)
    own = np.arange(len(deal)), arm
    luck = rng.random(len(deal)) * exact.BANKER_HANDS
    reward = np.where(luck < counted.wins[own], 0.95, np.where(luck < counted.wins[own] + counted.losses[own], -1.0, 0.0))
    weights = np.zeros_like(chances)
    weights[own] = reward - baseline
    return along(features, chances, weights)


rng, mean_value = np.random.default_rng(1), (chances * q).sum(axis=1)
for name, baseline in (("b = 0", 0.0), ("b = 1", 1.0), ("b = value of the policy", mean_value.mean()), ("b = value of the hand", mean_value)):
    draws = np.array([sampled(baseline, rng) for _ in range(300)])
    error, noise = draws.mean(axis=0) - true, draws.std(axis=0, ddof=1)
    print(
        f"{name:24} off by {np.abs(error[noise > 0] / (noise[noise > 0] / np.sqrt(300))).mean():.2f} standard errors, "
        f"noise of one gradient {np.sqrt((noise**2).sum()):.4f}, length of the true one {np.linalg.norm(true):.4f}"
    )

# %% [markdown]
# Every baseline gives the right mean: it is off by about a standard error, as chance has it. Not every baseline is good: the noise
# depends on it, and a baseline for each hand is the least noisy of these. That is what a *critic* is for.
#
# ## Training from rewards alone
#
# 2,048 lanes at a time. One run with no baseline, one with a learned baseline for each hand (a linear function of the mean features of
# its legal settings), and one that may look at the rewards of *all* settings on the same cards, which only a simulator can give
# (`hindsight_action_rewards`).


# %%
def regret_on(theta, features, legal, values):
    """Mean exact regret of the most probable settings."""
    return values.regret(np.where(legal, features @ theta, -np.inf).argmax(axis=1)).mean()


def train(kind, steps=120, lanes=2_048):
    env = houseway.HousewayVectorEnv(num_envs=lanes, copy=False, final_observations=False)
    seen, _ = env.reset(seed=7)
    theta, critic = np.zeros(FEATURES, np.float32), np.zeros(FEATURES, np.float32)
    adam, rng, curve = Adam([theta]), np.random.default_rng(0), []
    for step in range(steps):
        shown, mask = settings_of(seen["observation"]).copy(), seen["action_mask"].astype(bool)
        chances = softmax(shown, mask, theta)
        arm = (np.log(np.maximum(chances, 1e-30)) + rng.gumbel(size=chances.shape)).argmax(axis=1)
        everything = env.hindsight_action_rewards() if kind == "all rewards" else None
        seen, reward, *_ = env.step(arm)
        weights = np.zeros_like(chances)
        if kind == "all rewards":
            weights = chances * everything
        else:
            about = (shown * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
            baseline = about @ critic if kind == "critic" else 0.0
            weights[np.arange(lanes), arm] = reward - baseline
            critic += 0.05 * about.T @ (reward - about @ critic) / lanes
        adam.step([-along(shown, chances, weights)], rate=0.1 * (1 - step / steps) + 0.005)
        if step % 10 == 9:
            curve.append((lanes * (step + 1), regret_on(theta, features, legal, counted)))
    return theta, np.array(curve)


trained = {kind: train(kind) for kind in ("no baseline", "critic", "all rewards")}
way = houseway.HouseWay()
line = counted.regret(way.set(deal)).mean()
fig, ax = plt.subplots()
for (kind, (_, curve)), color in zip(trained.items(), (RED, BLUE, GREEN)):
    ax.plot(curve[:, 0] / 1000, curve[:, 1], color=color, label=kind)
    print(f"{kind:12} regret {curve[-1, 1]:.4f} after {curve[-1, 0]:,.0f} hands")
ax.axhline(line, color=GREY, linestyle="--", label="house way")
ax.set(xlabel="thousands of hands", ylabel="regret on unseen hands", yscale="log", title="Less noise, faster learning")
ax.legend(frameon=False)
plt.tight_layout()

# %% [markdown]
# Less noise ends in a better policy, but all three level off above the house way: a score that is linear in the features cannot say
# everything (exercise 3.4). The regret of each hand is exact; that there are only 1,000 is not. On more hands, with the error that is
# left:

# %%
theta = trained["critic"][0]


def policy(batch):
    return np.where(batch.legal, settings_of(batch.observations()) @ theta, -np.inf).argmax(axis=1)


fresh = cards.deal(5_000, seed=5)
values = exact.hand_ev(fresh)
for name, chosen in (("critic", policy(exact.Batch(fresh, {}))), ("house way", way.set(fresh))):
    regret = values.regret(chosen)
    print(f"{name:9} regret {regret.mean():.4f} ± {regret.std(ddof=1) / np.sqrt(len(fresh)):.4f}")

# %% [markdown]
# `exact.score(policy)` leaves no error: it asks the policy about all 6,972,147 classes of hands, which takes a minute or two (session 3).
#
# ## Several decisions
#
# In Ultimate Texas Hold'em (session 5) up to three decisions lie between the deal and the reward. Nothing changes but the reward: each
# decision is weighted with the *return*, the sum of the rewards until the end of its episode. The baseline is the mean return at the
# stage of the decision (before the flop, flop, river).

# %%
LANES, STEPS, UPDATES = 1_024, 6, 200
env = houseway.HousewayVectorEnv("ultimate-holdem", num_envs=LANES, observation="features", final_observations=False)
seen, _ = env.reset(seed=11)
width, actions = env.single_observation_space["observation"].shape[0], env.single_action_space.n
weights, baseline, curve = np.zeros((width + 1, actions)), np.zeros(3), []
adam, rng = Adam([weights]), np.random.default_rng(0)
for update in range(UPDATES):
    played, ended = [], []
    for _ in range(STEPS):
        shown = np.hstack([seen["observation"], np.ones((LANES, 1), np.float32)])
        scores = np.where(seen["action_mask"], shown @ weights, -np.inf)
        action = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        seen, reward, over, _, _ = env.step(action)
        played.append((shown, chances / chances.sum(axis=1, keepdims=True), action, reward))
        ended.append(over)
    # Backwards: the return of a decision is known once its episode has ended; the last ones of unfinished episodes are left out.
    returns, known, gradient, total, hands = np.zeros(LANES), np.zeros(LANES, bool), np.zeros_like(weights), 0.0, 0
    for (shown, chances, action, reward), over in zip(played[::-1], ended[::-1]):
        returns = reward + np.where(over, 0.0, returns)
        known |= over
        stage = shown[:, :3].argmax(axis=1)
        step = -chances
        step[np.arange(LANES), action] += 1
        gradient += shown.T @ (step * ((returns - baseline[stage]) * known)[:, None])
        for s in range(3):
            here = known & (stage == s)
            baseline[s] += 0.1 * (returns[here].mean() - baseline[s]) if here.any() else 0.0
        total, hands = total + reward[over].sum(), hands + over.sum()
    adam.step([-gradient / (LANES * STEPS)], rate=0.05 * (1 - update / UPDATES) + 0.002)
    curve.append(total / hands)

# %%
OPTIMUM = -0.0218501  # session 5 counts it
smooth = np.array(curve).reshape(-1, 10).mean(axis=1)
fig, ax = plt.subplots()
ax.plot(np.arange(5, UPDATES, 10), smooth, color=BLUE, label="policy gradient, as it plays")
ax.axhline(OPTIMUM, color=GREY, linestyle="--", label="optimum")
ax.set(xlabel="updates", ylabel="mean return, antes", title="Ultimate Texas Hold'em from rewards alone")
ax.legend(frameon=False)
plt.tight_layout()
print(f"first 10 updates {smooth[0]:+.2f}, last 10 {smooth[-1]:+.2f} antes a hand; the optimum {OPTIMUM:+.4f}")

# %% [markdown]
# ## Exercises
#
# **6.1** A player chooses each of the legal settings of `Qs Qd 5h 5c As 9d 2c` with equal probability. The EV, as a ratio of integers
# (`one.exact`)? It is the value of the gradient bandit before its first pull.

# %%
answer = None
check("6.1", answer)

# %% [markdown]
# **6.2** The variance of the reward of the best arm of that hand, as a ratio of integers. (A win pays 19/20.) How many pulls are needed to
# tell it from the second best with an error of two standard deviations?

# %%
answer = None
check("6.2", answer)

# %% [markdown]
# **6.3** The policy of the gradient bandit is uniform before its first pull. Write the exact gradient of its value with respect to the
# preference of the best arm: $\pi_a\,(q_a - \sum_b \pi_b q_b)$, as a ratio of integers.

# %%
answer = None
check("6.3", answer)

# %% [markdown]
# **6.4** The baseline that makes the noise least is not the value of the policy. Derive it, and measure the gain.
#
# **6.5** Replace the linear score by the network of session 3 (`Scorer.backward` takes the gradient with respect to the scores). How
# near does it come to the house way's regret, and how many hands does it take?
#
# Solutions: `6-policy-gradients-solutions`.
