"""The ruling drill: an irregularity on the felt, and the rulebook's answer to each question it raises."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from houseway.cards import Card, codes
from houseway.engine import commands as c
from houseway.engine.deal_acts import stub
from houseway.engine.evolve import fold, seat_of
from houseway.engine.irregularities import early_cards
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.rules.procedure import EXPOSED_CARD, FACE_UP_CARD, KINDS
from houseway.shoe.seeded_draws import RandomSource
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.drills.drill_table import DrillTable, felt_of
from houseway.training.drills.question import (
    CHOICE,
    Question,
    QuestionFacts,
    QuestionPart,
    RightAnswer,
)
from houseway.training.due_acts import any_cards, due_acts
from houseway.training.happenings import possible_happenings
from houseway.training.perform import happen
from houseway.training.ruling_form import (
    ANSWERS,
    BOARD,
    CARD,
    COMPLETE,
    HANDS,
    LEAVE,
    VOID_ALL,
    WAGER_ANSWERS,
    Ruling,
    right_ruling,
    shown_answer,
)
from houseway.training.working_chair import must_wait, report_answer
from houseway.wording import as_sentence, capital, place_name, several, the_wager

RULINGS = "rulings"
SEATS: Final = {1: 1, 2: 2, 3: 3}
"""The number of players, by level."""
MOMENTS: Final = 6
"""The number of moments of a round at which an irregularity is tried."""
TRIES: Final = 10
SEEN: Final = (EXPOSED_CARD, FACE_UP_CARD)
"""The irregularities in which a card can be seen."""
PREMATURE: Final = "premature flop"
WRONG_NUMBER: Final = "wrong number"
WHERE: Final = {"dealer": "in the dealer's hand", "board": "on the board", "deck": "in the deck"}
"""The places of an irregularity that is not at a seat, in words."""
NOT_ASKED: Final = {BOARD: "nothing: play continues", CARD: "nothing: the cards stay as they are"}
"""The answer if the board or the card needs no decision."""
SHOWN: Final = {
    COMPLETE: "deal the rest of it",
    LEAVE: "the round is void: leave it as it is",
}
"""Answers that the drill words differently."""
CALL: Final = "Whom do you call?"
FLOOR: Final = "the floor"
NO_ONE: Final = "no one"
QUESTIONS: Final = {
    HANDS: "What happens to the hands?",
    BOARD: "What happens to the board?",
    CARD: "What happens to the card in question, or to the deck?",
}
LABELS: Final = {HANDS: "the hands", BOARD: "the board", CARD: "the card in question"}
"""The short names of these questions."""


def ruling_question(table: Table, draws: RandomSource, level: int) -> Question:
    """Return an irregularity to rule on."""
    kinds = sorted({row.kind for row in table.book.procedure.irregularities})
    for _ in range(TRIES):
        chairs = _round(DrillTable(table, draws, SEATS[level]))
        for wanted in draws.sample(kinds, len(kinds)):
            for chair in draws.sample(chairs, min(MOMENTS, len(chairs))):
                happened = _trouble(table, draws, chair, wanted)
                if happened is not None:
                    return _question(table, draws, level, *happened)
    raise ValueError(f"no irregularity of {table.book.id} could happen at this table")


def _round(at: DrillTable) -> list[ch.Chair]:
    """Return the chair at every point of a round from the end of the betting until wagers are settled."""
    chairs: list[ch.Chair] = []

    def note() -> bool:
        now = at.chair.state.round
        settling = now.revealed and bool(now.settled)
        if at.chair.state.section == "round" and now.players and not settling:
            chairs.append(at.chair)
        return False

    at.run(note)
    return chairs


def _trouble(
    table: Table, draws: RandomSource, chair: ch.Chair, wanted: str
) -> tuple[ch.Chair, ch.OpenIrregularity, Ruling] | None:
    """Let an irregularity of this kind happen; return None if it cannot happen now.

    Once the dealer's hand is face up, every card is dealt, so no device can fail.
    """
    possible = possible_happenings(table, chair)
    listed = [one for one in possible if one.kind == wanted and (one.at or not chair.state.round.revealed)]
    if not listed:
        return None
    happening = draws.choice(listed)
    extra = isinstance(happening.command, c.DealExtra)
    after = happen(table, chair, happening, cards=any_cards(table, chair.state, int(extra)))
    if after is None or not after.open or must_wait(table, after.state, after.open[-1]):
        return None
    ruling = right_ruling(table, after.state, after.open[-1])
    # If the document is silent about every answer, there is nothing to judge.
    judged = ruling is not None and any(one.clause for one in ruling.answers.values())
    return (after, after.open[-1], ruling) if ruling is not None and judged else None


def _question(
    table: Table,
    draws: RandomSource,
    level: int,
    chair: ch.Chair,
    found: ch.OpenIrregularity,
    ruling: Ruling,
) -> Question:
    parts, key = [], []
    # The board and the card are always asked about, so that the form does not give the answer away.
    questions = [HANDS, *(name for name in ruling.answers if name not in QUESTIONS), BOARD, CARD]
    for name in questions:
        right = ruling.answers.get(name)
        answers = ANSWERS[name] if name in QUESTIONS else WAGER_ANSWERS
        choices = tuple(map(_shown, answers))
        if name in (BOARD, CARD):
            choices = (*choices, NOT_ASKED[name])
        part = QUESTIONS.get(name) or f"What happens to {the_wager(name)}?"
        label = LABELS.get(name) or name.replace("_", " ")
        parts.append(QuestionPart(part, CHOICE, choices, label=label))
        if right is None:
            # The documents do not say what happens to the cards of every void round.
            hands = ruling.answers[HANDS]
            void = VOID_ALL in (hands.answer, *hands.also)
            clause = None if void else hands.clause
            key.append(RightAnswer(part=part, answer=NOT_ASKED[name], clause=clause, judged=bool(clause)))
        else:
            answer = _shown(right.answer)
            also = tuple(map(_shown, right.also))
            judged = bool(right.clause)
            key.append(RightAnswer(part=part, answer=answer, clause=right.clause, judged=judged, also=also))
    parts.append(QuestionPart(CALL, CHOICE, (FLOOR, NO_ONE), label="call"))
    key.append(_call(table, chair, found))
    facts = QuestionFacts(
        drill=RULINGS, rulebook=table.book.id, mode=table.mode, difficulty=level,
        asks="How do you rule?", parts=tuple(parts),
        felt=replace(felt_of(chair.state), exposed=_exposed(table, draws, chair.state, found)),
        notes=(_happened(found, chair), *_before(chair)),
    )  # fmt: skip
    where = found.at.split(" ")[0]
    kind = ", ".join(filter(None, (found.kind, where, ruling.answers[HANDS].answer)))
    return Question(kind, facts, tuple(key))


def _shown(answer: str) -> str:
    return SHOWN.get(answer) or shown_answer(answer)


def _happened(found: ch.OpenIrregularity, chair: ch.Chair) -> str:
    """Return a sentence about an irregularity and its place, in the chair in which it has just happened."""
    words, seat = KINDS[found.kind], seat_of(found.at)
    if found.kind == WRONG_NUMBER and found.at:
        extra = isinstance(getattr(chair.entries[-1].input, "command", None), c.DealExtra)
        wrong = f"{capital(place_name(found.at))} is dealt one card too {'many' if extra else 'few'}"
        now = chair.state.round
        cards = (
            chair.state.seats[seat].hands[0].cards
            if seat
            else {"dealer": now.dealer}.get(found.at, now.board)
        )
        return f"{wrong} and has {several(len(cards), 'card') if cards else 'no cards'} so far."
    if found.at and f"the {found.at}" not in words:
        words = f"{f'at seat {seat}' if seat else WHERE[found.at]}, {words}"
    return as_sentence(words)


def _exposed(
    table: Table, draws: RandomSource, state: State, irregularity: ch.OpenIrregularity
) -> dict[str, str]:
    """Return the cards that are face up by mistake, by their place; empty if there are none."""
    if irregularity.kind == PREMATURE:
        return {"board": codes(_early_board(table, draws, state))}
    if irregularity.kind not in SEEN or not irregularity.which:
        return {}
    seat = seat_of(irregularity.at)
    if seat:
        cards = state.seats[seat].hands[0].cards
    else:
        cards = {"dealer": state.round.dealer, "board": state.round.board}.get(irregularity.at, ())
    shown = cards[irregularity.which - 1 : irregularity.which]
    return {irregularity.at: codes(shown)} if shown else {}


def _early_board(table: Table, draws: RandomSource, state: State) -> tuple[Card, ...]:
    """Return community cards that are turned up too early, from the board or from the deck."""
    _, dealt, turned = early_cards(table, state)
    if not dealt:
        return state.round.board[state.round.up :][:turned]
    return tuple(draws.sample(any_cards(table, state, stub(table, state)), turned))


def _call(table: Table, chair: ch.Chair, found: ch.OpenIrregularity) -> RightAnswer:
    """Return whom the dealer must call after the ruling. If nothing needs the floor, it is not judged."""
    answer = report_answer(table, chair.state, found)
    due = () if isinstance(answer, Refusal) else due_acts(table, fold(answer, chair.state))
    called = next((one for one in due if isinstance(one.act, a.CallFloor)), None)
    if called is None:
        return RightAnswer(part=CALL, answer=NO_ONE, judged=False)
    return RightAnswer(part=CALL, answer=FLOOR, clause=called.clause, judged=bool(called.clause))


def _before(chair: ch.Chair) -> tuple[str, ...]:
    """Return what the dealer must know besides the felt: how many hands have still to act.

    A hand that has no cards yet has still to act too.
    """
    dealt_in = chair.state.round.players
    waiting = sum(
        not hand.locked and not hand.folded and not hand.void
        for number, seat in chair.state.seats.items()
        for hand in seat.hands
        if number in dealt_in
    )
    return (f"{several(waiting, 'hand still has', 'hands still have')} to act.",)
