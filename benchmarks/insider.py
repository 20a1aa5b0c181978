"""Measure what a host who also plays gains by choosing its random bytes for the players' cut.

The insider plays some of six seats. It knows the server's seeds and sees every message first, so it always
sends last and chooses its bytes as well as it can. Its goal is a pair of aces in one of its own hands.

* With salts in the clear, as in older records, it tries salts until the cut deals it the aces.
* With commitments, it can only guess the other players' bytes when it chooses its own.
* With commitments it can still refuse to open a salt once it knows the cards. Then the deck is discarded
  unseen. The gain is what the insider would have lost with the discarded cards, if it plays every hand
  knowing all cards. The cost is a visible mark: after three of them in 100 rounds, the seat adds no bytes.

    python benchmarks/insider.py [ROUNDS]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import comb, erfc, sqrt
from random import Random

from houseway.audit.entries import read_entry
from houseway.audit.memory_store import MemoryStore
from houseway.audit.signatures import Signer
from houseway.audit.verify import verify
from houseway.cards import Card, card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.players_cut import commitment
from houseway.engine.salt_history import LAST_ROUNDS, MOST_UNOPENED, UNOPENED_MARK
from houseway.live import Accepted, LiveTable, TableServices
from houseway.ranking import evaluator
from houseway.rules.loader import load
from houseway.shoe import SystemEntropy, players_cut

SEATS = range(1, 7)
TRIES = 20_000
"""The most salts that the insider tries in a round."""
ACE = card("As").rank
ANTE = 1000
WIN, LOSE = 4, -2
"""The results of a player who knows all cards, in antes. With a winning hand, the player raises four antes
and wins at least as much. With a losing hand, the player folds and loses ante and blind."""


@dataclass
class Outcome:
    """The figures of some rounds."""

    rounds: int = 0
    dealt: int = 0
    goals: int = 0
    """The number of rounds in which the insider had a pair of aces."""
    aces: int = 0
    """The number of aces among the insider's cards."""
    aborted: int = 0
    saved: int = 0
    """The antes that the insider would have lost with the discarded cards."""
    notes: tuple[str, ...] = ()
    """The notes of `houseway audit verify` about the record."""


