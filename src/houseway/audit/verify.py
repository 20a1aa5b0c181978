"""Verify a record: replay it from nothing and name everything that is not as it must be.

What is there is checked; what was not there to check is said. A record verifies without its sealed parts
and without the house's secrets, only to a lesser depth.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import chain, pairwise, zip_longest

import msgspec

from houseway import __version__
from houseway.audit.chain import Chain, Fault
from houseway.audit.entries import (
    RecordEntry,
    SealError,
    Stored,
    nonce,
    read_entry,
    read_public,
    read_sealed,
)
from houseway.audit.record_header import NONCES, recorded_opening, recorded_table
from houseway.audit.resettlement import RoundData, disagreement
from houseway.audit.round_sums import wrong_sum
from houseway.audit.shoe_check import SealedShoes
from houseway.audit.signatures import genuine
from houseway.audit.store import MANY, DamagedError, Head, Signed, Store, StoreError
from houseway.engine import events as e
from houseway.engine.codec import apart, card_out, hidden_fields, written, written_state
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve
from houseway.engine.refusals import Refusal
from houseway.engine.state import State, total
from houseway.engine.table import Table
from houseway.wording import several

Progress = Callable[[int, int], None]
"""Told how many events are checked, and of how many."""

MONEY = (e.WagerSettled, e.WagersReturned, e.PaymentCorrected, e.MeterFed, e.RoundClosed)
"""Events whose forging is a forged payment."""


class VerificationReport(msgspec.Struct, frozen=True):
    """What verifying a record has shown."""

    stream: str
    events: int
    rounds: int
    """Rounds closed."""
    settled_again: int
    """Rounds settled a second time, by themselves."""
    key: str
    """The public key its head is signed with."""
    faults: tuple[Fault, ...]
    lacked: tuple[str, ...]
    """What could not be checked, and why."""
    notes: tuple[str, ...] = ()
    head: str = ""
    """EVENTS:CHAIN of its head: who notes it can tell later whether a record goes on from there."""

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong with what there was to check."""
        return not self.faults


def verify(
    store: Store,
    stream: str,
    *,
    key: bytes | None = None,
    at_least: Head | None = None,
    progress: Progress | None = None,
) -> VerificationReport:
    """Check the record of a table from its first event to its signed head.

    `key` is the house's public key, as the reader knows it; without it that on record is taken. `at_least`
    is a head noted earlier, from which the record must go on. StoreError where there is no such record.
    """
    try:
        signed = store.head(stream)
        if signed is None:
            return _without_head(store, stream)
        replay = _Replay(store, stream, signed, at_least)
    except DamagedError as error:
        return _unread(stream, str(error))
    for stored, then in pairwise(chain(store.everything(stream), (None,))):
        assert stored is not None
        if stored.seq > replay.signed.head.events:
            # Written since, and its head with it; or put there without one.
            replay.signed = store.head(stream) or signed
        replay.take(stored, then)
        if progress is not None:
            progress(stored.last, replay.signed.head.events)
    return replay.report(key)


def _without_head(store: Store, stream: str) -> VerificationReport:
    """The report of a record whose head was taken out; StoreError where there is nothing at all."""
    if stream in store.strays():
        return _unread(stream, "entries, secrets or snapshots are kept under this name, and no head")
    known = ", ".join(store.streams()) or "none"
    raise StoreError(f"there is no record of {stream}; on record: {known}")


def _unread(stream: str, sentence: str) -> VerificationReport:
    return VerificationReport(
        stream, 0, 0, 0, "", (Fault(0, "head", sentence),), ("nothing else was checked",)
    )


