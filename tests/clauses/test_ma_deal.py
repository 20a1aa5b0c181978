"""Massachusetts, sections 6 to 9: wagers, the deal by hand and by machine, and which cards are visible."""

import re
from typing import Any

import msgspec
import pytest

from houseway.cards import Card, cards, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from table_driver import Driver, table

DECK_ORDER = "2c 3d 4h 5s 6c 7d 8h 9s Tc Jd Qh Ks Ac"
"""The first thirteen cards of the deck, from the top."""
OUTSIDERS = ("rail", "dealer", "floor", "surveillance")
MODES = ["manual", "device"]


def nth_cards(*places: int) -> str:
    """The cards at these places of the deck, counted from 1."""
    return codes(tuple(cards(DECK_ORDER)[n - 1] for n in places))


def ma(mode: str = "manual", *seats: int, **given: Any) -> Driver:
    """A table with $25 antes at these seats, betting still open."""
    t = table("uth-ma", deck=DECK_ORDER, mode=mode, **given)
    for seat in seats:
        t.bet(seat, ante=25)
    return t


def faces(t: Driver, who: str) -> set[str]:
    """Every card face in a role's view, at any depth."""
    text = msgspec.json.encode(t.view(who)).decode()
    return set(re.findall(r"\b[2-9TJQKA][cdhs]\b", text))


def unseen(t: Driver, *hidden: Card, by: tuple[int, ...] = ()) -> bool:
    """True if no outsider and none of the seats in `by` sees any of these cards."""
    watchers = (*OUTSIDERS, *(f"seat {n}" for n in by))
    return not any(str(card) in faces(t, who) for card in hidden for who in watchers)


def both(manual: str, device: str) -> pytest.MarkDecorator:
    """Run a test in both deal modes, each with its own clause."""
    modes = [("manual", manual), ("device", device)]
    return pytest.mark.parametrize(
        ("mode", "clause"),
        [pytest.param(m, x, marks=pytest.mark.clause(x), id=x) for m, x in modes],
    )


# --- wagers before the deal ---


@pytest.mark.clause("MA-6.a-a")
def test_wagers_are_made_with_chips_or_plaques() -> None:
    t = ma()
    cash = t.refuses(t.betting(2, ante=25, form="cash"))
    assert (cash.code, cash.clause) == ("not-chips", "MA-6.a-a")
    for form in ("plaques", "chips"):
        t.bet(2, ante=25, form=form)
    assert t.wagers(2) == {"ante": "25.00", "blind": "25.00"}


@pytest.mark.clause("MA-6.a-c")
def test_a_spoken_wager_backed_by_cash_is_refused() -> None:
    t = ma()
    spoken = t.refuses(t.betting(2, ante=25, form="verbal"))
    assert (spoken.code, spoken.clause) == ("verbal-wager", "MA-6.a-c")
    assert "spoken wager backed by cash" in spoken.message


@pytest.mark.clause("MA-6.b-a")
@pytest.mark.parametrize("mode", MODES)
def test_ante_blind_and_trips_are_accepted_only_before_no_more_bets(mode: str) -> None:
    t = ma(mode, 2).sit(4)
    t.step()
    assert t.state.round.betting == "closed"
    for late in (
        t.betting(2, ante=25, trips=5),
        t.betting(2, trips=5),
        t.betting(4, ante=25),
        t.betting(4, ante=25, trips=5),
    ):
        refusal = t.refuses(late)
        assert (refusal.code, refusal.clause) == ("no-more-bets", "MA-6.b-a")


@pytest.mark.clause("MA-12.a", "MA-6.b-a", "MA-6.b-b")
def test_a_late_side_bet_is_refused_by_the_clause_that_names_it() -> None:
    # MA-6.b-a names ante, blind and trips; MA-12.a is about Cover All; MA-6.b-b is about every wager.
    t = table("uth-ma", mode="device", tables={"progressive": "PTMGL01"}).bet(2, ante=25).sit(4)
    t.step()
    for late, clause in (
        (t.betting(2, cover_all=5), "MA-12.a"),
        (t.betting(2, ante=25, cover_all=5), "MA-12.a"),
        (t.betting(2, ante=25, progressive=5), "MA-6.b-b"),
        (t.betting(2, ante=25, cover_all=5, trips=5), "MA-6.b-a"),
        (t.betting(4, ante=25, cover_all=5), "MA-6.b-a"),
    ):
        refusal = t.refuses(late)
        assert (refusal.code, refusal.clause) == ("no-more-bets", clause), late


