"""One table whose commands are sent late, repeatedly, out of order and over another connection.

The table is compared with a small model in which each key counts once, when it first arrives.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

from houseway.audit.entries import read_entry
from houseway.audit.store import StaleHeadError, Store
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.live import Accepted, LiveTable, TableServices

from .kill_script import SEATS, STREAM, house, next_command, resume_or_open

Wager = c.Bet | c.TakeBack
Taker = Callable[[TableServices, str], LiveTable]


class TwiceError(AssertionError):
    """A wager counted twice, was lost, or was recorded with another amount."""


class Game:
    """One table, two connections to it, and the expected chips and wagers of each player."""

    def __init__(self, rng: Random, store: Store, resume: Taker = LiveTable.resume) -> None:
        self._rng = rng
        self._resume = resume
        self._keys = 0
        self._accepted: dict[str, Wager] = {}
        """The accepted wagers by key, in the order of their first arrival."""
        self._layout: dict[int, int] = {}
        self._chips: dict[int, int] = {}
        resume_or_open(house(store))
        self.connect(store)
        self._play_until_betting()

    def connect(self, store: Store) -> None:
        """Open both connections again, as after a restart."""
        self._store = store
        self._lines = [self._resume(house(store, every=100), STREAM) for _ in range(2)]

    # --- schedules ---

    def schedule(self) -> None:
        """Send a few wagers one to five times each, in any order. Sometimes also send an old wager, and another command
        under a used key."""
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
            self._reuse_key(rng.choice(list(self._accepted)))
        if rng.random() < 0.01:
            self._play_round()

    def _wager(self) -> Wager:
        seat = self._rng.choice(SEATS)
        if self._rng.random() < 0.2:
            return c.TakeBack(seat=seat)
        wagers = {"ante": self._rng.choice((1000, 1500, 2000))}
        return c.Bet(seat=seat, wagers=wagers | self._rng.choice(({}, {"trips": 500})))

    def _deliver(self, key: str, wager: Wager) -> None:
        answer = self._send(key, wager)
        known = key in self._accepted
        if isinstance(answer, Refusal):
            if known or isinstance(wager, c.Bet) or self._layout[wager.seat]:
                raise TwiceError(f"{key} was refused: {answer.message}")
            return
        if answer.repeated != known:
            raise TwiceError(f"{key} was {'' if answer.repeated else 'not '}answered as a repetition")
        if not known:
            self._accepted[key] = wager
            self._layout[wager.seat] = _stake(wager)
        self._check()

    def _send(self, key: str, command: c.Command) -> Accepted | Refusal:
        line = self._lines[self._rng.random() < 0.2]
        with suppress(StaleHeadError):
            answer = line.send(command, key)
            if isinstance(answer, Accepted) or line.head.events == self._events():
                return answer
            # The command was rejected because the other connection had written first.
            line.reload()
        # A client without an answer resends.
        return line.send(command, key)

    def _events(self) -> int:
        signed = self._store.head(STREAM)
        return signed.head.events if signed else 0

    def _reuse_key(self, key: str) -> None:
        """Send a different command under a used key."""
        other = c.Bet(seat=SEATS[0], wagers={"ante": 2500})
        answer = self._send(key, other)
        if not isinstance(answer, Refusal) or answer.code != "key-used":
            raise TwiceError(f"{key} was taken for another command")
        self._check()

    def _play_round(self) -> None:
        """Play the round and open the next one. Commands that are sent again later belong to an old round."""
        line = self._lines[0]
        line.reload()
        for seat in SEATS:
            if not self._layout[seat]:
                line.send(c.Bet(seat=seat, wagers={"ante": 1000}))
        number = line.state.round.number
        while line.state.round.number == number or line.state.round.betting != "open":
            answer = line.send(next_command(line))
            assert isinstance(answer, Accepted), answer.message
        self._play_until_betting()

    def _play_until_betting(self) -> None:
        """Play until every seat can bet, and note each seat's chips."""
        line = self._lines[0]
        line.reload()
        while line.state.round.betting != "open" or len(line.state.seats) < len(SEATS):
            line.send(next_command(line))
        for seat in SEATS:
            line.send(c.TakeBack(seat=seat))
        self._layout = dict.fromkeys(SEATS, 0)
        self._chips = {seat: line.state.seats[seat].chips for seat in SEATS}

    # --- checks ---

    def _check(self) -> None:
        """Compare every player's chips and wagers with the model, on the most recent connection."""
        line = max(self._lines, key=lambda one: one.head.events)
        for number, seat in line.state.seats.items():
            staked = self._layout[number]
            if sum(seat.hands[0].wagers.values()) != staked or seat.chips != self._chips[number] - staked:
                raise TwiceError(f"seat {number} has {seat.chips} and not {self._chips[number] - staked}")

    def history(self) -> None:
        """Check that the record has each accepted key once, with its command, in order of arrival."""
        keyed = [
            (entry.key, entry.command)
            for entry in map(read_entry, self._store.entries(STREAM))
            if entry.key
        ]
        if keyed != list(self._accepted.items()):
            raise TwiceError("the keys on record are not those that were accepted, once each, in order")


def _stake(wager: Wager) -> int:
    """Return the total stake of a wager, including the blind, which equals the ante."""
    return 0 if isinstance(wager, c.TakeBack) else 2 * wager.wagers["ante"] + wager.wagers.get("trips", 0)
