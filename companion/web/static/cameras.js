// Once another camera watches, the set-up page is about that one.
"use strict";
(() => {
  const now = () => (document.querySelector("[data-camera]") || document.body).dataset.camera;
  const shown = now();
  document.addEventListener("piece", (event) => {
    if (event.detail === "camera" && now() !== shown) location.reload();
  });
})();
