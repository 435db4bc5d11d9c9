// Draws how a game ended as a picture to share.  It is made in this browser alone; only its own sign comes from the table.
"use strict";
(() => {
  const place = document.getElementById("share");
  if (!place || !HTMLCanvasElement.prototype.toBlob) return;
  const canvas = place.querySelector("canvas"), button = place.querySelector("button");
  const failed = place.querySelector("[data-failed]");
  const result = JSON.parse(place.dataset.result);
  const WIDTH = 1080, HEIGHT = 1350, EDGE = 80, LEAST_PX = 30;
  const GROUND = "#17110d", PANEL = "#33261d", INK = "#fff6e3", HUSH = "#cdbba4", SUN = "#ffb454", DARK = "#1c120c";
  let picture = null;

  function letters(pen, px, weight) {
    pen.font = `${weight} ${px}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`;
  }

  // Writes on one line, smaller where it does not fit, and cut where it never would; a name may be of any script.
  function write(pen, text, x, y, px, weight, most, align) {
    let shown = text, size = px;
    pen.textAlign = align;
    for (letters(pen, size, weight); size > LEAST_PX && pen.measureText(shown).width > most; size -= 2) letters(pen, size - 2, weight);
    const whole = Array.from(text);
    for (let left = whole.length; left > 0 && pen.measureText(shown).width > most; left -= 1) shown = whole.slice(0, left).join("") + "…";
    pen.fillText(shown, x, y);
  }

  function rounded(pen, x, y, width, height, radius) {
    pen.beginPath();
    pen.moveTo(x + radius, y);
    pen.arcTo(x + width, y, x + width, y + height, radius);
    pen.arcTo(x + width, y + height, x, y + height, radius);
    pen.arcTo(x, y + height, x, y, radius);
    pen.arcTo(x, y, x + width, y, radius);
    pen.closePath();
    pen.fill();
  }

  function crown(pen, x, y, size) {
    pen.beginPath();
    for (const [right, down] of [[-1, -.6], [-.45, 0], [0, -.9], [.45, 0], [1, -.6], [.8, .7], [-.8, .7]]) pen.lineTo(x + right * size, y + down * size);
    pen.closePath();
    pen.fill();
  }

  function row(pen, player, top, height) {
    const middle = top + height / 2, inner = height - 14;
    pen.fillStyle = player.won ? SUN : PANEL;
    rounded(pen, EDGE, top, WIDTH - 2 * EDGE, inner, 22);
    const ink = player.won ? DARK : INK, radius = inner * .24;
    pen.fillStyle = player.colour;
    pen.beginPath();
    pen.arc(EDGE + 60, middle - 7, radius, 0, 2 * Math.PI);
    pen.fill();
    pen.lineWidth = 4;
    pen.strokeStyle = ink;
    pen.stroke();
    pen.fillStyle = ink;
    const points = player.points === null ? 0 : 210, end = WIDTH - EDGE - 40;
    if (player.won) crown(pen, end - points - 35, middle - 7, Math.min(34, radius * 1.3));
    write(pen, player.name, EDGE + 120, middle - 7, Math.min(58, inner * .55), 700, end - EDGE - 120 - points - (player.won ? 90 : 10), "left");
    if (points) write(pen, String(player.points).replace("-", "−"), end, middle - 7, Math.min(64, inner * .6), 800, points, "right");
  }

  function draw(sign) {
    const pen = canvas.getContext("2d"), count = result.players.length;
    canvas.width = WIDTH;
    canvas.height = HEIGHT;
    pen.textBaseline = "middle";
    pen.fillStyle = GROUND;
    pen.fillRect(0, 0, WIDTH, HEIGHT);
    pen.fillStyle = SUN;
    pen.fillRect(0, 0, WIDTH, 16);
    if (sign) pen.drawImage(sign, (WIDTH - 320) / 2, 50, 320, 320);
    pen.fillStyle = SUN;
    write(pen, result.title, WIDTH / 2, 430, 88, 800, WIDTH - 2 * EDGE, "center");
    pen.fillStyle = HUSH;
    write(pen, result.date, WIDTH / 2, 510, 40, 400, WIDTH - 2 * EDGE, "center");
    const height = Math.min(140, 590 / count), top = 560 + (600 - count * height) / 2;
    result.players.forEach((player, seat) => row(pen, player, top + seat * height, height));
    pen.fillStyle = INK;
    write(pen, result.outcome, WIDTH / 2, 1210, 48, 600, WIDTH - 2 * EDGE, "center");
    pen.fillStyle = HUSH;
    write(pen, "Tiki Companion", WIDTH / 2, 1296, 32, 400, WIDTH, "center");
  }

  function fetchSign() {
    return new Promise((done) => {
      const sign = new Image(512, 512);
      sign.onload = () => done(sign);
      sign.onerror = () => done(null);
      sign.src = result.sign;
    });
  }

  function download() {
    const link = document.createElement("a"), address = URL.createObjectURL(picture);
    link.href = address;
    link.download = result.file;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  }

  // Browsers share files only where the page is encrypted; elsewhere the picture is kept on the phone.
  function share() {
    const file = new File([picture], result.file, { type: "image/png" });
    if (!navigator.share || !navigator.canShare || !navigator.canShare({ files: [file] })) return download();
    return navigator.share({ files: [file], title: result.title }).catch((error) => {
      if (error.name !== "AbortError") download();
    });
  }

  button.addEventListener("click", share);
  fetchSign().then((sign) => {
    draw(sign);
    canvas.toBlob((made) => {
      picture = made;
      if (made) button.hidden = canvas.hidden = false;
      else failed.hidden = false;
    }, "image/png");
  });
})();
