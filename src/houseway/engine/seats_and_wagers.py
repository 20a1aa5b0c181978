"""Seats and the wagers on them: sitting down, standing up, leaving, betting before the cards are dealt."""

from __future__ import annotations

import re
from typing import Any, Final

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, check_floor, refuse, refuse_first, seat_at
from houseway.engine.finished_round import PlayerHand
from houseway.engine.stake_checks import StakeChecks
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due
from houseway.money import spoken
from houseway.rules.problems import meant

LONGEST_NAME: Final = 64
SALT: Final = re.compile("[0-9a-f]{32}")


def sit(table: Table, state: State, command: c.Sit) -> Events:
    """Take a free seat with chips, or sit down again after standing."""
    number = command.seat
    if state.section == "closed":
        refuse("table-closed", "the table is not open; open it first")
    if type(number) is not int or not 1 <= number <= table.seats:
        sentence = f"seats are numbered from 1 at the dealer's left to {table.seats}"
        refuse("no-such-seat", sentence, table.terms.clause("seats"))
    seat = state.seats.get(number)
    if seat is not None:
        if seat.seated or (command.player and command.player != seat.player):
            refuse("seat-taken", f"{seat.player} sits at seat {number}; take a free seat")
        return e.PlayerReseated(seat=number, clause=table.terms.clause("seated"))
    if not (command.player.isprintable() and len(command.player) <= LONGEST_NAME):
        refuse("bad-name", f"a name is at most {LONGEST_NAME} characters that can be printed")
    if command.chips <= 0:
        refuse("no-chips", "a player sits down with chips; say how many cents")
    hold = state.held.get(number)
    player = command.player or command.where
    if hold is not None and hold[0] != player:
        refuse("seat-held", f"seat {number} is held for {hold[0]}; take a free seat", table.rule("hold"))
    clause = table.rule("kept_hold") if hold is not None else table.terms.clause("seated")
    return e.PlayerSeated(seat=number, player=player, chips=command.chips, clause=clause)


def stand(table: Table, state: State, command: c.Stand) -> Events:
    """Stand up; a standing player's chips stay."""
    seat = seat_at(state, command.seat)
    if not seat.seated:
        refuse("standing-already", f"{seat.player} stands already; sit down or leave")
    return e.PlayerStood(seat=command.seat, clause=table.terms.clause("seated"))


def leave(table: Table, state: State, command: c.Leave) -> Events:
    """Leave with the chips, once nothing of the player's is in the round."""
    seat = seat_at(state, command.seat)
    hand = seat.hands[0]
    under_way = state.section == "round" and state.round.betting == "closed"
    dealt_in = under_way and command.seat in state.round.players and "stays" in table.standing
    in_round = any(h.wagers or h.tips or h.collected or (h.cards and not h.racked) for h in seat.hands)
    if in_round or dealt_in:
        if not hand.cards and state.round.betting == "open":
            refuse("wagers-down", "take the wagers back first")
        if "stays" in table.standing or hand.wagers:
            sentence = "who has wagered and received cards stays until the round is complete"
            refuse("round-not-complete", sentence, table.rule("stays"))
    clause = table.rule("kept_lost") if seat.kept else None
    left = e.PlayerLeft(seat=command.seat, chips=seat.chips, clause=clause)
    if seat.kept and "kept_lost" not in table.standing:
        return e.SeatHeld(seat=command.seat, until=""), left
    return left


def check_seated(table: Table, state: State, number: int, where: str) -> None:
    """Refuse a wager of a player who stands, if the rulebook wants players seated."""
    seat = state.seats[number]
    if not seat.seated and "seated" in table.book.options:
        sentence = f"{seat.player} is not seated; sit down to wager"
        refuse("not-seated", sentence, table.terms.clause("seated"), where)


