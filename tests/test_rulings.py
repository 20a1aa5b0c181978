"""A supervisor's ruling: who made it, its reason and effect, the money and the record."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.meters import MICRO
from houseway.rules.loader import rulebook_ids
from houseway.testing.driver import stacked
from table_driver import Driver, table

MODES = ["manual", "device"]
WHY = "seat 2's cards were mixed with the discards"


def ruling(effect: str, **given: Any) -> c.MakeRuling:
    """A supervisor's ruling."""
    return c.MakeRuling(
        **{"by": "supervisor", "name": "Ann Floor", "reason": WHY, "effect": effect, **given}
    )


def dealt_table(mode: str = "manual") -> Driver:
    """Seats 1 and 2 dealt in; three sevens beat the dealer's nines, ace high loses."""
    deck = stacked(mode, "7s Kh 9d 4c 2s", "9c 3d", "7c 7d", "Ac Jd")
    return table("uth-ma", mode=mode, deck=deck).bet(1, ante=10, trips=5).bet(2, ante=10, trips=5).deal()


@pytest.mark.parametrize("missing", ["name", "reason", "effect"])
@pytest.mark.parametrize("effect", ["continue", "void hand", "void round", "correct payment"])
def test_a_ruling_needs_a_name_a_reason_and_an_effect(missing: str, effect: str) -> None:
    t = dealt_table()
    given: dict[str, Any] = {"effect": effect, "seat": 2}
    if effect == "correct payment":
        given |= {"wager": "ante", "amount": 100}
    refusal = t.refuses(ruling(**(given | {missing: " "})))
    assert refusal.code == {"effect": "unknown-effect"}.get(missing, f"{missing}-missing")


@pytest.mark.parametrize("by", ["dealer", "seat 1", "rail", "surveillance"])
def test_only_a_supervisor_makes_a_ruling(by: str) -> None:
    codes = {"seat 1": "not-the-dealer", "dealer": "not-the-floor"}
    assert dealt_table().refuses(ruling("continue", by=by)).code == codes.get(by, "only-watching")


def test_play_continues_after_a_ruling() -> None:
    t = dealt_table()
    before = t.state
    t.send(ruling("continue"))
    made = t.last(e.RulingMade)
    assert (made.name, made.reason, made.effect, made.by) == ("Ann Floor", WHY, "continue", "supervisor")
    assert t.state == before


@pytest.mark.parametrize("mode", MODES)
def test_a_void_hand_gets_its_wagers_back_and_the_others_play(mode: str) -> None:
    t = dealt_table(mode).play(1, 4)
    t.send(ruling("void hand", seat=2))
    assert [type(event) for event in t.events[-4:]] == [
        e.RulingMade,
        e.HandVoided,
        e.WagersReturned,
        e.CardsRacked,
    ]
    assert t.chips_of(2) == "10000.00"
    t.finish().check_books()
    # Play wins 40, the ante 10, the blind pushes, three of a kind pays trips 15.
    assert [t.net(1), t.net(2)] == ["65.00", "0.00"]
    assert t.refuses(ruling("void hand", seat=2)).code == "no-round"


def test_a_decision_before_the_deal_or_on_a_void_hand_is_refused_with_the_reason() -> None:
    t = table("uth-ma").bet(1, ante=10)
    assert (
        t.refuses(c.Check(seat=1)).message
        == "your cards have not been dealt; wait for your cards, then play"
    )
    t = dealt_table().play(1, 4)
    t.send(ruling("void hand", seat=2))
    assert t.refuses(c.Check(seat=2)).message == "your hand is void; wait for the next round"


def test_a_report_without_a_place_is_refused_with_the_places() -> None:
    exposed, wrong = (
        dealt_table().refuses(c.Report(kind=kind)) for kind in ("exposed card", "wrong number")
    )
    assert exposed.message == "the place is missing; name seat 1, seat 2, dealer or deck"
    assert wrong.message == "the place is missing; name a seat, the dealer or the board"


@pytest.mark.parametrize("mode", MODES)
def test_a_void_round_returns_every_wager(mode: str) -> None:
    t = dealt_table(mode).play(1, 4)
    t.send(ruling("void round"))
    assert (t.last(e.RoundVoided).why, t.last(e.RoundVoided).trips) == ("ruling", False)
    assert t.refuses(ruling("void round")).code == "no-round"
    t.finish().check_books()
    assert [t.net(1), t.net(2)] == ["0.00", "0.00"]
    assert not t.seen(e.WagerSettled)


def test_a_round_that_is_void_except_for_trips_can_be_voided_entirely() -> None:
    t = dealt_table().play(1, 4)
    t.report("exposed card", at="dealer", which=1)
    assert t.state.round.void == "trips"
    t.send(ruling("void round"))
    assert t.state.round.void == "all"
    assert t.refuses(ruling("void round")).code == "no-round"
    t.finish().check_books()
    assert [t.net(1), t.net(2)] == ["0.00", "0.00"]


