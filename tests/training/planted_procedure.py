"""Errors of procedure: acts left out, too early, in the wrong order or in the wrong number."""

from __future__ import annotations

from houseway.training import chair as ch
from training.planted_errors import CARD, MA, MISSED, NOT_DUE, OUT, PROC, SD, TS, Found, Planted

PROCEDURE = [
    Planted("no burn before the flop", MA, "manual", (Found(MISSED, "MA-7.f.2-a"),)),
    Planted("no burn before the turn and river", SD, "device", (Found(MISSED, "SD-10-a"),)),
    Planted(
        "a card burned although the procedure has no burn here",
        PROC,
        "device",
        (Found(NOT_DUE, "PROC-D.4"),),
    ),
    Planted("two cards burned instead of one", CARD, "manual", (Found(ch.MISCOUNT, "MA-7.f.2-a"),)),
    Planted("flop exposed before the last player has acted", MA, "device", (Found(OUT, "MA-9.b"),)),
    Planted("flop dealt before the last player has acted", MA, "manual", (Found(OUT, "MA-7.f.2-a"),)),
    Planted(
        "turn and river exposed too early and never noticed",
        MA,
        "device",
        (Found(OUT, "MA-9.d"), Found(ch.UNSEEN, "SD-5-c")),
    ),
    Planted(
        "dealer's cards turned up too early and never noticed",
        MA,
        "device",
        (Found(OUT, "MA-8.c-c"), Found(ch.UNSEEN, "MA-14.a-a")),
    ),
    Planted(
        "a player never asked",
        MA,
        "device",
        (Found(OUT, "MA-9.b"), Found(MISSED, "MA-9.a-b"), Found(ch.UNSEEN, "SD-5-c")),
    ),
    Planted("players asked in the wrong order", MA, "manual", (Found(OUT, "MA-7.f.1-a"),)),
    Planted("players not allowed to look", MA, "manual", (Found(MISSED, "MA-7.f"),)),
    Planted("“No more bets” not announced", MA, "manual", (Found(MISSED, "MA-7.b"),)),
    Planted("deal begins at the wrong seat", MA, "manual", (Found(OUT, "MA-7.d.1"),)),
    Planted("a player skipped in the deal, then reported", MA, "manual", (Found(OUT, "MA-7.d.1"),)),
    Planted("one card too many dealt, then reported", MA, "manual", (Found(NOT_DUE, "MA-7.f"),)),
    Planted(
        "one card too many dealt and never reported",
        SD,
        "manual",
        (Found(NOT_DUE, "SD-7-a"), Found(ch.UNSEEN, "SD-5-a")),
    ),
    Planted("dealer's hand dispensed before the players' hands", MA, "device", (Found(OUT, "MA-8.c-b"),)),
    Planted("two cards dealt instead of one", CARD, "manual", (Found(ch.MISCOUNT, "MA-7.d.2"),)),
    Planted("progressive bets not locked", SD, "manual", (Found(MISSED, "SD-4-b"),)),
    Planted("progressive bets not collected", SD, "device", (Found(MISSED, "SD-4-d"),)),
    Planted("stub not removed", CARD, "manual", (Found(MISSED, "MA-7.e"),)),
    Planted("stub not counted in the fifth round", MA, "manual", (Found(MISSED, "MA-7.g"),)),
    Planted("stub miscounted", MA, "device", (Found(ch.MISCOUNT, "MA-8.d"),)),
    Planted("cover card not taken off", MA, "manual", (Found(MISSED, "MA-7.f.6-a"),)),
    Planted("folded hand taken too late", MA, "manual", (Found(OUT, "MA-7.f.5.ii"),)),
    Planted("folded hand never taken", SD, "manual", (Found(MISSED, "SD-12-d", lambda w: 2 * w.stake),)),
    Planted("hands settled from the wrong side", MA, "manual", (Found(OUT, "MA-9.h-a"),)),
    Planted("ante settled before the play wager", SD, "manual", (Found(OUT, "SD-6-a"),)),
    Planted("trips settled before ante, blind and play", MA, "manual", (Found(OUT, "MA-9.h.4-a"),)),
    Planted("bonus settled before the primary wager", TS, "manual", (Found(OUT, "TS-16-d"),)),
    Planted("wagers taken before the hand is turned up", MA, "manual", (Found(OUT, "MA-9.h-b"),)),
    Planted("hand not announced", MA, "manual", (Found(MISSED, "MA-9.h-b"),)),
    Planted("cards not collected after settlement", MA, "manual", (Found(OUT, "MA-9.h-d"),)),
    Planted("dealer's cards racked before the board", TS, "manual", (Found(OUT, "TS-18-b"),)),
    Planted(
        "dealer's hand set against the house way", TS, "manual", (Found(ch.WRONG_HAND_SET, "TS-11-c"),)
    ),
    Planted("progressive award not keyed", SD, "manual", (Found(MISSED, "SD-18.a.iii-a"),)),
    Planted("wrong award keyed, then turned off", SD, "manual", (Found(ch.WRONG_KEY, "SD-18.a.iii-a"),)),
    Planted("green button not pressed", MA, "device", (Found(MISSED, "MA-12.e"),)),
    Planted("lammers not placed", TS, "manual", (Found(MISSED, "TS-6-b"),)),
    Planted("progressive system not reset", SD, "manual", (Found(MISSED, "SD-18.a.vii"),)),
    Planted("discards not collected", TS, "manual", (Found(MISSED, "TS-10-d"),)),
    Planted("flop not arranged", TS, "manual", (Found(MISSED, "TS-12-d"),)),
    Planted("an ante not refunded before the hands are seen", PROC, "device", (Found(OUT, "PROC-N.1-a"),)),
    Planted("cards not cut", MA, "manual", (Found(MISSED, "MA-4.c"),)),
    Planted("five cards cut instead of at least ten", MA, "manual", (Found(ch.MISCOUNT, "MA-4.c.1.ii"),)),
    Planted("cards not shuffled", SD, "manual", (Found(MISSED, "SD-4-a"),)),
    Planted("deck not inspected", MA, "manual", (Found(MISSED, "MA-3.b-a"),)),
    Planted("first card of the shoe not burned", TS, "manual", (Found(MISSED, "TS-3-e"),)),
]
