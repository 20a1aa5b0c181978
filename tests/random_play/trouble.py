"""Irregularities at a table, players coming and going, and floor commands; most of them are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from houseway.cards import DECK, Card
from houseway.engine import commands as c
from houseway.engine.dealer_act import next_act
from houseway.engine.irregularities import cards_off_deck, groups_dealt_last
from houseway.engine.state import State
from houseway.engine.turn_order import due, turn

if TYPE_CHECKING:
    from random_play.rounds import Rounds


def somewhere(at: Rounds) -> str:
    """A place with or without cards."""
    seats = [f"seat {n}" for n in at.state.seats]
    return at.rng.choice([*seats, "dealer", "board", "deck"])


def report_exposed_card(at: Rounds) -> None:
    """Report an exposed card."""
    place = somewhere(at)
    if place == "deck":
        _next_card(at, "exposed card")
        return
    held = _held(at.state, place) or DECK
    at.send(c.Report(kind="exposed card", at=place, cards=(at.rng.choice(held),)))


def report_face_up_card(at: Rounds) -> None:
    """Report a card face up in the deck: the next one, or one that was just dealt."""
    groups = groups_dealt_last(at.table, at.state)
    if not groups:
        _next_card(at, "face-up card")
    for place, numbers in groups.items():
        which = at.rng.choice(numbers)
        count = cards_off_deck(at.table, at.state, c.Report(kind="face-up card", at=place, which=which))
        if count <= len(at.shoe.cards):
            at.off_deck(
                lambda cards, at=place, which=which: c.Report(  # type: ignore[misc]
                    kind="face-up card", at=at, which=which, cards=cards
                ),
                [place] * count,
            )


def report_card_drawn_early(at: Rounds) -> None:
    """Report a card drawn too early."""
    _next_card(at, "card drawn in error")


def _next_card(at: Rounds, kind: str) -> None:
    if at.shoe.cards:
        at.off_deck(lambda cards: c.Report(kind=kind, at="deck", cards=cards), ["deck"])


def report_premature_flop(at: Rounds) -> None:
    """Report that community cards were turned up too early."""
    count = cards_off_deck(at.table, at.state, c.Report(kind="premature flop"))
    if count == 0:
        at.send(c.Report(kind="premature flop"))
    elif count <= len(at.shoe.cards):
        at.off_deck(lambda cards: c.Report(kind="premature flop", cards=cards), ["deck"] * count)


def make_ruling(at: Rounds) -> None:
    """Make a supervisor's ruling."""
    rng = at.rng
    effect = rng.choice(("continue", "void hand", "void round", "correct payment"))
    amount = rng.choice((500, -500)) if effect == "correct payment" else 0
    wager = rng.choice(at.table.terms.stakeable) if amount else ""
    seat = rng.choice([*at.state.seats, 1])
    at.send(
        c.MakeRuling(
            by="supervisor",
            name="Ann",
            reason="a spilled drink",
            effect=effect,
            seat=seat,
            hand=rng.choice((1, 1, 2)),
            wager=wager,
            amount=amount,
        )
    )


def deal_extra_card(at: Rounds) -> None:
    """Deal a hand an extra card."""
    place = somewhere(at)
    if at.shoe.cards:
        at.off_deck(lambda cards: c.DealExtra(at=place, cards=cards), [place])


def deal_short(at: Rounds) -> None:
    """Skip a hand in the deal."""
    at.send(c.DealShort())


def report_wrong_number(at: Rounds) -> None:
    """Report a wrong number of cards in a hand."""
    if "dealer" in at.state.round.skipped and at.shoe.cards and at.rng.random() < 0.7:
        # The dealer's hand may be corrected with the next card.
        at.off_deck(lambda cards: c.Report(kind="wrong number", at="dealer", cards=cards), ["dealer"])
    else:
        at.send(c.Report(kind="wrong number", at=somewhere(at)))


def report_device_fault(at: Rounds) -> None:
    """A device shows a wrong count, jams or fails."""
    rng = at.rng
    kind = rng.choice(("device count", "shuffler jam", "machine failure"))
    count = rng.choice((51, 52, None))
    at.send(c.Report(kind=kind, count=count, device=rng.choice(("", "spare"))))


def miscount(at: Rounds) -> None:
    """Count the stub wrongly, if a count is due."""
    act = next_act(at.table, at.state)
    if act is not None and act.act == "count stub":
        at.send(c.Perform(step=act.step, count=at.rng.choice((0, (act.number or 0) + 1))))


