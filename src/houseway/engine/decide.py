"""Answer each command with the events it causes or with a refusal. This module changes no state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from houseway.cards import codes
from houseway.engine import (
    close_acts,
    deal_acts,
    decisions,
    idle_table,
    irregularities,
    keypad,
    misdeals,
    opening_acts,
    players_cut,
    rulings,
    seats_and_wagers,
    showdown_acts,
    stub_count,
    unseen_cards,
)
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_form import check_form
from houseway.engine.command_helpers import Answer, Events, check_floor, refuse, refuse_first
from houseway.engine.evolve import fold
from houseway.engine.meters import MICRO, seed
from houseway.engine.persons import HOUSE, auto_approves, check_person
from houseway.engine.refusals import Refusal, RefusalError
from houseway.engine.settlement_plan import HAND
from houseway.engine.state import COMMITTED, PLAIN, State
from houseway.engine.table import LINK_AMOUNTS, Due, Table
from houseway.engine.turn_order import due, reset_due, turn_at
from houseway.money import spoken
from houseway.rules.problems import suggest
from houseway.rules.procedure import Step
from houseway.wording import several, shown_name

ACTS: dict[str, Callable[[Table, State, Due, c.Perform], Events]] = {
    "note": deal_acts.note,
    "confirm": opening_acts.confirm,
    "inspect": opening_acts.inspect,
    "verify": opening_acts.verify,
    "offer inspection": opening_acts.offer_inspection,
    "wash": opening_acts.wash,
    "shuffle": deal_acts.shuffle,
    "shuffle other deck": deal_acts.shuffle_other_deck,
    "cut": deal_acts.cut,
    "place cut card": deal_acts.place_cut_card,
    "load": deal_acts.load,
    "clear rack": deal_acts.clear_rack,
    "take other deck": deal_acts.take_other_deck,
    "burn": deal_acts.burn,
    "open": deal_acts.open_round,
    "close betting": deal_acts.close_betting,
    "lock": deal_acts.lock,
    "collect progressive": deal_acts.collect_progressive,
    "lammers": deal_acts.lammers,
    "deal": deal_acts.deal,
    "look": deal_acts.look,
    "turn": deal_acts.turn,
    "remove stub": deal_acts.remove_stub,
    "count stub": stub_count.count_stub,
    "take folds": showdown_acts.take_folds,
    "reveal": showdown_acts.reveal,
    "set dealer": showdown_acts.set_dealer,
    "arrange": deal_acts.arrange,
    "show payouts": showdown_acts.show_payouts,
    "settle": showdown_acts.settle,
    "collect": close_acts.collect,
    "reset": close_acts.reset,
    "close": close_acts.close,
}

PURPOSES = ("live", "shadow", "training")
LINK_TERMS = {"table": "pay table", "wager": "progressive wager", "decks": "number of decks"}
"""The terms that all tables of a linked meter share, with their names in refusals."""


def decide(table: Table, state: State, command: c.Command, *, well_formed: bool = False) -> Answer:
    """Return the events of a command, or its refusal; with `well_formed`, its form is not checked."""
    handler = HANDLERS.get(type(command))
    if handler is None:
        sentence = f"{type(command).__name__} is not a command of houseway.engine.commands"
        return Refusal(code="unknown-command", clause=None, where="", message=sentence)
    try:
        if not well_formed:
            check_form(table, command)
        if state.round.commitments and isinstance(command, players_cut.WAIT_FOR_SALTS):
            players_cut.check_opened(state)
        events = handler(table, state, command)
    except RefusalError as error:
        code, clause, where, message = error.args
        return Refusal(code, clause, where or command.where, message)
    if isinstance(events, tuple):
        return events
    return tuple(events) if isinstance(events, list) else (events,)


def handle(table: Table, state: State, command: c.Command) -> tuple[State, Answer]:
    """Return the state after a command, and its events. A refused command returns the same state."""
    answer = decide(table, state, command)
    return (fold(answer, state) if isinstance(answer, tuple) else state), answer


def perform(table: Table, state: State, command: c.Perform) -> Events:
    """Perform the step that is due; refuse any other step with the clause of the one that is due."""
    now = due(table, state)
    played = state.round
    if (
        now is None
        or now.step.name != command.step
        or command.deck
        or state.off
        or state.emptied
        or played.asked is not None
        or played.challenged
        or played.kept
        or now.step.act == "ask"
    ):
        now = _check_step(table, state, now, command)
    if not state.decks[now.deck].seal and now.section == "round":
        unseen_cards.check_seen(table, state, now.step)
    handler = ACTS[now.step.act]
    if now.step.act == "count stub" and stub_count.is_voluntary(table, state, now.step):
        handler = stub_count.count_voluntarily
    if now.step.act != "count stub":
        stub_count.refuse_hands(command)
    events = handler(table, state, now, command)
    if isinstance(events, deal_acts.PartialStep):
        return tuple(events)
    # A plain step with the same clause always gives the same StepTaken event, so the table caches it.
    plain = command.count is None and not command.name and command.by == "dealer"
    key = (now.section, command.step, table.unqualified(now.step, state) is not None)
    step_taken = table.plain_steps.get(key) if plain else None
    if step_taken is None:
        step_taken = _step_taken(table, state, now, command)
        if plain and not step_taken.deck:
            table.plain_steps[key] = step_taken
    # isinstance is several times slower for a Struct type than for list and tuple.
    return (*events, step_taken) if isinstance(events, (list, tuple)) else (events, step_taken)


def _check_step(table: Table, state: State, now: Due | None, command: c.Perform) -> Due:
    """Return the step that a command performs; refuse if it cannot be performed now."""
    if now is None and state.section == "idle":
        refuse("table-idle", "the table is idle; resume play first", table.rule("after_idle"))
    if now is None:
        refuse("table-closed", "the table is closed; open a table first")
    step = table.steps.get(command.step)
    if step is None:
        sentence = f"this table has no step {command.step!r}; {suggest(command.step, table.steps)}"
        refuse("no-such-step", sentence)
    _check_waits(table, state, now)
    counts = stub_count.may_count(table, state, step) or stub_count.is_voluntary(table, state, step)
    if now.step is not step and counts:
        return Due("round", step, state.deck)
    idle_table.check_spread(table, state)
    if now.step is not step and now.step.act == "ask" and "waits" not in now.step.rules:
        now = due(table, state, past_players=True)
        assert now is not None
    if now.step is not step:
        _refuse_order(table, state, now, step)
    _check_deck(table, state, now, command)
    if step.act == "ask":
        number = turn_at(table, state, step)
        refuse("players-first", f"wait for seat {number} to decide", table.clause(step))
    return now


def _step_taken(table: Table, state: State, now: Due, command: c.Perform) -> e.StepTaken:
    step, clause = now.step.name, table.clause_now(now.step, state)
    deck = state.decks[now.deck].name if now.section == "opening" else ""
    # Under old rulebooks, no persons are named, and a command from "house" was treated like any other.
    automatic = command.by == HOUSE and table.names_persons
    return e.StepTaken(
        step, now.section, command.by, command.name, deck, command.count, automatic, clause=clause
    )


def _check_waits(table: Table, state: State, now: Due) -> None:
    """Refuse a step while an approval, a challenge or a reset is pending, or the deck is off the table."""
    played = state.round
    if played.asked is not None:
        seat, _, wager, who = played.asked
        sentence = f"the {who} must first approve the {wager} payment at seat {seat}"
        refuse("approval-needed", sentence, _approval_clause(table, wager, who))
    if played.challenged:
        step = table.find("set dealer")
        clause = table.clause(step, "challenge") if step else None
        sentence = f"answer the challenge from seat {played.challenged} first"
        refuse("challenged", sentence, clause)
    if kept := reset_due(table, state):
        step = table.find("set dealer")
        sentence = f"the dealer's hand breaks the house way; set it to {codes(kept)} first"
        refuse("not-the-house-way", sentence, table.clause(step, "follows") if step else None)
    concerned = state.decks if now.section == "shuffling" else (state.decks[now.deck],)
    off = next((deck for deck in concerned if deck.stands == "off"), None)
    if off is not None and not (state.section == "round" and played.void):
        refuse("deck-off", f"deck {off.name} is off the table; replace it first", off.off)


def _approval_clause(table: Table, wager: str, who: str) -> str | None:
    """Return the clause that requires a payment to be approved."""
    plan = table.terms.plan
    needed = next((a for a in plan.approvals if wager in (*a.wagers, HAND) and a.who == who), None)
    return table.cite(needed.basis) if needed else None


def _refuse_order(table: Table, state: State, now: Due, requested: Step) -> NoReturn:
    """Refuse a step that is not due."""
    step = now.step
    if step.act == "ask":
        number = turn_at(table, state, step)
        sentence = f"seat {number} has not acted; wait for every player, then {shown_name(requested.name)}"
        asks = _asks_before(table, requested) or step
        waits = table.clause(asks, "waits") or table.clause(step)
        # A count has a clause of its own that says when it is due.
        refuse(
            "players-first", sentence, table.clause(requested) if requested.act == "count stub" else waits
        )
    if step.act == "settle" and requested.act == "collect" and "waits" in requested.rules:
        sentence = (
            f"collect the cards after every wager is settled; the next step is to {shown_name(step.name)}"
        )
        refuse("wagers-open", sentence, table.clause(requested, "waits"))
    again = table.standing.get("after_idle")
    resumes = again is not None and step.name in state.owed[:1] and step.name in again.value
    clause = table.cite(again) if resumes else table.clause_now(step, state)
    refuse("out-of-order", f"the next step is to {shown_name(step.name)}", clause)


def _asks_before(table: Table, requested: Step) -> Step | None:
    """Return the last step before the requested one in which players decide, or None."""
    steps = table.sections["round"]
    before = steps[: steps.index(requested)] if requested in steps else ()
    return next((step for step in reversed(before) if step.act == "ask"), None)


def _check_deck(table: Table, state: State, now: Due, command: c.Perform) -> None:
    """Refuse a step that names the wrong deck."""
    expected = state.decks[now.deck].name
    if command.deck in ("", expected) or now.step.act == "take other deck":
        return
    names = [deck.name for deck in state.decks]
    if command.deck not in names:
        refuse("no-such-deck", f"there is no deck {command.deck}; {suggest(command.deck, names)}")
    if "one_deck" in table.standing or now.section == "opening":
        refuse("wrong-deck", f"use deck {expected}, the only deck in play", table.rule("one_deck"))


# --- the table itself ---


def open_table(table: Table, state: State, command: c.OpenTable) -> Events:
    """Open a table, if its designation, settings, decks and meters follow the rulebook."""
    book, terms = table.book, table.terms
    if state.rulebook:
        closed = "was closed; open another one" if state.section == "closed" else "is already open"
        refuse("open-already", f"the table {closed}")
    if command.dealer not in ("machine", "person"):
        refuse("unknown-dealer", 'the dealer must be "machine" or "person"', where="dealer")
    if command.purpose not in PURPOSES:
        refuse("unknown-purpose", f"the purpose must be {' or '.join(PURPOSES)}", where="purpose")
    rule = book.options.get("designated_table")
    if rule is not None and rule.value and book.game not in command.designated:
        sentence = f"the house has not designated this table for {book.game}"
        refuse("not-designated", sentence, table.cite(rule), "designated")
    refuse_first(terms.refusals())
    if not command.backs or (len(command.backs) != table.decks and book.ranking.decks == 1):
        sentence = f"the table uses {several(table.decks, 'deck')}; name the back colour of each"
        refuse("wrong-decks", sentence, terms.clause("decks"), "backs")
    # Colours that differ only in case, and blank ones, are in old records; a new table is checked for them
    # before it is opened.
    same_backs = len(set(command.backs)) != len(command.backs)
    if same_backs and book.option("backs") == "different":
        refuse("backs-alike", "the decks need backs of different colours", terms.clause("backs"), "backs")
    colours, cover = table.standing.get("cover_colours"), command.cover_cards
    if colours is not None and cover and cover not in colours.value:
        sentence = f"cover cards must be {' or '.join(colours.value)}, not {cover}"
        refuse("cover-card-colour", sentence, table.cite(colours), "cover_cards")
    if command.players_cut not in ("", PLAIN, COMMITTED):
        sentence = f"players_cut must be {PLAIN} or {COMMITTED}, not {command.players_cut[:20]!r}"
        refuse("unknown-cut", sentence, where="players_cut")
    _check_link(table, command)
    _check_meters(table, command)
    _check_chosen(table, command)
    refuse_first(terms.open_limits(examples=command.examples))
    return _opened(table, command)


def _check_chosen(table: Table, command: c.OpenTable) -> None:
    """Refuse to open a table before the house has chosen every required setting."""
    terms = table.terms
    for name, setting in table.book.house.items():
        required = setting.required and not (setting.wager and not terms.offers(setting.wager))
        if required and not terms.chooses(name) and not command.examples:
            sentence = f"the house must choose {name}: {setting.about}"
            refuse("setting-missing", sentence, table.cite(setting.basis), f"house.{name}")


def _check_link(table: Table, command: c.OpenTable) -> None:
    """Refuse to join a linked meter whose pay table, wager or number of decks differs."""
    linked = table.book.options.get("linked_games")
    allowed = linked is not None and linked.value != "none"
    # In old records, a link has no name and joins no meter. Those records must still replay.
    named = "name" in command.link
    if named and not (allowed and _offers_progressive(table, command)):
        why = "has no progressive" if allowed else f"plays by {table.book.id}, which has no linked games"
        sentence = f"this table {why}; open it without a link"
        clause = table.cite(linked) or command.link.get("clause")
        refuse("link-not-allowed", sentence, clause, "link")
    if not command.link or linked is None or not allowed or (named and "table" not in command.link):
        return
    for key, name in LINK_TERMS.items():
        both = table.link_terms[key], command.link.get(key)
        if both[0] != both[1]:
            ours, theirs = (spoken(v) if key == "wager" and type(v) is int else v for v in both)
            sentence = f"the {name} is {ours} here but {theirs} on the linked meter; they must be equal"
            refuse("link-differs", sentence, table.cite(linked), f"link.{key}")
    # Meters that were opened before houseway recorded these amounts do not have them.
    for key, name in LINK_AMOUNTS.items():
        if key not in command.link or (key == "reserve" and not _chooses_reserve(table)):
            continue
        ours, theirs = table.link_terms.get(key, {}), command.link[key]
        meter = next((meter for meter in ours if ours[meter] != theirs.get(meter)), None)
        if meter is not None:
            amounts = f"{spoken(ours[meter])} here but {spoken(theirs.get(meter, 0))} on the linked meter"
            sentence = f"the {name} of the {meter} meter is {amounts}; they must be equal"
            refuse("link-differs", sentence, table.cite(linked), f"link.{key}")


def _chooses_reserve(table: Table) -> bool:
    return "reserve" in table.book.house and table.terms.chooses("reserve")


def _offers_progressive(table: Table, command: c.OpenTable) -> bool:
    return bool(table.meters) and (command.examples or table.terms.offers("progressive"))


def _check_meters(table: Table, command: c.OpenTable) -> None:
    joined = command.link.get("meters")
    if command.meters and joined is not None:
        sentence = "the linked meter has its own amount; leave out meters"
        refuse("meter-linked", sentence, where="meters")
    there = joined, command.link.get("reserves")
    if joined is not None and not (_fits_link(table, *there) and type(command.link.get("at")) is int):
        _refuse_link(table)
    for name, amount in command.meters.items():
        if name not in table.meters:
            known = suggest(name, table.meters) if table.meters else "it has no meters"
            refuse("unknown-meter", f"this table has no meter {name!r}; {known}", where=f"meters.{name}")
        if type(amount) is not int or amount < 0:
            refuse("bad-amount", "the amount must be in whole cents, 0 or more", where=f"meters.{name}")


def _opened(table: Table, command: c.OpenTable) -> e.TableOpened:
    terms = table.terms
    stake = terms.progressive_amount[0] or 100
    reserves = terms.house("reserve") or {}
    meters = {name: command.meters.get(name, seed(terms, name, stake)) * MICRO for name in table.meters}
    link, joined = command.link, "meters" in command.link
    settings = terms.recorded
    if command.cover_cards and "cover_cards" in table.book.house:
        settings = {**settings, "house": {**settings["house"], "cover_cards": command.cover_cards}}
    return e.TableOpened(
        rulebook=table.book.id,
        hash=terms.hash,
        settings=settings,
        chosen=terms.chosen,
        backs=command.backs if table.book.ranking.decks == 1 else command.backs[:1],
        meters=link["meters"] if joined else meters,
        reserves=(
            link["reserves"] if joined else {name: reserves.get(name, 0) * MICRO for name in table.meters}
        ),
        section="opening",
        dealer=command.dealer,
        purpose=command.purpose,
        unoffered=tuple(
            w
            for w in terms.stakeable
            if w in command.leave_out or not (command.examples or terms.offers(w))
        ),
        link=link.get("name", ""),
        link_at=link["at"] if joined else 0,
        players_cut=COMMITTED if command.players_cut == COMMITTED else PLAIN,
        clause=terms.clause("designated_table"),
    )


def _refuse_link(table: Table) -> NoReturn:
    meters = ", ".join(table.meters)
    sentence = f"this table's meters are {meters}; link it to a progressive with the same meters"
    refuse("bad-link", sentence, where="link.meters")


def _fits_link(table: Table, *amounts: Any) -> bool:
    """True if each argument maps exactly the table's meters to whole numbers."""
    names = set(table.meters)
    return all(type(a) is dict and set(a) == names and {*map(type, a.values())} <= {int} for a in amounts)


