// Keeps the page as the companion has it: pieces come by server-sent events and replace the old ones.
"use strict";
(() => {
  const page = document.body.dataset.page;
  const banner = document.getElementById("connection");
  const SILENCE_MS = 25000; // the companion beats every 10 s
  const AGAIN_MS = 2000;
  let source = null;
  let heard = null;

  // A refused form was answered in its own place: a reload must not send it again.
  if (document.body.dataset.place && location.pathname !== document.body.dataset.place) {
    history.replaceState(null, "", document.body.dataset.place + location.hash);
  }
  if (!page || !window.EventSource) return;

  function lost() {
    banner.textContent = banner.dataset.lost;
    banner.hidden = false;
    document.body.classList.add("lost");
  }

  function alive() {
    banner.hidden = true;
    document.body.classList.remove("lost");
    clearTimeout(heard);
    heard = setTimeout(again, SILENCE_MS);
  }

  function again() {
    lost();
    clearTimeout(heard);
    if (source) source.close();
    heard = setTimeout(follow, AGAIN_MS);
  }

  function change(id, act) {
    const found = document.getElementById(id);
    if (found) act(found);
  }

  function replace(name, piece) {
    const place = document.querySelector(`[data-region="${name}"]`);
    if (!place || place.dataset.mark === piece.mark) return;
    const open = [...place.querySelectorAll("details[open][id]")].map((each) => each.id);
    const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
    const kept = [...place.querySelectorAll("[data-keep][id]")].map(({ id, value, checked }) => ({ id, value, checked }));
    place.innerHTML = piece.html;
    place.dataset.mark = piece.mark;
    for (const id of open) change(id, (each) => each.setAttribute("open", ""));
    // What somebody is filling in is not lost because another has done something meanwhile.
    for (const { id, value, checked } of kept) change(id, (each) => Object.assign(each, { value, checked }));
    if (focused) change(focused, (each) => each.focus());
    document.dispatchEvent(new CustomEvent("piece", { detail: name }));
  }

  // What the style sheet of the whole page has to know of a piece.
  function show() {
    const shown = [...document.querySelectorAll("[data-shows]")].map((each) => each.dataset.shows);
    document.body.dataset.shown = shown.join(" ");
  }

  // Read aloud what matters, not every hand that passes over the line.
  let said = news();

  function news() {
    const found = ["#last-move .said", "#waiting.away", "#turn"].map((each) => document.querySelector(each));
    return found.filter(Boolean).map((each) => each.textContent.trim()).filter(Boolean).join(". ");
  }

  function announce() {
    const fresh = news();
    if (fresh !== said) document.getElementById("announcement").textContent = said = fresh;
  }

  function follow() {
    source = new EventSource(`/live?page=${page}&view=${document.body.dataset.view || ""}`);
    source.addEventListener("open", alive);
    source.addEventListener("beat", alive);
    source.addEventListener("error", again);
    source.addEventListener("regions", (event) => {
      alive();
      for (const [name, piece] of Object.entries(JSON.parse(event.data))) replace(name, piece);
      show();
      announce();
    });
  }

  window.addEventListener("pagehide", () => source && source.close());
  window.addEventListener("pageshow", (event) => event.persisted && follow());
  follow();
  document.documentElement.dataset.live = ""; // for static/unfollowed.js
})();
