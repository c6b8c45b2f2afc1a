// Shows only the reports that contain all typed words.
"use strict";
(() => {
  const filter = document.getElementById("filter"), shown = document.getElementById("shown");
  if (!filter) return;
  const reports = [...document.querySelectorAll(".gallery > li")];
  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const report of reports) {
      const text = report.textContent.toLowerCase();
      report.hidden = !words.every((word) => text.includes(word));
    }
    for (const group of document.querySelectorAll(".group")) group.hidden = !group.querySelector(".gallery > li:not([hidden])");
    const left = reports.filter((report) => !report.hidden).length;
    shown.textContent = words.length === 0 ? "" : left === 0 ? "no report contains these words" : `${left} of ${reports.length}`;
  };
  filter.addEventListener("input", show);
  show();
})();
