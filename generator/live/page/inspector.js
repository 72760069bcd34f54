// Where everything on a side is written, and changing it there: cells by typing, places by dragging, colours.
// The file is the truth: an order names the digest of the file that was seen, and the server refuses any other.

import { ask, inTurn, order } from "./server.js";
import { say, state } from "./store.js";
import { make, count, draw, renew, toast } from "./dom.js";
import { cells, write } from "./cells.js";
import { complete } from "./icons.js";

const STEP = 0.5, FAR = 5;
const TRIES = 20, PAUSE = 50;

export const undo = () => inTurn(async () => {
  try {
    const done = await order("undo", {});
    toast(say("Undone in {file}", { file: done.file }));
  } catch (error) { toast(error.message, true); }
});

// A place without the folder that all of the pack lies in.
const short = (where) => (where.startsWith(state.game?.folder) ? where.slice(state.game.folder.length) : where);

// How many cards a change of a layer applies to.
function reachOf({ cards }) {
  if (cards === 1) return say("This layer is on this card only.");
  return cards === state.cards.size
    ? say("This layer is on all {cards}: a change applies to each of them.", { cards: count(cards, "card") })
    : say("This layer is on {cards}: a change applies to each of them.", { cards: count(cards, "card") });
}

export class Inspector {
  constructor(view) {
    this.view = view;
    this.head = make("div");
    this.about = make("div", { class: "about" });
    this.row = make("div", { class: "cells" });
    this.list = make("div", { class: "layers" });
    this.colours = make("div", { class: "colours" });
    this.root = make("aside", { class: "inspector", "aria-label": say("Source") },
      this.head, make("h3", { text: say("Row") }), this.row, make("h3", { text: say("Layers") }), this.about, this.list,
      make("h3", { text: say("Palette") }), make("p", { class: "where", text: say("A colour changes wherever the pack uses it.") }), this.colours);
    this.keys = [[say("arrows"), say("move the selected layer by 0.5 mm, with Shift by 5 mm")], ["Enter", say("edit the text of the selected layer")], ["u", say("undo the last change")]];
    this.layers = [];
    this.lit = -1;
    this.chosen = -1;
    this.ghost = null;
    ask("can").then((can) => { this.can = can; if (this.card) { this.fillHead(); this.fillAbout(); } }, () => {});
    const { turner } = view;
    turner.addEventListener("pointermove", (event) => (this.held ? this.drag(event) : this.light(this.under(event))));
    turner.addEventListener("pointerleave", () => this.light(-1));
    turner.addEventListener("pointerdown", (event) => this.hold(event));
    turner.addEventListener("pointerup", (event) => this.drop(event));
    turner.addEventListener("dblclick", (event) => this.type(this.under(event)));
  }

  close() { this.key = ""; this.chosen = -1; this.layers = []; }

  show(card, side) {
    const other = this.card?.name !== card.name;
    this.card = card;
    if (other) { this.chosen = -1; this.source = null; }
    this.fillHead();
    if (other || !this.row.contains(document.activeElement)) this.row.replaceChildren(...cells(card));
    if (this.key === side.key) return;
    this.key = side.key;
    this.load(side.key);
    this.fillColours();
  }

  async load(key) {
    const layers = await ask(`layers/${key}`).catch(() => null);
    if (this.key !== key || !layers) return;
    const same = layers.length === this.layers.length;
    this.layers = layers;
    if (!this.held) this.ghost = null;
    if (!same) this.chosen = -1;
    this.lit = -1;
    this.fillLayers();
    this.redraw();
    if (this.chosen >= 0) this.read();
  }

  read() { return inTurn(() => this.look()); }

  // Of a picture that is another by now nothing is told; which it is now is heard in a moment.
  async look() {
    for (let tries = 0; tries < TRIES && this.chosen >= 0; tries += 1) {
      const { key, chosen } = this;
      const source = await ask(`source/${key}/${chosen}`).catch((error) => ({ why: error.message, columns: [], lost: true }));
      this.source = source;
      if (this.key === key && this.chosen === chosen && !source.lost) break;
      if (source.lost) await new Promise((done) => setTimeout(done, PAUSE));
    }
    this.fillAbout();
  }

  redraw() {
    this.view.lines.querySelectorAll(".layer").forEach((each) => each.remove());
    this.view.lines.append(...this.boxes());
    this.view.turner.classList.toggle("holds", this.chosen >= 0 && Boolean(this.source?.movable));
  }

