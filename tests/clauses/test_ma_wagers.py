"""Massachusetts: which wagers may be made, with which others, and for how much."""

from typing import Any

import pytest

from houseway.audit.memory_store import MemoryStore
from houseway.audit.signatures import Signer
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.live import LiveTable, TableServices
from houseway.live.default_terms import offering
from houseway.rules import loader
from houseway.shoe import SeededEntropy
from houseway.testing import SettledRound, refused, settled

BOARD, DEALER = "Qd 9s 7h 4c 2d", "Qc 3s"


def bets(*seats: dict[str, Any], **given: Any) -> SettledRound:
    """A round with these wagers; the cards do not matter."""
    return settled("uth-ma", BOARD, DEALER, *seats, **given)


def why(*seats: dict[str, Any], **given: Any) -> tuple[str, str | None]:
    """The one refusal of a round with these wagers."""
    reasons: list[Refusal] = refused("uth-ma", BOARD, DEALER, *seats, **given)
    assert len(reasons) == 1, reasons
    return reasons[0].code, reasons[0].clause


@pytest.mark.clause("MA-1.ante-a")
def test_ante_and_blind_are_equal() -> None:
    assert why(hole="As Ah", ante="25", blind="20", play=1) == ("ante-blind-unequal", "MA-1.ante-a")
    paid = bets(hole="As Ah", ante="25", blind="25", play=1)
    assert [(x.wager, x.stake) for x in paid.lines()][:2] == [("ante", "25.00"), ("blind", "25.00")]


@pytest.mark.clause("MA-1.blind")
def test_an_ante_needs_its_blind() -> None:
    assert why(hole="As Ah", ante="10", blind="0", play=1)[0] == "ante-blind-unequal"
    assert bets(hole="As Ah", ante="10", blind="10", play=1).line("blind").stake == "10.00"


@pytest.mark.clause("MA-1.ante-b", "MA-1.blind")
def test_no_player_is_dealt_in_without_ante_and_blind() -> None:
    second = {"hole": "Kh 5s"}
    assert why({"hole": "As Ah", "ante": "10", "play": 1}, second) == ("no-initial-bet", "MA-1.ante-b")
    paid = bets({"hole": "As Ah", "ante": "10", "play": 1}, {**second, "ante": "10", "play": 1})
    assert paid.line("blind", seat=2).stake == "10.00"


@pytest.mark.clause("MA-6.c-a")
def test_trips_needs_ante_and_blind() -> None:
    assert why(hole="As Ah", trips="5") == ("trips-alone", "MA-6.c-a")
    assert bets(hole="As Ah", ante="10", trips="5", play=1).line("trips").stake == "5.00"


@pytest.mark.clause("MA-1.trips-a")
def test_trips_is_optional() -> None:
    assert bets(hole="As Ah", ante="10", play=1).lines("trips") == []
    paid = bets(hole="As Ah", ante="10", trips="5", play=1)
    assert [x.wager for x in paid.lines()] == ["ante", "blind", "play", "trips"]


SIZES = [
    ("manual", 3, "75.00", "MA-7.f.1-b"),
    ("manual", 4, "100.00", "MA-7.f.1-b"),
    ("manual", 2, "50.00", "MA-7.f.3-b"),
    ("manual", 1, "25.00", "MA-7.f.5"),
    ("device", 3, "75.00", "MA-9.a-c"),
    ("device", 4, "100.00", "MA-9.a-c"),
    ("device", 2, "50.00", "MA-9.c-b"),
    ("device", 1, "25.00", "MA-9.e"),
]


@pytest.mark.parametrize(
    ("mode", "play", "amount"),
    [
        pytest.param(mode, play, amount, marks=pytest.mark.clause(clause), id=f"{clause}, {play}x")
        for mode, play, amount, clause in SIZES
    ],
)
def test_a_play_wager_is_a_multiple_of_the_ante(mode: str, play: int, amount: str) -> None:
    assert bets(hole="As Ah", ante="25", play=play, mode=mode).line("play").stake == amount


@pytest.mark.parametrize(
    ("mode", "board", "sizes", "clause"),
    [
        pytest.param(mode, board, sizes, clause, marks=pytest.mark.clause(clause), id=clause)
        for mode, board, sizes, clause in [
            ("manual", 0, (3, 4), "MA-7.f.1-b"),
            ("manual", 3, (2,), "MA-7.f.3-b"),
            ("manual", 5, (1,), "MA-7.f.5"),
            ("device", 0, (3, 4), "MA-9.a-c"),
            ("device", 3, (2,), "MA-9.c-b"),
            ("device", 5, (1,), "MA-9.e"),
        ]
    ],
)
def test_each_betting_point_has_its_sizes(
    mode: str, board: int, sizes: tuple[int, ...], clause: str
) -> None:
    rule = next(s.sizes for s in loader.load("uth-ma").stages if s.board == board)
    assert rule is not None
    assert (rule.value, rule.clause(mode)) == (sizes, clause)


@pytest.mark.clause("MA-6.d")
@pytest.mark.parametrize(("mode", "clause"), [("manual", "MA-7.f.1-b"), ("device", "MA-9.a-c")])
def test_no_other_multiple_is_a_play_wager(mode: str, clause: str) -> None:
    for play in (5, 10):
        assert why(hole="As Ah", ante="25", play=play, mode=mode) == ("play-size", clause)
    assert bets(hole="As Ah", ante="25", play=4, mode=mode).line("play").stake == "100.00"


