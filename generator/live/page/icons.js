// Completes `:name:` in a text with the icons of the pack and pnp's symbols.

import { translate } from "./store.js";
import { getJson } from "./server.js";
import { createElement } from "./dom.js";

// A longer list would hide the text field.
const MAX_OFFERED = 8;
const STARTED_NAME = /(?<![\w:]):([\w/-]*)$/;

// Return the names that contain `started`; those that begin with it come first.
function findMatching(names, started) {
  const lower = started.toLowerCase();
  const position = (name) => name.toLowerCase().indexOf(lower);
  return names.filter((name) => position(name) >= 0).sort((a, b) => Math.min(position(a), 1) - Math.min(position(b), 1)).slice(0, MAX_OFFERED);
}

// Attach a list of icons to a text field. The list takes the keys that move in it and choose; the field gets all others.
export function complete(field) {
  let names = null, matches = [], active = 0;
  const list = createElement("div", { class: "icons", role: "listbox", "aria-label": translate("Icons") });
  const started = () => STARTED_NAME.exec(field.value.slice(0, field.selectionStart))?.[1];
  const close = () => { list.remove(); matches = []; };

  function insert(name) {
    const caret = field.selectionStart;
    const after = field.value.slice(caret).replace(/^:/, "");
    field.setRangeText(`:${name}:`, caret - started().length - 1, field.value.length - after.length, "end");
    close();
    field.dispatchEvent(new Event("input"));
  }

  function show() {
    list.replaceChildren(...matches.map((name, index) => createElement("button", { type: "button", role: "option", tabindex: "-1", "aria-selected": String(index === active), onpointerdown: (event) => { event.preventDefault(); event.stopPropagation(); insert(name); } },
      createElement("img", { alt: "", src: `icon/${name.split("/").map(encodeURIComponent).join("/")}` }), createElement("span", { text: name }))));
    const box = field.getBoundingClientRect();
    Object.assign(list.style, { left: `${Math.max(4, Math.min(box.left, innerWidth - 234))}px`, top: box.bottom + 290 < innerHeight ? `${box.bottom + 4}px` : "", bottom: box.bottom + 290 < innerHeight ? "" : `${innerHeight - box.top + 4}px` });
    document.body.append(list);
  }

  field.addEventListener("input", async () => {
    if (started() === undefined) return close();
    names ??= await getJson("icons").catch(() => []);
    const part = started();
    if (part === undefined || document.activeElement !== field) return close();
    matches = findMatching(names, part);
    active = 0;
    if (matches.length) show(); else close();
  });
  field.addEventListener("keydown", (event) => {
    if (!matches.length) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { active = (active + step + matches.length) % matches.length; show(); }
    else if (event.key === "Enter" || event.key === "Tab") insert(matches[active]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  field.addEventListener("blur", close);
}
