// What the page knows: one state, told by the server and kept up to date by its news.

// Where nobody serves the page, all that it shows stands in it.
const held = document.getElementById("state");
export const alone = held ? JSON.parse(held.textContent) : null;

// A picture of such a page, for a place in it: each is a symbol of the page.
export function pictureOf(key) {
  const symbol = document.getElementById(`face-${key}`), picture = document.createElementNS(symbol.namespaceURI, "svg");
  picture.setAttribute("viewBox", symbol.getAttribute("viewBox"));
  picture.append(document.createElementNS(symbol.namespaceURI, "use"));
  picture.firstChild.setAttribute("href", `#${symbol.id}`);
  picture.setAttribute("role", "img");
  return picture;
}

// A text of the page itself in its language, with its blanks filled: a page that nobody serves speaks the language of the
// game, a served one that of the person who writes it.
const words = alone?.words ?? JSON.parse(document.getElementById("words").textContent);

export function say(text, values = {}) {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (blank, name) => values[name] ?? blank);
}

const listeners = new Map();

export const state = {
  number: 0, game: null, components: new Map(), cards: new Map(), order: [], problems: [], notes: [],
  connected: false,
};

export function on(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(listener);
  return () => listeners.get(topic).delete(listener);
}

export function tell(topic, value) {
  for (const listener of [...(listeners.get(topic) ?? [])]) listener(value);
}

export function take(told) {
  state.number = told.number;
  state.game = told.game;
  state.components = new Map(told.components.map((each) => [each.id, each]));
  state.cards = new Map(told.cards.map((each) => [each.name, each]));
  state.order = told.cards.map((each) => each.name);
  state.problems = told.problems;
  state.notes = told.notes;
  state.pulled = told.pulled;
  tell("game");
  tell("problems");
  tell("cards", { changed: new Set(state.order), order: true });
}

export function merge(news) {
  state.number = news.number;
  if (news.components) state.components = new Map(news.components.map((each) => [each.id, each]));
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
    tell("game");
  }
  tell("problems");
  if (news.pulled) { state.pulled = news.pulled; tell("pulled", news.pulled); }
  if (changed.size || news.gone.length || news.order || news.components)
    tell("cards", { changed, order: Boolean(news.order || news.gone.length || news.components) });
}

// Show another view; the address names it.
export function go(view, ...rest) {
  location.hash = [view, ...rest.map(encodeURIComponent)].join("/");
}

const KEY = "pnp-live";
const saved = (() => { try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; } })();

// What the person chose, kept for the next time.
export const chosen = { zoom: 60, dot: 96 / 25.4, aside: true, ...saved };

export function choose(values) {
  Object.assign(chosen, values);
  try { localStorage.setItem(KEY, JSON.stringify(chosen)); } catch { /* a private window keeps nothing */ }
  tell("chosen", values);
}

// A pile in an order that nobody knows.
export function mix(pile) {
  for (let nth = pile.length - 1; nth > 0; nth -= 1) {
    const other = Math.floor(Math.random() * (nth + 1));
    [pile[nth], pile[other]] = [pile[other], pile[nth]];
  }
}
