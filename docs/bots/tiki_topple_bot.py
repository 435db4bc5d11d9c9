"""A player of Tiki Topple: python tiki_topple_bot.py LINK TIKI TIKI TIKI, its secret card."""

import json
import sys
import time
from http.client import HTTPException
from urllib.parse import urlencode
from urllib.request import Request, urlopen

base, _, key = sys.argv[1].rpartition("/join/")
card, headers = sys.argv[2:], {}


def ask(what, **form):
    body = urlencode(form).encode() if form else None
    while True:
        try:
            with urlopen(Request(f"{base}/api/v1/{what}", body, headers), timeout=30) as answer:
                return json.load(answer)
        except (OSError, HTTPException) as trouble:
            if getattr(trouble, "code", 502) < 500:  # else it is restarted, or full: again
                sentence = json.load(trouble)["error"]
                if trouble.code not in (409, 429):  # those are illegal or late, and too many
                    sys.exit(sentence)
                print("refused:", sentence)
                return time.sleep(int(trouble.headers.get("Retry-After", 0)))
            print("waiting:", trouble)
            time.sleep(2)


def worth(action, line):  # up with its own tikis, and others out of their way
    word, tiki = action.split()
    steps = {"toast": -9, "topple": -len(line)}.get(word) or int(word[2:])
    return steps * ((3 - card.index(tiki)) if tiki in card else -0.5)


joined = ask("join", link=key)
headers["Authorization"] = f"Bearer {joined['token']}"
while not (legal := ask("legal"))["is_over"]:
    seat, action = ask("seat"), ""
    if legal["secret"] and not seat["secret"]:
        action = f"card {legal['seat']} {' '.join(card)}"
    elif legal["turn"] == legal["seat"] and legal["actions"]:
        actions = [each["action"] for each in legal["actions"]]
        action = max(actions, key=lambda action: worth(action, seat["view"]["line"]))
    if action and (told := ask("play", action=action, mark=legal["mark"])):
        print(told["told"])
    time.sleep(0.1)  # seconds; a person would take longer
