"""The texts for viewers of a live table: the round's log, and a screen reader's sentences."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from houseway.cards import Card, cards
from houseway.engine import events as e
from houseway.narrate.live_log import LiveEvent, RoundLog, say_aloud
from houseway.narrate.narrator import Scene, narrate
from houseway.narrate.record import RoundTeller
from houseway.narrate.sentences import Sentence
from houseway.testing import table
from record.recorded import recorded
from record.test_explain import hidden_cards

NAMES = {1: "Ada", 2: "Ben", 3: "Cleo", 4: "Dan"}
GAME = table("uth-ma").sit(1, 2).bet(1, ante=10).bet(2, ante=10).deal()
TABLE, STATE = GAME.table, GAME.state


def checks(*seats: int, by: str = "") -> list[e.Event]:
    return [e.Checked(seat=seat, stage="before the flop", by=by, clause="MA-9.a.2") for seat in seats]


def settled(seat: int, wager: str, result: str) -> e.WagerSettled:
    back = {"win": 2000, "push": 1000, "lose": 0}[result]
    return e.WagerSettled(
        seat=seat, hand=1, wager=wager, stake=1000, result=result, back=back, clause="MA-10.b"
    )


def log_of(*events: e.Event) -> RoundLog:
    log = RoundLog()
    for event in events:
        log.take(event, narrate(event, Scene(TABLE.terms.order)), NAMES)
    return log


def texts(log: RoundLog, seat: int) -> list[str]:
    return [line.text for line in log.lines(seat).values()]


def test_the_log_joins_the_same_act_of_several_seats() -> None:
    flop = e.BoardTurned(face=cards("Jh 8d 2s"), clause="MA-9.b")
    log = log_of(e.BettingClosed(), *checks(1, 2, 3), *checks(4, by="deadline"), flop)
    assert texts(log, 0) == [
        "No more bets",
        "Seats 1, 2 and 3 check",
        "Dan checks (time ran out)",
        "Flop: J♥︎ 8♦︎ 2♠︎",
    ]
    assert texts(log, 2)[1] == "You, Ada and Cleo check"
    assert [line.clause for line in log.lines(0).values()] == [None, "MA-9.a.2", "MA-9.a.2", "MA-9.b"]


def test_a_line_that_does_not_name_a_viewer_is_the_same_for_all() -> None:
    log = log_of(*checks(1))
    assert log.lines(2)[1] is log.lines(0)[1]
    assert log.lines(1)[1] is not log.lines(0)[1]


def test_the_log_has_a_players_own_settlement() -> None:
    log = log_of(settled(1, "ante", "lose"), settled(1, "blind", "lose"), settled(2, "ante", "push"))
    assert texts(log, 1) == ["You lose the ante and blind, $20"]
    assert texts(log, 2) == ["Your ante of $10 pushes"]
    assert texts(log, 0) == []


def test_an_event_changes_only_its_own_line() -> None:
    log = log_of(e.BettingClosed(), *checks(1))
    second = checks(2)[0]
    assert list(log.take(second, narrate(second, Scene(TABLE.terms.order)), NAMES)) == [2]
    assert texts(log, 0) == ["No more bets", "Ada and Ben check"]
    opening = e.RoundOpened(number=2, deck="A")
    assert log.take(opening, narrate(opening, Scene(TABLE.terms.order)), NAMES) == {}
    assert log.lines(0) == {}


def spoken(seat: int, *events: e.Event, reason: str = "") -> list[tuple[str, ...]]:
    scene = Scene(TABLE.terms.order)
    news = [LiveEvent(event, narrate(event, scene), STATE, NAMES, reason) for event in events]
    return say_aloud(TABLE, news, seat)


def test_a_screen_reader_says_what_others_do_in_one_sentence() -> None:
    board = e.BoardTurned(face=cards("Jh 8d 2s"))
    assert spoken(4, *checks(1, 2, 4), board) == [
        (), ("Ada and Ben check.",), (), ("Flop: jack of hearts, eight of diamonds, two of spades.",)
    ]  # fmt: skip
    play = [e.PlayMade(seat=seat, stage="s", times=1, amount=500) for seat in (1, 2)]
    assert spoken(0, *play)[1] == ("Ada and Ben play 1 times the ante, 5 dollars.",)
    more = e.PlayMade(seat=7, stage="s", times=3, amount=1500)
    assert spoken(0, more) == [("Seat 7 plays 3 times the ante, 15 dollars.",)]
    assert spoken(0) == []


def test_a_screen_reader_says_the_players_own_cards_wagers_and_result() -> None:
    own = STATE.seats[1].hands[0].cards
    assert spoken(1, e.PlayersLooked()) == [(f"Your cards: {own[0].words}, {own[1].words}.",)]
    assert spoken(0, e.PlayersLooked()) == spoken(3, e.PlayersLooked()) == [()]
    lost = settled(1, "ante", "lose")
    assert spoken(1, lost, reason="Folded") == [("Your ante of 10 dollars loses.", "Folded.")]
    assert spoken(2, lost, reason="Folded") == [()]
    closed = e.RoundClosed(number=1, net={1: -1000, 2: 150}, changes={}, section="round")
    chips = f"{STATE.seats[1].chips // 100:,} dollars"
    assert spoken(1, closed) == [
        (f"Round 1 is over: you lose 10 dollars. You have {chips}.", "Ben wins 1 dollar and 50 cents.")
    ]


# --- secrecy ---

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def names_card(text: str, card: Card) -> bool:
    """True if a text names a card: in words, or as the log writes it."""
    rank, suit = str(card)[0], str(card)[1]
    sign = f"{'10' if rank == 'T' else rank}{SIGNS[suit]}"
    return card.words in text or re.search(rf"(?<![0-9]){sign}", text) is not None


def hidden_cards_named(rulebook: str) -> int:
    """Return how often a viewer's texts name a face-down card that is not the viewer's own."""
    playing = recorded(rulebook, rounds=5, seed="viewers", irregular=0.05)
    leaks = 0
    for played in playing.rounds:
        teller, log = RoundTeller(playing.table.terms.order), RoundLog()
        news = []
        for event, state in zip(played.events, played.states, strict=True):
            sentences = teller.tell(event)
            log.take(event, sentences, NAMES)
            news.append(LiveEvent(event, sentences, state, NAMES))
        dealt = [event for event in played.events if isinstance(event, e.CardsDealt)]
        for seat in range(playing.table.seats + 1):
            own = {card for event in dealt if event.to == f"seat {seat}" for card in event.sealed}
            texts = [line.text for line in log.lines(seat).values()]
            texts += [
                text
                for sentences_of_event in say_aloud(playing.table, news, seat)
                for text in sentences_of_event
            ]
            secret = hidden_cards(played) - own
            leaks += sum(names_card(text, card) for text in texts for card in secret)
    return leaks


@pytest.mark.parametrize("rulebook", ["uth-ma", "uth-sd", "uth-card", "uth-proc"])
def test_no_text_for_a_viewer_names_a_hidden_card(rulebook: str) -> None:
    assert hidden_cards_named(rulebook) == 0


def test_a_narrator_that_names_hidden_cards_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = RoundTeller.tell

    def leaking(self: RoundTeller, event: e.Event) -> tuple[Sentence, ...]:
        revealed = honest(self, event, lambda of, field: getattr(of, field))
        return tuple(replace(sentence, topic="news") for sentence in revealed)

    monkeypatch.setattr(RoundTeller, "tell", leaking)
    assert hidden_cards_named("uth-ma") > 0
