"""Seats and opening wagers: sit, stand, leave, bet; supervisors' orders about minimums and held seats."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, Final

from msgspec.structs import replace

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, check_floor, is_floor, refuse, refuse_first, seat_at
from houseway.engine.evolve import fold
from houseway.engine.finished_round import PlayerHand
from houseway.engine.idle_table import becomes_empty, check_spread
from houseway.engine.persons import HOUSE
from houseway.engine.stake_checks import StakeChecks
from houseway.engine.state import Hand, Seat, State
from houseway.engine.table import Table
from houseway.engine.turn_order import due
from houseway.money import Cents, spoken
from houseway.rules.posted_limits import Limits, minimum_above_caps
from houseway.rules.problems import suggest
from houseway.rules.rulebook import Bounds
from houseway.wording import several

LONGEST_NAME: Final = 64
COUPONS: Final = "coupons_per_player"


def sit(table: Table, state: State, command: c.Sit) -> Events:
    """Take a free seat with chips, or sit down again after standing."""
    number = command.seat
    if state.section == "closed":
        refuse("table-closed", "the table is closed; choose an open table")
    if type(number) is not int or not 1 <= number <= table.seats:
        sentence = (
            f"there is no seat {number}; seats are numbered 1 to {table.seats} from the dealer's left"
        )
        refuse("no-such-seat", sentence, table.terms.clause("seats"))
    seat = state.seats.get(number)
    if seat is not None:
        if seat.removed and command.player in ("", seat.player):
            refuse(
                "removed", "you were removed from this seat and leave after the round; wait for it to end"
            )
        if seat.seated or (command.player and command.player != seat.player):
            refuse("seat-taken", f"seat {number} is taken by {seat.player}; take a free seat")
        return e.PlayerReseated(seat=number, clause=table.terms.clause("seated"))
    if not (command.player.isprintable() and len(command.player) <= LONGEST_NAME):
        refuse("bad-name", f"a name can have at most {LONGEST_NAME} printable characters")
    if command.chips <= 0:
        refuse("no-chips", "you need chips to sit down; enter their value in cents")
    hold = state.held.get(number)
    player = command.player or command.where
    if hold is not None and hold[0] != player:
        refuse("seat-held", f"seat {number} is held for {hold[0]}; take a free seat", table.rule("hold"))
    clause = table.rule("kept_hold") if hold is not None else table.terms.clause("seated")
    keeps = None
    if hold is not None and holds_minimum(table):
        keeps = hold[2] if hold[2] < (_next_entry_minimum(table, state) or 0) else 0
    return e.PlayerSeated(
        seat=number,
        player=player,
        chips=command.chips,
        account=command.account,
        keeps=keeps,
        clause=clause,
    )


def stand(table: Table, state: State, command: c.Stand) -> Events:
    """Stand up; the player's chips stay at the seat."""
    seat = seat_at(state, command.seat)
    if not seat.seated:
        refuse("standing-already", "you are already standing; sit down or leave")
    if "seated_wagers" in table.standing and seat.hands[0].wagers and not seat.hands[0].cards:
        return _stand_with_wagers(table, state, command)
    if _dealt_in(state, command.seat) and seat.hands[0].cards and stays_seated(table):
        clause = table.rule("stays")
        if not is_floor(command.by):
            sentence = "you have cards in this round; stay seated until it is over"
            refuse("round-not-complete", sentence, clause)
        # A floor supervisor reports that the player left anyway. The hand is then played by the default.
        return e.PlayerStood(seat=command.seat, name=command.name, clause=clause)
    return e.PlayerStood(seat=command.seat, name=command.name, clause=table.terms.clause("seated"))


def _stand_with_wagers(table: Table, state: State, command: c.Stand) -> Events:
    """Refuse to stand up with wagers on the layout and no cards yet.

    If a floor supervisor reports that the player stood up anyway, the wagers are taken back, provided that
    betting is open.
    """
    clause, taken_back = table.rule("seated_wagers"), state.round.betting == "open"
    if not is_floor(command.by):
        first = "take back your wagers first" if taken_back else "stay seated until the round is over"
        refuse("wagers-down", f"only seated players may wager; {first}", clause)
    stood = e.PlayerStood(seat=command.seat, name=command.name, clause=clause)
    return (e.WagersTakenBack(seat=command.seat), stood) if taken_back else stood