def sync_meters(table: Table, state: State, command: c.SyncMeters) -> Events:
    """Copy the amounts of the linked meter to this table."""
    if not state.link:
        refuse("not-linked", "this table has no linked meter", where="link")
    if not _fits_link(table, command.meters, command.reserves):
        _refuse_link(table)
    clause = table.terms.clause("linked_games")
    return e.MetersSynced(meters=command.meters, reserves=command.reserves, at=command.at, clause=clause)


def recut(table: Table, state: State, command: c.Recut) -> Events:
    """Order a new cut, after the first cut and before the first card is dealt."""
    step = table.find("cut")
    if step is None or "recut" not in step.rules:
        refuse("no-recut", f"{table.book.id} has no rule for a recut; continue with this cut", where="cut")
    clause = table.clause(step, "recut")
    check_floor(command, "only a casino supervisor can order a recut", clause, "cut")
    if not state.decks or not state.playing.cut or state.playing.used or state.owed:
        sentence = "a recut can be ordered only after the cut and before the first card is dealt"
        refuse("no-recut-now", sentence, clause, "cut")
    players_cut.check_uncut(state)
    loads = table.find("load")
    loaded = (loads.name,) if loads is not None and state.playing.loaded else ()
    return e.RecutOrdered(by=command.by, owed=(step.name, *loaded), name=command.name, clause=clause)


