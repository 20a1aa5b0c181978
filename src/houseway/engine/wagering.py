"""Seats and the wagers on them: sitting down, standing up, leaving, betting before the cards are dealt."""

from __future__ import annotations

import re
from typing import Any, Final

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.answers import Answer, in_round, is_floor, refuse, seat_at
from houseway.engine.hands import PlayerHand
from houseway.engine.order import due
from houseway.engine.reading import Found, check_bet_limit, check_bounds, check_positions
from houseway.engine.refusals import Refusal, RefusalError
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.ultimate import (
    check_coupon,
    check_one_amount,
    check_stakes,
    check_tips,
    refuse_entry,
)
from houseway.money import spoken
from houseway.rules.problems import meant

LONGEST_NAME: Final = 64
SALT: Final = re.compile("[0-9a-f]{32}")


def sit(table: Table, state: State, command: c.Sit) -> Answer:
    """Take a free seat with chips, or sit down again after standing."""
    number, where = command.seat, f"seat {command.seat}"
    if state.section == "closed":
        return refuse("table-closed", None, where, "the table is not open; open it first")
    if type(number) is not int or not 1 <= number <= table.seats:
        sentence = f"seats are numbered from 1 at the dealer's left to {table.seats}"
        return refuse("no-such-seat", table.terms.clause("seats"), where, sentence)
    seat = state.seats.get(number)
    if seat is not None:
        if seat.seated or (command.player and command.player != seat.player):
            return refuse(
                "seat-taken", None, where, f"{seat.player} sits at seat {number}; take a free seat"
            )
        return (e.PlayerReseated(seat=number, clause=table.terms.clause("seated")),)
    if not (command.player.isprintable() and len(command.player) <= LONGEST_NAME):
        sentence = f"a name is at most {LONGEST_NAME} characters that can be printed"
        return refuse("bad-name", None, where, sentence)
    if command.chips <= 0:
        return refuse("no-chips", None, where, "a player sits down with chips; say how many cents")
    hold = state.held.get(number)
    player = command.player or where
    if hold is not None and hold[0] != player:
        return refuse(
            "seat-held", table.rule("hold"), where, f"seat {number} is held for {hold[0]}; take a free seat"
        )
    clause = table.rule("kept_hold") if hold is not None else table.terms.clause("seated")
    return (e.PlayerSeated(seat=number, player=player, chips=command.chips, clause=clause),)


def stand(table: Table, state: State, command: c.Stand) -> Answer:
    """Stand up; a standing player's chips stay."""
    seat = seat_at(state, command.seat)
    if not seat.seated:
        return refuse(
            "standing-already",
            None,
            f"seat {command.seat}",
            f"{seat.player} stands already; sit down or leave",
        )
    return (e.PlayerStood(seat=command.seat, clause=table.terms.clause("seated")),)


def leave(table: Table, state: State, command: c.Leave) -> Answer:
    """Leave with the chips, once nothing of the player's is in the round."""
    seat = seat_at(state, command.seat)
    where = f"seat {command.seat}"
    hand = seat.hands[0]
    under_way = state.section == "round" and state.round.betting == "closed"
    dealt_in = under_way and command.seat in state.round.players and "stays" in table.standing
    if in_round(seat) or dealt_in:
        if not hand.cards and state.round.betting == "open":
            return refuse("wagers-down", None, where, "take the wagers back first")
        if "stays" in table.standing or hand.wagers:
            sentence = "who has wagered and received cards stays until the round is complete"
            return refuse("round-not-complete", table.rule("stays"), where, sentence)
    left: list[e.Event] = [
        e.PlayerLeft(
            seat=command.seat, chips=seat.chips, clause=table.rule("kept_lost") if seat.kept else None
        )
    ]
    if seat.kept and "kept_lost" not in table.standing:
        left.insert(0, e.SeatHeld(seat=command.seat, until=""))
    return tuple(left)


