// All cards in a grid, of which only those are in the page that can be seen.

import { chosen, go, on, say, state } from "./store.js";
import { make, count } from "./dom.js";
import { Piece, dotsNow } from "./piece.js";
import { found } from "./filters.js";

const GAP = 22, CAPTION = 52, HEAD = 58, AHEAD = 600;
// The least widths of a card in pixels: for its caption of two lines, and for a message, of which a line then has some three words.
const NARROW = 104, LEGIBLE = 130;

export class CardsView {
  constructor() {
    this.space = make("div", { class: "space", role: "list", "aria-label": say("Cards"), "data-none": say("No cards match.") });
    this.root = make("div", { class: "scroll" }, this.space);
    this.root.addEventListener("scroll", () => this.later(), { passive: true });
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.probe = make("p", { class: "mistake", "aria-hidden": "true" });
    this.cells = new Map();
    this.rows = [];
    this.at = 0;
  }

  open(place) {
    place.replaceChildren(this.root);
    this.off = [
      on("cards", ({ changed, order }) => {
        if (!order) for (const name of changed) this.refresh(name);
        if (order || this.isCramped(changed)) this.lay(!order);
      }),
      on("pulled", () => this.show(true)),
      on("wanted", () => { this.root.scrollTop = 0; this.lay(); }),
      on("chosen", (values) => { if ("zoom" in values || "dot" in values) this.lay(true); }),
    ];
    this.watch = new ResizeObserver(() => this.lay());
    this.watch.observe(this.root);
    this.lay();
    this.root.scrollTop = this.at;
    this.show();
  }

  close() {
    this.at = this.root.scrollTop;
    this.off.forEach((end) => end());
    this.watch.disconnect();
  }

  // Where every card lies; nothing is made yet.
  lay(keep = false) {
    const width = this.root.clientWidth - 2 * GAP;
    if (width <= 0) return;
    const dots = dotsNow();
    const anchor = keep ? this.topCard() : null;
    this.rows = [];
    this.cards = found();
    this.index = new Map(this.cards.map((card, nth) => [card.name, nth]));
    let top = 8;
    for (const component of state.components.values()) {
      const own = this.cards.filter((card) => card.component === component.id);
      if (!own.length) continue;
      this.rows.push({ kind: "head", component, top, height: HEAD, designs: own.length, pieces: own.reduce((sum, card) => sum + card.count, 0) });
      top += HEAD;
      const w = Math.max(component.size[0] * dots, own.some((card) => card.problems.length) ? LEGIBLE : NARROW), h = component.size[1] * dots;
      const columns = Math.max(1, Math.floor((width + GAP) / (w + GAP)));
      for (let nth = 0; nth < own.length; nth += columns) {
        const cards = own.slice(nth, nth + columns), more = this.excess(cards, w, h);
        this.rows.push({ kind: "cards", cards, top, height: h + more + CAPTION + GAP, w, h, columns, more });
        top += h + more + CAPTION + GAP;
      }
      top += 14;
    }
    this.space.style.height = `${top + 60}px`;
    this.root.classList.toggle("empty", !this.cards.length);
    if (anchor) this.reveal(anchor, false);
    this.show(true);
  }

  // The height by which the longest message of some cards exceeds its card: their row has room for it.
  excess(cards, width, height) {
    const wrong = cards.filter((card) => card.problems.length);
    if (!wrong.length) return 0;
    this.probe.style.width = `${width}px`;
    this.root.append(make("div", { class: "card probe" }, this.probe));
    const heights = wrong.map((card) => {
      this.probe.textContent = messageOf(card);
      return Math.ceil(this.probe.offsetHeight - height);
    });
    this.root.lastChild.remove();
    return Math.max(0, ...heights);
  }

  // Whether some of these cards lie in a row whose room for messages is no longer what they need.
  isCramped(names) {
    const changed = (row) => row.kind === "cards" && row.cards.some((card) => names.has(card.name));
    return this.rows.some((row) => changed(row) && (row.w <= LEGIBLE || this.excess(row.cards, row.w, row.h) !== row.more));
  }

  topCard() {
    const top = this.root.scrollTop;
    return this.rows.find((row) => row.kind === "cards" && row.top + row.height > top)?.cards[0]?.name;
  }

  later() {
    this.frame ??= requestAnimationFrame(() => { this.frame = null; this.show(); });
  }

  show(again = false) {
    const from = this.root.scrollTop - AHEAD, to = this.root.scrollTop + this.root.clientHeight + AHEAD;
    const dots = dotsNow();
    const keep = new Set();
    let low = 0, high = this.rows.length;
    while (low < high) { const middle = (low + high) >> 1; if (this.rows[middle].top + this.rows[middle].height < from) low = middle + 1; else high = middle; }
    for (let nth = low; nth < this.rows.length && this.rows[nth].top < to; nth += 1) {
      const row = this.rows[nth];
      if (row.kind === "head") this.head(row, keep);
      else row.cards.forEach((card, column) => this.cell(card, GAP + column * (row.w + GAP), row, dots, keep, again));
    }
    for (const [name, cell] of this.cells) if (!keep.has(name)) { cell.root.remove(); this.cells.delete(name); }
  }

