"""The table as the dealer sees it. The view depends neither on hidden cards nor on the act that is due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from houseway.bots.players import DECISIONS
from houseway.cards import Card
from houseway.client.training_messages import (
    FACE_DOWN,
    ChairDeck,
    ChairEvent,
    ChairFelt,
    ChairHand,
    ChairSeat,
    ExposedPlace,
    SeenIncident,
)
from houseway.engine import events as e
from houseway.engine.meters import MICRO
from houseway.engine.state import Hand, State
from houseway.engine.table import Table
from houseway.narrate.player_words import LAYOUT, action_text, decision_text
from houseway.rules.procedure import EXPOSED_CARD
from houseway.training import acts as a
from houseway.training.act_list import done_text
from houseway.training.chair import TRAINER, Chair, ChairEntry, Conduct, Happening
from houseway.training.early_cards import early_board, early_lock, early_wagers, exposed_cards, racked_early
from houseway.training.happenings import hides_stuck_card, must_count
from houseway.training.scene_words import (
    conduct_action,
    conduct_words,
    decision_event,
    display_words,
    happening_phrase,
    happening_words,
    trainer_words,
)
from houseway.training.words import announcement_words, irregularity_words
from houseway.wording import capital, several

DECKS: Final = {
    "received": "in front of you",
    "stack": "stacked in front of you",
    "shoe": "in the shoe",
    "machine": "in the machine",
    "device": "in the machine",
    "spread": "spread on the table",
    "off": "off the table",
}
"""The words for the place of a deck."""
STUB_OUT: Final = "the stub is taken out"
REMOVE_STUB: Final = a.TakeStep(what="remove stub")
SHOWN: Final = frozenset({"wrong number"})
"""The kinds of irregularities that the felt shows by itself."""
YOU: Final = "you"
TABLE: Final = "table"
"""The senders of what the dealer sees, besides the seats."""
NO_ROUND: Final = frozenset({"board", "dealer"})
Codes = tuple[str, ...]


def chair_felt(table: Table, chair: Chair, stub: int) -> ChairFelt:
    """Return the felt. `stub` is the number of cards left to deal; it is shown once the stub lies out."""
    state, now = chair.state, chair.state.round
    opened = state.section == "round"
    gone = now.gone if opened else NO_ROUND
    exposed: dict[str, tuple[Card, ...]] = {}
    for place, cards in exposed_cards(chair):
        if cards:
            exposed[place] = (*exposed.get(place, ()), *cards)
    seats = (_seat(chair, number, exposed.get(f"seat {number}", ())) for number in state.seats)
    return ChairFelt(
        round=now.number,
        open=opened,
        betting=now.betting if opened else "",
        board=() if "board" in gone else _board(chair, exposed.get("board", ())),
        dealer=() if "dealer" in gone else _dealer(table, chair, exposed.get("dealer", ())),
        kept=tuple(map(str, now.kept)) if now.revealed and "dealer" not in gone else (),
        seats=tuple(seats),
        decks=tuple(_decks(table, chair, stub)),
        rack=sum(pile.count for pile in state.rack) + _racked_early(chair),
        exposed=tuple(
            ExposedPlace(place=place, cards=tuple(map(str, cards))) for place, cards in exposed.items()
        ),
        meters={name: micro // MICRO for name, micro in state.meters.items()},
        incidents=tuple(_incidents(chair)),
        payouts=_payouts(chair) if opened else {},
    )


def _racked_early(chair: Chair) -> int:
    """Return the number of cards of hands that were put into the rack before their turn."""
    hands = (
        hand
        for number, seat in chair.state.seats.items()
        for index, hand in enumerate(seat.hands, 1)
        if not hand.racked and racked_early(chair, number, index)
    )
    return sum(len(hand.cards) for hand in hands)


def _payouts(chair: Chair) -> dict[str, str]:
    """Return the odds of Cover All that the display shows since the dealer asked for them in this round."""
    shown = (change.event for entry in reversed(chair.entries) for change in entry.changes)
    return next((event.odds for event in shown if isinstance(event, e.PayoutsShown)), {})


def _codes(cards: Sequence[Card], exposed: Sequence[Card], *, shown: bool) -> Codes:
    """Return the faces of cards. Of cards that lie face down, only the exposed ones have a face."""
    return tuple(str(card) if shown or card in exposed else FACE_DOWN for card in cards)


def _dealer(table: Table, chair: Chair, exposed: Sequence[Card]) -> Codes:
    """Return the dealer's cards. Two cards that stick together look like one until the stub is counted."""
    now = chair.state.round
    seen = now.dealer[: table.sizes["dealer"]] if hides_stuck_card(chair) else now.dealer
    return _codes(seen, exposed, shown=now.revealed)


