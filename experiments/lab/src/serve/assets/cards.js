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
    const svg = draw("svg", { viewBox: "0 0 70 100", preserveAspectRatio: "none", class: "face back", "aria-hidden": "true" });
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

  // A text whose center is at a place.
  const ink = (text, x, y, size, turn = 0) => draw("text", {
    x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central", transform: `rotate(${turn} ${x} ${y})`, class: "ink",
    ...(text === "10" && { textLength: size, lengthAdjust: "spacingAndGlyphs" }) }, text);
  const drawing = (className, parts) => {
    const made = draw("g", { class: className });
    made.append(...parts);
    return made;
  };
  // The rank and the suit in two corners.
  const corners = (card, x, size, suitSize) => {
    const rank = card[0] === "T" ? "10" : card[0], corner = drawing("corner", [ink(rank, x, size * .75, size), ink(SUITS[card[1]][0], x, size * 1.6, suitSize)]);
    const other = corner.cloneNode(true);
    other.setAttribute("transform", "rotate(180 35 50)");
    return [corner, other];
  };
  // The places of the pips in the middle of a number card. Those of its two sides are in two, three or four rows.
  const MIDDLE = { 2: [22, 78], 3: [22, 50, 78], 5: [50], 7: [36], 8: [36, 64], 9: [50], T: [31, 69] };
  const pips = (rank) => {
    const number = rank === "T" ? 10 : Number(rank), rows = number >= 9 ? 4 : number >= 6 ? 3 : number >= 4 ? 2 : 0;
    const sides = Array.from({ length: rows }, (_, i) => 22 + 56 * i / (rows - 1)).flatMap((y) => [[25, y], [45, y]]);
    return [...sides, ...(MIDDLE[rank] ?? []).map((y) => [35, y])];
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
    // The style shows one of the drawings, according to the size of the card.
    const suit = SUITS[card[1]][0], middle = pips(card[0]).map(([x, y]) => ink(suit, x, y, 14, y > 50 ? 180 : 0));
    if (card[0] === "A") middle.push(ink(suit, 35, 50, 42));
    if ("JQK".includes(card[0])) {
      middle.push(draw("rect", { x: 21, y: 15, width: 28, height: 70, rx: 3, class: "court" }), ink(card[0], 35, 38, 30), ink(suit, 35, 66, 24));
    }
    svg.append(drawing("large", [...corners(card, 11, 16, 13), ...middle]), drawing("small", [...corners(card, 13, 22, 18), ink(suit, 35, 50, 42)]));
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
