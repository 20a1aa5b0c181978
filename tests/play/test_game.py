"""The game without a screen: full rounds, no hidden card revealed, no money lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from houseway.audit.entries import link, read_entry
from houseway.audit.store import Head
from houseway.audit.verify import verify
from houseway.bots.players import decisions
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.refusals import Refusal
from houseway.engine.state import State, total
from houseway.engine.table_view import Follower, TableView
from houseway.play.event_text import Announcement, Announcer
from houseway.play.game import Game, add_salt
from houseway.play.open_game import GameOptions, PlayError, default_record, keep, open_game
from houseway.rules.loader import load
from play.tables import BOOKS, Secret, game, live_of, open_seeded

SIDE_BETS = {
    "uth-sd": {"ante", "trips", "progressive"},
    "uth-ma": {"ante", "trips", "progressive", "cover_all"},
    "uth-card": {"ante", "trips"},
    "uth-proc": {"ante", "trips"},
    "shootout-sd": {"wager", "bonus"},
}
"""The spots on which a player bets directly, by document."""


def side_bets(book: str) -> set[str]:
    """Return the spots of a document; for other rulebooks, all wagers whose amount is not fixed by another wager."""
    wagers = load(book).wagers
    free = {name for name in wagers if name not in ("play", "envy") and wagers[name].equals is None}
    return SIDE_BETS.get(book, free)


def rounds(g: Game, count: int, rng: Random) -> Iterator[list[Announcement]]:
    """Play rounds at random and yield the announcements after each step."""
    while count:
        prompt = g.prompt
        if prompt is None:
            yield g.step()
            continue
        if prompt.kind == "over":
            count -= 1
            g.go_on()
            continue
        if prompt.kind == "bet":
            placed = g.bet({spot.wager: spot.least for spot in g.view.yours.spots})
            answer = g.deal() if isinstance(placed, list) else placed
        else:
            answer = g.ask(rng.choice(decisions(g.options())).command)
        assert isinstance(answer, list), answer
        yield answer


def hidden(g: Game) -> Counter[str]:
    """Return the face-down cards other than the player's own."""
    state = live_of(g).state
    face_up = {str(card) for card in state.round.board[: state.round.up]}
    down = list(state.round.board[state.round.up :])
    if not state.round.revealed:
        down += state.round.dealer
    for number, seat in state.seats.items():
        down += [card for hand in seat.hands if number != g.you and not hand.shown for card in hand.cards]
    return Counter(str(card) for card in down if str(card) not in face_up)


def leaks(g: Game) -> list[str]:
    """Return the hidden cards named in the announcements of one round."""
    leaked = []
    for sayings in rounds(g, 1, Random(3)):
        words = (
            " ".join(announcement.text for announcement in sayings)
            .replace("(", " ")
            .replace(")", " ")
            .split()
        )
        leaked += [card for card in hidden(g) if card in words]
    return leaked


@pytest.mark.parametrize("book", BOOKS)
def test_every_wager_of_the_document_can_be_made(book: str) -> None:
    g = game(book)
    while g.prompt is None:
        g.step()
    assert {spot.wager for spot in g.view.yours.spots} == side_bets(book)


@pytest.mark.parametrize("book", BOOKS)
def test_rounds_are_played_and_no_cent_is_lost(book: str) -> None:
    g = game(book, style="random")
    before = total(live_of(g).state)
    list(chain.from_iterable(rounds(g, 12, Random(1))))
    assert total(live_of(g).state) == before
    assert [seen_round.view.round for seen_round in g.history] == list(range(1, 13))
    for seen_round in g.history:
        lines = sum(line.net for line in seen_round.lines if line.seat == g.you)
        assert seen_round.view.net[g.you] == lines
        assert all(line.clause for line in seen_round.lines)
    assert {line.wager for seen_round in g.history for line in seen_round.lines} >= side_bets(book)


UTH = [book for book in BOOKS if book.startswith("uth")]


@pytest.mark.parametrize("book", UTH)
def test_no_card_is_announced_before_it_is_turned(book: str) -> None:
    # With six decks a card may be both hidden and shown, so the next test covers Shootout.
    assert not [leak for seed in range(6) for leak in leaks(game(book, seed=str(seed)))]


def test_discards_of_shootout_are_never_announced() -> None:
    g = game("shootout-sd", bots=6)
    spoken: list[str] = []
    for sayings in rounds(g, 4, Random(2)):
        spoken += [
            announcement.text
            for announcement in sayings
            if announcement.seat not in (0, g.you) and "keep" in announcement.text
        ]
    # Each of the six seats names exactly the two cards it keeps.
    assert len(spoken) == 4 * 6
    kept = [text.partition(";")[0] for text in spoken]
    assert all(text.count(" of ") == 2 for text in kept)
    # The rest of the announcement names the place of the discards, never a card.
    places = (
        " the two cards are face up behind the primary wager;"
        " the discards are face down in front of the primary wager, on the dealer's side."
    )
    assert {text.partition(";")[2] for text in spoken} == {places}


