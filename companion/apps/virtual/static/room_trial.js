// "What would my room do?": the host's page draws known tables as the room's camera would see them,
// and the companion says what it would read, and what would help.

import { pictureOf } from "./eye.js";

const START = "/virtual/room-trial";

// Send *body* and return what is answered; throws the companion's own sentence if it refuses.
async function send(path, body) {
  const answer = await fetch(path, { method: "POST", body, headers: body ? { "Content-Type": body.type } : {} });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error);
  return told;
}

function show(list, sentences) {
  list.replaceChildren(...sentences.map((sentence) => {
    const item = document.createElement("li");
    item.textContent = sentence;
    return item;
  }));
}

// Try the room out; tell(words) is called before each picture.  Returns the verdict's sentences.
export async function tryRoom(tell, { draw = pictureOf, isOver = () => false } = {}) {
  let step = await send(START);
  while (!step.verdict) {
    if (isOver()) return [];
    tell(step.words);
    const picture = await draw(step.snapshot);
    step = await send(`${START}/${encodeURIComponent(step.key)}/${step.number}`, picture);
  }
  return step.verdict;
}

export function start(section) {
  const button = section.querySelector("[data-try]"), stop = section.querySelector("[data-stop]");
  const words = section.querySelector("[data-words]"), verdict = section.querySelector("[data-verdict]");
  let isOver = false;
  stop.addEventListener("click", () => { isOver = true; });
  button.addEventListener("click", async () => {
    isOver = false;
    button.disabled = true;
    stop.hidden = false;
    show(verdict, []);
    try {
      show(verdict, await tryRoom((text) => { words.textContent = text; }, { isOver: () => isOver }));
      words.textContent = "";
    } catch (error) {
      words.textContent = error.message;
    } finally {
      button.disabled = false;
      stop.hidden = true;
    }
  });
}

const section = document.querySelector("#room-trial");
if (section) start(section);
