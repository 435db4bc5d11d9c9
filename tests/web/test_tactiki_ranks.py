"""The ranks of TacTiki: kept on their owners' phones, and told to nobody else."""

import re

import pytest

from companion.games.tactiki.pages import WRONG_RESULT
from companion.web.pages.entering import NOT_OPENLY, NOT_YOURS
from tests.referee.entering import acts
from tests.tables import told
from tests.web.forms import actions_of
from tests.web.tactiki_tables import (
    ANNS,
    BOBS,
    TWINS,
    enter_ranks,
    form_with,
    host_desk,
    play,
    sit_two,
    tap,
)
from tests.web.visitors import Pub, Visitor, alert, assert_silent_about, open_pub


def known_game(bobs: str = BOBS) -> tuple[Pub, Visitor, Visitor]:
    """Return a game whose ranks both have entered on their phones."""
    pub = open_pub(sit_two())
    ann, bob = pub.player(0), pub.player(1)
    for visitor, ranks in ((ann, ANNS), (bob, bobs)):
        answer = enter_ranks(visitor, ranks)
        assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
    return pub, ann, bob


def lose_two(pub: Pub) -> None:
    """Let Bob attack Ann's 3 on C3 with both pieces of C1, and Ann move."""
    play(pub, "move 42 32", "move 32 22", "move 02 12", "move 12 22")
    play(pub, "move 40 30", "move 40 41", "move 02 12", "move 12 22")
    play(pub, "move 41 42", "move 42 41")


def test_known_ranks_settle_attacks() -> None:
    """Two entered sets of ranks: the companion tells the result, and asks nobody."""
    pub, ann, bob = known_game()
    assert pub.stranger().get("/").text.count("ranks entered") == 2
    tap(ann, "/seat", "move 42 32", "move 32 22")
    tap(bob, "/seat", "move 02 12", "move 12 22")
    board = pub.stranger().get("/").text
    assert "Bob attacks C3 and loses" in board
    assert 'data-spot="22" data-sides="tiki"' in board
    assert actions_of(bob.get("/seat")) == []
    assert "Defeated: <b>1</b>" in bob.get("/seat").text


def test_a_phone_shows_its_own_ranks_and_what_clashes_showed() -> None:
    """Every own piece by its rank, the enemy's as far as clashes tell, behind a fold."""
    pub, ann, bob = known_game()
    page = ann.get("/seat").text
    assert '<details class="panel" id="peek"><summary>' in page
    own = re.findall(r'data-own="(\w+) (\d+)"', page)
    assert dict(own) == {f"tiki{k + 1}": rank for k, rank in enumerate(ANNS.split())}
    assert page.count('aria-label="TAC: unknown">?<') == 10
    play(pub, "move 42 32", "move 32 22", "move 02 12", "move 12 22")
    assert 'aria-label="TIKI: 3">3<' in bob.get("/seat").text
    play(pub, "move 41 31", "move 31 32")  # a 4, and it attacks nobody
    assert 'aria-label="TIKI: 4"' not in bob.get("/seat").text


def test_a_piece_comes_back_by_its_owners_phone() -> None:
    """TA-10: which one is chosen there and kept there; all read where it stands, and no more."""
    pub, ann, bob = known_game()
    lose_two(pub)
    backs = [action for action in actions_of(bob.get("/seat")) if action.startswith("back")]
    assert backs == ["back 02 1", "back 02 2"]
    host = pub.host()
    assert "back 02" in actions_of(host.get("/desk"))
    mark = {"mark": str(pub.live_session.session.next_seq)}
    for visitor, sentence in ((host, NOT_OPENLY), (ann, NOT_YOURS)):
        for rank in (1, 5):
            refused = visitor.post("/enter", action=f"back 02 {rank}", **mark)
            assert (refused.status_code, alert(refused)) == (403, sentence)
    for rank in (1, 5):
        refused = host.post("/api/tell", action=f"back 02 {rank}")
        assert (refused.status_code, refused.json()["error"]) == (403, NOT_OPENLY)
        refused = host.post("/instead", action=f"back 02 {rank}", **mark)
        assert (refused.status_code, alert(refused)) == (403, NOT_OPENLY)
    tap(bob, "/seat", "back 02 2")
    assert acts(pub.live_session)[-1] == "back 02 2"
    assert 'data-own="tac11 2"' in bob.get("/seat").text
    assert "Defeated: <b>1</b>" in bob.get("/seat").text
    assert 'aria-label="TAC: 1 or 2">12<' in ann.get("/seat").text
    assert told(pub.live_session, "move")[-1]["action"] == "back 02"
    assert "Bob returns a piece to C1" in pub.stranger().get("/").text


def test_a_piece_that_the_host_puts_back_may_be_each_of_the_defeated() -> None:
    """Where the phone is not at hand: the own page then says which ranks it may have."""
    pub, _, bob = known_game()
    lose_two(pub)
    assert "Enter this on the phone with Bob’s ranks if you can" in host_desk(pub)
    assert "Better enter this" not in bob.get("/seat").text
    tap(pub.host(), "/desk", "back 02")
    page = bob.get("/seat").text
    assert 'data-own="tac11 12" aria-label="TAC, yours: 1 or 2">12<' in page
    assert "Defeated: <b>1 or 2</b>" in page


