"""Folding what happens to a table and its cards: decks, deals, turns, the rack, and what goes wrong."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from houseway.engine import events as e
from houseway.engine.folding import (
    folds,
    into_rack,
    off_deck,
    on_deck,
    on_hand,
    on_round,
    on_seat,
    seat_of,
    taken,
)
from houseway.engine.state import Deck, State


@folds(e.TableOpened)
def _table_opened(state: State, event: e.TableOpened) -> State:
    decks = tuple(Deck(name, back) for name, back in zip("ABCDEFGH", event.backs, strict=False))
    funded = sum(event.meters.values()) + sum(event.reserves.values())
    return replace(
        state, section=event.section, done="", decks=decks, meters=event.meters, reserves=event.reserves,
        house=state.house - funded, settings=event.settings, dealer=event.dealer,
        unoffered=event.unoffered,
        rulebook=event.rulebook, hash=event.hash,
    )  # fmt: skip


@folds(e.StepTaken)
def _step_taken(state: State, event: e.StepTaken) -> State:
    if state.owed and state.owed[0] == event.step:
        return replace(state, owed=state.owed[1:])
    if event.section == "round" and not state.round.served:
        return replace(state, section="round", done=event.step)
    changes: dict[str, Any] = {"section": event.section, "done": event.step}
    if event.section == "opening" and event.deck:
        changes["opening_deck"] = next(n for n, d in enumerate(state.decks) if d.name == event.deck)
    if state.round.served:
        changes["round"] = replace(state.round, served=())
    return replace(state, **changes)


@folds(e.DeckShuffled)
def _deck_shuffled(state: State, event: e.DeckShuffled) -> State:
    fresh = tuple(
        Deck(d.name, d.back, event.stands, loaded=event.stands != "stack", seal=event.seal)
        if d.name == event.deck
        else d
        for d in state.decks
    )
    emptied = event.deck == state.rack_deck
    rack = () if emptied else state.rack
    shuffled = replace(
        state, decks=fresh, rack=rack, rack_deck="" if emptied else state.rack_deck, cut_card_out=False
    )
    # A card that left the deck too early is shuffled in again.
    return on_round(shuffled, drawn=()) if state.round.drawn else shuffled


@folds(e.DeckCut)
def _deck_cut(state: State, event: e.DeckCut) -> State:
    return replace(state, decks=on_deck(state, event.deck, cut=True))


@folds(e.CutCardPlaced)
def _cut_card_placed(state: State, event: e.CutCardPlaced) -> State:
    return replace(state, behind=event.behind)


@folds(e.CutCardReached)
def _cut_card_reached(state: State, event: e.CutCardReached) -> State:
    return replace(state, cut_card_out=True)


@folds(e.DeckLoaded)
def _deck_loaded(state: State, event: e.DeckLoaded) -> State:
    return replace(state, decks=on_deck(state, event.deck, loaded=True, stands=event.into))


@folds(e.RackCleared)
def _rack_cleared(state: State, event: e.RackCleared) -> State:
    return replace(state, rack=(), rack_deck="")


@folds(e.DecksSwapped)
def _decks_swapped(state: State, event: e.DecksSwapped) -> State:
    decks = on_deck(state, event.into_device, stands="device", loaded=False)
    now = next(n for n, d in enumerate(decks) if d.name == event.into_play)
    return replace(state, decks=decks, deck=now)


@folds(e.DeckRemoved)
def _deck_removed(state: State, event: e.DeckRemoved) -> State:
    return replace(state, decks=on_deck(state, event.deck, stands="off", off=event.clause), off=True)


@folds(e.DeckReplaced)
def _deck_replaced(state: State, event: e.DeckReplaced) -> State:
    decks = tuple(Deck(d.name, d.back) if d.name == event.deck else d for d in state.decks)
    now = next(n for n, d in enumerate(decks) if d.name == event.deck)
    off = any(deck.stands == "off" for deck in decks)
    return replace(state, decks=decks, off=off, section=event.section, done="", opening_deck=now)


@folds(e.RecutOrdered)
@folds(e.ReshuffleOrdered)
def _ordered(state: State, event: e.RecutOrdered | e.ReshuffleOrdered) -> State:
    section = event.section if isinstance(event, e.ReshuffleOrdered) else None
    if section is not None:
        return replace(state, section=section, done="", owed=event.owed)
    return replace(state, owed=event.owed)


@folds(e.TableIdled)
def _table_idled(state: State, event: e.TableIdled) -> State:
    idled = replace(state, section="idle", done="", owed=())
    if event.spread:
        spread = tuple(
            deck if deck.stands == "off" else replace(deck, stands="spread", cut=False, loaded=False)
            for deck in state.decks
        )
        idled = replace(idled, decks=spread, rack=(), rack_deck="")
    # A round nobody wagered in was not played; its deck is still the next.
    return on_round(idled, betting="", deck="") if state.round.betting else idled


@folds(e.TableResumed)
def _table_resumed(state: State, event: e.TableResumed) -> State:
    return replace(state, section=event.section, done="", owed=event.owed)


@folds(e.TableClosed)
def _table_closed(state: State, event: e.TableClosed) -> State:
    return replace(state, section="closed", done="")


@folds(e.LimitsChanged)
def _limits_changed(state: State, event: e.LimitsChanged) -> State:
    return replace(state, changing={**state.changing, event.wager: event.amount})


@folds(e.MinimumKept)
def _minimum_kept(state: State, event: e.MinimumKept) -> State:
    return replace(state, seats=on_seat(state, event.seat, kept=event.amount))


@folds(e.SeatHeld)
def _seat_held(state: State, event: e.SeatHeld) -> State:
    seat = state.seats[event.seat]
    return replace(state, held={**state.held, event.seat: (seat.player, event.until, seat.kept)})


@folds(e.SeatReleased)
def _seat_released(state: State, event: e.SeatReleased) -> State:
    return replace(state, held={n: h for n, h in state.held.items() if n != event.seat})


def _held_by(state: State, place: str, cards: e.Cards) -> dict[str, Any]:
    """What changes where a place gets more cards."""
    number = seat_of(place)
    if number:
        return {"seats": on_hand(state, number, cards=state.seats[number].hands[0].cards + cards)}
    return {}


@folds(e.CardsDealt)
def _cards_dealt(state: State, event: e.CardsDealt) -> State:
    cards = event.sealed or event.face
    off, drawn = taken(state, event.count)
    now = state.round
    served, out = (*now.served, event.to), now.out + event.count
    if event.to == "dealer":
        now = replace(now, served=served, out=out, drawn=drawn, dealer=now.dealer + cards)
    elif event.to == "board":
        up = now.up + len(event.face)
        now = replace(now, served=served, out=out, drawn=drawn, board=now.board + cards, up=up)
    else:
        now = replace(now, served=served, out=out, drawn=drawn)
        seats = _held_by(state, event.to, cards)
        return replace(state, decks=off_deck(state, off, cards), round=now, **seats)
    return replace(state, decks=off_deck(state, off, cards), round=now)


@folds(e.CardsBurned)
def _cards_burned(state: State, event: e.CardsBurned) -> State:
    off, drawn = taken(state, event.count)
    burned = replace(state.round, out=state.round.out + event.count, drawn=drawn)
    decks = off_deck(state, off, event.sealed)
    return replace(state, decks=decks, round=burned, **into_rack(state, "burn", event.sealed, event.count))


@folds(e.BoardTurned)
def _board_turned(state: State, event: e.BoardTurned) -> State:
    return on_round(state, up=state.round.up + len(event.face))


@folds(e.BoardArranged)
def _board_arranged(state: State, event: e.BoardArranged) -> State:
    return on_round(state, arranged=event.face)


@folds(e.PlayersLooked)
def _players_looked(state: State, event: e.PlayersLooked) -> State:
    return on_round(state, looking=True)


@folds(e.StubRemoved)
def _stub_removed(state: State, event: e.StubRemoved) -> State:
    racked = into_rack(state, "stub", (), event.count) if event.racked else {}
    return replace(state, round=replace(state.round, stub_out=True), **racked)


@folds(e.StubCounted)
def _stub_counted(state: State, event: e.StubCounted) -> State:
    racked = into_rack(state, "stub", (), event.count) if event.racked else {}
    counted = replace(state, since_count=0, **racked)
    return on_round(counted, counted=True)


@folds(e.DealerRevealed)
def _dealer_revealed(state: State, event: e.DealerRevealed) -> State:
    return on_round(state, revealed=True, qualifies=event.qualifies)


@folds(e.DealerHandSet)
def _dealer_hand_set(state: State, event: e.DealerHandSet) -> State:
    return on_round(state, kept=event.kept, set_by=event.by)


@folds(e.HandChallenged)
def _hand_challenged(state: State, event: e.HandChallenged) -> State:
    return on_round(state, challenged=event.seat)


@folds(e.ChallengeAnswered)
def _challenge_answered(state: State, event: e.ChallengeAnswered) -> State:
    return on_round(state, challenged=0, kept=event.kept, set_by=event.by)


@folds(e.PayoutsShown)
def _payouts_shown(state: State, event: e.PayoutsShown) -> State:
    return on_round(state, payouts=event.hands)


@folds(e.HandTurned)
def _hand_turned(state: State, event: e.HandTurned) -> State:
    return replace(state, seats=on_hand(state, event.seat, event.hand, shown=True))


@folds(e.CardsRacked)
def _cards_racked(state: State, event: e.CardsRacked) -> State:
    entry = into_rack(state, event.what, event.face or event.sealed, event.count)
    if event.what in ("board", "dealer", "dealer discards"):
        return replace(state, round=replace(state.round, gone=(*state.round.gone, event.what)), **entry)
    racked = replace(state, **entry)
    if event.what == "drawn in error":
        return on_round(racked, drawn=())
    number = seat_of(event.what.removesuffix(" discards").partition(" hand ")[0])
    if not number or number not in state.seats:
        return racked
    if event.what.endswith(" discards"):
        return replace(racked, seats=on_hand(state, number, discards=()))
    which = int(event.what.rpartition(" hand ")[2]) if " hand " in event.what else 1
    racked = replace(racked, seats=on_hand(state, number, which, racked=True))
    if number in state.round.left:
        racked = on_round(racked, left=tuple(n for n in state.round.left if n != number))
    return racked


@folds(e.CardsLeft)
def _cards_left(state: State, event: e.CardsLeft) -> State:
    return on_round(state, left=(*state.round.left, event.seat))


@folds(e.CardExposed)
def _card_exposed(state: State, event: e.CardExposed) -> State:
    if event.turned_back:
        return state
    return on_round(state, exposed=(*state.round.exposed, (event.at, event.face)))


@folds(e.FaceUpFound)
def _face_up_found(state: State, event: e.FaceUpFound) -> State:
    now = state.round
    changed = replace(state, decks=off_deck(state, len(event.face), event.face))
    if event.used:
        return on_round(changed, face_up=now.face_up + 1, drawn=now.drawn + event.face)
    aside = replace(changed, **into_rack(state, "face up", event.face, len(event.face)))
    return on_round(aside, face_up=now.face_up + 1, out=now.out + len(event.face))


@folds(e.CardDrawn)
def _card_drawn(state: State, event: e.CardDrawn) -> State:
    early = replace(state, decks=off_deck(state, len(event.sealed), event.sealed))
    return on_round(early, drawn=state.round.drawn + event.sealed)


@folds(e.ExtraDealt)
def _extra_dealt(state: State, event: e.ExtraDealt) -> State:
    off, drawn = taken(state, len(event.sealed))
    now = state.round
    changes: dict[str, Any] = {"out": now.out + len(event.sealed), "drawn": drawn}
    if event.at == "dealer":
        changes["dealer"] = now.dealer + event.sealed
    elif event.at == "board":
        changes["board"] = now.board + event.sealed
    found = replace(
        state, decks=off_deck(state, off, event.sealed), **_held_by(state, event.at, event.sealed)
    )
    return on_round(found, **changes)


@folds(e.CardSkipped)
def _card_skipped(state: State, event: e.CardSkipped) -> State:
    now = state.round
    return on_round(state, served=(*now.served, event.at), skipped=(*now.skipped, event.at))


@folds(e.HandCured)
def _hand_cured(state: State, event: e.HandCured) -> State:
    off, drawn = taken(state, len(event.sealed))
    now = state.round
    cured = replace(state, decks=off_deck(state, off, event.sealed))
    skipped = tuple(place for place in now.skipped if place != "dealer")
    out = now.out + len(event.sealed)
    return on_round(cured, dealer=now.dealer + event.sealed, out=out, drawn=drawn, skipped=skipped)
