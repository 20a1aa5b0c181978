"""What goes wrong at a table, and what its rulebook says must follow."""

from __future__ import annotations

from collections import Counter
from typing import Any

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.answers import Answer, is_floor, refuse, seat_at
from houseway.engine.dealing import Done, cards_out, cut_card, fed, method
from houseway.engine.events import Cards
from houseway.engine.folding import mispaid_key, seat_of
from houseway.engine.order import all_acted, due, hands_dealt, next_deck, unserved
from houseway.engine.refusals import RefusalError
from houseway.engine.state import Hand, State
from houseway.engine.table import Due, Table
from houseway.money import spoken
from houseway.rules.problems import meant
from houseway.rules.procedure import KINDS, Irregularity


def report(table: Table, state: State, command: c.Report) -> Answer:
    """Say that something is wrong; the rulebook says what follows."""
    handler = REPORTS.get(command.kind)
    if handler is None or state.section in ("closed", "idle"):
        if command.kind in KINDS and handler is None:
            sentence = f"{KINDS[command.kind]}: that is found by counting the stub, not reported"
            return refuse("not-reported", None, "report", sentence)
        if handler is None:
            sentence = f"{command.kind!r} is nothing that can be reported; {meant(command.kind, KINDS)}"
            return refuse("unknown-irregularity", None, "report", sentence)
        return refuse("table-closed", None, "report", "the table is not in play; open one first")
    return handler(table, state, command)  # type: ignore[no-any-return]


def _row(table: Table, state: State, kind: str, **facts: Any) -> Irregularity:
    known = {
        "all_acted": all_acted(table, state),
        "hands_dealt": hands_dealt(table, state),
        **facts,
    }
    row = table.wrong(kind, known)
    if row is None:
        told = ", ".join(sorted({row.kind for row in table.book.procedure.irregularities}))
        sentence = f"{table.book.id} says nothing of this: {KINDS[kind]}; it has rules for {told}"
        raise RefusalError("no-rule", None, "report", sentence)
    return row


def _in_play(state: State) -> bool:
    """Whether a round with wagers or cards is under way."""
    return state.round.betting in ("open", "closed") and state.section == "round"


def _no_round(kind: str) -> RefusalError:
    return RefusalError("no-round", None, "report", f"{kind} is reported of a round under way")


def _whose(place: str) -> str:
    return "player" if seat_of(place) else place


# --- cards ---


def exposed_card(table: Table, state: State, command: c.Report) -> Answer:
    """A card is seen that should not be."""
    now = state.round
    if not _in_play(state) or now.void:
        raise _no_round(command.kind)
    held = _face_down(state, command.at)
    if held is None:
        sentence = f"no cards lie face down at {command.at!r}; name a seat, the dealer or the board"
        return refuse("unknown-place", None, "report", sentence)
    if not command.cards or Counter(command.cards) - Counter(held):
        sentence = f"name the exposed card among those {command.at} holds"
        return refuse("not-there", None, command.at, sentence)
    row = _row(table, state, command.kind, of=_whose(command.at))
    clause = row.basis.clause(table.mode)
    seen = e.CardExposed(
        at=command.at,
        face=command.cards,
        turned_back="turned_back" in row.rules,
        clause=table.after_clause(row, "turned_back") or clause,
    )
    if row.then == "void":
        return (seen, *void_round(table, state, row, command.kind))
    return (seen,)


def _face_down(state: State, place: str) -> tuple[Any, ...] | None:
    """The cards of a place that nobody should see yet."""
    number = seat_of(place)
    now = state.round
    if number and number in state.seats:
        hidden = [
            card
            for hand in state.seats[number].hands
            for card in (*(() if hand.shown or hand.racked else hand.cards), *hand.discards)
        ]
        return tuple(hidden) or None
    if place == "dealer":
        return None if now.revealed else now.dealer or None
    return now.board[now.up :] or None if place == "board" else None


def _cards_at(state: State, place: str) -> tuple[Any, ...] | None:
    number = seat_of(place)
    if number:
        seat = state.seats.get(number)
        hands = seat.hands if seat else ()
        cards = tuple(card for hand in hands for card in (*hand.cards, *hand.discards))
        return cards or None
    if place == "dealer":
        return state.round.dealer or None
    if place == "board":
        return state.round.board or None
    return None


