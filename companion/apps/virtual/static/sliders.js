// What the host sets of lamp, camera, print and things; each change goes to the companion, which tells all pages.

export class Sliders {
  constructor(form, line) {
    this.form = form;
    this.line = line;
    this.fields = [...form.querySelectorAll("[data-room]")];
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => event.target.dataset.room && this.tell(event.target));
    for (const button of form.querySelectorAll("[data-set]")) {
      button.addEventListener("click", () => this.line.say({ do: "room", ...JSON.parse(button.dataset.set) }));
    }
    const bump = form.querySelector("[data-bump]");
    if (bump) bump.addEventListener("click", () => this.bump());
  }

  tell(field) {
    if (field.dataset.room === "size") {
      const [width, height] = field.value.split("x").map(Number);
      this.line.saySome({ do: "room", width, height });
    } else {
      this.line.saySome({ do: "room", [field.dataset.room]: this.value(field) });
    }
    this.write(field);
  }

  value(field) {
    if (field.type === "checkbox") return field.checked;
    return field.type === "range" ? Number(field.value) * Number(field.dataset.scale || 1) : field.value;
  }

  // A knock from somewhere: some mm and a degree or two.
  bump() {
    const some = (most) => Math.round((2 * Math.random() - 1) * most * 10) / 10;
    this.line.say({ do: "room", bump: [some(15), some(15), some(3)] });
  }

  // Shows the room as it is; what somebody drags here just now is left alone.
  show(room) {
    for (const field of this.fields) {
      const name = field.dataset.room;
      const value = name === "size" ? `${room.width}x${room.height}` : room[name];
      if (value === undefined || field === document.activeElement && field.matches(":active")) continue;
      if (field.type === "checkbox") field.checked = value;
      else if (field.type === "range") field.value = String(value / Number(field.dataset.scale || 1));
      else this.choose(field, String(value));
      this.write(field);
    }
  }

  choose(field, value) {
    if (![...field.options].some((each) => each.value === value)) field.add(new Option(value.replace("x", " × "), value));
    field.value = value;
  }

  write(field) {
    const output = field.parentElement.querySelector("output");
    if (output) output.textContent = `${Number(field.value)}${field.dataset.unit || ""}`;
  }
}
