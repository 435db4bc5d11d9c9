// Shows each time in the reader's own zone and way of writing. Without it, the server's zone stands there, by name.
"use strict";
(() => {
  const page = document.documentElement.lang;
  // The country's way of writing, if this browser's owner reads the page's language at all.
  const way = (navigator.languages || []).find((each) => each.split("-")[0] === page) || page;
  const isHalfDay = new Intl.DateTimeFormat(way, { hour: "numeric" }).resolvedOptions().hour12;
  const TIME = { hour: isHalfDay ? "numeric" : "2-digit", minute: "2-digit" };
  const DAY = { year: "numeric", month: "numeric", day: "numeric" };
  const LONG_DAY = { year: "numeric", month: "short", day: "numeric" };

  function write(instant, how) {
    return new Intl.DateTimeFormat(way, how).format(instant);
  }

  function words(instant, shown) {
    const time = write(instant, TIME);
    if (shown === "full") return `${write(instant, LONG_DAY)} · ${time}`;
    return instant.toDateString() === new Date().toDateString() ? time : `${write(instant, DAY)} · ${time}`;
  }

  function show() {
    for (const each of document.querySelectorAll("time[datetime][data-shown]")) {
      each.textContent = words(new Date(each.dateTime), each.dataset.shown);
    }
  }

  document.addEventListener("piece", show);
  show();
})();