def send_floor_command(at: Rounds) -> None:
    """Send a floor command."""
    rng = at.rng
    number = rng.choice([*at.state.seats, rng.randint(1, at.table.seats)])
    wager = rng.choice(at.table.terms.stakeable)
    fixed = at.book.limits.get(wager)
    amounts = list(fixed.minima.value) if fixed and fixed.minima else [100, 500, 1000, 2500]
    change = c.ChangeMinimum(
        by="floor", wager=wager, amount=rng.choice(amounts), notice=rng.choice(("surveillance", ""))
    )
    held = rng.choice([*at.state.held, number])
    orders = (
        (c.Recut(by="supervisor"),),
        (c.GoIdle(by="floor"),),
        (change, c.KeepMinimum(by="floor", seat=number)),
        (
            c.ChangeMinimum(by="floor", wager=wager, amount=max(amounts), notice="surveillance"),
            *(c.KeepMinimum(by="floor", seat=seat) for seat in at.state.seats),
        ),
        (c.HoldSeat(by="floor", seat=number, until=rng.choice(("", "nine"))),),
        (c.ReleaseSeat(by="floor", seat=held),),
        (
            c.HoldSeat(by="floor", seat=number, until="nine"),
            c.Leave(seat=number),
            c.ReleaseSeat(by="floor", seat=number),
        ),
        (c.ActFor(by="supervisor", seat=number),),
    )
    for order in rng.choice(orders):
        at.send(order)


def move_players(at: Rounds) -> None:
    """Let players come and go, or take their wagers back."""
    rng = at.rng
    number = rng.randint(1, at.table.seats)
    match rng.randrange(5):
        case 0 if number not in at.state.seats:
            at.sit(number)
        case 1:
            at.send(c.Stand(seat=number))
        case 2:
            at.send(c.Leave(seat=number))
        case 3:
            at.send(c.TakeBack(seat=number))
        case _ if number in at.state.seats:
            at.send(at.random_bet(number))


def mispay_or_correct(at: Rounds) -> None:
    """Pay a wager wrongly, or correct it."""
    rng = at.rng
    lines = at.state.round.settled
    if not lines:
        return
    line = rng.choice(lines)
    wrong = list(at.state.mispaid)
    if wrong and rng.random() < 0.5:
        seat, hand, wager = rng.choice(wrong).rsplit("/", 3)[1:]
        at.send(c.Correct(by="supervisor", seat=int(seat), wager=wager, hand=int(hand)))
    elif rng.random() < 0.8:
        amount = rng.choice((100, -50, 1, 0))
        at.send(c.Mispay(seat=line.seat, wager=line.wager, amount=amount, hand=line.hand))
    else:
        at.send(c.Correct(by="supervisor", seat=line.seat, wager=line.wager, hand=line.hand))


def challenge(at: Rounds) -> None:
    """Challenge the dealer's hand, or set a player's hand again."""
    number = at.rng.randint(1, at.table.seats)
    again = [o for o in at.options(number) if isinstance(o.command, (c.Keep, c.Split))]
    if again and turn(at.table, at.state) is None:
        at.must(at.rng.choice(again).command)
    else:
        at.send(c.Challenge(seat=number))


def press_keypad(at: Rounds) -> None:
    """Press a button of the keypad."""
    number = at.rng.randint(1, at.table.seats)
    at.send(c.KeyAward(seat=number, hand=at.rng.choice(at.table.terms.order)))


def act_ahead(at: Rounds) -> None:
    """Send a random step that is not due, while a player must decide."""
    behind = due(at.table, at.state, past_players=True)
    now = due(at.table, at.state)
    if behind is None or (now is not None and now.step is not behind.step):
        return
    name = at.rng.choice(list(at.table.steps))
    if name != behind.step.name:
        at.send(c.Perform(step=name))


def _held(state: State, place: str) -> tuple[Card, ...]:
    if place == "dealer":
        return state.round.dealer
    if place == "board":
        return state.round.board
    number = int(place.removeprefix("seat ")) if place.startswith("seat ") else 0
    return tuple(card for hand in state.seats[number].hands for card in hand.cards) if number else ()


TROUBLES: tuple[Callable[[Rounds], None], ...] = (
    report_exposed_card,
    report_face_up_card,
    report_card_drawn_early,
    deal_extra_card,
    deal_short,
    report_wrong_number,
    report_device_fault,
    miscount,
    send_floor_command,
    send_floor_command,
    move_players,
    move_players,
    mispay_or_correct,
    challenge,
    press_keypad,
    act_ahead,
    report_premature_flop,
    make_ruling,
)
"""Every irregular act; an act that is listed twice is twice as likely."""
