"""The flop of Texas Shootout in the dealer's chair: five cards, dealt face down, checked and turned together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from houseway.engine import events as e
from houseway.play.chair_commands import CommandError, act_lines, read_acts
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.judge import judge
from houseway.training.model_dealer import right_act
from training.sessions import Session
from training.test_happenings import plain_terms

SHOOTOUT = "shootout-sd"
CARD = a.DealCards(place="board")


def before_the_flop() -> Session:
    at = Session(SHOOTOUT, "manual", 0, given=plain_terms(SHOOTOUT, "manual"))
    return at.play_to(lambda at: right_act(at.table, at.chair) == CARD and not at.state.round.board)


def typed(at: Session, *lines: str) -> list[ch.Slip]:
    """Do typed acts and return their slips."""
    return [slip for line in lines for act in read_acts(at.table, line) for slip in at.act(act).slips]


def kinds(at: Session) -> list[str]:
    at.play_round()
    return [one.kind for one in judge(at.table, at.chair).slips]


@pytest.mark.clause("TS-12-a", "TS-12-c")
@pytest.mark.parametrize("lines", [
    ("deal flop", "turn flop"),
    ("deal the flop", "turn up the flop"),
    ("deal board x5", "turn board x5"),
    ("deal board x2", "deal board x3", "turn flop"),
    ("deal board", "deal board x4", "turn flop"),
    (*["deal board"] * 5, "turn flop"),
])  # fmt: skip
def test_the_flop_is_five_cards_that_are_turned_together(lines: Sequence[str]) -> None:
    """ "The dealer deals five cards face-down", and "flips the cards over face-up"."""
    at = before_the_flop()
    start = len(at.log)
    assert typed(at, *lines) == []
    events = [change.event for entry in at.log[start:] for change in entry.changes]
    assert sum(event.count for event in events if isinstance(event, e.CardsDealt)) == 5
    assert [len(event.face) for event in events if isinstance(event, e.BoardTurned)] == [5]
    assert kinds(at) == []


@pytest.mark.clause("TS-12-b")
def test_a_sixth_card_is_too_many() -> None:
    """ "The dealer confirms that exactly five cards have been dealt"."""
    at = before_the_flop()
    slips = typed(at, "deal board x6")
    assert [(one.kind, one.due) for one in slips] == [(ch.MISCOUNT, a.DealCards(place="board", count=5))]
    assert len(at.state.round.board) == 6
    assert [(one.kind, one.at) for one in at.chair.open] == [("wrong number", "board")]


def test_the_words_for_community_cards_follow_the_rulebook() -> None:
    shootout, ultimate = before_the_flop().table, Session("uth-ma", "manual", 0).table
    assert read_acts(ultimate, "deal flop") == (a.DealCards(place="board", count=3),)
    assert read_acts(ultimate, "deal turn river") == (a.DealCards(place="board", count=2),)
    device = Session("uth-sd", "device", 0).table
    assert read_acts(device, "turn flop") == (a.TurnUp(place="board", count=3),)
    with pytest.raises(CommandError, match='"turn" is not a seat'):
        read_acts(shootout, "deal turn")
    assert not any("turn turn" in line for line in act_lines(shootout))
    assert any("turn turn river" in line for line in act_lines(ultimate))
