"""Why something cannot be done at the virtual table, each in a sentence."""

from typing import Final

from companion.language.message import say

NOT_YOURS: Final = say("Somebody else has that in the hand.")
COVERED: Final = say("Something lies on that. Take what is on top first.")
FIXED: Final = say("The corner tiles stay where they are, unless the host cheats.")
EMPTY_HAND: Final = say("There is nothing in your hand.")
FULL_HAND: Final = say("Put down what you hold first.")
GONE: Final = say("That piece is not on this table any more.")
NO_CARD: Final = say("No card lies there.")
ONLY_CARDS: Final = say("Only cards can be turned over or kept in a hand.")
NO_DIE: Final = say("That is no die.")
NO_IDOL: Final = say("There is no idol on this table.")
NO_BALANCE: Final = say("Nothing on this table can fall.")
UPRIGHT: Final = say("It has fallen already. The host can lay the table anew.")
NOTHING_HIDDEN: Final = say("Nothing is hidden below that.")
HIDDEN: Final = say("Only whoever it belongs to may look below that.")
NOT_HERE: Final = say("That is not on this table.")
WATCHES: Final = say("You are watching. Take a seat to move things.")
HOSTS_OWN: Final = say("Only the host can do that.")
TURNING: Final = say("The idol is still turning.")
TAKEN: Final = say("That seat is taken, or there is none of that number.")
NO_GAME: Final = say("There is no virtual table for that game.")
NOT_ASKED: Final = say("This page was not asked for a picture.")
