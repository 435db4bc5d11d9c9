// The strip of what only this seat sees: drawn from a pile, played by dragging it out, or taken back in.

const OUT_PX = 14;

export class OwnHand {
  // on: {play(event, id): it is dragged out, choose(id)}.
  constructor(strip, world, words, on) {
    Object.assign(this, { strip, world, words, on });
    this.list = strip.querySelector("ul");
    this.drawn = "";
  }

  show(chosen) {
    const cards = this.world.ownHand;
    this.strip.hidden = !this.world.isThere || !cards.length;
    const drawn = JSON.stringify([cards.map(({ id, look }) => [id, look]), chosen]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.piece : "";
    this.list.replaceChildren(...cards.map((piece) => this.card(piece, piece.id === chosen)));
    const again = focused && this.list.querySelector(`[data-piece="${focused}"]`);
    if (again) again.focus();
  }

  card(piece, isChosen) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = `own ${paint(piece.look)}`;
    button.dataset.piece = piece.id;
    button.setAttribute("aria-pressed", String(isChosen));
    button.setAttribute("aria-label", this.words.piece(piece));
    button.textContent = sign(piece.look, this.words);
    button.classList.toggle("long", button.textContent.length > 4);
    button.addEventListener("pointerdown", (event) => this.press(event, piece.id));
    button.addEventListener("click", () => this.on.choose(piece.id));
    item.append(button);
    return item;
  }

  // A card leaves the strip upwards; along it the strip is scrolled.
  press(event, id) {
    const { pointerId, clientY, target } = event;
    const stop = () => {
      for (const name of ["pointermove", "pointerup", "pointercancel"]) target.removeEventListener(name, follow);
    };
    const follow = (moved) => {
      if (moved.pointerId !== pointerId) return;
      if (moved.type !== "pointermove") stop();
      else if (clientY - moved.clientY > OUT_PX) {
        stop();
        this.on.play(moved, id);
      }
    };
    for (const name of ["pointermove", "pointerup", "pointercancel"]) target.addEventListener(name, follow);
    if (event.pointerType === "mouse") target.setPointerCapture(pointerId);
  }

  // Whether something let go at (x, y) px goes into the own hand.
  mark(x, y, isHeld) {
    const box = this.strip.getBoundingClientRect();
    const isOver = isHeld && !this.strip.hidden && y >= box.top && y <= box.bottom && x >= box.left && x <= box.right;
    this.strip.classList.toggle("over", isOver);
    return isOver;
  }
}

function paint(look) {
  if (!look) return "back";
  if (!look.color || look.color === "wild") return "ink-wild";
  return `paint-${look.color}`;
}

function sign(look, words) {
  if (!look) return "";
  if (look.goal !== undefined) return words.fill("card-goal", { name: look.goal });
  const value = look.symbol === undefined ? look.value : look.symbol;
  const name = look.face && words.has(`look-${look.face}`) ? words.look(look.face) : words.look(value);
  return look.spin ? `${name} ↻` : name;
}
