// The sheets as they print: every picture where it lies, the paper to turn over, or to hold to the light.

import { on, say, state } from "./store.js";
import { ask, turns } from "./server.js";
import { make, draw, count, sayReport } from "./dom.js";
import { pictureAt } from "./piece.js";

const DOTS = 1.75, ROUND = 56;

export class SheetsView {
  constructor() {
    this.list = make("div", { class: "papers" });
    this.choice = make("div", { class: "choice", role: "toolbar", "aria-label": say("Sheets") });
    this.said = make("p", { class: "sum" });
    this.root = make("div", { class: "scroll sheets" }, make("div", { class: "strip" }, this.choice, this.said), this.list);
    this.turned = false;
    this.light = false;
    this.asks = turns();
    this.keys = [["f", say("turn the paper over")], ["l", say("hold it up to the light")]];
    this.seen = new IntersectionObserver((entries) => { for (const each of entries) if (each.isIntersecting) each.target.fill?.(); }, { rootMargin: "600px" });
  }

  open(place, paper = "") {
    this.paper = paper;
    place.replaceChildren(this.root);
    this.off = on("cards", () => this.load());
    this.load();
  }

  turn(paper = "") { this.paper = paper; this.load(); }

  close() { this.off(); }

  pressed(event) {
    if (event.key === "f") { this.turned = !this.turned; this.mark(); return true; }
    if (event.key === "l") { this.light = !this.light; this.mark(); return true; }
    return false;
  }

  async load() {
    const counts = this.asks();
    try {
      const told = await ask(`sheets/${encodeURIComponent(this.paper)}`);
      if (!counts()) return;
      const text = JSON.stringify(told);
      if (text === this.text) return;
      this.text = text;
      this.show(told);
    } catch (error) {
      if (!counts()) return;
      this.text = "";
      this.said.textContent = error.message;
      this.list.replaceChildren();
    }
  }

  mark() {
    this.list.classList.toggle("turned", this.turned);
    this.list.classList.toggle("light", this.light);
    for (const button of this.choice.querySelectorAll("[data-key]"))
      button.setAttribute("aria-pressed", String(button.dataset.key === "f" ? this.turned : this.light));

  }

  show(told) {
    const papers = state.game?.papers ?? [told.paper];
    this.choice.replaceChildren(
      ...papers.map((name) => make("a", { class: "pill", href: `#sheets/${encodeURIComponent(name)}`, text: name, "aria-current": name === told.paper ? "true" : null })),
      make("button", { class: "pill", "data-key": "f", text: say("Turn over"), onclick: () => { this.turned = !this.turned; this.mark(); } }),
      make("button", { class: "pill", "data-key": "l", text: say("Hold up to the light"), onclick: () => { this.light = !this.light; this.mark(); } }),
    );
    this.said.textContent = [sayReport(told.summary), say(told.mode), ...told.notices].join(" · ");
    this.list.replaceChildren(...told.sheets.map((sheet, nth) => this.sheet(sheet, nth, told)));
    for (const each of this.list.children) this.seen.observe(each);
    this.mark();
  }

  sheet(sheet, nth, told) {
    const [w, h] = sheet.size, dots = Math.min(DOTS, (this.root.clientWidth - ROUND) / w);
    const paper = make("div", { class: "paper", role: "img", style: { width: `${w * dots}px`, height: `${h * dots}px` } });
    const front = make("div", { class: "leaf front" }), back = make("div", { class: "leaf back" });
    const faces = new Set(sheet.front.faces.map((face) => face.piece));
    paper.setAttribute("aria-label", say("Sheet {number}: {pieces}, {names}", { number: nth + 1, pieces: count(sheet.front.faces.length, "piece"), names: [...faces].slice(0, 6).join(", ") }));
    paper.append(front, back);
    const holder = make("figure", {}, paper, make("figcaption", { text: say("{part} of {all}", { part: nth + 1, all: told.sheets.length }) }));
    const fill = () => {
      if (holder.filled) return;
      holder.filled = true;
      this.side(front, sheet.front, sheet.size, dots);
      if (sheet.back) this.side(back, sheet.back, sheet.size, dots);
      // A short-edge sheet is turned about its other middle line: held to the light, the back shows as it lies behind.
      paper.dataset.flip = told.duplex === "DuplexFlipShortEdge" ? "short" : "long";
    };
    holder.fill = fill;
    return holder;
  }

  side(leaf, side, [w, h], dots) {
    for (const face of side.faces) leaf.append(this.face(face, dots));
    const lines = side.lines.map(([x1, y1, x2, y2, width]) => draw("line", { x1, y1, x2, y2, "stroke-width": width }));
    const notes = side.notes.map((note) => draw("text", {
      x: note.at[0], y: note.at[1], "font-size": note.size, "text-anchor": note.anchor,
      transform: note.turn ? `rotate(${note.turn} ${note.at[0]} ${note.at[1]})` : null,
    }, note.text));
    leaf.append(draw("svg", { viewBox: `0 0 ${w} ${h}`, class: "marks" }, draw("g", { class: "lines" }, ...lines), ...notes));
  }

  face(face, dots) {
    const [ix, iy, iw, ih] = face.ink;
    const [tx, ty, tw, th] = face.trim;
    const card = state.cards.get(face.piece);
    const component = card && state.components.get(card.component);
    const bleed = component?.bleed ?? 0;
    const across = face.turn % 180 ? [th, tw] : [tw, th];
    const w = (across[0] + 2 * bleed) * dots, h = (across[1] + 2 * bleed) * dots;
    const image = make("img", { alt: "", src: pictureAt(face.key, dots), draggable: false, style: {
      width: `${w}px`, height: `${h}px`, left: `${(tx + tw / 2 - ix) * dots - w / 2}px`, top: `${(ty + th / 2 - iy) * dots - h / 2}px`,
      transform: face.turn ? `rotate(${face.turn}deg)` : "",
    } });
    const box = make("div", { class: "slot", style: { left: `${ix * dots}px`, top: `${iy * dots}px`, width: `${iw * dots}px`, height: `${ih * dots}px` } }, image);
    if (face.clip) box.style.clipPath = `polygon(${face.clip.points.map(([x, y]) => `${(x - ix) * dots}px ${(y - iy) * dots}px`).join(",")})`;
    return box;
  }
}

