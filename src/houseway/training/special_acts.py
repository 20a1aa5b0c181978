"""Acts that are possible at any time: calling the floor, reporting, correcting a payment, setting the hand
again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.refusals import Refusal
from houseway.engine.turn_order import house_way_hand
from houseway.rules.procedure import EXPOSED_CARD
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chips import total
from houseway.training.conduct_acts import CONDUCT_ACTS, acts_since, close_conduct, open_dispute
from houseway.training.due_acts import FLOOR, ahead
from houseway.training.happenings import PREMATURE_FLOP, wrong_count
from houseway.training.ruling_form import CALL, THE_FLOOR
from houseway.training.unexpected_acts import announce_count
from houseway.training.working_chair import CARDS_MISSING, WorkingChair, calls_once, wager_key

CHIPS: Final = "chips"
"""The name under which `CorrectPayment` corrects a change of chips."""
SOON: Final = 2
"""A floor call is not needless if the floor is needed within this many commands."""


def _call_floor(at: WorkingChair, act: a.CallFloor, cards: tuple[Card, ...]) -> None:
    """Call the floor. A call is needless if no payment needs approval and nothing is wrong."""
    if at.queue and isinstance(at.queue[0].act, a.CallFloor):
        if calls_once(at.queue[0]):
            at.early.append(ch.EarlyAct(act))
        at.complete(at.queue[0], act)
        return
    if any(deck.stands == "off" for deck in at.state.decks) and not _is_early(at):
        # The floor brings another deck once the round is over, and need not be called again for it.
        at.early.append(ch.EarlyAct(act))
        return
    owed = next((one for one in at.passed if one.due.act == act), None)
    if owed is not None:
        at.passed.remove(owed)
        at.early.append(ch.EarlyAct(act))
        return
    # A dealer who has passed over the dealer's hand is further than the first of the due acts.
    soon = ahead(at.table, at.state, at.queue, at.missing)[: None if at.early else SOON + 1]
    if any(one.step and "another" in at.table.steps[one.step].rules for group in soon for one in group):
        # Another person does the next step, and the dealer may call the floor for it.
        return
    if any(isinstance(one.act, a.CallFloor) for group in soon for one in group):
        at.early.append(ch.EarlyAct(act))
        return
    if _is_wrong(at) and not _floor_is_here(at):
        # The documents do not say whom to call for an error, so this call is not judged.
        return
    if any(isinstance(one.event, e.PaymentApproved) for entry in at.entries for one in entry.changes):
        # The floor is called once for all winners, or once for each: no clause says which.
        return
    at.slip(ch.NEEDLESS_CALL, None, step=at.due_clause()[0])


def _is_wrong(at: WorkingChair) -> bool:
    """True if something in this round may need the floor: an error, an irregularity or a player."""
    reported = any(isinstance(entry.input, a.ReportIrregularity) for entry in at.entries)
    answers = any(one.right is not None for one in at.conduct)
    counted = any(map(_is_miscount, at.entries))
    return bool(at.mispaid or at.open or answers or reported or counted or at.state.round.void)


def _is_early(at: WorkingChair) -> bool:
    """True if the floor was called already for something that is due later."""
    return any(isinstance(one.act, a.CallFloor) for one in at.early)


def _is_miscount(entry: ch.ChairEntry) -> bool:
    """True if the trainee announced a wrong count of the stub. For the trainee, cards are missing then."""
    wrong = any(slip.kind == ch.MISCOUNT for slip in entry.slips)
    return wrong and isinstance(entry.input, a.CountStub)


def _floor_is_here(at: WorkingChair) -> bool:
    """True if the floor was called since the last thing that may need the floor."""
    causes = [one.since for one in at.open] + [one.since for one in at.conduct if one.right is not None]
    causes += [entry.number for entry in at.entries if _may_need_floor(entry)]
    calls = [entry.number for entry in at.entries if isinstance(entry.input, a.CallFloor)]
    return bool(calls) and max(calls) > max(causes, default=0)


def _may_need_floor(entry: ch.ChairEntry) -> bool:
    wrong = any(isinstance(x.event, e.MispaymentMade | e.RoundVoided) for x in entry.changes)
    return wrong or _is_miscount(entry) or isinstance(entry.input, a.ReportIrregularity)


def _report(at: WorkingChair, act: a.ReportIrregularity, cards: tuple[Card, ...]) -> None:
    """Report an irregularity.

    If the ruling calls the floor and the deck goes off the table, the floor need not be called again.
    """
    _handle_report(at, act, cards)
    called = (act.ruling or {}).get(CALL) == THE_FLOOR
    off = any(deck.stands == "off" for deck in at.state.decks)
    if called and off and at.handled is not None and not at.to_ask() and not _is_early(at):
        at.early.append(ch.EarlyAct(a.CallFloor()))


def _handle_report(at: WorkingChair, act: a.ReportIrregularity, cards: tuple[Card, ...]) -> None:
    """Let the rulebook's row for a reported irregularity take effect."""
    found = next((one for one in at.open if one.is_named(act.kind, act.at)), None)
    if found is None and act.kind == ch.WRONG_COUNT and _report_count(at, act):
        return
    required = at.queue[0] if at.queue and at.queue[0].act.target == act.target else None
    if found is None and required is None and _took_effect(at, act):
        # The report was made during the deal, and has taken effect since then.
        return
    if found is None and required is None:
        other = next((one for one in at.open if act.at in (one.at, "")), None)
        clause = other.clause if other is not None else None
        facts = {"irregularity": other.kind, "at": other.at} if other is not None else {}
        at.slip(ch.WRONG_REPORT, clause, **facts)
        return
    if found is not None and _wrong_details(at, act, found):
        at.slip(ch.WRONG_REPORT, found.clause, irregularity=found.kind, at=found.at)
        return
    if found is not None and _is_over(at, found):
        _check_late(at, found)
        at.handled = found
        at.open.remove(found)
        return
    named = found.named(act.kind) if found is not None else act
    kind, place = named.kind, named.at
    known = found.cards if found is not None else ()
    which = found.which if found is not None else act.which
    count = act.count if found is None or found.count is None else found.count
    # If the flop was dealt without its burn, the burn card comes off the deck now and is listed first.
    report = c.Report(
        kind=kind, at=place, which=which, cards=(*cards, *known), count=count, device=act.device
    )
    answer = decide(at.table, at.state, report)
    if isinstance(answer, Refusal) and answer.code in CARDS_MISSING:
        # The deal must be finished first; then the report takes effect.
        at.open = [replace(one, noticed=True) if one is found else one for one in at.open]
        return
    if isinstance(answer, Refusal) and answer.code == "backup-missing":
        at.slip(ch.WRONG_REPORT, answer.clause, irregularity=act.kind)
        return
    _check_late(at, found)
    at.handled = found
    at.open = [one for one in at.open if one is not found]
    if isinstance(answer, Refusal):
        # It is too late for the rulebook's remedy; play continues.
        return
    at.clear_queue()
    at.early = [one for one in at.early if not _turned_back(one.act, act.kind, place)]
    at.apply(answer, ch.CURE)
    if at.state.round.void:
        at.forget_passed()
        # The hand that was half settled no longer needs to be read.
        at.clear_queue()