@pytest.mark.clause("MA-6.b-b")
@pytest.mark.parametrize("mode", MODES)
def test_after_no_more_bets_no_wager_is_raised_or_taken_back(mode: str) -> None:
    t = table("uth-ma", mode=mode).bet(2, ante=25, trips=5)
    # Before the announcement, wagers may be changed and taken back.
    t.send(c.TakeBack(seat=2))
    t.bet(2, ante=30, trips=5).bet(2, ante=25, trips=5)
    t.step()
    for late in (t.betting(2, ante=50, trips=5), t.betting(2, ante=25), c.TakeBack(seat=2)):
        refusal = t.refuses(late)
        assert (refusal.code, refusal.clause) == ("no-more-bets", "MA-6.b-b")
    t.deal().play(2, 4)
    assert t.wagers(2) == {"ante": "25.00", "blind": "25.00", "trips": "5.00", "play": "100.00"}


@pytest.mark.clause("MA-6.e-b")
@pytest.mark.parametrize("mode", MODES)
def test_a_player_holding_cards_stays_until_the_round_is_complete(mode: str) -> None:
    t = ma(mode, 2, 4).deal()
    leaving = t.refuses(c.Leave(seat=2))
    assert (leaving.code, leaving.clause) == ("round-not-complete", "MA-6.e-b")
    standing = t.refuses(c.Stand(seat=2, by="seat 2"))
    assert (standing.code, standing.clause) == ("round-not-complete", "MA-6.e-b")
    # A fold does not end the round either.
    t.check(2, 4).deal().check(2, 4).deal().fold(2)
    assert t.refuses(c.Leave(seat=2)).clause == "MA-6.e-b"
    assert t.refuses(c.Stand(seat=2, by="seat 2")).clause == "MA-6.e-b"
    t.finish().send(c.Stand(seat=4, by="seat 4"))
    t.send(c.Leave(seat=2))
    assert 2 not in t.state.seats
    t.check_books()


@pytest.mark.clause("MA-6.e-b")
@pytest.mark.parametrize("mode", MODES)
def test_the_hand_of_a_player_who_left_is_checked_twice_and_folded(mode: str) -> None:
    t = ma(mode, 2, 4).deal()
    t.send(c.Stand(seat=2, by="floor", name="Flo"))
    stood = t.last(e.PlayerStood)
    assert (stood.seat, stood.name, stood.clause) == (2, "Flo", "MA-6.e-b")
    acts = []
    for _ in range(3):
        (event,) = t.send(c.ActFor(seat=2, by="supervisor", name="Flo"))
        assert isinstance(event, e.Checked | e.Folded)
        acts.append((type(event).__name__, event.seat, event.by, event.name))
        if len(acts) < 3:
            t.check(4).deal()
    played = [(kind, 2, "supervisor", "Flo") for kind in ("Checked", "Checked", "Folded")]
    assert acts == played
    t.deal().play(4, 1).finish().check_books()
    assert t.net(2) == "-50.00"


STANDS = [
    pytest.param("uth-ma", "MA-6.e-a", marks=pytest.mark.clause("MA-6.e-a")),
    pytest.param("uth-card", "CARD-27", marks=pytest.mark.clause("CARD-27")),
    pytest.param("uth-proc", "PROC-H.9", marks=pytest.mark.clause("PROC-H.9")),
]


