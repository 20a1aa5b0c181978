"""The solver service: published figures, coaching from a seat's view, one solve per game."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from houseway import exact
from houseway.cards import Card
from houseway.client.messages import Choice, View, Waits, Yours
from houseway.engine.table import Table
from houseway.engine.table_view import HandView, SeatView, TableView
from houseway.engine.terms import read_terms
from houseway.exact import shootout
from houseway.rules.changes import apply_changes
from houseway.rules.loader import load, rulebook_ids
from houseway.server.lab_controls import controls
from houseway.server.rulebook_library import RefusedError
from houseway.server.solver import Solver

DEALS = 27_813_810_024_000
"""All deals: 1,326 starting hands × 19,600 flops × 1,081 turns and rivers × 990 dealer's hands."""


@pytest.fixture(scope="module")
def solver() -> Solver:
    ready = Solver()
    ready.start().join()
    assert ready.ready
    return ready


def table_of(rulebook: str) -> Table:
    terms, refused = read_terms(load(rulebook), {})
    assert not refused
    return Table(terms)


def decision_view(
    table: Table, own: str, board: str, says: list[str], stakes: dict[str, int], turn: int = 3
) -> View:
    """Return seat 3's view when it must act, or when another seat must."""
    cards = tuple(board.split())
    stage = {0: "before the flop", 3: "after the flop", 5: "after the river"}[len(cards)]
    step = next((s.name for s in table.steps.values() if s.stage == stage), "set the hands")
    hand = HandView(cards=2, wagers=stakes)
    view = TableView(
        rulebook=table.book.id, section="round", step=step, turn=turn, round=1, betting="closed", board=cards,
        dealer_cards=2, seats={3: SeatView(player="Maren", chips=100_00, hands={1: hand})},
    )  # fmt: skip
    choices = tuple(Choice(says=words, command={}, action=words.removeprefix("play ")) for words in says)
    yours = Yours(seat=3, cards=(tuple(own.split()),), choices=choices)
    return View(table=view, yours=yours, waits=Waits(why="decision"))


TEN = {"ante": 10_00, "blind": 10_00}


# --- the lab ---


def test_the_main_game_matches_its_published_figures(solver: Solver) -> None:
    answer = solver.lab("uth-ma", {})
    assert (answer["value"]["num"], answer["value"]["den"]) == ("-50643648973", "2317817502000")
    assert answer["edge"]["ante"] == pytest.approx(0.021849713762753)
    assert answer["edge"]["ante_and_blind"] == pytest.approx(0.021849713762753 / 2)
    assert (answer["edge"]["risk"], answer["average_bet"]) == (None, None), "they come with the outcomes"


def test_action_frequencies_match_their_published_figures(solver: Solver) -> None:
    answer = solver.outcomes("uth-ma", {})
    assert answer["risk"] == pytest.approx(0.0052622, abs=5e-8)
    assert answer["average_bet"] == pytest.approx(4.152209545741)
    counts = {name: int(count) for name, count in answer["actions"].items()}
    assert sum(counts.values()) == DEALS
    assert Fraction(counts["4x"], DEALS) == Fraction(500, 1326)
    shares = {"2x": 21.2846, "1x": 21.8221, "fold": 19.1858}
    assert {name: round(100 * counts[name] / DEALS, 4) for name in shares} == shares


def test_the_variance_matches_its_published_figure(solver: Solver) -> None:
    answer = solver.outcomes("uth-ma", {})
    assert answer["variance"] == pytest.approx(24.396673537660)
    assert answer["sd"] == pytest.approx(4.939298891)
    assert sum(int(row["count"]) for row in answer["outcomes"]) == DEALS
    assert sum(row["chance"] for row in answer["outcomes"]) == pytest.approx(1)
    mean = sum(float(Fraction(row["net"])) * row["chance"] for row in answer["outcomes"])
    assert mean == pytest.approx(-0.021849713762753)


RANKS = "AKQJT98765432"
NAMED = {a + b + ("" if a == b else s) for n, a in enumerate(RANKS) for b in RANKS[n:] for s in "so"}


def plays_four_times(hand: str) -> bool:
    """True if a starting hand plays 4x: pairs from threes, any ace, K2s, K5o, Q6s, Q8o, J8s, JTo up."""
    high, low = hand[0], hand[1]
    if high == low:
        return high != "2"
    least = {"A": "22", "K": "25", "Q": "68", "J": "8T"}.get(high)
    return least is not None and RANKS.index(low) <= RANKS.index(least[hand[2:] == "o"])