  boxes() {
    const by = this.ghost ?? [0, 0];
    return this.layers.flatMap((layer, nth) => {
      if (!layer.ink || (nth !== this.lit && nth !== this.chosen)) return [];
      const [x, y, width, height] = layer.ink;
      const [dx, dy] = nth === this.chosen ? by : [0, 0];
      return [draw("rect", { x: x + dx, y: y + dy, width, height, class: `layer${nth === this.chosen ? " chosen" : ""}` })];
    });
  }

  place(event) {
    const box = this.view.piece.root.getBoundingClientRect();
    return [(event.clientX - box.left) / this.view.dots - this.view.around, (event.clientY - box.top) / this.view.dots - this.view.around];
  }

  // The layer below the pointer: of several, the one that covers least.
  under(event) {
    const [x, y] = this.place(event);
    let best = -1, least = Infinity;
    this.layers.forEach(({ ink }, nth) => {
      if (!ink || x < ink[0] || y < ink[1] || x > ink[0] + ink[2] || y > ink[1] + ink[3]) return;
      if (ink[2] * ink[3] <= least) { least = ink[2] * ink[3]; best = nth; }
    });
    return best;
  }

  light(nth) {
    if (nth === this.lit) return;
    this.lit = nth;
    this.redraw();
    this.list.querySelectorAll(".layer-row").forEach((row) => row.classList.toggle("lit", Number(row.dataset.nth) === nth));
    if (!this.held) this.view.say(nth >= 0 ? [this.layers[nth].kind, this.layers[nth].name, short(this.layers[nth].where)].filter(Boolean).join(" · ") : "");
  }

  choose(nth) {
    this.chosen = nth;
    this.source = null;
    this.fillLayers();
    this.fillAbout();
    this.redraw();
    this.list.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
    if (nth >= 0) this.read();
  }

  hold(event) {
    if (event.button) return;
    const nth = this.under(event);
    this.held = { from: this.place(event), again: nth === this.chosen, moved: false };
    if (nth !== this.chosen) this.choose(nth);
    if (nth >= 0) this.view.turner.setPointerCapture(event.pointerId);
  }

  drag(event) {
    const [x, y] = this.place(event);
    const by = [x - this.held.from[0], y - this.held.from[1]].map((way) => Math.round(way / STEP) * STEP);
    if (!this.held.moved && !by[0] && !by[1]) return;
    this.held.moved = true;
    this.ghost = by;
    this.redraw();
    this.view.say(`${by[0] >= 0 ? "+" : "−"}${Math.abs(by[0])} mm, ${by[1] >= 0 ? "+" : "−"}${Math.abs(by[1])} mm`);
  }

  drop() {
    const { held, ghost } = this;
    this.held = null;
    this.view.say("");
    if (!held) return;
    if (held.moved && ghost && (ghost[0] || ghost[1])) this.move(...ghost);
    else { this.ghost = null; if (held.again) this.choose(-1); }
  }

  move(dx, dy) {
    return inTurn(async () => {
      if (this.chosen < 0) return;
      try {
        if (!this.source || this.source.lost) await this.look();
        if (!this.source?.movable) throw new Error(this.source?.why || say("you cannot move this layer here"));
        const done = await order("move", { key: this.key, layer: this.chosen, dx, dy, digest: this.source.digest });
        this.source.digest = done.digest;
        const place = `${short(this.source.file)}:${this.source.line}`;
        toast(this.source.cards > 1 ? say("Moved on {cards}, in {place}", { cards: count(this.source.cards, "card"), place }) : say("Moved in {place}", { place }));
      } catch (error) {
        this.ghost = null;
        this.redraw();
        toast(error.message, true);
        this.read();
      }
    });
  }

