"""Disputes: a closed round is rebuilt from the rack, settled again, and compared with the payments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

import pytest

from houseway.audit.dispute import VOID, Dispute, dispute
from houseway.audit.export import export_lines
from houseway.audit.store import StoreError
from houseway.cards import Card
from houseway.cli.app import main
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.rack import PileRecord, rebuild
from houseway.engine.refusals import Refusal
from houseway.play.open_game import GameOptions, keep, open_game
from houseway.play.plain_screen import play
from houseway.rules.loader import rulebook_ids
from random_play import modes_of
from record.recorded import Recorded, recorded

EVERYWHERE = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]


def find(playing: Recorded, number: int | None = None) -> Dispute:
    return dispute(playing.house.store, playing.stream, number)


def events_of_round(playing: Recorded, number: int) -> Iterator[e.Event]:
    """Yield the events from the opening of a round until the next one opens."""
    current = 0
    for event in playing.record:
        current = event.number if isinstance(event, e.RoundOpened) else current
        if current == number:
            yield event


@pytest.mark.clause("MA-9.i")
@pytest.mark.parametrize(("rulebook", "mode"), EVERYWHERE)
def test_every_round_is_rebuilt_from_the_rack_and_settled_again(rulebook: str, mode: str) -> None:
    playing = recorded(rulebook, mode, 8, seed="dispute", irregular=0.05)
    settled = 0
    for played in playing.rounds:
        end = played.end
        found = find(playing, end.round.number)
        nets = {event.seat: 0 for event in played.events if isinstance(event, e.WagerSettled)}
        for event in played.events:
            if isinstance(event, e.WagerSettled) and not event.for_dealer:
                nets[event.seat] += event.back - event.stake
        for event in events_of_round(playing, end.round.number):
            if isinstance(event, e.MispaymentMade | e.PaymentCorrected):
                nets[event.seat] = nets.get(event.seat, 0) + event.amount
        assert {seat.seat: seat.paid for seat in found.seats} == {
            seat: net for seat, net in nets.items() if seat in {s.seat for s in found.seats}
        }
        hands = {hand.place: hand for hand in found.hands}
        for number, seat in end.seats.items():
            if len(seat.hands) == 1 and seat.hands[0].racked:
                assert sorted(hands[f"seat {number}"].cards) == sorted(map(str, seat.hands[0].cards))
        assert not any(hand.differs for hand in found.hands)
        mistakes = any(isinstance(event, e.MispaymentMade) for event in played.events)
        if not mistakes:
            assert found.difference == 0
        settled += any(wager.due is not None for wager in found.wagers)
        assert found.proved
        assert found.seal == end.round.seal
    assert settled >= 2


def mispaid_round() -> tuple[Recorded, e.WagerSettled]:
    """A recorded round in which a player was paid five dollars too much, or lost five dollars too little."""
    playing = recorded("uth-ma", "manual", 1, seed="mispaid")
    end = playing.live.state
    line = next(line for line in end.round.settled if not line.for_dealer)
    answer = playing.live.send(c.Mispay(seat=line.seat, wager=line.wager, amount=500, hand=line.hand))
    assert not isinstance(answer, Refusal), answer
    return playing, line


def test_a_mispaid_wager_and_its_correction_are_found() -> None:
    playing, line = mispaid_round()
    found = find(playing)
    wrong = [wager for wager in found.wagers if wager.difference]
    assert [(w.seat, w.wager, w.difference) for w in wrong] == [(line.seat, line.wager, -500)]
    assert found.difference == 500
    totals = {seat.seat: seat.difference for seat in found.seats}
    assert totals[line.seat] == -500
    answer = playing.live.send(c.Correct(seat=line.seat, wager=line.wager, hand=line.hand, by="supervisor"))
    assert not isinstance(answer, Refusal), answer
    assert find(playing).difference == 0


def test_a_hand_in_the_wrong_position_in_the_rack_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    playing = recorded("uth-ma", "manual", 1, seed="racked")
    assert not any(hand.differs for hand in find(playing).hands)
    right, names = rebuild, {"dealer": "board", "board": "dealer"}

    def swapped(
        rack: Sequence[Card], record: Sequence[PileRecord], number: int
    ) -> dict[str, tuple[Card, ...]]:
        return right(rack, [pile._replace(what=names.get(pile.what, pile.what)) for pile in record], number)

    monkeypatch.setattr("houseway.audit.dispute.rebuild", swapped)
    assert {hand.place for hand in find(playing).hands if hand.differs} >= {"dealer", "board"}


def test_an_open_round_and_an_unknown_round_are_refused() -> None:
    playing = recorded("uth-ma", "manual", 2, seed="open")
    with pytest.raises(StoreError, match=r"there is no closed round 9: the last closed round is round 2$"):
        find(playing, 9)
    while playing.live.state.round.number == 2:
        playing.step()
    with pytest.raises(StoreError, match="round 3 is still being played"):
        find(playing, 3)
    with pytest.raises(StoreError, match=r"the last closed round is round 2$"):
        find(playing, 9)
    fresh = recorded("uth-ma", "manual", 0, seed="fresh")
    for number in (None, 9):
        with pytest.raises(StoreError, match="no round on this record is closed yet"):
            find(fresh, number)


def test_the_command_prints_the_rack_the_payments_and_the_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    playing, line = mispaid_round()
    file = tmp_path / "record.jsonl"
    file.write_bytes(b"".join(export_lines(playing.house.store, playing.stream, "", secrets=True)))
    assert main(["audit", "dispute", str(file)]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "The discard rack, from the bottom up" in out
    assert f"Seat {line.seat} was paid $5 too much on the {line.wager}" in out
    assert "cards match the seal of the shuffle" in out
    assert main(["audit", "dispute", str(file), "--round", "1", "--json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert printed["difference"] == 500
    assert main(["audit", "dispute", str(file), "--round", "9"]) == 2
    assert "there is no closed round 9" in capsys.readouterr().err


def test_a_public_export_has_too_few_cards_for_a_dispute(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    playing = recorded("uth-ma", "manual", 1, seed="public")
    file = tmp_path / "rail.jsonl"
    file.write_bytes(b"".join(export_lines(playing.house.store, playing.stream, "rail")))
    assert main(["audit", "dispute", str(file)]) == 2
    assert "surveillance" in capsys.readouterr().err


def test_a_payment_corrected_by_a_ruling_is_not_a_mistake() -> None:
    """The ruling may be about a settled wager, or about a wager that was not made."""
    playing = recorded("uth-sd", "manual", 40, seed="rulings", irregular=0.1)
    ruled = [
        (played.end.round.number, event)
        for played in playing.rounds
        for event in played.events
        if isinstance(event, e.PaymentCorrected) and event.ruled
    ]
    assert ruled
    for number, event in ruled:
        lines = [w for w in find(playing, number).wagers if (w.seat, w.wager) == (event.seat, event.wager)]
        assert lines
        if not any(isinstance(x, e.MispaymentMade) for x in playing.rounds[number - 1].events):
            assert all(line.difference == 0 for line in lines)


def test_a_void_round_has_nothing_due_and_says_so() -> None:
    playing = recorded("uth-sd", "manual", 40, seed="rulings", irregular=0.1)
    void = [
        played.end.round.number
        for played in playing.rounds
        if any(isinstance(event, e.RoundVoided) for event in played.events)
    ]
    assert void
    for number in void:
        found = find(playing, number)
        assert VOID in found.notes
        assert all(wager.due is None for wager in found.wagers)
        rulings = [wager.reason for wager in found.wagers if wager.result == "ruling"]
        assert all(reason.startswith("A supervisor ruled that the ") for reason in rulings)


def test_unseen_cards_are_printed_as_a_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "real.db"
    options = GameOptions(rulebook="uth-ma", mode="manual", shadow=True, bots=0)
    setup = open_game(options, *keep(record))
    lines = "bet ante 10\ndeal\n4x\n7s Kh 9d\n4c 2s\nKc 8d\n7c 7d\nquit\n"
    assert play(setup, StringIO(lines), StringIO()) == 0
    capsys.readouterr()
    assert main(["audit", "dispute", str(record)]) == 0
    printed = capsys.readouterr().out
    assert "burn    2 cards, not seen" in printed
    assert "seat 1  7c 7d" in printed
