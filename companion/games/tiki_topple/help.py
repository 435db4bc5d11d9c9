"""What the pages say of the rules of Tiki Topple."""

from collections.abc import Mapping
from typing import Final

from companion.games.help import Section
from companion.language.message import say

SECTIONS: Final = (
    Section(
        say("Goal"),
        (
            say(
                "Nine tikis stand in a line. Your secret card names three of them. Bring those"
                " three to the top, and do not let the others see which they are."
            ),
        ),
    ),
    Section(
        say("Set-up"),
        (
            say(
                "Put all nine tikis in one line. Tikis with the same symbol on their backs stand"
                " together: three at the top, three in the middle, three at the end."
            ),
            say(
                "Everybody takes the same action cards: Up 1, Up 2, Up 3, Topple and two Toasts."
                " With two players, each takes a second Up 1."
            ),
            say("Everybody draws one secret card. Whoever last ate something with coconut begins."),
        ),
    ),
    Section(
        say("Your turn"),
        (
            say(
                "Play one of your cards on any tiki in the line. The card then stays open in front"
                " of you, so everybody can see which cards you have left."
            ),
            say(
                "Up 1, Up 2 and Up 3 move a tiki up exactly that many places. Topple sends a tiki"
                " to the end of the line. Toast takes the last tiki out until the round is over."
            ),
        ),
    ),
    Section(
        say("What you may not do"),
        (
            say("Your first card of a round may not be a Toast."),
            say("A tiki needs enough places above it to go up: the second in line cannot go up 2."),
            say(
                "The last tiki cannot be toppled, unless you have agreed before the game that it"
                " can."
            ),
        ),
    ),
    Section(
        say("End of a round"),
        (
            say(
                "A round ends at once when only three tikis are left, or when nobody has a card"
                " left. Then all show their secret cards."
            ),
        ),
    ),
    Section(
        say("Points"),
        (
            say(
                "The first tiki on your card scores 9 points if it is 1st in line. The second"
                " scores 5 points if it is 1st or 2nd. The third scores 2 points if it is 1st,"
                " 2nd or 3rd."
            ),
            say("A tiki that is lower in the line, or was toasted, scores nothing."),
        ),
    ),
    Section(
        say("End of the game"),
        (
            say(
                "Two players play four rounds, three play three, four play four, or as many as"
                " you have agreed. The player to the left of the last starting player begins the"
                " next round."
            ),
            say(
                "Whoever has the most points wins. If several lead, only they play one more round,"
                " unless you have agreed that they share the win."
            ),
        ),
    ),
    Section(
        say("What the companion does"),
        (
            say(
                "The camera sees the line and works out which card was played on which tiki. Take"
                " your hand away after a move, and the lights show the new line."
            ),
            say(
                "Enter your secret card on your own phone at any time in the round: one tap for"
                " each tiki, then save. Nobody else sees it before the round is over."
            ),
            say("If the camera cannot see a move, tap your card and then the tiki on your phone."),
        ),
    ),
)

CLAUSES: Final[Mapping[str, str]] = {
    "TT-1": say(
        "Two to four people play. Everybody has the same action cards: Up 1, Up 2, Up 3, Topple"
        " and two Toasts. With two players, each has a second Up 1."
    ),
    "TT-2": say(
        "All nine tikis stand in one line. Those with the same symbol on their backs stand"
        " together: three at the top, three in the middle, three at the end."
    ),
    "TT-3": say(
        "Everybody has one secret card with three different tikis, and no two cards are alike."
        " Nobody shows it before the round is over."
    ),
    "TT-4": say(
        "On your turn you play one card from your hand on any tiki in the line. A card that you"
        " have played is used up for this round."
    ),
    "TT-5": say(
        "Up 1, Up 2 and Up 3 move a tiki up exactly that many places, and those that it passes"
        " move down one. There must be that many places above it."
    ),
    "TT-6": say(
        "Topple sends a tiki to the end of the line. The last tiki is there already, so it cannot"
        " be chosen, unless you have agreed before the game that it can."
    ),
    "TT-7": say("Toast takes the last tiki out of the line until the round is over."),
    "TT-8": say("Your first card of a round may not be a Toast."),
    "TT-9": say(
        "The round is over as soon as only three tikis are left. Cards that you still hold are not"
        " played, even if others have had more turns."
    ),
    "TT-10": say("The round is over when nobody has a card left."),
    "TT-11": say(
        "Your secret card scores 9 points if its first tiki is 1st in line, 5 points if its"
        " second is 1st or 2nd, and 2 points if its third is 1st, 2nd or 3rd."
    ),
    "TT-12": say(
        "Two players play four rounds, three play three and four play four, unless you have agreed"
        " on another number. Whoever has the most points wins."
    ),
    "TT-13": say(
        "If several players lead at the end, only they play one more round, and so on until one"
        " of them leads. Or they share the win, if you have agreed on that."
    ),
    "TT-14": say(
        "For a new round, set up all nine tikis again. Everybody takes back all action cards and"
        " draws a new secret card. The player to the left of the last starting player begins."
    ),
}
