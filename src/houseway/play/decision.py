"""A player's decision from the keyboard: check, play or fold, or which of four cards to keep."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from houseway.cards import Card, cards
from houseway.engine import commands as c
from houseway.engine.legal import Option
from houseway.money import spoken
from houseway.play.game import Game
from houseway.play.seat_view import on_layout, play_command
from houseway.play.stakes import AMOUNT, DIGITS, typed_cents
from houseway.play.table_art import SUITS, rank_text
from houseway.play.wager_words import fold_cost

KEYS: dict[str, type[c.Check | c.Fold | c.Challenge]] = {"C": c.Check, "F": c.Fold, "!": c.Challenge}
HAND_KEYS = {"k": "K", "K": "K", "s": "S", "S": "Shift-S"}
"""Keys that keep or split four cards, and the names the bar shows for them."""
FOUR = 4


def _glyphs(cards: Sequence[Card]) -> str:
    """Return cards with suit symbols, as on the drawn cards: "10♠ 5♦"."""
    return " ".join(f"{rank_text(face)}{SUITS[face[1]][0]}" for face in map(str, cards))


def fold_words(game: Game) -> str:
    """Return what a fold gives up at the current seat: ": lose $20"; empty without wagers."""
    lost = fold_cost(game.table, on_layout(game.view, game.seat)[0])
    return f": lose {spoken(lost)}" if lost else ""


def _label(command: c.Command) -> str:
    """Return the label of a way to set the hand: "Keep 8♠ 5♦", "Split 8♠ 8♦ / 5♦ 5♣"."""
    if isinstance(command, c.Split):
        return f"Split {_glyphs(command.first)} / {_glyphs(command.second)}"
    return f"Keep {_glyphs(command.cards)}" if isinstance(command, c.Keep) else ""


class CardSelection:
    """The cards a player has marked, and the keys that mark, keep and split them."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.at = 0
        self.marked: list[int] = []
        self.tipping = False
        """True if a play includes a tip play for the dealer."""
        self.bonus: int | None = None
        """Cents on the second hand's bonus; None for the maximum."""
        self._typing: str | None = None
        """The bonus typed so far; None while digit keys mark cards."""

    @property
    def choosing(self) -> bool:
        """True if the player has four cards to keep or split."""
        return self._game.prompt_kind == "decide" and len(self._own()) == FOUR

    def _own(self) -> tuple[str, ...]:
        cards = self._game.view.yours.cards
        return cards[0] if cards else ()

    def clear(self) -> None:
        """Unmark all cards, and turn the tip play off."""
        self.at, self.marked, self.tipping, self.bonus, self._typing = 0, [], False, None, None

    def may_tip(self, options: Sequence[Option]) -> bool:
        """True if the player may add a tip play for the dealer now."""
        deciding = self._game.prompt_kind == "decide"
        return deciding and any(isinstance(o.command, c.Play) and o.command.tip for o in options)

    def toggle_tip(self) -> None:
        """Turn the tip play on or off."""
        self.tipping = not self.tipping

    def key(self, key: str) -> bool:
        """Move the cursor, mark a card, type the bonus or switch the tip play; False for other keys."""
        if key in ("d", "D") and self.may_tip(self._game.options()):
            self.toggle_tip()
            return True
        if not self.choosing:
            return False
        if key in ("b", "B") and self._arrangement("Shift-S", self._game.options()) is not None:
            self._typing = "" if self._typing is None else None
        elif self._typing is not None and key in (*DIGITS, "backspace", "enter", "space"):
            self._type(key)
        elif key in ("left", "right"):
            self.at = (self.at + (1 if key == "right" else -1)) % FOUR
        elif key in ("space", "enter", "1", "2", "3", "4"):
            self.at = int(key) - 1 if key.isdigit() else self.at
            if self.at in self.marked:
                self.marked.remove(self.at)
            else:
                self.marked = [*self.marked[-1:], self.at]
        else:
            return False
        return True

    def _type(self, key: str) -> None:
        """Add a digit to the second hand's bonus or delete one; Enter and Space end the amount."""
        typed = self._typing or ""
        if key in ("enter", "space"):
            self._typing = None
            return
        typed = typed[:-1] if key == "backspace" else typed + key
        if AMOUNT.fullmatch(typed):
            self._typing, self.bonus = typed, typed_cents(typed) or None

    def bar_choices(self, options: Sequence[Option]) -> list[tuple[str, str, Option]]:
        """Return the choices for the bar: label, key and option."""
        choices = []
        for option in options:
            command = option.command
            if isinstance(command, (c.Keep, c.Split)):
                continue
            if isinstance(command, c.Play):
                if bool(command.tip) == self.tipping:
                    tip = " + tip" if command.tip else ""
                    choices.append((f"Play {command.times}×{tip}", str(command.times), option))
            else:
                key = next((key for key, kind in KEYS.items() if isinstance(command, kind)), "")
                loses = fold_words(self._game) if isinstance(command, c.Fold) else ""
                choices.append((f"{option.says.capitalize()}{loses}", key, option))
        for key in dict.fromkeys(HAND_KEYS.values()):
            arrangement = self._arrangement(key, options)
            if arrangement is not None:
                bonus = ""
                if key == "Shift-S" and arrangement.amount is not None:
                    bonus = f" + bonus {spoken(self.bonus or arrangement.amount.most or 0)}"
                    arrangement = self._with_bonus(arrangement)
                choices.insert(0, (f"{_label(arrangement.command)}{bonus}", key, arrangement))
        return choices

    def _arrangement(self, key: str, options: Sequence[Option]) -> Option | None:
        """Return the option of a key: keep the two marked cards, or split.

        A split puts the two marked cards in one hand; without two marks, it keeps pairs together.
        """
        own = self._own()
        marked = sorted(own[n] for n in self.marked if n < len(own))
        splits = []
        for option in options:
            command = option.command
            if key == "K" and isinstance(command, c.Keep) and sorted(map(str, command.cards)) == marked:
                return option
            if key != "K" and isinstance(command, c.Split) and bool(command.bonus) == (key == "Shift-S"):
                hands = [sorted(map(str, hand)) for hand in (command.first, command.second)]
                paired = command.first[0].rank == command.first[1].rank
                if marked in hands if len(marked) == 2 else paired:
                    # The marked hand comes first: the original bonus belongs to it.
                    splits.append((len(marked) == 2 and marked != hands[0], option))
        return min(splits, key=lambda split: split[0])[1] if splits else None

    def _with_bonus(self, option: Option) -> Option:
        """Return the option with the bonus that the player typed for the second hand."""
        command = option.command
        if self.bonus is None or not isinstance(command, c.Split) or not command.bonus:
            return option
        typed = msgspec.structs.replace(command, bonus=self.bonus)
        return msgspec.structs.replace(
            option, command=typed, costs=option.costs - command.bonus + self.bonus
        )

    def command(self, key: str, options: Sequence[Option]) -> c.Command | None:
        """Return the command for a key, legal or not; None if the key has no command."""
        seat = self._game.seat
        if key.upper() in KEYS:
            return KEYS[key.upper()](seat=seat)
        if key.isdigit() and key != "0":
            return play_command(self._game.view, self._game.seat, int(key), None if self.tipping else 0)
        hand_key = HAND_KEYS.get(key)
        if hand_key is None:
            return None
        option = self._arrangement(hand_key, options)
        if option is not None:
            return self._with_bonus(option).command
        four = cards(" ".join(self._own()))
        if hand_key == "K":
            return c.Keep(seat=seat, cards=tuple(four[n] for n in self.marked if n < len(four)))
        return c.Split(seat=seat, first=four[:2], second=four[2:])
