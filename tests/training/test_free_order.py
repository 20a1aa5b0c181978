"""Any order that a document leaves open is accepted; any other order is a slip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.server.training_views import verdict_view
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.act_list import verdict_text
from houseway.training.chair_view import chair_felt
from houseway.training.conduct import LATE_BET
from houseway.training.due_acts import ahead
from houseway.training.impossible_acts import impossible
from houseway.training.judge import judge
from houseway.training.model_dealer import right_act
from houseway.training.perform import behave
from training.sessions import Session
from training.test_happenings import plain_terms

SD = "uth-sd"
ALL = {"ante": 500, "blind": 500, "trips": 500, "progressive": 100}
NO_PROGRESSIVE = {"ante": 500, "blind": 500, "trips": 500}


def step(what: str, count: int | None = None) -> a.TakeStep:
    return a.TakeStep(what=what, count=count)


def table_at(
    reached: Callable[[Session], bool],
    bets: dict[str, int] = ALL,
    mode: str = "manual",
    book: str = SD,
    seats: int = 3,
) -> Session:
    """Return the first of some seeded tables at which something is reached, at that moment."""
    for seed in range(150):
        at = Session(book, mode, seed, given=plain_terms(book, mode), seats=seats)
        at.bets = dict.fromkeys(range(1, seats + 1), bets)
        for _ in range(300):
            if reached(at):
                return at
            if right_act(at.table, at.chair) == step("close"):
                break
            at.step()
    raise AssertionError("this was never reached")


def due_is(what: str) -> Callable[[Session], bool]:
    def reached(at: Session) -> bool:
        right = right_act(at.table, at.chair)
        return isinstance(right, a.TakeStep) and right.what == what

    return reached


def coming(at: Session) -> list[a.ChairAct]:
    """The acts from now on to the end of the round."""
    return [one.act for group in ahead(at.table, at.state, at.chair.queue) for one in group]


def slips(at: Session) -> list[tuple[str, a.ChairAct | None]]:
    """Play the round to its end by the document, and return all its slips with the acts that were due."""
    at.play_round()
    return [(one.kind, one.due) for one in judge(at.table, at.chair).slips]


# --- hands whose wagers are settled ---


def settled_hand(at: Session, wins: bool = False) -> int:
    """Return a seat whose wagers are settled while another hand is turned up next; 0 if there is none.

    `wins`: the hand wins the progressive.
    """
    right = right_act(at.table, at.chair)
    if not at.state.round.revealed or not isinstance(right, a.TurnUp):
        return 0
    later = coming(at)
    paid = {act.seat for act in later if isinstance(act, a.Pay) and act.wager == "progressive"}
    for number, seat in at.state.seats.items():
        hand = seat.hands[0]
        racked = a.Rack(what=f"seat {number}") in later
        if hand.shown and racked and not hand.folded and not hand.wagers and (number in paid) is wins:
            return number
    return 0


def test_a_hand_is_racked_as_soon_as_its_wagers_are_settled() -> None:
    at = table_at(lambda at: bool(settled_hand(at)))
    number = settled_hand(at)
    assert at.act(a.Rack(what=f"seat {number}")).slips == ()
    felt = chair_felt(at.table, at.chair, 0)
    assert next(one for one in felt.seats if one.seat == number).hands[0].cards == ()
    assert slips(at) == []


def test_all_hands_are_racked_as_soon_as_their_wagers_are_settled() -> None:
    at = table_at(lambda at: bool(settled_hand(at)))

    def choose(at: Session) -> a.ChairAct | None:
        number = settled_hand(at)
        racked = a.Rack(what=f"seat {number}")
        return racked if number and racked not in [one.act for one in at.chair.early] else None

    at.play_round(choose)
    assert judge(at.table, at.chair).slips == ()


def test_the_cards_of_a_hand_that_is_racked_early_are_in_the_rack() -> None:
    at = table_at(lambda at: bool(settled_hand(at)))
    number = settled_hand(at)
    before = chair_felt(at.table, at.chair, 0).rack
    at.act(a.Rack(what=f"seat {number}"))
    assert chair_felt(at.table, at.chair, 0).rack == before + 2
    assert at.state.seats[number].hands[0].shown
    again = impossible(at.table, at.chair, a.TurnUp(place=f"seat {number}"))
    assert again == f"Seat {number} has no cards to turn up."
    at.play_to(lambda at: at.state.seats[number].hands[0].racked)
    assert chair_felt(at.table, at.chair, 0).rack == sum(pile.count for pile in at.state.rack)


def test_a_hand_that_nobody_has_seen_can_be_turned_up_although_it_is_in_the_rack() -> None:
    def reached(at: Session) -> bool:
        right = right_act(at.table, at.chair)
        return isinstance(right, a.TurnUp) and right.place != "dealer" and at.state.round.revealed

    at = table_at(reached)
    turn = right_act(at.table, at.chair)
    assert isinstance(turn, a.TurnUp)
    at.act(a.Rack(what=turn.place))
    assert impossible(at.table, at.chair, turn) == ""
    assert slips(at) == [(ch.OUT_OF_ORDER, turn)]


def test_a_hand_that_wins_the_progressive_is_racked_too_early_and_that_is_one_slip() -> None:
    at = table_at(lambda at: bool(settled_hand(at, wins=True)))
    number = settled_hand(at, wins=True)
    due = right_act(at.table, at.chair)
    at.act(a.Rack(what=f"seat {number}"))
    assert slips(at) == [(ch.OUT_OF_ORDER, due)]


def test_a_hand_whose_wagers_are_not_settled_is_racked_too_early_and_that_is_one_slip() -> None:
    def reached(at: Session) -> bool:
        right = right_act(at.table, at.chair)
        own = isinstance(right, a.WagerAct) and at.state.round.revealed
        return own and a.Rack(what=f"seat {right.seat}") in coming(at)  # type: ignore[union-attr]

    at = table_at(reached)
    due = right_act(at.table, at.chair)
    assert isinstance(due, a.WagerAct)
    at.act(a.Rack(what=f"seat {due.seat}"))
    assert slips(at) == [(ch.OUT_OF_ORDER, due)]


# --- folded hands ---


def trips_fold(wins: bool) -> Callable[[Session], bool]:
    def reached(at: Session) -> bool:
        right = right_act(at.table, at.chair)
        kind = a.TurnUp if wins else a.TakeFold
        folds = any(isinstance(act, a.TakeFold) for act in coming(at)[:5])
        seen = folds and at.state.seats[fold_seat(at)].hands[0].shown
        return isinstance(right, kind) and not at.state.round.revealed and folds and not seen

    return reached


def fold_seat(at: Session) -> int:
    return next(act.seat for act in coming(at) if isinstance(act, a.TakeFold))


@pytest.mark.parametrize("wins", [True, False])
def test_the_dealer_may_look_at_a_folded_hand_with_trips(wins: bool) -> None:
    at = table_at(trips_fold(wins), NO_PROGRESSIVE)
    number = fold_seat(at)
    entry = at.act(a.TurnUp(place=f"seat {number}"))
    assert entry.slips == ()
    turned = [x.event for x in entry.changes if isinstance(x.event, e.HandTurned)]
    assert [one.face for one in turned] == [at.state.seats[number].hands[0].cards]
    assert at.act(a.ReadHand(place=f"seat {number}", reads=turned[0].reads)).slips == ()
    assert slips(at) == []


def test_a_folded_hand_without_trips_stays_face_down() -> None:
    at = table_at(trips_fold(wins=False), {"ante": 500, "blind": 500})
    assert len(at.act(a.TurnUp(place=f"seat {fold_seat(at)}")).slips) == 1


@pytest.mark.parametrize("wins", [True, False])
def test_a_fold_taken_unseen_is_taken_with_its_trips(wins: bool) -> None:
    at = table_at(trips_fold(wins), NO_PROGRESSIVE)
    number = fold_seat(at)
    pays = next((act for act in coming(at) if isinstance(act, a.Pay) and act.seat == number), None)
    at.act(a.TakeFold(seat=number))
    hand = next(one for one in chair_felt(at.table, at.chair, 0).seats if one.seat == number).hands[0]
    assert (dict(hand.wagers), tuple(hand.cards)) == ({}, ())
    assert slips(at) == ([(ch.WRONG_AMOUNT, pays)] if wins else [])


def progressive_fold(at: Session) -> int:
    """Return a folded seat that is turned up after the dealer's cards, while those are due; 0 if none is."""
    if right_act(at.table, at.chair) != a.TurnUp(place="dealer"):
        return 0
    folded = [n for n, seat in at.state.seats.items() if seat.hands[0].folded]
    return next((n for n in folded if a.TurnUp(place=f"seat {n}") in coming(at)), 0)


