// Sends the photograph of a card or a hand, made smaller, and shows what was read in it.
"use strict";
(() => {
  const LONGEST_PX = 1280;
  const LONGEST_OF_HANDS_PX = 1920; // many cards share the picture
  document.documentElement.classList.add("scripted");

  async function shrink(file, longest) {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
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
    const isHand = "hand" in input.dataset;
    const show = (act) => act(document.getElementById(input.dataset.show ?? "card-photo"));
    show((answer) => { answer.textContent = input.dataset.wait; });
    try {
      const photo = input.files[0];
      const body = await shrink(photo, isHand ? LONGEST_OF_HANDS_PX : LONGEST_PX).catch(() => photo);
      const to = isHand ? "/hand-photo" : "/card-photo";
      const answered = await fetch(`${to}?back=${place}`, { method: "POST", body });
      const words = await answered.text();
      const isPiece = (answered.headers.get("content-type") ?? "").startsWith("text/html");
      show((answer) => { if (isPiece) answer.innerHTML = words; else answer.textContent = words; });
      document.dispatchEvent(new CustomEvent("photographed", { detail: body }));
    } catch {
      show((answer) => { answer.textContent = input.dataset.lost; });
    }
    input.value = "";
  });
})();
