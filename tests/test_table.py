"""Parts of a table that no single clause covers: required settings, a person as the dealer, access by role."""

from __future__ import annotations

import pytest

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import handle
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.loader import load, rulebook_ids
from table_driver import table


def chosen_tables(book: str) -> dict[str, str]:
    """The example pay table for each kind that a house must choose, except the progressive."""
    house = load(book).house
    kinds = [kind for kind in load(book).tables if kind != "progressive" and f"{kind}_table" in house]
    return {kind: str(house[f"{kind}_table"].assumed) for kind in kinds}


def main_wager(book: str) -> str:
    return "ante" if "ante" in load(book).wagers else "wager"


def open_table(book: str, **given: object) -> tuple[Table, State, Refusal | e.Event]:
    """A table opened under terms, without examples."""
    terms, wrong = read_terms(load(book), given)
    assert not wrong
    at = Table(terms)
    state, answer = handle(at, State(), c.OpenTable(designated=(at.book.game,)))
    return at, state, answer if isinstance(answer, Refusal) else answer[0]


def test_the_pay_tables_to_choose_are_those_the_documents_leave_open() -> None:
    assert [chosen_tables(book) for book in ("uth-ma", "uth-sd", "shootout-sd")] == [
        {"trips": "B"}, {"trips": "UTH-02"}, {"bonus": "A"},
    ]  # fmt: skip


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_table_does_not_open_before_the_house_has_chosen(book: str) -> None:
    _, state, answer = open_table(book)
    assert isinstance(answer, Refusal)
    assert answer.code == "setting-missing"
    assert answer.where.startswith("house.")
    assert state == State()


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_table_opens_once_everything_required_is_chosen(book: str) -> None:
    limits = {
        main_wager(book): {"min": "5", "max": "25"},
        **{kind: {"max": "25"} for kind in chosen_tables(book)},
    }
    _, state, answer = open_table(book, tables=chosen_tables(book), limits=limits)
    assert isinstance(answer, e.TableOpened)
    assert answer.settings["limits"][main_wager(book)] == {"min": "5.00", "max": "25.00"}
    # The progressive is offered only if its pay table is chosen.
    assert state.unoffered == (("progressive",) if "progressive" in load(book).wagers else ())


def test_a_progressive_the_house_has_not_chosen_is_refused() -> None:
    t = table("uth-ma", open=False)
    t.table.terms.limits = {"ante": t.table.terms.bounds["ante"]}
    t.table.terms.named_tables = {"trips": "B"}
    t.open(examples=False).ready()
    refusal = t.refuses(t.betting(1, ante=10, progressive=5))
    assert (refusal.code, refusal.clause) == ("not-offered", "house.progressive_table")
    t.bet(1, ante=10)


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_chosen_progressive_needs_its_feed_or_seed(book: str) -> None:
    rulebook = load(book)
    if "progressive" not in rulebook.wagers:
        # Without a progressive there is nothing to choose.
        assert "progressive_table" not in rulebook.house
        return
    tables = {**chosen_tables(book), "progressive": next(iter(rulebook.tables["progressive"]))}
    _, _, answer = open_table(book, tables=tables, limits={"ante": {"min": "5", "max": "25"}})
    assert isinstance(answer, Refusal)
    missing = {"uth-ma": {"house.feed"}, "uth-sd": {"house.seed"}}
    assert answer.where in missing.get(book, {"house.feed", "house.seed"})


def test_a_person_who_deals_must_deal_to_one_place_at_a_time() -> None:
    t = table("uth-ma", mode="manual", open=False).open(dealer="person").ready()
    t.bet(1, ante=10).bet(2, ante=10)
    t.perform("announce no more bets")
    both = c.Perform(step="deal the first card to each player", cards=t.shoe.take(2))
    refusal = t.refuses(both)
    assert (refusal.code, refusal.clause) == ("one-at-a-time", "MA-7.d.1")
    t.perform("deal the first card to each player", cards=both.cards[:1])
    assert [len(s.hands[0].cards) for s in t.state.seats.values()] == [1, 0]


