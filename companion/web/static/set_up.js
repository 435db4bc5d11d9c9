// The live picture of the set-up page, what is seen drawn over it, and corners that are dragged.
"use strict";
(() => {
  const view = document.getElementById("view");
  if (!view) return;
  const picture = document.getElementById("picture");
  const overlay = document.getElementById("overlay");
  const dragged = document.getElementById("dragged");
  const words = document.getElementById("words");
  const lens = document.getElementById("lens");
  const field = document.getElementById("corners");
  const button = document.getElementById("drag");
  const handles = [...view.querySelectorAll(".handle")];
  const plan = JSON.parse(view.dataset.plan);
  const ZOOM = 3;
  const LENS_PX = 136; // its width on the page
  const HALF_PX = 26; // of a handle, which is larger than a fingertip
  const PAUSE_MS = 250;
  const AGAIN_MS = 2000;
  let after = 0;
  let corners = null; // in shares of the picture; null while tiles are used

  // ---- The live picture: one question after the other, and none while nobody looks.

  async function look() {
    const answer = await fetch(`/set-up/look?after=${after}&by=${corners ? "corners" : "tiles"}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    const seen = await answer.json();
    if (seen.picture && seen.number !== after) {
      const next = new Image();
      next.src = `/set-up/picture/${seen.picture}`;
      try {
        await next.decode();
        picture.src = next.src;
        picture.hidden = false;
        view.classList.remove("waiting");
        picture.width = seen.size[0];
        picture.height = seen.size[1];
        view.style.setProperty("--aspect", seen.size[0] / seen.size[1]);
        overlay.setAttribute("viewBox", `0 0 ${seen.size[0]} ${seen.size[1]}`);
      } catch (_) { /* a newer one has come meanwhile */ }
    }
    overlay.innerHTML = seen.overlay;
    if (words.dataset.shown !== seen.words) words.innerHTML = words.dataset.shown = seen.words;
    view.classList.toggle("stale", !seen.picture);
    after = seen.number;
  }

  async function follow() {
    let pause = PAUSE_MS;
    if (!document.hidden) {
      try { await look(); } catch (_) { view.classList.add("stale"); pause = AGAIN_MS; }
    }
    setTimeout(follow, pause);
  }

  // ---- Corners: by finger, mouse or arrow keys; the places follow them.

  // The projective map of four points to four others, as a function; solved by elimination.
  function projection(from, to) {
    const rows = [];
    from.forEach(([x, y], at) => {
      const [u, v] = to[at];
      rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
    });
    for (let column = 0; column < 8; column++) {
      let best = column;
      for (let row = column; row < 8; row++) if (Math.abs(rows[row][column]) > Math.abs(rows[best][column])) best = row;
      [rows[column], rows[best]] = [rows[best], rows[column]];
      if (Math.abs(rows[column][column]) < 1e-12) return null;
      for (let row = 0; row < 8; row++) {
        if (row === column) continue;
        const share = rows[row][column] / rows[column][column];
        for (let k = column; k < 9; k++) rows[row][k] -= share * rows[column][k];
      }
    }
    const h = rows.map((row, at) => row[8] / row[at]);
    return ([x, y]) => {
      const depth = h[6] * x + h[7] * y + 1;
      return [(h[0] * x + h[1] * y + h[2]) / depth, (h[3] * x + h[4] * y + h[5]) / depth];
    };
  }

  function draw() {
    const width = picture.naturalWidth || 1280;
    const height = picture.naturalHeight || 720;
    const scaled = corners.map(([x, y]) => [x * width, y * height]);
    const map = projection(plan.outline, scaled);
    const polygon = (points, kind) => `<polygon class="${kind}" points="${points.map((each) => each.map((v) => v.toFixed(1)).join(",")).join(" ")}"/>`;
    const places = map ? plan.places.map((each) => polygon(each.map(map), "place")) : [];
    dragged.setAttribute("viewBox", `0 0 ${width} ${height}`);
    dragged.innerHTML = polygon(scaled, "outline") + places.join("");
    // A handle stays inside the picture, so that a corner at its very edge can be held as well.
    const box = view.getBoundingClientRect();
    const inside = (at, size) => Math.min(Math.max(at, HALF_PX), Math.max(size - HALF_PX, HALF_PX));
    handles.forEach((handle, at) => {
      const [x, y] = [corners[at][0] * box.width, corners[at][1] * box.height];
      const [left, top] = [inside(x, box.width), inside(y, box.height)];
      handle.style.left = `${left}px`;
      handle.style.top = `${top}px`;
      handle.style.setProperty("--x", `${x - left}px`);
      handle.style.setProperty("--y", `${y - top}px`);
    });
    field.value = corners.map((each) => each.map((share) => share.toFixed(5)).join(" ")).join(" ");
  }

  function move(at, x, y) {
    corners[at] = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
    draw();
  }

  // What lies under the finger, enlarged where no finger is, with the dragged outline drawn in.
  function magnify(at) {
    const shown = view.getBoundingClientRect();
    const [x, y] = corners[at];
    const pen = lens.getContext("2d");
    const side = lens.width;
    const per = (ZOOM * side) / LENS_PX; // pixels of the lens for one of the page
    const place = ([u, v]) => [side / 2 + (u - x) * shown.width * per, side / 2 + (v - y) * shown.height * per];
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, side, side);
    if (picture.naturalWidth) pen.drawImage(picture, ...place([0, 0]), shown.width * per, shown.height * per);
    pen.strokeStyle = "#ffdd4a";
    pen.lineWidth = 2;
    pen.beginPath();
    for (const next of [(at + 3) % 4, (at + 1) % 4]) {
      pen.moveTo(side / 2, side / 2);
      pen.lineTo(...place(corners[next]));
    }
    pen.arc(side / 2, side / 2, 10, 0, 2 * Math.PI);
    pen.stroke();
    lens.hidden = false;
    lens.style.left = x < 0.5 ? `calc(100% - ${LENS_PX + 8}px)` : "8px";
    lens.style.top = y < 0.5 ? `calc(100% - ${LENS_PX + 8}px)` : "8px";
  }

  function beginAt() {
    const outline = overlay.querySelector(".outline, .sheet");
    const width = picture.naturalWidth || 1280;
    const height = picture.naturalHeight || 720;
    if (outline) {
      return [...outline.points].map((point) => [point.x / width, point.y / height]
        .map((each) => Math.min(0.99, Math.max(0.01, each))));
    }
    return [[0.25, 0.2], [0.75, 0.2], [0.75, 0.8], [0.25, 0.8]];
  }

  function drag(begins, kept = null) {
    corners = begins ? kept || beginAt() : null;
    button.setAttribute("aria-pressed", String(begins));
    view.classList.toggle("dragging", begins);
    dragged.hidden = !begins;
    for (const handle of handles) handle.hidden = !begins;
    if (begins) draw(); else field.value = "";
  }

  const held = new Map(); // which finger holds a handle, and how far beside its corner

  function hold(at, event) {
    const box = view.getBoundingClientRect();
    const [x, y] = corners[at];
    held.get(handles[at]).from = [box.left + x * box.width - event.clientX, box.top + y * box.height - event.clientY];
  }

  // A phone that is turned shows the picture in another size: the corners stay where they are, and
  // a finger that is still down takes hold anew.
  function refit() {
    for (const grip of held.values()) grip.from = null;
    if (corners) draw();
  }
  if (window.ResizeObserver) new ResizeObserver(refit).observe(view);
  else window.addEventListener("resize", refit);

  handles.forEach((handle, at) => {
    // A corner moves as the finger does, from wherever the finger took hold: it does not jump under
    // the fingertip. One finger for each handle; what a second one does there counts for nothing.
    handle.addEventListener("pointerdown", (event) => {
      if (held.has(handle) || event.button) return;
      handle.setPointerCapture(event.pointerId);
      held.set(handle, { finger: event.pointerId, from: null });
      hold(at, event);
      handle.classList.add("held");
      magnify(at);
    });
    handle.addEventListener("pointermove", (event) => {
      const grip = held.get(handle);
      if (!grip || grip.finger !== event.pointerId) return;
      if (!grip.from) hold(at, event);
      const box = view.getBoundingClientRect();
      move(at, (event.clientX + grip.from[0] - box.left) / box.width, (event.clientY + grip.from[1] - box.top) / box.height);
      magnify(at);
      event.preventDefault();
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      handle.addEventListener(end, (event) => {
        if (!held.has(handle) || held.get(handle).finger !== event.pointerId) return;
        held.delete(handle);
        handle.classList.remove("held");
        lens.hidden = true;
      });
    }
    handle.addEventListener("keydown", (event) => {
      const step = (event.shiftKey ? 10 : 1) / (picture.naturalWidth || 1280);
      const tall = step * (picture.naturalWidth || 1280) / (picture.naturalHeight || 720);
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -tall], ArrowDown: [0, tall] }[event.key];
      if (!by) return;
      event.preventDefault();
      move(at, corners[at][0] + by[0], corners[at][1] + by[1]);
      magnify(at);
    });
    handle.addEventListener("blur", () => { lens.hidden = true; });
  });

  if (button) {
    button.addEventListener("click", () => {
      drag(!corners);
      if (!corners) return;
      view.scrollIntoView({ block: "start" }); // on a phone it has scrolled away
      handles[0].focus({ preventScroll: true });
    });
    const kept = field.value.split(" ").map(Number);
    if (kept.length === 8) drag(true, [0, 2, 4, 6].map((at) => kept.slice(at, at + 2)));
  }
  follow();
})();