def _dealt_in(state: State, number: int) -> bool:
    """True if betting is closed and the seat is dealt into the round."""
    under_way = state.section == "round" and state.round.betting == "closed"
    return under_way and number in state.round.players


def stays_seated(table: Table) -> bool:
    """True if a player with cards may not stand up before the round is complete."""
    stays = table.standing.get("stays")
    return stays is not None and stays.value == "seated"


def leave(table: Table, state: State, command: c.Leave) -> Events:
    """Leave with the chips, once the player is out of the round."""
    seat = seat_at(state, command.seat)
    if _in_round(table, state, command.seat):
        if not seat.hands[0].cards and state.round.betting == "open":
            refuse("wagers-down", "take back your wagers first")
        sentence = "you have a hand in this round; leave when the round is over"
        refuse("round-not-complete", sentence, table.rule("stays"))
    held = state.held.get(command.seat)
    # Rulebooks without the setting `void_folds` are old; under them, no clause was cited for a held seat.
    holds = held is not None and held[0] == seat.player and "void_folds" in table.book.house
    cites_minimum = seat.kept or (holds and holds_minimum(table))
    clause = table.rule("kept_hold" if holds else "kept_lost") if cites_minimum else None
    empty = becomes_empty(table, state, command.seat)
    left = e.PlayerLeft(seat=command.seat, chips=seat.chips, empty=empty, clause=clause)
    if seat.kept and "kept_lost" not in table.standing:
        return e.SeatHeld(seat=command.seat, until=""), left
    return left


def _in_round(table: Table, state: State, number: int) -> bool:
    """True if a player with wagers or cards may not leave yet."""
    seat, stays = state.seats[number], "stays" in table.standing
    on_table = any(h.wagers or h.tips or h.collected or (h.cards and not h.racked) for h in seat.hands)
    opening = on_table and not seat.hands[0].cards and state.round.betting == "open"
    kept_in = on_table and (stays or bool(seat.hands[0].wagers))
    return opening or kept_in or (stays and _dealt_in(state, number))


def remove_player(table: Table, state: State, command: c.RemovePlayer) -> Events:
    """Remove a player. Wagers are taken back while betting is open.

    A player with cards is recorded as standing: the hand is played by the default, as for a player who has
    left the seat, and the player leaves after the round.
    """
    number, seat = command.seat, seat_at(state, command.seat)
    if command.by != HOUSE:
        check_floor(command, "only a floor person can remove a player", None)
    if state.section == "closed":
        refuse("table-closed", "the table is closed; choose an open table")
    if not command.name.strip():
        refuse("name-missing", "name the floor person who removes the player")
    if not command.reason.strip():
        refuse("reason-missing", "give the reason for removing the player")
    if seat.removed:
        refuse("removed-already", f"{seat.player} is already removed and leaves after the round")
    by, reason = command.by, command.reason
    events: list[e.Event] = [e.PlayerRemoved(number, seat.player, command.name, reason, by)]
    hand = seat.hands[0]
    if hand.wagers and not hand.cards and state.round.betting == "open" and state.section == "round":
        events.append(e.WagersTakenBack(seat=number))
    after = fold(events, state)
    if not _in_round(table, after, number):
        left = leave(table, after, c.Leave(seat=number, by=by))
        return [*events, *(left if isinstance(left, list | tuple) else [left])]
    stays = table.rule("stays") or table.terms.clause("seated")
    return [*events, e.PlayerStood(seat=number, clause=stays)] if seat.seated else events


def check_seated(table: Table, state: State, number: int, where: str) -> None:
    """Refuse a wager from a standing player, if the rulebook requires players to sit."""
    seat = state.seats[number]
    if not seat.seated and "seated" in table.book.options:
        sentence = "you are standing; sit down to bet"
        refuse("not-seated", sentence, table.terms.clause("seated"), where)


