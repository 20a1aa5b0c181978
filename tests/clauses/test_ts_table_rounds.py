"""South Dakota, Texas Shootout at the table: whole rounds, and rules taken from other documents:
absent players, misdeals, exposed cards, the bet limit, and the cards of one shoe."""

import tomllib
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins

from houseway import second_settler
from houseway.cards import cards, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.money import dollars
from houseway.rules.loader import load
from houseway.testing import refused, settled
from houseway.testing.random_rounds import random_round
from table_driver import Driver, table

BOOK = "shootout-sd"
DEAL = "deal four cards to each"
FLOP = "Qd 9s 7h 4c 2d"
KINGS, SEVENS, LOW, PAIRS = "Kd Kc 7s 2h", "7c 7d Jh 3s", "9h 8s 5d 3c", "9s 9d 4h 4c"


def shoe(*hands: str, flop: str = FLOP, burn: str = "Th") -> str:
    """The shoe that deals four cards each to the players and, last, the dealer, and then the flop."""
    rows = [hand.split() for hand in hands]
    return " ".join([burn, *(row[n] for n in range(4) for row in rows), flop])


def at_table(*hands: str, flop: str = FLOP, wager: int = 10, bonus: int = 0, **given: Any) -> Driver:
    """A table where all players have bet, been dealt these cards and looked at them; the dealer's cards are
    last."""
    t = table(BOOK, deck=shoe(*hands, flop=flop), tables={"bonus": "A"}, **given)
    for seat in range(1, len(hands)):
        t.bet(seat, wager=wager, **({"bonus": bonus} if bonus else {}))
    return t.deal()


def posted(wager: str, bonus: str) -> dict[str, Any]:
    """Posted maxima of both wagers."""
    return {"wager": {"max": wager}, "bonus": {"max": bonus}}


def burned(round_: dict[str, Any]) -> str:
    """A card to burn: one with fewer than six copies in the round."""
    held = " ".join([round_["board"], round_["dealer"], *(seat["cards"] for seat in round_["seats"])])
    return next(f"{rank}c" for rank in "23456789TJQKA" if held.count(f"{rank}c") < 6)


def play_round(round_: dict[str, Any]) -> Driver:
    """Play a round at a table, given as data for `houseway settle`."""
    hands = [seat["cards"] for seat in round_["seats"]]
    deck = shoe(*hands, round_["dealer"], flop=round_["board"], burn=burned(round_))
    terms = {key: round_[key] for key in ("tables", "house") if key in round_}
    # A wrong dealer's hand counts only at a shadow table or a training table.
    purpose = "shadow" if "dealer_keeps" in round_ else "live"
    t = table(BOOK, deck=deck, purpose=purpose, **{"tables": {"bonus": "A"}, **terms})
    for seat in round_["seats"]:
        bonus = {"bonus": seat["bonus"][0]} if "bonus" in seat else {}
        t.bet(seat["seat"], wager=seat["wager"], tips=seat.get("tips", {}), **bonus)
    t.deal()
    for seat in round_["seats"]:
        if len(seat["hands"]) == 1:
            t.keep(seat["seat"], seat["hands"][0])
        else:
            second = seat.get("bonus", [])[1:] or [0]
            t.split(seat["seat"], seat["hands"][0], seat["hands"][1], bonus=second[0])
    t.until("set the dealer's hand")
    t.perform("set the dealer's hand", cards=round_.get("dealer_keeps", ""))
    return t.finish()


Row = tuple[int, int, str, str, str, str | None, str | None, tuple[int, int]]


def table_rows(t: Driver) -> list[Row]:
    """Every wager settled at the table, in order."""
    rows: list[Row] = []
    for s in t.state.round.settled:
        net = dollars(s.back - s.stake)
        whose = (s.from_seat, s.from_hand)
        rows.append((s.seat, s.hand, s.wager, s.result, net, s.odds, s.clause, whose))
    return rows


def settle_rows(settlement: Settlement) -> list[Row]:
    """The same wagers, settled by `houseway settle` from the same cards."""
    rows: list[Row] = []
    for x in settlement.lines:
        whose = (x.from_hand["seat"], x.from_hand["hand"]) if x.from_hand else (0, 0)
        rows.append((x.seat, x.hand, x.wager, x.result, x.net, x.odds, x.clause, whose))
    return rows


def check_agreement(round_: dict[str, Any]) -> Driver:
    """Check that a round settles the same at the table and by `houseway settle`; return the table."""
    settlement = Window().settle({"rulebook": BOOK, **round_})
    assert isinstance(settlement, Settlement), settlement
    t = play_round(round_)
    assert table_rows(t) == settle_rows(settlement)
    assert {n: t.net(n) for n in t.state.seats} == {s.seat: s.net for s in settlement.seats}
    t.check_books()
    return t


