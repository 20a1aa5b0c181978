"""The connection to a table in this process. The table acts once the terminal has read all its messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from houseway.audit.memory_store import MemoryStore
from houseway.bots import Style, bot
from houseway.cards import CardError, cards
from houseway.client.messages import (
    Answered,
    Choice,
    Do,
    FromHouse,
    OpenTable,
    Person,
    Pong,
    Ready,
    Rejected,
    View,
)
from houseway.client.view_follower import ViewFollower
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import encode_command
from houseway.engine.command_helpers import DEADLINE, is_floor
from houseway.engine.dealer_act import next_act
from houseway.engine.evolve import evolve, seat_of
from houseway.engine.legal import floor_options, legal
from houseway.engine.persons import auto_approves, names_person
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table_view import Follower
from houseway.engine.turn_order import due, places_left, turn
from houseway.engine.unseen_cards import cards_to_see, cards_unseen_at, may_be_held, must_be_seen
from houseway.engine.views import own_hand
from houseway.live import LiveTable
from houseway.live.bot_driver import BotDriver, RunnerSeat
from houseway.live.offload import run_now
from houseway.live.recent_events import recent, recorded_events
from houseway.live.runner import TableRunner
from houseway.live.table_phase import Automation
from houseway.live.table_plan import TablePlan
from houseway.live.viewer_messages import choices, encoder
from houseway.narrate.patterns import bet_in_words
from houseway.narrate.reasons import Reasons
from houseway.play.player_round import PlayerRound
from houseway.play.prompt import Prompt
from houseway.play.stub_prompt import StubPrompt
from houseway.shoe import TypedShoe
from houseway.shoe.salts import SALT_BYTES
from houseway.wording import place_name, several, shown_name

DEALER = "dealer"
DEALERS_NAME = "the dealer"
"""The recorded name of a person in the dealer's chair."""


def needs_name(live: LiveTable, command: c.Perform | c.Approve) -> bool:
    """True if a step records the name of the person who performs it."""
    step = live.table.steps.get(command.step) if isinstance(command, c.Perform) else None
    return step is not None and names_person(live.table, step)


FLOOR_STEPS = ("Perform", "Approve", "ReplaceDeck")
"""The floor supervisor's commands that are listed among the dealer's steps."""
FLOOR_ORDERS = (
    c.ChangeMinimum, c.KeepMinimum, c.HoldSeat, c.ReleaseSeat, c.ReplaceDeck, c.Recut, c.MakeRuling,
    c.RemovePlayer,
)  # fmt: skip
"""The floor supervisor's orders. The record names the supervisor as their sender."""


class CardsNeededError(Exception):
    """The table needs cards that a person must type before it can continue."""

    def __init__(self, count: int, place: str) -> None:
        self.count = count
        self.place = place
        super().__init__(f"{several(count, 'card is', 'cards are')} needed for {place}")


class Dictation:
    """Cards of a real table that the person has typed and the shoe has not read yet.

    If the shoe needs cards and none are typed, CardsNeededError is raised, so that the person can be
    prompted.
    """

    def __init__(self) -> None:
        self._text = ""
        self.wrong = ""
        """The error in the cards typed last; empty if they were accepted."""

    def shoe(self, decks: int) -> TypedShoe:
        """Return a shoe that deals the typed cards."""
        return TypedShoe(decks, self._ask, self._say)

    def give(self, text: str) -> None:
        """Set the cards that the shoe reads next."""
        self._text, self.wrong = text, ""

    def _ask(self, count: int, place: str) -> str:
        text, self._text = self._text, ""
        if not text.strip():
            raise CardsNeededError(count, place)
        return text

    def _say(self, problem: str) -> None:
        self.wrong = problem


class Viewer:
    """One of the person's roles at the table, with the view that its messages build."""

    def __init__(self, role: str, handle: str) -> None:
        self.role = role
        self.handle = handle
        self.at = ViewFollower()
        self.frames: deque[bytes] = deque()

    def tell(self, frame: bytes) -> None:
        """Queue a message; never blocks."""
        self.frames.append(frame)

    def catch_up(self) -> None:
        """Apply all queued messages to the view."""
        while self.frames:
            self.at.take(self.frames.popleft())


