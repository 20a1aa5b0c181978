"""The judgement and the score of rounds, the acts as JSON and in words, and the faults that the tests must notice."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from houseway.audit import second_settler_adapter
from houseway.cards import cards
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import kinds
from houseway.rules.loader import rulebook_ids
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training import completion, due_acts, judge, perform
from houseway.training.act_codec import encode_act, read_act
from houseway.training.due_acts import palette
from houseway.training.judge import DISPUTED, RIGHT, JudgeLimits, Verdict
from houseway.training.model_dealer import right_act
from houseway.training.score import score
from houseway.training.words import act_words, verdict_words
from random_play.chance import modes_of
from training.document_trainee import DocumentTrainee
from training.planted_errors import Planted
from training.planted_money import MONEY
from training.planted_procedure import PROCEDURE
from training.planted_reports import FLOOR_AND_REPORTS
from training.sessions import Session
from training.test_any_acts import careless
from training.test_happenings import plain_terms
from training.test_planted_errors import Planting


def planted(name: str) -> Planted:
    """The error with this name."""
    return next(one for one in (*MONEY, *PROCEDURE, *FLOOR_AND_REPORTS) if one.name == name)


# --- the score ---


def scripted_round() -> tuple[Session, judge.Judgement]:
    """A round in which the dealer pays an ante $5 too much and corrects it, then pays a play $2 short."""
    errors = [planted("a wrong payment noticed and corrected")]
    planting = Planting(errors[0])
    return planting.session, planting.play()


def test_a_corrected_payment_counts_apart() -> None:
    at, judged = scripted_round()
    figures = score([judged])
    assert (figures.over, figures.under, figures.corrected) == (0, 0, 500)
    assert figures.slips == 1
    assert figures.kinds == {ch.WRONG_AMOUNT: 1}
    assert figures.clauses == {"MA-10.b": 1}
    assert at.state.mispaid == {}


@pytest.mark.parametrize(
    ("name", "over", "under"),
    [("ante paid $5 too much", 500, 0), ("ante paid 50 cents short", 0, 50)],
)
def test_mispayments_have_a_direction(name: str, over: int, under: int) -> None:
    figures = score([Planting(planted(name)).play()])
    assert (figures.over, figures.under) == (over, under)
    assert (figures.gross, figures.net) == (over + under, over - under)
    assert figures.payments_right == figures.payments - 1


def test_times_are_those_of_the_round_without_the_shuffle() -> None:
    at = Session("uth-card", "manual", 5, given={"mode": "manual"}, seats=2)
    judged = []
    for _ in range(2):
        at.play_round()
        judged.append(judge.judge(at.table, at.chair))
    figures = score(judged)
    opened = [e_.time for one in judged for e_ in one.entries if e_.input == a.TakeStep(what="open")]
    closed = [e_.time for one in judged for e_ in one.entries if e_.input == a.TakeStep(what="close")]
    assert figures.time == closed[0] - opened[0] + closed[1] - opened[1]
    assert figures.rounds_per_hour == 2 * 3_600_000 / figures.time
    # The session lets two seconds pass before each act of the dealer.
    assert figures.payment_time == 2000
    assert figures.payments_per_minute == 30
    assert figures.reading_accuracy == 1.0


def test_a_report_is_late_after_the_limit() -> None:
    happening = ch.Happening(kind="exposed card", at="seat 1", which=1)
    at = Session("uth-ma", "manual", 5, given={"mode": "manual"}, seats=2)
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Ask))
    chair = perform.happen(at.table, at.chair, happening, at.time)
    assert chair is not None
    at.chair = chair
    at.play_round()
    prompt = judge.judge(at.table, at.chair, JudgeLimits(notice=2000))
    slow = judge.judge(at.table, at.chair, JudgeLimits(notice=1999))
    assert prompt.slips == ()
    assert [(one.kind, one.clause, one.at) for one in slow.slips] == [(ch.LATE, "SD-5-c", "seat 1")]
    assert score([slow]).irregularities == score([slow]).reported == 1


def test_a_live_table_refuses_what_training_lets_happen() -> None:
    at = Session("uth-ma", "manual", 5, given={"mode": "manual"}, seats=2)
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Burn))
    flop = a.DealCards(place="board", count=3)
    refused = perform.attempt(at.table, at.chair, flop, cards=at.shoe.next(["board"] * 3))
    assert isinstance(refused, ch.Slip)
    assert (refused.kind, refused.clause, refused.due) == (ch.OUT_OF_ORDER, "MA-7.f.2-a", a.Burn())
    burned = perform.attempt(at.table, at.chair, a.Burn(), cards=at.shoe.next(["burn"]))
    assert isinstance(burned, ch.Chair)


def test_a_payment_may_be_corrected_in_a_later_round() -> None:
    planting = Planting(planted("ante paid $5 too much"))
    first, at = planting.play(), planting.session
    seat = next(slip.act.seat for slip in first.slips if isinstance(slip.act, a.Pay))
    at.act(a.CorrectPayment(seat=seat, wager="ante"))
    at.play_round()
    second = judge.judge(at.table, at.chair)
    assert second.slips == ()
    assert (score([first]).over, score([first]).corrected) == (500, 0)
    assert (score([first, second]).over, score([first, second]).corrected) == (0, 500)


@pytest.mark.parametrize("challenged", [False, True])
def test_a_hand_set_against_the_house_way_is_set_again(challenged: bool) -> None:
    at = Session("shootout-sd", "manual", 5, given=plain_terms("shootout-sd", "manual"), seats=2)
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.SetHand))
    right = right_act(at.table, at.chair)
    assert isinstance(right, a.SetHand)
    wrong = tuple(card for card in at.state.round.dealer if card not in right.cards)[:2]
    at.act(a.SetHand(cards=wrong))
    assert at.state.round.kept == wrong
    if challenged:
        assert at.command(c.Challenge(seat=1, by="seat 1")) is None
        assert right_act(at.table, at.chair) == a.ResetDealer()
    at.act(a.ResetDealer())
    assert set(at.state.round.kept) == set(right.cards)
    at.play_round()
    slips = judge.judge(at.table, at.chair).slips
    assert [(one.kind, one.clause, one.cured) for one in slips] == [(ch.WRONG_HAND_SET, "TS-11-c", True)]


def test_chips_are_changed_for_the_same_sum() -> None:
    at = Session("uth-ma", "manual", 5, given={"mode": "manual"}, seats=2)
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Burn))
    chips = at.state.seats[1].chips
    at.act(a.ColourUp(seat=1, taken={100: 27}, given={2500: 1, 100: 2}))
    assert at.slips() == []
    at.act(a.ColourUp(seat=1, taken={100: 27}, given={2500: 1, 500: 1}))
    assert [(slip.kind, slip.amount) for slip in at.slips()] == [(ch.WRONG_AMOUNT, 300)]
    assert at.state.seats[1].chips == chips + 300
    at.act(a.CorrectPayment(seat=1, wager="chips"))
    assert at.state.seats[1].chips == chips
    at.play_round()
    assert (score([judge.judge(at.table, at.chair)]).corrected, at.state.mispaid) == (300, {})


def test_a_recorded_round_replays_to_the_same_judgement() -> None:
    at = Session("uth-sd", "manual", 3, seats=3)
    start, rng = at.chair, Random(5)
    judged = []
    for _ in range(4):
        at.play_round(careless(rng, 0.15))
        judged.append(judge.judge(at.table, at.chair))
    assert any(one.slips for one in judged)
    again = [
        judge.judge(at.table, chair)
        for chair in perform.replay(at.table, start, at.log)
        if chair.entries[-1].changes and isinstance(chair.entries[-1].changes[-1].event, e.RoundClosed)
    ]
    assert again == judged
    assert score(again) == score(judged)


# --- acts ---


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_palette_has_every_act_and_gives_no_order_away(rulebook: str) -> None:
    for mode in modes_of(rulebook):
        at = DocumentTrainee(rulebook, mode, 1, seats=2)
        for _ in range(6):
            at.play_round()
        done = {type(one.input).__name__ for one in at.log if isinstance(one.input, a.ChairAct)} - {
            "CallFloor"
        }
        named = {one.input.what for one in at.log if isinstance(one.input, a.TakeStep)}
        offered = palette(at.table)
        assert (done - {"TakeStep"}) | named <= set(offered)
        assert list(offered) == sorted(offered, key=str.lower)


SAMPLES: list[a.ChairAct] = [
    a.DealCards(place="board", count=3),
    a.Burn(),
    a.TurnUp(place="seat 2"),
    a.Ask(seat=3),
    a.TakeFold(seat=3),
    a.ReadHand(place="dealer", reads="pair", qualifies=True),
    a.Take(seat=1, wager="ante"),
    a.Push(seat=1, wager="blind"),
    a.Pay(seat=1, wager="trips", chips={500: 3}),
    a.ColourUp(seat=2, taken={100: 27}, given={2500: 1, 100: 2}),
    a.SetHand(cards=cards("Ah Kd")),
    a.ResetDealer(),
    a.Key(seat=2, hand="flush"),
    a.CountStub(count=33),
    a.Rack(what="seat 2 discards"),
    a.CallFloor(),
    a.ReportIrregularity(kind="exposed card", at="dealer"),
    a.CorrectPayment(seat=2, wager="play"),
    a.Refuse(seat=2, what="tip"),
    a.Warn(seat=2),
    a.LetStand(seat=2, wager="blind"),
    a.TakeStep(what="close betting"),
]


def test_every_kind_of_act_survives_json_and_has_words() -> None:
    assert {type(act) for act in SAMPLES} == set(kinds(a.ChairAct))
    for act in SAMPLES:
        assert read_act(encode_act(act)) == act
        assert act_words(act)
        assert act_words(act, due=True)
    with pytest.raises(msgspec.DecodeError):
        read_act(b'{"type":"Juggle"}')


def test_verdicts_state_facts() -> None:
    blind: dict[str, Any] = {"seat": 2, "wager": "blind"}
    wrong = Verdict(
        kind=ch.WRONG_AMOUNT,
        entry=1,
        time=0,
        act=a.Pay(**blind, chips={500: 2}),
        due=a.Push(**blind),
        amount=1000,
    )
    assert verdict_words(wrong) == "Paid $10.00 on seat 2's blind; it should push. $10.00 overpaid."
    missed = Verdict(kind=ch.MISSED, entry=1, time=0, due=a.Burn())
    assert verdict_words(missed) == "Never done: burn 1 card."
    extra = Verdict(
        kind=ch.NOT_DUE, entry=1, time=0, act=a.Burn(), step="deal the first card to the dealer"
    )
    assert verdict_words(extra) == (
        "Burned 1 card. That was not due. The step was: deal the first card to the dealer."
    )
    for kind in (*ch.KINDS, RIGHT, DISPUTED):
        verdict = Verdict(
            kind=kind, entry=1, time=0, act=a.Burn(), due=a.Burn(), irregularity="exposed card", amount=5
        )
        assert verdict_words(verdict).endswith(".")


def test_a_verdict_never_reads_like_an_instruction() -> None:
    """The past of "read", "let", "set" and "cut" looks like the instruction, so the sentence names the dealer."""
    facts: dict[str, Any] = {"entry": 1, "time": 0}
    misread = Verdict(
        kind=ch.MISREAD,
        act=a.ReadHand(place="dealer", reads="pair", qualifies=True),
        due=a.ReadHand(place="dealer", reads="two pair", qualifies=True),
        **facts,
    )
    assert verdict_words(misread) == (
        "You read the dealer's hand as “pair, qualifies”; right: “two pair, qualifies”."
    )
    assert verdict_words(misread, who="The dealer").startswith("The dealer read the dealer's hand as")
    stands = Verdict(kind=ch.NOT_DUE, act=a.LetStand(seat=2, wager="blind"), **facts)
    assert verdict_words(stands) == "You let the payment on seat 2's blind stand. That was not due."
    cut = Verdict(kind=ch.MISCOUNT, act=a.TakeStep(what="cut", count=3), **facts)
    assert verdict_words(cut, due="cut at least 5 cards").startswith("You cut 3 cards. Due: ")
    hand = Verdict(
        kind=ch.WRONG_HAND_SET,
        act=a.SetHand(cards=cards("Ks Kd")),
        due=a.SetHand(cards=cards("As Ad")),
        **facts,
    )
    assert verdict_words(hand).startswith("You set the dealer's hand to Ks Kd. Due: set")


# --- faults that the tests must notice ---


def found(name: str) -> list[str]:
    """The kinds of slips that are found after an error is planted."""
    return [slip.kind for slip in Planting(planted(name)).play().slips]


def test_a_wager_that_the_second_settler_pays_differently_is_disputed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settle = second_settler_adapter.settle_independently

    def other(document: str, data: Any) -> dict[str, Any]:
        answer = settle(document, data)
        for line in answer["lines"]:
            if line["wager"] == "ante" and line["result"] == "win":
                line["net"] = "999.00"
        return answer

    monkeypatch.setattr(judge, "settle_independently", other)
    planting = Planting(planted("ante paid $5 too much"))
    judged = planting.play()
    assert judged.differences
    assert [one.kind for one in judged.verdicts if one.amount] == [DISPUTED]
    assert score([judged]).gross == 0


def test_a_judge_that_does_not_count_chips_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "paid_beyond", lambda item, act: 0)
    assert found("ante paid $5 too much") == []


def test_a_judge_that_does_not_know_the_order_of_wagers_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due_acts, "ORDER_FIXED", frozenset())
    assert found("ante settled before the play wager") == []


def test_a_judge_that_invents_an_order_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perform, "may_precede", lambda item, other: False)
    slips = 0
    for seed in range(6):
        at = DocumentTrainee("uth-ma", "manual", seed, seats=3)
        at.play_round()
        slips += len(judge.judge(at.table, at.chair).slips)
    assert slips > 0


def test_a_judge_that_forgets_acts_passed_over_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.training.working_chair.WorkingChair.finish_round", lambda self: None)
    assert ch.MISSED not in found("no burn before the flop")


def test_a_judge_that_forgets_irregularities_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "houseway.training.working_chair.WorkingChair.open_irregularity", lambda self, *given, **more: True
    )
    assert ch.UNSEEN not in found("player's card exposed and not reported")
