"""The players of a training table, whose bets and decisions come from a seed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from houseway.bots.players import decisions
from houseway.engine import commands as c
from houseway.engine.decide import handle
from houseway.engine.legal import Option, seat_options, spots
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.views import RoleView
from houseway.shoe.seeded_draws import RandomSource
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.perform import players_state, receive

CHIPS: Final = 100_000_00
"""The chips of each player, in cents: enough for every round of a session."""
NAMES: Final = ("Ines", "Otto", "Vera", "Jun", "Theo", "Maren")
BACKS: Final = ("red", "blue")
FLOP: Final = 3
BETS, PLAYS = "random", "practical"
"""The styles of bots: they bet on any spot, and decide by basic strategy."""


def name_of(seat: int) -> str:
    """Return the name of the player in a seat."""
    return NAMES[seat - 1] if seat <= len(NAMES) else f"Player {seat}"


def backs_of(table: Table) -> tuple[str, ...]:
    """Return the backs of a table's decks."""
    return BACKS[: table.decks] or BACKS[:1]


def seated(table: Table, players: Mapping[int, str], backs: tuple[str, ...]) -> State | Refusal:
    """Return a table with its players, before the dealer's first act; or why it cannot open."""
    opening = c.OpenTable(
        designated=(table.book.game,), backs=backs, dealer="person", examples=True, purpose="training"
    )
    state = State()
    for command in (opening, *(c.Sit(seat=n, player=name, chips=CHIPS) for n, name in players.items())):
        state, answer = handle(table, state, command)
        if isinstance(answer, Refusal):
            return answer
    return state


def bettors(state: State, bet: Collection[int] = ()) -> Iterator[int]:
    """Yield the seats that may bet now: they have no wagers, and are not among those that `bet` before."""
    if state.section == "round" and state.round.betting == "open":
        yield from (n for n, seat in state.seats.items() if n not in bet and not seat.hands[0].wagers)


def accepted_bet(
    table: Table, chair: ch.Chair, seat: int, draws: RandomSource, stakes: Sequence[int], side_bets: float
) -> c.Bet | None:
    """Return a bet that the table accepts: with side bets, or without if the first is refused; else None.

    `side_bets` is the chance of a side bet.
    """
    ways = table.terms.ways_in
    entry = ways[0] if ways else frozenset({table.entry_wager})
    for chance in (side_bets, 0.0):
        wagers = {
            spot.wager: stake_within(draws, stakes, spot.least, spot.most)
            for spot in spots(table, chair.state, seat)
            if spot.wager in entry or draws.random() < chance
        }
        bet = c.Bet(by=f"seat {seat}", seat=seat, wagers=wagers)
        if not isinstance(receive(table, chair, bet), Refusal):
            return bet
    return None


def stake_within(draws: RandomSource, stakes: Sequence[int], least: int, most: int | None) -> int:
    """Return a stake that is within the limits; the smallest one if none is."""
    fits = [stake for stake in stakes if least <= stake and (most is None or stake <= most)]
    return draws.choice(fits or [least])


def ways_to_decide(table: Table, chair: ch.Chair, seat: int) -> list[Option]:
    """Return the decisions of a player who was asked; none if the hand has a wrong number of cards."""
    return decisions(seat_options(table, players_state(chair), seat))


def wrong_number(seat: int) -> a.ReportIrregularity:
    """Return the dealer's report about a player who cannot decide."""
    return a.ReportIrregularity(kind="wrong number", at=f"seat {seat}")


def is_regular(table: Table, seen: RoleView) -> bool:
    """True if a player has the right number of cards to play by basic strategy."""
    own, board = len(seen.yours.cards[0]), len(seen.table.board)
    return own == table.hand_size and board in (0, FLOP, table.board_size)