def test_a_folded_hand_with_a_progressive_may_be_turned_up_before_the_dealers_cards() -> None:
    at = table_at(lambda at: bool(progressive_fold(at)))
    number = progressive_fold(at)
    entry = at.act(a.TurnUp(place=f"seat {number}"))
    assert entry.slips == ()
    reads = next(x.event.reads for x in entry.changes if isinstance(x.event, e.HandTurned))
    assert at.act(a.ReadHand(place=f"seat {number}", reads=reads)).slips == ()
    assert slips(at) == []


def test_a_folded_hand_that_was_turned_up_early_need_not_be_read() -> None:
    at = table_at(lambda at: bool(progressive_fold(at)))
    number = progressive_fold(at)
    at.act(a.TurnUp(place=f"seat {number}"))
    assert slips(at) == []


def test_a_hand_that_plays_is_not_turned_up_before_the_dealers_cards() -> None:
    def playing(at: Session) -> int:
        seats = at.state.seats.items()
        plays = next((n for n, seat in seats if "play" in seat.hands[0].wagers), 0)
        return plays if right_act(at.table, at.chair) == a.TurnUp(place="dealer") else 0

    at = table_at(lambda at: bool(playing(at)))
    entry = at.act(a.TurnUp(place=f"seat {playing(at)}"))
    assert [(one.kind, one.due) for one in entry.slips] == [(ch.OUT_OF_ORDER, a.TurnUp(place="dealer"))]


