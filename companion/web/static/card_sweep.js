// A phone that is moved across cards: pictures go to the companion one by one, and what it names lights up.
"use strict";
(() => {
  const LONGEST_PX = 1280;
  const LONGEST_OF_FILES_PX = 1920; // they are few
  const QUALITY = 0.85;
  const APART_MS = 250; // four pictures a second at most
  const ANSWER_MS = 5000;
  const AGAIN_MS = 1000;
  const SIZE = { width: { ideal: 1920 }, height: { ideal: 1080 } };
  const KEPT = "tiki-card-sweep";
  const sheet = document.getElementById("card-sweep");
  const video = sheet.querySelector("video");
  const marks = sheet.querySelector("svg");
  const said = sheet.querySelector(".sweepsaid");
  const names = sheet.querySelector(".sweepnames");
  const use = sheet.querySelector("[data-sweep-use]");
  const canvas = document.createElement("canvas");
  let sweep = null; // what is under way: the button's place and kind, its key, and the last picture
  let stream = null;
  let opener = null;

  if (isSecureContext && navigator.mediaDevices && navigator.mediaDevices.getUserMedia) {
    document.documentElement.classList.add("films");
  }

  const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

  function say(words) {
    if (said.textContent !== words) said.textContent = words;
  }

  // ---- What is asked of the companion; it answers each picture before the next one is taken.

  async function post(path, body) {
    const timer = new AbortController();
    const late = setTimeout(() => timer.abort(), ANSWER_MS);
    try {
      return await fetch(path, { method: "POST", body, cache: "no-store", signal: timer.signal });
    } finally {
      clearTimeout(late);
    }
  }

  // A page that was put aside by the phone goes on with what it had, while the companion knows it.
  function keep(value) {
    try {
      if (value) sessionStorage.setItem(KEPT, JSON.stringify(value));
      else sessionStorage.removeItem(KEPT);
    } catch (_) { /* a private window may keep nothing */ }
  }

  function kept(mine) {
    try {
      const found = JSON.parse(sessionStorage.getItem(KEPT)) || {};
      return found.back === mine.back && found.kind === mine.kind ? found.key : "";
    } catch (_) { return ""; }
  }

  async function begin(mine) {
    mine.key = kept(mine);
    if (mine.key) return;
    const form = new URLSearchParams({ kind: mine.kind });
    const answer = await (await post(`/card-sweep?back=${mine.back}`, form)).json();
    if (!answer.key) throw Object.assign(new Error(answer.error), { words: answer.error });
    mine.key = answer.key;
    keep({ back: mine.back, kind: mine.kind, key: mine.key });
  }

  async function add(mine, picture) {
    if (!mine.key) await begin(mine);
    const answered = await post(`/card-sweep/${mine.key}/picture?back=${mine.back}`, picture);
    const answer = await answered.json();
    if (answer.is_over) {
      keep(null);
      mine.key = "";
    }
    if (!answer.is_late) mine.last = picture;
    return answer;
  }

  async function finish(mine) {
    const answered = await post(`/card-sweep/${mine.key}/use?back=${mine.back}`);
    const words = await answered.text();
    const place = document.getElementById("card-photo");
    if (photographs.isPiece(answered)) place.innerHTML = words;
    else place.textContent = words;
    keep(null);
    document.dispatchEvent(new CustomEvent("photographed", { detail: mine.last }));
    place.scrollIntoView({ block: "nearest" });
  }

  // ---- What is shown.

  function draw(answer) {
    marks.setAttribute("viewBox", `0 0 ${answer.width} ${answer.height}`);
    marks.textContent = "";
    for (const mark of answer.marks) {
      const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
      const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      const words = document.createElementNS("http://www.w3.org/2000/svg", "text");
      const letter = answer.width / 24;
      group.setAttribute("class", mark.name ? "sure" : "");
      group.setAttribute("font-size", letter);
      ring.setAttribute("cx", mark.x);
      ring.setAttribute("cy", mark.y);
      ring.setAttribute("r", mark.radius);
      // Slanted, so that those of a fan do not cover each other; upright at the edge.
      words.setAttribute("transform", `translate(${mark.x} ${mark.y - mark.radius * 1.2}) rotate(${mark.x > 0.8 * answer.width ? -90 : -60})`);
      words.textContent = mark.name || "?";
      group.append(ring, words);
      marks.append(group);
    }
  }

  function show(answer) {
    if (answer.said || answer.error) say(answer.said || answer.error);
    if (!answer.marks) return;
    draw(answer);
    names.textContent = answer.names.join(" · ");
    use.disabled = !answer.names.length;
  }

  // ---- The camera.

  async function open() {
    const wanted = { facingMode: { ideal: "environment" }, ...SIZE };
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted });
      video.srcObject = stream;
      await video.play();
      return "";
    } catch (error) {
      return { NotAllowedError: "refused", SecurityError: "refused", NotFoundError: "missing" }[error.name] || "busy";
    }
  }

  function close() {
    sweep = null;
    if (stream) stream.getTracks().forEach((track) => track.stop());
    stream = video.srcObject = null;
    marks.textContent = names.textContent = "";
    sheet.hidden = true;
    if (document.contains(opener)) opener.focus();
  }

  function take() {
    const scale = Math.min(1, LONGEST_PX / Math.max(video.videoWidth, video.videoHeight));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => { canvas.toBlob(done, "image/jpeg", QUALITY); });
  }

  async function follow(mine) {
    while (sweep === mine) {
      const next = pause(APART_MS);
      try {
        if (!document.hidden && video.videoWidth) {
          const answer = await add(mine, await take());
          if (sweep !== mine) return;
          show(answer);
          if (answer.is_done) {
            await finish(mine);
            return close();
          }
          if (answer.is_over) return stopCamera();
        }
      } catch (error) { // no network, or the companion is being started again
        if (sweep !== mine) return;
        if (error.words) {
          say(error.words);
          return stopCamera();
        }
        say(sheet.dataset.lost);
        await pause(AGAIN_MS);
      }
      await next;
    }
  }

  // What was named stays on the page.
  function stopCamera() {
    if (stream) stream.getTracks().forEach((track) => track.stop());
    use.disabled = true;
  }

  async function start(button) {
    const mine = sweep = { back: button.dataset.cardSweep, kind: button.dataset.kind };
    opener = button;
    sheet.hidden = false;
    sheet.querySelector("[data-sweep-close]").focus();
    use.disabled = true;
    say(sheet.dataset.begin);
    const trouble = await open();
    if (sweep !== mine) return;
    if (trouble) say(sheet.dataset[trouble]);
    else follow(mine);
  }

  // ---- Several pictures of the file camera are joined likewise; one is read as ever.

  async function join(input) {
    const mine = { back: input.dataset.cardPhoto, kind: "hand" };
    const place = () => document.getElementById("card-photo");
    place().textContent = input.dataset.wait;
    try {
      keep(null);
      for (const file of input.files) {
        const answer = await add(mine, await photographs.shrink(file, LONGEST_OF_FILES_PX, QUALITY));
        if (!answer.is_late) place().textContent = answer.said || answer.error;
        if (answer.is_over) return;
      }
      await finish(mine);
    } catch (error) {
      place().textContent = error.words || input.dataset.lost;
    }
  }

  document.addEventListener("change", async (event) => {
    const input = event.target.closest("input[data-card-photo][multiple]");
    if (!input || input.files.length < 2) return;
    await join(input);
    input.value = "";
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-card-sweep]");
    if (button) start(button);
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && stream) video.play().catch(() => {}); // some browsers pause it
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && sweep) close(); });
  sheet.querySelector("[data-sweep-close]").addEventListener("click", () => { keep(null); close(); });
  use.addEventListener("click", () => {
    const mine = sweep;
    finish(mine).then(close, () => say(sheet.dataset.lost));
  });
})();
