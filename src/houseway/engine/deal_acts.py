"""The dealer's acts with cards: shuffle, cut, load the shoe, burn, deal, turn cards up, remove the stub."""

from __future__ import annotations

from collections import Counter

from houseway.cards import UNSEEN, Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, is_floor, refuse
from houseway.engine.meters import feeds
from houseway.engine.persons import HOUSE, check_name_at_table, check_person, performed_at_table, role_of
from houseway.engine.seats_and_wagers import next_minima, only_lower_bets
from houseway.engine.state import PLAIN, State
from houseway.engine.table import Due, Table
from houseway.engine.turn_order import count_due, dealers_cards, other_deck, places_left, unmarked
from houseway.rules.procedure import Step
from houseway.wording import place_name, several


class PartialStep(list[e.Event]):
    """The events of an act that does not complete its step."""


def note(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Record a step that changes no state. For some steps, a person must be named."""
    step = due.step
    named = step.rules.get("named")
    if named is not None and table.names_persons:
        check_person(table, state, command, role_of(step), table.cite(named))
        return ()
    if named is not None and named.value == "floorperson" and not is_floor(command.by):
        refuse("not-the-floor", "only the floorperson can do this", table.cite(named))
    if named is not None and not command.name:
        role = named.value if isinstance(named.value, str) else "person"
        refuse("name-missing", f"this step needs the name of the {role} who did it", table.cite(named))
    return ()


def method(table: Table) -> str:
    """Return the table's shuffling method: "hand" or "device"."""
    by_mode = "device" if table.mode == "device" else "hand"
    return str(table.terms.house("shuffler") or by_mode)


def shuffle(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Shuffle the deck for the next round. A deck in the device stays there until it is taken out."""
    how, rules = method(table), due.step.rules
    stands = "stack" if "single_stack" in rules else ""
    if "direct" in rules:
        stands = _place(table)
    elif how == "device" and table.terms.house("direct_to_shoe") and stands:
        # Old rulebooks do not have the rule `direct`.
        stands = "shoe"
    clause = table.clause(due.step)
    deck = state.decks[due.deck]
    ahead = due.section == "opening" or ("direct" in rules and deck.stands == "device")
    return e.DeckShuffled(
        deck=deck.name,
        method=how,
        stands="device" if ahead else stands,
        seal=command.seal,
        ahead=ahead,
        clause=clause,
    )


def _place(table: Table) -> str:
    """Return the place of a deck after the shuffle.

    A device that inserts the cards directly puts them into the shoe or the machine if no cut is required.
    Otherwise the deck is a stack.
    """
    direct = method(table) == "device" and table.terms.house("direct_to_shoe")
    return _dealt_from(table) if direct and table.find("cut") is None else "stack"


def _dealt_from(table: Table) -> str:
    return "machine" if table.mode == "device" else "shoe"


def shuffle_other_deck(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Shuffle the deck that is not in play, in the device."""
    deck = state.decks[other_deck(state)].name
    clause = table.clause(due.step)
    return e.DeckShuffled(
        deck=deck, method=method(table), stands="device", seal=command.seal, ahead=True, clause=clause
    )


def cut(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Cut the cards: take some off the top and put the rest on top of them."""
    step, count = due.step, command.count
    least = table.book.option("cut_least") or 1
    most = table.deck_size - 1
    if type(count) is not int or not least <= count <= most:
        wrong = "the number of cards is missing"
        if type(count) is int:
            wrong = f"{several(count, 'card')} is not a legal cut"
        sentence = f"{wrong}; cut {least} to {most} cards"
        refuse("cut-size", sentence, table.terms.clause("cut_least") or table.clause(step))
    if "by_player" in step.rules and not command.name:
        refuse(
            "name-missing",
            "this step needs the name of the player who marked the cut",
            table.clause(step, "by_player"),
        )
    at_table = performed_at_table(step)
    if at_table:
        check_name_at_table(state, command.name, table.clause(step, "by_player"))
    deck, cutter = state.decks[due.deck].name, command.name or command.by
    clause = table.clause(step, "turns") or table.clause(step)
    automatic = at_table and (state.dealer == "machine" or command.by == HOUSE)
    return e.DeckCut(deck, count, cutter, "turns" in step.rules, automatic, clause=clause)


def place_cut_card(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Put the cut card into the shoe, some cards before the end."""
    bounds = table.book.option("cut_card") or [1, table.deck_size - 1]
    count = table.terms.house("cut_card") if command.count is None else command.count
    if type(count) is not int or not bounds[0] <= count <= bounds[-1]:
        wrong = f"{count} cards from the end is not a place for the cut card"
        sentence = f"{wrong}; put it {bounds[0]} to {bounds[-1]} cards from the end"
        refuse("cut-card-place", sentence, table.terms.clause("cut_card"))
    return e.CutCardPlaced(behind=count, clause=table.clause(due.step))


def load(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Put the stacked deck into the shoe or the machine."""
    name = state.decks[due.deck].name
    return e.DeckLoaded(deck=name, into=_dealt_from(table), clause=table.clause(due.step))


def clear_rack(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Empty the discard rack."""
    return e.RackCleared(clause=table.clause(due.step))


def take_other_deck(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Bring the next deck from the device into play, and put the other deck into the device."""
    now = state.decks[due.deck].name
    other = state.decks[(due.deck + 1) % len(state.decks)].name
    if command.deck and command.deck != now:
        sentence = f"the decks take turns; deck {now} is next"
        refuse("deck-out-of-turn", sentence, table.clause(due.step))
    stands = ""
    if state.decks[due.deck].ahead and "direct" in due.step.rules:
        stands = _place(table)
    elif state.decks[due.deck].ahead:
        stands = "shoe" if table.terms.house("direct_to_shoe") and table.find("load") is None else "stack"
    return e.DecksSwapped(into_play=now, into_device=other, stands=stands, clause=table.clause(due.step))


def open_round(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Open the round for wagers."""
    number, deck = state.rounds + 1, state.decks[state.deck].name
    limits, clause = next_minima(table, state), table.clause(due.step)
    return e.RoundOpened(number=number, deck=deck, seal=command.seal, limits=limits, clause=clause)


def close_betting(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Announce that no more bets are taken."""
    if not any(seat.hands[0].wagers for seat in state.seats.values()):
        refuse("no-wagers", "no player has bet yet; wait for a bet")
    closed = e.BettingClosed(entries=_entries(table, state), clause=table.clause(due.step))
    events: list[e.Event] = [closed]
    if state.round.salts and state.players_cut == PLAIN:
        events.append(e.PlayersCutMade(deck=state.playing.name, salts=state.round.salts))
    if not table.collects:
        events += feed_meters(table, state, progressive_stakes(state))
    return events


def _entries(table: Table, state: State) -> dict[int, int]:
    """Return the main wagers by seat; empty unless they decide which players may keep an old minimum."""
    if not only_lower_bets(table):
        return {}
    wagers = {number: seat.hands[0].wagers for number, seat in state.seats.items()}
    return {n: placed[table.entry_wager] for n, placed in wagers.items() if table.entry_wager in placed}


def progressive_stakes(state: State) -> dict[int, int]:
    """Return the progressive wagers on the layout, by seat."""
    wagers = {number: seat.hands[0].wagers for number, seat in state.seats.items()}
    return {number: placed["progressive"] for number, placed in wagers.items() if "progressive" in placed}


def feed_meters(table: Table, state: State, stakes: dict[int, int], sign: int = 1) -> list[e.Event]:
    """Return the event that adds progressive wagers to the meters, or with `sign` -1 takes them off."""
    if not stakes or not table.meters:
        return []
    fed_meters: Counter[str] = Counter()
    fed_reserves: Counter[str] = Counter()
    for stake in stakes.values():
        on_meters, on_reserves = feeds(table.terms, stake)
        fed_meters.update(on_meters)
        fed_reserves.update(on_reserves)
    setting = table.book.house.get("feed")
    clause = table.cite(setting.basis) if setting else None
    meters, reserves = ({n: sign * a for n, a in total.items()} for total in (fed_meters, fed_reserves))
    return [e.MeterFed(meters=meters, reserves=reserves, clause=clause)]


def lock(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Lock the progressive sensors; on some layouts the sensors with a wager light up."""
    seats = tuple(progressive_stakes(state))
    lit = "lights" in due.step.rules
    return e.SensorsLocked(seats=seats, lit=lit, clause=table.clause(due.step))


def collect_progressive(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Collect the progressive wagers and feed the meters."""
    stakes = progressive_stakes(state)
    locks = table.find("lock")
    lit = locks is not None and "stays_lit" in locks.rules
    collected = e.ProgressiveCollected(stakes=stakes, stays_lit=lit, clause=table.clause(due.step))
    return [collected, *feed_meters(table, state, stakes)]


def lammers(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Put a lammer (a marker) next to each wager that qualifies for envy."""
    marks = unmarked(table, state)
    clause = table.clause(due.step)
    return [
        e.LammersPlaced(seats=tuple(number for number, n in marks if n == hand), hand=hand, clause=clause)
        for hand in sorted({n for _, n in marks})
    ]


# --- cards off the deck ---


def _check_usable(table: Table, state: State, cards: tuple[Card, ...]) -> None:
    """Refuse cards that cannot be next in the deck."""
    deck = state.playing
    out, twice = deck.out, False
    for card in cards:
        if out & card.bit:
            twice = True
        out |= card.bit
    if deck.used + len(cards) > table.deck_size:
        left = several(table.deck_size - deck.used, "card is", "cards are")
        refuse("deck-empty", f"only {left} left in the deck; this needs {len(cards)}")
    if deck.seal and UNSEEN in cards:
        refuse("cards-needed", "name each card that you deal: a card from a sealed deck cannot be left out")
    decks = table.book.ranking.decks
    if not twice:
        return
    counts = Counter(cards_out(state))
    counts.update(cards)
    duplicate = next((card for card in cards if counts[card] > decks), None)
    if duplicate is not None:
        copies = "there is only one in the deck" if decks == 1 else f"there are only {decks} in the shoe"
        refuse("too-many-copies", f"the {duplicate.words} ({duplicate}) was already dealt; {copies}")


def cards_out(state: State) -> list[Card]:
    """Return every known card that has left the deck in play since the shuffle."""
    now = state.round
    cards = [*now.drawn]
    # A racked card is in an entry of the rack; every other card is still on the table.
    for entry in state.rack:
        cards += entry.cards
    if "board" not in now.gone:
        cards += now.board
    if "dealer" not in now.gone:
        cards += dealers_cards(state)
    for seat in state.seats.values():
        for hand in seat.hands:
            if not hand.racked:
                cards += hand.cards
            cards += hand.discards
    return cards


def needs(table: Table, state: State, step: Step) -> int:
    """Return how many cards a step can still take off the deck."""
    if step.act == "burn":
        count = step.each
    elif step.act == "deal":
        count = step.each * len(places_left(table, state, step))
    else:
        return 0
    return max(0, count - len(state.round.drawn))


def burn(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Burn the next cards: rack them face down, unseen."""
    step = due.step
    cards = (*state.round.drawn[: step.each], *command.cards)
    if len(cards) != step.each:
        sentence = f"this step burns {several(step.each, 'card')}, but you named {len(cards)}"
        refuse("cards-needed", sentence, table.clause(step))
    _check_usable(table, state, command.cards)
    burned: list[e.Event] = [e.CardsBurned(count=step.each, sealed=cards, clause=table.clause(step))]
    if state.behind:
        burned += cut_card(table, state, len(command.cards))
    return burned


def deal(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Deal cards to one, several or all of the places left in the step."""
    step = due.step
    places = places_left(table, state, step)
    if command.seat is not None and places and places[0] != f"seat {command.seat}":
        sentence = f"the next cards go to {place_name(places[0])}, not to seat {command.seat}"
        refuse("out-of-order", sentence, table.clause(step, "order") or table.clause(step))
    drawn = state.round.drawn
    most = 1 if state.dealer == "person" else len(places)
    cards = (*drawn[: step.each * most], *command.cards) if drawn else command.cards
    count, rest = divmod(len(cards), step.each)
    if rest or not 1 <= count <= len(places):
        total = several(step.each * len(places), "card")
        shares = f"{step.each} to each place" if len(places) != 1 else f"to {place_name(places[0])}"
        sentence = f"this step deals {total}, {shares}; you named {len(cards)}"
        if places and (plan := device_plan(table, state)):
            stacks = ", ".join(f"{number} to {place_name(place)}" for place, number in plan.items())
            now = f"the next cards go to {place_name(places[0])}, but you named {len(cards)}"
            sentence = f"the device is set to deal cards as follows: {stacks}; {now}"
            refuse("cards-needed", sentence, table.terms.clause("device_program"))
        refuse("cards-needed", sentence, table.clause(step))
    if count > 1 and state.dealer == "person":
        refuse(
            "one-at-a-time",
            f"deal to one place at a time; {place_name(places[0])} is next",
            table.clause(step),
        )
    _check_usable(table, state, command.cards)
    clause = table.clause(step)
    events: list[e.Event] = []
    each = step.each
    for n, place in enumerate(places[:count]):
        dealt = cards[n * each : (n + 1) * each]
        if step.face_up:
            events.append(e.CardsDealt(to=place, count=each, face=dealt, clause=clause))
        else:
            events.append(e.CardsDealt(to=place, count=each, sealed=dealt, clause=clause))
    if state.behind:
        events += cut_card(table, state, len(command.cards))
    return events if count == len(places) else PartialStep(events)


def device_plan(table: Table, state: State) -> dict[str, int]:
    """Return how many cards the device is set to deal to each place in the round, in dealing order.

    Empty if the table has no dealing device, or if the rulebook does not let the house set it.
    """
    if table.mode != "device" or not table.book.option("device_program"):
        return {}
    seats = [f"seat {number}" for number in state.seats if number in state.round.players]
    plan: dict[str, int] = {}
    for step in table.sections["round"]:
        if step.act == "deal":
            for to in step.to:
                for place in seats if to == "players" else [to]:
                    plan[place] = plan.get(place, 0) + step.each * step.times
    return plan


def cut_card(table: Table, state: State, count: int) -> list[e.Event]:
    """Return the cut-card event if these cards reach the cut card."""
    if not state.behind or state.cut_card_out:
        return []
    if state.playing.used + count <= table.deck_size - state.behind:
        return []
    return [e.CutCardReached(clause=table.rule("ends"))]


def look(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Let the players look at their cards."""
    return e.PlayersLooked(clause=table.clause(due.step))


def turn(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Turn the next community cards up."""
    step = due.step
    now = state.round
    counted = step.rules.get("count")
    if counted is not None and len(now.board) != counted.value:
        wrong = f"the board has {len(now.board)} cards, not {counted.value}"
        sentence = f"{wrong}; report the wrong number of cards first"
        refuse("wrong-number", sentence, table.cite(counted), "board")
    face = now.board[now.up : now.up + step.each]
    if len(face) < step.each:
        wrong = f"the board has {len(now.board)} cards, not {table.board_size}"
        sentence = f"{wrong}; report the wrong number of cards first"
        refuse("wrong-number", sentence, where="board")
    return e.BoardTurned(face=face, clause=table.clause(step))


def arrange(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Arrange the community cards: larger groups of one rank first, then higher ranks.

    No result depends on the arrangement.
    """
    groups = Counter(card.rank for card in state.round.board)
    face = tuple(sorted(state.round.board, key=lambda card: (-groups[card.rank], -card.rank)))
    return e.BoardArranged(face=face, clause=table.clause(due.step))


# --- the stub ---


def stub(table: Table, state: State) -> int:
    """Return how many cards the stub should have."""
    return table.deck_size - state.playing.used


def remove_stub(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Take the stub out of the shoe, and rack it unless it must be counted first."""
    count = table.find("count stub")
    counted = count is not None and count_due(table, state, count)
    clause = table.clause(due.step)
    return e.StubRemoved(count=stub(table, state), racked=not counted, clause=clause)
