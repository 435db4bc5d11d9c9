// What lies on the table before anybody plays: corner tiles and the game's board.

import { Group, Mesh, Quaternion, Vector3 } from "./three/three.module.js";
import { drawBalance, drawFieldBoard, drawLineBoard } from "./artwork.js";
import { textureOf } from "./canvas.js";
import { along, toThree, turnOf } from "./frame.js";
import { markerGeometry } from "./markers.js";
import { dispose, paint } from "./paint.js";
import { slab, turned } from "./shapes.js";

const PAPER_MM = 0.3;
const WALL = paint({ color: "#5d4630" });
const INKED = paint({ vertexColors: true });

function solid(mesh, casts = true) {
  mesh.castShadow = casts;
  mesh.receiveShadow = true;
  return mesh;
}

export class Board {
  constructor(scene) {
    this.group = new Group();
    this.tiles = new Group();
    this.tipping = new Group();
    scene.add(this.group, this.tiles, this.tipping);
    this.laid = "";
  }

  // table: {"mat", "layout"} as usual_table has it.
  load({ layout }) {
    for (const group of [this.group, this.tipping]) empty(group);
    if (layout.balance) this.loadBalance(layout.balance);
    else if (layout.slots && layout.board) this.loadFlat(layout, drawLineBoard(layout));
    else if (layout.cells && layout.board) this.loadFlat(layout, drawFieldBoard(layout));
    this.tip({ tilt: 0, towards: 0 });
  }

  // Corner tiles where a mat has them, printed at a scale; null if they are pieces.  Returns whether
  // they are others than before.
  layTiles(mat, scale) {
    const wanted = mat ? JSON.stringify([mat, scale]) : "";
    if (wanted === this.laid) return false;
    this.laid = wanted;
    empty(this.tiles);
    if (!mat) return true;
    const places = [[0, 0], [mat.width, 0], [mat.width, mat.height], [0, mat.height]];
    places.forEach(([x, y], at) => {
      const geometry = markerGeometry(mat.marker_ids[at], mat.marker_mm * scale, (mat.tile_mm || mat.marker_mm * 1.25) * scale);
      const tile = solid(new Mesh(geometry, INKED), false);
      tile.position.copy(toThree(x, y, PAPER_MM - 0.3));
      this.tiles.add(tile);
    });
    return true;
  }

  loadFlat(layout, canvas) {
    const [left, top, right, low] = layout.board, thick = layout.floor_z || 0.8;
    const geometry = slab([right - left, low - top], thick, thick > 2 ? 12 : 1.5);
    const board = solid(new Mesh(geometry, [paint({ map: textureOf(canvas) }), WALL]));
    board.position.copy(toThree((left + right) / 2, (top + low) / 2, 0));
    this.group.add(board);
  }

  loadBalance(balance) {
    const { size, top_height: top } = balance, thick = 7;
    const geometry = slab([size, size], thick, 5);
    const plate = solid(new Mesh(geometry, [paint({ map: textureOf(drawBalance(balance)) }), paint({ color: "#b98849" })]));
    plate.position.y = -thick;
    this.tipping.add(plate);
    const inset = size / 2 - balance.marker_inset;
    [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([x, y], at) => {
      const mark = solid(new Mesh(markerGeometry(balance.marker_ids[at], balance.marker_mm, 2 * balance.marker_inset), INKED), false);
      mark.position.copy(toThree(x * inset, y * inset, 0.12));
      this.tipping.add(mark);
    });
    const foot = [[52, 0], [54, 5], [48, 12], [17, 20], [10, 40], [9, top - 22], [14, top - 12], [4, top - thick - 0.5]];
    const stand = solid(new Mesh(turned(foot, 32), paint({ color: "#7c4d23", gloss: 30 })));
    stand.position.copy(toThree(balance.x, balance.y, 0));
    this.group.add(stand);
    this.tipping.position.copy(toThree(balance.x, balance.y, top));
  }

  // Tip the balance board: by `tilt` degrees, down in the direction `towards`.
  tip({ tilt = 0, towards = 0 }) {
    const { x, y } = along(towards);
    // Turned about the level axis to the left of that direction, its far end goes down.
    const axis = new Vector3().crossVectors(new Vector3(0, 1, 0), toThree(x, y, 0));
    this.tipping.quaternion.setFromAxisAngle(axis, -turnOf(tilt));
    this.tipping.updateMatrixWorld(true);
  }

  // Carry a piece's pose (a matrix) from the level board to the tipped one.
  carry(matrix) {
    const { position, quaternion } = this.tipping;
    const place = new Vector3(), stand = new Quaternion(), scale = new Vector3();
    matrix.decompose(place, stand, scale);
    place.sub(position).applyQuaternion(quaternion).add(position);
    return matrix.compose(place, stand.premultiply(quaternion), scale);
  }
}

function empty(group) {
  for (const child of [...group.children]) {
    group.remove(child);
    child.geometry.dispose();
    for (const material of [child.material].flat()) {
      if (material === WALL || material === INKED) continue;
      dispose(material);
    }
  }
}
