// A table to play on: piles, hands, pieces that are laid, turned and dragged; tiles snap, and what is not legal goes back.

import { chosen, choose, mix, on, say, state } from "./store.js";
import { make, count, follow, toast } from "./dom.js";
import { Board, componentOf, sideOf } from "./board.js";
import { Piece } from "./piece.js";
import { turns } from "./server.js";

const MOST_PLAYERS = 6;
const ACTS = { t: say("Turn"), f: say("Turn over"), h: say("Take into hand"), Delete: say("Return to pile") };

export class TableView {
  constructor() {
    this.bar = make("div", { class: "choice", role: "toolbar", "aria-label": say("The table") });
    this.piles = make("div", { class: "piles", role: "group", "aria-label": say("Piles") });
    this.cloth = make("div", { class: "cloth" });
    this.surface = make("div", { class: "surface", role: "group", "aria-label": say("On the table") }, this.cloth);
    this.held = make("div", { class: "hand", role: "group", "aria-label": say("Your hand") });
    this.score = make("output", { class: "score", "aria-live": "polite" });
    this.root = make("div", { class: "table" }, this.bar, this.piles, this.surface, this.held);
    this.board = new Board();
    this.players = 2;
    this.player = 0;
    this.asks = turns();
    this.keys = [["d", say("draw a card into your hand")], ["x", say("shuffle all piles")], ["t", say("turn the selected piece by one step")], ["f", say("turn it over")], ["h", say("take it into your hand")], ["Delete", say("return it to its pile")], [say("arrows"), say("move it")]];
    this.gather();
    this.surface.addEventListener("pointerdown", (event) => this.pan(event));
  }

  async open(place) {
    place.replaceChildren(this.root);
    this.off = [on("cards", ({ order: other }) => { if (other || !this.any()) this.renew(); else this.draw(); }), on("chosen", (values) => { if ("zoom" in values || "dot" in values) this.draw(); })];
    if (!this.any()) this.renew();
    this.draw();
    await this.board.learn();
    this.draw();
    this.count();
  }

  close() { this.off.forEach((end) => end()); }

  get dots() { return chosen.dot * chosen.zoom / 100; }
  any() { return this.stock.size > 0; }

  // All pieces back onto their piles, in the order of the table they come from.
  gather() {
    this.stock = new Map();
    for (const component of state.components.values()) this.stock.set(component.id, []);
    for (const name of state.order) {
      const card = state.cards.get(name);
      for (let nth = 0; nth < Math.min(card.count, 200); nth += 1) this.stock.get(card.component)?.push({ name });
    }
    this.laid = [];
    this.hands = Array.from({ length: MOST_PLAYERS }, () => []);
    this.next = 0;
  }

  // The pack has other cards: those that are no more go, new ones come onto their piles.
  renew() {
    const before = [...this.laid, ...this.hands.flat(), ...[...this.stock.values()].flat()];
    if (!before.length) { this.gather(); return this.draw(); }
    const here = (one) => state.cards.has(one.name);
    const known = new Map();
    for (const one of before) known.set(one.name, (known.get(one.name) ?? 0) + 1);
    this.laid = this.laid.filter(here);
    this.hands = this.hands.map((hand) => hand.filter(here));
    for (const component of state.components.values()) if (!this.stock.has(component.id)) this.stock.set(component.id, []);
    for (const [id, pile] of this.stock) this.stock.set(id, pile.filter(here));
    for (const card of state.cards.values())
      for (let nth = known.get(card.name) ?? 0; nth < Math.min(card.count, 200); nth += 1) this.stock.get(card.component)?.push({ name: card.name });
    this.draw();
  }

  shuffle() {
    for (const pile of this.stock.values()) mix(pile);
    toast(say("Shuffled"));
    this.draw();
  }

  take(component) { return this.stock.get(component)?.shift(); }
  first() { return [...this.stock].find(([, pile]) => pile.length)?.[0]; }

  toHand(component, player = this.player) {
    const one = this.take(this.stock.get(component)?.length ? component : this.first());
    if (one) this.hands[player].push(one);
    this.draw();
  }

  deal(each) {
    const from = this.pile ?? this.first();
    const left = this.stock.get(from)?.length ?? 0, wanted = each * this.players;
    for (let nth = 0; nth < Math.min(left, wanted); nth += 1) this.toHand(from, nth % this.players);
    toast(left < wanted ? say("{cards} dealt; no more are left", { cards: count(left, "card") }) : say("{cards} each for {players}", { cards: count(each, "card"), players: count(this.players, "player") }), left < wanted);
  }

  // A row of pieces from a pile, face up.
  layOut(component, number) {
    for (let nth = 0; nth < number; nth += 1) {
      const one = this.take(component);
      if (one) this.lay(one);
    }
  }

