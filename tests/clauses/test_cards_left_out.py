"""Cards that stay on the table: for Cover All, for envy, and folded cards that decide a progressive.

Each case is played with the engine alone, at a live table with an automatic dealer, at one where a person
deals, and in the terminal.
"""

from __future__ import annotations

import io
from typing import Any

import pytest

from houseway.audit.verify import verify
from houseway.cards import cards
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.script import script
from houseway.engine.terms import read_terms
from houseway.live.recent_events import recorded_events
from houseway.play.plain_screen import play
from houseway.report.dealers_script import dealers_script
from houseway.report.markdown import text as markdown
from houseway.rules.loader import load
from houseway.testing.driver import stacked
from live.live_rounds import LiveRound
from play.tables import open_seeded
from server.chair_rounds import ChairRound
from table_driver import Driver, table

MODES = ["manual", "device"]
LINK: dict[str, Any] = {"progressive": "PTMGL01"}
HOUSE: dict[str, Any] = {"feed": 20}


def shadowed(*lines: str, **options: Any) -> tuple[str, list[e.Event]]:
    """Follow a round of a real table in the terminal; return the printed text and the events."""
    opened = open_seeded("uth-ma", "", shadow=True, **options)
    out = io.StringIO()
    assert play(opened, io.StringIO("\n".join(lines) + "\n"), out) == 0
    link: Any = opened.game.link
    live = link.live
    assert verify(live.house.store, live.stream).faults == ()
    return out.getvalue(), [event for _, event in recorded_events(live)]


def left(events: list[e.Event]) -> list[tuple[int, str | None]]:
    """The seats whose cards stay on the table, in order, with the clause."""
    return [(event.seat, event.clause) for event in events if isinstance(event, e.CardsLeft)]


def racked(events: list[e.Event]) -> list[tuple[str, str | None]]:
    """The players' hands that went to the rack, in order, with the clause."""
    piles = (event for event in events if isinstance(event, e.CardsRacked))
    return [(pile.what, pile.clause) for pile in piles if pile.what.startswith("seat ")]


# --- MA-12.h.a and MA-12.i: a straight that is settled after a higher hand ---

BOARD, DEALER = "9s 8h 7d Kc 2c", "Kd 3s"
HOLES = ("7c 7h", "Th 6c", "Jc Td")
"""Three sevens at seat 1, a straight to the ten at seat 2, one to the jack at seat 3."""
EVERY = [(3, "MA-12.h.a"), (2, "MA-12.h.a")]
LEFT = {"every": EVERY, "highest": EVERY[:1]}
RACKED = {
    "every": [("seat 1", "MA-9.h-d"), ("seat 3", "MA-9.i"), ("seat 2", "MA-9.i")],
    "highest": [("seat 2", "MA-9.h-d"), ("seat 1", "MA-9.h-d"), ("seat 3", "MA-9.i")],
}
readings = pytest.mark.parametrize("reading", ["every", "highest"])


def covered(board: str, dealer: str, *holes: str, **house: Any) -> Driver:
    """A table in device mode with Cover All at every seat, all hands played."""
    t = table("uth-ma", mode="device", deck=stacked("device", board, dealer, *holes), house=house)
    for seat in range(1, len(holes) + 1):
        t.bet(seat, ante=10, cover_all=5)
    t.deal()
    for seat in range(1, len(holes) + 1):
        t.play(seat, 4)
    return t


@pytest.mark.clause("MA-12.h.a")
@readings
def test_a_straight_settled_after_a_higher_hand_stays_too_unless_the_house_chooses_otherwise(
    reading: str,
) -> None:
    t = covered(BOARD, DEALER, *HOLES, cover_all_left=reading).finish()
    t.check_books()
    assert (left(t.events), racked(t.events)) == (LEFT[reading], RACKED[reading])


@pytest.mark.clause("MA-12.h.a")
def test_every_straight_stays_if_the_house_has_not_chosen() -> None:
    assert left(covered(BOARD, DEALER, *HOLES).finish().events) == EVERY


@pytest.mark.clause("MA-12.h.a")
@readings
def test_an_equal_hand_stays_beside_the_first_one(reading: str) -> None:
    t = covered(BOARD, DEALER, "7c 7h", "Js Tc", "Jc Td", cover_all_left=reading).finish()
    assert left(t.events) == LEFT[reading]


