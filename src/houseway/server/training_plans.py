"""The plan of a training session from a request."""

from __future__ import annotations

import secrets
from typing import Final

from houseway.client import training_messages as t
from houseway.engine.script import chip_values
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.live.default_terms import card_backs, offering
from houseway.server.rulebook_library import RefusedError, bundled, refused
from houseway.server.school import School, shipped_school
from houseway.training.chip_settings import chip_problem
from houseway.training.house_rules import HEADINGS, house_rules
from houseway.training.session import SessionPlan

MOST_ROUNDS: Final = 50
LONGEST_SEED: Final = 200


def session_plan(request: t.TrainingRequest, school: School | None = None) -> SessionPlan:
    """Return the plan of a session; raise RefusedError if the request has a mistake.

    `school` has the scenarios; by default those that come with the program.
    """
    if request.exam:
        _check_exam_request(request)
    book = bundled(request.rulebook)
    if request.mode and request.mode not in book.modes:
        sentence = f"the mode must be {' or '.join(book.modes)} for {book.id} (got {request.mode[:40]!r})"
        raise refused(400, "bad-mode", "mode", sentence)
    if not 1 <= request.rounds <= MOST_ROUNDS:
        sentence = f"the number of rounds must be 1 to {MOST_ROUNDS} (got {request.rounds})"
        raise refused(400, "bad-rounds", "rounds", sentence)
    if len(request.seed) > LONGEST_SEED or not request.seed.isprintable():
        sentence = f"the seed must be printable text of at most {LONGEST_SEED} characters"
        raise refused(400, "bad-seed", "seed", sentence)
    given = offering(book, request.mode, request.tables, request.limits, request.house)
    if request.house:
        given["house"] = request.house
    terms, problems = read_terms(book, given)
    if problems:
        raise RefusedError(400, *problems)
    wrong = chip_problem(chip_values(Table(terms)))
    if wrong:
        raise refused(400, "bad-setting", "house.chip_values", wrong)
    return SessionPlan(
        rulebook=book.id,
        hash=book.hash,
        terms=given,
        seats=request.seats,
        rounds=request.rounds,
        seed=request.seed or secrets.token_hex(8),
        backs=card_backs(terms),
        scenario=(school or shipped_school()).scenario(request.scenario),
        text=book.text,
    )


def house_rule_topics(request: t.TrainingRequest) -> t.HouseRules:
    """Return the house rules of the table that a request opens; raise RefusedError if it has a mistake."""
    plan = session_plan(request)
    terms, _ = read_terms(bundled(plan.rulebook), plan.terms)
    rules = house_rules(Table(terms))
    topics = [
        t.HouseRuleTopic(
            heading=heading,
            rules=tuple(
                t.HouseRuleLine(rule=one.rule, clause=one.clause) for one in rules if one.topic == topic
            ),
        )
        for topic, heading in HEADINGS.items()
    ]
    return t.HouseRules(topics=tuple(one for one in topics if one.rules))


def _check_exam_request(request: t.TrainingRequest) -> None:
    """Refuse an exam at a table of the trainee's choice."""
    usual = t.TrainingRequest(rulebook=request.rulebook)
    for name in ("tables", "limits", "house", "seats"):
        if getattr(request, name) != getattr(usual, name):
            sentence = f"an exam has the usual table; leave out {name}, or open a training session"
            raise refused(400, "set-by-exam", name, sentence)
