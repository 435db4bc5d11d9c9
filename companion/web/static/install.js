// Registers the worker that says when the table is out of reach. Browsers have workers on encrypted pages alone.
"use strict";
(() => {
  const { worker } = document.currentScript.dataset;
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(worker).catch(() => { /* a certificate that nobody vouches for */ });
})();