def _board(chair: Chair, exposed: Sequence[Card]) -> Codes:
    """Return the community cards: those that are face up, then those that lie face down."""
    now = chair.state.round
    early = early_board(chair)
    up = (*(now.arranged or now.board[: now.up]), *early)
    return (*map(str, up), *_codes(now.board[len(up) :], exposed, shown=False))


def _incidents(chair: Chair) -> Iterator[SeenIncident]:
    """Yield what went wrong by itself and no card shows, until it is reported.

    An irregularity that the trainee caused is not here: this list would give the slip away. An exposed card
    of a hand or of the board is not here either: it is face up, and the trainee has to notice it.
    """
    happened = {entry.number: entry.input for entry in chair.entries if isinstance(entry.input, Happening)}
    for one in chair.open:
        happening = happened.get(one.since)
        seen = one.kind in SHOWN or (one.kind == EXPOSED_CARD and one.at not in ("", "deck"))
        if happening is not None and not seen:
            yield SeenIncident(place=one.at or "deck", words=happening_phrase(happening))


def _decks(table: Table, chair: Chair, stub: int) -> Iterator[ChairDeck]:
    """Yield the decks. The stub may be out before its turn, and in a void round it may be counted, too."""
    state = chair.state
    out = state.round.stub_out or any(one.act == REMOVE_STUB for one in chair.early)
    counts = out or table.find("remove stub") is None or (bool(state.round.void) and must_count(chair))
    for index, deck in enumerate(state.decks):
        dealt_from = index == state.deck and state.section == "round"
        seen = counts and dealt_from
        yield ChairDeck(
            back=deck.back,
            stands=deck.stands,
            place=STUB_OUT if dealt_from and out else DECKS.get(deck.stands, deck.stands),
            left=stub if seen else None,
        )


def _seat(chair: Chair, number: int, exposed: Sequence[Card]) -> ChairSeat:
    state, seat = chair.state, chair.state.seats[number]
    now = state.round
    return ChairSeat(
        seat=number,
        name=seat.player,
        hands=tuple(_hand(chair, number, index, hand, exposed) for index, hand in enumerate(seat.hands, 1)),
        decision=_decision(chair, number),
        says=next((one.conduct.text for one in reversed(chair.conduct) if one.conduct.seat == number), ""),
        lit=number in now.lit or (early_lock(chair) and "progressive" in seat.hands[0].wagers),
        keyed=now.keyed.get(number, ""),
    )


def _hand(chair: Chair, number: int, index: int, hand: Hand, exposed: Sequence[Card]) -> ChairHand:
    opened = chair.state.section == "round"
    place, early = f"seat {number}", [one.act for one in chair.early]
    racked = hand.racked or racked_early(chair, number, index)
    shown = hand.shown or a.TurnUp(place=place, hand=index) in early
    moved = early_wagers(chair, number, index)
    return ChairHand(
        cards=() if racked else _codes(hand.cards, exposed, shown=shown),
        wagers={name: stake for name, stake in hand.wagers.items() if (name, False) not in moved},
        tips={name: tip for name, tip in hand.tips.items() if (name, True) not in moved},
        coupon=hand.coupon,
        paid=_paid(chair.entries, number, index),
        discards=len(hand.discards) if opened and not hand.racked else 0,
        folded=bool(hand.folded) and opened,
        settled=opened and bool(hand.made) and not hand.staked and not hand.folded,
        lammer=(number, index) in chair.state.round.lammers,
    )


