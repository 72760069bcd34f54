// A table to play on: piles, hands, and pieces to place, rotate and drag. Tiles snap, and illegal moves are taken back.

import { settings, saveSettings, shuffleInPlace, subscribe, translate, state } from "./store.js";
import { createElement, formatCount, trackPointer, toast } from "./dom.js";
import { Board, componentOf, sideOf } from "./board.js";
import { Piece } from "./piece.js";
import { latestOnly } from "./server.js";

const MAX_PLAYERS = 6;
// Copies of a card on the table; more would slow the page down and nobody plays them.
const MAX_COPIES = 200;
const ACTIONS = { t: translate("Rotate"), f: translate("Turn over"), h: translate("Take into hand"), Delete: translate("Return to pile") };

export class TableView {
  constructor() {
    this.bar = createElement("div", { class: "choice", role: "toolbar", "aria-label": translate("The table") });
    this.piles = createElement("div", { class: "piles", role: "group", "aria-label": translate("Piles") });
    this.cloth = createElement("div", { class: "cloth" });
    this.surface = createElement("div", { class: "surface", role: "group", "aria-label": translate("On the table") }, this.cloth);
    this.handBar = createElement("div", { class: "hand", role: "group", "aria-label": translate("Your hand") });
    this.score = createElement("output", { class: "score", "aria-live": "polite" });
    this.root = createElement("div", { class: "table" }, this.bar, this.piles, this.surface, this.handBar);
    this.board = new Board();
    this.players = 2;
    this.player = 0;
    this.startLoad = latestOnly();
    this.keys = [["d", translate("draw a card into your hand")], ["x", translate("shuffle all piles")], ["t", translate("rotate the selected piece by one step")], ["f", translate("turn it over")], ["h", translate("take it into your hand")], ["Delete", translate("return it to its pile")], [translate("arrows"), translate("move it")]];
    this.gather();
    this.surface.addEventListener("pointerdown", (event) => this.pan(event));
  }

  async open(place) {
    place.replaceChildren(this.root);
    this.unsubscribe = [subscribe("cards", ({ order }) => { if (order || !this.hasPieces()) this.updateStock(); else this.draw(); }), subscribe("settings", (values) => { if ("zoom" in values || "dot" in values) this.draw(); })];
    if (!this.hasPieces()) this.updateStock();
    this.draw();
    await this.board.load();
    this.draw();
    this.updateScore();
  }

  close() { this.unsubscribe.forEach((end) => end()); }

  get pxPerMm() { return settings.dot * settings.zoom / 100; }
  hasPieces() { return this.stock.size > 0; }

  // Put all pieces back onto their piles, in the order of the pack's tables.
  gather() {
    this.stock = new Map();
    for (const component of state.components.values()) this.stock.set(component.id, []);
    for (const name of state.order) {
      const card = state.cards.get(name);
      for (let index = 0; index < Math.min(card.count, MAX_COPIES); index += 1) this.stock.get(card.component)?.push({ name });
    }
    this.onTable = [];
    this.hands = Array.from({ length: MAX_PLAYERS }, () => []);
    this.next = 0;
  }

  // Follow a change of the pack: remove pieces that no longer exist, and put new ones onto their piles.
  updateStock() {
    const before = [...this.onTable, ...this.hands.flat(), ...[...this.stock.values()].flat()];
    if (!before.length) { this.gather(); return this.draw(); }
    const exists = (piece) => state.cards.has(piece.name);
    const known = new Map();
    for (const piece of before) known.set(piece.name, (known.get(piece.name) ?? 0) + 1);
    this.onTable = this.onTable.filter(exists);
    this.hands = this.hands.map((hand) => hand.filter(exists));
    for (const component of state.components.values()) if (!this.stock.has(component.id)) this.stock.set(component.id, []);
    for (const [id, pile] of this.stock) this.stock.set(id, pile.filter(exists));
    for (const card of state.cards.values())
      for (let index = known.get(card.name) ?? 0; index < Math.min(card.count, MAX_COPIES); index += 1) this.stock.get(card.component)?.push({ name: card.name });
    this.draw();
  }

