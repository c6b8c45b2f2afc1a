// Makes elements, names cards and saves files. Loaded before the scripts that use it.
"use strict";
const Dom = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SUITS = { s: ["♠", "spades", "black"], h: ["♥", "hearts", "red"], d: ["♦", "diamonds", "red"], c: ["♣", "clubs", "black"] };
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };

  const find = (id) => document.getElementById(id);

  // Empty attributes are left out.
  const fill = (made, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) if (value !== "") made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  // Elements are described by their class or by all of their attributes.
  const element = (name, about, ...children) => fill(document.createElement(name), typeof about === "string" ? { class: about } : about, children);
  const draw = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
  const button = (about, act, ...children) => {
    const made = element("button", about, ...children);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  };

  // Describes a card by its name, such as "As" or "Jk".
  const card = (name) => {
    if (name.startsWith("Jk")) return { short: "Joker", spoken: "joker", color: "joker" };
    const rank = name[0], [suit, suitName, color] = SUITS[name[1]];
    return { suit, short: rank + suit, spoken: `${RANKS[rank] || rank} of ${suitName}`, color };
  };

  // Fetches like `fetch`, with a message for a server that has stopped.
  const request = (...asked) => fetch(...asked).catch(() => { throw new Error("The server doesn't respond. Is houseway serve still running?"); });

  const saveFile = (name, type, contents) => {
    const link = element("a", { href: URL.createObjectURL(new Blob([contents], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  return { SUITS, find, element, draw, button, card, request, saveFile };
})();
