"""One game at a table, without a screen: who is awaited, what goes on by itself, what was seen.

A screen asks `awaited`, calls `step` as long as nobody is awaited, and hands over what the person wants.
Everything told comes from public events and from the seat's own view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houseway.audit.memory import MemoryStore
from houseway.audit.store import StoreError
from houseway.bots import Bot, decisions
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.legal import Option, Spot, legal, spots
from houseway.engine.machine import next_act
from houseway.engine.order import due, turn, unserved
from houseway.engine.refusals import Refusal
from houseway.engine.role_views import view as role_view
from houseway.engine.views import DealerView, Layout, SeatView, view
from houseway.live import LiveTable, Told
from houseway.live.recent import recent, recorded
from houseway.live.seen import Seen
from houseway.play.dictation import CardsWantedError, Dictation
from houseway.play.port import Awaited, Playing, who_decides
from houseway.play.telling import Said, Teller, Words
from houseway.shoe.cut import SALT_BYTES


class Game(Playing):
    """A live table, its bots and the person who plays, deals or types what a real table does."""

    shared = False
    clock = None

    def __init__(
        self,
        live: LiveTable,
        seats: Sequence[int],
        bots: Mapping[int, Bot],
        *,
        chips: int,
        chair: bool = False,
        dictation: Dictation | None = None,
    ) -> None:
        self.live = live
        self.table = live.table
        self.seats = tuple(seats)
        self.bots = bots
        self.chips = chips
        self.chair = chair
        self._dictation = dictation
        self.you = self.seats[0] if len(self.seats) == 1 else 0
        self.seat = self.seats[0] if self.seats else 0
        self.seen = Seen(self.you)
        self._history: list[Seen] = []
        self._unread = 0
        """How many events on record have not been looked at: those of rounds long over."""
        self._prompt = ""
        self.last_bet: dict[str, int] = {}
        self._teller = Teller(self.table, self.you)
        self._asked: set[int] = set()
        """Bots that have been asked for their wagers in this round."""
        self._over = False
        self._wanted: CardsWantedError | None = None
        lately = recent(live, 2)
        self._unread = lately[0][0] - 1 if lately else 0
        for _, event in lately:
            self._see(event)
        self._over = False

    @property
    def history(self) -> list[Seen]:
        """The rounds played; those long over when the game was taken up again are read when asked for."""
        if self._unread:
            earlier, seen = [], Seen(self.you)
            for seq, event in recorded(self.live):
                if seq > self._unread:
                    break
                if isinstance(event, e.RoundOpened):
                    seen = Seen(self.you, event.number, event.seal)
                seen.follow(self.table, event)
                if isinstance(event, e.RoundClosed):
                    earlier.append(seen)
            self._history[:0], self._unread = earlier, 0
        return self._history

    def _see(self, event: e.Event) -> None:
        if isinstance(event, e.RoundOpened):
            self.seen = Seen(self.you, event.number, event.seal)
            self._asked.clear()
        self.seen.follow(self.table, event)
        if isinstance(event, e.WagersPlaced) and event.seat in self.seats:
            # A wager that equals another is not asked for.
            twins = {name for name, _ in self.table.terms.twins}
            self.last_bet = {name: stake for name, stake in event.wagers.items() if name not in twins}
        if isinstance(event, e.RoundClosed):
            self._over = True
            self._history.append(self.seen)

    # --- looking ---

    @property
    def layout(self) -> Layout:
        """What lies on the table for everyone."""
        return view(self.table, self.live.state, "rail").layout

    @property
    def own(self) -> SeatView | None:
        """What the person's seat sees; None where the person does not sit."""
        sees = view(self.table, self.live.state, f"seat {self.seat}") if self.seat else None
        return sees if isinstance(sees, SeatView) else None

    def options(self) -> list[Option]:
        """What the person may do now: exactly what is legal for the seat, or for the dealer's chair."""
        return legal(self.table, self.live.state, "dealer" if self.chair else f"seat {self.seat}")

    def spots(self) -> list[Spot]:
        """Where the person's seat may wager now."""
        return spots(self.table, self.live.state, self.seat) if self.seat else []

    @property
    def awaited(self) -> Awaited | None:
        """What the person is awaited for; None while the table goes on by itself."""
        state = self.live.state
        if self._over:
            return Awaited("over", self.seat)
        if state.section == "closed":
            return Awaited("left")
        if self._wanted is not None:
            return Awaited("cards", self.seat, self._wanted.count, self._wanted.place)
        asked = turn(self.table, state)
        if asked is not None:
            if asked[0] not in self.seats:
                return None
            self.seat = asked[0]
            return Awaited("decide", self.seat)
        if self._held or self._salt_due or self._bot_to_bet() is not None:
            return None
        if self.chair:
            return Awaited("act")
        return Awaited("bet", self.seat) if self._taking_wagers else None

    @property
    def unoffered(self) -> tuple[str, ...]:
        """Wagers of the rulebook that this table does not offer."""
        return self.live.state.unoffered

    @property
    def waiting(self) -> str:
        """What is waited for where the person is not."""
        return who_decides(self.layout)

    @property
    def farewell(self) -> str:
        """What becomes of the game when the person quits now."""
        if isinstance(self.live.house.store, MemoryStore):
            return "Nothing of this game was kept."
        return f"Round {self.layout.round} waits: the same command goes on from here."

    def script(self) -> tuple[Words, ...]:
        """What the dealer has to say and do now, in the dealer's chair."""
        sees = view(self.table, self.live.state, "dealer")
        return sees.script if isinstance(sees, DealerView) else ()

    @property
    def _taking_wagers(self) -> bool:
        now = due(self.table, self.live.state)
        return now is not None and now.step.act == "close betting"

    @property
    def _held(self) -> bool:
        return self.live.state.round.asked is not None or bool(self.live.state.round.challenged)

    @property
    def _salt_due(self) -> bool:
        """Whether the person's salt goes into the cut now: once a shoe, before anybody wagers.

        The cut differs from record to record, so a game that repeats with its seed is left uncut; who knows
        the seed knows the cards anyway.
        """
        now = self.live.state.round
        fresh = self._taking_wagers and bool(now.seal) and not self.live.state.playing.mixed
        return (
            fresh
            and self.live.house.entropy.live
            and self.you in self.live.state.seats
            and self.you not in now.salts
        )

    # --- going on ---

    def step(self) -> list[Said]:
        """One thing that happens by itself: a word of the floor, the salt, a bot, an act of the dealer."""
        if self.awaited is not None:
            return []
        if self._held:
            challenged = self.live.state.round.challenged
            return self._must(c.AnswerChallenge(by="supervisor") if challenged else c.Approve(by="floor"))
        if self._salt_due:
            drawn = self.live.house.entropy.named(f"salt/{self.live.state.round.number}").draw(SALT_BYTES)
            return self._must(c.AddSalt(by=f"seat {self.you}", seat=self.you, salt=drawn.hex()))
        bettor = self._bot_to_bet()
        if bettor is not None:
            return self._bot_bets(bettor)
        asked = turn(self.table, self.live.state)
        if asked is not None:
            who = f"seat {asked[0]}"
            sees = role_view(self.table, self.live.state, who)
            offered = decisions(legal(self.table, self.live.state, who))
            if not offered:
                raise StoreError(f"{self.live.stream}: {who} has nothing to choose from")
            return self._must(self.bots[asked[0]].choose(self.table, sees, offered).command)
        return self._deal_on()

    def listen(self, seconds: float = 0) -> list[Said]:
        """Nothing: here everything waits for the person."""
        return []

    def go_on(self) -> list[Said]:
        """Leave the round that is over behind."""
        self._over = False
        return []

    def _deal_on(self) -> list[Said]:
        found = legal(self.table, self.live.state, "dealer")
        if not found:
            raise StoreError(f"{self.live.stream}: the dealer cannot go on from {self.layout.step!r}")
        try:
            return self._must(found[0].command)
        except CardsWantedError as wanted:
            places = self._unserved()
            place = places[0] if places else f"step “{wanted.place}”"
            self._wanted = wanted.at(place if place.startswith("seat") else f"the {place}")
            return []

    def _unserved(self) -> list[str]:
        now = due(self.table, self.live.state)
        dealing = now is not None and now.step.act == "deal"
        return unserved(self.table, self.live.state, now.step) if now is not None and dealing else []

    def _bot_to_bet(self) -> int | None:
        if not self._taking_wagers:
            return None
        return next((seat for seat in self.bots if seat not in self._asked), None)

    def _bot_bets(self, seat: int) -> list[Said]:
        """A bot bets, once a round; one that cannot afford it makes room for a fresh one first."""
        self._asked.add(seat)
        state = self.live.state
        if state.seats[seat].hands[0].wagers:
            return []
        told: list[Said] = []
        least = min((spot.least for spot in spots(self.table, state, seat) if not spot.beside), default=0)
        if state.seats[seat].chips < least:
            name = state.seats[seat].player
            told += self._must(c.Leave(seat=seat))
            told += self._must(c.Sit(seat=seat, player=name, chips=self.chips))
        wagers = self.bots[seat].bet(self.table, role_view(self.table, self.live.state, f"seat {seat}"))
        answer = self.send(c.Bet(seat=seat, wagers=wagers)) if wagers else []
        # A bot that bets more than it has sits the round out.
        return told if isinstance(answer, Refusal) else told + answer

    def _must(self, command: c.Command) -> list[Said]:
        answer = self.send(command)
        if isinstance(answer, Refusal):
            raise StoreError(f"{self.live.stream}: the table cannot go on: {answer.message}")
        return answer

    # --- what the person wants ---

    def send(self, command: c.Command, key: str = "") -> list[Said] | Refusal:
        """Put a command on record and tell what follows, or why it is refused."""
        answer = self.live.send(command, key)
        if isinstance(answer, Refusal):
            return answer
        return self._told(answer)

    def _told(self, told: Told) -> list[Said]:
        sayings: list[Said] = []
        if told.repeated:
            return sayings
        for event, state in told.walk():
            self._see(event)
            sayings += self._teller.tell(state, event)
        return sayings

    def prompted(self) -> None:
        """The person sees what is awaited now. What is asked for from here on answers that, and counts once
        however often it is asked, until the person sees what came of it."""
        self._prompt = f"{'dealer' if self.chair else 'you'}@{self.live.head.events}"

    def ask(self, command: c.Command, part: str = "") -> list[Said] | Refusal:
        """Send what the person asks for; `part` tells apart what answers one prompt together."""
        answer = self.send(command, f"{self._prompt}{part}" if self._prompt else "")
        if isinstance(answer, Refusal) and answer.code == "key-used":
            return Refusal("answered", None, "you", "that was answered already; look what is asked now")
        return answer

    def deal(self) -> list[Said] | Refusal:
        """No more bets: let the dealer begin, once somebody has wagered."""
        act = next_act(self.table, self.live.state)
        if act is None or not self._taking_wagers:
            text = "put a wager down first" if self._taking_wagers else "the cards are out already"
            return Refusal("nothing-to-deal", None, "deal", text)
        return self.ask(act.command(), "/deal")

    def type_cards(self, text: str) -> list[Said] | str:
        """Give the cards that were dealt at a real table, or hear what is wrong with them."""
        if self._dictation is None or self._wanted is None:
            return "no cards are wanted now"
        wanted, self._wanted = self._wanted, None
        self._dictation.give(text)
        told = self._deal_on()
        wrong = self._dictation.wrong()
        if wrong and self._wanted is not None:
            self._wanted = self._wanted.at(wanted.place)
            return wrong
        return told

    def fresh_chips(self) -> list[Said] | Refusal:
        """Leave and sit down again with fresh play chips."""
        player = self.live.state.seats[self.seat].player
        left = self.ask(c.Leave(seat=self.seat), "/leave")
        if isinstance(left, Refusal) or not left:
            return left
        return left + self._must(c.Sit(seat=self.seat, player=player, chips=self.chips))

    def leave(self) -> list[Said] | Refusal:
        """Leave the table for good, between rounds; the next game is a new one."""
        awaited = self.awaited
        dealt_in = [seat for seat in self.seats if seat in self.live.state.round.players]
        if awaited is None or (awaited.why not in ("bet", "over") and not dealt_in):
            return Refusal("round-under-way", None, "leave", "a round is under way; leave when it is over")
        told: list[Said] = []
        for seat in (*self.seats, *self.bots):
            lies = self.live.state.seats.get(seat)
            if lies is not None and lies.hands[0].wagers and self._taking_wagers:
                told += self._must(c.TakeBack(seat=seat))
            answer = self.send(c.Leave(seat=seat)) if lies is not None else []
            if isinstance(answer, Refusal):
                return answer
            told += answer
        closed = self.send(c.CloseTable(by="floor"))
        return closed if isinstance(closed, Refusal) else told + closed
