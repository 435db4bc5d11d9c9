// The two frames of the scene, and the only place that goes from one to the other.
//
// Table: mm, x right, y down towards the near player, z up; turns in degrees, clockwise from above.
// three.js: x right, y up, z towards the near player; turns in radians, anticlockwise from above.

import { MathUtils, Vector3 } from "./three/three.module.js";

export const toThree = (x, y, z = 0) => new Vector3(x, z, y);
export const turnOf = (deg) => -MathUtils.degToRad(deg);

// A direction on the table, clockwise from -y (the far side), as `towards` and every side is given.
export const along = (deg) => {
  const angle = MathUtils.degToRad(deg);
  return { x: Math.sin(angle), y: -Math.cos(angle) };
};

