// What mouse, finger and pen do on the table: take, carry, turn and put; or move the view.

const FAR_PX = 6; // a pointer that moves less has tapped
const LIFT_MM = 45; // so high above its place a piece is carried
const TURN_DEG = 15; // a notch of the wheel
const ZOOM = 1.1;
const STEEP_DEG = [12, 89];
const FAR_MM = [250, 1600];
const PX_DEG = 0.35; // of orbiting
const KEYS = { ArrowLeft: [-25, 0], ArrowRight: [25, 0], ArrowUp: [0, 25], ArrowDown: [0, -25] };

const clamp = (value, [least, most]) => Math.min(most, Math.max(least, value));
const angle = ([one, other]) => Math.atan2(other.y - one.y, other.x - one.x) * 180 / Math.PI;
const span = ([one, other]) => Math.hypot(other.x - one.x, other.y - one.y);

export class Drag {
  // hand: the `Carrying` of this page.  on: {tap(id), strip(x, y) -> whether that is over the own hand, changed()}.
  constructor({ canvas, view, scene, hand, pose, on }) {
    Object.assign(this, { canvas, view, scene, hand, pose, on });
    this.pointers = new Map();
    this.mode = ""; // "pressed" on a piece, "held", "view", "" if no pointer is down
    this.pressed = null;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", (event) => this.cancel(event));
    canvas.addEventListener("lostpointercapture", (event) => this.pointers.has(event.pointerId) && this.cancel(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  surface(event) {
    return this.scene.surface(this.view.rayAt(event.clientX, event.clientY));
  }

  press(event) {
    if (event.button > 0 && event.pointerType === "mouse") return this.pressView(event);
    event.preventDefault();
    this.canvas.focus({ preventScroll: true });
    this.capture(event);
    if (this.pointers.size > 1) {
      this.twist = { from: angle([...this.pointers.values()]), span: span([...this.pointers.values()]), turn: this.hand.turn };
      if (this.mode === "pressed") this.mode = "view";
      return undefined;
    }
    const id = this.scene.pick(this.view.rayAt(event.clientX, event.clientY));
    this.pressed = { id, x: event.clientX, y: event.clientY };
    this.mode = id === null || id === undefined || !this.hand.may(id) ? "view" : "pressed";
    return undefined;
  }

  pressView(event) {
    event.preventDefault();
    this.capture(event);
    this.pressed = { id: null, x: event.clientX, y: event.clientY };
    this.mode = "view";
  }

  capture(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  // Goes on with a pointer that took *id* elsewhere: from the own hand.
  carry(event, id) {
    this.capture(event);
    this.pressed = { id, x: event.clientX, y: event.clientY };
    this.take(id, this.surface(event), true);
    this.move(event);
  }

  take(id, at, isAtPointer = false) {
    this.mode = this.hand.take(id, at, isAtPointer) ? "held" : "view";
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size > 1) this.moveTwo();
    else if (this.mode === "view") this.orbit(dx, dy);
    else if (this.mode === "pressed") this.begin(event);
    else if (this.mode === "held") this.follow(event);
  }

  begin(event) {
    const { id, x, y } = this.pressed;
    if (Math.hypot(event.clientX - x, event.clientY - y) < FAR_PX) return;
    this.take(id, this.scene.surface(this.view.rayAt(x, y)));
    if (this.mode === "held") this.follow(event);
  }

  follow(event) {
    this.isOverStrip = this.on.strip(event.clientX, event.clientY);
    const at = this.surface(event);
    if (at) this.hand.move(at);
  }

  moveTwo() {
    const two = [...this.pointers.values()];
    const turned = angle(two) - this.twist.from;
    if (this.mode === "held") {
      this.hand.turnTo(this.twist.turn + turned);
      return;
    }
    this.pose.azimuth += turned;
    this.zoom(this.twist.span / Math.max(1, span(two)));
    Object.assign(this.twist, { from: angle(two), span: span(two) });
  }

  orbit(dx, dy) {
    this.pose.azimuth -= dx * PX_DEG;
    this.pose.height = clamp(this.pose.height + dy * PX_DEG, STEEP_DEG);
    this.posed();
  }

  zoom(factor) {
    this.pose.distance = clamp(this.pose.distance * factor, FAR_MM);
    this.posed();
  }

  posed() {
    this.pose.azimuth = ((this.pose.azimuth % 360) + 360) % 360;
    this.view.setPose(this.pose);
    this.on.changed();
  }

  wheel(event) {
    event.preventDefault();
    const notches = Math.sign(event.deltaY || event.deltaX);
    if (this.mode === "held") this.hand.turnTo(this.hand.turn + notches * TURN_DEG);
    else this.zoom(notches > 0 ? ZOOM : 1 / ZOOM);
  }

  // The view, for who has no pointer.
  key(event) {
    const [dx, dy] = KEYS[event.key] || [0, 0];
    if (dx || dy) this.orbit(dx, dy);
    else if (event.key === "+" || event.key === "-") this.zoom(event.key === "+" ? 1 / ZOOM : ZOOM);
    else return;
    event.preventDefault();
  }

  release(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.pointers.size) return; // the other finger still holds it
    const { mode, pressed } = this;
    this.mode = "";
    if (mode === "held") {
      if (this.on.strip(event.clientX, event.clientY)) this.hand.stow();
      else this.hand.put();
    } else if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < FAR_PX) {
      this.on.tap(pressed.id);
    }
  }

  // A pointer that the browser takes away puts nothing anywhere new.
  cancel(event) {
    this.pointers.delete(event.pointerId);
    if (this.pointers.size) return;
    if (this.mode === "held") this.hand.giveUp();
    this.mode = "";
  }
}

// What this page's hand holds, wherever it was taken from, and what the companion is told of it.
export class Carrying {
  // world: the table as the companion has it.  scene: {change, ghost}.  on: {changed()}.
  constructor({ world, line, scene, on }) {
    Object.assign(this, { world, line, scene, on });
    this.id = null;
    this.at = null;
    this.turn = 0;
  }

