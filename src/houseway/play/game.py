"""A game at a table, without a screen: it announces events, prompts the person and sends commands.

A message from the table has events, each with the view after it. The game announces the events one by
one and prompts the person only after the last event. The table runs in this process or on a server.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from math import ceil
from secrets import token_hex
from time import monotonic
from typing import Final, NamedTuple

import msgspec

from houseway.audit.store import StoreError
from houseway.cards import card
from houseway.client.messages import Answered, Entered, FromHouse, Pong, Rejected, Updated, View, Words
from houseway.client.player_salts import PlayerSalts
from houseway.client.view_follower import ViewStep
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import read_event
from houseway.engine.legal import Option
from houseway.engine.refusals import Refusal
from houseway.engine.script import ScriptLine
from houseway.live.bot_driver import offered
from houseway.money import spoken
from houseway.narrate.narrator import Scene
from houseway.narrate.render import in_words
from houseway.play.event_text import STEP_ENDS, Announcement, Announcer, follows_script
from houseway.play.in_process import LocalTable
from houseway.play.player_round import PlayerRound
from houseway.play.prompt import PlayError, Prompt
from houseway.play.seat_view import is_standing, on_layout
from houseway.play.server_link import ServerLink
from houseway.play.wager_words import refusal_text
from houseway.rules.odds_words import wording

Answer = list[Announcement] | Refusal
"""The reply to a request: the announcements that followed, or a refusal."""
PATIENCE = 30.0
"""Seconds without a reply after which the connection counts as lost."""
ANYTIME = (c.Bet, c.TakeBack, c.AddSalt, c.CommitSalt, c.OpenSalt, c.Sit, c.Leave)
"""Commands that stay valid after other players have acted."""
DONE = ("key-used", "done")
"""Refusal codes for a command whose key was used before."""
ORDER: Final = (c.Check, c.Fold, c.Play, c.Challenge, c.TakeBack, c.Stand, c.Sit, c.Leave, c.KeyAward)
"""The order in which options are listed. Options of any other kind come first."""


class Message(NamedTuple):
    """A message from the table that is not fully announced yet."""

    steps: deque[ViewStep]
    view: View
    until: float | None
    """The time on this machine's clock at which the table continues without the person."""
    entered: bool = False


