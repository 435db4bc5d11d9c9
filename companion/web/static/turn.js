// Says in the page's title whose turn it is, and signals its own turn to a seat as this browser's owner has chosen.
"use strict";
(() => {
  const choice = document.getElementById("turn-signal");
  const hint = document.getElementById("turn-signal-hint");
  const KEPT = "tiki-turn-signal";
  const BUZZ_MS = [200, 100, 200];
  const title = document.title;
  let isChosen = false; // what nobody has asked for is not asked back either
  const can = { none: true, buzz: "vibrate" in navigator, sound: "AudioContext" in window };
  can.both = can.buzz && can.sound;

  function whose() {
    return (document.getElementById("whose") || document.body).dataset;
  }

  function kept() {
    const found = choices.get(KEPT);
    isChosen = found !== null;
    return can[found] ? found : can.buzz ? "buzz" : "none";
  }

  // Browsers neither vibrate nor sound for a page that nobody has touched since it was loaded.
  function isTouched() {
    return !navigator.userActivation || navigator.userActivation.hasBeenActive;
  }

  function signal() {
    if (!choice || !isTouched()) return;
    if (choice.value === "buzz" || choice.value === "both") navigator.vibrate(BUZZ_MS);
    if (choice.value === "sound" || choice.value === "both") sound("turn");
  }

  // static/sound.js plays it, unless the page sounds anyhow.
  function sound(melody) {
    document.dispatchEvent(new CustomEvent("melody", { detail: melody }));
  }

  function showHint() {
    hint.hidden = !isChosen || choice.value === "none" || isTouched();
  }

  let isOwn = "mine" in whose(); // what stands there already is no news

  function follow() {
    const { mine, title: words } = whose();
    document.title = words || title;
    if (mine !== undefined && !isOwn) signal();
    isOwn = mine !== undefined;
  }

  document.addEventListener("piece", (event) => event.detail === "call" && follow());
  follow();
  if (!choice) return;

  for (const each of [...choice.options]) if (!can[each.value]) each.remove();
  choice.value = kept();
  choice.addEventListener("change", () => {
    choices.keep(KEPT, choice.value);
    signal();
    showHint();
  });
  document.addEventListener("click", () => {
    if (choice.value === "sound" || choice.value === "both") sound(""); // so that it may sound later
    showHint();
  });
  showHint();
  choice.parentElement.hidden = choice.options.length < 2;
})();
