// What is printed on boards, figures, dice and grounds: drawn here once, on canvases.

import { box, drawWood, ellipse, penOf, polygon, randomOf, shade } from "./canvas.js";

export { carve, TIKI_NAMES } from "./faces.js";
export { drawBack, drawGoal, drawIdolCard, drawPileCard, drawUno, FACE_CARD_MM, PILE_MM, UNO_MM } from "./cards.js";

const SERIF = "Georgia, 'DejaVu Serif', 'Liberation Serif', serif";

function leaf(pen, x, y, long, turn, colour) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(turn);
  pen.beginPath();
  pen.moveTo(0, 0);
  pen.quadraticCurveTo(long * 0.5, -long * 0.32, long, 0);
  pen.quadraticCurveTo(long * 0.5, long * 0.32, 0, 0);
  pen.fillStyle = colour;
  pen.fill();
  pen.strokeStyle = shade(colour, 0.7);
  pen.lineWidth = 0.35;
  polygon(pen, [[0, 0], [long * 0.9, 0]], false);
  pen.stroke();
  pen.restore();
}

function blossom(pen, x, y, r, colour) {
  for (let petal = 0; petal < 5; petal += 1) {
    const angle = (petal * 2 * Math.PI) / 5 + x;
    ellipse(pen, x + r * 0.6 * Math.cos(angle), y + r * 0.6 * Math.sin(angle), r * 0.62, r * 0.45, angle);
    pen.fillStyle = colour;
    pen.fill();
  }
  ellipse(pen, x, y, r * 0.35);
  pen.fillStyle = "#f4c52f";
  pen.fill();
}

// The board of the line: a jungle by night, a track around it, planks for the line.
// layout: as usual_table has it; all in mm of the board.
export function drawLineBoard(layout) {
  const [left, top, right, low] = layout.board, width = right - left, height = low - top;
  const pen = penOf(1024, Math.round((1024 * height) / width), width, height), random = randomOf(7);
  const night = pen.createRadialGradient(width / 2, height / 2, 20, width / 2, height / 2, height * 0.62);
  night.addColorStop(0, "#2f5a46");
  night.addColorStop(1, "#14312b");
  pen.fillStyle = night;
  pen.fillRect(0, 0, width, height);
  for (let ray = 0; ray < 22; ray += 1) {
    const angle = (ray * Math.PI) / 11;
    polygon(pen, [[width / 2, height / 2], ...[0, 0.13].map((more) => [width / 2 + 260 * Math.cos(angle + more), height / 2 + 260 * Math.sin(angle + more)])]);
    pen.fillStyle = "rgba(120,190,140,0.09)";
    pen.fill();
  }
  const slots = layout.slots, strip = { x: slots[0].x - left, w: slots[0].w + 6 };
  for (let at = 0; at < 95; at += 1) {
    const x = random() * width, y = random() * height;
    if (Math.abs(x - strip.x) < strip.w / 2 + 12) continue;
    leaf(pen, x, y, 9 + 12 * random(), random() * 6.3, ["#3d8a4a", "#5aa34d", "#2c6e4c", "#7bb04a"][at % 4]);
    if (at % 5 === 0) blossom(pen, x + 6, y + 4, 4.2, ["#f3ede0", "#e98fb2", "#e2574a"][at % 3]);
  }
  track(pen, width, height);
  drawStrip(pen, strip, slots, [left, top]);
  pen.strokeStyle = "#c99a4b";
  pen.lineWidth = 1.4;
  pen.strokeRect(1.6, 1.6, width - 3.2, height - 3.2);
  return pen.canvas;
}

function track(pen, width, height) {
  const inset = 13, steps = 34, places = [];
  for (let step = 0; step < steps; step += 1) {
    const right = step >= steps / 2, share = (step % (steps / 2)) / (steps / 2 - 1);
    places.push([right ? width - inset : inset, height - inset - share * (height - 2 * inset)]);
  }
  places.forEach(([x, y], step) => {
    ellipse(pen, x, y, 6.4);
    pen.fillStyle = step % 5 === 4 ? "#e0a13e" : "#e8e2cf";
    pen.fill();
    pen.strokeStyle = "#2b2118";
    pen.lineWidth = 0.7;
    pen.stroke();
    pen.fillStyle = "#3a2a18";
    pen.font = `700 5.4px ${SERIF}`;
    pen.textAlign = "center";
    pen.fillText(String(2 * (step % 17) + (step >= 17 ? 34 : 0)), x, y + 1.9);
  });
}

