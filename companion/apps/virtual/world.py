"""The world of the virtual table: pieces, hands, a board that balances and an idol that turns.

It knows no rules and has no clock, and whoever makes it brings the dice.  What can be done to a
real table can be done to it: the top of a stack is taken, what is let go falls on what is below.
"""

import math
from collections.abc import Sequence
from random import Random
from typing import Final

from companion.apps.virtual import refusals
from companion.apps.virtual.balance import lean_of
from companion.apps.virtual.careful_hand import CarefulHand
from companion.apps.virtual.happening import Fall, Happening, Spin
from companion.apps.virtual.piece import BOARD, CARD, DIE, IDOL, TILE, Hand, Piece, Refused, Viewer
from companion.apps.virtual.resting import Ground, rest, settle
from companion.table.virtual_set import Laid, VirtualSet

ABOVE_MM: Final = 0.2
"""What is so much higher lies on top."""
MARGIN_MM: Final = 240.0
"""How far beyond the tiles' middles things may lie."""
CARRIED_MM: Final = 60.0
"""How high a hand carries what it has taken, at least."""
IDOL_MM: Final = 55.0
"""How high a card stands in the idol."""
SCATTER_MM: Final = (125.0, 205.0)
"""How far from the middle of a fallen board its pieces come to lie."""
TURNS: Final = (1, 3)
"""How many whole turns a spin makes, at least and at most."""
GATHER_MM: Final = 25.0
"""Cards whose middles are so near to each other are one pile."""


