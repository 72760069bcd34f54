// All cards in a grid. Only those near the visible part are elements of the page, so that a thousand cards scroll fast.

import { go, subscribe, translate, state } from "./store.js";
import { createElement, formatCount } from "./dom.js";
import { Piece, pixelsPerMm } from "./piece.js";
import { matchingCards } from "./filters.js";

// Rows this far outside the visible part are elements already, so that scrolling shows no gaps.
const PRELOAD_PX = 600;
const GAP_PX = 22, CAPTION_PX = 52, HEAD_PX = 58;
// The least widths of a card: for a caption of two lines, and for a message, with about three words in a line.
const MIN_CARD_PX = 104, MIN_MESSAGE_PX = 130;

export class CardsView {
  constructor() {
    this.space = createElement("div", { class: "space", role: "list", "aria-label": translate("Cards"), "data-none": translate("No cards match.") });
    this.root = createElement("div", { class: "scroll" }, this.space);
    this.root.addEventListener("scroll", () => this.scheduleShow(), { passive: true });
    this.root.addEventListener("keydown", (event) => this.handleKeydown(event));
    this.probe = createElement("p", { class: "mistake", "aria-hidden": "true" });
    this.cells = new Map();
    this.rows = [];
    this.lastScrollTop = 0;
  }

  open(place) {
    place.replaceChildren(this.root);
    this.unsubscribe = [
      subscribe("cards", ({ changed, order }) => {
        if (!order) for (const name of changed) this.refresh(name);
        if (order || this.needsNewLayout(changed)) this.layOut(!order);
      }),
      subscribe("downloads", () => this.show(true)),
      subscribe("filter", () => { this.root.scrollTop = 0; this.layOut(); }),
      subscribe("settings", (values) => { if ("zoom" in values || "dot" in values) this.layOut(true); }),
    ];
    this.watch = new ResizeObserver(() => this.layOut());
    this.watch.observe(this.root);
    this.layOut();
    this.root.scrollTop = this.lastScrollTop;
    this.show();
  }

  close() {
    this.lastScrollTop = this.root.scrollTop;
    this.unsubscribe.forEach((end) => end());
    this.watch.disconnect();
  }

  // Compute the positions of all cards, without making elements.
  layOut(keepPosition = false) {
    const width = this.root.clientWidth - 2 * GAP_PX;
    if (width <= 0) return;
    const pxPerMm = pixelsPerMm();
    const anchor = keepPosition ? this.topCard() : null;
    this.rows = [];
    this.cards = matchingCards();
    this.index = new Map(this.cards.map((card, index) => [card.name, index]));
    let top = 8;
    for (const component of state.components.values()) {
      const componentCards = this.cards.filter((card) => card.component === component.id);
      if (!componentCards.length) continue;
      this.rows.push({ kind: "head", component, top, height: HEAD_PX, designs: componentCards.length, pieces: componentCards.reduce((sum, card) => sum + card.count, 0) });
      top += HEAD_PX;
      const w = Math.max(component.size[0] * pxPerMm, componentCards.some((card) => card.problems.length) ? MIN_MESSAGE_PX : MIN_CARD_PX), h = component.size[1] * pxPerMm;
      const columns = Math.max(1, Math.floor((width + GAP_PX) / (w + GAP_PX)));
      for (let index = 0; index < componentCards.length; index += columns) {
        const cards = componentCards.slice(index, index + columns), more = this.excess(cards, w, h);
        this.rows.push({ kind: "cards", cards, top, height: h + more + CAPTION_PX + GAP_PX, w, h, columns, more });
        top += h + more + CAPTION_PX + GAP_PX;
      }
      top += 14;
    }
    this.space.style.height = `${top + 60}px`;
    this.root.classList.toggle("empty", !this.cards.length);
    if (anchor) this.reveal(anchor, false);
    this.show(true);
  }

