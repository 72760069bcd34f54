// The rules with their figures, as the build makes them: as a web page and, on demand, the pages of the booklet beside it.

import { chosen, choose, on, say, state } from "./store.js";
import { ask, turns } from "./server.js";
import { make } from "./dom.js";

export class RulesView {
  constructor() {
    this.frame = make("iframe", { class: "rules", title: say("The rules"), sandbox: "allow-same-origin" });
    this.said = make("div", { class: "said", role: "status" });
    this.button = make("button", { class: "pill", text: say("Booklet pages"), "aria-pressed": "false", onclick: () => { choose({ booklet: !chosen.booklet }); this.pages(); } });
    this.book = make("div", { class: "book", role: "group", "aria-label": say("Booklet pages"), tabindex: "0", hidden: true });
    this.root = make("div", { class: "whole" }, make("div", { class: "choice", role: "toolbar", "aria-label": say("Display options") }, this.button), this.said,
      make("div", { class: "beside" }, this.frame, this.book));
    this.asks = turns();
  }

  open(place) {
    place.replaceChildren(this.root);
    this.off = on("cards", () => this.later());
    this.load();
  }

  close() { this.off(); }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 150);
  }

  async load() {
    this.root.classList.add("busy");
    const answer = await fetch("rules");
    const text = await answer.text();
    this.root.classList.remove("busy");
    const failed = answer.headers.get("Content-Type") === "application/json";
    this.button.disabled = failed;
    if (failed) return this.said.replaceChildren(make("pre", { text: JSON.parse(text).error }));
    this.said.replaceChildren();
    if (text === this.text) return this.pages();
    this.text = text;
    const top = this.frame.contentWindow?.scrollY ?? 0;
    this.frame.onload = () => this.frame.contentWindow?.scrollTo(0, top);
    this.frame.src = `rules?${Date.now()}`;
    return this.pages();
  }

  // They are set anew for each state of the pack, and only while they are wanted: that takes a moment.
  async pages() {
    const wanted = Boolean(chosen.booklet);
    this.button.setAttribute("aria-pressed", String(wanted));
    this.book.hidden = !wanted;
    if (!wanted || this.set === state.number) return;
    const counts = this.asks(), number = state.number;
    if (!this.book.children.length) this.book.replaceChildren(make("p", { class: "where", text: say("Setting the booklet …") }));
    try {
      const told = await ask("booklet");
      if (!counts()) return;
      this.set = number;
      const top = this.book.scrollTop;
      this.book.replaceChildren(...Array.from({ length: told.pages }, (_, nth) => make("img", { src: `booklet/${nth + 1}.png?${number}`, alt: say("Page {number}", { number: nth + 1 }) })));
      this.book.scrollTop = top;
    } catch (error) {
      if (counts()) this.book.replaceChildren(make("pre", { class: "mistake", text: error.message }));
    }
  }
}
