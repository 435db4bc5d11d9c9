// All pieces by name, for who does not point: Tab finds one, Enter takes it, arrows carry it, Enter puts it.

const STEP_MM = 5;
const SMALL_MM = 1;
const TURN_DEG = 15;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class PieceList {
  // hand: the `Carrying` of this page.  on: {choose(id), say(words)}.
  constructor(list, places, world, words, hand, on) {
    Object.assign(this, { list, places, world, words, hand, on });
    this.drawn = "";
    list.addEventListener("keydown", (event) => this.press(event));
    list.addEventListener("click", (event) => this.click(event.target.closest("[data-piece]")));
    list.addEventListener("focusin", (event) => "piece" in event.target.dataset && this.on.choose(Number(event.target.dataset.piece)));
    list.addEventListener("focusout", () => setTimeout(() => this.left()));
    places.addEventListener("change", () => this.putAt());
  }

  show() {
    const pieces = (this.world.cheats ? this.world.onTable : this.world.onTop).map((piece) => ({ id: piece.id, words: this.describe(piece) }));
    pieces.sort((one, other) => one.words.localeCompare(other.words, undefined, { numeric: true }));
    const drawn = JSON.stringify(pieces);
    if (drawn === this.drawn || this.isCarrying) return;
    this.drawn = drawn;
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.piece : "";
    this.list.replaceChildren(...pieces.map(({ id, words }) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "plain", textContent: words });
      button.dataset.piece = id;
      item.append(button);
      return item;
    }));
    const again = focused && this.list.querySelector(`[data-piece="${focused}"]`);
    if (again) again.focus();
    this.showPlaces();
  }

  showPlaces() {
    const names = this.world.places.all.map((place, number) => new Option(place.words, String(number)));
    const first = this.places.options[0];
    this.places.replaceChildren(first, ...names);
    this.places.value = first.value;
  }

  describe(piece) {
    return this.words.fill("lies", { piece: this.words.piece(piece), place: this.world.places.words(piece.x, piece.y, this.words) });
  }

  get isCarrying() {
    return this.carried !== undefined && this.carried === this.hand.id;
  }

  click(button) {
    if (!button) return;
    if (this.isCarrying) this.put();
    else this.take(Number(button.dataset.piece));
  }

  take(id) {
    const piece = this.world.pieces.get(id);
    if (!piece || !this.hand.take(id, { x: piece.x, y: piece.y })) return;
    this.carried = id;
    this.on.say(this.words.fill("taken", { piece: this.words.piece(piece) }));
  }

  put() {
    const { x, y } = this.hand.target;
    const place = this.world.places.words(x, y, this.words);
    const piece = this.words.piece(this.hand.piece);
    this.carried = undefined;
    this.hand.put();
    this.on.say(this.words.fill("put", { piece, place }));
  }

  // The place that was chosen, for the piece that is held or was chosen last.
  putAt() {
    const place = this.world.places.all[Number(this.places.value)];
    this.places.value = this.places.options[0].value;
    if (!place) return;
    if (this.hand.id === null) this.take(this.on.chosen());
    if (this.hand.id === null) return;
    this.hand.offset = { x: 0, y: 0 };
    this.hand.move(place);
    this.put();
  }

  press(event) {
    if (!this.isCarrying) return;
    const [dx, dy] = ARROWS[event.key] || [0, 0];
    const step = event.shiftKey ? SMALL_MM : STEP_MM;
    if (dx || dy) this.hand.step(dx * step, dy * step);
    else if (event.key === "," || event.key === ".") this.hand.turnTo(this.hand.turn + (event.key === "," ? -TURN_DEG : TURN_DEG));
    else if (event.key === "Escape") this.giveUp();
    else return;
    event.preventDefault();
    if (this.hand.id !== null) this.on.say(this.world.places.words(this.hand.target.x, this.hand.target.y, this.words));
  }

  giveUp() {
    this.carried = undefined;
    this.hand.giveUp();
    this.on.say(this.words.fill("back"));
  }

  // Who goes elsewhere on the page lays down first what is held; the list of places is part of it.
  left() {
    const isHere = this.list.contains(document.activeElement) || document.activeElement === this.places;
    if (this.isCarrying && !isHere) this.giveUp();
  }
}