class _Replay:
    """A record replayed as far as it has been read."""

    def __init__(self, store: Store, stream: str, signed: Signed, noted: Head | None) -> None:
        self._store = store
        self._stream = stream
        self.signed = signed
        """The head it must end at."""
        self._noted = noted
        """The head it must go on from, until it has come past it."""
        self._chain = Chain(stream)
        self._faults: list[Fault] = []
        self._table: Table | None = None
        self._state = State()
        self._shoes = SealedShoes(stream, self._seed)
        self._round: RoundData | None = None
        self._stopped = 0
        """The event from which on nothing can be played again."""
        self._blind = 0
        """The first event whose hidden cards are not there."""
        self._keys: dict[str, int] = {}
        self._versions: set[str] = set()
        self._engine = ""
        self._uncompared = 0
        """Snapshots of other versions, whose tables are written otherwise."""
        self._snapshots = set(store.snapshots(stream))
        self._text_missing = False
        self._nonces = store.secret(stream, NONCES)
        self._rounds = self._settled = 0

    # --- entry by entry ---

    def take(self, stored: Stored, then: Stored | None) -> None:
        """Check the next entry."""
        try:
            entry = read_public(stored.public)
        except ValueError as error:
            entry, unread = None, str(error)
        misplaced = self._chain.take(stored, entry, then)
        self._faults += misplaced
        if entry is None or self._chain.broken:
            self._stop(stored.seq)
        if entry is None:
            if not misplaced:
                self._fault(stored.seq, "unreadable", f"event {stored.seq} cannot be read: {unread}")
            return
        says, kept = (entry.seq, len(entry.events), entry.key), (stored.seq, stored.count, stored.key)
        if not misplaced and says != kept:
            self._fault(stored.seq, "changed", f"number or key kept for event {stored.seq} are not its own")
        self._engine = entry.engine
        self._versions.add(entry.engine)
        self._keyed(entry)
        whole = self._opened(stored, entry)
        if not self._stopped:
            self._play(whole, stored.public if not misplaced else b"")
        if self._chain.head == self._noted:
            self._noted = None
        at = self._chain.head.events
        if at in self._snapshots:
            self._snapshots.discard(at)
            if wrong := self._wrong_snapshot(self._chain.head):
                self._fault(at, "snapshot", wrong)

    def _fault(self, seq: int, code: str, message: str) -> None:
        self._faults.append(Fault(seq, code, message))

    def _stop(self, seq: int) -> None:
        self._stopped = self._stopped or seq

    def _keyed(self, entry: RecordEntry) -> None:
        first = self._keys.setdefault(entry.key, entry.seq)
        if entry.key and first != entry.seq:
            sentence = f"the key {entry.key!r} counts twice: event {first} has it already"
            self._fault(entry.seq, "double-key", sentence)

    def _opened(self, stored: Stored, entry: RecordEntry) -> RecordEntry:
        """The entry with its hidden cards, where they are there and those that were sealed."""
        if not stored.sealed and not entry.seal:
            return entry
        wrong = ""
        if not stored.sealed and self._nonces is not None:
            # Who has the house's secrets has its hidden cards; an export for others has neither.
            wrong = "was taken out"
        elif stored.sealed:
            try:
                whole, hidden = read_entry(stored), read_sealed(stored.sealed)
            except SealError:
                wrong = "was changed"
            except (ValueError, TypeError) as error:
                wrong = f"cannot be read: {error}"
            else:
                numbered = 0 <= entry.seq < MANY
                own = nonce(self._nonces, entry.seq) if self._nonces is not None and numbered else ""
                if self._nonces is not None and hidden.nonce != own:
                    sentence = f"event {entry.seq} was sealed with another nonce than its own"
                    self._fault(entry.seq, "sealed", sentence)
                if not hidden.fits(entry):
                    sentence = f"the sealed part of event {entry.seq} holds what nobody hides"
                    self._fault(entry.seq, "sealed", sentence)
                return whole
        if wrong:
            self._fault(entry.seq, "sealed", f"the sealed part of event {entry.seq} {wrong}")
        self._blind = self._blind or entry.seq
        return entry

    # --- playing again ---

    def _play(self, entry: RecordEntry, public: bytes) -> None:
        """Decide a command again; `public` is what was written, unless that is known to be wrong."""
        self._table = self._table or self._open(entry)
        if self._table is None:
            self._stop(entry.seq)
            return
        if not self._blind and not self._decided(self._table, entry, public):
            self._stop(entry.seq)
            return
        before = self._state
        for n, event in enumerate(entry.events):
            try:
                self._follow(self._table, entry.seq + n, event)
            except Exception as error:  # whatever a forged event makes the engine stumble over
                sentence = f"event {entry.seq + n} cannot have happened at this table: {error!r}"
                self._fault(entry.seq + n, "events", sentence)
                self._stop(entry.seq)
                return
        cards = None if self._blind else getattr(entry.command, "cards", ())
        for wrong in self._shoes.dealt(before, self._state, cards):
            self._fault(entry.seq, "shoe", wrong)

    def _open(self, entry: RecordEntry) -> Table | None:
        try:
            opened = recorded_opening(entry)
            text = self._store.text(opened.hash)
            self._text_missing = text is None
            if text is not None and hashlib.sha256(text.encode()).hexdigest() != opened.hash:
                raise StoreError(f"the text kept for {opened.rulebook} is that of another rulebook")
            return recorded_table(self._store, entry)
        except StoreError as error:
            self._fault(entry.seq, "rulebook", str(error))
            return None

    def _seed(self, name: str) -> bytes | None:
        try:
            return self._store.secret(self._stream, name)
        except DamagedError as error:
            self._fault(self._chain.head.events, "secret", str(error))
            return None

    def _decided(self, table: Table, entry: RecordEntry, public: bytes) -> bool:
        """Whether the rules make of a command what is on record."""
        try:
            again = decide(table, self._state, entry.command)
        except Exception as error:  # whatever a forged record makes the engine stumble over
            sentence = f"the command at event {entry.seq} cannot be played: {error!r}"
            self._fault(entry.seq, "events", sentence)
            return False
        name = type(entry.command).__name__
        if isinstance(again, Refusal):
            sentence = f"the rules refuse {name} here ({again.clause or again.code}): {again.message}"
            self._fault(entry.seq, "refused", sentence)
            return False
        for n, (ours, theirs) in enumerate(zip_longest(again, entry.events)):
            if ours is None or theirs is None or written(ours) != written(theirs):
                code = "payment" if isinstance(ours, MONEY) or isinstance(theirs, MONEY) else "events"
                sentence = f"{name} leads to {_told(ours)}; on record is {_told(theirs)}"
                self._fault(entry.seq + n, code, sentence)
                return False
        if public and _public(entry) != public:
            self._fault(entry.seq, "changed", f"event {entry.seq} holds more than it says")
        return True

    def _follow(self, table: Table, seq: int, event: e.Event) -> None:
        before, self._state = self._state, evolve(self._state, event)
        if total(self._state) != total(before):
            self._fault(seq, "money", f"{_told(event)} makes or loses money")
        if wrong := wrong_sum(table, before, event):
            self._fault(seq, "payment", wrong)
        for sentence in self._shoes.follow(table, seq, event):
            self._fault(seq, "shoe", sentence)
        if isinstance(event, e.RoundOpened):
            self._round = RoundData(table.book, table.terms.chosen)
        if self._round is not None:
            self._round.take(event, before)
        if isinstance(event, e.RoundClosed):
            self._rounds += 1
            self._settle(table, seq)

    def _settle(self, table: Table, seq: int) -> None:
        played, self._round = self._round, None
        data = None if played is None or self._blind else played.data(self._state)
        if played is None or data is None:
            return
        self._settled += 1
        if wrong := disagreement(table.book, data, played.handed, self._state):
            self._fault(seq, "settlement", f"round {self._state.round.number}: {wrong}")

    # --- signatures ---

    def _wrong_snapshot(self, head: Head) -> str | None:
        """What is wrong with the snapshot at a head."""
        name = f"the snapshot at event {head.events}"
        try:
            found = self._store.snapshot(self._stream, head.events)
        except DamagedError as error:
            return str(error)
        if found is None or not genuine(self._stream, found.signed, found.body):
            return f"the signature under {name} is false"
        if found.signed.key != self.signed.key:
            return f"{name} is signed with another key than the head"
        if found.signed.head != head:
            return f"{name} is one of another record"
        if self._engine != __version__:
            self._uncompared += 1
            return None
        if self._stopped or self._blind:
            return None
        saved = self._shoes.saved()
        try:
            body = msgspec.json.decode(found.body, type=dict[str, msgspec.Raw])
            state, shoes = bytes(body["state"]), msgspec.json.decode(body["shoes"])
            kept = {deck: shoes["decks"].get(deck) for deck in saved["decks"]}
        except (ValueError, LookupError, TypeError, AttributeError):
            return f"{name} cannot be read"
        if state != written_state(self._state):
            return f"{name} shows another table than the record"
        if {"shuffles": shoes.get("shuffles"), "decks": kept} != saved:
            return f"{name} tells of other shoes than the record"
        return None

    def report(self, key: bytes | None) -> VerificationReport:
        """What was found, once the last entry is read."""
        signed = self.signed
        self._faults = self._chain.end(signed.head, self._faults)
        last = signed.head.events
        if key is not None and signed.key != key:
            self._fault(last, "signature", f"the head is signed with the key {signed.key.hex()}, not yours")
        elif not genuine(self._stream, signed):
            self._fault(last, "signature", "the signature under the head is false")
        if self._noted is not None and self._noted != Head.first(self._stream):
            noted = self._noted.events
            is_ = "another one" if noted <= self._chain.head.events else "not there"
            self._fault(noted, "rollback", f"event {noted}, up to which you noted the record, is {is_}")
        for at in sorted(self._snapshots):
            self._fault(at, "snapshot", f"there is a snapshot at event {at}, where no entry ends")
        # The house's secrets are there all or none: one alone has been taken out.
        some = self._nonces is not None or self._shoes.known
        if some and self._shoes.unknown:
            sentence = "the seed of a shoe is not there, though other secrets are"
            self._fault(self._shoes.unknown[0], "secret", sentence)
        if some and self._nonces is None:
            self._fault(1, "secret", "the secret behind the nonces is not there, though the seeds are")
        others = sorted(self._versions - {__version__})
        return VerificationReport(
            self._stream,
            self._chain.head.events,
            self._rounds,
            self._settled,
            signed.key.hex(),
            tuple(self._faults),
            tuple(self._lacked()),
            tuple(f"decided by houseway {version}, checked by {__version__}" for version in others),
            f"{signed.head.events}:{signed.head.chain.hex()}",
        )

    def _lacked(self) -> Iterator[str]:
        if self._text_missing:
            yield "the rulebook's text is not with the record; the bundled one of the same hash was used"
        if self._stopped:
            yield f"from event {self._stopped} on nothing was played again, for what is wrong there"
        if self._blind:
            checked = "chain, money and sums were checked, not what the rules make of the cards"
            yield f"hidden cards are not there from event {self._blind} on: {checked}"
        if self._uncompared:
            yield f"{self._uncompared} snapshots were taken by another version: only signatures checked"
        if self._shoes.unknown:
            shoes = several(len(self._shoes.unknown), "sealed shoe")
            yield f"the seeds of {shoes} are not there: their cards were not held against the seal"
        if self._shoes.unsealed:
            shoes = several(self._shoes.unsealed, "shoe")
            yield f"{shoes} had no seal: nothing tells in which order their cards lay"


_encoder = msgspec.json.Encoder(enc_hook=card_out)


def _public(entry: RecordEntry) -> bytes:
    """The public part of a whole entry, as it is written."""
    command, events = apart(entry.command)[0], tuple(apart(event)[0] for event in entry.events)
    return _encoder.encode(msgspec.structs.replace(entry, command=command, events=events))


def _told(event: e.Event | None) -> str:
    """An event for a person to read; hidden cards are the record's, and stay there."""
    if event is None:
        return "nothing"
    shown = [name for name in event.__struct_fields__ if name not in hidden_fields(event)]
    said = [f"{name} {value}" for name in shown if (value := getattr(event, name))]
    return f"{type(event).__name__} {', '.join(said)}".strip()
