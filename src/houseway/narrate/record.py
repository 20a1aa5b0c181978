"""Tell a recorded round in sentences, event by event. Hands are named once the board is complete."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.engine import events as e
from houseway.narrate.narrator import Scene, Sees, narrate, public, reading
from houseway.narrate.sentences import Cards, Seats, Sentence

DEALER = (0, 1)
"""The dealer's key in a mapping by seat and hand: seat 0, hand 1."""


class RoundTeller:
    """Turns the events of a table, in order, into sentences."""

    def __init__(self, order: tuple[str, ...], seat: int = 0, wording: str | None = None) -> None:
        """`seat` is the reader's seat; `wording` is the rulebook's way of writing odds."""
        self._order, self._wording = order, wording
        self._seat = seat
        self._board: Cards = ()
        self._set: dict[tuple[int, int], Cards] = {}
        """The hands that were set but not named yet, by seat and hand."""

    def tell(self, event: e.Event, sees: Sees = public, held: Cards = ()) -> tuple[Sentence, ...]:
        """Return the sentences for the next event; `held` contains the reader's own cards, if known."""
        self._follow(event, sees)
        scene = Scene(self._order, self._board, sees, self._seat, held, wording=self._wording)
        return (*self._readings(event, scene), *narrate(event, scene))

    def _follow(self, event: e.Event, sees: Sees) -> None:
        match event:
            # The most frequent events come first, because each comparison of types takes time.
            case e.WagerSettled() | e.StepTaken() | e.CardsRacked():
                pass
            case e.RoundOpened():
                self._board, self._set = (), {}
            case e.BoardTurned() | e.CardsDealt(to="board"):
                self._board = (*self._board, *event.face)
            case e.FaceUpFound(at="board", used=False, which=which):
                self._board = self._board[: which - 1] + self._board[which:]
            case e.CardReplaced(at="board"):
                self._board = (*self._board, *event.face)
            case e.BoardArranged():
                self._board = event.face
            case e.HandSet():
                self._set[event.seat, 1] = sees(event, "face")
            case e.HandSplit():
                self._set[event.seat, 1] = sees(event, "first")
                self._set[event.seat, 2] = sees(event, "second")
            case e.DealerHandSet() | e.ChallengeAnswered() | e.DealerHandReset():
                self._set[DEALER] = event.kept
            case e.HandTurned():
                self._set.pop((event.seat, event.hand), None)

    def _readings(self, event: e.Event, scene: Scene) -> Iterator[Sentence]:
        """Yield sentences that name the dealer's hand and a seat's hand, before its first settled wager."""
        if not isinstance(event, e.WagerSettled):
            return
        for place in (DEALER, (event.seat, event.hand)):
            owner = "the dealer" if place == DEALER else Seats((place[0],), hand=place[1])
            sentence = reading(owner, self._set.pop(place, ()), scene)
            if sentence is not None:
                yield sentence
