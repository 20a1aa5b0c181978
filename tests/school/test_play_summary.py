"""Totals over many rounds add up to the rounds; close calls are apart, and so is luck."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import sqrt
from random import Random

import pytest

from houseway.school.game_values import game_values
from houseway.school.leaks import find_leaks
from houseway.school.play_summary import POINTS, summarize
from houseway.school.round_review import ReviewedRound, review_rounds
from school.players import hesitant, played
from school.rounds import random_table, rounds_of

TABLE = random_table("uth-ma", 60, seed=21)
GAME = game_values(TABLE.table.terms)
REVIEWS = review_rounds(GAME, rounds_of(TABLE))


def test_the_totals_are_those_of_the_rounds() -> None:
    summary = summarize(REVIEWS, GAME.variance)
    decisions = [each.valued for review in REVIEWS for each in review.decisions]
    assert summary.rounds == len(REVIEWS) == 120
    assert summary.decisions == len(decisions) == sum(street.decisions for street in summary.streets)
    assert summary.lost == sum(review.loss for review in REVIEWS) == sum(s.lost for s in summary.streets)
    assert summary.lost_cents == 1000 * summary.lost
    assert summary.loss.per_100 == summary.lost * 100 / 120
    assert summary.loss.low < summary.loss.per_100 < summary.loss.high
    assert summary.errors == sum(bool(valued.counted_loss) for valued in decisions)
    assert summary.close == sum(valued.close for valued in decisions)
    assert summary.close_lost == sum(review.close_loss for review in REVIEWS)
    assert sum(cost.lost for cost in summary.kinds) == summary.lost


def test_luck_is_the_result_without_house_edge_and_choices() -> None:
    luck = summarize(REVIEWS, GAME.variance).luck
    splits = [review.split for review in REVIEWS]
    assert all(split is not None for split in splits)
    assert luck.result == sum(split.result for split in splits if split)
    assert luck.house_edge + luck.choices + luck.limits + luck.luck == luck.result
    assert luck.expected == luck.house_edge + luck.choices
    assert GAME.value is not None
    assert luck.house_edge == 120 * GAME.value
    assert GAME.variance is not None
    assert luck.spread == pytest.approx(sqrt(120 * GAME.variance))
    assert luck.deviations == pytest.approx(float(luck.luck) / sqrt(120 * GAME.variance))
    assert summarize(REVIEWS).luck.spread is None


def test_side_bets_are_apart() -> None:
    table = random_table("uth-sd", 20, seed=22)
    game = game_values(table.table.terms)
    summary = summarize(review_rounds(game, rounds_of(table)), game.variance)
    staked, net, expected = summary.side_bets["trips"]
    lines = [
        line
        for each in rounds_of(table)
        if each.outcome
        for line in each.outcome.wagers
        if line.wager == "trips"
    ]
    assert (staked, net) == (sum(line.stake for line in lines), sum(line.net for line in lines))
    assert expected == staked * game.side_bets["trips"]


def test_the_series_ends_with_the_totals() -> None:
    summary = summarize(REVIEWS, GAME.variance)
    last = summary.series[-1]
    assert len(summary.series) == POINTS
    assert [point.rounds for point in summary.series] == sorted({p.rounds for p in summary.series})
    assert (last.rounds, last.loss, last.result) == (120, summary.loss, summary.luck.result)
    assert last.expected == summary.luck.expected
    for point in summary.series:
        part = summarize(REVIEWS[: point.rounds], GAME.variance)
        assert (part.lost * 100 / point.rounds, part.luck.result) == (point.loss.per_100, point.result)


def test_close_calls_count_neither_way() -> None:
    reviews = list(islice(played(hesitant(0.3), Random(2)), 2_000))
    close = [review for review in reviews if any(each.valued.close for each in review.decisions)]
    summary = summarize(close)
    assert summary.close >= 10
    assert 0 < summary.close_lost < Fraction(summary.close, 100)
    only = [
        replace(review, decisions=tuple(each for each in review.decisions if each.valued.close))
        for review in close
    ]
    assert summarize(only).lost == summarize(only).errors == 0
    assert find_leaks(only) == ()


def test_a_deadlines_choice_is_not_the_players() -> None:
    def by_deadline(review: ReviewedRound) -> ReviewedRound:
        decisions = tuple(
            replace(
                each, valued=replace(each.valued, decision=replace(each.valued.decision, by="deadline"))
            )
            for each in review.decisions
        )
        return replace(review, decisions=decisions)

    summary = summarize([by_deadline(review) for review in REVIEWS], GAME.variance)
    assert summary.decisions == summary.errors == summary.lost == 0
    assert summary.kinds == ()
    assert summary.luck == summarize(REVIEWS, GAME.variance).luck


def test_no_rounds_have_an_empty_summary() -> None:
    summary = summarize([])
    assert summary.rounds == summary.loss.per_100 == 0
    assert not any((summary.streets, summary.series, summary.leaks, summary.kinds))
