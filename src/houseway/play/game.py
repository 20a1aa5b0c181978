"""One game at a table, without a screen: who is awaited, what was told, what the person wants.

A message of the table holds events, each with the view after it. They are told one by one; until the last
of them is told nobody is awaited. The table runs in this process, or on a server.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from math import ceil
from secrets import token_hex
from time import monotonic
from typing import Final, NamedTuple

import msgspec

from houseway.audit.store import StoreError
from houseway.cards import card
from houseway.client.messages import Answered, Entered, FromHouse, NotTaken, Pong, Told, View
from houseway.client.view_follower import ViewStep
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import read_event
from houseway.engine.legal import Option
from houseway.engine.refusals import Refusal
from houseway.live.bot_driver import offered
from houseway.narrate.narrator import Scene
from houseway.play.event_text import Announcement, Announcer
from houseway.play.in_process import InProcess
from houseway.play.player_round import SeenRound
from houseway.play.port import Awaited, PlayError
from houseway.play.server_link import Link
from houseway.play.wager_words import sentence

Answer = list[Announcement] | Refusal
"""What followed from a request: sentences, or why it is refused."""
PATIENCE = 30.0
"""Seconds an answer may take before the server counts as away."""
ANYTIME = (c.Bet, c.TakeBack, c.AddSalt, c.Sit, c.Leave)
"""Commands that others' commands do not make late."""
DONE = ("key-used", "done")
"""Codes for a command whose key has counted."""
ORDER: Final = (c.Check, c.Play, c.Fold, c.Challenge, c.TakeBack, c.Stand, c.Sit, c.Leave)
"""The order in which a player's choices are listed; all others come first."""


class Message(NamedTuple):
    """What the table has sent and the person has not heard yet."""

    steps: deque[ViewStep]
    view: View
    until: float | None
    """When the table goes on without the person, by this machine's clock."""
    entered: bool = False


