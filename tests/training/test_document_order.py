"""A slip is wrong by the document: what no clause orders or asks for is accepted, and no error counts twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.deal_acts import stub
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.act_list import done_text
from houseway.training.chair_view import chair_felt
from houseway.training.chips import total
from houseway.training.judge import judge
from houseway.training.model_dealer import right_act
from training.sessions import Session
from training.test_free_order import SD, coming, due_is, slips, step, table_at
from training.test_happenings import plain_terms

PLAIN = {"ante": 500, "blind": 500}
TRIPS = {**PLAIN, "trips": 500}
REMOVE = step("remove stub")


def folded(at: Session) -> list[int]:
    """Return the folded seats whose cards are still there."""
    hands = ((number, seat.hands[0]) for number, seat in at.state.seats.items())
    return [number for number, hand in hands if hand.folded and not hand.racked]


def judged(at: Session) -> list[tuple[str, a.ChairAct | None]]:
    """Return the slips of a closed round with the acts that were due."""
    return [(one.kind, one.due) for one in judge(at.table, at.chair).slips]


def right_is(kind: type[a.ChairAct], least: int = 0) -> Callable[[Session], bool]:
    """Return a condition: the act that is due is of a kind, and so many hands are folded."""
    return lambda at: isinstance(right_act(at.table, at.chair), kind) and len(folded(at)) >= least


def skipping(*left_out: a.ChairAct) -> Callable[[Session], a.ChairAct | None]:
    """Return a choice that leaves out acts: it does the next act after them, or asks the next player."""

    def choose(at: Session) -> a.ChairAct | None:
        if right_act(at.table, at.chair) not in left_out:
            return None
        later = next((act for act in coming(at) if act not in left_out), None)
        undecided = (n for n, seat in at.state.seats.items() if not seat.hands[0].locked)
        return later or a.Ask(seat=next(undecided))

    return choose


# --- folded hands ---


@pytest.mark.parametrize("first", [0, 1, -1])
def test_folded_hands_are_collected_in_any_order(first: int) -> None:
    """SD-12-d gives no order."""
    at = table_at(right_is(a.TakeFold, 3), PLAIN, seats=6)
    seats = folded(at)
    for number in (seats[first], *(n for n in seats if n != seats[first])):
        assert at.act(a.TakeFold(seat=number)).slips == ()
    assert slips(at) == []


def test_a_folded_hand_that_is_collected_after_the_dealers_hand_is_up_is_one_slip() -> None:
    at = table_at(right_is(a.TakeFold, 2), PLAIN, seats=6)
    first, *others = folded(at)
    for number in others:
        at.act(a.TakeFold(seat=number))
    at.act(a.TurnUp(place="dealer"))
    at.act(a.TakeFold(seat=first))
    assert slips(at) == [(ch.OUT_OF_ORDER, a.TakeFold(seat=first))]


def kept_by_folds(at: Session) -> list[int]:
    """Return the folded hands that are settled now for trips, if two or more are left."""
    head = at.chair.queue[:1]
    seats = folded(at)
    return seats if head and head[0].step == "settle what folded hands kept" and len(seats) > 1 else []


@pytest.mark.parametrize("book", ["uth-ma", "uth-card"])
def test_what_folded_hands_kept_is_settled_in_any_order(book: str) -> None:
    """MA-9.h is about players who have placed a play wager."""
    at = table_at(lambda at: right_is(a.TurnUp)(at) and bool(kept_by_folds(at)), TRIPS, "manual", book, 6)
    for number in kept_by_folds(at):
        acts = [act for act in coming(at) if number in (getattr(act, "seat", 0), _seat(act))]
        for act in acts:
            assert at.act(act).slips == (), act
    assert slips(at) == []


def _seat(act: a.ChairAct) -> int:
    place = getattr(act, "place", "") or getattr(act, "what", "")
    return int(place.removeprefix("seat ")) if place.startswith("seat ") else 0


@pytest.mark.parametrize(("book", "mode"), [("uth-ma", "manual"), ("uth-ma", "device"), (SD, "manual")])
def test_a_folded_hand_need_not_be_announced(book: str, mode: str) -> None:
    """MA-9.h-b announces hands with a play wager; SD-12-c only pays the trips bet of a fold."""

    def reads_fold(at: Session) -> bool:
        right = right_act(at.table, at.chair)
        return isinstance(right, a.ReadHand) and _seat(right) in folded(at)

    at = table_at(reads_fold, TRIPS, mode, book)
    number = folded(at)[0]
    at.play_round(lambda at: next(iter(coming(at)[1:]), None) if reads_fold(at) else None)
    assert [one for one in at.log[-1].slips if one.due and _seat(one.due) == number] == []
    at = table_at(reads_fold, TRIPS, mode, book)
    assert at.act(right_act(at.table, at.chair)).slips == ()  # type: ignore[arg-type]
    assert slips(at) == []


def test_cover_all_is_settled_in_any_order() -> None:
    def several(at: Session) -> bool:
        head = at.chair.queue[:1]
        return bool(head) and head[0].step == "settle Cover All"

    at = table_at(several, {**PLAIN, "cover_all": 500}, "device", "uth-ma")
    acts = [act for act in coming(at) if isinstance(act, a.WagerAct) and act.wager == "cover_all"]
    assert len(acts) > 1
    for act in reversed(acts):
        assert at.act(act).slips == ()
    assert slips(at) == []


def test_the_green_button_is_pressed_before_the_dealers_hand_is_turned_up() -> None:
    at = table_at(right_is(a.TurnUp), {**PLAIN, "cover_all": 500}, "device", "uth-ma")
    at.play_to(lambda at: right_act(at.table, at.chair) == a.TurnUp(place="dealer"))
    assert at.act(step("show payouts")).slips == ()
    assert slips(at) == []


def test_the_green_button_may_wait_until_the_payouts_are_needed() -> None:
    at = table_at(due_is("show payouts"), {**PLAIN, "cover_all": 500}, "device", "uth-ma")
    act = skipping(step("show payouts"))(at)
    assert act is not None
    assert at.act(act).slips == ()
    assert slips(at) == []
    assert sum(entry.input == step("show payouts") for entry in at.chair.entries) == 1


# --- the stub ---


@pytest.mark.parametrize("counts", [False, True])
def test_a_machine_keeps_the_stub_unless_it_is_counted(counts: bool) -> None:
    """MA-8.d asks only for a count every five rounds."""
    given = plain_terms("uth-ma", "device") | {"house": {"device_counts": counts}}
    at = Session("uth-ma", "device", 3, given=given)
    at.bets = dict.fromkeys((1, 2, 3), PLAIN)
    for number in range(1, 6):
        at.play_round(skipping(REMOVE) if number < 5 or counts else None)
        removed = any(entry.input == REMOVE for entry in at.chair.entries)
        assert removed is (number == 5 and not counts)
        assert [slip for entry in at.chair.entries for slip in entry.slips] == []


def test_the_stub_of_a_manual_shoe_must_leave_it() -> None:
    at = table_at(due_is("remove stub"), PLAIN, book="uth-ma")

    def never(at: Session) -> a.ChairAct | None:
        if right_act(at.table, at.chair) != REMOVE:
            return None
        head = at.chair.queue[0].act
        return head if head != REMOVE else skipping(REMOVE)(at)

    at.play_round(never)
    assert judged(at) == [(ch.MISSED, REMOVE)]


def test_the_last_decision_may_be_asked_for_before_the_stub_is_removed() -> None:
    """MA-7.e says only that all community cards have been dealt."""
    at = table_at(lambda at: due_is("remove stub")(at) and not all_locked(at), PLAIN, book="uth-ma")
    seat = next(number for number, one in at.state.seats.items() if not one.hands[0].locked)
    assert at.act(a.Ask(seat=seat)).slips == ()
    at.play_to(lambda at: right_act(at.table, at.chair) == a.TurnUp(place="dealer"))
    at.act(a.TurnUp(place="dealer"))
    assert at.act(REMOVE).slips == ()
    assert slips(at) == []


def all_locked(at: Session) -> bool:
    return all(seat.hands[0].locked for seat in at.state.seats.values())


def counting_round(mode: str = "manual") -> Session:
    """Return a table in its fifth round, in which the stub is counted."""
    at = Session("uth-ma", mode, 3, given=plain_terms("uth-ma", mode))
    at.bets = dict.fromkeys((1, 2, 3), PLAIN)
    for _ in range(4):
        at.play_round()
    return at


@pytest.mark.parametrize("removes", [False, True])
@pytest.mark.parametrize("first", [False, True])
def test_in_a_void_round_the_stub_is_counted_at_any_moment(first: bool, removes: bool) -> None:
    at = counting_round().play_to(right_is(a.Ask))
    assert at.happen(ch.Happening(kind="exposed card", at="dealer", which=1))
    at.act(a.ReportIrregularity(kind="exposed card", at="dealer"))
    racks = [act for act in coming(at) if isinstance(act, a.Rack)]
    left = stub(at.table, at.state)
    shown = [deck.left for deck in chair_felt(at.table, at.chair, left).decks]
    assert shown == [left]
    count = [*([REMOVE] if removes else []), a.CountStub(count=left)]
    for act in (*count, *racks) if first else (*racks, *count):
        assert at.act(act).slips == ()
    assert slips(at) == []


def test_a_count_that_is_never_made_in_a_void_round_is_one_slip() -> None:
    at = counting_round().play_to(right_is(a.Ask))
    at.happen(ch.Happening(kind="exposed card", at="dealer", which=1))
    at.act(a.ReportIrregularity(kind="exposed card", at="dealer"))
    for act in (act for act in coming(at) if isinstance(act, a.Rack)):
        at.act(act)
    at.act(step("close"))
    assert [kind for kind, _ in judged(at)] == [ch.MISSED]


def test_a_wrong_count_that_has_waited_voids_the_hands_as_they_are_now() -> None:
    at = counting_round()
    at.play_to(lambda at: due_is("remove stub")(at))
    waiting = [n for n, seat in at.state.seats.items() if not seat.hands[0].locked]
    at.chair = replace(at.chair, missing=1)
    at.act(REMOVE)
    count = at.chair.queue[0].act
    for number in waiting:
        at.act(a.Ask(seat=number))
        at.step()
        if at.state.seats[number].hands[0].folded:
            at.act(a.TakeFold(seat=number))
    assert isinstance(count, a.CountStub)
    at.act(count)
    assert at.state.round.void
    assert all(not hand.wagers for seat in at.state.seats.values() for hand in seat.hands)


# --- void rounds and early racks ---


def void_with_a_fold() -> Session:
    """Return a South Dakota table with a fold still to collect, and a board that has one card too many."""
    at = table_at(lambda at: at.state.round.up == 5 and bool(folded(at)), TRIPS, seats=6)
    assert at.happen(ch.Happening(kind="wrong number", at="board", command=c.DealExtra(at="board")))
    at.act(a.ReportIrregularity(kind="wrong number", at="board"))
    return at


def void_by_exposed_card() -> Session:
    """Return a Massachusetts table whose round is void because a card of the dealer was exposed."""
    at = table_at(right_is(a.Ask), PLAIN, book="uth-ma", seats=6)
    assert at.happen(ch.Happening(kind="exposed card", at="dealer", which=1))
    at.act(a.ReportIrregularity(kind="exposed card", at="dealer"))
    return at


@pytest.mark.parametrize("void", [void_with_a_fold, void_by_exposed_card])
def test_a_void_round_is_collected_in_any_order(void: Callable[[], Session]) -> None:
    at = void()
    assert at.state.round.void
    for number in (3, 1, 2, 6, 5, 4):
        assert at.act(a.Rack(what=f"seat {number}")).slips == (), number
    assert slips(at) == []


def test_one_early_rack_is_one_slip() -> None:
    """A hand that is racked later was racked, whatever the step."""

    def hands_left(at: Session) -> bool:
        return bool(at.chair.queue) and at.chair.queue[0].step == "settle the hands"

    at = table_at(lambda at: hands_left(at) and right_is(a.Rack)(at), PLAIN, seats=6)
    first = right_act(at.table, at.chair)
    later = [act for act in coming(at) if isinstance(act, a.TurnUp)]
    at.act(later[0])
    assert slips(at) == [(ch.OUT_OF_ORDER, first)]


def test_an_act_without_effect_is_not_told_as_done() -> None:
    at = table_at(right_is(a.Ask), PLAIN, book="uth-ma")
    for act, words in (
        (a.Rack(what="seat 1"), "tried to rack seat 1's cards, but nothing changed"),
        (REMOVE, "tried to remove the stub, but nothing changed"),
    ):
        entry = at.act(act)
        assert [one.kind for one in entry.slips] == [ch.NOT_DUE]
        assert done_text(at.table, act, entry) == words


def test_a_stub_that_is_removed_early_is_out() -> None:
    at = table_at(right_is(a.Ask), PLAIN, "device", "uth-ma")
    assert at.act(REMOVE).slips == ()
    assert [deck.place for deck in chair_felt(at.table, at.chair, 0).decks] == ["the stub is taken out"]
    assert slips(at) == []


@pytest.mark.clause("MA-8.d")
@pytest.mark.parametrize("due", [a.TakeStep(what="look"), a.TurnUp(place="board", count=3)])
def test_the_stub_may_be_removed_once_the_dealers_hand_is_dispensed(due: a.ChairAct) -> None:
    """MA-8.d: after the dealer's hand is dispensed, the dealer removes the stub. The next act may be any."""
    at = table_at(
        lambda at: right_act(at.table, at.chair) == due and not all_locked(at), PLAIN, "device", "uth-ma"
    )
    assert at.act(REMOVE).slips == ()
    assert [deck.place for deck in chair_felt(at.table, at.chair, 0).decks] == ["the stub is taken out"]
    assert at.act(due).slips == ()
    assert slips(at) == []
    assert sum(isinstance(x.event, e.StubRemoved) for entry in at.log for x in entry.changes) == 1


