"""What the pages say of TacTiki's rules: short sections, and each clause in plain words."""

from collections.abc import Mapping
from typing import Final

from companion.games.help import Section
from companion.language.message import Message, say

SECTIONS: Final = (
    Section(
        say("The goal"),
        (
            say(
                "Two tribes, TIKI and TAC, cross the board towards each other. Bring five of your"
                " pieces together on one start field of the other tribe: that is the statue, and"
                " whoever builds it first wins."
            ),
        ),
    ),
    Section(
        say("Before you begin"),
        (
            say(
                "Each tribe has ten pieces, two of each rank from 1 to 5. Put two pieces, one on"
                " the other, on each of your five start fields, in any order you like."
            ),
            say("Nobody but you may see your ranks. TIKI begins."),
        ),
    ),
    Section(
        say("A turn"),
        (
            say(
                "A turn is two moves: the same piece twice, or two pieces once each. If a second"
                " move is possible, you must make it."
            ),
            say(
                "A move takes the top piece of a column one field forward, to the left or to the"
                " right. Never back, never diagonally. Your pieces may stand on each other, as"
                " high as you like."
            ),
        ),
    ),
    Section(
        say("Attacks"),
        (
            say(
                "Move onto a column with an enemy on top, and you attack it. Both players compare"
                " the two ranks in secret. The higher rank wins, but 1 beats 5. The weaker piece"
                " leaves the board."
            ),
            say(
                "An attacker that wins fights the next enemy below, and so on, until it loses or"
                " no enemy is left above a piece of its own tribe."
            ),
            say(
                "If the ranks are equal, both stay. The attacker stands on top, and the piece"
                " below it cannot move until the upper one goes away."
            ),
        ),
    ),
    Section(
        say("Arriving, and coming back"),
        (
            say(
                "A piece on a start field of the other tribe has arrived. It stays there for"
                " good, and nobody may attack it."
            ),
            say(
                "Instead of moving, you may put one of your defeated pieces back on one of your"
                " empty start fields. That takes the whole turn. Which piece it was is your"
                " secret."
            ),
        ),
    ),
    Section(
        say("The end"),
        (
            say(
                "The statue ends the game at once, even after the first move of a turn. There"
                " are no points to count: who builds it has won."
            ),
            say(
                "The game is a draw if neither tribe can do anything. When the board looks the"
                " same for the third time, whoever is to move may claim a draw; the fifth time,"
                " the game is drawn. It is also drawn when nothing has happened for 200 turns:"
                " no attack, no arrival and no piece that came back."
            ),
        ),
    ),
    Section(
        say("How the companion helps"),
        (
            say(
                "The camera sees where columns stand, how high they are and who is on top. It"
                " cannot see ranks."
            ),
            say(
                "Enter your ranks on your own phone before the first move: tap one rank for each"
                " of your ten pieces, then save. Once both players have done so, the companion"
                " knows how every attack goes and no piece need be turned over. You may change"
                " them until the first move."
            ),
            say(
                "Without ranks, compare the pieces yourselves and tap which one was removed. To"
                " enter a move by hand, tap the piece, then where it went."
            ),
        ),
    ),
)

CLAUSES: Final[Mapping[str, Message]] = {
    "TA-1": say(
        "Two play. TIKI starts in row 5 and begins; TAC starts in row 1. The three rows between"
        " belong to nobody."
    ),
    "TA-2": say(
        "Each tribe has two pieces of each rank from 1 to 5. Only their owner may see the ranks."
        " They can be entered until the first move."
    ),
    "TA-3": say("The higher rank wins. There is one exception: 1 beats 5."),
    "TA-4": say(
        "A turn is two moves. Each takes the top piece of a column one field forward, left or"
        " right, never back and never diagonally."
    ),
    "TA-5": say("If a second move is possible it must be made. If none is, the turn is over."),
    "TA-6": say(
        "A piece may stand on others, as high as you like. Only the top piece of a column can move."
    ),
    "TA-7": say(
        "A piece on a start field of the other tribe has arrived. It never moves again, and no"
        " enemy may move onto it."
    ),
    "TA-8": say(
        "An attack goes through the column from the top down. The weaker piece is removed each"
        " time. The attacker goes on while it wins and stops at a piece of its own tribe. The"
        " higher rank wins, but 1 beats 5."
    ),
    "TA-9": say(
        "If two ranks are equal, both pieces stay, the attacker on top. The lower one cannot move"
        " until the upper one has moved away or is defeated."
    ),
    "TA-10": say(
        "Instead of moving, a player may put one of their defeated pieces back on one of their"
        " own empty start fields. That is the whole turn, and which piece it was stays secret."
    ),
    "TA-11": say(
        "Five pieces of a tribe on one start field of the other tribe are a statue, and its"
        " builder wins at once. Players agree before the game whether enemies may lie among"
        " them."
    ),
    "TA-12": say(
        "Who can neither move nor bring a piece back is skipped. If neither player can, the game"
        " is a draw."
    ),
    "TA-13": say(
        "When the board looks the same for the third time, the player to move may claim a draw."
        " The fifth time, or when very many turns pass without any change, the game is drawn."
    ),
    "TA-14": say(
        "The companion checks each result against all earlier ones: each tribe has just two"
        " pieces of each rank. A result that cannot be is refused."
    ),
}
"""What each clause says, by its id in docs/rules/tactiki.md."""
