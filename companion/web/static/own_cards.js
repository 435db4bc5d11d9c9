// The owner's own cards on the host's desk: listed when unfolded, shown to the camera, removed.
"use strict";
(() => {
  const LONGEST_PX = 1280;
  const list = () => document.getElementById("own-cards-list");

  async function ask(path, options) {
    try {
      const answered = await fetch(path, options);
      const words = await answered.text();
      const isPiece = (answered.headers.get("content-type") ?? "").startsWith("text/html");
      if (isPiece && words.includes("data-kept-name")) list().innerHTML = words;
      else list().textContent = words;
    } catch {
      list().textContent = list().dataset.lost;
    }
  }

  async function shrink(file) {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, LONGEST_PX / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));
  }

  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.("[data-kept-cards][open]")) ask("/own-cards");
  }, true);

  document.addEventListener("change", async (event) => {
    const input = event.target.closest("input[data-kept-photo]");
    if (!input || !input.files.length) return;
    const name = document.querySelector("[data-kept-name]").value;
    const photo = input.files[0];
    const body = await shrink(photo).catch(() => photo);
    list().textContent = input.dataset.wait;
    ask(`/own-cards?name=${encodeURIComponent(name)}`, { method: "POST", body });
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-kept-remove]");
    if (button) ask("/own-cards/remove", { method: "POST", body: new URLSearchParams({ name: button.dataset.keptRemove }) });
  });
})();
