"""The decisions of a round: the cards that the player saw, the legal choices, and the choice made.

Choices have the same names as in `houseway odds`: "check", "4x", "fold", "keep As Ad",
"split As Ad / Kh Kd". They are listed in the order of the buttons: check or fold first, then the plays by
size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from houseway.cards import UNSEEN, Card, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.legal import seat_options
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table

Street = Literal["before the flop", "after the flop", "after the river", "four cards"]
BEFORE: Final = "before the flop"
FLOP: Final = "after the flop"
RIVER: Final = "after the river"
FOUR_CARDS: Final = "four cards"
"""The only decision of Texas Shootout: keep two of four cards, or split them."""
STREETS: Final[Mapping[int, Street]] = {0: BEFORE, 3: FLOP, 5: RIVER}
"""The streets of Ultimate Texas Hold'em, by the number of community cards that are face up."""
EVERY_STREET: Final[tuple[Street, ...]] = (BEFORE, FLOP, RIVER, FOUR_CARDS)

CHECK: Final = "check"
FOLD: Final = "fold"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a player, with nothing that the player could not see."""

    street: Street
    hole: tuple[Card, ...]
    """The player's cards, in the order they were dealt."""
    board: tuple[Card, ...]
    """The community cards that were face up."""
    choice: str
    choices: tuple[str, ...]
    """The legal choices."""
    by: str = ""
    """Empty if the player decided; otherwise who decided instead, such as "deadline"."""

    @property
    def known(self) -> bool:
        """True if all cards of the decision are known. An export may leave hidden cards out."""
        held = 4 if self.street == FOUR_CARDS else 2
        return len(self.hole) == held and UNSEEN not in self.hole and UNSEEN not in self.board


def decision_of(table: Table, before: State, event: e.Event) -> tuple[int, Decision] | None:
    """Return the seat and the decision that an event records, or None.

    `before` is the state before the event. A player without a main wager has no decision to make.
    """
    match event:
        case e.Checked() | e.PlayMade() | e.Folded():
            hand = before.seats[event.seat].hands[0]
            if table.entry_wager not in hand.wagers:
                return None
            board = before.round.board[: before.round.up]
            street = STREETS.get(len(board))
            if street is None:
                return None
            choice = _choice(event)
            choices = play_choices(table, before, event.seat)
            if choice not in choices:
                return None
            by = "" if isinstance(event, e.PlayMade) else event.by
            return event.seat, Decision(street, hand.cards, board, choice, choices, by)
        case e.HandSet():
            four = (*before.seats[event.seat].hands[0].cards,)
            return event.seat, _setting(table, before, event.seat, four, (event.face,), event.by)
        case e.HandSplit():
            four = (*before.seats[event.seat].hands[0].cards,)
            return event.seat, _setting(table, before, event.seat, four, (event.first, event.second), "")
    return None


def _choice(event: e.Checked | e.PlayMade | e.Folded) -> str:
    if isinstance(event, e.PlayMade):
        return f"{event.times}x"
    return CHECK if isinstance(event, e.Checked) else FOLD


UNAFFORDABLE: Final = frozenset({"not-enough-chips", "bet-limit"})
"""The codes with which a play wager is refused because of its size."""


def play_choices(table: Table, state: State, seat: int) -> tuple[str, ...]:
    """Return the legal choices of a seat whose turn it is in Ultimate Texas Hold'em.

    A play wager is left out only if it is too large. An export for one role cannot show
    whose turn it is.
    """
    board = len(state.round.board[: state.round.up])
    stage = next((stage for stage in table.book.stages if stage.board == board), None)
    if stage is None:
        return ()
    choices = [CHECK] if stage.check is not None else []
    choices += [FOLD] if stage.fold is not None else []
    for times in sorted(stage.sizes.value) if stage.sizes else ():
        play = c.Play(seat=seat, times=times)
        answer = decide(table, state, play, well_formed=True)
        if not (isinstance(answer, Refusal) and answer.code in UNAFFORDABLE):
            choices.append(f"{times}x")
    return tuple(choices)


# --- four cards ---


def keep_names(four: Sequence[Card]) -> dict[tuple[int, ...], str]:
    """Return the name of each way to keep two of four cards, by the sorted numbers of the two cards.

    The names are those of `houseway odds`.
    """
    names: dict[tuple[int, ...], str] = {}
    for pair in combinations(four, 2):
        names.setdefault(_numbers(pair), f"keep {codes(pair)}")
    return names


def split_names(four: Sequence[Card]) -> dict[frozenset[tuple[int, ...]], str]:
    """Return the name of each way to split four cards, by the sorted numbers of both hands."""
    names: dict[frozenset[tuple[int, ...]], str] = {}
    for other in (1, 2, 3):
        first = (four[0], four[other])
        second = tuple(four[n] for n in (1, 2, 3) if n != other)
        key = frozenset({_numbers(first), _numbers(second)})
        names.setdefault(key, f"split {codes(first)} / {codes(second)}")
    return names


def setting_name(four: Sequence[Card], hands: Sequence[Sequence[Card]]) -> str:
    """Return the name of the choice to play these one or two hands from four cards."""
    if len(hands) == 1:
        return keep_names(four)[_numbers(hands[0])]
    return split_names(four)[frozenset(map(_numbers, hands))]


def _numbers(cards: Sequence[Card]) -> tuple[int, ...]:
    return tuple(sorted(card.number for card in cards))


def _setting(
    table: Table,
    state: State,
    seat: int,
    four: tuple[Card, ...],
    hands: Sequence[tuple[Card, ...]],
    by: str,
) -> Decision:
    """Return the decision of a player who set four cards.

    If the hand was set before, `four` has only the two cards kept, and the choices are empty.
    """
    if len(four) != 4 or UNSEEN in four:
        return Decision(FOUR_CARDS, four, (), "", (), by)
    commands = [option.command for option in seat_options(table, state, seat)]
    offered = {
        *(setting_name(four, (command.cards,)) for command in commands if isinstance(command, c.Keep)),
        *(
            setting_name(four, (command.first, command.second))
            for command in commands
            if isinstance(command, c.Split)
        ),
    }
    names = (*keep_names(four).values(), *split_names(four).values())
    choices = tuple(name for name in names if name in offered)
    return Decision(FOUR_CARDS, four, (), setting_name(four, hands), choices, by)
