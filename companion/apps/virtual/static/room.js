// The room around the game: what the table is made of, the lamp, cups, and a room's usual values.

import { Color, DirectionalLight, Group, HemisphereLight, Mesh, PlaneGeometry } from "./three/three.module.js";
import { drawGround } from "./artwork.js";
import { textureOf } from "./canvas.js";
import { along, toThree } from "./frame.js";
import { MIDDLE, paint } from "./paint.js";
import { turned } from "./shapes.js";

// As the host's sliders have them at first; room.py has the same.
export const ROOM = {
  light: 1.0, kelvin: 5000, lamp_side: 135, lamp_height: 55, shadow: 0.5,
  blur: 0.6, noise: 2.0, width: 960, height: 540, quality: 85,
  hfov: 66, k1: 0.0, camera_height: 560, camera_tilt: 23, camera_side: 180, roll: 0,
  bump: [0, 0, 0], tile_scale: 1.0, cups: 0, sleeves: false, ground: "wood",
};
const BALANCED_KELVIN = 5000;
// A camera's own white balance takes out about half of a lamp's colour.
const LEFT_BY_CAMERA = 0.5;
const TABLE_MM = [1500, 1000];
// Below what lies on it, and so never through it.
export const FLOOR_MM = -0.3;
const PRINT_MM = 600;

// Red, green, blue of a black body, linear, its brightest 1: a fit to Planck's locus.
export function colourOf(kelvin) {
  const t = kelvin / 100;
  const clip = (value) => Math.min(255, Math.max(1, value)) / 255;
  const red = t <= 66 ? 1 : clip(329.7 * (t - 60) ** -0.1332);
  const green = t <= 66 ? clip(99.47 * Math.log(t) - 161.12) : clip(288.12 * (t - 60) ** -0.0755);
  const blue = t >= 66 ? 1 : t <= 19 ? 0.01 : clip(138.52 * Math.log(t - 10) - 305.04);
  return new Color().setRGB(red, green, blue, "srgb");
}

function tint(kelvin) {
  const lamp = colourOf(kelvin), balanced = colourOf(BALANCED_KELVIN);
  const part = (name) => (lamp[name] / balanced[name]) ** LEFT_BY_CAMERA;
  const [r, g, b] = [part("r"), part("g"), part("b")];
  const bright = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return new Color(r / bright, g / bright, b / bright);
}

export class Room {
  constructor(scene) {
    this.group = new Group();
    scene.add(this.group);
    this.sky = new HemisphereLight("#ffffff", "#8d7a66", 1);
    this.lamp = new DirectionalLight("#ffffff", 1);
    this.lamp.castShadow = true;
    this.lamp.shadow.mapSize.set(768, 768);
    this.lamp.shadow.bias = -0.0012;
    this.lamp.shadow.normalBias = 1.4;
    scene.add(this.sky, this.lamp, this.lamp.target);
    this.grounds = new Map();
    this.floor = null;
    this.cups = [];
  }

  // A room: whatever is missing is as usual.  mat: width and height of the table frame.
  set(room, mat) {
    const { light, kelvin, lamp_side: side, lamp_height: height, shadow, ground, cups } = { ...ROOM, ...room };
    this.placeLamp(mat, side, height);
    MIDDLE.value.set(mat.width / 2, mat.height / 2);
    const colour = tint(kelvin), direct = 0.35 + 0.4 * shadow;
    this.lamp.color.copy(colour);
    this.sky.color.copy(colour).lerp(new Color("#ffffff"), 0.3);
    // Straight up, white paper gets what makes it 0.8 linear, whatever the lamp's share is.
    const upward = Math.max(0.2, Math.sin((height * Math.PI) / 180));
    this.lamp.intensity = (light * Math.PI * 0.88 * direct) / upward;
    this.sky.intensity = light * Math.PI * 0.88 * (1 - direct);
    this.lamp.shadow.intensity = Math.min(1, 0.25 + 1.2 * shadow);
    this.lamp.shadow.radius = 1 + 5 * (1 - shadow);
    this.layGround(ground, mat);
    this.layCups(Math.round(cups), mat);
  }

  placeLamp(mat, side, height) {
    const middle = toThree(mat.width / 2, mat.height / 2), away = along(side), up = (height * Math.PI) / 180;
    const far = 1000;
    this.lamp.target.position.copy(middle);
    this.lamp.position.copy(middle).add(toThree(far * Math.cos(up) * away.x, far * Math.cos(up) * away.y, far * Math.sin(up)));
    this.lamp.target.updateMatrixWorld();
    const reach = Math.max(mat.width, mat.height) * 0.82, { camera } = this.lamp.shadow;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 300, far: 1700 });
    camera.updateProjectionMatrix();
  }

  layGround(kind, mat) {
    if (!this.grounds.has(kind)) {
      const repeat = [TABLE_MM[0] / PRINT_MM, TABLE_MM[1] / PRINT_MM];
      this.grounds.set(kind, paint({ map: textureOf(drawGround(kind)), repeat }));
    }
    if (!this.floor) {
      const plane = new PlaneGeometry(...TABLE_MM, 30, 20);
      plane.rotateX(-Math.PI / 2);
      this.floor = new Mesh(plane);
      this.floor.receiveShadow = true;
      // Last, so that nothing is painted below what lies on it.
      this.floor.renderOrder = 1;
      this.group.add(this.floor);
    }
    this.floor.material = this.grounds.get(kind);
    this.floor.position.copy(toThree(mat.width / 2, mat.height / 2, FLOOR_MM));
  }

  layCups(count, mat) {
    for (const cup of this.cups.splice(0)) {
      this.group.remove(cup);
      cup.geometry.dispose();
      cup.material.dispose();
    }
    const [w, h] = [mat.width, mat.height];
    const places = [[w + 105, h * 0.3], [-105, h * 0.62], [w * 0.35, -95], [w + 100, h * 0.8], [-100, h * 0.15], [w * 0.7, h + 110]];
    places.slice(0, count).forEach(([x, y], at) => {
      const high = 78 + 8 * (at % 3), r = 35 + 3 * (at % 2);
      const profile = [[r * 0.72, 0], [r * 0.94, 14], [r, high], [r - 3, high], [r - 4, high - 16], [0.1, high - 16]];
      const cup = new Mesh(turned(profile, 28), paint({ color: ["#f2ece0", "#b5533c", "#3d6a78", "#d9a441"][at % 4], side: 2, gloss: 50, glint: 0.4 }));
      cup.position.copy(toThree(x, y));
      cup.castShadow = cup.receiveShadow = true;
      this.cups.push(cup);
      this.group.add(cup);
    });
  }
}
