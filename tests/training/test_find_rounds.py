"""Rounds of "Find the mistake": the replay hides the answer, and reports are judged by it.

The tests know a mistake only by comparing the replay with the same deal without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
import pytest

from houseway.client.find_messages import MistakeReport, WatchedHand, WatchedRound, WatchStep
from houseway.engine.table import Table
from houseway.live.default_terms import offering
from houseway.rules.loader import load, readable_clauses
from houseway.training.drills.all_drills import drill_tables
from houseway.training.judge import judge
from houseway.training.mistakes.bet_changes import BETS, CAPPED, BetChange
from houseway.training.mistakes.find_round import PLANTED, FindRound, find_round
from houseway.training.mistakes.mistake import FAMILIES
from houseway.training.mistakes.report_judge import judge_report, tally
from houseway.training.mistakes.watch_table import WatchTable
from houseway.training.mistakes.watch_view import step_views, watched_round
from training.planted_errors import MA, PROC, SD, TS
from training.planted_money import MONEY
from training.planted_procedure import PROCEDURE
from training.planted_reports import FLOOR_AND_REPORTS, READING

PLACES = {one.name: (one.book, one.mode) for one in (*MONEY, *PROCEDURE, *READING, *FLOOR_AND_REPORTS)}
"""The rulebook and the deal mode in which each kind is planted."""
KNOWN = set(PLACES)
PLACES |= dict.fromkeys((*(one.name for one in CAPPED), *(one.name for one in BETS)), (MA, "manual"))
PLACES |= {
    "wager raised before it is paid": (TS, "manual"),
    "large payment without approval": (SD, "manual"),
}
NAMES = [one.name for one in PLANTED]
REPORTS: dict[str, tuple[str, ...]] = {
    "amount": (
        "ante paid $5 too much", "ante paid 50 cents short", "losing ante paid",
        "ante paid although the dealer does not qualify", "tied ante taken", "tied play wager taken",
        "winning ante taken", "losing ante left on the layout", "winning play wager only returned",
        "ante taken although the dealer does not qualify", "losing play wager paid",
        "blind paid below a straight", "blind taken instead of pushed", "blind paid even money on a flush",
        "half dollar of a blind payment forgotten", "losing blind pushed", "trips paid on a losing hand",
        "winning trips taken", "winning trips of a folded hand taken", "a wager paid twice",
        "a wager paid that was never made", "limit on winnings ignored", "progressive award paid too low",
        "Cover All taken on a winning hand", "losing primary wager pushed", "bonus paid on the wrong row",
    ),
    "unsettled": (
        "winning trips of a folded hand left unpaid", "winning play wager left unsettled",
        "losing play wager left on the layout to the end", "envy not paid", "folded hand never taken",
    ),
    "late bet": tuple(one.name for one in BETS if one.change == "made"),
    "changed bet": (
        *(one.name for one in CAPPED),
        *(one.name for one in BETS if one.change != "made"),
    ),
    "reading": (
        "player's hand misread", "winning hand announced as losing", "dealer's hand misread",
        "dealer's hand announced as qualifying without a pair", "hand not announced",
        "dealer's hand set against the house way", "wrong award keyed, then turned off",
    ),
    "order": (
        "flop exposed before the last player has acted", "flop dealt before the last player has acted",
        "turn and river exposed too early and never noticed", "a player never asked",
        "dealer's cards turned up too early and never noticed", "players asked in the wrong order",
        "players not allowed to look", "“No more bets” not announced", "deal begins at the wrong seat",
        "a player skipped in the deal, then reported", "dealer's hand dispensed before the players' hands",
        "progressive bets not locked", "progressive bets not collected", "cover card not taken off",
        "folded hand taken too late", "hands settled from the wrong side", "lammers not placed",
        "ante settled before the play wager", "trips settled before ante, blind and play",
        "bonus settled before the primary wager", "wagers taken before the hand is turned up",
        "dealer's cards racked before the board", "progressive award not keyed", "green button not pressed",
        "progressive system not reset",
    ),
    "cards": (
        "one card too many dealt, then reported", "one card too many dealt and never reported", "two cards dealt instead of one",
        "cards not cut", "five cards cut instead of at least ten", "cards not shuffled",
        "deck not inspected", "cards not collected after settlement", "discards not collected",
        "flop not arranged", "player's card exposed and not reported", "player's card exposed and reported",
    ),
    "burn": (
        "no burn before the flop", "no burn before the turn and river", "two cards burned instead of one",
        "a card burned although the procedure has no burn here", "stub not removed", "first card of the shoe not burned",
    ),
    "irregularity": (
        "exposed card reported after another act", "exposed card not seen",
        "exposed card reported as a face-up card", "an irregularity reported that never happened",
        "short hand not seen before settlement",
    ),
    "floor": ("supervisor not called for a progressive winner", "large payment without approval"),
}  # fmt: skip
"""The mistakes that a watcher reports under each family."""
FAMILY_OF = {name: family for family, names in REPORTS.items() for name in names}
MONEY_FAMILIES = ("amount", "unsettled", "late bet", "changed bet")
RARE = {"an ante not refunded before the hands are seen", "limit on winnings ignored"}
"""Kinds that need too many deals for a test."""
SEEDS = {
    "ante paid although the dealer does not qualify": "8",
    "ante settled before the play wager": "0",
    "ante taken although the dealer does not qualify": "8",
    "blind paid below a straight": "1",
    "blind paid even money on a flush": "1",
    "blind taken instead of pushed": "1",
    "bonus settled before the primary wager": "1",
    "dealer's hand announced as qualifying without a pair": "8",
    "envy not paid": "0",
    "folded hand taken too late": "3",
    "half dollar of a blind payment forgotten": "2",
    "player's hand misread": "0",
    "progressive award not keyed": "0",
    "side bet raised after the cards are dealt": "0",
    "tied ante taken": "1",
    "tied play wager taken": "1",
    "trips paid on a losing hand": "1",
    "trips settled before ante, blind and play": "0",
    "winning trips of a folded hand left unpaid": "0",
    "winning trips of a folded hand taken": "0",
    "wrong award keyed, then turned off": "0",
}
"""Seeds in which one of the first two deals fits; any other kind is in the first deals of "watch"."""
PLACED_FAMILIES = ("reading", "cards", "irregularity")
HAPPENING = {*REPORTS["irregularity"]} - {"an irregularity reported that never happened"}
"""Mistakes that follow an irregularity: the step before them differs too."""


@cache
def tables_of(book: str, mode: str = "") -> tuple[Table, ...]:
    loaded = load(book)
    return drill_tables(
        loaded, [offering(loaded, one, {}, {}) for one in loaded.modes if mode in ("", one)]
    )


class Deal(msgspec.Struct):
    """A round with a mistake, and the same deal without it."""

    planted: FindRound
    clean: WatchedRound


@cache
def deal_of(name: str) -> Deal:
    level = next(one.level for one in PLANTED if one.name == name)
    table = tables_of(*PLACES[name])[0]
    planted = find_round((table,), SEEDS.get(name, "watch"), level, name)
    clean = WatchTable(table, planted.deal, level)
    clean.play()
    assert not judge(table, clean.chair).slips
    views = step_views(clean.chair, clean.chairs)
    # A raise that is allowed comes before the call, and in both.
    moves = [step for step in planted.replay.steps[: called(planted.replay)] if " adds $" in step.says]
    raises = [
        BetChange(
            move.seat,
            wager,
            after(planted.replay.steps, move.number - 1, move.seat).wagers[wager],
            cents,
            views[move.number - 1].entry.number,
        )
        for move in moves
        for wager, cents in move.hands[0].wagers.items()
        if cents != after(planted.replay.steps, move.number - 1, move.seat).wagers.get(wager)
    ]
    return Deal(planted, watched_round(table, views, raises))


def called(watched: WatchedRound) -> int:
    """The number of the step in which the dealer closes betting, or of the first card."""
    closes = (step.number for step in watched.steps if step.spoken or step.says.startswith("Dealt"))
    return next(closes)


def after(steps: Sequence[WatchStep], count: int, seat: int, number: int = 1) -> WatchedHand:
    """A seat's hand after so many steps."""
    place = (seat, number)
    shown = [hand for step in steps[:count] for hand in step.hands if (hand.seat, hand.hand) == place]
    return shown[-1] if shown else WatchedHand(seat=seat, hand=number)


