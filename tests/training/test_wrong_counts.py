"""A wrong count of the stub: the dealer announces it or reports it, rules on it, and sees what follows."""

from __future__ import annotations

from io import StringIO

import pytest
from msgspec.structs import replace

from houseway.client.training_messages import IrregularityReport
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.play.chair_screen import ChairScreen
from houseway.play.ruling_prompt import RulingPrompt
from houseway.rules.loader import load
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chair_view import chair_felt
from houseway.training.happenings import short_deck, stuck_card, wrong_count
from houseway.training.judge import judge
from houseway.training.model_dealer import right_act
from houseway.training.perform import happen, waits_for
from houseway.training.ruling_form import HANDS, VOID_ALL, reported_irregularity, right_ruling
from houseway.training.ruling_review import ruling_form
from houseway.training.scenarios.deck_file import shipped_decks
from houseway.training.scene_words import VOID, display_words
from houseway.training.session import SessionPlan, TrainingSession
from training.people import Trainee
from training.sessions import Session
from training.test_document_order import PLAIN, REMOVE, counting_round, judged, right_is
from training.test_happenings import plain_terms

REPORT = a.ReportIrregularity(kind="wrong count")


def wrong_table(*, stuck: bool = False, checks: bool = False) -> Session:
    """Return a table whose stub is out in a round with a wrong number of cards. If `checks`, every player
    checks before the river."""
    at = counting_round()
    stages = ("ask before the flop", "ask after the flop") if checks else ()
    at.moves = {(seat, stage): "check" for seat in (1, 2, 3) for stage in stages}
    at.play_to(right_is(a.Ask))
    happening = (stuck_card if stuck else short_deck)(at.table, at.chair)
    assert happening is not None
    cards = at.shoe.next(["deck"]) if stuck else ()
    chair = happen(at.table, at.chair, happening, at.time, tuple(cards))
    assert chair is not None
    at.chair = chair
    at.shoe.take(cards)
    at.play_to(lambda at: right_act(at.table, at.chair) == REMOVE)
    assert wrong_count(at.chair, 0) is None
    at.act(REMOVE)
    return at


@pytest.mark.parametrize("stuck", [False, True])
@pytest.mark.parametrize("reports", [False, True])
def test_a_wrong_count_is_announced_or_reported(reports: bool, stuck: bool) -> None:
    at = wrong_table(stuck=stuck)
    shown = wrong_count(at.chair, 0)
    assert shown is not None
    assert shown.count is not None
    act = REPORT if reports else a.CountStub(count=shown.count)
    entry = at.act(act)
    assert entry.slips == ()
    assert VOID in display_words(entry)
    assert any(isinstance(change.event, e.DeckRemoved) for change in entry.changes) is not stuck
    # Reporting it again is not an error.
    assert at.act(REPORT).slips == ()
    at.play_round()
    assert judged(at) == []


@pytest.mark.clause("MA-7.g")
@pytest.mark.parametrize("asked", [1, 2, 3])
@pytest.mark.parametrize("stuck", [False, True])
def test_a_wrong_count_may_wait_until_players_have_decided(stuck: bool, asked: int) -> None:
    """Players answer as they do if all cards are there, so that nothing shows before the count."""
    at = wrong_table(stuck=stuck, checks=True)
    shown = wrong_count(at.chair, 0)
    assert shown is not None
    assert shown.count is not None
    for number in range(1, asked + 1):
        assert at.act(a.Ask(seat=number)).slips == ()
        assert waits_for(at.table, at.chair) == (number,)
        assert at.command(c.Play(seat=number, times=1)) is None
    assert not at.state.round.void
    entry = at.act(a.CountStub(count=shown.count))
    assert entry.slips == ()
    assert at.state.round.void
    at.play_round()
    assert judged(at) == []


@pytest.mark.clause("MA-7.g")
@pytest.mark.parametrize("asks", [False, True])
def test_a_missing_card_may_be_counted_after_the_dealers_hand_is_turned_up(asks: bool) -> None:
    """The count may wait until the hands are settled. The dealer's hand is turned up before that."""
    at = wrong_table(checks=asks)
    if not asks:
        at = counting_round()
        at.moves = {(seat, "ask before the flop"): "play 4x" for seat in (1, 2, 3)}
        at.play_to(right_is(a.Ask))
        happening = short_deck(at.table, at.chair)
        assert happening is not None
        at.chair = happen(at.table, at.chair, happening, at.time) or at.chair
        at.play_to(lambda at: right_act(at.table, at.chair) == REMOVE)
        at.act(REMOVE)
    shown = wrong_count(at.chair, 0)
    assert shown is not None
    assert shown.count is not None
    for number in (1, 2, 3) if asks else ():
        assert at.act(a.Ask(seat=number)).slips == ()
        assert at.command(c.Play(seat=number, times=1)) is None
    assert at.act(a.TakeStep(what="take the cover card off")).slips == ()
    assert at.act(a.TurnUp(place="dealer")).slips == ()
    assert at.state.round.revealed
    assert not at.state.round.void
    assert at.act(a.CountStub(count=shown.count)).slips == ()
    assert at.state.round.void
    at.play_round()
    assert judged(at) == []


