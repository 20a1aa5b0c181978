"""Read a Texas Shootout round, or refuse it."""

from typing import Any

from .checks import (
    Problems,
    amount,
    copies,
    keys,
    mapping,
    need_maxima,
    players,
    read_house,
    read_limits,
    row_of_cards,
    seat_list,
    within,
)
from .hands import NAME
from .house_way import keep
from .table import House, ShootoutHand, ShootoutRound

ROUND_KEYS = (
    "rulebook",
    "tables",
    "meters",
    "board",
    "dealer",
    "dealer_keeps",
    "seats",
    "mode",
    "limits",
    "house",
)
SEAT_KEYS = ("seat", "player", "cards", "hands", "wager", "bonus", "tips")
BET_LIMIT = 100_000


def part_of(some: list[int], whole: list[int]) -> bool:
    """True if `whole` contains these cards, including enough copies of each."""
    return all(some.count(card) <= whole.count(card) for card in some)


def read_hands(one: dict[str, Any], four: list[int], where: str, problems: Problems) -> list[list[int]]:
    """Return the hand that was kept, or the two hands of a split."""
    hands = one.get("hands")
    if not isinstance(hands, list) or len(hands) not in (1, 2):
        problems.add(
            "bad_hands", "TS-8-a", f"{where}hands", "Give one hand that is kept, or two hands of a split."
        )
        return []
    read = [row_of_cards(text, 2, f"{where}hands[{at}]", problems) for at, text in enumerate(hands)]
    if len(four) != 4 or any(len(two) != 2 for two in read):
        return read
    together = [card for two in read for card in two]
    if not part_of(together, four):
        problems.add("not_dealt", "TS-8-a", f"{where}hands", "These are not the cards dealt.")
    elif len(read) == 2:
        ranks = sorted(card >> 2 for card in four)
        if ranks[0] != ranks[1] or ranks[2] != ranks[3]:
            message = "Only two pair or four of a kind may be split."
            problems.add("no_split", "TS-9-a", f"{where}hands", message)
    return read


def read_wagers(
    one: dict[str, Any], count: int, where: str, problems: Problems
) -> tuple[list[int], list[int]]:
    """Return the primary wager and the bonus wager of each hand."""
    start = len(problems.found)
    spot = f"{where}wager"
    if "wager" not in one:
        problems.add("no_primary", "TS-4-a", spot, "There is no primary wager.")
        wagers = [0] * count
    elif isinstance(one["wager"], list):
        wagers = [amount(w, f"{spot}[{at}]", problems, zero=False) for at, w in enumerate(one["wager"])]
        if len(wagers) != count:
            problems.add("wrong_count", "TS-9-d", spot, "Give one wager for each hand.")
        elif len(set(wagers)) > 1:
            problems.add("unequal_split", "TS-9-d", spot, "The second wager must equal the first.")
    else:
        wagers = [amount(one["wager"], spot, problems, zero=False)] * count
    spot = f"{where}bonus"
    raw = one.get("bonus", "0")
    if isinstance(raw, list):
        bonuses = [amount(b, f"{spot}[{at}]", problems) for at, b in enumerate(raw)]
        if len(bonuses) > count:
            problems.add("wrong_count", None, spot, "There are more bonus wagers than hands.")
    else:
        bonuses = [amount(raw, spot, problems)]
    bonuses += [0] * (count - len(bonuses))
    if len(problems.found) == start and count == 2 and bonuses[1] > bonuses[0]:
        if bonuses[0] == 0:
            problems.add("second_bonus", "TS-9-e", spot, "The first hand has no bonus wager.")
        else:
            problems.add("second_bonus", "TS-9-f", spot, "The second bonus is above the first.")
    return wagers, bonuses


def read_tips(
    one: dict[str, Any], wager: int, bonus: int, house: House, where: str, problems: Problems
) -> dict[str, int]:
    """Return the tips of the first hand. Refuse a tip beside a wager that was not made."""
    tips: dict[str, int] = {}
    if "tips" not in one:
        return tips
    made = {"wager": wager, "bonus": bonus}
    for name, value in mapping(one, "tips", problems, where).items():
        spot = f"{where}tips.{name}"
        tip = amount(value, spot, problems)
        if not tip:
            continue
        if not house.tips or name not in made:
            problems.add("no_tips", "house.tips", spot, "This tip is not accepted here.")
        elif not made[name]:
            problems.add("tip_alone", "house.tips", spot, "The tip needs the player's own wager.")
        else:
            tips[name] = tip
    return tips


