"""Players' decisions after the deal: check, play or fold; keep two of four cards, or split them into two
hands; challenge."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from houseway.cards import UNSEEN, Card, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import DEADLINE, Events, check_floor, refuse, refuse_first, seat_at
from houseway.engine.finished_round import HELD, FinishedRound, PlayerHand
from houseway.engine.hand_facts import SettledHand, TableFacts
from houseway.engine.persons import HOUSE, auto_approves
from houseway.engine.read_shootout import may_split, not_among
from houseway.engine.seats_and_wagers import check_limits, check_minima, check_seated
from houseway.engine.stake_checks import StakeChecks
from houseway.engine.state import Hand, Seat, State
from houseway.engine.table import Table
from houseway.engine.turn_order import deciding, due, house_way_hand, house_way_line, may_challenge
from houseway.money import spoken
from houseway.rules.procedure import Step
from houseway.rules.stages import Stage
from houseway.wording import several


def deciding_seat(table: Table, state: State, number: int) -> tuple[Seat, Step]:
    """Return a seat and the step in which it must decide; refuse if it is not the seat's turn."""
    seat = seat_at(state, number)
    hand = seat.hands[0]
    _check_dealt(table, state, hand)
    if not hand.cards:
        refuse(
            "not-in-the-round", "you have no cards in this round; to get cards, bet before betting closes"
        )
    if hand.folded:
        refuse("folded-already", "you have folded; wait for the next round")
    if hand.locked:
        stage = table.stages.get(hand.acted)
        sentence = "you have made your play wager and cannot change it; wait for the showdown"
        refuse("locked-in", sentence, table.cite(stage.locks if stage else None))
    wager = next((w for w in table.book.wagers.values() if w.alone and w.equals is None), None)
    if wager is not None and "ante" not in hand.made and not table.terms.folds_alone(hand.made):
        sentence = f"you bet only {wager.name}, so you have no decision to make; wait for the showdown"
        refuse("no-decision", sentence, table.cite(wager.alone))
    now = due(table, state)
    if now is None:
        refuse("not-now", "there is no decision to make now; wait for the next round")
    step = now.step
    if step.act != "ask":
        sentence = f"it is not your turn yet; the dealer must first {step.name}"
        refuse("not-now", sentence, table.clause(step))
    deciding_seats = deciding(table, state, step)
    if number not in deciding_seats:
        sentence = f"it is seat {deciding_seats[0]}'s turn; players act clockwise from the dealer's left"
        refuse("out-of-turn", sentence, table.clause(step, "order") or table.clause(step))
    return seat, step


def _check_dealt(table: Table, state: State, hand: Hand) -> None:
    """Refuse a decision on a void hand, or by a player whose cards have not been dealt yet."""
    if hand.void:
        refuse("not-in-the-round", "your hand is void; wait for the next round")
    if hand.cards or not hand.wagers or state.round.void:
        return
    play = table.book.wagers.get("play")
    step = next((s for s in table.sections["round"] if s.act == "ask"), None)
    clause = table.cite(play.basis) if play else table.clause(step) if step else None
    then = "play" if play else "set your hand"
    refuse("not-in-the-round", f"your cards have not been dealt; wait for your cards, then {then}", clause)


def _stage(table: Table, state: State, number: int) -> tuple[Seat, Step, Stage]:
    seat, step = deciding_seat(table, state, number)
    stage = table.stage_of(step)
    if stage is None:
        sentence = "in this game you keep two cards or split; you cannot check, play or fold"
        refuse("set-the-hand", sentence, table.clause(step))
    return seat, step, stage


def check(table: Table, state: State, command: c.Check, by: str = "", name: str = "") -> Events:
    """Check at this betting point."""
    number = command.seat
    seat, step, stage = _stage(table, state, number)
    if table.terms.folds_alone(seat.hands[0].wagers):
        # Without an ante there is nothing to play: the hand checks to stay in the round.
        clause = table.cite(table.book.house["trips_alone"].basis)
        return e.Checked(seat=number, stage=stage.name, by=by, name=name, clause=clause)
    if stage.check is None:
        refuse("no-check", f"you cannot check {stage.name}; play or fold", table.clause(step))
    return e.Checked(seat=number, stage=stage.name, by=by, name=name, clause=table.cite(stage.check))


