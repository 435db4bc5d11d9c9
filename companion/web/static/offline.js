// Looks every few seconds whether the companion answers again; the address is still that of the page that was wanted.
"use strict";
(() => {
  const AGAIN_MS = 3000;

  async function look() {
    try {
      await fetch("/manifest.webmanifest", { cache: "no-store" });
      location.reload();
    } catch (error) {
      setTimeout(look, AGAIN_MS);
    }
  }

  setTimeout(look, AGAIN_MS);
  window.addEventListener("online", () => location.reload());
})();
