"""What goes wrong at a table, and what its rulebook says must follow."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any, NoReturn

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, check_floor, refuse, seat_at
from houseway.engine.deal_acts import cards_out, cut_card, fed, method
from houseway.engine.events import Cards
from houseway.engine.fold_registry import mispaid_key, seat_of
from houseway.engine.state import Hand, State
from houseway.engine.table import Due, Table
from houseway.engine.turn_order import all_acted, due, hands_dealt, next_deck, unserved
from houseway.money import spoken
from houseway.rules.problems import meant
from houseway.rules.procedure import KINDS, Irregularity, Step


def report(table: Table, state: State, command: c.Report) -> Events:
    """Say that something is wrong; the rulebook says what follows."""
    kind, handler = command.kind, REPORTS.get(command.kind)
    if handler is None and kind in KINDS:
        refuse("not-reported", f"{KINDS[kind]}: that is found by counting the stub, not reported")
    if handler is None:
        refuse("unknown-irregularity", f"{kind!r} is nothing that can be reported; {meant(kind, KINDS)}")
    if state.section in ("closed", "idle"):
        refuse("table-closed", "the table is not in play; open one first")
    return handler(table, state, command)  # type: ignore[no-any-return]


def _rule(table: Table, state: State, kind: str, **facts: Any) -> tuple[Irregularity, str | None]:
    """The row of the rulebook that says what follows, and its clause."""
    known = {"all_acted": all_acted(table, state), "hands_dealt": hands_dealt(table, state), **facts}
    row = table.wrong(kind, known)
    if row is None:
        others = ", ".join(sorted({row.kind for row in table.book.procedure.irregularities}))
        refuse("no-rule", f"{table.book.id} says nothing of this: {KINDS[kind]}; it has rules for {others}")
    return row, table.cite(row.basis)


def _in_play(state: State) -> bool:
    """Whether a round with wagers or cards is under way."""
    return state.round.betting in ("open", "closed") and state.section == "round"


def _no_round(kind: str) -> NoReturn:
    refuse("no-round", f"{kind} is reported of a round under way", where="report")


def _whose(place: str) -> str:
    return "player" if seat_of(place) else place


# --- cards ---


def exposed_card(table: Table, state: State, command: c.Report) -> Events:
    """A card is seen that should not be."""
    at = command.at
    if not _in_play(state) or state.round.void:
        _no_round(command.kind)
    held = _face_down(state, at)
    if not held:
        refuse("unknown-place", f"no cards lie face down at {at!r}; name a seat, the dealer or the board")
    if not command.cards or Counter(command.cards) - Counter(held):
        refuse("not-there", f"name the exposed card among those {at} holds", where=at)
    row, clause = _rule(table, state, command.kind, of=_whose(at))
    back = row.rules.get("turned_back")
    clause = table.cite(back) or clause
    seen = e.CardExposed(at=at, face=command.cards, turned_back=back is not None, clause=clause)
    return [seen, *_voided(table, state, row)]


def _face_down(state: State, place: str) -> Cards:
    """The cards of a place that nobody should see yet."""
    now, seat = state.round, state.seats.get(seat_of(place))
    if seat is not None:
        hidden = ((() if hand.shown or hand.racked else hand.cards) + hand.discards for hand in seat.hands)
        return tuple(chain.from_iterable(hidden))
    return {"dealer": () if now.revealed else now.dealer, "board": now.board[now.up :]}.get(place, ())


def _cards_at(state: State, place: str) -> Cards:
    seat = state.seats.get(seat_of(place))
    if seat is not None:
        return tuple(chain.from_iterable(hand.cards + hand.discards for hand in seat.hands))
    return {"dealer": state.round.dealer, "board": state.round.board}.get(place, ())


def face_up_card(table: Table, state: State, command: c.Report) -> Events:
    """A card lies face up in the deck."""
    _check_dealing(table, state, command)
    _check_next_cards(table, state, command.cards)
    row, clause = _rule(table, state, command.kind, several=state.round.face_up + 1 >= 2)
    used = row.then == "used"
    if used and state.round.drawn:
        refuse("drawn-already", "the card before it is waiting to be used; deal that first", clause)
    found = e.FaceUpFound(face=command.cards, used=used, clause=clause)
    voided = [] if state.round.void else _voided(table, state, row)
    return [found, *voided, *cut_card(table, state, 1)]


def _check_dealing(table: Table, state: State, command: c.Report) -> None:
    """Refuse a report about the next card if none is dealt now, or none any more."""
    now = state.round
    if not _in_play(state) or now.betting != "closed" or now.void == "all":
        _no_round(command.kind)
    if not any(s.act in ("deal", "burn") for s in _steps_left(table, state)):
        refuse("nothing-to-deal", "no card is dealt any more in this round; go on with it")


def _check_next_cards(table: Table, state: State, named: Cards, count: int = 1) -> None:
    """Refuse cards that cannot be the next of the deck."""
    if len(named) != count:
        many = "the one card" if count == 1 else f"the {count} cards"
        refuse("cards-needed", f"name {many}", where="report")
    if state.playing.used + count > table.deck_size:
        refuse("deck-empty", "no card is left in the deck; shuffle first", where="report")
    out = Counter((*cards_out(state), *named))
    twice = next((card for card in named if out[card] > table.book.ranking.decks), None)
    if twice is not None:
        refuse("too-many-copies", f"{twice} has left the deck already; name the top card", where="report")


def drawn_in_error(table: Table, state: State, command: c.Report) -> Events:
    """A card left the deck too early, unseen: it is the next card."""
    if state.round.drawn:
        refuse("drawn-already", "a card drawn in error is waiting to be used; deal it first")
    _check_dealing(table, state, command)
    _check_next_cards(table, state, command.cards)
    _, clause = _rule(table, state, command.kind)
    return [e.CardDrawn(sealed=command.cards, clause=clause), *cut_card(table, state, 1)]


def _steps_left(table: Table, state: State) -> tuple[Step, ...]:
    return table.sections["round"][table.after["round"].get(state.done, 0) :]


def wrong_number(table: Table, state: State, command: c.Report) -> Events:
    """A hand has too many or too few cards."""
    place, now = command.at, state.round
    whose = _whose(place)
    seat = state.seats.get(seat_of(place))
    # Where trips is saved a player's hand must still be read.
    if not _in_play(state) or now.void == "all" or (now.void and whose != "player"):
        _no_round(command.kind)
    if whose not in table.sizes or (whose == "player" and seat is None):
        refuse("unknown-place", f"{place!r} is no place with cards: a seat, the dealer or the board")
    if seat is not None and seat.hands[0].void:
        refuse("void-already", f"the hand at {place} is void already; go on", where=place)
    held = len(_cards_at(state, place))
    short = table.sizes[whose] - held
    if place not in now.skipped and short >= 0:
        refuse("right-number", f"{place} has the right number of cards so far; go on", where=place)
    whole = command.count in (None, table.deck_size)
    # A card drawn in error is the next one.
    given = (*now.drawn, *command.cards)
    dealt = whose == "dealer" and short > 0 and len(given) == short
    cured = dealt and whole and not command.seen and _in_sequence(table, state)
    row, clause = _rule(table, state, command.kind, of=whose, cured=cured)
    found = e.WrongNumberFound(at=place, count=held, clause=clause)
    if row.then == "cured":
        if any(map(_deals_hands, _steps_left(table, state))):
            sentence = "the deal goes on; the dealer is dealt the card in sequence at its end"
            refuse("deal-not-done", sentence, clause, place)
        _check_next_cards(table, state, command.cards, len(command.cards))
        cure = e.HandCured(sealed=given, clause=clause)
        return [found, cure, *cut_card(table, state, len(command.cards))]
    if row.then == "hand void":
        return [found, *void_hand(table, state, seat_of(place), clause)]
    return [found, *_voided(table, state, row)]


def _deals_hands(step: Step) -> bool:
    return step.act == "deal" and not {"players", "dealer"}.isdisjoint(step.to)


def _in_sequence(table: Table, state: State) -> bool:
    """Whether the next card is still the one after the hands: nothing burned or dealt since, the stub
    where it was."""
    steps = table.sections["round"]
    past = steps[: len(steps) - len(_steps_left(table, state))]
    hands = [n for n, step in enumerate(past) if _deals_hands(step)]
    since = past[max(hands, default=-1) + 1 :]
    return not state.round.stub_out and not any(s.act in ("deal", "burn") for s in since)


def deal_extra(table: Table, state: State, command: c.DealExtra) -> Events:
    """A hand gets a card too many; nobody has noticed yet."""
    at, now = command.at, state.round
    if not _in_play(state) or now.void or due(table, state) is None or now.betting != "closed":
        _no_round("an extra card")
    whose, held = _whose(at), _cards_at(state, at)
    shown = now.up or (now.revealed and whose != "board")
    if not held or len(held) < table.sizes[whose] or shown or now.drawn:
        sentence = f"{at} is dealt a card too many only while it holds its own, before any is turned"
        refuse("not-dealing", sentence, where=at)
    seat = state.seats.get(seat_of(at))
    if seat is not None and (seat.hands[0].void or seat.hands[0].folded or seat.hands[0].acted == "set"):
        refuse("not-dealing", f"{at} has no open hand to deal to", where=at)
    if whose == "board" and table.wrong("wrong number", {"of": whose}) is None:
        refuse("no-rule", f"{table.book.id} has no rule for too many community cards", where="board")
    _check_next_cards(table, state, command.cards)
    return [e.ExtraDealt(at=at, sealed=command.cards), *cut_card(table, state, 1)]


def deal_short(table: Table, state: State, command: c.DealShort) -> Events:
    """The hand whose card is next is passed over; nobody has noticed yet."""
    now = due(table, state)
    if now is None or now.step.act != "deal" or now.section != "round" or state.round.void:
        refuse("not-dealing", "no hand is being dealt to; wait for the next deal", where="report")
    places = unserved(table, state, now.step)
    # Community cards may be too few only where somebody counts them before they are turned.
    counted = any(s.act == "turn" and "count" in s.rules for s in table.sections["round"])
    if not places or (places[0] == "board" and not counted):
        refuse("not-dealing", "no hand is left to deal to in this step; take the next one", where="report")
    skipped = e.CardSkipped(at=places[0])
    if len(places) > 1:
        return skipped
    taken = e.StepTaken(step=now.step.name, section=now.section, clause=table.clause(now.step))
    return skipped, taken


# --- the stub ---


def count_stub(table: Table, state: State, now: Due, command: c.Perform) -> Events:
    """Count the stub face down: with the cards on the table and in the rack it must make a deck."""
    step, count = now.step, command.count
    if type(count) is not int or count < 0:
        refuse("count-needed", "say how many cards the stub holds", table.clause(step))
    # A hand found wrong before and void counts for the cards it had.
    dealt_in = [s.hands[0] for n, s in state.seats.items() if n in state.round.players]
    players = sum(len(h.cards) if h.void else table.hand_size for h in dealt_in)
    aside = sum(entry.count for entry in state.rack if entry.what == "face up")
    nominal = table.deck_size - players - table.dealer_size - table.board_size - table.burns - aside
    held = table.deck_size - state.round.out
    right = count == nominal and held == nominal
    racked = right and "right" in step.rules
    clause = table.clause(step, "right") if right else table.clause(step)
    counted = e.StubCounted(count=count, expected=nominal, right=right, racked=racked, clause=clause)
    if right:
        return counted
    row = table.wrong("wrong count", {"all_there": count == held})
    if row is None:
        refuse("no-rule", f"{table.book.id} has no rule for a wrong count")
    return [counted, *void_round(table, state, row)]


# --- devices ---


def device_count(table: Table, state: State, command: c.Report) -> Events:
    """The device shows a wrong number of cards."""
    if table.terms.house("device_counts") is False:
        refuse("no-device", "no device counts the cards at this table; count the stub")
    if command.count is None:
        refuse("count-needed", "say how many cards the device shows")
    if command.count == table.deck_size:
        refuse("right-number", f"{command.count} is the right number of cards; go on")
    row, clause = _rule(table, state, command.kind)
    # The deck it counts is the one dealt next: of two, not the one in play.
    deck = state.decks[next_deck(state)]
    if deck.stands == "off":
        refuse("deck-off", "the deck is off the table already; replace it", clause)
    removed = e.DeckRemoved(deck=deck.name, clause=clause)
    if deck is not state.playing or not _in_play(state) or state.round.void:
        return removed
    if state.round.out:
        sentence = "the cards are dealt; the device shows their number when it has shuffled them"
        refuse("nothing-in-the-device", sentence, clause)
    return [removed, *void_round(table, state, row)]


def shuffler_jam(table: Table, state: State, command: c.Report) -> Events:
    """The shuffling device jams: the cards are shuffled again before anything is dealt."""
    row, clause = _rule(table, state, command.kind)
    if method(table) == "hand":
        refuse("no-device", "cards are shuffled by hand at this table; no device can jam")
    jammed: list[e.Event] = [e.DeviceJammed(kind=command.kind, clause=clause)]
    if "backup" in row.rules and command.device:
        jammed.append(e.BackupTaken(device=command.device, clause=table.cite(row.rules["backup"])))
    now = due(table, state)
    if now is None or now.section == "opening":
        refuse("not-shuffling", "the cards have not been shuffled yet; shuffle first", clause)
    if _in_play(state) and len(state.decks) > 1:
        # The deck in play has left the device; the other one is shuffled again before it is dealt.
        return jammed
    if _in_play(state) and state.round.out:
        refuse("nothing-in-the-device", "the cards are dealt; nothing is in the shuffling device", clause)
    steps, order = table.sections["shuffling"], table.after["shuffling"]
    if state.section != "round":
        steps = steps[: order.get(state.done, 0)] if state.section == "shuffling" else ()
    # What the device has left undone is still due; what was done with its cards is done again.
    again = [s.name for s in steps if s.act not in ("clear rack", "take other deck")]
    again += [name for name in state.owed if name not in again]
    owed = tuple(sorted(again, key=lambda name: order.get(name, 0)))
    return [*jammed, e.ReshuffleOrdered(owed=owed, clause=clause)]


def machine_failure(table: Table, state: State, command: c.Report) -> Events:
    """The dealing machine fails during a round: the round is void."""
    row, clause = _rule(table, state, command.kind)
    if table.mode != "device":
        refuse("no-machine", "cards are dealt by hand at this table; no machine can fail")
    if not _in_play(state) or state.round.void:
        _no_round(command.kind)
    found: list[e.Event] = [e.DeviceJammed(kind=command.kind, clause=clause)]
    if "backup" in row.rules:
        backup = table.cite(row.rules["backup"])
        if not command.device:
            refuse("backup-missing", "change to the back-up and name it", backup)
        found.append(e.BackupTaken(device=command.device, clause=backup))
    return [*found, *void_round(table, state, row)]


# --- void hands ---


def _voided(table: Table, state: State, row: Irregularity) -> list[e.Event]:
    """What a row leads to beyond itself: the round is void, or nothing."""
    return void_round(table, state, row) if row.then == "void" else []


def void_round(table: Table, state: State, row: Irregularity) -> list[e.Event]:
    """Every hand is void: wagers go back, save trips where the rulebook saves it; a fold made stands."""
    # Without a trips wager there is nothing to complete the board for.
    bet = any("trips" in h.wagers for s in state.seats.values() for h in s.hands if not h.void)
    trips = row.rules.get("trips") if bet else None
    clause = table.cite(row.basis)
    voided = e.RoundVoided(why=row.kind, trips=trips is not None, clause=table.cite(trips) or clause)
    stays = {"trips"} if trips is not None else set()
    returned = [r for number in state.seats for r in _returned(table, state, number, clause, stays)]
    found: list[e.Event] = [voided, *returned, *_unfed(table, state, returned)]
    if "deck_off" in row.rules:
        off = table.cite(row.rules["deck_off"])
        found.append(e.DeckRemoved(deck=state.playing.name, clause=off))
    return found


def void_hand(table: Table, state: State, number: int, clause: str | None) -> list[e.Event]:
    """One player's hand is void: its wagers go back and its cards to the rack."""
    hand = state.seats[number].hands[0]
    returned = _returned(table, state, number, clause, set(), whole=False)
    found = [e.HandVoided(seat=number, clause=clause), *returned, *_unfed(table, state, returned)]
    if hand.cards and not hand.racked:
        what, count = f"seat {number}", len(hand.cards)
        found.append(e.CardsRacked(what=what, count=count, sealed=hand.cards, clause=clause))
    return found


