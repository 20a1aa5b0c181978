"""A server in this process for tests of progress and classes, without tables and without a network."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from houseway.client import messages as m
from houseway.live.offload import DIRECT, run_now
from houseway.live.record_files import keep
from houseway.server.app import application
from houseway.server.house import HouseServer
from server.calling import Reply, http
from server.fuzz_target import WITHOUT_LIMITS
from server.hosted_rounds import ManualClock
from server.houses import NoSolver


class ClassHouse:
    """A server with these people."""

    def __init__(self, *handles: str, where: Path | None = None, **options: Any) -> None:
        store, signer = keep(where)
        self.serving = HouseServer(
            store, signer, limits=WITHOUT_LIMITS, clock=ManualClock(), offload=DIRECT, **options
        )
        self.serving.solver = NoSolver()
        self.app = application(self.serving)
        run_now(self.serving.open())
        self.tokens: dict[str, str] = {}
        for handle in handles:
            self.introduce(handle)

    def introduce(self, handle: str) -> m.Person:
        introduced = run_now(self.serving.people.introduce(handle))
        assert isinstance(introduced, tuple), introduced
        self.tokens[handle] = introduced[1]
        return introduced[0]

    def append(self, handle: str, kind: str, body: dict[str, Any]) -> int:
        return run_now(self.serving.progress.append(handle, kind, body))

    def send(self, method: str, path: str, handle: str = "", body: Any = None) -> Reply:
        """Send a request as a person, or without a session."""
        text = b"" if body is None else json.dumps(body).encode()
        where, _, query = path.partition("?")
        token = self.tokens.get(handle, "")
        return asyncio.run(http(self.app, method, where, query=query, token=token, body=text))

    def get(self, path: str, handle: str = "") -> Any:
        reply = self.send("GET", path, handle)
        assert reply.status == 200, reply.body
        return json.loads(reply.body)

    def post(self, path: str, handle: str = "", body: Any = None) -> Any:
        reply = self.send("POST", path, handle, {} if body is None else body)
        assert reply.status in (200, 201), reply.body
        return json.loads(reply.body)

    def refusal(self, method: str, path: str, handle: str = "", body: Any = None) -> tuple[int, str]:
        """Return the status and the code of a refused request."""
        reply = self.send(method, path, handle, body)
        return reply.status, json.loads(reply.body)["refused"][0]["code"]

    def close(self) -> None:
        run_now(self.serving.close())