def bet(table: Table, state: State, command: c.Bet) -> Answer:
    """Put wagers on the layout in place of what the seat had there."""
    seat = seat_at(state, command.seat)
    where = f"seat {command.seat}"
    laid = seat.hands[0].wagers
    _check_open(table, state, where, changes=bool(laid) and command.wagers.keys() <= laid.keys())
    if not seat.seated:
        sentence = f"{seat.player} is not seated; sit down to wager"
        clause = table.terms.clause("seated")
        if "seated" in table.book.options:
            return refuse("not-seated", clause, where, sentence)
    _check_form(table, command, where)
    wagers = dict(command.wagers)
    for name, twin in table.terms.twins:
        if name not in wagers and twin in wagers:
            wagers[name] = wagers[twin]
    missing = next((name for name in wagers if name in state.unoffered), None)
    if missing is not None:
        setting = table.book.house[f"{missing}_table"]
        sentence = f"no {missing} is offered at this table: the house has chosen no pay table for it"
        return refuse("not-offered", setting.basis.clause(table.mode), f"{where}.{missing}", sentence)
    found: Found = []
    stakes = _stakes(table, wagers, where, found)
    tips = _amounts(command.tips, f"{where}.tips", found)
    if not found:
        _check(table, state, command, stakes, tips, found)
    if found:
        return found[0]
    placed = sum(stakes.values()) + sum(tips.values())
    chips = seat.chips + seat.hands[0].staked
    if placed > chips:
        sentence = f"{spoken(placed)} of wagers and {spoken(chips)} of chips; wager less"
        return refuse("not-enough-chips", None, where, sentence)
    clause = table.book.entry.clause(table.mode) if table.book.entry else None
    return (
        e.WagersPlaced(
            seat=command.seat,
            wagers=stakes,
            tips=tips,
            coupon=command.coupon,
            minimum=_minimum(table, state, command.seat),
            clause=clause,
        ),
    )


def add_salt(table: Table, state: State, command: c.AddSalt) -> Answer:
    """Put bytes of one's own into the players' cut of a deck that has not been dealt from."""
    seat_at(state, command.seat)
    where = f"seat {command.seat}"
    if SALT.fullmatch(command.salt) is None:
        return refuse("bad-salt", None, where, "a salt is 32 hexadecimal digits, small letters")
    if state.section != "round" or state.round.betting != "open":
        sentence = "salt is added while wagers are taken; wait for the next round"
        return refuse("betting-closed", None, where, sentence)
    if not state.round.seal:
        sentence = "the deck is not sealed; there is no order the players could cut without knowing it"
        return refuse("no-seal", None, where, sentence)
    if state.playing.mixed:
        sentence = "the shoe has been dealt from; salt is added before its first round is dealt"
        return refuse("dealt-from", None, where, sentence)
    return (e.SaltAdded(seat=command.seat, salt=command.salt),)


def take_back(table: Table, state: State, command: c.TakeBack) -> Answer:
    """Take every wager off the layout again, as long as wagers are taken."""
    seat = seat_at(state, command.seat)
    where = f"seat {command.seat}"
    _check_open(table, state, where, changes=True)
    if not seat.hands[0].wagers or seat.hands[0].cards:
        return refuse(
            "no-wagers", None, where, f"seat {command.seat} has no wagers to take back; bet first"
        )
    return (e.WagersTakenBack(seat=command.seat),)


def _check_open(table: Table, state: State, where: str, *, changes: bool) -> None:
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
        raise RefusalError("no-more-bets", table.clause(step, rule), where, sentence)
    now = due(table, state)
    clause = table.clause(now.step) if now is not None else None
    next_ = f"; the dealer has first to {now.step.name}" if now is not None else ""
    raise RefusalError("no-round", clause, where, f"wagers are taken once the round is opened{next_}")


def _check_form(table: Table, command: c.Bet, where: str) -> None:
    if command.form == "verbal" and "verbal" in table.standing:
        sentence = "a spoken wager backed by cash is not taken; put chips on the layout"
        raise RefusalError("verbal-wager", table.rule("verbal"), where, sentence)
    chips = table.standing.get("chips")
    if chips is not None and command.form not in chips.value and command.form != "verbal":
        sentence = f"wagers are made with {' or '.join(chips.value)}, not with {command.form}"
        raise RefusalError("not-chips", table.rule("chips"), where, sentence)


def _amounts(given: dict[str, int], where: str, found: Found) -> dict[str, int]:
    for name, amount in given.items():
        if type(amount) is not int or amount <= 0:
            sentence = f"{amount!r} is no amount: whole cents, more than nothing"
            found.append(Refusal("bad-amount", None, f"{where}.{name}", sentence))
    return dict(given)


def _stakes(table: Table, wagers: dict[str, int], where: str, found: Found) -> dict[str, int]:
    known = table.terms.stakeable
    for name in wagers:
        if name not in known:
            sentence = f"{table.book.id} takes no {name} wager here; {meant(str(name), known)}"
            found.append(Refusal("not-offered", table.terms.clause("offered"), f"{where}.{name}", sentence))
    amounts = _amounts(wagers, where, found)
    # In the rulebook's order, so that a seat's wagers always lie the same way.
    return {name: amounts[name] for name in known if name in amounts}


