"""Games of UNO Tiki and Tippi Toppi, played at random to be filmed.

Who holds what is known here alone: the rules are told what people at the table tell the companion.
"""

from copy import deepcopy
from typing import Any, Final

from rendering.plots import (
    NAMES,
    SIDES,
    Beat,
    Faults,
    Plot,
    Table,
    add_fault,
    finish,
    pick,
    seats_words,
)
from rendering.prints import Random
from rendering.rules_process import RulesProcess

HAND: Final = {"tippi_toppi": 4, "uno_tiki": 7}
COLOURS: Final = ("green", "pink", "orange", "purple")
GOALS_OPEN: Final = 4
MOST_GOALS: Final = 12
TARGET: Final = 50
SEATS_DEG: Final = {2: (180, 0), 3: (180, 300, 60), 4: (180, 270, 0, 90)}
"""Where the idol points for each seat, clockwise from the mat's top."""
OFF_DEG: Final = 42.0
BETWEEN_DEG: Final = 1.5
BETWEEN, VOID = 0.06, 0.08
"""How often the idol stops between two players, and before a full turn."""
DRAWS: Final = 0.1
"""How often somebody draws who need not."""
PLAYS_DRAWN: Final = 0.7
DISCARDS: Final = 0.6
LIVELY: Final = 2.0
"""How much more likely a card is played that spins the idol."""
LEAST: Final = 0.7
"""A round that is over before this share of the moves is dealt anew."""
WORTH: Final = {"skip": 20, "reverse": 20}


class _Hands:
    """Who holds which cards, and what is still to be drawn."""

    def __init__(self, game: str, deck: list[str], seats: int) -> None:
        size = HAND[game]
        self.held = [deck[size * seat : size * (seat + 1)] for seat in range(seats)]
        self.dealt = [list(hand) for hand in self.held]
        self.deck = deck[size * seats :]

    def draw(self, sizes: list[int]) -> None:
        """Draw until everybody has as many as the rules say."""
        for hand, size in zip(self.held, sizes, strict=True):
            while len(hand) < size and self.deck:
                hand.append(self.deck.pop(0))


def plot_tippi_toppi(random: Random, moves: int, faults: Faults) -> Plot:
    """Play *moves* cards of Tippi Toppi; *faults*: when one that does not fit comes before."""
    seats = int(random.integers(2, 5))
    first, goals = int(random.integers(seats)), int(random.integers(6, MOST_GOALS + 1))
    deck = [f"{colour}{value}" for colour in COLOURS for value in range(1, 8)] * 2
    deck = [str(card) for card in random.permutation(deck)]
    with RulesProcess("tippi_toppi") as rules:
        rules.begin(seats, {"goals": goals}, {"first": first})
        hands = _Hands("tippi_toppi", deck, seats)
        start = [hands.deck.pop(0) for _ in range(4)]
        known = [["orange1"], ["pink2"], ["green3"], ["purple4"]]
        plot = Plot("tippi_toppi", SIDES[seats], [Beat({"piles": known, "goals": [None] * 4})])
        for card in start:
            rules.apply(f"lay {card}")
        table = {"piles": [[card] for card in start], "goals": [None] * 4}
        shown = _turn_up(random, rules, table, plot.beats[0])
        plot.beats.append(Beat(table, marks={"start": True, "goals": rules.state["goals"]}))
        while faults.made < moves and rules.outcome is None:
            if not _play_pile(random, rules, hands, plot, faults, shown):
                break  # whoever is to play cannot: that is for the people to say
            faults.made += 1
        opening = {
            "players": list(NAMES[:seats]),
            "seats": seats_words(SIDES[seats]),
            "first_player": first,
            "options": {"goals": goals},
            "setup": {"first": first},
            "start": start,
            "secret": {"hands": hands.dealt, "deck": deck, "goals": shown},
            "goals_met": len(rules.state["met"]),
        }
        return finish(plot, rules, faults.made, opening)


