"""Reports and rulings that a person types as the dealer, and at a real table."""

from __future__ import annotations

import asyncio
import io
import re
from typing import Any

import pytest
from textual.widgets import OptionList

from houseway.audit.entries import read_entry
from houseway.audit.verify import verify
from houseway.cards import codes
from houseway.cli.app import main
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.live.recent_events import recorded_events
from houseway.play.app import TableApp
from houseway.play.in_process import LocalTable
from houseway.play.open_game import OpenGame, PlayError
from houseway.play.plain_screen import play
from houseway.play.staff_commands import report_lines
from play.tables import live_of, open_seeded, screen_text, transcript
from table_driver import table

CHAIR: dict[str, Any] = {"mode": "manual", "dealer": "person", "floor": "Flo", "bots": 2}


def typed(setup: OpenGame, *lines: str) -> str:
    """Return the output of plain mode for these lines of input."""
    out = io.StringIO()
    assert play(setup, io.StringIO("\n".join(lines) + "\n"), out) == 0
    return out.getvalue()


def chair(step: str, book: str = "uth-ma", **options: Any) -> OpenGame:
    """Return a game in which a person deals and a step is due."""
    setup = open_seeded(book, **{**CHAIR, **options})
    for _ in range(60):
        text = typed(setup, "quit")
        if f"Next step: {step}" in text:
            return setup
        typed(setup, "next")
    raise AssertionError(f"{step} is never due")


def remove_floor_name(setup: OpenGame) -> None:
    """Remove the floor supervisor's name from a game."""
    link = setup.game.link
    assert isinstance(link, LocalTable)
    link.floor = ""


def events(setup: OpenGame, kind: type[e.Event]) -> list[Any]:
    """The recorded events of a kind, in a record that verifies."""
    link = setup.game.link
    assert isinstance(link, LocalTable)
    assert verify(link.live.house.store, link.live.stream).faults == ()
    return [event for _, event in recorded_events(link.live) if isinstance(event, kind)]


@pytest.mark.clause("MA-14.a-a")
def test_the_dealer_reports_an_exposed_card_in_the_terminal() -> None:
    setup = chair("let the players look")
    text = typed(setup, "report", "report exposed card dealer 1", "quit")
    assert "report exposed card PLACE N: a card that should be hidden is exposed" in text
    assert "  PLACE: seat 2, seat 3, dealer (N: 1 to 2); deck (no N)" in text
    assert "report wrong number PLACE [seen]: a hand has too many or too few cards" in text
    assert (
        '  If the card that the hand should have received is already face up, add the word "seen".' in text
    )
    assert "All hands are void because a card was exposed. [MA-14.a-a]" in text
    (exposed,) = events(setup, e.CardExposed)
    assert (exposed.at, len(exposed.face)) == ("dealer", 1)


def test_a_void_round_in_the_history_shows_the_exposed_card() -> None:
    setup = chair("let the players look")
    text = typed(setup, "report exposed card dealer 1", *("",) * 8, "history", "quit")
    (exposed,) = events(setup, e.CardExposed)
    (line,) = [line for line in text.splitlines() if line.startswith("Round 1: ")]
    assert line == f"Round 1: board –, dealer {codes(exposed.face)}: void, wagers returned"


def test_reports_about_a_device_that_the_table_lacks_are_not_listed() -> None:
    text = typed(chair("let the players look"), "report", "quit")
    assert "report exposed card" in text
    for kind in ("device count", "shuffler jam", "machine failure"):
        assert f"report {kind}" not in text


@pytest.mark.parametrize(
    ("step", "kinds"),
    [
        ("confirm the deck", []),
        ("let the players look",
         ["exposed card", "face-up card", "card drawn in error", "premature flop", "wrong number"]),
        ("settle the hands", ["exposed card", "wrong number"]),
    ],
)  # fmt: skip
def test_only_reports_that_are_possible_now_are_listed(step: str, kinds: list[str]) -> None:
    setup = chair(step)
    text = typed(setup, "report", "report card drawn in error", "quit")
    listed = re.findall("^report ([a-z -]+)(?: [A-Z[].*)?: ", text, re.MULTILINE)
    assert listed == kinds
    assert ("No irregularity can be reported now." in text) == (not kinds)
    # A report that is not listed can be typed, and the table says why it is refused.
    assert ("Not allowed" in text) == ("card drawn in error" not in kinds)


