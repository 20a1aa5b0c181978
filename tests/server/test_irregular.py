"""Irregularities and rulings at a live table: the table supplies the cards, and roles decide who may report."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.audit.dispute import Dispute, dispute
from houseway.audit.entries import read_entry
from houseway.audit.verify import verify
from houseway.cards import DECK, Card, codes
from houseway.client import House, HouseError
from houseway.client.messages import Answered, OpenTable, Rejected
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.state import State
from houseway.live.recent_events import recorded_events
from server.hosted_rounds import Room
from server.houses import running
from server.mispaid import OVERPAID, play_a_mispaid_round

DEALER, FLOOR, GUEST = 8, 9, 7
DECK_ORDER = [str(card) for card in DECK]
"""The deck from the top: twos first, in the order c, d, h, s."""
MODES = ["manual", "device"]


def cards_of(state: State, place: str) -> tuple[Card, ...]:
    """The cards of a seat, the dealer or the board."""
    if place.startswith("seat "):
        return state.seats[int(place.removeprefix("seat "))].hands[0].cards
    return state.round.dealer if place == "dealer" else state.round.board


class IrregularRoom(Room):
    """A table with a person as dealer, a floor supervisor, a guest, and players in seats 1 and 2."""

    def __init__(
        self, book: str, mode: str = "manual", dealer: Any = "person", deck: str = "", **house: Any
    ) -> None:
        request = OpenTable(rulebook=book, mode=mode, dealer=dealer, house=house)
        super().__init__(book, [deck.split() or DECK_ORDER] * 3, seats=(1, 2), order=request)
        for number, handle, *roles in ((DEALER, "Dana", "dealer"), (FLOOR, "Flo", "floor"), (GUEST, "Gus")):
            introduced = self.people.introduce(handle)
            assert isinstance(introduced, tuple), introduced
            self.persons[number] = introduced[0]
            for role in roles:
                self.persons[number] = self.people.give(handle, "room", role)
        watched = ("seat 1", "seat 2", "dealer", "floor", "rail")
        self.viewers = {role: self.watch(role) for role in watched}

    def until(self, step: str) -> None:
        """Let staff and players act until a step is due; players bet the minimum, then check."""
        for _ in range(200):
            view = self.hosted.view("dealer")
            if view.yours.notes is not None and view.yours.notes.next == step:
                return
            waits = self.hosted.waits()
            if waits.why == "bets":
                for seat in waits.seats:
                    self.bet(seat, side=False)
                self.ready()
            elif waits.why == "decision":
                if step == f"seat {waits.seats[0]}":
                    return
                seat = waits.seats[0]
                choice = self.hosted.view(f"seat {seat}").yours.choices[0].command
                assert isinstance(self.do(seat, choice), Answered)
            elif waits.why == "next":
                self.ready()
            else:
                floors = self.hosted.view("floor").yours.choices
                own = [one for one in floors if one.command["type"] in ("Perform", "Approve")]
                who, offered = (FLOOR, own) if own else (DEALER, self.hosted.view("dealer").yours.choices)
                answer = self.do(who, offered[0].command)
                assert isinstance(answer, Answered), answer
        raise AssertionError(f"{step} is never due; the table waits for {self.hosted.waits()}")

    def events(self, kind: type[e.Event]) -> list[Any]:
        """Every recorded event of a kind."""
        return [event for _, event in recorded_events(self.hosted.live) if isinstance(event, kind)]

    def accept(self, who: int, command: c.Command) -> None:
        """Send a command that must be accepted."""
        answer = self.do(who, command)
        assert isinstance(answer, Answered), answer

    def code(self, who: int, command: c.Command) -> str:
        """Send a command that must be rejected, and return the code."""
        answer = self.do(who, command)
        assert isinstance(answer, Rejected), answer
        return answer.refused[0].code

    def verified(self) -> None:
        """Check the record."""
        assert verify(self.store, "room").faults == ()


def test_an_exposed_card_of_the_dealer_voids_the_round_by_ma_14_a() -> None:
    room = IrregularRoom("uth-ma")
    room.until("seat 1")
    held = room.hosted.live.state.round.dealer
    room.accept(DEALER, c.Report(kind="exposed card", at="dealer", which=1))
    assert [event.face for event in room.events(e.CardExposed)] == [held[:1]]
    assert room.events(e.RoundVoided)[0].clause == "MA-14.a-a"
    assert {event.wagers["ante"] for event in room.events(e.WagersReturned)} == {500}
    room.until("announce no more bets")
    room.verified()


@pytest.mark.parametrize("who", [DEALER, FLOOR])
def test_an_exposed_card_in_south_dakota_is_turned_back(who: int) -> None:
    room = IrregularRoom("uth-sd")
    room.until("seat 1")
    last = room.hosted.live.state.seats[2].hands[0].cards[-1]
    room.accept(who, c.Report(kind="exposed card", at="seat 2"))
    exposed = room.events(e.CardExposed)[0]
    assert (exposed.face, exposed.turned_back, exposed.clause) == ((last,), True, "SD-5-c")
    assert not room.events(e.RoundVoided)
    room.until("close the round")
    assert room.events(e.WagerSettled)
    room.verified()


def test_the_shoe_supplies_the_card_of_a_face_up_report() -> None:
    room = IrregularRoom("uth-ma")
    room.until("deal the first card to each player")
    room.accept(DEALER, c.Report(kind="face-up card", at="deck"))
    assert [codes(event.face) for event in room.events(e.FaceUpFound)] == ["2c"]
    room.accept(DEALER, c.Report(kind="exposed card", at="deck"))
    assert room.events(e.FaceUpFound)[1].clause == "MA-14.b-b"
    assert codes(room.events(e.FaceUpFound)[1].face) == "2d"
    assert room.events(e.RoundVoided)
    room.until("announce no more bets")
    room.verified()


@pytest.mark.clause("MA-14.b-a")
@pytest.mark.parametrize(
    ("mode", "step", "place", "which"),
    [
        ("manual", "deal the flop", "board", 2),
        ("manual", "deal the turn and river", "board", 5),
        ("device", "dispense the community cards", "board", 4),
        ("device", "dispense two cards to each player", "seat 1", 2),
        ("device", "dispense the dealer's hand", "dealer", 1),
    ],
)
def test_a_face_up_card_just_dealt_is_replaced_from_the_shoe(
    mode: str, step: str, place: str, which: int
) -> None:
    room = IrregularRoom("uth-ma", mode)
    room.until(step)
    room.accept(DEALER, c.Perform(step=step))
    state = room.hosted.live.state
    held = cards_of(state, place)
    rail = room.watch("rail")
    room.accept(DEALER, c.Report(kind="face-up card", at=place, which=which))
    [found], [replaced] = room.events(e.FaceUpFound), room.events(e.CardReplaced)
    assert (found.face, found.clause) == ((held[which - 1],), "MA-14.b-a")
    # The next card of the shoe completes the group.
    assert replaced.sealed + replaced.face == (DECK[state.playing.used],)
    now = room.hosted.live.state
    assert cards_of(now, place) == (*held[: which - 1], *held[which:], DECK[state.playing.used])
    hidden = str(DECK[state.playing.used]).encode()
    assert any(hidden in frame for frame in rail.frames) == (mode == "manual")
    room.until("close the round")
    room.accept(DEALER, c.Perform(step="close the round"))
    room.verified()
    sheet = dispute(room.store, "room", 1)
    assert [hand.cards for hand in sheet.hands if hand.place == "face up"] == [(str(held[which - 1]),)]
    assert not any(hand.differs for hand in sheet.hands)


@pytest.mark.clause("MA-14.b-a")
def test_a_face_up_report_about_cards_not_just_dealt_takes_no_card() -> None:
    room = IrregularRoom("uth-ma")
    room.until("deal the flop")
    used = room.hosted.live.state.playing.used
    for place, code in (
        ("seat 1", "not-dealt-last"),
        ("board", "unknown-place"),
        ("seat 5", "unknown-place"),
    ):
        assert room.code(DEALER, c.Report(kind="face-up card", at=place, which=1)) == code
    assert room.hosted.live.state.playing.used == used
    room.accept(DEALER, c.Perform(step="deal the flop"))
    room.accept(FLOOR, c.Report(kind="face-up card", at="board", which=3))
    room.accept(FLOOR, c.Report(kind="face-up card", at="board"))
    assert room.events(e.RoundVoided)[0].clause == "MA-14.b-c"
    room.until("announce no more bets")
    room.verified()


@pytest.mark.clause("MA-14.b-c")
def test_two_face_up_cards_after_the_hands_settle_trips_on_the_completed_board() -> None:
    # Seat 1 has sevens, seat 2 ace high; the queen and the deuce of the flop are face up in the deck.
    deck = "7c Ac 9c 7d Jd 3d 5c 7s Kh 2h Qh Td 6s 8h 4s"
    room = IrregularRoom("uth-ma", deck=deck)
    room.until("announce no more bets")
    for seat in (1, 2):
        room.accept(seat, c.Bet(seat=seat, wagers={"ante": 500, "trips": 500}))
    room.ready()
    room.until("deal the flop")
    room.accept(DEALER, c.Perform(step="deal the flop"))
    for _ in range(2):
        room.accept(DEALER, c.Report(kind="face-up card", at="board"))
    assert [codes(event.face) for event in room.events(e.FaceUpFound)] == ["2h", "Qh"]
    (voided,) = room.events(e.RoundVoided)
    assert (voided.clause, voided.trips, voided.board) == ("MA-14.b-c", True, False)
    assert [event.wagers.keys() for event in room.events(e.WagersReturned)] == [{"ante", "blind"}] * 2
    room.until("close the round")
    assert codes(room.hosted.live.state.round.board) == "7s Kh Td 8h 4s"
    settled = {line.seat: (line.wager, line.odds) for line in room.events(e.WagerSettled)}
    assert settled == {1: ("trips", "3 to 1"), 2: ("trips", None)}
    room.accept(DEALER, c.Perform(step="close the round"))
    assert [closed.net for closed in room.events(e.RoundClosed)] == [{1: 1500, 2: -500}]
    room.verified()


@pytest.mark.clause("MA-14.b-c")
def test_two_face_up_cards_after_the_hands_complete_the_board_without_a_trips_bet() -> None:
    room = IrregularRoom("uth-ma", deck="7c Ac 9c 7d Jd 3d 5c 7s Kh 2h Qh Td 6s 8h 4s")
    room.until("deal the flop")
    room.accept(DEALER, c.Perform(step="deal the flop"))
    for _ in range(2):
        room.accept(DEALER, c.Report(kind="face-up card", at="board"))
    (voided,) = room.events(e.RoundVoided)
    assert (voided.clause, voided.trips, voided.board) == ("MA-14.b-c", False, True)
    void = [frame for frame in room.viewers["rail"].frames if b"RoundVoided" in frame]
    assert void
    assert all(b"the board is still dealt" in frame and b"trips is" not in frame for frame in void)
    room.until("close the round")
    assert codes(room.hosted.live.state.round.board) == "7s Kh Td 8h 4s"
    room.accept(DEALER, c.Perform(step="close the round"))
    assert [closed.net for closed in room.events(e.RoundClosed)] == [{}]  # nothing was won or lost
    room.verified()


@pytest.mark.clause("MA-14.c")
def test_a_card_drawn_in_error_stays_hidden_and_is_dealt_next() -> None:
    room = IrregularRoom("uth-ma")
    room.until("deal the first card to each player")
    rail = room.watch("rail")
    room.accept(FLOOR, c.Report(kind="card drawn in error", at="deck"))
    assert not any(b"2c" in frame for frame in rail.frames)
    assert [event.clause for event in room.events(e.CardDrawn)] == ["MA-14.c"]
    room.until("deal the first card to the dealer")
    assert codes(room.hosted.live.state.seats[1].hands[0].cards) == "2c"
    room.until("close the round")
    room.verified()


@pytest.mark.clause("SD-5-b", "SD-5-c")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ["uth-ma", "uth-sd"])
def test_a_premature_flop_is_used_in_its_turn(book: str, mode: str) -> None:
    room = IrregularRoom(book, mode)
    room.until("seat 2")
    room.accept(DEALER, c.Report(kind="premature flop"))
    (exposed,) = room.events(e.BoardExposed)
    face = exposed.face
    # Massachusetts says nothing about it, so its rulebook follows South Dakota.
    assert (len(face), exposed.clause) == (3, "SD-5-c")
    assert not room.events(e.RoundVoided)
    room.until("turn up the dealer's cards")
    assert room.hosted.live.state.round.board[:3] == face
    room.until("close the round")
    room.verified()


@pytest.mark.parametrize(
    ("book", "mode"), [("uth-ma", "manual"), ("uth-ma", "device"), ("uth-proc", "device")]
)
def test_a_board_with_a_card_too_many_voids_the_round(book: str, mode: str) -> None:
    room = IrregularRoom(book, mode)
    room.until("burn before the turn and river" if mode == "manual" else "seat 1")
    room.accept(DEALER, c.DealExtra(at="board"))
    room.accept(FLOOR, c.Report(kind="wrong number", at="board"))
    assert room.events(e.WrongNumberFound)[0].count == (4 if mode == "manual" else 6)
    assert room.events(e.RoundVoided)
    room.until("announce no more bets")
    room.verified()


def test_the_dealer_is_dealt_a_missing_card_in_sequence() -> None:
    room = IrregularRoom("uth-ma")
    room.until("deal the second card to the dealer")
    room.accept(DEALER, c.DealShort())
    room.accept(DEALER, c.Report(kind="wrong number", at="dealer"))
    assert room.events(e.HandCured)[0].clause == "MA-14.d-c"
    assert codes(room.hosted.live.state.round.dealer) == "2h 3d"
    room.until("close the round")
    room.verified()


def test_a_report_takes_no_card_if_nothing_is_dealt_for_it() -> None:
    room = IrregularRoom("uth-sd")
    room.until("deal the second card to the dealer")
    room.accept(DEALER, c.DealShort())
    used = room.hosted.live.state.playing.used
    room.accept(DEALER, c.Report(kind="wrong number", at="dealer", seen=True))
    assert room.hosted.live.state.playing.used == used
    assert room.events(e.RoundVoided)[0].clause == "SD-5-a"


@pytest.mark.parametrize(
    "command",
    [
        c.Report(kind="exposed card", at="dealer"),
        c.Report(kind="premature flop"),
        c.Report(kind="face-up card", at="deck"),
        c.DealExtra(at="dealer"),
    ],
)
def test_only_dealer_and_floor_report(command: c.Command) -> None:
    room = IrregularRoom("uth-ma")
    room.until("seat 1")
    for who in (1, 2, GUEST):
        assert room.code(who, command) == "not-your-role"
    assert not room.events(e.CardExposed)


def test_no_report_can_name_a_card() -> None:
    room = IrregularRoom("uth-ma")
    room.until("seat 1")
    named = [
        room.code(who, c.Report(kind="exposed card", at="dealer", cards=(card,)))
        for card in DECK
        for who in (DEALER, FLOOR)
    ]
    assert set(named) == {"cards-from-the-shoe"}


def test_a_repeated_report_counts_once() -> None:
    room = IrregularRoom("uth-ma")
    room.until("deal the first card to each player")
    report = c.Report(kind="card drawn in error", at="deck")
    answers = [room.do(DEALER, report, key="once") for _ in range(2)]
    assert [answer.repeated for answer in answers if isinstance(answer, Answered)] == [False, True]
    assert len(room.events(e.CardDrawn)) == 1
    answers = [room.do(FLOOR, ruling("continue"), key="ruling") for _ in range(2)]
    assert [answer.repeated for answer in answers if isinstance(answer, Answered)] == [False, True]
    assert len(room.events(e.RulingMade)) == 1


# --- rulings ---


def ruling(effect: str, **given: Any) -> c.MakeRuling:
    """A ruling as a client sends it; the server enters the name."""
    return c.MakeRuling(**{"reason": "a player spilled a drink on the cards", "effect": effect, **given})


@pytest.mark.parametrize("dealer", ["machine", "person"])
def test_the_floor_voids_a_round_under_their_own_name(dealer: str) -> None:
    room = IrregularRoom("uth-ma", dealer=dealer)
    room.until("seat 1")
    room.accept(FLOOR, ruling("void round", name="Somebody Else"))
    made = room.events(e.RulingMade)[0]
    assert (made.name, made.effect, made.by) == ("Flo", "void round", "supervisor")
    assert len(room.events(e.WagersReturned)) == 2
    room.until("seat 1")
    assert room.hosted.live.state.round.number == 2
    room.verified()


def test_the_floor_voids_a_hand_and_corrects_a_payment() -> None:
    room = IrregularRoom("uth-ma")
    room.until("seat 1")
    chips = room.hosted.live.state.seats[1].chips
    room.accept(FLOOR, ruling("void hand", seat=1))
    (returned,) = room.events(e.WagersReturned)
    assert (returned.seat, returned.wagers) == (1, {"ante": 500, "blind": 500})
    assert room.hosted.live.state.seats[1].chips == chips + 1000
    room.until("close the round")
    assert {line.seat for line in room.events(e.WagerSettled)} == {2}
    chips = room.hosted.live.state.seats[2].chips
    room.accept(FLOOR, ruling("correct payment", seat=2, wager="ante", amount=250))
    assert room.hosted.live.state.seats[2].chips == chips + 250
    room.until("announce no more bets")
    room.verified()


def test_only_the_floor_makes_a_ruling_and_must_give_a_reason() -> None:
    room = IrregularRoom("uth-ma")
    room.until("seat 1")
    for who in (1, GUEST, DEALER):
        assert room.code(who, ruling("void round")) == "not-your-role"
    assert room.code(FLOOR, ruling("void round", reason="")) == "reason-missing"
    assert room.code(FLOOR, ruling("cancel")) == "unknown-effect"
    assert not room.events(e.RulingMade)


def test_every_viewer_gets_the_ruling() -> None:
    room = IrregularRoom("uth-ma")
    room.until("seat 1")
    rail = room.watch("rail")
    room.accept(FLOOR, ruling("void hand", seat=1))
    said = b"Flo rules that seat 1's hand is void: a player spilled a drink on the cards"
    assert any(said in frame for frame in rail.frames)


# --- over the API ---


def test_reports_and_rulings_are_accepted_over_the_api() -> None:
    with running() as server:
        host, guest = House(server.url), House(server.url)
        host.introduce("Hana")
        guest.introduce("Gus")
        table = host.open_table(OpenTable(rulebook="uth-sd", dealer="person")).table
        dealer = House(server.url)
        dealer.introduce("Dana")
        dealer.accept(host.invite(table, "dealer").invitation)
        with guest.sit(table, 1) as player, dealer.at(table, "dealer") as chair:
            # About 40 steps, and more if a slow machine opens the salts too late and the round starts again.
            for n in range(300):
                chair.ping()
                player.ping()
                if chair.view.waits.why == "bets":
                    player.send({"type": "Bet", "seat": 1, "wagers": {"ante": 500}})
                    player.ready()
                elif chair.view.waits.why == "decision":
                    break
                else:
                    dealer.command(table, chair.view.yours.choices[0].command, f"step {n}")
            report = {"type": "Report", "kind": "premature flop"}
            rule = {"type": "MakeRuling", "effect": "void round", "reason": "the lights went out"}
            for sender, command in ((guest, report), (guest, rule), (dealer, rule)):
                with pytest.raises(HouseError) as refused:
                    sender.command(table, command, "no")
                assert refused.value.refused[0].code == "not-your-role"
            dealer.command(table, report, "flop")
            host.command(table, rule, "rule")
            player.ping()
            assert player.view.table.void
        store = server.serving.store
        assert verify(store, table).faults == ()
        events = [event for stored in store.entries(table) for event in read_entry(stored).events]
        made = [event for event in events if isinstance(event, e.RulingMade)]
        assert [(one.name, one.reason) for one in made] == [("Hana", "the lights went out")]


@pytest.mark.clause("MA-9.i")
def test_a_dispute_of_a_mispaid_round_over_the_api_names_the_wager_and_the_difference() -> None:
    with running() as server:
        table, host, dealer, player = play_a_mispaid_round(server.url, "uth-ma")
        watcher = House(server.url)
        watcher.introduce("Sue")
        watcher.accept(host.invite(table, "surveillance").invitation)
        path = f"/api/tables/{table}/rounds/1/dispute"
        for client, role in ((host, "floor"), (watcher, "surveillance")):
            sheet: Dispute = client.ask("GET", f"{path}?as={role}", gives=Dispute)
            differing = [
                (w.seat, w.wager, w.paid - (w.due or 0), w.difference) for w in sheet.wagers if w.difference
            ]
            assert differing == [(1, "ante", OVERPAID, -OVERPAID)]
            assert [(seat.seat, seat.difference) for seat in sheet.seats] == [(1, -OVERPAID)]
            assert [w.clause for w in sheet.wagers if w.wager == "ante"] != [None]
            assert {hand.place for hand in sheet.hands} >= {"seat 1", "dealer", "board"}
        # The dealer is not the floor, and a player may not see every card.
        for client in (dealer, player, watcher):
            with pytest.raises(HouseError) as refused:
                client.ask("GET", path)
            assert refused.value.refused[0].code in ("not-your-role", "plays")
        with pytest.raises(HouseError) as refused:
            dealer.ask("GET", f"{path}?as=dealer")
        assert refused.value.refused[0].code == "not-your-role"