def test_the_grid_shows_best_play_and_marks_close_calls(solver: Solver) -> None:
    grid = {cell["hand"]: cell for cell in solver.lab("uth-ma", {})["grid"]}
    assert set(grid) == NAMED
    assert list(grid)[:3] == ["AA", "AKs", "AQs"]
    for hand, cell in grid.items():
        assert (cell["best"] == "4x") == plays_four_times(hand), hand
        assert cell["best"] in ("4x", "check"), "three times is never best"
    closest = {"K2s": 0.005413, "J8s": 0.011068, "Q6s": 0.022046, "T9s": -0.020316, "Q5s": -0.021212,
               "K4o": -0.022797}  # fmt: skip
    for hand, by in closest.items():
        values = grid[hand]["values"]
        assert values["4x"] - values["check"] == pytest.approx(by, abs=5e-7)
        assert grid[hand]["close"]
    assert not grid["AA"]["close"]
    assert not grid["32o"]["close"]


def test_four_to_one_on_a_full_house_gives_the_player_the_edge(solver: Solver) -> None:
    answer = solver.lab("uth-ma", {"blind.full-house": "4 to 1"})
    assert round(100 * answer["edge"]["ante"], 4) == -0.0733
    counting_solve = solver.outcomes("uth-ma", {"blind.full-house": "4 to 1"})
    assert (round(100 * counting_solve["risk"], 4), round(counting_solve["sd"], 4)) == (-0.0176, 4.9729)
    moved = [(c["key"], c["value"], c["book"]) for c in answer["controls"] if c["value"] != c["book"]]
    assert moved == [("blind.full-house", "4 to 1", "3 to 1")]


def test_the_streets_have_best_play_by_kind_of_hand(solver: Solver) -> None:
    # Published: 21.2846 % of all rounds play 2x after the flop, and 19.1858 % fold after the river.
    streets = solver.strategy("uth-ma", {})["streets"]
    for street, choice, share in (
        ("after the flop", "2x", 0.212846),
        ("after the river", "fold", 0.191858),
    ):
        deals = sum(int(kind["deals"][choice]) for kind in streets[street])
        assert deals / 27_813_810_024_000 == pytest.approx(share, abs=5e-7)


def test_a_progressive_names_the_meter_of_its_edge(solver: Solver) -> None:
    tables = solver.wagers("uth-ma", {})["wagers"]["progressive"]
    assert tables
    for table in tables.values():
        assert table["seeds"]
        # The seed is at or below the amount at which the wager has no edge: the difference is the edge.
        missing = {
            meter: float(table["break_even"][meter][0]) - float(seed)
            for meter, seed in table["seeds"].items()
        }
        for meter, dollars in missing.items():
            share = float(table["per_meter_dollar"][meter]["value"])
            assert table["edge"] == pytest.approx(share * dollars / float(table["stake"]), abs=1e-6)


def test_trips_matches_its_published_edge(solver: Solver) -> None:
    # Table B, which the printed card uses: 1.904049 % (seven-card counts of 133,784,560).
    trips = solver.wagers("uth-card", {})["wagers"]["trips"]["CARD"]
    assert trips["edge"] == pytest.approx(0.01904049, abs=5e-9)
    assert trips["deals"] == "133784560"
    better = solver.wagers("uth-card", {"trips.flush": "7 to 1"})["wagers"]["trips"]["CARD"]
    assert trips["edge"] - better["edge"] == pytest.approx(4_047_644 / 133_784_560)


@pytest.mark.parametrize(
    "changes",
    [
        {"blind.nothing": "1 to 1"},
        {"blind.flush": "a lot"},
        {"play.preflop": "0"},
        {"qualifier": "two aces"},
        {"": ""},
        {f"k{n}": "push" for n in range(100)},
    ],
)
def test_an_invalid_change_is_rejected(solver: Solver, changes: dict[str, str]) -> None:
    for ask in (solver.lab, solver.outcomes, solver.wagers, solver.strategy):
        with pytest.raises(RefusedError) as caught:
            ask("uth-ma", changes)
        assert caught.value.status == 400
        assert caught.value.refused


