"""Massachusetts, sections 2 to 4: decks, the opening of the table, shuffle, cut, idle time."""

from dataclasses import replace
from typing import Any

import pytest

from houseway.cards import cards, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.terms import read_terms
from houseway.narrate.narrator import Scene, narrate
from houseway.narrate.render import RECORD, render
from houseway.rules.loader import load
from table_driver import Driver, table

TWO = {"decks": 2, "shuffler": "device"}
CONFIRMED = ["confirm the deck", "confirm the cover cards", "confirm the dealing shoe"]
CEREMONY = [
    "receive the cards",
    "inspect the deck",
    "verify the deck",
    "spread the cards",
    "offer the inspection",
    "wash and stack",
]
OPENING = [*CONFIRMED, *CEREMONY]
DECK_B = ["confirm each deck", *CEREMONY, "shuffle the deck"]
"""The opening of the second of two decks; the table's own items are confirmed once."""
DECK_A = ["confirm each deck", *CONFIRMED[1:], *CEREMONY, "shuffle the deck"]


def unopened(**given: Any) -> Driver:
    """A table whose cards have just been received."""
    return table("uth-ma", open=False, **given).open()


def steps(t: Driver, deck: str = "") -> list[str]:
    """The opening steps taken, of one deck or of all."""
    return [s.step for s in t.seen(e.StepTaken) if s.section == "opening" and deck in ("", s.deck)]


def lines(t: Driver, clause: str) -> list[str]:
    """The script lines of a clause so far."""
    return [line.says for line in t.script if line.clause == clause]


def decks(t: Driver) -> dict[str, str]:
    """The place of each deck."""
    return {deck.name: deck.stands for deck in t.state.decks}


def a_round(t: Driver) -> Driver:
    """One whole round of one player."""
    return t.bet(1, ante=10).deal().finish()


# --- two decks ---


@pytest.mark.clause("MA-2.a-b")
def test_two_yellow_or_green_cover_cards_go_with_the_deck() -> None:
    t = table("uth-ma", open=False)
    red = t.refuses(c.OpenTable(designated=("ultimate",), cover_cards="red"))
    assert (red.code, red.clause) == ("cover-card-colour", "MA-2.a-b")
    t.open(cover_cards="green").until("inspect the deck")
    assert any("two cover cards, solid yellow or green" in line for line in lines(t, "MA-2.a-b"))
    (confirmed,) = [item for item in t.seen(e.ItemConfirmed) if item.clause == "MA-2.a-b"]
    assert confirmed.item == "two solid green cover cards"
    # Another colour is refused in the settings; unless the house chooses, the cards are yellow.
    _, wrong = read_terms(load("uth-ma"), {"house": {"cover_cards": "red"}})
    assert [(r.code, r.clause) for r in wrong] == [("bad-setting", "MA-2.a-b")]
    t = unopened().until("receive the cards")
    assert "two solid yellow cover cards" in [item.item for item in t.seen(e.ItemConfirmed)]


@pytest.mark.clause("MA-2.b.2")
def test_the_backs_of_two_decks_differ() -> None:
    t = table("uth-ma", open=False, house=TWO)
    alike = t.refuses(c.OpenTable(designated=("ultimate",), backs=("red", "red")))
    assert (alike.code, alike.clause) == ("backs-alike", "MA-2.b.2")
    t.open(backs=("red", "blue"))
    assert [(d.name, d.back) for d in t.state.decks] == [("A", "red"), ("B", "blue")]


@pytest.mark.clause("MA-2.b.3")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_one_deck_is_in_the_device_while_the_other_is_in_play(mode: str) -> None:
    t = table("uth-ma", mode=mode, house=TWO)
    assert decks(t) == {"A": "shoe" if mode == "manual" else "machine", "B": "device"}
    t.bet(1, ante=10)
    t.step()
    t.perform("shuffle the other deck")
    both = t.out_of_order(t.next, deck="B", cards=codes(t.shoe.cards[: t.act.cards if t.act else 0]))
    assert (both.code, both.clause) == ("wrong-deck", "MA-2.b.3")
    # The device has shuffled B while A is dealt. B comes out for the next round, and A goes in.
    shuffled = t.last(e.DeckShuffled)
    assert (shuffled.deck, shuffled.method, shuffled.clause) == ("B", "device", "MA-2.b.3")
    assert t.state.playing.name == "A"
    t.finish().ready()
    assert t.last(e.DeckShuffled) is shuffled
    assert decks(t) == {"A": "device", "B": "shoe" if mode == "manual" else "machine"}
    t.check_books()


