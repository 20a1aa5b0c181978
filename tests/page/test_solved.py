"""The coach and the lab show the exact solver's values to the last digit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import sqrt

import pytest
from playwright.sync_api import expect

from houseway.cards import cards
from houseway.engine.terms import Terms, read_terms
from houseway.exact import odds, outcomes, solve, wagers
from houseway.exact.street_strategy import street_strategy
from houseway.rules.changes import apply_changes
from houseway.rules.loader import load
from houseway.server.solver import Solver
from page.houses import scripted
from page.pages import Visitor
from server.houses import Running, running

BOARD, OWN, DEALER = "Jh 8d 2s 7c 3h", "Ts 9s", "Ad 8c"
STREETS = [("", "Check"), ("Jh 8d 2s", "Check"), (BOARD, "Play 1×")]
"""The board at each street, and the choice made then."""
CLOSE = Fraction(1, 40)


@pytest.fixture(scope="module")
def house(solver: Solver) -> Iterator[Running]:
    with running(maker=lambda: scripted([BOARD, OWN, DEALER])) as server:
        server.serving.solver = solver
        yield server


def terms_of(*changes: str) -> Terms:
    terms, refused = read_terms(apply_changes("uth-ma", changes) if changes else load("uth-ma"), {})
    assert not refused
    return terms


def signed(value: Fraction, digits: int) -> str:
    return f"{'−' if value < 0 else '+'}{abs(float(value)):.{digits}f}"


def expected(values: Mapping[str, Fraction], ante: int) -> dict[str, list[str]]:
    """Return for each choice its value in antes and dollars, and whether it is best or what it costs."""
    best = max(values.values())
    rows = {}
    for action, value in values.items():
        says = f"Play {action[:-1]}×" if action.endswith("x") else action.capitalize()
        verdict = "best" if value == best else f"costs {float(best - value):.4f}"
        money = f"{'−' if value < 0 else '+'}${abs(round(value * ante)) / 100:.2f}"
        rows[says] = [signed(value, 4), money, verdict]
    return rows


def test_the_coach_shows_the_exact_values_on_every_street(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Coached", settings='{"pace": "brisk", "coach": "before"}')
    table = visitor.open_table("uth-ma")
    visitor.sit(table, 3)
    visitor.bet("ante")
    visitor.ready()
    coach = visitor.page.get_by_role("region", name="Coach")
    for board, choice in STREETS:
        values = odds(terms_of(), cards(OWN), cards(board)).values
        expect(visitor.choices()).to_have_count(len(values))
        rows = coach.get_by_role("listitem")
        expect(rows).to_have_count(len(values))
        expected_rows = expected(values, 500)
        assert {text.split("\n")[0] for text in rows.all_inner_texts()} == set(expected_rows)
        for says, parts in expected_rows.items():
            row = rows.filter(has=visitor.page.get_by_text(says, exact=True))
            for part in parts:
                expect(row).to_contain_text(part)
        visitor.button("As fractions").click()
        for value in values.values():
            expect(coach).to_contain_text(f"{value.numerator} / {value.denominator}")
        visitor.button("As decimals").click()
        visitor.choose(choice)
    visitor.finish()


def test_the_coachs_values_are_hidden_until_the_player_acts(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Covered", settings='{"pace": "brisk", "coach": "after"}')
    table = visitor.open_table("uth-ma")
    visitor.sit(table, 3)
    visitor.bet("ante")
    visitor.ready()
    coach = visitor.page.get_by_role("region", name="Coach")
    expect(coach).to_contain_text("hidden until you act")
    value = odds(terms_of(), cards(OWN)).values["4x"]
    expect(coach).not_to_contain_text(signed(value, 4))
    visitor.choose("Play 4×")
    visitor.page.get_by_role("tab", name="Coach").click()
    expect(coach).to_contain_text(signed(value, 4))


def percent(share: Fraction) -> str:
    return f"{100 * abs(float(share)):.4f} %"


def test_the_lab_shows_the_solved_game(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Lab")
    visitor.go("/lab?rulebook=uth-ma")
    solution = solve(terms_of())
    main = visitor.page.get_by_role("main")
    expect(main).to_contain_text(percent(solution.edge))
    expect(main).to_contain_text("for the house")
    _check_grid(visitor, terms_of())
    _check_streets(visitor, terms_of())
    spread = outcomes(solution)
    expect(main).to_contain_text(f"{sqrt(spread.variance):.4f}")
    expect(main).to_contain_text(f"{float(spread.average_bet):.4f}")
    # One press changes a payout: the game is solved again, and the address includes the change.
    visitor.button("Full house: more").click()
    turned = solve(terms_of("blind.full-house=4 to 1"))
    assert turned.edge < 0 < solution.edge
    expect(main).to_contain_text(percent(turned.edge))
    expect(main).to_contain_text("for the player")
    expect(main).to_contain_text(f"rulebook {percent(solution.edge)} for the house")
    expect(main).to_contain_text("rulebook: 3 to 1")
    expect(visitor.page).to_have_url(re.compile(r"set=blind\.full-house%3D4\+to\+1"))
    # The new deviation and variance, next to the old ones.
    now, old = outcomes(turned).variance, spread.variance
    deviation = main.locator(".measure").filter(has_text="Standard deviation")
    expect(deviation).to_contain_text(f"{sqrt(now):.4f}")
    expect(deviation.locator(".more")).to_have_text(f"variance {float(now):.3f}")
    expect(deviation).to_contain_text(f"rulebook {sqrt(old):.4f}, variance {float(old):.3f}")
    visitor.page.reload()
    expect(main).to_contain_text(percent(turned.edge))


def _check_streets(visitor: Visitor, terms: Terms) -> None:
    """Check best play after the flop and after the river, then return to the grid."""
    streets = visitor.page.get_by_role("group", name="Street")
    for tab, street in (("Flop", "after the flop"), ("River", "after the river")):
        streets.get_by_role("button", name=tab, exact=True).click()
        kinds = street_strategy(solve(terms))[street]
        rows = visitor.page.locator(".kinds tbody tr")
        expect(rows).to_have_count(len(kinds))
        for kind, row in zip(kinds, rows.all(), strict=True):
            total = sum(kind.deals.values())
            expect(row.get_by_role("rowheader")).to_have_text(kind.hand.capitalize())
            shares = [f"{100 * deals / total:.2f} %" for deals in kind.deals.values()]
            assert row.get_by_role("cell").all_inner_texts()[1:] == shares
    streets.get_by_role("button", name="Before the flop").click()


def test_two_rulebooks_are_compared_with_their_side_bets(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Beside")
    visitor.go("/lab?rulebook=uth-ma&with=uth-card")
    bets = visitor.page.locator("table.side-bets")
    edges = {
        (name, table): f"{'−' if value.edge < 0 else ''}{abs(100 * float(value.edge)):.4f} %"
        for name, tables in wagers(terms_of()).items()
        for table, value in tables.items()
    }
    expect(bets.get_by_role("columnheader")).to_have_text(
        ["wager", "table", "edge", "deviation", "edge, uth-card"]
    )
    for (_, table), edge in edges.items():
        expect(bets.get_by_role("row").filter(has_text=table).filter(has_text=edge).first).to_be_visible()
    expect(bets.locator("tr:has-text('PTMGL01') + .meter-row")).to_have_text(
        "This is the edge with the meter at $50,000.00. From $802,652.63, the house has no edge."
    )
    # Both rulebooks have the same main game.
    expect(visitor.page.locator(".outcomes .summary")).to_contain_text("no difference from uth-card")
    # A change of the blind does not change the side bets.
    visitor.go("/lab?rulebook=uth-ma&set=blind.flush%3D2+to+1")
    panel = visitor.page.locator(".lab-panel").filter(has_text="Side bets")
    expect(panel).to_contain_text("no difference from the rulebook")


def _check_grid(visitor: Visitor, terms: Terms) -> None:
    """Check every starting hand's best play and close calls, and the values of one hand."""
    grid = visitor.page.get_by_role("grid", name="Best play by starting hand")
    expect(grid.get_by_role("gridcell")).to_have_count(169)
    names = grid.get_by_role("gridcell").evaluate_all(
        "cells => cells.map((cell) => [cell.textContent, cell.getAttribute('aria-label')])"
    )
    hands = {hand.hand: hand for hand in solve(terms).starting_hands}
    assert {hand for hand, _ in names} == set(hands)
    for hand, name in names:
        values = hands[hand].values
        plays = max(value for name, value in values.items() if name != "check")
        assert f": {hands[hand].best}" in name
        assert ("a close call" in name) == (abs(plays - values["check"]) <= CLOSE)
    king_two = grid.get_by_role("gridcell", name="king two, suited")
    king_two.click()
    main = visitor.page.get_by_role("main")
    for value in hands["K2s"].values.values():
        expect(main).to_contain_text(signed(value, 4))
    king_two.press("ArrowLeft")
    expect(grid.get_by_role("gridcell", name="king three, suited")).to_be_focused()