def test_the_stub_may_not_be_removed_before_the_dealers_hand_is_dispensed() -> None:
    last = a.DealCards(place="dealer", count=2)
    at = table_at(lambda at: right_act(at.table, at.chair) == last, PLAIN, "device", "uth-ma")
    assert [one.kind for one in at.act(REMOVE).slips] != []


def test_a_stub_that_is_removed_early_does_not_excuse_a_premature_flop() -> None:
    """The players still decide for themselves, and the board that is turned up too early is a slip."""
    at = table_at(right_is(a.Ask), PLAIN, "device", "uth-ma")
    assert at.act(REMOVE).slips == ()
    assert at.act(a.Pay(seat=1, wager="ante", chips={500: 1})).slips != ()
    assert not any(seat.hands[0].acted for seat in at.state.seats.values())
    turned = at.act(a.TurnUp(place="board", count=3))
    assert [one.kind for one in turned.slips] == [ch.OUT_OF_ORDER]


# --- progressive winners ---


def winners(at: Session) -> list[int]:
    """Return the seats that are still to be paid their progressive bets."""
    wins = (act for act in coming(at) if isinstance(act, a.Pay) and act.wager == "progressive")
    return [act.seat for act in wins]


def at_the_winners(count: int) -> Session:
    """Return a South Dakota table with so many progressive winners, before the first of them is paid."""

    def there(at: Session) -> bool:
        called = any(isinstance(entry.input, a.CallFloor) for entry in at.chair.entries)
        return isinstance(right_act(at.table, at.chair), a.Key) and len(winners(at)) == count and not called

    return table_at(there)