  head(row, keep) {
    const name = `head ${row.component.id}`;
    keep.add(name);
    let cell = this.cells.get(name);
    if (!cell) {
      cell = { root: make("div", { class: "head", role: "presentation" }, make("h2"), make("span")) };
      this.cells.set(name, cell);
      this.space.append(cell.root);
    }
    const [w, h] = row.component.size.map((length) => +length.toFixed(1));
    cell.root.children[0].textContent = row.component.title || row.component.id;
    cell.root.children[1].textContent = `${count(row.designs, "design")} · ${count(row.pieces, "piece")} · ${w} × ${h} mm`;
    cell.root.style.transform = `translate(${GAP}px,${row.top}px)`;
  }

  cell(card, left, row, dots, keep, again) {
    keep.add(card.name);
    let cell = this.cells.get(card.name);
    if (!cell) {
      cell = new Cell();
      this.cells.set(card.name, cell);
      this.space.append(cell.root);
      again = true;
    }
    const place = `translate(${left}px,${row.top}px)`;
    if (cell.place !== place) cell.root.style.transform = cell.place = place;
    if (again || cell.card !== card) cell.show(card, row.w, dots, this.index.get(card.name), this.cards.length);
    cell.root.tabIndex = card.name === (this.focused ?? this.cards[0]?.name) ? 0 : -1;
  }

  refresh(name) {
    const card = state.cards.get(name), cell = this.cells.get(name);
    const nth = this.index?.get(name);
    if (nth !== undefined && card) {
      this.cards[nth] = card;
      for (const row of this.rows) if (row.kind === "cards") { const at = row.cards.findIndex((each) => each.name === name); if (at >= 0) { row.cards[at] = card; break; } }
    }
    if (cell && card) { cell.show(card, cell.width, dotsNow(), nth, this.cards.length); cell.flash(); }
  }

  reveal(name, focus = true) {
    const row = this.rows.find((each) => each.kind === "cards" && each.cards.some((card) => card.name === name));
    if (!row) return;
    const top = this.root.scrollTop;
    if (row.top < top || row.top + row.height > top + this.root.clientHeight) this.root.scrollTop = Math.max(0, row.top - 60);
    if (!focus) return;
    this.focused = name;
    this.show();
    this.cells.get(name)?.root.focus({ preventScroll: true });
  }

  key(event) {
    const name = event.target.closest?.(".card")?.dataset.name;
    if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.index.get(name);
    const row = this.rows.find((each) => each.kind === "cards" && each.cards.some((card) => card.name === name));
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row.columns, ArrowUp: -row.columns }[event.key];
    const next = event.key === "Home" ? 0 : event.key === "End" ? this.cards.length - 1 : step ? Math.min(this.cards.length - 1, Math.max(0, at + step)) : null;
    if (next !== null) { event.preventDefault(); this.reveal(this.cards[next].name); }
    if (event.key === "Enter") { event.preventDefault(); go("card", name); }
    if (event.key === "f") this.cells.get(name)?.flip();
  }
}

// Without the folder that all of the pack lies in, which makes places long.
const messageOf = (card) => card.problems.map((problem) => problem.text.replaceAll(state.game.folder, "")).join("\n");

class Cell {
  constructor() {
    this.piece = new Piece();
    this.title = make("span", { class: "name" });
    this.number = make("span", { class: "number" });
    this.mistake = make("p", { class: "mistake", hidden: true });
    this.turn = make("button", { class: "quiet turn", title: `${say("Turn over")} (f)`, "aria-label": say("Turn over"), text: "⟲", tabIndex: -1, onclick: (event) => { event.stopPropagation(); this.flip(); } });
    this.root = make("div", { class: "card", role: "listitem", onclick: () => go("card", this.card.name) },
      make("div", { class: "lift" }, this.piece.root, this.mistake, this.turn), make("div", { class: "caption" }, this.title, this.number));
    this.side = 0;
  }

  show(card, width, dots, nth, all) {
    if (this.card && this.card.name !== card.name) this.side = 0;
    this.card = card;
    this.width = width;
    this.root.dataset.name = card.name;
    this.root.style.width = `${width}px`;
    this.root.setAttribute("aria-posinset", nth + 1);
    this.root.setAttribute("aria-setsize", all);
    Object.assign(this.title, { textContent: card.title, lang: state.game.language });
    this.number.textContent = `×${card.count}`;
    this.root.title = [card.name, card.where].filter(Boolean).join(" · ");
    const wrong = messageOf(card);
    this.root.setAttribute("aria-label", `${card.title}, ${count(card.count, "piece")}${wrong ? `, ${say("wrong: {what}", { what: wrong })}` : ""}`);
    this.root.classList.toggle("wrong", Boolean(wrong));
    this.root.classList.toggle("stale", card.stale);
    const came = ["new", "changed"].find((way) => state.pulled?.[way]?.includes(card.id) && card.where.includes(state.pulled.file));
    this.root.dataset.came = came ? { new: say("new"), changed: say("changed") }[came] : "";
    this.mistake.hidden = !wrong;
    this.mistake.textContent = wrong;
    this.turn.hidden = card.sides.length < 2;
    this.piece.show(card, card.sides[this.side] ?? card.sides[0], dots);
  }

  flip() {
    this.side = (this.side + 1) % this.card.sides.length;
    this.piece.root.classList.add("turning");
    setTimeout(() => this.piece.root.classList.remove("turning"), 260);
    this.piece.show(this.card, this.card.sides[this.side], dotsNow());
  }

  flash() {
    this.root.classList.remove("fresh");
    void this.root.offsetWidth;
    this.root.classList.add("fresh");
  }
}