def _check(
    table: Table, state: State, command: c.Bet, stakes: dict[str, int], tips: dict[str, int], found: Found
) -> None:
    """What the rulebook has against these wagers."""
    terms, where = table.terms, f"seat {command.seat}"
    if table.shootout:
        _check_shootout(table, stakes, where, found)
    else:
        check_stakes(stakes, where, terms, found)
        if tips:
            check_tips(tips, stakes, 0, f"{where}.tips", terms, found)
        if command.coupon:
            check_coupon(command.coupon, stakes, f"{where}.match_play", terms, found)
        if terms.ways_in and not any(way <= stakes.keys() for way in terms.ways_in):
            refuse_entry(stakes, where, terms, found)
    if state.minima or state.seats[command.seat].kept:
        found[:] = _by_minimum(table, state, command.seat, stakes, found)
    if found:
        return
    check_limits(table, state, command.seat, stakes, tips, found)


def check_amounts(table: Table, state: State, number: int, stakes: dict[str, int], found: Found) -> None:
    """Refuse what is below the minimum in force or above the maximum."""
    for name, stake in stakes.items():
        check_bounds(name, stake, f"seat {number}.{name}", table.terms, found)
    if state.minima or state.seats[number].kept:
        found[:] = _by_minimum(table, state, number, stakes, found)


def _check_shootout(table: Table, stakes: dict[str, int], where: str, found: Found) -> None:
    book, mode = table.book, table.mode
    for name, stake in stakes.items():
        check_bounds(name, stake, f"{where}.{name}", table.terms, found)
    bonus = book.wagers.get("bonus")
    if bonus is not None and "bonus" in stakes and "wager" not in stakes and bonus.beside is not None:
        sentence = "a bonus wager needs the primary wager beside it"
        found.append(Refusal("bonus-alone", bonus.beside.clause(mode), f"{where}.bonus", sentence))
    elif book.entry is not None and "wager" not in stakes:
        sentence = "the primary wager is required to be dealt in"
        found.append(Refusal("no-initial-bet", book.entry.clause(mode), where, sentence))


def check_limits(
    table: Table, state: State, number: int, stakes: dict[str, int], tips: dict[str, int], found: Found
) -> None:
    """Refuse a second position, more at risk than allowed, and unequal progressive wagers."""
    terms = table.terms
    hands, paths = [], []
    for other, seat in state.seats.items():
        for n, hand in enumerate(seat.hands, 1):
            mine = other == number and n == 1
            made = stakes if mine else hand.made
            if made:
                given = tips if mine else hand.tips
                hands.append(PlayerHand(other, n, seat.player, (), made, tips=given))
                paths.append(f"seat {other}")
    own = state.seats[number].player
    if terms.rulebook.bet_limit is not None:
        mine_only = [(h, p) for h, p in zip(hands, paths, strict=True) if h.player == own]
        check_bet_limit([h for h, _ in mine_only], [p for _, p in mine_only], terms, found)
    if any(h.player == own and h.seat != number for h in hands):
        check_positions(hands, paths, terms, found)
    if "progressive" in stakes and terms.progressive_amount[0] is None:
        check_one_amount(hands, paths, found)


def _by_minimum(table: Table, state: State, number: int, stakes: dict[str, int], found: Found) -> Found:
    """The refusals, those of the minimum made anew: it has changed, or the player is kept at the old."""
    rest = [r for r in found if r.code != "below-minimum"]
    for name, stake in stakes.items():
        low = _low(table, state, number, name)
        if low is not None and stake < low:
            fixed = table.book.limits.get(name) or table.book.limits.get("ante")
            least = table.book.minimum_basis or table.book.limit_basis
            clause = least.clause(table.mode) if least else None
            if fixed is not None and fixed.minima is not None:
                clause = fixed.minima.clause(table.mode)
            sentence = f"{name} {spoken(stake)} is below the minimum {spoken(low)}"
            rest.append(Refusal("below-minimum", clause, f"seat {number}.{name}", sentence))
    return rest


def _low(table: Table, state: State, number: int, name: str) -> int | None:
    low = state.minima.get(name, table.terms.bounds[name].low)
    kept = state.seats[number].kept
    return min(kept, low) if kept and low is not None else low


