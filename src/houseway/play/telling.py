"""What happened at a table, in sentences a person hears: public parts of events and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

import msgspec

from houseway.engine import events as e
from houseway.engine.codec import apart
from houseway.engine.script import script
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.views import SeatView, view
from houseway.live.seen import called
from houseway.money import spoken
from houseway.play.words import exactly, named, said, stakes

RESULTS = {"win": "wins", "lose": "loses", "push": "pushes"}


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sentence of what happens."""

    kind: str
    """Who speaks: "dealer" for the script, "table" for what players and cards do, "paid", "round"."""
    text: str
    clause: str | None = None
    seat: int = 0
    wager: str = ""
    """Of a settled wager: its name, its result and what it gained or lost, in cents."""
    result: str = ""
    net: int = 0


class Words(Protocol):
    """A line of the dealer's script."""

    @property
    def says(self) -> str:
        """The line."""

    @property
    def clause(self) -> str | None:
        """The clause it rests on."""


class Scene(NamedTuple):
    """What of a table right after an event a sentence about the event needs."""

    players: Mapping[int, str]
    """Who sits where."""
    chips: int
    """Cents in the listener's own stack."""
    board: tuple[str, ...]
    """The community cards face up."""
    own: tuple[str, ...]
    """The listener's cards, once they may be looked at."""
    split: frozenset[int]
    """Seats that play two hands."""


