// The filter of cards: words, components, values of columns, mistakes.

import { settings, saveSettings, subscribe, translate, state, publish } from "./store.js";
import { createElement, formatCount } from "./dom.js";

export const filter = { words: "", components: new Set(), values: new Map(), faulty: false };

// A column with more values is no help as a filter: search finds them faster.
const MAX_VALUES = 24;
const MAX_LISTED_ROWS = 30;

export function matches(card) {
  if (filter.faulty && !card.problems.length) return false;
  if (filter.components.size && !filter.components.has(card.component)) return false;
  for (const [column, values] of filter.values)
    if (values.size && !values.has(card.row[column] ?? "")) return false;
  if (!filter.words) return true;
  const text = `${card.name} ${card.title} ${Object.values(card.row).join(" ")}`.toLowerCase();
  return filter.words.split(/\s+/).every((word) => text.includes(word));
}

export function matchingCards() {
  return state.order.map((name) => state.cards.get(name)).filter((card) => card && matches(card));
}

export function begin(aside, search) {
  search.addEventListener("input", () => { filter.words = search.value.trim().toLowerCase(); publish("filter"); });
  const refresh = () => fill(aside);
  subscribe("cards", ({ order }) => { if (order) refresh(); else refreshFaulty(aside); });
  subscribe("filter", refresh);
  subscribe("downloads", refresh);
}

function countFaulty() {
  let number = 0;
  for (const card of state.cards.values()) if (card.problems.length) number += 1;
  return number;
}

function refreshFaulty(aside) {
  const place = aside.querySelector(".faulty");
  const number = countFaulty();
  if (!place || (place.dataset.number !== String(number))) fill(aside);
}

function row(text, number, isOn, onClick) {
  return createElement("button", { class: "row", "aria-pressed": String(isOn), onclick: onClick },
    createElement("span", { text }), createElement("span", { class: "number", text: String(number) }));
}

function toggleValue(set, value) {
  if (set.has(value)) set.delete(value); else set.add(value);
  publish("filter");
}

// The columns with few enough values to choose from, in the selected components.
function columns() {
  const values = new Map();
  for (const card of state.cards.values()) {
    if (filter.components.size && !filter.components.has(card.component)) continue;
    for (const [column, value] of Object.entries(card.row)) {
      if (column === "id" || column === "count") continue;
      if (!values.has(column)) values.set(column, new Map());
      const counts = values.get(column);
      if (counts && counts.size <= MAX_VALUES) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...values].filter(([, counts]) => counts.size > 1 && counts.size <= MAX_VALUES
    && [...counts.values()].some((number) => number > 1));
}

export function fill(aside) {
  const parts = [...state.components.values()];
  const open = new Map([...aside.querySelectorAll("details")].map((box) => [box.dataset.column, box.open]));
  const focus = document.activeElement?.closest?.("#side") ? document.activeElement.dataset.id : null;
  const total = state.cards.size;
  const elements = [createElement("h2", { text: translate("Components") })];
  const pieces = new Map();
  for (const card of state.cards.values()) pieces.set(card.component, (pieces.get(card.component) ?? 0) + 1);
  for (const part of parts) {
    const button = row(part.title || part.id, pieces.get(part.id) ?? 0, filter.components.has(part.id), () => toggleValue(filter.components, part.id));
    button.title = translate("{part} of {all}", { part: formatCount(part.count, "piece"), all: formatCount(pieces.get(part.id) ?? 0, "design") });
    button.dataset.id = `c ${part.id}`;
    elements.push(button);
  }
  const bad = countFaulty();
  if (bad || filter.faulty) {
    const button = row(translate("with mistakes"), bad, filter.faulty, () => { filter.faulty = !filter.faulty; publish("filter"); });
    button.classList.add("bad");
    elements.push(createElement("h2", { text: translate("Wrong") }), button);
  }
  const mark = createElement("i", { class: "faulty", hidden: true });
  mark.dataset.number = String(bad);
  elements.push(mark);
  for (const [column, counts] of columns()) {
    const isOpen = Boolean(filter.values.get(column)?.size) || (settings.open ?? []).includes(column);
    const box = createElement("details", { "data-column": column, open: open.get(column) ?? isOpen },
      createElement("summary", { text: column }));
    box.addEventListener("toggle", () => {
      const open = new Set(settings.open ?? []);
      if (box.open) open.add(column); else open.delete(column);
      saveSettings({ open: [...open] });
    });
    for (const [value, number] of [...counts].sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }))) {
      if (!filter.values.has(column)) filter.values.set(column, new Set());
      const button = row(value || translate("(empty)"), number, filter.values.get(column).has(value), () => toggleValue(filter.values.get(column), value));
      button.dataset.id = `v ${column} ${value}`;
      box.append(button);
    }
    elements.push(box);
  }
  const any = filter.components.size || filter.faulty || [...filter.values.values()].some((set) => set.size);
  if (any) elements.push(createElement("button", { class: "quiet all", text: translate("Show all"), onclick: clear }));
  elements.push(...downloadedRows(), createElement("p", { class: "sum", text: translate("{part} of {all}", { part: matchingCards().length, all: formatCount(total, "card") }) }));
  aside.replaceChildren(...elements);
  if (focus) [...aside.querySelectorAll("[data-id]")].find((element) => element.dataset.id === focus)?.focus();
}

// The rows that the last download from the web changed.
function downloadedRows() {
  if (!state.downloads?.summary) return [];
  const words = { new: translate("new"), changed: translate("changed"), gone: translate("gone") };
  const kinds = Object.keys(words).filter((kind) => state.downloads[kind]?.length);
  return [createElement("h2", { text: translate("Downloaded: {file}", { file: state.downloads.file }) }), createElement("dl", { class: "pulled" },
    ...kinds.flatMap((kind) => [createElement("dt", { text: words[kind] }), createElement("dd", { text: state.downloads[kind].slice(0, MAX_LISTED_ROWS).join(", ") + (state.downloads[kind].length > MAX_LISTED_ROWS ? ", …" : "") })]))];
}

export function clear() {
  filter.components.clear();
  filter.values.clear();
  filter.faulty = false;
  publish("filter");
}
