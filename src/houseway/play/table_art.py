"""The table drawn with characters: cards, seats, settled lines; colour helps and is never alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from rich.text import Text

from houseway.engine.round_history import SettledWager
from houseway.money import exactly
from houseway.play.wager_words import named, signed

IVORY, SOFT, BRASS, DIM = "#F4EFE3", "#C6CEC8", "#E2C07A", "#98A59F"
CARD, EDGE, COVERED = "#FCFAF4", "#A79F8C", "#D9A7B0 on #7A2536"
INK = "#1B1E24"
SUITS = {"s": ("♠", INK), "h": ("♥", "#C0232C"), "d": ("♦", "#C0232C"), "c": ("♣", INK)}
FOUR = {**SUITS, "d": ("♦", "#1D5BB8"), "c": ("♣", "#1B7039")}
RESULT = {"win": "#8FE3B4", "lose": "#FFB7A5", "push": "#D5DBD5"}
CARD_ROWS = 4
CARD_COLUMNS = 5
ROOMY = 58
"""Columns from which a settled line shows its stake too; the clause is never left out."""


class Pen:
    """Draws cards in two colours or in four."""

    def __init__(self, *, four_colours: bool = False) -> None:
        self._suits = FOUR if four_colours else SUITS

    def small(self, face: str) -> Text:
        """A card in three columns."""
        suit, colour = self._suits[face[1]]
        return Text(f"{_rank(face):>2}{suit}", style=f"bold {colour} on {CARD}")

    def smalls(self, faces: Iterable[str]) -> Text:
        """Small cards side by side."""
        return Text(" ").join(map(self.small, faces))

    def row(self, faces: Sequence[str | None], slots: int = 0, chosen: Sequence[bool] = ()) -> list[Text]:
        """Cards side by side in four lines: None is a card face down; beyond them `slots` stay free."""
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
        middle = [f"{_rank(face):<3}", f" {suit} "]
        return [
            Text(top, style=edge),
            *(Text.assemble(("│", edge), (part, ink), ("│", edge)) for part in middle),
            Text(bottom, style=edge),
        ]


def _rank(face: str) -> str:
    return "10" if face[0] == "T" else face[0]


def beside(width: int, *blocks: tuple[int, Sequence[Text]]) -> list[Text]:
    """Blocks of lines next to each other, each at its column."""
    drawn = []
    for parts in zip_longest(*(lines for _, lines in blocks), fillvalue=Text()):
        line = Text()
        for (column, _), part in zip(blocks, parts, strict=True):
            line.pad_right(max(0, column - line.cell_len))
            line.append_text(part)
        line.truncate(width)
        drawn.append(line)
    return drawn


def joined(lines: Iterable[Text]) -> Text:
    """Lines as one text."""
    return Text("\n").join(lines)


def spread(left: Text, right: Text, width: int) -> Text:
    """A line with one end at each side."""
    left = left.copy()
    left.truncate(max(0, width - right.cell_len - 1), overflow="ellipsis")
    left.pad_right(max(0, width - left.cell_len - right.cell_len))
    return left.append_text(right)


def gained(net: int) -> str:
    """The colour of a gain, a loss or neither."""
    return RESULT["win" if net > 0 else "lose" if net < 0 else "push"]


def laid(wagers: Mapping[str, int], width: int) -> str:
    """Wagers at another place: in full where there is room, else by their first letters."""
    for letters, gap in ((20, " "), (2, ""), (1, "")):
        told = " ".join(f"{named(name)[:letters]}{gap}{_round(stake)}" for name, stake in wagers.items())
        if len(told) < width:
            break
    return told if wagers else "no wager"


def _round(stake: int) -> str:
    return str(stake // 100) if stake % 100 == 0 else exactly(stake)[1:]


def settled(lines: Sequence[SettledWager], selected: int, width: int) -> list[Text]:
    """Wagers as they were settled, one a line; the selected one is marked. Where there are several seats or
    hands a number says which."""
    drawn = []
    seats, split = len({line.seat for line in lines}) > 1, any(line.hand > 1 for line in lines)
    for n, line in enumerate(lines):
        style = RESULT[line.result]
        name = (f"{line.seat} " if seats else "") + named(line.wager) + (f" {line.hand}" if split else "")
        came = f"{line.result} {line.odds}"
        stake = f"{exactly(line.stake)[1:] if line.stake else '':>7} "
        text = Text.assemble(
            ("▸" if n == selected else " ", f"bold {BRASS}"),
            (f"{name:<12}", IVORY),
            (stake if width >= ROOMY else "", SOFT),
            (f"{came:<13}", style),
            (f"{signed(line.net):>10} ", f"bold {style}"),
            (line.clause or "", f"{BRASS} underline" if n == selected else BRASS),
            no_wrap=True,
        )
        text.truncate(width, overflow="ellipsis")
        drawn.append(text)
    return drawn
