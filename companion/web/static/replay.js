// Plays a fall back in slow motion: by itself on the scoreboard when it is news, and whenever somebody asks for it.
"use strict";
(() => {
  const SLOWNESS = 3;
  const PLAYS = 2; // by itself
  const MAX_STEP_MS = 400; // while nothing moved no picture was taken
  const STILLS = 6; // for who wants no motion
  const HELD_MS = 1500; // the last picture
  const STILLS_MS = 20000;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  let shown = null;
  let seen = null;

  function close() {
    if (!shown) return;
    clearTimeout(shown.timer);
    cancelAnimationFrame(shown.frame);
    shown.screen.remove();
    shown = null;
  }

  function open(film) {
    close();
    const screen = document.createElement("figure");
    screen.className = "replay-screen";
    screen.setAttribute("role", "dialog");
    screen.setAttribute("aria-label", film.title);
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `✕ ${film.close}`;
    button.addEventListener("click", close);
    screen.append(button);
    document.body.append(screen);
    shown = { screen, number: film.number, timer: 0, frame: 0 };
    return screen;
  }

  function load(number, count) {
    return Promise.all(Array.from({ length: count }, (_, place) => new Promise((done) => {
      const picture = new Image();
      picture.onload = () => done(picture);
      picture.onerror = () => done(null);
      picture.alt = "";
      picture.src = `/replay/${number}/${place}.jpg`;
    })));
  }

  // When each picture is due, in milliseconds of slow motion.
  function due(times) {
    let now = 0;
    return times.map((each, place) => (now += place ? SLOWNESS * Math.min(each - times[place - 1], MAX_STEP_MS) : 0));
  }

  async function play(film, plays) {
    const screen = open(film);
    const own = shown;
    const times = film.times.trim().split(" ").map(Number);
    const pictures = await load(film.number, times.length);
    if (shown !== own) return;
    const kept = pictures.flatMap((picture, place) => (picture ? [{ picture, ms: times[place] }] : []));
    if (!kept.length) return close();
    if (calm.matches) return showStills(screen, kept.map((each) => each.picture));
    const canvas = document.createElement("canvas");
    canvas.width = kept[0].picture.naturalWidth;
    canvas.height = kept[0].picture.naturalHeight;
    screen.prepend(canvas);
    run(canvas, kept.map((each) => each.picture), due(kept.map((each) => each.ms)), plays, own);
  }

  // Each picture fades into the next, so that five a second look like motion.
  function run(canvas, pictures, times, plays, own) {
    const ink = canvas.getContext("2d");
    const began = performance.now();
    const length = times[times.length - 1] + HELD_MS;
    function draw(now) {
      if (shown !== own) return;
      const gone = Math.max(0, now - began);
      if (gone >= length * plays) return close();
      const at = gone % length;
      let place = 0;
      while (place + 1 < times.length && times[place + 1] <= at) place += 1;
      const next = pictures[place + 1];
      ink.globalAlpha = 1;
      ink.drawImage(pictures[place], 0, 0, canvas.width, canvas.height);
      if (next) {
        ink.globalAlpha = (at - times[place]) / Math.max(1, times[place + 1] - times[place]);
        ink.drawImage(next, 0, 0, canvas.width, canvas.height);
      }
      canvas.dataset.place = place;
      own.frame = requestAnimationFrame(draw);
    }
    own.frame = requestAnimationFrame(draw);
  }

  // The end matters most: the stills are those before it.
  function showStills(screen, pictures) {
    const strip = document.createElement("div");
    strip.append(...pictures.slice(-STILLS));
    screen.prepend(strip);
    screen.classList.add("stills");
    shown.timer = setTimeout(close, STILLS_MS);
  }

  function follow() {
    const region = document.getElementById("replay");
    if (!region) {
      close();
      seen = null;
      return;
    }
    const film = region.dataset;
    if (shown && shown.number !== film.number) close();
    const button = region.querySelector("button");
    button.hidden = false;
    button.addEventListener("click", () => play(film, 1));
    const isNew = seen !== film.number;
    seen = film.number;
    if (isNew && "news" in film && document.body.dataset.page === "board") play(film, PLAYS);
  }

  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
  document.addEventListener("piece", (event) => event.detail === "replay" && follow());
  follow();
})();
