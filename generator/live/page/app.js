// The frame of the page: the current view, the bar above it, keys, and mistakes that concern the whole pack.

import { staticState, settings, saveSettings, go, subscribe, translate, state } from "./store.js";
import { getJson, listen, postJson } from "./server.js";
import { createElement, dialog, toast } from "./dom.js";
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

// All views by their names in the address. `tab` names the tab of a view that has none of its own. A page without a
// server, such as a gallery, has no views that need one.
const ALL_VIEWS = {
  cards: { title: translate("Cards"), view: new CardsView(), filters: true },
  card: { view: new CardView(), tab: "cards" },
  sheets: { title: translate("Sheets"), view: new SheetsView(), needsServer: true },
  rules: { title: translate("Rules"), view: new RulesView(), needsServer: true },
  table: { title: translate("Table"), view: new TableView() },
  changes: { title: translate("Changes"), view: new ChangesView(), needsServer: true },
};
const VIEWS = Object.fromEntries(Object.entries(ALL_VIEWS).filter(([, view]) => !(staticState && view.needsServer)));

for (const element of document.querySelectorAll("[data-translate]"))
  for (const name of element.dataset.translate.split(" ")) {
    if (name === "text") element.textContent = translate(element.textContent);
    else element.setAttribute(name, translate(element.getAttribute(name)));
  }

const main = document.getElementById("main"), sidebar = document.getElementById("side");
const tabs = document.getElementById("tabs"), mistakePanel = document.getElementById("mistakes");
const search = document.getElementById("search"), zoom = document.getElementById("zoom"), actualSizeButton = document.getElementById("actual-size");
const MAX_LISTED_MISTAKES = 30;
let currentView = null, shownHash = null;

// Decode a part of the address; return a malformed one unchanged.
function decode(word) {
  try { return decodeURIComponent(word); } catch { return word; }
}

function closeView() {
  if (currentView) VIEWS[currentView].view.close();
  currentView = null;
}

function showAddressedView() {
  if (shownHash === location.hash) return;
  shownHash = location.hash;
  const [name, ...rest] = location.hash.slice(1).split("/").map(decode);
  // A gallery opens as a page of faces for players; the views are the data behind it.
  const players = Boolean(staticState) && !VIEWS[name];
  document.body.classList.toggle("players", players);
  if (players) return closeView();
  const next = VIEWS[name] ? name : "cards";
  const { view, tab, filters: hasFilters } = VIEWS[next];
  if (currentView === next && view.navigate) return view.navigate(...rest);
  if (currentView) VIEWS[currentView].view.close();
  currentView = next;
  document.body.dataset.view = next;
  sidebar.hidden = !hasFilters;
  view.open(main, ...rest);
  for (const link of tabs.children) link.toggleAttribute("aria-current", link.dataset.view === (tab ?? next));
}

for (const [name, view] of Object.entries(VIEWS).filter(([, item]) => item.title))
  tabs.append(createElement("a", { href: `#${name}`, "data-view": name, text: view.title }));

// Menus of the variants and languages, if the pack has several.
async function showForms() {
  const response = await getJson("forms").catch(() => null);
  const place = document.getElementById("forms");
  if (!response) return place.replaceChildren();
  const menu = (name, label, values, current) => (values.length < 2 ? null : createElement("select", { class: "pill", "aria-label": label,
    onchange: (event) => postJson("form", { variant: response.variant, language: response.language, [name]: event.target.value }).then(showForms, (error) => toast(error.message, true)) },
    ...values.map((value) => createElement("option", { value, text: value || translate("default"), selected: value === current }))));
  place.replaceChildren(...[menu("variant", translate("Variant"), response.variants, response.variant), menu("language", translate("Language"), response.languages, response.language)].filter(Boolean));
}

function showTitle() {
  const { game } = state;
  if (!game) return;
  document.title = staticState ? `${game.name} ${game.edition}` : `${game.name} – live`;
  document.getElementById("title").textContent = game.name;
  const languages = new Intl.DisplayNames([document.documentElement.lang], { type: "language", fallback: "code", languageDisplay: "standard" });
  const labels = [translate("version {number}", { number: game.edition }), languages.of(game.language), game.variant].filter(Boolean);
  document.getElementById("edition").textContent = labels.join(" · ");
}

// A mistake with its place in bold: `game.yaml:7`.
function mistakeElement({ file, line, text }) {
  const place = file && text.startsWith(file) ? text.slice(0, file.length + `:${line}`.length) : "";
  return createElement("pre", {}, createElement("b", { text: place }), text.slice(place.length));
}

