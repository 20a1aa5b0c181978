"""The slips of an exam as the score sheet prints them, with the cards that were turned up in the round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from houseway.cards import Card
from houseway.client.layout_spots import spot_shape
from houseway.engine import events as e
from houseway.engine.table import Table
from houseway.report.exam_result import ShownCards, SlipLine
from houseway.rules.loader import document_of, section_of
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.act_list import due_text, judged_act_text, verdict_text
from houseway.training.judge import Judgement, Verdict
from houseway.training.ruling_verdicts import RowVerdict
from houseway.training.slip_facts import drill_for, paid_cents, seat_of_verdict, slip_heading, wager_of
from houseway.training.words import act_words


def slip_lines(table_at: Callable[[int], Table], judgements: Sequence[Judgement]) -> Iterator[SlipLine]:
    """Yield the slips of judged rounds, in the order in which they were made.

    `table_at` returns the table of an input, by its number.
    """
    for number, judgement in enumerate(judgements, 1):
        table = table_at(judgement.entries[-1].number)
        for slip in judgement.slips:
            clause = table.book.known.get(slip.clause or "")
            seat, wager = seat_of_verdict(slip), wager_of(slip)
            yield SlipLine(
                round=number,
                kind=slip.kind,
                did=_did(table, slip),
                right=_right(table, slip),
                heading=slip_heading(slip, _reading(judgement, seat)),
                sentence=verdict_text(table, slip),
                amount=slip.amount,
                clause=slip.clause or "",
                says=clause.says if clause is not None else "",
                document=document_of(slip.clause or ""),
                section=section_of(slip.clause or ""),
                cured=slip.cured,
                seat=seat,
                cards=tuple(_cards(judgement, seat)),
                wager=wager,
                stake=_stake(judgement, seat, wager),
                shape=spot_shape(table.terms, table.book.wagers[wager]) if wager else "",
                paid=paid_cents(slip),
                drill=drill_for(slip),
            )


def _did(table: Table, slip: Verdict) -> str:
    if isinstance(slip, RowVerdict):
        return slip.given_words
    return judged_act_text(table, slip)


def _right(table: Table, slip: Verdict) -> str:
    if isinstance(slip, RowVerdict):
        return slip.right_words
    if slip.kind == ch.UNSEEN and slip.due is None:
        return act_words(a.ReportIrregularity(kind=slip.irregularity, at=slip.at), due=True)
    return due_text(table, slip)


def _reading(judgement: Judgement, seat: int) -> a.ReadHand | None:
    """Return the right reading of a seat's hand; None if no hand of it was read."""
    read = (one.due or one.act for one in judgement.verdicts if one.kind != ch.MISREAD or one.due)
    return next((one for one in read if isinstance(one, a.ReadHand) and one.place == f"seat {seat}"), None)


def _cards(judgement: Judgement, seat: int) -> Iterator[ShownCards]:
    """Yield the cards of a seat, the dealer and the board, as far as they were turned up."""
    hand: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    board: list[Card] = []
    for event in _events(judgement):
        match event:
            case e.HandTurned() if event.seat == seat and event.hand == 1:
                hand = event.face
            case e.DealerRevealed():
                dealer = event.face
            case e.BoardTurned():
                board += event.face
            case e.CardsDealt(to="board"):
                board += event.face
    places = (f"Seat {seat}", "seat", hand), ("Dealer", "dealer", dealer), ("Board", "board", tuple(board))
    for place, owner, cards in places:
        if cards:
            yield ShownCards(place, tuple(map(str, cards)), owner)


def _stake(judgement: Judgement, seat: int, wager: str) -> int:
    """Return the stake of a wager that was settled in a round; 0 if it was not."""
    settled = (event for event in _events(judgement) if isinstance(event, e.WagerSettled))
    return next((line.stake for line in settled if (line.seat, line.wager) == (seat, wager)), 0)


def _events(judgement: Judgement) -> Iterator[e.Event]:
    for entry in judgement.entries:
        for change in entry.changes:
            yield change.event
