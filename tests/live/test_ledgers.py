"""Linked meters and players' accounts: separate streams, written in the same transaction as the table's record."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.audit.archive import Archive, import_record
from houseway.audit.entries import StoredEntry, link
from houseway.audit.export import export_lines
from houseway.audit.ledgers import LedgerMoved, ledger_terms, read_ledger_entry
from houseway.audit.memory_store import MemoryStore
from houseway.audit.store import Batch, Head, StoreError
from houseway.audit.verify import verify
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.meters import MICRO
from houseway.engine.refusals import Refusal
from houseway.engine.table import LINK_AMOUNTS, Table
from houseway.engine.turn_order import turn
from houseway.live import LiveTable, TableServices
from houseway.rules.loader import load
from record.linked_model import FEED, HANDS, SEED
from record.recorded import SIGNER, house
from scripted import Scripted

METER = "meter:north"


def open_table(
    at: TableServices, stream: str, hand: str = "nothing", book: str = "uth-ma", **given: Any
) -> LiveTable | Refusal:
    rules = load(book)
    opening = c.OpenTable(designated=(rules.game,), examples=True)
    link = given.pop("link", "north")
    terms = {"tables": {"progressive": "PTMGL01"}, "house": {"feed": 25}} | given
    return LiveTable.open(at, stream, rules, terms, opening, Scripted([HANDS[hand]] * 9), link=link)


def open_linked_table(at: TableServices, stream: str, hand: str = "nothing", **given: Any) -> LiveTable:
    live = open_table(at, stream, hand, **given)
    assert isinstance(live, LiveTable), live
    live.advance()
    live.send(c.Sit(seat=1, player="Maren", chips=100_000))
    live.advance()
    return live


def bet(live: LiveTable) -> None:
    """Bet and deal, so that the wagers contribute to the meter."""
    live.advance()
    assert not isinstance(live.send(c.Bet(seat=1, wagers={"ante": 1000, "progressive": 500})), Refusal)
    live.advance()
    assert turn(live.table, live.state)


def play(live: LiveTable) -> None:
    """Play the dealt hand to the end of the round."""
    live.send(c.Play(seat=1, times=4))
    number = live.state.round.number
    while live.state.round.number == number and live.state.section == "round":
        live.advance()
        if live.state.round.asked is not None:
            live.send(c.Approve(by="floor"))


def stored_balances(at: TableServices, stream: str = METER) -> dict[str, int]:
    """The balances of the last stored entry."""
    return read_ledger_entry(list(at.store.entries(stream))[-1].public).events[0].balances


def meter_of(live: LiveTable) -> int:
    live.sync()
    return live.state.meters["main"]


def is_sound(at: TableServices) -> bool:
    return all(verify(at.store, stream, key=SIGNER.public).faults == () for stream in at.store.streams())


# --- linked meters ---


@pytest.mark.clause("MA-13.g")
def test_two_linked_tables_have_one_meter() -> None:
    at = house()
    north, south = open_linked_table(at, "a"), open_linked_table(at, "b")
    bet(north)
    assert meter_of(north) == meter_of(south) == SEED + FEED
    bet(south)
    assert meter_of(north) == meter_of(south) == stored_balances(at)["main"] == SEED + 2 * FEED
    assert is_sound(at)


@pytest.mark.clause("MA-13.g")
def test_a_table_can_win_the_contributions_of_a_linked_table() -> None:
    at = house()
    north, south = open_linked_table(at, "a", "royal flush"), open_linked_table(at, "b")
    for _ in range(4):
        bet(south)
        play(south)
    bet(north)
    play(north)
    award = next(s for s in north.state.round.settled if s.meter)
    assert award.awarded == (SEED + 5 * FEED) // MICRO
    assert meter_of(south) == meter_of(north) == SEED + 5 * FEED - award.awarded * MICRO + SEED
    assert is_sound(at)
    assert all(verify(at.store, stream).settled_again for stream in ("a", "b"))


@pytest.mark.clause("MA-13.g")
def test_tables_of_different_games_cannot_be_linked() -> None:
    at = house()
    open_linked_table(at, "a")
    for book, tables in (("uth-ma", {"progressive": "PTMGL02"}), ("shootout-sd", {}), ("uth-card", {})):
        refusal = open_table(at, "b", book=book, tables=tables, house={})
        assert isinstance(refusal, Refusal)
        assert refusal.clause == "MA-13.g"
    assert at.store.streams() == ["a", METER]
    refusal = open_table(at, "b", link="no name")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad-link"


def test_a_meter_outlives_its_tables() -> None:
    at = house()
    north = open_linked_table(at, "a")
    bet(north)
    play(north)
    north.send(c.CloseTable(by="floor"))
    again = open_linked_table(at, "b")
    assert again.state.meters["main"] == SEED + FEED
    assert is_sound(at)


def test_a_resumed_table_reads_the_current_amount_of_its_linked_meter() -> None:
    at = house()
    north, south = open_linked_table(at, "a"), open_linked_table(at, "b")
    bet(north)
    bet(south)
    north = LiveTable.resume(at, "a", Scripted())
    assert north.state.meters["main"] == SEED + FEED
    assert meter_of(north) == SEED + 2 * FEED


def test_a_table_decides_again_if_the_meter_changed_after_it_was_read() -> None:
    """The other table contributes to the meter between this table's reading and its commit."""
    at = house()
    north, south = open_linked_table(at, "a"), open_linked_table(at, "b", "royal flush")
    bet(south)
    north.send(c.Bet(seat=1, wagers={"ante": 1000, "progressive": 500}))
    reading: list[Any] = []
    sync = north.sync

    def late() -> Any:
        answer = sync()
        if not reading:
            reading.append(answer)
            play(south)
        return answer

    north.sync = late  # type: ignore[method-assign]
    north.advance()
    assert stored_balances(at)["main"] == 2 * SEED + 2 * FEED - (SEED + FEED)
    assert meter_of(north) == meter_of(south) == stored_balances(at)["main"]
    assert is_sound(at)


