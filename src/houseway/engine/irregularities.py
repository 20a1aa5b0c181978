"""Irregularities: reports of errors at the table, and the consequences that the rulebook sets."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any, NoReturn

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, check_floor, hand_name, refuse, seat_at
from houseway.engine.deal_acts import cards_out, cut_card, feed_meters, method
from houseway.engine.events import Cards
from houseway.engine.fold_registry import mispaid_key, seat_of
from houseway.engine.state import Hand, State
from houseway.engine.table import Due, Table
from houseway.engine.turn_order import all_acted, due, hands_dealt, next_deck, places_left
from houseway.money import spoken
from houseway.rules.problems import suggest
from houseway.rules.procedure import KINDS, Irregularity, Step
from houseway.wording import several


def report(table: Table, state: State, command: c.Report) -> Events:
    """Report an irregularity; the rulebook sets its consequences."""
    kind, handler = command.kind, REPORTS.get(command.kind)
    if handler is None and kind in KINDS:
        refuse("not-reported", f"{kind!r} cannot be reported; perform the step that counts the stub")
    if handler is None:
        refuse("unknown-irregularity", f"you cannot report {kind!r}; {suggest(kind, KINDS)}")
    if state.section in ("closed", "idle"):
        refuse("table-closed", f"the table is {state.section}; open it or resume play first")
    return handler(table, state, command)  # type: ignore[no-any-return]


def cards_off_deck(table: Table, state: State, command: c.Report | c.DealExtra) -> int:
    """Return how many of the next cards in the deck a command takes, if it does not name them."""
    if isinstance(command, c.DealExtra):
        return 1
    if command.kind == "wrong number":
        short = table.sizes["dealer"] - len(state.round.dealer) - len(state.round.drawn)
        return max(0, short) if command.at == "dealer" and _can_cure(table, state, command) else 0
    if command.kind == "premature flop":
        return sum(_early_cards(table, state)[:2])
    from_deck = command.kind in ("face-up card", "card drawn in error")
    return int(from_deck or (command.kind == "exposed card" and command.at == "deck"))


def _rule(table: Table, state: State, kind: str, **facts: Any) -> tuple[Irregularity, str | None]:
    """Return the rulebook's row for an irregularity, and its clause."""
    known = {"all_acted": all_acted(table, state), "hands_dealt": hands_dealt(table, state), **facts}
    row = table.wrong(kind, known)
    if row is None:
        others = ", ".join(sorted({row.kind for row in table.book.procedure.irregularities}))
        sentence = f"{table.book.id} has no rule for {kind!r} here; it has rules for {others}"
        refuse("no-rule", f"{sentence}. A supervisor can make a ruling")
    return row, table.cite(row.basis)


def _in_play(state: State) -> bool:
    """True during a round, from its opening to its close."""
    return state.round.betting in ("open", "closed") and state.section == "round"


def _no_round(state: State, kind: str) -> NoReturn:
    why = "this round is void" if _in_play(state) and state.round.void else "no cards are in play"
    refuse("no-round", f"you cannot report {kind!r} now; {why}", where="report")


def _whose(place: str) -> str:
    return "player" if seat_of(place) else place


# --- cards ---


def exposed_card(table: Table, state: State, command: c.Report) -> Events:
    """Report a card that was exposed."""
    at = command.at
    if not _in_play(state) or state.round.void:
        _no_round(state, command.kind)
    if at == "deck":
        # A card exposed on top of the deck is face up in the deck.
        return face_up_card(table, state, command)
    held = _face_down(state, at)
    if not held:
        refuse("unknown-place", f"{at!r} has no face-down cards; name a seat, the dealer or the board")
    if not 0 <= command.which <= len(held):
        refuse("not-there", f"{at} has {several(len(held), 'face-down card')}; count them from 1", where=at)
    # Without a number, the exposed card is the one dealt last.
    exposed_cards = command.cards or (held[command.which - 1],)
    if Counter(exposed_cards) - Counter(held):
        refuse("not-there", f"name the exposed cards; each of them must be face down at {at}", where=at)
    row, clause = _rule(table, state, command.kind, of=_whose(at))
    back = row.rules.get("turned_back")
    clause = table.cite(back) or clause
    exposed = e.CardExposed(at=at, face=exposed_cards, turned_back=back is not None, clause=clause)
    return [exposed, *_void_if_ruled(table, state, row)]


