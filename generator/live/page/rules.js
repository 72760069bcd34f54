// The rules as the build makes them: the web page and, on demand, the pages of the booklet beside it.

import { settings, saveSettings, subscribe, translate, state } from "./store.js";
import { getJson, latestOnly } from "./server.js";
import { createElement } from "./dom.js";

// Return the text of a page, or the error that the server reports instead; without a server, that of the browser.
async function fetchPage(path) {
  try {
    const response = await fetch(path);
    const text = await response.text();
    return response.headers.get("Content-Type") === "application/json" ? { error: JSON.parse(text).error } : { text };
  } catch (error) {
    return { error: error.message };
  }
}

export class RulesView {
  constructor() {
    this.frame = createElement("iframe", { class: "rules", title: translate("The rules"), sandbox: "allow-same-origin" });
    this.message = createElement("div", { class: "message", role: "status" });
    this.button = createElement("button", { class: "pill", text: translate("Booklet pages"), "aria-pressed": "false", onclick: () => { saveSettings({ booklet: !settings.booklet }); this.showBooklet(); } });
    this.book = createElement("div", { class: "book", role: "group", "aria-label": translate("Booklet pages"), tabindex: "0", hidden: true });
    this.root = createElement("div", { class: "whole" }, createElement("div", { class: "choice", role: "toolbar", "aria-label": translate("Display options") }, this.button), this.message,
      createElement("div", { class: "beside" }, this.frame, this.book));
    this.startLoad = latestOnly();
  }

  open(place) {
    place.replaceChildren(this.root);
    this.unsubscribe = subscribe("cards", () => this.scheduleLoad());
    this.load();
  }

  close() { this.unsubscribe(); }

  scheduleLoad() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 150);
  }

  async load() {
    this.root.classList.add("busy");
    const { text, error } = await fetchPage("rules");
    this.root.classList.remove("busy");
    this.button.disabled = Boolean(error);
    if (error) return this.message.replaceChildren(createElement("pre", { text: error }));
    this.message.replaceChildren();
    if (text === this.text) return this.showBooklet();
    this.text = text;
    const top = this.frame.contentWindow?.scrollY ?? 0;
    this.frame.onload = () => this.frame.contentWindow?.scrollTo(0, top);
    this.frame.src = `rules?${Date.now()}`;
    return this.showBooklet();
  }

  // Typeset the booklet only while it is visible, once for each state of the pack, because that takes a moment.
  async showBooklet() {
    const isVisible = Boolean(settings.booklet);
    this.button.setAttribute("aria-pressed", String(isVisible));
    this.book.hidden = !isVisible;
    if (!isVisible || this.shownState === state.number) return;
    const isLatest = this.startLoad(), number = state.number;
    if (!this.book.children.length) this.book.replaceChildren(createElement("p", { class: "where", text: translate("Typesetting the booklet …") }));
    try {
      const response = await getJson("booklet");
      if (!isLatest()) return;
      this.shownState = number;
      const top = this.book.scrollTop;
      this.book.replaceChildren(...Array.from({ length: response.pages }, (_, index) => createElement("img", { src: `booklet/${index + 1}.png?${number}`, alt: translate("Page {number}", { number: index + 1 }) })));
      this.book.scrollTop = top;
    } catch (error) {
      if (isLatest()) this.book.replaceChildren(createElement("pre", { class: "mistake", text: error.message }));
    }
  }
}
