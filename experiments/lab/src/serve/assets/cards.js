// Draws playing cards. Used by all pages that show hands as pictures.
"use strict";
const Cards = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };
  const NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
  const CARD = /^(?:[AKQJT2-9][shdc]|Jk2?)$/;

  const element = (name, className, ...children) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  };
  const draw = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const TILE = /^([1-6])-([1-6])$/;
  const BACK = "??";
  const spoken = (card) => card === BACK ? "face down" : TILE.test(card) ? `tile ${card}` : card.startsWith("Jk") ? "joker" : `${NAMES[card[0]] || card[0]} of ${SUITS[card[1]][1]}`;

  const drawBack = () => {
    const svg = draw("svg", { viewBox: "0 0 70 100", class: "face back", "aria-hidden": "true" });
    svg.append(draw("rect", { x: 1, y: 1, width: 68, height: 98, rx: 7, class: "paper" }),
      draw("rect", { x: 7, y: 7, width: 56, height: 86, rx: 4, class: "ink" }),
      draw("path", { d: "M35 16l22 34-22 34-22-34z M35 32l12 18-12 18-12-18z", class: "pattern" }));
    return svg;
  };

  // The places of the pips among nine.
  const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
  const drawPips = (svg, number, left, top) => {
    const pip = number === 1 || number === 4 ? "pip red" : "pip";
    for (const place of PIPS[number]) svg.append(draw("circle", { cx: left + place % 3 * 10, cy: top + Math.floor(place / 3) * 10, r: 3.6, class: pip }));
  };
  const drawDie = (number) => {
    const svg = draw("svg", { viewBox: "0 0 40 40", class: "die", "aria-hidden": "true" });
    svg.append(draw("rect", { x: 1, y: 1, width: 38, height: 38, rx: 7 }));
    drawPips(svg, number, 10, 10);
    return svg;
  };
  // A tile stands on a table and lies in a text.
  const drawTile = ([, first, second], isFlat) => {
    const [width, height] = isFlat ? [100, 50] : [50, 100];
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "face tile", "aria-hidden": "true" });
    svg.append(draw("rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: 6, class: "paper" }),
      draw("line", isFlat ? { x1: 50, x2: 50, y1: 8, y2: 42 } : { x1: 8, x2: 42, y1: 50, y2: 50 }));
    drawPips(svg, Number(first), 15, 15);
    drawPips(svg, Number(second), width - 35, height - 35);
    return svg;
  };

  const drawCard = (card) => {
    if (card === BACK) return drawBack();
    if (TILE.test(card)) return drawTile(TILE.exec(card));
    const joker = card.startsWith("Jk");
    const red = !joker && "hd".includes(card[1]);
    const svg = draw("svg", { viewBox: "0 0 70 100", class: `face ${joker ? "joker" : red ? "red" : "black"}`, "aria-hidden": "true" });
    svg.append(draw("rect", { x: 1, y: 1, width: 68, height: 98, rx: 7, class: "paper" }));
    if (joker) {
      svg.append(draw("path", { d: "M35 26l7 15 16 2-12 11 3 16-14-8-14 8 3-16-12-11 16-2z", class: "ink" }),
        draw("text", { x: 35, y: 90, "text-anchor": "middle", "font-size": 13, class: "ink" }, "JOKER"));
      return svg;
    }
    const rank = card[0] === "T" ? "10" : card[0], suit = SUITS[card[1]][0];
    const corner = draw("g", { class: "ink" });
    const size = rank === "10" ? 15 : 22;
    corner.append(draw("text", { x: 13, y: 24, "text-anchor": "middle", "font-size": size, "font-weight": 700 }, rank),
      draw("text", { x: 13, y: 43, "text-anchor": "middle", "font-size": 18 }, suit));
    const other = corner.cloneNode(true);
    other.setAttribute("transform", "rotate(180 35 50)");
    svg.append(corner, other, draw("text", { x: 35, y: 65, "text-anchor": "middle", "font-size": 42, class: "ink" }, suit));
    return svg;
  };

  const small = (text) => text.split(/([\s,;:]+)/).map((word) => {
    if (TILE.test(word)) return element("span", "tile-text", drawTile(TILE.exec(word), true), element("span", "spoken", spoken(word)));
    if (!CARD.test(word)) return word;
    const symbol = word.startsWith("Jk") ? "Joker" : `${word[0]}${SUITS[word[1]][0]}`;
    return element("span", `card ${"hd".includes(word[1]) ? "red" : "black"}`, symbol);
  });

  return { element, draw, spoken, drawCard, drawDie, small };
})();
