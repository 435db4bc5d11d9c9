// Cards: our own drawing of what a card reader expects of a card: a white border, a coloured panel
// with round corners, a symbol in the middle and in two corners, spirals in the other two.

import { box, ellipse, penOf, polygon, shade } from "./canvas.js";

export const UNO_MM = [56, 87];
export const PILE_MM = [58, 88];
export const FACE_CARD_MM = [38, 58];
const PX_PER_MM = 5;
const PAPER = "#fbfaf5", INK = "#17161a";
const LETTERS = "'Arial Black', 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif";

export const UNO_PAINTS = { red: "#d3222e", yellow: "#f3c414", green: "#2f9a46", blue: "#1b6cc0" };
export const PILE_PAINTS = { orange: "#e9711c", pink: "#e0409c", green: "#2ba04a", purple: "#6a3fae" };

function cardPen([width, height]) {
  const pen = penOf(Math.round(width * PX_PER_MM), Math.round(height * PX_PER_MM), width, height);
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, width, height);
  return pen;
}

function panel(pen, [width, height], paint, border = 3.2) {
  box(pen, border, border, width - 2 * border, height - 2 * border, 3);
  pen.fillStyle = paint;
  pen.fill();
}

// Waves in a slightly darker tone; nothing that a reader could take for print.
function waves(pen, [width, height], paint) {
  pen.save();
  box(pen, 3.2, 3.2, width - 6.4, height - 6.4, 3);
  pen.clip();
  pen.strokeStyle = shade(paint, 0.9);
  pen.lineWidth = 0.7;
  for (let y = 6; y < height; y += 7) {
    pen.beginPath();
    for (let x = 0; x <= width; x += 1) pen.lineTo(x, y + 1.4 * Math.sin(x / 3.6 + y));
    pen.stroke();
  }
  pen.restore();
}

// A symbol `size` mm high around (x, y): filled with `fill`, and with a line around it if given.
function symbol(pen, name, x, y, size, fill, line = null, lineMm = 0) {
  pen.save();
  pen.translate(x, y);
  pen.scale(size, size);
  const draw = SIGNS[name] || digit(name);
  if (line) {
    pen.strokeStyle = line;
    pen.fillStyle = line;
    draw(pen, (2 * lineMm) / size);
  }
  pen.fillStyle = fill;
  pen.strokeStyle = fill;
  draw(pen, 0);
  pen.restore();
}

// A digit of height 1; 6 and 9 are underlined.  Letters are measured large: small ones are rounded.
const LETTER_PX = 100;

function digit(text) {
  return (pen, wider) => {
    pen.font = `900 ${LETTER_PX}px ${LETTERS}`;
    pen.textAlign = "center";
    const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below, width } = pen.measureText(text);
    const scale = 1 / (above + below), base = above - (above + below) / 2;
    pen.save();
    pen.scale(scale, scale);
    if (wider) {
      pen.lineWidth = wider / scale;
      pen.strokeText(text, 0, base);
    }
    pen.fillText(text, 0, base);
    if (text === "6" || text === "9") {
      const line = [-0.42 * width, base + below + 5, 0.84 * width, 10];
      if (wider) pen.strokeRect(...line);
      pen.fillRect(...line);
    }
    pen.restore();
  };
}

const SIGNS = {
  skip: (pen, wider) => {
    pen.lineWidth = 0.15 + wider;
    ellipse(pen, 0, 0, 0.42);
    pen.stroke();
    pen.lineCap = "butt";
    polygon(pen, [[-0.29, 0.29], [0.29, -0.29]], false);
    pen.stroke();
  },
  reverse: (pen, wider) => {
    for (const side of [1, -1]) {
      polygon(pen, [[-0.1, 0.42], [-0.1, -0.12], [-0.24, -0.12], [0, -0.48], [0.24, -0.12], [0.1, -0.12], [0.1, 0.42]]
        .map(([x, y]) => [side * (x + 0.2), side * y]));
      if (wider) {
        pen.lineWidth = wider;
        pen.stroke();
      }
      pen.fill();
    }
  },
};

