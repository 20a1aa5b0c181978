"""What coach and lab show is what the exact solver finds, to the last digit shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import sqrt

import pytest
from playwright.sync_api import expect

from houseway.cards import cards
from houseway.engine.terms import Terms, read_terms
from houseway.exact import odds, outcomes, solve
from houseway.rules.changes import changed
from houseway.rules.loader import load
from houseway.server.solver import Solver
from page.houses import scripted
from page.pages import Visitor
from server.houses import Running, running

BOARD, OWN, DEALER = "Jh 8d 2s 7c 3h", "Ts 9s", "Ad 8c"
STREETS = [("", "Check"), ("Jh 8d 2s", "Check"), (BOARD, "Play 1×")]
"""What of the board is out, and what is chosen then."""
CLOSE = Fraction(1, 40)


@pytest.fixture(scope="module")
def house(solver: Solver) -> Iterator[Running]:
    with running(maker=lambda: scripted([BOARD, OWN, DEALER])) as found:
        found.serving.solver = solver
        yield found


def terms_of(*changes: str) -> Terms:
    terms, refused = read_terms(changed("uth-ma", changes) if changes else load("uth-ma"), {})
    assert not refused
    return terms


def signed(value: Fraction, digits: int) -> str:
    return f"{'−' if value < 0 else '+'}{abs(float(value)):.{digits}f}"


def expected(values: Mapping[str, Fraction], ante: int) -> dict[str, list[str]]:
    """By choice: its value in antes and in dollars, and whether it is best or what it costs."""
    best = max(values.values())
    told = {}
    for action, value in values.items():
        says = f"Play {action[:-1]}×" if action.endswith("x") else action.capitalize()
        verdict = "best" if value == best else f"costs {float(best - value):.4f}"
        money = f"{'−' if value < 0 else '+'}${abs(round(value * ante)) / 100:.2f}"
        told[says] = [signed(value, 4), money, verdict]
    return told


def test_the_coach_shows_the_exact_values_on_every_street(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Coached", settings='{"pace": "brisk", "coach": "before"}')
    table = one.open_table("uth-ma")
    one.sit(table, 3)
    one.bet("ante")
    one.ready()
    coach = one.page.get_by_role("region", name="Coach")
    for board, choice in STREETS:
        values = odds(terms_of(), cards(OWN), cards(board)).values
        expect(one.choices()).to_have_count(len(values))
        told = coach.get_by_role("listitem")
        expect(told).to_have_count(len(values))
        wanted = expected(values, 500)
        assert {text.split("\n")[0] for text in told.all_inner_texts()} == set(wanted)
        for says, parts in wanted.items():
            row = told.filter(has=one.page.get_by_text(says, exact=True))
            for part in parts:
                expect(row).to_contain_text(part)
        one.button("As fractions").click()
        for value in values.values():
            expect(coach).to_contain_text(f"{value.numerator} / {value.denominator}")
        one.button("As decimals").click()
        one.choose(choice)
    one.finish()


def test_covered_until_one_acts(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url, "Covered", settings='{"pace": "brisk", "coach": "after"}')
    table = one.open_table("uth-ma")
    one.sit(table, 3)
    one.bet("ante")
    one.ready()
    coach = one.page.get_by_role("region", name="Coach")
    expect(coach).to_contain_text("hidden until you act")
    value = odds(terms_of(), cards(OWN)).values["4x"]
    expect(coach).not_to_contain_text(signed(value, 4))
    one.choose("Play 4×")
    one.page.get_by_role("tab", name="Coach").click()
    expect(coach).to_contain_text(signed(value, 4))


def percent(share: Fraction) -> str:
    return f"{100 * abs(float(share)):.4f} %"


def test_the_lab_shows_the_solved_game(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url, "Lab")
    one.go("/lab?rulebook=uth-ma")
    solution = solve(terms_of())
    main = one.page.get_by_role("main")
    expect(main).to_contain_text(percent(solution.edge))
    expect(main).to_contain_text("for the house")
    _whole_grid(one, terms_of())
    spread = outcomes(solution)
    expect(main).to_contain_text(f"{sqrt(spread.variance):.4f}")
    expect(main).to_contain_text(f"{float(spread.average_bet):.4f}")
    # One payout turned by a press: the whole game is solved again, and the address has it.
    one.button("Full house: more").click()
    turned = solve(terms_of("blind.full-house=4 to 1"))
    assert turned.edge < 0 < solution.edge
    expect(main).to_contain_text(percent(turned.edge))
    expect(main).to_contain_text("for the player")
    expect(main).to_contain_text(f"rulebook {percent(solution.edge)} for the house")
    expect(main).to_contain_text("rulebook: 3 to 1")
    expect(one.page).to_have_url(re.compile(r"set=blind\.full-house%3D4\+to\+1"))
    # The new deviation with its variance, and beside them the old ones.
    now, old = outcomes(turned).variance, spread.variance
    deviation = main.locator(".measure").filter(has_text="Standard deviation")
    expect(deviation).to_contain_text(f"{sqrt(now):.4f}")
    expect(deviation.locator(".more")).to_have_text(f"variance {float(now):.3f}")
    expect(deviation).to_contain_text(f"rulebook {sqrt(old):.4f}, variance {float(old):.3f}")
    one.page.reload()
    expect(main).to_contain_text(percent(turned.edge))


def _whole_grid(one: Visitor, terms: Terms) -> None:
    """Every starting hand with its best play and its close calls; one of them with its values."""
    grid = one.page.get_by_role("grid", name="Best play by starting hand")
    expect(grid.get_by_role("gridcell")).to_have_count(169)
    names = grid.get_by_role("gridcell").evaluate_all(
        "cells => cells.map((cell) => [cell.textContent, cell.getAttribute('aria-label')])"
    )
    hands = {hand.hand: hand for hand in solve(terms).starting_hands}
    assert {hand for hand, _ in names} == set(hands)
    for hand, said in names:
        values = hands[hand].values
        plays = max(value for name, value in values.items() if name != "check")
        assert f": {hands[hand].best}" in said
        assert ("a close call" in said) == (abs(plays - values["check"]) <= CLOSE)
    king_two = grid.get_by_role("gridcell", name="king two, suited")
    king_two.click()
    shown = one.page.get_by_role("main")
    for value in hands["K2s"].values.values():
        expect(shown).to_contain_text(signed(value, 4))
    king_two.press("ArrowLeft")
    expect(grid.get_by_role("gridcell", name="king three, suited")).to_be_focused()
