"""What was entered may have been several things: the table tells which, or the people do."""

from companion.referee.notices import Ask
from tests.referee.known_ranks import known_ranks, play_until_asked


def test_an_attack_by_a_piece_that_may_be_of_two_ranks_is_asked_about() -> None:
    """The host says that a piece came back, not which: nobody guesses how its attack goes."""
    live_session = known_ranks(2)
    before = len(live_session.session.history.acts)
    action = play_until_asked(live_session, 2)
    question, history = live_session.referee.question, live_session.session.history
    assert isinstance(question, Ask)
    assert question.message == "What does the table look like now?"
    assert [each.actions for each in question.candidates] == [(action,)] * len(question.candidates)
    assert len({each.text for each in question.candidates}) == len(question.candidates) > 1
    assert all(act.forms != (action,) for act in history.acts[-1:]), (
        "accepted before it is answered"
    )
    acts = len(history.acts)
    tops = [each.text for each in question.candidates]
    assert live_session.referee.choose(1)
    assert live_session.referee.question is None
    assert len(live_session.session.history.acts) == acts + 1 > before
    shown = live_session.game.shown(live_session.session.state)
    words = [live_session.game.place_words(place, content) for place, content in enumerate(shown)]
    assert set(tops[1].split(", ")) <= set(words)


def test_the_question_is_not_there_where_all_forms_leave_the_same_table() -> None:
    """Of a return the table shows nothing but its place: no question, and both forms live on."""
    live_session = known_ranks(2)
    play_until_asked(live_session, 2)
    returns = [act for act in live_session.session.history.acts if act.forms[0].startswith("back")]
    assert any(len(act.forms) > 1 for act in returns)
