// Everything that can be taken in the hand. Pieces that look alike are one instanced mesh.

import { Euler, InstancedMesh, Matrix4, Quaternion, Vector3 } from "./three/three.module.js";
import { carve, drawBack, drawDie, drawFigure, drawGoal, drawPileCard, drawUno, PILE_MM, UNO_MM } from "./artwork.js";
import { textureOf } from "./canvas.js";
import { toThree, turnOf } from "./frame.js";
import { markerGeometry } from "./markers.js";
import { dispose, paint } from "./paint.js";
import { carvedBlock, die, disc, figure, slab, turned } from "./shapes.js";

export const DISC_PAINTS = { pink: "#e94f93", yellow: "#f5c71a", blue: "#2a6fd6", green: "#3aa648", red: "#d3332f", white: "#f0ece0", black: "#2a2725" };
const CARD_MM = 0.4;
const MARKER_SHARE = 0.8;
const INKED = paint({ vertexColors: true });
const BODY = paint({ color: "#f4f1e8" });

const shiny = (options, gloss = 24, glint = 0.22) => paint({ gloss, glint, ...options });

// What a kind of piece looks like: its geometry and material(s), made once for each look.
const LOOKS = {
  tiki(name, size) {
    const { canvas, relief } = carve(name);
    return [carvedBlock(size || [58, 25, 16], relief), shiny({ map: textureOf(canvas) })];
  },
  figure(look, size) {
    const [width, , height] = size || [26, 26, 22];
    return [figure({ width, height }, look === "tac" ? 12 : 9), shiny({ map: textureOf(drawFigure(look)) })];
  },
  disc(colour, size) {
    const [diameter, , height] = size || [22, 22, 8];
    return [disc({ diameter, height }), shiny({ color: DISC_PAINTS[colour] || colour }, 40)];
  },
  card(look, size, { glossy }) {
    const uno = look && "symbol" in look, goal = look && "goal" in look;
    const mm = size ? size.slice(0, 2) : uno ? UNO_MM : PILE_MM;
    const draw = !look ? () => drawBack(mm) : uno ? drawUno : goal ? drawGoal : drawPileCard;
    return [slab(mm, CARD_MM, 3, !look), [glossy({ map: textureOf(draw(look)) }), BODY]];
  },
  die({ faces, shows }, size) {
    return [die((size && size[0]) || 16), shiny({ map: textureOf(drawDie(faces, shows)) })];
  },
  tile(number, size, { scale }) {
    const paper = (size ? size[0] : 50) * scale, geometry = markerGeometry(number, MARKER_SHARE * paper, paper);
    return [geometry.translate(0, 0.05, 0), INKED];
  },
  token(look, size) {
    const colour = (look && look.colour) || (look && look.color) || look;
    const [width, , height] = size || [14, 14, 24];
    const profile = [[0.5, 0], [0.5, 0.08], [0.3, 0.3], [0.2, 0.62], [0.38, 0.74], [0.4, 0.84], [0.28, 0.96], [0.02, 1]];
    const paint = DISC_PAINTS[colour] || (CSS.supports("color", String(colour)) ? String(colour) : "#c9974f");
    return [turned(profile.map(([r, z]) => [r * width, z * height]), 20), shiny({ color: paint })];
  },
};

// Where a piece is: its place, and how it stands, as a matrix.
export function poseOf({ x, y, z, turn = 0, lean = [0, 0] }, flip = 0, matrix = new Matrix4()) {
  const stand = new Quaternion().setFromEuler(new Euler(turnOf(-lean[0]), turnOf(turn), turnOf(lean[1]), "XZY"));
  if (flip) stand.multiply(new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), flip));
  return matrix.compose(toThree(x, y, z), stand, new Vector3(1, 1, 1));
}

// All pieces that look alike.
class Batch {
  constructor(geometry, material) {
    this.mesh = new InstancedMesh(geometry, material, 8);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.ids = [];
  }

  lay(pieces, matrixOf) {
    if (pieces.length > this.mesh.instanceMatrix.count) this.grow(2 * pieces.length);
    this.ids = pieces.map(({ id }) => id);
    pieces.forEach((piece, at) => this.mesh.setMatrixAt(at, matrixOf(piece)));
    this.mesh.count = pieces.length;
    this.mesh.visible = pieces.length > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  grow(count) {
    const { geometry, material, parent } = this.mesh;
    const next = new InstancedMesh(geometry, material, count);
    next.frustumCulled = false;
    next.castShadow = next.receiveShadow = true;
    if (parent) parent.add(next).remove(this.mesh);
    this.mesh.dispose();
    this.mesh = next;
  }
}

export class Pieces {
  // group: where the meshes hang.
  constructor(group) {
    this.group = group;
    this.batches = new Map();
    this.sleeves = false;
    this.scale = 1;
  }

  // Cards in sleeves mirror the lamp; tiles may be printed too small.
  setRoom({ sleeves, tile_scale: scale }) {
    if (Boolean(sleeves) === this.sleeves && scale === this.scale) return;
    this.sleeves = Boolean(sleeves);
    this.scale = scale;
    this.clear();
  }

  clear() {
    for (const { mesh } of this.batches.values()) {
      this.group.remove(mesh);
      mesh.geometry.dispose();
      for (const material of [mesh.material].flat()) {
        if (material === BODY || material === INKED) continue;
        dispose(material);
      }
      mesh.dispose();
    }
    this.batches.clear();
  }

  keyOf({ kind, look, size }) {
    return JSON.stringify([kind, look ?? null, size ?? null]);
  }

  batchOf(piece) {
    const key = this.keyOf(piece);
    let batch = this.batches.get(key);
    if (!batch) {
      const glossy = (options) => (this.sleeves ? shiny(options, 90, 0.9) : paint(options));
      batch = new Batch(...(LOOKS[piece.kind] || LOOKS.token)(piece.look, piece.size, { glossy, scale: this.scale }));
      this.batches.set(key, batch);
      this.group.add(batch.mesh);
    }
    return batch;
  }

  // Lay all *pieces*; matrixOf gives the pose of each.
  lay(pieces, matrixOf) {
    const lots = new Map([...this.batches.values()].map((batch) => [batch, []]));
    for (const piece of pieces) {
      const batch = this.batchOf(piece);
      if (!lots.has(batch)) lots.set(batch, []);
      lots.get(batch).push(piece);
    }
    for (const [batch, lot] of lots) batch.lay(lot, matrixOf);
  }

  geometryOf(piece) {
    return this.batchOf(piece).mesh.geometry;
  }

  // The piece that a ray meets first, null if none: its id and where.
  pick(raycaster) {
    const meshes = [...this.batches.values()].filter(({ mesh }) => mesh.count).map(({ mesh }) => mesh);
    const [hit] = raycaster.intersectObjects(meshes, false);
    if (!hit) return null;
    const batch = [...this.batches.values()].find(({ mesh }) => mesh === hit.object);
    return { id: batch.ids[hit.instanceId], point: hit.point };
  }
}
