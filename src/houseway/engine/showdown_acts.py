"""The dealer's acts after the players' decisions: folds, the dealer's hand, settlement."""

from __future__ import annotations

from collections import Counter
from typing import Final, TypeVar

from msgspec.structs import replace

from houseway.cards import UNSEEN
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, hand_name, refuse
from houseway.engine.deal_acts import PartialStep
from houseway.engine.finished_round import FOLDED, HELD, PlayerHand
from houseway.engine.finished_round import FinishedRound as Played
from houseway.engine.fold_registry import seat_of
from houseway.engine.hand_facts import SettledHand
from houseway.engine.made_hands import READ, flop_reading
from houseway.engine.meters import MICRO, Award, in_cents
from houseway.engine.read_shootout import not_among
from houseway.engine.refusals import RefusalError
from houseway.engine.seats_and_wagers import limits_at
from houseway.engine.settle import Settler
from houseway.engine.settlement_plan import HAND, SettlementPass
from houseway.engine.state import Hand, KeyedAward, State
from houseway.engine.table import Due, Table
from houseway.engine.turn_order import envious, folds_left, hands_of, house_way_line, rackable
from houseway.rules.procedure import Step
from houseway.wording import several

# --- reading the table for settlement ---


def made_award(moved: KeyedAward | e.WagerSettled) -> Award:
    """Return the amounts that a keyed award or a settled wager took from a meter, as an `Award`."""
    return Award(moved.meter, moved.awarded, moved.seeded, moved.released // MICRO)


BY_DEALER: Final = "by the dealer"
"""The value of a step's rule `keyed` if a person in the dealer's chair presses the buttons of all awards.
Rulebooks of earlier versions lack it."""
Keyed = TypeVar("Keyed", e.AwardKeyed, e.AwardUnkeyed)


def with_move(event: Keyed, moved: KeyedAward | e.WagerSettled) -> Keyed:
    """Return a keypad event with the change in its meter added."""
    meter, awarded, seeded, released = moved.meter, moved.awarded, moved.seeded, moved.released
    return replace(event, meter=meter, awarded=awarded, seeded=seeded, released=released)


def settler(table: Table, state: State) -> Settler:
    """Return a settler for the round in its current state, with the wagers not yet settled."""
    now = state.round
    hands, unsettled = [], []
    size = table.settled_size
    # With too many community cards the round is void, and only wagers that folded hands lost are settled.
    board = tuple(card for card in now.board[: table.board_size] if card is not UNSEEN)
    dealt = 1
    for number, seat in state.seats.items():
        for n, hand in enumerate(seat.hands, 1):
            dealt += bool(hand.cards)
            unseen = UNSEEN in hand.cards
            if len(hand.cards) != size or hand.void or (unseen and len(board) < table.board_size):
                continue
            # A hand held for its trips wager stays held even if a void round has returned the trips wager.
            staked = {"trips": 0, **hand.made} if hand.folded == "held" else hand.made
            # One player may have two seats; envy and limits apply to the player.
            player, folded = seat.player, bool(hand.folded)
            # While nobody has seen a hand's cards, only the wagers that do not depend on them are settled.
            cards = () if unseen else hand.cards
            hands.append(PlayerHand(number, n, player, cards, staked, folded, hand.tips, hand.coupon))
            unsettled.append(hand)
    dealer = now.kept or now.dealer if now.revealed else ()
    progressive = any("progressive" in hand.made for hand in unsettled)
    shows = in_cents(state.meters) if progressive else {}
    earlier_awards = [made_award(line) for line in now.settled if line.meter]
    earlier_awards += [made_award(award) for award in now.awards.values()]
    settling = Settler(table.terms, Played(board, dealer, tuple(hands), shows), earlier_awards)
    settling.facts.hands_dealt = dealt
    if settling.side.meters is not None:
        settling.side.meters.hold(in_cents(state.reserves))
    for spot, hand in zip(settling.spots, unsettled, strict=True):
        if hand.folded:
            # The status was decided at the fold, which at a real table may be before the cards were seen.
            spot.status = HELD if hand.folded == "held" else FOLDED
        spot.stakes = hand.stakes
        spot.tips = dict(hand.tips)
    if settling.caps and (state.minima or state.unoffered):
        # Limits that depend on a minimum bettor's winnings change with the minimum and the wagers offered.
        limits = limits_at(table, state.minima)
        settling.caps = table.terms.plan.caps_at(limits, state.unoffered)
    if settling.caps:
        # A limit covers all passes, so earlier payments count.
        spots = {(spot.hand.seat, spot.hand.number): spot for spot in settling.spots}
        for line in now.settled:
            paid = spots.get((line.seat, line.hand))
            if paid is not None and line.result == "win" and not line.for_dealer:
                settling.capped(paid, line.wager, line.won + line.cut)
    return settling


def _check_number(table: Table, place: str, count: int, size: int, holder: str = "") -> None:
    """Refuse to evaluate a hand or board with a wrong number of cards; the dealer must report it first."""
    if count != size:
        row = table.wrong("wrong number", {"of": "player" if seat_of(place) else place})
        cards = f"{several(count, 'card')}, not {size}"
        sentence = f"{holder or place} has {cards}; report the wrong number of cards first"
        refuse("wrong-number", sentence, table.cite(row.basis) if row else None, place)


def _check_numbers(table: Table, state: State) -> None:
    """Refuse to settle while a hand or the board has a wrong number of cards."""
    for number, seat in state.seats.items():
        for hand in seat.hands:
            if (hand.cards or hand.made) and not hand.void:
                _check_number(table, f"seat {number}", len(hand.cards), table.settled_size)
    if state.round.revealed:
        _check_number(table, "dealer", len(state.round.dealer), table.dealer_size)
    _check_board(table, state)


def _check_board(table: Table, state: State) -> None:
    """Refuse too many community cards: no hand can be evaluated with them."""
    count = len(state.round.board)
    if count > table.board_size and state.round.void != "all":
        _check_number(table, "board", count, table.board_size)


class _ActivePass:
    """The settlement pass that a step of the dealer performs."""

    def __init__(self, table: Table, state: State, step: Step, command: c.Perform) -> None:
        self.table, self.state, self.step, self.command = table, state, step, command
        self.settler = settler(table, state)
        self.envied = "envy_left" in step.rules and bool(envious(table, state))
        """True if some hand could stay on the table for envy."""
        self.left = list(state.round.left)
        """Seats whose cards stay on the table."""

    def clause(self, rule: str) -> str | None:
        """Return the clause of a rule of the step."""
        return self.table.clause(self.step, rule)

    def turn_up(self, spot: SettledHand) -> list[e.Event]:
        """Return the event that turns a hand up, if the step turns hands up and this one is face down."""
        hand = spot.hand
        held = self.state.seats[hand.seat].hands[hand.number - 1]
        if "turned" not in self.step.rules or held.shown or held.unread:
            return []
        # If no trips bet keeps a folded hand on the table, the hand is turned up for its progressive.
        fold = spot.status == FOLDED and READ in self.step.rules
        return [self.turn(spot, READ if fold else "turned")]

    def turn(self, spot: SettledHand, rule: str) -> e.HandTurned:
        """Return the event that turns a hand up by a rule of the step."""
        hand, community = spot.hand, 0
        if rule == READ and (community := flop_reading(self.table)):
            reads = self.table.terms.order[spot.first_five]
        else:
            reads = self.settler.evaluator.name(spot.strength)
        return e.HandTurned(
            seat=hand.seat,
            hand=hand.number,
            face=hand.cards,
            reads=reads,
            community=community,
            clause=self.clause(rule),
        )

    def hand(self, spot: SettledHand, settlement_pass: SettlementPass) -> list[e.Event]:
        """Return the events that turn up one hand, key its award and settle its wagers.

        If a payment needs approval, the last event is the request for approval.
        """
        turned, settler, terms = self.turn_up(spot), self.settler, self.table.terms
        held = "taken_first" in self.step.rules and spot.status == HELD
        events = [] if held else [*turned]
        settler.settled = []
        pending = self.state.round.awards.get(spot.hand.seat)
        settler.side.keyed = None if pending is None or not pending.right else made_award(pending)
        settler.settle_hand(spot, settlement_pass)
        settler.side.keyed = None
        for settled in settler.settled:
            wager = settled
            if held and terms.groups[wager.wager].on_own_cards:
                # The wagers that the fold lost are taken before the cards are shown.
                events += turned
                turned = []
            if wager.wager == "progressive" and wager.result == "win" and "keyed" in self.step.rules:
                wager, keyed = self.key_award(spot, wager)
                events += keyed
            asks = self.approval_request(wager) if terms.plan.approvals else None
            if asks is not None:
                kept = (e.HandTurned, e.AwardKeyed)
                return [*(event for event in events if held or isinstance(event, kept)), asks]
            events.append(wager)
        return events

    def take_first(self, spot: SettledHand, settlement_pass: SettlementPass) -> list[e.WagerSettled]:
        """Return the wagers of a held fold that are taken before its cards are turned up."""
        self.settler.settled = []
        for name in settlement_pass.wagers_of(spot.status):
            stake, tip = spot.stakes.get(name, 0), spot.tips.get(name, 0)
            if (stake or tip) and not self.table.terms.groups[name].on_own_cards:
                self.settler.wager(spot, name, stake, tip)
        return self.settler.settled

    def key_award(self, spot: SettledHand, paid: e.WagerSettled) -> tuple[e.WagerSettled, list[e.Event]]:
        """Return an award's payment and the events that key the award.

        Refuse if another hand is keyed for this seat. If the command names a seat, or a person deals, also
        refuse if the award is not keyed yet.
        """
        seat, clause = spot.hand.seat, self.clause("keyed")
        reads = progressive_hand(self.table, self.settler, spot)
        pressed = self.state.round.keyed.get(seat)
        moves = "meter_moves" in self.step.rules and bool(paid.meter)
        if moves:
            self.check_mistaken_award()
            paid = replace(paid, keyed=True)
        if pressed == reads:
            return paid, []
        by_person = self.state.dealer == "person" and self.step.rules["keyed"].value == BY_DEALER
        if pressed is not None or self.command.seat is not None or by_person:
            wrong = f", but {pressed} is keyed" if pressed else ""
            sentence = f"seat {seat}'s progressive hand is {reads}{wrong}; key {reads} first"
            refuse("award-not-keyed", sentence, clause, f"seat {seat}")
        keyed = e.AwardKeyed(seat=seat, hand=reads, right=True, clause=clause)
        return paid, [with_move(keyed, paid) if moves else keyed]

    def check_mistaken_award(self) -> None:
        """Refuse a payment from a meter while a mistakenly keyed award has changed it."""
        now = self.state.round
        lit = next((number for number, award in now.awards.items() if not award.right), None)
        if lit is not None:
            keyed = f"{now.keyed[lit]} is keyed for seat {lit}, which did not win it"
            sentence = f"{keyed}; press the key again to turn it off"
            refuse("award-lit", sentence, self.clause("unkeyed"), f"seat {lit}")

    def approval_request(self, settled: e.WagerSettled) -> e.ApprovalAsked | None:
        """Return the request to approve a payment, or None if no approval is needed or it was given."""
        seat, hand, wager, won = settled.seat, settled.hand, settled.wager, settled.won
        if self.table.terms.plan.approves_hands:
            return self.hand_approval_request(settled)
        if (
            settled.result != "win"
            or settled.for_dealer
            or (seat, hand, wager) in self.state.round.approved
        ):
            return None
        needed = next(self.table.terms.plan.approvals_for(wager, won), None)
        if needed is None:
            return None
        clause = self.table.cite(needed.basis)
        return e.ApprovalAsked(seat=seat, hand=hand, wager=wager, amount=won, who=needed.who, clause=clause)

    def hand_approval_request(self, settled: e.WagerSettled) -> e.ApprovalAsked | None:
        """Return the request to approve a hand's total winnings before its first payment, or None."""
        seat, hand, now = settled.seat, settled.hand, self.state.round
        if (seat, hand, HAND) in now.approved or settled.result != "win" or settled.for_dealer:
            return None
        paid = [line for line in now.settled if (line.seat, line.hand) == (seat, hand)]
        lines = [*paid, *(line for line in self.settler.settled if (line.seat, line.hand) == (seat, hand))]
        needed = next(self.table.terms.plan.hand_approvals(lines), None)
        if needed is None:
            return None
        approval, _, amount = needed
        who, clause = approval.who, self.table.cite(approval.basis)
        return e.ApprovalAsked(seat=seat, hand=hand, wager=HAND, amount=amount, who=who, clause=clause)

    def triggers(self, spot: SettledHand) -> bool:
        """True if a hand stays on the table because another player is paid envy for it."""
        if not self.envied:
            return False
        side, envies = self.settler.side, self.table.terms.envious
        listed = next((amount for other, amount, _ in side.triggers() if other is spot), None)
        if listed is None or self.step.rules["envy_left"].value is True:
            # Under old rulebooks, a hand stayed even if nobody could be paid for it.
            return listed is not None
        return any(
            envies(other.hand.stakes) and side.envy(other.hand, spot, listed) is not None
            for other in self.settler.spots
        )

    def rack(self, spot: SettledHand, rule: str) -> e.CardsRacked:
        """Return the event that racks a hand by a rule of the step, face up if its cards were seen."""
        hand = spot.hand
        hands = self.state.seats[hand.seat].hands
        what = hand_name(hand.seat, hand.number, len(hands))
        if hands[hand.number - 1].unread:
            unseen = hands[hand.number - 1].cards
            return e.CardsRacked(what=what, count=len(unseen), sealed=unseen, clause=self.clause(rule))
        return e.CardsRacked(what=what, count=len(hand.cards), face=hand.cards, clause=self.clause(rule))

    def put_away(self, spot: SettledHand) -> list[e.Event]:
        """Return the events that rack a settled hand, unless its cards are still needed."""
        hand, step, seats = spot.hand, self.step, self.state.seats
        held = seats[hand.seat].hands[hand.number - 1]
        # A progressive wager taken before the deal may be settled in a later pass than the hand itself.
        unread = bool(held.collected) and "progressive" not in self.table.passes[step.pass_name].wagers
        if "racked" not in step.rules or held.racked or hand.seat in self.left:
            return []
        stays = step.rules.get("left")
        if self.table.terms.house("cover_all_left") and spot.status == FOLDED:
            # If no trips bet keeps a folded hand on the table, it is out of the round, for Cover All too.
            stays = None
        if stays is not None and any("cover_all" in h.made for s in seats.values() for h in s.hands):
            events = self.leave_for_cover_all(spot, str(stays.value))
            if events:
                return events
        if self.triggers(spot):
            self.left.append(hand.seat)
            return [e.CardsLeft(seat=hand.seat, clause=self.clause("envy_left"))]
        return [] if unread else [self.rack(spot, "racked")]

    def leave_for_cover_all(self, spot: SettledHand, least: str) -> list[e.Event]:
        """Return the events that leave a hand on the table for Cover All; none if it need not stay.

        A hand higher than all others left so far replaces them. The house decides whether a lower hand of
        the class `least` or better also stays.
        """
        order, settler = self.table.terms.order, self.settler
        lowest = order.index(least) if least in order else -1
        if spot.place > lowest:
            return []
        # Old rulebooks do not have the setting; under them, only the highest hand so far stayed.
        reading = self.table.terms.house("cover_all_left")
        others = [s for s in settler.from_right if s.hand.seat in self.left]
        if reading is not None:
            others = [s for s in others if s.status != FOLDED]
        exposed = [other.strength for other in others]
        dealer = settler.facts.dealer
        if dealer and settler.evaluator.places[dealer] <= lowest:
            exposed.append(dealer)
        highest = all(spot.strength > strength for strength in exposed)
        if not highest and reading != "every":
            return []
        events: list[e.Event] = []
        for other in others if highest and "replaced" in self.step.rules else ():
            # A hand that triggers envy stays on the table.
            if not self.triggers(other):
                events.append(self.rack(other, "replaced"))
                self.left.remove(other.hand.seat)
        self.left.append(spot.hand.seat)
        return [*events, e.CardsLeft(seat=spot.hand.seat, clause=self.clause("left"))]


# --- folds ---


def take_folds(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Take the lost wagers of folded hands, settle the other wagers of the pass, and rack the cards."""
    step = due.step
    at_once = "at_once" in step.rules
    every = folds_left(table, state, step)
    settlement_pass = table.passes.get(step.pass_name)
    numbers = every[::-1] if settlement_pass is not None and settlement_pass.from_right else every
    if command.seat is not None:
        if command.seat != numbers[0]:
            refuse("out-of-order", f"take the fold at seat {numbers[0]} next", table.direction(step, state))
        numbers = numbers[:1]
    hands = {number: state.seats[number].hands[0] for number in numbers}
    staked = [number for number, hand in hands.items() if hand.staked or hand.collected]
    for number in staked:
        count, holder = len(hands[number].cards), f"seat {number}'s folded hand"
        _check_number(table, f"seat {number}", count, table.hand_size, holder)
    _check_board(table, state)
    current = _ActivePass(table, state, step, command) if settlement_pass and staked else None
    settled: list[e.Event] = []
    turned = step.rules.get("turned")
    reads = turned.value if turned is not None else None
    for number in numbers:
        spot = None
        if current is not None:
            spot = next((s for s in current.settler.spots if s.hand.seat == number), None)
        if current is not None and settlement_pass is not None and spot is not None and number in staked:
            # Whether the hand is held for its trips wager was decided when the player folded.
            current.settler.settled = []
            if spot.status in settlement_pass.hands:
                current.settler.settle_hand(spot, settlement_pass)
            if any(w.result == "win" or w.wager == reads for w in current.settler.settled):
                # A hand that is paid must be shown, and so must one that decides a progressive.
                settled += current.turn_up(spot)
            settled += current.settler.settled
        up = any(isinstance(event, e.HandTurned) and event.seat == number for event in settled)
        settled += _racked_fold(table, state, step, number, current, spot, up=up)
        if at_once:
            settled.append(e.FoldTaken(seat=number, step=step.name, clause=table.clause(step)))
    return PartialStep(settled) if at_once or len(numbers) < len(every) else settled


def _racked_fold(
    table: Table,
    state: State,
    step: Step,
    seat: int,
    current: _ActivePass | None,
    spot: SettledHand | None,
    *,
    up: bool,
) -> list[e.Event]:
    """Return the events that count and rack a folded hand, unless its cards are still needed.

    `up` is True if the hand was turned up to settle a wager.
    """
    hand = state.seats[seat].hands[0]
    cards, count = hand.cards, len(hand.cards)
    events: list[e.Event] = []
    if hand.folded != "folded" or hand.racked:
        return events
    if "counted" in step.rules:
        events.append(e.CardsCounted(seat=seat, count=count, clause=table.clause(step, "counted")))
    rackable_now = rackable(hand, settled=_settles_progressive(table, step))
    # If a folded hand is taken at once and its progressive is settled later, it is turned up only then.
    waits = "at_once" in step.rules and not rackable_now
    if current is not None and spot is not None and not waits and current.triggers(spot):
        # In records under old rulebooks, a hand that won trips and pays envy is turned up twice.
        once = up and step.rules["envy_left"].value is not True
        events += [] if once else [current.turn(spot, "envy_left")]
        events.append(e.CardsLeft(seat=seat, clause=current.clause("envy_left")))
    elif "racked" in step.rules and rackable_now:
        what, clause = f"seat {seat}", table.clause(step, "racked")
        events.append(e.CardsRacked(what=what, count=count, sealed=cards, clause=clause))
    return events


def _settles_progressive(table: Table, step: Step) -> bool:
    """True if a step that takes folds also settles their progressives, so that it can rack the hands."""
    settlement_pass = table.passes.get(step.pass_name)
    return settlement_pass is not None and "progressive" in settlement_pass.wagers_of(FOLDED)


# --- the dealer's hand ---


def reveal(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Turn the dealer's cards up and announce the hand."""
    now, terms = state.round, table.terms
    _check_number(table, "dealer", len(now.dealer), table.dealer_size)
    reads, qualifies = "", None
    if not table.shootout and len(now.board) == table.board_size:
        strength = terms.evaluator.strength((*now.dealer, *now.board))
        reads = terms.evaluator.name(strength)
        if terms.qualifier is not None:
            qualifies = terms.evaluator.places[strength] <= terms.qualifier
    clause = table.clause(due.step)
    return e.DealerRevealed(face=now.dealer, reads=reads, qualifies=qualifies, clause=clause)


def set_dealer(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Keep two of the dealer's four cards: the two named, or the two that the house way keeps."""
    way, kept, clause = table.book.house_way, command.cards, table.clause(due.step)
    four = state.round.dealer
    wrong_cards = not_among(kept, four, "the dealer's four cards")
    if kept and (len(kept) != 2 or wrong_cards):
        refuse("not-among-the-four", wrong_cards or "keep two of the dealer's four cards", clause)
    if not kept and way is None:
        refuse("no-house-way", "the rulebook has no house way; name the two cards to keep")
    right = kept if way is None else way.keep(four)[0]
    wrong = right if kept and Counter(right) != Counter(kept) else ()
    line = house_way_line(table, state)
    return e.DealerHandSet(kept=kept or right, by=command.by, house_way=wrong, line=line, clause=clause)


def show_payouts(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Show the Cover All payouts for the number of hands dealt."""
    hands = 1 + sum(1 for s in state.seats.values() for h in s.hands if h.cards)
    order, outcomes = table.terms.order, table.terms.outcomes["cover_all"]
    index = table.terms.groups["cover_all"].index
    paid = {name: outcomes[index(hands, place, len(order))] for place, name in enumerate(order)}
    odds = {name: outcome.odds for name, outcome in paid.items() if outcome and outcome.odds}
    return e.PayoutsShown(hands=hands, odds=odds, clause=table.clause(due.step))


# --- settlement ---


def settle(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Settle one seat in a pass; if the command names no seat, settle every hand left in the pass."""
    step = due.step
    _check_numbers(table, state)
    settlement_pass = table.passes[step.pass_name]
    current = _ActivePass(table, state, step, command)
    envy = settlement_pass.wagers == ("envy",)
    waiting = hands_of(table, state, settlement_pass.hands, settlement_pass.wagers)
    ordered = current.settler.ordered(settlement_pass)
    spots = [s for s in ordered if envy or (s.hand.seat, s.hand.number) in waiting]
    chosen = spots
    if command.seat is not None and not envy:
        if not spots or command.seat != spots[0].hand.seat:
            sentence = f"settle seat {spots[0].hand.seat} next" if spots else "every hand is settled"
            refuse("out-of-order", sentence, table.direction(step, state))
        chosen = [s for s in spots if s.hand.seat == command.seat]
    elif state.dealer == "person" and not envy and len(spots) > 1:
        sentence = f"settle one player at a time; seat {spots[0].hand.seat} is next"
        refuse("one-at-a-time", sentence, table.terms.clause("one_player_at_a_time"))
    events: list[e.Event] = []
    for spot in chosen:
        if takes_first(table, step, state.seats[spot.hand.seat].hands[0]):
            # At a real table, nobody has seen the cards yet. They are turned up after this act.
            return PartialStep([*events, *current.take_first(spot, settlement_pass)])
        try:
            hand_events = current.hand(spot, settlement_pass)
        except RefusalError:
            # A refusal here means that the award is not keyed. Turn the hand up, so that it can be keyed.
            events += current.turn_up(spot)
            if not events:
                raise
            return PartialStep(events)
        events += hand_events
        if hand_events and isinstance(hand_events[-1], e.ApprovalAsked):
            return PartialStep(events)
        events += current.put_away(spot)
    return events if len(chosen) == len(spots) else PartialStep(events)


def takes_first(table: Table, step: Step, hand: Hand) -> bool:
    """True if the dealer takes the lost wagers of a held fold before its unseen cards are turned up."""
    held = "taken_first" in step.rules and hand.folded == "held" and UNSEEN in hand.cards
    groups = table.terms.groups
    return held and any(not groups[wager].on_own_cards for wager in (*hand.wagers, *hand.tips))


def progressive_hand(table: Table, settler: Settler, spot: SettledHand) -> str:
    """Return the class of hand to key for a progressive award."""
    return table.terms.order[spot.first_five if "progressive" in table.terms.on_five else spot.place]
