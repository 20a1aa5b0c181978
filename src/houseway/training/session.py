"""A training session: a person deals to bots. Cards and wagers come from a seed, and times from the caller.

Every input is kept with its time and its cards. Replaying the inputs gives the same table, judgements and
score, without the bots and the seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from houseway.bots import bot
from houseway.cards import DECK, Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.legal import Option
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.engine.views import view
from houseway.errors import InputError
from houseway.rules.rulebook import Rulebook
from houseway.shoe.entropy import SeededEntropy
from houseway.shoe.keystream import KEY_BYTES
from houseway.shoe.shuffle import order
from houseway.shoe.stack import Stack
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.happenings import cards_taken, ruling_row
from houseway.training.judge import LIMITS, JudgeLimits, Judgement, judge
from houseway.training.model_dealer import report_to_apply
from houseway.training.perform import (
    attempt,
    behave,
    cards_needed,
    happen,
    perform,
    players_state,
    receive,
    replay,
    take_chair,
    waits_for,
)
from houseway.training.ruling_verdicts import RuledReport, ruled_report, with_rulings
from houseway.training.scenarios.deck import QUIET, ScenarioDeck
from houseway.training.scenarios.deck_file import check_deck
from houseway.training.scenarios.director import Director
from houseway.training.scenarios.row_plan import DealtRounds
from houseway.training.scenarios.rows import row_number
from houseway.training.score import Score, score
from houseway.training.seeded_players import (
    BETS,
    PLAYS,
    bettors,
    is_regular,
    name_of,
    seated,
    ways_to_decide,
)

MOST_ROUNDS: Final = 500


class SessionError(InputError):
    """A training session cannot start, or its file cannot be read. The message says what to do."""


class NextTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The table to which the trainee moves during a session."""

    after: int
    """The number of rounds before the move."""
    terms: dict[str, Any]
    backs: tuple[str, ...] = ("red",)