def bet(table: Table, state: State, command: c.Bet) -> Events:
    """Put wagers on the layout, replacing the seat's earlier ones."""
    number, where = command.seat, command.where
    seat = seat_at(state, number, table.terms.clause("seated"))
    laid = seat.hands[0].wagers
    added = None if laid and command.wagers.keys() <= laid.keys() else command.wagers.keys() - laid.keys()
    _check_open(table, state, seat.hands[0], added)
    check_seated(table, state, number, where)
    _check_form(table, command)
    wagers = dict(command.wagers)
    for name, other in table.terms.twins:
        if name not in wagers and other in wagers:
            wagers[name] = wagers[other]
    # An amount of 0 counts as a missing wager, which the check for equal wagers then refuses.
    for pair in table.terms.twins:
        if any(wagers.get(name) for name in pair):
            wagers = {name: stake for name, stake in wagers.items() if stake or name not in pair}
    unoffered = next((name for name in wagers if name in state.unoffered), None)
    if unoffered is not None:
        clause, sentence = None, f"this table does not offer {unoffered}; bet without it"
        if not table.terms.offers(unoffered):
            clause = table.cite(table.book.house[f"{unoffered}_table"].basis)
            sentence = f"this table does not offer {unoffered}; the house has not chosen its pay table"
        refuse("not-offered", sentence, clause, f"{where}.{unoffered}")
    checks = StakeChecks(table.terms)
    known = table.terms.stakeable
    for name in wagers:
        if name not in known:
            wrong = f"you cannot bet {name}" if name in table.book.wagers else f"there is no wager {name!r}"
            sentence, clause = f"{wrong}; {suggest(str(name), known)}", None
            if name == "play" and name in table.book.wagers:
                sentence = (
                    "a play wager is made after the deal; bet the ante, wait for your cards, then play"
                )
                clause = table.cite(table.book.wagers[name].basis)
            clause = clause or table.terms.clause("offered")
            checks.refusals.add("not-offered", sentence, f"{where}.{name}", clause)
    _check_amounts(wagers, where, checks)
    _check_amounts(command.tips, f"{where}.tips", checks)
    refuse_first(checks.refusals)
    # Keep the wagers in the rulebook's order, however the command lists them.
    stakes = {name: wagers[name] for name in known if name in wagers}
    tips = dict(command.tips)
    if table.shootout:
        for name, stake in stakes.items():
            checks.bounds(name, stake, f"{where}.{name}")
        checks.primary(stakes, where)
    else:
        checks.stakes(stakes, where)
    # Old Texas Shootout rulebooks do not have the setting `tips`; under them, tips were not checked.
    if tips and ("tips" in table.book.house or not table.shootout):
        checks.tips(tips, stakes, 0, f"{where}.tips")
    # Under those rulebooks, coupons were not checked either.
    if command.coupon and ("tips" in table.book.house or not table.shootout):
        checks.coupon(command.coupon, stakes, f"{where}.match_play")
    if not table.shootout:
        checks.entry(stakes, where)
    check_minima(table, state, number, stakes, checks)
    refuse_first(checks.refusals)
    if command.coupon and not may_use_coupon(table, state, number):
        most = several(table.terms.house(COUPONS), "match play coupon")
        sentence = f"each player may use {most} at this table, and you have used yours; bet without one"
        clause = table.cite(table.book.house[COUPONS].basis)
        refuse("match-play-used", sentence, clause, f"{where}.match_play")
    check_limits(table, state, number, stakes, tips)
    placed = sum(stakes.values()) + sum(tips.values())
    chips = seat.chips + seat.hands[0].staked
    if placed > chips:
        refuse("not-enough-chips", f"you bet {spoken(placed)} but have {spoken(chips)}; bet less")
    posted, clause = table.entry_wager, table.cite(table.book.entry)
    minimum = minimum_in_force(table, state, number, posted) or 0 if posted in table.terms.bounds else 0
    return e.WagersPlaced(
        seat=number, wagers=stakes, tips=tips, coupon=command.coupon, minimum=minimum, clause=clause
    )


def may_use_coupon(table: Table, state: State, number: int) -> bool:
    """True if the player at a seat may use another match play coupon at this table."""
    most, player = table.terms.house(COUPONS), state.seats[number].player
    others = sum(
        bool(s.hands[0].coupon) for n, s in state.seats.items() if n != number and s.player == player
    )
    return most is None or state.coupons.get(player, 0) + others < most


