"""Folding what players do and what wagers come to: seats, bets, decisions, settlement, refunds."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from houseway.engine import events as e
from houseway.engine.folding import folds, mispaid_key, on_deck, on_hand, on_round, on_seat
from houseway.engine.progressive import MICRO
from houseway.engine.state import NOTHING, Hand, Round, Seat, State, sums


@folds(e.PlayerSeated)
def _player_seated(state: State, event: e.PlayerSeated) -> State:
    hold = state.held.get(event.seat)
    kept = hold[2] if hold and hold[0] == event.player else 0
    seats = {**state.seats, event.seat: Seat(event.player, event.chips, kept=kept, started=event.chips)}
    held = {n: h for n, h in state.held.items() if n != event.seat}
    ordered = {n: seats[n] for n in sorted(seats)}
    return replace(state, seats=ordered, held=held, cage=state.cage - event.chips)


@folds(e.PlayerReseated)
def _player_reseated(state: State, event: e.PlayerReseated) -> State:
    return replace(state, seats=on_seat(state, event.seat, seated=True))


@folds(e.PlayerStood)
def _player_stood(state: State, event: e.PlayerStood) -> State:
    return replace(state, seats=on_seat(state, event.seat, seated=False))


@folds(e.PlayerLeft)
def _player_left(state: State, event: e.PlayerLeft) -> State:
    seats = {n: s for n, s in state.seats.items() if n != event.seat}
    return replace(state, seats=seats, cage=state.cage + event.chips)


@folds(e.RoundOpened)
def _round_opened(state: State, event: e.RoundOpened) -> State:
    fresh = Hand()
    seats = {n: replace(s, hands=(fresh,), started=s.chips) for n, s in state.seats.items()}
    opened = Round(
        number=event.number, deck=event.deck, betting="open", seal=event.seal, before=sums(state)
    )
    return replace(
        state, round=opened, seats=seats, rounds=event.number, minima=event.limits, changing=NOTHING
    )


@folds(e.WagersPlaced)
def _wagers_placed(state: State, event: e.WagersPlaced) -> State:
    seat = state.seats[event.seat]
    hand = seat.hands[0]
    placed = sum(event.wagers.values()) + sum(event.tips.values())
    laid = replace(hand, wagers=event.wagers, made=event.wagers, tips=event.tips, coupon=event.coupon)
    chips = seat.chips + hand.staked - placed
    changed = replace(seat, chips=chips, hands=(laid,), minimum=event.minimum)
    return replace(state, seats={**state.seats, event.seat: changed})


@folds(e.SaltAdded)
def _salt_added(state: State, event: e.SaltAdded) -> State:
    return on_round(state, salts={**state.round.salts, event.seat: event.salt})


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
    # Who plays on needs no seat held.
    held = {n: h for n, h in state.held.items() if n not in playing} if state.held else state.held
    decks = on_deck(state, state.playing.name, mixed=True)
    closed = replace(state.round, betting="closed", players=tuple(playing))
    return replace(state, seats=seats, held=held, decks=decks, round=closed)


@folds(e.SensorsLocked)
def _sensors_locked(state: State, event: e.SensorsLocked) -> State:
    return on_round(state, locked=True, lit=event.seats if event.lit else ())


@folds(e.ProgressiveCollected)
def _progressive_collected(state: State, event: e.ProgressiveCollected) -> State:
    seats = dict(state.seats)
    for number, stake in event.stakes.items():
        seat = seats[number]
        hand = seat.hands[0]
        wagers = {w: a for w, a in hand.wagers.items() if w != "progressive"}
        seats[number] = replace(seat, hands=(replace(hand, wagers=wagers, collected=stake),))
    taken = sum(event.stakes.values())
    lit = state.round.lit if event.stays_lit else ()
    return on_round(replace(state, seats=seats, house=state.house + taken * MICRO), lit=lit)


@folds(e.MeterFed)
def _meter_fed(state: State, event: e.MeterFed) -> State:
    meters = {n: m + event.meters.get(n, 0) for n, m in state.meters.items()}
    reserves = {n: m + event.reserves.get(n, 0) for n, m in state.reserves.items()}
    fed = sum(event.meters.values()) + sum(event.reserves.values())
    changed = on_round(state, fed=event.meters)
    return replace(changed, meters=meters, reserves=reserves, house=state.house - fed)


@folds(e.LammersPlaced)
def _lammers_placed(state: State, event: e.LammersPlaced) -> State:
    marked = tuple((seat, event.hand) for seat in event.seats)
    return on_round(state, lammers=(*state.round.lammers, *marked))


@folds(e.Checked)
def _checked(state: State, event: e.Checked) -> State:
    return replace(state, seats=on_hand(state, event.seat, acted=event.stage))


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


@folds(e.HandSet)
def _hand_set(state: State, event: e.HandSet) -> State:
    seat = state.seats[event.seat]
    first = seat.hands[0]
    wagers = first.wagers
    chips = seat.chips
    if len(seat.hands) == 2:
        # A split taken back before the discards are collected: the second wager comes off again.
        chips += seat.hands[1].staked
    kept = replace(
        first, cards=event.face, discards=event.sealed, shown=event.shown, acted="set", wagers=wagers
    )
    return replace(state, seats=on_seat(state, event.seat, hands=(kept,), chips=chips))


@folds(e.HandSplit)
def _hand_split(state: State, event: e.HandSplit) -> State:
    seat = state.seats[event.seat]
    chips = seat.chips + (seat.hands[1].staked if len(seat.hands) == 2 else 0)
    first = replace(seat.hands[0], cards=event.first, discards=(), shown=event.shown, acted="set")
    wagers = {"wager": event.wager, "bonus": event.bonus} if event.bonus else {"wager": event.wager}
    second = Hand(event.second, wagers, wagers, shown=event.shown, acted="set")
    chips -= event.wager + event.bonus
    return replace(state, seats=on_seat(state, event.seat, hands=(first, second), chips=chips))


@folds(e.AwardKeyed)
def _award_keyed(state: State, event: e.AwardKeyed) -> State:
    return on_round(state, keyed={**state.round.keyed, event.seat: event.hand})


@folds(e.AwardUnkeyed)
def _award_unkeyed(state: State, event: e.AwardUnkeyed) -> State:
    return on_round(state, keyed={n: h for n, h in state.round.keyed.items() if n != event.seat})


@folds(e.ApprovalAsked)
def _approval_asked(state: State, event: e.ApprovalAsked) -> State:
    return on_round(state, asked=(event.seat, event.hand, event.wager, event.who))


@folds(e.PaymentApproved)
def _payment_approved(state: State, event: e.PaymentApproved) -> State:
    asked = state.round.asked
    approved = (*state.round.approved, asked[:3]) if asked else state.round.approved
    return on_round(state, asked=None, approved=approved)


@folds(e.WagerSettled)
def _wager_settled(state: State, event: e.WagerSettled) -> State:
    seat = state.seats[event.seat]
    hands = list(seat.hands)
    hand = hands[event.hand - 1]
    chips = seat.chips
    tips = state.tips
    laid = event.stake
    if event.for_dealer:
        hand = replace(hand, tips={w: a for w, a in hand.tips.items() if w != event.wager})
        tips += event.back
    else:
        if event.coupon:
            hand = replace(hand, coupon=0)
        elif event.stake and hand.collected and event.wager == "progressive":
            laid = 0
            hand = replace(hand, collected=0)
        elif event.stake:
            hand = replace(hand, wagers={w: a for w, a in hand.wagers.items() if w != event.wager})
        chips += event.back
    hands[event.hand - 1] = hand
    house = state.house + (laid - event.back + event.awarded) * MICRO
    changes: dict[str, Any] = {}
    if event.meter:
        moved = event.seeded * MICRO + event.released - event.awarded * MICRO
        changes["meters"] = {**state.meters, event.meter: state.meters[event.meter] + moved}
        house -= event.seeded * MICRO
        if event.released:
            left = state.reserves[event.meter] - event.released
            changes["reserves"] = {**state.reserves, event.meter: left}
    seats = {**state.seats, event.seat: replace(seat, chips=chips, hands=tuple(hands))}
    now = replace(state.round, settled=(*state.round.settled, event))
    return replace(state, seats=seats, house=house, tips=tips, round=now, **changes)


@folds(e.SystemReset)
def _system_reset(state: State, event: e.SystemReset) -> State:
    return on_round(state, lit=(), locked=False)


@folds(e.RoundClosed)
def _round_closed(state: State, event: e.RoundClosed) -> State:
    since = state.since_count if state.round.counted else state.since_count + 1
    closed = replace(state, section=event.section, done="", since_count=since, owed=())
    return on_round(closed, betting="", looking=False, void="")


@folds(e.HandVoided)
def _hand_voided(state: State, event: e.HandVoided) -> State:
    return replace(state, seats=on_hand(state, event.seat, void=True, locked=True))


@folds(e.RoundVoided)
def _round_voided(state: State, event: e.RoundVoided) -> State:
    void = "trips" if event.trips else "all"
    return on_round(state, betting="closed", void=void, asked=None, challenged=0)


@folds(e.WagersReturned)
def _wagers_returned(state: State, event: e.WagersReturned) -> State:
    seat = state.seats[event.seat]
    hands = list(seat.hands)
    hand = hands[event.hand - 1]
    left = {w: a for w, a in hand.wagers.items() if w not in event.wagers}
    gone = {*event.wagers, *(("progressive",) if event.collected else ())}
    made = {w: a for w, a in hand.made.items() if w not in gone}
    tips = {w: a for w, a in hand.tips.items() if w not in event.tips}
    hands[event.hand - 1] = replace(
        hand, wagers=left, made=made, tips=tips, coupon=0 if event.coupon else hand.coupon,
        collected=0 if event.collected else hand.collected,
    )  # fmt: skip
    back = sum(event.wagers.values()) + sum(event.tips.values()) + event.collected
    changed = replace(seat, chips=seat.chips + back, hands=tuple(hands))
    return replace(
        state,
        seats={**state.seats, event.seat: changed},
        house=state.house - event.collected * MICRO,
    )


@folds(e.PlayersCutMade)
@folds(e.DeviceJammed)
@folds(e.BackupTaken)
@folds(e.FoldTaken)
@folds(e.CardsCounted)
@folds(e.WrongNumberFound)
def _nothing_moves(state: State, event: e.Event) -> State:
    return state


@folds(e.MispaymentMade)
@folds(e.PaymentCorrected)
def _money_moved(state: State, event: e.MispaymentMade | e.PaymentCorrected) -> State:
    """Money handed over on a settled wager beyond what was due, or put right again."""
    seat = state.seats[event.seat]
    key = mispaid_key(seat.player, event.seat, event.hand, event.wager)
    open_ = state.mispaid.get(key, (0, None))[0] + event.amount
    mispaid = {k: v for k, v in state.mispaid.items() if k != key}
    if open_:
        mispaid[key] = (open_, event.clause)
    seats = on_seat(state, event.seat, chips=seat.chips + event.amount)
    return replace(state, seats=seats, house=state.house - event.amount * MICRO, mispaid=mispaid)
