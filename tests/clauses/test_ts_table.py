"""South Dakota, Texas Shootout at the table: the shoe, the deal, setting the hands, the flop, collecting the cards."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.cards import cards, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.table_view import TableView
from houseway.narrate.live_log import LiveEvent, RoundLog, say_aloud
from houseway.narrate.narrator import Scene, narrate
from houseway.narrate.render import RECORD, render
from table_driver import Driver, table

BOOK = "shootout-sd"
DEAL = "deal four cards to each"
INSPECT = "inspect the decks"
FLOP = "Qd 9s 7h 4c 2d"
EVERYONE = ("seat 1", "seat 2", "seat 3", "dealer", "rail", "floor", "surveillance")


def shoe(*hands: str, flop: str = FLOP, burn: str = "Th") -> str:
    """The shoe that deals four cards each to the players and, last, the dealer, and then the flop."""
    rows = [hand.split() for hand in hands]
    return " ".join([burn, *(row[n] for n in range(4) for row in rows), flop])


def at_table(*hands: str, bonus: Any = 0, **given: Any) -> Driver:
    """A table where all players have bet $10, been dealt these cards and looked at them; the dealer's
    cards are last."""
    deck = shoe(*hands, **{k: given.pop(k) for k in ("flop", "burn") if k in given})
    t = table(BOOK, deck=deck, tables={"bonus": "A"}, **given)
    for seat in range(1, len(hands)):
        t.bet(seat, wager=10, **({"bonus": bonus} if bonus else {}))
    return t.deal()


def new_table(deck: str = "", dealer: str = "machine", **given: Any) -> Driver:
    """A table whose decks have just arrived."""
    t = table(BOOK, deck=deck, tables={"bonus": "A"}, open=False, **given)
    t.machine_cuts = False
    return t.open(dealer=dealer)


def layout(t: Driver) -> TableView:
    """The public view of the table."""
    return t.view("rail").table


def faces(t: Driver, seat: int) -> list[str]:
    """The face-up cards of a seat, hand by hand."""
    return [" ".join(hand.faces) for hand in layout(t).seats[seat].hands.values()]


def prompts(t: Driver) -> dict[str | None, str]:
    """The script lines of the step that is due, by clause."""
    notes = t.view("dealer").yours.notes
    assert notes is not None
    return {line.clause: line.says for line in notes.script}


def assert_unseen(t: Driver, *hidden: str) -> None:
    """Check that no view shows any of these cards."""
    for who in EVERYONE:
        assert [card for card in hidden if f"'{card}'" in str(t.view(who))] == [], who


def racked(t: Driver) -> list[tuple[str, str]]:
    """The cards in the discard receptacle, bottom first."""
    return [(entry.what, codes(entry.cards)) for entry in t.state.rack]


KINGS, SEVENS, LOW = "Kd Kc 7s 2h", "7c 7d Jh 3s", "9h 8s 5d 3c"
PAIRS = "9s 9d 4h 4c"

# --- the table and the shoe ---


@pytest.mark.clause("TS-0-a")
def test_the_game_is_played_at_a_table_designated_for_it() -> None:
    t = table(BOOK, tables={"bonus": "A"}, open=False)
    refusal = t.refuses(c.OpenTable(designated=("ultimate",)))
    assert (refusal.code, refusal.clause) == ("not-designated", "TS-0-a")
    t.open(designated=("ultimate", "shootout"))
    assert t.last(e.TableOpened).clause == "TS-0-a"


@pytest.mark.clause("TS-3-b")
def test_new_decks_are_inspected_before_the_shuffle_and_the_inspection_is_logged() -> None:
    t = new_table()
    assert "Inspect" in prompts(t)["TS-3-b"]
    early = t.out_of_order("shuffle")
    assert (early.code, early.clause) == ("out-of-order", "TS-3-b")
    nobody = t.refuses(c.Perform(step=INSPECT))
    assert (nobody.code, nobody.clause) == ("name-missing", "TS-3-b")
    t.send(c.Perform(step=INSPECT, name="supervisor Bea"))
    assert (t.last(e.StepTaken).step, t.last(e.StepTaken).name) == (INSPECT, "supervisor Bea")
    assert t.next == "shuffle"


@pytest.mark.clause("TS-3-b")
@pytest.mark.parametrize("chosen", [None, True, False])
def test_a_machine_does_not_inspect_the_decks_in_its_own_name(chosen: bool | None) -> None:
    t = new_table(house={} if chosen is None else {"auto_approve": chosen})
    for name in ("the automatic dealer", "the dealer", "Dana"):
        machine = t.refuses(c.Perform(step=INSPECT, name=name))
        assert (machine.code, machine.clause) == ("not-at-the-table", "TS-3-b")
    assert t.act is not None
    if chosen is False:
        unasked = t.refuses(c.Perform(step=INSPECT, by="house"))
        assert (unasked.code, unasked.clause) == ("person-needed", "TS-3-b")
        assert (t.act.by, t.act.signed) == ("floor", True)
        assert [o for o in t.legal("floor") if "inspect" in o] == [INSPECT]
        t.send(c.Perform(step=INSPECT, by="floor", name="Flo"))
        expected, words = ("floor", "Flo", False), "Deck A was inspected by Flo"
    else:
        assert t.act.signed is False
        t.send(t.act.command())
        expected, words = (
            ("house", "", True),
            "Deck A was inspected automatically, as a house setting allows",
        )
    inspected = t.last(e.DeckInspected)
    assert (inspected.by, inspected.name, inspected.automatic) == expected
    (sentence,) = narrate(inspected, Scene(t.table.terms.order))
    assert render(sentence, RECORD) == words


@pytest.mark.clause("TS-3-b")
@pytest.mark.parametrize(
    ("dealer", "by", "name"),
    [
        ("machine", "dealer", "Ann"),
        ("machine", "dealer", "dealer Dana"),
        ("machine", "table game supervisor", "Bea"),
        ("person", "dealer", "Dana"),
        ("person", "dealer", "Ann"),
    ],
)
def test_a_player_at_the_table_or_a_named_employee_inspects_the_decks(
    dealer: str, by: str, name: str
) -> None:
    t = new_table(dealer=dealer).sit(2, player="Ann")
    t.send(c.Perform(step=INSPECT, by=by, name=name))
    inspected = t.last(e.DeckInspected)
    assert (inspected.by, inspected.name, inspected.automatic) == (by, name, False)
    assert inspected.clause == "TS-3-b"


@pytest.mark.clause("TS-3-a")
def test_a_shoe_starts_with_a_shuffle_of_all_six_decks() -> None:
    t = new_table()
    t.perform("inspect the decks")
    for step in ("cut the cards", "burn the first card", DEAL):
        early = t.out_of_order(step)
        assert (early.code, early.clause) == ("out-of-order", "TS-3-a")
    t.perform("shuffle")
    assert t.last(e.DeckShuffled).clause == "TS-3-a"
    assert set(Counter(t.shoe.cards).values()) == {6}
    assert (len(t.shoe.cards), t.table.deck_size) == (312, 312)


@pytest.mark.clause("TS-3-c")
def test_a_player_marks_the_cut_and_the_rest_goes_on_top() -> None:
    t = new_table()
    t.until("cut the cards").sit(2, player="Ann")
    stack = list(t.shoe.cards)
    early = t.out_of_order("burn the first card")
    assert (early.code, early.clause) == ("out-of-order", "TS-3-c")
    nobody = t.refuses(t.performing("cut the cards", count=100, name=""))
    assert (nobody.code, nobody.clause) == ("name-missing", "TS-3-c")
    t.perform("cut the cards", count=100, name="Ann")
    cut = t.last(e.DeckCut)
    assert (cut.by, cut.count, cut.clause) == ("Ann", 100, "TS-3-c")
    assert t.shoe.cards == stack[100:] + stack[:100]


@pytest.mark.clause("TS-3-c")
def test_the_cut_is_marked_by_a_player_at_the_table_or_a_named_employee() -> None:
    t = new_table()
    t.until("cut the cards")
    # The automatic dealer waits for a player.
    assert (t.act, t.legal("dealer")) == (None, [])
    for stranger in ("Ann", "machine", "supervisor", "the dealer"):
        no = t.refuses(t.performing("cut the cards", count=100, name=stranger))
        assert (no.code, no.clause) == ("not-at-the-table", "TS-3-c")
    for employee in ("supervisor Bea", "dealer Carl"):
        assert isinstance(
            decide(t.table, t.state, t.performing("cut the cards", count=9, name=employee)), tuple
        )
    t.sit(3, player="Ann").sit(5, player="Joe")
    t.step()
    cut = t.last(e.DeckCut)
    assert (cut.by, cut.automatic, cut.clause) == ("Ann", True, "TS-3-c")


@pytest.mark.clause("TS-3-c")
def test_a_person_who_deals_names_the_player_who_marked_the_cut() -> None:
    t = table(BOOK, tables={"bonus": "A"}, open=False).open(dealer="person").sit(1, 4)
    t.until("cut the cards").perform("cut the cards", count=77, name="player 4")
    cut = t.last(e.DeckCut)
    assert (cut.by, cut.count, cut.automatic) == ("player 4", 77, False)


@pytest.mark.clause("TS-3-d")
def test_the_cut_card_goes_in_52_cards_from_the_end_and_the_cards_into_the_shoe() -> None:
    t = new_table()
    t.until("place the cut card")
    for count in (39, 65):
        no = t.refuses(t.performing("place the cut card", count=count))
        assert (no.code, no.clause) == ("cut-card-place", "TS-3-d")
    t.perform("place the cut card")
    assert (t.last(e.CutCardPlaced).behind, t.last(e.CutCardPlaced).clause) == (52, "TS-3-d")
    early = t.out_of_order("burn the first card")
    assert (early.code, early.clause) == ("out-of-order", "TS-3-d")
    t.perform("load the shoe")
    assert t.state.playing.stands == "shoe"


@pytest.mark.clause("TS-3-e")
def test_the_first_card_out_of_the_shoe_is_burned_unseen() -> None:
    t = new_table("Qh 6s 8d")
    t.until("burn the first card")
    # The machine has cut, so the top card is the first card.
    first, second = t.shoe.cards[0], t.shoe.cards[1]
    early = t.out_of_order("open the round")
    assert (early.code, early.clause) == ("out-of-order", "TS-3-e")
    t.ready()
    burned = t.last(e.CardsBurned)
    assert (burned.sealed, burned.clause) == ((first,), "TS-3-e")
    assert racked(t) == [("burn", str(first))]
    assert_unseen(t, str(first))
    t.bet(1, wager=10).deal()
    assert t.state.seats[1].hands[0].cards[0] == second
    t.finish().bet(1, wager=10).finish()
    assert len(t.seen(e.CardsBurned)) == 1


# --- wagers and the deal ---


@pytest.mark.clause("TS-6-a")
@pytest.mark.parametrize("first", [4, 5])
def test_when_betting_closes_only_a_hand_with_a_bonus_of_five_dollars_is_marked_for_envy(
    first: int,
) -> None:
    t = table(BOOK, tables={"bonus": "A"}).bet(1, wager=10, bonus=first).bet(2, wager=10, bonus=9 - first)
    t.perform("close the betting")
    assert not any(seat.lammer for seat in layout(t).seats.values())
    t.perform("place the lammers")
    marked = [number for number, seat in layout(t).seats.items() if seat.lammer]
    assert marked == [1 if first == 5 else 2]


@pytest.mark.clause("TS-6-a", "TS-6-b")
def test_a_lammer_marks_each_bonus_wager_of_five_dollars_or_more() -> None:
    t = table(BOOK, tables={"bonus": "A"})
    t.bet(1, wager=10, bonus=5).bet(2, wager=10, bonus=10).bet(3, wager=10, bonus=1)
    t.perform("close the betting")
    early = t.out_of_order(DEAL)
    assert (early.code, early.clause) == ("out-of-order", "TS-6-b")
    t.perform("place the lammers")
    placed = t.last(e.LammersPlaced)
    assert (placed.seats, placed.clause) == ((1, 2), "TS-6-b")
    assert [seat.lammer for seat in layout(t).seats.values()] == [True, True, False]
    assert t.next == DEAL


@pytest.mark.clause("TS-6-b")
@pytest.mark.parametrize(("second", "marked"), [(5, True), (4, False), (0, False)])
def test_a_second_bonus_of_five_dollars_gets_its_own_lammer(second: int, marked: bool) -> None:
    t = at_table(PAIRS, LOW, bonus=10)
    t.split(1, "9s 9d", "4h 4c", bonus=second).finish()
    placed = [(p.seats, p.hand, p.clause) for p in t.seen(e.LammersPlaced)]
    assert placed == [((1,), 1, "TS-6-b"), *([((1,), 2, "TS-6-b")] if marked else [])]


@pytest.mark.clause("TS-7-a")
def test_dealing_starts_after_all_wagers_and_then_none_is_accepted() -> None:
    t = table(BOOK, tables={"bonus": "A"}).bet(1, wager=10).sit(2)
    early = t.out_of_order(DEAL, cards="As")
    assert (early.code, early.clause) == ("out-of-order", "TS-7-a")
    t.perform("close the betting")
    t.perform(DEAL, cards=t.shoe.take(1))
    for late in (t.betting(2, wager=10), t.betting(1, wager=10, bonus=5), t.betting(1, wager=20)):
        refusal = t.refuses(late)
        assert (refusal.code, refusal.clause) == ("no-more-bets", "TS-7-a")
    back = t.refuses(c.TakeBack(seat=1))
    assert (back.code, back.clause) == ("no-more-bets", "TS-7-a")


@pytest.mark.clause("TS-7-b")
def test_players_and_dealer_get_four_cards_face_down() -> None:
    t = at_table(KINGS, SEVENS, LOW)
    seen = layout(t)
    hands = [seat.hands[1] for seat in seen.seats.values()]
    assert [(hand.cards, hand.faces) for hand in hands] == [(4, ()), (4, ())]
    assert (seen.dealer_cards, seen.dealer) == (4, ())
    assert {d.clause for d in t.seen(e.CardsDealt)} == {"TS-7-b"}
    assert all(d.sealed and not d.face for d in t.seen(e.CardsDealt))


ORDER = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac"
"""The first thirteen cards: s1, which is burned, to s13."""


@pytest.mark.clause("TS-7-c")
def test_four_rotations_of_one_card_run_clockwise_the_dealer_last() -> None:
    t = table(BOOK, deck=ORDER, tables={"bonus": "A"})
    t.bet(2, wager=10).bet(1, wager=10).deal()
    assert (t.hole(1), t.hole(2), t.dealer) == ("3c 6c 9c Qc", "4c 7c Tc Kc", "5c 8c Jc Ac")
    assert "clockwise" in {line.clause: line.says for line in t.script}["TS-7-c"]


@pytest.mark.clause("TS-7-c")
def test_a_house_may_deal_all_four_cards_of_a_hand_at_once() -> None:
    t = table(BOOK, deck=ORDER, tables={"bonus": "A"}, house={"deal_pattern": "four at a time"})
    t.bet(1, wager=10).bet(2, wager=10).deal()
    assert (t.hole(1), t.hole(2), t.dealer) == ("3c 4c 5c 6c", "7c 8c 9c Tc", "Jc Qc Kc Ac")
    t.finish().check_books()


# --- the players' hands ---


@pytest.mark.clause("TS-8-b")
def test_the_two_cards_played_are_face_up_behind_the_wager() -> None:
    t = at_table(KINGS, SEVENS, LOW).keep(1, "Kd Kc")
    event = t.last(e.HandSet)
    assert (codes(event.face), event.lies, event.clause) == (
        "Kd Kc",
        "behind the primary wager",
        "TS-8-b",
    )
    assert faces(t, 1) == ["Kd Kc"]
    assert faces(t, 2) == [""]


@pytest.mark.clause("TS-8-c")
def test_the_two_discards_are_face_down_in_front_of_the_wager() -> None:
    t = at_table(KINGS, SEVENS, LOW)
    assert "face down in front" in prompts(t)["TS-8-c"]
    t.keep(1, "Kd Kc")
    event = t.last(e.HandSet)
    assert codes(event.sealed) == "7s 2h"
    assert event.discards_lie == "in front of the primary wager, on the dealer's side"
    assert [line for line in t.script if line.clause == "TS-8-c"][-1].says.startswith(
        "Seat 1's two discards"
    )
    (hand,) = layout(t).seats[1].hands.values()
    assert (hand.cards, hand.faces) == (4, ("Kd", "Kc"))
    assert_unseen(t, "7s", "2h")


@pytest.mark.clause("TS-9-b")
def test_a_player_who_may_split_may_also_keep_two_cards() -> None:
    t = at_table(PAIRS, LOW)
    options = t.legal("seat 1")
    assert {"keep 9s 9d", "split 9s 9d / 4h 4c"} <= set(options)
    t.keep(1, "9s 9d")
    assert (t.hole(1), codes(t.last(e.HandSet).sealed)) == ("9s 9d", "4h 4c")
    assert (len(t.state.seats[1].hands), t.wagers(1)) == (1, {"wager": "10.00"})


@pytest.mark.clause("TS-9-d")
def test_the_second_wager_of_a_split_equals_the_first() -> None:
    t = at_table(PAIRS, LOW)
    split = c.Split(by="seat 1", seat=1, first=cards("9s 9d"), second=cards("4h 4c"))
    for wager in (0, 500, 1500):
        no = t.refuses(replace(split, wager=wager))
        assert (no.code, no.clause, no.where) == ("split-wager-unequal", "TS-9-d", "seat 1.wager")
    t.send(replace(split, wager=1000))
    assert [t.wagers(1, n) for n in (1, 2)] == [{"wager": "10.00"}] * 2


@pytest.mark.clause("TS-9-c")
@pytest.mark.parametrize(
    ("first", "second"), [("9s 9d", "4h 4c"), ("9s 4h", "9d 4c")], ids=["by rank", "the other way"]
)
def test_a_split_is_two_face_up_hands_in_front_of_the_wager(first: str, second: str) -> None:
    t = at_table(PAIRS, LOW).split(1, first, second)
    split = t.last(e.HandSplit)
    assert (split.lies, split.clause) == ("in front of the primary wager", "TS-9-c")
    assert faces(t, 1) == [first, second]
    assert [hand.discards for hand in t.state.seats[1].hands] == [(), ()]
    assert [t.wagers(1, n) for n in (1, 2)] == [{"wager": "10.00"}] * 2


@pytest.mark.clause("TS-9-c")
def test_a_split_takes_all_four_cards_in_two_pairs() -> None:
    t = at_table(PAIRS, LOW)
    for first, second in (("9s", "9d 4h 4c"), ("9s 9d", "4h 4h"), ("9s 9d", "4h Kc")):
        no = t.refuses(c.Split(seat=1, first=cards(first), second=cards(second)))
        assert (no.code, no.clause) == ("not-among-the-four", "TS-9-c")


# --- the discards ---


@pytest.mark.clause("TS-10-a")
def test_collection_waits_until_every_hand_not_split_shows_two_discards() -> None:
    t = at_table(PAIRS, KINGS, LOW).split(1, "9s 9d", "4h 4c")
    early = t.out_of_order("collect the discards")
    assert (early.code, early.clause) == ("players-first", "TS-10-a")
    assert "seat 2" in early.message
    t.keep(2, "Kd Kc").perform("collect the discards")
    assert [r.what for r in t.seen(e.CardsRacked)] == ["seat 2 discards"]


@pytest.mark.clause("TS-10-a")
def test_a_hand_with_three_discards_delays_the_collection() -> None:
    t = at_table(KINGS, SEVENS, LOW)
    t.send(c.DealExtra(at="seat 2", cards=t.shoe.take(1)))
    t.keep(1, "Kd Kc").keep(2, "7c 7d")
    no = t.refuses(c.Perform(step="collect the discards"))
    assert (no.code, no.clause, no.where) == ("wrong-number", "TS-10-a", "seat 2")


@pytest.mark.clause("TS-10-b")
def test_discards_are_collected_counter_clockwise_from_the_right() -> None:
    t = at_table(KINGS, SEVENS, "Ah Qc 6s 4d", LOW)
    t.keep(1, "Kd Kc").keep(2, "7c 7d").keep(3, "Ah Qc").perform("collect the discards")
    order = [r.what for r in t.seen(e.CardsRacked)]
    assert order == ["seat 3 discards", "seat 2 discards", "seat 1 discards"]


@pytest.mark.clause("TS-10-c")
def test_collected_discards_are_dead() -> None:
    t = at_table(KINGS, LOW).keep(1, "Kd 7s")
    t.keep(1, "Kd Kc")
    assert t.hole(1) == "Kd Kc"
    t.perform("collect the discards")
    for change in ("7s 2h", "Kd 7s", "Kd Kc"):
        no = t.refuses(c.Keep(seat=1, cards=cards(change)))
        assert (no.code, no.clause) == ("discards-dead", "TS-10-c")


@pytest.mark.clause("TS-10-c")
def test_a_split_may_be_taken_back_until_the_discards_are_collected() -> None:
    t = at_table(PAIRS, KINGS, LOW).split(1, "9s 9d", "4h 4c").keep(1, "9s 9d")
    assert (t.chips_of(1), t.wagers(1)) == ("9990.00", {"wager": "10.00"})
    t.split(1, "9s 4h", "9d 4c").keep(2, "Kd Kc").perform("collect the discards")
    no = t.refuses(c.Keep(seat=1, cards=cards("9s 9d")))
    assert (no.code, no.clause) == ("discards-dead", "TS-10-c")
    assert t.chips_of(1) == "9980.00"
    t.finish().check_books()


@pytest.mark.clause("TS-10-c")
def test_a_split_without_discards_may_be_changed_until_the_dealers_next_step() -> None:
    t = at_table(PAIRS, LOW).split(1, "9s 9d", "4h 4c")
    assert t.next == "turn up the dealer's cards"
    t.keep(1, "9s 9d")
    assert t.next == "collect the discards"
    t.split(1, "9s 4h", "9d 4c").perform("turn up the dealer's cards")
    no = t.refuses(c.Keep(seat=1, cards=cards("9s 9d")))
    assert (no.code, no.clause) == ("discards-dead", "TS-10-c")
    assert no.message == "the dealer has taken the next step; your hand is final"
    t.finish().check_books()


@pytest.mark.clause("TS-10-d")
def test_collected_discards_go_face_down_into_the_receptacle() -> None:
    t = at_table(KINGS, SEVENS, LOW).keep(1, "Kd Kc").keep(2, "7c 7d")
    t.perform("collect the discards")
    assert racked(t) == [("burn", "Th"), ("seat 2 discards", "Jh 3s"), ("seat 1 discards", "7s 2h")]
    assert [(r.face, r.clause) for r in t.seen(e.CardsRacked)] == [((), "TS-10-d")] * 2
    assert layout(t).rack == 5
    assert_unseen(t, "Jh", "3s", "7s", "2h")


# --- the dealer's hand ---


def exposed(*hands: str, **given: Any) -> Driver:
    """A table where players have kept their first two cards and the dealer's four are up."""
    t = at_table(*hands, **given)
    for seat, hand in enumerate(hands[:-1], 1):
        t.keep(seat, " ".join(hand.split()[:2]))
    return t.until("set the dealer's hand")