@pytest.mark.clause("MA-14.b-a")
def test_the_dealer_sets_aside_a_card_of_the_flop() -> None:
    setup = chair("deal the flop")
    link = setup.game.link
    assert isinstance(link, LocalTable)
    text = typed(setup, "report face-up card board 2", "next", "quit")
    assert "'board' has no cards; name the place that got the last cards, or the deck" in text
    assert "[MA-14.b-a]" in text
    board = link.live.state.round.board
    text = typed(setup, "report", "report face-up card board 2", "quit")
    assert "  PLACE: deck (no N); board (N: 1 to 3)" in text
    assert (
        f"({board[1]}) is found face up in the deck when dealt to the board: set aside. [MA-14.b-a]" in text
    )
    (found,), (replaced,) = events(setup, e.FaceUpFound), events(setup, e.CardReplaced)
    assert found.face == (board[1],)
    assert link.live.state.round.board == (board[0], board[2], *replaced.face)


def test_reports_that_cannot_be_read_are_explained() -> None:
    setup = chair("let the players look")
    text = typed(
        setup, "report exposed", "report exposed card dealer 1 9c", "report exposed card here", "report wrong number dealer",
        "quit",
    )  # fmt: skip
    assert "You cannot report 'exposed'; did you mean 'exposed card'?" in text
    assert "The table knows its cards; leave them out." in text
    assert "'here' is not part of a report. Type: report exposed card" in text
    assert "dealer has the right number of cards so far" in text
    text = transcript("uth-ma", "report", "ruling void round x", "quit")
    assert (
        text.count(
            "Only a dealer or a supervisor can do this. Start the game with --dealer person or --shadow."
        )
        == 2
    )


def test_a_report_names_the_back_up_device() -> None:
    setup = chair("dispense the hands", "uth-proc", mode="device")
    text = typed(
        setup, "report device count 51", "report machine failure", "report machine failure Spare 2", "quit"
    )
    assert "the device" in text
    assert "the report does not name the back-up machine; switch to it and name it" in text
    assert [event.device for event in events(setup, e.BackupTaken)] == ["Spare 2"]


def test_the_floor_supervisor_rules_in_the_terminal() -> None:
    setup = chair("let the players look")
    remove_floor_name(setup)
    text = typed(
        setup, "ruling", "ruling void hand 3 a spilled drink", "floor Flo", "ruling void hand seat x",
        "ruling void hand seat 3 a spilled drink", "ruling correct payment 2 ante -2.50 paid twice",
        "ruling correct payment 2 luck 2", "ruling correct payment 2 ante much", "ruling continue", "quit",
    )  # fmt: skip
    assert "A ruling needs an effect and a reason. Type one of these:" in text
    assert "ruling correct payment SEAT WAGER AMOUNT REASON: a player is paid more, or pays back" in text
    assert 'Name the floor supervisor first: type "floor NAME"' in text
    assert "Name the seat. Type: ruling void hand SEAT REASON" in text
    assert "Flo rules that seat 3's hand is void: a spilled drink." in text
    assert "Name the wager: ante," in text
    assert "Type an amount such as 2.50, or -2.50 to take it back:" in text
    assert "the ruling has no reason; give one" in text
    made = [(event.effect, event.seat, event.wager, event.amount) for event in events(setup, e.RulingMade)]
    assert made == [("void hand", 3, "", 0), ("correct payment", 2, "ante", -250)]


def shadow(book: str = "uth-ma", mode: str = "manual") -> OpenGame:
    """A game that follows a real table with one player."""
    return open_seeded(book, seed="", mode=mode, shadow=True, bots=0)


@pytest.mark.clause("MA-14.a-a")
def test_an_exposed_card_of_a_real_table_is_typed() -> None:
    setup = shadow()
    text = typed(
        setup,
        "bet ante 10",
        "deal",
        "report exposed card dealer 1",
        "report exposed card dealer 1 9c",
        "quit",
    )
    assert "the report does not name the exposed card; name it" in text
    assert "All hands are void because a card was exposed. [MA-14.a-a]" in text
    assert [codes(event.face) for event in events(setup, e.CardExposed)] == ["9c"]


