// One card, large: its sides, trim and safe area, simulated colour blindness, and an inspector of its row and layers.

import { staticState, settings, saveSettings, go, subscribe, translate, state } from "./store.js";
import { createElement, createSvg, replaceKeepingFocus } from "./dom.js";
import { Piece, outlineOf, sideName, sizeOf } from "./piece.js";
import { matchingCards } from "./filters.js";
import { Facts } from "./facts.js";
import { Inspector } from "./inspector.js";

const COLOUR_VISIONS = [["", translate("default")], ["see-grey", translate("grey")], ["see-protan", translate("red-blind")], ["see-deutan", translate("green-blind")], ["see-tritan", translate("blue-blind")]];
const OUTLINES = [["bleed", "b", translate("Bleed")], ["trim", "t", translate("Trim")], ["safe", "s", translate("Safe area")]];
// The finest scale at which the server renders faces.
const MAX_PX_PER_MM = 16;
// Fitted to the window, at actual size, or as a card 70 cm away looks to someone who sits 50 cm from the screen.
const DISPLAY_SIZES = [["", translate("fit to window"), 0], ["real", translate("actual size"), 1], ["arm", translate("at arm's length"), 50 / 70]];

export class CardView {
  constructor() {
    this.piece = new Piece();
    this.lines = createSvg("svg", { class: "lines", "aria-hidden": "true" });
    this.stage = createElement("div", { class: "stage" });
    this.tip = createElement("output", { class: "tip" });
    this.turner = createElement("div", { class: "turner" }, this.piece.root, this.lines, this.tip);
    this.stage.append(this.turner);
    this.bar = createElement("div", { class: "choice", role: "toolbar", "aria-label": translate("Display options") });
    this.mistake = createElement("pre", { class: "mistake", role: "alert", hidden: true });
    this.middle = createElement("div", { class: "middle" }, this.bar, this.mistake, this.stage);
    this.inspector = staticState ? new Facts() : new Inspector(this);
    this.root = createElement("div", { class: "single" }, this.middle, this.inspector.root);
    this.keys = [["f", translate("turn over")], ["b  t  s", translate("bleed, trim, safe area")], ["g", translate("grey")], ["e", translate("colour vision")], ["a", translate("fit to window, actual size, at arm's length")], ["[  ]", translate("previous card, next card")], ...this.inspector.keys];
  }

  open(place, name, side = "") {
    place.replaceChildren(this.root);
    this.unsubscribe = [
      subscribe("cards", ({ changed, order }) => { if (order || changed.has(this.name)) this.show(); }),
      subscribe("settings", (values) => { if ("dot" in values) this.show(); }),
    ];
    this.watch = new ResizeObserver(() => this.show());
    this.watch.observe(this.stage);
    this.navigate(name, side);
  }

  navigate(name, side = "") {
    this.name = name;
    const sides = state.cards.get(name)?.sides ?? [];
    this.side = Math.max(0, sides.findIndex((item) => item.name === side));
    this.show();
  }

  close() {
    this.unsubscribe.forEach((end) => end());
    this.watch.disconnect();
    this.inspector.close();
  }

  get card() { return state.cards.get(this.name); }

  get face() { return this.card?.sides[this.side] ?? this.card?.sides[0]; }

  show() {
    const { card } = this;
    if (!card) {
      this.mistake.hidden = state.cards.size === 0;
      this.mistake.textContent = translate("This card no longer exists.");
      return;
    }
    const component = state.components.get(card.component), side = this.face;
    const [w, h] = sizeOf(component, side);
    const margin = settings.bleed ? component.bleed : 0;
    const stage = this.stage.getBoundingClientRect();
    const fits = Math.min((stage.width - 40) / (w + 2 * component.bleed), (stage.height - 40) / (h + 2 * component.bleed));
    const scale = DISPLAY_SIZES.find(([value]) => value === (settings.size ?? ""))?.[2];
    this.pxPerMm = scale ? settings.dot * scale : Math.max(1, Math.min(fits, MAX_PX_PER_MM));
    this.piece.show(card, side, this.pxPerMm, { bleed: settings.bleed });
    this.piece.setLabel(`${card.title}, ${sideName(side)}`);
    this.turner.style.filter = settings.eyes ? `url(#${settings.eyes})` : "";
    this.margin = margin;
    this.drawOutlines(component, side, w, h, margin);
    const messages = card.problems.map((problem) => problem.text).join("\n");
    this.mistake.hidden = !messages;
    this.mistake.textContent = messages + (card.stale ? `\n\n${translate("This is the last good picture.")}` : "");
    this.fillToolbar(card, component);
    this.inspector.show(card, side);
  }

