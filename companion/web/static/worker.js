// Says that the table is out of reach where the browser would show an error of its own. It keeps that one page with its
// style and script, and nothing of the game: every other page comes from the companion as it is now, or not at all.
"use strict";
const KEPT = "out-of-reach";
const PAGE = "/offline";
const PARTS = ["/static/offline.css", "/static/offline.js"];
const PATIENCE_MS = 10000;

async function keep() {
  const cache = await caches.open(KEPT);
  await cache.addAll([PAGE, ...PARTS].map((each) => new Request(each, { cache: "reload" })));
  await self.skipWaiting();
}

async function kept(path) {
  return (await caches.match(path)) || Response.error();
}

// A machine that is switched off does not even refuse.
function inTime(asked) {
  const late = new Promise((_, refuse) => { setTimeout(refuse, PATIENCE_MS); });
  return Promise.race([asked, late]);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(inTime(fetch(request)).catch(() => kept(PAGE)));
  else if (PARTS.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});