@pytest.mark.clause("MA-2.b.4")
def test_each_deck_is_used_every_other_round() -> None:
    t = table("uth-ma", house=TWO)
    for _ in range(4):
        a_round(t)
    assert [r.deck for r in t.seen(e.RoundOpened)] == ["A", "B", "A", "B"]
    t.until("take the shuffled deck")
    again = t.refuses(c.Perform(step="take the shuffled deck", deck="B"))
    assert (again.code, again.clause) == ("deck-out-of-turn", "MA-2.b.4")
    t.ready()
    assert t.last(e.RoundOpened).deck == "A"
    t.check_books()


@pytest.mark.clause("MA-2.b.4")
def test_a_jam_or_idle_time_does_not_change_which_deck_is_next() -> None:
    t = a_round(table("uth-ma", house=TWO))
    t.until("load the shoe").report("shuffler jam").ready()
    # The opening shuffles both decks, the round shuffles deck B, and after the jam deck B is shuffled again.
    assert [s.deck for s in t.seen(e.DeckShuffled)] == ["A", "B", "B", "B"]
    assert t.last(e.RoundOpened).deck == "B"
    t.send(c.GoIdle())
    t.send(c.Resume())
    # The round that the idle time ended had no wagers, so its deck is still next.
    assert a_round(t).last(e.RoundOpened).deck == "B"
    t.send(c.GoIdle())
    t.send(c.Resume())
    assert t.ready().last(e.RoundOpened).deck == "A"
    assert decks(t) == {"A": "shoe", "B": "device"}


@pytest.mark.clause("MA-2.b.4")
def test_a_deck_found_short_delays_only_its_own_round() -> None:
    t = table("uth-ma", house={**TWO, "device_counts": True})
    t.bet(1, ante=10).deal().report("device count", count=51)
    assert t.last(e.DeckRemoved).deck == "B"
    t.finish()
    assert not t.seen(e.RoundVoided)
    assert t.out_of_order("shuffle").code == "deck-off"
    t.send(c.ReplaceDeck(by="floor", deck="B"))
    t.ready()
    # Only the new deck is opened, and it is next.
    assert steps(t, "A") == DECK_A
    assert steps(t, "B") == DECK_B * 2
    assert t.last(e.RoundOpened).deck == "B"


@pytest.mark.clause("MA-2.b.5")
def test_the_discard_rack_holds_the_cards_of_one_deck_at_a_time() -> None:
    t = a_round(table("uth-ma", house=TWO))
    assert (t.state.rack_deck, sum(r.count for r in t.state.rack)) == ("A", 52)
    early = t.out_of_order("take the shuffled deck")
    assert (early.code, early.clause) == ("out-of-order", "MA-2.b.5")
    t.step()
    assert t.last(e.RackCleared).clause == "MA-2.b.5"
    assert t.view("rail").table.rack == 0
    t.bet(1, ante=10).deal().check(1).deal()
    # The burn of the second round is the only card there, and it is from deck B.
    assert (t.state.rack_deck, [(r.what, r.count) for r in t.state.rack]) == ("B", [("burn", 1)])


# --- the opening ---


@pytest.mark.clause("MA-3.a")
def test_receipt_inspection_spread_wash_and_shuffle_come_in_that_order() -> None:
    t = unopened()
    due = [*OPENING, "shuffle"]
    for n, step in enumerate(due):
        assert t.next == step
        for later in [*due[n + 1 :], "load the shoe", "open the round", "deal the flop"]:
            assert t.out_of_order(later, name="Ann").code == "out-of-order"
        t.step()
    assert steps(t) == OPENING
    assert lines(t, "MA-3.a")