# --- whole rounds ---

WORKED = tomllib.loads(
    resources.files("houseway").joinpath("rulebooks", BOOK, "rounds.toml").read_text(encoding="utf-8")
)["round"]


@pytest.mark.parametrize("worked", WORKED, ids=[worked["name"] for worked in WORKED])
def test_a_worked_round_settles_the_same_when_it_is_dealt(worked: dict[str, Any]) -> None:
    check_agreement(worked["round"])


@pytest.mark.parametrize("seed", range(40))
def test_a_round_dealt_at_the_table_settles_as_houseway_settle_does(seed: int) -> None:
    round_ = random_round(Random(seed), load(BOOK))
    del round_["rulebook"]
    check_agreement({"tables": {"bonus": "B"}, **round_})


def tipped(seed: int) -> dict[str, Any]:
    """A random round at a house that takes tips, with tips on wagers that were made."""
    rng = Random(f"tips {seed}")
    round_ = random_round(rng, load(BOOK))
    for seat in round_["seats"]:
        made = ["wager", *(["bonus"] if seat.get("bonus", ["0"])[0] != "0" else [])]
        seat["tips"] = {name: rng.choice(("1", "3.50")) for name in made if rng.random() < 0.7}
    round_["house"] = {**round_.get("house", {}), "tips": True}
    return {"tables": {"bonus": "A"}, **round_}


@pytest.mark.parametrize("seed", range(40))
def test_tips_settle_the_same_at_the_table_in_houseway_settle_and_in_the_second_settler(seed: int) -> None:
    round_ = tipped(seed)
    settlement = Window().settle(round_)
    assert isinstance(settlement, Settlement), settlement
    data = to_builtins(settlement)
    again = second_settler.settle(round_)
    assert "refused" not in again, again
    for key in ("seats", "dealer_tips"):
        assert data[key] == again[key]
    shown = ("seat", "hand", "wager", "stake", "result", "net", "clause", "for")
    ours, theirs = ([[line.get(key) for key in shown] for line in s["lines"]] for s in (data, again))
    assert ours == theirs
    del round_["rulebook"]
    check_agreement(round_)


def test_a_tip_counts_toward_the_bet_limit_of_a_split() -> None:
    deck = shoe(PAIRS, LOW)
    limits = {"wager": {"max": "490"}, "bonus": {"max": "10"}}
    t = table(BOOK, deck=deck, tables={"bonus": "A"}, limits=limits, house={"tips": True})
    t.bet(1, wager=490, tips={"wager": 21}).deal()
    over = t.refuses(c.Split(seat=1, first=cards("9s 9d"), second=cards("4h 4c")))
    assert (over.code, over.clause) == ("bet-limit", "SD-1-c")
    t.keep(1, "9s 9d").finish().check_books()


@pytest.mark.parametrize(
    ("tips", "house", "code"),
    [
        ({"wager": "1"}, {}, "tip-not-offered"),
        ({"ghost": "1"}, {"tips": True}, "tip-not-offered"),
        ({"envy": "1"}, {"tips": True}, "tip-not-offered"),
        ({"bonus": "1"}, {"tips": True}, "tip-alone"),
    ],
)
def test_tips_need_a_house_that_takes_them_and_a_wager_that_was_made(
    tips: dict[str, str], house: dict[str, bool], code: str
) -> None:
    t = table(BOOK, tables={"bonus": "A"}, house=house)
    table_rows = t.refuses(t.betting(1, wager=10, tips=tips))
    (settle_rows,) = refused(
        BOOK, FLOP, LOW, cards=KINGS, hands=["Kd Kc"], wager="10", tips=tips, house=house
    )
    for no in (table_rows, settle_rows):
        assert (no.code, no.clause) == (code, "house.tips")


def test_both_hands_of_a_split_are_settled_each_with_its_bonus() -> None:
    # Nines full lose to kings full and four fours win; the bonuses pay 3 and 5 to 1.
    flop, dealer = "9h 4d 4s Kc 7s", "Kd Ks 8c 3d"
    t = at_table(PAIRS, dealer, flop=flop, bonus=5).split(1, "9s 9d", "4h 4c", bonus=2).finish()
    paid = settled(
        BOOK, flop, dealer, cards=PAIRS, hands=["9s 9d", "4h 4c"], wager="10", bonus=["5", "2"],
        tables={"bonus": "A"},
    )  # fmt: skip
    assert table_rows(t) == settle_rows(paid.settlement)
    results = [(s.wager, s.hand, s.result, s.back) for s in t.state.round.settled]
    assert results == [
        ("wager", 1, "lose", 0),
        ("bonus", 1, "win", 2_000),
        ("wager", 2, "win", 2_000),
        ("bonus", 2, "win", 1_200),
    ]
    assert t.net(1) == "25.00"
    t.check_books()


