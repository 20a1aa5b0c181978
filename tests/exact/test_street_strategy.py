"""Best play by kind of hand agrees with the published shares of a round's choices and with the counted folds."""

from __future__ import annotations

from collections import Counter
from functools import cache

from exact.games import solution, table
from houseway.exact.street_strategy import KindPlay, street_strategy

DEALS = 27_813_810_024_000
FLOP, RIVER = "after the flop", "after the river"


@cache
def streets() -> dict[str, tuple[KindPlay, ...]]:
    return street_strategy(solution())


def share(street: str, choice: str) -> str:
    """Return the share of all rounds that end their betting with a choice, in percent."""
    return f"{100 * sum(kind.deals[choice] for kind in streets()[street]) / DEALS:.4f}"


def test_the_choices_have_their_published_shares() -> None:
    assert (share(FLOP, "2x"), share(RIVER, "1x"), share(RIVER, "fold")) == (
        "21.2846",
        "21.8221",
        "19.1858",
    )


def test_the_rounds_that_check_the_flop_come_to_the_river() -> None:
    checked = sum(kind.deals["check"] for kind in streets()[FLOP])
    assert checked == sum(sum(kind.deals.values()) for kind in streets()[RIVER])


def test_folds_by_class_agree_with_the_outcomes() -> None:
    folded: Counter[str] = Counter()
    for kind in streets()[RIVER]:
        folded[kind.hand.removesuffix(" on the board")] += kind.deals["fold"]
    assert {name: n for name, n in folded.items() if n} == {
        name: n for name, n in table().folded.items() if n
    }


def test_kinds_are_listed_from_the_highest_and_only_if_they_occur() -> None:
    names = [kind.hand for kind in streets()[FLOP]]
    assert (names[0], names[-1]) == ("straight flush", "high card")
    assert all(any(kind.deals.values()) for kinds in streets().values() for kind in kinds)
    # A flop alone is at most three of a kind.
    shown = {name for name in names if name.endswith("on the flop")}
    assert shown == {"pair on the flop", "three of a kind on the flop"}
