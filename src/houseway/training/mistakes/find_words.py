"""Replays, judgements and results as lines of text, for the terminal and for screen readers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from houseway.cards import cards
from houseway.client.find_messages import FindTally, MistakeJudgement, WatchedHand, WatchedRound, WatchStep
from houseway.narrate.player_words import bets_text
from houseway.wording import several


def clock_text(milliseconds: int) -> str:
    """Return a time in minutes and seconds.

    >>> clock_text(106_000)
    '1:46'
    """
    minutes, seconds = divmod(milliseconds // 1000, 60)
    return f"{minutes}:{seconds:02}"


class TextFelt:
    """The felt of a replay in text. `line` moves to a step and describes it."""

    def __init__(self, watched: WatchedRound) -> None:
        self._names = {player.seat: player.name for player in watched.players}
        self._hands: dict[tuple[int, int], WatchedHand] = {}
        self._board: tuple[str, ...] = ()
        self._dealer: tuple[str, ...] = ()

    def line(self, step: WatchStep) -> str:
        """Return a step with its time, the announcement, and the cards that it turned up."""
        spoken_part = f" “{step.spoken}”" if step.spoken else ""
        faces = "".join(f" {name}: {text}." for name, text in self._turned_up(step))
        for hand in step.hands:
            self._hands[hand.seat, hand.hand] = hand
        if step.board is not None:
            self._board = step.board
        if step.dealer is not None:
            self._dealer = step.dealer
        return f"{step.number}. {clock_text(step.time)} {step.says}{spoken_part}{faces}"

    def _turned_up(self, step: WatchStep) -> Iterator[tuple[str, str]]:
        """Yield the places with cards that were not face up before."""
        if step.board is not None and _is_new(self._board, step.board):
            yield "Board", _cards(step.board)
        if step.dealer is not None and _is_new(self._dealer, step.dealer):
            yield "Dealer", _cards(step.dealer)
        for hand in step.hands:
            before = self._hands.get((hand.seat, hand.hand), WatchedHand(seat=hand.seat))
            if _is_new(before.cards, hand.cards):
                yield _hand_name(hand), _cards(hand.cards)

    def felt_lines(self) -> list[str]:
        """Return everything on the felt."""
        return [
            f"Board: {_cards(self._board)}.",
            f"Dealer: {_cards(self._dealer)}.",
            *(self._seat(hand) for _, hand in sorted(self._hands.items())),
        ]

    def _seat(self, hand: WatchedHand) -> str:
        bets, paid = bets_text(hand.wagers), bets_text(hand.paid)
        parts = [_cards(hand.cards), bets or "no wagers", f"paid: {paid}" if paid else ""]
        folded = ", folded" if hand.folded else ""
        name = self._names.get(hand.seat, "")
        return f"{_hand_name(hand)}, {name}{folded}: {'; '.join(filter(None, parts))}."


def _hand_name(hand: WatchedHand) -> str:
    return f"Seat {hand.seat}{f', hand {hand.hand}' if hand.hand > 1 else ''}"


def _is_new(before: Sequence[str], after: Sequence[str]) -> bool:
    """True if a card is face up that was not face up before."""
    return any(card and card not in before for card in after)


def _cards(shown: Iterable[str]) -> str:
    """Return cards as codes and in words; cards that are face down are counted."""
    listed = list(shown)
    up = [card for card in listed if card]
    down = several(len(listed) - len(up), "card") + " face down" if len(up) < len(listed) else ""
    faces = f"{' '.join(up)} ({', '.join(card.words for card in cards(' '.join(up)))})" if up else ""
    return ", ".join(filter(None, (faces, down))) or "no cards"


def judgement_lines(judged: MistakeJudgement, borrowed: Collection[str] = ()) -> list[str]:
    """Return a judgement: the result, the parts that are wrong, the mistake and its clause.

    A clause in `borrowed` is marked.
    """
    answer = judged.answer
    lines = [judged.says]
    if judged.outcome != "missed":
        lines += [
            f"You said: {_small(p.yours)}. Correct: {_small(p.right)}."
            for p in judged.parts
            if not p.is_right
        ]
    if not answer.name:
        return lines
    lines.append(f"The mistake, at event {answer.step}: {answer.name}.")
    lines += answer.facts
    if answer.clause:
        mark = ", borrowed" if answer.clause in borrowed else ""
        text = f": {answer.sentence}" if answer.sentence else "."
        lines.append(f"{answer.clause}{mark}{text}")
    else:
        lines.append("No clause is cited for this.")
    if judged.notice is not None:
        lines.append(f"Reported {judged.notice / 1000:.1f} seconds after the mistake.")
    return lines


def _small(words: str) -> str:
    return f"{words[:1].lower()}{words[1:]}"


def tally_lines(tally: FindTally) -> list[str]:
    """Return the results of a session."""
    if not tally.rounds:
        return ["No round was judged."]
    parts = [
        f"{tally.right} of {several(tally.rounds, 'round')} right",
        f"{tally.missed} missed",
        several(tally.false_calls, "false call"),
    ]
    if tally.inexact:
        parts.append(several(tally.inexact, "wrong amount"))
    lines = [f"{', '.join(parts)}."]
    if tally.notice is not None:
        lines.append(f"{tally.notice / 1000:.1f} seconds to notice (median).")
    return lines