@pytest.mark.clause("MA-3.b-a")
def test_inspection_and_verification_are_recorded_before_the_spread() -> None:
    t = unopened().until("inspect the deck")
    for step, who in (("inspect the deck", "Ann"), ("verify the deck", "Bo")):
        by = "dealer" if who == "Ann" else "floorperson"
        nameless = t.refuses(c.Perform(step=step, by=by))
        assert (nameless.code, nameless.clause) == ("name-missing", "MA-3.b-a")
        early = t.out_of_order("spread the cards")
        assert (early.code, early.clause) == ("out-of-order", "MA-3.b-a")
        t.send(c.Perform(step=step, by=by, name=who))
    t.perform("spread the cards")
    assert [(s.step, s.name) for s in t.seen(e.StepTaken)][-3:] == [
        ("inspect the deck", "Ann"),
        ("verify the deck", "Bo"),
        ("spread the cards", ""),
    ]
    assert (t.last(e.DeckInspected).name, t.last(e.DeckInspected).deck) == ("Ann", "A")
    verified = t.last(e.DeckVerified)
    assert (verified.name, verified.by, verified.automatic) == ("Bo", "floorperson", False)


@pytest.mark.clause("MA-3.b-b")
def test_the_cards_are_spread_by_deck_suit_and_sequence() -> None:
    t = unopened(house=TWO).until("offer the inspection")
    (line,) = lines(t, "MA-3.b-b")
    for word in ("fan", "row", "each deck separately", "each suit", "ace to king"):
        assert word in line.lower()


@pytest.mark.clause("MA-3.c-a")
def test_the_cards_are_washed_once_the_first_player_could_inspect_them() -> None:
    t = unopened().until("offer the inspection")
    early = t.out_of_order("wash and stack")
    assert (early.code, early.clause) == ("out-of-order", "MA-3.c-a")
    # No player has arrived, so the dealer waits.
    alone = t.refuses(c.Perform(step="offer the inspection"))
    assert (alone.code, alone.clause, t.act) == ("no-player", "MA-3.c-a", None)
    t.sit(4, player="Ann").sit(2)
    t.perform("offer the inspection")
    offered = t.last(e.InspectionOffered)
    assert (offered.seat, offered.player, offered.deck) in {(4, "Ann", "A"), (2, "player 2", "A")}
    t.perform("wash and stack")
    assert t.last(e.DeckWashed).deck == "A"
    assert [s.clause for s in t.seen(e.StepTaken)][-2:] == ["MA-3.c-a", "MA-3.c-a"]


@pytest.mark.clause("MA-3.c-b")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_the_washed_cards_are_shuffled_before_the_first_deal(mode: str) -> None:
    t = unopened(mode=mode).until("shuffle")
    assert steps(t)[-1] == "wash and stack"
    for step in ("open the round", "deal the first card to each player", "dispense the community cards"):
        if step in t.table.steps:
            assert t.out_of_order(step).code == "out-of-order"
    assert not t.seen(e.DeckShuffled)
    t.step()
    assert t.last(e.DeckShuffled).deck == "A"


@pytest.mark.clause("MA-3.d")
def test_each_of_two_decks_is_opened_separately() -> None:
    t = table("uth-ma", house=TWO)
    assert steps(t, "A") == DECK_A
    assert steps(t, "B") == DECK_B
    assert steps(t) == DECK_A + DECK_B
    # Each deck is inspected, verified, washed and shuffled before the first round.
    for kind in (e.DeckInspected, e.DeckVerified, e.DeckWashed, e.InspectionOffered, e.DeckShuffled):
        assert [event.deck for event in t.seen(kind)] == ["A", "B"], kind  # type: ignore[attr-defined]
    assert {s.clause for s in t.seen(e.DeckShuffled)} == {"MA-3.d"}
    assert not [s for s in t.seen(e.RoundOpened) if s.number > 1]


# --- the shuffle ---


