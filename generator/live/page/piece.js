// One side of a card as it looks when it is cut: a picture clipped to its outline.

import { staticState, settings, embeddedPicture, translate, state } from "./store.js";
import { createElement } from "./dom.js";

// The scales that the server offers, in pixels per millimetre (`SCALES` in live/faces.py).
const SCALES = [2, 4, 8, 16];
// A picture that is enlarged by at most a twentieth still looks sharp.
const MIN_SHARPNESS = 0.95;

export function pictureAt(key, pxPerMm) {
  if (staticState) return key;
  const wanted = pxPerMm * (globalThis.devicePixelRatio || 1);
  return `face/${key}-${SCALES.find((scale) => scale >= wanted * MIN_SHARPNESS) ?? 16}.png`;
}

// Return the pixels of the screen per millimetre at the current zoom.
export const pixelsPerMm = () => settings.dot * settings.zoom / 100;

export function outlineOf(component, side) {
  if (side.outline) return side.outline;
  return side.name === "back" ? component.behind : component.outline;
}

export function sizeOf(component, side) {
  return side.size ?? component.size;
}

// Return the name of a side in the language of the page; `side.name` is `front`, `back` or `face 3`.
export function sideName(side) {
  const [name, ...number] = side.name.split(" ");
  return [{ front: translate("front"), back: translate("back"), face: translate("face") }[name] ?? name, ...number].join(" ");
}

export function clipPathOf(outline, pxPerMm, offset = 0) {
  return `polygon(${outline.points.map(([x, y]) => `${((x + offset) * pxPerMm).toFixed(2)}px ${((y + offset) * pxPerMm).toFixed(2)}px`).join(",")})`;
}

export class Piece {
  constructor() {
    this.image = createElement("img", { alt: "", draggable: false, decoding: "async" });
    this.cut = createElement("div", { class: "cut" }, this.image);
    this.root = createElement("div", { class: "piece" }, this.cut);
    this.name = "";
    this.shownAddress = "";
    this.wantedAddress = "";
  }

  show(card, side, pxPerMm, { bleed = false } = {}) {
    const component = state.components.get(card.component);
    if (!component || !side) return;
    const [w, h] = sizeOf(component, side);
    const margin = bleed ? component.bleed : 0;
    const layout = `${card.component}${side.name}${w}x${h}@${pxPerMm}+${margin}|${component.outline.points.length}`;
    if (layout !== this.layout) {
      this.layout = layout;
      Object.assign(this.root.style, { width: `${(w + 2 * margin) * pxPerMm}px`, height: `${(h + 2 * margin) * pxPerMm}px` });
      Object.assign(this.image.style, {
        width: `${(w + 2 * component.bleed) * pxPerMm}px`, height: `${(h + 2 * component.bleed) * pxPerMm}px`,
        left: `${(margin - component.bleed) * pxPerMm}px`, top: `${(margin - component.bleed) * pxPerMm}px`,
      });
      this.cut.style.clipPath = bleed ? "none" : clipPathOf(outlineOf(component, side), pxPerMm);
    }
    this.load(side.key, pictureAt(side.key, pxPerMm));
  }

  load(key, address) {
    if (address === this.wantedAddress) return;
    this.wantedAddress = address;
    if (staticState) return this.showEmbedded(key);
    if (!this.shownAddress) {
      this.image.src = address;
      this.image.onload = () => this.recordLoaded(key, address);
      this.image.onerror = () => { this.root.classList.add("none"); };
      return;
    }
    const next = new Image();
    next.src = address;
    next.decode().then(() => {
      if (this.wantedAddress !== address) return;
      this.image.onload = null;
      this.image.src = address;
      this.recordLoaded(key, address);
    }, () => {});
  }

  // In a page without a server, the picture is an element of the page.
  showEmbedded(key) {
    const next = embeddedPicture(key);
    next.style.cssText = this.image.style.cssText;
    this.image.replaceWith(next);
    this.image = next;
    this.setLabel(this.name);
    this.recordLoaded(key, key);
  }

  // Set the name that screen readers read.
  setLabel(name) {
    this.name = name;
    if (!staticState) { this.image.alt = name; return; }
    this.image.setAttribute("aria-label", name);
    this.image.setAttribute("aria-hidden", String(!name));
  }

  recordLoaded(key, address) {
    this.shownAddress = address;
    this.root.classList.remove("none");
    this.root.dataset.key = key;
    this.root.dataset.at = performance.now().toFixed(1);
  }
}
