// Arrow keys go from step to step; the links do the same without this.
"use strict";
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, summary")) return;
  const link = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
  if (link) link.click();
});

// The list shows the step that the page is at, and the page itself stays where it is.
const here = document.querySelector("[aria-current=step]");
if (here) here.parentElement.scrollTop = here.offsetTop - here.parentElement.offsetTop - here.parentElement.clientHeight / 2;