@pytest.mark.clause("MA-4.a-a")
def test_the_cards_are_shuffled_before_play_and_after_each_round() -> None:
    t = table("uth-ma")
    for played in range(1, 4):
        assert len(t.seen(e.DeckShuffled)) == played
        assert t.state.playing.used == 0
        a_round(t)
        for step in ("open the round", "announce no more bets", "deal the first card to each player"):
            unshuffled = t.out_of_order(step)
            assert (unshuffled.code, unshuffled.clause) == ("out-of-order", "MA-4.a-a")
        t.ready()


@pytest.mark.clause("MA-4.a-a", "MA-2.b.3")
def test_each_of_two_decks_is_shuffled_between_its_rounds() -> None:
    t = table("uth-ma", house=TWO)
    for _ in range(4):
        a_round(t).ready()
    order = [event.deck for event in t.events if isinstance(event, e.DeckShuffled | e.RoundOpened)]
    # The opening shuffles both; then the other deck is shuffled while one is in play.
    assert order == ["A", "B", "A", "B", "B", "A", "A", "B", "B", "A", "A"]
    # A deck that was spread is shuffled again before play, as at a table with one deck.
    assert t.table.steps["shuffle"].basis.clause("manual") == "MA-4.a-a"


@pytest.mark.clause("MA-4.a-b")
@pytest.mark.parametrize("mode", ["manual", "device"])
@pytest.mark.parametrize("method", ["hand", "device"])
def test_the_way_of_shuffling_is_recorded(method: str, mode: str) -> None:
    t = table("uth-ma", mode=mode, house={"shuffler": method})
    assert t.last(e.DeckShuffled).method == method
    assert t.table.book.house["shuffler"].basis.clause(mode) == "MA-4.a-b"


@pytest.mark.clause("MA-4.a-b")
def test_the_shuffled_order_has_every_card_once() -> None:
    t = table("uth-ma", deck="9c 4d", house={"shuffler": "device"}).bet(1, ante=10).bet(2, ante=10)
    t.until("deal the first card to the dealer")
    twice = t.refuses(c.Perform(step=t.next, cards=cards("9c")))
    assert (twice.code, t.hole(1), t.hole(2)) == ("too-many-copies", "9c", "4d")
    t.finish()
    # After the next shuffle the deck is complete again.
    t.bet(1, ante=10).until("deal the first card to the dealer")
    assert t.hole(1) == "9c"


@pytest.mark.clause("MA-4.a-c")
def test_the_shuffled_deck_is_one_stack_or_goes_straight_into_the_shoe() -> None:
    for house, stands in (
        ({}, "stack"),
        ({"shuffler": "device"}, "stack"),
        ({"shuffler": "device", "direct_to_shoe": True}, "shoe"),
        # A dealer who shuffles by hand puts the stack into the shoe, with or without a device.
        ({"direct_to_shoe": True}, "stack"),
    ):
        t = unopened(house=house).until("shuffle")
        t.step()
        assert (t.last(e.DeckShuffled).stands, decks(t)["A"]) == (stands, stands)
        t.ready()
        assert decks(t)["A"] == "shoe"
        assert len(t.seen(e.DeckLoaded)) == (stands == "stack")


@pytest.mark.clause("MA-4.a-c", "MA-7.a-b", "MA-8.b.1")
@pytest.mark.parametrize("two", [False, True], ids=["one deck", "two decks"])
@pytest.mark.parametrize("mode", ["manual", "device"])
@pytest.mark.parametrize("cut", ["never", "hand shuffle", "always"])
@pytest.mark.parametrize("direct", [False, True], ids=["stacked", "direct"])
def test_a_deck_that_a_device_shuffled_is_in_the_place_its_settings_require(
    direct: bool, cut: str, mode: str, two: bool
) -> None:
    decks_in_use = {"decks": 2} if two else {}
    house = {"shuffler": "device", "direct_to_shoe": direct, "cut_required": cut, **decks_in_use}
    # Section 7 deals from a manual shoe, section 8 from an automated shoe or machine.
    dealt_from = "shoe" if mode == "manual" else "machine"
    # Only a device inserts the stack directly; a deck that must be cut is stacked first.
    inserted = direct and cut != "always"
    place = dealt_from if inserted else "stack"
    t = unopened(mode=mode, house=house).until("take the shuffled deck" if two else "shuffle")
    t.step()
    moved = t.last(e.DecksSwapped) if two else t.last(e.DeckShuffled)
    assert (moved.stands, decks(t)["A"]) == (place, place)
    t.ready()
    assert decks(t)["A"] == dealt_from
    assert [loaded.into for loaded in t.seen(e.DeckLoaded)] == ([] if inserted else [dealt_from])
    assert len(t.seen(e.DeckCut)) == (cut == "always")
    a_round(t).ready()
    playing = "B" if two else "A"
    assert (t.last(e.RoundOpened).deck, decks(t)[playing]) == (playing, dealt_from)
    t.check_books()