def test_the_lab_rejects_a_file_path(solver: Solver) -> None:
    with pytest.raises(RefusedError) as caught:
        solver.lab("/etc/passwd", {})
    assert caught.value.status == 404


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_control_can_be_changed_and_shows_its_value(rulebook: str) -> None:
    book, _ = read_terms(load(rulebook), {})
    for control in controls(book, book):
        assert control["value"] == control["book"]
        assert control["book"] in control["choices"]
        for choice in {control["choices"][0], control["choices"][-1]}:
            now, refused = read_terms(apply_changes(rulebook, [f"{control['key']}={choice}"]), {})
            assert not refused
            turned = {c["key"]: c["value"] for c in controls(book, now) if c["value"] != c["book"]}
            assert turned == ({control["key"]: choice} if choice != control["book"] else {})


def test_the_controls_are_those_of_the_rulebook() -> None:
    book, _ = read_terms(load("uth-ma"), {})
    groups: dict[str, list[str]] = {}
    for control in controls(book, book):
        groups.setdefault(control["group"], []).append(control["value"])
    assert groups["Blind pays"] == ["500 to 1", "50 to 1", "10 to 1", "3 to 1", "3 to 2", "1 to 1"]
    assert groups["Trips pays, table B"] == [f"{n} to 1" for n in (50, 40, 30, 8, 6, 5, 3)]
    assert groups["Play sizes"] == ["3,4", "2", "1"]
    assert groups["Dealer qualifies with"] == ["pair"]
    assert groups["Ante when the dealer does not qualify"] == ["push"]


# --- the coach ---


def test_the_coach_compares_the_choices_on_a_flop(solver: Solver) -> None:
    table = table_of("uth-ma")
    answer = solver.coach(
        table, decision_view(table, "Ts 9s", "Jh 8d 2s", ["check", "play 2x", "leave"], TEN), 41
    )
    assert (answer["ready"], answer["seq"], answer["stage"], answer["hand"]) == (
        True,
        41,
        "after the flop",
        "Jack high",
    )
    assert answer["ways"] == str(1_081 * 990)
    assert "1,070,190" in answer["sentence"]
    check, play = answer["choices"]
    assert (check["says"], play["says"]) == ("Check", "Play 2×")
    assert round(check["value"], 4) == 0.0663
    assert round(play["value"], 4) == 0.1547
    assert (check["dollars"], play["dollars"]) == ("+0.66", "+1.55")
    assert round(check["costs"], 4) == 0.0883
    assert (check["best"], play["best"], play["costs"], check["close"]) == (False, True, 0, False)
    assert Fraction(int(play["num"]), int(play["den"])) == Fraction(play["value"]).limit_denominator(10**9)


def test_the_coach_folds_when_folding_is_best(solver: Solver) -> None:
    # On 4s 5h 6d 8c 9d, playing Kd Qh is worth −2.172727… and folding −2; playing an ace with a jack is worth −1.978788….
    table = table_of("uth-ma")
    board, says = "4s 5h 6d 8c 9d", ["fold", "play 1x"]
    fold, play = solver.coach(table, decision_view(table, "Kd Qh", board, says, TEN), 1)["choices"]
    assert (fold["value"], round(play["value"], 6), fold["best"]) == (-2, -2.172727, True)
    assert (fold["dollars"], play["dollars"]) == ("-20.00", "-21.73")
    answer = solver.coach(table, decision_view(table, "Ad Jh", board, says, TEN), 1)
    assert (round(answer["choices"][1]["value"], 6), answer["choices"][1]["best"]) == (-1.978788, True)
    assert [choice["close"] for choice in answer["choices"]] == [True, True]


def test_a_close_call_before_the_flop_is_marked(solver: Solver) -> None:
    table = table_of("uth-sd")
    answer = solver.coach(table, decision_view(table, "Kc 2c", "", ["check", "play 3x", "play 4x"], TEN), 1)
    by = {choice["action"]: choice for choice in answer["choices"]}
    assert answer["hand"] == "King, two, suited"
    assert by["4x"]["best"]
    assert by["4x"]["value"] - by["check"]["value"] == pytest.approx(0.005413, abs=5e-7)
    assert (by["4x"]["close"], by["check"]["close"], by["3x"]["close"]) == (True, True, False)


def test_only_legal_choices_are_evaluated(solver: Solver) -> None:
    table = table_of("uth-ma")
    answer = solver.coach(table, decision_view(table, "As Ad", "", ["check"], TEN), 1)
    assert [choice["action"] for choice in answer["choices"]] == ["check"]


