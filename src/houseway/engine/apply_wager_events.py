"""Apply events about players and wagers to the state: seats, bets, decisions, settlement, refunds."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from houseway.engine import events as e
from houseway.engine import fold_registry
from houseway.engine.fold_registry import folds, mispaid_key, on_deck, on_hand, on_round, on_seat, without
from houseway.engine.meters import MICRO
from houseway.engine.salt_history import OPENED_MARK, UNOPENED_MARK, with_round
from houseway.engine.state import NOTHING, Hand, KeyedAward, Round, Seat, State, house_sums

STATE_CHANGES: fold_registry.Changes = {
    e.PlayerReseated: lambda state, event: {"seats": on_seat(state, event.seat, seated=True)},
    e.PlayerStood: lambda state, event: {"seats": on_seat(state, event.seat, seated=False)},
    e.PlayerRemoved: lambda state, event: {"seats": on_seat(state, event.seat, removed=True)},
    e.MinimumKept: lambda state, event: {"seats": on_seat(state, event.seat, kept=event.amount)},
    e.LimitsChanged: lambda state, event: {"changing": {**state.changing, event.wager: event.amount}},
    e.SeatReleased: lambda state, event: {"held": without(state.held, event.seat)},
    e.Checked: lambda state, event: {"seats": on_hand(state, event.seat, acted=event.stage)},
    e.HandVoided: lambda state, event: {
        "seats": on_hand(state, event.seat, event.hand, void=True, locked=True)
    },
}

ROUND_CHANGES: fold_registry.Changes = {
    e.SaltAdded: lambda now, event: {"salts": {**now.salts, event.seat: event.salt}},
    e.SaltCommitted: lambda now, event: {"commitments": {**now.commitments, event.seat: event.commitment}},
    e.SaltOpened: lambda now, event: {"salts": {**now.salts, event.seat: event.salt}},
    e.SensorsLocked: lambda now, event: {"locked": True, "lit": event.seats if event.lit else ()},
    e.LammersPlaced: lambda now, event: {
        "lammers": (*now.lammers, *((seat, event.hand) for seat in event.seats))
    },
    e.ApprovalAsked: lambda now, event: {"asked": (event.seat, event.hand, event.wager, event.who)},
    e.RoundVoided: lambda now, event: {
        "betting": "closed",
        "void": "trips" if event.trips or event.board else "all",
        "asked": None,
        "challenged": 0,
    },
    e.SystemReset: lambda now, event: {"lit": (), "locked": False},
}


@folds(e.PlayerSeated)
def _player_seated(state: State, event: e.PlayerSeated) -> State:
    hold = state.held.get(event.seat)
    kept = hold[2] if hold and hold[0] == event.player else 0
    kept = kept if event.keeps is None else event.keeps
    seat = Seat(event.player, event.chips, kept=kept, started=event.chips, account=event.account)
    seats = {**state.seats, event.seat: seat}
    held, cage = without(state.held, event.seat), state.cage - event.chips
    return replace(state, seats=dict(sorted(seats.items())), held=held, cage=cage)


@folds(e.PlayerLeft)
def _player_left(state: State, event: e.PlayerLeft) -> State:
    seat, now = state.seats[event.seat], state.round
    if state.section == "round" and event.chips != seat.started:
        # The chips differ because a payment at this seat was corrected in this round.
        gained = now.departed.get(event.seat, 0) + event.chips - seat.started
        state = replace(state, round=replace(now, departed={**now.departed, event.seat: gained}))
    if event.seat in now.commitments:
        # Only the player who leaves knows the salt, so the next player at this seat could not open it.
        state = on_round(state, commitments=without(now.commitments, event.seat))
    left = replace(state, seats=without(state.seats, event.seat), cage=state.cage + event.chips)
    return replace(left, emptied=True) if event.empty else left


@folds(e.SeatHeld)
def _seat_held(state: State, event: e.SeatHeld) -> State:
    seat = state.seats[event.seat]
    return replace(
        state, held={**state.held, event.seat: (seat.player, event.until, seat.kept or event.keeps)}
    )


@folds(e.RoundOpened)
def _round_opened(state: State, event: e.RoundOpened) -> State:
    fresh = Hand()
    seats = {n: replace(s, hands=(fresh,), started=s.chips) for n, s in state.seats.items()}
    opened = Round(
        number=event.number, deck=event.deck, betting="open", seal=event.seal, before=house_sums(state)
    )
    opened_round = replace(
        state, round=opened, seats=seats, rounds=event.number, minima=event.limits, changing=NOTHING
    )
    if state.decks and state.playing.ahead:
        return replace(opened_round, decks=on_deck(state, event.deck, ahead=False))
    return opened_round


@folds(e.WagersPlaced)
def _wagers_placed(state: State, event: e.WagersPlaced) -> State:
    seat = state.seats[event.seat]
    hand = seat.hands[0]
    placed = sum(event.wagers.values()) + sum(event.tips.values())
    bet = replace(hand, wagers=event.wagers, made=event.wagers, tips=event.tips, coupon=event.coupon)
    chips = seat.chips + hand.staked - placed
    changed = replace(seat, chips=chips, hands=(bet,), minimum=event.minimum)
    return replace(state, seats={**state.seats, event.seat: changed})


@folds(e.WagersTakenBack)
def _wagers_taken_back(state: State, event: e.WagersTakenBack) -> State:
    seat = state.seats[event.seat]
    back = replace(seat, chips=seat.chips + seat.hands[0].staked, hands=(Hand(),))
    return replace(state, seats={**state.seats, event.seat: back})


@folds(e.BettingClosed)
def _betting_closed(state: State, event: e.BettingClosed) -> State:
    playing = [n for n, s in state.seats.items() if s.hands[0].wagers]
    seats = {
        n: replace(s, played_at=s.minimum) if n in playing and s.minimum != s.played_at else s
        for n, s in state.seats.items()
    }
    for n, entry in event.entries.items():
        least = min(seats[n].least or entry, entry)
        seats[n] = replace(seats[n], least=least)
    # A player who bets has returned, so the seat is no longer held.
    held = {n: h for n, h in state.held.items() if n not in playing} if state.held else state.held
    decks = on_deck(state, state.playing.name, mixed=True)
    closed = replace(state.round, betting="closed", players=tuple(playing))
    if closed.commitments:
        # Only players with a wager in the round cut its cards.
        committed = {n: commitment for n, commitment in closed.commitments.items() if n in playing}
        closed = replace(closed, commitments=committed)
    return replace(state, seats=seats, held=held, decks=decks, round=closed)


@folds(e.DeckDiscarded)
def _deck_discarded(state: State, event: e.DeckDiscarded) -> State:
    openings = state.openings
    for number in event.seats:
        openings = with_round(openings, state.seats[number].player, UNOPENED_MARK)
    return on_round(replace(state, openings=openings), unopened=event.seats)


@folds(e.ProgressiveCollected)
def _progressive_collected(state: State, event: e.ProgressiveCollected) -> State:
    seats = dict(state.seats)
    for number, stake in event.stakes.items():
        seat = seats[number]
        hand = seat.hands[0]
        collected = replace(hand, wagers=without(hand.wagers, "progressive"), collected=stake)
        seats[number] = replace(seat, hands=(collected,))
    total = sum(event.stakes.values())
    lit = state.round.lit if event.stays_lit else ()
    return on_round(replace(state, seats=seats, house=state.house + total * MICRO), lit=lit)


@folds(e.MeterFed)
def _meter_fed(state: State, event: e.MeterFed) -> State:
    meters = {n: m + event.meters.get(n, 0) for n, m in state.meters.items()}
    reserves = {n: m + event.reserves.get(n, 0) for n, m in state.reserves.items()}
    fed = sum(event.meters.values()) + sum(event.reserves.values())
    changed = on_round(state, fed=event.meters)
    return replace(changed, meters=meters, reserves=reserves, house=state.house - fed)


@folds(e.MetersSynced)
def _meters_synced(state: State, event: e.MetersSynced) -> State:
    elsewhere = {
        "meters": sum(event.meters.values()) - sum(state.meters.values()),
        "reserves": sum(event.reserves.values()) - sum(state.reserves.values()),
    }
    now, fell = state.round, any(event.meters[name] < shows for name, shows in state.meters.items())
    if fell:
        # Another table has won: an award that was approved here is now smaller, and needs a new approval.
        asked = None if now.asked is not None and now.asked[2] == "progressive" else now.asked
        now = replace(now, asked=asked, approved=tuple(a for a in now.approved if a[2] != "progressive"))
    return replace(
        state,
        meters=event.meters,
        reserves=event.reserves,
        elsewhere={name: state.elsewhere.get(name, 0) + moved for name, moved in elsewhere.items()},
        round=now,
    )


@folds(e.PlayMade)
def _play_made(state: State, event: e.PlayMade) -> State:
    seat = state.seats[event.seat]
    hand = seat.hands[0]
    tips = {**hand.tips, "play": event.tip} if event.tip else hand.tips
    wagers = {**hand.wagers, "play": hand.wagers.get("play", 0) + event.amount}
    acted = event.stage if event.locks else hand.acted
    made = {**hand.made, "play": wagers["play"]}
    played = replace(hand, wagers=wagers, made=made, tips=tips, acted=acted, locked=event.locks)
    changed = replace(seat, chips=seat.chips - event.amount - event.tip, hands=(played,))
    return replace(state, seats={**state.seats, event.seat: changed})


@folds(e.Folded)
def _folded(state: State, event: e.Folded) -> State:
    how = "held" if event.held else "folded"
    return replace(state, seats=on_hand(state, event.seat, acted=event.stage, folded=how, locked=True))


@folds(e.FoldSeen)
def _fold_seen(state: State, event: e.FoldSeen) -> State:
    changes = {"folded": "held"} if event.held else {"unread": True}
    return replace(state, seats=on_hand(state, event.seat, **changes))


@folds(e.HandSet)
def _hand_set(state: State, event: e.HandSet) -> State:
    seat = state.seats[event.seat]
    first, discards = seat.hands[0], event.sealed
    # If the player had split first, the second hand's wagers go back to the chips.
    chips = seat.chips + sum(second.staked for second in seat.hands[1:])
    kept = replace(first, cards=event.face, discards=discards, shown=event.shown, acted="set")
    return replace(state, seats=on_seat(state, event.seat, hands=(kept,), chips=chips))


@folds(e.HandSplit)
def _hand_split(state: State, event: e.HandSplit) -> State:
    seat = state.seats[event.seat]
    chips = seat.chips + sum(second.staked for second in seat.hands[1:])
    first = replace(seat.hands[0], cards=event.first, discards=(), shown=event.shown, acted="set")
    wagers = {"wager": event.wager, "bonus": event.bonus} if event.bonus else {"wager": event.wager}
    second = Hand(event.second, wagers, wagers, shown=event.shown, acted="set")
    chips -= event.wager + event.bonus
    return replace(state, seats=on_seat(state, event.seat, hands=(first, second), chips=chips))


@folds(e.PaymentApproved)
def _payment_approved(state: State, event: e.PaymentApproved) -> State:
    pending = state.round.asked
    approved = (*state.round.approved, pending[:3]) if pending else state.round.approved
    return on_round(state, asked=None, approved=approved)


@folds(e.WagerSettled)
def _wager_settled(state: State, event: e.WagerSettled) -> State:
    seat = state.seats[event.seat]
    hands = list(seat.hands)
    hand = hands[event.hand - 1]
    chips = seat.chips
    tips = state.tips
    stake = event.stake
    if event.for_dealer:
        hand = replace(hand, tips={w: a for w, a in hand.tips.items() if w != event.wager})
        tips += event.back
    else:
        if event.coupon:
            hand = replace(hand, coupon=0)
        elif event.stake and hand.collected and event.wager == "progressive":
            stake = 0
            hand = replace(hand, collected=0)
        elif event.stake:
            hand = replace(hand, wagers={w: a for w, a in hand.wagers.items() if w != event.wager})
        chips += event.back
    hands[event.hand - 1] = hand
    house = state.house + (stake - event.back) * MICRO
    seats = {**state.seats, event.seat: replace(seat, chips=chips, hands=tuple(hands))}
    now = replace(state.round, settled=(*state.round.settled, event))
    if event.keyed:
        now = replace(now, awards=without(now.awards, event.seat))
    settled = replace(state, seats=seats, house=house, tips=tips, round=now)
    if event.coupon and event.result != "push":
        settled = _coupon_used(settled, seat.player, 1)
    return _meter_moved(settled, event) if event.meter and not event.keyed else settled


def _coupon_used(state: State, player: str, count: int) -> State:
    return replace(state, coupons={**state.coupons, player: state.coupons.get(player, 0) + count})


def _meter_moved(
    state: State,
    event: e.WagerSettled | e.WagerRestored | e.AwardKeyed | e.AwardUnkeyed,
    sign: int = 1,
) -> State:
    """Take an award off its meter, and reset the meter if the award resets it; `sign` -1 undoes this."""
    name, house = event.meter, sign * (event.awarded - event.seeded) * MICRO
    meters = {**state.meters, name: state.meters[name] - house + sign * event.released}
    reserves = state.reserves
    if event.released:
        reserves = {**reserves, name: reserves[name] - sign * event.released}
    return replace(state, meters=meters, reserves=reserves, house=state.house + house)


@folds(e.AwardKeyed)
def _award_keyed(state: State, event: e.AwardKeyed) -> State:
    keyed = on_round(state, keyed={**state.round.keyed, event.seat: event.hand})
    if not event.meter:
        return keyed
    award = KeyedAward(event.meter, event.awarded, event.seeded, event.released, event.right)
    return _meter_moved(on_round(keyed, awards={**state.round.awards, event.seat: award}), event)


@folds(e.AwardUnkeyed)
def _award_unkeyed(state: State, event: e.AwardUnkeyed) -> State:
    now = state.round
    off = on_round(state, keyed=without(now.keyed, event.seat), awards=without(now.awards, event.seat))
    return _meter_moved(off, event, -1) if event.meter else off


@folds(e.WagerRestored)
def _wager_restored(state: State, event: e.WagerRestored) -> State:
    """Undo the last settled wager: its stake is unsettled again, and its payment is taken back."""
    seat = state.seats[event.seat]
    hand, stake, tips = seat.hands[event.hand - 1], event.stake, state.tips
    chips = seat.chips - event.mispaid
    if event.for_dealer:
        changes: dict[str, Any] = {"tips": {**hand.tips, event.wager: stake}}
        tips -= event.back
    else:
        chips -= event.back
        if event.coupon:
            changes = {"coupon": event.coupon}
        elif event.collected:
            changes, stake = {"collected": stake}, 0
        else:
            changes = {"wagers": {**hand.wagers, event.wager: stake}} if stake else {}
    seats = on_hand(state, event.seat, event.hand, **changes)
    seats[event.seat] = replace(seats[event.seat], chips=chips)
    house = state.house + (event.back + event.mispaid - stake) * MICRO
    key = mispaid_key(seat.player, event.seat, event.hand, event.wager)
    mispaid = without(state.mispaid, key) if event.mispaid else state.mispaid
    now = replace(state.round, settled=state.round.settled[:-1])
    restored = replace(state, seats=seats, house=house, tips=tips, mispaid=mispaid, round=now)
    if event.coupon and state.round.settled[-1].result != "push":
        restored = _coupon_used(restored, seat.player, -1)
    return _meter_moved(restored, event, -1) if event.meter else restored


@folds(e.RoundClosed)
def _round_closed(state: State, event: e.RoundClosed) -> State:
    since = state.since_count if state.round.counted or not event.dealt else state.since_count + 1
    closed = replace(state, section=event.section, done="", since_count=since, owed=())
    if openings := state.openings:
        opened = [n for n in state.round.players if n in state.seats and n not in state.round.unopened]
        for number in opened:
            openings = with_round(openings, state.seats[number].player, OPENED_MARK)
        closed = replace(closed, openings=openings)
    return on_round(closed, betting="", looking=False, void="")


@folds(e.WagersReturned)
def _wagers_returned(state: State, event: e.WagersReturned) -> State:
    seat = state.seats[event.seat]
    hand = seat.hands[event.hand - 1]
    left = {w: a for w, a in hand.wagers.items() if w not in event.wagers}
    gone = {*event.wagers, *event.taken, *(("progressive",) if event.collected else ())}
    made = {w: a for w, a in hand.made.items() if w not in gone}
    tips = {w: a for w, a in hand.tips.items() if w not in event.tips}
    coupon = 0 if event.coupon else hand.coupon
    collected = 0 if event.collected else hand.collected
    seats = on_hand(
        state, event.seat, event.hand, wagers=left, made=made, tips=tips, coupon=coupon, collected=collected
    )
    from_house = event.collected + sum(event.taken.values())
    back = sum(event.wagers.values()) + sum(event.tips.values()) + from_house
    seats[event.seat] = replace(seats[event.seat], chips=seat.chips + back)
    return replace(state, seats=seats, house=state.house - from_house * MICRO)


@folds(e.MispaymentMade)
@folds(e.PaymentCorrected)
def _money_moved(state: State, event: e.MispaymentMade | e.PaymentCorrected) -> State:
    """Move chips for a mispayment or its correction."""
    seat = state.seats[event.seat]
    if isinstance(event, e.PaymentCorrected) and event.ruled:
        seats = on_seat(state, event.seat, chips=seat.chips + event.amount)
        return replace(state, seats=seats, house=state.house - event.amount * MICRO)
    key = mispaid_key(seat.player, event.seat, event.hand, event.wager)
    uncorrected = state.mispaid.get(key, (0, None))[0] + event.amount
    mispaid = without(state.mispaid, key)
    if uncorrected:
        mispaid[key] = (uncorrected, event.clause)
    seats = on_seat(state, event.seat, chips=seat.chips + event.amount)
    return replace(state, seats=seats, house=state.house - event.amount * MICRO, mispaid=mispaid)


fold_registry.fold_state(STATE_CHANGES)
fold_registry.fold_round(ROUND_CHANGES)
NOTED = (
    e.PlayersCutMade, e.DeviceJammed, e.BackupTaken, e.FoldTaken, e.CardsCounted, e.RulingMade,
)  # fmt: skip
"""Events that do not change the state."""
fold_registry.FOLDS.update(dict.fromkeys(NOTED, lambda state, event: state))
