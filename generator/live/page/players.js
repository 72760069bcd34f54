// The switch between the faces of a gallery and the data behind them. The address remembers it.

import { createElement } from "./dom.js";

export function begin() {
  const first = document.querySelector(".game .switch");
  const second = createElement("button", { class: "switch", role: "switch", "aria-checked": "true", "data-to": "#", text: first.textContent });
  first.hidden = false;
  document.querySelector(".tools").append(second);
  for (const [here, there] of [[first, second], [second, first]])
    here.addEventListener("click", () => { location.hash = here.dataset.to; requestAnimationFrame(() => there.focus()); });
}