  // Onto the next free place of the table.
  lay(one) {
    const component = componentOf(one);
    const room = Math.max(200, this.surface.clientWidth / this.dots - 20);
    const columns = Math.max(1, Math.floor(room / (component.size[0] + 6)));
    const nth = this.next;
    this.next += 1;
    Object.assign(one, { x: 10 + (nth % columns) * (component.size[0] + 6), y: 10 + Math.floor(nth / columns) * (component.size[1] + 6), turn: one.turn ?? 0, side: one.side ?? 0, cell: null });
    this.laid.push(one);
    this.draw();
  }

  // Lets go of a piece: a tile snaps to its place when it may lie there, and goes back with the reason when not.
  async drop(one, before) {
    if (!this.board.isTile(one)) return this.draw();
    const spot = this.board.nearest(one);
    Object.assign(one, { x: spot.x, y: spot.y, cell: [spot.column, spot.row] });
    const back = (why) => {
      Object.assign(one, before);
      this.draw();
      const shown = this.shown.get(one);
      shown?.classList.add("refused");
      setTimeout(() => shown?.classList.remove("refused"), 900);
      toast(why, true);
    };
    if (this.laid.some((other) => other !== one && other.cell?.join() === one.cell.join())) return back(say("there is already a tile in this place"));
    const counts = this.asks();
    try {
      const said = await this.board.judged(this.laid.filter((other) => other !== one), one);
      if (!said.legal) return back(said.why.join("\n"));
      if (counts()) this.tally(said.scores);
      else this.count();
      this.draw();
    } catch (error) { back(error.message); }
  }

  async count() {
    if (!this.board.snaps || !this.board.rules) return this.tally({});
    const counts = this.asks();
    const said = await this.board.judged(this.laid).catch(() => null);
    if (said && counts()) this.tally(said.scores);
  }

  tally(scores) {
    this.score.textContent = Object.entries(scores).map(([name, value]) => `${name} ${value}`).join("  ·  ");
  }

  draw() {
    if (!this.root.isConnected || !state.game) return;
    this.waits = Boolean(this.gripped);
    if (this.waits) return;
    this.bars();
    this.piles.replaceChildren(...[...this.stock].map(([id, pile]) => this.pileOf(id, pile)));
    this.shown = new Map();
    const focus = this.surface.contains(document.activeElement) ? this.focused : null;
    this.cloth.replaceChildren(...this.laid.filter((one) => state.cards.has(one.name)).map((one) => this.pieceOf(one)));
    const far = this.laid.reduce(([x, y], one) => [Math.max(x, one.x + 120), Math.max(y, one.y + 120)], [0, 0]);
    Object.assign(this.cloth.style, { width: `${far[0] * this.dots}px`, height: `${far[1] * this.dots}px` });
    this.held.replaceChildren(
      ...this.hands[this.player].filter((one) => state.cards.has(one.name)).map((one, nth) => this.handPiece(one, nth)),
    );
    if (!this.hands[this.player].length) this.held.append(make("p", { class: "where", text: say("Your hand is empty. Draw from a pile or deal.") }));
    this.shown.get(focus)?.focus({ preventScroll: true });
  }

  bars() {
    const players = make("select", { class: "pill", "aria-label": say("Players"), onchange: (event) => { this.players = Number(event.target.value); this.player = Math.min(this.player, this.players - 1); this.draw(); } },
      ...Array.from({ length: MOST_PLAYERS }, (_, nth) => make("option", { value: String(nth + 1), text: count(nth + 1, "player"), selected: nth + 1 === this.players })));
    const each = make("input", { class: "pill few", type: "number", min: 1, max: 20, value: String(chosen.each ?? 5), "aria-label": say("Cards per player"), onchange: (event) => choose({ each: Number(event.target.value) }) });
    const button = (text, act) => make("button", { class: "pill", text, onclick: act });
    const hands = Array.from({ length: this.players }, (_, nth) => make("button", { class: "pill", text: say("Hand {number} ({count})", { number: nth + 1, count: this.hands[nth].length }), "aria-pressed": String(nth === this.player), onclick: () => { this.player = nth; this.draw(); } }));
    const board = this.board.rules?.tiles.length ? make("button", { class: "pill", text: say("Board: tiles snap"), "aria-pressed": String(this.board.snaps), onclick: () => this.snap() }) : null;
    const one = this.laid.includes(this.focused) ? this.focused : null;
    const acts = Object.entries(ACTS).map(([key, text]) => make("button", { class: "pill", text, title: `(${key})`, disabled: !one, onclick: () => this.act(key, one) }));
    this.bar.replaceChildren(...[button(say("Shuffle"), () => this.shuffle()), players, button(say("Deal"), () => this.deal(chosen.each ?? 5)), each, button(say("Gather all"), () => { this.gather(); this.draw(); this.count(); }), board, make("span", { class: "gap" }), ...acts, ...hands, this.score].filter(Boolean));
  }

  snap() {
    const { board } = this;
    board.snaps = !board.snaps;
    if (!board.snaps) for (const one of this.laid) one.cell = null;
    toast(board.snaps ? (board.rules.stated ? say("Tiles snap to the grid and must follow the pack's rules") : say("Tiles snap to the grid; the pack has no placement rules")) : say("Tiles stay where you put them"));
    this.count();
    this.draw();
  }

