// Sends what a phone's camera sees: a small picture a glance, and the whole one when it is wanted.
"use strict";
(() => {
  const GLANCE_PX = 192;
  const GLANCE_QUALITY = 0.9;
  const QUALITY = 0.92;
  const SIZE = { width: { ideal: 1920 }, height: { ideal: 1080 }, resizeMode: { ideal: "none" } };
  const ANSWER_MS = 20000;
  const FRAME_MS = 3000; // a camera that gives no picture for so long has stopped
  const AGAIN_MS = 1000;
  const video = document.getElementById("picture");
  const said = document.getElementById("said");
  const start = document.getElementById("start");
  const stop = document.getElementById("stop");
  const lens = document.getElementById("lens");
  const whole = document.createElement("canvas");
  const small = document.createElement("canvas");
  const key = location.hash.slice(1) || remember("tiki-phone-key", sessionStorage);
  let page = ""; // changes with each start, so that an older page or run is told from this one
  let stream = null;

  // ---- What is kept: the key while the tab is open, and which phone this is for ever.

  function remember(name, storage, value) {
    try {
      if (value) storage.setItem(name, value);
      return storage.getItem(name) || "";
    } catch (_) { return ""; } // a private window may keep nothing
  }

  function random() {
    return [...crypto.getRandomValues(new Uint8Array(8))].map((each) => each.toString(16).padStart(2, "0")).join("");
  }

  // ---- What is shown: one state at a time, and what the companion says.

  function show(state) {
    for (const each of document.querySelectorAll("[data-when]")) each.hidden = each.dataset.when !== state;
    said.hidden = true;
  }

  function say(words, isWrong) {
    show("");
    if (said.textContent !== words) said.textContent = words;
    said.classList.toggle("wrong", isWrong);
    said.hidden = false;
  }

  function rest() {
    page = "";
    if (stream) stream.getTracks().forEach((track) => track.stop());
    stream = video.srcObject = null;
    video.hidden = stop.hidden = true;
    start.hidden = false;
  }

  // ---- The camera.

  // The running picture's track, if there is one.
  const current = () => (stream ? stream.getVideoTracks()[0] : undefined);

  // Returns what keeps it from being opened, "" if nothing does.
  async function open() {
    show("asking");
    const which = lens.value ? { deviceId: { exact: lens.value } } : { facingMode: { ideal: "environment" } };
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, ...SIZE } });
    } catch (error) {
      return { NotAllowedError: "refused", SecurityError: "refused", NotFoundError: "missing" }[error.name] || "busy";
    }
    const [track] = stream.getVideoTracks();
    track.addEventListener("ended", () => track === current() && goOn());
    document.getElementById("front").hidden = track.getSettings().facingMode !== "user";
    video.srcObject = stream;
    video.hidden = stop.hidden = false;
    start.hidden = true;
    await video.play();
    await offer(track);
    return "";
  }

  // A phone may have several lenses, and only its owner knows which one sees the table best.
  async function offer(track) {
    const all = (await navigator.mediaDevices.enumerateDevices()).filter((each) => each.kind === "videoinput");
    lens.textContent = "";
    all.forEach((each) => lens.add(new Option(each.label, each.deviceId)));
    lens.value = track.getSettings().deviceId || "";
    lens.parentElement.hidden = all.length < 2;
  }

  const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

  // A picture that was not drawn before; false if the camera gives none.
  function fresh() {
    const drawn = "requestVideoFrameCallback" in video
      ? new Promise((done) => { video.requestVideoFrameCallback(() => done(true)); })
      : pause(50).then(() => !(current() && current().muted));
    return Promise.race([drawn, pause(FRAME_MS).then(() => false)]);
  }

  function draw() {
    const [width, height] = [video.videoWidth, video.videoHeight];
    const scale = Math.min(1, GLANCE_PX / width);
    for (const [canvas, part] of [[whole, 1], [small, scale]]) {
      canvas.width = Math.round(width * part);
      canvas.height = Math.round(height * part);
      const pen = canvas.getContext("2d");
      pen.imageSmoothingQuality = "high";
      pen.drawImage(video, 0, 0, canvas.width, canvas.height);
    }
    return { width, height };
  }

  const jpeg = (canvas, quality) => new Promise((done) => { canvas.toBlob(done, "image/jpeg", quality); });

  // ---- Sending.

  async function send(mine, what, values, body = null, more = {}) {
    const answer = await fetch(`/phone-camera/${what}?${new URLSearchParams({ page: mine, ...values })}`, {
      method: "POST", body, cache: "no-store", headers: { Authorization: `Bearer ${key}` }, ...more,
    });
    return answer.json();
  }

  const within = () => (AbortSignal.timeout ? { signal: AbortSignal.timeout(ANSWER_MS) } : {});

  function away(why, mine = page) {
    if (mine) send(mine, "away", { why }, null, { keepalive: true }).catch(() => {});
  }

  const introduce = (mine) => send(mine, "begin", {
    phone: remember("tiki-phone", localStorage) || remember("tiki-phone", localStorage, random()) || random(),
    label: (current() ? current().label : "").slice(0, 60),
  }, null, within());

  async function glance(mine) {
    if (!await fresh()) {
      if (!document.hidden) away("interrupted");
      return null;
    }
    const size = draw();
    let answer = await send(mine, "glance", size, await jpeg(small, GLANCE_QUALITY), within());
    while (answer.order === "whole") answer = await send(mine, "whole", {}, await jpeg(whole, QUALITY), within());
    return answer;
  }

  async function follow(mine) {
    let answer = null;
    let isKnown = false;
    while (page === mine) {
      try {
        if (!isKnown) answer = await introduce(mine);
        else if (!document.hidden) answer = await glance(mine);
        else {
          away("hidden"); // again: a picture may have been on its way
          await pause(AGAIN_MS);
        }
      } catch (_) { // no network, or the companion is being started again
        if (page === mine && !document.hidden) show("lost");
        await pause(AGAIN_MS);
        continue;
      }
      if (page !== mine || !answer) continue;
      isKnown = answer.order !== "begin";
      if (answer.order === "stop") rest();
      say(answer.words, answer.is_wrong || answer.order === "stop");
      if (answer.is_wrong) await pause(AGAIN_MS);
    }
  }

  // ---- The screen stays on, and whatever interrupts is said.

  async function stayAwake() {
    try {
      await navigator.wakeLock.request("screen");
    } catch (_) {
      document.getElementById("sleepy").hidden = "wakeLock" in navigator;
    }
  }

  async function begin() {
    rest();
    const mine = page = random();
    const trouble = await open();
    if (page !== mine) return "";
    if (trouble) {
      rest();
      show(trouble);
    } else {
      stayAwake();
      follow(mine);
    }
    return trouble;
  }

  // After a call, or whatever else has taken the camera, until that gives it back.
  async function goOn() {
    const mine = page;
    rest();
    do {
      away("interrupted", mine);
      await pause(AGAIN_MS);
    } while (!page && (document.hidden || await begin() === "busy"));
  }

  document.addEventListener("visibilitychange", () => {
    if (!page) return;
    if (document.hidden) away("hidden");
    else {
      stayAwake();
      video.play().catch(() => {}); // some browsers pause it
    }
  });
  window.addEventListener("pagehide", () => away("hidden"));
  start.addEventListener("click", begin);
  lens.addEventListener("change", begin);
  stop.addEventListener("click", () => { away("hidden"); rest(); show("ready"); });

  if (!isSecureContext) {
    show("insecure");
    const secure = document.getElementById("secure");
    if (secure) secure.href = `${secure.href.split("#")[0]}#${key}`;
  } else if (!key) {
    show("keyless");
  } else if (!navigator.mediaDevices || !navigator.mediaDevices.getUserMedia) {
    show("unable");
  } else {
    remember("tiki-phone-key", sessionStorage, key);
    start.hidden = false;
    show("ready");
  }
})();
