"""A sealed shoe and the proofs of one round, as `verify.js` is tested with them.

`python -m js.proofs` writes `proofs.json` beside this file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from houseway.shoe import Deal, SealedShoe, round_proofs, shoe_id

PROOFS: Final = Path(__file__).with_name("proofs.json")
SALTS: Final = {2: bytes(range(16)), 5: bytes(range(16, 32))}
DEALS: Final = (
    Deal(1, "seat 2", 2),
    Deal(1, "seat 5", 2),
    Deal(1, "dealer", 2),
    Deal(1, "burn", 1),
    Deal(1, "board", 5),
)


def proofs() -> dict[str, Any]:
    """The proofs of the cards that seat 2 saw: its own, the dealer's and the board."""
    shoe = SealedShoe(bytes(range(32)), 1, shoe_id("table-7", 1, "red"))
    shoe.cut(17)
    shoe.permute(SALTS)
    shoe.take(sum(deal.count for deal in DEALS))
    return round_proofs(shoe, list(DEALS), [0, 1, 4, 5, 7, 8, 9, 10, 11])


def written() -> str:
    """The proofs as the file has them."""
    return json.dumps(proofs(), indent=1) + "\n"


if __name__ == "__main__":
    PROOFS.write_text(written(), encoding="utf-8")
