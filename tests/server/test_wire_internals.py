"""The connection classes override uvicorn's; these tests fail if a new uvicorn changes what they rely on."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from houseway.server.flood_protection import ThrottledSocket, TimedConnection
from server.houses import running
from server.test_wire import FOLD, at_a_table

BASES: dict[type[Any], type[Any]] = {
    TimedConnection: AutoHTTPProtocol,
    ThrottledSocket: WebSocketsSansIOProtocol,
}
OVERRIDES = [
    (kind, name)
    for kind, base in BASES.items()
    for name, member in vars(kind).items()
    if inspect.isfunction(member) and name != "__init__" and hasattr(base, name)
]
ADDED = {TimedConnection: {"_hang_up"}, ThrottledSocket: {"_process_chunk", "_next_chunk", "_count_part"}}
"""Methods that are ours: uvicorn may not start to use the names."""
SOURCES = {
    "data_received": "c89d394077d8841d",
    "receive": "1dc0e715390021a1",
    "send_receive_event_to_app": "a2b10de91477dc1d",
}
"""Hashes of the code that pauses and resumes reading: `wire` replaces it, so a change needs review."""


def digest(function: Callable[..., Any]) -> str:
    return hashlib.sha256(inspect.getsource(function).encode()).hexdigest()[:16]


def test_the_version_is_capped_below_the_next() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    (requirement,) = [d for d in project["project"]["dependencies"] if d.startswith("uvicorn")]
    major, minor, *_ = uvicorn.__version__.split(".")
    assert requirement == f"uvicorn>={major}.{minor},<{major}.{int(minor) + 1}"


def test_every_override_is_known() -> None:
    assert {name for _, name in OVERRIDES} == {
        "connection_made", "data_received", "receive", "handle_ping", "handle_pong", "handle_cont", "run_asgi",
    }  # fmt: skip
    for kind, names in ADDED.items():
        own = {name for name, member in vars(kind).items() if inspect.isfunction(member)}
        assert own - {name for _, name in OVERRIDES} - {"__init__"} == names
        assert not [name for name in names if hasattr(BASES[kind], name)]


@pytest.mark.parametrize(("kind", "name"), OVERRIDES, ids=lambda value: getattr(value, "__name__", value))
def test_an_override_has_the_originals_parameters(kind: type[Any], name: str) -> None:
    ours, theirs = getattr(kind, name), getattr(BASES[kind], name)
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)
    assert inspect.iscoroutinefunction(ours) == inspect.iscoroutinefunction(theirs)


@pytest.mark.parametrize("name", SOURCES)
def test_uvicorns_flow_control_is_unchanged(name: str) -> None:
    assert digest(getattr(WebSocketsSansIOProtocol, name)) == SOURCES[name], (
        f"uvicorn changed {name}: review server/flood_protection.py"
    )


def test_the_attributes_exist_before_a_connection() -> None:
    async def none(scope: Any, receive: Any, send: Any) -> None: ...

    async def made() -> tuple[Any, Any]:
        config = uvicorn.Config(none, http=TimedConnection, ws=ThrottledSocket)
        config.load()
        return TimedConnection(config, ServerState(), {}), ThrottledSocket(config, ServerState(), {})

    http, socket = asyncio.run(made())
    assert (http.cycle, http.transport) == (None, None)
    assert isinstance(http.loop, asyncio.AbstractEventLoop)
    assert http.ws_protocol_class is ThrottledSocket
    assert (socket.handshake_initiated, socket.read_paused, socket.close_sent) == (False, False, False)
    assert isinstance(socket.queue, asyncio.Queue)
    assert isinstance(socket.loop, asyncio.AbstractEventLoop)
    assert socket.transport is None
    fresh = vars(WebSocketsSansIOProtocol(socket.config, ServerState(), {}, socket.loop))
    assert not {"_rest", "_late", "_parts"} & set(fresh)


def test_a_served_connection_goes_through_every_override(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()

    def counting(kind: type[Any], name: str) -> None:
        original = getattr(kind, name)

        def call(self: Any, *args: Any) -> Any:
            calls[name] += 1
            return original(self, *args)

        monkeypatch.setattr(kind, name, call)

    for kind, name in OVERRIDES:
        counting(kind, name)
    with running() as house, at_a_table(house, "counted") as line:
        line.client.send_ping(b"p")
        line.client.send_pong(b"q")
        line.client.send_text(FOLD[:9], fin=False)
        line.client.send_continuation(FOLD[9:], fin=True)
        line.flush()
        received = b""
        line.raw.settimeout(20)
        while b'"key":"k"' not in received:
            received += line.raw.recv(1 << 16)
        assert b"\x8a\x01p" in received, "the ping is answered"
    assert {name for _, name in OVERRIDES} == set(calls)
    assert (calls["handle_ping"], calls["handle_pong"], calls["handle_cont"]) == (1, 1, 1)
