// The places of a table, as its layout has them: what they are called, and which one is meant.

const REACH = 0.48; // of the way to the next place: nearer than that, a piece is meant for it
const GIVES = ["x", "y"];

const isPlace = (value) => value !== null && typeof value === "object" && GIVES.every((each) => Number.isFinite(value[each]));

// Yields [kind, place] for all that has a position, at whatever depth; what lies on a board is relative to it.
function* placesIn(value, kind, from) {
  if (value === null || typeof value !== "object") return;
  if (isPlace(value)) {
    const at = { ...value, x: value.x + from.x, y: value.y + from.y };
    const parts = Object.entries(value).filter(([, each]) => each !== null && typeof each === "object");
    if (!parts.length) yield [kind, at];
    for (const [name, part] of parts) yield* placesIn(part, name, at);
    return;
  }
  for (const [name, part] of Object.entries(value)) yield* placesIn(part, Array.isArray(value) ? kind : name, from);
}

export class Places {
  constructor(layout, words) {
    this.all = [...placesIn(layout, "", { x: 0, y: 0 })].map(([kind, place]) => ({
      kind, x: place.x, y: place.y, r: place.r, c: place.c, number: (place.slot === undefined ? place.pile : place.slot),
    }));
    const counts = new Map();
    for (const place of this.all) {
      const count = (counts.get(place.kind) || 0) + 1;
      counts.set(place.kind, count);
      place.words = words.place(place.kind, { row: place.r + 1, column: place.c + 1, number: (place.number === undefined ? count - 1 : place.number) + 1 });
    }
    for (const place of this.all) place.reach = REACH * this.gap(place);
  }

  // How far the next place is, in mm.
  gap(place) {
    const gaps = this.all.filter((each) => each !== place).map((each) => Math.hypot(each.x - place.x, each.y - place.y));
    return Math.min(100, ...gaps);
  }

  // The place that is meant by something at (x, y) mm; undefined if none is.
  at(x, y) {
    let found;
    let least = Infinity;
    for (const place of this.all) {
      const away = Math.hypot(place.x - x, place.y - y);
      if (away <= place.reach && away < least) [found, least] = [place, away];
    }
    return found;
  }

  // What people call (x, y) mm.
  words(x, y, words) {
    const place = this.at(x, y);
    return place ? place.words : words.fill("beside", { x: Math.round(x), y: Math.round(y) });
  }
}
