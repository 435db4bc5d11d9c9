"""What the pages say of UNO Tiki: its rules in short sections, and each clause in plain words."""

from collections.abc import Mapping
from typing import Final

from companion.games.help import Section
from companion.language.message import say

SECTIONS: Final[tuple[Section, ...]] = (
    Section(
        say("The goal"),
        (
            say(
                "Get rid of all your cards before anybody else does. Then you score what the"
                " others still hold, and whoever reaches 500 points first wins the game."
            ),
        ),
    ),
    Section(
        say("Before you begin"),
        (
            say(
                "All players draw a card, and the highest number deals. Each player gets seven"
                " cards. The idol stands in the middle, where it can point at everybody."
            ),
            say(
                "One card is turned up and starts the pile. A Tiki Face goes into the idol"
                " instead, and another card is turned up. The player to the dealer’s left begins."
            ),
        ),
    ),
    Section(
        say("Your turn"),
        (
            say(
                "Play a card that has the colour, the number or the symbol of the card on the pile."
                " A Wild and a Tiki Face can always be played."
            ),
            say(
                "If you cannot or do not want to play, draw one card. You may play that card at"
                " once; otherwise your turn is over."
            ),
            say(
                "Skip: the next player loses a turn. Reverse: play goes round the other way."
                " Wild: you choose the colour that comes next."
            ),
        ),
    ),
    Section(
        say("The idol"),
        (
            say(
                "A Tiki Face does not go onto the pile. Put it into the idol and spin. The player"
                " the idol points to does what the face says, and that may be you."
            ),
            say(
                "A card with the Spin symbol spins the idol too, with the face that is in it. The"
                " idol has to make at least one full turn, or it is spun again. If it stops"
                " between two players, whoever spun it chooses one of them."
            ),
            say(
                "Draw 1, 2 or 4: draw that many cards. Discard 2: you may discard two cards."
                " Discard all of a colour: you may discard all your cards of that colour. Go To:"
                " play goes on with you."
            ),
        ),
    ),
    Section(
        say("UNO!"),
        (
            say(
                "When you play your last card but one, call “UNO!”. If you forget and somebody"
                " notices before the next player draws or plays, you draw two cards."
            ),
        ),
    ),
    Section(
        say("Points"),
        (
            say(
                "Whoever has no cards left ends the round and scores the cards in all other"
                " hands: number cards count their number, Skip, Reverse and Tiki Face 20 each, a"
                " Wild 50."
            ),
            say(
                "You may also agree that all players count their own cards. Then the game is over"
                " when somebody has 500 points, and whoever has the fewest wins."
            ),
        ),
    ),
    Section(
        say("How the companion helps"),
        (
            say(
                "The camera sees the card on top of the pile, the face in the idol and where the"
                " idol points. It does not see your hand; the companion only counts your cards."
            ),
            say(
                "If nobody has shown it the idol, it learns it from the first spin. If it has not"
                " seen which Tiki Face was put in, it asks."
            ),
            say(
                "On your own phone, tap what the camera cannot see: a card that was drawn, a"
                " pass, the colour of a Wild, and UNO. Without a camera, tap the cards too: first"
                " the colour, then the card."
            ),
            say(
                "At the end of a round, add up the cards in your hand and tap the sum: first the"
                " tens, then the number itself."
            ),
        ),
    ),
)

CLAUSES: Final[Mapping[str, str]] = {
    "UT-1": say("Two to ten people play UNO Tiki."),
    "UT-2": say(
        "All players draw a card, and the highest number deals; cards without a number count zero."
        " In the next round the player to the left deals."
    ),
    "UT-3": say(
        "The first card turned up starts the pile. A Tiki Face goes into the idol, and another"
        " card is turned up. Usually the player to the dealer’s left begins."
    ),
    "UT-4": say(
        "A card must have the colour, the number or the symbol of the card on the pile. A Wild or a"
        " Tiki Face always fits."
    ),
    "UT-5": say(
        "Whoever does not play draws one card. Only that card may be played at once; otherwise the"
        " turn is over."
    ),
    "UT-6": say(
        "A Reverse changes the direction of play. With two players it works like a Skip, unless"
        " you have agreed otherwise."
    ),
    "UT-7": say("After a Skip, the next player loses a turn."),
    "UT-8": say("A Wild goes on any card. Whoever plays it chooses the colour that comes next."),
    "UT-9": say(
        "A Tiki Face goes into the idol, which is then spun. The card on the pile and its colour"
        " stay as they were."
    ),
    "UT-10": say(
        "A card with the Spin symbol does what it always does. Then the idol is spun with the face"
        " that is in it. If the idol is empty, there is no spin."
    ),
    "UT-11": say(
        "The player the idol points to has to act, even if it is the one who spun it. A spin of"
        " less than a full turn is repeated. If the idol stops between two players, whoever spun"
        " it chooses one."
    ),
    "UT-12": say(
        "The player the idol points to draws as many cards as the face says, and does not lose a"
        " turn."
    ),
    "UT-13": say(
        "The player the idol points to may discard two cards, or all cards of the colour shown."
        " They go under the top card of the pile and have no effect."
    ),
    "UT-14": say(
        "After Go To, play goes on at once with the player the idol points to, and in order from"
        " there."
    ),
    "UT-15": say(
        "A player with one card left calls UNO. Whoever forgets, and is caught before the next"
        " player draws or plays, draws two cards."
    ),
    "UT-16": say(
        "When the last card has been drawn, the cards under the top card of the discard pile are"
        " shuffled and become the new draw pile."
    ),
    "UT-17": say(
        "When a player has no cards left, the round ends. If the last card spins the idol, that"
        " is done first."
    ),
    "UT-18": say(
        "The winner of the round scores the cards in all other hands: number cards count their"
        " number, Skip, Reverse and Tiki Face 20, a Wild 50. You may agree that all count their"
        " own cards instead."
    ),
    "UT-19": say(
        "The first player with enough points wins. If all count their own cards, the game is over"
        " when somebody has that many points, and whoever has the fewest wins."
    ),
    "UT-20": say(
        "The companion counts the cards in each hand, but it need not know which they are. What"
        " you enter about a hand has to be possible with this deck."
    ),
    "UT-21": say("If nobody can play and there is no card to draw, the round has no winner."),
}
