"""A trainee who continues while a player who was asked still thinks: the right act is to wait."""

from __future__ import annotations

import json

import pytest

from houseway.rules.loader import load
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training import conduct as k
from houseway.training.act_codec import encode_act
from houseway.training.act_list import due_text, verdict_text
from houseway.training.hosted_session import ActInput, HostedSession, SessionStart, TickInput
from houseway.training.judge import judge
from houseway.training.model_dealer import right_act
from houseway.training.scene_words import trainer_words
from training.people import deck
from training.sessions import Session
from training.test_happenings import plain_terms
from training.test_train_command import session

BETS = {"ante": 500, "blind": 500}


def deciding() -> tuple[Session, a.Ask]:
    """A table at which the first of three players must be asked."""
    at = Session("uth-ma", "manual", 1, given=plain_terms("uth-ma", "manual"), seats=3)
    at.bets = dict.fromkeys((1, 2, 3), BETS)
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Ask))
    first = right_act(at.table, at.chair)
    assert isinstance(first, a.Ask)
    return at, first


@pytest.mark.parametrize(("asked", "right"), [(True, "wait for seat {} to decide"), (False, "ask seat {}")])
@pytest.mark.parametrize("early", ["burn", "ask another"])
def test_a_player_who_was_asked_need_not_be_asked_again(early: str, right: str, *, asked: bool) -> None:
    at, first = deciding()
    if asked:
        assert not at.act(first).slips
    other = min({1, 2, 3} - {first.seat})
    entry = at.act(a.Burn() if early == "burn" else a.Ask(seat=other))
    assert [one.kind for one in entry.slips] == [ch.OUT_OF_ORDER]
    if not asked:
        at.act(first)
    at.play_round()
    slip = next(one for one in judge(at.table, at.chair).slips if one.kind == ch.OUT_OF_ORDER)
    assert due_text(at.table, slip) == right.format(first.seat)
    assert verdict_text(at.table, slip).endswith(f"That was too early. First: {right.format(first.seat)}.")


@pytest.mark.parametrize(
    ("asked", "words"), [(True, "Did not wait for seat {} to decide."), (False, "Never done: ask seat {}.")]
)
def test_the_program_decides_for_a_player_for_whom_the_trainee_did_not_wait(
    words: str, *, asked: bool
) -> None:
    at, first = deciding()
    if asked:
        at.act(first)
    # The cards for the flop, and then an act of the next betting round.
    at.act(a.Burn())
    at.act(a.DealCards(place="board", count=3))
    at.act(a.TurnUp(place="board", count=3))
    at.act(a.Ask(seat=first.seat))
    said = [words for entry in at.log for words in trainer_words(entry)]
    assert f"decided for seat {first.seat}, which had not decided" in said
    at.play_round()
    assert words.format(first.seat) in [
        verdict_text(at.table, one) for one in judge(at.table, at.chair).slips
    ]


def test_a_live_session_says_to_wait() -> None:
    plan = session(scenario=deck(k.SLOW, after=7000), seats=1).plan
    start = SessionStart(session="a1", at="2026-11-16T14:02:00Z", plan=plan, way="live")
    room = HostedSession(start, load("uth-ma"), "")
    time = 0
    for number in range(400):
        time += 1000
        room.apply(TickInput(time=time))
        right = right_act(room.session.table, room.session.chair)
        if right is None:
            continue
        room.apply(ActInput(time=time, key=str(number), act=json.loads(encode_act(right))))
        if isinstance(right, a.Ask):
            break
    refusal = room.apply(ActInput(time=time, key="early", act=json.loads(encode_act(a.Burn())))).refusal
    assert refusal is not None
    assert refusal.code == "out-of-order"
    assert refusal.message.startswith("wait for seat 1 to decide. The clause says: ")