@pytest.mark.clause("MA-4.a-c", "MA-8.b.1")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_a_deck_shuffled_by_hand_is_a_stack_that_the_dealer_loads(mode: str) -> None:
    t = unopened(mode=mode, house={"shuffler": "hand", "direct_to_shoe": True}).until("shuffle")
    t.step()
    assert (t.last(e.DeckShuffled).method, decks(t)["A"]) == ("hand", "stack")
    t.ready()
    assert [loaded.into for loaded in t.seen(e.DeckLoaded)] == ["shoe" if mode == "manual" else "machine"]


# --- the cut ---


@pytest.mark.clause("MA-4.c")
@pytest.mark.parametrize("mode", ["manual", "device"])
@pytest.mark.parametrize(
    ("required", "by_hand", "by_device"), [("never", 0, 0), ("hand shuffle", 1, 0), ("always", 1, 1)]
)
def test_the_house_says_when_a_cut_is_required(
    required: str, by_hand: int, by_device: int, mode: str
) -> None:
    for shuffler, cuts in (("hand", by_hand), ("device", by_device)):
        t = table("uth-ma", mode=mode, house={"shuffler": shuffler, "cut_required": required})
        assert len(t.seen(e.DeckCut)) == cuts
        assert t.bet(1, ante=10).deal().next == "ask before the flop"


@pytest.mark.clause("MA-4.c")
def test_the_record_names_the_person_who_cut() -> None:
    t = table("uth-ma", open=False).open(dealer="person").until("cut the cards")
    act = t.act
    assert act is not None
    # The step is offered to the dealer without a name, so that the dealer can name the person.
    assert act.name == ""
    t.perform("cut the cards", count=20, name="Ann")
    assert t.last(e.DeckCut).by == "Ann"
    said = [render(s, RECORD) for s in narrate(t.last(e.DeckCut), Scene(t.table.terms.order))]
    assert said == ["Deck A was cut by Ann, 20 cards from the top"]


@pytest.mark.clause("MA-4.c.1.i", "MA-4.c.1.iv")
def test_the_cover_card_is_put_down_first_and_racked_last() -> None:
    t = unopened().until("cut the cards")
    length = len(t.script)
    t.step()
    cut = t.script[length:]
    assert (cut[0].clause, cut[-1].clause) == ("MA-4.c.1.i", "MA-4.c.1.iv")
    assert "cover card on the table in front of the deck" in cut[0].says
    assert "discard rack" in cut[-1].says


@pytest.mark.clause("MA-4.c.1.ii")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_a_cut_takes_at_least_ten_cards(mode: str) -> None:
    for count in (10, 51):
        t = unopened(mode=mode, house={"cut_required": "always"}).until("cut the cards")
        for wrong in (9, 0, -1, 52, None):
            refusal = t.refuses(c.Perform(step="cut the cards", count=wrong))
            assert (refusal.code, refusal.clause) == ("cut-size", "MA-4.c.1.ii")
        t.perform("cut the cards", count=count)
        assert t.last(e.DeckCut).count == count


