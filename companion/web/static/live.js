// Keeps the page as the companion has it: pieces come by server-sent events and replace the old ones.
"use strict";
(() => {
  const page = document.body.dataset.page;
  const banner = document.getElementById("connection");
  const SILENCE_MS = 25000; // the companion beats every 10 s
  const AGAIN_MS = 2000;
  const ANSWER_MS = 5000; // whatever is asked for comes within this, or is asked for again
  let source = null;
  let heard = null;

  // A refused form was answered in its own place: a reload must not send it again.
  if (document.body.dataset.place && location.pathname !== document.body.dataset.place) {
    history.replaceState(null, "", document.body.dataset.place + location.hash);
  }

  // A tap that nobody answers is told; what is still waited for then ends with the next tap.
  const unanswered = document.getElementById("unanswered");
  let tapped = null;

  function wait() {
    answered();
    tapped = setTimeout(() => {
      unanswered.textContent = unanswered.dataset.words;
      unanswered.hidden = false;
    }, ANSWER_MS);
  }

  function answered() {
    clearTimeout(tapped);
    unanswered.hidden = true;
  }

  document.addEventListener("submit", (event) => event.target.method === "post" && setTimeout(() => event.defaultPrevented || wait()));
  for (const each of ["pagehide", "pageshow"]) window.addEventListener(each, answered);
  if (!page || !window.EventSource) return;

  function tell(words) {
    banner.textContent = words;
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
    tell(banner.dataset.lost);
    leave();
    heard = setTimeout(follow, AGAIN_MS);
  }

  function leave() {
    clearTimeout(heard);
    if (source) source.close();
  }

  // A phone that slept, or was in no network, may show an old table: it is looked at anew, at once.
  function look() {
    if (document.visibilityState === "hidden") return;
    tell(banner.dataset.unsure);
    follow();
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
    leave();
    heard = setTimeout(again, ANSWER_MS);
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

  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", (event) => event.persisted && look());
  window.addEventListener("online", look);
  window.addEventListener("offline", again);
  document.addEventListener("visibilitychange", look);
  follow();
  document.documentElement.dataset.live = ""; // for static/unfollowed.js
})();
