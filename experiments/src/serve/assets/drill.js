// Asks hands to set and shows how good each answer is. The server judges the answers but doesn't keep the drill.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const { element, spoken, drawCard, small } = Cards;
  const KEPT = "drill";
  // The drill, the house ways, the current question and its answer.
  let state = { record: null, ways: "", hand: "", review: false, number: 0, answer: null, text: [], score: null };
  let chosen = [], busy = false;

  const say = (text, error) => {
    find("message").className = error ? "error" : "";
    find("message").textContent = text;
  };

  const post = async (path, query) => {
    const address = `${path}?${state.ways}${query ? `&${query}` : ""}`;
    const response = await fetch(address, { method: "POST", body: state.record ? JSON.stringify(state.record) : "" });
    if (!response.ok) throw new Error((await response.json()).error);
    return response;
  };
  const ask = async (path, query) => (await post(path, query)).json();

  const run = async (work) => {
    if (busy) return;
    busy = true;
    say("");
    try {
      await work();
      localStorage.setItem(KEPT, JSON.stringify(state));
    } catch (error) {
      say(error.message, true);
    }
    busy = false;
    render();
  };

  const next = () => run(async () => {
    say("computing the exact values …");
    Object.assign(state, await ask("/api/drill"), { answer: null, text: [] });
    chosen = [];
    say("");
  });

  const answer = (front) => run(async () => {
    const query = new URLSearchParams({ hand: state.hand, front });
    const judged = await ask("/api/drill/answer", query);
    if (judged.answer) Object.assign(state, judged);
    else Object.assign(state, { record: judged.record }, await ask("/api/drill"), { answer: null, text: [] });
    chosen = [];
  });

  const download = () => run(async () => saveFile("drill.csv", "text/csv", await (await post("/api/drill/csv")).blob()));

  const toggle = (place) => {
    if (chosen.includes(place)) chosen = chosen.filter((other) => other !== place);
    else if (chosen.length < 2) chosen.push(place);
    render();
  };

  const confirm = () => answer(chosen.map((place) => place + 1).join(" "));
  const actions = () => {
    if (!state.hand) return [];
    if (state.answer) return [["n", "NEXT HAND", next, true]];
    return [
      ...(chosen.length === 2 ? [["c", "CONFIRM", confirm, true]] : []),
      ...(chosen.length ? [["u", "UNDO", () => { chosen = []; render(); }, false]] : []),
      ["h", "HOUSE WAY", () => answer("house"), false],
      ["s", "SKIP", () => answer("skip"), false],
    ];
  };

  const button = ([key, label, act, isMain]) => {
    const made = element("button", isMain ? "main" : "", `${label} `, element("kbd", "", key));
    made.type = "button";
    made.dataset.key = key;
    made.setAttribute("aria-keyshortcuts", key);
    made.lastChild.setAttribute("aria-hidden", "true");
    made.addEventListener("click", act);
    return made;
  };

  const card = (name, place) => {
    if (state.answer) {
      const front = state.answer.best_front.split(" ").includes(name);
      return element("span", front ? "playing best" : "playing", drawCard(name), element("span", "spoken", spoken(name)));
    }
    const made = element("button", "playing", drawCard(name));
    made.type = "button";
    made.dataset.place = place;
    made.setAttribute("aria-label", spoken(name));
    made.setAttribute("aria-pressed", String(chosen.includes(place)));
    made.setAttribute("aria-keyshortcuts", String(place + 1));
    made.addEventListener("click", () => toggle(place));
    return made;
  };

  const render = () => {
    const focus = document.activeElement?.dataset, [place, key] = [focus?.place, focus?.key];
    const cards = state.hand ? state.hand.split(" ") : [];
    find("question").textContent = cards.length ? `Hand ${state.number}${state.review ? ", again" : ""}` : "Hand";
    find("cards").replaceChildren(...cards.map(card));
    find("buttons").replaceChildren(...actions().map(button));
    find("judgment").replaceChildren(...state.text.map((text) => element("li", "", ...small(text))));
    find("score").textContent = state.score ? state.score.text.replace(/\n/g, " ") : "No answers yet.";
    find("download").hidden = !state.record?.answers?.length;
    // The focus stays where it was, or goes to the next step.
    const same = place !== undefined ? find("cards").querySelector(`[data-place="${place}"]`) : key && find("buttons").querySelector(`[data-key="${key}"]`);
    if (!document.activeElement || document.activeElement === document.body) (same || find("buttons").querySelector(".main") || find("cards").querySelector("button"))?.focus();
  };

  find("start").addEventListener("submit", (event) => {
    event.preventDefault();
    const ways = new URLSearchParams(new FormData(event.target)).toString();
    state = { record: null, ways, hand: "", review: false, number: 0, answer: null, text: [], score: null };
    next();
  });

  find("download").addEventListener("click", download);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const key = event.key.toLowerCase();
    const found = actions().find(([known]) => known === key);
    if (state.hand && !state.answer && /^[1-7]$/.test(key)) toggle(Number(key) - 1);
    else if (found) found[2]();
    else return;
    event.preventDefault();
  });

  // The browser keeps the drill, so it continues where it was left.
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    if (kept) state = kept;
  } catch {
    localStorage.removeItem(KEPT);
  }
  find("drill").hidden = false;
  render();
})();
