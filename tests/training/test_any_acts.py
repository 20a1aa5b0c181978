"""A trainee who does anything at any time never breaks the table: it stays true to its record, and every
round ends."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from houseway.cards import DECK
from houseway.engine.evolve import fold
from houseway.engine.state import total
from houseway.rules.loader import rulebook_ids
from houseway.training import acts as a
from houseway.training.chair import KINDS
from houseway.training.due_acts import palette
from houseway.training.judge import DISPUTED, RIGHT, judge
from houseway.training.model_dealer import right_act
from houseway.training.session import TrainingSession
from random_play.chance import modes_of
from training.sessions import Choose, Session

ROUNDS = 30


def any_act(at: Session | TrainingSession, seats: int, rng: Random) -> a.ChairAct:
    """Any act, with any values."""
    seat = rng.randint(1, seats)
    place = rng.choice([f"seat {seat}", "dealer", "board"])
    name = rng.choice([*at.table.terms.stakeable, "play"])
    hands = at.table.terms.order
    on: dict[str, Any] = {"seat": seat, "wager": name}
    things: list[a.ChairAct] = [
        a.DealCards(place=place, count=rng.randint(1, 3)),
        a.Burn(),
        a.TurnUp(place=place, count=rng.randint(0, 5)),
        a.Ask(seat=seat),
        a.TakeFold(seat=seat),
        a.ReadHand(place=place, reads=rng.choice(hands), result=rng.choice(["", "win", "lose"])),
        a.Take(**on),
        a.Push(**on),
        a.Pay(**on, chips={500: rng.randint(1, 5)}),
        a.SetHand(cards=tuple(rng.choices(at.state.round.dealer or DECK, k=2))),
        a.ResetDealer(),
        a.Key(seat=seat, hand=rng.choice(hands)),
        a.CountStub(count=rng.randint(20, 45)),
        a.Rack(what=rng.choice([place, f"seat {seat} discards"])),
        a.CallFloor(),
        a.ReportIrregularity(kind=rng.choice(["exposed card", "wrong number", "premature flop"]), at=place),
        a.CorrectPayment(**on),
        a.ColourUp(seat=seat, taken={500: rng.randint(1, 3)}, given={500: rng.randint(1, 3)}),
        a.Refuse(seat=seat, what=rng.choice(a.REFUSED)),
        a.Warn(seat=seat),
        a.LetStand(**on),
        a.TakeStep(what=rng.choice([name for name in palette(at.table) if name[0].islower()])),
    ]
    return rng.choice(things)


def careless(rng: Random, share: float) -> Choose:
    """A dealer who does anything instead of the right act, at this share of acts, and sees nothing."""

    def choose(at: Session) -> a.ChairAct | None:
        if rng.random() < share:
            return any_act(at, at.seats, rng)
        right = right_act(at.table, at.chair)
        ignores = isinstance(right, a.ReportIrregularity) and rng.random() < 0.5
        return at.chair.queue[0].act if ignores and at.chair.queue else None

    return choose


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_any_acts_keep_the_table_true(rulebook: str) -> None:
    for mode in modes_of(rulebook):
        rng = Random(f"any {rulebook} {mode}")
        for seed in range(3):
            at = Session(rulebook, mode, seed, seats=1 + seed * 2)
            for _ in range(ROUNDS // 3):
                at.play_round(careless(rng, 0.08))
                judged = judge(at.table, at.chair)
                assert {one.kind for one in judged.verdicts} <= {RIGHT, DISPUTED, *KINDS}
                assert fold((x.event for entry in at.log for x in entry.changes), at.start) == at.state
                assert total(at.state) == total(at.start)