def _turn_up(random: Random, rules: RulesProcess, table: Table, beat: Beat) -> list[str]:
    """Turn up goals as long as there is room, and say so after *beat*; return them."""
    found = []
    while rules.outcome is None and rules.state["phase"] == "goal":
        goal = str(pick(random, rules.legal("revealed"))["goal"])
        rules.apply(f"goal {goal}")
        beat.told.append(f"goal {goal}")
        found.append(goal)
    open_now = rules.state["goals"]
    left = [goal for goal in open_now if goal not in table["goals"]]
    table["goals"] = [goal if goal in open_now else None for goal in table["goals"]]
    for at, goal in enumerate(table["goals"]):
        if goal is None and left:
            table["goals"][at] = left.pop(0)
    return found


def _play_pile(
    random: Random,
    rules: RulesProcess,
    hands: _Hands,
    plot: Plot,
    faults: Faults,
    shown: list[str],
) -> bool:
    """Play a card, perhaps one that does not fit before; tell whether there was one that fits."""
    before, seat = plot.beats[-1], rules.state["seat"]
    hand = hands.held[seat]
    fitting = [(p["card"], p["pile"]) for p in rules.legal("played") if p["card"] in hand]
    if not fitting:
        return False
    mark: dict[str, Any] = {}
    wrong = [(card, pile) for card in hand for pile in range(4) if (card, pile) not in fitting]
    if wrong and faults.is_due:
        faults.done()
        card, pile = pick(random, wrong)
        why = rules.reason(f"play {card} {pile}") or ""
        fault = _onto(before.table, card, pile, seat)
        fault.marks["goals"] = rules.state["goals"]
        mark = add_fault(plot.beats, fault, why, tell_piles(before.table))
    card, pile = pick(random, fitting)
    beat = _onto(before.table, card, pile, seat)
    met = len(rules.state["met"])
    rules.apply(f"play {card} {pile}")
    hand.remove(card)
    hands.draw(rules.state["hand_sizes"])
    now_met = rules.state["met"][met:]
    shown += _turn_up(random, rules, beat.table, beat)
    beat.marks |= {"goals": rules.state["goals"], **({"met": now_met} if now_met else {}), **mark}
    plot.beats.append(beat)
    return True


def _onto(table: Table, card: str, pile: int, seat: int) -> Beat:
    """Return the table once *card* lies on *pile*."""
    piles = [
        [*cards, card] if at == pile else list(cards) for at, cards in enumerate(table["piles"])
    ]
    beat = Beat({"piles": piles, "goals": list(table["goals"])}, seat, pile, table, card)
    beat.marks["move"] = {"player": seat, "action": f"play {card} {pile}"}
    return beat


def tell_piles(table: Table) -> list[dict[str, Any]]:
    """Return what lies on top of the piles, as truth.jsonl has it."""
    return [{"color": cards[-1][:-1], "value": int(cards[-1][-1])} for cards in table["piles"]]


def uno_face(card: str) -> dict[str, Any]:
    """Return a card as truth.jsonl has it.

    >>> uno_face("red-7-spin"), uno_face("tiki-draw4")["symbol"]
    ({'color': 'red', 'symbol': '7', 'spin': True}, 'tiki')
    """
    if card.startswith(("wild", "tiki")):
        return {"color": "wild", "symbol": card[:4], "spin": False}
    color, symbol, *spin = card.split("-")
    return {"color": color, "symbol": symbol, "spin": bool(spin)}


def _worth(card: str) -> int:
    """Return the points of a card in a hand."""
    face = uno_face(card)
    if face["color"] == "wild":
        return 50 if face["symbol"] == "wild" else 20
    return WORTH.get(face["symbol"], 0) or int(face["symbol"])


