"""Community cards that turn up before every player has acted lie on the table, with their faces."""

from __future__ import annotations

import pytest

from houseway.client.training_messages import FACE_DOWN
from houseway.engine import events as e
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chair_view import chair_felt
from houseway.training.happenings import cards_taken
from houseway.training.perform import happen
from houseway.training.scene_words import happening_words
from training.sessions import Session
from training.test_document_order import PLAIN, judged, right_is
from training.test_free_order import slips, table_at

FLOP = ch.Happening(kind="premature flop")
REPORT = a.ReportIrregularity(kind="premature flop")
TABLES = [("uth-ma", "manual"), ("uth-ma", "device"), ("uth-sd", "manual"), ("uth-sd", "device")]


def premature(book: str, mode: str, up: int = 0) -> Session:
    """Return a table whose next community cards turned up while a player still has to act."""
    at = table_at(lambda at: right_is(a.Ask)(at) and at.state.round.up == up, PLAIN, mode, book)
    count = cards_taken(at.table, at.chair, FLOP)
    cards = at.shoe.next(["board"] * count)
    chair = happen(at.table, at.chair, FLOP, at.time, tuple(cards))
    assert chair is not None
    at.chair = chair
    at.shoe.take(cards)
    return at


def faces(at: Session) -> list[str]:
    """Return the community cards that the dealer sees face up."""
    return [code for code in chair_felt(at.table, at.chair, 0).board if code != FACE_DOWN]


@pytest.mark.parametrize("up", [0, 3])
@pytest.mark.parametrize(("book", "mode"), TABLES)
def test_the_cards_lie_on_the_table_until_they_are_turned_back(book: str, mode: str, up: int) -> None:
    at = premature(book, mode, up)
    shown = faces(at)
    assert len(shown) == (5 if up else 3)
    assert "before every player has acted" in happening_words(FLOP)
    entry = at.act(REPORT)
    assert entry.slips == ()
    assert len(faces(at)) == up
    exposed = next(x.event for x in entry.changes if isinstance(x.event, e.BoardExposed))
    assert [str(card) for card in exposed.face] == shown[up:]
    assert slips(at) == []


@pytest.mark.parametrize(("book", "mode"), TABLES)
def test_the_same_cards_are_used_in_their_turn(book: str, mode: str) -> None:
    at = premature(book, mode)
    shown = faces(at)
    at.act(REPORT)
    at.play_to(lambda at: at.state.round.up == 3)
    assert faces(at) == shown


@pytest.mark.parametrize(("book", "mode"), TABLES)
def test_a_premature_flop_that_is_not_reported_is_one_slip(book: str, mode: str) -> None:
    at = premature(book, mode)
    while at.chair.open and at.state.section == "round":
        undecided = [n for n, seat in at.state.seats.items() if not seat.hands[0].acted]
        if not undecided:
            break
        at.act(a.Ask(seat=undecided[0]))
        at.step()
    at.act(REPORT)
    at.play_round()
    assert [kind for kind, _ in judged(at)] == [ch.LATE]


def test_an_older_record_has_no_cards_of_a_premature_flop() -> None:
    at = table_at(right_is(a.Ask), PLAIN, "manual", "uth-ma")
    chair = happen(at.table, at.chair, FLOP, at.time)
    assert chair is not None
    assert chair.early == ()
