// Analyzes hands with a house way of the user's own. The browser tab keeps its text and sends it with each request,
// since the address of the page doesn't contain it. A link can carry it in its fragment, which is never sent.
"use strict";
const OwnWay = (() => {
  const NAME = "my-way";
  const PREFIX = "#way=";
  // Returns the house way that was edited last as { from, text }, or null.
  const kept = () => JSON.parse(sessionStorage.getItem(NAME) || "null");
  // Returns the edited text of a built-in house way, or null.
  const draft = (from) => sessionStorage.getItem(`${NAME} from ${from}`);
  const keep = (text, from) => {
    sessionStorage.setItem(NAME, JSON.stringify({ from, text }));
    if (from) sessionStorage.setItem(`${NAME} from ${from}`, text);
  };

  const encode = (text) => btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const decode = (code) => new TextDecoder("utf-8", { fatal: true })
    .decode(Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0)));

  const form = Dom.find("analyse");
  if (!form) return { NAME, keep, draft };
  const [own, text, answer] = ["own", "own-text", "answer"].map(Dom.find);
  const sides = ["way", "banker"].map(Dom.find);
  let asked = 0;

  const isUsed = () => sides.some((side) => side.value === NAME);
  const show = () => { own.hidden = !isUsed(); };
  const query = () => new URLSearchParams([...new FormData(form)]).toString();

  // The answer is at the top of the page, as after a request without this script.
  const showAnswer = (...parts) => {
    answer.replaceChildren(...parts);
    if (answer.nextElementSibling !== form) form.before(answer);
    answer.scrollIntoView({ block: "nearest" });
  };

  const fail = (message) => showAnswer(Dom.element("p", { class: "error", role: "alert" }, message));

  // Selects the line with the error. The focus moves there only if the user was already in the text.
  const mark = () => {
    const line = Number(answer.querySelector("[data-line]")?.dataset.line || 0);
    text.setAttribute("aria-invalid", String(line > 0));
    if (!line) return;
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    text.setSelectionRange(start, start + (lines[line - 1] || "").length);
    text.scrollTop = Math.max(0, (line - 4) * text.scrollHeight / lines.length);
  };

  const run = async (address) => {
    const mine = ++asked;
    if (!text.value.trim()) {
      fail("There is no house way of your own in this browser tab: paste its TOML into the form, or edit one on the page House ways.");
      return;
    }
    try {
      const response = await Dom.request(address, { method: "POST", body: text.value });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (mine !== asked) return;
      const found = page.getElementById("answer");
      if (!found) throw new Error(page.body.textContent);
      showAnswer(...found.childNodes);
      mark();
      Analyse.addCopyButtons(text.value);
    } catch (error) {
      if (mine === asked) fail(`There is no answer: ${error.message}`);
    }
  };

  form.addEventListener("submit", (event) => {
    if (!isUsed()) return;
    event.preventDefault();
    const address = `/?${query()}`;
    if (address !== location.pathname + location.search) history.pushState(null, "", address);
    shown = location.search;
    run(address);
  });
  // Links within the page also pop a state, but they keep the question. A house way in the fragment is read anew.
  let shown = location.search;
  addEventListener("popstate", () => { if (location.search !== shown || location.hash.startsWith(PREFIX)) location.reload(); });
  for (const side of sides) side.addEventListener("change", show);
  text.addEventListener("input", () => keep(text.value, kept()?.from));
  Dom.find("own-link").replaceWith(Analyse.copy("Copy a link that contains it",
    async () => `${location.origin}/?${query()}${PREFIX}${encode(text.value)}`));

  let isDamaged = false;
  if (location.hash.startsWith(PREFIX)) {
    try {
      keep(decode(location.hash.slice(PREFIX.length)));
    } catch {
      isDamaged = true;
    }
    history.replaceState(null, "", location.pathname + location.search);
  }
  text.value = kept()?.text || "";
  show();
  if (isDamaged) fail("The house way in this link is damaged: ask for the link again.");
  else if (isUsed() && new URLSearchParams(location.search).get("hand")) run(location.pathname + location.search);
  else if (isUsed()) answer.replaceChildren();
  return { NAME, keep, draft };
})();
