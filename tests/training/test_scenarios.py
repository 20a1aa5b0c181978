"""Scenario decks: drawn from the seed, with times, for every rulebook; and every row of the irregularities."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.state import total
from houseway.rules.loader import load, rulebook_ids
from houseway.rules.procedure import Irregularity
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training import conduct as k
from houseway.training.act_codec import encode_conduct, encode_happening, read_conduct, read_happening
from houseway.training.chair_view import chair_felt
from houseway.training.happenings import ruling_row
from houseway.training.model_dealer import right_act
from houseway.training.perform import behave, happen
from houseway.training.ruling_form import judge_ruling, right_ruling
from houseway.training.scenarios.deck import ScenarioCard, ScenarioDeck
from houseway.training.scenarios.deck_file import shipped_decks
from houseway.training.scenarios.director import Director
from houseway.training.scenarios.kinds import KINDS
from houseway.training.scene_words import conduct_words, happening_words
from houseway.training.session import SessionError
from houseway.training.session_file import SessionWriter, _check_sum, read_session
from training import irregularities_page
from training.people import Trainee, deck
from training.sessions import Session
from training.test_any_acts import any_act
from training.test_conduct import EVERY_KIND
from training.test_happenings import plain_terms
from training.test_train_command import Typist, session

PLACES = [(book, mode) for book in rulebook_ids() for mode in load(book).modes]
Row = tuple[str, tuple[Any, ...]]


def busy(seed: str, rounds: int = 4, rulebook: str = "uth-ma", mode: str = "manual") -> Trainee:
    """A session of the busy deck, dealt by the document."""
    return Trainee(rulebook, mode, shipped_decks()["busy"], seed=seed, rounds=rounds).deal()


def test_the_same_seed_gives_the_same_happenings() -> None:
    one, same, other = busy("5"), busy("5"), busy("6")
    assert one.session.inputs == same.session.inputs
    assert one.happened != other.happened
    assert len(one.happened) > 8
    # The seed of the happenings changes no card and no bet of the quiet table.
    quiet = Trainee("uth-ma", "manual", ScenarioDeck(), seed="5").deal()
    assert first_deal(quiet) == first_deal(one)


def first_deal(at: Trainee) -> list[tuple[Card, ...]]:
    """The cards of the first round until a player was asked."""
    entries = at.entries[: next(n for n, x in enumerate(at.entries) if isinstance(x.input, a.Ask))]
    return [entry.cards for entry in entries if isinstance(entry.input, a.DealCards)]


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_a_clean_trainee_masters_the_busy_table_in_typed_commands(rulebook: str, mode: str) -> None:
    at = Typist(session(rulebook, mode, rounds=6, scenario=shipped_decks()["busy"]))
    printed = at.deal(lambda act: ["wait"] if act is None else None)
    score = at.session.score
    assert score.slips == 0, score.kinds
    assert score.conduct == score.conduct_right > 5
    assert "Round 6 of 6 is over: no slips." in printed
    assert f"Players handled correctly: {score.conduct} of {score.conduct}." in printed
    plan, inputs = read_session(at.file.getvalue())
    again = Trainee(rulebook, mode, plan.scenario).session
    assert plan.scenario == shipped_decks()["busy"]
    again = type(again)(plan, load(rulebook))
    again.replay(inputs)
    assert again.chair == at.session.chair
    assert again.score == score


def test_chances_are_percentages_of_rounds() -> None:
    """With 1,200 rounds, four standard deviations of 25 % are 5 %."""
    director = Director(ScenarioDeck(cards=(ScenarioCard(kind=k.SLOW, chance=25),)), "seed")
    slow = 0
    for number in range(1, 1201):
        director.follow(number)
        slow += director.slow(1) is not None
    assert 240 <= slow <= 360


def test_difficulty_leaves_harder_cards_out() -> None:
    full = shipped_decks()["busy"]
    assert {card.difficulty for card in full.cards} == {1, 2, 3}
    assert {card.difficulty for card in full.up_to(2).cards} == {1, 2}
    assert full.up_to(3) == full


# --- time ---


def test_a_slow_player_decides_when_the_time_has_come() -> None:
    at = Trainee("uth-ma", "manual", deck(k.SLOW, after=7000), seats=1)
    while not isinstance(at.entries[-1].input if at.entries else None, ch.Conduct):
        assert at.session.wakes_at is None
        at.deal_one()
    session, start = at.session, at.time
    assert session.wakes_at == start + 7000
    assert session.tick(start + 6999) == ()
    assert session.wakes_at == start + 7000
    (entry,) = session.tick(start + 7000)
    assert isinstance(entry.input, c.Check | c.Play)
    assert entry.time == start + 7000
    assert session.wakes_at is None
    at.time += 7000
    assert at.deal().slips == []


def test_a_happening_may_wait_for_its_time() -> None:
    """It happens by itself, while the trainee does nothing."""
    at = Trainee("uth-ma", "manual", deck(k.CHATTY, after=3000), seats=1)
    while at.session.wakes_at is None:
        at.deal_one()
    due = at.session.wakes_at
    assert due == at.time + 3000
    assert at.session.tick(due - 1) == ()
    (entry,) = at.session.tick(due)
    assert isinstance(entry.input, ch.Conduct)
    assert at.session.wakes_at is None


# --- irregularities ---

UNREACHABLE: dict[str, set[Row]] = {
    # No card is dealt after the hands in a device deal, so no second card can be face up then.
    "uth-proc": {("face-up card", (("hands_dealt", True), ("several", True)))},
}
WRONG_BOARD: Row = ("wrong count", (("all_there", True),))
"""A board of six cards is seen before the stub is counted."""


def key(row: Irregularity) -> Row:
    """A row by its kind and conditions."""
    return row.kind, tuple(sorted(row.when.items()))


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_row_happens_and_is_ruled_rightly_and_wrongly(rulebook: str) -> None:
    """The deck of every irregularity reaches every row within 25 rounds; a clean trainee makes no slip."""
    book = load(rulebook)
    seen: dict[Row, set[str | None]] = {}
    for mode in book.modes:
        counting = [{"device_counts": True}] if "device_counts" in book.house and mode == "device" else []
        for house in ({}, *counting):
            at = Trainee(rulebook, mode, shipped_decks()["every-irregularity"], rounds=25, house=house)
            _watch(at, seen)
            assert at.slips == []
            reports = [x for x in at.entries if isinstance(x.input, a.ReportIrregularity) and x.handled]
            score = at.session.score
            assert score.irregularities == score.reported == len(reports)
    rows = {key(row): row for row in book.procedure.irregularities}
    assert set(seen) == set(rows) - UNREACHABLE.get(rulebook, set()) - {WRONG_BOARD}
    for row, clauses in seen.items():
        own = {rows[row].basis.clause(mode) for mode in book.modes}
        own |= {rule.clause(mode) for rule in rows[row].rules.values() for mode in book.modes}
        assert clauses <= own | {None}, row


def _watch(at: Trainee, seen: dict[Row, set[str | None]]) -> None:
    """Deal every round. Each irregularity must be ruled on rightly, and a wrong ruling must be noticed."""

    def rule(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        chair, table = at.session.chair, at.session.table
        if isinstance(act, a.ReportIrregularity) and not chair.open[-1].noticed:
            right = right_ruling(table, chair.state, chair.open[-1])
            if right is not None:
                given = {question: one.answer for question, one in right.answers.items()}
                assert all(one.is_right for one in judge_ruling(right, given))
                for question, one in right.answers.items():
                    rows = judge_ruling(right, given | {question: "something else"})
                    wrong = [(x.question, x.clause) for x in rows if not x.is_right]
                    assert wrong == ([(question, one.clause)] if one.clause else [])
        return None

    at.deal(rule)
    chairs = _chairs(at)
    for happening, chair in chairs:
        row = ruling_row(at.session.table, chair, happening)
        assert row is not None
        clause = chair.open[-1].clause if chair.open else at.session.table.cite(row.basis)
        seen.setdefault(key(row), set()).add(clause)


def _chairs(at: Trainee) -> list[tuple[ch.Happening, ch.Chair]]:
    """Each irregularity and the chair after it, from a replay of the session."""
    again = Trainee(at.book.id, at.session.table.mode, ScenarioDeck()).session
    again = type(again)(at.session.plan, at.book)
    listed = []
    for one in at.session.inputs:
        again.replay([one])
        if isinstance(one.input, ch.Happening):
            listed.append((one.input, again.chair))
    return listed


def test_an_irregularity_that_is_never_reported_is_a_slip_in_every_rulebook() -> None:
    def blind(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        if isinstance(act, a.ReportIrregularity):
            other = at.ignoring_all()
            return [other] if other is not None else None
        return None

    for rulebook, mode in PLACES:
        at = Trainee(rulebook, mode, deck("exposed card", at="seat 1"), rounds=2).deal(blind)
        assert [(slip.kind, slip.irregularity) for slip in at.slips] == [(ch.UNSEEN, "exposed card")]
        assert at.slips[0].clause == "SD-5-c"


def test_a_card_missing_from_the_deck_shows_when_the_stub_is_counted() -> None:
    """MA-7.g.2-b: all hands are void and the deck goes off the table."""
    short = ScenarioDeck(cards=(ScenarioCard(kind="wrong count", rounds=(1,)),))
    at = Trainee("uth-ma", "manual", short, rounds=6).deal()
    assert [one.kind for one in at.happened] == ["wrong count"]
    counted = next(entry for entry in at.entries if isinstance(entry.input, a.CountStub))
    events = [change.event for change in counted.changes]
    assert [type(event).__name__ for event in events][:2] == ["StubCounted", "RoundVoided"]
    assert any(isinstance(event, e.DeckRemoved) for event in events)
    voided = next(event for event in events if isinstance(event, e.RoundVoided))
    assert voided.clause == "MA-7.g.2-b"
    assert at.slips == []

    # A trainee who announces the number that should be there has not counted.
    def expected(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        return [a.CountStub(count=act.count + 1)] if isinstance(act, a.CountStub) else None

    at = Trainee("uth-ma", "manual", short, rounds=5).deal(expected)
    assert [slip.kind for slip in at.slips] == [ch.MISCOUNT]
    assert at.replayed().score == at.session.score


def test_two_cards_that_stick_together_show_when_the_stub_is_counted() -> None:
    """MA-7.g.2-a: the dealer has a card too many, all 52 cards are there, and all hands are void."""
    stuck = ScenarioDeck(cards=(ScenarioCard(kind="wrong count", at="dealer", rounds=(1,)),))
    shown: set[int] = set()

    def look(at: Trainee, act: a.ChairAct | None) -> None:
        """Compare the dealer's cards with those that the felt shows."""
        session = at.session
        if len(session.state.round.dealer) == 3 and not session.state.round.counted:
            shown.add(len(chair_felt(session.table, session.chair, session.stub).dealer))

    at = Trainee("uth-ma", "manual", stuck, rounds=6).deal(look)
    (happened,) = at.happened
    assert (happened.kind, happening_words(happened)) == ("wrong count", "")  # type: ignore[arg-type]
    assert shown == {2}
    counted = next(entry for entry in at.entries if isinstance(entry.input, a.CountStub))
    events = [change.event for change in counted.changes]
    voided = next(event for event in events if isinstance(event, e.RoundVoided))
    assert voided.clause == "MA-7.g.2-a"
    assert not any(isinstance(event, e.DeckRemoved) for event in events)
    assert at.slips == []
    assert at.replayed().score == at.session.score

    # A trainee who announces the number that should be there has not counted.
    def expected(at: Trainee, act: a.ChairAct | None) -> Sequence[a.ChairAct] | None:
        return [a.CountStub(count=act.count + 1)] if isinstance(act, a.CountStub) else None

    at = Trainee("uth-ma", "manual", stuck, rounds=5).deal(expected)
    assert [(slip.kind, slip.clause) for slip in at.slips] == [(ch.MISCOUNT, "MA-7.g")]