def play(table: Table, state: State, command: c.Play) -> Events:
    """Make the play wager."""
    number, times, tip = command.seat, command.times, command.tip
    seat, _, stage = _stage(table, state, number)
    where = f"seat {number}.play"
    hand = seat.hands[0]
    check_seated(table, state, number, where)
    if "ante" not in hand.wagers:
        refuse("no-ante", "a play wager needs an ante; check or fold", table.cite(stage.sizes), where)
    sizes = stage.sizes
    if sizes is None or times not in sizes.value or type(times) is not int:
        offered = " or ".join(f"{n}x" for n in (sizes.value if sizes else ()))
        sentence = f"you can play {offered} {stage.name}, not {times}x"
        if not offered:
            sentence = f"you cannot make a play wager {stage.name}"
        refuse("play-size", sentence, table.cite(sizes), where)
    amount = times * hand.wagers["ante"]
    tips = {**hand.tips, "play": tip} if tip else hand.tips
    if tip:
        checks = StakeChecks(table.terms)
        checks.tips(tips, hand.wagers, times, f"seat {number}.tips")
        refuse_first(checks.refusals)
    if table.book.bet_limit is not None:
        check_limits(table, state, number, {**hand.made, "play": amount}, tips)
    cost = amount + tip
    if cost > seat.chips:
        price = f"a {times}x play wager costs {spoken(cost)}, but you have {spoken(seat.chips)}"
        sentence = f"{price}; choose another option"
        refuse("not-enough-chips", sentence, where=where)
    locks, clause = stage.locks is not None, table.cite(stage.laid) or table.cite(sizes)
    return e.PlayMade(
        seat=number, stage=stage.name, times=times, amount=amount, tip=tip, locks=locks, clause=clause
    )


def fold(table: Table, state: State, command: c.Fold, by: str = "", name: str = "") -> Events:
    """Fold: give up the ante and the blind."""
    seat, _, stage = _stage(table, state, command.seat)
    if stage.fold is None:
        last = next((s for s in table.book.stages if s.fold), None)
        rule = f"you can fold only {last.name}" if last else "this game has no fold"
        refuse("no-fold-yet", f"{rule}; check or play", table.cite(last.fold if last else None))
    held = held_by_trips(table, state, seat.hands[0])
    number, clause = command.seat, table.cite(stage.fold)
    return e.Folded(seat=number, stage=stage.name, held=held, by=by, name=name, clause=clause)


def held_by_trips(table: Table, state: State, hand: Hand) -> bool:
    """True if a trips bet keeps the folded cards on the layout."""
    plan = table.terms.plan
    # If there are too many community cards, the first ones count, as when the fold is settled.
    board = state.round.board[: table.board_size]
    whole = len(hand.cards) == table.hand_size and len(board) == table.board_size
    if not whole:
        return plan.may_hold(hand.wagers)
    if UNSEEN in hand.cards:
        # If only a winning trips bet keeps the cards, a later command says whether they stay.
        return plan.may_hold(hand.wagers) and plan.held_for == "any trips"
    facts = TableFacts(table.terms, FinishedRound(board, (), (), {}))
    spot = SettledHand(PlayerHand(0, 1, 0, hand.cards, hand.wagers), facts)
    return plan.folded_status(hand.wagers, spot) == HELD


# --- four cards ---