# --- before the deal ---


def without(*left_out: str) -> Callable[[Session], a.ChairAct | None]:
    """Return a choice that leaves out acts of the procedure: it does the next act that is due after them."""

    def choose(at: Session) -> a.ChairAct | None:
        return next((act for act in coming(at) if getattr(act, "what", "") not in left_out), None)

    return choose


def play_until(at: Session, last: a.ChairAct, *left_out: str) -> None:
    """Deal on, without some acts, until an act is done."""
    for _ in range(40):
        at.step(without(*left_out))
        if at.chair.entries[-1].input == last:
            return
    raise AssertionError("this act was never done")


def test_the_cut_comes_at_any_moment_before_the_deal() -> None:
    at = table_at(due_is("cut"))
    play_until(at, step("collect progressive"), "cut")
    assert at.act(step("cut", 20)).slips == ()
    assert slips(at) == []


def test_a_cut_of_too_few_cards_names_the_least_number_and_the_clause() -> None:
    """MA-4.c.1.ii: at least ten cards are taken off the top."""
    at = Session("uth-ma", "manual", 2, given=plain_terms("uth-ma", "manual"), seats=2)
    at.play_to(due_is("cut"))
    at.act(step("cut", 3))
    at.play_round()
    (slip,) = judge(at.table, at.chair).slips
    words = verdict_text(at.table, slip)
    assert words == "You cut 3 cards. Due: cut at least 10 cards and leave at least one."
    assert slip.clause == "MA-4.c.1.ii"
    assert verdict_view(at.table, slip).due == "cut at least 10 cards and leave at least one"


