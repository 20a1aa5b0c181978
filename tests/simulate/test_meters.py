"""A run updates its meters round by round: settling the same rounds one at a time gives the same amounts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from houseway.engine.meters import feeds
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.engine.terms import Terms
from houseway.money import dollars
from houseway.simulate import Plan, Tally, figures, meters, plan, run
from houseway.simulate.meters import replay
from simulate.first_rounds import first_rounds

ROUNDS = 1_200
SEATS = 6
STAKE = 1_00
FEED = 7
MICRO = 10**6
FREQUENT_AWARDS = """
[rulebook]
id = "often"
title = "South Dakota with meters that pay often"
extends = "uth-sd"

[tables.progressive.PMG-01]
silent = true
cards = { value = "first five", silent = true }
wager = { value = "1", silent = true }
meters = ["main", "minor", "mini"]
rest = { pays = "lose", silent = true }
rows = [
  { when = { hand = "straight or better" }, pays = "100 % of main", silent = true },
  { when = { hand = "three of a kind" }, pays = "60 % of main", silent = true },
  { when = { hand = "two pair" }, pays = "100 % of minor", silent = true },
  { when = { hand = "pair" }, pays = "9 % of mini", silent = true },
]
seeds.main = { value = "1000", silent = true }
seeds.minor = { value = "100", silent = true }
seeds.mini = { value = "10", silent = true }
"""
SEEDS = {"main": 1_000_00, "minor": 100_00, "mini": 10_00}


@pytest.fixture
def frequent_awards(tmp_path: Path) -> str:
    """Write a rulebook under which most rounds pay several shares, and return its path."""
    file = tmp_path / "often.toml"
    file.write_text(FREQUENT_AWARDS, encoding="utf-8")
    return str(file)


def table_of(book: str, awards: str) -> Plan:
    house = {"feed": FEED, "awards": awards}
    tables = {"progressive": "PMG-01"}
    return plan(
        book, rounds=ROUNDS, seats=SEATS, strategy="beginner", side=("trips", "progressive"),
        given={"house": house, "tables": tables},
    )  # fmt: skip


@pytest.mark.parametrize("awards", ["sequential", "shared"])
def test_settling_round_by_round_gives_the_same_meters_as_the_run(
    frequent_awards: str, awards: str
) -> None:
    table = table_of(frequent_awards, awards)
    compare(table, run(table))


def compare(table: Plan, tally: Tally) -> None:
    """Settle the rounds one at a time and update the meters here. The run must give the same results."""
    window = Window()
    micro = {name: shown * MICRO for name, shown in SEEDS.items()}
    # The contribution of each wager is divided among three meters. The remainder goes to the first.
    each, rest = divmod(STAKE * FEED * MICRO // 100, 3)
    share_awards, rounds_with_several, net_squares, total_net = 0, 0, 0, 0
    for played, nets in first_rounds(table, ROUNDS):
        micro = {name: amount + SEATS * each for name, amount in micro.items()}
        micro["main"] += SEATS * rest
        shows = {name: dollars(amount // MICRO) for name, amount in micro.items()}
        settled = window.settle({**played, "meters": shows})
        assert isinstance(settled, Settlement)
        after = {name: int(Fraction(shown) * 100) for name, shown in settled.meters.items()}
        micro = {name: after[name] * MICRO + amount % MICRO for name, amount in micro.items()}
        lines = [line for line in settled.lines if line.wager == "progressive"]
        rounds_with_several += sum("%" in (line.odds or "") for line in lines) > 1
        net = sum(int(Fraction(line.net) * 100) for line in lines)
        share_awards += net - sum(row["progressive"] for row in nets)
        total_net += net
        net_squares += net**2
    awarded, figured = replay(table, tally), figures(table, tally)
    assert rounds_with_several > 100
    assert awarded.total == share_awards
    assert awarded.shows == {name: amount // MICRO for name, amount in micro.items()}
    progressive = figured["progressive"]
    assert progressive.net == total_net
    # The published formula for the error of a mean, over rounds of six wagers each.
    variance = (
        Fraction(net_squares * ROUNDS - total_net * total_net, ROUNDS * (ROUNDS - 1)) / (SEATS * STAKE) ** 2
    )
    assert progressive.error is not None
    assert abs(progressive.error**2 * ROUNDS / variance - 1) < Fraction(1, 10**6)


def test_sequential_and_shared_awards_pay_different_totals(frequent_awards: str) -> None:
    one, other = (table_of(frequent_awards, awards) for awards in ("sequential", "shared"))
    assert replay(one, run(one)).total != replay(other, run(other)).total


def test_a_meter_without_awards_gains_exactly_its_feed() -> None:
    table = plan("uth-sd", rounds=1_000, seats=2, side=("progressive",), given={"house": {"feed": 10}},
                 meters={"main": 12_345_67})  # fmt: skip
    tally = run(table)
    assert not tally.awards
    assert replay(table, tally).shows == {"main": 12_345_67 + 1_000 * 2 * STAKE // 10}


def test_a_meter_fed_too_much_is_noticed(frequent_awards: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def feed_too_much(terms: Terms, stake: int) -> tuple[dict[str, int], dict[str, int]]:
        on_meters, on_reserves = feeds(terms, stake)
        return {name: micro + MICRO // 100 for name, micro in on_meters.items()}, on_reserves

    table = table_of(frequent_awards, "sequential")
    monkeypatch.setattr(meters, "feeds", feed_too_much)
    with pytest.raises(AssertionError):
        compare(table, run(table))


def test_an_award_of_one_percent_more_is_noticed(frequent_awards: str) -> None:
    table = table_of(frequent_awards, "sequential")
    shares = tuple(replace(share, percent=min(share.percent + 1, 100)) for share in table.bets.shares)
    assert shares != table.bets.shares
    wrong = replace(table, game=replace(table.game, bets=replace(table.bets, shares=shares)))
    with pytest.raises(AssertionError):
        compare(wrong, run(wrong))


def test_an_award_lost_or_paid_a_round_early_is_noticed(frequent_awards: str) -> None:
    table = table_of(frequent_awards, "sequential")
    tally = run(table)
    early = tuple((max(number - 1, 0), *rest) for number, *rest in tally.awards)
    for awards in (tally.awards[1:], early):
        with pytest.raises(AssertionError):
            compare(table, replace(tally, awards=awards))
