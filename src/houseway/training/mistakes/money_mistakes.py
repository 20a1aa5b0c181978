"""Mistakes with money: wagers paid, taken or pushed wrongly, or not at all."""

from __future__ import annotations

from typing import Final

from houseway.engine.fold_registry import seat_of
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.mistakes.mistake import AMOUNT, UNSETTLED, DealerMistake, DealtTable, Moment, Wrong
from houseway.training.mistakes.mistake_moments import (
    beats_dealer,
    both,
    folded,
    left_out,
    line_of,
    no_qualifying,
    on,
    pay,
    payment_cut,
    push,
    qualifying,
    standing,
    take,
    wager,
)

CHIP: Final = 500
"""Cents that a dealer pays too much by one chip."""


def _wrong(name: str, moment: Moment, wrong: Wrong, level: int = 1) -> DealerMistake:
    """Return a wrong payment. A wager that is pushed or taken wrongly may also be called unsettled."""
    also = (UNSETTLED,) if wrong in (push, take) else ()
    return DealerMistake(
        name=name,
        family=AMOUNT,
        also=also,
        moment=moment,
        wrong=wrong,
        slips=(ch.WRONG_AMOUNT,),
        level=level,
    )


def _unsettled(name: str, moment: Moment, level: int = 1) -> DealerMistake:
    """Return a wager that is never settled."""
    return DealerMistake(
        name=name, family=UNSETTLED, also=(AMOUNT,), moment=moment, wrong=left_out, slips=(ch.MISSED,),
        leave_out=True, level=level,
    )  # fmt: skip


def _above_even(at: DealtTable, act: object) -> bool:
    """True if a wager wins more than even money and less than twice its stake: the blind with a flush."""
    line = line_of(at)
    return line.stake < line.won < 2 * line.stake


def _never_bet(at: object, act: a.Rack) -> bool:
    seat = seat_of(act.what)
    return seat > 0 and "trips" not in at.state.seats[seat].hands[0].made  # type: ignore[attr-defined]


MONEY: Final = (
    _wrong("ante paid $5 too much", wager("ante", "win"), pay(lambda w: w.won + CHIP)),
    _wrong("ante paid 50 cents short", wager("ante", "win"), pay(lambda w: w.won - 50), 3),
    _wrong("winning ante taken", wager("ante", "win"), take),
    _wrong("losing ante paid", both(wager("ante", "lose"), standing), pay(lambda w: w.stake)),
    _wrong("losing ante left on the layout", both(wager("ante", "lose"), standing), push),
    _wrong(
        "ante paid although the dealer does not qualify",
        both(wager("ante", "push"), no_qualifying),
        pay(lambda w: w.stake),
    ),
    _wrong(
        "ante taken although the dealer does not qualify", both(wager("ante", "push"), no_qualifying), take
    ),
    _wrong("tied ante taken", both(wager("ante", "push"), qualifying), take),
    _wrong("tied play wager taken", wager("play", "push"), take),
    _wrong("winning play wager only returned", wager("play", "win"), push),
    _wrong("losing play wager paid", wager("play", "lose"), pay(lambda w: w.stake)),
    _wrong(
        "blind paid below a straight", both(wager("blind", "push"), beats_dealer), pay(lambda w: w.stake)
    ),
    _wrong("blind taken instead of pushed", both(wager("blind", "push"), beats_dealer), take),
    _wrong(
        "blind paid even money on a flush",
        both(wager("blind", "win"), _above_even),
        pay(lambda w: w.stake),
        2,
    ),
    _wrong(
        "half dollar of a blind payment forgotten",
        both(wager("blind", "win"), _above_even, lambda at, act: line_of(at).won % 100 == 50),
        pay(lambda w: w.won - 50),
        3,
    ),
    _wrong("losing blind pushed", wager("blind", "lose"), push),
    _wrong("trips paid on a losing hand", wager("trips", "lose"), pay(lambda w: 3 * w.stake)),
    _wrong("winning trips taken", both(wager("trips", "win"), standing), take),
    _wrong("winning trips of a folded hand taken", both(wager("trips", "win"), folded), take, 2),
    _unsettled("winning trips of a folded hand left unpaid", both(wager("trips", "win"), folded), 2),
    _wrong("a wager paid twice", wager("play", "win"), lambda at, act: [act, act], 2),
    _unsettled("winning play wager left unsettled", wager("play", "win")),
    _unsettled("losing play wager left on the layout to the end", wager("play", "lose")),
    _wrong(
        "a wager paid that was never made",
        both(on(a.Rack), _never_bet),
        lambda at, act: [a.Pay(seat=seat_of(act.what), wager="trips", chips={CHIP: 1})],
        2,
    ),
    _wrong("limit on winnings ignored", payment_cut, pay(lambda w: w.won + w.cut), 3),
    _wrong("progressive award paid too low", wager("progressive", "win"), pay(lambda w: w.won // 2), 2),
    _unsettled("envy not paid", wager("envy", "win"), 3),
    _wrong("Cover All taken on a winning hand", wager("cover_all", "win"), take, 2),
    _wrong("losing primary wager pushed", wager("wager", "lose"), push),
    _wrong("bonus paid on the wrong row", wager("bonus", "win"), pay(lambda w: w.won + w.stake), 2),
)
