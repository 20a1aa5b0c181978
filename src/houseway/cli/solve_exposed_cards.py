"""`solve --see`: solve the game for a player who sees dealer or flop cards early."""

from __future__ import annotations

from functools import partial

from rich.markup import escape

from houseway.cli.output import BadInputError, counting, write_json
from houseway.cli.print_helpers import console, exactly, percent, print_facts, shares
from houseway.engine.terms import Terms
from houseway.exact import Exposure, seen
from houseway.report.solution_data import seen_document

WORDS = {(1, 0): "one of the dealer's cards", (2, 0): "both of the dealer's cards",
         (1, 1): "one of the dealer's cards and one flop card",
         (2, 1): "both of the dealer's cards and one flop card"}  # fmt: skip


def solve_exposed(terms: Terms, see: str, *, threads: int | None, json: bool) -> int:
    """Solve the game for a player who sees these cards, and print the result."""
    dealer, flop = _read(see)
    result = seen(terms, dealer, flop, threads=threads, progress=counting("counting the deals"))
    if json:
        write_json(seen_document(result))
    else:
        _print(terms.rulebook.title, result)
    return 0


def _read(see: str) -> tuple[int, int]:
    choices = {_choice(*cards): cards for cards in WORDS}
    choice = see.replace(" ", "").lower()
    if choice not in choices:
        raise BadInputError(f"--see must be {' or '.join(choices)} (got {see!r})")
    return choices[choice]


def _choice(dealer: int, flop: int) -> str:
    return f"dealer:{dealer}" + (f",flop:{flop}" if flop else "")


def _print(title: str, result: Exposure) -> None:
    out = console(110)
    signed = partial(percent, sign="+")
    edge = (
        f"{signed(-result.edge)} of the ante, {signed(-result.edge_per_initial_bet)} of ante and blind, "
        f"{signed(-result.element_of_risk)} of every unit wagered"
    )
    out.print(f"[bold]{escape(title)}[/], main game, best play with exposed cards")
    facts = (
        ("seen", WORDS[result.dealer, result.flop]),
        ("value", exactly(result.value)),
        ("player's edge", edge),
        (
            "without seeing",
            f"{signed(result.unseen)} of the ante; seeing the cards gains {signed(result.gain)}",
        ),
        ("average bet", f"{float(result.average_bet):.6f} antes"),
        ("choices", shares(result.actions)),
        ("method", result.method),
        ("time", f"{result.seconds:.1f} s for {result.deals:,} deals"),
    )
    print_facts(out, facts)
    out.print(f"rulebook hash {result.hash}", style="dim")