def face_up_card(table: Table, state: State, command: c.Report) -> Answer:
    """A card lies face up in the deck."""
    _check_dealing(table, state, command)
    _check_next_cards(table, state, command.cards)
    row = _row(table, state, command.kind, several=state.round.face_up + 1 >= 2)
    clause = row.basis.clause(table.mode)
    used = row.then == "used"
    if used and state.round.drawn:
        return refuse(
            "drawn-already", clause, "report", "the card before it is waiting to be used; deal that first"
        )
    found = e.FaceUpFound(face=command.cards, used=used, clause=clause)
    if row.then == "void" and not state.round.void:
        return (found, *void_round(table, state, row, command.kind), *cut_card(table, state, 1))
    return (found, *cut_card(table, state, 1))


def _check_dealing(table: Table, state: State, command: c.Report) -> None:
    """Refuse a report about the next card if none is dealt now, or none any more."""
    now = state.round
    if not _in_play(state) or now.betting != "closed" or now.void == "all":
        raise _no_round(command.kind)
    if not any(s.act in ("deal", "burn") for s in _steps_left(table, state)):
        raise RefusalError(
            "nothing-to-deal", None, "report", "no card is dealt any more in this round; go on with it"
        )


def _check_next_cards(table: Table, state: State, named: Cards, count: int = 1) -> None:
    """Refuse cards that cannot be the next of the deck."""
    if len(named) != count:
        many = "the one card" if count == 1 else f"the {count} cards"
        raise RefusalError("cards-needed", None, "report", f"name {many}")
    if state.playing.used + count > table.deck_size:
        raise RefusalError("deck-empty", None, "report", "no card is left in the deck; shuffle first")
    out = Counter((*cards_out(state), *named))
    twice = next((card for card in named if out[card] > table.book.ranking.decks), None)
    if twice is not None:
        raise RefusalError(
            "too-many-copies",
            None,
            "report",
            f"{twice} has left the deck already; name the card on top of it",
        )


def drawn_in_error(table: Table, state: State, command: c.Report) -> Answer:
    """A card left the deck too early, unseen: it is the next card."""
    if state.round.drawn:
        return refuse(
            "drawn-already", None, "report", "a card drawn in error is waiting to be used; deal it first"
        )
    _check_dealing(table, state, command)
    _check_next_cards(table, state, command.cards)
    row = _row(table, state, command.kind)
    drawn = e.CardDrawn(sealed=command.cards, clause=row.basis.clause(table.mode))
    return (drawn, *cut_card(table, state, 1))


def _steps_left(table: Table, state: State) -> list[Any]:
    steps = table.sections["round"]
    return list(steps[table.after["round"].get(state.done, 0) :])


def wrong_number(table: Table, state: State, command: c.Report) -> Answer:
    """A hand has too many or too few cards."""
    place = command.at
    whose = _whose(place)
    # Where trips is saved a player's hand must still be read.
    if not _in_play(state) or state.round.void == "all" or (state.round.void and whose != "player"):
        raise _no_round(command.kind)
    held = _cards_at(state, place) or ()
    sizes = {"player": table.hand_size, "dealer": table.dealer_size, "board": table.board_size}
    size = sizes.get(whose, 0)
    if whose not in sizes or (whose == "player" and seat_of(place) not in state.seats):
        sentence = f"{place!r} is no place with cards: a seat, the dealer or the board"
        return refuse("unknown-place", None, "report", sentence)
    if whose == "player" and state.seats[seat_of(place)].hands[0].void:
        return refuse("void-already", None, place, f"the hand at {place} is void already; go on")
    if place not in state.round.skipped and len(held) <= size:
        return refuse("right-number", None, place, f"{place} has the right number of cards so far; go on")
    short = size - len(held)
    whole = command.count in (None, table.deck_size)
    # A card drawn in error is the next one.
    given = (*state.round.drawn, *command.cards)
    dealt = whose == "dealer" and short > 0 and len(given) == short
    cured = dealt and whole and not command.seen and _in_sequence(table, state)
    row = _row(table, state, command.kind, of=whose, cured=cured)
    clause = row.basis.clause(table.mode)
    found = e.WrongNumberFound(at=place, count=len(held), clause=clause)
    if row.then == "cured":
        if not hands_done(table, state):
            sentence = "the deal goes on; the dealer is dealt the card in sequence at its end"
            return refuse("deal-not-done", clause, place, sentence)
        _check_next_cards(table, state, command.cards, len(command.cards))
        cure = e.HandCured(sealed=given, clause=clause)
        return found, cure, *cut_card(table, state, len(command.cards))
    if row.then == "hand void":
        return found, *void_hand(table, state, seat_of(place), clause)
    if row.then == "void":
        return found, *void_round(table, state, row, command.kind)
    return (found,)


