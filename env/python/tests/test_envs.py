"""Tests for single environments, using Gymnasium's checker and covering what it doesn't check."""

import pydoc
import re
from pathlib import Path

import gymnasium
import houseway
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from houseway._render import picture

TABLE = "houseway/PaiGowTable-v0"
IDS = [f"houseway/{versioned}" for versioned in houseway._core.GAMES.values()]
NAMES = list(houseway._core.GAMES)
ENCODINGS = houseway._core.ENCODINGS


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("render_mode", ["human", "ansi", "rgb_array"])
def test_gymnasium_checks_every_game(env_id: str, render_mode: str) -> None:
    # The checker samples an action before it resets, so the action may be illegal, such as passing the bank when a bet
    # is due.
    check_env(gymnasium.make(env_id, render_mode=render_mode, illegal="lowest_legal").unwrapped)


@pytest.mark.parametrize(("name", "encoding"), [(name, it) for name, some in ENCODINGS.items() for it in some])
def test_gymnasium_checks_every_encoding(name: str, encoding: str) -> None:
    env = gymnasium.make(f"houseway/{houseway.GAMES[name]}", observation=encoding, illegal="lowest_legal")
    check_env(env.unwrapped)
    # The error for an unknown name lists all names, so this checks that the list is complete.
    with pytest.raises(ValueError) as error:
        houseway.HousewayEnv(name, observation="none")
    assert str(error.value) == f"observation: unknown value 'none'; expected one of {', '.join(ENCODINGS[name])}"


def test_people_see_every_reset_and_step(capsys: pytest.CaptureFixture[str]) -> None:
    env, text = gymnasium.make(IDS[0], render_mode="human"), houseway.HousewayEnv(render_mode="ansi")
    env.reset(seed=1)
    text.reset(seed=1)
    first = text.render()
    action = env.unwrapped.action_masks().argmax()
    env.step(action)
    text.step(action)
    assert capsys.readouterr().out == f"{first}\n\n{text.render()}\n\n" and env.render() is None
    images = gymnasium.make_vec(IDS[0], num_envs=3, render_mode="rgb_array", vectorization_mode="vector_entry_point")
    images.reset(seed=1)
    assert [image.shape for image in images.render()] == [(224, 1056, 3)] * 3
    with pytest.raises(ValueError, match="expected 'ansi', 'rgb_array' or None"):
        houseway.HousewayVectorEnv(render_mode="human")


def test_images_show_cards() -> None:
    def colors(text: str) -> set[str]:
        red, green, blue = np.moveaxis(picture(text).astype(int), -1, 0)
        found = {"red": (red > 150) & (green < 90) & (blue < 90), "violet": (blue > 100) & (green < 80)}
        return {name for name, pixels in found.items() if pixels.any()} | ({"white"} if (green == 255).any() else set())

    shown = {"Kc": {"white"}, "Ts": {"white"}, "Kd": {"white", "red"}, "2h": {"white", "red"}, "Jk": {"white", "violet"}}
    for card, expected in {**shown, "Jk2": {"white", "violet"}, "As king 4 of Kings": {"white"}, "stake 1": set()}.items():
        assert colors(f"player  {card}") == expected, card
    ranks, suits = "23456789TJQKA", "cdhs"
    cards = ["Jk", "Jk2", *(rank + suit for rank in ranks for suit in suits)]
    assert len({picture(card).tobytes() for card in cards}) == 54
    assert picture("x\n" * 50).shape == (224, 1056, 3)
    # One and four pips of a tile are red.
    assert colors("low 6-5 2-3") == {"white"} and colors("low 4-3 6-1") == {"red", "white"}
    assert colors("seats 1-7") == set()


def test_one_agent_sits_at_a_table_of_players() -> None:
    env = gymnasium.make(TABLE, seat=3, players={1: {"bet": 100, "bank": "always"}}, render_mode="ansi")
    bankrolls = {1: 2000, 3: 400, 4: 300}
    observation, _ = env.reset(seed=5, options={"bankrolls": bankrolls, "rounds": 25})
    total, over, rounds, banked = 0.0, False, 0, 0
    while not over:
        phase = observation["observation"][:3].argmax()
        if phase == 2:
            banked += observation["observation"][64 + 9 * 5 + 6]  # seat 1 of 7, counting from seat 3
        observation, reward, terminated, truncated, _ = env.step([29, 23, 21][phase])
        total, over, rounds = total + reward, terminated or truncated, rounds + (phase == 2)
    assert rounds == 25 and banked > 5 and truncated and not terminated
    assert re.search(r"seat 3 +([\d,]+)", env.render())[1].replace(",", "") == str(int(400 + total))
    assert "seat 2  empty" in env.render()
    with pytest.raises(ValueError, match="seat: invalid seat 9"):
        houseway.HousewayEnv("pai-gow-table", seat=9)


