"""Clauses played at a live table: confirmations before it opens, a keyed award that waits for the floor, Cover All."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.audit.verify import verify
from houseway.client.messages import Answered, OpenTable, Rejected
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.testing.driver import stacked
from server.hosted_rounds import Room
from server.test_dealt_wrong import DEALER, Staffed
from server.test_named_people import by_hand, deal_until, first, recorded, staff

CONFIRMED = [
    ("uth-ma", "confirm the deck", "MA-2.a-c", {}),
    ("uth-ma", "confirm each deck", "MA-2.b.1", {"house": {"decks": 2, "shuffler": "device"}}),
    ("uth-ma", "confirm the cover cards", "MA-2.a-b", {}),
    ("uth-ma", "confirm the dealing shoe", "MA-7.a-a", {"mode": "manual"}),
    ("uth-ma", "confirm the dealing machine", "MA-8.a", {"mode": "device"}),
    ("uth-ma", "confirm the Cover All mode", "MA-12.d", {"mode": "device"}),
    ("uth-sd", "post the limits", "SD-1-f", {}),
    ("uth-sd", "post the progressive schedule", "SD-18-c", {"tables": {"progressive": "PMG-02"}}),
    ("uth-proc", "post the maximum payout", "PROC-H.4-b", {"house": {"max_payout": "10000"}}),
]


@pytest.mark.parametrize(
    ("rulebook", "step", "clause", "order"),
    [pytest.param(*row, marks=pytest.mark.clause(row[2]), id=row[2]) for row in CONFIRMED],
)
def test_no_card_is_shuffled_before_the_dealer_has_confirmed_the_item(
    rulebook: str, step: str, clause: str, order: dict[str, Any]
) -> None:
    room = by_hand(rulebook, **order)
    deal_until(room, step)
    early = room.do(9, c.Perform(step="shuffle"))
    assert isinstance(early, Rejected)
    assert (early.refused[0].code, early.refused[0].clause) == ("out-of-order", clause)
    assert recorded(room, e.DeckShuffled) == []
    assert isinstance(room.do(9, first(room, "dealer")), Answered)
    confirmed = recorded(room, e.ItemConfirmed)[-1]
    assert (confirmed.clause, confirmed.name, confirmed.automatic) == (clause, "Dana", False)


@pytest.mark.clause("SD-18.a.iv")
def test_a_progressive_award_is_not_paid_before_the_floor_approves_it() -> None:
    deck = stacked("manual", "9h Th Jh 2c 2d", "Ac Kd", "7h 8h")
    house = {"auto_approve": False}
    room = Staffed("uth-sd", deck, seats=(1,), mode="manual", tables={"progressive": "PMG-02"}, house=house)
    staff(room, 8, "Flo", "floor")
    for _ in range(60):
        if room.hosted.phase.betting:
            break
        by = 8 if room.hosted.waits().why == "floor" else DEALER
        answer = room.do(by, first(room, "floor" if by == 8 else "dealer"))
        assert isinstance(answer, Answered), answer
    room.bets(1, ante=7, progressive=5)
    room.ready()
    room.until("KeyAward")
    room.sends(c.KeyAward(seat=1, hand="straight flush"))
    for _ in range(20):
        if room.hosted.waits().why == "floor":
            break
        room.sends_choice()
    paid = [line for line in recorded(room, e.WagerSettled) if line.wager == "progressive"]
    assert (room.hosted.waits().why, paid) == ("floor", [])
    assert isinstance(room.do(8, first(room, "floor")), Answered)
    (approved,) = recorded(room, e.PaymentApproved)
    assert (approved.clause, approved.name, approved.automatic) == ("SD-18.a.iv", "Flo", False)
    room.until("close the round")
    assert [line.wager for line in recorded(room, e.WagerSettled) if line.wager == "progressive"]
    room.verified()


@pytest.mark.clause("MA-12.b")
@pytest.mark.parametrize(("low", "back", "clause"), [("lose", 0, "MA-12.k"), ("push", 500, "MA-12.b")])
def test_three_of_a_kind_on_cover_all_follows_the_house_setting(low: str, back: int, clause: str) -> None:
    # Seat 1 has three sevens, the highest hand.
    deck = stacked("device", "7s Kh 9d 4c 2s", "Kc Qd", "7c 7d").split()
    order = OpenTable(rulebook="uth-ma", mode="device", house={"cover_all_low": low})
    room = Room("uth-ma", [deck], seats=(1,), order=order)
    player = room.watch("seat 1")
    assert isinstance(room.do(1, c.Bet(seat=1, wagers={"ante": 1000, "cover_all": 500})), Answered)
    room.ready()
    assert isinstance(room.do(1, c.Play(seat=1, times=4)), Answered)
    (line,) = [line for line in recorded(room, e.WagerSettled) if line.wager == "cover_all"]
    assert (line.back, line.clause) == (back, clause)
    assert player.view.table.closed
    assert verify(room.store, "room").faults == ()