def _report_count(at: WorkingChair, act: a.ReportIrregularity) -> bool:
    """Report a wrong count of the stub: the count is announced. Return False if the count is right.

    If the wrong count was announced already, the report only repeats it.
    """
    events = [one.event for entry in at.entries for one in entry.changes]
    shown = wrong_count(at, at.time)
    if shown is None or shown.count is None:
        return any(isinstance(event, e.StubCounted) and not event.right for event in events)
    if act.count not in (None, shown.count):
        at.slip(ch.MISCOUNT, shown.clause, due=a.CountStub(count=shown.count), step=at.due_clause()[0])
    at.handled = shown
    announce_count(at, shown.count)
    return True


def _is_over(at: WorkingChair, found: ch.OpenIrregularity) -> bool:
    """True if a premature flop is reported after its turn has come: the cards lie where they belong."""
    early = any(isinstance(one.act, a.PlaceAct) and one.act.place == "board" for one in at.early)
    lay_out = bool(found.cards) or at.table.mode == "device"
    return found.kind == PREMATURE_FLOP and lay_out and not early


def _took_effect(at: WorkingChair, act: a.ReportIrregularity) -> bool:
    """True if a report repeats one that had to wait until the deal was finished."""
    handled = (entry.handled for entry in at.entries if entry.handled is not None)
    return any(one.noticed and one.is_named(act.kind, act.at) for one in handled)


def _wrong_details(at: WorkingChair, act: a.ReportIrregularity, found: ch.OpenIrregularity) -> bool:
    """True if a report names another card, or another number of cards, than the one that happened.

    A hand that the trainee turned up has several exposed cards, so any of them may be named.
    """
    happened = any(one.number == found.since and isinstance(one.input, ch.Happening) for one in at.entries)
    other_card = act.which and found.which and act.which != found.which
    other_count = act.count is not None and found.count is not None and act.count != found.count
    return happened and bool(other_card or other_count)


def _check_late(at: WorkingChair, found: ch.OpenIrregularity | None) -> None:
    """Record a slip if the trainee did something else before the report, once it could take effect."""
    if found is None or found.noticed:
        return
    if acts_since(at, max(found.since, found.waited)):
        at.slip(ch.LATE, found.clause, irregularity=found.kind, at=found.at)


