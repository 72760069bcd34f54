// The frame of the page: which view is shown, the bar above it, keys, and what is wrong with the whole pack.

import { alone, chosen, choose, go, on, say, state } from "./store.js";
import { ask, listen, order } from "./server.js";
import { make, dialog, toast } from "./dom.js";
import * as filters from "./filters.js";
import { CardsView } from "./cards.js";
import { CardView } from "./card.js";
import { SheetsView } from "./sheets.js";
import { RulesView } from "./rules.js";
import { ChangesView } from "./changes.js";
import { TableView } from "./table.js";
import { undo } from "./inspector.js";
import { calibrate } from "./ruler.js";
import * as build from "./build.js";
import * as paper from "./paper.js";
import * as players from "./players.js";

// Every view: its name in the address, what it is called, who shows it; some are nothing where nobody serves the page.
const ALL = {
  cards: { title: say("Cards"), made: new CardsView(), filters: true },
  card: { made: new CardView(), above: "cards" },
  sheets: { title: say("Sheets"), made: new SheetsView(), served: true },
  rules: { title: say("Rules"), made: new RulesView(), served: true },
  table: { title: say("Table"), made: new TableView() },
  changes: { title: say("Changes"), made: new ChangesView(), served: true },
};
const VIEWS = Object.fromEntries(Object.entries(ALL).filter(([, view]) => !(alone && view.served)));

for (const each of document.querySelectorAll("[data-say]"))
  for (const name of each.dataset.say.split(" ")) {
    if (name === "text") each.textContent = say(each.textContent);
    else each.setAttribute(name, say(each.getAttribute(name)));
  }

const main = document.getElementById("main"), side = document.getElementById("side");
const tabs = document.getElementById("tabs"), over = document.getElementById("over");
const search = document.getElementById("search"), zoom = document.getElementById("zoom"), real = document.getElementById("real");
const MOST_MISTAKES = 30;
let now = null, arrived = null;

// What an address says; one that somebody has mistyped says itself.
function plain(word) {
  try { return decodeURIComponent(word); } catch { return word; }
}

function leave() {
  if (now) VIEWS[now].made.close();
  now = null;
}

function arrive() {
  if (arrived === location.hash) return;
  arrived = location.hash;
  const [name, ...rest] = location.hash.slice(1).split("/").map(plain);
  // Players see all faces of a page that nobody serves; the views are the data behind it.
  const players = Boolean(alone) && !VIEWS[name];
  document.body.classList.toggle("players", players);
  if (players) return leave();
  const view = VIEWS[name] ? name : "cards";
  if (now === view && VIEWS[view].made.turn) return VIEWS[view].made.turn(...rest);
  if (now) VIEWS[now].made.close();
  now = view;
  document.body.dataset.view = view;
  side.hidden = !VIEWS[view].filters;
  VIEWS[view].made.open(main, ...rest);
  for (const tab of tabs.children) tab.toggleAttribute("aria-current", tab.dataset.view === (VIEWS[view].above ?? view));
}

for (const [name, view] of Object.entries(VIEWS).filter(([, each]) => each.title))
  tabs.append(make("a", { href: `#${name}`, "data-view": name, text: view.title }));

// Variants and languages, where the pack has several.
async function forms() {
  const told = await ask("forms").catch(() => null);
  const place = document.getElementById("forms");
  if (!told) return place.replaceChildren();
  const choice = (name, words, values, now) => (values.length < 2 ? null : make("select", { class: "pill", "aria-label": words,
    onchange: (event) => order("form", { variant: told.variant, language: told.language, [name]: event.target.value }).then(forms, (error) => toast(error.message, true)) },
    ...values.map((value) => make("option", { value, text: value || say("default"), selected: value === now }))));
  place.replaceChildren(...[choice("variant", say("Variant"), told.variants, told.variant), choice("language", say("Language"), told.languages, told.language)].filter(Boolean));
}

function head() {
  const { game } = state;
  if (!game) return;
  document.title = alone ? `${game.name} ${game.edition}` : `${game.name} – live`;
  document.getElementById("title").textContent = game.name;
  const languages = new Intl.DisplayNames([document.documentElement.lang], { type: "language", fallback: "code", languageDisplay: "standard" });
  const words = [say("version {number}", { number: game.edition }), languages.of(game.language), game.variant].filter(Boolean);
  document.getElementById("edition").textContent = words.join(" · ");
}

