"""The routes of the dealer's training chair. Every session belongs to the person who opened it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from houseway.audit.handles import folded
from houseway.certificates.keys import KeyList
from houseway.certificates.revocation import SignedList, StatusList
from houseway.client import training_messages as t
from houseway.errors import InputError
from houseway.server.certificate_desk import CertificateDesk, no_key, unusable_key
from houseway.server.house import HouseServer
from houseway.server.origins import address_of
from houseway.server.routes import JSON, JSON_LINES, _body, _limit, _number, _person, route
from houseway.server.rulebook_library import refused
from houseway.server.training_plans import house_rule_topics
from houseway.server.training_views import ExamSheet, round_review, score_view
from houseway.training.hosted_session import HostedSession

TEXT: Final = "text/plain"
"""The media type of a credential in the form of a JSON Web Token, as Open Badges 3.0 asks for it."""


async def _mine(house: HouseServer, request: Request) -> tuple[str, str]:
    """Return the person's handle and the name of the session in the path, and count the request."""
    person = await _person(house, request)
    _limit(house.commands, person.handle, "training")
    return person.handle, request.path_params.get("session", "")


@route("POST", "/api/training", takes=t.TrainingRequest, gives=t.ChairView, status=201, session=True)
async def open_training(house: HouseServer, request: Request) -> Any:
    """Open a training session: you deal to bots."""
    person = await _person(house, request)
    _limit(house.openings, address_of(request), "training")
    body = await _body(request, t.TrainingRequest)
    if not body.class_id:
        return await house.training.open(person.handle, body)
    examiner, exam = await house.classes.exam_to_take(person, body.class_id)
    if body.mode not in ("", exam.mode):
        sentence = f"the class sets the deal mode to {exam.mode}; leave out mode"
        raise refused(400, "set-by-exam", "mode", sentence)
    body = replace(body, exam=exam.exam, rulebook=exam.rulebook, mode=exam.mode)
    return await house.training.open(person.handle, body, examiner)


@route("GET", "/api/training", gives=t.TrainingCards, session=True)
async def training_sessions(house: HouseServer, request: Request) -> Any:
    """List your training sessions, newest first."""
    handle, _ = await _mine(house, request)
    return await house.training.mine(handle)


@route("GET", "/api/training/{session}", gives=t.ChairView, session=True)
async def training_view(house: HouseServer, request: Request) -> Any:
    """Get a training session as the dealer sees it."""
    return await house.training.view(*await _mine(house, request))


@route("DELETE", "/api/training/{session}", gives=t.ChairView, session=True)
async def end_training(house: HouseServer, request: Request) -> Any:
    """End a training session. If rounds are left, it is recorded as aborted."""
    return await house.training.end(*await _mine(house, request))


@route("POST", "/api/training/{session}/acts", takes=t.ActRequest, gives=t.ActAnswer, session=True)
async def training_act(house: HouseServer, request: Request) -> Any:
    """Act in the dealer's chair. In the live way, a wrong act is refused with its clause."""
    handle, session = await _mine(house, request)
    return await house.training.act(handle, session, await _body(request, t.ActRequest))


@route("POST", "/api/training/{session}/tick", gives=t.ActAnswer, session=True)
async def training_tick(house: HouseServer, request: Request) -> Any:
    """Apply everything that has become due without an act of the trainee, such as a player's decision."""
    return await house.training.tick(*await _mine(house, request))


@route("POST", "/api/training/{session}/rulings", takes=t.RulingRequest, gives=t.RulingAnswer, session=True)
async def training_ruling(house: HouseServer, request: Request) -> Any:
    """Report an irregularity, which stops play, and rule on it."""
    handle, session = await _mine(house, request)
    return await house.training.rule(handle, session, await _body(request, t.RulingRequest))


@route("GET", "/api/training/{session}/rounds/{round}", gives=t.RoundReview, session=True)
async def training_round(house: HouseServer, request: Request) -> Any:
    """Get the judgement of a closed round, and the felt after each input."""
    handle, session = await _mine(house, request)
    return await house.training.read(handle, session, partial(_review, _number(request, "round") or 0))


