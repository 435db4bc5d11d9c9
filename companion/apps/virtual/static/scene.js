// The table as a snapshot describes it: pieces, board, idol, hands and room in one three.js scene.

import { Color, Group, Matrix4, Mesh, MeshBasicMaterial, Plane, Scene, Vector3 } from "./three/three.module.js";
import { Board } from "./board.js";
import { Changes } from "./changes.js";
import { Hands } from "./hands.js";
import { Idol } from "./idol.js";
import { Pieces, poseOf } from "./pieces.js";
import { CARD_MM, thin } from "./piles.js";
import { Room, ROOM } from "./room.js";

export { ROOM };
// What only the player's view shows, and the virtual camera never does, is on this layer.
export const VIEW_LAYER = 1;
const GLIDE_MS = 170, HELD_GLIDE_MS = 60, TIP_MS = 240;
const NEAR_MM = 1.5, RIM_MM = 2.2;
const MAT = { width: 420, height: 300, marker_ids: [0, 1, 2, 3], marker_mm: 40, tile_mm: 50 };

const ease = (share) => 1 - (1 - Math.min(1, Math.max(0, share))) ** 3;
const mix = (from, to, share) => from + (to - from) * share;
// From one angle to another by the shorter way.
const swing = (from, to, share) => from + ((((to - from) % 360) + 540) % 360 - 180) * share;

export class TableScene {
  constructor() {
    this.three = new Scene();
    this.three.background = new Color("#33261d");
    this.room = { ...ROOM };
    this.mat = MAT;
    this.decor = new Room(this.three);
    this.board = new Board(this.three);
    this.idol = new Idol(this.three);
    this.hands = new Hands(this.three);
    const group = new Group();
    this.three.add(group);
    this.pieces = new Pieces(group);
    this.placed = new Map();
    this.motions = new Map();
    this.tipped = { tilt: 0, towards: 0, fallen: false };
    this.reaching = new Map();
    this.changes = new Changes();
    this.viewVersion = 0;
    this.marks = { highlight: null, ghost: null };
    this.now = 0;
    this.fallingUntil = -1;
  }

  // Counts what has changed: whoever draws compares it with what was drawn last.
  get version() {
    return this.changes.version;
  }

  load(snapshot) {
    const { table, pieces = [], board = null, idol = null, hands = [], room = {} } = snapshot;
    this.mat = table.mat;
    this.layout = table.layout;
    this.board.load(table);
    this.idol.load(table.layout.idol);
    this.motions.clear();
    this.placed = new Map(pieces.map((piece) => [piece.id, { piece, pose: poseIn(piece), flip: 0 }]));
    this.reaching = new Map();
    this.highlight(null);
    this.ghost(null);
    this.setRoom(room);
    this.tipped = { tilt: 0, towards: 0, ...board };
    this.board.tip(this.tipped);
    if (idol) {
      this.idol.point(idol.angle || 0);
      this.idol.hold(idol.card);
    }
    this.setHands(hands);
    this.lay();
  }

  // Pieces that have changed or are new, ids of those that are gone, and the board and the idol.
  change(pieces = [], gone = [], { board = null, idol = null } = {}) {
    for (const id of gone) {
      this.placed.delete(id);
      this.motions.delete(id);
    }
    for (const piece of pieces) this.move(piece);
    if (board) this.tip(board);
    if (idol) {
      if (!this.motions.has("idol") && idol.angle !== undefined) this.idol.point(idol.angle);
      this.idol.hold(idol.card);
      this.changes.note(this.idol.corners());
    }
    this.lay();
  }

  move(piece) {
    const before = this.placed.get(piece.id), pose = poseIn(piece);
    if (!before) {
      this.placed.set(piece.id, { piece, pose, flip: 0 });
      return;
    }
    const from = before.pose, away = Math.hypot(pose.x - from.x, pose.y - from.y, pose.z - from.z);
    const held = isHeld(piece), falls = this.fallingUntil > this.now;
    const flips = (before.piece.up ?? true) !== (piece.up ?? true);
    if (away < NEAR_MM && !flips && Math.abs(pose.turn - from.turn) < 1) {
      this.placed.set(piece.id, { piece, pose, flip: 0 });
      this.motions.delete(piece.id);
      return;
    }
    const ms = falls ? this.fallingUntil - this.now : held ? HELD_GLIDE_MS : GLIDE_MS;
    const motion = { from, to: pose, began: this.now, ms, hop: held ? 0 : Math.min(18, away * 0.12), flips: flips && !falls, tumbles: falls };
    this.placed.set(piece.id, { piece, pose: from, flip: 0 });
    this.motions.set(piece.id, motion);
  }