def first_difference(clean: WatchedRound, watched: WatchedRound) -> int:
    """The number of the first step that differs, times left out."""

    def essence(step: WatchStep) -> Any:
        return step.says, step.spoken, step.hands, step.board, step.dealer

    pairs = zip(clean.steps, watched.steps, strict=False)
    return next(n for n, (one, other) in enumerate(pairs, 1) if essence(one) != essence(other))


def hand_of(step: WatchStep) -> int:
    """The number of the hand that a step changes."""
    return step.hands[0].hand if step.hands else 1


def moved(steps: Sequence[WatchStep], at: int) -> dict[str, tuple[int, int]]:
    """The wagers that a step changes: chips paid, and chips on the spot."""
    place = (steps[at - 1].seat, hand_of(steps[at - 1]))
    old, new = after(steps, at - 1, *place), after(steps, at, *place)
    wagers = {*old.wagers, *new.wagers, *old.paid, *new.paid}
    changes = {
        w: (new.paid.get(w, 0) - old.paid.get(w, 0), new.wagers.get(w, 0) - old.wagers.get(w, 0))
        for w in wagers
    }
    return {wager: change for wager, change in changes.items() if any(change)}


def outcome(steps: Sequence[WatchStep], seat: int, number: int, wager: str) -> tuple[int, int]:
    """All chips paid on a wager, and the chips that are left on its spot when the cards are collected."""
    place = (seat, number)
    hands = [hand for step in steps for hand in step.hands if (hand.seat, hand.hand) == place]
    with_cards = [hand for hand in hands if hand.cards]
    return max(hand.paid.get(wager, 0) for hand in hands), with_cards[-1].wagers.get(wager, 0)