@pytest.mark.clause("TS-11-a")
def test_the_dealers_four_cards_are_turned_up_after_the_collection() -> None:
    t = at_table(SEVENS, KINGS).keep(1, "7c 7d")
    early = t.out_of_order("turn up the dealer's cards")
    assert (early.code, early.clause) == ("out-of-order", "TS-10-d")
    t.perform("collect the discards")
    assert layout(t).dealer == ()
    t.perform("turn up the dealer's cards")
    assert t.last(e.DealerRevealed).clause == "TS-11-a"
    assert layout(t).dealer == ("Kd", "Kc", "7s", "2h")


@pytest.mark.clause("TS-11-c")
@pytest.mark.parametrize("by", ["dealer", "supervisor"])
def test_the_flop_is_refused_until_a_hand_that_breaks_the_house_way_is_reset(by: str) -> None:
    t = exposed(SEVENS, PAIRS, KINGS, flop="Qd Th 6h 5c 3d")
    t.perform("set the dealer's hand", cards="7s 2h")
    wrong = t.last(e.DealerHandSet)
    assert (codes(wrong.kept), codes(wrong.house_way)) == ("7s 2h", "Kd Kc")
    no = t.refuses(c.Perform(step="deal the flop", cards=cards("Qd Th 6h 5c 3d")))
    assert (no.code, no.clause) == ("not-the-house-way", "TS-11-c")
    assert "Kd Kc" in no.message
    assert t.legal("dealer") == ["set the dealer's hand again by the house way"]
    player = t.refuses(c.ResetHand(by="seat 2"))
    assert (player.code, player.clause) == ("not-the-floor", "TS-11-c")
    t.send(c.ResetHand(by=by))
    reset = t.last(e.DealerHandReset)
    assert (codes(reset.kept), reset.by, reset.clause) == ("Kd Kc", by, "TS-11-c")
    assert layout(t).dealer_keeps == ("Kd", "Kc")
    right = t.refuses(c.ResetHand())
    assert (right.code, right.clause) == ("house-way-kept", "TS-11-c")
    t.finish().check_books()
    # The kings beat the sevens and the nines.
    assert [t.settled("wager", seat).result for seat in (1, 2)] == ["lose", "lose"]


