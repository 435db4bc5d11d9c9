// Nine carved faces, each drawn twice at once: its paint, and how high the carving stands out.
//
// A face is 58 mm wide and 25 mm high, drawn around its middle; heights are shares of RELIEF_MM.

import { ellipse, penOf, polygon, shade } from "./canvas.js";

export const FACE_MM = [58, 25];
export const RELIEF_MM = 4.2;
const PX = [512, 224];
const REST = 0.4;

// Paint and height at once.  Every part has a dark edge, as in a cut.
class Carver {
  constructor(paint) {
    this.paint = penOf(...PX, ...FACE_MM);
    this.relief = penOf(...PX, ...FACE_MM, true);
    for (const pen of [this.paint, this.relief]) pen.translate(FACE_MM[0] / 2, FACE_MM[1] / 2);
    this.base = paint;
    this.paint.fillStyle = paint;
    this.paint.fillRect(-30, -13, 60, 26);
    this.relief.fillStyle = this.grey(REST);
    this.relief.fillRect(-30, -13, 60, 26);
  }

  grey(height) {
    const level = Math.round(255 * height);
    return `rgb(${level},${level},${level})`;
  }

  // Fill what `draw` draws with a colour, at a height; the edge is cut `cut` mm wide.
  fill(draw, colour, height, cut = 0.5) {
    if (cut) {
      draw(this.paint);
      this.paint.strokeStyle = shade(this.base, 0.32);
      this.paint.lineWidth = 2 * cut;
      this.paint.stroke();
      draw(this.relief);
      this.relief.strokeStyle = this.grey(Math.min(height, REST) - 0.2);
      this.relief.lineWidth = 2 * cut;
      this.relief.stroke();
    }
    draw(this.paint);
    this.paint.fillStyle = colour;
    this.paint.fill();
    draw(this.relief);
    this.relief.fillStyle = this.grey(height);
    this.relief.fill();
  }

  line(draw, colour, width, height) {
    for (const [pen, style] of [[this.paint, colour], [this.relief, this.grey(height)]]) {
      draw(pen);
      pen.strokeStyle = style;
      pen.lineWidth = width;
      pen.stroke();
    }
  }

  // The same on both sides of the middle.
  both(act) {
    for (const side of [-1, 1]) act((x) => side * x, side);
  }
}

const IVORY = "#f6efdc", INK = "#1d1512", GOLD = "#e8b53a", RED = "#c8372d", BONE = "#e9dcbc";

function roundEyes(face, { x = 11, y = -3, r = 4, iris = INK, ring = GOLD, squint = 0 }) {
  face.both((at) => {
    face.fill((pen) => ellipse(pen, at(x), y, r + 1.3), ring, 0.75);
    face.fill((pen) => ellipse(pen, at(x), y, r, r * (1 - squint)), IVORY, 0.9, 0.3);
    face.fill((pen) => ellipse(pen, at(x - 0.4), y + 0.4, r * 0.48), iris, 0.98, 0);
    face.fill((pen) => ellipse(pen, at(x - 1.2), y - 0.6, r * 0.14), "#ffffff", 0.98, 0);
  });
}

function slantEyes(face, { x = 11, y = -2.5, w = 6, h = 3, slant = 0.35, iris = INK, white = IVORY, ring = INK }) {
  face.both((at, side) => {
    face.fill((pen) => ellipse(pen, at(x), y, w + 1.1, h + 1.1, side * slant), ring, 0.2, 0.4);
    face.fill((pen) => ellipse(pen, at(x), y, w, h, side * slant), white, 0.75, 0);
    face.fill((pen) => ellipse(pen, at(x - 0.5), y, h * 0.62), iris, 0.85, 0);
  });
}

function squareEyes(face, { x = 11.5, y = -2.5, w = 7, h = 6.4, white = IVORY, ring = GOLD, iris = INK }) {
  face.both((at) => {
    const rect = (pen, cx, cy, wide, high) => polygon(pen, [
      [at(cx - wide / 2), cy - high / 2], [at(cx + wide / 2), cy - high / 2],
      [at(cx + wide / 2), cy + high / 2], [at(cx - wide / 2), cy + high / 2]]);
    face.fill((pen) => rect(pen, x, y, w + 2.6, h + 2.6), ring, 0.72);
    face.fill((pen) => rect(pen, x, y, w, h), white, 0.35, 0.3);
    face.fill((pen) => rect(pen, x - 0.3, y + 0.4, w * 0.42, h * 0.55), iris, 0.6, 0);
  });
}

