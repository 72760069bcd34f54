// Small helpers for making elements. Texts are always texts: nothing here reads markup.

import { say } from "./store.js";

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "value" || (name in element && typeof value !== "string")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Other children in a place; what has the focus there keeps it, by its number among all that can have it.
export function renew(place, ...children) {
  const reachable = () => [...place.querySelectorAll("a, button, input, select")];
  const at = reachable().indexOf(document.activeElement);
  place.replaceChildren(...children);
  reachable()[at]?.focus({ preventScroll: true });
}

export function count(number, word) {
  return `${number} ${say(number === 1 ? word : `${word}s`)}`;
}

// A sentence that pnp reports of a file, such as "56 pieces on 2 sheets, both sides", in the page's language.
export function sayReport(sentence) {
  const counts = [];
  const counted = /(\d+) (piece|sheet|page)s?\b/g;
  const text = sentence.replace(counted, (_, number, word) => `{${counts.push(count(Number(number), word)) - 1}}`);
  return say(text, counts);
}

let timer = 0;

export function toast(text, bad = false) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.className = bad ? "shown bad" : "shown";
  clearTimeout(timer);
  timer = setTimeout(() => { place.className = ""; }, bad ? 7000 : 2600);
}

export function dialog(title, ...content) {
  const place = document.getElementById("dialog");
  const close = make("button", { class: "quiet close", "aria-label": say("Close"), text: "✕", onclick: () => place.close() });
  place.replaceChildren(make("header", {}, make("h2", { text: title }), close), ...content);
  place.showModal();
  return place;
}

// What a pointer does that was pressed on an element, until it lets go.
export function follow(element, event, moved, ended = () => {}) {
  element.setPointerCapture(event.pointerId);
  element.addEventListener("pointermove", moved);
  const end = () => {
    element.removeEventListener("pointermove", moved);
    for (const kind of ["pointerup", "pointercancel"]) element.removeEventListener(kind, end);
    ended();
  };
  for (const kind of ["pointerup", "pointercancel"]) element.addEventListener(kind, end);
}