@pytest.mark.parametrize(("book", "clause"), STANDS)
def test_a_player_with_a_wager_cannot_stand_up(book: str, clause: str) -> None:
    t = table(book).bet(1, ante=5).bet(2, ante=5)
    no = t.refuses(c.Stand(seat=1, by="seat 1"))
    assert (no.code, no.clause) == ("wagers-down", clause)
    assert "stand up" not in t.legal("seat 1")
    # The floor sees the player stand anyway: the wagers go back before the deal.
    t.send(c.Stand(seat=1, by="floor"))
    assert (t.wagers(1), t.state.seats[1].seated) == ({}, False)
    assert t.refuses(t.betting(1, ante=5)).clause == clause
    t.step()
    assert t.state.round.players == (2,)
    closed = t.refuses(c.Stand(seat=2, by="seat 2"))
    assert (closed.code, closed.clause) == ("wagers-down", clause)
    t.finish().send(c.Stand(seat=2, by="seat 2"))
    t.check_books()


@pytest.mark.clause("MA-1.play")
@pytest.mark.parametrize(("stage", "clause"), [(0, ""), (1, ""), (2, "MA-1.play")])
@pytest.mark.parametrize("mode", MODES)
def test_a_second_play_wager_is_refused_with_a_massachusetts_clause(
    mode: str, stage: int, clause: str
) -> None:
    t = ma(mode, 1).deal()
    for _ in range(stage):
        t.check(1).deal()
    t.play(1, (4, 2, 1)[stage])
    for again in (c.Play(seat=1, times=1), c.Fold(seat=1)):
        no = t.refuses(again)
        assert no.code == "locked-in"
        assert (no.clause or "").startswith("MA-")
        assert not clause or no.clause == clause
    t.finish().check_books()


# --- before the first card ---


@pytest.mark.clause("MA-7.a-b")
def test_the_stacked_deck_goes_into_the_shoe_before_the_deal() -> None:
    t = table("uth-ma", open=False).open().until("load the shoe")
    for step in ("open the round", "deal the first card to each player"):
        refusal = t.out_of_order(step)
        assert (refusal.code, refusal.clause) == ("out-of-order", "MA-7.a-b")
    t.step()
    loaded = t.last(e.DeckLoaded)
    assert (loaded.deck, loaded.into, t.state.playing.stands) == ("A", "shoe", "shoe")


@pytest.mark.clause("MA-8.b.1")
@pytest.mark.parametrize("house", [{}, {"shuffler": "device"}], ids=["by hand", "by device"])
def test_the_shuffled_cards_go_into_the_machine_before_it_deals(house: dict[str, Any]) -> None:
    t = table("uth-ma", mode="device", open=False, house=house).open().until("load the machine")
    for step in ("open the round", "dispense the community cards"):
        refusal = t.out_of_order(step)
        assert (refusal.code, refusal.clause) == ("out-of-order", "MA-8.b.1")
    t.step()
    assert (t.last(e.DeckLoaded).into, t.state.playing.stands) == ("machine", "machine")


@both("MA-7.b", "MA-8.b.2")
def test_no_more_bets_is_announced_before_any_card(mode: str, clause: str) -> None:
    t = ma(mode, 2)
    first = "deal the first card to each player" if mode == "manual" else "dispense the community cards"
    early = t.out_of_order(first, cards=nth_cards(1))
    assert (early.code, early.clause) == ("out-of-order", clause)
    t.perform("announce no more bets")
    assert t.last(e.BettingClosed).clause == clause
    assert "“No more bets.”" in t.says()
    assert t.next == first


# --- the deal by hand ---


@pytest.mark.clause("MA-7.c")
def test_one_hand_draws_the_card_and_the_other_places_it() -> None:
    t = ma("manual", 2).deal()
    (sentence,) = [line.says for line in t.script if line.clause == "MA-7.c"]
    assert "nearest the shoe" in sentence
    assert "with the other" in sentence


@pytest.mark.clause("MA-7.d")
def test_cards_are_dealt_clockwise_from_the_dealers_left() -> None:
    t = ma("manual", 6, 2, 4).deal()
    assert [x.to for x in t.seen(e.CardsDealt)] == ["seat 2", "seat 4", "seat 6", "dealer"] * 2


