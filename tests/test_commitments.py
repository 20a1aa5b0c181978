"""Commitments to salts: which seats may commit and open, when, and the consequences of an unopened salt."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.client.player_salts import PlayerSalts
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.players_cut import commitment
from houseway.engine.salt_history import LAST_ROUNDS, MOST_UNOPENED
from houseway.engine.turn_order import unopened_salts
from houseway.testing.driver import CommandRefusedError
from server.hosted_rounds import Room
from table_driver import Driver

SALTS = {seat: f"{seat:032x}" for seat in range(1, 7)}


def committed_table(rulebook: str = "uth-ma", *seats: int, **given: Any) -> Driver:
    t = Driver(rulebook, **given).open(players_cut="committed").ready()
    return t.sit(*(seats or (1, 2)))


def commit(t: Driver, *seats: int) -> Driver:
    for seat in seats:
        committed = commitment(t.state.round.seal, seat, SALTS[seat])
        t.send(c.CommitSalt(seat=seat, commitment=committed, by=f"seat {seat}"))
    return t


def open_command(seat: int, salt: str = "") -> c.OpenSalt:
    return c.OpenSalt(seat=seat, salt=salt or SALTS[seat], by=f"seat {seat}")


def discard_deck(t: Driver) -> tuple[e.Event, ...]:
    return t.send(c.DiscardDeck(by="deadline"))


def in_round(rulebook: str = "uth-ma", *committed: int) -> Driver:
    """Seats 1 and 2 have bet, these seats have committed, and betting is closed."""
    t = commit(committed_table(rulebook), *committed)
    for seat in (1, 2):
        t.bet(seat, **({"wager": 10} if rulebook == "shootout-sd" else {"ante": 10}))
    t.step()
    return t


def test_a_commitment_is_the_hash_that_the_documentation_gives() -> None:
    label = b"houseway salt commitment 1\0"
    expected = sha256(label + bytes([171] * 32) + bytes([0, 3]) + bytes(range(16))).hexdigest()
    assert commitment("ab" * 32, 3, bytes(range(16)).hex()) == expected


def test_the_cut_is_made_once_every_committed_seat_has_opened_its_salt() -> None:
    t = in_round("uth-ma", 1, 2)
    assert not any(isinstance(event, e.PlayersCutMade) for event in t.events)
    assert t.send(open_command(2)) == (e.SaltOpened(seat=2, salt=SALTS[2]),)
    assert unopened_salts(t.state) == (1,)
    cut = e.PlayersCutMade(deck="A", salts={1: SALTS[1], 2: SALTS[2]})
    assert t.send(open_command(1)) == (e.SaltOpened(seat=1, salt=SALTS[1]), cut)
    t.finish()


def test_without_commitments_the_deal_continues_at_once() -> None:
    t = in_round()
    assert not unopened_salts(t.state)
    t.finish()
    assert not any(isinstance(event, e.PlayersCutMade) for event in t.events)


def test_no_card_is_dealt_and_none_is_moved_while_a_salt_is_unopened() -> None:
    t = in_round("uth-ma", 1)
    with pytest.raises(AssertionError, match="nothing to do"):
        t.step()
    assert t.refuses(c.Perform(step=t.next)).code == "salts-unopened"
    assert t.refuses(c.Report(kind="face-up card")).code == "salts-unopened"
    assert t.refuses(c.Recut(by="supervisor")).code == "salts-unopened"
    assert t.refuses(c.DealExtra(at="seat 1")).code == "salts-unopened"


def test_the_cards_are_not_cut_again_after_the_players_cut() -> None:
    t = in_round("uth-ma", 1)
    t.send(open_command(1))
    assert t.refuses(c.Recut(by="supervisor")).code == "cut-by-players"


def test_wagers_do_not_change_once_salts_are_open() -> None:
    t = in_round("uth-ma", 1, 2)
    t.send(open_command(2))
    assert t.refuses(c.Bet(seat=1, wagers={"ante": 2000})).code == "no-more-bets"
    assert t.refuses(c.TakeBack(seat=1)).code == "no-more-bets"


def test_a_salt_is_opened_after_betting_has_closed_and_not_before() -> None:
    t = commit(committed_table(), 1).bet(1, ante=10)
    assert t.refuses(open_command(1)).code == "betting-open"
    t.step()
    t.send(open_command(1))
    assert t.refuses(open_command(1)).code == "nothing-to-open"


@pytest.mark.parametrize(("salt", "code"), [("f" * 32, "wrong-salt"), ("f" * 31, "bad-salt")])
def test_a_salt_other_than_the_committed_one_is_refused(salt: str, code: str) -> None:
    assert in_round("uth-ma", 1).refuses(open_command(1, salt)).code == code


def test_a_commitment_copied_from_another_seat_cannot_be_opened() -> None:
    t = committed_table()
    stolen = commitment(t.state.round.seal, 1, SALTS[1])
    t.send(c.CommitSalt(seat=2, commitment=stolen))
    t.bet(2, ante=10).step()
    assert t.refuses(open_command(2, SALTS[1])).code == "wrong-salt"


def test_a_new_commitment_replaces_the_old_one_while_betting_is_open() -> None:
    t = commit(committed_table(), 1)
    other = commitment(t.state.round.seal, 1, SALTS[2])
    t.send(c.CommitSalt(seat=1, commitment=other))
    t.bet(1, ante=10).step()
    assert t.refuses(open_command(1)).code == "wrong-salt"
    t.send(open_command(1, SALTS[2]))


@pytest.mark.parametrize("text", ["", "0" * 63, "0" * 65, "G" * 64, "A" * 64])
def test_an_invalid_commitment_is_refused(text: str) -> None:
    assert committed_table().refuses(c.CommitSalt(seat=1, commitment=text)).code == "bad-commitment"


def test_only_seats_with_a_wager_open_a_salt() -> None:
    t = commit(committed_table(), 1, 2).bet(1, ante=10)
    t.step()
    assert unopened_salts(t.state) == (1,)
    assert t.refuses(open_command(2)).code == "nothing-to-open"


def test_a_seat_taken_by_another_player_has_no_commitment() -> None:
    t = commit(committed_table(), 1, 2)
    t.send(c.Leave(seat=2))
    t.send(c.Sit(seat=2, player="Zoe", chips=100_000))
    t.bet(2, ante=10).step()
    assert not unopened_salts(t.state)


def test_a_table_takes_either_commitments_or_salts_in_the_clear() -> None:
    refusal = committed_table().refuses(c.AddSalt(seat=1, salt=SALTS[1]))
    assert refusal.code == "commit-first"
    assert "CommitSalt" in refusal.message
    assert "OpenSalt" in refusal.message
    plain = Driver("uth-ma").open().ready().sit(1)
    assert plain.refuses(c.CommitSalt(seat=1, commitment="0" * 64)).code == "salts-in-the-clear"


def test_a_player_acts_only_for_their_own_seat_and_never_discards_the_deck() -> None:
    t = in_round("uth-ma", 1)
    assert t.refuses(c.OpenSalt(seat=1, salt=SALTS[1], by="seat 2")).code == "not-your-seat"
    assert t.refuses(c.DiscardDeck(by="seat 2")).code == "not-the-dealer"
    assert t.refuses(c.DiscardDeck(by="floor")).code == "not-the-deadline"
    assert t.refuses(c.DiscardDeck()).code == "not-the-deadline"


def test_an_unopened_salt_discards_the_deck_and_returns_every_wager() -> None:
    t = in_round("uth-ma", 1, 2)
    chips = {n: seat.started for n, seat in t.state.seats.items()}
    t.send(open_command(1))
    events = discard_deck(t)
    assert events[0] == e.DeckDiscarded(deck="A", seats=(2,))
    assert isinstance(events[1], e.RoundVoided)
    assert events[1].why == "unopened salt"
    assert {n: seat.chips for n, seat in t.state.seats.items()} == chips
    t.finish()
    assert not any(isinstance(event, e.CardsDealt | e.CardsBurned) for event in t.events)
    assert t.refuses(c.DiscardDeck(by="deadline")).code == "nothing-to-discard"


def test_a_discarded_deck_is_shuffled_again_and_takes_commitments_again() -> None:
    t = in_round("uth-ma", 1)
    discard_deck(t)
    t.finish()
    before = len([event for event in t.events if isinstance(event, e.DeckShuffled)])
    t.ready()
    assert len([event for event in t.events if isinstance(event, e.DeckShuffled)]) == before + 1
    commit(t, 1)
    t.bet(1, ante=10).step()
    t.send(open_command(1))


def test_a_discarded_shoe_is_shuffled_again_after_its_first_round() -> None:
    t = in_round("shootout-sd", 1)
    discard_deck(t)
    t.finish()
    assert t.state.section == "shuffling"
    t.ready()
    commit(t, 1).bet(1, wager=10).step()
    t.send(open_command(1))
    t.finish().ready()
    assert t.refuses(c.CommitSalt(seat=1, commitment="0" * 64)).code == "dealt-from"


def unopened_round(t: Driver, seat: int) -> None:
    commit(t.ready(), seat).bet(seat, ante=5).step()
    discard_deck(t)
    t.finish()


def test_a_player_with_three_unopened_salts_in_100_rounds_adds_nothing_to_the_cut() -> None:
    assert (MOST_UNOPENED, LAST_ROUNDS) == (3, 100)
    t = committed_table()
    for _ in range(3):
        unopened_round(t, 1)
    t.ready()
    with pytest.raises(CommandRefusedError, match="stayed unopened in 3 of your last 100 rounds"):
        commit(t, 1)
    # A new seat does not help, and the other player still commits.
    player = t.state.seats[1].player
    t.send(c.Leave(seat=1))
    t.send(c.Sit(seat=3, player=player, chips=100_000))
    assert t.refuses(c.CommitSalt(seat=3, commitment="0" * 64)).code == "salt-barred"
    commit(t, 2)


def test_unopened_salts_count_for_100_rounds() -> None:
    t = committed_table()
    for _ in range(3):
        unopened_round(t, 1)
    for _ in range(97):
        t.ready().bet(1, ante=5).deal().finish()
    t.ready()
    assert t.refuses(c.CommitSalt(seat=1, commitment="0" * 64)).code == "salt-barred"
    t.bet(1, ante=5).deal().finish().ready()
    commit(t, 1)


@pytest.mark.parametrize("refused", [True, False])
def test_a_late_answer_from_an_earlier_round_changes_nothing(*, refused: bool) -> None:
    shown = Room("uth-ma", [()], seats=(1,)).hosted.view("seat 1")
    table = replace(shown.table, players_cut="committed", seal="5" * 64)
    view = replace(shown, table=table, yours=replace(shown.yours, commit_due=True))
    salts = PlayerSalts(iter((SALTS[1], SALTS[2])).__next__, commits=True)
    late = salts.due(view)
    assert isinstance(late, c.CommitSalt)
    salts.open_round()
    salts.answered(late, refused=refused)
    salts.answered(c.OpenSalt(seat=1, salt=SALTS[1], by="seat 1"), refused=refused)
    now = salts.due(view)
    assert isinstance(now, c.CommitSalt)
    assert now.commitment == commitment("5" * 64, 1, SALTS[2])
    salts.answered(now, refused=False)
    assert salts.shown == SALTS[2]