@pytest.mark.clause("TS-11-c")
def test_a_void_round_needs_no_reset() -> None:
    t = exposed(SEVENS, PAIRS, KINGS)
    t.perform("set the dealer's hand", cards="7s 2h")
    t.send(c.DealShort())
    t.report("wrong number", at="board").finish().check_books()
    no = t.refuses(c.ResetHand())
    assert (no.code, no.clause) == ("reset-closed", "TS-11-c")
    assert t.refuses(c.Challenge(seat=1)).code == "challenge-closed"
    t.bet(1, wager=10).finish().check_books()


@pytest.mark.clause("TS-11-c")
@pytest.mark.parametrize("purpose", ["shadow", "training"])
def test_a_wrong_dealers_hand_at_a_shadow_or_training_table_is_recorded_and_may_be_reset(
    purpose: str,
) -> None:
    t = exposed(SEVENS, PAIRS, KINGS, purpose=purpose)
    t.perform("set the dealer's hand", cards="7s 2h")
    assert codes(t.last(e.DealerHandSet).house_way) == "Kd Kc"
    # Play may continue, and the dealer may still correct the hand until the flop is turned.
    assert t.legal("dealer") == ["deal the flop", "set the dealer's hand again by the house way"]
    t.until("turn the flop").send(c.ResetHand(by="supervisor"))
    assert codes(t.state.round.kept) == "Kd Kc"
    t.finish().check_books()


