// Lets the user click cards or tiles instead of typing them and copy the answer. The form also works without this script.
"use strict";
const Analyse = (() => {
  const form = document.getElementById("analyse");
  const hand = document.getElementById("hand");
  const deck = document.getElementById("deck");
  // The answers of most games are texts with cards or tiles in them.
  const texts = typeof Cards === "undefined" ? [] : [...document.querySelectorAll("article :is(h1, p, td)")].filter((it) => it.childElementCount === 0);
  for (const it of texts) it.replaceChildren(...Cards.small(it.textContent));
  if (!deck) return { addCopyButtons() {} };
  const SIZE = Number(deck.dataset.pieces), isOfTiles = "tiles" in deck.dataset, PIECES = isOfTiles ? "tiles" : "cards";
  const SUITS = [["s", "♠", "spades", "black"], ["h", "♥", "hearts", "red"], ["d", "♦", "diamonds", "red"], ["c", "♣", "clubs", "black"]];
  const RANKS = [..."AKQJT98765432"];
  const NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
  // Two of each of the best tiles, and one of each of the others.
  const TWINS = "6-6 1-1 4-4 3-1 5-5 3-3 2-2 6-5 6-4 6-1 5-1".split(" "), OTHERS = "6-3 5-4 6-2 5-3 5-2 4-3 4-1 3-2 4-2 2-1".split(" ");
  const buttons = [];

  const words = () => hand.value.trim().split(/[\s,]+/).filter(Boolean);
  // Returns the canonical names of the cards or tiles in the text field.
  const typed = () => isOfTiles ? words() : words().map((text) => text.replace("10", "T"))
    .map((text) => /^(jk|joker)$/i.test(text) ? "Jk" : text.slice(0, -1).toUpperCase() + text.slice(-1).toLowerCase());

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const status = element("p", { id: "deck-status", className: "quiet" });
  status.setAttribute("role", "status");

  const show = () => {
    const pieces = typed();
    for (const { name, copy, button } of buttons) {
      const chosen = pieces.filter((piece) => piece === name).length > copy;
      button.setAttribute("aria-pressed", String(chosen));
      button.disabled = !chosen && pieces.length >= SIZE;
    }
    status.textContent = pieces.length < SIZE ? `${pieces.length} of ${SIZE} ${PIECES}` : `${SIZE} ${PIECES}`;
  };

  const toggle = (name, isChosen) => {
    const pieces = typed();
    if (isChosen) pieces.splice(pieces.lastIndexOf(name), 1);
    else if (pieces.length < SIZE) pieces.push(name);
    hand.value = pieces.join(" ");
    show();
    if (pieces.length === SIZE && !isChosen) form.requestSubmit();
  };

  // A button for a piece, or for the first (0) or second (1) of two alike.
  const piece = (name, copy, color, ...shown) => {
    const button = element("button", { type: "button", className: `pick ${color}` }, ...shown);
    button.dataset.card = name;
    button.addEventListener("click", () => toggle(name, button.getAttribute("aria-pressed") === "true"));
    buttons.push({ name, copy, button });
    return button;
  };
  const card = (name, label, symbol, color) =>
    piece(name, 0, color, element("span", { ariaHidden: "true" }, symbol), element("span", { className: "spoken" }, label));
  const row = (label, className, pieces) => {
    const made = element("div", { className }, ...pieces);
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", label);
    return made;
  };

  if (isOfTiles) {
    const tile = (name, copy) => piece(name, copy, "tile", ...Cards.small(name));
    deck.append(row("tiles", "tiles", [...TWINS.flatMap((name) => [tile(name, 0), tile(name, 1)]), ...OTHERS.map((name) => tile(name, 0))]));
  } else {
    for (const [suit, symbol, suitName, color] of SUITS) {
      const named = (rank) => card(rank + suit, `${NAMES[rank] || rank} of ${suitName}`, `${rank}${symbol}`, color);
      deck.append(row(suitName, "suit", RANKS.map(named)));
    }
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