@pytest.mark.clause("MA-4.c.1.iii", "MA-4.c.2")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_the_rest_goes_on_top_and_the_first_card_dealt_is_the_new_top_card(mode: str) -> None:
    t = unopened(mode=mode, house={"cut_required": "always"}).until("cut the cards")
    before = list(t.shoe.cards)
    t.perform("cut the cards", count=20)
    cut = t.last(e.DeckCut)
    assert (cut.count, cut.rest_on_top, cut.clause) == (20, True, "MA-4.c.1.iii")
    assert t.shoe.cards == before[20:] + before[:20]
    t.bet(1, ante=10).step()
    t.step()
    assert t.seen(e.CardsDealt)[0].sealed[0] == before[20]


@pytest.mark.clause("MA-4.d")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_a_supervisor_may_order_a_recut_until_the_first_card(mode: str) -> None:
    t = unopened(mode=mode, house={"cut_required": "always"}).until("cut the cards")
    soon = t.refuses(c.Recut(by="supervisor"))
    assert (soon.code, soon.clause) == ("no-recut-now", "MA-4.d")
    t.perform("cut the cards", count=12)
    t.bet(1, ante=10).step()
    for by in ("dealer", "seat 1"):
        nobody = t.refuses(c.Recut(by=by))
        assert (nobody.code, nobody.clause) == ("not-the-floor", "MA-4.d")
    assert "order a recut" in t.legal("floor")
    t.send(c.Recut(by="supervisor", name="Flo"))
    ordered = t.last(e.RecutOrdered)
    assert (ordered.by, ordered.name, ordered.clause) == ("supervisor", "Flo", "MA-4.d")
    # The deck comes out of the shoe, is cut again and goes back.
    first = "deal the first card to each player" if mode == "manual" else "dispense the community cards"
    assert t.out_of_order(first).code == "out-of-order"
    assert t.refuses(c.Recut(by="supervisor")).code == "no-recut-now"
    t.perform("cut the cards", count=30)
    assert t.next.startswith("load the ")
    assert t.out_of_order(first).code == "out-of-order"
    t.step()
    assert [cut.count for cut in t.seen(e.DeckCut)] == [12, 30]
    assert t.next == first
    t.step()
    late = t.refuses(c.Recut(by="supervisor"))
    assert (late.code, late.clause) == ("no-recut-now", "MA-4.d")
    t.finish().check_books()


# --- idle time ---


@pytest.mark.clause("MA-4.e-a")
@pytest.mark.parametrize("house", [{}, TWO], ids=["one deck", "two decks"])
def test_the_cards_are_spread_while_the_table_is_idle(house: dict[str, Any]) -> None:
    t = table("uth-ma", house=house)
    t.send(c.GoIdle())
    assert t.last(e.TableIdled).clause == "MA-4.e-a"
    assert "spread" in lines(t, "MA-4.e-a")[0]
    assert set(decks(t).values()) == {"spread"}
    for who in ("seat 1", "dealer", "rail", "floor", "surveillance"):
        assert t.view(who).table.section == "idle"


@pytest.mark.clause("MA-4.e-a")
def test_a_table_with_wagers_or_cards_down_does_not_go_idle() -> None:
    t = table("uth-ma").bet(1, ante=10)
    assert t.refuses(c.GoIdle()).code == "round-under-way"
    assert t.refuses(c.CloseTable()).code == "round-under-way"
    t.deal()
    assert t.refuses(c.GoIdle()).code == "round-under-way"
    t.finish().ready()
    # An open round without wagers may be left.
    t.send(c.GoIdle())
    assert t.last(e.TableIdled).clause == "MA-4.e-a"
    t.send(c.Resume())
    t.ready().send(c.CloseTable())
    assert t.state.section == "closed"


@pytest.mark.clause("MA-4.e-b")
def test_after_idle_time_the_cards_are_inspected_washed_and_shuffled_again() -> None:
    t = a_round(table("uth-ma"))
    t.send(c.GoIdle())
    t.sit(2)
    idle = t.out_of_order("open the round")
    assert (idle.code, idle.clause) == ("table-idle", "MA-4.e-b")
    assert t.refuses(c.Recut(by="supervisor")).code == "no-recut-now"
    t.send(c.Resume())
    assert t.last(e.TableResumed).clause == "MA-4.e-b"
    for step in ("offer the inspection", "wash and stack"):
        assert t.next == step
        for later in ("shuffle", "open the round", "deal the first card to each player"):
            early = t.out_of_order(later)
            assert (early.code, early.clause) == ("out-of-order", "MA-4.e-b")
        t.step()
    assert t.next == "shuffle"
    assert t.out_of_order("open the round").clause == "MA-4.a-a"
    t.bet(2, ante=10).deal().finish().check_books()


