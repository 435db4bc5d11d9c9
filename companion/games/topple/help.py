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
                "Whoever makes the tower fall loses points. The game ends after the round in"
                " which somebody reaches the agreed points, usually 100. Then the highest total"
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
            say(
                "Everyone rolls the die. Whoever rolls highest begins; then play goes to the left."
            ),
        ),
    ),
    Section(
        say("Your turn"),
        (
            say(
                "Roll the die, then place one of your pieces on a spot of that level. A 6 allows"
                " any spot. There may already be pieces on the spot."
            ),
            say(
                "The middle, C3, is level 1. Each step away from it, along a row or a column, is"
                " one level higher. The corners are level 5."
            ),
            say("You must place a piece, even if it looks dangerous."),
        ),
    ),
    Section(
        say("Points for rows and stacks"),
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
                "If the row was already full, you get 1 point for each stack in it that has your"
                " colour on top. The piece that you have just placed counts too."
            ),
            say(
                "If you place a piece on a stack that was already three or more high, you get 1"
                " point for each piece of your colour in it. The new piece counts too."
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
                "If you make it fall in any other way, such as by a knock, you lose 10 points,"
                " whoever’s turn it is. Nobody gets a bonus."
            ),
            say("Either way, the round is over. Your score may go below 0."),
        ),
    ),
    Section(
        say("Rounds and the end"),
        (
            say(
                "A round ends when the tower falls or all pieces are placed. The board is"
                " cleared, and the next player in turn begins the new round."
            ),
            say(
                "The game is over when somebody has the agreed points at the end of a round. If"
                " several players are level in the lead, everyone plays another round."
            ),
        ),
    ),
    Section(
        say("With two players, and with young players"),
        (
            say(
                "Two players have two colours each and choose one for every piece. A piece counts"
                " only with its own colour; your points are those of both colours together."
            ),
            say(
                "In the version for young players, nobody scores. Whoever makes the tower fall is"
                " out, and the last one left wins."
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
                "Tap what the die shows, so that a piece on the wrong level is noticed. No die at"
                " hand? Tap “Roll it for us”."
            ),
            say(
                "Without a camera, tap the die, then the spot on the drawing. If the tower falls,"
                " tap “It fell while placing” or “I knocked it over”. If you tap by mistake, you"
                " can take it back."
            ),
        ),
    ),
)

CLAUSES: Final[Mapping[str, str]] = {
    "TO-1": say(
        "The middle of the board is level 1. Each step away from it, along a row or a column, is"
        " one level higher, and the corners are level 5."
    ),
    "TO-2": say(
        "Each player has the 12 pieces of one colour, or of two colours if only two play. You"
        " only place your own pieces."
    ),
    "TO-3": say(
        "Everyone rolls the die, and the highest roll begins. If several share it, they roll again."
    ),
    "TO-4": say(
        "The die says on which level you must place your piece. A 6 allows any spot. It does not"
        " matter if there are already pieces on the spot."
    ),
    "TO-5": say(
        "Whoever fills the last empty spot of a row of five gets 3 points, and 1 more for each"
        " other stack in it with the same colour on top."
    ),
    "TO-6": say(
        "Whoever adds a piece to a row that is already full gets 1 point for each stack in it"
        " with the same colour on top. The new piece counts too."
    ),
    "TO-7": say(
        "Whoever places a piece on a stack that was already three or more high gets 1 point for"
        " each piece of the same colour in it. The new piece counts too."
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
        "The game ends after a round in which somebody reaches the agreed points. The highest"
        " total wins."
    ),
    "TO-13": say(
        "Two players have two colours each. A piece counts only with its own colour, and your"
        " points are those of both colours together."
    ),
    "TO-14": say(
        "In the version for young players, nobody scores. Whoever makes the tower fall is out,"
        " and the last one left wins."
    ),
}