def test_an_unseen_wrong_number_shows_when_the_stub_is_counted() -> None:
    """MA-7.g.2-a: all cards are there, but a hand has too many."""
    at = Session("uth-ma", "manual", 5, given=plain_terms("uth-ma", "manual"), seats=2)
    for _ in range(4):
        at.play_round()

    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Ask))
    extra = ch.Happening(kind="wrong number", at="dealer", command=c.DealExtra(at="dealer"))
    chair = happen(at.table, at.chair, extra, at.time, at.shoe.next(["deck"]))
    assert chair is not None
    at.shoe.take(at.shoe.next(["deck"]))
    # Nobody notices.
    at.chair = replace(chair, open=())
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.CountStub))
    act = right_act(at.table, at.chair)
    assert act is not None
    entry = at.act(act)
    voided = next(x.event for x in entry.changes if isinstance(x.event, e.RoundVoided))
    assert voided.clause == "MA-7.g.2-a"


# --- words and files ---


def test_everything_that_happens_has_words_and_survives_json() -> None:
    seen: set[str] = set()
    every = shipped_decks()["every-irregularity"]
    for rulebook, mode, scenario, rounds in (
        ("uth-card", "manual", EVERY_KIND, 8),
        ("uth-proc", "device", every, 16),
        ("uth-ma", "manual", every, 16),
    ):
        at = Trainee(rulebook, mode, scenario, rounds=rounds).deal()
        for one in at.happened:
            seen.add(one.kind)
            if isinstance(one, ch.Conduct):
                words = conduct_words(one, at.session.state)
                assert read_conduct(encode_conduct(one)) == one
            else:
                words = happening_words(one)
                assert read_happening(encode_happening(one)) == one
            assert words or one.kind == "wrong count"
            # No word gives the handling away.
            lower = words.lower()
            assert not any(word in lower for word in ("refuse", "warn", "report", "clause", one.kind)), (
                words
            )
    assert seen >= set(KINDS) - {k.RIGHT_DISPUTE, "any irregularity", "every irregularity"}