def test_a_refund_undoes_settlements() -> None:
    # Seat 2 has already lost to the dealer's nines. The ruling undoes that settlement and refunds the wagers.
    t = dealt_table().play(1, 4).play(2, 4).until("settle the hands")
    t.perform("settle the hands", seat=2)
    assert t.settled("ante", 2).result == "lose"
    t.send(ruling("refund round"))
    assert {event.wager for event in t.seen(e.WagerRestored)} == {"trips", "blind", "ante", "play"}
    t.finish().check_books()
    assert [t.net(1), t.net(2)] == ["0.00", "0.00"]


def test_a_refund_is_refused_if_a_correction_leaves_a_player_with_a_debt() -> None:
    t = dealt_table().play(1, 4).play(2, 4).until("settle the hands")
    t.perform("settle the hands", seat=2)
    t.perform("settle the hands", seat=1)
    chips = t.state.seats[1].chips
    t.send(ruling("correct payment", seat=1, wager="ante", amount=-chips))
    refusal = t.refuses(ruling("refund round"))
    assert (refusal.code, refusal.where) == ("not-enough-chips", "seat 1")
    t.send(ruling("correct payment", seat=1, wager="ante", amount=chips))
    t.send(ruling("refund round"))
    t.finish().check_books()
    assert [t.net(1), t.net(2)] == ["0.00", "0.00"]


def test_a_hand_of_a_finished_round_cannot_be_voided() -> None:
    t = dealt_table().play(1, 4).play(2, 4).finish()
    assert t.refuses(ruling("void hand", seat=1)).code == "no-round"


@pytest.mark.parametrize("amount", [2500, -1500])
def test_a_payment_is_corrected_to_the_cent(amount: int) -> None:
    t = dealt_table().play(1, 4).play(2, 4).finish()
    chips, house = t.state.seats[1].chips, t.state.house
    t.send(ruling("correct payment", seat=1, wager="blind", amount=amount))
    paid = t.last(e.PaymentCorrected)
    assert (paid.seat, paid.wager, paid.amount, paid.ruled) == (1, "blind", amount, True)
    assert (t.state.seats[1].chips, t.state.house) == (chips + amount, house - amount * 10**6)
    assert t.state.mispaid == {}
    t.check_books()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"seat": 3, "wager": "ante", "amount": 5}, "nobody-there"),
        ({"seat": 1, "wager": "antes", "amount": 5}, "unknown-wager"),
        ({"seat": 1, "wager": "ante", "amount": 0}, "bad-amount"),
        ({"seat": 1, "wager": "ante", "amount": -(10**9)}, "bad-amount"),
    ],
)
def test_a_correction_without_a_valid_seat_wager_or_amount_is_refused(
    given: dict[str, Any], code: str
) -> None:
    t = dealt_table().play(1, 4).play(2, 4).finish()
    assert t.refuses(ruling("correct payment", **given)).code == code


def test_a_ruling_cannot_correct_a_wager_reported_as_mispaid() -> None:
    t = dealt_table().play(1, 4).play(2, 4).finish()
    t.send(c.Mispay(seat=1, wager="ante", amount=500))
    assert t.refuses(ruling("correct payment", seat=1, wager="ante", amount=-500)).code == "mispaid"


def test_an_amount_is_refused_unless_the_ruling_corrects_a_payment() -> None:
    assert dealt_table().refuses(ruling("continue", amount=5)).code == "not-for-this-effect"


def test_one_hand_of_a_split_is_void_and_the_other_is_settled() -> None:
    t = table("shootout-sd", deck="2c Ah Kc Ad Qc Kh 7c Kd 2s 9h 9d 4s 4h 3c").bet(1, wager=10, bonus=5)
    t.until("ask for the hands")
    t.split(1, "Ah Ad", "Kh Kd", 5)
    t.send(ruling("void hand", seat=1, hand=2))
    returned = t.last(e.WagersReturned)
    assert (returned.hand, returned.wagers) == (2, {"wager": 1000, "bonus": 500})
    t.finish().check_books()
    assert {line.hand for line in t.state.round.settled} == {1}


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_rulebook_accepts_rulings_between_steps(book: str) -> None:
    for effect in ("continue", "void round"):
        t = table(book)
        t.bet(1, **({"wager": 10} if book == "shootout-sd" else {"ante": 10}))
        for _ in range(8):
            if effect == "void round" and t.state.round.dealer:
                t.send(ruling(effect))
                break
            t.send(ruling("continue"))
            t.step() if t.act is not None else t.pass_turn()
        t.finish().check_books()


def test_a_correction_for_a_player_who_leaves_is_included_in_the_rounds_net() -> None:
    t = dealt_table()
    t.send(c.Sit(seat=4, player="guest", chips=10_000))
    t.send(ruling("correct payment", seat=4, wager="ante", amount=500))
    t.send(c.Leave(seat=4))
    t.play(1, 4).play(2, 4).finish()
    closed = t.last(e.RoundClosed)
    assert closed.net[4] == 500
    assert sum(closed.net.values()) * MICRO + sum(closed.changes.values()) == 0