  get piece() {
    return this.id === null ? undefined : this.world.pieces.get(this.id);
  }

  may(id) {
    const piece = this.world.pieces.get(id);
    return Boolean(piece) && this.world.mayMove && this.line.isOpen && (piece.kind !== "tile" || this.world.cheats);
  }

  // isAtPointer: it jumps to where the pointer is, and does not keep its distance from it.
  take(id, at, isAtPointer = false) {
    if (!this.may(id)) return false;
    if (this.id !== null) this.giveUp();
    const piece = this.world.pieces.get(id);
    this.id = id;
    this.turn = piece.turn || 0;
    this.from = { x: piece.x, y: piece.y, turn: this.turn, isOwn: this.world.isInHand(piece) };
    this.offset = at && !this.from.isOwn && !isAtPointer ? { x: piece.x - at.x, y: piece.y - at.y } : { x: 0, y: 0 };
    this.line.say({ do: "take", piece: id });
    this.move(at || (this.from.isOwn ? this.world.middle : this.from));
    return true;
  }

  move(at) {
    if (this.id === null) return;
    this.at = { x: at.x + this.offset.x, y: at.y + this.offset.y };
    const z = this.world.height(this.at.x, this.at.y, this.id) + LIFT_MM;
    this.line.saySome({ do: "point", ...rounded(this.at), z: Math.round(z) });
    this.show(z);
  }

  // Moves it by some mm, as arrow keys do.
  step(dx, dy) {
    this.offset = { x: 0, y: 0 };
    if (this.at) this.move({ x: this.at.x + dx, y: this.at.y + dy });
  }

  turnTo(degrees) {
    if (this.id === null) return;
    this.turn = ((Math.round(degrees) % 360) + 360) % 360;
    this.line.saySome({ do: "turn", piece: this.id, turn: this.turn });
    this.show(this.world.height(this.at.x, this.at.y, this.id) + LIFT_MM);
  }

  // Where it would be put: on the place that is meant, or just where it is held.
  get target() {
    const place = this.world.cheats ? undefined : this.world.places.at(this.at.x, this.at.y);
    return place ? { x: place.x, y: place.y, place } : this.at;
  }

  show(z) {
    const piece = this.piece;
    if (!piece) return;
    this.scene.change([{ ...piece, ...this.at, z, turn: this.turn, held: this.world.you.hand }], []);
    const { x, y } = this.target;
    this.scene.ghost({ id: this.id, x, y, z: this.world.height(x, y, this.id), turn: this.turn });
    this.on.changed();
  }

  put() {
    if (this.id === null) return;
    const to = rounded(this.target);
    // Who has not turned it leaves it to the hand, which lays it straight.
    if (this.turn !== this.from.turn) to.turn = this.turn;
    this.line.say({ do: "put", ...to });
    // It lies there until the companion says better, and does not fly back meanwhile.
    this.world.pieces.set(this.id, { ...this.piece, ...to, z: this.world.height(to.x, to.y, this.id), held: null });
    this.leave();
  }

  stow() {
    if (this.id === null) return;
    this.line.say({ do: "stow" });
    this.leave();
  }

  // Puts it back where it was.
  giveUp() {
    if (this.id === null) return;
    if (this.from.isOwn) this.line.say({ do: "stow" });
    else this.line.say({ do: "put", ...rounded(this.from), turn: this.from.turn });
    this.leave();
  }

  // The hand leaves the table, so that the eyes can see it.
  leave() {
    this.line.say({ do: "away" });
    this.forget();
  }

  // What is carried is as the companion has it again: it was refused, or the line was lost.
  forget() {
    const piece = this.piece;
    this.id = null;
    this.scene.ghost(null);
    if (piece) this.scene.change([piece], []);
    this.on.changed();
  }
}

const rounded = ({ x, y }) => ({ x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 });