function oval(pen, [width, height], fill, tilt = 0.48) {
  pen.save();
  pen.translate(width / 2, height / 2);
  pen.rotate(tilt);
  ellipse(pen, 0, 0, 19, 36.5);
  pen.lineWidth = 1.5;
  pen.strokeStyle = PAPER;
  if (fill) pen.fillStyle = fill;
  if (fill) pen.fill();
  pen.stroke();
  pen.restore();
}

function corners(pen, [width, height], name, size = 9, inset = 8.6) {
  for (const half of [0, 1]) {
    pen.save();
    if (half) {
      pen.translate(width, height);
      pen.rotate(Math.PI);
    }
    symbol(pen, name, inset, inset + 1.4, size, PAPER);
    pen.restore();
  }
}

function spirals(pen, [width, height], paint) {
  for (const [x, y] of [[width - 9.5, 9.5], [9.5, height - 9.5]]) {
    ellipse(pen, x, y, 4.4);
    pen.fillStyle = PAPER;
    pen.fill();
    pen.beginPath();
    for (let step = 0; step <= 60; step += 1) {
      const reach = (3.7 * step) / 60;
      pen.lineTo(x + reach * Math.cos(step * 0.22), y + reach * Math.sin(step * 0.22));
    }
    pen.strokeStyle = paint;
    pen.lineWidth = 0.75;
    pen.stroke();
  }
}

export function drawUno({ color, symbol: name, spin = false, face = null }) {
  if (name === "tiki" || String(name).startsWith("tiki")) return drawTikiCard(face || name);
  if (name === "wild") return drawWild();
  const pen = cardPen(UNO_MM), paint = UNO_PAINTS[color] || "#777777";
  panel(pen, UNO_MM, paint);
  waves(pen, UNO_MM, paint);
  oval(pen, UNO_MM, null);
  const sign = SIGNS[name] ? 27 : 30;
  symbol(pen, String(name), UNO_MM[0] / 2, UNO_MM[1] / 2, sign, PAPER, INK, 1.1);
  corners(pen, UNO_MM, String(name));
  if (spin) spirals(pen, UNO_MM, paint);
  return pen.canvas;
}

function drawWild() {
  const pen = cardPen(UNO_MM), [width, height] = UNO_MM;
  panel(pen, UNO_MM, "#17161a");
  pen.save();
  pen.translate(width / 2, height / 2);
  pen.rotate(0.44);
  ellipse(pen, 0, 0, 19.6, 34.4);
  pen.fillStyle = PAPER;
  pen.fill();
  Object.values(UNO_PAINTS).forEach((paint, quarter) => {
    pen.beginPath();
    pen.moveTo(0, 0);
    pen.ellipse(0, 0, 18.4, 33.2, 0, (quarter * Math.PI) / 2, ((quarter + 1) * Math.PI) / 2);
    pen.closePath();
    pen.fillStyle = paint;
    pen.fill();
  });
  pen.restore();
  return pen.canvas;
}

const WOOD = "#b0622f", DARK_WOOD = "#5f2f12";

function woodenFace(pen, x, y, width, height) {
  for (let spike = 0; spike < 5; spike += 1) {
    const at = x + (width * (spike + 0.5)) / 5;
    polygon(pen, [[at - width / 9, y + 2], [at, y - height * 0.2], [at + width / 9, y + 2]]);
    pen.fillStyle = spike % 2 ? "#2f8f43" : "#d23a34";
    pen.fill();
  }
  box(pen, x, y, width, height, width * 0.2);
  pen.fillStyle = WOOD;
  pen.fill();
  pen.strokeStyle = DARK_WOOD;
  pen.lineWidth = width * 0.05;
  polygon(pen, [[x + width * 0.06, y + height * 0.34], [x + width / 2, y + height * 0.46], [x + width * 0.94, y + height * 0.34]], false);
  pen.stroke();
  for (const side of [-1, 1]) {
    const eye = x + width / 2 + side * width * 0.25;
    ellipse(pen, eye, y + height * 0.52, width * 0.105);
    pen.fillStyle = PAPER;
    pen.fill();
    ellipse(pen, eye, y + height * 0.53, width * 0.045);
    pen.fillStyle = INK;
    pen.fill();
  }
  pen.fillStyle = PAPER;
  pen.fillRect(x + width * 0.2, y + height * 0.7, width * 0.6, height * 0.15);
  pen.strokeStyle = DARK_WOOD;
  pen.lineWidth = width * 0.02;
  for (let tooth = 1; tooth < 5; tooth += 1) {
    const at = x + width * (0.2 + 0.12 * tooth);
    polygon(pen, [[at, y + height * 0.7], [at, y + height * 0.85]], false);
    pen.stroke();
  }
}