def test_impossible_conduct_in_a_file_is_refused() -> None:
    at = Trainee("uth-ma", "manual", deck(k.STAND))
    chair, table = at.session.chair, at.session.table
    stands = c.Stand(by="seat 2", seat=2)
    for conduct in (
        ch.Conduct(kind="juggling", seat=1),
        ch.Conduct(kind=k.CHATTY, seat=6),
        # Before the round a player may stand up.
        ch.Conduct(kind=k.STAND, seat=2, tries=stands),
        ch.Conduct(kind=k.WRONG_DISPUTE, seat=1, wager="ante"),
    ):
        assert behave(table, chair, conduct) is None
    assert happen(table, chair, ch.Happening(kind="wrong count")) is None
    plan = at.session.plan
    for line in (
        b'{"time":1,"conduct":{"kind":"late bet"}',
        b'{"time":1,"conduct":{"kind":"late bet","seat":1,"tries":{"type":"Juggle"}}',
        b'{"time":1,"happening":{"kind":1}',
        b'{"time":1,"happening":{"kind":"exposed card","more":2}',
        b'{"time":1,"conduct":{"kind":"x","seat":1},"happening":{"kind":"x"}',
    ):
        writer = SessionWriter()
        written = writer.header(plan)
        total = writer._sum  # the next line continues this sum
        body = line + b"}"
        written += line + f',"sum":"{_check_sum(total, body)}"}}\n'.encode()
        with pytest.raises(SessionError, match="line 2 of the file is damaged"):
            read_session(written)


