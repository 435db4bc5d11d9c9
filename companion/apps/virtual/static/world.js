// The table as the companion has it, kept from what it tells; nothing here is drawn.

import { Places } from "./places.js";

export class World {
  constructor(words) {
    this.words = words;
    this.pieces = new Map();
    this.you = { seat: null, hand: null, host: false, seats: [] };
    this.cheats = false;
    this.isThere = false;
  }

  // Takes over a whole snapshot.
  load(snapshot) {
    this.pieces = new Map(snapshot.pieces.map((piece) => [piece.id, piece]));
    this.you = snapshot.you || this.you;
    this.layout = snapshot.table.layout;
    this.mat = snapshot.table.mat;
    this.places = new Places(this.layout, this.words);
    this.hasBoard = Boolean(snapshot.board);
    this.hasIdol = Boolean(snapshot.idol);
    this.isThere = true;
  }

  change(pieces, gone) {
    for (const piece of pieces) this.pieces.set(piece.id, piece);
    for (const id of gone) this.pieces.delete(id);
  }

  get mayMove() {
    return this.isThere && (this.you.host || this.you.seat !== null);
  }

  get middle() {
    return { x: this.mat.width / 2, y: this.mat.height / 2 };
  }

  // What may be grasped: all that lies on the table, and of that only what lies on top.
  get onTable() {
    return [...this.pieces.values()].filter((piece) => !this.isInHand(piece));
  }

  get onTop() {
    return this.onTable.filter((piece) => piece.kind !== "tile" && !this.onTable.some((other) => other !== piece && lies(other, piece)));
  }

  isInHand(piece) {
    return piece.of !== null && piece.of !== undefined && piece.held === null;
  }

  get ownHand() {
    return [...this.pieces.values()].filter((piece) => this.isInHand(piece) && piece.of === this.you.seat);
  }

  // How high whatever lies at (x, y) mm is, without the piece *but*.
  height(x, y, but) {
    const under = this.onTable.filter((piece) => piece.id !== but && piece.held === null && covers(piece, x, y));
    return Math.max(this.ground(x, y), ...under.map((piece) => piece.z + piece.size[2]));
  }

  ground(x, y) {
    const { balance } = this.layout;
    if (balance && Math.max(Math.abs(x - balance.x), Math.abs(y - balance.y)) <= balance.size / 2) return balance.top_height;
    return this.layout.floor_z || 0;
  }

  // Whether other cards lie below a card.
  isPile(piece) {
    return this.onTable.some((other) => other.kind === piece.kind && other.z < piece.z && covers(other, piece.x, piece.y));
  }
}

const covers = ({ x, y, size }, atX, atY) => Math.abs(x - atX) < size[0] / 2 && Math.abs(y - atY) < size[1] / 2;

// Whether *upper* lies on *lower*, so that this cannot be taken.
const lies = (upper, lower) => upper.held === null && upper.z > lower.z + 0.05 && covers(lower, upper.x, upper.y);
