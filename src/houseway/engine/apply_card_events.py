"""Apply events about tables and cards to the state: decks, deals, cards turned up, the rack,
irregularities."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from houseway.cards import UNSEEN
from houseway.engine import events as e
from houseway.engine import fold_registry
from houseway.engine.fold_registry import (
    card_place,
    confirmation_key,
    folds,
    into_rack,
    off_deck,
    on_deck,
    on_hand,
    on_round,
    seat_of,
    use_drawn,
)
from houseway.engine.state import COMMITTED, Deck, State

STATE_CHANGES: fold_registry.Changes = {
    e.DeckCut: lambda state, event: {"decks": on_deck(state, event.deck, cut=True)},
    e.CutCardPlaced: lambda state, event: {"behind": event.behind},
    e.CutCardReached: lambda state, event: {"cut_card_out": True},
    e.DeckLoaded: lambda state, event: {
        "decks": on_deck(state, event.deck, loaded=True, stands=event.into)
    },
    e.RackCleared: lambda state, event: {"rack": (), "rack_deck": ""},
    e.DeckRemoved: lambda state, event: {
        "decks": on_deck(state, event.deck, stands="off", off=event.clause),
        "off": True,
    },
    e.TableResumed: lambda state, event: {
        "section": event.section,
        "done": "",
        "owed": event.owed,
        "emptied": False,
    },
    e.TableClosed: lambda state, event: {"section": "closed", "done": ""},
    e.DeckInspected: lambda state, event: {"inspected": {**state.inspected, event.deck: event.name}},
    e.DeckVerified: lambda state, event: {},
    e.InspectionOffered: lambda state, event: {},
    e.DeckWashed: lambda state, event: {},
    e.ItemConfirmed: lambda state, event: {
        "confirmed": {**state.confirmed, confirmation_key(event.step, event.deck): event.name or event.by}
    },
}

ROUND_CHANGES: fold_registry.Changes = {
    e.BoardTurned: lambda now, event: {"up": now.up + len(event.face)},
    e.BoardArranged: lambda now, event: {"arranged": event.face},
    e.PlayersLooked: lambda now, event: {"looking": True},
    e.DealerRevealed: lambda now, event: {"revealed": True, "qualifies": event.qualifies},
    e.DealerHandSet: lambda now, event: {"kept": event.kept, "set_by": event.by},
    e.HandChallenged: lambda now, event: {"challenged": event.seat},
    e.ChallengeAnswered: lambda now, event: {
        "challenged": 0,
        "kept": event.kept,
        "set_by": event.by,
        "answered": event.final,
    },
    e.DealerHandReset: lambda now, event: {"kept": event.kept, "set_by": event.by},
    e.PayoutsShown: lambda now, event: {"payouts": event.hands},
    e.CardsLeft: lambda now, event: {"left": (*now.left, event.seat)},
    e.CardSkipped: lambda now, event: {
        "served": (*now.served, event.at),
        "skipped": (*now.skipped, event.at),
    },
}


@folds(e.TableOpened)
def _table_opened(state: State, event: e.TableOpened) -> State:
    decks = tuple(Deck(name, back) for name, back in zip("ABCDEFGH", event.backs, strict=False))
    funded = {"meters": sum(event.meters.values()), "reserves": sum(event.reserves.values())}
    return replace(
        state, section=event.section, done="", decks=decks, meters=event.meters, reserves=event.reserves,
        house=state.house if event.link_at else state.house - sum(funded.values()),
        link=event.link, elsewhere=funded if event.link_at else state.elsewhere,
        settings=event.settings, dealer=event.dealer, purpose=event.purpose,
        unoffered=event.unoffered, players_cut=event.players_cut,
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
        Deck(
            d.name, d.back, event.stands, loaded=event.stands != "stack", seal=event.seal, ahead=event.ahead
        )
        if d.name == event.deck
        else d
        for d in state.decks
    )
    if event.ahead:
        # The deck in play is not touched.
        return replace(state, decks=fresh)
    shuffled = replace(state, decks=fresh, cut_card_out=False)
    if event.deck == state.rack_deck:
        shuffled = replace(shuffled, rack=(), rack_deck="")
    if state.players_cut == COMMITTED and state.round.betting == "open" and state.section == "round":
        # The commitments were to the old seal; players commit again.
        shuffled = on_round(shuffled, seal=event.seal, commitments={})
    # A card drawn in error goes back into the shuffle.
    return on_round(shuffled, drawn=()) if state.round.drawn else shuffled


@folds(e.DecksSwapped)
def _decks_swapped(state: State, event: e.DecksSwapped) -> State:
    decks = on_deck(state, event.into_device, stands="device", loaded=False)
    now = next(n for n, d in enumerate(decks) if d.name == event.into_play)
    if event.stands:
        place = {"stands": event.stands, "loaded": event.stands != "stack"}
        decks = tuple(replace(d, **place) if n == now else d for n, d in enumerate(decks))
    return replace(state, decks=decks, deck=now)


@folds(e.DeckReplaced)
def _deck_replaced(state: State, event: e.DeckReplaced) -> State:
    decks = tuple(Deck(d.name, d.back) if d.name == event.deck else d for d in state.decks)
    now = next(n for n, d in enumerate(decks) if d.name == event.deck)
    off = any(deck.stands == "off" for deck in decks)
    # The new deck needs its own inspection and confirmations.
    confirmed = {k: v for k, v in state.confirmed.items() if not k.endswith(f"/{event.deck}")}
    return replace(
        state, decks=decks, off=off, section=event.section, done="", opening_deck=now, confirmed=confirmed
    )


@folds(e.RecutOrdered)
@folds(e.ReshuffleOrdered)
def _ordered(state: State, event: e.RecutOrdered | e.ReshuffleOrdered) -> State:
    if isinstance(event, e.ReshuffleOrdered) and event.section is not None:
        state = replace(state, section=event.section, done="")
    if isinstance(event, e.ReshuffleOrdered) and event.decks:
        jammed = (replace(d, ahead=False) if d.name in event.decks else d for d in state.decks)
        state = replace(state, decks=tuple(jammed))
    return replace(state, owed=event.owed)


@folds(e.TableIdled)
def _table_idled(state: State, event: e.TableIdled) -> State:
    idled = replace(state, section="idle", done="", owed=())
    if event.spread:
        spread = tuple(
            deck
            if deck.stands == "off"
            else replace(deck, stands="spread", cut=False, loaded=False, ahead=False)
            for deck in state.decks
        )
        idled = replace(idled, decks=spread, rack=(), rack_deck="")
    # An open round without wagers does not count; the next round uses the same deck.
    return on_round(idled, betting="", deck="") if state.round.betting else idled


def _dealt(
    state: State, place: str, count: int, cards: e.Cards, served: tuple[str, ...], shown: int = 0
) -> State:
    """Return the state after a place is dealt cards, of which `shown` are face up."""
    now = state.round
    off, drawn = use_drawn(state, count)
    decks, out = off_deck(state, off, cards), now.out + count
    if place == "dealer":
        now = replace(now, served=served, out=out, drawn=drawn, dealer=now.dealer + cards)
    elif place == "board":
        board, up = now.board + cards, now.up + shown
        now = replace(now, served=served, out=out, drawn=drawn, board=board, up=up)
    else:
        now = replace(now, served=served, out=out, drawn=drawn)
        number = seat_of(place)
        seats = on_hand(state, number, cards=state.seats[number].hands[0].cards + cards)
        return replace(state, decks=decks, round=now, seats=seats)
    return replace(state, decks=decks, round=now)


@folds(e.CardsDealt)
def _cards_dealt(state: State, event: e.CardsDealt) -> State:
    served = (*state.round.served, event.to)
    return _dealt(state, event.to, event.count, event.sealed or event.face, served, len(event.face))


@folds(e.CardsBurned)
def _cards_burned(state: State, event: e.CardsBurned) -> State:
    off, drawn = use_drawn(state, event.count)
    burned = replace(state.round, out=state.round.out + event.count, drawn=drawn)
    decks = off_deck(state, off, event.sealed)
    return replace(state, decks=decks, round=burned, **into_rack(state, "burn", event.sealed, event.count))


@folds(e.StubRemoved)
def _stub_removed(state: State, event: e.StubRemoved) -> State:
    racked = into_rack(state, "stub", (), event.count) if event.racked else {}
    return replace(state, round=replace(state.round, stub_out=True), **racked)


@folds(e.StubCounted)
def _stub_counted(state: State, event: e.StubCounted) -> State:
    racked = into_rack(state, "stub", (), event.count) if event.racked else {}
    counted = replace(state, since_count=0, **racked)
    return counted if event.between else on_round(counted, counted=True)


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
    number, which, discards = card_place(event.what)
    if not number or number not in state.seats:
        return racked
    if discards:
        return replace(racked, seats=on_hand(state, number, discards=()))
    racked = replace(racked, seats=on_hand(state, number, which, racked=True))
    if number in state.round.left:
        racked = on_round(racked, left=tuple(n for n in state.round.left if n != number))
    return racked


@folds(e.CardsSeen)
def _cards_seen(state: State, event: e.CardsSeen) -> State:
    """Replace unseen cards with the named ones, in the order dealt."""
    left = list(event.face)

    def named(cards: e.Cards) -> e.Cards:
        if event.which:
            return cards[: event.which - 1] + event.face + cards[event.which :]
        return tuple(left.pop(0) if card is UNSEEN and left else card for card in cards)

    decks = off_deck(state, 0, event.face, seen=True)
    if event.at == "dealer":
        return on_round(replace(state, decks=decks), dealer=named(state.round.dealer))
    if event.at == "board":
        return on_round(replace(state, decks=decks), board=named(state.round.board))
    number = seat_of(event.at)
    hands = tuple(
        hand if hand.racked or (event.which and n) else replace(hand, cards=named(hand.cards))
        for n, hand in enumerate(state.seats[number].hands)
    )
    seats = {**state.seats, number: replace(state.seats[number], hands=hands)}
    return replace(state, decks=decks, seats=seats)


@folds(e.CardExposed)
def _card_exposed(state: State, event: e.CardExposed) -> State:
    if event.turned_back:
        return state
    return on_round(state, exposed=(*state.round.exposed, (event.at, event.face)))


@folds(e.FaceUpFound)
def _face_up_found(state: State, event: e.FaceUpFound) -> State:
    now = state.round
    if event.at:
        return _face_up_when_dealt(state, event)
    changed = replace(state, decks=off_deck(state, len(event.face), event.face))
    if event.used:
        return on_round(changed, face_up=now.face_up + 1, drawn=now.drawn + event.face)
    aside = replace(changed, **into_rack(state, "face up", event.face, len(event.face)))
    return on_round(aside, face_up=now.face_up + 1, out=now.out + len(event.face))


def _face_up_when_dealt(state: State, event: e.FaceUpFound) -> State:
    """Return the state after a card just dealt was found face up; it is set aside or stays in place."""
    now, at = state.round, event.which - 1
    state = replace(state, decks=off_deck(state, 0, event.face, seen=True))
    found = {"face_up": now.face_up + 1}

    def left(cards: e.Cards) -> e.Cards:
        return cards[:at] + (event.face if event.used else ()) + cards[event.which :]

    if not event.used:
        state = replace(state, **into_rack(state, "face up", event.face, len(event.face)))
    if event.at == "dealer":
        return on_round(state, dealer=left(now.dealer), **found)
    if event.at == "board":
        up = now.up - (not event.used and at < now.up)
        return on_round(state, board=left(now.board), up=up, **found)
    number = seat_of(event.at)
    hand = on_hand(state, number, cards=left(state.seats[number].hands[0].cards))
    return on_round(replace(state, seats=hand), **found)


@folds(e.CardReplaced)
def _card_replaced(state: State, event: e.CardReplaced) -> State:
    cards = event.sealed or event.face
    return _dealt(state, event.at, 1, cards, state.round.served, len(event.face))


@folds(e.CardDrawn)
def _card_drawn(state: State, event: e.CardDrawn) -> State:
    early = replace(state, decks=off_deck(state, len(event.sealed), event.sealed))
    return on_round(early, drawn=state.round.drawn + event.sealed)


@folds(e.BoardExposed)
def _board_exposed(state: State, event: e.BoardExposed) -> State:
    if not event.drawn:
        return on_round(state, turned_early=state.round.up + len(event.face))
    cards = event.sealed + event.face
    early = replace(state, decks=off_deck(state, len(cards), cards))
    return on_round(early, drawn=state.round.drawn + cards)


@folds(e.ExtraDealt)
def _extra_dealt(state: State, event: e.ExtraDealt) -> State:
    cards = event.sealed or event.face
    return _dealt(state, event.at, len(cards), cards, state.round.served, len(event.face))


@folds(e.WrongNumberFound)
def _wrong_number_found(state: State, event: e.WrongNumberFound) -> State:
    """Return the state with the cards that were counted, if the cards of a real table are unseen."""
    number = seat_of(event.at)
    seat = state.seats.get(number)
    cards = state.round.dealer if event.at == "dealer" else seat.hands[0].cards if seat else ()
    extra = event.count - len(cards)
    if not extra or not cards or any(card is not UNSEEN for card in cards):
        return state
    if extra > 0:
        return _dealt(state, event.at, extra, (UNSEEN,) * extra, state.round.served)
    # These cards never left the deck.
    kept, out = cards[: event.count], state.round.out + extra
    state = on_round(replace(state, decks=off_deck(state, extra, ())), out=out)
    if seat is None:
        return on_round(state, dealer=kept)
    return replace(state, seats=on_hand(state, number, cards=kept))


@folds(e.HandCured)
def _hand_cured(state: State, event: e.HandCured) -> State:
    skipped = tuple(place for place in state.round.skipped if place != event.at)
    cured = _dealt(state, event.at, len(event.sealed), event.sealed, state.round.served)
    return on_round(cured, skipped=skipped)


fold_registry.fold_state(STATE_CHANGES)
fold_registry.fold_round(ROUND_CHANGES)
