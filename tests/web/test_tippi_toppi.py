"""The pages of Tippi Toppi: whole games by forms alone, goals, the clock and new games."""

from typing import Any

import pytest

from companion.games.tippi_toppi.goal_forms import GOAL_FORMS
from companion.referee.countdown import Countdown
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules.tippi_toppi import NAMES as CARDS
from companion.rules.tippi_toppi import all_goals
from companion.session.session import Header
from tests.referee.entering import acts, tell
from tests.referee.fast_rounds import GOALS, LAYS, Clock
from tests.tables import NAMES, open_log, sit_down
from tests.web.forms import actions_of, form_of, forms_of
from tests.web.tippi_toppi_tables import WON, sit_at, tap, text_of, ways_of
from tests.web.visitors import Visitor, alert, open_pub


def new_game(host: Visitor, **fields: str) -> None:
    """Begin a game with the form for it, all but *fields* as it stands."""
    form = form_of(host.get("/desk/new?game=tippi_toppi"), "/new")
    assert host.post("/new", step="start", **{**form.fields, **fields}).status_code == 303


def test_a_whole_game_is_won_by_forms_only() -> None:
    """TP-11: from the form for a new game to the last goal, and the board tells how it stands."""
    pub = open_pub(sit_down())
    host, stranger = pub.host(), pub.stranger()
    new_game(host, players="2", name0="Ann", name1="Bob", goals="5")
    tap(host, "/desk", *WON[:8])
    board = stranger.get("/").text
    assert 'data-top="green 7"' in board
    assert 'data-goal="sum all 18"' in board
    assert 'data-to-come="1"' in board
    assert 'data-cards-left="44"' in board
    tap(host, "/desk", *WON[8:10])
    page = text_of(stranger.get("/"))
    assert "3 of 5 goals met 0 still to come" in page
    assert "Goals met ✓ all numbers odd ✓ all four add up to 18 ✓ pink adds up to 4" in page
    assert "Open goals only green and pink four different colours" in page
    tap(host, "/desk", *WON[10:])
    assert acts(pub.live_session) == list(WON)
    page = text_of(stranger.get("/"))
    assert "Ann and Bob win!" in page
    assert "Won: all goals are met" in page
    assert "5 of 5 goals met" in page
    assert "Open goals" not in page
    assert not [form for form in forms_of(host.get("/desk")) if form.path == "/enter"]


def test_a_whole_game_is_lost_by_forms_only() -> None:
    """TP-12: whoever is to play has no card that fits, and says so on the own phone."""
    pub = open_pub(sit_down())
    host = pub.host()
    new_game(host, players="3", name0="Ann", name1="Bob", name2="Cem", difficulty="beginner")
    ann, bob = pub.player(0), pub.player(1)
    tap(ann, "/seat", *LAYS[:2])
    tap(bob, "/seat", *LAYS[2:], "goal sum pink 10")
    tap(host, "/desk", "goal parity even", "goal double green purple", "goal run 4 any")
    assert actions_of(bob.get("/seat")) == []
    tap(ann, "/seat", "play purple7 1")
    tap(bob, "/seat", "stuck")
    page = text_of(pub.stranger().get("/"))
    assert "Nobody has won" in page
    assert "Lost: Bob cannot play a card" in page
    assert "0 of 14 goals met Still open" in page


def test_the_colour_of_a_top_card_is_also_a_word() -> None:
    """Number and colour of each pile can be read, and how many cards lie there."""
    pub = open_pub(sit_at(3, *LAYS[:3]))
    page = text_of(pub.stranger().get("/"))
    assert "7 green Pile 1 1 card 7 orange Pile 2 1 card 2 pink Pile 3 1 card Pile 4 no" in page
    tell(pub.live_session, LAYS[3], *GOALS, "play green7 0")
    pub.live_session.changed()
    assert "7 green Pile 1 2 cards" in text_of(pub.stranger().get("/"))


def test_a_seat_is_offered_what_fits_and_may_be_held() -> None:
    """TP-4, TP-18: on green 7 ten kinds fit; both green sevens are gone; others have to wait."""
    pub = open_pub(sit_at(3, *LAYS, *GOALS))
    ann, cem = pub.player(0), pub.player(2)
    offered = [each.split()[1] for each in actions_of(ann.get("/seat")) if each.endswith(" 0")]
    assert set(offered) == {card for card in CARDS if "green" in card or card.endswith("7")}
    tap(ann, "/seat", "play green7 0")
    assert "play green7 0" not in actions_of(pub.host().get("/desk"))
    assert actions_of(cem.get("/seat")) == []
    answer = cem.post("/enter", action="play green1 0", mark="10", back="seat")
    assert (answer.status_code, alert(answer)) == (
        403,
        "You cannot enter that now. Check the page again, or ask the host.",
    )


