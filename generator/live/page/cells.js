// The cells of a card's row, as text fields. Each change names the digest of the file that the page has seen, so that
// the server can refuse to overwrite a newer file.

import { getJson, enqueue, postJson } from "./server.js";
import { createElement, toast } from "./dom.js";
import { complete } from "./icons.js";
import { translate } from "./store.js";

export const cells = (card) => Object.entries(card.row).map(([column, value]) => cell(card, column, value));

function cell(card, column, value) {
  const field = createElement("textarea", { rows: 1, value, spellcheck: false, "data-column": column });
  complete(field);
  const fit = () => { field.style.height = "auto"; field.style.height = `${field.scrollHeight + 2}px`; };
  let source = null;
  field.addEventListener("focus", async () => {
    source = enqueue(() => getJson(`row/${encodeURIComponent(card.name)}`));
    const response = await source.catch((error) => ({ editable: false, why: error.message }));
    field.readOnly = !response.editable;
    if (response.why) field.title = response.why;
  });
  const save = () => {
    const typed = field.value;
    return enqueue(async () => {
      if (typed === value || !source) return;
      const response = await source.catch(() => ({}));
      if (!response.editable) return;
      const digest = await write(card, column, typed, response.digest);
      if (digest) { value = typed; source = Promise.resolve({ ...response, digest }); }
    });
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); save(); }
    if (event.key === "Escape") { field.value = value; field.blur(); event.stopPropagation(); }
  });
  field.addEventListener("blur", save);
  field.addEventListener("input", fit);
  requestAnimationFrame(fit);
  return createElement("label", {}, createElement("span", { text: column }), field);
}

export async function write(card, column, value, digest) {
  try {
    const done = await postJson("cell", { card: card.name, column, value, digest });
    toast(translate("Saved {column} in {file}", { column, file: done.file }));
    return done.digest;
  } catch (error) {
    toast(error.message, true);
    return null;
  }
}
