"""Whose turn it is: the step that is due, and the player who must decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from houseway.cards import Card
from houseway.engine.state import Hand, State
from houseway.engine.table import Due, Table
from houseway.rules.procedure import Step

Applies = Callable[[Table, State, Step], object]


def due(table: Table, state: State, *, past_players: bool = False) -> Due | None:
    """Return the step that is due now, or None if the table is closed or idle.

    A step that asks players is due until all of them have decided. With `past_players`, return the
    dealer's next step after it.
    """
    # Cached, because the dealer, the players and the views all need it for the same state.
    # Read the cache once: another thread may replace it while the event loop shows this state.
    last_state, last_due = table.last_due
    if last_state is state and not past_players:
        return last_due
    if state.section == "round" and not state.owed:
        step = _next(table, state, "round", state.done, past_players)
        now = None if step is None else Due("round", step, state.deck)
    else:
        now = _between_rounds(table, state, past_players)
    if not past_players:
        table.last_due = (state, now)
    return now


def _between_rounds(table: Table, state: State, past_players: bool) -> Due | None:
    """Return the step that is due in the opening, in the shuffling, or as a repeated step."""
    if state.section in ("closed", "idle"):
        return None
    if state.owed:
        step = table.steps.get(state.owed[0])
        if step is not None and step in table.sections["opening"]:
            # The step is repeated for each deck in turn.
            return Due("opening", step, len(state.decks) - state.owed.count(step.name))
        if step is not None:
            deck = next_deck(state) if state.section == "shuffling" else state.deck
            return Due(state.section, step, deck)
    section, done = state.section, state.done
    if section == "opening":
        # Finish opening the current deck, then open the next unopened one.
        others = range(state.opening_deck + 1, len(state.decks)) if "each_deck" in table.standing else ()
        unopened = [n for n in others if state.decks[n].stands == "received"][:1]
        for deck, after in ((state.opening_deck, done), *((n, "") for n in unopened)):
            step = _next(table, state, "opening", after, past_players)
            if step is not None:
                return Due("opening", step, deck)
        section, done = "shuffling", ""
    if section == "shuffling":
        step = _next(table, state, "shuffling", done, past_players)
        if step is not None:
            return Due("shuffling", step, next_deck(state))
        done = ""
    step = _next(table, state, "round", done, past_players)
    return None if step is None else Due("round", step, state.deck)


def _next(table: Table, state: State, section: str, done: str, past_players: bool) -> Step | None:
    for step, applies in _ahead(table, section, done):
        if applies is not None:
            if applies(table, state, step):
                return step
        elif step.act != "ask":
            return step
        elif not (past_players or state.round.void):
            folds = next((after for after, _ in _ahead(table, section, step.name)), None)
            at_once = folds is not None and folds.act == "take folds" and "at_once" in folds.rules
            if folds is not None and at_once and folds_left(table, state, folds):
                return folds
            if turn_at(table, state, step) is not None:
                return step
    return None


def _ahead(table: Table, section: str, done: str) -> tuple[tuple[Step, Applies | None], ...]:
    """Return the steps of a section after `done`, each with its condition or None."""
    ahead = table.ahead.get((section, done))
    if ahead is None:
        steps = table.sections[section][table.after[section].get(done, 0) :]
        ahead = table.ahead[section, done] = tuple((step, APPLIES.get(step.act)) for step in steps)
    return ahead


def next_deck(state: State) -> int:
    """Return the index of the deck for the next round; with two decks, the one not used last."""
    used = state.playing.name == state.round.deck
    return (state.deck + 1) % len(state.decks) if used else state.deck


def other_deck(state: State) -> int:
    """Return the index of the deck that is not in play, at a table with two decks."""
    return (state.deck + 1) % len(state.decks)


def _to_confirm(table: Table, state: State, step: Step) -> bool:
    """True if a step's item applies to the table and is not confirmed yet."""
    wager, setting = step.rules.get("wager"), step.rules.get("setting")
    if wager is not None and (wager.value not in table.terms.stakeable or wager.value in state.unoffered):
        return False
    if setting is not None and table.terms.house(str(setting.value)) is None:
        return False
    # An item about a deck is due for each deck that is opened; an item about the table is confirmed once.
    return "each_deck" in step.rules or step.name not in state.confirmed


