"""What players decide once they hold cards: check, play, fold; keep two of four or split; challenge."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from houseway.cards import Card, written
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import DEADLINE, Events, check_floor, refuse, refuse_first, seat_at
from houseway.engine.finished_round import HELD, FinishedRound, PlayerHand
from houseway.engine.hand_facts import SettledHand, TableFacts
from houseway.engine.read_shootout import may_split
from houseway.engine.seats_and_wagers import check_limits, check_minima, check_seated
from houseway.engine.stake_checks import StakeChecks
from houseway.engine.state import Hand, Seat, State
from houseway.engine.table import Table
from houseway.engine.turn_order import due, turn_at
from houseway.money import spoken
from houseway.rules.procedure import Step
from houseway.rules.stages import Stage


def asked(table: Table, state: State, number: int) -> tuple[Seat, Step]:
    """The seat that is asked now and the step that asks it, or a refusal that says why it is not."""
    seat = seat_at(state, number)
    hand = seat.hands[0]
    if not hand.cards or hand.void:
        refuse(
            "not-in-the-round", f"seat {number} has no hand in this round; wager when the next is opened"
        )
    if hand.folded:
        refuse("folded-already", f"seat {number} has folded; the next decision is in the next round")
    if hand.locked:
        stage = table.stages.get(hand.acted)
        sentence = f"seat {number} has played and is held to it; wait until the hands are compared"
        refuse("locked-in", sentence, table.cite(stage.locks if stage else None))
    now = due(table, state)
    if now is None:
        refuse("not-now", "no decision is asked for now")
    step = now.step
    if step.act != "ask":
        sentence = f"no decision is asked for now; the dealer has first to {step.name}"
        refuse("not-now", sentence, table.clause(step))
    turn = turn_at(table, state, step)
    if turn != number:
        sentence = f"it is seat {turn}'s turn, clockwise from the dealer's left"
        refuse("out-of-turn", sentence, table.clause(step, "order") or table.clause(step))
    return seat, step


def _stage(table: Table, state: State, number: int) -> tuple[Seat, Step, Stage]:
    seat, step = asked(table, state, number)
    stage = table.stage_of(step)
    if stage is None:
        refuse("set-the-hand", "keep two cards, or split; there is no betting here", table.clause(step))
    return seat, step, stage


def check(table: Table, state: State, command: c.Check, by: str = "") -> Events:
    """Stay in without a play wager at this betting point."""
    _, step, stage = _stage(table, state, command.seat)
    if stage.check is None:
        refuse("no-check", f"{stage.name} a player plays or folds; checking is over", table.clause(step))
    return e.Checked(seat=command.seat, stage=stage.name, by=by, clause=table.cite(stage.check))


def play(table: Table, state: State, command: c.Play) -> Events:
    """Make the play wager."""
    number, times, tip = command.seat, command.times, command.tip
    seat, _, stage = _stage(table, state, number)
    where = f"seat {number}.play"
    hand = seat.hands[0]
    check_seated(table, state, number, where)
    sizes = stage.sizes
    if sizes is None or times not in sizes.value or type(times) is not int:
        offered = " or ".join(f"{n}x" for n in (sizes.value if sizes else ()))
        sentence = f"{times}x is no play wager {stage.name}; it is {offered or 'not offered'}"
        refuse("play-size", sentence, table.cite(sizes), where)
    amount = times * hand.wagers["ante"]
    tips = {**hand.tips, "play": tip} if tip else hand.tips
    if tip:
        checks = StakeChecks(table.terms)
        checks.tips(tips, hand.wagers, times, f"seat {number}.tips")
        refuse_first(checks.found)
    if table.book.bet_limit is not None:
        check_limits(table, state, number, {**hand.made, "play": amount}, tips)
    cost = amount + tip
    if cost > seat.chips:
        has = f"seat {number} has {spoken(seat.chips)}"
        refuse("not-enough-chips", f"{times}x is {spoken(cost)}, {has}; play less or not", where=where)
    locks, clause = stage.locks is not None, table.cite(stage.laid) or table.cite(sizes)
    return e.PlayMade(
        seat=number, stage=stage.name, times=times, amount=amount, tip=tip, locks=locks, clause=clause
    )


def fold(table: Table, state: State, command: c.Fold, by: str = "") -> Events:
    """Give up ante and blind."""
    seat, _, stage = _stage(table, state, command.seat)
    if stage.fold is None:
        last = next((s for s in table.book.stages if s.fold), None)
        when = f"a player may fold {last.name}, not before" if last else "nobody folds in this game"
        refuse("no-fold-yet", f"{when}; check or play", table.cite(last.fold if last else None))
    held = _held(table, state, seat.hands[0])
    return e.Folded(seat=command.seat, stage=stage.name, held=held, by=by, clause=table.cite(stage.fold))


def _held(table: Table, state: State, hand: Hand) -> bool:
    """Whether a trips wager holds the folded cards on the layout."""
    plan = table.terms.plan
    whole = len(hand.cards) == table.hand_size and len(state.round.board) == table.board_size
    if not whole:
        return plan.may_hold(hand.wagers)
    facts = TableFacts(table.terms, FinishedRound(state.round.board, (), (), {}))
    spot = SettledHand(PlayerHand(0, 1, 0, hand.cards, hand.wagers), facts)
    return plan.folded_status(hand.wagers, spot) == HELD


# --- four cards ---


def keep(table: Table, state: State, command: c.Keep, by: str = "") -> Events:
    """Keep two of four cards; the others are discards."""
    four, step = _setting(table, state, command.seat)
    number, kept, where = command.seat, command.cards, f"seat {command.seat}.cards"
    size = table.book.option("keep")
    clause = table.terms.clause("keep")
    if size is not None and len(kept) != size:
        refuse("wrong-number-kept", f"{size} of the four cards are kept, not {len(kept)}", clause, where)
    rest = Counter(four) - Counter(kept)
    if Counter(kept) - Counter(four):
        sentence = f"{written(kept)} are not among the four cards of seat {number}"
        refuse("not-among-the-four", sentence, clause, where)
    if table.book.option("split") and "optional" not in step.rules and may_split(four, table.terms):
        sentence = f"{written(four)} is split; the rulebook leaves no choice"
        refuse("split-needed", sentence, table.terms.clause("split"), where)
    shown, lies, clause = _layout(table, step, "kept")
    discards = tuple(rest.elements()) if "discards" in step.rules else ()
    return e.HandSet(seat=number, face=kept, sealed=discards, shown=shown, lies=lies, by=by, clause=clause)


def _layout(table: Table, step: Step, rule: str) -> tuple[bool, str, str | None]:
    """How a step has a hand laid by one of its rules: whether it is shown, where it lies, the clause."""
    said = step.rules.get(rule)
    lies = said.value if said is not None and isinstance(said.value, str) else ""
    return said is not None, lies, table.cite(said)


def split(table: Table, state: State, command: c.Split) -> Events:
    """Play all four cards as two hands."""
    four, step = _setting(table, state, command.seat)
    number, where, bonus = command.seat, command.where, command.bonus
    shown, lies, clause = _layout(table, step, "split")
    both = Counter((*command.first, *command.second))
    if len(command.first) != len(command.second) or both != Counter(four):
        sentence = "a split lays all four cards as two hands of two"
        refuse("not-among-the-four", sentence, clause, f"{where}.cards")
    if table.book.option("split") is None or not may_split(four, table.terms):
        sentence = f"{written(four)} is neither two pair nor four of a kind; keep two cards"
        refuse("split-not-allowed", sentence, table.terms.clause("split"))
    seat = state.seats[number]
    wager, most = seat.hands[0].wagers["wager"], seat.hands[0].wagers.get("bonus", 0)
    rule = table.book.options.get("second_bonus")
    if bonus < 0 or (bonus > most and rule is not None):
        also = rule.basis.also if rule else ()
        cited = table.cite(rule) if rule and most else next(iter(also), None)
        sentence = f"the second bonus may be at most the first, {spoken(most)}"
        refuse("second-bonus", sentence, cited, f"{where}.bonus")
    before = sum(hand.staked for hand in seat.hands[1:])
    if wager + bonus > seat.chips + before:
        has = f"seat {number} has {spoken(seat.chips)}"
        refuse("not-enough-chips", f"a split costs {spoken(wager + bonus)} more, {has}; keep two")
    _check_split(table, state, command)
    first, second = command.first, command.second
    return e.HandSplit(number, first, second, wager, bonus, shown, lies, clause=clause)


def _check_split(table: Table, state: State, command: c.Split) -> None:
    """Refuse a second bonus below its minimum, and both hands together above the bet limit."""
    number, bonus = command.seat, command.bonus
    seat = state.seats[number]
    if bonus:
        checks = StakeChecks(table.terms)
        checks.bounds("bonus", bonus, f"seat {number}.bonus")
        check_minima(table, state, number, {"bonus": bonus}, checks)
        refuse_first(checks.found)
    if table.book.bet_limit is not None:
        first = seat.hands[0].made
        made = {**first, "wager": 2 * first["wager"], "bonus": first.get("bonus", 0) + bonus}
        alone = replace(state, seats={**state.seats, number: replace(seat, hands=seat.hands[:1])})
        check_limits(table, alone, number, made, {})


def _setting(table: Table, state: State, number: int) -> tuple[tuple[Card, ...], Step]:
    """The four cards a seat may set now, and the step that asks for it.

    A player who has set a hand may change it until the discards are collected; then it is final.
    """
    seat = seat_at(state, number)
    hand, steps = seat.hands[0], table.sections["round"]
    step = next((s for s in steps if s.act == "ask" and not s.stage), None)
    if step is None or not hand.cards or not hand.wagers or hand.void or state.round.void:
        refuse("not-in-the-round", f"seat {number} has no four cards to choose from")
    if hand.acted != "set":
        asked(table, state, number)
        return hand.cards, step
    four = hand.cards + (seat.hands[1].cards if len(seat.hands) == 2 else hand.discards)
    now = due(table, state)
    collect = next((s for s in steps if s.act == "collect" and "discards" in s.to), None)
    open_ = now is not None and (now.step.act == "ask" or now.step is collect)
    if not open_ and collect is not None and "final" in collect.rules:
        sentence = "the discards are collected and dead; the hand stands"
        refuse("discards-dead", sentence, table.clause(collect, "final"))
    if len(four) != table.hand_size:
        refuse("not-now", "the hand stands; wait for the next round", table.clause(step))
    return four, step


def challenge(table: Table, state: State, command: c.Challenge) -> Events:
    """Say that the dealer's hand is not set by the house way."""
    seat = seat_at(state, command.seat)
    step = table.find("set dealer")
    if step is None or "challenge" not in step.rules:
        sentence = "there is no house way to challenge here; a mispaid wager is put right by a supervisor"
        refuse("no-challenge", sentence)
    clause = table.clause(step, "challenge")
    now = state.round
    if not seat.hands[0].cards or not now.kept or now.up or now.void:
        sentence = "a challenge is open from the setting of the dealer's hand until the flop is turned"
        refuse("challenge-closed", sentence, clause)
    if now.challenged:
        refuse("challenged-already", "a challenge is open; the dealer answers it", clause)
    return e.HandChallenged(seat=command.seat, clause=clause)