def test_a_person_who_deals_must_settle_one_player_at_a_time_in_order() -> None:
    t = table("uth-ma", mode="device", open=False).open(dealer="person").ready()
    t.bet(1, ante=10).bet(2, ante=10).deal().play(1, 4).play(2, 4).until("settle the hands")
    everyone = t.refuses(c.Perform(step="settle the hands"))
    assert (everyone.code, everyone.clause) == ("one-at-a-time", "MA-9.h-c")
    wrong = t.refuses(c.Perform(step="settle the hands", seat=1))
    assert (wrong.code, wrong.clause) == ("out-of-order", "MA-9.h-a")
    t.perform("settle the hands", seat=2)
    assert {s.seat for s in t.state.round.settled} == {2}
    t.perform("settle the hands", seat=1)
    assert t.next != "settle the hands"


def test_a_machine_and_a_person_deal_the_same_round() -> None:
    ends = []
    for dealer in ("machine", "person"):
        t = table("uth-sd", mode="manual", seed=7, open=False).open(dealer=dealer).ready()
        t.bet(1, ante=10, trips=5).bet(2, ante=15).bet(3, trips=5).deal()
        t.play(1, 4).check(2).finish()
        t.check_books()
        # Only the dealer differs; the results below must be equal.
        ends.append((t.state.seats, t.state.rack, t.state.house, t.state.round.settled))
    assert ends[0] == ends[1]


def test_an_unknown_command_is_refused_without_an_exception() -> None:
    assert table("uth-card").refuses(c.Command()).code == "unknown-command"


# --- attempts to break a table ---


def test_voiding_a_hand_before_its_next_card_does_not_stop_the_deal() -> None:
    t = table("uth-ma", mode="manual").bet(1, ante=10).bet(2, ante=10)
    t.perform("announce no more bets")
    t.perform("deal the first card to each player", cards=t.shoe.take(1))
    t.send(c.DealShort())
    t.step()
    t.perform("deal the second card to each player", cards=t.shoe.take(1))
    t.report("wrong number", at="seat 2")
    assert t.next == "deal the second card to the dealer"
    t.finish().check_books()
    assert t.net(2) == "0.00"


def test_the_round_ends_if_every_hand_is_voided_during_the_deal() -> None:
    t = table("uth-ma", mode="manual").bet(1, ante=10)
    t.perform("announce no more bets")
    t.send(c.DealShort())
    t.step()
    t.report("wrong number", at="seat 1").finish().check_books()
    assert t.net(1) == "0.00"


def test_a_player_whose_hand_is_void_cannot_leave_until_the_round_is_over() -> None:
    t = table("uth-ma", mode="manual").bet(1, ante=10).bet(2, ante=10)
    t.perform("announce no more bets")
    t.send(c.DealShort())
    t.report("wrong number", at="seat 1")
    assert t.refuses(c.Leave(seat=1)).code == "round-not-complete"
    t.finish().send(c.Leave(seat=1))


def test_a_raised_minimum_raises_the_minimum_bettors_limit() -> None:
    limits = {"ante": {"min": "5", "max": "200"}}
    t = table("uth-ma", deck="Qh Jh Th 2c 2d Ah Kh 9s 9d", mode="device", limits=limits)
    for wager in ("ante", "trips"):
        t.send(c.ChangeMinimum(by="floor", wager=wager, amount=10_000))
    t.bet(1, ante=100, trips=100).finish()
    t.bet(1, ante=100, trips=100).deal().play(1, 4).finish()
    # In units of $100: 1 on the ante, 4 on the play, 500 on the blind and 50 on trips, not cut at $50,000.
    assert [s.cut for s in t.state.round.settled] == [0, 0, 0, 0]
    assert t.net(1) == "55500.00"


