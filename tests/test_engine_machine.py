"""Random commands at a table: legal commands are accepted, all others are refused and change nothing.

Hypothesis chooses the commands and their order; about a hundred runs per rulebook, over its deal modes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from houseway.cards import DECK
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine import legal as legal_module
from houseway.engine.deal_acts import cards_out
from houseway.engine.decide import decide
from houseway.engine.evolve import fold
from houseway.engine.legal import Option, legal
from houseway.engine.refusals import Refusal
from houseway.engine.state import State, total
from houseway.engine.table import Table
from houseway.engine.turn_order import due
from houseway.engine.views import view
from houseway.rules.loader import rulebook_ids
from random_play import Rounds, any_command, modes_of
from random_play.trouble import TROUBLES

STEPS = 40
OFF_DECK = (
    e.CardsDealt,
    e.CardsBurned,
    e.CardDrawn,
    e.FaceUpFound,
    e.CardReplaced,
    e.ExtraDealt,
    e.HandCured,
    e.BoardExposed,
)
"""Events that take a command's cards off the deck."""
SEEDS = st.integers(0, 2**32 - 1)


def roles(state: State) -> Iterator[str]:
    yield from (f"seat {number}" for number in state.seats)
    yield from ("dealer", "floor")


def meaning(command: c.Command) -> Any:
    """A decision without its free parts: the order of cards, a tip, the size of a second bonus."""
    match command:
        case c.Check() | c.Fold() | c.Challenge():
            return type(command), command.seat
        case c.Play():
            return c.Play, command.seat, command.times
        case c.Keep():
            return c.Keep, command.seat, tuple(sorted(map(str, command.cards)))
        case c.Split():
            hands = (tuple(sorted(map(str, hand))) for hand in (command.first, command.second))
            return c.Split, command.seat, frozenset(hands)
    return None