def test_a_returned_contribution_is_taken_off_the_meter() -> None:
    at = house()
    north, south = open_linked_table(at, "a"), open_linked_table(at, "b")
    bet(north)
    assert meter_of(south) == SEED + FEED
    refused = north.send(c.Report(kind="exposed card", at="dealer", cards=(north.state.round.dealer[0],)))
    assert not isinstance(refused, Refusal), refused
    assert any(isinstance(event, e.MeterFed) for event in refused.events)
    assert meter_of(south) == SEED
    assert is_sound(at)


def test_an_award_that_another_table_won_first_needs_a_new_approval() -> None:
    """Another table has won the approved amount, so the dealer needs a new approval for the amount that is left."""
    at = house()
    state = open_linked_table(at, "a").state
    asked = replace(
        state.round, asked=(1, 1, "progressive", "floorperson"), approved=((2, 1, "progressive"),)
    )
    less = e.MetersSynced(meters={"main": SEED - MICRO}, reserves={"main": 0}, at=2)
    more = e.MetersSynced(meters={"main": SEED + MICRO}, reserves={"main": 0}, at=2)
    after = evolve(replace(state, round=asked), less).round
    assert (after.asked, after.approved) == (None, ())
    assert evolve(replace(state, round=asked), more).round == asked


def test_an_imported_table_needs_its_meter() -> None:
    at = house()
    bet(open_linked_table(at, "a"))
    elsewhere = house()
    for stream in ("a", METER):
        copy(at, elsewhere, stream)
        if stream == "a":
            with pytest.raises(StoreError, match="meter:north is not in this store; import it too"):
                LiveTable.resume(elsewhere, "a", Scripted()).sync()
            assert verify(elsewhere.store, "a").lacked
    assert is_sound(elsewhere)
    play(LiveTable.resume(elsewhere, "a", Scripted()))


