// Where everything on a side is written: its layers, the cells of its row.

import { ask } from "./server.js";
import { make, draw } from "./dom.js";

export class Inspector {
  constructor(view) {
    this.view = view;
    this.root = make("aside", { class: "inspector", "aria-label": "Where it is written" });
    this.layers = [];
    this.lit = -1;
    this.chosen = -1;
    const { turner } = view;
    turner.addEventListener("pointermove", (event) => this.hover(event));
    turner.addEventListener("pointerleave", () => this.light(-1));
    turner.addEventListener("click", (event) => this.choose(this.under(event)));
  }

  close() { this.key = ""; }

  show(card, side) {
    this.card = card;
    this.side = side;
    if (this.key === side.key) return this.fill();
    this.key = side.key;
    this.lit = -1;
    this.fill();
    this.load(side.key);
  }

  async load(key) {
    const layers = await ask(`layers/${key}`).catch(() => []);
    if (this.key !== key) return;
    if (layers.length !== this.layers.length) this.chosen = -1;
    this.layers = layers;
    this.fill();
    this.redraw();
  }

  redraw() {
    this.view.lines.querySelectorAll(".layer").forEach((each) => each.remove());
    this.view.lines.append(...this.boxes());
  }

  boxes() {
    return this.layers.flatMap((layer, nth) => (layer.ink && (nth === this.lit || nth === this.chosen)
      ? [draw("rect", { x: layer.ink[0], y: layer.ink[1], width: layer.ink[2], height: layer.ink[3], class: `layer${nth === this.chosen ? " chosen" : ""}` })] : []));
  }

  // The layer below the pointer: of several, the one that covers least.
  under(event) {
    const box = this.view.piece.root.getBoundingClientRect();
    const x = (event.clientX - box.left) / this.view.dots - this.view.around;
    const y = (event.clientY - box.top) / this.view.dots - this.view.around;
    let best = -1, least = Infinity;
    this.layers.forEach(({ ink }, nth) => {
      if (!ink || x < ink[0] || y < ink[1] || x > ink[0] + ink[2] || y > ink[1] + ink[3]) return;
      if (ink[2] * ink[3] <= least) { least = ink[2] * ink[3]; best = nth; }
    });
    return best;
  }

  hover(event) { this.light(this.under(event)); }

  light(nth) {
    if (nth === this.lit) return;
    this.lit = nth;
    this.redraw();
    this.root.querySelectorAll(".layer-row").forEach((row) => row.classList.toggle("lit", Number(row.dataset.nth) === nth));
    this.view.turner.title = nth >= 0 ? `${this.layers[nth].kind} · ${this.layers[nth].where}` : "";
  }

  choose(nth) {
    this.chosen = nth === this.chosen ? -1 : nth;
    this.fill();
    this.redraw();
    this.root.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  }

  pressed() { return false; }

  fill() {
    const { card } = this;
    const rows = this.layers.map((layer, nth) => make("button", {
      class: `layer-row${nth === this.chosen ? " chosen" : ""}`, "data-nth": nth, "aria-pressed": String(nth === this.chosen),
      onclick: () => this.choose(nth), onpointerenter: () => this.light(nth), onfocus: () => this.light(nth), onpointerleave: () => this.light(-1),
    }, make("b", { text: layer.kind }), make("span", { text: layer.where })));
    this.root.replaceChildren(
      make("h2", { text: card.title }),
      make("p", { class: "where", text: `${card.name} · ${card.where} · ×${card.count}` }),
      make("h3", { text: "Row" }), this.cells(card),
      make("h3", { text: "Layers" }), make("div", { class: "layers" }, ...rows.reverse()),
    );
  }

  cells(card) {
    const list = make("dl", { class: "cells" });
    for (const [column, value] of Object.entries(card.row)) list.append(make("dt", { text: column }), make("dd", { text: value }));
    return list;
  }
}