@pytest.mark.clause("MA-7.d.1")
def test_each_player_with_wagers_gets_one_card_face_down() -> None:
    t = ma("manual", 2, 4).sit(3).until("deal the first card to the dealer")
    assert (t.hole(2), t.hole(3), t.hole(4)) == (nth_cards(1), "", nth_cards(2))
    dealt = t.seen(e.CardsDealt)
    assert [(x.to, x.count, x.face, x.clause) for x in dealt] == [
        ("seat 2", 1, (), "MA-7.d.1"),
        ("seat 4", 1, (), "MA-7.d.1"),
    ]
    # Players have not looked yet, not even at their own cards.
    assert unseen(t, *cards(DECK_ORDER), by=(2, 3, 4))


@pytest.mark.clause("MA-7.d.2")
def test_the_dealers_first_card_is_hidden_in_every_view() -> None:
    t = ma("manual", 2, 4).until("deal the second card to each player")
    assert (t.dealer, t.last(e.CardsDealt).clause) == (nth_cards(3), "MA-7.d.2")
    assert (t.view("rail").table.dealer, t.view("rail").table.dealer_cards) == ((), 1)
    assert unseen(t, *cards(DECK_ORDER), by=(2, 4))
    assert any("under a cover card" in line.says for line in t.script if line.clause == "MA-7.d.2")


@pytest.mark.clause("MA-7.d.3")
def test_each_player_with_wagers_gets_a_second_card_face_down() -> None:
    t = ma("manual", 2, 4).until("deal the second card to the dealer")
    assert (t.hole(2), t.hole(4)) == (nth_cards(1, 4), nth_cards(2, 5))
    assert [(x.to, x.face, x.clause) for x in t.seen(e.CardsDealt)][-2:] == [
        ("seat 2", (), "MA-7.d.3"),
        ("seat 4", (), "MA-7.d.3"),
    ]
    assert unseen(t, *cards(DECK_ORDER), by=(2, 4))


@pytest.mark.clause("MA-7.d.4")
def test_the_dealers_second_card_is_hidden_until_the_hands_are_compared() -> None:
    t = ma("manual", 2, 4).until("let the players look")
    assert (t.dealer, t.last(e.CardsDealt).clause) == (nth_cards(3, 6), "MA-7.d.4")
    while t.next != "turn up the dealer's cards":
        assert unseen(t, *cards(nth_cards(3, 6)), by=(2, 4))
        if t.act is None:
            t.pass_turn()
        else:
            t.step()
    t.step()
    assert t.view("rail").table.dealer == tuple(nth_cards(3, 6).split())


@pytest.mark.clause("MA-7.e")
def test_the_stub_goes_to_the_rack_unexposed_once_all_cards_are_dealt() -> None:
    t = ma("manual", 2, 4).until("deal the turn and river")
    early = t.out_of_order("remove the stub")
    assert (early.code, early.clause) == ("out-of-order", "MA-7.f.4-b")
    t.step()
    late = t.out_of_order("turn up the dealer's cards")
    assert (late.code, late.clause) == ("out-of-order", "MA-7.e")
    t.step()
    # 52 cards minus three hands of two, five community cards and two burned cards.
    removed = t.last(e.StubRemoved)
    assert (removed.count, removed.racked, removed.clause) == (39, True, "MA-7.e")
    assert [(r.what, r.count, r.cards) for r in t.state.rack][2:] == [("stub", 39, ())]
    assert unseen(t, *t.shoe.cards, by=(2, 4))


@pytest.mark.clause("MA-1.stub")
def test_the_stub_is_the_cards_left_after_the_deal() -> None:
    t = ma("manual", 1, 2, 3, 4, 5).until("remove the stub")
    t.step()
    assert t.last(e.StubRemoved).count == 52 - 12 - 5 - 2
    device = ma("device", 1, 2, 3, 4, 5).until("remove the stub")
    device.step()
    assert device.last(e.StubRemoved).count == 52 - 12 - 5


# --- the deal by machine ---


