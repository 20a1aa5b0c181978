"""The verifiers check the players' cut without the engine, so they notice a mistake of the engine in the record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from houseway.audit.memory_store import MemoryStore
from houseway.audit.round_proofs import proofs
from houseway.audit.verify import verify
from houseway.engine import commands as c
from houseway.engine import dealer_act, players_cut, turn_order
from houseway.engine import events as e
from houseway.engine.decide import HANDLERS
from houseway.engine.players_cut import commitment
from houseway.engine.state import State
from houseway.engine.turn_order import unopened_salts
from houseway.live import Accepted, LiveTable
from houseway.rules.loader import load
from houseway.shoe.verify_round import faults, read
from record.recorded import house

ANSWERS: dict[Any, Any] = HANDLERS
SEATS = (1, 2)
SALTS = {seat: f"{seat:032x}" for seat in SEATS}


class Table:
    """A live table whose record is kept in memory."""

    def __init__(self, rulebook: str = "uth-ma", **given: Any) -> None:
        self.store, book = MemoryStore(), load(rulebook)
        opening = c.OpenTable(designated=(book.game,), examples=True, **given)
        live = LiveTable.open(house(self.store), "table:1", book, {}, opening)
        assert isinstance(live, LiveTable), live
        self.live = live
        for seat in SEATS:
            self.send(c.Sit(seat=seat, player=f"Player {seat}", chips=1_000_000))
        self.live.advance()

    def send(self, command: c.Command) -> Accepted:
        answer = self.live.send(command)
        assert isinstance(answer, Accepted), answer
        return answer

    def commit(self, *seats: int) -> Table:
        for seat in seats:
            committed = commitment(self.live.state.round.seal, seat, SALTS[seat])
            self.send(c.CommitSalt(seat=seat, commitment=committed))
        return self

    def bet(self) -> Table:
        for seat in SEATS:
            self.send(c.Bet(seat=seat, wagers={"ante": 1000}))
        self.live.advance()
        return self

    def open(self, seat: int, salt: str = "") -> Table:
        self.send(c.OpenSalt(seat=seat, salt=salt or SALTS[seat]))
        self.live.advance()
        return self

    def finish(self) -> Table:
        """Play to the end of the round."""
        number = self.live.state.round.number
        while self.live.state.round.betting and self.live.state.round.number == number:
            if not self.live.advance():
                self.send(
                    c.ActFor(by="supervisor", seat=turn_order.turns(self.live.table, self.live.state)[0])
                )
        return self

    def discard(self) -> Table:
        self.send(c.DiscardDeck(by="deadline"))
        while self.live.state.round.number and self.live.state.round.unopened:
            self.live.advance()
        return self

    def wrong(self) -> list[str]:
        """Return the faults that `audit verify` reports; all must be about the players' cut."""
        listed = verify(self.store, "table:1").faults
        assert {fault.code for fault in listed} <= {"cut"}, listed
        return [fault.message for fault in listed]

    def proof_faults(self) -> list[str]:
        """Return the faults that the independent verifier finds in the proofs of the first round."""
        return faults(read(json.dumps(proofs(self.store, "table:1", 1, "seat 1")).encode()))


def test_an_honest_round_verifies_and_its_proofs_list_the_commitments() -> None:
    t = Table().commit(*SEATS).bet().open(2).open(1).finish()
    assert t.wrong() == []
    assert t.proof_faults() == []
    data = proofs(t.store, "table:1", 1, "seat 1")
    assert data["format"] == "houseway-proofs-2"
    [cut] = [cut for cut in data["cuts"] if "salts" in cut]
    assert cut["salts"] == {"1": SALTS[1], "2": SALTS[2]}
    assert set(cut["commitments"]) == {"1", "2"}
    assert all(
        record["committed"] < cut["closed"] < record["opened"] for record in cut["commitments"].values()
    )


def test_a_record_with_salts_in_the_clear_verifies() -> None:
    t = Table(players_cut="plain")
    t.send(c.AddSalt(seat=1, salt=SALTS[1]))
    t.bet().finish()
    assert t.wrong() == []
    assert t.proof_faults() == []
    assert proofs(t.store, "table:1", 1, "seat 1")["format"] == "houseway-proofs-1"


def test_aborted_rounds_are_reported_by_seat() -> None:
    t = Table()
    for _ in range(2):
        t.commit(*SEATS).bet().open(2).discard()
    t.commit(*SEATS).bet().open(2).open(1).finish()
    report = verify(t.store, "table:1")
    assert report.sound
    [note] = report.notes
    assert note == "seat 1 (Player 1) did not open its salt in 2 of 3 rounds, so the deck was discarded"


# --- planted faults: the engine makes the same mistake when it records and when it verifies ---


def test_a_planted_wrong_opening_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Table().commit(*SEATS).bet().open(2)
    committed = dict(t.live.state.round.commitments)
    monkeypatch.setattr(players_cut, "commitment", lambda seal, seat, salt: committed[seat])
    t.open(1, "f" * 32).finish()
    assert t.wrong() == ["seat 1 opened a salt that it had not committed to"]
    assert t.proof_faults() == ["cut 1: seat 1 opened a salt that it had not committed to"]


def test_a_planted_opening_before_betting_closed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Table().commit(*SEATS)

    def opens_early(table: Any, state: State, command: c.OpenSalt) -> e.SaltOpened:
        return e.SaltOpened(seat=command.seat, salt=command.salt)

    with monkeypatch.context() as planted:
        planted.setitem(ANSWERS, c.OpenSalt, opens_early)
        t.send(c.OpenSalt(seat=1, salt=SALTS[1]))
        early = t.wrong()
    assert early == ["seat 1 opened its salt before betting was closed"]
    t.bet().open(2).finish()
    assert t.proof_faults() == ["cut 1: seat 1 opened its salt before betting was closed"]


def test_a_planted_cut_without_an_opening_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Table().commit(*SEATS).bet()

    def forgets_seat_2(state: State) -> tuple[int, ...]:
        return tuple(n for n in unopened_salts(state) if n != 2)

    def cuts_at_once(table: Any, state: State, command: c.OpenSalt) -> list[e.Event]:
        opened = e.SaltOpened(seat=command.seat, salt=command.salt)
        return [opened, e.PlayersCutMade(deck=state.playing.name, salts={command.seat: command.salt})]

    monkeypatch.setitem(ANSWERS, c.OpenSalt, cuts_at_once)
    for module in (players_cut, dealer_act):
        monkeypatch.setattr(module, "unopened_salts", forgets_seat_2)
    t.open(1).finish()
    assert t.wrong() == ["the players' cut was made without the salt of seat 2"]
    seats = "the seats that committed to a salt and those that opened one are not the same"
    assert t.proof_faults() == [f"cut 1: {seats}"]


def test_a_planted_deal_before_the_cut_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Table().commit(*SEATS)
    for module in (players_cut, dealer_act):
        monkeypatch.setattr(module, "unopened_salts", lambda state: ())
    t.bet().finish()
    assert set(t.wrong()) == {"cards were dealt before the players' cut was made"}


def test_a_planted_commitment_after_betting_closed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Table().commit(1).bet()
    monkeypatch.setattr(players_cut, "_check_open", lambda state: None)
    t.commit(2).open(1).open(2).finish()
    assert t.wrong() == ["seat 2 committed to a salt after betting was closed"]
    assert t.proof_faults() == ["cut 1: seat 2 committed to its salt after betting was closed"]
