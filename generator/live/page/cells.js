// The cells of a card's row, to be typed in: each order names the digest of the file that was seen.

import { ask, inTurn, order } from "./server.js";
import { make, toast } from "./dom.js";
import { complete } from "./icons.js";
import { say } from "./store.js";

export const cells = (card) => Object.entries(card.row).map(([column, value]) => cell(card, column, value));

function cell(card, column, value) {
  const field = make("textarea", { rows: 1, value, spellcheck: false, "data-column": column });
  complete(field);
  const fit = () => { field.style.height = "auto"; field.style.height = `${field.scrollHeight + 2}px`; };
  let seen = null;
  field.addEventListener("focus", async () => {
    seen = inTurn(() => ask(`row/${encodeURIComponent(card.name)}`));
    const told = await seen.catch((error) => ({ editable: false, why: error.message }));
    field.readOnly = !told.editable;
    if (told.why) field.title = told.why;
  });
  const keep = () => {
    const typed = field.value;
    return inTurn(async () => {
      if (typed === value || !seen) return;
      const told = await seen.catch(() => ({}));
      if (!told.editable) return;
      const digest = await write(card, column, typed, told.digest);
      if (digest) { value = typed; seen = Promise.resolve({ ...told, digest }); }
    });
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); keep(); }
    if (event.key === "Escape") { field.value = value; field.blur(); event.stopPropagation(); }
  });
  field.addEventListener("blur", keep);
  field.addEventListener("input", fit);
  requestAnimationFrame(fit);
  return make("label", {}, make("span", { text: column }), field);
}

export async function write(card, column, value, digest) {
  try {
    const done = await order("cell", { card: card.name, column, value, digest });
    toast(say("Saved {column} in {file}", { column, file: done.file }));
    return done.digest;
  } catch (error) {
    toast(error.message, true);
    return null;
  }
}
