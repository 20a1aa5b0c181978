"""Answering a command: the events it leads to, or a refusal with its clause. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from houseway.engine import closing, dealing, decisions, irregular, showdown, wagering
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.answers import Answer, is_floor, refuse, seat_at
from houseway.engine.evolve import fold
from houseway.engine.forms import ill_formed
from houseway.engine.order import due, turn_at
from houseway.engine.progressive import MICRO, seed
from houseway.engine.refusals import Refusal, RefusalError
from houseway.engine.state import State
from houseway.engine.table import Due, Table
from houseway.rules.problems import meant
from houseway.wording import several

ACTS: dict[str, Callable[[Table, State, Due, c.Perform], dealing.Done]] = {
    "note": dealing.note,
    "shuffle": dealing.shuffle,
    "cut": dealing.cut,
    "place cut card": dealing.place_cut_card,
    "load": dealing.load,
    "clear rack": dealing.clear_rack,
    "take other deck": dealing.take_other_deck,
    "burn": dealing.burn,
    "open": dealing.open_round,
    "close betting": dealing.close_betting,
    "lock": dealing.lock,
    "collect progressive": dealing.collect_progressive,
    "lammers": dealing.lammers,
    "deal": dealing.deal,
    "look": dealing.look,
    "turn": dealing.turn,
    "remove stub": dealing.remove_stub,
    "count stub": irregular.count_stub,
    "take folds": showdown.take_folds,
    "reveal": showdown.reveal,
    "set dealer": showdown.set_dealer,
    "arrange": dealing.arrange,
    "show payouts": showdown.show_payouts,
    "settle": showdown.settle,
    "collect": closing.collect,
    "reset": closing.reset,
    "close": closing.close,
}


def decide(table: Table, state: State, command: c.Command) -> Answer:
    """The events a command leads to, or why it is refused."""
    handler = HANDLERS.get(type(command))
    if handler is None:
        return refuse(
            "unknown-command",
            None,
            "",
            f"{type(command).__name__} is no command of a table; commands are in houseway.engine.commands",
        )
    wrong = ill_formed(command)
    if wrong is not None:
        return wrong
    try:
        return handler(table, state, command)  # type: ignore[no-any-return]
    except RefusalError as refused:
        return refused.refusal


def handle(table: Table, state: State, command: c.Command) -> tuple[State, Answer]:
    """The state after a command with its events, or the same state with a refusal."""
    answer = decide(table, state, command)
    if isinstance(answer, Refusal):
        return state, answer
    return fold(answer, state), answer


def perform(table: Table, state: State, command: c.Perform) -> Answer:
    """Perform the step that is due; any other is refused with the clause of the one that is."""
    now = due(table, state)
    played = state.round
    if (
        now is None
        or now.step.name != command.step
        or command.deck
        or state.off
        or played.asked is not None
        or played.challenged
        or now.step.act == "ask"
    ):
        found = _unusual(table, state, now, command)
        if isinstance(found, Refusal):
            return found
        now = found
    step = now.step
    done = ACTS[step.act](table, state, now, command)
    if isinstance(done, Refusal):
        return done
    events, complete = done
    if complete:
        # Most steps leave nothing to say but that they were taken: always the same event, made once.
        plain = command.count is None and not command.name and command.by == "dealer"
        key = (now.section, command.step)
        taken = table.taken.get(key) if plain else None
        if taken is None:
            taken = _taken(table, state, now, command)
            if plain and not taken.deck:
                table.taken[key] = taken
        events.append(taken)
    return tuple(events)


def _unusual(table: Table, state: State, now: Due | None, command: c.Perform) -> Due | Refusal:
    """The step a command means where it is not simply the next one; or why it cannot be taken."""
    if now is None and state.section == "idle":
        sentence = "the table stands idle; take up play again first"
        return refuse("table-idle", table.rule("after_idle"), command.step, sentence)
    if now is None:
        return refuse("table-closed", None, command.step, "the table is not in play; open one first")
    step = table.steps.get(command.step)
    if step is None:
        sentence = f"{command.step!r} is no step of this table; {meant(command.step, table.steps)}"
        return refuse("no-such-step", None, command.step, sentence)
    if state.round.asked is not None or state.round.challenged or state.off:
        held_up = _held_up(table, state, now, command)
        if held_up is not None:
            return held_up
    if now.step is not step and now.step.act == "ask" and "waits" not in now.step.rules:
        now = due(table, state, past_players=True)
        assert now is not None
    if now.step is not step:
        return _out_of_order(table, state, now, command)
    if command.deck:
        wrong_deck = _wrong_deck(table, state, now, command)
        if wrong_deck is not None:
            return wrong_deck
    if step.act == "ask":
        number = turn_at(table, state, step)
        sentence = f"seat {number} is asked; the player answers"
        return refuse("players-first", table.clause(step), command.step, sentence)
    return now


def _taken(table: Table, state: State, now: Due, command: c.Perform) -> e.StepTaken:
    return e.StepTaken(
        step=now.step.name,
        section=now.section,
        by=command.by,
        name=command.name,
        deck=state.decks[now.deck].name if now.section == "opening" else "",
        count=command.count,
        clause=table.clause(now.step),
    )


def _held_up(table: Table, state: State, due_: Due, command: c.Perform) -> Refusal | None:
    """What the dealer must wait for: an approval, a challenge, a deck."""
    now = state.round
    if now.asked is not None:
        seat, _, wager, who = now.asked
        clause = _approved_by(table, wager, who)
        sentence = f"the {who} approves the {wager} of seat {seat} first"
        return refuse("approval-needed", clause, command.step, sentence)
    if now.challenged:
        step = table.find("set dealer")
        clause = table.clause(step, "challenge") if step else None
        sentence = f"seat {now.challenged} has challenged the dealer's hand; answer that first"
        return refuse("challenged", clause, command.step, sentence)
    concerned = state.decks if due_.section == "shuffling" else (state.decks[due_.deck],)
    off = next((deck for deck in concerned if deck.stands == "off"), None)
    if off is not None and not (state.section == "round" and now.void):
        sentence = f"deck {off.name} is off the table; replace it first"
        return refuse("deck-off", off.off, command.step, sentence)
    return None


def _approved_by(table: Table, wager: str, who: str) -> str | None:
    """The clause by which somebody must approve a payment."""
    needed = next((a for a in table.terms.plan.approvals if wager in a.wagers and a.who == who), None)
    return needed.basis.clause(table.mode) if needed else None


def _out_of_order(table: Table, state: State, now: Due, command: c.Perform) -> Refusal:
    step = now.step
    if step.act == "ask":
        number = turn_at(table, state, step)
        sentence = f"seat {number} has not acted; {command.step} waits until every player has"
        clause = table.clause(step, "waits") or table.clause(step)
        return refuse("players-first", clause, command.step, sentence)
    asked = table.steps[command.step]
    if step.act == "settle" and asked.act == "collect" and "waits" in asked.rules:
        sentence = f"{step.name} comes first; cards are collected once every wager is settled"
        return refuse("wagers-open", table.clause(asked, "waits"), command.step, sentence)
    sentence = f"{step.name} comes first"
    again = table.standing.get("after_idle")
    resumes = again is not None and step.name in state.owed[:1] and step.name in again.value
    clause = table.rule("after_idle") if resumes else table.clause(step)
    return refuse("out-of-order", clause, command.step, sentence)


def _wrong_deck(table: Table, state: State, now: Due, command: c.Perform) -> Refusal | None:
    if not command.deck or now.step.act == "take other deck":
        return None
    names = [deck.name for deck in state.decks]
    expected = state.decks[now.deck].name
    if command.deck == expected:
        return None
    if command.deck not in names:
        sentence = f"there is no deck {command.deck}; {meant(command.deck, names)}"
        return refuse("no-such-deck", None, command.step, sentence)
    if "one_deck" not in table.standing and now.section != "opening":
        return None
    sentence = f"deck {expected} is in play; one deck at a time is dealt from"
    return refuse("wrong-deck", table.rule("one_deck"), command.step, sentence)


# --- the table itself ---


def open_table(table: Table, state: State, command: c.OpenTable) -> Answer:
    """Open a table, if the house may: designated, settings given, decks and meters as they must be."""
    if state.rulebook:
        closed = "was closed; open another" if state.section == "closed" else "is open"
        return refuse("open-already", None, "table", f"the table {closed}")
    return _not_openable(table, command) or (_opened(table, command),)


def _not_openable(table: Table, command: c.OpenTable) -> Refusal | None:
    book, terms = table.book, table.terms
    if command.dealer not in ("machine", "person"):
        sentence = "the dealer is a machine or a person"
        return refuse("unknown-dealer", None, "dealer", sentence)
    said = book.options.get("designated_table")
    if said is not None and said.value and book.game not in command.designated:
        named = " and ".join(command.designated) or "nothing"
        sentence = f"the table is designated for {named}, not for {book.game}"
        return refuse("not-designated", said.clause(table.mode), "designated", sentence)
    wrong = next(iter(terms.refusals()), None)
    if wrong is not None:
        return wrong
    if not command.backs or (len(command.backs) != table.decks and book.ranking.decks == 1):
        sentence = f"{several(table.decks, 'deck')} at the table; name the back of each"
        return refuse("wrong-decks", terms.clause("decks"), "backs", sentence)
    backs = book.options.get("backs")
    differ = backs is not None and backs.value == "different"
    if differ and backs is not None and len(set(command.backs)) != len(command.backs):
        sentence = "the decks at a table have backs of different colour"
        return refuse("backs-alike", backs.clause(table.mode), "backs", sentence)
    colours = table.standing.get("cover_colours")
    if colours is not None and command.cover_cards and command.cover_cards not in colours.value:
        sentence = f"cover cards are {' or '.join(colours.value)}, not {command.cover_cards}"
        return refuse("cover-card-colour", table.rule("cover_colours"), "cover_cards", sentence)
    return _unlinkable(table, command) or _bad_meters(table, command) or _unchosen(table, command)


def _unchosen(table: Table, command: c.OpenTable) -> Refusal | None:
    """What the house must choose before the table opens and has not."""
    terms = table.terms
    for name, setting in table.book.house.items():
        asked = setting.required and not (setting.wager and not terms.offers(setting.wager))
        if asked and not terms.chooses(name) and not command.examples:
            sentence = f"the house must choose {name}: {setting.about}"
            return refuse("setting-missing", setting.basis.clause(table.mode), f"house.{name}", sentence)
    return None


def _unlinkable(table: Table, command: c.OpenTable) -> Refusal | None:
    """Why the table may not join the meter of others."""
    if not command.link:
        return None
    terms = table.terms
    mine: dict[str, Any] = {
        "table": terms.tables.get("progressive"),
        "wager": terms.progressive_amount[0],
        "decks": table.book.ranking.decks,
    }
    linked = table.book.options.get("linked_games")
    for key, value in mine.items():
        theirs = command.link.get(key)
        if linked is not None and linked.value != "none" and theirs != value:
            sentence = f"games on one meter share its {key}: this one has {value}, the meter {theirs}"
            return refuse("link-differs", linked.clause(table.mode), f"link.{key}", sentence)
    return None


def _bad_meters(table: Table, command: c.OpenTable) -> Refusal | None:
    for name, amount in command.meters.items():
        if name not in table.meters:
            sentence = (
                f"{name!r} is no meter here; {meant(name, table.meters) if table.meters else 'none is'}"
            )
            return refuse("unknown-meter", None, f"meters.{name}", sentence)
        if type(amount) is not int or amount < 0:
            return refuse("bad-amount", None, f"meters.{name}", "a meter shows whole cents")
    return None


def _opened(table: Table, command: c.OpenTable) -> e.TableOpened:
    terms = table.terms
    stake = terms.progressive_amount[0] or 100
    meters = {name: command.meters.get(name, seed(terms, name, stake)) * MICRO for name in table.meters}
    reserves = {name: (terms.house("reserve") or {}).get(name, 0) * MICRO for name in table.meters}
    backs = command.backs if table.book.ranking.decks == 1 else command.backs[:1]
    return e.TableOpened(
        rulebook=table.book.id,
        hash=terms.hash,
        settings=terms.recorded,
        chosen=terms.chosen,
        backs=backs,
        meters=meters,
        reserves=reserves,
        section="opening",
        dealer=command.dealer,
        unoffered=() if command.examples else tuple(w for w in terms.stakeable if not terms.offers(w)),
        clause=terms.clause("designated_table"),
    )


def recut(table: Table, state: State, command: c.Recut) -> Answer:
    """Order a new cut, after the cut and before any card is dealt."""
    step = table.find("cut")
    if step is None or "recut" not in step.rules:
        return refuse("no-recut", None, "cut", f"{table.book.id} knows no recut; the cut stands")
    clause = table.clause(step, "recut")
    if not is_floor(command.by):
        return refuse("not-the-floor", clause, "cut", "a casino supervisor orders a recut")
    if not state.decks or not state.playing.cut or state.playing.used or state.owed:
        sentence = "a recut is ordered after the cut and before any card is dealt"
        return refuse("no-recut-now", clause, "cut", sentence)
    owed = [step.name]
    loads = table.find("load")
    if loads is not None and state.playing.loaded:
        owed.append(loads.name)
    return (e.RecutOrdered(by=command.by, owed=tuple(owed), clause=clause),)


def _under_way(state: State) -> bool:
    """Whether a round is played: one that is open and has no wagers yet may be left."""
    empty = state.round.betting == "open" and not any(s.hands[0].wagers for s in state.seats.values())
    return state.section == "round" and bool(state.done) and not empty


def go_idle(table: Table, state: State, command: c.GoIdle) -> Answer:
    """Let the table stand idle between rounds."""
    if state.section == "idle":
        return refuse("idle-already", None, "table", "the table stands idle already; resume play")
    if state.section not in ("shuffling", "round") or _under_way(state):
        return refuse("round-under-way", None, "table", "a table goes idle between rounds")
    cue = next((cue for cue in table.cues if cue.moment == "idle"), None)
    clause = cue.words.basis.clause(table.mode) if cue else None
    return (e.TableIdled(spread=not _mid_shoe(table, state), clause=clause),)


def _mid_shoe(table: Table, state: State) -> bool:
    """Whether the shoe in play has cards to deal further rounds from."""
    return "lasts" in table.standing and state.playing.used > 0 and not state.cut_card_out


def resume(table: Table, state: State, command: c.Resume) -> Answer:
    """Take up play again: what the rulebook has done anew is owed."""
    if state.section != "idle":
        return refuse("not-idle", None, "table", "the table is not idle; play goes on")
    again = table.standing.get("after_idle")
    owed = tuple(n for n in again.value if n in table.steps) if again is not None else ()
    owed *= len(state.decks) if "each_deck" in table.standing else 1
    section = "round" if _mid_shoe(table, state) else "shuffling"
    return (e.TableResumed(owed=owed, section=section, clause=table.rule("after_idle")),)


def close_table(table: Table, state: State, command: c.CloseTable) -> Answer:
    """Close the table between rounds."""
    if state.section == "closed":
        return refuse("table-closed", None, "table", "the table is closed; open another")
    if _under_way(state):
        return refuse("round-under-way", None, "table", "finish the round first")
    return (e.TableClosed(),)


def replace_deck(table: Table, state: State, command: c.ReplaceDeck) -> Answer:
    """Bring a new deck for one that is off the table; it is opened like any other."""
    deck = next((d for d in state.decks if d.name == command.deck), None)
    if deck is None or deck.stands != "off":
        return refuse(
            "deck-in-order",
            None,
            "deck",
            f"deck {command.deck} is not off the table; only a deck that left it is replaced",
        )
    if state.section == "idle":
        return refuse("table-idle", table.rule("after_idle"), "deck", "take up play again first")
    if state.section == "round" and state.done:
        return refuse("round-under-way", None, "deck", "finish the round first")
    now = due(table, state)
    opening = state.decks[now.deck] if now is not None and now.section == "opening" else deck
    if opening is not deck:
        return refuse("deck-opening", None, "deck", f"finish opening deck {opening.name} first")
    section = "opening" if table.sections["opening"] else "shuffling"
    return (e.DeckReplaced(deck=command.deck, section=section),)


def key_award(table: Table, state: State, command: c.KeyAward) -> Answer:
    """Press the keypad button of an award; pressed again it goes off."""
    seat = seat_at(state, command.seat)
    where = f"seat {command.seat}"
    step = next((s for s in table.sections["round"] if "keyed" in s.rules), None)
    if step is None:
        return refuse("no-keypad", None, where, f"{table.book.id} keys no awards; settle them")
    clause = table.clause(step, "keyed")
    if command.hand not in table.terms.order:
        sentence = f"{command.hand!r} is no class of hands; {meant(command.hand, table.terms.order)}"
        return refuse("no-such-award", clause, where, sentence)
    pressed = state.round.keyed.get(command.seat)
    if pressed == command.hand:
        if "unkeyed" not in step.rules:
            return refuse("keyed-already", clause, where, f"{command.hand} is keyed already; go on")
        return (e.AwardUnkeyed(seat=command.seat, hand=pressed, clause=table.clause(step, "unkeyed")),)
    if pressed is not None:
        sentence = f"{pressed} is keyed for seat {command.seat}; press it again to turn it off"
        return refuse("keyed-already", clause, where, sentence)
    hand = seat.hands[0]
    readable = len(hand.cards) == table.hand_size and len(state.round.board) == table.board_size
    if not hand.collected or not readable or not state.round.revealed or not hand.shown:
        sentence = "an award is keyed for a progressive wager once the hands are read"
        return refuse("nothing-to-key", clause, where, sentence)
    at = showdown.settler(table, state)
    spot = next(s for s in at.spots if s.hand.seat == command.seat)
    right = showdown.progressive_reads(table, at, spot) == command.hand
    return (e.AwardKeyed(seat=command.seat, hand=command.hand, right=right, clause=clause),)


def approve(table: Table, state: State, command: c.Approve) -> Answer:
    """Approve the payment that waits."""
    asked = state.round.asked
    if asked is None:
        return refuse("nothing-to-approve", None, "approve", "no payment waits for approval; go on")
    _, _, wager, who = asked
    clause = _approved_by(table, wager, who)
    if not is_floor(command.by):
        return refuse("not-the-floor", clause, "approve", f"the {who} approves it")
    return (e.PaymentApproved(by=command.by, clause=clause),)


HANDLERS: dict[type[c.Command], Any] = {
    c.OpenTable: open_table,
    c.CloseTable: close_table,
    c.Perform: perform,
    c.Recut: recut,
    c.GoIdle: go_idle,
    c.Resume: resume,
    c.ReplaceDeck: replace_deck,
    c.KeyAward: key_award,
    c.Approve: approve,
    **wagering.HANDLERS,
    **decisions.HANDLERS,
    **irregular.HANDLERS,
}