  pileOf(id, pile) {
    const component = state.components.get(id);
    if (!component) return "";
    const top = pile[0] && state.cards.get(pile[0].name);
    const show = new Piece();
    const dots = Math.min(1.1, 70 / component.size[0]);
    if (top) show.show(top, top.sides.find((side) => side.name === "back") ?? top.sides[0], dots);
    return make("div", { class: `pile${this.pile === id ? " chosen" : ""}` },
      make("button", { class: "lift", title: say("Draw into your hand"), "aria-label": say("{title}: draw, {count} left", { title: component.title, count: pile.length }), onclick: () => { this.pile = id; this.toHand(id); } }, show.root),
      make("span", { class: "name", text: component.title }), make("span", { class: "number", text: String(pile.length) }),
      make("button", { class: "quiet small", text: say("lay out"), title: say("Place five on the table"), onclick: () => this.layOut(id, 5) }));
  }

  handPiece(one) {
    const card = state.cards.get(one.name), show = new Piece();
    show.show(card, sideOf(one), 2.1);
    return make("button", { class: "lift", title: say("{title}: place on the table", card), "aria-label": say("{title}: place it on the table", card), "data-name": card.name,
      onclick: () => { this.hands[this.player].splice(this.hands[this.player].indexOf(one), 1); this.lay(one); } }, show.root);
  }

  pieceOf(one) {
    const card = state.cards.get(one.name), show = new Piece();
    show.show(card, sideOf(one), this.dots);
    const root = make("div", { class: "lift laid", tabindex: "0", role: "button", "aria-label": one.turn ? say("{title}, turned by {turn} degrees", { title: card.title, turn: one.turn }) : card.title, "data-name": card.name,
      style: { left: `${one.x * this.dots}px`, top: `${one.y * this.dots}px`, transform: one.turn ? `rotate(${one.turn}deg)` : "" } }, show.root);
    root.addEventListener("pointerdown", (event) => this.grip(event, one, root));
    root.addEventListener("focus", () => { if (this.focused !== one) { this.focused = one; this.bars(); } });
    root.addEventListener("dblclick", () => this.act("f", one));
    root.addEventListener("keydown", (event) => this.key(event, one));
    this.shown.set(one, root);
    return root;
  }

  grip(event, one, root) {
    if (event.button) return;
    event.stopPropagation();
    const before = { ...one };
    const from = [event.clientX, event.clientY];
    let moved = false;
    this.focused = this.gripped = one;
    const drag = (now) => {
      if (!moved && Math.hypot(now.clientX - from[0], now.clientY - from[1]) < 4) return;
      moved = true;
      root.classList.add("dragged");
      one.x = before.x + (now.clientX - from[0]) / this.dots;
      one.y = before.y + (now.clientY - from[1]) / this.dots;
      Object.assign(root.style, { left: `${one.x * this.dots}px`, top: `${one.y * this.dots}px` });
    };
    follow(root, event, drag, () => {
      this.gripped = null;
      if (!moved) {
        root.focus();
        return this.waits ? this.draw() : this.bars();
      }
      this.laid.splice(this.laid.indexOf(one), 1);
      this.laid.push(one);
      this.drop(one, before);
    });
  }

  again(one, change) {
    const before = { ...one };
    Object.assign(one, change);
    this.focused = one;
    if (one.cell && this.board.isTile(one)) this.drop(one, before);
    else this.draw();
    this.shown.get(one)?.focus({ preventScroll: true });
  }

  // What is done to a piece by its key, or by the button of that name.
  act(key, one) {
    const quantum = this.board.isTile(one) ? this.board.rules.quantum : 90;
    if (key === "t") return this.again(one, { turn: ((one.turn ?? 0) + quantum) % 360 });
    if (key === "f") return this.again(one, { side: (one.side ?? 0) + 1 });
    this.laid.splice(this.laid.indexOf(one), 1);
    if (key === "h") this.hands[this.player].push({ name: one.name });
    else this.stock.get(state.cards.get(one.name).component).unshift({ name: one.name });
    this.draw();
    this.count();
  }

  key(event, one) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = this.board.isTile(one) ? this.board.unit(one) * this.board.rules.pitch[0] : 5;
    const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (way) {
      const before = { ...one };
      Object.assign(one, { x: one.x + way[0], y: one.y + way[1] });
      this.focused = one;
      this.drop(one, before);
    } else if (ACTS[event.key]) this.act(event.key, one);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  pan(event) {
    if (event.target !== this.surface && event.target !== this.cloth) return;
    const from = [event.clientX + this.surface.scrollLeft, event.clientY + this.surface.scrollTop];
    follow(this.surface, event, (now) => {
      this.surface.scrollLeft = from[0] - now.clientX;
      this.surface.scrollTop = from[1] - now.clientY;
    });
  }

  pressed(event) {
    if (event.key === "d") { this.toHand(this.pile); return true; }
    if (event.key === "x") { this.shuffle(); return true; }
    return false;
  }
}
