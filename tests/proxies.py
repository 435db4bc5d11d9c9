"""The proxies in docs/network.md: each, for real, in front of a daemon, with TLS."""

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
import pytest

from tests.running import ROOT, free_port

NAME: Final = "tiki.example.org"
PAGE: Final = (ROOT / "docs" / "network.md").read_text()
DEADLINE_S: Final = 60.0


def example(language: str) -> str:
    """Return the example in *language* of the page."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


@contextmanager
def nginx(folder: Path, upstream: int) -> Iterator[tuple[int, Path]]:
    """Run nginx with its example; yield its port and the certificate to trust."""
    certificate, key, port = folder / "tiki.pem", folder / "tiki.key", free_port()
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
            *("-out", str(certificate), "-keyout", str(key)),
        ],
        check=True,
        capture_output=True,
    )
    block = (
        example("nginx")
        .replace("listen 443", f"listen 127.0.0.1:{port}")
        .replace("127.0.0.1:8321", f"127.0.0.1:{upstream}")
        .replace("/etc/ssl/certs/tiki.pem", str(certificate))
        .replace("/etc/ssl/private/tiki.key", str(key))
    )
    temp = "".join(
        f"{each}_temp_path {folder}/{each};\n"
        for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off; pid {folder}/pid; error_log stderr;\nevents {{}}\n"
        f"http {{ access_log off; {temp}\n{block} }}"
    )
    with subprocess.Popen(["nginx", "-c", config, "-p", folder], stderr=subprocess.PIPE) as process:
        try:
            yield port, certificate
        finally:
            process.terminate()


@contextmanager
def caddy(folder: Path, upstream: int) -> Iterator[tuple[int, Path]]:
    """Run Caddy with its example and certificates of its own; yield as `nginx` does."""
    port, config = free_port(), folder / "Caddyfile"
    site = (
        example("caddyfile")
        .replace(f"{NAME} {{", f"{NAME}:{port} {{\n    tls internal")
        .replace("127.0.0.1:8321", f"127.0.0.1:{upstream}")
    )
    options = ("admin off", "skip_install_trust", "auto_https disable_redirects")
    storage = f"storage file_system {folder}"
    config.write_text("\n".join(["{", *options, storage, "}", site]))
    command = ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=folder) as process:
        try:
            yield port, folder / "pki" / "authorities" / "local" / "root.crt"
        finally:
            process.kill()  # told to end, it waits for streams that are open


PROXIES: Final = {"nginx": nginx, "caddy": caddy}


def client(port: int, certificate: Path) -> httpx.Client:
    """Return a browser that finds the name at *port* of this machine."""
    return httpx.Client(
        base_url=f"https://127.0.0.1:{port}",
        verify=trusted(port, certificate),
        headers={"Host": NAME},
        timeout=DEADLINE_S,
    )


def trusted(port: int, certificate: Path) -> ssl.SSLContext:
    """Wait until a proxy serves at *port* with its *certificate*, and return trust in it."""
    deadline_s = time.monotonic() + DEADLINE_S
    while True:
        assert time.monotonic() < deadline_s
        time.sleep(0.1)
        try:
            trust = ssl.create_default_context(cafile=str(certificate))
            with socket.create_connection(("127.0.0.1", port)) as plain:
                trust.wrap_socket(plain, server_hostname=NAME).close()
        except OSError:
            continue
        return trust


def settings_behind(text: str, port: int) -> str:
    """Return the settings *text* with what the page has for a proxy; *port* is in the address."""
    return text.replace('address = ""', f'address = "https://{NAME}:{port}"').replace(
        "proxies = []", 'proxies = ["127.0.0.1"]'
    )


def skip_without(name: str) -> None:
    """Skip the test if the proxy *name* is not installed here."""
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed here")