def answer_challenge(table: Table, state: State, command: c.AnswerChallenge) -> Events:
    """Set the dealer's hand by the house way where it was not."""
    now = state.round
    step = table.find("set dealer")
    way = table.book.house_way
    if not now.challenged or step is None or way is None:
        refuse("no-challenge", "there is no challenge to answer; go on", where="dealer")
    clause = table.clause(step, "reset")
    if command.by != "dealer":
        check_floor(command, "the dealer or a supervisor sets the hand again", clause, "dealer")
    right, _ = way.keep(now.dealer)
    changed = "reset" in step.rules and Counter(right) != Counter(now.kept)
    kept = right if changed else now.kept
    return e.ChallengeAnswered(kept=kept, changed=changed, by=command.by, clause=clause)


def act_for(table: Table, state: State, command: c.ActFor) -> Events:
    """Play an absent player's hand: check, check, fold; or the house way, never a split."""
    number, by = command.seat, command.by
    if by != DEADLINE:
        check_floor(
            command, "an absent player's hand is played on a supervisor's word", table.rule("stays")
        )
    seat, step = asked(table, state, number)
    stage = table.stage_of(step)
    if stage is None:
        way, four = table.book.house_way, seat.hands[0].cards
        if way is None or len(four) != table.hand_size:
            refuse("no-house-way", "there is no house way to set the hand by")
        return keep(table, state, c.Keep(seat=number, cards=way.keep(four)[0]), by)
    if stage.check is not None:
        return check(table, state, c.Check(seat=number), by)
    return fold(table, state, c.Fold(seat=number), by)


HANDLERS: dict[type[c.Command], Any] = {
    c.Check: check,
    c.Play: play,
    c.Fold: fold,
    c.Keep: keep,
    c.Split: split,
    c.Challenge: challenge,
    c.AnswerChallenge: answer_challenge,
    c.ActFor: act_for,
}