def test_the_coach_gives_no_advice_to_a_player_who_is_not_to_act(solver: Solver) -> None:
    table = table_of("uth-ma")
    answer = solver.coach(table, decision_view(table, "Ts 9s", "", ["check"], TEN, turn=4), 1)
    assert (answer["choices"], answer["hand"]) == ([], "")


def test_concurrent_requests_are_answered(solver: Solver) -> None:
    table = table_of("uth-ma")
    views = [
        decision_view(table, own, "Jh 8d 2s", ["check", "play 2x"], TEN)
        for own in ("Ts 9s", "As 3c", "Jc Jd")
    ]
    alone = [solver.coach(table, view, 1) for view in views]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda view: solver.coach(table, view, 1), views * 5)) == alone * 5


# --- startup ---


def test_an_unready_solver_answers_at_once() -> None:
    solver = Solver()
    table = table_of("uth-ma")
    answer = solver.coach(table, decision_view(table, "Ts 9s", "", ["check"], TEN), 1)
    assert not answer["ready"]
    assert answer["sentence"] == "You can play now. The exact solver is still starting."
    lab = solver.lab("uth-ma", {})
    assert not lab["ready"]
    assert lab["controls"], "the controls are available at once"
    assert solver.outcomes("uth-ma", {}) == {"ready": False, "sentence": answer["sentence"]}


def test_concurrent_requests_solve_a_game_once(solver: Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[Any] = []
    solve = exact.solve

    def counting_solve(terms: Any) -> Any:
        solved.append(terms)
        return solve(terms)

    monkeypatch.setattr(exact, "solve", counting_solve)
    changes = {"blind.flush": "2 to 1", "blind.straight": "push"}
    with ThreadPoolExecutor(4) as pool:
        answers = list(
            pool.map(
                lambda n: solver.lab("uth-ma", dict(sorted(changes.items(), reverse=n % 2 == 1))), range(4)
            )
        )
    assert len(solved) == 1
    assert all(msgspec.json.encode(one) == msgspec.json.encode(answers[0]) for one in answers)


def test_texas_shootout_is_computed_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    begin, done = threading.Event(), threading.Event()
    best = SimpleNamespace(
        value=Fraction(-1, 50), element_of_risk=Fraction(1, 60), staked=Fraction(6, 5), split=Fraction(1, 5)
    )

    def solve(book: Any, *, threads: int, progress: Any) -> Any:
        begin.wait(10)
        progress(91, 182)
        done.set()
        return SimpleNamespace(best=best)

    def odds(book: Any, four: tuple[Card, ...]) -> list[shootout.Move]:
        assert [str(card) for card in four] == ["As", "Ad", "Kh", "Kd"]
        return [
            shootout.Move("split As Ad / Kh Kd", Fraction(1)),
            shootout.Move("keep As Ad", Fraction(1, 2)),
        ]

    monkeypatch.setattr(shootout, "solve", solve)
    monkeypatch.setattr(shootout, "odds", odds)
    solver, table = Solver(), table_of("shootout-sd")
    says = ["keep As Ad", "split As Ad / Kh Kd"]
    view = decision_view(table, "As Ad Kh Kd", "", says, {"wager": 10_00})
    answer = solver.coach(table, view, 1)
    assert not answer["ready"]
    assert "takes minutes" in answer["sentence"]
    assert not solver.lab("shootout-sd", {})["ready"]
    begin.set()
    done.wait(10)
    for thread in threading.enumerate():
        if thread.name == "solver":
            thread.join(10)
    answer = solver.coach(table, view, 1)
    split, keep = answer["choices"]
    assert (split["says"], split["dollars"], split["best"]) == ("Split As Ad / Kh Kd", "+10.00", True)
    assert (keep["says"], keep["costs"]) == ("Keep As Ad", 0.5)
    # The dealer gets four of 308 cards, and the flop five of the other 304.
    assert answer["ways"] == str((308 * 307 * 306 * 305 // 24) * (304 * 303 * 302 * 301 * 300 // 120))
    poor = decision_view(table, "As Ad Kh Kd", "", says[:1], {"wager": 10_00})
    assert [choice["action"] for choice in solver.coach(table, poor, 1)["choices"]] == ["keep As Ad"]
    lab = solver.lab("shootout-sd", {})
    assert (lab["ready"], lab["edge"]["ante"], lab["average_bet"]) == (True, 0.02, 1.2)