def _face_down(state: State, place: str) -> Cards:
    """Return the face-down cards of a place."""
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
    """Report a card face up in the deck."""
    _check_dealing(table, state, command)
    _check_next_cards(table, state, command.cards)
    row, clause = _rule(table, state, "face-up card", several=state.round.face_up + 1 >= 2)
    used = row.then == "used"
    if used and state.round.drawn:
        refuse("drawn-already", "deal the card drawn in error first", clause)
    face_up = e.FaceUpFound(face=command.cards, used=used, clause=clause)
    voided = [] if state.round.void else _void_if_ruled(table, state, row)
    return [face_up, *voided, *cut_card(table, state, 1)]


def _check_dealing(table: Table, state: State, command: c.Report) -> None:
    """Refuse a report about the next card if no more cards are dealt in the round."""
    now = state.round
    if not _in_play(state) or now.betting != "closed" or now.void == "all":
        _no_round(state, command.kind)
    if not any(s.act in ("deal", "burn") for s in _steps_left(table, state)):
        refuse("nothing-to-deal", "all cards of this round are dealt; continue with the next step")


def _check_next_cards(table: Table, state: State, named: Cards, count: int = 1) -> None:
    """Refuse cards that cannot be next in the deck."""
    if state.playing.used + count > table.deck_size:
        refuse("deck-empty", "the deck has no cards left; shuffle first", where="report")
    if len(named) != count:
        refuse("cards-needed", f"name {several(count, 'card')}, not {len(named)}", where="report")
    out = Counter((*cards_out(state), *named))
    twice = next((card for card in named if out[card] > table.book.ranking.decks), None)
    if twice is not None:
        refuse("too-many-copies", f"{twice} has already left the deck; name the top card", where="report")


def drawn_in_error(table: Table, state: State, command: c.Report) -> Events:
    """Report an unseen card that left the deck too early; it is dealt next."""
    if state.round.drawn:
        refuse("drawn-already", "another card was drawn in error; deal it first")
    _check_dealing(table, state, command)
    _check_next_cards(table, state, command.cards)
    _, clause = _rule(table, state, command.kind)
    return [e.CardDrawn(sealed=command.cards, clause=clause), *cut_card(table, state, 1)]


def premature_flop(table: Table, state: State, command: c.Report) -> Events:
    """Report community cards that were turned up before every player had acted.

    They are turned back and used in their turn, unless the rulebook voids the round.
    """
    now, waiting = state.round, due(table, state)
    if not _in_play(state) or now.void or waiting is None:
        _no_round(state, command.kind)
    if waiting.step.act not in ("look", "ask"):
        refuse("not-early", f"the next step is to {waiting.step.name}; no player has to act before it")
    burned, dealt, shown = _early_cards(table, state)
    if not shown:
        refuse("nothing-to-deal", "all community cards are face up; continue with the next step")
    if now.drawn:
        refuse("drawn-already", "another card was drawn in error; deal it first")
    row, clause = _rule(table, state, command.kind)
    clause = table.cite(row.rules.get("turned_back")) or clause
    if not dealt:
        face = now.board[now.up : now.up + shown]
        return [e.BoardExposed(face=face, clause=clause), *_void_if_ruled(table, state, row)]
    count = burned + dealt
    _check_next_cards(table, state, command.cards, count)
    burns, face = command.cards[:burned], command.cards[burned:]
    exposed = e.BoardExposed(sealed=burns, face=face, drawn=True, clause=clause)
    return [exposed, *_void_if_ruled(table, state, row), *cut_card(table, state, count)]


