// The owner's own cards on the host's desk: listed when unfolded, shown to the camera, removed.
"use strict";
(() => {
  const LONGEST_PX = 1280;
  const QUALITY = 0.92; // this picture is kept
  const list = () => document.getElementById("own-cards-list");

  async function ask(path, options) {
    try {
      const answered = await fetch(path, options);
      const words = await answered.text();
      if (photographs.isPiece(answered) && words.includes("data-kept-name")) list().innerHTML = words;
      else list().textContent = words;
    } catch (_) {
      list().textContent = list().dataset.lost;
    }
  }

  document.addEventListener("toggle", (event) => {
    if (event.target.matches("[data-kept-cards][open]")) ask("/own-cards");
  }, true);

  document.addEventListener("change", async (event) => {
    const input = event.target.closest("input[data-kept-photo]");
    if (!input || !input.files.length) return;
    const name = document.querySelector("[data-kept-name]").value;
    const body = await photographs.shrink(input.files[0], LONGEST_PX, QUALITY);
    list().textContent = input.dataset.wait;
    ask(`/own-cards?name=${encodeURIComponent(name)}`, { method: "POST", body });
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-kept-remove]");
    if (button) ask("/own-cards/remove", { method: "POST", body: new URLSearchParams({ name: button.dataset.keptRemove }) });
  });
})();
