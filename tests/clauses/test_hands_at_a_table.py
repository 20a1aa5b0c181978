"""Hands and decisions in rounds at a table, for clauses whose other tests only settle rounds from data."""

import pytest

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table_view import table_view
from houseway.testing import table
from houseway.testing.driver import Driver, stacked


def dealt(rulebook: str, hole: str, board: str, dealer: str) -> Driver:
    """Return a table before the flop, with one player who has bet."""
    t = table(rulebook, mode="device", deck=stacked("device", board, dealer, hole))
    return t.bet(1, ante=10).deal()


def announced(rulebook: str, hole: str, board: str, dealer: str) -> tuple[str, str]:
    """Play a round and return the player's hand as every viewer sees it: in words, and the cards that play."""
    t = dealt(rulebook, hole, board, dealer).play(1, 4).finish()
    state = State()
    for event in t.events:
        state = evolve(state, event)
        if isinstance(event, e.HandTurned):
            break
    shown = table_view(t.table, state).seats[1].hands[1]
    return shown.reads, " ".join(shown.plays)


@pytest.mark.clause("MA-1.community")
def test_a_player_may_play_all_five_community_cards() -> None:
    reads, plays = announced("uth-ma", "2c 2d", "As Ks Qd Jc Th", "4h 3h")
    assert reads == "straight, ace high"
    assert plays == "As Ks Qd Jc Th"


@pytest.mark.clause("MA-1.hand")
def test_the_highest_five_of_seven_cards_are_announced() -> None:
    reads, plays = announced("uth-ma", "Qh 4h", "Ah 9h 6h Kc 2d", "3s 3c")
    assert reads == "flush, ace high"
    assert plays == "Ah Qh 9h 6h 4h"


@pytest.mark.clause("PROC-O.2")
def test_two_own_cards_and_five_common_ones_make_the_best_hand() -> None:
    reads, plays = announced("uth-proc", "As Ah", "Qd 9s 7h 4c 2d", "Qc 3s")
    assert reads == "pair of aces"
    assert plays == "As Ah Qd 9s 7h"


@pytest.mark.clause("PROC-Q.1-b")
def test_kings_full_of_sevens_is_announced() -> None:
    reads, plays = announced("uth-proc", "Kh 3d", "Ks Kd 7c 7h 2s", "Qc 3s")
    assert reads == "full house, kings over sevens"
    assert {card[0] for card in plays.split()} == {"K", "7"}


@pytest.mark.clause("PROC-D.3.a-a")
def test_a_check_before_the_flop_moves_no_wager() -> None:
    t = dealt("uth-proc", "As Ah", "Qd 9s 7h 4c 2d", "Qc 3s")
    before = t.wagers(1), t.chips_of(1)
    t.check(1)
    assert (t.wagers(1), t.chips_of(1)) == before
    (checked,) = [event for event in t.events if isinstance(event, e.Checked)]
    assert checked.clause == "PROC-D.3.a-a"
    t.deal()
    assert len(t.board.split()) == 3
    assert t.state.seats[1].hands[0].cards, "the hand stays in the round"


@pytest.mark.clause("CARD-3")
def test_no_player_has_to_fold_before_all_community_cards_are_face_up() -> None:
    t = dealt("uth-card", "7c 2d", "Qd 9s 7h 4c 2s", "Qc 3s")
    for seen in (0, 3):
        assert len(t.board.split()) == seen
        options = t.legal("seat 1")
        assert "check" in options
        assert "fold" not in options
        refused = decide(t.table, t.state, c.Fold(seat=1, by="seat 1"))
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.clause) == ("no-fold-yet", "CARD-12-a")
        t.check(1).deal()
    assert len(t.board.split()) == 5
    assert "fold" in t.legal("seat 1")
