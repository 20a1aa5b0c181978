"""`solve --see`: the game for a player who sees cards before the first decision."""

from __future__ import annotations

from functools import partial

from rich.markup import escape

from houseway.cli.output import BadInputError, counting, write_json
from houseway.cli.print_helpers import console, exactly, percent, print_facts, shares
from houseway.engine.terms import Terms
from houseway.exact import Seen, seen
from houseway.report.solution_data import seen_document

WORDS = {(1, 0): "one card of the dealer's", (2, 0): "both of the dealer's cards",
         (1, 1): "one card of the dealer's and one of the flop's",
         (2, 1): "both of the dealer's cards and one of the flop's"}  # fmt: skip


def solve_seen(terms: Terms, see: str, *, threads: int, json: bool) -> int:
    """Solve the game for a player who sees these cards and print it."""
    dealer, flop = _read(see)
    found = seen(terms, dealer, flop, threads=threads or None, progress=counting("counting the deals"))
    if json:
        write_json(seen_document(found))
    else:
        _print(terms.rulebook.title, found)
    return 0


def _read(see: str) -> tuple[int, int]:
    written = {_written(*cards): cards for cards in WORDS}
    asked = see.replace(" ", "").lower()
    if asked not in written:
        sees = "a player sees one or both of the dealer's cards, and perhaps one of the flop's"
        raise BadInputError(f"--see {see}: {sees}; write {' or '.join(written)}")
    return written[asked]


def _written(dealer: int, flop: int) -> str:
    return f"dealer:{dealer}" + (f",flop:{flop}" if flop else "")


def _print(title: str, found: Seen) -> None:
    out = console(110)
    signed = partial(percent, sign="+")
    edge = (
        f"{signed(-found.edge)} of the ante, {signed(-found.edge_per_initial_bet)} of ante and blind, "
        f"{signed(-found.element_of_risk)} of every unit wagered"
    )
    out.print(f"[bold]{escape(title)}[/], main game, best play with cards seen")
    facts = (
        ("seen", WORDS[found.dealer, found.flop]),
        ("value", exactly(found.value)),
        ("player's edge", edge),
        ("without seeing", f"{signed(found.unseen)} of the ante; seeing is worth {signed(found.gain)}"),
        ("average bet", f"{float(found.average_bet):.6f} antes"),
        ("choices", shares(found.actions)),
        ("method", found.method),
        ("time", f"{found.seconds:.1f} s for {found.deals:,} deals"),
    )
    print_facts(out, facts)
    out.print(f"rulebook {found.hash}", style="dim")
