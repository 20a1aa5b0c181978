"""Irregularities: reports of errors at the table, and the consequences that the rulebook sets."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

from houseway.cards import UNSEEN
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, refuse
from houseway.engine.deal_acts import cards_out, cut_card
from houseway.engine.device_faults import device_count, machine_failure, shuffler_jam
from houseway.engine.events import Cards
from houseway.engine.fold_registry import seat_of
from houseway.engine.irregularity_rules import find_rule, in_play, refuse_report
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import all_acted, due, hands_dealt, places_left
from houseway.engine.void_hands import void_hand, void_if_ruled
from houseway.rules.problems import suggest
from houseway.rules.procedure import KINDS, Irregularity, Step
from houseway.wording import alternatives, place_name, several, shown_name

FLOP = 3
"""The number of cards of a flop."""


def report(table: Table, state: State, command: c.Report) -> Events:
    """Report an irregularity; the rulebook sets its consequences."""
    kind, handler = command.kind, REPORTS.get(command.kind)
    if handler is None and kind in KINDS:
        refuse(
            "not-reported",
            f"a {kind} needs no report; when the stub is counted, enter the number that you counted",
        )
    if handler is None:
        refuse("unknown-irregularity", f"you cannot report {kind!r}; {suggest(kind, KINDS)}")
    if state.section in ("closed", "idle"):
        first = "open a table" if state.section == "closed" else "resume play"
        refuse("table-closed", f"the table is {state.section}; {first} first")
    return handler(table, state, command)  # type: ignore[no-any-return]


def cards_off_deck(table: Table, state: State, command: c.Report | c.DealExtra | c.DealShort) -> int:
    """Return how many cards a command takes off the deck, if it does not name them."""
    if isinstance(command, c.DealExtra):
        return 1
    if isinstance(command, c.DealShort) or (command.kind == "wrong number" and command.at == "board"):
        return missing_cards(table, state, command)
    if command.kind == "wrong number":
        holds = len(state.round.dealer) if command.holds is None else command.holds
        short = table.sizes["dealer"] - holds - len(state.round.drawn)
        return max(0, short) if command.at == "dealer" and _can_cure(table, state, command) else 0
    if command.kind == "premature flop":
        return sum(early_cards(table, state)[:2])
    if command.kind == "face-up card" and not names_top(table, command.at):
        return int(_takes_next_card(table, state, command.at) and not state.round.drawn)
    from_deck = command.kind in ("face-up card", "card drawn in error")
    return int(from_deck or (command.kind == "exposed card" and command.at == "deck"))


def names_top(table: Table, place: str) -> bool:
    """True if this place, in a report of a face-up card, means the next card of the deck."""
    return place in TOP or not table.finds_dealt_cards


def kind_of_place(place: str) -> str:
    return "player" if seat_of(place) else place


# --- cards ---


def exposed_card(table: Table, state: State, command: c.Report) -> Events:
    """Report a card that was exposed."""
    at = command.at
    if not in_play(state) or state.round.void:
        refuse_report(state, command.kind)
    if at == "deck":
        # A card exposed on top of the deck is face up in the deck.
        return face_up_card(table, state, command)
    held = face_down_cards(state, at)
    if not held:
        seats = (f"seat {number}" for number in state.round.players)
        hidden = [place for place in (*seats, "dealer", "board") if face_down_cards(state, place)]
        places = alternatives((*hidden, "deck"))
        sentence = (
            f"{at!r} has no face-down cards; name {places}"
            if at
            else f"the place is missing; name {places}"
        )
        refuse("unknown-place", sentence)
    if not 0 <= command.which <= len(held):
        sentence = (
            f"{at} has only {several(len(held), 'face-down card')}, so there is no card {command.which}"
        )
        refuse("not-there", sentence, where=at)
    # Without a number, the exposed card is the one dealt last.
    at_place = (command.which or len(held)) - 1
    exposed_cards = command.cards or (held[at_place],)
    seen: list[e.Event] = []
    if held[at_place] is UNSEEN:
        # At a real table, no one has seen the card before.
        if len(command.cards) != 1 or UNSEEN in command.cards:
            refuse("cards-needed", "the report does not name the exposed card; name it", where=at)
        _check_copies(table, state, command.cards)
        position = at_place + 1 + (state.round.up if at == "board" else 0)
        seen = [e.CardsSeen(at=at, face=command.cards, which=position)]
    elif Counter(exposed_cards) - Counter(held):
        refuse(
            "not-there",
            f"{at} did not have these cards face down; name only cards that were face down there",
            where=at,
        )
    row, clause = find_rule(table, state, command.kind, of=kind_of_place(at))
    back = row.rules.get("turned_back")
    clause = table.cite(back) or clause
    exposed = e.CardExposed(at=at, face=exposed_cards, turned_back=back is not None, clause=clause)
    return [*seen, exposed, *void_if_ruled(table, state, row)]


def face_down_cards(state: State, place: str) -> Cards:
    """Return the face-down cards of a place."""
    now, seat = state.round, state.seats.get(seat_of(place))
    if seat is not None:
        hidden = ((() if hand.shown or hand.racked else hand.cards) + hand.discards for hand in seat.hands)
        return tuple(chain.from_iterable(hidden))
    return {"dealer": () if now.revealed else now.dealer, "board": now.board[now.up :]}.get(place, ())


def cards_at(state: State, place: str) -> Cards:
    seat = state.seats.get(seat_of(place))
    if seat is not None:
        return tuple(chain.from_iterable(hand.cards + hand.discards for hand in seat.hands))
    return {"dealer": state.round.dealer, "board": state.round.board}.get(place, ())


def face_up_card(table: Table, state: State, command: c.Report) -> Events:
    """Report a face-up card in the deck: the next card or, if a place is named, a card just dealt there."""
    if not names_top(table, command.at):
        return _face_up_when_dealt(table, state, command)
    if command.which not in (0, 1) and table.finds_dealt_cards:
        sentence = "only the next card of the deck can be reported; leave the number out or name a place"
        refuse("not-there", sentence, where="deck")
    _check_dealing(table, state, command)
    check_next_cards(table, state, command.cards)
    row, clause = find_rule(table, state, "face-up card", several=state.round.face_up + 1 >= 2)
    used = row.then == "used"
    if used and state.round.drawn:
        refuse("drawn-already", "a card was drawn in error; deal it first", clause)
    face_up = e.FaceUpFound(face=command.cards, used=used, clause=clause)
    voided = [] if state.round.void else void_if_ruled(table, state, row)
    return [face_up, *voided, *cut_card(table, state, 1)]


def _face_up_when_dealt(table: Table, state: State, command: c.Report) -> list[e.Event]:
    """Report that one of the cards dealt last was face up in the deck.

    The card goes to the rack, the cards dealt after it move up, and the next card completes the group, as
    if the card had been set aside while it was dealt. If the rulebook uses the card, it stays in its place.
    """
    place, now = command.at, state.round
    if not in_play(state) or now.betting != "closed" or now.void == "all":
        refuse_report(state, command.kind)
    held = cards_at(state, place)
    row, clause = find_rule(table, state, "face-up card", **_face_up_facts(table, state, place))
    if not held:
        sentence = f"{place!r} has no cards; name the place that got the last cards, or the deck"
        refuse("unknown-place", sentence, clause, place)
    group = groups_dealt_last(table, state).get(place, range(0))
    if not group:
        sentence = f"a card of {place} can be set aside only right after it is dealt"
        refuse("not-dealt-last", f"{sentence}; a supervisor can make a ruling", clause, place)
    which = command.which or group[-1]
    if which not in group:
        last = f"card {group[0]} last; name that card"
        if len(group) > 1:
            last = f"cards {group[0]} to {group[-1]} last; name one of them"
        refuse("not-there", f"{place} was dealt {last}", clause, place)
    face, named = held[which - 1], command.cards
    if face is UNSEEN:
        if not named or named[0] is UNSEEN:
            refuse("cards-needed", "the report does not name the face-up card; name it", clause, place)
        face, named = named[0], named[1:]
    face_up = e.FaceUpFound(face=(face,), used=row.then == "used", at=place, which=which, clause=clause)
    voided = [] if now.void else void_if_ruled(table, state, row)
    if not _takes_next_card(table, state, place):
        if named:
            refuse("cards-needed", "no card replaces the face-up card; leave the cards out", clause, place)
        return [face_up, *voided]
    seen = command.cards[: len(command.cards) - len(named)]
    check_next_cards(table, state, (*seen, *named), len(seen) + (0 if now.drawn else 1))
    dealt_face_up = place == "board" and which <= now.up
    cards = (*now.drawn[:1], *named)
    sealed, faces = ((), cards) if dealt_face_up else (cards, ())
    replaced = e.CardReplaced(at=place, sealed=sealed, face=faces, clause=clause)
    return [face_up, replaced, *voided, *cut_card(table, state, len(named))]


def _face_up_facts(table: Table, state: State, place: str) -> dict[str, Any]:
    """Return the facts about a card that was found face up when it was dealt to a place.

    A hand is not complete while one of its cards is set aside.
    """
    complete = place == "board" and hands_dealt(table, state)
    return {"several": state.round.face_up + 1 >= 2, "hands_dealt": complete}


def _takes_next_card(table: Table, state: State, place: str) -> bool:
    """True if the next card replaces a face-up card that was just dealt to a place.

    It does not if the rulebook uses the face-up card, or if no more cards are dealt in the round.
    """
    if not groups_dealt_last(table, state).get(place):
        return False
    facts = {"all_acted": all_acted(table, state), **_face_up_facts(table, state, place)}
    row = table.wrong("face-up card", facts)
    if row is None or row.then == "used":
        return False
    voided = [] if state.round.void else void_if_ruled(table, state, row)
    return not any(
        isinstance(event, e.RoundVoided) and not (event.trips or event.board) for event in voided
    )


def groups_dealt_last(table: Table, state: State) -> dict[str, range]:
    """Return the place that was dealt cards last, with the numbers of those cards.

    Empty once another step was taken or a player has decided.
    """
    now = state.round
    if not in_play(state) or now.betting != "closed" or now.void == "all" or state.owed:
        return {}
    if not table.finds_dealt_cards:
        return {}
    waiting = due(table, state)
    if now.served:
        step, place = (waiting.step if waiting else None), now.served[-1]
    else:
        step = table.steps.get(state.done) if state.done else None
        places = places_left(table, state, step) if step is not None and step.act == "deal" else []
        place = places[-1] if places else ""
    if step is None or step.act != "deal" or not place or place in now.skipped:
        return {}
    if waiting is not None and waiting.step.act == "ask" and _some_acted(table, state, waiting.step):
        return {}
    seat = state.seats.get(seat_of(place))
    held = 0 if seat is not None and seat.hands[0].racked else len(cards_at(state, place))
    return {place: range(max(0, held - step.each) + 1, held + 1)} if held else {}


def _some_acted(table: Table, state: State, step: Step) -> bool:
    """True if a player has already decided in a step."""
    hands = (state.seats[number].hands[0] for number in state.round.players if number in state.seats)
    return any(hand.acted == (step.stage or "set") for hand in hands)


def _check_dealing(table: Table, state: State, command: c.Report) -> None:
    """Refuse a report about the next card if no more cards are dealt in the round."""
    now = state.round
    if not in_play(state) or now.betting != "closed" or now.void == "all":
        refuse_report(state, command.kind)
    if not cards_to_come(table, state):
        refuse("nothing-to-deal", "all cards of this round have been dealt; continue with the next step")


def cards_to_come(table: Table, state: State) -> bool:
    """True if the dealer has still to deal or burn cards in this round."""
    return any(step.act in ("deal", "burn") for step in _steps_left(table, state))


def check_next_cards(table: Table, state: State, named: Cards, count: int = 1) -> None:
    """Refuse cards that cannot be next in the deck."""
    if state.playing.used + count > table.deck_size:
        refuse("deck-empty", "the deck has no cards left; shuffle first", where="report")
    if len(named) != count:
        refuse(
            "cards-needed",
            f"this takes {several(count, 'card')} off the deck, but you named {len(named)}",
            where="report",
        )
    _check_copies(table, state, named)


def _check_copies(table: Table, state: State, named: Cards) -> None:
    """Refuse a card that has already left the deck."""
    out = Counter((*cards_out(state), *named))
    known = (card for card in named if card is not UNSEEN)
    twice = next((card for card in known if out[card] > table.book.ranking.decks), None)
    if twice is not None:
        refuse("too-many-copies", f"{twice} has already left the deck; name the top card", where="report")


def drawn_in_error(table: Table, state: State, command: c.Report) -> Events:
    """Report an unseen card that left the deck too early; it is dealt next."""
    if state.round.drawn:
        refuse("drawn-already", "another card was drawn in error; deal it first")
    _check_dealing(table, state, command)
    check_next_cards(table, state, command.cards)
    _, clause = find_rule(table, state, command.kind)
    return [e.CardDrawn(sealed=command.cards, clause=clause), *cut_card(table, state, 1)]


def premature_flop(table: Table, state: State, command: c.Report) -> Events:
    """Report community cards that were turned up before every player had acted.

    They are turned back and used in their turn, unless the rulebook voids the round.
    """
    now, waiting = state.round, due(table, state)
    if not in_play(state) or now.void or waiting is None:
        refuse_report(state, command.kind)
    if waiting.step.act not in ("look", "ask"):
        refuse("not-early", _not_early(table, state, waiting.step))
    burned, dealt, turned = early_cards(table, state)
    if not turned:
        refuse("nothing-to-deal", "all community cards are face up; continue with the next step")
    row, clause = find_rule(table, state, command.kind)
    back = row.rules.get("turned_back")
    clause = table.cite(back) or clause
    if now.drawn:
        sentence = "another card was drawn in error; deal it first"
        if len(now.drawn) > 1:
            # Only a single card is drawn in error; several come from an earlier report of a premature flop.
            sentence = _reported_before(turned, "dealt")
        refuse("drawn-already", sentence, clause)
    # Under old rulebooks, the rule has no value, and community cards on the table could be reported again.
    if back is not None and back.value == "once" and now.turned_early >= now.up + turned:
        refuse("reported-already", _reported_before(turned, "turned up"), clause)
    if not dealt:
        face = now.board[now.up : now.up + turned]
        seen: list[e.Event] = []
        if UNSEEN in face:
            # At a real table, no one has seen the cards before.
            if len(command.cards) != turned or UNSEEN in command.cards:
                refuse(
                    "cards-needed",
                    f"the report does not name the {turned} cards that were turned up; name them",
                    clause,
                )
            _check_copies(table, state, command.cards)
            face = command.cards
            seen = [e.CardsSeen(at="board", face=face)]
        return [*seen, e.BoardExposed(face=face, clause=clause), *void_if_ruled(table, state, row)]
    count = burned + dealt
    check_next_cards(table, state, command.cards, count)
    burns, face = command.cards[:burned], command.cards[burned:]
    exposed = e.BoardExposed(sealed=burns, face=face, drawn=True, clause=clause)
    return [exposed, *void_if_ruled(table, state, row), *cut_card(table, state, count)]


def _reported_before(shown: int, then: str) -> str:
    """Return why community cards that were turned up too early cannot be reported again."""
    early, they = ("the flop was", "it is") if shown == FLOP else ("the community cards were", "they are")
    return f"{early} already reported as turned up too early; {they} {then} when every player has acted"


def _not_early(table: Table, state: State, step: Step) -> str:
    """Return the refusal of a premature flop if no player has to act: the reason, and what to do."""
    if _deals_hands(step) or any(map(_deals_hands, _steps_left(table, state))):
        place = "board" if face_down_cards(state, "board") else "deck"
        return f"the hands are still being dealt; report it as an exposed card of the {place}"
    return f"no player has to act now, so no card is early; the next step is to {shown_name(step.name)}"


def early_cards(table: Table, state: State) -> tuple[int, int, int]:
    """Return how many cards to burn, to deal and to turn up until the next community cards are face up.

    No card is burned if the community cards are already on the table.
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
    whose = kind_of_place(place)
    seat = state.seats.get(seat_of(place))
    # A void round that still settles trips evaluates players' hands and the board, so a wrong number of
    # cards there must still be reported.
    if not in_play(state) or now.void == "all" or (now.void and whose == "dealer"):
        refuse_report(state, command.kind)
    if whose not in table.sizes or (whose == "player" and seat is None):
        places = "a seat, the dealer or the board"
        sentence = (
            f"{place!r} has no cards; name {places}" if place else f"the place is missing; name {places}"
        )
        refuse("unknown-place", sentence)
    if seat is not None and seat.hands[0].void:
        refuse("void-already", f"the hand at {place} is already void", where=place)
    held = number_held(table, state, place, command.holds)
    short = table.sizes[whose] - held
    counted = command.holds is not None and short != 0
    most = dealt_so_far(table, state) if faces_up(table, whose) else table.sizes[whose]
    right = place not in now.skipped and held <= most and not _board_is_short(table, state, place)
    if right and not counted:
        sentence = f"{place_name(place)} has the right number of cards so far"
        if command.holds is None and unseen(cards_at(state, place)):
            sentence += "; if you count another number, add it to the report"
        refuse("right-number", sentence, where=place)
    # A card drawn in error is the next card to deal.
    missing = (*now.drawn, *command.cards)
    dealt = whose != "player" and short > 0 and len(missing) == short
    cured = dealt and _can_cure(table, state, command)
    row, clause = find_rule(table, state, command.kind, of=whose, cured=cured)
    wrong = e.WrongNumberFound(at=place, count=held, clause=clause)
    if row.then == "cured":
        if any(map(_deals_hands, _steps_left(table, state))):
            sentence = f"finish the deal and report this again; then the {whose} gets the missing card"
            refuse("deal-not-done", sentence, clause, place)
        check_next_cards(table, state, command.cards, len(command.cards))
        cure = e.HandCured(sealed=missing, at=whose, clause=clause)
        return [wrong, cure, *cut_card(table, state, len(command.cards))]
    if row.then == "hand void":
        return [wrong, *void_hand(table, state, seat_of(place), clause), *_ended(table, state, row, place)]
    return [wrong, *void_if_ruled(table, state, row)]


