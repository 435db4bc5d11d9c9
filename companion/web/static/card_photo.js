// Sends the photograph of a card or a hand, made smaller, and shows what was read in it.
"use strict";
(() => {
  const LONGEST_PX = 1280;
  const LONGEST_OF_HANDS_PX = 1920; // many cards share the picture
  const QUALITY = 0.9;
  document.documentElement.classList.add("scripted");

  document.addEventListener("change", async (event) => {
    const input = event.target.closest("input[data-card-photo]");
    if (!input || input.files.length !== 1) return; // several are for card_sweep.js
    const place = input.dataset.cardPhoto;
    const isHand = "hand" in input.dataset;
    const show = (act) => act(document.getElementById("card-photo"));
    show((answer) => { answer.textContent = input.dataset.wait; });
    try {
      const photo = input.files[0];
      const longest = isHand ? LONGEST_OF_HANDS_PX : LONGEST_PX;
      const body = await photographs.shrink(photo, longest, QUALITY);
      const to = input.dataset.to || (isHand ? "/hand-photo" : "/card-photo");
      const answered = await fetch(`${to}?back=${place}`, { method: "POST", body });
      const words = await answered.text();
      const isPiece = photographs.isPiece(answered);
      show((answer) => { if (isPiece) answer.innerHTML = words; else answer.textContent = words; });
      document.dispatchEvent(new CustomEvent("photographed", { detail: body }));
    } catch (_) {
      show((answer) => { answer.textContent = input.dataset.lost; });
    }
    input.value = "";
  });
})();
