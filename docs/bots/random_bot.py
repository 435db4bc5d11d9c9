"""A player at random, for any game: python random_bot.py LINK [SECRET].

LINK: of the seat, from the host.  SECRET: what the seat enters in secret, if anything, such as
"ranks 0 1 1 2 2 3 3 4 4 5 5".
"""

import json
import random
import sys
import time
from http.client import HTTPException
from urllib.parse import urlencode
from urllib.request import Request, urlopen

base, _, key = sys.argv[1].rpartition("/join/")
secret, headers = " ".join(sys.argv[2:]), {}


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


headers["Authorization"] = f"Bearer {ask('join', link=key)['token']}"
while not (legal := ask("legal"))["is_over"]:
    actions = [each["action"] for each in legal["actions"] if each["seat"] == legal["seat"]]
    action = "chance" if legal["chance"] else random.choice(actions or [""])
    if secret and legal["secret"]:
        action = secret
    elif legal["turn"] != legal["seat"]:
        action = ""
    if action and (told := ask("play", action=action, mark=legal["mark"])):
        print(told["told"])
        secret = "" if action == secret else secret
    time.sleep(0.1)  # seconds; a person would take longer
