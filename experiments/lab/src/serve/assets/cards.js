// Draws playing cards. Used by all pages that show hands as pictures.
"use strict";
const Cards = (() => {
  const { element, draw } = Dom;
  const CARD = /^(?:[AKQJT2-9][shdc]|Jk2?)$/;
  const TILE = /^([1-6])-([1-6])$/;
  const BACK = "??";
  const spoken = (card) => card === BACK ? "face down" : TILE.test(card) ? `tile ${card}` : Dom.card(card).spoken;

  const drawBack = () => draw("svg", { viewBox: "0 0 70 100", preserveAspectRatio: "none", class: "face back", "aria-hidden": "true" },
    draw("rect", { x: 1, y: 1, width: 68, height: 98, rx: 7, class: "paper" }),
    draw("rect", { x: 7, y: 7, width: 56, height: 86, rx: 4, class: "ink" }),
    draw("path", { d: "M35 16l22 34-22 34-22-34z M35 32l12 18-12 18-12-18z", class: "pattern" }));

  // The places of the pips among nine.
  const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
  const drawPips = (number, left, top) => {
    const pip = number === 1 || number === 4 ? "pip red" : "pip";
    return PIPS[number].map((place) => draw("circle", { cx: left + place % 3 * 10, cy: top + Math.floor(place / 3) * 10, r: 3.6, class: pip }));
  };
  const drawDie = (number) => draw("svg", { viewBox: "0 0 40 40", class: "die", "aria-hidden": "true" },
    draw("rect", { x: 1, y: 1, width: 38, height: 38, rx: 7 }), ...drawPips(number, 10, 10));
  // A tile stands on a table and lies in a text.
  const drawTile = ([, first, second], isFlat) => {
    const [width, height] = isFlat ? [100, 50] : [50, 100];
    return draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "face tile", "aria-hidden": "true" },
      draw("rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: 6, class: "paper" }),
      draw("line", isFlat ? { x1: 50, x2: 50, y1: 8, y2: 42 } : { x1: 8, x2: 42, y1: 50, y2: 50 }),
      ...drawPips(Number(first), 15, 15), ...drawPips(Number(second), width - 35, height - 35));
  };

  // A text whose center is at a place.
  const ink = (text, x, y, size, turn = 0) => draw("text", {
    x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central", transform: `rotate(${turn} ${x} ${y})`, class: "ink",
    ...(text === "10" && { textLength: size, lengthAdjust: "spacingAndGlyphs" }) }, text);
  // The rank and the suit in two corners.
  const corners = (card, x, size, suitSize) => {
    const rank = card[0] === "T" ? "10" : card[0];
    const corner = draw("g", { class: "corner" }, ink(rank, x, size * .75, size), ink(Dom.card(card).suit, x, size * 1.6, suitSize));
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
    const { suit, color } = Dom.card(card);
    const svg = draw("svg", { viewBox: "0 0 70 100", class: `face ${color}`, "aria-hidden": "true" },
      draw("rect", { x: 1, y: 1, width: 68, height: 98, rx: 7, class: "paper" }));
    if (!suit) {
      svg.append(draw("path", { d: "M35 26l7 15 16 2-12 11 3 16-14-8-14 8 3-16-12-11 16-2z", class: "ink" }),
        draw("text", { x: 35, y: 90, "text-anchor": "middle", "font-size": 13, class: "ink" }, "JOKER"));
      return svg;
    }
    // The style shows one of the drawings, according to the size of the card.
    const middle = pips(card[0]).map(([x, y]) => ink(suit, x, y, 14, y > 50 ? 180 : 0));
    if (card[0] === "A") middle.push(ink(suit, 35, 50, 42));
    if ("JQK".includes(card[0])) {
      middle.push(draw("rect", { x: 21, y: 15, width: 28, height: 70, rx: 3, class: "court" }), ink(card[0], 35, 38, 30), ink(suit, 35, 66, 24));
    }
    svg.append(draw("g", { class: "large" }, ...corners(card, 11, 16, 13), ...middle), draw("g", { class: "small" }, ...corners(card, 13, 22, 18), ink(suit, 35, 50, 42)));
    return svg;
  };
  // The contents of an element that shows a card, and says its name instead.
  const picture = (card) => [drawCard(card), element("span", "spoken", spoken(card))];

  const small = (text) => text.split(/([\s,;:]+)/).map((word) => {
    if (TILE.test(word)) return element("span", "tile-text", drawTile(TILE.exec(word), true), element("span", "spoken", spoken(word)));
    if (!CARD.test(word)) return word;
    const { short, color } = Dom.card(word);
    return element("span", `card ${color === "red" ? "red" : "black"}`, short);
  });

  return { drawCard, drawDie, picture, small };
})();