@pytest.mark.clause("MA-4.e-b")
def test_after_idle_time_each_of_two_decks_is_opened_again() -> None:
    t = table("uth-ma", house=TWO)
    t.send(c.GoIdle())
    t.send(c.Resume())
    before = len(t.events)
    t.ready()
    again = [(s.deck, s.step) for s in t.events[before:] if isinstance(s, e.StepTaken) and s.deck]
    assert again == [
        (deck, step)
        for deck in "AB"
        for step in ("offer the inspection", "wash and stack", "shuffle the deck")
    ]
    assert decks(t) == {"A": "shoe", "B": "device"}


EMPTY = [
    pytest.param("uth-ma", {}, marks=pytest.mark.clause("MA-4.e-a", "MA-4.e-b"), id="one deck"),
    pytest.param("uth-ma", TWO, marks=pytest.mark.clause("MA-4.e-a", "MA-4.e-b"), id="two decks"),
    pytest.param("uth-card", {}, id="borrowed"),
]


@pytest.mark.parametrize("sits", [False, True], ids=["empty", "a new player"])
@pytest.mark.parametrize(("book", "house"), EMPTY)
def test_a_table_that_becomes_empty_is_spread_before_any_other_step(
    book: str, house: dict[str, Any], *, sits: bool
) -> None:
    t = a_round(table(book, house=house))
    t.send(c.Leave(seat=1))
    assert t.last(e.PlayerLeft).empty
    if sits:
        t.sit(2)
    assert t.act is None
    for step in (t.next, "shuffle", "open the round"):
        no = t.out_of_order(step)
        assert (no.code, no.clause) == ("cards-not-spread", "MA-4.e-a"), step
    (choice,) = t.legal("dealer")
    assert choice.startswith("spread the cards")
    notes = t.view("dealer").yours.notes
    assert notes is not None
    assert ["spread" in line.says for line in notes.script] == [True]
    t.send(c.GoIdle())
    t.sit(*({2} - t.state.seats.keys()))
    assert t.out_of_order("shuffle").clause == "MA-4.e-b"
    assert t.legal("dealer") == ["resume play"]
    t.send(c.Resume())
    assert t.next == "offer the inspection"
    assert t.out_of_order("shuffle").clause == "MA-4.e-b"
    t.bet(2, ante=10)
    assert t.last(e.InspectionOffered).player == "player 2"
    t.deal().finish().check_books()


@pytest.mark.clause("MA-4.e-a", "MA-4.e-b")
def test_an_open_round_that_every_player_leaves_takes_no_wager() -> None:
    t = a_round(table("uth-ma")).ready()
    t.send(c.Leave(seat=1))
    t.sit(2)
    no = t.refuses(c.Bet(seat=2, wagers={"ante": 1000}))
    assert (no.code, no.clause) == ("cards-not-spread", "MA-4.e-a")
    close = next(step.name for step in t.table.sections["round"] if step.act == "close betting")
    assert t.out_of_order(close).clause == "MA-4.e-a"
    assert t.view("seat 2").table.emptied
    t.send(c.GoIdle())
    t.send(c.Resume())
    t.bet(2, ante=10).deal().finish().check_books()
    assert not t.state.emptied


LEFT = ["offer the inspection", "wash and stack", "shuffle", "open the round"]


