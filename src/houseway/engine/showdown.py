"""The dealer's acts once all have decided: folds, the dealer's hand, settlement."""

from __future__ import annotations

from collections import Counter

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.answers import hand_name, refuse
from houseway.engine.dealing import Done
from houseway.engine.hand_facts import Spot
from houseway.engine.hands import HELD, PlayerHand
from houseway.engine.hands import Round as Played
from houseway.engine.order import envious, hands_of, rackable, untaken
from houseway.engine.progressive import MICRO, Award
from houseway.engine.refusals import Refusal
from houseway.engine.settle import Settler
from houseway.engine.settlement_plan import SettlementPass
from houseway.engine.state import State
from houseway.engine.table import Due, Table
from houseway.money import Cents
from houseway.rules.procedure import Step
from houseway.rules.rulebook import Bounds
from houseway.wording import several

# --- reading the table for settlement ---


def settler(table: Table, state: State) -> Settler:
    """The settler for the round as it lies, with what is still to be settled."""
    now = state.round
    hands, left = [], []
    size = table.settled_size
    dealt = 1
    for number, seat in state.seats.items():
        for n, hand in enumerate(seat.hands, 1):
            dealt += bool(hand.cards)
            if len(hand.cards) != size or hand.void:
                continue
            # A fold under trips stays one where a void round hands the trips back.
            staked = {"trips": 0, **hand.made} if hand.folded == "held" else hand.made
            # Two positions may have one player; else a seat is its player.
            hands.append(
                PlayerHand(
                    number, n, seat.player, hand.cards, staked, bool(hand.folded), hand.tips, hand.coupon
                )
            )
            left.append(hand)
    dealer = now.kept or now.dealer if now.revealed else ()
    progressive = any("progressive" in hand.made for hand in left)
    shows = {n: micro // MICRO for n, micro in state.meters.items()} if progressive else {}
    made = [Award(s.meter, s.awarded, s.seeded, s.released // MICRO) for s in now.settled if s.meter]
    found = Settler(table.terms, Played(now.board, dealer, tuple(hands), shows), made)
    found.facts.hands_dealt = dealt
    if found.side.meters is not None:
        found.side.meters.hold({name: micro // MICRO for name, micro in state.reserves.items()})
    for spot, hand in zip(found.spots, left, strict=True):
        spot.stakes = dict(hand.wagers)
        if hand.collected:
            spot.stakes["progressive"] = hand.collected
        spot.tips = dict(hand.tips)
    if state.minima:
        # The most a minimum bettor can win moves with the minimum.
        posted = table.terms.bounds
        limits = {w: Bounds(Cents(low), posted[w].high) for w, low in state.minima.items() if w in posted}
        found.caps = table.terms.plan.caps_at({**table.terms.limits, **limits})
    if found.caps:
        # A limit holds for a hand through all passes: what was paid before counts.
        spots = {(spot.hand.seat, spot.hand.number): spot for spot in found.spots}
        for line in now.settled:
            paid = spots.get((line.seat, line.hand))
            if paid is not None and line.result == "win" and not line.for_dealer:
                found.capped(paid, line.wager, line.won + line.cut)
    return found


def wrong_number(table: Table, state: State) -> Refusal | None:
    """A hand with a wrong number of cards cannot be read; somebody must say so first."""
    places = [
        (f"seat {number}", len(hand.cards), "player")
        for number, seat in state.seats.items()
        for hand in seat.hands
        if len(hand.cards) != table.settled_size and (hand.cards or hand.made) and not hand.void
    ]
    if state.round.revealed and len(state.round.dealer) != table.dealer_size:
        places.append(("dealer", len(state.round.dealer), "dealer"))
    if not places:
        return _odd_board(table, state)
    place, count, whose = places[0]
    return _odd(table, place, whose, f"{place} has {several(count, 'card')}; report the wrong number first")


def _odd(table: Table, place: str, whose: str, sentence: str) -> Refusal:
    """A wrong number of cards, refused by the clause that says what follows from it."""
    row = table.wrong("wrong number", {"of": whose})
    clause = row.basis.clause(table.mode) if row else None
    return refuse("wrong-number", clause, place, sentence)


# --- folds ---


def take_folds(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Deal with folded hands: take what they lose, settle what the pass settles, rack the cards."""
    step = due.step
    at_once = "at_once" in step.rules
    numbers = untaken(table, state, step)
    found = table.passes.get(step.walk)
    if found is not None and found[1].from_right:
        numbers.reverse()
    if command.seat is not None:
        if command.seat != numbers[0]:
            sentence = f"the fold at seat {numbers[0]} is next"
            return refuse("out-of-order", _direction(table, step), step.name, sentence)
        numbers = numbers[:1]
    odd = _odd_fold(table, state, numbers) or _odd_board(table, state)
    if odd is not None:
        return odd
    all_ = untaken(table, state, step)
    settled: list[e.Event] = []
    hands = [state.seats[number].hands[0] for number in numbers]
    staked = any(hand.staked or hand.collected for hand in hands)
    at = settler(table, state) if found is not None and staked else None
    for number, hand in zip(numbers, hands, strict=True):
        if at is not None and found is not None and (hand.staked or hand.collected):
            spot = next(s for s in at.spots if s.hand.seat == number)
            # What a trips wager holds was decided at the fold.
            at.settled = []
            if spot.status in found[1].hands:
                at.at(spot, found[1])
            if any(wager.result == "win" for wager in at.settled):
                # What is paid is shown.
                settled += _turned(table, state, step, at, spot)
            settled += at.settled
        settled += _racked_fold(table, state, step, number, at)
        if at_once:
            settled.append(e.FoldTaken(seat=number, step=step.name, clause=table.clause(step)))
    return settled, not at_once and len(numbers) == len(all_)


def _odd_fold(table: Table, state: State, numbers: list[int]) -> Refusal | None:
    for number in numbers:
        hand = state.seats[number].hands[0]
        count = len(hand.cards)
        if count != table.hand_size and (hand.staked or hand.collected):
            sentence = (
                f"seat {number}'s folded hand counts {several(count, 'card')}; report the wrong number"
            )
            return _odd(table, f"seat {number}", "player", sentence)
    return None


def _odd_board(table: Table, state: State) -> Refusal | None:
    """Too many community cards: no hand can be read against them."""
    count = len(state.round.board)
    if count <= table.board_size or state.round.void == "all":
        return None
    return _odd(
        table, "board", "board", f"the board has {several(count, 'card')}; report the wrong number first"
    )


def _racked_fold(table: Table, state: State, step: Step, number: int, at: Settler | None) -> list[e.Event]:
    """A folded hand is counted and racked, unless trips holds it or its cards are still to be read."""
    hand = state.seats[number].hands[0]
    found: list[e.Event] = []
    if hand.folded != "folded" or hand.racked:
        return found
    if "counted" in step.rules:
        found.append(
            e.CardsCounted(seat=number, count=len(hand.cards), clause=table.clause(step, "counted"))
        )
    spot = next((s for s in at.spots if s.hand.seat == number), None) if at is not None else None
    if at is not None and spot is not None and _triggers(table, state, step, at, spot):
        clause = table.clause(step, "envy_left")
        reads = at.evaluator.name(spot.strength)
        found.append(e.HandTurned(seat=number, hand=1, face=hand.cards, reads=reads, clause=clause))
        found.append(e.CardsLeft(seat=number, clause=clause))
    elif rackable(hand) and "racked" in step.rules:
        found.append(
            e.CardsRacked(
                what=f"seat {number}",
                count=len(hand.cards),
                sealed=hand.cards,
                clause=table.clause(step, "racked"),
            )
        )
    return found


def _direction(table: Table, step: Step) -> str | None:
    found = table.passes.get(step.walk)
    walk = table.book.settlement[found[0]] if found else None
    return walk.direction.clause(table.mode) if walk and walk.direction else table.clause(step)


# --- the dealer's hand ---


def reveal(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Turn the dealer's cards up and call the hand."""
    now = state.round
    if len(now.dealer) != table.dealer_size:
        sentence = f"the dealer has {several(len(now.dealer), 'card')}; report the wrong number first"
        return _odd(table, "dealer", "dealer", sentence)
    reads, qualifies = "", None
    terms = table.terms
    if not table.shootout and len(now.board) == table.board_size:
        strength = terms.evaluator.strength((*now.dealer, *now.board))
        reads = terms.evaluator.name(strength)
        if terms.qualifier is not None:
            qualifies = terms.evaluator.places[strength] <= terms.qualifier
    return [
        e.DealerRevealed(face=now.dealer, reads=reads, qualifies=qualifies, clause=table.clause(due.step))
    ], True


def set_dealer(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Keep two of the dealer's four cards: those given, or those of the house way."""
    way = table.book.house_way
    four = state.round.dealer
    if command.cards:
        left = list(four)
        try:
            for card in command.cards:
                left.remove(card)
        except ValueError:
            left = []
        if len(left) != len(four) - 2:
            sentence = "the dealer keeps two of the four cards"
            return refuse("not-among-the-four", table.clause(due.step), due.step.name, sentence)
        kept = command.cards
    elif way is None:
        sentence = "the rulebook has no house way; name the two cards"
        return refuse("no-house-way", None, due.step.name, sentence)
    else:
        kept = way.keep(four)[0]
    right = way.keep(four)[0] if way is not None else kept
    wrong = right if Counter(right) != Counter(kept) else ()
    clause = table.clause(due.step)
    return [e.DealerHandSet(kept=kept, by=command.by, house_way=wrong, clause=clause)], True


def show_payouts(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Show what Cover All pays for the number of hands dealt."""
    hands = 1 + sum(1 for s in state.seats.values() for h in s.hands if h.cards)
    order, outcomes = table.terms.order, table.terms.outcomes["cover_all"]
    index = table.terms.groups["cover_all"].index
    paid = {name: outcomes[index(hands, place, len(order))] for place, name in enumerate(order)}
    odds = {name: outcome.odds for name, outcome in paid.items() if outcome and outcome.odds}
    return [e.PayoutsShown(hands=hands, odds=odds, clause=table.clause(due.step))], True


# --- settlement ---


def settle(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Settle a pass: one hand where a seat is named, else every hand that is left in it."""
    step = due.step
    wrong = wrong_number(table, state)
    if wrong is not None:
        return wrong
    _, walk = table.passes[step.walk]
    at = settler(table, state)
    envy = walk.wagers == ("envy",)
    waiting = hands_of(table, state, walk.hands, walk.wagers)
    spots = [s for s in at.ordered(walk) if envy or (s.hand.seat, s.hand.number) in waiting]
    if command.seat is not None and not envy:
        if not spots or command.seat != spots[0].hand.seat:
            sentence = f"seat {spots[0].hand.seat} is settled next" if spots else "nothing is left"
            return refuse("out-of-order", _direction(table, step), step.name, sentence)
        chosen = [s for s in spots if s.hand.seat == command.seat]
    elif state.dealer == "person" and not envy and len(spots) > 1:
        sentence = f"settle one player at a time; seat {spots[0].hand.seat} is next"
        clause = table.terms.clause("one_player_at_a_time")
        return refuse("one-at-a-time", clause, step.name, sentence)
    else:
        chosen = spots
    found: list[e.Event] = []
    left = list(state.round.left)
    for spot in chosen:
        events = _hand(table, state, step, walk, at, spot, command)
        if isinstance(events, Refusal):
            # The hand is turned before its award can be keyed.
            found += _turned(table, state, step, at, spot)
            return events if not found else (found, False)
        found += events
        if events and isinstance(events[-1], e.ApprovalAsked):
            return found, False
        found += _put_away(table, state, step, at, spot, left)
    return found, len(chosen) == len(spots)


def _hand(
    table: Table,
    state: State,
    step: Step,
    walk: SettlementPass,
    at: Settler,
    spot: Spot,
    command: c.Perform,
) -> list[e.Event] | Refusal:
    """All that happens at one hand: turned, keyed, settled; or keyed only, if one must approve first."""
    turned = _turned(table, state, step, at, spot)
    held = "taken_first" in step.rules and spot.status == HELD
    found = [] if held else [*turned]
    at.settled = []
    at.at(spot, walk)
    for wager in at.settled:
        if held and table.terms.groups[wager.wager].on_own_cards:
            # What the fold lost is taken before the cards are shown.
            found += turned
            turned = []
        if wager.wager == "progressive" and wager.result == "win" and "keyed" in step.rules:
            keyed = _keyed(table, state, step, at, spot, by_hand=command.seat is not None)
            if isinstance(keyed, Refusal):
                return keyed
            found += keyed
        asks = _asks(table, state, wager) if table.terms.plan.approvals else None
        if asks is not None:
            kept = (e.HandTurned, e.AwardKeyed)
            return [*(event for event in found if held or isinstance(event, kept)), asks]
        found.append(wager)
    return found


def _turned(table: Table, state: State, step: Step, at: Settler, spot: Spot) -> list[e.Event]:
    hand = spot.hand
    if "turned" not in step.rules or state.seats[hand.seat].hands[hand.number - 1].shown:
        return []
    reads = at.evaluator.name(spot.strength)
    return [
        e.HandTurned(
            seat=hand.seat,
            hand=hand.number,
            face=hand.cards,
            reads=reads,
            clause=table.clause(step, "turned"),
        )
    ]


def _asks(table: Table, state: State, settled: e.WagerSettled) -> e.ApprovalAsked | None:
    """Somebody must approve a payment of this size first, and has not."""
    key = (settled.seat, settled.hand, settled.wager)
    if settled.result != "win" or settled.for_dealer or key in state.round.approved:
        return None
    for needed in table.terms.plan.approvals_for(settled.wager, settled.won):
        return e.ApprovalAsked(
            seat=settled.seat,
            hand=settled.hand,
            wager=settled.wager,
            amount=settled.won,
            who=needed.who,
            clause=needed.basis.clause(table.mode),
        )
    return None


def progressive_reads(table: Table, at: Settler, spot: Spot) -> str:
    """The class of hand a progressive award is keyed by."""
    if "progressive" in table.terms.on_five:
        return table.terms.order[spot.first_five]
    return table.terms.order[spot.place]


def _keyed(
    table: Table, state: State, step: Step, at: Settler, spot: Spot, *, by_hand: bool
) -> list[e.Event] | Refusal:
    """The keypad button of an award: pressed by the machine, asked of a person."""
    seat = spot.hand.seat
    reads = progressive_reads(table, at, spot)
    pressed = state.round.keyed.get(seat)
    clause = table.clause(step, "keyed")
    if pressed == reads:
        return []
    if pressed is not None or by_hand:
        has = f"keyed as {pressed}" if pressed else "not keyed"
        sentence = f"seat {seat}'s progressive hand is {reads} and {has}; key {reads} first"
        return refuse("award-not-keyed", clause, f"seat {seat}", sentence)
    return [e.AwardKeyed(seat=seat, hand=reads, right=True, clause=clause)]


def _put_away(
    table: Table, state: State, step: Step, at: Settler, spot: Spot, left: list[int]
) -> list[e.Event]:
    """A settled hand goes to the rack, unless its cards are still needed on the table."""
    hand = spot.hand
    held = state.seats[hand.seat].hands[hand.number - 1]
    # A progressive wager taken before the deal may be settled in a later pass than the hand itself.
    unread = bool(held.collected) and "progressive" not in table.passes[step.walk][1].wagers
    if "racked" not in step.rules or held.racked or hand.seat in left:
        return []
    stays = step.rules.get("left")
    if stays is not None and any("cover_all" in h.made for s in state.seats.values() for h in s.hands):
        found = _left_out(table, state, step, at, spot, left, str(stays.value))
        if found is not None:
            return found
    if _triggers(table, state, step, at, spot):
        left.append(hand.seat)
        return [e.CardsLeft(seat=hand.seat, clause=table.clause(step, "envy_left"))]
    return [] if unread else [_rack(table, state, spot, table.clause(step, "racked"))]


def _triggers(table: Table, state: State, step: Step, at: Settler, spot: Spot) -> bool:
    """Whether a hand stays out because others are paid envy for it."""
    triggers = "envy_left" in step.rules and bool(envious(table, state))
    return triggers and any(other is spot for other, _, _ in at.side.triggers())


def _left_out(
    table: Table, state: State, step: Step, at: Settler, spot: Spot, left: list[int], least: str
) -> list[e.Event] | None:
    """The highest hand so far stays out for Cover All; the one it beats goes to the rack."""
    order = table.terms.order
    lowest = order.index(least) if least in order else -1
    if spot.place > lowest:
        return None
    dealer = at.facts.dealer
    dealers = at.evaluator.places[dealer] if dealer else len(order)
    if dealers <= lowest and dealer >= spot.strength:
        return None
    others = [s for s in at.spots if s.hand.seat in left]
    if any(s.strength >= spot.strength for s in others):
        return None
    found: list[e.Event] = []
    if "replaced" in step.rules:
        for other in others:
            # What envy is paid for stays out all the same.
            if not _triggers(table, state, step, at, other):
                found.append(_rack(table, state, other, table.clause(step, "replaced")))
                left.remove(other.hand.seat)
    left.append(spot.hand.seat)
    found.append(e.CardsLeft(seat=spot.hand.seat, clause=table.clause(step, "left")))
    return found


def _rack(table: Table, state: State, spot: Spot, clause: str | None) -> e.CardsRacked:
    hand = spot.hand
    what = hand_name(hand.seat, hand.number, len(state.seats[hand.seat].hands))
    return e.CardsRacked(what=what, count=len(hand.cards), face=hand.cards, clause=clause)
