// Which cards are wanted: words, components, values of columns.

import { chosen, choose, on, say, state, tell } from "./store.js";
import { make, count } from "./dom.js";

export const wanted = { words: "", components: new Set(), values: new Map(), faulty: false };

const MOST_VALUES = 24, SAID = 30;

export function matches(card) {
  if (wanted.faulty && !card.problems.length) return false;
  if (wanted.components.size && !wanted.components.has(card.component)) return false;
  for (const [column, values] of wanted.values)
    if (values.size && !values.has(card.row[column] ?? "")) return false;
  if (!wanted.words) return true;
  const text = `${card.name} ${card.title} ${Object.values(card.row).join(" ")}`.toLowerCase();
  return wanted.words.split(/\s+/).every((word) => text.includes(word));
}

export function found() {
  return state.order.map((name) => state.cards.get(name)).filter((card) => card && matches(card));
}

export function begin(aside, search) {
  search.addEventListener("input", () => { wanted.words = search.value.trim().toLowerCase(); tell("wanted"); });
  const again = () => fill(aside);
  on("cards", ({ order }) => { if (order) again(); else faults(aside); });
  on("wanted", again);
  on("pulled", again);
}

function faulty() {
  let number = 0;
  for (const card of state.cards.values()) if (card.problems.length) number += 1;
  return number;
}

function faults(aside) {
  const place = aside.querySelector(".faulty");
  const number = faulty();
  if (!place || (place.dataset.number !== String(number))) fill(aside);
}

function row(text, number, on, change) {
  return make("button", { class: "row", "aria-pressed": String(on), onclick: change },
    make("span", { text }), make("span", { class: "number", text: String(number) }));
}

function flip(set, value) {
  if (set.has(value)) set.delete(value); else set.add(value);
  tell("wanted");
}

// The columns with few enough values to choose from, in the components that are wanted.
function columns() {
  const values = new Map();
  for (const card of state.cards.values()) {
    if (wanted.components.size && !wanted.components.has(card.component)) continue;
    for (const [column, value] of Object.entries(card.row)) {
      if (column === "id" || column === "count") continue;
      if (!values.has(column)) values.set(column, new Map());
      const counts = values.get(column);
      if (counts && counts.size <= MOST_VALUES) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...values].filter(([, counts]) => counts.size > 1 && counts.size <= MOST_VALUES
    && [...counts.values()].some((number) => number > 1));
}

export function fill(aside) {
  const parts = [...state.components.values()];
  const open = new Map([...aside.querySelectorAll("details")].map((box) => [box.dataset.column, box.open]));
  const focus = document.activeElement?.closest?.("#side") ? document.activeElement.dataset.id : null;
  const total = state.cards.size;
  const shown = [make("h2", { text: say("Components") })];
  const pieces = new Map();
  for (const card of state.cards.values()) pieces.set(card.component, (pieces.get(card.component) ?? 0) + 1);
  for (const part of parts) {
    const made = row(part.title || part.id, pieces.get(part.id) ?? 0, wanted.components.has(part.id), () => flip(wanted.components, part.id));
    made.title = say("{part} of {all}", { part: count(part.count, "piece"), all: count(pieces.get(part.id) ?? 0, "design") });
    made.dataset.id = `c ${part.id}`;
    shown.push(made);
  }
  const bad = faulty();
  if (bad || wanted.faulty) {
    const made = row(say("with mistakes"), bad, wanted.faulty, () => { wanted.faulty = !wanted.faulty; tell("wanted"); });
    made.classList.add("bad");
    shown.push(make("h2", { text: say("Wrong") }), made);
  }
  const mark = make("i", { class: "faulty", hidden: true });
  mark.dataset.number = String(bad);
  shown.push(mark);
  for (const [column, counts] of columns()) {
    const was = Boolean(wanted.values.get(column)?.size) || (chosen.open ?? []).includes(column);
    const box = make("details", { "data-column": column, open: open.get(column) ?? was },
      make("summary", { text: column }));
    box.addEventListener("toggle", () => {
      const open = new Set(chosen.open ?? []);
      if (box.open) open.add(column); else open.delete(column);
      choose({ open: [...open] });
    });
    for (const [value, number] of [...counts].sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }))) {
      if (!wanted.values.has(column)) wanted.values.set(column, new Set());
      const made = row(value || say("(empty)"), number, wanted.values.get(column).has(value), () => flip(wanted.values.get(column), value));
      made.dataset.id = `v ${column} ${value}`;
      box.append(made);
    }
    shown.push(box);
  }
  const any = wanted.components.size || wanted.faulty || [...wanted.values.values()].some((set) => set.size);
  if (any) shown.push(make("button", { class: "quiet all", text: say("Show all"), onclick: clear }));
  shown.push(...pulled(), make("p", { class: "sum", text: say("{part} of {all}", { part: found().length, all: count(total, "card") }) }));
  aside.replaceChildren(...shown);
  if (focus) [...aside.querySelectorAll("[data-id]")].find((each) => each.dataset.id === focus)?.focus();
}

// What came from a sheet elsewhere the last time.
function pulled() {
  if (!state.pulled?.said) return [];
  const words = { new: say("new"), changed: say("changed"), gone: say("gone") };
  const ways = Object.keys(words).filter((way) => state.pulled[way]?.length);
  return [make("h2", { text: say("Downloaded: {file}", { file: state.pulled.file }) }), make("dl", { class: "pulled" },
    ...ways.flatMap((way) => [make("dt", { text: words[way] }), make("dd", { text: state.pulled[way].slice(0, SAID).join(", ") + (state.pulled[way].length > SAID ? ", …" : "") })]))];
}

export function clear() {
  wanted.components.clear();
  wanted.values.clear();
  wanted.faulty = false;
  tell("wanted");
}
