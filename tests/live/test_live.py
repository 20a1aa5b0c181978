"""A live table: on record before it is told, once under its key, the same cards after a restart."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.entries import link, read_entry, start
from houseway.audit.memory_store import MemoryStore
from houseway.audit.signatures import Signer
from houseway.audit.store import Batch, Head, StoreError
from houseway.audit.store_factory import open_store
from houseway.cards import cards
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import read_state, written_state
from houseway.engine.command_helpers import Answer
from houseway.engine.evolve import evolve
from houseway.engine.fold_registry import FOLDS
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.turn_order import turn
from houseway.live import Accepted, LiveTable, TableServices
from houseway.live.background_check import BackgroundCheck
from houseway.live.live_table import UnbalancedError
from houseway.live.table_shoes import Shoes, Typed
from houseway.rules.loader import load, restored, rulebook_ids
from houseway.shoe import EntropyError, Seeded, TypedShoe
from record.recorded import SIGNER, Recorded, house, recorded
from scripted import Scripted

SALT = "0123456789abcdef0123456789abcdef"


def opened(at: TableServices, rulebook: str = "uth-ma", stream: str = "table:1", **given: Any) -> LiveTable:
    book = load(rulebook)
    maker = given.pop("maker", None)
    opening = c.OpenTable(designated=(book.game,), backs=("red",), examples=True)
    live = LiveTable.open(at, stream, book, given, opening, maker)
    assert isinstance(live, LiveTable), live
    return live


def must(answer: Accepted | Refusal | None) -> Accepted:
    assert isinstance(answer, Accepted), answer
    return answer


def betting(live: LiveTable) -> LiveTable:
    live.advance()
    must(live.send(c.Sit(seat=1, player="Ann", chips=100_000)))
    return live


def finished(live: LiveTable) -> LiveTable:
    """Play the round to its end, the player checking and folding."""
    for _ in range(200):
        if any(isinstance(event, e.RoundClosed) for told in live.advance() for event in told.events):
            return live
        asked = turn(live.table, live.state)
        assert asked is not None
        must(live.send(c.ActFor(by="supervisor", seat=asked[0])))
    raise AssertionError("the round does not end")


def bytes_of(at: TableServices, stream: str = "table:1") -> list[tuple[bytes, bytes, bytes]]:
    return [(s.public, s.sealed, s.chain) for s in at.store.entries(stream)]


# --- on record, then told ---


class Failing(MemoryStore):
    """A store that fails at one append, before or after the batch is kept."""

    fails = ""

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        if self.fails == "before":
            raise OSError("the disk is full")
        super().append(stream, after, batch)
        if self.fails == "after":
            raise OSError("the connection is lost")


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_store_that_fails_leaves_the_command_done_once_or_not_at_all(when: str) -> None:
    store = Failing()
    live = betting(opened(house(store)))
    store.fails = when
    bet = c.Bet(seat=1, wagers={"ante": 1000})
    with pytest.raises(OSError, match=r"disk|connection"):
        live.send(bet, key="b1")
    store.fails = ""
    told = must(live.send(bet, key="b1"))
    assert told.repeated == (when == "after")
    placed = [ev for s in store.entries("table:1") for ev in read_entry(s).events]
    assert sum(isinstance(event, e.WagersPlaced) for event in placed) == 1
    assert live.state.seats[1].chips == 100_000 - 2000


def test_nothing_is_told_that_is_not_on_record(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    live = opened(house(store))
    held: list[int] = []
    append = MemoryStore.append

    def watched(self: MemoryStore, stream: str, after: Head, batch: Batch) -> None:
        # While the batch is on its way, the table still stands where it stood.
        held.append(live.head.events)
        assert live.head == after
        append(self, stream, after, batch)

    monkeypatch.setattr(MemoryStore, "append", watched)
    for told in live.advance():
        assert store.head("table:1") is not None
        assert told.seq in [s.seq for s in store.entries("table:1")]
    assert held


def test_an_answer_that_makes_money_is_never_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    live = betting(opened(house()))
    fold = FOLDS[e.WagersPlaced]

    def minting(state: State, event: e.Event) -> State:
        after = fold(state, event)
        return replace(after, tips=after.tips + 1)

    monkeypatch.setitem(FOLDS, e.WagersPlaced, minting)  # type: ignore[misc]
    before = live.head
    with pytest.raises(UnbalancedError):
        live.send(c.Bet(seat=1, wagers={"ante": 1000}))
    assert live.head == before
    assert live.house.store.head("table:1") == SIGNER.head("table:1", before)


# --- keys ---


def test_a_key_counts_once_and_for_one_command() -> None:
    live = betting(opened(house()))
    first = must(live.send(c.Bet(seat=1, wagers={"ante": 1000}), key="k"))
    again = must(live.send(c.Bet(seat=1, wagers={"ante": 1000}), key="k"))
    other = live.send(c.Bet(seat=1, wagers={"ante": 2000}), key="k")
    assert (again.repeated, again.seq, again.events) == (True, first.seq, first.events)
    assert isinstance(other, Refusal)
    assert other.code == "key-used"
    assert live.state.seats[1].chips == 98_000


def test_a_dealers_act_sent_again_is_the_same_act_though_its_cards_came_from_the_shoe() -> None:
    live = betting(opened(house()))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    must(live.act())
    step = c.Perform(step="deal the first card to each player")
    first = must(live.send(step, key="d"))
    again = must(live.send(step, key="d"))
    assert again.repeated
    assert again.events == first.events


# --- the shoe ---


def test_cards_that_are_not_next_in_the_shoe_are_refused() -> None:
    live = betting(opened(house()))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    must(live.act())
    shoe = live.shoes.of("A")
    assert shoe is not None
    wrong = shoe.peek(2)[1:]
    answer = live.send(c.Perform(step="deal the first card to each player", cards=wrong))
    assert isinstance(answer, Refusal)
    assert answer.code == "not-from-the-shoe"


def test_the_seal_is_on_record_before_the_first_wager_and_the_cut() -> None:
    live = betting(opened(house()))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    told = [ev for s in live.house.store.entries("table:1") for ev in read_entry(s).events]
    kinds = [type(event) for event in told]
    shuffled = next(event for event in told if isinstance(event, e.DeckShuffled))
    assert len(shuffled.seal) == 64
    assert kinds.index(e.DeckShuffled) < kinds.index(e.DeckCut) < kinds.index(e.WagersPlaced)
    assert live.state.round.seal == shuffled.seal


def test_the_players_cut_moves_the_cards_and_only_with_salt() -> None:
    dealt = {}
    for salt in ("", SALT, SALT[::-1]):
        live = betting(opened(house()))
        if salt:
            must(live.send(c.AddSalt(seat=1, salt=salt, by="seat 1")))
        must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
        live.advance()
        dealt[salt] = live.state.seats[1].hands[0].cards
    assert len(set(dealt.values())) == 3


def test_scripted_cards_come_as_they_were_given() -> None:
    live = betting(opened(house(), maker=Scripted(["Ah Kd As Kc"])))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    live.advance()
    assert [str(card) for card in live.state.seats[1].hands[0].cards] == ["Ah", "As"]
    assert [str(card) for card in live.state.round.dealer] == ["Kd", "Kc"]


# --- taken up again ---


class Forgetful(Recorded):
    """A table that is read from its record again before every command."""

    def send(self, command: c.Command) -> Answer:
        self.live.reload()
        self.state = self.live.state
        return super().send(command)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_table_taken_up_after_every_command_plays_the_same_record(rulebook: str) -> None:
    records = []
    for kind in (Recorded, Forgetful):
        at = house(every=40)
        for _ in kind(at, "table:1", rulebook, irregular=0.05).play(2):
            pass
        records.append(bytes_of(at))
    assert records[0] == records[1]
    assert len(records[0]) > 30


def test_seeded_games_repeat_to_the_byte_and_other_seeds_do_not() -> None:
    found = []
    for seed in ("a", "a", "b"):
        at = house(seed=seed)
        live = betting(opened(at))
        must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
        finished(live)
        found.append(bytes_of(at))
    assert found[0] == found[1] != found[2]


def test_a_record_another_house_signed_is_not_taken_up() -> None:
    at = house()
    betting(opened(at))
    with pytest.raises(StoreError, match="another house's key"):
        LiveTable.resume(TableServices(at.store, Signer(bytes(32)), Seeded(1)), "table:1")


def test_a_snapshot_of_another_version_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    at = house(every=10)
    live = dealt_in(at)
    assert at.store.snapshots("table:1")
    monkeypatch.setattr("houseway.live.live_table.__version__", "9.9.9")
    assert LiveTable.resume(at, "table:1").state == live.state


def rewritten(at: TableServices, old: bytes, new: bytes) -> None:
    """A record on which somebody without the house's key has put other words, chained anew."""
    record = at.store._records["table:1"]  # type: ignore[attr-defined]
    chain, changed = start("table:1"), 0
    for n, entry in enumerate(record.entries):
        changed += old in entry.public
        public = entry.public.replace(old, new)
        chain = link(chain, public)
        record.entries[n] = replace(entry, public=public, chain=chain)
    assert changed
    record.signed = replace(record.signed, head=replace(record.signed.head, chain=chain))