def unexpected_move(watched: WatchedRound) -> int:
    """The number of the first step after the call in which a player moves chips without a decision."""
    moves = [step for step in watched.steps[called(watched) :] if step.by == "player"]
    decisions = (" checks", " plays ", " folds", " keeps ", " splits ")
    return next(step.number for step in moves if not any(word in step.says for word in decisions))


def place_of(step: WatchStep) -> str:
    """The place that a step without a seat is about, by its words."""
    if step.seat:
        return ""
    words = {"dealer": "dealer", "board": "board", "flop": "board"}
    return next((place for word, place in words.items() if word in step.says), "deck")


def right_report(name: str) -> MistakeReport:
    """The report of a watcher who compares the replay with the same deal without the mistake."""
    deal, family = deal_of(name), FAMILY_OF[name]
    steps, clean = deal.planted.replay.steps, deal.clean.steps
    if family in ("late bet", "changed bet"):
        at = unexpected_move(deal.planted.replay)
        [(wager, (_, amount))] = moved(steps, at).items()
        return MistakeReport(family=family, seat=steps[at - 1].seat, wager=wager, amount=amount, step=at)
    at = first_difference(deal.clean, deal.planted.replay)
    if family not in MONEY_FAMILIES:
        # If the act of the clean round does not follow soon, it was left out; the report names its place.
        done = {step.says for step in steps[at - 1 : at + 4]}
        differs = steps[at - 1] if clean[at - 1].says in done else clean[at - 1]
        seat, place = (differs.seat, place_of(differs)) if family in PLACED_FAMILIES else (0, "")
        return MistakeReport(family=family, seat=seat, place=place, step=at + (name in HAPPENING))
    if family == "unsettled":
        # What the dealer would have done: chips not paid, or a stake not taken.
        lost = moved(clean, at)
        amount = sum(-paid if paid else -stake for paid, stake in lost.values())
        return MistakeReport(
            family=family, seat=clean[at - 1].seat, wager=min(lost), amount=amount, step=at
        )
    seat, wager = steps[at - 1].seat, min(moved(steps, at) or moved(clean, at))
    number = hand_of(steps[at - 1] if moved(steps, at) else clean[at - 1])
    (paid, left), (due, leaves) = (outcome(one, seat, number, wager) for one in (steps, clean))
    return MistakeReport(family=family, seat=seat, wager=wager, amount=paid - due or left - leaves, step=at)


def test_every_kind_has_its_place_in_the_list() -> None:
    assert set(FAMILY_OF) == set(NAMES) - {"an ante not refunded before the hands are seen"}
    assert len(set(NAMES) & KNOWN) >= 80
    assert [family.key for family in FAMILIES] == [
        "amount", "order", "reading", "unsettled", "late bet", "changed bet", "cards", "burn",
        "irregularity", "floor",
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(NAMES) - RARE))
def test_a_planted_mistake_is_named_by_the_right_report(name: str) -> None:
    planted = deal_of(name).planted
    assert planted.answer.name == name
    report = right_report(name)
    judged = judge_report(planted.answer, report, 1500)
    assert judged.outcome == "right", (judged.parts, planted.answer)
    assert judged.notice == 1500
    assert judged.answer.step == report.step
    # No report, another family, and a report before the mistake.
    assert judge_report(planted.answer, MistakeReport()).outcome == "missed"
    wrong = next(one.key for one in reversed(FAMILIES) if one.key not in planted.answer.families)
    assert (
        judge_report(planted.answer, msgspec.structs.replace(report, family=wrong)).outcome == "false call"
    )
    early = msgspec.structs.replace(report, step=report.step - 1)
    if report.step > 1:
        assert judge_report(planted.answer, early).outcome == "false call"
    if report.family in PLACED_FAMILIES:
        elsewhere = {one.seat for one in planted.replay.players} - {*planted.answer.seats}
        other = msgspec.structs.replace(report, seat=min(elsewhere), place="")
        assert judge_report(planted.answer, other).outcome == "false call"
    if report.family in MONEY_FAMILIES:
        other = msgspec.structs.replace(report, seat=report.seat + 1)
        assert judge_report(planted.answer, other).outcome == "false call"
        assert report.amount is not None
        for cents in (report.amount + 50, -report.amount, None):
            inexact = msgspec.structs.replace(report, amount=cents)
            assert judge_report(planted.answer, inexact).outcome == "inexact"
        unnamed = msgspec.structs.replace(report, wager="nothing")
        assert judge_report(planted.answer, unnamed).outcome == "false call"


