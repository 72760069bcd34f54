// Helpers that create elements. They never parse markup, so that no text of a pack can become an element.

import { translate } from "./store.js";

export function createElement(tag, attributes = {}, ...children) {
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

export function createSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Replace the children of an element. The focus stays on the child at the same position among those that can have it.
export function replaceKeepingFocus(place, ...children) {
  const reachable = () => [...place.querySelectorAll("a, button, input, select")];
  const at = reachable().indexOf(document.activeElement);
  place.replaceChildren(...children);
  reachable()[at]?.focus({ preventScroll: true });
}

export function formatCount(number, word) {
  return `${number} ${translate(number === 1 ? word : `${word}s`)}`;
}

// Translate a sentence of the build report, such as "56 pieces on 2 sheets, both sides".
export function translateReport(sentence) {
  const counts = [];
  const counted = /(\d+) (piece|sheet|page)s?\b/g;
  const text = sentence.replace(counted, (_, number, word) => {
    counts.push(formatCount(Number(number), word));
    return `{${counts.length - 1}}`;
  });
  return translate(text, counts);
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
  const close = createElement("button", { class: "quiet close", "aria-label": translate("Close"), text: "✕", onclick: () => place.close() });
  place.replaceChildren(createElement("header", {}, createElement("h2", { text: title }), close), ...content);
  place.showModal();
  return place;
}

// Call `onMove` for each move of a pointer pressed on an element, and `onEnd` when it is released.
export function trackPointer(element, event, onMove, onEnd = () => {}) {
  element.setPointerCapture(event.pointerId);
  element.addEventListener("pointermove", onMove);
  const end = () => {
    element.removeEventListener("pointermove", onMove);
    for (const kind of ["pointerup", "pointercancel"]) element.removeEventListener(kind, end);
    onEnd();
  };
  for (const kind of ["pointerup", "pointercancel"]) element.addEventListener(kind, end);
}
