// All words of the page, which its template has from the catalogue; what is filled in stands in braces.

export class Words {
  constructor(list) {
    this.all = new Map([...list.querySelectorAll("[data-word]")].map((each) => [each.dataset.word, each.textContent]));
  }

  has(name) {
    return this.all.has(name);
  }

  fill(name, values = {}) {
    const text = this.all.get(name);
    if (text === undefined) return name;
    return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? values[key] : whole));
  }

  place(kind, values) {
    return this.has(`place-${kind}`) ? this.fill(`place-${kind}`, values) : this.fill("place", values);
  }

  look(value) {
    return this.has(`look-${value}`) ? this.fill(`look-${value}`) : String(value);
  }

  // What people call a piece.
  piece({ kind, look }) {
    if (look === null || look === undefined) return this.fill(kind === "card" ? "card-down" : kind);
    if (kind === "card") return this.card(look);
    if (kind === "disc") return this.fill("disc", { colour: this.look(look) });
    if (kind === "die") return this.fill("die", { number: look.shows });
    if (kind === "token") return this.fill("token");
    if (kind === "tile") return this.fill("tile", { number: look });
    const name = String(look);
    return kind === "figure" ? this.fill("figure", { name: name.toUpperCase() }) : name[0].toUpperCase() + name.slice(1);
  }

  card({ color, symbol, value, goal, face, spin }) {
    if (goal !== undefined) return this.fill("card-goal", { name: goal });
    const sign = this.look(symbol === undefined ? value : symbol);
    if (face && this.has(`look-${face}`)) return this.fill("card-face", { sign, face: this.look(face) });
    const name = color === "wild" || color === undefined || color === null ? sign : this.fill("card", { colour: this.look(color), sign });
    return spin ? this.fill("card-spin", { card: name }) : name;
  }
}
