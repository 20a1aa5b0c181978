"""Under the text of an old rulebook, a table behaves as it did when that text was current."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.cards import codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import fold
from houseway.engine.irregularities import cards_off_deck
from houseway.engine.refusals import Refusal
from houseway.engine.report_options import ReportPlace, report_places
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.loader import load, rulebook_from_text
from houseway.testing.driver import stacked
from table_driver import table


def old_table(book: str, *parts: tuple[str, str], **given: Any) -> Table:
    """Return a table under the text of a rulebook from which some rules and settings are removed."""
    raw = json.loads(load(book).text)
    for part, name in parts:
        del raw[part][name]
    return Table(read_terms(rulebook_from_text(json.dumps(raw)), given)[0])


def accepted(at: Table, state: State, command: c.Command) -> tuple[e.Event, ...]:
    answer = decide(at, state, command)
    assert not isinstance(answer, Refusal), answer
    return answer


@pytest.mark.parametrize("by", ["house", "dealer"])
def test_old_rulebooks_do_not_count_a_step_by_the_house_as_automatic(by: str) -> None:
    old = old_table("uth-card", ("house", "auto_approve"), mode="manual")
    assert not old.names_persons
    state = fold(accepted(old, State(), c.OpenTable(designated=("ultimate",), examples=True)))
    step = old.sections["opening"][0]
    (*_, taken) = accepted(old, state, c.Perform(step=step.name, by=by, name="Ann"))
    assert isinstance(taken, e.StepTaken)
    assert (taken.by, taken.automatic) == (by, False)


@pytest.mark.parametrize("chosen", [None, False])
def test_under_an_old_rulebook_the_automatic_dealer_inspects_the_decks_of_texas_shootout(
    chosen: bool | None,
) -> None:
    given: dict[str, Any] = {"limits": {"wager": {"max": "50"}, "bonus": {"max": "50"}}}
    if chosen is not None:
        given["house"] = {"auto_approve": chosen}
    raw = json.loads(load("shootout-sd").text)
    del raw["opening"][0]["rules"]["by_player"]
    old = Table(read_terms(rulebook_from_text(json.dumps(raw)), given)[0])
    state = fold(
        accepted(old, State(), c.OpenTable(designated=("shootout",), backs=("red",), examples=True))
    )
    act = next_act(old, state)
    assert act is not None
    assert (act.by, act.name, act.signed) == ("dealer", "the automatic dealer", False)
    inspected, _ = accepted(old, state, act.command())
    assert isinstance(inspected, e.DeckInspected)
    assert (inspected.by, inspected.name, inspected.automatic) == ("dealer", "the automatic dealer", False)


def test_old_rulebooks_do_not_check_a_coupon_in_texas_shootout() -> None:
    t = table("shootout-sd").sit(1)
    bet = c.Bet(seat=1, wagers={"wager": 1000}, coupon=500)
    assert t.refuses(bet).code == "match-play-off"
    old = old_table("shootout-sd", ("house", "tips"))
    (placed,) = accepted(old, t.state, bet)
    assert isinstance(placed, e.WagersPlaced)
    assert placed.coupon == 500


@pytest.mark.parametrize(
    ("settings", "clause"), [((), "PROC-H.3-c"), ((("house", "void_folds"),), "PROC-H.3-b")]
)
def test_leaving_a_held_seat_cites_the_clause_of_the_rulebook_in_use(
    settings: tuple[tuple[str, str], ...], clause: str
) -> None:
    t = table("uth-proc").sit(1)
    at = old_table("uth-proc", *settings)
    state = fold([e.MinimumKept(seat=1, amount=300), e.SeatHeld(seat=1, until="")], t.state)
    (*_, left) = accepted(at, state, c.Leave(seat=1))
    assert isinstance(left, e.PlayerLeft)
    assert left.clause == clause


@pytest.mark.parametrize("old", [False, True])
def test_old_rulebooks_leave_corrections_for_departed_players_out_of_the_net(old: bool) -> None:
    t = table("uth-card", mode="manual").bet(2, ante=10).deal().play(2, 4)
    at = old_table("uth-card", *((("procedure", "seated_wagers"),) if old else ()), mode="manual")
    t.until(next(step.name for step in t.table.sections["round"] if step.act == "close"))
    state = replace(t.state, round=replace(t.state.round, departed={1: -500}))
    (*_, closed) = accepted(at, state, c.Perform(step=t.next))
    assert isinstance(closed, e.RoundClosed)
    assert closed.net.get(1) == (None if old else -500)


@pytest.mark.parametrize("place", ["seat 1", "board", "dealer"])
def test_old_rulebooks_ignore_the_place_of_a_face_up_card(place: str) -> None:
    t = table("uth-ma", mode="manual").bet(1, ante=10).until("deal the second card to the dealer")
    after = tuple(t.shoe.cards[:1])
    report = c.Report(kind="face-up card", at=place, which=2, cards=after)
    today = decide(t.table, t.state, report)
    assert isinstance(today, Refusal) or [type(event) for event in today] == [e.FaceUpFound, e.CardReplaced]
    old = old_table("uth-ma", ("procedure", "seated_wagers"), mode="manual")
    (found,) = accepted(old, t.state, report)
    assert isinstance(found, e.FaceUpFound)
    assert (found.face, found.at, found.which) == (after, "", 0)
    assert cards_off_deck(old, t.state, report) == 1
    assert report_places(old, t.state, "face-up card") == (ReportPlace("deck"),)


def test_old_rulebooks_allow_a_second_report_of_the_same_premature_flop() -> None:
    t = table("uth-ma", mode="device").bet(1, ante=10).deal().report("premature flop")
    assert t.refuses(c.Report(kind="premature flop")).code == "reported-already"
    raw = json.loads(load("uth-ma").text)
    (row,) = [row for row in raw["irregularity"] if row["kind"] == "premature flop"]
    del row["rules"]["turned_back"]["value"]
    old = Table(read_terms(rulebook_from_text(json.dumps(raw)), {"mode": "device"})[0])
    (exposed,) = accepted(old, t.state, c.Report(kind="premature flop"))
    assert isinstance(exposed, e.BoardExposed)


def test_old_rulebooks_leave_the_board_of_a_void_round_without_trips() -> None:
    t = table("uth-ma", mode="manual").bet(1, ante=10).deal().check(1)
    raw = json.loads(load("uth-ma").text)
    for row in raw["irregularity"]:
        row.get("rules", {}).pop("board", None)
    old = Table(read_terms(rulebook_from_text(json.dumps(raw)), {"mode": "manual"})[0])
    t.report("face-up card", at="deck", cards=codes(t.shoe.cards[:1]))
    events = accepted(old, t.state, c.Report(kind="face-up card", at="deck", cards=tuple(t.shoe.cards[:1])))
    (voided,) = (event for event in events if isinstance(event, e.RoundVoided))
    assert (voided.trips, voided.board, voided.clause) == (False, False, "MA-14.b-c")
    assert fold(events, t.state).round.void == "all"


def test_old_rulebooks_call_a_wrong_board_found_by_the_count_a_wrong_hand() -> None:
    t = table("uth-ma", mode="manual")
    for _ in range(4):
        t.bet(1, ante=10).deal().finish()
    t.bet(1, ante=10).deal().until("deal the flop")
    t.perform("deal the flop", cards=t.shoe.take(3))
    t.send(c.DealExtra(at="board", cards=t.shoe.take(1)))
    t.until("count the stub")
    raw = json.loads(load("uth-ma").text)
    rows = [row for row in raw["irregularity"] if not (row["kind"] == "wrong count" and "silent" in row)]
    raw["irregularity"] = [{key: row[key] for key in row if key != "misdealt"} for row in rows]
    old = Table(read_terms(rulebook_from_text(json.dumps(raw)), {"mode": "manual"})[0])
    count = c.Perform(step="count the stub", count=40)
    found = {
        at.book.hash: event.clause
        for at in (old, t.table)
        for event in accepted(at, t.state, count)
        if isinstance(event, e.RoundVoided)
    }
    assert found == {old.book.hash: "MA-7.g.2-a", t.table.book.hash: None}


def test_old_rulebooks_cite_one_clause_for_the_direction_whether_or_not_the_dealer_qualifies() -> None:
    deck = stacked("device", "Qd 9s 7h 4c 2d", "Kc 8c", "As Ah", "9c 8s")
    t = table("uth-proc", deck=deck).bet(1, ante=5).bet(2, ante=5).deal().play(1, 4).play(2, 4)
    t.until("settle each hand")
    assert t.state.round.qualifies is False
    raw = json.loads(load("uth-proc").text)
    for walk in raw["pass"]:
        walk.pop("unqualified", None)
    old = Table(read_terms(rulebook_from_text(json.dumps(raw)), {"mode": "device"})[0])
    answer = decide(old, t.state, c.Perform(step="settle each hand", seat=1))
    assert isinstance(answer, Refusal)
    assert answer.clause == "PROC-Q.1-a"
