"""A table's phase: the seats that are ready, the act it waits for, and the next automatic act."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from msgspec.structs import replace

from houseway.client.messages import Waits
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import DEADLINE, is_floor
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.idle_table import must_spread
from houseway.engine.legal import legal
from houseway.engine.persons import AUTOMATIC_DEALER, HOUSE, auto_approves, floors_step, performed_at_table
from houseway.engine.refusals import Refusal
from houseway.engine.turn_order import due, turns, unopened_salts
from houseway.live.dealer_commands import dealers_command, idle_command
from houseway.live.presence import Presence, Viewers
from houseway.live.recorded_table import TableNow
from houseway.live.stalls import void_ruling
from houseway.live.viewer_messages import taking_wagers


class Automation(NamedTuple):
    """Which acts a table performs automatically."""

    paced: bool = False
    """True if the table performs one act per call of `step`; otherwise it acts as soon as it can."""
    deals: bool = False
    """True if the table performs the dealer's acts even though the record names a person as the dealer.

    This is used when someone types in the cards of a real table.
    """
    floor_steps: bool = True
    """False if the person in the dealer's chair also takes the floor's steps, except those that the house
    takes automatically."""


NO_FLOOR: Final = (
    "the house setting auto_approve is off, and no floor person approved a payment before the deadline"
)
"""The reason for the house's ruling that voids a round, if a payment was not approved in time."""
Marks = tuple[bool, frozenset[int]]
"""Whether a round is over, and the seats that are ready."""