def _returned(
    table: Table, state: State, number: int, clause: str | None, stays: set[str], *, whole: bool = True
) -> list[e.WagersReturned]:
    """What goes back of a seat's void hands, except the wagers that stay; a fold stands, unless the
    folded hand itself is no whole one."""
    found = []
    for n, hand in enumerate(state.seats[number].hands, 1):
        kept = stays | _lost(table, hand) if whole else stays
        wagers = {w: a for w, a in hand.wagers.items() if w not in kept}
        tips = {w: a for w, a in hand.tips.items() if w not in kept}
        if hand.void or not (wagers or tips or hand.collected):
            continue
        coupon, taken = hand.coupon if "ante" in wagers else 0, hand.collected
        back = e.WagersReturned(
            seat=number, hand=n, wagers=wagers, tips=tips, coupon=coupon, collected=taken, clause=clause
        )
        found.append(back)
    return found


def _lost(table: Table, hand: Hand) -> set[str]:
    """The wagers taken at a fold: the dealer has them, or is about to."""
    step = table.find("take folds")
    passed = table.passes.get(step.walk) if step is not None and "at_once" in step.rules else None
    if not hand.folded or passed is None or len(hand.cards) != table.hand_size:
        return set()
    return {"ante", "blind"}.intersection(passed[1].wagers)


