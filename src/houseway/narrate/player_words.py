"""Bets and decisions of players in words, as everyone at the table sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.engine import events as e
from houseway.money import spoken
from houseway.narrate.narrator import decision_sentence
from houseway.narrate.render import Voice, render, render_action, short, terminal
from houseway.wording import wager_name

TEXT: Final = terminal(0, {})
"""The voice of a log or a terminal, which addresses no player: "Seat 3 plays 4x, $40"."""
LAYOUT: Final = short(0, {})
"""The voice of a picture of the table: "plays 4×, $40"."""


def decision_text(event: e.Event, voice: Voice = TEXT) -> str:
    """Return a bet or a decision as a sentence without its full stop.

    >>> decision_text(e.PlayMade(seat=3, stage="before the flop", times=4, amount=4000))
    'Seat 3 plays 4x, $40'
    """
    return render(decision_sentence(event), voice)


def action_text(event: e.Event, voice: Voice = TEXT) -> str:
    """Return a bet or a decision without its player.

    >>> action_text(e.PlayMade(seat=3, stage="before the flop", times=4, amount=4000), LAYOUT)
    'plays 4×, $40'
    """
    return render_action(decision_sentence(event), voice)


def bets_text(wagers: Mapping[str, int], tips: Mapping[str, int] | None = None, coupon: int = 0) -> str:
    """Return bets that are on the table, or put down on it.

    >>> bets_text({"ante": 1000, "cover_all": 500}, {"ante": 200}, 1000)
    'ante $10, cover all $5, tip ante $2, coupon $10'
    """
    bets = [f"{wager_name(name)} {spoken(stake)}" for name, stake in wagers.items()]
    bets += [f"tip {wager_name(name)} {spoken(tip)}" for name, tip in (tips or {}).items()]
    return ", ".join([*bets, f"coupon {spoken(coupon)}"] if coupon else bets)
