"""Bets, play wagers and folds at a table, for clauses whose other tests only settle rounds from data."""

from typing import Any

import pytest

from houseway.cards import codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.meters import MICRO
from table_driver import table

LINK: dict[str, Any] = {"tables": {"progressive": "PMG-01"}}
"""South Dakota with a progressive wager of $1."""


def row(clause: str, *values: Any) -> Any:
    """A parameter that shows a clause. Its last value is the clause that the table cites, if not the same."""
    cited = () if str(values[-1]).startswith(("CARD-", "MA-")) else (clause,)
    return pytest.param(*values, *cited, marks=pytest.mark.clause(clause), id=clause)


# --- wagers before the deal ---


MA_LINK = {"tables": {"progressive": "PTMGL01"}}
UNEQUAL = "ante-blind-unequal"
FIFTY = {"limits": {"ante": {"max": "50"}, "trips": {"max": "50"}}}
BETS = [
    # CARD-26 repeats CARD-5-a, and MA-1.blind is refused under the clause on equal wagers.
    row("CARD-26", "uth-card", {}, {"ante": 10, "blind": 15}, {"ante": 10, "blind": 10}, UNEQUAL, "CARD-5-a"),
    row("MA-1.ante-a", "uth-ma", {}, {"ante": 25, "blind": 20}, {"ante": 25}, UNEQUAL),
    row("MA-1.blind", "uth-ma", {}, {"ante": 25, "blind": 0}, {"ante": 25}, UNEQUAL, "MA-1.ante-a"),
    row("CARD-22", "uth-card", {}, {"trips": 5}, {"ante": 10, "trips": 5}, "trips-alone"),
    row("MA-6.c-a", "uth-ma", {}, {"trips": 5}, {"ante": 10, "trips": 5}, "trips-alone"),
    row("PROC-D.1-b", "uth-proc", {}, {"trips": 5}, {"ante": 5, "trips": 5}, "trips-alone"),
    row("MA-13.b", "uth-ma", MA_LINK, {"progressive": 5}, {"ante": 10, "progressive": 5}, "progressive-alone"),
    row(
        "MA-13.a", "uth-ma", MA_LINK, {"ante": 10, "progressive": 1}, {"ante": 10, "progressive": 5},
        "progressive-amount",
    ),
    row("SD-2-d", "uth-sd", FIFTY, {"ante": 55}, {"ante": 50}, "above-maximum"),
    row("TS-4-a", "shootout-sd", {}, {"bonus": 5}, {"wager": 10, "bonus": 5}, "bonus-alone"),
]  # fmt: skip


@pytest.mark.parametrize(("rulebook", "given", "wrong", "right", "code", "clause"), BETS)
def test_a_wrong_bet_is_refused_at_the_table_and_the_right_one_is_accepted(
    rulebook: str,
    given: dict[str, Any],
    wrong: dict[str, int],
    right: dict[str, int],
    code: str,
    clause: str,
) -> None:
    t = table(rulebook, **given).sit(1).ready()
    no = t.refuses(t.betting(1, **wrong))
    assert (no.code, no.clause) == (code, clause)
    assert t.wagers(1) == {}
    t.bet(1, **right).deal()
    assert {name: f"{stake}.00" for name, stake in right.items()}.items() <= t.wagers(1).items()
    assert t.state.round.players == (1,)


@pytest.mark.clause("TS-5-a")
def test_a_bonus_is_added_before_the_deal_and_refused_after_the_first_card() -> None:
    t = table("shootout-sd").bet(1, wager=10).bet(2, wager=10)
    t.bet(1, wager=10, bonus=5)
    assert (t.wagers(1), t.wagers(2)) == ({"wager": "10.00", "bonus": "5.00"}, {"wager": "10.00"})
    t.perform("close the betting")
    while not t.seen(e.CardsDealt):
        t.step()
    assert t.refuses(t.betting(2, wager=10, bonus=5)).code == "no-more-bets"
    t.finish()
    assert [line.seat for line in t.seen(e.WagerSettled) if line.wager == "bonus"] == [1]