def _early_cards(table: Table, state: State) -> tuple[int, int, int]:
    """Return the cards to burn, to deal and to turn up until the next community cards are face up.

    Community cards that are on the table already need no card off the deck, so none is burned early.
    """
    burned = dealt = 0
    for step in _steps_left(table, state):
        if step.act == "burn":
            burned += step.each
        elif step.act == "deal" and "board" in step.to:
            dealt += step.each * step.times
            if step.face_up:
                return burned, dealt, dealt
        elif step.act == "turn":
            return burned if dealt else 0, dealt, step.each
    return 0, 0, 0


def _steps_left(table: Table, state: State) -> tuple[Step, ...]:
    return table.sections["round"][table.after["round"].get(state.done, 0) :]


def wrong_number(table: Table, state: State, command: c.Report) -> Events:
    """Report a hand with too many or too few cards."""
    place, now = command.at, state.round
    whose = _whose(place)
    seat = state.seats.get(seat_of(place))
    # In a void round that still settles trips, players' hands and the board must be readable.
    if not _in_play(state) or now.void == "all" or (now.void and whose == "dealer"):
        _no_round(state, command.kind)
    if whose not in table.sizes or (whose == "player" and seat is None):
        refuse("unknown-place", f"{place!r} has no cards; name a seat, the dealer or the board")
    if seat is not None and seat.hands[0].void:
        refuse("void-already", f"the hand at {place} is already void", where=place)
    held = len(_cards_at(state, place))
    short = table.sizes[whose] - held
    most = _dealt_so_far(table, state) if _faces_up(table, whose) else table.sizes[whose]
    if place not in now.skipped and held <= most:
        refuse("right-number", f"{place} has the right number of cards so far", where=place)
    # A card drawn in error is the next card to deal.
    missing = (*now.drawn, *command.cards)
    dealt = whose == "dealer" and short > 0 and len(missing) == short
    cured = dealt and _can_cure(table, state, command)
    row, clause = _rule(table, state, command.kind, of=whose, cured=cured)
    wrong = e.WrongNumberFound(at=place, count=held, clause=clause)
    if row.then == "cured":
        if any(map(_deals_hands, _steps_left(table, state))):
            sentence = "finish the deal first; the dealer gets the missing card after it"
            refuse("deal-not-done", sentence, clause, place)
        _check_next_cards(table, state, command.cards, len(command.cards))
        cure = e.HandCured(sealed=missing, clause=clause)
        return [wrong, cure, *cut_card(table, state, len(command.cards))]
    if row.then == "hand void":
        return [wrong, *void_hand(table, state, seat_of(place), clause)]
    return [wrong, *_void_if_ruled(table, state, row)]


def _can_cure(table: Table, state: State, command: c.Report) -> bool:
    """True if the dealer can still be dealt the missing cards in sequence."""
    all_there = command.count in (None, table.deck_size)
    return all_there and not command.seen and _in_sequence(table, state)


def _faces_up(table: Table, whose: str) -> bool:
    """True if the cards of a place are dealt face up, street by street."""
    return whose == "board" and any(
        step.act == "deal" and "board" in step.to and step.face_up for step in table.sections["round"]
    )


def _dealt_so_far(table: Table, state: State) -> int:
    """Return how many community cards the steps taken so far have dealt."""
    steps = table.sections["round"]
    past = steps[: len(steps) - len(_steps_left(table, state))]
    return sum(step.each * step.times for step in past if step.act == "deal" and "board" in step.to)


def _deals_hands(step: Step) -> bool:
    return step.act == "deal" and not {"players", "dealer"}.isdisjoint(step.to)


def _in_sequence(table: Table, state: State) -> bool:
    """True if no card was dealt or burned, and no stub removed, since the hands were dealt."""
    steps = table.sections["round"]
    past = steps[: len(steps) - len(_steps_left(table, state))]
    hands = [n for n, step in enumerate(past) if _deals_hands(step)]
    since = past[max(hands, default=-1) + 1 :]
    return not state.round.stub_out and not any(s.act in ("deal", "burn") for s in since)


