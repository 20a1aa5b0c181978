"""The conduct that is possible at a moment of a round, seat by seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from houseway.engine import commands as c
from houseway.engine.state import Hand, State
from houseway.engine.table import Table
from houseway.engine.turn_order import deciding, due, in_order
from houseway.training import conduct as k
from houseway.training.chair import Chair, Conduct
from houseway.training.chips import tray_values
from houseway.training.perform import players_state

CHANGED: Final = 20
"""The number of chips that a player wants to change for larger ones."""
DISPUTES: Final = ("You paid me too little.", "That is not enough.", "That is wrong. You owe me more.")
"""What players say in a dispute. The words are the same whether they are right or not."""
SAYS: Final[dict[str, tuple[str, ...]]] = {
    k.SLOW: ("Let me think.", "Give me a second.", "Hmm."),
    k.CHATTY: (
        "Has anyone had a straight flush today?",
        "My brother deals at a casino too.",
        "Is the buffet still open?",
        "I should have stayed home tonight.",
    ),
    k.ADVICE: ("What would you do with these?", "Should I raise here?"),
    k.WRONG_CHIPS: ("Here is my bet.", "That should do."),
    k.TIP: ("And this one is for you.",),
    k.OUT_OF_TURN: ("I know what I'm doing.", "I'm ready over here."),
    k.LATE_BET: ("Wait, this one too.", "I forgot this bet."),
    k.CAPPED_BET: ("That is what I had there.", ""),
    k.TAKE_BACK: ("I changed my mind.", "I take that one back."),
    k.TOUCH: ("", "Let's see them."),
    k.TWO_HANDS: ("",),
    k.SHOWN: ("Look at this!", "Ever seen cards like these?"),
    k.STAND: ("I have to stretch my legs.",),
    k.LEAVE: ("I am done, cash me out.",),
    k.RIGHT_DISPUTE: DISPUTES,
    k.WRONG_DISPUTE: DISPUTES,
    k.COLOUR_UP: ("Can I have bigger chips for these?", "Colour, please."),
}
"""What players say, by kind. An empty text means that the player says nothing."""


def possible_conduct(table: Table, chair: Chair, kind: str) -> tuple[Conduct, ...]:
    """Return each seat's conduct of a kind that could happen now. Opening bets are not here."""
    makes = MAKERS.get(kind)
    state = players_state(chair)
    if makes is None or state.section != "round" or state.round.void:
        return ()
    return tuple(makes(table, state, chair))


def _in_play(state: State) -> Iterator[tuple[int, Hand]]:
    """Yield the seats with cards in play, and their hands."""
    for number, seat in state.seats.items():
        hand = seat.hands[0]
        if hand.cards and not (hand.folded or hand.void or hand.racked):
            yield number, hand


def _bets_closed(state: State) -> bool:
    return state.round.betting == "closed" and not state.round.revealed