@pytest.mark.clause("MA-7.g.2-b", "MA-7.g.2-a")
@pytest.mark.parametrize("stuck", [False, True])
def test_the_hands_are_counted_before_the_ruling(stuck: bool) -> None:
    """The dealer determines whether the cards were misdealt, and only then knows which rule applies."""
    at = wrong_table(stuck=stuck)
    hands = f"You count the hands: seat 1, 2 cards; seat 2, 2 cards; seat 3, 2 cards; the dealer, {2 + stuck} cards."
    assert ruling_form(at.state, IrregularityReport(kind="wrong count"), 0).hands == hands
    assert RulingPrompt(at.state, REPORT, 0).begin().startswith(f"{hands} Play stops for your ruling.")
    # Before the stub is counted, nothing shows.
    early = counting_round().play_to(right_is(a.Ask))
    assert ruling_form(early.state, IrregularityReport(kind="wrong count"), 0).hands == ""
    assert ruling_form(at.state, IrregularityReport(kind="wrong number", at="dealer"), 0).hands == ""


def turned_up(*, counts: bool = False) -> Session:
    """Return a table at which the dealer's hand was turned up with a card that sticks to it. The count of the
    stub still waits. If `counts`, it is made then."""
    at = wrong_table(stuck=True, checks=True)
    for number in (1, 2, 3):
        at.act(a.Ask(seat=number))
        at.command(c.Play(seat=number, times=1))
    at.act(a.TakeStep(what="take the cover card off"))
    assert len(chair_felt(at.table, at.chair, 0).dealer) == 2
    entry = at.act(a.TurnUp(place="dealer"))
    assert entry.slips == ()
    assert not at.state.round.void
    assert chair_felt(at.table, at.chair, 0).dealer == tuple(map(str, at.state.round.dealer))
    assert len(at.state.round.dealer) == 3
    if counts:
        shown = wrong_count(at.chair, at.time)
        assert shown is not None
        assert shown.count is not None
        assert at.act(a.CountStub(count=shown.count)).slips == ()
    return at


@pytest.mark.clause("MA-14.d-b")
def test_a_card_that_sticks_to_the_dealers_is_seen_when_they_are_turned_up() -> None:
    """The dealer sees three cards, and reports them."""
    at = turned_up()
    report = a.ReportIrregularity(kind="wrong number", at="dealer")
    entry = at.act(report)
    assert entry.slips == ()
    assert entry.handled is not None
    assert at.state.round.void
    at.play_round()
    assert judged(at) == []


@pytest.mark.clause("MA-7.g.2-a")
def test_a_dealer_who_sees_three_cards_may_count_the_stub_first() -> None:
    at = turned_up(counts=True)
    assert at.state.round.void
    at.play_round()
    assert judged(at) == []


def test_a_dealer_who_goes_on_with_three_cards_has_not_reported_them() -> None:
    at = turned_up()
    entry = at.act(a.ReadHand(place="dealer", reads="pair"))
    assert [(slip.kind, slip.irregularity, slip.at) for slip in entry.slips] == [
        (ch.UNSEEN, "wrong number", "dealer")
    ]
    assert display_words(entry, reasons=True) == ("All hands are void: wrong number, the dealer.",)
    # An exam does not tell what was not reported.
    assert display_words(entry) == ("All hands are void.",)
    assert at.state.round.void


@pytest.mark.parametrize(("stuck", "clause"), [(False, "MA-7.g.2-b"), (True, "MA-7.g.2-a")])
def test_a_wrong_count_has_a_ruling(stuck: bool, clause: str) -> None:
    at = wrong_table(stuck=stuck)
    found = reported_irregularity(at.chair, "wrong count", "", 0)
    assert found is not None
    ruling = right_ruling(at.table, at.state, found)
    assert ruling is not None
    assert ruling.answers[HANDS].answer == VOID_ALL
    assert clause in {one.clause for one in ruling.answers.values()}