@pytest.mark.clause("MA-14.b-a")
def test_a_face_up_card_of_a_real_table_is_replaced_by_the_typed_card() -> None:
    setup = shadow()
    text = typed(
        setup, "bet ante 10", "deal", "check", "7s Kh 9d", "report face-up card board 2",
        "report face-up card board 2 4c", "check", "8c 2s", "1x", "Kc 8d", "7c 7d", "quit",
    )  # fmt: skip
    assert "this takes 1 card off the deck, but you named 0" in text
    assert "The board is dealt the next card instead: four of clubs (4c). [MA-14.b-a]" in text
    assert [codes(event.face) for event in events(setup, e.FaceUpFound)] == ["Kh"]
    (closed,) = events(setup, e.RoundClosed)
    # Three sevens beat a pair of eights: ante and play win, the blind pushes.
    assert closed.net == {1: 2000}


def test_a_report_at_a_real_table_asks_only_for_cards_that_were_turned_up() -> None:
    setup = shadow("uth-sd")
    text = typed(
        setup, "bet ante 10", "deal", "report card drawn in error", "check", "Kh 9d 7s", "check", "4c 2s", "1x",
        "Kc 8d", "7c 7d", "quit",
    )  # fmt: skip
    assert "A card is drawn in error" in text
    assert len(events(setup, e.RoundClosed)) == 1
    setup = shadow("uth-sd", "device")
    text = typed(
        setup, "bet ante 10", "deal", "report premature flop", "report premature flop 7s Kh 9d", "check", "check",
        "4c 2s", "1x", "Kc 8d", "7c 7d", "quit",
    )  # fmt: skip
    assert "the report does not name the 3 cards that were turned up; name them" in text
    assert [codes(event.face) for event in events(setup, e.BoardExposed)] == ["7s Kh 9d"]
    assert len(events(setup, e.RoundClosed)) == 1


def test_the_screen_lists_reports_after_the_dealers_steps() -> None:
    setup = chair("let the players look")

    async def drive() -> None:
        app = TableApp(setup, fast=True)
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.pause()
            await pilot.press("o")
            await pilot.pause()
            listed = app.screen.query_one("#steps", OptionList)
            prompts = [str(listed.get_option_at_index(n).prompt) for n in range(listed.option_count)]
            listed.highlighted = next(
                n for n, text in enumerate(prompts) if "exposed card dealer 1" in text
            )
            await pilot.press("enter")
            await pilot.pause()

    asyncio.run(drive())
    assert events(setup, e.RoundVoided)[0].clause == "MA-14.a-a"


# --- the cut, and two decks ---

TWO = {"decks": 2, "shuffler": "device"}


@pytest.mark.clause("MA-4.c", "MA-4.d")
def test_the_floor_supervisor_orders_a_recut_in_the_terminal() -> None:
    setup = chair("cut the cards")
    text = typed(setup, "recut", "next", "quit")
    remove_floor_name(setup)
    text += typed(setup, "floor", "recut", "floor Flo", "floor", "recut", "quit")
    assert 'The floor supervisor has no name yet. Type "floor NAME".' in text
    assert text.count("The floor supervisor is Flo.") == 2
    assert "a recut can be ordered only after the cut and before the first card is dealt" in text
    assert 'Name the floor supervisor first: type "floor NAME"' in text
    assert "A new cut is ordered by the supervisor (Flo). [MA-4.d]" in text
    assert "Next step: cut the cards" in text.splitlines()[-2]
    text = typed(setup, "open the round", "next", "next", "quit")
    assert "the next step is to cut the cards" in text
    (ordered,) = events(setup, e.RecutOrdered)
    assert (ordered.by, ordered.name, ordered.clause) == ("supervisor", "Flo", "MA-4.d")
    # The person who deals cut twice.
    assert [cut.by for cut in events(setup, e.DeckCut)] == ["the dealer", "the dealer"]
    assert "Only a dealer or a supervisor can do this." in transcript("uth-ma", "recut", "quit")


@pytest.mark.clause("MA-4.d")
def test_a_recut_at_a_real_table_is_recorded() -> None:
    setup = shadow()
    text = typed(setup, "floor Flo", "recut", "bet ante 10", "deal", "recut", "quit")
    assert "A new cut is ordered by the supervisor (Flo). [MA-4.d]" in text
    assert "a recut can be ordered only after the cut and before the first card is dealt" in text
    # At a real table the dealer cuts, and the program does not know the dealer's name.
    assert [cut.by for cut in events(setup, e.DeckCut)] == ["dealer", "dealer"]