def test_a_forged_record_is_not_taken_up_and_so_never_signed() -> None:
    at = house()
    betting(opened(at))
    rewritten(at, b'"chips":100000', b'"chips":990000')
    with pytest.raises(StoreError, match="signature of the record is invalid"):
        LiveTable.resume(at, "table:1")


def dealt_in(at: TableServices) -> LiveTable:
    live = betting(opened(at))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    live.advance()
    return live


def test_hidden_cards_that_were_changed_are_not_dealt_on() -> None:
    at = house()
    live = dealt_in(at)
    record = at.store._records["table:1"]  # type: ignore[attr-defined]
    n = next(n for n, entry in enumerate(record.entries) if entry.sealed)
    card = str(live.state.seats[1].hands[0].cards[0]).encode()
    other = b"2c" if card != b"2c" else b"3c"
    record.entries[n] = replace(record.entries[n], sealed=record.entries[n].sealed.replace(card, other))
    with pytest.raises(StoreError, match="are not those it was written with"):
        LiveTable.resume(at, "table:1")
    record.entries[n] = replace(record.entries[n], sealed=b"")
    with pytest.raises(StoreError, match="are missing"):
        LiveTable.resume(at, "table:1")


def test_a_seed_that_was_changed_deals_no_cards() -> None:
    at = house()
    dealt_in(at)
    record = at.store._records["table:1"]  # type: ignore[attr-defined]
    record.secrets["table:1/1/A"] = bytes(32)
    with pytest.raises(StoreError, match="does not match its seal"):
        LiveTable.resume(at, "table:1")


