"""Mistakes in reading hands, in calling the floor and in reporting irregularities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from houseway.engine import commands as c
from houseway.rules.procedure import EXPOSED_CARD, FACE_UP_CARD
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.mistakes.mistake import (
    AMOUNT,
    CARDS,
    FLOOR,
    IRREGULARITY,
    ORDER,
    READING,
    UNSETTLED,
    DealerMistake,
    DealtTable,
)
from houseway.training.mistakes.mistake_moments import (
    at_some_seat,
    both,
    first,
    line_of,
    on,
    paid,
    some_seat,
    stage,
    wager,
)


def _exposed(at: DealtTable) -> ch.Happening:
    return ch.Happening(kind=EXPOSED_CARD, at=f"seat {some_seat(at)}", which=1)


def _short(at: DealtTable) -> ch.Happening:
    return ch.Happening(kind="wrong number", at=f"seat {some_seat(at)}", command=c.DealShort())


def _hand_exposed(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
    return [a.TurnUp(place=f"seat {some_seat(at)}")]


def _corrected(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
    return [
        paid(at, act, line_of(at).won + 500),
        a.CallFloor(),
        a.CorrectPayment(seat=act.seat, wager="ante"),
    ]


ASKED: Final = stage("ask before the flop")

READINGS: Final = (
    DealerMistake(
        name="player's hand misread",
        family=READING,
        moment=lambda at, act: isinstance(act, a.ReadHand) and act.reads == "straight" and act.result != "",
        wrong=lambda at, act: [a.ReadHand(place=act.place, reads="flush", result=act.result)],
        slips=(ch.MISREAD,),
    ),
    DealerMistake(
        name="winning hand announced as losing",
        family=READING,
        moment=lambda at, act: isinstance(act, a.ReadHand) and act.result == "win",
        wrong=lambda at, act: [a.ReadHand(place=act.place, reads=act.reads, result="lose")],
        slips=(ch.MISREAD,),
    ),
    DealerMistake(
        name="dealer's hand misread",
        family=READING,
        moment=lambda at, act: (
            isinstance(act, a.ReadHand) and act.place == "dealer" and act.reads == "two pair"
        ),
        wrong=lambda at, act: [a.ReadHand(place="dealer", reads="pair", qualifies=act.qualifies)],
        slips=(ch.MISREAD,),
    ),
    DealerMistake(
        name="dealer's hand announced as qualifying without a pair",
        family=READING,
        moment=lambda at, act: isinstance(act, a.ReadHand) and act.qualifies is False,
        wrong=lambda at, act: [a.ReadHand(place="dealer", reads=act.reads, qualifies=True)],
        slips=(ch.MISREAD,),
    ),
)

HANDLED: Final = DealerMistake(
    name="exposed card reported at once",
    family=IRREGULARITY,
    moment=ASKED,
    wrong=lambda at, act: [],
    slips=(),
    happening=_exposed,
)
"""An irregularity that the dealer handles rightly. It is not a mistake."""

FLOOR_AND_REPORTS: Final = (
    DealerMistake(
        name="needless floor call",
        family=FLOOR,
        moment=on(a.TakeStep, what="look"),
        wrong=first(a.CallFloor()),
        slips=(ch.NEEDLESS_CALL,),
        in_replays=False,
    ),
    DealerMistake(
        name="supervisor not called for a progressive winner",
        family=FLOOR,
        also=(ORDER,),
        moment=both(on(a.CallFloor), lambda at, act: bool(at.state.round.keyed)),
        wrong=lambda at, act: [],
        slips=(ch.MISSED_CALL,),
        leave_out=True,
        level=2,
    ),
    DealerMistake(
        name="large payment without approval",
        family=FLOOR,
        also=(ORDER,),
        moment=on(a.CallFloor),
        wrong=lambda at, act: [],
        slips=(ch.MISSED_CALL,),
        leave_out=True,
        level=2,
    ),
    DealerMistake(
        name="player's card exposed and not reported",
        family=CARDS,
        also=(IRREGULARITY,),
        moment=ASKED,
        wrong=_hand_exposed,
        slips=(ch.NOT_DUE, ch.UNSEEN),
        unnoticed=True,
    ),
    DealerMistake(
        name="player's card exposed and reported",
        family=CARDS,
        also=(ORDER,),
        moment=ASKED,
        wrong=_hand_exposed,
        slips=(ch.NOT_DUE,),
    ),
    DealerMistake(
        name="exposed card reported after another act",
        family=IRREGULARITY,
        also=(CARDS, ORDER),
        moment=ASKED,
        wrong=lambda at, act: [act],
        slips=(ch.LATE,),
        happening=_exposed,
        level=3,
    ),
    DealerMistake(
        name="exposed card not seen",
        family=IRREGULARITY,
        also=(CARDS,),
        moment=ASKED,
        wrong=lambda at, act: [act],
        slips=(ch.UNSEEN,),
        happening=_exposed,
        unnoticed=True,
    ),
    DealerMistake(
        name="exposed card reported as a face-up card",
        family=IRREGULARITY,
        also=(CARDS,),
        moment=ASKED,
        wrong=lambda at, act: [a.ReportIrregularity(kind=FACE_UP_CARD, at=f"seat {some_seat(at)}")],
        slips=(ch.WRONG_REPORT, ch.LATE),
        happening=_exposed,
        level=3,
    ),
    DealerMistake(
        name="an irregularity reported that never happened",
        family=IRREGULARITY,
        moment=ASKED,
        wrong=first(a.ReportIrregularity(kind=EXPOSED_CARD, at="dealer")),
        slips=(ch.WRONG_REPORT,),
        level=3,
    ),
    DealerMistake(
        name="short hand not seen before settlement",
        family=IRREGULARITY,
        also=(CARDS,),
        moment=at_some_seat(on(a.DealCards)),
        wrong=lambda at, act: [],
        slips=(ch.UNSEEN,),
        happening=_short,
        unnoticed=True,
        level=2,
    ),
    DealerMistake(
        name="right payment corrected",
        family=AMOUNT,
        moment=at_some_seat(on(a.Rack)),
        wrong=lambda at, act: [a.CorrectPayment(seat=some_seat(at), wager="ante")],
        slips=(ch.NOT_DUE,),
        in_replays=False,
    ),
    DealerMistake(
        name="a wrong payment noticed and corrected",
        family=AMOUNT,
        also=(UNSETTLED,),
        moment=wager("ante", "win"),
        wrong=_corrected,
        slips=(ch.WRONG_AMOUNT,),
        in_replays=False,
    ),
)