def test_one_hand_of_a_split_earns_envy_for_the_other() -> None:
    # The hearts make a straight flush; the clubs' own bonus of $5 earns $50 for it, seat 2's too.
    hearts = "7h 8h 7c 8c"
    t = at_table(hearts, LOW, "Ad As 6s 5c", flop="9h Th Jh Kc 2d", bonus=5)
    t.split(1, "7h 8h", "7c 8c", bonus=5).keep(2, "9h 8s").finish()
    envy = [s for s in t.state.round.settled if s.wager == "envy" and s.back]
    assert [(s.seat, s.hand, s.back, (s.from_seat, s.from_hand)) for s in envy] == [
        (2, 1, 5_000, (1, 1)),
        (1, 2, 5_000, (1, 1)),
    ]
    assert (t.settled("bonus", 1, 1).back, t.settled("bonus", 1, 2).back) == (50_500, 1_000)
    t.check_books()


@pytest.mark.parametrize("purpose", ["shadow", "training"])
def test_an_unchallenged_mistake_of_the_dealer_counts_at_a_shadow_or_training_table(purpose: str) -> None:
    t = at_table("As Jc 6d 5h", KINGS, flop="Qd 9s 8h 4c 3d", purpose=purpose).keep(1, "As Jc")
    t.until("set the dealer's hand")
    t.perform("set the dealer's hand", cards="7s 2h")
    wrong = t.last(e.DealerHandSet)
    assert (codes(wrong.kept), codes(wrong.house_way)) == ("7s 2h", "Kd Kc")
    t.finish()
    # Ace high beats queen high; the kings would have won.
    assert (t.settled("wager").result, t.net(1)) == ("win", "10.00")
    t.check_books()


@pytest.mark.parametrize("pair", ["Kd Kc", "Kc Kd"])
def test_a_hand_set_by_the_house_way_is_not_recorded_as_wrong(pair: str) -> None:
    t = at_table("As Jc 6d 5h", KINGS).keep(1, "As Jc").until("set the dealer's hand")
    t.perform("set the dealer's hand", cards=pair)
    assert t.last(e.DealerHandSet).house_way == ()


@pytest.mark.parametrize("pair", ["Kd", "Kd Kc 7s", "Kd Kd", "Kd Ah"])
def test_the_dealer_keeps_two_of_the_four(pair: str) -> None:
    t = at_table("As Jc 6d 5h", KINGS).keep(1, "As Jc").until("set the dealer's hand")
    no = t.refuses(t.performing("set the dealer's hand", cards=pair))
    assert (no.code, no.clause) == ("not-among-the-four", "TS-11-b")


# --- absent players ---


@pytest.mark.parametrize("by", ["supervisor", "deadline"])
def test_an_absent_players_hand_is_set_by_the_house_way_and_not_split(by: str) -> None:
    t = at_table(PAIRS, KINGS, LOW)
    no = t.refuses(c.ActFor(by="dealer", seat=1))
    assert no.code == "not-the-floor"
    t.send(c.ActFor(by=by, seat=1))
    event = t.last(e.HandSet)
    assert (codes(event.face), codes(event.sealed), event.by) == ("9s 9d", "4h 4c", by)
    assert (len(t.state.seats[1].hands), t.wagers(1)) == (1, {"wager": "10.00"})
    t.keep(2, "Kd Kc").finish().check_books()


@pytest.mark.clause("TS-8-a")
def test_players_set_their_hands_in_any_order() -> None:
    t = at_table(KINGS, SEVENS, PAIRS, LOW)
    assert t.view("rail").table.turns == (1, 2, 3)
    t.keep(3, "9s 9d").keep(1, "Kd Kc")
    assert t.view("rail").table.turn == 2
    early = t.out_of_order("collect the discards")
    assert (early.code, early.clause) == ("players-first", "TS-10-a")
    assert "keep 7c 7d" in t.legal("seat 2")
    t.keep(2, "7c 7d").finish().check_books()


def test_players_stay_to_the_end_of_the_round() -> None:
    t = at_table(KINGS, SEVENS, LOW)
    leaves = t.refuses(c.Leave(by="seat 1", seat=1))
    assert (leaves.code, leaves.clause) == ("round-not-complete", "MA-6.e-b")


# --- irregularities ---