class SessionPlan(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Everything that decides a session, except the trainee's acts."""

    rulebook: str
    hash: str
    """The hash of the rulebook."""
    terms: dict[str, Any]
    """The table's mode, pay tables, limits and house settings."""
    seats: int
    rounds: int
    seed: str
    backs: tuple[str, ...] = ("red",)
    scenario: ScenarioDeck = QUIET
    """What people do and what goes wrong."""
    next_table: NextTable | None = None
    """The table for the later rounds; None if all rounds are dealt at one table."""
    text: str = ""
    """The canonical text of the rulebook; empty in older files and in the plan of an exam."""


class SessionInput(msgspec.Struct, frozen=True):
    """An input of a session, as its file stores it."""

    time: int
    input: ch.Input
    cards: tuple[Card, ...] = ()


class TrainingSession:
    """A table of bots with a person in the dealer's chair."""

    def __init__(self, plan: SessionPlan, book: Rulebook, limits: JudgeLimits = LIMITS) -> None:
        if plan.hash != book.hash:
            wrong = f"the session used another version of {plan.rulebook}"
            raise SessionError(f"{wrong}; use the rulebook of that version")
        self.plan = plan
        self.limits = limits
        self.tables = tuple(_tables(plan, book))
        """The table, and the one to which the trainee moves, if the plan has one."""
        self.table = self.tables[0]
        """The table at which the trainee deals now."""
        self.moved: ch.Chair | None = None
        """The chair at the next table, before its first input; None before the move."""
        self.chair = take_chair(self.table, _seated(self.table, plan.seats, plan.backs))
        self.judgements: list[Judgement] = []
        """The judgement of each closed round."""
        self.inputs: list[SessionInput] = []
        self.rows: list[int] = []
        """The irregularities that happened, as places in the rulebook's table, from 0."""
        self.unseen: list[int] = []
        """The numbers of the inputs that cannot be seen at the table: happenings that only a count of the
        cards reveals."""
        self._rulings: list[RuledReport] = []
        """The rulings of the current round."""
        self._bets = bot(BETS, plan.seed)
        self._plays = bot(PLAYS, plan.seed)
        self._bet: set[tuple[int, int]] = set()
        """The pairs of round and seat whose player has bet, or could not bet."""
        self._director = Director(plan.scenario, plan.seed, tuple(_parts(plan, self.tables)))
        self._now = 0
        """The latest time that a caller has passed."""
        self._thinking: dict[int, int] = {}
        """The time at which each slow player decides, by seat."""
        self._asked: set[tuple[int, str, int]] = set()
        """The rounds, steps and seats whose pace is drawn."""
        self._shuffles = 0
        self._shoe = self._shuffled()

    @property
    def state(self) -> State:
        """The table as the trainee's acts left it, errors included."""
        return self.chair.state

    @property
    def over(self) -> bool:
        """True if every round of the plan is closed."""
        return len(self.judgements) >= self.plan.rounds

    @property
    def score(self) -> Score:
        """The score of the closed rounds."""
        return score(self.judgements)

    @property
    def stub(self) -> int:
        """The number of cards that are left to deal."""
        return self._shoe.left

    @property
    def undealt(self) -> tuple[Card, ...]:
        """The cards that are left to deal, in their order."""
        return self._shoe.peek(self._shoe.left)

    @property
    def wakes_at(self) -> int | None:
        """The time at which `tick` must be called next; None if nothing waits for its time."""
        times = (*self._thinking.values(), *self._director.times)
        return None if self.over else min((time for time in times if time > self._now), default=None)

    def table_at(self, number: int) -> Table:
        """Return the table of an input, by the input's number."""
        return self.tables[1] if self.moved is not None and number > self.moved.inputs else self.tables[0]

    def speechless(self) -> tuple[int, ...]:
        """Return the seats that were asked and cannot decide, because their hands have a wrong number of
        cards."""
        seats = waits_for(self.table, self.chair)
        return tuple(n for n in seats if not ways_to_decide(self.table, self.chair, n))

    def act(self, act: a.ChairAct, time: int) -> tuple[ch.ChairEntry, ...]:
        """Let the trainee act, then the players. Return the entries of all inputs, the trainee's act first.

        `time` is in milliseconds since the session started. Call `tick` first, so that whatever was due
        before this act has happened.
        """
        self._now = max(self._now, time)
        cards = self._next_cards(act)
        self._advance(perform(self.table, self.chair, act, time, cards))
        entry = self.chair.entries[-1]
        if entry.changes or not isinstance(act, a.ReportIrregularity):
            self._shoe.take(len(cards))
        for change in entry.changes:
            self._follow(change.event)
        return (entry, *self._waiting_report(time), *self._people(time))

    def _waiting_report(self, time: int) -> Iterator[ch.ChairEntry]:
        """Let a report that the trainee made during the deal take effect, if the deal is finished now."""
        report = report_to_apply(self.table, self.chair)
        if report is not None:
            cards = self._next_cards(report)
            self._advance(perform(self.table, self.chair, report, time, cards))
            entry = self.chair.entries[-1]
            self._shoe.take(len(cards) if entry.changes else 0)
            yield entry

    def tick(self, time: int) -> tuple[ch.ChairEntry, ...]:
        """Apply everything that has become due by this time, and return the entries of all inputs."""
        due = self.wakes_at
        self._now = max(self._now, time)
        return tuple(self._people(time)) if due is not None and due <= time else ()

    def slip_of(self, act: a.ChairAct, time: int) -> ch.Slip | None:
        """Return the slip that an act would be, or None if it is right. Nothing changes."""
        answer = attempt(self.table, self.chair, act, time, self._next_cards(act))
        return answer if isinstance(answer, ch.Slip) else None

    def _next_cards(self, act: a.ChairAct) -> tuple[Card, ...]:
        """Return the cards that an act takes off the deck; none if the deck has too few."""
        needed = cards_needed(self.table, self.chair, act)
        return self._shoe.peek(needed) if needed <= self._shoe.left else ()

    def replay(self, inputs: Iterable[SessionInput]) -> None:
        """Repeat recorded inputs. Raise ValueError if one of them is impossible."""
        for one in inputs:
            if self.over:
                raise ValueError("an input follows the last round")
            entry = ch.ChairEntry(self.chair.inputs + 1, one.time, one.input, one.cards)
            for after in replay(self.table, self.chair, (entry,)):
                self._advance(after)
            self._change_table()

    def _advance(self, after: ch.Chair) -> None:
        """Store the chair after an input; judge the round if it is closed."""
        entry = after.entries[-1]
        ruled = ruled_report(self.table, self.chair, entry)
        if ruled is not None and (ruled.given or self.limits.rulings):
            self._rulings.append(ruled)
        self.chair = after
        self.inputs.append(SessionInput(entry.time, entry.input, entry.cards))
        if isinstance(entry.input, ch.Happening):
            self.unseen += [entry.number] if entry.input.kind == ch.WRONG_COUNT else []
            self.rows.append(row_number(self.table, ruling_row(self.table, after, entry.input)))
        if any(isinstance(change.event, e.RoundClosed) for change in entry.changes):
            judgement = judge(self.table, after, self.limits)
            self.judgements.append(with_rulings(judgement, self._rulings))
            self._rulings = []

    def _change_table(self) -> None:
        """Move to the next table, once all rounds at the first one are closed. Round numbers continue."""
        coming, closed = self.plan.next_table, len(self.judgements)
        if coming is None or self.moved is not None or closed < coming.after or self.over:
            return
        self.table = self.tables[1]
        state = _seated(self.table, self.plan.seats, coming.backs)
        state = replace(state, rounds=self.state.rounds)
        self.chair = self.moved = replace(take_chair(self.table, state), inputs=self.chair.inputs)
        self._thinking = {}
        self._shoe = self._shuffled()

    # --- the cards ---

    def _shuffled(self) -> Stack:
        """Return the next shuffled stack of the seed."""
        self._shuffles += 1
        factory = DECK * self.table.book.ranking.decks
        seed = SeededEntropy(self.plan.seed).named(f"training shuffle {self._shuffles}").draw(KEY_BYTES)
        return Stack([factory[place] for place in order(seed, len(factory))])

    def _lose_cards(self, count: int) -> None:
        """Take cards off the bottom of the shoe, if some are missing."""
        if count:
            left = self._shoe.left
            self._shoe = Stack(self._shoe.peek(left - count))

    def _follow(self, event: e.Event) -> None:
        """Shuffle or cut the cards as an event says."""
        shuffled = isinstance(event, e.DeckShuffled) and not event.ahead
        if shuffled or (isinstance(event, e.DecksSwapped) and event.stands):
            self._shoe = self._shuffled()
        elif isinstance(event, e.DeckCut) and 0 < event.count < self._shoe.left:
            self._shoe.cut(event.count)

    # --- the people ---

    def _people(self, time: int) -> Iterator[ch.ChairEntry]:
        """Let players bet and decide, and let at most one thing of the scenario happen. Yield entries."""
        self._change_table()
        yield from self._players(time)
        self._director.follow(self._number)
        if self.over or not self._happen(time):
            return
        yield self.chair.entries[-1]
        yield from self._players(time)

    @property
    def _number(self) -> int:
        """The number of the current round, from 1."""
        return len(self.judgements) + 1

    def _happen(self, time: int) -> bool:
        """Let the scenario's next happening happen; return False if nothing happens now."""
        for one in self._director.happenings(self.table, self.chair, time):
            if isinstance(one, ch.Conduct):
                after = behave(self.table, self.chair, one, time)
            else:
                count = cards_taken(self.table, self.chair, one)
                cards = self._shoe.peek(count) if count <= self._shoe.left else ()
                after = happen(self.table, self.chair, one, time, cards)
            if after is not None:
                self._director.happened(self.table, after, one)
                lost = after.missing - self.chair.missing
                self._advance(after)
                self._lose_cards(lost)
                self._shoe.take(len(after.entries[-1].cards))
                return True
        return False

    def _players(self, time: int) -> Iterator[ch.ChairEntry]:
        """Let players bet and decide until the table waits for the dealer. Yield the entries."""
        self._director.follow(self._number)
        while not self.over:
            command = self._next_command(time)
            if command is None:
                waiting = waits_for(self.table, self.chair)
                self._thinking = {n: until for n, until in self._thinking.items() if n in waiting}
                return
            if isinstance(command, ch.Conduct):
                conducted = behave(self.table, self.chair, command, time)
                if conducted is not None:
                    self._advance(conducted)
                    yield self.chair.entries[-1]
                continue
            after = receive(self.table, self.chair, command, time)
            if isinstance(after, ch.Chair):
                self._advance(after)
                yield self.chair.entries[-1]
            elif not isinstance(command, c.Bet):
                return

    def _next_command(self, time: int) -> c.Command | ch.Conduct | None:
        """Return the next bet, decision or conduct of a player; None if no player has to act now."""
        state = self.state
        for number in bettors(state, {seat for round_, seat in self._bet if round_ == state.round.number}):
            self._bet.add((state.round.number, number))
            wagers = self._bets.bet(self.table, view(self.table, state, f"seat {number}"))
            return self._bet_command(c.Bet(by=f"seat {number}", seat=number, wagers=wagers))
        state = players_state(self.chair)
        for number in waits_for(self.table, self.chair):
            options = ways_to_decide(self.table, self.chair, number)
            if options:
                slow = self._slowness(number, time)
                if slow is not None:
                    return slow
                if self._thinking.get(number, time) > time:
                    return None
                self._thinking.pop(number, None)
                seen = view(self.table, state, f"seat {number}")
                if not is_regular(self.table, seen):
                    return self._bets.choose(self.table, seen, options).command
                return (_split(options) or self._plays.choose(self.table, seen, options)).command
        return None

    def _bet_command(self, bet: c.Bet) -> c.Command | ch.Conduct:
        """Return a player's bet, or what the player does in its place."""
        if isinstance(decide(self.table, self.state, bet), Refusal):
            # The player bets less.
            bet = self._plain_bet(bet.seat)
        conduct, bet = self._director.bet(self.table, self.chair, bet)
        return bet if conduct is None else conduct

    def _slowness(self, number: int, time: int) -> ch.Conduct | None:
        """Return the conduct of a player who now starts to think; None if the player thinks already."""
        asked = (self.state.round.number, self.chair.asking, number)
        if asked in self._asked:
            return None
        self._asked.add(asked)
        slow = self._director.slow(number)
        if slow is None:
            return None
        conduct, after = slow
        self._thinking[number] = time + after
        return conduct

    def _plain_bet(self, number: int) -> c.Bet:
        wagers = self._plays.bet(self.table, view(self.table, self.state, f"seat {number}"))
        return c.Bet(by=f"seat {number}", seat=number, wagers=wagers)


def _split(options: Iterable[Option]) -> Option | None:
    """Return the option that plays two pairs as two hands, with the second bonus if it is offered.

    Basic strategy never splits. Without this, no trainee would mark and settle a second hand.
    """
    pairs = []
    for option in options:
        if isinstance(option.command, c.Split):
            hands = (option.command.first, option.command.second)
            pairs += [option] if all(len({card.rank for card in two}) == 1 for two in hands) else []
    return max(pairs, key=lambda option: option.costs, default=None)


def _tables(plan: SessionPlan, book: Rulebook) -> Iterator[Table]:
    """Yield the tables of a session; raise SessionError if it cannot follow its plan."""
    coming = plan.next_table
    if coming is not None and not 1 <= coming.after < plan.rounds:
        raise SessionError(
            f"the move to the next table must come after round 1 to {plan.rounds - 1} (got {coming.after})"
        )
    for given in (plan.terms, *((coming.terms,) if coming is not None else ())):
        terms, refused = read_terms(book, given)
        table = Table(terms)
        for refusal in refused:
            raise SessionError(f"the table cannot open: {refusal.message}")
        _check(plan, table)
        yield table


def _parts(plan: SessionPlan, tables: Iterable[Table]) -> Iterator[DealtRounds]:
    """Yield the tables of a session with the rounds that are dealt at each."""
    after = plan.rounds if plan.next_table is None else plan.next_table.after
    for table, rounds in zip(tables, ((1, after), (after + 1, plan.rounds)), strict=False):
        yield DealtRounds(table, *rounds)


def _check(plan: SessionPlan, table: Table) -> None:
    """Raise SessionError if a session cannot follow its plan at a table."""
    if not 1 <= plan.rounds <= MOST_ROUNDS:
        raise SessionError(f"the number of rounds must be 1 to {MOST_ROUNDS} (got {plan.rounds})")
    for problem in check_deck(plan.scenario):
        raise SessionError(f"the scenario cannot be used: {problem}")
    if not 1 <= plan.seats <= table.seats:
        raise SessionError(f"the number of seats must be 1 to {table.seats} (got {plan.seats})")


def _seated(table: Table, players: int, backs: tuple[str, ...]) -> State:
    """Return the table with its players, before the dealer's first act."""
    state = seated(table, {number: name_of(number) for number in range(1, players + 1)}, backs)
    if isinstance(state, Refusal):
        raise SessionError(f"the table cannot open: {state.message}")
    return state
