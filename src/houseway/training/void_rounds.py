"""The end of a void round: the rest of the board, and the wagers that the document still settles."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from houseway.cards import Card
from houseway.client.training_messages import RuledWager
from houseway.engine import events as e
from houseway.engine.table import Table
from houseway.ranking.readable_evaluator import read
from houseway.shoe.stack import Stack
from houseway.training.chair import Chair
from houseway.training.model_dealer import right_act
from houseway.training.perform import cards_needed, perform


class VoidRoundEnd(msgspec.Struct, frozen=True):
    """How a void round ends by the document."""

    board: tuple[Card, ...] = ()
    wagers: tuple[RuledWager, ...] = ()


def void_round_end(table: Table, chair: Chair, undealt: Sequence[Card], time: int) -> VoidRoundEnd:
    """Return the end of a void round that still settles a wager, dealt as the document says.

    `undealt` are the cards that are left to deal, in their order. The table itself does not change. A round
    that is not void, or whose wagers all went back, has no such end.
    """
    if chair.state.round.void in ("", "all"):
        return VoidRoundEnd()
    stack, settled, board = Stack(list(undealt)), [], chair.state.round.board
    hands = {n: seat.hands[0].cards for n, seat in chair.state.seats.items() if seat.hands}
    while (act := right_act(table, chair)) is not None:
        count = cards_needed(table, chair, act)
        if count > stack.left:
            break
        chair = perform(table, chair, act, time, stack.peek(count))
        stack.take(count)
        events = [change.event for change in chair.entries[-1].changes]
        board = max(board, chair.state.round.board, key=len)
        hands |= {n: seat.hands[0].cards for n, seat in chair.state.seats.items() if seat.hands[0].cards}
        settled += [event for event in events if isinstance(event, e.WagerSettled)]
        if any(isinstance(event, e.RoundClosed) for event in events):
            break
    order = table.terms.order
    wagers = (
        RuledWager(
            seat=one.seat,
            wager=one.wager,
            hand=read((*hands[one.seat], *board), order).name,
            cents=one.back - one.stake,
        )
        for one in settled
    )
    return VoidRoundEnd(board, tuple(wagers))
