// Says so where a browser is too old for the page's modules, which are classic scripts' younger siblings.
"use strict";
window.addEventListener("load", () => {
  if (!("virtual" in document.documentElement.dataset)) document.getElementById("undrawn").hidden = false;
});
