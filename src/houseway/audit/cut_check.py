"""Check the players' cut in every round of a record: players commit to salts before betting closes, and
open them afterward.

This check reads only events. It does not use the engine, so it can find mistakes of the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from houseway.engine import events as e
from houseway.shoe import Commitment, Commitments
from houseway.wording import several

LABEL: Final = b"houseway salt commitment 1"
DEALS: Final = (e.CardsDealt, e.CardsBurned, e.ExtraDealt, e.CardDrawn, e.FaceUpFound, e.BoardExposed)
"""The events that take cards off the deck."""


class CutCheck:
    """Follows the players' cuts of one table event by event."""

    def __init__(self) -> None:
        self._committed_table = False
        self._players: dict[int, str] = {}
        self._played: Counter[str] = Counter()
        """The number of rounds that each player played."""
        self._unopened: Counter[str] = Counter()
        """The number of rounds in which each player did not open a salt."""
        self._seats: dict[str, int] = {}
        """The last seat of each player."""
        self.cuts: dict[str, list[Commitments]] = {}
        """For each deck, the commitments of every players' cut since it was shuffled."""
        self._open_round("", "")

    def _open_round(self, deck: str, seal: str) -> None:
        self._deck, self._seal = deck, seal
        self._wagers: set[int] = set()
        self._commitments: dict[int, tuple[str, int]] = {}
        """For each seat, its commitment and the number of the event."""
        self._openings: dict[int, tuple[str, int]] = {}
        """For each seat, its opened salt and the number of the event."""
        self._closed = 0
        """The number of the event that closed betting; 0 while betting is open."""
        self._cut = self._void = False

    @property
    def committed_table(self) -> bool:
        """True if players commit to salts before they open them at this table."""
        return self._committed_table

    @property
    def _missing(self) -> set[int]:
        """The seats in the round that have committed to a salt but have not opened it."""
        return set(self._commitments) - set(self._openings)

    def follow(self, seq: int, event: e.Event) -> Iterator[str]:
        """Follow event `seq`. Yield a sentence for each fault."""
        match event:
            case e.TableOpened():
                self._committed_table = event.players_cut == "committed"
            case e.PlayerSeated():
                self._players[event.seat] = event.player
                self._seats[event.player] = event.seat
            case e.PlayerLeft():
                self._wagers.discard(event.seat)
                self._commitments.pop(event.seat, None)
            case e.WagersPlaced():
                self._wagers.add(event.seat)
            case e.WagersTakenBack():
                self._wagers.discard(event.seat)
            case e.DeckShuffled():
                yield from self._shuffle(event)
            case e.RoundOpened():
                self._open_round(event.deck, event.seal)
            case e.BettingClosed():
                self._closed = seq
                self._commitments = {n: at for n, at in self._commitments.items() if n in self._wagers}
                self._played.update(self._players.get(n, "") for n in self._wagers)
            case e.RoundVoided():
                self._void = True
            case e.RoundClosed():
                self._open_round("", "")
            case _ if self._committed_table:
                yield from self._follow_salts(seq, event)
            case e.SaltCommitted() | e.SaltOpened() | e.DeckDiscarded():
                yield "this table takes salts in the clear, so there is nothing to commit to or to open"

    def _shuffle(self, event: e.DeckShuffled) -> Iterator[str]:
        self.cuts[event.deck] = []
        if event.deck != self._deck or event.ahead or self._void:
            return
        if self._closed and self._commitments:
            yield f"deck {event.deck} was shuffled again after betting was closed"
        self._seal = event.seal
        if not self._closed:
            self._commitments = {}

    def _follow_salts(self, seq: int, event: e.Event) -> Iterator[str]:
        match event:
            case e.SaltAdded():
                yield f"seat {event.seat} added a salt in the clear at a table with commitments"
            case e.SaltCommitted():
                if self._closed:
                    yield f"seat {event.seat} committed to a salt after betting was closed"
                self._commitments[event.seat] = event.commitment, seq
            case e.SaltOpened():
                yield from self._opened(event)
                self._openings[event.seat] = event.salt, seq
            case e.PlayersCutMade():
                yield from self._made(event)
            case e.DeckDiscarded():
                if set(event.seats) != self._missing:
                    yield f"deck {event.deck} was discarded, but not for the seats with unopened salts"
                self._unopened.update(self._players.get(n, "") for n in event.seats)
            case e.DeckCut() if event.deck == self._deck and self._closed and self._commitments:
                if not self._void:
                    yield f"deck {event.deck} was cut again after betting was closed"
            case _ if isinstance(event, DEALS) and self._closed and self._commitments:
                if not self._cut and not self._void:
                    yield "cards were dealt before the players' cut was made"

    def _opened(self, event: e.SaltOpened) -> Iterator[str]:
        seat = event.seat
        if not self._closed:
            yield f"seat {seat} opened its salt before betting was closed"
        committed, _ = self._commitments.get(seat, ("", 0))
        if not committed:
            yield f"seat {seat} opened a salt without a commitment"
            return
        try:
            parts = LABEL, b"\0", bytes.fromhex(self._seal), seat.to_bytes(2), bytes.fromhex(event.salt)
            matches = sha256(b"".join(parts)).hexdigest() == committed
        except ValueError:
            matches = False
        if not matches:
            yield f"seat {seat} opened a salt that it had not committed to"

    def _made(self, event: e.PlayersCutMade) -> Iterator[str]:
        self._cut = True
        if not self._closed:
            yield "the players' cut was made before betting was closed"
        if missing := sorted(self._missing):
            seats = " and ".join(f"seat {n}" for n in missing)
            yield f"the players' cut was made without the salt of {seats}"
        if event.salts != {n: salt for n, (salt, _) in self._openings.items() if n in event.salts}:
            yield "the players' cut was made with a salt that was not opened"
        by_seat = {
            n: Commitment(committed, at, self._openings.get(n, ("", 0))[1])
            for n, (committed, at) in self._commitments.items()
        }
        self.cuts.setdefault(event.deck, []).append(Commitments(self._closed, by_seat))

    def patterns(self) -> Iterator[str]:
        """Yield a sentence for each player who left a salt unopened, starting with the most frequent."""
        for player, times in self._unopened.most_common():
            rounds = several(self._played[player], "round")
            seat = f"seat {self._seats.get(player, 0)} ({player})"
            yield f"{seat} did not open its salt in {times} of {rounds}, so the deck was discarded"