class LocalTable:
    """The person's seats at a table in this process, or the dealer's chair."""

    shared = False
    """True if other people play too, so that events can arrive while the person is prompted."""
    problem = ""
    """The reason why the table cannot be reached; empty if it can."""

    def __init__(
        self,
        live: LiveTable,
        seats: Sequence[int],
        bots: Mapping[int, Style],
        *,
        seed: str,
        chips: int,
        dictation: Dictation | None = None,
        floor: str = "",
    ) -> None:
        self.live = live
        self.floor = floor
        """The name of the floor supervisor; empty if unknown."""
        self.table = live.table
        self.seats = tuple(seats)
        """The person's seats; empty in the dealer's chair."""
        self.sender = "you" if seats else DEALER
        """A prefix for command keys. On a server, each program of the same person has its own."""
        self.unoffered = tuple(live.state.unoffered)
        """The rulebook's wagers that this table does not offer."""
        self.cards_prompt: Prompt | None = None
        """The prompt for cards that must be typed before the table can continue."""
        self._chips = chips
        self._dictation = dictation
        players = {n: seat.player for n, seat in live.state.seats.items()}
        order = OpenTable(rulebook=live.table.book.id, clock=0)
        seated = {n: (players[n], style) for n, style in bots.items()}
        plan = TablePlan(name="", order=order, given={}, host="", bots=seated)
        automation = Automation(paced=True, deals=dictation is not None, floor_steps=bool(seats))
        self.runner = TableRunner(live, plan, self._authorize, None, automation)
        self._bots = {
            n: BotDriver(bot(style, seed), live.table, RunnerSeat(self.runner, n, players[n]))
            for n, style in bots.items()
        }
        self._viewers = {n: Viewer(f"seat {n}", players[n]) for n in seats} or {0: Viewer(DEALER, DEALER)}
        self._main = next(iter(self._viewers.values()))
        self.at = self._main.at
        """The person's view of the table."""
        for viewer in self._viewers.values():
            self.runner.enter(viewer)
        self._main.catch_up()
        self._to_see = ""
        self._stub = StubPrompt()
        """The place whose cards were turned up and must be typed; empty if the shoe needs cards."""
        self._moving = True
        """True while the table may have an automatic step to take."""

    def _authorize(self, state: State, person: Person, command: c.Command) -> c.Command | Refusal:
        """Allow every command; a player who sits down gets chips."""
        if isinstance(command, c.Sit) and command.seat not in state.seats:
            return c.Sit(seat=command.seat, player=person.handle, chips=self._chips)
        return command

    # --- the state ---

    @property
    def real(self) -> bool:
        """True if the game follows a real table, whose cards the person types."""
        return self._dictation is not None

    @property
    def busy(self) -> bool:
        """True while there is no prompt, because the table continues without the person."""
        return bool(self._main.frames) or self._moving

    def floor_choices(self) -> tuple[Choice, ...]:
        """Return the floor supervisor's steps and approvals, which a person in the dealer's chair performs
        too."""
        if self.seats:
            return ()
        listed = choices(self.table, self.live.state, "floor")
        return tuple(choice for choice in listed if choice.command["type"] in FLOOR_STEPS)

    def view(self, seat: int) -> View:
        """Return the newest view of one of the person's seats."""
        viewer = self._viewers.get(seat, self._main)
        if viewer is not self._main:
            viewer.catch_up()
        return viewer.at.view

    # --- running the table ---

    def receive(self, seconds: float) -> FromHouse | None:
        """Return the next message, or None. If no message is queued, the table takes a step first."""
        if not self._main.frames:
            self._advance()
        return self.at.take(self._main.frames.popleft()) if self._main.frames else None

    def _advance(self) -> None:
        """Let one bot act, or run the table's next automatic step."""
        if self._dictation is not None and (
            self._ask_for_answer()
            or self._ask_for_cards(cards_to_see(self.table, self.live.state))
            or self._ask_for_press()
            or self._ask_for_person()
        ):
            return
        if self._dictation is not None and self._step_of("count stub"):
            self.cards_prompt, self._moving = self._stub.prompt(), False
            return
        if self._dictation is not None and self._step_of("set dealer"):
            place = "the dealer's hand, or press Enter if it follows the house way"
            self.cards_prompt, self._moving = Prompt("cards", cards=2, place=place), False
            return
        try:
            self._moving = self._bots_play() or run_now(self.runner.step())
        except CardsNeededError as need:
            table, state = self.live.table, self.live.state
            now, place = due(table, state), f"the step “{need.place}”"
            if now is not None and now.step.act == "deal":
                place = next(map(place_name, places_left(table, state, now.step)), place)
            self.cards_prompt = Prompt("cards", cards=need.count, place=place)
            self._moving = False

    def _bots_play(self) -> bool:
        """Let the first bot that the table waits for act; return False if it waits for none."""
        return any(run_now(driver.play()) for driver in self._bots.values())

    def _ask_for_cards(self, to_see: tuple[str, int] | None) -> bool:
        """Prompt for cards that are turned up now; return False if there are none."""
        if to_see is None:
            return False
        self._to_see = to_see[0]
        number = seat_of(to_see[0])
        hand = self.live.state.seats[number].hands[0] if number else None
        if hand is not None and hand.folded == "folded" and not must_be_seen(self.table, hand):
            self._ask_about_fold(number, to_see[1])
            return True
        place = to_see[0] if seat_of(to_see[0]) else f"the {to_see[0]}"
        if turn(self.table, self.live.state) is not None and self.table.shootout:
            place += f" ({cards_unseen_at(self.live.state, to_see[0])} if the player splits)"
        self.cards_prompt = Prompt("cards", cards=to_see[1], place=place)
        self._moving = False
        return True

    def _ask_for_answer(self) -> bool:
        """Prompt for the answer to a challenge; return False if there is none."""
        if not self.live.state.round.challenged:
            return False
        challenge = f"Seat {self.live.state.round.challenged} challenges the dealer's hand"
        who = 'Type "answer" when the dealer has checked it, or "answer floor" when a supervisor has'
        self.cards_prompt = Prompt("cards", place="the dealer", text=f"{challenge}. {who}")
        self._to_see, self._moving = "", False
        return True

    def _ask_for_person(self) -> bool:
        """Prompt for the next act that a named person performs; return False if none is due."""
        act = self._persons_act()
        if act is None:
            return False
        state = self.live.state
        match act:
            case c.Approve():
                seat, _, wager, _ = state.round.asked or (0, 0, "", "")
                done = f"has approved the {bet_in_words(wager)} payment at seat {seat}"
            case c.ReplaceDeck():
                done = f"has replaced deck {act.deck}"
            case _:
                done = f"has done this: {shown_name(act.step)}"
        if act.name:
            text = f"Press Enter when {act.name} {done}"
        else:
            text = f"Type the name of the dealer who {done}"
        self.cards_prompt, self._moving = Prompt("cards", place=act.name or "the dealer", text=text), False
        return True

    def _persons_act(self) -> c.Perform | c.Approve | c.ReplaceDeck | None:
        """Return the act of a real table that a named person must perform now; None if there is none.

        The floor supervisor performs all of them, except that the dealer inspects the decks.
        """
        table, state = self.table, self.live.state
        if self._dictation is None or not table.names_persons or auto_approves(table, state):
            return None
        if state.round.asked is not None:
            return c.Approve(by="floor", name=self.floor)
        act = next_act(table, state)
        if state.off:
            orders = (option.command for option in floor_options(table, state))
            order = next((order for order in orders if isinstance(order, c.ReplaceDeck)), None)
            return replace(order, name=self.floor) if order is not None else None
        if act is None or not act.signed:
            return None
        if act.act == "inspect":
            return replace(act.command(), name="")
        return replace(act.command(), by=act.by if is_floor(act.by) else "floor", name=self.floor)

    def _sign(self, act: c.Perform | c.Approve | c.ReplaceDeck, text: str) -> str:
        """Record the act of a named person at a real table, and continue; return an error."""
        name = act.name or text.strip()
        if not name:
            return "type the dealer's name"
        if not act.name and name.casefold() == self.floor.casefold():
            return f"{name} is the floor supervisor and verifies the deck; type the dealer's name"
        return self._continued(run_now(self.runner.send(replace(act, name=name))))

    def _ask_for_press(self) -> bool:
        """Prompt for the next press of the keypad; return False if none is due."""
        due_press = self._next_press()
        if due_press is None:
            return False
        press, paid_next = due_press
        keyed = f"The keypad shows {press.hand} for seat {press.seat}"
        if paid_next:
            text = f'{keyed}. Press Enter when the dealer pays it, or type "{press.hand}" to turn it off'
        elif press.seat in self.live.state.round.keyed:
            text = f"{keyed}. Press Enter when the dealer has turned it off"
        else:
            award = f"Type the award that the dealer keys for seat {press.seat}"
            text = f"{award}, or press Enter for {press.hand}"
        self.cards_prompt = Prompt("cards", place=f"seat {press.seat}", text=text)
        self._moving = False
        return True

    def _next_press(self) -> tuple[c.KeyAward, bool] | None:
        """Return the press of the keypad that is due: an award to key or to turn off.

        The second value is True if the award is keyed and the dealer pays it next.
        """
        now, options = self.live.state.round, legal(self.table, self.live.state, DEALER)
        first = options[0].command if options else None
        if isinstance(first, c.KeyAward):
            return first, False
        seat = first.seat if isinstance(first, c.Perform) else None
        approved = any((number, wager) == (seat, "progressive") for number, _, wager in now.approved)
        presses = (option.command for option in options if isinstance(option.command, c.KeyAward))
        return next(((press, True) for press in presses if press.seat == seat and not approved), None)

    def _press(self, press: c.KeyAward, text: str, *, paid_next: bool) -> str:
        """Record a press of a real table's keypad, or continue with the payment; return an error."""
        if paid_next and not text.strip():
            self._moving = run_now(self.runner.step())
            return ""
        command = replace(press, hand=text.strip().lower() or press.hand)
        return self._continued(run_now(self.runner.send(command)))

    def _ask_about_fold(self, number: int, count: int) -> None:
        """Prompt for the cards of a folded hand, which the dealer may take without showing them."""
        seat = f"seat {number}"
        if may_be_held(self.table, self.live.state, number):
            held = f'Type "held" if {seat}\'s cards stay under the trips bet'
            text = f"{held}; press Enter if the dealer takes them"
        else:
            cards = several(count, "card")
            text = (
                f"Type {seat}'s {cards} if they are turned up; press Enter if the dealer takes them unseen"
            )
        self.cards_prompt = Prompt("cards", cards=count, place=seat, text=text)
        self._moving = False

    def do(self, command: c.Command, key: str, *, late: bool) -> None:
        """Send a command under its key. `late` has no effect here, because no other person plays."""
        viewer = self._viewers.get(getattr(command, "seat", None) or 0, self._main)
        request = Do(key=key, command=msgspec.Raw(encode_command(command)))
        # At a real table, the record names the dealer or the supervisor for acts that are not a player's.
        handle = command.by if self.real and not isinstance(command, c.SeatCommand) else viewer.handle
        if isinstance(command, FLOOR_ORDERS):
            handle, command = self.floor, replace(command, name=self.floor)
            request = Do(key=key, command=msgspec.Raw(encode_command(command)))
        elif not self.seats and self.table.names_persons and isinstance(command, c.Perform | c.Approve):
            if is_floor(command.by):
                handle = self.floor
            elif needs_name(self.live, command):
                handle = DEALERS_NAME
        if not handle:
            sentence = 'name the floor supervisor first: type "floor NAME", or start with --floor NAME'
            refused = Refusal("name-missing", None, "floor", sentence)
            self._main.tell(encoder.encode(Rejected(refused=(refused,), key=key, seq=self.runner.seq)))
            return
        answer = run_now(self.runner.do(Person(handle=handle), request))
        if isinstance(answer, Answered):
            self.cards_prompt, self._to_see = None, ""
            self._stub.count = None
            phase = self.runner.phase
            # While betting is open the table waits for the person, unless a bot has not bet yet.
            self._moving = not (phase.betting and phase.unready) or phase.bots_unready
        elif self._dictation is not None and answer.refused[0].code == "cards-unseen":
            place = answer.refused[0].where
            self._ask_for_cards((place, cards_unseen_at(self.live.state, place)))
        self._main.tell(encoder.encode(answer))

    def ready(self) -> None:
        """Tell the table to continue, for all of the person's seats."""
        for viewer in self._viewers.values():
            if viewer.role == DEALER:
                self.runner.phase.begin_next()
            else:
                run_now(self.runner.say_ready(Person(handle=viewer.handle), Ready()))
        self._moving = True
        self._main.tell(encoder.encode(Pong(seq=self.runner.seq)))

    def type_cards(self, text: str) -> str:
        """Enter the cards of a real table; return an error, or an empty text."""
        prompt, self.cards_prompt = self.cards_prompt, None
        if self._dictation is None or prompt is None:
            return "No cards are needed now."
        if self.live.state.round.challenged:
            self.cards_prompt = prompt
            return "Answer the challenge first."
        if self._to_see:
            wrong = self._show(prompt, text)
            self.cards_prompt = prompt if wrong else self.cards_prompt
            return wrong
        if (due_press := self._next_press()) is not None:
            wrong = self._press(due_press[0], text, paid_next=due_press[1])
            self.cards_prompt = prompt if wrong else self.cards_prompt
            return wrong
        if (signed := self._persons_act()) is not None:
            wrong = self._sign(signed, text)
            self.cards_prompt = prompt if wrong else self.cards_prompt
            return wrong
        for act, record in (("set dealer", self._set_dealer), ("count stub", self._count_stub)):
            if step := self._step_of(act):
                wrong = record(step, text)
                self.cards_prompt = prompt if wrong else None
                return wrong
        self._dictation.give(text)
        self._advance()
        if self.cards_prompt is None or not self._dictation.wrong:
            return ""
        self.cards_prompt = self.cards_prompt._replace(place=prompt.place)
        return self._dictation.wrong

    def _show(self, prompt: Prompt, text: str) -> str:
        """Record cards that were turned up; return an error, or an empty text."""
        asks = turn(self.table, self.live.state)
        sets = asks is not None and self.table.shootout
        if prompt.text and text.strip().lower() in ("", "held"):
            fold = c.SeeFold(seat=seat_of(self._to_see), held=bool(text.strip()))
            return self._continued(run_now(self.runner.send(fold)))
        try:
            typed = cards(text)
        except CardError as error:
            return str(error)
        # A player who splits turns up all four cards. A player who keeps two may have shown one before.
        more = range(prompt.cards, cards_unseen_at(self.live.state, self._to_see) + 1) if sets else ()
        if len(typed) != prompt.cards and len(typed) not in more:
            return f"type {several(prompt.cards, 'card')}, not {len(typed)}"
        refused = run_now(self.runner.send(c.ShowCards(at=self._to_see, cards=typed)))
        if refused is None and sets and len(typed) == self.table.settled_size:
            refused = run_now(self.runner.send(c.Keep(seat=seat_of(self._to_see), cards=typed)))
        return self._continued(refused)

    def _continued(self, refused: Refusal | None) -> str:
        """Continue after cards were typed, unless the table refused them; return the error."""
        if refused is not None:
            return refused.message
        self._to_see, self._moving = "", True
        run_now(self.runner.go_on())
        return ""

    def _step_of(self, act: str) -> str:
        """Return the name of the step that is due, if it performs this act; otherwise an empty text."""
        now = due(self.live.table, self.live.state)
        return now.step.name if now is not None and now.step.act == act else ""

    def _set_dealer(self, step: str, text: str) -> str:
        """Record the two cards that the dealer of a real table kept; return an error, or an empty text."""
        try:
            kept = cards(text)
        except CardError as error:
            return str(error)
        return self._performed(c.Perform(step=step, cards=kept))

    def _count_stub(self, step: str, text: str) -> str:
        """Record the count of a real table's stub; return an error, or an empty text."""
        read = self._stub.read(self.table, self.live.state, step, text)
        if isinstance(read, str):
            return read
        if read is None:
            self._moving = True
            return ""
        wrong = self._performed(read)
        self._stub.count = self._stub.count if wrong else None
        return wrong

    def _performed(self, command: c.Perform) -> str:
        """Perform a step of a real table and continue; return an error, or an empty text."""
        refused = run_now(self.runner.send(command))
        run_now(self.runner.go_on())
        self._moving = refused is None
        return "" if refused is None else refused.message

    def salt(self) -> str:
        """Return a random salt for the players' cut. A game with `--seed` never calls this."""
        name = f"salt/{self.live.state.round.number}"
        return self.live.house.entropy.named(name).draw(SALT_BYTES).hex()

    def discard_deck(self) -> None:
        """Discard a deck whose salt this program no longer knows, because it was restarted."""
        run_now(self.runner.send(c.DiscardDeck(by=DEADLINE)))
        run_now(self.runner.go_on())
        self._moving = True

    def finish(self) -> Refusal | None:
        """Let the bots leave and close the table; return the refusal if a command is refused."""
        commands: list[c.Command] = []
        for seat in (seat for seat in self._bots if seat in self.live.state.seats):
            if self.live.state.seats[seat].hands[0].wagers and self.runner.phase.betting:
                commands.append(c.TakeBack(seat=seat))
            commands.append(c.Leave(seat=seat))
        for command in (*commands, c.CloseTable(by="floor")):
            refused = run_now(self.runner.send(command))
            if refused is not None:
                return refused
        run_now(self.runner.go_on())
        return None

    # --- past rounds ---

    def recent_events(self) -> list[e.Event]:
        """Return the events of the last two rounds."""
        return [event for _, event in recent(self.live, 2)]

    def rounds(self, before: int | None) -> list[PlayerRound]:
        """Return the recorded rounds with a number below `before`, oldest first."""
        you = next(iter(self._viewers)) if len(self._viewers) == 1 else 0
        table, state = self.live.table, State()
        rounds: list[PlayerRound] = []
        if before == 1:
            return rounds
        follower = Follower(table, state)
        own: tuple[tuple[str, ...], ...] = ()
        salt = ""
        for _, event in recorded_events(self.live):
            if isinstance(event, e.RoundOpened):
                if event.number == before:
                    break
                follower, own, salt = Follower(table, state, Reasons(table)), (), ""
            elif isinstance(event, e.SaltAdded | e.SaltOpened) and event.seat == you:
                salt = event.salt
            state = evolve(state, event)
            view = follower.follow(event, state)
            own = (own_hand(table, state, you).cards if you else ()) or own
            if isinstance(event, e.RoundClosed):
                rounds.append(PlayerRound(view, you, own, salt))
        return rounds

    def farewell(self, number: int, *, left: bool) -> str:
        """Return a line for a person who quits: how to resume the game, if it was saved."""
        if isinstance(self.live.house.store, MemoryStore):
            return "This game was not saved."
        saved = f"Round {number} is saved." if number else "The table is saved."
        return f"{saved} Run the same command to resume."

    def lose(self) -> None:
        """Do nothing: there is no connection to lose."""

    def close(self) -> None:
        """Do nothing: there is no connection to close."""