@pytest.mark.clause("MA-4.d")
@pytest.mark.parametrize("floor", ["Flo", ""])
def test_the_screen_lists_the_order_for_a_recut(floor: str) -> None:
    setup = chair("load the shoe")
    link = setup.game.link
    assert isinstance(link, LocalTable)
    link.floor = floor
    notices: list[str] = []

    async def drive() -> None:
        app = TableApp(setup, fast=True)
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.pause()
            await pilot.press("o")
            await pilot.pause()
            listed = app.screen.query_one("#steps", OptionList)
            prompts = [str(listed.get_option_at_index(n).prompt) for n in range(listed.option_count)]
            listed.highlighted = next(n for n, text in enumerate(prompts) if "order a recut" in text)
            await pilot.press("enter")
            await pilot.pause()
            notices.append(screen_text(app))

    asyncio.run(drive())
    assert [event.name for event in events(setup, e.RecutOrdered)] == ([floor] if floor else [])
    assert ("Name the floor supervisor first" in notices[0]) is (not floor)


@pytest.mark.clause("MA-2.b", "MA-2.b.3", "MA-2.b.4")
def test_two_decks_take_turns_in_the_terminal() -> None:
    lines = ["bet ante 10", "", *("check",) * 2, "1x"] * 3
    setup = open_seeded("uth-ma", mode="manual", house=TWO, bots=1)
    text = typed(setup, *lines, "quit")
    assert "The red and blue decks take turns." in text
    assert [event.deck for event in events(setup, e.RoundOpened)][:3] == ["A", "B", "A"]
    (opened,) = events(setup, e.TableOpened)
    assert opened.backs == ("red", "blue")


@pytest.mark.clause("MA-2.b.2")
def test_a_person_names_the_backs_of_a_real_tables_decks() -> None:
    setup = open_seeded("uth-ma", mode="manual", house=TWO, bots=1, shadow=True, backs=("green", "gold"))
    assert "The green and gold decks take turns." in typed(setup, "quit")
    (opened,) = events(setup, e.TableOpened)
    assert opened.backs == ("green", "gold")
    for alike in (("green", "Green"), ("", "gold")):
        with pytest.raises(PlayError, match=r"backs of different colours.*MA-2\.b\.2"):
            open_seeded("uth-ma", mode="manual", house=TWO, bots=1, shadow=True, backs=alike)


@pytest.mark.clause("MA-2.b.2")
def test_equal_backs_are_refused_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    line = "play uth-ma --house decks=2,shuffler=device --plain --no-record --backs"
    assert main([*line.split(), "red,red"]) == 2
    assert "MA-2.b.2" in capsys.readouterr().err


@pytest.mark.clause("MA-14.e")
@pytest.mark.parametrize("when", ["let the players look", "clear the rack"])
def test_a_jam_with_two_decks_is_reported_in_the_terminal(when: str) -> None:
    setup = chair(when, house=TWO)
    text = typed(setup, "report shuffler jam", "quit")
    assert "A reshuffle of deck B is ordered. [MA-14.e]" in text
    for _ in range(60):
        if len(events(setup, e.RoundOpened)) == 2:
            break
        typed(setup, "next")
    assert [event.deck for event in events(setup, e.DeckShuffled)] == ["A", "B", "B", "B"]


@pytest.mark.clause("TS-3-b", "TS-3-c")
def test_the_dealer_selects_who_marks_the_cut_in_the_terminal() -> None:
    setup = chair("cut the cards", "shootout-sd")
    text = typed(setup, "cut the cards: Otto marks the cut", "quit")
    assert "cut the cards: Otto marks the cut" in text
    (cut,), (inspected,) = events(setup, e.DeckCut), events(setup, e.DeckInspected)
    assert (cut.by, inspected.name) == ("Otto", "the dealer")


@pytest.mark.clause("MA-4.c.1.ii", "MA-4.c.1.iii")
def test_a_person_who_deals_chooses_how_many_cards_to_cut() -> None:
    setup = chair("cut the cards")
    text = typed(setup, "next 9", "next 20", "quit")
    assert "Next step: cut the cards. This records 26 cards." in text
    assert 'To record another number, such as 20, type "next 20".' in text
    assert "9 cards is not a legal cut; cut 10 to 51 cards. [MA-4.c.1.ii]" in text
    assert [cut.count for cut in events(setup, e.DeckCut)] == [20]


@pytest.mark.clause("MA-7.g", "MA-7.g.2-b")
def test_a_person_who_deals_counts_the_stub() -> None:
    setup = chair("open the round")
    # Between rounds, the whole deck is the stub.
    text = typed(setup, "next", "do count the stub 51", "quit")
    assert "All hands are void because the stub has the wrong number of cards. [MA-7.g.2-b]" in text
    (counted,) = events(setup, e.StubCounted)
    assert (counted.count, counted.expected, counted.right) == (51, 52, False)
    (removed,) = events(setup, e.DeckRemoved)
    assert removed.clause == "MA-7.g.2-b"


