"""The narrator knows every event, and its sentences read right in every voice."""

from __future__ import annotations

import types
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from houseway.cards import Card, cards
from houseway.engine import events as e
from houseway.engine.codec import kinds
from houseway.narrate.narrator import Scene, narrate
from houseway.narrate.patterns import SILENT
from houseway.narrate.record import RoundTeller
from houseway.narrate.render import RECORD, Voice, aloud, record, render, short, terminal
from houseway.narrate.sentence_groups import deal, group
from houseway.ranking import CLASSES

NAMES = {1: "Ada", 2: "ben", 3: "Cleo", 4: "Dan"}
SCENE = Scene(CLASSES)
ADA = {"record": RECORD, "terminal": terminal(1, NAMES), "short": short(1, NAMES), "aloud": aloud(1, NAMES)}
"""Each voice with Ada, at seat 1, as the listener."""


def example_value(kind: Any) -> Any:
    """Return a value of a type."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is types.UnionType:
        return example_value(args[0])
    if origin is tuple:
        return tuple(cards("Ah Kd")) if args[0] is Card else (example_value(args[0]),)
    if origin is dict:
        return {example_value(args[0]): example_value(args[1])} if args[1] is not Any else {}
    return {int: 1, str: "seat 1", bool: True}[kind]


def example(kind: type[e.Event]) -> e.Event:
    """Return an event of a type; a settled wager wins."""
    fields = {
        name: example_value(hint) for name, hint in get_type_hints(kind).items() if name != "__slots__"
    }
    fields = {name: value for name, value in fields.items() if name in kind.__struct_fields__}
    return kind(**fields | ({"result": "win"} if kind is e.WagerSettled else {}))


EVERY = kinds(e.Event)


def narration(event: e.Event, voice: Voice, scene: Scene = SCENE) -> str:
    return " ".join(f"{render(sentence, voice)}." for sentence in narrate(event, scene))


def test_every_type_of_event_has_a_sentence_or_is_silent() -> None:
    kinds = [kind for kind in EVERY if kind.__module__.startswith("houseway.")]
    assert len(kinds) > 70
    for kind in kinds:
        sentences = narrate(example(kind), SCENE._replace(board=cards("2c")))
        assert bool(sentences) != (kind in SILENT), kind
        for sentence in sentences:
            for voice in (*ADA.values(), terminal(0, {})):
                text = render(sentence, voice)
                assert text == text.strip(), text
                assert text[:1].isupper() or text[:1] in "0123456789$" or text.startswith("seat 1"), text
                assert "  " not in text, text


def test_an_event_type_without_a_sentence_is_an_error() -> None:
    class Invented(e.Event, frozen=True, tag="Invented"):
        """An event type without a sentence."""

    with pytest.raises(TypeError, match="no sentence for Invented"):
        narrate(Invented(), SCENE)


@pytest.mark.parametrize(
    ("event", "voice", "text"),
    [
        (e.Checked(seat=1, stage="before the flop"), "record", "Before the flop, seat 1 checked."),
        (e.Checked(seat=1, stage="before the flop"), "terminal", "You check."),
        (e.Checked(seat=2, stage="before the flop"), "terminal", "ben checks."),
        (e.Checked(seat=7, stage="before the flop"), "aloud", "Seat 7 checks."),
        (e.Folded(seat=3, stage="river", by="deadline"), "short", "Cleo folds (time ran out)."),
        (e.Folded(seat=3, stage="river", by="supervisor"), "short", "Cleo folds (the supervisor acted for the player)."),
        (
            e.Folded(seat=3, stage="river", by="deadline", held=True),
            "record",
            "River, seat 3 folded (time ran out); the cards stay for the trips bet.",
        ),
        (e.PlayMade(seat=1, stage="s", times=4, amount=4000), "record", "S, seat 1 played 4x the ante, $40."),
        (e.PlayMade(seat=1, stage="s", times=4, amount=4000), "terminal", "You play 4x, $40."),
        (e.PlayMade(seat=2, stage="s", times=4, amount=4000), "short", "ben plays 4×, $40."),
        (e.PlayMade(seat=3, stage="s", times=1, amount=550), "aloud", "Cleo plays 1 times the ante, 5 dollars and 50 cents."),
        (e.WagersPlaced(seat=1, wagers={"ante": 1000, "cover_all": 50}), "terminal", "You bet ante $10 and cover all $0.50."),
        (
            e.WagersPlaced(seat=3, wagers={"ante": 100}, tips={"ante": 200, "trips": 50}),
            "record",
            "Seat 3 bet ante $1, with tips for the dealer: $2 on the ante and $0.50 on trips.",
        ),
        (e.WagersReturned(seat=2, hand=1, wagers={"ante": 1000}), "record", "Seat 2 got back ante $10."),
        (
            e.WagersReturned(seat=2, hand=1, wagers={"ante": 1000}, tips={"ante": 200}),
            "record",
            "Seat 2 got back ante $10, and the tips of $2 on the ante.",
        ),
        (e.PlayerSeated(seat=1, player="Ada", chips=100), "terminal", "You sit down at seat 1 with $1."),
        (e.PlayerSeated(seat=2, player="ben", chips=100), "record", "ben sat down at seat 2 with $1."),
        (
            e.PlayerSeated(seat=1, player="Ada", chips=100, keeps=300),
            "terminal",
            "You sit down at seat 1 with $1, at the old minimum of $3.",
        ),
        (e.PlayerLeft(seat=1, chips=1050), "terminal", "You leave with $10.50."),
        (e.HandTurned(seat=1, hand=2, face=cards("Ah Kd"), reads="ace high"), "short", "Your second hand shows A♥︎ K♦︎: ace high."),
        (e.HandVoided(seat=1), "terminal", "Your hand is void."),
        (e.HandVoided(seat=3), "record", "Seat 3's hand is void."),
        (
            e.DealerRevealed(face=cards("Ts 9c"), reads="king high", qualifies=False),
            "aloud",
            "The dealer shows ten of spades, nine of clubs: king high, which does not qualify.",
        ),
        (e.BoardTurned(face=cards("Ts 9c 2d")), "short", "Flop: 10♠︎ 9♣︎ 2♦︎."),
        (e.RoundOpened(number=3, deck="A", seal="ab"), "terminal", "Round 3. The cards are sealed: ab."),
        (e.RoundOpened(number=3, deck="A", seal="ab"), "record", "Round 3 opened with deck A; the seal is ab."),
    ],
)  # fmt: skip
def test_an_event_has_the_right_sentence_in_each_voice(event: e.Event, voice: str, text: str) -> None:
    scene = SCENE._replace(board=cards("Ts 9c 2d")) if isinstance(event, e.BoardTurned) else SCENE
    assert narration(event, ADA[voice], scene) == text


def settled(wager: str, result: str, seat: int = 1, **more: Any) -> e.WagerSettled:
    back = {"win": 2000, "push": 1000, "lose": 0}[result]
    fields: dict[str, Any] = {"hand": 1, "stake": 1000, "back": back}
    fields |= {"won": 1000, "odds": "1 to 1"} if result == "win" else {}
    return e.WagerSettled(seat=seat, wager=wager, result=result, **fields | more)


@pytest.mark.parametrize(
    ("event", "past", "present"),
    [
        (settled("ante", "win"), "Seat 1's ante of $10 won 1 to 1: $10.", "Your ante of $10 wins 1 to 1: $10.00."),
        (settled("blind", "push", 2), "Seat 2's blind of $10 pushed.", "ben's blind of $10 pushes."),
        (settled("bonus", "lose", hand=2), "Seat 1's second bonus of $10 lost.", "Your second bonus of $10 loses."),
        (
            settled("trips", "win", for_dealer=True),
            "The $10 tip on seat 1's trips bet won 1 to 1: $10 for the dealer.",
            "The $10 tip on your trips bet wins 1 to 1: $10.00 for the dealer.",
        ),
        (
            settled("ante", "push", for_dealer=True),
            "The $10 tip on seat 1's ante pushed: the dealer kept it.",
            "The $10 tip on your ante pushes: the dealer keeps it.",
        ),
        (
            settled("ante", "win", coupon=1000, stake=0),
            "Seat 1's $10 coupon won 1 to 1: $10.",
            "Your $10 coupon wins 1 to 1: $10.00.",
        ),
        (
            settled("envy", "win", stake=0, odds=None, back=1000, from_seat=4),
            "Seat 1's envy bonus, for the hand of seat 4, won $10.",
            "Your envy bonus, for the hand of seat 4, wins $10.00.",
        ),
        (
            settled("trips", "win", cut=250),
            "Seat 1's trips bet of $10 won 1 to 1: $10; a payout limit took off $2.50.",
            "Your trips bet of $10 wins 1 to 1: $10.00; a payout limit took off $2.50.",
        ),
        (
            settled("trips", "win", cut=250, cut_clause="MA-10.e"),
            "Seat 1's trips bet of $10 won 1 to 1: $10; a payout limit took off $2.50 [MA-10.e].",
            "Your trips bet of $10 wins 1 to 1: $10.00; a payout limit took off $2.50 [MA-10.e].",
        ),
        (
            settled("progressive", "win", back=1000, odds="100 %", meter="main", awarded=1000),
            "Seat 1's progressive bet of $10 won 100 %: $10, from the main meter; the wager is not returned.",
            "Your progressive bet of $10 wins 100 %: $10.00, from the main meter; the wager is not returned.",
        ),
    ],
)  # fmt: skip
def test_a_settled_wager_has_a_sentence_in_the_past_and_present_tense(
    event: e.WagerSettled, past: str, present: str
) -> None:
    assert (narration(event, RECORD), narration(event, ADA["terminal"])) == (past, present)


def joined(sentences: list[Any], voice: Voice) -> list[str]:
    return [render(sentence, voice, staged=False) for sentence in sentences]


def acts(*seats: int, kind: type[Any] = e.Checked, **more: Any) -> list[Any]:
    events = [kind(seat=seat, stage=more.pop("stage", "s"), **more) for seat in seats]
    return [sentence for event in events for sentence in narrate(event, SCENE)]


def test_the_same_act_of_several_seats_is_one_sentence() -> None:
    checks = [*acts(2, 1), *acts(3, kind=e.Folded), *acts(4)]
    assert joined(group(checks), RECORD) == ["Seats 1, 2 and 4 checked", "Seat 3 folded"]
    assert joined(group(checks), ADA["short"]) == ["You, ben and Dan check", "Cleo folds"]
    assert joined(group(checks), short(5, NAMES)) == ["Seats 1, 2 and 4 check", "Cleo folds"]
    assert joined(group(acts(3, 2)), ADA["aloud"]) == ["ben and Cleo check"]
    assert len(group([*acts(1), *acts(2, by="deadline")])) == 2, "time ran out for one of them"
    assert len(group([*acts(1, stage="flop"), *acts(1, stage="river")])) == 2


def test_lost_and_pushed_wagers_of_a_hand_are_joined() -> None:
    results = [("ante", "lose"), ("blind", "lose"), ("play", "win"), ("trips", "push"), ("bonus", "push")]
    sentences = [
        sentence for wager, result in results for sentence in narrate(settled(wager, result), SCENE)
    ]
    other = list(narrate(settled("ante", "lose", 2), SCENE))
    assert joined(group([*sentences, *other]), ADA["terminal"]) == [
        "You lose the ante and blind, $20",
        "Your play wager of $10 wins 1 to 1: $10.00",
        "Your trips and bonus push",
        "ben's ante of $10 loses",
    ]


def test_a_deal_is_one_sentence() -> None:
    dealt = {"board": (5, ()), "seat 1": (2, ()), "seat 2": (2, cards("Ah Kd")), "dealer": (2, ())}
    assert render(deal(dealt), RECORD) == (
        "Dealt: five cards to the board; two cards each to seat 1 and the dealer; two cards to seat 2 (Ah Kd)"
    )


def test_the_end_of_a_round_is_told_to_the_listener_and_in_the_record() -> None:
    closed = e.RoundClosed(number=2, net={1: 500, 2: -500, 3: 0}, changes={"house": 0}, section="round")
    scene = SCENE._replace(listener=1, chips=100_500)
    assert narration(closed, record(NAMES)) == (
        "Seat 1, Ada, won $5. Seat 2, ben, lost $5. Seat 3, Cleo, broke even. "
        "Totals: players +$0; the books balance."
    )
    void = e.RoundClosed(number=2, net={1: 0}, changes={"house": 0}, section="round")
    assert narration(void, record(NAMES)) == (
        "Seat 1, Ada, broke even. No money changed hands; the books balance."
    )
    sentences = [s for s in narrate(closed, scene) if s.topic != "record"]
    assert joined(sentences, ADA["terminal"]) == [
        "Round 2 is over: you win $5.00. You have $1,005.00",
        "ben loses $5.00",
        "Cleo breaks even",
    ]
    own, *_ = narrate(closed, scene._replace(tips=1100))
    tipped = "Round 2 is over: you win $5.00, after paying $11.00 in tips. You have $1,005.00"
    assert render(own, ADA["terminal"]) == tipped
    assert narration(void, record({1: "You"})).startswith("Seat 1 broke even.")


def test_hands_set_before_the_board_are_named_when_they_are_settled() -> None:
    teller = RoundTeller(CLASSES)
    events = [
        e.HandSet(seat=2, face=cards("Ah Ad"), sealed=cards("2c 3c")),
        e.DealerHandSet(kept=cards("Kh Kd"), by="dealer"),
        e.BoardTurned(face=cards("As 9d 7c 4h 2s")),
        settled("wager", "win", 2),
        settled("bonus", "win", 2),
    ]
    texts = [[render(sentence, RECORD) for sentence in teller.tell(event)] for event in events]
    assert texts[0] == ["Seat 2 kept Ah Ad"], "the discards are hidden"
    assert texts[3] == [
        "The dealer had a pair of kings (Kh Kd As 9d 7c)",
        "Seat 2 had three of a kind, aces (As Ah Ad 9d 7c)",
        "Seat 2's wager of $10 won 1 to 1: $10",
    ]
    assert texts[4] == ["Seat 2's bonus of $10 won 1 to 1: $10"]


def test_a_round_voided_by_a_ruling_states_the_ruling() -> None:
    voided = e.RoundVoided(why="ruling", trips=False)
    assert narration(voided, RECORD) == "All hands are void because of a ruling."
