// Keeps this screen on where its owner wants that, and says truthfully whether it does.
//
// Encrypted pages, and those of this very machine, have the browser's wake lock. On plain http there is none; a video
// that plays keeps the screen on there if it is what the engine asks for. Chromium wants a fifth of the window covered
// (VideoWakeLock), Firefox a sound track (ShouldCreateVideoWakeLock), WebKit a sound track that is not muted and no
// `loop` (shouldDisableSleep). None of them tells whether it did, so the page says that the screen *should* stay on.
//
// awake.mp4: 16 x 16 black pixels and silence, shorter than the five seconds from which Android takes it for music:
// ffmpeg -f lavfi -i color=black:s=16x16:r=2:d=4 -f lavfi -i anullsrc=r=44100:cl=mono:d=4 -t 4 -c:v libx264 \
//   -profile:v baseline -pix_fmt yuv420p -x264-params keyint=2 -bsf:v filter_units=remove_types=6 -c:a aac -b:a 8k \
//   -movflags +faststart -map_metadata -1 awake.mp4
"use strict";
(() => {
  const button = document.getElementById("awake");
  if (!button) return;
  const words = button.querySelector("[data-off]");
  const hint = document.getElementById("awake-hint");
  const KEPT = "tiki-awake";
  const AGAIN_MS = 1000;
  const REWIND_S = 2; // half of the video
  const isWebKit = /Apple/.test(navigator.vendor);
  // In pages on an iPhone's home screen the lock was granted and did nothing until iOS 18.4.
  const hasLock = "wakeLock" in navigator && navigator.standalone !== true;
  let wanted = choices.get(KEPT) === "on";
  let lock = null;
  let video = null;
  let isTaking = false;

  // One of "off", "on", "likely", "waiting" for a touch, and "refused".
  function show(state) {
    button.dataset.state = state;
    button.setAttribute("aria-pressed", wanted);
    words.textContent = words.dataset[state];
    hint.hidden = state !== "likely" && state !== "refused";
    button.title = hint.hidden ? "" : hint.textContent;
  }

  function isVisible() {
    return document.visibilityState === "visible";
  }

  async function takeLock() {
    if (lock) return;
    const taken = await navigator.wakeLock.request("screen");
    lock = taken;
    taken.addEventListener("release", () => {
      if (lock === taken) lock = null;
      if (wanted && isVisible()) setTimeout(take, AGAIN_MS);
    });
  }

  function makeVideo() {
    const made = document.createElement("video");
    made.className = "awake-video";
    made.src = "/static/awake.mp4";
    made.setAttribute("playsinline", "");
    made.setAttribute("aria-hidden", "true");
    made.disableRemotePlayback = true;
    // Sound, even silence, takes the phone's loudspeaker from what plays there: only where it must be.
    made.muted = !isWebKit;
    made.loop = !isWebKit;
    made.addEventListener("timeupdate", () => {
      if (isWebKit && made.currentTime > REWIND_S) made.currentTime = 0;
    });
    for (const event of ["pause", "ended"]) made.addEventListener(event, () => setTimeout(take, AGAIN_MS));
    document.body.append(made);
    return made;
  }

  async function playVideo() {
    video = video || makeVideo();
    if (video.paused) await video.play();
  }

  function letGo() {
    if (lock) lock.release();
    if (video) video.remove();
    lock = video = null;
  }

  async function hold() {
    if (hasLock) {
      try {
        await takeLock();
        return "on";
      } catch (error) { /* without a touch, or to save the battery */ }
    }
    await playVideo();
    return "likely";
  }

  // isTouched: whether somebody has just touched the page, before which browsers may refuse.
  async function take(isTouched) {
    if (!wanted || !isVisible() || isTaking) return;
    isTaking = true;
    let state;
    try {
      state = await hold();
    } catch (error) {
      state = error.name === "NotAllowedError" && isTouched !== true ? "waiting" : "refused";
    }
    isTaking = false;
    if (wanted) show(state); else letGo();
  }

  button.addEventListener("click", () => {
    wanted = !wanted || button.dataset.state === "waiting" || button.dataset.state === "refused";
    choices.keep(KEPT, wanted ? "on" : "off");
    if (wanted) take(true); else { letGo(); show("off"); }
  });
  for (const touch of ["click", "keydown"]) {
    document.addEventListener(touch, (event) => {
      if (button.dataset.state === "waiting" && !button.contains(event.target)) take(true);
    });
  }
  document.addEventListener("visibilitychange", take);
  window.addEventListener("pageshow", take);
  show("off");
  button.hidden = false;
  take();
})();
