"""Mistakes of procedure: acts left out, too early, in the wrong order or in the wrong number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.mistakes.mistake import (
    BURN,
    CARDS,
    IRREGULARITY,
    ORDER,
    READING,
    UNSETTLED,
    DealerMistake,
    DealtTable,
    Moment,
    Wrong,
)
from houseway.training.mistakes.mistake_moments import (
    at_some_seat,
    both,
    checked,
    due_on,
    first,
    in_play,
    last_asked,
    left_out,
    loses,
    lowest_seat,
    next_first,
    nobody_asked,
    on,
    payment_ahead,
    required,
    required_after,
    several_to_settle,
    some_seat,
    stage,
)

OUT, MISSED, NOT_DUE, UNSEEN = ch.OUT_OF_ORDER, ch.MISSED, ch.NOT_DUE, ch.UNSEEN


def _missing(
    name: str, moment: Moment, family: str, also: tuple[str, ...] = (), level: int = 2, **more: Any
) -> DealerMistake:
    """Return the mistake of leaving an act out."""
    facts = {"slips": (MISSED,), **more}
    return DealerMistake(
        name=name, family=family, also=also, moment=moment, wrong=left_out, leave_out=True, level=level,
        **facts,
    )  # fmt: skip


def _done(
    name: str,
    moment: Moment,
    wrong: Wrong,
    slips: tuple[str, ...],
    family: str,
    also: tuple[str, ...] = (),
    level: int = 2,
    **more: Any,
) -> DealerMistake:
    """Return the mistake of doing an act wrongly."""
    return DealerMistake(
        name=name, family=family, also=also, moment=moment, wrong=wrong, slips=slips, level=level, **more
    )


def _step(what: str) -> Moment:
    return on(a.TakeStep, what=what)


def _card_to_some_seat(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
    return [a.DealCards(place=f"seat {some_seat(at)}")]


def _last_seat_first(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
    return [a.DealCards(place=f"seat {max(at.state.round.players)}")]


def _first_card_of_last_seat(at: DealtTable, act: Any) -> bool:
    last = max(at.state.round.players)
    return bool(act.place == f"seat {last}" and not at.state.seats[last].hands[0].cards)


DEALING: Final = (
    _missing(
        "no burn before the flop",
        both(on(a.Burn), lambda at, act: not at.state.round.board),
        BURN,
        (ORDER,),
        1,
    ),
    _missing(
        "no burn before the turn and river",
        both(on(a.Burn), lambda at, act: at.state.round.up == 3),
        BURN,
        (ORDER,),
        1,
    ),
    _done(
        "a card burned although the procedure has no burn here",
        on(a.TurnUp, place="board"),
        first(a.Burn()),
        (NOT_DUE,),
        BURN,
    ),
    _done(
        "two cards burned instead of one", on(a.Burn), first(a.Burn(count=2)), (ch.MISCOUNT,), BURN, (), 1
    ),
    _done(
        "flop exposed before the last player has acted",
        both(stage("ask before the flop"), last_asked),
        first(a.TurnUp(place="board", count=3)),
        (OUT,),
        ORDER,
        (CARDS,),
    ),
    _done(
        "flop dealt before the last player has acted",
        both(stage("ask before the flop"), last_asked),
        first(a.Burn(), a.DealCards(place="board", count=3)),
        (OUT,),
        ORDER,
        (CARDS,),
    ),
    _done(
        "turn and river exposed too early and never noticed",
        both(stage("ask after the flop"), last_asked),
        first(a.TurnUp(place="board", count=2)),
        (OUT, UNSEEN),
        ORDER,
        (CARDS, IRREGULARITY),
        unnoticed=True,
    ),
    _done(
        "dealer's cards turned up too early and never noticed",
        both(stage("ask after the river"), last_asked),
        first(a.TurnUp(place="dealer")),
        (OUT, UNSEEN),
        ORDER,
        (CARDS, IRREGULARITY),
        unnoticed=True,
    ),
    _done(
        "a player never asked",
        both(stage("ask before the flop"), last_asked, checked),
        lambda at, act: [a.TurnUp(place="board", count=3), a.Ask(seat=at.chair.asked[0])],
        (OUT, MISSED, UNSEEN),
        ORDER,
        (CARDS, IRREGULARITY),
        unnoticed=True,
    ),
    _done(
        "players asked in the wrong order",
        both(stage("ask before the flop"), nobody_asked),
        lambda at, act: [a.Ask(seat=max(at.state.round.players))],
        (OUT,),
        ORDER,
    ),
    _missing("players not allowed to look", _step("look"), ORDER, level=3),
    _missing("“No more bets” not announced", _step("close betting"), ORDER),
    _done(
        "deal begins at the wrong seat",
        both(on(a.DealCards), lambda at, act: not at.state.round.out and len(at.state.round.players) > 1),
        _last_seat_first,
        (OUT,),
        ORDER,
        (CARDS,),
    ),
    _done(
        "a player skipped in the deal, then reported",
        both(on(a.DealCards), _first_card_of_last_seat),
        first(a.DealCards(place="dealer")),
        (OUT,),
        ORDER,
        (CARDS,),
    ),
    _done(
        "one card too many dealt, then reported",
        _step("look"),
        _card_to_some_seat,
        (NOT_DUE,),
        CARDS,
        (),
        1,
    ),
    _done(
        "one card too many dealt and never reported",
        _step("look"),
        _card_to_some_seat,
        (NOT_DUE, UNSEEN),
        CARDS,
        (IRREGULARITY,),
        1,
        unnoticed=True,
    ),
    _done(
        "dealer's hand dispensed before the players' hands",
        both(on(a.DealCards), lambda at, act: act.place == f"seat {max(at.state.round.players)}"),
        first(a.DealCards(place="dealer", count=2)),
        (OUT,),
        ORDER,
        (CARDS,),
    ),
    _done(
        "two cards dealt instead of one",
        on(a.DealCards, place="dealer", count=1),
        first(a.DealCards(place="dealer", count=2)),
        (ch.MISCOUNT,),
        CARDS,
    ),
    _missing("progressive bets not locked", _step("lock"), ORDER, level=3),
    _missing("progressive bets not collected", _step("collect progressive"), ORDER, (UNSETTLED,), 3),
    _missing("stub not removed", both(_step("remove stub"), required), BURN, (ORDER,)),
    _missing("stub not counted in the fifth round", on(a.CountStub), BURN, (ORDER,), in_replays=False),
    _done(
        "stub miscounted",
        on(a.CountStub),
        lambda at, act: [a.CountStub(count=act.count + 1)],
        (ch.MISCOUNT,),
        BURN,
        level=3,
        # The stub is counted in a table's fifth round, but a replay shows only the first round.
        in_replays=False,
    ),
    _missing("cover card not taken off", _step("take the cover card off"), ORDER, (CARDS,), 3),
    _missing("cards not cut", _step("cut"), CARDS, (ORDER,)),
    _done(
        "five cards cut instead of at least ten",
        _step("cut"),
        first(a.TakeStep(what="cut", count=5)),
        (ch.MISCOUNT,),
        CARDS,
    ),
    _missing("cards not shuffled", _step("shuffle"), CARDS, (ORDER,)),
    _missing("deck not inspected", _step("inspect"), CARDS, (ORDER,), 3),
    _missing(
        "first card of the shoe not burned",
        both(on(a.Burn), lambda at, act: at.state.section != "round"),
        BURN,
        (ORDER,),
    ),
)

SETTLING: Final = (
    _done(
        "folded hand taken too late",
        both(on(a.TakeFold), lambda at, act: bool(in_play(at))),
        lambda at, act: [a.Ask(seat=in_play(at)[0]), act],
        (OUT,),
        ORDER,
    ),
    _missing(
        "folded hand never taken",
        both(on(a.TakeFold), lambda at, act: len(at.chair.queue[0].lines) == 2),
        UNSETTLED,
        (ORDER, CARDS),
        1,
    ),
    _done("hands settled from the wrong side", several_to_settle, lowest_seat, (OUT,), ORDER),
    _done(
        "ante settled before the play wager",
        both(on(a.Take, wager="play"), lambda at, act: getattr(required_after(at), "wager", "") == "ante"),
        next_first,
        (OUT,),
        ORDER,
        level=3,
    ),
    _done(
        "trips settled before ante, blind and play",
        both(on(a.Take, wager="ante"), lambda at, act: "trips" in at.state.seats[act.seat].hands[0].wagers),
        lambda at, act: [due_on(at, "trips")],
        (OUT,),
        ORDER,
    ),
    _done(
        "bonus settled before the primary wager",
        both(
            on(a.Take, wager="wager"), lambda at, act: "bonus" in at.state.seats[act.seat].hands[0].wagers
        ),
        lambda at, act: [due_on(at, "bonus")],
        (OUT,),
        ORDER,
    ),
    _done(
        "wagers taken before the hand is turned up",
        both(on(a.TurnUp), loses),
        lambda at, act: [due_on(at, "play")],
        (OUT,),
        ORDER,
        level=1,
    ),
    _missing("hand not announced", at_some_seat(on(a.ReadHand)), READING, (ORDER,)),
    # The cards that are left are collected at the end of the round: too late, but not never.
    _missing(
        "cards not collected after settlement", at_some_seat(on(a.Rack)), CARDS, (ORDER,), slips=(OUT,)
    ),
    _done(
        "dealer's cards racked before the board",
        on(a.Rack, what="board"),
        first(a.Rack(what="dealer"), a.Rack(what="board")),
        (OUT,),
        ORDER,
        (CARDS,),
        3,
    ),
    _done(
        "dealer's hand set against the house way",
        on(a.SetHand),
        lambda at, act: [
            a.SetHand(cards=tuple(x for x in at.state.round.dealer if x not in act.cards)[:2])
        ],
        (ch.WRONG_HAND_SET,),
        READING,
        (CARDS,),
        1,
    ),
    _done("progressive award not keyed", on(a.Key), payment_ahead, (MISSED,), ORDER, level=3),
    _done(
        "wrong award keyed, then turned off",
        on(a.Key),
        lambda at, act: [a.Key(seat=act.seat, hand="pair")],
        (ch.WRONG_KEY,),
        READING,
        (ORDER,),
        3,
    ),
    _missing("green button not pressed", _step("show payouts"), ORDER, level=3),
    _missing("lammers not placed", _step("lammers"), ORDER, level=3),
    _missing("progressive system not reset", _step("reset"), ORDER, level=3),
    _missing(
        "discards not collected",
        both(on(a.Rack), lambda at, act: act.what == f"seat {some_seat(at)} discards"),
        CARDS,
        (ORDER,),
    ),
    _missing("flop not arranged", _step("arrange"), CARDS, (ORDER,), 3),
    DealerMistake(
        name="an ante not refunded before the hands are seen",
        family=UNSETTLED,
        also=(ORDER,),
        moment=both(on(a.Push, wager="ante"), lambda at, act: at.chair.queue[0].step == "refund the antes"),
        wrong=left_out,
        slips=(OUT,),
        leave_out=True,
        level=3,
    ),
)
PROCEDURE: Final = (*DEALING, *SETTLING)
