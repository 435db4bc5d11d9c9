"""The pages as an app: what the manifest says, and to whom; where the app begins."""

from companion.language.catalogue import LANGUAGES
from tests.tables import sit_down
from tests.web.visitors import open_pub


def test_the_manifest_is_the_same_for_all_and_has_no_secret() -> None:
    """A cache that keeps it for others tells them nothing: neither keys nor seats are in it."""
    pub = open_pub(sit_down())
    answers = [
        each.get("/manifest.webmanifest") for each in (pub.stranger(), pub.player(1), pub.host())
    ]
    assert len({answer.text for answer in answers}) == 1
    answer = answers[0]
    assert answer.headers["content-type"] == "application/manifest+json"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.json()["start_url"] == "/start"


def test_the_manifest_speaks_the_language_of_the_page() -> None:
    """In each its own words."""
    stranger = open_pub(sit_down()).stranger()
    found = {}
    for language in LANGUAGES:
        headers = {"accept-language": language}
        manifest = stranger.ask("GET", "/manifest.webmanifest", headers=headers).json()
        assert manifest["lang"] == language
        found[language] = manifest["description"]
    assert len(set(found.values())) == len(LANGUAGES)


def test_every_icon_is_served() -> None:
    """Each in the size that is promised, and one that may be cut to a circle."""
    stranger = open_pub(sit_down()).stranger()
    icons = stranger.get("/manifest.webmanifest").json()["icons"]
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    for icon in icons:
        answer = stranger.get(icon["src"])
        assert answer.headers["content-type"] == "image/png"
        assert answer.content[16:20] == int(icon["sizes"].partition("x")[0]).to_bytes(4, "big")


def test_the_app_begins_at_the_seat_that_its_browser_holds() -> None:
    """And at the scoreboard if it holds none, or none any more."""
    pub = open_pub(sit_down())
    player = pub.player(1)
    assert player.get("/start").headers["location"] == "/seat"
    assert pub.stranger().get("/start").headers["location"] == "/"
    pub.keys.invite_anew(1)
    assert player.get("/start").headers["location"] == "/"


def test_the_guard_lets_manifest_and_worker_in() -> None:
    """The policy names manifests, and lets scripts of this address alone be workers."""
    stranger = open_pub(sit_down()).stranger()
    policy = stranger.get("/").headers["content-security-policy"]
    assert "manifest-src 'self'" in policy
    assert "worker-src" not in policy  # what script-src says counts
    worker = stranger.get("/worker.js?en-0")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-cache"
