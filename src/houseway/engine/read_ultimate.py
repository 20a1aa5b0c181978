"""Read a round of Ultimate Texas Hold'em, and refuse what its rulebook does not allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houseway.engine.finished_round import FinishedRound, PlayerHand
from houseway.engine.read_round import ROUND_KEYS, RoundReader, read_amount
from houseway.engine.refusals import Refusals
from houseway.engine.terms import Terms
from houseway.rules.problems import suggest

OPTIONAL_WAGERS = frozenset({"trips", "progressive", "cover_all"})
"""Wagers that only some rulebooks of the game offer."""
NO_TIPS: dict[str, int] = {}


def read_round(data: Mapping[str, Any], terms: Terms) -> tuple[FinishedRound, Refusals]:
    """Return the round and its refusals."""
    reader = RoundReader(terms)
    reader.keys(data, ROUND_KEYS)
    board = reader.cards(data.get("board"), 5, "board")
    dealer = reader.cards(data.get("dealer"), 2, "dealer")
    placed = [(where, _hand(reader, seat, where)) for where, seat in reader.seats(data)]
    hands = [hand for _, hand in placed]
    dealt = [*board, *dealer, *(card for hand in hands for card in hand.cards)]
    if len(set(dealt)) != len(dealt):
        held = ((f"{where}.hole", hand.cards) for where, hand in placed)
        reader.copies([("board", board), ("dealer", dealer), *held])
    if len({h.player for h in hands}) != len(hands):
        reader.positions(placed)
    reader.bet_limit(placed)
    reader.one_amount(placed)
    meters = reader.meters(data)
    hands.sort(key=lambda h: h.seat)
    return FinishedRound(board, dealer, tuple(hands), meters), reader.refusals


def _hand(reader: RoundReader, seat: Mapping[str, Any], where: str) -> PlayerHand:
    terms = reader.terms
    stakes: dict[str, int] = {}
    for name in terms.stakeable:
        if name in seat:
            stake = read_amount(seat[name], f"{where}.{name}", reader.refusals)
            if stake:
                stakes[name] = stake
    if not seat.keys() <= terms.seat_keys:
        _refuse_keys(reader, seat, where)
    for name, other in terms.twins:
        if name not in seat and other in stakes:
            stakes[name] = stakes[other]
    number, player = reader.player(seat, where)
    hole = reader.cards(seat.get("hole"), 2, f"{where}.hole")
    play = _play(reader, seat, stakes, where)
    if play and "play" in terms.outcomes:
        stakes["play"] = play * stakes.get("ante", 0)
    reader.stakes(stakes, where)
    tips = NO_TIPS
    if "tips" in seat:
        tips = reader.read_tips(seat["tips"], stakes, play or 0, f"{where}.tips")
    coupon = 0
    if "match_play" in seat:
        coupon = read_amount(seat["match_play"], f"{where}.match_play", reader.refusals)
        reader.coupon(coupon, stakes, f"{where}.match_play")
    reader.entry(stakes, where)
    return PlayerHand(number, 1, player, hole, stakes, play == 0, tips, coupon)


def _play(
    reader: RoundReader, seat: Mapping[str, Any], stakes: Mapping[str, int], where: str
) -> int | None:
    """Return the multiple of the play wager: 0 for a fold, None if there is no ante or no valid play."""
    terms, play, path = reader.terms, seat.get("play"), f"{where}.play"
    stages = terms.rulebook.stages
    if "ante" not in stakes:
        if play == 0 and type(play) is int and terms.folds_alone(stakes):
            return play
        if play is not None and "ante" in terms.rulebook.wagers and not reader.refused(where, "bad-amount"):
            sentence = "a seat without an ante cannot play or fold; remove play"
            alone = terms.rulebook.wagers["trips"].alone if "trips" in stakes else None
            reader.refusals.add("play-without-ante", sentence, path, terms.cite(alone))
        return None
    if play is None:
        sentence = "play is missing; write the multiple of the ante, or 0 for a fold"
        last = next((s.fold for s in stages if s.fold), None)
        reader.refusals.add("play-missing", sentence, path, terms.cite(last))
        return None
    if type(play) is int and (play in terms.sizes or (play == 0 and terms.may_fold)):
        return play
    offered = next((s.sizes for s in stages if s.sizes), None)
    if offered is None:
        return play if type(play) is int and play > 0 else None
    *most, least = map(str, sorted(terms.sizes, reverse=True))
    multiples = f"{', '.join(most)} or {least}" if most else least
    fold = ", or 0 for a fold" if terms.may_fold else ""
    sentence = f"play must be {multiples} times the ante{fold} (got {play!r})"
    reader.refusals.add("play-size", sentence, path, terms.cite(offered))
    return None


def _refuse_keys(reader: RoundReader, seat: Mapping[str, Any], where: str) -> None:
    terms = reader.terms
    for key in seat:
        path = f"{where}.{key}"
        if key in terms.seat_keys:
            continue
        if key == "envy" and key in terms.rulebook.wagers:
            sentence = "envy is not a separate wager; it comes with the progressive"
            reader.refusals.add("unknown-key", sentence, path)
        elif key in OPTIONAL_WAGERS:
            sentence = f"{terms.rulebook.id} does not offer {key}; leave it out"
            reader.refusals.add("not-offered", sentence, path, terms.clause("offered"))
        else:
            reader.refusals.add(
                "unknown-key", f"unknown key {key!r}; {suggest(key, terms.seat_keys)}", path
            )
