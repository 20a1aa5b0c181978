"""A live table: it decides commands, records them, and only then reports the result.

The order never changes: decide, check that the money balances, append durably, update the state. If the
process dies, the record is enough to continue the round with the same cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway import __version__
from houseway.audit.entries import RecordEntry, StoredEntry, compose, link, read_entry
from houseway.audit.record_header import NONCES, recorded_entry, recorded_table
from houseway.audit.signatures import is_genuine
from houseway.audit.snapshot_body import read_snapshot, write_snapshot
from houseway.audit.store import Batch, Head, SignedHead, Snapshot, StaleHeadError, StoreError
from houseway.audit.streams import HOUSE, PERSON
from houseway.audit.times import entry_time
from houseway.cards import UNSEEN
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import encode_state, read_state
from houseway.engine.deal_acts import cards_out
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve
from houseway.engine.irregularities import cards_off_deck
from houseway.engine.ledger_moves import ACCOUNT, METER, is_ledger
from houseway.engine.refusals import Refusal
from houseway.engine.state import COMMITTED, State, total
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.engine.turn_order import due, other_deck
from houseway.engine.unseen_cards import with_unseen
from houseway.live.amount_limits import too_large
from houseway.live.dealer_commands import dealers_command
from houseway.live.hand_checks import hand_unseen
from houseway.live.opening_checks import check_opening
from houseway.live.table_ledgers import TableLedgers
from houseway.live.table_services import TableServices
from houseway.live.table_shoes import SavedShoes, SealedShoes, Shoes, ShoeSource
from houseway.rules.rulebook import Rulebook

ASK = "run `houseway audit verify` to see what is wrong"
SECRET = 32
OFF_DECK = (c.Report, c.DealExtra, c.DealShort)
"""Commands, other than the dealer's steps, that may take cards off the deck."""
ATTEMPTS = 20
"""The most attempts to decide a command, if other tables keep changing its ledgers first."""
LONGEST = 200
"""The most characters in a sender's name or in a command's key."""


class UnbalancedError(AssertionError):
    """A command's events would create or lose money. They are never recorded."""


class Accepted(msgspec.Struct, frozen=True):
    """The events of a command, once they are on record."""

    seq: int
    """The number of its first event."""
    events: tuple[e.Event, ...]
    states: tuple[State, ...] = ()
    """The table right after each event; empty if the command was already on record."""

    @property
    def repeated(self) -> bool:
        """True if the command was already on record, so nothing was done."""
        return bool(self.events) and not self.states

    def walk(self) -> Iterator[tuple[e.Event, State]]:
        """Yield each new event with the table right after it."""
        return zip(self.events, self.states, strict=not self.repeated)


class _PendingBatch:
    """The parts of the next batch. It is written completely or not at all."""

    def __init__(self) -> None:
        self.entries: list[StoredEntry] = []
        self.texts: dict[str, str] = {}
        self.secrets: dict[str, bytes] = {}
        self.snapshot: Snapshot | None = None
        self.closes = False
        """True if the batch closes the table."""
        self.log = 0
        """The number of the house log's event that opens the table; 0 if the batch does not open it."""

    @property
    def head(self) -> Head:
        """The head of the record once the batch is written."""
        return Head(self.entries[-1].last, self.entries[-1].chain)

    def keyed(self, key: str) -> StoredEntry | None:
        """Return the entry recorded under a key."""
        return next((stored for stored in self.entries if stored.key == key), None)


