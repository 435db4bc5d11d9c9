// Lets the times of turns go on between what the companion says of them.
"use strict";
(() => {
  function words(seconds) {
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  function show() {
    const now = performance.now();
    for (const each of document.querySelectorAll("[data-goes]")) {
      const { seconds, limit } = each.dataset;
      if (!each.dataset.from) each.dataset.from = now - 1000 * seconds;
      const gone = Math.floor((now - each.dataset.from) / 1000);
      each.textContent = words(gone);
      each.classList.toggle("over", 0 < limit && limit <= gone);
    }
  }

  document.addEventListener("piece", show);
  setInterval(show, 1000);
  show();
})();
