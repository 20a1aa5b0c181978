"""Random inputs of a session on a server: right, wrong, early and impossible acts, reports with rulings,
corrections, challenges and waiting. No input raises. Every act is done, slips, or is refused with a sentence."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from houseway.cards import DECK, cards
from houseway.cli.scenario_file import read_scenario
from houseway.client.training_messages import IrregularityReport, Way
from houseway.engine import commands as c
from houseway.engine.finished_round import FinishedRound, PlayerHand
from houseway.engine.hand_facts import SettledHand, TableFacts
from houseway.engine.irregularities import missing_cards
from houseway.engine.state import total
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.live.default_terms import card_backs
from houseway.rules.fact_groups.own_hand import FIRST_FIVE
from houseway.rules.loader import load, rulebook_ids
from houseway.server.training_views import chair_view
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.act_checks import act_problem
from houseway.training.act_codec import encode_act
from houseway.training.act_list import reportable_kinds, step_names
from houseway.training.chair import Chair
from houseway.training.due_acts import ahead
from houseway.training.hosted_session import (
    ActInput,
    HostedSession,
    ReportInput,
    RulingInput,
    SessionStart,
    TickInput,
)
from houseway.training.impossible_acts import impossible
from houseway.training.model_dealer import right_act
from houseway.training.perform import receive
from houseway.training.session import SessionPlan, TrainingSession
from houseway.training.session_file import read_session, replay_session
from random_play.chance import modes_of, random_terms
from samples import LONG
from training.sessions import Session
from training.test_happenings import plain_terms

PLACES = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]
SESSIONS = 60 if LONG else 4
INPUTS = 130
"""Inputs of a session: 8 rulebooks and modes, 4 sessions each, about 4,000 inputs."""
SHARES = (0.1, 0.3, 0.6, 1.0)
"""The share of acts that are not the right one."""


def any_act(at: TrainingSession, rng: Random) -> a.ChairAct:
    """Return any act, with any values; not every one passes the checks of the server."""
    table, seats = at.table, at.plan.seats
    seat, hand = rng.randint(1, min(table.seats, seats + 1)), rng.choice((1, 1, 1, 2))
    place = rng.choice([f"seat {seat}", "dealer", "board"])
    wager, hands = rng.choice(list(table.book.wagers)), table.terms.order
    of = (rng.randint(1, seats), 1) if rng.random() < 0.1 else (0, 0)
    on: dict[str, Any] = {"seat": seat, "wager": wager, "hand": hand}
    with_tip = {**on, "tip": rng.random() < 0.1, "of": of}
    things: list[a.ChairAct] = [
        a.DealCards(place=place, count=rng.randint(1, 5)),
        a.Burn(count=rng.randint(1, 3)),
        a.TurnUp(place=place, hand=hand, count=rng.randint(0, 5)),
        a.Ask(seat=seat),
        a.TakeFold(seat=seat),
        a.ReadHand(
            place=place,
            hand=hand,
            reads=rng.choice(hands),
            result=rng.choice(["", "win", "lose", "tie"]),
            qualifies=rng.choice([None, True, False]),
        ),
        a.Take(**with_tip),
        a.Push(**with_tip),
        a.Pay(**with_tip, chips={500: rng.randint(1, 5)}),
        a.SetHand(cards=tuple(rng.choices(at.state.round.dealer or DECK, k=2))),
        a.ResetDealer(),
        a.Key(seat=seat, hand=rng.choice(hands)),
        a.CountStub(count=rng.randint(0, 52)),
        a.Rack(what=rng.choice([place, f"seat {seat} discards", f"seat {seat} hand 2"])),
        a.CallFloor(),
        a.ReportIrregularity(
            kind=rng.choice(reportable_kinds(table)),
            at=rng.choice([place, "", "deck"]),
            which=rng.choice([0, 0, 1, 2, 5]),
            count=rng.choice([None, None, 1, 40]),
            device=rng.choice(["", "spare"]),
        ),
        a.CorrectPayment(**on, amount=rng.choice([None, 0, 500])),
        a.CorrectPayment(seat=seat, wager="chips"),
        a.ColourUp(seat=seat, taken={500: rng.randint(1, 3)}, given={500: rng.randint(1, 3)}),
        a.Refuse(seat=seat, what=rng.choice(a.REFUSED)),
        a.Warn(seat=seat),
        a.LetStand(**on),
        a.TakeStep(what=rng.choice(list(step_names(table))), count=rng.choice([None, None, 20, 60])),
    ]
    return rng.choice(things)


def next_act(at: TrainingSession, rng: Random, share: float) -> a.ChairAct | None:
    """Return the right act, a report of what is wrong, an act that is due later, or any act."""
    right = right_act(at.table, at.chair)
    if rng.random() >= share:
        return right
    kind = rng.random()
    if at.chair.open and kind < 0.2:
        one = rng.choice(at.chair.open)
        return a.ReportIrregularity(kind=one.kind, at=one.at, which=one.which, count=one.count)
    if kind < 0.5:
        groups = ahead(at.table, at.state, at.chair.queue, at.chair.missing)
        later = [one.act for group in groups for one in group] + [one.due.act for one in at.chair.passed]
        return rng.choice(later[:8]) if later else None
    if kind < 0.6 and isinstance(right, a.DealCards | a.TurnUp):
        return msgspec.structs.replace(right, count=rng.randint(1, 3))
    return any_act(at, rng)


class Fuzz:
    """A hosted session with random inputs."""

    def __init__(self, rulebook: str, mode: str, seed: int, way: Way) -> None:
        self.rng = rng = Random(f"{rulebook} {mode} {seed} {way}")
        book = load(rulebook)
        given = random_terms(rng, book, mode)
        terms, _ = read_terms(book, given)
        names = ("quiet", "busy", "every-irregularity", "practice")
        plan = SessionPlan(
            rulebook=rulebook,
            hash=book.hash,
            terms=given,
            seats=min(rng.choice((1, 3, 6)), Table(terms).seats),
            rounds=100,
            seed=str(seed),
            backs=card_backs(terms),
            scenario=read_scenario(rng.choice(names)),
        )
        self.room = HostedSession(
            SessionStart(session="s", at="", plan=plan, way=way, rulings=True), book, ""
        )
        self.money = total(self.room.session.state)
        self.seen: Counter[str] = Counter()
        self.time = 0

    def step(self, share: float) -> None:
        """Send one input, and check that the table is whole after it."""
        at, rng = self.room.session, self.rng
        self.time += rng.choice((500, 2_000, 15_000))
        act = next_act(at, rng, share)
        if act is None:
            self.room.apply(TickInput(time=self.time))
        elif problem := act_problem(at.table, act):
            self.note("refused", problem)
        elif reason := impossible(at.table, at.chair, act):
            assert reason.endswith(".")
            self.note("impossible", reason)
        elif isinstance(act, a.ReportIrregularity):
            self.rule(act)
        else:
            self.send(act)
        if at.state.round.revealed and rng.random() < 0.05:
            after = receive(at.table, at.chair, c.Challenge(seat=rng.randint(1, at.plan.seats)), self.time)
            if isinstance(after, Chair):
                at._advance(after)
                self.note("challenge", "a player challenges the dealer's hand")
        if rng.random() < 0.1:
            chair_view(self.room, self.time)
            at.speechless()
        assert total(at.state) == self.money

    def note(self, kind: str, sentence: str) -> None:
        assert len(sentence) > 3
        self.seen[kind] += 1

    def send(self, act: a.ChairAct) -> None:
        before = len(self.room.session.inputs)
        result = self.room.apply(ActInput(time=self.time, act=msgspec.json.decode(encode_act(act))))
        if result.refusal is not None:
            self.note("refused live", result.refusal.message)
        else:
            assert len(self.room.session.inputs) > before
            self.seen["done"] += 1

    def rule(self, act: a.ReportIrregularity) -> None:
        report = IrregularityReport(
            kind=act.kind, at=act.at, which=act.which, count=act.count, device=act.device
        )
        self.room.apply(ReportInput(time=self.time, report=report))
        assert self.room.form is not None
        answers = {one.question: self.rng.choice(one.answers) for one in self.room.form.questions}
        self.room.apply(RulingInput(time=self.time + 500, answers=answers))
        assert self.room.form is None
        self.seen["ruled"] += 1


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_no_sequence_of_inputs_raises(rulebook: str, mode: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(SESSIONS):
        way: Way = "live" if number % 4 == 3 else "training"
        fuzz = Fuzz(rulebook, mode, number, way)
        for _ in range(INPUTS):
            fuzz.step(SHARES[number % len(SHARES)] if way == "training" else 0.4)
        seen.update(fuzz.seen)
        # The record gives the same table and the same judgements.
        again = replay_session(*read_session(fuzz.room.record))
        if not fuzz.seen["challenge"]:
            assert again.chair == fuzz.room.session.chair
            assert again.judgements == fuzz.room.session.judgements
    assert min(seen[kind] for kind in ("done", "impossible", "refused live", "ruled")) > 0


def test_a_deal_in_the_wrong_order_ends_with_its_last_card() -> None:
    """Seat 3 gets a card first, then seats 2 and 1. The deal must be over after that, not stuck."""
    at = Session("uth-sd", "manual", 1, given=plain_terms("uth-sd", "manual"), seats=3)
    at.play_to(lambda s: right_act(s.table, s.chair) == a.DealCards(place="seat 1"))
    for seat in (3, 2, 1):
        at.act(a.DealCards(place=f"seat {seat}"))
    assert right_act(at.table, at.chair) == a.DealCards(place="dealer")
    at.play_round()
    assert [slip.kind for slip in at.slips()] == ["out of order"]


def test_a_board_that_is_half_dealt_cannot_be_dealt_short() -> None:
    """The board is served, and three of its cards are still to come."""
    at = Session("uth-sd", "device", 1, given=plain_terms("uth-sd", "device"), seats=2)
    at.play_to(lambda s: right_act(s.table, s.chair) == a.DealCards(place="board", count=5))
    short = c.DealShort(cards=())
    assert missing_cards(at.table, at.state, short) == 4
    at.act(a.DealCards(place="board", count=2))
    assert len(at.state.round.board) == 2
    assert missing_cards(at.table, at.state, short) == 0


def test_players_are_not_asked_about_a_flop_that_is_not_on_the_board() -> None:
    """After a premature flop, its cards are off the deck. The flop must still be dealt before the next
    decisions: without it, no hand could be evaluated."""
    at = Session("uth-sd", "manual", 1, given=plain_terms("uth-sd", "manual"), seats=2)
    at.moves = {(seat, "ask before the flop"): "check" for seat in (1, 2)}
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Ask))
    at.act(a.DealCards(place="board", count=3))
    at.act(a.ReportIrregularity(kind="premature flop"))
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Burn))
    assert not any(seat.hands[0].locked for seat in at.state.seats.values())
    entry = at.act(a.Ask(seat=1))
    assert [slip.kind for slip in entry.slips] == ["not due"]
    assert right_act(at.table, at.chair) == a.Burn()
    at.play_round()
    assert len(at.state.round.board) == 5


def test_a_report_leaves_the_rest_of_the_board_of_a_void_round() -> None:
    """The round is void, but trips is settled, so the board is completed. A report comes between two cards."""
    at = Session("uth-card", "manual", 1, given=plain_terms("uth-card", "manual"), seats=2)
    at.bets = {1: {"ante": 1000, "blind": 1000, "trips": 500}, 2: {"ante": 1000, "blind": 1000}}
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Ask))
    at.act(a.TurnUp(place="dealer"))
    at.act(a.ReportIrregularity(kind="exposed card", at="dealer", which=1))
    assert at.state.round.void == "trips"
    at.play_to(lambda s: right_act(s.table, s.chair) == a.DealCards(place="board", count=2))
    at.happen(ch.Happening(kind="face-up card", at="board", which=3))
    at.act(a.DealCards(place="board"))
    at.act(a.ReportIrregularity(kind="face-up card", at="board", which=3))
    assert right_act(at.table, at.chair) == a.DealCards(place="board", count=1)
    at.play_round()
    assert len(at.state.round.board) == 5


def test_a_royal_flush_on_a_short_board_is_no_royal_of_the_board() -> None:
    """In training, a missing community card may stay unnoticed. The hand can still be settled."""
    terms, _ = read_terms(load("uth-ma"), plain_terms("uth-ma", "manual"))
    board, own = cards("Ts Js Qs 2d"), cards("Ks As")
    facts = TableFacts(terms, FinishedRound(board, (), (PlayerHand(1, 1, "Ines", own, {}),), {}))
    hand = SettledHand(PlayerHand(1, 1, "Ines", own, {}), facts)
    assert hand.made == FIRST_FIVE
