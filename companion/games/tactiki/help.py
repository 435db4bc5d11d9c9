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
                " top of the other, on each of your five start fields, in any order you like."
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
                " right, never back or diagonally. Your pieces may stand on each other, as high"
                " as you like."
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
                "If the attacker wins, it fights the next enemy below, and so on. It stops when"
                " it loses, when it comes to a piece of its own tribe, or when no enemy is left."
            ),
            say(
                "If the ranks are equal, both stay. The attacker stands on top, and the piece"
                " below it cannot move until the upper one is gone."
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
                "The statue ends the game at once, even after the first move of a turn. There are"
                " no points: whoever builds it has won."
            ),
            say(
                "The game is a draw if neither tribe can do anything. When the board looks the"
                " same for the third time, whoever is to move may claim a draw; the fifth time,"
                " the game is a draw. It is also a draw if nothing has happened for 200 turns: no"
                " attack, no arrival, and no piece brought back."
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
                " knows how every attack ends, and you no longer have to turn pieces round. You"
                " may change your ranks until the first move."
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
        "Two people play. TIKI starts in row 5 and goes first; TAC starts in row 1. The three"
        " rows in between belong to nobody."
    ),
    "TA-2": say(
        "Each tribe has two pieces of each rank from 1 to 5. Only the owner may see the ranks."
        " They can be entered until the first move."
    ),
    "TA-3": say("The higher rank wins. There is one exception: 1 beats 5."),
    "TA-4": say(
        "A turn is two moves. Each takes the top piece of a column one field forward, left or"
        " right, never back or diagonally."
    ),
    "TA-5": say("If a second move is possible, you must make it. If not, the turn is over."),
    "TA-6": say(
        "Pieces may stand on each other, as high as you like. Only the top piece of a column can"
        " move."
    ),
    "TA-7": say(
        "A piece on a start field of the other tribe has arrived. It never moves again, and no"
        " enemy may move onto it."
    ),
    "TA-8": say(
        "An attack goes down through the column from the top. Each time, the weaker piece is"
        " removed. The attacker goes on as long as it wins, and stops at a piece of its own"
        " tribe. The higher rank wins, but 1 beats 5."
    ),
    "TA-9": say(
        "If two ranks are equal, both pieces stay, the attacker on top. The lower one cannot move"
        " until the upper one has moved away or is defeated."
    ),
    "TA-10": say(
        "Instead of moving, you may put a defeated piece back on one of your own empty start"
        " fields. That is your whole turn, and nobody else learns which piece it was."
    ),
    "TA-11": say(
        "Five pieces of a tribe on one start field of the other tribe make a statue, and whoever"
        " builds it wins at once. Before the game you agree whether enemy pieces may be among"
        " them."
    ),
    "TA-12": say(
        "A player who can neither move nor bring a piece back is skipped. If neither player can,"
        " the game is a draw."
    ),
    "TA-13": say(
        "When the board looks the same for the third time, the player to move may claim a draw."
        " The fifth time, or after very many turns without any change, the game is a draw."
    ),
    "TA-14": say(
        "The companion checks each result against all earlier ones, as each tribe has only two"
        " pieces of each rank. It refuses an impossible result."
    ),
}
"""What each clause says, by its id in docs/rules/tactiki.md."""
