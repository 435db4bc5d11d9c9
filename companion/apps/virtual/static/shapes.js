// The shapes of things in mm, standing on the origin with their tops up (three.js's frame).

import { BufferGeometry, Color, Float32BufferAttribute, LatheGeometry, Matrix4, Vector2, Vector3 } from "./three/three.module.js";
import { RELIEF_MM } from "./faces.js";

// Several geometries as one, each with its colour if it has none; uv only if all have it.
export function merge(parts) {
  const names = ["position", "normal", "color"];
  if (parts.every(({ geometry }) => geometry.attributes.uv)) names.push("uv");
  const found = Object.fromEntries(names.map((name) => [name, []]));
  for (const { geometry, colour } of parts) {
    const flat = geometry.index ? geometry.toNonIndexed() : geometry;
    const count = flat.attributes.position.count;
    const { r, g, b } = new Color(colour || "#ffffff");
    for (const name of names) {
      const from = flat.attributes[name];
      if (from) for (const value of from.array) found[name].push(value);
      else for (let at = 0; at < count; at += 1) found[name].push(r, g, b);
    }
  }
  const merged = new BufferGeometry();
  for (const name of names) merged.setAttribute(name, new Float32BufferAttribute(found[name], name === "uv" ? 2 : 3));
  return merged;
}

// The triangles between places that lie in rows and columns of cells, from the place `first` on.
function* cells(first, rows, columns) {
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const at = first + row * (columns + 1) + column, below = at + columns + 1;
      yield* [at, below, at + 1, at + 1, below, below + 1];
    }
  }
}

// A geometry whose light changes smoothly from place to place.
function smooth(places, uvs, index) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
  geometry.setAttribute("uv", new Float32BufferAttribute(uvs, 2));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

// A carved block: a rounded bar with a relief on its top, uv as seen from above.
export function carvedBlock([width, depth, height], relief, [columns, rows] = [58, 28]) {
  const places = [], uvs = [];
  const edge = 4.2, round = 3.4, crown = height - RELIEF_MM * 0.55;
  const unit = (share) => Math.sign(share) * Math.min(1, Math.abs(share) / 0.84);
  const drop = (share) => Math.max(0, (Math.abs(share) - 0.84) / 0.16);
  for (let row = 0; row <= rows; row += 1) {
    for (let column = 0; column <= columns; column += 1) {
      const [s, t] = [(2 * column) / columns - 1, (2 * row) / rows - 1];
      const fall = Math.max(drop(s), drop(t));
      // The edge: a quarter of a circle, then straight down.
      const bend = Math.min(1, fall / 0.55), angle = (bend * Math.PI) / 2;
      const grow = edge * (Math.sin(angle) - 1);
      let x = unit(s) * (width / 2 - edge) + (drop(s) > 0 ? Math.sign(s) * (edge + grow * (drop(s) >= drop(t) ? 1 : 0)) : 0);
      let y = unit(t) * (depth / 2 - edge) + (drop(t) > 0 ? Math.sign(t) * (edge + grow * (drop(t) >= drop(s) ? 1 : 0)) : 0);
      if (drop(s) > 0 && drop(s) < drop(t)) x = Math.sign(s) * (width / 2 - edge + edge * Math.min(1, drop(s) / fall));
      if (drop(t) > 0 && drop(t) < drop(s)) y = Math.sign(t) * (depth / 2 - edge + edge * Math.min(1, drop(t) / fall));
      const [over, beside] = [Math.abs(x) - (width / 2 - round), Math.abs(y) - (depth / 2 - round)];
      if (over > 0 && beside > 0 && Math.hypot(over, beside) > round) {
        const scale = round / Math.hypot(over, beside);
        x = Math.sign(x) * (width / 2 - round + over * scale);
        y = Math.sign(y) * (depth / 2 - round + beside * scale);
      }
      const [u, v] = [x / width + 0.5, y / depth + 0.5];
      const bow = 1.6 * (1 - (2 * v - 1) ** 2) * (1 - (2 * u - 1) ** 4) - 1.2;
      const top = crown + bow + RELIEF_MM * relief(u, v) * (1 - bend);
      const side = Math.max(0, (fall - 0.55) / 0.45);
      const z = fall ? (top - edge * (1 - Math.cos(angle))) * (1 - side) : top;
      places.push(x, z, y);
      uvs.push(u, 1 - v);
    }
  }
  return smooth(places, uvs, [...cells(0, rows, columns)]);
}

// What is turned on a lathe: [radius, height] from the foot up.
export function turned(profile, segments = 24) {
  return new LatheGeometry(profile.map(([radius, z]) => new Vector2(Math.max(radius, 0.01), z)), segments);
}

// A figure of 26 mm whose body is lobed; uv: around it from its back, down along its skin.
export function figure({ width, height }, lobes, segments = 32) {
  const scale = width / 26, tall = height / 22;
  const profile = [
    [0.1, 22, 0], [5.6, 21.7, 0], [8.6, 20.8, 0], [10.1, 19.2, 0], [10.5, 17.6, 0], [9.9, 16.4, 0],
    [12.6, 15.2, 1], [13, 13.4, 1], [12.3, 11.6, 1], [12.1, 9, 0.7], [12.5, 5.5, 0.7], [12.2, 1, 0.5], [10.8, 0, 0],
  ];
  let length = 0;
  const reach = profile.map(([r, z], at) => (length += at ? Math.hypot(r - profile[at - 1][0], z - profile[at - 1][1]) : 0));
  const places = [], uvs = [];
  profile.forEach(([radius, z, lobed], ring) => {
    for (let step = 0; step <= segments; step += 1) {
      const share = step / segments, angle = 2 * Math.PI * share;
      const own = radius * scale * (1 + lobed * 0.045 * Math.cos(lobes * angle));
      // From the back (far side) over the left to the front (near side), where u is 0.5.
      places.push(-own * Math.sin(angle), z * tall, -own * Math.cos(angle));
      uvs.push(share, 1 - reach[ring] / length);
    }
  });
  return smooth(places, uvs, [...cells(0, profile.length - 1, segments)]);
}