def keep(table: Table, state: State, command: c.Keep, by: str = "", name: str = "") -> Events:
    """Keep two of four cards; the others are discards."""
    four, step = _setting(table, state, command.seat)
    number, kept, where = command.seat, command.cards, f"seat {command.seat}.cards"
    size = table.book.option("keep")
    clause = table.terms.clause("keep")
    if size is not None and len(kept) != size:
        refuse("wrong-number-kept", f"keep {size} of your four cards, not {len(kept)}", clause, where)
    rest = Counter(four) - Counter(kept)
    _check_among(four, kept, clause, where)
    if table.book.option("split") and "optional" not in step.rules and may_split(four, table.terms):
        sentence = f"you must split {codes(four)}"
        refuse("split-needed", sentence, table.terms.clause("split"), where)
    face_up, lies, clause = _layout(table, step, "kept")
    discards = tuple(rest.elements()) if "discards" in step.rules else ()
    place = _layout(table, step, "discards_lie")[1]
    return e.HandSet(number, kept, discards, face_up, lies, by, place, name, clause=clause)


def _check_among(four: tuple[Card, ...], named: tuple[Card, ...], clause: str | None, where: str) -> None:
    """Refuse cards that are not among a player's four, or that are used more often than they were dealt."""
    sentence = not_among(named, four, "your four cards")
    if sentence and (Counter(named) - Counter(four)).total() <= four.count(UNSEEN):
        # At a real table, the player has not turned up these cards yet.
        turned = "these cards must be turned up first; name what you see"
        refuse("cards-unseen", turned, clause, where.removesuffix(".cards"))
    if sentence:
        refuse("not-among-the-four", sentence, clause, where)


def _layout(table: Table, step: Step, rule: str) -> tuple[bool, str, str | None]:
    """Return how a rule lays out a hand: True if it is shown, its place on the layout, and the clause."""
    cited = step.rules.get(rule)
    lies = cited.value if cited is not None and isinstance(cited.value, str) else ""
    return cited is not None, lies, table.cite(cited)


def split(table: Table, state: State, command: c.Split) -> Events:
    """Play all four cards as two hands."""
    four, step = _setting(table, state, command.seat)
    number, where, bonus = command.seat, command.where, command.bonus
    face_up, lies, clause = _layout(table, step, "split")
    both = (*command.first, *command.second)
    _check_among(four, both, clause, f"{where}.cards")
    if len(command.first) != len(command.second) or Counter(both) != Counter(four):
        sentence = f"split all four of your cards, {codes(four)}, into two hands of two"
        refuse("not-among-the-four", sentence, clause, f"{where}.cards")
    if table.book.option("split") is None or not may_split(four, table.terms):
        sentence = f"you can only split two pair or four of a kind, not {codes(four)}; keep two cards"
        refuse("split-not-allowed", sentence, table.terms.clause("split"))
    seat = state.seats[number]
    wager, first_bonus = seat.hands[0].wagers["wager"], seat.hands[0].wagers.get("bonus", 0)
    if command.wager is not None and command.wager != wager:
        matched = next(iter(table.book.options["split"].basis.also), None)
        sentence = f"the second wager ({spoken(command.wager)}) must equal the first ({spoken(wager)})"
        refuse("split-wager-unequal", sentence, matched, f"{where}.wager")
    rule = table.book.options.get("second_bonus")
    if bonus < 0 or (bonus > first_bonus and rule is not None):
        also = rule.basis.also if rule else ()
        cited = table.cite(rule) if rule and first_bonus else next(iter(also), None)
        sentence = f"the second hand's bonus cannot be more than the first hand's, {spoken(first_bonus)}"
        refuse("second-bonus", sentence, cited, f"{where}.bonus")
    before = sum(hand.staked for hand in seat.hands[1:])
    if wager + bonus > seat.chips + before:
        price = f"a split costs {spoken(wager + bonus)}, but you have {spoken(seat.chips)}"
        refuse("not-enough-chips", f"{price}; keep two cards")
    _check_split(table, state, command)
    first, second = command.first, command.second
    return e.HandSplit(number, first, second, wager, bonus, face_up, lies, clause=clause)


