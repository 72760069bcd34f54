// The switch between what players see of a page that nobody serves, and the data behind it: the address remembers it.

import { make } from "./dom.js";

export function begin() {
  const first = document.querySelector(".game .switch");
  const second = make("button", { class: "switch", role: "switch", "aria-checked": "true", "data-to": "#", text: first.textContent });
  first.hidden = false;
  document.querySelector(".tools").append(second);
  for (const [here, there] of [[first, second], [second, first]])
    here.addEventListener("click", () => { location.hash = here.dataset.to; requestAnimationFrame(() => there.focus()); });
}
