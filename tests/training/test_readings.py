"""Announcing hands: what must be said, what counts once, and what can be corrected."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from houseway.cards import codes
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.fold_registry import seat_of
from houseway.engine.made_hands import flop_reading, read_hand, words_with_article
from houseway.engine.round_history import faces
from houseway.engine.script import script
from houseway.engine.table import Table
from houseway.engine.table_view import hand_view
from houseway.engine.terms import read_terms
from houseway.narrate.live_log import scene_of
from houseway.narrate.narrator import narrate
from houseway.narrate.render import record, render
from houseway.rules.loader import load, rulebook_from_text, rulebook_ids
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.judge import Judgement, judge
from houseway.training.model_dealer import right_act
from houseway.training.score import score
from random_play.chance import modes_of
from training.sessions import Session
from training.test_happenings import plain_terms

PLACES = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]


def at_a_reading(
    fits: Callable[[a.ReadHand], bool], rulebook: str = "uth-ma"
) -> tuple[Session, a.ReadHand]:
    """Return a table at which a hand that fits is to be announced."""
    for seed in range(60):
        at = Session(rulebook, "manual", seed, given=plain_terms(rulebook, "manual"), seats=3)
        for _ in range(400):
            right = right_act(at.table, at.chair)
            if isinstance(right, a.ReadHand) and fits(right):
                return at, right
            if isinstance(right, a.TakeStep) and right.what == "close":
                break
            at.step()
    raise AssertionError("no such hand came")


def finish(at: Session) -> Judgement:
    """Play to the end of the round by the document, and judge it."""
    at.play_round()
    return judge(at.table, at.chair)


def dealers(act: a.ReadHand) -> bool:
    """True for the dealer's hand."""
    return act.place == "dealer" and act.reads != "pair"


def players(act: a.ReadHand) -> bool:
    """True for a player's hand that wins or loses."""
    return act.place != "dealer" and act.result in ("win", "lose") and act.reads != "pair"


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_no_document_asks_for_the_result_so_it_may_be_left_out(rulebook: str, mode: str) -> None:
    """MA-9.h, SD-13, CARD and PROC-D.8 ask for the hand; no clause asks for the result beside it."""

    def silent(at: Session) -> a.ChairAct | None:
        right = right_act(at.table, at.chair)
        return replace(right, result="", qualifies=None) if isinstance(right, a.ReadHand) else None

    at = Session(rulebook, mode, 5, given=plain_terms(rulebook, mode), seats=3)
    for _ in range(3):
        at.play_round(silent)
        assert judge(at.table, at.chair).slips == ()


def test_a_hand_counts_once_however_often_it_is_announced() -> None:
    at = Session("uth-ma", "manual", 1, given=plain_terms("uth-ma", "manual"), seats=3)
    judged = finish(at)
    once = score([judged]).hands_read
    again: list[a.ChairAct] = []

    def repeat(at: Session) -> a.ChairAct | None:
        if not again:
            right = right_act(at.table, at.chair)
            again.extend([right] * 5 if isinstance(right, a.ReadHand) else [])
        return again.pop() if again else None

    at = Session("uth-ma", "manual", 1, given=plain_terms("uth-ma", "manual"), seats=3)
    at.play_round(repeat)
    figures = score([judge(at.table, at.chair)])
    assert figures.slips == 0
    assert figures.hands_read == figures.hands_read_right == once > 0


@pytest.mark.parametrize("fits", [dealers, players])
def test_a_misreading_that_is_corrected_at_once_is_repaired(fits: Callable[[a.ReadHand], bool]) -> None:
    at, right = at_a_reading(fits)
    at.act(replace(right, reads="pair"))
    assert at.act(right).slips == ()
    judged = finish(at)
    assert [(one.kind, one.cured) for one in judged.slips] == [(ch.MISREAD, True)]
    figures = score([judged])
    assert figures.hands_read == figures.hands_read_right


