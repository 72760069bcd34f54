// The places of a board: where a tile snaps to, and whether it may lie there by the pack's rules.

import { state } from "./store.js";
import { getJson, postJson } from "./server.js";
import { sizeOf } from "./piece.js";

// The column and row of the place in the top left corner of the table. Ten places fit to its left and above it.
const ORIGIN_INDEX = 10, ORIGIN = [ORIGIN_INDEX, ORIGIN_INDEX];
// Distance in mm of the first place from the edges of the table.
const TABLE_MARGIN_MM = 4;

export const componentOf = (piece) => state.components.get(state.cards.get(piece.name).component);

export function sideOf(piece) {
  const { sides } = state.cards.get(piece.name);
  return sides[(piece.side ?? 0) % sides.length];
}

export class Board {
  constructor() {
    this.snaps = false;
    this.rules = null;
  }

  async load() { this.rules = await getJson("board").catch(() => null); }

  // Ask the server whether `piece` may lie beside the others, and why not, and for the scores; without it, for the scores
  // alone.
  judge(others, piece = null) {
    const board = others.filter((other) => other.cell).map((other) => this.toJson(other));
    return postJson("judge", { board, ...(piece ? { piece: this.toJson(piece) } : {}) });
  }

  isTile(piece) {
    return this.snaps && this.rules?.tiles.includes(state.cards.get(piece.name)?.component);
  }

  unit(piece) { return componentOf(piece).size[1]; }

  centre(column, row, unit) {
    const { pitch, shift, parity } = this.rules;
    const odd = { column, row, both: column + row }[parity] % 2;
    return [(column * pitch[0] + (odd ? shift[0] : 0)) * unit, (row * pitch[1] + (odd ? shift[1] : 0)) * unit];
  }

  // Return the place of the board whose centre is nearest to that of a piece.
  nearest(piece) {
    const unit = this.unit(piece), [w, h] = sizeOf(componentOf(piece), sideOf(piece));
    const at = [piece.x + w / 2, piece.y + h / 2];
    const from = this.centre(...ORIGIN, unit);
    const guess = [Math.round(at[0] / unit / this.rules.pitch[0]), Math.round(at[1] / unit / this.rules.pitch[1])];
    let best = null;
    for (let column = guess[0] - 2 + ORIGIN_INDEX - 1; column <= guess[0] + 2 + ORIGIN_INDEX; column += 1)
      for (let row = guess[1] - 2 + ORIGIN_INDEX - 1; row <= guess[1] + 2 + ORIGIN_INDEX; row += 1) {
        const [x, y] = this.centre(column, row, unit);
        const place = [x - from[0] + unit / 2 + TABLE_MARGIN_MM, y - from[1] + unit / 2 + TABLE_MARGIN_MM];
        const distance = Math.hypot(place[0] - at[0], place[1] - at[1]);
        if (!best || distance < best.distance) best = { distance, column, row, x: place[0] - w / 2, y: place[1] - h / 2 };
      }
    return best;
  }

  toJson(piece) {
    const card = state.cards.get(piece.name);
    return { component: card.component, id: card.id, column: piece.cell[0], row: piece.cell[1], turn: piece.turn, side: sideOf(piece).name === "back" ? "back" : "front" };
  }
}
