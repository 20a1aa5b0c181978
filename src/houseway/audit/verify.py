"""Verify a record: replay it from the start and report every fault.

A record without its sealed parts or without the house's secrets can still be verified, but with fewer
checks. The report lists the checks that were not possible.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain, pairwise, zip_longest

import msgspec

from houseway import __version__
from houseway.audit.chain import Chain, Fault
from houseway.audit.cut_check import CutCheck
from houseway.audit.engine_resettlement import RoundData, difference
from houseway.audit.entries import (
    RecordEntry,
    SealError,
    StoredEntry,
    nonce,
    read_entry,
    read_public,
    read_sealed,
)
from houseway.audit.kept_heads import HeadCheck, KeptHead
from houseway.audit.record_header import NONCES, recorded_opening, recorded_table
from houseway.audit.round_sums import wrong_sum
from houseway.audit.shoe_check import RecordedShoes
from houseway.audit.signatures import is_genuine
from houseway.audit.snapshot_body import read_snapshot
from houseway.audit.store import MAX_EVENTS, DamagedError, Head, SignedHead, Store, StoreError
from houseway.audit.streams import HOUSE_LOG, is_personal
from houseway.audit.times import TimeCheck
from houseway.audit.verify_house_log import HouseLogReplay
from houseway.audit.verify_ledgers import LedgerReplay, RecordedLedgers
from houseway.audit.verify_personal import PersonalReplay
from houseway.engine import events as e
from houseway.engine.codec import encode_card, hidden_fields, hide, read_state, same_event
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve
from houseway.engine.ledger_moves import is_ledger
from houseway.engine.refusals import Refusal
from houseway.engine.state import State, total
from houseway.engine.table import Table
from houseway.wording import several

Progress = Callable[[int, int], None]
"""A function that is called with the number of events checked so far, and the number of all events."""

MONEY = (
    e.WagerSettled, e.WagerRestored, e.WagersReturned, e.AwardKeyed, e.AwardUnkeyed, e.PaymentCorrected,
    e.MeterFed, e.RoundClosed,
)  # fmt: skip
"""Events that move money. If one of them is forged, the fault has the code "payment"."""


class VerificationReport(msgspec.Struct, frozen=True):
    """The result of verifying a record."""

    stream: str
    events: int
    rounds: int
    """The number of closed rounds."""
    settled_again: int
    """The number of rounds settled a second time, independently of the table."""
    key: str
    """The public key that the record's head is signed with."""
    faults: tuple[Fault, ...]
    lacked: tuple[str, ...]
    """The checks that were not possible, and why."""
    notes: tuple[str, ...] = ()
    head: str = ""
    """The record's head as EVENTS:CHAIN.

    If you note it, you can check later that the record contains it.
    """
    log: int = 0
    """The number of the house log's event that opened the table; 0 if there was no house log."""

    @property
    def sound(self) -> bool:
        """True if no check failed."""
        return not self.faults


def verify(
    store: Store,
    stream: str,
    *,
    key: bytes | None = None,
    at_least: Head | None = None,
    kept: Iterable[KeptHead] = (),
    erased: Collection[str] | None = None,
    progress: Progress | None = None,
) -> VerificationReport:
    """Check the record of a table, a ledger, a personal stream or the house log up to its signed head.

    `key` is the house's public key as the caller knows it; by default, the key on record is used.
    `at_least` is a head that was noted earlier, and `kept` are heads that were kept elsewhere; the record
    must contain them all. `erased` has the names of the secrets that the house erased ("*" for all of
    them); if it is given, all other secrets must be there. Raises StoreError if the store does not have the
    record.
    """
    heads = HeadCheck(stream, [*kept, *([KeptHead(at_least)] if at_least is not None else [])])
    try:
        signed = store.head(stream)
        if signed is None:
            return _without_head(store, stream)
        if is_ledger(stream):
            return verify_chain(store, stream, signed, LedgerReplay(store, stream), heads, key, progress)
        if is_personal(stream):
            return verify_personal(store, stream, signed, heads, key, progress, due=erased is not None)
        if stream == HOUSE_LOG:
            return verify_chain(store, stream, signed, HouseLogReplay(store), heads, key, progress)
        replay = _Replay(store, stream, signed, heads, erased)
    except DamagedError as error:
        return unreadable_report(stream, str(error))
    for stored, following in pairwise(chain(store.everything(stream), (None,))):
        assert stored is not None
        if stored.seq > replay.signed.head.events:
            # The entry was written after the head was read, or was added without a head.
            replay.signed = store.head(stream) or signed
        replay.take(stored, following)
        if progress is not None:
            progress(stored.last, replay.signed.head.events)
    return replay.report(key)