def _turned_back(act: a.ChairAct, kind: str, place: str) -> bool:
    """True if a report undoes an act that was done early."""
    if kind == "premature flop":
        return isinstance(act, a.Burn) or (isinstance(act, a.PlaceAct) and act.place == "board")
    return kind == EXPOSED_CARD and isinstance(act, a.TurnUp) and act.place == place


def _colour_up(at: WorkingChair, act: a.ColourUp, cards: tuple[Card, ...]) -> None:
    """Change chips for other chips. The sums must be equal; a difference stands until it is corrected.

    If a player has put chips in front of the dealer, their sum counts, whatever the trainee announces.
    """
    asked = (one for one in at.conduct if one.conduct.chips and one.conduct.seat == act.seat)
    one = next(asked, None)
    chips = act.taken if one is None else one.conduct.chips
    wrong = total(act.given) - total(chips)
    if not wrong and one is None and act.given == chips:
        at.slip(ch.NOT_DUE, None, step=at.due_clause()[0])
        return
    if not wrong and one is not None and not _is_larger(act.given, chips):
        # The player asked for larger chips, and gets the same ones back, or smaller ones.
        right = one.right
        largest = isinstance(right, a.ColourUp) and not _is_larger(right.given, chips)
        close_conduct(at, one, right=largest)
        return
    if one is not None:
        close_conduct(at, one)
    if not wrong or act.seat not in at.state.seats:
        return
    at.apply([e.MispaymentMade(seat=act.seat, hand=1, wager=CHIPS, amount=wrong)], ch.SLIP)
    at.slip(ch.WRONG_AMOUNT, None, step=at.due_clause()[0], amount=wrong)


def _is_larger(given: Mapping[int, int], taken: Mapping[int, int]) -> bool:
    """True if chips are fewer and larger than those that they are changed for."""
    return sum(given.values()) < sum(taken.values())


def _correct(at: WorkingChair, act: a.CorrectPayment, cards: tuple[Card, ...]) -> None:
    """Correct a payment that was wrong, with the floor. If a wrong amount is announced, nothing changes.

    The payment of this round is corrected; if it was right and nobody disputes it, the last wrong one of an
    earlier round is.
    """
    wager, now = wager_key(at.state, act.seat, act.hand, act.wager), at.state.round.number
    rounds = [number for number, one in at.mispaid if one == wager]
    dispute = open_dispute(at, act)
    if dispute is not None and now not in rounds:
        close_conduct(at, dispute, right=False)
        return
    if not rounds:
        at.slip(ch.NOT_DUE, None, step=at.due_clause()[0])
        return
    number = max(rounds)
    right = _right_payment(at, act) if number == now else None
    if act.amount is not None and right not in (None, act.amount):
        clause = at.mispaid[number, wager][1]
        at.slip(ch.WRONG_AMOUNT, clause, due=replace(act, amount=right), step=at.due_clause()[0])
        return
    if not at.correct(number, act):
        at.slip(ch.NOT_DUE, None, step=at.due_clause()[0])
        return
    changed = act.wager == CHIPS
    wrong = ("ColourUp", act.seat) if changed else ("wager", act.seat, act.hand, act.wager)
    at.cures(ch.WRONG_AMOUNT, wrong)
    if dispute is not None:
        close_conduct(at, dispute)


def _right_payment(at: WorkingChair, act: a.CorrectPayment) -> int | None:
    """Return the cents that a wager of this round should have been paid; None if it is not settled."""
    wager = (act.seat, act.hand, act.wager)
    lines = [line for line in at.state.round.settled if (line.seat, line.hand, line.wager) == wager]
    return sum(line.won for line in lines if not line.for_dealer) if lines else None


def _reset(at: WorkingChair, act: a.ResetDealer, cards: tuple[Card, ...]) -> None:
    """Set the dealer's hand again by the house way."""
    if at.queue and isinstance(at.queue[0].act, a.ResetDealer):
        at.complete(at.queue[0], act)
        at.cures(ch.WRONG_HAND_SET, ("SetHand",))
        return
    if house_way_hand(at.table, at.state) and at.send(c.ResetHand(by=FLOOR), ch.CURE):
        at.clear_queue()
        at.cures(ch.WRONG_HAND_SET, ("SetHand",))
        return
    step, clause = at.due_clause()
    at.slip(ch.NOT_DUE, clause, step=step)


SPECIAL: Final[dict[type[a.ChairAct], Callable[[WorkingChair, Any, tuple[Card, ...]], None]]] = {
    a.CallFloor: _call_floor,
    a.ReportIrregularity: _report,
    a.CorrectPayment: _correct,
    a.ColourUp: _colour_up,
    a.ResetDealer: _reset,
    **CONDUCT_ACTS,
}
"""The handlers of the acts that are possible at any time."""
