// Where static/live.js does not run, the page says so and is loaded anew now and then.  This much any browser can.
"use strict";
(function () {
  var root = document.documentElement;
  var GRACE_MS = 4000; // a slow television needs that long for its scripts
  var AGAIN_MS = 10000;
  var isTouched = false;

  function touch() {
    isTouched = true; // whoever fills a form in would lose it
  }

  function fails(event) {
    if (String(event.filename).indexOf("/static/live.js") !== -1) root.removeAttribute("data-live");
  }

  // A page that cannot be had now is worse than an old one.
  function reload() {
    var place = document.body.getAttribute("data-place") || location.pathname + location.search;
    var request = new XMLHttpRequest();
    request.onload = function () {
      if (request.status === 200 && !isTouched) location.replace(place);
    };
    request.open("HEAD", place);
    request.send();
  }

  function look() {
    if (root.hasAttribute("data-live")) return;
    root.removeAttribute("data-begins");
    if (!isTouched) reload();
  }

  root.setAttribute("data-begins", "");
  window.addEventListener("error", fails);
  document.addEventListener("input", touch);
  document.addEventListener("change", touch);
  setTimeout(look, GRACE_MS);
  setInterval(look, AGAIN_MS);
})();
