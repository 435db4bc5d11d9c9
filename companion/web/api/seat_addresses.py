"""The addresses at which a program plays for a seat."""

from typing import Final

from companion.language.message import say
from companion.web.api.address import Address, Answer, form_refusals
from companion.web.api.schemas import ref
from companion.web.http.versions import BASE

NOT_OPEN: Final = Answer(410, say("That link has been used or replaced."))
NO_TOKEN: Final = Answer(
    403, say("The token is missing or wrong, or the host has given the seat a new link.")
)


def seat_addresses() -> tuple[Address, ...]:
    """Return these addresses."""
    return _legal(), _join(), _seat(), _play()


def _legal() -> Address:
    return Address(
        "legal",
        (f"{BASE}/legal",),
        say(
            "What may be entered now: with a seat’s token, what that seat may know and enter;"
            " without one, what all seats may, as far as everyone knows."
        ),
        (
            Answer(200, say("The list."), schema=ref("LegalList")),
            NO_TOKEN,
        ),
        "{place}/api/v1/legal",
        keys=("", "seat"),
    )


def _join() -> Address:
    return Address(
        "join",
        (f"{BASE}/join",),
        say(
            "Takes a seat for a program by the link that the host has given out, once. Everyone is"
            " told that a program plays there."
        ),
        (
            Answer(200, say("The seat, and its token."), schema=ref("Joined")),
            *(each for each in _refusals(NOT_OPEN) if each.status != 403),
        ),
        '-d link="$LINK" {place}/api/v1/join',
        form={"link": say("The seat’s link, or the key at the end of it.")},
        sent={"link": "http://tiki.local:8321/join/KEY"},
        needs_all=True,
    )


def _seat() -> Address:
    return Address(
        "seat",
        (f"{BASE}/seat",),
        say("What a seat may know of the game. It needs the seat’s token."),
        (
            Answer(200, say("The game as the seat may see it."), schema=ref("SeatView")),
            NO_TOKEN,
        ),
        '-H "Authorization: Bearer $TOKEN" {place}/api/v1/seat',
        keys=("seat",),
    )


def _play() -> Address:
    return Address(
        "play",
        (f"{BASE}/play",),
        say("Enters an action of a seat, a secret one too. It needs the seat’s token."),
        (
            Answer(200, say("What was entered, and what comes next."), schema=ref("Told")),
            Answer(
                409,
                say(
                    "Nothing was entered: the rules forbid it, a question is still open, or the"
                    " game has changed meanwhile."
                ),
                schema=ref("NotEntered"),
            ),
            *_refusals(
                Answer(
                    403, say("The token is missing or wrong, or that is not this seat’s business.")
                ),
                Answer(
                    429,
                    say("Too many actions; “Retry-After” says how many seconds to wait."),
                ),
            ),
        ),
        "-H \"Authorization: Bearer $TOKEN\" -d mark=1.2 -d action='up1 nani' {place}/api/v1/play",
        form={
            "action": say("An action, as the list of legal ones has it; or chance."),
            "mark": say("The mark of that list."),
        },
        sent={"action": "up1 nani", "mark": "1.2"},
        needs_all=True,
        keys=("seat",),
    )


def _refusals(*own: Answer) -> tuple[Answer, ...]:
    """Return how a form may be refused, by status; *own*: what takes the place of a usual one."""
    answers = {answer.status: answer for answer in (*form_refusals(), *own)}
    return tuple(answers[status] for status in sorted(answers))