  tip(board) {
    const next = { ...this.tipped, ...board };
    const ms = next.fallen && !this.tipped.fallen ? 420 : TIP_MS;
    if (next.tilt !== this.tipped.tilt || next.towards !== this.tipped.towards) {
      this.motions.set("board", { from: this.tipped, to: next, began: this.now, ms });
    }
    this.tipped = next;
  }

  // Arms over the table; what a hand holds hangs from it.
  setHands(hands) {
    this.reaching = new Map(hands.map((hand) => [hand.seat, hand]));
    const moved = this.hands.set(hands);
    if (!moved.length) return;
    this.changes.note(moved);
    if ([...this.placed.values()].some(({ piece }) => isHeld(piece))) this.lay();
  }

  // Where a piece is drawn: where it lies or glides to, or below the hand that holds it.
  poseOf({ piece, pose }) {
    const hand = isHeld(piece) ? this.reaching.get(piece.held) : null;
    if (!hand) return pose;
    const height = (piece.size && piece.size[2]) || 0;
    return { ...pose, x: hand.x, y: hand.y, z: Math.max(0, hand.z - Math.max(1, height / 2)) };
  }

  setRoom(room) {
    this.room = { ...ROOM, ...room };
    this.decor.set(this.room, this.mat);
    this.pieces.setRoom(this.room);
    this.changes.note(null);
    this.lay();
  }

  // Spin the idol by so many whole turns and on to an angle; it slows down.
  spin(angle, turns, ms) {
    const from = this.idol.deg, way = ((((angle - from) % 360) + 360) % 360) + 360 * Math.round(turns);
    this.motions.set("idol", { from, to: from + way, began: this.now, ms: Math.max(1, ms) });
  }

  // The tower falls: what moves within so many ms tumbles there.
  fall(ms) {
    this.fallingUntil = this.now + ms;
  }

  // Move what is moving on to the time *nowMs*; true while something still moves.
  update(nowMs) {
    this.now = nowMs;
    if (!this.motions.size) return false;
    for (const [key, motion] of [...this.motions]) {
      const share = (nowMs - motion.began) / motion.ms;
      if (key === "board") {
        this.board.tip(tipBetween(motion, ease(share)));
        this.changes.note(null);
      } else if (key === "idol") {
        this.idol.point(mix(motion.from, motion.to, ease(share)) % 360);
        this.changes.note(this.idol.corners());
      } else this.carryOn(key, motion, share);
      if (share >= 1) this.motions.delete(key);
    }
    this.lay();
    return this.motions.size > 0;
  }

  carryOn(id, { from, to, hop, flips, tumbles }, share) {
    const placed = this.placed.get(id);
    if (!placed) return;
    const done = share >= 1, part = tumbles ? Math.min(1, share) : ease(share);
    const drop = tumbles ? part * part : part;
    const rise = done ? 0 : hop * 4 * part * (1 - part);
    const lean = [0, 1].map((at) => mix(from.lean[at], to.lean[at], part) + (tumbles && !done ? 360 * (1 - part) * (at ? 0.7 : 1) : 0));
    placed.pose = done ? to : {
      x: mix(from.x, to.x, part), y: mix(from.y, to.y, part), z: mix(from.z, to.z, drop) + rise,
      turn: swing(from.turn, to.turn, part), lean,
    };
    placed.flip = flips && !done ? Math.PI * (1 - part) : 0;
  }

  lay() {
    const matrix = new Matrix4(), shown = [];
    for (const { piece } of this.placed.values()) if (isShown(piece)) shown.push(faceOf(piece));
    // From above, what lies on a pile is drawn first, and hides what is below before it is painted.
    shown.sort((one, other) => (other.z || 0) - (one.z || 0));
    if (this.board.layTiles(shown.some(({ kind }) => kind === "tile") ? null : this.mat, this.room.tile_scale)) this.changes.note(null);
    const { drawn, thick } = thin(shown);
    const moved = this.pieces.lay(drawn, ({ id }) => {
      const placed = this.placed.get(id), cards = thick.get(id) || 1, pose = this.poseOf(placed);
      poseOf({ ...pose, z: pose.z - (cards - 1) * CARD_MM }, placed.flip, matrix);
      if (cards > 1) matrix.scale(new Vector3(1, cards, 1));
      return this.isCarried(placed.piece) ? this.board.carry(matrix) : matrix;
    });
    this.changes.note(moved);
    this.refreshMarks();
  }

