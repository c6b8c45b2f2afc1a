// Asks hands to set and shows how good each answer is. The server judges the answers but doesn't keep the drill.
"use strict";
(() => {
  const { find, element, button, request } = Dom, { picture, small } = Cards;
  const KEPT = "drill";
  // The drill, its game and house ways, the current question and its answer.
  const NEW = { record: null, setup: "", hand: "", cards: [], rest: null, picks: 0, fouls: [], actions: [], labels: [], strategy: null, review: false, number: 0, answer: null, text: [], score: null };
  let state = { ...NEW };
  let chosen = [], busy = false;
  const share = (cost) => cost > 0 && cost < 5e-6 ? "less than 0.001%" : `${(100 * cost).toFixed(3)}%`;

  const say = (text, error) => {
    find("message").className = error ? "error" : "";
    find("message").textContent = text;
  };

  const post = async (path, query, setup = state.setup) => {
    const address = `${path}?${setup}${query ? `&${query}` : ""}`;
    const body = state.record ? JSON.stringify(state.record) : "";
    const response = await request(address, { method: "POST", body });
    if (!response.ok) throw new Error((await response.json()).error);
    return response;
  };
  const ask = async (...parts) => (await post(...parts)).json();

  const run = async (work) => {
    if (busy) return;
    busy = true;
    say("");
    const kept = localStorage.getItem(KEPT);
    let isDone = false;
    try {
      await work();
      isDone = true;
    } catch (error) {
      say(error.message, true);
    }
    // What another tab has kept in the meantime must not be replaced.
    const isOwn = localStorage.getItem(KEPT) === kept;
    if (isOwn && isDone) localStorage.setItem(KEPT, JSON.stringify(state));
    if (!isOwn) {
      restore();
      chosen = [];
      say("This drill was resumed in another tab.", true);
    }
    busy = false;
    render();
    return isOwn && isDone;
  };

  // Asks the next question, in a drill with other parameters only if there is one.
  const next = async (setup = state.setup) => {
    await run(async () => {
      say("computing the exact values …");
      Object.assign(state, await ask("/api/drill", "", setup), { setup, answer: null, text: [] });
      chosen = [];
      find("setup").open = false;
      // The address asked for what has begun now.
      history.replaceState(null, "", location.pathname);
      say("");
    });
    if (asked("game") === find("game").value) fillTopics(asked("topic"));
  };

  const answer = async (action) => {
    let judged = null;
    const isKept = await run(async () => {
      judged = await ask("/api/drill/answer", new URLSearchParams({ hand: state.hand, action }));
      if (judged.answer) Object.assign(state, judged);
      else Object.assign(state, { record: judged.record }, await ask("/api/drill"), { answer: null, text: [] });
      chosen = [];
    });
    if (isKept && judged?.answer) keepDay(judged.answer);
  };

  // The drill with another topic, or with all topics.
  const withTopic = (topic) => {
    const setup = new URLSearchParams(state.setup);
    if (topic) setup.set("topic", topic);
    else setup.delete("topic");
    return setup.toString();
  };
  const asked = (name) => new URLSearchParams(state.setup).get(name);

  // What was answered in each game on each day, which new drills continue.
  const DAYS = "drill-days-of-games";
  const days = () => {
    try {
      return JSON.parse(localStorage.getItem(DAYS)) ?? {};
    } catch {
      return {};
    }
  };
  const keepDay = (answer) => {
    const game = [...find("game").options].find((it) => it.value === asked("game"));
    const all = days(), today = new Date(), date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((it) => String(it).padStart(2, "0")).join("-");
    const name = `${date} ${game?.text ?? ""}`;
    const day = all[name] ?? { hands: 0, right: 0, cost: 0 };
    all[name] = { hands: day.hands + 1, right: day.right + (answer.regret === 0 ? 1 : 0), cost: day.cost + answer.regret };
    localStorage.setItem(DAYS, JSON.stringify(all));
    renderDays();
  };

  const tableOf = (heads, rows) => element("table", "",
    element("thead", "", element("tr", "", ...heads.map((text) => text ? element("th", { scope: "col" }, text) : element("td", "")))),
    element("tbody", "", ...rows.map(([first, ...others]) => element("tr", "", element("th", { scope: "row" }, first), ...others))));
  const renderDays = () => {
    const rows = Object.entries(days()).sort().reverse().slice(0, 30)
      .map(([name, { hands, right, cost }]) => [name.slice(0, 10), element("td", "", name.slice(11)), element("td", "number", `${right} of ${hands}`), element("td", "number", share(cost / hands))]);
    find("days").hidden = rows.length === 0;
    find("days").querySelector("table")?.remove();
    if (rows.length) find("days").append(tableOf(["Day", "Game", "Right", "Cost per hand"], rows));
  };
  const renderDue = () => {
    const reviews = [...state.record?.reviews ?? []].sort((a, b) => a.due - b.due), now = state.record?.answers?.length ?? 0;
    find("due").hidden = reviews.length === 0;
    find("due").querySelector("ul").replaceChildren(...reviews.map(({ hand, due }) => {
      const left = due - now;
      return element("li", "", ...small(hand), ` ${left <= 0 ? "next" : left === 1 ? "after 1 hand" : `after ${left} hands`}`);
    }));
  };

  // The topics of a game, and those of earlier answers.
  const topicsOf = () => {
    const answered = asked("game") === find("game").value ? (state.record?.answers ?? []).map((it) => it.group) : [];
    return [...find("game").selectedOptions[0].dataset.topics.split("|"), ...answered];
  };
  const fillTopics = (chosen) => {
    const all = [...new Set([...topicsOf(), chosen].filter(Boolean))];
    if (all.join("|") !== [...find("topic").options].slice(1).map((it) => it.value).join("|")) {
      find("topic").replaceChildren(new Option("all topics", ""), ...all.map((name) => new Option(name, name)));
    }
    find("topic").value = chosen ?? "";
  };

  const download = () => run(async () => Dom.saveFile("drill.csv", "text/csv", await (await post("/api/drill/csv")).blob()));

  const toggle = (place) => {
    if (chosen.includes(place)) chosen = chosen.filter((other) => other !== place);
    else if (chosen.length < state.picks) chosen.push(place);
    say(foul() ? `CONFIRM is not offered: ${foul().reason}` : "", Boolean(foul()));
    render();
  };

  const confirm = () => answer(chosen.map((place) => place + 1).join(" "));
  // The positions are in ascending order.
  const foul = () => state.fouls.find((it) => it.places.join() === [...chosen].sort((a, b) => a - b).join());
  const actions = () => {
    if (!state.hand) return [];
    if (state.answer) return [["n", "NEXT HAND", () => next(), true]];
    return [
      ...state.actions.map((name, i) => [String(i + 1), state.labels[i] ?? name, () => answer(name), false]),
      ...(state.picks && chosen.length === state.picks && !foul() ? [["c", "CONFIRM", confirm, true]] : []),
      ...(chosen.length ? [["u", "UNDO", () => { chosen = []; say(""); render(); }, false]] : []),
      ...(state.strategy ? [["h", `ANSWER AS ${state.strategy.toUpperCase()}`, () => answer("house"), false]] : []),
      ["s", "SKIP", () => answer("skip"), false],
    ];
  };

  const actionButton = ([key, label, act, isMain]) =>
    button({ class: isMain ? "main" : "", "data-key": key, "aria-keyshortcuts": key }, act, ...small(label), " ", element("kbd", { "aria-hidden": "true" }, key));

  const card = (name, place) => {
    if (state.answer || !state.picks) {
      const isIn = (setting) => state.answer && state.picks && setting().split(" ").includes(name);
      const marks = ["playing", isIn(() => state.answer.best) && "best", isIn(() => state.answer.action) && "own"].filter(Boolean);
      return element("span", marks.join(" "), ...picture(name));
    }
    const attributes = { class: "playing", "data-place": place, "aria-pressed": chosen.includes(place), "aria-keyshortcuts": place + 1 };
    return button(attributes, () => toggle(place), ...picture(name));
  };

  // Returns a table of the answers by topic, those with the greatest cost first.
  const topics = () => {
    const answers = state.record?.answers ?? [], groups = new Map();
    for (const it of answers) groups.set(it.group, [...(groups.get(it.group) ?? []), it]);
    if (groups.size === 0) return [];
    const rows = [...groups].map(([name, all]) => {
      const right = all.filter((it) => it.regret === 0).length;
      const cost = all.reduce((sum, it) => sum + it.regret, 0) / all.length;
      return { name, right, count: all.length, cost };
    }).sort((a, b) => b.cost - a.cost);
    let streak = 0;
    while (streak < answers.length && answers[answers.length - 1 - streak].regret === 0) streak += 1;
    const table = tableOf(["Topic", "Right", "Cost per hand", ""], rows.map(({ name, right, count, cost }) => {
      const only = button("", () => next(withTopic(name)), "Only these", element("span", "spoken", `: ${name}`));
      return [name, element("td", "number", `${right} of ${count}`), element("td", "number", share(cost)), element("td", "", only)];
    }));
    const repeated = state.record.reviews.length;
    const line = `${streak} right in a row; ${repeated} ${repeated === 1 ? "hand returns" : "hands return"} later.`;
    const limit = asked("topic") ? [element("p", "", `Only ${asked("topic")}. `, button("", () => next(withTopic("")), "Ask all topics"))] : [];
    return [element("p", "", line), ...limit, table];
  };

  const render = () => {
    const focus = document.activeElement?.dataset, [place, key] = [focus?.place, focus?.key];
    const cards = state.cards;
    fillTopics(find("topic").value);
    find("rest").replaceChildren(...small(state.rest || ""));
    find("question").textContent = cards.length ? `Hand ${state.number}${state.review ? ", again" : ""}` : "Hand";
    const empty = element("p", "", "Start a drill, and a hand is dealt here. Every answer is compared with the exact EVs of all actions.");
    find("cards").replaceChildren(...(cards.length ? cards.map(card) : [empty]));
    find("buttons").replaceChildren(...actions().map(actionButton));
    if (state.picks && !state.answer && !chosen.length) find("buttons").prepend(element("p", "hint", "Choose the cards of the front."));
    if (state.picks && state.answer) find("buttons").append(element("p", "hint", "Raised: your front. Dashed: the best front."));
    const verdict = state.answer?.regret === 0 ? "good" : "error";
    find("judgment").replaceChildren(...state.text.map((text, i) => element("li", i === 0 ? verdict : "", ...small(text))));
    find("score").textContent = state.score ? state.score.text.replace(/\n/g, " ") : "No answers yet.";
    find("topics").replaceChildren(...topics());
    renderDue();
    renderDays();
    find("download").hidden = !state.record?.answers?.length;
    find("continue").hidden = !state.record || asked("game") !== find("game").value;
    // The focus stays where it was, or goes to the next step.
    const same = place !== undefined ? find("cards").querySelector(`[data-place="${place}"]`) : key && find("buttons").querySelector(`[data-key="${key}"]`);
    const focused = document.activeElement;
    if (!focused || focused === document.body || !focused.checkVisibility()) (same || find("buttons").querySelector(".main") || find("cards").querySelector("button") || find("buttons").querySelector("button"))?.focus();
  };

  find("start").addEventListener("submit", async (event) => {
    event.preventDefault();
    const answers = state.record?.answers?.length ?? 0;
    if (answers && !window.confirm(`Start a new drill? The ${answers === 1 ? "answer" : `${answers} answers`} of this one and the hands that return are dropped.`)) return;
    const setup = [...new FormData(event.target)].filter(([, value]) => value !== "");
    const before = state;
    state = { ...NEW, setup: new URLSearchParams(setup).toString() };
    await next();
    // A drill that can't begin replaces none.
    if (!state.record) state = before;
    render();
  });
  // A drill continues with another topic of its game.
  find("continue").addEventListener("click", () => next(withTopic(find("topic").value)));

  find("download").addEventListener("click", download);

  // The fields for house ways belong to a game.
  const showWays = () => {
    for (const ways of document.querySelectorAll("fieldset.ways")) ways.hidden = ways.disabled = ways.dataset.game !== find("game").value;
  };
  find("game").addEventListener("change", () => { showWays(); fillTopics(""); render(); });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const key = event.key.toLowerCase();
    const found = actions().find(([known]) => known === key);
    if (state.hand && state.picks && !state.answer && /^[1-9]$/.test(key) && Number(key) <= state.cards.length) toggle(Number(key) - 1);
    else if (found) found[2]();
    else return;
    event.preventDefault();
  });

  // The browser keeps the drill, so it continues where it was left, or where another tab has left it.
  const restore = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT));
      // Drills that were kept by an earlier version have other keys.
      if (kept?.setup !== undefined) state = { ...NEW, ...kept };
    } catch {
      localStorage.removeItem(KEPT);
    }
  };
  const fillForm = (values) => {
    const game = values.get("game");
    if ([...find("game").options].some((it) => it.value === game)) find("game").value = game;
    showWays();
    for (const name of ["way", "banker"]) {
      const select = document.querySelector(`fieldset.ways:enabled select[name="${name}"]`);
      if (select) select.value = values.get(name) ?? "";
    }
    fillTopics(values.get("topic"));
  };
  addEventListener("storage", (event) => {
    if (event.key !== KEPT || busy) return;
    restore();
    chosen = [];
    say("");
    if (!find("setup").open) fillForm(new URLSearchParams(state.setup));
    render();
  });
  restore();
  // A link asks for a new drill, which only begins when the form is sent.
  const linked = new URLSearchParams(location.search);
  const isLink = linked.has("game") || linked.has("topic");
  fillForm(isLink ? linked : new URLSearchParams(state.setup));
  const [game, topic] = ["game", "topic"].map((name) => linked.get(name));
  if (game && find("game").value !== game) say(`There is no drill of the game "${game}".`, true);
  else if (topic && !topicsOf().includes(topic)) {
    fillTopics("");
    say(`There is no topic "${topic}" in this game.`, true);
  }
  find("drill").hidden = false;
  find("setup").open = !state.hand || isLink;
  render();
})();
