"""A live table: events are recorded before they are sent, repeated commands count once, a restart keeps the cards."""

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
from houseway.engine.codec import encode_state, read_state
from houseway.engine.command_helpers import Answer
from houseway.engine.evolve import evolve
from houseway.engine.fold_registry import FOLDS
from houseway.engine.players_cut import commitment
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.turn_order import turn
from houseway.live import Accepted, LiveTable, TableServices
from houseway.live.background_check import BackgroundCheck
from houseway.live.live_table import UnbalancedError
from houseway.live.table_shoes import Shoes, TypedShoes
from houseway.rules.loader import load, rulebook_from_text, rulebook_ids
from houseway.shoe import EntropyError, SeededEntropy, TypedShoe
from record.recorded import SIGNER, Recorded, house, recorded
from scripted import Scripted

SALT = "0123456789abcdef0123456789abcdef"


def open_live(
    at: TableServices, rulebook: str = "uth-ma", stream: str = "table:1", **options: Any
) -> LiveTable:
    book = load(rulebook)
    maker = options.pop("maker", None)
    opening = c.OpenTable(designated=(book.game,), backs=("red",), examples=True)
    live = LiveTable.open(at, stream, book, options, opening, maker)
    assert isinstance(live, LiveTable), live
    return live


def must(answer: Accepted | Refusal | None) -> Accepted:
    assert isinstance(answer, Accepted), answer
    return answer


def open_betting(live: LiveTable) -> LiveTable:
    must(live.send(c.Sit(seat=1, player="Ann", chips=100_000)))
    live.advance()
    return live


def finish_round(live: LiveTable) -> LiveTable:
    """Play the round to its end; the player checks and folds."""
    for _ in range(200):
        if any(isinstance(event, e.RoundClosed) for answer in live.advance() for event in answer.events):
            return live
        acting = turn(live.table, live.state)
        assert acting is not None
        must(live.send(c.ActFor(by="supervisor", seat=acting[0])))
    raise AssertionError("the round does not end")


def bytes_of(at: TableServices, stream: str = "table:1") -> list[tuple[bytes, bytes, bytes]]:
    return [(s.public, s.sealed, s.chain) for s in at.store.entries(stream)]


# --- record first, then send ---


class Failing(MemoryStore):
    """A store whose append can fail, before or after the batch is stored."""

    fails = ""

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        if self.fails == "before":
            raise OSError("the disk is full")
        super().append(stream, after, batch)
        if self.fails == "after":
            raise OSError("the connection is lost")


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_failed_write_applies_the_command_once_or_not_at_all(when: str) -> None:
    store = Failing()
    live = open_betting(open_live(house(store)))
    store.fails = when
    bet = c.Bet(seat=1, wagers={"ante": 1000})
    with pytest.raises(OSError, match=r"disk|connection"):
        live.send(bet, key="b1")
    store.fails = ""
    answer = must(live.send(bet, key="b1"))
    assert answer.repeated == (when == "after")
    placed = [ev for s in store.entries("table:1") for ev in read_entry(s).events]
    assert sum(isinstance(event, e.WagersPlaced) for event in placed) == 1
    assert live.state.seats[1].chips == 100_000 - 2000


def test_every_event_is_recorded_before_it_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    live = open_live(house(store))
    heads: list[int] = []
    append = MemoryStore.append

    def checking_append(self: MemoryStore, stream: str, after: Head, batch: Batch) -> None:
        # The table does not change before the batch is written.
        heads.append(live.head.events)
        assert live.head == after
        append(self, stream, after, batch)

    monkeypatch.setattr(MemoryStore, "append", checking_append)
    for answer in live.advance():
        assert store.head("table:1") is not None
        assert answer.seq in [s.seq for s in store.entries("table:1")]
    assert heads


def test_a_command_that_would_create_money_is_never_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    live = open_betting(open_live(house()))
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


# --- idempotency keys ---


def test_a_repeated_key_counts_once_and_only_for_the_same_command() -> None:
    live = open_betting(open_live(house()))
    first = must(live.send(c.Bet(seat=1, wagers={"ante": 1000}), key="k"))
    again = must(live.send(c.Bet(seat=1, wagers={"ante": 1000}), key="k"))
    other = live.send(c.Bet(seat=1, wagers={"ante": 2000}), key="k")
    assert (again.repeated, again.seq, again.events) == (True, first.seq, first.events)
    assert isinstance(other, Refusal)
    assert other.code == "key-used"
    assert live.state.seats[1].chips == 98_000


