// Lets the user click cards instead of typing them and copy the answer. The form also works without this script.
"use strict";
const Analyse = (() => {
  const form = document.getElementById("analyse");
  const hand = document.getElementById("hand");
  const deck = document.getElementById("deck");
  // The answers of most games are texts with cards or tiles in them.
  const texts = typeof Cards === "undefined" ? [] : [...document.querySelectorAll("article :is(h1, p, td)")].filter((it) => it.childElementCount === 0);
  for (const it of texts) it.replaceChildren(...Cards.small(it.textContent));
  // Tiles are typed.
  if (!deck) return { addCopyButtons() {} };
  const SIZE = Number(deck.dataset.cards);
  const SUITS = [["s", "♠", "spades", "black"], ["h", "♥", "hearts", "red"], ["d", "♦", "diamonds", "red"], ["c", "♣", "clubs", "black"]];
  const RANKS = [..."AKQJT98765432"];
  const NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
  const buttons = new Map();

  // Returns the canonical names of the cards in the text field.
  const typed = () => hand.value.trim().replace(/10/g, "T").split(/[\s,]+/).filter(Boolean)
    .map((text) => /^(jk|joker)$/i.test(text) ? "Jk" : text.slice(0, -1).toUpperCase() + text.slice(-1).toLowerCase());

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const status = element("p", { id: "deck-status", className: "quiet" });
  status.setAttribute("role", "status");

  const show = () => {
    const cards = typed();
    for (const [name, button] of buttons) {
      const chosen = cards.includes(name);
      button.setAttribute("aria-pressed", String(chosen));
      button.disabled = !chosen && cards.length >= SIZE;
    }
    status.textContent = cards.length < SIZE ? `${cards.length} of ${SIZE} cards` : `${SIZE} cards`;
  };

  const toggle = (name) => {
    const cards = typed();
    const at = cards.indexOf(name);
    if (at >= 0) cards.splice(at, 1);
    else if (cards.length < SIZE) cards.push(name);
    hand.value = cards.join(" ");
    show();
    if (cards.length === SIZE && at < 0) form.requestSubmit();
  };

  const card = (name, label, symbol, color) => {
    const shown = element("span", { ariaHidden: "true" }, symbol), spoken = element("span", { className: "spoken" }, label);
    const button = element("button", { type: "button", className: `pick ${color}` }, shown, spoken);
    button.dataset.card = name;
    button.addEventListener("click", () => toggle(name));
    buttons.set(name, button);
    return button;
  };

  for (const [suit, symbol, suitName, color] of SUITS) {
    const row = element("div", { className: "suit" });
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", suitName);
    for (const rank of RANKS) {
      row.append(card(rank + suit, `${NAMES[rank] || rank} of ${suitName}`, `${rank}${symbol}`, color));
    }
    deck.append(row);
  }
  const clear = element("button", { type: "button" }, "Clear");
  clear.addEventListener("click", () => { hand.value = ""; show(); hand.focus(); });
  const joker = "joker" in deck.dataset ? [card("Jk", "joker", "Joker", "joker")] : [];
  deck.append(element("div", { className: "suit" }, ...joker, clear), status);
  deck.hidden = false;
  hand.addEventListener("input", show);
  show();

  // Empty fields stand for the defaults. Leave them out to keep the address short.
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
  for (const select of form.querySelectorAll("select")) {
    select.addEventListener("change", () => { if (typed().length === SIZE) form.requestSubmit(); });
  }

  const copy = (label, read) => {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(await read());
        button.textContent = "Copied";
      } catch (error) {
        button.textContent = `Not copied: ${error.message}`;
      }
      setTimeout(() => { button.textContent = label; }, 2000);
    });
    return button;
  };
  // Adds the buttons to the answer. A house way of the user's own is sent in the body of the request for the JSON.
  const addCopyButtons = (way) => {
    const json = document.getElementById("json");
    const text = document.getElementById("text");
    if (!json || !navigator.clipboard) return;
    const load = () => json.href ? fetch(json.href) : fetch(json.dataset.post, { method: "POST", body: way });
    json.parentElement.prepend(
      copy("Copy as text", async () => text.textContent),
      copy("Copy as JSON", async () => (await load()).text()),
    );
  };
  addCopyButtons("");
  return { addCopyButtons, copy };
})();
