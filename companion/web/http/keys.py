"""Keys: who may do what.  The host's key opens the desk; each seat's link lets in one browser.

All that a cookie or a seat's link holds is made here, and has 128 random bits.  Only the host's key
may be the owner's own choice, from the settings; so it stands in no cookie, and may be guessed at a
limited rate alone, see `companion.web.admission`.  So may the table's code, by which phones join
that see it in the room: four letters, in force until all sit or the game is under way.
"""

import secrets
from collections.abc import Collection, Mapping
from hmac import compare_digest
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec.structs import replace

from companion.files import write_whole

HOST_COOKIE: Final = "tiki_host"
SEAT_COOKIE: Final = "tiki_seat"
SCREEN_COOKIE: Final = "tiki_screen"
KEY_BYTES: Final = 16  # 128 bits cannot be guessed over a network
KEY_CHARS: Final = 22  # of so many bytes as base64


CODE_LETTERS: Final = "BCDFGHJKLMNPRTVWXZ"
"""No vowels, so that no code is a word, and no letter that looks like another one or a digit."""
CODE_CHARS: Final = 4
MAX_SCREENS: Final = 8
MAX_EARLIER: Final = 24
"""Of so many games that were put away, phones find their seats again."""


def _new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def new_code() -> str:
    """Return four letters that can be read across a room."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_CHARS))


def _same(one: str, other: str) -> bool:
    # As bytes: compare_digest refuses strings beyond ASCII, and a cookie may hold anything.
    return compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


class Claim(msgspec.Struct, frozen=True):
    """A browser that has joined a seat.

    key: what its cookie holds.  since: the number of log entries when it came; a secret that was
    entered before is none of its business.
    """

    key: str
    since: int


class _Kept(msgspec.Struct, frozen=True):
    """All that is kept over a restart.

    host: the host's key.  is_chosen: whether it comes from the settings.  cookie: what a browser
    holds once the host's key has let it in.  session: the one that invitations and claims are for.
    has_host: whether the host's key has let a browser in.  code: the table's, "" while none is in
    force.  screens: what the browsers of the table's screens hold.  earlier: the claims of games
    that were put away, by session.
    """

    host: str
    is_chosen: bool
    cookie: str
    session: int = 0
    invitations: dict[int, str] = {}
    claims: dict[int, Claim] = {}
    has_host: bool = False
    code: str = ""
    screens: tuple[str, ...] = ()
    earlier: dict[int, dict[int, Claim]] = {}
    phone: str = ""


class Keys:
    """The host's key, the open invitations, and the seats that were claimed by one.

    host: the owner's own key; None takes the one in *file*, or makes one that cannot be guessed.
    file: keeps everything over a restart, so that phones stay at their seats; None keeps nothing.
        A file that is missing or spoilt is begun again: the worst of it is that phones join again.
    Where *file* cannot be written nothing changes, but see `open_seats`; that raises OSError.
    """

    def __init__(self, host: str | None = None, file: Path | None = None) -> None:
        self._file = file
        self._is_saved = True
        kept = _recall(file)
        key = host or (kept.host if kept.host and not kept.is_chosen else _new_key())
        cookie = kept.cookie if key == kept.host else _new_key()
        self._kept = kept
        now = replace(kept, host=key, is_chosen=bool(host), cookie=cookie)
        if cookie != kept.cookie:
            now = replace(now, has_host=False, screens=(), phone="")
        if now != kept:  # on a full disk, phones and host stay as they were
            self._keep(now)

    @property
    def host(self) -> str:
        """The host's key; the daemon prints it as part of the host's address."""
        return self._kept.host

    @property
    def is_chosen(self) -> bool:
        """Whether the host's key is the owner's choice, and so may be one that can be guessed."""
        return self._kept.is_chosen

    @property
    def host_cookie(self) -> str:
        """What the host's browser holds; another one if the host's key is another."""
        return self._kept.cookie

    def opens_desk(self, key: str | None) -> bool:
        """Return whether *key* is the host's."""
        return key is not None and _same(key, self._kept.host)

    def is_host(self, cookie: str | None) -> bool:
        """Return whether *cookie* is that of a browser which the host's key has let in."""
        return cookie is not None and _same(cookie, self._kept.cookie)

    @property
    def has_host(self) -> bool:
        """Whether the host's key has let a browser in."""
        return self._kept.has_host

    def let_host_in(self) -> None:
        """Keep that there is a host now; raises OSError."""
        if not self._kept.has_host:
            self._keep(replace(self._kept, has_host=True))

    def open_seats(
        self,
        session: int,
        seats: int,
        staying: Mapping[int, int] = MappingProxyType({}),
        resumes: int = 0,
        closed: Collection[int] = (),
    ) -> None:
        """Begin *session*: one fresh invitation for each seat, and a new code for the table.

        staying: the seat before of each seat whose phone stays; nobody else sits yet.
        resumes: the session that goes on, whose phones find their seats again; 0 for none.
        closed: seats at which nobody sits, since the companion plays them.
        A session that these keys know already continues as it was.  Raises OSError where the file
        cannot be written, and has opened the seats nevertheless: nobody sits there from the game
        before.
        """
        kept, seated = self._kept, {*range(seats)} - {*closed}
        if session == kept.session and {*kept.invitations, *kept.claims} == seated:
            return
        is_same = resumes != 0 and resumes == kept.session
        claims = {
            seat: kept.claims[before] if is_same else Claim(kept.claims[before].key, 0)
            for seat, before in staying.items()
            if before in kept.claims
        }
        claims |= kept.earlier.get(resumes, {})
        earlier = {**kept.earlier, **({kept.session: kept.claims} if kept.claims else {})}
        free = sorted(seated - {*claims})
        self._kept = replace(
            kept,
            session=session,
            invitations={seat: _new_key() for seat in free},
            claims={seat: claim for seat, claim in claims.items() if seat in seated},
            code=new_code() if free else "",
            earlier={number: earlier[number] for number in sorted(earlier)[-MAX_EARLIER:]},
        )
        self._is_saved = False
        self.save()

    @property
    def code(self) -> str:
        """The table's code, "" while none is in force."""
        return self._kept.code

    def renew_code(self) -> None:
        """Put another code in force, if a seat is free; raises OSError."""
        self._keep(replace(self._kept, code=new_code() if self._kept.invitations else ""))

    def end_code(self) -> None:
        """Let nobody join by the code any more; raises OSError, and it has ended all the same."""
        if self._kept.code:
            self._kept, self._is_saved = replace(self._kept, code=""), False
            self.save()

    def is_code(self, code: str) -> bool:
        """Return whether *code* is the table's, in whatever case and with blanks between."""
        letters = "".join(code.split()).upper()
        return bool(self._kept.code) and _same(letters, self._kept.code)

    def save(self) -> None:
        """Write what is in force, unless it is written; raises OSError."""
        if not self._is_saved:
            self._keep(self._kept)

    def invitation(self, seat: int) -> str | None:
        """Return the open invitation to *seat*, None if it was used or there is no such seat."""
        return self._kept.invitations.get(seat)

    def invite_anew(self, seat: int) -> None:
        """Put a fresh invitation in the place of the old one; whoever sat at *seat* loses it."""
        kept = self._kept
        claims = {other: claim for other, claim in kept.claims.items() if other != seat}
        gone = kept.claims[seat].key if seat in kept.claims else ""
        earlier = {
            session: {at: claim for at, claim in of.items() if claim.key != gone}
            for session, of in kept.earlier.items()
        }
        invitations = {**kept.invitations, seat: _new_key()}
        self._keep(replace(kept, invitations=invitations, claims=claims, earlier=earlier))

    def invited(self, invitation: str) -> int | None:
        """Return the seat that *invitation* is for, None if it is not open."""
        for seat, key in self._kept.invitations.items():
            if _same(invitation, key):
                return seat
        return None

    def claim(self, invitation: str, since: int, held: str = "") -> tuple[int, Claim] | None:
        """Use *invitation* up and return its seat and the claim on it; None if it is not open.

        held: what the browser's cookie holds.  If it is of an earlier game the browser keeps it, to
        find its seat there again; if it is of another seat of this game, that one becomes free.
        """
        seat = self.invited(invitation)
        if seat is None:
            return None
        kept, found = self._kept, self.seat(held)
        invitations = {other: key for other, key in kept.invitations.items() if other != seat}
        claims = dict(kept.claims)
        if found is not None:
            del claims[found[0]]
            invitations[found[0]] = _new_key()
        claim = Claim(self._earlier_key(held) or _new_key(), since)
        self._keep(
            replace(
                kept,
                invitations=invitations,
                claims={**claims, seat: claim},
                code=kept.code if invitations else "",
            )
        )
        return seat, claim

    def _earlier_key(self, held: str) -> str:
        """Return *held* if a phone sat by it in a game that was put away, "" otherwise."""
        keys = [claim.key for of in self._kept.earlier.values() for claim in of.values()]
        taken = [claim.key for claim in self._kept.claims.values()]
        return next((key for key in keys if _same(key, held) and key not in taken), "")

    def is_screen(self, cookie: str | None) -> bool:
        """Return whether *cookie* is that of a screen which the host has let in."""
        return cookie is not None and any(_same(cookie, key) for key in self._kept.screens)

    def add_screen(self, cookie: str) -> None:
        """Let the browser that holds *cookie* be one of the table's screens; raises OSError."""
        screens = (*self._kept.screens, cookie)[-MAX_SCREENS:]
        self._keep(replace(self._kept, screens=screens))

    def forget_screens(self) -> None:
        """Let no browser be a screen of the table any more; raises OSError."""
        self._keep(replace(self._kept, screens=()))

    @property
    def screens(self) -> int:
        """How many browsers are the table's screens."""
        return len(self._kept.screens)

    @property
    def phone(self) -> str:
        """The key by which a phone sends its pictures, and which opens nothing else, or ""."""
        return self._kept.phone

    def is_phone(self, key: str) -> bool:
        """Return whether *key* is that of a phone that may be the camera."""
        return bool(self._kept.phone) and _same(key, self._kept.phone)

    def invite_phone(self) -> None:
        """Let a phone be the camera, by the key that there is or a new one; raises OSError."""
        if not self._kept.phone:
            self._keep(replace(self._kept, phone=_new_key()))

    def end_phone(self) -> None:
        """Let no phone be the camera by the key that there is; raises OSError."""
        self._keep(replace(self._kept, phone=""))

    def seat(self, key: str | None) -> tuple[int, Claim] | None:
        """Return the seat that *key* sits at, and its claim; None if it sits nowhere."""
        if key is not None:
            for seat, claim in self._kept.claims.items():
                if _same(key, claim.key):
                    return seat, claim
        return None

    def is_taken(self, seat: int) -> bool:
        """Return whether a browser sits at *seat*."""
        return seat in self._kept.claims

    def _keep(self, kept: _Kept) -> None:
        """Put *kept* in force once it is on the disk."""
        if self._file is not None:
            write_whole(self._file, msgspec.json.encode(kept))
        self._kept, self._is_saved = kept, True


def _recall(file: Path | None) -> _Kept:
    """Return what *file* holds, nothing if there is none or it cannot be understood."""
    nothing = _Kept("", is_chosen=False, cookie="")
    if file is None:
        return nothing
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Kept)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return nothing
