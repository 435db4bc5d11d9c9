"""Requests that nobody's page would send, to every route and with every header that is read."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote_from_bytes

from hypothesis import strategies as st

from companion.registry import GAMES
from companion.web.app import live_pages
from companion.web.http.keys import HOST_COOKIE, SEAT_COOKIE
from tests.web.asking import Asked, routes_of
from tests.web.forms import forms_of
from tests.web.visitors import Pub, Visitor

HERE: Final = b"127.0.0.1:8000"
STRANGER, SEAT, HOST = ROLES = ("stranger", "seat", "host")
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "X")
NUMBERS: Final = (
    *("", "0", "1", "-1", "+1", " 1", "1.5", "1e9", "1e999", "nan", "inf", "0x1", "1_0", "²", "٣"),
    *("9" * 6, "9" * 20, "9" * 4301, "-" + "9" * 4301),
)
WORDS: Final = (
    *("none", "chance", "undo", "pause", "seat", "board", "\x00", "a\x00b", "\r\nX: y", "'\"<&>"),
    *("../../etc/passwd", "%00", "%", "\ud800", "\udfff\ud800", "\u202e", "🙂" * 40, "x" * 500),
    *("{{7*7}}", "{0.__class__}", "%s%n", "a;b=c", "\u0131", "ß", "\ufb00"),
)
HOSTS: Final = (
    *(b"", b"[", b"]", b"[]", b"[::1", b"[::1]", b"[::1]:80", b"evil.example", b"tiki.local"),
    *(b"a b", b"\xff", b"\x00", b":", b":80", b"127.0.0.1:", b"127.0.0.1:99999999999999999999"),
    *(b"127.0.0.1:-1", b"user@127.0.0.1", b"//127.0.0.1", b"tiki/", b"tiki#", b"tiki?", b"1" * 300),
    *(b"\xc2\xbd", b"xn--", b"xn--a.local", b".", b"..local", b"[fe80::1%25eth0]", b"[v1.a]"),
)
READ: Final[Mapping[bytes, tuple[bytes, ...]]] = {
    b"host": HOSTS,
    b"origin": (b"", b"null", b"//", b"http://", *(b"http://" + each for each in HOSTS)),
    b"cookie": (
        *(b"", b"=", b";", b"tiki_host", b"tiki_host=", b"tiki_seat=\xff", b"tiki_host=\x00"),
        *(b'tiki_seat="\\777\\0"', b"tiki_seat=a; tiki_seat=b", b"a" * 4000, b"\xff=\xfe; ;=;"),
        *(b"tiki_language=de", b"tiki_language=xx", b"tiki_language=../de"),
    ),
    b"content-type": (
        *(b"", b"text/plain", b"application/json", b"multipart/form-data", b";", b"\xff"),
        *(b"multipart/form-data; boundary=", b"multipart/form-data; boundary=x" * 100),
        b"application/x-www-form-urlencoded; charset=utf-16",
        b"APPLICATION/X-WWW-FORM-URLENCODED;charset=\xff",
    ),
    b"content-length": (b"", b"0", b"-1", b"x", b"9" * 30, b"\xb2"),
    b"last-event-id": (b"", b"0", b"-1", b"1e3", b"9" * 15, b"9" * 5000, b"\xb2", b"\x00"),
    b"accept-language": (
        *(b"", b"de", b"es;q=0.5,de;q=nan", b";;,,", b"de;q=1e999", b"\xff"),
        *(b"x" * 4000, b"," * 4000),
    ),
    b"sec-fetch-site": (b"", b"none", b"same-origin", b"cross-site", b"\xff"),
    b"authorization": (
        *(b"", b"Bearer", b"Bearer ", b"bearer \xff", b"Basic Og==", b"Bearer " + b"x" * 5000),
    ),
    b"range": (
        *(b"", b"bytes=0-", b"bytes=-1", b"bytes=9-1", b"bytes=0-0," * 50),
        b"bytes=" + b"9" * 4301,
    ),
    b"if-range": (b"", b"x", b"Sat, 99 Foo 9999 99:99:99 GMT"),
    b"if-none-match": (b"", b"*", b'W/"', b"\xff"),
    b"if-modified-since": (b"", b"x", b"Sat, 99 Foo 9999 99:99:99 GMT", b"9" * 4301),
    b"x-forwarded-for": (b"", b"x", b"[", b"127.0.0.1, \xff"),
    b"x-forwarded-proto": (b"https", b"\xff"),
    b"accept": (b"", b"text/event-stream", b"\xff"),
}  # fmt: skip
"""Every header that the application, or what it is built of, reads, with what does not fit."""


@dataclass(frozen=True)
class Draft:
    """A request before it is known what the session has: names stand for keys and forms."""

    route: int
    method: str | None
    role: str
    part: str
    query: tuple[tuple[str, str], ...]
    headers: tuple[tuple[bytes, bytes], ...]
    fields: tuple[tuple[int, str, str], ...]
    own_form: int | None
    body: bytes | None
    chunk: int
    leaves: bool


texts: Final = st.one_of(
    st.sampled_from(NUMBERS),
    st.sampled_from(WORDS),
    st.text(st.characters(), max_size=20),
)
drafts: Final = st.builds(
    Draft,
    route=st.integers(0, 999),
    method=st.one_of(st.none(), st.none(), st.none(), st.sampled_from(METHODS)),
    role=st.sampled_from(ROLES),
    part=st.one_of(st.sampled_from(("{own}", "{own}", *NUMBERS, *WORDS)), texts),
    query=st.lists(
        st.tuples(
            st.sampled_from(("key", "page", "game", "none", "x")),
            st.one_of(st.sampled_from((*live_pages(), *GAMES, "{own}")), texts),
        ),
        max_size=2,
    ).map(tuple),
    headers=st.lists(
        st.sampled_from(list(READ)).flatmap(
            lambda name: st.tuples(
                st.just(name), st.one_of(st.sampled_from(READ[name]), st.binary(max_size=20))
            )
        ),
        max_size=2,
    ).map(tuple),
    fields=st.lists(
        st.tuples(st.integers(0, 99), texts, st.sampled_from(("set", "drop", "twice"))), max_size=3
    ).map(tuple),
    own_form=st.one_of(st.none(), st.integers(0, 99)),
    body=st.one_of(
        st.none(),
        st.none(),
        st.sampled_from(
            (b"&" * 200, b"=" * 9000, b"%", b"a=%ff", b"a=%ed%a0%80", b'{"action": 1}', b"\xff\xfe")
        ),
        st.binary(max_size=60),
    ),
    chunk=st.integers(1, 60),
    leaves=st.sampled_from((False, False, False, True)),
)
"""Single requests; a list of them is an evening of somebody who wishes nobody well."""

NAMES: Final = (
    *("action", "part0", "part1", "mark", "seq", "seat", "choice", "back", "paused", "game"),
    *("players", "name0", "side0", "first", "lesson", "press", "sensor", "round", "top9", "piece0"),
    *("middle5", "bottom2", "target", "rounds", "goals", "difficulty", "high_speed", "scoring"),
)
"""Names of fields, beside those that stand in the pages' own forms."""


