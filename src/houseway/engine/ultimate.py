"""Reading a round of Ultimate Texas Hold'em and refusing what its rulebook does not allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houseway.engine.hands import PlayerHand, Round
from houseway.engine.reading import (
    ROUND_KEYS,
    Found,
    check_bet_limit,
    check_bounds,
    check_copies,
    check_keys,
    check_positions,
    read_amount,
    read_cards,
    read_meters,
    read_player,
    read_seats,
)
from houseway.engine.refusals import Refusal
from houseway.engine.terms import Terms
from houseway.money import spoken
from houseway.rules.problems import meant

ELSEWHERE = frozenset({"trips", "progressive", "cover_all"})
"""Wagers that some rulebook of the game offers."""
NO_TIPS: dict[str, int] = {}


def read_round(data: Mapping[str, Any], terms: Terms) -> tuple[Round, Found]:
    """The round, and every reason to refuse it."""
    found: Found = []
    check_keys(data, ROUND_KEYS, "", found)
    board = read_cards(data.get("board"), 5, "board", found)
    dealer = read_cards(data.get("dealer"), 2, "dealer", found)
    hands = []
    paths = []
    for where, seat in read_seats(data, terms, found):
        hands.append(_hand(seat, where, terms, found))
        paths.append(where)
    seen = {*board, *dealer}
    for hand in hands:
        seen.update(hand.cards)
    if len(seen) != len(board) + len(dealer) + sum(len(h.cards) for h in hands):
        held = zip((f"{p}.hole" for p in paths), (h.cards for h in hands), strict=True)
        check_copies([("board", board), ("dealer", dealer), *held], terms.rulebook.ranking.decks, found)
    if len({h.player for h in hands}) != len(hands):
        check_positions(hands, paths, terms, found)
    check_bet_limit(hands, paths, terms, found)
    if terms.progressive_amount[0] is None:
        check_one_amount(hands, paths, found)
    meters = read_meters(data, terms, found)
    hands.sort(key=lambda h: h.seat)
    return Round(board, dealer, tuple(hands), meters), found


def check_one_amount(hands: list[PlayerHand], paths: list[str], found: Found) -> None:
    """Where no document fixes the progressive wager the house has: all at a table bet the same."""
    both = zip(hands, paths, strict=True)
    staked = [(h.stakes["progressive"], path) for h, path in both if "progressive" in h.stakes]
    for stake, path in staked[1:]:
        first = staked[0][0]
        if stake != first:
            sentence = f"the progressive is one amount at a table, {spoken(first)}, not {spoken(stake)}"
            found.append(Refusal("progressive-unequal", None, f"{path}.progressive", sentence))


def _hand(seat: Mapping[str, Any], where: str, terms: Terms, found: Found) -> PlayerHand:
    stakes: dict[str, int] = {}
    for name in terms.stakeable:
        if name in seat:
            stake = read_amount(seat[name], f"{where}.{name}", found)
            if stake:
                stakes[name] = stake
    if not seat.keys() <= terms.seat_keys:
        _refuse_keys(seat, where, terms, found)
    for name, twin in terms.twins:
        if name not in seat and twin in stakes:
            stakes[name] = stakes[twin]
    number, player = read_player(seat, where, found)
    hole = read_cards(seat.get("hole"), 2, f"{where}.hole", found)
    play = _play(seat, stakes, where, terms, found)
    folded = play == 0
    if play and "play" in terms.outcomes:
        stakes["play"] = play * stakes.get("ante", 0)
    check_stakes(stakes, where, terms, found)
    tips = NO_TIPS
    if "tips" in seat:
        tips = _tips(seat["tips"], stakes, play or 0, f"{where}.tips", terms, found)
    coupon = 0
    if "match_play" in seat:
        coupon = _coupon(seat["match_play"], stakes, f"{where}.match_play", terms, found)
    if terms.ways_in and not any(way <= stakes.keys() for way in terms.ways_in):
        refuse_entry(stakes, where, terms, found)
    return PlayerHand(number, 1, player, hole, stakes, folded, tips, coupon)


def _play(
    seat: Mapping[str, Any], stakes: Mapping[str, int], where: str, terms: Terms, found: Found
) -> int | None:
    """The multiple of the play wager, 0 for a fold, None for a hand that has no such choice."""
    play = seat.get("play")
    path = f"{where}.play"
    if "ante" not in stakes:
        if play is not None and "ante" in terms.rulebook.wagers and not _unread(where, found):
            sentence = "there is no ante to multiply, so there is no play and no fold; leave play out"
            found.append(Refusal("play-without-ante", None, path, sentence))
        return None
    if play is None:
        sentence = "an ante needs its play: the multiple of the ante, or 0 for a fold"
        last = next((s.fold for s in terms.rulebook.stages if s.fold), None)
        found.append(Refusal("play-missing", last.clause(terms.mode) if last else None, path, sentence))
        return None
    if type(play) is int and (play in terms.sizes or (play == 0 and terms.may_fold)):
        return play
    stage = next((s for s in terms.rulebook.stages if s.sizes), None)
    if stage is None or stage.sizes is None:
        return play if type(play) is int and play > 0 else None
    sizes = ", ".join(str(n) for n in sorted(terms.sizes, reverse=True))
    allowed = f"write the multiple of the ante as a number, {sizes}, or 0 for a fold"
    if play == 0:
        allowed = f"this rulebook lets nobody fold; the multiples are {sizes}"
    sentence = f"{play!r} is no play wager: {allowed}"
    found.append(Refusal("play-size", stage.sizes.clause(terms.mode), path, sentence))
    return None


def check_stakes(stakes: Mapping[str, int], where: str, terms: Terms, found: Found) -> None:
    """Refuse stakes that are unequal, alone, in the wrong mode, of the wrong amount or out of bounds."""
    for name, twin, beside, offered, exact, bounds in terms.stake_rules:
        stake = stakes.get(name, 0)
        if twin is not None and stake != stakes.get(twin, 0):
            _refuse_unequal(name, twin, stakes, where, terms, found)
        if not stake:
            continue
        if beside is not None and stakes.keys().isdisjoint(beside):
            _refuse_alone(name, where, terms, found)
        if not offered:
            _refuse_mode(name, where, terms, found)
        if exact is not None and stake != exact:
            sentence = f"{name} is {spoken(exact)}, no more and no less, not {spoken(stake)}"
            clause = terms.exact_clause(name)
            found.append(Refusal(f"{name}-amount", clause, f"{where}.{name}", sentence))
        low, high = bounds.low, bounds.high
        if (low is not None and stake < low) or (high is not None and stake > high):
            check_bounds(name, stake, f"{where}.{name}", terms, found)


def _refuse_alone(name: str, where: str, terms: Terms, found: Found) -> None:
    beside = terms.rulebook.wagers[name].beside
    assert beside is not None
    sentence = f"{name} needs {' or '.join(beside.value)} beside it"
    code = f"{name.replace('_', '-')}-alone"
    found.append(Refusal(code, beside.clause(terms.mode), f"{where}.{name}", sentence))


def _refuse_mode(name: str, where: str, terms: Terms, found: Found) -> None:
    modes = terms.rulebook.wagers[name].modes
    assert modes is not None
    sentence = f"{name} is offered in {' or '.join(modes.value)} mode only, not in {terms.mode}"
    found.append(Refusal("wrong-mode", modes.clause(terms.mode), f"{where}.{name}", sentence))


def _refuse_unequal(
    name: str, twin: str, stakes: Mapping[str, int], where: str, terms: Terms, found: Found
) -> None:
    equals = terms.rulebook.wagers[name].equals
    clause = equals.clause(terms.mode) if equals else None
    sentence = f"{name} {spoken(stakes.get(name, 0))} must equal {twin} {spoken(stakes.get(twin, 0))}"
    found.append(Refusal(f"{twin}-{name}-unequal", clause, f"{where}.{name}", sentence))


def _unread(where: str, found: Found) -> bool:
    """Whether an amount of the seat could not be read; what follows from that is not said again."""
    return any(r.code == "bad-amount" and r.where.startswith(f"{where}.") for r in found)


def refuse_entry(stakes: Mapping[str, int], where: str, terms: Terms, found: Found) -> None:
    """Refuse wagers that do not get a player dealt in, unless the reason is told already."""
    entry = terms.rulebook.entry
    assert entry is not None
    told = any(r.where.startswith(f"{where}.") and r.code.endswith(("-alone", "-unequal")) for r in found)
    if told or _unread(where, found):
        return
    ways = " or ".join(" and ".join(way) for way in entry.value)
    sentence = f"to be dealt in a player bets {ways}"
    found.append(Refusal("no-initial-bet", entry.clause(terms.mode), where, sentence))


def _refuse_keys(seat: Mapping[str, Any], where: str, terms: Terms, found: Found) -> None:
    for key in seat:
        path = f"{where}.{key}"
        if key in terms.seat_keys:
            continue
        if key == "envy" and key in terms.rulebook.wagers:
            sentence = "envy is no wager of its own; it comes with the progressive"
            found.append(Refusal("unknown-key", None, path, sentence))
        elif key in ELSEWHERE:
            sentence = f"{terms.rulebook.id} offers no {key} wager"
            found.append(Refusal("not-offered", terms.clause("offered"), path, sentence))
        else:
            sentence = f"{key!r} is unknown; {meant(key, terms.seat_keys)}"
            found.append(Refusal("unknown-key", None, path, sentence))


def _tips(
    given: Any, stakes: Mapping[str, int], play: int, where: str, terms: Terms, found: Found
) -> dict[str, int]:
    if not isinstance(given, dict):
        found.append(Refusal("bad-tips", None, where, 'write tips by wager, {"ante": "2"}'))
        return {}
    read = {name: read_amount(value, f"{where}.{name}", found) for name, value in given.items()}
    return check_tips({n: a for n, a in read.items() if a}, stakes, play, where, terms, found)


def check_tips(
    given: Mapping[str, int], stakes: Mapping[str, int], play: int, where: str, terms: Terms, found: Found
) -> dict[str, int]:
    """The tips that may stand; the others are refused."""
    allowed = terms.rulebook.option("tips") or ()
    clause = terms.clause("tips") or terms.clause("offered")
    tips: dict[str, int] = {}
    for name, amount in given.items():
        path = f"{where}.{name}"
        if name not in allowed:
            places = f"it may stand on {', '.join(allowed)}" if allowed else "tip wagers are not offered"
            found.append(Refusal("tip-not-offered", clause, path, f"no tip on {name}: {places}"))
            continue
        tips[name] = amount
        company = "ante" in stakes if name != "trips" else bool(stakes)
        if not company:
            sentence = f"a tip on {name} needs the player's own wager on the same hand"
            found.append(Refusal("tip-alone", clause, path, sentence))
    if "play" in tips:
        due = tips.get("ante", 0) * play
        if tips["play"] != due or not due:
            sentence = f"a tip play is the player's own multiple of the tip ante: {spoken(due)}"
            also = terms.rulebook.options["tips"].basis.also
            found.append(Refusal("tip-play-size", also[-1] if also else clause, f"{where}.play", sentence))
    return tips


def _coupon(given: Any, stakes: Mapping[str, int], where: str, terms: Terms, found: Found) -> int:
    face = read_amount(given, where, found)
    check_coupon(face, stakes, where, terms, found)
    return face


def check_coupon(face: int, stakes: Mapping[str, int], where: str, terms: Terms, found: Found) -> None:
    """Refuse a match play coupon that is not taken or has too few chips beside it."""
    clause = terms.clause("match_play")
    if face < 0:
        found.append(Refusal("bad-amount", None, where, "a coupon has a face of more than nothing"))
    elif face and not terms.house("match_play"):
        sentence = "match play coupons are not taken at this table"
        found.append(Refusal("match-play-off", clause, where, sentence))
    elif face > stakes.get("ante", 0):
        sentence = f"a coupon of {spoken(face)} needs chips of at least as much on the ante"
        found.append(Refusal("match-play-chips", clause, where, sentence))