def test_a_coupon_with_a_negative_value_is_refused() -> None:
    t = table("uth-ma", house={"match_play": True})
    t.sit(1)
    assert t.refuses(c.Bet(seat=1, wagers={"ante": 1000}, coupon=-100)).code == "bad-amount"


def test_a_mispaid_wager_can_be_corrected_in_later_rounds_until_the_player_leaves() -> None:
    t = table("uth-ma", mode="device").bet(1, ante=10).finish()
    t.send(c.Mispay(seat=1, wager="ante", amount=50_000))
    t.bet(1, ante=10).finish()
    assert "correct the ante payment at seat 1" in t.legal("floor")
    before = t.state.seats[1].chips
    t.send(c.Correct(by="supervisor", seat=1, wager="ante"))
    assert t.state.seats[1].chips == before - 50_000
    t.send(c.Mispay(seat=1, wager="ante", amount=50_000))
    t.send(c.Leave(seat=1))
    t.sit(1, player="Bob")
    assert t.refuses(c.Correct(by="supervisor", seat=1, wager="ante")).code == "nothing-mispaid"


def test_a_jam_after_a_recut_keeps_cut_and_load_after_the_shuffle() -> None:
    t = table("uth-ma", mode="manual", house={"shuffler": "device", "cut_required": "always"})
    t.send(c.Recut(by="supervisor"))
    t.report("shuffler jam")
    assert t.state.owed == ("shuffle", "cut the cards", "load the shoe")


def test_a_deadline_acts_for_a_player_but_cannot_change_the_minimum() -> None:
    t = table("uth-proc", deck="7s Kh 9d 4c 2s 7c 7d Kc 8d", limits={"ante": {"min": "5", "max": "25"}})
    t.bet(1, ante=25, trips=25).deal().play(1, 4).until("settle each hand")
    assert (
        t.refuses(c.ChangeMinimum(by="deadline", wager="ante", amount=300, notice="surveillance")).code
        == "not-the-floor"
    )
    t = table("uth-proc").bet(1, ante=5).deal()
    t.send(c.ActFor(by="deadline", seat=1))
    assert isinstance(t.events[-1], e.Checked)


def test_a_player_cannot_report_an_irregularity_to_learn_about_cards() -> None:
    t = table("uth-ma").bet(1, ante=10).deal()
    probe = c.Report(by="seat 1", kind="exposed card", at="dealer", cards=t.state.round.dealer[:1])
    assert t.refuses(probe).code == "not-the-dealer"


@pytest.mark.parametrize("book", rulebook_ids())
def test_no_table_takes_a_spoken_wager_or_cash(book: str) -> None:
    t = table(book)
    main = main_wager(book)
    for form, code in (("cash", "not-chips"), ("verbal", "verbal-wager")):
        assert t.refuses(t.betting(1, form=form, **{main: 5})).code == code


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (c.Sit(seat=1, player="x", chips=5.5), "bad-command"),  # type: ignore[arg-type]
        (c.Bet(seat=1, wagers=None), "bad-command"),  # type: ignore[arg-type]
        (c.Perform(step=None), "bad-command"),  # type: ignore[arg-type]
        (c.Bet(seat=1, wagers={"ante": "10"}), "bad-command"),  # type: ignore[dict-item]
        (c.Bet(by="seat 2", seat=1, wagers={"ante": 1000}), "not-your-seat"),
        (c.Perform(by="seat 1", step="shuffle"), "not-the-dealer"),
        (c.Check(by="rail", seat=1), "only-watching"),
    ],
)
def test_a_command_with_a_wrong_type_or_sender_is_refused(command: c.Command, code: str) -> None:
    assert table("uth-card").refuses(command).code == code


def test_unknown_roles_have_no_view() -> None:
    with pytest.raises(ValueError, match=r"surveillence.*surveillance"):
        table("uth-card").view("surveillence")
