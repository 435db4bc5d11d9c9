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
from tests.soak.house import KEY, House

NAME: Final = "tiki.example.org"
PAGE: Final = (ROOT / "docs" / "network.md").read_text()
DEADLINE_S: Final = 60.0


def example(language: str) -> str:
    """Return the example in *language* of the page."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Return a daemon with the settings that the page has for a proxy."""
    folder = tmp_path_factory.mktemp("table")
    house = House(folder)
    house.port = free_port()
    config = folder / "tiki.toml"
    config.write_text(
        config.read_text()
        .replace('address = ""', f'address = "https://{NAME}:{house.port}"')
        .replace("proxies = []", 'proxies = ["127.0.0.1"]')
    )
    try:
        house.start()
        yield house
    finally:
        house.kill()


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
            process.terminate()


PROXIES: Final = {"nginx": nginx, "caddy": caddy}


def client(port: int, certificate: Path) -> httpx.Client:
    """Return a browser that finds the name at *port* of this machine."""
    deadline_s = time.monotonic() + DEADLINE_S
    while True:
        assert time.monotonic() < deadline_s
        time.sleep(0.1)
        try:
            trust = ssl.create_default_context(cafile=str(certificate))
            with socket.create_connection(("127.0.0.1", port)) as plain:
                trust.wrap_socket(plain, server_hostname=NAME).close()
            break
        except OSError:
            continue
    return httpx.Client(
        base_url=f"https://127.0.0.1:{port}",
        verify=trust,
        headers={"Host": NAME},
        timeout=DEADLINE_S,
    )


@pytest.mark.parametrize("name", PROXIES)
def test_the_example_serves_pages_and_streams(house: House, tmp_path: Path, name: str) -> None:
    """The host is let in with a cookie for TLS alone; a stream's news come at once."""
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed here")
    with (
        PROXIES[name](tmp_path, house.port) as (port, certificate),
        client(port, certificate) as browser,
    ):
        extensions = {"sni_hostname": NAME}
        page = browser.get("/", extensions=extensions)
        assert (page.status_code, "data-view" in page.text) == (200, True)
        entered = browser.get(f"/?key={KEY}", extensions=extensions)
        assert entered.status_code == 303
        assert "Secure" in entered.headers["set-cookie"]
        with browser.stream("GET", "/live?page=board", extensions=extensions) as stream:
            assert stream.status_code == 200
            assert next(stream.iter_text())