@pytest.mark.parametrize("late", [False, True])
def test_the_cut_of_a_device_table_waits_until_the_machine_is_loaded(*, late: bool) -> None:
    """MA-4.c and MA-8.a: the cards are cut before they go into the machine, until betting is closed."""
    given = {**plain_terms("uth-ma", "device"), "house": {"cut_required": "always"}}
    at = Session("uth-ma", "device", 2, given=given, seats=2)
    at.bets = {number: {"ante": 1000, "blind": 1000} for number in (1, 2)}
    at.play_to(due_is("cut"))
    play_until(at, step("open"), "cut", "load")
    if late:
        at.act(step("load"))
        at.act(step("cut", 20))
        assert slips(at) == [(ch.OUT_OF_ORDER, step("cut", 26))]
        return
    assert at.act(step("cut", 20)).slips == ()
    assert at.act(step("load")).slips == ()
    assert slips(at) == []


def test_a_late_cut_of_too_few_cards_is_a_miscount() -> None:
    at = table_at(due_is("cut"))
    play_until(at, step("collect progressive"), "cut")
    assert [one.kind for one in at.act(step("cut", 9)).slips] == [ch.MISCOUNT]


def test_a_cut_after_the_first_card_is_a_slip() -> None:
    at = table_at(due_is("cut"))
    play_until(at, a.DealCards(place="seat 1"), "cut")
    dealt = at.chair.entries[-1]
    assert [(one.kind, one.due.what) for one in dealt.slips] == [(ch.OUT_OF_ORDER, "cut")]  # type: ignore[union-attr]
    at.act(step("cut", 20))
    assert [kind for kind, _ in slips(at)] == [ch.OUT_OF_ORDER]


@pytest.mark.parametrize("mode", ["manual", "device"])
def test_the_betting_may_be_closed_after_the_lock(mode: str) -> None:
    at = table_at(due_is("close betting"), mode=mode)
    assert at.act(step("lock")).slips == ()
    assert at.act(step("close betting")).slips == ()
    assert slips(at) == []


@pytest.mark.clause("SD-4-b", "SD-4-c", "SD-4-d")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_the_lock_does_not_close_the_betting(mode: str) -> None:
    """Betting closes with the announcement (MA-7.b, MA-8.b.2). The lights come on with the lock."""
    at = table_at(due_is("close betting"), mode=mode, seats=2)
    at.act(step("lock"))
    now = chair_felt(at.table, at.chair, 0)
    assert (now.betting, [one.lit for one in now.seats]) == ("open", [True, True])
    assert at.act(step("collect progressive")).slips == ()
    now = chair_felt(at.table, at.chair, 0)
    assert (now.betting, [dict(one.hands[0].wagers) for one in now.seats]) == ("open", [NO_PROGRESSIVE] * 2)
    closed = at.act(step("close betting"))
    kinds = [type(change.event) for change in closed.changes]
    assert kinds.index(e.BettingClosed) < kinds.index(e.ProgressiveCollected)
    assert {change.origin for change in closed.changes} == {ch.HOUSE}
    assert slips(at) == []


def test_a_bet_that_comes_after_the_lock_is_not_late() -> None:
    at = table_at(due_is("close betting"), NO_PROGRESSIVE, seats=2)
    at.act(step("lock"))
    assert at.command(c.Bet(seat=2, wagers={"ante": 1000, "blind": 1000, "trips": 500})) is None
    late = ch.Conduct(kind=LATE_BET, seat=1, tries=c.Bet(seat=1, wagers=ALL))
    assert behave(at.table, at.chair, late) is None
    at.act(step("close betting"))
    assert behave(at.table, at.chair, late) is not None


