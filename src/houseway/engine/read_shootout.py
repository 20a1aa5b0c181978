"""Read a round of Texas Shootout, in which players keep two of four cards or split all four."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from houseway.cards import Card, codes
from houseway.engine.finished_round import FinishedRound, PlayerHand
from houseway.engine.read_round import ROUND_KEYS, RoundReader, read_amount
from houseway.engine.refusals import Refusals
from houseway.engine.terms import Terms
from houseway.money import spoken
from houseway.wording import several

SEAT_KEYS = frozenset({"seat", "player", "cards", "hands", "wager", "bonus", "tips"})


def read_round(data: Mapping[str, Any], terms: Terms) -> tuple[FinishedRound, Refusals]:
    """Return the round and its refusals."""
    reader = RoundReader(terms)
    reader.keys(data, ROUND_KEYS | {"dealer_keeps"})
    board = reader.cards(data.get("board"), 5, "board")
    dealer = reader.cards(data.get("dealer"), 4, "dealer")
    kept, house_way = _dealer(reader, data, dealer)
    placed: list[tuple[str, PlayerHand]] = []
    dealt = [("board", board), ("dealer", dealer)]
    for where, seat in reader.seats(data):
        four = reader.cards(seat.get("cards"), 4, f"{where}.cards")
        dealt.append((f"{where}.cards", four))
        placed += [(where, hand) for hand in _hands(reader, seat, four, where)]
    reader.copies(dealt)
    reader.positions(placed)
    reader.bet_limit(placed)
    meters = reader.meters(data)
    hands = sorted((hand for _, hand in placed), key=lambda h: (h.seat, h.number))
    return FinishedRound(board, kept, tuple(hands), meters, house_way), reader.refusals


def _dealer(
    reader: RoundReader, data: Mapping[str, Any], four: Sequence[Card]
) -> tuple[tuple[Card, ...], tuple[Card, ...] | None]:
    """Return the two cards that the dealer plays, and those that the house way keeps if they differ."""
    way = reader.book.house_way
    if len(four) != 4:
        return (), None
    if way is None:
        sentence = (
            f"{reader.book.id} has no house way to choose the dealer's two cards; name a rulebook with one"
        )
        reader.refusals.add("no-house-way", sentence, "dealer")
        return tuple(four[:2]), None
    right, _ = way.keep(four)
    if data.get("dealer_keeps") is None:
        return right, None
    kept = reader.cards(data["dealer_keeps"], 2, "dealer_keeps")
    if sentence := not_among(kept, four, "the dealer's four cards"):
        reader.refusals.add("not-among-the-four", sentence, "dealer_keeps", reader.terms.cite(way.basis))
    return kept, None if Counter(kept) == Counter(right) else right


def _hands(
    reader: RoundReader, seat: Mapping[str, Any], four: Sequence[Card], where: str
) -> list[PlayerHand]:
    reader.keys(seat, SEAT_KEYS, where)
    held = _read_hands(reader, seat.get("hands"), four, f"{where}.hands")
    wagers = _stakes(reader, seat.get("wager"), len(held), f"{where}.wager")
    bonuses = _stakes(reader, seat.get("bonus"), len(held), f"{where}.bonus")
    _check_second(reader, wagers, bonuses, where)
    number, player = reader.player(seat, where)
    hands = []
    for n, kept in enumerate(held):
        stake = wagers[n] if n < len(wagers) else next(iter(wagers), 0)
        bonus = bonuses[n] if n < len(bonuses) else 0
        stakes = {name: made for name, made in (("wager", stake), ("bonus", bonus)) if made}
        for name, made in stakes.items():
            reader.bounds(name, made, f"{where}.{name}")
        if n == 0 or bonus:
            reader.primary(stakes, where)
        tips = {}
        if "tips" in seat and n == 0:
            # The tips stay with the first hand of a split.
            tips = reader.read_tips(seat["tips"], stakes, 0, f"{where}.tips")
        hands.append(PlayerHand(number, n + 1, player, kept, stakes, tips=tips))
    return hands


def _read_hands(reader: RoundReader, hands: Any, four: Sequence[Card], path: str) -> list[tuple[Card, ...]]:
    """Return the player's one or two hands of two cards each."""
    listed = [hands] if isinstance(hands, str) else hands
    if not isinstance(listed, list) or not 1 <= len(listed) <= 2:
        sentence = 'write one hand, as in "hands": ["As Ad"], or two hands for a split'
        reader.refusals.add("bad-hands", sentence, path)
        return []
    terms = reader.terms
    size = terms.rulebook.option("keep")
    held = [_kept(reader, text, size, f"{path}[{n}]") for n, text in enumerate(listed)]
    if size is None or len(four) != 4 or any(len(h) != size for h in held):
        return held
    if sentence := not_among([c for hand in held for c in hand], four, "the four cards"):
        reader.refusals.add("not-among-the-four", sentence, path, terms.clause("keep"))
    elif len(held) == 2 and not may_split(four, terms):
        sentence = f"only two pair or four of a kind can be split, not {codes(four)}; keep two cards"
        reader.refusals.add("split-not-allowed", sentence, path, terms.clause("split"))
    return held


