// The house way editor. It shows errors as you type and computes the exact effect of the changes on request.
"use strict";
(() => {
  const workbench = document.getElementById("workbench");
  if (!workbench) return;
  const find = (id) => document.getElementById(id);
  const [text, lines, verdict, run, cancel, download, progress, result] =
    ["text", "lines", "verdict", "run", "cancel", "download", "progress", "result"].map(find);
  const WAIT = 300;
  const original = text.value, from = workbench.dataset.from;
  let isLeaving = false;
  // Continue editing the copy that this browser tab keeps, if it is one of this house way.
  const kept = OwnWay.kept();
  if (kept?.from === from) text.value = kept.text;
  let timer = 0, asked = 0, job = null, wrongLine = null;

  const element = (name, className, ...children) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  };

  const number = () => {
    const count = text.value.split("\n").length;
    lines.replaceChildren(...Array.from({ length: count }, (_, i) =>
      element("span", i + 1 === wrongLine ? "wrong" : "", `${i + 1}\n`)));
    lines.scrollTop = text.scrollTop;
  };

  const goTo = (line) => {
    const before = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const end = text.value.indexOf("\n", before);
    text.focus();
    text.setSelectionRange(before, end < 0 ? text.value.length : end);
    text.scrollTop = Math.max(0, (line - 5) * text.scrollHeight / text.value.split("\n").length);
  };

  const showError = (error, line) => {
    wrongLine = line ?? null;
    const parts = [];
    if (line) {
      const button = element("button", "", `Line ${line}`);
      button.type = "button";
      button.addEventListener("click", () => goTo(line));
      parts.push(button, " ");
    }
    verdict.replaceChildren(...parts, error);
    verdict.className = "error";
    text.setAttribute("aria-invalid", "true");
  };

  const showCheck = (check) => {
    wrongLine = null;
    text.setAttribute("aria-invalid", "false");
    const uncovered = Number(check.uncovered), fouls = Number(check.fouls);
    const unused = check.rules.filter((rule) => rule.hands === "0").map((rule) => rule.name);
    verdict.className = uncovered || fouls ? "error" : "good";
    let words = uncovered ? `${uncovered.toLocaleString("en")} hands are not covered by any rule; add a rule for them at the end.`
      : `Complete and legal: ${check.rules.length} rules set all ${Number(check.hands).toLocaleString("en")} hands.`;
    if (unused.length) words += ` Rules that have no effect: ${unused.join(", ")}.`;
    verdict.replaceChildren(words);
    for (const warning of check.warnings) {
      verdict.append(element("br"), `Line ${warning.line}, rule “${warning.rule}”: ${warning.message}`);
    }
  };

  const post = async (path) => {
    const response = await fetch(path, { method: "POST", body: text.value });
    return [response.status, await response.json()];
  };

  const check = async () => {
    const mine = ++asked;
    try {
      const [status, answer] = await post("/api/check");
      if (mine !== asked) return;
      if (status === 200) showCheck(answer); else showError(answer.error, answer.line);
    } catch (error) {
      if (mine === asked) showError(`The server did not respond: ${error.message}`);
    }
    number();
  };

  const percent = (value, places) => `${(100 * value).toFixed(places)}%`;
  const signed = (value, places) => (value > 0 ? "+" : "") + value.toFixed(places);

  const showResult = (diff) => {
    const hands = (key) => Number(diff[key]).toLocaleString("en");
    const summary = element("p", "", Number(diff.hands_changed) === 0
      ? `No hand is set differently; the EV remains ${percent(diff.ev_from, 6)} of the stake.`
      : `EV ${percent(diff.ev_from, 6)} → ${percent(diff.ev_to, 6)} of the stake: ${signed(1000 * diff.ev_change, 4)} units per 1,000 ` +
        `games. ${hands("hands_changed")} hands are set differently: ${hands("better")} better, ${hands("worse")} worse.`);
    result.replaceChildren(element("h3", "", "Exact result"), summary);
    if (diff.classes.length) {
      const head = element("tr", "", ...["Hands", "Changed", "Example", "Before", "After", "Per 1,000 games"].map((name) => {
        const cell = element("th", "", name);
        cell.scope = "col";
        return cell;
      }));
      const rows = diff.classes.map((it) => element("tr", "",
        element("td", "", it.class), element("td", "number", Number(it.hands).toLocaleString("en")), element("td", "", it.example),
        element("td", "", `${it.from} (${it.from_rule})`), element("td", "", `${it.to} (${it.to_rule})`),
        element("td", "number", signed(1000 * it.ev_change, 5))));
      const table = element("table", "", element("caption", "", "Changed hands, by kind"), element("thead", "", head), element("tbody", "", ...rows));
      const scroll = element("div", "scroll", table);
      scroll.tabIndex = 0;
      scroll.setAttribute("role", "region");
      scroll.setAttribute("aria-label", "Changed hands");
      result.append(scroll);
    }
  };

  const running = (is) => {
    run.disabled = is;
    cancel.hidden = progress.hidden = !is;
    if (!is) { job = null; progress.value = 0; }
  };

  const follow = async (state) => {
    while (state.state === "running") {
      progress.value = state.total ? state.done / state.total : 0;
      await new Promise((wait) => setTimeout(wait, WAIT));
      const response = await fetch(`/api/jobs/${state.job}`);
      state = await response.json();
      if (!response.ok) throw new Error(state.error);
    }
    if (state.state === "done") showResult(state.result);
    else result.replaceChildren(element("p", state.state === "failed" ? "error" : "", state.error));
  };

  run.addEventListener("click", async () => {
    running(true);
    result.replaceChildren();
    const query = new URLSearchParams({ from: workbench.dataset.from, as: find("seat").value, banker: find("opponent").value });
    try {
      const [status, answer] = await post(`/api/diff?${query}`);
      if (status === 202) {
        job = answer.job;
        await follow(answer);
      } else {
        if (answer.line) { showError(answer.error, answer.line); number(); }
        result.replaceChildren(element("p", "error", answer.error));
      }
    } catch (error) {
      result.replaceChildren(element("p", "error", `No response: ${error.message}`));
    }
    running(false);
  });

  const stop = () => { if (job) fetch(`/api/jobs/${job}`, { method: "DELETE", keepalive: true }); };
  cancel.addEventListener("click", stop);
  addEventListener("pagehide", stop);

  find("use").addEventListener("click", () => {
    OwnWay.keep(text.value, from);
    isLeaving = true;
    location.assign(`/?way=${OwnWay.NAME}`);
  });
  download.addEventListener("click", () => saveFile("my-way.toml", "application/toml", text.value));

  text.addEventListener("input", () => {
    OwnWay.keep(text.value, from);
    number();
    clearTimeout(timer);
    timer = setTimeout(check, WAIT);
  });
  text.addEventListener("scroll", () => { lines.scrollTop = text.scrollTop; });
  addEventListener("beforeunload", (event) => { if (text.value !== original && !isLeaving) event.preventDefault(); });
  document.getElementById("way").addEventListener("change", (event) => event.target.form.requestSubmit());
  workbench.hidden = false;
  number();
  check();
})();
