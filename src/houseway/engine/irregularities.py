"""Irregularities: reports of errors at the table, and the consequences that the rulebook sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import chain
from typing import Any, NoReturn

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, check_floor, refuse, seat_at
from houseway.engine.deal_acts import cards_out, cut_card, feed_meters, method
from houseway.engine.events import Cards
from houseway.engine.evolve import fold
from houseway.engine.fold_registry import mispaid_key, seat_of
from houseway.engine.hand_facts import FLOP
from houseway.engine.keypad import unkeyed
from houseway.engine.showdown_acts import settler
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


def _rule(table: Table, state: State, kind: str, **facts: Any) -> tuple[Irregularity, str | None]:
    """Return the rulebook's row for an irregularity, and its clause."""
    known = {"all_acted": all_acted(table, state), "hands_dealt": hands_dealt(table, state), **facts}
    row = table.wrong(kind, known)
    if row is None:
        others = ", ".join(sorted({row.kind for row in table.book.procedure.irregularities}))
        refuse("no-rule", f"{table.book.id} has no rule for {kind!r} here; it has rules for {others}")
    return row, table.cite(row.basis)


def in_play(state: State) -> bool:
    """True during a round, from its opening to its close."""
    return state.round.betting in ("open", "closed") and state.section == "round"


def _no_round(state: State, kind: str) -> NoReturn:
    why = "this round is void" if in_play(state) and state.round.void else "no cards are in play"
    refuse("no-round", f"you cannot report {kind!r} now; {why}", where="report")


def _whose(place: str) -> str:
    return "player" if seat_of(place) else place


# --- cards ---


def exposed_card(table: Table, state: State, command: c.Report) -> Events:
    """Report a card that was exposed."""
    at = command.at
    if not in_play(state) or state.round.void:
        _no_round(state, command.kind)
    held = _face_down(state, at)
    if not held:
        refuse("unknown-place", f"{at!r} has no face-down cards; name a seat, the dealer or the board")
    if not command.cards or Counter(command.cards) - Counter(held):
        refuse("not-there", f"name the exposed cards; each of them must be face down at {at}", where=at)
    row, clause = _rule(table, state, command.kind, of=_whose(at))
    back = row.rules.get("turned_back")
    clause = table.cite(back) or clause
    exposed = e.CardExposed(at=at, face=command.cards, turned_back=back is not None, clause=clause)
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
    row, clause = _rule(table, state, command.kind, several=state.round.face_up + 1 >= 2)
    used = row.then == "used"
    if used and state.round.drawn:
        refuse("drawn-already", "deal the card drawn in error first", clause)
    face_up = e.FaceUpFound(face=command.cards, used=used, clause=clause)
    voided = [] if state.round.void else _void_if_ruled(table, state, row)
    return [face_up, *voided, *cut_card(table, state, 1)]


def _check_dealing(table: Table, state: State, command: c.Report) -> None:
    """Refuse a report about the next card if no more cards are dealt in the round."""
    now = state.round
    if not in_play(state) or now.betting != "closed" or now.void == "all":
        _no_round(state, command.kind)
    if not any(s.act in ("deal", "burn") for s in _steps_left(table, state)):
        refuse("nothing-to-deal", "all cards of this round are dealt; continue with the next step")


def _check_next_cards(table: Table, state: State, named: Cards, count: int = 1) -> None:
    """Refuse cards that cannot be next in the deck."""
    if len(named) != count:
        refuse("cards-needed", f"name {several(count, 'card')}, not {len(named)}", where="report")
    if state.playing.used + count > table.deck_size:
        refuse("deck-empty", "the deck has no cards left; shuffle first", where="report")
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


def _steps_left(table: Table, state: State) -> tuple[Step, ...]:
    return table.sections["round"][table.after["round"].get(state.done, 0) :]


