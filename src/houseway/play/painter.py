"""Draw the parts of the full-screen table from the state of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from houseway.engine import commands as c
from houseway.engine.round_history import SettledWager
from houseway.money import exactly, spoken
from houseway.play.decision import CardSelection
from houseway.play.event_text import Announcement
from houseway.play.game import Game, due_script
from houseway.play.seat_view import on_layout
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
    join_lines,
    justify,
    net_colour,
    settled_rows,
    side_by_side,
    wagers_text,
)
from houseway.play.wager_words import signed
from houseway.play.widgets import SpotCell
from houseway.rules.odds_words import wording
from houseway.wording import alternatives, several, wager_name

STEP = CARD_COLUMNS + 1
"""Columns from one card to the next."""
KEYS = {
    "bet": "←→ spot  ↑↓ chip  0-9 amount  {}  ? clause  F1 help  Q quit",
    "decide": "{}  V values  ? clause  H history  Y pays  F1 help  Q quit",
    "four": "1-4 or ←→ Space choose  {}  V values  ? clause  F1 help  Q quit",
    "over": "Space next round  ↑↓ line  ? its clause  H history  R review  F1 help  Q quit",
    "act": "Space next step  O another step  ? clause  H history  F1 help  Q quit",
    "cards": "type the cards that are shown, then press Enter · Ctrl-C quits",
    "": "Space skip pauses  ? clause  H history  F1 help  Q quit",
}


NOTED = 12
"""The digits of the seal and the salt that the table shows; the E key shows all of them."""
SHORT = {"Sit this round out": "sit out"}
"""Short labels for choices whose first word is unclear in the key line."""
LINES = 6
"""The settled wagers that fit; the arrow keys scroll to the others."""


class Painter:
    """Draws one game; each method returns one part of the screen."""

    def __init__(self, game: Game, pen: Pen) -> None:
        self.game = game
        self.pen = pen
        self.first = 0
        """The index of the topmost settled wager."""
        mode, hidden = game.table.mode, ("envy", *game.link.unoffered)
        self.wagers = [
            name
            for name, wager in game.table.book.wagers.items()
            if name not in hidden and (wager.modes is None or mode in wager.modes.value)
        ]

    @property
    def mine(self) -> list[SettledWager]:
        """The player's settled wagers; those of all seats if the person has no seat."""
        seats = self.game.seats
        return [line for line in self.game.round.lines if not seats or line.seat in seats]

    @property
    def own_width(self) -> int:
        """Columns that the player's cards take."""
        return max(len(self._own_faces()), 2) * STEP

    def _own_faces(self) -> list[str | None]:
        """Return the cards at the current seat; None for each card that is face down."""
        game = self.game
        seat = game.view.table.seats.get(game.seat)
        known = [face for n in (1, 2) for face in game.round.hands.get((game.seat, n), ())]
        if not game.round.view.closed:
            known = [face for hand in game.view.yours.cards for face in hand] or known
        count = sum(hand.cards for hand in seat.hands.values()) if seat is not None else 0
        return [*known] or [None] * count

    def top(self, width: int) -> Text:
        """Return the top line: the rulebook, the clock, the round and the bankroll."""
        game = self.game
        left = Text.assemble(("♠ houseway  ", f"bold {BRASS}"), (game.table.book.title, SOFT))
        seat = game.view.table.seats.get(game.seat)
        chips = exactly(seat.chips) if seat is not None else ""
        clock = "" if game.clock is None else f"{game.clock} s  "
        number = f"round {game.view.table.round}  "
        right = Text.assemble((clock, f"bold {BRASS}"), (number, DIM), (chips, f"bold {IVORY}"))
        return justify(left, right, width)

    def board(self, width: int) -> Text:
        """Return the dealer's cards, the board and the meters."""
        round_, table, view = self.game.round, self.game.table, self.game.view.table
        dealer: list[str | None] = list(round_.dealer or [None] * view.dealer_cards)
        down = 0 if round_.view.closed else view.board_down
        faces: list[str | None] = [*round_.view.board, *[None] * down]
        middle = max((width - 5 * STEP) // 2, table.dealer_size * STEP + 3)
        right = middle + 5 * STEP + 1
        head = Text.assemble(("DEALER ", f"bold {SOFT}"), (round_.dealer_hand_text(table), f"bold {IVORY}"))
        sign = Text("PROGRESSIVE" if view.meters else "", style=f"bold {SOFT}")
        blocks = side_by_side(
            width,
            (0, self.pen.row(dealer, 0 if dealer else table.dealer_size)),
            (middle, self.pen.row(faces, table.board_size)),
            (right, self._signs(width - right)),
        )
        return join_lines([justify(head, sign, width), *blocks])

    def _signs(self, width: int) -> list[Text]:
        """Return the meters, and the Cover All odds once the hands are counted."""
        table = self.game.view.table
        lines = []
        for name, amount in table.meters.items():
            meter = exactly(amount) if len(table.meters) == 1 else f"{name} {exactly(amount)}"
            lines.append(Text(meter.rjust(width), style=f"bold {BRASS}"))
        odds = " ".join(text.partition(" ")[0] for text in table.payouts.values())
        if odds and width >= 15:
            lines += [Text("cover all pays".rjust(width), style=SOFT), Text(odds.rjust(width), style=IVORY)]
        return lines

    def voice(self, announcement: Announcement, width: int) -> Text:
        """Return the dealer's words and their clause."""
        words = announcement.text
        # Two lines, less a margin for words that wrap early.
        most = 2 * width - len(announcement.clause or "") - 16
        if len(words) > most:
            words = words[:most] + "…"
        clause = f"  {announcement.clause}" if announcement.clause else ""
        return Text.assemble((words, IVORY), (clause, f"not italic {BRASS}"))

    def turn(self) -> Announcement:
        """Return the player's own prompt, with the clause of a choice."""
        game = self.game
        whose = "Your" if game.you else f"Seat {game.seat}'s"
        options = game.options()
        clause = next((option.clause for option in options if option.clause), None)
        if game.table.shootout:
            splits = any(isinstance(option.command, c.Split) for option in options)
            text = "keep two of your four cards" + ", or split them into two hands" * splits
        else:
            text = alternatives(
                [
                    f"play {option.command.times}×" if isinstance(option.command, c.Play) else option.says
                    for option in options
                    if not (isinstance(option.command, c.Play) and option.command.tip)
                ]
            )
        return Announcement("table", f"{whose} turn: {text}.", clause)

    def pod(self, number: int, width: int) -> Text:
        """Return another player's place: name, cards, wagers and result."""
        table, round_ = self.game.view.table, self.game.round
        seat, net = table.seats[number], round_.view.net.get(number)
        right = Text(spoken(seat.chips), style=SOFT)
        if net is not None:
            right = Text(signed(net).removesuffix(".00"), style=net_colour(net))
        mark = f"{'▸' if table.awaits(number) else ' '}{number}"
        left = Text.assemble((mark, f"bold {BRASS}"), (f" {seat.player}", f"bold {IVORY}"))
        cards = Text(" ")
        for n, hand in seat.hands.items():
            covered = [Text("░░", style=COVERED)] * hand.cards
            cards.append("  " if n > 1 else "")
            cards.append_text(self.pen.small_cards(hand.faces) if hand.faces else Text(" ").join(covered))
        words = round_.calls(self.game.table, (number, 1)) if round_.view.closed or round_.dealer else ""
        # A folded hand stays hidden.
        fate = seat.act if seat.act == "folded" else words or seat.act
        wagers = Text(f" {wagers_text(seat.bets, width)}", style=SOFT)
        lines = [justify(left, right, width), cards, wagers, Text(f" {fate}", style=IVORY)]
        for line in lines:
            line.truncate(width, overflow="ellipsis")
        return join_lines(lines)

    def own(self, selection: CardSelection) -> Text:
        """Return the player's cards, with the cursor under them while two of four are picked."""
        game = self.game
        if not game.seat:
            return Text("")
        faces = self._own_faces()
        marks = [n in selection.marked for n in range(len(faces))] if selection.choosing else []
        slots = 2 if not game.table.shootout else 0
        drawn = self.pen.row(faces, slots or (0 if faces else game.table.hand_size), marks)
        at = " " * (selection.at * STEP + 2) + "▲" if selection.choosing else ""
        return join_lines([*drawn, Text(at, style=f"bold {BRASS}")])

    def name(self, width: int) -> Text:
        """Return the line over the player's cards: the last act, the hand, and the result or the seal."""
        game = self.game
        if not game.seat:
            return Text("The dealer's chair", style=f"bold {BRASS}")
        turn = "▸" if game.view.table.awaits(game.seat) else " "
        player = "You" if game.you or game.positions else f"Player {game.seat}"
        words = [game.round.calls(game.table, (game.seat, n)) for n in (1, 2)]
        setting = game.table.shootout and game.view.table.awaits(game.seat)
        act = "keep two of your four cards" if setting else game.round.act(game.seat)
        if (game.view.table.dealer_cards or game.round.view.closed) and not game.round.bets(game.seat):
            act = "sitting this round out"
        status = [act, "" if act == "folded" else " / ".join(filter(None, words))]
        left = Text.assemble(
            (f"{turn}{game.seat} ", f"bold {BRASS}"),
            (player, f"bold {IVORY}"),
            ("".join(f" · {part}" for part in status if part), IVORY),
        )
        net = game.round.view.net.get(game.seat)
        if net is None:
            # The seal and the salt, until the player has acted.
            round_ = game.round
            marks = {"sealed": round_.view.seal, "salt": round_.salt} if not any(status) else {}
            noted = "  ".join(f"{name} {mark[:NOTED]}…" for name, mark in marks.items() if mark)
            return justify(left, Text(noted, style=DIM), width)
        return justify(left, Text(f"{signed(net)} this round", style=f"bold {net_colour(net)}"), width)

    def lines(self, revealed: int, selected: int, width: int, rows: int = LINES) -> Text:
        """Return the revealed settled wagers that fit.

        Before the first is revealed, a person in the dealer's chair gets the script instead.
        """
        drawn = settled_rows(self.mine[:revealed], selected, width, wording(self.game.table.book))
        if not drawn and self.game.chair:
            return self._dealer_notes()
        self.first = max(0, min(selected, len(drawn) - rows))
        below = len(drawn) - self.first - rows
        visible = drawn[self.first : self.first + rows]
        if below > 0:
            # The arrow can replace the selection mark, because the last line is not the selected one.
            visible[-1] = Text("▾", style=f"bold {BRASS}").append_text(visible[-1][1:])
        return join_lines(visible)

    def _dealer_notes(self) -> Text:
        """Return the dealer's script for the next step."""
        lines = [(line.says, line.clause or "") for line in due_script(self.game)]
        return join_lines(Text.assemble((says, IVORY), (f"  {clause}", BRASS)) for says, clause in lines)

    def spot(self, cell: SpotCell, stakes: Stakes, *, betting: bool) -> None:
        """Draw the stake on a spot; while betting, the stake about to be placed."""
        game = self.game
        twin = dict(game.table.terms.twins).get(cell.wager)
        if not betting:
            tip = on_layout(game.view, game.seat)[1].get(cell.wager, 0)
            note = f"tip {spoken(tip)}" if tip else ""
            cell.show(game.round.bets(game.seat).get(cell.wager, 0), None, selected=False, note=note)
            return
        spot = next((spot for spot in game.view.yours.spots if spot.wager == cell.wager), None)
        stake, note = stakes.wagers.get(twin or cell.wager, 0), f"= {wager_name(twin)}" if twin else ""
        tip, tipped = stakes.tips.get(cell.wager, 0), stakes.tipping == cell.wager
        if tip or tipped:
            note = f"tip {spoken(tip) if tip else '–'}"
        elif stakes.coupon and cell.wager == "ante":
            note = "coupon"
        selected = tipped if stakes.tipping else stakes.wager == cell.wager
        cell.show(stake, None if tip or tipped or note == "coupon" else spot, selected=selected, note=note)

    def log(self, announcements: Sequence[Announcement]) -> Text:
        """Return the announcements of the round, for the side panel."""
        colours = {
            "dealer": f"italic {SOFT}",
            "table": IVORY,
            "paid": IVORY,
            "round": f"bold {BRASS}",
            "coach": BRASS,
        }
        lines = []
        for announcement in announcements:
            style = RESULT.get(announcement.result, colours[announcement.kind])
            clause = f" {announcement.clause}" if announcement.clause else ""
            lines.append(Text.assemble((announcement.text, style), (clause, BRASS)))
        return join_lines(lines)

    def waits(self) -> str:
        """Return what the table waits for, if there is no choice to offer."""
        prompt = self.game.prompt
        if prompt is not None and prompt.kind == "cards":
            return prompt.text or f"Type {several(prompt.cards, 'card')} for {prompt.place}"
        return self.game.waiting

    def keys(self, choices: Iterable[tuple[str, str]]) -> str:
        """Return the key line for the prompt, with the keys of the offered choices (label and key)."""
        kind = self.game.prompt_kind
        four = kind == "decide" and self.game.table.shootout
        offered: dict[str, list[str]] = {}
        for label, key in choices:
            if key:
                word = SHORT.get(label) or label.partition(" ")[0].rstrip(":").lower()
                offered.setdefault(word, []).append(key)
        actions = "  ".join(f"{' '.join(keys)} {word}" for word, keys in offered.items())
        return KEYS.get("four" if four else kind, KEYS[""]).format(actions).replace("    ", "  ")