def _check_split(table: Table, state: State, command: c.Split) -> None:
    """Refuse a second bonus below the minimum, or two hands that exceed the bet limit together."""
    number, bonus = command.seat, command.bonus
    seat = state.seats[number]
    if bonus:
        checks = StakeChecks(table.terms)
        checks.bounds("bonus", bonus, f"seat {number}.bonus")
        check_minima(table, state, number, {"bonus": bonus}, checks)
        refuse_first(checks.refusals)
    if table.book.bet_limit is not None:
        first = seat.hands[0].made
        stakes = {**first, "wager": 2 * first["wager"], "bonus": first.get("bonus", 0) + bonus}
        alone = replace(state, seats={**state.seats, number: replace(seat, hands=seat.hands[:1])})
        check_limits(table, alone, number, stakes, seat.hands[0].tips)


def _setting(table: Table, state: State, number: int) -> tuple[tuple[Card, ...], Step]:
    """Return the four cards that a seat may set now, and the step that asks for the decision.

    A player may change the hand until the discards are collected.
    """
    seat = seat_at(state, number)
    hand, steps = seat.hands[0], table.sections["round"]
    step = next((s for s in steps if s.act == "ask" and not s.stage), None)
    _check_dealt(table, state, hand)
    if step is None or not hand.cards or not hand.wagers or state.round.void:
        refuse("not-in-the-round", "you have no cards to set in this round")
    if hand.acted != "set":
        deciding_seat(table, state, number)
        return hand.cards, step
    four = hand.cards + (seat.hands[1].cards if len(seat.hands) == 2 else hand.discards)
    now = due(table, state)
    collect = next((s for s in steps if s.act == "collect" and "discards" in s.to), None)
    may_change = now is not None and (now.step.act == "ask" or now.step is collect)
    if not may_change and collect is not None and "final" in collect.rules:
        _check_discards_open(table, state, collect)
    if len(four) != table.hand_size:
        refuse("not-now", "your hand is final; wait for the next round", table.clause(step))
    return four, step


def _check_discards_open(table: Table, state: State, collect: Step) -> None:
    """Refuse to change a hand once the dealer has collected the discards.

    If every player split, there are no discards. The hands are then final after the dealer's next step.
    """
    if table.after["round"].get(state.done, 0) <= table.sections["round"].index(collect):
        return
    hands = [seat.hands for seat in state.seats.values() if seat.hands[0].acted == "set"]
    collected = any(len(both) == 1 for both in hands)
    first = "the discards have been collected" if collected else "the dealer has taken the next step"
    refuse("discards-dead", f"{first}; your hand is final", table.clause(collect, "final"))


def challenge(table: Table, state: State, command: c.Challenge) -> Events:
    """Claim that the dealer's hand was not set by the house way."""
    seat = seat_at(state, command.seat)
    step = table.find("set dealer")
    if step is None or "challenge" not in step.rules:
        wrong = "players cannot challenge the dealer's hand in this game"
        refuse("no-challenge", f"{wrong}; ask a supervisor to correct a mispaid wager")
    clause = table.clause(step, "challenge")
    now = state.round
    if not seat.hands[0].cards and may_challenge(table, state):
        sentence = "only a player with a hand in this round can challenge; bet in the next round"
        refuse("not-in-the-round", sentence, clause)
    if not may_challenge(table, state):
        when = f"after the dealer sets the hand and before {_challenge_end(table)}"
        sentence = f"you can challenge only {when}"
        refuse("challenge-closed", sentence, clause)
    if now.challenged:
        refuse("challenged-already", "there is already a challenge; wait for the dealer's answer", clause)
    if now.answered:
        sentence = "this hand was challenged before and follows the house way; continue the round"
        refuse("challenged-before", sentence, table.clause(step, "reset"))
    return e.HandChallenged(seat=command.seat, clause=clause)


def _challenge_end(table: Table) -> str:
    until = table.terms.house("challenge_until")
    return "the first wager is settled" if until == "settlement" else "the flop is turned"