class Game:
    """The person's seats at a table, or the dealer's chair."""

    def __init__(self, link: LocalTable | ServerLink, patience: float = 0.0) -> None:
        self.link = link
        """The connection to the table: messages in, commands out."""
        self.table = link.table
        self.seats = link.seats
        """The seats that the person acts for; empty in the dealer's chair."""
        self.chair = not self.seats
        """True if the person performs the dealer's steps."""
        self.you = self.seats[0] if len(self.seats) == 1 else 0
        self.positions = self.seats if len(self.seats) > 1 and not link.real else ()
        """The seats of a player with more than one position; otherwise empty."""
        self.seat = self.seats[0] if self.seats else 0
        """The seat the person acts for now."""
        self._patience = patience
        """The longest time, in seconds, that a step waits for the table."""
        self._view = link.at.view
        self._until = _until(self._view)
        self.salts = PlayerSalts(link.salt, commits=bool(self.you))
        self._last_bets: dict[int, tuple[dict[str, int], dict[str, int]]] = {}
        """The wagers and tips that the person made last, by seat."""
        for event in link.recent_events():
            self._note(event)
        self._own = self._view.yours.cards if self.you else ()
        for seat in self.seats:
            if seat not in self._last_bets and (bets := self.round.bets(seat)):
                tips = on_layout(self._view, seat)[1]
                self._last_bets[seat] = self._own_wagers(bets), dict(tips)
        self._queue: deque[Message] = deque()
        self._announcer = Announcer(link.table, self.you, real=link.real)
        self._script_seq = 0
        """The number of the event whose script was announced before it."""
        self._history: list[PlayerRound] = []
        self._read_back = False
        self._prompt_key = ""
        self._key = ""
        """The key of the command that has no reply yet."""
        self._resend: Callable[[], None] | None = None
        """Sends the last request again; None once the request has a reply."""
        self._notices: list[Announcement] = []
        """Announcements without an event, such as a lost connection."""
        self._away_announced = False
        self._left = False

    # --- the state ---

    @property
    def view(self) -> View:
        """The view after the last announced event; with several seats, the view of the current seat."""
        return self._view if len(self.seats) < 2 else self.link.view(self.seat)

    @property
    def round(self) -> PlayerRound:
        """The round up to the last announced event."""
        return PlayerRound(self._view.table, self.you, self._own, self.salts.shown)

    @property
    def last_bet(self) -> tuple[dict[str, int], dict[str, int]]:
        """The wagers that the person made last at the current seat, and the tips that are allowed now."""
        wagers, tips = self._last_bets.get(self.seat, ({}, {}))
        return wagers, {name: tip for name, tip in tips.items() if name in self.view.yours.tip_spots}

    def options(self) -> list[Option]:
        """Return the person's legal options."""
        # A person in the dealer's chair also performs the floor supervisor's acts.
        options = offered((*self.view.yours.choices, *self.link.floor_choices()))
        first = {_division(option): n for n, option in reversed(list(enumerate(options)))}
        return sorted(options, key=lambda option: (*_rank(option), first[_division(option)]))

    @property
    def prompt_kind(self) -> str:
        """The kind of the current prompt; empty while the table continues without the person."""
        prompt = self.prompt
        return prompt.kind if prompt is not None else ""

    @property
    def prompt(self) -> Prompt | None:
        """The current prompt; None while the table continues without the person."""
        if self._left:
            return Prompt("left")
        if self._queue or self._notices or self._resend:
            return None
        if self.link.cards_prompt is not None:
            return self.link.cards_prompt._replace(seat=self.seat)
        return None if self.link.busy or self._salt_command() else self._prompt_in(self._view)

    def _salt_command(self) -> c.Command | None:
        """Return the command for the players' cut that is due, or None."""
        return self.salts.due(self._view)

    def _prompt_in(self, view: View) -> Prompt | None:
        """Return the person's prompt in a view; None if the table does not wait for the person."""
        waits, table = view.waits, view.table
        own = table.seats.get(self.seat)
        gone = bool(self.seats) and all(seat not in table.seats for seat in self.seats)
        mine = [seat for seat in waits.seats if seat in self.seats]
        place = f"round {table.round}, {table.step}"
        if waits.why == "closed" or gone:
            return Prompt("left")
        if waits.why == "decision" and mine:
            self.seat = mine[0]
            return Prompt("decide", self.seat, place=place)
        standing = bool(self.you or self.positions) and own is not None and not own.seated
        # A table in this process runs only for its person, so a standing player continues it too.
        if waits.why == "next" and (mine or self.chair or (standing and not self.link.shared)):
            return Prompt("over", self.seat, place=place)
        if self.chair:
            return Prompt("act") if waits.why in ("dealer", "players", "floor") else None
        # Without a wager and without a bot that will bet, the table waits for any player to bet.
        stuck = waits.why == "players" and not self._has_wagers(view)
        if (waits.why == "bets" and mine) or stuck or (standing and waits.why in ("bets", "players")):
            return Prompt("bet", self.seat, place=place)
        return None

    def _has_wagers(self, view: View) -> bool:
        """True if a wager is on the layout, or a bot on a server will place one."""
        wagered = any(seat.hands[1].wagers for seat in view.table.seats.values())
        bots = any(sitter.kind == "bot" for sitter in view.people.values())
        return wagered or (self.link.shared and bots)

    @property
    def waiting(self) -> str:
        """A line with the players that the table waits for, if it does not wait for the person."""
        if self.link.problem:
            return self.link.problem
        table, waits = self.view.table, self._view.waits
        if waits.unavailable:
            return "The game cannot be saved at the moment. Nothing is lost; play continues once it can"
        if waits.stalled:
            return f"Not moving: {waits.stalled}"
        if self._queue or waits.why not in ("bets", "next"):
            seat = table.seats.get(table.turn)
            if table.turn in self.seats:
                return "Choose the cards to keep" if self.prompt is not None else ""
            return f"Waiting for {seat.player}" if seat is not None else "The dealer is working"
        names = ", ".join(table.seats[seat].player for seat in waits.seats if seat in table.seats)
        return f"Waiting for {names}" if names and self.link.shared else "The dealer is working"

    @property
    def clock(self) -> int | None:
        """Seconds until the table continues without the person; None if there is no limit."""
        if self._until is None or self.prompt is None:
            return None
        return max(0, ceil(self._until - monotonic()))

    @property
    def farewell(self) -> str:
        """A line for a person who quits now: how to resume the game, if it was saved."""
        return self.link.farewell(self._view.table.round, left=self._left)

    @property
    def history(self) -> list[PlayerRound]:
        """The rounds played. Rounds from before this program started are read on first use."""
        if not self._read_back:
            self._history[:0] = self.link.rounds(self._history[0].view.round if self._history else None)
            self._read_back = True
        return self._history

    def _own_wagers(self, wagers: Mapping[str, int]) -> dict[str, int]:
        """Return the wagers that a player chose before the deal.

        A wager that always equals another, such as the blind, is left out.
        """
        twins = {name for name, _ in self.table.terms.twins}
        own = [name for name in self.table.terms.stakeable if name not in twins]
        return {name: wagers[name] for name in own if name in wagers}

    # --- messages from the table ---

    def step(self) -> list[Announcement]:
        """Return the announcements of the next event; none while the person is prompted."""
        if self.prompt is not None:
            return []
        if not self._queue and not self._notices:
            salt = self._salt_command()
            if salt is not None and not self.link.problem and not self._resend:
                answer = self._send(salt, token_hex(8))
                self.salts.answered(salt, refused=isinstance(answer, Refusal))
                return [] if isinstance(answer, Refusal) else answer
            if self.salts.lost(self._view):
                self.link.discard_deck()
            message = self._receive_any(self._patience)
            stuck = message is None and not self.link.shared and not self.link.busy
            if stuck and self.prompt is None:
                raise StoreError(f"the dealer cannot continue from step {self._view.table.step!r}")
        return self._announce_next()

    def listen(self, seconds: float = 0) -> list[Announcement]:
        """Announce the events that leave the prompt unchanged; `step` announces the rest."""
        before = self.prompt
        announcements: list[Announcement] = []
        while self._receive_any(seconds) is not None:
            if self._queue and self._prompt_in(self._queue[-1].view) == before:
                while self._queue:
                    announcements += self._announce_next()
            seconds = 0
        return announcements

    def _receive_any(self, seconds: float) -> FromHouse | None:
        """Receive the next message. A refusal is announced even if its request has timed out."""
        message = self._receive(seconds)
        if isinstance(message, Rejected) and message.refused[0].code not in DONE:
            self._notices.append(Announcement("table", refusal_text(message.refused[0])))
        return message

    def _receive(self, seconds: float) -> FromHouse | None:
        """Receive the next message; None after a timeout."""
        message = self.link.receive(seconds)
        if self.link.problem and not self._away_announced:
            self._away_announced = True
            self._notices.append(Announcement("table", f"{self.link.problem}."))
        match message:
            case Updated():
                self._enqueue(entered=False)
            case Entered():
                self._away_announced = False
                self._notices.append(Announcement("table", "Reconnected. The round continues."))
                self._enqueue(entered=True)
                if self._resend is not None:
                    self._resend()
            case Answered(key=self._key) | Rejected(key=self._key) if self._key:
                self._key, self._resend = "", None
            case Pong():
                self._resend = None
        return message

    def _enqueue(self, *, entered: bool) -> None:
        view = self.link.at.view
        self._queue.append(Message(deque(self.link.at.steps), view, _until(view), entered))

    def _announce_next(self) -> list[Announcement]:
        """Announce notices and events until there is something to show or nothing left."""
        announcements, self._notices = self._notices, []
        while self._queue and not announcements:
            message = self._queue[0]
            if message.steps:
                announcements = self._announce(message.steps.popleft(), message.steps)
            if not message.steps:
                self._queue.popleft()
                self._view, self._until = message.view, message.until
                if message.entered:
                    self._catch_up()
        return announcements

    def _catch_up(self) -> None:
        """Update the round from the view: events may be missing after a reconnect."""
        self._own = self._view.yours.cards or self._own
        now = self._view.table
        if now.closed and all(played.view.round != now.round for played in self._history):
            self._history.append(self.round)

    def announce_due(self) -> list[Announcement]:
        """Announce the script of the step that is due, for a person in the dealer's chair."""
        notes = self._view.yours.notes
        due = (self._view.table.round, notes.next if notes is not None else "")
        return self._announcer.tell_due(due, due_script(self))

    def _script_for(
        self, step: ViewStep, event: e.Event, later: deque[ViewStep]
    ) -> tuple[tuple[Words, ...], tuple[Words, ...]]:
        """Return the script to announce before an event, and the script to announce after it.

        The script of a step belongs to the step's last event, but is announced before the step shows cards
        or settles wagers.
        """
        before: tuple[Words, ...] = ()
        if follows_script(event):
            ends = (s.update for s in later if s.update.event and s.update.event["type"] in STEP_ENDS)
            end = next(ends, None)
            if end is not None and end.seq != self._script_seq:
                self._script_seq, before = end.seq, end.script
        return before, () if step.update.seq == self._script_seq else step.update.script

    def _announce(self, step: ViewStep, later: deque[ViewStep]) -> list[Announcement]:
        """Announce an event; `later` has the events after it in the same message."""
        before, self._view = self._view.table.seats, step.view
        if step.update.event is None:
            return []
        try:
            event = read_event(msgspec.json.encode(step.update.event))
        except msgspec.MsgspecError as error:
            raise PlayError(f"update houseway: it cannot read the server's event ({error})") from error
        self._note(event)
        table, yours = self._view.table, self._view.yours
        if self.you and yours.cards:
            self._own = yours.cards
        if isinstance(event, e.RoundClosed):
            self._history.append(self.round)
        seat = table.seats.get(self.you)
        looked = isinstance(event, e.PlayersLooked) and yours.cards and self.you
        scene = Scene(
            self.table.terms.order,
            board=tuple(map(card, table.board)),
            listener=self.you,
            own=tuple(map(card, yours.cards[0])) if looked else (),
            chips=seat.chips if seat is not None else 0,
            tips=sum(line.stake for line in self.round.lines if line.seat == self.you and line.for_dealer),
            wording=wording(self.table.book),
        )
        # A player who leaves still has a name.
        names = {n: player.player for n, player in (before | table.seats).items()}
        names |= {n: f"your seat {n}" for n in self.positions}
        script = self._script_for(step, event, later)
        announcements = list(self._announcer.tell(scene, event, *script, names))
        if isinstance(event, e.PlayersCutMade):
            announcements += [Announcement("table", text) for text in self.salts.check_cut(event.salts)]
        if isinstance(event, e.PlayersLooked):
            announcements += self._cards_at_positions()
        return announcements

    def _cards_at_positions(self) -> Iterator[Announcement]:
        """Announce the cards of each of the player's positions."""
        for seat in self.positions:
            own = self.link.view(seat).yours.cards
            if own:
                yield Announcement("table", f"Your cards at seat {seat}: {in_words(map(card, own[0]))}.")

    def _note(self, event: e.Event) -> None:
        """Remember the person's wagers and salt."""
        match event:
            case e.RoundOpened():
                self._own = ()
                self.salts.open_round()
            case e.SaltAdded(seat=seat, salt=salt) | e.SaltOpened(seat=seat, salt=salt) if seat == self.you:
                self.salts.shown = salt
            case e.WagersPlaced(seat=seat, wagers=wagers, tips=tips) if seat in self.seats:
                self._last_bets[seat] = self._own_wagers(wagers), dict(tips)

    # --- requests of the person ---

    def mark_prompted(self) -> None:
        """Note that the prompt is on the screen, so that requests answer this prompt.

        Until the next call, a repeated request counts once.
        """
        self._prompt_key = f"{self.link.sender}@{self.link.at.seq}"

    def ask(self, command: c.Command, part: str = "") -> Answer:
        """Send a command; `part` distinguishes commands that answer the same prompt."""
        return self._send(command, f"{self._prompt_key or token_hex(8)}{part}")

    def _send(self, command: c.Command, key: str) -> Answer:
        """Send a command under a key, and return the announcements that follow or the refusal."""
        late = isinstance(command, ANYTIME)
        match self._exchange(key, lambda: self.link.do(command, key, late=late)):
            case Rejected(refused=(refusal, *_)):
                done = "you have answered this already; see the new prompt"
                return Refusal("answered", None, "you", done) if refusal.code in DONE else refusal
            case Answered(repeated=True):
                return []
        return self._announce_next()

    def _exchange(self, key: str, send: Callable[[], None]) -> FromHouse | None:
        """Send a request and wait for the reply; without a connection, send it again after reconnecting."""
        self._key, self._resend = key, send
        send()
        message = None
        while self._resend is not None:
            message = self._receive(PATIENCE)
            if message is None:
                self.link.lose()
                break
        return message

    def bet(
        self, wagers: Mapping[str, int], tips: Mapping[str, int] | None = None, coupon: int = 0
    ) -> Answer:
        """Replace the seat's wagers, tips for the dealer and coupon; without any, take all of them back."""
        stakes = {name: stake for name, stake in wagers.items() if stake}
        tips = {name: tip for name, tip in (tips or {}).items() if tip}
        if stakes or tips or coupon:
            bet = c.Bet(seat=self.seat, wagers=stakes, tips=tips, coupon=coupon)
            return self.ask(bet, f"/wagers {self.seat}")
        return self.ask(c.TakeBack(seat=self.seat), f"/wagers {self.seat}")

    def deal(self) -> Answer:
        """Tell the table that the person has bet; the dealer deals when every player has done so."""
        # Use the newest view, because the wagers placed just now might not be announced yet.
        now = self.link.view(self.seat)
        prompt = self._prompt_in(now)
        if prompt is None or prompt.kind != "bet":
            return Refusal("nothing-to-deal", None, "deal", "the cards are already dealt")
        if not self._has_wagers(now):
            first = "place a wager first"
            if (self.you or self.positions) and is_standing(now, self.seat):
                first = "no player has bet, so the table waits; sit down and place a wager"
            return Refusal("nothing-to-deal", None, "deal", first)
        return self.go_on()

    def go_on(self) -> list[Announcement]:
        """Tell the table to continue to the deal or to the next round."""
        prompt = self._prompt_in(self.link.view(self.seat))

        def send_ready() -> None:
            if self._prompt_in(self.link.view(self.seat)) == prompt:
                self.link.ready()
            else:
                self._resend = None

        self._exchange("", send_ready)
        return []

    def fresh_chips(self) -> Answer:
        """Leave and sit down again with fresh play chips."""
        left = self.ask(c.Leave(seat=self.seat), "/leave")
        if isinstance(left, Refusal) or not left or self.link.problem:
            return left
        sat = self._send(c.Sit(seat=self.seat), token_hex(8))
        seat = self.link.view(self.seat).table.seats.get(self.seat)
        if isinstance(sat, Refusal) or not sat or seat is None:
            return sat
        whose = "You have" if self.you else f"Seat {self.seat} has"
        return [Announcement("table", f"{whose} a fresh stack of {spoken(seat.chips)}.", seat=self.seat)]

    def leave(self) -> Answer:
        """Leave the table for good, between rounds."""
        table, prompt = self.link.view(self.seat).table, self.prompt
        dealt_in = [seat for seat in self.seats if seat in table.seats and table.seats[seat].hands[1].cards]
        if self.chair:
            in_progress = table.section == "round"
        else:
            in_progress = prompt is None or (prompt.kind not in ("bet", "over") and not dealt_in)
        if in_progress and not self.link.shared:
            return Refusal("round-under-way", None, "leave", "you can leave when the round is over")
        announcements: list[Announcement] = []
        for seat in self.seats:
            seat_view = table.seats.get(seat)
            if seat_view is None:
                continue
            if seat_view.hands[1].wagers and table.betting == "open":
                self._send(c.TakeBack(seat=seat), token_hex(8))
            answer = self._send(c.Leave(seat=seat), token_hex(8))
            if isinstance(answer, Refusal) or self.link.problem:
                return answer
            announcements += answer
        refused = self.link.finish()
        if refused is not None:
            return refused
        while self._receive_any(0) is not None:
            pass
        while self._queue or self._notices:
            announcements += self._announce_next()
        self._left = True
        return announcements


