"""The whole table drawn from the game: what goes where on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from houseway.engine.round_history import SettledWager
from houseway.money import exactly, spoken
from houseway.play.decision import Chosen
from houseway.play.event_text import Announcement
from houseway.play.game import Game
from houseway.play.stakes import Stakes
from houseway.play.table_art import (
    BRASS,
    CARD_COLUMNS,
    COVERED,
    DIM,
    IVORY,
    RESULT,
    SOFT,
    Pen,
    beside,
    gained,
    joined,
    laid,
    settled,
    spread,
)
from houseway.play.wager_words import named, signed
from houseway.play.widgets import SpotCell

STEP = CARD_COLUMNS + 1
"""Columns from one card to the next."""
KEYS = {
    "bet": "←→ spot  ↑↓ chip  0-9 stake  {}  ? clause  F1 help  Q quit",
    "decide": "{}  ? clause  H history  Y pays  F1 help  Q quit",
    "four": "1-4 or ←→ Space choose  {}  ? clause  H history  F1 help  Q quit",
    "over": "Space next round  ↑↓ line  ? its clause  H history  Y pays  F1 help  Q quit",
    "act": "Space the act that is due  O another act  ? clause  H history  F1 help  Q quit",
    "cards": "type the cards as they are dealt, then Enter · Ctrl-C quits",
    "": "Space shows all at once  ? clause  H history  F1 help  Q quit",
}


NOTED = 12
"""Digits of a seal and a salt that the table shows; E shows all."""
SHORT = {"Sit this round out": "sit out"}
"""Choices whose first word does not tell them on the line of keys."""
LINES = 6
"""Settled lines there is room for; the others come up with the arrow keys."""


class Painter:
    """Draws one game."""

    def __init__(self, game: Game, pen: Pen) -> None:
        self.game = game
        self.pen = pen
        self.first = 0
        """The settled line on top."""
        mode, hidden = game.table.mode, ("envy", *game.link.unoffered)
        self.wagers = [
            name
            for name, wager in game.table.book.wagers.items()
            if name not in hidden and (wager.modes is None or mode in wager.modes.value)
        ]

    @property
    def mine(self) -> list[SettledWager]:
        """The settled lines of the player; of everybody where the person does not sit."""
        you = self.game.you
        return [line for line in self.game.seen.lines if you in (0, line.seat)]

    @property
    def own_width(self) -> int:
        """Columns that the own cards take."""
        return max(len(self._own_faces()), 2) * STEP

    def _own_faces(self) -> list[str | None]:
        game = self.game
        lies = game.view.table.seats.get(game.seat)
        known = [face for n in (1, 2) for face in game.seen.hands.get((game.seat, n), ())]
        if not game.seen.view.closed:
            known = [face for hand in game.view.yours.cards for face in hand] or known
        count = sum(hand.cards for hand in lies.hands.values()) if lies is not None else 0
        return [*known] or [None] * count

    def top(self, width: int) -> Text:
        """Who plays what, and the bankroll."""
        game = self.game
        left = Text.assemble(("♠ houseway  ", f"bold {BRASS}"), (game.table.book.title, SOFT))
        seat = game.view.table.seats.get(game.seat)
        chips = exactly(seat.chips) if seat is not None else ""
        clock = "" if game.clock is None else f"{game.clock} s  "
        number = f"round {game.view.table.round}  "
        right = Text.assemble((clock, f"bold {BRASS}"), (number, DIM), (chips, f"bold {IVORY}"))
        return spread(left, right, width)

    def board(self, width: int) -> Text:
        """The dealer's cards, the board, the meters."""
        seen, table, lies = self.game.seen, self.game.table, self.game.view.table
        dealer: list[str | None] = list(seen.dealer or [None] * lies.dealer_cards)
        down = 0 if seen.view.closed else lies.board_down
        faces: list[str | None] = [*seen.view.board, *[None] * down]
        middle = max((width - 5 * STEP) // 2, table.dealer_size * STEP + 3)
        right = middle + 5 * STEP + 1
        head = Text.assemble(("DEALER ", f"bold {SOFT}"), (seen.dealer_calls(table), f"bold {IVORY}"))
        sign = Text("PROGRESSIVE" if lies.meters else "", style=f"bold {SOFT}")
        blocks = beside(
            width,
            (0, self.pen.row(dealer, 0 if dealer else table.dealer_size)),
            (middle, self.pen.row(faces, table.board_size)),
            (right, self._signs(width - right)),
        )
        return joined([spread(head, sign, width), *blocks])

    def _signs(self, width: int) -> list[Text]:
        """The meters, and what Cover All pays once the hands are counted."""
        lies = self.game.view.table
        lines = []
        for name, amount in lies.meters.items():
            meter = exactly(amount) if len(lies.meters) == 1 else f"{name} {exactly(amount)}"
            lines.append(Text(meter.rjust(width), style=f"bold {BRASS}"))
        odds = " ".join(text.partition(" ")[0] for text in lies.payouts.values())
        if odds and width >= 15:
            lines += [Text("cover all pays".rjust(width), style=SOFT), Text(odds.rjust(width), style=IVORY)]
        return lines

    def voice(self, said: Announcement, width: int) -> Text:
        """The dealer's words, and the clause they rest on."""
        words = said.text
        # Two lines, less what breaking them may cost.
        most = 2 * width - len(said.clause or "") - 16
        if len(words) > most:
            words = words[:most] + "…"
        clause = f"  {said.clause}" if said.clause else ""
        return Text.assemble((words, IVORY), (clause, f"not italic {BRASS}"))

    def pod(self, number: int, width: int) -> Text:
        """Another player's place: who sits there, the cards, what lies there, what became of it."""
        lies, seen = self.game.view.table, self.game.seen
        seat, net = lies.seats[number], seen.view.net.get(number)
        right = Text(spoken(seat.chips), style=SOFT)
        if net is not None:
            right = Text(signed(net).removesuffix(".00"), style=gained(net))
        mark = f"{'▸' if lies.turn == number else ' '}{number}"
        left = Text.assemble((mark, f"bold {BRASS}"), (f" {seat.player}", f"bold {IVORY}"))
        cards = Text(" ")
        for n, hand in seat.hands.items():
            covered = [Text("░░", style=COVERED)] * hand.cards
            cards.append("  " if n > 1 else "")
            cards.append_text(self.pen.smalls(hand.faces) if hand.faces else Text(" ").join(covered))
        words = seen.calls(self.game.table, (number, 1)) if seen.view.closed or seen.dealer else ""
        # What a folded hand would have made is nobody's business.
        fate = seat.act if seat.act == "folded" else words or seat.act
        wagers, result = Text(f" {laid(seat.bets, width)}", style=SOFT), Text(f" {fate}", style=IVORY)
        lines = [spread(left, right, width), cards, wagers, result]
        for line in lines:
            line.truncate(width, overflow="ellipsis")
        return joined(lines)

    def own(self, chosen: Chosen) -> Text:
        """The player's cards and what they make."""
        game = self.game
        if not game.seat:
            return Text("")
        faces = self._own_faces()
        marks = [n in chosen.marked for n in range(len(faces))] if chosen.choosing else []
        slots = 2 if not game.table.shootout else 0
        drawn = self.pen.row(faces, slots or (0 if faces else game.table.hand_size), marks)
        at = " " * (chosen.at * STEP + 2) + "▲" if chosen.choosing else ""
        return joined([*drawn, Text(at, style=f"bold {BRASS}")])

    def name(self, width: int) -> Text:
        """Whose place it is, what the cards make, what the round came to."""
        game = self.game
        if not game.seat:
            return Text("The dealer's chair", style=f"bold {BRASS}")
        turn = "▸" if game.view.table.turn == game.seat else " "
        player = "You" if game.you else f"Player {game.seat}"
        words = [game.seen.calls(game.table, (game.seat, n)) for n in (1, 2)]
        setting = game.table.shootout and game.view.table.turn == game.seat
        act = "keep two of your four cards" if setting else game.seen.act(game.seat)
        if (game.view.table.dealer_cards or game.seen.view.closed) and not game.seen.bets(game.seat):
            act = "sitting this round out"
        told = [act, "" if act == "folded" else " / ".join(filter(None, words))]
        left = Text.assemble(
            (f"{turn}{game.seat} ", f"bold {BRASS}"),
            (player, f"bold {IVORY}"),
            ("".join(f" · {part}" for part in told if part), IVORY),
        )
        net = game.seen.view.net.get(game.seat)
        if net is None:
            # Until the player has acted: what the cards are sealed with, and what was put into their cut.
            seen = game.seen
            marks = {"sealed": seen.view.seal, "salt": seen.salt} if not (told[0] or told[1]) else {}
            noted = "  ".join(f"{name} {mark[:NOTED]}…" for name, mark in marks.items() if mark)
            return spread(left, Text(noted, style=DIM), width)
        return spread(left, Text(f"{signed(net)} this round", style=f"bold {gained(net)}"), width)

    def lines(self, revealed: int, selected: int, width: int, rows: int = LINES) -> Text:
        """The settled wagers as far as they are revealed and there are rows for them."""
        drawn = settled(self.mine[:revealed], selected, width)
        if not drawn and self.game.chair:
            return self._prompt()
        self.first = max(0, min(selected, len(drawn) - rows))
        below = len(drawn) - self.first - rows
        seen = drawn[self.first : self.first + rows]
        if below > 0:
            # In front, where a line that is not selected has room.
            seen[-1] = Text("▾", style=f"bold {BRASS}").append_text(seen[-1][1:])
        return joined(seen)

    def _prompt(self) -> Text:
        """What the dealer has to say and do now."""
        notes = self.game.view.yours.notes
        lines = [(line.says, line.clause or "") for line in notes.script] if notes is not None else []
        return joined(Text.assemble((says, IVORY), (f"  {clause}", BRASS)) for says, clause in lines)

    def spot(self, cell: SpotCell, stakes: Stakes, *, betting: bool) -> None:
        """What lies on a spot, or is about to."""
        game = self.game
        twin = dict(game.table.terms.twins).get(cell.wager)
        if not betting:
            cell.show(game.seen.bets(game.seat).get(cell.wager, 0), None, selected=False)
            return
        spot = next((spot for spot in game.view.yours.spots if spot.wager == cell.wager), None)
        stake, note = stakes.wagers.get(twin or cell.wager, 0), f"= {named(twin)}" if twin else ""
        cell.show(stake, spot, selected=stakes.wager == cell.wager, note=note)

    def log(self, told: Sequence[Announcement]) -> Text:
        """The round as it was told, for the panel."""
        colours = {"dealer": f"italic {SOFT}", "table": IVORY, "paid": IVORY, "round": f"bold {BRASS}"}
        lines = []
        for one in told:
            style = RESULT.get(one.result, colours[one.kind])
            lines.append(Text.assemble((one.text, style), (f" {one.clause}" if one.clause else "", BRASS)))
        return joined(lines)

    def waits(self) -> str:
        """What the table waits for, where nothing can be pressed."""
        awaited = self.game.awaited
        if awaited is not None and awaited.why == "cards":
            return f"{awaited.cards} for {awaited.place}"
        return self.game.waiting

    def keys(self, ways: Iterable[tuple[str, str]]) -> str:
        """The keys that matter now; of those that do something, the ones on offer, by label and key."""
        why = self.game.why
        four = why == "decide" and self.game.table.shootout
        offered: dict[str, list[str]] = {}
        for label, key in ways:
            if key:
                word = SHORT.get(label) or label.partition(" ")[0].lower()
                offered.setdefault(word, []).append(key)
        told = "  ".join(f"{' '.join(keys)} {word}" for word, keys in offered.items())
        return KEYS.get("four" if four else why, KEYS[""]).format(told).replace("    ", "  ")
