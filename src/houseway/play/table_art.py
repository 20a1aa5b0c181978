"""Draw cards and settled wagers with characters. No meaning depends on colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from rich.text import Text

from houseway.engine.round_history import SettledWager
from houseway.money import exactly, payment
from houseway.play.wager_words import signed
from houseway.rules.compare.value_words import brief
from houseway.rules.odds_words import odds_text
from houseway.wording import wager_name

IVORY, SOFT, BRASS, DIM = "#F4EFE3", "#C6CEC8", "#E2C07A", "#98A59F"
CARD, EDGE, COVERED = "#FCFAF4", "#A79F8C", "#D9A7B0 on #7A2536"
INK = "#1B1E24"
SUITS = {"s": ("♠", INK), "h": ("♥", "#C0232C"), "d": ("♦", "#C0232C"), "c": ("♣", INK)}
FOUR = {**SUITS, "d": ("♦", "#1D5BB8"), "c": ("♣", "#1B7039")}
RESULT = {"win": "#8FE3B4", "lose": "#FFB7A5", "push": "#D5DBD5"}
CARD_ROWS = 4
CARD_COLUMNS = 5
ROOMY = 58
"""The fewest columns in which a settled wager shows its stake."""


class Pen:
    """Draws cards in two colours or in four."""

    def __init__(self, *, four_colours: bool = False) -> None:
        self._suits = FOUR if four_colours else SUITS

    def small(self, face: str) -> Text:
        """Return one card in three columns."""
        suit, colour = self._suits[face[1]]
        return Text(f"{rank_text(face):>2}{suit}", style=f"bold {colour} on {CARD}")

    def small_cards(self, faces: Iterable[str]) -> Text:
        """Return small cards side by side."""
        return Text(" ").join(map(self.small, faces))

    def row(self, faces: Sequence[str | None], slots: int = 0, chosen: Sequence[bool] = ()) -> list[Text]:
        """Return cards side by side in four lines; None is a card face down. `slots` adds empty places."""
        lines = [Text() for _ in range(CARD_ROWS)]
        for n in range(max(len(faces), slots)):
            if n < len(faces):
                drawn = self._card(faces[n], raised=n < len(chosen) and chosen[n])
            else:
                drawn = [Text(row, style=f"dim {SOFT}") for row in ("╭╌╌╌╮", "╎   ╎", "╎   ╎", "╰╌╌╌╯")]
            for line, part in zip(lines, drawn, strict=True):
                line.append(" " if n else "")
                line.append_text(part)
        return lines

    def _card(self, face: str | None, *, raised: bool) -> list[Text]:
        if face is None:
            return [Text(row, style=COVERED) for row in ("╭───╮", "│░░░│", "│░░░│", "╰───╯")]
        suit, colour = self._suits[face[1]]
        edge = f"bold {INK} on {BRASS}" if raised else f"{EDGE} on {CARD}"
        ink = f"bold {colour} on {CARD}"
        top, bottom = ("╭─▲─╮", "╰─▲─╯") if raised else ("╭───╮", "╰───╯")
        middle = [f"{rank_text(face):<3}", f" {suit} "]
        return [
            Text(top, style=edge),
            *(Text.assemble(("│", edge), (part, ink), ("│", edge)) for part in middle),
            Text(bottom, style=edge),
        ]


def rank_text(face: str) -> str:
    """Return a card's rank as drawn: "10" for a ten, otherwise its letter or digit."""
    return "10" if face[0] == "T" else face[0]


def side_by_side(width: int, *blocks: tuple[int, Sequence[Text]]) -> list[Text]:
    """Return blocks of lines side by side, each at its column."""
    drawn = []
    for parts in zip_longest(*(lines for _, lines in blocks), fillvalue=Text()):
        line = Text()
        for (column, _), part in zip(blocks, parts, strict=True):
            line.pad_right(max(0, column - line.cell_len))
            line.append_text(part)
        line.truncate(width)
        drawn.append(line)
    return drawn


def join_lines(lines: Iterable[Text]) -> Text:
    """Return the lines as one text."""
    return Text("\n").join(lines)


def justify(left: Text, right: Text, width: int) -> Text:
    """Return one line with `left` and `right` at its ends."""
    left = left.copy()
    left.truncate(max(0, width - right.cell_len - 1), overflow="ellipsis")
    left.pad_right(max(0, width - left.cell_len - right.cell_len))
    return left.append_text(right)


def net_colour(net: int) -> str:
    """Return the colour for a win, a loss or neither."""
    return RESULT["win" if net > 0 else "lose" if net < 0 else "push"]


def wagers_text(wagers: Mapping[str, int], width: int) -> str:
    """Return another player's wagers in one line; the names are shortened if there is no room."""
    for letters, gap in ((20, " "), (2, ""), (1, "")):
        line = " ".join(f"{wager_name(name)[:letters]}{gap}{_round(bet)}" for name, bet in wagers.items())
        if len(line) < width:
            break
    return line if wagers else "no wager"


def _round(stake: int) -> str:
    return str(stake // 100) if stake % 100 == 0 else exactly(stake)[1:]


def settled_rows(
    lines: Sequence[SettledWager], selected: int, width: int, wording: str | None = None
) -> list[Text]:
    """Return the settled wagers, one per line, with the selected one marked.

    Seats and hands are numbered if there are several. `wording` is how the rulebook words odds.
    """
    drawn = []
    seats, split = len({line.seat for line in lines}) > 1, any(line.hand > 1 for line in lines)
    for n, line in enumerate(lines):
        style = RESULT[line.result]
        seat, hand = f"{line.seat} " if seats else "", f" {line.hand}" if split else ""
        odds = line.odds if odds_text(line.odds, wording) == line.odds else brief(payment(line.odds))
        result = f"{line.result} {odds}"
        kind = "tip " if line.for_dealer else "coupon " if line.coupon else ""
        # The stake of a tip and its winnings go to the dealer.
        net = -line.stake if line.for_dealer else line.net
        stake = f"{exactly(line.stake)[1:] if line.stake else '':>7} "
        text = Text.assemble(
            ("▸" if n == selected else " ", f"bold {BRASS}"),
            (f"{seat + kind + wager_name(line.wager) + hand:<12}", IVORY),
            (stake if width >= ROOMY else "", SOFT),
            (f"{result:<13}", style),
            (f"{signed(net):>10} ", f"bold {style}"),
            (line.clause or "", f"{BRASS} underline" if n == selected else BRASS),
            no_wrap=True,
        )
        text.truncate(width, overflow="ellipsis")
        drawn.append(text)
    return drawn