def _unfed(table: Table, state: State, returned: list[e.WagersReturned]) -> list[e.Event]:
    """What progressive wagers that went back take off the meters again."""
    stakes = {r.seat: back for r in returned if (back := r.wagers.get("progressive", 0) + r.collected)}
    return fed(table, state, stakes, -1) if state.round.fed else []


# --- money handed over wrongly ---


def mispay(table: Table, state: State, command: c.Mispay) -> Events:
    """Another amount than is due changes hands on a settled wager."""
    seat = seat_at(state, command.seat)
    where = f"seat {command.seat}.{command.wager}"
    at = (command.seat, command.hand, command.wager)
    line = next((s for s in state.round.settled if (s.seat, s.hand, s.wager) == at), None)
    if line is None or not seat.hands[0].made:
        refuse("not-settled", "that wager has not been settled for this player yet", where=where)
    if not command.amount or seat.chips + command.amount < 0:
        refuse("bad-amount", "say how many cents too many, or too few below nothing", where=where)
    return e.MispaymentMade(
        seat=command.seat, hand=command.hand, wager=command.wager, amount=command.amount, clause=line.clause
    )


def correct(table: Table, state: State, command: c.Correct) -> Events:
    """Put a mispaid wager right, by the clause it is paid by; the player's own, in this round or later."""
    number, hand, wager = command.seat, command.hand, command.wager
    where = f"seat {number}.{wager}"
    seat = seat_at(state, number)
    open_, clause = state.mispaid.get(mispaid_key(seat.player, number, hand, wager), (0, None))
    if not open_:
        sentence = f"nothing is open on that wager of {seat.player}; it can be put right once it is mispaid"
        refuse("nothing-mispaid", sentence, where=where)
    check_floor(command, "a supervisor puts a payment right", clause, where)
    if seat.chips < open_:
        sentence = f"{spoken(open_)} is owed, seat {number} has {spoken(seat.chips)}; bring chips first"
        refuse("not-enough-chips", sentence, where=where)
    return e.PaymentCorrected(
        seat=number, hand=hand, wager=wager, amount=-open_, by=command.by, clause=clause
    )


REPORTS: dict[str, Any] = {
    "exposed card": exposed_card,
    "face-up card": face_up_card,
    "card drawn in error": drawn_in_error,
    "wrong number": wrong_number,
    "device count": device_count,
    "shuffler jam": shuffler_jam,
    "machine failure": machine_failure,
}

HANDLERS: dict[type[c.Command], Any] = {
    c.Report: report,
    c.DealExtra: deal_extra,
    c.DealShort: deal_short,
    c.Mispay: mispay,
    c.Correct: correct,
}
