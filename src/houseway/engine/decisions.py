"""What players decide once they hold cards: check, play, fold; keep two of four or split; challenge."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from houseway.cards import Card, written
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.answers import DEADLINE, Answer, is_floor, refuse, seat_at
from houseway.engine.hand_facts import Spot, TableFacts
from houseway.engine.hands import HELD, PlayerHand, Round
from houseway.engine.order import due, turn_at
from houseway.engine.reading import Found
from houseway.engine.refusals import Refusal, RefusalError
from houseway.engine.shootout import may_split
from houseway.engine.state import Hand, Seat, State
from houseway.engine.table import Table
from houseway.engine.ultimate import check_tips
from houseway.engine.wagering import check_amounts, check_limits
from houseway.money import spoken
from houseway.rules.procedure import Step
from houseway.rules.stages import Stage


def asked(table: Table, state: State, number: int) -> tuple[Seat, Step]:
    """The seat that is asked now and the step that asks it, or a refusal that says why it is not."""
    seat = seat_at(state, number)
    where = f"seat {number}"
    hand = seat.hands[0]
    if not hand.cards or hand.void:
        raise RefusalError(
            "not-in-the-round",
            None,
            where,
            f"seat {number} has no hand in this round; wager when the next is opened",
        )
    if hand.folded:
        raise RefusalError(
            "folded-already",
            None,
            where,
            f"seat {number} has folded; the next decision is in the next round",
        )
    if hand.locked:
        stage = table.stages.get(hand.acted)
        clause = stage.locks.clause(table.mode) if stage and stage.locks else None
        sentence = f"seat {number} has played and is held to it; wait until the hands are compared"
        raise RefusalError("locked-in", clause, where, sentence)
    now = due(table, state)
    if now is None or now.step.act != "ask":
        clause = None if now is None else table.clause(now.step)
        first = "" if now is None else f"; the dealer has first to {now.step.name}"
        raise RefusalError("not-now", clause, where, f"no decision is asked for now{first}")
    turn = turn_at(table, state, now.step)
    if turn != number:
        sentence = f"it is seat {turn}'s turn, clockwise from the dealer's left"
        clause = table.clause(now.step, "order") or table.clause(now.step)
        raise RefusalError("out-of-turn", clause, where, sentence)
    return seat, now.step


def _stage(table: Table, state: State, number: int) -> tuple[Seat, Step, Stage]:
    seat, step = asked(table, state, number)
    stage = table.stage_of(step)
    if stage is None:
        sentence = "keep two cards, or split; there is no betting here"
        raise RefusalError("set-the-hand", table.clause(step), f"seat {number}", sentence)
    return seat, step, stage


def check(table: Table, state: State, command: c.Check, by: str = "") -> Answer:
    """Stay in without a play wager at this betting point."""
    _, step, stage = _stage(table, state, command.seat)
    if stage.check is None:
        sentence = f"{stage.name} a player plays or folds; checking is over"
        return refuse("no-check", table.clause(step), f"seat {command.seat}", sentence)
    clause = stage.check.clause(table.mode)
    return (e.Checked(seat=command.seat, stage=stage.name, by=by, clause=clause),)


def play(table: Table, state: State, command: c.Play) -> Answer:
    """Make the play wager."""
    seat, _, stage = _stage(table, state, command.seat)
    where = f"seat {command.seat}.play"
    hand = seat.hands[0]
    if not seat.seated and "seated" in table.book.options:
        sentence = f"{seat.player} is not seated; sit down to wager"
        return refuse("not-seated", table.terms.clause("seated"), where, sentence)
    sizes = stage.sizes
    if sizes is None or command.times not in sizes.value or type(command.times) is not int:
        offered = " or ".join(f"{n}x" for n in (sizes.value if sizes else ()))
        sentence = f"{command.times}x is no play wager {stage.name}; it is {offered or 'not offered'}"
        return refuse("play-size", sizes.clause(table.mode) if sizes else None, where, sentence)
    amount = command.times * hand.wagers["ante"]
    wrong: Found = []
    tips = {**hand.tips, "play": command.tip} if command.tip else hand.tips
    if command.tip:
        check_tips(tips, hand.wagers, command.times, f"seat {command.seat}.tips", table.terms, wrong)
    if not wrong and table.book.bet_limit is not None:
        check_limits(table, state, command.seat, {**hand.made, "play": amount}, tips, wrong)
    if wrong:
        return wrong[0]
    if amount + command.tip > seat.chips:
        cost = spoken(amount + command.tip)
        sentence = (
            f"{command.times}x is {cost}, seat {command.seat} has {spoken(seat.chips)}; play less or not"
        )
        return refuse("not-enough-chips", None, where, sentence)
    return (
        e.PlayMade(
            seat=command.seat,
            stage=stage.name,
            times=command.times,
            amount=amount,
            tip=command.tip,
            locks=stage.locks is not None,
            clause=_laid(table, stage) or sizes.clause(table.mode),
        ),
    )


def _laid(table: Table, stage: Stage) -> str | None:
    """The clause that says where the play wager goes at a betting point."""
    return stage.laid.clause(table.mode) if stage.laid else None


def fold(table: Table, state: State, command: c.Fold, by: str = "") -> Answer:
    """Give up ante and blind."""
    seat, _, stage = _stage(table, state, command.seat)
    if stage.fold is None:
        last = next((s for s in table.book.stages if s.fold), None)
        clause = last.fold.clause(table.mode) if last and last.fold else None
        when = f"a player may fold {last.name}, not before" if last else "nobody folds in this game"
        return refuse("no-fold-yet", clause, f"seat {command.seat}", f"{when}; check or play")
    held = _held(table, state, seat.hands[0])
    clause = stage.fold.clause(table.mode)
    return (e.Folded(seat=command.seat, stage=stage.name, held=held, by=by, clause=clause),)


def _held(table: Table, state: State, hand: Hand) -> bool:
    """Whether a trips wager holds the folded cards on the layout."""
    plan = table.terms.plan
    whole = len(hand.cards) == table.hand_size and len(state.round.board) == table.board_size
    if not whole:
        return plan.may_hold(hand.wagers)
    facts = TableFacts(table.terms, Round(state.round.board, (), (), {}))
    spot = Spot(PlayerHand(0, 1, 0, hand.cards, hand.wagers), facts)
    return plan.folded_status(hand.wagers, spot) == HELD


# --- four cards ---


def keep(table: Table, state: State, command: c.Keep, by: str = "") -> Answer:
    """Keep two of four cards; the others are discards."""
    four, step = _setting(table, state, command.seat)
    where = f"seat {command.seat}.cards"
    size = table.book.option("keep")
    clause = table.terms.clause("keep")
    if size is not None and len(command.cards) != size:
        sentence = f"{size} of the four cards are kept, not {len(command.cards)}"
        return refuse("wrong-number-kept", clause, where, sentence)
    if Counter(command.cards) - Counter(four):
        sentence = f"{written(command.cards)} are not among the four cards of seat {command.seat}"
        return refuse("not-among-the-four", clause, where, sentence)
    if table.book.option("split") and "optional" not in step.rules and may_split(four, table.terms):
        sentence = f"{written(four)} is split; the rulebook leaves no choice"
        return refuse("split-needed", table.terms.clause("split"), where, sentence)
    rest = Counter(four) - Counter(command.cards)
    discards = tuple(card for card in four if _take(rest, card))
    return (
        e.HandSet(
            seat=command.seat,
            face=command.cards,
            sealed=discards if "discards" in step.rules else (),
            shown="kept" in step.rules,
            lies=_lies(step, "kept"),
            by=by,
            clause=table.clause(step, "kept"),
        ),
    )


def _lies(step: Step, rule: str) -> str:
    said = step.rules.get(rule)
    return said.value if said is not None and isinstance(said.value, str) else ""


def _take(left: Counter[Card], card: Card) -> bool:
    if left[card] <= 0:
        return False
    left[card] -= 1
    return True


def split(table: Table, state: State, command: c.Split) -> Answer:
    """Play all four cards as two hands."""
    four, step = _setting(table, state, command.seat)
    where = f"seat {command.seat}"
    seat = state.seats[command.seat]
    if len(command.first) != len(command.second) or Counter((*command.first, *command.second)) != Counter(
        four
    ):
        sentence = "a split lays all four cards as two hands of two"
        return refuse("not-among-the-four", table.clause(step, "split"), f"{where}.cards", sentence)
    if table.book.option("split") is None or not may_split(four, table.terms):
        sentence = f"{written(four)} is neither two pair nor four of a kind; keep two cards"
        return refuse("split-not-allowed", table.terms.clause("split"), where, sentence)
    first = seat.hands[0].wagers
    rule = table.book.options.get("second_bonus")
    if command.bonus < 0 or (command.bonus > first.get("bonus", 0) and rule is not None):
        most = first.get("bonus", 0)
        also = rule.basis.also if rule else ()
        clause = rule.clause(table.mode) if rule and most else next(iter(also), None)
        sentence = f"the second bonus may be at most the first, {spoken(most)}"
        return refuse("second-bonus", clause, f"{where}.bonus", sentence)
    cost = first["wager"] + command.bonus
    second = seat.hands[1].staked if len(seat.hands) == 2 else 0
    if cost > seat.chips + second:
        sentence = (
            f"a split costs {spoken(cost)} more, seat {command.seat} has {spoken(seat.chips)}; keep two"
        )
        return refuse("not-enough-chips", None, where, sentence)
    over = _over_limit(table, state, command)
    if over is not None:
        return over
    return (
        e.HandSplit(
            seat=command.seat,
            first=command.first,
            second=command.second,
            wager=first["wager"],
            bonus=command.bonus,
            shown="split" in step.rules,
            lies=_lies(step, "split"),
            clause=table.clause(step, "split"),
        ),
    )


def _over_limit(table: Table, state: State, command: c.Split) -> Refusal | None:
    """Whether the second bonus is below its minimum, or both hands together above the bet limit."""
    seat = state.seats[command.seat]
    made = dict(seat.hands[0].made)
    made["wager"] += made["wager"]
    made["bonus"] = made.get("bonus", 0) + command.bonus
    wrong: Found = []
    if command.bonus:
        check_amounts(table, state, command.seat, {"bonus": command.bonus}, wrong)
    if not wrong and table.book.bet_limit is not None:
        one = replace(seat, hands=seat.hands[:1])
        alone = replace(state, seats={**state.seats, command.seat: one})
        check_limits(table, alone, command.seat, made, {}, wrong)
    return wrong[0] if wrong else None


def _setting(table: Table, state: State, number: int) -> tuple[tuple[Card, ...], Step]:
    """The four cards a seat may set now, and the step that asks for it.

    A player who has set a hand may change it until the discards are collected; then it is final.
    """
    seat = seat_at(state, number)
    hand = seat.hands[0]
    step = next((s for s in table.sections["round"] if s.act == "ask" and not s.stage), None)
    if step is None or not hand.cards or not hand.wagers or hand.void or state.round.void:
        sentence = f"seat {number} has no four cards to choose from"
        raise RefusalError("not-in-the-round", None, f"seat {number}", sentence)
    if hand.acted == "set":
        four = (*hand.cards, *hand.discards)
        if len(seat.hands) == 2:
            four = (*hand.cards, *seat.hands[1].cards)
        now = due(table, state)
        collect = next(
            (s for s in table.sections["round"] if s.act == "collect" and "discards" in s.to), None
        )
        open_ = now is not None and (now.step.act == "ask" or now.step is collect)
        if not open_ and collect is not None and "final" in collect.rules:
            sentence = "the discards are collected and dead; the hand stands"
            raise RefusalError("discards-dead", table.clause(collect, "final"), f"seat {number}", sentence)
        if len(four) != table.hand_size:
            raise RefusalError(
                "not-now", table.clause(step), f"seat {number}", "the hand stands; wait for the next round"
            )
        return four, step
    asked(table, state, number)
    return hand.cards, step


def challenge(table: Table, state: State, command: c.Challenge) -> Answer:
    """Say that the dealer's hand is not set by the house way."""
    seat = seat_at(state, command.seat)
    where = f"seat {command.seat}"
    step = table.find("set dealer")
    if step is None or "challenge" not in step.rules:
        return refuse(
            "no-challenge",
            None,
            where,
            "there is no house way to challenge here; a mispaid wager is put right by a supervisor",
        )
    clause = table.clause(step, "challenge")
    now = state.round
    if not seat.hands[0].cards or not now.kept or now.up or now.void:
        sentence = "a challenge is open from the setting of the dealer's hand until the flop is turned"
        return refuse("challenge-closed", clause, where, sentence)
    if now.challenged:
        return refuse("challenged-already", clause, where, "a challenge is open; the dealer answers it")
    return (e.HandChallenged(seat=command.seat, clause=clause),)