MISDEALT = [
    pytest.param("uth-ma", "seat 2", "HandVoided", marks=pytest.mark.clause("MA-14.d-a"), id="MA-14.d-a"),
    pytest.param("uth-ma", "dealer", "RoundVoided", marks=pytest.mark.clause("MA-14.d-b"), id="MA-14.d-b"),
    pytest.param("uth-sd", "seat 2", "RoundVoided", marks=pytest.mark.clause("SD-5-a"), id="SD-5-a"),
]


@pytest.mark.parametrize(("book", "place", "follows"), MISDEALT)
def test_a_hand_with_three_cards_is_reported_in_the_terminal(book: str, place: str, follows: str) -> None:
    setup = chair("let the players look", book)
    text = typed(setup, "misdeal", f"misdeal extra {place}", f"report wrong number {place}", "quit")
    assert 'misdeal extra PLACE: deal one card too many to a place, as in "misdeal extra seat 2"' in text
    (found,) = events(setup, e.WrongNumberFound)
    assert (found.at, found.count) == (place, 3)
    assert events(setup, getattr(e, follows))


@pytest.mark.clause("MA-14.d-c")
def test_a_dealer_who_was_skipped_gets_the_missing_card_in_the_terminal() -> None:
    setup = chair("deal the second card to the dealer")
    typed(setup, "misdeal short", "report wrong number dealer", "quit")
    (cured,) = events(setup, e.HandCured)
    assert (cured.clause, len(cured.sealed)) == ("MA-14.d-c", 1)


@pytest.mark.clause("SD-5-a")
def test_a_misdeal_of_a_real_table_is_reported() -> None:
    setup = shadow("uth-sd")
    text = typed(setup, "bet ante 10", "deal", "misdeal extra seat 1", "report wrong number seat 1", "quit")
    assert "All hands are void" in text
    assert [event.clause for event in events(setup, e.RoundVoided)] == ["SD-5-a"]


@pytest.mark.clause("MA-14.d-a")
@pytest.mark.parametrize("holds", [1, 3])
def test_a_player_of_a_real_table_really_has_a_wrong_number_of_cards(holds: int) -> None:
    setup = open_seeded("uth-ma", seed="", mode="manual", shadow=True, bots=1)
    bets = ("bet ante 10", "seat 2", "bet ante 10 trips 5", "deal")
    text = typed(setup, *bets, "report wrong number seat 2", f"report wrong number seat 2 {holds}", "quit")
    assert "if you count another number, add it to the report" in text
    (found,) = events(setup, e.WrongNumberFound)
    assert (found.at, found.count, found.clause) == ("seat 2", holds, "MA-14.d-a")
    assert [event.seat for event in events(setup, e.HandVoided)] == [2]
    assert [event.wagers for event in events(setup, e.WagersReturned)] == [
        {"ante": 1000, "blind": 1000, "trips": 500}
    ]
    state = live_of(setup.game).state
    # The stub is counted with the cards that the hand really had.
    assert (state.round.out, len(state.seats[2].hands[0].cards)) == (4 + holds, holds)
    text = typed(setup, "4x", "2c 3c 9d", "Kd 7h", "Kc 8d", "9s 9h", "quit")
    assert [event.seat for event in events(setup, e.WagerSettled)] == [1, 1, 1]
    assert verify(live_of(setup.game).house.store, live_of(setup.game).stream).faults == ()


@pytest.mark.clause("MA-14.d-c")
def test_a_dealer_of_a_real_table_with_one_card_is_dealt_the_next_one() -> None:
    setup = shadow()
    text = typed(setup, "bet ante 10", "deal", "misdeal short", "report wrong number dealer 1", "quit")
    assert 'For example, type "report wrong number dealer 1"' in text
    assert "Deal the dealer the right number of cards, in sequence, and continue. [MA-14.d-c]" in text
    (found,), (cured,) = events(setup, e.WrongNumberFound), events(setup, e.HandCured)
    assert (found.count, cured.at, len(cured.sealed), cured.clause) == (1, "dealer", 1, "MA-14.d-c")
    now = live_of(setup.game).state.round
    assert (len(now.dealer), now.out) == (2, 4)
    assert not now.void