def test_a_repeated_dealers_act_counts_once_although_its_cards_come_from_the_shoe() -> None:
    live = open_betting(open_live(house()))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    must(live.act())
    step = c.Perform(step="deal the first card to each player")
    first = must(live.send(step, key="d"))
    again = must(live.send(step, key="d"))
    assert again.repeated
    assert again.events == first.events


# --- the shoe ---


def test_cards_that_are_not_next_in_the_shoe_are_rejected() -> None:
    live = open_betting(open_live(house()))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    must(live.act())
    shoe = live.shoes.of("A")
    assert shoe is not None
    wrong = shoe.peek(2)[1:]
    answer = live.send(c.Perform(step="deal the first card to each player", cards=wrong))
    assert isinstance(answer, Refusal)
    assert answer.code == "not-from-the-shoe"


def test_the_seal_is_on_record_before_the_first_wager_and_the_cut() -> None:
    live = open_betting(open_live(house()))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    events = [ev for s in live.house.store.entries("table:1") for ev in read_entry(s).events]
    kinds = [type(event) for event in events]
    shuffled = next(event for event in events if isinstance(event, e.DeckShuffled))
    assert len(shuffled.seal) == 64
    assert kinds.index(e.DeckShuffled) < kinds.index(e.DeckCut) < kinds.index(e.WagersPlaced)
    assert live.state.round.seal == shuffled.seal


def test_the_players_cut_rearranges_the_cards_only_with_salt() -> None:
    dealt = {}
    for salt in ("", SALT, SALT[::-1]):
        live = open_betting(open_live(house()))
        if salt:
            committed = commitment(live.state.round.seal, 1, salt)
            must(live.send(c.CommitSalt(seat=1, commitment=committed, by="seat 1")))
        must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
        live.advance()
        if salt:
            must(live.send(c.OpenSalt(seat=1, salt=salt, by="seat 1")))
            live.advance()
        dealt[salt] = live.state.seats[1].hands[0].cards
    assert len(set(dealt.values())) == 3


def test_scripted_cards_are_dealt_in_order() -> None:
    live = open_betting(open_live(house(), maker=Scripted(["Ah Kd As Kc"])))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    live.advance()
    assert [str(card) for card in live.state.seats[1].hands[0].cards] == ["Ah", "As"]
    assert [str(card) for card in live.state.round.dealer] == ["Kd", "Kc"]


# --- resuming ---


class Reloading(Recorded):
    """A table that is reloaded from its record before every command."""

    def send(self, command: c.Command) -> Answer:
        self.live.reload()
        self.state = self.live.state
        return super().send(command)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_table_reloaded_before_every_command_plays_the_same_record(rulebook: str) -> None:
    records = []
    for kind in (Recorded, Reloading):
        at = house(every=40)
        for _ in kind(at, "table:1", rulebook, irregular=0.05).play(2):
            pass
        records.append(bytes_of(at))
    assert records[0] == records[1]
    assert len(records[0]) > 30


def test_seeded_games_repeat_to_the_byte_and_other_seeds_do_not() -> None:
    records = []
    for seed in ("a", "a", "b"):
        at = house(seed=seed)
        live = open_betting(open_live(at))
        must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
        finish_round(live)
        records.append(bytes_of(at))
    assert records[0] == records[1] != records[2]


def test_a_record_signed_by_another_server_is_not_resumed() -> None:
    at = house()
    open_betting(open_live(at))
    with pytest.raises(StoreError, match="another house's key"):
        LiveTable.resume(TableServices(at.store, Signer(bytes(32)), SeededEntropy(1)), "table:1")


def test_a_snapshot_of_another_version_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    at = house(every=10)
    live = deal_round(at)
    assert at.store.snapshots("table:1")
    monkeypatch.setattr("houseway.audit.snapshot_body.__version__", "9.9.9")
    assert LiveTable.resume(at, "table:1").state == live.state


def rewrite(at: TableServices, old: bytes, new: bytes) -> None:
    """Rewrite a record and its chain as an attacker without the signing key could."""
    record = at.store._records["table:1"]  # type: ignore[attr-defined]
    chain, changed = start("table:1"), 0
    for n, entry in enumerate(record.entries):
        changed += old in entry.public
        public = entry.public.replace(old, new)
        chain = link(chain, public)
        record.entries[n] = replace(entry, public=public, chain=chain)
    assert changed
    record.signed = replace(record.signed, head=replace(record.signed.head, chain=chain))


