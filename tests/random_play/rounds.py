"""A table that plays automatically: seeded players, a dealer by machine or by hand, and irregularities.

>>> for played in Rounds("uth-ma", "manual", seed=7).play(3):
...     print(played.number, len(played.events))

Every event is kept with the state after it, so a test can check every event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.close_acts import wrongly_keyed_seat
from houseway.engine.command_helpers import Answer
from houseway.engine.dealer_act import Act, next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve
from houseway.engine.idle_table import must_spread
from houseway.engine.legal import Option, legal, spots
from houseway.engine.players_cut import commitment
from houseway.engine.refusals import Refusal
from houseway.engine.state import COMMITTED, State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.engine.turn_order import places_left, turns, unopened_salts
from houseway.rules.loader import load
from random_play.by_hand import BY_HAND, key
from random_play.chance import SteeredShoe, random_terms
from random_play.played import Played
from random_play.trouble import TROUBLES, report_wrong_number

DECISIONS = (c.Check, c.Play, c.Fold, c.Keep, c.Split)
LIMIT = 4000
"""The number of commands after which an unfinished round counts as stuck."""


class StuckError(AssertionError):
    """The table is stuck."""


class Rounds:
    """A table with players and a dealer who act at random, from a seed.

    `irregular` is the chance of an irregularity or a floor command at each act;
    `by_hand` is the chance that the dealer is a person, who deals one card and settles one seat at a time and keys awards.
    """

    unopened = 0.05
    """The chance that a committed salt stays unopened."""

    def __init__(
        self,
        rulebook: str,
        mode: str = "",
        seed: int | str = 1,
        *,
        irregular: float = 0.03,
        by_hand: float = 0.3,
        lasts: int = 20,
        given: Mapping[str, Any] | None = None,
        keep: bool = False,
    ) -> None:
        self.book = load(rulebook)
        self.mode = mode or self.book.modes[0]
        self.rng = Random(f"{rulebook} {self.mode} {seed}")
        self.irregular = irregular
        self.by_hand = by_hand
        self.lasts = lasts
        self.terms = given
        self.sent: list[tuple[c.Command, Answer]]
        """The commands sent in the current round, with the answers, if `keep` is set."""
        self.keep = keep
        self.salts: dict[int, str] = {}
        """The last salt that each seat committed to."""
        self.new_table()

    def new_table(self) -> None:
        """Leave the table and open a new one, with its own terms."""
        rng = self.rng
        self.given = random_terms(rng, self.book, self.mode) if self.terms is None else self.terms
        terms, refused = read_terms(self.book, self.given)
        assert not refused, refused
        self.table = Table(terms)
        self.shoe = SteeredShoe(rng, self.book.ranking.decks)
        self.state = State()
        self.record: list[e.Event] = []
        self.sent = []
        self.round = Played(0, self.state, self.given)
        self.played_here = 0
        self._wagered = -1
        meters = {m: rng.randrange(10_000_000) for m in self.table.meters if rng.random() < 0.7}
        backs = ("red", "blue")[: self.table.decks] or ("red",)
        dealer = "person" if rng.random() < self.by_hand else "machine"
        designated = (self.book.game,)
        opening = c.OpenTable(
            designated=designated, backs=backs, meters=meters, dealer=dealer, examples=True
        )
        # The purpose decides what follows a dealer's hand that breaks the house way.
        purpose = rng.choice(("live", "shadow", "training")) if self.book.house_way else "live"
        self.must(replace(opening, purpose=purpose))

    # --- sending ---

    def send(self, command: c.Command) -> Answer:
        """Send a command and record its events."""
        answer = decide(self.table, self.state, command)
        if self.keep:
            self.sent.append((command, answer))
        if isinstance(answer, Refusal):
            return answer
        for event in answer:
            self.state = evolve(self.state, event)
            self.round.events.append(event)
            self.round.states.append(self.state)
            kind = type(event)
            ahead = kind is e.DeckShuffled and event.ahead  # type: ignore[attr-defined]
            if (kind is e.DeckShuffled and not ahead) or (kind is e.DecksSwapped and event.stands):  # type: ignore[attr-defined]
                # A deck that was shuffled ahead is the shoe once it comes into play.
                self.shoe.shuffle()
            elif kind is e.DeckCut:
                self.shoe.cut(event.count)  # type: ignore[attr-defined]
        self.record += answer
        return answer

    def must(self, command: c.Command) -> tuple[e.Event, ...]:
        """Send a command that must be accepted."""
        answer = self.send(command)
        if isinstance(answer, Refusal):
            raise StuckError(f"{command} refused: {answer.code} ({answer.clause}) {answer.message}")
        return answer

    def off_deck(self, command: Callable[[tuple[Card, ...]], c.Command], places: list[str]) -> Answer:
        """Send a command that uses the next cards; they leave the shoe if it is accepted."""
        if len(places) > len(self.shoe.cards):
            return self.send(command(tuple(self.shoe.cards)))
        cards = self.shoe.next(places)
        answer = self.send(command(cards))
        if not isinstance(answer, Refusal):
            self.shoe.take(cards)
        return answer

    # --- playing ---

    def play(self, rounds: int) -> Iterator[Played]:
        """Yield this many rounds, opening as many tables as they need."""
        for _ in range(rounds):
            if self.played_here >= self.lasts:
                self.leave_table()
                self.new_table()
            yield self.one()
            self.played_here += 1
            self.round = Played(self.state.round.number + 1, self.state, self.given)
            self.sent = []

    def leave_table(self) -> None:
        """Close the table if it may be closed now."""
        self.send(c.CloseTable())

    def one(self) -> Played:
        """Play until a round is closed."""
        for _ in range(LIMIT):
            self.step()
            if self.round.events and type(self.round.events[-1]) is e.RoundClosed:
                return self.round
        raise StuckError(f"the round does not end: {self.state.section}, {self.state.done}")

    def step(self) -> None:
        """Perform one act of a player, the dealer or the floor."""
        state = self.state
        now = state.round
        # If the dealer was skipped, the mistake is noticed soon.
        missed = "dealer" in now.skipped and self.rng.random() < 0.3
        if missed or self.rng.random() < self.irregular:
            (report_wrong_number if missed else self.rng.choice(TROUBLES))(self)
            if type(self.round.events[-1]) is e.RoundClosed if self.round.events else False:
                return
            state, now = self.state, self.state.round
        if state.section == "idle":
            self.must(c.Resume())
        elif must_spread(self.table, state):
            self.must(c.GoIdle())
        elif now.asked is not None:
            named = "Flo" if self.table.names_persons else ""
            self.must(c.Approve(by="floor supervisor", name=named))
        elif now.challenged:
            self.must(c.AnswerChallenge())
        elif self.betting and self._wagered != now.number:
            self.wager()
        elif unopened := unopened_salts(state):
            self.open_salt(self.rng.choice(unopened))
        else:
            waiting = turns(self.table, state)
            if waiting:
                self.answer(waiting[0] if len(waiting) == 1 else self.rng.choice(waiting))
            else:
                self.act()

    @property
    def betting(self) -> bool:
        """True if wagers are taken."""
        now = self.state.round
        return now.betting == "open" and self.state.section == "round" and not now.void

    # --- players ---

    def wager(self) -> None:
        """Seat players and place wagers; at least one player bets."""
        rng = self.rng
        seats = self.state.seats
        count = rng.choice((1, 1, 2, 2, 3, 4, self.table.seats))
        free = [n for n in range(1, self.table.seats + 1) if n not in seats]
        rng.shuffle(free)
        for number in free[: max(0, count - len(seats))]:
            self.sit(number)
        for number in list(self.state.seats):
            if rng.random() < 0.85:
                self.bet(number)
        if not any(s.hands[0].wagers for s in self.state.seats.values()):
            occupied = list(self.state.seats)
            if not any(self.bet(n) for n in occupied):
                for number in occupied:
                    self.send(c.Leave(seat=number))
                for number in range(1, self.table.seats + 1):
                    # A new player has enough chips for any minimum.
                    self.sit(number, rich=True)
                    if number in self.state.seats and (self.state.emptied or self.bet(number)):
                        # The cards of a table that everyone has left are spread before the next bet.
                        break
                else:
                    raise StuckError("no player can wager")
        if any(s.hands[0].wagers for s in self.state.seats.values()):
            self._wagered = self.state.round.number
            seated = [n for n, s in self.state.seats.items() if s.hands[0].wagers]
            for number in seated:
                if self.state.round.seal and rng.random() < 0.1:
                    self.add_salt(number)
            if self.state.playing.used == 0 or self.book.ranking.decks > 1:
                self.shoe.choose_class(seated, self.table.terms.order)

    def add_salt(self, number: int) -> None:
        """Add a random salt of a seat to the cut, or commit to it, as the table takes it."""
        salt, by = self.rng.randbytes(16).hex(), f"seat {number}"
        if self.state.players_cut != COMMITTED:
            self.send(c.AddSalt(by=by, seat=number, salt=salt))
            return
        self.salts[number] = salt
        committed = commitment(self.state.round.seal, number, salt)
        self.send(c.CommitSalt(by=by, seat=number, commitment=committed))

    def open_salt(self, number: int) -> None:
        """Open a seat's salt; if it stays unopened, the deck is discarded."""
        if self.unopened and self.rng.random() < self.unopened:
            self.must(c.DiscardDeck(by="deadline"))
        else:
            self.must(c.OpenSalt(by=f"seat {number}", seat=number, salt=self.salts[number]))

    def sit(self, number: int, *, rich: bool = False) -> None:
        """Seat a player, sometimes one who already sits elsewhere, sometimes with few chips."""
        rng = self.rng
        player = f"player {number}"
        others = [s.player for s in self.state.seats.values()]
        if others and rng.random() < 0.1:
            player = rng.choice(others)
        chips = rng.choice((2_000, 10_000, 500_000, 500_000, 500_000)) if not rich else 5_000_000
        held = self.state.held.get(number)
        if held is not None:
            if rng.random() < 0.5:
                self.send(c.ReleaseSeat(by="floor", seat=number))
            else:
                player = held[0]
        self.send(c.Sit(seat=number, player=player, chips=chips))

    def bet(self, number: int) -> bool:
        """Place random wagers of every kind; if they are refused, try smaller and simpler ones."""
        table = self.table
        if not self.state.seats[number].seated:
            self.send(c.Sit(seat=number))
        for tries in range(4):
            answer = self.send(self.random_bet(number, plain=tries))
            if not isinstance(answer, Refusal):
                return True
        least = {s.wager: s.least for s in spots(table, self.state, number)}
        entry = table.terms.ways_in[0] if table.terms.ways_in else frozenset({"wager"})
        wagers = {name: amount for name, amount in least.items() if name in entry}
        return not isinstance(self.send(c.Bet(seat=number, wagers=wagers)), Refusal)

    def random_bet(self, number: int, plain: int = 0) -> c.Bet:
        """Wagers as a player might place them; a higher `plain` gives simpler ones."""
        rng, table = self.rng, self.table
        by_wager = {s.wager: s for s in spots(table, self.state, number)}
        way = rng.choice(table.terms.ways_in) if table.terms.ways_in else frozenset({"wager"})
        wagers: dict[str, int] = {}
        for name, spot in by_wager.items():
            if name not in way and (plain > 2 or rng.random() < 0.3):
                continue
            high = spot.most if spot.most is not None else max(spot.least, 1) + 100_000
            least = max(spot.least, 100) if high >= 100 else spot.least
            big = least * rng.choice((1, 1, 2, 3, 7) if plain or rng.random() < 0.9 else (100, 200, 500))
            stake = min(high, big + rng.choice((0, 0, 0, 34, 50)))
            wagers[name] = spot.least if spot.exact or plain > 1 else stake
        tips = {}
        allowed = table.book.option("tips") or ()
        if allowed and not plain and rng.random() < 0.3:
            company = [t for t in allowed if t != "play" and (t == "trips" or "ante" in wagers)]
            tips = {name: rng.choice((100, 200, 333)) for name in company if rng.random() < 0.6}
        if table.terms.house("tips") and not plain and rng.random() < 0.3:
            tips = {name: rng.choice((100, 200, 333)) for name in wagers if rng.random() < 0.6}
        coupon = 0
        if table.terms.house("match_play") and "ante" in wagers and rng.random() < 0.3:
            coupon = rng.choice((wagers["ante"], max(1, wagers["ante"] // 2)))
        return c.Bet(by=f"seat {number}", seat=number, wagers=wagers, tips=tips, coupon=coupon)

    def options(self, number: int) -> list[Option]:
        """The decisions a seat may make now."""
        listed = legal(self.table, self.state, f"seat {number}")
        return [option for option in listed if isinstance(option.command, DECISIONS)]

    def answer(self, number: int) -> None:
        """Let the player whose turn it is decide at random."""
        rng = self.rng
        if rng.random() < 0.05:
            absent = self.send(c.ActFor(by="supervisor", seat=number))
            if isinstance(absent, Refusal):
                self.report_number(f"seat {number}")
            return
        options = self.options(number)
        if not options:
            raise StuckError(f"seat {number} must decide but has no legal choice")
        command = rng.choice(options).command
        if type(command) is c.Play:
            tip = self.state.seats[number].hands[0].tips.get("ante", 0) * command.times
            if tip and rng.random() < 0.5:
                tipping = self.send(replace(command, tip=tip))
                if not isinstance(tipping, Refusal):
                    return
        self.must(command)

    # --- the dealer ---

    def act(self) -> None:
        """Perform the dealer's next act, by machine or by hand."""
        act = next_act(self.table, self.state)
        if act is None and self.state.round.betting == "open":
            # No player has bet yet, so players bet again.
            self._wagered = -1
            return
        if act is None and not self.state.seats:
            # The dealer waits for the first player, who may inspect the cards.
            self.sit(self.rng.randint(1, self.table.seats))
            return
        if act is None:
            raise StuckError(f"no act is possible: {self.state.section}, {self.state.done}")
        person = self.state.dealer == "person" or self.rng.random() < self.by_hand / 2
        by_hand = BY_HAND.get(act.act) if person else None
        answer = by_hand(self, act) if by_hand is not None else self.by_machine(act)
        if isinstance(answer, Refusal):
            self.fix_refusal(act, answer)

    def by_machine(self, act: Act) -> Answer:
        """Perform the whole act at once."""
        if not act.cards:
            return self.send(act.command(seal=self.shoe.seal if act.act == "open" else ""))
        return self.off_deck(act.command, self.places(act))

    def places(self, act: Act) -> list[str]:
        """The place each card of an act goes to."""
        step = self.table.steps[act.step]
        if act.act == "burn":
            return ["burn"] * act.cards
        left = places_left(self.table, self.state, step)
        early = len(self.state.round.drawn)
        return [place for place in left for _ in range(step.each)][early : early + act.cards]

    def fix_refusal(self, act: Act, refusal: Refusal) -> None:
        """Fix the cause of a refused act, as a dealer would."""
        match refusal.code:
            case "wrong-number":
                self.report_number("board" if refusal.where == act.step else refusal.where)
            case "deck-off":
                off = next(deck for deck in self.state.decks if deck.stands == "off")
                self.must(c.ReplaceDeck(by="floor", deck=off.name))
            case "award-not-keyed":
                number = int(refusal.where.removeprefix("seat "))
                if isinstance(key(self, number), Refusal):
                    raise StuckError(refusal.message)
            case "award-lit":
                lit = wrongly_keyed_seat(self.state)
                assert lit is not None
                self.must(c.KeyAward(seat=lit, hand=self.state.round.keyed[lit]))
            case "not-the-house-way":
                self.must(c.ResetHand(by=self.rng.choice(("dealer", "supervisor"))))
            case "no-wagers":
                self._wagered = -1
            case _:
                raise StuckError(f"{act} refused: {refusal.code} ({refusal.clause}) {refusal.message}")

    def report_number(self, place: str) -> None:
        """Report that a hand has a wrong number of cards."""
        kind = "wrong number"
        missing = self.table.dealer_size - len(self.state.round.dealer)
        if place == "dealer" and missing > 0 and self.rng.random() < 0.6:
            answer = self.off_deck(
                lambda cards: c.Report(kind=kind, at=place, cards=cards), ["dealer"] * missing
            )
        else:
            answer = self.send(c.Report(kind=kind, at=place, count=self.rng.choice((None, 51))))
        if isinstance(answer, Refusal):
            raise StuckError(
                f"{place} has a wrong number of cards, and the report is refused: {answer.message}"
            )