def verify_chain(
    store: Store,
    stream: str,
    signed: SignedHead,
    replay: LedgerReplay | HouseLogReplay | PersonalReplay,
    heads: HeadCheck,
    key: bytes | None,
    progress: Progress | None,
) -> VerificationReport:
    """Check a ledger, a personal stream or the house log from its first event to its signed head."""
    for stored, following in pairwise(chain(store.everything(stream), (None,))):
        assert stored is not None
        if stored.seq > signed.head.events:
            signed = store.head(stream) or signed
        replay.take(stored, following)
        heads.see(replay.chain.head)
        if progress is not None:
            progress(stored.last, signed.head.events)
    if isinstance(replay, PersonalReplay):
        replay.end()
    faults = replay.chain.end(signed.head, replay.faults)
    faults += _head_faults(stream, signed, key)
    faults += heads.faults(replay.chain.head)
    lacked = tuple(f"{table} is not in this record, so it was not compared" for table in replay.missing)
    head = f"{signed.head.events}:{signed.head.chain.hex()}"
    return VerificationReport(
        stream, replay.chain.head.events, 0, 0, signed.key.hex(), tuple(faults), lacked, (), head
    )


def verify_personal(
    store: Store,
    stream: str,
    signed: SignedHead,
    heads: HeadCheck,
    key: bytes | None,
    progress: Progress | None,
    *,
    due: bool,
) -> VerificationReport:
    """Check a personal stream. With `due`, the keys that were not erased must be in the store."""
    replay = PersonalReplay(store, stream, due=due)
    report = verify_chain(store, stream, signed, replay, heads, key, progress)
    return msgspec.structs.replace(report, lacked=tuple(replay.lacked()), notes=tuple(replay.notes()))


def _head_faults(stream: str, signed: SignedHead, key: bytes | None) -> Iterator[Fault]:
    """Yield a fault if the signature of a head is wrong."""
    last = signed.head.events
    if key is not None and signed.key != key:
        yield Fault(last, "signature", f"the head is signed with {signed.key.hex()}, not with your key")
    elif not is_genuine(stream, signed):
        yield Fault(last, "signature", "the signature of the head is invalid")


def _without_head(store: Store, stream: str) -> VerificationReport:
    """Return the report of a record without a head.

    Raises StoreError if nothing is stored for the record.
    """
    if stream in store.strays():
        return unreadable_report(stream, "this name has entries, secrets or snapshots, but no head")
    known = ", ".join(store.streams()) or "no records"
    raise StoreError(f"there is no record of {stream}; the store has {known}")


def unreadable_report(stream: str, sentence: str, code: str = "head") -> VerificationReport:
    """Return the report of a record that cannot be read."""
    return VerificationReport(
        stream, 0, 0, 0, "", (Fault(0, code, sentence),), ("nothing else was checked",)
    )