  // Whether a piece tips with the balance board.
  isCarried(piece) {
    return piece.rides === "board" && !isHeld(piece) && !this.tipped.fallen;
  }

  // The id of the piece that a ray meets first, or null.
  pick(raycaster) {
    this.three.updateMatrixWorld();
    const hit = this.pieces.pick(raycaster);
    return hit ? hit.id : null;
  }

  // Where a ray meets the balance board, or else the table: x and y in mm, or null.
  surface(raycaster) {
    const levels = [];
    if (this.layout && this.layout.balance) levels.push(this.layout.balance.top_height);
    levels.push((this.layout && this.layout.floor_z) || 0);
    for (const z of levels) {
      const place = raycaster.ray.intersectPlane(new Plane(new Vector3(0, 1, 0), -z), new Vector3());
      if (!place) continue;
      const { x, z: y } = place, { balance } = this.layout || {};
      if (z === levels[0] && balance && Math.max(Math.abs(x - balance.x), Math.abs(y - balance.y)) > balance.size / 2) continue;
      return { x, y };
    }
    return null;
  }

  // Mark a piece in the player's view, null for none.  The virtual camera never sees it.
  highlight(id) {
    this.setMark("highlight", id === null ? null : { id });
  }

  // Show softly where a piece would land, {"id", "x", "y", "z", "turn"}; null for none.
  ghost(where) {
    this.setMark("ghost", where);
  }

  setMark(name, what) {
    this.marks[name] = what;
    this.refreshMarks();
  }

  refreshMarks() {
    this.viewVersion += 1;
    for (const mesh of this.marked || []) this.three.remove(mesh);
    this.marked = [];
    const { highlight, ghost } = this.marks;
    if (highlight) this.mark(highlight.id, null, { color: "#ffd34d", side: 1, transparent: true, opacity: 0.9 }, RIM_MM);
    if (ghost) this.mark(ghost.id, ghost, { color: "#fff2c4", transparent: true, opacity: 0.42, depthWrite: false }, 0);
  }

  // rim: by how much it is larger than the piece, in mm.
  mark(id, where, look, rim) {
    const placed = this.placed.get(id);
    if (!placed || !isShown(placed.piece)) return;
    const material = new MeshBasicMaterial(look), geometry = this.pieces.geometryOf(faceOf(placed.piece));
    const mesh = new Mesh(geometry, geometry.groups.length ? geometry.groups.map(() => material) : material);
    const pose = this.poseOf(placed);
    poseOf(where ? { ...pose, lean: [0, 0], ...where } : pose, 0, mesh.matrix);
    if (!where && this.isCarried(placed.piece)) this.board.carry(mesh.matrix);
    if (!geometry.boundingSphere) geometry.computeBoundingSphere();
    const grown = 1 + rim / geometry.boundingSphere.radius;
    mesh.matrix.scale(new Vector3(grown, grown, grown));
    mesh.matrixAutoUpdate = false;
    mesh.layers.set(VIEW_LAYER);
    this.marked.push(mesh);
    this.three.add(mesh);
  }
}

const isHeld = ({ held }) => held !== null && held !== undefined;
// What lies in a seat's private hand is not on the table; the idol itself draws the card in it.
const isShown = (piece) => (piece.of ?? null) === null && piece.rides !== "idol" || isHeld(piece);
// A card that lies face down has no face.
const faceOf = (piece) => (piece.kind === "card" && piece.up === false ? { ...piece, look: null } : piece);

function poseIn({ x = 0, y = 0, z = 0, turn = 0, lean }) {
  return { x, y, z, turn, lean: lean || [0, 0] };
}

function tipBetween({ from, to }, share) {
  return { tilt: mix(from.tilt, to.tilt, share), towards: from.tilt ? swing(from.towards, to.towards, share) : to.towards };
}
