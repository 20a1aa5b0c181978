"""The coach: the exact value of each choice, before or after a decision, and the review of the last round.

A decision is valued from the cards that the player sees, so the coach knows nothing about hidden cards. The
verdict on a choice is given before the outcome of the round is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from houseway.cards import Card, card
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.play.event_text import Announcement
from houseway.play.game import Answer, Game
from houseway.play.seat_view import on_layout
from houseway.school.decision_values import ValuedDecision, value_decision
from houseway.school.game_values import GameValues, game_values, is_counted
from houseway.school.player_decisions import (
    CHECK,
    FOLD,
    FOUR_CARDS,
    STREETS,
    Decision,
    keep_names,
    setting_name,
    split_names,
)
from houseway.school.position_kinds import kind_of
from houseway.school.position_words import plus, value_lines
from houseway.school.reason_words import choice_words, edge_words
from houseway.school.round_review import ReviewedDecision, explain_decision

When = Literal["before", "after"]
NO_DECISION: Final = "There is nothing to value now: it is not your turn to decide."
NO_REVIEW: Final = "You have not finished a round with a decision yet."
WHOLE: Final = "For luck and choices over many rounds, run houseway review with the record."
MOST_SHOWN: Final = 3
"""The most choices whose values fit on one line of the screen."""


@dataclass(frozen=True, slots=True)
class MadeDecision:
    """A decision of the person at the terminal."""

    round: int
    seat: int
    stake: int
    """The ante (in Texas Shootout: the wager) in cents."""
    decision: Decision


class Coach:
    """Sends the person's decisions to the table, and values them."""

    def __init__(self, game: Game, when: When | None = None) -> None:
        self._game = game
        self.when = when
        """When the coach speaks without a request; None for never."""
        self._made: list[MadeDecision] = []
        """The decisions of the current round and of the last one that had any."""
        self._values: tuple[Decision, ValuedDecision] | None = None

    @property
    def _game_values(self) -> GameValues:
        return game_values(self._game.table.terms)

    def ask(self, command: c.Command) -> Answer:
        """Send a command. If the coach speaks after the act, add the verdict on a decision."""
        game = self._game
        decision = self._decision(command)
        stake = on_layout(game.view, game.seat)[0].get(game.table.entry_wager, 0)
        number, seat = game.view.table.round, game.seat
        answer = game.ask(command)
        if decision is None or isinstance(answer, Refusal) or not answer:
            return answer
        made = MadeDecision(number, seat, stake, decision)
        self._made = [*(old for old in self._made if old.round >= number - 1), made]
        return [*answer, *([self._verdict(made)] if self.when == "after" else [])]

    def before(self) -> str:
        """Return the values of the choices, if the coach speaks before the act and there is a decision."""
        return self.values_line() if self.when == "before" else ""

    def values_line(self, most: int | None = None) -> str:
        """Return the exact value of each choice at the current prompt on one line, or an empty string.

        If there are more than `most` choices, only the best one is named.
        """
        valued = self._valued()
        if valued is None:
            return ""
        unit = self._game_values.unit
        names = [valued.best] if most is not None and len(valued.values) > most else [*valued.values]
        parts = []
        for name in names:
            best = " (best)" if name == valued.best else ""
            parts.append(f"{choice_words(name)} {plus(valued.values[name])} {unit}s{best}")
        return f"Coach: {'; '.join(parts)}."

    def values_text(self) -> str:
        """Return the exact values at the current prompt, one per line, with the house edge."""
        valued = self._valued()
        if valued is None:
            return NO_DECISION
        game = self._game_values
        return "\n".join((*value_lines(valued, game.unit), "", edge_words(game.value, game.unit)))

    def review(self) -> str:
        """Return the review of the last finished round in which the person decided."""
        table = self._game.view.table
        done = [made for made in self._made if made.round < table.round or table.closed]
        if not done:
            return NO_REVIEW
        number = done[-1].round
        last = [made for made in done if made.round == number]
        seats = len({made.seat for made in last}) > 1
        lines = [f"Round {number}. The outcome does not count: a choice is judged by its average result."]
        for made in last:
            lines += ["", *self._decision_lines(made, at=f", seat {made.seat}" if seats else "")]
        game = self._game_values
        return "\n".join((*lines, "", edge_words(game.value, game.unit), WHOLE))

    def _decision_lines(self, made: MadeDecision, at: str) -> Iterator[str]:
        game, decision = self._game_values, made.decision
        reviewed = ReviewedDecision(value_decision(game, decision), kind_of(game.terms, decision))
        explained = explain_decision(game, reviewed, made.stake)
        board = f"   board {' '.join(map(str, decision.board))}" if decision.board else ""
        yield f"{decision.street.capitalize()}{at}: {' '.join(map(str, decision.hole))}{board}"
        yield from value_lines(reviewed.valued, game.unit)
        yield f"  {explained.verdict}"
        yield f"  {explained.because}"

    def _verdict(self, made: MadeDecision) -> Announcement:
        game, decision = self._game_values, made.decision
        reviewed = ReviewedDecision(value_decision(game, decision), kind_of(game.terms, decision))
        explained = explain_decision(game, reviewed, made.stake)
        return Announcement("coach", f"Coach: {explained.verdict} {explained.because}", seat=made.seat)

    def _valued(self) -> ValuedDecision | None:
        """Return the values at the current prompt, as if the first choice were made; None without any."""
        decision = self._position()
        if decision is None:
            return None
        if self._values is None or self._values[0] != decision:
            first = replace(decision, choice=decision.choices[0])
            self._values = decision, replace(value_decision(self._game_values, first), decision=decision)
        return self._values[1]

    def _position(self) -> Decision | None:
        """Return the decision that the person is asked for, without a choice; None if there is none."""
        game = self._game
        if game.prompt_kind != "decide" or not game.view.yours.cards:
            return None
        commands = [option.command for option in game.options()]
        hole = tuple(map(card, game.view.yours.cards[0]))
        if game.table.shootout:
            if len(hole) != 4:
                return None
            offered = {_setting(hole, command) for command in commands}
            names = (*keep_names(hole).values(), *split_names(hole).values())
            choices = tuple(name for name in names if name in offered)
            decision = Decision(FOUR_CARDS, hole, (), "", choices)
        else:
            board = tuple(map(card, game.view.table.board))
            offered = {_choice(command) for command in commands} - {""}
            if len(board) not in STREETS:
                return None
            choices = tuple(sorted(offered, key=lambda name: int(name[:-1]) if name[:-1].isdigit() else 0))
            decision = Decision(STREETS[len(board)], hole, board, "", choices)
        return decision if decision.choices and decision.known else None

    def _decision(self, command: c.Command) -> Decision | None:
        """Return the decision that a command makes now; None if it is no decision or not an option."""
        decision = self._position()
        if decision is None:
            return None
        shootout = self._game.table.shootout
        choice = _setting(decision.hole, command) if shootout else _choice(command)
        return replace(decision, choice=choice) if choice in decision.choices else None


def is_slow(game: Game) -> bool:
    """True if values take seconds each, because the hands of Texas Shootout have not been counted."""
    return game.table.shootout and not is_counted(game.table.terms)


def _choice(command: c.Command) -> str:
    match command:
        case c.Check():
            return CHECK
        case c.Fold():
            return FOLD
        case c.Play(times=times):
            return f"{times}x"
    return ""


def _setting(four: tuple[Card, ...], command: c.Command) -> str:
    """Return the name of a way to set four cards; empty for other commands."""
    match command:
        case c.Keep(cards=kept):
            hands = [kept]
        case c.Split(first=first, second=second):
            hands = [first, second]
        case _:
            return ""
    try:
        return setting_name(four, hands)
    except KeyError:
        return ""