// What is printed above a Tiki Face, and its panel.
const FACES = {
  "tiki-draw1": ["+1", "#5c8480"], "tiki-draw2": ["+2", "#2b5173"], "tiki-draw4": ["+4", "#913d46"],
  "tiki-discard2": ["-2", "#7d5b2c"], "tiki-goto": ["GO", "#512b73"],
  "tiki-discard-red": ["ALL", UNO_PAINTS.red], "tiki-discard-yellow": ["ALL", "#c79a0c"],
  "tiki-discard-green": ["ALL", UNO_PAINTS.green], "tiki-discard-blue": ["ALL", UNO_PAINTS.blue],
};
const faceOf = (name) => FACES[name] || FACES[`tiki-${name}`] || ["", "#2f7a55"];

function drawTikiCard(name) {
  const pen = cardPen(UNO_MM), [, paint] = faceOf(name);
  panel(pen, UNO_MM, paint);
  woodenFace(pen, 13, 29, 30, 34);
  word(pen, faceOf(name)[0], UNO_MM[0] / 2, 9, 9.4);
  return pen.canvas;
}

// The small card that leans against the idol's back.
export function drawIdolCard(look) {
  const name = look.face || look.symbol || "";
  const pen = penOf(380, 580, ...FACE_CARD_MM), [text, paint] = faceOf(name);
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, ...FACE_CARD_MM);
  panel(pen, FACE_CARD_MM, paint, 1.8);
  woodenFace(pen, 10.2, 27, 17.6, 22);
  word(pen, text, FACE_CARD_MM[0] / 2, 6, 8.8);
  return pen.canvas;
}

const arc = (x, y, rx, ry, from, to) => Array.from({ length: 16 }, (_, step) => {
  const angle = ((from + ((to - from) * step) / 15) * Math.PI) / 180;
  return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)];
});
// The few letters of those words: how wide each is, and its strokes, for a height of 1.
const LETTER_STROKES = {
  "+": [0.98, [[[0.13, 0.52], [0.83, 0.52]], [[0.48, 0.17], [0.48, 0.87]]]],
  "-": [0.62, [[[0.1, 0.58], [0.5, 0.58]]]],
  1: [0.86, [[[0.16, 0.23], [0.44, 0.13], [0.44, 0.88]], [[0.14, 0.88], [0.74, 0.88]]]],
  2: [0.84, [[...arc(0.4, 0.36, 0.26, 0.24, 200, 400), [0.14, 0.87], [0.72, 0.87]]]],
  4: [0.88, [[[0.57, 0.88], [0.57, 0.13], [0.12, 0.66], [0.8, 0.66]]]],
  A: [0.98, [[[0.1, 0.88], [0.48, 0.12], [0.86, 0.88]], [[0.24, 0.65], [0.72, 0.65]]]],
  L: [0.82, [[[0.2, 0.12], [0.2, 0.88], [0.7, 0.88]]]],
  G: [1.0, [[...arc(0.5, 0.5, 0.38, 0.38, 320, 40), [0.86, 0.55], [0.6, 0.55]]]],
  O: [1.02, [arc(0.5, 0.5, 0.38, 0.38, 0, 360)]],
};

function word(pen, text, middle, top, height) {
  const width = [...text].reduce((sum, letter) => sum + LETTER_STROKES[letter][0], 0) * height;
  let left = middle - width / 2;
  pen.strokeStyle = PAPER;
  pen.lineWidth = 0.23 * height;
  for (const letter of text) {
    const [wide, strokes] = LETTER_STROKES[letter];
    for (const stroke of strokes) {
      polygon(pen, stroke.map(([x, y]) => [left + x * height, top + y * height]), false);
      pen.stroke();
    }
    left += wide * height;
  }
}