@dataclass
class Insider:
    """A table with an insider at its last seats."""

    seats: int
    scheme: str = "committed"
    seed: str = "insider"
    aborts: bool = False
    leak: bool = False
    """True to let the insider see the other salts before it commits: a planted fault."""
    outcome: Outcome = field(default_factory=Outcome)

    def __post_init__(self) -> None:
        self.rng = Random(f"{self.seed} {self.seats} {self.scheme}")
        self.own = tuple(SEATS)[-self.seats :]
        self.honest = tuple(SEATS)[: -self.seats]
        self.store, book = MemoryStore(), load("uth-ma")
        services = TableServices(self.store, Signer(bytes(32)), SystemEntropy())
        opening = c.OpenTable(designated=(book.game,), examples=True, players_cut=self.scheme)
        live = LiveTable.open(services, "insider", book, {"mode": "device"}, opening)
        assert isinstance(live, LiveTable), live
        self.live = live
        for seat in SEATS:
            self._send(c.Sit(seat=seat, player=f"player {seat}", chips=10**9))
        self.live.advance()
        self._places: list[str] = []
        """Where each card of a round goes, in the order of the deal."""
        self._values: list[int] = []
        """The value of the cards in each round so far."""
        self._guess = {seat: self._salt() for seat in self.honest}
        """The insider's guess of the other players' salts: those of the last round."""

    def _send(self, command: c.Command) -> None:
        answer = self.live.send(command)
        assert isinstance(answer, Accepted), answer

    def _salt(self) -> str:
        return self.rng.randbytes(16).hex()

    def play(self, rounds: int) -> Outcome:
        """Play this many rounds and return the figures."""
        if not self._places:
            # The insider first watches where the cards of a round go.
            self._round()
            self.outcome = Outcome()
        for _ in range(rounds):
            self._round()
        self.outcome.notes = verify(self.store, "insider").notes
        return self.outcome

    # --- one round ---

    def _round(self) -> None:
        for seat in SEATS:
            self._send(c.Bet(seat=seat, wagers={"ante": ANTE}))
        honest = {seat: self._salt() for seat in self.honest}
        if self.scheme == "plain":
            for seat, salt in honest.items():
                self._send(c.AddSalt(seat=seat, salt=salt))
            own = self._best(honest)
            for seat, salt in own.items():
                self._send(c.AddSalt(seat=seat, salt=salt))
        else:
            self._commit(honest)
            own = self._best(honest if self.leak else self._guess)
            self._commit(own)
        deck = self._deck({**honest, **own})
        self.live.advance()
        self.outcome.rounds += 1
        if self.scheme != "plain":
            for seat, salt in honest.items():
                self._send(c.OpenSalt(seat=seat, salt=salt))
            self._guess = honest
            # Now the insider knows every card.
            if self.aborts and self._bad(self._value(deck)) and (refusing := self._unmarked()):
                for seat in set(self.own) - {refusing}:
                    self._open(seat, own)
                self.outcome.aborted += 1
                self.outcome.saved -= self._value(deck)
                self._send(c.DiscardDeck(by="deadline"))
                self._close()
                return
            for seat in self.own:
                self._open(seat, own)
        self._look(deck)

    def _commit(self, salts: Mapping[int, str]) -> None:
        for seat, salt in salts.items():
            if not self._barred(seat):
                committed = commitment(self.live.state.round.seal, seat, salt)
                self._send(c.CommitSalt(seat=seat, commitment=committed))

    def _open(self, seat: int, salts: Mapping[int, str]) -> None:
        if seat in self.live.state.round.commitments:
            self._send(c.OpenSalt(seat=seat, salt=salts[seat]))

    def _marks(self, seat: int) -> int:
        return self.live.state.openings.get(f"player {seat}", "").count(UNOPENED_MARK)

    def _barred(self, seat: int) -> bool:
        return self._marks(seat) >= MOST_UNOPENED

    def _unmarked(self) -> int:
        """Return the insider's seat with the fewest marks that may still refuse to open a salt, or 0."""
        free = [seat for seat in self.own if seat in self.live.state.round.commitments]
        return min(free, key=self._marks, default=0)

    def _bad(self, value: int) -> bool:
        """True if the cards are among the worst that the insider can discard within the limit on marks."""
        self._values.append(value)
        share = self.seats * MOST_UNOPENED / LAST_ROUNDS
        return value < 0 and value <= sorted(self._values)[int(share * len(self._values))]

    def _look(self, expected: list[Card]) -> None:
        """Count the insider's cards after the deal, then end the round without a showdown."""
        self.live.advance()
        state = self.live.state
        own = [state.seats[seat].hands[0].cards for seat in self.own]
        if self._places:
            assert [set(hand) for hand in own] == [set(self._hand(expected, seat)) for seat in self.own]
        else:
            self._learn()
        self.outcome.dealt += 1
        self.outcome.goals += any(all(one.rank == ACE for one in hand) for hand in own)
        self.outcome.aces += sum(one.rank == ACE for hand in own for one in hand)
        self._send(c.MakeRuling(by="supervisor", name="Bea", reason="seen", effect="void round"))
        self._close()

    def _close(self) -> None:
        while self.live.state.round.betting != "open" or self.live.state.round.void:
            self.live.advance()

    def _learn(self) -> None:
        """Learn from the first round where each card goes."""
        for stored in self.store.entries("insider"):
            for event in read_entry(stored).events:
                if isinstance(event, e.CardsDealt):
                    self._places += [event.to] * event.count
                elif isinstance(event, e.CardsBurned):
                    self._places += ["burn"] * event.count

    # --- the insider's knowledge ---

    def _shoe(self) -> tuple[tuple[Card, ...], str]:
        """The undealt cards of the deck in play, in order, and the shoe's name."""
        deck = self.live.state.playing.name
        shoe = self.live.shoes.of(deck)
        assert shoe is not None
        return shoe.peek(shoe.left), self.live.shoes.saved().decks[deck].id

    def _deck(self, salts: Mapping[int, str]) -> list[Card]:
        """The cards in the order of the deal after a cut with these salts."""
        cards, name = self._shoe()
        taken = {n: bytes.fromhex(s) for n, s in salts.items() if not self._barred(n)}
        order = players_cut(taken, self.live.state.round.seal, name, len(cards))
        return [cards[n] for n in order]

    def _at(self, place: str) -> list[int]:
        """The positions, in the order of the deal, of the cards that go to a place."""
        return [n for n, to in enumerate(self._places) if to == place]

    def _hand(self, deck: list[Card], place: int | str) -> list[Card]:
        return [deck[n] for n in self._at(f"seat {place}" if isinstance(place, int) else place)]

    def _best(self, others: Mapping[int, str]) -> dict[int, str]:
        """Return salts that deal the insider a pair of aces, given the other players' salts."""
        own = {seat: self._salt() for seat in self.own}
        cards, name = self._shoe()
        seal, last = self.live.state.round.seal, self.own[-1]
        salts = {n: bytes.fromhex(s) for n, s in {**others, **own}.items() if not self._barred(n)}
        hands = [self._at(f"seat {seat}") for seat in self.own]
        for _ in range(TRIES if self._places and last in salts else 0):
            order = players_cut(salts, seal, name, len(cards))
            if any(all(cards[order[n]].rank == ACE for n in hand) for hand in hands):
                break
            salts[last] = self.rng.randbytes(16)
        return {seat: salts[seat].hex() if seat in salts else own[seat] for seat in self.own}

    def _value(self, deck: list[Card]) -> int:
        """Return the antes that the insider wins (at least) or loses, if it knows all these cards."""
        if not self._places:
            return 0
        board, dealer = self._hand(deck, "board"), self._hand(deck, "dealer")
        strength = evaluator(self.live.table.terms.order, 1).strength
        against = strength([*dealer, *board])
        value = 0
        for seat in self.own:
            hand = strength([*self._hand(deck, seat), *board])
            value += WIN if hand > against else LOSE if hand < against else 0
        return value


