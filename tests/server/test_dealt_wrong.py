"""Misdeals, stub counts, keyed awards and posted limits at a live table where a person deals."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.audit.verify import verify
from houseway.client.messages import Answered, OpenTable, Rejected
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.meters import MICRO
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.live.offload import DIRECT
from houseway.live.record_files import keep
from houseway.live.runner import TableRunner
from houseway.money import dollars
from houseway.server.house import HouseServer
from record.recorded import SIGNER
from server.hosted_rounds import RecordingViewer, Room
from server.houses import GENEROUS
from server.test_named_people import recorded
from without_a_loop import WithoutLoop

DEALER = 9


class Staffed(Room):
    """A table at which Dana deals and approvals are given automatically."""

    def __init__(
        self, rulebook: str, deck: str = "", *, seats: tuple[int, ...] = (1, 2), **order: Any
    ) -> None:
        cards = [deck.split()] * 3
        order["house"] = {"auto_approve": True, **order.get("house", {})}
        super().__init__(
            rulebook, cards, seats=seats, order=OpenTable(rulebook=rulebook, dealer="person", **order)
        )
        self.viewers: dict[str, RecordingViewer] = {
            role: self.watch(role) for role in (*(f"seat {n}" for n in seats), "dealer")
        }
        introduced = self.people.introduce("Dana")
        assert isinstance(introduced, tuple)
        self.persons[DEALER] = self.people.give("Dana", "room", "dealer")

    @property
    def state(self) -> State:
        state: State = self.hosted.live.state
        return state

    def sends(self, command: c.Command, seat: int = DEALER) -> Answered:
        answer = self.do(seat, command)
        assert isinstance(answer, Answered), answer
        return answer

    def refused(self, command: c.Command, seat: int = DEALER) -> str:
        answer = self.do(seat, command)
        assert isinstance(answer, Rejected), answer
        return answer.refused[0].code

    def until(self, step: str) -> None:
        """Deal until a step or a command is offered to the dealer; players check, and fold if they cannot check."""
        for _ in range(300):
            waits = self.hosted.waits()
            choices = self.hosted.view("dealer").yours.choices
            if any(step in (choice.command.get("step"), choice.command["type"]) for choice in choices):
                return
            if waits.why == "decision":
                (seat,) = waits.seats
                options = [choice.command for choice in self.hosted.view(f"seat {seat}").yours.choices]
                passive = [o for o in options if o["type"] in ("Check", "Fold")]
                assert isinstance(self.do(seat, (passive or options)[0]), Answered)
            elif waits.why in ("next", "bets"):
                self.ready()
            elif waits.why == "floor":
                self.clock.move(120)
            else:
                assert isinstance(self.do(DEALER, choices[0].command), Answered), (step, waits)
        raise AssertionError(f"{step} was not reached: {self.hosted.waits()}")

    def to_bets(self) -> None:
        """Deal until bets are taken."""
        for _ in range(60):
            if self.hosted.phase.betting:
                return
            if self.hosted.waits().why == "next":
                self.ready()
                continue
            self.sends_choice()
        raise AssertionError(self.hosted.waits())

    def sends_choice(self) -> None:
        assert isinstance(self.do(DEALER, self.hosted.view("dealer").yours.choices[0].command), Answered)

    def bets(self, seat: int, **wagers: int) -> None:
        self.sends(c.Bet(seat=seat, wagers={name: 100 * amount for name, amount in wagers.items()}), seat)

    def verified(self) -> None:
        assert verify(self.store, "room", key=SIGNER.public).faults == ()


@pytest.mark.clause("SD-5-a")
def test_a_misdeal_found_late_returns_collected_folds_at_a_live_table() -> None:
    # Seat 1 has queen high, so the fold loses ante, blind and trips.
    room = Staffed("uth-sd", "2c 8d 9c 5h Ts  6d Qd Jh 4c  3s Kd 7s", mode="manual")
    chips = {n: seat.chips for n, seat in room.state.seats.items()}
    room.to_bets()
    room.bets(1, ante=25, trips=5)
    room.bets(2, ante=10)
    room.ready()
    room.until("deal the second card to the dealer")
    room.sends(c.DealShort())
    room.until("collect the folded hands")
    room.sends(c.Perform(step="collect the folded hands"))
    assert room.state.seats[1].chips == chips[1] - 5_500
    room.sends(c.Report(kind="wrong number", at="dealer"))
    assert {n: seat.chips for n, seat in room.state.seats.items()} == chips
    view = room.viewers["seat 1"].view
    assert (view.table.void, view.table.settled) == (True, {})
    room.until("close the round")
    room.verified()


LAST_BEFORE_THE_TURN = {
    "uth-sd": "burn before the turn and river",
    "uth-ma": "expose the flop",
    "uth-card": "expose the flop",
    "uth-proc": "turn up the flop",
}
"""The dealer's last step before the turn and river."""