@pytest.mark.clause("TS-11-e")
def test_a_house_may_take_challenges_until_settlement() -> None:
    house = {"challenge_until": "settlement"}
    t = exposed(SEVENS, PAIRS, KINGS, flop="Qd Th 6h 5c 3d", purpose="training", house=house)
    t.perform("set the dealer's hand", cards="7s 2h")
    t.until("settle the hands")
    assert layout(t).dealer == ("Kd", "Kc", "7s", "2h")
    t.send(c.Challenge(by="seat 1", seat=1))
    t.send(c.AnswerChallenge())
    assert codes(t.state.round.kept) == "Kd Kc"
    t.perform("settle the hands")
    late = t.refuses(c.Challenge(by="seat 1", seat=1))
    assert (late.code, late.clause) == ("challenge-closed", "TS-11-e")
    assert "first wager is settled" in late.message
    t.finish().check_books()
    assert ("dealer discards", "7s 2h") in racked(t)
    assert [t.settled("wager", seat).result for seat in (1, 2)] == ["lose", "lose"]


@pytest.mark.clause("TS-11-e")
def test_a_player_may_challenge_the_dealers_hand_and_play_waits() -> None:
    t = exposed(SEVENS, PAIRS, KINGS)
    t.perform("set the dealer's hand", cards="7s 2h")
    t.send(c.Challenge(by="seat 2", seat=2))
    assert (t.last(e.HandChallenged).seat, t.last(e.HandChallenged).clause) == (2, "TS-11-e")
    waits = t.refuses(t.performing("deal the flop"))
    assert (waits.code, waits.clause) == ("challenged", "TS-11-e")
    t.send(c.AnswerChallenge())
    t.perform("deal the flop", cards="Qd 9s 7h 4c 2d")


