// What this browser's owner has chosen for this browser; where it keeps nothing, a choice is for this visit only.
"use strict";
window.choices = {
  get(name) {
    try { return localStorage.getItem(name); } catch (_) { return null; }
  },
  keep(name, choice) {
    try { localStorage.setItem(name, choice); } catch (_) { /* then for this visit only */ }
  },
};
