"""Settle a round in which the dealer does not qualify, under every rulebook of Ultimate Texas Hold'em."""

import houseway

ROUND = {
    "board": "Qd 9s 7h 4c 2d",
    "dealer": "Ac 8c",
    "seats": [{"seat": 1, "hole": "Kh 5s", "ante": "5", "trips": "5", "play": 1}],
}

for name in houseway.rulebook_ids():
    if houseway.load(name).game == "ultimate":
        paid = houseway.settle({"rulebook": name, **ROUND})
        assert isinstance(paid, houseway.Settlement)
        payments = ", ".join(f"{x.wager} {x.net} ({x.clause})" for x in paid.lines)
        print(f"{name:<9} {payments}")