@pytest.mark.clause("MA-12.h.a")
@pytest.mark.parametrize(("reading", "seats"), [("every", [2]), ("highest", [])])
def test_a_straight_below_the_dealers_stays_if_every_straight_stays(reading: str, seats: list[int]) -> None:
    t = covered(BOARD, "Jh Ts", "7c 7h", "Th 6c", cover_all_left=reading).finish()
    assert [seat for seat, _ in left(t.events)] == seats


@pytest.mark.clause("MA-12.i")
def test_a_higher_hand_removes_every_earlier_hand_from_the_table() -> None:
    """Seat 1 has nines full and is settled after two straights."""
    t = covered("9s 8h 7d 7c 2c", DEALER, "9h 9d", "Th 6c", "Jc Td").until("settle Cover All")
    assert t.state.round.left == (1,)
    assert racked(t.events) == [("seat 3", "MA-12.i"), ("seat 2", "MA-12.i")]
    t.finish().check_books()
    # Four hands: a full house pays 6 to 1.
    assert [t.settled("cover_all", seat).won for seat in (1, 2, 3)] == [3000] * 3


@pytest.mark.clause("MA-12.h.a", "MA-12.i")
def test_the_dealers_script_says_which_cards_stay_and_which_go() -> None:
    t = covered("9s 8h 7d 7c 2c", DEALER, "9h 9d", "As 3d", "Jc Td").finish()
    lines = [(line.says, line.clause) for line in t.script if line.clause in ("MA-12.h.a", "MA-12.i")]
    stays = "Leave seat {}'s cards exposed on the table for Cover All: the hand is a straight or higher."
    goes = "A higher hand is on the table. Move seat 3's cards to the discard rack."
    assert lines == [(stays.format(3), "MA-12.h.a"), (goes, "MA-12.i"), (stays.format(1), "MA-12.h.a")]


@pytest.mark.clause("MA-12.i")
def test_a_hand_between_two_others_removes_neither() -> None:
    """A straight to the ten, then to the queen, then to the jack: the last is not higher than the queen's."""
    t = covered("9s 8h 7d Jd 2c", DEALER, "Tc 3c", "Qc Td", "Th 6c").until("settle Cover All")
    # Seat 3 is removed by seat 2, and seat 1 stays beside seat 2.
    assert (t.state.round.left, racked(t.events)) == ((2, 1), [("seat 3", "MA-12.i")])


@pytest.mark.clause("MA-12.h.a", "MA-12.i")
@readings
def test_at_a_live_table_the_house_setting_decides_which_straights_stay(reading: str) -> None:
    deck = stacked("device", BOARD, DEALER, *HOLES)
    live = LiveRound("uth-ma", deck, house={"cover_all_left": reading})
    for seat in (1, 2, 3):
        live.bet(seat, ante=1000, cover_all=500)
    live.advance()
    for seat in (1, 2, 3):
        live.send(c.Play(seat=seat, times=4))
    assert (left(live.events), racked(live.events)) == (LEFT[reading], RACKED[reading])
    live.verified()


@pytest.mark.clause("MA-12.h.a")
@readings
def test_if_a_person_deals_the_house_setting_decides_which_straights_stay(reading: str) -> None:
    wagers = {seat: {"ante": 1000, "blind": 1000, "cover_all": 500} for seat in (1, 2, 3)}
    moves = [c.Play(seat=seat, times=4) for seat in (1, 2, 3)]
    deck = stacked("device", BOARD, DEALER, *HOLES)
    room = ChairRound("uth-ma", deck, wagers, moves, house={"cover_all_left": reading})
    room.play("settle Cover All")
    hands = {seat: place.hands[1] for seat, place in room.hosted.view("rail").table.seats.items()}
    # The face-up cards on the table are those of the hands that stay.
    exposed = [seat for seat, hand in hands.items() if hand.faces and not hand.racked]
    assert exposed == sorted(seat for seat, _ in LEFT[reading])
    room.play().verified()
    assert [(x.seat, x.clause) for x in room.seen(e.CardsLeft)] == LEFT[reading]