def _late(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    """Yield bets that come after betting is closed: a side bet that was not made."""
    if not _bets_closed(state):
        return
    for number, seat in state.seats.items():
        hand = seat.hands[0]
        missing = [name for name in table.terms.stakeable if name not in hand.wagers]
        if not hand.wagers or hand.acted or not missing:
            continue
        stake = table.terms.bounds[missing[0]].low if missing[0] in table.terms.bounds else None
        wagers = {**hand.wagers, missing[0]: stake or min(hand.wagers.values())}
        late = c.Bet(by=f"seat {number}", seat=number, wagers=wagers)
        yield Conduct(kind=k.LATE_BET, seat=number, tries=late)


def _capped(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    """Yield raised bets after the dealer's cards are turned up."""
    if not state.round.revealed:
        return
    for number, hand in _in_play(state):
        made = {name: stake for name, stake in hand.wagers.items() if name in table.terms.stakeable}
        if made:
            raised = c.Bet(by=f"seat {number}", seat=number, wagers={n: 2 * s for n, s in made.items()})
            yield Conduct(kind=k.CAPPED_BET, seat=number, tries=raised)


def _taken_back(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    if not _bets_closed(state):
        return
    for number, hand in _in_play(state):
        if hand.wagers and not hand.locked:
            back = c.TakeBack(by=f"seat {number}", seat=number)
            yield Conduct(kind=k.TAKE_BACK, seat=number, tries=back)


def _out_of_turn(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    """Yield the decisions of players whose turn comes later."""
    now = due(table, state)
    if now is None or now.step.act != "ask" or not in_order(now.step):
        return
    first, *_ = deciding(table, state, now.step) or (0,)
    for number, hand in _in_play(state):
        waiting = not hand.locked and hand.acted != (now.step.stage or "set") and number not in chair.asked
        if number != first and waiting and number not in chair.decisions:
            stage = table.stage_of(now.step)
            decides = c.Fold if stage is not None and stage.fold is not None else c.Check
            early = decides(by=f"seat {number}", seat=number)
            yield Conduct(kind=k.OUT_OF_TURN, seat=number, tries=early)


def _stands(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    for number, _ in _in_play(state):
        yield Conduct(kind=k.STAND, seat=number, tries=c.Stand(by=f"seat {number}", seat=number))


def _leaves(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    for number, _ in _in_play(state):
        yield Conduct(kind=k.LEAVE, seat=number, tries=c.Leave(by=f"seat {number}", seat=number))


def _may_look(table: Table, state: State) -> bool:
    """True once players may look at their cards."""
    look, now = table.find("look"), due(table, state)
    steps = table.sections["round"]
    if look is None or now is None or now.step not in steps:
        return True
    return steps.index(now.step) > steps.index(look)


def _touches(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    if not _may_look(table, state):
        yield from (Conduct(kind=k.TOUCH, seat=number) for number, _ in _in_play(state))


def _with_cards(kind: str) -> Maker:
    def make(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
        """Yield conduct of players who hold cards that they have not played."""
        if _may_look(table, state) and not state.round.revealed:
            hands = ((n, hand) for n, hand in _in_play(state) if not hand.locked and not hand.acted)
            yield from (Conduct(kind=kind, seat=number) for number, _ in hands)

    return make


def _talks(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    yield from (Conduct(kind=k.CHATTY, seat=number) for number in state.seats)


def _wants_colour(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    small = tray_values(table)[-2:][0]
    chips = {small: CHANGED}
    rich = (number for number, seat in state.seats.items() if seat.chips >= small * CHANGED)
    yield from (Conduct(kind=k.COLOUR_UP, seat=number, chips=chips) for number in rich)


def _disputes(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    """Yield disputes about wagers that were settled rightly."""
    yield from (one for one, amount in _settled(state, chair) if not amount)


def _complains(table: Table, state: State, chair: Chair) -> Iterator[Conduct]:
    """Yield disputes about wagers on which the player got too little."""
    yield from (one for one, amount in _settled(state, chair) if amount < 0)


def _settled(state: State, chair: Chair) -> Iterator[tuple[Conduct, int]]:
    """Yield a dispute about each settled wager, and the cents that were paid beyond the amount due."""
    for line in state.round.settled:
        if line.for_dealer or line.from_seat or line.coupon or line.seat not in state.seats:
            continue
        amount, _ = k.mispaid_now(chair.mispaid, state, line.seat, line.hand, line.wager)
        kind = k.RIGHT_DISPUTE if amount < 0 else k.WRONG_DISPUTE
        yield Conduct(kind=kind, seat=line.seat, hand=line.hand, wager=line.wager), amount


Maker = Callable[[Table, State, Chair], Iterator[Conduct]]
MAKERS: Final[dict[str, Maker]] = {
    k.CHATTY: _talks,
    k.ADVICE: _with_cards(k.ADVICE),
    k.OUT_OF_TURN: _out_of_turn,
    k.LATE_BET: _late,
    k.CAPPED_BET: _capped,
    k.TAKE_BACK: _taken_back,
    k.TOUCH: _touches,
    k.TWO_HANDS: _with_cards(k.TWO_HANDS),
    k.SHOWN: _with_cards(k.SHOWN),
    k.STAND: _stands,
    k.LEAVE: _leaves,
    k.RIGHT_DISPUTE: _complains,
    k.WRONG_DISPUTE: _disputes,
    k.COLOUR_UP: _wants_colour,
}
"""For each kind of conduct, what could happen now. Slow players and opening bets are not here."""
