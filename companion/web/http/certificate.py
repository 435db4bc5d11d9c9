"""A certificate made at home, for pages over TLS: browsers warn of it once, then encrypt.

The program `openssl` makes it, which Debian has wherever certificates are checked.
"""

import ipaddress
import logging
import re
import ssl
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from companion.files import write_whole
from companion.language.message import say

DAYS: Final = 820
"""Apple's browsers take none that is valid for more than 825."""
RENEW_S: Final = 790 * 24 * 3600.0
MAKE_S: Final = 20.0
COMMAND: Final = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    f" -days {DAYS} -config /dev/stdin -keyout /dev/stdout -out /dev/stdout"
).split()
# Whoever trusts it trusts this server, and nobody whom its key might sign for.
SETTINGS: Final = """
[req]
prompt = no
distinguished_name = name
x509_extensions = purpose
[name]
CN = Tiki Companion
[purpose]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = {names}
"""
_log = logging.getLogger(__name__)
_NAME: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)


class NoCertificate(Exception):
    """There is no certificate, and none can be made; one line says why and what to do."""


def open_certificate(file: Path | None, names: Iterable[str]) -> ssl.SSLContext:
    """Return what serves by the certificate in *file*; it is made if it is missing or too old.

    An old one stays if no new one can be made.
    names: and addresses for which a new one is made.  Raises NoCertificate.
    """
    if file is None:
        raise NoCertificate(say("nothing is kept at this table, so no certificate either"))
    kept = _kept(file)
    if kept is not None and time.time() - file.stat().st_mtime < RENEW_S:
        return kept
    try:
        return _renew(file, names)
    except NoCertificate as error:
        if kept is None:
            raise
        _log.warning("The certificate is old, and stays: %s", error)
        return kept  # browsers warn of it anyway, and without it no phone could be the camera


def _kept(file: Path) -> ssl.SSLContext | None:
    """Return what serves by *file* as it is, None if it is missing or spoilt."""
    try:
        return _context(file)
    except OSError:  # as ssl.SSLError is
        return None


def _renew(file: Path, names: Iterable[str]) -> ssl.SSLContext:
    """Make the certificate anew and return what serves by it; raises NoCertificate."""
    try:
        write_whole(file, _make(names))
        return _context(file)
    except OSError as error:  # as ssl.SSLError is
        raise NoCertificate(
            say(
                "the certificate cannot be kept ({reason}); free some space, and see that {folder}"
                " can be written",
                reason=error.strerror or str(error),
                folder=file.parent,
            )
        ) from None


def _make(names: Iterable[str]) -> bytes:
    """Return a new key and its certificate, as PEM; raises NoCertificate."""
    known = dict.fromkeys(("localhost", "127.0.0.1", *names))
    settings = SETTINGS.format(names=",".join(filter(None, map(_alternative, known))))
    try:
        made = subprocess.run(  # noqa: S603 - the words are ours
            COMMAND, input=settings.encode(), capture_output=True, timeout=MAKE_S, check=True
        )
    except subprocess.CalledProcessError as error:
        last = error.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise NoCertificate(say("openssl makes no certificate: {reason}", reason=last)) from None
    except subprocess.TimeoutExpired:
        raise NoCertificate(say("openssl makes no certificate in time; try again")) from None
    except OSError:
        raise NoCertificate(
            say("openssl is missing, which makes the certificate; sudo apt install openssl")
        ) from None
    return made.stdout


def _alternative(name: str) -> str:
    """Return *name* as a certificate has it, "" if it is none.

    >>> [_alternative(name) for name in ("tiki.local", "192.168.1.7", "fe80::1", "a,b")]
    ['DNS:tiki.local', 'IP:192.168.1.7', 'IP:fe80::1', '']
    """
    try:
        return f"IP:{ipaddress.ip_address(name)}"
    except ValueError:
        return f"DNS:{name}" if _NAME.fullmatch(name) else ""


def _context(file: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(file)
    return context