def key_and_pay(at: Session, number: int) -> None:
    for act in (key_of(at, number), pay_of(at, number), a.Rack(what=f"seat {number}")):
        assert at.act(act).slips == (), act


def key_of(at: Session, number: int) -> a.Key:
    return next(act for act in coming(at) if isinstance(act, a.Key) and act.seat == number)


def pay_of(at: Session, number: int) -> a.Pay:
    acts = (act for act in coming(at) if isinstance(act, a.Pay) and act.wager == "progressive")
    return next(act for act in acts if act.seat == number)


def test_a_call_for_a_winner_counts_after_an_incident() -> None:
    """SD-18.a.iii and iv list the acts for a winner, and give no order."""
    at = at_the_winners(1)
    at.chair = replace(at.chair, entries=(reported(), *at.chair.entries))
    assert at.act(a.CallFloor()).slips == ()
    key_and_pay(at, winners(at)[0])
    assert slips(at) == []


def reported() -> ch.ChairEntry:
    """Return an entry with a report, as of an earlier incident of the round."""
    return ch.ChairEntry(1, 0, a.ReportIrregularity(kind="exposed card", at="seat 1"))


@pytest.mark.parametrize("calls", ["first", "between", "each", "after each"])
def test_one_call_is_enough_for_two_winners_and_two_are_right_too(calls: str) -> None:
    at = at_the_winners(2)
    for index, number in enumerate(winners(at)):
        if calls == "each" or (calls == "first" and not index):
            assert at.act(a.CallFloor()).slips == ()
        assert at.act(key_of(at, number)).slips == ()
        if calls == "between" and not index:
            assert at.act(a.CallFloor()).slips == ()
        assert at.act(pay_of(at, number)).slips == ()
        if calls == "after each":
            assert at.act(a.CallFloor()).slips == ()
        assert at.act(a.Rack(what=f"seat {number}")).slips == ()
    assert slips(at) == []


