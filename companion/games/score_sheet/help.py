"""What the pages say of the score sheet."""

from collections.abc import Mapping
from typing import Final

from companion.games.help import Section
from companion.language.message import say

SECTIONS: Final = (
    Section(
        say("What it is for"),
        (
            say(
                "You play any game by yourselves, and the companion only keeps the score. It"
                " watches nothing and knows no rules."
            ),
        ),
    ),
    Section(
        say("A round"),
        (
            say(
                "When a round is over, everyone’s points of that round are written down: each on"
                " their own phone, or all by the host. Once the last of them is there, the round"
                " counts."
            ),
            say("Points may be below zero. Until the round counts they can be written again."),
        ),
    ),
    Section(
        say("The end"),
        (
            say(
                "The game ends at the target score or after the number of rounds that you chose,"
                " or when the host ends it between two rounds. Whoever has the most points wins,"
                " or the fewest if you chose that. Equal players share the win."
            ),
        ),
    ),
)
CLAUSES: Final[Mapping[str, str]] = {
    "SS-1": say("One to ten players can share a score sheet."),
    "SS-2": say("A round counts once the points of every player are written down."),
    "SS-3": say(
        "The game ends with the round in which somebody reaches the target score, or with the last"
        " of the agreed rounds."
    ),
    "SS-4": say(
        "The most points win, or the fewest if you agreed on that. Equal players share it."
    ),
    "SS-5": say("You may end the game between any two rounds."),
}