@pytest.mark.parametrize("at", ["seat 1", "dealer"])
@pytest.mark.parametrize("wrong", ["too many", "too few"])
def test_a_wrong_number_of_cards_is_a_misdeal_and_returns_every_wager(at: str, wrong: str) -> None:
    t = table(BOOK, deck=shoe(PAIRS, KINGS, LOW), tables={"bonus": "A"})
    t.bet(1, wager=10, bonus=5).bet(2, wager=25)
    t.until(DEAL)
    if wrong == "too few":
        if at == "dealer":
            t.perform(DEAL, cards=t.shoe.take(2))
        t.send(c.DealShort())
    t.deal()
    if wrong == "too many":
        t.send(c.DealExtra(at=at, cards=t.shoe.take(1)))
    t.report("wrong number", at=at)
    assert t.last(e.RoundVoided).clause == "SD-5-a"
    assert [(r.seat, r.wagers) for r in t.seen(e.WagersReturned)] == [
        (1, {"wager": 1_000, "bonus": 500}),
        (2, {"wager": 2_500}),
    ]
    t.finish()
    assert [t.chips_of(seat) for seat in (1, 2)] == ["10000.00", "10000.00"]
    assert t.next == "open the round"
    t.check_books()


def test_a_misdeal_returns_both_wagers_of_a_split() -> None:
    t = at_table(PAIRS, KINGS, LOW, bonus=10)
    t.split(1, "9s 9d", "4h 4c", bonus=10)
    t.send(c.DealExtra(at="seat 2", cards=t.shoe.take(1)))
    t.report("wrong number", at="seat 2").finish()
    assert [(r.seat, r.hand) for r in t.seen(e.WagersReturned)] == [(1, 1), (1, 2), (2, 1)]
    assert [t.chips_of(seat) for seat in (1, 2)] == ["10000.00", "10000.00"]
    t.check_books()


def test_a_dealers_hand_of_five_cards_is_found_when_it_is_turned_up() -> None:
    t = at_table(SEVENS, KINGS)
    t.send(c.DealExtra(at="dealer", cards=t.shoe.take(1)))
    t.keep(1, "7c 7d").until("turn up the dealer's cards")
    no = t.refuses(c.Perform(step="turn up the dealer's cards"))
    assert (no.code, no.clause, no.where) == ("wrong-number", "SD-5-a", "dealer")
    t.report("wrong number", at="dealer").finish().check_books()
    assert t.chips_of(1) == "10000.00"


def test_an_exposed_card_is_turned_back_and_the_deal_continues() -> None:
    t = table(BOOK, deck=shoe(SEVENS, KINGS), tables={"bonus": "A"}).bet(1, wager=10)
    t.until(DEAL)
    t.perform(DEAL, cards=t.shoe.take(1))
    t.report("exposed card", at="seat 1", cards="7c")
    assert (t.last(e.CardExposed).turned_back, t.last(e.CardExposed).clause) == (True, "SD-5-c")
    assert t.deal().hole(1) == SEVENS
    assert t.view("rail").table.exposed == ()


def test_a_card_face_up_in_the_shoe_is_used_as_the_next() -> None:
    t = table(BOOK, deck=shoe(SEVENS, KINGS), tables={"bonus": "A"}).bet(1, wager=10)
    t.until(DEAL)
    t.report("face-up card", cards=codes(t.shoe.take(1)))
    assert t.last(e.FaceUpFound).clause == "SD-5-b"
    assert (t.deal().hole(1), t.dealer) == (SEVENS, KINGS)


def test_an_unused_card_drawn_in_error_is_discarded_with_the_round() -> None:
    t = at_table(SEVENS, KINGS).keep(1, "7c 7d")
    t.send(c.Report(kind="card drawn in error", cards=t.shoe.take(1)))
    assert t.last(e.CardDrawn).clause == "MA-14.c"
    t.until("deal the flop")
    t.send(c.DealShort())
    assert t.state.round.drawn == cards("Qd")
    t.report("wrong number", at="board").finish()
    assert ("drawn in error", cards("Qd")) in [(entry.what, entry.cards) for entry in t.state.rack]
    t.bet(1, wager=10).finish().check_books()


# --- limits ---


def test_the_bet_limit_counts_both_hands_of_a_split() -> None:
    t = at_table(PAIRS, KINGS, LOW, wager=480, bonus=20, limits=posted("480", "20"))
    no = t.refuses(c.Split(seat=1, first=cards("9s 9d"), second=cards("4h 4c"), bonus=2_100))
    assert (no.code, no.clause) == ("second-bonus", "TS-9-f")
    t.split(1, "9s 9d", "4h 4c", bonus=20).keep(2, "Kd Kc").finish().check_books()


