"""The dealer's acts with decks and cards: shuffle, cut, load, burn, deal, turn, the stub."""

from __future__ import annotations

from collections import Counter

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, is_floor, refuse
from houseway.engine.meters import feeds
from houseway.engine.seats_and_wagers import next_minima
from houseway.engine.state import State
from houseway.engine.table import Due, Table
from houseway.engine.turn_order import count_due, dealers_cards, unmarked, unserved
from houseway.rules.procedure import Step
from houseway.wording import several


class Unfinished(list[e.Event]):
    """The events of an act whose step is not complete with them."""


def note(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Record a step that does nothing else; some name a person."""
    step = due.step
    named = step.rules.get("named")
    if named is not None and named.value == "floorperson" and not is_floor(command.by):
        refuse("not-the-floor", "the floorperson does this, not who inspected", table.cite(named))
    if named is not None and not command.name:
        who = named.value if isinstance(named.value, str) else "person"
        refuse("name-missing", f"name the {who} who did it", table.cite(named))
    return ()


def method(table: Table) -> str:
    """How cards are shuffled at the table: "hand" or "device"."""
    by_mode = "device" if table.mode == "device" else "hand"
    return str(table.terms.house("shuffler") or by_mode)


def shuffle(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Shuffle the deck in play."""
    how = method(table)
    stands = "stack" if "single_stack" in due.step.rules else ""
    if how == "device" and table.terms.house("direct_to_shoe") and stands:
        stands = "shoe"
    clause = table.clause(due.step)
    name = state.decks[due.deck].name
    return e.DeckShuffled(deck=name, method=how, stands=stands, seal=command.seal, clause=clause)


def cut(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Cut the cards: some off the top, the rest on top of them."""
    step, count = due.step, command.count
    least = table.book.option("cut_least") or 1
    most = table.deck_size - 1
    if type(count) is not int or not least <= count <= most:
        sentence = f"a cut takes {least} to {most} cards" + (f", not {count}" if count else "")
        refuse("cut-size", sentence, table.terms.clause("cut_least") or table.clause(step))
    if "by_player" in step.rules and not command.name:
        refuse("name-missing", "a player marks the cut; name who did", table.clause(step, "by_player"))
    deck, by = state.decks[due.deck].name, command.name or command.by
    clause = table.clause(step, "turns") or table.clause(step)
    return e.DeckCut(deck=deck, count=count, by=by, rest_on_top="turns" in step.rules, clause=clause)


def place_cut_card(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Put the cut card so many cards from the end."""
    bounds = table.book.option("cut_card") or [1, table.deck_size - 1]
    count = table.terms.house("cut_card") if command.count is None else command.count
    if type(count) is not int or not bounds[0] <= count <= bounds[-1]:
        sentence = f"the cut card goes {bounds[0]} to {bounds[-1]} cards from the end, not {count}"
        refuse("cut-card-place", sentence, table.terms.clause("cut_card"))
    return e.CutCardPlaced(behind=count, clause=table.clause(due.step))


def load(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Put the stacked deck into the shoe or the machine."""
    into = "machine" if table.mode == "device" else "shoe"
    name = state.decks[due.deck].name
    return e.DeckLoaded(deck=name, into=into, clause=table.clause(due.step))


def clear_rack(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Empty the discard rack."""
    return e.RackCleared(clause=table.clause(due.step))


def take_other_deck(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Take the deck whose turn it is out of the device and into play; the other goes in."""
    now = state.decks[due.deck].name
    other = state.decks[(due.deck + 1) % len(state.decks)].name
    if command.deck and command.deck != now:
        sentence = f"deck {now} is next; each deck is used every other round"
        refuse("deck-out-of-turn", sentence, table.clause(due.step))
    return e.DecksSwapped(into_play=now, into_device=other, clause=table.clause(due.step))


def open_round(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Open the round: wagers are taken."""
    number, deck = state.rounds + 1, state.decks[state.deck].name
    limits, clause = next_minima(table, state), table.clause(due.step)
    return e.RoundOpened(number=number, deck=deck, seal=command.seal, limits=limits, clause=clause)


def close_betting(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Announce that no more bets are taken."""
    if not any(seat.hands[0].wagers for seat in state.seats.values()):
        refuse("no-wagers", "nobody has wagered; there is no round to deal")
    found: list[e.Event] = [e.BettingClosed(clause=table.clause(due.step))]
    if state.round.salts:
        found.append(e.PlayersCutMade(deck=state.playing.name, salts=state.round.salts))
    if not table.collects:
        found += fed(table, state, progressive_stakes(state))
    return found


def progressive_stakes(state: State) -> dict[int, int]:
    """The progressive wagers on the layout, by seat."""
    wagers = {number: seat.hands[0].wagers for number, seat in state.seats.items()}
    return {number: made["progressive"] for number, made in wagers.items() if "progressive" in made}


def fed(table: Table, state: State, stakes: dict[int, int], sign: int = 1) -> list[e.Event]:
    """What progressive wagers put on the meters, or take off again with a sign of -1."""
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
    """Lock the progressive sensors; those with a wager light up."""
    seats = tuple(progressive_stakes(state))
    lit = "lights" in due.step.rules
    return e.SensorsLocked(seats=seats, lit=lit, clause=table.clause(due.step))


def collect_progressive(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Take the progressive wagers off the table, onto the meters."""
    stakes = progressive_stakes(state)
    locks = table.find("lock")
    lit = locks is not None and "stays_lit" in locks.rules
    taken = e.ProgressiveCollected(stakes=stakes, stays_lit=lit, clause=table.clause(due.step))
    return [taken, *fed(table, state, stakes)]


def lammers(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Mark each wager that envy goes with."""
    marks = unmarked(table, state)
    clause = table.clause(due.step)
    return [
        e.LammersPlaced(seats=tuple(number for number, n in marks if n == hand), hand=hand, clause=clause)
        for hand in sorted({n for _, n in marks})
    ]


# --- cards off the deck ---


def _check_usable(table: Table, state: State, cards: tuple[Card, ...]) -> None:
    """Refuse cards that cannot come off the deck now."""
    deck = state.playing
    out, twice = deck.out, False
    for card in cards:
        if out & card.bit:
            twice = True
        out |= card.bit
    if deck.used + len(cards) > table.deck_size:
        left = several(table.deck_size - deck.used, "card is", "cards are")
        refuse("deck-empty", f"{left} left in the deck, not {len(cards)}")
    decks = table.book.ranking.decks
    if not twice:
        return
    seen = Counter(cards_out(state))
    seen.update(cards)
    often = next((card for card in cards if seen[card] > decks), None)
    if often is not None:
        held = "one deck holds it once" if decks == 1 else f"{decks} decks hold it {decks} times"
        refuse("too-many-copies", f"the {often.words} ({often}) has been dealt already; {held}")


def cards_out(state: State) -> list[Card]:
    """Every card known to have left the deck in play since it was shuffled."""
    now = state.round
    found = [*now.drawn]
    # What is racked already lies there; the rest is still on the table.
    for entry in state.rack:
        found += entry.cards
    if "board" not in now.gone:
        found += now.board
    if "dealer" not in now.gone:
        found += dealers_cards(state)
    for seat in state.seats.values():
        for hand in seat.hands:
            if not hand.racked:
                found += hand.cards
            found += hand.discards
    return found


def needs(table: Table, state: State, step: Step) -> int:
    """How many more cards off the deck a step uses at most."""
    if step.act == "burn":
        wanted = step.each
    elif step.act == "deal":
        wanted = step.each * len(unserved(table, state, step))
    else:
        return 0
    return max(0, wanted - len(state.round.drawn))


def burn(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Burn: the next card face down to the rack, seen by nobody."""
    step = due.step
    cards = (*state.round.drawn[: step.each], *command.cards)
    if len(cards) != step.each:
        sentence = f"{several(step.each, 'card is', 'cards are')} burned, not {len(cards)}"
        refuse("cards-needed", sentence, table.clause(step))
    _check_usable(table, state, command.cards)
    burned: list[e.Event] = [e.CardsBurned(count=step.each, sealed=cards, clause=table.clause(step))]
    if state.behind:
        burned += cut_card(table, state, len(command.cards))
    return burned


def deal(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Deal cards to the places that are next; as few as one place gets, as many as the step needs."""
    step = due.step
    places = unserved(table, state, step)
    drawn = state.round.drawn
    cards = (*drawn[: step.each * len(places)], *command.cards) if drawn else command.cards
    count, rest = divmod(len(cards), step.each)
    if rest or not 1 <= count <= len(places):
        whole = step.each * len(places)
        sentence = f"{step.name}: {step.each} to a place, {whole} in all, not {several(len(cards), 'card')}"
        refuse("cards-needed", sentence, table.clause(step))
    if count > 1 and state.dealer == "person":
        refuse("one-at-a-time", f"deal to one place after another; {places[0]} is next", table.clause(step))
    _check_usable(table, state, command.cards)
    clause = table.clause(step)
    found: list[e.Event] = []
    each, seen = step.each, step.face_up
    for n, place in enumerate(places[:count]):
        given = cards[n * each : (n + 1) * each]
        if seen:
            found.append(e.CardsDealt(to=place, count=each, face=given, clause=clause))
        else:
            found.append(e.CardsDealt(to=place, count=each, sealed=given, clause=clause))
    if state.behind:
        found += cut_card(table, state, len(command.cards))
    return found if count == len(places) else Unfinished(found)


def cut_card(table: Table, state: State, count: int) -> list[e.Event]:
    """The cut card comes out before the first of the cards behind it."""
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
        sentence = f"{counted.value} cards belong on the board before they are turned, not {len(now.board)}"
        refuse("wrong-number", sentence, table.cite(counted), "board")
    face = now.board[now.up : now.up + step.each]
    return e.BoardTurned(face=face, clause=table.clause(step))


def arrange(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Put the common cards in order: larger groups first, then higher ranks; no result depends on it."""
    groups = Counter(card.rank for card in state.round.board)
    face = tuple(sorted(state.round.board, key=lambda card: (-groups[card.rank], -card.rank)))
    return e.BoardArranged(face=face, clause=table.clause(due.step))


# --- the stub ---


def stub(table: Table, state: State) -> int:
    """How many cards the stub should hold."""
    return table.deck_size - state.playing.used


def remove_stub(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Take what is left of the deck out of the shoe; to the rack unless it is to be counted."""
    count = table.find("count stub")
    counted = count is not None and count_due(table, state, count)
    clause = table.clause(due.step)
    return e.StubRemoved(count=stub(table, state), racked=not counted, clause=clause)