def hands_done(table: Table, state: State) -> bool:
    """Whether the deal to players and dealer is over, whoever was passed over."""
    return not any(
        step.act == "deal" and {"players", "dealer"} & set(step.to) for step in _steps_left(table, state)
    )


def _in_sequence(table: Table, state: State) -> bool:
    """Whether the next card is still the one after the hands: nothing burned or dealt since, the stub
    where it was."""
    steps = table.sections["round"]
    past = steps[: len(steps) - len(_steps_left(table, state))]
    hands = [n for n, s in enumerate(past) if s.act == "deal" and {"players", "dealer"} & set(s.to)]
    since = past[max(hands, default=-1) + 1 :]
    return not state.round.stub_out and not any(s.act in ("deal", "burn") for s in since)


def deal_extra(table: Table, state: State, command: c.DealExtra) -> Answer:
    """A hand gets a card too many; nobody has noticed yet."""
    now = due(table, state)
    held = _cards_at(state, command.at)
    if not _in_play(state) or state.round.void or now is None or state.round.betting != "closed":
        raise _no_round("an extra card")
    whose = _whose(command.at)
    full = {"player": table.hand_size, "dealer": table.dealer_size, "board": table.board_size}.get(whose, 0)
    shown = state.round.up or (state.round.revealed and whose != "board")
    if held is None or len(held) < full or shown or state.round.drawn:
        sentence = (
            f"{command.at} is dealt a card too many only while it holds its own, before any is turned"
        )
        return refuse("not-dealing", None, command.at, sentence)
    seat = state.seats.get(seat_of(command.at))
    if seat is not None and (seat.hands[0].void or seat.hands[0].folded or seat.hands[0].acted == "set"):
        return refuse("not-dealing", None, command.at, f"{command.at} has no open hand to deal to")
    if whose == "board" and table.wrong("wrong number", {"of": whose}) is None:
        return refuse("no-rule", None, "board", f"{table.book.id} has no rule for too many community cards")
    _check_next_cards(table, state, command.cards)
    return (e.ExtraDealt(at=command.at, sealed=command.cards), *cut_card(table, state, 1))


def deal_short(table: Table, state: State, command: c.DealShort) -> Answer:
    """The hand whose card is next is passed over; nobody has noticed yet."""
    now = due(table, state)
    if now is None or now.step.act != "deal" or now.section != "round" or state.round.void:
        return refuse(
            "not-dealing", None, "report", "no hand is being dealt to; a hand is passed over while one is"
        )
    places = unserved(table, state, now.step)
    # Community cards may be too few only where somebody counts them before they are turned.
    counted = any(s.act == "turn" and "count" in s.rules for s in table.sections["round"])
    if not places or (places[0] == "board" and not counted):
        return refuse(
            "not-dealing", None, "report", "no hand is left to deal to in this step; take the next one"
        )
    skipped = e.CardSkipped(at=places[0])
    if len(places) > 1:
        return (skipped,)
    taken = e.StepTaken(step=now.step.name, section=now.section, clause=table.clause(now.step))
    return skipped, taken


# --- the stub ---


def count_stub(table: Table, state: State, now: Due, command: c.Perform) -> Done:
    """Count the stub face down: with the cards on the table and in the rack it must make a deck."""
    step = now.step
    if type(command.count) is not int or command.count < 0:
        return refuse("count-needed", table.clause(step), step.name, "say how many cards the stub holds")
    # A hand found wrong before and void counts for the cards it had.
    dealt_in = [s.hands[0] for n, s in state.seats.items() if n in state.round.players]
    players = sum(len(h.cards) if h.void else table.hand_size for h in dealt_in)
    aside = sum(entry.count for entry in state.rack if entry.what == "face up")
    nominal = table.deck_size - players - table.dealer_size - table.board_size - table.burns - aside
    held = table.deck_size - state.round.out
    right = command.count == nominal and held == nominal
    clause = table.clause(step, "right") if right else table.clause(step)
    counted = e.StubCounted(
        count=command.count,
        expected=nominal,
        right=right,
        racked=right and "right" in step.rules,
        clause=clause,
    )
    if right:
        return [counted], True
    row = table.wrong("wrong count", {"all_there": command.count == held})
    if row is None:
        sentence = f"{table.book.id} has no rule for a wrong count"
        return refuse("no-rule", None, step.name, sentence)
    found: list[e.Event] = [counted, *void_round(table, state, row, "wrong count")]
    return found, True


# --- devices ---


