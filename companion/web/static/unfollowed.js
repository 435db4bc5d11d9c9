// Where static/live.js does not run, the page says so and is loaded anew now and then.  Any browser can do this much.
"use strict";
(function () {
  var KEPT = "tiki-unfollowed";
  var GRACE_MS = 4000; // a slow television needs that long for its scripts
  var AGAIN_MS = 10000;
  var root = document.documentElement;
  var isTouched = false;

  // Returns whether it was so before this page was loaded anew, so that the words need not flicker.
  function keep(isUnfollowed) {
    try {
      var before = sessionStorage.getItem(KEPT);
      sessionStorage.setItem(KEPT, isUnfollowed ? "yes" : "");
      return before === "yes";
    } catch (_) {
      return false;
    }
  }

  function look() {
    var isUnfollowed = !root.hasAttribute("data-live");
    if (isUnfollowed) root.removeAttribute("data-begins");
    keep(isUnfollowed);
  }

  // A page that cannot be had now is worse than an old one, and a form that is being filled in is not lost.
  function reload() {
    if (root.hasAttribute("data-live") || isTouched) return;
    var place = document.body.getAttribute("data-place") || location.pathname + location.search;
    var request = new XMLHttpRequest();
    request.onload = function () {
      if (request.status === 200 && !isTouched) location.replace(place);
    };
    request.open("HEAD", place);
    request.send();
  }

  function touch() {
    isTouched = true;
  }

  if (!keep(false)) root.setAttribute("data-begins", "");
  document.addEventListener("input", touch);
  document.addEventListener("change", touch);
  window.addEventListener("error", function (event) {
    if (String(event.filename).indexOf("/static/live.js") !== -1) root.removeAttribute("data-live");
  });
  setTimeout(look, GRACE_MS);
  setInterval(reload, AGAIN_MS);
})();
