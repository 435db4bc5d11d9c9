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
                "Play any game you like: the companion only keeps the score. It does not watch"
                " the table and does not know the rules."
            ),
        ),
    ),
    Section(
        say("A round"),
        (
            say(
                "When a round is over, everyone enters their points on their own phone, or the"
                " host enters them for all. Once the last points are in, the round counts."
            ),
            say("Points may be below zero. You can change them until the round counts."),
        ),
    ),
    Section(
        say("The end"),
        (
            say(
                "The game ends at the target score, after the number of rounds that you chose, or"
                " when the host ends it between two rounds. Whoever has the most points wins, or"
                " the fewest if you chose that. Players with equal points share the win."
            ),
        ),
    ),
)
CLAUSES: Final[Mapping[str, str]] = {
    "SS-1": say("One to ten players can share a score sheet."),
    "SS-2": say("A round counts once every player’s points are entered."),
    "SS-3": say(
        "The game ends after the round in which somebody reaches the target score, or after the"
        " agreed number of rounds."
    ),
    "SS-4": say(
        "Whoever has the most points wins, or the fewest if you agreed on that. Players with"
        " equal points share the win."
    ),
    "SS-5": say("You may end the game between any two rounds."),
}
