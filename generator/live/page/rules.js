// The rules with their figures, as the build makes them.

import { on, say } from "./store.js";
import { make } from "./dom.js";

export class RulesView {
  constructor() {
    this.frame = make("iframe", { class: "rules", title: say("The rules"), sandbox: "allow-same-origin" });
    this.said = make("div", { class: "said", role: "status" });
    this.root = make("div", { class: "whole" }, this.said, this.frame);
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
    if (answer.headers.get("Content-Type") === "application/json") {
      this.said.replaceChildren(make("pre", { text: JSON.parse(text).error }));
      return;
    }
    this.said.replaceChildren();
    if (text === this.text) return;
    this.text = text;
    const top = this.frame.contentWindow?.scrollY ?? 0;
    this.frame.onload = () => this.frame.contentWindow?.scrollTo(0, top);
    this.frame.src = `rules?${Date.now()}`;
  }
}