def test_an_announcer_that_leaks_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Announcer.tell

    def leaking(self: Announcer, scene: Any, event: e.Event, *args: Any) -> Iterator[Announcement]:
        yield from honest(self, scene, event, *args)
        if isinstance(event, e.CardsDealt):
            yield Announcement("table", f"({event.sealed[0]})" if event.sealed else "")

    monkeypatch.setattr(Announcer, "tell", leaking)
    # The terminal never receives a hidden card, so the leak also needs a table that sends them.
    assert not leaks(game("uth-ma"))
    monkeypatch.setattr("houseway.live.viewer_messages.hide", lambda event: (event, {}))
    assert leaks(game("uth-ma"))


def test_a_seat_sees_its_own_cards_and_no_other() -> None:
    g = game("uth-ma", bots=5)
    play = rounds(g, 1, Random(1))
    while not g.round.hands:
        next(play)
    assert set(g.round.hands) == {(g.you, 1)}
    assert all(not hand.faces for seat in g.view.table.seats.values() for hand in seat.hands.values())


def test_only_legal_choices_are_offered_and_others_are_rejected_with_a_clause() -> None:
    g = game("uth-ma")
    play = rounds(g, 1, Random(1))
    while g.prompt is None or g.prompt.kind != "decide":
        next(play)
    assert [option.says for option in g.options()] == ["check", "play 3x", "play 4x"]
    refused = g.ask(c.Fold(seat=1))
    assert isinstance(refused, Refusal)
    assert refused.clause == "MA-9.e"


def test_the_same_seed_deals_the_same_cards_in_every_game() -> None:
    def dealt(seed: str) -> list[tuple[str, ...]]:
        g = game("uth-sd", seed)
        list(rounds(g, 3, Random(1)))
        return [seen_round.view.board for seen_round in g.history]

    assert dealt("7") == dealt("7")
    assert dealt("7") != dealt("8")


def test_a_new_game_with_the_same_seed_deals_the_same_cards(tmp_path: Path) -> None:
    store, signer = keep(tmp_path / "r.db")
    choices = GameOptions(rulebook="uth-ma", seed="7")
    boards = []
    for _ in range(2):
        g = open_game(choices, store, signer, new=True).game
        list(rounds(g, 2, Random(1)))
        boards.append([seen_round.view.board for seen_round in g.history])
    store.close()
    assert boards[0] == boards[1]


@pytest.mark.parametrize("book", BOOKS)
def test_a_game_stopped_anywhere_continues_with_the_same_cards(book: str, tmp_path: Path) -> None:
    """A round that is stopped and resumed after every announcement ends like one that was never stopped."""
    unstopped = game(book, style="random")
    list(rounds(unstopped, 1, Random(5)))
    choices = GameOptions(rulebook=book, seed="7", style="random")
    rng, stops = Random(5), 0
    while True:
        store, signer = keep(tmp_path / "r.db")
        g = open_game(choices, store, signer).game
        if g.history:
            break
        # A bot that has already bet announces nothing.
        next(sayings for sayings in rounds(g, 1, rng) if sayings)
        store.close()
        stops += 1
    store.close()
    assert stops > 5
    assert g.history[0] == unstopped.history[0]


def test_the_record_chains_from_the_first_entry_to_the_head(tmp_path: Path) -> None:
    opened = open_seeded("uth-ma", record=tmp_path / "r.db", style="random")
    list(rounds(opened.game, 2, Random(1)))
    live = live_of(opened.game)
    chain_, events = Head.first(live.stream).chain, 0
    for stored in live.house.store.entries(live.stream):
        chain_ = link(chain_, stored.public)
        assert stored.chain == chain_
        events += len(read_entry(stored).events)
    assert live.head == Head(events, chain_)


def to_decide(g: Game) -> None:
    """Play until the player must decide."""
    while g.prompt is None or g.prompt.kind != "decide":
        if g.prompt is not None:
            g.bet({"ante": 1000})
            g.deal()
        g.step()


def test_a_prompt_answered_twice_counts_once() -> None:
    g = game("uth-ma", bots=0)
    to_decide(g)
    g.mark_prompted()
    assert g.ask(c.Check(seat=1))
    while g.prompt is None:
        g.step()
    # The flop is out and a second check would be legal, but the player has not seen the flop yet.
    events = live_of(g).head.events
    assert g.ask(c.Check(seat=1)) == []
    assert g.ask(c.Play(seat=1, times=2)) == Refusal(
        "answered", None, "you", "you have answered this already; see the new prompt"
    )
    assert live_of(g).head.events == events
    g.mark_prompted()
    assert g.ask(c.Check(seat=1))