def test_a_forged_record_is_not_resumed() -> None:
    at = house()
    open_betting(open_live(at))
    rewrite(at, b'"chips":100000', b'"chips":990000')
    with pytest.raises(StoreError, match="signature of the record is invalid"):
        LiveTable.resume(at, "table:1")


def deal_round(at: TableServices) -> LiveTable:
    live = open_betting(open_live(at))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    live.advance()
    return live


def test_a_record_with_changed_hidden_cards_is_not_resumed() -> None:
    at = house()
    live = deal_round(at)
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


def test_a_record_with_a_changed_seed_is_not_resumed() -> None:
    at = house()
    deal_round(at)
    record = at.store._records["table:1"]  # type: ignore[attr-defined]
    record.secrets["table:1/1/A"] = bytes(32)
    with pytest.raises(StoreError, match="does not match its seal"):
        LiveTable.resume(at, "table:1")


def test_an_interrupt_after_the_append_counts_the_command_once(monkeypatch: pytest.MonkeyPatch) -> None:
    live = open_betting(open_live(house()))
    follow = Shoes.follow
    failing = True

    def interrupted(self: Shoes, *args: Any, **options: Any) -> None:
        if failing:
            raise KeyboardInterrupt
        follow(self, *args, **options)

    monkeypatch.setattr(Shoes, "follow", interrupted)
    bet = c.Bet(seat=1, wagers={"ante": 1000})
    with pytest.raises(KeyboardInterrupt):
        live.send(bet, key="b")
    failing = False
    assert must(live.send(bet, key="b")).repeated
    assert live.state.seats[1].chips == 98_000
    assert LiveTable.resume(live.house, live.stream).state == live.state


def test_a_changed_record_is_not_reloaded() -> None:
    at = house()
    live = open_betting(open_live(at))
    record = at.store._records["table:1"]  # type: ignore[attr-defined]
    at_dealer = next(n for n, one in enumerate(record.entries) if b"dealer" in one.public and n > 1)
    entry = record.entries[at_dealer]
    record.entries[at_dealer] = replace(entry, public=entry.public.replace(b"dealer", b"Dealer"))
    with pytest.raises(StoreError, match=f"event {entry.seq} has been changed"):
        live.reload()


def test_a_missing_record_cannot_be_resumed() -> None:
    with pytest.raises(StoreError, match=r"no record of table:9; on record: none"):
        LiveTable.resume(house(), "table:9")


# --- state from the record ---


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_applying_the_recorded_events_gives_the_live_state_after_every_event(rulebook: str) -> None:
    """20,000 events per rulebook, a hundred thousand in total."""
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
    return hashlib.sha256(encode_state(state)).digest()


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_state_survives_a_round_trip_byte_for_byte(rulebook: str) -> None:
    for played in recorded(rulebook, rounds=0, irregular=0.1).play(4):
        for state in played.states:
            text = encode_state(state)
            assert read_state(text) == state
            assert encode_state(read_state(text)) == text


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_rulebook_is_restored_from_its_text(rulebook: str) -> None:
    book = load(rulebook)
    again = rulebook_from_text(book.text)
    for field in fields(book):
        assert getattr(again, field.name) == getattr(book, field.name), field.name
    assert list(again.wagers) == list(book.wagers)
    assert again.hash == hashlib.sha256(book.text.encode()).hexdigest()


def test_a_table_of_a_house_rulebook_resumes_from_the_recorded_text(tmp_path: Path) -> None:
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


def test_a_resumed_table_has_the_terms_the_house_chose() -> None:
    chosen: dict[str, Any] = {"tables": {"trips": "B"}, "limits": {"ante": {"min": "5", "max": "100"}}}
    at = house()
    live = open_live(at, **chosen)
    again = LiveTable.resume(at, "table:1")
    assert again.table.terms.recorded == live.table.terms.recorded
    assert again.table.terms.chosen == chosen
    assert again.state.unoffered == live.state.unoffered