def _rank(option: Option) -> tuple[int, int]:
    """Return the position of an option in the list: check or fold first, then the plays by size."""
    command = option.command
    rank = ORDER.index(type(command)) + 1 if isinstance(command, ORDER) else 0
    return rank, command.times if isinstance(command, c.Play) else 0


def _division(option: Option) -> object:
    """Return an option's label; for a split its hands, with and without a bonus."""
    command = option.command
    return (command.first, command.second) if isinstance(command, c.Split) else option.says


def _until(view: View) -> float | None:
    seconds = view.waits.seconds
    return None if seconds is None else monotonic() + seconds


def due_script(game: Game) -> list[ScriptLine]:
    """Return the script of the step that is due, in the dealer's chair.

    A line with a value that is not known yet, such as the dealer's hand, is left out.
    """
    notes = game.view.yours.notes
    step = game.table.steps.get(notes.next) if notes is not None else None
    words = step.words if step is not None else ()
    blank = {line.filled(lambda _: "") for line in words if "{" in line.says}
    return [line for line in notes.script if line.says not in blank] if notes is not None else []


def add_salt(game: Game, salt: str) -> Answer:
    """Add a salt that the person chose to the cut of the current seat."""
    command = game.salts.chosen(game.view, game.seat, salt)
    answer = game.ask(command, "/salt")
    if not isinstance(answer, Refusal):
        game.salts.answered(command, refused=False)
    return answer