def bet(table: Table, state: State, command: c.Bet) -> Events:
    """Put wagers on the layout in place of what the seat had there."""
    number, where = command.seat, command.where
    seat = seat_at(state, number)
    laid = seat.hands[0].wagers
    _check_open(table, state, changes=bool(laid) and command.wagers.keys() <= laid.keys())
    check_seated(table, state, number, where)
    _check_form(table, command)
    wagers = dict(command.wagers)
    for name, twin in table.terms.twins:
        if name not in wagers and twin in wagers:
            wagers[name] = wagers[twin]
    missing = next((name for name in wagers if name in state.unoffered), None)
    if missing is not None:
        clause = table.cite(table.book.house[f"{missing}_table"].basis)
        sentence = f"no {missing} is offered at this table: the house has chosen no pay table for it"
        refuse("not-offered", sentence, clause, f"{where}.{missing}")
    checks = StakeChecks(table.terms)
    known = table.terms.stakeable
    for name in wagers:
        if name not in known:
            sentence = f"{table.book.id} takes no {name} wager here; {meant(str(name), known)}"
            checks.found.add("not-offered", sentence, f"{where}.{name}", table.terms.clause("offered"))
    _check_amounts(wagers, where, checks)
    _check_amounts(command.tips, f"{where}.tips", checks)
    refuse_first(checks.found)
    # In the rulebook's order, so that a seat's wagers always lie the same way.
    stakes = {name: wagers[name] for name in known if name in wagers}
    tips = dict(command.tips)
    if table.shootout:
        for name, stake in stakes.items():
            checks.bounds(name, stake, f"{where}.{name}")
        checks.primary(stakes, where)
    else:
        checks.stakes(stakes, where)
        if tips:
            checks.tips(tips, stakes, 0, f"{where}.tips")
        if command.coupon:
            checks.coupon(command.coupon, stakes, f"{where}.match_play")
        checks.entry(stakes, where)
    check_minima(table, state, number, stakes, checks)
    refuse_first(checks.found)
    check_limits(table, state, number, stakes, tips)
    placed = sum(stakes.values()) + sum(tips.values())
    chips = seat.chips + seat.hands[0].staked
    if placed > chips:
        refuse("not-enough-chips", f"{spoken(placed)} of wagers and {spoken(chips)} of chips; wager less")
    posted, clause = table.entry_wager, table.cite(table.book.entry)
    minimum = minimum_in_force(table, state, number, posted) or 0 if posted in table.terms.bounds else 0
    return e.WagersPlaced(
        seat=number, wagers=stakes, tips=tips, coupon=command.coupon, minimum=minimum, clause=clause
    )


def add_salt(table: Table, state: State, command: c.AddSalt) -> Events:
    """Put bytes of one's own into the players' cut of a deck that has not been dealt from."""
    seat_at(state, command.seat)
    if SALT.fullmatch(command.salt) is None:
        refuse("bad-salt", "a salt is 32 hexadecimal digits, small letters")
    if state.section != "round" or state.round.betting != "open":
        refuse("betting-closed", "salt is added while wagers are taken; wait for the next round")
    if not state.round.seal:
        refuse("no-seal", "the deck is not sealed; the players can only cut a sealed deck")
    if state.playing.mixed:
        refuse("dealt-from", "the shoe has been dealt from; salt is added before its first round is dealt")
    return e.SaltAdded(seat=command.seat, salt=command.salt)


def take_back(table: Table, state: State, command: c.TakeBack) -> Events:
    """Take every wager off the layout again, as long as wagers are taken."""
    hand = seat_at(state, command.seat).hands[0]
    _check_open(table, state, changes=True)
    if not hand.wagers or hand.cards:
        refuse("no-wagers", f"seat {command.seat} has no wagers to take back; bet first")
    return e.WagersTakenBack(seat=command.seat)