@pytest.mark.parametrize("count", [1, 2])
def test_winners_without_a_call_are_one_slip(count: int) -> None:
    at = at_the_winners(count)
    for number in winners(at):
        key_and_pay(at, number)

    def never(at: Session) -> a.ChairAct | None:
        calls = isinstance(right_act(at.table, at.chair), a.CallFloor)
        return at.chair.queue[0].act if calls else None

    at.play_round(never)
    assert [kind for kind, _ in judged(at)] == [ch.MISSED_CALL]


def test_a_progressive_award_that_is_never_paid_is_short_by_all_of_it() -> None:
    """The progressive wager was collected before the deal, and is never returned."""
    at = at_the_winners(1)
    pay = pay_of(at, winners(at)[0])
    at.act(step("close"))
    missed = [one for one in judge(at.table, at.chair).slips if one.due == pay]
    assert [one.amount for one in missed] == [-total(pay.chips)]


# --- the clause of an order ---


@pytest.mark.clause("PROC-N.2", "PROC-Q.1-a")
@pytest.mark.parametrize(("qualifies", "clause"), [(False, "PROC-N.2"), (True, "PROC-Q.1-a")])
def test_a_hand_turned_up_before_its_turn_breaks_the_clause_for_this_dealers_hand(
    qualifies: bool, clause: str
) -> None:
    def reached(at: Session) -> bool:
        right = right_act(at.table, at.chair)
        turns = isinstance(right, a.TurnUp) and right.place == "seat 3"
        playing = not any(seat.hands[0].folded for seat in at.state.seats.values())
        return turns and at.state.round.qualifies is qualifies and playing

    at = table_at(reached, PLAIN, "device", "uth-proc")
    (slip,) = at.act(a.TurnUp(place="seat 1")).slips
    assert (slip.kind, slip.clause) == (ch.OUT_OF_ORDER, clause)


