"""South Dakota, Texas Shootout: the Shootout Bonus, its two paytables, and the Envy Bonus."""

from pathlib import Path
from typing import Any

import pytest

from houseway.rules import loader
from houseway.testing import SettledRound, refused, settled

BOOK = "shootout-sd"
HANDS = {
    "suited five of a kind": ("Kd Kd", "Kd Kd Kd 3c 9s"),
    "royal flush": ("As Ks", "Qs Js Ts 4d 4c"),
    "straight flush": ("7h 8h", "9h Th Jh 2c 2d"),
    "five of a kind": ("8c 8d", "8h 8s 8s Kc 2d"),
    "four of a kind": ("9c 9d", "9h 9s 4d Kc 2s"),
    "full house": ("Kh 3d", "Ks Kd 7c 7h 2s"),
    "flush": ("Qh 4h", "Ah 9h 6h Kc 2d"),
    "straight": ("Jc Td", "9s 8h 7d Kc 2c"),
}
"""The two cards kept and the flop."""
DEALER = "Ac Jh 5d 3s"
RUN = "9h Th Jh Kc 2d"
"""A flop with which 7h 8h makes a straight flush."""


def seat(two: str, bonus: str = "0", number: int = 1, **more: Any) -> dict[str, Any]:
    """A seat that keeps two cards of four, with a primary wager of $10 and a bonus unless it is "0"."""
    return {
        "seat": number,
        "cards": f"{two} 5c 3s",
        "hands": [two],
        "wager": "10",
        "bonus": [bonus],
        **more,
    }


def played(
    board: str, *seats: dict[str, Any], dealer: str = DEALER, table: str = "A", **given: Any
) -> SettledRound:
    """A round under a paytable."""
    return settled(BOOK, board, dealer, *seats, tables={"bonus": table}, **given)


def envy(paid: SettledRound, number: int, hand: int | None = None) -> list[str]:
    """Every envy payment of a seat, or of one of its hands."""
    return [line.net for line in paid.lines("envy", number, hand)]


@pytest.mark.clause("TS-5-c")
def test_the_bonus_is_paid_by_the_chosen_table() -> None:
    two, board = HANDS["flush"]
    paid = played(board, seat(two, "5"))
    assert (paid.net("bonus"), paid.line("bonus").odds) == ("10.00", "2 to 1")


@pytest.mark.clause("TS-16-a", "TS-16-tB")
def test_a_bonus_that_qualifies_is_paid_the_posted_odds() -> None:
    paid = played("9h 9s 4d Kc 2s", seat("9c 9d", "5"), table="B")
    assert (paid.net("bonus"), paid.line("bonus").odds, paid.clause("bonus")) == (
        "35.00",
        "7 to 1",
        "TS-16-tB",
    )


@pytest.mark.clause("TS-16-a")
def test_the_two_discards_do_not_count_for_the_bonus() -> None:
    four = {"cards": "9c 9d Jc Td", "wager": "10", "bonus": ["5"]}
    board = "9s 8h 7d Kc 2c"
    straight = played(board, {**four, "hands": ["Jc Td"]})
    three = played(board, {**four, "hands": ["9c 9d"]})
    assert (straight.net("bonus"), three.net("bonus")) == ("5.00", "-5.00")


@pytest.mark.clause("TS-16-b")
def test_a_bonus_that_does_not_qualify_is_collected() -> None:
    paid = played("7s Kh 9d 4c 2s", seat("7c 7d", "5"))
    assert (paid.net("wager"), paid.net("bonus"), paid.clause("bonus")) == ("10.00", "-5.00", "TS-16-b")


@pytest.mark.clause("TS-16-c")
def test_bonus_and_primary_do_not_affect_each_other() -> None:
    paid = played("Ah 9h 6h Kc Kd", seat("Qh 4h", "5"), dealer="As Ac 3d 2c")
    assert (paid.net("wager"), paid.net("bonus")) == ("-10.00", "10.00")
    other = played("Qd 9s 7h 4c 2d", seat("As Ah", "5"))
    assert (other.net("wager"), other.net("bonus")) == ("10.00", "-5.00")


@pytest.mark.clause("TS-16-e")
def test_only_the_two_printed_bonus_tables_may_be_chosen() -> None:
    two, board = HANDS["four of a kind"]
    (no,) = refused(BOOK, board, DEALER, seat(two, "5"), tables={"bonus": "C"})
    assert (no.code, no.clause) == ("unknown-table", "TS-16-e")
    nets = [played(board, seat(two, "5"), table=name).net("bonus") for name in ("A", "B")]
    assert nets == ["25.00", "35.00"]
    setting = loader.load(BOOK).house["bonus_table"]
    assert (setting.required, setting.basis.clause("manual")) == (True, "TS-16-e")


THIRD = '[tables.bonus.C]\nhouse = "bonus_table"\nrows = { "straight or better" = "2 to 1" }\n'


