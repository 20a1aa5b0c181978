"""Rulings on irregularities: what happens to the hands, each kind of wager, the board and the card in
question.

The right ruling is read from the events that the engine gives for a report, so it follows the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from houseway.engine import events as e
from houseway.engine.refusals import Refusal
from houseway.engine.state import Hand, State
from houseway.engine.table import Table
from houseway.rules.catalogue import shared
from houseway.training import acts as a
from houseway.training.chair import WRONG_COUNT, Chair, OpenIrregularity
from houseway.training.happenings import wrong_count
from houseway.training.working_chair import NOT_DEALT, report_answer

PLAY_ON: Final = "play on"
VOID_ONE: Final = "void one"
VOID_ALL: Final = "void all"
STAYS: Final = "stays"
RETURNED: Final = "goes back"
SETTLED: Final = "is settled"
HANDS: Final = "hands"
BOARD: Final = "board"
CARD: Final = "card"
CALL: Final = "call"
NOBODY: Final = "nobody"
THE_FLOOR: Final = "the floor"
CALLS: Final = (NOBODY, THE_FLOOR)
"""The answers to the question whom to call. No document says, so they are not judged. A call counts."""
COMPLETE: Final = "complete it"
LEAVE: Final = "leave it"
RESHUFFLE: Final = "reshuffle"
DECK_OFF: Final = "take the deck off"
TURN_BACK: Final = "turn it back"
ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    HANDS: (PLAY_ON, VOID_ONE, VOID_ALL),
    BOARD: (COMPLETE, LEAVE),
    CARD: (
        TURN_BACK,
        "use it",
        "set it aside",
        "deal the missing card",
        RESHUFFLE,
        DECK_OFF,
    ),
}
"""The possible answers to each question; a wager stays, goes back or is settled."""
WAGER_ANSWERS: Final = (STAYS, RETURNED, SETTLED)
_SHOWN: Final = {
    RETURNED: "is returned",
    DECK_OFF: "take the deck off the table",
    TURN_BACK: "turn it back over",
}
"""Clearer words for answers. Records have the answers themselves."""
VOID_HAND: Final = "void hand"
"""The value of an irregularity's rule `ends` if the ruling is that the only hand in the round is void."""
RESHUFFLED: Final = frozenset(shared("training.toml")["reshuffled"])
"""The clauses that void a round and have all its cards reshuffled."""


def shown_answer(answer: str) -> str:
    """Return an answer as it is shown to people.

    >>> shown_answer("turn it back"), shown_answer("void all")
    ('turn it back over', 'void all')
    """
    return _SHOWN.get(answer, answer)


class Answer(msgspec.Struct, frozen=True):
    """The answer to one question of a ruling, and its clause."""

    answer: str
    clause: str | None = None
    also: tuple[str, ...] = ()
    """Other answers that mean the same."""


class Ruling(msgspec.Struct, frozen=True):
    """A ruling: the answer to each question that the irregularity raises.

    The questions are "hands", "board", "card" and the name of each kind of wager on the layout.
    """

    answers: dict[str, Answer]
    returned: int = 0
    """Cents that go back to the players."""


class RuledRow(msgspec.Struct, frozen=True):
    """One question of a ruling, judged."""

    question: str
    given: str
    """The trainee's answer; empty if the trainee gave no answer."""
    right: str
    clause: str | None
    judged: bool = True
    """False if the document does not answer the question."""
    also: tuple[str, ...] = ()
    """Other right answers."""

    @property
    def is_right(self) -> bool:
        """True if the answer is right or is not judged."""
        return not self.judged or self.given in (self.right, *self.also)


def reported_irregularity(chair: Chair, kind: str, at: str, time: int) -> OpenIrregularity | None:
    """Return the irregularity that a report names; None if nothing of the kind has happened."""
    for one in chair.open:
        if one.is_named(kind, at):
            return one.named(kind)
    if kind == WRONG_COUNT:
        return wrong_count(chair, time)
    due = chair.queue[0].act if chair.queue else None
    if isinstance(due, a.ReportIrregularity) and (due.kind, due.at) == (kind, at):
        return OpenIrregularity(kind=due.kind, at=due.at, which=due.which, since=0, time=time)
    return None


def right_ruling(table: Table, state: State, irregularity: OpenIrregularity) -> Ruling | None:
    """Return the rulebook's ruling on an irregularity; None if it cannot be ruled on now.

    If the report has to wait for the deal, the missing card is dealt after it.
    """
    answer = report_answer(table, state, irregularity)
    if isinstance(answer, Refusal) and answer.code == NOT_DEALT:
        answer = (e.HandCured(sealed=(), at=irregularity.at, clause=answer.clause),)
    return None if isinstance(answer, Refusal) else _ruling(table, state, irregularity.kind, answer)


