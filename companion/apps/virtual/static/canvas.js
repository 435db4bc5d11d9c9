// Canvases on which artwork is drawn in mm, and what makes textures of them.

import { CanvasTexture, LinearMipmapLinearFilter, SRGBColorSpace } from "./three/three.module.js";

export function canvasOf(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

// A canvas whose pixels are given and that is drawn on in mm from its top left corner.
export function penOf(widthPx, heightPx, widthMm, heightMm, readsBack = false) {
  const pen = canvasOf(widthPx, heightPx).getContext("2d", { willReadFrequently: readsBack });
  pen.scale(widthPx / widthMm, heightPx / heightMm);
  pen.lineCap = "round";
  pen.lineJoin = "round";
  return pen;
}

export function textureOf(canvas, anisotropy = 1) {
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = anisotropy;
  texture.minFilter = LinearMipmapLinearFilter;
  return texture;
}

// The same numbers from 0 to 1 for the same seed, so that a table looks alike on every machine.
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function shade(hex, factor) {
  const value = parseInt(hex.slice(1), 16);
  const part = (shift) => Math.max(0, Math.min(255, Math.round(((value >> shift) & 255) * factor)));
  return `rgb(${part(16)},${part(8)},${part(0)})`;
}

export function ellipse(pen, x, y, rx, ry = rx, turn = 0) {
  pen.beginPath();
  pen.ellipse(x, y, rx, ry, turn, 0, 2 * Math.PI);
}

export function polygon(pen, points, closed = true) {
  pen.beginPath();
  points.forEach(([x, y], at) => (at ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  if (closed) pen.closePath();
}

export function box(pen, x, y, width, height, radius = 0) {
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
}

// Rays, waves and knots of wood: many thin lines along x, of a few tones.
export function drawWood(pen, x, y, width, height, tone, seed, grain = 1) {
  const random = randomOf(seed);
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  pen.fillStyle = tone;
  pen.fillRect(x, y, width, height);
  for (let band = 0; band < height / 14; band += 1) {
    pen.fillStyle = shade(tone, 0.8 + 0.36 * random());
    pen.globalAlpha = 0.35;
    ellipse(pen, x + width * random(), y + height * random(), width * (0.12 + 0.3 * random()), 1.5 + 6 * random());
    pen.fill();
  }
  const lines = Math.round((height / 1.1) * grain);
  for (let line = 0; line < lines; line += 1) {
    const at = y + height * random();
    pen.strokeStyle = shade(tone, 0.62 + 0.55 * random());
    pen.globalAlpha = 0.1 + 0.28 * random();
    pen.lineWidth = 0.3 + 2.4 * random() * random();
    const start = x + width * (random() * 1.2 - 0.2), reach = width * (0.15 + 0.7 * random());
    const bow = (random() - 0.5) * 5;
    pen.beginPath();
    pen.moveTo(start, at);
    pen.bezierCurveTo(start + reach / 3, at + bow, start + (2 * reach) / 3, at - bow, start + reach, at + bow / 2);
    pen.stroke();
  }
  pen.restore();
}
