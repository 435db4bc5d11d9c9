"""TacTiki beside a plain reading of its clauses, of pieces with their ranks in lists."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from companion.rules import tactiki as game
from tests.rules.tactiki_tables import RANKS

Piece = tuple[int, int]  # side and rank
BEATS = {(5, 4), (5, 3), (5, 2), (4, 3), (4, 2), (4, 1), (3, 2), (3, 1), (2, 1), (1, 5)}


class PlainGame:
    """The rulebook, word by word: no numbers instead of boards, nothing remembered but the looks.

    columns: the pieces of each field by row and column, bottom first.
    """

    def __init__(self, ranks: list[list[int]]) -> None:
        """Begin with each side's *ranks*, field by field, the lower piece first (TA-1, TA-2)."""
        self.columns: dict[tuple[int, int], list[Piece]] = {
            (row, c): [] for row in range(5) for c in range(5)
        }
        for side, row in ((0, 4), (1, 0)):
            for c in range(5):
                self.columns[row, c] = [(side, rank) for rank in ranks[side][2 * c : 2 * c + 2]]
        self.defeated: list[list[int]] = [[], []]
        self.side, self.moved, self.quiet, self.turns = 0, False, 0, 1
        self.is_eventful = False
        self.ended_by, self.winner = "", -1
        self.looks = Counter([self.look()])

    def look(self) -> str:
        """Return the sides in every column, and who is to act (TA-13)."""
        sides = (" ".join(str(side) for side, _ in column) for column in self.columns.values())
        return f"{self.side}: {'/'.join(sides)}"

    def moves(self, side: int) -> Iterator[str]:
        """Yield every move of *side* (TA-4, TA-7)."""
        home, ahead = (4, -1) if side == 0 else (0, 1)
        for (row, c), column in self.columns.items():
            if not column or column[-1][0] != side or row == 4 - home:
                continue
            for to_row, to_c in ((row + ahead, c), (row, c - 1), (row, c + 1)):
                under = self.columns.get((to_row, to_c))
                arrived = to_row == home and under and under[-1][0] != side
                if under is not None and not arrived:
                    yield f"move {row}{c} {to_row}{to_c}"

    def returns(self, side: int) -> Iterator[str]:
        """Yield every reincarnation of *side* (TA-10)."""
        home = 4 if side == 0 else 0
        for c in range(5):
            if not self.columns[home, c]:
                yield from (f"back {home}{c} {rank}" for rank in set(self.defeated[side]))

    def actions(self) -> set[str]:
        """Return all that may happen now."""
        if self.ended_by:
            return set()
        found = set(self.moves(self.side))
        if not self.moved:
            found |= set(self.returns(self.side))
            if self.looks[self.look()] >= 3:
                found.add("draw")
        return found

    def act(self, text: str) -> None:
        """Let *text* happen."""
        kind, *fields = text.split()
        if kind == "draw":
            self.ended_by = "TA-13"
        elif kind == "back":
            self.columns[int(fields[0][0]), int(fields[0][1])].append((self.side, int(fields[1])))
            self.defeated[self.side].remove(int(fields[1]))
            self.is_eventful = True
            self.end_turn()
        else:
            self.move(*((int(field[0]), int(field[1])) for field in fields))

    def move(self, source: tuple[int, int], target: tuple[int, int]) -> None:
        """Move a piece, let it fight (TA-8, TA-9), and see whether it has won (TA-11)."""
        mine, column = self.columns[source].pop(), self.columns[target]
        survives = True
        while survives and column and column[-1][0] != self.side:
            self.is_eventful = True
            ours, theirs = mine[1], column[-1][1]
            if ours == theirs:
                break
            survives = (ours, theirs) in BEATS
            loser = column.pop() if survives else mine
            self.defeated[loser[0]].append(loser[1])
        if survives:
            column.append(mine)
            if target[0] == (0 if self.side == 0 else 4):
                self.is_eventful = True
                if sum(side == self.side for side, _ in column) >= 5:
                    self.ended_by, self.winner = "TA-11", self.side
                    return
        if not self.moved and any(self.moves(self.side)):
            self.moved = True
        else:
            self.end_turn()

    def end_turn(self) -> None:
        """Pass the turn on (TA-12), or end the game as a draw (TA-13)."""
        self.quiet = 0 if self.is_eventful else self.quiet + 1
        self.moved = self.is_eventful = False
        self.turns += 1
        self.side = 1 - self.side
        if self.quiet == 200 or self.turns > 1000:
            self.ended_by = "TA-13"
        elif not self.can_act():
            self.side = 1 - self.side
            if not self.can_act():
                self.ended_by = "TA-12"
        self.looks[self.look()] += 1
        if not self.ended_by and self.looks[self.look()] == 5:
            self.ended_by = "TA-13"

    def can_act(self) -> bool:
        """Tell whether the side to act can move or bring a piece back."""
        return any(self.moves(self.side)) or any(self.returns(self.side))


@pytest.mark.parametrize("claims", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(12))
def test_whole_games_go_as_the_book_says(seed: int, claims: float) -> None:
    """TA-4 to TA-13: the same may happen at every step, with the same result."""
    rng = Random(seed)
    ranks = [rng.sample(RANKS, 10) for _ in game.SIDES]
    state = game.initial(2, {}, {"ranks": dict(zip(game.SIDES, ranks, strict=True))})
    plain = PlainGame(ranks)
    sideways = rng.choice((0.0, 0.9))
    while plain.actions():
        actions = {game.format_action(each): each for each in game.legal_actions(state)}
        assert set(actions) == plain.actions()
        texts = sorted(actions)
        if rng.random() >= claims:
            texts = [text for text in texts if text != "draw"]
        if rng.random() < sideways:
            texts = [text for text in texts if text[5:6] == text[8:9] != ""] or texts
        text = rng.choice(texts)
        state = game.apply(state, actions[text])
        plain.act(text)
    result = game.outcome(state)
    assert result is not None
    assert game.legal_actions(state) == ()
    winners = (plain.winner,) if plain.winner >= 0 else ()
    assert (result.ended_by, result.winners) == (plain.ended_by, winners)
    assert result.scores == tuple(int(side in winners) for side in (0, 1))
    assert state.pools == tuple(tuple(sorted(pool)) for pool in plain.defeated)
