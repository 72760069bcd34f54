// A ruler on the screen. The user holds a real ruler or a bank card to it, and so calibrates the actual size.

import { settings, saveSettings, translate } from "./store.js";
import { createElement, createSvg, dialog } from "./dom.js";

const RULER_MM = 150;
// ISO/IEC 7810, ID-1.
const BANK_CARD_MM = [85.6, 53.98];

export function calibrate() {
  const place = createElement("div", { class: "ruler" });
  const card = createElement("div", { class: "bankcard" }, createElement("span", { text: translate("a bank card: {size}", { size: "85.6 × 54 mm" }) }));
  const slider = createElement("input", { type: "range", min: "2", max: "9", step: "0.005", value: String(settings.dot), "aria-label": translate("Pixels per millimetre") });
  const show = () => {
    const dot = settings.dot;
    const ticks = [];
    for (let mm = 0; mm <= RULER_MM; mm += 1) {
      const length = mm % 10 === 0 ? 14 : mm % 5 === 0 ? 10 : 6;
      ticks.push(createSvg("path", { d: `M${mm * dot + 0.5} 0v${length}`, class: "tick" }));
      if (mm % 10 === 0) ticks.push(createSvg("text", { x: mm * dot + 2, y: 26 }, String(mm / 10)));
    }
    place.replaceChildren(createSvg("svg", { width: RULER_MM * dot + 20, height: 32 }, ...ticks));
    Object.assign(card.style, { width: `${BANK_CARD_MM[0] * dot}px`, height: `${BANK_CARD_MM[1] * dot}px` });
  };
  slider.addEventListener("input", () => { saveSettings({ dot: Number(slider.value) }); show(); });
  const reset = createElement("button", { class: "quiet", text: translate("Browser default (96 dpi)"), onclick: () => { saveSettings({ dot: 96 / 25.4 }); slider.value = settings.dot; show(); } });
  show();
  dialog(translate("Calibrate this screen"),
    createElement("p", { text: translate("Hold a ruler or a bank card against the screen and move the slider until the lengths match. Then 100 % is actual size.") }),
    place, card, slider, reset);
}