@pytest.mark.parametrize(("book", "house"), EMPTY)
@pytest.mark.parametrize("last", LEFT)
def test_a_table_that_becomes_empty_before_its_first_round_is_spread(
    book: str, house: dict[str, Any], last: str
) -> None:
    if house and last == "shuffle":
        last = "shuffle the deck"
    t = table(book, open=False, house=house).open().until("offer the inspection")
    t.sit(1)
    # With two decks, the second one must be opened first.
    while not [
        s for s in t.seen(e.StepTaken) if s.step == last and s.deck in ("", "AB"[t.table.decks - 1])
    ]:
        t.step()
    assert not t.state.rounds or last == "open the round"
    t.send(c.Leave(seat=1))
    t.sit(2)
    assert t.last(e.PlayerLeft).empty
    for step in (t.next, "shuffle", "open the round"):
        no = t.out_of_order(step)
        assert (no.code, no.clause) == ("cards-not-spread", "MA-4.e-a"), step
    no = t.refuses(c.Bet(seat=2, wagers={"ante": 1000}))
    if last == "open the round":
        assert (no.code, no.clause) == ("cards-not-spread", "MA-4.e-a")
    (choice,) = t.legal("dealer")
    assert choice.startswith("spread the cards")
    t.send(c.GoIdle())
    assert t.last(e.TableIdled).spread
    assert "spread" in lines(t, "MA-4.e-a")[-1]
    t.send(c.Resume())
    before = len(t.events)
    assert t.next == "offer the inspection"
    t.bet(2, ante=10)
    again = [s.step for s in t.events[before:] if isinstance(s, e.StepTaken)]
    assert again[:2] == ["offer the inspection", "wash and stack"]
    assert {x.player for x in t.events[before:] if isinstance(x, e.InspectionOffered)} == {"player 2"}
    assert [x for x in t.events[before:] if isinstance(x, e.DeckShuffled)]
    t.deal().finish().check_books()


@pytest.mark.parametrize("until", ["receive the cards", "spread the cards", "offer the inspection"])
def test_the_cards_wait_for_a_first_player_who_has_not_inspected_them(until: str) -> None:
    t = table("uth-ma", open=False).open().until(until)
    t.sit(1)
    t.send(c.Leave(seat=1))
    assert not t.last(e.PlayerLeft).empty
    t.bet(2, ante=10).deal().finish().check_books()
    assert not t.seen(e.TableIdled)


def test_the_second_deck_is_opened_before_an_empty_table_is_spread() -> None:
    t = table("uth-ma", open=False, house=TWO).open().until("offer the inspection")
    t.sit(1).step()
    t.send(c.Leave(seat=1))
    assert t.last(e.PlayerLeft).empty
    t.until("offer the inspection")
    assert (t.state.opening_deck, t.seen(e.TableIdled)) == (1, [])
    t.bet(2, ante=10)
    assert len(t.seen(e.TableIdled)) == 1
    assert [x.player for x in t.seen(e.InspectionOffered)] == [
        "player 1",
        "player 2",
        "player 2",
        "player 2",
    ]


def test_under_an_older_rulebook_the_cards_are_spread_only_after_the_first_round() -> None:
    t = table("uth-ma", open=False).open()
    rule = replace(t.table.standing["idle"], value="when empty")
    t.table.standing = {**t.table.standing, "idle": rule}
    t.until("offer the inspection").sit(1).step()
    t.send(c.Leave(seat=1))
    assert not t.last(e.PlayerLeft).empty
    t.bet(2, ante=10).deal().finish()
    t.send(c.Leave(seat=2))
    assert t.last(e.PlayerLeft).empty


def test_a_table_is_not_idle_while_a_player_stays() -> None:
    t = table("uth-ma").bet(1, ante=10).bet(2, ante=10).deal().finish()
    t.send(c.Leave(seat=1))
    assert not t.last(e.PlayerLeft).empty
    t.bet(2, ante=10).deal().finish().check_books()
    assert not t.seen(e.TableIdled)


def test_a_table_under_an_older_rulebook_need_not_be_spread_when_it_is_empty() -> None:
    t = a_round(table("uth-ma"))
    rule = replace(t.table.standing["idle"], value=True)
    t.table.standing = {**t.table.standing, "idle": rule}
    t.send(c.Leave(seat=1))
    assert not t.last(e.PlayerLeft).empty
    t.step()
    assert not t.seen(e.TableIdled)
