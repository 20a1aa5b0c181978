"""The conformance rounds dealt at a table: each is settled or refused as the corpus expects.

Each round of the corpus, and each worked round of a rulebook, is played card by card, at a table with the
round's terms, meters, wagers and decisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
import pytest

from discovered import CORPUS, parameters_for
from houseway.cards import DECK, Card, cards
from houseway.conformance.corpus import Case, cases, rulebooks
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve
from houseway.engine.meters import MICRO, seed
from houseway.engine.read_round import read_amount
from houseway.engine.refusals import Refusal
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.engine.state import State, total
from houseway.engine.table import Table
from houseway.engine.terms import Terms
from houseway.engine.turn_order import places_left, turn
from houseway.money import dollars
from houseway.rules.loader import load, rulebook_ids
from houseway.rules.rulebook import Rulebook
from random_play.played import lines as settled_lines

CHIPS = 10**12
IMPOSSIBLE = frozenset(
    {
        "bad-amount",
        "bad-cards",
        "bad-hands",
        "bad-meters",
        "bad-player",
        "bad-tips",
        "no-rulebook",
        "no-seats",
        "not-a-round",
        "not-among-the-four",
        "play-missing",
        "rulebook-unsound",
        "seat-twice",
        "split-wager-unequal",
        "too-many-amounts",
        "too-many-copies",
        "unknown-key",
        "unknown-meter",
        "unknown-rulebook",
        "wrong-game",
        "wrong-number-of-cards",
    }
)
"""Codes of refusals that a round in a file can get, but a command at a table cannot."""


class RefusedError(Exception):
    """A command was refused."""

    def __init__(self, command: c.Command, refusal: Refusal) -> None:
        super().__init__(f"{command}: {refusal}")
        self.refusal = refusal


@cache
def without_maxima(book: Rulebook) -> Rulebook:
    """A rulebook whose tables need no posted maximum: most of these rounds post no limits."""
    return book if book.bet_limit is None else replace(book, bet_limit=replace(book.bet_limit, maxima=None))


class RoundAtTable:
    """A round as data, dealt at a table."""

    def __init__(self, terms: Terms, data: Mapping[str, Any]) -> None:
        self.data = data
        book = without_maxima(terms.rulebook)
        self.table = Table(Terms(book, terms.mode, terms.named_tables, terms.limits, terms.given))
        self.state = State()
        self.seats = {seat["seat"]: seat for seat in data["seats"]}
        self.cards: dict[str, list[Card]] = {
            "board": list(cards(data["board"])),
            "dealer": list(cards(data["dealer"])),
            **{
                f"seat {n}": list(cards(s.get("hole") or s.get("cards", ""))) for n, s in self.seats.items()
            },
        }
        left = Counter(list(DECK) * terms.rulebook.ranking.decks)
        left.subtract(card for held in self.cards.values() for card in held)
        self.others = list(left.elements())

    def send(self, command: c.Command) -> None:
        answer = decide(self.table, self.state, command)
        if isinstance(answer, Refusal):
            raise RefusedError(command, answer)
        for event in answer:
            self.state = evolve(self.state, event)
            assert total(self.state) == 0

    def open(self) -> None:
        table = self.table
        amounts = {name: read_amount(text, name, []) for name, text in self.data.get("meters", {}).items()}
        staked = [s["progressive"] for s in self.seats.values() if "progressive" in s]
        stake = read_amount(staked[0], "", []) if staked else 100
        meters = {name: amounts.get(name, seed(table.terms, name, stake)) for name in table.meters}
        backs = ("red", "blue")[: table.decks]
        # A live table would not continue with a dealer's hand that breaks the house way.
        purpose = "shadow" if "dealer_keeps" in self.data else "live"
        opening = c.OpenTable(designated=(table.book.game,), backs=backs, meters=meters, purpose=purpose)
        self.send(msgspec.structs.replace(opening, examples=True))

    def play(self) -> State:
        """Play the round to its end."""
        self.open()
        wagered = False
        while True:
            now = self.state.round
            if now.asked is not None:
                self.send(c.Approve(by="supervisor", name="Flo"))
            elif now.betting == "open" and not wagered:
                wagered = True
                for number, seat in self.seats.items():
                    self.wager(number, seat)
            elif (waiting := turn(self.table, self.state)) is not None:
                self.send(self.decision(waiting[0], waiting[1].stage))
            else:
                self.act()
                if self.state.round.looking:
                    self.play_without_ante()
                if wagered and not self.state.round.betting:
                    return self.state

    def play_without_ante(self) -> None:
        """Send the play wagers of players without an ante, which the table must refuse."""
        for number, seat in self.seats.items():
            if "play" in seat and "ante" not in self.state.seats[number].hands[0].made:
                self.send(c.Play(seat=number, times=seat["play"] or 1))

    def wager(self, number: int, seat: Mapping[str, Any]) -> None:
        problems: list[Refusal] = []
        names = [
            key
            for key in seat
            if key not in ("seat", "player", "hole", "cards", "hands", "play", "tips", "match_play")
        ]
        amounts = {
            name: read_amount(seat[name][0] if isinstance(seat[name], list) else seat[name], name, problems)
            for name in names
        }
        tips = {name: read_amount(text, name, problems) for name, text in seat.get("tips", {}).items()}
        coupon = read_amount(seat.get("match_play"), "match_play", problems)
        assert not problems, problems
        if number not in self.state.seats:
            self.sit(number, seat)
        twins = {name for name, _ in self.table.terms.twins}
        made = {name: amount for name, amount in amounts.items() if amount or name in twins}
        own = {name: tip for name, tip in tips.items() if tip and not (name == "play" and seat.get("play"))}
        self.send(c.Bet(seat=number, wagers=made, tips=own, coupon=coupon))

    def sit(self, number: int, seat: Mapping[str, Any]) -> None:
        self.send(c.Sit(seat=number, player=seat.get("player", f"player {number}"), chips=CHIPS))

    def decision(self, number: int, stage: str) -> c.Command:
        seat = self.seats[number]
        if not stage:
            return self.setting(number, seat)
        point = self.table.stages[stage]
        play = seat["play"]
        tip = read_amount(seat.get("tips", {}).get("play"), "play", [])
        known = {n for s in self.table.book.stages if s.sizes for n in s.sizes.value}
        if (point.sizes and play in point.sizes.value) or (play and play not in known):
            return c.Play(seat=number, times=play, tip=tip)
        return c.Check(seat=number) if point.check is not None else c.Fold(seat=number)

    def setting(self, number: int, seat: Mapping[str, Any]) -> c.Command:
        hands = [cards(text) for text in seat["hands"]]
        if len(hands) == 1:
            return c.Keep(seat=number, cards=hands[0])
        bonus = seat.get("bonus", "0")
        second = bonus[1] if isinstance(bonus, list) and len(bonus) > 1 else "0"
        amount = read_amount(second, "bonus", [])
        return c.Split(seat=number, first=hands[0], second=hands[1], bonus=amount)

    def act(self) -> None:
        act = next_act(self.table, self.state)
        if act is None and not self.state.seats:
            # The first player may inspect the cards before the other players sit down.
            number, seat = next(iter(self.seats.items()))
            self.sit(number, seat)
            return
        assert act is not None
        step = self.table.steps[act.step]
        if act.act == "set dealer" and self.data.get("dealer_keeps"):
            self.send(c.Perform(step=act.step, cards=cards(self.data["dealer_keeps"])))
            return
        places = ["burn"] * act.cards
        if act.act == "deal":
            places = [
                place for place in places_left(self.table, self.state, step) for _ in range(step.each)
            ]
        self.send(act.command(tuple(self.cards.get(place, self.others).pop(0) for place in places)))


def lines(state: State) -> list[Any]:
    """The settlement lines, in the form of the corpus."""
    return [msgspec.to_builtins(line) for line in settled_lines(state)]


def terms_of(window: Window, data: Mapping[str, Any]) -> tuple[Terms, list[Refusal]]:
    """The terms of a round at a table whose meters are not fed."""
    book = load(data["rulebook"])
    fed = {name: 0 for name in ("feed", "reserve_feed") if name in book.house}
    house = data.get("house") or {}
    return window.terms(data["rulebook"], {**data, "house": {**fed, **house} if fed else house})


def differences(window: Window, case: Case) -> str | None:
    """The first difference between the engine's result and a settled round, or None."""
    terms, refused = terms_of(window, case.round)
    assert not refused, (case.id, refused)
    try:
        state = RoundAtTable(terms, case.round).play()
    except RefusedError as error:
        return f"{case.id} {case.about}: {error}"
    if lines(state) != case.expect["lines"]:
        return f"{case.id} {case.about}: {lines(state)} is not {case.expect['lines']}"
    shows = {name: dollars(micro // MICRO) for name, micro in state.meters.items()}
    if case.expect["meters"] and shows != case.expect["meters"]:
        return f"{case.id} {case.about}: meters {shows}, not {case.expect['meters']}"
    if dollars(state.tips) != case.expect["dealer_tips"]:
        return f"{case.id} {case.about}: tips {state.tips}, not {case.expect['dealer_tips']}"
    return None


@pytest.mark.parametrize("rulebook", parameters_for(rulebooks(), CORPUS))
def test_every_settled_round_is_settled_at_the_table_as_the_corpus_expects(rulebook: str) -> None:
    window = Window()
    settled = [case for case in cases(rulebook) if not case.refused]
    assert len(settled) > 100
    wrong = [difference for case in settled if (difference := differences(window, case)) is not None]
    assert wrong[:3] == [], len(wrong)


def missed_refusal(window: Window, case: Case) -> str | None:
    """Describe how the engine accepts a round that must be refused, or cites another clause; None if it is right."""
    answer = window.settle(case.round)
    assert not isinstance(answer, Settlement)
    codes = {refusal.code for refusal in answer.refused}
    if codes & IMPOSSIBLE:
        return None
    clauses = {refusal.clause for refusal in answer.refused}
    terms, refused = terms_of(window, case.round)
    if refused:
        return None
    try:
        RoundAtTable(terms, case.round).play()
    except RefusedError as error:
        # At a table, a missing wager is an empty spot, not a wrong amount. A refusal without a clause in the
        # corpus may cite a clause at the table.
        excused = clauses == {None} or error.refusal.code in ("bad-amount", "bad-command")
        if error.refusal.clause not in clauses and not excused:
            return f"{case.id} {case.about}: {error}, but the clause should be one of {sorted(map(str, clauses))}"
        return None
    return f"{case.id} {case.about}: accepted, but should be refused with one of {sorted(codes)}"


@pytest.mark.parametrize("rulebook", parameters_for(rulebooks(), CORPUS))
def test_every_refused_round_is_refused_at_the_table(rulebook: str) -> None:
    window = Window()
    refused = [case for case in cases(rulebook) if case.refused]
    assert refused
    wrong = [difference for case in refused if (difference := missed_refusal(window, case)) is not None]
    assert wrong[:3] == [], len(wrong)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_worked_round_has_its_result_at_the_table(rulebook: str) -> None:
    window = Window()
    for worked in load(rulebook).rounds:
        data = {"rulebook": rulebook, **worked["round"]}
        terms, refused = terms_of(window, data)
        assert not refused
        state = RoundAtTable(terms, data).play()
        answer = window.settle(data)
        assert isinstance(answer, Settlement)
        assert lines(state) == msgspec.to_builtins(answer.lines), worked["name"]
        for number, seat in state.seats.items():
            assert dollars(seat.chips - CHIPS) == worked["expect"][str(number)]["net"], worked["name"]


def test_a_round_settled_differently_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.engine.fold_registry import FOLDS

    honest = FOLDS[e.WagerSettled]
    kind: type[e.Event] = e.WagerSettled

    def careless(state: State, event: e.WagerSettled) -> State:
        return honest(state, msgspec.structs.replace(event, odds="2 to 1") if event.odds else event)

    monkeypatch.setitem(FOLDS, kind, careless)
    case = next(case for case in cases("uth-ma") if not case.refused)
    assert differences(Window(), case) is not None