@pytest.mark.parametrize(
    "ranks",
    [
        ANNS[:-2],
        ANNS.replace("3 3", "3 4"),
        ANNS.replace("3 3", "3 0"),
        ANNS.replace("3 3", "3 x"),
        ANNS.replace("3 3", "3 33"),
        "5 5 5 5 5 5 5 5 5 5",
        "3",
    ],
)
def test_ranks_that_are_no_tribes_are_refused(ranks: str) -> None:
    """In one sentence that repeats nothing; nothing is kept, and what was tapped stands there."""
    pub = open_pub(sit_two())
    answer = enter_ranks(pub.player(0), ranks)
    assert (answer.status_code, alert(answer)) == (
        400,
        "Choose a rank for each of the ten pieces: two of each rank from 1 to 5.",
    )
    tapped = [f"piece{k}-{rank}" for k, rank in enumerate(ranks.split()) if rank in "12345"]
    assert sorted(re.findall(r'id="(piece\d-\d)" checked', answer.text)) == sorted(tapped)
    assert not told(pub.live_session, "secret")


def test_ranks_are_entered_until_the_first_move() -> None:
    """TA-2: again too, which changes what was right nowhere; nobody without a seat enters them."""
    pub, ann, bob = known_game(TWINS)
    page = bob.get("/seat")
    tapped = [f"piece{k}-{rank}" for k, rank in enumerate(TWINS.split())]
    assert sorted(re.findall(r'id="(piece\d-\d)" checked', page.text)) == sorted(tapped)
    assert '<details class="panel" id="ranks"><summary>Change my ranks' in page.text
    assert enter_ranks(bob, BOBS).status_code == 303
    own = dict(re.findall(r'data-own="(\w+) (\d+)"', bob.get("/seat").text))
    assert own == {f"tac{k + 1}": rank for k, rank in enumerate(BOBS.split())}
    late = open_pub(sit_two("move 42 32"))
    play(pub, "move 42 32")
    for visitor in (ann, late.player(1)):
        assert 'id="ranks"' not in visitor.get("/seat").text
        answer = enter_ranks(visitor, BOBS)
        assert (answer.status_code, "before the first move" in alert(answer)) == (409, True)
    for visitor in (pub.host(), pub.stranger()):
        assert enter_ranks(visitor, BOBS).status_code == 403
    assert len(told(pub.live_session, "secret")) == 3
    spoken = late.host().post("/enter", action=f"ranks 1 {BOBS}", mark=2)
    assert (spoken.status_code, "that is secret" in alert(spoken)) == (409, True)
    assert_silent_about(alert(spoken), BOBS)


def test_a_new_phone_is_told_nothing_that_was_entered_before() -> None:
    """A link that was made anew opens the seat, but neither its ranks nor their returns."""
    pub, _, bob = known_game()
    lose_two(pub)
    assert pub.host().post("/invite", seat=1).status_code == 303
    assert bob.get("/seat").status_code == 403
    late = pub.player(1)
    page = late.get("/seat")
    assert "They stay hidden here" in page.text
    assert_silent_about(page.text, "data-own", "Defeated:", 'aria-label="TIKI: 3"')
    assert [each for each in actions_of(page) if each.startswith("back")] == ["back 02"]
    refused = late.post("/enter", action="back 02 2", mark=pub.live_session.session.next_seq)
    assert (refused.status_code, alert(refused)) == (403, NOT_OPENLY)
    tap(late, "/seat", "back 02")


def test_a_wrong_result_is_explained_only_while_no_ranks_are_known() -> None:
    """TA-14: the clashes that contradict each other are named, unless that would tell of ranks."""
    moves = (
        *("move 42 32", "move 32 22", "move 02 12", "move 12 22", "clash tie"),
        *("move 40 30", "move 40 30", "move 22 21", "move 02 12"),
        *("move 30 31", "move 30 31", "move 12 22", "clash tie", "move 22 23"),
        *("move 31 32", "move 31 32", "move 21 22"),
    )
    for ranks in ("", "5 4 3 2 1 1 2 3 4 5"):
        pub = open_pub(sit_two())
        bob = pub.player(1)
        if ranks:
            assert enter_ranks(bob, ranks).status_code == 303
        play(pub, *moves)
        assert pub.live_session.session.state.phase == "clash"
        form = form_with(bob.get("/seat"), "clash win")
        refused = bob.post("/enter", **{**form.fields, "action": "clash win"})
        assert refused.status_code == 409
        if ranks:
            assert alert(refused) == f"The rules do not allow that: {WRONG_RESULT}."
        else:
            assert "TAC’s upper piece from C1 tied with TIKI’s upper piece from C5" in alert(
                refused
            )


QUIET = (
    *("move 42 32", "move 32 22", "move 00 10", "move 10 11"),
    *("move 42 32", "move 32 22", "move 02 12", "move 03 04"),
    *("move 44 34", "move 22 21", "move 12 13", "move 13 12"),
)
"""Nobody is attacked. Had Ann gone from C3 to C2 instead of from E5 to E4, Bob's next move would
have been possible only if Ann's piece had fallen there."""


def test_known_ranks_correct_nothing_that_was_played_on() -> None:
    """What fits in a move's place would tell: without ranks it may be corrected, with them not."""
    blind = open_pub(sit_two(*QUIET)).host()
    assert "Correct an earlier move" in blind.get("/desk").text
    assert 'value="move 41 31"' in blind.get("/desk/correct/9").text
    pub, _, _ = known_game()
    play(pub, *QUIET)
    host = pub.host()
    assert "Correct an earlier move" not in host.get("/desk").text
    assert 'name="action"' not in host.get("/desk/correct/11").text
    answer = host.post(
        "/correct", seq=11, action="move 41 31", mark=pub.live_session.session.next_seq
    )
    assert answer.status_code == 409
