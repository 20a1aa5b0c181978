"""Errors of reading hands, of calling the floor and of reporting irregularities."""

from __future__ import annotations

from houseway.training import chair as ch
from training.planted_errors import AMOUNT, MA, NOT_DUE, PROC, SD, Found, Planted

READING = [
    Planted("player's hand misread", MA, "manual", (Found(ch.MISREAD, "MA-9.h-b"),)),
    Planted("winning hand announced as losing", MA, "device", (Found(ch.MISREAD, "MA-9.h-b"),)),
    Planted("dealer's hand misread", SD, "manual", (Found(ch.MISREAD, "SD-13-a"),)),
    Planted(
        "dealer's hand announced as qualifying without a pair",
        PROC,
        "device",
        (Found(ch.MISREAD, "PROC-D.8-a"),),
    ),
]

FLOOR_AND_REPORTS = [
    Planted("needless floor call", MA, "manual", (Found(ch.NEEDLESS_CALL, None),)),
    Planted(
        "supervisor not called for a progressive winner",
        SD,
        "manual",
        (Found(ch.MISSED_CALL, "SD-18.a.iv"),),
    ),
    Planted("large payment without approval", PROC, "device", (Found(ch.MISSED_CALL, "PROC-H.7"),)),
    Planted(
        "player's card exposed and not reported",
        MA,
        "manual",
        (Found(NOT_DUE, "MA-7.f.1-a"), Found(ch.UNSEEN, "SD-5-c")),
    ),
    Planted("player's card exposed and reported", MA, "manual", (Found(NOT_DUE, "MA-7.f.1-a"),)),
    Planted("exposed card reported after another act", MA, "manual", (Found(ch.LATE, "SD-5-c"),)),
    Planted("exposed card not seen", SD, "manual", (Found(ch.UNSEEN, "SD-5-c"),)),
    Planted(
        "exposed card reported as a face-up card",
        MA,
        "manual",
        (Found(ch.WRONG_REPORT, "SD-5-c"), Found(ch.LATE, "SD-5-c")),
    ),
    Planted("an irregularity reported that never happened", MA, "manual", (Found(ch.WRONG_REPORT, None),)),
    Planted("short hand not seen before settlement", MA, "device", (Found(ch.UNSEEN, "MA-14.d-a"),)),
    Planted("right payment corrected", MA, "manual", (Found(NOT_DUE, None),)),
    Planted(
        "a wrong payment noticed and corrected", MA, "manual", (Found(AMOUNT, "MA-10.b", lambda w: 500),)
    ),
]
