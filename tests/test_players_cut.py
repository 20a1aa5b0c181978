"""Salt for the players' cut: which seats may add it, when, and how it is recorded."""

from __future__ import annotations

import pytest

from houseway.engine import commands as c
from houseway.engine import events as e
from table_driver import Driver, table

SALT = "00112233445566778899aabbccddeeff"


def seated_table(rulebook: str = "uth-ma") -> Driver:
    return table(rulebook).sit(1, 2)


def add_salt(t: Driver, seat: int = 1, salt: str = SALT, by: str = "") -> c.AddSalt:
    return c.AddSalt(seat=seat, salt=salt, by=by or f"seat {seat}")


def test_salt_is_recorded_and_the_cut_is_made_when_the_betting_closes() -> None:
    t = seated_table()
    t.send(add_salt(t, 2))
    t.send(add_salt(t, 1, SALT[::-1]))
    t.bet(1, ante=10)
    closed = t.step()
    assert [type(event) for event in closed][:2] == [e.BettingClosed, e.PlayersCutMade]
    made = closed[1]
    assert isinstance(made, e.PlayersCutMade)
    assert made.salts == {2: SALT, 1: SALT[::-1]}
    assert made.deck == "A"


def test_without_salt_no_cut_is_made() -> None:
    t = seated_table().bet(1, ante=10)
    assert not any(isinstance(event, e.PlayersCutMade) for event in t.step())


def test_new_salt_replaces_the_old() -> None:
    t = seated_table()
    t.send(add_salt(t))
    t.send(add_salt(t, salt=SALT[::-1]))
    assert t.state.round.salts == {1: SALT[::-1]}


@pytest.mark.parametrize("salt", ["", SALT[:-1], SALT + "0", SALT.upper(), "g" * 32, SALT[:-1] + "\n"])
def test_invalid_salt_is_refused(salt: str) -> None:
    assert seated_table().refuses(c.AddSalt(seat=1, salt=salt)).code == "bad-salt"


def test_a_player_cannot_add_salt_for_another_seat() -> None:
    t = seated_table()
    assert t.refuses(add_salt(t, 2, by="seat 1")).code == "not-your-seat"
    assert t.refuses(add_salt(t, 5)).code == "nobody-there"


def test_salt_is_refused_once_the_betting_is_closed() -> None:
    t = seated_table().bet(1, ante=10)
    t.step()
    assert t.refuses(add_salt(t)).code == "betting-closed"


def test_a_deck_shuffled_again_takes_salt_again() -> None:
    t = seated_table().bet(1, ante=10).deal()
    t.finish()
    t.ready()
    t.send(add_salt(t))
    assert t.state.round.salts == {1: SALT}


def test_a_shoe_takes_salt_only_before_its_first_round() -> None:
    t = table("shootout-sd").sit(1)
    t.send(add_salt(t))
    t.bet(1, wager=10).deal()
    t.finish()
    t.ready()
    assert t.state.round.number == 2
    assert t.refuses(add_salt(t)).code == "dealt-from"
