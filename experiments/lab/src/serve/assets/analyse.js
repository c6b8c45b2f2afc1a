// Lets the user click cards or tiles instead of typing them and copy the answer. The form also works without this script.
"use strict";
const Analyse = (() => {
  const { SUITS, find, element, button } = Dom;
  const [form, hand, deck] = ["analyse", "hand", "deck"].map(find);
  // The answers of most games are texts with cards or tiles in them.
  const texts = typeof Cards === "undefined" ? [] : [...document.querySelectorAll("article :is(h1, p, td)")].filter((it) => it.childElementCount === 0);
  for (const it of texts) it.replaceChildren(...Cards.small(it.textContent));
  if (!deck) return { addCopyButtons() {} };
  const SIZE = Number(deck.dataset.pieces), isOfTiles = "tiles" in deck.dataset, PIECES = isOfTiles ? "tiles" : "cards";
  const RANKS = [..."AKQJT98765432"];
  // Two of each of the best tiles, and one of each of the others.
  const TWINS = "6-6 1-1 4-4 3-1 5-5 3-3 2-2 6-5 6-4 6-1 5-1".split(" "), OTHERS = "6-3 5-4 6-2 5-3 5-2 4-3 4-1 3-2 4-2 2-1".split(" ");
  const buttons = [];

  const words = () => hand.value.trim().split(/[\s,]+/).filter(Boolean);
  // Returns the canonical names of the cards or tiles in the text field.
  const typed = () => isOfTiles ? words() : words().map((text) => text.replace("10", "T"))
    .map((text) => /^(jk|joker)$/i.test(text) ? "Jk" : text.slice(0, -1).toUpperCase() + text.slice(-1).toLowerCase());

  const status = element("p", { id: "deck-status", class: "quiet", role: "status" });

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
    const made = button({ class: `pick ${color}`, "data-card": name }, () => toggle(name, made.getAttribute("aria-pressed") === "true"), ...shown);
    buttons.push({ name, copy, button: made });
    return made;
  };
  const card = (name) => {
    const { short, suit = "", spoken, color } = Dom.card(name);
    const shown = [short.replace(suit, ""), suit].map((part) => element("span", { "aria-hidden": "true" }, part));
    return piece(name, 0, color, ...shown, element("span", "spoken", spoken));
  };
  const row = (label, className, pieces) => element("div", { class: className, role: "group", "aria-label": label }, ...pieces);

  if (isOfTiles) {
    const tile = (name, copy) => piece(name, copy, "tile", ...Cards.small(name));
    deck.append(row("tiles", "tiles", [...TWINS.flatMap((name) => [tile(name, 0), tile(name, 1)]), ...OTHERS.map((name) => tile(name, 0))]));
  } else {
    for (const [suit, [, name]] of Object.entries(SUITS)) deck.append(row(name, "suit", RANKS.map((rank) => card(rank + suit))));
  }
  const clear = button("", () => { hand.value = ""; show(); hand.focus(); }, "Clear");
  const joker = "joker" in deck.dataset ? [card("Jk")] : [];
  deck.append(element("div", "suit", ...joker, clear), status);
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
    const made = button("", async () => {
      try {
        await navigator.clipboard.writeText(await read());
        made.textContent = "Copied";
      } catch (error) {
        made.textContent = `Not copied: ${error.message}`;
      }
      setTimeout(() => { made.textContent = label; }, 2000);
    }, label);
    return made;
  };
  // Adds the buttons to the answer. A house way of the user's own is sent in the body of the request for the JSON.
  const addCopyButtons = (way) => {
    const json = find("json"), text = find("text");
    if (!json || !navigator.clipboard) return;
    const load = () => json.href ? Dom.request(json.href) : Dom.request(json.dataset.post, { method: "POST", body: way });
    json.parentElement.prepend(
      copy("Copy as text", async () => text.textContent),
      copy("Copy as JSON", async () => (await load()).text()),
    );
  };
  addCopyButtons("");
  return { addCopyButtons, copy };
})();