@pytest.mark.clause("MA-8.c-a")
def test_the_first_stack_is_the_board_unseen() -> None:
    t = ma("device", 2, 5).until("dispense two cards to each player")
    dealt = t.last(e.CardsDealt)
    assert (dealt.to, dealt.face, dealt.clause) == ("board", (), "MA-8.c-a")
    assert codes(t.state.round.board) == nth_cards(1, 2, 3, 4, 5)
    layout = t.view("rail").table
    assert (layout.board, layout.board_down) == ((), 5)
    assert unseen(t, *cards(DECK_ORDER), by=(2, 5))
    t.deal()
    assert unseen(t, *cards(nth_cards(1, 2, 3, 4, 5)), by=(2, 5))


@pytest.mark.clause("MA-8.c-b")
def test_the_next_stacks_go_to_the_players_from_the_left() -> None:
    t = ma("device", 5, 2).sit(3).until("dispense the dealer's hand")
    assert [(x.to, x.count, x.face) for x in t.seen(e.CardsDealt)][1:] == [
        ("seat 2", 2, ()),
        ("seat 5", 2, ()),
    ]
    assert (t.hole(2), t.hole(3), t.hole(5)) == (nth_cards(6, 7), "", nth_cards(8, 9))
    assert t.last(e.CardsDealt).clause == "MA-8.c-b"
    assert unseen(t, *cards(DECK_ORDER), by=(2, 3, 5))


@pytest.mark.clause("MA-8.c-c")
def test_the_dealers_hand_stays_in_the_nest_until_all_have_acted() -> None:
    t = ma("device", 2, 5).until("let the players look")
    assert (t.dealer, t.last(e.CardsDealt).clause) == (nth_cards(10, 11), "MA-8.c-c")
    t.deal().check(2, 5).deal().check(2, 5).deal().play(2, 1)
    early = t.out_of_order("turn up the dealer's cards")
    assert (early.code, early.clause) == ("players-first", "MA-8.c-c")
    assert unseen(t, *cards(nth_cards(10, 11)), by=(2, 5))
    t.play(5, 1)
    assert t.next == "turn up the dealer's cards"


# --- looking, and the three betting points ---


@both("MA-7.f", "MA-9.a-a")
def test_players_see_only_their_own_cards(mode: str, clause: str) -> None:
    t = ma(mode, 1, 2).until("let the players look")
    own = {n: set(t.hole(n).split()) for n in (1, 2)}
    for who in (*OUTSIDERS, "seat 1", "seat 2"):
        assert faces(t, who) == set()
    t.step()
    assert t.last(e.PlayersLooked).clause == clause
    assert (faces(t, "seat 1"), faces(t, "seat 2")) == (own[1], own[2])
    for who in (*OUTSIDERS, "seat 3"):
        assert faces(t, who) == set()
    # Until the showdown a view has the face-up board and the player's own cards, nothing else.
    while t.next not in ("take the cover card off", "turn up the dealer's cards"):
        up = set(t.board.split())
        for n in (1, 2):
            racked = t.state.seats[n].hands[0].racked
            assert faces(t, f"seat {n}") == (up if racked else up | own[n])
        for who in (*OUTSIDERS, "seat 3"):
            assert faces(t, who) == up
        if t.act is None:
            t.pass_turn()
        else:
            t.step()


@both("MA-7.f.1-a", "MA-9.a-b")
def test_before_the_flop_players_act_from_the_left(mode: str, clause: str) -> None:
    t = ma(mode, 2, 4, 6).deal()
    early = t.refuses(c.Play(seat=4, times=4))
    assert (early.code, early.clause) == ("out-of-turn", clause)
    for seat in (2, 4, 6):
        assert t.view("rail").table.turn == seat
        t.check(seat)
    assert t.view("rail").table.turn == 0


@both("MA-7.f.1.i", "MA-9.a.1")
def test_a_play_wager_before_the_flop_goes_in_the_play_area(mode: str, clause: str) -> None:
    t = ma(mode, 2).deal().play(2, 3)
    assert (t.wagers(2)["play"], t.last(e.PlayMade).clause) == ("75.00", clause)
    assert t.chips_of(2) == "9875.00"