  shuffle() {
    for (const pile of this.stock.values()) shuffleInPlace(pile);
    toast(translate("Shuffled"));
    this.draw();
  }

  takeFrom(component) { return this.stock.get(component)?.shift(); }
  firstPile() { return [...this.stock].find(([, pile]) => pile.length)?.[0]; }

  drawToHand(component, player = this.player) {
    const piece = this.takeFrom(this.stock.get(component)?.length ? component : this.firstPile());
    if (piece) this.hands[player].push(piece);
    this.draw();
  }

  deal(perPlayer) {
    const from = this.pile ?? this.firstPile();
    const left = this.stock.get(from)?.length ?? 0, wanted = perPlayer * this.players;
    for (let index = 0; index < Math.min(left, wanted); index += 1) this.drawToHand(from, index % this.players);
    toast(left < wanted ? translate("{cards} dealt; no more are left", { cards: formatCount(left, "card") }) : translate("{cards} each for {players}", { cards: formatCount(perPlayer, "card"), players: formatCount(this.players, "player") }), left < wanted);
  }

  // Place some pieces of a pile on the table, face up.
  placeRow(component, number) {
    for (let index = 0; index < number; index += 1) {
      const piece = this.takeFrom(component);
      if (piece) this.placeOnTable(piece);
    }
  }

  // Place a piece on the next free place of the table.
  placeOnTable(piece) {
    const component = componentOf(piece);
    const width = Math.max(200, this.surface.clientWidth / this.pxPerMm - 20);
    const columns = Math.max(1, Math.floor(width / (component.size[0] + 6)));
    const index = this.next;
    this.next += 1;
    Object.assign(piece, { x: 10 + (index % columns) * (component.size[0] + 6), y: 10 + Math.floor(index / columns) * (component.size[1] + 6), turn: piece.turn ?? 0, side: piece.side ?? 0, cell: null });
    this.onTable.push(piece);
    this.draw();
  }

  // Release a dragged piece. A tile snaps to its place if it may lie there; otherwise it goes back, and the reason appears.
  async drop(piece, before) {
    if (!this.board.isTile(piece)) return this.draw();
    const spot = this.board.nearest(piece);
    Object.assign(piece, { x: spot.x, y: spot.y, cell: [spot.column, spot.row] });
    const takeBack = (why) => {
      Object.assign(piece, before);
      this.draw();
      const element = this.elements.get(piece);
      element?.classList.add("refused");
      setTimeout(() => element?.classList.remove("refused"), 900);
      toast(why, true);
    };
    if (this.onTable.some((other) => other !== piece && other.cell?.join() === piece.cell.join())) return takeBack(translate("there is already a tile in this place"));
    const isLatest = this.startLoad();
    try {
      const verdict = await this.board.judge(this.onTable.filter((other) => other !== piece), piece);
      if (!verdict.legal) return takeBack(verdict.why.join("\n"));
      if (isLatest()) this.showScores(verdict.scores);
      else this.updateScore();
      this.draw();
    } catch (error) { takeBack(error.message); }
  }

  async updateScore() {
    if (!this.board.snaps || !this.board.rules) return this.showScores({});
    const isLatest = this.startLoad();
    const verdict = await this.board.judge(this.onTable).catch(() => null);
    if (verdict && isLatest()) this.showScores(verdict.scores);
  }

  showScores(scores) {
    this.score.textContent = Object.entries(scores).map(([name, value]) => `${name} ${value}`).join("  ·  ");
  }

  draw() {
    if (!this.root.isConnected || !state.game) return;
    this.needsRedraw = Boolean(this.dragged);
    if (this.needsRedraw) return;
    this.fillToolbar();
    this.piles.replaceChildren(...[...this.stock].map(([id, pile]) => this.pileOf(id, pile)));
    this.elements = new Map();
    const focus = this.surface.contains(document.activeElement) ? this.focused : null;
    this.cloth.replaceChildren(...this.onTable.filter((piece) => state.cards.has(piece.name)).map((piece) => this.pieceOf(piece)));
    const extent = this.onTable.reduce(([x, y], piece) => [Math.max(x, piece.x + 120), Math.max(y, piece.y + 120)], [0, 0]);
    Object.assign(this.cloth.style, { width: `${extent[0] * this.pxPerMm}px`, height: `${extent[1] * this.pxPerMm}px` });
    this.handBar.replaceChildren(
      ...this.hands[this.player].filter((piece) => state.cards.has(piece.name)).map((piece, index) => this.handPiece(piece, index)),
    );
    if (!this.hands[this.player].length) this.handBar.append(createElement("p", { class: "where", text: translate("Your hand is empty. Draw from a pile or deal.") }));
    this.elements.get(focus)?.focus({ preventScroll: true });
  }