@pytest.mark.clause("TS-10-b")
def test_discards_collected_in_the_wrong_order_break_the_clause_of_the_order() -> None:
    at = table_at(right_is(a.Rack), {"wager": 1000}, "manual", "shootout-sd")
    assert right_act(at.table, at.chair) == a.Rack(what="seat 3 discards")
    (slip,) = at.act(a.Rack(what="seat 1 discards")).slips
    assert (slip.kind, slip.clause) == (ch.OUT_OF_ORDER, "TS-10-b")


# --- the flop of Texas Shootout ---


def shootout_flop(cards: int) -> Session:
    """Return a table whose dealer has put so many cards in the middle, face down."""
    before = right_is(a.DealCards)
    at = table_at(
        lambda at: before(at) and right_act(at.table, at.chair).place == "board",  # type: ignore[union-attr]
        {"wager": 1000}, "manual", "shootout-sd",
    )  # fmt: skip
    for _ in range(cards):
        at.act(a.DealCards(place="board", count=1))
    return at


@pytest.mark.clause("TS-12-b")
@pytest.mark.parametrize("turned", [5, 6])
def test_six_cards_that_are_turned_up_were_not_counted(turned: int) -> None:
    """The dealer confirms that exactly five cards have been dealt, and only then turns them."""
    (slip,) = shootout_flop(6).act(a.TurnUp(place="board", count=turned)).slips
    report = a.ReportIrregularity(kind="wrong number", at="board")
    assert (slip.kind, slip.clause, slip.due) == (ch.MISCOUNT, "TS-12-b", report)


@pytest.mark.clause("TS-12-c")
def test_five_cards_that_are_not_turned_up_together_are_one_slip() -> None:
    at = shootout_flop(5)
    (slip,) = at.act(a.TurnUp(place="board", count=4)).slips
    assert (slip.kind, slip.clause) == (ch.MISCOUNT, "TS-12-c")
    assert at.act(a.TurnUp(place="board", count=1)).slips == ()
    assert at.state.round.up == 5
    assert shootout_flop(5).act(a.TurnUp(place="board", count=5)).slips == ()
