// The sheets as they print, which the user can turn over or hold to the light.

import { subscribe, translate, state } from "./store.js";
import { getJson, latestOnly } from "./server.js";
import { createElement, createSvg, formatCount, translateReport } from "./dom.js";
import { pictureAt } from "./piece.js";

const MAX_PX_PER_MM = 1.75, MARGINS_PX = 56;

export class SheetsView {
  constructor() {
    this.list = createElement("div", { class: "papers" });
    this.choice = createElement("div", { class: "choice", role: "toolbar", "aria-label": translate("Sheets") });
    this.summary = createElement("p", { class: "sum" });
    this.root = createElement("div", { class: "scroll sheets" }, createElement("div", { class: "strip" }, this.choice, this.summary), this.list);
    this.turned = false;
    this.light = false;
    this.startLoad = latestOnly();
    this.keys = [["f", translate("turn the paper over")], ["l", translate("hold it up to the light")]];
    this.visibility = new IntersectionObserver((entries) => { for (const entry of entries) if (entry.isIntersecting) entry.target.fill?.(); }, { rootMargin: "600px" });
  }

  open(place, paper = "") {
    this.paper = paper;
    place.replaceChildren(this.root);
    this.unsubscribe = subscribe("cards", () => this.load());
    this.load();
  }

  navigate(paper = "") { this.paper = paper; this.load(); }

  close() { this.unsubscribe(); }

  handleKey(event) {
    if (event.key === "f") { this.turned = !this.turned; this.updateToggles(); return true; }
    if (event.key === "l") { this.light = !this.light; this.updateToggles(); return true; }
    return false;
  }

  async load() {
    const isLatest = this.startLoad();
    try {
      const response = await getJson(`sheets/${encodeURIComponent(this.paper)}`);
      if (!isLatest()) return;
      const text = JSON.stringify(response);
      if (text === this.text) return;
      this.text = text;
      this.show(response);
    } catch (error) {
      if (!isLatest()) return;
      this.text = "";
      this.summary.textContent = error.message;
      this.list.replaceChildren();
    }
  }

  updateToggles() {
    this.list.classList.toggle("turned", this.turned);
    this.list.classList.toggle("light", this.light);
    for (const button of this.choice.querySelectorAll("[data-key]"))
      button.setAttribute("aria-pressed", String(button.dataset.key === "f" ? this.turned : this.light));
  }

  show(response) {
    const papers = state.game?.papers ?? [response.paper];
    this.choice.replaceChildren(
      ...papers.map((name) => createElement("a", { class: "pill", href: `#sheets/${encodeURIComponent(name)}`, text: name, "aria-current": name === response.paper ? "true" : null })),
      createElement("button", { class: "pill", "data-key": "f", text: translate("Turn over"), onclick: () => { this.turned = !this.turned; this.updateToggles(); } }),
      createElement("button", { class: "pill", "data-key": "l", text: translate("Hold up to the light"), onclick: () => { this.light = !this.light; this.updateToggles(); } }),
    );
    this.summary.textContent = [translateReport(response.summary), translate(response.mode), ...response.notices].join(" · ");
    this.list.replaceChildren(...response.sheets.map((sheet, index) => this.sheet(sheet, index, response)));
    for (const entry of this.list.children) this.visibility.observe(entry);
    this.updateToggles();
  }

  sheet(sheet, index, response) {
    const [w, h] = sheet.size, pxPerMm = Math.min(MAX_PX_PER_MM, (this.root.clientWidth - MARGINS_PX) / w);
    const paper = createElement("div", { class: "paper", role: "img", style: { width: `${w * pxPerMm}px`, height: `${h * pxPerMm}px` } });
    const front = createElement("div", { class: "leaf front" }), back = createElement("div", { class: "leaf back" });
    const faces = new Set(sheet.front.faces.map((face) => face.piece));
    paper.setAttribute("aria-label", translate("Sheet {number}: {pieces}, {names}", { number: index + 1, pieces: formatCount(sheet.front.faces.length, "piece"), names: [...faces].slice(0, 6).join(", ") }));
    paper.append(front, back);
    const holder = createElement("figure", {}, paper, createElement("figcaption", { text: translate("{part} of {all}", { part: index + 1, all: response.sheets.length }) }));
    const fill = () => {
      if (holder.filled) return;
      holder.filled = true;
      this.side(front, sheet.front, sheet.size, pxPerMm);
      if (sheet.back) this.side(back, sheet.back, sheet.size, pxPerMm);
      // A sheet flipped on the short edge turns about its other centre line. Held to the light, its back shows behind the front.
      paper.dataset.flip = response.duplex === "DuplexFlipShortEdge" ? "short" : "long";
    };
    holder.fill = fill;
    return holder;
  }

  side(leaf, side, [w, h], pxPerMm) {
    for (const face of side.faces) leaf.append(this.face(face, pxPerMm));
    const lines = side.lines.map(([x1, y1, x2, y2, width]) => createSvg("line", { x1, y1, x2, y2, "stroke-width": width }));
    const notes = side.notes.map((note) => createSvg("text", {
      x: note.at[0], y: note.at[1], "font-size": note.size, "text-anchor": note.anchor,
      transform: note.turn ? `rotate(${note.turn} ${note.at[0]} ${note.at[1]})` : null,
    }, note.text));
    leaf.append(createSvg("svg", { viewBox: `0 0 ${w} ${h}`, class: "marks" }, createSvg("g", { class: "lines" }, ...lines), ...notes));
  }

  face(face, pxPerMm) {
    const [ix, iy, iw, ih] = face.ink;
    const [tx, ty, tw, th] = face.trim;
    const card = state.cards.get(face.piece);
    const component = card && state.components.get(card.component);
    const bleed = component?.bleed ?? 0;
    const across = face.turn % 180 ? [th, tw] : [tw, th];
    const w = (across[0] + 2 * bleed) * pxPerMm, h = (across[1] + 2 * bleed) * pxPerMm;
    const image = createElement("img", { alt: "", src: pictureAt(face.key, pxPerMm), draggable: false, style: {
      width: `${w}px`, height: `${h}px`, left: `${(tx + tw / 2 - ix) * pxPerMm - w / 2}px`, top: `${(ty + th / 2 - iy) * pxPerMm - h / 2}px`,
      transform: face.turn ? `rotate(${face.turn}deg)` : "",
    } });
    const box = createElement("div", { class: "slot", style: { left: `${ix * pxPerMm}px`, top: `${iy * pxPerMm}px`, width: `${iw * pxPerMm}px`, height: `${ih * pxPerMm}px` } }, image);
    if (face.clip) box.style.clipPath = `polygon(${face.clip.points.map(([x, y]) => `${(x - ix) * pxPerMm}px ${(y - iy) * pxPerMm}px`).join(",")})`;
    return box;
  }
}

