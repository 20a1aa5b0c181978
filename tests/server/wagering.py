"""Players who send every wager several times, late, out of order and over several sockets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack, suppress
from random import Random
from secrets import token_hex
from time import monotonic
from typing import Any, NamedTuple

from houseway.client import AtTable, House
from houseway.client import messages as m
from server.houses import PATIENCE, Running

Data = dict[str, Any]
SOCKETS_PER_PERSON = 3
"""The number of sockets that each person has at the table."""
OPEN = ("bets", "players")
"""The reasons for which a table waits while betting is open: for seated players to bet, or for any player."""
DECISIONS = ("Check", "Play", "Fold", "Keep")


class TwiceError(AssertionError):
    """A wager counted twice, was lost, or was recorded with another amount."""


class SentCommand(NamedTuple):
    """A command and its key."""

    seat: int
    key: str
    command: Data


def drain(lines: list[AtTable]) -> None:
    """Read every message that the server sent on these sockets before it answers a ping."""
    for at in lines:
        at.ask_pong()
    for at in lines:
        while not isinstance(at.next(), m.Pong):
            pass


class Wagering:
    """A table, its players, and the chips each of them must have."""

    def __init__(
        self,
        house: Running,
        rng: Random,
        rulebook: str,
        sockets: ExitStack,
        people: int = 2,
        through: Callable[[House], House] | None = None,
        **order: Any,
    ) -> None:
        """Open a table at a server. With `through`, most sockets of each player use the connection that it
        returns for the player."""
        self._rng = rng
        self._house = house
        self._keys = 0
        self.host = House(house.url)
        host = self.host.introduce(f"host {token_hex(5)}")
        self.table = self.host.open_table(m.OpenTable(rulebook=rulebook, clock=0, **order)).table
        house.run(house.serving.people.give(host.handle, self.table, "surveillance"))
        self._lines: dict[int, list[AtTable]] = {}
        for _ in range(people):
            person = House(house.url)
            person.introduce(f"player {token_hex(5)}")
            away = person if through is None else through(person)
            lines = [
                sockets.enter_context(at.sit(self.table))
                for at in [away] * (SOCKETS_PER_PERSON - 1) + [person]
            ]
            self._lines[lines[0].view.yours.seat] = lines
        self.answers: dict[tuple[int, str], int] = {}
        """The event of every command that was ever acknowledged, by seat and key."""
        self._sent: list[SentCommand] = []
        self._chips: dict[int, int] = {}
        self._bets_open()

    # --- schedules ---

    def schedule(self) -> None:
        """Send a few wagers one to five times each, mixed with older wagers, and check the table."""
        rng = self._rng
        fresh = [self._wager(rng.choice(list(self._lines))) for _ in range(rng.randint(1, 3))]
        sent = [one for one in fresh for _ in range(rng.randint(1, 5))]
        sent += rng.sample(self._sent, min(len(self._sent), rng.randint(0, 2)))
        rng.shuffle(sent)
        self._deliver(sent)
        self._sent += fresh
        self._check()
        if rng.random() < 0.1:
            self._reuse_key()

    def _wager(self, seat: int) -> SentCommand:
        self._keys += 1
        command: Data = {"type": "TakeBack", "seat": seat}
        if self._rng.random() < 0.8:
            spots = self._lines[seat][0].view.yours.spots
            some = [spot for n, spot in enumerate(spots) if n == 0 or self._rng.random() < 0.3]
            wagers = {
                spot.wager: spot.least * (1 if spot.beside else self._rng.randint(1, 3)) for spot in some
            }
            command = {"type": "Bet", "seat": seat, "wagers": wagers}
        return SentCommand(seat, f"key {self._keys}", command)

    def _deliver(self, sent: list[SentCommand]) -> None:
        """Send every command before reading any answer."""
        lines = [(self._rng.choice(self._lines[one.seat]), one) for one in sent]
        awaited: dict[AtTable, int] = defaultdict(int)
        keys = {one.key for one in sent}
        for at, one in lines:
            at.do(one.command, one.key)
            awaited[at] += 1
        # A rejected wager may be accepted when it is resent, but an accepted wager is never rejected later.
        known, first = set(self.answers), set[tuple[int, str]]()
        for at, count in awaited.items():
            seat = at.view.yours.seat
            while count:
                message = at.next()
                if isinstance(message, m.Answered):
                    self._answered((seat, message.key), message, first)
                # A rejected "ready" does not answer any of these commands.
                if isinstance(message, m.Answered | m.Rejected) and message.key in keys:
                    count -= 1
                if isinstance(message, m.Rejected) and (seat, message.key) in known:
                    raise TwiceError(f"{message.key} was accepted and then refused: {message.refused}")

    def _answered(
        self, seat_and_key: tuple[int, str], answer: m.Answered, first: set[tuple[int, str]]
    ) -> None:
        if self.answers.setdefault(seat_and_key, answer.seq) != answer.seq:
            raise TwiceError(f"{seat_and_key} is event {self.answers[seat_and_key]} and event {answer.seq}")
        if not answer.repeated:
            if seat_and_key in first:
                raise TwiceError(f"{seat_and_key} was executed twice")
            first.add(seat_and_key)

    def _reuse_key(self) -> None:
        """Send a different command under a used key."""
        accepted = [one for one in self._sent if (one.seat, one.key) in self.answers]
        if not accepted:
            return
        seat, key, command = self._rng.choice(accepted)
        other = {"type": "Bet", "seat": seat, "wagers": {"ante": 12_345}}
        answer = self._lines[seat][0].send(other, key)
        if other != command and not (
            isinstance(answer, m.Rejected) and answer.refused[0].code == "key-used"
        ):
            raise TwiceError(f"{key} was accepted for another command: {answer}")
        self._check()

    # --- checks ---

    def _check(self) -> None:
        """Check that each seat's last acknowledged wager is on the layout, and that its chips add up."""
        last: dict[int, SentCommand] = {}
        for one in sorted(self._sent, key=lambda one: self.answers.get((one.seat, one.key), 0)):
            if self.answers.get((one.seat, one.key), 0) > self._since:
                last[one.seat] = one
        for seat, lines in self._lines.items():
            drain(lines)
            lines[0].send({"type": "no such thing"})
            yours, layout = lines[0].view.yours, lines[0].view.table.seats[seat].hands[1].wagers
            expected = last[seat].command.get("wagers", {}) if seat in last else {}
            if any(layout.get(wager) != amount for wager, amount in expected.items()) or (
                layout and not expected
            ):
                raise TwiceError(f"seat {seat} wagered {expected}, but the layout has {layout}")
            if yours.chips + sum(layout.values()) != self._chips[seat]:
                raise TwiceError(
                    f"seat {seat} has chips {yours.chips} and {layout}, but began with {self._chips[seat]}"
                )

    # --- rounds ---

    def play_round(self) -> None:
        """Bet for every seat and play the round; commands resent afterwards belong to an old round."""
        for seat, lines in self._lines.items():
            spot = next(spot for spot in lines[0].view.yours.spots if not spot.beside)
            self._keys += 1
            wager = SentCommand(
                seat, f"key {self._keys}", {"type": "Bet", "seat": seat, "wagers": {spot.wager: spot.least}}
            )
            self._deliver([wager])
            self._sent.append(wager)
            if (seat, wager.key) not in self.answers:
                raise AssertionError(f"seat {seat} may not wager: {self._status()}")
        number, until = self._first_socket.view.table.round, monotonic() + PATIENCE
        while (
            self._first_socket.view.table.round == number or self._first_socket.view.waits.why not in OPEN
        ):
            if monotonic() > until:
                raise AssertionError(f"round {number} is stuck: {self._status()}")
            self._step()
        self._bets_open()

    def _status(self) -> str:
        """Describe what the server waits for, and what each socket of each seat shows."""
        runner = self._house.serving.hall.tables[self.table]
        house = (runner.seq, runner.waits(), runner.phase.awaited(), runner.trouble)
        lines = {seat: [(at.seq, at.view.waits) for at in lines] for seat, lines in self._lines.items()}
        return f"the house: {house}; the lines: {lines}"

    @property
    def _first_socket(self) -> AtTable:
        return next(iter(self._lines.values()))[0]

    def _step(self) -> None:
        acted = False
        for seat, lines in self._lines.items():
            # A client that does not read is dropped as a slow reader.
            drain(lines)
            at, waits = lines[0], lines[0].view.waits
            acted |= seat in waits.seats
            if waits.why == "decision" and seat in waits.seats:
                decisions = [
                    one.command for one in at.view.yours.choices if one.command["type"] in DECISIONS
                ]
                self._keys += 1
                self._deliver([SentCommand(seat, f"key {self._keys}", self._rng.choice(decisions))])
            elif seat in waits.seats:
                at.ready()
        if not acted:
            # The table continues automatically.
            with suppress(TimeoutError):
                self._first_socket.next(1)

    def _bets_open(self) -> None:
        """Note each seat's chips before any wager of the round."""
        self._since = max(self.answers.values(), default=0)
        for seat, lines in self._lines.items():
            lines[0].send({"type": "no such thing"})
            table = lines[0].view.table
            for wager in table.seats[seat].bets if not table.closed else ():
                raise AssertionError(f"{wager} is on the layout before any bet")
            self._chips[seat] = lines[0].view.yours.chips
