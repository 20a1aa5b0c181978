"""Proofs for checking a round, as JSON for the standalone verifier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, Final

import msgspec

from houseway.shoe.sealed_shoe import SealedShoe
from houseway.shoe.shoe import ShoeError
from houseway.wording import several

FORMAT: Final = "houseway-proofs-1"
COMMITTED_FORMAT: Final = "houseway-proofs-2"
"""The format of a shoe whose players commit to their salts first."""


class Deal(msgspec.Struct, frozen=True):
    """Cards dealt from a shoe to one place in a round. Everyone at the table saw the deal."""

    round: int
    to: str
    """"seat 3", "dealer", "board", "burn"; after a mistake also "face up" and "drawn in error"."""
    count: int = 1


class Commitment(msgspec.Struct, frozen=True):
    """A seat's commitment to a salt, with the numbers of the events that recorded and opened it."""

    commitment: str
    committed: int
    opened: int


class Commitments(msgspec.Struct, frozen=True):
    """The commitments to the salts of a players' cut, and the number of the event that closed betting."""

    closed: int
    by_seat: dict[int, Commitment]


STUB: Final = Deal(0, "stub")
"""The place of cards that were not dealt."""


def round_proofs(
    shoe: SealedShoe,
    deals: Sequence[Deal],
    which: Iterable[int],
    commitments: Sequence[Commitments] | None = None,
) -> dict[str, Any]:
    """Return proofs of the dealt cards numbered in `which` (from 0), and of no other cards.

    `deals` lists where all cards dealt from the shoe went, in order. `commitments` lists the commitments of
    each players' cut, in order; None at a table that takes salts in the clear.
    """
    dealt = shoe.dealt
    numbers = sorted(set(which))
    for number in numbers:
        if not 0 <= number < len(dealt):
            count = several(len(dealt), "card")
            raise ShoeError(f"card {number} was not dealt; the shoe has dealt {count}, numbered from 0")
    return _proofs(shoe, deals, numbers, commitments)


def shoe_proofs(shoe: SealedShoe, deals: Sequence[Deal]) -> dict[str, Any]:
    """Return proofs of every card, dealt or not, for surveillance after the shoe is out of play."""
    return _proofs(shoe, deals, range(shoe.size))


def _proofs(
    shoe: SealedShoe,
    deals: Sequence[Deal],
    numbers: Sequence[int],
    commitments: Sequence[Commitments] | None = None,
) -> dict[str, Any]:
    places = [deal for deal in deals for _ in range(deal.count)]
    if len(places) != len(shoe.dealt):
        dealt = several(len(shoe.dealt), "card has", "cards have")
        raise ShoeError(f"{dealt} been dealt, but the deals list {len(places)}")
    places += [STUB] * shoe.left
    sequence = shoe.sequence
    opened = shoe.proofs(sequence[number] for number in numbers)
    return {
        "format": FORMAT if commitments is None else COMMITTED_FORMAT,
        "shoe": shoe.shoe_id,
        "size": shoe.size,
        "root": shoe.seal,
        "cuts": _cuts(shoe, commitments),
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


def _cuts(shoe: SealedShoe, commitments: Sequence[Commitments] | None) -> list[dict[str, Any]]:
    """Return the dealer's and players' cuts in order, each with the number of cards dealt before it."""
    cuts: list[dict[str, Any]] = []
    dealt = 0
    committed: Iterator[dict[str, Any]] = (
        iter(map(_committed, commitments)) if commitments is not None else repeat({})
    )
    for act in shoe.acts:
        match act:
            case "take", count:
                dealt += count
            case "cut", count:
                cuts.append({"dealt": dealt, "count": count})
            case "permute", salts:
                by_seat = {str(seat): salt.hex() for seat, salt in sorted(salts.items())}
                cuts.append({"dealt": dealt, "salts": by_seat, **next(committed)})
    return cuts


def _committed(cut: Commitments) -> dict[str, Any]:
    by_seat = {str(seat): msgspec.structs.asdict(record) for seat, record in sorted(cut.by_seat.items())}
    return {"closed": cut.closed, "commitments": by_seat}
