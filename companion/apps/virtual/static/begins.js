// Waits until the companion is back with a table, and goes there.
"use strict";
(() => {
  const AGAIN_MS = 700;
  const table = document.getElementById("table");
  async function look() {
    try {
      const answer = await fetch("/virtual", { cache: "no-store" });
      if (answer.ok) {
        location.replace(table.href);
        return;
      }
    } catch (_) { /* it is being started */ }
    setTimeout(look, AGAIN_MS);
  }
  setTimeout(look, AGAIN_MS);
})();
