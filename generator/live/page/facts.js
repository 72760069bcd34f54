// What stands in a card's row, to read: beside the card where nobody serves the page.

import { make } from "./dom.js";
import { say, state } from "./store.js";

export class Facts {
  constructor() {
    this.keys = [];
    this.root = make("aside", { class: "inspector", "aria-label": say("About this card") });
  }

  close() {}

  show(card) {
    const rows = Object.entries(card.row).filter(([column, value]) => value && !["id", "title", "count"].includes(column));
    this.root.replaceChildren(
      make("h2", { text: card.title, lang: state.game.language }), make("p", { class: "where", text: `${card.name} · ×${card.count}` }),
      make("dl", { class: "facts", lang: state.game.language }, ...rows.flatMap(([column, value]) => [make("dt", { text: column }), make("dd", { text: value })])),
    );
  }

  boxes() { return []; }

  pressed() { return false; }
}
