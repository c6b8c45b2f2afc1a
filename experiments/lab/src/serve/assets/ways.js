// The house way editor. It shows errors as you type and computes the exact effect of the changes on request.
"use strict";
(() => {
  const { find, element, button, request } = Dom;
  const workbench = find("workbench");
  if (!workbench) return;
  const [text, lines, verdict, run, price, cancel, download, progress, result] =
    ["text", "lines", "verdict", "run", "price", "cancel", "download", "progress", "result"].map(find);
  const WAIT = 300, CHECKING = "Checking …";
  const original = text.value, from = workbench.dataset.from;
  let isLeaving = false;
  // Continue editing the copy that this browser tab keeps, if it is one of this house way.
  text.value = OwnWay.draft(from) ?? text.value;
  let timer = 0, asked = 0, job = null, wrongLine = null;

  const number = () => {
    find("restore").hidden = text.value === original;
    const count = text.value.split("\n").length;
    lines.replaceChildren(...Array.from({ length: count }, (_, i) => [element("span", i + 1 === wrongLine ? "wrong" : "", `${i + 1}`), "\n"]).flat());
    lines.scrollTop = text.scrollTop;
  };

  const goTo = (line) => {
    const before = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const end = text.value.indexOf("\n", before);
    text.focus();
    text.setSelectionRange(before, end < 0 ? text.value.length : end);
    text.scrollTop = Math.max(0, (line - 5) * text.scrollHeight / text.value.split("\n").length);
  };

  // The text in parts: rules, and what is between them. Comments between rules keep their place when rules are moved.
  const parts = () => {
    const made = [{ isRule: false, lines: [] }];
    for (const line of text.value.split("\n")) {
      if (/^\s*\[/.test(line)) made.push({ isRule: /^\s*\[\[\s*rule\s*\]\]/.test(line), lines: [] });
      made.at(-1).lines.push(line);
    }
    return made.flatMap((part) => {
      let end = part.lines.length;
      while (part.isRule && end > 1 && /^\s*(#|$)/.test(part.lines[end - 1])) end -= 1;
      return [{ isRule: part.isRule, lines: part.lines.slice(0, end) }, { isRule: false, lines: part.lines.slice(end) }];
    }).filter((part) => part.lines.length);
  };
  // TOML has two kinds of quotes, and a comment can follow.
  const nameOf = (rule) => {
    const found = rule.lines.join("\n").match(/^\s*name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$/m);
    return found ? found[2] ?? found[1].replace(/\\(.)/g, "$1") : "a rule without a name";
  };
  // Replaces the text in a way that the browser can undo. This also tells the listeners of input.
  const replaceText = (made) => {
    const top = text.scrollTop;
    text.focus();
    text.select();
    document.execCommand("insertText", false, made);
    text.scrollTop = top;
  };

  // The hands that each rule sets, and the change in EV without it once that is computed.
  let counts = new Map(), prices = new Map(), dragged = null;
  const focusRule = (at, className) => {
    const item = find("order").children[at];
    (item?.querySelector(`.${className}:enabled`) ?? item?.querySelector("button"))?.focus();
  };
  const move = (from, to, focused = "rule") => {
    const all = parts(), rules = all.filter((part) => part.isRule);
    if (from === to || to < 0 || to >= rules.length) return;
    const [moved] = rules.splice(from, 1);
    rules.splice(to, 0, moved);
    replaceText(all.map((part) => part.isRule ? rules.shift() : part).flatMap((part) => part.lines).join("\n"));
    focusRule(to, focused);
    find("moved").textContent = `${nameOf(moved)} is now rule ${to + 1}`;
  };
  const showOrder = () => {
    const all = parts();
    let line = 1;
    const items = [];
    for (const part of all) {
      if (part.isRule) items.push([part, line]);
      line += part.lines.length;
    }
    const held = document.activeElement.className;
    const focused = [...find("order").children].findIndex((it) => it.contains(document.activeElement));
    const mover = (name, i, step, className) => {
      const title = step < 0 ? "Move up" : "Move down";
      const made = button({ class: className, "aria-label": `${title}: ${name}`, title }, () => move(i, i + step, className), step < 0 ? "↑" : "↓");
      made.disabled = i + step < 0 || i + step >= items.length;
      return made;
    };
    find("order").replaceChildren(...items.map(([rule, start], i) => {
      const name = nameOf(rule), hands = counts.get(name);
      const named = button({ class: "rule", "aria-keyshortcuts": "Alt+ArrowUp Alt+ArrowDown" }, () => goTo(start), name);
      named.addEventListener("keydown", (event) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!event.altKey || !step) return;
        event.preventDefault();
        move(i, i + step);
      });
      const effect = element("span", "quiet", hands === undefined ? "" : Number(hands).toLocaleString("en"));
      if (prices.has(name)) effect.append(element("br", ""), prices.get(name));
      const item = element("li", prices.has(name) ? "priced" : "", named, effect,
        element("span", "moves", mover(name, i, -1, "up"), mover(name, i, 1, "down")));
      item.draggable = true;
      item.addEventListener("dragstart", () => { dragged = i; });
      item.addEventListener("dragend", () => { dragged = null; });
      item.addEventListener("dragover", (event) => { if (dragged !== null) event.preventDefault(); });
      item.addEventListener("drop", (event) => {
        event.preventDefault();
        if (dragged !== null) move(dragged, i);
        dragged = null;
      });
      return item;
    }));
    if (focused >= 0) focusRule(Math.min(focused, items.length - 1), held);
  };

  const showError = (error, line) => {
    wrongLine = line ?? null;
    const place = line ? [button("", () => goTo(line), `Line ${line}`), " "] : [];
    verdict.replaceChildren(...place, error);
    verdict.className = "error";
    find("use").disabled = true;
    text.setAttribute("aria-invalid", "true");
  };

  const showCheck = (check) => {
    wrongLine = null;
    text.setAttribute("aria-invalid", "false");
    counts = new Map(check.rules.map((rule) => [rule.name, rule.hands]));
    showOrder();
    const uncovered = Number(check.uncovered), fouls = Number(check.fouls);
    const unused = check.rules.filter((rule) => rule.hands === "0").map((rule) => rule.name);
    verdict.className = uncovered || fouls ? "error" : "good";
    find("use").disabled = uncovered + fouls > 0;
    let words = uncovered ? `${uncovered.toLocaleString("en")} hands are not covered by any rule; add a rule for them at the end.`
      : `Complete and legal: ${check.rules.length} rules set all ${Number(check.hands).toLocaleString("en")} hands.`;
    if (unused.length) words += ` Rules that have no effect: ${unused.join(", ")}.`;
    verdict.replaceChildren(words);
    // A sheet is only criticized once it has been edited.
    for (const warning of text.value === original ? [] : check.warnings) {
      verdict.append(element("p", "quiet", `Line ${warning.line}, rule “${warning.rule}”: ${warning.message}`));
    }
  };

  const post = async (path) => {
    const response = await request(path, { method: "POST", body: text.value });
    return [response.status, await response.json()];
  };

  const check = async () => {
    const mine = ++asked;
    try {
      const [status, answer] = await post("/api/check");
      if (mine !== asked) return;
      if (status === 200) showCheck(answer); else showError(answer.error, answer.line);
    } catch (error) {
      if (mine === asked) showError(error.message);
    }
    number();
  };

  const percent = (value, places) => `${(100 * value).toFixed(places)}%`;
  const signed = (value, places) => (value > 0 ? "+" : "") + value.toFixed(places);

  const showResult = (diff) => {
    const hands = (key) => Number(diff[key]).toLocaleString("en");
    const sides = `As the ${find("seat").value}, against ${find("opponent").value}: `;
    const summary = element("p", "", sides, Number(diff.hands_changed) === 0
      ? `no hand is set differently; the EV remains ${percent(diff.ev_from, 6)} of the stake.`
      : `EV ${percent(diff.ev_from, 6)} → ${percent(diff.ev_to, 6)} of the stake: ${signed(1000 * diff.ev_change, 4)} units per 1,000 ` +
        `games. ${hands("hands_changed")} hands are set differently: ${hands("better")} better, ${hands("worse")} worse.`);
    result.replaceChildren(element("h3", "", "Exact result"), summary);
    if (diff.classes.length) {
      const heads = ["Hands", "Changed", "Example", "Before", "After", "Per 1,000 games"].map((name) => element("th", { scope: "col" }, name));
      const rows = diff.classes.map((it) => element("tr", "",
        element("td", "", it.class), element("td", "number", Number(it.hands).toLocaleString("en")), element("td", "", it.example),
        element("td", "", `${it.from} (${it.from_rule})`), element("td", "", `${it.to} (${it.to_rule})`),
        element("td", "number", signed(1000 * it.ev_change, 5))));
      const table = element("table", "", element("caption", "", "Changed hands, by kind"), element("thead", "", element("tr", "", ...heads)), element("tbody", "", ...rows));
      result.append(element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Changed hands" }, table));
    }
  };

  const showPrices = ({ rules }) => {
    const words = ({ uncovered, ev_change: change }) => uncovered === undefined ? signed(1000 * change, 3) : "required";
    prices = new Map(rules.map((rule) => [rule.name, words(rule.without)]));
    find("prices-help").hidden = false;
    showOrder();
  };

  const running = (is) => {
    run.disabled = price.disabled = is;
    cancel.hidden = progress.hidden = !is;
    if (!is) { job = null; progress.value = 0; }
  };

  // Answers to an earlier text, seat or opponent are not shown.
  let question = 0;
  const forget = () => {
    question += 1;
    stop();
    prices.clear();
    find("prices-help").hidden = true;
    result.replaceChildren();
    showOrder();
  };

  const follow = async (state) => {
    while (state.state === "running") {
      progress.value = state.total ? state.done / state.total : 0;
      await new Promise((wait) => setTimeout(wait, WAIT));
      const response = await request(`/api/jobs/${state.job}`);
      state = await response.json();
      if (!response.ok) throw new Error(state.error);
    }
    return state;
  };

  const start = async (path, show) => {
    const mine = question;
    const showIfAsked = (...parts) => { if (mine === question) result.replaceChildren(...parts); };
    running(true);
    if (show === showResult) result.replaceChildren();
    const query = new URLSearchParams({ from: workbench.dataset.from, as: find("seat").value, banker: find("opponent").value });
    try {
      const [status, answer] = await post(`${path}?${query}`);
      if (status === 202) {
        job = answer.job;
        if (mine !== question) stop();
        const state = await follow(answer);
        if (state.state !== "done") showIfAsked(element("p", state.state === "failed" ? "error" : "", state.error));
        else if (mine === question) show(state.result);
      } else {
        if (answer.line && mine === question) { showError(answer.error, answer.line); number(); }
        showIfAsked(element("p", "error", answer.error));
      }
    } catch (error) {
      showIfAsked(element("p", "error", `No response: ${error.message}`));
    }
    running(false);
  };
  run.addEventListener("click", () => start("/api/diff", showResult));
  price.addEventListener("click", () => start("/api/prices", showPrices));

  const stop = () => { if (job) fetch(`/api/jobs/${job}`, { method: "DELETE", keepalive: true }); };
  cancel.addEventListener("click", stop);
  addEventListener("pagehide", stop);

  find("use").addEventListener("click", () => {
    OwnWay.keep(text.value, from);
    isLeaving = true;
    location.assign(`/?way=${OwnWay.NAME}`);
  });
  find("restore").addEventListener("click", () => {
    if (!window.confirm("Discard your changes to this house way?")) return;
    replaceText(original);
  });
  download.addEventListener("click", () => Dom.saveFile("my-way.toml", "application/toml", text.value));

  text.addEventListener("input", () => {
    OwnWay.keep(text.value, from);
    number();
    forget();
    asked += 1;
    find("use").disabled = true;
    verdict.className = "";
    if (verdict.textContent !== CHECKING) verdict.replaceChildren(CHECKING);
    clearTimeout(timer);
    timer = setTimeout(check, WAIT);
  });
  text.addEventListener("scroll", () => { lines.scrollTop = text.scrollTop; });
  addEventListener("beforeunload", (event) => { if (text.value !== original && !isLeaving) event.preventDefault(); });
  for (const side of ["seat", "opponent"]) find(side).addEventListener("change", forget);
  find("way").addEventListener("change", (event) => event.target.form.requestSubmit());
  workbench.hidden = false;
  number();
  showOrder();
  check();
})();