def close_table(table: Table, state: State, command: c.CloseTable) -> Events:
    """Close the table between rounds."""
    if state.section == "closed":
        refuse("table-closed", "the table is already closed")
    if idle_table.under_way(state):
        refuse("round-under-way", "finish the round first")
    # Chips return to their accounts: an account outlives the table.
    left = [e.PlayerLeft(seat=n, chips=seat.chips) for n, seat in state.seats.items() if seat.account]
    return [*left, e.TableClosed()]


def replace_deck(table: Table, state: State, command: c.ReplaceDeck) -> Events:
    """Replace a deck that is off the table; the new deck goes through the opening steps."""
    deck = next((d for d in state.decks if d.name == command.deck), None)
    if deck is None or deck.stands != "off":
        sentence = f"you can replace only a deck that was taken off the table; deck {command.deck} was not"
        refuse("deck-in-order", sentence, where="deck")
    if state.section == "idle":
        refuse("table-idle", "the table is idle; resume play first", table.rule("after_idle"), "deck")
    if state.section == "round" and state.done:
        refuse("round-under-way", "finish the round first", where="deck")
    now = due(table, state)
    opening = state.decks[now.deck] if now is not None and now.section == "opening" else deck
    if opening is not deck:
        refuse("deck-opening", f"finish the opening steps of deck {opening.name} first", where="deck")
    # Under old rulebooks, the table replaced the deck in the floor's name.
    automatic = command.by == HOUSE and table.names_persons
    if automatic and not auto_approves(table, state):
        sentence = "the house setting auto_approve is off; a floor person must replace the deck"
        refuse("person-needed", sentence, deck.off, "deck")
    if not automatic and table.names_persons:
        check_floor(command, "only a floor person can replace a deck", deck.off, "deck")
    section = "opening" if table.sections["opening"] else "shuffling"
    return e.DeckReplaced(deck=command.deck, section=section, name=command.name, automatic=automatic)