@pytest.mark.clause("TS-11-e")
def test_a_challenge_is_open_until_the_flop_is_turned() -> None:
    t = exposed(SEVENS, PAIRS, KINGS)
    challenge = c.Challenge(by="seat 1", seat=1)
    early = t.refuses(challenge)
    assert (early.code, early.clause) == ("challenge-closed", "TS-11-e")
    t.until("turn the flop")
    assert "challenge the dealer's hand" in t.legal("seat 1")
    # The dealer's two discards stay on the layout as long as the hand can be challenged.
    assert layout(t).dealer == ("Kd", "Kc", "7s", "2h")
    t.until("settle the hands")
    late = t.refuses(challenge)
    assert (late.code, late.clause) == ("challenge-closed", "TS-11-e")
    assert layout(t).dealer == ("Kd", "Kc")
    assert racked(t)[-1] == ("dealer discards", "7s 2h")


@pytest.mark.clause("TS-11-f")
@pytest.mark.parametrize("by", ["dealer", "supervisor"])
def test_a_challenged_hand_is_reset_by_the_house_way(by: str) -> None:
    t = exposed(SEVENS, PAIRS, KINGS)
    t.perform("set the dealer's hand", cards="7s 2h")
    t.send(c.Challenge(by="seat 2", seat=2))
    player = t.refuses(c.AnswerChallenge(by="seat 2"))
    assert (player.code, player.clause) == ("not-the-floor", "TS-11-f")
    t.send(c.AnswerChallenge(by=by))
    answered = t.last(e.ChallengeAnswered)
    assert (codes(answered.kept), answered.changed, answered.by) == ("Kd Kc", True, by)
    assert answered.clause == "TS-11-f"
    assert layout(t).dealer_keeps == ("Kd", "Kc")


