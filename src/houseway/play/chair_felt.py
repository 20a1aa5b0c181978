"""The table as the dealer sees it, as lines of text: tray, deck, rack, board, and each seat's wagers and
cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from houseway.client.training_messages import FACE_DOWN, ChairFelt, ChairHand
from houseway.engine.commands import Bet
from houseway.engine.state import State
from houseway.money import spoken
from houseway.narrate.player_words import bets_text
from houseway.training.chair import Chair, ChairEntry
from houseway.training.chair_view import chair_felt, entry_sentence
from houseway.training.chips import tray_values
from houseway.training.scene_words import payouts_words
from houseway.training.session import TrainingSession
from houseway.wording import several


def felt(session: TrainingSession) -> list[str]:
    """Return the table from the dealer's side. It shows only what the dealer can see."""
    now = seen_felt(session)
    betting = f", betting {now.betting}" if now.betting else ""
    tray = ", ".join(map(spoken, tray_values(session.table)))
    return [
        f"Round {now.round}{betting}." if now.open else "No round is open.",
        f"Tray: chips of {tray}.",
        *(f"Deck, {deck.back}: {deck.place}." for deck in now.decks),
        f"Discard rack: {several(now.rack, 'card') if now.rack else 'empty'}.",
        *([payouts_words(now.payouts)] if now.payouts else []),
        *_places(now, unanswered_bets(session.chair)),
    ]


def unanswered_bets(chair: Chair) -> dict[int, str]:
    """Return the chips that players have put down and the dealer has not answered, by seat."""
    bets = {}
    for one in chair.conduct:
        tried = one.conduct.tries
        if isinstance(tried, Bet) and tried.form == "chips" and tried.seat in chair.state.seats:
            made = chair.state.seats[tried.seat].hands[0]
            wagers = {n: stake for n, stake in tried.wagers.items() if made.stakes.get(n) != stake}
            tips = {n: tip for n, tip in tried.tips.items() if made.tips.get(n) != tip}
            bets[tried.seat] = bets_text(wagers, tips)
    return {seat: f" Waiting for your answer: {text}." for seat, text in bets.items() if text}


def seen_felt(session: TrainingSession) -> ChairFelt:
    """Return the felt of a session now."""
    return chair_felt(session.table, session.chair, session.stub)


def _places(now: ChairFelt, unanswered: Mapping[int, str]) -> Iterator[str]:
    """Yield the board, the dealer and each seat, with the bets that the dealer has not answered."""
    yield f"Board: {_cards(now.board)}."
    yield f"Dealer: {_cards(now.dealer)}{_kept(now)}."
    for seat in now.seats:
        for index, hand in enumerate(seat.hands, 1):
            second = f", hand {index}" if len(seat.hands) > 1 else ""
            bets = bets_text(hand.wagers, hand.tips, hand.coupon)
            waiting = unanswered.get(seat.seat, "") if index == 1 else ""
            yield f"Seat {seat.seat}, {seat.name}{second}: {bets or 'no wagers'}; {_hand(hand)}.{waiting}"


def _hand(hand: ChairHand) -> str:
    return f"{_cards(hand.cards)}{', folded' if hand.folded and hand.cards else ''}"


def _cards(cards: Sequence[str]) -> str:
    down = sum(card == FACE_DOWN for card in cards)
    hidden = f"{several(down, 'card')} face down" if down else ""
    return ", ".join(filter(None, (_up(cards), hidden))) or "no cards"


def _up(cards: Sequence[str]) -> str:
    return " ".join(card for card in cards if card != FACE_DOWN)


def _kept(now: ChairFelt) -> str:
    return f", keeps {' '.join(now.kept)}" if now.kept else ""


def face_up(now: ChairFelt) -> dict[str, str]:
    """Return the cards that are face up, by place, those turned up too early or by mistake included."""
    faces = {"board": _up(now.board)}
    if _up(now.dealer):
        faces["dealer"] = f"{_up(now.dealer)}{_kept(now)}"
    for seat in now.seats:
        for index, hand in enumerate(seat.hands, 1):
            second = f", hand {index}" if len(seat.hands) > 1 else ""
            faces[f"seat {seat.seat}{second}"] = _up(hand.cards)
    for one in now.exposed:
        faces.setdefault(f"exposed, {one.place}", " ".join(one.cards))
    return {place: text for place, text in faces.items() if text}


def player_line(entry: ChairEntry, state: State) -> str:
    """Return what a player did or what went wrong, as the dealer sees it; empty if nothing shows."""
    return entry_sentence(entry, state)