def number_held(table: Table, state: State, place: str, holds: int | None) -> int:
    """Return how many cards a hand has.

    At a real table, the cards are unseen, and the person who reports them counts them: `holds`.
    """
    dealt = cards_at(state, place)
    if holds is None:
        return len(dealt)
    if place == "board" or not unseen(dealt):
        sentence = f"the table knows how many cards {place_name(place)} has; leave the number out"
        refuse("number-known", sentence, where=place)
    if any(map(_deals_hands, _steps_left(table, state))):
        refuse("deal-not-done", "finish the deal first, then count the cards and report them", where=place)
    if not 0 <= holds <= len(dealt) + table.deck_size - state.playing.used:
        refuse(
            "count-needed",
            f"{place_name(place)} cannot have {several(holds, 'card')}; count the cards",
            where=place,
        )
    return holds


def unseen(held: Cards) -> bool:
    """True if none of the cards of a real table has been seen."""
    return bool(held) and all(card is UNSEEN for card in held)


def _can_cure(table: Table, state: State, command: c.Report) -> bool:
    """True if the missing cards can still be dealt to the dealer in sequence, or to the board."""
    all_there = command.count in (None, table.deck_size)
    # Community cards have no owner, so the order of the deal does not matter for them.
    return all_there and (command.at == "board" or (not command.seen and _in_sequence(table, state)))