def test_a_result_that_was_announced_wrongly_must_be_announced_again() -> None:
    at, right = at_a_reading(players)
    other = "lose" if right.result == "win" else "win"
    at.act(replace(right, result=other))
    at.act(replace(right, result=""))
    at.act(right)
    cured = [entry.cured for entry in at.chair.entries[-2:]]
    assert cured == [(), (1,)]


def test_a_correction_after_a_wager_is_settled_repairs_nothing() -> None:
    at, right = at_a_reading(players)
    at.act(replace(right, reads="pair"))
    wager = next(one.act for one in at.chair.queue if isinstance(one.act, a.WagerAct))
    at.act(wager)
    at.act(right)
    judged = finish(at)
    assert [(one.kind, one.cured) for one in judged.slips] == [(ch.MISREAD, False)]
    figures = score([judged])
    assert figures.hands_read == figures.hands_read_right + 1


def test_a_second_wrong_reading_has_the_clause_of_the_first() -> None:
    at, right = at_a_reading(dealers)
    at.act(replace(right, reads="pair"))
    at.act(replace(right, reads="royal flush"))
    at.act(replace(right, qualifies=not right.qualifies))
    judged = finish(at)
    assert [(one.kind, one.clause) for one in judged.slips] == [(ch.MISREAD, "MA-7.f.6-b")] * 3
    figures = score([judged])
    assert figures.hands_read == figures.hands_read_right + 1


PROGRESSIVE_ONLY = {"ante": 1000, "blind": 1000, "progressive": 500}
WITH_TRIPS = {**PROGRESSIVE_ONLY, "trips": 500}
SOUTH_DAKOTA = {"ante": 500, "blind": 500, "progressive": 100}
PAY_TABLE = {"uth-sd": {"tables": {"progressive": "PMG-01"}}}


class FoldReader:
    """Deals rounds in which all players fold, and reads each folded hand with some community cards."""

    def __init__(self, book: str, mode: str, bets: dict[str, int], community: int) -> None:
        self.community = community
        self.differs = 0
        """The number of hands that are another hand at the flop than with the whole board."""
        self.slips: list[tuple[str, str | None]] = []
        for seed in range(12):
            given = {**plain_terms(book, mode), **PAY_TABLE.get(book, {})}
            at = Session(book, mode, seed, given=given, seats=3)
            at.bets = dict.fromkeys((1, 2, 3), bets)
            at.moves = {(number, ""): "fold" for number in (1, 2, 3)}
            at.play_round(self.read)
            self.slips += [(slip.kind, slip.clause) for slip in judge(at.table, at.chair).slips]

    def read(self, at: Session) -> a.ChairAct | None:
        """The reading of a folded hand; None for any other act."""
        right = right_act(at.table, at.chair)
        seat = seat_of(right.place) if isinstance(right, a.ReadHand) else 0
        if not isinstance(right, a.ReadHand) or not seat or not at.state.seats[seat].hands[0].folded:
            return None
        cards, board = at.state.seats[seat].hands[0].cards, at.state.round.board
        five, seven = (read_hand((*cards, *board[:n]), at.table.terms.order).name for n in (3, 5))
        self.differs += five != seven
        return replace(right, reads=five if self.community == 3 else seven)


@pytest.mark.parametrize(
    ("book", "mode", "bets"),
    [
        ("uth-ma", "manual", PROGRESSIVE_ONLY),
        ("uth-ma", "device", PROGRESSIVE_ONLY),
        ("uth-sd", "manual", SOUTH_DAKOTA),
    ],
)
@pytest.mark.parametrize("community", [3, 5])
def test_a_fold_with_only_a_progressive_may_be_read_at_the_flop_or_from_seven_cards(
    book: str, mode: str, bets: dict[str, int], community: int
) -> None:
    """MA-13.f and SD-18: the progressive hand is the two cards and the flop. Only the payment is judged."""
    reader = FoldReader(book, mode, bets, community)
    assert reader.differs
    assert reader.slips == []