class LiveTable:
    """One table, its shoes and its record."""

    def __init__(
        self, house: TableServices, stream: str, table: Table, maker: ShoeSource | None = None
    ) -> None:
        self.house = house
        self.stream = stream
        self.table = table
        self.state = State()
        self.head = Head.first(stream)
        self._recorded = self.head
        """The head of the stored record. Inside `together`, `head` already counts events not yet stored."""
        self.signed: SignedHead | None = None
        """The signed head of the stored record."""
        self._at = ""
        """The time of the last entry."""
        self._waiting = _PendingBatch()
        self._together = False
        self._unknown = ""
        """The key looked up last, if the record does not have it."""
        self._maker = maker or SealedShoes(house.entropy)
        self.shoes = self._shoes()
        self._ledgers = TableLedgers(house, stream)
        self._nonces = b""
        self._saved = 0
        """The number of events that the last snapshot covers."""
        self.acted = 0
        """The number of the last event other than a new reading of the linked meter."""
        self.unsure = False
        """True if the record may have events that this process has not read."""
        self._fence = house.fence(stream)
        """The fencing number of the lease under which this object was made."""

    def _shoes(self) -> Shoes:
        return Shoes(self.stream, self.table.book.ranking.decks, self._maker, self._secret)

    # --- open and resume ---

    @classmethod
    def open(
        cls,
        house: TableServices,
        stream: str,
        book: Rulebook,
        given: Mapping[str, Any],
        opening: c.OpenTable,
        maker: ShoeSource | None = None,
        link: str = "",
    ) -> LiveTable | Refusal:
        """Open a table with a new record. `given` has its mode, pay tables, limits and house settings, in
        the form that `houseway settle` reads. `link` names a linked meter, which is opened if it is new.
        Players commit to their salts for the cut, unless `opening` says that they add them in the clear."""
        if is_ledger(stream) or stream.startswith((HOUSE, PERSON)):
            reserved = f"names that start with {METER}, {ACCOUNT}, {PERSON} or {HOUSE} are for the house"
            sentence = f"{stream} cannot be a table: {reserved}"
            return Refusal("bad-table", None, stream, sentence)
        if house.store.head(stream) is not None:
            return Refusal(
                "record-there", None, stream, f"{stream} already has a record; resume it instead"
            )
        terms, refused = read_terms(book, given)
        refused = refused or terms.open_modes() or terms.open_minima(examples=opening.examples)
        if refused:
            return refused[0]
        if (wrong := check_opening(Table(terms), opening)) is not None:
            return wrong
        for attempt in range(ATTEMPTS):
            live = cls(house, stream, Table(terms), maker)
            live._nonces = house.entropy.named(f"{stream}/{NONCES}").draw(SECRET)
            linked = live._ledgers.link(link) if link else opening.link
            if isinstance(linked, Refusal):
                return linked
            try:
                cut = opening.players_cut or COMMITTED
                answer = live._send(replace(opening, link=linked, players_cut=cut))
                return answer if isinstance(answer, Refusal) else live
            except StaleHeadError as error:
                # Another table has opened or changed the meter since it was read.
                if error.stream == stream or attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError("unreachable")

    @classmethod
    def resume(cls, house: TableServices, stream: str, maker: ShoeSource | None = None) -> LiveTable:
        """Resume a table at the end of its record; raise StoreError if that is impossible."""
        first = next(iter(house.store.entries(stream)), None)
        if first is None:
            known = ", ".join(house.store.streams()) or "none"
            raise StoreError(f"there is no record of {stream}; on record: {known}")
        live = cls(house, stream, recorded_table(house.store, recorded_entry(first)), maker)
        live.reload()
        return live

    def reopened(self) -> LiveTable:
        """Return a new object for the same table, read from the record.

        Use it if a thread may still be at work with this object.
        """
        return LiveTable.resume(self.house, self.stream, self._maker)

    def reload(self) -> None:
        """Read the record again: the last snapshot that the house signed, then each later entry."""
        # If a read fails, the table must not be used until it has been read again.
        self.unsure = True
        store = self.house.store
        nonces, signed = store.secret(self.stream, NONCES), store.head(self.stream)
        if nonces is None or signed is None:
            raise StoreError(
                f"{self.stream}: the record has no secrets, so it can be read but not continued"
            )
        if signed.key != self.house.signer.public:
            sentence = "the record is signed with another house's key; use that key file to continue"
            raise StoreError(f"{self.stream}: {sentence}")
        if not is_genuine(self.stream, signed):
            raise StoreError(f"{self.stream}: the signature of the record is invalid; {ASK}")
        self._nonces, self._saved, self._unknown = nonces, 0, ""
        self._ledgers.clear()
        self.shoes = self._shoes()
        self.state, self.head, self._waiting = State(), Head.first(self.stream), _PendingBatch()
        snapshot = store.snapshot(self.stream)
        ours = snapshot is not None and snapshot.signed.key == self.house.signer.public
        if snapshot is not None and ours and is_genuine(self.stream, snapshot.signed, snapshot.body):
            body = read_snapshot(snapshot.body)
            if body.current:
                self.state, self.head = read_state(bytes(body.state)), snapshot.signed.head
                self.shoes.restore(msgspec.json.decode(body.shoes, type=SavedShoes))
                self._saved = self.head.events
        for stored in store.entries(self.stream, self.head.events):
            if link(self.head.chain, stored.public) != stored.chain:
                raise StoreError(f"{self.stream}: event {stored.seq} has been changed; {ASK}")
            entry = self._whole(stored)
            for event in entry.events:
                self._follow(event, evolve(self.state, event), past=True)
            self._at = entry.at
            self.head = Head(stored.last, stored.chain)
        if self.head != signed.head:
            raise StoreError(f"{self.stream}: the record does not end at its signed head; {ASK}")
        broken = self.shoes.broken(self.state)
        if broken:
            raise StoreError(f"{self.stream}: the stored seed of {broken} does not match its seal; {ASK}")
        if self.state.decks:
            self.shoes.remember(self.state.playing.name, cards_out(self.state))
        self._recorded, self.unsure, self.acted = self.head, False, self.head.events
        self.signed = signed

    def _whole(self, stored: StoredEntry) -> RecordEntry:
        """Return an entry with its hidden cards; raise StoreError if they do not match the entry."""
        try:
            entry = read_entry(stored)
        except ValueError as error:
            raise StoreError(f"{self.stream}: {error}; {ASK}") from error
        if entry.seal and not stored.sealed:
            raise StoreError(f"{self.stream}: the hidden cards of event {stored.seq} are missing; {ASK}")
        return entry

    # --- commands ---

    def send(self, command: c.Command, key: str = "", by: str = "") -> Accepted | Refusal:
        """Answer a command. Its events are durable when this returns, or at the end of `together`.

        A command that is sent again with the same key gets the recorded answer and has no further effect. A
        dealer's act may leave out its cards and its seal: they come from the shoe.

        If another table changes the linked meter or an account first, the command is decided again. Inside
        `together`, the caller must send it again, and must call `sync` before the first command.
        """
        for attempt in range(ATTEMPTS):
            try:
                if not self._together:
                    self.sync()
                return self._send(command, key, by)
            except StaleHeadError as error:
                if self._together or error.stream == self.stream or attempt == ATTEMPTS - 1:
                    raise
                self.unsure = True
        raise AssertionError("unreachable")

    def sync(self) -> Accepted | None:
        """Update the table to the current amounts of the linked meter; return None if nothing changed."""
        if self.unsure:
            self.reload()
        command = (
            self._ledgers.sync(self.state) if self.state.link and self.state.section != "closed" else None
        )
        answer = self._send(command) if command is not None else None
        if isinstance(answer, Refusal):
            raise StoreError(f"{self.stream}: the linked meter cannot be read: {answer.message}")
        return answer

    def _send(self, command: c.Command, key: str = "", by: str = "") -> Accepted | Refusal:
        """Answer a command with the linked meter as it was last read."""
        if self.unsure:
            self.reload()
        by = by or command.by
        for what, text in (("key", key), ("by", by)):
            if not (isinstance(text, str) and text.isprintable() and len(text) <= LONGEST):
                sentence = f"{what} must be at most {LONGEST} printable characters"
                return Refusal(f"bad-{what}", None, what, sentence)
        known = self.keyed(key) if key else None
        if known is not None:
            return self._again(self._whole(known), command, by)
        refused = too_large(command) or hand_unseen(self.table, self.state, command)
        if refused is not None:
            return refused
        command = self._filled(command)
        events = decide(self.table, self.state, command)
        if isinstance(events, Refusal):
            return events
        states = tuple(accumulate(events, evolve, initial=self.state))[1:]
        answer = Accepted(self.head.events + 1, events, states)
        if not events:
            return answer
        after = states[-1]
        wrong = self._not_from_the_shoe(command, after)
        if wrong is not None:
            return wrong
        if total(after) != total(self.state):
            raise UnbalancedError(
                f"{type(command).__name__} would create or destroy money, so it was not recorded"
            )
        # If anything fails from here on, the record decides what happened.
        self.unsure = True
        at = self._compose(command, events, key, by)
        self._ledgers.move(self.table, answer.seq, at, self.state, answer.walk())
        head = self._waiting.head
        if not self._together:
            self._append()
        self.head = head
        for event, state in answer.walk():
            self._follow(event, state)
        self.unsure = False
        if not isinstance(command, c.SyncMeters):
            self.acted = self.head.events
        return answer

    def keyed(self, key: str) -> StoredEntry | None:
        """Return the entry recorded under a key."""
        if key == self._unknown:
            return None
        entry = self._waiting.keyed(key) or self.house.store.keyed(self.stream, key)
        self._unknown = "" if entry else key
        return entry

    @contextmanager
    def together(self) -> Iterator[None]:
        """At the end of the block, record all commands sent inside it, or none of them.

        Viewers must not see the events earlier. If the events cannot be written, the table returns to its
        state before the block until the record is read again.
        """
        if self._together:
            yield
            return
        self._together, before = True, (self.state, self.head)
        try:
            yield
        finally:
            self._together = False
            try:
                # An answer is recorded as a whole or not at all.
                if self._waiting.entries and not self.unsure:
                    self.unsure = True
                    self._append()
                    self.unsure = False
            finally:
                if self.unsure:
                    self.state, self.head = before
        if self.unsure:
            raise StoreError(
                f"{self.stream}: the last commands could not be recorded; read the record again"
            )

    def dealers_command(self) -> c.Command | None:
        """Return the automatic dealer's next act; None while the table waits for a person."""
        return dealers_command(self.table, self.state)

    def act(self) -> Accepted | Refusal | None:
        """Perform the automatic dealer's next act; return None while the table waits for a person."""
        command = self.dealers_command()
        return None if command is None else self.send(command)

    def advance(self) -> list[Accepted]:
        """Perform the dealer's acts until the table waits for a person or the round is closed."""
        done: list[Accepted] = []
        while isinstance(answer := self.act(), Accepted):
            done.append(answer)
            if any(isinstance(event, e.RoundClosed) for event in answer.events):
                break
        if isinstance(answer, Refusal):
            raise StoreError(f"{self.stream}: the dealer cannot continue: {answer.message}")
        return done

    def _filled(self, command: c.Command) -> c.Command:
        """Return a command with the values that the table fills in.

        A dealer's act or report gets its cards and its seal from the shoe, unless it has them. A player who
        sits down gets the chips of the account.
        """
        if isinstance(command, c.Sit) and command.account and not command.chips:
            return self._ledgers.with_chips(command)
        if isinstance(command, OFF_DECK):
            return self._with_next_cards(command)
        now = due(self.table, self.state)
        if not isinstance(command, c.Perform) or now is None or command.step != now.step.name:
            return command
        deck = self.state.decks[now.deck].name
        if now.step.act == "shuffle":
            return replace(command, seal=self.shoes.shuffle(deck).seal)
        if now.step.act == "shuffle other deck":
            deck = self.state.decks[other_deck(self.state)].name
            return replace(command, seal=self.shoes.shuffle(deck).seal)
        in_play = self.shoes.of(deck)
        if in_play is None:
            return command
        if now.step.act == "open":
            return replace(command, seal=in_play.seal)
        act = next_act(self.table, self.state)
        if act is not None and act.cards and act.step == command.step and not command.cards:
            if not self._maker.knows and not now.step.face_up:
                # At a real table, nobody sees the cards that are dealt face down or burned.
                return replace(command, cards=(UNSEEN,) * act.cards)
            return replace(command, cards=in_play.peek(act.cards, now.step.name))
        return command

    def _with_next_cards(self, command: c.Report | c.DealExtra | c.DealShort) -> c.Command:
        """Return a report with the cards that it takes off the deck, unless it names them."""
        shoe = self.shoes.of(self.state.playing.name) if self.state.decks else None
        if shoe is not None and not self._maker.knows:
            return with_unseen(self.table, self.state, command)
        if shoe is None or command.cards:
            return command
        count = cards_off_deck(self.table, self.state, command)
        return replace(command, cards=shoe.peek(count)) if 0 < count <= shoe.left else command

    def _not_from_the_shoe(self, command: c.Command, after: State) -> Refusal | None:
        """Return a refusal if the command's cards are not the next ones in the shoe."""
        for old, new in zip(self.state.decks, after.decks, strict=False):
            shoe = self.shoes.of(new.name)
            if new.used <= old.used or shoe is None or not self._maker.knows:
                continue
            if getattr(command, "cards", ()) != shoe.peek(new.used - old.used):
                sentence = "these are not the next cards of the shoe"
                return Refusal("not-from-the-shoe", None, type(command).__name__, sentence)
        return None

    def _again(self, entry: RecordEntry, command: c.Command, by: str) -> Accepted | Refusal:
        """Return the recorded answer to a key, if the command and its sender are the same."""
        recorded = entry.command
        if isinstance(command, c.Perform) and isinstance(recorded, c.Perform):
            # Cards and seals that the command left out came from the shoe.
            cards = recorded.cards if command.cards else ()
            recorded = replace(recorded, cards=cards, seal=recorded.seal if command.seal else "")
            command = replace(command, name=recorded.name) if entry.by == by else command
        elif isinstance(recorded, OFF_DECK) and not getattr(command, "cards", ()):
            recorded = replace(recorded, cards=())
        if isinstance(command, c.Sit) and isinstance(recorded, c.Sit) and not command.chips:
            # The chips came from the account.
            recorded = replace(recorded, chips=0)
        if recorded != command or entry.by != by:
            sentence = f"the key {entry.key!r} belongs to another command; use a new key"
            return Refusal("key-used", None, entry.key, sentence)
        return Accepted(entry.seq, entry.events)

    # --- the record ---

    def _compose(self, command: c.Command, events: tuple[e.Event, ...], key: str, by: str) -> str:
        """Add the entry of a command to the batch; return its time."""
        seq = self.head.events + 1
        self._at, clock = entry_time(self.house.clock(), self._at)
        waiting, self._unknown = self._waiting, ""
        if seq == 1 and self.house.log is not None:
            waiting.log = self.house.log.next_event()
        entry = RecordEntry(
            seq=seq,
            at=self._at,
            clock=clock,
            by=by,
            key=key,
            engine=__version__,
            fence=self._fence,
            command=command,
            events=events,
            log=waiting.log,
        )
        stored = compose(self.head.chain, self._nonces, entry)
        waiting.entries.append(stored)
        waiting.closes = waiting.closes or any(isinstance(event, e.TableClosed) for event in events)
        if self.shoes.fresh is not None and any(isinstance(event, e.DeckShuffled) for event in events):
            name, seed, _ = self.shoes.fresh
            waiting.secrets[name] = seed
        if seq == 1:
            waiting.secrets[NONCES] = self._nonces
            waiting.texts[self.table.book.hash] = self.table.book.text
        snapshot = self._snapshot()
        if snapshot is not None:
            waiting.snapshot, self._saved = snapshot, self.head.events
        return self._at

    def _append(self) -> None:
        """Write the batch to the store; it is durable when this returns."""
        waiting, self._waiting = self._waiting, _PendingBatch()
        signed = self.house.signer.head(self.stream, waiting.head)
        also, log = self._ledgers.take(), self.house.log
        heads = {name: part.signed.head for name, _, part in also}
        new = {name: heads[name] for name, after, _ in also if not after.events}
        new |= {} if self._recorded.events else {self.stream: waiting.head}
        batch = Batch(
            entries=waiting.entries,
            signed=signed,
            texts=waiting.texts,
            secrets=waiting.secrets,
            snapshot=waiting.snapshot,
            fence=self._fence,
            also=[*also, log.opening(new, waiting.log)] if log is not None and new else also,
        )
        self.house.store.append(self.stream, self._recorded, batch)
        self._recorded, self.signed = waiting.head, signed
        if log is not None:
            log.note(self.stream, waiting.head, closed=waiting.closes)
            for name, head in heads.items():
                log.note(name, head)

    def _snapshot(self) -> Snapshot | None:
        """Return a snapshot of the table if one is due; it is written with the next entry."""
        if self.head.events < self._saved + self.house.snapshot_every:
            return None
        body = write_snapshot(encode_state(self.state), msgspec.json.encode(self.shoes.saved()))
        return self.house.signer.snapshot(self.stream, self.head, body)

    def _follow(self, event: e.Event, after: State, *, past: bool = False) -> None:
        self.shoes.follow(event, self.state, after, past=past)
        self.state = after

    def _secret(self, name: str) -> bytes:
        secret = self._waiting.secrets.get(name) or self.house.store.secret(self.stream, name)
        if secret is None:
            raise StoreError(f"{self.stream}: the seed of {name} is missing, so no more cards can be dealt")
        return secret
