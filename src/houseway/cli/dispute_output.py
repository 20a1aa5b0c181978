"""Print a disputed round: the discard rack, the amounts paid and due, and the check of the shuffle."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from houseway.audit.dispute import VOID, Dispute, DisputedWager, RackedHand
from houseway.cards import UNSEEN, cards
from houseway.cli.settlement_output import RESULT_STYLE, cards_text
from houseway.money import dollars, spoken
from houseway.rules.odds_words import odds_text
from houseway.wording import several

NUMBERS = ("seat", "stake", "paid", "due", "difference")
"""Right-aligned columns."""


def show_dispute(dispute: Dispute) -> None:
    """Print a disputed round."""
    console = Console(highlight=False, markup=False)
    # Never truncate amounts; a narrow terminal wraps the lines instead.
    console.width = max(console.width, 80)
    console.print(f"Round {dispute.number} at {dispute.stream}, {dispute.at}")
    console.print(Text(dispute.title, style="bold"))
    console.print("\nThe discard rack, from the bottom up")
    console.print(_rack(dispute))
    if dispute.wagers:
        console.print("\nWagers, in the order of settlement")
        console.print(_wagers(dispute))
    console.print()
    for sentence in sentences(dispute):
        console.print(sentence)


def _rack(dispute: Dispute) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for hand in dispute.hands:
        words = f"{hand.reads}{' (not the cards dealt to this place)' if hand.differs else ''}"
        table.add_row(f"  {hand.place}", _faces(hand), words)
    return table


def _faces(hand: RackedHand) -> Text | str:
    """Return the cards of a place; at a real table, some or all of them may not have been seen."""
    seen = [face for face in hand.cards if face != str(UNSEEN)]
    unseen = f"{several(hand.count - len(seen), 'card')}, not seen"
    if not seen:
        return unseen
    faces = cards_text(cards(" ".join(seen)))
    return faces if len(seen) == hand.count else Text.assemble(faces, f", {unseen}")


def _wagers(dispute: Dispute) -> Table:
    table = Table(header_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    # Without a difference, its column is left out, so that amounts and clauses fit into 80 columns.
    last = ("difference", "clause") if dispute.difference else ("clause",)
    for column in ("seat", "wager", "stake", "result", "odds", "paid", "due", *last):
        justify: JustifyMethod = "right" if column in NUMBERS else "left"
        table.add_column(column, justify=justify, overflow="fold", no_wrap=column in (*NUMBERS, "clause"))
    for wager in dispute.wagers:
        differences = [_signed(wager.difference) if wager.difference else ""] if dispute.difference else []
        table.add_row(
            f"{wager.seat}.{wager.hand}" if wager.hand > 1 else str(wager.seat),
            wager.wager.replace("_", " ") + (" (dealer's)" if wager.for_dealer else ""),
            dollars(wager.stake),
            Text(wager.result, style=RESULT_STYLE.get(wager.result, "")),
            odds_text(wager.odds, dispute.odds_wording),
            _signed(wager.paid),
            "" if wager.due is None else _signed(wager.due),
            *differences,
            wager.clause or "",
        )
    return table


def _signed(amount: int) -> str:
    return f"{'+' if amount > 0 else ''}{dollars(amount)}"


def sentences(dispute: Dispute) -> Iterator[str]:
    """Yield the result of the dispute in sentences."""
    wrong = [wager for wager in dispute.wagers if wager.difference]
    yield from map(_mistake, wrong)
    if not wrong and any(wager.due is not None for wager in dispute.wagers):
        yield "Every wager was paid as the rules say."
    if dispute.proved:
        matching = several(dispute.proved, "card matches", "cards match")
        yield f"{matching} the seal of the shuffle ({dispute.seal[:12]}…)."
    for note in dispute.notes:
        yield f"{note[0].upper()}{note[1:]}." if note == VOID else f"Not checked: {note}."


def _mistake(wager: DisputedWager) -> str:
    """Return a sentence about a wager that was not paid as the rules say."""
    cited = f" ({wager.clause})" if wager.clause else ""
    name, amount = wager.wager.replace("_", " "), spoken(abs(wager.difference))
    if wager.difference > 0:
        return f"The house owes seat {wager.seat} {amount} on the {name}{cited}."
    return f"Seat {wager.seat} was paid {amount} too much on the {name}{cited}."