def test_whatever_fails_after_the_append_the_command_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    live = betting(opened(house()))
    follow = Shoes.follow
    failing = True

    def interrupted(self: Shoes, *args: Any, **kept: Any) -> None:
        if failing:
            raise KeyboardInterrupt
        follow(self, *args, **kept)

    monkeypatch.setattr(Shoes, "follow", interrupted)
    bet = c.Bet(seat=1, wagers={"ante": 1000})
    with pytest.raises(KeyboardInterrupt):
        live.send(bet, key="b")
    failing = False
    assert must(live.send(bet, key="b")).repeated
    assert live.state.seats[1].chips == 98_000
    assert LiveTable.resume(live.house, live.stream).state == live.state


def test_a_record_that_was_touched_is_not_taken_up() -> None:
    at = house()
    live = betting(opened(at))
    record = at.store._records["table:1"]  # type: ignore[attr-defined]
    entry = record.entries[2]
    record.entries[2] = replace(entry, public=entry.public.replace(b"dealer", b"Dealer"))
    with pytest.raises(StoreError, match=f"event {entry.seq} has been changed"):
        live.reload()


def test_a_record_nobody_made_cannot_be_taken_up() -> None:
    with pytest.raises(StoreError, match=r"no record of table:9; on record: none"):
        LiveTable.resume(house(), "table:9")


# --- the log is the truth ---


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_record_folded_is_the_live_state_after_each_of_its_events(rulebook: str) -> None:
    """20,000 events a rulebook, a hundred thousand in all."""
    events = 0
    for mode in load(rulebook).modes:
        share = 20_000 // len(load(rulebook).modes)
        part, n = 0, 0
        while part < share:
            playing = recorded(rulebook, mode, rounds=0, stream=f"table:{n}", seed=n, irregular=0.02)
            states = [digest(state) for played in playing.play(40) for state in played.states]
            state, folded = State(), []
            for stored in playing.house.store.entries(playing.stream):
                for event in read_entry(stored).events:
                    state = evolve(state, event)
                    folded.append(digest(state))
            assert folded[-len(states) :] == states
            part += len(folded)
            n += 1
        events += part
    assert events >= 20_000


def digest(state: State) -> bytes:
    return hashlib.sha256(written_state(state)).digest()


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_state_written_and_read_is_the_same_and_so_are_its_bytes(rulebook: str) -> None:
    for played in recorded(rulebook, rounds=0, irregular=0.1).play(4):
        for state in played.states:
            text = written_state(state)
            assert read_state(text) == state
            assert written_state(read_state(text)) == text


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_rulebook_is_restored_from_its_text(rulebook: str) -> None:
    book = load(rulebook)
    again = restored(book.text)
    for field in fields(book):
        assert getattr(again, field.name) == getattr(book, field.name), field.name
    assert list(again.wagers) == list(book.wagers)
    assert again.hash == hashlib.sha256(book.text.encode()).hexdigest()


def test_a_table_of_a_house_rulebook_is_taken_up_from_the_text_on_record(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        '[rulebook]\nid = "own"\ntitle = "Own"\nextends = "uth-ma"\n[house.decks]\ndefault = 2\n',
        encoding="utf-8",
    )
    at = house()
    live = LiveTable.open(
        at,
        "table:own",
        load(str(own)),
        {},
        c.OpenTable(designated=("ultimate",), backs=("red", "blue"), examples=True),
    )
    assert isinstance(live, LiveTable), live
    own.unlink()
    again = LiveTable.resume(at, "table:own")
    assert again.table.book.hash == live.table.book.hash
    assert again.table.decks == 2


