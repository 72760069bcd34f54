// A ruler on the screen: hold a real one to it, or a bank card, so that real size is real.

import { chosen, choose, say } from "./store.js";
import { make, draw, dialog } from "./dom.js";

const LONG = 150;
const CARD = [85.6, 53.98];

export function calibrate() {
  const place = make("div", { class: "ruler" });
  const card = make("div", { class: "bankcard" }, make("span", { text: say("a bank card: {size}", { size: "85.6 × 54 mm" }) }));
  const slide = make("input", { type: "range", min: "2", max: "9", step: "0.005", value: String(chosen.dot), "aria-label": say("Pixels per millimetre") });
  const show = () => {
    const dot = chosen.dot;
    const ticks = [];
    for (let mm = 0; mm <= LONG; mm += 1) {
      const long = mm % 10 === 0 ? 14 : mm % 5 === 0 ? 10 : 6;
      ticks.push(draw("path", { d: `M${mm * dot + 0.5} 0v${long}`, class: "tick" }));
      if (mm % 10 === 0) ticks.push(draw("text", { x: mm * dot + 2, y: 26 }, String(mm / 10)));
    }
    place.replaceChildren(draw("svg", { width: LONG * dot + 20, height: 32 }, ...ticks));
    Object.assign(card.style, { width: `${CARD[0] * dot}px`, height: `${CARD[1] * dot}px` });
  };
  slide.addEventListener("input", () => { choose({ dot: Number(slide.value) }); show(); });
  const plain = make("button", { class: "quiet", text: say("Browser default (96 dpi)"), onclick: () => { choose({ dot: 96 / 25.4 }); slide.value = chosen.dot; show(); } });
  show();
  dialog(say("Calibrate this screen"),
    make("p", { text: say("Hold a ruler or a bank card against the screen and move the slider until the lengths match. Then 100 % is actual size.") }),
    place, card, slide, plain);
}