function brows(face, { from = [5, -6.5], to = [18, -9.5], thick = 3, colour = INK }) {
  face.both((at) => {
    face.fill((pen) => polygon(pen, [
      [at(from[0]), from[1] - thick / 2], [at(to[0]), to[1] - thick / 2],
      [at(to[0] + 1), to[1] + thick / 2], [at(from[0]), from[1] + thick / 2]]), colour, 1);
  });
}

function nose(face, { kind = "broad", colour = GOLD, y = 1.5 }) {
  const shapes = {
    broad: (pen) => { pen.beginPath(); pen.moveTo(-2, y - 8); pen.lineTo(2, y - 8); pen.quadraticCurveTo(3, y - 2, 5.5, y + 1.2); pen.quadraticCurveTo(0, y + 4, -5.5, y + 1.2); pen.quadraticCurveTo(-3, y - 2, -2, y - 8); },
    wedge: (pen) => polygon(pen, [[0, y - 9], [4.6, y + 2], [-4.6, y + 2]]),
    long: (pen) => { pen.beginPath(); pen.roundRect(-2.1, y - 9, 4.2, 12.5, 2); },
    button: (pen) => ellipse(pen, 0, y, 4, 3),
  };
  face.fill(shapes[kind], colour, 1);
  if (kind !== "long") face.both((at) => face.fill((pen) => ellipse(pen, at(2.1), y + 0.7, 0.85, 0.65), INK, 0.55, 0));
}

function teeth(face, { x = 13, y = 8, h = 2.6, count = 8, lips = RED, gap = true, curve = 0 }) {
  face.fill((pen) => {
    pen.beginPath();
    pen.moveTo(-x - 1.4, y - h - curve);
    pen.quadraticCurveTo(0, y - h - 0.6 + curve, x + 1.4, y - h - curve);
    pen.lineTo(x + 1.4, y + h - curve);
    pen.quadraticCurveTo(0, y + h + 1.2 + curve, -x - 1.4, y + h - curve);
    pen.closePath();
  }, lips, 0.82);
  face.fill((pen) => { pen.beginPath(); pen.roundRect(-x, y - h * 0.62 - curve * 0.4, 2 * x, 1.5 * h, 1); }, INK, 0.1, 0);
  const wide = (2 * x) / count;
  for (let tooth = 0; tooth < count; tooth += 1) {
    if (gap && tooth % 2) continue;
    const left = -x + wide * tooth + 0.25;
    face.fill((pen) => { pen.beginPath(); pen.roundRect(left, y - h * 0.55 - curve * 0.4, wide * (gap ? 1.15 : 0.88), 1.35 * h, 0.5); }, BONE, 0.68, 0.15);
  }
}

function fangs(face, { x = 14, y = 7.5, colour = IVORY, up = true }) {
  face.fill((pen) => { pen.beginPath(); pen.roundRect(-x, y - 2, 2 * x, 4.4, 1.6); }, INK, 0.08);
  face.both((at) => {
    const tip = up ? -4.2 : 5;
    face.fill((pen) => polygon(pen, [[at(x - 4.5), y + (up ? 2 : -2)], [at(x - 0.6), y + (up ? 2 : -2)], [at(x - 2), y + tip]]), colour, 0.95, 0.3);
  });
  for (let tooth = -2; tooth <= 2; tooth += 1) {
    face.fill((pen) => polygon(pen, [[tooth * 3.2 - 1.3, y - 2], [tooth * 3.2 + 1.3, y - 2], [tooth * 3.2, y + 1]]), colour, 0.6, 0.1);
  }
}

function smile(face, { x = 12, y = 6, drop = 5, colour = IVORY, tongue = null }) {
  const curve = (pen) => {
    pen.beginPath();
    pen.moveTo(-x, y);
    pen.quadraticCurveTo(0, y + 1, x, y);
    pen.quadraticCurveTo(0, y + 2 * drop, -x, y);
  };
  face.fill(curve, INK, 0.08, 0.8);
  face.fill((pen) => { pen.beginPath(); pen.moveTo(-x + 1.5, y + 0.6); pen.quadraticCurveTo(0, y + 1.4, x - 1.5, y + 0.6); pen.quadraticCurveTo(0, y + drop * 0.9, -x + 1.5, y + 0.6); }, colour, 0.6, 0);
  if (tongue) face.fill((pen) => ellipse(pen, 0, y + drop * 0.95, 4, 2.6), tongue, 0.95, 0.3);
}

