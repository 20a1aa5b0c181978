"""A sealed shoe and the proofs of one round: test data for `verify.js`.

`python -m js.proofs` writes `proofs.json` and `committed.json` beside this file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from houseway.engine.players_cut import commitment
from houseway.shoe import Commitment, Commitments, Deal, SealedShoe, round_proofs, shoe_id

PROOFS: Final = Path(__file__).with_name("proofs.json")
COMMITTED: Final = Path(__file__).with_name("committed.json")
SALTS: Final = {2: bytes(range(16)), 5: bytes(range(16, 32))}
DEALS: Final = (
    Deal(1, "seat 2", 2),
    Deal(1, "seat 5", 2),
    Deal(1, "dealer", 2),
    Deal(1, "burn", 1),
    Deal(1, "board", 5),
)


def proofs(*, committed: bool = False) -> dict[str, Any]:
    """The proofs of the cards that seat 2 saw: its own, the dealer's and the board.

    With `committed`, both seats committed to their salts in events 10 and 11, betting closed in event 12, and
    they opened them in events 14 and 15.
    """
    shoe = SealedShoe(bytes(range(32)), 1, shoe_id("table-7", 1, "red"))
    shoe.cut(17)
    shoe.permute(SALTS)
    shoe.take(sum(deal.count for deal in DEALS))
    by_seat = {
        seat: Commitment(commitment(shoe.seal, seat, salt.hex()), 10 + n, 14 + n)
        for n, (seat, salt) in enumerate(SALTS.items())
    }
    cuts = [Commitments(12, by_seat)] if committed else None
    return round_proofs(shoe, list(DEALS), [0, 1, 4, 5, 7, 8, 9, 10, 11], cuts)


def written(*, committed: bool = False) -> str:
    """The proofs as the file has them."""
    return json.dumps(proofs(committed=committed), indent=1) + "\n"


if __name__ == "__main__":
    PROOFS.write_text(written(), encoding="utf-8")
    COMMITTED.write_text(written(committed=True), encoding="utf-8")