// Until the pack has been read once, there is nothing else to show, so the message takes the whole page.
function showMistakes() {
  const { length } = state.problems;
  const isUnread = length > 0 && !state.game;
  document.body.classList.toggle("unread", isUnread);
  mistakePanel.hidden = !length;
  if (mistakePanel.hidden) return;
  const more = length > MAX_LISTED_MISTAKES ? createElement("p", { text: translate("and {number} more", { number: length - MAX_LISTED_MISTAKES }) }) : null;
  mistakePanel.replaceChildren(...[
    createElement("h2", { text: length === 1 ? translate("There is a mistake in the pack") : translate("There are {number} mistakes in the pack", { number: length }) }),
    ...state.problems.slice(0, MAX_LISTED_MISTAKES).map(mistakeElement), more,
    createElement("p", { text: isUnread ? translate("When pnp can read the pack, the cards appear here.") : translate("The page shows the last good state. This message disappears when you fix the mistakes.") }),
    isUnread ? null : createElement("button", { class: "quiet", text: translate("Dismiss"), onclick: () => { mistakePanel.hidden = true; } }),
  ].filter(Boolean));
}

function showConnection() {
  const place = document.getElementById("connection");
  place.hidden = Boolean(staticState);
  place.className = state.connected ? "live" : "lost";
  place.lastElementChild.textContent = state.connected ? translate("live") : translate("not connected");
}

// Report a table downloaded from the web; the cards view marks the cards that it changed.
function reportDownload(download) {
  if (download?.error) return toast(download.error, true);
  if (download?.summary) toast(translate("Downloaded {what}", { what: download.summary }));
}

function showZoom() {
  zoom.value = settings.zoom;
  actualSizeButton.textContent = `${settings.zoom} %`;
}

zoom.addEventListener("input", () => saveSettings({ zoom: Number(zoom.value) }));
actualSizeButton.addEventListener("click", () => (settings.zoom === 100 ? calibrate() : saveSettings({ zoom: 100 })));
document.getElementById("help").addEventListener("click", help);
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
document.getElementById("filter").addEventListener("click", (event) => {
  const open = document.body.classList.toggle("filtering");
  event.target.setAttribute("aria-expanded", String(open));
});

const KEYS = [
  ["/", translate("search"), () => search.focus()],
  [`1 – ${tabs.children.length}`, [...tabs.children].map((tab) => tab.textContent.toLowerCase()).join(", "), null],
  ["← ↑ → ↓", translate("move between cards"), null],
  ["Enter", translate("open a card"), null],
  ["Esc", translate("back to all cards"), () => (document.activeElement === search ? search.blur() : go("cards"))],
  ["f", translate("turn over"), null],
  ["+", translate("larger"), () => saveSettings({ zoom: Math.min(300, settings.zoom + 10) })],
  ["-", translate("smaller"), () => saveSettings({ zoom: Math.max(20, settings.zoom - 10) })],
  ["0", translate("actual size"), () => saveSettings({ zoom: 100 })],
  ["r", translate("calibrate the screen"), () => calibrate()],
  ["?", translate("show this list"), () => help()],
];

function help() {
  const list = createElement("dl", { class: "keys" });
  for (const [key, effect] of [...KEYS, ...(VIEWS[currentView].view.keys ?? [])]) list.append(createElement("dt", { text: key }), createElement("dd", { text: effect }));
  dialog(translate("Keys"), list);
}

function handleKey(event) {
  if (!currentView) return;
  const isTyping = event.target.closest?.("input:not([type=range], [type=color]), textarea, select, [contenteditable=true]");
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !isTyping) { event.preventDefault(); return undo(); }
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("dialog").open) return;
  if (isTyping && event.key !== "Escape") return;
  if (VIEWS[currentView].view.handleKey?.(event)) return event.preventDefault();
  const tab = [...tabs.children][Number(event.key) - 1];
  const row = KEYS.find(([key]) => key === (event.key === "Escape" ? "Esc" : event.key));
  if (tab && event.key !== "0") { event.preventDefault(); go(tab.dataset.view); }
  else if (row?.[2]) { event.preventDefault(); row[2](); }
}

// `hashchange` fires later: switch now, so that the next key already reaches the new view.
addEventListener("keydown", (event) => { handleKey(event); showAddressedView(); });

subscribe("game", showTitle);
subscribe("game", showForms);
subscribe("problems", showMistakes);
subscribe("connected", showConnection);
subscribe("downloads", reportDownload);
subscribe("settings", showZoom);
filters.begin(sidebar, search);
build.begin(document.querySelector(".tools"));
if (staticState) { paper.begin(); players.begin(); }
addEventListener("hashchange", showAddressedView);
showZoom();
showConnection();
listen();
showAddressedView();