@pytest.mark.clause("MA-14.d-b", "MA-14.d-c")
@pytest.mark.parametrize(
    ("after", "wrong"), [((), "dealer 3"), ((), "dealer 1 seen"), (("check", "2c 3c 9d"), "dealer 1")]
)
def test_a_dealer_of_a_real_table_who_cannot_be_dealt_the_card_voids_the_round(
    after: tuple[str, ...], wrong: str
) -> None:
    setup = shadow()
    typed(setup, "bet ante 10", "deal", *after, f"report wrong number {wrong}", "quit")
    (voided,) = events(setup, e.RoundVoided)
    assert voided.clause == "MA-14.d-b"
    assert not events(setup, e.HandCured)


def test_the_number_of_cards_is_reported_only_where_the_table_does_not_know_it() -> None:
    setup = shadow()
    for number, why in (("2", "has the right number"), ("60", "cannot have 60 cards")):
        text = typed(setup, "bet ante 10", "deal", f"report wrong number dealer {number}", "quit")
        assert why in text
    text = typed(setup, "report wrong number board 4", "quit")
    assert "the table knows how many cards the board has" in text
    known = table("uth-ma").bet(1, ante=10).deal()
    assert known.refuses(c.Report(kind="wrong number", at="dealer", holds=1)).code == "number-known"
    assert not events(setup, e.WrongNumberFound)
    assert "report wrong number seat 1 1" in report_lines(setup.game)


@pytest.mark.clause("MA-14.d-a")
def test_the_screen_lists_dealing_errors() -> None:
    setup = chair("let the players look")

    async def drive() -> None:
        app = TableApp(setup, fast=True)
        async with app.run_test(size=(100, 40)) as pilot:
            for chosen in ("misdeal extra seat 3", "wrong number seat 3"):
                await pilot.pause()
                await pilot.press("o")
                await pilot.pause()
                listed = app.screen.query_one("#steps", OptionList)
                prompts = [str(listed.get_option_at_index(n).prompt) for n in range(listed.option_count)]
                listed.highlighted = next(n for n, text in enumerate(prompts) if chosen in text)
                await pilot.press("enter")
            await pilot.pause()

    asyncio.run(drive())
    assert [event.seat for event in events(setup, e.HandVoided)] == [3]


@pytest.mark.clause("MA-7.g", "MA-7.g.2-b")
@pytest.mark.parametrize("count", ["", "41", "40"])
def test_the_stub_of_a_real_table_is_counted_in_the_fifth_round(count: str) -> None:
    setup = shadow()
    a_round = ("bet ante 10", "deal", "4x", "7s Kh 9d", "4c 2s")
    shown = ("Kc 8d", "7c 7d")
    # After the wrong count, every hand has two cards.
    hands = [""] if count == "40" else []
    text = typed(setup, *(*a_round, *shown) * 4, *a_round, "all", count, *hands, "quit")
    asked = "Type how many cards the stub has, or press Enter if the deck is complete."
    assert "'all' is not a number of cards; type a number such as 41" in text
    assert text.count(asked) == 2
    # One player: 52 cards minus four in the hands, five on the board and two burned.
    (counted,) = events(setup, e.StubCounted)
    assert (counted.count, counted.expected) == (int(count or 41), 41)
    # A deck of 51 cards voids the round and leaves the table.
    removed = [event.clause for event in events(setup, e.DeckRemoved)]
    assert removed == ([] if counted.right else ["MA-7.g.2-b"])
    assert (
        "All hands are void because the stub has the wrong number of cards. [MA-7.g.2-b]" in text
    ) is not counted.right


@pytest.mark.clause("MA-7.g.2-a", "MA-7.g.2-b")
@pytest.mark.parametrize(
    ("hands", "held", "clause"),
    [
        # 40 in the stub, two burned, five on the board: 52 only if the hands have five cards.
        ("seat 1 3", {"seat 1": 3}, "MA-7.g.2-a"),
        ("dealer 1, seat 1 4", {"dealer": 1, "seat 1": 4}, "MA-7.g.2-a"),
        ("dealer 1", {"dealer": 1}, "MA-7.g.2-b"),
        ("seat 1 2", {}, "MA-7.g.2-b"),
    ],
)
def test_after_a_wrong_count_the_hands_of_a_real_table_are_counted(
    hands: str, held: dict[str, int], clause: str
) -> None:
    setup = shadow()
    a_round = ("bet ante 10", "deal", "4x", "7s Kh 9d", "4c 2s")
    shown = ("Kc 8d", "7c 7d")
    # Each hand alone could have 40 cards, both together could not.
    wrong = ("board 3", "seat 4 1", "seat 1 three", "seat 1 40, dealer 40")
    text = typed(setup, *(*a_round, *shown) * 4, *a_round, "40", *wrong, hands, "quit")
    assert text.count("40 is wrong. Type the hands with too many or too few cards") == 5
    assert "'seat 4' has no hand in play; name one of seat 1, dealer" in text
    assert "'seat 1 three' is not the count of a hand" in text
    assert {event.at: event.count for event in events(setup, e.WrongNumberFound)} == held
    assert [event.clause for event in events(setup, e.RoundVoided)] == [clause]
    removed = [event.clause for event in events(setup, e.DeckRemoved)]
    assert removed == ([clause] if clause == "MA-7.g.2-b" else [])