def _to_shuffle(table: Table, state: State, step: Step) -> bool:
    """True unless the next deck was shuffled ahead."""
    return "ahead" not in step.rules or not state.decks[next_deck(state)].ahead


def _other_deck_there(table: Table, state: State, step: Step) -> bool:
    return len(state.decks) > 1 and state.decks[other_deck(state)].stands != "off"


def turn_at(table: Table, state: State, step: Step) -> int | None:
    """Return the next seat to decide in a step, clockwise from the dealer's left, or None."""
    return next(iter(deciding(table, state, step)), None)


def in_order(step: Step) -> bool:
    """True if players decide one after another in a step: at a betting point, or by a rule of the step."""
    return bool(step.stage) or "order" in step.rules


def deciding(table: Table, state: State, step: Step) -> tuple[int, ...]:
    """Return the seats that may decide in a step now, clockwise from the dealer's left."""
    if state.round.void:
        return ()
    stage, one_by_one = table.stage_of(step), in_order(step)
    seats: list[int] = []
    for number, seat in state.seats.items():
        hand = seat.hands[0]
        if not hand.cards or hand.locked or hand.void:
            continue
        alone = stage is not None and stage.fold is not None and table.terms.folds_alone(hand.wagers)
        bet = "ante" in hand.wagers or alone
        if hand.acted != "set" if stage is None else bet and hand.acted != stage.name:
            seats.append(number)
            if one_by_one:
                break
    return tuple(seats)


def unopened_salts(state: State) -> tuple[int, ...]:
    """Return the seats whose salts must be opened before the first card is dealt."""
    now = state.round
    if not now.commitments or now.betting != "closed" or now.void:
        return ()
    return tuple(n for n in sorted(now.commitments) if n not in now.salts)


def turns(table: Table, state: State) -> tuple[int, ...]:
    """Return the seats that may decide now; empty if no player has a decision to make."""
    now = due(table, state)
    return deciding(table, state, now.step) if now is not None and now.step.act == "ask" else ()


def turn(table: Table, state: State) -> tuple[int, Step] | None:
    """Return the seat that must decide next, and the step; None if no player has a decision to make."""
    now = due(table, state)
    if now is None or now.step.act != "ask":
        return None
    number = turn_at(table, state, now.step)
    return None if number is None else (number, now.step)


def house_way_hand(table: Table, state: State) -> tuple[Card, ...]:
    """Return the two cards that the house way keeps, if the dealer kept others; otherwise nothing."""
    kept, way = state.round.kept, table.book.house_way
    right = way.keep(state.round.dealer)[0] if kept and way is not None else ()
    return () if Counter(kept) == Counter(right) else right


def house_way_line(table: Table, state: State) -> str:
    """Return the line of the house way that decides the dealer's hand, if the rulebook records it."""
    way, step = table.book.house_way, table.find("set dealer")
    if way is None or step is None or "line" not in step.rules:
        return ""
    return way.lines[way.keep(state.round.dealer)[1] - 1].text


def reset_due(table: Table, state: State) -> tuple[Card, ...]:
    """Return the dealer's two cards by the house way, if the hand must be set again before play continues.

    At a table that is not live, a wrong hand is recorded as it was set, and counts unless it is challenged.
    """
    now, step = state.round, table.find("set dealer")
    follows = step is not None and "follows" in step.rules
    if not follows or not now.kept or now.void or now.betting != "closed" or state.purpose != "live":
        return ()
    return house_way_hand(table, state)


def may_challenge(table: Table, state: State) -> bool:
    """True from the moment the dealer sets the hand until the flop is turned up.

    If the house chooses so, it stays True until the first wager is settled.
    """
    now, until = state.round, table.terms.house("challenge_until")
    over = now.settled if until == "settlement" else now.up
    # Old rulebooks do not have the setting; under them, a void round could be challenged after it closed.
    playing = now.betting == "closed" or until is None
    return bool(now.kept) and not over and not now.void and playing