def wrong_number(table: Table, state: State, command: c.Report) -> Events:
    """Report a hand with too many or too few cards."""
    place, now = command.at, state.round
    whose = _whose(place)
    seat = state.seats.get(seat_of(place))
    # In a void round that still settles trips, players' hands must be readable.
    if not in_play(state) or now.void == "all" or (now.void and whose != "player"):
        _no_round(state, command.kind)
    if whose not in table.sizes or (whose == "player" and seat is None):
        refuse("unknown-place", f"{place!r} has no cards; name a seat, the dealer or the board")
    if seat is not None and seat.hands[0].void:
        refuse("void-already", f"the hand at {place} is already void", where=place)
    held = len(_cards_at(state, place))
    short = table.sizes[whose] - held
    if place not in now.skipped and short >= 0 and not _board_is_short(table, state, place):
        refuse("right-number", f"{place} has the right number of cards so far", where=place)
    all_there = command.count in (None, table.deck_size)
    # A card drawn in error is the next card to deal.
    missing = (*now.drawn, *command.cards)
    dealt = whose != "player" and short > 0 and len(missing) == short and all_there
    # Community cards have no owner, so the order of the deal does not matter for them.
    cured = dealt and (whose == "board" or (not command.seen and _in_sequence(table, state)))
    row, clause = _rule(table, state, command.kind, of=whose, cured=cured)
    wrong = e.WrongNumberFound(at=place, count=held, clause=clause)
    if row.then == "cured":
        if any(map(_deals_hands, _steps_left(table, state))):
            sentence = f"finish the deal first; the {whose} gets the missing card after it"
            refuse("deal-not-done", sentence, clause, place)
        _check_next_cards(table, state, command.cards, len(command.cards))
        cure = e.HandCured(sealed=missing, at=whose, clause=clause)
        return [wrong, cure, *cut_card(table, state, len(command.cards))]
    if row.then == "hand void":
        return [wrong, *void_hand(table, state, seat_of(place), clause), *_ended(table, state, row, place)]
    return [wrong, *_void_if_ruled(table, state, row)]


def _board_is_short(table: Table, state: State, place: str) -> bool:
    """True if the board has all the cards that the deal gives it and still too few."""
    left = any(step.act == "deal" and "board" in step.to for step in _steps_left(table, state))
    return place == "board" and not left and len(state.round.board) < table.board_size


def _ended(table: Table, state: State, row: Irregularity, place: str) -> list[e.Event]:
    """Return the event that ends the round if the void hand was the last one in it."""
    rule = row.rules.get("ends")
    others = [n for n in state.round.players if n != seat_of(place) and not state.seats[n].hands[0].void]
    if rule is None or others:
        return []
    return [e.RoundVoided(why=row.kind, trips=False, clause=table.cite(rule) or table.cite(row.basis))]


def missing_cards(table: Table, state: State, command: c.Report | c.DealShort) -> int:
    """Return how many cards off the deck a command needs: those of a short board, or those it lacks."""
    if not in_play(state) or state.round.void or not _completes_board(table):
        return 0
    if isinstance(command, c.DealShort):
        now = due(table, state)
        group = now is not None and now.step.act == "deal" and now.step.each > 1
        return (
            now.step.each - 1 if now and group and places_left(table, state, now.step)[0] == "board" else 0
        )
    if command.kind != "wrong number" or not _board_is_short(table, state, command.at):
        return 0
    return max(0, table.board_size - len(state.round.board) - len(state.round.drawn))


def _completes_board(table: Table) -> bool:
    """True if the rulebook completes a board with too few cards."""
    row = table.wrong("wrong number", {"of": "board", "cured": True})
    return row is not None and row.then == "cured"


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
    if not in_play(state) or now.void or due(table, state) is None or now.betting != "closed":
        _no_round(state, "extra card")
    whose, held = _whose(at), _cards_at(state, at)
    shown = now.up or (now.revealed and whose != "board")
    if not held or len(held) < table.sizes[whose] or shown or now.drawn:
        sentence = f"deal an extra card to {at} once its hand is complete and before any card is turned up"
        refuse("not-dealing", sentence, where=at)
    seat = state.seats.get(seat_of(at))
    if seat is not None and (seat.hands[0].void or seat.hands[0].folded or seat.hands[0].acted == "set"):
        refuse("not-dealing", f"{at} has no hand in play", where=at)
    if whose == "board" and table.wrong("wrong number", {"of": whose}) is None:
        refuse("no-rule", f"{table.book.id} has no rule for too many community cards", where="board")
    _check_next_cards(table, state, command.cards)
    return [e.ExtraDealt(at=at, sealed=command.cards), *cut_card(table, state, 1)]


