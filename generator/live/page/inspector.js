// The inspector of a card: its row, its layers with their places in the files, and the palette, all to edit.
// Each change names the digest of the file that the page has seen, and the server refuses to change any other version.

import { getJson, enqueue, postJson } from "./server.js";
import { translate, state } from "./store.js";
import { createElement, formatCount, createSvg, replaceKeepingFocus, toast } from "./dom.js";
import { cells, write } from "./cells.js";
import { complete } from "./icons.js";

const STEP_MM = 0.5, LARGE_STEP_MM = 5;
// A picture that is replaced while its source is read: the news of the new one comes within a second.
const MAX_TRIES = 20, PAUSE_MS = 50;

export const undo = () => enqueue(async () => {
  try {
    const done = await postJson("undo", {});
    toast(translate("Undone in {file}", { file: done.file }));
  } catch (error) { toast(error.message, true); }
});

// Return a place without the path of the pack's folder, which is the same in all.
const shortPath = (where) => (where.startsWith(state.game?.folder) ? where.slice(state.game.folder.length) : where);

// Say how many cards a change of a layer applies to.
function describeReach({ cards }) {
  if (cards === 1) return translate("This layer is on this card only.");
  return cards === state.cards.size
    ? translate("This layer is on all {cards}: a change applies to each of them.", { cards: formatCount(cards, "card") })
    : translate("This layer is on {cards}: a change applies to each of them.", { cards: formatCount(cards, "card") });
}

export class Inspector {
  constructor(view) {
    this.view = view;
    this.head = createElement("div");
    this.about = createElement("div", { class: "about" });
    this.row = createElement("div", { class: "cells" });
    this.list = createElement("div", { class: "layers" });
    this.colours = createElement("div", { class: "colours" });
    this.root = createElement("aside", { class: "inspector", "aria-label": translate("Source") },
      this.head, createElement("h3", { text: translate("Row") }), this.row, createElement("h3", { text: translate("Layers") }), this.about, this.list,
      createElement("h3", { text: translate("Palette") }), createElement("p", { class: "where", text: translate("A colour changes wherever the pack uses it.") }), this.colours);
    this.keys = [[translate("arrows"), translate("move the selected layer by 0.5 mm, with Shift by 5 mm")], ["Enter", translate("edit the text of the selected layer")], ["u", translate("undo the last change")]];
    this.layers = [];
    this.highlighted = -1;
    this.selected = -1;
    this.dragOffset = null;
    getJson("actions").then((actions) => { this.actions = actions; if (this.card) { this.fillHead(); this.fillAbout(); } }, () => {});
    const { turner } = view;
    turner.addEventListener("pointermove", (event) => (this.drag ? this.continueDrag(event) : this.highlight(this.layerAt(event))));
    turner.addEventListener("pointerleave", () => this.highlight(-1));
    turner.addEventListener("pointerdown", (event) => this.startDrag(event));
    turner.addEventListener("pointerup", (event) => this.endDrag(event));
    turner.addEventListener("dblclick", (event) => this.editText(this.layerAt(event)));
  }

  close() { this.key = ""; this.selected = -1; this.layers = []; }

  show(card, side) {
    const isOther = this.card?.name !== card.name;
    this.card = card;
    if (isOther) { this.selected = -1; this.source = null; }
    this.fillHead();
    if (isOther || !this.row.contains(document.activeElement)) this.row.replaceChildren(...cells(card));
    if (this.key === side.key) return;
    this.key = side.key;
    this.load(side.key);
    this.fillColours();
  }

  async load(key) {
    const layers = await getJson(`layers/${key}`).catch(() => null);
    if (this.key !== key || !layers) return;
    const same = layers.length === this.layers.length;
    this.layers = layers;
    if (!this.drag) this.dragOffset = null;
    if (!same) this.selected = -1;
    this.highlighted = -1;
    this.fillLayers();
    this.redraw();
    if (this.selected >= 0) this.queueLoadSource();
  }

  queueLoadSource() { return enqueue(() => this.loadSource()); }