@pytest.mark.parametrize("again", [False, True], ids=["at once", "as a change"])
def test_a_split_above_the_bet_limit_is_refused(again: bool, tmp_path: Path) -> None:
    # Posted maxima prevent this, so the file drops the rule that requires them.
    file = tmp_path / "no-maxima.toml"
    head = '[rulebook]\nid = "no-maxima"\ntitle = "No maxima"\nextends = "shootout-sd"\n'
    file.write_text(f'{head}drop = ["bet_limit.maxima"]\n', encoding="utf-8")
    t = table(str(file), deck=shoe(PAIRS, KINGS, LOW), tables={"bonus": "A"})
    t = t.bet(1, wager=480, bonus=30).bet(2, wager=480, bonus=30).deal()
    if again:
        t.split(1, "9s 9d", "4h 4c", bonus=10)
    over = t.refuses(c.Split(seat=1, first=cards("9s 9d"), second=cards("4h 4c"), bonus=1_100))
    assert (over.code, over.clause) == ("bet-limit", "SD-1-c")
    assert "$1,001" in over.message
    t.split(1, "9s 9d", "4h 4c", bonus=10)


def test_a_second_bonus_keeps_to_the_posted_minimum() -> None:
    t = at_table(PAIRS, LOW, bonus=10, limits={"wager": {"max": "50"}, "bonus": {"min": "5", "max": "50"}})
    low = t.refuses(c.Split(seat=1, first=cards("9s 9d"), second=cards("4h 4c"), bonus=400))
    assert (low.code, low.clause) == ("below-minimum", "house.posted_limits")
    t.split(1, "9s 9d", "4h 4c", bonus=5)


def test_a_split_needs_the_chips_for_it() -> None:
    t = table(BOOK, deck=shoe(PAIRS, LOW), tables={"bonus": "A"}).sit(1, chips=25)
    t.bet(1, wager=10, bonus=10).deal()
    no = t.refuses(c.Split(seat=1, first=cards("9s 9d"), second=cards("4h 4c")))
    assert no.code == "not-enough-chips"
    assert not [option for option in t.legal("seat 1") if option.startswith("split")]


# --- one shoe ---


@pytest.mark.parametrize(("seats", "behind", "rounds"), [(7, 40, 8), (7, 64, 7), (3, 52, 13)])
def test_a_shoe_lasts_until_its_cut_card_and_is_then_reshuffled(
    seats: int, behind: int, rounds: int
) -> None:
    # A round takes four cards for each player, nine for the dealer and the flop; one was burned.
    t = table(BOOK, tables={"bonus": "A"}, house={"cut_card": behind})
    for number in range(1, rounds + 1):
        assert (t.seen(e.CutCardReached), len(t.seen(e.DeckShuffled))) == ([], 1)
        for seat in range(1, seats + 1):
            t.bet(seat, wager=10)
        t.finish()
        assert t.state.playing.used == 1 + number * (4 * seats + 9)
    assert (len(t.seen(e.CutCardReached)), t.next) == (1, "shuffle")
    # Every card dealt is in the receptacle; the shuffle takes them all back.
    assert sum(entry.count for entry in t.state.rack) == t.state.playing.used
    t.bet(1, wager=10)
    assert [entry.what for entry in t.state.rack] == ["burn"]
    assert len(t.shoe.cards) == 311
    t.finish().check_books()


def test_cards_of_earlier_rounds_of_a_shoe_are_counted() -> None:
    # One burned, four played, one among the dealer's discards: all six kings of diamonds are out.
    t = table(BOOK, deck=shoe("Kd Kd Kd Kd", "Ah Ac Kd 2h", burn="Kd"), tables={"bonus": "A"})
    t.bet(1, wager=10).deal().split(1, "Kd Kd", "Kd Kd").finish()
    t.bet(1, wager=10).until(DEAL)
    no = t.refuses(c.Perform(step=DEAL, cards=cards("Kd")))
    assert (no.code, no.where) == ("too-many-copies", DEAL)
    assert "there are only 6 in the shoe" in no.message
    t.perform(DEAL, cards="Kc")
    assert t.state.seats[1].hands[0].cards == cards("Kc")


def test_six_copies_of_a_card_may_be_on_the_table_at_once() -> None:
    flop = "Kd Kd Kd 3c 9s"
    t = at_table("Kd Kd 7c 2s", "Ah Qc 9d Kd", flop=flop, bonus=1).keep(1, "Kd Kd").finish()
    assert (t.settled("bonus").odds, t.settled("bonus").back) == ("5000 to 1", 500_100)
    t.check_books()