def _check_open(table: Table, state: State, *, changes: bool) -> None:
    """Refuse a wager if none is taken now."""
    betting = state.round.betting
    if betting == "open" and state.section == "round" and not state.round.void:
        return
    step = table.find("close betting")
    if betting == "closed" and step is not None:
        rule = "no_change" if changes else "no_wager"
        if rule not in step.rules:
            return
        done = "made, raised or taken back" if changes else "made"
        sentence = f"no more bets has been announced; no wager may be {done} until the next round"
        refuse("no-more-bets", sentence, table.clause(step, rule))
    now = due(table, state)
    clause = table.clause(now.step) if now is not None else None
    next_ = f"; the dealer has first to {now.step.name}" if now is not None else ""
    refuse("no-round", f"wagers are taken once the round is opened{next_}", clause)


def _check_form(table: Table, command: c.Bet) -> None:
    form, chips = command.form, table.standing.get("chips")
    if form == "verbal" and "verbal" in table.standing:
        sentence = "a spoken wager backed by cash is not taken; put chips on the layout"
        refuse("verbal-wager", sentence, table.rule("verbal"))
    if chips is not None and form not in chips.value and form != "verbal":
        sentence = f"wagers are made with {' or '.join(chips.value)}, not with {form}"
        refuse("not-chips", sentence, table.rule("chips"))


def _check_amounts(given: dict[str, int], where: str, checks: StakeChecks) -> None:
    for name, amount in given.items():
        if type(amount) is not int or amount <= 0:
            sentence = f"{amount!r} is no amount: whole cents, more than nothing"
            checks.found.add("bad-amount", sentence, f"{where}.{name}")


def check_limits(
    table: Table, state: State, number: int, stakes: dict[str, int], tips: dict[str, int]
) -> None:
    """Refuse a second position, more at risk than allowed, and unequal progressive wagers."""
    checks = StakeChecks(table.terms)
    hands = []
    for other, seat in state.seats.items():
        for n, hand in enumerate(seat.hands, 1):
            mine = other == number and n == 1
            made, given = (stakes, tips) if mine else (hand.made, hand.tips)
            if made:
                hands.append((f"seat {other}", PlayerHand(other, n, seat.player, (), made, tips=given)))
    own = [placed for placed in hands if placed[1].player == state.seats[number].player]
    checks.bet_limit(own)
    if any(hand.seat != number for _, hand in own):
        checks.positions(hands)
    if "progressive" in stakes:
        checks.one_amount(hands)
    refuse_first(checks.found)


def check_minima(
    table: Table, state: State, number: int, stakes: dict[str, int], checks: StakeChecks
) -> None:
    """Check the minimum bets anew if they have changed, or the player is kept at the old ones."""
    if not state.minima and not state.seats[number].kept:
        return
    checks.found[:] = [refusal for refusal in checks.found if refusal.code != "below-minimum"]
    for name, stake in stakes.items():
        checks.minimum(name, stake, minimum_in_force(table, state, number, name), f"seat {number}.{name}")


def minimum_in_force(table: Table, state: State, number: int, name: str) -> int | None:
    """The least a seat may stake on a wager now: the posted minimum, or the one the player is kept at."""
    low = state.minima.get(name, table.terms.bounds[name].low)
    kept = state.seats[number].kept
    return min(kept, low) if kept and low is not None else low


# --- the floor's word about minimum bets and seats ---


def _posted(table: Table) -> list[str]:
    """The wagers a minimum is posted for: neither one that equals another nor one of a single amount."""
    wagers, exact = table.book.wagers, {rule.wager for rule in table.terms.stake_rules if rule.exact}
    return [n for n in table.terms.stakeable if wagers[n].equals is None and n not in exact]