@pytest.mark.clause("TS-11-f")
def test_a_challenge_of_a_right_hand_changes_nothing() -> None:
    t = exposed(SEVENS, PAIRS, KINGS)
    t.perform("set the dealer's hand", cards="Kc Kd")
    t.send(c.Challenge(by="seat 2", seat=2))
    t.send(c.AnswerChallenge(by="supervisor"))
    answered = t.last(e.ChallengeAnswered)
    assert (codes(answered.kept), answered.changed, answered.clause) == ("Kc Kd", False, "TS-11-f")
    t.finish().check_books()


@pytest.mark.clause("TS-11-f")
@pytest.mark.parametrize("kept", ["Kc Kd", "7s 2h"], ids=["right", "wrong"])
def test_after_an_answer_the_hand_is_not_challenged_again(kept: str) -> None:
    t = exposed(SEVENS, PAIRS, KINGS)
    t.perform("set the dealer's hand", cards=kept)
    t.send(c.Challenge(by="seat 2", seat=2))
    t.send(c.AnswerChallenge(by="dealer"))
    for seat in (1, 2):
        again = t.refuses(c.Challenge(by=f"seat {seat}", seat=seat))
        assert (again.code, again.clause) == ("challenged-before", "TS-11-f")
        assert "challenge the dealer's hand" not in t.legal(f"seat {seat}")
    t.finish().check_books()


@pytest.mark.clause("TS-11-f")
def test_an_automatic_answer_to_a_challenge_is_recorded_as_automatic() -> None:
    t = exposed(SEVENS, PAIRS, KINGS)
    t.perform("set the dealer's hand", cards="Kc Kd")
    t.send(c.Challenge(by="seat 2", seat=2))
    t.send(c.AnswerChallenge(by="house"))
    answered = t.last(e.ChallengeAnswered)
    assert (answered.by, answered.automatic, answered.changed) == ("house", True, False)
    (sentence,) = narrate(answered, Scene(t.table.terms.order))
    assert "the table compared it with the house way automatically" in render(sentence, RECORD)


@pytest.mark.clause("TS-11-f")
@pytest.mark.parametrize("chosen", [False, None])
def test_the_house_cannot_answer_a_challenge_for_a_person_who_deals(chosen: bool | None) -> None:
    house = {} if chosen is None else {"auto_approve": chosen}
    t = exposed(SEVENS, PAIRS, KINGS, house=house)
    t.state = replace(t.state, dealer="person")
    t.perform("set the dealer's hand", cards="7s 2h")
    t.send(c.Challenge(by="seat 2", seat=2))
    no = t.refuses(c.AnswerChallenge(by="house"))
    assert (no.code, no.clause) == ("person-needed", "TS-11-f")
    # A deadline may answer, because the supervisor ordered it in advance. The record names the deadline.
    t.send(c.AnswerChallenge(by="deadline"))
    answered = t.last(e.ChallengeAnswered)
    assert (answered.by, answered.automatic, answered.changed) == ("deadline", True, True)


