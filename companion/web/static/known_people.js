// Gives whoever has played here the colour that they chose last, unless another player has it.
"use strict";
(() => {
  const known = document.getElementById("known-people");
  if (!known) return;
  const written = (name) => name.trim().replace(/\s+/g, " ").toLowerCase();
  document.getElementById("newgame").addEventListener("change", (event) => {
    const person = event.target.getAttribute("list") === known.id && event.target.closest("[data-person]");
    const own = person && person.querySelector("select");
    if (!own) return;
    const found = Array.from(known.options).find((each) => written(each.value) === written(event.target.value));
    const others = Array.from(document.querySelectorAll("[data-person] select")).filter((each) => each !== own);
    const colour = found && found.dataset.colour;
    if (!colour || others.some((each) => each.value === colour)) return;
    own.value = colour;
    person.querySelector(".pawn").setAttribute("class", `pawn paint-${colour}`);
  });
})();
