"""What a player needs to check a round, as JSON for the verifier that knows nothing of this package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from houseway.shoe.interface import ShoeError
from houseway.shoe.sealed_shoe import SealedShoe
from houseway.wording import several

FORMAT: Final = "houseway-proofs-1"


class Deal(msgspec.Struct, frozen=True):
    """Cards that went off a shoe to one place of a round, as everybody at the table saw it."""

    round: int
    to: str
    """"seat 3", "dealer", "board", "burn"; after a mistake also "face up" and "drawn in error"."""
    count: int = 1


STUB: Final = Deal(0, "stub")
"""Where a card is that was not dealt."""


def round_proofs(shoe: SealedShoe, deals: Sequence[Deal], which: Iterable[int]) -> dict[str, Any]:
    """Proofs of the dealt cards that are named, 0 being the first card dealt, and of no others.

    `deals` is where all cards dealt from the shoe went, in order.
    """
    dealt = shoe.dealt
    named = sorted(set(which))
    for number in named:
        if not 0 <= number < len(dealt):
            raise ShoeError(f"card {number} cannot be proved: {len(dealt)} have been dealt, counted from 0")
    return _written(shoe, deals, named)


def shoe_proofs(shoe: SealedShoe, deals: Sequence[Deal]) -> dict[str, Any]:
    """Proofs of every card of the shoe, dealt or not: for surveillance, once the shoe is out of play."""
    return _written(shoe, deals, range(shoe.size))


def _written(shoe: SealedShoe, deals: Sequence[Deal], numbers: Sequence[int]) -> dict[str, Any]:
    places = [deal for deal in deals for _ in range(deal.count)]
    if len(places) != len(shoe.dealt):
        dealt = several(len(shoe.dealt), "card has", "cards have")
        raise ShoeError(f"{dealt} been dealt; the deals tell of {len(places)}")
    places += [STUB] * shoe.left
    sequence = shoe.sequence
    opened = shoe.proofs(sequence[number] for number in numbers)
    return {
        "format": FORMAT,
        "shoe": shoe.shoe_id,
        "size": shoe.size,
        "root": shoe.seal,
        "cuts": _cuts(shoe),
        "deals": [msgspec.structs.asdict(deal) for deal in deals],
        "cards": [
            {
                "dealt": number,
                "round": places[number].round,
                "to": places[number].to,
                "card": str(proof.card),
                "position": proof.position,
                "nonce": proof.nonce.hex(),
                "path": [beside.hex() for beside in proof.path],
            }
            for number, proof in zip(numbers, opened, strict=True)
        ],
    }


def _cuts(shoe: SealedShoe) -> list[dict[str, Any]]:
    """Cuts and players' cuts in order, each with the number of cards dealt before it."""
    found: list[dict[str, Any]] = []
    dealt = 0
    for act in shoe.acts:
        match act:
            case "take", count:
                dealt += count
            case "cut", count:
                found.append({"dealt": dealt, "count": count})
            case "permute", salts:
                by_seat = {str(seat): salt.hex() for seat, salt in sorted(salts.items())}
                found.append({"dealt": dealt, "salts": by_seat})
    return found