def test_a_rejected_answer_leaves_the_prompt_open() -> None:
    g = game("uth-ma", bots=0)
    to_decide(g)
    g.mark_prompted()
    assert isinstance(g.ask(c.Fold(seat=1)), Refusal)
    assert g.ask(c.Check(seat=1))


def test_a_repeated_request_for_fresh_chips_counts_once() -> None:
    g = game("uth-ma")
    while g.prompt is None:
        g.step()
    g.mark_prompted()
    assert g.fresh_chips()
    assert g.fresh_chips() == []


def test_a_long_game_resumes_from_its_last_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reopened game reads the last two of six rounds, and all six when the history is requested."""
    monkeypatch.setattr("houseway.live.recent_events.LATELY", 32)
    choices = GameOptions(rulebook="uth-ma", seed="7")
    store, signer = keep(tmp_path / "r.db")
    original = open_game(choices, store, signer).game
    list(rounds(original, 6, Random(1)))
    to_decide(original)
    read: list[int] = []
    followed: list[int] = []
    honest, follow = Game._note, Follower.follow

    def recording_note(self: Game, event: e.Event) -> None:
        read.append(event.number if isinstance(event, e.RoundOpened) else 0)
        honest(self, event)

    def counting_follow(self: Follower, event: e.Event, after: State) -> TableView:
        followed.append(after.round.number)
        return follow(self, event, after)

    monkeypatch.setattr(Game, "_note", recording_note)
    monkeypatch.setattr(Follower, "follow", counting_follow)
    again = open_game(choices, store, signer).game
    assert set(read) == {0, 6, 7}
    assert followed == []
    assert again.round == original.round
    assert again.last_bet == original.last_bet
    assert again.history == original.history
    assert [seen_round.view.round for seen_round in again.history] == [1, 2, 3, 4, 5, 6]
    assert all((1, 1) in seen_round.hands for seen_round in again.history)
    assert len(followed) == live_of(original).head.events
    store.close()


def unseeded_game(monkeypatch: pytest.MonkeyPatch, secret: str, book: str = "uth-ma") -> Game:
    """Return a game without a seed. Its random bytes depend only on `secret`."""
    monkeypatch.setattr("houseway.play.open_game.SystemEntropy", lambda: Secret(secret))
    return game(book, seed="")


def test_the_players_salt_is_in_the_cut_of_every_fresh_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    g = unseeded_game(monkeypatch, "a")
    announcements = list(chain.from_iterable(rounds(g, 2, Random(1))))
    events = [
        event
        for stored in live_of(g).house.store.entries(live_of(g).stream)
        for event in read_entry(stored).events
    ]
    added = [event.salt for event in events if isinstance(event, e.SaltOpened)]
    committed = [event.commitment for event in events if isinstance(event, e.SaltCommitted)]
    cuts = [event.salts for event in events if isinstance(event, e.PlayersCutMade)]
    assert cuts == [{1: salt} for salt in added]
    assert len(set(added)) == 2
    assert [seen_round.salt for seen_round in g.history] == added
    for seen_round, commitment in zip(g.history, committed, strict=True):
        texts = [one.text for one in announcements]
        sealed = texts.index(
            f"Round {seen_round.view.round}. The cards are sealed: {seen_round.view.seal}."
        )
        commits = texts.index(f"Your commitment to a salt for the players' cut: {commitment}.")
        wager = next(n for n, text in enumerate(texts) if n > sealed and " bet" in text)
        salt = texts.index(f"Your salt for the players' cut: {seen_round.salt}.")
        cards = next(n for n, text in enumerate(texts) if n > sealed and text.startswith("Your cards"))
        assert sealed < commits < wager < salt < cards
    assert verify(live_of(g).house.store, live_of(g).stream).faults == ()


def test_salts_are_added_once_to_a_shoe_that_lasts_several_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    g = unseeded_game(monkeypatch, "a", "shootout-sd")
    list(rounds(g, 3, Random(1)))
    assert [bool(seen_round.salt) for seen_round in g.history] == [True, False, False]


def test_salts_come_from_the_games_own_randomness(monkeypatch: pytest.MonkeyPatch) -> None:
    def played(secret: str) -> list[tuple[str, tuple[str, ...]]]:
        g = unseeded_game(monkeypatch, secret)
        list(rounds(g, 2, Random(1)))
        return [(seen_round.salt, seen_round.view.board) for seen_round in g.history]

    assert played("a") == played("a")
    assert played("a") != played("b")


def test_a_players_salt_changes_the_cards() -> None:
    def dealt(salt: str) -> tuple[str, ...]:
        g = game("uth-ma")
        while g.prompt is None:
            g.step()
        if salt:
            assert isinstance(add_salt(g, salt), list)
        list(rounds(g, 1, Random(1)))
        return g.history[0].view.board

    # In a game with a seed, there is no players' cut unless the player adds a salt.
    assert len({dealt(""), dealt("00" * 16), dealt("ff" * 16)}) == 3
    assert dealt("ff" * 16) == dealt("ff" * 16)


def test_a_restarted_game_commits_again_and_discards_a_deck_whose_salt_it_lost(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("houseway.play.open_game.SystemEntropy", lambda: Secret("a"))
    choices = GameOptions(rulebook="uth-ma")
    store, signer = keep(tmp_path / "r.db")

    def start() -> Game:
        return open_game(choices, store, signer).game

    def until_prompt(g: Game) -> Game:
        while g.prompt is None:
            g.step()
        g.mark_prompted()
        return g

    until_prompt(start())
    # The first program ends with a commitment; the second does not know its salt.
    again = until_prompt(start())
    assert again.round.salt
    again.bet({"ante": 1000})
    again.deal()
    while not again.view.yours.openings:
        again.step()
    # The second program ends before it opens the salt.
    third = until_prompt(start())
    assert third.prompt_kind == "bet"
    state = live_of(third).state
    assert (state.round.number, state.seats[third.you].hands[0].wagers) == (2, {})
    events = [
        event for stored in store.entries(live_of(third).stream) for event in read_entry(stored).events
    ]
    assert [event.seats for event in events if isinstance(event, e.DeckDiscarded)] == [(third.you,)]
    assert verify(store, live_of(third).stream).faults == ()
    third.bet({"ante": 1000})
    third.deal()
    assert until_prompt(third).prompt_kind == "decide"
    store.close()


def test_a_new_game_starts_after_leaving_for_good(tmp_path: Path) -> None:
    choices = GameOptions(rulebook="uth-ma", seed="7")
    store, signer = keep(tmp_path / "r.db")
    g = open_game(choices, store, signer).game
    list(rounds(g, 1, Random(1)))
    while g.prompt is None:
        g.step()
    assert isinstance(g.leave(), list)
    again = open_game(choices, store, signer)
    assert not again.resumed
    assert live_of(again.game).stream != live_of(g).stream
    store.close()


def test_a_player_cannot_leave_during_a_round() -> None:
    g = game("uth-ma")
    play = rounds(g, 1, Random(1))
    while g.prompt is None or g.prompt.kind != "decide":
        next(play)
    refused = g.leave()
    assert isinstance(refused, Refusal)
    assert refused.clause == "MA-6.e-b"


def test_a_player_can_take_fresh_chips_between_rounds() -> None:
    g = game("uth-ma", chips=20_00)
    while g.prompt is None:
        g.step()
    g.bet({"ante": 500})
    g.bet({})
    assert isinstance(g.fresh_chips(), list)
    assert live_of(g).state.seats[1].chips == 20_00


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"bots": 6}, "--bots must be 0 to 5 (got 6); the table has 6 seats"),
        ({"seat": 9}, "--seat must be 1 to 6 (got 9)"),
        ({"chips": 0}, "--chips must be more than 0"),
        ({"dealer": "person", "bots": 0}, "--dealer person needs players to deal to"),
        ({"tables": {"trips": "Z"}}, "uth-ma has no trips table 'Z'"),
        ({"mode": "magic"}, "uth-ma has no deal mode 'magic'"),
        ({"limits": {"ante": {"min": "50", "max": "5"}}}, "the minimum $50 is above the maximum $5"),
    ],
)
def test_invalid_options_are_rejected_with_the_reason(options: dict[str, object], says: str) -> None:
    with pytest.raises(PlayError, match=re.escape(says)):
        open_seeded("uth-ma", **options)  # type: ignore[arg-type]


def test_the_game_names_the_example_settings_that_apply() -> None:
    notes = open_seeded("uth-ma").notes
    assert notes[0].startswith("Example settings from the rulebook: trips table B; ")
    assert open_seeded("uth-ma", tables={"trips": "A"}).notes[0] == (
        "Example settings from the rulebook: progressive table PTMGL01; 25 % of each progressive bet goes to the "
        "meter."
    )
    assert notes[-1] == "Limits: ante $5 to $100, trips $5 to $100, cover all $5 to $100."


def test_the_record_is_stored_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_record() == tmp_path / "houseway" / "play.db"
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_record() == tmp_path / ".local" / "share" / "houseway" / "play.db"