@pytest.mark.clause("SD-2-j", "SD-2-f")
def test_every_bet_is_accepted_in_one_round_and_only_its_seat_has_the_progressive() -> None:
    t = table("uth-sd", **LINK).sit(1, 3).ready()
    t.bet(3, ante=5, trips=5, progressive=1).bet(1, ante=5)
    assert t.wagers(3) == {"ante": "5.00", "blind": "5.00", "trips": "5.00", "progressive": "1.00"}
    assert t.wagers(1) == {"ante": "5.00", "blind": "5.00"}
    t.deal().play(1, 4).finish()
    assert {line.seat for line in t.seen(e.WagerSettled) if line.wager == "progressive"} == {3}
    t.check_books()


LATE = [
    row("MA-1.ante-b", {"ante": 10}),
    row("MA-1.trips-a", {"ante": 10, "trips": 5}),
    row("MA-12.a", {"ante": 10, "cover_all": 5}),
]


@pytest.mark.parametrize(("wagers", "clause"), LATE)
def test_no_wager_is_accepted_once_no_more_bets_is_announced(wagers: dict[str, int], clause: str) -> None:
    t = table("uth-ma", mode="device").sit(1, 2).bet(1, ante=10)
    seat = 2 if clause == "MA-1.ante-b" else 1
    t.perform("announce no more bets")
    for _ in range(2):
        assert t.refuses(t.betting(seat, **wagers)).code == "no-more-bets"
        t.step()
    t.deal()
    assert t.state.round.players == (1,)
    assert [x.to for x in t.seen(e.CardsDealt)] == ["board", "seat 1", "dealer"]


@pytest.mark.clause("CARD-5-b", "CARD-6")
def test_only_a_player_with_ante_and_blind_is_dealt_in_and_only_a_bettor_has_trips() -> None:
    t = table("uth-card").sit(1, 2, 3).ready()
    for short, code in (({"trips": 5}, "trips-alone"), ({"ante": 10, "blind": 0}, UNEQUAL)):
        assert t.refuses(t.betting(3, **short)).code == code
    t.bet(1, ante=10, trips=5).bet(2, ante=10).deal()
    assert t.state.round.players == (1, 2)
    assert not t.state.seats[3].hands[0].cards
    t.play(1, 4).play(2, 4).finish()
    assert [line.seat for line in t.seen(e.WagerSettled) if line.wager == "trips"] == [1]


@pytest.mark.clause("SD-1-d")
def test_the_table_refuses_a_play_wager_above_the_bet_limit_with_the_tip_counted() -> None:
    limits = {"ante": {"max": "150"}, "trips": {"max": "95"}}
    t = table("uth-sd", limits=limits, tables={"progressive": "PMG-02"}).sit(1).ready()
    bet = c.Bet(seat=1, wagers={"ante": 15_000, "trips": 9_500, "progressive": 500}, tips={"trips": 500})
    t.send(bet)
    t.deal()
    over = t.refuses(c.Play(seat=1, times=4))
    assert (over.code, over.clause) == ("bet-limit", "SD-1-d")
    assert "$1,005" in over.message
    assert "$1,000" in over.message
    t.play(1, 3)
    assert t.wagers(1)["play"] == "450.00"


# --- play wagers and folds ---

SIZES = [
    row("SD-9-b", "uth-sd", "manual", 1, (1, 3), (2,)),
    row("SD-11-b", "uth-sd", "manual", 2, (2,), (1,)),
    row("CARD-10-b", "uth-card", "manual", 1, (3,), (2,)),
    row("CARD-12-b", "uth-card", "manual", 2, (2,), (1,)),
    row("PROC-D.5-b", "uth-proc", "device", 1, (3,), (2,)),
    row("PROC-D.7-b", "uth-proc", "device", 2, (2,), (1,)),
    row("MA-7.f.1-b", "uth-ma", "manual", 0, (2,), (3, 4)),
    row("MA-9.a-c", "uth-ma", "device", 0, (2,), (3, 4)),
    row("MA-7.f.3-b", "uth-ma", "manual", 1, (3,), (2,)),
    row("MA-9.c-b", "uth-ma", "device", 1, (3,), (2,)),
    row("MA-7.f.5", "uth-ma", "manual", 2, (2,), (1,)),
    row("MA-9.e", "uth-ma", "device", 2, (2,), (1,)),
]


