"""Errors with money: wagers paid, taken or pushed wrongly, or not at all."""

from __future__ import annotations

from training.planted_errors import (
    AMOUNT,
    CARD,
    MA,
    MISSED,
    PROC,
    SD,
    TS,
    Found,
    Planted,
    minus_back,
    minus_won,
    stake,
)

MONEY = [
    Planted("ante paid $5 too much", MA, "manual", (Found(AMOUNT, "MA-10.b", lambda w: 500),)),
    Planted("ante paid 50 cents short", MA, "manual", (Found(AMOUNT, "MA-10.b", lambda w: -50),)),
    Planted("winning ante taken", CARD, "manual", (Found(AMOUNT, "CARD-15", minus_back),)),
    Planted("losing ante paid", MA, "manual", (Found(AMOUNT, "MA-9.h.1", lambda w: 2 * w.stake),)),
    Planted("losing ante left on the layout", MA, "device", (Found(AMOUNT, "MA-9.h.1", stake),)),
    Planted(
        "ante paid although the dealer does not qualify", MA, "manual", (Found(AMOUNT, "MA-9.g-b", stake),)
    ),
    Planted(
        "ante taken although the dealer does not qualify",
        MA,
        "device",
        (Found(AMOUNT, "MA-9.g-b", lambda w: -w.stake),),
    ),
    Planted("tied ante taken", SD, "manual", (Found(AMOUNT, "SD-14-a", lambda w: -w.stake),)),
    Planted("tied play wager taken", MA, "manual", (Found(AMOUNT, "MA-9.h.3", lambda w: -w.stake),)),
    Planted("winning play wager only returned", MA, "manual", (Found(AMOUNT, "MA-10.b", minus_won),)),
    Planted("losing play wager paid", SD, "device", (Found(AMOUNT, "SD-15-b", lambda w: 2 * w.stake),)),
    Planted("blind paid below a straight", MA, "manual", (Found(AMOUNT, "MA-9.h.2-b", stake),)),
    Planted(
        "blind taken instead of pushed", MA, "device", (Found(AMOUNT, "MA-9.h.2-b", lambda w: -w.stake),)
    ),
    Planted(
        "blind paid even money on a flush",
        SD,
        "manual",
        (Found(AMOUNT, "SD-16-t", lambda w: w.stake - w.won),),
    ),
    Planted(
        "half dollar of a blind payment forgotten",
        SD,
        "device",
        (Found(AMOUNT, "SD-16-t", lambda w: -50),),
    ),
    Planted("losing blind pushed", PROC, "device", (Found(AMOUNT, "PROC-Q.3", stake),)),
    Planted(
        "trips paid on a losing hand", MA, "manual", (Found(AMOUNT, "MA-1.trips-b", lambda w: 4 * w.stake),)
    ),
    Planted("winning trips taken", MA, "manual", (Found(AMOUNT, "MA-10.d-B", minus_back),)),
    Planted(
        "winning trips of a folded hand taken", MA, "manual", (Found(AMOUNT, "MA-10.d-B", minus_back),)
    ),
    Planted(
        "winning trips of a folded hand left unpaid", CARD, "manual", (Found(MISSED, "CARD-24", minus_won),)
    ),
    Planted("a wager paid twice", MA, "manual", (Found(AMOUNT, "MA-10.b", lambda w: w.won),)),
    Planted("winning play wager left unsettled", CARD, "device", (Found(MISSED, "CARD-15", minus_won),)),
    Planted(
        "losing play wager left on the layout to the end",
        CARD,
        "device",
        (Found(MISSED, "CARD-16", stake),),
    ),
    Planted("a wager paid that was never made", SD, "manual", (Found(AMOUNT, None, lambda w: 500),)),
    Planted(
        "limit on winnings ignored",
        CARD,
        "device",
        (Found(AMOUNT, "CARD-25", lambda w: w.cut),),
        given={"limits": {"ante": {"min": "100", "max": "1000"}, "trips": {"min": "5", "max": "1000"}}},
    ),
    Planted(
        "progressive award paid too low",
        SD,
        "manual",
        (Found(AMOUNT, "SD-18-PMG-b", lambda w: w.won // 2 - w.won),),
    ),
    Planted("envy not paid", SD, "manual", (Found(MISSED, "SD-18-PMG-c", minus_won),), seats=4),
    Planted("Cover All taken on a winning hand", MA, "device", (Found(AMOUNT, "MA-12.k-4", minus_back),)),
    Planted("losing primary wager pushed", TS, "manual", (Found(AMOUNT, "TS-15-b", stake),)),
    Planted("bonus paid on the wrong row", TS, "manual", (Found(AMOUNT, "TS-16-tA", stake),)),
]
