"""Conduct: things that players do and say at a table, and how the rulebook says to handle them.

No rule is written here. A player who breaks a rule tries a command, and the engine's refusal names the
clause. If the document has no clause about something, its handling is not judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from houseway.bots.players import DECISIONS
from houseway.engine import commands as c
from houseway.engine.decide import decide
from houseway.engine.fold_registry import mispaid_key
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.rules.catalogue import shared
from houseway.training import acts as a
from houseway.training.chair import ChairEntry, Conduct, Mispayments
from houseway.training.chips import change, tray_values

SLOW: Final = "slow player"
CHATTY: Final = "chatty player"
ADVICE: Final = "asks for advice"
WRONG_CHIPS: Final = "wrong chips"
TIP: Final = "tip"
OUT_OF_TURN: Final = "out of turn"
LATE_BET: Final = "late bet"
CAPPED_BET: Final = "capped bet"
TAKE_BACK: Final = "bet taken back"
TOUCH: Final = "touched cards"
TWO_HANDS: Final = "two hands"
SHOWN: Final = "shown cards"
STAND: Final = "standing up"
LEAVE: Final = "leaving"
RIGHT_DISPUTE: Final = "right dispute"
WRONG_DISPUTE: Final = "wrong dispute"
COLOUR_UP: Final = "colour up"
CONDUCT: Final[dict[str, str]] = {
    SLOW: "a player takes a long time to decide",
    CHATTY: "a player talks",
    ADVICE: "a player asks the dealer what to do",
    WRONG_CHIPS: "a player makes a bet that the table does not take",
    TIP: "a player adds a tip for the dealer to the bet",
    OUT_OF_TURN: "a player acts out of turn",
    LATE_BET: "a player adds a bet after betting is closed",
    CAPPED_BET: "a player raises a bet after the dealer's cards are turned up",
    TAKE_BACK: "a player takes a bet back after betting is closed",
    TOUCH: "a player picks up cards before players may look at them",
    TWO_HANDS: "a player holds the cards with both hands",
    SHOWN: "a player shows cards to another player",
    STAND: "a player with cards stands up",
    LEAVE: "a player with cards wants to leave the game",
    RIGHT_DISPUTE: "a player who was paid too little disputes the payment",
    WRONG_DISPUTE: "a player disputes a payment that was right",
    COLOUR_UP: "a player wants larger chips",
}
"""Every kind of conduct, and what happens."""
HARMLESS: Final = frozenset({SLOW, CHATTY, ADVICE})
"""The kinds that no document has a rule about, and that the dealer has nothing to do about."""
NAMED_WAGERS: Final[dict[str, list[str]]] = shared("training.toml")["named_wagers"]
"""The wagers that a clause on late bets names."""
HIDDEN_CARDS: Final = frozenset(shared("training.toml")["hidden_cards"])
"""The clauses that forbid players to show their cards."""


class ConductRule(msgspec.Struct, frozen=True):
    """The right handling of conduct."""

    right: a.ChairAct | None
    """The act; None if none is needed."""
    clause: str | None = None
    """The clause; None if the document does not say."""


def handling(table: Table, state: State, conduct: Conduct, mispaid: Mispayments) -> ConductRule | None:
    """Return the right handling of conduct; None if it breaks no rule, or cannot happen, in this state.

    `state` is the table as the players see it, and `mispaid` are the wrong payments of all rounds.
    """
    seat = conduct.seat
    if seat not in state.seats:
        return None
    match conduct.kind:
        case k if k in HARMLESS:
            return ConductRule(None)
        case _ if conduct.tries is not None:
            return _refused(table, state, conduct, conduct.tries)
        case k if k in (TOUCH, TWO_HANDS, SHOWN):
            return ConductRule(a.Warn(seat=seat), card_clause(table, k))
        case k if k in (RIGHT_DISPUTE, WRONG_DISPUTE):
            return _disputed(state, conduct, mispaid)
        case k if k == COLOUR_UP:
            given = change(tray_values(table), conduct.chips)
            return ConductRule(a.ColourUp(seat=seat, taken=conduct.chips, given=given))
    return None


def _refused(table: Table, state: State, conduct: Conduct, tries: c.Command) -> ConductRule | None:
    """Return the refusal of what a player tries; None if the rulebook allows it."""
    answer = decide(table, state, tries)
    if not isinstance(answer, Refusal):
        return None
    seat = conduct.seat
    match tries:
        case c.Stand() | c.Leave():
            return ConductRule(a.Warn(seat=seat), answer.clause)
        case c.TakeBack():
            return ConductRule(a.Refuse(seat=seat, what="take-back"), answer.clause)
        case c.Bet():
            what = "tip" if answer.code.startswith("tip") else "bet"
            clause = _late_clause(table, state, tries, answer)
            return ConductRule(a.Refuse(seat=seat, what=what), clause)
    if isinstance(tries, DECISIONS) and answer.code == "out-of-turn":
        return ConductRule(a.Refuse(seat=seat, what="decision"), answer.clause)
    return None


def _late_clause(table: Table, state: State, bet: c.Bet, refused: Refusal) -> str | None:
    """Return the clause that a bet breaks. A late bet that its clause does not name breaks another one."""
    named = NAMED_WAGERS.get(refused.clause or "")
    step, seat = table.find("close betting"), state.seats.get(bet.seat)
    if named is None or step is None or seat is None or "no_change" not in step.rules:
        return refused.clause
    made = seat.hands[0].wagers
    added = [name for name, stake in bet.wagers.items() if made.get(name) != stake]
    return refused.clause if set(added) & set(named) else table.clause(step, "no_change")


def card_clause(table: Table, kind: str) -> str | None:
    """Return the clause that forbids touching or showing cards; None if the document does not say."""
    step = table.find("look")
    if step is None:
        return None
    if kind == SHOWN:
        clause = table.clause(step)
        return clause if clause in HIDDEN_CARDS else None
    rule = "cycled" if kind == TOUCH else "one_hand"
    return table.clause(step, rule) if rule in step.rules else None


def unjudged_conduct(table: Table, entries: Iterable[ChairEntry]) -> tuple[Conduct, ...]:
    """Return the conduct in some entries that a dealer may wonder about, but no clause covers."""
    kinds = [kind for kind in (TOUCH, TWO_HANDS, SHOWN) if card_clause(table, kind) is None]
    inputs = (entry.input for entry in entries)
    return tuple(one for one in inputs if isinstance(one, Conduct) and one.kind in kinds)


def mispaid_now(
    mispaid: Mispayments, state: State, seat: int, hand: int, wager: str
) -> tuple[int, str | None]:
    """Return the cents that a wager was paid beyond the amount due in this round, and the clause.

    The cents are negative if the player got too little. Wrong payments of earlier rounds do not count.
    """
    key = mispaid_key(state.seats[seat].player, seat, hand, wager)
    return mispaid.get((state.round.number, key), (0, None))


def _disputed(state: State, conduct: Conduct, mispaid: Mispayments) -> ConductRule | None:
    """Return the answer to a dispute: the payment is corrected, or it stands."""
    wager = (conduct.seat, conduct.hand, conduct.wager)
    facts = {"seat": conduct.seat, "hand": conduct.hand, "wager": conduct.wager}
    lines = [line for line in state.round.settled if (line.seat, line.hand, line.wager) == wager]
    wrong, clause = mispaid_now(mispaid, state, *wager)
    if wrong:
        return ConductRule(a.CorrectPayment(**facts), clause)  # type: ignore[arg-type]
    if not lines:
        return None
    return ConductRule(a.LetStand(**facts), lines[-1].clause)  # type: ignore[arg-type]
