// The line to the companion: opened again with growing pauses, and held to twenty words of one kind a second.

const PAUSES_MS = [500, 1000, 2000, 4000, 8000];
const SILENCE_MS = 10000; // an open line that is refused at once says nothing; so long one may take
const EVERY_MS = 50; // of where a hand is, no more than twenty a second

export class Line {
  // on: {tell(message), state(name, seconds)}; name is "opening", "open" or "lost" (then: again in *seconds*).
  constructor(on, hello, address = "/virtual/socket") {
    this.on = on;
    this.hello = hello; // () -> what the page says of itself
    this.address = `${location.protocol.replace("http", "ws")}//${location.host}${address}`;
    this.failures = 0;
    this.socket = null;
    this.timer = 0;
    this.due = new Map(); // by kind: the newest word that waits for its turn
    this.said = new Map(); // by kind: when it was said last
    window.addEventListener("online", () => this.isOpen || this.open());
    window.addEventListener("pagehide", () => this.close());
    window.addEventListener("pageshow", (event) => event.persisted && this.open());
  }

  get isOpen() {
    return this.socket !== null && this.socket.readyState === WebSocket.OPEN;
  }

  open() {
    this.close();
    if (!this.failures) this.on.state("opening");
    const socket = this.socket = new WebSocket(this.address);
    this.timer = setTimeout(() => this.fail(socket), SILENCE_MS);
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      clearTimeout(this.timer);
      this.on.state("open");
      this.say(this.hello());
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      this.failures = 0; // only a companion that speaks counts as there
      this.on.tell(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => this.fail(socket));
  }

  fail(socket) {
    if (socket !== this.socket) return;
    this.close();
    const pause = PAUSES_MS[Math.min(this.failures, PAUSES_MS.length - 1)];
    this.failures += 1;
    this.on.state("lost", pause / 1000);
    this.timer = setTimeout(() => this.open(), pause);
  }

  close() {
    clearTimeout(this.timer);
    for (const timer of this.due.values()) clearTimeout(timer.id);
    this.due.clear();
    const socket = this.socket;
    this.socket = null;
    if (socket) socket.close();
  }

  // What is told of the hand on its way must not come after what is said now.
  say(message) {
    if (!this.isOpen) return false;
    for (const [kind, { id, last }] of [...this.due]) {
      clearTimeout(id);
      this.due.delete(kind);
      if (message.do !== "away") this.write(kind, last);
    }
    this.socket.send(JSON.stringify(message));
    return true;
  }

  // Says the newest of a kind that changes faster than anybody needs to know.
  saySome(message) {
    const kind = message.do;
    const waiting = this.due.get(kind);
    if (waiting) {
      waiting.last = message.do === "room" ? { ...waiting.last, ...message } : message;
      return;
    }
    const pause = (this.said.get(kind) || -EVERY_MS) + EVERY_MS - performance.now();
    if (pause <= 0) {
      this.write(kind, message);
      return;
    }
    const id = setTimeout(() => {
      const { last } = this.due.get(kind);
      this.due.delete(kind);
      this.write(kind, last);
    }, pause);
    this.due.set(kind, { id, last: message });
  }

  write(kind, message) {
    this.said.set(kind, performance.now());
    if (this.isOpen) this.socket.send(JSON.stringify(message));
  }

  sendPicture(blob) {
    if (this.isOpen) this.socket.send(blob);
  }
}
