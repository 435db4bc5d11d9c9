// Plays and says here what happens at the table, where this browser's owner has switched it on.  The companion sends
// what is heard as a piece of the page, already in the page's language; the melodies are those of its own speaker.
"use strict";
(() => {
  const button = document.getElementById("sound");
  const Context = window.AudioContext;
  if (!button || !Context) return;

  const KEPT = "tiki-sound";
  const VOLUME = 0.4;
  const ATTACK_S = 0.008; // shorter than this clicks
  const LATE_MS = 2000;
  let context = null;
  let melodies = {};
  let heard = "";

  const isOn = () => button.getAttribute("aria-pressed") === "true";

  function call() {
    const { earcon, words, mark } = (document.getElementById("call") || button).dataset;
    return { earcon, words, key: [earcon, words, mark].join("|") };
  }

  // A soft plucked sine, as hardware/earcons.py makes it.
  function note(hertz, from, seconds) {
    const level = context.createGain();
    level.gain.setValueAtTime(0, from);
    level.gain.linearRampToValueAtTime(VOLUME, from + ATTACK_S);
    level.gain.exponentialRampToValueAtTime(VOLUME * Math.exp(-3), from + seconds - ATTACK_S);
    level.gain.linearRampToValueAtTime(0, from + seconds);
    level.connect(context.destination);
    for (const [times, share] of [[1, 0.8], [2, 0.2]]) {
      const tone = context.createOscillator();
      const part = context.createGain();
      tone.frequency.value = times * hertz;
      part.gain.value = share;
      tone.connect(part).connect(level);
      tone.start(from);
      tone.stop(from + seconds);
    }
  }

  function play(earcon) {
    const begun = context.currentTime;
    let from = begun;
    for (const [hertz, seconds] of melodies[earcon] || []) {
      if (hertz) note(hertz, from, seconds);
      from += seconds;
    }
    return from - begun;
  }

  function say(words) {
    if (!words || !window.speechSynthesis) return;
    const said = new SpeechSynthesisUtterance(words);
    said.lang = document.documentElement.lang;
    speechSynthesis.cancel(); // what is newer counts
    speechSynthesis.speak(said);
  }

  function hear() {
    const { earcon, words, key } = call();
    if (key === heard) return;
    heard = key;
    if (!isOn() || !context) return;
    const seconds = earcon ? play(earcon) : 0;
    setTimeout(say, 1000 * seconds, words);
  }

  // Browsers let no page sound that nobody has touched since it was loaded.
  function showState() {
    button.classList.toggle("waiting", isOn() && !(context && context.state === "running"));
  }

  async function open() {
    context = context || new Context();
    context.onstatechange = showState;
    if (!Object.keys(melodies).length) melodies = await (await fetch("/earcons.json")).json();
    await context.resume();
    showState();
  }

  async function set(on) {
    button.setAttribute("aria-pressed", on);
    if (!on && window.speechSynthesis) speechSynthesis.cancel();
    showState();
    if (on) await open();
  }

  button.addEventListener("click", async () => {
    const on = !isOn() || button.classList.contains("waiting");
    choices.keep(KEPT, on ? "on" : "off");
    await set(on);
    if (on) play("turn");
  });
  document.addEventListener("piece", (event) => event.detail === "call" && hear());
  for (const touch of ["pointerdown", "keydown"]) {
    document.addEventListener(touch, (event) => context && isOn() && !button.contains(event.target) && context.resume(), { passive: true });
  }
  heard = call().key; // what stands there already is no news
  // A melody for another script; what a browser holds back until it is touched is not played late.
  document.addEventListener("melody", async (event) => {
    if (isOn()) return; // then all is heard
    const asked = Date.now();
    await open();
    if (Date.now() - asked < LATE_MS) play(event.detail);
  });
  button.hidden = false;
  if (choices.get(KEPT) === "on") set(true);
})();
