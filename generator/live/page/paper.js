// What is printed of the data of a page that nobody serves: not the screen, but all faces of the cards that are wanted, in real size.

import { make } from "./dom.js";
import { found } from "./filters.js";

export function begin() {
  const place = make("div", { class: "game gallery printed" });
  addEventListener("beforeprint", () => {
    if (document.body.classList.contains("players")) return;
    const wanted = new Set(found().map((card) => card.name));
    place.replaceChildren(document.importNode(document.querySelector(".game main"), true));
    for (const each of place.querySelectorAll("figure")) if (!wanted.has(each.dataset.name)) each.remove();
    for (const each of place.querySelectorAll("section:not(:has(figure))")) each.remove();
    document.body.append(place);
    document.body.classList.add("printing");
  });
  addEventListener("afterprint", () => { place.remove(); document.body.classList.remove("printing"); });
}
