// Completes `:name:` in a text with the icons of the pack and pnp's symbols.

import { say } from "./store.js";
import { ask } from "./server.js";
import { make } from "./dom.js";

// So many are shown at once: a longer list hides what is edited.
const MOST = 8;
const BEGUN = /(?<![\w:]):([\w/-]*)$/;

// Names that begin like it come before those that only contain it.
function matching(names, begun) {
  const low = begun.toLowerCase();
  const place = (name) => name.toLowerCase().indexOf(low);
  return names.filter((name) => place(name) >= 0).sort((a, b) => Math.min(place(a), 1) - Math.min(place(b), 1)).slice(0, MOST);
}

// The list belongs to one text field; the field gets the keys that the list does not use.
export function complete(field) {
  let names = null, found = [], at = 0;
  const list = make("div", { class: "icons", role: "listbox", "aria-label": say("Icons") });
  const begun = () => BEGUN.exec(field.value.slice(0, field.selectionStart))?.[1];
  const end = () => { list.remove(); found = []; };

  function take(name) {
    const caret = field.selectionStart;
    const after = field.value.slice(caret).replace(/^:/, "");
    field.setRangeText(`:${name}:`, caret - begun().length - 1, field.value.length - after.length, "end");
    end();
    field.dispatchEvent(new Event("input"));
  }

  function show() {
    list.replaceChildren(...found.map((name, nth) => make("button", { type: "button", role: "option", tabindex: "-1", "aria-selected": String(nth === at), onpointerdown: (event) => { event.preventDefault(); event.stopPropagation(); take(name); } },
      make("img", { alt: "", src: `icon/${name.split("/").map(encodeURIComponent).join("/")}` }), make("span", { text: name }))));
    const box = field.getBoundingClientRect();
    Object.assign(list.style, { left: `${Math.max(4, Math.min(box.left, innerWidth - 234))}px`, top: box.bottom + 290 < innerHeight ? `${box.bottom + 4}px` : "", bottom: box.bottom + 290 < innerHeight ? "" : `${innerHeight - box.top + 4}px` });
    document.body.append(list);
  }

  field.addEventListener("input", async () => {
    if (begun() === undefined) return end();
    names ??= await ask("icons").catch(() => []);
    const part = begun();
    if (part === undefined || document.activeElement !== field) return end();
    found = matching(names, part);
    at = 0;
    if (found.length) show(); else end();
  });
  field.addEventListener("keydown", (event) => {
    if (!found.length) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { at = (at + step + found.length) % found.length; show(); }
    else if (event.key === "Enter" || event.key === "Tab") take(found[at]);
    else if (event.key === "Escape") end();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  field.addEventListener("blur", end);
}