def deal_extra(table: Table, state: State, command: c.DealExtra) -> Events:
    """Deal a hand one card too many, as an error nobody has noticed yet."""
    at, now = command.at, state.round
    if not _in_play(state) or now.void or due(table, state) is None or now.betting != "closed":
        _no_round(state, "extra card")
    whose, held = _whose(at), _cards_at(state, at)
    up = _faces_up(table, whose)
    least = _dealt_so_far(table, state) if up else table.sizes.get(whose, 0)
    shown = now.revealed or now.stub_out if up else now.up or (now.revealed and whose != "board")
    if not held or len(held) < least or shown or now.drawn:
        sentence = f"deal an extra card to {at} once its hand is complete and before any card is turned up"
        if up:
            sentence = "deal an extra community card with the flop, or with the turn and river"
        refuse("not-dealing", sentence, where=at)
    seat = state.seats.get(seat_of(at))
    if seat is not None and (seat.hands[0].void or seat.hands[0].folded or seat.hands[0].acted == "set"):
        refuse("not-dealing", f"{at} has no hand in play", where=at)
    if whose == "board" and table.wrong("wrong number", {"of": whose}) is None:
        refuse("no-rule", f"{table.book.id} has no rule for too many community cards", where="board")
    _check_next_cards(table, state, command.cards)
    face, sealed = (command.cards, ()) if up else ((), command.cards)
    return [e.ExtraDealt(at=at, sealed=sealed, face=face), *cut_card(table, state, 1)]


def deal_short(table: Table, state: State, command: c.DealShort) -> Events:
    """Skip the hand whose card is next, as an error nobody has noticed yet."""
    now = due(table, state)
    if now is None or now.step.act != "deal" or now.section != "round" or state.round.void:
        refuse("not-dealing", "no cards are being dealt; wait for the next deal", where="report")
    places = places_left(table, state, now.step)
    # The board may be dealt short only if a step counts it before it is turned.
    counted = any(s.act == "turn" and "count" in s.rules for s in table.sections["round"])
    if not places or (places[0] == "board" and not counted):
        refuse("not-dealing", "this step has no hand left to skip; perform the next step", where="report")
    skipped = e.CardSkipped(at=places[0])
    if len(places) > 1:
        return skipped
    step_taken = e.StepTaken(step=now.step.name, section=now.section, clause=table.clause(now.step))
    return skipped, step_taken


# --- the stub ---


def count_stub(table: Table, state: State, now: Due, command: c.Perform) -> Events:
    """Count the stub face down. The stub and all cards dealt must add up to a full deck."""
    step, count = now.step, command.count
    if type(count) is not int or count < 0:
        refuse("count-needed", "enter how many cards the stub has", table.clause(step))
    # A hand that is void for a wrong number counts with the cards it had.
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
    """Report that the device counts a wrong number of cards."""
    if table.terms.house("device_counts") is False:
        refuse("no-device", "this table has no device that counts the cards; count the stub")
    if command.count is None:
        refuse("count-needed", "enter how many cards the device shows")
    if command.count == table.deck_size:
        refuse("right-number", f"{command.count} is the right number of cards")
    row, clause = _rule(table, state, command.kind)
    # The device counts the deck to be dealt next; of two decks, the one not in play.
    deck = state.decks[next_deck(state)]
    if deck.stands == "off":
        refuse("deck-off", "the deck is already off the table; replace it", clause)
    removed = e.DeckRemoved(deck=deck.name, clause=clause)
    if deck is not state.playing or not _in_play(state) or state.round.void:
        return removed
    if state.round.out:
        sentence = "the deck has left the device; the device counts it at the next shuffle"
        refuse("nothing-in-the-device", sentence, clause)
    return [removed, *void_round(table, state, row)]


