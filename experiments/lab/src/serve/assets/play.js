// Draws the table. Everything is derived from the state that the server returns.
"use strict";
(() => {
  const { find, element, draw, button, request } = Dom, { drawDie, picture, small } = Cards;
  const root = find("play");
  const POLL = 400;
  const TICK = 200;
  // The distance in pixels after which a press becomes a drag.
  const DRAG = 6;
  let state = null, chip = 0, coach = [], busy = false, timer = 0, waiting = [];
  // The page's estimate of when the time for the decision is up. Only the server's clock counts.
  let end = 0, drag = null;

  // What each part of the page was drawn from. Only parts that differ are drawn again, so that a button stays in place
  // from the press to the release of a click, even if the server is polled in between.
  const drawn = new Map();
  const isNew = (part, ...data) => {
    const text = JSON.stringify(data);
    const differs = drawn.get(part) !== text;
    drawn.set(part, text);
    return differs;
  };

  const ask = async (method, path, body) => {
    const response = await request(path, { method, body });
    const answer = await response.json();
    if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
    return answer;
  };

  const say = (text, error) => {
    const message = find("message");
    message.className = error ? "error" : "";
    message.textContent = text;
    // The form of a table can be longer than the screen.
    if (error) message.scrollIntoView({ block: "nearest" });
  };

  const fail = (error) => {
    if (error.status !== 404) return say(error.message, true);
    sessionStorage.removeItem("table");
    clearTimeout(timer);
    [state, waiting, end] = [null, [], 0];
    find("table").hidden = true;
    find("setup").open = true;
    say("Your last session has ended. Choose a table.");
  };

  const take = (answer) => {
    const dealt = state && answer.phase === "deciding" && (state.phase !== "deciding" || state.rounds !== answer.rounds);
    state = answer;
    end = answer.clock ? performance.now() + 1000 * answer.clock.left : 0;
    if (dealt) coach = [];
    for (const event of answer.events) {
      // The choice of advice is shown by its own field.
      if (event.event === "coach" && !/^coach (on|after|off)$/.test(event.text)) coach.push(event.text);
      else if (event.event === "refused") say(event.reason, true);
      else if (event.event === "time-up") say("Your time is up.");
      else if (event.event === "result") say(answer.events[0].event === "time-up" ? "Your time was up." : "");
      else if (event.event === "choice" && event.foul) say(`CONFIRM is not offered: ${event.foul}`, true);
      else if (["bets", "dealt", "choice"].includes(event.event) && answer.events[0].event !== "time-up") say("");
    }
    if (answer.phase === "betting" && answer.refusal) say(`DEAL is not offered: ${answer.refusal}`);
    // Don't redraw while a card is being dragged.
    if (!drag?.moved) render();
    clearTimeout(timer);
    if (answer.waiting) timer = setTimeout(() => send("GET"), POLL);
  };

  const send = async (method, line) => {
    if (busy) {
      // Queue what the player does during another request.
      if (method === "POST") waiting.push(line);
      else timer = setTimeout(() => send("GET"), POLL);
      return;
    }
    busy = true;
    try {
      take(await ask(method, `/api/play/${state.table}`, line));
    } catch (error) {
      fail(error);
    }
    busy = false;
    while (waiting.length && !busy) {
      const next = waiting.shift();
      if (next.key) press(next.key); else send("POST", next);
    }
  };

  const isBetting = () => state.phase === "betting";

  const chooseChip = (value) => { chip = value; render(); };
  const renderChips = () => find("chips").replaceChildren(...(isBetting() && state.spots.length ? state.chips : []).map((value, i) => {
    const attributes = { class: `chip chip-${value}`, "aria-label": `chip ${value}`, "aria-keyshortcuts": i + 1, "aria-pressed": value === chip, "data-chip": value };
    return button(attributes, () => chooseChip(value), value);
  }));

  // Lays the chosen chip on a spot of the mat that is played with an action. Before the deal, this also deals.
  const layOnMat = (bet) => {
    const [spot] = state.spots;
    if (isBetting() && state.felt.bets.every((it) => it.option === null || it.stake === 0)) send("POST", `chip ${chip} ${spot.title}`);
    if (isBetting()) send("POST", "deal");
    send("POST", `act ${bet.action}`);
  };
  // Spots stay in place from the press to the release of a click, so they are filled again and not made again.
  const spots = new Map();
  const knownSpot = (bet) => state.spots.find((it) => it.option === bet.option || it.title === bet.name);
  const betOn = (id) => {
    const { bet } = spots.get(id), known = knownSpot(bet);
    if (known) send("POST", `chip ${chip} ${known.title}`);
    else layOnMat(bet);
  };
  const drawSpot = (bet) => {
    const known = knownSpot(bet), isOver = state.phase === "over", isButton = Boolean(known) || bet.action !== null;
    const id = `${state.table} ${bet.group} ${bet.name} ${isButton}`;
    if (!spots.has(id)) spots.set(id, { made: isButton ? button("", () => betOn(id)) : element("div", "") });
    const spot = spots.get(id), made = spot.made;
    spot.bet = bet;
    made.className = "";
    made.replaceChildren();
    if (isButton) {
      const isOffered = isBetting() || state.felt.actions.some((it) => it.action === bet.action);
      made.disabled = known ? !isBetting() : isOver || !isOffered;
      made.dataset.line = known ? `chip ${chip} ${known.title.toLowerCase()}` : `act ${bet.action}`;
      if (known?.key) made.setAttribute("aria-keyshortcuts", known.key);
    }
    return Felt.fillSpot(made, bet, isOver, known && isBetting() ? known.key : "");
  };
  const renderBets = () => {
    const placed = state.felt.bets.filter((bet) => bet.action === null), mat = state.felt.bets.filter((bet) => bet.action !== null);
    const drawn = new Map(state.felt.bets.map((bet) => [bet, drawSpot(bet)]));
    if (!isNew("spots", state.table, state.felt.bets.map((bet) => [bet.group, bet.name, Boolean(knownSpot(bet))]))) return;
    const of = (bets) => bets.map((bet) => drawn.get(bet));
    const group = ([name, bets]) => element("div", "mat-group", element("p", "mat-name", name), element("div", "mat-spots", ...of(bets)));
    find("bets").replaceChildren(element("div", "circles", ...of(placed)), ...Felt.groups(mat).map(group));
  };

  const playing = (card, place) => {
    const line = `card ${place + 1}`;
    const attributes = { class: "playing", "aria-pressed": state.chosen.includes(place), "aria-keyshortcuts": place + 1, "data-place": place, "data-line": line };
    return button(attributes, () => { if (!drag?.moved) send("POST", line); }, ...picture(card));
  };

  const renderCards = () => {
    const cards = find("cards");
    if (!isChoosing()) {
      cards.className = "";
      // Without a description of the table, these cards are all that there is to see.
      cards.replaceChildren(...(state.state ? state.cards : []).map(Felt.face));
      return;
    }
    // As on a real table, the chosen cards form the front.
    const zone = (id, title, hint, filter) => {
      const own = state.cards.map((card, place) => [card, place]).filter(([, place]) => filter(state.chosen.includes(place)));
      const made = element("div", { id, class: "zone" }, element("p", "zone-title", title), ...own.map(([card, place]) => playing(card, place)));
      if (!own.length) made.append(element("p", "hint", hint));
      return made;
    };
    cards.className = "zones";
    cards.replaceChildren(zone("front", "Front", "Drag two cards here, click them, or type their numbers.", (chosen) => chosen), zone("back", "Back", "", (chosen) => !chosen));
  };

  // Cards can be dragged with a mouse, finger or pen. A press without movement is a click.
  const zoneAt = (event) => document.elementsFromPoint(event.clientX, event.clientY).find((it) => it.classList.contains("zone"));
  find("cards").addEventListener("pointerdown", (event) => {
    const card = event.target.closest("button.playing");
    if (!card || event.button !== 0) return;
    drag = { card, id: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(x, y) < DRAG) return;
    drag.moved = true;
    drag.card.classList.add("dragged");
    drag.card.style.transform = `translate(${x}px, ${y}px)`;
    const over = zoneAt(event);
    for (const zone of document.querySelectorAll(".zone")) zone.classList.toggle("over", zone === over);
  });
  const drop = (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { card, moved } = drag;
    const over = event.type === "pointerup" && moved ? zoneAt(event) : null;
    // Ignore the click event that follows a drag.
    setTimeout(() => { drag = null; if (moved) { drawn.delete("cards"); render(); } }, 0);
    if (over && over !== card.parentElement) send("POST", `card ${Number(card.dataset.place) + 1}`);
  };
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);

  const isChoosing = () => state.picks && state.phase === "deciding";

  const renderFelt = () => {
    const felt = state.felt, isOver = state.phase === "over";
    find("hands").replaceChildren(...Felt.hands(felt, isChoosing()));
    find("notes").textContent = felt.notes.join(" ");
    find("seats").replaceChildren(...Felt.seats(felt, isOver));
    find("seats").hidden = felt.seats.length < 3;
    if (isNew("dice", felt.dice)) find("dice").replaceChildren(...felt.dice.map(drawDie));
  };

  const renderPayouts = () => {
    const tables = Felt.payouts(state.felt.bets);
    find("payouts").hidden = !tables.length;
    find("payouts").lastChild.replaceChildren(...tables);
  };

  const renderClock = () => {
    const left = end ? Math.max(0, Math.ceil((end - performance.now()) / 1000)) : 0;
    const clock = find("clock");
    clock.hidden = !state?.clock;
    const text = state?.clock ? `${left} s left` : "";
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("short", left <= 5);
    // By now, the server has made the decision or is about to.
    if (end && performance.now() >= end && !busy) { end = performance.now() + TICK; send("GET"); }
  };
  setInterval(renderClock, TICK);

  // The spots of a mat take the place of the buttons for their actions.
  const onMat = (line) => state.felt.bets.some((bet) => bet.action !== null && line === `act ${bet.action}`);
  const hasBet = () => state.felt.bets.some((bet) => bet.stake > 0);
  const isShown = ({ line }) => !onMat(line) && (line !== "clear" || hasBet());
  const renderButtons = () => {
    find("buttons").replaceChildren(...state.buttons.filter(isShown).map((it) => {
      const attributes = { class: it.first ? "main" : "", "aria-keyshortcuts": it.key ?? "", "data-line": it.line };
      const key = it.key ? [" ", element("kbd", { "aria-hidden": "true" }, it.key)] : [];
      return button(attributes, () => send("POST", it.line), ...small(it.label), ...key);
    }));
    const mat = state.felt.bets.some((bet) => bet.action !== null);
    const hint = !isBetting() ? mat && state.phase === "deciding" && !find("buttons").children.length && "Choose a wager."
      : state.spots.length && !hasBet() && (mat ? "Choose a chip, and click a wager to deal and play it at once." : "Choose a chip, and click a bet to place it there.");
    if (hint) find("buttons").prepend(element("p", "hint", hint));
  };

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

  // The finished rounds, the last one first. They are only asked for while they are shown.
  // After a reload, the verdict on the last round is that of the list of rounds.
  const resume = async (answer) => {
    if (answer.phase === "over") coach = (await ask("GET", `/api/play/${answer.table}/rounds`)).rounds.at(-1)?.verdict ?? [];
    take(answer);
  };
  // A round as in histories, without what a single player doesn't need.
  const told = (text) => text.replace(/ \(setting \d+\)|, setting \d+/g, "");
  const renderRounds = async () => {
    const part = find("rounds"), list = part.lastChild;
    if (!part.open || !isNew("rounds", state.table, state.rounds, state.waiting)) return;
    const found = await ask("GET", `/api/play/${state.table}/rounds`).catch((error) => { drawn.delete("rounds"); fail(error); });
    if (!found) return;
    const open = new Set([...list.querySelectorAll("details[open]")].map((it) => it.dataset.round));
    list.replaceChildren(...found.rounds.reverse().map((round) => {
      const chips = (cost) => cost < 0.0995 ? String(Number(cost.toPrecision(2))) : cost.toFixed(2);
      const cost = round.cost === null ? "not judged" : round.cost === 0 ? "best play" : `cost ${chips(round.cost)}`;
      const hands = element("pre", { tabindex: 0 }, ...small(told(round.state)));
      const made = element("details", { "data-round": round.round }, element("summary", "", `Round ${round.round}: ${Felt.signed(round.net)}, ${cost}`), hands,
        element("ul", "", ...round.verdict.map((text) => element("li", "", ...small(text)))));
      if (round.analysis) made.append(element("a", { href: `/?${round.analysis}` }, "Analyze this hand"));
      made.open = open.has(made.dataset.round);
      return element("li", "", made);
    }));
  };
  find("rounds").addEventListener("toggle", () => { if (state) renderRounds(); });

  const render = () => {
    const focus = document.activeElement, line = focus?.dataset?.line, label = focus?.getAttribute?.("aria-label");
    find("table-title").textContent = state.title.split(",")[0];
    // As at a seat, chips in bets aren't part of the bankroll until the round is over.
    const bets = state.phase === "deciding" ? state.felt.bets.reduce((sum, bet) => sum + bet.stake, 0) : 0;
    find("money").textContent = `Bankroll ${(state.bankroll - bets).toFixed(2)} · round ${state.rounds + (state.phase === "over" ? 0 : 1)}`;
    if (!chip) chip = state.chip;
    if (isNew("felt", state.felt, state.picks, state.phase)) renderFelt();
    if (isNew("bets", state.felt.bets, state.felt.actions, chip, state.phase)) renderBets();
    if (isNew("chips", chip, state.phase, state.spots)) renderChips();
    if (isNew("payouts", state.felt.bets.map((bet) => [bet.name, bet.pays]))) renderPayouts();
    if (isNew("cards", state.cards, state.chosen, state.picks, state.phase)) renderCards();
    if (isNew("buttons", state.buttons, hasBet())) renderButtons();
    find("played").hidden = state.rounds === 0;
    if (isNew("chart", state.chart, state.rounds)) renderChart();
    renderClock();
    find("state").replaceChildren(...small(state.state || ""));
    find("state").hidden = !state.state;
    const headline = find("headline"), net = state.headline ? state.headline.split(" ").at(-1) : "";
    if (isNew("headline", state.headline)) headline.textContent = state.headline || "";
    headline.className = net.startsWith("-") ? "lost" : Number(net) > 0 ? "won" : "even";
    find("table").dataset.phase = state.phase;
    find("rules").href = `/rules/${state.game}`;
    find("remark").textContent = state.remark || "";
    const lines = state.phase === "deciding" ? state.advice : coach;
    // Screen readers announce changes to this list, so it is only replaced if the text has changed.
    if (find("coach").dataset.text !== lines.join("\n")) {
      find("coach").dataset.text = lines.join("\n");
      find("coach").replaceChildren(...lines.map((text) => element("li", "", ...small(text))));
    }
    find("thinking").hidden = !state.waiting;
    find("summary").replaceChildren(...state.summary.map((text) => element("li", "", text)));
    renderRounds();
    find("mode").value = state.coach;
    find("table").hidden = false;
    if (isNew("table", state.table)) {
      find("setup").open = false;
      find("payouts").open = matchMedia("(min-width: 48rem)").matches;
    }
    // Whoever has played a round knows what the bets pay.
    if (isNew("played", state.table, state.rounds > 0) && state.rounds > 0) find("payouts").open = false;
    // Keep the focus where it was, or move it to the next step.
    const same = [...root.querySelectorAll("button:enabled")].find((it) => line && it.dataset.line === line || label && it.getAttribute("aria-label") === label);
    const next = () => find("buttons").querySelector(".main") || find("buttons").querySelector("button") || find("bets").querySelector("button:enabled");
    const focused = document.activeElement;
    if (!focused || focused === document.body || focused.disabled) (same || next())?.focus();
    // On a phone, the result is above the buttons.
    if (isNew("phase", state.phase) && state.phase === "over" && matchMedia("(max-width: 34rem)").matches) find("hands").scrollIntoView();
  };

  // Each fieldset with seats belongs to one game. Within it, the human player's own seat has no other player.
  const showSeats = () => {
    for (const seats of document.querySelectorAll("fieldset.seats")) {
      seats.hidden = seats.disabled = seats.dataset.game !== find("game").value;
      for (const seat of seats.querySelectorAll(".seat-player")) {
        const isOwn = seat.dataset.seat === seats.querySelector("#own-seat").value;
        const way = seat.querySelector(".way").value;
        seat.hidden = seat.disabled = isOwn;
        for (const field of seat.querySelectorAll(".bet, .bank, .bankroll")) field.disabled = isOwn || way === "" || way === "empty";
      }
    }
  };
  const otherPlayers = () => [...document.querySelectorAll("fieldset.seats:enabled .seat-player:enabled")].flatMap((seat) => {
    const value = (name) => seat.querySelector(`.${name}`).value.trim();
    const way = value("way");
    if (way === "") return [];
    const keys = way === "empty" ? [] : ["bet", "bank", "bankroll"].filter((key) => value(key) !== "").map((key) => `${key}=${value(key)}`);
    return [[seat.dataset.seat, [way, ...keys].join(",")]];
  });
  find("open").addEventListener("change", showSeats);
  showSeats();
  for (const card of document.querySelectorAll(".pick-game button")) {
    card.addEventListener("click", () => {
      find("game").value = card.dataset.game;
      showSeats();
      find("open").requestSubmit();
    });
  }

  // Opens a table in place of the one with the ID `left`, if there is one.
  const openTable = async (query, left) => {
    query.set("coach", find("mode").value);
    try {
      const opened = await ask("POST", `/api/play?${query}`);
      if (left) fetch(`/api/play/${left}`, { method: "DELETE" });
      [state, coach, chip, waiting] = [null, [], 0, []];
      take(opened);
      sessionStorage.setItem("table", state.table);
      sessionStorage.setItem("query", query);
      // Before the first chip is laid, there is nothing to press below the table.
      (find("buttons").querySelector("button") ?? find("bets").querySelector("button:enabled"))?.focus();
    } catch (error) {
      say(error.message, true);
    }
  };
  const mayLeave = () => state?.phase !== "deciding" || window.confirm("Leave the round in progress? Its bets are lost.");
  find("open").addEventListener("submit", (event) => {
    event.preventDefault();
    if (!mayLeave()) return;
    const query = new URLSearchParams([...new FormData(event.target)].filter(([, value]) => value !== ""));
    for (const [seat, player] of otherPlayers()) query.set(`player.${seat}`, player);
    openTable(query, state?.table);
  });
  // Opens the same table again, with the bankroll of a new session and other cards.
  find("again").addEventListener("click", () => {
    const query = new URLSearchParams(sessionStorage.getItem("query") ?? `game=${state.game}`);
    ["seed", "option.hand"].forEach((name) => query.delete(name));
    if (mayLeave()) openTable(query, state.table);
  });
  find("choose").addEventListener("click", () => {
    find("setup").open = true;
    find("setup").scrollIntoView();
    find("setup").firstElementChild.focus();
  });
  find("mode").addEventListener("change", (event) => send("POST", `coach ${event.target.value}`));

  // Returns true if the key means something in the present state.
  const press = (key) => {
    if (state.picks && state.phase === "deciding" && /^[1-9]$/.test(key)) send("POST", `card ${key}`);
    else if (isBetting() && state.spots.length && state.chips[Number(key) - 1]) chooseChip(state.chips[Number(key) - 1]);
    else {
      const found = state.buttons.find((it) => it.key === key), spot = isBetting() && state.spots.find((it) => it.key === key);
      if (!found && !spot) return false;
      send("POST", found ? found.line : `chip ${chip} ${spot.title}`);
    }
    return true;
  };
  document.addEventListener("keydown", (event) => {
    if (!state || event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.target !== document.body && !root.contains(event.target)) return;
    const key = event.key.toLowerCase();
    // A key is meant for the state after the request at work.
    if (busy && /^[a-z0-9]$/.test(key)) waiting.push({ key });
    else if (!press(key)) return;
    event.preventDefault();
  });

  // Nobody waits for the coach when the page goes away. After a return, the first request starts it again.
  addEventListener("pagehide", () => {
    if (state?.waiting) fetch(`/api/play/${state.table}/coach`, { method: "DELETE", keepalive: true });
  });
  addEventListener("pageshow", (event) => { if (event.persisted && state) send("GET"); });

  // A link can open a table. After a reload, return to the same one.
  const kept = sessionStorage.getItem("table"), linked = new URLSearchParams(location.search);
  history.replaceState(null, "", location.pathname);
  if (linked.has("game") && (!kept || window.confirm("Leave your table for a new one?"))) openTable(linked, kept);
  else if (kept) ask("GET", `/api/play/${kept}`).then(resume).catch(fail);
  root.hidden = false;
})();
