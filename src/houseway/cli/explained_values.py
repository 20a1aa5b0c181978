"""The values of the decisions in a recorded round, for `houseway audit explain --values`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from houseway.audit.roles import SURVEILLANCE
from houseway.audit.store import Store
from houseway.cli.output import BadInputError
from houseway.cli.review_output import review_lines
from houseway.engine.evolve import seat_of
from houseway.school.game_values import GameValues, game_values
from houseway.school.recorded_rounds import rounds_in_record
from houseway.school.review_data import review_data
from houseway.school.round_review import ReviewedRound, review_round

SeatReview = tuple[GameValues, ReviewedRound]


def reviewed_seats(store: Store, stream: str, number: int, role: str) -> list[SeatReview]:
    """Return the reviews of a closed round that a role may see: its own seat's, or every seat's for
    surveillance."""
    if not seat_of(role) and role != SURVEILLANCE:
        raise BadInputError(
            "--values needs --as seat:N or --as surveillance, because the values need hidden cards"
        )
    wanted = seat_of(role)
    found = []
    for terms, played in rounds_in_record(store, stream):
        if played.number == number and wanted in (0, played.seat):
            game = game_values(terms)
            found.append((game, review_round(game, played)))
    if not found:
        raise BadInputError(f"--values: round {number} is not closed, so it cannot be reviewed yet")
    return found


def values_lines(reviews: Sequence[SeatReview]) -> Iterator[str]:
    """Yield the reviews as lines of text."""
    for game, review in reviews:
        yield ""
        yield from review_lines(game, review)


def values_data(reviews: Sequence[SeatReview]) -> list[dict[str, Any]]:
    """Return the reviews as JSON data."""
    return [review_data(game, review) for game, review in reviews]