def _ruling(table: Table, state: State, kind: str, events: Sequence[e.Event]) -> Ruling:
    row = _row_clause(table, kind, events)
    only_hand = _only_hand(table, events)
    answers = {HANDS: only_hand or _hands(events, row)}
    voided = next((event for event in events if isinstance(event, e.RoundVoided)), None)
    judged = _judged_wagers(state, events)
    for wager in wagers_on_layout(state):
        answers[wager] = _wager(wager, events, voided, row) if wager in judged else Answer(STAYS)
    if voided is not None:
        # The document does not say what happens to the board if the only hand is void.
        clause = voided.clause if only_hand is None else None
        answers[BOARD] = Answer(COMPLETE if voided.trips or voided.board else LEAVE, clause)
    card = next((found for event in events if (found := _card(event)) is not None), None)
    if voided is not None and voided.clause in RESHUFFLED:
        # The card itself is set aside, and then all cards are reshuffled. Both answers are right.
        card = Answer(RESHUFFLE, voided.clause, () if card is None else (card.answer, *card.also))
    if card is not None:
        answers[CARD] = card
    returned = sum(_cents(event) for event in events if isinstance(event, e.WagersReturned))
    return Ruling(answers, returned)


def _row_clause(table: Table, kind: str, events: Sequence[e.Event]) -> str | None:
    """Return the clause by which play continues; None if the document does not say.

    The first event may cite a rule of the row, such as the one that turns the card back. The clause of the
    row itself says what happens to the hands.
    """
    first = events[0].clause if events else None
    if first is None:
        return None
    rows = (row for row in table.book.procedure.irregularities if row.kind == kind)
    citing = (row for row in rows if first in {table.cite(rule) for rule in row.rules.values()})
    row = next(citing, None)
    return first if row is None else table.cite(row.basis)


def _only_hand(table: Table, events: Sequence[e.Event]) -> Answer | None:
    """Return the answer if the only hand in the round is void; None if any other hand is, or under an older
    rulebook.

    The document voids that hand. The round has no other hand, so all hands are void too.
    """
    voided = next((event for event in events if isinstance(event, e.HandVoided)), None)
    ended = next((event for event in events if isinstance(event, e.RoundVoided)), None)
    if voided is None or ended is None:
        return None
    rows = (row for row in table.book.procedure.irregularities if row.kind == ended.why)
    if not any("ends" in row.rules and row.rules["ends"].value == VOID_HAND for row in rows):
        return None
    return Answer(VOID_ONE, voided.clause, (VOID_ALL,))


def _hands(events: Sequence[e.Event], row: str | None) -> Answer:
    for kind, says in ((e.RoundVoided, VOID_ALL), (e.HandVoided, VOID_ONE)):
        found = next((event for event in events if isinstance(event, kind)), None)
        if found is not None:
            # If no clause makes the round void, the first event says only what happens to the deck.
            silent = isinstance(found, e.RoundVoided) and found.clause is None
            return Answer(says, None if silent else events[0].clause or found.clause)
    return Answer(PLAY_ON, row)


def _wager(wager: str, events: Sequence[e.Event], voided: e.RoundVoided | None, row: str | None) -> Answer:
    for event in events:
        back = isinstance(event, e.WagersReturned) and (
            wager in event.wagers
            or wager in event.taken
            or (wager == "progressive" and event.collected > 0)
        )
        if back:
            return Answer(RETURNED, event.clause)
        if isinstance(event, e.WagerSettled) and event.wager == wager:
            return Answer(SETTLED, event.clause)
    if voided is not None and voided.trips and wager == "trips":
        return Answer(SETTLED, voided.clause)
    return Answer(STAYS, row)


def _card(event: e.Event) -> Answer | None:
    """Return what happens to the cards of an irregularity, if an event says so."""
    turned, used, aside, missing, again, off = ANSWERS[CARD]
    match event:
        case e.CardExposed(turned_back=True) | e.BoardExposed():
            return Answer(turned, event.clause)
        case e.FaceUpFound(used=True):
            # The card is turned over and dealt next (SD-5-c), so both answers say the same.
            return Answer(used, event.clause, (turned,))
        case e.FaceUpFound():
            return Answer(aside, event.clause)
        case e.CardDrawn():
            return Answer(used, event.clause)
        case e.HandCured():
            return Answer(missing, event.clause)
        case e.ReshuffleOrdered():
            return Answer(again, event.clause)
        case e.DeckRemoved():
            return Answer(off, event.clause)
    return None


def wagers_on_layout(state: State) -> tuple[str, ...]:
    """Return the kinds of wagers on the layout, in the order in which they were made.

    A ruling is asked about all of them, so that the questions do not give the right ruling away.
    """
    return _kinds(hand for seat in state.seats.values() for hand in seat.hands)


def _judged_wagers(state: State, events: Sequence[e.Event]) -> tuple[str, ...]:
    """Return the kinds of wagers that are judged: if one hand is void, only those that this hand made."""
    void = [event for event in events if isinstance(event, e.HandVoided)]
    if not void or any(isinstance(event, e.RoundVoided) for event in events):
        return wagers_on_layout(state)
    return _kinds(state.seats[event.seat].hands[event.hand - 1] for event in void)


def _kinds(hands: Iterable[Hand]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for hand in hands:
        found.update(dict.fromkeys(hand.stakes))
    return tuple(found)


def _cents(event: e.WagersReturned) -> int:
    wagers = sum(event.wagers.values()) + sum(event.tips.values()) + sum(event.taken.values())
    return wagers + event.collected


def judge_ruling(right: Ruling, given: Mapping[str, str]) -> tuple[RuledRow, ...]:
    """Judge the trainee's answers, question by question. An answer without a clause is not judged."""
    return tuple(
        RuledRow(question, given.get(question, ""), one.answer, one.clause, bool(one.clause), also=one.also)
        for question, one in right.answers.items()
    )