def test_every_goal_of_the_rules_can_be_put_together() -> None:
    """The small forms make all of them, and nothing else; one is entered by its parts."""
    forms = [
        form
        for form in forms_of(open_pub(sit_at(3, *LAYS, goal_deck=[])).host().get("/desk"))
        if form.path == "/enter"
    ]
    assert len(forms) == len(GOAL_FORMS)
    made = [action for form in forms for action in ways_of(form)]
    told = set(made) | {"goal run 3", "goal run 4"}  # the picker's first, which says nothing more
    assert told == {f"goal {text}" for text in all_goals()}
    assert len(made) == len(set(made))
    pub = open_pub(sit_at(3, *LAYS, goal_deck=[]))
    parts = {"action": "goal", "part0": "run", "part1": "4", "part2": "", "mark": "5"}
    assert pub.host().post("/enter", **parts).status_code == 303
    assert acts(pub.live_session)[-1] == "goal run 4"


def test_goals_left_in_the_deck_come_first_and_others_are_accepted() -> None:
    """In words and in groups; one that the owner's list lacks is entered with a warning."""
    deck = ["sum pink 4", "only green pink", "below 4", "run 3"]
    pub = open_pub(sit_at(3, *LAYS, goal_deck=deck, goals=4))
    host = pub.host()
    assert actions_of(host.get("/desk")) == [
        *("goal sum pink 4", "goal only green pink", "goal run 3", "goal below 4"),
    ]
    page = text_of(host.get("/desk"))
    assert page.index("pink adds up to 4") < page.index("Another goal")
    tap(host, "/desk", "goal sum pink 4")
    assert "goal sum pink 4" not in actions_of(host.get("/desk"))
    tap(host, "/desk", "goal apart purple")
    assert "“exactly two purple, not side by side” has come up more often" in text_of(
        pub.stranger().get("/")
    )


def test_every_goal_of_the_deck_can_be_tapped() -> None:
    """TP-7: on a phone as on the desk; each has words of its own, and no group lacks any."""
    pub = open_pub(sit_at(3, *LAYS))
    deck = set(game_of("tippi_toppi").usual_options()["goal_deck"])
    for page in (pub.player(1).get("/seat"), pub.host().get("/desk")):
        tapped = [each for each in actions_of(page) if each.startswith("goal ")]
        assert set(tapped) == {f"goal {goal}" for goal in deck}


def test_a_goal_is_unfolded_for_whoever_has_played() -> None:
    """Others see the table first; at the set-up it is everybody's business."""
    pub = open_pub(sit_at(3, *LAYS))
    ann, bob = pub.player(0), pub.player(1)
    folded = '<details id="goals">'
    assert folded not in bob.get("/seat").text
    tell(pub.live_session, *GOALS, "play pink1 2")
    pub.live_session.changed()
    assert folded not in ann.get("/seat").text
    assert folded in bob.get("/seat").text
    tap(bob, "/seat", "goal parity odd")


def test_a_goal_that_no_form_has_is_checked_by_the_players() -> None:
    """TP-7: it is entered as one of their own, lies open, and anybody says that it is met."""
    pub = open_pub(sit_at(2, *LAYS, goals=4, goal_deck=[]))
    ann, bob = pub.player(0), pub.player(1)
    tap(bob, "/seat", "goal other", "goal same number", "goal count 7 0", "goal equal green pink")
    board = text_of(pub.stranger().get("/"))
    assert "all four of one number no 7s" in board
    assert "a goal that you check yourselves" in board
    tap(ann, "/seat", "play green1 0")
    tap(ann, "/seat", "met")
    page = text_of(pub.stranger().get("/"))
    assert "Goals met ✓ a goal that you check yourselves" in page
    assert "met" not in actions_of(ann.get("/seat"))


def test_in_high_speed_it_is_said_that_nobody_can_play() -> None:
    """TP-14: not that the time is up."""
    lays = ("lay green7", "lay green1", "lay green2", "lay green5")
    options = {"high_speed": True, "goals": 1, "goal_deck": ["sum pink 4"]}
    pub = open_pub(sit_at(3, *lays, "goal sum pink 4", **options))
    tap(pub.player(2), "/seat", "stuck")
    assert "Lost: nobody can play a card" in text_of(pub.stranger().get("/"))


def test_what_may_be_said_stands_on_the_board() -> None:
    """TP-10, TP-15, TP-16: one line for each way to talk."""
    for options, words in (
        ({}, "Talk about piles and goals, but not about your numbers or colours."),
        ({"silence": True}, "Enjoy the Silence: nobody may say anything."),
        ({"open_hands": True}, "All cards lie open: you may say anything."),
    ):
        pub = open_pub(sit_at(2, *LAYS, **options))
        assert words in text_of(pub.stranger().get("/"))