def device_count(table: Table, state: State, command: c.Report) -> Answer:
    """The device shows a wrong number of cards."""
    if table.terms.house("device_counts") is False:
        return refuse(
            "no-device", None, "report", "no device counts the cards at this table; count the stub"
        )
    if command.count is None:
        return refuse("count-needed", None, "report", "say how many cards the device shows")
    if command.count == table.deck_size:
        return refuse(
            "right-number", None, "report", f"{command.count} is the right number of cards; go on"
        )
    row = _row(table, state, command.kind)
    # The deck it counts is the one dealt next: of two, not the one in play.
    deck = state.decks[next_deck(state)]
    if deck.stands == "off":
        return refuse(
            "deck-off",
            row.basis.clause(table.mode),
            "report",
            "the deck is off the table already; replace it",
        )
    removed = e.DeckRemoved(deck=deck.name, clause=row.basis.clause(table.mode))
    if deck is state.playing and _in_play(state) and not state.round.void:
        if state.round.out:
            sentence = "the cards are dealt; the device shows their number when it has shuffled them"
            return refuse("nothing-in-the-device", removed.clause, "report", sentence)
        return removed, *void_round(table, state, row, command.kind)
    return (removed,)


def shuffler_jam(table: Table, state: State, command: c.Report) -> Answer:
    """The shuffling device jams: the cards are shuffled again before anything is dealt."""
    row = _row(table, state, command.kind)
    if method(table) == "hand":
        return refuse(
            "no-device", None, "report", "cards are shuffled by hand at this table; no device can jam"
        )
    clause = row.basis.clause(table.mode)
    jammed: list[e.Event] = [e.DeviceJammed(kind=command.kind, clause=clause)]
    if "backup" in row.rules and command.device:
        jammed.append(e.BackupTaken(device=command.device, clause=table.after_clause(row, "backup")))
    now = due(table, state)
    if now is None or now.section == "opening":
        return refuse(
            "not-shuffling", clause, "report", "the cards have not been shuffled yet; shuffle first"
        )
    if _in_play(state) and len(state.decks) > 1:
        # The deck in play has left the device; the other one is shuffled again before it is dealt.
        return tuple(jammed)
    if _in_play(state) and state.round.out:
        sentence = "the cards are dealt; nothing is in the shuffling device"
        return refuse("nothing-in-the-device", clause, "report", sentence)
    steps = table.sections["shuffling"]
    if state.section != "round":
        steps = steps[: table.after["shuffling"].get(state.done, 0)] if state.section == "shuffling" else ()
    # What the device has left undone is still due; what was done with its cards is done again.
    again = [s.name for s in steps if s.act not in ("clear rack", "take other deck")]
    again += [name for name in state.owed if name not in again]
    order = table.after["shuffling"]
    owed = tuple(sorted(again, key=lambda name: order.get(name, 0)))
    return *jammed, e.ReshuffleOrdered(owed=owed, clause=clause)


def machine_failure(table: Table, state: State, command: c.Report) -> Answer:
    """The dealing machine fails during a round: the round is void."""
    row = _row(table, state, command.kind)
    clause = row.basis.clause(table.mode)
    if table.mode != "device":
        return refuse(
            "no-machine", None, "report", "cards are dealt by hand at this table; no machine can fail"
        )
    if not _in_play(state) or state.round.void:
        raise _no_round(command.kind)
    found: list[e.Event] = [e.DeviceJammed(kind=command.kind, clause=clause)]
    if "backup" in row.rules:
        backup = table.after_clause(row, "backup")
        if not command.device:
            sentence = "change to the back-up and name it"
            return refuse("backup-missing", backup, "report", sentence)
        found.append(e.BackupTaken(device=command.device, clause=backup))
    return (*found, *void_round(table, state, row, command.kind))


# --- void hands ---


def void_round(table: Table, state: State, row: Irregularity, why: str) -> list[e.Event]:
    """Every hand is void: wagers go back, save trips where the rulebook saves it; a fold made stands."""
    # Without a trips wager there is nothing to complete the board for.
    bet = any("trips" in h.wagers for s in state.seats.values() for h in s.hands if not h.void)
    trips = "trips" in row.rules and bet
    clause = row.basis.clause(table.mode)
    saved = table.after_clause(row, "trips") if trips else None
    found: list[e.Event] = [e.RoundVoided(why=why, trips=trips, clause=saved or clause)]
    stakes: dict[int, int] = {}
    for number, seat in state.seats.items():
        for n, hand in enumerate(seat.hands, 1):
            returned = _returned(table, number, n, hand, clause, trips=trips)
            if returned is not None:
                found.append(returned)
                back = returned.wagers.get("progressive", 0) + returned.collected
                if back and state.round.fed:
                    stakes[number] = back
    found += fed(table, state, stakes, -1)
    if "deck_off" in row.rules:
        off = table.after_clause(row, "deck_off")
        found.append(e.DeckRemoved(deck=state.playing.name, clause=off))
    return found