def all_acted(table: Table, state: State) -> bool:
    """True if every player has folded or made the play wager."""
    hands = [hand for seat in state.seats.values() for hand in seat.hands if not hand.void]
    return all(hand.locked for hand in hands if "ante" in hand.wagers)


def hands_dealt(table: Table, state: State) -> bool:
    """True if every player and the dealer have all their cards."""
    dealt_in = [s.hands[0] for n, s in state.seats.items() if n in state.round.players]
    hands = [hand for hand in dealt_in if not hand.void]
    full = all(len(h.cards) >= table.hand_size for h in hands)
    return bool(hands) and full and len(state.round.dealer) >= table.dealer_size


def places_left(table: Table, state: State, step: Step) -> list[str]:
    """Return the places that still get cards in a deal, in order.

    A void hand gets no more cards. In a void round that still settles trips, every other hand does.
    """
    last_state, last_step, places = table.last_unserved
    if last_state is not state or last_step is not step:
        places = _unserved(state, step)
        table.last_unserved = (state, step, places)
    return places


def _unserved(state: State, step: Step) -> list[str]:
    dealt_in = state.round.players
    players = [f"seat {n}" for n, s in state.seats.items() if n in dealt_in and not s.hands[0].void]
    places: list[str] = []
    for to in step.to:
        places += players if to == "players" else [to]
    left = places * step.times
    for place in state.round.served:
        if place in left:
            left.remove(place)
    return left


def count_due(table: Table, state: State, step: Step) -> bool:
    """True if the stub must be counted in this round."""
    every = step.rules.get("every")
    return every is None or state.since_count + 1 >= int(every.value)


def _countable(state: State, step: Step) -> bool:
    """True unless the round is void; some rulebooks also count the stub in a void round."""
    now = state.round
    void = "void_rounds" in step.rules and not now.counted and now.out and state.playing.stands != "off"
    return not now.void or bool(void)


def rackable(hand: Hand, *, settled: bool = False) -> bool:
    """True if a folded hand can be racked: no trips bet keeps it, and its progressive is settled.

    `settled` is True if the progressive is settled in the act that racks the hand.
    """
    pending = hand.holds("progressive") and not settled
    return hand.folded == "folded" and not hand.racked and not pending


def folds_left(table: Table, state: State, step: Step) -> list[int]:
    """Return the seats whose folded hand the dealer has not collected."""
    settlement_pass = table.passes.get(step.pass_name)
    numbers = []
    for number, seat in state.seats.items():
        hand = seat.hands[0]
        if not hand.folded or hand.void:
            continue
        settles = settlement_pass is not None and STATUS[hand.folded] in settlement_pass.hands
        status = STATUS[hand.folded]
        stakes = settlement_pass.wagers_of(status) if settlement_pass is not None and settles else ()
        racks = rackable(hand) and "racked" in step.rules and number not in state.round.left
        if racks or any(w in hand.wagers or w in hand.tips for w in stakes):
            numbers.append(number)
    return numbers


def _to_settle(table: Table, state: State, step: Step) -> bool:
    """True if a pass has a wager to settle."""
    settlement_pass = table.passes.get(step.pass_name)
    if settlement_pass is None:
        return False
    if not settlement_pass.applies(state.round.qualifies if state.round.revealed else None):
        return False
    if settlement_pass.wagers == ("envy",):
        return not state.round.void and bool(envious(table, state))
    return bool(hands_of(table, state, settlement_pass.hands, settlement_pass.wagers))


def envious(table: Table, state: State) -> list[tuple[int, int]]:
    """Return seat and hand of every wager that qualifies for envy."""
    if not table.terms.envy_beside:
        return []
    return [
        (number, n)
        for number, seat in state.seats.items()
        for n, hand in enumerate(seat.hands, 1)
        if not hand.void and table.terms.envious(hand.made)
    ]