@pytest.mark.clause("MA-12.h.a")
@readings
def test_in_the_terminal_the_house_setting_decides_which_straights_stay(reading: str) -> None:
    text, events = shadowed(
        "bet ante 10 cover all 5", "seat 2", "bet ante 10", "deal", "4x", "4x", "9s 8h 7d", "Kc 2c", "Kd 3s",
        "Jc Td", "Th 6c", mode="device", bots=1, house={"cover_all_left": reading},
    )  # fmt: skip
    seats = [seat for seat, _ in left(events)]
    assert seats == ([2, 1] if reading == "every" else [2]), text


# --- MA-9.h-d: cards stay for envy only if another player is paid ---

STRAIGHT_FLUSH = ("9h Th Jh 4d 2c", "Qc 3d", "7h 8h", "As Ad")
"""A straight flush to the jack at seat 1, in the hole cards and the flop."""


@pytest.mark.clause("MA-9.h-d", "SD-18.b.ii")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("book", "amount"), [("uth-ma", 5), ("uth-sd", 1)])
@pytest.mark.parametrize("other", [False, True], ids=["nobody else", "another player"])
def test_a_straight_flush_stays_only_if_another_player_has_the_wager(
    mode: str, book: str, amount: int, *, other: bool
) -> None:
    given: dict[str, Any] = {"tables": {"progressive": "PMG-01", "trips": "UTH-02"}, "house": {**HOUSE}}
    given = {"tables": LINK, "house": HOUSE} if book == "uth-ma" else given
    t = table(book, mode=mode, deck=stacked(mode, *STRAIGHT_FLUSH), **given)
    t.bet(1, ante=10, progressive=amount).bet(2, ante=10, **({"progressive": amount} if other else {}))
    t.deal().play(1, 4).play(2, 4).finish().check_books()
    assert left(t.events) == ([(1, "SD-18.b.ii")] if other else [])
    assert [line.clause for line in t.script if "Leave seat 1" in line.says] == ["SD-18.b.ii"] * other
    final = "MA-9.i" if other else "MA-9.h-d"
    assert dict(racked(t.events))["seat 1"] == final
    assert bool([line for line in t.state.round.settled if line.wager == "envy"]) == other


@pytest.mark.clause("MA-9.h-d")
def test_cards_do_not_stay_for_the_same_players_second_position() -> None:
    """In South Dakota a house may allow two positions; envy is never paid for the player's own hand."""
    house = {**HOUSE, "more_positions": True, "seats": 2}
    limits = {name: {"max": "50"} for name in ("ante", "trips")}
    deck = stacked("device", *STRAIGHT_FLUSH)
    t = table(
        "uth-sd", mode="device", deck=deck, house=house, limits=limits, tables={"progressive": "PMG-01"}
    )
    for seat in (1, 2):
        t.send(c.Sit(seat=seat, player="Ann", chips=100_000))
        t.bet(seat, ante=10, progressive=1)
    t.deal().play(1, 4).play(2, 4).finish().check_books()
    assert left(t.events) == []


@pytest.mark.clause("MA-9.h-d")
def test_a_folded_straight_flush_is_racked_if_nobody_else_has_the_wager() -> None:
    t = table(
        "uth-sd", mode="device", deck=stacked("device", *STRAIGHT_FLUSH), tables={"progressive": "PMG-01"}
    )
    t.bet(1, ante=10, progressive=1).bet(2, ante=10).deal()
    t.check(1, 2).deal().check(1, 2).deal().fold(1).play(2, 1).finish().check_books()
    assert left(t.events) == []
    # The progressive is still read and paid: 10 percent of the meter.
    assert t.settled("progressive").result == "win"


@pytest.mark.clause("SD-18.b.ii")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reading", ["last", "at once"])
@pytest.mark.parametrize("own", [{}, {"progressive": 5}], ids=["without the wager", "with the wager"])
def test_a_folded_hand_that_pays_envy_is_turned_up_once_and_stays(
    mode: str, reading: str, own: dict[str, int]
) -> None:
    house = {**HOUSE, "folded_progressive": reading}
    t = table("uth-ma", mode=mode, deck=stacked(mode, *STRAIGHT_FLUSH), tables=LINK, house=house)
    t.bet(1, ante=10, **own).bet(2, ante=10, progressive=5).deal()
    t.check(1, 2).deal().check(1, 2).deal().fold(1).play(2, 1).until("settle envy")
    assert (left(t.events), t.state.round.left) == ([(1, "SD-18.b.ii")], (1,))
    assert [x.seat for x in t.seen(e.HandTurned)].count(1) == 1
    t.finish().check_books()
    # The table lists $300 for a wager of $1; this wager is $5.
    assert [(x.seat, x.from_seat, x.won) for x in t.state.round.settled if x.wager == "envy"] == [
        (2, 1, 150_000)
    ]
    assert ("seat 1", "MA-9.i") in racked(t.events)


