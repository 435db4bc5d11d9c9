"""The rules of Topple in plain words: the help of its pages, and what each clause says."""

from collections.abc import Mapping
from typing import Final

from companion.games.help import Section
from companion.language.message import say

SECTIONS: Final[tuple[Section, ...]] = (
    Section(
        say("What it is about"),
        (
            say(
                "A board balances on a stem. You place your pieces on it one by one, in rows and in"
                " stacks, and collect points."
            ),
            say(
                "Whoever makes the tower fall loses points. When a round has ended and somebody has"
                " reached the agreed points, 100 if nothing else was agreed, the highest total"
                " wins."
            ),
        ),
    ),
    Section(
        say("Before you begin"),
        (
            say(
                "Put the empty board on its stem. Each player takes the 12 pieces of one colour."
                " Two players take two colours each."
            ),
            say("Everyone rolls the die. Whoever rolls highest begins; then it goes to the left."),
        ),
    ),
    Section(
        say("Your turn"),
        (
            say(
                "Roll the die, then place one of your pieces on a spot of that level. A 6 allows"
                " every spot. The spot may have pieces on it already."
            ),
            say(
                "The middle, C3, is level 1. Each step away from it, along a row or a column, is"
                " one level more. The corners are level 5."
            ),
            say("You must place a piece, even if it looks dangerous."),
        ),
    ),
    Section(
        say("Rows and stacks score"),
        (
            say(
                "A row is five spots in a line: across, down, or along a long diagonal. There are"
                " 12."
            ),
            say(
                "If your piece fills the last empty spot of a row, you get 3 points, and 1 more for"
                " each of the other four stacks in it that has your colour on top."
            ),
            say(
                "If the row was full already, you get 1 point for each stack in it that has your"
                " colour on top. The piece that you have just placed counts too."
            ),
            say(
                "If you place on a stack that was three or more high, you get 1 point for each"
                " piece of your colour in it. The new piece counts too."
            ),
            say("One piece may score for several rows and for a stack at the same time."),
        ),
    ),
    Section(
        say("The tower falls"),
        (
            say(
                "If something falls while you are placing, you lose 10 points and your piece scores"
                " nothing. Whoever had the turn before you in this round gets 3 points."
            ),
            say(
                "If you make it fall in any other way, by a knock for example, you lose 10 points,"
                " whoever’s turn it is. Nobody gets a bonus."
            ),
            say("Either way the round is over. You may have fewer than 0 points."),
        ),
    ),
    Section(
        say("Rounds and the end"),
        (
            say(
                "A round ends when the tower falls or all pieces are placed. The board is cleared,"
                " and the player to the left of the last turn begins the next round."
            ),
            say(
                "The game is over when a round has ended and somebody has the agreed points. If"
                " several players lead with equal points, everyone plays another round."
            ),
        ),
    ),
    Section(
        say("Two players, and young players"),
        (
            say(
                "Two players have two colours each and choose one for every piece. A piece counts"
                " only with its own colour; your points are those of both colours together."
            ),
            say(
                "In the version for young players nobody scores. Whoever makes the tower fall is"
                " out, and the last one in wins."
            ),
        ),
    ),
    Section(
        say("How the companion helps"),
        (
            say(
                "The camera looks from above. It sees how high each stack is and which colour is on"
                " top, so it knows each piece that you place. It keeps the score and says why."
            ),
            say(
                "Tap what the die shows, so that a piece on a wrong level is noticed. No die at"
                " hand? “Roll it for us” rolls one."
            ),
            say(
                "Without a camera tap the die, then the spot on the drawing. If the tower falls,"
                " tap “It fell”, or “I knocked it over”. Whoever taps by mistake can take it back."
            ),
        ),
    ),
)

CLAUSES: Final[Mapping[str, str]] = {
    "TO-1": say(
        "The middle of the board is level 1. Each step away from it, along a row or a column, is"
        " one level more, and the corners are level 5."
    ),
    "TO-2": say(
        "Each player has the 12 pieces of one colour, or of two colours if only two play. You place"
        " your own pieces only."
    ),
    "TO-3": say(
        "Everyone rolls the die, and the highest number begins. Those who share the highest number"
        " roll again."
    ),
    "TO-4": say(
        "The die says on which level you must place your piece. A 6 allows every spot, and pieces"
        " that are there already do not matter."
    ),
    "TO-5": say(
        "Whoever fills the last empty spot of a row of five gets 3 points, and 1 more for each"
        " other stack in it with the same colour on top."
    ),
    "TO-6": say(
        "Whoever places on a row that is full already gets 1 point for each stack in it with the"
        " same colour on top. The new piece counts too."
    ),
    "TO-7": say(
        "Whoever places on a stack that was three or more high gets 1 point for each piece of the"
        " same colour in it. The new piece counts too."
    ),
    "TO-8": say(
        "One piece may score for several rows and for a stack. Each is counted separately."
    ),
    "TO-9": say(
        "If something falls while you are placing, the round is over. You lose 10 points, and"
        " whoever had the turn before you in this round gets 3."
    ),
    "TO-10": say(
        "Whoever makes the tower fall without placing loses 10 points, no matter whose turn it is."
        " The round is over, and nobody gets a bonus."
    ),
    "TO-11": say(
        "A round ends when the tower falls or when all pieces are placed. Then the board is cleared"
        " for the next round."
    ),
    "TO-12": say(
        "The game ends after a round in which somebody has reached the agreed points. The highest"
        " total wins."
    ),
    "TO-13": say(
        "Two players have two colours each. A piece counts only with its own colour, and your"
        " points are those of both colours together."
    ),
    "TO-14": say(
        "In the version for young players nobody scores. Whoever makes the tower fall is out, and"
        " the last one in wins."
    ),
}
