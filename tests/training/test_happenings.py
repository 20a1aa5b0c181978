"""Every irregularity of every rulebook can happen at a training table, be reported, and be ruled by the document."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from houseway.engine import events as e
from houseway.engine.evolve import fold
from houseway.engine.irregularities import REPORTS
from houseway.engine.state import total
from houseway.rules.loader import load, rulebook_ids
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.happenings import possible_happenings
from houseway.training.judge import judge
from houseway.training.model_dealer import right_act
from houseway.training.perform import happen
from houseway.training.scenarios.rows import all_happenings
from random_play.chance import modes_of
from training.sessions import Session

ROUNDS = 60


class Trouble:
    """A session in which something goes wrong once in a round, each kind in turn."""

    def __init__(self, rulebook: str, mode: str) -> None:
        self.at = Session(rulebook, mode, 3, given=plain_terms(rulebook, mode), seats=3)
        self.rng = Random(f"trouble {rulebook} {mode}")
        self.happened: Counter[str] = Counter()
        self.reported: dict[str, set[str | None]] = {}
        self.ready = True

    def choose(self, at: Session) -> a.ChairAct | None:
        """Let something go wrong now and then; the dealer reports it."""
        if at.chair.open or not self.ready or self.rng.random() < 0.85:
            return None
        possible = list(possible_happenings(at.table, at.chair))
        self.rng.shuffle(possible)
        possible.sort(key=lambda one: self.happened[one.kind])
        for happening in possible[:3]:
            cards = at.shoe.next(["deck"]) if happening.command is not None else ()
            chair = happen(at.table, at.chair, happening, at.time, cards)
            if chair is not None:
                at.chair = chair
                at.log.append(chair.entries[-1])
                at.shoe.take(chair.entries[-1].cards)
                self.happened[happening.kind] += 1
                self.ready = False
                return None
        return None

    def play(self) -> None:
        """Play a round, and check its consequences."""
        self.ready = True
        entries = self.at.play_round(self.choose)
        judged = judge(self.at.table, self.at.chair)
        assert judged.slips == ()
        for entry in entries:
            if entry.handled is not None:
                assert entry.changes[0].origin == ch.CURE
                clauses = {change.event.clause for change in entry.changes}
                self.reported.setdefault(entry.handled.kind, set()).update(clauses)


def plain_terms(rulebook: str, mode: str) -> dict[str, Any]:
    """The terms of a table without choices of the house."""
    book = load(rulebook)
    limits = {}
    if book.bet_limit is not None and book.bet_limit.maxima is not None:
        limits = {
            name: {"min": "1", "max": "100"} for name in book.wagers if book.wagers[name].equals is None
        }
        limits = {n: pair for n, pair in limits.items() if n not in ("play", "envy")}
    house = {"device_counts": True} if mode == "device" and "device_counts" in book.house else {}
    return {"mode": mode, "house": house, **({"limits": limits} if limits else {})}


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_irregularity_happens_and_is_ruled_by_its_clause(rulebook: str) -> None:
    book = load(rulebook)
    kinds = {row.kind for row in book.procedure.irregularities if row.kind in REPORTS}
    reported: dict[str, set[str | None]] = {}
    for mode in modes_of(rulebook):
        trouble = Trouble(rulebook, mode)
        for _ in range(ROUNDS):
            trouble.play()
        at = trouble.at
        assert fold((x.event for entry in at.log for x in entry.changes), at.start) == at.state
        assert total(at.state) == total(at.start)
        for kind, clauses in trouble.reported.items():
            reported.setdefault(kind, set()).update(clauses)
    assert set(reported) == kinds
    for kind in kinds:
        rows = [row for row in book.procedure.irregularities if row.kind == kind]
        modes = modes_of(rulebook)
        cited = {row.basis.clause(mode) for row in rows for mode in modes}
        cited |= {rule.clause(mode) for row in rows for rule in row.rules.values() for mode in modes}
        assert reported[kind] & cited, kind


@pytest.mark.parametrize("kind", ["exposed card", "face-up card"])
@pytest.mark.parametrize("place", ["", "deck"])
def test_the_top_card_that_flips_over_is_a_face_up_card_in_the_deck(kind: str, place: str) -> None:
    """MA-14.b-a: a card that is face up in the deck is set aside. A dealer may call it either name."""
    at = Session("uth-ma", "manual", 3, given=plain_terms("uth-ma", "manual"), seats=2)
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.DealCards))
    assert at.happen(ch.Happening(kind="exposed card", at="deck"))
    (opened,) = at.chair.open
    assert (opened.kind, opened.clause) == ("face-up card", "MA-14.b-a")
    entry = at.act(a.ReportIrregularity(kind=kind, at=place))
    assert entry.slips == ()
    assert entry.handled == opened
    assert [type(x.event) for x in entry.changes] == [e.FaceUpFound]
    assert at.chair.open == ()


@pytest.mark.parametrize("rulebook", ["uth-ma", "uth-sd", "uth-proc"])
def test_the_machine_fails_only_while_cards_are_to_come(rulebook: str) -> None:
    """After the last card, a failure of the machine would change nothing that the dealer does."""
    at = Session(rulebook, "device", 3, given=plain_terms(rulebook, "device"), seats=2)

    def fails(at: Session) -> bool:
        return any(one.kind == "machine failure" for one in all_happenings(at.table, at.chair))

    at.play_to(lambda at: bool(at.state.round.served))
    assert fails(at)
    at.play_to(lambda at: at.state.round.revealed)
    assert not fails(at)