def approve(table: Table, state: State, command: c.Approve) -> Events:
    """Approve the payment that is waiting for approval."""
    pending = state.round.asked
    if pending is None:
        refuse("nothing-to-approve", "no payment is waiting for approval", where="approve")
    _, _, wager, who = pending
    clause = _approval_clause(table, wager, who)
    if table.names_persons:
        automatic = check_person(table, state, command, who, clause)
        return e.PaymentApproved(by=command.by, name=command.name, automatic=automatic, clause=clause)
    check_floor(command, f"only the {who} can approve this payment", clause, "approve")
    return e.PaymentApproved(by=command.by, clause=clause)


HANDLERS: dict[type[c.Command], Any] = {
    c.OpenTable: open_table,
    c.CloseTable: close_table,
    c.SyncMeters: sync_meters,
    c.Perform: perform,
    c.Recut: recut,
    c.ReplaceDeck: replace_deck,
    **idle_table.HANDLERS,
    **keypad.HANDLERS,
    c.Approve: approve,
    **seats_and_wagers.HANDLERS,
    **players_cut.HANDLERS,
    **decisions.HANDLERS,
    **irregularities.HANDLERS,
    **misdeals.HANDLERS,
    **rulings.HANDLERS,
    **unseen_cards.HANDLERS,
}