def test_a_rulebook_of_an_earlier_version_closes_the_betting_with_the_lock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its records must replay: what they say about bets after the lock stays as it was."""
    at = table_at(due_is("close betting"))
    announcement = at.table.find("close betting")
    assert announcement is not None
    monkeypatch.delitem(announcement.rules, "stays_open")
    at.act(step("lock"))
    assert at.state.round.betting == "closed"


def test_the_betting_is_not_closed_after_the_first_card() -> None:
    at = table_at(due_is("close betting"))
    at.act(step("lock"))
    at.act(step("collect progressive"))
    entry = at.act(a.DealCards(place="seat 1"))
    assert [(one.kind, one.due) for one in entry.slips] == [(ch.OUT_OF_ORDER, step("close betting"))]
    at.act(step("close betting"))
    assert [kind for kind, _ in slips(at)] == [ch.OUT_OF_ORDER]


def test_an_act_that_could_wait_and_is_never_done_is_missed() -> None:
    at = table_at(due_is("cut"))
    at.play_round(without("cut"))
    assert [one.kind for one in judge(at.table, at.chair).slips] == [ch.MISSED]


def test_the_right_act_is_the_one_that_cannot_wait_any_longer() -> None:
    at = table_at(due_is("cut"))
    right = right_act(at.table, at.chair)
    play_until(at, step("lock"), "cut")
    assert right_act(at.table, at.chair) == step("collect progressive")
    at.act(step("collect progressive"))
    assert right_act(at.table, at.chair) == right


@pytest.mark.parametrize(
    ("book", "mode", "until"),
    [
        ("uth-ma", "manual", a.DealCards(place="seat 1")),
        ("uth-card", "manual", a.DealCards(place="seat 1")),
        ("uth-card", "device", step("close betting")),
        ("uth-proc", "device", step("close betting")),
    ],
)
def test_the_deck_is_loaded_at_any_moment_before_it_is_needed(
    book: str, mode: str, until: a.ChairAct
) -> None:
    """MA-7.b asks for "No more bets" before the first card; MA-8.b.2 asks for it once the machine is loaded."""
    for late in (False, True):
        at = table_at(due_is("load"), {"ante": 500, "blind": 500}, mode, book)
        at.act(step("open"))
        at.place_bets()
        if isinstance(until, a.DealCards):
            at.act(step("close betting"))
        if late:
            at.act(until)
        at.act(step("load"))
        assert slips(at) == ([(ch.OUT_OF_ORDER, step("load"))] if late else [])


@pytest.mark.parametrize(
    ("book", "last"), [("uth-ma", step("close betting")), ("uth-card", step("close betting"))]
)
def test_the_cut_waits_as_long_as_the_load(book: str, last: a.ChairAct) -> None:
    """MA-4.c and MA-7.a: the deck is cut before it goes into the shoe. No clause says how long before."""
    at = table_at(due_is("cut"), {"ante": 500, "blind": 500}, book=book)
    play_until(at, last, "cut", "load")
    assert at.act(step("cut", 20)).slips == ()
    assert at.act(step("load")).slips == ()
    assert slips(at) == []


@pytest.mark.parametrize("book", ["uth-ma", "uth-card"])
def test_a_cut_of_a_loaded_deck_is_a_slip(book: str) -> None:
    at = table_at(due_is("cut"), {"ante": 500, "blind": 500}, book=book)
    at.act(step("load"))
    at.act(step("cut", 20))
    assert [kind for kind, _ in slips(at)] == [ch.OUT_OF_ORDER]


TWO_DECKS = {"house": {"decks": 2, "shuffler": "device"}}
UNTIL_THE_DEAL = {"confirm the deck", "confirm the cover cards"}
"""MA-2.a has no check that keeps a table closed without these confirmations."""
BEFORE_PLAY = {
    "confirm each deck", "confirm the dealing shoe", "confirm the dealing machine",
    "confirm the Cover All mode",
}  # fmt: skip
"""The checks of MA-2.b.1, MA-7.a-a, MA-8.a and MA-12.d keep a table closed without these."""


def confirmations(at: Session) -> list[str]:
    """The names of the confirmations of the opening, in order."""
    named = (act.what for act in coming(at) if isinstance(act, a.TakeStep))
    return list(dict.fromkeys(name for name in named if name.startswith("confirm")))


@pytest.mark.parametrize("given", [{}, TWO_DECKS])
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_a_confirmation_may_follow_the_receipt_of_the_cards(mode: str, given: dict[str, Any]) -> None:
    """MA-3.a begins with the cards at the table, and names no confirmation."""
    at = Session("uth-ma", mode, 2, given={**plain_terms("uth-ma", mode), **given}, seats=2)
    confirmed = confirmations(at)
    assert at.act(step("receive the cards")).slips == ()
    play_until(at, step("load"), *confirmed)
    for name in reversed(confirmed):
        assert at.act(step(name)).slips == ()
    assert slips(at) == []


@pytest.mark.parametrize("given", [{}, TWO_DECKS])
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_what_a_table_needs_to_open_is_confirmed_before_play_opens(
    mode: str, given: dict[str, Any]
) -> None:
    """Once the first wagers may be made, only the confirmations of MA-2.a may still be missing."""
    at = Session("uth-ma", mode, 2, given={**plain_terms("uth-ma", mode), **given}, seats=2)
    names = set(confirmations(at))
    assert names & BEFORE_PLAY
    assert names <= UNTIL_THE_DEAL | BEFORE_PLAY
    play_until(at, step("close betting"), *names)
    for name in sorted(names):
        at.act(step(name))
    late = {getattr(due, "what", "") for kind, due in slips(at) if kind == ch.OUT_OF_ORDER}
    assert late == names & BEFORE_PLAY


def test_a_deck_that_is_confirmed_after_the_first_card_is_a_slip() -> None:
    at = Session("uth-ma", "manual", 2, given=plain_terms("uth-ma", "manual"), seats=2)
    play_until(at, a.DealCards(place="seat 1"), "confirm the deck")
    at.act(step("confirm the deck"))
    assert slips(at) == [(ch.OUT_OF_ORDER, step("confirm the deck"))]


# --- the end of the round ---


def board_is_due(at: Session) -> bool:
    return right_act(at.table, at.chair) == a.Rack(what="board")


@pytest.mark.parametrize(
    ("book", "mode"),
    [(SD, "manual"), (SD, "device"), ("uth-ma", "manual"), ("uth-card", "manual"), ("uth-proc", "device")],
)
def test_the_dealers_cards_and_the_board_are_racked_in_either_order(book: str, mode: str) -> None:
    at = table_at(board_is_due, {"ante": 500, "blind": 500}, mode, book)
    assert at.act(a.Rack(what="dealer")).slips == ()
    assert slips(at) == []


def test_the_dealers_cards_are_not_racked_before_a_hand_is_settled() -> None:
    at = table_at(lambda at: bool(settled_hand(at)))
    assert len(at.act(a.Rack(what="dealer")).slips) == 1


def test_at_the_shootout_the_flop_is_racked_first() -> None:
    """TS-18-b puts the dealer's two cards on top of the flop."""
    at = table_at(board_is_due, {"wager": 500}, "manual", "shootout-sd")
    entry = at.act(a.Rack(what="dealer"))
    assert [(one.kind, one.due) for one in entry.slips] == [(ch.OUT_OF_ORDER, a.Rack(what="board"))]


def test_the_progressive_system_is_reset_once_everything_is_settled() -> None:
    at = table_at(board_is_due)
    assert at.act(step("reset")).slips == ()
    assert slips(at) == []


def test_the_progressive_system_is_not_reset_before_the_last_settlement() -> None:
    at = table_at(lambda at: bool(settled_hand(at)))
    assert [one.kind for one in at.act(step("reset")).slips] == [ch.OUT_OF_ORDER]