@pytest.mark.clause("MA-1.play")
def test_a_play_wager_can_be_made_at_three_points() -> None:
    book = loader.load("uth-ma")
    assert "play" in book.wagers
    assert [stage.board for stage in book.stages if stage.sizes] == [0, 3, 5]
    assert len(bets(hole="As Ah", ante="10", play=1).lines("play")) == 1


@pytest.mark.clause("MA-1.fold", "MA-7.f.5", "MA-9.e")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_a_folded_hand_has_no_play_wager(mode: str) -> None:
    folded = bets(hole="8c 3d", ante="10", play=0, mode=mode)
    assert folded.lines("play") == []
    assert folded.seat_net() == "-20.00"
    points = [stage.board for stage in loader.load("uth-ma").stages if stage.fold]
    assert points == [5]


@pytest.mark.clause("MA-7.f.5", "MA-9.e")
def test_a_player_may_not_check_at_the_last_point() -> None:
    assert [stage.board for stage in loader.load("uth-ma").stages if stage.check] == [0, 3]
    assert why(hole="As Ah", ante="10")[0] == "play-missing"
    assert bets(hole="As Ah", ante="10", play=1).line("play").stake == "10.00"


@pytest.mark.clause("MA-11")
def test_a_player_has_one_position() -> None:
    ann = {"seat": 2, "player": "Ann", "hole": "As Ah", "ante": "10", "play": 1}
    next_seat = {"seat": 3, "hole": "Kh 5s", "ante": "10", "play": 1}
    assert why(ann, {**next_seat, "player": "Ann"}) == ("more-than-one-position", "MA-11")
    assert bets(ann, {**next_seat, "player": "Bob"}).seat_net(2) == "20.00"


@pytest.mark.clause("MA-6.e-a")
@pytest.mark.parametrize("seat", [None, 0, 7])
def test_only_seated_players_wager(seat: int | None) -> None:
    rule = loader.load("uth-ma").options.get("seated")
    assert rule is not None
    assert (rule.value, rule.clause()) == ("seated to the end of the round", "MA-6.e-a")
    standing = {"seat": seat, "hole": "As Ah", "ante": "10", "play": 1}
    assert why(standing)[0] == "no-such-seat"
    assert bets({**standing, "seat": 6}).seat_net(6) == "20.00"


@pytest.mark.clause("MA-12.a")
def test_cover_all_needs_ante_and_blind() -> None:
    assert why(hole="As Ah", cover_all="5") == ("cover-all-alone", "MA-12.a")
    assert bets(hole="As Ah", ante="10", cover_all="5", play=1).line("cover_all").stake == "5.00"


@pytest.mark.clause("MA-12.d")
def test_cover_all_needs_the_device() -> None:
    made = {"hole": "As Ah", "ante": "10", "cover_all": "5", "play": 1}
    assert why(made, mode="manual") == ("wrong-mode", "MA-12.d")
    assert bets(made, mode="device").line("cover_all").stake == "5.00"


@pytest.mark.clause("MA-12.d")
def test_a_table_dealt_by_hand_cannot_open_with_cover_all() -> None:
    limits = {"ante": {"min": "5", "max": "25"}, "cover_all": {"min": "1", "max": "25"}}
    opening = c.OpenTable(designated=("ultimate",), examples=True)
    house = TableServices(MemoryStore(), Signer(bytes(32)), SeededEntropy("cover all"))
    refusal = LiveTable.open(
        house, "by hand", loader.load("uth-ma"), {"mode": "manual", "limits": limits}, opening
    )
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.clause, refusal.where) == ("wrong-mode", "MA-12.d", "limits.cover_all")
    assert house.store.head("by hand") is None
    given = {"mode": "device", "limits": limits}
    assert isinstance(LiveTable.open(house, "by device", loader.load("uth-ma"), given, opening), LiveTable)
    # The limits that the house leaves out are those of the wagers that the deal mode offers.
    assert "cover_all" not in offering(loader.load("uth-ma"), "manual", {}, {})["limits"]
    assert "cover_all" in offering(loader.load("uth-ma"), "device", {}, {})["limits"]


@pytest.mark.clause("MA-13.a")
@pytest.mark.parametrize("amount", ["1", "10", "4.99", "5.01"])
def test_a_progressive_bet_is_five_dollars(amount: str) -> None:
    made = {"hole": "As Ah", "ante": "10", "play": 1}
    assert why({**made, "progressive": amount}) == ("progressive-amount", "MA-13.a")
    assert bets({**made, "progressive": "5"}).line("progressive").stake == "5.00"


@pytest.mark.clause("MA-13.b")
def test_the_progressive_is_not_played_alone() -> None:
    assert why(hole="As Ah", progressive="5") == ("progressive-alone", "MA-13.b")
    paid = bets(hole="As Ah", ante="10", blind="10", progressive="5", play=1)
    assert paid.line("progressive").stake == "5.00"


@pytest.mark.clause("MA-6.a-b")
def test_a_coupon_needs_the_houses_consent_and_an_ante_of_at_least_its_value() -> None:
    made = {"hole": "As Ah", "ante": "10", "match_play": "10", "play": 1}
    assert why(made) == ("match-play-off", "MA-6.a-b")
    over = {**made, "match_play": "10.01"}
    assert why(over, house={"match_play": True}) == ("match-play-chips", "MA-6.a-b")
    assert bets(made, house={"match_play": True}).seat_net() == "30.00"