function drawStrip(pen, strip, slots, [left, top]) {
  const from = slots[0].y - top - slots[0].h / 2 - 3, to = slots[slots.length - 1].y - top + slots[0].h / 2 + 3;
  box(pen, strip.x - strip.w / 2 - 4, from - 3, strip.w + 8, to - from + 6, 4);
  pen.fillStyle = "#4a2c14";
  pen.fill();
  drawWood(pen, strip.x - strip.w / 2, from, strip.w, to - from, "#a87846", 3);
  slots.forEach((slot, at) => {
    const x = slot.x - left, y = slot.y - top;
    box(pen, x - slot.w / 2, y - slot.h / 2, slot.w, slot.h, 2);
    pen.strokeStyle = "rgba(60,32,12,0.75)";
    pen.lineWidth = 0.8;
    pen.stroke();
    pen.fillStyle = "rgba(60,32,12,0.5)";
    pen.font = `700 12px ${SERIF}`;
    pen.textAlign = "center";
    pen.fillText(["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"][at] || "", x, y + 4);
  });
}

// The board of fields: five by five stepping stones in a lagoon.
export function drawFieldBoard(layout) {
  const [left, top, right, low] = layout.board, width = right - left, height = low - top;
  const pen = penOf(1024, 1024, width, height), random = randomOf(21);
  pen.fillStyle = "#2f7f86";
  pen.fillRect(0, 0, width, height);
  pen.strokeStyle = "rgba(190,235,230,0.25)";
  pen.lineWidth = 0.8;
  for (let wave = 0; wave < 160; wave += 1) {
    const x = random() * width, y = random() * height;
    pen.beginPath();
    pen.arc(x, y, 3 + 5 * random(), 3.5, 5.9);
    pen.stroke();
  }
  for (const { r, c, x, y } of layout.cells.flat()) stone(pen, x - left, y - top, layout.field_mm, r, c, random);
  pen.strokeStyle = "#1c4d55";
  pen.lineWidth = 3;
  pen.strokeRect(1.5, 1.5, width - 3, height - 3);
  return pen.canvas;
}

function stone(pen, x, y, side, row, column, random) {
  const half = side / 2 - 3.2, tones = ["#d9c9a0", "#b9a679"];
  box(pen, x - half, y - half, 2 * half, 2 * half, 9);
  pen.fillStyle = tones[(row + column) % 2];
  pen.fill();
  pen.strokeStyle = "#6d5c3a";
  pen.lineWidth = 1.1;
  pen.stroke();
  pen.strokeStyle = "rgba(96,78,44,0.5)";
  pen.lineWidth = 0.8;
  for (const r of [9, 13.5]) {
    pen.beginPath();
    pen.arc(x, y, r, random() * 6, random() * 6 + 3.6);
    pen.stroke();
  }
  if (row === 0 || row === 4) {
    pen.fillStyle = row ? "rgba(40,92,176,0.55)" : "rgba(206,104,28,0.55)";
    for (const [dx, dy] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      ellipse(pen, x + dx * (half - 5.5), y + dy * (half - 5.5), 2.1);
      pen.fill();
    }
  }
}

// Topple's balance board: pale wood, five by five spots with what they are worth.
export function drawBalance(balance) {
  const side = balance.size, pen = penOf(1024, 1024, side, side);
  drawWood(pen, 0, 0, side, side, "#d8ac6a", 11, 0.9);
  pen.strokeStyle = "#8a5a2a";
  for (const inset of [26, 62]) {
    box(pen, inset, inset, side - 2 * inset, side - 2 * inset, 8);
    pen.lineWidth = 0.7;
    pen.stroke();
  }
  for (const { r, c, x, y } of balance.spots.flat()) {
    const level = Math.abs(r - 2) + Math.abs(c - 2);
    ellipse(pen, side / 2 + x, side / 2 + y, 13);
    pen.fillStyle = "#bd8248";
    pen.fill();
    pen.lineWidth = 0.9;
    pen.strokeStyle = "#754719";
    pen.stroke();
    pen.fillStyle = "#5a3210";
    pen.font = `700 9px ${SERIF}`;
    pen.textAlign = "center";
    if (level) pen.fillText(`+${level}`, side / 2 + x, side / 2 + y + 3.2);
    else pen.fillRect(side / 2 - 2.5, side / 2 - 2.5, 5, 5);
  }
  pen.lineWidth = 2.2;
  pen.strokeStyle = "#9c6a32";
  pen.strokeRect(1.1, 1.1, side - 2.2, side - 2.2);
  return pen.canvas;
}

// The skin of a figure: across around it from its back, down from its top.
export const FIGURES = {
  tac: { body: "#ef8a1d", dark: "#b4560c", light: "#ffd07a", happy: true },
  tiki: { body: "#2c63c9", dark: "#1c3f8f", light: "#8fc3ff", happy: false },
};