def shuffler_jam(table: Table, state: State, command: c.Report) -> Events:
    """Report that the shuffling device jammed; the cards are shuffled again before the deal."""
    row, clause = _rule(table, state, command.kind)
    if method(table) == "hand":
        refuse("no-device", "this table has no shuffling device; its cards are shuffled by hand")
    jammed: list[e.Event] = [e.DeviceJammed(kind=command.kind, clause=clause)]
    if "backup" in row.rules and command.device:
        jammed.append(e.BackupTaken(device=command.device, clause=table.cite(row.rules["backup"])))
    now = due(table, state)
    if now is None or now.section == "opening":
        refuse("not-shuffling", "the cards are not shuffled yet; shuffle them first", clause)
    if _in_play(state) and len(state.decks) > 1:
        # The deck in play has left the device; the jammed deck is shuffled again before its round anyway.
        return jammed
    if _in_play(state) and state.round.out:
        refuse("nothing-in-the-device", "the shuffling device is empty; the cards are dealt", clause)
    steps, order = table.sections["shuffling"], table.after["shuffling"]
    if state.section != "round":
        steps = steps[: order.get(state.done, 0)] if state.section == "shuffling" else ()
    # Repeat the steps done with the jammed cards, and keep those still owed.
    again = [s.name for s in steps if s.act not in ("clear rack", "take other deck")]
    again += [name for name in state.owed if name not in again]
    owed = tuple(sorted(again, key=lambda name: order.get(name, 0)))
    return [*jammed, e.ReshuffleOrdered(owed=owed, clause=clause)]


def machine_failure(table: Table, state: State, command: c.Report) -> Events:
    """Report that the dealing machine failed during a round, which makes the round void."""
    row, clause = _rule(table, state, command.kind)
    if table.mode != "device":
        refuse("no-machine", "this table has no dealing machine; its cards are dealt by hand")
    if not _in_play(state) or state.round.void:
        _no_round(state, command.kind)
    events: list[e.Event] = [e.DeviceJammed(kind=command.kind, clause=clause)]
    if "backup" in row.rules:
        backup = table.cite(row.rules["backup"])
        if not command.device:
            refuse("backup-missing", "switch to the back-up machine and name it", backup)
        events.append(e.BackupTaken(device=command.device, clause=backup))
    return [*events, *void_round(table, state, row)]


# --- void hands ---


def _void_if_ruled(table: Table, state: State, row: Irregularity) -> list[e.Event]:
    """Return the events that void the round if the rulebook's row says so; otherwise none."""
    return void_round(table, state, row) if row.then == "void" else []


def void_round(table: Table, state: State, row: Irregularity) -> list[e.Event]:
    """Void every hand and return its wagers.

    Folds keep their result, and some rulebooks still settle trips.
    """
    # Without a trips wager, the board need not be completed.
    bet = any("trips" in h.wagers for s in state.seats.values() for h in s.hands if not h.void)
    trips = row.rules.get("trips") if bet else None
    clause = table.cite(row.basis)
    voided = e.RoundVoided(why=row.kind, trips=trips is not None, clause=table.cite(trips) or clause)
    stays = {"trips"} if trips is not None else set()
    refunds = [r for number in state.seats for r in _refunds(table, state, number, clause, stays)]
    events: list[e.Event] = [voided, *refunds, *_unfed(table, state, refunds)]
    if "deck_off" in row.rules:
        off = table.cite(row.rules["deck_off"])
        events.append(e.DeckRemoved(deck=state.playing.name, clause=off))
    return events


def void_hand(table: Table, state: State, number: int, clause: str | None, which: int = 1) -> list[e.Event]:
    """Void one hand at a seat: return its wagers and rack its cards."""
    hands = state.seats[number].hands
    hand = hands[which - 1]
    refunds = _refunds(table, state, number, clause, set(), whole=False)
    refunds = [refund for refund in refunds if refund.hand == which]
    voided = e.HandVoided(seat=number, hand=which, clause=clause)
    events: list[e.Event] = [voided, *refunds, *_unfed(table, state, refunds)]
    if hand.cards and not hand.racked:
        what, count = hand_name(number, which, len(hands)), len(hand.cards)
        events.append(e.CardsRacked(what=what, count=count, sealed=hand.cards, clause=clause))
    return events