def faces_up(table: Table, whose: str) -> bool:
    """True if the cards of a place are dealt face up in groups: the flop, then the turn and river."""
    return whose == "board" and any(
        step.act == "deal" and "board" in step.to and step.face_up for step in table.sections["round"]
    )


def dealt_so_far(table: Table, state: State) -> int:
    """Return how many community cards the steps taken so far have dealt."""
    steps = table.sections["round"]
    past = steps[: len(steps) - len(_steps_left(table, state))]
    return sum(step.each * step.times for step in past if step.act == "deal" and "board" in step.to)


def _board_is_short(table: Table, state: State, place: str) -> bool:
    """True if the board has too few cards and no more will be dealt to it."""
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
    """Return how many cards off the deck a command needs for the board.

    DealShort needs the cards of a board that is one card short; Report needs the board's missing cards.
    """
    if not in_play(state) or state.round.void or not completes_board(table):
        return 0
    if isinstance(command, c.DealShort):
        now = due(table, state)
        if now is None or now.step.act != "deal" or now.step.each < 2:
            return 0
        # In training, a deal can be half done: its place is served, and cards are still to come.
        return now.step.each - 1 if places_left(table, state, now.step)[:1] == ["board"] else 0
    if command.kind != "wrong number" or not _board_is_short(table, state, command.at):
        return 0
    return max(0, table.board_size - len(state.round.board) - len(state.round.drawn))


def completes_board(table: Table) -> bool:
    """True if the rulebook deals the missing cards to a board with too few."""
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


TOP = ("", "deck")
"""The values of `at` in a report about the next card of the deck."""

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
}