def take_back(table: Table, state: State, command: c.TakeBack) -> Events:
    """Take back every wager of a seat while betting is open."""
    hand = seat_at(state, command.seat).hands[0]
    _check_open(table, state, hand, None)
    if not hand.wagers or hand.cards:
        refuse("no-wagers", "you have no wagers to take back")
    return e.WagersTakenBack(seat=command.seat)


def _check_open(table: Table, state: State, hand: Hand, added: Set[str] | None) -> None:
    """Refuse a wager while betting is not open, or while the cards of an empty table must be spread.

    `added` are the wagers that are new; None if wagers are only changed or taken back.
    """
    check_spread(table, state)
    betting = state.round.betting
    if betting == "open" and state.section == "round" and not state.round.void:
        return
    step = table.find("close betting")
    if betting == "closed" and step is not None:
        rule = "no_change" if added is None else "no_wager"
        # Once players' salts are open, anyone who knows the cards would know what to bet.
        if rule not in step.rules and not state.round.commitments:
            return
        act = "make, raise or take back a wager" if added is None else "make a wager"
        sentence = f"no more bets; you can {act} in the next round"
        clause, stage = (
            _closing_clause(table, added) or table.clause(step, rule),
            table.stages.get(hand.acted),
        )
        locks = stage.locks if stage is not None and hand.locked and rule in step.rules else None
        # If the rule on all bets is borrowed from another document, cite the document's own rule on hands
        # with a play wager instead.
        if locks is not None and step.rules[rule].basis.filled and not locks.filled:
            sentence = (
                "you have made your play wager and can no longer change your bets; wait for the showdown"
            )
            clause = table.cite(locks)
        refuse("no-more-bets", sentence, clause)
    now = due(table, state)
    clause = table.clause(now.step) if now is not None else None
    first = f"; the dealer must first {now.step.name}" if now is not None else ""
    refuse("no-round", f"you can bet when the round opens{first}", clause)


def _closing_clause(table: Table, added: Set[str] | None) -> str | None:
    """Return the clause that closes new wagers, if each of them has its own."""
    known = [table.book.wagers[name] for name in sorted(added or ()) if name in table.book.wagers]
    closes = [wager.closes for wager in known if wager.closes is not None]
    return table.cite(closes[0]) if closes and len(closes) == len(known) else None


def _check_form(table: Table, command: c.Bet) -> None:
    form, chips = command.form, table.standing.get("chips")
    if form == "verbal" and "verbal" in table.standing:
        sentence = "a spoken wager backed by cash is not accepted; put chips on the layout"
        refuse("verbal-wager", sentence, table.rule("verbal"))
    if chips is not None and form not in chips.value and form != "verbal":
        sentence = f"bet with {' or '.join(chips.value)}, not with {form}"
        refuse("not-chips", sentence, table.rule("chips"))


def _check_amounts(amounts: dict[str, int], where: str, checks: StakeChecks) -> None:
    for name, amount in amounts.items():
        if type(amount) is not int or amount <= 0:
            sentence = f"{name} must be a whole number of cents, more than 0, not {amount!r}"
            checks.refusals.add("bad-amount", sentence, f"{where}.{name}")


def check_limits(
    table: Table, state: State, number: int, stakes: dict[str, int], tips: dict[str, int]
) -> None:
    """Refuse a second seat, an exceeded bet limit and unequal progressive wagers."""
    checks = StakeChecks(table.terms)
    hands = []
    for other, seat in state.seats.items():
        for n, hand in enumerate(seat.hands, 1):
            own = other == number and n == 1
            wagers, own_tips = (stakes, tips) if own else (hand.made, hand.tips)
            if wagers:
                hands.append(
                    (f"seat {other}", PlayerHand(other, n, seat.player, (), wagers, tips=own_tips))
                )
    players = [placed for placed in hands if placed[1].player == state.seats[number].player]
    checks.bet_limit(players)
    if any(hand.seat != number for _, hand in players):
        # The seat that bets now comes last, so that the refusal names it and the seat that bet before.
        checks.positions(sorted(hands, key=lambda placed: placed[1].seat == number))
    if "progressive" in stakes:
        checks.one_amount(hands)
    refuse_first(checks.refusals)


