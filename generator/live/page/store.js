// The state of the page: loaded from the server, and updated by its news.

// A page without a server, such as a gallery, contains its whole state.
const stateElement = document.getElementById("state");
export const staticState = stateElement ? JSON.parse(stateElement.textContent) : null;

// Return an SVG element that shows a picture of a page without a server, which stands in it as a symbol.
export function embeddedPicture(key) {
  const symbol = document.getElementById(`face-${key}`), picture = document.createElementNS(symbol.namespaceURI, "svg");
  picture.setAttribute("viewBox", symbol.getAttribute("viewBox"));
  picture.append(document.createElementNS(symbol.namespaceURI, "use"));
  picture.firstChild.setAttribute("href", `#${symbol.id}`);
  picture.setAttribute("role", "img");
  return picture;
}

// The texts of the page by their English originals. A page without a server is in the language of the game, a served one
// in that of the browser.
const words = staticState?.words ?? JSON.parse(document.getElementById("words").textContent);

// Return a text in the language of the page, with the values of its names in {braces}.
export function translate(text, values = {}) {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
}

const listeners = new Map();

export const state = {
  number: 0, game: null, components: new Map(), cards: new Map(), order: [], problems: [], notes: [],
  connected: false,
};

export function subscribe(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(listener);
  return () => listeners.get(topic).delete(listener);
}

export function publish(topic, value) {
  for (const listener of [...(listeners.get(topic) ?? [])]) listener(value);
}

export function replaceState(newState) {
  state.number = newState.number;
  state.game = newState.game;
  state.components = new Map(newState.components.map((component) => [component.id, component]));
  state.cards = new Map(newState.cards.map((card) => [card.name, card]));
  state.order = newState.cards.map((card) => card.name);
  state.problems = newState.problems;
  state.notes = newState.notes;
  state.downloads = newState.downloads;
  publish("game");
  publish("problems");
  publish("cards", { changed: new Set(state.order), order: true });
}

export function applyNews(news) {
  state.number = news.number;
  if (news.components) state.components = new Map(news.components.map((component) => [component.id, component]));
  const changed = new Set();
  for (const card of news.cards) {
    if (!state.cards.has(card.name)) state.order.push(card.name);
    state.cards.set(card.name, card);
    changed.add(card.name);
  }
  for (const name of news.gone) state.cards.delete(name);
  if (news.order) state.order = news.order;
  else if (news.gone.length) state.order = state.order.filter((name) => state.cards.has(name));
  state.problems = news.problems;
  if (news.game) {
    state.game = news.game;
    state.notes = news.notes;
    publish("game");
  }
  publish("problems");
  if (news.downloads) { state.downloads = news.downloads; publish("downloads", news.downloads); }
  if (changed.size || news.gone.length || news.order || news.components)
    publish("cards", { changed, order: Boolean(news.order || news.gone.length || news.components) });
}

// Show another view; the address names it.
export function go(view, ...rest) {
  location.hash = [view, ...rest.map(encodeURIComponent)].join("/");
}

const KEY = "pnp-live";
const saved = (() => { try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; } })();

// The user's settings, stored in the browser. `zoom` is in per cent, `dot` in pixels of the screen per millimetre.
export const settings = { zoom: 60, dot: 96 / 25.4, aside: true, ...saved };

export function saveSettings(values) {
  Object.assign(settings, values);
  try { localStorage.setItem(KEY, JSON.stringify(settings)); } catch { /* private windows may store nothing */ }
  publish("settings", values);
}

// Shuffle a pile (Fisher and Yates).
export function shuffleInPlace(pile) {
  for (let index = pile.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [pile[index], pile[other]] = [pile[other], pile[index]];
  }
}
