"""A bot that connects to a house over the network, opens a table and plays.

Pass the address of a house and a style (best, practical, beginner, random). Without an address, the program
starts its own house.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from houseway.bots import Style
from houseway.client import House, HouseError
from houseway.client.messages import OpenTable
from houseway.live.remote_bot import RemoteBot

PORT = "8470"
ROUNDS = 3


@contextmanager
def own_house() -> Iterator[str]:
    """Run a house that stops with the program."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "houseway", "serve", "--port", PORT, "--db", f"{folder}/house.db"]
        serving = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            yield f"http://127.0.0.1:{PORT}"
        finally:
            serving.terminate()
            serving.wait()


def connect(url: str) -> House:
    """Connect to the house as soon as it answers; handles are unique, so each run uses a new one."""
    until = time.monotonic() + 60
    while True:
        try:
            house = House(url)
            house.introduce(f"bot {time.time_ns() % 10**9}")
            return house
        except HouseError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def play(url: str, style: Style = "practical") -> None:
    """Open a table, sit down and print the result of each round."""
    house = connect(url)
    table = house.open_table(OpenTable(rulebook="uth-ma", clock=0))
    with closing(RemoteBot(house, table.table, style)) as bot:
        for round_ in bot.play(ROUNDS):
            print(f"round {round_.round}: board {' '.join(round_.board)}, dealer {' '.join(round_.dealer)}")
            for line in round_.settled.values():
                net = f"{line.net / 100:+.2f}"
                print(f"  {line.wager:<6} {line.result:<5} {net:>8}  {line.reason} [{line.clause}]")


if len(sys.argv) > 1:
    play(sys.argv[1], *sys.argv[2:3])  # type: ignore[arg-type]
else:
    with own_house() as address:
        play(address)