@pytest.mark.parametrize(
    ("book", "turn"),
    [
        pytest.param("uth-sd", "expose the turn and river", marks=pytest.mark.clause("SD-5-a")),
        pytest.param("uth-ma", "expose the turn and river", marks=pytest.mark.clause("MA-14.d-a")),
        ("uth-card", "expose the turn and river"),
        ("uth-proc", "turn up the turn and river"),
    ],
)
def test_a_board_of_four_cards_is_completed_at_a_live_table(book: str, turn: str) -> None:
    room = Staffed(book, mode="device")
    room.to_bets()
    room.bets(1, ante=10)
    room.bets(2, ante=10)
    room.ready()
    room.until("dispense the community cards")
    first, again = (room.do(DEALER, c.DealShort(), key="short") for _ in range(2))
    assert isinstance(first, Answered)
    assert isinstance(again, Answered)
    assert (again.seq, again.repeated, len(room.state.round.board)) == (first.seq, True, 4)
    assert room.refused(c.DealShort(cards=room.state.round.board)) == "cards-from-the-shoe"
    last = LAST_BEFORE_THE_TURN[book]
    room.until(last)
    room.sends(c.Perform(step=last))
    while room.hosted.waits().why == "decision":
        (seat,) = room.hosted.waits().seats
        room.sends(c.Check(seat=seat), seat)
    assert room.refused(c.Perform(step=turn)) == "wrong-number"
    report = c.Report(kind="wrong number", at="board")
    first, again = (room.do(DEALER, report, key="report") for _ in range(2))
    assert isinstance(first, Answered)
    assert isinstance(again, Answered)
    assert again.repeated
    assert (len(room.state.round.board), room.state.round.void) == (5, "")
    # The missing card stays hidden until the board is turned.
    assert len(room.viewers["seat 1"].view.table.board) == 3
    room.until("close the round")
    assert [line.wager for line in room.state.round.settled if line.seat == 1] == ["ante", "blind"]
    room.verified()


@pytest.mark.clause("MA-14.d-a")
def test_a_round_whose_only_hand_is_void_ends_without_a_board() -> None:
    room = Staffed("uth-ma", seats=(1,), mode="manual")
    chips = room.state.seats[1].chips
    room.to_bets()
    room.bets(1, ante=10)
    room.ready()
    room.until("deal the second card to each player")
    room.sends(c.DealShort())
    room.sends(c.Report(kind="wrong number", at="seat 1"))
    assert (room.state.round.void, room.state.seats[1].chips) == ("all", chips)
    (wrong,), (voided,) = recorded(room, e.WrongNumberFound), recorded(room, e.HandVoided)
    assert (wrong.at, wrong.count, wrong.clause) == ("seat 1", 1, "MA-14.d-a")
    assert (voided.seat, voided.clause) == (1, "MA-14.d-a")
    room.until("close the round")
    assert room.state.round.board == ()
    room.verified()


