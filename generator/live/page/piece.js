// One side of a card as it looks when it is cut out: a picture in its outline.

import { alone, chosen, pictureOf, say, state } from "./store.js";
import { make } from "./dom.js";

const SCALES = [2, 4, 8, 16];

export function pictureAt(key, dots) {
  if (alone) return key;
  const wanted = dots * (globalThis.devicePixelRatio || 1);
  return `face/${key}-${SCALES.find((scale) => scale >= wanted * 0.95) ?? 16}.png`;
}

// Pixels on the screen for a millimetre at the size that is chosen.
export const dotsNow = () => chosen.dot * chosen.zoom / 100;

export function outlineOf(component, side) {
  if (side.outline) return side.outline;
  return side.name === "back" ? component.behind : component.outline;
}

export function sizeOf(component, side) {
  return side.size ?? component.size;
}

// `front`, `back`, or `face 3`.
export function sideName(side) {
  const [name, ...number] = side.name.split(" ");
  return [{ front: say("front"), back: say("back"), face: say("face") }[name] ?? name, ...number].join(" ");
}

export function clipOf(outline, dots, by = 0) {
  return `polygon(${outline.points.map(([x, y]) => `${((x + by) * dots).toFixed(2)}px ${((y + by) * dots).toFixed(2)}px`).join(",")})`;
}

export class Piece {
  constructor() {
    this.image = make("img", { alt: "", draggable: false, decoding: "async" });
    this.cut = make("div", { class: "cut" }, this.image);
    this.root = make("div", { class: "piece" }, this.cut);
    this.name = "";
    this.shown = "";
    this.wanted = "";
  }

  show(card, side, dots, { bleed = false } = {}) {
    const component = state.components.get(card.component);
    if (!component || !side) return;
    const [w, h] = sizeOf(component, side);
    const around = bleed ? component.bleed : 0;
    const layout = `${card.component}${side.name}${w}x${h}@${dots}+${around}|${component.outline.points.length}`;
    if (layout !== this.layout) {
      this.layout = layout;
      Object.assign(this.root.style, { width: `${(w + 2 * around) * dots}px`, height: `${(h + 2 * around) * dots}px` });
      Object.assign(this.image.style, {
        width: `${(w + 2 * component.bleed) * dots}px`, height: `${(h + 2 * component.bleed) * dots}px`,
        left: `${(around - component.bleed) * dots}px`, top: `${(around - component.bleed) * dots}px`,
      });
      this.cut.style.clipPath = bleed ? "none" : clipOf(outlineOf(component, side), dots);
    }
    this.load(side.key, pictureAt(side.key, dots));
  }

  load(key, address) {
    if (address === this.wanted) return;
    this.wanted = address;
    if (alone) return this.put(key);
    if (!this.shown) {
      this.image.src = address;
      this.image.onload = () => this.done(key, address);
      this.image.onerror = () => { this.root.classList.add("none"); };
      return;
    }
    const next = new Image();
    next.src = address;
    next.decode().then(() => {
      if (this.wanted !== address) return;
      this.image.onload = null;
      this.image.src = address;
      this.done(key, address);
    }, () => {});
  }

  // Where nobody serves the page, the picture is an element of it.
  put(key) {
    const next = pictureOf(key);
    next.style.cssText = this.image.style.cssText;
    this.image.replaceWith(next);
    this.image = next;
    this.call(this.name);
    this.done(key, key);
  }

  // What a reader hears who does not see it.
  call(name) {
    this.name = name;
    if (!alone) { this.image.alt = name; return; }
    this.image.setAttribute("aria-label", name);
    this.image.setAttribute("aria-hidden", String(!name));
  }

  done(key, address) {
    this.shown = address;
    this.root.classList.remove("none");
    this.root.dataset.key = key;
    this.root.dataset.at = performance.now().toFixed(1);
  }
}
