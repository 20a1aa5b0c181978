"""A game at a table of a house: what the house tells, a sentence at a time, and what the person wants.

A message of the house holds moments and the sight after them. The moments are told one by one; until the
last of them is told the table lies as it lay before, and nobody is awaited.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from math import ceil
from secrets import token_hex
from time import monotonic
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from houseway.client import AtTable, House, HouseError
from houseway.client.messages import (
    Answered,
    Entered,
    FromHouse,
    Moment,
    NotTaken,
    Pong,
    SeenRound,
    Sight,
    TableSheet,
    Told,
)
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import read_event
from houseway.engine.legal import Option, Spot
from houseway.engine.refusals import Refusal
from houseway.engine.table import Table
from houseway.engine.views import Layout, SeatView
from houseway.live.bot_driver import offered
from houseway.live.seen import Line, Seen
from houseway.money import cents
from houseway.play.link import Link
from houseway.play.opening import PlayError
from houseway.play.port import Awaited, Playing, place_at, who_decides
from houseway.play.telling import Said, Scene, Teller, Words
from houseway.play.words import sentence
from houseway.shoe.cut import SALT_BYTES

PATIENCE = 30.0
"""Seconds an answer may take before the house counts as away."""
EARLIER = 20
"""Rounds before one came to the table that the history reads back."""
ANYTIME = (c.Bet, c.TakeBack, c.AddSalt, c.Sit, c.Leave)
"""What others may do at the same time: it is not late when they did."""
DONE = ("key-used", "done")
"""How the house refuses a command whose key has counted."""


class Message(NamedTuple):
    """What the house has told and the person has not heard yet."""

    moments: deque[Moment]
    sight: Sight
    until: float | None
    """When the table goes on without the person, by this machine's clock."""
    entered: bool = False


