"""The betting spots of a seat: bets that it can afford, and the error for an unknown bet."""

from __future__ import annotations

from collections.abc import Collection

from houseway.engine.legal import Spot
from houseway.money import spoken
from houseway.play.game import Game
from houseway.play.wager_words import citation
from houseway.rules.problems import suggest
from houseway.wording import alternatives, wager_name


def bet_example(game: Game) -> str:
    """Return words with the smallest bet of the seat: 'a bet such as "bet ante 5"'."""
    spot = affordable(game) or next(iter(game.view.yours.spots), None)
    bet = f"{wager_name(spot.wager)} {spoken(spot.least)[1:]}" if spot is not None else "ante 10"
    return f'a bet such as "bet {bet}"'


def affordable(game: Game) -> Spot | None:
    """Return the first bet that needs no other bet and that the seat has enough chips for, or None."""
    seat = game.view.table.seats.get(game.seat)
    copied = [name for _, name in game.table.terms.twins]
    for spot in game.view.yours.spots:
        # A bet costs its amount again for each bet that must equal it, as the blind must equal the ante.
        cost = spot.least * (1 + copied.count(spot.wager))
        if not spot.beside and seat is not None and cost <= seat.chips:
            return spot
    return None


def all_spots(game: Game) -> list[Spot]:
    """Return every spot of the table.

    Used while the seat may not bet: the bet is still sent, and the table refuses it with the clause.
    """
    terms = game.table.terms
    twins = {name for name, _ in terms.twins}
    amounts = {name: terms.exact_amount(name)[0] for name in terms.stakeable if name not in twins}
    return [Spot(name, amount or 1, amount, exact=amount is not None) for name, amount in amounts.items()]


def unknown_spot(game: Game, name: str, known: Collection[str]) -> str:
    """Return the error for a bet that this table does not have."""
    if twin := dict(game.table.terms.twins).get(name):
        book = game.table.book
        # The clauses are those with which the table refuses the bet.
        cited = citation(
            game.table.cite(book.wagers[name].alone or book.wagers[name].equals), book.borrowed()
        )
        return f"The {name} is placed with the {twin} and equals it. Bet on the {twin}.{cited}"
    if name[0].isdigit():
        return f"Say what to bet on: type {bet_example(game)}."
    names = list(map(wager_name, known))
    wager = game.table.book.wagers.get(name)
    if wager is not None and wager.later:
        later = f"You make the {name} bet on your turn, after you have seen your cards."
        return f"{later} Now you can bet {alternatives(names)}."
    return f"There is no bet called {name!r} at this table; {suggest(name, names)}"
