"""Massachusetts, section 13: the multi game link on the hole cards and the flop, meters and envy."""

from typing import Any

import pytest

from houseway.testing import SettledRound, settled

# Board, dealer's cards and hole cards. The hole cards and the flop make the hand.
FIRST_FIVE = {
    "royal flush": ("Qh Jh Th 2c 2d", "9s 9d", "Ah Kh"),
    "straight flush": ("7h 8h 9h 2c 2d", "Qs Qc", "5h 6h"),
    "four of a kind": ("9h 9s 4d Kc 2s", "3h 5c", "9c 9d"),
    "full house": ("9h 9s 4d Kc 2s", "3h 5c", "4h 4c"),
    "flush": ("7h 8h 9h 2c 2d", "Qs Qc", "Ah 3h"),
    "straight": ("9s 8h 7d Kc 2c", "Kd Ks", "Jc Td"),
    "three of a kind": ("7s Kh 9d 4c 2s", "Kc Qd", "7c 7d"),
    "two pair": ("7s Kh 9d 4c 2s", "Kc Qd", "7c 9h"),
}
OTHER = {"hole": "Ac 3d", "ante": "10", "progressive": "5", "play": 0}
"""A second player, with a progressive wager and no paying hand."""


def multi_link_round(table: str, hand: str, *others: dict[str, Any], **given: Any) -> SettledRound:
    """Seat 1 with $5 on the progressive and that hand on the flop; it folds at the end."""
    board, dealer, hole = FIRST_FIVE[hand]
    first = {"hole": hole, "ante": "10", "progressive": "5", "play": 0}
    return settled("uth-ma", board, dealer, first, *others, tables={"progressive": table}, **given)


def fixed(table: str, hand: str, payment: int) -> Any:
    """A case with a fixed amount: the payment for a wager of $5."""
    mark = pytest.mark.clause(f"MA-13.e-{table}-a")
    return pytest.param(table, hand, payment, marks=mark, id=f"{table}, {hand}")


LOWER = {"full house": 250, "flush": 200, "straight": 150}


@pytest.mark.parametrize(
    ("table", "hand", "payment"),
    [
        *(
            fixed(table, hand, payment)
            for table in ("PTMGL01", "PTMGL02", "PTMGL04", "PTMGLML01")
            for hand, payment in {"four of a kind": 1500, **LOWER, "three of a kind": 45}.items()
        ),
        *(fixed("PTMGLML02", hand, won) for hand, won in {**LOWER, "three of a kind": 50}.items()),
        *(fixed("PTMGLML03", hand, won) for hand, won in {**LOWER, "three of a kind": 45}.items()),
    ],
)
def test_five_dollars_win_the_fixed_amount_of_the_table(table: str, hand: str, payment: int) -> None:
    paid = multi_link_round(table, hand)
    assert paid.net("progressive") == f"{payment - 5}.00"
    assert paid.clause("progressive") == f"MA-13.e-{table}-a"


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(table, marks=pytest.mark.clause(f"MA-13.e-{table}-a"))
        for table in ("PTMGL01", "PTMGL02", "PTMGL04", "PTMGLML01", "PTMGLML02", "PTMGLML03")
    ],
)
def test_below_three_of_a_kind_the_progressive_loses(table: str) -> None:
    paid = multi_link_round(table, "two pair")
    assert (paid.result("progressive"), paid.net("progressive")) == ("lose", "-5.00")


@pytest.mark.clause("MA-13.e-c")
def test_the_progressive_wager_is_not_returned() -> None:
    paid = multi_link_round("PTMGL01", "full house")
    assert paid.settlement.seats[0].returned == "250.00"
    assert paid.net("progressive") == "245.00"
    # A share of the meter does not return the $5 either: a tenth of $60,000 less the wager.
    share = settled(
        "uth-ma", "9h Th Jh 2c 3d", "Kc Qc", hole="7h 8h", ante="10", progressive="5", play=1,
        tables={"progressive": "PTMGL01"}, meters={"main": "60000"},
    )  # fmt: skip
    assert share.net("progressive") == "5995.00"


@pytest.mark.clause("MA-13.f")
def test_only_the_two_cards_and_the_flop_count() -> None:
    cards = ("uth-ma", "9h 4s 2d 4c Kd", "Kc Qh")
    paid = settled(*cards, hole="9c 9d", ante="10", progressive="5", trips="5", play=1)
    assert (paid.line("progressive").odds, paid.net("progressive")) == ("9 for 1", "40.00")
    # All seven cards make nines full, as the blind shows.
    assert paid.line("blind").odds == "3 to 1"


@pytest.mark.clause("MA-13.f")
def test_a_later_fold_does_not_lose_the_progressive() -> None:
    paid = multi_link_round("PTMGL01", "three of a kind")
    assert [paid.net(w) for w in ("ante", "blind", "progressive")] == ["-10.00", "-10.00", "40.00"]


def metered(table: str, hand: str, before: dict[str, str], payment: str, after: dict[str, str]) -> Any:
    """A case with a meter: its amount before, the payment, its amount after."""
    mark = pytest.mark.clause(f"MA-13.e-{table}-a")
    return pytest.param(table, hand, before, payment, after, marks=mark, id=f"{table}, {hand}")


LEVELS = {"mega": "90000", "major": "8000", "minor": "1900"}
LEFT = {"mega": "90000.00", "major": "8000.00", "minor": "1900.00"}