function round(face, { r = 4.5, y = 7.4, lips = RED }) {
  face.fill((pen) => ellipse(pen, 0, y, r * 1.6, r), lips, 0.9);
  face.fill((pen) => ellipse(pen, 0, y, r * 1.05, r * 0.58), INK, 0.02, 0.2);
}

function zigzag(face, { colour, y = -11.3, high = 3, count = 8, width = 29 }) {
  const points = [[-width, y - 3]];
  for (let step = 0; step <= 2 * count; step += 1) points.push([-width + (width * step) / count, step % 2 ? y + high : y]);
  points.push([width, y - 3]);
  face.fill((pen) => polygon(pen, points), colour, 0.7);
}

function stripes(face, { xs = [22, 25.4], colour, from = -9, to = 9, width = 1.6, slant = 0 }) {
  face.both((at) => xs.forEach((x) => face.line((pen) => polygon(pen, [[at(x + slant), from], [at(x), to]], false), colour, width, 0.12)));
}

function dots(face, { places, colour, r = 1.1 }) {
  face.both((at) => places.forEach(([x, y]) => face.fill((pen) => ellipse(pen, at(x), y, r), colour, 0.7, 0.2)));
}

function spiral(face, { x = 22.5, y = 4, r = 4.6, colour }) {
  face.both((at, side) => face.line((pen) => {
    pen.beginPath();
    for (let step = 0; step <= 40; step += 1) {
      const angle = step * 0.34, reach = (r * step) / 40;
      const place = [at(x) + side * reach * Math.cos(angle), y + reach * Math.sin(angle)];
      if (step) pen.lineTo(...place);
      else pen.moveTo(...place);
    }
  }, colour, 1.3, 0.85));
}

function leaves(face, { colour, count = 7, y = -10.5, long = 5 }) {
  for (let leaf = 0; leaf < count; leaf += 1) {
    const x = -25 + (50 * leaf) / (count - 1);
    face.fill((pen) => ellipse(pen, x, y, 1.9, long, x * 0.02), colour, 0.8, 0.3);
  }
}