def change_minimum(table: Table, state: State, command: c.ChangeMinimum) -> Events:
    """Change the posted minimum; it holds from the next round on."""
    wager, amount, where = command.wager, command.amount, f"minimum.{command.wager}"
    clause = table.rule("notice")
    if state.section == "closed":
        refuse("table-closed", "the table is not open; open it first", where=where)
    check_floor(command, "a floor person changes the minimum", clause, where)
    known = _posted(table)
    if wager not in known:
        refuse("unknown-wager", f"no minimum is posted for {wager!r}; {meant(wager, known)}", where=where)
    fixed = table.book.limits.get(wager)
    if fixed is not None and fixed.minima is not None and amount not in fixed.minima.value:
        allowed = " or ".join(map(spoken, fixed.minima.value))
        sentence = f"the minimum {spoken(amount)} is not offered; it is {allowed}"
        refuse("minimum-not-offered", sentence, table.cite(fixed.minima), where)
    bounds = [table.terms.bounds[name].high for name in _with(table, wager)]
    if amount <= 0 or any(high is not None and amount > high for high in bounds):
        refuse("bad-minimum", "a minimum is more than nothing and at most the maximum", where=where)
    notice = table.standing.get("notice")
    if notice is not None and command.notice != notice.value:
        refuse("no-notice", f"{notice.value} is told first; the change names who was told", clause, where)
    return e.LimitsChanged(wager=wager, amount=amount, notice=command.notice, clause=clause)


def next_minima(table: Table, state: State) -> dict[str, int]:
    """The minimum bets of the round that opens: those changed, and the spots they hold for."""
    minima = dict(state.minima)
    for name, amount in state.changing.items():
        minima |= dict.fromkeys(_with(table, name), amount)
    return minima


def _with(table: Table, name: str) -> list[str]:
    """The wagers a minimum holds for: those that equal the one it is posted for, and where the rulebook
    lists minimum bets, all it lists."""
    wagers, limits = table.book.wagers, table.book.limits
    same = [other for other, w in wagers.items() if w.equals is not None and w.equals.value == name]
    return [name, *same, *(other for other in wagers if name in limits and other in limits)]


def keep_minimum(table: Table, state: State, command: c.KeepMinimum) -> Events:
    """Let a player who was in the game at the old minimum stay there."""
    seat, clause = seat_at(state, command.seat), table.rule("kept")
    if "kept" not in table.standing:
        refuse("no-kept-minimum", f"{table.book.id} keeps nobody at an old minimum; the new one holds")
    check_floor(command, "it is the floor person's choice; ask the floor", clause)
    name = table.entry_wager
    now = next_minima(table, state).get(name, table.terms.bounds[name].low)
    if not seat.played_at or now is None or seat.played_at >= now:
        sentence = f"{seat.player} has not played at a lower minimum than {spoken(now or 0)}"
        refuse("not-in-play", sentence, clause)
    return e.MinimumKept(seat=command.seat, amount=seat.played_at, clause=clause)


def hold_seat(table: Table, state: State, command: c.HoldSeat) -> Events:
    """Hold a seat for a player who said they come back."""
    seat_at(state, command.seat)
    if "kept_hold" not in table.standing:
        refuse("no-hold", f"{table.book.id} has no rule by which a seat is held; it is free to anybody")
    check_floor(command, "the floor person holds a seat", table.rule("hold"))
    return e.SeatHeld(seat=command.seat, until=command.until, clause=table.rule("kept_hold"))


def release_seat(table: Table, state: State, command: c.ReleaseSeat) -> Events:
    """End a seat's hold by hand."""
    if command.seat not in state.held:
        refuse("not-held", f"seat {command.seat} is not held; anybody may take it")
    check_floor(command, "the floor person releases a seat", table.rule("hold"))
    return e.SeatReleased(seat=command.seat, clause=table.rule("hold"))


HANDLERS: dict[type[c.Command], Any] = {
    c.Sit: sit,
    c.Stand: stand,
    c.Leave: leave,
    c.Bet: bet,
    c.AddSalt: add_salt,
    c.TakeBack: take_back,
    c.ChangeMinimum: change_minimum,
    c.KeepMinimum: keep_minimum,
    c.HoldSeat: hold_seat,
    c.ReleaseSeat: release_seat,
}