class _Replay:
    """Replays a record entry by entry, and collects its faults."""

    def __init__(
        self,
        store: Store,
        stream: str,
        signed: SignedHead,
        heads: HeadCheck,
        erased: Collection[str] | None,
    ) -> None:
        self._store = store
        self._stream = stream
        self.signed = signed
        """The head that the record must end at."""
        self._heads = heads
        """The kept heads that the record must contain."""
        self._erased = erased
        """The names of erased secrets, or None if secrets may be missing."""
        self._times = TimeCheck()
        self._log = 0
        """The event of the house log that opened the table."""
        self._earlier = 0
        """How many times the time goes back, in a record that was started before there was a house log."""
        self._chain = Chain(stream)
        self._faults: list[Fault] = []
        self._table: Table | None = None
        self._state = State()
        self._shoes = RecordedShoes(stream, self._seed)
        self._cuts = CutCheck()
        self._ledgers = RecordedLedgers(store, stream)
        self._round: RoundData | None = None
        self._stopped = False
        """True after an entry that cannot be replayed. The entries after it are not replayed either."""
        self._replayed = 0
        """The last event that was replayed."""
        self._blind = 0
        """The first event whose hidden cards are missing."""
        self._keys: dict[str, int] = {}
        self._fence = 0
        """The highest fencing number so far."""
        self._versions: set[str] = set()
        self._uncompared = 0
        """The number of snapshots from other versions of houseway.

        They are not compared, and never used.
        """
        self._snapshots = set(store.snapshots(stream))
        self._text_missing = False
        self._nonces = store.secret(stream, NONCES)
        self._rounds = self._settled = 0

    # --- entry by entry ---

    def take(self, stored: StoredEntry, following: StoredEntry | None) -> None:
        """Check the next entry."""
        try:
            entry = read_public(stored.public)
        except ValueError as error:
            entry, problem = None, str(error)
        misplaced = self._chain.take(stored, entry, following)
        self._faults += misplaced
        if entry is None or self._chain.broken:
            self._stopped = True
        if entry is None:
            if not misplaced:
                self._fault(stored.seq, "unreadable", f"event {stored.seq} cannot be read: {problem}")
            return
        own, indexed = (entry.seq, len(entry.events), entry.key), (stored.seq, stored.count, stored.key)
        if not misplaced and own != indexed:
            self._fault(stored.seq, "changed", f"the stored number or key of event {stored.seq} is wrong")
        self._versions.add(entry.engine)
        self._log = self._log or entry.log
        earlier = self._times.take(entry.seq, entry.at)
        if self._log:
            self._faults += earlier
        else:
            # Before there was a house log, an entry had the clock's time, even if the clock was set back.
            self._earlier += len(earlier)
        self._check_key(entry)
        self._check_fence(entry)
        whole = self._unseal(stored, entry)
        if not self._stopped:
            self._play(whole, stored.public if not misplaced else b"")
        self._heads.see(self._chain.head)
        at = self._chain.head.events
        if at in self._snapshots:
            self._snapshots.discard(at)
            if wrong := self._wrong_snapshot(self._chain.head):
                self._fault(at, "snapshot", wrong)

    def _fault(self, seq: int, code: str, message: str) -> None:
        self._faults.append(Fault(seq, code, message))

    def _check_key(self, entry: RecordEntry) -> None:
        first = self._keys.setdefault(entry.key, entry.seq)
        if entry.key and first != entry.seq:
            sentence = f"the key {entry.key!r} is used twice: event {first} has it too"
            self._fault(entry.seq, "double-key", sentence)

    def _check_fence(self, entry: RecordEntry) -> None:
        if entry.fence and entry.fence < self._fence:
            owners = f"event {entry.seq} was written under lease {entry.fence}, after lease {self._fence}"
            self._fault(entry.seq, "fence", f"{owners}: two servers wrote this record")
        self._fence = max(self._fence, entry.fence)

    def _unseal(self, stored: StoredEntry, entry: RecordEntry) -> RecordEntry:
        """Return the entry with its hidden cards, if the cards are there and match the seal."""
        if not stored.sealed and not entry.seal:
            return entry
        wrong = ""
        if not stored.sealed and self._nonces is not None:
            # A record with the house's secrets has all hidden cards. An export for others has no secrets.
            wrong = "is missing"
        elif stored.sealed:
            try:
                whole, hidden = read_entry(stored), read_sealed(stored.sealed)
            except SealError:
                wrong = "was changed"
            except (ValueError, TypeError) as error:
                wrong = f"cannot be read: {error}"
            else:
                numbered = 0 <= entry.seq < MAX_EVENTS
                own = nonce(self._nonces, entry.seq) if self._nonces is not None and numbered else ""
                if self._nonces is not None and hidden.nonce != own:
                    self._fault(entry.seq, "sealed", f"event {entry.seq} was sealed with the wrong nonce")
                if not hidden.fits(entry):
                    sentence = f"the sealed part of event {entry.seq} has cards for fields that are public"
                    self._fault(entry.seq, "sealed", sentence)
                return whole
        if wrong:
            self._fault(entry.seq, "sealed", f"the sealed part of event {entry.seq} {wrong}")
        self._blind = self._blind or entry.seq
        return entry

    # --- replay ---

    def _play(self, entry: RecordEntry, public: bytes) -> None:
        """Replay an entry. `public` is its stored text, or empty if the text is known to be wrong."""
        self._table = self._table or self._open(entry)
        if self._table is None or not (self._blind or self._decides_the_same(self._table, entry, public)):
            self._stopped = True
            return
        before = self._state
        for n, event in enumerate(entry.events):
            try:
                self._follow(self._table, entry.seq + n, event)
            except Exception as error:  # a forged event can break the engine in any way
                sentence = f"event {entry.seq + n} is impossible at this table: {error!r}"
                self._fault(entry.seq + n, "events", sentence)
                self._stopped = True
                return
            self._replayed = entry.seq + n
        cards = None if self._blind else getattr(entry.command, "cards", ())
        for wrong in self._shoes.dealt(before, self._state, cards):
            self._fault(entry.seq, "shoe", wrong)

    def _open(self, entry: RecordEntry) -> Table | None:
        try:
            opened = recorded_opening(entry)
            text = self._store.text(opened.hash)
            self._text_missing = text is None
            if text is not None and hashlib.sha256(text.encode()).hexdigest() != opened.hash:
                raise StoreError(f"the text of {opened.rulebook} on record does not match its hash")
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

    def _decides_the_same(self, table: Table, entry: RecordEntry, public: bytes) -> bool:
        """True if the command leads to the events on record."""
        try:
            again = decide(table, self._state, entry.command)
        except Exception as error:  # a forged record can break the engine in any way
            sentence = f"the command at event {entry.seq} cannot be replayed: {error!r}"
            self._fault(entry.seq, "events", sentence)
            return False
        name = type(entry.command).__name__
        if isinstance(again, Refusal):
            sentence = f"the rules refuse {name} here ({again.clause or again.code}): {again.message}"
            self._fault(entry.seq, "refused", sentence)
            return False
        for n, (ours, theirs) in enumerate(zip_longest(again, entry.events)):
            if ours is None or theirs is None or not same_event(ours, theirs):
                code = "payment" if isinstance(ours, MONEY) or isinstance(theirs, MONEY) else "events"
                sentence = f"{name} must lead to {_event_text(ours)}; the record has {_event_text(theirs)}"
                self._fault(entry.seq + n, code, sentence)
                return False
        if public and _public(entry) != public:
            self._fault(entry.seq, "changed", f"event {entry.seq} contains text that was added to it")
        return True

    def _follow(self, table: Table, seq: int, event: e.Event) -> None:
        before, self._state = self._state, evolve(self._state, event)
        if total(self._state) != total(before):
            self._fault(seq, "money", f"{_event_text(event)} creates or destroys money")
        if wrong := wrong_sum(table, before, event):
            self._fault(seq, "payment", wrong)
        for sentence in self._shoes.follow(table, seq, event):
            self._fault(seq, "shoe", sentence)
        for sentence in self._cuts.follow(seq, event):
            self._fault(seq, "cut", sentence)
        if wrong := self._ledgers.follow(table, seq, event, before, self._state):
            self._fault(seq, "ledger", wrong)
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
        if wrong := difference(table.book, data, played.mispaid, self._state):
            self._fault(seq, "settlement", f"round {self._state.round.number}: {wrong}")

    # --- signatures ---

    def _wrong_snapshot(self, head: Head) -> str | None:
        """Return a sentence that says what is wrong with the snapshot at a head, or None."""
        name = f"the snapshot at event {head.events}"
        try:
            snapshot = self._store.snapshot(self._stream, head.events)
        except DamagedError as error:
            return str(error)
        if snapshot is None or not is_genuine(self._stream, snapshot.signed, snapshot.body):
            return f"the signature of {name} is invalid"
        if snapshot.signed.key != self.signed.key:
            return f"{name} is signed with a different key than the head"
        if snapshot.signed.head != head:
            return f"{name} belongs to another record"
        try:
            body = read_snapshot(snapshot.body)
            if not body.current:
                self._uncompared += 1
                return None
            if self._stopped or self._blind:
                return None
            saved = self._shoes.saved()
            state, shoes = read_state(bytes(body.state)), msgspec.json.decode(body.shoes)
            decks = {deck: shoes["decks"].get(deck) for deck in saved["decks"]}
        except (msgspec.MsgspecError, ValueError, LookupError, TypeError, AttributeError):
            return f"{name} cannot be read"
        if state != self._state:
            return f"{name} has a different table than the record"
        if {"shuffles": shoes.get("shuffles"), "decks": decks} != saved:
            return f"{name} has different shoes than the record"
        return None

    def report(self, key: bytes | None) -> VerificationReport:
        """Return the report. Call this after the last entry."""
        signed = self.signed
        self._faults = self._chain.end(signed.head, self._faults)
        self._faults += _head_faults(self._stream, signed, key)
        self._faults += self._heads.faults(self._chain.head)
        if not self._stopped:
            self._faults += self._ledgers.unmatched(self._chain.head.events)
        for at in sorted(self._snapshots):
            self._fault(at, "snapshot", f"there is a snapshot at event {at}, but no entry ends there")
        self._check_secrets()
        others = sorted(self._versions - {__version__})
        return VerificationReport(
            self._stream,
            self._chain.head.events,
            self._rounds,
            self._settled,
            signed.key.hex(),
            tuple(self._faults),
            tuple(self._missing_checks()),
            (
                *(
                    f"recorded by houseway {version}, checked by houseway {__version__}"
                    for version in others
                ),
                *self._cuts.patterns(),
            ),
            f"{signed.head.events}:{signed.head.chain.hex()}",
            self._log,
        )

    def _check_secrets(self) -> None:
        erased = self._erased or ()
        if "*" in erased:
            return
        # A record has all of the house's secrets or none. If only some are missing, they were removed.
        all_due = self._erased is not None
        some = self._nonces is not None or self._shoes.known
        missing = [seq for seq, name in self._shoes.unknown.items() if name not in erased]
        if missing and (some or all_due):
            are = (
                "the seed of a shoe is missing"
                if len(missing) == 1
                else f"{len(missing)} seeds are missing"
            )
            why = (
                "and the house log does not say that it was erased"
                if all_due
                else "but other secrets are there"
            )
            self._fault(missing[0], "secret", f"{are}, {why}")
        if self._nonces is None and NONCES not in erased and (some or all_due):
            self._fault(1, "secret", "the secret for the nonces is missing")

    def _missing_checks(self) -> Iterator[str]:
        if self._text_missing:
            yield "the record has no rulebook text; the bundled text with the same hash was used"
        if self._stopped:
            after = f" after event {self._replayed}" if self._replayed else ""
            yield f"nothing was replayed{after}, because of a fault listed above"
        if self._blind:
            checked = "chain, money and sums were checked, but commands were not replayed"
            yield f"from event {self._blind} onward, hidden cards are missing: {checked}"
        if self._earlier:
            times = several(self._earlier, "time", "times")
            old = "in a record that was started before there was a house log, this is not a fault"
            yield f"the clock was set back {times}; {old}"
        if self._uncompared:
            many = several(self._uncompared, "snapshot")
            checked = "(signature and position were checked)"
            yield f"the contents of {many} from another version of houseway {checked}"
        for ledger in sorted(self._ledgers.missing):
            yield f"{ledger} is not in this record, so money moved into or out of it was not compared"
        if self._shoes.unknown:
            shoes = several(len(self._shoes.unknown), "sealed shoe")
            yield f"the seeds of {shoes} are missing: their cards were not compared with the seal"
        if self._shoes.unsealed:
            rounds, shoes = self._shoes.unsealed_rounds, several(self._shoes.unsealed, "shoe")
            which = f"the shoe of round {rounds[0]}" if len(rounds) == 1 else shoes
            yield f"the order of the cards, because {which} had no seal"


_encoder = msgspec.json.Encoder(enc_hook=encode_card)


def _public(entry: RecordEntry) -> bytes:
    """Return the public part of an entry as houseway writes it, without the hidden cards."""
    command, events = hide(entry.command)[0], tuple(hide(event)[0] for event in entry.events)
    return _encoder.encode(msgspec.structs.replace(entry, command=command, events=events))


def _event_text(event: e.Event | None) -> str:
    """Describe an event without its hidden cards."""
    if event is None:
        return "nothing"
    shown = [name for name in event.__struct_fields__ if name not in hidden_fields(event)]
    fields = [f"{name} {value}" for name in shown if (value := getattr(event, name))]
    return f"{type(event).__name__} {', '.join(fields)}".strip()
