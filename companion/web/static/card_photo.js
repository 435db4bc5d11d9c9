// Sends the photograph of a card, made smaller, and shows what was read in it.
"use strict";
(() => {
  const LONGEST_PX = 1280;
  document.documentElement.classList.add("scripted");

  async function shrink(file) {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, LONGEST_PX / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
  }

  document.addEventListener("change", async (event) => {
    const input = event.target.closest("input[data-card-photo]");
    if (!input || !input.files.length) return;
    const place = input.dataset.cardPhoto;
    const show = (act) => act(document.getElementById("card-photo"));
    show((answer) => { answer.textContent = input.dataset.wait; });
    try {
      const photo = input.files[0];
      const body = await shrink(photo).catch(() => photo);
      const answered = await fetch(`/card-photo?back=${place}`, { method: "POST", body });
      const words = await answered.text();
      const isPiece = (answered.headers.get("content-type") ?? "").startsWith("text/html");
      show((answer) => { if (isPiece) answer.innerHTML = words; else answer.textContent = words; });
    } catch {
      show((answer) => { answer.textContent = input.dataset.lost; });
    }
    input.value = "";
  });
})();