def deal_short(table: Table, state: State, command: c.DealShort) -> Events:
    """Skip the hand whose card is next, as an error nobody has noticed yet.

    A device that deals the board as one group may give it fewer cards.
    """
    now = due(table, state)
    if now is None or now.step.act != "deal" or now.section != "round" or state.round.void:
        refuse("not-dealing", "no cards are being dealt; wait for the next deal", where="report")
    places = places_left(table, state, now.step)
    # The board may be dealt short only if a step counts it before it is turned.
    counted = any(s.act == "turn" and "count" in s.rules for s in table.sections["round"])
    group = now.step.each > 1 and not now.step.face_up and _completes_board(table)
    if not places or (places[0] == "board" and not (counted or group)):
        refuse("not-dealing", "this step has no hand left to skip; perform the next step", where="report")
    if places[0] == "board" and group:
        return _short_group(table, state, now, command.cards)
    if command.cards:
        refuse("cards-needed", "a hand that is skipped gets no cards; leave them out", where="report")
    skipped = e.CardSkipped(at=places[0])
    if len(places) > 1:
        return skipped
    step_taken = e.StepTaken(step=now.step.name, section=now.section, clause=table.clause(now.step))
    return skipped, step_taken


def _short_group(table: Table, state: State, now: Due, cards: Cards) -> list[e.Event]:
    """Return the events of a device that gives the board too few cards."""
    step, clause, count = now.step, table.clause(now.step), len(cards)
    if not 0 < count < step.each:
        sentence = f"name 1 to {step.each - 1} cards, those that the board gets, not {count}"
        refuse("cards-needed", sentence, clause, "board")
    _check_next_cards(table, state, cards, count)
    dealt = e.CardsDealt(to="board", count=count, sealed=cards, clause=clause)
    step_taken = e.StepTaken(step=step.name, section=now.section, clause=clause)
    return [dealt, *cut_card(table, state, count), step_taken]


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
    if deck is not state.playing or not in_play(state) or state.round.void:
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
    if in_play(state) and len(state.decks) > 1:
        # The deck in play has left the device; the jammed deck is shuffled again before its round anyway.
        return jammed
    if in_play(state) and state.round.out:
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
    if not in_play(state) or state.round.void:
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

    Folds keep their result, unless the house or the rulebook returns them too. Some rulebooks still settle
    trips, and some let the house settle a progressive that the flop has decided.
    """
    events: list[e.Event] = _unkeyed(table, state)
    if "settled" in row.rules:
        events += _restored(table, fold(events, state), table.cite(row.rules["settled"]))
    state = fold(events, state)
    # Without a trips wager, the board need not be completed.
    bet = any("trips" in h.wagers for s in state.seats.values() for h in s.hands if not h.void)
    trips = row.rules.get("trips") if bet else None
    clause = table.cite(row.basis)
    voided = e.RoundVoided(why=row.kind, trips=trips is not None, clause=table.cite(trips) or clause)
    stays = {"trips"} if trips is not None else set()
    decided = _decided_progressives(table, state, row)
    settled = {(s.seat, s.hand) for s in decided if isinstance(s, e.WagerSettled)}
    every = "settled" not in row.rules
    refunds = [
        refund
        for number in state.seats
        for refund in _refunds(table, state, number, clause, stays, whole=every, progressive=settled)
    ]
    events += [voided, *decided, *refunds, *_unfed(table, state, refunds)]
    if "deck_off" in row.rules:
        off = table.cite(row.rules["deck_off"])
        events.append(e.DeckRemoved(deck=state.playing.name, clause=off))
    return events


def _unkeyed(table: Table, state: State) -> list[e.Event]:
    """Return the events that turn off keyed awards that are not paid, the last one first."""
    step = next((s for s in table.sections["round"] if "unkeyed" in s.rules), None)
    clause = table.clause(step, "unkeyed") if step is not None else None
    return [unkeyed(state, number, clause) for number in reversed(state.round.awards)]


def _restored(table: Table, state: State, clause: str | None) -> list[e.Event]:
    """Return the events that undo every settled wager of the round, the last one first."""
    events: list[e.Event] = []
    for line in reversed(state.round.settled):
        seat, hand, wager = line.seat, line.hand, line.wager
        own = not line.for_dealer and not line.coupon
        key = mispaid_key(state.seats[seat].player, seat, hand, wager)
        mispaid = state.mispaid.get(key, (0, None))[0] if own else 0
        collected = own and wager == "progressive" and table.collects
        restored = e.WagerRestored(
            seat, hand, wager, line.stake, line.back, line.for_dealer, line.coupon, collected, mispaid,
            line.meter, line.awarded, line.seeded, line.released, clause=clause,
        )  # fmt: skip
        events.append(restored)
    return events


def _decided_progressives(table: Table, state: State, row: Irregularity) -> list[e.Event]:
    """Return the events that settle the progressives of a void round, if the flop has decided them.

    The house chooses this by a setting; otherwise they are returned.
    """
    rule = row.rules.get("progressive")
    decided = state.round.up >= FLOP and "progressive" in table.terms.on_five
    if rule is None or not decided or table.terms.house("void_progressive") != "settled":
        return []
    settling, clause = settler(table, state), table.cite(rule)
    events: list[e.Event] = []
    for spot in settling.from_right:
        stake = spot.stakes.get("progressive", 0)
        if not stake:
            continue
        settling.settled = []
        settling.wager(spot, "progressive", stake, 0)
        hand = spot.hand
        if settling.settled[0].result == "win":
            reads = table.terms.order[spot.first_five]
            seat, number = hand.seat, hand.number
            turned = e.HandTurned(seat=seat, hand=number, face=hand.cards, reads=reads, clause=clause)
            events.append(turned)
        events += settling.settled
    return events


def void_hand(table: Table, state: State, number: int, clause: str | None) -> list[e.Event]:
    """Void one player's hand: return its wagers and rack its cards."""
    hand = state.seats[number].hands[0]
    refunds = _refunds(table, state, number, clause, set(), whole=False)
    events = [e.HandVoided(seat=number, clause=clause), *refunds, *_unfed(table, state, refunds)]
    if hand.cards and not hand.racked:
        what, count = f"seat {number}", len(hand.cards)
        events.append(e.CardsRacked(what=what, count=count, sealed=hand.cards, clause=clause))
    return events


