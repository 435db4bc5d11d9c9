"""Listeners: who is told, for how long, and what happens if they change meanwhile."""

import pytest

from companion.listeners import Listeners


def test_all_are_told_in_their_order_until_they_are_removed() -> None:
    """One that was never added may be removed."""
    told: list[str] = []
    on_game: Listeners[str] = Listeners()
    on_game.add(told.append)
    on_game.add(lambda game: told.append(game.upper()))
    on_game.tell("topple")
    on_game.remove(told.append)
    on_game.remove(print)
    on_game.tell("uno")
    assert told == ["topple", "TOPPLE", "UNO"]


def test_who_hears_for_a_while_hears_no_longer_after_an_error() -> None:
    """As when a job beside the game ends."""
    on_game: Listeners[str] = Listeners()
    with pytest.raises(ValueError, match="int"), on_game.heard_by(int):
        on_game.tell("topple")
    on_game.tell("topple")


def test_one_that_leaves_when_told_keeps_no_other_from_hearing() -> None:
    """Each listener that there was is told."""
    told: list[str] = []
    on_change: Listeners[[]] = Listeners()

    def leave() -> None:
        on_change.remove(leave)

    on_change.add(leave)
    on_change.add(lambda: told.append("next"))
    on_change.tell()
    assert told == ["next"]
