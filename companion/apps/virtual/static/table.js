// The page of the virtual table: joins the scene, the line to the companion, the hand, and the panels.

import { Carrying, Drag } from "./drag.js";
import { EyeLoop } from "./eye_loop.js";
import { OwnHand } from "./own_hand.js";
import { Pace } from "./pace.js";
import { PieceList } from "./piece_list.js";
import { SIDES } from "./sides.js";
import { Sliders } from "./sliders.js";
import { Line } from "./socket.js";
import { Words } from "./words.js";
import { World } from "./world.js";

const SAID_MS = 6000;
const START = { azimuth: 180, height: 55, distance: 620 };
const ASIDE_MM = 95; // of what lies beside the mat
const $ = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.words = new Words($("virtual-words"));
    this.world = new World(this.words);
    this.chosen = null;
    this.room = {};
    this.isStale = true;
    this.hasDrawn = false; // whether this view was drawn since the camera's last picture
    this.hasTurned = false; // whether somebody looks from elsewhere since
    this.isVisible = !document.hidden;
    this.drawing = null; // {scene, view, mark} where this browser can draw
    this.line = new Line({
      tell: (message) => this.hear(message),
      state: (name, seconds) => this.showLine(name, seconds),
    }, () => ({ do: "hello", draws: this.drawing !== null, visible: this.isVisible }));
    this.hand = new Carrying({
      world: this.world, line: this.line, scene: this, on: { changed: () => this.touch() },
    });
    this.loop = new EyeLoop(this.line, () => this.isMoving);
    this.sliders = $("sliders") ? new Sliders($("sliders"), this.line) : null;
    this.ownHand = new OwnHand($("own-hand"), this.world, this.words, {
      play: (event, id) => this.drag && this.drag.carry(event, id),
      choose: (id) => this.choose(id),
    });
    this.list = new PieceList($("piece-list"), $("place-list"), this.world, this.words, this.hand, {
      choose: (id) => this.choose(id), chosen: () => this.chosen, say: (words) => this.announce(words),
    });
    this.follow();
  }

  // ---- What can be seen. Without WebGL 2 all else still works.

  async draw() {
    const canvas = $("scene");
    const [{ TableScene }, { View }, { Eye }] = await Promise.all(
      ["./scene.js", "./view.js", "./eye.js"].map((each) => import(each)),
    );
    const scene = new TableScene();
    const view = new View(canvas, scene);
    this.pose = { ...START };
    view.setPose(this.pose);
    this.drawing = { scene, view, pace: new Pace(view) };
    this.loop.eye = new Eye(scene);
    this.loop.eye.canvas.id = "eye";
    $("camera-picture").append(this.loop.eye.canvas);
    this.drag = new Drag({
      canvas, view, scene, hand: this.hand, pose: this.pose,
      on: {
        tap: (id) => this.tap(id),
        strip: (x, y) => this.ownHand.mark(x, y, this.hand.id !== null),
        changed: () => { this.hasTurned = true; this.touch(); },
      },
    });
    canvas.addEventListener("webglcontextlost", (event) => { event.preventDefault(); this.see(false); this.tell("lost-picture"); });
    canvas.addEventListener("webglcontextrestored", () => { this.see(!document.hidden); this.tell("found-picture"); this.touch(); });
    new ResizeObserver(() => { view.resize(); this.touch(); }).observe($("stage"));
    requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    requestAnimationFrame((later) => this.frame(later));
    if (!this.world.isThere) return;
    const { scene, pace } = this.drawing;
    this.isMoving = scene.update(now);
    if (this.isMoving) this.isStale = true;
    // The camera's pictures and this view take turns, one thing at a time.
    if (this.loop.isBusy || !pace.isDone(now)) return;
    const isDue = this.loop.isDue(now);
    if ((this.isStale || pace.isCoarse(now)) && !(isDue && this.hasDrawn)) {
      const isMoving = this.isStale && (this.isMoving || this.hand.id !== null || this.hasTurned);
      this.isStale = this.hasTurned = false;
      this.hasDrawn = true;
      pace.draw(now, isMoving);
    } else if (isDue) {
      this.hasDrawn = false;
      this.loop.look(now);
    }
  }

  touch() {
    this.isStale = true;
  }

  // The scene, as the hand that carries knows it, also where nothing is drawn.
  change(pieces, gone) {
    if (this.drawing) this.drawing.scene.change(pieces, gone);
    this.loop.stale();
    this.touch();
  }

  ghost(where) {
    if (this.drawing) this.drawing.scene.ghost(where);
    if (!where) $("own-hand").classList.remove("over");
  }

  // ---- What the companion tells.

  hear(message) {
    const act = this[`hear_${message.tell}`];
    if (act) act.call(this, message);
    if (this.world.isThere) this.refresh();
  }

  hear_scene(snapshot) {
    const isFirst = !this.world.isThere;
    this.world.load(snapshot);
    this.hand.forget();
    if (!this.world.pieces.has(this.chosen)) this.chosen = null;
    if (this.drawing) this.drawing.scene.load(snapshot);
    this.hear_room({ room: snapshot.room });
    this.hear_cheat({ is: Boolean(snapshot.cheat) });
    if (this.drawing && isFirst) this.lookFrom(snapshot);
    this.changed();
  }

  hear_pieces({ changed, gone, board, idol }) {
    this.world.change(changed, gone);
    // What is carried here is drawn where the pointer is, not where the companion heard of it last.
    const others = changed.filter((piece) => piece.id !== this.hand.id);
    if (this.hand.id !== null && gone.includes(this.hand.id)) this.hand.forget();
    if (this.drawing) this.drawing.scene.change(others, gone, { board, idol });
    this.changed();
  }

  hear_hands({ hands }) {
    if (this.drawing) this.drawing.scene.setHands(hands);
    this.changed();
  }

  hear_room({ room }) {
    this.room = { ...this.room, ...room };
    if (this.sliders) this.sliders.show(this.room);
    if (this.drawing) {
      this.drawing.scene.setRoom(this.room);
      this.loop.eye.setRoom(this.room);
    }
    this.changed();
  }

  hear_eye({ yours }) {
    this.loop.begin(yours);
    $("camera").classList.toggle("ours", yours);
    $("camera-elsewhere").hidden = yours || !this.drawing;
  }

  hear_next() {
    this.loop.next();
  }

  hear_refused({ words }) {
    this.hand.forget();
    this.say(words, true);
  }

  hear_peeked({ piece, mark }) {
    const found = this.world.pieces.get(piece);
    this.say(this.words.fill("peeked", { piece: found ? this.words.piece(found) : "", mark }));
  }

  hear_spun({ angle, turns, ms }) {
    if (this.drawing) this.drawing.scene.spin(angle, turns, ms);
    this.changed();
  }

  hear_fell({ ms }) {
    if (this.drawing) this.drawing.scene.fall(ms);
    this.changed();
  }

  hear_cheat({ is }) {
    this.world.cheats = is;
    $("cheat").setAttribute("aria-pressed", String(is));
  }

  hear_status({ words }) {
    $("status").textContent = words;
    $("status").hidden = !words;
  }

  changed() {
    this.loop.stale();
    this.touch();
  }

  // ---- What is shown beside the table.

  refresh() {
    const { world } = this;
    document.body.dataset.may = world.you.host ? "host" : world.you.seat === null ? "watch" : "seat";
    this.ownHand.show(this.chosen);
    this.list.show();
    const piece = world.pieces.get(this.chosen);
    const kind = piece ? piece.kind : "";
    const hasDie = [...world.pieces.values()].some((each) => each.kind === "die");
    const shown = {
      spin: world.hasIdol, fall: world.hasBoard, roll: hasDie, start: world.you.host, calibration: world.you.host, cheat: world.you.host, flip: kind === "card" || kind === "figure",
      turn: kind === "card" || kind === "tiki", peek: kind === "figure", draw: kind === "card" && !world.isInHand(piece) && world.you.seat !== null,
      shuffle: kind === "card" && !world.isInHand(piece) && world.isPile(piece),
      stow: kind === "card" && !world.isInHand(piece) && world.you.seat !== null,
    };
    for (const [name, is] of Object.entries(shown)) $(name).hidden = !is || !world.mayMove;
    $("chosen").hidden = !piece || !world.mayMove;
    $("chosen-name").textContent = piece ? this.words.piece(piece) : "";
    $("watching").hidden = world.mayMove;
    if ($("whose")) this.showSeats();
  }

  // A host without a seat may lend an arm to any that is free.
  showSeats() {
    const { seat, seats = [] } = this.world.you;
    $("sitting").hidden = !seats.length;
    for (const option of $("whose").options) option.hidden = option.disabled = option.value !== "" && !seats.includes(Number(option.value));
    if ($("whose") !== document.activeElement) $("whose").value = seat === null || seat < 0 ? "" : String(seat);
  }

  lookFrom({ hands, you }) {
    const own = (hands || []).find(({ seat }) => seat === you.hand);
    const { width, height } = this.world.mat;
    this.pose.azimuth = own && own.side in SIDES ? SIDES[own.side] : START.azimuth;
    const isAcross = this.pose.azimuth % 180 === 90;
    this.pose.distance = this.distanceFor((isAcross ? height : width) + 2 * ASIDE_MM, isAcross ? width : height);
    this.drawing.view.setPose(this.pose);
  }

  // From how far away so many mm across and into the picture are seen whole.
  distanceFor(across, into) {
    const { fov, aspect } = this.drawing.view.camera;
    const half = Math.tan(fov * Math.PI / 360);
    const rise = Math.sin(this.pose.height * Math.PI / 180);
    return Math.max(across / 2 / half / aspect, (into * rise / 2 + ASIDE_MM / 2) / half) + into * (1 - rise) / 2;
  }

  choose(id) {
    this.chosen = id === this.chosen && document.activeElement && document.activeElement.classList.contains("own") ? null : id;
    if (this.drawing) this.drawing.scene.highlight(this.chosen);
    this.touch();
    if (this.world.isThere) this.refresh();
  }

  tap(id) {
    const piece = this.world.pieces.get(id);
    this.choose(piece ? id : null);
  }

  // ---- What the buttons do.

  follow() {
    const acts = {
      start: () => ({ do: "lay", what: "start" }), calibration: () => ({ do: "lay", what: "calibration" }),
      cheat: () => ({ do: "cheat", is: !this.world.cheats }), spin: () => ({ do: "spin" }), fall: () => ({ do: "fall" }),
      roll: () => this.roll(), flip: () => ({ do: "flip", piece: this.chosen }), turn: () => this.turn(),
      peek: () => ({ do: "peek", piece: this.chosen }), draw: () => this.pile("draw"), shuffle: () => this.pile("shuffle"), stow: () => this.stow(),
    };
    for (const [name, act] of Object.entries(acts)) {
      $(name).addEventListener("click", () => { const said = act(); if (said) this.line.say(said); });
    }
    $("camera-picture").addEventListener("click", () => this.enlarge($("camera").classList.toggle("large")));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.enlarge($("camera").classList.toggle("large", false)));
    document.addEventListener("visibilitychange", () => this.see(!document.hidden));
    if ($("whose")) $("whose").addEventListener("change", () => this.line.say({ do: "seat", seat: $("whose").value === "" ? null : Number($("whose").value) }));
    document.querySelector(".beside").addEventListener("submit", (event) => this.submit(event));
    $("nearer").addEventListener("click", () => this.drag && this.drag.zoom(0.85));
    $("farther").addEventListener("click", () => this.drag && this.drag.zoom(1.18));
  }

  // What is entered beside the table goes off without leaving it: the eye draws on meanwhile.
  async submit(event) {
    const { target: form, submitter } = event;
    if (form.method !== "post" || event.defaultPrevented) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    if (submitter && submitter.name) body.append(submitter.name, submitter.value);
    const address = submitter && submitter.hasAttribute("formaction") ? submitter.formAction : form.getAttribute("action");
    try {
      const answer = await fetch(address, { method: "POST", body, redirect: "manual" });
      if (answer.type === "opaqueredirect" || answer.ok) return;
      const refused = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[role=alert].alert, .alert, h1");
      this.say(refused ? refused.textContent.trim() : this.words.fill("unsent"), true);
    } catch (_) {
      this.tell("unsent");
    }
  }

  roll() {
    const dice = [...this.world.pieces.values()].filter(({ kind }) => kind === "die");
    for (const { id } of dice) this.line.say({ do: "roll", piece: id });
  }

  turn() {
    const piece = this.world.pieces.get(this.chosen);
    return { do: "turn", piece: piece.id, turn: ((piece.turn || 0) + 90) % 360 };
  }

  pile(what) {
    const { x, y } = this.world.pieces.get(this.chosen);
    return { do: what, x, y };
  }

  stow() {
    if (this.hand.take(this.chosen, null)) this.hand.stow();
  }

  enlarge(isLarge) {
    $("camera-picture").setAttribute("aria-expanded", String(isLarge));
  }

  see(is) {
    this.isVisible = is;
    if (!is && this.hand.id !== null) this.hand.giveUp();
    this.line.say({ do: "visible", is });
    if (is) this.changed();
  }

  // ---- What is said.

  showLine(name, seconds) {
    const place = $("line-state");
    place.hidden = name === "open";
    place.textContent = name === "lost" ? this.words.fill("lost", { seconds }) : this.words.fill("opening");
    document.body.classList.toggle("away", name !== "open");
    if (name !== "open") {
      this.loop.begin(false);
      this.hand.forget();
    }
  }

  tell(name) {
    this.say(this.words.fill(name));
  }

  say(words, isWrong = false) {
    const place = $("said");
    place.textContent = words;
    place.classList.toggle("wrong", isWrong);
    place.hidden = false;
    clearTimeout(this.saidTimer);
    this.saidTimer = setTimeout(() => { place.hidden = true; }, SAID_MS);
  }

  announce(words) {
    $("announced").textContent = words;
  }
}

// A browser without WebGL 2 shows everything but the picture, and can still be played on.
async function begin(page) {
  const canDraw = document.createElement("canvas").getContext("webgl2") !== null;
  try {
    if (canDraw) await page.draw();
  } catch (error) {
    console.error(error);
  }
  if (!page.drawing) {
    document.body.classList.add("flat");
    $("undrawn").hidden = false;
  }
  page.line.open();
}

const page = new Page();
begin(page);
document.documentElement.dataset.virtual = ""; // for unable.js
window.virtualTable = page; // for who measures