  fillToolbar() {
    const players = createElement("select", { class: "pill", "aria-label": translate("Players"), onchange: (event) => { this.players = Number(event.target.value); this.player = Math.min(this.player, this.players - 1); this.draw(); } },
      ...Array.from({ length: MAX_PLAYERS }, (_, index) => createElement("option", { value: String(index + 1), text: formatCount(index + 1, "player"), selected: index + 1 === this.players })));
    const each = createElement("input", { class: "pill few", type: "number", min: 1, max: 20, value: String(settings.each ?? 5), "aria-label": translate("Cards per player"), onchange: (event) => saveSettings({ each: Number(event.target.value) }) });
    const button = (text, handler) => createElement("button", { class: "pill", text, onclick: handler });
    const hands = Array.from({ length: this.players }, (_, index) => createElement("button", { class: "pill", text: translate("Hand {number} ({count})", { number: index + 1, count: this.hands[index].length }), "aria-pressed": String(index === this.player), onclick: () => { this.player = index; this.draw(); } }));
    const board = this.board.rules?.tiles.length ? createElement("button", { class: "pill", text: translate("Board: tiles snap"), "aria-pressed": String(this.board.snaps), onclick: () => this.snap() }) : null;
    const piece = this.onTable.includes(this.focused) ? this.focused : null;
    const actionButtons = Object.entries(ACTIONS).map(([key, text]) => createElement("button", { class: "pill", text, title: `(${key})`, disabled: !piece, onclick: () => this.act(key, piece) }));
    this.bar.replaceChildren(...[button(translate("Shuffle"), () => this.shuffle()), players, button(translate("Deal"), () => this.deal(settings.each ?? 5)), each, button(translate("Gather all"), () => { this.gather(); this.draw(); this.updateScore(); }), board, createElement("span", { class: "gap" }), ...actionButtons, ...hands, this.score].filter(Boolean));
  }

  snap() {
    const { board } = this;
    board.snaps = !board.snaps;
    if (!board.snaps) for (const piece of this.onTable) piece.cell = null;
    toast(board.snaps ? (board.rules.has_rules ? translate("Tiles snap to the grid and must follow the pack's rules") : translate("Tiles snap to the grid; the pack has no placement rules")) : translate("Tiles stay where you put them"));
    this.updateScore();
    this.draw();
  }

  pileOf(id, pile) {
    const component = state.components.get(id);
    if (!component) return "";
    const top = pile[0] && state.cards.get(pile[0].name);
    const preview = new Piece();
    const pxPerMm = Math.min(1.1, 70 / component.size[0]);
    if (top) preview.show(top, top.sides.find((side) => side.name === "back") ?? top.sides[0], pxPerMm);
    return createElement("div", { class: `pile${this.pile === id ? " selected" : ""}` },
      createElement("button", { class: "lift", title: translate("Draw into your hand"), "aria-label": translate("{title}: draw, {count} left", { title: component.title, count: pile.length }), onclick: () => { this.pile = id; this.drawToHand(id); } }, preview.root),
      createElement("span", { class: "name", text: component.title }), createElement("span", { class: "number", text: String(pile.length) }),
      createElement("button", { class: "quiet small", text: translate("lay out"), title: translate("Place five on the table"), onclick: () => this.placeRow(id, 5) }));
  }

  handPiece(piece) {
    const card = state.cards.get(piece.name), preview = new Piece();
    preview.show(card, sideOf(piece), 2.1);
    return createElement("button", { class: "lift", title: translate("{title}: place on the table", card), "aria-label": translate("{title}: place it on the table", card), "data-name": card.name,
      onclick: () => { this.hands[this.player].splice(this.hands[this.player].indexOf(piece), 1); this.placeOnTable(piece); } }, preview.root);
  }

