// Draws one snapshot after another, of which most of what lies there stays, as one scene that changes.

import { Eye } from "/static/eye.js";
import { TableScene } from "/static/scene.js";

const STEP_MS = 10000; // longer than anything glides
let table = null, eye = null, shown = null, told = new Map(), now = 0;

const isSameTable = (one, other) => one && one.game === other.game && JSON.stringify(one.room) === JSON.stringify(other.room);

function load(snapshot) {
  table ||= new TableScene();
  table.load(snapshot);
  eye ||= new Eye(table);
  eye.setRoom(snapshot.room);
}

// The pieces that differ from what was shown last, and the ids of those gone.
function change(snapshot) {
  const fresh = new Map(snapshot.pieces.map((piece) => [piece.id, JSON.stringify(piece)]));
  const changed = snapshot.pieces.filter(({ id }) => told.get(id) !== fresh.get(id));
  const gone = [...told.keys()].filter((id) => !fresh.has(id));
  table.change(changed, gone, { board: snapshot.board, idol: snapshot.idol });
  table.setHands(snapshot.hands);
  now += STEP_MS;
  table.update(now);
}

// The JPEG of a snapshot, in Base64.
export async function drawNext(snapshot) {
  if (!isSameTable(shown, snapshot)) load(snapshot);
  else if (JSON.stringify(shown) !== JSON.stringify(snapshot)) change(snapshot);
  told = new Map(snapshot.pieces.map((piece) => [piece.id, JSON.stringify(piece)]));
  shown = snapshot;
  eye.draw();
  const bytes = new Uint8Array(await (await eye.jpeg()).arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
