"""Commands that come late, twice, in another order and over another connection, and a small model of what
they must come to: each key counts once, when it first comes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

from houseway.audit.entries import read_entry
from houseway.audit.store import MovedError, Store
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.live import Accepted, LiveTable, TableServices

from .kill_script import SEATS, STREAM, house, next_command, taken_up

Wager = c.Bet | c.TakeBack
Taker = Callable[[TableServices, str], LiveTable]


class TwiceError(AssertionError):
    """A wager counted twice, was lost, or came to something else."""


class Game:
    """One table, two connections to it, and what the players must have."""

    def __init__(self, rng: Random, store: Store, resume: Taker = LiveTable.resume) -> None:
        self._rng = rng
        self._resume = resume
        self._keys = 0
        self._accepted: dict[str, Wager] = {}
        """In the order in which they first came."""
        self._layout: dict[int, int] = {}
        self._chips: dict[int, int] = {}
        taken_up(house(store))
        self.connect(store)
        self._bets_open()

    def connect(self, store: Store) -> None:
        """Both connections anew, as after a restart."""
        self._store = store
        self._lines = [self._resume(house(store, every=100), STREAM) for _ in range(2)]

    # --- schedules ---

    def schedule(self) -> None:
        """A few wagers, each sent one to five times, in any order; now and then one from long ago, and one
        under a key that is taken."""
        rng = self._rng
        sent: list[tuple[str, Wager]] = []
        for _ in range(rng.randint(1, 3)):
            self._keys += 1
            sent += [(f"key {self._keys}", self._wager())] * rng.randint(1, 5)
        if self._accepted:
            sent += rng.choices(list(self._accepted.items()), k=rng.randint(0, 2))
        rng.shuffle(sent)
        for key, wager in sent:
            self._deliver(key, wager)
        if self._accepted and rng.random() < 0.1:
            self._steal(rng.choice(list(self._accepted)))
        if rng.random() < 0.01:
            self._play_round()

    def _wager(self) -> Wager:
        seat = self._rng.choice(SEATS)
        if self._rng.random() < 0.2:
            return c.TakeBack(seat=seat)
        wagers = {"ante": self._rng.choice((1000, 1500, 2000))}
        return c.Bet(seat=seat, wagers=wagers | self._rng.choice(({}, {"trips": 500})))

    def _deliver(self, key: str, wager: Wager) -> None:
        told = self._send(key, wager)
        known = key in self._accepted
        if isinstance(told, Refusal):
            if known or isinstance(wager, c.Bet) or self._layout[wager.seat]:
                raise TwiceError(f"{key} was refused: {told.message}")
            return
        if told.repeated != known:
            raise TwiceError(f"{key} was {'' if told.repeated else 'not '}told as a repetition")
        if not known:
            self._accepted[key] = wager
            self._layout[wager.seat] = _stake(wager)
        self._look()

    def _send(self, key: str, command: c.Command) -> Accepted | Refusal:
        line = self._lines[self._rng.random() < 0.2]
        with suppress(MovedError):
            told = line.send(command, key)
            if isinstance(told, Accepted) or line.head.events == self._events():
                return told
            # Refused for what the table was before the other connection wrote.
            line.reload()
        # A client that hears nothing sends again.
        return line.send(command, key)

    def _events(self) -> int:
        signed = self._store.head(STREAM)
        return signed.head.events if signed else 0

    def _steal(self, key: str) -> None:
        """Another command under a key that is taken."""
        other = c.Bet(seat=SEATS[0], wagers={"ante": 2500})
        told = self._send(key, other)
        if not isinstance(told, Refusal) or told.code != "key-used":
            raise TwiceError(f"{key} was taken for another command")
        self._look()

    def _play_round(self) -> None:
        """The round is played and the next one opened; what is sent again now comes from another round."""
        line = self._lines[0]
        line.reload()
        for seat in SEATS:
            if not self._layout[seat]:
                line.send(c.Bet(seat=seat, wagers={"ante": 1000}))
        number = line.state.round.number
        while line.state.round.number == number or line.state.round.betting != "open":
            told = line.send(next_command(line))
            assert isinstance(told, Accepted), told.message
        self._bets_open()

    def _bets_open(self) -> None:
        """Play on until wagers are taken from everybody; from here the model knows what each must have."""
        line = self._lines[0]
        line.reload()
        while line.state.round.betting != "open" or len(line.state.seats) < len(SEATS):
            line.send(next_command(line))
        for seat in SEATS:
            line.send(c.TakeBack(seat=seat))
        self._layout = dict.fromkeys(SEATS, 0)
        self._chips = {seat: line.state.seats[seat].chips for seat in SEATS}

    # --- looking ---

    def _look(self) -> None:
        """Every player's chips and wagers are those of the model, on the connection that knows most."""
        line = max(self._lines, key=lambda one: one.head.events)
        for number, seat in line.state.seats.items():
            staked = self._layout[number]
            if sum(seat.hands[0].wagers.values()) != staked or seat.chips != self._chips[number] - staked:
                raise TwiceError(f"seat {number} has {seat.chips} and not {self._chips[number] - staked}")

    def history(self) -> None:
        """On record stands each accepted key once, with its command, in the order of their coming."""
        keyed = [
            (entry.key, entry.command)
            for entry in map(read_entry, self._store.entries(STREAM))
            if entry.key
        ]
        if keyed != list(self._accepted.items()):
            raise TwiceError("the keys on record are not those that were accepted, once each, in order")


def _stake(wager: Wager) -> int:
    """A blind equal to the ante goes with it."""
    return 0 if isinstance(wager, c.TakeBack) else 2 * wager.wagers["ante"] + wager.wagers.get("trips", 0)
