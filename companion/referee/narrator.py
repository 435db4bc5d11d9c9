"""The narrator: events and notices in words for people at the table."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.referee.game import Explaining
from companion.referee.table_dispute import adoption_sentence
from companion.session.history import ADOPTED


def narrate(body: Mapping[str, Any], game: Explaining[Any, Any], players: Sequence[str]) -> str:
    """Return one item of the feed as a line of plain words.

    body: an entry or notice as the event stream has it.  players: names by seat.

    >>> from companion.registry import GAMES, game_of
    >>> game = game_of(next(iter(GAMES)))
    >>> narrate({"type": "move", "seat": 0, "action": "up2 nani"}, game, ["Red"])
    'Red: Tiki Up 2 on Nani'
    """

    def words(action: str) -> str:
        return "the adopted table" if action == ADOPTED else game.words(action, players)

    match body:
        case {"type": "move", "seat": seat, "action": action}:
            return game.sentence(seat, [action, *body.get("also", ())], players)
        case {"type": "observed", "action": action}:
            return game.sentence(None, [action, *body.get("also", ())], players)
        case {"type": "undo", "action": action}:
            return f"Taken back: {words(action)}"
        case {"type": "resolved", "settles": seq, "action": action}:
            return f"It is now clear that move {seq} was {words(action)}"
        case {"type": "corrected", "corrects": seq, "action": action}:
            return f"Corrected: move {seq} was {words(action)}"
        case {"type": "secret", "seat": seat}:
            return f"{players[seat]} has entered a secret"
        case {"type": "round", "round": number, "points": points, "scores": scores}:
            earned, total = _points(players, points), _tally(players, scores)
            return f"Round {number} is over: {earned}. Total: {total}"
        case {"type": "adopted", "seat": seat}:
            return adoption_sentence(seat, players)
        case {"type": "timed", "entry": seq, "played_s": played_s}:
            return f"After {played_s:.0f} seconds of play: entry {seq}"
        case {"type": "closed"}:
            return "This game has been closed"
        case {"type": "illegal", "message": message}:
            return f"Please check the table. {message}"
        case {"type": "ask", "message": message, "candidates": candidates}:
            return f"{message} " + ", or ".join(one["text"] for one in candidates)
        case {"type": "seat", "message": message}:
            return str(message)
        case {"type": "moment", "words": said}:
            return str(said)
        case {"type": "spin", "angle_deg": angle_deg, "turns": turns}:
            return f"The idol points to {angle_deg:.0f} degrees after {turns:.1f} turns"
        case {"type": "waiting", "message": message}:
            return f"{message} ..."
        case {"type": "result", "scores": scores, "winners": winners}:
            return _result(players, scores, winners)
    return str(dict(body))


def _points(players: Sequence[str], points: Sequence[int]) -> str:
    return ", ".join(f"{name} {each:+}" for name, each in zip(players, points, strict=True))


def _tally(players: Sequence[str], scores: Sequence[int]) -> str:
    return ", ".join(f"{name} {each}" for name, each in zip(players, scores, strict=True))


def _result(players: Sequence[str], scores: Sequence[int], winners: Sequence[int] | None) -> str:
    if winners is None:
        return f"So far: {_tally(players, scores)}"
    if not winners:
        return f"The game is over, and nobody won: {_tally(players, scores)}"
    names = " and ".join(players[seat] for seat in winners)
    return f"The game is over: {_tally(players, scores)}. {names} won!"