def unmarked(table: Table, state: State) -> list[tuple[int, int]]:
    """Return seat and hand of every wager that qualifies for envy and has no lammer yet."""
    return [at for at in envious(table, state) if at not in state.round.lammers]


STATUS = {"": 0, "folded": 1, "held": 2}


def hands_of(
    table: Table, state: State, statuses: frozenset[int], wagers: tuple[str, ...]
) -> list[tuple[int, int]]:
    """Return seat and number of each hand with one of these statuses and one of these wagers unsettled."""
    hands = []
    for number, seat in state.seats.items():
        for n, hand in enumerate(seat.hands, 1):
            if hand.void or STATUS[hand.folded] not in statuses:
                continue
            for w in wagers:
                if hand.holds(w) or w in hand.tips:
                    hands.append((number, n))
                    break
    return hands


def _deals(table: Table, state: State, step: Step) -> bool:
    # A void round that still settles trips completes the deal, so that every hand can be evaluated.
    if state.round.void == "all":
        return False
    if step.act != "burn":
        for seat in state.seats.values():
            if seat.hands[0].void:
                # If only void hands are left in the deal, nothing is dealt.
                return bool(places_left(table, state, step))
    return True


def dealers_discards(state: State) -> tuple[Card, ...]:
    """Return the dealer's discards, while they are on the layout."""
    now = state.round
    if not now.kept or "dealer discards" in now.gone:
        return ()
    left = list(now.dealer)
    for card in now.kept:
        left.remove(card)
    return tuple(left)


def dealers_cards(state: State) -> tuple[Card, ...]:
    """Return the dealer's cards on the layout: all, or those kept once the discards are racked."""
    return state.round.kept if "dealer discards" in state.round.gone else state.round.dealer


def _to_collect(table: Table, state: State, step: Step) -> bool:
    hands = (hand for seat in state.seats.values() for hand in seat.hands)
    if "discards" in step.to:
        # Under old rulebooks, the step was left out if no hand had discards.
        missing = "each_hand" in step.rules and not state.round.void and _without_discards(state)
        return bool(dealers_discards(state)) or any(hand.discards for hand in hands) or missing
    if "players" in step.to:
        return any(hand.cards and not hand.racked for hand in hands)
    return bool(state.round.board or state.round.dealer)


def _without_discards(state: State) -> bool:
    """True if a hand was set and not split, but has no discards: it was dealt too few cards."""
    single = (seat.hands[0] for seat in state.seats.values() if len(seat.hands) == 1)
    return any(hand.acted == "set" and not hand.void and not hand.discards for hand in single)


def _made(state: State, wager: str) -> bool:
    return any(wager in hand.made for seat in state.seats.values() for hand in seat.hands)


APPLIES: dict[str, Applies] = {
    "confirm": _to_confirm,
    "shuffle": _to_shuffle,
    "shuffle other deck": _other_deck_there,
    "clear rack": lambda table, state, step: state.rack,
    "take other deck": lambda table, state, step: len(state.decks) > 1,
    "lock": lambda table, state, step: _made(state, "progressive"),
    "collect progressive": lambda table, state, step: _made(state, "progressive"),
    "lammers": lambda table, state, step: not state.round.void and unmarked(table, state),
    "burn": _deals,
    "deal": _deals,
    "turn": lambda table, state, step: state.round.void != "all" and state.round.up < table.board_size,
    "count stub": lambda table, state, step: count_due(table, state, step) and _countable(state, step),
    "take folds": folds_left,
    "show payouts": lambda table, state, step: not state.round.void and _made(state, "cover_all"),
    "settle": _to_settle,
    "collect": _to_collect,
    "reset": lambda table, state, step: state.round.locked,
}
"""The condition of each act; an act that is not listed is always performed."""
UNLESS_VOID = ("close betting", "note", "look", "remove stub", "reveal", "set dealer", "arrange")
"""The acts that a void round leaves out."""
APPLIES |= dict.fromkeys(UNLESS_VOID, lambda table, state, step: not state.round.void)