def _review(number: int, room: HostedSession) -> t.RoundReview:
    if not 1 <= number <= len(room.session.judgements):
        raise refused(404, "no-round", "round", f"round {number} is not closed; deal it first")
    return round_review(room, number)


@route("GET", "/api/training/{session}/score", gives=t.ScoreView, session=True)
async def training_score(house: HouseServer, request: Request) -> Any:
    """Get the score of the closed rounds."""
    return await house.training.read(*await _mine(house, request), score_view)


@route("GET", "/api/training/{session}/result", gives=ExamSheet, session=True)
async def training_result(house: HouseServer, request: Request) -> Any:
    """Get the result of an exam that is over."""
    return await house.training.result(*await _mine(house, request))


@route("GET", "/api/training/{session}/certificate", session=True, query={"trainee": str}, media=TEXT)
async def training_certificate(house: HouseServer, request: Request) -> Any:
    """Download the certificate of an exam that you, or the named trainee of your class, passed."""
    handle, session = await _mine(house, request)
    trainee = request.query_params.get("trainee", "")
    if trainee and folded(trainee) != folded(handle):
        text = await house.classes.certificate(await _person(house, request), trainee, session)
    else:
        text = await house.training.certificate(handle, session)
    headers = {"content-disposition": f'attachment; filename="certificate-{session}.jwt"'}
    return Response(text, headers=headers, media_type=TEXT)


@route("GET", "/api/certificates/keys", gives=KeyList)
async def certificate_keys(house: HouseServer, request: Request) -> Any:
    """Get the public keys that check the certificates of this house."""
    return await _public(house, CertificateDesk.public_keys)


@route("GET", "/api/certificates/revoked", gives=SignedList)
async def revoked_certificates(house: HouseServer, request: Request) -> Any:
    """Get the signed list of the certificates that this house has revoked."""
    return await _public(house, CertificateDesk.revocations)


@route("GET", "/api/certificates/status", gives=StatusList)
async def certificate_status(house: HouseServer, request: Request) -> Any:
    """Get the revoked certificates for verifiers of Open Badges 3.0, without a signature."""
    return await _public(house, CertificateDesk.status)


async def _public(house: HouseServer, read: Callable[[CertificateDesk], bytes]) -> Response:
    """Return a public file of the certificate key."""
    if house.certificates is None:
        raise no_key()
    try:
        data = await asyncio.to_thread(read, house.certificates)
    except InputError as error:
        raise unusable_key() from error
    return Response(data, media_type=JSON)


@route("GET", "/api/exams", gives=t.ExamCards)
async def exams(house: HouseServer, request: Request) -> Any:
    """List the exams and the scenarios of the training chair."""
    return house.exam_library.cards()


@route(
    "GET", "/api/exams/house-rules", gives=t.HouseRules, query={"rulebook": str, "mode": str, "exam": str}
)
async def exam_house_rules(house: HouseServer, request: Request) -> Any:
    """List the house rules of a rulebook's table: what a trainee must know besides the document. If an exam
    is named, the list has those of all its tables."""
    asked = request.query_params
    rulebook, mode, exam = (asked.get(name, "") for name in ("rulebook", "mode", "exam"))
    return house_rule_topics(t.TrainingRequest(rulebook=rulebook, mode=mode, exam=exam), house.exam_library)


@route("GET", "/api/training/{session}/record", session=True, media=JSON_LINES)
async def training_record(house: HouseServer, request: Request) -> Any:
    """Download the record of a session that is over; `houseway train --replay` reads it."""
    handle, session = await _mine(house, request)
    data = await house.training.read(handle, session, _record)
    headers = {"content-disposition": 'attachment; filename="training.jsonl"'}
    return Response(data, headers=headers, media_type=JSON_LINES)


def _record(room: HostedSession) -> bytes:
    if room.progress == "open":
        sentence = "the record has hidden cards, so you can read it once the session is over"
        raise refused(409, "session-open", "session", sentence)
    return room.record
