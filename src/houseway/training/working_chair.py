"""The working copy of a chair while one input is applied. It collects events and slips, keeps due acts that
were passed over, and counts an act that was done too early as done when it becomes due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Answer
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve, fold
from houseway.engine.fold_registry import card_place, mispaid_key
from houseway.engine.irregularities import cards_off_deck
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due, turns
from houseway.rules.catalogue import shared
from houseway.rules.procedure import EXPOSED_CARD, FACE_UP_CARD
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.completion import complete
from houseway.training.due_acts import FLOOR, DueAct, any_cards, count_events, due_acts, what_is_due
from houseway.training.free_order import (
    begins_step,
    in_any_order,
    may_wait,
    must_not_wait,
    racks_unpaid,
    takes_lost_first,
)

NEEDED: Final = (
    e.BettingClosed, e.PlayersCutMade, e.MeterFed, e.ProgressiveCollected, e.PlayersLooked, e.RoundOpened,
    e.DeckShuffled, e.DeckCut, e.DeckLoaded, e.CutCardPlaced, e.DecksSwapped, e.DealerRevealed,
    e.DealerHandSet,
)  # fmt: skip
"""The events that happen even if the dealer leaves the act out: play could not continue without them."""


class WorkingChair:
    """The working copy of a chair. `done` returns the next chair."""

    def __init__(self, table: Table, chair: ch.Chair, given: ch.Input, time: int) -> None:
        self.table, self.input, self.time = table, given, time
        self.seal = ""
        """The seal of the shuffled deck, if the shoe has one."""
        over = any(
            isinstance(change.event, e.RoundClosed) for one in chair.entries[-1:] for change in one.changes
        )
        self.entries = () if over else chair.entries
        """The entries of this round before the input, as `Chair.entries` has them."""
        self.start = chair.state if over else chair.start
        """The table at the start of this round."""
        self.inputs = chair.inputs
        self.number = chair.inputs + 1
        self.state = chair.state
        self.queue = list(chair.queue)
        self.passed = list(chair.passed)
        self.early = list(chair.early)
        self.asked, self.asking = chair.asked, chair.asking
        self.decisions = dict(chair.decisions)
        self.open = [
            replace(one, waited=self.number, time=time)
            if not one.noticed and must_wait(table, chair.state, one)
            else one
            for one in chair.open
        ]
        self._slips_before = 0 if over else chair.slips
        self.slips: list[ch.Slip] = []
        self.changes: list[ch.Change] = []
        self.cured: list[int] = []
        self.handled: ch.OpenIrregularity | None = None
        self.conduct = list(chair.conduct)
        self.answered: ch.OpenConduct | None = None
        self.missing = chair.missing
        self.mispaid = dict(chair.mispaid)
        self.counts = chair.counts

    def done(self, cards: tuple[Card, ...] = ()) -> ch.Chair:
        """Return the chair after the input."""
        entry = ch.ChairEntry(
            self.number,
            self.time,
            self.input,
            cards,
            tuple(self.changes),
            tuple(self.slips),
            tuple(self.cured),
            self.handled,
            self.seal,
            self.answered,
        )
        return ch.Chair(
            self.state, tuple(self.queue), tuple(self.passed), tuple(self.early), self.asked, self.asking,
            self.decisions, tuple(self.open), (*self.entries, entry), self.number,
            self._slips_before + len(self.slips), self.start, tuple(self.conduct),
            self.missing, self.mispaid, self.counts,
        )  # fmt: skip

    # --- events and slips ---

    def apply(self, events: Iterable[e.Event], origin: str = ch.HOUSE) -> None:
        """Apply events to the table. A wager is settled once, and cards are racked once."""
        for event in events:
            if _is_moot(self.state, event):
                continue
            if self.seal and isinstance(event, e.DeckShuffled | e.RoundOpened):
                event = replace(event, seal=self.seal)
            self.state = evolve(self.state, event)
            if isinstance(event, e.DeckRemoved):
                self.missing = 0
            self._note_mispayment(event)
            self.changes.append(ch.Change(origin, event))

    def _note_mispayment(self, event: e.Event) -> None:
        """Remember a wrong payment with its round, or forget one that was undone."""
        match event:
            case e.MispaymentMade(clause=clause):
                wager = wager_key(self.state, event.seat, event.hand, event.wager)
                place = (self.state.round.number, wager)
                amount = self.mispaid.pop(place, (0, None))[0] + event.amount
                if amount:
                    self.mispaid[place] = (amount, clause)
            case e.PaymentCorrected(ruled=False) | e.WagerRestored():
                wager = wager_key(self.state, event.seat, event.hand, event.wager)
                if wager not in self.state.mispaid:
                    self.mispaid = {place: one for place, one in self.mispaid.items() if place[1] != wager}

    def correct(self, number: int, act: a.CorrectPayment) -> bool:
        """Correct the wrong payment of one round on a wager; return False if that is impossible.

        Wrong payments of other rounds on the same wager stay.
        """
        wager = wager_key(self.state, act.seat, act.hand, act.wager)
        amount, clause = self.mispaid[number, wager]
        others = {place: one for place, one in self.mispaid.items() if place != (number, wager)}
        facts = {"seat": act.seat, "hand": act.hand, "wager": act.wager, "by": FLOOR}
        if self.state.mispaid.get(wager, (0, None))[0] == amount:
            if not self.send(c.Correct(**facts), ch.CURE):  # type: ignore[arg-type]
                return False
        elif self.state.seats[act.seat].chips < amount:
            return False
        else:
            self.apply([e.PaymentCorrected(amount=-amount, clause=clause, **facts)], ch.CURE)  # type: ignore[arg-type]
        self.mispaid = others
        return True

    def send(self, command: c.Command, origin: str) -> bool:
        """Apply the events of an engine command; return False if the engine refuses it."""
        answer = decide(self.table, self.state, command)
        if isinstance(answer, Refusal):
            return False
        self.apply(answer, origin)
        return True

    def slip(self, kind: str, clause: str | None, **facts: Any) -> int:
        """Record a slip and return its number."""
        number = self._slips_before + len(self.slips) + 1
        did = self.input if isinstance(self.input, a.ChairAct) else None
        head = self.queue[0].act if self.queue else None
        if kind == ch.NOT_DUE and isinstance(head, a.Rack):
            # The name of a step that settles does not say that only the cards are left.
            facts = {"due": head, **facts}
        self.slips.append(
            ch.Slip(**{"number": number, "kind": kind, "clause": clause, "did": did, **facts})
        )
        return number

    def cures(self, kind: str, fits: Sequence[Any]) -> None:
        """Mark as repaired the slips of this kind whose act has a target that starts with `fits`."""
        cured = {number for entry in self.entries for number in entry.cured}
        for entry in self.entries:
            for one in entry.slips:
                same = one.did is not None and one.did.target[: len(fits)] == tuple(fits)
                if one.kind == kind and same and one.number not in cured:
                    self.cured.append(one.number)

    # --- what is due ---

    def settle_down(self) -> None:
        """Find what is due now. Automatic acts, and early acts and decisions that are due, take effect."""
        while True:
            self.passed = [one for one in self.passed if not self._is_done(one.due)]
            if not self.queue:
                self._refill()
            if self.queue and (self.queue[0].automatic or self._over(self.queue[0])):
                self.apply(self.queue.pop(0).events)
                continue
            if self.queue and self.count_early(self.queue[0]):
                continue
            if not self.queue and self._late_decision():
                continue
            self.to_ask()
            return

    def _refill(self) -> None:
        listed = due_acts(self.table, self.state, self.missing)
        unsettled = [event for one in self.passed for event in one.due.events if one.due.lines]
        if not listed and unsettled and not turns(self.table, self.state):
            # The trainee may continue although a wager was passed over.
            listed = due_acts(self.table, fold(unsettled, self.state), self.missing)
        self.set_queue(listed)

    def clear_queue(self) -> None:
        """Empty the queue, so that the engine is asked again what is due.

        The rest of a command that is half done stays, unless the round is void. If a void round still
        settles trips, the rest of the board stays too.
        """
        head = self.queue[0] if self.queue else None
        void = self.state.round.void
        stays = head is not None and head.partial and (not void or (void == "trips" and _deals_board(head)))
        self.queue = self.queue if stays else []

    def ask_again(self) -> None:
        """Ask the engine again what is due. Acts that were passed over before stay under their slips."""
        slips = {one.place: one.slip for one in self.queue}
        self.clear_queue()
        if not self.queue:
            self._refill()
            self.queue = [replace(one, slip=one.slip or slips.get(one.place, 0)) for one in self.queue]

    def set_queue(self, listed: Sequence[DueAct]) -> None:
        """Make acts the due ones; those that were passed over before are due again."""
        # An act that was passed over and is due again stays under the same slip.
        slips = {one.due.place: one.slip for one in self.passed}
        self.queue = [replace(one, slip=slips.get(one.place, 0)) for one in listed]
        again = {one.place for one in listed}
        self.passed = [one for one in self.passed if one.due.place not in again]

    def _over(self, item: DueAct) -> bool:
        """True if the wagers of an act are no longer there, because they were returned."""
        return bool(item.lines) and all(_is_moot(self.state, line) for line in item.lines)

    def _is_done(self, item: DueAct) -> bool:
        """True if an act that was passed over was done since, under another name: its cards are racked."""
        changes = [event for event in item.events if isinstance(event, e.WagerSettled | e.CardsRacked)]
        racks = any(isinstance(event, e.CardsRacked) for event in changes)
        return racks and all(_is_moot(self.state, event) for event in changes)

    def count_early(self, item: DueAct) -> bool:
        """Let an early act count if it does a due act or a part of it; return False if none does."""
        index = next((n for n, one in enumerate(self.early) if item.is_done_by(one.act)), None)
        if index is None:
            return False
        early = self.early[index]
        if not calls_once(item):
            del self.early[index]
        rest = self.complete(item, early.act, early.cards)
        if rest is not None and not self.count_early(rest):
            self.passed.append(ch.PassedAct(rest, rest.slip))
        return True

    def _late_decision(self) -> bool:
        """Let a player's early decision count if it is the player's turn now."""
        for number in turns(self.table, self.state):
            command = self.decisions.get(number)
            if command is not None:
                del self.decisions[number]
                return self.send(command, ch.PLAYER)
        return False

    def to_ask(self) -> tuple[int, ...]:
        """Return the seats that must decide now; resets the seats asked when the betting point changes."""
        now = due(self.table, self.state)
        step = now.step.name if now is not None and now.step.act == "ask" else ""
        if step and step != self.asking:
            self.asked, self.asking = (), step
        return turns(self.table, self.state)

    def due_clause(self) -> tuple[str, str | None]:
        """Return the step that is due and its clause."""
        if self.queue:
            return self.queue[0].step, self.queue[0].order
        return what_is_due(self.table, self.state)

    # --- doing what is due ---

    def complete(self, item: DueAct, act: a.ChairAct, cards: tuple[Card, ...] = ()) -> DueAct | None:
        """Do a due act, or a part of it, as the trainee did it, right or wrong.

        Return what is left of an act that was passed over earlier, or None.
        """
        self._end_windows(item)
        part = item.part(act) if item.act.target != act.target else None
        rest = item.without(part) if part is not None else None
        more = rest is not None and bool(rest.parts)
        queued = item in self.queue
        if queued:
            index = self.queue.index(item)
            self.queue[index : index + 1] = [rest] if rest is not None and more else []
            self.queue = [one if one.partial else replace(one, partial=True) for one in self.queue]
        complete(self, part or item, act, cards)
        if rest is not None and not more:
            self.apply(rest.events)
        return rest if more and not queued else None

    def _end_windows(self, item: DueAct) -> None:
        """Record a slip for each act that could wait until now, and that is not done before this act."""
        if item not in self.queue and not begins_step(self.table, item):
            return
        for index, one in enumerate(self.passed):
            ends = must_not_wait(self.table, one.due, item.step) and not self._waits(one.due, item.step)
            ends = ends or self._racks_unpaid(item, one.due)
            if ends and not one.slip and not one.due.optional:
                facts = {"due": one.due.left, "step": one.due.step, "passed": 1}
                self.passed[index] = replace(one, slip=self.slip(ch.OUT_OF_ORDER, one.due.clause, **facts))

    def _waits(self, item: DueAct, step: str) -> bool:
        """True if an act may wait although an act of a later step is done first.

        In a void round no hand is settled, so the stub may be counted and hands may be collected until the
        round is closed.
        """
        closes = step in self.table.steps and self.table.steps[step].act == "close"
        in_void_round = (
            bool(self.state.round.void) and isinstance(item.left, a.CountStub | a.Rack) and not closes
        )
        return in_void_round or may_wait(self.table, item, step)

    def pass_over(self, items: Sequence[DueAct], matched: DueAct) -> int:
        """Pass over due acts because a later one was done; return the number of the slip, 0 if none."""
        early = [one.act for one in self.early]
        items = [one for one in items if not self._by_the_floor(one)]
        done = [one for one in items if any(one.is_done_by(act) for act in early)]
        waits = [
            one
            for one in items
            if self._waits(one, matched.step)
            or in_any_order(self.table, self.state, matched, one)
            or self._takes_lost_first(matched, one)
        ]
        missing = [
            one
            for one in items
            if not one.optional and not one.slip and one not in done and one not in waits
        ]
        slip = 0
        if missing:
            first = missing[0]
            clause = broken_order(first, matched)
            slip = self.slip(ch.OUT_OF_ORDER, clause, due=first.left, step=first.step, passed=len(missing))
        for item in items:
            leaves = item.step != matched.step
            # A push needs no act. The wager of another hand stays on the layout until its turn comes.
            settles = item.automatic or not item.lines or item.seat == matched.seat
            if item in done and self.count_early(item):
                continue
            if item.optional and settles and item not in waits:
                self.apply(item.events)
            elif isinstance(item.act, a.DealCards) and item.act.place != "board" and leaves:
                self._skip_hand(item)
            else:
                ends = (e.StepTaken,) if leaves else ()
                self.apply([ev for ev in item.events if isinstance(ev, (*NEEDED, *ends))], ch.TRAINER)
                if self._waits_already(item):
                    continue
                kept = tuple(ev for ev in item.events if not isinstance(ev, (*NEEDED, e.StepTaken)))
                self.passed.append(
                    ch.PassedAct(replace(item, events=kept), item.slip or (0 if item in waits else slip))
                )
        return slip

    def _waits_already(self, item: DueAct) -> bool:
        """True if a step waits already, because it was passed over before the deck was replaced."""
        step = self.table.steps.get(item.step)
        each = step is not None and "each_deck" in step.rules and self.table.decks > 1
        return (
            isinstance(item.act, a.TakeStep)
            and not each
            and any(one.due.place == item.place for one in self.passed)
        )

    def _takes_lost_first(self, matched: DueAct, other: DueAct) -> bool:
        act = self.input
        return isinstance(act, a.ChairAct) and takes_lost_first(self.table, act, matched, other)

    def _racks_unpaid(self, matched: DueAct, other: DueAct) -> bool:
        act = self.input
        return isinstance(act, a.ChairAct) and racks_unpaid(self.table, act, matched, other)

    def _by_the_floor(self, item: DueAct) -> bool:
        """Handle a due call to the floor that the trainee passes over; return False for any other act.

        If the trainee called the floor earlier, that call counts.
        """
        if not isinstance(item.act, a.CallFloor):
            return False
        called = next((one for one in self.early if isinstance(one.act, a.CallFloor)), None)
        if called is None:
            miss_call(self, item)
        elif not calls_once(item):
            self.early.remove(called)
        self.apply(item.events, ch.HOUSE if called is not None else ch.TRAINER)
        return True

    def _skip_hand(self, item: DueAct) -> None:
        """Let a hand get no card, because the trainee continued without dealing it one."""
        assert isinstance(item.act, a.DealCards)
        place = item.act.place
        self.apply([e.CardSkipped(at=place)], ch.SLIP)
        self.apply([event for event in item.events if isinstance(event, e.StepTaken)], ch.TRAINER)
        self.open_irregularity("wrong number", place)

    def miss(self, due_act: DueAct, slip: int = 0) -> None:
        """Record an act that was never done. A wager that was never settled stays with the player."""
        events = tuple(event for event in due_act.events if not _is_moot(self.state, event))
        item = replace(due_act, events=events)
        moot = bool(due_act.lines) and not item.lines
        stays = sum(self._on_layout(line) - line.back for line in item.lines if not line.for_dealer)
        # A wager that pushes was left alone, and that is right.
        self.apply(events, ch.HOUSE if item.optional else ch.TRAINER)
        if stays:
            line = item.lines[0]
            wrong = e.MispaymentMade(
                seat=line.seat, hand=line.hand, wager=line.wager, amount=stays, clause=item.clause
            )
            self.apply([wrong], ch.SLIP)
        if not moot and not item.optional:
            facts = {"due": item.left, "step": item.step, "amount": stays, "of": slip, "did": None}
            self.slip(ch.MISSED, item.clause, **facts)

    def _on_layout(self, line: e.WagerSettled) -> int:
        """Return the cents of a wager that lie on the layout; none if it was collected before the deal."""
        collected = self.state.seats[line.seat].hands[line.hand - 1].collected
        return 0 if line.wager == "progressive" and collected else line.stake

    def forget_passed(self) -> None:
        """Forget what was due before the round became void, except wagers that are still to be settled."""
        open_wagers = [one for one in self.passed if one.due.lines]
        self.passed = [one for one in open_wagers if not self._over(one.due)]
        self.early, self.open, self.conduct = [], [], []

    def finish_round(self) -> None:
        """Record what was never done and never reported, once the round is closed."""
        for one in self.passed:
            if one.due.optional:
                continue
            kind = ch.MISSED_CALL if isinstance(one.due.act, a.CallFloor) else ch.MISSED
            facts = {"due": one.due.left, "step": one.due.step, "of": one.slip, "did": None}
            self.slip(kind, one.due.clause, **facts)
        for irregularity in self.open:
            facts = {"irregularity": irregularity.kind, "at": irregularity.at, "did": None}
            self.slip(ch.UNSEEN, irregularity.clause, **facts)
        for unanswered in list(self.conduct):
            self.lapse(unanswered)
        off = any(deck.stands == "off" for deck in self.state.decks)
        # A floor that was called for a deck that is off brings the other deck now.
        self.early = [one for one in self.early if off and isinstance(one.act, a.CallFloor)]
        self.passed, self.open = [], []
        self.asked, self.asking, self.decisions = (), "", {}
        self.missing = 0
        changes = [change for entry in self.entries for change in entry.changes] + self.changes
        counted = any(isinstance(change.event, e.StubCounted) for change in changes)
        self.counts = self.counts + 1 if counted else 0

    # --- conduct and irregularities ---

    def lapse(self, one: ch.OpenConduct) -> None:
        """Close conduct that the trainee never answered: a slip, if the document says how to answer."""
        self.conduct.remove(one)
        if one.judged:
            conduct = one.conduct
            facts = {"due": one.right, "irregularity": conduct.kind, "at": f"seat {conduct.seat}"}
            self.slip(ch.MISSED, one.clause, **facts, did=None)

    def open_irregularity(
        self,
        kind: str,
        at: str = "",
        which: int = 0,
        cards: tuple[Card, ...] = (),
        count: int | None = None,
        also: str = "",
    ) -> bool:
        """Open an irregularity if the rulebook has a rule for it; return True if it has.

        A card exposed on top of the deck is a face-up card in the deck: that rule decides it.
        """
        kind = FACE_UP_CARD if (kind, at) == (EXPOSED_CARD, "deck") else kind
        opened = ch.OpenIrregularity(
            kind=kind, at=at, which=which, cards=cards, count=count, since=self.number, time=self.time,
            also=also,
        )  # fmt: skip
        answer = report_answer(self.table, self.state, opened)
        if isinstance(answer, Refusal) and answer.code not in CARDS_MISSING:
            return False
        clause = answer.clause if isinstance(answer, Refusal) else answer[0].clause
        if kind == WRONG_NUMBER and any((one.kind, one.at) == (kind, at) for one in self.open):
            # A hand has one wrong number of cards, however it came about.
            return True
        self.open.append(replace(opened, clause=clause))
        return True


def miss_call(at: WorkingChair, item: DueAct) -> None:
    """Note that the trainee did not call the floor: a slip, unless the floor may still be called.

    If no clause asks for the call, it is not a slip, and the trainer calls the floor. No document says whom
    to call for another deck.
    """
    if item.clause is None:
        return
    if not calls_once(item):
        at.slip(ch.MISSED_CALL, item.clause, due=item.act, step=item.step)
    elif all(one.due.act != item.act for one in at.passed):
        at.passed.append(ch.PassedAct(replace(item, events=()), 0))


def wager_key(state: State, seat: int, hand: int, wager: str) -> str:
    """Return the key of a player's wager in `Chair.mispaid` and `State.mispaid`."""
    player = state.seats[seat].player if seat in state.seats else ""
    return mispaid_key(player, seat, hand, wager)