def test_a_wrong_count_can_be_typed_again() -> None:
    setup = shadow()
    a_round = ("bet ante 10", "deal", "4x", "7s Kh 9d", "4c 2s")
    typed(setup, *(*a_round, "Kc 8d", "7c 7d") * 4, *a_round, "40", "41", "quit")
    assert [(event.count, event.right) for event in events(setup, e.StubCounted)] == [(41, True)]


@pytest.mark.parametrize("book", ["uth-ma", "uth-sd", "uth-card"])
def test_a_person_deals_at_a_table_that_approves_automatically(book: str) -> None:
    """The house performs the floor's steps of the opening, and each event says so."""
    setup = chair("open the round", book, house={"auto_approve": True}, floor="")
    taken = [*events(setup, e.ItemConfirmed), *events(setup, e.DeckVerified)]
    assert taken
    assert all(event.automatic for event in taken)


def test_the_prompt_shows_the_dealers_step_and_the_other_lines_that_can_be_typed() -> None:
    setup = chair("post the limits", "uth-sd")
    text = typed(setup, "deal", "open without the step post the limits", "quit")
    assert 'Next step: post the limits. Or type: open without the step "post the limits".' in text
    assert 'You are the dealer: type "next" to perform the next step.' in text
    assert "Next step: post the progressive schedule." in text


def test_the_place_that_gets_the_next_cards_is_named() -> None:
    text = typed(chair("dispense the hands", "uth-proc", mode="device"), "next", "next", "quit")
    assert "Next step: dispense the hands (seat 2)." in text


def test_a_wrong_count_is_typed_at_the_step_that_counts_the_stub() -> None:
    text = typed(chair("let the players look"), "report wrong count", "quit")
    assert 'at the step "count the stub", type the number you counted, such as "next 40".' in text


def test_a_jam_during_the_deal_is_a_machine_failure() -> None:
    setup = chair("dispense two cards to each player", mode="device", house={"shuffler": "device"})
    text = typed(setup, "report shuffler jam", "quit")
    assert "the deal has begun, so this is not a shuffler jam; report it as a machine failure" in text


@pytest.mark.parametrize(("mode", "place"), [("manual", "deck"), ("device", "board")])
def test_a_card_turned_up_during_the_deal_is_not_a_premature_flop(mode: str, place: str) -> None:
    first = {"manual": "deal the first card to each player", "device": "dispense two cards to each player"}
    setup = chair(first[mode], mode=mode)
    text = typed(setup, "report premature flop", "quit")
    assert f"the hands are still being dealt; report it as an exposed card of the {place}" in text


def test_a_second_premature_flop_is_refused_with_the_reason() -> None:
    text = typed(chair("let the players look"), "report premature flop", "report premature flop", "quit")
    sentence = (
        "the flop was already reported as turned up too early; it is dealt when every player has acted"
    )
    assert f"Not yet: {sentence}." in text


def test_a_ruling_on_the_last_hand_ends_the_round() -> None:
    setup = chair("let the players look")
    text = typed(setup, "ruling void hand 2 a spilled drink", "ruling void hand 3 a spilled drink", "quit")
    assert "Flo rules that seat 3's hand is void: a spilled drink." in text
    assert "All hands are void because of a ruling." in text


def test_an_order_outside_the_documents_minimums_names_them() -> None:
    setup = chair("open the round", "uth-proc", mode="device")
    text = typed(setup, "order minimum $15", "order hold seat 2 until 9 pm", "order release seat 2", "quit")
    assert "The minimum here is $3 or $5. [PROC-H.2-a]" in text
    assert "Seat 2 is held until 9 pm." in text
    assert "Seat 2 is no longer held; ordered by Flo." in text


