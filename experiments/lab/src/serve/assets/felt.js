// Draws what lies on a table from the description that the server returns. It knows no game by name.
"use strict";
const Felt = (() => {
  const { element } = Dom, { drawCard, picture, small } = Cards;
  const RESULTS = { wins: ["wins", "won"], loses: ["loses", "lost"], "copy-wins": ["copy, wins", "won"], "copy-loses": ["copy, loses", "lost"], tie: ["tie", "tied"] };
  const DISCS = [500, 100, 25, 5, 1];

  const money = (sum) => sum.toLocaleString("en", { maximumFractionDigits: 2 });
  const signed = (sum) => sum > 0 ? `+${money(sum)}` : money(sum);
  const title = (name) => name.charAt(0).toUpperCase() + name.slice(1);

  const face = (card) => element("span", "playing", " ", ...picture(card));
  const cardsOf = (part) => part.cards ? part.cards.split(" ") : [];
  const verdict = (part) => part.result ? element("span", `verdict ${RESULTS[part.result][1]}`, RESULTS[part.result][0]) : "";

  const drawPart = (part, name) => {
    const made = element("div", `part ${part.result ? RESULTS[part.result][1] : ""}`);
    if (name) made.append(element("p", "part-name", title(name)));
    made.append(element("div", `row-of-cards cards-${cardsOf(part).length}`, ...cardsOf(part).map(face)));
    if (part.rank || part.result) made.append(element("p", "rank", element("span", "", part.rank), " ", verdict(part)));
    return made;
  };

  const side = (name, parts, named) => element("div", "side", element("p", "side-name", title(name)), element("div", "parts", ...parts.map((part) => drawPart(part, named && part.name))));

  const line = (name, part) => element("p", "seat-hand", element("span", "part-label", `${name} `), ...small(part.cards), " ", verdict(part));

  // Once all hands are set, each part of the player's is beside the same part of the hands that it was compared with.
  const duels = (own, drawOthers) => own.hand.map((part, i) => element("section", "duel", element("h3", "", title(part.name)),
    ...drawOthers(i), side(own.name, [part], false)));

  const isCompared = (seat) => seat.hand.length > 1 && seat.hand.some((part) => part.result);
  // The hands that are compared with that of a player who banks.
  const comparedWith = (felt, own) => own?.is_banker ? felt.seats.filter((it) => it !== own && isCompared(it)).sort((a, b) => a.order - b.order) : [];
  const opponentOf = (felt) => felt.seats.find((seat) => !seat.is_own && (seat.is_banker || felt.seats.length === 2));

  // Returns the hands. The player's own is left out while cards are chosen from it.
  const hands = (felt, isChoosing) => {
    const opponent = opponentOf(felt), own = felt.seats.find((seat) => seat.is_own);
    const board = felt.board.filter((part) => part.cards).map((part) => side(part.name, [part], false));
    const has = (seat) => seat && seat.hand.length > 0;
    const many = comparedWith(felt, own);
    if (many.length) return [...board, element("div", "duels many", ...duels(own, (i) => many.map((it) => line(it.name, it.hand[i]))))];
    if (has(opponent) && has(own) && isCompared(own) && own.hand.length === opponent.hand.length) {
      return [...board, element("div", "duels", ...duels(own, (i) => [side(opponent.name, [opponent.hand[i]], false)]))];
    }
    const drawn = [];
    if (has(opponent)) drawn.push(side(opponent.name, opponent.hand, opponent.hand.length > 1));
    drawn.push(...board);
    if (has(own) && !isChoosing) drawn.push(side(own.name, own.hand, own.hand.length > 1));
    return drawn;
  };

  // A stack of chips with this value, the highest ones first.
  const stack = (sum, className) => {
    const discs = [];
    for (const chip of DISCS) for (; sum >= chip && discs.length < 5; sum -= chip) discs.push(element("span", `disc disc-${chip}`));
    return element("span", { class: `stack ${className || ""}`, "aria-hidden": "true" }, ...discs.reverse());
  };

  // Fills a spot with its name, its chips, and what it pays or has paid.
  const fillSpot = (spot, bet, isOver, key) => {
    spot.classList.add("spot", ...[bet.stake > 0 && "has-chips", bet.net > 0 && "won", bet.net < 0 && "lost"].filter(Boolean));
    const name = element("span", "spot-name", bet.name);
    if (key) name.append(" ", element("kbd", "", key));
    spot.append(name);
    if (bet.stake > 0) {
      const paid = bet.net > 0 ? stack(bet.net, "paid") : "";
      spot.append(element("span", "stacks", stack(bet.stake, bet.net < 0 ? "taken" : ""), paid));
    }
    const isOpen = bet.net === null || !isOver;
    const amount = !bet.stake && !bet.net ? "" : isOpen ? money(bet.stake) : bet.net === 0 ? "push" : signed(bet.net);
    if (amount) spot.append(element("b", "spot-stake", amount));
    else if (bet.pays.length === 1) spot.append(element("span", "spot-odds", bet.pays[0].odds));
    return spot;
  };

  // The bets that are placed with actions are the spots of a mat, by their groups.
  const groups = (bets) => Map.groupBy ? [...Map.groupBy(bets, (bet) => bet.group)] : [...new Set(bets.map((bet) => bet.group))].map((group) => [group, bets.filter((bet) => bet.group === group)]);

  const payouts = (bets) => bets.filter((bet) => bet.pays.length && bet.action === null).map((bet) => {
    const rows = bet.pays.map((payout) => element("tr", "", element("th", { scope: "row" }, payout.hand ? title(payout.hand) : "Every win"), element("td", "", payout.odds)));
    return element("table", "pays", element("caption", "", bet.paytable ? `${bet.name}: ${bet.paytable}` : bet.name), element("tbody", "", ...rows));
  });

  const ORDINALS = ["1st", "2nd", "3rd"];
  const drawSeat = (felt, seat, isOver) => {
    // These hands are drawn large.
    const isLarge = seat.is_own || isOver && (seat === opponentOf(felt) || comparedWith(felt, felt.seats.find((it) => it.is_own)).includes(seat));
    const order = seat.order ? `compared ${ORDINALS[seat.order - 1] || `${seat.order}th`}` : "";
    const badges = [seat.is_banker && "Bank", seat.has_button && "Action button"].filter(Boolean).map((mark) => element("span", "badge", mark));
    const made = element("li", seat.is_own ? "seat own" : "seat", element("p", "seat-name", element("span", "number", seat.seat ? `Seat ${seat.seat} ` : ""), element("b", "", seat.name), ...badges));
    const bets = [seat.chips === null ? "" : `${money(seat.chips)} chips`, seat.bet ? `bet ${money(seat.bet)}` : "", seat.side ? `side bet ${money(seat.side)}` : "", order];
    made.append(element("p", "seat-chips", bets.filter(Boolean).join(" · ")));
    for (const part of isLarge ? [] : seat.hand) {
      if (part.cards.startsWith("??")) made.append(element("p", "seat-backs", ...cardsOf(part).map(drawCard), element("span", "spoken", "cards, face down")));
      else made.append(line(part.name, part));
    }
    if (seat.outcome || seat.net !== null) {
      const net = seat.net === null ? "" : signed(seat.net);
      made.append(element("p", `seat-result ${seat.net > 0 ? "won" : seat.net < 0 ? "lost" : ""}`, seat.outcome ? `${seat.outcome}${seat.side ? ", net" : ""} ` : "", element("b", "", net)));
    }
    // The hands are compared one after the other, starting at the action button.
    if (isOver && seat.order) made.style.animationDelay = `${(seat.order - 1) * 0.25}s`;
    return made;
  };

  // The seats in clockwise order, ending with the player's seat. A table with two sides has no seats to show.
  const seats = (felt, isOver) => {
    if (felt.seats.length < 3) return [];
    const own = felt.seats.findIndex((seat) => seat.is_own);
    return felt.seats.map((_, i) => felt.seats[(own + 1 + i) % felt.seats.length]).map((seat) => drawSeat(felt, seat, isOver));
  };

  return { hands, fillSpot, groups, payouts, seats, face, signed };
})();
