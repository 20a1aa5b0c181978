"""A round as everybody saw it so far, ready to be sent: hands, acts, wagers settled and why."""

from __future__ import annotations

from houseway.client.messages import SeenHand, SeenLine, SeenRound
from houseway.engine import events as e
from houseway.engine.round_history import RoundHistory, remember
from houseway.engine.table import Table
from houseway.live.seen import Line, Seen, made
from houseway.narrate.reasons import Reasons
from houseway.ranking import Hand


class SeenTable:
    """The round under way at a table, followed event by event; it takes in public parts only."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._seen = Seen()
        self._deck = ""
        self._qualifies: bool | None = None
        self._history = RoundHistory()
        self._reason = Reasons(table)
        self._reads: dict[tuple[str, ...], Hand | None] = {}

    def follow(self, event: e.Event) -> None:
        """Take in what an event showed."""
        if isinstance(event, e.RoundOpened):
            self._seen = Seen(0, event.number, event.seal)
            self._deck, self._qualifies = event.deck, None
            self._reads = {}
        self._seen.follow(self._table, event)
        if isinstance(event, e.DealerRevealed):
            self._qualifies = event.qualifies
        self._history = remember(self._history, event, self._reason)

    def round(self) -> SeenRound:
        """The round as it was seen."""
        seen = self._seen
        dealer = self._hand(seen.dealer)
        return SeenRound(
            number=seen.number,
            seal=seen.seal,
            deck=self._deck,
            board=seen.board,
            dealer=seen.dealer,
            dealer_reads=dealer.words if dealer else "",
            dealer_plays=tuple(map(str, dealer.cards)) if dealer else (),
            qualifies=self._qualifies,
            hands=tuple(self._turned(*place, faces) for place, faces in seen.hands.items()),
            acts=dict(seen.acts),
            bets={seat: dict(bets) for seat, bets in seen.bets.items()},
            lines=tuple(map(_line, seen.lines, (one.reason for one in self._history.settled.values()))),
            payouts=dict(seen.payouts),
            net=dict(seen.net),
            void=seen.dealer_says if "void" in seen.dealer_says else "",
            closed=seen.closed,
        )

    def _turned(self, seat: int, number: int, faces: tuple[str, ...]) -> SeenHand:
        hand = self._hand(faces)
        if hand is None:
            return SeenHand(seat=seat, hand=number, cards=faces)
        plays = tuple(map(str, hand.cards))
        return SeenHand(seat=seat, hand=number, cards=faces, reads=hand.words, plays=plays)

    def _hand(self, own: tuple[str, ...]) -> Hand | None:
        """Two cards with the whole board."""
        board = self._seen.board
        if len(own) != 2 or len(board) != self._table.board_size:
            return None
        seven = (*own, *board)
        if seven not in self._reads:
            self._reads[seven] = made(self._table, own, board)
        return self._reads[seven]


def _line(line: Line, why: str) -> SeenLine:
    return SeenLine(
        seat=line.seat,
        hand=line.hand,
        wager=line.wager,
        stake=line.stake,
        result=line.result,
        odds=line.odds,
        net=line.net,
        why=why,
        clause=line.clause or None,
        cut=line.cut,
        for_dealer=line.for_dealer,
    )
