// A photographed hand: what is not sure is completed by taps, and the points follow at once.
"use strict";
(() => {
  const MARK = "aria-pressed";

  // The picture has stayed here: it is drawn below the marks.
  document.addEventListener("photographed", async (event) => {
    const canvas = document.querySelector("[data-hand-picture]");
    if (!canvas) return;
    const picture = await createImageBitmap(event.detail).catch(() => null);
    if (picture) canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  });

  function choose(hand, card) {
    for (const each of hand.querySelectorAll("[data-hand-card] > button")) each.setAttribute(MARK, "false");
    if (card) card.querySelector("button").setAttribute(MARK, "true");
    hand.querySelector("[data-hand-pad]").hidden = !card;
  }

  function tell(hand) {
    const cards = [...hand.querySelectorAll("[data-hand-card]")];
    const named = cards.filter((card) => card.querySelector("input").value);
    const whole = named.length === Number(hand.dataset.held) && named.length === cards.length;
    const points = named.reduce((sum, card) => sum + Number(card.dataset.points), 0);
    hand.querySelector("output").textContent = whole ? points : "?";
    hand.querySelector("button.main").disabled = !whole;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-hand] button[type=button]");
    if (!button) return;
    const hand = button.closest("[data-hand]");
    const own = button.closest("[data-hand-card]");
    if (own) {
      choose(hand, button.getAttribute(MARK) === "true" ? null : own);
      const pad = hand.querySelector("[data-hand-pad]");
      if (!pad.hidden) pad.scrollIntoView({ block: "center" });
      return;
    }
    const chosen = hand.querySelector(`[data-hand-card] > [${MARK}=true]`);
    if (!chosen) return;
    const card = chosen.parentElement;
    if ("handAway" in button.dataset) {
      card.remove();
    } else {
      card.querySelector("input").value = button.dataset.handChoice;
      card.dataset.points = button.dataset.points;
      const shown = card.querySelector("button");
      shown.className = button.className;
      shown.setAttribute("aria-label", button.getAttribute("aria-label"));
      shown.innerHTML = button.innerHTML;
    }
    choose(hand, null);
    tell(hand);
  });
})();
