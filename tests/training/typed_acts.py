"""Acts as a trainee types them. Written from the help text, not from the reader of commands."""

from __future__ import annotations

from houseway.cards import codes
from houseway.engine.table import Table
from houseway.training import acts as a
from houseway.training.chair import Chair
from houseway.training.ruling_form import reported_irregularity, right_ruling, wagers_on_layout

ANY_ANSWER = {"hands": "play on", "board": "leave it", "card": "use it", "call": "the floor"}
"""An answer to each question that the document may leave open."""


def typed(act: a.ChairAct) -> str:
    """Return the command of an act."""
    match act:
        case a.DealCards():
            return f"deal {_place(act.place)} x{act.count}"
        case a.Burn():
            return "burn" if act.count == 1 else f"burn {act.count}"
        case a.TurnUp(place="board"):
            words = {1: "turn river", 2: "turn turn river", 3: "turn flop"}
            return words.get(act.count, f"turn board {act.count}")
        case a.TurnUp():
            return f"turn {_place(act.place)}{_hand(act.hand)}"
        case a.Ask():
            return f"ask {act.seat}"
        case a.TakeFold():
            return f"take fold {act.seat}"
        case a.ReadHand():
            said = {True: " qualifies", False: " does not qualify", None: f" {act.result}"}[act.qualifies]
            return f"read {_place(act.place)}{_hand(act.hand)} {act.reads}{said}"
        case a.WagerAct():
            verb = type(act).__name__.lower()
            chips = (
                # No chips make cents: the trainee types them as an amount.
                [
                    f"{count}x{value / 100:g}" if value > 1 else f"${count / 100:.2f}"
                    for value, count in act.chips.items()
                ]
                if isinstance(act, a.Pay)
                else []
            )
            of = f" of {act.of[0]} hand {act.of[1]}" if act.of[0] else ""
            tip = " tip" if act.tip else ""
            wager = act.wager.replace("_", " ")
            return f"{verb} {act.seat}{_hand(act.hand)}{tip} {wager}{of} {' '.join(chips)}"
        case a.SetHand():
            return f"set {codes(act.cards)}"
        case a.ResetDealer():
            return "reset dealer"
        case a.Key():
            return f"key {act.seat} {act.hand}"
        case a.CountStub():
            return f"count {act.count}"
        case a.Rack():
            return f"rack {act.what}"
        case a.CallFloor():
            return "floor"
        case a.ReportIrregularity():
            which = f" card {act.which}" if act.which else ""
            count = f" count {act.count}" if act.count is not None else ""
            device = f" device {act.device}" if act.device else ""
            return f"report {act.kind} {act.at}{which}{count}{device}"
        case a.Refuse():
            return f"refuse {act.seat} {act.what}"
        case a.Warn():
            return f"warn {act.seat}"
        case a.LetStand():
            return f"stands {act.seat}{_hand(act.hand)} {act.wager.replace('_', ' ')}"
        case a.CorrectPayment():
            return f"correct {act.seat}{_hand(act.hand)} {act.wager.replace('_', ' ')}"
        case a.ColourUp():
            sides = (act.taken, act.given)
            taken, given = (" ".join(f"{n}x{v / 100:g}" for v, n in side.items()) for side in sides)
            return f"colour {act.seat} {taken} for {given}"
        case a.TakeStep():
            return act.what if act.count is None else f"{act.what} {act.count}"
    raise AssertionError(f"{act} has no command")


def ruling_lines(table: Table, chair: Chair, act: a.ReportIrregularity, time: int) -> list[str]:
    """Return the answers that a trainee types after a report, right if the document gives an answer."""
    named = reported_irregularity(chair, act.kind, act.at, time)
    right = right_ruling(table, chair.state, named) if named is not None else None
    known = {name: one.answer for name, one in right.answers.items()} if right is not None else {}
    questions = ["hands", *wagers_on_layout(chair.state), "board", "card", "call"]
    return [known.get(name) or ANY_ANSWER.get(name, "stays") for name in questions]


def _place(place: str) -> str:
    return place.removeprefix("seat ")


def _hand(hand: int) -> str:
    return f" hand {hand}" if hand > 1 else ""