# --- chance ---


def chance_of_aces(seats: int) -> float:
    """The chance that at least one of this many hands is a pair of aces."""
    one = comb(4, 2) / comb(52, 2)
    return seats * one - comb(seats, 2) * one / comb(50, 2)


def aces_z(outcome: Outcome, seats: int) -> float:
    """Return by how many standard deviations the number of aces is above its mean."""
    cards = 2 * seats
    mean = cards * 4 / 52
    variance = cards * (4 / 52) * (48 / 52) * (52 - cards) / 51
    return (outcome.aces - outcome.dealt * mean) / sqrt(outcome.dealt * variance)


def p_value(outcome: Outcome, seats: int) -> float:
    """The chance of at least as many pairs of aces, if the insider gains nothing."""
    p, n = chance_of_aces(seats), outcome.dealt
    below = sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(outcome.goals))
    return max(0.0, 1 - below)


def show(what: str, outcome: Outcome, seats: int) -> None:
    expected = outcome.dealt * chance_of_aces(seats)
    z = aces_z(outcome, seats)
    print(
        f"{seats} of 6 seats, {what:<22}{outcome.dealt:>6} dealt {outcome.goals:>5} with aces "
        f"({expected:5.1f} by chance, p = {p_value(outcome, seats):.3f}); aces {z:+.1f} sigma "
        f"(p = {erfc(z / sqrt(2)) / 2:.3f})"
    )


def main(rounds: int) -> None:
    for seats in (1, 3, 5):
        show("salts in the clear", Insider(seats, "plain").play(10), seats)
        show("commitments", Insider(seats).play(rounds), seats)
        aborting = Insider(seats, aborts=True).play(rounds)
        show("commitments, aborting", aborting, seats)
        gain = aborting.saved / aborting.rounds
        print(
            f"  {aborting.aborted} of {aborting.rounds} rounds aborted, which saved {aborting.saved} "
            f"antes: {gain:.3f} a round for {seats} seats"
        )
        for note in aborting.notes:
            print(f"  verify: {note}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