def not_among(kept: Sequence[Card], four: Sequence[Card], whose: str) -> str:
    """Return the problem if a kept card is not among the four or is used too often; else an empty text."""
    dealt, extra = Counter(four), Counter(kept) - Counter(four)
    strays = [card for card in extra if card not in dealt]
    if strays:
        return f"{codes(strays)} {'is' if len(strays) == 1 else 'are'} not among {whose}, {codes(four)}"
    for card, more in extra.items():
        used, there = _times(dealt[card] + more), _times(dealt[card])
        return f"{card} is used {used}, but it was dealt {there} ({whose}: {codes(four)})"
    return ""


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _kept(reader: RoundReader, text: Any, size: int | None, where: str) -> tuple[Card, ...]:
    """Return one hand's cards; refuse a wrong number with the rulebook's clause."""
    before = len(reader.refusals)
    kept = reader.cards(text, size or 2, where)
    if kept and len(reader.refusals) > before:
        refusal = reader.refusals.pop()
        if size is not None:
            reader.refusals.append(replace(refusal, clause=reader.terms.clause("keep")))
    return kept


def may_split(four: Sequence[Card], terms: Terms) -> bool:
    """True if the rulebook lets the player split these four cards."""
    rule = terms.rulebook.option("split")
    if rule == "any four cards":
        return True
    if rule != "two pair or four of a kind":
        raise ValueError(f"no code decides which cards may be split by the option {rule!r}")
    groups = sorted(Counter(c.rank for c in four).values())
    return groups in ([2, 2], [4])


def _stakes(reader: RoundReader, amounts: Any, hands: int, where: str) -> list[int]:
    """Return the amounts by hand, read from one amount or a list with at most one per hand."""
    listed = amounts if isinstance(amounts, list) else [amounts]
    if len(listed) > max(hands, 1):
        counts = f"there are {several(len(listed), 'amount')} for {several(hands, 'hand')}"
        sentence = f"{counts}; write one per hand"
        reader.refusals.add("too-many-amounts", sentence, where)
    paths = [where] if len(listed) == 1 else [f"{where}[{n}]" for n in range(len(listed))]
    return [read_amount(value, path, reader.refusals) for value, path in zip(listed, paths, strict=True)]


def _check_second(reader: RoundReader, wagers: Sequence[int], bonuses: Sequence[int], where: str) -> None:
    """Refuse a second hand whose wager differs from the first, or whose bonus is larger."""
    options = reader.book.options
    split, rule = options.get("split"), options.get("second_bonus")
    if len(wagers) == 2 and wagers[0] != wagers[1] and split is not None:
        matched = next(iter(split.basis.also), None)
        sentence = f"the second wager ({spoken(wagers[1])}) must equal the first ({spoken(wagers[0])})"
        reader.refusals.add("split-wager-unequal", sentence, f"{where}.wager", matched)
    if len(bonuses) == 2 and bonuses[1] > bonuses[0] and rule is not None:
        clause = reader.terms.cite(rule)
        sentence = f"the second bonus ({spoken(bonuses[1])}) cannot exceed the first ({spoken(bonuses[0])})"
        if not bonuses[0]:
            clause = next(iter(rule.basis.also), clause)
            sentence = "to bet a bonus on the second hand, also bet one on the first"
        reader.refusals.add("second-bonus", sentence, f"{where}.bonus", clause)
