"""A table of a house as a bot reads it: the sight of its seat in, what it wants to do out."""

from __future__ import annotations

import msgspec

from houseway.bots import Bot, decisions
from houseway.client.messages import Sight, TableSheet
from houseway.engine import commands as c
from houseway.engine.codec import read_command
from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.engine.views import SeatView
from houseway.rules.loading import RulebookError, load


class OtherRulesError(ValueError):
    """A house that deals by other rules than this program has; the sentence says which."""


def table_of(sheet: TableSheet) -> Table:
    """The rules of a table of a house, read from the rulebook here; OtherRulesError where it differs."""
    sentence = f"the house deals {sheet.card.rulebook} by another text than this program has"
    try:
        terms, wrong = read_terms(load(sheet.card.rulebook), sheet.given)
    except RulebookError as error:
        raise OtherRulesError(f"{sentence}: {error}") from error
    if wrong or terms.hash != sheet.hash:
        raise OtherRulesError(f"{sentence}; install the version the house has")
    return Table(terms)


def seat_view(sight: Sight) -> SeatView:
    """A sight as a bot reads it."""
    yours = sight.yours
    says = tuple(choice.says for choice in yours.choices)
    return SeatView(sight.layout, yours.seat, yours.cards, says, yours.spots)


def offered(sight: Sight) -> list[Option]:
    """Everything a sight offers to do, ready to be sent."""
    return [
        Option(read_command(msgspec.json.encode(choice.command)), choice.says, choice.costs, choice.clause)
        for choice in sight.yours.choices
    ]


def options(sight: Sight) -> list[Option]:
    """The decisions of a sight, ready to be chosen from."""
    return decisions(offered(sight))


def wish(player: Bot, table: Table, sight: Sight, *, bet: bool) -> c.Command | None:
    """What a bot wants to do now: wager, or answer the dealer; None to do nothing."""
    view = seat_view(sight)
    if bet:
        wagers = player.bet(table, view)
        return c.Bet(seat=view.seat, wagers=wagers) if wagers else None
    choices = options(sight)
    return player.choose(table, view, choices).command if choices else None


def short_of_chips(sight: Sight) -> bool:
    """Whether a seat cannot pay for the least wager that gets it dealt in."""
    least = min((spot.least for spot in sight.yours.spots if not spot.beside), default=0)
    return sight.yours.chips < least