def copy(at: TableServices, to: TableServices, stream: str) -> None:
    """Move a stream through an exported file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        path.write_bytes(b"".join(export_lines(at.store, stream, secrets=True)))
        import_record(to.store, Archive(path))


# --- accounts ---


def account(at: TableServices, handle: str = "Maren") -> int:
    return stored_balances(at, f"account:{handle}")["chips"]


def test_chips_outlive_a_seat() -> None:
    at = house()
    live = open_table(at, "a", link="")
    assert isinstance(live, LiveTable)
    live.advance()
    live.send(c.Sit(seat=1, player="Maren", account="Maren"))
    assert live.state.seats[1].chips == 1000_00
    assert account(at) == 0
    bet(live)
    play(live)
    chips = live.state.seats[1].chips
    assert chips > 1000_00
    live.send(c.Leave(seat=1))
    assert account(at) == chips
    other = open_table(at, "b", link="")
    assert isinstance(other, LiveTable)
    other.advance()
    other.send(c.Sit(seat=3, player="Maren", account="Maren"))
    assert other.state.seats[3].chips == chips
    assert is_sound(at)


def test_a_table_that_closes_returns_the_chips() -> None:
    at = house()
    live = open_table(at, "a", link="")
    assert isinstance(live, LiveTable)
    live.advance()
    live.send(c.Sit(seat=1, player="Maren", account="Maren"))
    live.send(c.Sit(seat=2, player="Best bot", chips=500))
    live.send(c.CloseTable(by="floor"))
    assert account(at) == 1000_00
    assert list(live.state.seats) == [2]
    assert isinstance(live.send(c.Leave(seat=1)), Refusal)
    assert account(at) == 1000_00
    assert is_sound(at)


def test_repeated_sit_and_leave_commands_change_an_account_once() -> None:
    at = house()
    live = open_table(at, "a", link="")
    assert isinstance(live, LiveTable)
    live.advance()
    for _ in range(3):
        live.send(c.Sit(seat=1, player="Maren", account="Maren"), "sit")
    for _ in range(3):
        live.send(c.Leave(seat=1), "leave")
    assert [change for change, _ in moves(at, "account:Maren")] == [-1000_00, 1000_00]


def moves(at: TableServices, stream: str) -> Iterator[tuple[int, str]]:
    for one in at.store.entries(stream):
        entry = read_ledger_entry(one.public)
        if isinstance(entry.events[0], LedgerMoved):
            yield sum(entry.events[0].changes.values()), entry.key


def test_a_table_cannot_have_the_name_of_a_ledger() -> None:
    at = house()
    for name in ("meter:x", "account:x"):
        refusal = open_table(at, name, link="")
        assert isinstance(refusal, Refusal)
        assert refusal.code == "bad-table"


# --- forged ledgers ---


class Forged(MemoryStore):
    """A store in which one ledger is written again, with a valid chain and a valid signature."""

    def rewrite(self, stream: str, entries: list[dict[str, Any]]) -> None:
        head, stored = Head.first(stream), []
        for entry in entries:
            public = msgspec.json.encode(entry)
            chain = link(head.chain, public)
            stored.append(StoredEntry(entry["seq"], 1, entry["key"], public, b"", chain))
            head = Head(entry["seq"], chain)
        del self._records[stream]
        self.append(stream, Head.first(stream), Batch(entries=stored, signed=SIGNER.head(stream, head)))


def forged() -> tuple[Forged, list[dict[str, Any]]]:
    store = Forged()
    at = house(store)
    north, south = open_linked_table(at, "a"), open_linked_table(at, "b", "straight flush")
    for live in (north, south):
        bet(live)
        play(live)
    assert is_sound(at)
    return store, [msgspec.json.decode(one.public) for one in store.entries(METER)]


def faults(store: MemoryStore) -> set[tuple[str, str]]:
    return {(stream, fault.code) for stream in store.streams() for fault in verify(store, stream).faults}


def test_a_rewritten_meter_that_is_unchanged_is_sound() -> None:
    store, entries = forged()
    store.rewrite(METER, entries)
    assert faults(store) == set()


def test_a_lost_contribution_is_a_fault_of_meter_and_table() -> None:
    store, entries = forged()
    lost, kept = entries[1], [entries[0], *entries[2:]]
    fed = lost["events"][0]["changes"]["main"]
    for seq, entry in enumerate(kept, 1):
        entry["seq"] = seq
        if seq > 1:
            entry["events"][0]["balances"]["main"] -= fed
    store.rewrite(METER, kept)
    assert ("a", "ledger") in faults(store)


def test_a_contribution_that_no_table_made_is_a_fault() -> None:
    store, entries = forged()
    extra = msgspec.json.decode(msgspec.json.encode(entries[-1]))
    extra |= {"seq": len(entries) + 1, "event": extra["event"] + 1}
    extra["key"] = f"{extra['table']}/{extra['event']}"
    change = extra["events"][0]["changes"]["main"] = 5
    extra["events"][0]["balances"]["main"] += change
    store.rewrite(METER, [*entries, extra])
    assert faults(store) == {("b", "ledger")}


def test_a_wrong_balance_and_a_newer_version_are_faults() -> None:
    store, entries = forged()
    entries[-1]["events"][0]["balances"]["main"] += 1
    store.rewrite(METER, entries)
    assert (METER, "money") in faults(store)
    store, entries = forged()
    entries[-1] = {"version": 2, **entries[-1]}
    store.rewrite(METER, entries)
    assert (METER, "unreadable") in faults(store)
    at = house(store)
    with pytest.raises(StoreError, match="it has version 2; this houseway reads version 1"):
        LiveTable.resume(at, "a", Scripted()).sync()


def test_a_change_of_an_account_that_no_table_made_is_a_fault() -> None:
    store = Forged()
    at = house(store)
    live = open_table(at, "a", link="")
    assert isinstance(live, LiveTable)
    live.advance()
    live.send(c.Sit(seat=1, player="Maren", account="Maren"))
    stream = "account:Maren"
    entries = [msgspec.json.decode(one.public) for one in store.entries(stream)]
    extra = msgspec.json.decode(msgspec.json.encode(entries[-1]))
    extra |= {"seq": 4, "event": extra["event"] - 1, "key": f"a/{extra['event'] - 1}"}
    extra["events"][0] = {"type": "LedgerMoved", "changes": {"chips": 99}, "balances": {"chips": 99}}
    store.rewrite(stream, [*entries, extra])
    assert faults(store) == {("a", "ledger"), (stream, "ledger")}


def test_a_meter_from_before_seeds_were_recorded_is_sound_and_can_be_joined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = house(MemoryStore())
    original = Table.__init__

    def older(self: Table, *args: Any, **given: Any) -> None:
        original(self, *args, **given)
        for key in LINK_AMOUNTS:
            self.link_terms.pop(key, None)

    with monkeypatch.context() as before:
        before.setattr(Table, "__init__", older)
        first = open_linked_table(at, "first")
    assert "seeds" not in ledger_terms(at.store, METER)
    second = open_linked_table(at, "second", house={"feed": 25, "reserve": {"main": "900"}})
    assert meter_of(first) == meter_of(second)
    assert [verify(at.store, stream).faults for stream in at.store.streams()] == [()] * 3
    # A meter opened now records both amounts.
    open_linked_table(at, "third", link="south")
    terms = ledger_terms(at.store, "meter:south")
    assert (terms["seeds"], terms["reserve"]) == ({"main": SEED // MICRO}, {"main": 0})
