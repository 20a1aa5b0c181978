"""The story of a round names a seat once and joins the wagers of a hand that have the same result."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.engine import events as e
from houseway.narrate.narrator import Scene, narrate
from houseway.narrate.render import RECORD, render
from houseway.narrate.sentence_groups import retold
from houseway.ranking import CLASSES


def settled(wager: str, result: str, seat: int = 3, stake: int = 500, **more: Any) -> e.WagerSettled:
    back = {"win": 2 * stake, "push": stake, "lose": 0}[result]
    won: dict[str, Any] = {"won": stake, "odds": "1 to 1"} if result == "win" else {}
    fields: dict[str, Any] = {"hand": 1, "stake": stake, "back": back}
    return e.WagerSettled(seat=seat, wager=wager, result=result, **fields | won | more)


def told(*events: e.Event) -> str:
    """Return a passage about these events, in the record's voice."""
    sentences = [sentence for event in events for sentence in narrate(event, Scene(CLASSES))]
    return " ".join(f"{render(sentence, RECORD)}." for sentence in retold(sentences))


@pytest.mark.parametrize(
    ("events", "says"),
    [
        # The ante and the play wager win together, and the blind pushes.
        (
            (settled("ante", "win"), settled("blind", "push"), settled("play", "win", stake=1_000)),
            "Seat 3's ante and play won 1 to 1: $15. The blind of $5 pushed.",
        ),
        # Everything loses after a hand that is named.
        (
            (settled("trips", "push"), settled("ante", "lose"), settled("blind", "lose")),
            "Seat 3's trips bet of $5 pushed. The ante and blind lost: $10.",
        ),
        # Different odds stay apart, and a tip for the dealer is never joined.
        (
            (
                settled("ante", "win"),
                settled("trips", "win", odds="3 to 1", won=1_500, back=2_000),
                settled("ante", "win", for_dealer=True),
            ),
            (
                "Seat 3's ante of $5 won 1 to 1: $5. The trips bet of $5 won 3 to 1: $15. "
                "The $5 tip on seat 3's ante won 1 to 1: $5 for the dealer."
            ),
        ),
        # A payout limit is told with its own wager.
        (
            (settled("ante", "win", cut=100, won=400, back=900), settled("play", "win")),
            "Seat 3's ante of $5 won 1 to 1: $4; a payout limit took off $1. The play wager of $5 won 1 to 1: $5.",
        ),
        # Each seat is named.
        (
            (settled("ante", "lose"), settled("ante", "lose", seat=2)),
            "Seat 3's ante of $5 lost. Seat 2's ante of $5 lost.",
        ),
        # The second hand of a split is named as such.
        (
            (settled("wager", "win"), settled("wager", "win", hand=2), settled("bonus", "push", hand=2)),
            (
                "Seat 3's wager of $5 won 1 to 1: $5. Seat 3's second wager of $5 won 1 to 1: $5. "
                "The second bonus of $5 pushed."
            ),
        ),
    ],
)
def test_a_passage_names_the_seat_once(events: tuple[e.Event, ...], says: str) -> None:
    assert told(*events) == says
