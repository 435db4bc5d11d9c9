// Where the piece that is held would lie: a soft mark under it, which the virtual camera never sees.

import { DoubleSide, Mesh, MeshBasicMaterial, PlaneGeometry, RingGeometry, Shape, ShapeGeometry } from "./three/three.module.js";
import { toThree, turnOf } from "./frame.js";

const PLAYERS_ONLY = 1; // the layer of what only a player's view shows
const ABOVE_MM = 0.6;
const CORNER_MM = 4;
const COLOURS = { place: 0xffb454, free: 0xfff6e3 };

export class Mark {
  constructor(scene, view) {
    this.material = new MeshBasicMaterial({ transparent: true, opacity: 0.55, depthTest: false, side: DoubleSide });
    this.mesh = new Mesh(new PlaneGeometry(1, 1), this.material);
    this.mesh.rotation.order = "YXZ";
    this.mesh.layers.set(PLAYERS_ONLY);
    this.mesh.renderOrder = 5;
    this.mesh.visible = false;
    this.shape = "";
    view.camera.layers.enable(PLAYERS_ONLY);
    scene.three.add(this.mesh);
  }

  show({ kind, size }, { x, y, z, turn, isPlace }) {
    const isRound = kind === "disc" || kind === "figure";
    const shape = `${isRound}${size.join("x")}`;
    if (shape !== this.shape) {
      this.mesh.geometry.dispose();
      this.mesh.geometry = isRound ? new RingGeometry(size[0] * 0.32, size[0] * 0.6, 40) : frameOf(size[0] + 6, size[1] + 6);
      this.shape = shape;
    }
    this.material.color.setHex(isPlace ? COLOURS.place : COLOURS.free);
    this.mesh.position.copy(toThree(x, y, z + ABOVE_MM));
    this.mesh.rotation.set(-Math.PI / 2, turnOf(turn), 0);
    this.mesh.visible = true;
  }

  hide() {
    this.mesh.visible = false;
  }
}

// A frame with round corners.
function frameOf(width, height) {
  const shape = rounded(new Shape(), width, height, CORNER_MM);
  shape.holes.push(rounded(new Shape(), width - 7, height - 7, CORNER_MM / 2));
  return new ShapeGeometry(shape);
}

function rounded(path, width, height, radius) {
  const [x, y] = [width / 2, height / 2];
  path.moveTo(-x + radius, -y).lineTo(x - radius, -y).quadraticCurveTo(x, -y, x, -y + radius).lineTo(x, y - radius);
  path.quadraticCurveTo(x, y, x - radius, y).lineTo(-x + radius, y).quadraticCurveTo(-x, y, -x, y - radius);
  path.lineTo(-x, -y + radius).quadraticCurveTo(-x, -y, -x + radius, -y);
  return path;
}