class RemoteGame(Playing):
    """A seat at a table of a house."""

    chair = False
    shared = True

    def __init__(
        self, house: House, at: AtTable, sheet: TableSheet, table: Table, *, patience: float
    ) -> None:
        self._house = house
        self._name, self._stream = sheet.card.name, sheet.card.table
        self._link = Link(house, self._stream, at)
        self._patience = patience
        """Seconds a step may wait for the house."""
        self.table = table
        self.you = self.seat = at.sight.yours.seat
        self.seats = (self.you,)
        shown = {circle.wager for circle in sheet.circles}
        self._unoffered = tuple(name for name in self.table.terms.rulebook.wagers if name not in shown)
        self._sight = at.sight
        self._until = _until(at.sight)
        self._coming: deque[Message] = deque()
        self._teller = Teller(self.table, self.you)
        self.seen = self._as_seen(at.sight.seen, at.sight.yours.cards)
        self._history: list[Seen] = []
        self._read_back = False
        self.last_bet: dict[str, int] = self._own_wagers(self.seen.bets.get(self.you, {}))
        self._me = token_hex(4)
        self._prompt = ""
        self._key = ""
        """The key of a command that is not answered yet."""
        self._resend: Callable[[], None] | None = None
        """What says again what the house may not have heard."""
        self._aside: list[Said] = []
        """What is to be told beside what happens at the table."""
        self._said_away = False
        self._left = False

    # --- looking ---

    @property
    def layout(self) -> Layout:
        """What lies on the table for everyone, with as much of the board as has been told."""
        lies = self._sight.layout
        if not self._coming:
            return lies
        down = len(lies.board) + lies.board_down - len(self.seen.board)
        return replace(lies, board=self.seen.board, board_down=max(0, down))

    @property
    def own(self) -> SeatView | None:
        """What the person's seat sees."""
        yours = self._sight.yours
        return SeatView(self._sight.layout, yours.seat, yours.cards, (), yours.spots)

    def options(self) -> list[Option]:
        """What the person may do now."""
        return offered(self._sight.yours.choices)

    def spots(self) -> list[Spot]:
        """Where the person's seat may wager now."""
        return list(self._sight.yours.spots)

    @property
    def unoffered(self) -> tuple[str, ...]:
        """Wagers of the rulebook that this table does not offer."""
        return self._unoffered

    def script(self) -> tuple[Words, ...]:
        """Nothing: the house has its own dealer."""
        return ()

    @property
    def awaited(self) -> Awaited | None:
        """What the person is awaited for; None while the table goes on by itself."""
        if self._left:
            return Awaited("left")
        if self._link.away or self._coming or self._aside or self._resend or self._sight.yours.salt_due:
            return None
        return self._asked(self._sight)

    def _asked(self, sight: Sight) -> Awaited | None:
        waits, lies = sight.waits, place_at(sight.layout, self.you)
        mine = self.you in waits.seats
        place = f"round {sight.layout.round}, {sight.layout.step}"
        if waits.why == "closed" or lies is None:
            return Awaited("left")
        if waits.why == "decision" and mine:
            return Awaited("decide", self.you, place=place)
        if waits.why == "next" and mine:
            return Awaited("over", self.you, place=place)
        # Where nobody has wagered and no bot will, the table waits for whoever does first.
        stuck = waits.why == "players" and not self._somebody_bets(sight)
        standing = waits.why in ("bets", "players") and not lies.seated
        if (waits.why == "bets" and mine) or stuck or standing:
            return Awaited("bet", self.you, place=place)
        return None

    def _somebody_bets(self, sight: Sight) -> bool:
        wagered = any(seat.hands[0].wagers for seat in sight.layout.seats)
        return wagered or any(sitter.kind == "bot" for sitter in sight.people.values())

    @property
    def waiting(self) -> str:
        """What is waited for where the person is not."""
        if self._link.away:
            return self._link.problem
        waits = self._sight.waits
        if self._coming or waits.why not in ("bets", "next"):
            return who_decides(self.layout)
        others = [place_at(self._sight.layout, seat) for seat in waits.seats]
        names = ", ".join(seat.player for seat in others if seat is not None)
        return f"Waiting for {names}" if names else "The dealer is at work"

    @property
    def clock(self) -> int | None:
        """Seconds until the table goes on without the person."""
        if self._until is None or self.awaited is None:
            return None
        return max(0, ceil(self._until - monotonic()))

    @property
    def farewell(self) -> str:
        """What becomes of the seat when the person quits now."""
        if self._left:
            return f"You have left {self._name}."
        stays = f"Seat {self.you} at {self._name} stays yours: the same command comes back to it."
        return f"{stays} A hand under way is played for you at its deadline."

    @property
    def history(self) -> list[Seen]:
        """The rounds seen here, and the last of those before: what the house has on record of them."""
        if not self._read_back:
            self._read_back = True
            try:
                listed = self._house.rounds(self._stream, EARLIER)
            except HouseError:
                return self._history
            known = {seen.number for seen in self._history}
            earlier = [self._replayed(r["number"]) for r in reversed(listed) if r["number"] not in known]
            self._history = sorted([*filter(None, earlier), *self._history], key=lambda seen: seen.number)
        return self._history

    def _replayed(self, number: int) -> Seen | None:
        """A round on record; None where another had the seat."""
        try:
            steps = self._house.replay(self._stream, number, f"seat {self.you}")["steps"]
        except HouseError:
            return None
        seen = [step["sight"]["seen"] for step in steps if "seen" in step["sight"]]
        cards = [step["sight"]["yours"].get("cards") for step in steps if "yours" in step["sight"]]
        held = next((cards for cards in cards if cards and cards[0]), ())
        return self._as_seen(msgspec.convert(seen[-1], SeenRound, strict=False), held)

    def _as_seen(self, told: SeenRound, own: Iterable[Iterable[str]]) -> Seen:
        """A round as the house tells it, with the own cards."""
        says = {None: "", True: "qualifies", False: "does not qualify"}[told.qualifies]
        hands = {(self.you, n): tuple(faces) for n, faces in enumerate(own, 1) if faces}
        return Seen(
            you=self.you,
            number=told.number,
            seal=told.seal,
            board=told.board,
            dealer=told.dealer,
            dealer_says=told.void or says,
            hands=hands | {(hand.seat, hand.hand): hand.cards for hand in told.hands},
            acts=dict(told.acts),
            bets={seat: dict(wagers) for seat, wagers in told.bets.items()},
            payouts=dict(told.payouts),
            lines=[
                Line(x.seat, x.hand, x.wager, x.stake, x.result, x.odds, x.net, x.clause or "")
                for x in told.lines
            ],
            net=dict(told.net),
            closed=told.closed,
        )

    def _own_wagers(self, wagers: dict[str, int]) -> dict[str, int]:
        """Those of a seat's wagers that are asked for: not what equals another, nor what is made later."""
        twins = {name for name, _ in self.table.terms.twins}
        own = [name for name in self.table.terms.stakeable if name not in twins]
        return {name: wagers[name] for name in own if name in wagers}

    # --- hearing ---

    def step(self) -> list[Said]:
        """The next thing the house tells, as soon as it tells one."""
        if self.awaited is not None:
            return []
        if not self._coming and not self._aside:
            if self._sight.yours.salt_due and not self._link.away and not self._resend:
                salt = c.AddSalt(by=f"seat {self.you}", seat=self.you, salt=token_hex(SALT_BYTES))
                self._send(salt, token_hex(8))
            else:
                self._hear(self._patience)
        return self._tell_on()

    def listen(self, seconds: float = 0) -> list[Said]:
        """What others did, as long as the person is awaited for the same; the rest waits for steps."""
        before = self.awaited
        told: list[Said] = []
        message = self._hear(seconds)
        while message is not None:
            if self._coming and self._asked(self._coming[-1].sight) == before:
                while self._coming:
                    told += self._tell_on()
            message = self._hear(0)
        return told

    def _hear(self, seconds: float) -> FromHouse | None:
        """Take the next message in; a refusal that nobody waits for any more is told."""
        message = self._receive(seconds)
        if isinstance(message, NotTaken) and message.refused[0].code not in DONE:
            self._aside.append(Said("table", sentence(message.refused[0])))
        return message

    def _receive(self, seconds: float) -> FromHouse | None:
        """Take the next message in, if one comes in time."""
        message = self._link.receive(seconds)
        if self._link.away and not self._said_away:
            self._said_away = True
            self._aside.append(Said("table", f"{self._link.problem}."))
        match message:
            case Told(moments=moments):
                self._coming.append(Message(deque(moments), self._link.sight, _until(self._link.sight)))
            case Entered(moments=moments, sight=sight):
                self._said_away = False
                self._aside.append(Said("table", "The house is back; the round goes on where it stood."))
                self._coming.append(Message(deque(moments), sight, _until(sight), entered=True))
                if self._resend is not None:
                    self._resend()
            case Answered(key=self._key) | NotTaken(key=self._key) if self._key:
                self._key, self._resend = "", None
            case Pong():
                self._resend = None
        return message

    def _tell_on(self) -> list[Said]:
        """Tell until something was said or all is told."""
        told, self._aside = self._aside, []
        while self._coming and not told:
            message = self._coming[0]
            if message.moments:
                told = self._tell(message.moments.popleft(), message.sight)
            if not message.moments:
                self._coming.popleft()
                self._sight, self._until = message.sight, message.until
                if message.entered:
                    self._look_again()
        return told

    def _look_again(self) -> None:
        """See the table as it lies: the house does not tell all that happened while it was away."""
        salt = self.seen.salt if self.seen.number == self._sight.seen.number else ""
        self.seen = self._as_seen(self._sight.seen, self._sight.yours.cards)
        self.seen.salt = salt
        if self.seen.closed and self.seen.number not in {seen.number for seen in self._history}:
            self._history.append(self.seen)

    def _tell(self, moment: Moment, sight: Sight) -> list[Said]:
        try:
            event = read_event(msgspec.json.encode(moment.event))
        except msgspec.MsgspecError as error:
            raise PlayError(f"the house tells what this version does not know: {error}") from error
        if isinstance(event, e.RoundOpened):
            self.seen = Seen(self.you, event.number, event.seal)
        self.seen.follow(self.table, event)
        own = sight.yours.cards[0] if sight.yours.cards else ()
        looked = isinstance(event, e.PlayersLooked) and self.seen.number == sight.layout.round
        if looked and own:
            self.seen.hands[self.you, 1] = own
        if isinstance(event, e.WagersPlaced) and event.seat == self.you:
            self.last_bet = self._own_wagers(event.wagers)
        if isinstance(event, e.RoundClosed):
            self._history.append(self.seen)
        lies = place_at(sight.layout, self.you)
        scene = Scene(
            {seat.seat: seat.player for seat in sight.layout.seats},
            cents(lies.chips) if lies is not None else 0,
            self.seen.board,
            own if looked else (),
            frozenset(seat for seat, act in self.seen.acts.items() if act == "split"),
        )
        return list(self._teller.retell(scene, event, moment.script))

    # --- what the person wants ---

    def prompted(self) -> None:
        """The person sees what is awaited now."""
        self._prompt = f"{self._me}@{self._link.seq}"

    def ask(self, command: c.Command, part: str = "") -> list[Said] | Refusal:
        """Send what the person asks for."""
        return self._send(command, f"{self._prompt or token_hex(8)}{part}")

    def _send(self, command: c.Command, key: str) -> list[Said] | Refusal:
        expect = None if isinstance(command, ANYTIME) else self._link.seq
        self._key, self._resend = key, lambda: self._link.do(command, key, expect)
        self._resend()
        while self._resend is not None:
            message = self._receive(PATIENCE)
            if isinstance(message, NotTaken) and message.key == key:
                refusal = message.refused[0]
                late = "that was answered already; look what is asked now"
                return Refusal("answered", None, "you", late) if refusal.code in DONE else refusal
            if message is None:
                # It is said again when the house is back, under the same key.
                self._link.lose()
                break
        return []

    def deal(self) -> list[Said] | Refusal:
        """No more bets from here: the dealer begins when everybody says so."""
        # The wagers put down just now may not have been told yet.
        now = self._link.sight
        asked = self._asked(now)
        if asked is None or asked.why != "bet":
            return Refusal("nothing-to-deal", None, "deal", "the cards are out already")
        if not self._somebody_bets(now):
            return Refusal("nothing-to-deal", None, "deal", "put a wager down first")
        return self._say_ready()

    def go_on(self) -> list[Said]:
        """Leave the round that is over behind; the next opens when everybody has."""
        return self._say_ready()

    def _say_ready(self) -> list[Said]:
        place = self._asked(self._link.sight)

        def again() -> None:
            if self._asked(self._link.sight) == place:
                self._link.ready()
            else:
                self._resend = None

        self._key, self._resend = "", again
        self._link.ready()
        while self._resend is not None:
            if self._receive(PATIENCE) is None:
                self._link.lose()
                break
        return []

    def type_cards(self, text: str) -> list[Said] | str:
        """No cards are typed at a table of a house."""
        return "no cards are wanted now"

    def fresh_chips(self) -> list[Said] | Refusal:
        """Leave and sit down again with fresh play chips."""
        left = self.ask(c.Leave(seat=self.you), "/leave")
        if isinstance(left, Refusal) or self._link.away:
            return left
        return self._send(c.Sit(seat=self.you), token_hex(8))

    def leave(self) -> list[Said] | Refusal:
        """Give the seat up."""
        layout = self._link.sight.layout
        lies = place_at(layout, self.you)
        if lies is not None and lies.hands[0].wagers and layout.betting == "open":
            self._send(c.TakeBack(seat=self.you), token_hex(8))
        answer = self._send(c.Leave(seat=self.you), token_hex(8))
        if isinstance(answer, Refusal) or self._link.away:
            return answer
        while self._coming or self._aside:
            answer += self._tell_on()
        self._left = True
        return answer

    def close(self) -> None:
        """Go; the seat stays one's own."""
        self._link.close()


def _until(sight: Sight) -> float | None:
    seconds = sight.waits.seconds
    return None if seconds is None else monotonic() + seconds