  // Return the height by which the longest message of some cards exceeds its card; their row leaves space for it.
  excess(cards, width, height) {
    const faulty = cards.filter((card) => card.problems.length);
    if (!faulty.length) return 0;
    this.probe.style.width = `${width}px`;
    this.root.append(createElement("div", { class: "card probe" }, this.probe));
    const heights = faulty.map((card) => {
      this.probe.textContent = messageOf(card);
      return Math.ceil(this.probe.offsetHeight - height);
    });
    this.root.lastChild.remove();
    return Math.max(0, ...heights);
  }

  // Return true if one of these cards lies in a row whose space for messages no longer fits.
  needsNewLayout(names) {
    const changed = (row) => row.kind === "cards" && row.cards.some((card) => names.has(card.name));
    return this.rows.some((row) => changed(row) && (row.w <= MIN_MESSAGE_PX || this.excess(row.cards, row.w, row.h) !== row.more));
  }

  topCard() {
    const top = this.root.scrollTop;
    return this.rows.find((row) => row.kind === "cards" && row.top + row.height > top)?.cards[0]?.name;
  }

  scheduleShow() {
    this.frame ??= requestAnimationFrame(() => { this.frame = null; this.show(); });
  }

  show(redraw = false) {
    const from = this.root.scrollTop - PRELOAD_PX, to = this.root.scrollTop + this.root.clientHeight + PRELOAD_PX;
    const pxPerMm = pixelsPerMm();
    const keep = new Set();
    let low = 0, high = this.rows.length;
    while (low < high) { const middle = (low + high) >> 1; if (this.rows[middle].top + this.rows[middle].height < from) low = middle + 1; else high = middle; }
    for (let index = low; index < this.rows.length && this.rows[index].top < to; index += 1) {
      const row = this.rows[index];
      if (row.kind === "head") this.head(row, keep);
      else row.cards.forEach((card, column) => this.cell(card, GAP_PX + column * (row.w + GAP_PX), row, pxPerMm, keep, redraw));
    }
    for (const [name, cell] of this.cells) if (!keep.has(name)) { cell.root.remove(); this.cells.delete(name); }
  }

  head(row, keep) {
    const name = `head ${row.component.id}`;
    keep.add(name);
    let cell = this.cells.get(name);
    if (!cell) {
      cell = { root: createElement("div", { class: "head", role: "presentation" }, createElement("h2"), createElement("span")) };
      this.cells.set(name, cell);
      this.space.append(cell.root);
    }
    const [w, h] = row.component.size.map((length) => +length.toFixed(1));
    cell.root.children[0].textContent = row.component.title || row.component.id;
    cell.root.children[1].textContent = `${formatCount(row.designs, "design")} · ${formatCount(row.pieces, "piece")} · ${w} × ${h} mm`;
    cell.root.style.transform = `translate(${GAP_PX}px,${row.top}px)`;
  }

  cell(card, left, row, pxPerMm, keep, redraw) {
    keep.add(card.name);
    let cell = this.cells.get(card.name);
    if (!cell) {
      cell = new Cell();
      this.cells.set(card.name, cell);
      this.space.append(cell.root);
      redraw = true;
    }
    const place = `translate(${left}px,${row.top}px)`;
    if (cell.place !== place) cell.root.style.transform = cell.place = place;
    if (redraw || cell.card !== card) cell.show(card, row.w, pxPerMm, this.index.get(card.name), this.cards.length);
    cell.root.tabIndex = card.name === (this.focused ?? this.cards[0]?.name) ? 0 : -1;
  }

  refresh(name) {
    const card = state.cards.get(name), cell = this.cells.get(name);
    const index = this.index?.get(name);
    if (index !== undefined && card) {
      this.cards[index] = card;
      for (const row of this.rows) if (row.kind === "cards") { const at = row.cards.findIndex((card) => card.name === name); if (at >= 0) { row.cards[at] = card; break; } }
    }
    if (cell && card) { cell.show(card, cell.width, pixelsPerMm(), index, this.cards.length); cell.flash(); }
  }