def answer_challenge(table: Table, state: State, command: c.AnswerChallenge) -> Answer:
    """Set the dealer's hand by the house way where it was not."""
    now = state.round
    step = table.find("set dealer")
    way = table.book.house_way
    if not now.challenged or step is None or way is None:
        return refuse("no-challenge", None, "dealer", "there is no challenge to answer; go on")
    if command.by != "dealer" and not is_floor(command.by):
        sentence = "the dealer or a supervisor sets the hand again"
        return refuse("not-the-floor", table.clause(step, "reset"), "dealer", sentence)
    right, _ = way.keep(now.dealer)
    reset = "reset" in step.rules
    changed = reset and Counter(right) != Counter(now.kept)
    return (
        e.ChallengeAnswered(
            kept=right if changed else now.kept,
            changed=changed,
            by=command.by,
            clause=table.clause(step, "reset"),
        ),
    )


def act_for(table: Table, state: State, command: c.ActFor) -> Answer:
    """Play an absent player's hand: check, check, fold; or the house way, never a split."""
    where = f"seat {command.seat}"
    if not is_floor(command.by) and command.by != DEADLINE:
        sentence = "an absent player's hand is played on a supervisor's word"
        return refuse("not-the-floor", table.rule("stays"), where, sentence)
    seat, step = asked(table, state, command.seat)
    stage = table.stage_of(step)
    if stage is None:
        way = table.book.house_way
        four = seat.hands[0].cards
        if way is None or len(four) != table.hand_size:
            return refuse("no-house-way", None, where, "there is no house way to set the hand by")
        return keep(table, state, c.Keep(seat=command.seat, cards=way.keep(four)[0]), command.by)
    if stage.check is not None:
        return check(table, state, c.Check(seat=command.seat), command.by)
    return fold(table, state, c.Fold(seat=command.seat), command.by)


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