def calls_once(item: DueAct) -> bool:
    """True if a call to the floor is due that covers all winners of the round, at any moment of it."""
    return isinstance(item.act, a.CallFloor) and item.clause in CALLED_ONCE


def report_answer(table: Table, state: State, irregularity: ch.OpenIrregularity) -> Answer:
    """Return the engine's answer if the irregularity were reported now. Placeholders stand for cards that
    the report would take off the deck. A wrong count has the consequences of its announcement.
    """
    if irregularity.kind == ch.WRONG_COUNT:
        return count_events(table, state, irregularity.count or 0)
    report = c.Report(
        kind=irregularity.kind, at=irregularity.at, which=irregularity.which, count=irregularity.count,
        device=BACKUP,
    )  # fmt: skip
    missing = cards_off_deck(table, state, report) - len(irregularity.cards)
    drawn = (*any_cards(table, state, max(0, missing)), *irregularity.cards)
    return decide(table, state, replace(report, cards=drawn))


def must_wait(table: Table, state: State, irregularity: ch.OpenIrregularity) -> bool:
    """True if a report has to wait until the hands are dealt."""
    answer = report_answer(table, state, irregularity)
    return isinstance(answer, Refusal) and answer.code == NOT_DEALT


def _deals_board(item: DueAct) -> bool:
    return isinstance(item.act, a.DealCards) and item.act.place == "board"


