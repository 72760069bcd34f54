// What is printed of a page that nobody serves: not the screen, but all faces of the cards that are wanted, in real size.

import { allPictures } from "./store.js";
import { make } from "./dom.js";
import { found } from "./filters.js";

export function begin() {
  const place = make("div", { class: "printed" });
  addEventListener("beforeprint", () => {
    const wanted = new Set(found().flatMap((card) => card.sides.map((side) => side.key)));
    place.replaceChildren(...allPictures());
    for (const each of place.querySelectorAll("figure")) if (!wanted.has(each.firstChild.dataset.face)) each.remove();
    for (const each of place.querySelectorAll("section:not(:has(figure))")) { each.previousElementSibling.remove(); each.remove(); }
    document.body.append(place);
    document.body.classList.add("printing");
  });
  addEventListener("afterprint", () => { place.remove(); document.body.classList.remove("printing"); });
}
