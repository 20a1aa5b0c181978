"""The dealer's acts with decks and cards: shuffle, cut, load, burn, deal, turn, the stub."""

from __future__ import annotations

from collections import Counter

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.answers import is_floor, refuse
from houseway.engine.order import count_due, dealers_cards, unmarked, unserved
from houseway.engine.progressive import feeds
from houseway.engine.refusals import Refusal, RefusalError
from houseway.engine.state import State
from houseway.engine.table import Due, Table
from houseway.engine.wagering import next_minima
from houseway.rules.procedure import Step
from houseway.wording import several

Done = tuple[list[e.Event], bool] | Refusal
"""The events of an act and whether its step is complete, or a refusal."""


def note(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Record a step that does nothing else; some name a person."""
    step = due.step
    named = step.rules.get("named")
    if named is not None and named.value == "floorperson" and not is_floor(command.by):
        sentence = "the floorperson does this, not who inspected"
        return refuse("not-the-floor", table.clause(step, "named"), step.name, sentence)
    if "named" in step.rules and not command.name:
        who = step.rules["named"].value
        sentence = f"name the {who if isinstance(who, str) else 'person'} who did it"
        return refuse("name-missing", table.clause(step, "named"), step.name, sentence)
    return [], True


def method(table: Table) -> str:
    """How cards are shuffled at the table: "hand" or "device"."""
    by_mode = "device" if table.mode == "device" else "hand"
    return str(table.terms.house("shuffler") or by_mode)


def shuffle(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Shuffle the deck in play."""
    how = method(table)
    stands = "stack" if "single_stack" in due.step.rules else ""
    if how == "device" and table.terms.house("direct_to_shoe") and stands:
        stands = "shoe"
    clause = table.clause(due.step)
    name = state.decks[due.deck].name
    return [e.DeckShuffled(deck=name, method=how, stands=stands, seal=command.seal, clause=clause)], True


def cut(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Cut the cards: some off the top, the rest on top of them."""
    step = due.step
    least = table.book.option("cut_least") or 1
    most = table.deck_size - 1
    if type(command.count) is not int or not least <= command.count <= most:
        sentence = f"a cut takes {least} to {most} cards" + (
            f", not {command.count}" if command.count else ""
        )
        return refuse(
            "cut-size", table.terms.clause("cut_least") or table.clause(step), step.name, sentence
        )
    if "by_player" in step.rules and not command.name:
        sentence = "a player marks the cut; name who did"
        return refuse("name-missing", table.clause(step, "by_player"), step.name, sentence)
    return [
        e.DeckCut(
            deck=state.decks[due.deck].name,
            count=command.count,
            by=command.name or command.by,
            rest_on_top="turns" in step.rules,
            clause=table.clause(step, "turns") or table.clause(step),
        )
    ], True


def place_cut_card(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Put the cut card so many cards from the end."""
    bounds = table.book.option("cut_card") or [1, table.deck_size - 1]
    count = table.terms.house("cut_card") if command.count is None else command.count
    if type(count) is not int or not bounds[0] <= count <= bounds[-1]:
        sentence = f"the cut card goes {bounds[0]} to {bounds[-1]} cards from the end, not {count}"
        return refuse("cut-card-place", table.terms.clause("cut_card"), due.step.name, sentence)
    return [e.CutCardPlaced(behind=count, clause=table.clause(due.step))], True


def load(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Put the stacked deck into the shoe or the machine."""
    into = "machine" if table.mode == "device" else "shoe"
    name = state.decks[due.deck].name
    return [e.DeckLoaded(deck=name, into=into, clause=table.clause(due.step))], True


def clear_rack(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Empty the discard rack."""
    return [e.RackCleared(clause=table.clause(due.step))], True


def take_other_deck(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Take the deck whose turn it is out of the device and into play; the other goes in."""
    now = state.decks[due.deck].name
    other = state.decks[(due.deck + 1) % len(state.decks)].name
    if command.deck and command.deck != now:
        sentence = f"deck {now} is next; each deck is used every other round"
        return refuse("deck-out-of-turn", table.clause(due.step), due.step.name, sentence)
    return [e.DecksSwapped(into_play=now, into_device=other, clause=table.clause(due.step))], True


def open_round(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Open the round: wagers are taken."""
    return [
        e.RoundOpened(
            number=state.rounds + 1,
            deck=state.decks[state.deck].name,
            seal=command.seal,
            limits=next_minima(table, state),
            clause=table.clause(due.step),
        )
    ], True


def close_betting(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Announce that no more bets are taken."""
    step = due.step
    if not any(seat.hands[0].wagers for seat in state.seats.values()):
        return refuse("no-wagers", None, step.name, "nobody has wagered; there is no round to deal")
    found: list[e.Event] = [e.BettingClosed(clause=table.clause(step))]
    if state.round.salts:
        found.append(e.PlayersCutMade(deck=state.playing.name, salts=state.round.salts))
    if not table.collects:
        found += fed(table, state, progressive_stakes(state))
    return found, True


def progressive_stakes(state: State) -> dict[int, int]:
    """The progressive wagers on the layout, by seat."""
    return {
        number: seat.hands[0].wagers["progressive"]
        for number, seat in state.seats.items()
        if "progressive" in seat.hands[0].wagers
    }


def fed(table: Table, state: State, stakes: dict[int, int], sign: int = 1) -> list[e.Event]:
    """What progressive wagers put on the meters, or take off again with a sign of -1."""
    if not stakes or not table.meters:
        return []
    meters: Counter[str] = Counter()
    reserves: Counter[str] = Counter()
    for stake in stakes.values():
        on_meters, on_reserves = feeds(table.terms, stake)
        meters.update(on_meters)
        reserves.update(on_reserves)
    setting = table.book.house.get("feed")
    clause = setting.basis.clause(table.mode) if setting else None
    return [
        e.MeterFed(
            meters={name: sign * amount for name, amount in meters.items()},
            reserves={name: sign * amount for name, amount in reserves.items()},
            clause=clause,
        )
    ]


def lock(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Lock the progressive sensors; those with a wager light up."""
    seats = tuple(progressive_stakes(state))
    lit = "lights" in due.step.rules
    return [e.SensorsLocked(seats=seats, lit=lit, clause=table.clause(due.step))], True


def collect_progressive(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Take the progressive wagers off the table, onto the meters."""
    stakes = progressive_stakes(state)
    locks = table.find("lock")
    lit = locks is not None and "stays_lit" in locks.rules
    taken = e.ProgressiveCollected(stakes=stakes, stays_lit=lit, clause=table.clause(due.step))
    return [taken, *fed(table, state, stakes)], True


def lammers(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Mark each wager that envy goes with."""
    marks = unmarked(table, state)
    clause = table.clause(due.step)
    return [
        e.LammersPlaced(seats=tuple(number for number, n in marks if n == hand), hand=hand, clause=clause)
        for hand in sorted({n for _, n in marks})
    ], True


# --- cards off the deck ---


def _check_usable(table: Table, state: State, step: Step, cards: tuple[Card, ...]) -> None:
    """Refuse cards that cannot come off the deck now."""
    deck = state.playing
    out, twice = deck.out, False
    for card in cards:
        if out & card.bit:
            twice = True
        out |= card.bit
    if deck.used + len(cards) > table.deck_size:
        left = several(table.deck_size - deck.used, "card is", "cards are")
        sentence = f"{left} left in the deck, not {len(cards)}"
        raise RefusalError("deck-empty", None, step.name, sentence)
    decks = table.book.ranking.decks
    if not twice:
        return
    seen = Counter(cards_out(state))
    seen.update(cards)
    often = next((card for card in cards if seen[card] > decks), None)
    if often is not None:
        held = "one deck holds it once" if decks == 1 else f"{decks} decks hold it {decks} times"
        sentence = f"the {often.words} ({often}) has been dealt already; {held}"
        raise RefusalError("too-many-copies", None, step.name, sentence)


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


def burn(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Burn: the next card face down to the rack, seen by nobody."""
    step = due.step
    cards = (*state.round.drawn[: step.each], *command.cards)
    if len(cards) != step.each:
        sentence = f"{several(step.each, 'card is', 'cards are')} burned, not {len(cards)}"
        return refuse("cards-needed", table.clause(step), step.name, sentence)
    _check_usable(table, state, step, command.cards)
    burned: list[e.Event] = [e.CardsBurned(count=step.each, sealed=cards, clause=table.clause(step))]
    if state.behind:
        burned += cut_card(table, state, len(command.cards))
    return burned, True


def deal(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Deal cards to the places that are next; as few as one place gets, as many as the step needs."""
    step = due.step
    places = unserved(table, state, step)
    drawn = state.round.drawn
    cards = (*drawn[: step.each * len(places)], *command.cards) if drawn else command.cards
    count, rest = divmod(len(cards), step.each)
    if rest or not 1 <= count <= len(places):
        whole = step.each * len(places)
        sentence = f"{step.name}: {step.each} to a place, {whole} in all, not {several(len(cards), 'card')}"
        return refuse("cards-needed", table.clause(step), step.name, sentence)
    if count > 1 and state.dealer == "person":
        sentence = f"deal to one place after another; {places[0]} is next"
        return refuse("one-at-a-time", table.clause(step), step.name, sentence)
    _check_usable(table, state, step, command.cards)
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
    return found, count == len(places)


def cut_card(table: Table, state: State, count: int) -> list[e.Event]:
    """The cut card comes out before the first of the cards behind it."""
    if not state.behind or state.cut_card_out:
        return []
    if state.playing.used + count <= table.deck_size - state.behind:
        return []
    return [e.CutCardReached(clause=table.rule("ends"))]


def look(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Let the players look at their cards."""
    return [e.PlayersLooked(clause=table.clause(due.step))], True


def turn(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Turn the next community cards up."""
    step = due.step
    now = state.round
    counted = step.rules.get("count")
    if counted is not None and len(now.board) != counted.value:
        sentence = f"{counted.value} cards belong on the board before they are turned, not {len(now.board)}"
        return refuse("wrong-number", table.clause(step, "count"), "board", sentence)
    face = now.board[now.up : now.up + step.each]
    return [e.BoardTurned(face=face, clause=table.clause(step))], True


def arrange(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Put the common cards in order: larger groups first, then higher ranks; no result depends on it."""
    groups = Counter(card.rank for card in state.round.board)
    face = tuple(sorted(state.round.board, key=lambda card: (-groups[card.rank], -card.rank)))
    return [e.BoardArranged(face=face, clause=table.clause(due.step))], True


# --- the stub ---


def stub(table: Table, state: State) -> int:
    """How many cards the stub should hold."""
    return table.deck_size - state.playing.used


def remove_stub(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Take what is left of the deck out of the shoe; to the rack unless it is to be counted."""
    count = table.find("count stub")
    counted = count is not None and count_due(table, state, count)
    clause = table.clause(due.step)
    return [e.StubRemoved(count=stub(table, state), racked=not counted, clause=clause)], True