@both("MA-7.f.1.ii", "MA-9.a.2")
def test_a_player_who_checks_acts_again_after_the_flop(mode: str, clause: str) -> None:
    t = ma(mode, 2, 4).deal().check(2)
    assert (t.last(e.Checked).clause, t.wagers(2)) == (clause, {"ante": "25.00", "blind": "25.00"})
    t.check(4).deal()
    assert (len(t.board.split()), t.view("rail").table.turn) == (3, 2)


@pytest.mark.clause("MA-1.check")
@pytest.mark.parametrize("mode", MODES)
def test_a_check_gives_up_only_the_play_wager_of_that_betting_point(mode: str) -> None:
    t = ma(mode, 1).deal().check(1)
    assert t.refuses(c.Play(seat=1, times=4)).code == "not-now"
    t.deal()
    assert t.view("rail").table.turn == 1
    t.play(1, 2)
    assert t.wagers(1)["play"] == "50.00"


@pytest.mark.clause("MA-7.f.2-a")
def test_when_all_have_acted_a_card_is_burned_before_the_flop() -> None:
    t = ma("manual", 2, 4).deal().check(2)
    early = t.out_of_order("burn before the flop", cards=nth_cards(7))
    assert (early.code, early.clause) == ("players-first", "MA-7.f.2-a")
    t.play(4, 4)
    t.step()
    burned = t.last(e.CardsBurned)
    assert (codes(burned.sealed), burned.clause) == (nth_cards(7), "MA-7.f.2-a")
    assert unseen(t, *cards(nth_cards(7)), by=(2, 4))


@pytest.mark.clause("MA-1.burn")
def test_a_burned_card_goes_to_the_rack_unseen() -> None:
    t = ma("manual", 2, 4).deal().check(2, 4)
    for racked, card in ((1, nth_cards(7)), (2, nth_cards(11))):
        t.step()
        burned = t.last(e.CardsBurned)
        assert (burned.count, codes(burned.sealed)) == (1, card)
        assert t.view("rail").table.rack == racked
        assert (t.state.rack[-1].what, t.state.rack[-1].count) == ("burn", 1)
        t.deal()
        if racked == 1:
            t.check(2, 4)
    while t.state.round.betting:
        # Hidden in every view until the end of the round; the record has it only sealed.
        assert unseen(t, *cards(nth_cards(7, 11)), by=(2, 4))
        if t.act is None:
            t.pass_turn()
        else:
            t.step()
    for event in t.events:
        shown = getattr(event, "face", ())
        assert not set(shown) & set(cards(nth_cards(7, 11)))


@pytest.mark.clause("MA-7.f.2-b")
def test_the_three_cards_after_the_burn_are_the_flop() -> None:
    t = ma("manual", 2, 4).deal().check(2, 4).deal()
    flop = t.last(e.CardsDealt)
    assert (flop.to, codes(flop.face), flop.clause) == ("board", nth_cards(8, 9, 10), "MA-7.f.2-b")
    assert t.view("seat 2").table.board == tuple(nth_cards(8, 9, 10).split())


@pytest.mark.clause("MA-1.flop")
@pytest.mark.parametrize("mode", MODES)
def test_the_flop_is_the_first_three_community_cards(mode: str) -> None:
    t = ma(mode, 2, 4).deal().check(2, 4).deal()
    flop = t.board
    assert len(flop.split()) == 3
    t.check(2, 4).deal()
    assert t.board.startswith(flop)
    assert len(t.board.split()) == 5
    assert flop == (nth_cards(8, 9, 10) if mode == "manual" else nth_cards(1, 2, 3))


