"""What the pages say of the rules of Tippi Toppi, in our own words."""

from typing import Final

from companion.games.help import Section
from companion.language.message import say

SECTIONS: Final = (
    Section(
        say("The goal of the game"),
        (
            say("You all play together against the game, and you all win or lose together."),
            say(
                "Four piles of number cards lie in the middle. The goals say what their four top"
                " cards should show. Meet all goals before the cards run out."
            ),
        ),
    ),
    Section(
        say("Setting up"),
        (
            say(
                "Shuffle the number cards. Each player takes four and keeps them secret. Lay four"
                " more side by side: they start the four piles. The rest are the draw pile."
            ),
            say(
                "Shuffle the goals and count off as many as the level asks for: the more, the"
                " harder. Turn up four of them. If the four piles already meet one, put it aside"
                " and turn up the next."
            ),
            say("Whoever last ate something orange begins."),
        ),
    ),
    Section(
        say("Your turn"),
        (
            say(
                "Play one card onto a pile. It has to have the same colour or the same number as"
                " the top card of the pile. If you can play, you must."
            ),
            say(
                "Has your card met a goal? Put the goal aside and turn up the next one. One card"
                " may meet several goals, and a new goal may be met at once."
            ),
            say("Then draw a card, as long as there are any. Play goes on to your left."),
        ),
    ),
    Section(
        say("What you may say"),
        (
            say(
                "You may say which pile you would like to play on, and which goal should be met"
                " next. You may not say which numbers or colours you hold."
            ),
            say("All may look through the four piles at any time."),
        ),
    ),
    Section(
        say("What goals mean"),
        (
            say("Only the four top cards count, and a goal has to be met exactly as it says."),
            say("“Exactly three green” means three green piles, not four."),
            say(
                "A sum needs its colour: a single green 7 meets “green adds up to 7”, but without"
                " a green card there is no sum."
            ),
            say("Where only two colours may show, one of the two is enough."),
        ),
    ),
    Section(
        say("The end"),
        (
            say("You win as soon as all goals are met, even with the last card."),
            say(
                "You lose when the player whose turn it is has no card that fits. You also lose"
                " when all cards have been played and a goal is still open."
            ),
        ),
    ),
    Section(
        say("Other ways to play"),
        (
            say("High Speed: you have five minutes and no turns. Whoever can, plays."),
            say("Enjoy the Silence: the usual rules, but nobody may speak."),
            say("Tippi Toppi Kids: you may lay all your cards open and say anything."),
            say("You can also play alone, by the same rules."),
        ),
    ),
    Section(
        say("How the companion helps"),
        (
            say(
                "The camera reads the four top cards. When you play a card and take your hand"
                " away, the companion knows whose turn is next, and which goals you have met."
            ),
            say(
                "When a goal is turned up, somebody taps which one it is. Without a camera, you"
                " also tap the card that you play. The companion never asks for a secret hand."
            ),
            say(
                "Only you know whether you are stuck: if so, tap “No card fits”. If the companion"
                " does not know a goal, check it yourselves."
            ),
        ),
    ),
)
"""The whole game in eight short parts."""

CLAUSES: Final = {
    "TP-1": say(
        "There are 56 number cards: 1 to 7 in green, pink, orange and purple, two of each."
    ),
    "TP-2": say(
        "Each player holds four cards that nobody else sees. Four more cards start the four piles."
    ),
    "TP-3": say(
        "Four goals lie face up. A goal that the first four cards already meet counts at once,"
        " and the next one is turned up."
    ),
    "TP-4": say(
        "You play one card onto a pile. It needs the same colour or the same number as the card"
        " on top. If you can play, you must."
    ),
    "TP-5": say(
        "After playing a card you draw one. When there are none left, you play on with the cards"
        " in your hand."
    ),
    "TP-6": say(
        "After each card, every goal that the four top cards meet is put aside, and a new one is"
        " turned up. The new one may be met at once."
    ),
    "TP-7": say(
        "Only the four top cards count, and the goal has to be met exactly: three green means"
        " three, not four."
    ),
    "TP-8": say(
        "Add up the numbers of that colour on the four top cards. Each colour that the goal names"
        " has to be showing."
    ),
    "TP-9": say("Where only two colours may show, one of the two is enough."),
    "TP-10": say(
        "You may say which pile and which goal you would like. You may not say which numbers or"
        " colours you hold."
    ),
    "TP-11": say("You all win as soon as all goals are met, even with the last card."),
    "TP-12": say("You all lose when the player whose turn it is has no card that fits."),
    "TP-13": say("You all lose when all cards have been played and a goal is still open."),
    "TP-14": say(
        "In High Speed, there are no turns, and you have five minutes. You all lose when the time"
        " is up, or when nobody can play a card."
    ),
    "TP-15": say("In Enjoy the Silence, nobody may speak."),
    "TP-16": say("In Tippi Toppi Kids, you may lay your cards open and say anything."),
    "TP-17": say("You can play alone, by the same rules."),
    "TP-18": say(
        "The companion does not see your cards. It accepts any card that you may still hold:"
        " there are only two of each."
    ),
}
"""What each clause of docs/rules/tippi_toppi.md says, for a child of ten."""
