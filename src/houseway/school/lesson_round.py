"""Play a round of a lesson on the engine, with the learner's choices and the lesson's cards.

The same choices always give the same round. It is cut into pages: each has the events that lead to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from houseway.cards import DECK, Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import handle
from houseway.engine.evolve import evolve
from houseway.engine.legal import Option, seat_options, spots
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.engine.turn_order import due
from houseway.errors import InputError
from houseway.money import dollars, exactly
from houseway.rules.loader import load
from houseway.school.lesson import Lesson, LessonError, LessonPage, LessonRound, Status, bundled_lesson
from houseway.school.player_decisions import CHECK, FOLD
from houseway.school.position_words import STAKE, choice_key, effect_words, entry_stake
from houseway.school.reason_words import choice_words
from houseway.wording import alternatives

SEAT: Final = 3
"""The learner's seat. All others are free."""
LEARNER: Final = "Guest"
CHIPS: Final = 500_00
BACKS: Final = ("red", "blue")
BET: Final = "bet"
"""The choice with which a round starts: the wagers that get the learner dealt in."""
BET_TITLE: Final = "Bet the ante and the blind"
MOST_CHOICES: Final = 4
"""The most choices in a round: the bet, and a decision at each of three betting points."""
ACTS: Final = 200
"""The number of the dealer's acts after which a round counts as stuck."""
FLOP: Final = 3


class LessonChoiceError(InputError, ValueError):
    """A choice is not legal at this point of a lesson."""


@dataclass(frozen=True, slots=True)
class LessonChoice:
    """A choice that the learner may make."""

    choice: str
    title: str
    effect: str
    """What the choice bets or gives up: "bet $40.00", "lose $20.00"."""
    key: str
    costs: int
    """The cents that it bets."""
    clause: str | None


@dataclass(frozen=True, slots=True)
class LessonStep:
    """An event of the round, and the state after it."""

    event: e.Event
    before: State
    after: State


@dataclass(slots=True)
class ShownPage:
    """A page of a round with the events that lead to it, and the choices that the learner has there."""

    page: LessonPage
    steps: tuple[LessonStep, ...]
    choices: tuple[LessonChoice, ...] = ()
    chosen: str = ""
    """The choice that the learner made here; empty if none is made yet or there is none to make."""


@dataclass(frozen=True, slots=True)
class PlayedLesson:
    """A round of a lesson up to the next choice or to its end."""

    table: Table
    before: State
    """The table while betting is open, before the learner's first choice."""
    pages: tuple[ShownPage, ...]
    fresh: int
    """The place of the first page after the last choice, counted from 0."""
    over: bool


def play_lesson(name: str, number: int, choices: Sequence[str]) -> PlayedLesson:
    """Play a round of a bundled lesson. `number` counts from 1.

    Raise LessonError if there is no such round, and LessonChoiceError if a choice is not legal.
    """
    lesson = bundled_lesson(name)
    if not 1 <= number <= len(lesson.round):
        raise LessonError(f"the lesson has rounds 1 to {len(lesson.round)} (got {number})")
    return play_round(lesson, number, choices)


def play_round(lesson: Lesson, number: int, choices: Sequence[str]) -> PlayedLesson:
    """Play a round with these choices."""
    if len(choices) > MOST_CHOICES:
        raise LessonChoiceError(f"a round has at most {MOST_CHOICES} choices (got {len(choices)})")
    table, before = _opened(lesson.lesson.rulebook, lesson.lesson.mode)
    play = _Play(table, before, lesson.round[number - 1])
    play.open()
    for choice in choices:
        play.choose(choice)
    return PlayedLesson(table, before, tuple(play.pages), play.fresh, play.over)


def every_path(lesson: Lesson, number: int) -> Iterator[tuple[str, ...]]:
    """Yield every list of choices that completes a round."""
    paths: list[tuple[str, ...]] = [()]
    while paths:
        path = paths.pop()
        played = play_round(lesson, number, path)
        if played.over:
            yield path
        paths += [(*path, option.choice) for option in played.pages[-1].choices]


@cache
def _opened(rulebook: str, mode: str) -> tuple[Table, State]:
    """Return a lesson's table with the learner seated and betting open."""
    ante = {"min": dollars(STAKE), "max": dollars(STAKE)}
    terms, refused = read_terms(load(rulebook), {"mode": mode, "limits": {"ante": ante}})
    if refused:
        raise LessonError("; ".join(refusal.message for refusal in refused))
    table = Table(terms)
    opening = c.OpenTable(
        designated=(table.book.game,),
        backs=BACKS[: table.decks] or BACKS[:1],
        examples=True,
        purpose="training",
    )
    state = State()
    for command in (opening, c.Sit(seat=SEAT, player=LEARNER, chips=CHIPS)):
        state, _ = _accepted(table, state, command)
    for _ in range(ACTS):
        if state.section == "round" and state.round.betting == "open":
            return table, state
        act = next_act(table, state)
        if act is None:
            break
        state, _ = _accepted(table, state, act.command())
    raise LessonError(f"the table of {rulebook} did not open")


def _accepted(table: Table, state: State, command: c.Command) -> tuple[State, tuple[LessonStep, ...]]:
    """Return the state after a command, with its events; raise LessonError if it is refused."""
    after, answer = handle(table, state, command)
    if isinstance(answer, Refusal):
        raise LessonError(f"the lesson cannot be played: {answer.message}")
    steps = []
    for event in answer:
        before, state = state, evolve(state, event)
        steps.append(LessonStep(event, before, state))
    return after, tuple(steps)