@pytest.mark.clause("MA-9.b")
def test_when_all_have_acted_the_machines_first_three_cards_are_exposed() -> None:
    t = ma("device", 2, 5).deal().play(2, 4)
    early = t.out_of_order("expose the flop")
    assert (early.code, early.clause) == ("players-first", "MA-9.b")
    t.check(5)
    t.step()
    turned = t.last(e.BoardTurned)
    assert (codes(turned.face), turned.clause) == (nth_cards(1, 2, 3), "MA-9.b")
    assert t.seen(e.CardsBurned) == []
    assert unseen(t, *cards(nth_cards(4, 5)), by=(2, 5))


@both("MA-7.f.3-a", "MA-9.c-a")
def test_after_the_flop_only_players_without_a_play_wager_act(mode: str, clause: str) -> None:
    t = ma(mode, 2, 4, 6).deal().play(2, 4).check(4, 6).deal()
    again = t.refuses(c.Play(seat=2, times=2))
    assert (again.code, again.clause) == ("locked-in", clause)
    early = t.refuses(c.Check(seat=6))
    assert (early.code, early.clause) == ("out-of-turn", clause)
    for seat in (4, 6):
        assert t.view("rail").table.turn == seat
        t.check(seat)
    assert t.view("rail").table.turn == 0


@both("MA-7.f.3.i", "MA-9.c.1")
def test_a_play_wager_after_the_flop_goes_in_the_play_area(mode: str, clause: str) -> None:
    t = ma(mode, 2).deal().check(2).deal().play(2, 2)
    assert (t.wagers(2)["play"], t.last(e.PlayMade).clause) == ("50.00", clause)


@both("MA-7.f.3.ii", "MA-9.c.2")
def test_a_player_who_checks_twice_acts_at_the_last_point(mode: str, clause: str) -> None:
    t = ma(mode, 2, 4).deal().play(2, 4).check(4).deal().check(4)
    assert t.last(e.Checked).clause == clause
    t.deal()
    assert (len(t.board.split()), t.view("rail").table.turn) == (5, 4)
    assert t.legal("seat 4")[:2] == ["play 1x", "fold"]


@pytest.mark.clause("MA-7.f.4-a")
def test_when_all_have_acted_a_card_is_burned_before_the_last_two() -> None:
    t = ma("manual", 2, 4).deal().check(2, 4).deal().check(2)
    early = t.out_of_order("burn before the turn and river", cards=nth_cards(11))
    assert (early.code, early.clause) == ("players-first", "MA-7.f.4-a")
    t.check(4)
    t.step()
    burned = t.last(e.CardsBurned)
    assert (codes(burned.sealed), burned.clause) == (nth_cards(11), "MA-7.f.4-a")
    assert unseen(t, *cards(nth_cards(11)), by=(2, 4))


@pytest.mark.clause("MA-7.f.4-b")
def test_the_two_cards_after_the_second_burn_are_the_last_community_cards() -> None:
    t = ma("manual", 2, 4).deal().check(2, 4).deal().check(2, 4).deal()
    last = t.last(e.CardsDealt)
    assert (last.to, codes(last.face), last.clause) == ("board", nth_cards(12, 13), "MA-7.f.4-b")
    assert t.board == nth_cards(8, 9, 10, 12, 13)


@pytest.mark.clause("MA-9.d")
def test_when_all_have_acted_the_machines_last_two_cards_are_exposed() -> None:
    t = ma("device", 2, 5).deal().check(2, 5).deal().check(2)
    early = t.out_of_order("expose the turn and river")
    assert (early.code, early.clause) == ("players-first", "MA-9.d")
    t.play(5, 2)
    t.step()
    turned = t.last(e.BoardTurned)
    assert (codes(turned.face), turned.clause) == (nth_cards(4, 5), "MA-9.d")
    assert t.seen(e.CardsBurned) == []
    assert t.board == nth_cards(1, 2, 3, 4, 5)


@both("MA-7.f.5.i", "MA-9.e.1")
def test_a_play_wager_at_the_last_point_goes_in_the_play_area(mode: str, clause: str) -> None:
    t = ma(mode, 2).deal().check(2).deal().check(2).deal().play(2, 1)
    assert (t.wagers(2)["play"], t.last(e.PlayMade).clause) == ("25.00", clause)
    t.finish().check_books()