@pytest.mark.clause("SD-18.b.ii")
def test_a_folded_hand_that_pays_envy_stays_at_live_tables_and_in_the_terminal() -> None:
    base = {"ante": 1000, "blind": 1000}
    live = LiveRound("uth-ma", stacked("device", *STRAIGHT_FLUSH), tables=LINK, house=HOUSE)
    live.bet(1, ante=1000).bet(2, ante=1000, progressive=500).advance()
    moves: list[c.Command] = [*(c.Check(seat=seat) for _ in range(2) for seat in (1, 2)), c.Fold(seat=1)]
    moves.append(c.Play(seat=2, times=1))
    for move in moves:
        live.send(move)
    wagers = {1: base, 2: {**base, "progressive": 500}}
    room = ChairRound("uth-ma", stacked("device", *STRAIGHT_FLUSH), wagers, moves, tables=LINK, house=HOUSE)
    room.play().verified()
    text, events = shadowed(
        "bet ante 10", "seat 2", "bet ante 10 progressive 5", "deal", "check", "check", "9h Th Jh", "check",
        "check", "4d 2c", "fold", "7h 8h", "1x", "Qc 3d", "As Ad", mode="device", bots=1, tables=LINK,
    )  # fmt: skip
    for seen in (live.verified().events, room.seen(e.Event), events):
        assert left(seen) == [(1, "SD-18.b.ii")], text
        assert [x.won for x in seen if isinstance(x, e.WagerSettled) and x.wager == "envy"] == [150_000]


@pytest.mark.clause("MA-9.h-d")
@pytest.mark.parametrize(("other", "seats"), [({}, []), ({"progressive": 500}, [1])])
def test_at_a_live_table_a_straight_flush_stays_only_if_it_pays_envy(
    other: dict[str, int], seats: list[int]
) -> None:
    live = LiveRound("uth-ma", stacked("device", *STRAIGHT_FLUSH), tables=LINK, house=HOUSE)
    live.bet(1, ante=1000, progressive=500).bet(2, None, ante=1000, **other).advance()
    live.send(c.Play(seat=1, times=4)).send(c.Play(seat=2, times=4))
    assert [seat for seat, _ in left(live.verified().events)] == seats


@pytest.mark.clause("MA-9.h-d")
@pytest.mark.parametrize(("other", "seats"), [({}, []), ({"progressive": 500}, [1])])
def test_if_a_person_deals_a_straight_flush_stays_only_if_it_pays_envy(
    other: dict[str, int], seats: list[int]
) -> None:
    base = {"ante": 1000, "blind": 1000}
    wagers = {1: {**base, "progressive": 500}, 2: {**base, **other}}
    moves = [c.Play(seat=1, times=4), c.Play(seat=2, times=4)]
    room = ChairRound("uth-ma", stacked("device", *STRAIGHT_FLUSH), wagers, moves, tables=LINK, house=HOUSE)
    room.play().verified()
    assert [event.seat for event in room.seen(e.CardsLeft)] == seats


@pytest.mark.clause("MA-9.h-d")
@pytest.mark.parametrize(("other", "seats"), [("", []), (" progressive 5", [1])])
def test_in_the_terminal_a_straight_flush_stays_only_if_it_pays_envy(other: str, seats: list[int]) -> None:
    text, events = shadowed(
        "bet ante 10 progressive 5", "seat 2", f"bet ante 10{other}", "deal", "4x", "4x", "9h Th Jh", "4d 2c",
        "Qc 3d", "As Ad", "7h 8h", mode="device", bots=1, tables=LINK,
    )  # fmt: skip
    assert [seat for seat, _ in left(events)] == seats, text


# --- MA-13.f: folded cards that decide a progressive ---

