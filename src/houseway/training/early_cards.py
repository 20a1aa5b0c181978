"""Acts that were done before their turn, and the cards that are face up too early or by mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from houseway.cards import Card
from houseway.engine.fold_registry import card_place, seat_of
from houseway.engine.irregularities import face_down_cards
from houseway.rules.procedure import EXPOSED_CARD
from houseway.training import acts as a
from houseway.training.chair import Chair, EarlyAct
from houseway.training.due_acts import DueAct

LOCK: Final = a.TakeStep(what="lock")
COLLECT: Final = a.TakeStep(what="collect progressive")


def not_done_early(items: Iterable[DueAct], early: Iterable[EarlyAct]) -> list[DueAct]:
    """Return due acts without those that were done before their turn. An early act counts once,
    but the floor stays once it is called."""
    acts, left = [one.act for one in early], []
    for item in items:
        done = next((act for act in acts if item.is_done_by(act)), None)
        if done is None:
            left.append(item)
        elif not isinstance(done, a.CallFloor):
            acts.remove(done)
    return left


def early_board(chair: Chair) -> tuple[Card, ...]:
    """Return the community cards that were dealt or turned up before their turn."""
    early: list[Card] = []
    now = chair.state.round
    for one in chair.early:
        if isinstance(one.act, a.DealCards | a.TurnUp) and one.act.place == "board":
            down = now.board[now.up + len(early) :] if isinstance(one.act, a.TurnUp) else ()
            early += one.cards or down[: one.act.count]
    return tuple(early)


def early_wagers(chair: Chair, seat: int, hand: int) -> set[tuple[str, bool]]:
    """Return the wagers of a hand that were collected, taken, pushed or paid before their turn.

    True marks a tip.
    """
    acts = (one.act for one in chair.early)
    own = (act for act in acts if isinstance(act, a.WagerAct) and act.of == (0, 0))
    moved = {(act.wager, act.tip) for act in own if (act.seat, act.hand) == (seat, hand)}
    return moved | {("progressive", False)} if early_collection(chair) else moved


def racked_early(chair: Chair, seat: int, hand: int = 1) -> bool:
    """True if a hand was put into the discard rack before its turn."""
    places = (card_place(one.act.what) for one in chair.early if isinstance(one.act, a.Rack))
    return any((one.seat, one.hand, one.discards) == (seat, hand, False) for one in places)


def early_lock(chair: Chair) -> bool:
    """True if the sensors were locked before their turn."""
    return any(one.act == LOCK for one in chair.early)


def early_collection(chair: Chair) -> bool:
    """True if the progressive bets were taken off the table before their turn."""
    return any(one.act == COLLECT for one in chair.early)


def exposed_cards(chair: Chair) -> Iterator[tuple[str, Sequence[Card]]]:
    """Yield the exposed cards, whether they are reported or not, with their places."""
    yield from chair.state.round.exposed
    for one in chair.open:
        if one.kind == EXPOSED_CARD and (one.at in ("dealer", "board") or seat_of(one.at)):
            down = face_down_cards(chair.state, one.at)
            yield one.at, down[max(0, one.which - 1) :][:1]
