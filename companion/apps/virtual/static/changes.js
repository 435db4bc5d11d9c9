// Where the scene has changed, so that a camera draws no more than that again.

import { Box3, Vector3 } from "./three/three.module.js";

const MOST = 64;

export class Changes {
  constructor() {
    this.version = 0;
    this.kept = [];
    this.forgotten = 0; // of what came up to here, all that is known is that it may be anywhere
  }

  // Something is new between *points*, in three.js's frame; anywhere if they are null.
  note(points) {
    this.version += 1;
    if (points === null) {
      this.kept = [];
      this.forgotten = this.version;
      return;
    }
    this.kept.push({ version: this.version, points });
    if (this.kept.length > MOST) this.forgotten = this.kept.shift().version;
  }

  // The points between which all lies that has changed since *version*; null if it may be anywhere.
  since(version) {
    if (version < this.forgotten) return null;
    return this.kept.filter((each) => each.version > version).flatMap(({ points }) => points);
  }
}

// The eight corners of what a geometry fills, where a matrix puts it.
export function cornersOf(geometry, matrix) {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  return cornersOfBox(geometry.boundingBox).map((corner) => corner.applyMatrix4(matrix));
}

export function cornersOfBox({ min, max }) {
  const ends = [min, max];
  return [0, 1, 2, 3, 4, 5, 6, 7].map((at) => new Vector3(ends[at & 1].x, ends[(at >> 1) & 1].y, ends[at >> 2].z));
}

// The corners of a box around a ball, whichever way it is turned.
export function cornersOfBall(middle, radius) {
  return cornersOfBox({ min: middle.clone().subScalar(radius), max: middle.clone().addScalar(radius) });
}

// A box around all that turns with a group about its upright axis.
export function boxOfTurning(group) {
  const { min, max } = new Box3().setFromObject(group), { x, z } = group.position;
  const far = Math.hypot(Math.max(max.x - x, x - min.x), Math.max(max.z - z, z - min.z));
  return new Box3(new Vector3(x - far, min.y, z - far), new Vector3(x + far, max.y, z + far));
}
