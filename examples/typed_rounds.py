"""Settle rounds typed as text, and print what each seat won or lost."""

import houseway
from houseway.audit.history_rounds import read_rounds

TEXT = """
houseway history 1
table: uth-ma, manual, trips B

round the first
seat 1 Ann: As Ah, ante 10, trips 5, plays 4x
seat 2 Bob: 7c 2d, ante 10, folds
dealer: Qc 3s
flop: Qd 9s 7h
turn: 4c
river: 2h
"""

for typed in read_rounds(TEXT):
    paid = houseway.settle(typed.data)
    if isinstance(paid, houseway.Settlement):
        for seat, line in zip(typed.data["seats"], paid.seats, strict=True):
            print(f"{typed.name}: {seat['player']} {line.net}")
