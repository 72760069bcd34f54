// One card large: its sides, its cut, its safe area, how others see it, and where everything on it is written.

import { alone, chosen, choose, go, on, say, state } from "./store.js";
import { make, draw, renew } from "./dom.js";
import { Piece, outlineOf, sideName, sizeOf } from "./piece.js";
import { found } from "./filters.js";
import { Facts } from "./facts.js";
import { Inspector } from "./inspector.js";

const EYES = [["", say("default")], ["see-grey", say("grey")], ["see-protan", say("red-blind")], ["see-deutan", say("green-blind")], ["see-tritan", say("blue-blind")]];
const LINES = [["bleed", "b", say("Bleed")], ["trim", "t", say("Trim")], ["safe", "s", say("Safe area")]];
const MOST = 16;
// How large it is shown: as large as there is room, as it is, or as it looks 70 cm away to who sits 50 cm from the screen.
const SIZES = [["", say("fits"), 0], ["real", say("actual size"), 1], ["arm", say("at arm's length"), 50 / 70]];

export class CardView {
  constructor() {
    this.piece = new Piece();
    this.lines = draw("svg", { class: "lines", "aria-hidden": "true" });
    this.stage = make("div", { class: "stage" });
    this.tip = make("output", { class: "tip" });
    this.turner = make("div", { class: "turner" }, this.piece.root, this.lines, this.tip);
    this.stage.append(this.turner);
    this.bar = make("div", { class: "choice", role: "toolbar", "aria-label": say("Display options") });
    this.mistake = make("pre", { class: "mistake", role: "alert", hidden: true });
    this.middle = make("div", { class: "middle" }, this.bar, this.mistake, this.stage);
    this.inspector = alone ? new Facts() : new Inspector(this);
    this.root = make("div", { class: "single" }, this.middle, this.inspector.root);
    this.keys = [["f", say("turn over")], ["b  t  s", say("bleed, trim, safe area")], ["g", say("grey")], ["e", say("colour vision")], ["a", say("fit to window, actual size, at arm's length")], ["[  ]", say("previous card, next card")], ...this.inspector.keys];
  }

  open(place, name, side = "") {
    place.replaceChildren(this.root);
    this.off = [
      on("cards", ({ changed, order }) => { if (order || changed.has(this.name)) this.show(); }),
      on("chosen", (values) => { if ("dot" in values) this.show(); }),
    ];
    this.watch = new ResizeObserver(() => this.show());
    this.watch.observe(this.stage);
    this.turn(name, side);
  }

  turn(name, side = "") {
    this.name = name;
    const sides = state.cards.get(name)?.sides ?? [];
    this.side = Math.max(0, sides.findIndex((each) => each.name === side));
    this.show();
  }

  close() {
    this.off.forEach((end) => end());
    this.watch.disconnect();
    this.inspector.close();
  }

  get card() { return state.cards.get(this.name); }

  get face() { return this.card?.sides[this.side] ?? this.card?.sides[0]; }

  show() {
    const { card } = this;
    if (!card) {
      this.mistake.hidden = state.cards.size === 0;
      this.mistake.textContent = say("This card no longer exists.");
      return;
    }
    const component = state.components.get(card.component), side = this.face;
    const [w, h] = sizeOf(component, side);
    const around = chosen.bleed ? component.bleed : 0;
    const room = this.stage.getBoundingClientRect();
    const fits = Math.min((room.width - 40) / (w + 2 * component.bleed), (room.height - 40) / (h + 2 * component.bleed));
    const share = SIZES.find(([value]) => value === (chosen.size ?? ""))?.[2];
    this.dots = share ? chosen.dot * share : Math.max(1, Math.min(fits, MOST));
    this.piece.show(card, side, this.dots, { bleed: chosen.bleed });
    this.piece.call(`${card.title}, ${sideName(side)}`);
    this.turner.style.filter = chosen.eyes ? `url(#${chosen.eyes})` : "";
    this.around = around;
    this.mark(component, side, w, h, around);
    const wrong = card.problems.map((problem) => problem.text).join("\n");
    this.mistake.hidden = !wrong;
    this.mistake.textContent = wrong + (card.stale ? `\n\n${say("This is the last good picture.")}` : "");
    this.choices(card, component);
    this.inspector.show(card, side);
  }

