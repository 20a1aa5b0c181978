"""Reading a round of Texas Shootout: four cards, two kept or split, and the dealer's house way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from houseway.cards import Card, written
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
from houseway.wording import several

SEAT_KEYS = frozenset({"seat", "player", "cards", "hands", "wager", "bonus"})


def read_round(data: Mapping[str, Any], terms: Terms) -> tuple[Round, Found]:
    """The round, and every reason to refuse it."""
    found: Found = []
    check_keys(data, ROUND_KEYS | {"dealer_keeps"}, "", found)
    board = read_cards(data.get("board"), 5, "board", found)
    dealer = read_cards(data.get("dealer"), 4, "dealer", found)
    kept, house_way = _dealer(data, dealer, terms, found)
    hands: list[PlayerHand] = []
    paths: list[str] = []
    dealt = [("board", board), ("dealer", dealer)]
    for where, seat in read_seats(data, terms, found):
        four = read_cards(seat.get("cards"), 4, f"{where}.cards", found)
        dealt.append((f"{where}.cards", four))
        held = _hands(seat, four, where, terms, found)
        hands += held
        paths += [where] * len(held)
    check_copies(dealt, terms.rulebook.ranking.decks, found)
    check_positions(hands, paths, terms, found)
    check_bet_limit(hands, paths, terms, found)
    meters = read_meters(data, terms, found)
    hands.sort(key=lambda h: (h.seat, h.number))
    return Round(board, kept, tuple(hands), meters, house_way), found


def _dealer(
    data: Mapping[str, Any], four: Sequence[Card], terms: Terms, found: Found
) -> tuple[tuple[Card, ...], tuple[Card, ...] | None]:
    """The two cards the dealer plays, and what the house way keeps where that is something else."""
    way = terms.rulebook.house_way
    if len(four) != 4:
        return (), None
    if way is None:
        sentence = "the rulebook has no house way, so the dealer's two cards cannot be told"
        found.append(Refusal("no-house-way", None, "dealer", sentence))
        return tuple(four[:2]), None
    right, _ = way.keep(four)
    if data.get("dealer_keeps") is None:
        return right, None
    kept = read_cards(data["dealer_keeps"], 2, "dealer_keeps", found)
    if Counter(kept) - Counter(four):
        sentence = f"{written(kept)} are not among the dealer's cards {written(four)}"
        found.append(Refusal("not-among-the-four", way.basis.clause(terms.mode), "dealer_keeps", sentence))
    return kept, None if Counter(kept) == Counter(right) else right


def _hands(
    seat: Mapping[str, Any], four: Sequence[Card], where: str, terms: Terms, found: Found
) -> list[PlayerHand]:
    check_keys(seat, SEAT_KEYS, where, found)
    held = _set_hands(seat.get("hands"), four, where, terms, found)
    wagers = _stakes(seat.get("wager"), len(held), f"{where}.wager", found)
    bonuses = _stakes(seat.get("bonus"), len(held), f"{where}.bonus", found)
    book = terms.rulebook
    _check_second(wagers, bonuses, where, terms, found)
    number, player = read_player(seat, where, found)
    hands = []
    for n, kept in enumerate(held):
        stakes = {}
        stake = wagers[n] if n < len(wagers) else wagers[0] if wagers else 0
        if stake:
            stakes["wager"] = stake
            check_bounds("wager", stake, f"{where}.wager", terms, found)
        bonus = bonuses[n] if n < len(bonuses) else 0
        if bonus:
            stakes["bonus"] = bonus
            check_bounds("bonus", bonus, f"{where}.bonus", terms, found)
            beside = book.wagers["bonus"].beside
            if beside is not None and "wager" not in stakes:
                sentence = "a bonus wager needs the primary wager beside it"
                found.append(Refusal("bonus-alone", beside.clause(terms.mode), f"{where}.bonus", sentence))
        elif book.entry is not None and "wager" not in stakes and n == 0:
            sentence = "the primary wager is required to be dealt in"
            found.append(Refusal("no-initial-bet", book.entry.clause(terms.mode), where, sentence))
        hands.append(PlayerHand(number, n + 1, player, kept, stakes))
    return hands


def _set_hands(
    given: Any, four: Sequence[Card], where: str, terms: Terms, found: Found
) -> list[tuple[Card, ...]]:
    """The player's one or two hands of two cards each."""
    path = f"{where}.hands"
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, list) or not 1 <= len(listed) <= 2:
        sentence = 'write one hand to keep two cards, "hands": ["As Ad"], or two hands to split'
        found.append(Refusal("bad-hands", None, path, sentence))
        return []
    size = terms.rulebook.option("keep")
    held = [_kept(text, size, f"{path}[{n}]", terms.clause("keep"), found) for n, text in enumerate(listed)]
    if size is None or len(four) != 4 or any(len(h) != size for h in held):
        return held
    played = Counter(c for hand in held for c in hand)
    if played - Counter(four):
        sentence = f"{' and '.join(map(written, held))} are not among the four cards {written(four)}"
        found.append(Refusal("not-among-the-four", terms.clause("keep"), path, sentence))
    elif len(held) == 2 and not may_split(four, terms):
        sentence = f"{written(four)} is neither two pair nor four of a kind; keep two cards"
        found.append(Refusal("split-not-allowed", terms.clause("split"), path, sentence))
    return held