export function drawFigure(look) {
  const { body, dark, light, happy } = FIGURES[look] || FIGURES.tiki;
  const pen = penOf(512, 256, 80, 40);
  pen.fillStyle = body;
  pen.fillRect(0, 0, 80, 40);
  pen.fillStyle = dark;
  pen.fillRect(0, 27, 80, 2.2);
  pen.fillStyle = light;
  for (let at = 0; at < 10; at += 1) {
    if (happy) {
      polygon(pen, [[at * 8, 40], [at * 8 + 4, 31], [at * 8 + 8, 40]]);
      pen.fill();
    } else {
      for (const [dx, y] of [[2, 33], [6, 37]]) {
        ellipse(pen, at * 8 + dx, y, 1.5);
        pen.fill();
      }
    }
  }
  figureFace(pen, dark, happy);
  return pen.canvas;
}

function figureFace(pen, dark, happy) {
  for (const side of [-1, 1]) {
    ellipse(pen, 40 + side * 5, 13.5, 3, 3.6);
    pen.fillStyle = "#fdfaf0";
    pen.fill();
    ellipse(pen, 40 + side * 4.6, 14.2, 1.3, 1.7);
    pen.fillStyle = "#141110";
    pen.fill();
    pen.strokeStyle = dark;
    pen.lineWidth = 1.4;
    polygon(pen, [[40 + side * 2, happy ? 8.4 : 9.6], [40 + side * 8.4, happy ? 9.2 : 7.4]], false);
    pen.stroke();
  }
  pen.beginPath();
  if (happy) pen.arc(40, 17.5, 4.6, 0.35, Math.PI - 0.35);
  else pen.arc(40, 25, 4.6, Math.PI + 0.5, 2 * Math.PI - 0.5);
  pen.strokeStyle = "#141110";
  pen.lineWidth = 1.5;
  pen.stroke();
}

// Six sides of a die in a row: what it shows first, on top.
export function drawDie(faces, shows, paint = "#f7f2e4") {
  const pen = penOf(768, 128, 96, 16);
  const order = [shows, ...faces.map((_, at) => at).filter((at) => at !== shows)];
  for (let side = 0; side < 6; side += 1) {
    pen.fillStyle = paint;
    pen.fillRect(16 * side, 0, 16, 16);
    dieFace(pen, 16 * side + 8, 8, faces[order[side] ?? side % Math.max(1, faces.length)]);
  }
  return pen.canvas;
}

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

function dieFace(pen, x, y, face) {
  const pips = PIPS[Number(face)];
  pen.fillStyle = "#241a12";
  if (pips) {
    for (const pip of pips) {
      ellipse(pen, x + 4 * ((pip % 3) - 1), y + 4 * (Math.floor(pip / 3) - 1), 1.5);
      pen.fill();
    }
  } else if (CSS.supports("color", String(face))) {
    ellipse(pen, x, y, 5.4);
    pen.fillStyle = String(face);
    pen.fill();
  } else if (face !== undefined && face !== null) {
    pen.font = `700 8px ${SERIF}`;
    pen.textAlign = "center";
    pen.fillText(String(face), x, y + 2.9, 14);
  }
}

// What the table is made of, 600 mm on a side, to be laid side by side.
export function drawGround(kind) {
  const pen = penOf(1024, 1024, 600, 600), random = randomOf(5);
  if (kind === "wood" || kind === "dark") {
    const tone = kind === "wood" ? "#9a6b42" : "#3a2a20";
    for (let plank = 0; plank < 5; plank += 1) {
      drawWood(pen, 0, plank * 120, 600, 120, shadeHex(tone, 0.93 + 0.14 * random()), 40 + plank, 0.9);
      pen.fillStyle = "rgba(20,10,4,0.55)";
      pen.fillRect(0, plank * 120 - 0.6, 600, 1.2);
    }
    return pen.canvas;
  }
  const tone = kind === "cloth" ? [104, 36, 44] : [224, 222, 216], spread = kind === "cloth" ? 12 : 5;
  const weave = pen.createImageData(1024, 1024);
  for (let at = 0; at < 1024 * 1024; at += 1) {
    const thread = ((at % 6) + (Math.floor(at / 1024) % 6)) % 6 < 3 ? 1 : -1;
    const level = (random() - 0.5) * spread + thread * spread * 0.2;
    weave.data.set([tone[0] + level, tone[1] + level, tone[2] + level, 255], 4 * at);
  }
  pen.putImageData(weave, 0, 0);
  return pen.canvas;
}

function shadeHex(hex, factor) {
  const [r, g, b] = shade(hex, factor).match(/\d+/g).map(Number);
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
