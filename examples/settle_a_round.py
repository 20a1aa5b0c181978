"""Settle one round and print the result of every wager, with its clause."""

import houseway

paid = houseway.settle(
    {
        "rulebook": "uth-ma",
        "board": "Qh Jh Th 2c 2d",
        "dealer": "9s 9d",
        "seats": [{"seat": 1, "hole": "Ah Kh", "ante": "10", "trips": "5", "play": 4}],
    }
)
assert isinstance(paid, houseway.Settlement)
for line in paid.lines:
    print(f"{line.wager:<8} {line.result:<5} {line.odds or '':<10} {line.net:>9}  {line.clause}")
