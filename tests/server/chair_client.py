"""A server with a clock that the test sets, and people who deal in the training chair over the API."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine.turn_order import turns
from houseway.live.offload import DIRECT, run_now
from houseway.live.record_files import keep
from houseway.server.app import application
from houseway.server.certificate_desk import CertificateDesk
from houseway.server.exam_library import ExamLibrary
from houseway.server.house import HouseServer
from houseway.training import acts as a
from houseway.training.act_codec import encode_act
from houseway.training.hosted_session import HostedSession
from houseway.training.model_dealer import right_act
from houseway.training.ruling_form import reported_irregularity, right_ruling
from houseway.training.session import TrainingSession
from server.calling import http
from server.fuzz_target import WITHOUT_LIMITS
from server.hosted_rounds import ManualClock
from server.houses import NoSolver
from training.document_trainee import DocumentTrainee

Data = dict[str, Any]
START = 1_800_000_000.0


class ChairHouse:
    """A server in this process. Every request takes `pace` seconds of its clock."""

    def __init__(
        self,
        where: Any = None,
        pace: float = 1.0,
        now: float = START,
        secret: str = "",
        certificate_key: Path | None = None,
        certificate_name: str = "",
        exam_library: ExamLibrary | None = None,
    ) -> None:
        """With `secret`, the seeds of exams depend only on it."""
        store, signer = keep(where)
        self.now = now
        desk = None
        if certificate_key is not None:
            desk = CertificateDesk(certificate_key, certificate_name, lambda: self.now)
        self.pace = pace
        self.serving = HouseServer(
            store,
            signer,
            limits=WITHOUT_LIMITS,
            clock=ManualClock(),
            wall_clock=self._clock,
            offload=DIRECT,
            certificates=desk,
            exam_library=exam_library,
        )
        self.serving.solver = NoSolver()
        if secret:
            self.serving.training._secret = lambda purpose: secret
        self.app = application(self.serving)
        run_now(self.serving.open())
        self.tokens: dict[str, str] = {}
        self.replies: list[tuple[str, str, int, bytes]] = []
        """Every reply: method, path, status and body."""

    def _clock(self) -> str:
        text = datetime.fromtimestamp(self.now, UTC).isoformat(timespec="milliseconds")
        return text.replace("+00:00", "Z")

    def person(self, handle: str) -> str:
        """Introduce a person."""
        introduced = run_now(self.serving.people.introduce(handle))
        assert isinstance(introduced, tuple), introduced
        self.tokens[handle] = introduced[1]
        return handle

    def call(self, who: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Send a request, and return its status and its body."""
        self.now += self.pace
        text = body if isinstance(body, bytes) else b"" if body is None else msgspec.json.encode(body)
        token = self.tokens.get(who, "")
        address, _, query = path.partition("?")
        reply = asyncio.run(http(self.app, method, address, query=query, token=token, body=text))
        self.replies.append((method, path, reply.status, reply.body))
        if reply.headers["content-type"] != "application/json":
            return reply.status, reply.body
        return reply.status, msgspec.json.decode(reply.body)

    def hosted(self, session: str) -> HostedSession:
        """Return a session in the server's memory."""
        return self.serving.training._rooms[session].hosted

    def close(self) -> None:
        """Close the server."""
        run_now(self.serving.close())


class ChairClient:
    """A person in the dealer's chair, over the API."""

    def __init__(self, house: ChairHouse, who: str, **request: Any) -> None:
        self.house, self.who = house, who
        self.keys = 0
        status, view = house.call(who, "POST", "/api/training", {"rulebook": "uth-ma", **request})
        assert status == 201, view
        self.view: Data = view
        self.session: str = view["session"]

    @property
    def path(self) -> str:
        return f"/api/training/{self.session}"

    @property
    def hosted(self) -> HostedSession:
        return self.house.hosted(self.session)

    @property
    def training(self) -> TrainingSession:
        return self.hosted.session

    def get(self, part: str = "") -> tuple[int, Any]:
        return self.house.call(self.who, "GET", f"{self.path}{part}")

    def post(self, part: str, body: Any = None) -> tuple[int, Any]:
        return self.house.call(self.who, "POST", f"{self.path}{part}", body)

    def key(self) -> str:
        self.keys += 1
        return f"key {self.keys}"

    def act(self, act: a.ChairAct) -> tuple[int, Any]:
        """Send an act, and keep the view of the answer."""
        body = {"key": self.key(), "act": msgspec.json.decode(encode_act(act))}
        status, answer = self.post("/acts", body)
        if status == 200:
            self.view = answer["view"]
        return status, answer

    def right(self) -> a.ChairAct | None:
        """Return the act that the document asks for now."""
        return right_act(self.training.table, self.training.chair)

    def follow(self, until: Any = None, most: int = 400) -> None:
        """Do what the document asks for, until an act of this type is due or the session is over."""
        for _ in range(most):
            if self.view["progress"] != "open":
                return
            act = self.right()
            assert act is not None
            if until is not None and isinstance(act, until):
                return
            if isinstance(act, a.ReportIrregularity) and self.hosted.run is not None:
                act = replace(act, ruling=self.right_answers(act))
            status, answer = self.act(act)
            assert status == 200, answer
        raise AssertionError("the session did not end")

    def right_answers(self, act: a.ReportIrregularity) -> dict[str, str]:
        """Return the rulebook's ruling on the irregularity that an act reports."""
        table, chair = self.training.table, self.training.chair
        named = reported_irregularity(chair, act.kind, act.at, 0)
        right = right_ruling(table, chair.state, named) if named is not None else None
        return {name: one.answer for name, one in right.answers.items()} if right is not None else {}


class _ServerShoe:
    """The next cards of the server's shoe, for a dealer who copies an automatic one."""

    def __init__(self, session: TrainingSession) -> None:
        self._session = session

    def next(self, places: list[str]) -> tuple[Card, ...]:
        return self._session._shoe.peek(len(places))

    def take(self, cards: tuple[Card, ...]) -> None:
        """The server takes them when the act arrives."""


class ApiTrainee(DocumentTrainee):
    """Deals over the API as an automatic dealer does at another table. It never looks at what is due."""

    def __init__(self, client: ChairClient, seed: int = 0) -> None:
        session = client.training
        self.client = client
        self.book, self.table = session.table.book, session.table
        self.rng = Random(f"{self.book.id} {seed}")
        self.shoe: Any = _ServerShoe(session)
        self.mirror = replace(session.state, dealer="machine")
        self.planned = []
        self._copied = 0

    def play(self) -> None:
        """Deal until the session is over."""
        for _ in range(2000):
            if self.client.view["progress"] != "open":
                return
            self._next()
        raise AssertionError("the session did not end")

    def _next(self) -> None:
        if self.planned:
            self._send(self.planned.pop(0)[0])
        elif self.mirror.round.asked is not None:
            self._mirror(c.Approve(by="floor supervisor", name="Flo" if self.table.names_persons else ""))
            self._send(a.CallFloor())
        elif waiting := turns(self.table, self.mirror):
            self._send(a.Ask(seat=self.rng.choice(waiting)))
        else:
            self._copy()

    def _send(self, act: a.ChairAct) -> None:
        if isinstance(act, a.Pay):
            act = replace(act, chips={int(value): count for value, count in act.chips.items()})
        status, answer = self.client.act(act)
        assert status == 200, (act, answer)
        inputs = self.client.training.inputs
        for one in inputs[self._copied :]:
            if isinstance(one.input, c.Command):
                self._mirror(one.input)
        self._copied = len(inputs)
