"""The whole table drawn from the game: what goes where on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from houseway.engine.round_history import SettledWager
from houseway.money import exactly
from houseway.play.drawing import (
    BRASS,
    CARD_COLUMNS,
    DIM,
    IVORY,
    RESULT,
    SOFT,
    Pen,
    beside,
    gained,
    joined,
    pod,
    settled,
    spread,
)
from houseway.play.game import Game
from houseway.play.hand import Chosen
from houseway.play.port import Awaited
from houseway.play.stakes import Stakes
from houseway.play.telling import Said
from houseway.play.widgets import SpotCell
from houseway.play.words import named, signed

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
        self.wagers = [name for name in game.table.terms.rulebook.wagers if self._offered(name)]

    def _offered(self, name: str) -> bool:
        table = self.game.table
        modes = table.book.wagers[name].modes
        offered = name != "envy" and name not in self.game.link.unoffered
        return offered and (modes is None or table.mode in modes.value)

    @property
    def mine(self) -> list[SettledWager]:
        """The settled lines of the player; of everybody where the person does not sit."""
        you = self.game.you
        return [line for line in self.game.seen.lines if you in (0, line.seat)]

    @property
    def own_width(self) -> int:
        """Columns that the own cards take."""
        most = max((len(self._own_faces()), 2))
        return most * STEP

    def _own_faces(self) -> list[str | None]:
        game = self.game
        lies = game.view.table.seats.get(game.seat)
        known = [face for n in (1, 2) for face in game.seen.hands.get((game.seat, n), ())]
        if not game.seen.closed:
            known = [face for hand in game.view.yours.cards for face in hand] or known
        count = sum(hand.cards for hand in lies.hands.values()) if lies is not None else 0
        if known:
            return list(known)
        return [None] * count

    def top(self, width: int) -> Text:
        """Who plays what, and the bankroll."""
        game = self.game
        left = Text.assemble(("♠ houseway  ", f"bold {BRASS}"), (game.table.book.title, SOFT))
        seat = game.view.table.seats.get(game.seat)
        chips = exactly(seat.chips) if seat is not None else ""
        clock = "" if game.clock is None else f"{game.clock} s  "
        right = Text.assemble(
            (clock, f"bold {BRASS}"), (f"round {game.view.table.round}  ", DIM), (chips, f"bold {IVORY}")
        )
        return spread(left, right, width)

    def board(self, width: int) -> Text:
        """The dealer's cards, the board, the meters."""
        game, table = self.game, self.game.table
        lies = game.view.table
        dealer: list[str | None] = list(game.seen.dealer or [None] * lies.dealer_cards)
        up = game.seen.board
        faces: list[str | None] = [*up, *([None] * (lies.board_down if not game.seen.closed else 0))]
        middle = max((width - 5 * STEP) // 2, table.dealer_size * STEP + 3)
        calls = game.seen.dealer_calls(table)
        head = Text.assemble(("DEALER ", f"bold {SOFT}"), (calls, f"bold {IVORY}"))
        return joined(
            [
                spread(head, self._sign_head(), width),
                *beside(
                    width,
                    (0, self.pen.row(dealer, 0 if dealer else table.dealer_size)),
                    (middle, self.pen.row(faces, table.board_size)),
                    (middle + 5 * STEP + 1, self._signs(width - middle - 5 * STEP - 1)),
                ),
            ]
        )

    def _sign_head(self) -> Text:
        meters = self.game.view.table.meters
        return Text("PROGRESSIVE" if meters else "", style=f"bold {SOFT}")

    def _signs(self, width: int) -> list[Text]:
        """The meters, and what Cover All pays once the hands are counted."""
        lines = [
            Text(
                f"{'' if len(self.game.view.table.meters) == 1 else name + ' '}{exactly(amount)}".rjust(
                    width
                ),
                style=f"bold {BRASS}",
            )
            for name, amount in self.game.view.table.meters.items()
        ]
        odds = " ".join(text.partition(" ")[0] for text in self.game.view.table.payouts.values())
        if odds and width >= 15:
            lines += [Text("cover all pays".rjust(width), style=SOFT), Text(odds.rjust(width), style=IVORY)]
        return lines

    def voice(self, said: Said, width: int) -> Text:
        """The dealer's words, and the clause they rest on."""
        words = said.text
        # Two lines, less what breaking them may cost.
        most = 2 * width - len(said.clause or "") - 16
        if len(words) > most:
            words = words[:most] + "…"
        return Text.assemble(
            (words, IVORY), (f"  {said.clause}" if said.clause else "", f"not italic {BRASS}")
        )

    def pod(self, number: int, width: int) -> Text:
        """Another player's place."""
        lies = self.game.view.table
        seat = lies.seats.get(number)
        if seat is None:
            return Text("")
        return pod(
            self.pen, self.game.table, number, seat, self.game.seen, width - 1, turn=lies.turn == number
        )

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
        if (game.view.table.dealer_cards or game.seen.closed) and not game.seen.bets(game.seat):
            act = "sitting this round out"
        told = [act, "" if act == "folded" else " / ".join(filter(None, words))]
        left = Text.assemble(
            (f"{turn}{game.seat} ", f"bold {BRASS}"),
            (player, f"bold {IVORY}"),
            ("".join(f" · {part}" for part in told if part), IVORY),
        )
        net = game.seen.net.get(game.seat)
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
        lines = notes.script if notes is not None else ()
        return joined(
            Text.assemble((line.says, IVORY), (f"  {line.clause or ''}", BRASS)) for line in lines
        )

    def spot(self, cell: SpotCell, stakes: Stakes, *, betting: bool) -> None:
        """What lies on a spot, or is about to."""
        game = self.game
        twin = dict(game.table.terms.twins).get(cell.wager)
        spot = next((s for s in game.spots() if s.wager == cell.wager), None) if betting else None
        if betting:
            stake = stakes.wagers.get(twin or cell.wager, 0)
            note = f"= {named(twin)}" if twin else ""
        else:
            stake = game.seen.bets(game.seat).get(cell.wager, 0)
            note = ""
        cell.show(stake, spot, selected=betting and stakes.wager == cell.wager, note=note)

    def log(self, told: Sequence[Said], width: int) -> Text:
        """The round as it was told, for the panel."""
        colours = {"dealer": f"italic {SOFT}", "table": IVORY, "paid": IVORY, "round": f"bold {BRASS}"}
        lines = []
        for one in told:
            style = RESULT.get(one.result, colours[one.kind])
            lines.append(Text.assemble((one.text, style), (f" {one.clause}" if one.clause else "", BRASS)))
        return joined(lines)

    def waits(self, awaited: Awaited | None) -> str:
        """What the table waits for, where nothing can be pressed."""
        if awaited is not None and awaited.why == "cards":
            return f"{awaited.cards} for {awaited.place}"
        return self.game.waiting

    def keys(self, awaited: Awaited | None, ways: Iterable[tuple[str, str]]) -> str:
        """The keys that matter now; of those that do something, the ones on offer, by label and key."""
        why = awaited.why if awaited is not None else ""
        four = why == "decide" and self.game.table.shootout
        offered: dict[str, list[str]] = {}
        for label, key in ways:
            if key:
                word = SHORT.get(label) or label.partition(" ")[0].lower()
                offered.setdefault(word, []).append(key)
        told = "  ".join(f"{' '.join(keys)} {word}" for word, keys in offered.items())
        return KEYS.get("four" if four else why, KEYS[""]).format(told).replace("    ", "  ")