@dataclass
class Fuzzed:
    """Pages with a browser of each kind, and the requests that come of drafts."""

    pub: Pub
    browsers: dict[str, Visitor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Let everybody in."""
        self.browsers = {
            STRANGER: self.pub.stranger(),
            SEAT: self.pub.player(0),
            HOST: self.pub.host(),
        }
        self.routes = list(routes_of(self.pub.app))

    def asked(self, draft: Draft) -> Asked:
        """Return the request that *draft* comes to now."""
        path, methods = self.routes[draft.route % len(self.routes)]
        method = draft.method or ("POST" if "POST" in methods else "GET")
        own = {
            "{key}": self.pub.keys.invitation(1) or "used",
            "{seq}": str(self.pub.live_session.session.next_seq - 1),
            "{number}": "1",
            "{file}": "tiki.css",
        }
        for name, value in own.items():
            path = path.replace(name, value if draft.part == "{own}" else draft.part)
        body = self._body(draft, path, method)
        chunks = [body[at : at + draft.chunk] for at in range(0, len(body), draft.chunk)] or [b""]
        return Asked(
            method,
            path,
            query=b"&".join(_quoted(name) + b"=" + _quoted(value) for name, value in draft.query),
            headers=self._headers(draft),
            chunks=chunks if len(chunks) < 400 else (body,),
            leaves=draft.leaves,
        )

    def _headers(self, draft: Draft) -> tuple[tuple[bytes, bytes], ...]:
        cookies = self.browsers[draft.role].cookies
        usual = {
            b"host": HERE,
            b"cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()).encode(),
            b"content-type": b"application/x-www-form-urlencoded",
        }
        changed = {name for name, _ in draft.headers}
        return (*((k, v) for k, v in usual.items() if k not in changed), *draft.headers)

    def _body(self, draft: Draft, path: str, method: str) -> bytes:
        if method not in ("POST", "PUT", "PATCH"):
            return b""
        if draft.body is not None:
            return draft.body
        fields = self._own_fields(draft, path)
        names = [*fields, *NAMES]
        pairs = list(fields.items())
        for at, value, how in draft.fields:
            name = names[at % len(names)]
            if how != "twice":
                pairs = [pair for pair in pairs if pair[0] != name]
            if how != "drop":
                pairs.append((name, value))
        return b"&".join(_quoted(name) + b"=" + _quoted(value) for name, value in pairs)

    def _own_fields(self, draft: Draft, path: str) -> dict[str, str]:
        """Return what a page's own form for *path* would send, its choices taken as drafted."""
        if draft.own_form is None or draft.role == STRANGER:
            return {}
        page = "/desk" if draft.role == HOST else "/seat"
        if path == "/new":
            page = "/desk/new"
        forms = [
            form for form in forms_of(self.browsers[draft.role].get(page)) if form.path == path
        ]
        if not forms:
            return {"mark": str(self.pub.live_session.session.next_seq)}
        form = forms[draft.own_form % len(forms)]
        picked = {
            name: values[draft.own_form % len(values)] for name, values in form.choices.items()
        }
        return {**form.fields, **picked}

    def secrets(self) -> list[str]:
        """Return all that opens something, none of which a stranger may be shown."""
        keys = self.pub.keys
        seats = range(len(self.pub.live_session.header.players))
        held = [
            self.browsers[SEAT].cookies[SEAT_COOKIE],
            self.browsers[HOST].cookies[HOST_COOKIE],
            *(keys.invitation(seat) for seat in seats),
        ]
        # A code of four letters may stand in anything: it is looked for as a page would show it.
        if keys.code:
            held += [f">{keys.code}<", f"code={keys.code}"]
        return [keys.host, keys.host_cookie, *(each for each in held if each)]


def _quoted(text: str) -> bytes:
    return quote_from_bytes(text.encode("utf-8", "surrogatepass")).encode()


@contextmanager
def errors_logged() -> Iterator[list[str]]:
    """Collect what is logged as an error, or with a traceback."""
    found: list[str] = []

    class Collecting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.levelno >= logging.ERROR or record.exc_info:
                found.append(record.getMessage())

    handler = Collecting()
    loggers = [logging.getLogger(name) for name in (None, "uvicorn")]  # which keeps its own
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield found
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