TRIP_SEVENS = "7s Kh 7d 4c 2s"
LATER = "Leave the folded cards face down on the table: the progressive is read from them later."
NOW = "Turn the folded cards up and settle the progressive before racking them."


@pytest.mark.clause("MA-13.f")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("reading", "line"), [("last", LATER), ("at once", NOW)])
@pytest.mark.parametrize(("hole", "result"), [("7c 5h", "win"), ("Jc 5h", "lose")])
def test_a_folded_progressive_is_turned_up_and_the_script_says_when(
    mode: str, reading: str, line: str, hole: str, result: str
) -> None:
    deck = stacked(mode, TRIP_SEVENS, "Qc 3h", hole, "As Ah")
    t = table("uth-ma", mode=mode, deck=deck, tables=LINK, house={**HOUSE, "folded_progressive": reading})
    t.bet(1, ante=10, progressive=5).bet(2, ante=10)
    t.deal().check(1, 2).deal().check(1, 2).deal()
    said = len(t.script)
    t.fold(1).deal()
    assert [words.says for words in t.script[said:] if words.clause == "MA-13.f"] == [line]
    t.play(2, 1).finish().check_books()
    (turned,) = [x for x in t.seen(e.HandTurned) if x.seat == 1]
    assert turned.clause == "MA-13.f"
    (pile,) = [x for x in t.seen(e.CardsRacked) if x.what == "seat 1"]
    settled = t.settled("progressive")
    # The cards are turned up before the wager is settled, and racked after it.
    assert t.events.index(turned) < t.events.index(settled) < t.events.index(pile)
    assert settled.result == result


@pytest.mark.clause("MA-13.f")
def test_a_fold_with_trips_or_without_a_progressive_has_no_script_line_about_a_progressive() -> None:
    deck = stacked("device", TRIP_SEVENS, "Qc 3h", "7c 5h", "Jc 5d", "As Ah")
    t = table("uth-ma", mode="device", deck=deck, tables=LINK, house=HOUSE)
    t.bet(1, ante=10, trips=5, progressive=5).bet(2, ante=10).bet(3, ante=10)
    t.deal().check(1, 2, 3).deal().check(1, 2, 3).deal().fold(1).fold(2).deal()
    assert LATER not in t.says()


@pytest.mark.clause("MA-13.f")
@pytest.mark.parametrize(("reading", "line", "other"), [("last", LATER, NOW), ("at once", NOW, LATER)])
def test_the_printed_script_has_only_the_line_of_the_chosen_setting(
    reading: str, line: str, other: str
) -> None:
    terms, refused = read_terms(load("uth-ma"), {"house": {"folded_progressive": reading}})
    text = markdown(dealers_script(terms))
    assert not refused
    assert (line in text, other in text) == (True, False)


@pytest.mark.clause("MA-13.f")
@pytest.mark.parametrize("mode", MODES)
def test_if_a_person_deals_a_folded_progressive_is_turned_up_before_it_is_racked(mode: str) -> None:
    base = {"ante": 1000, "blind": 1000}
    wagers = {1: {**base, "progressive": 500}, 2: base}
    checks = [c.Check(seat=seat) for _ in range(2) for seat in (1, 2)]
    deck = stacked(mode, TRIP_SEVENS, "Qc 3h", "Jc 5h", "As Ah")
    room = ChairRound(
        "uth-ma",
        deck,
        wagers,
        [*checks, c.Fold(seat=1), c.Play(seat=2, times=1)],
        mode,
        tables=LINK,
        house=HOUSE,
    )
    room.play("settle the hands")
    assert not room.hosted.live.state.seats[1].hands[0].racked
    room.play().verified()
    (turned,) = [x for x in room.seen(e.HandTurned) if x.seat == 1]
    assert [str(card) for card in turned.face] == ["Jc", "5h"]


