// A card's row, to read, beside the card: the counterpart of the inspector in a page without a server.

import { createElement } from "./dom.js";
import { translate, state } from "./store.js";

export class Facts {
  constructor() {
    this.keys = [];
    this.root = createElement("aside", { class: "inspector", "aria-label": translate("About this card") });
  }

  close() {}

  show(card) {
    const rows = Object.entries(card.row).filter(([column, value]) => value && !["id", "title", "count"].includes(column));
    this.root.replaceChildren(
      createElement("h2", { text: card.title, lang: state.game.language }), createElement("p", { class: "where", text: `${card.name} · ×${card.count}` }),
      createElement("dl", { class: "facts", lang: state.game.language }, ...rows.flatMap(([column, value]) => [createElement("dt", { text: column }), createElement("dd", { text: value })])),
    );
  }

  boxes() { return []; }

  handleKey() { return false; }
}