  // The server does not know a picture that has been replaced. Try again until the news brings the new one.
  async loadSource() {
    for (let tries = 0; tries < MAX_TRIES && this.selected >= 0; tries += 1) {
      const { key, selected } = this;
      const source = await getJson(`source/${key}/${selected}`).catch((error) => ({ why: error.message, columns: [], lost: true }));
      this.source = source;
      if (this.key === key && this.selected === selected && !source.lost) break;
      if (source.lost) await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
    this.fillAbout();
  }

  redraw() {
    this.view.lines.querySelectorAll(".layer").forEach((element) => element.remove());
    this.view.lines.append(...this.boxes());
    this.view.turner.classList.toggle("holds", this.selected >= 0 && Boolean(this.source?.movable));
  }

  boxes() {
    const by = this.dragOffset ?? [0, 0];
    return this.layers.flatMap((layer, index) => {
      if (!layer.ink || (index !== this.highlighted && index !== this.selected)) return [];
      const [x, y, width, height] = layer.ink;
      const [dx, dy] = index === this.selected ? by : [0, 0];
      return [createSvg("rect", { x: x + dx, y: y + dy, width, height, class: `layer${index === this.selected ? " selected" : ""}` })];
    });
  }

  pointAt(event) {
    const box = this.view.piece.root.getBoundingClientRect();
    return [(event.clientX - box.left) / this.view.pxPerMm - this.view.margin, (event.clientY - box.top) / this.view.pxPerMm - this.view.margin];
  }

  // Return the layer under the pointer; of several, the smallest.
  layerAt(event) {
    const [x, y] = this.pointAt(event);
    let best = -1, least = Infinity;
    this.layers.forEach(({ ink }, index) => {
      if (!ink || x < ink[0] || y < ink[1] || x > ink[0] + ink[2] || y > ink[1] + ink[3]) return;
      if (ink[2] * ink[3] <= least) { least = ink[2] * ink[3]; best = index; }
    });
    return best;
  }

  highlight(index) {
    if (index === this.highlighted) return;
    this.highlighted = index;
    this.redraw();
    this.list.querySelectorAll(".layer-row").forEach((row) => row.classList.toggle("highlighted", Number(row.dataset.index) === index));
    if (!this.drag) this.view.showTip(index >= 0 ? [this.layers[index].kind, this.layers[index].name, shortPath(this.layers[index].where)].filter(Boolean).join(" · ") : "");
  }

  select(index) {
    this.selected = index;
    this.source = null;
    this.fillLayers();
    this.fillAbout();
    this.redraw();
    this.list.querySelector(".selected")?.scrollIntoView({ block: "nearest" });
    if (index >= 0) this.queueLoadSource();
  }

  startDrag(event) {
    if (event.button) return;
    const index = this.layerAt(event);
    this.drag = { from: this.pointAt(event), wasSelected: index === this.selected, moved: false };
    if (index !== this.selected) this.select(index);
    if (index >= 0) this.view.turner.setPointerCapture(event.pointerId);
  }

  continueDrag(event) {
    const [x, y] = this.pointAt(event);
    const by = [x - this.drag.from[0], y - this.drag.from[1]].map((move) => Math.round(move / STEP_MM) * STEP_MM);
    if (!this.drag.moved && !by[0] && !by[1]) return;
    this.drag.moved = true;
    this.dragOffset = by;
    this.redraw();
    this.view.showTip(`${by[0] >= 0 ? "+" : "−"}${Math.abs(by[0])} mm, ${by[1] >= 0 ? "+" : "−"}${Math.abs(by[1])} mm`);
  }

  endDrag() {
    const { drag, dragOffset } = this;
    this.drag = null;
    this.view.showTip("");
    if (!drag) return;
    if (drag.moved && dragOffset && (dragOffset[0] || dragOffset[1])) this.move(...dragOffset);
    else { this.dragOffset = null; if (drag.wasSelected) this.select(-1); }
  }

  move(dx, dy) {
    return enqueue(async () => {
      if (this.selected < 0) return;
      try {
        if (!this.source || this.source.lost) await this.loadSource();
        if (!this.source?.movable) throw new Error(this.source?.why || translate("you cannot move this layer here"));
        const done = await postJson("move", { key: this.key, layer: this.selected, dx, dy, digest: this.source.digest });
        this.source.digest = done.digest;
        const place = `${shortPath(this.source.file)}:${this.source.line}`;
        toast(this.source.cards > 1 ? translate("Moved on {cards}, in {place}", { cards: formatCount(this.source.cards, "card"), place }) : translate("Moved in {place}", { place }));
      } catch (error) {
        this.dragOffset = null;
        this.redraw();
        toast(error.message, true);
        this.queueLoadSource();
      }
    });
  }

  handleKey(event) {
    if (event.key === "u") { undo(); return true; }
    if (this.selected < 0) return false;
    const step = event.shiftKey ? LARGE_STEP_MM : STEP_MM;
    const move = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (move) { this.move(...move); return true; }
    if (event.key === "Escape") { this.select(-1); return true; }
    if (event.key === "Enter" && (event.target === document.body || event.target.matches(".layer-row.selected"))) { this.editText(this.selected); return true; }
    return false;
  }

  // Edit the first column that a layer shows, in a text field over its box.
  async editText(index) {
    if (index < 0) return;
    if (index !== this.selected) this.select(index);
    await this.queueLoadSource();
    const column = this.source?.columns[0];
    if (!column || !this.layers[index]?.ink) return toast(translate("This layer shows no column of the table"), true);
    const { digest, editable, why } = await getJson(`row/${encodeURIComponent(this.card.name)}`);
    if (!editable) return toast(why, true);
    const { pxPerMm, margin, turner } = this.view;
    const [x, y, w, h] = this.layers[index].ink;
    const field = createElement("textarea", { class: "typed", "aria-label": column, value: this.card.row[column], style: {
      left: `${(x + margin) * pxPerMm - 4}px`, top: `${(y + margin) * pxPerMm - 4}px`, width: `${Math.max(w * pxPerMm, 160) + 8}px`, height: `${Math.max(h * pxPerMm, 34) + 8}px`,
    } });
    complete(field);
    let ended = false;
    const end = (isSaved) => {
      if (ended) return;
      ended = true;
      field.remove();
      if (isSaved && field.value !== this.card.row[column]) write(this.card, column, field.value, digest);
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
    replaceKeepingFocus(this.head, createElement("h2", { text: card.title, lang: state.game.language }), createElement("p", { class: "where", text: `${card.name} · ×${card.count}` }), this.link(card.where));
  }

  link(where) {
    const opens = this.actions?.includes("open");
    const path = `${state.game?.path}/${shortPath(where).replace(/:\d+$/, "")}`;
    const [, file, line] = /^(.*?)(?::(\d+))?$/.exec(where);
    const copy = createElement("button", { class: "quiet small", text: translate("copy"), title: translate("Copy file and line"), onclick: () => navigator.clipboard?.writeText(where).then(() => toast(translate("Copied")), () => {}) });
    const open = opens
      ? createElement("button", { class: "quiet small", text: translate("open"), onclick: () => postJson("open", { file, line: Number(line ?? 1) }).then(() => toast(translate("Opened {where}", { where })), (error) => toast(error.message, true)) })
      : createElement("a", { class: "quiet small", text: "VS Code", href: `vscode://file${path.startsWith("/") ? "" : "/"}${encodeURI(path)}:${line ?? 1}` });
    return createElement("p", { class: "place" }, createElement("code", { text: shortPath(where), title: where }), copy, open);
  }

  fillAbout() {
    const { source } = this;
    if (this.selected < 0 || !source) return this.about.replaceChildren();
    const words = source.movable ? translate("Drag the layer or use the arrow keys: it moves by 0.5 mm, with Shift by 5 mm.") : source.why;
    const columns = source.columns.map((column) => createElement("button", { class: "pill small", text: column, title: translate("Edit on the card (Enter)"), onclick: () => this.editText(this.selected) }));
    replaceKeepingFocus(this.about,
      source.file ? this.link(`${source.file}:${source.line}`) : "", source.text ? createElement("pre", { text: source.text }) : "",
      columns.length ? createElement("p", { class: "columns" }, translate("shows"), " ", ...columns) : "", createElement("p", { class: "where", text: words }), source.cards ? createElement("p", { class: "reach", text: describeReach(source) }) : "",
    );
  }

  fillLayers() {
    const rows = this.layers.map((layer, index) => createElement("button", {
      class: `layer-row${index === this.selected ? " selected" : ""}`, "data-index": String(index), "aria-pressed": String(index === this.selected),
      onclick: () => this.select(index === this.selected ? -1 : index), onpointerenter: () => this.highlight(index), onfocus: () => this.highlight(index), onpointerleave: () => this.highlight(-1),
    }, createElement("b", { text: layer.kind }), createElement("em", { text: layer.name, title: layer.name }), createElement("span", { title: layer.where }, createElement("bdi", { text: shortPath(layer.where) }))));
    replaceKeepingFocus(this.list, ...rows.reverse());
  }

  async fillColours() {
    const response = await getJson("palette").catch(() => ({ colours: [] }));
    this.colours.parentElement && replaceKeepingFocus(this.colours, ...response.colours.map((colour) => {
      const now = /^#[0-9a-f]{6}$/i.test(colour.value) ? colour.value : state.game?.palette[colour.name] ?? "#000000";
      const field = createElement("input", { type: "color", value: now, disabled: !response.editable, "aria-label": colour.name });
      field.addEventListener("change", () => enqueue(() => postJson("colour", { name: colour.name, value: field.value, digest: response.digest })
        .then((done) => { response.digest = done.digest; toast(translate("{name} is now {value}", { name: colour.name, value: field.value })); }, (error) => toast(error.message, true))
        .then(() => { this.fillColours(); })));
      return createElement("label", { title: `${colour.file}:${colour.line}` }, field, createElement("span", { text: colour.name }));
    }));
  }
}