@pytest.mark.parametrize(
    ("table", "hand", "before", "net", "after"),
    [
        metered("PTMGL01", "straight flush", {"main": "60000"}, "5995.00", {"main": "54000.00"}),
        metered("PTMGL01", "royal flush", {"main": "60000"}, "59995.00", {"main": "50000.00"}),
        metered("PTMGL02", "straight flush", {"main": "60000"}, "5995.00", {"main": "54000.00"}),
        metered("PTMGL02", "royal flush", {"main": "52340.50"}, "52335.50", {"main": "50000.00"}),
        metered("PTMGL04", "straight flush", {"main": "7000"}, "6995.00", {"main": "5000.00"}),
        metered("PTMGL04", "royal flush", {"main": "7000"}, "6995.00", {"main": "5000.00"}),
        metered(
            "PTMGLML01",
            "straight flush",
            {"major": "80000", "minor": "6200"},
            "6195.00",
            {"major": "80000.00", "minor": "5000.00"},
        ),
        metered(
            "PTMGLML01",
            "royal flush",
            {"major": "80000", "minor": "6200"},
            "79995.00",
            {"major": "50000.00", "minor": "6200.00"},
        ),
        metered("PTMGLML02", "royal flush", LEVELS, "89995.00", {**LEFT, "mega": "50000.00"}),
        metered("PTMGLML02", "straight flush", LEVELS, "7995.00", {**LEFT, "major": "5000.00"}),
        metered("PTMGLML02", "four of a kind", LEVELS, "1895.00", {**LEFT, "minor": "1250.00"}),
        metered("PTMGLML03", "royal flush", LEVELS, "89995.00", {**LEFT, "mega": "50000.00"}),
        metered("PTMGLML03", "straight flush", LEVELS, "7995.00", {**LEFT, "major": "5000.00"}),
        metered("PTMGLML03", "four of a kind", LEVELS, "1895.00", {**LEFT, "minor": "1250.00"}),
    ],
)
def test_a_share_of_a_meter_is_paid_and_taken_off_it(
    table: str, hand: str, before: dict[str, str], net: str, after: dict[str, str]
) -> None:
    paid = multi_link_round(table, hand, meters=before)
    assert (paid.net("progressive"), paid.clause("progressive")) == (net, f"MA-13.e-{table}-a")
    assert paid.meters == after


@pytest.mark.clause("MA-13.c")
def test_awards_of_one_round_follow_the_order_of_settlement() -> None:
    seats = [{"hole": hole, "ante": "10", "progressive": "5", "play": 1} for hole in ("Th Jh", "5h 6h")]
    paid = settled("uth-ma", "7h 8h 9h 2c 2d", "Qs Qc", *seats, meters={"main": "60000"})
    # Seat 2 first, a tenth of $60,000; then seat 1, a tenth of the $54,000 left.
    assert (paid.net("progressive", 2), paid.net("progressive", 1)) == ("5995.00", "5395.00")
    assert paid.meters == {"main": "48600.00"}


SEEDS = {
    "PTMGL01": {"main": "50000.00"},
    "PTMGL02": {"main": "50000.00"},
    "PTMGL04": {"main": "5000.00"},
    "PTMGLML01": {"major": "50000.00", "minor": "5000.00"},
    "PTMGLML02": {"mega": "50000.00", "major": "5000.00", "minor": "1250.00"},
    "PTMGLML03": {"mega": "50000.00", "major": "5000.00", "minor": "1250.00"},
}
"""The starting amounts of the meters at the $5 wager: five times the seeds listed for $1."""


@pytest.mark.parametrize(
    ("table", "shows"),
    [
        pytest.param(table, shows, marks=pytest.mark.clause(f"MA-13.e-{table}-b", "MA-13.e-b"), id=table)
        for table, shows in SEEDS.items()
    ],
)
def test_meters_start_from_five_times_the_listed_seed(table: str, shows: dict[str, str]) -> None:
    assert multi_link_round(table, "two pair").meters == shows


def envy(paid: SettledRound, seat: int = 2) -> list[tuple[str, str | None]]:
    """Amounts and clauses of a seat's envy."""
    return [(x.net, x.clause) for x in paid.lines("envy", seat)]


ENVY = {
    "PTMGL01": ("5000.00", "1500.00"),
    "PTMGL02": ("5000.00", "1500.00"),
    "PTMGL04": ("1250.00", "1250.00"),
    "PTMGLML01": ("5000.00", "1500.00"),
    "PTMGLML02": ("5000.00", "1500.00"),
    "PTMGLML03": ("5000.00", "1500.00"),
}
"""Envy at the $5 wager, for a royal flush and for a straight flush."""


@pytest.mark.parametrize(
    ("table", "royal", "straight"),
    [
        pytest.param(table, *both, marks=pytest.mark.clause(f"MA-13.e-{table}-b", "MA-13.e-b"), id=table)
        for table, both in ENVY.items()
    ],
)
def test_envy_is_paid_for_another_players_royal_or_straight_flush(
    table: str, royal: str, straight: str
) -> None:
    clause = f"MA-13.e-{table}-b"
    assert envy(multi_link_round(table, "royal flush", OTHER)) == [(royal, clause)]
    assert envy(multi_link_round(table, "straight flush", OTHER)) == [(straight, clause)]
    assert envy(multi_link_round(table, "four of a kind", OTHER)) == []


@pytest.mark.clause("MA-13.e-PTMGL01-b")
def test_envy_needs_a_progressive_wager_and_another_players_hand() -> None:
    without = {"hole": "Kc 4d", "ante": "10", "play": 0}
    paid = multi_link_round("PTMGL01", "royal flush", OTHER, without)
    assert [len(envy(paid, seat)) for seat in (1, 2, 3)] == [0, 1, 0]


@pytest.mark.clause("MA-13.e-b")
def test_a_meter_not_given_is_at_its_seed() -> None:
    paid = multi_link_round("PTMGL01", "royal flush")
    assert paid.net("progressive") == "49995.00"
    assert multi_link_round("PTMGLML03", "four of a kind").net("progressive") == "1245.00"
