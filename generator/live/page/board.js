// The places of a board: where a tile snaps to, and what the server says of it lying there.

import { state } from "./store.js";
import { ask, order } from "./server.js";
import { sizeOf } from "./piece.js";

const FIRST = 10, ORIGIN = [FIRST, FIRST];

export const componentOf = (one) => state.components.get(state.cards.get(one.name).component);

export function sideOf(one) {
  const { sides } = state.cards.get(one.name);
  return sides[(one.side ?? 0) % sides.length];
}

export class Board {
  constructor() {
    this.snaps = false;
    this.rules = null;
  }

  async learn() { this.rules = await ask("board").catch(() => null); }

  // Whether a piece may lie there beside the others, what is wrong if not, and the scores; without a piece the scores.
  judged(others, piece = null) {
    const board = others.filter((one) => one.cell).map((one) => this.told(one));
    return order("lay", { board, ...(piece ? { piece: this.told(piece) } : {}) });
  }

  isTile(one) {
    return this.snaps && this.rules?.tiles.includes(state.cards.get(one.name)?.component);
  }

  unit(one) { return componentOf(one).size[1]; }

  centre(column, row, unit) {
    const { pitch, shift, by } = this.rules;
    const odd = { column, row, both: column + row }[by] % 2;
    return [(column * pitch[0] + (odd ? shift[0] : 0)) * unit, (row * pitch[1] + (odd ? shift[1] : 0)) * unit];
  }

  // The place of the board whose middle is nearest to that of the piece.
  nearest(one) {
    const unit = this.unit(one), [w, h] = sizeOf(componentOf(one), sideOf(one));
    const at = [one.x + w / 2, one.y + h / 2];
    const from = this.centre(...ORIGIN, unit);
    const guess = [Math.round(at[0] / unit / this.rules.pitch[0]), Math.round(at[1] / unit / this.rules.pitch[1])];
    let best = null;
    for (let column = guess[0] - 2 + FIRST - 1; column <= guess[0] + 2 + FIRST; column += 1)
      for (let row = guess[1] - 2 + FIRST - 1; row <= guess[1] + 2 + FIRST; row += 1) {
        const [x, y] = this.centre(column, row, unit);
        const place = [x - from[0] + unit / 2 + 4, y - from[1] + unit / 2 + 4];
        const far = Math.hypot(place[0] - at[0], place[1] - at[1]);
        if (!best || far < best.far) best = { far, column, row, x: place[0] - w / 2, y: place[1] - h / 2 };
      }
    return best;
  }

  told(one) {
    const card = state.cards.get(one.name);
    return { component: card.component, id: card.id, column: one.cell[0], row: one.cell[1], turn: one.turn, side: sideOf(one).name === "back" ? "back" : "front" };
  }
}
