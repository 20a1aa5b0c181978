"""A round as everybody saw it so far, ready to be sent: hands, acts, wagers settled and why."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import RANK_WORDS, cards
from houseway.client.messages import SeenHand, SeenLine, SeenRound
from houseway.engine import events as e
from houseway.engine.table import Table
from houseway.live.seen import Line, Seen, called, made
from houseway.ranking import Hand, read
from houseway.rules.wagers import Row

FLOP = 3
"""Cards of the board that make five with a hand of two."""
NOT_QUALIFIED = "The dealer does not qualify"


class SeenTable:
    """The round under way at a table, followed event by event; it takes in public parts only."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._seen = Seen()
        self._deck = ""
        self._qualifies: bool | None = None
        self._whys: list[str] = []
        self._reads: dict[tuple[str, ...], Hand | None] = {}

    def follow(self, event: e.Event) -> None:
        """Take in what an event showed."""
        if isinstance(event, e.RoundOpened):
            self._seen = Seen(0, event.number, event.seal)
            self._deck, self._qualifies = event.deck, None
            self._whys, self._reads = [], {}
        self._seen.follow(self._table, event)
        if isinstance(event, e.DealerRevealed):
            self._qualifies = event.qualifies
        if isinstance(event, e.WagerSettled):
            self._whys.append(self._why(event))

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
            lines=tuple(map(_line, seen.lines, self._whys)),
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

    # --- why a wager came to what it came to ---

    def _why(self, event: e.WagerSettled) -> str:
        wager = self._table.book.wagers[event.wager]
        looks = wager.looks
        if event.coupon:
            return "A coupon, paid as the wager it lies with"
        if looks == "showdown":
            return self._against_the_dealer(event, wager.pays)
        if looks == "others":
            return f"For the hand of seat {event.from_seat}"
        if looks == "table":
            paid = f"pays {event.odds}" if event.odds else "is not paid"
            return f"The highest hand at the table{self._highest()} {paid}"
        own = self._seen.hands.get((event.seat, event.hand), ())
        name = self._own_hand(event, own)
        if not name:
            return "Folded: the hand is not paid" if event.result == "lose" else "By the hand held"
        if event.result == "win":
            return f"{name} pays {event.odds}" if event.odds else f"{name} pays"
        return f"{name} is not paid" if event.result == "lose" else f"{name}: the wager comes back"

    def _against_the_dealer(self, event: e.WagerSettled, rows: Sequence[Row]) -> str:
        seen, pays_by_hand = self._seen, _by_hand(rows)
        if seen.acts.get(event.seat) == "folded":
            return "Folded"
        own = self._hand(seen.hands.get((event.seat, event.hand), ()))
        dealer = self._hand(seen.dealer)
        asks_for_it = any("dealer_qualifies" in row.when for row in rows)
        unqualified = event.result == "push" and self._qualifies is False and asks_for_it
        if own is None and unqualified:
            # Some procedures give it back before the hand is turned up.
            return NOT_QUALIFIED
        if own is None or dealer is None:
            return {"win": "Won", "push": "Comes back"}.get(event.result, "Lost")
        if own.key == dealer.key:
            return f"A tie: both have {own.words}"
        if own.key < dealer.key:
            beaten = _beats(dealer, own)
            return beaten if event.result == "lose" else f"{beaten}, but the dealer does not qualify"
        if unqualified:
            return NOT_QUALIFIED
        if pays_by_hand and event.result == "win":
            return f"A winning {own.name} pays {event.odds}"
        if pays_by_hand:
            return f"A winning {own.name} brings the wager back"
        won = _beats(own, dealer)
        return f"{won}: {event.odds}" if event.odds else won

    def _highest(self) -> str:
        """Whose the highest hand is of those turned up, and what it is."""
        turned = {"the dealer's": self._seen.dealer}
        turned |= {f"seat {seat}'s": cards for (seat, _), cards in self._seen.hands.items()}
        hands = {whose: hand for whose, cards in turned.items() if (hand := self._hand(cards))}
        if not hands:
            return ""
        whose = max(hands, key=lambda whose: hands[whose].key)
        return f", {whose} {hands[whose].words},"

    def _own_hand(self, event: e.WagerSettled, own: tuple[str, ...]) -> str:
        """The hand a side bet looks at: the first five cards where its pay table says so, or all seven."""
        if len(own) != 2:
            return ""
        if event.wager in self._table.terms.on_five:
            five = read(cards(" ".join((*own, *self._seen.board[:FLOP]))), self._table.terms.order)
            return f"{_sentence(five.words)} in the first five cards"
        return _sentence(called(self._table, own, self._seen.board))


def _by_hand(rows: Sequence[Row]) -> bool:
    """Whether a wager against the dealer pays by a table of hands."""
    return any(row.table or "hand" in row.when for row in rows)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _beats(higher: Hand, lower: Hand) -> str:
    """That a hand beats another; by which card, where both are called the same."""
    said = f"{_sentence(higher.words)} beats {lower.words}"
    if higher.words != lower.words:
        return said
    one, other = next(pair for pair in zip(higher.ranks, lower.ranks, strict=True) if pair[0] != pair[1])
    return f"{said}, {RANK_WORDS[one]} against {RANK_WORDS[other]}"


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