// A mistake with its place in bold: `game.yaml:7`.
function mistake({ file, line, text }) {
  const place = file && text.startsWith(file) ? text.slice(0, file.length + `:${line}`.length) : "";
  return make("pre", {}, make("b", { text: place }), text.slice(place.length));
}

// Before the pack could be read once there is nothing else to see, so the message takes the whole page.
function wrong() {
  const { length } = state.problems;
  const unread = length > 0 && !state.game;
  document.body.classList.toggle("unread", unread);
  over.hidden = !length;
  if (over.hidden) return;
  const left = length > MOST_MISTAKES ? make("p", { text: say("and {number} more", { number: length - MOST_MISTAKES }) }) : null;
  over.replaceChildren(...[
    make("h2", { text: length === 1 ? say("There is a mistake in the pack") : say("There are {number} mistakes in the pack", { number: length }) }),
    ...state.problems.slice(0, MOST_MISTAKES).map(mistake), left,
    make("p", { text: unread ? say("When pnp can read the pack, the cards appear here.") : say("The page shows the last good state. This message disappears when you fix the mistakes.") }),
    unread ? null : make("button", { class: "quiet", text: say("Dismiss"), onclick: () => { over.hidden = true; } }),
  ].filter(Boolean));
}

function pulse() {
  const place = document.getElementById("pulse");
  place.hidden = Boolean(alone);
  place.className = state.connected ? "live" : "lost";
  place.lastElementChild.textContent = state.connected ? say("live") : say("not connected");
}

// What came from a sheet elsewhere: said, and the cards of it are marked.
function pulled(came) {
  if (came?.error) return toast(came.error, true);
  if (came?.said) toast(say("Downloaded {what}", { what: came.said }));
}

function sizes() {
  zoom.value = chosen.zoom;
  real.textContent = `${chosen.zoom} %`;
}

zoom.addEventListener("input", () => choose({ zoom: Number(zoom.value) }));
real.addEventListener("click", () => (chosen.zoom === 100 ? calibrate() : choose({ zoom: 100 })));
document.getElementById("help").addEventListener("click", help);
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
document.getElementById("filter").addEventListener("click", (event) => {
  const open = document.body.classList.toggle("filtering");
  event.target.setAttribute("aria-expanded", String(open));
});

const KEYS = [
  ["/", say("search"), () => search.focus()],
  [`1 – ${tabs.children.length}`, [...tabs.children].map((tab) => tab.textContent.toLowerCase()).join(", "), null],
  ["← ↑ → ↓", say("move between cards"), null],
  ["Enter", say("open a card"), null],
  ["Esc", say("back to all cards"), () => (document.activeElement === search ? search.blur() : go("cards"))],
  ["f", say("turn over"), null],
  ["+", say("larger"), () => choose({ zoom: Math.min(300, chosen.zoom + 10) })],
  ["-", say("smaller"), () => choose({ zoom: Math.max(20, chosen.zoom - 10) })],
  ["0", say("actual size"), () => choose({ zoom: 100 })],
  ["r", say("calibrate the screen"), () => calibrate()],
  ["?", say("show this list"), () => help()],
];

function help() {
  const list = make("dl", { class: "keys" });
  for (const [key, what] of [...KEYS, ...(VIEWS[now].made.keys ?? [])]) list.append(make("dt", { text: key }), make("dd", { text: what }));
  dialog(say("Keys"), list);
}

function key(event) {
  if (!now) return;
  const typing = event.target.closest?.("input:not([type=range], [type=color]), textarea, select, [contenteditable=true]");
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing) { event.preventDefault(); return undo(); }
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("dialog").open) return;
  if (typing && event.key !== "Escape") return;
  if (VIEWS[now].made.pressed?.(event)) return event.preventDefault();
  const shown = [...tabs.children][Number(event.key) - 1];
  const row = KEYS.find(([key]) => key === (event.key === "Escape" ? "Esc" : event.key));
  if (shown && event.key !== "0") { event.preventDefault(); go(shown.dataset.view); }
  else if (row?.[2]) { event.preventDefault(); row[2](); }
}

// The next key is for the view to which this one leads.
addEventListener("keydown", (event) => { key(event); arrive(); });

on("game", head);
on("game", forms);
on("problems", wrong);
on("connected", pulse);
on("pulled", pulled);
on("chosen", sizes);
filters.begin(side, search);
build.begin(document.querySelector(".tools"));
if (alone) { paper.begin(); players.begin(); }
addEventListener("hashchange", arrive);
sizes();
pulse();
listen();
arrive();
