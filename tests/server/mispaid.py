"""A round over the API in which a person deals and pays the ante of seat 1 $3 too much."""

from __future__ import annotations

from houseway.client import House
from houseway.client.messages import OpenTable

OVERPAID = 300
"""Cents that the dealer pays too much."""


def play_a_mispaid_round(url: str, rulebook: str = "uth-sd") -> tuple[str, House, House, House]:
    """Play a round at a new table. Return the table, and the clients of its host, dealer and player."""
    host, dealer, guest = House(url), House(url), House(url)
    for client, handle in ((host, "Hana"), (dealer, "Dana"), (guest, "Gus")):
        client.introduce(handle)
    order = OpenTable(rulebook=rulebook, mode="device", dealer="person", house={"auto_approve": True})
    table = host.open_table(order).table
    dealer.accept(host.invite(table, "dealer").invitation)
    with guest.sit(table, 1) as player, dealer.at(table, "dealer") as chair:
        mispaid = False
        for n in range(90):
            chair.ping()
            player.ping()
            if chair.view.table.closed:
                return table, host, dealer, guest
            if not mispaid and any(w.wager == "ante" for w in chair.view.table.settled.values()):
                mispay = {"type": "Mispay", "seat": 1, "wager": "ante", "amount": OVERPAID}
                dealer.command(table, mispay, "mispay")
                mispaid = True
            elif chair.view.waits.why == "bets":
                player.send({"type": "Bet", "seat": 1, "wagers": {"ante": 500}})
                player.ready()
            elif chair.view.waits.why == "decision":
                player.send({"type": "Play", "seat": 1, "times": 4})
            else:
                dealer.command(table, chair.view.yours.choices[0].command, f"step {n}")
    raise AssertionError("the round does not end")