def test_known_cards_are_shown() -> None:
    single = gymnasium.make("houseway/PaiGowKnownCards-v0", observation="raw-cards", render_mode="ansi")
    vector = gymnasium.make_vec(
        "houseway/PaiGowKnownCards-v0", 3, vectorization_mode="vector_entry_point", observation="raw-cards"
    )
    for seed, count in enumerate((0, 1, 7, 38, 39)):
        options = {"known_cards": count}
        observation, _ = single.reset(seed=seed, options=options)
        assert observation["observation"][7:].sum() == count
        lanes, _ = vector.reset(seed=seed, options=options)
        np.testing.assert_array_equal(lanes["observation"][0], observation["observation"])
        assert (lanes["observation"][:, 7:].sum(axis=1) == count).all()
        assert ("known   no cards" if count == 0 else "known   ") in single.render()
    for wrong, message in ((40, "known-cards: 40 must be between 0 and 39"), (-1, "invalid value: integer `-1`")):
        for env in (single, vector):
            with pytest.raises(ValueError, match=message):
                env.reset(options={"known_cards": wrong})


def test_rules_and_the_progressive_of_holdem() -> None:
    table = "ultimate-trips-20-7-6-5-3"
    plain = houseway.HousewayEnv("ultimate-holdem")
    with pytest.raises(ValueError, match="no paytable for the progressive"):
        plain.reset(options={"progressive": True})
    env = houseway.HousewayEnv("ultimate-holdem", progressive=table, rules={"trips-table": table})
    assert env.rules_hash != plain.rules_hash
    with_token, without = [], []
    for seed in range(30):
        for options, rewards in (({"progressive": True}, with_token), (None, without)):
            env.reset(seed=seed, options=options)
            rewards.append(env.step(5)[1])
    gained = np.subtract(with_token, without)
    assert set(gained) <= {-1.0, 3.0, 5.0, 6.0, 7.0, 20.0, 40.0, 50.0} and len(set(gained)) > 1
    three = houseway.HousewayEnv("ultimate-holdem", rules={"preflop-play": "three"})
    assert three.reset(seed=1)[0]["action_mask"].tolist() == [1, 0, 0, 0, 1, 0]


def test_paytables_and_rules() -> None:
    for name, key in (("ultimate-holdem", "progressive"), ("joker-seven", "paytable"), ("pai-gow-poker", "paytable")):
        with pytest.raises(ValueError, match="nobody.s"):
            houseway.HousewayEnv(name, **{key: "nobody's"})
    other = houseway.HousewayEnv("joker-seven", rules={"common-hand": "one_hand_per_player"})
    assert other.rules_hash != houseway.HousewayEnv("joker-seven").rules_hash


def test_the_seed_is_that_of_the_rust_environment() -> None:
    golden = Path(__file__).parents[2] / "tests" / "playthroughs" / "pai-gow-poker-raw-cards.txt"
    hand = re.search(r"## reset\(0\).*?player  (.*?)\n", golden.read_text(), re.DOTALL)
    env = houseway.HousewayEnv(observation="raw-cards", render_mode="ansi")
    observation, _ = env.reset(seed=0)
    assert hand and houseway.cards.text(observation["observation"].astype(np.uint8)) == hand[1]
    assert hand[1] in env.render()


def test_illegal_actions_change_nothing() -> None:
    env = houseway.HousewayEnv()
    with pytest.raises(ValueError, match="call reset"):
        env.step(0)
    observation, _ = env.reset(seed=1)
    foul = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="is a foul above"):
        env.step(foul)
    with pytest.raises(ValueError, match="settings 0 to 20"):
        env.step(21)
    assert env.action_masks().any()
    env.step(env.action_space.sample())
    with pytest.raises(ValueError, match="episode is over"):
        env.step(20)


def test_stakes_scale_the_reward() -> None:
    env = houseway.HousewayEnv()
    for seed in range(40):
        results = []
        for options in (None, {"stake": 20}):
            observation, _ = env.reset(seed=seed, options=options)
            results.append(env.step(int(observation["action_mask"].argmax()))[1])
        assert results[1] == pytest.approx(20 * results[0])
    with pytest.raises(ValueError, match="invalid option stake"):
        env.reset(options={"stake": -1})
    with pytest.raises(ValueError, match="unknown field"):
        env.reset(options={"steak": 1})


def test_random_play_is_legal() -> None:
    env = houseway.HousewayEnv(observation="raw-cards")
    env.action_space.seed(3)
    seen = set()
    for _ in range(500):
        observation, _ = env.reset()
        action = env.action_space.sample()
        assert observation["action_mask"][action]
        seen.add(int(action))
    assert len(seen) > 15


def test_observations_are_new_arrays() -> None:
    env = houseway.HousewayEnv()
    first, _ = env.reset(seed=1)
    kept = first["observation"].copy()
    second, *_ = env.step(env.action_space.sample())
    assert not np.shares_memory(first["observation"], second["observation"])
    env.reset()
    np.testing.assert_array_equal(first["observation"], kept)


@pytest.mark.parametrize("name", NAMES)
def test_actions_and_observations_are_described(name: str) -> None:
    env = houseway.HousewayEnv(name)
    assert len(env.action_names) == env.action_space.n
    documented = pydoc.plain(pydoc.render_doc(houseway.envs))
    assert env.layout in houseway.envs.__doc__ and env.layout.splitlines()[0] in documented
    for action in (0, len(env.action_names) - 1):
        assert env.action_names[action] in env.layout