def answer_challenge(table: Table, state: State, command: c.AnswerChallenge) -> Events:
    """Answer a challenge. If the dealer's hand does not follow the house way, set it again."""
    now = state.round
    step = table.find("set dealer")
    way = table.book.house_way
    if not now.challenged or step is None or way is None:
        sentence = "no player has challenged the dealer's hand; to correct the hand, reset it"
        refuse("no-challenge", sentence, where="dealer")
    clause, automatic = table.clause(step, "reset"), command.by in (HOUSE, DEADLINE)
    if command.by != "dealer" and not automatic:
        check_floor(command, "only the dealer or a supervisor can answer a challenge", clause, "dealer")
    # Old rulebooks name no person; under them, the house answered at every table.
    if command.by == HOUSE and "reset" in step.rules and step.rules["reset"].value == "person":
        _check_house(table, state, "answer", clause)
    right, _ = way.keep(now.dealer)
    changed = "reset" in step.rules and Counter(right) != Counter(now.kept)
    kept = right if changed else now.kept
    final = step.rules["challenge"].value == "once"
    line = house_way_line(table, state)
    return e.ChallengeAnswered(
        kept, changed, command.by, automatic, final, line, command.name, clause=clause
    )


def _check_house(table: Table, state: State, act: str, clause: str | None) -> None:
    """Refuse an act of the house at a table where a person deals, unless the house setting allows it."""
    if state.dealer == "person" and not auto_approves(table, state):
        sentence = f"the house setting auto_approve is off; the dealer or a supervisor must {act}"
        refuse("person-needed", sentence, clause, "dealer")


def reset_hand(table: Table, state: State, command: c.ResetHand) -> Events:
    """Set the dealer's hand again by the house way, without a challenge."""
    now, step = state.round, table.find("set dealer")
    if step is None or "follows" not in step.rules:
        refuse("no-reset", f"{table.book.id} has no rule for setting the dealer's hand again")
    clause, automatic = table.clause(step, "follows"), command.by in (HOUSE, DEADLINE)
    if command.by != "dealer" and not automatic:
        check_floor(command, "only the dealer or a supervisor can set the dealer's hand again", clause)
    if command.by == HOUSE:
        _check_house(table, state, "set the dealer's hand again", clause)
    if now.challenged:
        refuse("challenged", f"answer the challenge from seat {now.challenged} first", clause)
    if not may_challenge(table, state):
        when = f"after it is set and before {_challenge_end(table)}"
        refuse("reset-closed", f"the dealer's hand can be set again only {when}", clause)
    kept = house_way_hand(table, state)
    if not kept:
        refuse("house-way-kept", "the dealer's hand follows the house way; continue with it", clause)
    line = house_way_line(table, state)
    return e.DealerHandReset(
        kept=kept, by=command.by, line=line, name=command.name, automatic=automatic, clause=clause
    )


def act_for(table: Table, state: State, command: c.ActFor) -> Events:
    """Play an absent player's hand: check while possible, then fold; or keep cards by the house way."""
    number, by, name = command.seat, command.by, command.name
    if by != DEADLINE:
        check_floor(command, "only a supervisor can play an absent player's hand", table.rule("stays"))
    seat, step = deciding_seat(table, state, number)
    stage = table.stage_of(step)
    if stage is None:
        way, four = table.book.house_way, seat.hands[0].cards
        if way is None:
            refuse(
                "no-house-way", "only the player can set this hand, because the rulebook has no house way"
            )
        if len(four) != table.hand_size:
            cards = f"{several(len(four), 'card')}, not {table.hand_size}"
            sentence = f"seat {number} has {cards}; report the wrong number of cards first"
            refuse("wrong-number", sentence, table.clause(step))
        return keep(table, state, c.Keep(seat=number, cards=way.keep(four)[0]), by, name)
    if stage.check is not None or table.terms.folds_alone(seat.hands[0].wagers):
        return check(table, state, c.Check(seat=number), by, name)
    return fold(table, state, c.Fold(seat=number), by, name)


HANDLERS: dict[type[c.Command], Any] = {
    c.Check: check,
    c.Play: play,
    c.Fold: fold,
    c.Keep: keep,
    c.Split: split,
    c.Challenge: challenge,
    c.AnswerChallenge: answer_challenge,
    c.ResetHand: reset_hand,
    c.ActFor: act_for,
}