def check_minima(
    table: Table, state: State, number: int, stakes: dict[str, int], checks: StakeChecks
) -> None:
    """Check the minimum bets again if they have changed or the player keeps an old minimum."""
    if not state.minima and not state.seats[number].kept:
        return
    checks.refusals[:] = [refusal for refusal in checks.refusals if refusal.code != "below-minimum"]
    for name, stake in stakes.items():
        checks.minimum(name, stake, minimum_in_force(table, state, number, name), f"seat {number}.{name}")


def minimum_in_force(table: Table, state: State, number: int, name: str) -> int | None:
    """Return the least that a seat may bet on a wager: the posted minimum, or a lower one that it keeps."""
    low = state.minima.get(name, table.terms.bounds[name].low)
    kept = state.seats[number].kept
    return min(kept, low) if kept and low is not None else low


# --- the floor's orders about minimums and seats ---


def _posted(table: Table) -> list[str]:
    """Return the wagers with their own posted minimum: neither fixed nor equal to another wager."""
    wagers, exact = table.book.wagers, {rule.wager for rule in table.terms.stake_rules if rule.exact}
    return [n for n in table.terms.stakeable if wagers[n].equals is None and n not in exact]


def change_minimum(table: Table, state: State, command: c.ChangeMinimum) -> Events:
    """Change the posted minimum, starting with the next round."""
    wager, amount, where = command.wager, command.amount, f"minimum.{command.wager}"
    clause = table.rule("notice")
    if state.section == "closed":
        refuse("table-closed", "the table is closed; open a table first", where=where)
    check_floor(command, "only a floor supervisor can change the minimum", clause, where)
    known = _posted(table)
    if wager not in known:
        refuse("unknown-wager", f"{wager!r} has no posted minimum; {suggest(wager, known)}", where=where)
    fixed = table.book.limits.get(wager)
    if fixed is not None and fixed.minima is not None and amount not in fixed.minima.value:
        allowed = " or ".join(map(spoken, fixed.minima.value))
        sentence = f"the minimum must be {allowed}, not {spoken(amount)}"
        refuse("minimum-not-offered", sentence, table.cite(fixed.minima), where)
    bounds = [table.terms.bounds[name].high for name in _wagers_under(table, wager)]
    if amount <= 0 or any(high is not None and amount > high for high in bounds):
        refuse("bad-minimum", "the minimum must be more than $0 and at most the maximum", where=where)
    notice = table.standing.get("notice")
    if notice is not None and command.notice != notice.value:
        sentence = f"notify {notice.value} first, and write {notice.value!r} in the command's notice"
        refuse("no-notice", sentence, clause, where)
    changed = replace(state, changing={**state.changing, wager: amount})
    # Records under old rulebooks have no warning.
    warned = limit_warnings(table, changed) if any(cap.named for cap in table.book.caps) else ()
    return e.LimitsChanged(
        wager=wager,
        amount=amount,
        notice=command.notice,
        warning="; ".join(warned),
        name=command.name,
        clause=clause,
    )


def limits_at(table: Table, minima: dict[str, int]) -> Limits:
    """Return the posted limits with changed minimum bets."""
    posted = table.terms.bounds
    changed = {w: Bounds(Cents(low), posted[w].high) for w, low in minima.items() if w in posted}
    return {**table.terms.limits, **changed}


def limit_warnings(table: Table, state: State) -> tuple[str, ...]:
    """Return the warnings to the house about the limits of the next round, with their clauses."""
    terms = table.terms
    if not (state.minima or state.changing or state.unoffered):
        return terms.warnings
    limits = limits_at(table, next_minima(table, state))
    findings = minimum_above_caps(table.book, limits, terms.tables, terms.mode, state.unoffered)
    return tuple(f"{f.sentence} ({f.clause})" for f in findings)


def next_minima(table: Table, state: State) -> dict[str, int]:
    """Return the changed minimum bets for the next round, by wager."""
    minima = dict(state.minima)
    for name, amount in state.changing.items():
        minima |= dict.fromkeys(_wagers_under(table, name), amount)
    return minima


