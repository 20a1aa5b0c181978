"""People who send every wager several times, late, out of order and over another socket, and who keep count."""

from __future__ import annotations

from collections import defaultdict
from contextlib import ExitStack, suppress
from random import Random
from secrets import token_hex
from time import monotonic
from typing import Any, NamedTuple

from houseway.client import AtTable, House
from houseway.client import messages as m
from server.houses import PATIENCE, Running

Data = dict[str, Any]
LINES = 3
"""Sockets each person has at the table."""
OPEN = ("bets", "players")
"""What a table waits for while wagers are taken: those who may still wager, or anybody who does."""
DECISIONS = ("Check", "Play", "Fold", "Keep")


class TwiceError(AssertionError):
    """A wager counted twice, was lost, or came to something else."""


class Sent(NamedTuple):
    """A command under its key."""

    seat: int
    key: str
    command: Data


def read(at: AtTable) -> None:
    """Read all that has come."""
    with suppress(TimeoutError):
        while True:
            at.next(0.001)


class Wagering:
    """A table, the people at it, and what each of them must have."""

    def __init__(
        self, house: Running, rng: Random, rulebook: str, sockets: ExitStack, people: int = 2, **order: Any
    ) -> None:
        self._rng = rng
        self._house = house
        self._keys = 0
        self.host = House(house.url)
        host = self.host.introduce(f"host {token_hex(5)}")
        self.table = self.host.open_table(m.OpenTable(rulebook=rulebook, clock=0, **order)).table
        house.serving.people.give(host.handle, self.table, "surveillance")
        self._lines: dict[int, list[AtTable]] = {}
        for _ in range(people):
            person = House(house.url)
            person.introduce(f"player {token_hex(5)}")
            lines = [sockets.enter_context(person.sit(self.table)) for _ in range(LINES)]
            self._lines[lines[0].view.yours.seat] = lines
        self.answers: dict[tuple[int, str], int] = {}
        """The event of every command that was ever acknowledged, by seat and key."""
        self._sent: list[Sent] = []
        self._chips: dict[int, int] = {}
        self._bets_open()

    # --- schedules ---

    def schedule(self) -> None:
        """A few wagers, each sent one to five times, with old ones among them; then a look at the table."""
        rng = self._rng
        fresh = [self._wager(rng.choice(list(self._lines))) for _ in range(rng.randint(1, 3))]
        sent = [one for one in fresh for _ in range(rng.randint(1, 5))]
        sent += rng.sample(self._sent, min(len(self._sent), rng.randint(0, 2)))
        rng.shuffle(sent)
        self._deliver(sent)
        self._sent += fresh
        self._look()
        if rng.random() < 0.1:
            self._steal()

    def _wager(self, seat: int) -> Sent:
        self._keys += 1
        command: Data = {"type": "TakeBack", "seat": seat}
        if self._rng.random() < 0.8:
            spots = self._lines[seat][0].view.yours.spots
            some = [spot for n, spot in enumerate(spots) if n == 0 or self._rng.random() < 0.3]
            wagers = {
                spot.wager: spot.least * (1 if spot.beside else self._rng.randint(1, 3)) for spot in some
            }
            command = {"type": "Bet", "seat": seat, "wagers": wagers}
        return Sent(seat, f"key {self._keys}", command)

    def _deliver(self, sent: list[Sent]) -> None:
        """All of it goes out before any answer is read."""
        lines = [(self._rng.choice(self._lines[one.seat]), one) for one in sent]
        awaited: dict[AtTable, int] = defaultdict(int)
        keys = {one.key for one in sent}
        for at, one in lines:
            at.do(one.command, one.key)
            awaited[at] += 1
        # What was refused for what lay there may be taken a moment later, sent again; never the other way.
        known, first = set(self.answers), set[tuple[int, str]]()
        for at, count in awaited.items():
            seat = at.view.yours.seat
            while count:
                message = at.next()
                if isinstance(message, m.Answered):
                    self._answered((seat, message.key), message, first)
                # A refused "ready" is not an answer to any of these.
                if isinstance(message, m.Answered | m.NotTaken) and message.key in keys:
                    count -= 1
                if isinstance(message, m.NotTaken) and (seat, message.key) in known:
                    raise TwiceError(f"{message.key} was taken and then refused: {message.refused}")

    def _answered(self, who: tuple[int, str], answer: m.Answered, first: set[tuple[int, str]]) -> None:
        if self.answers.setdefault(who, answer.seq) != answer.seq:
            raise TwiceError(f"{who} is event {self.answers[who]} and event {answer.seq}")
        if not answer.repeated:
            if who in first:
                raise TwiceError(f"{who} was done twice")
            first.add(who)

    def _steal(self) -> None:
        """Another command under a key that is taken."""
        taken = [one for one in self._sent if (one.seat, one.key) in self.answers]
        if not taken:
            return
        seat, key, command = self._rng.choice(taken)
        other = {"type": "Bet", "seat": seat, "wagers": {"ante": 12_345}}
        answer = self._lines[seat][0].answer(other, key)
        if other != command and not (
            isinstance(answer, m.NotTaken) and answer.refused[0].code == "key-used"
        ):
            raise TwiceError(f"{key} was taken for another command: {answer}")
        self._look()

    # --- looking ---

    def _look(self) -> None:
        """On the layout lies what each seat acknowledged last put there, and no more was taken for it."""
        last: dict[int, Sent] = {}
        for one in sorted(self._sent, key=lambda one: self.answers.get((one.seat, one.key), 0)):
            if self.answers.get((one.seat, one.key), 0) > self._since:
                last[one.seat] = one
        for seat, lines in self._lines.items():
            for line in lines:
                read(line)
            lines[0].answer({"type": "no such thing"})
            yours, lies = lines[0].view.yours, lines[0].view.table.seats[seat].hands[1].wagers
            wanted = last[seat].command.get("wagers", {}) if seat in last else {}
            if any(lies.get(wager) != amount for wager, amount in wanted.items()) or (lies and not wanted):
                raise TwiceError(f"seat {seat} wagered {wanted}, on the layout lies {lies}")
            if yours.chips + sum(lies.values()) != self._chips[seat]:
                raise TwiceError(f"seat {seat} has {yours.chips} and {lies}, of {self._chips[seat]}")

    # --- rounds ---

    def play_round(self) -> None:
        """Everybody wagers and the round is played; what is sent again after that comes from another one."""
        for seat, lines in self._lines.items():
            spot = next(spot for spot in lines[0].view.yours.spots if not spot.beside)
            self._keys += 1
            wager = Sent(
                seat, f"key {self._keys}", {"type": "Bet", "seat": seat, "wagers": {spot.wager: spot.least}}
            )
            self._deliver([wager])
            self._sent.append(wager)
            if (seat, wager.key) not in self.answers:
                raise AssertionError(f"seat {seat} may not wager: {self._stands()}")
        number, until = self._any.view.table.round, monotonic() + PATIENCE
        while self._any.view.table.round == number or self._any.view.waits.why not in OPEN:
            if monotonic() > until:
                raise AssertionError(f"round {number} does not go on: {self._stands()}")
            self._step()
        self._bets_open()

    def _stands(self) -> str:
        """What the house waits for, and what each line of each seat was told it waits for."""
        found = self._house.serving.hall.tables[self.table]
        house = (found.seq, found.waits(), found.phase.awaited(), found.trouble)
        lines = {seat: [(at.seq, at.view.waits) for at in lines] for seat, lines in self._lines.items()}
        return f"the house: {house}; the lines: {lines}"

    @property
    def _any(self) -> AtTable:
        return next(iter(self._lines.values()))[0]

    def _step(self) -> None:
        for seat, (at, *others) in self._lines.items():
            # Who does not read is a slow reader, and loses the socket.
            for line in (at, *others):
                read(line)
            waits = at.view.waits
            if waits.why == "decision" and waits.seats == (seat,):
                found = [one.command for one in at.view.yours.choices if one.command["type"] in DECISIONS]
                self._keys += 1
                self._deliver([Sent(seat, f"key {self._keys}", self._rng.choice(found))])
            elif seat in waits.seats:
                at.ready()

    def _bets_open(self) -> None:
        """From here on it is known what each must have."""
        self._since = max(self.answers.values(), default=0)
        for seat, lines in self._lines.items():
            lines[0].answer({"type": "no such thing"})
            table = lines[0].view.table
            for wager in table.seats[seat].bets if not table.closed else ():
                raise AssertionError(f"{wager} lies there before anybody wagered")
            self._chips[seat] = lines[0].view.yours.chips
