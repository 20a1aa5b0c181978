"""Refusals and script lines cite the clause that decides them, in every rulebook."""

from __future__ import annotations

from typing import Any

import pytest

from discovered import BOOKS
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.rules.loader import load
from houseway.testing.driver import stacked
from live.live_rounds import LiveRound
from table_driver import table

SD: dict[str, Any] = {"feed": 25, "seed": {"main": "10000"}}
SEATED = {
    "uth-ma": "MA-6.e-a",
    "uth-sd": "MA-6.e-a",
    "uth-card": "CARD-27",
    "uth-proc": "PROC-H.9",
    "shootout-sd": "MA-6.e-a",
}
"""The clause that lets only seated players wager."""
PLAQUES = dict.fromkeys(SEATED, "MA-6.a-a")
"""The clause on plaques and cash. Only Massachusetts has one; the other rulebooks borrow it."""


def cited(known: dict[str, str], book: str, option: str) -> str | None:
    """The clause from its document; for a rulebook that is not in `known`, the clause of its own option."""
    return known.get(book) or load(book).options[option].clause()


def live(book: str, deck: str = "") -> LiveRound:
    """A live table of a rulebook."""
    return LiveRound(book, deck, load(book).modes[0])


@pytest.mark.clause("MA-6.a-a")
@pytest.mark.parametrize("book", BOOKS)
def test_plaques_are_wagers_in_every_rulebook_and_cash_is_not(book: str) -> None:
    wagers, clause = {table(book).table.entry_wager: 1000}, cited(PLAQUES, book, "form_of_wagers")
    room = live(book).send(c.Sit(seat=1, player="Ann", chips=100_000)).advance()
    t = table(book).sit(1)
    cash = c.Bet(seat=1, wagers=wagers, form="cash")
    for reason in (t.refuses(cash), room.refused(cash)):
        assert (reason.code, reason.clause) == ("not-chips", clause)
    plaques = c.Bet(seat=1, wagers=wagers, form="plaques")
    assert isinstance(t.send(plaques)[0], e.WagersPlaced)
    room.send(plaques)
    option = load(book).options["form_of_wagers"]
    assert (option.value, option.clause()) == ("chips or plaques, no verbal cash", clause)


@pytest.mark.clause("MA-6.e-a", "CARD-27", "PROC-H.9")
@pytest.mark.parametrize("book", BOOKS)
def test_a_wager_without_a_seat_cites_the_clause_about_seats(book: str) -> None:
    bet = c.Bet(seat=2, wagers={table(book).table.entry_wager: 1000})
    for reason in (table(book).sit(1).refuses(bet), live(book).refused(bet)):
        assert (reason.code, reason.clause) == ("nobody-there", cited(SEATED, book, "seated"))


@pytest.mark.clause("SD-13-a", "SD-10-c", "SD-8-c")
@pytest.mark.parametrize(
    ("step", "clause"),
    [
        ("turn up the dealer's cards", "SD-13-a"),
        ("expose the turn and river", "SD-10-c"),
        ("expose the flop", "SD-8-c"),
    ],
)
def test_an_early_step_cites_the_clause_that_makes_it_wait(step: str, clause: str) -> None:
    deck = stacked("device", "Qd 9s 7h 4c 2d", "Qc 3s", "As Ah")
    t = table("uth-sd", mode="device", deck=deck, house=SD).bet(1, ante=10).deal()
    room = LiveRound("uth-sd", deck, house=SD).bet(1, ante=1000).advance()
    early = c.Perform(step=step)
    for reason in (t.refuses(early), room.refused(early)):
        assert (reason.code, reason.clause) == ("players-first", clause)


@pytest.mark.clause("SD-2-b", "SD-2-e")
@pytest.mark.parametrize(
    ("wagers", "clause"), [({"blind": 1000}, "SD-2-b"), ({"ante": 1000, "blind": 500}, "SD-2-e")]
)
def test_a_blind_alone_is_incomplete_and_an_unequal_blind_is_unequal(
    wagers: dict[str, int], clause: str
) -> None:
    bet = c.Bet(seat=1, wagers=wagers)
    room = live("uth-sd").send(c.Sit(seat=1, player="Ann", chips=100_000))
    for reason in (table("uth-sd", house=SD).sit(1).refuses(bet), room.refused(bet)):
        assert (reason.code, reason.clause) == ("ante-blind-unequal", clause)


@pytest.mark.clause("PROC-H.3-b", "PROC-H.3-c")
@pytest.mark.parametrize(("held", "clause"), [(False, "PROC-H.3-b"), (True, "PROC-H.3-c")])
def test_a_player_kept_at_the_old_minimum_loses_it_by_leaving_unless_the_seat_is_held(
    held: bool, clause: str
) -> None:
    room = live("uth-proc").bet(1, ante=300).advance()
    for _ in range(3):
        room.send(c.ActFor(seat=1, by="supervisor"))
    orders: list[c.Command] = [
        c.ChangeMinimum(wager="ante", amount=500, notice="surveillance", by="floor"),
        c.KeepMinimum(seat=1, by="floor"),
    ]
    for order in orders + ([c.HoldSeat(seat=1, until="21:00", by="floor")] if held else []):
        room.send(order)
    room.send(c.Leave(seat=1))
    assert room.seen(e.PlayerLeft)[0].clause == clause
    room.verified()


@pytest.mark.clause("MA-7.d.2")
def test_the_card_names_the_cover_card_that_its_script_uses() -> None:
    book = load("uth-card")
    covered = [s for s in book.procedure.round if any("under a cover card" in w.says for w in s.words)]
    cover = book.options["cover_cards"]
    assert [step.modes for step in covered] == [("manual",)]
    assert (cover.value, cover.clause()) == ("one, on the dealer's cards dealt by hand", "MA-7.d.2")
