"""A server behind a proxy that terminates TLS: addresses, cookies and headers."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse

import pytest
from msgspec.structs import replace

from houseway.cli.app import main
from server.houses import GENEROUS, Running, running

PROXY = "127.0.3.1"
SITE = "https://tables.example"


def ask(
    house: Running, method: str, path: str, body: str | None = None, source: str = PROXY, **headers: str
) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", house.port, timeout=20, source_address=(source, 0))
    try:
        connection.request(method, path, body, {"host": "tables.example", **headers})
        answer = connection.getresponse()
        answer.read()
        return answer
    finally:
        connection.close()


def forwarded(client: str) -> dict[str, str]:
    return {"x-forwarded-for": client, "x-forwarded-proto": "https"}


def test_a_session_behind_a_proxy_has_a_secure_cookie() -> None:
    with running(proxies=(PROXY,), origins=(SITE,)) as house:
        secure = ask(house, "POST", "/api/session", '{"handle":"Ada"}', **forwarded("203.0.113.5"))
        plain = ask(house, "POST", "/api/session", '{"handle":"Bo"}', source="127.0.0.1")
    assert (secure.status, plain.status) == (201, 201)
    assert "; Secure" in secure.headers["set-cookie"]
    assert secure.headers["strict-transport-security"] == "max-age=31536000"
    assert "; Secure" not in plain.headers["set-cookie"]
    assert "strict-transport-security" not in plain.headers


def test_players_behind_a_proxy_have_separate_limits() -> None:
    limits = replace(GENEROUS, requests=2)
    with running(limits, proxies=(PROXY,), origins=(SITE,)) as house:
        statuses = [ask(house, "GET", "/api/house", **forwarded("203.0.113.5")).status for _ in range(30)]
        other = ask(house, "GET", "/api/house", **forwarded("203.0.113.6")).status
    assert 429 in statuses
    assert other == 200


def test_a_forwarded_address_from_an_untrusted_client_is_ignored() -> None:
    limits = replace(GENEROUS, requests=2)
    with running(limits, proxies=(PROXY,), origins=(SITE,)) as house:
        statuses = [
            ask(house, "GET", "/api/house", source="127.0.0.9", **forwarded(f"203.0.113.{n}")).status
            for n in range(30)
        ]
    assert 429 in statuses


def test_connections_from_a_proxy_do_not_count_toward_the_limit_per_address() -> None:
    limits = replace(GENEROUS, connections=5)
    with running(limits, proxies=("127.0.3.0/24",)) as house, ExitStack() as held:
        for _ in range(20):
            held.enter_context(
                socket.create_connection(("127.0.0.1", house.port), source_address=(PROXY, 0))
            )
        assert ask(house, "GET", "/healthz", host="127.0.0.1").status == 200
        assert house.serving.door.refused == 0


@pytest.mark.parametrize("text", ["proxy.example", "10.0.0.1/8", ""])
def test_a_proxy_that_is_not_an_address_is_rejected(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", "1", "--behind-proxy", text]) == 2
    assert "--behind-proxy must be an IP address or a network" in capsys.readouterr().err
