"""Print a settled round: the cards, the hands, and every wager with its clause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from houseway.cards import Card, cards
from houseway.engine.settle_json import Window
from houseway.engine.settlement import DealerRead, HandRead, Settlement, SettlementLine
from houseway.engine.terms import Terms
from houseway.money import cents, spoken
from houseway.rules.odds_words import odds_text, wording

RESULT_STYLE = {"win": "green", "lose": "red", "push": "yellow"}
NUMBERS = ("seat", "stake", "net", "staked", "returned")
"""Right-aligned columns."""
SUIT_STYLE = ("default", "red", "red", "default")


def show_settlement(
    data: Mapping[str, Any], window: Window, settled: Settlement, console: Console | None = None
) -> None:
    """Print a settled round. It must have been settled with `show_cards` on."""
    console = console or Console(highlight=False, markup=False)
    # Never truncate amounts; a narrow terminal wraps the lines instead.
    console.width = max(console.width, 80)
    terms, _ = window.terms(data["rulebook"], data)
    console.print(Text(terms.rulebook.title, style="bold"), _terms_line(terms, settled))
    console.print(_hands(settled))
    console.print(_lines(settled, wording(terms.rulebook)))
    console.print(_totals(settled))
    for sentence in _remarks(settled, data.get("meters") or {}):
        console.print(sentence)


def _terms_line(terms: Terms, settled: Settlement) -> Text:
    """Return the deal mode and the pay tables of the wagers made."""
    wagers = {line.wager for line in settled.lines}
    chosen = [
        f"{kind} {name}"
        for kind, name in terms.tables.items()
        if kind in wagers and kind != "envy" and len(terms.rulebook.tables[kind]) > 1
    ]
    return Text(f"({', '.join([f'{terms.mode} deal', *chosen])})", style="dim")


def cards_text(cards: tuple[Card, ...]) -> Text:
    """Return cards in the colours of their suits."""
    return Text(" ").join(Text(str(card), f"bold {SUIT_STYLE[card.suit]}") for card in cards)


def _hands(settled: Settlement) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_row("board", cards_text(cards(settled.board or "")), "")
    dealer = settled.dealer
    note = {None: "", True: ", qualifies", False: ", does not qualify"}[dealer.qualifies]
    table.add_row("dealer", *_hand_cells(dealer, note))
    for hand in settled.hands:
        table.add_row(_hand_name(hand), *_hand_cells(hand, ", folded" if hand.folded else ""))
    return table


def _hand_cells(hand: HandRead | DealerRead, note: str) -> tuple[Text, str]:
    return cards_text(cards(hand.cards or "")), f"{hand.words}{note}  ({hand.plays})"


def _hand_name(hand: HandRead) -> str:
    name = f"seat {hand.seat}" + (f".{hand.hand}" if hand.hand > 1 else "")
    return f"{name}, {hand.player}" if hand.player else name


def _table(*columns: str) -> Table:
    table = Table(header_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, justify="right" if column in NUMBERS else "left")
    return table


def _lines(settled: Settlement, odds_wording: str | None) -> Table:
    table = _table("seat", "wager", "stake", "result", "odds", "net", "clause")
    for line in settled.lines:
        style = RESULT_STYLE[line.result]
        seat = f"{line.seat}.{line.hand}" if line.hand > 1 else str(line.seat)
        odds = odds_text(line.odds, odds_wording) + (f", cut {spoken(cents(line.cut))}" if line.cut else "")
        table.add_row(
            seat, _wager(line, settled), line.stake, Text(line.result, style=style), odds,
            Text(_signed(line.net), style=style), line.clause,
        )  # fmt: skip
    return table


def _wager(line: SettlementLine, settled: Settlement) -> str:
    """Return a wager's name, with the hand that decides it if it is not the seat's own hand."""
    name = line.wager.replace("_", " ")
    if line.for_whom:
        return f"{name}, for the dealer"
    if line.coupon:
        return f"{name}, coupon {spoken(cents(line.coupon))}"
    if line.from_hand:
        return f"{name}, from seat {line.from_hand['seat']}"
    read = next(h for h in settled.hands if (h.seat, h.hand) == (line.seat, line.hand))
    decided = {"cover_all": settled.highest, "progressive": read.first_five}.get(line.wager)
    return name if decided in (None, read.reads) else f"{name}, on {decided}"


def _signed(amount: str) -> str:
    return amount if amount.startswith("-") or amount == "0.00" else f"+{amount}"


def _totals(settled: Settlement) -> Table:
    table = _table("seat", "staked", "returned", "net")
    for seat in settled.seats:
        style = "red" if seat.net.startswith("-") else "green" if seat.net != "0.00" else "yellow"
        table.add_row(str(seat.seat), seat.staked, seat.returned, Text(_signed(seat.net), style=style))
    return table


def _remarks(settled: Settlement, meters: Mapping[str, Any]) -> list[str]:
    """Return sentences about limits, approvals, meters, tips and the house way."""
    remarks = []
    for c in settled.caps:
        due, paid = spoken(cents(c.due)), spoken(cents(c.paid))
        remarks.append(f"Limit: seat {c.seat} was due {due} and is paid {paid} ({c.clause}).")
    for a in settled.approvals:
        paid = f"{a.wager} at seat {a.seat} before it is paid {spoken(cents(a.amount))}"
        remarks.append(f"Approval: the {a.who} must approve {paid} ({a.clause}).")
    for name, shown in settled.meters.items():
        start = "" if name in meters else " (no amount was given, so it began at its starting amount)"
        remarks.append(f"Meter {name} now shows {spoken(cents(shown))}{start}.")
    if settled.dealer_tips != "0.00":
        tips = f"The dealer gets {spoken(cents(settled.dealer_tips))} in tips"
        remarks.append(f"{tips}; tips count as staked by the seat, never as returned.")
    if settled.house_way:
        unchallenged = "no player challenged the hand, so it counts"
        remarks.append(f"The house way would have kept {settled.house_way}; {unchallenged}.")
    remarks += [f"Note: {warning}." for warning in settled.warnings]
    return remarks
