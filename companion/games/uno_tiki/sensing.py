"""What a spin of the idol and a button mean in UNO Tiki, and what is announced of them."""

from collections.abc import Sequence
from dataclasses import replace

from companion.games.uno_tiki.unseen_faces import ask_spun
from companion.games.uno_tiki.waiting import expected, wants
from companion.language.message import Message, say, without_stop
from companion.referee.facts import ButtonWord, SpinFact
from companion.referee.game import Reaction, remark
from companion.referee.transient_notices import TransientNotice
from companion.rules import uno_tiki
from companion.rules.base import RulesError
from companion.rules.uno_tiki import Action, Called, Chosen, Kept, Spun, State
from companion.rules.uno_tiki.naming import FACES
from companion.session.events import SpinObserved


def notice_of(before: State, action: Action, players: Sequence[str]) -> TransientNotice | None:
    """Return what the idol, the spinner or a caller said."""
    match action:
        case Spun(()):
            words = say("Less than a full turn: {player} spins again", player=players[before.seat])
            return TransientNotice("void_spin", (before.seat,), words=words)
        case Spun((one, other)):
            words = say(
                "Between {one} and {other}: {player} chooses",
                one=players[one],
                other=players[other],
                player=players[before.seat],
            )
            return TransientNotice("between", (one, other), words=words)
        case Spun((seat,)) | Chosen(seat):
            face = FACES[before.idol[-1]]
            words = say("{player}! {face}", player=players[seat], face=face)
            return TransientNotice("spin", (seat,), words=words)
        case Called(seat):
            words = say("{player} calls UNO!", player=players[seat])
            return TransientNotice("uno", (seat,), words=words)
    return None


def judge_spin(state: State, fact: SpinFact, players: Sequence[str]) -> Reaction:
    """Return the seat, or the two, or that it must be spun again (UT-11)."""
    spin = fact.spin
    if state.phase != "spin":
        return _unasked(state, spin, players)
    if not (spin.void or spin.trusted):
        notice = TransientNotice(
            "distrusted", (state.seat,), spin.angle_deg, words=_unreliable(fact.reason)
        )
        return Reaction(transient_notice=notice)
    seats = tuple(sorted(spin.seats))
    if not (spin.void or seats):
        return remark(_unknown_seat(fact.reason))
    action = Spun(() if spin.void else seats)
    try:
        uno_tiki.apply(state, action)
    except RulesError:
        return remark(
            say("The idol reports two seats that are not next to each other: enter where it points")
        )
    notice_made = notice_of(state, action, players)
    return Reaction(
        uno_tiki.format_action(action),
        transient_notice=notice_made and replace(notice_made, angle_deg=spin.angle_deg),
    )


def judge_button(state: State, button: ButtonWord, seat: int, players: Sequence[str]) -> Reaction:
    """Return a call of UNO, or that someone's turn is over."""
    player = players[seat]
    if button == "uno":
        if Called(seat) in uno_tiki.legal_actions(state):
            return Reaction(uno_tiki.format_action(Called(seat)))
        words = say("{player}, call UNO when you have one card left", player=player)
        return remark(words, seat)
    if button == "done" and expected(state) == seat:
        if state.phase == "drawn":
            return Reaction("pass")
        if state.phase == "discard" and Kept() in uno_tiki.legal_actions(state):
            return Reaction("keep")
        return remark(wants(state, players) or "", seat)
    return remark(say("{player}, that button does nothing right now", player=player), seat)


def _unreliable(reason: str) -> Message:
    if not reason:
        return say("That spin was not measured reliably: spin again, or enter where it stopped")
    return say(
        "That spin was not measured reliably ({reason}): spin again, or enter where it stopped",
        reason=without_stop(reason),
    )


def _unknown_seat(reason: str) -> Message:
    if not reason:
        return say("The idol cannot tell where it points: enter it yourselves")
    return say(
        "The idol cannot tell where it points ({reason}): enter it yourselves",
        reason=without_stop(reason),
    )


def _unasked(state: State, spin: SpinObserved, players: Sequence[str]) -> Reaction:
    """Return the reaction to a spin that was not due: a Tiki Face may have been put in for it."""
    if state.phase == "choose":
        words = say(
            "The idol has already been spun: now {player} chooses", player=players[state.seat]
        )
        return remark(words, state.seat)
    if not spin.void:
        stop = uno_tiki.format_action(Spun(tuple(sorted(spin.seats))))
        ask = ask_spun(state, stop if spin.trusted and spin.seats else "", players)
        if ask is not None:
            return Reaction(ask=ask)
    return remark(say("Nobody has to spin now, so this spin does not count"))
