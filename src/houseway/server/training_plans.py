"""The plan of a training session from a request."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from houseway.client import training_messages as t
from houseway.engine.script import chip_values
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.live.default_terms import card_backs, offering
from houseway.live.exam_tables import exam_tables
from houseway.server.exam_library import ExamLibrary, shipped_exam_library
from houseway.server.rulebook_library import RefusedError, bundled, refused
from houseway.training.chip_settings import chip_problem
from houseway.training.house_rules import HEADINGS, HouseRule, house_rules
from houseway.training.session import SessionPlan

MOST_ROUNDS: Final = 50
LONGEST_SEED: Final = 200


def session_plan(request: t.TrainingRequest, library: ExamLibrary | None = None) -> SessionPlan:
    """Return the plan of a session; raise RefusedError if the request has a mistake.

    `library` has the scenarios; by default those that come with the program.
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
        scenario=(library or shipped_exam_library()).scenario(request.scenario),
        text=book.text,
    )


def house_rule_topics(request: t.TrainingRequest, library: ExamLibrary | None = None) -> t.HouseRules:
    """Return the house rules of the table that a request opens; raise RefusedError if it has a mistake.

    If the exam of the request has a second table, the rules that differ there follow.
    """
    library = library or shipped_exam_library()
    plan = session_plan(request, library)
    book = bundled(plan.rulebook)
    given, coming = plan.terms, None
    if request.exam:
        tables = exam_tables(library.exam(request.exam), book, request.mode)
        given, coming = tables.terms, tables.next_table
    rules = house_rules(Table(read_terms(book, given)[0]))
    topics = _topics(rules, "")
    if coming is not None:
        table = Table(read_terms(book, coming.terms)[0])
        differ = [rule for rule in house_rules(table) if rule not in rules]
        heading = f"At the second table ({table.mode} deal, after round {coming.after}): "
        topics = (*topics, *_topics(differ, heading))
    return t.HouseRules(topics=topics)


def _topics(rules: Sequence[HouseRule], before: str) -> tuple[t.HouseRuleTopic, ...]:
    """Return house rules by topic. `before` comes before each heading."""
    topics = []
    for topic, heading in HEADINGS.items():
        lines = tuple(
            t.HouseRuleLine(rule=one.rule, clause=one.clause) for one in rules if one.topic == topic
        )
        topics += [t.HouseRuleTopic(heading=f"{before}{heading}", rules=lines)] if lines else []
    return tuple(topics)


def _check_exam_request(request: t.TrainingRequest) -> None:
    """Refuse an exam at a table of the trainee's choice."""
    usual = t.TrainingRequest(rulebook=request.rulebook)
    for name in ("tables", "limits", "house", "seats"):
        if getattr(request, name) != getattr(usual, name):
            sentence = (
                f"an exam always uses the rulebook's standard table, so you cannot choose {name}; "
                "leave it out, or open a training session"
            )
            raise refused(400, "set-by-exam", name, sentence)