def _is_moot(state: State, event: e.Event) -> bool:
    """True if an event that was due earlier has nothing left to change."""
    if isinstance(event, e.CardsRacked):
        place = card_place(event.what)
        seat = None if place.discards else state.seats.get(place.seat)
        if seat is not None:
            return place.hand > len(seat.hands) or seat.hands[place.hand - 1].racked
        return event.what in state.round.gone
    if not isinstance(event, e.WagerSettled):
        return False
    hand_now = state.seats[event.seat].hands[event.hand - 1]
    if event.for_dealer:
        return event.wager not in hand_now.tips
    if event.coupon:
        return not hand_now.coupon
    if event.from_seat:
        return event in state.round.settled
    return not hand_now.holds(event.wager)


def broken_order(first: DueAct, matched: DueAct) -> str | None:
    """Return the clause that an act breaks by coming before another one."""
    if first.lines and matched.lines and first.seat == matched.seat:
        # If a clause fixes the place of the later wager, that clause is broken.
        return first.order if matched.free else matched.order
    if first.step == matched.step and isinstance(first.act, a.Rack) and isinstance(matched.act, a.Rack):
        return first.order
    same_seat = first.seat == matched.seat or not matched.seat
    return first.clause if same_seat and not first.lines else first.order


CALLED_ONCE: Final = frozenset(shared("training.toml")["called_once"])
"""The clauses by which one call to the floor covers all winners of a round."""
BACKUP: Final = "the back-up"
"""The back-up device in a report that the trainer or the model dealer makes."""
WRONG_NUMBER: Final = "wrong number"
NOT_DEALT: Final = "deal-not-done"
CARDS_MISSING: Final = ("cards-needed", NOT_DEALT)
"""The codes with which the engine refuses a right report that needs a card or has to wait for the deal."""