  drawOutlines(component, side, w, h, margin) {
    const path = (outline) => `M${outline.points.map(([x, y]) => `${x} ${y}`).join("L")}Z`;
    this.lines.setAttribute("viewBox", `${-margin} ${-margin} ${w + 2 * margin} ${h + 2 * margin}`);
    const parts = [];
    if (settings.trim) parts.push(createSvg("path", { d: path(outlineOf(component, side)), class: "trim" }));
    if (settings.safe && component.within && !side.outline) parts.push(createSvg("path", { d: path(component.within), class: "safe" }));
    this.lines.replaceChildren(...parts, ...this.inspector.boxes());
  }

  fillToolbar(card, component) {
    const toggle = (key, name, title) => createElement("button", { class: "pill", "aria-pressed": String(Boolean(settings[key])), text: title, title: `(${name})`, onclick: () => this.toggleSetting(key) });
    const choice = (key, label, values) => createElement("select", { class: "pill", "aria-label": label, onchange: (event) => { saveSettings({ [key]: event.target.value }); this.show(); } },
      ...values.map(([value, title]) => createElement("option", { value, text: title, selected: value === (settings[key] ?? "") })));
    const sides = card.sides.map((side, index) => createElement("button", { class: "pill", "aria-pressed": String(index === this.side), text: sideName(side), onclick: () => this.showSide(index) }));
    replaceKeepingFocus(this.bar,
      createElement("a", { class: "pill", href: "#cards", text: `‹ ${translate("All")}`, "aria-label": translate("All cards") }),
      createElement("button", { class: "pill", text: "‹", "aria-label": translate("Previous card"), onclick: () => this.step(-1) }),
      createElement("button", { class: "pill", text: "›", "aria-label": translate("Next card"), onclick: () => this.step(1) }),
      createElement("span", { class: "gap" }), ...(card.sides.length > 1 ? sides : []), createElement("span", { class: "gap" }),
      ...OUTLINES.filter(([key]) => key !== "bleed" || component.bleed).map(([key, name, title]) => toggle(key, name, title)), choice("size", translate("Display size"), DISPLAY_SIZES), choice("eyes", translate("Colour vision"), COLOUR_VISIONS),
    );
  }

  showTip(text) {
    this.tip.textContent = text;
  }

  toggleSetting(key) {
    saveSettings({ [key]: !settings[key] });
    this.show();
  }

  cycleSetting(key, values) {
    const at = values.findIndex(([value]) => value === (settings[key] ?? ""));
    saveSettings({ [key]: values[(at + 1) % values.length][0] });
    this.show();
  }

  showSide(index) {
    if (index === this.side) return;
    this.turner.classList.add("turning");
    setTimeout(() => this.turner.classList.remove("turning"), 260);
    this.side = index;
    this.show();
  }

  step(by) {
    const cards = matchingCards();
    const at = cards.findIndex((card) => card.name === this.name);
    const next = cards[(at + by + cards.length) % cards.length];
    if (next) go("card", next.name);
  }

  handleKey(event) {
    const line = OUTLINES.find(([, key]) => key === event.key);
    if (this.inspector.handleKey(event)) return true;
    if (line) { this.toggleSetting(line[0]); return true; }
    if (!this.card) return false;
    if (event.key === "f") { this.showSide((this.side + 1) % this.card.sides.length); return true; }
    if (event.key === "a") { this.cycleSetting("size", DISPLAY_SIZES); return true; }
    if (event.key === "g") { saveSettings({ eyes: settings.eyes === "see-grey" ? "" : "see-grey" }); this.show(); return true; }
    if (event.key === "e") { this.cycleSetting("eyes", COLOUR_VISIONS); return true; }
    if (event.key === "[" || event.key === "]") { this.step(event.key === "[" ? -1 : 1); return true; }
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") { this.step(event.key === "ArrowLeft" ? -1 : 1); return true; }
    return false;
  }
}