  pressed(event) {
    if (event.key === "u") { undo(); return true; }
    if (this.chosen < 0) return false;
    const far = event.shiftKey ? FAR : STEP;
    const way = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] }[event.key];
    if (way) { this.move(...way); return true; }
    if (event.key === "Escape") { this.choose(-1); return true; }
    if (event.key === "Enter" && (event.target === document.body || event.target.matches(".layer-row.chosen"))) { this.type(this.chosen); return true; }
    return false;
  }

  // Typing on the card: the first column that the layer shows, over its box.
  async type(nth) {
    if (nth < 0) return;
    if (nth !== this.chosen) this.choose(nth);
    await this.read();
    const column = this.source?.columns[0];
    if (!column || !this.layers[nth]?.ink) return toast(say("This layer shows no column of the table"), true);
    const { digest, editable, why } = await ask(`row/${encodeURIComponent(this.card.name)}`);
    if (!editable) return toast(why, true);
    const { dots, around, turner } = this.view;
    const [x, y, w, h] = this.layers[nth].ink;
    const field = make("textarea", { class: "typed", "aria-label": column, value: this.card.row[column], style: {
      left: `${(x + around) * dots - 4}px`, top: `${(y + around) * dots - 4}px`, width: `${Math.max(w * dots, 160) + 8}px`, height: `${Math.max(h * dots, 34) + 8}px`,
    } });
    complete(field);
    let ended = false;
    const end = (kept) => {
      if (ended) return;
      ended = true;
      field.remove();
      if (kept && field.value !== this.card.row[column]) write(this.card, column, field.value, digest);
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") end(false);
      if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); end(true); }
    });
    field.addEventListener("pointerdown", (event) => event.stopPropagation());
    field.addEventListener("blur", () => end(true));
    turner.append(field);
    field.focus();
    field.select();
  }

  fillHead() {
    const { card } = this;
    renew(this.head, make("h2", { text: card.title, lang: state.game.language }), make("p", { class: "where", text: `${card.name} · ×${card.count}` }), this.link(card.where));
  }

  link(where) {
    const opens = this.can?.includes("open");
    const path = `${state.game?.path}/${short(where).replace(/:\d+$/, "")}`;
    const [, file, line] = /^(.*?)(?::(\d+))?$/.exec(where);
    const copy = make("button", { class: "quiet small", text: say("copy"), title: say("Copy file and line"), onclick: () => navigator.clipboard?.writeText(where).then(() => toast(say("Copied")), () => {}) });
    const open = opens
      ? make("button", { class: "quiet small", text: say("open"), onclick: () => order("open", { file, line: Number(line ?? 1) }).then(() => toast(say("Opened {where}", { where })), (error) => toast(error.message, true)) })
      : make("a", { class: "quiet small", text: "VS Code", href: `vscode://file${path.startsWith("/") ? "" : "/"}${encodeURI(path)}:${line ?? 1}` });
    return make("p", { class: "place" }, make("code", { text: short(where), title: where }), copy, open);
  }

  fillAbout() {
    const { source } = this;
    if (this.chosen < 0 || !source) return this.about.replaceChildren();
    const words = source.movable ? say("Drag the layer or use the arrow keys: it moves by 0.5 mm, with Shift by 5 mm.") : source.why;
    const columns = source.columns.map((column) => make("button", { class: "pill small", text: column, title: say("Edit on the card (Enter)"), onclick: () => this.type(this.chosen) }));
    renew(this.about,
      source.file ? this.link(`${source.file}:${source.line}`) : "", source.text ? make("pre", { text: source.text }) : "",
      columns.length ? make("p", { class: "columns" }, say("shows"), " ", ...columns) : "", make("p", { class: "where", text: words }), source.cards ? make("p", { class: "reach", text: reachOf(source) }) : "",
    );
  }

  fillLayers() {
    const rows = this.layers.map((layer, nth) => make("button", {
      class: `layer-row${nth === this.chosen ? " chosen" : ""}`, "data-nth": String(nth), "aria-pressed": String(nth === this.chosen),
      onclick: () => this.choose(nth === this.chosen ? -1 : nth), onpointerenter: () => this.light(nth), onfocus: () => this.light(nth), onpointerleave: () => this.light(-1),
    }, make("b", { text: layer.kind }), make("em", { text: layer.name, title: layer.name }), make("span", { title: layer.where }, make("bdi", { text: short(layer.where) }))));
    renew(this.list, ...rows.reverse());
  }

  async fillColours() {
    const told = await ask("palette").catch(() => ({ colours: [] }));
    this.colours.parentElement && renew(this.colours, ...told.colours.map((colour) => {
      const now = /^#[0-9a-f]{6}$/i.test(colour.value) ? colour.value : state.game?.palette[colour.name] ?? "#000000";
      const field = make("input", { type: "color", value: now, disabled: !told.editable, "aria-label": colour.name });
      field.addEventListener("change", () => inTurn(() => order("colour", { name: colour.name, value: field.value, digest: told.digest })
        .then((done) => { told.digest = done.digest; toast(say("{name} is {value}", { name: colour.name, value: field.value })); }, (error) => toast(error.message, true))
        .then(() => { this.fillColours(); })));
      return make("label", { title: `${colour.file}:${colour.line}` }, field, make("span", { text: colour.name }));
    }));
  }
}