def _kept(text: Any, size: int | None, where: str, clause: str | None, found: Found) -> tuple[Card, ...]:
    """One hand's cards; keeping more or fewer than the rulebook says is refused with its clause."""
    wrong: Found = []
    kept = read_cards(text, size or 2, where, wrong)
    for refusal in wrong:
        if kept and size is None:
            continue
        found.append(msgspec.structs.replace(refusal, clause=clause) if kept else refusal)
    return kept


def may_split(four: Sequence[Card], terms: Terms) -> bool:
    """Whether the rulebook lets these four cards be split."""
    if terms.rulebook.option("split") != "two pair or four of a kind":
        return True
    groups = sorted(Counter(c.rank for c in four).values())
    return groups in ([2, 2], [4])


def _stakes(given: Any, hands: int, where: str, found: Found) -> list[int]:
    """Amounts by hand: one amount, or a list with at most one for each hand."""
    listed = given if isinstance(given, list) else [given]
    if len(listed) > max(hands, 1):
        sentence = f"{several(len(listed), 'amount')} for {several(hands, 'hand')}"
        found.append(Refusal("too-many-amounts", None, where, sentence))
    return [
        read_amount(v, where if len(listed) == 1 else f"{where}[{n}]", found) for n, v in enumerate(listed)
    ]


def _check_second(
    wagers: Sequence[int], bonuses: Sequence[int], where: str, terms: Terms, found: Found
) -> None:
    """The second hand of a split: the primary matched, the bonus up to the original."""
    split = terms.rulebook.options.get("split")
    if len(wagers) == 2 and wagers[0] != wagers[1] and split is not None:
        matched = next((c for c in split.basis.also), None)
        sentence = f"the second hand's wager {spoken(wagers[1])} must match the first's {spoken(wagers[0])}"
        found.append(Refusal("split-wager-unequal", matched, f"{where}.wager", sentence))
    rule = terms.rulebook.options.get("second_bonus")
    if len(bonuses) == 2 and bonuses[1] > bonuses[0] and rule is not None:
        if bonuses[0]:
            clause = rule.clause(terms.mode)
            sentence = (
                f"the second bonus {spoken(bonuses[1])} may be at most the first, {spoken(bonuses[0])}"
            )
        else:
            clause = next((c for c in rule.basis.also), rule.clause(terms.mode))
            sentence = "a second bonus needs a bonus on the first hand"
        found.append(Refusal("second-bonus", clause, f"{where}.bonus", sentence))
