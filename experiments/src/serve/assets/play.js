// A table: everything is drawn from the state that the server returns.
"use strict";
(() => {
  const root = document.getElementById("play");
  const find = (id) => document.getElementById(id);
  const POLL = 400;
  const SVG = "http://www.w3.org/2000/svg";
  const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };
  const NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
  const CARD = /^(?:[AKQJT2-9][shdc]|Jk2?)$/;
  let state = null, bet = 0, coach = [], busy = false, timer = 0;

  const element = (name, className, ...children) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  };
  const draw = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const spoken = (card) => card.startsWith("Jk") ? "joker" : `${NAMES[card[0]] || card[0]} of ${SUITS[card[1]][1]}`;

  const drawCard = (card) => {
    const joker = card.startsWith("Jk");
    const red = !joker && "hd".includes(card[1]);
    const svg = draw("svg", { viewBox: "0 0 70 100", class: `face ${joker ? "joker" : red ? "red" : "black"}`, "aria-hidden": "true" });
    svg.append(draw("rect", { x: 1, y: 1, width: 68, height: 98, rx: 7, class: "paper" }));
    if (joker) {
      svg.append(draw("path", { d: "M35 26l7 15 16 2-12 11 3 16-14-8-14 8 3-16-12-11 16-2z", class: "ink" }),
        draw("text", { x: 35, y: 90, "text-anchor": "middle", "font-size": 13, class: "ink" }, "JOKER"));
      return svg;
    }
    const rank = card[0] === "T" ? "10" : card[0], suit = SUITS[card[1]][0];
    const corner = draw("g", { class: "ink" });
    corner.append(draw("text", { x: 13, y: 25, "text-anchor": "middle", "font-size": 22, "font-weight": 700 }, rank),
      draw("text", { x: 13, y: 43, "text-anchor": "middle", "font-size": 18 }, suit));
    const other = corner.cloneNode(true);
    other.setAttribute("transform", "rotate(180 35 50)");
    svg.append(corner, other, draw("text", { x: 35, y: 65, "text-anchor": "middle", "font-size": 42, class: "ink" }, suit));
    return svg;
  };

  const small = (text) => text.split(/([\s,;:]+)/).map((word) => {
    if (!CARD.test(word)) return word;
    const symbol = word.startsWith("Jk") ? "Joker" : `${word[0]}${SUITS[word[1]][0]}`;
    return element("span", `card ${"hd".includes(word[1]) ? "red" : "black"}`, symbol);
  });

  const ask = async (method, path, body) => {
    const response = await fetch(`${path}${path.includes("?") ? "&" : "?"}bet=${bet}`, { method, body });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  };

  const say = (text, error) => {
    const message = find("message");
    message.className = error ? "error" : "";
    message.textContent = text;
  };

  const take = (answer) => {
    const dealt = state && answer.phase === "deciding" && (state.phase !== "deciding" || state.rounds !== answer.rounds);
    state = answer;
    if (dealt) coach = [];
    for (const event of answer.events) {
      if (event.event === "coach") coach.push(event.text);
      else if (event.event === "refused") say(event.reason, true);
      else if (event.event === "result") say(`Round ${event.round}: net ${event.net > 0 ? "+" : ""}${event.net.toFixed(2)}, bankroll ${event.bankroll.toFixed(2)}`);
      else if (event.event === "choice" && event.foul) say(`CONFIRM is not offered: ${event.foul}`, true);
      else if (["bets", "dealt", "choice"].includes(event.event)) say("");
    }
    render();
    clearTimeout(timer);
    if (answer.waiting) timer = setTimeout(() => send("GET"), POLL);
  };

  const send = async (method, line) => {
    if (busy) { if (method === "GET") timer = setTimeout(() => send("GET"), POLL); return; }
    busy = true;
    try {
      take(await ask(method, `/api/play/${state.table}`, line));
    } catch (error) {
      say(error.message, true);
    }
    busy = false;
  };

  const button = (label, key, act, className) => {
    const made = element("button", className || "", label);
    made.type = "button";
    if (key) {
      made.setAttribute("aria-keyshortcuts", key);
      made.append(" ", element("kbd", "", key));
      made.lastChild.setAttribute("aria-hidden", "true");
    }
    made.addEventListener("click", act);
    return made;
  };

  const renderBets = () => find("bets").replaceChildren(...state.bets.map((it, index) => {
    const chip = button(`${it.title} ${it.stake.toFixed(2)}`, "", () => { bet = index; send("GET"); }, "bet");
    chip.setAttribute("aria-pressed", String(index === bet));
    chip.dataset.line = `bet ${index}`;
    chip.disabled = state.phase !== "betting";
    return chip;
  }));

  const renderCards = () => find("cards").replaceChildren(...state.cards.map((card, place) => {
    const chosen = state.chosen.includes(place);
    if (!(state.picks && state.phase === "deciding")) {
      const shown = element("span", "playing", drawCard(card), element("span", "spoken", spoken(card)));
      return shown;
    }
    const made = button("", "", () => send("POST", `card ${place + 1}`), "playing");
    made.setAttribute("aria-label", spoken(card));
    made.setAttribute("aria-pressed", String(chosen));
    made.setAttribute("aria-keyshortcuts", String(place + 1));
    made.append(drawCard(card));
    return made;
  }));

  const renderButtons = () => find("buttons").replaceChildren(...state.buttons.map((it) => {
    const is = /^\d+$/.test(it.label) && it.line.startsWith("chip");
    const made = button(it.label, it.key, () => send("POST", it.line), is ? `chip chip-${it.label}` : it.first ? "main" : "");
    made.dataset.line = it.line;
    return made;
  }));

  const renderChart = () => {
    const values = state.chart, width = 320, height = 100;
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    const x = (i) => 4 + i * (width - 8) / Math.max(1, values.length - 1);
    const y = (value) => 6 + (high - value) * (height - 12) / (high - low || 1);
    const chart = find("chart");
    chart.replaceChildren(
      draw("title", {}, `Net result after ${state.rounds} rounds: ${values.at(-1).toFixed(2)}`),
      draw("line", { x1: 0, x2: width, y1: y(0), y2: y(0), class: "zero" }),
      draw("polyline", { points: values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" "), class: "net" }),
      draw("circle", { cx: x(values.length - 1), cy: y(values.at(-1)), r: 3, class: "end" }));
  };

  const render = () => {
    const focus = document.activeElement, line = focus?.dataset?.line, label = focus?.getAttribute?.("aria-label");
    find("table-title").textContent = state.title;
    find("money").textContent = `Bankroll ${state.bankroll.toFixed(2)} · round ${state.rounds + (state.phase === "over" ? 0 : 1)} · seed ${state.seed}`;
    renderBets(); renderCards(); renderButtons(); renderChart();
    find("state").replaceChildren(...small(state.state || ""));
    find("state").hidden = !state.state;
    find("remark").textContent = state.remark || "";
    const lines = state.phase === "deciding" ? state.advice : coach;
    // A list that is read out changes only with its contents.
    if (find("coach").dataset.text !== lines.join("\n")) {
      find("coach").dataset.text = lines.join("\n");
      find("coach").replaceChildren(...lines.map((text) => element("li", "", ...small(text))));
    }
    find("thinking").hidden = !state.waiting;
    find("summary").replaceChildren(...state.summary.map((text) => element("li", "", text)));
    find("mode").value = state.coach;
    find("table").hidden = false;
    // The focus stays where it was, or goes to the next step.
    const same = [...root.querySelectorAll("button")].find((it) => line && it.dataset.line === line || label && it.getAttribute("aria-label") === label);
    if (!document.activeElement || document.activeElement === document.body) (same || find("buttons").querySelector(".main") || find("buttons").firstChild)?.focus();
  };

  find("open").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (state) fetch(`/api/play/${state.table}`, { method: "DELETE" });
    const query = new URLSearchParams([...new FormData(event.target)].filter(([, value]) => value !== ""));
    try {
      [state, coach, bet] = [null, [], 0];
      take(await ask("POST", `/api/play?${query}`));
      sessionStorage.setItem("table", state.table);
      find("buttons").firstChild?.focus();
    } catch (error) {
      say(error.message, true);
    }
  });
  find("mode").addEventListener("change", (event) => send("POST", `coach ${event.target.value}`));

  document.addEventListener("keydown", (event) => {
    if (!state || event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.target !== document.body && !root.contains(event.target)) return;
    const key = event.key.toLowerCase();
    if (state.picks && state.phase === "deciding" && /^[1-9]$/.test(key)) send("POST", `card ${key}`);
    else if (key === "b" && state.phase === "betting" && state.bets.length) { bet = (bet + 1) % state.bets.length; send("GET"); }
    else {
      const found = state.buttons.find((it) => it.key === key);
      if (!found) return;
      send("POST", found.line);
    }
    event.preventDefault();
  });

  // A tab that is loaded again returns to its table.
  const kept = sessionStorage.getItem("table");
  if (kept) ask("GET", `/api/play/${kept}`).then(take).catch(() => sessionStorage.removeItem("table"));
  root.hidden = false;
})();