  pieceOf(piece) {
    const card = state.cards.get(piece.name), preview = new Piece();
    preview.show(card, sideOf(piece), this.pxPerMm);
    const root = createElement("div", { class: "lift placed", tabindex: "0", role: "button", "aria-label": piece.turn ? translate("{title}, rotated by {turn} degrees", { title: card.title, turn: piece.turn }) : card.title, "data-name": card.name,
      style: { left: `${piece.x * this.pxPerMm}px`, top: `${piece.y * this.pxPerMm}px`, transform: piece.turn ? `rotate(${piece.turn}deg)` : "" } }, preview.root);
    root.addEventListener("pointerdown", (event) => this.startDrag(event, piece, root));
    root.addEventListener("focus", () => { if (this.focused !== piece) { this.focused = piece; this.fillToolbar(); } });
    root.addEventListener("dblclick", () => this.act("f", piece));
    root.addEventListener("keydown", (event) => this.handleKeydown(event, piece));
    this.elements.set(piece, root);
    return root;
  }

  startDrag(event, piece, root) {
    if (event.button) return;
    event.stopPropagation();
    const before = { ...piece };
    const from = [event.clientX, event.clientY];
    let moved = false;
    this.focused = this.dragged = piece;
    const drag = (now) => {
      if (!moved && Math.hypot(now.clientX - from[0], now.clientY - from[1]) < 4) return;
      moved = true;
      root.classList.add("dragged");
      piece.x = before.x + (now.clientX - from[0]) / this.pxPerMm;
      piece.y = before.y + (now.clientY - from[1]) / this.pxPerMm;
      Object.assign(root.style, { left: `${piece.x * this.pxPerMm}px`, top: `${piece.y * this.pxPerMm}px` });
    };
    trackPointer(root, event, drag, () => {
      this.dragged = null;
      if (!moved) {
        root.focus();
        return this.needsRedraw ? this.draw() : this.fillToolbar();
      }
      this.onTable.splice(this.onTable.indexOf(piece), 1);
      this.onTable.push(piece);
      this.drop(piece, before);
    });
  }

  change(piece, values) {
    const before = { ...piece };
    Object.assign(piece, values);
    this.focused = piece;
    if (piece.cell && this.board.isTile(piece)) this.drop(piece, before);
    else this.draw();
    this.elements.get(piece)?.focus({ preventScroll: true });
  }

  // Do the action of a key, or of the button with its name, to a piece.
  act(key, piece) {
    const turnStep = this.board.isTile(piece) ? this.board.rules.turn_step : 90;
    if (key === "t") return this.change(piece, { turn: ((piece.turn ?? 0) + turnStep) % 360 });
    if (key === "f") return this.change(piece, { side: (piece.side ?? 0) + 1 });
    this.onTable.splice(this.onTable.indexOf(piece), 1);
    if (key === "h") this.hands[this.player].push({ name: piece.name });
    else this.stock.get(state.cards.get(piece.name).component).unshift({ name: piece.name });
    this.draw();
    this.updateScore();
  }

  handleKeydown(event, piece) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = this.board.isTile(piece) ? this.board.unit(piece) * this.board.rules.pitch[0] : 5;
    const move = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (move) {
      const before = { ...piece };
      Object.assign(piece, { x: piece.x + move[0], y: piece.y + move[1] });
      this.focused = piece;
      this.drop(piece, before);
    } else if (ACTIONS[event.key]) this.act(event.key, piece);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  pan(event) {
    if (event.target !== this.surface && event.target !== this.cloth) return;
    const from = [event.clientX + this.surface.scrollLeft, event.clientY + this.surface.scrollTop];
    trackPointer(this.surface, event, (now) => {
      this.surface.scrollLeft = from[0] - now.clientX;
      this.surface.scrollTop = from[1] - now.clientY;
    });
  }

  handleKey(event) {
    if (event.key === "d") { this.drawToHand(this.pile); return true; }
    if (event.key === "x") { this.shuffle(); return true; }
    return false;
  }
}