def test_in_high_speed_anybody_enters_any_play_against_the_clock() -> None:
    """TP-14: no turns; the time stands on all pages, and who says that it is up ends the game."""
    clock = Clock()
    header = open_header(game_of("tippi_toppi"), NAMES[:3], {"high_speed": True}, 0)
    pub = open_pub(LiveSession(open_log(), header, countdown=Countdown(clock)))
    host, cem = pub.host(), pub.player(2)
    assert 'id="clock"' not in host.get("/").text
    tap(host, "/desk", *LAYS, *GOALS)
    clock.now_s += 60
    tap(cem, "/seat", "play green1 0")
    tap(pub.player(1), "/seat", "play orange1 1")
    tap(cem, "/seat", "play green2 0")
    for each in (host.get("/"), host.get("/desk"), cem.get("/seat"), pub.stranger().get("/")):
        assert 'data-seconds="240">4:00<' in each.text
    page = text_of(pub.stranger().get("/"))
    assert "Everyone plays" in page
    assert "4 cards" not in page
    assert "Green 2 on pile 1" in page
    assert pub.stranger().get("/api/state").json()["seconds_limit"] == 300
    tap(cem, "/seat", "time")
    page = text_of(pub.stranger().get("/"))
    assert "Lost: the five minutes are up" in page
    assert 'id="clock"' not in pub.stranger().get("/").text


def test_in_high_speed_with_hands_told_the_player_is_told_too() -> None:
    """TP-14: the desk has everybody's plays with their names, a seat its own."""
    hands = [["green1", "green2", "green3", "green4"], ["pink1", "pink2", "pink4", "pink5"]]
    options = open_header(game_of("tippi_toppi"), NAMES[:2], {"high_speed": True}, 0).options
    header = Header("tippi_toppi", NAMES[:2], options, {"first": 0, "hands": hands})
    pub = open_pub(LiveSession(open_log(), header))
    tell(pub.live_session, *LAYS, *GOALS)
    host, bob = pub.host(), pub.player(1)
    assert {each.split()[-1] for each in actions_of(host.get("/desk")) if "play" in each} == {
        "0",
        "1",
    }
    assert 'aria-label="Bob: pink 4 on pile 3"' in host.get("/desk").text
    assert all(each.endswith("by 1") for each in actions_of(bob.get("/seat")) if "play" in each)
    tap(bob, "/seat", "play pink4 2 by 1", "drew hidden")
    assert acts(pub.live_session)[-2:] == ["play pink4 2 by 1", "drew hidden"]


def test_one_person_plays_alone() -> None:
    """TP-17: a column of the table of their own, and the turn comes back at once."""
    pub = open_pub(sit_down())
    host = pub.host()
    new_game(host, players="1", name0="Ann", difficulty="champion")
    assert pub.live_session.header.options["goals"] == 20
    tap(host, "/desk", *LAYS, *GOALS, "play green1 0", "play orange1 1")
    ann = pub.player(0)
    tap(ann, "/seat", "play green2 0")
    page = text_of(pub.stranger().get("/"))
    assert "Ann plays a card" in page
    assert "of 20 goals met" in page
    tap(ann, "/seat", "stuck")
    assert "Lost: Ann cannot play a card" in text_of(pub.stranger().get("/"))


@pytest.mark.parametrize(
    ("fields", "options"),
    [
        ({"players": "4", "difficulty": "expert"}, {"goals": 18, "difficulty": "expert"}),
        ({"players": "2", "difficulty": "expert", "goals": "7"}, {"goals": 7}),
        ({"high_speed": "yes", "silence": "yes"}, {"high_speed": True, "open_hands": False}),
        ({"open_hands": "yes", "run_order": "any"}, {"open_hands": True, "run_order": "any"}),
        ({"alternating": "any"}, {"alternating": "any", "difficulty": "normal"}),
    ],
)
def test_a_new_game_is_as_the_form_says(fields: dict[str, str], options: dict[str, Any]) -> None:
    """Difficulty, variants and readings are chosen; an empty number is the table's."""
    pub = open_pub(sit_down())
    new_game(pub.host(), **fields)
    chosen = pub.live_session.header.options
    assert {key: chosen[key] for key in options} == options
    assert len(chosen["goal_deck"]) == 53


def test_the_next_game_counts_its_goals_anew() -> None:
    """How the table reads its cards stays; the number of goals is that of the new difficulty."""
    pub = open_pub(sit_at(3, goals=5, difficulty="beginner", run_order="either"))
    host = pub.host()
    form = form_of(host.get("/desk/new"), "/new")
    assert (form.fields["goals"], form.fields["difficulty"]) == ("", "beginner")
    assert (
        host.post(
            "/new", step="start", game="tippi_toppi", players="4", difficulty="champion"
        ).status_code
        == 303
    )
    options = pub.live_session.header.options
    assert (options["goals"], options["run_order"]) == (20, "either")
    assert host.post("/new", step="start", game="tippi_toppi", players="4").status_code == 303
    assert pub.live_session.header.options["goals"] == 20
    assert pub.live_session.header.options["difficulty"] == "champion"


def test_more_goals_than_cards_are_refused_in_a_sentence() -> None:
    """The deck has 53 of them."""
    pub = open_pub(sit_at())
    answer = pub.host().post("/new", step="start", game="tippi_toppi", players="3", goals="54")
    assert answer.status_code == 409
    assert "the goal deck has 53 goals, but 54 are needed" in alert(answer)