@pytest.mark.clause("TS-11-e")
def test_a_player_without_a_hand_cannot_challenge() -> None:
    t = exposed(SEVENS, PAIRS, KINGS).sit(3)
    t.perform("set the dealer's hand", cards="7s 2h")
    no = t.refuses(c.Challenge(by="seat 3", seat=3))
    assert (no.code, no.clause) == ("not-in-the-round", "TS-11-e")
    assert "only a player with a hand" in no.message


# --- the flop ---


@pytest.mark.clause("TS-12-a")
def test_five_cards_are_dealt_face_down_without_a_burn() -> None:
    t = exposed(SEVENS, PAIRS, KINGS).until("deal the flop")
    next_five = t.shoe.cards[:5]
    early = t.out_of_order("turn the flop")
    assert (early.code, early.clause) == ("out-of-order", "TS-12-a")
    t.perform("deal the flop")
    assert t.state.round.board == tuple(next_five) == cards(FLOP)
    assert (layout(t).board, layout(t).board_down) == ((), 5)
    assert_unseen(t, "Qd", "7h", "2d")
    assert len(t.seen(e.CardsBurned)) == 1


@pytest.mark.clause("TS-12-b")
@pytest.mark.parametrize("down", [4, 6])
def test_the_flop_is_turned_only_when_exactly_five_cards_are_down(down: int) -> None:
    t = exposed(SEVENS, PAIRS, KINGS).until("deal the flop")
    if down == 4:
        t.send(c.DealShort())
    t.perform("deal the flop")
    if down == 6:
        t.send(c.DealExtra(at="board", cards=t.shoe.take(1)))
    assert len(t.state.round.board) == down
    no = t.refuses(c.Perform(step="turn the flop"))
    assert (no.code, no.clause, no.where) == ("wrong-number", "TS-12-b", "board")
    t.report("wrong number", at="board")
    assert t.last(e.RoundVoided).clause == "SD-5-a"
    t.finish()
    assert [t.chips_of(seat) for seat in (1, 2)] == ["10000.00", "10000.00"]
    t.check_books()


@pytest.mark.clause("TS-12-c")
def test_the_five_cards_are_turned_together() -> None:
    t = exposed(SEVENS, PAIRS, KINGS).until("turn the flop")
    t.perform("turn the flop")
    (turned,) = t.seen(e.BoardTurned)
    assert (codes(turned.face), turned.clause) == (FLOP, "TS-12-c")
    assert layout(t).board_down == 0


@pytest.mark.clause("TS-12-d")
def test_the_flop_is_arranged_by_groups_and_then_by_rank() -> None:
    t = exposed(SEVENS, PAIRS, LOW, flop="4c Ks 4d 9h Kd").until("arrange the flop")
    t.perform("arrange the flop")
    arranged = t.last(e.BoardArranged)
    assert (codes(arranged.face), arranged.clause) == ("Ks Kd 4c 4d 9h", "TS-12-d")
    assert layout(t).board == ("Ks", "Kd", "4c", "4d", "9h")
    # Nines full of kings, dealt 9s 9d; arranging the flop changes nothing.
    t.finish()
    assert (t.settled("wager", 1).result, t.settled("wager", 2).result) == ("lose", "win")


@pytest.mark.clause("TS-12-d")
def test_the_flop_goes_into_the_discards_as_it_was_arranged() -> None:
    t = exposed(SEVENS, PAIRS, LOW, flop="4c Ks 4d 9h Kd").finish()
    assert ("board", "Ks Kd 4c 4d 9h") in racked(t)


@pytest.mark.clause("TS-12-d")
def test_the_arranged_flop_is_shown_in_the_log_and_spoken() -> None:
    t = exposed(SEVENS, PAIRS, LOW, flop="4c Ks 4d 9h Kd").until("arrange the flop")
    t.perform("arrange the flop")
    event = t.last(e.BoardArranged)
    (sentence,) = narrate(event, Scene(t.table.terms.order))
    assert render(sentence, RECORD) == "The dealer arranged the board as Ks Kd 4c 4d 9h"
    entries = RoundLog().take(event, (sentence,), {})
    lines = [line for entry in entries.values() if (line := entry.line(0)) is not None]
    assert [(line.text.replace("\ufe0e", ""), line.clause) for line in lines] == [
        ("The dealer arranges the board as K♠ K♦ 4♣ 4♦ 9♥", "TS-12-d")
    ]
    ((spoken,),) = say_aloud(t.table, [LiveEvent(event, (sentence,), t.state, {})], 1)
    order = "king of spades, king of diamonds, four of clubs, four of diamonds, nine of hearts"
    assert spoken.lower() == f"the dealer arranges the board as {order}."


# --- collecting the cards, and the next round ---


@pytest.mark.clause("TS-18-a")
def test_players_cards_are_collected_counter_clockwise_face_down() -> None:
    t = exposed(KINGS, SEVENS, "Ah Qc 6s 4d", LOW).until("collect the players' cards")
    before = len(t.state.rack)
    t.perform("collect the players' cards")
    assert racked(t)[before:] == [("seat 3", "Ah Qc"), ("seat 2", "7c 7d"), ("seat 1", "Kd Kc")]
    assert {r.clause for r in t.seen(e.CardsRacked)[-3:]} == {"TS-18-a"}
    assert layout(t).rack == 1 + 6 + 2 + 6
    assert all(hand.racked for seat in t.state.seats.values() for hand in seat.hands)


@pytest.mark.clause("TS-18-a")
def test_both_hands_of_a_split_are_collected() -> None:
    t = at_table(PAIRS, KINGS, LOW).split(1, "9s 9d", "4h 4c").keep(2, "Kd Kc").finish()
    names = [r.what for r in t.seen(e.CardsRacked) if r.clause == "TS-18-a"]
    assert names == ["seat 2", "seat 1 hand 1", "seat 1 hand 2"]