  reveal(name, focus = true) {
    const row = this.rows.find((row) => row.kind === "cards" && row.cards.some((card) => card.name === name));
    if (!row) return;
    const top = this.root.scrollTop;
    if (row.top < top || row.top + row.height > top + this.root.clientHeight) this.root.scrollTop = Math.max(0, row.top - 60);
    if (!focus) return;
    this.focused = name;
    this.show();
    this.cells.get(name)?.root.focus({ preventScroll: true });
  }

  handleKeydown(event) {
    const name = event.target.closest?.(".card")?.dataset.name;
    if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.index.get(name);
    const row = this.rows.find((row) => row.kind === "cards" && row.cards.some((card) => card.name === name));
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row.columns, ArrowUp: -row.columns }[event.key];
    const next = event.key === "Home" ? 0 : event.key === "End" ? this.cards.length - 1 : step ? Math.min(this.cards.length - 1, Math.max(0, at + step)) : null;
    if (next !== null) { event.preventDefault(); this.reveal(this.cards[next].name); }
    if (event.key === "Enter") { event.preventDefault(); go("card", name); }
    if (event.key === "f") this.cells.get(name)?.flip();
  }
}

// The messages of a card without the path of the pack's folder, which is the same in all.
const messageOf = (card) => card.problems.map((problem) => problem.text.replaceAll(state.game.folder, "")).join("\n");

class Cell {
  constructor() {
    this.piece = new Piece();
    this.title = createElement("span", { class: "name" });
    this.number = createElement("span", { class: "number" });
    this.mistake = createElement("p", { class: "mistake", hidden: true });
    this.turn = createElement("button", { class: "quiet turn", title: `${translate("Turn over")} (f)`, "aria-label": translate("Turn over"), text: "⟲", tabIndex: -1, onclick: (event) => { event.stopPropagation(); this.flip(); } });
    this.root = createElement("div", { class: "card", role: "listitem", onclick: () => go("card", this.card.name) },
      createElement("div", { class: "lift" }, this.piece.root, this.mistake, this.turn), createElement("div", { class: "caption" }, this.title, this.number));
    this.side = 0;
  }

  show(card, width, pxPerMm, index, all) {
    if (this.card && this.card.name !== card.name) this.side = 0;
    this.card = card;
    this.width = width;
    this.root.dataset.name = card.name;
    this.root.style.width = `${width}px`;
    this.root.setAttribute("aria-posinset", index + 1);
    this.root.setAttribute("aria-setsize", all);
    Object.assign(this.title, { textContent: card.title, lang: state.game.language });
    this.number.textContent = `×${card.count}`;
    this.root.title = [card.name, card.where].filter(Boolean).join(" · ");
    const message = messageOf(card);
    this.root.setAttribute("aria-label", `${card.title}, ${formatCount(card.count, "piece")}${message ? `, ${translate("wrong: {what}", { what: message })}` : ""}`);
    this.root.classList.toggle("wrong", Boolean(message));
    this.root.classList.toggle("stale", card.stale);
    const downloadKind = ["new", "changed"].find((kind) => state.downloads?.[kind]?.includes(card.id) && card.where.includes(state.downloads.file));
    this.root.dataset.download = downloadKind ? { new: translate("new"), changed: translate("changed") }[downloadKind] : "";
    this.mistake.hidden = !message;
    this.mistake.textContent = message;
    this.turn.hidden = card.sides.length < 2;
    this.piece.show(card, card.sides[this.side] ?? card.sides[0], pxPerMm);
  }

  flip() {
    this.side = (this.side + 1) % this.card.sides.length;
    this.piece.root.classList.add("turning");
    setTimeout(() => this.piece.root.classList.remove("turning"), 260);
    this.piece.show(this.card, this.card.sides[this.side], pixelsPerMm());
  }

  flash() {
    this.root.classList.remove("fresh");
    void this.root.offsetWidth;
    this.root.classList.add("fresh");
  }
}