@dataclass
class Phase:
    """The players and acts that one table waits for, and its next automatic command."""

    _now: TableNow
    _presence: Presence
    _audience: Viewers
    _automation: Automation
    over: bool = False
    """True once a round is over, until the next one begins."""
    ready: set[int] = field(default_factory=set)
    """Seats that have finished betting, or have seen the result of the round."""
    bots_only_round: int = 0
    """The number of the round that bots may play without people; 0 if none."""
    arrived: bool = False
    """True once a player has sat down at an idle table, which has no other players."""

    # --- waiting ---

    def awaited(self) -> Waits:
        """Return the reason the table waits, and the seats it waits for."""
        state = self._now.state
        if state.section == "closed":
            return Waits(why="closed")
        if must_spread(self._now.table, state):
            return Waits(why="dealer")
        if self.over:
            return Waits(why="next", seats=self.unready)
        if self._dealer_answers:
            return Waits(why="dealer")
        if self._floors_answer() is not None:
            return Waits(why="floor")
        if seats := unopened_salts(state):
            return Waits(why="dealer", openings=seats)
        if seats := turns(self._now.table, state):
            return Waits(why="decision", seats=seats)
        if not self.betting:
            # The inspection and the cut wait for a first player.
            if self._awaits_first_player() or (
                not state.seats and next_act(self._now.table, state) is None
            ):
                return Waits(why="players")
            return Waits(why="floor" if self._floors_step_due() else "dealer")
        if unready := self.unready:
            return Waits(why="bets", seats=unready)
        return Waits(why="dealer" if state.dealer == "person" and self.wagered else "players")

    @property
    def unready(self) -> tuple[int, ...]:
        """The seats of connected people who are not ready."""
        return tuple(n for n in self._presence.persons() if n not in self.ready)

    @property
    def betting(self) -> bool:
        """True while players may wager."""
        state = self._now.state
        return not self.over and not state.emptied and taking_wagers(self._now.table, state)

    @property
    def wagered(self) -> bool:
        """True if there is a wager on the layout."""
        return any(seat.hands[0].wagers for seat in self._now.state.seats.values())

    @property
    def person_ready(self) -> bool:
        """True if a person, connected or not, is ready."""
        return not all(map(self._presence.is_bot, self.ready))

    @property
    def person_waits(self) -> bool:
        """True if a connected person is ready and waits for the others."""
        return any(n in self.ready for n in self._presence.persons())

    @property
    def bots_unready(self) -> bool:
        """True if a bot has not wagered yet."""
        return any(self._presence.is_bot(n) and n not in self.ready for n in self._now.state.seats)

    @property
    def automatic(self) -> bool:
        """True if the table may act in the floor's place when a deadline has passed."""
        table, state = self._now.table, self._now.state
        person = state.round.asked is not None or state.off or self._floors_step_due()
        return not (table.names_persons and person) or auto_approves(table, state)

    @property
    def in_use(self) -> bool:
        """True if the table has a viewer, or a disconnected player who is ready."""
        return self._audience.watched or self.person_ready

    def begin_next(self) -> None:
        """Start waiting for the next round."""
        self.over = False
        self.ready.clear()

    def decided(self, event: e.Event) -> None:
        """Update from an event before it is on record."""
        match event:
            case e.PlayerLeft():
                self.ready.discard(event.seat)
            case e.PlayerSeated():
                self.arrived = self._now.state.section == "idle" and len(self._now.state.seats) == 1
            case e.RoundClosed():
                # A round whose deck was discarded starts again at once; there is no result to look at.
                self.over = not self._now.state.round.unopened
                self.ready.clear()
            case e.RoundOpened() | e.TableIdled():
                self.begin_next()

    def copy(self, now: TableNow, presence: Presence, viewers: Viewers) -> Phase:
        """Return a copy for a change under way; it becomes valid when the change is recorded."""
        ready = set(self.ready)
        return Phase(
            now, presence, viewers, self._automation, self.over, ready, self.bots_only_round, self.arrived
        )

    def adopt(self, other: Phase) -> None:
        """Continue with the phase of a change that is now on record."""
        self.over, self.ready = other.over, other.ready
        self.bots_only_round, self.arrived = other.bots_only_round, other.arrived

    def marks(self) -> Marks:
        """Return the values that choosing an act clears: whether the round is over, and the ready seats."""
        return self.over, frozenset(self.ready)

    def restore(self, marks: Marks) -> None:
        """Restore the values that `marks` returned, because the act failed."""
        self.over, self.ready = marks[0], set(marks[1])

    # --- automatic acts: the dealer's, and the floor's if no floor supervisor is connected ---

    def next_command(self) -> c.Command | None:
        """Return the next automatic command; None while the table waits for a person."""
        table, state = self._now.table, self._now.state
        if state.section == "closed":
            return None
        if (moved := self._idle_or_resumed()) is not None:
            return moved
        if self.over:
            # If no player is connected, a disconnected player who is ready is enough to continue.
            if self.unready or not (self._presence.persons() or self.person_ready):
                return None
            self.begin_next()
        if self._dealer_answers:
            return None
        answer = self._floors_answer()
        if answer is not None:
            return None if self._audience.has("floor") or not self._may_send(answer) else answer
        if turns(table, state) or unopened_salts(state):
            return None
        betting = self.betting
        if betting and (leave := self._presence.leave_due()) is not None:
            return leave
        if state.dealer == "person" and not self._automation.deals:
            return self._floors_step()
        if betting:
            # Bots wait, so that a viewer has time to sit down.
            bots_wait = self.bots_only_round != state.round.number and not self.person_ready
            if not self.wagered or self.unready or self.bots_unready or bots_wait or not self.in_use:
                return None
            self.ready.clear()
        return self._dealers_act()

    def instead(self, awaited: Waits, seat: int = 0) -> c.Command | None:
        """Return the command for a player, dealer or floor supervisor who missed the deadline."""
        if awaited.openings:
            return c.DiscardDeck(by=DEADLINE)
        if awaited.why == "decision":
            return c.ActFor(by=DEADLINE, seat=seat)
        if awaited.why == "floor":
            answer = self._floors_answer() or self._dealers_act()
            if answer is not None and self._may_send(answer):
                return answer
            waits = not self.automatic and not self._audience.has("floor")
            return self.void_round(NO_FLOOR) if waits else None
        if self._dealer_answers:
            return c.AnswerChallenge(by=DEADLINE)
        command = self._own_act(self._dealers_act())
        return c.ResetHand(by=DEADLINE) if isinstance(command, c.ResetHand) else command

    def void_round(self, reason: str) -> c.MakeRuling | None:
        """Return the house's ruling that voids the round; None if there is no round to void."""
        return void_ruling(self._now.table, self._now.state, reason)

    def _dealers_act(self) -> c.Command | None:
        if self._automation.deals:
            act = next_act(self._now.table, self._now.state)
            if act is not None and act.signed and not auto_approves(self._now.table, self._now.state):
                # At a real table, a person must perform this act and give a name.
                return None
            options = legal(self._now.table, self._now.state, "dealer")
            return self._own_act(options[0].command, at_table=True) if options else None
        command = dealers_command(self._now.table, self._now.state)
        if command is None or self._now.state.dealer == "machine":
            return command
        # For an absent dealer: an award is keyed before it is paid, one seat at a time.
        options = legal(self._now.table, self._now.state, "dealer")
        return options[0].command if options else command

    def blocked(self) -> str:
        """Return the reason why a person who deals has no legal option; empty if there is an option."""
        table, state = self._now.table, self._now.state
        if state.dealer != "person" or self._automation.deals or legal(table, state, "dealer"):
            return ""
        act = next_act(table, state)
        answer = decide(table, state, act.command()) if act is not None else None
        return answer.message if isinstance(answer, Refusal) else ""

    def _own_act(self, command: c.Command | None, *, at_table: bool = False) -> c.Command | None:
        """Return a cut, or an inspection at the table, with the house as the sender.

        The record then does not name the person who deals. With `at_table`, change only a cut that a player
        marks.
        """
        if not isinstance(command, c.Perform):
            return command
        step = self._now.table.steps[command.step]
        if step.act == "inspect" and performed_at_table(step):
            return replace(command, by=HOUSE, name="")
        if step.act != "cut" or (at_table and not performed_at_table(step)):
            return command
        return replace(command, by=HOUSE, name=command.name or AUTOMATIC_DEALER)

    def _floors_step(self) -> c.Command | None:
        """Return the due step of the floor or the house at a table where a person deals; None if a
        connected floor supervisor takes it."""
        act = next_act(self._now.table, self._now.state)
        floor_acts = self._automation.floor_steps and act is not None and is_floor(act.by)
        if act is None or act.signed or not (act.by == HOUSE or floor_acts):
            return None
        # A connected floor supervisor takes the floor's steps; the house's other steps are automatic.
        table, state = self._now.table, self._now.state
        floors = is_floor(act.by) or floors_step(table, state, table.steps[act.step])
        return None if floors and self._audience.has("floor") else act.command()

    def _floors_step_due(self) -> bool:
        """True if the table waits for a step of the floor."""
        act = next_act(self._now.table, self._now.state)
        if act is None or not self._now.table.names_persons:
            return False
        if act.signed:
            return is_floor(act.by)
        table, state = self._now.table, self._now.state
        floors = act.by == HOUSE and floors_step(table, state, table.steps[act.step])
        return floors and state.dealer == "person" and self._audience.has("floor")

    def _awaits_first_player(self) -> bool:
        """True if the dealer waits to offer the inspection to the first player."""
        now = due(self._now.table, self._now.state)
        return now is not None and now.step.act == "offer inspection" and not self._now.state.seats

    def _idle_or_resumed(self) -> c.Command | None:
        """Return the order to spread the cards once every player has left, or to resume for a new player.

        A person who deals gives these orders from the dealer's bar.
        """
        table, state = self._now.table, self._now.state
        # Not every rulebook has a rule for an idle table.
        if "idle" not in table.standing or state.dealer == "person":
            return None
        if state.emptied:
            return idle_command(self._now.table, self._now.state)
        if state.section == "idle":
            arrived, self.arrived = self.arrived, False
            return c.Resume() if arrived else None
        if state.seats or not state.rounds:
            return None
        return c.GoIdle() if self.betting or state.section == "shuffling" else None

    @property
    def _dealer_answers(self) -> bool:
        """True if the person who deals must answer a challenge, unless the house answers automatically."""
        state = self._now.state
        person = state.dealer == "person" and not self._automation.deals
        return bool(state.round.challenged) and person and not auto_approves(self._now.table, state)

    def _may_send(self, command: c.Command) -> bool:
        """True if the table itself may send a command of the floor."""
        named = self._now.table.names_persons and isinstance(command, c.Approve | c.ReplaceDeck)
        return not named or command.by == HOUSE

    def _floors_answer(self) -> c.Command | None:
        """Return the floor's answer to a challenge, an approval or a removed deck; None if none is due."""
        state = self._now.state
        if state.round.challenged:
            return c.AnswerChallenge(by=HOUSE)
        by_house = self._now.table.names_persons and auto_approves(self._now.table, state)
        if state.round.asked is not None:
            return c.Approve(by=HOUSE if by_house else "floor")
        if state.off:
            orders = (option.command for option in legal(self._now.table, state, "floor"))
            order = next((order for order in orders if isinstance(order, c.ReplaceDeck)), None)
            return replace(order, by=HOUSE) if order is not None and by_house else order
        return None