@pytest.mark.clause("TS-18-b")
def test_the_flop_is_collected_with_the_dealers_two_cards_on_top() -> None:
    t = exposed(SEVENS, KINGS).until("collect the flop and the dealer's cards")
    early = t.out_of_order("close the round")
    assert (early.code, early.clause) == ("out-of-order", "TS-18-b")
    t.perform("collect the flop and the dealer's cards")
    assert racked(t)[-2:] == [("board", FLOP), ("dealer", "Kd Kc")]
    assert [r.clause for r in t.seen(e.CardsRacked)[-2:]] == ["TS-18-b"] * 2


@pytest.mark.clause("TS-18-c")
@pytest.mark.parametrize("unsettled", ["settle the hands", "settle envy"])
def test_cards_are_collected_only_after_all_wagers_are_settled(unsettled: str) -> None:
    # Seat 1 makes a straight flush; seat 2's bonus earns $50 for it.
    t = exposed("8h 9h 2c 2d", SEVENS, LOW, flop="Th Jh Qh 4c 2s", bonus=5).until(unsettled)
    early = t.out_of_order("collect the players' cards")
    assert (early.code, early.clause) == ("wagers-open", "TS-18-c")
    t.until("collect the players' cards")
    assert t.settled("envy", 2).back == 5_000
    t.finish().check_books()


@pytest.mark.clause("TS-19-a")
def test_rounds_continue_from_the_same_shoe() -> None:
    t = exposed(SEVENS, KINGS).finish()
    closed = t.last(e.RoundClosed)
    assert (closed.section, t.next) == ("round", "open the round")
    coming = t.shoe.cards[:8]
    t.bet(1, wager=10).deal()
    assert [*t.state.seats[1].hands[0].cards, *t.state.round.dealer] == coming[::2] + coming[1::2]
    assert (len(t.seen(e.DeckShuffled)), len(t.seen(e.CardsBurned))) == (1, 1)


@pytest.mark.clause("TS-19-a")
def test_an_idle_table_continues_with_its_shoe() -> None:
    t = exposed(SEVENS, KINGS).finish()
    t.send(c.GoIdle(by="floor"))
    t.send(c.Resume(by="floor"))
    assert (t.next, t.state.playing.stands) == ("open the round", "shoe")


@pytest.mark.clause("TS-19-b")
def test_the_round_in_which_the_cut_card_comes_out_is_completed_and_is_the_last() -> None:
    # Thirteen cards a round and one burned: the cut card is in the middle of the twentieth round.
    t = table(BOOK, tables={"bonus": "A"}, house={"cut_card": 60})
    for _ in range(19):
        t.bet(1, wager=10).finish()
    assert (t.seen(e.CutCardReached), t.next) == ([], "open the round")
    t.bet(1, wager=10).finish()
    (reached,) = t.seen(e.CutCardReached)
    assert reached.clause == "TS-19-b"
    assert t.state.playing.used == 261 > 312 - 60
    assert t.next == "shuffle"
    no = t.out_of_order("open the round")
    assert (no.code, no.clause) == ("out-of-order", "TS-3-a")
    t.bet(1, wager=10).finish()
    assert (len(t.seen(e.DeckShuffled)), len(t.seen(e.CardsBurned))) == (2, 2)
    assert t.next == "open the round"
    t.check_books()


@pytest.mark.clause("TS-19-b")
def test_a_round_that_begins_with_the_cut_card_is_still_played() -> None:
    # One burned and nineteen rounds of thirteen cards: 248 of 312 are out, 64 are behind the cut card.
    t = table(BOOK, tables={"bonus": "A"}, house={"cut_card": 64})
    for _ in range(19):
        t.bet(1, wager=10).finish()
    assert t.state.playing.used == 248
    assert (t.seen(e.CutCardReached), t.next) == ([], "open the round")
    t.bet(1, wager=10).deal()
    assert len(t.seen(e.CutCardReached)) == 1
    t.finish()
    assert (t.state.round.number, t.next) == (20, "shuffle")


@pytest.mark.clause("TS-8-a")
def test_the_refusal_of_a_card_used_twice_names_the_card() -> None:
    t = at_table(PAIRS, LOW)
    no = t.refuses(c.Keep(seat=1, cards=cards("9s 9s")))
    assert no.message == "9s is used twice, but it was dealt once (your four cards: 9s 9d 4h 4c)"
    no = t.refuses(c.Split(seat=1, first=cards("9s 9d"), second=cards("4h 4h")))
    assert no.message == "4h is used twice, but it was dealt once (your four cards: 9s 9d 4h 4c)"
    assert t.refuses(c.Keep(seat=1, cards=cards("9s Kc"))).message.startswith("Kc is not among your four")


@pytest.mark.clause("TS-10-a")
def test_a_hand_dealt_two_cards_cannot_be_played_without_discards() -> None:
    t = table("shootout-sd", deck="").bet(1, wager=10).until("deal four cards to each")
    deal = [c.DealShort(), c.DealShort(), None, None]
    for short in deal:
        t.send(short) if short is not None else t.perform("deal four cards to each", cards=t.shoe.take(1))
        t.perform("deal four cards to each", cards=t.shoe.take(1))
    t.until("ask for the hands").keep(1, t.hole(1))
    assert t.next == "collect the discards"
    no = t.refuses(c.Perform(step="collect the discards"))
    assert (no.code, no.clause, no.where) == ("wrong-number", "TS-10-a", "seat 1")
    t.report("wrong number", at="seat 1").finish().check_books()
    assert (t.last(e.RoundVoided).why, t.net(1)) == ("wrong number", "0.00")