def _minimum(table: Table, state: State, number: int) -> int:
    name = "wager" if table.shootout else "ante"
    return _low(table, state, number, name) or 0 if name in table.terms.bounds else 0


# --- the floor's word about minimum bets and seats ---


def _posted(table: Table) -> list[str]:
    """The wagers a minimum is posted for: neither one that equals another nor one of a single amount."""
    wagers, exact = table.book.wagers, {rule.wager for rule in table.terms.stake_rules if rule.exact}
    return [n for n in table.terms.stakeable if wagers[n].equals is None and n not in exact]


def change_minimum(table: Table, state: State, command: c.ChangeMinimum) -> Answer:
    """Change the posted minimum; it holds from the next round on."""
    where = f"minimum.{command.wager}"
    if state.section == "closed":
        return refuse("table-closed", None, where, "the table is not open; open it first")
    if not is_floor(command.by):
        return refuse("not-the-floor", table.rule("notice"), where, "a floor person changes the minimum")
    known = _posted(table)
    if command.wager not in known:
        sentence = f"no minimum is posted for {command.wager!r}; {meant(command.wager, known)}"
        return refuse("unknown-wager", None, where, sentence)
    fixed = table.book.limits.get(command.wager)
    if fixed is not None and fixed.minima is not None and command.amount not in fixed.minima.value:
        allowed = " or ".join(spoken(m) for m in fixed.minima.value)
        sentence = f"the minimum {spoken(command.amount)} is not offered; it is {allowed}"
        return refuse("minimum-not-offered", fixed.minima.clause(table.mode), where, sentence)
    bounds = [table.terms.bounds[name].high for name in _with(table, command.wager)]
    if command.amount <= 0 or any(high is not None and command.amount > high for high in bounds):
        sentence = "a minimum is more than nothing and at most the maximum"
        return refuse("bad-minimum", None, where, sentence)
    notice = table.standing.get("notice")
    if notice is not None and command.notice != notice.value:
        sentence = f"{notice.value} is told first; the change names who was told"
        return refuse("no-notice", table.rule("notice"), where, sentence)
    return (
        e.LimitsChanged(
            wager=command.wager, amount=command.amount, notice=command.notice, clause=table.rule("notice")
        ),
    )


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


def keep_minimum(table: Table, state: State, command: c.KeepMinimum) -> Answer:
    """Let a player who was in the game at the old minimum stay there."""
    seat = seat_at(state, command.seat)
    where = f"seat {command.seat}"
    if "kept" not in table.standing:
        sentence = f"{table.book.id} keeps nobody at an old minimum; the new one holds"
        return refuse("no-kept-minimum", None, where, sentence)
    if not is_floor(command.by):
        return refuse(
            "not-the-floor", table.rule("kept"), where, "it is the floor person's choice; ask the floor"
        )
    name = "wager" if table.shootout else "ante"
    now = next_minima(table, state).get(name, table.terms.bounds[name].low)
    if not seat.played_at or now is None or seat.played_at >= now:
        sentence = f"{seat.player} has not played at a lower minimum than {spoken(now or 0)}"
        return refuse("not-in-play", table.rule("kept"), where, sentence)
    return (e.MinimumKept(seat=command.seat, amount=seat.played_at, clause=table.rule("kept")),)


def hold_seat(table: Table, state: State, command: c.HoldSeat) -> Answer:
    """Hold a seat for a player who said they come back."""
    seat_at(state, command.seat)
    where = f"seat {command.seat}"
    if "kept_hold" not in table.standing:
        return refuse(
            "no-hold",
            None,
            where,
            f"{table.book.id} has no rule by which a seat is held; it is free to anybody",
        )
    if not is_floor(command.by):
        return refuse("not-the-floor", table.rule("hold"), where, "the floor person holds a seat")
    return (e.SeatHeld(seat=command.seat, until=command.until, clause=table.rule("kept_hold")),)


def release_seat(table: Table, state: State, command: c.ReleaseSeat) -> Answer:
    """End a seat's hold by hand."""
    where = f"seat {command.seat}"
    if command.seat not in state.held:
        return refuse("not-held", None, where, f"seat {command.seat} is not held; anybody may take it")
    if not is_floor(command.by):
        return refuse("not-the-floor", table.rule("hold"), where, "the floor person releases a seat")
    return (e.SeatReleased(seat=command.seat, clause=table.rule("hold")),)


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