export function disc({ diameter, height }, segments = 28) {
  const r = diameter / 2, h = height;
  return turned([[0.01, 0], [r - 0.5, 0], [r, 0.6], [r, h - 1], [r - 0.3, h - 0.3], [r - 1, h], [r * 0.76, h], [r * 0.72, h - 0.6], [0.01, h - 0.6]], segments);
}

const CORNER_STEPS = 3;

// The outline of a rectangle with round corners, clockwise from above: [x, y, and the way out].
function outline(width, height, corner) {
  const points = [], [x, y] = [width / 2 - corner, height / 2 - corner];
  [[x, -y, -90], [x, y, 0], [-x, y, 90], [-x, -y, 180]].forEach(([cx, cy, from]) => {
    for (let step = 0; step <= CORNER_STEPS; step += 1) {
      const angle = ((from + (90 * step) / CORNER_STEPS) * Math.PI) / 180;
      const out = [Math.cos(angle), Math.sin(angle)];
      points.push([cx + corner * out[0], cy + corner * out[1], out]);
    }
  });
  return points;
}

// A flat slab with round corners, its print on top; group 0 is the print, group 1 all else.
// back: whether the print is below, too.  Of few corners, since a deck has many slabs.
export function slab([width, height], thick, corner, back = false) {
  const around = outline(width, height, corner), count = around.length;
  const places = [], normals = [], uvs = [], index = [];
  const ring = (z, normalOf) => {
    const first = places.length / 3;
    for (const [x, y, out] of around) {
      places.push(x, z, y);
      normals.push(...normalOf(out));
      uvs.push(x / width + 0.5, 0.5 - y / height);
    }
    return first;
  };
  const fan = (first, turned) => {
    for (let at = 1; at < count - 1; at += 1) index.push(first, first + at + (turned ? 1 : 0), first + at + (turned ? 0 : 1));
  };
  fan(ring(thick, () => [0, 1, 0]), true);
  const top = index.length;
  fan(ring(0, () => [0, -1, 0]), false);
  const printed = back ? index.length : top;
  const high = ring(thick, (out) => [out[0], 0, out[1]]), low = ring(0, (out) => [out[0], 0, out[1]]);
  for (let at = 0; at < count; at += 1) {
    const next = (at + 1) % count;
    index.push(high + at, high + next, low + at, low + at, high + next, low + next);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
  geometry.setAttribute("uv", new Float32BufferAttribute(uvs, 2));
  geometry.setIndex(index);
  geometry.addGroup(0, printed, 0);
  geometry.addGroup(printed, index.length - printed, 1);
  return geometry;
}

// A die with round edges; its sides lie side by side in one print, the first on top.
export function die(side) {
  const half = side / 2, steps = 4, places = [], uvs = [], index = [];
  const faces = [[[0, 1, 0], [1, 0, 0]], [[0, 0, 1], [1, 0, 0]], [[1, 0, 0], [0, 0, -1]], [[0, 0, -1], [-1, 0, 0]], [[-1, 0, 0], [0, 0, 1]], [[0, -1, 0], [1, 0, 0]]];
  faces.forEach(([out, right], face) => {
    const normal = new Vector3(...out), across = new Vector3(...right), down = new Vector3().crossVectors(across, normal);
    const first = places.length / 3;
    for (let row = 0; row <= steps; row += 1) {
      for (let column = 0; column <= steps; column += 1) {
        const [s, t] = [column, row].map((at) => [-1, -0.82, 0, 0.82, 1][at]);
        const place = normal.clone().addScaledVector(across, s).addScaledVector(down, t);
        const core = place.clone().clampScalar(-0.8, 0.8);
        place.sub(core).normalize().multiplyScalar(0.2).add(core).multiplyScalar(half);
        places.push(place.x, place.y + half, place.z);
        uvs.push((face + (s + 1) / 2) / 6, 0.5 - t / 2);
      }
    }
    index.push(...cells(first, steps, steps));
  });
  return smooth(places, uvs, index);
}

// A limb with round ends from one place to another, thick at the first, thin at the second.
export function limb(from, to, thick, thin, segments = 10) {
  const long = from.distanceTo(to), profile = [];
  for (let step = 0; step <= 3; step += 1) {
    const angle = (step * Math.PI) / 6;
    profile.push([thick * Math.sin(angle), -thick * Math.cos(angle)]);
  }
  for (let step = 0; step <= 3; step += 1) {
    const angle = (step * Math.PI) / 6;
    profile.push([thin * Math.cos(angle), long + thin * Math.sin(angle)]);
  }
  const geometry = turned(profile, segments);
  const up = to.clone().sub(from).normalize();
  const aside = new Vector3(Math.abs(up.x) < 0.9 ? 1 : 0, 0, Math.abs(up.x) < 0.9 ? 0 : 1).cross(up).normalize();
  const matrix = new Matrix4().makeBasis(new Vector3().crossVectors(up, aside), up, aside).setPosition(from);
  if (matrix.determinant() < 0) matrix.makeBasis(aside, up, new Vector3().crossVectors(aside, up)).setPosition(from);
  return geometry.applyMatrix4(matrix);
}