class _Deal:
    """A round of UNO Tiki, whose hands only the players know."""

    def __init__(self, random: Random, rules: RulesProcess, seats: int, faults: Faults) -> None:
        self.random, self.rules, self.faults = random, rules, faults
        self.dealer = int(random.integers(seats))
        rules.begin(seats, {"target": TARGET}, {"dealer": self.dealer})
        cards = [
            card for card, count in rules.state["options"]["deck"].items() for _ in range(count)
        ]
        while True:
            self.order = [str(card) for card in random.permutation(cards)]
            self.start = self.order[HAND["uno_tiki"] * seats]
            if uno_face(self.start)["symbol"].isdigit():
                break
        self.hands = _Hands("uno_tiki", self.order, seats)
        rules.apply(f"turn {self.hands.deck.pop(0)}")
        self.degs = SEATS_DEG[seats]
        known = Beat({"discard": ["red-7"], "idol_deg": 0.0})
        start = Beat({"discard": [self.start], "idol_deg": 0.0}, marks={"start": True})
        self.plot = Plot("uno_tiki", SIDES[seats], [known, start])

    @property
    def _last(self) -> Beat:
        return self.plot.beats[-1]

    def tell(self, text: str) -> None:
        """Enter what somebody says of the last table."""
        self.rules.apply(text)
        self._last.told.append(text)
        self.hands.draw(self.rules.state["hand_sizes"])

    def go_on(self) -> bool:
        """Let the next thing happen; tell whether the round goes on."""
        state = self.rules.state
        step = {
            "play": self._play,
            "drawn": self._use_drawn,
            "spin": self._spin,
            "choose": self._choose,
            "discard": self._discard,
        }
        if state["exposed"] is not None and state["phase"] in ("play", "choose"):
            self.tell(f"uno {state['exposed']}")
            return True
        step[state["phase"]]()
        if self.rules.state["phase"] == "count":
            self._count()
        return self.rules.outcome is None and not self.rules.state["rounds"]

    def _fitting(self, cards: list[str]) -> list[str]:
        """Return the texts of the plays of *cards* that the rules allow."""
        plays = [play for play in self.rules.legal("played") if play["card"] in cards]
        return [
            " ".join(["play", p["card"], *([p["colour"]] if "colour" in p else [])]) for p in plays
        ]

    def _play(self) -> None:
        hand = self.hands.held[self.rules.state["seat"]]
        fitting = self._fitting(hand)
        if not fitting or self.random.random() < DRAWS:
            self.tell("draw")
            return
        mark: dict[str, Any] = {}
        fits = {text.split()[1] for text in fitting}
        wrong = [card for card in hand if card not in fits]
        if wrong and self.faults.is_due:
            self.faults.done()
            mark = self._fault(pick(self.random, wrong))
        lively = [LIVELY if "spin" in text or "tiki" in text else 1.0 for text in fitting]
        self._put_down(pick(self.random, fitting, lively), mark)

    def _fault(self, card: str) -> dict[str, Any]:
        """Play a card that does not fit; return the marks of the corrected table."""
        seat, table = self.rules.state["seat"], self._last.table
        why = self.rules.reason(f"play {card}") or ""
        after = {**table, "discard": [*table["discard"], card]}
        fault = Beat(after, seat, "discard", table, card, {**self._idol()})
        fault.marks["move"] = {"player": seat, "action": f"play {card}"}
        return add_fault(self.plot.beats, fault, why, uno_face(table["discard"][-1]))

    def _put_down(self, text: str, mark: dict[str, Any]) -> None:
        seat, card, last = self.rules.state["seat"], text.split()[1], self._last
        before = last.during if mark and last.during else last.table
        self.rules.apply(text)
        self.hands.held[seat].remove(card)
        after, place = {**before, "discard": list(before["discard"]), **self._idol()}, "idol"
        if not card.startswith("tiki"):
            after["discard"].append(card)
            place = "discard"
        beat = Beat(after, seat, place, before, card, {**self._idol()})
        beat.marks |= {"move": {"player": seat, "action": text}, **mark}
        if card.startswith("wild"):
            beat.told.append(text)
        self.plot.beats.append(beat)
        self.faults.made += 1

    def _idol(self) -> dict[str, Any]:
        """Return which face shows in the idol, as truth.jsonl has it."""
        idol = self.rules.state["idol"]
        return {"idol": idol[-1]} if idol else {}

    def _use_drawn(self) -> None:
        """Play the card that was drawn, or keep it."""
        fitting = self._fitting(self.hands.held[self.rules.state["seat"]][-1:])
        if fitting and self.random.random() < PLAYS_DRAWN:
            self._put_down(pick(self.random, fitting), {})
        else:
            self.tell("pass")

    def _spin(self) -> None:
        """Turn the idol, which stops at somebody, between two, or before a full turn."""
        random, seats, was = self.random, len(self.degs), self._last.table["idol_deg"]
        seat = int(random.integers(seats))
        deg = self.degs[seat] + random.uniform(-OFF_DEG, OFF_DEG)
        fact, full = f"spin {seat}", int(random.integers(1, 4))
        chance = random.random()
        if chance < BETWEEN:
            apart = (self.degs[(seat + 1) % seats] - self.degs[seat]) % 360
            deg = self.degs[seat] + apart / 2 + random.uniform(-BETWEEN_DEG, BETWEEN_DEG)
            low, high = sorted((seat, (seat + 1) % seats))
            fact = f"spin between {low} {high}"
        elif chance < BETWEEN + VOID:
            deg, full, fact = was + random.uniform(60, 300), 0, "spin void"
        deg = round(float(deg) % 360, 1)
        turns = round(full + (deg - was) % 360 / 360, 2)
        spinner = self.rules.state["seat"]
        self._last.sensed.append({"fact": fact, "spin_deg": deg, "turns": turns})
        table = self._last.table
        beat = Beat({**table, "idol_deg": deg}, spinner, "idol", table, None, {**self._idol()})
        self.rules.apply(fact)
        beat.marks["move"] = {"player": spinner, "action": fact}
        self.plot.beats.append(beat)
        self.hands.draw(self.rules.state["hand_sizes"])

    def _choose(self) -> None:
        self.tell(f"choose {pick(self.random, self.rules.legal('chosen'))['seat']}")

    def _discard(self) -> None:
        """Put a card under the pile, or nothing more."""
        hand = self.hands.held[self.rules.state["target"]]
        cards = [each["card"] for each in self.rules.legal("discarded") if each["card"] in hand]
        must = not self.rules.legal("kept")
        if cards and (must or (len(hand) > 1 and self.random.random() < DISCARDS)):
            card = pick(self.random, cards)
            hand.remove(card)
            self.tell(f"discard {card}")
        else:
            self.tell("keep")

    def _count(self) -> None:
        """Count the cards that are left at the end of a round."""
        while self.rules.state["phase"] == "count":
            seat = self.rules.legal("counted")[0]["seat"]
            points = sum(map(_worth, self.hands.held[seat]))
            self.rules.apply(f"count {seat} {points}")
            self._last.told.append(f"count {seat} {points}")


def plot_uno_tiki(random: Random, moves: int, faults: Faults) -> Plot:
    """Play *moves* cards of UNO Tiki; *faults*: when one that does not fit comes before."""
    seats = int(random.integers(2, 5))
    with RulesProcess("uno_tiki") as rules:
        while True:
            deal = _Deal(random, rules, seats, deepcopy(faults))
            first = rules.state["seat"]
            # What a card has begun is seen to its end.
            while deal.go_on() and (deal.faults.made < moves or rules.state["phase"] != "play"):
                pass
            if deal.faults.made >= LEAST * moves:
                break
        far = " and far" if seats == 3 else ""
        sides = [side + (far if side in ("left", "right") else "") for side in SIDES[seats]]
        opening = {
            "players": list(NAMES[:seats]),
            "seats": seats_words(sides),
            "seat_deg": list(SEATS_DEG[seats]),
            "first_player": first,
            "options": {"target": TARGET},
            "setup": {"dealer": deal.dealer},
            "start": deal.start,
            "secret": {"hands": deal.hands.dealt, "deck": deal.order},
        }
        return finish(deal.plot, rules, deal.faults.made, opening)