def test_nothing_is_reported_before_the_stub_is_out_or_if_the_count_is_right() -> None:
    at = counting_round().play_to(lambda at: right_act(at.table, at.chair) == REMOVE)
    assert [slip.kind for slip in at.act(REPORT).slips] == [ch.WRONG_REPORT]
    at.act(REMOVE)
    assert [slip.kind for slip in at.act(REPORT).slips] == [ch.WRONG_REPORT]


def test_a_wrong_number_in_the_report_is_a_miscount() -> None:
    at = wrong_table()
    entry = at.act(replace(REPORT, count=3))
    assert [slip.kind for slip in entry.slips] == [ch.MISCOUNT]
    assert at.state.round.void


def test_a_dealer_who_counts_every_round_finds_a_missing_card() -> None:
    """MA-7.g: at least once in five rounds."""
    at = Session("uth-ma", "manual", 3, given=plain_terms("uth-ma", "manual"))
    at.bets = dict.fromkeys((1, 2, 3), PLAIN)

    def count(at: Session) -> None:
        at.play_to(lambda at: right_act(at.table, at.chair) == REMOVE)
        at.act(REMOVE)
        shown = wrong_count(at.chair, 0)
        left = 52 - at.state.round.out
        number = left if shown is None or shown.count is None else shown.count
        assert at.act(a.CountStub(count=number)).slips == ()

    for rounds in range(2):
        at.play_to(right_is(a.Ask))
        assert short_deck(at.table, at.chair) is None, rounds
        count(at)
        at.play_round()
    at.play_to(right_is(a.Ask))
    happening = short_deck(at.table, at.chair)
    assert happening is not None
    at.chair = happen(at.table, at.chair, happening, at.time) or at.chair
    count(at)
    assert at.state.round.void
    at.play_round()
    assert judge(at.table, at.chair).slips == ()


def test_a_wrong_count_on_the_display_of_a_device_is_a_device_count() -> None:
    """The trainee may call it by either name."""
    given = plain_terms("uth-ma", "device") | {"house": {"device_counts": True}}
    at = Session("uth-ma", "device", 3, given=given)
    at.bets = dict.fromkeys((1, 2, 3), PLAIN)
    at.play_to(lambda at: at.state.section == "shuffling")
    assert at.happen(ch.Happening(kind="device count", count=51))
    entry = at.act(REPORT)
    assert entry.slips == ()
    assert entry.handled is not None
    assert any(isinstance(change.event, e.DeckRemoved) for change in entry.changes)


def test_announcing_a_wrong_count_asks_for_a_ruling_and_says_what_follows() -> None:
    book = load("uth-ma")
    plan = SessionPlan(
        rulebook=book.id, hash=book.hash, terms={"mode": "manual"}, seats=3, rounds=8, seed="1"
    )
    out = StringIO()
    session = TrainingSession(plan, book)
    screen = ChairScreen(session, out, lambda: 0)
    at = wrong_table()
    session.tables = (at.table,)
    session.table, session.chair = at.table, at.chair
    shown = wrong_count(at.chair, 0)
    assert shown is not None
    screen._print(*screen._answer(f"count {shown.count}"))
    assert "Play stops for your ruling." in out.getvalue()
    answers = {
        "The hands": "void all",
        "The card in question": "take the deck off the table",
        "The board": "leave it",
    }
    while screen._ruling is not None:
        asked = out.getvalue().splitlines()[-1].partition(":")[0]
        screen._print(
            *screen._answer(answers.get(asked, "the floor" if asked == "Call" else "is returned"))
        )
    text = out.getvalue()
    assert VOID in text
    assert "no wagers" in text
    assert "Wrong." not in text


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_a_table_test_has_every_wrong_count_although_the_dealer_counts_every_round(seed: str) -> None:
    """The count is never due then, but it is made all the same."""
    at = Trainee("uth-ma", "manual", shipped_decks()["every-irregularity"], rounds=20, seed=seed)

    def counts(at: Trainee, act: a.ChairAct | None) -> list[a.ChairAct] | None:
        return [act, a.CountStub(count=at.session.stub)] if act == REMOVE and act is not None else None

    at.deal(counts)
    rows = at.session.table.book.procedure.irregularities
    # The row without a clause is for a wrong board, which the dealer sees before the count.
    wanted = {n for n, row in enumerate(rows) if row.kind == "wrong count" and row.basis.clause("manual")}
    assert len(wanted) == 2
    assert wanted <= set(at.session.rows)
    assert at.slips == []
