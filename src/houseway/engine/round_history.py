"""The public history of a round, computed from the public parts of its events."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from houseway.engine import events as e
from houseway.engine.codec import hide
from houseway.engine.fold_registry import without

Faces = tuple[str, ...]
"""Cards as text, two characters each."""
Place = tuple[int, int]
"""The number of a seat and of one of its hands, both counted from 1."""


class SettledWager(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A settled wager, in cents, with the reason for its result."""

    seat: int
    hand: int
    wager: str
    stake: int
    result: str
    net: int
    odds: str = ""
    reason: str = ""
    clause: str | None = None
    cut: int = 0
    """Cents by which a limit reduced the payment."""
    cut_clause: str = ""
    """The clause of that limit."""
    for_dealer: bool = False
    coupon: int = 0
    """The face value of the match play coupon that this line settles, in cents; 0 for a wager."""


class RoundHistory(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The public history of one round. It contains only cards that were turned face up."""

    board: Faces = ()
    dealer: Faces = ()
    dealer_line: str = ""
    """The line of the house way that decides the dealer's hand."""
    qualifies: bool | None = None
    hands: dict[Place, Faces] = {}
    """The hands that were turned up."""
    acts: dict[int, str] = {}
    """The last decision of each seat, in one or two words."""
    times: dict[int, int] = {}
    """The multiple of the ante that each seat played."""
    bets: dict[int, dict[str, int]] = {}
    """Cents wagered by each seat, the play wager included."""
    settled: dict[int, SettledWager] = {}
    """Settled wagers, numbered in order from 1."""
    payouts: dict[str, str] = {}
    """The odds that Cover All pays in this round, by hand."""
    net: dict[int, int] = {}
    void: bool = False
    closed: bool = False


Reason = Callable[[RoundHistory, e.WagerSettled], str]
"""A function that returns the reason for a wager's result."""


def no_reason(history: RoundHistory, event: e.WagerSettled) -> str:
    """Return an empty reason, for viewers that show none."""
    return ""


def remember(history: RoundHistory, event: e.Event, reason: Reason = no_reason) -> RoundHistory:
    """Return the history after an event."""
    public, _ = hide(event)
    match public:
        # The most frequent events come first, because each comparison of types takes time.
        case e.StepTaken() | e.CardsRacked():
            return history
        case e.WagerSettled():
            line = _settled_wager(public, reason(history, public))
            return replace(history, settled={**history.settled, len(history.settled) + 1: line})
        case e.RoundOpened():
            return RoundHistory()
        case e.PlayerSeated(seat=seat):
            acts, bets = without(history.acts, seat), without(history.bets, seat)
            return replace(history, acts=acts, bets=bets, times=without(history.times, seat))
        case e.WagersPlaced(seat=seat, wagers=wagers):
            return replace(history, bets={**history.bets, seat: dict(wagers)})
        case e.WagersTakenBack(seat=seat):
            return replace(history, bets=without(history.bets, seat))
        case e.Checked(seat=seat):
            return _with_act(history, seat, "checked")
        case e.PlayMade(seat=seat, times=times, amount=amount):
            bets = {**history.bets, seat: {**history.bets.get(seat, {}), "play": amount}}
            played = replace(history, bets=bets, times={**history.times, seat: times})
            return _with_act(played, seat, f"played {times}x")
        case e.Folded(seat=seat):
            return _with_act(history, seat, "folded")
        case e.HandSet(seat=seat, face=face):
            return _with_hand(_with_act(history, seat, "hand set"), (seat, 1), face)
        case e.HandSplit(seat=seat, first=first, second=second):
            return _with_hand(
                _with_hand(_with_act(history, seat, "split"), (seat, 1), first), (seat, 2), second
            )
        case e.BoardTurned() | e.CardsDealt(to="board"):
            return replace(history, board=history.board + faces(public.face)) if public.face else history
        case e.FaceUpFound(at="board", used=False, which=which):
            return replace(history, board=history.board[: which - 1] + history.board[which:])
        case e.CardReplaced(at="board"):
            return replace(history, board=history.board + faces(public.face))
        case e.BoardArranged():
            return replace(history, board=faces(public.face))
        case e.DealerRevealed():
            return replace(history, dealer=faces(public.face), qualifies=public.qualifies)
        case e.DealerHandSet() | e.ChallengeAnswered() | e.DealerHandReset():
            return replace(history, dealer=faces(public.kept), dealer_line=public.line)
        case e.HandTurned():
            return _with_hand(history, (public.seat, public.hand), public.face)
        case e.PayoutsShown():
            return replace(history, payouts=dict(public.odds))
        case e.WagerRestored():
            return replace(history, settled=without(history.settled, len(history.settled)))
        case e.RoundVoided():
            return replace(history, void=True)
        case e.RoundClosed():
            return replace(history, net=dict(public.net), closed=True)
    return history


def _with_act(history: RoundHistory, seat: int, act: str) -> RoundHistory:
    return replace(history, acts={**history.acts, seat: act})


def _with_hand(history: RoundHistory, place: Place, face: e.Cards) -> RoundHistory:
    return replace(history, hands={**history.hands, place: faces(face)}) if face else history


def _settled_wager(event: e.WagerSettled, reason: str) -> SettledWager:
    return SettledWager(
        seat=event.seat,
        hand=event.hand,
        wager=event.wager,
        stake=event.stake,
        result=event.result,
        net=event.back - event.stake,
        odds=event.odds or "",
        reason=reason,
        clause=event.clause,
        cut=event.cut,
        cut_clause=event.cut_clause,
        for_dealer=event.for_dealer,
        coupon=event.coupon,
    )


def faces(face: e.Cards) -> Faces:
    """Return cards as text."""
    return tuple(map(str, face))