def test_terms_are_those_the_house_chose() -> None:
    chosen: dict[str, Any] = {"tables": {"trips": "B"}, "limits": {"ante": {"min": "5", "max": "100"}}}
    at = house()
    live = opened(at, **chosen)
    again = LiveTable.resume(at, "table:1")
    assert again.table.terms.recorded == live.table.terms.recorded
    assert again.table.terms.chosen == chosen
    assert again.state.unoffered == live.state.unoffered


def test_a_shadowed_table_taken_up_again_knows_what_was_typed() -> None:
    typed = iter(["Ah", "Kd", "As", "Kd", "Kc"])
    said: list[str] = []
    maker = Typed(lambda decks: TypedShoe(decks, lambda count, place: next(typed), said.append))
    at = house()
    live = betting(opened(at, maker=maker))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    for _ in range(4):
        must(live.act())
    again = LiveTable.resume(at, "table:1", maker)
    assert again.state == live.state
    # The king of diamonds is the dealer's already; the next card is asked for again.
    must(again.act())
    assert said == ["the king of diamonds (Kd) has been dealt already; the shoe holds it once"]
    assert [str(card) for card in again.state.round.dealer] == ["Kd", "Kc"]


class Dry:
    """A source of randomness that has run dry after so many draws."""

    live = True

    def __init__(self, draws: int) -> None:
        self.draws = draws

    def draw(self, count: int) -> bytes:
        if not self.draws:
            raise EntropyError("the source has run dry")
        self.draws -= 1
        return bytes(count)

    def named(self, name: str) -> Dry:
        return self


def test_without_randomness_no_table_opens() -> None:
    at = TableServices(MemoryStore(), SIGNER, Dry(0))
    with pytest.raises(EntropyError):
        opened(at)
    assert at.store.streams() == []


def test_without_randomness_no_deck_is_shuffled_and_the_table_stands_where_it_stood() -> None:
    at = TableServices(MemoryStore(), SIGNER, Dry(1))
    live = opened(at)
    with pytest.raises(EntropyError):
        live.advance()
    assert not any(
        isinstance(ev, e.DeckShuffled) for s in at.store.entries("table:1") for ev in read_entry(s).events
    )
    assert LiveTable.resume(TableServices(at.store, SIGNER, Seeded(1)), "table:1").state == live.state


@pytest.mark.parametrize("key", ["a\0b", "\ud800", "k" * 201, "two\nlines"])
def test_a_key_no_store_could_keep_is_refused(key: str) -> None:
    answer = opened(house()).send(c.Sit(seat=1, player="Ann", chips=1000), key=key)
    assert isinstance(answer, Refusal)
    assert answer.code == "bad-key"


def test_a_typed_act_that_brings_its_cards_asks_for_none() -> None:
    def ask(count: int, place: str) -> str:
        raise AssertionError("nobody is asked")

    maker = Typed(lambda decks: TypedShoe(decks, ask, print))
    live = betting(opened(house(), maker=maker))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    must(live.act())
    must(live.send(c.Perform(step="deal the first card to each player", cards=cards("Ah"))))
    assert [str(card) for card in live.state.seats[1].hands[0].cards] == ["Ah"]


def test_a_key_belongs_to_who_sent_it() -> None:
    live = betting(opened(house()))
    bet = c.Bet(seat=1, wagers={"ante": 1000}, by="seat 1")
    must(live.send(bet, key="k", by="ann"))
    other = live.send(bet, key="k", by="bob")
    assert isinstance(other, Refusal)
    assert other.code == "key-used"


@pytest.mark.parametrize("by", ["\ud800", "a\nb", "x" * 201])
def test_a_sender_no_store_could_keep_is_refused(by: str) -> None:
    answer = opened(house()).send(c.Sit(seat=1, player="Ann", chips=1000), by=by)
    assert isinstance(answer, Refusal)
    assert answer.code == "bad-by"


@pytest.mark.parametrize("name", ["a\x1b[31mX", "two\nlines", "x" * 65, "a\u202eb"])
def test_a_name_that_could_forge_a_line_is_refused(name: str) -> None:
    answer = opened(house()).send(c.Sit(seat=1, player=name, chips=1000))
    assert isinstance(answer, Refusal)
    assert answer.code == "bad-name"


def test_a_record_is_checked_while_its_table_is_played(tmp_path: Path) -> None:
    where = str(tmp_path / "game.db")
    at = house(open_store(where))
    live = dealt_in(at)
    check = BackgroundCheck(where, "table:1", SIGNER.public).start()
    finished(live)
    report = check.wait(60)
    assert report is not None
    assert report.faults == ()
    at.store.close()
    stopped = BackgroundCheck(str(tmp_path / "none.db"), "table:1", SIGNER.public).start()
    stopped.wait(60)
    assert stopped.done
    assert stopped.error