class Game:
    """The person's seat, chair or seats at a table."""

    def __init__(self, link: InProcess | Link, patience: float = 0.0) -> None:
        self.link = link
        """The way to the table: messages in, commands out."""
        self.table = link.table
        self.seats = link.seats
        """The seats the person acts for: their own, none in the dealer's chair, all at a real table."""
        self.chair = not self.seats
        """True if the person performs the dealer's acts."""
        self.you = self.seats[0] if len(self.seats) == 1 else 0
        self.seat = self.seats[0] if self.seats else 0
        """The seat the person acts for now."""
        self._patience = patience
        """Seconds a step may wait for the table."""
        self._view = link.at.view
        self._until = _until(self._view)
        self._salt = ""
        self.last_bet: dict[str, int] = {}
        for event in link.lately():
            self._note(event)
        self._own = self._view.yours.cards if self.you else ()
        if not self.last_bet:
            self.last_bet = self._own_wagers(self.seen.bets(self.you))
        self._coming: deque[Message] = deque()
        self._teller = Announcer(link.table, self.you)
        self._history: list[SeenRound] = []
        self._read_back = False
        self._prompt = ""
        self._key = ""
        """The key of a command that is not answered yet."""
        self._resend: Callable[[], None] | None = None
        """Sends again what the table may not have got."""
        self._aside: list[Announcement] = []
        """Sentences beside what happens at the table."""
        self._said_away = False
        self._left = False

    # --- looking ---

    @property
    def view(self) -> View:
        """The table as far as it has been told; of several seats, the one the person acts for now."""
        return self._view if len(self.seats) < 2 else self.link.view(self.seat)

    @property
    def seen(self) -> SeenRound:
        """The round as far as it has been told."""
        return SeenRound(self._view.table, self.you, self._own, self._salt)

    def options(self) -> list[Option]:
        """What the person may do now."""
        options = offered(self.view.yours.choices)
        first = {_without_bonus(option): n for n, option in reversed(list(enumerate(options)))}
        return sorted(options, key=lambda option: (*_place(option), first[_without_bonus(option)]))

    @property
    def why(self) -> str:
        """What the person is awaited for, in a word; empty while the table goes on by itself."""
        awaited = self.awaited
        return awaited.why if awaited is not None else ""

    @property
    def awaited(self) -> Awaited | None:
        """What the person is awaited for; None while the table goes on by itself."""
        if self._left:
            return Awaited("left")
        if self._coming or self._aside or self._resend:
            return None
        if self.link.cards_wanted is not None:
            return self.link.cards_wanted._replace(seat=self.seat)
        return None if self.link.busy or self._salt_due else self._asked(self._view)

    @property
    def _salt_due(self) -> bool:
        return bool(self.you) and self._view.yours.salt_due

    def _asked(self, view: View) -> Awaited | None:
        waits, table = view.waits, view.table
        lies = table.seats.get(self.you)
        mine = [seat for seat in waits.seats if seat in self.seats]
        place = f"round {table.round}, {table.step}"
        if waits.why == "closed" or (self.you and lies is None):
            return Awaited("left")
        if waits.why == "decision" and mine:
            self.seat = mine[0]
            return Awaited("decide", self.seat, place=place)
        if waits.why == "next" and (mine or self.chair):
            return Awaited("over", self.seat, place=place)
        if self.chair:
            return Awaited("act") if waits.why in ("dealer", "players") else None
        # If no one has wagered and no bot will, the table waits for whoever does first.
        stuck = waits.why == "players" and not self._somebody_bets(view)
        standing = waits.why in ("bets", "players") and lies is not None and not lies.seated
        if (waits.why == "bets" and mine) or stuck or standing:
            return Awaited("bet", self.seat, place=place)
        return None

    def _somebody_bets(self, view: View) -> bool:
        wagered = any(seat.hands[1].wagers for seat in view.table.seats.values())
        bots = any(sitter.kind == "bot" for sitter in view.people.values())
        return wagered or (self.link.shared and bots)

    @property
    def waiting(self) -> str:
        """What the table waits for if not for the person."""
        if self.link.problem:
            return self.link.problem
        table, waits = self.view.table, self._view.waits
        if self._coming or waits.why not in ("bets", "next"):
            asked = table.seats.get(table.turn)
            return f"{asked.player} decides" if asked is not None else "The dealer is at work"
        names = ", ".join(table.seats[seat].player for seat in waits.seats if seat in table.seats)
        return f"Waiting for {names}" if names and self.link.shared else "The dealer is at work"

    @property
    def clock(self) -> int | None:
        """Seconds until the table goes on without the person; None for as long as it takes."""
        if self._until is None or self.awaited is None:
            return None
        return max(0, ceil(self._until - monotonic()))

    @property
    def farewell(self) -> str:
        """What becomes of the game when the person quits now."""
        return self.link.farewell(self._view.table.round, left=self._left)

    @property
    def history(self) -> list[SeenRound]:
        """The rounds played; those from before this program started are read when asked for."""
        if not self._read_back:
            self._history[:0] = self.link.rounds(self._history[0].view.round if self._history else None)
            self._read_back = True
        return self._history

    def _own_wagers(self, wagers: Mapping[str, int]) -> dict[str, int]:
        """A seat's wagers without those that equal another and those made later."""
        twins = {name for name, _ in self.table.terms.twins}
        own = [name for name in self.table.terms.stakeable if name not in twins]
        return {name: wagers[name] for name in own if name in wagers}

    # --- hearing ---

    def step(self) -> list[Announcement]:
        """The next thing that happens by itself, in sentences."""
        if self.awaited is not None:
            return []
        if not self._coming and not self._aside:
            if self._salt_due and not self.link.problem and not self._resend:
                answer = self._send(self._salted(self.link.salt()), token_hex(8))
                return [] if isinstance(answer, Refusal) else answer
            heard = self._hear(self._patience)
            stuck = heard is None and not self.link.shared and not self.link.busy
            if stuck and self.awaited is None:
                raise StoreError(f"the dealer cannot go on from {self._view.table.step!r}")
        return self._tell_on()

    def listen(self, seconds: float = 0) -> list[Announcement]:
        """What others did, as long as the person is awaited for the same; the rest waits for steps."""
        before = self.awaited
        told: list[Announcement] = []
        while self._hear(seconds) is not None:
            if self._coming and self._asked(self._coming[-1].view) == before:
                while self._coming:
                    told += self._tell_on()
            seconds = 0
        return told

    def _hear(self, seconds: float) -> FromHouse | None:
        """Take the next message in; a refusal that nobody waits for any more is told."""
        message = self._receive(seconds)
        if isinstance(message, NotTaken) and message.refused[0].code not in DONE:
            self._aside.append(Announcement("table", sentence(message.refused[0])))
        return message

    def _receive(self, seconds: float) -> FromHouse | None:
        """Take the next message in, if one comes in time."""
        message = self.link.receive(seconds)
        if self.link.problem and not self._said_away:
            self._said_away = True
            self._aside.append(Announcement("table", f"{self.link.problem}."))
        match message:
            case Told():
                self._expect(entered=False)
            case Entered():
                self._said_away = False
                self._aside.append(
                    Announcement("table", "The house is back; the round goes on where it stood.")
                )
                self._expect(entered=True)
                if self._resend is not None:
                    self._resend()
            case Answered(key=self._key) | NotTaken(key=self._key) if self._key:
                self._key, self._resend = "", None
            case Pong():
                self._resend = None
        return message

    def _expect(self, *, entered: bool) -> None:
        view = self.link.at.view
        self._coming.append(Message(deque(self.link.at.steps), view, _until(view), entered))

    def _tell_on(self) -> list[Announcement]:
        """Tell until something was said or all is told."""
        told, self._aside = self._aside, []
        while self._coming and not told:
            message = self._coming[0]
            if message.steps:
                told = self._tell(message.steps.popleft())
            if not message.steps:
                self._coming.popleft()
                self._view, self._until = message.view, message.until
                if message.entered:
                    self._look_again()
        return told

    def _look_again(self) -> None:
        """Take the round from the view: not all that happened while the table was away is told."""
        self._own = self._view.yours.cards or self._own
        now = self._view.table
        if now.closed and all(seen.view.round != now.round for seen in self._history):
            self._history.append(self.seen)

    def _tell(self, step: ViewStep) -> list[Announcement]:
        self._view = step.view
        if step.update.event is None:
            return []
        try:
            event = read_event(msgspec.json.encode(step.update.event))
        except msgspec.MsgspecError as error:
            raise PlayError(f"the house tells what this version does not know: {error}") from error
        self._note(event)
        table, yours = self._view.table, self._view.yours
        if self.you and yours.cards:
            self._own = yours.cards
        if isinstance(event, e.RoundClosed):
            self._history.append(self.seen)
        lies = table.seats.get(self.you)
        looked = isinstance(event, e.PlayersLooked) and yours.cards and self.you
        scene = Scene(
            self.table.terms.order,
            board=tuple(map(card, table.board)),
            listener=self.you,
            own=tuple(map(card, yours.cards[0])) if looked else (),
            chips=lies.chips if lies is not None else 0,
        )
        names = {n: seat.player for n, seat in table.seats.items()}
        return list(self._teller.tell(scene, event, step.update.script, names))

    def _note(self, event: e.Event) -> None:
        """Keep what of an event concerns the person."""
        match event:
            case e.RoundOpened():
                self._own, self._salt = (), ""
            case e.SaltAdded(seat=seat, salt=salt) if seat == self.you:
                self._salt = salt
            case e.WagersPlaced(seat=seat, wagers=wagers) if seat in self.seats:
                self.last_bet = self._own_wagers(wagers)

    # --- what the person wants ---

    def prompted(self) -> None:
        """Note that the person sees what is awaited now. What is asked for from here on answers that, and
        counts once however often it is asked, until the person sees what followed."""
        self._prompt = f"{self.link.sender}@{self.link.at.seq}"

    def ask(self, command: c.Command, part: str = "") -> Answer:
        """Send what the person asks for; `part` tells apart what answers one prompt together."""
        return self._send(command, f"{self._prompt or token_hex(8)}{part}")

    def _send(self, command: c.Command, key: str) -> Answer:
        late = isinstance(command, ANYTIME)
        match self._exchange(key, lambda: self.link.do(command, key, late=late)):
            case NotTaken(refused=(refusal, *_)):
                answered = "that was answered already; look what is asked now"
                return Refusal("answered", None, "you", answered) if refusal.code in DONE else refusal
            case Answered(repeated=True):
                return []
        return self._tell_on()

    def _exchange(self, key: str, send: Callable[[], None]) -> FromHouse | None:
        """Send something and wait for its answer; a server that is away gets it when it is back."""
        self._key, self._resend = key, send
        send()
        message = None
        while self._resend is not None:
            message = self._receive(PATIENCE)
            if message is None:
                self.link.lose()
                break
        return message

    def bet(self, wagers: Mapping[str, int]) -> Answer:
        """Put wagers on the layout in place of those there; with none take all back."""
        kept = {name: stake for name, stake in wagers.items() if stake}
        if kept:
            return self.ask(c.Bet(seat=self.seat, wagers=kept), f"/wagers {self.seat}")
        return self.ask(c.TakeBack(seat=self.seat), f"/wagers {self.seat}")

    def add_salt(self, salt: str) -> Answer:
        """Put a salt of the person's own choosing into the cut, in place of the one that is there."""
        return self.ask(self._salted(salt), "/salt")

    def _salted(self, salt: str) -> c.AddSalt:
        return c.AddSalt(by=f"seat {self.seat}", seat=self.seat, salt=salt)

    def deal(self) -> Answer:
        """No more bets from the person: the dealer begins when everyone says so."""
        # The wagers put down just now may not have been told yet.
        now = self.link.view(self.seat)
        asked = self._asked(now)
        if asked is None or asked.why != "bet":
            return Refusal("nothing-to-deal", None, "deal", "the cards are out already")
        if not self._somebody_bets(now):
            return Refusal("nothing-to-deal", None, "deal", "put a wager down first")
        return self.go_on()

    def go_on(self) -> list[Announcement]:
        """Say that the table may go on: to the deal, or from a round that is over to the next."""
        place = self._asked(self.link.view(self.seat))

        def again() -> None:
            if self._asked(self.link.view(self.seat)) == place:
                self.link.ready()
            else:
                self._resend = None

        self._exchange("", again)
        return []

    def type_cards(self, text: str) -> list[Announcement] | str:
        """Give the cards that were dealt at a real table; returns what is wrong with them as a text."""
        return self.link.type_cards(text) or []

    def fresh_chips(self) -> Answer:
        """Leave and sit down again with fresh play chips."""
        left = self.ask(c.Leave(seat=self.seat), "/leave")
        if isinstance(left, Refusal) or not left or self.link.problem:
            return left
        sat = self._send(c.Sit(seat=self.seat), token_hex(8))
        return sat if isinstance(sat, Refusal) else left + sat

    def leave(self) -> Answer:
        """Leave the table for good, between rounds."""
        table, awaited = self.link.view(self.seat).table, self.awaited
        dealt_in = [seat for seat in self.seats if seat in table.seats and table.seats[seat].hands[1].cards]
        under_way = awaited is None or (awaited.why not in ("bet", "over") and not dealt_in)
        if under_way and not self.link.shared:
            return Refusal("round-under-way", None, "leave", "a round is under way; leave when it is over")
        told: list[Announcement] = []
        for seat in self.seats:
            lies = table.seats.get(seat)
            if lies is None:
                continue
            if lies.hands[1].wagers and table.betting == "open":
                self._send(c.TakeBack(seat=seat), token_hex(8))
            answer = self._send(c.Leave(seat=seat), token_hex(8))
            if isinstance(answer, Refusal) or self.link.problem:
                return answer
            told += answer
        refused = self.link.finish()
        if refused is not None:
            return refused
        while self._hear(0) is not None:
            pass
        while self._coming or self._aside:
            told += self._tell_on()
        self._left = True
        return told


def _place(option: Option) -> tuple[int, int]:
    """Where a choice is listed: large plays before small ones."""
    command = option.command
    place = ORDER.index(type(command)) + 1 if isinstance(command, ORDER) else 0
    return place, -command.times if isinstance(command, c.Play) else 0


def _without_bonus(option: Option) -> str:
    """A split with a bonus is listed behind the same split without one."""
    return option.says.removesuffix(" with bonus")


def _until(view: View) -> float | None:
    seconds = view.waits.seconds
    return None if seconds is None else monotonic() + seconds