def _refunds(
    table: Table,
    state: State,
    number: int,
    clause: str | None,
    stays: set[str],
    *,
    whole: bool = True,
    progressive: Collection[tuple[int, int]] = (),
) -> list[e.WagersReturned]:
    """Return the refunds for a seat's void hands.

    Wagers in `stays` are not refunded, nor the progressives of the seats and hands in `progressive`. If the
    whole round is void, wagers lost by a fold are not either, unless the house returns those too.
    """
    refunds = []
    folds_back = whole and table.terms.house("void_folds") == "returned"
    for n, hand in enumerate(state.seats[number].hands, 1):
        kept = stays | _lost_by_fold(table, hand) if whole and not folds_back else set(stays)
        if (number, n) in progressive:
            kept.add("progressive")
        wagers = {w: a for w, a in hand.wagers.items() if w not in kept}
        tips = {w: a for w, a in hand.tips.items() if w not in kept}
        taken = _taken_from_fold(state, number, n) if folds_back and hand.folded else {}
        if hand.void or not (wagers or tips or hand.collected or taken):
            continue
        coupon, collected = hand.coupon if "ante" in wagers else 0, hand.collected
        refund = e.WagersReturned(number, n, wagers, tips, coupon, collected, taken, clause=clause)
        refunds.append(refund)
    return refunds


def _taken_from_fold(state: State, number: int, hand: int) -> dict[str, int]:
    """Return the ante and blind that the dealer has already taken from a folded hand."""
    lines = [s for s in state.round.settled if (s.seat, s.hand, s.result) == (number, hand, "lose")]
    return {s.wager: s.stake for s in lines if s.wager in ("ante", "blind") and not s.for_dealer}


def _lost_by_fold(table: Table, hand: Hand) -> set[str]:
    """Return the wagers that a fold loses at once."""
    step = table.find("take folds")
    fold_pass = table.passes.get(step.pass_name) if step is not None and "at_once" in step.rules else None
    if not hand.folded or fold_pass is None or len(hand.cards) != table.hand_size:
        return set()
    return {"ante", "blind"}.intersection(fold_pass.wagers)


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
