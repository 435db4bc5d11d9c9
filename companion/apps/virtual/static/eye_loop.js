// Sends the virtual camera's pictures, one at a time, each when the companion wants the next.

const REST_MS = 1000; // at rest a fresh one, with its own noise, each second

export class EyeLoop {
  constructor(line, isMoving) {
    this.line = line;
    this.isMoving = isMoving; // () -> whether the scene moves by itself
    this.eye = null;
    this.isOurs = false;
    this.wants = false;
    this.isStale = true;
    this.last = -Infinity;
    this.isBusy = false;
    this.times = []; // when the last pictures were sent, for tests and for who measures
  }

  // The companion says whether this page draws its pictures from now on.
  begin(isOurs) {
    this.isOurs = isOurs;
    this.wants = false;
    this.isStale = true;
  }

  next() {
    this.wants = true;
  }

  stale() {
    this.isStale = true;
  }

  isDue(now) {
    if (!this.eye || !this.isOurs || !this.wants || this.isBusy || document.hidden) return false;
    const isJagged = this.eye.isFine === false; // a smooth one follows at once
    return this.isStale || isJagged || this.isMoving() || now - this.last >= REST_MS;
  }

  // Draws and sends one that is due.
  async look(now) {
    this.isBusy = true;
    this.isStale = false;
    this.last = now;
    try {
      this.eye.draw();
      const picture = await this.eye.jpeg();
      if (!this.isOurs || !picture) return;
      this.wants = false;
      this.line.sendPicture(picture);
      this.times = [...this.times.slice(-59), performance.now()];
    } finally {
      this.isBusy = false;
    }
  }
}
