// Arms that reach over the table: fingers, palm, wrist and sleeve as limbs, one mesh for each hand.

import { Group, Mesh } from "./three/three.module.js";
import { cornersOfBall } from "./changes.js";
import { toThree, turnOf } from "./frame.js";
import { SIDES } from "./sides.js";
import { paint } from "./paint.js";
import { limb, merge } from "./shapes.js";

const SKINS = ["#e3b08f", "#8a5636", "#c98d64", "#f0c9ad", "#5d3a25", "#b9794f"];
const SLEEVES = ["#37597e", "#8e3b46", "#4c6b3c", "#c9973f", "#5d4a7a", "#3a3f45"];

// A right hand whose fingertips meet at the origin and whose arm comes from +y (the near side).
function handGeometry(skin, sleeve) {
  const parts = [], corners = [];
  const add = (from, to, thick, thin, colour = skin) => {
    parts.push({ geometry: limb(toThree(...from), toThree(...to), thick, thin), colour });
    for (const share of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
      corners.push(...cornersOfBall(toThree(...from).lerp(toThree(...to), share), Math.max(thick, thin)));
    }
  };
  // [root, knuckle, tip] of each finger: the thumb on the left, the forefinger beside it.
  const fingers = [
    [[-31, 62, 22], [-24, 34, 24], [-6, 8, 2], 10.5, 8.5],
    [[-19, 48, 33], [-12, 26, 37], [2, 2, 5], 9, 7.4],
    [[-4, 44, 36], [0, 22, 38], [9, 5, 6], 9, 7.4],
    [[11, 47, 34], [12, 26, 35], [16, 10, 7], 8.6, 7],
    [[24, 54, 29], [23, 36, 29], [23, 20, 8], 7.6, 6.2],
  ];
  for (const [root, knuckle, tip, thick, thin] of fingers) {
    add(root, knuckle, thick, (thick + thin) / 2);
    add(knuckle, tip, (thick + thin) / 2, thin);
  }
  for (const [dx, wide] of [[-16, 15], [0, 16], [15, 14]]) add([dx, 54, 30], [dx * 0.6, 98, 28], wide, wide + 2);
  add([0, 92, 29], [2, 142, 34], 23, 24);
  add([2, 136, 34], [6, 290, 70], 32, 40, sleeve);
  add([6, 290, 70], [14, 640, 150], 40, 52, sleeve);
  return Object.assign(merge(parts), { corners });
}

export class Hands {
  constructor(scene) {
    this.group = new Group();
    scene.add(this.group);
    this.arms = new Map();
  }

  // hands: [{"seat", "x", "y", "z", "side"}].  Returns the corners of what has moved, before and now.
  set(hands) {
    const shown = new Set();
    const moved = [];
    const note = (arm) => {
      arm.updateMatrix();
      moved.push(...arm.geometry.corners.map((corner) => corner.clone().applyMatrix4(arm.matrix)));
    };
    for (const { seat, x, y, z, side } of hands) {
      shown.add(seat);
      if (!this.arms.has(seat)) this.arms.set(seat, this.grow(seat));
      const arm = this.arms.get(seat);
      const place = toThree(x, y, z), turn = turnOf((SIDES[side] ?? 180) - 180 - 8);
      if (arm.visible && arm.position.equals(place) && arm.rotation.y === turn) continue;
      if (arm.visible) note(arm);
      arm.position.copy(place);
      arm.rotation.y = turn;
      arm.visible = true;
      note(arm);
    }
    for (const [seat, arm] of this.arms) {
      if (shown.has(seat) || !arm.visible) continue;
      note(arm);
      arm.visible = false;
    }
    return moved;
  }

  grow(seat) {
    const at = Math.abs(Number(seat) || 0) % SKINS.length;
    const arm = new Mesh(handGeometry(SKINS[at], SLEEVES[at]), paint({ vertexColors: true }));
    arm.castShadow = arm.receiveShadow = true;
    arm.visible = false;
    this.group.add(arm);
    return arm;
  }
}
