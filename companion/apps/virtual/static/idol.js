// The idol: it turns on its foot and points with an arm of a colour of its own.
//
// Where the arm and the card at its back are is what the reader measured on real films: the arm's
// axis 29 mm up and 2 degrees clockwise of the idol's own direction, the card 15 to 61 mm behind.

import { BufferGeometry, Float32BufferAttribute, Group, Mesh, SphereGeometry } from "./three/three.module.js";
import { drawIdolCard, FACE_CARD_MM } from "./artwork.js";
import { textureOf } from "./canvas.js";
import { boxOfTurning, cornersOfBox } from "./changes.js";
import { toThree, turnOf } from "./frame.js";
import { dispose, paint } from "./paint.js";
import { limb, merge, turned } from "./shapes.js";

const ARM_Z = 29, ARM_ASIDE = 2;
const CARD_TOP = [15.5, 57], CARD_LOW = [61.4, 21.2], CARD_ASIDE = 0.4;
const STONE = "#93a08f", MOSS = "#5f8f58", DARK = "#3c3128", FOOT = "#6e4a2c", ARM = "#1f6fe0", BONE = "#f3ead0", RED = "#b8402f";

const ball = (x, y, z, rx, ry, rz, segments = 14) => {
  const geometry = new SphereGeometry(1, segments, 10);
  geometry.scale(rx, rz, ry);
  geometry.translate(x, z, y);
  return geometry;
};

// The idol, looking and pointing to -y, around the axis it turns on.
function carveIdol({ diameter, arm_reach: reach }) {
  const r = diameter / 2, parts = [];
  const add = (geometry, colour) => parts.push({ geometry, colour });
  add(turned([[r, 0], [r, 7], [r - 3, 9.5], [r * 0.62, 11], [0.1, 11]], 32), FOOT);
  for (let stud = 0; stud < 12; stud += 1) {
    const angle = (stud * Math.PI) / 6;
    add(ball((r - 4) * Math.sin(angle), (r - 4) * Math.cos(angle), 8.6, 2.2, 2.2, 1.4, 8), BONE);
  }
  // A headdress of leaves, red and green in turn, around a crown.
  for (let leaf = 0; leaf < 9; leaf += 1) {
    const angle = (leaf * 2 * Math.PI) / 9;
    add(limb(toThree(8 * Math.sin(angle), 8 * Math.cos(angle), 63), toThree(15 * Math.sin(angle), 15 * Math.cos(angle), 67), 3.6, 1.6, 8), leaf % 2 ? RED : MOSS);
  }
  add(ball(0, 0, 66, 6, 6, 4), BONE);
  add(turned([[17, 10], [18.5, 20], [17.5, 30], [15, 36], [0.1, 38]], 20), MOSS);
  // A head with a heavy brow, deep eyes, a broad nose and bared teeth.
  add(turned([[13, 32], [16.5, 38], [17, 50], [14.5, 60], [8, 65], [0.1, 66]], 20), STONE);
  add(limb(toThree(-13, -12, 55), toThree(13, -12, 55), 4.2, 4.2), MOSS);
  for (const side of [-1, 1]) {
    add(ball(side * 7, -14.6, 49.5, 3.6, 2.6, 3.2), BONE);
    add(ball(side * 6.8, -16.8, 49.2, 1.5, 1, 1.6, 8), DARK);
    add(limb(toThree(side * 16, 0, 60), toThree(side * 21, 3, 72), 4, 1.6), BONE);
    add(ball(side * 17, 0, 46, 3, 5, 6.5), MOSS);
    // The other arm and both feet rest on the foot.
    add(limb(toThree(side * 9, -10, 12), toThree(side * 10, -24, 12.5), 6, 5), STONE);
  }
  add(limb(toThree(-18, 0, 31), toThree(-19, -12, 16), 5.4, 4.6), STONE);
  add(limb(toThree(0, -15, 51), toThree(0, -18, 43), 2.4, 4.4), MOSS);
  add(limb(toThree(-8, -14.5, 38), toThree(8, -14.5, 38), 3.4, 3.4), DARK);
  for (let tooth = -2; tooth <= 2; tooth += 1) add(ball(tooth * 3.2, -17.6, 38.2, 1.3, 0.9, 1.9, 8), BONE);
  const knuckle = reach * 0.68;
  add(limb(toThree(14, -2, 32), toThree(ARM_ASIDE, -knuckle + 6, ARM_Z), 6.4, 5.6), STONE);
  add(ball(ARM_ASIDE, -knuckle + 2, ARM_Z, 7, 7, 6.6), ARM);
  add(limb(toThree(ARM_ASIDE, -knuckle, ARM_Z), toThree(ARM_ASIDE, 4 - reach, ARM_Z), 4.6, 4), ARM);
  return merge(parts);
}

function leaningCard() {
  const half = FACE_CARD_MM[0] / 2, geometry = new BufferGeometry();
  // Seen from behind, left is the idol's right: +x while it points to -y is right seen from above.
  const corner = (side, [behind, z]) => toThree(side * half - CARD_ASIDE, behind, z);
  const places = [corner(-1, CARD_TOP), corner(1, CARD_TOP), corner(1, CARD_LOW), corner(-1, CARD_LOW)];
  const triangles = [0, 3, 1, 1, 3, 2], uv = [[0, 1], [1, 1], [1, 0], [0, 0]];
  geometry.setAttribute("position", new Float32BufferAttribute(triangles.flatMap((at) => places[at].toArray()), 3));
  geometry.setAttribute("uv", new Float32BufferAttribute(triangles.flatMap((at) => uv[at]), 2));
  geometry.computeVertexNormals();
  return geometry;
}

export class Idol {
  constructor(scene) {
    this.group = new Group();
    this.group.visible = false;
    scene.add(this.group);
    this.deg = 0;
    this.look = null;
    this.card = null;
  }

  // place: {"x", "y", "diameter", "arm_reach"}, or undefined for a game without an idol.
  load(place) {
    this.group.clear();
    this.card = null;
    this.look = null;
    this.group.visible = Boolean(place);
    this.box = null;
    if (!place) return;
    const body = new Mesh(carveIdol(place), paint({ vertexColors: true, gloss: 18 }));
    body.castShadow = body.receiveShadow = true;
    this.group.add(body);
    this.group.position.copy(toThree(place.x, place.y, 0));
    this.point(0);
    const card = new Mesh(leaningCard());
    this.box = boxOfTurning(this.group.add(card));
    this.group.remove(card);
  }

  // Point to *deg*: 0 to the far side, clockwise.
  point(deg) {
    this.deg = deg;
    this.group.rotation.y = turnOf(deg);
  }

  // Between which points it turns, with the card at its back or without.
  corners() {
    return this.box ? cornersOfBox(this.box) : [];
  }

  // Put a card at its back; null takes it away.
  hold(look) {
    if (JSON.stringify(look ?? null) === JSON.stringify(this.look)) return;
    this.look = look ?? null;
    if (this.card) {
      this.group.remove(this.card);
      dispose(this.card.material);
      this.card = null;
    }
    if (!look) return;
    this.card = new Mesh(leaningCard(), paint({ map: textureOf(drawIdolCard(look)), side: 2 }));
    this.card.castShadow = this.card.receiveShadow = true;
    this.group.add(this.card);
  }
}