@pytest.mark.clause("MA-13.f")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reading", ["last", "at once"])
@pytest.mark.parametrize(("hole", "result"), [("7c 5h", "win"), ("Jc 5h", "lose")])
def test_a_folded_progressive_in_the_terminal_is_settled_once_its_cards_are_named(
    mode: str, reading: str, hole: str, result: str
) -> None:
    folded = ("bet ante 10 progressive 5", "deal", "check", "7s Kh 7d", "check", "4c 2s", "fold")
    # Pressing Enter does not take the cards unseen: the terminal asks for them again.
    ends = ("", hole, "Qc 3h") if reading == "at once" else ("Qc 3h", "", hole)
    text, events = shadowed(
        *folded, *ends, mode=mode, bots=0, tables=LINK, house={"folded_progressive": reading}
    )
    assert (LATER if reading == "last" else NOW) in text
    assert "the dealer takes them unseen" not in text
    (paid,) = [x for x in events if isinstance(x, e.WagerSettled) and x.wager == "progressive"]
    assert paid.result == result
    (turned,) = [x for x in events if isinstance(x, e.HandTurned)]
    assert [str(card) for card in turned.face] == hole.split()


@pytest.mark.clause("MA-13.f")
@pytest.mark.parametrize(("book", "clause"), [("uth-ma", "MA-13.f"), ("uth-sd", "MA-13.f")])
def test_no_folded_hand_with_a_progressive_is_taken_unseen(book: str, clause: str) -> None:
    amount = "5" if book == "uth-ma" else "1"
    opened = open_seeded(book, "", shadow=True, mode="manual", bots=0)
    lines = (
        f"bet ante 10 progressive {amount}",
        "deal",
        "check",
        "7s Kh 9d",
        "check",
        "4c 2s",
        "fold",
        "Kc 8d",
    )
    assert play(opened, io.StringIO("\n".join(lines) + "\n"), io.StringIO()) == 0
    link: Any = opened.game.link
    live = link.live
    refused = live.send(c.SeeFold(seat=1))
    assert (refused.code, refused.clause, refused.where) == ("cards-unseen", clause, "seat 1")
    assert not [x for _, x in recorded_events(live) if isinstance(x, e.FoldSeen)]


@pytest.mark.clause("MA-13.f", "MA-14.a-a")
def test_a_void_round_settles_a_progressive_in_the_terminal_once_the_cards_are_named() -> None:
    """The house settles a progressive that the flop decided: three sevens win 9 for 1."""
    text, events = shadowed(
        "bet ante 10 progressive 5", "deal", "check", "7s Kh 7d", "report exposed card dealer 1 Qc", "7c 5h",
        "report exposed card dealer 1 Qc", mode="device", bots=0, tables=LINK,
        house={"void_progressive": "settled"},
    )  # fmt: skip
    assert "seat 1's cards decide its progressive; name them, then report this again" in text
    (paid,) = [x for x in events if isinstance(x, e.WagerSettled)]
    assert (paid.wager, paid.won) == ("progressive", 4500)


@pytest.mark.clause("MA-13.f", "MA-14.a-a")
def test_the_script_reads_a_hand_in_a_void_round_with_the_cards_that_are_face_up() -> None:
    """The turn and the river are still face down, so the hand is announced without them."""
    live = LiveRound(
        "uth-ma", stacked("device", "7s Kh 7d 7h 2s", "9c 3d", "7c As"), tables=LINK,
        house={**HOUSE, "void_progressive": "settled"},
    )  # fmt: skip
    live.bet(1, ante=1000, progressive=500).advance().send(c.Check(seat=1))
    before = live.live.state
    live.send(c.Report(kind="exposed card", at="dealer", cards=cards("9c")))
    (turned,) = live.seen(e.HandTurned)
    (line,) = script(live.live.table, before, turned)
    assert line.says == "“Seat 1 has three of a kind, sevens: 7s 7d 7c As Kh.”"


@pytest.mark.clause("MA-12.h.a", "MA-12.j")
def test_a_folded_hand_that_waits_for_its_progressive_does_not_count_for_cover_all() -> None:
    """Seat 1 folds sevens full, and section 9(e)(2) sends its cards to the rack. Seat 2 has the highest hand left."""
    deck = stacked("device", "7s Kh 7d Kc 2s", "Qc 3h", "7c 5h", "As Ah")
    t = table("uth-ma", mode="device", deck=deck, tables=LINK, house=HOUSE)
    t.bet(1, ante=10, progressive=5).bet(2, ante=10, cover_all=5)
    t.deal().check(1, 2).deal().check(1, 2).deal().fold(1).play(2, 1).finish().check_books()
    assert left(t.events) == []
    assert t.settled("cover_all", 2).result == "lose"
