// ArUco markers of DICT_4X4_50, as flat coloured squares: sharp at any size, without a texture.

import { BufferGeometry, Color, Float32BufferAttribute } from "./three/three.module.js";

// Each marker's 16 bits, row by row from the top left, the first the highest; 1 is white.
export const DICT_4X4_50 = [
  0xb532, 0x0f9a, 0x332d, 0x9946, 0x549e, 0x79cd, 0x9e2e, 0xc4f2, 0xfeda, 0xcf56,
  0xf991, 0x11a7, 0x0eb7, 0x2a0f, 0x24b1, 0x263e, 0x4665, 0x6600, 0x6c5e, 0x76af,
  0x868b, 0xb02b, 0xccd5, 0xdd82, 0xfe47, 0x9471, 0xace4, 0xa554, 0x2123, 0x346f,
  0x4415, 0x57b2, 0x9ecf, 0xf0cb, 0x08ae, 0x0929, 0x1875, 0x04ff, 0x0df6, 0x1c5a,
  0x1718, 0x2a28, 0x328c, 0x38b2, 0x24e8, 0x2eeb, 0x2d3f, 0x4b64, 0x502e, 0x5013,
];
const CELLS = 6;

// Whether a marker is white in one of its 6 x 6 cells; its border is black.
export function isWhite(number, row, column) {
  if (row < 1 || column < 1 || row > 4 || column > 4) return false;
  return Boolean((DICT_4X4_50[number] >> (15 - 4 * (row - 1) - (column - 1))) & 1);
}

// A square of paper with a marker, face up around the origin; sides in mm.
export function markerGeometry(number, markerMm, paperMm, paper = "#f1efe9", ink = "#141414") {
  const half = markerMm / 2;
  const edges = [-paperMm / 2];
  for (let step = 0; step <= CELLS; step += 1) edges.push(-half + (markerMm * step) / CELLS);
  edges.push(paperMm / 2);
  const places = [], normals = [], colours = [];
  const white = new Color(paper), black = new Color(ink);
  for (let row = 0; row < edges.length - 1; row += 1) {
    for (let column = 0; column < edges.length - 1; column += 1) {
      const border = row === 0 || column === 0 || row > CELLS || column > CELLS;
      const { r, g, b } = border || isWhite(number, row - 1, column - 1) ? white : black;
      const [left, right, top, low] = [edges[column], edges[column + 1], edges[row], edges[row + 1]];
      for (const [x, y] of [[left, top], [left, low], [right, low], [left, top], [right, low], [right, top]]) {
        places.push(x, 0, y);
        normals.push(0, 1, 0);
        colours.push(r, g, b);
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  return geometry;
}
