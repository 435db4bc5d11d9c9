// Everything that can be taken in the hand.

import { BufferAttribute, BufferGeometry, Euler, Matrix4, Mesh, Quaternion, Vector3 } from "./three/three.module.js";
import { carve, drawBack, drawDie, drawFigure, drawGoal, drawPileCard, drawUno, PILE_MM, UNO_MM } from "./artwork.js";
import { textureOf } from "./canvas.js";
import { cornersOf } from "./changes.js";
import { toThree, turnOf } from "./frame.js";
import { markerGeometry } from "./markers.js";
import { dispose, paint } from "./paint.js";
import { CARD_MM } from "./piles.js";
import { carvedBlock, die, disc, figure, slab, turned } from "./shapes.js";

export const DISC_PAINTS = { pink: "#e94f93", yellow: "#f5c71a", blue: "#2a6fd6", green: "#3aa648", red: "#d3332f", white: "#f0ece0", black: "#2a2725" };
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

// All pieces that look alike: one mesh, into which each of them is copied where it stands.  A
// processor that draws takes longer for a copy made by WebGL (instancing) than for all its corners.
class Batch {
  constructor(geometry, material) {
    this.piece = geometry.index ? geometry : withIndex(geometry);
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.ids = [];
    this.stand = [];
  }

  // Lay *pieces* where matrixOf says; whatever stands as before costs nothing.  Returns the corners of
  // what has moved, before and now.
  lay(pieces, matrixOf) {
    const stand = pieces.flatMap((piece) => matrixOf(piece).elements.slice());
    this.ids = pieces.map(({ id }) => id);
    if (stand.length === this.stand.length && stand.every((each, at) => each === this.stand[at])) return [];
    const moved = this.moved(stand);
    if (stand.length !== this.stand.length) this.make(pieces.length);
    this.stand = stand;
    const { position, normal } = this.mesh.geometry.attributes, count = this.piece.attributes.position.count;
    const matrix = new Matrix4();
    for (let at = 0; at < pieces.length; at += 1) {
      matrix.fromArray(stand, 16 * at);
      copy(this.piece.attributes.position, matrix, position.array, 3 * count * at, 1);
      copy(this.piece.attributes.normal, matrix, normal.array, 3 * count * at, 0);
    }
    position.needsUpdate = normal.needsUpdate = true;
    this.mesh.geometry.boundingSphere = this.mesh.geometry.boundingBox = null;
    return moved;
  }

  // The corners of all that stands otherwise than before, there and here.
  moved(stand) {
    const corners = [], matrix = new Matrix4();
    for (let at = 0; at < Math.max(stand.length, this.stand.length); at += 16) {
      const [now, before] = [stand, this.stand].map((each) => each.slice(at, at + 16));
      if (now.length === before.length && now.every((each, place) => each === before[place])) continue;
      for (const place of [now, before]) if (place.length) corners.push(...cornersOf(this.piece, matrix.fromArray(place)));
    }
    return corners;
  }

  // Make room for so many pieces: their corners, and faces that are the same for all.
  make(pieces) {
    const { attributes, index, groups } = this.piece, count = attributes.position.count;
    const geometry = new BufferGeometry();
    for (const name of ["position", "normal"]) geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * count * pieces), 3));
    for (const name of ["uv", "color"]) {
      if (!attributes[name]) continue;
      const { array, itemSize } = attributes[name], all = new Float32Array(array.length * pieces);
      for (let at = 0; at < pieces; at += 1) all.set(array, array.length * at);
      geometry.setAttribute(name, new BufferAttribute(all, itemSize));
    }
    const faces = new Uint32Array(index.count * pieces);
    let next = 0;
    for (const { start, count: long, materialIndex } of this.groups()) {
      if (groups.length) geometry.addGroup(next, long * pieces, materialIndex);
      for (let at = 0; at < pieces; at += 1) {
        for (let corner = 0; corner < long; corner += 1) faces[next++] = index.array[start + corner] + at * count;
      }
    }
    geometry.setIndex(new BufferAttribute(faces, 1));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.mesh.visible = pieces > 0;
  }

  groups() {
    return this.piece.groups.length ? this.piece.groups : [{ start: 0, count: this.piece.index.count, materialIndex: 0 }];
  }

  // Which piece has a face of the mesh.
  idAt(face) {
    let corner = 3 * face;
    for (const { count } of this.groups()) {
      if (corner < count * this.ids.length) return this.ids[Math.floor(corner / count)];
      corner -= count * this.ids.length;
    }
    return null;
  }
}

function withIndex(geometry) {
  geometry.setIndex([...Array(geometry.attributes.position.count).keys()]);
  return geometry;
}

// Copy places (w 1) or directions (w 0) as a matrix moves them.
function copy({ array }, { elements: e }, into, from, w) {
  for (let at = 0; at < array.length; at += 3) {
    const [x, y, z] = [array[at], array[at + 1], array[at + 2]];
    into[from + at] = e[0] * x + e[4] * y + e[8] * z + e[12] * w;
    into[from + at + 1] = e[1] * x + e[5] * y + e[9] * z + e[13] * w;
    into[from + at + 2] = e[2] * x + e[6] * y + e[10] * z + e[14] * w;
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
    for (const { mesh, piece } of this.batches.values()) {
      this.group.remove(mesh);
      mesh.geometry.dispose();
      piece.dispose();
      for (const material of [mesh.material].flat()) {
        if (material === BODY || material === INKED) continue;
        dispose(material);
      }
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

  // Lay all *pieces*; matrixOf gives the pose of each.  Returns the corners of what has moved.
  lay(pieces, matrixOf) {
    const lots = new Map([...this.batches.values()].map((batch) => [batch, []]));
    for (const piece of pieces) {
      const batch = this.batchOf(piece);
      if (!lots.has(batch)) lots.set(batch, []);
      lots.get(batch).push(piece);
    }
    return [...lots].flatMap(([batch, lot]) => batch.lay(lot, matrixOf));
  }

  geometryOf(piece) {
    return this.batchOf(piece).piece;
  }

  // The piece that a ray meets first, null if none: its id and where.
  pick(raycaster) {
    const shown = [...this.batches.values()].filter(({ ids }) => ids.length);
    const [hit] = raycaster.intersectObjects(shown.map(({ mesh }) => mesh), false);
    if (!hit) return null;
    const batch = shown.find(({ mesh }) => mesh === hit.object);
    return { id: batch.idAt(hit.faceIndex), point: hit.point };
  }
}