def test_a_resumed_shadow_table_knows_the_typed_cards() -> None:
    typed = iter(["Ah Kd 2c", "Ah 3c", "4c 3c"])
    errors: list[str] = []
    maker = TypedShoes(lambda decks: TypedShoe(decks, lambda count, place: next(typed), errors.append))
    at = house()
    live = open_betting(open_live(at, maker=maker))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    for _ in range(12):
        if live.state.round.board:
            break
        if live.act() is None:
            must(live.send(c.Check(seat=1)))
    # Cards dealt face down or burned are not asked for.
    assert [str(card) for card in live.state.round.dealer] == ["??", "??"]
    again = LiveTable.resume(at, "table:1", maker)
    assert again.state == live.state
    must(again.send(c.Check(seat=1)))
    # The ace of hearts is on the board, so the cards are requested again.
    must(again.act())
    must(again.act())
    assert errors == ["the ace of hearts (Ah) has been dealt already, and the deck has only one"]
    assert [str(card) for card in again.state.round.board] == ["Ah", "Kd", "2c", "4c", "3c"]


class FailingSource:
    """A source of randomness that fails after `draws` draws."""

    live = True

    def __init__(self, draws: int) -> None:
        self.draws = draws

    def draw(self, count: int) -> bytes:
        if not self.draws:
            raise EntropyError("the source has run dry")
        self.draws -= 1
        return bytes(count)

    def named(self, name: str) -> FailingSource:
        return self


def test_without_randomness_no_table_opens() -> None:
    at = TableServices(MemoryStore(), SIGNER, FailingSource(0))
    with pytest.raises(EntropyError):
        open_live(at)
    assert at.store.streams() == []


def test_without_randomness_no_deck_is_shuffled_and_the_table_is_unchanged() -> None:
    at = TableServices(MemoryStore(), SIGNER, FailingSource(1))
    live = open_live(at)
    must(live.send(c.Sit(seat=1, player="Ann", chips=100_000)))
    with pytest.raises(EntropyError):
        live.advance()
    assert not any(
        isinstance(ev, e.DeckShuffled) for s in at.store.entries("table:1") for ev in read_entry(s).events
    )
    assert (
        LiveTable.resume(TableServices(at.store, SIGNER, SeededEntropy(1)), "table:1").state == live.state
    )


@pytest.mark.parametrize("key", ["a\0b", "\ud800", "k" * 201, "two\nlines"])
def test_a_key_that_cannot_be_stored_is_rejected(key: str) -> None:
    answer = open_live(house()).send(c.Sit(seat=1, player="Ann", chips=1000), key=key)
    assert isinstance(answer, Refusal)
    assert answer.code == "bad-key"


def test_a_typed_act_with_its_cards_requests_none() -> None:
    def ask(count: int, place: str) -> str:
        raise AssertionError("no card should be requested")

    maker = TypedShoes(lambda decks: TypedShoe(decks, ask, print))
    live = open_betting(open_live(house(), maker=maker))
    must(live.send(c.Bet(seat=1, wagers={"ante": 1000})))
    must(live.act())
    must(live.send(c.Perform(step="deal the first card to each player", cards=cards("Ah"))))
    assert [str(card) for card in live.state.seats[1].hands[0].cards] == ["Ah"]


def test_a_key_belongs_to_its_sender() -> None:
    live = open_betting(open_live(house()))
    bet = c.Bet(seat=1, wagers={"ante": 1000}, by="seat 1")
    must(live.send(bet, key="k", by="ann"))
    other = live.send(bet, key="k", by="bob")
    assert isinstance(other, Refusal)
    assert other.code == "key-used"


@pytest.mark.parametrize("by", ["\ud800", "a\nb", "x" * 201])
def test_a_sender_that_cannot_be_stored_is_rejected(by: str) -> None:
    answer = open_live(house()).send(c.Sit(seat=1, player="Ann", chips=1000), by=by)
    assert isinstance(answer, Refusal)
    assert answer.code == "bad-by"


@pytest.mark.parametrize("name", ["a\x1b[31mX", "two\nlines", "x" * 65, "a\u202eb"])
def test_a_name_with_control_characters_or_too_many_letters_is_rejected(name: str) -> None:
    answer = open_live(house()).send(c.Sit(seat=1, player=name, chips=1000))
    assert isinstance(answer, Refusal)
    assert answer.code == "bad-name"


def test_a_record_is_checked_while_its_table_is_played(tmp_path: Path) -> None:
    where = str(tmp_path / "game.db")
    at = house(open_store(where))
    live = deal_round(at)
    check = BackgroundCheck(where, "table:1", SIGNER.public).start()
    finish_round(live)
    report = check.wait(60)
    assert report is not None
    assert report.faults == ()
    at.store.close()
    stopped = BackgroundCheck(str(tmp_path / "none.db"), "table:1", SIGNER.public).start()
    stopped.wait(60)
    assert stopped.done
    assert stopped.error