// Name, paint and carving of each tiki.
const TIKIS = {
  hookipa: ["#8b9299", (face) => {
    brows(face, { from: [3, -8], to: [21, -8], thick: 3.2, colour: "#5d646c" });
    roundEyes(face, { x: 12, y: -2, r: 3.6, ring: "#c9ced2" });
    nose(face, { kind: "broad", colour: "#a8aeb3", y: 2 });
    teeth(face, { x: 15, y: 8.2, h: 2.3, count: 9, lips: "#5d646c" });
    stripes(face, { xs: [23, 26], colour: "#dfe3e6" });
  }],
  lokahi: ["#6b3f9e", (face) => {
    leaves(face, { colour: "#e3c23d", count: 8 });
    roundEyes(face, { x: 13, y: -1.5, r: 4.4, ring: "#c9a6ec", iris: "#2b1450" });
    nose(face, { kind: "wedge", colour: "#e3c23d", y: 2.5 });
    smile(face, { x: 11, y: 6.3, drop: 4.4, colour: "#f3e6ff" });
    dots(face, { places: [[24, 4], [21, 8], [26, 9]], colour: "#e3c23d" });
  }],
  nani: ["#c3262b", (face) => {
    zigzag(face, { colour: "#f0e4cf", y: -11, high: 3.4, count: 7 });
    slantEyes(face, { x: 11.5, y: -2.6, w: 6.2, h: 2.9, slant: -0.3, white: "#ffe9a8" });
    nose(face, { kind: "long", colour: "#7d1216", y: 1.5 });
    teeth(face, { x: 14, y: 8.3, h: 2.7, count: 12, lips: "#7d1216", gap: false });
    stripes(face, { xs: [22.5, 25.8], colour: "#f0e4cf", from: -3, to: 9, slant: 2 });
  }],
  wikiwiki: ["#2668c4", (face) => {
    squareEyes(face, { x: 12, y: -3.4, ring: "#8fd3f2", iris: "#0c2350" });
    nose(face, { kind: "wedge", colour: "#8fd3f2", y: 2 });
    fangs(face, { x: 13, y: 7.4 });
    stripes(face, { xs: [21.6, 24.6, 27.4], colour: "#d8f0ff", width: 1.2 });
  }],
  akamai: ["#e2711d", (face) => {
    brows(face, { from: [3, -9.5], to: [19, -6.5], thick: 2.8, colour: "#5a2306" });
    roundEyes(face, { x: 11, y: -1.2, r: 3.3, ring: "#ffe0a3", squint: 0.25 });
    nose(face, { kind: "button", colour: "#a8430b", y: 2.6 });
    round(face, { r: 3.4, y: 8.4, lips: "#5a2306" });
    spiral(face, { colour: "#ffe9c4", y: 3 });
  }],
  huhu: ["#edbb1f", (face) => {
    brows(face, { from: [2.5, -4.8], to: [20, -10.5], thick: 3.6, colour: "#3f2a08" });
    slantEyes(face, { x: 12, y: -1.4, w: 5.2, h: 2.5, slant: -0.42, iris: "#b3180f" });
    nose(face, { kind: "broad", colour: "#c98d10", y: 3 });
    fangs(face, { x: 16, y: 8, up: true });
    dots(face, { places: [[25, -6], [25, -1.5], [25, 3]], colour: "#b3180f", r: 1.3 });
  }],
  kapu: ["#e07aae", (face) => {
    leaves(face, { colour: "#fff3d6", count: 11, y: -11, long: 4 });
    squareEyes(face, { x: 12.5, y: -1.6, w: 8.4, h: 3.2, ring: "#8d2a5c", white: "#fff7fb" });
    nose(face, { kind: "long", colour: "#8d2a5c", y: 2 });
    round(face, { r: 3.6, y: 8.4, lips: "#fff3d6" });
    stripes(face, { xs: [23, 26.2], colour: "#8d2a5c", from: -4, to: 10 });
  }],
  eepo: ["#6b4226", (face) => {
    zigzag(face, { colour: "#d9a25f", y: -11.4, high: 3.6, count: 5 });
    roundEyes(face, { x: 14, y: -1.8, r: 4, ring: "#d9a25f", iris: "#1c5e2a", squint: 0.4 });
    nose(face, { kind: "broad", colour: "#8b5a36", y: 1.8 });
    teeth(face, { x: 12, y: 8.4, h: 2.5, count: 5, lips: "#d9a25f" });
    spiral(face, { x: 24, y: 6, r: 3.6, colour: "#f0d9b4" });
  }],
  nui: ["#2f8a3c", (face) => {
    brows(face, { from: [3, -9], to: [21, -9], thick: 2.2, colour: "#f2e14c" });
    roundEyes(face, { x: 10.5, y: -2.4, r: 4.6, ring: "#f2e14c", iris: "#0d3a16" });
    nose(face, { kind: "button", colour: "#1b5d27", y: 2.8 });
    smile(face, { x: 15, y: 6.2, drop: 3.6, colour: "#fbfbe8", tongue: "#d8453a" });
    dots(face, { places: [[21, -3], [24, 1], [21, 5], [25.5, -5], [25.5, 7]], colour: "#c9ecc1" });
  }],
};

export const TIKI_NAMES = Object.keys(TIKIS);

// The canvas of a tiki's paint, and its relief: a function of shares across and down, 0 to 1.
export function carve(name) {
  const [paint, act] = TIKIS[name] || ["#a9784a", (face) => { roundEyes(face, {}); teeth(face, {}); }];
  const face = new Carver(paint);
  act(face);
  const { data, width, height } = face.relief.getImageData(0, 0, ...PX);
  const at = (column, row) => data[4 * (Math.max(0, Math.min(height - 1, row)) * width + Math.max(0, Math.min(width - 1, column)))];
  const relief = (u, v) => {
    let sum = 0;
    const [column, row] = [Math.round(u * (width - 1)), Math.round(v * (height - 1))];
    for (const dy of [-2, 0, 2]) for (const dx of [-2, 0, 2]) sum += at(column + dx, row + dy);
    return sum / 9 / 255 - REST;
  };
  return { canvas: face.paint.canvas, relief, paint };
}