class Teller:
    """Tells events to the one who sits at a seat; 0 for somebody who does not sit."""

    def __init__(self, table: Table, you: int = 0) -> None:
        self._table = table
        self._you = you
        self._standing: set[str] = set()
        """Standing instructions of the dealer's that have been told; once is enough."""

    def tell(self, state: State, event: e.Event) -> Iterator[Said]:
        """An event in sentences, then the dealer's script; `state` is the table right after it."""
        yield from self.retell(self._scene(state, event), event, script(self._table, state, event))

    def _scene(self, state: State, event: e.Event) -> Scene:
        looked = isinstance(event, e.PlayersLooked) and self._you
        sees = view(self._table, state, f"seat {self._you}") if looked else None
        return Scene(
            {number: seat.player for number, seat in state.seats.items()},
            state.seats[self._you].chips if self._you in state.seats else 0,
            tuple(map(str, state.round.board[: state.round.up])),
            sees.cards[0] if isinstance(sees, SeatView) and sees.cards else (),
            frozenset(number for number, seat in state.seats.items() if len(seat.hands) > 1),
        )

    def retell(self, scene: Scene, event: e.Event, lines: Iterable[Words]) -> Iterator[Said]:
        """An event in sentences, then the lines the dealer says to it."""
        shown, _ = apart(event)
        for text in self._sentences(scene, shown):
            kind = "round" if text.startswith("Round ") else "table"
            yield Said(kind, text, shown.clause, getattr(shown, "seat", 0))
        if isinstance(shown, e.WagerSettled):
            yield self._paid(scene, shown)
        always = {cue.words.says for cue in self._table.cues if cue.moment == "always"}
        for line in lines:
            if line.says not in self._standing:
                yield Said("dealer", line.says, line.clause)
            if line.says in always:
                self._standing.add(line.says)

    def _who(self, scene: Scene, seat: int, verb: str) -> str:
        """A seat doing something: "You check", "Otto checks"."""
        if seat == self._you:
            return f"You {verb}"
        name = scene.players.get(seat, f"Seat {seat}")
        return f"{name} {verb}{'es' if verb.endswith(('s', 'h', 'ch')) else 's'}"

    def _whose(self, scene: Scene, seat: int, hand: int) -> str:
        name = scene.players.get(seat, f"Seat {seat}")
        whose = "Your" if seat == self._you else f"{name}'s"
        return f"{whose} hand {hand}," if seat in scene.split else whose

    def _sentences(self, scene: Scene, event: e.Event) -> Iterator[str]:
        match event:
            case e.TableOpened():
                yield f"The table is open: {self._table.book.title}, {self._table.mode} deal."
            case e.PlayerSeated():
                sits = self._who(scene, event.seat, "sit")
                yield f"{sits} at seat {event.seat} with {spoken(event.chips)}."
            case e.PlayerLeft():
                who = "You leave" if event.seat == self._you else f"Seat {event.seat} leaves"
                yield f"{who} with {exactly(event.chips)}."
            case e.RoundOpened():
                sealed = f" The cards are sealed: {event.seal}." if event.seal else ""
                yield f"Round {event.number}.{sealed}"
            case e.SaltAdded():
                whose = "Your" if event.seat == self._you else f"Seat {event.seat}'s"
                yield f"{whose} salt for the cut: {event.salt}."
            case e.RoundClosed():
                yield from self._closed(scene, event)
            case e.CutCardReached():
                yield "The cut card is out: this round is the shoe's last."
            case e.WagersPlaced() | e.WagersTakenBack() | e.Checked() | e.PlayMade() | e.Folded():
                yield self._done(scene, event)
            case e.HandSet() | e.HandSplit():
                yield self._set(scene, event)
            case e.HandChallenged():
                yield f"{self._who(scene, event.seat, 'challenge')} the dealer's hand."
            case e.ChallengeAnswered():
                changed = "was wrong" if event.changed else "is right"
                yield f"The dealer's hand {changed}: the house way keeps {said(map(str, event.kept))}."
            case e.RoundVoided():
                yield f"Every hand is void: {event.why}."
            case e.WagersReturned():
                yield f"{self._whose(scene, event.seat, event.hand)} wagers go back."
            case e.ApprovalAsked():
                what = f"{spoken(event.amount)} on {named(event.wager)} at seat {event.seat}"
                yield f"The {event.who} is asked to approve {what}."
            case e.PaymentApproved():
                yield f"The {event.by} approves the payment."
            case _:
                yield from self._of_cards(scene, event)

    def _of_cards(self, scene: Scene, event: e.Event) -> Iterator[str]:
        board = scene.board
        match event:
            case e.PlayersLooked():
                if scene.own:
                    yield f"Your cards: {said(scene.own)}."
            case e.BoardTurned() | e.CardsDealt(to="board") if event.face:
                yield f"Turned up: {said(map(str, event.face))}."
            case e.DealerRevealed():
                face = [str(card) for card in event.face]
                hand = called(self._table, face, board) if len(face) == 2 else ""
                yield f"The dealer shows {said(face)}{f': {hand}' if hand else ''}{_qualifies(event)}."
            case e.DealerHandSet():
                yield f"The dealer keeps {said(map(str, event.kept))}."
            case e.HandTurned():
                face = [str(card) for card in event.face]
                hand = called(self._table, face, board)
                yield f"{self._who(scene, event.seat, 'show')} {said(face)}{f': {hand}' if hand else ''}."
            case e.PayoutsShown():
                paid = ", ".join(f"{hand} {odds}" for hand, odds in event.odds.items())
                yield f"Cover all pays for {event.hands} hands: {paid}."

    def _done(self, scene: Scene, event: e.Event) -> str:
        match event:
            case e.WagersPlaced():
                return f"{self._who(scene, event.seat, 'bet')} {stakes(event.wagers)}."
            case e.WagersTakenBack():
                return f"{self._who(scene, event.seat, 'take')} the wagers back."
            case e.Checked():
                return f"{self._who(scene, event.seat, 'check')}."
            case e.PlayMade():
                return f"{self._who(scene, event.seat, 'play')} {event.times}x, {spoken(event.amount)}."
            case _:
                return f"{self._who(scene, getattr(event, 'seat', 0), 'fold')}."

    def _set(self, scene: Scene, event: e.HandSet | e.HandSplit) -> str:
        if isinstance(event, e.HandSplit):
            hands = " and ".join(said(map(str, hand)) for hand in (event.first, event.second) if hand)
            return f"{self._who(scene, event.seat, 'split')}{f': {hands}' if hands else ' into two hands'}."
        face = f" {said(map(str, event.face))}" if event.face else " two cards"
        return f"{self._who(scene, event.seat, 'keep')}{face}."

    def _paid(self, scene: Scene, event: e.WagerSettled) -> Said:
        """A settled wager: its stake, its result, the odds and what changed hands."""
        whose = self._whose(scene, event.seat, event.hand)
        name = named(event.wager)
        net = event.back - event.stake
        text = f"{whose} {name}"
        text += f" of {spoken(event.stake)}" if event.stake else ""
        text += f" {RESULTS[event.result]}"
        if event.result == "win":
            text += f" {event.odds}: {exactly(event.won)}" if event.odds else f" {exactly(event.won)}"
        text += f", cut by {exactly(event.cut)}" if event.cut else ""
        text += ", for the dealer" if event.for_dealer else ""
        return Said("paid", f"{text}.", event.clause, event.seat, event.wager, event.result, net)

    def _closed(self, scene: Scene, event: e.RoundClosed) -> Iterator[str]:
        for seat, net in event.net.items():
            verb = "win" if net > 0 else "lose" if net < 0 else "come out even"
            if seat == self._you:
                has = exactly(scene.chips) if seat in scene.players else "nothing"
                amount = f" {exactly(abs(net))}" if net else ""
                yield f"Round {event.number} is over: you {verb}{amount}. You have {has}."
            else:
                name = scene.players.get(seat, f"Seat {seat}")
                yield f"{name} {verb}s {exactly(abs(net))}." if net else f"{name} comes out even."


def _qualifies(event: e.DealerRevealed) -> str:
    if event.qualifies is None:
        return ""
    return ", which qualifies" if event.qualifies else ", which does not qualify"