@pytest.mark.clause("MA-7.g")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_the_dealer_counts_the_stub_between_rounds_at_a_live_table(mode: str) -> None:
    # By hand, three cards are burned; the machine burns none.
    expected = {"manual": 41, "device": 43}[mode]
    room = Staffed("uth-ma", seats=(1,), mode=mode)
    room.to_bets()
    room.bets(1, ante=10)
    room.ready()
    room.until("close the round")
    assert room.refused(c.Perform(step="count the stub", count=expected)) == "out-of-order"
    room.sends(c.Perform(step="close the round"))
    room.sends(c.Perform(step="count the stub", count=expected))
    assert room.state.since_count == 0
    room.to_bets()
    room.sends(c.Perform(step="count the stub", count=52))
    counts = [(x.count, x.expected, x.right, x.clause) for x in recorded(room, e.StubCounted)]
    assert counts == [(expected, expected, True, "MA-7.g.1"), (52, 52, True, "MA-7.g.1")]
    # A wrong count between rounds is recorded too.
    room.sends(c.Perform(step="count the stub", count=51))
    wrong = recorded(room, e.StubCounted)[-1]
    assert (wrong.count, wrong.expected, wrong.right) == (51, 52, False)
    room.verified()


@pytest.mark.clause("SD-18.a.vi-a")
def test_keying_an_award_moves_the_meter_that_players_see() -> None:
    # Seat 1 has a straight flush on the flop: 10 % of the meter.
    deck = "7h 2c 8h 3s  Kc 9h Th Jh  Kd 4c 2d"
    house = {"feed": 0, "seed": {"main": "20000"}}
    room = Staffed("uth-sd", deck, seats=(1,), mode="manual", tables={"progressive": "PMG-01"}, house=house)

    def meters() -> tuple[str, ...]:
        """The meter as the house and as the player see it."""
        shown = room.hosted.view("seat 1").table.meters["main"]
        return dollars(room.state.meters["main"] // MICRO), dollars(shown)

    room.to_bets()
    room.bets(1, ante=10, progressive=1)
    room.ready()
    room.until("KeyAward")
    award = c.KeyAward(seat=1, hand="straight flush")
    for amount in ("18000.00", "20000.00", "18000.00"):
        room.sends(award)
        assert meters() == (amount, amount)
    room.until("close the round")
    assert meters() == ("18000.00", "18000.00")
    room.verified()


@pytest.mark.clause("SD-1-c")
@pytest.mark.parametrize(
    ("rulebook", "limits", "code", "opens"),
    [
        ("uth-sd", {"ante": {"min": "5"}}, "limits-open", {"ante": {"min": "5", "max": "100"}}),
        (
            "uth-sd",
            {"ante": {"min": "5", "max": "150"}, "trips": {"min": "5", "max": "100"}},
            "limits-above-bet-limit",
            {"ante": {"min": "5", "max": "149"}, "trips": {"min": "5", "max": "100"}},
        ),
        ("shootout-sd", {"wager": {"min": "5"}}, "limits-open", {"wager": {"min": "5", "max": "100"}}),
        (
            "shootout-sd",
            {"wager": {"max": "401"}, "bonus": {"min": "5", "max": "100"}},
            "limits-above-bet-limit",
            {"wager": {"max": "400"}, "bonus": {"min": "5", "max": "100"}},
        ),
    ],
)
def test_a_server_opens_no_table_whose_limits_allow_bets_above_the_bet_limit(
    rulebook: str, limits: dict[str, Any], code: str, opens: dict[str, Any]
) -> None:
    house = HouseServer(*keep(None), limits=GENEROUS, offload=DIRECT)
    people, hall = WithoutLoop(house.people), WithoutLoop(house.hall)
    host = people.introduce("Host")
    assert isinstance(host, tuple)
    refused = hall.open(OpenTable(rulebook=rulebook, limits=limits), host[0])
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.clause) == (code, "SD-1-c")
    assert isinstance(hall.open(OpenTable(rulebook=rulebook, limits=opens), host[0]), TableRunner)