def _refunds(
    table: Table, state: State, number: int, clause: str | None, stays: set[str], *, whole: bool = True
) -> list[e.WagersReturned]:
    """Return the refunds for a seat's void hands.

    Wagers in `stays` are not refunded. If the whole round is void, wagers lost by a fold are not either.
    """
    refunds = []
    for n, hand in enumerate(state.seats[number].hands, 1):
        kept = stays | _lost_by_fold(table, hand) if whole else stays
        wagers = {w: a for w, a in hand.wagers.items() if w not in kept}
        tips = {w: a for w, a in hand.tips.items() if w not in kept}
        if hand.void or not (wagers or tips or hand.collected):
            continue
        coupon, collected = hand.coupon if "ante" in wagers else 0, hand.collected
        refund = e.WagersReturned(number, n, wagers, tips, coupon, collected, clause=clause)
        refunds.append(refund)
    return refunds


def _lost_by_fold(table: Table, hand: Hand) -> set[str]:
    """Return the wagers that a fold loses at once."""
    step = table.find("take folds")
    passed = table.passes.get(step.walk) if step is not None and "at_once" in step.rules else None
    if not hand.folded or passed is None or len(hand.cards) != table.hand_size:
        return set()
    return {"ante", "blind"}.intersection(passed[1].wagers)


def _unfed(table: Table, state: State, refunds: list[e.WagersReturned]) -> list[e.Event]:
    """Return the event that takes refunded progressive wagers off the meters."""
    stakes = {r.seat: back for r in refunds if (back := r.wagers.get("progressive", 0) + r.collected)}
    return feed_meters(table, state, stakes, -1) if state.round.fed else []


# --- mispaid wagers ---


def mispay(table: Table, state: State, command: c.Mispay) -> Events:
    """Pay the wrong amount on a settled wager."""
    seat = seat_at(state, command.seat)
    where = f"seat {command.seat}.{command.wager}"
    at = (command.seat, command.hand, command.wager)
    line = next((s for s in state.round.settled if (s.seat, s.hand, s.wager) == at), None)
    if line is None or not seat.hands[0].made:
        refuse("not-settled", f"the {command.wager} at seat {command.seat} is not settled yet", where=where)
    if not command.amount or seat.chips + command.amount < 0:
        refuse("bad-amount", "enter the cents overpaid; a negative number if underpaid", where=where)
    return e.MispaymentMade(
        seat=command.seat, hand=command.hand, wager=command.wager, amount=command.amount, clause=line.clause
    )


def correct(table: Table, state: State, command: c.Correct) -> Events:
    """Correct a player's mispaid wager, in the same round or later, by the clause that paid it."""
    number, hand, wager = command.seat, command.hand, command.wager
    where = f"seat {number}.{wager}"
    seat = seat_at(state, number)
    open_, clause = state.mispaid.get(mispaid_key(seat.player, number, hand, wager), (0, None))
    if not open_:
        refuse("nothing-mispaid", f"{seat.player}'s {wager} bet was not mispaid", where=where)
    check_floor(command, "only a supervisor can correct a payment", clause, where)
    if seat.chips < open_:
        sentence = f"seat {number} owes {spoken(open_)} but has {spoken(seat.chips)}; buy more chips first"
        refuse("not-enough-chips", sentence, where=where)
    return e.PaymentCorrected(
        seat=number, hand=hand, wager=wager, amount=-open_, by=command.by, clause=clause
    )


REPORTS: dict[str, Any] = {
    "exposed card": exposed_card,
    "face-up card": face_up_card,
    "card drawn in error": drawn_in_error,
    "premature flop": premature_flop,
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