@pytest.mark.parametrize(("rulebook", "mode", "checks", "wrong", "right", "clause"), SIZES)
def test_each_betting_point_accepts_only_its_own_multiples(
    rulebook: str, mode: str, checks: int, wrong: tuple[int, ...], right: tuple[int, ...], clause: str
) -> None:
    for accepted in right:
        t = table(rulebook, mode=mode).bet(1, ante=10).deal()
        for _ in range(checks):
            t.check(1).deal()
        for times in wrong:
            no = t.refuses(c.Play(seat=1, times=times))
            assert (no.code, no.clause) == ("play-size", clause)
        assert ("fold" in t.legal("seat 1"), "check" in t.legal("seat 1")) == (checks == 2, checks < 2)
        if checks == 2:
            assert t.refuses(c.Check(seat=1)).code == "no-check"
        t.play(1, accepted)
        assert t.wagers(1)["play"] == f"{10 * accepted}.00"


@pytest.mark.clause("SD-12-a")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_a_fold_is_refused_before_the_last_betting_point(mode: str) -> None:
    t = table("uth-sd", mode=mode).bet(1, ante=10).deal()
    for _ in range(2):
        no = t.refuses(c.Fold(seat=1))
        assert (no.code, no.clause) == ("no-fold-yet", "SD-12-a")
        t.check(1).deal()
    t.fold(1)
    assert t.last(e.Folded).clause == "SD-12-a"


@pytest.mark.clause("MA-1.fold")
def test_a_player_with_a_play_wager_cannot_fold_and_a_fold_discards_both_cards() -> None:
    t = table("uth-ma").bet(1, ante=10).bet(2, ante=10).deal().play(1, 4).check(2).deal().check(2).deal()
    assert t.refuses(c.Fold(seat=1)).code == "locked-in"
    held = t.hole(2)
    t.fold(2)
    (racked,) = [pile for pile in t.state.rack if pile.what == "seat 2"]
    assert (racked.count, codes(racked.cards)) == (2, held)


@pytest.mark.clause("PROC-D.5-a")
def test_after_the_flop_only_a_player_without_a_play_bet_is_asked() -> None:
    t = table("uth-proc").bet(1, ante=5).bet(2, ante=5).deal().play(1, 4).check(2).deal()
    assert (len(t.board.split()), t.view("rail").table.turn) == (3, 2)
    assert t.legal("seat 1") == []
    assert {"check", "play 2x"} <= set(t.legal("seat 2"))
    t.check(2)
    assert t.last(e.Checked).clause == "PROC-D.5-a"
    t.deal()
    assert len(t.board.split()) == 5


@pytest.mark.parametrize(("mode", "clause"), [row("MA-7.f.5.ii", "manual"), row("MA-9.e.2", "device")])
def test_a_folded_ante_and_blind_go_to_the_tray_before_the_next_player_acts(mode: str, clause: str) -> None:
    t = table("uth-ma", mode=mode).bet(4, ante=25).bet(5, ante=25).deal()
    t.check(4, 5).deal().check(4, 5).deal()
    before = t.state.house
    t.send(c.Fold(seat=4))
    for early in (c.Fold(seat=5), c.Play(seat=5, times=1)):
        no = t.refuses(early)
        assert (no.code, no.clause) == ("not-now", clause)
    t.step()
    assert [(x.seat, x.wager, x.back, x.clause) for x in t.seen(e.WagerSettled)] == [
        (4, "ante", 0, clause),
        (4, "blind", 0, clause),
    ]
    assert t.state.house - before == 5_000 * MICRO
    assert t.view("rail").table.turn == 5