def _paid(entries: Iterable[ChairEntry], seat: int, hand: int) -> dict[str, dict[str, int]]:
    """Return the chips that the trainee paid on the wagers of a hand."""
    paid: dict[str, dict[str, int]] = {}
    for entry in entries:
        act = entry.input
        if isinstance(act, a.Pay) and (act.seat, act.hand, act.tip, act.of) == (seat, hand, False, (0, 0)):
            stack = paid.setdefault(act.wager, {})
            for value, count in act.chips.items():
                stack[str(value)] = stack.get(str(value), 0) + count
    return paid


def _decision(chair: Chair, number: int) -> str:
    """Return the last decision of a player in this round, as the layout shows it."""
    if chair.state.section != "round":
        return ""
    made = (
        decision_event(entry, chair.state)
        for entry in reversed(chair.entries)
        if isinstance(entry.input, DECISIONS) and entry.input.seat == number
    )
    decision = next(made, None)
    return action_text(decision, LAYOUT) if decision is not None else ""


# --- what happened, in words ---


def chair_events(table: Table, entries: Iterable[ChairEntry], state: State) -> tuple[ChairEvent, ...]:
    """Return inputs as the dealer sees them: the trainee's own acts, what the trainer did after them, the
    players' words, and incidents.

    `state` is the table after them.
    """
    events: list[ChairEvent] = []
    for entry in entries:
        event = chair_event(table, entry, state)
        events += [event] if event is not None else []
        events += [
            ChairEvent(number=entry.number, time=entry.time, who=TRAINER, words=words)
            for words in trainer_words(entry)
        ]
        events += [
            ChairEvent(number=entry.number, time=entry.time, who=TABLE, words=words)
            for words in display_words(entry)
        ]
    return tuple(events)


def chair_event(table: Table, entry: ChairEntry, state: State) -> ChairEvent | None:
    """Return an input as the dealer sees it; None if there is nothing to see."""
    kind, spoken = "", ""
    match entry.input:
        case a.ChairAct() as act:
            who, words, kind = YOU, capital(done_text(table, act, entry)), type(act).__name__
            spoken = announcement_words(act) if isinstance(act, a.ReadHand) else ""
        case Happening() as happening:
            who, words = TABLE, happening_words(happening)
        case Conduct() as conduct:
            who, words = f"seat {conduct.seat}", conduct_action(conduct, state)
        case _:
            made = decision_event(entry, state)
            if made is None:
                return None
            who, words = f"seat {made.seat}", action_text(made)
    if not words:
        return None
    seat = int(getattr(entry.input, "seat", 0))
    return ChairEvent(
        number=entry.number, time=entry.time, who=who, words=words, type=kind, seat=seat, spoken=spoken
    )


def entry_sentence(entry: ChairEntry, state: State) -> str:
    """Return what a player did or what went wrong, as the dealer sees it; empty if nothing shows.

    `state` is the table after the input.
    """
    match entry.input:
        case a.ReportIrregularity() as report:
            return f"Your report takes effect: {irregularity_words(report.kind, report.at)}."
        case Conduct() as conduct:
            return conduct_words(conduct, state)
        case Happening() as happening:
            return happening_words(happening)
    made = decision_event(entry, state)
    return f"{decision_text(made)}." if made is not None else ""


def speechless_words(state: State, seats: Iterable[int]) -> dict[int, str]:
    """Return the words of players who cannot decide because their hands have a wrong number of cards."""
    return {
        number: f"I have {several(len(state.seats[number].hands[0].cards), 'card')}." for number in seats
    }
