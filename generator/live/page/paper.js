// The printed data of a gallery: instead of the screen, all faces of the visible cards at actual size.

import { createElement } from "./dom.js";
import { matchingCards } from "./filters.js";

export function begin() {
  const place = createElement("div", { class: "game gallery printed" });
  addEventListener("beforeprint", () => {
    if (document.body.classList.contains("players")) return;
    const names = new Set(matchingCards().map((card) => card.name));
    place.replaceChildren(document.importNode(document.querySelector(".game main"), true));
    for (const element of place.querySelectorAll("figure")) if (!names.has(element.dataset.name)) element.remove();
    for (const element of place.querySelectorAll("section:not(:has(figure))")) element.remove();
    document.body.append(place);
    document.body.classList.add("printing");
  });
  addEventListener("afterprint", () => { place.remove(); document.body.classList.remove("printing"); });
}