@pytest.mark.clause("TS-16-e")
@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ('[tables.bonus.A.rows]\n"straight" = "1 to 1"\n', []),
        ('[tables.bonus.A.rows]\n"straight" = "2 to 1"\n', ["tables.bonus.A"]),
        (THIRD, ["tables.bonus.C"]),
    ],
    ids=["as printed", "one line raised", "a third table"],
)
def test_a_house_file_may_not_change_the_odds(tmp_path: Path, changes: str, wrong: list[str]) -> None:
    file = tmp_path / "house.toml"
    file.write_text(f'[rulebook]\nid = "our-house"\nextends = "{BOOK}"\n\n{changes}')
    _, problems = loader.load_with_problems(str(file))
    assert [p.path for p in problems] == wrong
    assert all(p.right.endswith("(TS-16-e)") for p in problems)


@pytest.mark.parametrize(
    ("table", "pays"),
    [
        pytest.param(
            "A",
            ["5000.00", "500.00", "100.00", "50.00", "5.00", "3.00", "2.00", "1.00"],
            marks=pytest.mark.clause("TS-16-tA"),
        ),
        pytest.param(
            "B",
            ["1000.00", "200.00", "75.00", "40.00", "7.00", "3.00", "2.00", "1.00"],
            marks=pytest.mark.clause("TS-16-tB"),
        ),
    ],
)
def test_the_bonus_paytable_from_the_top(table: str, pays: list[str]) -> None:
    paid = [played(board, seat(two, "1"), table=table) for two, board in HANDS.values()]
    assert [p.net("bonus") for p in paid] == pays
    assert {p.clause("bonus") for p in paid} == {f"TS-16-t{table}"}


@pytest.mark.clause("TS-6-a", "TS-17-a")
def test_a_bonus_of_at_least_five_dollars_qualifies_for_envy() -> None:
    paid = played(RUN, seat("Ac Ad", "5", 1), seat("6c 6d", "4", 2), seat("7h 8h", "0", 3))
    assert (envy(paid, 1), envy(paid, 2)) == (["50.00"], [])
    bare = played(RUN, seat("Ac Ad", "0", 1), seat("7h 8h", "0", 3))
    assert envy(bare, 1) == []


@pytest.mark.clause("TS-17-b")
def test_no_envy_for_the_wagers_own_hand_or_the_dealers() -> None:
    own = played(RUN, seat("7h 8h", "5"))
    assert (own.net("bonus"), envy(own, 1)) == ("500.00", [])
    dealers = played(RUN, seat("Ac Ad", "5"), dealer="7h 8h 2c 4d")
    assert (dealers.net("wager"), envy(dealers, 1)) == ("-10.00", [])
    other = played(RUN, seat("Ac Ad", "5", 1), seat("7h 8h", "0", 2))
    assert envy(other, 1) == ["50.00"]
    both = played(RUN, seat("Ac Ad", "5", 1), seat("7h 8h", "5", 2))
    assert (envy(both, 1), envy(both, 2)) == (["50.00"], [])


@pytest.mark.clause("TS-17-b", "TS-17-a")
def test_envy_is_excluded_by_hand_and_not_by_person() -> None:
    split = {"cards": "7h 8h 7c 8c", "hands": ["7h 8h", "7c 8c"], "wager": "10", "bonus": ["5", "5"]}
    paid = played(RUN, split)
    assert (envy(paid, 1, 1), envy(paid, 1, 2)) == ([], ["50.00"])
    small = played(RUN, {**split, "bonus": ["5", "4"]})
    assert envy(small, 1) == []
    two_seats = [seat("Ac Ad", "5", 1, player="Ann"), seat("7h 8h", "5", 2, player="Ann")]
    positions = played(RUN, *two_seats, house={"more_positions": True})
    assert (envy(positions, 1), envy(positions, 2)) == (["50.00"], [])


@pytest.mark.clause("TS-17-b")
def test_each_hand_that_earns_envy_is_paid_for() -> None:
    paid = played(RUN, seat("Ac Ad", "5", 1), seat("7h 8h", "5", 2), seat("Qh Kh", "5", 4))
    assert (envy(paid, 1), envy(paid, 2), envy(paid, 4)) == (["50.00", "50.00"], ["50.00"], ["50.00"])
    assert [seat for seat, wager in paid.order() if wager == "envy"] == [4, 2, 1, 1]
    assert {wager for _, wager in paid.order()[-4:]} == {"envy"}


@pytest.mark.clause("TS-17-t")
@pytest.mark.parametrize(
    ("name", "due"),
    [
        ("suited five of a kind", ["1000.00"]),
        ("royal flush", ["250.00"]),
        ("straight flush", ["50.00"]),
        ("five of a kind", ["10.00"]),
        ("four of a kind", []),
    ],
)
def test_envy_is_flat_whatever_the_size_of_the_bonus(name: str, due: list[str]) -> None:
    two, board = HANDS[name]
    paid = played(board, seat("6c 5d", "5", 1), seat("6d 5h", "25", 2), seat(two, "0", 3))
    assert (envy(paid, 1), envy(paid, 2), envy(paid, 3)) == (due, due, [])
    assert {line.clause for line in paid.lines("envy")} == ({"TS-17-t"} if due else set())