def test_a_fold_with_trips_is_read_from_all_seven_cards() -> None:
    """Trips is decided by all seven cards, so the reading at the flop is wrong."""
    assert FoldReader("uth-ma", "manual", WITH_TRIPS, 5).slips == []
    reader = FoldReader("uth-ma", "manual", WITH_TRIPS, 3)
    assert len(reader.slips) == reader.differs > 0
    assert {kind for kind, _ in reader.slips} == {ch.MISREAD}


def reads_fold(at: Session) -> bool:
    """True if a folded hand is to be announced."""
    right = right_act(at.table, at.chair)
    seat = seat_of(right.place) if isinstance(right, a.ReadHand) else 0
    return bool(seat and at.state.seats[seat].hands[0].folded)


def test_a_second_reading_of_such_a_fold_may_differ_from_the_first() -> None:
    """Both readings are right, in any order."""
    again = 0
    for seed in range(12):
        at = Session("uth-ma", "manual", seed, given=plain_terms("uth-ma", "manual"), seats=3)
        at.bets = dict.fromkeys((1, 2, 3), PROGRESSIVE_ONLY)
        at.moves = {(number, ""): "fold" for number in (1, 2, 3)}
        at.play_to(lambda s: reads_fold(s) or right_act(s.table, s.chair) == a.TakeStep(what="close"))
        right = right_act(at.table, at.chair)
        if not isinstance(right, a.ReadHand):
            continue
        cards = at.state.seats[seat_of(right.place)].hands[0].cards
        names = [read_hand((*cards, *at.state.round.board[:n]), at.table.terms.order).name for n in (3, 5)]
        for name in names:
            assert at.act(a.ReadHand(place=right.place, reads=name)).slips == ()
        again += names[0] != names[1]
    assert again


def test_the_event_the_script_the_log_and_the_felt_read_such_a_fold_in_the_same_way() -> None:
    """MA-13.f: the record, the dealer's words, the log and the felt name the hand at the flop."""
    differs = 0
    for seed in range(12):
        at = Session("uth-ma", "manual", seed, given=plain_terms("uth-ma", "manual"), seats=3)
        at.bets = dict.fromkeys((1, 2, 3), PROGRESSIVE_ONLY)
        at.moves = {(number, ""): "fold" for number in (1, 2, 3)}
        at.play_round()
        state, order = at.chair.start, at.table.terms.order
        for event in (change.event for entry in at.chair.entries for change in entry.changes):
            state = evolve(state, event)
            if not isinstance(event, e.HandTurned):
                continue
            board, hand = state.round.board, state.seats[event.seat].hands[event.hand - 1]
            if not hand.folded:
                continue
            flop, whole = (read_hand((*event.face, *board[:n]), order) for n in (3, 5))
            (line,) = script(at.table, state, event)
            (told,) = narrate(event, scene_of(at.table, state, event))
            felt = hand_view(at.table, hand, faces(board))
            words = render(told, record({}))
            assert (event.reads, event.community, event.clause) == (flop.name, 3, "MA-13.f")
            assert words_with_article(flop) in line.says
            assert codes(flop.cards) in line.says
            assert flop.words in words
            assert (felt.reads, felt.plays) == (flop.words, faces(flop.cards))
            differs += flop.words != whole.words
    assert differs


def test_an_older_rulebook_reads_such_a_fold_from_all_seven_cards() -> None:
    """Its rule has no value, so its records still verify."""
    raw = json.loads(load("uth-ma").text)
    for step in raw["round"]:
        step.get("rules", {}).get("read", {}).pop("value", None)
    book = rulebook_from_text(json.dumps(raw, ensure_ascii=False, separators=(",", ":")))
    assert flop_reading(Table(read_terms(load("uth-ma"), {"mode": "manual"})[0])) == 3
    assert flop_reading(Table(read_terms(book, {"mode": "manual"})[0])) == 0