@dataclass(slots=True)
class _Play:
    """A round while it is played."""

    table: Table
    state: State
    round: LessonRound
    pages: list[ShownPage] = field(default_factory=list)
    fresh: int = 0
    status: Status = "choosing"
    over: bool = False
    _left: list[LessonPage] = field(default_factory=list)
    _cards: dict[str, list[Card]] = field(default_factory=dict)

    def open(self) -> None:
        """Show the pages before the first choice."""
        dealt = self.round.dealt
        used = {card for held in dealt.values() for card in held}
        self._cards = {place: list(held) for place, held in dealt.items()}
        self._cards["burn"] = [card for card in DECK if card not in used]
        self._left = list(self.round.page)
        self._show(())

    def choose(self, choice: str) -> None:
        """Make a choice, and play on to the next one or to the end."""
        last = self.pages[-1]
        legal = [option.choice for option in last.choices]
        if choice not in legal:
            wrong = f"{choice[:20]!r} is not a choice here"
            raise LessonChoiceError(
                f"{wrong}; {alternatives(legal)}" if legal else f"{wrong}: the round is over"
            )
        last.chosen, self.fresh = choice, len(self.pages)
        self.status = "folded" if choice == FOLD else "played" if choice[:1].isdecimal() else "choosing"
        self._show(self._played(choice))

    def _played(self, choice: str) -> tuple[LessonStep, ...]:
        """Return the events from a choice to the next one, or to the end of the round."""
        self.state, steps = _accepted(self.table, self.state, self._command(choice))
        every = [*steps]
        for _ in range(ACTS):
            self.over = any(isinstance(step.event, e.RoundClosed) for step in steps)
            act = None if self.over else next_act(self.table, self.state)
            if act is None:
                return tuple(every)
            self.state, steps = _accepted(self.table, self.state, act.command(self._next(act.cards)))
            every += steps
        raise LessonError(f"{self.round.name}: the round is stuck at {self.state.done!r}")

    def _command(self, choice: str) -> c.Command:
        if choice == BET:
            return c.Bet(by=f"seat {SEAT}", seat=SEAT, wagers=self._wagers())
        return next(option.command for name, option in self._options() if name == choice)

    def _wagers(self) -> dict[str, int]:
        """Return the wagers that get the learner dealt in; a wager that equals another follows it."""
        entry = self.table.terms.ways_in[0]
        return {spot.wager: STAKE for spot in spots(self.table, self.state, SEAT) if spot.wager in entry}

    def _next(self, count: int) -> tuple[Card, ...]:
        """Take the cards for the step that is due from the pile of its place."""
        now = due(self.table, self.state)
        place = now.step.to[0] if now is not None and now.step.act == "deal" else "burn"
        pile = self._cards[place]
        taken, pile[:] = tuple(pile[:count]), pile[count:]
        return taken

    # --- choices ---

    def _options(self) -> list[tuple[str, Option]]:
        """Return the learner's options at a betting point by name, cheapest first."""
        named = []
        for option in seat_options(self.table, self.state, SEAT):
            match option.command:
                case c.Check():
                    named.append((CHECK, option))
                case c.Fold():
                    named.append((FOLD, option))
                case c.Play(times=times, tip=0):
                    named.append((f"{times}x", option))
        return sorted(named, key=lambda one: one[1].costs)

    def _choices(self) -> tuple[LessonChoice, ...]:
        if self.over:
            return ()
        if self.state.round.betting == "open":
            total = entry_stake(self.table.terms)
            return (LessonChoice(BET, BET_TITLE, f"bet {exactly(total)}", "B", total, None),)
        return tuple(
            LessonChoice(
                choice=name,
                title=choice_words(name),
                effect=effect_words(self.table.terms, name),
                key=choice_key(name, place),
                costs=option.costs,
                clause=option.clause,
            )
            for place, (name, option) in enumerate(self._options(), 1)
        )

    # --- pages ---

    def _show(self, steps: tuple[LessonStep, ...]) -> None:
        """Cut the events since the last choice into pages. The last page gets the choices."""
        at, first = 0, len(self.pages)
        for page in tuple(self._left):
            if page.when and page.when != self.status:
                continue
            reached = self._reached(page, steps, at)
            if reached is None:
                continue
            self._left.remove(page)
            self.pages.append(ShownPage(page, steps[at:reached]))
            at = reached
        if len(self.pages) == first:
            raise LessonError(f"{self.round.name}: there is no page for a learner who has {self.status}")
        last = self.pages[-1]
        last.steps += steps[at:]
        last.choices = self._choices()

    def _reached(self, page: LessonPage, steps: Sequence[LessonStep], at: int) -> int | None:
        """Return how many events lead to a page, at least `at`; None if its moment is not reached."""
        if page.at == "bets":
            return 0 if not steps else None
        number = next((n for n, step in enumerate(steps, 1) if self._is_moment(page.at, step)), None)
        return None if number is None else max(number, at)

    def _is_moment(self, name: str, step: LessonStep) -> bool:
        """True if the round reaches a moment with an event."""
        event, up = step.event, step.after.round.up
        turned = up > step.before.round.up
        match name:
            case "cards":
                return isinstance(event, e.PlayersLooked)
            case "flop":
                return turned and up == FLOP
            case "river":
                return turned and up == self.table.board_size
            case "dealer":
                return isinstance(event, e.DealerRevealed)
            case "end":
                return isinstance(event, e.RoundClosed)
        return isinstance(event, e.WagerSettled) and event.wager == name