def void_hand(table: Table, state: State, number: int, clause: str | None) -> list[e.Event]:
    """One player's hand is void: its wagers go back and its cards to the rack."""
    seat = state.seats[number]
    found: list[e.Event] = [e.HandVoided(seat=number, clause=clause)]
    for n, hand in enumerate(seat.hands, 1):
        returned = _returned(table, number, n, hand, clause, trips=False, whole=False)
        if returned is not None:
            found.append(returned)
            back = returned.wagers.get("progressive", 0) + returned.collected
            if back and state.round.fed:
                found += fed(table, state, {number: back}, -1)
    cards = seat.hands[0].cards
    if cards and not seat.hands[0].racked:
        found.append(e.CardsRacked(what=f"seat {number}", count=len(cards), sealed=cards, clause=clause))
    return found


def _returned(
    table: Table, number: int, n: int, hand: Hand, clause: str | None, *, trips: bool, whole: bool = True
) -> e.WagersReturned | None:
    """What goes back of a void hand; a fold stands, unless the folded hand itself is no whole one."""
    step = table.find("take folds")
    passed = table.passes.get(step.walk) if step is not None and "at_once" in step.rules else None
    stays = {"trips"} if trips else set()
    if hand.folded and passed is not None and whole and len(hand.cards) == table.hand_size:
        # Taken at the fold: the dealer has it, or is about to.
        stays |= {w for w in passed[1].wagers if w in ("ante", "blind")}
    wagers = {w: a for w, a in hand.wagers.items() if w not in stays}
    tips = {w: a for w, a in hand.tips.items() if w not in stays}
    if hand.void or not (wagers or tips or hand.collected):
        return None
    return e.WagersReturned(
        seat=number,
        hand=n,
        wagers=wagers,
        tips=tips,
        coupon=hand.coupon if "ante" in wagers else 0,
        collected=hand.collected,
        clause=clause,
    )


# --- money handed over wrongly ---


def mispay(table: Table, state: State, command: c.Mispay) -> Answer:
    """Another amount than is due changes hands on a settled wager."""
    seat = seat_at(state, command.seat)
    where = f"seat {command.seat}.{command.wager}"
    line = _settled(state, command.seat, command.hand, command.wager)
    if line is None or not seat.hands[0].made:
        sentence = "that wager has not been settled for this player; it can be mispaid once it is"
        return refuse("not-settled", None, where, sentence)
    if not command.amount or seat.chips + command.amount < 0:
        return refuse("bad-amount", None, where, "say how many cents too many, or too few below nothing")
    return (
        e.MispaymentMade(
            seat=command.seat,
            hand=command.hand,
            wager=command.wager,
            amount=command.amount,
            clause=line.clause,
        ),
    )


def correct(table: Table, state: State, command: c.Correct) -> Answer:
    """Put a mispaid wager right, by the clause it is paid by; the player's own, in this round or later."""
    where = f"seat {command.seat}.{command.wager}"
    seat = seat_at(state, command.seat)
    key = mispaid_key(seat.player, command.seat, command.hand, command.wager)
    open_, clause = state.mispaid.get(key, (0, None))
    if not open_:
        sentence = f"nothing is open on that wager of {seat.player}; it can be put right once it is mispaid"
        return refuse("nothing-mispaid", None, where, sentence)
    if not is_floor(command.by):
        return refuse("not-the-floor", clause, where, "a supervisor puts a payment right")
    if seat.chips < open_:
        sentence = (
            f"{spoken(open_)} is owed, seat {command.seat} has {spoken(seat.chips)}; bring chips first"
        )
        return refuse("not-enough-chips", None, where, sentence)
    return (
        e.PaymentCorrected(
            seat=command.seat,
            hand=command.hand,
            wager=command.wager,
            amount=-open_,
            by=command.by,
            clause=clause,
        ),
    )


def _settled(state: State, seat: int, hand: int, wager: str) -> e.WagerSettled | None:
    lines = state.round.settled
    return next((s for s in lines if (s.seat, s.hand, s.wager) == (seat, hand, wager)), None)


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