@pytest.mark.parametrize(
    "card",
    [
        ScenarioCard(kind="juggling", chance=5),
        ScenarioCard(kind=k.SLOW, chance=5, difficulty=9),
        ScenarioCard(kind=k.SLOW, rounds=(0,)),
        ScenarioCard(kind=k.CHATTY, chance=5, says="x" * 500),
    ],
)
def test_a_plan_with_an_impossible_scenario_is_refused(card: ScenarioCard) -> None:
    with pytest.raises(SessionError, match=r"the scenario cannot be used: card\[1\]\."):
        Trainee("uth-ma", "manual", ScenarioDeck(cards=(card,)))


def test_the_page_of_irregularities_is_current() -> None:
    assert irregularities_page.PAGE.read_text("utf-8") == irregularities_page.current()


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_a_careless_trainee_at_a_busy_table_breaks_nothing(rulebook: str, mode: str) -> None:
    """Any act at any time, while people do what they like: every round ends, and the file replays."""
    rng = Random(f"busy {rulebook} {mode}")
    at = Trainee(rulebook, mode, shipped_decks()["busy"], rounds=8, seed="9")
    start = total(at.session.state)
    unanswered = 0
    while not at.session.over:
        unanswered += 1
        assert unanswered < 5000, "the session did not end"
        right = right_act(at.session.table, at.session.chair)
        careless = at.ignoring_all() if rng.random() < 0.5 else right
        if rng.random() < 0.06:
            careless = any_act(at.session, at.session.plan.seats, rng)
        stuck = careless is None and at.session.wakes_at is None
        at.act(a.CallFloor() if stuck else careless)
        assert total(at.session.state) == start
    kinds = {slip.kind for slip in at.slips}
    assert kinds <= set(ch.KINDS)
    assert {ch.MISSED, ch.NOT_DUE} <= kinds
    assert at.replayed().judgements == at.session.judgements