def read_dealer(data: dict[str, Any], problems: Problems) -> tuple[list[int], list[int], str]:
    """Return the dealer's four cards, the two that play, and the two of the house way if they differ."""
    four = row_of_cards(data.get("dealer"), 4, "dealer", problems)
    if len(four) != 4:
        return four, [], ""
    way = keep(four)
    if "dealer_keeps" not in data:
        return four, way, ""
    pair = row_of_cards(data["dealer_keeps"], 2, "dealer_keeps", problems)
    if not part_of(pair, four):
        problems.add("not_dealt", "TS-11-b", "dealer_keeps", "These are not the dealer's cards.")
    if sorted(pair) == sorted(way):
        return four, way, ""
    return four, pair, " ".join(NAME[card] for card in way)


def read_round(data: dict[str, Any], problems: Problems) -> ShootoutRound:
    """Return the whole round. It is valid only if there are no problems."""
    keys(data, ROUND_KEYS, "", problems)
    tables = mapping(data, "tables", problems)
    keys(tables, ("bonus",), "tables.", problems)
    table = tables.get("bonus", "A")
    if table not in ("A", "B"):
        problems.add("unknown_table", "TS-16-e", "tables.bonus", f"No bonus table {table!r}.")
    keys(mapping(data, "meters", problems), (), "meters.", problems)
    if data.get("mode", "manual") != "manual":
        problems.add("bad_mode", "TS-1-b", "mode", "Cards are dealt from a shoe by hand.")
    house = read_house(data, "shootout-sd", (), problems)
    limits = read_limits(data, ("wager", "bonus"), problems)
    need_maxima(limits, {}, problems)
    # A split doubles both wagers.
    if 2 * sum(high or 0 for _, high in limits.values()) > BET_LIMIT:
        problems.add("bet_limit", "SD-1-c", "limits", "The wagers of a hand could exceed $1,000.")
    board = row_of_cards(data.get("board"), 5, "board", problems)
    four, pair, way = read_dealer(data, problems)
    dealt = board + four
    raw = seat_list(data, 7, problems)
    people = players(raw, "shootout-sd", house, problems)
    hands: list[ShootoutHand] = []
    totals: dict[str, int] = {}
    for at, one in enumerate(raw):
        where = f"seats[{at}]."
        keys(one, SEAT_KEYS, where, problems)
        cards = row_of_cards(one.get("cards"), 4, f"{where}cards", problems)
        dealt = dealt + cards
        twos = read_hands(one, cards, where, problems)
        wagers, bonuses = read_wagers(one, max(len(twos), 1), where, problems)
        for wager in wagers:
            if wager and "wager" in limits:
                within(wager, limits["wager"], (None, None), f"{where}wager", problems)
        for bonus in bonuses:
            if bonus and "bonus" in limits:
                within(bonus, limits["bonus"], (None, None), f"{where}bonus", problems)
        first = (wagers[0] if wagers else 0, bonuses[0] if bonuses else 0)
        tips = read_tips(one, *first, house, where, problems)
        staked = sum(wagers) + sum(bonuses) + sum(tips.values())
        totals[people[at]] = totals.get(people[at], 0) + staked
        number = one.get("seat")
        for place, (two, wager, bonus) in enumerate(zip(twos, wagers, bonuses, strict=False)):
            seat = number if isinstance(number, int) else 0
            hands.append(ShootoutHand(seat, place + 1, two, wager, bonus, tips if place == 0 else {}))
    if any(total > BET_LIMIT for total in totals.values()):
        problems.add("bet_limit", "SD-1-c", "seats", "A player's wagers exceed $1,000.")
    copies(dealt, 6, problems)
    return ShootoutRound(board, pair, hands, str(table), house.rounding, way)