export function drawPileCard({ color, value }) {
  const pen = cardPen(PILE_MM), paint = PILE_PAINTS[color] || "#777777", [width, height] = PILE_MM;
  panel(pen, PILE_MM, paint);
  waves(pen, PILE_MM, paint);
  box(pen, width / 2 - 15, height / 2 - 19.5, 30, 39, 7);
  pen.fillStyle = PAPER;
  pen.fill();
  symbol(pen, String(value), width / 2, height / 2, 25, shade(paint, 0.55));
  corners(pen, PILE_MM, String(value), 8, 7.6);
  palm(pen, 9.5, height - 15, paint);
  pen.save();
  pen.translate(width, height);
  pen.rotate(Math.PI);
  palm(pen, 9.5, height - 15, paint);
  pen.restore();
  return pen.canvas;
}

function palm(pen, x, y, paint) {
  pen.strokeStyle = shade(paint, 0.78);
  pen.lineWidth = 0.9;
  pen.beginPath();
  pen.moveTo(x, y + 9);
  pen.quadraticCurveTo(x + 1.5, y + 4, x, y);
  pen.stroke();
  for (const angle of [-2.9, -2.3, -1.57, -0.85, -0.25]) {
    pen.beginPath();
    pen.moveTo(x, y);
    pen.quadraticCurveTo(x + 3 * Math.cos(angle), y + 3 * Math.sin(angle) - 1.4, x + 5.2 * Math.cos(angle), y + 5.2 * Math.sin(angle) + 1.4);
    pen.stroke();
  }
}

const GOAL_WORDS = ["TWINS", "IN A ROW", "SIDE BY SIDE", "ALL ODD", "ALL EVEN", "NO PINK", "SUM 12", "FOUR"];

// A goal card: pale, with a coloured head; what it asks for is not read by any camera.
export function drawGoal({ goal = 0, words = null }) {
  const pen = cardPen(PILE_MM), [width, height] = PILE_MM, paints = Object.values(PILE_PAINTS);
  const at = Math.abs(Number(goal) || 0);
  pen.fillStyle = "#f4efdf";
  box(pen, 2, 2, width - 4, height - 4, 3);
  pen.fill();
  pen.fillStyle = ["#4b3f72", "#6d5a43", "#3d5a58", "#70404a"][at % 4];
  box(pen, 2, 2, width - 4, 16, 3);
  pen.fill();
  pen.fillStyle = PAPER;
  pen.textAlign = "center";
  pen.font = `700 6px ${LETTERS}`;
  pen.fillText(words || GOAL_WORDS[at % GOAL_WORDS.length], width / 2, 12.3, width - 8);
  for (let square = 0; square < 4; square += 1) {
    box(pen, 8.5 + 11 * square, 32 + 4 * ((at + square) % 3), 8, 11, 1.6);
    pen.fillStyle = paints[(at + square * (1 + (at % 3))) % 4];
    pen.globalAlpha = 0.85;
    pen.fill();
    pen.globalAlpha = 1;
  }
  pen.strokeStyle = "#b9b09a";
  pen.lineWidth = 0.6;
  for (const y of [60, 66, 72]) {
    polygon(pen, [[12, y], [width - 12, y]], false);
    pen.stroke();
  }
  return pen.canvas;
}

// The back of every card: dark, a border of leaves and a mask.
export function drawBack([width, height], paint = "#2e4a34") {
  const pen = cardPen([width, height]);
  panel(pen, [width, height], paint, 3);
  pen.save();
  box(pen, 3, 3, width - 6, height - 6, 3);
  pen.clip();
  pen.strokeStyle = shade(paint, 1.5);
  pen.lineWidth = 0.6;
  for (let row = -2; row < height / 6; row += 1) {
    for (let column = -1; column < width / 8 + 1; column += 1) {
      ellipse(pen, column * 8 + (row % 2) * 4, row * 6, 3.4, 2, row % 2 ? 0.6 : -0.6);
      pen.stroke();
    }
  }
  pen.restore();
  ellipse(pen, width / 2, height / 2, 14.5, 18.5);
  pen.fillStyle = shade(paint, 1.6);
  pen.fill();
  ellipse(pen, width / 2, height / 2, 13, 17);
  pen.fillStyle = shade(paint, 0.7);
  pen.fill();
  woodenFace(pen, width / 2 - 8, height / 2 - 9, 16, 20);
  return pen.canvas;
}