@pytest.mark.parametrize("name", ["blind paid even money on a flush", "exposed card not seen",
                                  "side bet made after the flop", "no burn before the flop"])  # fmt: skip
def test_a_replay_does_not_contain_its_answer(name: str) -> None:
    """Only names that also stand in the same deal without the mistake may occur."""
    planted = deal_of(name).planted
    text = msgspec.json.encode(planted.replay).decode()
    clean = msgspec.json.encode(deal_of(name).clean).decode()
    assert planted.answer.clause is not None
    assert planted.answer.clause not in text
    assert name not in text
    for word in ("slip", "trainer", "verdict", "clause", "due", "wrong", "family", "answer"):
        assert text.count(word) <= clean.count(word), word
    assert not any(f'"{clause}"' in text for clause in readable_clauses())
    fields = {field for step in planted.replay.steps for field in msgspec.to_builtins(step)}
    assert fields <= {
        "number", "time", "phase", "by", "says", "seat", "spoken", "hands", "board", "dealer",
    }  # fmt: skip


@pytest.mark.parametrize("book", [MA, TS])
def test_face_down_cards_are_hidden_until_they_are_turned_up(book: str) -> None:
    for seed in ("1", "2", "3"):
        planted = find_round(tables_of(book), seed, 2)
        up: set[str] = set()
        for step in planted.replay.steps:
            # In Texas Shootout, players put the two cards that they keep face up.
            turns = ("Turned up", "face up", "reports", "keeps", "splits")
            if any(word in step.says for word in turns):
                up |= {f"seat {hand.seat}" for hand in step.hands}
                up |= {"dealer"} if step.dealer else set()
            for hand in step.hands:
                assert f"seat {hand.seat}" in up or not any(hand.cards), step
            assert "dealer" in up or not any(step.dealer or ()), step


def test_one_round_in_five_is_clean_and_none_is_the_right_report() -> None:
    rounds = [find_round(tables_of(PROC), f"1/{n}", 1 + n % 2) for n in range(60)]
    clean = [planted for planted in rounds if not planted.answer.name]
    assert 6 <= len(clean) <= 20
    for planted in clean:
        assert judge_report(planted.answer, MistakeReport()).outcome == "right"
        assert judge_report(planted.answer, MistakeReport(family="burn", step=3)).outcome == "false call"
    # Both kinds of rounds look the same from outside: handled irregularities and legal raises occur.
    says = " ".join(step.says for planted in clean for step in planted.replay.steps)
    for words in ("is face up.", "The dealer reports", " adds $"):
        assert words in says
    families = Counter(planted.answer.families[:1] for planted in rounds if planted.answer.name)
    assert len(families) >= 7


def test_the_same_seed_gives_the_same_round() -> None:
    one, two = (find_round(tables_of(SD), "again", 2) for _ in range(2))
    assert msgspec.json.encode(one) == msgspec.json.encode(two)
    other = find_round(tables_of(SD), "another", 2)
    assert msgspec.json.encode(other.replay) != msgspec.json.encode(one.replay)


def test_the_results_of_a_session_add_up() -> None:
    planted = deal_of("ante paid $5 too much").planted
    report = right_report("ante paid $5 too much")
    inexact = msgspec.structs.replace(report, amount=1)
    judged = [judge_report(planted.answer, report, 3000), judge_report(planted.answer, report, 9000)]
    judged += [judge_report(planted.answer, inexact, 4000), judge_report(planted.answer, MistakeReport())]
    judged += [judge_report(planted.answer, MistakeReport(family="floor"), 1)]
    results = tally(judged)
    assert (results.rounds, results.right, results.inexact) == (5, 2, 1)
    assert (results.missed, results.false_calls, results.notice) == (1, 1, 4000)
    assert tally([]).notice is None
