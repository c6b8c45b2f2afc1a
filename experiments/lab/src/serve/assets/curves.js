// Updates the table and the learning curves during training.
"use strict";
(() => {
  const POLL = 2000;
  const base = location.pathname;
  const live = document.getElementById("live"), table = document.getElementById("trainings"), curves = document.getElementById("curves");
  let shown = "", version = 0;

  const render = ({ metrics, table: rows }) => {
    table.innerHTML = rows;
    version += 1;
    for (const metric of metrics) {
      const source = `${base}/${metric}.svg`;
      let link = [...curves.children].find((it) => it.getAttribute("href") === `${source}?large=1`);
      if (!link) {
        link = Object.assign(document.createElement("a"), { className: "plot", href: `${source}?large=1` });
        link.append(Object.assign(document.createElement("img"), { alt: `${metric.replace(/[_-]/g, " ")} against hands seen, one curve per training run` }));
        curves.append(link);
      }
      link.firstElementChild.src = `${source}?version=${version}`;
    }
  };

  const poll = async () => {
    let running = true;
    try {
      const response = await fetch(`${base}/data`);
      const data = await response.json();
      running = data.trainings.some((it) => it.running);
      const text = JSON.stringify(data);
      if (shown && text !== shown) render(data);
      shown = text;
      const status = running ? "Training is in progress. The curves follow it." : "No training is in progress.";
      if (live.textContent !== status) live.textContent = status;
    } catch {
      live.textContent = "The server did not respond. Trying again.";
    }
    // Poll less often if the page is hidden or no training is in progress.
    setTimeout(poll, document.hidden || !running ? 5 * POLL : POLL);
  };
  poll();
})();