  mark(component, side, w, h, around) {
    const path = (outline) => `M${outline.points.map(([x, y]) => `${x} ${y}`).join("L")}Z`;
    this.lines.setAttribute("viewBox", `${-around} ${-around} ${w + 2 * around} ${h + 2 * around}`);
    const parts = [];
    if (chosen.trim) parts.push(draw("path", { d: path(outlineOf(component, side)), class: "trim" }));
    if (chosen.safe && component.within && !side.outline) parts.push(draw("path", { d: path(component.within), class: "safe" }));
    this.lines.replaceChildren(...parts, ...this.inspector.boxes());
  }

  choices(card, component) {
    const toggle = (key, name, title) => make("button", { class: "pill", "aria-pressed": String(Boolean(chosen[key])), text: title, title: `(${name})`, onclick: () => this.flick(key) });
    const choice = (key, words, values) => make("select", { class: "pill", "aria-label": words, onchange: (event) => { choose({ [key]: event.target.value }); this.show(); } },
      ...values.map(([value, title]) => make("option", { value, text: title, selected: value === (chosen[key] ?? "") })));
    const sides = card.sides.map((each, nth) => make("button", { class: "pill", "aria-pressed": String(nth === this.side), text: sideName(each), onclick: () => this.over(nth) }));
    renew(this.bar,
      make("a", { class: "pill", href: "#cards", text: `‹ ${say("All")}`, "aria-label": say("All cards") }),
      make("button", { class: "pill", text: "‹", "aria-label": say("Previous card"), onclick: () => this.step(-1) }),
      make("button", { class: "pill", text: "›", "aria-label": say("Next card"), onclick: () => this.step(1) }),
      make("span", { class: "gap" }), ...(card.sides.length > 1 ? sides : []), make("span", { class: "gap" }),
      ...LINES.filter(([key]) => key !== "bleed" || component.bleed).map(([key, name, title]) => toggle(key, name, title)), choice("size", say("Display size"), SIZES), choice("eyes", say("Colour vision"), EYES),
    );
  }

  say(text) {
    this.tip.textContent = text;
  }

  flick(key) {
    choose({ [key]: !chosen[key] });
    this.show();
  }

  next(key, values) {
    const at = values.findIndex(([value]) => value === (chosen[key] ?? ""));
    choose({ [key]: values[(at + 1) % values.length][0] });
    this.show();
  }

  over(nth) {
    if (nth === this.side) return;
    this.turner.classList.add("turning");
    setTimeout(() => this.turner.classList.remove("turning"), 260);
    this.side = nth;
    this.show();
  }

  step(by) {
    const cards = found();
    const at = cards.findIndex((card) => card.name === this.name);
    const next = cards[(at + by + cards.length) % cards.length];
    if (next) go("card", next.name);
  }

  pressed(event) {
    const line = LINES.find(([, key]) => key === event.key);
    if (this.inspector.pressed(event)) return true;
    if (line) { this.flick(line[0]); return true; }
    if (event.key === "f") { this.over((this.side + 1) % this.card.sides.length); return true; }
    if (event.key === "a") { this.next("size", SIZES); return true; }
    if (event.key === "g") { choose({ eyes: chosen.eyes === "see-grey" ? "" : "see-grey" }); this.show(); return true; }
    if (event.key === "e") { this.next("eyes", EYES); return true; }
    if (event.key === "[" || event.key === "]") { this.step(event.key === "[" ? -1 : 1); return true; }
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") { this.step(event.key === "ArrowLeft" ? -1 : 1); return true; }
    return false;
  }
}