def test_the_floor_supervisor_removes_a_player_in_the_terminal() -> None:
    setup = chair("let the players look")
    remove_floor_name(setup)
    text = typed(setup, "remove 2", "remove seat 2 holds up the table", "floor Flo", "quit")
    assert 'Name the seat and the reason: type "remove seat 2 holds up the table", for example.' in text
    assert "Name the floor supervisor first" in text
    text = typed(setup, "remove seat 2 holds up the table", *("",) * 60, "quit")
    assert "Flo removes Ines from seat 2: holds up the table." in text
    (removed,) = events(setup, e.PlayerRemoved)
    assert (removed.seat, removed.name, removed.by) == (2, "Flo", "supervisor")
    # The player had cards, so the hand was played first.
    assert [event.seat for event in events(setup, e.PlayerLeft)][:1] == [2]
    assert "Only a dealer or a supervisor can do this." in transcript("uth-ma", "remove 2 x", "quit")


def test_a_dealer_without_a_legal_step_gets_the_reason() -> None:
    setup = chair("deal the second card to the dealer")
    text = typed(setup, "misdeal short", *("",) * 20, "quit")
    assert "Next step: the table cannot continue: dealer has 1 card, not 2; report the wrong number" in text
    text = typed(setup, "ruling refund round the dealer has one card", *("",) * 8, "quit")
    assert "Flo rules that the round is void and every wager is returned: the dealer has one card." in text
    (closed, *_) = events(setup, e.RoundClosed)
    assert closed.net == {}


def test_a_number_of_cards_is_refused_at_a_step_that_does_not_record_one() -> None:
    setup = chair("let the players look")
    text = typed(setup, "next 20", "do let the players look 20", "quit")
    assert text.count('This step does not record a number of cards. Type the line without "20".') == 2
    assert not events(setup, e.PlayersLooked)
    setup = chair("cut the cards")
    typed(setup, "next 20", "quit")
    assert [cut.count for cut in events(setup, e.DeckCut)] == [20]


def test_a_step_is_performed_under_the_name_that_is_shown() -> None:
    setup = chair("let the players look")
    text = typed(setup, "steps", "do settle the remaining wagers of folded hands", "quit")
    assert "settle the remaining wagers of folded hands" in text
    # The step is known, but it is not its turn.
    assert "Not yet: the next step is to let the players look." in text


@pytest.mark.clause("PROC-H.2-b", "PROC-H.3-c", "PROC-H.3-d")
def test_orders_need_a_named_floor_supervisor_and_are_recorded_under_the_name() -> None:
    setup = chair("open the round", "uth-proc", mode="device", floor="")
    text = typed(setup, "order hold seat 2", "quit")
    assert 'Name the floor supervisor first: type "floor NAME"' in text
    assert events(setup, e.SeatHeld) == []
    orders = ("order hold seat 2", "order release seat 2", "order set the minimum to $5")
    typed(setup, "floor Bea", *orders, "quit")
    link = setup.game.link
    assert isinstance(link, LocalTable)
    for kind in (e.SeatHeld, e.SeatReleased, e.LimitsChanged):
        assert [event.name for event in events(setup, kind)] == ["Bea"], kind
    entries = map(read_entry, link.live.house.store.entries(link.live.stream))
    ordered = [entry.by for entry in entries if isinstance(entry.command, c.HoldSeat | c.ReleaseSeat)]
    assert ordered == ["Bea", "Bea"]


@pytest.mark.clause("MA-7.h-b")
def test_the_floor_supervisor_replaces_a_deck_in_the_terminal() -> None:
    setup = chair("dispense the community cards", mode="device", house={"device_counts": True}, floor="Bea")
    remove_floor_name(setup)
    text = typed(setup, "report device count 51", *("next",) * 6, "quit")
    assert "Next step: replace deck A." in text
    assert 'name the floor supervisor first: type "floor NAME"' in text
    assert events(setup, e.DeckRemoved)
    assert events(setup, e.DeckReplaced) == []
    typed(setup, "floor Bea", "next", "quit")
    (replaced,) = events(setup, e.DeckReplaced)
    assert (replaced.name, replaced.automatic) == ("Bea", False)


def test_the_dealers_script_does_not_promise_a_name() -> None:
    text = typed(open_seeded("uth-ma", **CHAIR), *("next",) * 6, "quit")
    assert "Dealer's script: Inspect the deck. [MA-3.b-a]" in text
    assert "name is recorded" not in text