def _wagers_under(table: Table, name: str) -> list[str]:
    """Return the wagers that a posted minimum applies to: the wager itself, those that must equal it,
    and if the rulebook lists minimum bets, every wager in that list."""
    wagers, limits = table.book.wagers, table.book.limits
    same = [other for other, w in wagers.items() if w.equals is not None and w.equals.value == name]
    return [name, *same, *(other for other in wagers if name in limits and other in limits)]


def keep_minimum(table: Table, state: State, command: c.KeepMinimum) -> Events:
    """Let a player keep the minimum of an earlier round."""
    seat, clause = seat_at(state, command.seat), table.rule("kept")
    if "kept" not in table.standing:
        refuse("no-kept-minimum", f"under {table.book.id}, players cannot keep an old minimum")
    check_floor(command, "only a floor supervisor can let a player keep the old minimum", clause)
    now = _next_entry_minimum(table, state)
    if not seat.played_at or now is None or seat.played_at >= now:
        sentence = f"{seat.player} has never played at a minimum below {spoken(now or 0)}"
        refuse("not-in-play", sentence, clause)
    if only_lower_bets(table) and not 0 < seat.least < now:
        sentence = f"{seat.player} has never bet less than {spoken(now)}, so there is no lower bet to keep"
        refuse("not-in-play", sentence, clause)
    return e.MinimumKept(seat=command.seat, amount=seat.played_at, name=command.name, clause=clause)


def _next_entry_minimum(table: Table, state: State) -> int | None:
    """Return the posted minimum of the main wager from the next round on."""
    name = table.entry_wager
    return next_minima(table, state).get(name, table.terms.bounds[name].low)


def only_lower_bets(table: Table) -> bool:
    """True if only a player who has bet less than the new minimum may keep the old one."""
    kept = table.standing.get("kept")
    return kept is not None and kept.value == "who bet less"


def holds_minimum(table: Table) -> bool:
    """True if a player whose seat is held keeps the minimum that they were playing at."""
    hold = table.standing.get("kept_hold")
    return hold is not None and hold.value == "in play"


def _minimum_in_play(table: Table, seat: Seat) -> int:
    """Return the minimum that a player was playing at, or 0 if the player may not keep it.

    If only players who bet less may keep it, a player who never bet less than the highest minimum on offer
    may not.
    """
    fixed = table.book.limits.get(table.entry_wager)
    offered = fixed.minima.value if fixed is not None and fixed.minima is not None else ()
    highest = max(offered, default=0)
    lower = not only_lower_bets(table) or not highest or 0 < seat.least < highest
    return seat.played_at if lower else 0


def hold_seat(table: Table, state: State, command: c.HoldSeat) -> Events:
    """Hold a seat for a player who will return, and keep the minimum that the player was playing at."""
    seat = seat_at(state, command.seat)
    if "kept_hold" not in table.standing:
        refuse("no-hold", f"{table.book.id} has no rule for holding a seat")
    check_floor(command, "only a floor supervisor can hold a seat", table.rule("hold"))
    keeps = _minimum_in_play(table, seat) if holds_minimum(table) else 0
    number, clause = command.seat, table.rule("kept_hold")
    return e.SeatHeld(seat=number, until=command.until, keeps=keeps, name=command.name, clause=clause)


def release_seat(table: Table, state: State, command: c.ReleaseSeat) -> Events:
    """Release a held seat."""
    if command.seat not in state.held:
        refuse("not-held", f"seat {command.seat} is not held")
    check_floor(command, "only a floor supervisor can release a held seat", table.rule("hold"))
    return e.SeatReleased(seat=command.seat, name=command.name, clause=table.rule("hold"))


HANDLERS: dict[type[c.Command], Any] = {
    c.Sit: sit,
    c.Stand: stand,
    c.Leave: leave,
    c.RemovePlayer: remove_player,
    c.Bet: bet,
    c.TakeBack: take_back,
    c.ChangeMinimum: change_minimum,
    c.KeepMinimum: keep_minimum,
    c.HoldSeat: hold_seat,
    c.ReleaseSeat: release_seat,
}