class World:
    """One table with everything on it.

    laid: what lies there, bottom first, beside the corner tiles.
    pieces: by number.  hands: over the table, by number.  idol_deg: where its arm points.
    happened: what sensors feel of what was done, oldest first, until somebody takes it out.
    is_cheat: whether anything may be taken, and lies where it was let go.
    is_touched: whether anybody has changed anything.
    """

    def __init__(
        self, game: VirtualSet, laid: Sequence[Laid], random: Random, idol_deg: float = 0.0
    ) -> None:
        self.set = game
        self._random = random
        self._next = 1
        self._ground = Ground(game.floors, game.balance)
        self._careful = CarefulHand(game.slots, random)
        self.pieces: dict[int, Piece] = {}
        self.hands: dict[int, Hand] = {}
        self.idol_deg = idol_deg
        self.happened: list[Happening] = []
        self.is_cheat = self.is_touched = False
        for each in (*game.tiles(), *laid):
            self._add(each)

    # what lies where

    @property
    def lying(self) -> list[Piece]:
        """All pieces that lie on the table."""
        return [piece for piece in self.pieces.values() if piece.is_on_table]

    @property
    def is_fallen(self) -> bool:
        """Whether the balance board has fallen."""
        return self._ground.is_fallen

    @property
    def tilt(self) -> tuple[float, float]:
        """How far the balance board tilts, and to where."""
        lean = lean_of(self._loads(), is_fallen=self.is_fallen)
        return lean.tilt_deg, lean.towards_deg

    @property
    def idol_card(self) -> Piece | None:
        """The card that is in the idol, None if there is none."""
        riding = [piece for piece in self.lying if piece.rides == IDOL]
        return max(riding, key=lambda each: each.z, default=None)

    def top_at(self, x: float, y: float, kind: str) -> Piece | None:
        """Return the highest piece of *kind* at a point of the table."""
        found = [p for p in self.lying if p.kind == kind and p.footprint.covers(x, y)]
        return max(found, key=lambda each: each.z, default=None)

    # hands

    def reach_out(self, viewer: Viewer, x: float, y: float, z: float) -> None:
        """Let the hand of *viewer* be over a point of the table, with what it holds."""
        hand = self._hand(viewer)
        hand.x, hand.y = self._within(x, y)
        hand.z, hand.is_over = max(0.0, min(400.0, z)), True
        if hand.piece is not None:
            piece = self.pieces[hand.piece]
            piece.x, piece.y, piece.z = hand.x, hand.y, hand.z

    def draw_back(self, viewer: Viewer) -> None:
        """Let the hand of *viewer* be away from the table; what it holds it keeps."""
        self._hand(viewer).is_over = False

    def leave(self, number: int) -> None:
        """Let a hand be gone; what it held falls where it was."""
        hand = self.hands.pop(number, None)
        if hand is not None and hand.piece is not None:
            self._put(hand, self.pieces[hand.piece], hand.x, hand.y, None, is_careful=False)

    def take(self, viewer: Viewer, number: int) -> None:
        """Take a piece into the hand: the top of a stack, or one of the own cards."""
        hand = self._hand(viewer)
        piece = self._piece(number)
        if hand.piece == number:
            return
        if hand.piece is not None:
            raise Refused(refusals.FULL_HAND)
        if piece.of is not None:
            if piece.of != hand.private:
                raise Refused(refusals.NOT_YOURS)
            piece.of, piece.is_known = None, True
            piece.x, piece.y, hand.origin = hand.x, hand.y, None
        else:
            self._require_free(piece)
            hand.origin = piece.x, piece.y
        piece.held, piece.rides, piece.lean = hand.number, None, (0.0, 0.0)
        if not hand.is_over:
            hand.x, hand.y, hand.is_over = piece.x, piece.y, True
        hand.z = max(hand.z, piece.z, CARRIED_MM)
        piece.z, hand.piece = hand.z, number
        if self.is_cheat:  # something may have lain on it
            settle(self.lying_still, self._ground)
        self._balance()

    @property
    def lying_still(self) -> list[Piece]:
        """The pieces that lie on the table itself, and not in the idol."""
        return [piece for piece in self.lying if piece.rides != IDOL]

    def put(self, viewer: Viewer, x: float, y: float, turn: float | None) -> None:
        """Let go of what the hand holds, over a point of the table."""
        hand, piece = self._held(viewer)
        self._put(hand, piece, x, y, turn, is_careful=not self.is_cheat)

    def stow(self, viewer: Viewer) -> None:
        """Put the card that is held into the own hand of cards."""
        hand, piece = self._held(viewer)
        if piece.kind != CARD:
            raise Refused(refusals.ONLY_CARDS)
        hand.piece = None
        self._keep(piece, hand.private)

    def draw(self, viewer: Viewer, x: float, y: float) -> None:
        """Take the top card of a pile into the own hand of cards."""
        hand, piece = self._hand(viewer), self.top_at(x, y, CARD)
        if piece is None:
            raise Refused(refusals.NO_CARD)
        self._keep(piece, hand.private)
        self._changed()

    # single pieces

    def flip(self, viewer: Viewer, number: int) -> None:
        """Turn a card over, on the table or in the hand."""
        piece = self._at_hand(viewer, number)
        if piece.kind != CARD:
            raise Refused(refusals.ONLY_CARDS)
        if piece.is_known:  # it would have been shown
            piece.is_known = False
        else:
            piece.up = not piece.up
        self._changed()

    def turn(self, viewer: Viewer, number: int, deg: float) -> None:
        """Turn a piece on the spot."""
        piece = self._at_hand(viewer, number)
        piece.turn = deg % 360.0
        if self.is_cheat and piece.is_on_table:  # something may have lain on it
            settle(self.lying_still, self._ground)
        elif piece.is_on_table and piece.rides != IDOL:
            rest(piece, self._others(piece), self._ground)
        self._changed()

    def roll(self, viewer: Viewer, number: int) -> None:
        """Roll a die where it is."""
        piece = self._piece(number)
        if piece.kind != DIE:
            raise Refused(refusals.NO_DIE)
        hand = self._hand(viewer)
        if piece.held is not None and piece.held != hand.number:
            raise Refused(refusals.NOT_YOURS)
        hand.piece = None if hand.piece == number else hand.piece
        piece.held = None
        piece.look = {**piece.look, "shows": self._random.choice(piece.look["faces"])}
        piece.turn = self._random.uniform(0, 360)
        x = piece.x + self._random.uniform(-18, 18)
        y = piece.y + self._random.uniform(-18, 18)
        self._drop(piece, x, y)

    def peek(self, viewer: Viewer, number: int) -> str:
        """Return what is hidden below a piece, to whoever may look."""
        piece = self._at_hand(viewer, number)
        if not piece.mark:
            raise Refused(refusals.NOTHING_HIDDEN)
        if piece.owner is not None and piece.owner != viewer.private:
            raise Refused(refusals.HIDDEN)
        return piece.mark

    def shuffle(self, x: float, y: float, to: tuple[float, float] | None = None) -> None:
        """Shuffle a pile, face down; a card that shows its face on top of it stays.

        to: where it is laid then.  The cards have new numbers: nobody can follow one.
        """
        top = self.top_at(x, y, CARD)
        if top is None:
            raise Refused(refusals.NO_CARD)
        near = [p for p in self.lying_still if p.kind == CARD and _apart(p, top) <= GATHER_MM]
        gathered = [p for p in near if p is not top or not p.up]
        place = (top.x, top.y) if to is None else self._within(*to)
        for piece in gathered:
            del self.pieces[piece.id]
        settle(self.lying_still, self._ground)
        self._random.shuffle(gathered)
        for piece in gathered:
            piece.id, piece.up, piece.is_known = self._next, False, False
            self._next += 1
            self.pieces[piece.id] = piece
            piece.turn = self._random.gauss(0, 0.8)
            self._drop(
                piece, place[0] + self._random.gauss(0, 0.5), place[1] + self._random.gauss(0, 0.5)
            )

    # idol and board

    def spin(self) -> Spin:
        """Spin the idol."""
        if self.set.idol is None:
            raise Refused(refusals.NO_IDOL)
        angle = round(self._random.uniform(0, 360), 1) % 360.0
        turns = self._random.randint(*TURNS) + ((angle - self.idol_deg) % 360.0) / 360.0
        self.idol_deg = angle
        spin = Spin(angle, round(turns, 3))
        self.happened.append(spin)
        self._changed()
        return spin

    def fall(self) -> None:
        """Let the balance board fall, with all that stands on it."""
        balance = self.set.balance
        if balance is None:
            raise Refused(refusals.NO_BALANCE)
        if self.is_fallen:
            raise Refused(refusals.UPRIGHT)
        riding = [piece for piece in self.lying if piece.rides == BOARD]
        self._ground.is_fallen = True
        for piece in sorted(riding, key=lambda each: each.id):
            piece.z = -1.0  # it lies nowhere until it has fallen
        for piece in sorted(riding, key=lambda each: each.id):
            angle, far = self._random.uniform(0, 2 * math.pi), self._random.uniform(*SCATTER_MM)
            piece.turn = self._random.uniform(0, 360)
            self._drop(piece, balance.x + far * math.sin(angle), balance.y - far * math.cos(angle))
        self.happened.append(Fall())
        self._changed()

    # how it is done

    def _add(self, laid: Laid) -> None:
        piece = Piece(
            self._next, laid.kind, laid.look, laid.size, laid.x, laid.y,
            turn=laid.turn % 360.0, up=laid.up, of=laid.of, mark=laid.mark, owner=laid.owner,
            pitch=laid.pitch,
        )  # fmt: skip
        self._next += 1
        self.pieces[piece.id] = piece
        if piece.is_on_table:
            self._lower(piece)

    def _lower(self, piece: Piece) -> None:
        """Let *piece* come to rest where it is: in the idol, or on what lies below it."""
        idol = self.set.idol
        if idol is not None:
            far = math.hypot(piece.x - idol.x, piece.y - idol.y)
            if piece.kind == CARD and far < idol.diameter / 2:
                present = self.idol_card
                piece.x, piece.y, piece.lean, piece.rides = idol.x, idol.y, (0.0, 0.0), IDOL
                piece.z = IDOL_MM if present is None or present is piece else present.z + 0.4
                return
            if far < idol.diameter / 2:  # nothing stands in the idol
                away = (piece.x - idol.x, piece.y - idol.y) if far > 0.1 else (1.0, 0.0)
                scale = (idol.diameter / 2 + piece.footprint.reach) / math.hypot(*away)
                piece.x, piece.y = idol.x + away[0] * scale, idol.y + away[1] * scale
        rest(piece, self._others(piece), self._ground)

    def _others(self, piece: Piece) -> list[Piece]:
        return [each for each in self.lying_still if each is not piece and each.z >= 0.0]

    def _drop(self, piece: Piece, x: float, y: float) -> None:
        piece.x, piece.y = self._within(x, y)
        self._lower(piece)
        self._changed()

    def _put(
        self, hand: Hand, piece: Piece, x: float, y: float, turn: float | None, *, is_careful: bool
    ) -> None:
        hand.piece, piece.held = None, None
        piece.up, piece.is_known = piece.up or piece.is_known, False
        piece.x, piece.y = self._within(x, y)
        piece.turn = piece.turn if turn is None else turn % 360.0
        if is_careful:
            others = [each for each in self.lying_still if each is not piece]
            if self.set.is_row:
                self._careful.make_room(piece, others, hand.origin)
                settle(others, self._ground)
            self._careful.aim(piece, others)
        hand.x, hand.y = piece.x, piece.y
        self._lower(piece)
        self._balance()

    def _keep(self, piece: Piece, private: int) -> None:
        piece.of, piece.held, piece.rides = private, None, None
        piece.up, piece.is_known = False, False
        piece.x = piece.y = piece.z = piece.turn = 0.0
        piece.lean = (0.0, 0.0)

    def _balance(self) -> None:
        self._changed()
        if self.set.balance is None or self.is_fallen:
            return
        if lean_of(self._loads(), is_fallen=False).is_too_far:
            self.fall()

    def _loads(self) -> list[tuple[float, float]]:
        balance = self.set.balance
        if balance is None:
            return []
        riding = (piece for piece in self.lying if piece.rides == BOARD)
        return [(piece.x - balance.x, piece.y - balance.y) for piece in riding]

    def _changed(self) -> None:
        self.is_touched = True

    def _within(self, x: float, y: float) -> tuple[float, float]:
        return (
            max(-MARGIN_MM, min(self.set.width + MARGIN_MM, x)),
            max(-MARGIN_MM, min(self.set.height + MARGIN_MM, y)),
        )

    def _hand(self, viewer: Viewer) -> Hand:
        assert viewer.hand is not None, "who only watches has no hand"
        hand = self.hands.get(viewer.hand)
        if hand is None:
            private = viewer.hand if viewer.private is None else viewer.private
            hand = self.hands[viewer.hand] = Hand(viewer.hand, private)
            hand.x, hand.y = self.set.width / 2, self.set.height
        elif viewer.private is not None:
            hand.private = viewer.private
        return hand

    def _held(self, viewer: Viewer) -> tuple[Hand, Piece]:
        hand = self._hand(viewer)
        if hand.piece is None:
            raise Refused(refusals.EMPTY_HAND)
        return hand, self.pieces[hand.piece]

    def _piece(self, number: int) -> Piece:
        piece = self.pieces.get(number)
        if piece is None:
            raise Refused(refusals.GONE)
        return piece

    def _at_hand(self, viewer: Viewer, number: int) -> Piece:
        """Return a piece that *viewer* holds, or could take from the table."""
        piece = self._piece(number)
        if piece.of is not None:
            raise Refused(refusals.NOT_HERE)
        if piece.held is None:
            self._require_free(piece)
        elif piece.held != viewer.hand:
            raise Refused(refusals.NOT_YOURS)
        return piece

    def _require_free(self, piece: Piece) -> None:
        if piece.held is not None:
            raise Refused(refusals.NOT_YOURS)
        if self.is_cheat:
            return
        if piece.kind == TILE:
            raise Refused(refusals.FIXED)
        own = piece.footprint
        for other in self.lying:
            is_above = other.z > piece.z + ABOVE_MM and other is not piece
            is_near = is_above and (other.rides == IDOL) == (piece.rides == IDOL)
            if is_near and own.meets(other.footprint):
                raise Refused(refusals.COVERED)


def _apart(one: Piece, other: Piece) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)