class AnyCommand(RuleBasedStateMachine):
    """A table that receives any command."""

    rulebook = ""

    @initialize(seed=SEEDS, mode=st.integers(0, 1))
    def opened(self, seed: int, mode: int) -> None:
        modes = modes_of(self.rulebook)
        self.at = Rounds(self.rulebook, modes[mode % len(modes)], seed, irregular=0, lasts=10**9)

    @property
    def state(self) -> State:
        return self.at.state

    def step(self) -> None:
        self.at.step()
        if self.at.round.events and isinstance(self.at.round.events[-1], e.RoundClosed):
            self.at.round.events.clear()

    @rule(seed=SEEDS, acts=st.integers(1, 12))
    def table_continues(self, seed: int, acts: int) -> None:
        self.at.rng.seed(seed)
        for _ in range(acts):
            self.step()

    @rule(seed=SEEDS)
    def something_goes_wrong(self, seed: int) -> None:
        self.at.rng.seed(seed)
        self.at.rng.choice(TROUBLES)(self.at)

    @rule(which=st.integers(0, 63))
    def a_role_takes_a_legal_option(self, which: int) -> None:
        options = [option for who in roles(self.state) for option in legal(self.at.table, self.state, who)]
        # Skip Leave, which ends too many games too soon, and options that need cards: `table_continues` deals
        # those from the shoe.
        options = [o for o in options if not isinstance(o.command, c.Leave) and not o.cards]
        if options:
            self.at.must(options[which % len(options)].command)

    @rule(seed=SEEDS, tries=st.integers(1, 8))
    def any_command_is_tried(self, seed: int, tries: int) -> None:
        rng = Random(seed)
        for _ in range(tries):
            self.try_command(any_command(rng, self.at.table, self.state))

    @precondition(lambda self: self.state.section == "round")
    @rule(seed=SEEDS)
    def a_player_decides_out_of_turn(self, seed: int) -> None:
        rng = Random(seed)
        seat = rng.randint(0, self.at.table.seats + 1)
        cards = [card for s in self.state.seats.values() for h in s.hands for card in h.cards][:8]
        two = tuple(rng.sample(cards, 2)) if len(cards) > 1 else ()
        for command in (
            c.Check(seat=seat),
            c.Play(seat=seat, times=rng.randint(-1, 5)),
            c.Fold(seat=seat),
            c.Keep(seat=seat, cards=two),
            c.Split(seat=seat, first=two, second=two[::-1]),
            c.Challenge(seat=seat),
        ):
            self.try_command(command)

    @precondition(lambda self: self.state.section in ("opening", "shuffling", "round"))
    @rule(seed=SEEDS)
    def the_dealer_acts_out_of_order(self, seed: int) -> None:
        name = Random(seed).choice(list(self.at.table.steps))
        self.try_command(c.Perform(step=name))

    def try_command(self, command: c.Command) -> None:
        """Send a command: it is refused with a code and changes nothing, or it was legal."""
        table, before = self.at.table, self.state
        if isinstance(command, c.CloseTable) or (isinstance(command, c.ChangeMinimum) and before.seats):
            # Closing the table or setting an impossible minimum ends the game, so the result is not kept.
            assert_answered(decide(table, before, command))
            return
        meant = meaning(command)
        expected = meant is not None and meant in {
            meaning(option.command)
            for option in legal(table, before, f"seat {getattr(command, 'seat', 0)}")
        }
        allowed = due(table, before), due(table, before, past_players=True)
        answer = self.at.send(command)
        assert_answered(answer)
        if isinstance(answer, Refusal):
            assert self.state is before
            foreign = answer.code == "not-your-seat"
            if expected and not foreign and not isinstance(command, (c.Play, c.Split)):
                raise AssertionError(f"{command} is legal and was refused: {answer}")
        else:
            assert meant is None or expected, f"{command} is not listed and was accepted"
            if any(isinstance(event, OFF_DECK) for event in answer):
                self.at.shoe.take(getattr(command, "cards", ()))
            if isinstance(command, c.Perform):
                assert command.step in {now.step.name for now in allowed if now is not None}

    @invariant()
    def no_money_is_made_or_lost(self) -> None:
        assert total(self.state) == 0
        assert all(seat.chips >= 0 for seat in self.state.seats.values())

    @invariant()
    def listed_options_are_accepted(self) -> None:
        assert_listed_accepted(self.at.table, self.state)

    @invariant()
    def every_role_has_a_view(self) -> None:
        for who in (*roles(self.state), "seat 9", "rail", "surveillance"):
            view(self.at.table, self.state, who)

    def teardown(self) -> None:
        if hasattr(self, "at"):
            assert fold(self.at.record) == self.state


def assert_answered(answer: Any) -> None:
    if isinstance(answer, Refusal):
        assert answer.code
        assert answer.message
    else:
        assert answer


def assert_listed_accepted(table: Table, state: State) -> None:
    """Every option listed for any role is accepted."""
    for who in roles(state):
        for option in legal(table, state, who):
            answer = decide(table, state, filled(table, state, option))
            assert not isinstance(answer, Refusal), (who, option, answer)


def filled(table: Table, state: State, option: Option) -> c.Command:
    """An option's command, with cards still in the deck if it needs some."""
    if not option.cards:
        return option.command
    left = Counter(list(DECK) * table.book.ranking.decks)
    left.subtract(cards_out(state))
    return replace(option.command, cards=tuple((+left).elements())[: option.cards])


def machine(rulebook: str) -> type[AnyCommand]:
    return type(f"AnyCommand_{rulebook.replace('-', '_')}", (AnyCommand,), {"rulebook": rulebook})


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_legal_commands_are_accepted_and_all_others_refused(rulebook: str) -> None:
    run_state_machine_as_test(machine(rulebook), settings=settings(stateful_step_count=STEPS))


def check_options(rulebook: str, acts: int) -> None:
    playing = Rounds(rulebook, seed="planted")
    for _ in range(acts):
        playing.step()
        assert_listed_accepted(playing.table, playing.state)


def test_a_listed_option_that_is_refused_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = legal_module.floor_options

    def careless(table: Table, state: State) -> list[Option]:
        return [*honest(table, state), Option(c.Recut(by="floor"), "order a recut")]

    monkeypatch.setattr(legal_module, "floor_options", careless)
    with pytest.raises(AssertionError, match="order a recut"):
        check_options("uth-ma", 200)
