"""Reports, floor calls, changes of chips and the dealer's own hand: what a trainee could get away with."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from houseway.cards import DECK
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.play.chair_commands import act_lines, read_acts
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.act_list import act_options, act_text
from houseway.training.chair_view import chair_events, chair_felt
from houseway.training.conduct import COLOUR_UP
from houseway.training.happenings import possible_happenings
from houseway.training.judge import Judgement, judge
from houseway.training.model_dealer import right_act
from houseway.training.perform import behave, happen
from houseway.training.scenarios.deck import QUIET
from houseway.training.scene_words import happening_words
from training.people import Trainee, deck
from training.sessions import Session
from training.test_happenings import plain_terms


def asking(rulebook: str = "uth-ma", mode: str = "manual") -> Session:
    """Return a table at which the first player is to be asked."""
    at = Session(rulebook, mode, 5, given=plain_terms(rulebook, mode), seats=3)
    return at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Ask))


def finish(at: Session) -> Judgement:
    """Play to the end of the round by the document, and judge it."""
    at.play_round()
    return judge(at.table, at.chair)


@pytest.mark.parametrize(("kind", "at", "which", "words"), [
    ("exposed card", "seat 3", 2, "Seat 3: card 2 flips over."),
    ("exposed card", "dealer", 1, "The dealer's card 1 flips over."),
    ("exposed card", "dealer", 0, "One of the dealer's cards flips over."),
    ("exposed card", "board", 2, "Face-down card 2 of the board flips over."),
    ("exposed card", "board", 0, "A face-down card of the board flips over."),
    ("exposed card", "deck", 0, "The top card of the deck flips over."),
    ("exposed card", "", 0, "A card on the table flips over."),
    ("face-up card", "dealer", 1, "The dealer's card 1 comes out of the deck face up."),
    ("face-up card", "dealer", 0, "The dealer's card comes out of the deck face up."),
    ("face-up card", "board", 3, "Card 3 of the board comes out of the deck face up."),
    ("face-up card", "seat 1", 0, "Seat 1: a card comes out of the deck face up."),
])  # fmt: skip
def test_a_card_that_shows_is_told_in_a_whole_sentence(kind: str, at: str, which: int, words: str) -> None:
    """A person who hears the terminal must know which card it is."""
    assert happening_words(ch.Happening(kind=kind, at=at, which=which)) == words


@pytest.mark.parametrize(("book", "mode", "place"), [
    ("uth-ma", "manual", "seat 2"), ("uth-ma", "device", "seat 2"), ("uth-sd", "manual", "dealer"),
])  # fmt: skip
def test_a_short_hand_is_not_announced_before_it_is_dealt(book: str, mode: str, place: str) -> None:
    """The dealer sees that no card comes out. The number of cards is seen once the hand is dealt."""
    at = Session(book, mode, 5, given=plain_terms(book, mode), seats=2)
    at.play_to(lambda s: getattr(right_act(s.table, s.chair), "place", "") == place)
    assert at.happen(ch.Happening(kind="wrong number", at=place, command=c.DealShort()))
    (event,) = chair_events(at.table, at.chair.entries[-1:], at.state)
    where = "the dealer" if place == "dealer" else place
    assert f"No card comes out for {where}" in event.words
    assert "fewer" not in event.words
    assert chair_felt(at.table, at.chair, 0).incidents == ()


def test_a_short_board_and_a_short_hand_are_not_told_alike() -> None:
    """The machine deals the other community cards, and the dealer deals a hand its card again."""
    board, hand = (
        happening_words(ch.Happening(kind="wrong number", at=at, command=c.DealShort()))
        for at in ("board", "dealer")
    )
    assert board == "One community card does not come out. The deal goes on, and the board gets one fewer."
    assert hand == "No card comes out for the dealer."


def test_the_dealer_sees_the_odds_on_the_display() -> None:
    """MA-12.e: the felt of the page, its log and the terminal show the odds until the round is over."""
    at = Session("uth-ma", "device", 5, given=plain_terms("uth-ma", "device"), seats=2)
    at.bets = {number: {"ante": 1000, "blind": 1000, "cover_all": 500} for number in (1, 2)}
    at.play_to(lambda s: right_act(s.table, s.chair) == a.TakeStep(what="show payouts"))
    assert chair_felt(at.table, at.chair, 0).payouts == {}
    entry = at.act(a.TakeStep(what="show payouts"))
    (shown,) = (x.event for x in entry.changes if isinstance(x.event, e.PayoutsShown))
    assert chair_felt(at.table, at.chair, 0).payouts == shown.odds != {}
    _, told = chair_events(at.table, [entry], at.state)
    assert told.who == "table"
    assert all(f"{hand} {pays}" in told.words for hand, pays in shown.odds.items())
    at.play_round()
    assert chair_felt(at.table, at.chair, 0).payouts == {}


# --- the details of a report ---


@pytest.mark.parametrize("rulebook", ["uth-ma", "uth-sd", "uth-card"])
def test_a_report_of_another_card_is_wrong(rulebook: str) -> None:
    at = asking(rulebook)
    assert at.happen(ch.Happening(kind="exposed card", at="seat 1", which=2))
    right = right_act(at.table, at.chair)
    assert isinstance(right, a.ReportIrregularity)
    entry = at.act(replace(right, which=1))
    assert [(slip.kind, slip.irregularity, slip.at) for slip in entry.slips] == [
        (ch.WRONG_REPORT, "exposed card", "seat 1")
    ]
    assert entry.changes == ()
    assert at.chair.open
    # A report that does not name the card is about the card that is exposed.
    entry = at.act(replace(right, which=0))
    assert ch.WRONG_REPORT not in [slip.kind for slip in entry.slips]
    assert not at.chair.open


def test_a_report_of_another_count_is_wrong() -> None:
    at = Session("uth-ma", "device", 5, given=plain_terms("uth-ma", "device"), seats=3)
    happening = ch.Happening(kind="device count", count=51)
    at.play_to(lambda s: happening in possible_happenings(s.table, s.chair))
    chair = happen(at.table, at.chair, happening, at.time)
    assert chair is not None
    at.chair = chair
    right = right_act(at.table, at.chair)
    assert isinstance(right, a.ReportIrregularity)
    assert right.count == 51
    assert [slip.kind for slip in at.act(replace(right, count=58)).slips] == [ch.WRONG_REPORT]
    assert ch.WRONG_REPORT not in [slip.kind for slip in at.act(right).slips]


def test_any_card_of_a_hand_that_the_trainee_turned_up_may_be_reported() -> None:
    at = asking()
    at.act(a.TurnUp(place="seat 2"))
    right = right_act(at.table, at.chair)
    assert isinstance(right, a.ReportIrregularity)
    assert at.act(replace(right, which=2)).slips == ()


def test_the_dealer_sees_which_card_is_exposed() -> None:
    words = happening_words(ch.Happening(kind="exposed card", at="seat 2", which=1))
    assert words == "Seat 2: card 1 flips over."


# --- floor calls ---


def test_a_second_floor_call_for_the_same_thing_is_needless() -> None:
    at = asking()
    assert at.happen(ch.Happening(kind="exposed card", at="seat 1", which=1))
    report = right_act(at.table, at.chair)
    assert report is not None
    at.act(report)
    assert at.act(a.CallFloor()).slips == ()
    for _ in range(3):
        assert [slip.kind for slip in at.act(a.CallFloor()).slips] == [ch.NEEDLESS_CALL]


def test_the_floor_may_be_called_again_for_another_thing() -> None:
    at = asking()
    for place in ("seat 1", "seat 2"):
        assert at.happen(ch.Happening(kind="exposed card", at=place, which=1))
        assert at.act(a.CallFloor()).slips == ()
        report = right_act(at.table, at.chair)
        assert report is not None
        at.act(report)
        assert at.act(a.CallFloor()).slips == ()


def test_the_floorperson_verifies_the_deck() -> None:
    """MA-3.b: the dealer inspects the deck, and the floorperson verifies it."""
    at = Session("uth-ma", "manual", 5, given=plain_terms("uth-ma", "manual"), seats=2)
    verify = a.TakeStep(what="verify")
    at.play_to(lambda s: right_act(s.table, s.chair) == verify)
    assert at.act(a.CallFloor()).slips == ()
    words = "have the floorperson verify the deck"
    assert act_text(at.table, verify) == "had the floorperson verify the deck"
    assert "Have the floorperson verify the deck" in [one.name for one in act_options(at.table)]
    assert read_acts(at.table, words) == read_acts(at.table, "verify the deck") == (verify,)
    assert any(words in line for line in act_lines(at.table))
    assert at.act(verify).slips == ()


# --- changing chips ---


def wants_larger_chips(chips: dict[int, int]) -> Session:
    """Return a table at which a player wants larger chips."""
    at = asking()
    chair = behave(at.table, at.chair, ch.Conduct(kind=COLOUR_UP, seat=1, chips=chips), at.time)
    assert chair is not None
    at.chair = chair
    return at


@pytest.mark.parametrize("given", [{100: 10}, {50: 20}])
def test_a_player_who_gets_no_larger_chips_was_handled_wrongly(given: dict[int, int]) -> None:
    at = wants_larger_chips({100: 10})
    entry = at.act(a.ColourUp(seat=1, taken={100: 10}, given=given))
    assert [(slip.kind, slip.due) for slip in entry.slips] == [
        (ch.WRONG_HANDLING, a.ColourUp(seat=1, taken={100: 10}, given={500: 2}))
    ]


def test_a_player_who_gets_larger_chips_was_handled_rightly() -> None:
    at = wants_larger_chips({100: 30})
    assert at.act(a.ColourUp(seat=1, taken={100: 30}, given={500: 6})).slips == ()


def test_the_same_chips_back_that_no_player_asked_for_are_no_change() -> None:
    at = asking()
    kinds = [slip.kind for slip in at.act(a.ColourUp(seat=1, taken={500: 2}, given={500: 2})).slips]
    assert kinds == [ch.NOT_DUE]
    assert at.act(a.ColourUp(seat=1, taken={500: 2}, given={100: 10})).slips == ()


# --- the dealer's hand ---


def test_cards_that_the_dealer_does_not_hold_leave_the_hand_unset() -> None:
    at = Session("shootout-sd", "manual", 5, given=plain_terms("shootout-sd", "manual"), seats=2)
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.SetHand))
    right = right_act(at.table, at.chair)
    others: Any = [card for card in DECK if card not in at.state.round.dealer]
    entry = at.act(a.SetHand(cards=(others[0], others[1])))
    assert [slip.kind for slip in entry.slips] == [ch.WRONG_HAND_SET]
    assert entry.changes == ()
    assert at.state.round.kept == ()
    assert chair_felt(at.table, at.chair, 0).kept == ()
    assert right_act(at.table, at.chair) == right
    assert [one.kind for one in finish(at).slips] == [ch.WRONG_HAND_SET]


@pytest.mark.parametrize(("rulebook", "mode"), [("uth-ma", "manual"), ("uth-card", "device")])
def test_a_floor_call_right_after_a_short_stub_counts_for_the_other_deck(rulebook: str, mode: str) -> None:
    """The deck is off. The floor that was called at once brings the other deck after the round."""
    counted: list[a.ChairAct] = []

    def call_at_once(at: Trainee, act: a.ChairAct | None) -> list[a.ChairAct] | None:
        if isinstance(act, a.CountStub) and at.session.chair.missing and not counted:
            counted.append(act)
            return [act, a.CallFloor()]
        return None

    trainee = Trainee(rulebook, mode, deck("wrong count"), rounds=6, seats=2).deal(call_at_once)
    assert counted
    assert trainee.session.score.kinds == {}
    inputs = [entry.input for entry in trainee.entries if isinstance(entry.input, a.ChairAct)]
    short = inputs.index(counted[0])
    assert inputs[short + 1 :].count(a.CallFloor()) == 1, "the floor was called once, right after the count"
    events = [change.event for entry in trainee.entries for change in entry.changes]
    assert sum(isinstance(event, e.DeckReplaced) for event in events) == 1


def test_a_floor_call_after_a_wrong_count_is_not_needless() -> None:
    """The trainee counts one card too few. For the trainee, a card is missing, and the floor must come."""
    done: list[int] = []

    def count_one_less(at: Trainee, act: a.ChairAct | None) -> list[a.ChairAct] | None:
        if isinstance(act, a.CountStub) and not done:
            done.append(act.count)
            return [a.CountStub(count=act.count - 1), a.CallFloor(), a.CallFloor()]
        return None

    trainee = Trainee("uth-ma", "manual", QUIET, rounds=6, seats=2).deal(count_one_less)
    assert done
    # The second call has no reason.
    assert trainee.session.score.kinds == {ch.MISCOUNT: 1, ch.NEEDLESS_CALL: 1}
