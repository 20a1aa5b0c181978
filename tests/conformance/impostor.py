"""A program that settles wrongly in a chosen way, to test that the runner notices: `python impostor.py WAY`."""

import json
import sys
import time
from typing import Any

import msgspec

from houseway.engine.settle_json import Window


def cents(amount: str) -> int:
    """An amount in cents."""
    sign = -1 if amount.startswith("-") else 1
    whole, part = amount.lstrip("-").split(".")
    return sign * (int(whole) * 100 + int(part))


def push(line: dict[str, Any]) -> None:
    """Make a line a push."""
    line.update(result="push", net="0.00")


def lose(line: dict[str, Any]) -> None:
    """Make a line a loss."""
    line.update(result="lose", net=f"-{line['stake']}")


def spoil(way: str, answer: dict[str, Any]) -> None:
    """Settle one kind of line wrongly."""
    folded = {x["seat"] for x in answer["lines"]} - {
        x["seat"] for x in answer["lines"] if x["wager"] == "play"
    }
    for line in answer["lines"]:
        if way == "straight-push" and line["wager"] == "blind" and line.get("odds") == "1 to 1":
            push(line)
        if way == "ties-lose" and line["result"] == "push" and line["wager"] == "play":
            lose(line)
    if way == "no-trips-on-fold":
        answer["lines"] = [x for x in answer["lines"] if x["wager"] != "trips" or x["seat"] not in folded]
    for total in answer["seats"]:
        lines = [x for x in answer["lines"] if x["seat"] == total["seat"] and "for" not in x]
        net = sum(cents(x["net"]) for x in lines)
        total["net"] = f"{'-' if net < 0 else ''}{abs(net) // 100}.{abs(net) % 100:02d}"


def main(way: str) -> None:
    """Answer each round in the way named on the command line."""
    window = Window()
    if way == "sleeps":
        time.sleep(600)
    for n, text in enumerate(sys.stdin):
        if way == "stops" and n == 10:
            sys.exit("the settler fell asleep")
        if way == "garbage":
            sys.stdout.write("seat 1 wins a lot\n")
            continue
        if way == "chatters":
            sys.stdout.write("{}\n" * 50)
            continue
        answer = msgspec.json.decode(msgspec.json.encode(window.settle(json.loads(text))))
        if "refused" in answer and way == "never-refuses":
            answer = {"lines": [], "seats": []}
        elif "lines" in answer:
            spoil(way, answer)
        sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
